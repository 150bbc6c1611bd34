//! Operations between the lanes of a warp, for which a quad stands in pixel programs.

use super::Ctx;
use super::operand::Modifiers;
use crate::fields::RZ;
use crate::view::{Name, Operands};
use parallax_core::{OpKind, SysVal, ValueId};
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// Number of the lane in its quad.
    fn quad_lane(&mut self) -> ValueId {
        self.l.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[])
    }

    /// SHFL. A lane outside of the quad is one that does not run: who asks for it keeps its own word, and the predicate says
    /// that there was none.
    pub(super) fn shuffle(&mut self, i: Operands) {
        let [a, by, mask] = self.words(i);
        let own = self.lane();
        let (five_bits, eight, five) = (self.lit(31), self.lit(8), self.lit(5));
        let by = self.l.b.int(Op::Iand, &[by, five_bits]);
        let segment = self.l.b.int(Op::Ubfe, &[mask, eight, five]);
        let clamp = self.l.b.int(Op::Iand, &[mask, five_bits]);
        let inside = self.l.b.int(Op::Inot, &[segment]);
        // The first and the last lane that may be asked.
        let least = self.l.b.int(Op::Iand, &[own, segment]);
        let last = self.l.b.int(Op::Iand, &[clamp, inside]);
        let last = self.l.b.int(Op::Ior, &[least, last]);
        let mode = i.get(Name::Mode);
        let from = match mode {
            0 => {
                let within = self.l.b.int(Op::Iand, &[by, inside]);
                self.l.b.int(Op::Ior, &[least, within])
            }
            1 => self.l.b.int(Op::Isub, &[own, by]),
            2 => self.l.b.int(Op::Iadd, &[own, by]),
            _ => self.l.b.int(Op::Ixor, &[own, by]),
        };
        let reached = match mode {
            1 => self.l.b.int(Op::Ile, &[last, from]),
            _ => self.l.b.int(Op::Ile, &[from, last]),
        };
        let is_kernel = self.kernel.is_some();
        let lanes = self.lit(if is_kernel { 32 } else { 4 });
        let exists = self.l.b.int(Op::Ult, &[from, lanes]);
        let valid = self.l.b.int(Op::Pand, &[reached, exists]);
        let from = self.l.b.select(valid, from, own);
        let kind = if is_kernel { OpKind::GroupShuffle } else { OpKind::QuadShuffle };
        let value = self.l.b.value(kind, None, &[a, from]);
        self.result(i, value);
        self.write_predicate(i.number(Name::PredicateResult), valid);
    }

    /// FSWZADD: a sum whose signs each lane of the quad chooses for itself.
    pub(super) fn swizzled_add(&mut self, i: Operands) {
        let [mut a, mut b] = self.float_pair(i);
        let codes = [0, 1, 2, 3].map(|lane| i.get(Name::Signs) >> (2 * lane) & 3);
        let lanes_with = |code: u32| (0..4).filter(|&n| codes[n] == code).fold(0, |set, n| set | 1 << n);
        let slot = self.plain();
        for (code, negates_a) in [(1, true), (2, false)] {
            if let Some(here) = self.in_lanes(lanes_with(code)) {
                let of = if negates_a { &mut a } else { &mut b };
                let negated = self.l.b.num(Op::Neg, slot, &[*of]);
                *of = self.l.b.select(here, negated, *of);
            }
        }
        if let Some(here) = self.in_lanes(lanes_with(3)) {
            let zero = self.zero();
            a = self.l.b.select(here, zero, a);
        }
        self.float_result(i, Op::Add, Modifiers::by(i), &[a, b]);
    }

    /// Whether this lane is one of a set; `None` for no lane.
    pub(super) fn in_lanes(&mut self, set: u32) -> Option<ValueId> {
        if set == 0 {
            return None;
        }
        if set == 15 {
            return Some(self.l.b.pred(true));
        }
        let (own, set, one, zero) = (self.quad_lane(), self.lit(set), self.lit(1), self.lit(0));
        let shifted = self.l.b.int(Op::Ushr, &[set, own]);
        let bit = self.l.b.int(Op::Iand, &[shifted, one]);
        Some(self.l.b.int(Op::Ine, &[bit, zero]))
    }

    /// A bit for each lane of the warp that executes the instruction and in which a predicate holds.
    fn ballot(&mut self, pred: ValueId) -> ValueId {
        let pred = match self.guard {
            Some(guard) => self.l.b.int(Op::Pand, &[guard, pred]),
            None => pred,
        };
        self.l.b.value(OpKind::GroupBallot { word: 0 }, None, &[pred])
    }

    /// Whether a predicate holds in some lane that executes the instruction.
    fn any(&mut self, pred: ValueId) -> ValueId {
        let pred = match self.guard {
            Some(guard) => self.l.b.int(Op::Pand, &[guard, pred]),
            None => pred,
        };
        if self.kernel.is_some() {
            let (ballot, zero) = (self.l.b.value(OpKind::GroupBallot { word: 0 }, None, &[pred]), self.lit(0));
            return self.l.b.int(Op::Ine, &[ballot, zero]);
        }
        self.l.b.quad(OpKind::QuadAny, pred)
    }

    pub(super) fn vote(&mut self, i: Operands) {
        let pred = self.predicate(i.get(Name::LastPredicate));
        let opposite = self.l.b.int(Op::Pnot, &[pred]);
        let (some, some_not) = (self.any(pred), self.any(opposite));
        let outcome = match i.get(Name::Mode) {
            0 => self.l.b.int(Op::Pnot, &[some_not]),
            1 => some,
            2 => {
                let mixed = self.l.b.int(Op::Pand, &[some, some_not]);
                self.l.b.int(Op::Pnot, &[mixed])
            }
            _ => return self.refuse("a reserved mode"),
        };
        if self.kernel.is_some() {
            if i.d() != RZ {
                let ballot = self.ballot(pred);
                self.result(i, ballot);
            }
        } else if i.d() != RZ {
            let own = self.quad_lane();
            let mut ballot = self.lit(0);
            for lane in 0..4 {
                let number = self.lit(lane);
                let here = self.l.b.int(Op::Ieq, &[own, number]);
                let here = self.l.b.int(Op::Pand, &[here, pred]);
                let holds = self.any(here);
                let (bit, zero) = (self.lit(1 << lane), self.lit(0));
                let bit = self.l.b.select(holds, bit, zero);
                ballot = self.l.b.int(Op::Ior, &[ballot, bit]);
            }
            self.result(i, ballot);
        }
        self.write_predicate(i.number(Name::PredicateResult), outcome);
    }
}
