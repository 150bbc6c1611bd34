//! The rows, by family.

#[macro_use]
mod row;
// The families see the macros because they are declared behind them.
mod address;
mod arith;
mod compare;
mod control;
mod fixed;
mod integer;
mod pixel;
mod reserved;
mod texture;
mod vector;

use crate::isa::Attila;
use parallax_isa::{Family, Table};

/// All rows.
pub static TABLE: Table<Attila> = Table {
    name: "attila",
    title: "ATTILA shader instructions",
    widths: &[128],
    about: "\
Instructions are 128 bits: two 64-bit words, little-endian, here numbered 0 to 127 from the lowest bit of the first. \
Sources are read as: register, swizzle, absolute value, negate. A *scalar* source takes one component, the one its \
swizzle names for w; so an unswizzled scalar source reads w. Results are clamped to [0, 1] by `_sat`, then masked, then \
written where the guard predicate holds. The second source of an instruction with exactly two may be a literal. With \
a relative address, `address register + offset + register number` counts for every constant of the instruction. In \
patterns, `o` and `i` are bits the decoder ignores and the encoder writes as 0 and 1.",
    families: &[
        Family { title: "Float arithmetic", rows: arith::ROWS },
        Family { title: "Vectors", rows: vector::ROWS },
        Family { title: "Comparisons and predicates", rows: compare::ROWS },
        Family { title: "Integers", rows: integer::ROWS },
        Family { title: "Address registers", rows: address::ROWS },
        Family { title: "Textures and attributes", rows: texture::ROWS },
        Family { title: "Pixels and samples", rows: pixel::ROWS },
        Family { title: "Fixed point", rows: fixed::ROWS },
        Family { title: "Control", rows: control::ROWS },
        Family { title: "Reserved", rows: reserved::ROWS },
    ],
};
