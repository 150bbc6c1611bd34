//! Dead code elimination: ops without effect whose results nobody reads, results and parameters nobody reads, regions that
//! do nothing.
//!
//! Liveness starts at what can be observed: outputs, coverage, and back edges (by their fuel). Stores count once a load of
//! the same array does. A control op is live when anything in it is, and then so are the terminators that lead to its
//! end, since they decide which lanes do the rest. An output that every lane overwrites later in the same region is dead.
//! The initial operand of a live result is live where a lane that holds it can be seen: where lanes may run out of fuel, or
//! where a neighbour reads the result in a lane that does not execute. Elsewhere a zero stands for it.

use crate::edit::{has_control, literal};
use parallax_core::analysis::{CrossedOnDemand, Tree};
use parallax_core::num::Decl;
use parallax_core::{
    ArrayId, Effect, EntityList, EntityRef, Func, OpData, OpId, OpKind, RegionId, RuleId, Shader, SlotId, State, Type,
    ValueDef, ValueId,
};
use smallvec::SmallVec;

/// Runs the pass.
pub fn run<S: State>(shader: &mut Shader<S>) {
    let func = &mut shader.func;
    if !has_control(func) {
        return straight(func);
    }
    let tree = Tree::new(func);
    let mut live = Live {
        func,
        tree: &tree,
        ops: vec![false; func.ops.len()],
        values: vec![false; func.values.len()],
        arrays: vec![false; func.arrays.len()],
        zeros: Zeros::default(),
        crossed: CrossedOnDemand::new(func, &tree),
        work: Vec::new(),
    };
    if tree.has_jumps() {
        live.roots();
        live.solve();
    } else {
        let overwritten = overwritten_outputs(func, &tree);
        live.nested(func.body, None, &overwritten);
    }
    let Live { ops, values, zeros, .. } = live;
    sweep(func, &tree, &ops, &values, zeros);
}

/// The pass where nothing is nested: from the end all uses of a value come before its definition.
fn straight(func: &mut Func) {
    let mut ops = std::mem::take(&mut func.regions[func.body].ops);
    let mut values = vec![false; func.values.len()];
    let mut arrays = vec![false; func.arrays.len()];
    let mut written: SmallVec<[(u16, u8); 8]> = SmallVec::new();
    // The kept ops gather at the end.
    let mut first = ops.len();
    for n in (0..ops.len()).rev() {
        let op = ops[n];
        let data = &func.ops[op];
        let is_live = match data.kind {
            OpKind::Out { index, comp } => {
                let is_last = !written.contains(&(index, comp));
                if is_last {
                    written.push((index, comp));
                }
                is_last
            }
            OpKind::Discard | OpKind::DiscardSamples => literal(func, data.args[0]) != Some(0),
            OpKind::Barrier | OpKind::GroupBarrier | OpKind::Yield => true,
            kind if kind.writes_memory() => true,
            OpKind::ArrayStore(array) => arrays[array.index()],
            _ => data.results.iter().any(|result| values[result.index()]),
        };
        if is_live {
            if let OpKind::ArrayLoad(array) = data.kind {
                arrays[array.index()] = true;
            }
            data.args.iter().for_each(|arg| values[arg.index()] = true);
            first -= 1;
            ops[first] = op;
        }
    }
    ops.drain(..first);
    func.regions[func.body].ops = ops;
}

/// A slot of each format with its rule.
type Slots = [Option<(SlotId, Option<RuleId>)>; Decl::ALL.len()];

/// Zeros that stand for initial operands nobody sees.
#[derive(Default)]
struct Zeros {
    /// For literals of each format; found when they are asked for.
    slots: Option<Slots>,
    made: Vec<(Type, ValueId)>,
}

impl Zeros {
    /// Whether there can be one of this type.
    fn exists(&mut self, func: &Func, tree: &Tree, ty: Type) -> bool {
        let find = || {
            let mut slots: Slots = [None; Decl::ALL.len()];
            for data in tree.order().iter().map(|&op| &func.ops[op]) {
                if let Some(slot) = data.slot {
                    slots[func.slots[slot].decl as usize].get_or_insert((slot, data.rule));
                }
            }
            slots
        };
        ty.decl().is_none_or(|decl| self.slots.get_or_insert_with(find)[decl as usize].is_some())
    }

