//! If-conversion: of branches with small arms that only compute, both arms are computed, and a `select` takes the place of
//! each result.
//!
//! Pure and read ops never trap, so computing both arms is safe. A result holds its initial operand in lanes that do not
//! execute the branch, a `select` chooses in all four; the branch stays where a neighbour could see the difference.

use crate::edit::{Subst, has_control, unite_origins};
use parallax_core::analysis::{Crossed, Tree};
use parallax_core::{Effect, EntityList, Func, OpData, OpId, OpKind, RegionId, Shader, State, ValueDef};
use parallax_num::Family;

/// Both arms together may cost this much.
const LIMIT: u32 = 12;

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    if !has_control(func) {
        return;
    }
    let tree = Tree::new(func);
    if !tree.order().iter().any(|&op| func.ops[op].kind == OpKind::If && is_small(func, op)) {
        return;
    }
    let crossed = Crossed::new(func, &tree);
    let mut pass = Flatten { subst: Subst::default(), func, crossed };
    let body = pass.func.body;
    pass.region(body);
    let Flatten { subst, .. } = pass;
    subst.apply(func);
}

/// Whether both arms end in `yield` and only compute a little before.
fn is_small(func: &Func, op: OpId) -> bool {
    let mut total = 0;
    for &region in &func.ops[op].regions {
        let Some((&end, ops)) = func.regions[region].ops.split_last() else { return false };
        if func.ops[end].kind != OpKind::Yield {
            return false;
        }
        for &op in ops {
            match cost(func.ops[op].kind) {
                Some(cost) => total += cost,
                None => return false,
            }
        }
    }
    total <= LIMIT
}

struct Flatten<'a> {
    func: &'a mut Func,
    crossed: Crossed,
    subst: Subst,
}

impl Flatten<'_> {
    /// Inner branches first.
    fn region(&mut self, region: RegionId) {
        let old = std::mem::take(&mut self.func.regions[region].ops);
        let mut new = Vec::with_capacity(old.len());
        for op in old {
            for n in 0..self.func.ops[op].regions.len() {
                self.region(self.func.ops[op].regions[n]);
            }
            if self.func.ops[op].kind == OpKind::If && is_small(self.func, op) && self.may_select(op) {
                self.flatten(op, &mut new);
            } else {
                new.push(op);
            }
        }
        self.func.regions[region].ops = new;
    }

    fn may_select(&self, op: OpId) -> bool {
        self.func.ops[op].results.iter().all(|&result| !self.crossed.shows(op, result))
    }

    fn flatten(&mut self, op: OpId, new: &mut Vec<OpId>) {
        let pred = self.func.ops[op].args[0];
        let regions = self.func.ops[op].regions.clone();
        let mut passed = Vec::new();
        for &region in &regions {
            let mut ops = std::mem::take(&mut self.func.regions[region].ops);
            if let Some(end) = ops.pop() {
                passed.push(self.func.ops[end].args.clone());
            }
            new.extend(ops);
        }
        let results = std::mem::take(&mut self.func.ops[op].results);
        for (n, result) in results.into_iter().enumerate() {
            let (a, b) = (self.subst.get(passed[0][n]), self.subst.get(passed[1][n]));
            if a == b {
                self.subst.set(result, a);
                continue;
            }
            let data = OpData {
                args: EntityList::of(&[pred, a, b]),
                results: EntityList::one(result),
                ..OpData::new(OpKind::Select)
            };
            let select = self.func.ops.push(data);
            self.func.values[result].def = ValueDef::Result(select, 0);
            unite_origins(self.func, select, op);
            new.push(select);
        }
    }
}

/// Cost of computing an op for lanes that do not need it; `None` for what must stay in its arm.
fn cost(kind: OpKind) -> Option<u32> {
    match kind {
        OpKind::Literal(_) | OpKind::Const { .. } => Some(0),
        OpKind::Num(op) => Some(match op.info().family {
            Family::Recipe => 4,
            _ => 1,
        }),
        OpKind::Tex(_) => None,
        _ => match kind.effect() {
            Effect::Pure | Effect::Read => Some(1),
            _ => None,
        },
    }
}
