//! Float arithmetic.

use crate::operand::*;

rows! {
    "FADD" Fadd, "{guard}FADD{ftz}{rnd}{sat} {d}, {a}, {b}", "a + b.",
        [GUARD, FTZ_44, ROUND_39, SAT_50, RESULT_CC47, FIRST_NEG48_ABS46, SECOND] {
            "R" top(0xfff8, 0x5c58), SECOND = SECOND_REGISTER_NEG45_ABS49_FADD;
            "C" top(0xfff8, 0x4c58), SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3858), SECOND = SECOND_FLOAT20_NEG45_ABS49;
        }
    "FADD32I" Fadd, "{guard}FADD32I{ftz} {d}, {a}, {b}", "a + b, b a literal.",
        [GUARD, FTZ_55, RESULT_CC52, FIRST_NEG56_ABS54, SECOND_FLOAT32_NEG53_ABS57] { "" top(0xfc00, 0x0800); }
    "FMUL" Fmul, "{guard}FMUL{fmz}{scale}{rnd}{sat} {d}, {a}, {b}", "a * b, scaled by a power of two.",
        [GUARD, FMZ_44, SCALE_41, ROUND_39, SAT_50, RESULT_CC47, FIRST, SECOND] {
            "R" top(0xfff8, 0x5c68), SECOND = SECOND_REGISTER_NEG48;
            "C" top(0xfff8, 0x4c68), SECOND = SECOND_CONSTANT_NEG48;
            "I" top(0xfef8, 0x3868), SECOND = SECOND_FLOAT20_NEG48;
        }
    "FMUL32I" Fmul, "{guard}FMUL32I{fmz}{sat} {d}, {a}, {b}", "a * b, b a literal.",
        [GUARD, FMZ_53, SAT_55, RESULT_CC52, FIRST, SECOND_FLOAT32] { "" top(0xff00, 0x1e00); }
    "FFMA" Ffma, "{guard}FFMA{fmz}{rnd}{sat} {d}, {a}, {b}, {c}", "a * b + c, rounded once.",
        [GUARD, FMZ_53, ROUND_51, SAT_50, RESULT_CC47, FIRST, SECOND, THIRD] {
            "R" top(0xff80, 0x5980), SECOND = SECOND_REGISTER_NEG48, THIRD = THIRD_REGISTER_NEG49;
            "RC" top(0xff80, 0x5180), SECOND = SECOND_AT_THIRD_NEG48, THIRD = THIRD_CONSTANT_NEG49;
            "CR" top(0xff80, 0x4980), SECOND = SECOND_CONSTANT_NEG48, THIRD = THIRD_REGISTER_NEG49;
            "I" top(0xfe80, 0x3280), SECOND = SECOND_FLOAT20_NEG48, THIRD = THIRD_REGISTER_NEG49;
        }
    "FFMA32I" Ffma, "{guard}FFMA32I{fmz}{sat} {d}, {a}, {b}, {c}", "a * b + d, b a literal.",
        [GUARD, FMZ_53, SAT_55, RESULT_CC52, FIRST_NEG56, SECOND_FLOAT32, THIRD_IN_RESULT_NEG57] { "" top(0xfc00, 0x0c00); }
    "FMNMX" Fmnmx, "{guard}FMNMX{ftz} {d}, {a}, {b}, {pc}", "The lesser of a and b where the predicate is true, else the greater.",
        [GUARD, FTZ_44, RESULT_CC47, FIRST_NEG48_ABS46, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5c60), SECOND = SECOND_REGISTER_NEG45_ABS49;
            "C" top(0xfff8, 0x4c60), SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3860), SECOND = SECOND_FLOAT20_NEG45_ABS49;
        }
    "MUFU" Mufu, "{guard}MUFU{function}{sat} {d}, {a}", "A function of the special function unit.",
        [GUARD, FUNCTION_20, SAT_50, RESULT, FIRST_NEG48_ABS46_ONCE] { "" top(0xfff8, 0x5080); }
    "RRO" Rro, "{guard}RRO{range} {d}, {b}", "b, prepared for MUFU.",
        [GUARD, RANGE_39, RESULT, SECOND] {
            "R" top(0xfff8, 0x5c90), SECOND = SECOND_REGISTER_NEG45_ABS49;
            "C" top(0xfff8, 0x4c90), SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3890), SECOND = SECOND_FLOAT20_NEG45_ABS49;
        }
    "FCHK" Fchk, "{guard}FCHK{mode} {pd}, {a}, {b}", "Whether a division needs the slow path.",
        [GUARD, CHECK_39, PREDICATE_RESULT_3, FIRST_NEG48_ABS46, SECOND] {
            "R" top(0xfff8, 0x5c88) [Assumed "section 5"], SECOND = SECOND_REGISTER_NEG45_ABS49;
            "C" top(0xfff8, 0x4c88) [Assumed "section 5"], SECOND = SECOND_CONSTANT_NEG45_ABS49;
            "I" top(0xfef8, 0x3888) [Assumed "section 5"], SECOND = SECOND_FLOAT20_NEG45_ABS49;
        }
    "FSWZADD" Fswzadd, "{guard}FSWZADD{ftz}{rnd}{ndv} {d}, {a}, {b}, {selector}", "a and b added with signs that differ from lane to lane of the quad.",
        [GUARD, FTZ_44, ROUND_39, NDV_38, RESULT_CC47, FIRST, SECOND_REGISTER_SWIZZLED, SWIZZLE_28] { "" top(0xfff8, 0x50f8); }
}
