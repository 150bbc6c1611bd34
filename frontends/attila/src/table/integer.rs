//! Arithmetic on signed 32-bit integers.

use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;
use parallax_num::Op;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(two     "addi", "0000 0010", Int2(Op::Iadd), "ADDI", "a + b, wrapping."),
    row!(two_int "addi", "0000 0010", Int2(Op::Iadd), "ADDI", "a + b, wrapping, b a literal."),
    row!(two     "muli", "0001 1000", Int2(Op::Imul), "MULI", "a * b, wrapping."),
    row!(two_int "muli", "0001 1000", Int2(Op::Imul), "MULI", "a * b, wrapping, b a literal."),
];
