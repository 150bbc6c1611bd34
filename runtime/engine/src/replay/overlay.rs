//! What becomes of a recorded batch when some ops are others.

use super::lanes::Lanes;
use super::record::{Batch, Node, RowAt};
use super::{Changes, Made, Operations};
use crate::operation::operation;
use parallax_core::backend::OperationRunner;
use parallax_core::exec::{Inputs, Outputs, Plane, TexRows};
use parallax_core::num::{Decl, Format, Op, Rule, Storage};
use parallax_core::{Axis, EntityRef, Func, OpId, OpKind, TexMode, TexOp, Type, ValueId};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The words of a value where they may not be the recorded ones.
#[derive(Clone, Debug, Default)]
struct Changed {
    /// Lanes whose words count here. Those of predicates are not the recorded ones; of other values some may be.
    dirty: Lanes,
    /// Of all lanes, as in [`Batch::row`].
    words: Vec<u32>,
}

/// Something that the recording cannot tell: another way through the program, or an op that has no operation.
pub(super) struct Diverged;

/// Values that differ from the recorded ones.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    /// Place in `changed` of each value, and 1; 0 for those that do not differ.
    place: Vec<u32>,
    changed: Vec<Changed>,
    /// Places that are free.
    free: Vec<u32>,
    live: usize,
    /// What lanes that wait for another iteration of a loop bring as its parameters.
    next: FxHashMap<OpId, Vec<Changed>>,
    /// The result at hand.
    out: Vec<u32>,
}

/// What runs operations, each from when it is wanted.
pub(super) struct Runners<'o> {
    operations: &'o Operations,
    changes: &'o Changes,
    own: Vec<Option<OperationRunner<'o>>>,
    changed: Vec<Option<OperationRunner<'o>>>,
}

/// What runs an operation, and whether the reference evaluation does, lane by lane.
type Running<'r, 'o> = (&'r mut OperationRunner<'o>, bool);

impl<'o> Runners<'o> {
    pub(super) fn new(operations: &'o Operations, changes: &'o Changes) -> Runners<'o> {
        let own = std::iter::repeat_with(|| None).take(operations.len()).collect();
        let changed = std::iter::repeat_with(|| None).take(changes.operations.len()).collect();
        Runners { operations, changes, own, changed }
    }

    /// That of an op, as recorded or as it is changed.
    fn of(&mut self, op: OpId, change: Option<&Made>) -> Result<Running<'_, 'o>, Diverged> {
        match change {
            Some(made) => {
                let number = made.operation.ok_or(Diverged)?;
                let (operation, is_slow) = &self.changes.operations[number];
                Ok((self.changed[number].get_or_insert_with(|| operation.runner()), *is_slow))
            }
            None => {
                let number = self.operations.number(op).ok_or(Diverged)?;
                let (operation, is_slow) = self.operations.get(number);
                Ok((self.own[number].get_or_insert_with(|| operation.runner()), *is_slow))
            }
        }
    }
}

/// A batch that is run again.
pub(super) struct Rerun<'a, 'o> {
    pub(super) func: &'a Func,
    pub(super) storage: &'a [Storage; Decl::ALL.len()],
    pub(super) batch: &'a Batch,
    pub(super) changes: &'o Changes,
    pub(super) inputs: &'a Inputs<'a>,
    pub(super) overlay: &'a mut Overlay,
}

