//! The assembler: lines, labels, comments, directives.

use crate::fields::{CONTROL, NO_CONTROL, TARGET};
use crate::program::{Addresses, filler};
use crate::{check::check, codec::codec, header::Header, instr::Instr, isa::Spa5, program::Program};
use parallax_isa::{
    Assembler, Code, Directive, Isa, byte, label, next_line, only_warn, read_bytes, skip_blanks, word_end,
};
use parallax_lift::{Kernel, Layout, Param};
use parallax_text::{Diag, Span, mark_len, parse_u64};

/// A text that is being read.
struct Reader<'a> {
    asm: Assembler<'a, Instr>,
    addresses: Addresses,
    bare: bool,
    header: Option<Header>,
    /// What directives say of a kernel.
    kernel: Option<Kernel>,
    /// Where the lines of the header stand, by the word they set.
    places: [Span; Header::WORDS],
}

/// Reads a program: instructions, each on its line or with `;` behind it, `label:` in front of one or alone, `//` and
/// `/* */` comments.
///
/// All problems of the text are collected. Without an error there is a program.
pub fn assemble(source: &str, layout: &Layout) -> (Option<Program>, Vec<Diag>) {
    let (program, mut asm) = read(source, layout).program();
    let mut diags = asm.diags;
    diags.append(&mut asm.words);
    if let Some(tail) = &asm.tail {
        diags.push(Diag::invalid("truncated-bundle", tail.span, "the bytes are not a whole bundle"));
    }
    parallax_text::sort_by_key(&mut diags, |diag| diag.span);
    ((!diags.iter().any(Diag::is_error)).then_some(program), diags)
}

/// Assembles a text to bytes, in bundles unless `layout` says otherwise. Words and bytes a listing could only write as
/// numbers come back as they were, with a warning each; what [`check`](crate::check()) refuses is a warning, too.
pub fn assemble_bytes(source: &str, layout: &Layout) -> (Option<Vec<u8>>, Vec<Diag>) {
    let (program, asm) = read(source, layout).program();
    let mut diags = asm.diags;
    if diags.iter().any(Diag::is_error) {
        diags.extend(asm.words);
        parallax_text::sort_by_key(&mut diags, |diag| diag.span);
        return (None, diags);
    }
    if program.instrs.is_empty() && asm.tail.is_none() {
        return (None, check(&program));
    }
    if asm.words.is_empty() {
        diags.extend(check(&program));
    }
    diags.extend(asm.words);
    parallax_text::sort_by_key(&mut diags, |diag| diag.span);
    only_warn(&mut diags);
    let mut codes: Vec<Code> = program.instrs.iter().map(Instr::code).collect();
    for (at, code) in &asm.raw {
        codes[*at] = *code;
    }
    let mut bytes = program.encode_codes(&codes);
    bytes.extend(asm.tail.into_iter().flat_map(|tail| tail.bytes));
    (Some(bytes), diags)
}

/// Reads one instruction, and the name of the label that it leads to: its distance is for the caller to fill in.
///
/// # Errors
/// What is wrong with it.
pub fn read_instruction(text: &str) -> Result<(Instr, Option<&str>), Box<Diag>> {
    let parsed = codec().read(text, 0)?;
    let label = parsed.labels[0].map(|label| label.name.text(text));
    Ok((Instr::new(parsed.row, &parsed.code), label))
}

fn read<'a>(source: &'a str, layout: &Layout) -> Reader<'a> {
    let mut reader = Reader {
        // Short lines have about 24 characters.
        asm: Assembler::new(source, <Spa5 as Isa>::LEXER, filler(), 24),
        addresses: Addresses::of(layout),
        bare: layout.bare,
        header: None,
        kernel: None,
        places: [Span::default(); Header::WORDS],
    };
    let (mut at, mut line) = (mark_len(source), 1);
    while at < source.len() {
        at = reader.statement(at, &mut line);
    }
    if let Some(header) = &reader.header {
        let places = reader.places;
        reader.asm.words.extend(header.check(|at| places.get(at / 4).copied().unwrap_or_default()));
    }
    let addresses = reader.addresses;
    reader.asm.link("EXIT", |asm, at, name, target| {
        let target = addresses.of_label(target) as i64;
        asm.instrs[at] = lead(asm, &addresses, asm.instrs[at], at, target, name);
    });
    reader
}

