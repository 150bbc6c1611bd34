//! Global value numbering: ops that compute the same take the result of the first, along the region tree.
//!
//! Two pure or read ops with the same operands give the same bits in all four lanes, and what an outer region defined
//! holds inside. Quad ops are merged within one region only, and not across a point where lanes may have left it, since
//! votes ask the lanes that execute. Operands of operations that do not care for their order are sorted first.

use crate::edit::{Subst, unite_origins};
use parallax_core::{Bound, Effect, EntityRef, Func, OpData, OpId, OpKind, RegionId, RuleId, Shader, Type, ValueId};
use parallax_num::{NanResult, Op};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Runs the pass.
pub fn run(shader: &mut Shader<Bound>) {
    let subst = Subst::new(&shader.func);
    let body = shader.func.body;
    let mut pass = Merge {
        known: FxHashMap::default(),
        added: Vec::new(),
        place: (body, 0),
        epoch: 0,
        func: &mut shader.func,
        bound: &shader.state,
        subst,
    };
    pass.region(body);
    let subst = pass.subst;
    subst.apply(&mut shader.func);
}

/// A region, and a number that grows whenever lanes may have left it.
type Scope = (RegionId, u32);

struct Merge<'a> {
    func: &'a mut Func,
    bound: &'a Bound,
    subst: Subst,
    /// Visible ops by the hash of what they compute, with the place they stand in.
    known: FxHashMap<u64, SmallVec<[(OpId, Scope); 1]>>,
    /// Hashes added, innermost region last.
    added: Vec<u64>,
    place: Scope,
    epoch: u32,
}

impl Merge<'_> {
    fn region(&mut self, region: RegionId) {
        let outer = std::mem::replace(&mut self.place, (region, self.epoch));
        let first = self.added.len();
        let mut ops = std::mem::take(&mut self.func.regions[region].ops);
        ops.retain(|&op| !self.op(op));
        self.func.regions[region].ops = ops;
        for hash in self.added.drain(first..) {
            if let Some(list) = self.known.get_mut(&hash) {
                list.pop();
            }
        }
        self.place = outer;
    }

    /// Merges an op into an earlier one; true if it did.
    fn op(&mut self, op: OpId) -> bool {
        self.subst.rewrite(self.func, op);
        let effect = self.func.ops[op].kind.effect();
        match effect {
            Effect::Pure | Effect::Read | Effect::Convergent => {}
            Effect::Control => {
                for n in 0..self.func.ops[op].regions.len() {
                    self.region(self.func.ops[op].regions[n]);
                }
                self.epoch += 1;
                self.place.1 = self.epoch;
                return false;
            }
            Effect::State | Effect::Terminator => return false,
        }
        self.sort_operands(op);
        let data = &self.func.ops[op];
        let hash = hash(self.func, data);
        let list = self.known.entry(hash).or_default();
        let equal = list.iter().rev().find(|&&(other, place)| {
            (effect != Effect::Convergent || place == self.place) && same(self.func, data, &self.func.ops[other])
        });
        let Some(&(other, _)) = equal else {
            list.push((op, self.place));
            self.added.push(hash);
            return false;
        };
        for n in 0..self.func.ops[op].results.len() {
            self.subst.set(self.func.ops[op].results[n], self.func.ops[other].results[n]);
        }
        unite_origins(self.func, other, op);
        true
    }

    fn sort_operands(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        let OpKind::Num(asked) = data.kind else { return };
        let any_order =
            commutes(asked) && data.rule.is_none_or(|rule| commutes_with_nan(asked, self.bound.rules[rule].nan_result));
        let args = &mut self.func.ops[op].args;
        if any_order && args.len() >= 2 && args[1] < args[0] {
            args.swap(0, 1);
        }
    }
}

/// Whether an operation gives the same for its first two operands swapped, NaN operands aside.
pub fn commutes(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Add | Mul
            | Fma
            | Mad
            | Dst
            | FEq
            | FNe
            | Funo
            | Iadd
            | Imul
            | ImulHi
            | UmulHi
            | Iand
            | Ior
            | Ixor
            | Imin
            | Imax
            | Umin
            | Umax
            | Ieq
            | Ine
            | Iadd64
            | Imul64
            | ImulHi64
            | UmulHi64
            | Iand64
            | Ior64
            | Ixor64
            | Imin64
            | Imax64
            | Umin64
            | Umax64
            | Ieq64
            | Ine64
            | Pand
            | Por
            | Pxor
    )
}

/// Whether it does so for NaN operands too: with the first NaN operand as result, order matters where both are NaN.
pub fn commutes_with_nan(op: Op, nan: NanResult) -> bool {
    matches!(op, Op::FEq | Op::FNe | Op::Funo) || nan == NanResult::Default
}

/// What an op computes, apart from its slot: equal rules give equal bits.
fn key<'a>(func: &'a Func, data: &'a OpData) -> (OpKind, Option<RuleId>, Option<Type>, &'a [ValueId]) {
    let ty = data.results.first().map(|&r| func.ty(r));
    // Nobody looks at the rule of a literal.
    let rule = if matches!(data.kind, OpKind::Literal(_)) { None } else { data.rule };
    (data.kind, rule, ty, &data.args)
}

fn hash(func: &Func, data: &OpData) -> u64 {
    let mut hasher = FxHasher::default();
    let (kind, rule, ty, args) = key(func, data);
    kind.hash(&mut hasher);
    rule.map(|r| r.index()).hash(&mut hasher);
    ty.hash(&mut hasher);
    for arg in args {
        arg.index().hash(&mut hasher);
    }
    hasher.finish()
}

fn same(func: &Func, a: &OpData, b: &OpData) -> bool {
    key(func, a) == key(func, b)
}