    /// The zero of a type, at the start of the body.
    fn get(&mut self, func: &mut Func, ty: Type) -> ValueId {
        if let Some(&(_, zero)) = self.made.iter().find(|(made, _)| *made == ty) {
            return zero;
        }
        let found = ty.decl().and_then(|decl| self.slots?[decl as usize]);
        let data = OpData {
            slot: found.map(|(slot, _)| slot),
            rule: found.and_then(|(_, rule)| rule),
            ..OpData::new(OpKind::Literal(0))
        };
        let op = func.push_op(func.body, data, &[ty]);
        func.regions[func.body].ops.rotate_right(1);
        let zero = func.ops[op].results[0];
        self.made.push((ty, zero));
        zero
    }
}

enum Work {
    Op(OpId),
    Value(ValueId),
}

struct Live<'a> {
    func: &'a Func,
    tree: &'a Tree,
    ops: Vec<bool>,
    values: Vec<bool>,
    /// Arrays some live op loads from.
    arrays: Vec<bool>,
    zeros: Zeros,
    crossed: CrossedOnDemand<'a>,
    work: Vec<Work>,
}

impl Live<'_> {
    /// Where nothing jumps, all uses of a value come before its definition from the end. Says whether anything of the region
    /// is live; its terminator is live with `owner`, which comes after it.
    fn nested(&mut self, region: RegionId, owner: Option<OpId>, overwritten: &[OpId]) -> bool {
        let func = self.func;
        let mut any = false;
        for &op in func.regions[region].ops.iter().rev() {
            let data = &func.ops[op];
            let is_live = match (data.kind, owner) {
                (OpKind::Yield, Some(owner)) => {
                    for (&arg, &result) in data.args.iter().zip(&func.ops[owner].results) {
                        self.values[arg.index()] |= self.values[result.index()];
                    }
                    continue;
                }
                (OpKind::If | OpKind::Block, _) => {
                    let mut inside = false;
                    for &inner in data.regions.iter().rev() {
                        inside |= self.nested(inner, Some(op), overwritten);
                    }
                    inside || self.has_live_result(data)
                }
                (OpKind::Out { .. }, _) => !overwritten.contains(&op),
                (OpKind::Discard | OpKind::DiscardSamples, _) => literal(func, data.args[0]) != Some(0),
                (OpKind::Barrier | OpKind::GroupBarrier | OpKind::Yield, _) => true,
                (kind, _) if kind.writes_memory() => true,
                (OpKind::ArrayStore(array), _) => self.arrays[array.index()],
                _ => self.has_live_result(data),
            };
            if !is_live {
                continue;
            }
            any = true;
            self.ops[op.index()] = true;
            if data.regions.is_empty() {
                if let OpKind::ArrayLoad(array) = data.kind {
                    self.arrays[array.index()] = true;
                }
                data.args.iter().for_each(|arg| self.values[arg.index()] = true);
                continue;
            }
            if data.kind == OpKind::If {
                self.values[data.args[0].index()] = true;
            }
            for &inner in &data.regions {
                if let Some(end) = func.regions[inner].ops.last() {
                    self.ops[end.index()] = true;
                }
            }
            for (&result, &initial) in data.results.iter().zip(data.initial()) {
                if self.values[result.index()] && self.is_initial_seen(op, result, initial) {
                    self.values[initial.index()] = true;
                }
            }
        }
        any
    }

    fn has_live_result(&self, data: &OpData) -> bool {
        data.results.iter().any(|result| self.values[result.index()])
    }

    fn roots(&mut self) {
        let func = self.func;
        let overwritten = overwritten_outputs(func, self.tree);
        for &op in self.tree.order() {
            let data = &func.ops[op];
            let root = match data.kind {
                OpKind::Out { .. } => !overwritten.contains(&op),
                OpKind::Discard | OpKind::DiscardSamples => literal(func, data.args[0]) != Some(0),
                OpKind::Continue(_) | OpKind::Barrier | OpKind::GroupBarrier => true,
                kind if kind.writes_memory() => true,
                OpKind::Yield => self.tree.parent(op).is_none(),
                _ => false,
            };
            if root {
                self.work.push(Work::Op(op));
            }
        }
    }

    fn solve(&mut self) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Op(op) => self.op(op),
                Work::Value(value) => self.value(value),
            }
        }
    }

    fn op(&mut self, op: OpId) {
        if std::mem::replace(&mut self.ops[op.index()], true) {
            return;
        }
        let data = &self.func.ops[op];
        if let Some(parent) = self.tree.parent(op)
            && !self.ops[parent.index()]
        {
            self.work.push(Work::Op(parent));
        }
        match data.kind {
            OpKind::If | OpKind::Loop | OpKind::Block => {
                if data.kind == OpKind::If {
                    self.work.push(Work::Value(data.args[0]));
                }
                self.work.extend(self.tree.edges(op).map(Work::Op));
            }
            // What they pass counts where the result or parameter does.
            OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_) => {
                if let OpKind::Break(target) | OpKind::Continue(target) = data.kind {
                    self.work.push(Work::Op(target));
                }
            }
            OpKind::ArrayLoad(array) => {
                self.operands(data);
                self.load(array);
            }
            _ => self.operands(data),
        }
    }

    /// The operands of an op that computes. What computes them in turn needs no thought.
    fn operands(&mut self, data: &OpData) {
        for &arg in &data.args {
            match self.func.values[arg].def {
                ValueDef::Result(op, _) if self.func.ops[op].regions.is_empty() => {
                    self.values[arg.index()] = true;
                    if !self.ops[op.index()] {
                        self.work.push(Work::Op(op));
                    }
                }
                _ => self.work.push(Work::Value(arg)),
            }
        }
    }

    fn load(&mut self, array: ArrayId) {
        if !std::mem::replace(&mut self.arrays[array.index()], true) {
            let stores = self.tree.order().iter().filter(|&&op| self.func.ops[op].kind == OpKind::ArrayStore(array));
            self.work.extend(stores.map(|&op| Work::Op(op)));
        }
    }

    fn value(&mut self, value: ValueId) {
        if std::mem::replace(&mut self.values[value.index()], true) {
            return;
        }
        let func = self.func;
        match func.values[value].def {
            ValueDef::Result(op, n) => {
                self.work.push(Work::Op(op));
                if func.ops[op].kind.effect() == Effect::Control {
                    let ways_out = self.tree.edges(op).filter(|&e| !matches!(func.ops[e].kind, OpKind::Continue(_)));
                    self.work.extend(ways_out.map(|edge| Work::Value(func.ops[edge].args[usize::from(n)])));
                    let initial = func.ops[op].initial()[usize::from(n)];
                    if self.is_initial_seen(op, value, initial) {
                        self.work.push(Work::Value(initial));
                    }
                }
            }
            ValueDef::Param(region, n) => {
                let Some(op) = self.tree.owner(region) else { return };
                self.work.push(Work::Op(op));
                self.work.push(Work::Value(func.ops[op].args[usize::from(n)]));
                let backs = self.tree.edges(op).filter(|&e| matches!(func.ops[e].kind, OpKind::Continue(_)));
                self.work.extend(backs.map(|edge| Work::Value(func.ops[edge].args[usize::from(n)])));
            }
        }
    }
}

