//! Assembly texts: what the assemblers of all sets share. Labels and the jumps that name them, directives, lines that cannot
//! be read, and words that only numbers can write.

use crate::code::Code;
use crate::lex::{byte, find_any, skip_blanks, word_end};
use parallax_text::{Diag, LexOptions, Severity, Span, Tokens, closest, lex_range};
use rustc_hash::FxHashMap;

/// Where an instruction came from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Line of the text, from 1; 0 for binaries.
    pub line: u32,
    /// Its bytes in the text or binary.
    pub span: Span,
}

/// The label at `at`, and what stands behind its colon.
///
/// # Errors
/// Where there is none: where the word at `at` ends, if one stands there.
#[inline(always)]
pub fn label(text: &[u8], at: usize) -> Result<(Span, usize), usize> {
    let end = word_end(text, at);
    let colon = skip_blanks(text, end);
    if end > at && byte(text, colon) == b':' { Ok((Span::new(at, end), colon + 1)) } else { Err(end) }
}

/// Where the line behind the one of `at` starts.
#[inline]
pub fn next_line(text: &[u8], at: usize) -> usize {
    find_any(text, at, [b'\n']) + 1
}

/// The labels of a text.
#[derive(Clone, Debug)]
pub struct Labels<'a> {
    source: &'a str,
    places: FxHashMap<&'a str, (usize, Span)>,
    /// Names that jumps asked for in vain.
    unknown: usize,
    /// All names in order, once one was asked for in vain.
    sorted: Vec<&'a str>,
}

impl<'a> Labels<'a> {
    /// None yet.
    pub fn new(source: &'a str) -> Labels<'a> {
        Labels { source, places: FxHashMap::default(), unknown: 0, sorted: Vec::new() }
    }

    /// Adds the label whose name stands at `name`: that of place number `place`.
    ///
    /// # Errors
    /// The label stands in the text already.
    pub fn define(&mut self, name: Span, place: usize) -> Result<(), Diag> {
        let text = name.text(self.source);
        match self.places.get(text) {
            Some(&(_, first)) => {
                let diag = Diag::invalid("label-twice", name, format!("label `{text}` is defined twice"));
                Err(diag.with_label(first, "first here"))
            }
            None => {
                self.places.insert(text, (place, name));
                Ok(())
            }
        }
    }

    /// The place a jump leads to by a name, and where its label stands.
    ///
    /// # Errors
    /// There is no such label.
    pub fn find(&mut self, name: Span) -> Result<(usize, Span), Diag> {
        // Names alike are sought for some: with many labels each search takes a while.
        const SOUGHT: usize = 20;
        let text = name.text(self.source);
        if let Some(found) = self.places.get(text) {
            return Ok(*found);
        }
        if self.unknown == 0 {
            self.sorted.extend(self.places.keys());
            self.sorted.sort_unstable();
        }
        self.unknown += 1;
        let diag = Diag::invalid("unknown-label", name, format!("unknown label `{text}`"));
        let near = if self.unknown <= SOUGHT { closest(text, self.sorted.iter().copied()) } else { None };
        Err(match near {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        })
    }
}

/// A directive with its operands.
#[derive(Copy, Clone, Debug)]
pub struct Directive<'a> {
    /// Its name, without the point.
    pub name: Span,
    /// Its operands, without blanks around them.
    pub operands: &'a str,
    /// Where they stand; where they would, if there are none.
    pub place: Span,
}

