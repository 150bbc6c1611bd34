//! The assembler: lines, labels, comments, directives.

use crate::fields::{CONTROL, NO_CONTROL, TARGET};
use crate::listing::is_branch;
use crate::program::{Addresses, filler};
use crate::{Header, Instr, Line, Program, check, codec};
use parallax_isa::{Bundles, Code, Stream, byte, skip_blanks, word_end};
use parallax_lift::Layout;
use parallax_text::{Comments, Diag, LexOptions, Severity, Span, Tokens, closest, lex_range, mark_len, parse_u64};
use rustc_hash::FxHashMap;

/// How assembly is cut into tokens for messages: `//` starts a comment, lines count.
pub(crate) const LEXER: LexOptions =
    LexOptions { comments: Comments::Slashes, newlines: true, carriage_return: true, floats: true };

struct Assembler<'a> {
    source: &'a str,
    program: Program,
    diags: Vec<Diag>,
    labels: FxHashMap<&'a str, (usize, Span)>,
    /// Instructions that name a label.
    jumps: Vec<(usize, Span)>,
    /// What is wrong with words written as numbers, and with fields of the header. A program must not have them, bytes may.
    words: Vec<Diag>,
    /// Those words and their places; placeholders stand there.
    raw: Vec<(usize, Code)>,
    /// The bytes behind the last whole bundle.
    tail: Option<(Vec<u8>, Span)>,
    /// Where the lines of the header stand, by the word they set.
    header: [Span; Header::WORDS],
}

/// Reads a program: instructions, each on its line or with `;` behind it, `label:` in front of one or alone, `//` and
/// `/* */` comments.
///
/// All problems of the text are collected. Without an error there is a program.
pub fn assemble(source: &str, layout: &Layout) -> (Option<Program>, Vec<Diag>) {
    let mut read = read(source, layout);
    read.diags.append(&mut read.words);
    if read.tail.is_some() {
        let span = read.tail.as_ref().map_or(Span::default(), |tail| tail.1);
        read.diags.push(Diag::invalid("truncated-bundle", span, "the bytes are no whole bundle"));
    }
    read.diags.sort_by_key(|diag| diag.span);
    if read.diags.iter().any(Diag::is_error) { (None, read.diags) } else { (Some(read.program), read.diags) }
}

/// Assembles a text to bytes, in bundles unless `layout` says otherwise. Words and bytes a listing could only write as
/// numbers come back as they were, with a warning each; what [`check`](crate::check()) refuses is a warning, too.
pub fn assemble_bytes(source: &str, layout: &Layout) -> (Option<Vec<u8>>, Vec<Diag>) {
    let read = read(source, layout);
    if read.diags.iter().any(Diag::is_error) {
        let mut diags = read.diags;
        diags.extend(read.words);
        diags.sort_by_key(|diag| diag.span);
        return (None, diags);
    }
    if read.program.instrs.is_empty() && read.tail.is_none() {
        return (None, check(&read.program));
    }
    let mut warnings = read.diags;
    if read.words.is_empty() {
        warnings.extend(check(&read.program));
    }
    warnings.extend(read.words);
    warnings.sort_by_key(|diag| diag.span);
    for diag in warnings.iter_mut().filter(|diag| diag.is_error()) {
        diag.severity = Severity::Warning;
        diag.help.push("it is assembled all the same, but does not run".into());
    }
    let mut codes: Vec<Code> = read.program.instrs.iter().map(Instr::code).collect();
    for (at, code) in &read.raw {
        codes[*at] = *code;
    }
    let mut bytes = read.program.header.map_or(Vec::new(), |header| header.bytes().to_vec());
    if layout.bare {
        codes.iter().for_each(|code| bytes.extend_from_slice(&(code.word() as u64).to_le_bytes()));
    } else {
        bytes.extend(Bundles { filler: filler().code() }.encode(&codes));
    }
    bytes.extend(read.tail.into_iter().flat_map(|tail| tail.0));
    (Some(bytes), warnings)
}

fn read<'a>(source: &'a str, layout: &Layout) -> Assembler<'a> {
    let program = Program { addresses: Addresses::of(layout), bare: layout.bare, ..Program::default() };
    let mut assembler = Assembler {
        source,
        program,
        diags: Vec::new(),
        labels: FxHashMap::default(),
        jumps: Vec::new(),
        words: Vec::new(),
        raw: Vec::new(),
        tail: None,
        header: [Span::default(); Header::WORDS],
    };
    // Short lines have about 24 characters.
    assembler.program.instrs.reserve(source.len() / 24);
    assembler.program.lines.reserve(source.len() / 24);
    let (mut at, mut line) = (mark_len(source), 1);
    while at < source.len() {
        at = assembler.statement(at, &mut line);
    }
    assembler.finish();
    assembler
}

