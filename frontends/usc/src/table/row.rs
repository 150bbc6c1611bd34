//! How rows are written.

use crate::isa::{Kind, Usc};
use parallax_isa::{Operand, Table};

/// An operand of a row.
pub(crate) const fn operand(name: &'static str, syntax: &'static parallax_isa::Syntax) -> Operand<Kind> {
    Operand { name, kind: Kind(syntax) }
}

/// A table: rows of 8 to 72 bits, and of 128 where operations have no encoding.
pub(super) const fn table(
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
            operands: &[$($crate::table::row::operand(stringify!($operand), &$crate::syntax::$syntax)),*],
            text: $text,
            doc: $doc,
            source: $source,
            confidence: parallax_isa::Confidence::$confidence,
            meaning: $meaning,
        }),*]
    };
}
pub(super) use rows;

/// Why operations are not lifted.
pub(super) mod why {
    pub(crate) const MEMORY: &str = "memory access is not done";
    pub(crate) const TASKS: &str = "it talks to other programs of the machine";
    pub(crate) const F64: &str = "the document gives a formula and no operands";
    pub(crate) const LIBRARY: &str = "calls through addresses are not done";
}
