//! Places of a program that hold no instruction, and words written as numbers.
//!
//! What cannot be read keeps its place, so that later instructions keep their numbers and the rest of the program can
//! still be checked. END stands in it: it names no register, leads nowhere, and nothing can be said about what would
//! have followed.

use crate::check::check_reach;
use crate::control_flow::Reach;
use crate::{codec::codec, instr::Instr, sem::Sem};
use parallax_isa::{Cut, Directive, Tail, read_bytes};
use parallax_text::{Diag, Span};
use std::sync::LazyLock;

/// Bytes of an instruction.
pub(crate) const BYTES: usize = 16;

/// What keeps the place of something that is no instruction.
pub(crate) fn placeholder() -> Instr {
    static END: LazyLock<Instr> = LazyLock::new(|| {
        let end = codec().rows().find(|(_, row)| row.meaning.lifted() == Some(Sem::End));
        end.map(|(id, row)| Instr::new(id, row.pattern.base())).expect("the table has END")
    });
    *END
}

/// What stands in an assembly text in place of a word that is no instruction.
pub(crate) fn word_directive(word: u128) -> String {
    format!(".word 0x{word:032x}")
}

/// What a directive gives.
pub(crate) enum Given {
    /// `.word 0x...`: one word, whatever it means.
    Word(u128),
    /// `.bytes 17 00 ...`: the cut end of a file.
    Bytes(Vec<u8>),
}

impl Given {
    /// Reads a directive of this name, whose line ends at `to`.
    pub(crate) fn read(source: &str, name: Span, to: usize) -> Result<Given, Diag> {
        let directive = Directive::new(source, name, to, &["//", ";"]);
        match name.text(source) {
            "word" => {
                let digits = directive.operands.strip_prefix("0x").filter(|d| (1..=2 * BYTES).contains(&d.len()));
                let word = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                word.and_then(|d| u128::from_str_radix(d, 16).ok())
                    .map(Given::Word)
                    .ok_or_else(|| directive.expected("a word, `0x` and up to 32 hexadecimal digits"))
            }
            "bytes" => read_bytes(directive.operands)
                .filter(|bytes| bytes.len() < BYTES)
                .map(Given::Bytes)
                .ok_or_else(|| directive.expected("1 to 15 bytes of two hexadecimal digits each")),
            _ => Err(directive.unknown(source, "`.word` and `.bytes`")),
        }
    }
}

/// What is wrong with the bytes behind the last whole word of a program.
pub(crate) fn explain_tail(tail: &Tail) -> Diag {
    let cut = Cut { offset: tail.at * BYTES, have: tail.bytes.len(), need: BYTES };
    Diag { span: Some(tail.span), ..codec().explain_cut(cut) }
}

/// Adds what can be said about a whole program in spite of its errors, in the order of places. Nobody knows what control
/// would reach behind a placeholder, so all of it counts.
pub(crate) fn check_rest(program: &crate::program::Program, diags: &mut Vec<Diag>) {
    diags.extend(check_reach(program, &Reach::everything(program)));
    parallax_text::sort_by_key(diags, |d| d.span);
}
