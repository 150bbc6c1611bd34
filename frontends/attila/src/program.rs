//! Whole programs: binaries in and out, listings.

use crate::placeholder::{check_rest, placeholder, word_directive};
use crate::{codec::codec, instr::Instr, sem::Sem};
use parallax_isa::{Coverage, Cut, Line, Out, Stream, Style, Unit, Words128, bytes_directive};
use parallax_lift::{Labelled, Listed, Listing};
use parallax_text::{Diag, Span};
use std::collections::BTreeSet;

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The instructions.
    pub instrs: Vec<Instr>,
    /// Where each came from.
    pub lines: Vec<Line>,
    /// Whether the last instruction ends the program although its word does not say so: true for text, whose assembler
    /// sets the end flag.
    pub ends_itself: bool,
}

impl Program {
    /// Reads a binary. It can be run only if no problem is an error; where there are errors, those of the whole program
    /// are among them, as far as it could be read, and END stands in place of what could not.
    pub fn decode(bytes: &[u8]) -> (Program, Vec<Diag>) {
        let codec = codec();
        let mut program = Program::default();
        let mut diags = Vec::new();
        program.instrs.reserve(bytes.len() / 16);
        program.lines.reserve(bytes.len() / 16);
        for unit in Words128.units(bytes) {
            match unit {
                Ok(unit) => {
                    let span = Span::new(unit.offset, unit.offset + 16);
                    match Instr::decode(codec, unit.code.word()) {
                        Ok(instr) => {
                            program.instrs.push(instr);
                            program.lines.push(Line { line: 0, span });
                        }
                        Err(reject) => {
                            diags.push(codec.explain(unit.code.word(), reject, span));
                            program.instrs.push(placeholder());
                            program.lines.push(Line { line: 0, span });
                        }
                    }
                }
                Err(cut) => {
                    diags.push(codec.explain_cut(cut));
                    program.instrs.push(placeholder());
                    program.lines.push(Line { line: 0, span: Span::new(cut.offset, cut.offset + cut.have) });
                }
            }
        }
        if !diags.is_empty() {
            check_rest(&program, &mut diags);
        }
        (program, diags)
    }

    /// The binary.
    pub fn encode(&self) -> Vec<u8> {
        self.instrs.iter().flat_map(Instr::bytes).collect()
    }

    /// The binary as an assembler leaves it: the last instruction's end flag set, unless its text said `<- noend`.
    pub fn encode_ended(&self) -> Vec<u8> {
        let mut bytes = self.encode();
        if self.ends_itself
            && let Some(last) = self.instrs.last()
        {
            let at = bytes.len() - 16;
            bytes[at..].copy_from_slice(&last.with_end(true).bytes());
        }
        bytes
    }

    /// One line an instruction.
    pub fn text(&self, style: Style) -> String {
        let codec = codec();
        let mut out = Out::with_capacity(self.instrs.len() * 40);
        let Some((last, others)) = self.instrs.split_last() else { return String::new() };
        codec.lines(style, &mut out, |lines| others.iter().for_each(|instr| lines.add(instr.row_id(), &instr.code())));
        codec.print(last.row_id(), last.code(), style, &mut out);
        if style == Style::Exact && !last.end_flag() && !self.ends_itself {
            out.text(" <- noend");
        }
        out.char(b'\n');
        out.into_string()
    }
}

/// How often each instruction form occurs in binaries, one line a form, and a line of sums.
pub fn coverage<'a>(binaries: impl IntoIterator<Item = &'a [u8]>) -> String {
    let codec = codec();
    let mut coverage = Coverage::new(codec);
    for bytes in binaries {
        Words128.units(bytes).flatten().for_each(|unit| coverage.word(codec, unit.code.word()));
    }
    coverage.report(codec)
}

/// Lists a binary, whatever is in it: one entry per 16 bytes.
pub fn list(bytes: &[u8], style: Style) -> Listing {
    let codec = codec();
    let instr = |unit: Result<Unit, Cut>| match unit {
        Ok(unit) => Instr::decode(codec, unit.code.word()).map_err(|reject| {
            let diag = codec.explain(unit.code.word(), reject, Span::new(unit.offset, unit.offset + 16));
            (word_directive(unit.code.word()), Box::new(diag))
        }),
        Err(cut) => Err((bytes_directive(&bytes[cut.offset..]), Box::new(codec.explain_cut(cut)))),
    };
    let instrs: Vec<_> = Words128.units(bytes).map(instr).collect();
    let mut texts = codec.texts(style, |lines| {
        instrs.iter().flatten().for_each(|instr| lines.add(instr.row_id(), &instr.code()));
    });
    let has_no_end = matches!(instrs.last(), Some(Ok(instr)) if !instr.end_flag());
    let mut listing: Listing =
        instrs.into_iter().map(|instr| instr.map(|_| texts.next().unwrap_or_default())).collect();
    if style == Style::Exact
        && has_no_end
        && let Some(Ok(text)) = listing.last_mut()
    {
        text.push_str(" <- noend");
    }
    listing
}

/// Lists a binary exactly, whatever is in it, with labels for what jumps lead to: instructions can then be added and taken
/// away. Jumps that lead out of the file keep their distance.
pub fn list_labels(bytes: &[u8]) -> Vec<Labelled> {
    let words = bytes.len() / 16;
    let jump = |n: usize| {
        let word = bytes.get(16 * n..)?.first_chunk().map(|raw| u128::from_le_bytes(*raw))?;
        let instr = Instr::decode(codec(), word).ok().filter(|instr| instr.sem() == Some(Sem::Jump))?;
        let target = n as i64 + i64::from(instr.distance());
        usize::try_from(target).ok().filter(|target| *target < words).map(|target| (instr.distance(), target))
    };
    let targets: BTreeSet<usize> = (0..words).filter_map(jump).map(|(_, target)| target).collect();
    let label = |n: usize| format!("L{n}");
    let entry = |(n, line): (usize, Listed)| {
        let line = match jump(n) {
            // The distance is the second operand.
            Some((distance, to)) => {
                line.map(|text| text.replacen(&format!(", {distance}"), &format!(", {}", label(to)), 1))
            }
            None => line,
        };
        let bytes = 16 * n..bytes.len().min(16 * n + 16);
        Labelled { label: targets.contains(&n).then(|| label(n)), bytes, line }
    };
    list(bytes, Style::Exact).into_iter().enumerate().map(entry).collect()
}
