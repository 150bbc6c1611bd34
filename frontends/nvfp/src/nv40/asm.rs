//! The assembler: lines, labels, comments.

use super::fields::{ALWAYS, PRECISION, RESULT_HALF, TEST, TEST_SWIZZLE};
use super::isa::has;
use super::{Kind, Nv40, Order, Program, codec};
use crate::microcode::{self, Assembly as _};
use parallax_isa::{
    Code, Isa, Label, Labels, Parsed, Stream, byte, find_any, label, next_line, only_warn, read_bytes, skip_blanks,
    word_end,
};
use parallax_text::{Diag, Span, Tokens, lex_range, mark_len};

/// What was assembled.
pub(crate) struct Assembly {
    /// The bytes, in the order asked for.
    pub(crate) bytes: Vec<u8>,
    /// Problems of the text.
    pub(crate) diags: Vec<Diag>,
    /// Where the bytes of each line start, and the line.
    places: Vec<(usize, Span)>,
}

impl microcode::Assembly for Assembly {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn diags(&self) -> &[Diag] {
        &self.diags
    }

    fn locate(&self, mut diag: Diag) -> Diag {
        diag.span = diag.span.map(|span| self.line_of(span));
        diag.labels.iter_mut().for_each(|label| label.span = self.line_of(label.span));
        diag
    }
}

impl Assembly {
    fn line_of(&self, span: Span) -> Span {
        let behind = self.places.partition_point(|(at, _)| *at <= span.start as usize);
        self.places.get(behind.saturating_sub(1)).map_or(Span::default(), |(_, line)| *line)
    }
}

/// A label to be filled in.
struct Jump {
    /// The instruction's number among `codes`.
    at: usize,
    label: Label,
}

/// What a line becomes.
enum Piece {
    Code(Code),
    Bytes(Vec<u8>),
}

struct Reader<'a> {
    source: &'a str,
    pieces: Vec<(Piece, Span)>,
    /// Bytes so far.
    len: usize,
    diags: Vec<Diag>,
    /// Their places are bytes.
    labels: Labels<'a>,
    jumps: Vec<Jump>,
    /// Whether the last instruction says that it is not the end.
    open_end: bool,
}

/// Reads a program: an instruction a line, or several with `;` between them, `label:` in front of one or alone, `//` and `#`
/// comments. Its words are in the default order.
///
/// All problems of the text are collected; without an error there is a program.
pub fn assemble(source: &str) -> (Option<Program>, Vec<Diag>) {
    let assembly = read(source, Order::Le, true);
    microcode::instructions(&assembly, |bytes| Program::decode(bytes, Order::Le))
}

/// Assembles a text to bytes. With `whole` the last instruction gets the end flag, unless its text says `; noend`; what keeps
/// such a program from running is a warning.
pub fn assemble_bytes(source: &str, order: Order, whole: bool) -> (Option<Vec<u8>>, Vec<Diag>) {
    let mut assembly = read(source, order, whole);
    let mut diags = std::mem::take(&mut assembly.diags);
    if diags.iter().any(Diag::is_error) {
        return (None, diags);
    }
    if whole {
        let (program, mut problems) = Program::decode(&assembly.bytes, order);
        if problems.is_empty() {
            problems = program.tree(&[]).1;
        }
        problems = problems.into_iter().map(|diag| assembly.locate(diag)).collect();
        only_warn(&mut problems);
        diags.extend(problems);
    }
    (Some(assembly.bytes), diags)
}

/// Reads a text; see [`assemble_bytes`].
pub(crate) fn read(source: &str, order: Order, whole: bool) -> Assembly {
    let mut reader = Reader {
        source,
        // Short lines have about 24 characters.
        pieces: Vec::with_capacity(source.len() / 24),
        len: 0,
        diags: Vec::new(),
        labels: Labels::new(source),
        jumps: Vec::new(),
        open_end: false,
    };
    let mut at = mark_len(source);
    while at < source.len() {
        if let Some(next) = reader.plain_line(at) {
            at = next;
            continue;
        }
        let line = line_end(source.as_bytes(), at);
        if line.is_one {
            reader.statement(at, line.code);
        } else {
            reader.line(at, line.code);
        }
        at = line.end + 1;
    }
    reader.finish(order, whole)
}

