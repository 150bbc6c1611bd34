//! Regions as jumps over masks.

use crate::form::{Label, Op, Part, Reg};
use crate::lower::{Lowerer, Pair};
use crate::unroll::Passed;
use parallax_core::{EntityRef, OpKind};
use parallax_step::{Id, Kind, OpData, OpNumber, Prim, RegionNumber, Ty};
use smallvec::smallvec;

/// An `if`, `block` or `loop` around the code that is being made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    /// Registers of its results.
    results: Vec<Pair>,
    /// Whether it is a branch in an unrolled loop whose arm is known: its results are what that passes.
    is_known: bool,
    /// Where all lanes that execute it leave it at once.
    uniform: Option<Uniform>,
    /// Lanes that have left for its end; `None` where all that came in do.
    joined: Option<Reg>,
    /// Of a loop: lanes that go into the next iteration, and what they pass.
    next: Option<Reg>,
    pending: Vec<Pair>,
}

/// Uniform control: where all lanes that execute an op go at once.
#[derive(Clone, Debug)]
struct Uniform {
    /// Behind the op.
    behind: Label,
    /// Of a loop, the next iteration; nothing while it is unrolled.
    again: Option<Again>,
}

/// The next iteration of a loop that all lanes take alike.
#[derive(Clone, Debug)]
struct Again {
    head: Label,
    /// Registers of its parameters.
    held: Vec<Pair>,
    /// Where lanes go that are out of fuel.
    out_of_fuel: Label,
}

