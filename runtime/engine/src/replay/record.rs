//! What a draw computed, op by op: the operands and results of everything that ran, in the order in which it ran.

use super::lanes::Lanes;
use parallax_core::exec::{Inputs, Outputs};
use parallax_core::num::Storage;
use parallax_core::{Bound, EntityRef, OpId, OpKind, Shader, Type, ValueDef, ValueId};
use parallax_interp::{Event, Trace};
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of rows that are kept of a draw; longer ones are not recorded.
const MOST_BYTES: usize = 96 << 20;
/// Events that are.
const MOST_NODES: usize = 1 << 20;
/// No node, or no row.
const NONE: u32 = u32::MAX;

/// Something that ran.
#[derive(Copy, Clone, Debug)]
pub(super) enum Node {
    /// An op; `rows` is the place of its operands' rows, behind which those of its results stand.
    Op { op: OpId, exec: u32, rows: u32 },
    /// Lanes chose an arm of an `if`.
    Choose { pred: ValueId, exec: u32 },
    /// Lanes begin another iteration of a loop when all have come: the operands of a `continue` become its parameters.
    Continue { op: OpId, looped: OpId, exec: u32 },
    /// A region result or loop parameter took the value of another one.
    Copy { from: ValueId, to: ValueId, exec: u32 },
    /// A loop parameter took what a `continue` left for it.
    Next { looped: OpId, param: u16, to: ValueId, exec: u32 },
}

/// Where a row stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct RowAt(u32);

impl RowAt {
    const WIDE: u32 = 1 << 31;
    const NONE: RowAt = RowAt(NONE);
}

/// A batch of lanes.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) lanes: usize,
    pub(super) outputs: Outputs,
    pub(super) nodes: Vec<Node>,
    pub(super) rows: Vec<RowAt>,
    masks: Vec<Lanes>,
    /// Row by row.
    words: Vec<u32>,
    /// First and last node of each op; the first is [`NONE`] if there is none.
    span_of: Vec<[u32; 2]>,
    /// The last node that reads each value.
    last_read: Vec<u32>,
}

impl Batch {
    pub(super) fn lanes_of(&self, exec: u32) -> Lanes {
        self.masks[exec as usize]
    }

    /// A row: the words of all lanes, and behind them the upper halves where words have 64 bits.
    pub(super) fn row(&self, row: RowAt) -> &[u32] {
        let (first, rows) = ((row.0 & !RowAt::WIDE) as usize, 1 + usize::from(row.0 & RowAt::WIDE != 0));
        &self.words[first * self.lanes..(first + rows) * self.lanes]
    }

    /// Whether a row holds these words in some lanes.
    fn holds(&self, row: RowAt, words: &[u64], lanes: Lanes) -> bool {
        let (low, high) = self.row(row).split_at(self.lanes);
        if high.is_empty() && Lanes::first(self.lanes).is_within(lanes) {
            return low.iter().zip(words).all(|(&low, &word)| low == word as u32);
        }
        let is_same = |lane: usize| {
            low[lane] == words[lane] as u32 && high.get(lane).is_none_or(|&high| high == (words[lane] >> 32) as u32)
        };
        lanes.iter().all(is_same)
    }

    /// First and last node of some ops; `None` if none of them ran.
    pub(super) fn span_of(&self, ops: impl Iterator<Item = OpId>) -> Option<[usize; 2]> {
        let spans = ops.filter_map(|op| self.span_of.get(op.index())).filter(|span| span[0] != NONE);
        spans.map(|span| span.map(|at| at as usize)).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    /// Whether no node behind this one reads a value.
    pub(super) fn is_last_read(&self, value: ValueId, node: usize) -> bool {
        self.last_read[value.index()] as usize <= node
    }

    fn bytes(&self) -> usize {
        4 * self.words.len()
    }
}

/// Takes down what happens.
#[derive(Debug)]
pub(super) struct Recorder {
    shader: Arc<Shader<Bound>>,
    /// Whether a value's words have 64 bits.
    is_wide: Vec<bool>,
    /// The row that each value had last.
    latest: Vec<RowAt>,
    /// Loops of which a lane waits for another iteration.
    waiting: FxHashSet<OpId>,
    pub(super) batches: Vec<Batch>,
    /// Of earlier batches.
    bytes: usize,
    /// Whether there was something that is not recorded: then nothing is.
    pub(super) is_lost: bool,
}

impl Recorder {
    pub(super) fn new(shader: Arc<Shader<Bound>>) -> Recorder {
        let is_wide = |ty: Type| match ty {
            Type::Float(decl) => shader.state.storage(decl) == Storage::F64,
            ty => ty == Type::I64,
        };
        Recorder {
            is_wide: shader.func.values.values().map(|value| is_wide(value.ty)).collect(),
            latest: Vec::new(),
            waiting: FxHashSet::default(),
            batches: Vec::new(),
            bytes: 0,
            is_lost: false,
            shader,
        }
    }

    fn node(&mut self, node: Node) {
        let Some(batch) = self.batches.last_mut() else { return };
        batch.nodes.push(node);
        self.is_lost |= batch.nodes.len() > MOST_NODES || self.bytes + batch.bytes() > MOST_BYTES;
    }

    /// The number of a set of lanes.
    fn exec(&mut self, lanes: Lanes) -> u32 {
        let Some(batch) = self.batches.last_mut() else { return 0 };
        if batch.masks.last() != Some(&lanes) {
            batch.masks.push(lanes);
        }
        batch.masks.len() as u32 - 1
    }

