//! Structured control: `if`, loops, blocks, and jumps out of them.

use crate::lifter::{Lifter, SharedLiterals};
use crate::meet::{Meeting, Views};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId, Variable};
use parallax_core::{Effect, EntityList, OpData, OpId, OpKind, RegionId, SourceId, SysVal, Type, ValueId};
use parallax_num::Op;
use smallvec::SmallVec;

/// An open loop or block that jumps can name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub(crate) serial: u32,
    pub(crate) op: OpId,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum FrameKind {
    Root,
    If {
        pred: ValueId,
        other: Option<RegionId>,
    },
    Loop,
    Block,
    /// Anything opened where no lane gets.
    Dead,
}

/// Variables with what they held.
pub(crate) type Log = Vec<(VarId, Variable)>;

/// An open construct.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: FrameKind,
    pub(crate) serial: u32,
    /// Region the construct's op stands in.
    pub(crate) around: RegionId,
    /// First region of the op.
    pub(crate) body: RegionId,
    pub(crate) op: OpId,
    /// Edges recorded before it.
    edges_before: usize,
    /// Values made before it: those are defined outside.
    values_before: usize,
    /// Cells set inside, with what they were.
    pub(crate) log: Log,
    /// Parameters of a loop.
    pub(crate) params: Vec<ParamId>,
}

impl Frame {
    pub(crate) fn new(
        kind: FrameKind,
        serial: u32,
        around: RegionId,
        body: RegionId,
        op: OpId,
        edges_before: usize,
        values_before: usize,
    ) -> Self {
        Frame { kind, serial, around, body, op, edges_before, values_before, log: Log::new(), params: Vec::new() }
    }
}

/// A way out of a construct, or a back edge of a loop: a terminator whose operands are filled in when the construct ends.
#[derive(Debug)]
pub(crate) struct Edge {
    target: u32,
    /// Next iteration of a loop, rather than its end.
    again: bool,
    /// Whether any lane takes it.
    pub(crate) live: bool,
    region: RegionId,
    terminator: OpId,
    source: Option<SourceId>,
    /// Cells set since the construct began, sorted.
    pub(crate) variables: Vec<(VarId, Deferred)>,
}

/// Ways out of a construct: most have two.
pub(crate) type Edges = SmallVec<[Edge; 2]>;

/// A variable for which the ways out of a construct meet.
#[derive(Debug)]
struct Met {
    variable: VarId,
    meeting: Meeting,
}

/// Lists that closing a construct fills, kept for the next one.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Variables that meet.
    met: Vec<Met>,
    /// What each live way out leaves each of these with, all of one variable behind one another.
    vals: Vec<Deferred>,
    /// How many variables of each live way out are done.
    done: Vec<usize>,
    /// What a way out passes on.
    pub(crate) passed: Vec<(Deferred, Type)>,
    /// The same as values, and operands of the construct.
    pub(crate) args: Vec<ValueId>,
    pub(crate) shared: SharedLiterals,
}

impl Edge {
    pub(crate) fn find(&self, variable: VarId) -> Option<Deferred> {
        self.variables.binary_search_by_key(&variable, |c| c.0).ok().map(|at| self.variables[at].1)
    }

    /// Adds what variables hold, which come in their order, but for those that are known.
    pub(crate) fn mention_all(&mut self, vals: impl Iterator<Item = (VarId, Deferred)>) {
        let mut missing: SmallVec<[(VarId, Deferred); 8]> = SmallVec::new();
        let mut known = self.variables.iter().map(|entry| entry.0).peekable();
        for (variable, val) in vals {
            while known.next_if(|other| *other < variable).is_some() {}
            if known.peek() != Some(&variable) {
                missing.push((variable, val));
            }
        }
        if !missing.is_empty() {
            self.variables.extend(missing);
            self.variables.sort_unstable_by_key(|entry| entry.0);
        }
    }
}

/// Lanes that do something one after the other: between [`Lifter::begin_turns`] and [`Lifter::end_turns`].
pub struct Turns {
    whole: Label,
    turn: VarId,
    size: ValueId,
}

