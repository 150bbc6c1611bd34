//! Operation codes that are named and refused.

use crate::isa::Attila;
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(refused "flr", "0000 1110", "floor is listed but not implemented; use frc and add", "FLR", "Floor."),
    row!(refused "op05", "0000 0101", "operation code 05 is reserved", "opcode table", "Reserved."),
    row!(refused "op06", "0000 0110", "operation code 06 is reserved", "opcode table", "Reserved."),
    row!(refused "op1a", "0001 1010", "operation code 1a is reserved", "opcode table", "Reserved."),
];