impl Live<'_> {
    /// Whether the initial operand of result `value` may be seen; literals cost nothing and stay.
    fn is_initial_seen(&mut self, op: OpId, value: ValueId, initial: ValueId) -> bool {
        let (func, tree) = (self.func, self.tree);
        if literal(func, initial).is_some() || !self.zeros.exists(func, tree, func.ty(value)) {
            return true;
        }
        let may_run_dry = tree.edges(op).any(|edge| matches!(func.ops[edge].kind, OpKind::Continue(_)));
        may_run_dry || self.crossed.contains(value)
    }
}

/// Outputs that the same lanes write again later in the same region.
fn overwritten_outputs(func: &Func, tree: &Tree) -> Vec<OpId> {
    let mut found = Vec::new();
    let mut regions: Vec<RegionId> = vec![func.body];
    while let Some(region) = regions.pop() {
        let mut later: SmallVec<[(u16, u8); 8]> = SmallVec::new();
        for &op in func.regions[region].ops.iter().rev() {
            let data = &func.ops[op];
            if let OpKind::Out { index, comp } = data.kind {
                if later.contains(&(index, comp)) {
                    found.push(op);
                } else {
                    later.push((index, comp));
                }
            } else if !data.regions.is_empty() {
                regions.extend_from_slice(&data.regions);
                if !later.is_empty() && may_leave(func, tree, op) {
                    later.clear();
                }
            }
        }
    }
    found
}

