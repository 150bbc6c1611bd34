//! The assembler: lines, labels, comments.

use crate::fields::END;
use crate::placeholder::{BYTES, Directive, Tail, check_rest, placeholder};
use crate::{Instr, Line, Program, check, codec};
use parallax_isa::{Label, byte, skip_blanks, word_end};
use parallax_text::{Comments, Diag, LexOptions, Severity, Span, Tokens, closest, lex_range, mark_len};
use rustc_hash::FxHashMap;

/// How assembly is cut into tokens for messages: `//` and `;` start comments, lines count.
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
    /// What is wrong with words written as numbers. A program must not have them, bytes may.
    words: Vec<Diag>,
    /// Those words and their places; placeholders stand there.
    raw: Vec<(usize, u128)>,
    tail: Option<Tail>,
}

/// Reads a program: one instruction a line, `label:` in front of one or alone, `//` and `;` comments.
///
/// All problems of the text are collected; where there are errors, those of the whole program too, as far as it could be
/// read. Without an error there is a program.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let mut read = read(source);
    read.diags.append(&mut read.words);
    if read.diags.iter().any(Diag::is_error) { (None, read.refuse()) } else { (Some(read.program), read.diags) }
}

/// Assembles a text to bytes: those of [`Program::encode_ended`], or as they stand. Words and bytes a listing could only
/// write as numbers come back as they were, with a warning each; what [`check`](crate::check()) refuses is a warning, too.
pub fn assemble_bytes(source: &str, ended: bool) -> (Option<Vec<u8>>, Vec<Diag>) {
    let mut read = read(source);
    if read.diags.iter().any(Diag::is_error) {
        read.diags.append(&mut read.words);
        return (None, read.refuse());
    }
    if read.program.instrs.is_empty() && read.tail.is_none() {
        return (None, check(&read.program));
    }
    // Whatever has an encoding is assembled, so rules of whole programs only warn.
    let mut warnings = read.words;
    match warnings.is_empty() {
        true => warnings.extend(check(&read.program)),
        false => check_rest(&read.program, &mut warnings),
    }
    for diag in warnings.iter_mut().filter(|diag| diag.is_error()) {
        diag.severity = Severity::Warning;
        diag.help.push("it is assembled all the same, but does not run".into());
    }
    let mut bytes = if ended { read.program.encode_ended() } else { read.program.encode() };
    for (at, word) in read.raw {
        bytes[at * BYTES..][..BYTES].copy_from_slice(&word.to_le_bytes());
    }
    bytes.extend(read.tail.into_iter().flat_map(|tail| tail.bytes));
    (Some(bytes), warnings)
}

fn read(source: &str) -> Assembler<'_> {
    let mut assembler = Assembler {
        source,
        program: Program::default(),
        diags: Vec::new(),
        labels: FxHashMap::default(),
        jumps: Vec::new(),
        open_end: false,
        words: Vec::new(),
        raw: Vec::new(),
        tail: None,
    };
    // Short lines have about 16 characters.
    assembler.program.instrs.reserve(source.len() / 16);
    assembler.program.lines.reserve(source.len() / 16);
    // Some editors put a mark in front of a text.
    let mut at = mark_len(source);
    let mut line = 1;
    while at < source.len() {
        at = assembler.line(at, line);
        line += 1;
    }
    assembler.finish();
    assembler
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

#[inline]
fn next_line(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().position(|b| *b == b'\n').unwrap_or(text.len() - at) + 1
}

/// The label at `at` and what stands behind its colon.
#[inline(always)]
pub(crate) fn label(text: &[u8], at: usize) -> Option<(Span, usize)> {
    let end = word_end(text, at);
    let colon = skip_blanks(text, end);
    (end > at && byte(text, colon) == b':').then(|| (Span::new(at, end), skip_blanks(text, colon + 1)))
}

impl<'a> Assembler<'a> {
    fn push(&mut self, instr: Instr, line: u32, span: Span) {
        self.program.instrs.push(instr);
        self.program.lines.push(Line { line, span });
    }

    /// Reads the line that starts at `at`; where the next one starts.
    #[inline]
    fn line(&mut self, at: usize, line: u32) -> usize {
        let text = self.source.as_bytes();
        let mut at = skip_blanks(text, at);
        while let Some((name, behind)) = label(text, at) {
            self.label(name);
            at = behind;
        }
        if let Some(next) = line_end(text, at) {
            return next;
        }
        if byte(text, at) == b'.' {
            self.directive(at, line);
            return next_line(text, at);
        }
        match codec().read(self.source, at) {
            Ok(parsed) => match line_end(text, parsed.end) {
                Some(next) => {
                    if let Some(Label { name, .. }) = parsed.labels[0] {
                        self.jumps.push(Jump { at: self.program.instrs.len(), name });
                    }
                    let instr = Instr::new(parsed.row, parsed.code.word());
                    self.open_end = parsed.encoding.has(&END) && !instr.end_flag();
                    // The line feed does not belong to it.
                    self.push(instr, line, Span::new(at, next.min(text.len() + 1) - 1));
                    next
                }
                None => {
                    let diag = self.tokens(parsed.end, |found| found.expected("syntax", "the end of the line"));
                    self.refuse_line(diag, at, line)
                }
            },
            Err(diag) => self.refuse_line(*diag, at, line),
        }
    }

