//! Arithmetic and comparisons of binary64 numbers, which are in pairs of registers.

use crate::operand::*;

rows! {
    "DADD" Dadd, "{guard}DADD{rnd} {d}, {a}, {b}", "a + b of binary64 numbers.",
        [GUARD, ROUND_39, RESULT_CC47, FIRST_NEG48_ABS46, SECOND] {
            "R" top(0xfff8, 0x5c70), SECOND = SECOND_REGISTER_NEG45_ABS49_FADD;
            "C" top(0xfff8, 0x4c70), SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3870), SECOND = SECOND_DOUBLE20_NEG45_ABS49;
        }
    "DMUL" Dmul, "{guard}DMUL{rnd} {d}, {a}, {b}", "a * b of binary64 numbers.",
        [GUARD, ROUND_39, RESULT_CC47, FIRST, SECOND] {
            "R" top(0xfff8, 0x5c80), SECOND = SECOND_REGISTER_NEG48;
            "C" top(0xfff8, 0x4c80), SECOND = SECOND_CONSTANT_NEG48;
            "I" top(0xfef8, 0x3880), SECOND = SECOND_DOUBLE20_NEG48;
        }
    "DFMA" Dfma, "{guard}DFMA{rnd} {d}, {a}, {b}, {c}", "a * b + c of binary64 numbers, rounded once.",
        [GUARD, ROUND_50, RESULT_CC47, FIRST, SECOND, THIRD] {
            "R" top(0xfff0, 0x5b70), SECOND = SECOND_REGISTER_NEG48, THIRD = THIRD_REGISTER_NEG49;
            "RC" top(0xfff0, 0x5370), SECOND = SECOND_AT_THIRD_NEG48, THIRD = THIRD_CONSTANT_NEG49;
            "CR" top(0xfff0, 0x4b70), SECOND = SECOND_CONSTANT_NEG48, THIRD = THIRD_REGISTER_NEG49;
            "I" top(0xfef0, 0x3670), SECOND = SECOND_DOUBLE20_NEG48, THIRD = THIRD_REGISTER_NEG49;
        }
    "DMNMX" Dmnmx, "{guard}DMNMX {d}, {a}, {b}, {pc}", "The lesser of a and b where the predicate is true, else the greater.",
        [GUARD, RESULT_CC47, FIRST_NEG48_ABS46, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5c50), SECOND = SECOND_REGISTER_NEG45_ABS49;
            "C" top(0xfff8, 0x4c50), SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3850), SECOND = SECOND_DOUBLE20_NEG45_ABS49;
        }
    "DSET" Dset, "{guard}DSET{bf}{cmp}{bop} {d}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, as a word.",
        [GUARD, BF_52, FLOAT_COMPARE_48, BOP_45, RESULT_CC47, FIRST_NEG43_ABS54, SECOND, LAST_PREDICATE_39] {
            "R" top(0xff80, 0x5900), SECOND = SECOND_REGISTER_NEG53_ABS44;
            "C" top(0xff80, 0x4900), SECOND = SECOND_CONSTANT_NEG53_ABS44;
            "I" top(0xfe80, 0x3200), SECOND = SECOND_DOUBLE20_NEG53_ABS44;
        }
    "DSETP" Dsetp, "{guard}DSETP{cmp}{bop} {pd}, {pd2}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, and the opposite.",
        [GUARD, FLOAT_COMPARE_48, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, FIRST_NEG43_ABS7, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff0, 0x5b80), SECOND = SECOND_REGISTER_NEG6_ABS44;
            "C" top(0xfff0, 0x4b80), SECOND = SECOND_CONSTANT_NEG6_ABS44;
            "I" top(0xfef0, 0x3680), SECOND = SECOND_DOUBLE20_NEG6_ABS44;
        }
}
