//! Replacing values, and other small edits passes share.

use parallax_core::{EntityRef, Func, OpId, OpKind, Origins, ValueId};

/// Values replaced by others. A pass that goes through the ops in execution order rewrites the operands of each when it gets
/// there: values are defined before they are used. [`Subst::apply`] does it for all at once.
#[derive(Default)]
pub(crate) struct Subst {
    /// Up to the last value that is replaced.
    to: Vec<Option<ValueId>>,
}

impl Subst {
    /// What stands for `value` now.
    #[inline]
    pub(crate) fn get(&self, mut value: ValueId) -> ValueId {
        while let Some(next) = self.to.get(value.index()).copied().flatten() {
            value = next;
        }
        value
    }

    /// Replaces `from` by `to` from now on.
    pub(crate) fn set(&mut self, from: ValueId, to: ValueId) {
        let to = self.get(to);
        if from != to {
            if self.to.len() <= from.index() {
                self.to.resize(from.index() + 1, None);
            }
            self.to[from.index()] = Some(to);
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.to.is_empty()
    }

    /// Rewrites the operands of one op.
    #[inline]
    pub(crate) fn rewrite(&self, func: &mut Func, op: OpId) {
        if !self.is_empty() {
            for arg in &mut func.ops[op].args {
                *arg = self.get(*arg);
            }
        }
    }

    /// Rewrites the operands of all live ops.
    pub(crate) fn apply(&self, func: &mut Func) {
        if self.is_empty() {
            return;
        }
        for op in live_ops(func) {
            self.rewrite(func, op);
        }
    }
}

/// Live ops in execution order, outer before inner.
pub(crate) fn live_ops(func: &Func) -> Vec<OpId> {
    let mut ops = Vec::with_capacity(func.ops.len());
    func.walk(|_, op| ops.push(op));
    ops
}

/// Adds origins to an op, keeping them sorted and without repeats.
pub(crate) fn unite_origins(func: &mut Func, into: OpId, from: OpId) {
    let added: Origins = func.ops[from].origins.clone();
    let origins = &mut func.ops[into].origins;
    for &origin in &added {
        match origins.last() {
            Some(&last) if last == origin => {}
            Some(&last) if last > origin => {
                if let Err(at) = origins.binary_search(&origin) {
                    origins.insert(at, origin);
                }
            }
            _ => origins.push(origin),
        }
    }
}

/// Whether there is an `if`, block or loop: where there is any, there is one in the body, and its regions hold ops.
pub(crate) fn has_control(func: &Func) -> bool {
    let inner = func.regions.iter().any(|(region, data)| region != func.body && !data.ops.is_empty());
    inner && func.regions[func.body].ops.iter().any(|&op| !func.ops[op].regions.is_empty())
}

/// Bits of a literal, if the value is one.
pub(crate) fn literal(func: &Func, value: ValueId) -> Option<u64> {
    match func.ops[func.def_op(value)?].kind {
        OpKind::Literal(bits) => Some(bits),
        _ => None,
    }
}

/// Turns an op with one result into a literal, in place. A float keeps its slot and rule.
pub(crate) fn make_literal(func: &mut Func, op: OpId, bits: u64) {
    let is_float = func.ty(func.ops[op].results[0]).decl().is_some();
    let data = &mut func.ops[op];
    data.kind = OpKind::Literal(bits);
    data.args.clear();
    if !is_float {
        data.slot = None;
        data.rule = None;
    }
}

/// Whether an op ends a region by leaving something further out.
pub(crate) fn leaves(kind: OpKind) -> bool {
    matches!(kind, OpKind::Break(_) | OpKind::Continue(_))
}
