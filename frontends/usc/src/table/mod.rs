//! The rows, one table for each kind of part.

mod backend;
mod bitwise;
mod control;
mod early;
mod late;
mod map;
mod output;

pub(crate) use backend::BACKEND;
pub(crate) use bitwise::{COUNT, LOGICAL, MASK, SHIFT1, SHIFT2, TEST};
pub(crate) use control::CONTROL;
pub(crate) use early::{EARLY, NARROW};
pub(crate) use late::LATE;
pub(crate) use map::{BOTH, EXTENSION, FIRST, HEADER, LOWER, SECOND, SELECTORS, UPPER};
pub(crate) use output::{BITWISE_OUTPUTS, OUTPUT0, OUTPUT1};

use crate::{Kind, Usc};
use parallax_isa::{Operand, Table};

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
    &OUTPUT0,
    &OUTPUT1,
    &BITWISE_OUTPUTS,
    &HEADER,
    &EXTENSION,
    &LOWER,
    &UPPER,
    &SELECTORS,
    &BOTH,
];

/// An operand of a row.
const fn operand(name: &'static str, syntax: &'static parallax_isa::Syntax) -> Operand<Kind> {
    Operand { name, kind: Kind(syntax) }
}

/// A table: rows of 8 to 72 bits, and of 128 where operations have no encoding.
const fn table(
    name: &'static str,
    title: &'static str,
    about: &'static str,
    families: &'static [parallax_isa::Family<Usc>],
) -> Table<Usc> {
    Table { name, title, about, widths: &[8, 16, 24, 32, 40, 48, 56, 64, 72, 128], families }
}

/// Declares rows: mnemonic and its aliases, form, pattern, operands, text, meaning, sentence.
macro_rules! rows {
    ($source:literal, $confidence:ident;
     $($name:literal $(= $alias:literal)*, $form:literal, $pattern:expr, [$($operand:ident: $syntax:ident),*], $text:expr,
       $meaning:expr, $doc:expr;)*) => {
        &[$(parallax_isa::Row {
            name: $name,
            aliases: &[$($alias),*],
            form: $form,
            pattern: parallax_isa::Pattern::new($pattern),
            operands: &[$($crate::table::operand(stringify!($operand), &$crate::syntax::$syntax)),*],
            text: $text,
            doc: $doc,
            source: $source,
            confidence: parallax_isa::Confidence::$confidence,
            meaning: $meaning,
        }),*]
    };
}
use rows;

/// Why operations are not lifted.
mod why {
    pub(super) const MEMORY: &str = "memory access is not done";
    pub(super) const TASKS: &str = "it talks to other programs of the machine";
    pub(super) const F64: &str = "the document gives a formula and no operands";
    pub(super) const LIBRARY: &str = "calls through addresses are not done";
}
