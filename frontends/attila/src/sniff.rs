//! Recognising programs.

use crate::asm::{LEXER, MARK};
use crate::{Instr, Sem, codec};
use parallax_isa::{Stream, Words128};
use parallax_text::{TokenKind, Tokens, lex};

/// Whether bytes look like a binary: whole instructions, all of them valid, one of them an end, and not plain text.
pub fn is_binary(bytes: &[u8]) -> bool {
    if bytes.is_empty() || !bytes.len().is_multiple_of(16) || bytes.iter().all(|b| *b >= 9) {
        return false;
    }
    let codec = codec();
    let mut ends = false;
    for unit in Words128.units(bytes) {
        let Ok(Ok(instr)) = unit.map(|u| Instr::decode(codec, u.word)) else { return false };
        ends |= instr.end_flag() || instr.sem() == Some(Sem::End);
    }
    ends
}

/// Whether a text looks like assembly: its first instruction can be read.
pub fn is_assembly(text: &str) -> bool {
    lines(text).next().is_some_and(|line| line != Reads::No)
}

/// Whether bytes are text, and not words: nearly all of it can be printed. Words are full of zeros.
pub fn is_text(bytes: &[u8]) -> bool {
    let printed = |b: &&u8| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    // Comments in other scripts are all bytes from 128 on.
    let words = || bytes.iter().any(|b| *b < 9) || std::str::from_utf8(bytes).is_err();
    !words() || bytes.iter().filter(printed).count() >= bytes.len() / 4 * 3
}

/// Whether bytes that nothing recognises may be a damaged program: words most of which are instructions, or a text with
/// instructions among its first lines.
pub fn may_be_attila(bytes: &[u8]) -> bool {
    /// What is looked at.
    const MOST: usize = 4096;
    if is_text(bytes) {
        let text = String::from_utf8_lossy(bytes);
        let (mut all, mut read) = (0, 0);
        for line in lines(&text).take(64) {
            all += 1;
            // Words like `end` stand in other texts, too.
            read += usize::from(line == Reads::Operands);
        }
        return read > 0 && read * 4 >= all;
    }
    let codec = codec();
    // Zeros are instructions, and fill all kinds of files.
    let words = Words128.units(bytes).filter_map(Result::ok).map(|u| u.word).filter(|w| *w != 0).take(MOST);
    let (good, bad): (Vec<u128>, Vec<u128>) = words.partition(|&word| Instr::decode(codec, word).is_ok());
    !good.is_empty() && good.len() >= bad.len()
}

/// What can be made of a line that is more than labels and comments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Reads {
    /// It is no instruction.
    No,
    /// A bare mnemonic.
    Bare,
    /// An instruction with operands.
    Operands,
}

/// Whether a line stands for a word in a listing, which may begin with one.
fn is_word_directive(line: &str) -> bool {
    let digits = line.trim_start().strip_prefix(".word 0x").and_then(|rest| rest.split_whitespace().next());
    digits.is_some_and(|d| d.len() == 32 && d.bytes().all(|b| b.is_ascii_hexdigit()))
}

fn lines(text: &str) -> impl Iterator<Item = Reads> {
    let text = text.strip_prefix(MARK).unwrap_or(text);
    text.split('\n').filter_map(|line| {
        // Nobody writes so much in a line; what comes of one that is cut into tokens takes much room.
        const LONG: usize = 4096;
        let comment = line.trim_start().starts_with(';') || line.trim_start().starts_with("//");
        if line.len() > LONG && !comment {
            return Some(Reads::No);
        }
        let tokens = lex(line, LEXER);
        let mut input = Tokens::new(line, &tokens);
        while input.peek().kind == TokenKind::Word && input.peek_at(1).kind == TokenKind::Punct(b':') {
            input.bump();
            input.bump();
        }
        if input.at_end() {
            return None;
        }
        if is_word_directive(line) {
            return Some(Reads::Operands);
        }
        let bare = input.peek_at(1).kind == TokenKind::End;
        Some(match codec().read(input) {
            Ok((rest, _)) if rest.at_end() => {
                if bare {
                    Reads::Bare
                } else {
                    Reads::Operands
                }
            }
            _ => Reads::No,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognised() {
        let (program, _) = crate::assemble("mov r0, i0\nadd o0, r0, c1");
        let program = program.expect("assembles");
        assert!(is_binary(&program.encode_ended()));
        assert!(!is_binary(&program.encode()), "no end");
        assert!(!is_binary(&program.encode_ended()[..20]));
        assert!(!is_binary(b"0123456789abcdef"));
        assert!(is_assembly("; comment\n\nstart: (!p1) mov r0, i0 // x\n???"));
        for other in
            ["", "FRAG\nDCL IN[0]\n", "!!FP1.0\nMOVR R0, R1;\nEND", "MOV R0, c[0];", "; only a comment", "mov r0"]
        {
            assert!(!is_assembly(other), "{other}");
        }
    }

    #[test]
    fn damaged_programs_are_recognised() {
        let (program, _) = crate::assemble("mov r0, i0\nadd o0, r0, c1");
        let program = program.expect("assembles");
        let words = program.encode_ended();
        assert!(may_be_attila(&program.encode()), "no end");
        assert!(may_be_attila(&words[..20]), "cut off");
        // One operation that is reserved.
        let reserved: Vec<u8> = [5u128.to_le_bytes().as_slice(), &words].concat();
        assert!(may_be_attila(&reserved) && !is_binary(&reserved));
        for text in
            ["movv r0, i0\nmov o0, r0\n", "mov r99, i0\nxyz\njmp p0, 77\n", "\u{feff}mov o0, i0", "?\nmov o0, i0 ; \0"]
        {
            assert!(may_be_attila(text.as_bytes()), "{text}");
        }
        assert!(may_be_attila(b"; caf\xe9\nmov o0, i0\n"), "Latin 1");
        for other in
            [&[0u8; 64] as &[u8], b"", b"hello world", b"nothing\nend\n", b"# mov\n", &[0xff; 64], b"0123456789abcdef"]
        {
            assert!(!may_be_attila(other), "{other:?}");
        }
    }

    #[test]
    fn a_long_header_hides_no_program() {
        let header = format!("; {}\n", "header ".repeat(20)).repeat(100);
        assert!(is_assembly(&format!("{header}mov o0, i0\n")));
        assert!(is_assembly("\u{feff}mov o0, i0\n"));
        assert!(!is_assembly(&header));
        let line = format!("; {}\n", "header ".repeat(2000));
        assert!(is_assembly(&format!("{line}mov o0, i0\n")));
        assert!(!is_assembly(&"mov o0, i0 ".repeat(2000)));
    }
}
