//! Programs that are lists of instructions without jumps: binaries in, texts in, listings.

use crate::{
    Code, Codec, Coverage, Isa, LineShape, RowId, Stream, Style, byte, is_text, next_line, skip_blanks, word_end,
};
use parallax_text::{Diag, Severity, Span, Tokens, lex_range, mark_len};
use std::ops::Range;
use std::sync::LazyLock;

/// An instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    /// Its row.
    pub row: RowId,
    /// Its word and side data.
    pub code: Code,
    /// Line of the text, from 1; 0 for binaries.
    pub line: u32,
    /// Its bytes in the text or binary.
    pub span: Span,
}

/// An instruction set whose programs are lists of instructions. Texts have one a line, `//` and `;` comments, and directives for what
/// is no instruction: `.long` for words of 32 bits, `.byte` for bytes.
pub struct Straight<I: Isa, S> {
    /// The rows.
    pub codec: LazyLock<Codec<I>>,
    /// How instructions lie in a file.
    pub stream: S,
    /// What is wrong with a code whose fields are all valid one by one.
    pub refuse: fn(RowId, &Code) -> Option<Diag>,
    /// Whether an instruction ends the program.
    pub ends: fn(RowId) -> bool,
    /// What that instruction is called.
    pub end: &'static str,
}

/// A line of a listing: its bytes, and its text, or a directive and why there is no instruction.
pub type ListedLine = (Range<usize>, Result<String, (String, Box<Diag>)>);

/// The bytes of a text, and where they stand in it.
#[derive(Default)]
struct Assembly {
    bytes: Vec<u8>,
    /// First byte, line and place of every line that has bytes.
    places: Vec<(usize, u32, Span)>,
    diags: Vec<Diag>,
}

impl Assembly {
    fn is_wrong(&self) -> bool {
        self.diags.iter().any(Diag::is_error)
    }

    /// The line that bytes come from, and its place.
    fn place(&self, bytes: Span) -> (u32, Span) {
        let n = self.places.partition_point(|(first, ..)| *first <= bytes.start as usize);
        self.places.get(n.saturating_sub(1)).map_or((0, Span::default()), |(_, line, span)| (*line, *span))
    }

    fn locate(&self, mut diag: Diag) -> Diag {
        diag.span = diag.span.map(|span| self.place(span).1);
        diag
    }
}

