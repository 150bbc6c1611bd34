//! Recognising programs.

use crate::asm::LEXER;
use crate::check::registers_exist;
use crate::hole::Directive;
use crate::{Class, Instr, Sem, codec};
use parallax_isa::{Stream, Words128};
use parallax_text::{TokenKind, Tokens, closest, lex, mark_len};
use rustc_hash::FxHashSet;

/// Whether bytes look like a binary, and not like plain text: whole instructions, all of them valid, one of them an end.
/// At least one is as an assembler would write it, and less than half are NOP, END or CHS with meaningless bits.
pub fn is_binary(bytes: &[u8]) -> bool {
    if bytes.is_empty() || !bytes.len().is_multiple_of(16) || bytes.iter().all(|b| *b >= 9) {
        return false;
    }
    let codec = codec();
    let (mut ends, mut clean, mut junk) = (false, false, 0);
    for unit in Words128.units(bytes) {
        let Ok(Ok(instr)) = unit.map(|u| Instr::decode(codec, u.word)) else { return false };
        ends |= instr.end_flag() || instr.sem() == Some(Sem::End);
        // Numbers of all kinds decode as instructions most bits of which are ignored.
        let noise = codec.remainder(instr.row_id(), instr.word()) != 0;
        clean |= !noise;
        junk += usize::from(noise && is_bare(&instr));
    }
    ends && clean && junk * 2 < bytes.len() / 16
}

/// Whether a text looks like assembly: its first instruction can be read, and half of those at its beginning.
pub fn is_assembly(text: &str) -> bool {
    let mut first = lines(text).peekable();
    if !first.peek().is_some_and(|line| line.reads()) {
        return false;
    }
    let (mut all, mut read) = (0, 0);
    for line in first.take(FIRST) {
        all += 1;
        read += usize::from(line.reads());
    }
    read * 2 >= all
}

/// Whether bytes are text, and not words: nearly all of it can be printed, or it has lines and hardly any control
/// characters. Words are full of zeros.
pub fn is_text(bytes: &[u8]) -> bool {
    let count = |what: fn(u8) -> bool| bytes.iter().filter(|b| what(**b)).count();
    let printed = |b| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let control = |b: u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    let words = bytes.iter().any(|b| *b < 9) || std::str::from_utf8(bytes).is_err();
    // Comments in other scripts are all bytes from 128 on.
    !words || count(printed) >= bytes.len() / 4 * 3 || bytes.contains(&b'\n') && count(control) * 20 < bytes.len()
}

/// Whether bytes that nothing recognises may be a damaged program: words at least half of which an assembler could have
/// made, or a text at least half of whose first lines are instructions, right or not quite right.
pub fn may_be_attila(bytes: &[u8]) -> bool {
    /// What is looked at.
    const MOST: usize = 4096;
    if is_text(bytes) {
        let text = String::from_utf8_lossy(bytes);
        if is_foreign(&text) {
            return false;
        }
        let (mut all, mut read) = (0, 0);
        for line in lines(&text).take(FIRST) {
            all += 1;
            // Words like `end` stand in other texts, too.
            read += usize::from(matches!(line.reads, Reads::Operands) || line.begins());
        }
        return read > 0 && read * 2 >= all;
    }
    // Zeros are instructions, and fill all kinds of files.
    let words = Words128.units(bytes).filter_map(Result::ok).map(|u| u.word).filter(|w| *w != 0).take(MOST);
    let (mut all, mut good, mut different) = (0, 0, FxHashSet::default());
    for word in words {
        all += 1;
        if is_evidence(word) {
            good += 1;
            different.insert(word);
        }
    }
    // Pictures are one word over and over.
    good > 0 && good * 2 >= all && different.len() * 8 >= good
}

/// Whether it is an instruction without operands: zeros and other small numbers of all kinds of files are NOP, END or CHS.
fn is_bare(instr: &Instr) -> bool {
    instr.row().operands.iter().all(|o| matches!(o.class, Class::Guard | Class::Marks))
}

/// Whether nobody but an assembler would make this word. Decoders ignore most bits, assemblers leave them alone.
fn is_evidence(word: u128) -> bool {
    let codec = codec();
    Instr::decode(codec, word)
        .is_ok_and(|instr| !is_bare(&instr) && codec.remainder(instr.row_id(), word) == 0 && registers_exist(&instr))
}

/// Whether a text says that it is of another instruction set with the same mnemonics: `vs_1_1`, `ps.1.4`.
fn is_foreign(text: &str) -> bool {
    text.lines().take(FIRST).any(|line| {
        let line = line.trim();
        let version = ["vs", "ps"].iter().find_map(|stage| line.strip_prefix(stage));
        version.is_some_and(|v| {
            let mut v = v.bytes();
            matches!(v.next(), Some(b'_' | b'.')) && v.next().is_some_and(|b| b.is_ascii_digit())
        })
    })
}

/// How many instructions of a text are looked at.
const FIRST: usize = 64;

/// What can be made of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Reads {
    /// It is no instruction.
    No,
    /// A bare mnemonic.
    Bare,
    /// An instruction with operands.
    Operands,
}

/// A line that is more than labels and comments.
struct Line<'a> {
    text: &'a str,
    reads: Reads,
}

