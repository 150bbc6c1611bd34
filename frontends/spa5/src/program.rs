//! Whole programs: binaries in and out.

use crate::fields::NO_CONTROL;
use crate::{codec::codec, header::Header, instr::Instr, named, op::Op};
use parallax_isa::{Bundles, Code, Coverage, Cut, Line, Reject, Stream};
use parallax_lift::{Kernel, Layout};
use parallax_text::{Diag, Span};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The instructions, without control words.
    pub instrs: Vec<Instr>,
    /// Where each came from.
    pub lines: Vec<Line>,
    /// Where they lie.
    pub addresses: Addresses,
    /// What a text says of a kernel, if it is one.
    pub kernel: Option<Kernel>,
    /// The header in front of them, if there is one.
    pub header: Option<Header>,
    /// Whether they stand without control words.
    pub bare: bool,
}

/// The byte addresses of instructions: three in a bundle of 32 bytes, behind its control word.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Address of the first bundle.
    bundle: u64,
    /// Place of the first instruction in it: 0 to 2.
    slot: u64,
}

impl Addresses {
    /// Those of a binary whose first word lies at `layout.base`. Words without control words lie as if these were there; an
    /// address where one would be is that of the instruction behind it.
    pub fn of(layout: &Layout) -> Addresses {
        if !layout.bare {
            return Addresses { bundle: layout.base, slot: 0 };
        }
        let place = layout.base % 32 / 8;
        Addresses { bundle: layout.base / 32 * 32, slot: place.saturating_sub(1) }
    }

    /// The address of instruction `n`.
    #[inline(always)]
    pub fn of_instruction(&self, n: usize) -> u64 {
        let place = n as u64 + self.slot;
        self.bundle.wrapping_add(place / 3 * 32 + place % 3 * 8 + 8)
    }

    /// The address branches name where they lead to instruction `n`: that of its bundle where it is the first there.
    pub fn of_label(&self, n: usize) -> u64 {
        let address = self.of_instruction(n);
        if address % 32 == 8 { address - 8 } else { address }
    }

    /// The instruction at an address; that behind a control word if that lies there. There may be no such instruction.
    pub fn instruction_at(&self, address: i64) -> Option<usize> {
        let offset = u64::try_from(address.checked_sub_unsigned(self.bundle)?).ok()?;
        if offset % 8 != 0 {
            return None;
        }
        let place = offset / 32 * 3 + (offset % 32 / 8).saturating_sub(1);
        usize::try_from(place.checked_sub(self.slot)?).ok()
    }
}

/// Most words that are explained one by one: files that are no programs at all may have millions.
const EXPLAINED: usize = 1000;

/// The mnemonic of a word that no row matches, if it has one.
fn name_of(code: &Code, reject: &Reject) -> Option<&'static str> {
    named::name(code.word() as u64).filter(|_| matches!(reject, Reject::Unknown))
}

/// Says what is wrong with a word that cannot be decoded.
pub(crate) fn explain(code: &Code, reject: Reject, span: Span) -> Diag {
    match name_of(code, &reject) {
        Some(name) => Diag::unsupported("not-decoded", span, format!("{name} is not decoded")),
        None => codec().explain(code.word(), reject, span),
    }
}

/// Instructions that are known by name only: how often each occurs, and where the first is.
#[derive(Default)]
struct NotDecoded {
    counts: BTreeMap<&'static str, usize>,
    first: Span,
}

impl NotDecoded {
    fn count(&mut self, name: &'static str, span: Span) {
        if self.counts.is_empty() {
            self.first = span;
        }
        *self.counts.entry(name).or_default() += 1;
    }

    /// One problem for all.
    fn diag(&self) -> Option<Diag> {
        let mut counts: Vec<_> = self.counts.iter().collect();
        parallax_text::sort_by_key(&mut counts, |(_, count)| std::cmp::Reverse(**count));
        let each: Vec<String> = counts.iter().map(|(name, count)| format!("{name} ({count})")).collect();
        let message = match self.counts.values().sum() {
            0usize => return None,
            1 => format!("{} is not decoded", counts[0].0),
            all => format!("{all} instructions are not decoded: {}", each.join(", ")),
        };
        Some(Diag::unsupported("not-decoded", self.first, message))
    }
}

/// NOP: what fills a bundle, and keeps the place of what is no instruction.
pub(crate) fn filler() -> Instr {
    static NOP: LazyLock<Instr> = LazyLock::new(|| {
        let nop = codec().rows().find(|(_, row)| crate::table::op(row) == Some(Op::Nop));
        let (id, row) = nop.expect("the table has NOP");
        // Its test of the condition codes always holds.
        Instr::new(id, &Code::new(row.pattern.base() | 0x7_0f00, u128::from(NO_CONTROL)))
    });
    *NOP
}

/// The kind of stream these words come in.
pub fn bundles() -> Bundles {
    Bundles { filler: filler().code() }
}

