//! Instructions whose meaning is a formula of one number: range reductions, functions beside their argument, sRGB, differences of lanes.
//!
//! The frontend's own lift of such an instruction is the pattern. Values of the same shape become the instruction again, and what only
//! the formula computes on the way is left out.

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
        Some(Formula { row, result: result?, operand: operand?, func })
    }

    /// The kind of the op that gives the result.
    fn last(&self) -> Option<OpKind> {
        Some(self.func.ops[self.func.def_op(self.result)?].kind)
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
    pub(super) fn find_formulas(&mut self, formulas: &[Formula], words: bool) {
        let func = self.func;
        let mut order = Vec::new();
        let mut inner: FxHashSet<OpId> = FxHashSet::default();
        // Regions of what looks at the lanes of a quad: other lanes are there elsewhere.
        let mut lanes: FxHashMap<OpId, RegionId> = FxHashMap::default();
        func.walk(|region, op| {
            order.push(op);
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
            for formula in formulas.iter().filter(|formula| formula.last() == Some(data.kind)) {
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