/// Whether lanes inside a control op may leave for a place further out.
fn may_leave(func: &Func, tree: &Tree, op: OpId) -> bool {
    let mut regions: Vec<RegionId> = func.ops[op].regions.to_vec();
    while let Some(region) = regions.pop() {
        for &inner in &func.regions[region].ops {
            let data = &func.ops[inner];
            regions.extend_from_slice(&data.regions);
            if let OpKind::Break(target) | OpKind::Continue(target) = data.kind
                && target != op
                && !tree.is_inside(target, op)
            {
                return true;
            }
        }
    }
    false
}

/// Removes what is dead.
fn sweep(func: &mut Func, tree: &Tree, ops: &[bool], values: &[bool], mut zeros: Zeros) {
    let is_live = |value: &ValueId| values[value.index()];
    for &op in tree.order() {
        if func.ops[op].regions.is_empty() || !ops[op.index()] {
            continue;
        }
        // Results and what the ways out pass for them.
        let kept: SmallVec<[bool; 8]> = func.ops[op].results.iter().map(is_live).collect();
        let region = func.ops[op].regions[0];
        let kept_params: SmallVec<[bool; 8]> = func.regions[region].params.iter().map(is_live).collect();
        let is_kept = |&kept: &bool| kept;
        if kept.iter().chain(&kept_params).all(is_kept) && func.ops[op].initial().iter().all(is_live) {
            continue;
        }
        for edge in tree.edges(op) {
            let back = matches!(func.ops[edge].kind, OpKind::Continue(_));
            retain(&mut func.ops[edge].args, if back { &kept_params } else { &kept });
        }
        let count = func.ops[op].args.len() - kept.len();
        let (others, initial) = func.ops[op].args.split_at(count);
        let (mut args, mut initial) = (EntityList::of(others), EntityList::of(initial));
        if func.ops[op].kind == OpKind::Loop {
            retain(&mut args, &kept_params);
        }
        retain(&mut initial, &kept);
        for value in &mut initial {
            if !is_live(value) {
                *value = zeros.get(func, func.ty(*value));
            }
        }
        args.extend(initial);
        func.ops[op].args = args;
        retain(&mut func.ops[op].results, &kept);
        for n in 0..func.ops[op].results.len() {
            let result = func.ops[op].results[n];
            func.values[result].def = ValueDef::Result(op, n as u16);
        }
        retain(&mut func.regions[region].params, &kept_params);
        for n in 0..func.regions[region].params.len() {
            let param = func.regions[region].params[n];
            func.values[param].def = ValueDef::Param(region, n as u16);
        }
    }
    let mut regions: Vec<RegionId> = vec![func.body];
    while let Some(region) = regions.pop() {
        let mut list = std::mem::take(&mut func.regions[region].ops);
        list.retain(|op| ops.get(op.index()).copied().unwrap_or(true));
        for &op in &list {
            regions.extend_from_slice(&func.ops[op].regions);
        }
        func.regions[region].ops = list;
    }
}

fn retain(list: &mut EntityList<ValueId>, kept: &[bool]) {
    if kept.iter().all(|&k| k) {
        return;
    }
    let stays = |n: usize| kept.get(n).copied().unwrap_or(true);
    *list = list.iter().copied().enumerate().filter(|(n, _)| stays(*n)).map(|(_, value)| value).collect();
}
