//! Whole numbers as floats that have them exactly, for sets that compute with floats alone.

use super::Select;
use super::ranges::{self, is_compared, is_mask, literal};
use crate::form::{Arg, Value};
use crate::target::Meaning;
use parallax_core::{OpData, Type, ValueId};
use parallax_num::{Decl, Op, Slot};

/// The comparison of floats that a comparison of numbers is.
const fn of_floats(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ieq => Op::FEq,
        Op::Ine => Op::FNe,
        Op::Ilt | Op::Ult => Op::FLt,
        Op::Ile | Op::Ule => Op::FLe,
        _ => return None,
    })
}

/// The bits of the float that a number is.
fn bits(number: i64) -> u32 {
    (number as f32).to_bits()
}

/// 2 to the power of a small number.
fn power(exponent: i64) -> Arg {
    Arg::imm(2.0f32.powi(exponent as i32).to_bits())
}

impl Select<'_> {
    /// Whether a word is held as the float that it is.
    pub(super) fn is_number(&self, value: ValueId) -> bool {
        self.ranges.number(value).is_some()
    }

    /// The float that a word is.
    pub(super) fn number(&self, value: ValueId) -> Option<Arg> {
        match literal(self.func, value) {
            Some(number) => self.ranges.proven(value).map(|_| Arg::imm(bits(number))),
            None => self.ranges.number(value).map(|_| self.loose_arg(value)),
        }
    }

    /// What goes into a value without a computation: the float if that is a number, else bits.
    pub(super) fn arg_for(&mut self, to: ValueId, from: ValueId) -> Arg {
        if !self.is_number(to) {
            return self.arg(from);
        }
        match self.number(from) {
            Some(arg) => arg,
            None => self.arg(from),
        }
    }

    /// Refuses a number as bits; all bits of 0 are those of the float.
    pub(super) fn refuse_bits(&mut self, value: ValueId) {
        if self.ranges.number(value).is_some_and(|range| (range.low, range.high) != (0, 0)) {
            let title = self.target.title;
            self.refuse(format!("whole numbers (as bits): {title} computes with floats alone"));
        }
    }

    /// The comparison of floats that a comparison of two words is, if both are numbers.
    pub(super) fn compares_numbers(&self, num: Op, args: &[ValueId]) -> Option<Op> {
        let [a, b] = args else { return None };
        if self.target.abilities.integers || !is_compared(num) {
            return None;
        }
        let [a, b] = [*a, *b].map(|value| self.ranges.proven(value).filter(|_| self.number(value).is_some()));
        let (a, b) = (a?, b?);
        let is_unsigned = matches!(num, Op::Ult | Op::Ule);
        if is_unsigned && (a.low < 0 || b.low < 0) {
            return None;
        }
        of_floats(num)
    }

    /// The operands of such a comparison.
    pub(super) fn compared_numbers(&self, args: &[ValueId]) -> Option<[Arg; 2]> {
        let [a, b] = args else { return None };
        Some([self.number(*a)?, self.number(*b)?])
    }

    /// An operation on numbers; gives whether it was one.
    pub(super) fn counted(&mut self, result: ValueId, num: Op, slot: Slot, data: &OpData) -> bool {
        if self.target.abilities.integers {
            return false;
        }
        let func = self.func;
        if let (Op::I2f | Op::U2f, &[from]) = (num, &data.args[..]) {
            let Some(range) = self.ranges.proven(from) else { return false };
            let Some(arg) = self.number(from).filter(|_| range.low >= 0 || num == Op::I2f) else { return false };
            self.note_numbers();
            return self.expand(result, Op::Cvt, slot, &[arg]);
        }
        if !self.is_number(result) {
            return false;
        }
        if let Some(number) = ranges::truncated(func, num, data) {
            self.hold(result, Arg::imm(bits(number)));
            return true;
        }
        if matches!(num, Op::F2iTrunc | Op::F2uTrunc | Op::F2iFloor | Op::F2uFloor) {
            self.note_numbers();
            let arg = self.arg(data.args[0]);
            return self.whole_part(result, arg);
        }
        let mut args = Vec::with_capacity(data.args.len());
        for &arg in &data.args {
            match self.number(arg) {
                Some(arg) => args.push(arg),
                None => return false,
            }
        }
        self.note_numbers();
        let plain = Slot::plain(Decl::F32);
        let by = |n: usize| data.args.get(n).and_then(|&value| literal(func, value));
        let ranges = [0, 1].map(|n| data.args.get(n).and_then(|&value| self.ranges.proven(value)));
        let may_be_negative = ranges.iter().flatten().any(|range| range.low < 0);
        match (num, &args[..], by(1)) {
            (Op::Iadd, &[a, b], _) => self.try_op(result, Op::Add, plain, &[a, b]),
            (Op::Isub, &[a, b], _) => self.try_op(result, Op::Add, plain, &[a, b.negated()]),
            // 0 has no sign.
            (Op::Ineg, &[a], _) => self.try_op(result, Op::Add, plain, &[Arg::imm(0), a.negated()]),
            (Op::Imul, &[a, b], _) if may_be_negative => self.try_op(result, Op::Mad, plain, &[a, b, Arg::imm(0)]),
            (Op::Imul, &[a, b], _) => self.try_op(result, Op::Mul, plain, &[a, b]),
            (Op::Iabs, &[a], _) => {
                self.hold(result, a.magnitude());
                true
            }
            (Op::Imin | Op::Umin, &[a, b], _) => self.try_op(result, Op::Min, plain, &[a, b]),
            (Op::Imax | Op::Umax, &[a, b], _) => self.try_op(result, Op::Max, plain, &[a, b]),
            (Op::Shl, &[a, _], Some(by)) => self.try_op(result, Op::Mul, plain, &[a, power(by)]),
            (Op::Ishr | Op::Ushr, &[a, _], Some(by)) => {
                let Some(scaled) = self.scaled(a, power(-by)) else { return false };
                self.whole_part(result, scaled)
            }
            (Op::Iand, &[a, _], Some(mask)) if is_mask(mask) => self.low_part(result, a, i64::from(mask.count_ones())),
            (Op::Ubfe, &[a, ..], Some(at)) => {
                let Some(width) = by(2) else { return false };
                let Some(scaled) = self.scaled(a, power(-at)) else { return false };
                let Some(whole) = self.floor(scaled) else { return false };
                self.low_part(result, Arg::value(whole), width)
            }
            _ => false,
        }
    }

    fn note_numbers(&mut self) {
        self.notes.inexact_elsewhere("whole numbers as floats: other bits under rules with less than 24 bits");
    }

    fn scaled(&mut self, a: Arg, by: Arg) -> Option<Arg> {
        let row = self.rows.get(Meaning::Each(Op::Mul))?;
        let fresh = self.fresh();
        Some(Arg::value(self.each(row, Slot::plain(Decl::F32), &[a, by], fresh)))
    }

    /// The largest whole number that is not above one, which has few bits, so that its fraction is exact.
    fn floor(&mut self, a: Arg) -> Option<Value> {
        let plain = Slot::plain(Decl::F32);
        if let Some(row) = self.rows.get(Meaning::Each(Op::Floor)) {
            let fresh = self.fresh();
            return Some(self.each(row, plain, &[a], fresh));
        }
        let [frac, add] = [Op::Frac, Op::Add].map(|op| self.rows.get(Meaning::Each(op)));
        let (frac, add) = (frac?, add?);
        let fresh = self.fresh();
        let part = self.each(frac, plain, &[a], fresh);
        let fresh = self.fresh();
        Some(self.each(add, plain, &[a, Arg::value(part).negated()], fresh))
    }

    fn whole_part(&mut self, result: ValueId, a: Arg) -> bool {
        let Some(whole) = self.floor(a) else { return false };
        self.hold(result, Arg::value(whole));
        true
    }

    /// The lowest bits of a number that is not negative.
    fn low_part(&mut self, result: ValueId, a: Arg, width: i64) -> bool {
        let Some(frac) = self.rows.get(Meaning::Each(Op::Frac)) else { return false };
        let Some(scaled) = self.scaled(a, power(-width)) else { return false };
        let fresh = self.fresh();
        let part = self.each(frac, Slot::plain(Decl::F32), &[scaled], fresh);
        self.try_op(result, Op::Mul, Slot::plain(Decl::F32), &[Arg::value(part), power(width)])
    }

    /// Whether a value is a word that its reader takes as a number.
    pub(super) fn is_word(&self, value: ValueId) -> bool {
        self.func.ty(value) == Type::I32
    }
}