/// Where the statement at `start` ends, `end` at most: at a `;` unless an annotation stands behind it.
fn statement_end(text: &str, start: usize, end: usize) -> usize {
    let annotates = |semicolon: usize| {
        let word = skip_blanks(text.as_bytes(), semicolon + 1);
        matches!(&text[word..word_end(text.as_bytes(), word)], "end" | "noend" | "bits" | "constant")
    };
    let mut at = find_any(&text.as_bytes()[..end], start, [b';']);
    while at < end && annotates(at) {
        at = find_any(&text.as_bytes()[..end], at + 1, [b';']);
    }
    at
}

/// A line: where it ends, and what a comment leaves of it.
struct LineEnd {
    end: usize,
    code: usize,
    /// Whether it has no semicolon, so at most one statement.
    is_one: bool,
}

/// Where the line at `start` ends.
fn line_end(text: &[u8], start: usize) -> LineEnd {
    let (mut at, mut code, mut is_one) = (start, None, true);
    loop {
        at = find_any(text, at, [b'\n', b'#', b'/', b';']);
        match byte(text, at) {
            b'\n' => return LineEnd { end: at, code: code.unwrap_or(at), is_one },
            b'#' => code = code.or(Some(at)),
            b'/' if byte(text, at + 1) == b'/' => code = code.or(Some(at)),
            b';' => is_one = false,
            _ => {}
        }
        at += 1;
    }
}

/// Fills in what `MOV H1, R2` leaves open. Where no letter says the format of the operation, that of the destination is meant;
/// and the swizzle of a test that is not written is x, as the assembler leaves it whose programs are written in this way
/// (RPCS3's; listings, which name the format, leave out xyzw).
fn complete(parsed: &mut Parsed, text: &str) {
    let row = codec().row(parsed.row);
    if !has(row, Kind::Precision) {
        return;
    }
    let starts = |name: &&&str| text.get(..name.len()).is_some_and(|front| front.eq_ignore_ascii_case(name));
    let names = [&row.name].into_iter().chain(row.aliases);
    let length = match row.aliases {
        [] => row.name.len(),
        _ => names.filter(starts).map(|name| name.len()).max().unwrap_or(0),
    };
    if matches!(byte(text.as_bytes(), length).to_ascii_uppercase(), b'R' | b'H' | b'X' | b'B') {
        return;
    }
    let half = RESULT_HALF.get(&parsed.code);
    PRECISION.put(&mut parsed.code, half);
    let result = text.split(',').next().unwrap_or(text);
    if TEST.get(&parsed.code) == ALWAYS && !result.contains('(') {
        TEST_SWIZZLE.put(&mut parsed.code, 0);
    }
}