impl<'a> Directive<'a> {
    /// The directive of a name whose operands end at `to`, or before a comment by one of these marks.
    pub fn new(source: &'a str, name: Span, to: usize, comments: &[&str]) -> Directive<'a> {
        let from = name.end as usize;
        let rest = comments.iter().fold(&source[from..to], |rest, mark| rest.find(mark).map_or(rest, |at| &rest[..at]));
        // Where a semicolon starts no comment, it may end the line.
        let operands = rest.trim().trim_end_matches(';').trim_end();
        let at = if operands.is_empty() { from } else { from + rest.len() - rest.trim_start().len() };
        Directive { name, operands, place: Span::new(at, at + operands.len()) }
    }

    /// Says that something else was expected behind it.
    pub fn expected(&self, wanted: &str) -> Diag {
        let found = if self.operands.is_empty() { "end of line".to_string() } else { format!("`{}`", self.operands) };
        Diag::invalid("syntax", self.place, format!("expected {wanted}, found {found}"))
    }

    /// Says that there is no such directive; `all` names those there are.
    pub fn unknown(&self, source: &str, all: &str) -> Diag {
        let message = format!("unknown directive `.{}`", self.name.text(source));
        Diag::invalid("unknown-directive", self.name, message).with_help(format!("directives are {all}"))
    }
}

/// Bytes of two hexadecimal digits each; `None` where there are none, or anything else stands among them.
pub fn read_bytes(text: &str) -> Option<Vec<u8>> {
    let byte = |piece: &str| {
        let whole = piece.len() == 2 && piece.bytes().all(|b| b.is_ascii_hexdigit());
        whole.then(|| u8::from_str_radix(piece, 16).ok()).flatten()
    };
    let bytes: Option<Vec<u8>> = text.split_ascii_whitespace().map(byte).collect();
    bytes.filter(|bytes| !bytes.is_empty())
}

/// What stands in an assembly text in place of bytes that are no instruction.
pub fn bytes_directive(bytes: &[u8]) -> String {
    bytes.iter().fold(".bytes".to_string(), |text, byte| text + &format!(" {byte:02x}"))
}

/// The bytes of a text behind its last whole instruction: the cut end of a file.
#[derive(Clone, Debug)]
pub struct Tail {
    /// Number of instructions before them.
    pub at: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Where they stand.
    pub span: Span,
}

/// A text on its way to a list of instructions, one line each.
#[derive(Debug)]
pub struct Assembler<'a, T> {
    /// The text.
    pub source: &'a str,
    /// The instructions read so far.
    pub instrs: Vec<T>,
    /// Where each stands.
    pub lines: Vec<Line>,
    /// Problems of the text.
    pub diags: Vec<Diag>,
    /// What is wrong with words written as numbers. A program must not have them, bytes may.
    pub words: Vec<Diag>,
    /// Those words and their places; placeholders stand there.
    pub raw: Vec<(usize, Code)>,
    /// The bytes behind the last whole instruction.
    pub tail: Option<Tail>,
    labels: Labels<'a>,
    /// Instructions that name a label.
    jumps: Vec<(usize, Span)>,
    /// What keeps the place of a line that cannot be read.
    placeholder: T,
    lexer: LexOptions,
}

