//! Whole programs: binaries in and out.

use crate::fields::NO_CONTROL;
use crate::{Instr, Op, codec};
use parallax_isa::{Bundles, Code, Cut, Stream};
use parallax_lift::Layout;
use parallax_text::{Diag, Span};
use std::sync::LazyLock;

/// Where an instruction came from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Line of the text, from 1; 0 for binaries.
    pub line: u32,
    /// Its bytes in the text or binary.
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The instructions, without control words.
    pub instrs: Vec<Instr>,
    /// Where each came from.
    pub lines: Vec<Line>,
    /// Where they lie.
    pub addresses: Addresses,
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
pub(crate) fn bundles() -> Bundles {
    Bundles { filler: filler().code() }
}

impl Program {
    /// Reads a binary. It can be run only if no problem is an error. NOP stands in place of what is no instruction.
    pub fn decode(bytes: &[u8], layout: &Layout) -> (Program, Vec<Diag>) {
        let codec = codec();
        let mut program = Program { addresses: Addresses::of(layout), ..Program::default() };
        let mut diags = Vec::new();
        program.instrs.reserve(bytes.len() / 8);
        program.lines.reserve(bytes.len() / 8);
        let mut one = |code: Code, offset: usize| {
            let span = Span::new(offset, offset + 8);
            let instr = Instr::decode(codec, code).unwrap_or_else(|reject| {
                diags.push(codec.explain(code.word(), reject, span));
                filler()
            });
            program.instrs.push(instr);
            program.lines.push(Line { line: 0, span });
        };
        let cut = each_code(bytes, 0, layout.bare, &mut one);
        diags.extend(cut.map(|cut| codec.explain_cut(cut)));
        (program, diags)
    }

    /// The bytes of the instructions, in bundles; the last one is filled with NOPs.
    pub fn encode(&self) -> Vec<u8> {
        let codes: Vec<Code> = self.instrs.iter().map(Instr::code).collect();
        bundles().encode(&codes)
    }
}

/// Calls `each` with every instruction of the bytes from `start` on and its offset; where they are cut off.
#[inline(always)]
pub(crate) fn each_code(bytes: &[u8], start: usize, bare: bool, mut each: impl FnMut(Code, usize)) -> Option<Cut> {
    let body = bytes.get(start..).unwrap_or(&[]);
    if bare {
        let (words, rest) = body.as_chunks::<8>();
        for (n, word) in words.iter().enumerate() {
            let code = Code::new(u128::from(u64::from_le_bytes(*word)), u128::from(NO_CONTROL));
            each(code, start + 8 * n);
        }
        let cut = Cut { offset: bytes.len() - rest.len(), have: rest.len(), need: 8 };
        return (!rest.is_empty()).then_some(cut);
    }
    let (whole, rest) = body.as_chunks::<{ Bundles::BYTES }>();
    for (n, bundle) in whole.iter().enumerate() {
        for (slot, code) in Bundles::whole(bundle).into_iter().enumerate() {
            each(code, start + 32 * n + 8 * slot + 8);
        }
    }
    if rest.is_empty() {
        return None;
    }
    // The instructions that are there, then where the bundle ends too soon.
    let at = bytes.len() - rest.len();
    for unit in bundles().units(rest) {
        match unit {
            Ok(unit) => each(unit.code, at + unit.offset + unit.len - 8),
            Err(_) => return Some(Cut { offset: at, have: rest.len(), need: Bundles::BYTES }),
        }
    }
    Some(Cut { offset: at, have: rest.len(), need: Bundles::BYTES })
}