impl<I: Isa, S: Stream> Straight<I, S> {
    /// Everything in a binary: places, and instructions or what is wrong with them.
    fn units<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = (Range<usize>, Result<Instr, Diag>)> + 'a {
        let codec = &*self.codec;
        self.stream.units(bytes).map(move |unit| match unit {
            Ok(unit) => {
                let (place, code) = (unit.offset..unit.offset + unit.len, unit.code);
                let span = Span::new(place.start, place.end);
                let row = codec.decode(code).map_err(|reject| codec.explain(code, reject, span));
                let legal = row.and_then(|row| match (self.refuse)(row, &code) {
                    Some(diag) => Err(Diag { span: Some(span), ..diag }),
                    None => Ok(Instr { row, code, line: 0, span }),
                });
                (place, legal)
            }
            Err(cut) => (cut.offset..bytes.len(), Err(codec.explain_cut(cut))),
        })
    }

    /// Reads a binary. It is a program only if no problem is an error; places are byte offsets.
    pub fn decode(&self, bytes: &[u8]) -> (Vec<Instr>, Vec<Diag>) {
        let (mut instrs, mut diags, mut end) = (Vec::new(), Vec::new(), None);
        for (place, found) in self.units(bytes) {
            if let Some(end) = end {
                let message = format!("bytes follow `{}`: the program ends there", self.end);
                diags.push(Diag::invalid("after-end", Span::new(end, bytes.len()), message).with_help("cut them off"));
                return (instrs, diags);
            }
            match found {
                Ok(instr) => {
                    end = (self.ends)(instr.row).then_some(place.end);
                    instrs.push(instr);
                }
                Err(diag) => diags.push(diag),
            }
        }
        if bytes.is_empty() {
            diags.push(Diag::invalid("empty-program", Span::default(), "there is no instruction"));
        } else if end.is_none() {
            let last = instrs.last().map_or(Span::default(), |instr| instr.span);
            let diag = Diag::invalid("missing-end", last, "the program has no end");
            diags.push(diag.with_help(format!("put `{}` after the last instruction", self.end)));
        }
        (instrs, diags)
    }

    /// Lists a binary exactly, whatever is in it: the listing assembles to the same bytes.
    pub fn list(&self, bytes: &[u8]) -> Vec<ListedLine> {
        let units: Vec<_> = self.units(bytes).collect();
        let mut texts = self.codec.texts(Style::Exact, |lines| {
            units
                .iter()
                .filter_map(|(_, found)| found.as_ref().ok())
                .for_each(|instr| lines.add(instr.row, &instr.code));
        });
        let line = |(place, found): (Range<usize>, Result<Instr, Diag>)| {
            let text = found.map(|_| texts.next().unwrap_or_default());
            let line = text.map_err(|diag| (directive(&bytes[place.clone()]), Box::new(diag)));
            (place, line)
        };
        units.into_iter().map(line).collect()
    }

    /// How often each instruction form occurs in binaries, one line a form, and a line of sums.
    pub fn coverage(&self, binaries: &[Vec<u8>]) -> String {
        let mut coverage = Coverage::new(&self.codec);
        let units = binaries.iter().flat_map(|bytes| self.stream.units(bytes).flatten());
        units.for_each(|unit| coverage.word(&self.codec, unit.code));
        coverage.report(&self.codec)
    }

    /// An instruction as text.
    pub fn text(&self, instr: &Instr) -> String {
        self.codec.text(instr.row, instr.code, Style::Exact)
    }

    /// Reads a text. All problems are collected; without an error there is a program.
    pub fn assemble(&self, source: &str) -> (Option<Vec<Instr>>, Vec<Diag>) {
        let assembly = self.read(source);
        if assembly.is_wrong() {
            return (None, assembly.diags);
        }
        let (mut instrs, diags) = self.decode(&assembly.bytes);
        for instr in &mut instrs {
            (instr.line, instr.span) = assembly.place(instr.span);
        }
        let diags: Vec<Diag> = diags.into_iter().map(|diag| assembly.locate(diag)).collect();
        ((!diags.iter().any(Diag::is_error)).then_some(instrs), diags)
    }

    /// Assembles a text to bytes. What is wrong with the program as a whole is a warning: whatever has an encoding is assembled.
    pub fn assemble_bytes(&self, source: &str) -> (Option<Vec<u8>>, Vec<Diag>) {
        let assembly = self.read(source);
        if assembly.is_wrong() {
            return (None, assembly.diags);
        }
        let (_, diags) = self.decode(&assembly.bytes);
        if assembly.bytes.is_empty() {
            return (None, diags);
        }
        let warning = |diag| {
            let diag = Diag { severity: Severity::Warning, ..assembly.locate(diag) };
            diag.with_help("it is still assembled, but cannot run")
        };
        (Some(assembly.bytes.clone()), diags.into_iter().map(warning).collect())
    }

    /// Whether bytes look like a program: a binary is one without a problem; of a text, one of the first lines can be read, and
    /// half of them.
    pub fn sniff(&self, bytes: &[u8]) -> bool {
        if !is_text(bytes) {
            return self.is_sound(bytes);
        }
        let shape = LineShape { skip: skip_blanks, is_end: |text, at| line_end(text, at).is_some() };
        std::str::from_utf8(bytes).is_ok_and(|text| shape.half(text, |line| !self.read(line).is_wrong()))
    }

    /// Whether a binary is a program without a problem; what is behind the first one is not looked at.
    fn is_sound(&self, bytes: &[u8]) -> bool {
        let mut ended = false;
        for (_, found) in self.units(bytes) {
            match found {
                Ok(instr) if !ended => ended = (self.ends)(instr.row),
                _ => return false,
            }
        }
        ended
    }

    fn read(&self, source: &str) -> Assembly {
        let (text, mut assembly) = (source.as_bytes(), Assembly::default());
        let (mut at, mut line) = (mark_len(source), 0);
        while at < text.len() {
            line += 1;
            let start = skip_blanks(text, at);
            at = next_line(text, start);
            if line_end(text, start).is_some() {
                continue;
            }
            let rest = source[start..].split(['\n', ';']).next().and_then(|rest| rest.split("//").next()).unwrap_or("");
            let span = Span::new(start, start + rest.trim_end().len());
            assembly.places.push((assembly.bytes.len(), line, span));
            let read = match byte(text, start) {
                b'.' => self.directive(source, span, &mut assembly.bytes),
                _ => self.codec.read(source, start).map_err(|diag| *diag).and_then(|parsed| {
                    self.stream.put(&parsed.code, &mut assembly.bytes);
                    line_end(text, parsed.end).ok_or_else(|| expected::<I>(source, parsed.end, "the end of the line"))
                }),
            };
            assembly.diags.extend(read.err());
        }
        assembly
    }

    /// Reads `.long` or `.byte` with its numbers.
    fn directive(&self, source: &str, line: Span, out: &mut Vec<u8>) -> Result<usize, Diag> {
        let (start, end) = (line.start as usize, line.end as usize);
        let behind = word_end(source.as_bytes(), start + 1);
        let (len, what) = match &source[start..behind] {
            ".long" => (4, "words, 0x and up to 8 hexadecimal digits each, with commas between"),
            ".byte" => (1, "bytes, 0x and up to 2 hexadecimal digits each, with commas between"),
            _ => return Err(expected::<I>(source, start, "an instruction, `.long` or `.byte`")),
        };
        for number in source[behind..end].split(',') {
            let digits = number.trim().strip_prefix("0x").filter(|digits| digits.len() <= 2 * len);
            let Some(value) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
                return Err(expected::<I>(source, behind, what));
            };
            out.extend_from_slice(&value.to_le_bytes()[..len]);
        }
        Ok(end)
    }
}

/// Bytes as `.long` where they are whole words, else as `.byte`.
fn directive(bytes: &[u8]) -> String {
    let (name, numbers): (_, Vec<String>) = match bytes.as_chunks::<4>() {
        (words, []) => (".long", words.iter().map(|word| format!("0x{:08x}", u32::from_le_bytes(*word))).collect()),
        _ => (".byte", bytes.iter().map(|byte| format!("0x{byte:02x}")).collect()),
    };
    format!("{name} {}", numbers.join(", "))
}

/// Where the next line starts, if nothing but a comment stands behind `at`.
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let at = skip_blanks(text, at);
    let comment = byte(text, at) == b';' || byte(text, at) == b'/' && byte(text, at + 1) == b'/';
    (comment || matches!(byte(text, at), b'\n' | b'\r')).then(|| next_line(text, at))
}

/// "Expected this, found that" at a place.
fn expected<I: Isa>(source: &str, at: usize, what: &str) -> Diag {
    let (at, mut tokens) = (at.min(source.len()), Vec::new());
    lex_range(source, at..next_line(source.as_bytes(), at).min(source.len()), I::LEXER, &mut tokens);
    Tokens::new(source, &tokens).expected("syntax", what)
}