/// Where blanks and comments in `/* */` from `at` on end; how many lines they hold.
fn skip(text: &[u8], mut at: usize) -> (usize, u32) {
    let mut lines = 0;
    loop {
        at = skip_blanks(text, at);
        if !text[at.min(text.len())..].starts_with(b"/*") {
            return (at, lines);
        }
        let comment = &text[at + 2..];
        let len = comment.windows(2).position(|two| two == b"*/").map_or(comment.len(), |n| n + 2);
        lines += comment[..len].iter().filter(|b| **b == b'\n').count() as u32;
        at += 2 + len;
    }
}

/// Whether nothing but a comment stands in the line from `at` on.
pub(crate) fn is_line_end(text: &[u8], at: usize) -> bool {
    match byte(text, at) {
        b'\n' => true,
        b'\r' => byte(text, at + 1) == b'\n',
        b'/' => byte(text, at + 1) == b'/',
        _ => at >= text.len(),
    }
}

fn next_line(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or(&[]);
    at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len()) + 1
}

/// The label at `at` and where what follows its colon starts.
pub(crate) fn label(text: &[u8], at: usize) -> Option<(Span, usize)> {
    let end = word_end(text, at);
    let colon = skip_blanks(text, end);
    (end > at && byte(text, colon) == b':').then(|| (Span::new(at, end), colon + 1))
}

impl<'a> Assembler<'a> {
    fn push(&mut self, instr: Instr, line: u32, span: Span) {
        self.program.instrs.push(instr);
        self.program.lines.push(Line { line, span });
    }

    /// Reads what stands at `at`: a label, an instruction, a directive, or the end of the line; where the next starts.
    #[inline]
    fn statement(&mut self, at: usize, line: &mut u32) -> usize {
        let text = self.source.as_bytes();
        let (at, lines) = skip(text, at);
        *line += lines;
        if is_line_end(text, at) {
            *line += 1;
            return next_line(text, at);
        }
        match byte(text, at) {
            b';' => return at + 1,
            b'.' => {
                self.directive(at, *line);
                *line += 1;
                return next_line(text, at);
            }
            _ => {}
        }
        if let Some((name, behind)) = label(text, at) {
            self.label(name);
            return behind;
        }
        match codec().read(self.source, at) {
            Ok(parsed) => {
                let (end, lines) = skip(text, parsed.end);
                let next = match byte(text, end) {
                    b';' => end + 1,
                    _ if is_line_end(text, end) => end,
                    _ => {
                        let diag = self.tokens(end, |found| found.expected("syntax", "`;` or the end of the line"));
                        return self.refuse_line(diag, at, line);
                    }
                };
                let span = Span::new(at, parsed.end);
                let instr = Instr::new(parsed.row, &parsed.code);
                let n = self.program.instrs.len();
                let instr = match parsed.labels[0] {
                    Some(label) => {
                        self.jumps.push((n, label.name));
                        instr
                    }
                    None if is_branch(&instr) => self.lead(instr, n, TARGET.get_signed(&parsed.code), span),
                    None => instr,
                };
                self.push(instr, *line, span);
                *line += lines;
                next
            }
            Err(diag) => self.refuse_line(*diag, at, line),
        }
    }

    /// The branch at place `n` to an address.
    fn lead(&mut self, instr: Instr, n: usize, target: i64, span: Span) -> Instr {
        let from = self.program.addresses.of_instruction(n) as i64;
        let distance = target.wrapping_sub(from.wrapping_add(8));
        instr.with_distance(distance).unwrap_or_else(|| {
            let message = format!("the place is {distance} bytes away; branches reach -8388608 to 8388607");
            self.diags.push(Diag::invalid("jump-range", span, message));
            instr
        })
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
        let end = next_line(self.source.as_bytes(), at).min(self.source.len());
        lex_range(self.source, at.min(end)..end, LEXER, &mut tokens);
        look(Tokens::new(self.source, &tokens))
    }

    /// Keeps the place of a line that cannot be read; where the next one starts.
    #[cold]
    fn refuse_line(&mut self, diag: Diag, at: usize, line: &mut u32) -> usize {
        let first = self.tokens(at, |found| found.span());
        self.diags.push(diag);
        self.push(filler(), *line, first);
        *line += 1;
        next_line(self.source.as_bytes(), at)
    }