impl Lowerer<'_> {
    /// Says of each op how far out the jumps in it lead.
    pub(crate) fn find_leaves(&mut self) {
        // Without regions nothing leads out of any.
        if self.steps.regions.len() > 1 {
            self.leaves = vec![u32::MAX; self.steps.ops.len()];
            self.depths = vec![0; self.steps.ops.len()];
            self.leaves_of(self.steps.body, 1);
        }
    }

    /// The least depth that a jump in a region aims at. Nesting is bounded by the verifier of the IR.
    fn leaves_of(&mut self, region: RegionNumber, depth: u32) -> u32 {
        let steps = self.steps;
        let mut least = u32::MAX;
        for &number in &steps.regions[region as usize].ops {
            let op = &steps.ops[number as usize];
            let own = match op.kind {
                // Regions that are walked lie in ops whose depth is known.
                Kind::Ir(OpKind::Break(target) | OpKind::Continue(target)) => self.depths[target.index()],
                _ => {
                    self.depths[number as usize] = depth;
                    let inner = op.regions().map(|region| self.leaves_of(region, depth + 1)).min();
                    inner.unwrap_or(u32::MAX)
                }
            };
            self.leaves[number as usize] = own;
            least = least.min(own);
        }
        least
    }

    /// Whether a jump leads from inside an op to behind something around it.
    pub(crate) fn escapes(&self, op: OpNumber) -> bool {
        self.leaves[op as usize] < self.depths[op as usize]
    }

    /// Sets registers in some lanes, or all.
    pub(crate) fn assign(&mut self, exec: Option<Reg>, from: Pair, to: Pair) {
        match exec {
            None => self.halves(to, |_, half| (Op::Move, smallvec![from[half]])),
            Some(exec) => self.halves(to, |part, half| (Op::Merge(part), smallvec![exec, from[half], to[half]])),
        }
    }

    /// Adds lanes to a mask.
    fn join(&mut self, into: Reg, lanes: Option<Reg>) {
        match lanes {
            None => {
                let all = self.everybody();
                self.emit(Op::Move, &[all], &[into]);
            }
            Some(lanes) => self.emit(Op::Step(Prim::Or, Ty::Mask, 0, Part::Whole), &[into, lanes], &[into]),
        }
    }

    /// A mask that no lane is in yet.
    fn nobody(&mut self) -> Reg {
        let mask = self.mask();
        self.clear(mask);
        mask
    }

    fn clear(&mut self, mask: Reg) {
        self.emit(Op::Step(Prim::Const, Ty::Mask, 0, Part::Whole), &[], &[mask]);
    }

    /// The results of an op, holding their initial values.
    fn start(&mut self, op: &OpData) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (result, &initial) in op.results().zip(self.steps.initial(op)) {
            let from = self.value(initial);
            let to = self.pair(self.ty(result));
            self.assign(None, from, to);
            self.bind(result, to);
            pairs.push(to);
        }
        pairs
    }

    /// The code of a region in lanes of which at least one is there; `None`: in all of them. Where none is left it goes on
    /// at `end`, as it does behind the last op if lanes may be elsewhere.
    pub(crate) fn region(&mut self, region: RegionNumber, exec: Option<Reg>, owner: Option<OpNumber>, end: Label) {
        let steps = self.steps;
        let mut exec = exec;
        for &number in &steps.regions[region as usize].ops {
            let op = &steps.ops[number as usize];
            (self.origin, self.here) = (number, region);
            match op.kind {
                Kind::Step(ref inst) => self.step(number, op.result(), inst),
                Kind::Ir(OpKind::If) => self.branch(number, &mut exec, end),
                Kind::Ir(OpKind::Block) => self.block(number, &mut exec, end),
                Kind::Ir(OpKind::Loop) => self.repeat(number, &mut exec, end),
                Kind::Ir(OpKind::Yield) => {
                    if let Some(owner) = owner {
                        self.leave(owner, steps.args(op), exec, None);
                    }
                }
                Kind::Ir(OpKind::Break(target)) => {
                    self.leave(target.index() as OpNumber, steps.args(op), exec, Some(end));
                }
                Kind::Ir(OpKind::Continue(target)) => {
                    self.again(target.index() as OpNumber, steps.args(op), exec, end);
                }
                Kind::Ir(kind) => self.other(kind, op, exec),
                Kind::Redo(call) => self.redo(op, call),
                Kind::Call(call) => self.without_steps(op, call),
                // Machine code reports nothing.
                Kind::Trace(_) => {}
            }
            if self.has_left {
                return;
            }
        }
    }

    /// Behind an op with regions: which lanes go on.
    fn rejoin(&mut self, op: OpNumber, region: RegionNumber, exec: &mut Option<Reg>, end: Label) {
        if let Some(joined) = self.frames.remove(&op).and_then(|frame| frame.joined) {
            self.skip(joined, region, self.is_taken_alike(op), end);
            *exec = Some(joined);
        }
    }

    /// Whether all lanes that execute an op with regions go the same way through it: uniform control.
    fn is_uniform_op(&self, op: OpNumber) -> bool {
        self.loops_are_uniform && self.facts.as_ref().is_some_and(|facts| facts.is_taken_alike(op))
    }

    /// Goes on at a place; whatever comes next is not reached from here.
    fn jump(&mut self, to: Label) {
        self.emit(Op::Jump(to), &[], &[]);
    }

    /// A place that is jumped to. A jump right before it is none.
    fn place(&mut self, label: Label) {
        self.out.body.drop_jump(label);
        self.emit(Op::Label(label), &[], &[]);
    }

    /// Whether all lanes that execute what is around an op go the same way through that and through it.
    fn is_taken_alike(&self, op: OpNumber) -> bool {
        self.is_alike && self.facts.as_ref().is_none_or(|facts| facts.is_taken_alike(op))
    }

    /// The code of a region of an op.
    pub(crate) fn inner(&mut self, region: RegionNumber, exec: Option<Reg>, owner: OpNumber, end: Label) {
        let around = self.is_alike;
        self.is_alike = self.is_taken_alike(owner);
        self.region(region, exec, Some(owner), end);
        self.is_alike = around;
    }

    fn branch(&mut self, number: OpNumber, exec: &mut Option<Reg>, end: Label) {
        if self.is_uniform_op(number) {
            return self.uniform_branch(number, *exec, end);
        }
        self.diverges = true;
        let op = &self.steps.ops[number as usize];
        let results = self.start(op);
        let joined = self.escapes(number).then(|| self.nobody());
        self.frames.insert(number, Frame { results, joined, ..Frame::default() });
        let predicate = self.value(self.steps.args(op)[0])[0];
        let (taken, other) = (self.mask(), self.mask());
        match exec.or(self.turn) {
            None => {
                self.emit(Op::Move, &[predicate], &[taken]);
                self.emit(Op::Step(Prim::Not, Ty::Mask, 0, Part::Whole), &[predicate], &[other]);
            }
            Some(lanes) => {
                self.emit(Op::Step(Prim::And, Ty::Mask, 0, Part::Whole), &[lanes, predicate], &[taken]);
                self.emit(Op::Without, &[lanes, predicate], &[other]);
            }
        }
        let (middle, behind) = (self.label(), self.label());
        let (arms, is_alike, around) = (op.regions(), self.is_taken_alike(number), self.here);
        self.skip(taken, arms.start, is_alike, middle);
        self.inner(arms.start, Some(taken), number, middle);
        self.place(middle);
        self.skip(other, arms.start + 1, is_alike, behind);
        self.inner(arms.start + 1, Some(other), number, behind);
        self.place(behind);
        self.rejoin(number, around, exec, end);
    }

    /// All lanes that execute a branch take the same arm: they keep their mask.
    fn uniform_branch(&mut self, number: OpNumber, exec: Option<Reg>, end: Label) {
        let op = &self.steps.ops[number as usize];
        if let Some(arm) = self.known_arm(self.steps.args(op)[0]) {
            self.frames.insert(number, Frame { is_known: true, ..Frame::default() });
            self.inner(op.regions().start + arm, exec, number, end);
            self.frames.remove(&number);
            return;
        }
        let results = self.start(op);
        let (other, behind) = (self.label(), self.label());
        let uniform = Some(Uniform { behind, again: None });
        self.frames.insert(number, Frame { results, uniform, ..Frame::default() });
        let predicate = self.value(self.steps.args(op)[0])[0];
        let taken = match exec.or(self.turn) {
            None => predicate,
            Some(lanes) => {
                let taken = self.mask();
                self.emit(Op::Step(Prim::And, Ty::Mask, 0, Part::Whole), &[lanes, predicate], &[taken]);
                taken
            }
        };
        let (arms, is_alike) = (op.regions(), self.is_taken_alike(number));
        let stops = if self.stops_in(arms.start) { arms.start } else { arms.start + 1 };
        self.skip(taken, stops, is_alike, other);
        self.inner(arms.start, exec, number, end);
        self.place(other);
        self.inner(arms.start + 1, exec, number, end);
        self.place(behind);
        self.frames.remove(&number);
    }

    fn block(&mut self, number: OpNumber, exec: &mut Option<Reg>, end: Label) {
        let op = &self.steps.ops[number as usize];
        let results = self.start(op);
        if self.is_uniform_op(number) {
            let behind = self.label();
            let uniform = Some(Uniform { behind, again: None });
            self.frames.insert(number, Frame { results, uniform, ..Frame::default() });
            self.inner(op.regions().start, *exec, number, end);
            self.place(behind);
            self.frames.remove(&number);
            return;
        }
        self.diverges = true;
        let joined = self.escapes(number).then(|| self.nobody());
        self.frames.insert(number, Frame { results, joined, ..Frame::default() });
        let (behind, around) = (self.label(), self.here);
        self.inner(op.regions().start, *exec, number, behind);
        self.place(behind);
        self.rejoin(number, around, exec, end);
    }

    fn repeat(&mut self, number: OpNumber, exec: &mut Option<Reg>, end: Label) {
        let steps = self.steps;
        let op = &steps.ops[number as usize];
        let params = &steps.regions[op.regions().start as usize].params;
        if self.is_taken_alike(number) {
            let initial: Vec<Pair> = self.steps.initial(op).iter().map(|&initial| self.value(initial)).collect();
            let results: Vec<Pair> = op.results().map(|result| self.result(result, false)).collect();
            let (head, behind, out_of_fuel) = (self.label(), self.label(), self.label());
            let body = op.regions().start;
            if let Some(iterations) = self.iterations(number) {
                let rolled = self.label();
                if iterations > 1 {
                    let cost = self.back_edge_cost(number).saturating_mul(iterations - 1);
                    self.emit(Op::Spend(rolled, cost), &[], &[]);
                }
                let uniform = Some(Uniform { behind, again: None });
                self.frames.insert(number, Frame { results: results.clone(), uniform, ..Frame::default() });
                self.unroll(number, iterations, *exec, end);
                self.origin = number;
                if iterations == 1 {
                    self.frames.remove(&number);
                    return;
                }
                self.jump(behind);
                self.place(rolled);
            }
            let mut held = Vec::new();
            for (&param, &first) in params.iter().zip(steps.args(op)) {
                let (from, to) = (self.value(first), self.pair(self.ty(param)));
                self.assign(None, from, to);
                self.bind(param, to);
                held.push(to);
            }
            let uniform = Some(Uniform { behind, again: Some(Again { head, held, out_of_fuel }) });
            self.frames.insert(number, Frame { results: results.clone(), uniform, ..Frame::default() });
            self.emit(Op::Label(head), &[], &[]);
            self.inner(body, *exec, number, end);
            self.origin = number;
            if !self.out.body.code.last().is_some_and(|inst| matches!(inst.op, Op::Jump(_))) {
                self.jump(behind);
            }
            // All lanes leave at once: the results are their initial operands where fuel ends, and nowhere else.
            self.place(out_of_fuel);
            for (from, to) in initial.into_iter().zip(results) {
                self.assign(None, from, to);
            }
            self.place(behind);
            self.frames.remove(&number);
            return;
        }
        let results = self.start(op);
        self.diverges = true;
        let joined = self.escapes(number).then(|| self.nobody());
        let (mut held, mut pending) = (Vec::new(), Vec::new());
        for (&param, &first) in params.iter().zip(steps.args(op)) {
            let from = self.value(first);
            for (n, list) in [&mut held, &mut pending].into_iter().enumerate() {
                let to = self.pair(self.ty(param));
                self.assign(None, from, to);
                if n == 0 {
                    self.bind(param, to);
                }
                list.push(to);
            }
        }
        let (lanes, next) = (self.mask(), self.mask());
        let all = exec.unwrap_or_else(|| self.everybody());
        self.emit(Op::Move, &[all], &[lanes]);
        let frame = Frame { results, joined, next: Some(next), pending: pending.clone(), ..Frame::default() };
        self.frames.insert(number, frame);
        let (head, tail) = (self.label(), self.label());
        let (body, around) = (op.regions().start, self.here);
        self.emit(Op::Label(head), &[], &[]);
        self.clear(next);
        self.inner(body, Some(lanes), number, tail);
        self.origin = number;
        self.place(tail);
        self.emit(Op::Move, &[next], &[lanes]);
        for (from, to) in pending.into_iter().zip(held) {
            self.assign(Some(lanes), from, to);
        }
        let asked = self.asked(lanes, body, self.is_taken_alike(number));
        self.emit(Op::JumpIfAny(head), &[asked], &[]);
        self.rejoin(number, around, exec, end);
    }

    /// Lanes go to the end of an op with its results; what comes next is for others, or for nobody and stands at `end`.
    fn leave(&mut self, target: OpNumber, args: &[Id], exec: Option<Reg>, end: Option<Label>) {
        let Some(frame) = self.frames.get(&target) else { return };
        if frame.is_known {
            let passed: Vec<Passed> = args.iter().map(|&arg| self.passed(arg)).collect();
            let results = self.steps.ops[target as usize].results();
            return results.zip(passed).for_each(|(result, passed)| self.take(result, passed));
        }
        let (results, joined) = (frame.results.clone(), frame.joined);
        let behind = frame.uniform.as_ref().map(|uniform| uniform.behind);
        for (&arg, to) in args.iter().zip(results) {
            let from = self.value(arg);
            self.assign(exec, from, to);
        }
        if self.unrolling == Some(target) {
            self.has_left = true;
            return;
        }
        if let Some(joined) = joined {
            self.join(joined, exec);
        }
        if let Some(to) = behind.or(end) {
            self.jump(to);
        }
    }

    fn back_edge_cost(&self, looped: OpNumber) -> u32 {
        let body = self.steps.ops[looped as usize].regions().start;
        self.steps.regions[body as usize].back_edge_cost()
    }

    /// Lanes go into the next iteration with its parameters; those without fuel leave the loop.
    fn again(&mut self, target: OpNumber, args: &[Id], exec: Option<Reg>, end: Label) {
        if self.unrolling == Some(target) {
            self.passed = args.iter().map(|&arg| self.passed(arg)).collect();
            self.has_left = true;
            return;
        }
        let Some(frame) = self.frames.get(&target) else { return };
        let (pending, joined, next, uniform) = (frame.pending.clone(), frame.joined, frame.next, frame.uniform.clone());
        let exec = exec.unwrap_or_else(|| self.everybody());
        self.out.has_loops = true;
        let cost = self.back_edge_cost(target);
        if let Some(Uniform { again: Some(Again { head, held, out_of_fuel }), .. }) = uniform {
            self.emit(Op::FuelUniform(out_of_fuel, cost), &[exec], &[]);
            self.pass(args, held);
            return self.jump(head);
        }
        let left = self.mask();
        self.emit(Op::Fuel(cost), &[exec], &[left]);
        if let Some(joined) = joined {
            let empty = self.mask();
            self.emit(Op::Without, &[exec, left], &[empty]);
            self.join(joined, Some(empty));
        }
        for (&arg, to) in args.iter().zip(pending) {
            let from = self.value(arg);
            self.assign(Some(left), from, to);
        }
        if let Some(next) = next {
            self.join(next, Some(left));
        }
        self.jump(end);
    }

    /// Sets the parameters of a loop, all at once, in all lanes.
    fn pass(&mut self, args: &[Id], held: Vec<Pair>) {
        let mut from: Vec<Pair> = args.iter().map(|&arg| self.value(arg)).collect();
        let is_read_later = |n: usize| from[n + 1..].iter().flatten().any(|reg| held[n].contains(reg));
        if (0..from.len()).any(is_read_later) {
            for (pair, &arg) in from.iter_mut().zip(args) {
                let to = self.pair(self.ty(arg));
                self.assign(None, *pair, to);
                *pair = to;
            }
        }
        for (from, to) in from.into_iter().zip(held) {
            if from != to {
                self.assign(None, from, to);
            }
        }
    }
}
