//! From text to groups.
//!
//! A text is cut into groups at numbers, labels and braces, and into statements wherever a mnemonic stands: line breaks help, but
//! texts that lost theirs are read as well.

use crate::build::{Builder, Prefix, Statement, Unencoded};
use crate::decode::{self, Stretch};
use crate::group::{Condition, Group, Place, Program};
use crate::isa::LEXER;
use crate::statement;
use crate::table::control::TARGET;
use crate::view::Name;
use parallax_isa::{Binary, Labels, byte, skip_blanks, word_end};
use parallax_text::{Diag, Severity, Span, Tokens, closest, lex_range, mark_len};
use std::borrow::Cow;
use std::sync::Arc;

/// What a text is.
struct Assembler<'a> {
    text: &'a str,
    at: usize,
    /// Number of the line that `at` stands in.
    line: u32,
    diags: Vec<Diag>,
    /// Why groups have no encoding.
    unencoded: Vec<Unencoded>,
    groups: Vec<Group>,
    places: Vec<Place>,
    bytes: Vec<u8>,
    labels: Labels<'a>,
    /// Groups that branch to labels.
    branches: Vec<(usize, Span)>,
    group: Builder,
    /// Where the group being read starts, if it does, and in which line.
    start: Option<(usize, u32)>,
    braces: bool,
}

/// Reads a program. All problems of the text are collected; without an error there is a program.
///
/// Banks of sources that no encoding can name, and operations without one, are fine here: such a program can be run.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let text = lower(source);
    let read = read(&text);
    let sound = !read.diags.iter().any(Diag::is_error);
    let program = Program { groups: Arc::new(read.groups), places: read.places, is_text: true };
    (sound.then_some(program), read.diags)
}

/// Assembles a text to bytes. Bytes a listing could only write as numbers come back as they were, with a warning each.
pub fn assemble_bytes(source: &str) -> (Option<Vec<u8>>, Vec<Diag>) {
    let text = lower(source);
    let Assembler { mut diags, unencoded, bytes, .. } = read(&text);
    for diag in diags.iter_mut().filter(|diag| diag.code == "usc-bytes") {
        diag.severity = Severity::Warning;
        diag.help.push("the bytes are still assembled, but cannot run".into());
    }
    diags.extend(unencoded.into_iter().map(Unencoded::explain));
    parallax_text::sort_by_key(&mut diags, |diag| diag.span);
    let sound = !diags.iter().any(Diag::is_error);
    (sound.then_some(bytes), diags)
}

/// Assembles the text of one group. A branch leads to what stands `distance` bytes behind its start, whatever label it names.
///
/// # Errors
/// What is wrong with the text.
pub fn assemble_group(source: &str, distance: i64) -> Result<Vec<u8>, Diag> {
    let text = lower(source);
    let mut assembler = Assembler::new(&text, 1);
    assembler.groups();
    assembler.link(|_, _| Ok(distance));
    let Assembler { diags, unencoded, groups, bytes, .. } = assembler;
    match diags.into_iter().chain(unencoded.into_iter().map(Unencoded::explain)).find(Diag::is_error) {
        Some(diag) => Err(diag),
        None if groups.len() == 1 => Ok(bytes),
        None => Err(Diag::invalid(
            "syntax",
            Span::new(0, text.len()),
            format!("expected one group, found {}", groups.len()),
        )),
    }
}

/// Letters count in neither case.
fn lower(source: &str) -> Cow<'_, str> {
    // Without an early end inside of a piece, many bytes are looked at in one step.
    let has_upper = |piece: &[u8]| piece.iter().fold(false, |found, b| found | b.is_ascii_uppercase());
    if source.as_bytes().chunks(256).any(has_upper) {
        Cow::Owned(source.to_ascii_lowercase())
    } else {
        Cow::Borrowed(source)
    }
}

fn read(text: &str) -> Assembler<'_> {
    let mut assembler = Assembler::new(text, text.len() / 48);
    assembler.run();
    assembler
}

