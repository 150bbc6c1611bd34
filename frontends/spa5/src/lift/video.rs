//! Video instructions: on bytes, halves and words of registers, as PTX describes them. Results are computed without loss, then clamped
//! where they saturate, cut, and merged into the third source or combined with it.

use super::Ctx;
use super::integer::compared;
use crate::op::Op as Instruction;
use crate::view::{Content, Name, Operands, Source};
use parallax_core::ValueId;
use parallax_num::Op;

/// What becomes of a result, by number.
const MERGE: [(u32, u32); 4] = [(16, 16), (0, 16), (0, 8), (16, 8)];
const ACCUMULATE: u32 = 4;
const MINIMUM: u32 = 5;
const MAXIMUM: u32 = 6;

impl Ctx<'_, '_> {
    fn long(&mut self, value: i64) -> ValueId {
        let (low, high) = (self.lit(value as u32), self.lit((value >> 32) as u32));
        self.l.b.int(Op::Join, &[low, high])
    }

    /// The part of a source that its selector names, as a number of 64 bits.
    fn video_source(&mut self, source: Source, selector: [Name; 3], signed: bool, i: Operands) -> Option<ValueId> {
        let extend = if signed { Op::Sext64 } else { Op::Zext64 };
        if let Content::Literal(bits) | Content::Short(bits) = source.content {
            let bits = if signed { bits as u16 as i16 as u32 } else { bits & 0xffff };
            let value = self.lit(bits);
            return Some(self.l.b.int(extend, &[value]));
        }
        let [low, high, wide] = selector.map(|name| i.get(name));
        let (at, width) = match (wide, high, low) {
            (0, ..) => (8 * (2 * high + low), 8),
            (_, 0, _) => (16 * low, 16),
            (_, _, 0) => (0, 32),
            _ => {
                self.refuse("a reserved selector");
                return None;
            }
        };
        let val = self.source(source);
        let mut value = self.word_of(val);
        if width < 32 {
            let (at, width) = (self.lit(at), self.lit(width));
            value = self.l.b.int(if signed { Op::Ibfe } else { Op::Ubfe }, &[value, at, width]);
        }
        Some(self.l.b.int(extend, &[value]))
    }

    /// The first two sources, and whether they have signs.
    fn video_pair(&mut self, i: Operands) -> Option<[(ValueId, bool); 2]> {
        let (signed_a, signed_b) = (i.has(Name::SignA), i.has(Name::SignB));
        let a = self.video_source(i.a(), [Name::SelectorA0, Name::SelectorA1, Name::SelectorA2], signed_a, i)?;
        let b = self.video_source(i.b(), [Name::SelectorB0, Name::SelectorB1, Name::SelectorB2], signed_b, i)?;
        Some([(a, signed_a), (b, signed_b)])
    }

    /// Clamps a number of 64 bits to so many.
    fn clamped(&mut self, value: ValueId, bits: u32, signed: bool) -> ValueId {
        let (least, most) = match signed {
            true => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
            false => (0, (1i64 << bits) - 1),
        };
        let (least, most) = (self.long(least), self.long(most));
        let value = self.l.b.int(Op::Imax64, &[value, least]);
        self.l.b.int(Op::Imin64, &[value, most])
    }

    /// Clamps, merges or combines a result, and writes it.
    fn video_result(&mut self, i: Operands, mut value: ValueId, signed: bool) {
        if i.has(Name::SetsFlags) {
            return self.refuse("the condition code of video instructions is not executed: it is undocumented");
        }
        let what = i.get(Name::What);
        let merged = MERGE.get(what as usize).copied();
        if i.has(Name::Saturate) {
            value = self.clamped(value, merged.map_or(32, |(_, width)| width), signed);
        }
        let mut word = self.l.b.int(Op::Low, &[value]);
        if what < 7 {
            let c = self.source(i.c());
            let c = self.word_of(c);
            word = match (merged, what) {
                (Some((at, width)), _) => {
                    let (at, width) = (self.lit(at), self.lit(width));
                    self.l.b.int(Op::Bfi, &[c, word, at, width])
                }
                (_, ACCUMULATE) => self.l.b.int(Op::Iadd, &[word, c]),
                (_, MINIMUM) => self.l.b.int(if signed { Op::Imin } else { Op::Umin }, &[word, c]),
                (_, MAXIMUM) => self.l.b.int(if signed { Op::Imax } else { Op::Umax }, &[word, c]),
                _ => word,
            };
        }
        self.result(i, word);
    }

