//! From the region tree to a list of instructions over rows.
//!
//! Rows are reused once a value has no uses left; a value defined outside a loop and last used inside it keeps its row
//! until the loop ends, since the next iteration reads it again.

use crate::program::{
    Array, Bytecode, Copy, Inst, KernelId, Lookup, MaskSlot, Pc, PlaceRows, Row, Span, TEMPS, Uniform,
};
use parallax_core::exec::PlaneType;
use parallax_core::num::{self, Decl, Format, Kernel, Rule, Storage, Width};
use parallax_core::{Bound, EntityRef, Func, OpId, OpKind, RegionId, RuleId, Shader, Type, ValueId};
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
    Region { region: RegionId, at: usize },
    Else { op: OpId, if_pc: usize, other: MaskSlot },
    EndIf { op: OpId, else_pc: usize },
    EndLoop { op: OpId },
    EndBlock { op: OpId },
}

struct Lower<'a> {
    func: &'a Func,
    bound: &'a Bound,
    program: Bytecode,
    work: Vec<Work>,
    /// Width of each value's words.
    widths: Vec<Width>,
    row_of: Vec<Row>,
    uses_left: Vec<u32>,
    /// Whether a value's row may be given to another value.
    reusable: Vec<bool>,
    /// Number of loops around a value's definition.
    depth_of: Vec<u32>,
    /// Rows of each width that hold nothing.
    free: [Vec<Row>; Width::ALL.len()],
    /// Rows to free at the end of each enclosing loop.
    loops: Vec<Vec<Row>>,
    /// Jumps to the end of each enclosing region.
    skips: Vec<Vec<usize>>,
    targets: BTreeMap<OpId, Target>,
    kernels: BTreeMap<(num::Op, Option<RuleId>), KernelId>,
    storage_kernels: BTreeMap<Storage, KernelId>,
}

pub(crate) fn lower(shader: &Shader<Bound>, id: u64) -> Bytecode {
    let func = &shader.func;
    let values = func.values.len();
    let mut uses_left = vec![0u32; values];
    let mut serial = false;
    let mut is_touched = vec![false; func.arrays.len()];
    func.walk(|_, op| {
        let data = &func.ops[op];
        data.args.iter().for_each(|arg| uses_left[arg.index()] += 1);
        serial |= data.kind.writes_memory();
        if let OpKind::ArrayLoad(array) | OpKind::ArrayStore(array) = data.kind {
            is_touched[array.index()] = true;
        }
    });

    let width_of = |ty: Type| {
        let storage = ty.decl().map(|decl| shader.state.storage(decl));
        Width::of_bits(PlaneType { ty, storage }.bits())
    };
    let mut row_counts = TEMPS;
    // Arrays nobody touches take no room.
    let arrays = func.arrays.values().zip(is_touched).map(|(decl, is_touched)| {
        let width = width_of(decl.ty);
        let first = Row { width, number: row_counts[width as usize] };
        row_counts[width as usize] += if is_touched { decl.len } else { 0 };
        Array { first, len: decl.len, is_touched }
    });
    let arrays = arrays.collect();
    let widths = func.values.values().map(|value| width_of(value.ty)).collect();
    let planes = func
        .iface
        .outputs
        .iter()
        .flat_map(|out| out.types)
        .map(|ty| ty.map(|ty| PlaneType { ty, storage: ty.decl().map(|decl| shader.state.storage(decl)) }));
    let program = Bytecode {
        id,
        code: Vec::new(),
        ops: Vec::new(),
        rows: Vec::new(),
        copies: Vec::new(),
        kernels: Vec::new(),
        lookups: Vec::new(),
        uniforms: Vec::new(),
        arrays,
        row_counts,
        mask_count: 0,
        planes: planes.collect(),
        attrs: func.iface.attrs.len(),
        serial,
    };
    let mut lower = Lower {
        func,
        bound: &shader.state,
        program,
        work: vec![Work::Region { region: func.body, at: 0 }],
        widths,
        row_of: vec![NO_ROW; values],
        uses_left,
        reusable: vec![false; values],
        depth_of: vec![0; values],
        free: Default::default(),
        loops: Vec::new(),
        skips: Vec::new(),
        targets: BTreeMap::new(),
        kernels: BTreeMap::new(),
        storage_kernels: BTreeMap::new(),
    };
    while let Some(work) = lower.work.pop() {
        lower.step(work);
    }
    let last = lower.program.ops.last().copied().unwrap_or(OpId::new(0));
    lower.emit(last, Inst::End);
    lower.program
}

