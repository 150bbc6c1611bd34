//! Which values are the same in neighbouring lanes, and where quads execute as a whole.

use super::Tree;
use crate::{Effect, EntityRef, Func, OpId, OpKind, RegionId, ValueId};

/// Over which lanes a value may differ, from least to most.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UniformScope {
    /// Made of literals and constants only: the same in every lane of the draw.
    Draw,
    /// The same in the four lanes of a quad.
    Quad,
    /// May differ from lane to lane.
    Lane,
}

/// [`UniformScope`] of every value, and at which ops every quad executes with all of its lanes or with none.
///
/// Both depend on each other (a branch on an uniform predicate keeps quads whole, a whole quad keeps results uniform), so they
/// start out as good as possible and are lowered until nothing changes. Fuel is counted per lane: once one back edge may
/// be taken by a part of a quad, lanes may run out of fuel in any later loop on their own, and no loop counts as whole.
#[derive(Clone, Debug)]
pub struct Uniformity {
    scope: Vec<UniformScope>,
    whole: Vec<bool>,
}

struct Solver<'a> {
    func: &'a Func,
    tree: &'a Tree,
    scope: Vec<UniformScope>,
    whole: Vec<bool>,
    /// Control ops that a part of a quad may leave for a place further out. Such quads do not rejoin behind them.
    split: Vec<bool>,
    /// Whether all back edges are taken by whole quads.
    uniform_fuel: bool,
    /// Whether a back edge led to something lower since the walk began.
    is_stale: bool,
}

impl Uniformity {
    /// Solves a verified function.
    pub fn new(func: &Func, tree: &Tree) -> Uniformity {
        let mut solver = Solver {
            func,
            tree,
            scope: vec![UniformScope::Draw; func.values.len()],
            whole: vec![true; func.ops.len()],
            split: vec![false; func.ops.len()],
            uniform_fuel: true,
            is_stale: true,
        };
        // Only back edges, and fuel, which all loops share, lead to ops that were looked at before.
        while std::mem::take(&mut solver.is_stale) {
            solver.region(func.body, true);
        }
        Uniformity { scope: solver.scope, whole: solver.whole }
    }

    /// Over which lanes a value may differ, in all four lanes of quads that compute it, executing or not.
    pub fn scope(&self, value: ValueId) -> UniformScope {
        self.scope.get(value.index()).copied().unwrap_or(UniformScope::Lane)
    }

    /// Whether every quad executes an op with all of its lanes or with none.
    pub fn is_whole(&self, op: OpId) -> bool {
        self.whole.get(op.index()).copied().unwrap_or(false)
    }
}

