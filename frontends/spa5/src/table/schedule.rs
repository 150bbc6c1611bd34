//! Instructions that only concern scheduling.

use super::{top, word};
use crate::operand::*;
use crate::{Op, Spa5};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) static ROWS: &[Row<Spa5>] = &[
    row!("NOP" "", top(0xfff8, 0x50b0), Op::Nop, Observed, "section 5",
        "{guard}NOP{trigger}{test}{control}",
        [GUARD, TRIG_13, NOP_OPERANDS, CONTROL_NONE],
        "Nothing."),
    row!("DEPBAR" ".LE", word(0xfff8000020000000, 0xf0f0000020000000), Op::Depbar, Observed, "section 5",
        "{guard}DEPBAR.LE {barrier}, {count}{set}{control}",
        [GUARD, SCOREBOARD_26, COUNT_20, BARRIERS_0, CONTROL_NONE],
        "Waits for barriers; no effect on results."),
    row!("DEPBAR" "", word(0xfff8000020000000, 0xf0f0000000000000), Op::Depbar, Assumed, "section 5",
        "{guard}DEPBAR{set}{control}",
        [GUARD, BARRIERS_0_ALONE, CONTROL_NONE],
        "Waits for barriers; no effect on results."),
];
