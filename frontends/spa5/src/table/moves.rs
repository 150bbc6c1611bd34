//! Moves, selection, special registers and predicates as words.

use crate::operand::*;

rows! {
    "MOV" Mov, "{guard}MOV {d}, {b}{lanes}", "The source, in the lanes of the mask.",
        [GUARD, RESULT, SECOND, LANES_39] {
            "R" top(0xfff8, 0x5c98), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4c98), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3898), SECOND = SECOND_INT20;
        }
    "MOV32I" Mov, "{guard}MOV32I {d}, {b}{lanes}", "A literal of 32 bits.",
        [GUARD, RESULT, SECOND_UINT32, LANES_12] { "" top(0xfff0, 0x0100); }
    "SEL" Sel, "{guard}SEL {d}, {a}, {b}, {pc}", "a where the predicate is true, else b.",
        [GUARD, RESULT, FIRST, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5ca0), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4ca0), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x38a0), SECOND = SECOND_INT20;
        }
    "PRMT" Prmt, "{guard}PRMT{mode} {d}, {a}, {b}, {c}", "Bytes of the pair c, a, picked by b.",
        [GUARD, PERMUTE_MODE_48, RESULT, FIRST, SECOND, THIRD] {
            "R" top(0xfff0, 0x5bc0), SECOND = SECOND_REGISTER, THIRD = THIRD_REGISTER;
            "RC" top(0xfff0, 0x53c0), SECOND = SECOND_AT_THIRD, THIRD = THIRD_CONSTANT;
            "CR" top(0xfff0, 0x4bc0), SECOND = SECOND_CONSTANT, THIRD = THIRD_REGISTER;
            "I" top(0xfef0, 0x36c0), SECOND = SECOND_INT20, THIRD = THIRD_REGISTER;
        }
    "S2R" S2r, "{guard}S2R {d}, {special}", "A special register.",
        [GUARD, RESULT, SPECIAL] { "" top(0xfff8, 0xf0c8); }
    "CS2R" Cs2r, "{guard}CS2R {d}, {special}", "A special register, with fixed latency.",
        [GUARD, RESULT, SPECIAL] { "" top(0xfff8, 0x50c8); }
    "P2R" P2r, "{guard}P2R{byte} {d}, {what}, {a}, {b}", "The predicates or condition codes as a byte of a, where b has ones.",
        [GUARD, BYTE_41, RESULT, PR_CC, FIRST, SECOND] {
            "R" top(0xfff8, 0x5ce8), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4ce8), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x38e8), SECOND = SECOND_INT20;
        }
    "R2P" R2p, "{guard}R2P {what}, {a}, {b}", "The predicates or condition codes from a byte of a, where b has ones.",
        [GUARD, PR_CC, FIRST_BYTE41, SECOND] {
            "R" top(0xfff8, 0x5cf0), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4cf0), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x38f0), SECOND = SECOND_UINT20;
        }
}
