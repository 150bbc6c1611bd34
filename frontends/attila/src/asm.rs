//! The assembler: lines, labels, comments.

use crate::fields::END;
use crate::{Instr, Line, Program, codec};
use nom::Err;
use parallax_isa::{byte, skip_blanks};
use parallax_text::{Comments, Diag, LexOptions, Span, Token, TokenKind, Tokens, closest, lex, lex_range};
use rustc_hash::FxHashMap;

/// How assembly is cut into tokens: `//` and `;` start comments, lines count.
pub(crate) const LEXER: LexOptions =
    LexOptions { comments: Comments::SlashesOr(b';'), newlines: true, carriage_return: true, floats: true };

/// A jump to a label.
struct Jump {
    at: usize,
    name: Span,
}

struct Assembler<'a> {
    source: &'a str,
    program: Program,
    diags: Vec<Diag>,
    labels: FxHashMap<&'a str, (usize, Span)>,
    jumps: Vec<Jump>,
    /// Whether the last instruction says that it is not the end.
    open_end: bool,
}

/// Reads a program: one instruction a line, `label:` in front of one or alone, `//` and `;` comments.
///
/// All problems of the text are collected. Without an error there is a program.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let mut assembler = Assembler {
        source,
        program: Program::default(),
        diags: Vec::new(),
        labels: FxHashMap::default(),
        jumps: Vec::new(),
        open_end: false,
    };
    // Short lines have about 16 characters.
    assembler.program.instrs.reserve(source.len() / 16);
    assembler.program.lines.reserve(source.len() / 16);
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while at < source.len() {
        at = match assembler.plain_line(at, line) {
            Some(end) => end,
            None => {
                let rest = &source.as_bytes()[at..];
                let end = at + rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |n| n + 1);
                tokens.clear();
                lex_range(source, at..end, LEXER, &mut tokens);
                assembler.line(&tokens, line);
                end
            }
        };
        line += 1;
    }
    assembler.finish()
}

/// Whether the short way of reading and the long way make the same of a line. For tests and fuzzers.
pub fn readers_agree(line: &str) -> bool {
    parallax_isa::agrees(codec(), line, Tokens::new(line, &lex(line, LEXER)))
}

/// Where the next line starts, if this one has nothing more to read from `at` on but a comment. Behind the last line
/// stands a line feed.
#[inline(always)]
fn line_end(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at = skip_blanks(text, at);
        match byte(text, at) {
            b'\n' => return Some(at + 1),
            b'\r' => at += 1,
            b';' => break,
            b'/' if byte(text, at + 1) == b'/' => break,
            _ => return None,
        }
    }
    Some(at + text[at..].iter().position(|b| *b == b'\n').unwrap_or(text.len() - at) + 1)
}

impl<'a> Assembler<'a> {
    /// Reads a line that holds a plainly written instruction, or nothing; the next line's start. `None` where it takes
    /// tokens to tell what it holds.
    #[inline(always)]
    fn plain_line(&mut self, start: usize, line: u32) -> Option<usize> {
        let text = self.source.as_bytes();
        let start = skip_blanks(text, start);
        if let Some(end) = line_end(text, start) {
            return Some(end);
        }
        let (row, word, end) = codec().skim(text, start)?;
        let end = line_end(text, end)?;
        // The line feed does not belong to it.
        let span = Span::new(start, end.min(text.len() + 1) - 1);
        self.push(Instr::new(row, word), line, span);
        self.open_end = false;
        Some(end)
    }

    fn push(&mut self, instr: Instr, line: u32, span: Span) {
        self.program.instrs.push(instr);
        self.program.lines.push(Line { line, span });
    }

    /// Reads the tokens of one line.
    fn line(&mut self, tokens: &[Token], line: u32) {
        let mut input = Tokens::new(self.source, tokens);
        while input.peek().kind == TokenKind::Word && input.peek_at(1).kind == TokenKind::Punct(b':') {
            let name = input.bump();
            input.bump();
            let text = name.span.text(self.source);
            if let Some(&(_, first)) = self.labels.get(text) {
                let diag = Diag::invalid("label-twice", name.span, format!("label `{text}` stands here again"));
                self.diags.push(diag.with_label(first, "first here"));
            } else {
                self.labels.insert(text, (self.program.instrs.len(), name.span));
            }
        }
        if matches!(input.peek().kind, TokenKind::Newline | TokenKind::End) {
            return;
        }
        match codec().read(input) {
            Ok((rest, _)) if !matches!(rest.peek().kind, TokenKind::Newline | TokenKind::End) => {
                self.diags.push(rest.expected("syntax", "the end of the line"));
            }
            Ok((_, parsed)) => {
                if let Some(name) = parsed.encoding.deferred() {
                    self.jumps.push(Jump { at: self.program.instrs.len(), name });
                }
                let instr = Instr::new(parsed.row, parsed.word);
                self.open_end = parsed.encoding.has(&END) && !instr.end_flag();
                self.push(instr, line, parsed.span);
            }
            Err(Err::Error(e) | Err::Failure(e)) => self.diags.push(*e.diag),
            Err(Err::Incomplete(_)) => self.diags.push(input.expected("syntax", "an instruction")),
        }
    }

    fn finish(self) -> (Option<Program>, Vec<Diag>) {
        let Assembler { source, mut program, mut diags, labels, jumps, open_end } = self;
        program.ends_itself = !open_end;
        for jump in jumps {
            let name = jump.name.text(source);
            match labels.get(name) {
                Some(&(target, at)) if target == program.instrs.len() => {
                    let message = format!("label `{name}` stands behind the last instruction");
                    let diag = Diag::invalid("jump-out-of-program", jump.name, message);
                    diags.push(diag.with_label(at, "here").with_help(format!("write `{name}: end`")));
                }
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
}
