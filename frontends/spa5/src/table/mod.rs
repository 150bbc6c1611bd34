//! The rows, by family.
//!
//! A row names the constant bits of its word as mask and value, and its operands; all other bits are ignored.

use crate::operand::Kind;
use crate::{Op, Spa5};
use parallax_isa::{Family, Meaning, Operand, Pattern, Row, Table};

/// Constant bits of a word: which, and their values.
#[derive(Copy, Clone)]
struct Constant {
    mask: u64,
    value: u64,
}

/// Constant bits of the highest 16.
const fn top(mask: u16, value: u16) -> Constant {
    Constant { mask: (mask as u64) << 48, value: (value as u64) << 48 }
}

/// Constant bits anywhere.
const fn word(mask: u64, value: u64) -> Constant {
    Constant { mask, value }
}

/// The pattern of constant bits and operands.
const fn pattern(constant: Constant, operands: &[Operand<Kind>]) -> Pattern {
    let (mut free, mut n) = (0, 0);
    while n < operands.len() {
        free |= operands[n].kind.0.bits_of_fields().word();
        n += 1;
    }
    Pattern::masked(64, constant.mask as u128, constant.value as u128, free)
}

/// How what becomes of a row is written: an [`Op`], or why there is none.
macro_rules! meaning {
    ($reason:literal) => {
        parallax_isa::Meaning::Unsupported($reason)
    };
    ($op:expr) => {
        parallax_isa::Meaning::Lift($op)
    };
}

/// One row: mnemonic, form, constant bits, meaning, confidence, section, text, operands, sentence.
macro_rules! row {
    ($name:literal $form:literal, $constant:expr, $meaning:tt $(:: $op:ident)?, $confidence:ident, $section:literal,
        $text:literal, [$($operand:expr),*], $doc:literal) => {
        parallax_isa::Row {
            name: $name,
            aliases: &[],
            form: $form,
            pattern: super::pattern($constant, &[$($operand),*]),
            operands: &[$($operand),*],
            text: $text,
            doc: $doc,
            source: concat!("SPA 5.0, ", $section),
            confidence: parallax_isa::Confidence::$confidence,
            meaning: meaning!($meaning $(:: $op)?),
        }
    };
}
// The families see the macros because they are declared behind them.
mod bits;
mod compare;
mod convert;
mod float;
mod flow;
mod integer;
mod lanes;
mod memory;
mod moves;
mod pixel;
mod schedule;
mod texture;

/// All rows.
pub static TABLE: Table<Spa5> = Table {
    name: "spa5",
    title: "SPA 5.0 instructions",
    widths: &[64],
    about: "\
Instructions are little-endian words of 64 bits. Three of them and the control word in front of them are a bundle of 32 \
bytes. Register 255 is RZ, predicate 7 is PT. Forms are named by the operands that are no register: C a constant, I a \
literal; in form RC the constant is the last operand, in form CR the one before it. In patterns, `o` are bits the \
decoder ignores and the encoder writes as 0.",
    families: &[
        Family { title: "Float arithmetic", rows: float::ROWS },
        Family { title: "Comparisons", rows: compare::ROWS },
        Family { title: "Conversions", rows: convert::ROWS },
        Family { title: "Integer arithmetic", rows: integer::ROWS },
        Family { title: "Shifts and bits", rows: bits::ROWS },
        Family { title: "Moves and selection", rows: moves::ROWS },
        Family { title: "Inputs and pixels", rows: pixel::ROWS },
        Family { title: "Textures", rows: texture::ROWS },
        Family { title: "Memory", rows: memory::ROWS },
        Family { title: "Lanes", rows: lanes::ROWS },
        Family { title: "Control flow", rows: flow::ROWS },
        Family { title: "Scheduling", rows: schedule::ROWS },
    ],
};

/// What a row does, if it is lifted.
pub(crate) const fn op(row: &Row<Spa5>) -> Option<Op> {
    match row.meaning {
        Meaning::Lift(op) => Some(op),
        _ => None,
    }
}
