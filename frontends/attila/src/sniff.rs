//! Recognising programs.

use crate::asm::LEXER;
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
    // A page is enough to meet an instruction; cut at a line end so that it is whole.
    let page = match text.char_indices().nth(4096) {
        None => text,
        Some((at, _)) => text[..at].rsplit_once('\n').map_or("", |(page, _)| page),
    };
    let tokens = lex(page, LEXER);
    let mut input = Tokens::new(page, &tokens);
    loop {
        match input.peek().kind {
            TokenKind::Newline => {
                input.bump();
            }
            TokenKind::Word if input.peek_at(1).kind == TokenKind::Punct(b':') => {
                input.bump();
                input.bump();
            }
            TokenKind::End => return false,
            _ => break,
        }
    }
    let read = codec().read(input);
    read.is_ok_and(|(rest, _)| matches!(rest.peek().kind, TokenKind::Newline | TokenKind::End))
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
}