impl<'o> Rerun<'_, 'o> {
    /// Runs it; `outputs` are the recorded ones at first.
    pub(super) fn run(mut self, runners: &mut Runners<'o>, outputs: &mut Outputs) -> Result<(), Diverged> {
        self.overlay.begin(self.func.values.len());
        let Some([first, last]) = self.batch.span_of(self.changes.ops()) else { return Ok(()) };
        for (at, node) in self.batch.nodes.iter().enumerate().skip(first) {
            if at > last && self.overlay.live == 0 {
                return Ok(());
            }
            match *node {
                Node::Op { op, exec, rows } => {
                    let lanes = self.batch.lanes_of(exec);
                    self.op(op, lanes, rows as usize, runners, outputs)?;
                    let data = &self.func.ops[op];
                    data.args.iter().chain(&data.results).for_each(|&value| self.drop_after(value, at));
                }
                Node::Choose { pred, exec } => {
                    if !self.overlay.dirty(pred).and(self.batch.lanes_of(exec)).is_empty() {
                        return Err(Diverged);
                    }
                    self.drop_after(pred, at);
                }
                Node::Continue { op, looped, exec } => {
                    let lanes = self.batch.lanes_of(exec);
                    let args = &self.func.ops[op].args;
                    self.overlay.wait(looped, args, lanes, self.batch.lanes);
                    args.iter().for_each(|&arg| self.drop_after(arg, at));
                }
                Node::Copy { from, to, exec } => {
                    let changed = self.overlay.changed(from).cloned().unwrap_or_default();
                    self.overlay.copy(&changed, to, self.batch.lanes_of(exec), self.batch.lanes);
                    [from, to].into_iter().for_each(|value| self.drop_after(value, at));
                }
                Node::Next { looped, param, to, exec } => {
                    let changed = self.overlay.take_next(looped, param);
                    self.overlay.copy(&changed, to, self.batch.lanes_of(exec), self.batch.lanes);
                    self.drop_after(to, at);
                }
            }
        }
        Ok(())
    }

    fn drop_after(&mut self, value: ValueId, node: usize) {
        if self.batch.is_last_read(value, node) {
            self.overlay.forget(value);
        }
    }

    fn op(
        &mut self,
        op: OpId,
        exec: Lanes,
        rows: usize,
        runners: &mut Runners<'o>,
        outputs: &mut Outputs,
    ) -> Result<(), Diverged> {
        let data = &self.func.ops[op];
        let quads = exec.quads();
        let dirty = data.args.iter().fold(Lanes::default(), |all, &arg| all.or(self.overlay.dirty(arg))).and(quads);
        let change = self.changes.get(op);
        if change.is_none() && dirty.is_empty() {
            data.results.iter().for_each(|&result| self.overlay.clean(result, quads));
            return Ok(());
        }
        let kind = change.map_or(data.kind, |made| made.kind);
        let results = rows + data.args.len();
        let lanes = self.batch.lanes;
        let mut out = std::mem::take(&mut self.overlay.out);
        out.clear();
        match kind {
            OpKind::Num(_) => {
                let runner = runners.of(op, change)?;
                let args: Args<'_> = (0..data.args.len()).map(|n| self.arg(&data.args, rows, n, quads)).collect();
                if runner.1 {
                    let some = if change.is_some() { quads } else { self.differing(&data.args, rows, &args, quads) };
                    out.extend_from_slice(self.batch.row(self.batch.rows[results]));
                    alone(runner.0, &args, some, lanes, &mut out);
                } else {
                    together(runner.0, &args, lanes, &mut out);
                }
            }
            OpKind::Select => {
                let [pred, yes, no] = [0, 1, 2].map(|n| self.arg(&data.args, rows, n, quads));
                let choose = |((&pred, &yes), &no): ((&u32, &u32), &u32)| if pred != 0 { yes } else { no };
                for (yes, no) in yes.chunks(lanes).zip(no.chunks(lanes)) {
                    out.extend(pred.iter().zip(yes).zip(no).map(choose));
                }
            }
            OpKind::Deriv { axis, fine } => {
                let row = self.arg(&data.args, rows, 0, quads);
                let args = neighbours(&row, axis, fine).map(Cow::Owned);
                let runner = runners.of(op, change)?;
                if runner.1 {
                    out.extend_from_slice(self.batch.row(self.batch.rows[results]));
                    alone(runner.0, &args, quads, lanes, &mut out);
                } else {
                    together(runner.0, &args, lanes, &mut out);
                }
            }
            OpKind::Tex(tex) => return self.lookup(op, tex, quads, rows, runners),
            OpKind::Literal(bits) => {
                out.resize(lanes, bits as u32);
                if self.batch.row(self.batch.rows[results]).len() > lanes {
                    out.resize(2 * lanes, (bits >> 32) as u32);
                }
            }
            OpKind::Attr { .. } | OpKind::Const { .. } => {
                let runner = runners.of(op, change)?;
                let args = [Cow::Owned(self.read(kind)?)];
                if runner.1 {
                    out.extend_from_slice(self.batch.row(self.batch.rows[results]));
                    alone(runner.0, &args, quads, lanes, &mut out);
                } else {
                    together(runner.0, &args, lanes, &mut out);
                }
            }
            OpKind::Out { index, comp } => {
                let plane = outputs.planes.get_mut(usize::from(index) * 4 + usize::from(comp));
                let (Some(plane), Some(&value), None) = (plane, data.args.first(), change) else {
                    return Err(Diverged);
                };
                let changed =
                    self.overlay.changed(value).filter(|_| self.func.ty(value) != Type::Pred).ok_or(Diverged)?;
                let (low, high) = changed.words.split_at(lanes);
                dirty.and(exec).iter().for_each(|lane| set(plane, lane, low[lane], high.get(lane).copied()));
                self.overlay.out = out;
                return Ok(());
            }
            // Helpers do what the others need, and have no effects of their own.
            _ if change.is_none() && data.results.is_empty() && dirty.and(exec).is_empty() => {
                self.overlay.out = out;
                return Ok(());
            }
            _ => return Err(Diverged),
        }
        self.overlay.out = out;
        self.settle(data.results[0], quads, self.batch.rows[results]);
        Ok(())
    }

    /// The row of an operand, which counts in the lanes of some quads.
    fn arg(&self, args: &[ValueId], first: usize, n: usize, quads: Lanes) -> Cow<'_, [u32]> {
        let recorded = self.batch.row(self.batch.rows[first + n]);
        match self.overlay.changed(args[n]) {
            None => Cow::Borrowed(recorded),
            Some(changed) if quads.is_within(changed.dirty) => Cow::Borrowed(&changed.words),
            Some(changed) => {
                let mut row = recorded.to_vec();
                copy_lanes(&mut row, &changed.words, changed.dirty.and(quads), self.batch.lanes);
                Cow::Owned(row)
            }
        }
    }

    /// The lanes of some quads in which an operand is not as recorded.
    fn differing(&self, args: &[ValueId], first: usize, rows: &[Cow<'_, [u32]>], quads: Lanes) -> Lanes {
        let lanes = self.batch.lanes;
        let mut out = Lanes::default();
        for (n, row) in rows.iter().enumerate().filter(|(n, _)| self.overlay.changed(args[*n]).is_some()) {
            let recorded = self.batch.row(self.batch.rows[first + n]);
            for (at, _) in row.iter().zip(recorded).enumerate().filter(|(_, (a, b))| a != b) {
                out.add(at % lanes);
            }
        }
        out.and(quads)
    }

    /// The raw words of an attribute or constant, as operand of its conversion.
    fn read(&self, kind: OpKind) -> Result<Vec<u32>, Diverged> {
        let (inputs, lanes) = (self.inputs, self.inputs.lanes);
        match kind {
            OpKind::Attr { index, comp } => {
                let first = (usize::from(index) * 4 + usize::from(comp)) * lanes;
                Ok(inputs.attrs.get(first..first + lanes).ok_or(Diverged)?.to_vec())
            }
            OpKind::Const { bank, index, comp } => {
                let bank = inputs.banks.get(usize::from(bank));
                let word = bank.and_then(|bank| Some(bank.get(index as usize)?[usize::from(comp)])).unwrap_or(0);
                Ok(vec![word; lanes])
            }
            _ => Err(Diverged),
        }
    }

    /// Sets a result of an op, in the lanes of some quads, to what was computed of it.
    fn settle(&mut self, value: ValueId, quads: Lanes, recorded: RowAt) {
        let (lanes, recorded) = (self.batch.lanes, self.batch.row(recorded));
        let mut out = std::mem::take(&mut self.overlay.out);
        let is_all = Lanes::first(lanes).is_within(quads);
        let mut dirty = Lanes::default();
        if self.func.ty(value) == Type::Pred {
            let differs = |lane: &usize| (out[*lane] != 0) != (recorded[*lane] != 0);
            quads.iter().filter(differs).for_each(|lane| dirty.add(lane));
        } else if is_all && out != recorded {
            dirty = quads;
        } else if !is_all {
            let differs = |lane: usize| (lane..out.len()).step_by(lanes.max(1)).any(|at| out[at] != recorded[at]);
            dirty = if quads.iter().any(differs) { quads } else { dirty };
        }
        if dirty.is_empty() {
            self.overlay.clean(value, quads);
        } else {
            let mut changed = self.overlay.take(value);
            if changed.dirty.is_within(quads) {
                std::mem::swap(&mut changed.words, &mut out);
            } else {
                copy_lanes(&mut changed.words, &out, dirty, lanes);
            }
            changed.dirty = changed.dirty.but(quads).or(dirty);
            self.overlay.put(value, changed);
        }
        self.overlay.out = out;
    }

    /// A texture lookup: binary32 in and out.
    fn lookup(
        &mut self,
        op: OpId,
        tex: TexOp,
        quads: Lanes,
        first: usize,
        runners: &mut Runners<'o>,
    ) -> Result<(), Diverged> {
        let (data, change, lanes) = (&self.func.ops[op], self.changes.get(op), self.batch.lanes);
        let args: Args<'_> = (0..data.args.len()).map(|n| self.arg(&data.args, first, n, quads)).collect();
        let some = match change.is_some() {
            true => quads,
            false => self.differing(&data.args, first, &args, quads).quads().and(quads),
        };
        let some: Vec<usize> = some.iter().collect();
        let decl = data.args.first().and_then(|&arg| self.func.ty(arg).decl());
        let source = decl.map(|decl| self.storage[decl as usize]);
        let source = source.filter(|&s| s != Storage::F32 && tex.mode != TexMode::Fetch);
        let narrowed = source.map(|source| {
            let rule = Rule { source, ..Rule::ieee(Decl::F32, Format::F32) };
            operation(Op::Cvt, &rule, self.changes.engine).0
        });
        let coordinates: Vec<Vec<u32>> = match &narrowed {
            None => args.iter().map(|row| some.iter().map(|&lane| row[lane]).collect()).collect(),
            Some(operation) => {
                let mut runner = operation.runner();
                let mut narrow = |row: &Cow<'_, [u32]>| {
                    let words: Vec<u64> = some.iter().map(|&lane| word(row, lane, lanes)).collect();
                    let mut out = vec![0; words.len()];
                    runner.run(&[&words], &mut out);
                    out.into_iter().map(|word| word as u32).collect()
                };
                args.iter().map(&mut narrow).collect()
            }
        };
        drop(args);
        let lookup = TexRows::of(&tex, |n| coordinates.get(n).map_or(&[][..], Vec::as_slice));
        let mut texels = [(); 4].map(|()| vec![0u32; some.len()]);
        if !some.is_empty() {
            self.inputs.textures.sample_rows(&tex, &lookup, &mut texels.each_mut().map(Vec::as_mut_slice));
        }
        let is_converted = change.map_or(data.rule.is_some(), |made| made.rule.is_some());
        for (n, (&result, texels)) in data.results.iter().zip(&texels).enumerate() {
            let recorded = self.batch.rows[first + data.args.len() + n];
            let mut out = std::mem::take(&mut self.overlay.out);
            out.clear();
            out.extend_from_slice(self.batch.row(recorded));
            let mut words: Vec<u64> = texels.iter().map(|&word| word.into()).collect();
            if is_converted {
                let raw = std::mem::replace(&mut words, vec![0; some.len()]);
                runners.of(op, change)?.0.run(&[&raw], &mut words);
            }
            some.iter().zip(words).for_each(|(&lane, word)| set_word(&mut out, lane, word, lanes));
            self.overlay.out = out;
            self.settle(result, quads, recorded);
        }
        Ok(())
    }
}

