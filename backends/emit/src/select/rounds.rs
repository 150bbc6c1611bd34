//! How many rounds a loop has at most: of loops that count in whole numbers up to a literal.

use super::Select;
use parallax_core::{OpId, OpKind, RegionId, ValueDef, ValueId};
use parallax_num::Op;

/// Whole numbers that every format and every rounding has exactly.
const MOST: f32 = 1024.0;

impl Select<'_> {
    /// The most rounds that a loop begins.
    pub(super) fn rounds(&self, op: OpId) -> Option<u32> {
        let func = self.func;
        let data = &func.ops[op];
        let body = *data.regions.first()?;
        let exits = func.regions[body].ops.iter().filter_map(|&inner| self.exit(op, inner));
        let counts = exits.filter_map(|(param, most)| {
            let ValueDef::Param(region, n) = func.values[param].def else { return None };
            if region != body {
                return None;
            }
            let first = self.whole(*data.args.get(usize::from(n))?)?;
            let step = self.step(op, body, param, usize::from(n))?;
            (step >= 1.0).then(|| ((most - first) / step).max(0.0).ceil() as u32 + 2)
        });
        counts.min()
    }

    /// A literal that is a whole number.
    fn whole(&self, value: ValueId) -> Option<f32> {
        let op = self.func.def_op(value)?;
        let OpKind::Literal(bits) = self.func.ops[op].kind else { return None };
        let is_float = self.func.ty(value).decl().is_some();
        let number = if is_float { f32::from_bits(bits as u32) } else { bits as u32 as i32 as f32 };
        (number.fract() == 0.0 && number.abs() <= MOST).then_some(number)
    }

    /// What every round adds to a parameter.
    fn step(&self, looped: OpId, body: RegionId, param: ValueId, n: usize) -> Option<f32> {
        let func = self.func;
        let mut step: Option<f32> = None;
        let mut stack = vec![body];
        while let Some(region) = stack.pop() {
            for &op in &func.regions[region].ops {
                let data = &func.ops[op];
                stack.extend(data.regions.iter().copied());
                if data.kind != OpKind::Continue(looped) {
                    continue;
                }
                let sum = &func.ops[func.def_op(data.args[n])?];
                let (OpKind::Num(Op::Add | Op::Iadd), &[a, b]) = (sum.kind, &sum.args[..]) else { return None };
                let by = if a == param { b } else { a };
                if a != param && b != param {
                    return None;
                }
                let by = self.whole(by)?;
                step = Some(step.map_or(by, |step| step.min(by)));
            }
        }
        step
    }

    /// The parameter that ends a loop when it reaches a number, if a statement of its body does that.
    fn exit(&self, looped: OpId, op: OpId) -> Option<(ValueId, f32)> {
        let data = &self.func.ops[op];
        if data.kind != OpKind::If {
            return None;
        }
        let leaves = |n: usize| {
            let last = self.func.regions[data.regions[n]].ops.last()?;
            (self.func.ops[*last].kind == OpKind::Break(looped)).then_some(())
        };
        let (condition, holds) = match (leaves(0), leaves(1)) {
            (Some(()), _) => (data.args[0], true),
            (_, Some(())) => (data.args[0], false),
            _ => return None,
        };
        self.reached(condition, holds)
    }

    /// The value and the number of which a condition says that the one has reached the other.
    fn reached(&self, condition: ValueId, holds: bool) -> Option<(ValueId, f32)> {
        let data = &self.func.ops[self.func.def_op(condition)?];
        let OpKind::Num(num) = data.kind else { return None };
        let (a, b) = (*data.args.first()?, data.args.get(1).copied());
        match (num, holds) {
            (Op::Pnot, _) => self.reached(a, !holds),
            // 1 or 0 by a comparison, beside 0.
            (Op::FNe | Op::Ine, _) if self.whole(b?) == Some(0.0) => {
                let chosen = &self.func.ops[self.func.def_op(a)?];
                if chosen.kind != OpKind::Select {
                    return None;
                }
                match [chosen.args[1], chosen.args[2]].map(|arm| self.is_zero(arm)) {
                    [Some(false), Some(true)] => self.reached(chosen.args[0], holds),
                    [Some(true), Some(false)] => self.reached(chosen.args[0], !holds),
                    _ => None,
                }
            }
            (Op::FGe | Op::FGt, true) | (Op::FLt | Op::FLe | Op::Ilt | Op::Ile, false) => {
                let more = if matches!(num, Op::FGt | Op::FLe | Op::Ile) { 1.0 } else { 0.0 };
                Some((a, self.whole(b?)? + more))
            }
            (Op::FLe | Op::FLt | Op::Ile | Op::Ilt, true) | (Op::FGe | Op::FGt, false) => {
                let more = if matches!(num, Op::FLt | Op::FGe | Op::Ilt) { 1.0 } else { 0.0 };
                Some((b?, self.whole(a)? + more))
            }
            _ => None,
        }
    }

    fn is_zero(&self, value: ValueId) -> Option<bool> {
        let data = &self.func.ops[self.func.def_op(value)?];
        match data.kind {
            OpKind::Literal(bits) => Some(bits == 0),
            _ => None,
        }
    }
}
