//! Comparisons, choices and discards. A comparison becomes a value only where somebody needs it as one.

use super::{Held, Select};
use crate::form::{Arg, Base, Instr, Lanes, Node, Operand, Precision, Test};
use crate::target::{Meaning, Row, Truth};
use parallax_core::{EntityRef, Func, OpId, OpKind, ValueId};
use parallax_num::{Decl, Op, Slot};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

const ONE: u32 = 0x3f80_0000;

/// The comparison with the operands exchanged.
const fn swapped(op: Op) -> Option<Op> {
    Some(match op {
        Op::FLt => Op::FGt,
        Op::FGt => Op::FLt,
        Op::FLe => Op::FGe,
        Op::FGe => Op::FLe,
        Op::FEq | Op::FNe | Op::Ieq | Op::Ine => op,
        _ => return None,
    })
}

/// A comparison of which this one is the opposite with exchanged operands: the opposite of `a <= b` is `b < a` of integers.
const fn opposite_of_swapped(op: Op) -> Option<Op> {
    Some(match op {
        Op::Ile => Op::Ilt,
        Op::Ule => Op::Ult,
        _ => return None,
    })
}

/// Whether an operation compares two numbers.
const fn is_comparison(op: Op) -> bool {
    swapped(op).is_some() || opposite_of_swapped(op).is_some() || matches!(op, Op::Ilt | Op::Ult)
}

/// Comparisons of floats by the test of a condition code.
const fn of_code(op: Op) -> Option<Op> {
    Some(match op {
        Op::CcEq => Op::FEq,
        Op::CcNe => Op::FNe,
        Op::CcLt => Op::FLt,
        Op::CcLe => Op::FLe,
        Op::CcGt => Op::FGt,
        Op::CcGe => Op::FGe,
        _ => return None,
    })
}

/// What a value is, as far as patterns look at it.
fn literal(func: &Func, value: ValueId) -> Option<u64> {
    let op = func.def_op(value)?;
    match func.ops[op].kind {
        OpKind::Literal(bits) => Some(bits),
        OpKind::Num(Op::BitsOf | Op::BitsTo) => literal(func, func.ops[op].args[0]),
        _ => None,
    }
}

/// The value whose bits these are.
fn unwrapped(func: &Func, value: ValueId) -> ValueId {
    match func.def_op(value).map(|op| &func.ops[op]) {
        Some(data) if matches!(data.kind, OpKind::Num(Op::BitsOf | Op::BitsTo)) => unwrapped(func, data.args[0]),
        _ => value,
    }
}

/// Whether an op chooses between two values by whether they have the same bits: then it gives the bits of the second. Frontends do
/// so where a register meets as a float and as a word.
fn chooses_the_second(func: &Func, op: OpId) -> bool {
    let data = &func.ops[op];
    let Some(condition) = func.def_op(data.args[0]).map(|op| &func.ops[op]) else { return false };
    let same = |a, b| unwrapped(func, a) == unwrapped(func, b);
    condition.kind == OpKind::Num(Op::Ieq)
        && same(condition.args[0], data.args[1])
        && same(condition.args[1], data.args[2])
}

/// A predicate's opposite, which its readers take.
const fn opposite_predicate(arg: Arg) -> Arg {
    match arg.base() {
        Base::Imm(bits) => Arg::imm(!bits),
        _ => arg.opposite(),
    }
}

