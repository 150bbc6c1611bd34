//! ATTILA shader instructions: 128-bit words, their assembly, and their lifting.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, [`assemble`] reads text; both collect all problems of a file. Where the source document and the original
//! simulator differ, `docs/attila.md` says what was chosen.

mod asm;
mod check;
mod class;
pub mod fields;
mod float;
mod hole;
mod instr;
mod lift;
mod next;
mod print;
mod program;
mod read;
mod sem;
mod skim;
mod sniff;
mod table;

pub use asm::{assemble, assemble_bytes, readers_agree};
pub use check::{check, limits};
pub use class::Class;
pub use instr::{Bank, Condition, Dst, Guard, Instr, Relative, Source};
pub use lift::{SETTINGS, lift};
pub use program::{Line, Listed, Program, coverage, list};
pub use sem::{Lookup, Sem};
pub use sniff::{is_assembly, is_binary, is_text, may_be_attila};
pub use table::TABLE;

use nom::IResult;
use parallax_isa::{Codec, Cursor, Encoding, Field, Isa, Row, Style};
use parallax_text::{Tokens, TokensError};
use std::sync::LazyLock;

/// The instruction set, for `parallax_isa`.
pub struct Attila;

impl Isa for Attila {
    type Class = Class;
    type Lift = Sem;

    fn fields(class: Class) -> &'static [Field] {
        class.fields()
    }

    fn syntax(class: Class) -> &'static str {
        class.syntax()
    }

    fn expected(class: Class) -> &'static str {
        class.expected()
    }

    fn glued(class: Class) -> &'static [(&'static str, u64)] {
        match class {
            Class::Saturate => &[("", 0), ("_sat", 1), ("_SAT", 1)],
            _ => &[],
        }
    }

    fn silent(class: Class) -> Option<u128> {
        print::silent(class)
    }

    #[inline(always)]
    fn print(class: Class, word: u128, style: Style, line: &mut Cursor<'_>) {
        print::print(class, word, style, line);
    }

    fn starts(class: Class, input: Tokens<'_>) -> bool {
        read::starts(class, input)
    }

    #[inline]
    fn read<'a>(class: Class, input: Tokens<'a>, e: &mut Encoding) -> IResult<Tokens<'a>, (), TokensError> {
        read::read(class, input, e)
    }

    #[inline]
    fn skim(class: Class, text: &[u8], at: usize, e: &mut Encoding) -> Option<usize> {
        skim::skim(class, text, at, e)
    }

    fn canonical(row: &Row<Attila>, word: u128) -> u128 {
        instr::canonical(row, word)
    }

    fn hidden(row: &Row<Attila>) -> Option<u128> {
        instr::hidden(row)
    }

    fn print_remainder(remainder: u128, line: &mut Cursor<'_>) {
        print::print_remainder(remainder, line);
    }
}

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Attila> {
    static CODEC: LazyLock<Codec<Attila>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
