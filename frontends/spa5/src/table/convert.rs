//! Conversions between formats.

use crate::operand::*;

rows! {
    "F2F" F2f, "{guard}F2F{ftz}{types}{rnd}{sat} {d}, {b}", "b in another float format, or rounded to an integral value.",
        [GUARD, FTZ_44, FLOAT_TYPES_8, FLOAT_ROUND, SAT_50, RESULT_CC47, SECOND] {
            "R" top(0xfff8, 0x5ca8), SECOND = SECOND_REGISTER_NEG45_ABS49_HALF_OF_HALF41_ONCE;
            "C" top(0xfff8, 0x4ca8), SECOND = SECOND_CONSTANT_NEG45_ABS49_HALF41;
            "I" top(0xfef8, 0x38a8), SECOND = SECOND_FLOAT20_NEG45_ABS49_HALF_OF_HALF41;
        }
    "F2I" F2i, "{guard}F2I{ftz}{to}{from}{rnd} {d}, {b}", "b rounded to an integer.",
        [GUARD, FTZ_44, INT_TO_8, FLOAT_FROM_10, INT_ROUND_39, RESULT_CC47, SECOND] {
            "R" top(0xfff8, 0x5cb0), SECOND = SECOND_REGISTER_NEG45_ABS49_HALF41_ONCE;
            "C" top(0xfff8, 0x4cb0), SECOND = SECOND_CONSTANT_NEG45_APART_ABS49_HALF41;
            "I" top(0xfef8, 0x38b0), SECOND = SECOND_FLOAT20_NEG45_ABS49_HALF41;
        }
    "I2F" I2f, "{guard}I2F{to}{from}{rnd} {d}, {b}", "The integer b as a float.",
        [GUARD, FLOAT_TO_8, INT_FROM_10, ROUND_39, RESULT_CC47, SECOND] {
            "R" top(0xfff8, 0x5cb8), SECOND = SECOND_REGISTER_NEG45_ABS49_PART41_ONCE;
            "C" top(0xfff8, 0x4cb8), SECOND = SECOND_CONSTANT_NEG45_APART_ABS49_PART41;
            "I" top(0xfef8, 0x38b8), SECOND = SECOND_INT20_NEG45_ABS49_PART41;
        }
    "I2I" I2i, "{guard}I2I{to}{from}{sat} {d}, {b}", "The integer b, or a part of it, clamped to another format.",
        [GUARD, INT_TO_8_I2I, INT_FROM_10_I2I, SAT_50, RESULT_CC47, SECOND] {
            "R" top(0xfff8, 0x5ce0), SECOND = SECOND_REGISTER_NEG45_ABS49_PART41_ONCE;
            "C" top(0xfff8, 0x4ce0), SECOND = SECOND_CONSTANT_NEG45_APART_ABS49_PART41;
            "I" top(0xfef8, 0x38e0), SECOND = SECOND_INT20_NEG45_ABS49_PART41;
        }
}
