//! The rows, one table for each kind of part.

mod backend;
pub(crate) mod bitwise;
pub(crate) mod control;
mod early;
pub(crate) mod late;
mod map;
mod output;
mod row;
pub(crate) mod sum;

pub(crate) use backend::BACKEND;
pub(crate) use bitwise::{COUNT, LOGICAL, MASK, SHIFT1, SHIFT2, TEST};
pub(crate) use control::CONTROL;
pub(crate) use early::{EARLY, NARROW};
pub(crate) use late::LATE;
pub(crate) use map::{BOTH, EXTENSION, FIRST, HEADER, LOWER, SECOND, SELECTORS, UPPER};
pub(crate) use output::{BITWISE_OUTPUTS, OUTPUT_0, OUTPUT_1};

use crate::isa::Usc;
use parallax_isa::Table;

/// All tables, for the reference page.
pub static TABLES: [&Table<Usc>; 20] = [
    &EARLY,
    &NARROW,
    &LATE,
    &BACKEND,
    &MASK,
    &SHIFT1,
    &COUNT,
    &LOGICAL,
    &SHIFT2,
    &TEST,
    &CONTROL,
    &OUTPUT_0,
    &OUTPUT_1,
    &BITWISE_OUTPUTS,
    &HEADER,
    &EXTENSION,
    &LOWER,
    &UPPER,
    &SELECTORS,
    &BOTH,
];