/// Rows of operands.
type Args<'a> = Vec<Cow<'a, [u32]>>;

/// Runs an operation in all lanes.
fn together(runner: &mut OperationRunner<'_>, args: &[Cow<'_, [u32]>], lanes: usize, out: &mut Vec<u32>) {
    let results = runner.run_rows(lanes, |n, low, high| {
        let (words, upper) = args[n].split_at(lanes);
        low.copy_from_slice(words);
        if upper.len() == lanes {
            high.copy_from_slice(upper);
        }
    });
    match results {
        Plane::U32(words) => out.extend_from_slice(&words[..lanes]),
        Plane::U64(words) => {
            out.extend(words[..lanes].iter().map(|&word| word as u32));
            out.extend(words[..lanes].iter().map(|&word| (word >> 32) as u32));
        }
        // Results are patterns of 32 or 64 bits.
        _ => out.resize(lanes, 0),
    }
}

/// Runs it in some lanes; in others `out` keeps its words.
fn alone(runner: &mut OperationRunner<'_>, args: &[Cow<'_, [u32]>], some: Lanes, lanes: usize, out: &mut [u32]) {
    let some: Vec<usize> = some.iter().collect();
    let rows: Vec<Vec<u64>> =
        args.iter().map(|row| some.iter().map(|&lane| word(row, lane, lanes)).collect()).collect();
    let mut words = vec![0; some.len()];
    runner.run(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), &mut words);
    some.iter().zip(words).for_each(|(&lane, word)| set_word(out, lane, word, lanes));
}

