//! Arithmetic and comparisons of pairs of binary16 numbers, from sm_52 on.

use crate::operand::*;

rows! {
    "HADD2" Hadd2, "{guard}HADD2{merge}{ftz}{sat} {d}, {a}, {b}", "a + b of both halves.",
        [GUARD, MERGE_49, FTZ_39, SAT, RESULT, HALVES_FIRST_NEG43_ABS44, SECOND] {
            "R" top(0xfff8, 0x5d10), SAT = SAT_32, SECOND = HALVES_SECOND_NEG31_ABS30_LAST;
            "C" top(0xfe80, 0x7a80), SAT = SAT_52, SECOND = SECOND_CONSTANT_NEG56_ABS54;
            "I" top(0xfe80, 0x7a00), SAT = SAT_52, SECOND = SECOND_HALVES20;
        }
    "HADD2_32I" Hadd2, "{guard}HADD2_32I{ftz}{sat} {d}, {a}, {b}", "a + b of both halves, b literals.",
        [GUARD, FTZ_55, SAT_52, RESULT, HALVES_FIRST_NEG56_PARTS53, SECOND_HALVES32] { "" top(0xfe00, 0x2c00); }
    "HMUL2" Hmul2, "{guard}HMUL2{merge}{fmz}{sat} {d}, {a}, {b}", "a * b of both halves.",
        [GUARD, MERGE_49, HALF_FMZ_39, SAT, RESULT, FIRST, SECOND] {
            "R" top(0xfff8, 0x5d08), SAT = SAT_32, FIRST = HALVES_FIRST_ABS44, SECOND = HALVES_SECOND_NEG31_ABS30;
            "C" top(0xfe80, 0x7880), SAT = SAT_52, FIRST = HALVES_FIRST_ABS44, SECOND = SECOND_CONSTANT_NEG43_ABS54;
            "I" top(0xfe80, 0x7800), SAT = SAT_52, FIRST = HALVES_FIRST_NEG43_ABS44, SECOND = SECOND_HALVES20;
        }
    "HMUL2_32I" Hmul2, "{guard}HMUL2_32I{fmz}{sat} {d}, {a}, {b}", "a * b of both halves, b literals.",
        [GUARD, HALF_FMZ_55, SAT_52, RESULT, HALVES_FIRST_PARTS53, SECOND_HALVES32] { "" top(0xfe00, 0x2a00); }
    "HFMA2" Hfma2, "{guard}HFMA2{merge}{fmz}{sat} {d}, {a}, {b}, {c}", "a * b + c of both halves, rounded once.",
        [GUARD, MERGE_49, FMZ, SAT, RESULT, HALVES_FIRST, SECOND, THIRD] {
            "R" top(0xfff8, 0x5d00), FMZ = HALF_FMZ_37, SAT = SAT_32, SECOND = HALVES_SECOND_NEG31, THIRD = HALVES_THIRD_NEG30_PARTS35;
            "RC" top(0xf880, 0x6080), FMZ = FMZ_57, SAT = SAT_52, SECOND = HALVES_SECOND_AT_THIRD_NEG56, THIRD = THIRD_CONSTANT_NEG51;
            "CR" top(0xf880, 0x7080), FMZ = HALF_FMZ_57, SAT = SAT_52, SECOND = SECOND_CONSTANT_NEG56, THIRD = HALVES_THIRD_NEG51_PARTS53;
            "I" top(0xf880, 0x7000), FMZ = HALF_FMZ_57, SAT = SAT_52, SECOND = SECOND_HALVES20, THIRD = HALVES_THIRD_NEG51_PARTS53;
        }
    "HFMA2_32I" Hfma2, "{guard}HFMA2_32I{fmz} {d}, {a}, {b}, {c}", "a * b + d of both halves, b literals.",
        [GUARD, FMZ_55, RESULT, HALVES_FIRST_PARTS53, SECOND_HALVES32, THIRD_IN_RESULT_NEG52] { "" top(0xfe00, 0x2800); }
    "HSET2" Hset2, "{guard}HSET2{bf}{cmp}{ftz}{bop} {d}, {a}, {b}, {pc}", "Whether the halves of a compare so with those of b, combined with a predicate, as halves.",
        [GUARD, BF, COMPARE, FTZ, HALVES_BOP_45, RESULT, HALVES_FIRST_NEG43_ABS44, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5d18), BF = BF_49, COMPARE = FLOAT_COMPARE_35, FTZ = FTZ_50, SECOND = HALVES_SECOND_NEG31_ABS30;
            "C" top(0xfe80, 0x7c80), BF = BF_53, COMPARE = FLOAT_COMPARE_49, FTZ = FTZ_54, SECOND = SECOND_CONSTANT_NEG56;
            "I" top(0xfe80, 0x7c00), BF = BF_53, COMPARE = FLOAT_COMPARE_49, FTZ = FTZ_54, SECOND = SECOND_HALVES20;
        }
    "HSETP2" Hsetp2, "{guard}HSETP2{cmp}{h_and}{ftz}{bop} {pd}, {pd2}, {a}, {b}, {pc}", "Whether the halves of a compare so with those of b, combined with a predicate.",
        [GUARD, COMPARE, AND, FTZ_6, BOP_45, PREDICATE_RESULT_3, OPPOSITE_RESULT_0, HALVES_FIRST_NEG43_ABS44, SECOND, LAST_PREDICATE_39] {
            "R" top(0xfff8, 0x5d20), COMPARE = FLOAT_COMPARE_35, AND = H_AND_49, SECOND = HALVES_SECOND_NEG31_ABS30;
            "C" top(0xfe80, 0x7e80), COMPARE = FLOAT_COMPARE_49, AND = H_AND_53, SECOND = SECOND_CONSTANT_NEG56_ABS54;
            "I" top(0xfe80, 0x7e00), COMPARE = FLOAT_COMPARE_49, AND = H_AND_53, SECOND = SECOND_HALVES20;
        }
}