    fn label(&mut self, name: Span) {
        let text = name.text(self.source);
        match self.labels.get(text) {
            Some(&(_, first)) => {
                let diag = Diag::invalid("label-twice", name, format!("label `{text}` stands here again"));
                self.diags.push(diag.with_label(first, "first here"));
            }
            None => {
                self.labels.insert(text, (self.program.instrs.len(), name));
            }
        }
    }

    /// Looks at the tokens of a line from `at` on.
    #[cold]
    fn tokens<T>(&self, at: usize, look: impl FnOnce(Tokens<'_>) -> T) -> T {
        let mut tokens = Vec::new();
        lex_range(self.source, at..next_line(self.source.as_bytes(), at).min(self.source.len()), LEXER, &mut tokens);
        look(Tokens::new(self.source, &tokens))
    }

    /// Keeps the place of a line that cannot be read; where the next one starts.
    #[cold]
    fn refuse_line(&mut self, diag: Diag, at: usize, line: u32) -> usize {
        let first = self.tokens(at, |found| found.span());
        self.diags.push(diag);
        self.push(placeholder(), line, first);
        next_line(self.source.as_bytes(), at)
    }

    /// Reads `.word` or `.bytes`; the point stands at `start`.
    fn directive(&mut self, start: usize, line: u32) {
        let name = Span::new(start + 1, word_end(self.source.as_bytes(), start + 1));
        if name.start == name.end {
            let found = self.tokens(start, |found| found.expected("syntax", "a mnemonic"));
            let span = found.span.unwrap_or_default();
            self.diags.push(found);
            return self.push(placeholder(), line, span);
        }
        let from = name.end as usize;
        let text = &self.source[from..];
        let text = text.split_once('\n').map_or(text, |(line, _)| line);
        let span = Span::new(start, from + text.trim_end().len());
        // These are exact: no end flag is added behind them.
        self.open_end = true;
        match Directive::read(self.source, name, from, from + text.len()) {
            Ok(Directive::Word(word)) => match Instr::decode(codec(), word) {
                Ok(instr) => self.push(instr, line, span),
                Err(reject) => {
                    self.words.push(codec().explain(word, reject, span));
                    self.raw.push((self.program.instrs.len(), word));
                    self.push(placeholder(), line, span);
                }
            },
            Ok(Directive::Bytes(bytes)) if self.tail.is_none() => {
                let tail = Tail { at: self.program.instrs.len(), bytes, span };
                self.words.push(tail.explain());
                self.tail = Some(tail);
            }
            Ok(Directive::Bytes(_)) => {
                self.diags.push(Diag::invalid("bytes-inside", span, "a program has one cut end, this is a second"));
            }
            Err(diag) => {
                self.diags.push(diag);
                self.push(placeholder(), line, span);
            }
        }
    }

    /// All problems of a text that is no program.
    fn refuse(mut self) -> Vec<Diag> {
        if let Some(tail) = &self.tail {
            let span = tail.span;
            self.push(placeholder(), 0, span);
        }
        check_rest(&self.program, &mut self.diags);
        self.diags
    }

    fn finish(&mut self) {
        let Assembler { source, program, diags, labels, jumps, .. } = self;
        program.ends_itself = !self.open_end;
        if let Some(tail) = &self.tail
            && program.instrs.len() > tail.at
        {
            let message = "`.bytes` is the cut end of a file: no instruction can follow it";
            diags.push(Diag::invalid("bytes-inside", tail.span, message));
        }
        // Names alike are sought for some: with many labels each search takes a while.
        const SOUGHT: usize = 20;
        let mut unknown = 0;
        let mut known: Vec<&str> = Vec::new();
        for jump in jumps.iter() {
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
                    if unknown == 0 {
                        known.extend(labels.keys());
                        known.sort_unstable();
                    }
                    unknown += 1;
                    let near = if unknown <= SOUGHT { closest(name, known.iter().copied()) } else { None };
                    diags.push(match near {
                        Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                        None => diag,
                    });
                }
            }
        }
        diags.sort_by_key(|d| d.span);
    }
}