    /// Reads `.word`, `.bytes` or `.header`; the point stands at `start`.
    fn directive(&mut self, start: usize, line: u32) {
        let bytes = self.source.as_bytes();
        let name = Span::new(start + 1, word_end(bytes, start + 1));
        let from = name.end as usize;
        let rest = &self.source[from..];
        let rest = rest.split_once('\n').map_or(rest, |(line, _)| line);
        let rest = rest.find("//").map_or(rest, |at| &rest[..at]);
        let operands = rest.trim().trim_end_matches(';').trim_end();
        let at = if operands.is_empty() { from } else { operands.as_ptr().addr() - self.source.as_ptr().addr() };
        let span = Span::new(start, at + operands.len());
        let operand = Span::new(at, at + operands.len());
        let expected = |wanted: &str| {
            let found = if operands.is_empty() { "end of line".to_string() } else { format!("`{operands}`") };
            Diag::invalid("syntax", operand, format!("expected {wanted}, found {found}"))
        };
        let result = match name.text(self.source) {
            "word" => self.word(operands, span, line).ok_or("a word and its control bits: 0x50b0000000070f00, 0x7e0"),
            "bytes" if self.tail.is_some() => {
                self.diags.push(Diag::invalid("bytes-inside", span, "a program has one cut end, this is a second"));
                return;
            }
            "bytes" => {
                let byte = |piece: &str| {
                    let whole = piece.len() == 2 && piece.bytes().all(|b| b.is_ascii_hexdigit());
                    whole.then(|| u8::from_str_radix(piece, 16).ok()).flatten()
                };
                let found: Option<Vec<u8>> = operands.split_ascii_whitespace().map(byte).collect();
                let found = found.filter(|bytes| (1..Header::BYTES).contains(&bytes.len()));
                found.map(|bytes| self.tail = Some((bytes, span))).ok_or("1 to 79 bytes of two hexadecimal digits each")
            }
            "header" => return self.header(operands, operand, &expected),
            "" => Err("`.word`, `.bytes` or `.header`"),
            other => {
                let diag = Diag::invalid("unknown-directive", name, format!("there is no directive `.{other}`"));
                self.diags.push(diag.with_help("directives are `.word`, `.bytes` and `.header`"));
                return;
            }
        };
        if let Err(wanted) = result {
            self.diags.push(expected(wanted));
            self.push(filler(), line, span);
        }
    }

    /// Takes a word and its control bits; `None` where they are none.
    fn word(&mut self, operands: &str, span: Span, line: u32) -> Option<()> {
        let (word, control) = operands.split_once(',').unwrap_or((operands, ""));
        let word = word.trim().strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())?;
        let control = match control.trim() {
            "" => NO_CONTROL,
            digits => u32::try_from(parse_u64(digits)?).ok().filter(|bits| bits >> CONTROL.width() == 0)?,
        };
        let code = Code::new(u128::from(word), u128::from(control));
        let instr = Instr::decode(codec(), code).unwrap_or_else(|reject| {
            self.words.push(codec().explain(code.word(), reject, span));
            self.raw.push((self.program.instrs.len(), code));
            filler()
        });
        self.push(instr, line, span);
        Some(())
    }

    /// Takes a field of the header and its value.
    fn header(&mut self, operands: &str, span: Span, expected: &dyn Fn(&str) -> Diag) {
        if self.program.bare || !self.program.instrs.is_empty() {
            let message = "the header stands in front of the first bundle";
            self.diags.push(Diag::invalid("header-place", span, message));
            return;
        }
        let (name, value) = operands.split_once(char::is_whitespace).unwrap_or((operands, ""));
        let value = value.trim();
        let mut header = self.program.header.unwrap_or(Header::PIXEL);
        let before = header.words;
        match header.set(name, value) {
            Ok(()) => {
                for (n, place) in self.header.iter_mut().enumerate() {
                    if header.words[n] != before[n] || *place == Span::default() {
                        *place = span;
                    }
                }
                self.program.header = Some(header);
            }
            Err((true, wanted)) => self.diags.push(expected(&wanted)),
            Err((false, wanted)) => {
                let message = format!("expected {wanted} for `{name}`, found `{value}`");
                self.diags.push(Diag::invalid("header-value", span, message));
            }
        }
    }

    fn finish(&mut self) {
        if let Some(header) = &self.program.header {
            let places = self.header;
            self.words.extend(header.check(|at| places.get(at / 4).copied().unwrap_or_default()));
        }
        if let Some((_, span)) = &self.tail
            && self.program.lines.iter().any(|line| line.span > *span)
        {
            let message = "`.bytes` is the cut end of a file: no instruction can follow it";
            self.diags.push(Diag::invalid("bytes-inside", *span, message));
        }
        // Names alike are sought for some: with many labels each search takes a while.
        const SOUGHT: usize = 20;
        let mut unknown = 0;
        let mut known: Vec<&str> = Vec::new();
        for (at, name) in std::mem::take(&mut self.jumps) {
            let text = name.text(self.source);
            match self.labels.get(text) {
                Some(&(target, place)) if target >= self.program.instrs.len() => {
                    let message = format!("label `{text}` stands behind the last instruction");
                    let diag = Diag::invalid("jump-out-of-program", name, message);
                    self.diags.push(diag.with_label(place, "here").with_help(format!("write `{text}: EXIT`")));
                }
                Some(&(target, _)) => {
                    let target = self.program.addresses.of_label(target) as i64;
                    self.program.instrs[at] = self.lead(self.program.instrs[at], at, target, name);
                }
                None => {
                    let diag = Diag::invalid("unknown-label", name, format!("there is no label `{text}`"));
                    if unknown == 0 {
                        known.extend(self.labels.keys());
                        known.sort_unstable();
                    }
                    unknown += 1;
                    let near = if unknown <= SOUGHT { closest(text, known.iter().copied()) } else { None };
                    self.diags.push(match near {
                        Some(near) => diag.with_help(format!("did you mean `{near}`?")),
                        None => diag,
                    });
                }
            }
        }
        self.diags.sort_by_key(|diag| diag.span);
    }
}