/// The rows of which a derivative is the difference.
fn neighbours(row: &[u32], axis: Axis, fine: bool) -> [Vec<u32>; 2] {
    let bit = if axis == Axis::X { 1 } else { 2 };
    let lanes = |lane: usize| match (axis, fine) {
        (_, true) => [lane | bit, lane & !bit],
        (Axis::X, false) => [lane | 3, lane & !3 | 2],
        (Axis::Y, false) => [lane & !3 | 2, lane & !3],
    };
    // Rows of upper halves begin with a quad as well.
    [0, 1].map(|n| (0..row.len()).map(|lane| row[lanes(lane)[n]]).collect())
}

/// A lane's word in a row.
fn word(row: &[u32], lane: usize, lanes: usize) -> u64 {
    u64::from(row[lane]) | row.get(lanes + lane).map_or(0, |&high| u64::from(high) << 32)
}

fn set_word(row: &mut [u32], lane: usize, word: u64, lanes: usize) {
    row[lane] = word as u32;
    if let Some(high) = row.get_mut(lanes + lane) {
        *high = (word >> 32) as u32;
    }
}

/// Copies the words of some lanes from one row to another, which gets its length.
fn copy_lanes(to: &mut Vec<u32>, from: &[u32], some: Lanes, lanes: usize) {
    to.resize(from.len(), 0);
    for stretch in some.stretches() {
        for half in 0..from.len() / lanes {
            let stretch = stretch.start + half * lanes..stretch.end + half * lanes;
            to[stretch.clone()].copy_from_slice(&from[stretch]);
        }
    }
}

