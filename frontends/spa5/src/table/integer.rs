//! Integer arithmetic.

use crate::operand::*;

rows! {
    "IADD" Iadd, "{guard}IADD{po}{sat}{x} {d}, {a}, {b}", "a + b, with carry in and out.",
        [GUARD, PLUS_ONE_48, SAT_50, X_43, RESULT_CC47, FIRST_NEGATED, SECOND] {
            "R" top(0xfff8, 0x5c10), SECOND = SECOND_REGISTER_NEGATED;
            "C" top(0xfff8, 0x4c10), SECOND = SECOND_CONSTANT_NEGATED;
            "I" top(0xfef8, 0x3810), SECOND = SECOND_INT20_NEGATED;
        }
    "IADD32I" Iadd, "{guard}IADD32I{po}{sat}{x} {d}, {a}, {b}", "a + b, b a literal.",
        [GUARD, PLUS_ONE_55, SAT_54, X_53, RESULT_CC52, FIRST_NEGATED_55, SECOND_INT32_NEGATED_55] { "" top(0xfe00, 0x1c00); }
    "IADD3" Iadd3, "{guard}IADD3{shift}{x} {d}, {a}, {b}, {c}", "a + b, shifted, + c.",
        [GUARD, SUM_SHIFT_37, X_48, RESULT_CC47, FIRST_NEG51_HALF35, SECOND_REGISTER_NEG50_HALF33, THIRD_REGISTER_NEG49_HALF31] { "R" top(0xfff0, 0x5cc0); }
    "IADD3" Iadd3, "{guard}IADD3{x} {d}, {a}, {b}, {c}", "a + b, shifted, + c.",
        [GUARD, X_48, RESULT_CC47, FIRST_NEG51, SECOND, THIRD_REGISTER_NEG49] {
            "C" top(0xfff0, 0x4cc0), SECOND = SECOND_CONSTANT_NEG50;
            "I" top(0xfef0, 0x38c0), SECOND = SECOND_UINT20_NEG50;
        }
    "ISCADD" Iscadd, "{guard}ISCADD{po} {d}, {a}, {b}, {shift}", "a shifted left, + b.",
        [GUARD, PLUS_ONE_48, RESULT_CC47, FIRST_NEGATED, SECOND, SHIFT_39] {
            "R" top(0xfff8, 0x5c18), SECOND = SECOND_REGISTER_NEGATED;
            "C" top(0xfff8, 0x4c18), SECOND = SECOND_CONSTANT_NEGATED;
            "I" top(0xfef8, 0x3818), SECOND = SECOND_INT20_NEGATED;
        }
    "ISCADD32I" Iscadd, "{guard}ISCADD32I {d}, {a}, {b}, {shift}", "a shifted left, + b, b a literal.",
        [GUARD, RESULT_CC52, FIRST, SECOND_INT32, SHIFT_53] { "" top(0xfc00, 0x1400); }
    "LEA" Lea, "{guard}LEA.HI{x} {d}, {a}, {b}, {c}{shift}", "The high word of the pair c, a shifted left, + b.",
        [GUARD, X_38, PREDICATE_AND_RESULT_CC47, FIRST_NEG37, SECOND_REGISTER, THIRD_REGISTER, SHIFT_28] { "R.HI" top(0xfff8, 0x5bd8); }
    "LEA" Lea, "{guard}LEA.HI{x} {d}, {a}, {b}, {c}{shift}", "The high word of the pair c, a shifted left, + b.",
        [GUARD, X_57, PREDICATE_AND_RESULT_CC47, FIRST_NEG56, SECOND_CONSTANT, THIRD_REGISTER, SHIFT_51] { "C.HI" top(0xfc00, 0x1800) [Assumed "section 5"]; }
    "LEA" Lea, "{guard}LEA{x} {d}, {a}, {b}{shift}", "a shifted left, + b.",
        [GUARD, X_46, PREDICATE_AND_RESULT_CC47, FIRST_NEG45, SECOND, SHIFT_39_OPTIONAL] {
            "R" top(0xfff8, 0x5bd0), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4bd0), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x36d0), SECOND = SECOND_INT20;
        }
    "IMNMX" Imnmx, "{guard}IMNMX{signed}{extend} {d}, {a}, {b}, {pc}", "The lesser of a and b where the predicate is true, else the greater.",
        [GUARD, UNSIGNED_48, EXTEND_43, RESULT_CC47, FIRST, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5c20), SECOND = SECOND_REGISTER;
            "C" top(0xfff8, 0x4c20), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3820), SECOND = SECOND_INT20;
        }
    "IMUL" Imul, "{guard}IMUL{signed}{hi} {d}, {a}, {b}", "a * b, the low or the high word.",
        [GUARD, SIGNS_40, HI_39, RESULT_CC47, FIRST_ONCE, SECOND] {
            "R" top(0xfff8, 0x5c38), SECOND = SECOND_REGISTER_ONCE;
            "C" top(0xfff8, 0x4c38), SECOND = SECOND_CONSTANT;
            "I" top(0xfef8, 0x3838), SECOND = SECOND_INT20;
        }
    "IMUL32I" Imul, "{guard}IMUL32I{signed}{hi} {d}, {a}, {b}", "a * b, the low or the high word, b a literal.",
        [GUARD, SIGNS_54, HI_53, RESULT_CC52, FIRST_ONCE, SECOND_INT32] { "" top(0xff00, 0x1f00); }
    "IMAD" Imad, "{guard}IMAD{signed}{hi}{po}{sat}{x} {d}, {a}, {b}, {c}", "a * b + c, of the low or the high word of the product.",
        [GUARD, SIGNS_48, HI_54, PLUS_ONE_51, SAT_50, X_49, RESULT_CC47, FIRST_PRODUCT, SECOND, THIRD] {
            "R" top(0xff80, 0x5a00), SECOND = SECOND_REGISTER_ONCE, THIRD = THIRD_REGISTER_ADDEND;
            "RC" top(0xff80, 0x5200), SECOND = SECOND_AT_THIRD_ONCE, THIRD = THIRD_CONSTANT_ADDEND;
            "CR" top(0xff80, 0x4a00), SECOND = SECOND_CONSTANT, THIRD = THIRD_REGISTER_ADDEND;
            "I" top(0xfe80, 0x3400), SECOND = SECOND_INT20, THIRD = THIRD_REGISTER_ADDEND;
        }
    "IDP" Dot4, "{guard}IDP.4A{types} {d}, {a}, {b}, {c}", "The products of four bytes each of a and b, and c, added.",
        [GUARD, DOT_TYPES_OF_BYTES, RESULT, FIRST, SECOND, THIRD_REGISTER] {
            "4A.R" top(0xfffd, 0x53f8), SECOND = SECOND_REGISTER;
            "4A.C" top(0xfffd, 0x53d8), SECOND = SECOND_CONSTANT;
        }
    "IDP" Dot2, "{guard}IDP.2A{half}{types} {d}, {a}, {b}, {c}", "The products of the halves of a and two bytes of b, and c, added.",
        [GUARD, DOT_HALF_50, DOT_TYPES_OF_HALVES, RESULT, FIRST, SECOND, THIRD_REGISTER] {
            "2A.R" top(0xfff9, 0x53f9), SECOND = SECOND_REGISTER;
            "2A.C" top(0xfff9, 0x53d9), SECOND = SECOND_CONSTANT;
        }
    "XMAD" Xmad, "{guard}XMAD{signed}{psl}{mode}{mrg}{x} {d}, {a}, {b}, {c}", "The product of two halves of a and b, shifted, + c, merged.",
        [GUARD, HALF_SIGNS_48, PSL_36, ADDEND_MODE_50, MRG_37, X_38, RESULT_CC47, FIRST_HALF53, SECOND_REGISTER_HALF35, THIRD_REGISTER] { "R" top(0xffc0, 0x5b00); }
    "XMAD" Xmad, "{guard}XMAD{signed}{mode}{x} {d}, {a}, {b}, {c}", "The product of two halves of a and b, shifted, + c, merged.",
        [GUARD, HALF_SIGNS_48, ADDEND_MODE_50_SHORT, X_54, RESULT_CC47, FIRST_HALF53, SECOND_AT_THIRD_HALF52, THIRD_CONSTANT] { "RC" top(0xff80, 0x5100); }
    "XMAD" Xmad, "{guard}XMAD{signed}{psl}{mode}{mrg}{x} {d}, {a}, {b}, {c}", "The product of two halves of a and b, shifted, + c, merged.",
        [GUARD, HALF_SIGNS_48, PSL_55, ADDEND_MODE_50_SHORT, MRG_56, X_54, RESULT_CC47, FIRST_HALF53, SECOND_CONSTANT_APART_HALF52, THIRD_REGISTER] { "CR" top(0xfe00, 0x4e00); }
    "XMAD" Xmad, "{guard}XMAD{signed}{psl}{mode}{mrg}{x} {d}, {a}, {b}, {c}", "The product of two halves of a and b, shifted, + c, merged.",
        [GUARD, HALF_SIGNS_48, PSL_36, ADDEND_MODE_50, MRG_37, X_38, RESULT_CC47, FIRST_HALF53, SECOND_INT16, THIRD_REGISTER] { "I" top(0xfec0, 0x3600); }
}
