//! Recognising programs, and files that were meant to be one.

use crate::asm::line_end;
use crate::check::registers_exist;
use crate::placeholder::Given;
use crate::{codec::codec, instr::Instr, kind::Kind, sem::Sem};
use parallax_isa::{LineShape, Stream, Words128, is_text, skip_blanks, word_end};
use parallax_text::{Span, closest};
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
        let Ok(Ok(instr)) = unit.map(|u| Instr::decode(codec, u.code.word())) else { return false };
        ends |= instr.end_flag() || instr.sem() == Some(Sem::End);
        // Numbers of all kinds decode as instructions most bits of which are ignored.
        let noise = codec.remainder(instr.row_id(), instr.word()) != 0;
        clean |= !noise;
        junk += usize::from(noise && is_bare(&instr));
    }
    ends && clean && junk * 2 < bytes.len() / 16
}

/// The lines of an assembly.
const LINES: LineShape = LineShape { skip: skip_blanks, is_end: |text, at| line_end(text, at).is_some() };

/// Whether a text looks like assembly: its first instruction can be read, and half of those at its beginning.
pub fn is_assembly(text: &str) -> bool {
    LINES.is_assembly(text, reads)
}

/// Whether bytes that nothing recognises may be a damaged program: a text half of whose first lines start with a mnemonic,
/// perhaps misspelt, and a register, or words half of which an assembler could have made.
pub fn may_be_attila(bytes: &[u8]) -> bool {
    if is_text(bytes) {
        return LINES.half(&String::from_utf8_lossy(bytes), |line| reads(line) && line.contains(' ') || begins(line));
    }
    // Zeros are instructions, and fill all kinds of files.
    let words = Words128.units(bytes).filter_map(Result::ok).map(|u| u.code.word()).filter(|w| *w != 0).take(4096);
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
    instr.row().operands.iter().all(|o| matches!(o.kind, Kind::Guard | Kind::Annotations))
}

/// Whether nobody but an assembler would make this word. Decoders ignore most bits, assemblers leave them alone.
fn is_evidence(word: u128) -> bool {
    Instr::decode(codec(), word)
        .is_ok_and(|instr| !is_bare(&instr) && codec().remainder(instr.row_id(), word) == 0 && registers_exist(&instr))
}

/// Whether a line is an instruction or a directive.
fn reads(line: &str) -> bool {
    let name = Span::new(1, word_end(line.as_bytes(), 1));
    let directive = || line.starts_with('.') && Given::read(line, name, line.len()).is_ok();
    codec().read(line, 0).is_ok_and(|read| line_end(line.as_bytes(), read.end).is_some()) || directive()
}

/// Whether a line is meant as an instruction with operands, right or not: a mnemonic and a register.
fn begins(line: &str) -> bool {
    let behind_guard = line.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(line, |(_, rest)| rest);
    let text = behind_guard.trim_start();
    let end = word_end(text.as_bytes(), 0);
    let (word, behind) = text.split_at(end);
    let names = || codec().rows().map(|(_, row)| row.name);
    // All else must be right where the mnemonic is not.
    let misspelt = || closest(word, names()).is_some_and(|near| reads(&format!("{near}{behind}")));
    is_operand(behind.trim_start()) && (codec().is_mnemonic(word) || misspelt())
}

/// Whether a text starts with the letter of a bank and a number.
fn is_operand(text: &str) -> bool {
    let number = text.trim_start_matches(['!', '-', '|']).strip_prefix(['i', 'o', 'r', 'c', 'a', 'p', 't', 's']);
    number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognised() {
        let (program, _) = crate::asm::assemble("mov r0, i0\nadd o0, r0, c1");
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
        let (program, _) = crate::asm::assemble("mov r0, i0\nadd o0, r0, c1");
        let program = program.expect("assembles");
        let words = program.encode_ended();
        assert!(may_be_attila(&program.encode()), "no end");
        assert!(may_be_attila(&words[..20]), "cut off");
        // One operation that is reserved.
        let reserved: Vec<u8> = [5u128.to_le_bytes().as_slice(), &words].concat();
        assert!(may_be_attila(&reserved) && !is_binary(&reserved));
        for text in
            ["movv r0, i0\nmov o0, r0\n", "mov r99, i0\nxyz\njmp p0, 77\n", "\u{feff}mov o0, i0", "?\nmov o0, i0"]
        {
            assert!(may_be_attila(text.as_bytes()), "{text}");
        }
        assert!(may_be_attila(b"; caf\xe9\nmov o0, i0\n"), "Latin 1");
        for text in ["mov r256, i0", "mov r0, c512", "(p32) mov r0, i0", "add o0, i0, 0x1p128", "\u{feff}mov r0"] {
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
        let (program, _) = crate::asm::assemble("mov r10, i10\nadd o10, r10, c10");
        let words = program.expect("assembles").encode_ended();
        assert!(words.contains(&b'\n') && !is_text(&words));
    }
}