/// Sets a lane's word in a plane.
fn set(plane: &mut Plane, lane: usize, low: u32, high: Option<u32>) {
    match plane {
        Plane::U8(words) => words[lane] = low as u8,
        Plane::U16(words) => words[lane] = low as u16,
        Plane::U32(words) => words[lane] = low,
        Plane::U64(words) => words[lane] = u64::from(low) | u64::from(high.unwrap_or(0)) << 32,
    }
}

impl Overlay {
    /// Makes all values as recorded.
    fn begin(&mut self, values: usize) {
        self.place.clear();
        self.place.resize(values, 0);
        self.free.clear();
        self.free.extend((0..self.changed.len() as u32).rev());
        self.live = 0;
        self.next.clear();
    }

    fn changed(&self, value: ValueId) -> Option<&Changed> {
        let place = self.place[value.index()];
        place.checked_sub(1).map(|at| &self.changed[at as usize])
    }

    fn dirty(&self, value: ValueId) -> Lanes {
        self.changed(value).map_or(Lanes::default(), |changed| changed.dirty)
    }

    /// Takes a value's words out, to be put back.
    fn take(&mut self, value: ValueId) -> Changed {
        let place = &mut self.place[value.index()];
        let at = match place.checked_sub(1) {
            Some(at) => at,
            None => {
                let at = self.free.pop().unwrap_or(self.changed.len() as u32);
                if at as usize == self.changed.len() {
                    self.changed.push(Changed::default());
                }
                self.changed[at as usize].dirty = Lanes::default();
                *place = at + 1;
                self.live += 1;
                at
            }
        };
        std::mem::take(&mut self.changed[at as usize])
    }

