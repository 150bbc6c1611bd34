//! NV40 microcode: the binary form of NV fragment programs, for PC boards and RSX.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, [`assemble`] reads text, and [`Program::tree`] makes the same tree of either that the text dialects are read
//! to, so that one lift serves all.

mod asm;
mod fields;
mod instr;
mod kind;
mod number;
mod program;
mod sniff;
mod table;
mod tree;

pub(crate) use asm::read;
pub use asm::{assemble, assemble_bytes};
pub use instr::Instr;
pub use kind::Kind;
pub use program::{Order, Program, coverage, list, list_labels};
pub use sniff::sniff;
pub use table::TABLE;

use parallax_isa::{Code, Codec, Isa, Row, Syntax};
use parallax_text::LexOptions;
use std::sync::LazyLock;

/// The instruction set, for `parallax_isa`.
pub struct Nv40;

impl Isa for Nv40 {
    type Kind = Kind;
    /// The row of the same operation in the text dialects.
    type Lift = &'static crate::Row;

    const LEXER: LexOptions = asm::LEXER;

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.syntax()
    }

    fn canonical(row: &Row<Nv40>, code: Code) -> Code {
        instr::canonical(row, code)
    }

    fn implicit(row: &Row<Nv40>) -> Option<u128> {
        Some(instr::implicit(row))
    }
}

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Nv40> {
    static CODEC: LazyLock<Codec<Nv40>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
