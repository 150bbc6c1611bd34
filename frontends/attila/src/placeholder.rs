//! Places of a program that hold no instruction, and words written as numbers.
//!
//! What cannot be read keeps its place, so that later instructions keep their numbers and the rest of the program can
//! still be checked. END stands in it: it names no register, leads nowhere, and nothing can be said about what would
//! have followed.

use crate::check::check_reach;
use crate::control_flow::Reach;
use crate::{Instr, Sem, codec, table};
use parallax_isa::Cut;
use parallax_text::{Diag, Span};
use std::sync::LazyLock;

/// Bytes of an instruction.
pub(crate) const BYTES: usize = 16;

/// What keeps the place of something that is no instruction.
pub(crate) fn placeholder() -> Instr {
    static END: LazyLock<Instr> = LazyLock::new(|| {
        let end = codec().rows().find(|(_, row)| table::sem(row) == Some(Sem::End));
        end.map(|(id, row)| Instr::new(id, row.pattern.base())).expect("the table has END")
    });
    *END
}

/// What stands in an assembly text in place of a word that is no instruction.
pub(crate) fn word_directive(word: u128) -> String {
    format!(".word 0x{word:032x}")
}

/// What stands in an assembly text in place of the bytes behind the last whole word.
pub(crate) fn bytes_directive(bytes: &[u8]) -> String {
    bytes.iter().fold(".bytes".to_string(), |text, byte| text + &format!(" {byte:02x}"))
}

/// A directive as it is read.
pub(crate) enum Directive {
    /// `.word 0x...`: one word, whatever it means.
    Word(u128),
    /// `.bytes 17 00 ...`: the cut end of a file.
    Bytes(Vec<u8>),
}

impl Directive {
    /// Reads a directive of this name; `from..to` holds its operands.
    pub(crate) fn read(source: &str, name: Span, from: usize, to: usize) -> Result<Directive, Diag> {
        let rest = &source[from..to];
        let rest = rest.find("//").map_or(rest, |at| &rest[..at]);
        let rest = rest.find(';').map_or(rest, |at| &rest[..at]);
        let place = |piece: &str| {
            let at = piece.as_ptr() as usize - source.as_ptr() as usize;
            Span::new(at, at + piece.len())
        };
        let operands = rest.trim();
        let found = if operands.is_empty() { "end of line".to_string() } else { format!("`{operands}`") };
        let at = if operands.is_empty() { Span::new(from, from) } else { place(operands) };
        let wrong = |wanted: &str| Diag::invalid("syntax", at, format!("expected {wanted}, found {found}"));
        match &source[name.start as usize..name.end as usize] {
            "word" => {
                let digits = operands.strip_prefix("0x").filter(|d| (1..=2 * BYTES).contains(&d.len()));
                let word = digits.filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
                word.and_then(|d| u128::from_str_radix(d, 16).ok())
                    .map(Directive::Word)
                    .ok_or_else(|| wrong("a word, `0x` and up to 32 hexadecimal digits"))
            }
            "bytes" => {
                let byte = |piece: &str| {
                    let whole = piece.len() == 2 && piece.bytes().all(|b| b.is_ascii_hexdigit());
                    whole.then(|| u8::from_str_radix(piece, 16).ok()).flatten()
                };
                let bytes: Option<Vec<u8>> = operands.split_ascii_whitespace().map(byte).collect();
                bytes
                    .filter(|bytes| (1..BYTES).contains(&bytes.len()))
                    .map(Directive::Bytes)
                    .ok_or_else(|| wrong("1 to 15 bytes of two hexadecimal digits each"))
            }
            other => {
                let diag = Diag::invalid("unknown-directive", name, format!("there is no directive `.{other}`"));
                Err(diag.with_help("directives are `.word` and `.bytes`"))
            }
        }
    }
}

/// The bytes behind the last whole word of a text.
pub(crate) struct Tail {
    /// Number of words before them.
    pub(crate) at: usize,
    pub(crate) bytes: Vec<u8>,
    pub(crate) span: Span,
}

impl Tail {
    /// What is wrong with them in a program.
    pub(crate) fn explain(&self) -> Diag {
        let cut = Cut { offset: self.at * BYTES, have: self.bytes.len(), need: BYTES };
        Diag { span: Some(self.span), ..codec().explain_cut(cut) }
    }
}

/// Adds what can be said about a whole program in spite of its errors, in the order of places. Nobody knows what control
/// would reach behind a placeholder, so all of it counts.
pub(crate) fn check_rest(program: &crate::Program, diags: &mut Vec<Diag>) {
    diags.extend(check_reach(program, &Reach::everything(program)));
    diags.sort_by_key(|d| d.span);
}