    fn put(&mut self, value: ValueId, changed: Changed) {
        let Some(at) = self.place[value.index()].checked_sub(1) else { return };
        let is_clean = changed.dirty.is_empty();
        self.changed[at as usize] = changed;
        if is_clean {
            self.forget(value);
        }
    }

    /// The value is as recorded.
    fn forget(&mut self, value: ValueId) {
        if let Some(at) = std::mem::take(&mut self.place[value.index()]).checked_sub(1) {
            self.free.push(at);
            self.live -= 1;
        }
    }

    /// The value is as recorded in some lanes.
    fn clean(&mut self, value: ValueId, lanes: Lanes) {
        if let Some(at) = self.place[value.index()].checked_sub(1) {
            let changed = &mut self.changed[at as usize];
            changed.dirty = changed.dirty.but(lanes);
            if changed.dirty.is_empty() {
                self.forget(value);
            }
        }
    }

    /// A value takes the words of another one in some lanes.
    fn copy(&mut self, from: &Changed, to: ValueId, lanes: Lanes, room: usize) {
        if from.dirty.and(lanes).is_empty() {
            return self.clean(to, lanes);
        }
        let mut changed = self.take(to);
        changed.take_from(from, lanes, room);
        self.put(to, changed);
    }

    /// What lanes that begin another iteration bring as a parameter.
    fn take_next(&mut self, looped: OpId, param: u16) -> Changed {
        let waiting = self.next.get_mut(&looped).and_then(|all| all.get_mut(usize::from(param)));
        let changed = waiting.map(std::mem::take).unwrap_or_default();
        self.live -= usize::from(!changed.dirty.is_empty());
        changed
    }

    /// Some lanes wait for another iteration of a loop with these values as its parameters.
    fn wait(&mut self, looped: OpId, args: &[ValueId], lanes: Lanes, room: usize) {
        let mut waiting = self.next.remove(&looped).unwrap_or_default();
        waiting.resize_with(args.len(), Changed::default);
        let before = waiting.iter().filter(|changed| !changed.dirty.is_empty()).count();
        for (changed, &arg) in waiting.iter_mut().zip(args) {
            match self.changed(arg) {
                Some(from) => changed.take_from(from, lanes, room),
                None => changed.dirty = changed.dirty.but(lanes),
            }
        }
        let after = waiting.iter().filter(|changed| !changed.dirty.is_empty()).count();
        self.live = self.live + after - before;
        self.next.insert(looped, waiting);
    }
}

impl Changed {
    /// Takes the words of another one in some lanes.
    fn take_from(&mut self, from: &Changed, lanes: Lanes, room: usize) {
        let dirty = from.dirty.and(lanes);
        if !dirty.is_empty() {
            copy_lanes(&mut self.words, &from.words, dirty, room);
        }
        self.dirty = self.dirty.but(lanes).or(dirty);
    }
}
