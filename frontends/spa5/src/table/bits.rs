//! Shifts, bit fields and logic.

use crate::operand::*;

rows! {
    "SHL" Shl, "{guard}SHL{wrap}{x} {d}, {a}, {b}", "a shifted left by b.",
        [GUARD, W_39, X_43, RESULT_CC47, FIRST, SECOND] {
            "R" top(0xfff8, 0x5c48), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4c48), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3848), SECOND = SECOND_INT20;
        }
    "SHR" Shr, "{guard}SHR{signed}{wrap}{x}{brev} {d}, {a}, {b}", "a shifted right by b.",
        [GUARD, UNSIGNED_48, W_39, SHIFT_EXTEND_43, BREV_40, RESULT_CC47, FIRST, SECOND] {
            "R" top(0xfff8, 0x5c28), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4c28), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3828), SECOND = SECOND_INT20;
        }
    "SHF" ShfLeft, "{guard}SHF.L{wrap}{max}{high} {d}, {a}, {b}, {c}", "The pair c, a shifted left by b, one word of it.",
        [GUARD, W_50, MAX_SHIFT_37, HIGH_48, RESULT_CC47, FIRST, SECOND, THIRD_REGISTER] {
            "L.R" top(0xfff8, 0x5bf8), SECOND = SECOND_REGISTER;
            "L.I" top(0xfef8, 0x36f8), SECOND = SECOND_UINT6_20;
        }
    "SHF" ShfRight, "{guard}SHF.R{wrap}{max}{high} {d}, {a}, {b}, {c}", "The pair c, a shifted right by b, one word of it.",
        [GUARD, W_50, MAX_SHIFT_37, HIGH_48, RESULT_CC47, FIRST, SECOND, THIRD_REGISTER] {
            "R.R" top(0xfff8, 0x5cf8), SECOND = SECOND_REGISTER;
            "R.I" top(0xfef8, 0x38f8), SECOND = SECOND_UINT6_20;
        }
    "LOP" Lop, "{guard}LOP{logic}{x}{test} {d}, {a}, {b}", "a and b combined bit by bit.",
        [GUARD, LOGIC_41, X_43, TEST_44, PREDICATE_AND_RESULT_CC47, FIRST_INV39, SECOND] {
            "R" top(0xfff8, 0x5c40), SECOND = SECOND_REGISTER_INV40;
            "C" top(0xfff8, 0x4c40), SECOND = SECOND_CONSTANT_INV40;
            "I" top(0xfef8, 0x3840), SECOND = SECOND_INT20_INV40;
        }
    "LOP32I" Lop, "{guard}LOP32I{logic}{x} {d}, {a}, {b}", "a and b combined bit by bit, b a literal.",
        [GUARD, LOGIC_53, X_57, RESULT_CC52, FIRST_INV55, SECOND_UINT32_INV56] { "" top(0xfc00, 0x0400); }
    "LOP3" Lop3, "{guard}LOP3.LUT{x}{test} {d}, {a}, {b}, {c}, {lut}", "a, b and c combined bit by bit by a truth table.",
        [GUARD, X_38, TEST_36, PREDICATE_AND_RESULT_CC47, FIRST, SECOND_REGISTER, THIRD_REGISTER, TRUTH_28] { "R" top(0xfff8, 0x5be0); }
    "LOP3" Lop3, "{guard}LOP3.LUT{x} {d}, {a}, {b}, {c}, {lut}", "a, b and c combined bit by bit by a truth table.",
        [GUARD, X_56, RESULT_CC47, FIRST, SECOND_CONSTANT, THIRD_REGISTER, TRUTH_48] { "C" top(0xfe00, 0x0200); }
    "LOP3" Lop3, "{guard}LOP3.LUT{x} {d}, {a}, {b}, {c}, {lut}", "a, b and c combined bit by bit by a truth table.",
        [GUARD, X_57, RESULT_CC47, FIRST, SECOND_INT20, THIRD_REGISTER, TRUTH_48] { "I" top(0xfc00, 0x3c00); }
    "BFE" Bfe, "{guard}BFE{signed}{brev} {d}, {a}, {b}", "The bits of a from the place and of the length that b holds.",
        [GUARD, UNSIGNED_48, BREV_40, RESULT_CC47, FIRST, SECOND] {
            "R" top(0xfff8, 0x5c00), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4c00), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3800), SECOND = SECOND_INT20;
        }
    "BFI" Bfi, "{guard}BFI {d}, {a}, {b}, {c}", "c with bits of a inserted at the place and of the length that b holds.",
        [GUARD, RESULT_CC47, FIRST, SECOND, THIRD] {
            "R" top(0xfff8, 0x5bf0), SECOND = SECOND_REGISTER, THIRD = THIRD_REGISTER;
            "RC" top(0xfff8, 0x53f0), SECOND = SECOND_AT_THIRD, THIRD = THIRD_CONSTANT;
            "CR" top(0xfff8, 0x4bf0), SECOND = SECOND_CONSTANT, THIRD = THIRD_REGISTER;
            "I" top(0xfef8, 0x36f0), SECOND = SECOND_INT20, THIRD = THIRD_REGISTER;
        }
    "FLO" Flo, "{guard}FLO{signed}{sh} {d}, {b}", "The place of the highest one of b.",
        [GUARD, UNSIGNED_48, SH_41, RESULT_CC47, SECOND] {
            "R" top(0xfff8, 0x5c30), SECOND = SECOND_REGISTER_INV40_ONCE;
            "C" top(0xfff8, 0x4c30), SECOND = SECOND_CONSTANT_INV40;
            "I" top(0xfef8, 0x3830), SECOND = SECOND_INT20_INV40;
        }
    "POPC" Popc, "{guard}POPC {d}, {b}", "How many ones b has.",
        [GUARD, RESULT, SECOND] {
            "R" top(0xfff8, 0x5c08), SECOND = SECOND_REGISTER_INV40_ONCE;
            "C" top(0xfff8, 0x4c08), SECOND = SECOND_CONSTANT_INV40;
            "I" top(0xfef8, 0x3808), SECOND = SECOND_INT20_INV40;
        }
}