impl Lower<'_> {
    fn emit(&mut self, op: OpId, inst: Inst) -> usize {
        self.program.code.push(inst);
        self.program.ops.push(op);
        self.program.code.len() - 1
    }

    fn pc(&self) -> Pc {
        self.program.code.len() as Pc
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
    fn define(&mut self, value: ValueId) -> Row {
        let width = self.widths[value.index()];
        let row = match self.free[width as usize].pop() {
            Some(row) => row,
            None => self.new_row(width),
        };
        self.row_of[value.index()] = row;
        self.reusable[value.index()] = true;
        self.depth_of[value.index()] = self.loops.len() as u32;
        row
    }

    /// A row of its own: for uniforms, and for values that outlive a region.
    fn define_own(&mut self, value: ValueId) -> Row {
        let row = self.new_row(self.widths[value.index()]);
        self.row_of[value.index()] = row;
        row
    }

    fn row(&self, value: ValueId) -> Row {
        let row = self.row_of[value.index()];
        debug_assert_ne!(row, NO_ROW, "{value} is used before its definition");
        row
    }

    /// Counts the uses an op made of its operands and frees rows, after its results have theirs.
    fn retire(&mut self, op: OpId) {
        for &arg in &self.func.ops[op].args {
            let left = &mut self.uses_left[arg.index()];
            *left -= 1;
            if *left == 0 {
                self.release(arg);
            }
        }
        for &result in &self.func.ops[op].results {
            if self.uses_left[result.index()] == 0 {
                self.release(result);
            }
        }
    }

    fn release(&mut self, value: ValueId) {
        if !std::mem::take(&mut self.reusable[value.index()]) {
            return;
        }
        let row = self.row_of[value.index()];
        match self.loops.get_mut(self.depth_of[value.index()] as usize) {
            Some(at_end) => at_end.push(row),
            None => self.free[row.width as usize].push(row),
        }
    }

    fn kernel(&mut self, asked: num::Op, rule: Option<RuleId>) -> KernelId {
        let (bound, kernels) = (self.bound, &mut self.program.kernels);
        *self.kernels.entry((asked, rule)).or_insert_with(|| {
            // Operations without slot look at no rule.
            let record = rule.map_or(Rule::ieee(Decl::F32, Format::F32), |id| bound.rules[id]);
            kernels.push(Kernel::new(asked, &record));
            kernels.len() as KernelId - 1
        })
    }

    /// The conversion of a read: none for raw bits.
    fn read_kernel(&mut self, op: OpId) -> Option<KernelId> {
        let rule = self.func.ops[op].rule;
        rule.is_some().then(|| self.kernel(num::Op::Cvt, rule))
    }

    /// The conversion of a texture operand to binary32; none where it is one already or an integer.
    fn binary32_kernel(&mut self, ty: Type) -> Option<KernelId> {
        let storage = self.bound.storage(ty.decl()?);
        if storage == Storage::F32 {
            return None;
        }
        let kernels = &mut self.program.kernels;
        Some(*self.storage_kernels.entry(storage).or_insert_with(|| {
            let rule = Rule { source: storage, ..Rule::ieee(Decl::F32, Format::F32) };
            kernels.push(Kernel::new(num::Op::Cvt, &rule));
            kernels.len() as KernelId - 1
        }))
    }

    fn arg_rows(&mut self, op: OpId) -> Span {
        let start = self.program.rows.len() as u32;
        for &arg in &self.func.ops[op].args {
            let row = self.row(arg);
            self.program.rows.push(row);
        }
        Span { start, len: self.program.rows.len() as u32 - start }
    }

    fn copies(&mut self, copies: impl IntoIterator<Item = Copy>) -> Span {
        let start = self.program.copies.len() as u32;
        self.program.copies.extend(copies);
        Span { start, len: self.program.copies.len() as u32 - start }
    }

    fn step(&mut self, work: Work) {
        match work {
            Work::Region { region, at } => self.region(region, at),
            Work::Else { op, if_pc, other } => {
                let region = self.func.ops[op].regions[1];
                let at = self.emit(op, Inst::Else { other, end_pc: 0, region });
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
                let region = self.func.ops[op].regions[0];
                let params = &self.func.regions[region].params;
                let pairs = target.pending.iter().zip(params);
                let copies: Vec<Copy> =
                    pairs.map(|(&from, &param)| Copy { from, to: self.row(param), value: Some(param) }).collect();
                let copies = self.copies(copies);
                self.emit(op, Inst::Again { next: target.next, body_pc: target.body_pc, copies, region });
                let freed = self.loops.pop().unwrap_or_default();
                for row in freed {
                    self.free[row.width as usize].push(row);
                }
                self.join(op);
            }
            Work::EndBlock { op } => self.join(op),
        }
    }

    fn join(&mut self, op: OpId) {
        let joined = self.targets[&op].joined;
        let at = self.emit(op, Inst::Join { joined, skip_pc: 0 });
        if let Some(skips) = self.skips.last_mut() {
            skips.push(at);
        }
    }

    fn region(&mut self, region: RegionId, at: usize) {
        if at == 0 {
            self.skips.push(Vec::new());
        }
        let Some(&op) = self.func.regions[region].ops.get(at) else {
            let end = self.pc();
            for join in self.skips.pop().unwrap_or_default() {
                if let Inst::Join { skip_pc, .. } = &mut self.program.code[join] {
                    *skip_pc = end;
                }
            }
            return;
        };
        self.work.push(Work::Region { region, at: at + 1 });
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::If | OpKind::Loop | OpKind::Block => self.control(op),
            OpKind::Yield => {
                // The body's own yield has nothing to pass.
                if let Some(owner) = self.owner(region) {
                    self.leave(op, owner);
                }
            }
            OpKind::Break(target) => self.leave(op, target),
            OpKind::Continue(target) => {
                let Target { next, joined, pending, .. } = self.targets.get(&target).cloned().unwrap_or_default();
                let copies: Vec<Copy> = data
                    .args
                    .iter()
                    .zip(&pending)
                    .map(|(&arg, &to)| Copy { from: self.row(arg), to, value: None })
                    .collect();
                let copies = self.copies(copies);
                self.emit(op, Inst::Continue { next, joined, copies });
                self.retire(op);
            }
            _ => {
                self.plain(op);
                self.retire(op);
            }
        }
    }

    /// The control op a region belongs to: the innermost one still open. `None` for the body.
    fn owner(&self, region: RegionId) -> Option<OpId> {
        self.work.iter().rev().find_map(|work| match *work {
            Work::Else { op, .. } | Work::EndIf { op, .. } | Work::EndLoop { op } | Work::EndBlock { op } => {
                self.func.ops[op].regions.contains(&region).then_some(op)
            }
            Work::Region { .. } => None,
        })
    }

    /// `yield` and `break`.
    fn leave(&mut self, op: OpId, target: OpId) {
        let data = &self.func.ops[op];
        let joined = self.targets.get(&target).map_or(0, |t| t.joined);
        let results = &self.func.ops[target].results;
        let copies: Vec<Copy> = data
            .args
            .iter()
            .zip(results)
            .map(|(&arg, &result)| Copy { from: self.row(arg), to: self.row(result), value: Some(result) })
            .collect();
        let copies = self.copies(copies);
        self.emit(op, Inst::Leave { joined, copies });
        self.retire(op);
    }

    fn control(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let joined = self.new_mask();
        let mut target = Target { joined, ..Target::default() };
        let region = data.regions[0];
        let mut copies = Vec::new();
        // First values of parameters, then initial operands, are the last operands.
        let set = func.regions[region].params.iter().chain(&data.results);
        let from = &data.args[usize::from(data.kind == OpKind::If)..];
        for (&value, &from) in set.zip(from) {
            let to = self.define_own(value);
            copies.push(Copy { from: self.row(from), to, value: Some(value) });
        }
        let copies = self.copies(copies);
        self.retire(op);
        match data.kind {
            OpKind::If => {
                let other = self.new_mask();
                let pred = self.row(data.args[0]);
                let if_pc = self.emit(op, Inst::If { pred, other, joined, else_pc: 0, copies, region });
                self.work.push(Work::Else { op, if_pc, other });
            }
            OpKind::Loop => {
                target.next = self.new_mask();
                let params = &func.regions[region].params;
                target.pending = params.iter().map(|param| self.new_row(self.widths[param.index()])).collect();
                self.emit(op, Inst::Loop { next: target.next, joined, copies, region });
                target.body_pc = self.pc();
                self.loops.push(Vec::new());
                self.work.push(Work::EndLoop { op });
            }
            _ => {
                self.emit(op, Inst::Block { joined, copies, region });
                self.work.push(Work::EndBlock { op });
            }
        }
        self.work.push(Work::Region { region, at: 0 });
        self.targets.insert(op, target);
    }

    /// Ops without regions that end none.
    fn plain(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let arg = |n: usize| data.args[n];
        let inst = match data.kind {
            OpKind::Num(asked) => {
                let kernel = self.kernel(asked, data.rule);
                let args = self.arg_rows(op);
                Inst::Num { kernel, args, out: self.define(data.results[0]) }
            }
            OpKind::Literal(word) => self.uniform(data.results[0], Uniform::Word(word)),
            OpKind::Const { bank, index, comp } => {
                let cvt = self.read_kernel(op);
                self.uniform(data.results[0], Uniform::Const { bank, index, comp, cvt })
            }
            OpKind::ConstAt { bank, base, comp } => {
                let cvt = self.read_kernel(op);
                let index = self.row(arg(0));
                Inst::ConstAt { bank, base, comp, index, cvt, out: self.define(data.results[0]) }
            }
            OpKind::Attr { index, comp } => {
                let cvt = self.read_kernel(op);
                let plane = u32::from(index) * 4 + u32::from(comp);
                Inst::Attr { plane, cvt, out: self.define(data.results[0]) }
            }
            OpKind::AttrAt { base, comp } => {
                let cvt = self.read_kernel(op);
                let index = self.row(arg(0));
                Inst::AttrAt { base, comp, index, cvt, out: self.define(data.results[0]) }
            }
            OpKind::AttrSample { index, comp } => {
                let place = PlaceRows::Sample(self.row(arg(0)));
                self.attr_place(op, index, comp, place)
            }
            OpKind::AttrOffset { index, comp } => {
                let place = PlaceRows::Offset(self.row(arg(0)), self.row(arg(1)));
                self.attr_place(op, index, comp, place)
            }
            OpKind::AttrCentroid { index, comp } => self.attr_place(op, index, comp, PlaceRows::Centroid),
            OpKind::SamplePosition { axis } => {
                let index = self.row(arg(0));
                Inst::SamplePosition { axis, index, out: self.define(data.results[0]) }
            }
            OpKind::Sys(value) => Inst::Sys { value, out: self.define(data.results[0]) },
            OpKind::Select => {
                let (pred, a, b) = (self.row(arg(0)), self.row(arg(1)), self.row(arg(2)));
                Inst::Select { pred, a, b, out: self.define(data.results[0]) }
            }
            OpKind::Deriv { axis, fine } => {
                let kernel = self.kernel(num::Op::Sub, data.rule);
                Inst::Deriv { axis, fine, kernel, arg: self.row(arg(0)), out: self.define(data.results[0]) }
            }
            OpKind::QuadXor { mask } => {
                Inst::QuadXor { mask: mask & 3, arg: self.row(arg(0)), out: self.define(data.results[0]) }
            }
            OpKind::QuadShuffle => {
                let (value, index) = (self.row(arg(0)), self.row(arg(1)));
                Inst::QuadShuffle { arg: value, index, out: self.define(data.results[0]) }
            }
            OpKind::QuadAny | OpKind::QuadAll => {
                let all = data.kind == OpKind::QuadAll;
                Inst::QuadVote { all, arg: self.row(arg(0)), out: self.define(data.results[0]) }
            }
            OpKind::Tex(tex) => {
                let args: Vec<ValueId> = data.args.to_vec();
                let args = args.iter().map(|&arg| (self.row(arg), self.binary32_kernel(func.ty(arg)))).collect();
                let cvt = self.kernel(num::Op::Cvt, data.rule);
                let outs = std::array::from_fn(|n| self.define(data.results[n]));
                self.program.lookups.push(Lookup { op: tex, args, cvt, outs });
                Inst::Tex { tex: self.program.lookups.len() as u32 - 1 }
            }
            OpKind::ArrayLoad(array) => {
                let index = self.row(arg(0));
                Inst::ArrayLoad { array: array.index() as u32, index, out: self.define(data.results[0]) }
            }
            OpKind::ArrayStore(array) => {
                Inst::ArrayStore { array: array.index() as u32, index: self.row(arg(0)), value: self.row(arg(1)) }
            }
            OpKind::BufferLoad { buffer } => {
                let address = self.row(arg(0));
                Inst::BufferLoad { buffer, address, out: self.define(data.results[0]) }
            }
            OpKind::BufferStore { buffer } => {
                Inst::BufferStore { buffer, address: self.row(arg(0)), value: self.row(arg(1)) }
            }
            OpKind::BufferSize { buffer } => Inst::BufferSize { buffer, out: self.define(data.results[0]) },
            OpKind::Atomic { op, buffer } => {
                let (address, operand) = (self.row(arg(0)), self.row(arg(1)));
                let second = data.args.get(2).map_or(operand, |&second| self.row(second));
                Inst::Atomic { op, buffer, address, operand, second, out: self.define(data.results[0]) }
            }
            OpKind::Out { index, comp } => {
                Inst::Out { plane: u32::from(index) * 4 + u32::from(comp), value: self.row(arg(0)) }
            }
            OpKind::Discard => Inst::Discard { pred: self.row(arg(0)) },
            OpKind::DiscardSamples => Inst::DiscardSamples { mask: self.row(arg(0)) },
            OpKind::If | OpKind::Loop | OpKind::Block | OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_) => {
                return;
            }
        };
        self.emit(op, inst);
    }

    fn attr_place(&mut self, op: OpId, attr: u16, comp: u8, place: PlaceRows) -> Inst {
        let cvt = self.read_kernel(op);
        Inst::AttrPlace { attr, comp, place, cvt, out: self.define(self.func.ops[op].results[0]) }
    }

    fn uniform(&mut self, value: ValueId, uniform: Uniform) -> Inst {
        let out = self.define_own(value);
        self.program.uniforms.push((out, uniform));
        Inst::Uniform { out }
    }
}
