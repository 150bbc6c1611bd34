//! How a quad goes through regions: with a stack of its own, so that it can stop at a barrier and go on later.

use crate::quad::{Lanes, NOBODY, Quad, Words, World, any, both, each, either, without};
use parallax_core::{EntityRef, Func, OpId, OpKind, RegionId, ValueId};
use std::collections::HashMap;

/// Lanes on their way out of an `if`, `block` or `loop`.
#[derive(Clone, Default)]
struct Exits {
    /// Those that go on behind it.
    joined: Lanes,
    /// Those that start the next iteration, and the parameters they pass.
    next: Lanes,
    passed: Vec<Words>,
}

/// A region under way.
struct Frame {
    region: RegionId,
    /// The op that holds it; `None` for the body.
    owner: Option<OpId>,
    /// Number of the op that comes next.
    at: usize,
    /// Lanes that execute.
    exec: Lanes,
    /// Of the first arm of an `if`: the lanes of the second.
    other: Option<Lanes>,
    /// Of the second arm: lanes that reached the end of the first.
    before: Lanes,
}

impl Frame {
    fn new(region: RegionId, owner: Option<OpId>, exec: Lanes) -> Frame {
        Frame { region, owner, at: 0, exec, other: None, before: NOBODY }
    }
}

/// Where a quad is.
pub(crate) struct Control {
    frames: Vec<Frame>,
    exits: HashMap<OpId, Exits>,
}

impl Control {
    /// Before the first op, in all lanes.
    pub(crate) fn at_start(func: &Func) -> Control {
        Control { frames: vec![Frame::new(func.body, None, [true; 4])], exits: HashMap::new() }
    }
}

impl Quad {
    /// Goes on to the end, or behind the next barrier: then gives it with the lanes that execute it.
    pub(crate) fn run(&mut self, w: &mut World<'_, '_>) -> Option<(OpId, Lanes)> {
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
                    self.assign(&data.results, &data.args[1..], [true; 4]);
                    let taken = both(exec, self.get(data.args[0]).map(|word| word & 1 != 0));
                    let other = Some(without(exec, taken));
                    self.control.frames.push(Frame { other, ..Frame::new(data.regions[0], Some(op), taken) });
                }
                OpKind::Block => {
                    self.assign(&data.results, &data.args, [true; 4]);
                    self.control.exits.insert(op, Exits::default());
                    self.control.frames.push(Frame::new(data.regions[0], Some(op), exec));
                }
                OpKind::Loop => {
                    let params = &func.regions[data.regions[0]].params;
                    let (first, initial) = data.args.split_at(params.len());
                    self.assign(params, first, [true; 4]);
                    self.assign(&data.results, initial, [true; 4]);
                    let exits = Exits { passed: vec![[0; 4]; params.len()], ..Exits::default() };
                    self.control.exits.insert(op, exits);
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
                    let exits = self.control.exits.entry(target).or_default();
                    exits.joined = either(exits.joined, exec);
                    self.finish(func, NOBODY);
                }
                OpKind::Continue(target) => {
                    let passed: Vec<Words> = data.args.iter().map(|&arg| self.get(arg)).collect();
                    self.start_again(w, target, &passed, exec);
                    self.finish(func, NOBODY);
                }
                OpKind::Barrier => return Some((op, exec)),
                kind => self.plain(w, op, kind, exec),
            }
        }
        None
    }

    /// Values take those of others in some lanes.
    fn assign(&mut self, to: &[ValueId], from: &[ValueId], lanes: Lanes) {
        for (to, &from) in to.iter().zip(from) {
            let words = self.get(from);
            each(lanes).for_each(|lane| self.values[to.index()][lane] = words[lane]);
        }
    }

    /// The region under way has ended, with these lanes at its end: its op goes on in another one, or has ended too.
    fn finish(&mut self, func: &Func, end: Lanes) {
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
                let exits = exits.entry(op).or_default();
                let next = std::mem::take(&mut exits.next);
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
    fn start_again(&mut self, w: &mut World<'_, '_>, target: OpId, passed: &[Words], lanes: Lanes) {
        let exits = self.control.exits.entry(target).or_default();
        for lane in each(lanes) {
            if self.fuel[lane] == 0 {
                w.outputs.out_of_fuel[self.first + lane] = true;
                exits.joined[lane] = true;
                continue;
            }
            self.fuel[lane] -= 1;
            exits.next[lane] = true;
            exits.passed.iter_mut().zip(passed).for_each(|(to, from)| to[lane] = from[lane]);
        }
    }
}
