//! The assembler: lines, labels, comments.

use crate::fields::END;
use crate::placeholder::{BYTES, Given, check_rest, explain_tail, placeholder};
use crate::{check::check, codec::codec, instr::Instr, isa::Attila, program::Program};
use parallax_isa::{Assembler, Code, Isa, Label, byte, label, next_line, only_warn, skip_blanks, word_end};
use parallax_text::{Diag, Span, mark_len};

/// A text that is being read.
struct Reader<'a> {
    asm: Assembler<'a, Instr>,
    /// Whether the last instruction says that it is not the end.
    open_end: bool,
}

/// Reads a program: one instruction a line, `label:` in front of one or alone, `//` and `;` comments.
///
/// All problems of the text are collected; where there are errors, those of the whole program too, as far as it could be
/// read. Without an error there is a program.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let mut read = read(source);
    read.asm.diags.append(&mut read.asm.words);
    if read.asm.diags.iter().any(Diag::is_error) {
        return (None, read.refuse());
    }
    let (program, asm) = read.program();
    (Some(program), asm.diags)
}

/// Assembles a text to bytes: those of [`Program::encode_ended`], or as they stand. Words and bytes a listing could only
/// write as numbers come back as they were, with a warning each; what [`check`](crate::check()) refuses is a warning, too.
pub fn assemble_bytes(source: &str, ended: bool) -> (Option<Vec<u8>>, Vec<Diag>) {
    let mut read = read(source);
    if read.asm.diags.iter().any(Diag::is_error) {
        read.asm.diags.append(&mut read.asm.words);
        return (None, read.refuse());
    }
    let (program, asm) = read.program();
    if program.instrs.is_empty() && asm.tail.is_none() {
        return (None, check(&program));
    }
    // Whatever has an encoding is assembled, so rules of whole programs only warn.
    let mut warnings = asm.words;
    match warnings.is_empty() {
        true => warnings.extend(check(&program)),
        false => check_rest(&program, &mut warnings),
    }
    only_warn(&mut warnings);
    let mut bytes = if ended { program.encode_ended() } else { program.encode() };
    for (at, code) in asm.raw {
        bytes[at * BYTES..][..BYTES].copy_from_slice(&code.word().to_le_bytes());
    }
    bytes.extend(asm.tail.into_iter().flat_map(|tail| tail.bytes));
    (Some(bytes), warnings)
}

/// Reads one instruction, and the name of the label that it leads to: its distance is for the caller to fill in.
///
/// # Errors
/// What is wrong with it.
pub fn read_instruction(text: &str) -> Result<(Instr, Option<&str>), Box<Diag>> {
    let parsed = codec().read(text, 0)?;
    let label = parsed.labels[0].map(|label| label.name.text(text));
    Ok((Instr::new(parsed.row, parsed.code.word()), label))
}

fn read(source: &str) -> Reader<'_> {
    // Short lines have about 16 characters.
    let mut reader = Reader { asm: Assembler::new(source, <Attila as Isa>::LEXER, placeholder(), 16), open_end: false };
    // Some editors put a mark in front of a text.
    let mut at = mark_len(source);
    let mut line = 1;
    while at < source.len() {
        at = reader.line(at, line);
        line += 1;
    }
    reader.asm.link("end", |asm, at, _, target| {
        let distance = target as i64 - at as i64;
        asm.instrs[at] = asm.instrs[at].with_distance(distance as i32);
    });
    reader
}

/// Where the next line starts, if this one has nothing more to read from `at` on but a comment. Behind the last line
/// stands a line feed.
#[inline(always)]
pub(crate) fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let at = skip_blanks(text, at);
    match byte(text, at) {
        b'\n' => Some(at + 1),
        b'\r' => Some(at + 2),
        b';' => Some(next_line(text, at)),
        b'/' if byte(text, at + 1) == b'/' => Some(next_line(text, at)),
        _ => None,
    }
}

impl<'a> Reader<'a> {
    /// Reads the line that starts at `at`; where the next one starts.
    #[inline]
    fn line(&mut self, at: usize, line: u32) -> usize {
        let text = self.asm.source.as_bytes();
        let mut at = skip_blanks(text, at);
        let end = loop {
            match label(text, at) {
                Ok((name, behind)) => {
                    self.asm.label(name);
                    at = skip_blanks(text, behind);
                }
                Err(end) => break end,
            }
        };
        if let Some(next) = line_end(text, at) {
            return next;
        }
        if byte(text, at) == b'.' {
            self.directive(at, line);
            return next_line(text, at);
        }
        match codec().read_word(self.asm.source, (at, end)) {
            Ok(parsed) => match line_end(text, parsed.end) {
                Some(next) => {
                    if let Some(Label { name, .. }) = parsed.labels[0] {
                        self.asm.jump(name);
                    }
                    let instr = Instr::new(parsed.row, parsed.code.word());
                    self.open_end = parsed.encoding.has(&END) && !instr.end_flag();
                    // The line feed does not belong to it.
                    self.asm.push(instr, line, Span::new(at, next.min(text.len() + 1) - 1));
                    next
                }
                None => {
                    let diag = self.asm.tokens(parsed.end, |found| found.expected("syntax", "the end of the line"));
                    self.asm.refuse_line(diag, at, line)
                }
            },
            Err(diag) => self.asm.refuse_line(*diag, at, line),
        }
    }

    /// Reads `.word` or `.bytes`; the point stands at `start`.
    fn directive(&mut self, start: usize, line: u32) {
        let source = self.asm.source;
        let name = Span::new(start + 1, word_end(source.as_bytes(), start + 1));
        if name.start == name.end {
            let found = self.asm.tokens(start, |found| found.expected("syntax", "a mnemonic"));
            let span = found.span.unwrap_or_default();
            return self.asm.refuse(found, line, span);
        }
        let from = name.end as usize;
        let text = &source[from..];
        let text = text.split_once('\n').map_or(text, |(line, _)| line);
        let span = Span::new(start, from + text.trim_end().len());
        // These are exact: no end flag is added behind them.
        self.open_end = true;
        match Given::read(source, name, from + text.len()) {
            Ok(Given::Word(word)) => {
                let decoded = Instr::decode(codec(), word).map_err(|reject| codec().explain(word, reject, span));
                self.asm.push_word(Code::from(word), decoded, line, span);
            }
            Ok(Given::Bytes(bytes)) => {
                if self.asm.push_tail(bytes, span) {
                    let wrong = self.asm.tail.as_ref().map(explain_tail);
                    self.asm.words.extend(wrong);
                }
            }
            Err(diag) => self.asm.refuse(diag, line, span),
        }
    }

    /// All problems of a text that is no program.
    fn refuse(mut self) -> Vec<Diag> {
        if let Some(tail) = &self.asm.tail {
            let span = tail.span;
            self.asm.push(placeholder(), 0, span);
        }
        let (program, mut asm) = self.program();
        check_rest(&program, &mut asm.diags);
        asm.diags
    }

    /// The program, and what else was read.
    fn program(self) -> (Program, Assembler<'a, Instr>) {
        let Reader { mut asm, open_end } = self;
        let (instrs, lines) = (std::mem::take(&mut asm.instrs), std::mem::take(&mut asm.lines));
        (Program { instrs, lines, ends_itself: !open_end }, asm)
    }
}
