//! How rows are written.

use crate::isa::{Kind, Usc};
use parallax_isa::{Operand, Table};

/// An operand of a row.
pub(super) const fn operand(name: &'static str, syntax: &'static parallax_isa::Syntax) -> Operand<Kind> {
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

/// The mnemonic of an instruction, and its aliases: `"fadd"`, or `("fmul" "mul")`.
macro_rules! mnemonic {
    (($name:literal $($alias:literal)*)) => {
        ($name, &[$($alias),*])
    };
    ($name:literal) => {
        ($name, &[])
    };
}

/// One row, of an encoding: its operands are those of the instruction and its own.
macro_rules! row {
    ($source:literal, $confidence:ident, $names:tt, $meaning:expr, $text:expr, $doc:expr,
     [$($shared:ident: $shared_syntax:ident),*], [$([$($own:ident: $own_syntax:ident),*])?], $form:expr, $pattern:expr) => {{
        const NAMES: (&str, &[&str]) = $crate::table::row::mnemonic!($names);
        parallax_isa::Row {
            name: NAMES.0,
            aliases: NAMES.1,
            form: $form,
            pattern: parallax_isa::Pattern::new($pattern),
            operands: &[
                $($crate::table::row::operand(stringify!($shared), &$shared_syntax),)*
                $($($crate::table::row::operand(stringify!($own), &$own_syntax),)*)?
            ],
            text: $text,
            doc: $doc,
            source: $source,
            confidence: parallax_isa::Confidence::$confidence,
            meaning: $meaning,
        }
    }};
}

/// Declares the rows of a family, by instruction: mnemonic, meaning, text, sentence, operands; then its encodings: form,
/// pattern, the operands that differ from one to the other.
macro_rules! rows {
    ($source:literal, $confidence:ident;
     $($names:tt, $meaning:expr, $text:expr, $doc:expr, $shared:tt { $($form:literal $pattern:expr $(, $own:tt)?;)+ })*) => {
        &[$($(
            $crate::table::row::row!($source, $confidence, $names, $meaning, $text, $doc, $shared, [$($own)?], $form, $pattern),
        )+)*]
    };
}
pub(super) use {mnemonic, row, rows};

/// Why operations are not lifted.
pub(super) mod why {
    pub(crate) const MEMORY: &str = "memory access is not done";
    pub(crate) const TASKS: &str = "it talks to other programs of the machine";
    pub(crate) const F64: &str = "the document gives a formula and no operands";
    pub(crate) const LIBRARY: &str = "calls through addresses are not done";
}
