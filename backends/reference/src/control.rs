//! How a subgroup goes through regions: with a stack of its own, so that it can stop at a barrier and go on later.

use crate::subgroup::{Lanes, Subgroup, Words, World, any, both, each, either, without};
use parallax_core::{EntityRef, Func, OpId, OpKind, RegionId, ValueId};
use std::collections::HashMap;

/// Lanes on their way out of an `if`, `block` or `loop`.
#[derive(Clone)]
struct Exits<const N: usize> {
    /// Those that go on behind it.
    joined: Lanes<N>,
    /// Those that start the next iteration, and the parameters they pass.
    next: Lanes<N>,
    passed: Vec<Words<N>>,
}

impl<const N: usize> Exits<N> {
    /// Nobody's, of an op with so many parameters.
    fn of(params: usize) -> Self {
        Exits { joined: [false; N], next: [false; N], passed: vec![[0; N]; params] }
    }
}

/// A region under way.
struct Frame<const N: usize> {
    region: RegionId,
    /// The op that holds it; `None` for the body.
    owner: Option<OpId>,
    /// Number of the op that comes next.
    at: usize,
    /// Lanes that execute.
    exec: Lanes<N>,
    /// Of the first arm of an `if`: the lanes of the second.
    other: Option<Lanes<N>>,
    /// Of the second arm: lanes that reached the end of the first.
    before: Lanes<N>,
}

impl<const N: usize> Frame<N> {
    fn new(region: RegionId, owner: Option<OpId>, exec: Lanes<N>) -> Self {
        Frame { region, owner, at: 0, exec, other: None, before: [false; N] }
    }
}

/// Where a subgroup is.
pub(crate) struct Control<const N: usize> {
    frames: Vec<Frame<N>>,
    exits: HashMap<OpId, Exits<N>>,
}

impl<const N: usize> Control<N> {
    /// Before the first op, in the lanes that there are.
    pub(crate) fn at_start(func: &Func, lanes: Lanes<N>) -> Self {
        Control { frames: vec![Frame::new(func.body, None, lanes)], exits: HashMap::new() }
    }
}

impl<const N: usize> Subgroup<N> {
    /// Goes on to the end, or behind the next barrier: then gives it with the lanes that execute it.
    pub(crate) fn run(&mut self, w: &mut World<'_, '_>) -> Option<(OpId, Lanes<N>)> {
        let func = &w.shader.func;
        while let Some(frame) = self.control.frames.last_mut() {
            let exec = frame.exec;
            let next = func.regions[frame.region].ops.get(frame.at).copied();
            let Some(op) = next.filter(|_| any(exec)) else {
                self.finish(func, exec);
                continue;
            };
            frame.at += 1;
            let owner = frame.owner;
            let data = &func.ops[op];
            match data.kind {
                OpKind::If => {
                    self.assign(&data.results, &data.args[1..], [true; N]);
                    let taken = both(exec, self.get(data.args[0]).map(|word| word & 1 != 0));
                    let other = Some(without(exec, taken));
                    self.control.frames.push(Frame { other, ..Frame::new(data.regions[0], Some(op), taken) });
                }
                OpKind::Block => {
                    self.assign(&data.results, &data.args, [true; N]);
                    self.control.exits.insert(op, Exits::of(0));
                    self.control.frames.push(Frame::new(data.regions[0], Some(op), exec));
                }
                OpKind::Loop => {
                    let params = &func.regions[data.regions[0]].params;
                    let (first, initial) = data.args.split_at(params.len());
                    self.assign(params, first, [true; N]);
                    self.assign(&data.results, initial, [true; N]);
                    self.control.exits.insert(op, Exits::of(params.len()));
                    self.control.frames.push(Frame::new(data.regions[0], Some(op), exec));
                }
                OpKind::Yield => {
                    if let Some(owner) = owner {
                        self.assign(&func.ops[owner].results, &data.args, exec);
                    }
                    self.finish(func, exec);
                }
                OpKind::Break(target) => {
                    self.assign(&func.ops[target].results, &data.args, exec);
                    let exits = self.control.exits.entry(target).or_insert_with(|| Exits::of(0));
                    exits.joined = either(exits.joined, exec);
                    self.finish(func, [false; N]);
                }
                OpKind::Continue(target) => {
                    let passed: Vec<Words<N>> = data.args.iter().map(|&arg| self.get(arg)).collect();
                    self.start_again(w, target, &passed, exec);
                    self.finish(func, [false; N]);
                }
                OpKind::Barrier => return Some((op, exec)),
                kind => self.plain(w, op, kind, exec),
            }
        }
        None
    }

    /// Values take those of others in some lanes.
    fn assign(&mut self, to: &[ValueId], from: &[ValueId], lanes: Lanes<N>) {
        for (to, &from) in to.iter().zip(from) {
            let words = self.get(from);
            each(lanes).for_each(|lane| self.values[to.index()][lane] = words[lane]);
        }
    }

    /// The region under way has ended, with these lanes at its end: its op goes on in another one, or has ended too.
    fn finish(&mut self, func: &Func, end: Lanes<N>) {
        let Control { frames, exits } = &mut self.control;
        let Some(Frame { region, owner: Some(op), other, before, .. }) = frames.pop() else { return };
        let data = &func.ops[op];
        let exec = match data.kind {
            OpKind::If => match other {
                Some(other) => {
                    let arm = Frame::new(data.regions[1], Some(op), other);
                    return frames.push(Frame { before: end, ..arm });
                }
                None => either(before, end),
            },
            OpKind::Loop => {
                let exits = exits.entry(op).or_insert_with(|| Exits::of(0));
                let next = std::mem::replace(&mut exits.next, [false; N]);
                for (param, passed) in func.regions[region].params.iter().zip(&exits.passed) {
                    each(next).for_each(|lane| self.values[param.index()][lane] = passed[lane]);
                }
                if any(next) {
                    return frames.push(Frame::new(region, Some(op), next));
                }
                exits.joined
            }
            _ => either(end, exits[&op].joined),
        };
        if let Some(around) = frames.last_mut() {
            around.exec = exec;
        }
    }

    /// `continue`: lanes without fuel leave the loop.
    fn start_again(&mut self, w: &mut World<'_, '_>, target: OpId, passed: &[Words<N>], lanes: Lanes<N>) {
        let cost = w.shader.func.back_edge_cost(target);
        let exits = self.control.exits.entry(target).or_insert_with(|| Exits::of(0));
        for lane in each(lanes) {
            if self.fuel[lane] < cost {
                self.fuel[lane] = 0;
                w.outputs.out_of_fuel[self.first + lane] = true;
                exits.joined[lane] = true;
                continue;
            }
            self.fuel[lane] -= cost;
            exits.next[lane] = true;
            exits.passed.iter_mut().zip(passed).for_each(|(to, from)| to[lane] = from[lane]);
        }
    }
}
