//! Control.

use super::row::{also, observed};
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(bare "nop", "0000 0000", Nop, "NOP", "Nothing."),
    observed(row!(bare "end", "0011 0111", End, "END", "Ends the program, as the end flag of any instruction does.")),
    also(observed(row!(jump "jmp", "0011 0110", Jump, "JMP",
        "Goes on at its own number plus the distance if the condition holds in all four pixels of the 2x2 block.")),
        &["jump"]),
];
