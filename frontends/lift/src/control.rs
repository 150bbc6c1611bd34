//! Structured control: `if`, loops, blocks, and jumps out of them.

use crate::Lifter;
use crate::meet::{Meeting, Views};
use crate::variable::{Deferred, DeferredKind, ParamId, VarId, Variable};
use parallax_core::{Effect, EntityList, OpData, OpId, OpKind, RegionId, SourceId, Type, ValueId};
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
    pub(crate) log: Vec<(VarId, Variable)>,
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
        Frame { kind, serial, around, body, op, edges_before, values_before, log: Vec::new(), params: Vec::new() }
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

/// A variable for which the ways out of a construct meet.
struct Met {
    variable: VarId,
    meeting: Meeting,
    /// What each live way out leaves it with.
    vals: SmallVec<[Deferred; 2]>,
}

impl Edge {
    pub(crate) fn find(&self, variable: VarId) -> Option<Deferred> {
        self.variables.binary_search_by_key(&variable, |c| c.0).ok().map(|at| self.variables[at].1)
    }

    /// Adds what a variable holds, unless it is known.
    pub(crate) fn mention(&mut self, variable: VarId, val: Deferred) {
        if let Err(at) = self.variables.binary_search_by_key(&variable, |c| c.0) {
            self.variables.insert(at, (variable, val));
        }
    }
}

