//! Exchange between lanes.

use crate::operand::*;

rows! {
    "SHFL" Shfl, "{guard}SHFL{mode} {pd}, {d}, {a}, {b}, {c}", "a of another lane.",
        [GUARD, SHUFFLE_30, PREDICATE_RESULT_48, RESULT, FIRST_ONCE, SECOND, THIRD] {
            "RR" word(0xfff8000030000000, 0xef10000000000000), SECOND = SECOND_REGISTER_ONCE, THIRD = THIRD_REGISTER_ONCE;
            "IR" word(0xfff8000030000000, 0xef10000010000000), SECOND = SECOND_LANE_20, THIRD = THIRD_REGISTER_ONCE;
            "RI" word(0xfff8000030000000, 0xef10000020000000), SECOND = SECOND_REGISTER_ONCE, THIRD = THIRD_SEGMENT_34;
            "II" word(0xfff8000030000000, 0xef10000030000000), SECOND = SECOND_LANE_20, THIRD = THIRD_SEGMENT_34;
        }
    "VOTE" Vote, "{guard}VOTE{mode} {d}{pd}, {pc}", "Whether a predicate holds in all or any lanes, and in which.",
        [GUARD, VOTE_48, VOTE_RESULT, PREDICATE_RESULT_45, LAST_PREDICATE_39] { "" top(0xfff8, 0x50d8); }
}