impl<'a, T: Copy> Assembler<'a, T> {
    /// Nothing is read yet. Lines have about `chars` characters.
    pub fn new(source: &'a str, lexer: LexOptions, placeholder: T, chars: usize) -> Assembler<'a, T> {
        Assembler {
            source,
            instrs: Vec::with_capacity(source.len() / chars),
            lines: Vec::with_capacity(source.len() / chars),
            diags: Vec::new(),
            words: Vec::new(),
            raw: Vec::new(),
            tail: None,
            labels: Labels::new(source),
            jumps: Vec::new(),
            placeholder,
            lexer,
        }
    }

    /// Takes an instruction.
    #[inline(always)]
    pub fn push(&mut self, instr: T, line: u32, span: Span) {
        self.instrs.push(instr);
        self.lines.push(Line { line, span });
    }

    /// Takes a word written as a number: its instruction, or what is wrong with it.
    pub fn push_word(&mut self, code: Code, decoded: Result<T, Diag>, line: u32, span: Span) {
        let instr = decoded.unwrap_or_else(|diag| {
            self.words.push(diag);
            self.raw.push((self.instrs.len(), code));
            self.placeholder
        });
        self.push(instr, line, span);
    }

    /// Takes the cut end of a file; says whether it is the first.
    pub fn push_tail(&mut self, bytes: Vec<u8>, span: Span) -> bool {
        if self.tail.is_some() {
            self.second_tail(span);
            return false;
        }
        self.tail = Some(Tail { at: self.instrs.len(), bytes, span });
        true
    }

    /// Says that there is a cut end already.
    pub fn second_tail(&mut self, span: Span) {
        self.diags.push(Diag::invalid("bytes-inside", span, "a program has one cut end, this is a second"));
    }

    /// Keeps the place of something that is no instruction, for this reason.
    pub fn refuse(&mut self, diag: Diag, line: u32, span: Span) {
        self.diags.push(diag);
        self.push(self.placeholder, line, span);
    }

    /// Keeps the place of a line that cannot be read from `at` on; where the next one starts.
    #[cold]
    pub fn refuse_line(&mut self, diag: Diag, at: usize, line: u32) -> usize {
        let first = self.tokens(at, |found| found.span());
        self.refuse(diag, line, first);
        next_line(self.source.as_bytes(), at)
    }

    /// Looks at the tokens of a line from `at` on.
    #[cold]
    pub fn tokens<R>(&self, at: usize, look: impl FnOnce(Tokens<'_>) -> R) -> R {
        let mut tokens = Vec::new();
        let end = next_line(self.source.as_bytes(), at).min(self.source.len());
        lex_range(self.source, at.min(end)..end, self.lexer, &mut tokens);
        look(Tokens::new(self.source, &tokens))
    }

    /// Takes the label of the next instruction.
    pub fn label(&mut self, name: Span) {
        self.diags.extend(self.labels.define(name, self.instrs.len()).err());
    }

    /// Says that the next instruction names a label.
    #[inline(always)]
    pub fn jump(&mut self, name: Span) {
        self.jumps.push((self.instrs.len(), name));
    }

    /// Has `lead` fill in where jumps lead: from which instruction by which name to which. `end` is the instruction that ends
    /// a program, for what stands behind all.
    pub fn link(&mut self, end: &str, mut lead: impl FnMut(&mut Self, usize, Span, usize)) {
        if let Some(tail) = &self.tail
            && self.instrs.len() > tail.at
        {
            let message = "`.bytes` is the truncated end of a file: no instruction can follow it";
            self.diags.push(Diag::invalid("bytes-inside", tail.span, message));
        }
        for (at, name) in std::mem::take(&mut self.jumps) {
            match self.labels.find(name) {
                Ok((target, place)) if target >= self.instrs.len() => {
                    let text = name.text(self.source);
                    let message = format!("label `{text}` is after the last instruction");
                    let diag = Diag::invalid("jump-out-of-program", name, message);
                    self.diags.push(diag.with_label(place, "here").with_help(format!("write `{text}: {end}`")));
                }
                Ok((target, _)) => lead(self, at, name, target),
                Err(diag) => self.diags.push(diag),
            }
        }
        parallax_text::sort_by_key(&mut self.diags, |diag| diag.span);
    }
}

/// Turns errors into warnings: whatever has an encoding is assembled, though it does not run.
pub fn only_warn(diags: &mut [Diag]) {
    for diag in diags.iter_mut().filter(|diag| diag.is_error()) {
        diag.severity = Severity::Warning;
        diag.help.push("it is still assembled, but cannot run".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_found_by_their_names() {
        let source = "next next nxet";
        let mut labels = Labels::new(source);
        assert!(labels.define(Span::new(0, 4), 7).is_ok());
        assert_eq!(labels.define(Span::new(5, 9), 8).unwrap_err().code, "label-twice");
        assert_eq!(labels.find(Span::new(5, 9)).unwrap(), (7, Span::new(0, 4)));
        assert_eq!(labels.find(Span::new(10, 14)).unwrap_err().help, ["did you mean `next`?"]);
    }

    #[test]
    fn directives_end_at_comments() {
        let source = ".bytes 01 02 // two";
        let directive = Directive::new(source, Span::new(1, 6), source.len(), &["//"]);
        assert_eq!((directive.operands, directive.place), ("01 02", Span::new(7, 12)));
        assert_eq!(read_bytes(directive.operands), Some(vec![1, 2]));
        assert_eq!(bytes_directive(&[1, 2]), ".bytes 01 02");
        assert!(read_bytes("").is_none() && read_bytes("1 02").is_none());
    }
}