impl Solver<'_> {
    fn lower(&mut self, value: ValueId, to: UniformScope) {
        let scope = &mut self.scope[value.index()];
        *scope = (*scope).max(to);
    }

    fn of(&self, value: ValueId) -> UniformScope {
        self.scope[value.index()]
    }

    /// Walks a region; `whole` says how it starts.
    fn region(&mut self, region: RegionId, mut whole: bool) {
        let func = self.func;
        for &op in &func.regions[region].ops {
            self.whole[op.index()] &= whole;
            self.op(op, whole);
            if whole && !func.ops[op].regions.is_empty() {
                whole = !self.split[op.index()];
            }
        }
    }

    fn op(&mut self, op: OpId, whole: bool) {
        let func = self.func;
        let data = &func.ops[op];
        let args = || data.args.iter().map(|&arg| self.scope[arg.index()]).max().unwrap_or(UniformScope::Draw);
        match data.kind {
            OpKind::If => {
                let uniform = self.of(data.args[0]) < UniformScope::Lane;
                for &region in &data.regions {
                    self.region(region, whole && uniform);
                }
                self.results(op, whole && uniform);
            }
            OpKind::Block => {
                self.region(data.regions[0], whole);
                self.results(op, whole);
            }
            OpKind::Loop => {
                let region = data.regions[0];
                let starts = |s: &Self| whole && s.uniform_fuel && s.backs_whole(op);
                let before = starts(self);
                self.params(op, region, before);
                self.region(region, before);
                let after = starts(self);
                self.is_stale |= self.params(op, region, after) || after != before;
                self.results(op, after);
            }
            OpKind::Continue(target) if !whole => {
                self.is_stale |= std::mem::take(&mut self.uniform_fuel);
                self.splits(op, target);
            }
            OpKind::Break(target) if !whole => self.splits(op, target),
            OpKind::QuadAny | OpKind::QuadAll => self.lower(data.results[0], UniformScope::Quad),
            OpKind::Literal(_) | OpKind::Const { .. } => {}
            OpKind::Tex(_)
            | OpKind::ArrayLoad(_)
            | OpKind::BufferLoad { .. }
            | OpKind::ImageLoad { .. }
            | OpKind::Atomic { .. }
            | OpKind::Attr { .. }
            | OpKind::AttrAt { .. }
            | OpKind::AttrSample { .. }
            | OpKind::AttrOffset { .. }
            | OpKind::AttrCentroid { .. }
            | OpKind::GroupShuffle
            | OpKind::GroupBallot { .. }
            | OpKind::GroupReduce(_)
            | OpKind::Sys(_) => {
                for &result in &data.results {
                    self.lower(result, UniformScope::Lane);
                }
            }
            kind if matches!(kind.effect(), Effect::Pure | Effect::Read | Effect::Convergent) => {
                let scope = args();
                self.lower(data.results[0], scope);
            }
            _ => {}
        }
    }

    /// Parameters of a loop, by what enters and what its back edges pass; whether any was lowered.
    fn params(&mut self, op: OpId, region: RegionId, starts: bool) -> bool {
        let func = self.func;
        let mut lowered = false;
        for (n, &param) in func.regions[region].params.iter().enumerate() {
            let mut scope = self.of(func.ops[op].args[n]).max(UniformScope::Quad);
            if !starts {
                scope = UniformScope::Lane;
            }
            for edge in self.tree.edges(op) {
                if matches!(func.ops[edge].kind, OpKind::Continue(_)) {
                    scope = scope.max(self.of(func.ops[edge].args[n]));
                }
            }
            lowered |= self.of(param) < scope;
            self.lower(param, scope);
        }
        lowered
    }

    /// Whether all back edges of a loop are taken by whole quads.
    fn backs_whole(&self, op: OpId) -> bool {
        let mut backs = self.tree.edges(op).filter(|&e| matches!(self.func.ops[e].kind, OpKind::Continue(_)));
        backs.all(|edge| self.whole[edge.index()])
    }

    /// Results of a control op: uniform if whole quads set them, each time to uniform values. Where whole quads run out of
    /// fuel, they hold the initial operand.
    fn results(&mut self, op: OpId, whole: bool) {
        let func = self.func;
        for (n, &result) in func.ops[op].results.iter().enumerate() {
            if !whole {
                self.lower(result, UniformScope::Lane);
                continue;
            }
            let mut scope = UniformScope::Quad;
            for edge in self.tree.edges(op) {
                let data = &func.ops[edge];
                let held = match data.kind {
                    OpKind::Continue(_) => self.of(func.ops[op].initial()[n]),
                    _ if self.whole[edge.index()] => self.of(data.args[n]),
                    _ => UniformScope::Lane,
                };
                scope = scope.max(held);
            }
            self.lower(result, scope);
        }
    }

    /// A part of a quad may jump from `jump` to `target`: it leaves what stands between them without the rest.
    fn splits(&mut self, jump: OpId, target: OpId) {
        let mut at = self.tree.parent(jump);
        while let Some(op) = at
            && op != target
        {
            self.split[op.index()] = true;
            at = self.tree.parent(op);
        }
    }
}
