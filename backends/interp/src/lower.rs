//! From step form to a list of instructions over rows.
//!
//! Rows are reused once a value has no uses left; a value defined outside a loop and last used inside it keeps its row
//! until the loop ends, since the next iteration reads it again. Steps whose operands are the same in all lanes are computed
//! once for all batches with the same constants.

use crate::arena::{Row, Width};
use crate::fuse::{Fused, fuse};
use crate::program::{Array, Bytecode, Copy, Inst, Lookup, MaskSlot, Pc, Place, PlaceRows, Span, Uniform};
use crate::steps::{Check, Finish, OWN, Step, With};
use parallax_core::exec::PlaneType;
use parallax_core::{EntityRef, Func, OpId, OpKind, RegionId, Type, ValueId};
use parallax_step::{
    Direction, Function, Id, Immediate, Inst as StepInst, Kind, Mode, Nans, OpNumber, Prim, RegionNumber, Ty,
};
use std::collections::BTreeMap;

/// A value without row yet.
const NO_ROW: Row = Row { width: Width::W8, number: u32::MAX };

/// Where lanes that leave a control op wait, and where the parameters of its next iteration do.
#[derive(Clone, Default)]
struct Target {
    next: MaskSlot,
    joined: MaskSlot,
    pending: Vec<Row>,
    body_pc: Pc,
}

/// What is still to be lowered, innermost last: the region tree is walked without recursion, so that no depth of nesting
/// can exhaust the stack.
enum Work {
    Region { region: RegionNumber, at: usize },
    Else { op: OpNumber, if_pc: usize, other: MaskSlot },
    EndIf { op: OpNumber, else_pc: usize },
    EndLoop { op: OpNumber },
    EndBlock { op: OpNumber },
}

struct Lower<'a> {
    function: &'a Function,
    /// The shader that the function was made of, where its ops are reported.
    traced: Option<&'a Func>,
    program: Bytecode,
    /// Somebody may jump here: steps behind it are not joined with those before.
    label: usize,
    work: Vec<Work>,
    fused: Fused,
    row_of: Vec<Row>,
    /// The value whose row a value has: its own number, or that of the value it is a pattern of.
    root: Vec<Id>,
    uses_left: Vec<u32>,
    /// Whether a value's row may be given to another value.
    reusable: Vec<bool>,
    /// Whether a value is the same in all lanes and computed before the run.
    uniform: Vec<bool>,
    /// Number of loops around a value's definition.
    depth_of: Vec<u32>,
    /// Rows of each width that hold nothing.
    free: [Vec<Row>; Width::COUNT],
    /// Rows to free at the end of each enclosing loop.
    loops: Vec<Vec<Row>>,
    /// Jumps to the end of each enclosing region.
    skips: Vec<Vec<usize>>,
    targets: BTreeMap<OpNumber, Target>,
}

