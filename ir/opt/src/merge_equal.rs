//! Global value numbering: ops that compute the same take the result of the first, along the region tree.
//!
//! Two pure or read ops with the same operands give the same bits in all four lanes, and what an outer region defined
//! holds inside. Quad ops are merged within one region only, and not across a point where lanes may have left it, since
//! votes ask the lanes that execute. Operands of operations that do not care for their order are sorted first.

use crate::edit::{Subst, unite_origins};
use parallax_core::{Bound, Effect, EntityRef, Func, OpData, OpId, OpKind, RegionId, RuleId, Shader, Type};
use parallax_num::{NanResult, Op};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Runs the pass.
pub fn run(shader: &mut Shader<Bound>) {
    merge(shader, |_, _, _| {});
}

/// Merges equal ops; before each is looked at, `simplify` may change it or replace its results. Ops that are replaced go.
pub(crate) fn merge<S: FnMut(&mut Shader<Bound>, OpId, &mut Subst)>(shader: &mut Shader<Bound>, simplify: S) {
    let body = shader.func.body;
    let mut pass = Merge {
        known: Known::new(shader.func.ops.len()),
        place: (body, 0),
        epoch: 0,
        shader,
        subst: Subst::default(),
        simplify,
    };
    pass.region(body);
}

/// A region, and a number that grows whenever lanes may have left it.
type Scope = (RegionId, u32);

/// Visible ops by the hash of what they compute, with the place they stand in: a table of lists. Regions are left in the
/// reverse order in which they are entered, so that what goes is always the head of its list.
struct Known {
    /// Number of the first entry of each list, from 1; 0 for none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Bits of a hash that do not choose the list.
    shift: u32,
}

struct Entry {
    hash: u64,
    op: OpId,
    place: Scope,
    /// As in [`Known::heads`].
    next: u32,
}

impl Known {
    /// For this many ops.
    fn new(ops: usize) -> Known {
        let lists = (ops * 2).next_power_of_two().max(16);
        Known { heads: vec![0; lists], entries: Vec::with_capacity(ops), shift: 64 - lists.trailing_zeros() }
    }

    fn list(&self, hash: u64) -> usize {
        // The high bits of a product depend on all bits.
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    /// Ops with this hash, the last first.
    fn get(&self, hash: u64) -> impl Iterator<Item = &Entry> {
        let at = |number: u32| self.entries.get((number as usize).wrapping_sub(1));
        std::iter::successors(at(self.heads[self.list(hash)]), move |entry| at(entry.next))
            .filter(move |e| e.hash == hash)
    }

    fn add(&mut self, hash: u64, op: OpId, place: Scope) {
        let list = self.list(hash);
        self.entries.push(Entry { hash, op, place, next: self.heads[list] });
        self.heads[list] = self.entries.len() as u32;
    }

    /// Forgets all but the first entries.
    fn truncate(&mut self, len: usize) {
        while self.entries.len() > len {
            let Some(Entry { hash, next, .. }) = self.entries.pop() else { return };
            let list = self.list(hash);
            self.heads[list] = next;
        }
    }
}

struct Merge<'a, S> {
    shader: &'a mut Shader<Bound>,
    simplify: S,
    subst: Subst,
    known: Known,
    place: Scope,
    epoch: u32,
}

impl<S: FnMut(&mut Shader<Bound>, OpId, &mut Subst)> Merge<'_, S> {
    fn region(&mut self, region: RegionId) {
        let outer = std::mem::replace(&mut self.place, (region, self.epoch));
        let first = self.known.entries.len();
        let mut ops = std::mem::take(&mut self.shader.func.regions[region].ops);
        ops.retain(|&op| !self.op(op));
        self.shader.func.regions[region].ops = ops;
        self.known.truncate(first);
        self.place = outer;
    }

    /// Merges an op into an earlier one; true if it did.
    fn op(&mut self, op: OpId) -> bool {
        self.subst.rewrite(&mut self.shader.func, op);
        (self.simplify)(self.shader, op, &mut self.subst);
        let data = &self.shader.func.ops[op];
        let effect = data.kind.effect();
        match effect {
            Effect::Pure | Effect::Read | Effect::Convergent => {}
            Effect::Control => {
                for n in 0..data.regions.len() {
                    self.region(self.shader.func.ops[op].regions[n]);
                }
                self.epoch += 1;
                self.place.1 = self.epoch;
                return false;
            }
            Effect::State | Effect::Terminator => return false,
        }
        // Replaced just now; only ops with one result are.
        if data.results.first().is_some_and(|&result| self.subst.get(result) != result) {
            return true;
        }
        self.sort_operands(op);
        let func = &mut self.shader.func;
        let data = &func.ops[op];
        let hash = hash(data);
        let equal = self.known.get(hash).find(|entry| {
            (effect != Effect::Convergent || entry.place == self.place) && same(func, data, &func.ops[entry.op])
        });
        let Some(other) = equal.map(|entry| entry.op) else {
            self.known.add(hash, op, self.place);
            return false;
        };
        for (&result, &first) in data.results.iter().zip(&func.ops[other].results) {
            self.subst.set(result, first);
        }
        unite_origins(func, other, op);
        true
    }

    fn sort_operands(&mut self, op: OpId) {
        let Shader { func, state } = &mut *self.shader;
        let data = &func.ops[op];
        let OpKind::Num(asked) = data.kind else { return };
        let any_order =
            commutes(asked) && data.rule.is_none_or(|rule| commutes_with_nan(asked, state.rules[rule].nan_result));
        let args = &mut func.ops[op].args;
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

/// What an op computes, apart from its operands and its slot: equal rules give equal bits.
#[inline]
fn key(func: &Func, data: &OpData) -> (OpKind, Option<RuleId>, Option<Type>) {
    let ty = data.results.first().map(|&r| func.ty(r));
    // Nobody looks at the rule of a literal.
    let rule = if matches!(data.kind, OpKind::Literal(_)) { None } else { data.rule };
    (data.kind, rule, ty)
}

/// Equal for equal ops. What tells few of them apart, as their types, is left out.
fn hash(data: &OpData) -> u64 {
    let mut hasher = FxHasher::default();
    match data.kind {
        OpKind::Num(op) => hasher.write_u64(op as u64),
        kind => kind.hash(&mut hasher),
    }
    let rule = if matches!(data.kind, OpKind::Literal(_)) { None } else { data.rule };
    hasher.write_u64(rule.map_or(0, |rule| rule.index() as u64 + 1));
    for pair in data.args.chunks(2) {
        let [first, last] = [pair[0], pair[pair.len() - 1]].map(|arg| arg.index() as u64);
        hasher.write_u64(first << 32 | last);
    }
    hasher.finish()
}

#[inline]
fn same(func: &Func, a: &OpData, b: &OpData) -> bool {
    a.args == b.args && key(func, a) == key(func, b)
}
