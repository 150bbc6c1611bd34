//! Recognising programs, and files that were meant to be one.

use crate::asm::is_line_end;
use crate::check::control_is_likely;
use crate::program::{each_code, header_of};
use crate::{codec::codec, header::Header, instr::Instr, op::Op};
use parallax_isa::{LineShape, byte, is_text, skip_blanks, word_end};
use parallax_lift::Layout;
use parallax_text::closest;

/// Whether bytes look like a binary: a shader program header, or whole bundles of instructions, all of them valid, one of
/// them an EXIT, BRA or RET.
pub fn is_binary(bytes: &[u8]) -> bool {
    let (header, start) = header_of(bytes, &Layout::default());
    let body = &bytes[start..];
    if body.is_empty() || !body.len().is_multiple_of(32) {
        return false;
    }
    let codec = codec();
    let (mut sound, mut ends) = (true, false);
    for bundle in body.as_chunks::<32>().0 {
        each_code(bundle, 0, false, |code, _| match Instr::decode(codec, code) {
            Ok(instr) => ends |= matches!(instr.op(), Some(Op::Exit | Op::Bra | Op::Ret)),
            Err(_) => sound = false,
        });
        if !sound && header.is_none() {
            return false;
        }
    }
    sound && ends || header.is_some() && first_decodes(body)
}

fn first_decodes(body: &[u8]) -> bool {
    let mut decodes = false;
    if let Some(bundle) = body.get(..32) {
        each_code(bundle, 0, false, |code, _| decodes |= codec().decode(code).is_ok());
    }
    decodes
}

/// The lines of an assembly.
const LINES: LineShape = LineShape { skip: skip_comment, is_end: is_line_end };

/// Whether a text looks like assembly: its first instruction can be read, and half of those at its beginning, and they do not
/// only have what other NVIDIA assemblies have, too.
pub fn is_assembly(text: &str) -> bool {
    LINES.is_assembly(text, reads) && LINES.first_lines(text).any(is_evidence)
}

/// Whether bytes that nothing recognises may be a damaged program: a text half of whose first lines start with a mnemonic,
/// perhaps misspelt, and an operand of this machine, or bundles half of which a compiler may have written.
pub fn may_be_spa5(bytes: &[u8]) -> bool {
    if is_text(bytes) {
        return LINES.half(&String::from_utf8_lossy(bytes), |line| reads(line) && is_evidence(line) || begins(line));
    }
    let start = if Header::of(bytes).is_some() { Header::BYTES } else { 0 };
    let bundles = bytes[start..].as_chunks::<32>().0;
    let good = bundles.iter().take(512).filter(|bundle| is_evident(bundle)).count();
    good > 0 && (start > 0 || good * 2 >= bundles.len().min(512))
}

/// Whether a compiler may have written a bundle. Most words are instructions of some kind, so these alone say little.
fn is_evident(bundle: &[u8; 32]) -> bool {
    let mut likely = true;
    each_code(bundle, 0, false, |code, _| {
        likely &= Instr::decode(codec(), code)
            .is_ok_and(|instr| codec().remainder(instr.row_id(), code) == 0 && control_is_likely(&instr));
    });
    likely
}

fn skip_comment(line: &[u8], at: usize) -> usize {
    let at = skip_blanks(line, at);
    match line.get(at..).filter(|rest| rest.starts_with(b"/*")) {
        Some(rest) => {
            let end = rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |n| n + 4);
            skip_blanks(line, at + end)
        }
        None => at,
    }
}

/// Whether a line is an instruction or a directive.
fn reads(line: &str) -> bool {
    let bytes = line.as_bytes();
    line.starts_with(".word 0x")
        || line.starts_with(".header ")
        || line.starts_with(".bytes ")
        || codec().read(line, 0).is_ok_and(|read| {
            let at = skip_comment(bytes, read.end);
            byte(bytes, at) == b';' || is_line_end(bytes, at)
        })
}

/// Whether only this machine writes so: a directive, a mnemonic or operand that older NVIDIA assemblies do not have.
fn is_evidence(line: &str) -> bool {
    const SHARED: &[&str] = &["MOV", "KIL", "RET", "TEX", "TXD", "CAL", "SSY", "BRK", "CONT"];
    let (_, rest) = split_guard(line);
    let word = &rest[..word_end(rest.as_bytes(), 0)];
    line.starts_with('.') || codec().is_mnemonic(word) && !SHARED.contains(&word) || rest.contains("RZ")
}

/// The guard in front of an instruction, and the rest.
fn split_guard(line: &str) -> (&str, &str) {
    match line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
        Some((guard, rest)) => (guard, rest.trim_start()),
        None => ("", line),
    }
}

/// Whether a line is meant as an instruction with operands, right or not.
fn begins(line: &str) -> bool {
    let (_, text) = split_guard(line);
    let end = word_end(text.as_bytes(), 0);
    let (word, behind) = text.split_at(end);
    let names = || codec().rows().map(|(_, row)| row.name);
    // All else must be right where the mnemonic is not.
    let meant = |near| format!("{near}{behind}");
    let misspelt = || closest(word, names()).map(meant).is_some_and(|line| reads(&line) && is_evidence(&line));
    codec().is_mnemonic(word) && is_evidence(line) && is_operand(behind) || misspelt()
}

/// Whether modifiers and a register of this machine follow.
fn is_operand(text: &str) -> bool {
    let operand = text.trim_start_matches(|c: char| c == '.' || c.is_ascii_alphanumeric() || c == '_').trim_start();
    let number = operand.trim_start_matches(['-', '|', '~', '[']).strip_prefix(['R', 'P']);
    number.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == 'Z' || c == 'T'))
}
