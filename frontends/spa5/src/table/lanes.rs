//! Exchange between lanes.

use super::{top, word};
use crate::operand::*;
use crate::{Op, Spa5};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) static ROWS: &[Row<Spa5>] = &[
    row!("SHFL" "RR", word(0xfff8000030000000, 0xef10000000000000), Op::Shfl, Observed, "section 5",
        "{guard}SHFL{mode} {pd}, {d}, {a}, {b}, {c}{control}",
        [GUARD, SHUFFLE_30, PD_48, D, A, B, C, CONTROL_NONE],
        "a of another lane."),
    row!("SHFL" "IR", word(0xfff8000030000000, 0xef10000010000000), Op::Shfl, Observed, "section 5",
        "{guard}SHFL{mode} {pd}, {d}, {a}, {b}, {c}{control}",
        [GUARD, SHUFFLE_30, PD_48, D, A, LANE_20, C, CONTROL_NONE],
        "a of another lane."),
    row!("SHFL" "RI", word(0xfff8000030000000, 0xef10000020000000), Op::Shfl, Observed, "section 5",
        "{guard}SHFL{mode} {pd}, {d}, {a}, {b}, {c}{control}",
        [GUARD, SHUFFLE_30, PD_48, D, A, B, SEGMENT_34, CONTROL_NONE],
        "a of another lane."),
    row!("SHFL" "II", word(0xfff8000030000000, 0xef10000030000000), Op::Shfl, Observed, "section 5",
        "{guard}SHFL{mode} {pd}, {d}, {a}, {b}, {c}{control}",
        [GUARD, SHUFFLE_30, PD_48, D, A, LANE_20, SEGMENT_34, CONTROL_NONE],
        "a of another lane."),
    row!("VOTE" "", top(0xfff8, 0x50d8), Op::Vote, Observed, "section 5",
        "{guard}VOTE{mode} {d}{pd}, {pc}{control}",
        [GUARD, VOTE_48, VOTE_D, PD_45, PC_39, CONTROL_NONE],
        "Whether a predicate holds in all or any lanes, and in which."),
];
