//! The assembler: lines, labels, comments.

use crate::fields::END;
use crate::{Instr, Line, Program, codec};
use nom::Err;
use parallax_text::{Comments, Diag, LexOptions, Span, TokenKind, Tokens, closest, lex};
use rustc_hash::FxHashMap;

/// How assembly is cut into tokens: `//` and `;` start comments, lines count.
pub(crate) const LEXER: LexOptions =
    LexOptions { comments: Comments::SlashesOr(b';'), newlines: true, carriage_return: true, floats: true };

/// A jump to a label.
struct Jump {
    at: usize,
    name: Span,
}

/// Reads a program: one instruction a line, `label:` in front of one or alone, `//` and `;` comments.
///
/// All problems of the text are collected. Without an error there is a program.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let codec = codec();
    let tokens = lex(source, LEXER);
    let mut input = Tokens::new(source, &tokens);
    let mut program = Program { ends_itself: true, ..Program::default() };
    program.instrs.reserve(tokens.len() / 12);
    program.lines.reserve(tokens.len() / 12);
    let mut diags = Vec::new();
    let mut labels: FxHashMap<&str, (usize, Span)> = FxHashMap::default();
    let mut jumps = Vec::new();
    let mut line = 1;
    let mut open_end = false;
    while !input.at_end() {
        if input.peek().kind == TokenKind::Newline {
            input.bump();
            line += 1;
            continue;
        }
        if input.peek().kind == TokenKind::Word && input.peek_at(1).kind == TokenKind::Punct(b':') {
            let name = input.bump();
            input.bump();
            let text = input.text(name);
            if let Some(&(_, first)) = labels.get(text) {
                let diag = Diag::invalid("label-twice", name.span, format!("label `{text}` stands here again"));
                diags.push(diag.with_label(first, "first here"));
            } else {
                labels.insert(text, (program.instrs.len(), name.span));
            }
            continue;
        }
        match codec.read(input) {
            Ok((rest, parsed)) => {
                input = rest;
                if !matches!(input.peek().kind, TokenKind::Newline | TokenKind::End) {
                    diags.push(input.expected("syntax", "the end of the line"));
                    skip_line(&mut input);
                    continue;
                }
                match Instr::decode(codec, parsed.word) {
                    Ok(instr) => {
                        if let Some(name) = parsed.encoding.deferred() {
                            jumps.push(Jump { at: program.instrs.len(), name });
                        }
                        open_end = parsed.encoding.has(&END) && !instr.end_flag();
                        program.instrs.push(instr);
                        program.lines.push(Line { line, span: parsed.span });
                    }
                    Err(reject) => diags.push(codec.explain(parsed.word, reject, parsed.span)),
                }
            }
            Err(Err::Error(e) | Err::Failure(e)) => {
                diags.push(*e.diag);
                skip_line(&mut input);
            }
            Err(Err::Incomplete(_)) => {
                diags.push(input.expected("syntax", "an instruction"));
                skip_line(&mut input);
            }
        }
    }
    program.ends_itself = !open_end;
    for jump in jumps {
        let name = jump.name.text(source);
        match labels.get(name) {
            Some(&(target, _)) => {
                let distance = target as i64 - jump.at as i64;
                program.instrs[jump.at] = program.instrs[jump.at].with_distance(distance as i32);
            }
            None => {
                let diag = Diag::invalid("unknown-label", jump.name, format!("there is no label `{name}`"));
                let mut known: Vec<&str> = labels.keys().copied().collect();
                known.sort_unstable();
                diags.push(match closest(name, known) {
                    Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                    None => diag,
                });
            }
        }
    }
    diags.sort_by_key(|d| d.span);
    let failed = diags.iter().any(Diag::is_error);
    (if failed { None } else { Some(program) }, diags)
}

fn skip_line(input: &mut Tokens<'_>) {
    while !matches!(input.peek().kind, TokenKind::Newline | TokenKind::End) {
        input.bump();
    }
}