impl Reader<'_> {
    /// Reads the line from `start` to `end`, where its comment starts if it has one.
    fn line(&mut self, mut start: usize, end: usize) {
        while start < end {
            let stop = statement_end(&self.source[..end], start, end);
            self.statement(start, stop);
            start = stop + 1;
        }
    }

    /// Reads the statement from `start` to `end`.
    fn statement(&mut self, start: usize, end: usize) {
        let text = match self.source.as_bytes()[start..end].last() {
            Some(b'!'..=b'~') => &self.source[..end],
            _ => &self.source[..start + self.source[start..end].trim_end().len()],
        };
        let bytes = text.as_bytes();
        let mut at = skip_blanks(bytes, start);
        while let Ok((name, behind)) = label(bytes, at) {
            self.diags.extend(self.labels.define(name, self.len).err());
            at = skip_blanks(bytes, behind);
        }
        if at >= text.len() {
            return;
        }
        let line = Span::new(at, text.len());
        if byte(bytes, at) == b'.' {
            self.directive(text, line);
            return;
        }
        match codec().read(text, at) {
            Ok(mut parsed) => {
                let behind = skip_blanks(bytes, parsed.end);
                if behind < text.len() {
                    let mut tokens = Vec::new();
                    lex_range(text, behind..text.len(), Nv40::LEXER, &mut tokens);
                    self.diags.push(Tokens::new(text, &tokens).expected("syntax", "the end of the line"));
                }
                self.instruction(&mut parsed, line, text);
            }
            Err(diag) => {
                self.diags.push(*diag);
                self.push(Piece::Code(Code::default()), line);
            }
        }
    }

    /// Takes the instruction that stands at `line` of a text.
    #[inline]
    fn instruction(&mut self, parsed: &mut Parsed, line: Span, text: &str) {
        complete(parsed, line.text(text));
        if parsed.labels[0].is_some() {
            let labels = parsed.labels.into_iter().flatten();
            self.jumps.extend(labels.map(|label| Jump { at: self.pieces.len(), label }));
        }
        self.open_end = parsed.encoding.has(&super::fields::END) && parsed.code.word() & 1 == 0;
        self.push(Piece::Code(parsed.code), line);
    }

    /// Reads a line that is one instruction and perhaps a comment, without looking for its end first; where the next one starts. None
    /// for any other.
    #[inline]
    fn plain_line(&mut self, at: usize) -> Option<usize> {
        let text = self.source.as_bytes();
        let start = skip_blanks(text, at);
        if !byte(text, start).is_ascii_alphabetic() {
            return None;
        }
        let end = label(text, start).err()?;
        let mut parsed = codec().read_word(self.source, (start, end)).ok()?;
        let (end, behind) = (parsed.end, skip_blanks(text, parsed.end));
        let next = match (byte(text, behind), byte(text, behind + 1)) {
            (b'\n', _) => behind + 1,
            (b'\r', b'\n') => behind + 2,
            (b'#', _) | (b'/', b'/') => next_line(text, behind),
            _ => return None,
        };
        if !text[start..end].last().is_some_and(u8::is_ascii_graphic) {
            return None;
        }
        self.instruction(&mut parsed, Span::new(start, end), self.source);
        Some(next)
    }

    fn push(&mut self, piece: Piece, line: Span) {
        self.len += match &piece {
            Piece::Code(code) if super::fields::constant_follows(code.word()) => 32,
            Piece::Code(_) => 16,
            Piece::Bytes(bytes) => bytes.len(),
        };
        self.pieces.push((piece, line));
    }

    /// Reads `.bytes 17 00 ...`, bytes in the order of the file.
    fn directive(&mut self, text: &str, line: Span) {
        let start = line.start as usize;
        let name = word_end(text.as_bytes(), start + 1);
        // These are exact: no end flag is added behind them.
        self.open_end = true;
        if &text[start + 1..name] != "bytes" {
            let span = Span::new(start, name.max(start + 1));
            let diag = Diag::invalid("unknown-directive", span, format!("unknown directive `{}`", span.text(text)));
            self.diags.push(diag.with_help("the only directive is `.bytes`"));
            return;
        }
        match read_bytes(&text[name..]) {
            Some(bytes) => self.push(Piece::Bytes(bytes), line),
            None => {
                let message = "expected bytes of two hexadecimal digits each after `.bytes`";
                self.diags.push(Diag::invalid("syntax", Span::new(name, text.len()), message));
            }
        }
    }

    fn finish(mut self, order: Order, whole: bool) -> Assembly {
        self.fill_in_labels();
        if whole
            && !self.open_end
            && let Some((Piece::Code(code), _)) = self.pieces.last_mut()
        {
            *code = Code::new(code.word() | 1, code.side());
        }
        parallax_text::sort_by_key(&mut self.diags, |d| d.span);
        let (stream, mut bytes, mut places) = (order.stream(), Vec::with_capacity(self.len), Vec::new());
        for (piece, line) in &self.pieces {
            places.push((bytes.len(), *line));
            match piece {
                Piece::Code(code) => stream.put(code, &mut bytes),
                Piece::Bytes(raw) => bytes.extend_from_slice(raw),
            }
        }
        if self.pieces.is_empty() && self.diags.is_empty() {
            self.diags.push(Diag::invalid("empty-program", Span::default(), "the program has no instructions"));
        }
        Assembly { bytes, diags: self.diags, places }
    }

    fn fill_in_labels(&mut self) {
        for Jump { at, label } in &self.jumps {
            match self.labels.find(label.name) {
                Ok((offset, _)) => {
                    if let (Piece::Code(code), _) = &mut self.pieces[*at] {
                        label.field.put(code, offset as u64 / 4);
                    }
                }
                Err(diag) => self.diags.push(diag),
            }
        }
    }
}