impl Program {
    /// Reads a binary. It can be run only if no problem is an error. NOP stands in place of what is no instruction.
    pub fn decode(bytes: &[u8], layout: &Layout) -> (Program, Vec<Diag>) {
        let codec = codec();
        let (header, start) = header_of(bytes, layout);
        let mut program = Program { addresses: Addresses::of(layout), header, bare: layout.bare, ..Program::default() };
        let mut diags = Vec::new();
        if let Some(cut) = cut_header(bytes, layout) {
            diags.push(explain_header_cut(cut));
            return (program, diags);
        }
        diags.extend(header.iter().flat_map(|header| header.check(|at| Span::new(at, at + 4))));
        program.instrs.reserve(bytes.len() / 8);
        program.lines.reserve(bytes.len() / 8);
        let (mut unknown, mut last) = (0, Span::default());
        let mut not_decoded = NotDecoded::default();
        let mut one = |word: u64, control: u32, offset: usize| {
            let span = Span::new(offset, offset + 8);
            let code = || Code::new(word.into(), control.into());
            let instr = Instr::decode(codec, code()).unwrap_or_else(|reject| {
                let code = code();
                if let Some(name) = name_of(&code, &reject) {
                    not_decoded.count(name, span);
                    return filler();
                }
                unknown += 1;
                last = span;
                if unknown <= EXPLAINED {
                    diags.push(codec.explain(code.word(), reject, span));
                }
                filler()
            });
            program.instrs.push(instr);
            program.lines.push(Line { line: 0, span });
        };
        let cut = each_word(bytes, start, layout.bare, &mut one);
        if unknown > EXPLAINED {
            let message = format!("this word and {} more before it are not instructions", unknown - EXPLAINED - 1);
            diags.push(Diag::invalid("unknown-instruction", last, message));
        }
        diags.extend(not_decoded.diag());
        diags.extend(cut.map(explain_cut));
        (program, diags)
    }

    /// The bytes: the header, then the instructions in bundles, the last one filled with NOPs; or words without control
    /// words.
    pub fn encode(&self) -> Vec<u8> {
        let codes: Vec<Code> = self.instrs.iter().map(Instr::code).collect();
        self.encode_codes(&codes)
    }

    /// The same with these instructions.
    pub(crate) fn encode_codes(&self, codes: &[Code]) -> Vec<u8> {
        if self.bare {
            return codes.iter().flat_map(|code| (code.word() as u64).to_le_bytes()).collect();
        }
        let mut bytes = self.header.map_or(Vec::new(), |header| header.bytes().to_vec());
        bytes.extend(bundles().encode(codes));
        bytes
    }
}

/// The header of a binary, and where its instructions start.
pub(crate) fn header_of(bytes: &[u8], layout: &Layout) -> (Option<Header>, usize) {
    let header = if layout.bare { None } else { Header::of(bytes) };
    (header, if header.is_some() { Header::BYTES } else { 0 })
}

/// Where a binary is cut off inside its header.
pub(crate) fn cut_header(bytes: &[u8], layout: &Layout) -> Option<Cut> {
    let cut = Cut { offset: 0, have: bytes.len(), need: Header::BYTES };
    (!layout.bare && Header::is_cut(bytes)).then_some(cut)
}

/// Says that the bytes end inside the header.
pub(crate) fn explain_header_cut(cut: Cut) -> Diag {
    let message = format!("the header has {} of {} bytes", cut.have, cut.need);
    Diag::invalid("truncated-header", Span::new(cut.offset, cut.offset + cut.have), message)
}

/// Says that the bytes end inside a bundle, or inside a word where there are no bundles.
pub(crate) fn explain_cut(cut: Cut) -> Diag {
    let span = Span::new(cut.offset, cut.offset + cut.have);
    if cut.need != Bundles::BYTES {
        return codec().explain_cut(cut);
    }
    let message = format!("the bundle at byte {} has {} of {} bytes", cut.offset, cut.have, cut.need);
    Diag::invalid("truncated-bundle", span, message)
        .with_help("a bundle is a control word and three instructions; NOPs fill the last one")
}

/// How often each instruction form occurs in binaries, one line a form, and a line of sums.
pub fn coverage<'a>(binaries: impl IntoIterator<Item = &'a [u8]>) -> String {
    let codec = codec();
    let mut coverage = Coverage::new(codec);
    let layout = Layout::default();
    for bytes in binaries {
        let (_, start) = header_of(bytes, &layout);
        each_code(bytes, start, false, |code, _| coverage.word(codec, code));
    }
    coverage.report(codec)
}

/// Calls `each` with every instruction of the bytes from `start` on and its offset; where they are cut off.
#[inline(always)]
pub(crate) fn each_code(bytes: &[u8], start: usize, bare: bool, mut each: impl FnMut(Code, usize)) -> Option<Cut> {
    each_word(bytes, start, bare, |word, control, offset| each(Code::new(word.into(), control.into()), offset))
}

/// The same with word and control bits, which are in registers where a code would be in memory.
#[inline(always)]
fn each_word(bytes: &[u8], start: usize, bare: bool, mut each: impl FnMut(u64, u32, usize)) -> Option<Cut> {
    let body = bytes.get(start..).unwrap_or(&[]);
    if bare {
        let (words, rest) = body.as_chunks::<8>();
        for (n, word) in words.iter().enumerate() {
            each(u64::from_le_bytes(*word), NO_CONTROL, start + 8 * n);
        }
        let cut = Cut { offset: bytes.len() - rest.len(), have: rest.len(), need: 8 };
        return (!rest.is_empty()).then_some(cut);
    }
    let (whole, rest) = body.as_chunks::<{ Bundles::BYTES }>();
    for (n, bundle) in whole.iter().enumerate() {
        for slot in 0..3 {
            let (word, control) = Bundles::slot(bundle, slot);
            each(word, control, start + 32 * n + 8 * slot + 8);
        }
    }
    if rest.is_empty() {
        return None;
    }
    // The instructions that are there, then where the bundle ends too soon.
    let at = bytes.len() - rest.len();
    for unit in bundles().units(rest) {
        match unit {
            Ok(unit) => each(unit.code.word() as u64, unit.code.side() as u32, at + unit.offset + unit.len - 8),
            Err(_) => return Some(Cut { offset: at, have: rest.len(), need: Bundles::BYTES }),
        }
    }
    Some(Cut { offset: at, have: rest.len(), need: Bundles::BYTES })
}