    /// VADD, VABSDIFF, VMNMX, VSHL and VSHR.
    pub(super) fn video(&mut self, i: Operands, op: Instruction) {
        let Some([(a, _), (b, _)]) = self.video_pair(i) else { return };
        let signed = i.has(Name::ResultSigned);
        let value = match op {
            Instruction::Vadd => {
                let negates = i.get(Name::Negates);
                let mut args = [a, b];
                for (n, bit) in [(0, 2), (1, 1)] {
                    if negates == bit {
                        args[n] = self.l.b.int(Op::Ineg64, &[args[n]]);
                    }
                }
                let sum = self.l.b.int(Op::Iadd64, &args);
                if negates == 3 {
                    let one = self.long(1);
                    self.l.b.int(Op::Iadd64, &[sum, one])
                } else {
                    sum
                }
            }
            Instruction::Vabsdiff => {
                let difference = self.l.b.int(Op::Isub64, &[a, b]);
                self.l.b.int(Op::Iabs64, &[difference])
            }
            Instruction::Vmnmx => {
                let op = if i.has(Name::Range) { Op::Imax64 } else { Op::Imin64 };
                self.l.b.int(op, &[a, b])
            }
            _ => {
                if op == Instruction::Vshl && i.has(Name::Saturate) {
                    return self
                        .refuse("a shift to the left that saturates is not executed: what is lost is undocumented");
                }
                let amount = self.l.b.int(Op::Low, &[b]);
                let limit = self.lit(if i.has(Name::Wrap) { 31 } else { 32 });
                let amount = self.l.b.int(if i.has(Name::Wrap) { Op::Iand } else { Op::Umin }, &[amount, limit]);
                self.l.b.int(if op == Instruction::Vshl { Op::Shl64 } else { Op::Ishr64 }, &[a, amount])
            }
        };
        self.video_result(i, value, signed);
    }

    /// VMAD: a product plus c, shifted right.
    pub(super) fn video_mad(&mut self, i: Operands) {
        if i.has(Name::SetsFlags) {
            return self.refuse("the condition code of video instructions is not executed: it is undocumented");
        }
        let Some([(a, signed_a), (b, signed_b)]) = self.video_pair(i) else { return };
        let negates = i.get(Name::Negates);
        let signed = signed_a || signed_b || negates == 1 || negates == 2;
        let val = self.source(i.c());
        let c = self.word_of(val);
        let mut c = self.l.b.int(if signed { Op::Sext64 } else { Op::Zext64 }, &[c]);
        let mut product = self.l.b.int(Op::Imul64, &[a, b]);
        if negates == 2 {
            product = self.l.b.int(Op::Ineg64, &[product]);
        }
        if negates == 1 {
            c = self.l.b.int(Op::Ineg64, &[c]);
        }
        let mut value = self.l.b.int(Op::Iadd64, &[product, c]);
        if negates == 3 {
            let one = self.long(1);
            value = self.l.b.int(Op::Iadd64, &[value, one]);
        }
        let shift = match i.get(Name::Scale) {
            0 => 0,
            1 => 7,
            2 => 15,
            _ => return self.refuse("a reserved scale"),
        };
        if shift > 0 {
            let shift = self.lit(shift);
            value = self.l.b.int(if signed { Op::Ishr64 } else { Op::Ushr64 }, &[value, shift]);
        }
        if i.has(Name::Saturate) {
            value = if signed {
                self.clamped(value, 32, true)
            } else {
                let most = self.long(i64::from(u32::MAX));
                self.l.b.int(Op::Umin64, &[value, most])
            };
        }
        let word = self.l.b.int(Op::Low, &[value]);
        self.result(i, word);
    }

    /// Whether the sources of VSET and VSETP compare so.
    fn video_outcome(&mut self, i: Operands) -> Option<ValueId> {
        let [(a, _), (b, _)] = self.video_pair(i)?;
        Some(match compared(i.get(Name::Compare)) {
            Err(known) => self.l.b.pred(known),
            Ok((op, swapped, inverted)) => {
                let args = if swapped { [b, a] } else { [a, b] };
                let value = self.l.b.int(op, &args);
                if inverted { self.l.b.int(Op::Pnot, &[value]) } else { value }
            }
        })
    }

    /// VSET: 1 where the outcome holds.
    pub(super) fn video_set(&mut self, i: Operands) {
        let Some(outcome) = self.video_outcome(i) else { return };
        let (one, zero) = (self.lit(1), self.lit(0));
        let word = self.l.b.select(outcome, one, zero);
        let value = self.l.b.int(Op::Zext64, &[word]);
        self.video_result(i, value, false);
    }

    /// VSETP.
    pub(super) fn video_set_predicates(&mut self, i: Operands) {
        if let Some(outcome) = self.video_outcome(i) {
            self.set_predicates(i, outcome);
        }
    }

    /// VABSDIFF4: distances of four bytes each, or what they add up to.
    pub(super) fn video_four(&mut self, i: Operands) {
        const PLAIN: u32 = 4;
        const ALL: u32 = 15;
        if i.has(Name::SetsFlags) || i.has(Name::Saturate) {
            return self
                .refuse("saturation and the condition code of four bytes are not executed: they are undocumented");
        }
        let plain = i.get(Name::BytesA) == PLAIN && i.get(Name::BytesB) == PLAIN && i.get(Name::Lanes) == ALL;
        if !plain || i.get(Name::Sum) > 1 {
            return self.refuse("only four bytes in their order are executed");
        }
        let signs = i.get(Name::Signs4);
        let [a, b, c] = self.words(i);
        let eight = self.lit(8);
        let mut result = c;
        for n in 0..4 {
            let at = self.lit(8 * n);
            let [x, y] = [(a, signs & 1 != 0), (b, signs & 2 != 0)]
                .map(|(word, signed)| self.l.b.int(if signed { Op::Ibfe } else { Op::Ubfe }, &[word, at, eight]));
            let difference = self.l.b.int(Op::Isub, &[x, y]);
            let distance = self.l.b.int(Op::Iabs, &[difference]);
            result = match i.get(Name::Sum) {
                0 => self.l.b.int(Op::Bfi, &[result, distance, at, eight]),
                _ => self.l.b.int(Op::Iadd, &[result, distance]),
            };
        }
        self.result(i, result);
    }
}