/// The branch at place `n` to an address.
fn lead(
    asm: &mut Assembler<'_, Instr>,
    addresses: &Addresses,
    instr: Instr,
    n: usize,
    target: i64,
    span: Span,
) -> Instr {
    let from = addresses.of_instruction(n) as i64;
    let distance = target.wrapping_sub(from.wrapping_add(8));
    instr.with_distance(distance).unwrap_or_else(|| {
        let message = format!("the place is {distance} bytes away; branches reach -8388608 to 8388607");
        asm.diags.push(Diag::invalid("jump-range", span, message));
        instr
    })
}

/// Where blanks and comments in `/* */` from `at` on end; how many lines they hold.
#[inline(always)]
fn skip(text: &[u8], at: usize) -> (usize, u32) {
    let at = skip_blanks(text, at);
    if byte(text, at) == b'/' && byte(text, at + 1) == b'*' { skip_comments(text, at) } else { (at, 0) }
}

#[inline(never)]
fn skip_comments(text: &[u8], mut at: usize) -> (usize, u32) {
    let mut lines = 0;
    while byte(text, at) == b'/' && byte(text, at + 1) == b'*' {
        let comment = &text[at + 2..];
        let len = comment.windows(2).position(|two| two == b"*/").map_or(comment.len(), |n| n + 2);
        lines += comment[..len].iter().filter(|b| **b == b'\n').count() as u32;
        at = skip_blanks(text, at + 2 + len);
    }
    (at, lines)
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

impl<'a> Reader<'a> {
    /// Reads what stands at `at`: a label, an instruction, a directive, or the end of the line; where the next starts.
    #[inline]
    fn statement(&mut self, at: usize, line: &mut u32) -> usize {
        let text = self.asm.source.as_bytes();
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
        let word = match label(text, at) {
            Ok((name, behind)) => {
                self.asm.label(name);
                return behind;
            }
            Err(end) => (at, end),
        };
        match codec().read_word(self.asm.source, word) {
            Ok(parsed) => {
                let (end, mut lines) = skip(text, parsed.end);
                let next = match byte(text, end) {
                    b';' => end + 1,
                    b'\n' => {
                        lines += 1;
                        end + 1
                    }
                    _ if is_line_end(text, end) => end,
                    _ => {
                        let diag = self.asm.tokens(end, |found| found.expected("syntax", "`;` or the end of the line"));
                        return self.refuse_line(diag, at, line);
                    }
                };
                let span = Span::new(at, parsed.end);
                let instr = Instr::new(parsed.row, &parsed.code);
                let instr = match parsed.labels[0] {
                    Some(label) => {
                        self.asm.jump(label.name);
                        instr
                    }
                    None if instr.is_branch() => {
                        let (n, target) = (self.asm.instrs.len(), TARGET.get_signed(&parsed.code));
                        lead(&mut self.asm, &self.addresses, instr, n, target, span)
                    }
                    None => instr,
                };
                self.asm.push(instr, *line, span);
                *line += lines;
                next
            }
            Err(diag) => self.refuse_line(*diag, at, line),
        }
    }

    /// Keeps the place of a line that cannot be read; where the next one starts.
    #[cold]
    fn refuse_line(&mut self, diag: Diag, at: usize, line: &mut u32) -> usize {
        *line += 1;
        self.asm.refuse_line(diag, at, *line - 1)
    }

    /// Reads `.word`, `.bytes` or `.header`; the point stands at `start`.
    fn directive(&mut self, start: usize, line: u32) {
        let source = self.asm.source;
        let name = Span::new(start + 1, word_end(source.as_bytes(), start + 1));
        let end = (next_line(source.as_bytes(), name.end as usize) - 1).min(source.len());
        let directive = Directive::new(source, name, end, &["//"]);
        let span = Span::new(start, directive.place.end as usize);
        let wanted = match name.text(source) {
            "word" => match self.word(directive.operands, span, line) {
                Some(()) => return,
                None => "a word and its control bits: 0x50b0000000070f00, 0x7e0",
            },
            "bytes" if self.asm.tail.is_some() => return self.asm.second_tail(span),
            "bytes" => match read_bytes(directive.operands).filter(|bytes| bytes.len() < Header::BYTES) {
                Some(bytes) => {
                    self.asm.push_tail(bytes, span);
                    return;
                }
                None => "1 to 79 bytes of two hexadecimal digits each",
            },
            "header" => return self.header(&directive),
            name @ ("kernel" | "block" | "shared" | "local" | "param") => return self.kernel(name, &directive),
            "" => "`.word`, `.bytes`, `.header` or `.kernel`",
            _ => {
                let all = "`.word`, `.bytes`, `.header`, and for kernels `.kernel`, `.block`, `.shared`, `.local` and `.param`";
                return self.asm.diags.push(directive.unknown(source, all));
            }
        };
        self.asm.refuse(directive.expected(wanted), line, span);
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
        let decoded = Instr::decode(codec(), code).map_err(|reject| codec().explain(code.word(), reject, span));
        self.asm.push_word(code, decoded, line, span);
        Some(())
    }

    /// Takes what a line says of a kernel: `.kernel` alone, `.block 16, 16, 1`, `.shared BYTES`, `.local BYTES`, or
    /// `.param OFFSET, SIZE` for each parameter in order.
    fn kernel(&mut self, name: &str, directive: &Directive<'_>) {
        let words: Vec<&str> = directive.operands.split([',', ' ', '\t']).filter(|word| !word.is_empty()).collect();
        let numbers: Option<Vec<u32>> =
            words.iter().map(|word| parse_u64(word).and_then(|number| u32::try_from(number).ok())).collect();
        let kernel = self.kernel.get_or_insert_default();
        let wanted = match (name, numbers.as_deref()) {
            ("kernel", Some([])) => return,
            ("kernel", _) => "nothing",
            ("block", Some(&[x])) => return kernel.block = Some([x, 1, 1]),
            ("block", Some(&[x, y])) => return kernel.block = Some([x, y, 1]),
            ("block", Some(&[x, y, z])) => return kernel.block = Some([x, y, z]),
            ("block", _) => "1 to 3 numbers: invocations of a workgroup along x, y and z",
            ("shared", Some(&[bytes])) => return kernel.shared = bytes,
            ("local", Some(&[bytes])) => return kernel.local = Some(bytes),
            ("shared" | "local", _) => "a number of bytes",
            (_, Some(&[offset, size])) => return kernel.params.push(Param { offset, size }),
            _ => "the offset of a parameter in bank 0 and its size: 0x140, 8",
        };
        self.asm.diags.push(directive.expected(wanted));
    }

    /// Takes a field of the header and its value.
    fn header(&mut self, directive: &Directive<'_>) {
        let span = directive.place;
        if self.bare || !self.asm.instrs.is_empty() {
            let message = "the header must be before the first bundle";
            return self.asm.diags.push(Diag::invalid("header-place", span, message));
        }
        let (name, value) = directive.operands.split_once(char::is_whitespace).unwrap_or((directive.operands, ""));
        let value = value.trim();
        let mut header = self.header.unwrap_or(Header::PIXEL);
        let before = header.words;
        match header.set(name, value) {
            Ok(()) => {
                for (n, place) in self.places.iter_mut().enumerate() {
                    if header.words[n] != before[n] || *place == Span::default() {
                        *place = span;
                    }
                }
                self.header = Some(header);
            }
            Err((true, wanted)) => self.asm.diags.push(directive.expected(&wanted)),
            Err((false, wanted)) => {
                let message = format!("expected {wanted} for `{name}`, found `{value}`");
                self.asm.diags.push(Diag::invalid("header-value", span, message));
            }
        }
    }

    /// The program, and what else was read.
    fn program(self) -> (Program, Assembler<'a, Instr>) {
        let Reader { mut asm, addresses, bare, header, kernel, .. } = self;
        let (instrs, lines) = (std::mem::take(&mut asm.instrs), std::mem::take(&mut asm.lines));
        (Program { instrs, lines, addresses, kernel, header, bare }, asm)
    }
}