pub(crate) fn lower(function: &Function, traced: Option<&Func>, id: u64) -> Bytecode {
    let values = function.values.len();
    let mut uses_left = vec![0u32; values];
    let (mut writes, mut waits) = (false, false);
    let mut is_touched = vec![false; function.arrays.len()];
    let mut root: Vec<Id> = (0..values as Id).collect();
    function.walk(|_, number| {
        let op = &function.ops[number as usize];
        // A pattern lies in the row of its float, and the other way round.
        if let Some(inst) = op.inst().filter(|inst| matches!(inst.prim, Prim::Bits | Prim::Float)) {
            root[op.result() as usize] = root[inst.args[0] as usize];
            return;
        }
        function.args(op).iter().for_each(|&arg| uses_left[root[arg as usize] as usize] += 1);
        if let Kind::Ir(kind) = op.kind {
            writes |= kind.writes_memory();
            waits |= kind == OpKind::Barrier;
            if let OpKind::ArrayLoad(array) | OpKind::ArrayStore(array) = kind {
                is_touched[array.index()] = true;
            }
        }
    });
    let mut row_counts = [0; Width::COUNT];
    // Arrays nobody touches take no room.
    let arrays = function.arrays.iter().zip(is_touched).map(|(&(ty, len), is_touched)| {
        let width = Width::of(ty);
        let first = Row { width, number: row_counts[width as usize] };
        row_counts[width as usize] += if is_touched { len } else { 0 };
        Array { first, len, is_touched }
    });
    let arrays = arrays.collect();
    let plane = |bits: u32| match bits {
        0 | 1 => Type::Pred,
        2..=8 => Type::Cc,
        9..=16 => Type::I16,
        17..=32 => Type::I32,
        _ => Type::I64,
    };
    let planes = function.outputs.iter().flatten();
    let planes = planes.map(|out| out.map(|out| PlaneType { ty: plane(out.bits), storage: None }));
    let program = Bytecode {
        id,
        code: Vec::new(),
        prologue: Vec::new(),
        prologue_rows: Vec::new(),
        steps: Vec::new(),
        rows: Vec::new(),
        copies: Vec::new(),
        calls: function.calls.clone(),
        lookups: Vec::new(),
        uniforms: Vec::new(),
        arrays,
        row_counts,
        mask_count: 0,
        planes: planes.collect(),
        fallbacks: function.counts().fallbacks,
        attrs: function.attrs as usize,
        serial: writes || waits,
        subgroup: 4,
        waits,
        writes,
        nans: Nans::Plain,
    };
    let mut lower = Lower {
        function,
        traced,
        program,
        label: 0,
        work: vec![Work::Region { region: function.body, at: 0 }],
        fused: fuse(function, &root),
        row_of: vec![NO_ROW; values],
        root,
        uses_left,
        reusable: vec![false; values],
        uniform: vec![false; values],
        depth_of: vec![0; values],
        free: Default::default(),
        loops: Vec::new(),
        skips: Vec::new(),
        targets: BTreeMap::new(),
    };
    while let Some(work) = lower.work.pop() {
        lower.step(work);
    }
    lower.program.code.push(Inst::End);
    lower.program
}

/// Adds a step to a list of instructions: to the last one, if that is steps and stands behind `label`.
fn push_step(code: &mut Vec<Inst>, label: usize, steps: &mut Vec<Step>, step: Step) {
    let at = steps.len() as u32;
    steps.push(step);
    let joins = code.len() > label;
    match code.last_mut() {
        Some(Inst::Steps(span)) if joins && span.start + span.len == at => span.len += 1,
        _ => code.push(Inst::Steps(Span { start: at, len: 1 })),
    }
}

