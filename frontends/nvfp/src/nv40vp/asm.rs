//! The assembler: lines, labels, comments.

use super::fields::{END, TARGET};
use super::program::{BYTES, Instr, Program, Words};
use super::{NvVertex, codec};
use crate::microcode::{self, Assembly as _};
use crate::nv40::Order;
use parallax_isa::{
    Assembler, Code, Directive, Isa, Stream, byte, label, next_line, only_warn, read_bytes, skip_blanks, word_end,
};
use parallax_text::{Diag, Span, mark_len};

/// What was assembled.
pub(crate) struct Assembly {
    /// The bytes, in the order asked for.
    pub(crate) bytes: Vec<u8>,
    /// Problems of the text.
    pub(crate) diags: Vec<Diag>,
    /// What is wrong with words that the text gives as bytes: nothing keeps them from being assembled.
    words: Vec<Diag>,
    /// Where each instruction stands.
    lines: Vec<Span>,
}

impl microcode::Assembly for Assembly {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn diags(&self) -> &[Diag] {
        &self.diags
    }

    fn locate(&self, mut diag: Diag) -> Diag {
        let line = |span: Span| self.lines.get(span.start as usize / BYTES).or(self.lines.last()).copied();
        diag.span = diag.span.map(|span| line(span).unwrap_or_default());
        diag.labels.iter_mut().for_each(|label| label.span = line(label.span).unwrap_or_default());
        diag
    }
}

/// Reads a program: an instruction a line, `label:` in front of one or alone, `//` and `#` comments.
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
    let mut problems = std::mem::take(&mut assembly.words);
    if whole && problems.is_empty() {
        let (program, wrong) = Program::decode(&assembly.bytes, order);
        let wrong = if wrong.is_empty() { program.tree().1 } else { wrong };
        problems = wrong.into_iter().map(|diag| assembly.locate(diag)).collect();
    }
    only_warn(&mut problems);
    diags.extend(problems);
    (Some(assembly.bytes), diags)
}

/// Reads a text; see [`assemble_bytes`].
pub(crate) fn read(source: &str, order: Order, whole: bool) -> Assembly {
    let nothing = codec().decode(Code::default());
    let Ok(row) = nothing else {
        return Assembly { bytes: Vec::new(), diags: Vec::new(), words: Vec::new(), lines: Vec::new() };
    };
    let placeholder = Instr { code: codec().canonical(row, Code::default()), row };
    let mut asm = Assembler::new(source, <NvVertex as Isa>::LEXER, placeholder, 24);
    let (mut at, mut line, mut open_end) = (mark_len(source), 1, false);
    while at < source.len() {
        at = read_line(&mut asm, at, line, &mut open_end);
        line += 1;
    }
    asm.link("NOP", |asm, at, _, target| TARGET.put(&mut asm.instrs[at].code, target as u64));
    if whole
        && !open_end
        && asm.tail.is_none()
        && let Some(last) = asm.instrs.last_mut()
    {
        END.put(&mut last.code, 1);
    }
    let mut codes: Vec<Code> = asm.instrs.iter().map(|instr| instr.code).collect();
    for (at, code) in &asm.raw {
        codes[*at] = *code;
    }
    let mut bytes = Words::of(order).encode(&codes);
    let mut lines: Vec<Span> = asm.lines.iter().map(|line| line.span).collect();
    if let Some(tail) = &asm.tail {
        bytes.extend_from_slice(&tail.bytes);
        lines.push(tail.span);
    }
    if bytes.is_empty() && asm.diags.is_empty() {
        asm.diags.push(Diag::invalid("empty-program", Span::default(), "the program has no instructions"));
    }
    Assembly { bytes, diags: asm.diags, words: asm.words, lines }
}

/// Where the line behind ends, if this one has nothing more from `at` on but a comment.
fn line_end(text: &[u8], at: usize) -> Option<usize> {
    let at = skip_blanks(text, at);
    match byte(text, at) {
        b'\n' => Some(at + 1),
        b'\r' => Some(at + 2),
        b'#' => Some(next_line(text, at)),
        b'/' if byte(text, at + 1) == b'/' => Some(next_line(text, at)),
        _ => None,
    }
}

/// Reads the line that starts at `at`; where the next one starts.
fn read_line(asm: &mut Assembler<'_, Instr>, at: usize, line: u32, open_end: &mut bool) -> usize {
    let text = asm.source.as_bytes();
    let mut at = skip_blanks(text, at);
    while let Ok((name, behind)) = label(text, at) {
        asm.label(name);
        at = skip_blanks(text, behind);
    }
    if let Some(next) = line_end(text, at) {
        return next;
    }
    if byte(text, at) == b'.' {
        *open_end = true;
        read_directive(asm, at, line);
        return next_line(text, at);
    }
    let parsed = match codec().read(asm.source, at) {
        Ok(parsed) => parsed,
        Err(diag) => return asm.refuse_line(*diag, at, line),
    };
    let Some(next) = line_end(text, parsed.end) else {
        let diag = asm.tokens(parsed.end, |found| found.expected("syntax", "the end of the line"));
        return asm.refuse_line(diag, at, line);
    };
    if let Some(label) = parsed.labels[0] {
        asm.jump(label.name);
    }
    *open_end = parsed.encoding.has(&END) && END.get(&parsed.code) == 0;
    asm.push(Instr { code: parsed.code, row: parsed.row }, line, Span::new(at, parsed.end));
    next
}

/// Reads `.bytes 17 00 ...`: the 16 bytes of a word that is no instruction, the first word lowest and least byte first, or
/// the cut end of a file.
fn read_directive(asm: &mut Assembler<'_, Instr>, at: usize, line: u32) {
    let source = asm.source;
    let end = next_line(source.as_bytes(), at).min(source.len());
    let name = Span::new(at + 1, word_end(source.as_bytes(), at + 1));
    let directive = Directive::new(source, name, end, &["//", "#"]);
    let span = Span::new(at, directive.place.end as usize);
    if name.text(source) != "bytes" {
        return asm.refuse(directive.unknown(source, "`.bytes`"), line, span);
    }
    match read_bytes(directive.operands) {
        Some(bytes) => match <[u8; BYTES]>::try_from(bytes) {
            Ok(word) => {
                let code = Code::from(u128::from_le_bytes(word));
                let decoded = codec().decode(code).map(|row| Instr { code, row });
                asm.push_word(code, decoded.map_err(|reject| codec().explain(code, reject, span)), line, span);
            }
            Err(bytes) => {
                asm.push_tail(bytes, span);
            }
        },
        None => {
            let diag = directive.expected("bytes of two hexadecimal digits each");
            asm.refuse(diag, line, span);
        }
    }
}