impl Lifter<'_> {
    /// Opens an `if`; lanes whose predicate is true run what follows.
    pub fn begin_if(&mut self, pred: ValueId) {
        self.open(FrameKind::If { pred, other: None }, OpKind::If);
    }

    /// Opens an `if` for the lane of the quad with this number: what stands in four of them, lanes do one after the other.
    pub fn begin_turn(&mut self, lane: u32) {
        let own = self.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[]);
        let lane = self.b.i32(lane);
        let is_it = self.b.int(Op::Ieq, &[own, lane]);
        self.begin_if(is_it);
    }

    /// Opens a loop whose body the lanes with the numbers `lane`, below `size`, run one after the other, in their order. What stands in
    /// it until [`Lifter::end_turns`] runs once in each lane.
    pub fn begin_turns(&mut self, lane: ValueId, size: ValueId) -> Turns {
        let (turn, zero) = (self.add_variables(1), self.b.i32(0));
        self.set(turn, zero);
        let whole = self.begin_loop();
        let number = self.read_bits(turn);
        let is_it = self.b.int(Op::Ieq, &[lane, number]);
        self.begin_if(is_it);
        Turns { whole, turn, size }
    }

    /// Ends what [`Lifter::begin_turns`] began.
    pub fn end_turns(&mut self, turns: Turns) {
        let Turns { whole, turn, size } = turns;
        self.end_if();
        let (number, one) = (self.read_bits(turn), self.b.i32(1));
        let next = self.b.int(Op::Iadd, &[number, one]);
        self.set(turn, next);
        let ends = self.b.int(Op::Ule, &[size, next]);
        self.begin_if(ends);
        self.break_to(whole);
        self.end_if();
        self.end_loop();
    }

    /// Ends the first arm; the other lanes run what follows.
    pub fn begin_else(&mut self) {
        let index = self.frames.len() - 1;
        if self.frames[index].kind == FrameKind::Dead {
            self.undo(index);
            return;
        }
        self.end_arm(index);
        self.undo(index);
        let arm = self.b.new_region();
        if let FrameKind::If { other, .. } = &mut self.frames[index].kind {
            *other = Some(arm);
        }
        self.b.switch_to(arm);
        self.live = true;
    }

    /// Ends an `if`.
    pub fn end_if(&mut self) {
        let index = self.frames.len() - 1;
        if let FrameKind::If { other: None, .. } = self.frames[index].kind {
            self.begin_else();
        }
        let FrameKind::If { pred, other: Some(other) } = self.frames[index].kind else {
            return self.close_dead();
        };
        self.end_arm(index);
        let Some(frame) = self.leave_frame() else { return };
        let edges = self.take_edges(&frame);
        self.live = edges.iter().any(|e| e.live);
        self.close(&frame, &edges, &[pred], &[frame.body, other]);
        self.forget(edges);
        self.park_if_dead();
    }

    /// Opens a block, which jumps can leave.
    pub fn begin_block(&mut self) -> Label {
        self.open(FrameKind::Block, OpKind::Block)
    }

    /// Ends a block.
    pub fn end_block(&mut self) {
        let index = self.frames.len() - 1;
        if self.frames[index].kind != FrameKind::Block {
            return self.close_dead();
        }
        let (serial, body) = (self.frames[index].serial, self.frames[index].body);
        let is_left = self.edges[self.frames[index].edges_before..].iter().any(|edge| edge.target == serial);
        if self.live && !is_left && self.b.region() == body {
            return self.dissolve(index);
        }
        self.end_arm(index);
        let Some(frame) = self.leave_frame() else { return };
        let edges = self.take_edges(&frame);
        self.live = edges.iter().any(|e| e.live);
        // The only jump stands where the block ends anyway.
        if let [end] = edges.as_slice()
            && end.live
            && end.region == frame.body
        {
            self.b.func.regions[frame.body].ops.pop();
            self.splice(&frame);
            return end.variables.iter().for_each(|&(variable, val)| self.set(variable, val));
        }
        self.close(&frame, &edges, &[], &[frame.body]);
        self.forget(edges);
        self.park_if_dead();
    }

    /// Ends a block that no lane leaves but at its end: what was set in it was set around it.
    fn dissolve(&mut self, index: usize) {
        let Some(mut frame) = self.frames.pop() else { return };
        self.splice(&frame);
        let outer = index - 1;
        for (variable, before) in frame.log.drain(..) {
            if before.level as usize != outer {
                self.frames[outer].log.push((variable, before));
            }
            self.variables[variable.0 as usize].level = outer as u32;
        }
        self.logs.push(frame.log);
    }

    /// Puts what stands in a block around it.
    fn splice(&mut self, frame: &Frame) {
        let mut inside = std::mem::take(&mut self.b.func.regions[frame.body].ops);
        let around = &mut self.b.func.regions[frame.around].ops;
        if around.is_empty() {
            *around = inside
        } else {
            around.append(&mut inside)
        }
        self.b.switch_to(frame.around);
    }

    /// Opens a loop.
    pub fn begin_loop(&mut self) -> Label {
        self.open(FrameKind::Loop, OpKind::Loop)
    }

    /// Ends a loop: lanes that get here start the next iteration.
    pub fn end_loop(&mut self) {
        let index = self.frames.len() - 1;
        if self.frames[index].kind != FrameKind::Loop {
            return self.close_dead();
        }
        let (serial, op, body) = (self.frames[index].serial, self.frames[index].op, self.frames[index].body);
        let live = self.live;
        if live || !self.ends_in_terminator(body) {
            self.b.switch_to(body);
            self.leave(serial, OpKind::Continue(op), true, live);
        }
        let Some(mut frame) = self.leave_frame() else { return };
        self.live = true;
        let edges = self.take_edges(&frame);
        let (again, mut exits): (Edges, Edges) = edges.into_iter().partition(|e| e.again);
        let first_crossing = frame.edges_before;
        let inits = self.settle_params(&mut frame, &again, &mut exits, first_crossing);
        // Even a loop without exits ends: lanes run out of fuel and go on after it.
        self.close(&frame, &exits, &inits, &[frame.body]);
        self.settling.inits = inits;
        frame.params.clear();
        self.param_lists.push(frame.params);
        self.forget(again);
        self.forget(exits);
    }

    /// Leaves a loop or block. What follows up to the end of the innermost construct is not reached.
    pub fn break_to(&mut self, label: Label) {
        if self.live {
            self.leave(label.serial, OpKind::Break(label.op), false, true);
            self.die();
        }
    }

    /// Starts the next iteration of a loop. What follows up to the end of the innermost construct is not reached.
    pub fn continue_to(&mut self, label: Label) {
        if self.live {
            self.leave(label.serial, OpKind::Continue(label.op), true, true);
            self.die();
        }
    }

    fn open(&mut self, kind: FrameKind, op: OpKind) -> Label {
        self.serial += 1;
        let kind = if self.live { kind } else { FrameKind::Dead };
        let around = self.b.region();
        let op = self.b.func.ops.push(OpData {
            kind: op,
            slot: None,
            rule: None,
            args: EntityList::new(),
            regions: EntityList::new(),
            results: EntityList::new(),
            origins: self.source.into_iter().collect(),
        });
        let body = if self.live { self.b.new_region() } else { self.nowhere };
        if kind == FrameKind::Loop {
            self.b.func.regions[body].ops.reserve(OPS);
        }
        let values = self.b.func.values.len();
        /// Few loops have fewer ops.
        const OPS: usize = 64;
        /// Few branches set more.
        const SET: usize = 16;
        let log = self.logs.pop().unwrap_or_else(|| Log::with_capacity(SET));
        let params = if kind == FrameKind::Loop { self.param_lists.pop().unwrap_or_default() } else { Vec::new() };
        let frame = Frame::new(kind, self.serial, around, body, op, self.edges.len(), values);
        self.frames.push(Frame { log, params, ..frame });
        self.b.switch_to(body);
        Label { serial: self.serial, op }
    }

    fn close_dead(&mut self) {
        let index = self.frames.len() - 1;
        if index == 0 {
            self.errors.push(parallax_text::Diag::internal("lift-open", None, "a construct was closed twice"));
            return;
        }
        self.leave_frame();
    }

    /// Ends the innermost frame: variables hold what they held before it, ops go behind it.
    fn leave_frame(&mut self) -> Option<Frame> {
        self.undo(self.frames.len() - 1);
        let mut frame = self.frames.pop()?;
        self.logs.push(std::mem::take(&mut frame.log));
        self.b.switch_to(frame.around);
        Some(frame)
    }

    /// Where no lane gets, ops go nowhere.
    fn die(&mut self) {
        self.live = false;
        self.b.switch_to(self.nowhere);
    }

    fn park_if_dead(&mut self) {
        if !self.live {
            self.b.switch_to(self.nowhere);
        }
    }

    /// Gives variables back what they held before the frame.
    fn undo(&mut self, index: usize) {
        for (variable, old) in self.frames[index].log.drain(..).rev() {
            self.variables[variable.0 as usize] = old;
        }
    }

    pub(crate) fn ends_in_terminator(&self, region: RegionId) -> bool {
        let last = self.b.func.regions[region].ops.last();
        last.is_some_and(|&op| self.b.func.ops[op].kind.effect() == Effect::Terminator)
    }

    /// Ends the current arm of an `if`, or a block, with a `yield`.
    fn end_arm(&mut self, index: usize) {
        let frame = &self.frames[index];
        let (serial, live) = (frame.serial, self.live);
        let region = match frame.kind {
            FrameKind::If { other: Some(other), .. } => other,
            _ => frame.body,
        };
        if live || !self.ends_in_terminator(region) {
            self.b.switch_to(region);
            self.leave(serial, OpKind::Yield, false, live);
        }
    }

    /// Appends a terminator and notes what the variables hold there.
    fn leave(&mut self, target: u32, kind: OpKind, again: bool, live: bool) {
        let mut variables = self.spare.pop().unwrap_or_default();
        if live {
            let from = self.frames.iter().rposition(|f| f.serial == target).unwrap_or(0);
            variables.reserve(self.frames[from..].iter().map(|frame| frame.log.len()).sum());
            for frame in &self.frames[from..] {
                variables.extend(frame.log.iter().map(|entry| (entry.0, Deferred::word(0))));
            }
            variables.sort_unstable_by_key(|entry| entry.0);
            variables.dedup_by_key(|entry| entry.0);
            if !self.afford(variables.len()) {
                variables.clear();
            }
            for (variable, val) in &mut variables {
                *val = self.get(*variable);
            }
        }
        let region = self.b.region();
        let terminator = self.b.op(kind, None, &[], &[]);
        self.edges.push(Edge { target, again, live, region, terminator, source: self.source, variables });
    }

    /// Keeps the lists of edges that are done, for others.
    fn forget(&mut self, edges: Edges) {
        for Edge { mut variables, .. } in edges {
            variables.clear();
            self.spare.push(variables);
        }
    }

    /// Takes the edges that end at a frame; the others cross it.
    fn take_edges(&mut self, frame: &Frame) -> Edges {
        let first = frame.edges_before;
        if self.edges[first..].iter().all(|edge| edge.target == frame.serial) {
            return self.edges.drain(first..).collect();
        }
        let (own, mut crossing) = self.edges.drain(first..).partition::<Edges, _>(|edge| edge.target == frame.serial);
        self.edges.extend(crossing.drain(..));
        own
    }

    /// Puts the construct's op in its place, with a result for each variable that the ways out leave differently, or that
    /// they set to something made inside. The initial operand is what the variable held before: lanes that do not execute
    /// the construct keep it. Variables are as before the construct; the cursor stands where the op goes.
    fn close(&mut self, frame: &Frame, edges: &[Edge], args: &[ValueId], regions: &[RegionId]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let live = edges.iter().filter(|edge| edge.live).count();
        self.results(frame, edges, live, &mut scratch);
        scratch.args.clear();
        scratch.args.extend_from_slice(args);
        scratch.shared.clear();
        for Met { variable, meeting } in &scratch.met {
            let old = self.get(*variable);
            for ty in meeting.types().iter() {
                let arg = self.force_shared(old, ty, &mut scratch.shared);
                scratch.args.push(arg);
            }
        }
        let data = &mut self.b.func.ops[frame.op];
        data.args = EntityList::of(&scratch.args);
        data.regions = EntityList::of(regions);
        self.b.func.regions[frame.around].ops.push(frame.op);
        let mut nth_live = 0;
        for edge in edges {
            scratch.passed.clear();
            for (n, met) in scratch.met.iter().enumerate() {
                let val = if edge.live { scratch.vals[n * live + nth_live] } else { Deferred::word(0) };
                scratch.passed.extend(met.meeting.types().iter().map(|ty| (val, ty)));
            }
            self.patch(edge, &mut scratch);
            nth_live += usize::from(edge.live);
        }
        let types = scratch.met.iter().flat_map(|met| met.meeting.types().iter());
        self.b.func.add_results(frame.op, types);
        let mut first = 0;
        for Met { variable, meeting } in scratch.met.drain(..) {
            let results = &self.b.func.ops[frame.op].results;
            let values = [results[first], *results.get(first + 1).unwrap_or(&results[first])];
            let count = meeting.types().count();
            first += count;
            let held = self.met(meeting, &values[..count]);
            self.set(variable, held);
        }
        self.scratch = scratch;
    }

    /// Finds the variables for which a construct needs results. Sets those that need none.
    fn results(&mut self, frame: &Frame, edges: &[Edge], live: usize, scratch: &mut Scratch) {
        let Scratch { met, vals, done, .. } = scratch;
        met.clear();
        vals.clear();
        // All edges list their variables in the same order.
        done.clear();
        done.resize(live, 0);
        let ways = || edges.iter().filter(|edge| edge.live);
        loop {
            let next = ways().zip(&*done).filter_map(|(edge, &done)| edge.variables.get(done));
            let Some(variable) = next.map(|entry| entry.0).min() else { return };
            if !self.afford(edges.len() + 1) {
                return met.clear();
            }
            let mut entry = None;
            let first_val = vals.len();
            for (edge, done) in ways().zip(&mut *done) {
                let val = match edge.variables.get(*done) {
                    Some(&(set, val)) if set == variable => {
                        *done += 1;
                        val
                    }
                    _ => *entry.get_or_insert_with(|| self.get(variable)),
                };
                vals.push(self.normal(val));
            }
            let left = &vals[first_val..];
            if self.are_one(left) {
                let held = self.variables[variable.0 as usize];
                // What a variable held before a loop that is still open says nothing about later iterations.
                let is_current = || self.frames[held.level as usize + 1..].iter().all(|f| f.kind != FrameKind::Loop);
                let first = left[0];
                let is_held = self.identity(first) == self.identity(held.val) && is_current();
                if is_held || self.made_outside(first, frame) {
                    if !is_held {
                        self.set(variable, first);
                    }
                    vals.truncate(first_val);
                    continue;
                }
            }
            let meeting = self.meeting(left);
            met.push(Met { variable, meeting });
        }
    }

    /// Whether all values in their normal forms are the same.
    #[inline]
    fn are_one(&self, vals: &[Deferred]) -> bool {
        let Some((&first, rest)) = vals.split_first() else { return true };
        rest.iter().all(|&val| {
            val == first || !(self.is_made(val) && self.is_made(first)) && self.identity(val) == self.identity(first)
        })
    }

    /// Whether a value can be used behind the construct without being passed out.
    fn made_outside(&self, val: Deferred, frame: &Frame) -> bool {
        use parallax_core::EntityRef;
        match val.kind() {
            DeferredKind::Value(v) => v.index() < frame.values_before,
            DeferredKind::Param(p) => self.params[p.0 as usize].frame < frame.serial,
            DeferredKind::At(read) => self.reads.get(read).1.index() < frame.values_before,
            DeferredKind::Views(id) => {
                let Views { float, bits, .. } = self.views[id.0 as usize];
                float.max(bits).index() < frame.values_before
            }
            DeferredKind::Word(_) | DeferredKind::Const { .. } | DeferredKind::Attr { .. } | DeferredKind::Sys(_) => {
                true
            }
        }
    }

    /// Gives an edge's terminator its operands, those in `passed`, converting in front of it.
    pub(crate) fn patch(&mut self, edge: &Edge, scratch: &mut Scratch) {
        let Scratch { passed, args, shared, .. } = scratch;
        if passed.is_empty() {
            return;
        }
        let popped = self.b.func.regions[edge.region].ops.pop();
        debug_assert_eq!(popped, Some(edge.terminator));
        let back = self.b.switch_to(edge.region);
        self.b.set_source(edge.source);
        args.clear();
        shared.clear();
        for &(val, ty) in &*passed {
            args.push(self.force_shared(val, ty, shared));
        }
        self.b.func.ops[edge.terminator].args = EntityList::of(args);
        self.b.func.regions[edge.region].ops.push(edge.terminator);
        self.b.switch_to(back);
        self.b.set_source(self.source);
    }
}
