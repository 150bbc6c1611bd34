//! Instructions whose meaning is a formula of one number: range reductions, functions beside their argument, sRGB, differences of lanes.
//!
//! The frontend's own lift of such an instruction is the pattern. Values of the same shape become the instruction again, and what only
//! the formula computes on the way is left out.

use super::facts::Ops;
use super::{Select, formats};
use crate::form::Operand;
use crate::target::Row;
use parallax_core::{Effect, Func, OpId, OpKind, RegionId, Type, ValueId};
use parallax_num::{Decl, Op, Slot};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// An instruction and what it computes.
#[derive(Debug)]
pub(crate) struct Formula {
    row: Row,
    func: Func,
    /// The result of the instruction, in the shader that has it alone.
    result: ValueId,
    /// Its operand there.
    operand: ValueId,
    /// What a shader has that has the formula.
    ops: Ops,
}

impl Formula {
    /// `func`: a shader that computes the instruction of a sum of two constants, and writes the result to its output.
    pub(crate) fn new(row: Row, func: Func) -> Option<Formula> {
        let (mut result, mut operand) = (None, None);
        let is_constant = |value: ValueId| {
            let op = func.def_op(value);
            op.is_some_and(|op| matches!(func.ops[op].kind, OpKind::Const { .. }))
        };
        func.walk(|_, op| {
            let data = &func.ops[op];
            match data.kind {
                OpKind::Out { .. } => result = data.args.first().copied(),
                OpKind::Num(Op::Add) if data.args.iter().all(|&arg| is_constant(arg)) => {
                    operand = data.results.first().copied();
                }
                _ => {}
            }
        });
        let (result, operand) = (result?, operand?);
        // What else the instruction leaves, a shader need not have.
        let (mut ops, mut left) = (Ops::default(), vec![result]);
        while let Some(value) = left.pop() {
            if let Some(op) = func.def_op(value).filter(|_| value != operand) {
                ops.add(func.ops[op].kind);
                left.extend(func.ops[op].args.iter().copied());
            }
        }
        Some(Formula { row, result, operand, ops, func })
    }

    /// Whether a shader with these ops can have it.
    pub(super) fn can_be_among(&self, ops: &Ops) -> bool {
        ops.have(&self.ops)
    }

    /// The kind of the op that gives the result.
    fn last(&self) -> Option<OpKind> {
        Some(self.func.ops[self.func.def_op(self.result)?].kind)
    }
}

/// Formulas by the ops that give their results.
struct Ends<'a> {
    /// Whether a formula ends with an arithmetic operation, by number, and whether one ends with something else.
    nums: [bool; 256],
    others: bool,
    all: SmallVec<[(OpKind, &'a Formula); 8]>,
}

impl<'a> Ends<'a> {
    fn new(formulas: &[&'a Formula]) -> Ends<'a> {
        let mut ends = Ends { nums: [false; 256], others: false, all: SmallVec::new() };
        for &formula in formulas {
            let Some(last) = formula.last() else { continue };
            match last {
                OpKind::Num(num) => ends.nums[num as usize] = true,
                _ => ends.others = true,
            }
            ends.all.push((last, formula));
        }
        ends
    }

    /// Those that may end with an op; of most ops there are none.
    #[inline]
    fn of(&self, kind: OpKind) -> impl Iterator<Item = &'a Formula> {
        let may_be = if let OpKind::Num(num) = kind { self.nums[num as usize] } else { self.others };
        let all = if may_be { &self.all[..] } else { &[] };
        all.iter().filter(move |(last, _)| *last == kind).map(|(_, formula)| *formula)
    }
}

/// A formula in a shader.
#[derive(Default)]
struct Match {
    /// What values of the formula are there.
    values: FxHashMap<ValueId, ValueId>,
    operand: Option<ValueId>,
    /// The ops that compute it.
    ops: Vec<OpId>,
}

impl Match {
    /// Whether a value is computed as one of a formula is.
    fn is(&mut self, formula: &Formula, of: ValueId, func: &Func, value: ValueId) -> bool {
        if of == formula.operand {
            return *self.operand.get_or_insert(value) == value;
        }
        if let Some(&known) = self.values.get(&of) {
            return known == value;
        }
        let (Some(wanted), Some(op)) = (formula.func.def_op(of), func.def_op(value)) else { return false };
        let (wanted, data) = (&formula.func.ops[wanted], &func.ops[op]);
        let slot = |func: &Func, slot: Option<_>| slot.map(|slot| func.slots[slot]);
        let is_alike = wanted.kind == data.kind
            && wanted.args.len() == data.args.len()
            && wanted.results.len() == 1
            && slot(&formula.func, wanted.slot) == slot(func, data.slot);
        if !is_alike || !wanted.args.iter().zip(&data.args).all(|(&of, &value)| self.is(formula, of, func, value)) {
            return false;
        }
        self.values.insert(of, value);
        self.ops.push(op);
        true
    }
}

impl Select<'_> {
    /// Finds the formulas of a shader, and halves that are taken from their own words, where it has such `words`. What nobody else reads
    /// on the way is left out.
    pub(super) fn find_formulas(&mut self, formulas: &[&Formula], words: bool) {
        let func = self.func;
        let ends = Ends::new(formulas);
        let mut inner: FxHashSet<OpId> = FxHashSet::default();
        // Regions of what looks at the lanes of a quad: other lanes are there elsewhere.
        let mut lanes: FxHashMap<OpId, RegionId> = FxHashMap::default();
        func.walk(|region, op| {
            let data = &func.ops[op];
            if data.kind.effect() == Effect::Convergent {
                lanes.insert(op, region);
            }
            if words
                && let Some((half, between)) = formats::half_of_words(func, op)
                && (self.has_halves() || func.ty(half) == Type::F16)
            {
                inner.extend(between);
                self.halves.insert(op, half);
            }
            for formula in ends.of(data.kind) {
                let mut found = Match::default();
                if found.is(formula, formula.result, func, data.results[0])
                    && let Some(operand) = found.operand
                    && found.ops.iter().all(|of| lanes.get(of).is_none_or(|of| *of == region))
                {
                    inner.extend(found.ops.into_iter().filter(|&of| of != op));
                    self.formulas.insert(op, (formula.row, operand));
                    return;
                }
            }
        });
        if inner.is_empty() {
            return;
        }
        let mut order = Vec::with_capacity(func.ops.len());
        func.walk(|_, op| order.push(op));
        // From the end: what is read stands in front.
        let mut read: FxHashSet<ValueId> = FxHashSet::default();
        for op in order.into_iter().rev() {
            let data = &func.ops[op];
            let operand = self.formulas.get(&op).map(|(_, operand)| operand);
            if let Some(operand) = operand.or_else(|| self.halves.get(&op)) {
                read.insert(*operand);
            } else if inner.contains(&op) && !data.results.iter().any(|result| read.contains(result)) {
                self.skipped.insert(op);
            } else {
                read.extend(data.args.iter().copied());
            }
        }
    }

    /// An instruction in place of its formula.
    pub(super) fn formula(&mut self, op: OpId, row: Row, operand: ValueId) {
        let arg = self.arg(operand);
        let arg = self.signed(row, 0, arg);
        let own = self.own(self.func.ops[op].results[0]);
        self.put(row, Slot::plain(Decl::F32), SmallVec::from_iter([Operand::one(arg)]), own);
    }
}
