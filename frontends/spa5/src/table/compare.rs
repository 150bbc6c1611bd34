//! Comparisons and predicates.

use crate::operand::*;

rows! {
    "FSET" Fset, "{guard}FSET{bf}{cmp}{ftz}{bop} {d}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, as a word.",
        [GUARD, BF_52, FLOAT_COMPARE_48, FTZ_55, BOP_45, RESULT_CC47, FIRST_NEG43_ABS54, SECOND, LAST_PREDICATE_39] {
            "R" top(0xff00, 0x5800), SECOND = SECOND_REGISTER_NEG53_ABS44;
            "C" top(0xff00, 0x4800), SECOND = SECOND_CONSTANT_NEG53_ABS44;
            "I" top(0xfe00, 0x3000), SECOND = SECOND_FLOAT20_NEG53_ABS44;
        }
    "FSETP" Fsetp, "{guard}FSETP{cmp}{ftz}{bop} {pd}, {pd2}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, and the opposite.",
        [GUARD, FLOAT_COMPARE_48, FTZ_47, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, FIRST_NEG43_ABS7, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff0, 0x5bb0), SECOND = SECOND_REGISTER_NEG6_ABS44;
            "C" top(0xfff0, 0x4bb0), SECOND = SECOND_CONSTANT_NEG6_ABS44;
            "I" top(0xfef0, 0x36b0), SECOND = SECOND_FLOAT20_NEG6_ABS44;
        }
    "FCMP" Fcmp, "{guard}FCMP{cmp}{ftz} {d}, {a}, {b}, {c}", "a where c compares so with zero, else b.",
        [GUARD, FLOAT_COMPARE_48_FCMP, FTZ_47, RESULT, FIRST, SECOND, THIRD] {
            "R" top(0xfff0, 0x5ba0), SECOND = SECOND_REGISTER, THIRD = THIRD_REGISTER;
            "RC" top(0xfff0, 0x53a0), SECOND = SECOND_AT_THIRD, THIRD = THIRD_CONSTANT;
            "CR" top(0xfff0, 0x4ba0), SECOND = SECOND_CONSTANT, THIRD = THIRD_REGISTER;
            "I" top(0xfef0, 0x36a0), SECOND = SECOND_FLOAT20, THIRD = THIRD_REGISTER;
        }
    "ISET" Iset, "{guard}ISET{bf}{cmp}{signed}{x}{bop} {d}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, as a word.",
        [GUARD, BF_44, INT_COMPARE_49, UNSIGNED_48, X_43, BOP_45, RESULT_CC47, FIRST, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff0, 0x5b50), SECOND = SECOND_REGISTER;
            "C" top(0xfff0, 0x4b50), SECOND = SECOND_CONSTANT;
            "I" top(0xfef0, 0x3650), SECOND = SECOND_INT20;
        }
    "ISETP" Isetp, "{guard}ISETP{cmp}{signed}{x}{bop} {pd}, {pd2}, {a}, {b}, {pc}", "Whether a compares so with b, combined with a predicate, and the opposite.",
        [GUARD, INT_COMPARE_49, UNSIGNED_48, X_43, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, FIRST, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff0, 0x5b60), SECOND = SECOND_REGISTER;
            "C" top(0xfff0, 0x4b60), SECOND = SECOND_CONSTANT;
            "I" top(0xfef0, 0x3660), SECOND = SECOND_INT20;
        }
    "ICMP" Icmp, "{guard}ICMP{cmp}{signed} {d}, {a}, {b}, {c}", "a where c compares so with zero, else b.",
        [GUARD, INT_COMPARE_49, UNSIGNED_48, RESULT, FIRST, SECOND, THIRD] {
            "R" top(0xfff0, 0x5b40), SECOND = SECOND_REGISTER, THIRD = THIRD_REGISTER;
            "RC" top(0xfff0, 0x5340), SECOND = SECOND_AT_THIRD, THIRD = THIRD_CONSTANT;
            "CR" top(0xfff0, 0x4b40), SECOND = SECOND_CONSTANT, THIRD = THIRD_REGISTER;
            "I" top(0xfef0, 0x3640), SECOND = SECOND_INT20, THIRD = THIRD_REGISTER;
        }
    "PSET" Pset, "{guard}PSET{bf}{bop1}{bop} {d}, {pa}, {pb}, {pc}", "Three predicates combined, as a word.",
        [GUARD, BF_44, BOP1_24, BOP_45, RESULT_CC47, FIRST_PREDICATE_12, SECOND_PREDICATE_29, LAST_PREDICATE_39] { "" top(0xfff8, 0x5088); }
    "PSETP" Psetp, "{guard}PSETP{bop1}{bop} {pd}, {pd2}, {pa}, {pb}, {pc}", "Three predicates combined, and the opposite.",
        [GUARD, BOP1_24, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, FIRST_PREDICATE_12, SECOND_PREDICATE_29, LAST_PREDICATE_39] { "" top(0xfff8, 0x5090); }
    "CSET" Cset, "{guard}CSET{bf}{test}{bop} {d}, CC, {pc}", "A test of the condition codes, combined with a predicate, as a word.",
        [GUARD, BF_44, TEST_8, BOP_45, RESULT_CC47, LAST_PREDICATE_39] { "" top(0xfff8, 0x5098); }
    "CSETP" Csetp, "{guard}CSETP{test}{bop} {pd}, {pd2}, CC, {pc}", "A test of the condition codes, combined with a predicate, and the opposite.",
        [GUARD, TEST_8, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, LAST_PREDICATE_39] { "" top(0xfff8, 0x50a0); }
}
