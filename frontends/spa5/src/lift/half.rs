//! Arithmetic and comparisons of pairs of binary16 numbers, the low one in the low half of a register.

use super::Ctx;
use super::operand::Modifiers;
use crate::view::{Content, Name, Operands, Source};
use parallax_core::{SlotId, ValueId};
use parallax_num::{Decl, Op};

/// What a source takes of a register by number: each half its own, a binary32 number, one half twice.
const FLOAT: u32 = 1;
const LOW: u32 = 2;
const HIGH: u32 = 3;

/// What becomes of a result by number: both halves, a binary32 number, one half while the other stays.
const MERGE_FLOAT: u32 = 1;
const MERGE_LOW: u32 = 2;
const MERGE_HIGH: u32 = 3;

/// 1.0 as binary16.
const ONE: u32 = 0x3c00;

type Pair = [ValueId; 2];

impl Ctx<'_, '_> {
    /// The slot of halves with what the instruction asks.
    fn half_slot(&mut self, i: Operands) -> Option<SlotId> {
        let asked = Modifiers { scale: 0, round: 0, ..Modifiers::by(i) };
        if asked.flush > 2 {
            self.refuse("a reserved modifier");
            return None;
        }
        Some(self.l.b.slot(asked.slot(Decl::F16)))
    }

    /// Both halves of a source.
    fn halves_of(&mut self, i: Operands, source: Source) -> Option<Pair> {
        if source.half == FLOAT {
            self.refuse("a source that is a binary32 number is not executed: when it is rounded is undocumented");
            return None;
        }
        let word = match source.content {
            Content::Literal(low) => {
                // Literals of 10 bits are the highest of a half.
                let shift = if self.program.instrs[self.current].row().name.ends_with("32I") { 0 } else { 6 };
                self.lit(i.get(Name::HighLiteral) << (16 + shift) | low << shift)
            }
            _ => {
                let val = self.source(source);
                self.word_of(val)
            }
        };
        let parts = match source.half {
            LOW => [0, 0],
            HIGH => [1, 1],
            _ => [0, 1],
        };
        let slot = self.l.plain(Decl::F16);
        Some(parts.map(|n| {
            let mut value = self.half_of_word(word, n);
            if source.magnitude {
                value = self.l.b.num(Op::Abs, slot, &[value]);
            }
            if source.negate {
                value = self.l.b.num(Op::Neg, slot, &[value]);
            }
            value
        }))
    }

    /// HADD2, HMUL2 and HFMA2.
    pub(super) fn halves(&mut self, i: Operands, op: Op) {
        let Some(slot) = self.half_slot(i) else { return };
        let Some(a) = self.halves_of(i, i.a()) else { return };
        let Some(b) = self.halves_of(i, i.b()) else { return };
        let c = if op == Op::Mad { self.halves_of(i, i.c()) } else { Some(a) };
        let Some(c) = c else { return };
        let count = if op == Op::Mad { 3 } else { 2 };
        let words = [0, 1].map(|n| {
            let value = self.l.b.num(op, slot, &[a[n], b[n], c[n]][..count]);
            self.word_of_half(value)
        });
        self.write_halves(i, words);
    }

    /// Writes two halves, each in the low half of a word.
    fn write_halves(&mut self, i: Operands, [low, high]: Pair) {
        let sixteen = self.lit(16);
        let merge = i.get(Name::Merge);
        if merge == MERGE_FLOAT && i.names(Name::Merge) {
            return self
                .refuse("a result that is a binary32 number is not executed: when it is rounded is undocumented");
        }
        let value = match merge {
            MERGE_LOW | MERGE_HIGH => {
                let val = self.register(i.d());
                let before = self.word_of(val);
                let (at, part) = if merge == MERGE_LOW { (self.lit(0), low) } else { (sixteen, high) };
                self.l.b.int(Op::Bfi, &[before, part, at, sixteen])
            }
            _ => self.l.b.int(Op::Bfi, &[low, high, sixteen, sixteen]),
        };
        self.result(i, value);
    }

    /// Whether halves compare so.
    fn half_outcomes(&mut self, i: Operands) -> Option<Pair> {
        let slot = self.half_slot(i)?;
        let (a, b) = (self.halves_of(i, i.a())?, self.halves_of(i, i.b())?);
        Some([0, 1].map(|n| self.compare(i.get(Name::Compare), slot, a[n], b[n])))
    }

    /// HSET2: 1.0 or all ones in each half where the outcome, combined with a predicate, holds.
    pub(super) fn halves_set(&mut self, i: Operands) {
        let Some(outcomes) = self.half_outcomes(i) else { return };
        let (truth, zero) = (self.lit(if i.has(Name::AsFloat) { ONE } else { 0xffff }), self.lit(0));
        let mut words = [zero; 2];
        for (word, outcome) in words.iter_mut().zip(outcomes) {
            let Some(outcome) = self.combined(i, outcome) else { return };
            *word = self.l.b.select(outcome, truth, zero);
        }
        self.write_halves(i, words);
    }

    /// HSETP2: a predicate for each half, or with `.H_AND` whether both compare so, and the opposite.
    pub(super) fn halves_set_predicates(&mut self, i: Operands) {
        let Some([low, high]) = self.half_outcomes(i) else { return };
        if i.has(Name::Both) {
            let both = self.l.b.int(Op::Pand, &[low, high]);
            return self.set_predicates(i, both);
        }
        let (Some(low), Some(high)) = (self.combined(i, low), self.combined(i, high)) else { return };
        self.write_predicate(i.number(Name::PredicateResult), low);
        self.write_predicate(i.number(Name::OppositeResult), high);
    }
}
