//! Regions that need none: their ops take the place of the op that held them.
//!
//! - an `if` on a known predicate: the arm taken;
//! - a block that is only left at its end;
//! - an `if` neither arm of which goes on: the second arm takes the place of what can never run after it;
//! - a loop without back edges is a block.

use crate::edit::{Subst, has_control, leaves, literal};
use parallax_core::analysis::{Crossed, Tree};
use parallax_core::{EntityList, Func, OpId, OpKind, RegionId, Shader, State};

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    // Splicing may leave a block with fewer ways out; two runs reach what lifting makes.
    for _ in 0..3 {
        if !has_control(func) {
            return;
        }
        let tree = Tree::new(func);
        if !tree.order().iter().any(|&op| may_simplify(func, &tree, op)) {
            return;
        }
        let crossed = Crossed::new(func, &tree);
        let mut pass = Splice { subst: Subst::default(), func, tree, crossed, changed: false };
        let body = pass.func.body;
        pass.region(body);
        let Splice { subst, changed, .. } = pass;
        subst.apply(func);
        if !changed {
            return;
        }
    }
}

/// Whether the pass may find something to do at an op. What it does there may lead to more.
fn may_simplify(func: &Func, tree: &Tree, op: OpId) -> bool {
    let data = &func.ops[op];
    let end = |region: RegionId| func.regions[region].ops.last().copied();
    match data.kind {
        OpKind::If => {
            literal(func, data.args[0]).is_some()
                || data.regions.iter().all(|&region| end(region).is_some_and(|end| leaves(func.ops[end].kind)))
        }
        OpKind::Block => tree.edges(op).all(|edge| Some(edge) == end(data.regions[0])),
        OpKind::Loop => !tree.edges(op).any(|edge| matches!(func.ops[edge].kind, OpKind::Continue(_))),
        _ => false,
    }
}

struct Splice<'a> {
    func: &'a mut Func,
    tree: Tree,
    crossed: Crossed,
    subst: Subst,
    changed: bool,
}

impl Splice<'_> {
    fn region(&mut self, region: RegionId) {
        let old = std::mem::take(&mut self.func.regions[region].ops);
        let mut new = Vec::with_capacity(old.len());
        for &op in &old {
            for n in 0..self.func.ops[op].regions.len() {
                self.region(self.func.ops[op].regions[n]);
            }
            if !self.splice(op, &mut new) {
                new.push(op);
            }
            // What stands behind a way out never runs.
            if new.last().is_some_and(|&last| leaves(self.func.ops[last].kind)) {
                break;
            }
        }
        self.func.regions[region].ops = new;
    }

    /// Puts something else in the place of `op`, if it can.
    fn splice(&mut self, op: OpId, new: &mut Vec<OpId>) -> bool {
        match self.func.ops[op].kind {
            OpKind::If => self.known_if(op, new) || self.ending_if(op, new),
            OpKind::Block => self.block(op, new),
            OpKind::Loop => {
                self.single_iteration(op);
                false
            }
            _ => false,
        }
    }

    fn terminator(&self, region: RegionId) -> Option<OpId> {
        self.func.regions[region].ops.last().copied()
    }

    fn known_if(&mut self, op: OpId, new: &mut Vec<OpId>) -> bool {
        let Some(bits) = literal(self.func, self.subst.get(self.func.ops[op].args[0])) else { return false };
        let region = self.func.ops[op].regions[usize::from(bits & 1 == 0)];
        self.inline(op, region, new)
    }

    /// Moves the ops of a region that all lanes of its op run through to the place of the op.
    fn inline(&mut self, op: OpId, region: RegionId, new: &mut Vec<OpId>) -> bool {
        let Some(end) = self.terminator(region) else { return false };
        let kind = self.func.ops[end].kind;
        let ends_here = kind == OpKind::Yield || kind == OpKind::Break(op);
        if ends_here && !self.may_replace(op, end) {
            return false;
        }
        let mut ops = std::mem::take(&mut self.func.regions[region].ops);
        if ends_here {
            ops.pop();
            for n in 0..self.func.ops[op].results.len() {
                let (result, value) = (self.func.ops[op].results[n], self.func.ops[end].args[n]);
                self.subst.set(result, value);
            }
        }
        new.extend(ops);
        self.changed = true;
        true
    }

    /// Whether the results of `op` may be replaced by what `end`, its only way out, passes.
    fn may_replace(&self, op: OpId, end: OpId) -> bool {
        // Where whole quads set a result, it has the value passed in all of their lanes; else the others hold the initial
        // operand.
        let (data, passed) = (&self.func.ops[op], &self.func.ops[end].args);
        let same = |n: usize| self.subst.get(data.initial()[n]) == self.subst.get(passed[n]);
        data.results.iter().enumerate().all(|(n, &result)| same(n) || !self.crossed.shows(end, result))
    }

    /// Both arms leave: the second one's ops go behind the `if`.
    fn ending_if(&mut self, op: OpId, new: &mut Vec<OpId>) -> bool {
        let regions = self.func.ops[op].regions.clone();
        let ends: Vec<OpId> = regions.iter().filter_map(|&r| self.terminator(r)).collect();
        if ends.len() != 2 || !ends.iter().all(|&end| leaves(self.func.ops[end].kind)) {
            return false;
        }
        let rest = std::mem::take(&mut self.func.regions[regions[1]].ops);
        // The results are set by nobody; what would read them never runs.
        let data = &mut self.func.ops[op];
        data.results.clear();
        data.args = EntityList::one(data.args[0]);
        let mut end = self.func.ops[ends[1]].clone();
        end.kind = OpKind::Yield;
        end.args.clear();
        self.func.push_op(regions[1], end, &[]);
        new.push(op);
        new.extend(rest);
        self.changed = true;
        true
    }

    fn block(&mut self, op: OpId, new: &mut Vec<OpId>) -> bool {
        let region = self.func.ops[op].regions[0];
        let Some(end) = self.terminator(region) else { return false };
        let is_left_early = self.tree.edges(op).any(|edge| edge != end);
        !is_left_early && self.inline(op, region, new)
    }

    /// A loop without back edges becomes a block. Its parameters are their first values in all lanes.
    fn single_iteration(&mut self, op: OpId) {
        let backs = |edge: OpId| matches!(self.func.ops[edge].kind, OpKind::Continue(_));
        let region = self.func.ops[op].regions[0];
        if self.tree.edges(op).any(backs) {
            return;
        }
        let params = std::mem::take(&mut self.func.regions[region].params);
        let data = &mut self.func.ops[op];
        for (&param, &first) in params.iter().zip(&data.args) {
            self.subst.set(param, first);
        }
        data.args = EntityList::of(data.initial());
        data.kind = OpKind::Block;
        self.changed = true;
    }
}