impl Line<'_> {
    fn reads(&self) -> bool {
        self.reads != Reads::No
    }

    /// Whether it is meant as an instruction although it cannot be read: a mnemonic with a register behind it. A
    /// mnemonic may be misspelt if all else is right.
    fn begins(&self) -> bool {
        if self.reads() || self.text.len() > LONG {
            return false;
        }
        let tokens = lex(self.text, LEXER);
        let mut input = Tokens::new(self.text, &tokens);
        labels(&mut input);
        if input.peek().kind == TokenKind::Punct(b'(') {
            while !matches!(input.peek().kind, TokenKind::Punct(b')') | TokenKind::Newline | TokenKind::End) {
                input.bump();
            }
            input.bump();
        }
        if input.peek().kind != TokenKind::Word {
            return false;
        }
        let mnemonic = input.bump().span;
        if input.peek().kind != TokenKind::Word || !is_register(input.peek().span.text(self.text)) {
            return false;
        }
        let name = mnemonic.text(self.text);
        let (name, behind) = name.split_at(name.find("_sat").unwrap_or(name.len()));
        let names = || codec().rows().flat_map(|(_, row)| row.aliases.iter().copied().chain([row.name]));
        if names().any(|known| known == name) {
            return true;
        }
        closest(name, names()).is_some_and(|near| {
            let line = format!("{near}{behind}{}", &self.text[mnemonic.end as usize..]);
            let tokens = lex(&line, LEXER);
            codec().read(Tokens::new(&line, &tokens)).is_ok_and(|(rest, _)| rest.at_end())
        })
    }
}

/// Whether a word is a letter of a bank and a number.
fn is_register(word: &str) -> bool {
    let number = word.strip_prefix(['i', 'o', 'r', 'c', 'a', 'p', 't', 's']);
    number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// Nobody writes so much in a line; what comes of one that is cut into tokens takes much room.
const LONG: usize = 4096;

fn labels(input: &mut Tokens<'_>) {
    while input.peek().kind == TokenKind::Word && input.peek_at(1).kind == TokenKind::Punct(b':') {
        input.bump();
        input.bump();
    }
}

/// Whether a line stands for a word or for bytes in a listing, which may begin with one. `input` stands at its beginning.
fn is_directive(line: &str, mut input: Tokens<'_>) -> bool {
    let (point, name) = (input.bump(), input.peek());
    let names = point.kind == TokenKind::Punct(b'.') && name.kind == TokenKind::Word && !name.spaced;
    names && Directive::read(line, name.span, name.span.end as usize, line.len()).is_ok()
}

fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let text = &text[mark_len(text)..];
    text.split('\n').filter_map(|line| {
        let comment = line.trim_start().starts_with(';') || line.trim_start().starts_with("//");
        if line.len() > LONG && !comment {
            return Some(Line { text: line, reads: Reads::No });
        }
        let tokens = lex(line, LEXER);
        let mut input = Tokens::new(line, &tokens);
        labels(&mut input);
        if input.at_end() {
            return None;
        }
        let bare = input.peek_at(1).kind == TokenKind::End;
        let reads = match codec().read(input) {
            _ if is_directive(line, input) => Reads::Operands,
            Ok((rest, _)) if rest.at_end() && bare => Reads::Bare,
            Ok((rest, _)) if rest.at_end() => Reads::Operands,
            _ => Reads::No,
        };
        Some(Line { text: line, reads })
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
        for other in [
            "mov r0, r1\nldr r2, [r0]\nadd r0, r0, #1\nbl f\nbx lr",
            "",
            "FRAG\nDCL IN[0]\n",
            "!!FP1.0\nMOVR R0, R1;\nEND",
            "MOV R0, c[0];",
            "; only a comment",
            "mov r0",
        ] {
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
        for text in
            ["mov r256, i0", "mov r0, c512", "(p32) mov r0, i0", "add o0, i0, 0x1p128", "mvo r0, i0", "\u{feff}mov r0"]
        {
            assert!(!is_assembly(text) && may_be_attila(text.as_bytes()), "{text}");
        }
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

    #[test]
    fn listings_of_words_and_bytes_are_recognised() {
        for text in
            [".bytes 01 02 03", ".word 0x5\nmov o0, i0", "\n.bytes ff // byte 0: cut", "a: .word 0x5 ; reserved"]
        {
            assert!(is_assembly(text), "{text}");
        }
        for text in [".word 5", ".byte 01", ".bytes", ".bytes 1", ".word 0x", ". word 0x5", ".text\n.word 0x5"] {
            assert!(!is_assembly(text), "{text}");
        }
        let long = format!(".word 0x{}", "0".repeat(33));
        assert!(!is_assembly(&long));
    }

    #[test]
    fn a_bad_byte_among_comments_in_other_scripts_makes_no_words_of_a_text() {
        let russian = "; \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43c}\u{438}\u{440} \
                       \u{43f}\u{440}\u{438}\u{432}\u{435}\u{442}, \u{43c}\u{438}\u{440}\n";
        let zero = format!("{russian}{russian}mov r0, i0\nmov o0, r0 ; \0\n");
        assert!(is_text(zero.as_bytes()) && is_assembly(&zero) && !is_binary(zero.as_bytes()));
        // The same letters in an encoding of one byte each.
        let one: Vec<u8> =
            zero.chars().filter(|c| *c != '\0').map(|c| if c < '\u{80}' { c as u8 } else { 0xef }).collect();
        assert!(is_text(&one) && may_be_attila(&one));
        let (program, _) = crate::assemble("mov r10, i10\nadd o10, r10, c10");
        let words = program.expect("assembles").encode_ended();
        assert!(words.contains(&b'\n') && !is_text(&words));
    }
}
