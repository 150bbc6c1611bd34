//! How rows are written: constant bits as mask and value, and operands; all other bits are ignored.

use crate::operand::Kind;
use parallax_isa::{Operand, Pattern};

/// Constant bits of a word: which, and their values.
#[derive(Copy, Clone)]
pub(super) struct Constant {
    mask: u64,
    value: u64,
}

/// Constant bits of the highest 16.
pub(super) const fn top(mask: u16, value: u16) -> Constant {
    Constant { mask: (mask as u64) << 48, value: (value as u64) << 48 }
}

/// Constant bits anywhere.
pub(super) const fn word(mask: u64, value: u64) -> Constant {
    Constant { mask, value }
}

/// The pattern of constant bits and operands.
pub(super) const fn pattern(constant: Constant, operands: &[Operand<Kind>]) -> Pattern {
    let (mut free, mut n) = (0, 0);
    while n < operands.len() {
        free |= operands[n].kind.0.bits_of_fields().word();
        n += 1;
    }
    Pattern::masked(64, constant.mask as u128, constant.value as u128, free)
}

/// What becomes of a row: an [`Op`], or why there is none.
macro_rules! meaning {
    ($reason:literal) => {
        parallax_isa::Meaning::Unsupported($reason)
    };
    ($op:ident) => {
        parallax_isa::Meaning::Lift(crate::op::Op::$op)
    };
}

/// How sure a row is: most were observed.
macro_rules! confidence {
    ([]) => {
        parallax_isa::Confidence::Observed
    };
    ([$confidence:ident $section:literal]) => {
        parallax_isa::Confidence::$confidence
    };
}

/// Where a row is described.
macro_rules! source {
    ([]) => {
        "SPA 5.0, section 5"
    };
    ([$confidence:ident $section:literal]) => {
        concat!("SPA 5.0, ", $section)
    };
}

/// The text of a row: that of its instruction, or its own.
macro_rules! text {
    ($(_)? $text:literal) => {
        concat!($text, "{control}")
    };
}

/// One row, of an encoding: its operands are those of the instruction and the control bits.
macro_rules! row {
    ($name:literal $form:literal, $constant:expr, $meaning:tt, $certainty:tt, $text:tt $($own:literal)?,
        [$($operand:ident),*], $doc:literal, $($id:ident = $encoded:ident),*) => {{
        $(const $id: parallax_isa::Operand<crate::operand::Kind> = $encoded;)*
        const OPERANDS: &[parallax_isa::Operand<crate::operand::Kind>] = &[$($operand,)* control(&[$($operand),*])];
        parallax_isa::Row {
            name: $name,
            aliases: &[],
            form: $form,
            pattern: super::row::pattern($constant, OPERANDS),
            operands: OPERANDS,
            text: text!($text $($own)?),
            doc: $doc,
            source: source!($certainty),
            confidence: confidence!($certainty),
            meaning: meaning!($meaning),
        }
    }};
}

/// The rows of a family, by instruction: mnemonic, meaning, text, sentence, operands, then its encodings. An encoding has a
/// form, constant bits, how sure it is and where that stands (most were observed, section 5), the text where the instruction
/// has `_`, and the operands that differ from one encoding to another: where the second and third source come from.
macro_rules! rows {
    ($($name:literal $meaning:tt, $text:tt, $doc:literal, $operands:tt {
        $($form:literal $constant:ident($($bits:literal),*) $([$confidence:ident $section:literal])? $(, $own:literal)?
            $(, $id:ident = $encoded:ident)*;)+
    })*) => {
        pub(super) static ROWS: &[parallax_isa::Row<crate::isa::Spa5>] = &[$($(
            row!($name $form, super::row::$constant($($bits),*), $meaning, [$($confidence $section)?], $text $($own)?,
                $operands, $doc, $($id = $encoded),*),
        )+)*];
    };
}
