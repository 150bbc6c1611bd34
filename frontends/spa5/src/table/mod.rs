//! The rows, by family.

#[macro_use]
mod row;
// The families see the macros because they are declared behind them.
mod bits;
mod compare;
mod convert;
mod double;
mod float;
mod flow;
mod half;
mod integer;
mod lanes;
mod memory;
mod moves;
mod pixel;
mod schedule;
mod stage;
mod surface;
mod texture;
mod video;

use crate::{isa::Spa5, op::Op};
use parallax_isa::{Family, Row, Table};

/// All rows.
pub static TABLE: Table<Spa5> = Table {
    name: "spa5",
    title: "SPA 5.0 instructions",
    widths: &[64],
    about: "\
Instructions are little-endian words of 64 bits. Three of them and the control word in front of them are a bundle of 32 \
bytes. Register 255 is RZ, predicate 7 is PT. Forms are named by the operands that are no register: C a constant, I a \
literal; in form RC the constant is the last operand, in form CR the one before it. In patterns, `o` are bits the \
decoder ignores and the encoder writes as 0.",
    families: &[
        Family { title: "Float arithmetic", rows: float::ROWS },
        Family { title: "Arithmetic on doubles", rows: double::ROWS },
        Family { title: "Arithmetic on pairs of halves", rows: half::ROWS },
        Family { title: "Comparisons", rows: compare::ROWS },
        Family { title: "Conversions", rows: convert::ROWS },
        Family { title: "Integer arithmetic", rows: integer::ROWS },
        Family { title: "Shifts and bits", rows: bits::ROWS },
        Family { title: "Moves and selection", rows: moves::ROWS },
        Family { title: "Inputs and pixels", rows: pixel::ROWS },
        Family { title: "Vertices and primitives", rows: stage::ROWS },
        Family { title: "Textures", rows: texture::ROWS },
        Family { title: "Memory", rows: memory::ROWS },
        Family { title: "Surfaces", rows: surface::ROWS },
        Family { title: "Video instructions", rows: video::ROWS },
        Family { title: "Lanes", rows: lanes::ROWS },
        Family { title: "Control flow", rows: flow::ROWS },
        Family { title: "Scheduling and barriers", rows: schedule::ROWS },
    ],
};

/// What a row does, if it is lifted.
pub(crate) const fn op(row: &Row<Spa5>) -> Option<Op> {
    row.meaning.lifted()
}