impl Select<'_> {
    /// Which conditions somebody needs as values.
    pub(super) fn find_needed(&self) -> Vec<bool> {
        let func = self.func;
        let mut needed = vec![false; func.values.len()];
        func.walk(|_, op| {
            let data = &func.ops[op];
            if self.skipped.contains(&op) {
                return;
            }
            for (n, &arg) in data.args.iter().enumerate() {
                let arg = self.first_asked(arg);
                if func.ty(arg) == parallax_core::Type::Pred && !self.is_compared_by(op, n, arg) {
                    needed[arg.index()] = true;
                }
            }
        });
        needed
    }

    /// Finds conditions of conditions: `(c ? -1 : 0) != 0` is `c`. Targets that compute with whole numbers say it as it stands.
    pub(super) fn find_asked(&mut self) {
        if self.target.abilities.integers && self.target.abilities.truth != Truth::Predicate {
            return;
        }
        let func = self.func;
        let mut asked = FxHashMap::default();
        // Uses of choices, without those that ask.
        let mut uses: FxHashMap<ValueId, u32> = FxHashMap::default();
        func.walk(|_, op| {
            let data = &func.ops[op];
            if data.kind == OpKind::Num(Op::Ine)
                && literal(func, data.args[1]) == Some(0)
                && let Some(choice) = func.def_op(unwrapped(func, data.args[0])).map(|op| &func.ops[op])
                && choice.kind == OpKind::Select
                && literal(func, choice.args[1]).is_some_and(|bits| bits != 0)
                && literal(func, choice.args[2]) == Some(0)
            {
                asked.insert(data.results[0], choice.args[0]);
                uses.entry(data.args[0]).or_default();
            } else {
                data.args.iter().for_each(|&arg| *uses.entry(arg).or_default() += 1);
            }
        });
        let only_asked = uses.iter().filter(|&(_, &others)| others == 0);
        self.skipped.extend(only_asked.filter_map(|(&value, _)| func.def_op(value)));
        self.asked = asked;
    }

    /// The condition that a condition asks for.
    fn first_asked(&self, condition: ValueId) -> ValueId {
        let mut at = condition;
        while let Some(&from) = self.asked.get(&at) {
            at = from;
        }
        at
    }

    /// The comparison that a condition is, before anything is selected.
    fn compares(&self, value: ValueId) -> Option<(Op, ValueId, Option<ValueId>)> {
        let op = self.func.def_op(self.first_asked(value))?;
        let data = &self.func.ops[op];
        match data.kind {
            _ if self.is_ever_wide && self.has_wide(op) => None,
            OpKind::Num(num) if of_code(num).is_some() => Some((of_code(num)?, data.args[0], None)),
            OpKind::Num(num) if is_comparison(num) => {
                let num = self.compares_numbers(num, &data.args).unwrap_or(num);
                Some((num, data.args[0], Some(data.args[1])))
            }
            _ => None,
        }
    }

    /// Whether a value is one that the target holds as a predicate.
    fn is_predicate(&self, value: ValueId) -> bool {
        self.target.abilities.truth == Truth::Predicate && self.func.ty(value) == parallax_core::Type::Pred
    }

    /// A choice between predicates.
    fn choose_predicate(&mut self, condition: Arg, then: Arg, other: Arg) -> Option<Arg> {
        let is = |arg: Arg, holds: bool| arg.bits() == Some(if holds { u32::MAX } else { 0 });
        let not = opposite_predicate(condition);
        let part = |select: &mut Self, op, a, b| select.combined(op, a, Some(b));
        if is(then, true) {
            return part(self, Op::Por, condition, other);
        }
        if is(then, false) {
            return part(self, Op::Pand, not, other);
        }
        if is(other, true) {
            return part(self, Op::Por, not, then);
        }
        let first = part(self, Op::Pand, condition, then)?;
        if is(other, false) {
            return Some(first);
        }
        let second = part(self, Op::Pand, not, other)?;
        part(self, Op::Por, first, second)
    }

    /// Whether a condition compares with zero.
    fn is_with_zero(&self, second: Option<ValueId>) -> bool {
        second.is_none_or(|second| literal(self.func, second) == Some(0))
    }

    /// Whether an op makes the comparison of its operand itself.
    fn is_compared_by(&self, op: OpId, n: usize, condition: ValueId) -> bool {
        let Some((num, _, second)) = self.compares(condition) else { return false };
        let data = &self.func.ops[op];
        let with_zero = self.is_with_zero(second);
        match data.kind {
            // Predicates are chosen by predicates.
            OpKind::Select if self.is_predicate(data.results[0]) => false,
            OpKind::Select if n == 0 => {
                if chooses_the_second(self.func, op) {
                    return true;
                }
                let arms = [data.args[1], data.args[2]].map(|arm| literal(self.func, arm));
                self.set_row(num, arms).is_some()
                    || with_zero
                        && matches!(num, Op::FLt | Op::FGt)
                        && self.rows.get(Meaning::Select(Op::FLt)).is_some()
                    || with_zero && num == Op::Ine && self.rows.get(Meaning::Select(Op::Ine)).is_some()
            }
            OpKind::If if n == 0 => self.target.abilities.flow && with_zero && self.test(num).is_some(),
            OpKind::Discard => {
                let is_predicate = self.target.abilities.truth == Truth::Predicate;
                with_zero && matches!(num, Op::FLt | Op::FGt) && !is_predicate
            }
            _ => false,
        }
    }

    /// How a branch can make a comparison with zero itself.
    fn test(&self, num: Op) -> Option<Test> {
        match (num, self.target.abilities.truth) {
            (_, Truth::Predicate) => None,
            (Op::FNe, _) => Some(Test::Float),
            (Op::Ine, Truth::Bits) => Some(Test::Bits),
            _ => None,
        }
    }

    /// The row that gives 1 or all bits where a comparison holds, and whether its operands are exchanged. `arms`: what is chosen.
    fn set_row(&self, num: Op, arms: [Option<u64>; 2]) -> Option<(Row, bool)> {
        let (one, all) = (u64::from(ONE), u64::from(u32::MAX));
        let outcome = match arms {
            [Some(then), Some(0)] if then == one || then == all => true,
            [Some(0), Some(other)] if other == one || other == all => false,
            _ => return None,
        };
        let is_one = arms.contains(&Some(one));
        self.compare_row(num, outcome, is_one)
    }

    fn compare_row(&self, num: Op, outcome: bool, is_one: bool) -> Option<(Row, bool)> {
        let find = |op, outcome| {
            let meaning = if is_one { Meaning::Set(op, outcome) } else { Meaning::SetBits(op, outcome) };
            self.rows.get(meaning)
        };
        let direct = find(num, outcome).map(|row| (row, false));
        let exchanged = || swapped(num).and_then(|op| find(op, outcome)).map(|row| (row, true));
        let opposite = || opposite_of_swapped(num).and_then(|op| find(op, !outcome)).map(|row| (row, true));
        // Equality has no third case.
        let unequal = || {
            let other = match num {
                Op::FEq => Op::FNe,
                Op::FNe => Op::FEq,
                Op::Ieq => Op::Ine,
                Op::Ine => Op::Ieq,
                _ => return None,
            };
            find(other, !outcome).map(|row| (row, false))
        };
        // Where only less and not less are told apart.
        let not_less = || match num {
            Op::FGe => find(Op::FLt, !outcome).map(|row| (row, false)),
            Op::FLe => find(Op::FLt, !outcome).map(|row| (row, true)),
            _ => None,
        };
        direct.or_else(exchanged).or_else(opposite).or_else(unequal).or_else(not_less)
    }

    /// Says where a comparison is made as the opposite of less.
    fn note_comparison(&mut self, num: Op) {
        let is_there = [Op::FGe, Op::FLe].into_iter().any(|op| self.rows.get(Meaning::Set(op, true)).is_some());
        if matches!(num, Op::FGe | Op::FLe) && !is_there && self.target.abilities.truth == Truth::Float {
            self.notes.inexact("greater or equal as not less: NaN operands count as greater");
        }
    }

    /// A comparison or an operation on conditions.
    pub(super) fn condition(&mut self, result: ValueId, num: Op, args: &[ValueId]) {
        let first = self.first_asked(result);
        if first != result {
            self.held[result.index()] = self.held[first.index()];
            return;
        }
        let mut num = num;
        let taken: SmallVec<[Arg; 2]> = match self.compares_numbers(num, args) {
            Some(op) => {
                num = op;
                self.compared_numbers(args).into_iter().flatten().collect()
            }
            None => args.iter().map(|&arg| self.arg(arg)).collect(),
        };
        let compared = match (of_code(num), &taken[..]) {
            (Some(op), &[a]) => Some((op, a, Arg::imm(0))),
            (None, &[a, b]) if is_comparison(num) => Some((num, a, b)),
            _ => None,
        };
        if let Some((op, a, b)) = compared {
            if !self.needed[result.index()] {
                self.held[result.index()] = Some(Held::Compared(self.comparisons.len() as u32));
                self.comparisons.push((op, a, b));
                return;
            }
            match self.compared(op, a, b) {
                Some(arg) => self.hold(result, arg),
                None if self.is_whole(num) => self.refuse_whole(num),
                None => self.missing(num.name()),
            }
            // Some users make it themselves all the same.
            return;
        }
        let made = match (num, &taken[..]) {
            (Op::Funo, &[a, b]) if self.target.abilities.truth == Truth::Predicate => self.compared(num, a, b),
            (Op::Funo, &[a, b]) => {
                let [a, b] = [a, b].map(|x| self.compared(Op::FNe, x, x));
                a.zip(b).and_then(|(a, b)| self.combined(Op::Por, a, Some(b)))
            }
            (Op::Pnot, &[a]) => self.combined(num, a, None),
            (_, &[a, b]) => self.combined(num, a, Some(b)),
            _ => None,
        };
        match made {
            Some(arg) => self.hold(result, arg),
            None => self.missing(num.name()),
        }
    }

    /// A comparison as a value.
    pub(super) fn compared(&mut self, op: Op, a: Arg, b: Arg) -> Option<Arg> {
        if self.target.abilities.truth == Truth::Predicate {
            let direct = self.rows.get(Meaning::Test(op, true)).map(|row| (row, [a, b]));
            let opposite = || opposite_of_swapped(op).and_then(|op| self.rows.get(Meaning::Test(op, false)));
            let (row, args) = direct.or_else(|| opposite().map(|row| (row, [b, a])))?;
            let fresh = self.fresh();
            return Some(Arg::value(self.each(row, Slot::plain(Decl::F32), &args, fresh)));
        }
        let is_one = self.target.abilities.truth == Truth::Float;
        if let Some((row, exchanged)) = self.compare_row(op, true, is_one) {
            self.note_comparison(op);
            let (a, b) = if exchanged { (b, a) } else { (a, b) };
            let fresh = self.fresh();
            let value = self.each(row, Slot::plain(Decl::F32), &[a, b], fresh);
            return Some(Arg::value(value));
        }
        // Floats that can be compared by less and not less alone.
        let (first, second) = match op {
            Op::FEq => (self.compared_by(Op::FGe, a, b)?, self.compared_by(Op::FGe, b, a)?),
            Op::FNe => {
                let equal = self.compared(Op::FEq, a, b)?;
                return self.combined(Op::Pnot, equal, None);
            }
            _ => return None,
        };
        self.combined(Op::Pand, first, Some(second))
    }

    fn compared_by(&mut self, op: Op, a: Arg, b: Arg) -> Option<Arg> {
        let is_one = self.target.abilities.truth == Truth::Float;
        self.compare_row(op, true, is_one)?;
        self.compared(op, a, b)
    }

    /// An operation on conditions.
    pub(super) fn combined(&mut self, op: Op, a: Arg, b: Option<Arg>) -> Option<Arg> {
        let plain = Slot::plain(Decl::F32);
        let one = Arg::imm(ONE);
        let (meaning, args) = match (self.target.abilities.truth, op, b) {
            (Truth::Bits, Op::Pand, Some(b)) => (Meaning::Each(Op::Iand), [a, b]),
            (Truth::Bits, Op::Por, Some(b)) => (Meaning::Each(Op::Ior), [a, b]),
            (Truth::Bits, Op::Pxor, Some(b)) => (Meaning::Each(Op::Ixor), [a, b]),
            (Truth::Bits, Op::Pnot, None) => {
                let row = self.rows.get(Meaning::Each(Op::Inot))?;
                let fresh = self.fresh();
                return Some(Arg::value(self.each(row, plain, &[a], fresh)));
            }
            (Truth::Predicate, Op::Pand | Op::Por | Op::Pxor, Some(b)) => (Meaning::Logic(op), [a, b]),
            (Truth::Predicate, Op::Pnot, None) => return Some(opposite_predicate(a)),
            // Of 0 and 1 these are exact under every rule.
            (Truth::Float, Op::Pand, Some(b)) => (Meaning::Each(Op::Mul), [a, b]),
            (Truth::Float, Op::Por, Some(b)) => (Meaning::Each(Op::Max), [a, b]),
            (Truth::Float, Op::Pxor, Some(b)) => {
                let row = self.rows.get(Meaning::Each(Op::Add))?;
                let fresh = self.fresh();
                let difference = self.each(row, plain, &[a, b.negated()], fresh);
                return Some(Arg::value(difference).magnitude());
            }
            (Truth::Float, Op::Pnot, None) => (Meaning::Each(Op::Add), [one, a.negated()]),
            _ => return None,
        };
        let row = self.rows.get(meaning)?;
        let fresh = self.fresh();
        Some(Arg::value(self.each(row, plain, &args, fresh)))
    }

    /// A choice between two values.
    pub(super) fn choose(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        let result = data.results[0];
        if !self.fits(self.func.ty(result)) {
            return;
        }
        let [then, other] = [1, 2].map(|n| self.arg_for(result, data.args[n]));
        let condition = data.args[0];
        if then == other || chooses_the_second(self.func, op) {
            return self.hold(result, other);
        }
        if self.is_predicate(result) {
            let condition = self.arg(condition);
            return match self.choose_predicate(condition, then, other) {
                Some(arg) => self.hold(result, arg),
                None => self.missing("select"),
            };
        }
        let plain = Slot::plain(Decl::F32);
        let compared = self.comparison(condition).or_else(|| {
            let (num, a, b) = self.compares(condition)?;
            // A comparison that is a value as well: of operands that are no longer known by their numbers.
            let [a, b] = match b.and_then(|b| self.compared_numbers(&[a, b]).filter(|_| self.is_word(a))) {
                Some(both) => both,
                None => [self.arg(a), b.map_or(Arg::imm(0), |b| self.arg(b))],
            };
            Some((num, a, b))
        });
        let arms = [then, other].map(|arm| arm.bits().map(u64::from));
        if let Some((num, a, b)) = compared {
            if let Some((row, exchanged)) = self.set_row(num, arms) {
                self.note_comparison(num);
                let (a, b) = if exchanged { (b, a) } else { (a, b) };
                let own = self.own_full(result);
                self.each(row, plain, &[a, b], own);
                return;
            }
            let with_zero = b.bits() == Some(0);
            let row = self.rows.get(Meaning::Select(Op::FLt));
            if let (true, Op::FLt | Op::FGt, Some(row)) = (with_zero, num, row) {
                let (row, a) = match (num, self.rows.get(Meaning::Select(num))) {
                    (_, Some(row)) => (row, a),
                    (Op::FGt, None) => (row, a.negated()),
                    _ => (row, a),
                };
                let own = self.own_full(result);
                self.each(row, plain, &[a, then, other], own);
                return;
            }
            if let (true, Op::Ine, Some(row)) = (with_zero, num, self.rows.get(Meaning::Select(Op::Ine))) {
                let own = self.own_full(result);
                self.each(row, plain, &[a, then, other], own);
                return;
            }
        }
        if self.comparison(condition).is_some() {
            // The comparison was left to its users, and this one cannot make it.
            return self.missing("select");
        }
        let truth = self.arg(condition);
        self.choose_between(truth, then, other, result);
    }

    /// A choice by a condition that is a value.
    pub(super) fn choose_between(&mut self, truth: Arg, then: Arg, other: Arg, result: ValueId) {
        if then == other {
            return self.hold(result, then);
        }
        let plain = Slot::plain(Decl::F32);
        let truth = if self.target.abilities.truth == Truth::Float { truth.negated() } else { truth };
        match self.chooses() {
            Some(row) => {
                let own = self.own_full(result);
                self.each(row, plain, &[truth, then, other], own);
            }
            None => self.missing("select"),
        }
    }

    /// The condition of a branch, and how it is looked at.
    pub(super) fn branch_condition(&mut self, condition: ValueId) -> (Arg, Test) {
        if let Some((num, a, b)) = self.comparison(condition)
            && b.bits() == Some(0)
            && let Some(test) = self.test(num)
        {
            return (a, test);
        }
        let test = match self.target.abilities.truth {
            Truth::Bits | Truth::Predicate => Test::Bits,
            Truth::Float => Test::Float,
        };
        (self.arg(condition), test)
    }

    /// The opcode that chooses by a condition as the target holds it; a float is negated for it.
    pub(super) fn chooses(&self) -> Option<Row> {
        self.rows.get(match self.target.abilities.truth {
            Truth::Predicate => Meaning::Choose,
            Truth::Bits => Meaning::Select(Op::Ine),
            Truth::Float => Meaning::Select(Op::FLt),
        })
    }

    /// Ops that make masks of samples to be removed: each says which conditions remove the first sample.
    pub(super) fn find_masks(&self) -> Vec<OpId> {
        let func = self.func;
        let mut uses = vec![0u32; func.values.len()];
        let mut masks = Vec::new();
        func.walk(|_, op| {
            func.ops[op].args.iter().for_each(|arg| uses[arg.index()] += 1);
            if func.ops[op].kind == OpKind::DiscardSamples {
                masks.push(func.ops[op].args[0]);
            }
        });
        let mut found = Vec::new();
        while let Some(mask) = masks.pop() {
            let Some(op) = func.def_op(mask).filter(|_| uses[mask.index()] == 1) else { continue };
            match func.ops[op].kind {
                OpKind::Num(Op::Ior) => masks.extend(func.ops[op].args.iter().copied()),
                OpKind::Select => {}
                _ => continue,
            }
            found.push(op);
        }
        found
    }

    /// Removes samples: the pixel has one.
    pub(super) fn discard_samples(&mut self, mask: ValueId) {
        self.notes.inexact("samples that are removed one by one, as the pixel with its first sample: other coverage where a pixel has several");
        if let Some(bits) = self.first_sample(mask) {
            self.discard_bits(bits);
        }
    }

    /// The condition that removes the first sample; those that are parts of a mask are done at once.
    fn first_sample(&mut self, mask: ValueId) -> Option<Arg> {
        let op = self.func.def_op(mask)?;
        let data = &self.func.ops[op];
        if !self.skipped.contains(&op) {
            let bits = self.arg(mask);
            let Some(and) = self.rows.get(Meaning::Each(Op::Iand)) else {
                self.missing("discard.samples");
                return None;
            };
            let fresh = self.fresh();
            let first = self.each(and, Slot::plain(Decl::F32), &[bits, Arg::imm(1)], fresh);
            return self.compared(Op::Ine, Arg::value(first), Arg::imm(0));
        }
        let args = data.args.clone();
        if data.kind != OpKind::Select {
            for &arg in &args {
                if let Some(bits) = self.first_sample(arg) {
                    self.discard_bits(bits);
                }
            }
            return None;
        }
        let arms = [args[1], args[2]].map(|arm| literal(self.func, arm).map(|bits| bits & 1));
        match arms {
            [Some(1), Some(0)] => {
                self.discard(args[0]);
                None
            }
            [Some(0), Some(0)] => None,
            _ => {
                self.missing("discard.samples");
                None
            }
        }
    }

    /// Removes pixels where a condition holds that is a value.
    fn discard_bits(&mut self, truth: Arg) {
        self.discard_where(None, truth);
    }

    /// Removes pixels.
    pub(super) fn discard(&mut self, condition: ValueId) {
        if self.target.abilities.truth == Truth::Predicate {
            let truth = match self.comparison(condition) {
                Some((op, a, b)) => self.compared(op, a, b),
                None => Some(self.arg(condition)),
            };
            return match truth {
                Some(truth) => self.discard_where(None, truth),
                None => self.missing("discard"),
            };
        }
        let below = match self.comparison(condition) {
            Some((Op::FLt, a, _)) => Some(a),
            Some((Op::FGt, a, _)) => Some(a.negated()),
            _ => None,
        };
        let truth = self.arg(condition);
        self.discard_where(below, truth);
    }

    /// Removes pixels where a value is below zero, or else where a condition holds.
    fn discard_where(&mut self, below: Option<Arg>, truth: Arg) {
        let Some(row) = self.rows.get(Meaning::Kill) else { return self.missing("discard") };
        if !self.guards.is_empty() {
            // Only lanes that would come here.
            let condition = match below {
                Some(arg) => self.compared(Op::FLt, arg, Arg::imm(0)),
                None => Some(truth),
            };
            let mut all = condition;
            for guard in self.guards.clone() {
                all = all.and_then(|all| self.combined(Op::Pand, all, Some(guard)));
            }
            let Some(all) = all else { return self.missing("discard") };
            let guards = std::mem::take(&mut self.guards);
            self.discard_where(None, all);
            self.guards = guards;
            return;
        }
        let below = match below {
            Some(arg) => arg,
            None => {
                match (self.target.abilities.truth, self.rows.get(Meaning::Each(Op::Iand)), truth.bits()) {
                    (Truth::Float, ..) => truth.negated(),
                    (Truth::Predicate, ..) => truth,
                    // All bits are NaN: those of -1 are left.
                    (Truth::Bits, _, Some(bits)) => Arg::imm(if bits == 0 { 0 } else { 0xbf80_0000 }),
                    (Truth::Bits, Some(and), None) => {
                        let fresh = self.fresh();
                        let arg = [truth, Arg::imm(0xbf80_0000)];
                        let value = self.each(and, Slot::plain(Decl::F32), &arg, fresh);
                        Arg::value(value)
                    }
                    _ => return self.missing("discard"),
                }
            }
        };
        let operand = Operand::one(self.signed(row, 0, below));
        let instr = Instr {
            row,
            saturate: false,
            precise: false,
            precision: Precision::Full,
            lanes: Lanes::Fixed,
            operands: SmallVec::from_iter([operand]),
            results: [None; 4],
            texture: None,
            changes: false,
            origin: self.origin,
        };
        self.nodes.push(Node::Op(Box::new(instr)));
    }
}
