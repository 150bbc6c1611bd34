//! The fixed-point accumulator.

use super::row::observed;
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(two       "fxmul", "0011 0001", FixedMul, "FXMUL", "Accumulator = a * b in 16.F fixed point."),
    row!(two_float "fxmul", "0011 0001", FixedMul, "FXMUL", "Accumulator = a * b, b a literal."),
    observed(row!(three "fxmad", "0011 0010", FixedMad, "FXMAD",
        "a * b + accumulator, as a float; the third source is encoded but not used.")),
    observed(row!(three "fxmad2", "0011 0011", FixedMadTo, "FXMAD2", "Accumulator = a * b + c in 16.F fixed point.")),
];