impl Lower<'_> {
    fn emit(&mut self, inst: Inst) -> usize {
        self.program.code.push(inst);
        self.program.code.len() - 1
    }

    /// The place of the next instruction, to jump to.
    fn pc(&mut self) -> Pc {
        self.label = self.program.code.len();
        self.label as Pc
    }

    fn width(&self, value: Id) -> Width {
        Width::of(self.function.values[value as usize])
    }

    fn new_row(&mut self, width: Width) -> Row {
        let count = &mut self.program.row_counts[width as usize];
        *count += 1;
        Row { width, number: *count - 1 }
    }

    fn new_mask(&mut self) -> MaskSlot {
        self.program.mask_count += 1;
        self.program.mask_count - 1
    }

    /// A row for a value of straight-line code.
    fn define(&mut self, value: Id) -> Row {
        let width = self.width(value);
        let row = match self.free[width as usize].pop() {
            Some(row) => row,
            None => self.new_row(width),
        };
        self.row_of[value as usize] = row;
        self.reusable[value as usize] = true;
        self.depth_of[value as usize] = self.loops.len() as u32;
        row
    }

    /// A row of its own: for uniforms, and for values that outlive a region.
    fn define_own(&mut self, value: Id) -> Row {
        let row = self.new_row(self.width(value));
        self.row_of[value as usize] = row;
        row
    }

    fn row(&self, value: Id) -> Row {
        let row = self.row_of[self.root[value as usize] as usize];
        debug_assert_ne!(row, NO_ROW, "%{value} is used before its definition");
        row
    }

    /// Number of the row of a value whose width is known.
    fn number(&self, value: Id) -> u32 {
        self.row(value).number
    }

    /// Counts a use of each value and frees rows, after the results of the op that uses them have theirs.
    fn retire(&mut self, args: &[Id]) {
        for &arg in args {
            let root = self.root[arg as usize] as usize;
            self.uses_left[root] -= 1;
            if self.uses_left[root] == 0 {
                self.release(root);
            }
        }
    }

    /// Frees rows of results that nobody reads.
    fn retire_results(&mut self, results: std::ops::Range<Id>) {
        for result in results {
            if self.uses_left[result as usize] == 0 && self.row_of[result as usize] != NO_ROW {
                self.release(result as usize);
            }
        }
    }

    fn release(&mut self, value: usize) {
        if !std::mem::take(&mut self.reusable[value]) {
            return;
        }
        let row = self.row_of[value];
        match self.loops.get_mut(self.depth_of[value] as usize) {
            Some(at_end) => at_end.push(row),
            None => self.free[row.width as usize].push(row),
        }
    }

    fn rows(&mut self, values: &[Id]) -> Span {
        let start = self.program.rows.len() as u32;
        for &value in values {
            let row = self.row(value);
            self.program.rows.push(row);
        }
        Span { start, len: self.program.rows.len() as u32 - start }
    }

    fn copies(&mut self, copies: impl IntoIterator<Item = Copy>) -> Span {
        let start = self.program.copies.len() as u32;
        self.program.copies.extend(copies);
        Span { start, len: self.program.copies.len() as u32 - start }
    }

    /// The op of the shader that an op was made for; any if nobody asks.
    fn origin(&self, op: OpNumber) -> OpId {
        OpId::new(self.function.origins.get(op as usize).map_or(0, |&origin| origin as usize))
    }

    /// What is reported of an op's region.
    fn place(&self, op: OpNumber, arm: usize) -> Place {
        let origin = self.origin(op);
        let region = self.traced.map_or(RegionId::new(0), |func| func.ops[origin].regions[arm]);
        Place { op: origin, region }
    }

    /// What is reported when result `n` of an op is set.
    fn reported_result(&self, op: OpNumber, n: usize) -> Option<ValueId> {
        self.traced.map(|func| func.ops[self.origin(op)].results[n])
    }

    /// What is reported when parameter `n` of a loop is set.
    fn reported_param(&self, op: OpNumber, n: usize) -> Option<ValueId> {
        self.traced.map(|func| func.regions[func.ops[self.origin(op)].regions[0]].params[n])
    }

    fn step(&mut self, work: Work) {
        match work {
            Work::Region { region, at } => self.region(region, at),
            Work::Else { op, if_pc, other } => {
                let region = self.function.ops[op as usize].regions().start + 1;
                let place = self.place(op, 1);
                let at = self.emit(Inst::Else { other, end_pc: 0, place });
                if let Inst::If { else_pc, .. } = &mut self.program.code[if_pc] {
                    *else_pc = at as Pc;
                }
                self.work.push(Work::EndIf { op, else_pc: at });
                self.work.push(Work::Region { region, at: 0 });
            }
            Work::EndIf { op, else_pc } => {
                let at = self.pc();
                if let Inst::Else { end_pc, .. } = &mut self.program.code[else_pc] {
                    *end_pc = at;
                }
                self.join(op);
            }
            Work::EndLoop { op } => {
                let target = self.targets[&op].clone();
                let region = self.function.ops[op as usize].regions().start;
                let params = &self.function.regions[region as usize].params;
                let copies: Vec<Copy> = (target.pending.iter().zip(params).enumerate())
                    .map(|(n, (&from, &param))| Copy { from, to: self.row(param), value: self.reported_param(op, n) })
                    .collect();
                let copies = self.copies(copies);
                let place = self.place(op, 0);
                self.emit(Inst::Again { next: target.next, body_pc: target.body_pc, copies, place });
                let freed = self.loops.pop().unwrap_or_default();
                for row in freed {
                    self.free[row.width as usize].push(row);
                }
                self.join(op);
            }
            Work::EndBlock { op } => self.join(op),
        }
    }

    fn join(&mut self, op: OpNumber) {
        let joined = self.targets[&op].joined;
        let op = self.origin(op);
        let at = self.emit(Inst::Join { joined, skip_pc: 0, op });
        if let Some(skips) = self.skips.last_mut() {
            skips.push(at);
        }
    }

    fn region(&mut self, region: RegionNumber, at: usize) {
        if at == 0 {
            self.skips.push(Vec::new());
        }
        let function = self.function;
        for (n, &number) in function.regions[region as usize].ops.iter().enumerate().skip(at) {
            let op = &function.ops[number as usize];
            match op.kind {
                Kind::Ir(OpKind::If | OpKind::Loop | OpKind::Block) => {
                    self.work.push(Work::Region { region, at: n + 1 });
                    return self.control(number);
                }
                Kind::Ir(OpKind::Yield) => {
                    // The body's own yield has nothing to pass.
                    if let Some(owner) = self.owner(region) {
                        self.leave(number, owner);
                    }
                }
                Kind::Ir(OpKind::Break(target)) => self.leave(number, target.index() as OpNumber),
                Kind::Ir(OpKind::Continue(target)) => {
                    let looped = target.index() as OpNumber;
                    let body = function.ops[looped as usize].regions().start;
                    let cost = function.regions[body as usize].back_edge_cost();
                    let target = self.targets.get(&looped).cloned().unwrap_or_default();
                    let args = function.args(op);
                    let copies: Vec<Copy> = (args.iter().zip(&target.pending))
                        .map(|(&arg, &to)| Copy { from: self.row(arg), to, value: None })
                        .collect();
                    let copies = self.copies(copies);
                    let origin = self.origin(number);
                    self.emit(Inst::Continue { next: target.next, joined: target.joined, cost, copies, op: origin });
                    self.retire(args);
                }
                Kind::Step(_) => self.primitive(number),
                Kind::Redo(call) => self.call(number, call, true),
                Kind::Call(call) => self.call(number, call, false),
                Kind::Trace(traced) => {
                    let args = function.args(op);
                    let operands = self.traced.map_or(0, |func| func.ops[traced].args.len());
                    let results = self.rows(&args[operands..]);
                    let rows = self.rows(&args[..operands]);
                    self.emit(Inst::Trace { op: traced, args: rows, results });
                    self.retire(args);
                }
                Kind::Ir(kind) => {
                    self.plain(number, kind);
                    self.retire(function.args(op));
                    self.retire_results(op.results());
                }
            }
        }
        let end = self.pc();
        for join in self.skips.pop().unwrap_or_default() {
            if let Inst::Join { skip_pc, .. } = &mut self.program.code[join] {
                *skip_pc = end;
            }
        }
    }

    /// The control op a region belongs to: the innermost one still open. `None` for the body.
    fn owner(&self, region: RegionNumber) -> Option<OpNumber> {
        self.work.iter().rev().find_map(|work| match *work {
            Work::Else { op, .. } | Work::EndIf { op, .. } | Work::EndLoop { op } | Work::EndBlock { op } => {
                self.function.ops[op as usize].regions().contains(&region).then_some(op)
            }
            Work::Region { .. } => None,
        })
    }

    /// `yield` and `break`.
    fn leave(&mut self, number: OpNumber, target: OpNumber) {
        let function = self.function;
        let args = function.args(&function.ops[number as usize]);
        let joined = self.targets.get(&target).map_or(0, |t| t.joined);
        let copies: Vec<Copy> = (args.iter().zip(function.ops[target as usize].results()).enumerate())
            .map(|(n, (&arg, result))| Copy {
                from: self.row(arg),
                to: self.row(result),
                value: self.reported_result(target, n),
            })
            .collect();
        let copies = self.copies(copies);
        let op = self.origin(number);
        self.emit(Inst::Leave { joined, copies, op });
        self.retire(args);
    }

    fn control(&mut self, number: OpNumber) {
        let function = self.function;
        let op = &function.ops[number as usize];
        let args = function.args(op);
        let kind = match op.kind {
            Kind::Ir(kind) => kind,
            _ => return,
        };
        let joined = self.new_mask();
        let mut target = Target { joined, ..Target::default() };
        let region = op.regions().start;
        let params = &function.regions[region as usize].params;
        // First values of parameters, then initial operands, are the last operands.
        let from = &args[usize::from(kind == OpKind::If)..];
        let mut copies = Vec::new();
        for (n, (value, &from)) in params.iter().copied().chain(op.results()).zip(from).enumerate() {
            let reported = match n.checked_sub(params.len()) {
                Some(result) => self.reported_result(number, result),
                None => self.reported_param(number, n),
            };
            let to = self.define_own(value);
            copies.push(Copy { from: self.row(from), to, value: reported });
        }
        let copies = self.copies(copies);
        self.retire(args);
        let place = self.place(number, 0);
        match kind {
            OpKind::If => {
                let other = self.new_mask();
                let pred = self.number(args[0]);
                let if_pc = self.emit(Inst::If { pred, other, joined, else_pc: 0, copies, place });
                self.work.push(Work::Else { op: number, if_pc, other });
            }
            OpKind::Loop => {
                target.next = self.new_mask();
                target.pending = params.iter().map(|&param| self.new_row(self.width(param))).collect();
                self.emit(Inst::Loop { next: target.next, joined, copies, place });
                target.body_pc = self.pc();
                self.loops.push(Vec::new());
                self.work.push(Work::EndLoop { op: number });
            }
            _ => {
                self.emit(Inst::Block { joined, copies, place });
                self.work.push(Work::EndBlock { op: number });
            }
        }
        self.work.push(Work::Region { region, at: 0 });
        self.targets.insert(number, target);
    }

    /// A primitive, with what is fused with it.
    fn primitive(&mut self, number: OpNumber) {
        let op = &self.function.ops[number as usize];
        let result = op.result();
        if self.root[result as usize] != result || self.fused.is_part(number) {
            return;
        }
        let Some(&last) = op.inst() else { return };
        if last.prim == Prim::Const {
            let out = self.define_own(result);
            self.program.uniforms.push((out, Uniform::Word(last.imm)));
            self.uniform[result as usize] = true;
            return;
        }
        let (mut inst, mut with, args) = self.fused.whole(self.function, number, last);
        let is_uniform = args.iter().all(|&arg| self.uniform[self.root[arg as usize] as usize]);
        for arg in &mut inst.args[..usize::from(inst.count)] {
            *arg = self.number(*arg);
        }
        match &mut with {
            With::Nothing | With::Shl(_) => {}
            With::First(first) => {
                let own = first.args[0];
                for arg in &mut first.args[..usize::from(first.count)] {
                    *arg = if *arg == own { OWN } else { self.number(*arg) };
                }
            }
            With::Disjoint { plus, bits } => (*plus, *bits) = (self.number(*plus), self.number(*bits)),
            With::Polynomial(polynomial) => match &mut polynomial.finish {
                Finish::Nothing => {}
                Finish::Times(by) => *by = self.number(*by),
                Finish::TimesPlus(by, plus) => (*by, *plus) = (self.number(*by), self.number(*plus)),
            },
        }
        let check = check(&inst, &with);
        let out = if is_uniform { self.define_own(result) } else { self.define(result) };
        let step = Step { inst, out: out.number, check, with };
        let Bytecode { code, prologue, steps, prologue_rows, .. } = &mut self.program;
        if is_uniform {
            push_step(prologue, 0, steps, step);
            prologue_rows.push(out);
            self.uniform[result as usize] = true;
        } else {
            push_step(code, self.label, steps, step);
        }
        self.retire(&args);
        self.retire_results(result..result + 1);
    }

    /// An operation that the reference evaluation computes, in lanes where a mask is set or in all.
    fn call(&mut self, number: OpNumber, call: u32, has_mask: bool) {
        let function = self.function;
        let op = &function.ops[number as usize];
        let args = function.args(op);
        let result = op.result();
        let is_uniform = args.iter().all(|&arg| self.uniform[self.root[arg as usize] as usize]);
        let slow = has_mask.then(|| (self.number(args[0]), self.row(args[1])));
        let operands = self.rows(&args[if has_mask { 2 } else { 0 }..]);
        // The value's row is the result's where nobody else reads it.
        let value = has_mask.then(|| self.root[args[1] as usize] as usize);
        let taken = value.filter(|&value| {
            !is_uniform
                && self.uses_left[value] == 1
                && self.reusable[value]
                && self.depth_of[value] == self.loops.len() as u32
                && !args[2..].iter().any(|&arg| self.root[arg as usize] as usize == value)
        });
        let out = match taken {
            Some(value) => {
                let row = self.row_of[value];
                self.reusable[value] = false;
                self.row_of[result as usize] = row;
                self.reusable[result as usize] = true;
                self.depth_of[result as usize] = self.loops.len() as u32;
                row
            }
            None if is_uniform => self.define_own(result),
            None => self.define(result),
        };
        let inst = Inst::Call { call, slow, args: operands, out };
        if is_uniform {
            self.program.prologue.push(inst);
            self.program.prologue_rows.push(out);
            self.uniform[result as usize] = true;
        } else {
            self.emit(inst);
        }
        self.retire(args);
        self.retire_results(op.results());
    }

    /// Ops of the IR without regions that end none.
    fn plain(&mut self, number: OpNumber, kind: OpKind) {
        let function = self.function;
        let op = &function.ops[number as usize];
        let args = function.args(op);
        let arg = |lower: &Self, n: usize| lower.number(args[n]);
        let inst = match kind {
            OpKind::Const { bank, index, comp } => {
                let out = self.define_own(op.result());
                self.program.uniforms.push((out, Uniform::Const { bank, index, comp }));
                self.uniform[op.result() as usize] = true;
                return;
            }
            OpKind::ConstAt { bank, base, comp } => {
                let index = arg(self, 0);
                Inst::ConstAt { bank, base, comp, index, out: self.define(op.result()).number }
            }
            OpKind::Attr { index, comp } => {
                let plane = u32::from(index) * 4 + u32::from(comp);
                Inst::Attr { plane, out: self.define(op.result()).number }
            }
            OpKind::AttrAt { base, comp } => {
                let index = arg(self, 0);
                Inst::AttrAt { base, comp, index, out: self.define(op.result()).number }
            }
            OpKind::AttrSample { index, comp } => {
                let place = PlaceRows::Sample(arg(self, 0));
                Inst::AttrPlace { attr: index, comp, place, out: self.define(op.result()).number }
            }
            OpKind::AttrOffset { index, comp } => {
                let place = PlaceRows::Offset(arg(self, 0), arg(self, 1));
                Inst::AttrPlace { attr: index, comp, place, out: self.define(op.result()).number }
            }
            OpKind::AttrCentroid { index, comp } => {
                Inst::AttrPlace { attr: index, comp, place: PlaceRows::Centroid, out: self.define(op.result()).number }
            }
            OpKind::SamplePosition { axis } => {
                let index = arg(self, 0);
                Inst::SamplePosition { axis, index, out: self.define(op.result()).number }
            }
            OpKind::Sys(value) => Inst::Sys { value, out: self.define(op.result()).number },
            OpKind::QuadXor { mask } => {
                Inst::QuadXor { mask: mask & 3, arg: self.row(args[0]), out: self.define(op.result()) }
            }
            OpKind::QuadShuffle => {
                let (from, index) = (self.row(args[0]), arg(self, 1));
                let constant = self.fused.constant(function, args[1]);
                let out = self.define(op.result());
                match constant {
                    Some(lane) => Inst::QuadLane { arg: from, lane: lane as u8 & 3, out },
                    None => Inst::QuadShuffle { arg: from, index, out },
                }
            }
            OpKind::QuadAny | OpKind::QuadAll => {
                let all = kind == OpKind::QuadAll;
                Inst::QuadVote { all, arg: arg(self, 0), out: self.define(op.result()).number }
            }
            OpKind::GroupShuffle => {
                let (from, index) = (self.row(args[0]), arg(self, 1));
                Inst::GroupShuffle { arg: from, index, out: self.define(op.result()) }
            }
            OpKind::GroupBallot { word } => {
                Inst::GroupBallot { word, arg: arg(self, 0), out: self.define(op.result()).number }
            }
            OpKind::Tex(tex) => {
                let args = args.iter().map(|&arg| self.number(arg)).collect();
                let mut results = op.results();
                let outs = std::array::from_fn(|_| results.next().map_or(0, |result| self.define(result).number));
                self.program.lookups.push(Lookup { op: tex, args, outs });
                Inst::Tex { tex: self.program.lookups.len() as u32 - 1 }
            }
            OpKind::ArrayLoad(array) => {
                let index = arg(self, 0);
                Inst::ArrayLoad { array: array.index() as u32, index, out: self.define(op.result()) }
            }
            OpKind::ArrayStore(array) => {
                Inst::ArrayStore { array: array.index() as u32, index: arg(self, 0), value: self.row(args[1]) }
            }
            OpKind::BufferLoad { buffer, .. } => {
                let address = arg(self, 0);
                Inst::BufferLoad { buffer, address, out: self.define(op.result()).number }
            }
            OpKind::BufferStore { buffer, .. } => {
                Inst::BufferStore { buffer, address: arg(self, 0), value: arg(self, 1) }
            }
            OpKind::TextureSize { unit, comp } => {
                let level = arg(self, 0);
                Inst::TextureSize { unit, comp, level, out: self.define(op.result()).number }
            }
            OpKind::ImageAddress { buffer } => {
                let at = [0, 1, 2, 3].map(|n| arg(self, n));
                Inst::ImageAddress { buffer, at, out: self.define(op.result()).number }
            }
            OpKind::ImageLoad { buffer, comp } => {
                let address = arg(self, 0);
                Inst::ImageLoad { buffer, comp, address, out: self.define(op.result()).number }
            }
            OpKind::ImageStore { buffer } => {
                Inst::ImageStore { buffer, address: arg(self, 0), texel: [1, 2, 3, 4].map(|n| arg(self, n)) }
            }
            OpKind::ImageSize { buffer, comp } => {
                Inst::ImageSize { buffer, comp, out: self.define(op.result()).number }
            }
            OpKind::BufferSize { buffer } => Inst::BufferSize { buffer, out: self.define(op.result()).number },
            OpKind::Atomic { op: atomic, buffer } => {
                let (address, operand) = (arg(self, 0), arg(self, 1));
                let second = args.get(2).map_or(operand, |&second| self.number(second));
                let out = self.define(op.result()).number;
                Inst::Atomic { op: atomic, buffer, address, operand, second, out }
            }
            OpKind::Out { index, comp } => {
                Inst::Out { plane: u32::from(index) * 4 + u32::from(comp), value: self.row(args[0]) }
            }
            OpKind::Discard => Inst::Discard { pred: arg(self, 0) },
            OpKind::Barrier => Inst::Barrier,
            OpKind::DiscardSamples => Inst::DiscardSamples { mask: arg(self, 0) },
            // Arithmetic is steps, control has been seen to, and a subgroup goes in step.
            OpKind::Num(_)
            | OpKind::GroupBarrier
            | OpKind::Library(_)
            | OpKind::Literal(_)
            | OpKind::Select
            | OpKind::Deriv { .. }
            | OpKind::GroupReduce(_)
            | OpKind::If
            | OpKind::Loop
            | OpKind::Block
            | OpKind::Yield
            | OpKind::Break(_)
            | OpKind::Continue(_) => return,
        };
        self.emit(inst);
    }
}

/// What the results of a step have to be looked at for: where the bits of a NaN, or a flush, are defined otherwise than the
/// host's arithmetic has them.
fn check(inst: &StepInst, with: &With) -> Check {
    let mode = Mode::from_word(inst.imm).filter(|_| inst.prim.row().immediate == Immediate::Mode);
    let flushes = mode.is_some_and(|mode| mode.flush);
    let is_directed = mode.is_some_and(|mode| mode.direction != Direction::Nearest);
    let shows_nan = matches!(with, With::First(_)) || matches!(inst.prim, Prim::Widen | Prim::Narrow);
    match (flushes, shows_nan) {
        // What is infinite may have to be the largest number.
        _ if inst.prim == Prim::FaddOdd || is_directed && inst.ty == Ty::F64 && inst.prim != Prim::Narrow => Check::All,
        (true, true) => Check::All,
        (true, false) => Check::Tiny,
        (false, true) => Check::Nan,
        (false, false) => Check::Nothing,
    }
}
