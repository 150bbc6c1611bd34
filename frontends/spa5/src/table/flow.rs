//! Control flow.

use crate::operand::*;

rows! {
    "EXIT" Exit, "{guard}EXIT{keep}{test}", "The lane ends.",
        [GUARD, KEEPREFCOUNT_5, TEST_0] { "" top(0xfff0, 0xe300); }
    "BRA" "the target stands in a constant", "{guard}BRA{uniform}{limit} {test}{target}", "Goes on elsewhere.",
        [GUARD, U_7, LMT_6, TEST_0_COMMA, TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe240000000000020); }
    "BRA" Bra, "{guard}BRA{uniform}{limit} {test}{target}", "Goes on elsewhere.",
        [GUARD, U_7, LMT_6, TEST_0_COMMA, TARGET] { "" word(0xfff0000000000020, 0xe240000000000000); }
    "BRX" "the target is computed", "{guard}BRX{limit} {test}{target}", "Goes on at a place that a constant holds.",
        [GUARD, LMT_6, TEST_0_COMMA, BRX_CONST] { "constant" word(0xfff0000000000020, 0xe250000000000020); }
    "BRX" Brx, "{guard}BRX{limit} {test}{a}{offset}", "Goes on at a place that a register holds.",
        [GUARD, LMT_6, TEST_0_COMMA, FIRST_ONCE, BRX_OFFSET] { "" word(0xfff0000000000020, 0xe250000000000000); }
    "SSY" "the target stands in a constant", "SSY {target}", "Pushes the place where lanes meet again at SYNC.",
        [TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe290000000000020); }
    "SSY" Ssy, "SSY {target}", "Pushes the place where lanes meet again at SYNC.",
        [TARGET] { "" word(0xfff0000000000020, 0xe290000000000000); }
    "SYNC" Sync, "{guard}SYNC{test}", "Goes on where SSY said.",
        [GUARD, TEST_0] { "" top(0xfff8, 0xf0f8); }
    "PBK" "the target stands in a constant", "PBK {target}", "Pushes the place where BRK goes on.",
        [TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe2a0000000000020); }
    "PBK" Pbk, "PBK {target}", "Pushes the place where BRK goes on.",
        [TARGET] { "" word(0xfff0000000000020, 0xe2a0000000000000); }
    "BRK" Brk, "{guard}BRK{test}", "Goes on where PBK said.",
        [GUARD, TEST_0] { "" top(0xfff0, 0xe340); }
    "PCNT" "the target stands in a constant", "PCNT {target}", "Pushes the place where CONT goes on.",
        [TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe2b0000000000020); }
    "PCNT" Pcnt, "PCNT {target}", "Pushes the place where CONT goes on.",
        [TARGET] { "" word(0xfff0000000000020, 0xe2b0000000000000); }
    "CONT" Cont, "{guard}CONT{test}", "Goes on where PCNT said.",
        [GUARD, TEST_0] { "" top(0xfff0, 0xe350); }
    "CAL" "the target stands in a constant", "CAL{increment} {target}", "Calls: pushes the place behind it.",
        [NOINC_6, TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe260000000000020); }
    "CAL" Cal, "CAL{increment} {target}", "Calls: pushes the place behind it.",
        [NOINC_6, TARGET] { "" word(0xfff0000000000020, 0xe260000000000000); }
    "PRET" "the target stands in a constant", "PRET{increment} {target}", "Pushes the place where RET goes on.",
        [NOINC_6, TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe270000000000020); }
    "PRET" Pret, "PRET{increment} {target}", "Pushes the place where RET goes on.",
        [NOINC_6, TARGET] { "" word(0xfff0000000000020, 0xe270000000000000); }
    "RET" Ret, "{guard}RET{test}", "Goes on where CAL or PRET said.",
        [GUARD, TEST_0] { "" top(0xfff0, 0xe320); }
    "JMP" "the target stands in a constant", "{guard}JMP{uniform}{limit} {test}{target}", "Goes on at an absolute address.",
        [GUARD, U_7, LMT_6, TEST_0_COMMA, TARGET_CONST] { "constant" word(0xfff0000000000020, 0xe210000000000020); }
    "JMP" "the target is no place of the program", "{guard}JMP{uniform}{limit} {test}{target}", "Goes on at an absolute address.",
        [GUARD, U_7, LMT_6, TEST_0_COMMA, ABSOLUTE] { "" word(0xfff0000000000020, 0xe210000000000000); }
}