    /// The next node reads a value.
    fn reads_value(&mut self, value: ValueId) {
        if let Some(batch) = self.batches.last_mut() {
            batch.last_read[value.index()] = batch.nodes.len() as u32;
        }
    }

    /// The row of an operand, which is as a rule that of the op it comes from.
    fn operand(&mut self, value: ValueId, row: &[u64], quads: Lanes) -> RowAt {
        let (known, Some(batch)) = (self.latest[value.index()], self.batches.last()) else { return RowAt::NONE };
        if known != RowAt::NONE && batch.holds(known, row, quads) {
            return known;
        }
        self.row(value, row)
    }

    /// Keeps a row.
    fn row(&mut self, value: ValueId, row: &[u64]) -> RowAt {
        let is_wide = self.is_wide[value.index()];
        let Some(batch) = self.batches.last_mut() else { return RowAt::NONE };
        let first = (batch.words.len() / batch.lanes) as u32;
        batch.words.extend(row.iter().map(|&word| word as u32));
        let at = if is_wide {
            batch.words.extend(row.iter().map(|&word| (word >> 32) as u32));
            RowAt(first | RowAt::WIDE)
        } else {
            RowAt(first)
        };
        self.latest[value.index()] = at;
        at
    }

    fn op(&mut self, op: OpId, exec: Lanes, args: &[&[u64]], results: &[&[u64]]) {
        let shader = self.shader.clone();
        let data = &shader.func.ops[op];
        let Some(batch) = self.batches.last_mut() else { return };
        let (rows, node) = (batch.rows.len() as u32, batch.nodes.len() as u32);
        let span = &mut batch.span_of[op.index()];
        *span = [span[0].min(node), node];
        let quads = exec.quads();
        for (&value, row) in data.args.iter().zip(args) {
            self.reads_value(value);
            let at = self.operand(value, row, quads);
            self.batches.last_mut().into_iter().for_each(|batch| batch.rows.push(at));
        }
        for (&value, row) in data.results.iter().zip(results) {
            let at = self.row(value, row);
            self.batches.last_mut().into_iter().for_each(|batch| batch.rows.push(at));
        }
        let exec = self.exec(exec);
        self.node(Node::Op { op, exec, rows });
    }

    fn assign(&mut self, op: OpId, to: ValueId, exec: Lanes) {
        let shader = self.shader.clone();
        let data = &shader.func.ops[op];
        let from = match shader.func.values[to].def {
            // First values stand in whole quads.
            ValueDef::Result(owner, n) if owner == op => (data.initial().get(usize::from(n)), exec.quads()),
            ValueDef::Result(_, n) => (data.args.get(usize::from(n)), exec),
            ValueDef::Param(_, param) if self.waiting.contains(&op) => {
                let exec = self.exec(exec);
                return self.node(Node::Next { looped: op, param, to, exec });
            }
            ValueDef::Param(_, n) => (data.args.get(usize::from(n)), exec.quads()),
        };
        let (Some(&from), exec) = from else {
            self.is_lost = true;
            return;
        };
        self.reads_value(from);
        let exec = self.exec(exec);
        self.node(Node::Copy { from, to, exec });
    }
}

impl Trace for Recorder {
    fn begin(&mut self, inputs: &Inputs<'_>) {
        self.is_lost |= inputs.lanes > Lanes::MOST;
        if self.is_lost {
            return;
        }
        self.waiting.clear();
        self.latest.clear();
        self.latest.resize(self.shader.func.values.len(), RowAt::NONE);
        self.batches.push(Batch {
            lanes: inputs.lanes,
            span_of: vec![[NONE, 0]; self.shader.func.ops.len()],
            last_read: vec![0; self.shader.func.values.len()],
            ..Batch::default()
        });
    }

    fn end(&mut self, outputs: &Outputs) {
        // Where fuel runs out, lanes part that no `if` has parted.
        self.is_lost |= outputs.out_of_fuel.contains(&true);
        match self.batches.last_mut().filter(|_| !self.is_lost) {
            Some(batch) => {
                batch.outputs = outputs.clone();
                self.bytes += batch.bytes();
            }
            None => self.batches.clear(),
        }
    }

    fn event(&mut self, event: Event<'_>) {
        if self.is_lost {
            return;
        }
        match event {
            Event::Op { op, exec, args, results } => self.op(op, Lanes::of(exec), args, results),
            Event::Enter { op, exec, .. } => {
                self.waiting.remove(&op);
                let data = &self.shader.func.ops[op];
                if let (OpKind::If, Some(&pred)) = (data.kind, data.args.first()) {
                    self.reads_value(pred);
                    let exec = self.exec(Lanes::of(exec));
                    self.node(Node::Choose { pred, exec });
                }
            }
            Event::Leave { op, exec } => {
                let shader = self.shader.clone();
                let data = &shader.func.ops[op];
                if let OpKind::Continue(looped) = data.kind {
                    data.args.iter().for_each(|&arg| self.reads_value(arg));
                    let exec = self.exec(Lanes::of(exec));
                    self.node(Node::Continue { op, looped, exec });
                    self.waiting.insert(looped);
                }
            }
            Event::Assign { op, value, exec, .. } => self.assign(op, value, Lanes::of(exec)),
            Event::Join { .. } => {}
        }
    }

    fn reads(&self, _: OpId) -> bool {
        !self.is_lost
    }
}

/// A panic elsewhere leaves a recording that is not used.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