impl Lifter<'_> {
    /// Opens an `if`; lanes whose predicate is true run what follows.
    pub fn begin_if(&mut self, pred: ValueId) {
        self.open(FrameKind::If { pred, other: None }, OpKind::If);
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
        self.undo(index);
        let Some(frame) = self.frames.pop() else { return };
        self.b.switch_to(frame.around);
        let edges = self.take_edges(&frame);
        self.live = edges.iter().any(|e| e.live);
        self.close(&frame, &edges, &[pred], &[frame.body, other]);
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
        self.end_arm(index);
        self.undo(index);
        let Some(frame) = self.frames.pop() else { return };
        self.b.switch_to(frame.around);
        let mut edges = self.take_edges(&frame);
        self.live = edges.iter().any(|e| e.live);
        if let Some(end) = edges.pop_if(|end| end.live && end.region == frame.body) {
            if edges.is_empty() {
                return self.dissolve(&frame, end);
            }
            edges.push(end);
        }
        self.close(&frame, &edges, &[], &[frame.body]);
        self.park_if_dead();
    }

    /// Ends a block that no lane leaves but at its end: what stands in it stands around it.
    fn dissolve(&mut self, frame: &Frame, end: Edge) {
        let mut inside = std::mem::take(&mut self.b.func.regions[frame.body].ops);
        // The terminator.
        inside.pop();
        let around = &mut self.b.func.regions[frame.around].ops;
        if around.is_empty() {
            *around = inside
        } else {
            around.append(&mut inside)
        }
        for (variable, val) in end.variables {
            self.set(variable, val);
        }
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
        self.undo(index);
        let Some(mut frame) = self.frames.pop() else { return };
        self.b.switch_to(frame.around);
        self.live = true;
        let edges = self.take_edges(&frame);
        let (again, mut exits): (Vec<Edge>, Vec<Edge>) = edges.into_iter().partition(|e| e.again);
        let first_crossing = frame.edges_before;
        let inits = self.settle_params(&mut frame, &again, &mut exits, first_crossing);
        // Even a loop without exits ends: lanes run out of fuel and go on after it.
        self.close(&frame, &exits, &inits, &[frame.body]);
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
        let values = self.b.func.values.len();
        self.frames.push(Frame::new(kind, self.serial, around, body, op, self.edges.len(), values));
        self.b.switch_to(body);
        Label { serial: self.serial, op }
    }

    fn close_dead(&mut self) {
        let index = self.frames.len() - 1;
        if index == 0 {
            self.errors.push(parallax_text::Diag::internal("lift-open", None, "a construct was closed twice"));
            return;
        }
        self.undo(index);
        if let Some(frame) = self.frames.pop() {
            self.b.switch_to(frame.around);
        }
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
        let mut variables: Vec<(VarId, Deferred)> = Vec::new();
        if live {
            let from = self.frames.iter().rposition(|f| f.serial == target).unwrap_or(0);
            let mut set: Vec<VarId> =
                self.frames[from..].iter().flat_map(|f| f.log.iter().map(|entry| entry.0)).collect();
            set.sort_unstable();
            set.dedup();
            if !self.afford(set.len()) {
                set.clear();
            }
            variables = set.into_iter().map(|variable| (variable, self.get(variable))).collect();
        }
        let region = self.b.region();
        let terminator = self.b.op(kind, None, &[], &[]);
        self.edges.push(Edge { target, again, live, region, terminator, source: self.source, variables });
    }

    /// Takes the edges that end at a frame; the others cross it.
    fn take_edges(&mut self, frame: &Frame) -> Vec<Edge> {
        let mut own = Vec::new();
        let mut crossing = Vec::new();
        for edge in self.edges.drain(frame.edges_before..) {
            if edge.target == frame.serial { own.push(edge) } else { crossing.push(edge) }
        }
        self.edges.append(&mut crossing);
        own
    }

    /// Puts the construct's op in its place, with a result for each variable that the ways out leave differently, or that
    /// they set to something made inside. The initial operand is what the variable held before: lanes that do not execute
    /// the construct keep it. Variables are as before the construct; the cursor stands where the op goes.
    fn close(&mut self, frame: &Frame, edges: &[Edge], args: &[ValueId], regions: &[RegionId]) {
        let results = self.results(frame, edges);
        let types: Vec<SmallVec<[Type; 2]>> = results.iter().map(|r| r.meeting.types()).collect();
        // A list of ids grows by being made anew.
        let mut args = args.to_vec();
        for (Met { variable, .. }, types) in results.iter().zip(&types) {
            let old = self.get(*variable);
            args.extend(types.iter().map(|&ty| self.force(old, ty)));
        }
        let data = &mut self.b.func.ops[frame.op];
        data.args = EntityList::of(&args);
        data.regions = EntityList::of(regions);
        self.b.func.regions[frame.around].ops.push(frame.op);
        let mut nth_live = 0;
        for edge in edges {
            let val = |met: &Met| if edge.live { met.vals[nth_live] } else { Deferred::word(0) };
            let passed: Vec<(Deferred, Type)> =
                results.iter().zip(&types).flat_map(|(met, types)| types.iter().map(|&ty| (val(met), ty))).collect();
            nth_live += usize::from(edge.live);
            self.patch(edge, &passed);
        }
        self.b.func.add_results(frame.op, types.iter().flatten().copied());
        let mut first = 0;
        for (Met { variable, meeting, .. }, types) in results.into_iter().zip(&types) {
            let values: SmallVec<[ValueId; 2]> =
                SmallVec::from_slice(&self.b.func.ops[frame.op].results[first..first + types.len()]);
            first += types.len();
            let held = self.met(meeting, &values);
            self.set(variable, held);
        }
    }

    /// The variables for which a construct needs results. Sets those that need none.
    fn results(&mut self, frame: &Frame, edges: &[Edge]) -> Vec<Met> {
        let live: Vec<&Edge> = edges.iter().filter(|e| e.live).collect();
        let mut variables: Vec<VarId> = live.iter().flat_map(|e| e.variables.iter().map(|c| c.0)).collect();
        variables.sort_unstable();
        variables.dedup();
        let mut results = Vec::new();
        if !self.afford(variables.len() * (edges.len() + 1)) {
            return results;
        }
        for variable in variables {
            let mut entry = None;
            let mut vals: SmallVec<[Deferred; 2]> = SmallVec::new();
            for edge in &live {
                let val = match edge.find(variable) {
                    Some(val) => val,
                    None => *entry.get_or_insert_with(|| self.get(variable)),
                };
                vals.push(self.normal(val));
            }
            let first = self.identity(vals[0]);
            let same = vals.iter().all(|&v| self.identity(v) == first);
            let held = self.variables[variable.0 as usize];
            // What a variable held before a loop that is still open says nothing about later iterations.
            let current = self.frames[held.level as usize + 1..].iter().all(|f| f.kind != FrameKind::Loop);
            if same && current && first == self.identity(held.val) {
                continue;
            }
            if same && self.made_outside(vals[0], frame) {
                self.set(variable, vals[0]);
                continue;
            }
            let meeting = self.meeting(&vals);
            results.push(Met { variable, meeting, vals });
        }
        results
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

    /// Gives an edge's terminator its operands, converting in front of it.
    pub(crate) fn patch(&mut self, edge: &Edge, passed: &[(Deferred, Type)]) {
        if passed.is_empty() {
            return;
        }
        let popped = self.b.func.regions[edge.region].ops.pop();
        debug_assert_eq!(popped, Some(edge.terminator));
        let back = self.b.switch_to(edge.region);
        self.b.set_source(edge.source);
        let args: EntityList<ValueId> = passed.iter().map(|&(val, ty)| self.force(val, ty)).collect();
        self.b.func.ops[edge.terminator].args = args;
        self.b.func.regions[edge.region].ops.push(edge.terminator);
        self.b.switch_to(back);
        self.b.set_source(self.source);
    }
}