impl<'a> Assembler<'a> {
    /// `groups`: how many groups are expected.
    fn new(text: &'a str, groups: usize) -> Assembler<'a> {
        Assembler {
            text,
            at: mark_len(text),
            line: 1,
            diags: Vec::new(),
            unencoded: Vec::new(),
            groups: Vec::with_capacity(groups),
            places: Vec::with_capacity(groups),
            bytes: Vec::with_capacity(text.len() / 6),
            labels: Labels::new(text),
            branches: Vec::new(),
            group: Builder::default(),
            start: None,
            braces: false,
        }
    }

    fn byte(&self, ahead: usize) -> u8 {
        byte(self.text.as_bytes(), self.at + ahead)
    }

    /// Takes all groups.
    fn groups(&mut self) {
        while self.at < self.text.len() {
            self.step();
        }
        if self.braces {
            let end = self.text.len();
            self.diags.push(Diag::invalid("usc-brace", Span::new(end, end), "`{` without `}`"));
        }
        self.finish();
    }

    fn run(&mut self) {
        self.groups();
        if self.groups.is_empty() && self.bytes.is_empty() && !self.diags.iter().any(Diag::is_error) {
            self.diags.push(Diag::invalid("usc-empty", Span::default(), "this text has no groups"));
        }
        self.link(|labels, name| labels.find(name).map(|(target, _)| target as i64));
        parallax_text::sort_by_key(&mut self.diags, |diag| diag.span);
    }

    /// Takes whatever stands here.
    fn step(&mut self) {
        let behind = || skip_blanks(self.text.as_bytes(), self.at + 1);
        match self.byte(0) {
            b' ' | b'\t' | b'\r' | b';' => self.at = behind(),
            b'\n' => (self.at, self.line) = (behind(), self.line + 1),
            b'#' => self.at = self.line_end(),
            b'/' if self.byte(1) == b'/' => self.at = self.line_end(),
            // A line that goes on with the group.
            b':' => self.at = behind(),
            b'{' => self.open(),
            b'}' => self.close(),
            b'(' => self.attribute(),
            b'0'..=b'9' => self.number(),
            b'.' => self.directive(),
            _ => self.word(),
        }
    }

    fn line_end(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        self.at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
    }

    /// Reports what stands at `at` and goes on behind it.
    #[cold]
    fn expected(&mut self, at: usize, what: &str) {
        let diag = self.token(at, |tokens| tokens.expected("syntax", what));
        let end = diag.span.map_or(at + 1, |span| span.end as usize).max(at + 1);
        self.diags.push(diag);
        self.group.broken = true;
        self.skip(end);
    }

    /// Looks at the token at `at`.
    fn token<T>(&self, at: usize, look: impl FnOnce(Tokens<'_>) -> T) -> T {
        let mut end = (at + 200).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let mut tokens = Vec::new();
        lex_range(self.text, at..end, LEXER, &mut tokens);
        look(Tokens::new(self.text, &tokens))
    }

    /// Goes on at the next place a statement can start: behind a terminator or at a line's end.
    #[cold]
    fn skip(&mut self, from: usize) {
        let mut from = from.min(self.text.len());
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let rest = &self.text.as_bytes()[from..];
        let end = from + rest.iter().position(|b| matches!(b, b'\n' | b';' | b'}' | b'{')).unwrap_or(rest.len());
        let passed = self.text.as_bytes().get(self.at..end).unwrap_or_default();
        self.line += passed.iter().filter(|b| **b == b'\n').count() as u32;
        self.at = end;
    }

    /// Starts a group here unless one is being read.
    fn begin(&mut self, at: usize) {
        self.start.get_or_insert((at, self.line));
    }

    fn open(&mut self) {
        let at = self.at;
        if self.braces || self.group.has_statements() {
            self.diags.push(Diag::invalid("usc-brace", Span::new(at, at + 1), "`{` inside a group"));
            self.group.broken = true;
        }
        self.braces = true;
        self.begin(at);
        self.at += 1;
    }

    fn close(&mut self) {
        let at = self.at;
        if !self.braces {
            self.diags.push(Diag::invalid("usc-brace", Span::new(at, at + 1), "`}` without `{`"));
        }
        self.braces = false;
        self.at += 1;
        self.finish();
    }

    /// `12 :` starts a group.
    fn number(&mut self) {
        let text = self.text.as_bytes();
        let start = self.at;
        let end = start + text[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        let colon = skip_blanks(text, end);
        if byte(text, colon) != b':' {
            return self.expected(start, "a mnemonic, or a number and `:`");
        }
        self.finish();
        self.begin(start);
        self.at = skip_blanks(text, colon + 1);
    }

    /// `(end)` and its like.
    fn attribute(&mut self) {
        let text = self.text.as_bytes();
        let start = self.at;
        let from = skip_blanks(text, start + 1);
        let end = word_end(text, from);
        let name = &self.text[from..end];
        let mut close = skip_blanks(text, end);
        if !self.group.is_empty() && !self.braces {
            self.finish();
        }
        let prefix = match name {
            "ignorepe" => Prefix::Condition(Condition::Always),
            "end" => Prefix::End,
            "atom" => Prefix::Atomic,
            "olchk" => Prefix::Overlap,
            "rpt1" | "rpt2" | "rpt3" | "rpt4" => Prefix::Repeat(name.as_bytes()[3] - b'0'),
            "bytes" => {
                let digits = text[close..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
                let bytes = bytes_of(&text[close..close + digits]);
                close = skip_blanks(text, close + digits);
                match bytes {
                    Some(bytes) => Prefix::Bytes(bytes),
                    None => return self.expected(skip_blanks(text, end), "an even number of hexadecimal digits"),
                }
            }
            _ => {
                return self.expected(from, "`ignorepe`, `end`, `atom`, `olchk`, `rpt1` to `rpt4` or `bytes`");
            }
        };
        let fresh = self.group.prefix(prefix);
        if byte(text, close) != b')' {
            return self.expected(close, "`)`");
        }
        self.at = close + 1;
        self.prefix_done(start, fresh);
    }

    fn prefix_done(&mut self, start: usize, fresh: bool) {
        self.begin(start);
        if !fresh || self.braces {
            let span = Span::new(start, self.at);
            let message = if self.braces { "this must be before `{`" } else { "this is given twice" };
            self.diags.push(Diag::invalid("usc-prefix", span, message));
            self.group.broken = true;
        }
    }

    /// `if(p0)`, `if(!p0)`; the word stands at `at`.
    fn condition(&mut self, end: usize) {
        let text = self.text.as_bytes();
        let start = self.at;
        if !self.group.is_empty() && !self.braces {
            self.finish();
        }
        let mut at = skip_blanks(text, end);
        if byte(text, at) != b'(' {
            return self.expected(at, "`(p0)` or `(!p0)`");
        }
        at = skip_blanks(text, at + 1);
        let inverted = byte(text, at) == b'!';
        if inverted {
            at = skip_blanks(text, at + 1);
        }
        let word = word_end(text, at);
        if &self.text[at..word] != "p0" {
            return self.expected(at, "`p0`");
        }
        at = skip_blanks(text, word);
        if byte(text, at) != b')' {
            return self.expected(at, "`)`");
        }
        self.at = at + 1;
        let condition = if inverted { Condition::IfNotP0 } else { Condition::IfP0 };
        let fresh = self.group.prefix(Prefix::Condition(condition));
        self.prefix_done(start, fresh);
    }

    /// `.bytes 01 02 ...`
    fn directive(&mut self) {
        let text = self.text.as_bytes();
        let start = self.at;
        let end = word_end(text, start + 1);
        if &self.text[start + 1..end] != "bytes" {
            return self.expected(start, "a mnemonic or `.bytes`");
        }
        self.finish();
        let (mut at, mut bytes) = (skip_blanks(text, end), Vec::new());
        while let (Some(high), Some(low)) = (digit(byte(text, at)), digit(byte(text, at + 1))) {
            bytes.push(high << 4 | low);
            at = skip_blanks(text, at + 2);
        }
        if bytes.is_empty() || digit(byte(text, at)).is_some() {
            return self.expected(at, "bytes of two hexadecimal digits each");
        }
        let span = Span::new(start, at);
        let filler = bytes.iter().all(|b| *b == 0xcd) && bytes.len() >= 2;
        if !filler {
            let binary = Binary::new(&bytes);
            let mut message = "these bytes are not a group".to_string();
            if let Some(Stretch::Bad(_, diag)) = decode::stretch(&binary, 0) {
                message = format!("{message}: {}", diag.message);
            }
            self.diags.push(Diag::invalid("usc-bytes", span, message));
        }
        self.bytes.extend(bytes);
        self.at = at;
    }

    /// A label, a condition or a statement.
    fn word(&mut self) {
        let text = self.text.as_bytes();
        let start = self.at;
        let end = word_end(text, start);
        if end == start {
            return self.expected(start, "a mnemonic");
        }
        let Some(kinds) = statement::kinds(text, start, end) else {
            let word = &self.text[start..end];
            let next = skip_blanks(text, end);
            if byte(text, next) == b':' {
                return self.label(Span::new(start, end), next + 1);
            }
            if word == "if" {
                return self.condition(end);
            }
            return self.unknown(word, Span::new(start, end));
        };
        self.begin(start);
        self.statement(Statement { start, end, kinds });
    }

    fn label(&mut self, span: Span, behind: usize) {
        self.finish();
        self.at = behind;
        self.diags.extend(self.labels.define(span, self.bytes.len()).err());
    }

    #[cold]
    fn unknown(&mut self, word: &str, span: Span) {
        let diag = Diag::invalid("unknown-mnemonic", span, format!("unknown instruction `{word}`"));
        self.diags.push(match closest(word, statement::mnemonics()) {
            Some(near) => diag.with_help(format!("did you mean `{near}`?")),
            None => diag,
        });
        self.group.broken = true;
        self.skip(span.end as usize);
    }

    fn statement(&mut self, statement: Statement) {
        let end = statement.end;
        match self.group.statement(self.text, statement) {
            Ok(at) => {
                let text = self.text.as_bytes();
                self.at = skip_blanks(text, at);
                // Most statements end here, and some of them their line.
                let lines = match self.byte(0) {
                    b'\n' => Some(1),
                    b';' => Some(0),
                    _ => None,
                };
                if let Some(lines) = lines {
                    self.line += lines;
                    self.at = skip_blanks(text, self.at + 1);
                    return;
                }
                // Operands that are not read: `_`, or an empty last one.
                while self.byte(0) == b',' {
                    let none = skip_blanks(text, self.at + 1);
                    if byte(text, none) != b'_' || word_end(text, none + 1) > none + 1 {
                        break;
                    }
                    self.at = skip_blanks(text, none + 1);
                }
                if self.byte(0) == b',' {
                    let next = skip_blanks(text, self.at + 1);
                    let ends = matches!(byte(text, next), b'\n' | b'\r' | b';' | b'}' | b'#' | b'0'..=b'9')
                        || statement::kinds(text, next, word_end(text, next)).is_some();
                    if !ends {
                        return self.expected(self.at, "the end of the statement");
                    }
                    self.at += 1;
                }
                let next = self.byte(0);
                let ends = self.at >= self.text.len()
                    || matches!(byte(text, self.at.wrapping_sub(1)), b' ' | b'\t' | b',')
                    || matches!(next, b'\n' | b'\r' | b';' | b'}' | b'#' | b':' | b'{')
                    || next == b'/' && self.byte(1) == b'/';
                if !ends {
                    self.expected(self.at, "the end of the statement");
                }
            }
            // Given bytes say where operands stand, which the text of a group cannot always.
            Err(diag)
                if self.group.has_bytes() && matches!(diag.code, "usc-source-limit" | "set-twice" | "usc-operands") =>
            {
                self.group.mark_read();
                self.skip(end);
            }
            Err(diag) => {
                let at = diag.span.map_or(end, |span| span.start as usize).max(end);
                self.diags.push(*diag);
                self.group.broken = true;
                self.skip(at);
            }
        }
    }

    /// Ends the group being read.
    fn finish(&mut self) {
        let Some((start, line)) = self.start.take() else { return };
        self.braces = false;
        self.end_group(start, line);
        self.group.clear();
    }

    fn end_group(&mut self, start: usize, line: u32) {
        if self.group.broken {
            return;
        }
        let text = self.text.as_bytes();
        let mut end = self.at.min(text.len());
        while end > start + 1 && text[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        let span = Span::new(start, end);
        if self.group.is_empty() {
            self.diags.push(Diag::invalid("usc-empty-group", span, "this group has no statement"));
            return;
        }
        let branch = self.group.branch.take();
        match self.group.finish(span, &mut self.groups, &mut self.bytes) {
            Ok(unencoded) => {
                if let Some(name) = branch {
                    self.branches.push((self.groups.len() - 1, name));
                }
                self.unencoded.extend(unencoded);
                self.places.push(Place { line, span });
            }
            Err(diag) => self.diags.push(*diag),
        }
    }

    /// Fills in where branches lead.
    fn link(&mut self, find: impl Fn(&mut Labels<'a>, Span) -> Result<i64, Diag>) {
        for (n, name) in std::mem::take(&mut self.branches) {
            let target = match find(&mut self.labels, name) {
                Ok(target) => target,
                Err(diag) => {
                    self.diags.push(diag);
                    continue;
                }
            };
            let group = &mut self.groups[n];
            let Some(operation) = group.operations.first_mut() else { continue };
            let from = if operation.has(Name::IsAbsolute) { 0 } else { i64::from(group.offset) };
            let distance = (target - from) as i32;
            TARGET.put(&mut operation.code, u64::from(distance as u32));
            let at = group.offset as usize + 4;
            if let Some(bytes) = self.bytes.get_mut(at..at + 4) {
                bytes.copy_from_slice(&distance.to_le_bytes());
            }
        }
    }
}

fn digit(b: u8) -> Option<u8> {
    char::from(b).to_digit(16).map(|d| d as u8)
}

fn bytes_of(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes: Option<Vec<u8>> = pairs.iter().map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect();
    bytes.filter(|bytes| rest.is_empty() && !bytes.is_empty())
}

/// What the statements of a text look like.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Recognised {
    /// Those that can be read and could be of no other instruction set.
    pub(crate) own: usize,
    /// Those that start with a mnemonic of this instruction set alone.
    pub(crate) named: usize,
    /// All.
    pub(crate) all: usize,
}

/// Looks at the first statement of each line of a text, up to so many.
pub(crate) fn recognise(source: &str, most: usize) -> Recognised {
    let text = lower(source);
    let mut found = Recognised::default();
    for line in text.lines() {
        let Some(line) = statement_of(line) else { continue };
        found.all += 1;
        let end = word_end(line.as_bytes(), 0);
        if let Some(kinds) = statement::kinds(line.as_bytes(), 0, end) {
            let shared = statement::is_shared(&line[..end]);
            let sound = Builder::default().statement(line, Statement { start: 0, end, kinds }).is_ok();
            found.own += usize::from(sound && (!shared || has_own_register(line)));
            found.named += usize::from(!shared);
        }
        if found.all == most {
            break;
        }
    }
    found
}

/// The first statement of a line, behind a number and what may stand in front of a group.
fn statement_of(line: &str) -> Option<&str> {
    let mut line = line.split(['#', ';']).next()?.trim();
    loop {
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
        line = if let Some(rest) = digits.strip_prefix([':', '{', '}']) {
            rest.trim_start()
        } else if let Some(rest) = line.strip_prefix("if").map(str::trim_start).unwrap_or(line).strip_prefix('(') {
            rest.split_once(')').map_or("", |(_, rest)| rest).trim_start()
        } else {
            return (!line.is_empty() && !line.starts_with("//")).then_some(line);
        };
    }
}

/// Whether a line names a register or feed-through that only this instruction set has.
fn has_own_register(line: &str) -> bool {
    let own = |word: &str| {
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        word.len() > name.len() && matches!(name, "ft" | "sh" | "vi" | "cf" | "cfa" | "idx" | "drc") || word == "ftt"
    };
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(own)
}
