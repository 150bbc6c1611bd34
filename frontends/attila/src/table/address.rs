//! Address registers.

use super::row::observed;
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;

pub(super) const ROWS: &[Row<Attila>] = &[observed(row!(one "arl", "0000 0011", Arl, "ARL",
    "floor(a) as an integer, 0x80000000 where it does not fit; by default all four components are written."))];
