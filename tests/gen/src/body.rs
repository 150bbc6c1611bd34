//! Random shaders.

use crate::Choices;
use crate::batch::CORNERS;
use crate::kernel::SHARED_WORDS;
use parallax_core::{
    Access, ArrayDecl, ArrayId, AtomicOp, AttrDecl, AttrSemantic, Axis, BankDecl, BufferDecl, Builder, EntityRef, Func,
    Interp, Location, OpId, OpKind, OutputDecl, OutputRole, RegionId, Shader, SlotId, Source, Stage, Symbolic, SysVal,
    TexDecl, TexMode, TexOp, TexTarget, Type, ValueId,
};
use parallax_num::{Decl, Kind, Op, Slot, Storage, Subgroup};

/// Slots the shaders use; the first is plain binary32.
pub fn slots() -> Vec<Slot> {
    const TEXTS: [&str; 16] = [
        "fp32",
        "half",
        "fp32.sat",
        "fx12",
        "fp32.precise",
        "half.sat",
        "fp32.rtz.ftz",
        "fp64",
        "fp32.x2",
        "fp32.d4.ssat",
        "fp32.fmz.ftz",
        "half.rup.denorm",
        "fx12.sat",
        "fp32.rdn.ieeemul.ftz+",
        "fx12.x4.ssat",
        "fx9",
    ];
    TEXTS.iter().filter_map(|text| Slot::parse(text)).collect()
}

/// Types values may have.
pub(crate) const TYPES: [Type; 10] = [
    Type::F32,
    Type::I32,
    Type::Pred,
    Type::F16,
    Type::Float(Decl::Fx12),
    Type::Float(Decl::F64),
    Type::Cc,
    Type::I64,
    Type::Float(Decl::Fx9),
    Type::I16,
];

/// Types of the results and parameters of regions: the common ones.
pub(crate) const CARRIED: [Type; 5] = [Type::F32, Type::I32, Type::F16, Type::Pred, Type::Float(Decl::Fx12)];

/// What leads from one format to another, or to words and condition codes: picked more often than its share of the table.
const BETWEEN_FORMATS: [Op; 12] = [
    Op::Cvt,
    Op::Cvt,
    Op::Cvt,
    Op::CcOf,
    Op::CcEq,
    Op::CcNe,
    Op::CcLe,
    Op::CcGt,
    Op::PackHalf2,
    Op::PackBiased4,
    Op::UpHalf,
    Op::UpBiased8,
];

/// Deepest nesting.
pub(crate) const DEPTH: usize = 5;

/// A loop or block that may be left.
#[derive(Clone)]
struct Target {
    op: OpId,
    is_loop: bool,
    params: Vec<Type>,
    results: Vec<Type>,
}

pub(crate) struct Gen<'c, 'f> {
    pub(crate) c: Choices<'c>,
    pub(crate) b: Builder<'f>,
    slots: Vec<SlotId>,
    pub(crate) scope: Vec<ValueId>,
    targets: Vec<Target>,
    pub(crate) depth: usize,
    /// Whether it may use memory.
    memory: bool,
    /// Whether it may use arrays.
    arrays: bool,
    /// Whether it is a kernel: with barriers and memory of the workgroup.
    kernel: bool,
    /// Whether every invocation of a kernel has words of its own, which nobody else touches.
    pub(crate) apart: bool,
    /// Whether lanes of subgroups exchange something.
    pub(crate) exchanges: bool,
}

/// What is made.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Made {
    Any,
    Straight,
    Kernel,
}

/// A sound symbolic shader. The list decides everything; about one op per three numbers comes out.
pub fn shader(list: &[u32]) -> Shader<Symbolic> {
    made(list, Made::Any)
}

/// The same without control flow, arrays and memory.
pub fn straight_shader(list: &[u32]) -> Shader<Symbolic> {
    made(list, Made::Straight)
}

/// A kernel: much memory, some of it of the workgroup, and barriers, most of which all invocations get to.
pub fn kernel(list: &[u32]) -> Shader<Symbolic> {
    made(list, Made::Kernel)
}

fn made(list: &[u32], made: Made) -> Shader<Symbolic> {
    let (straight, kernel) = (made == Made::Straight, made == Made::Kernel);
    let mut func = Func::new("random", "gen", if kernel { Stage::Compute } else { Stage::Fragment });
    interface(&mut func);
    if straight {
        func.arrays = Default::default();
    }
    if kernel {
        let shared = BufferDecl { workgroup: Some(SHARED_WORDS), ..BufferDecl::new("SHARED".into()) };
        func.iface.buffers.push(shared);
    }
    let slots = slots().into_iter().map(|slot| func.slot(slot)).collect();
    let body = func.body;
    let b = Builder::at(&mut func, body);
    let mut c = Choices::new(list);
    let memory = c.once_in(3) && !straight || kernel;
    let apart = kernel && c.once_in(3);
    let exchanges = kernel && c.once_in(2);
    if exchanges {
        b.func.iface.subgroup = Some(c.one(Subgroup::ALL));
    }
    // Rows of whole subgroups, or not.
    if kernel && c.once_in(2) {
        b.func.iface.workgroup = [c.one(&[128, 64, 32, 16, 8]), c.one(&[1, 2, 4]), 1];
    }
    let depth = if straight { DEPTH } else { 0 };
    let (scope, targets) = (Vec::new(), Vec::new());
    let mut g = Gen { c, b, slots, scope, targets, depth, memory, arrays: !straight, kernel, apart, exchanges };
    while !g.c.is_empty() {
        g.statement();
    }
    // Whatever was computed last is seen.
    let kept: Vec<ValueId> = g.scope.iter().rev().take(6).copied().collect();
    for value in kept {
        g.out_of(value);
    }
    g.b.op(OpKind::Yield, None, &[], &[]);
    Shader::new(func)
}

fn interface(func: &mut Func) {
    let attr = |n: u16, interp| AttrDecl {
        name: format!("IN[{n}]"),
        semantic: AttrSemantic::Generic(n),
        interp,
        location: Location::Center,
        mediump: false,
    };
    func.iface.attrs = vec![attr(0, Interp::Perspective), attr(1, Interp::Linear), attr(2, Interp::Flat)].into();
    func.iface.banks = vec![
        BankDecl { name: "CONST[0]".into(), len: 4, by_bytes: false },
        BankDecl { name: "CONST[1]".into(), len: 1, by_bytes: false },
    ];
    func.iface.textures =
        vec![TexDecl { unit: 0, target: TexTarget::D2 }, TexDecl { unit: 1, target: TexTarget::Shadow2DArray }];
    let output = |name: &str, role, types: [Type; 4]| OutputDecl { name: name.into(), role, types: types.map(Some) };
    func.iface.outputs = vec![
        output("OUT[0]", OutputRole::Color(0), [Type::F32; 4]),
        output(
            "OUT[1]",
            OutputRole::Generic(0),
            [Type::I32, Type::F16, Type::Float(Decl::Fx12), Type::Float(Decl::F64)],
        ),
        output("R0", OutputRole::Watch, [Type::Pred, Type::Cc, Type::I64, Type::I16]),
        output("R1", OutputRole::Watch, [Type::F32, Type::I32, Type::F16, Type::Float(Decl::Fx9)]),
    ];
    func.iface.buffers = ["BUFFER[0]", "BUFFER[1]"].map(|name| BufferDecl::new(name.into())).to_vec();
    for (ty, len) in [(Type::F32, 4), (Type::I32, 3), (Type::F16, 2)] {
        func.arrays.push(ArrayDecl { name: format!("A.{ty}"), ty, len });
    }
}

impl Gen<'_, '_> {
    pub(crate) fn statement(&mut self) {
        let line = self.b.func.sources.len() as u32 + 1;
        let text = format!("STATEMENT {line}");
        let source = self.b.func.sources.push(Source { line, offset: line * 8, text: &text });
        self.b.set_source(Some(source));
        match self.c.below(if self.kernel { 49 } else { 39 }) {
            39.. => self.kernel_statement(),
            38 => self.counted_loop(),
            0..13 => {
                let row = self.c.one(Op::ALL);
                self.num(row.op);
            }
            13 => {
                let op = self.c.one(&BETWEEN_FORMATS);
                self.num(op);
            }
            14 | 15 => {
                let ty = self.c.one(&TYPES);
                self.fresh(ty);
            }
            16 => {
                let ty = self.c.one(&TYPES);
                let (pred, a, b) = (self.value(Type::Pred), self.value(ty), self.value(ty));
                let value = self.b.select(pred, a, b);
                self.scope.push(value);
            }
            17 => {
                let slot = self.any_slot();
                let arg = self.float(slot);
                let axis = self.c.one(&[Axis::X, Axis::Y]);
                let fine = self.c.once_in(2);
                let value = self.b.deriv(OpKind::Deriv { axis, fine }, slot, arg);
                self.scope.push(value);
            }
            18 => {
                let value = match self.c.below(4) {
                    3 => {
                        let ty = self.c.one(&CARRIED);
                        let (arg, index) = (self.value(ty), self.index());
                        self.b.value(OpKind::QuadShuffle, None, &[arg, index])
                    }
                    0 => {
                        let ty = self.c.one(&CARRIED);
                        let (mask, arg) = (1 + self.c.below(3) as u8, self.value(ty));
                        self.b.quad(OpKind::QuadXor { mask }, arg)
                    }
                    1 => {
                        let arg = self.value(Type::Pred);
                        self.b.quad(OpKind::QuadAny, arg)
                    }
                    _ => {
                        let arg = self.value(Type::Pred);
                        self.b.quad(OpKind::QuadAll, arg)
                    }
                };
                self.scope.push(value);
            }
            19 => self.tex(),
            20 if self.arrays => {
                let (array, _) = self.array();
                let index = self.index();
                let value = self.b.array_load(array, index);
                self.scope.push(value);
            }
            21 if self.arrays => {
                let (array, ty) = self.array();
                let (index, value) = (self.index(), self.value(ty));
                self.b.op(OpKind::ArrayStore(array), None, &[index, value], &[]);
            }
            36 | 37 if self.memory => self.memory(),
            22 | 23 => {
                let ty = self.c.one(&TYPES);
                let value = self.value(ty);
                self.out_of(value);
            }
            24 => {
                let pred = self.value(Type::Pred);
                self.b.op(OpKind::Discard, None, &[pred], &[]);
                if self.c.once_in(3) {
                    let mask = self.value(Type::I32);
                    self.b.op(OpKind::DiscardSamples, None, &[mask], &[]);
                }
            }
            32 | 33 if self.depth < DEPTH => self.crossing(),
            34 if self.depth < DEPTH => self.votes(),
            25..29 if self.depth < DEPTH => self.branch(),
            29 if self.depth < DEPTH => self.block(),
            30 | 31 if self.depth < DEPTH => self.repeat(),
            _ => {
                let ty = self.c.one(&CARRIED);
                self.fresh(ty);
            }
        }
    }

    // Values.

    fn any_slot(&mut self) -> SlotId {
        let n = self.slots.len();
        // A third of the time plain binary32.
        let at = self.c.below(n + n / 2);
        self.slots[if at < n { at } else { 0 }]
    }

    fn slot_of(&mut self, decl: Decl) -> SlotId {
        let func = &self.b.func;
        let fitting: Vec<SlotId> = self.slots.iter().copied().filter(|&s| func.slots[s].decl == decl).collect();
        self.c.one(&fitting)
    }

    /// A value in scope of this type, or a new one.
    pub(crate) fn value(&mut self, ty: Type) -> ValueId {
        let func = &self.b.func;
        let known: Vec<ValueId> = self.scope.iter().rev().copied().filter(|&v| func.ty(v) == ty).take(8).collect();
        let at = self.c.below(known.len() + 1);
        // A small number is a recent value, the largest a new one.
        match known.get(at) {
            Some(&value) => value,
            None => self.fresh(ty),
        }
    }

    fn float(&mut self, slot: SlotId) -> ValueId {
        let ty = Type::Float(self.b.func.slots[slot].decl);
        self.value(ty)
    }

    /// A literal or a read.
    pub(crate) fn fresh(&mut self, ty: Type) -> ValueId {
        let value = match ty {
            Type::Float(decl) => {
                let slot = self.slot_of(decl);
                match self.c.below(4) {
                    0 => {
                        let bits = self.float_bits(decl);
                        self.b.float(slot, bits)
                    }
                    1 => {
                        let (kind, args) = self.read(false);
                        self.b.read_float(kind, slot, &args)
                    }
                    _ => {
                        let kind = OpKind::Attr { index: self.c.below(3) as u16, comp: self.c.below(4) as u8 };
                        self.b.read_float(kind, slot, &[])
                    }
                }
            }
            Type::I32 => match self.c.below(3) {
                0 => {
                    let small = self.c.below(8) as u32;
                    self.b.i32(small)
                }
                1 => {
                    let word = self.c.word();
                    self.b.i32(word)
                }
                _ => {
                    let (kind, args) = self.read(true);
                    self.b.read_bits(kind, &args)
                }
            },
            Type::Pred => {
                // Mostly one that differs between lanes.
                match self.c.below(3) {
                    0 => {
                        let slot = self.slots[0];
                        let kind = OpKind::Attr { index: self.c.below(3) as u16, comp: self.c.below(4) as u8 };
                        let (a, zero) = (self.b.read_float(kind, slot, &[]), self.b.float(slot, 0));
                        self.b.num(Op::FGt, slot, &[a, zero])
                    }
                    1 => {
                        let lane = self.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[]);
                        let other = self.c.below(4) as u32;
                        let other = self.b.i32(other);
                        self.b.int(Op::Ult, &[lane, other])
                    }
                    _ => {
                        let on = self.c.once_in(2);
                        self.b.pred(on)
                    }
                }
            }
            Type::Cc => self.literal(ty, 4),
            Type::I64 => self.literal(ty, u64::MAX),
            Type::I16 => self.literal(ty, 1 << 16),
        };
        self.scope.push(value);
        value
    }

    fn literal(&mut self, ty: Type, below: u64) -> ValueId {
        let word = u64::from(self.c.word()) * 0x1_0000_0001 % below;
        let op = self.b.op(OpKind::Literal(word), None, &[], &[ty]);
        self.b.func.ops[op].results[0]
    }

    /// A pattern of a declared format.
    fn float_bits(&mut self, decl: Decl) -> u64 {
        let corner = self.c.below(CORNERS.len() + 1);
        let word = CORNERS.get(corner).copied().unwrap_or_else(|| self.c.word());
        match decl {
            Decl::F32 | Decl::Mediump => u64::from(word),
            Decl::F64 => u64::from(word) << 32 | u64::from(word & 0xff),
            Decl::F16 => u64::from(word >> 16),
            Decl::Fx12 => u64::from(((word as i32) >> 20) as u32),
            Decl::Fx9 => u64::from(((word as i32) >> 23) as u32),
        }
    }

    /// A literal 0, -0 or 1: what rewrites look for in the operands of every op.
    fn neutral(&mut self, decl: Decl) -> ValueId {
        let slot = self.slot_of(decl);
        let storage = decl.format().storage();
        let one = match storage {
            Storage::F16 => 0x3c00,
            Storage::F32 => 0x3f80_0000,
            Storage::F64 => 0x3ff0_0000_0000_0000,
            Storage::Fixed(format) => (1 << format.frac).min((1 << (format.int + format.frac - 1)) - 1),
        };
        let bits = self.c.one(&[one, 0, storage.sign_bit()]);
        self.b.float(slot, bits)
    }

    /// A read and its operands.
    fn read(&mut self, sys: bool) -> (OpKind, Vec<ValueId>) {
        let comp = self.c.below(4) as u8;
        match self.c.below(if sys { 8 } else { 6 }) {
            0 => (OpKind::Const { bank: self.c.below(2) as u16, index: self.c.below(5) as u32, comp }, vec![]),
            1 => (OpKind::Attr { index: self.c.below(3) as u16, comp }, vec![]),
            2 => {
                let kind = OpKind::ConstAt { bank: self.c.below(2) as u16, base: self.c.below(4) as i32 - 1, comp };
                (kind, vec![self.index()])
            }
            3 => (OpKind::AttrAt { base: self.c.below(4) as i32 - 1, comp }, vec![self.index()]),
            4 => (OpKind::AttrCentroid { index: self.c.below(3) as u16, comp }, vec![]),
            5 => (OpKind::AttrSample { index: self.c.below(3) as u16, comp }, vec![self.index()]),
            6 => (OpKind::SamplePosition { axis: self.c.one(&[Axis::X, Axis::Y]) }, vec![self.index()]),
            // Those behind it are of kernels.
            _ => (OpKind::Sys(self.c.one(&SysVal::ALL[..=SysVal::QuadLane as usize])), vec![]),
        }
    }

    /// An index that mostly hits.
    pub(crate) fn index(&mut self) -> ValueId {
        if self.c.once_in(3) {
            return self.value(Type::I32);
        }
        match self.c.below(2) {
            0 => {
                let n = self.c.below(5) as u32;
                self.b.i32(n)
            }
            _ => self.b.read_bits(OpKind::Sys(SysVal::QuadLane), &[]),
        }
    }

    fn array(&mut self) -> (ArrayId, Type) {
        let array = ArrayId::new(self.c.below(self.b.func.arrays.len()));
        (array, self.b.func.arrays[array].ty)
    }

    // Ops.

    fn num(&mut self, op: Op) {
        let row = op.info();
        if op == Op::Cvt {
            let slot = self.slots[self.c.below(self.slots.len())];
            let from = self.c.one(&slots()).decl;
            let arg = self.value(Type::Float(from));
            let value = self.b.num(op, slot, &[arg]);
            return self.scope.push(value);
        }
        let slot = op.has_slot().then(|| self.any_slot());
        let decl = slot.map(|s| self.b.func.slots[s].decl);
        let args: Vec<ValueId> = row
            .args
            .iter()
            .map(|kind| match kind {
                Kind::F | Kind::AnyF if self.c.once_in(8) => self.neutral(decl.unwrap_or(Decl::F32)),
                Kind::F | Kind::AnyF => self.value(Type::Float(decl.unwrap_or(Decl::F32))),
                Kind::I32 => self.value(Type::I32),
                Kind::I64 => self.value(Type::I64),
                Kind::Pred => self.value(Type::Pred),
                Kind::Cc => self.value(Type::Cc),
            })
            .collect();
        let value = match slot {
            Some(slot) => self.b.num(op, slot, &args),
            None => self.b.int(op, &args),
        };
        self.scope.push(value);
    }

    fn tex(&mut self) {
        let mode = self.c.one(&TexMode::ALL);
        let (unit, target) = self.c.one(&[(0, TexTarget::D2), (1, TexTarget::Shadow2DArray)]);
        let (project, offset) = (self.c.once_in(3), self.c.one(&[[0; 3], [1, -2, 0]]));
        let ty = match mode {
            TexMode::Fetch => Type::I32,
            _ => self.c.one(&[Type::F32, Type::F16, Type::Float(Decl::Fx12)]),
        };
        let op = TexOp {
            project,
            offset,
            moved: self.c.once_in(4) && !matches!(mode, TexMode::Fetch | TexMode::Detail),
            least_level: self.c.once_in(4) && mode.filters(),
            ..TexOp::plain(unit, target, mode)
        };
        let args: Vec<ValueId> = OpKind::Tex(op).operands().iter().map(|_| self.value(ty)).collect();
        let values = match self.c.once_in(4) {
            true => self.b.tex_bits(op, &args),
            false => {
                let slot = self.any_slot();
                self.b.tex(op, slot, &args)
            }
        };
        self.scope.extend(values);
    }

    /// Reads, writes or changes a word of a buffer, mostly one that exists, or a texel of the image in it.
    pub(crate) fn memory(&mut self) {
        let buffer = self.c.below(2 + usize::from(self.kernel)) as u16;
        if self.c.once_in(4) && !self.apart {
            return self.image(buffer);
        }
        let address = match self.c.below(4) {
            _ if self.apart => self.own_address(),
            0 => self.value(Type::I32),
            1 if self.kernel => self.own_address(),
            n => self.b.i32(n as u32 * 4),
        };
        let operand = self.value(Type::I32);
        let value = match self.c.below(4) {
            0 => {
                let access = self.c.one(&[Access::Word, Access::Half, Access::Byte, Access::Atomic]);
                self.b.value(OpKind::BufferLoad { buffer, access }, None, &[address])
            }
            1 => self.b.value(OpKind::BufferSize { buffer }, None, &[]),
            2 => {
                let atomic = self.c.once_in(2);
                self.b.op(OpKind::BufferStore { buffer, atomic }, None, &[address, operand], &[]);
                return;
            }
            _ => {
                let kind = OpKind::Atomic { op: self.c.one(&AtomicOp::ALL), buffer };
                let mut args = vec![address, operand];
                args.resize_with(kind.operands().len(), || self.value(Type::I32));
                self.b.value(kind, None, &args)
            }
        };
        self.scope.push(value);
    }

    fn image(&mut self, buffer: u16) {
        let place = [0; 4].map(|_| self.c.below(3) as u32);
        let mut place = place.map(|at| self.b.i32(at));
        place[self.c.below(2)] = self.value(Type::I32);
        let comp = self.c.below(4) as u8;
        let value = match self.c.below(4) {
            0 => {
                let comp = self.c.below(5) as u8;
                self.b.value(OpKind::ImageSize { buffer, comp }, None, &[])
            }
            1 => {
                let address = self.b.value(OpKind::ImageAddress { buffer }, None, &place);
                let [r, g, b, a] = [0; 4].map(|_| self.value(Type::I32));
                self.b.op(OpKind::ImageStore { buffer }, None, &[address, r, g, b, a], &[]);
                return;
            }
            _ => {
                let address = self.b.value(OpKind::ImageAddress { buffer }, None, &place);
                self.b.value(OpKind::ImageLoad { buffer, comp }, None, &[address])
            }
        };
        self.scope.push(value);
    }

    fn out_of(&mut self, value: ValueId) {
        let ty = self.b.func.ty(value);
        let outputs = &self.b.func.iface.outputs;
        let places: Vec<(u16, u8)> = (0..outputs.len() * 4)
            .filter(|&at| outputs[at / 4].types[at % 4] == Some(ty))
            .map(|at| ((at / 4) as u16, (at % 4) as u8))
            .collect();
        if !places.is_empty() {
            let (index, comp) = self.c.one(&places);
            self.b.op(OpKind::Out { index, comp }, None, &[value], &[]);
        }
    }

    /// A region result that a neighbour reads in lanes that may not execute.
    fn crossing(&mut self) {
        let ty = self.c.one(&[Type::I32, Type::F32]);
        let pass = |g: &mut Self| {
            let value = g.value(ty);
            g.b.op(OpKind::Yield, None, &[value], &[]);
        };
        let op = match self.c.below(3) {
            0 => {
                let args = [self.value(Type::Pred), self.value(ty)];
                let (op, regions) = self.open(OpKind::If, &args, 2, &[ty]);
                regions.into_iter().for_each(|region| self.few(region, 1, pass));
                op
            }
            1 => {
                let initial = self.value(ty);
                let (op, regions) = self.open(OpKind::Block, &[initial], 1, &[ty]);
                self.few(regions[0], 1, pass);
                op
            }
            _ => {
                let args = [self.value(ty), self.value(ty)];
                let (op, regions) = self.open(OpKind::Loop, &args, 1, &[ty]);
                let param = self.b.func.add_param(regions[0], ty);
                self.few(regions[0], 1, |g| {
                    let read = g.b.quad(OpKind::QuadXor { mask: 1 + g.c.below(3) as u8 }, param);
                    g.out_of(read);
                    g.b.op(OpKind::Break(op), None, &[param], &[]);
                });
                op
            }
        };
        let result = self.b.func.ops[op].results[0];
        let read = match (ty, self.c.below(2)) {
            (Type::F32, 0) => {
                let slot = self.slots[0];
                self.b.deriv(OpKind::Deriv { axis: self.c.one(&[Axis::X, Axis::Y]), fine: true }, slot, result)
            }
            _ => self.b.quad(OpKind::QuadXor { mask: 1 + self.c.below(3) as u8 }, result),
        };
        self.scope.extend([result, read]);
        self.out_of(read);
    }

    /// The same vote before and after lanes may have left.
    fn votes(&mut self) {
        let kind = self.c.one(&[OpKind::QuadAny, OpKind::QuadAll]);
        let pred = self.value(Type::Pred);
        let before = self.b.quad(kind, pred);
        let leaving = self.value(Type::Pred);
        let (_, arms) = self.open(OpKind::If, &[leaving], 2, &[]);
        for (n, arm) in arms.into_iter().enumerate() {
            self.few(arm, 0, |g| {
                if !(n == 0 && g.leave()) {
                    g.b.op(OpKind::Yield, None, &[], &[]);
                }
            });
        }
        let after = self.b.quad(kind, pred);
        let differ = self.b.int(Op::Pxor, &[before, after]);
        self.scope.extend([before, after, differ]);
        self.out_of(differ);
    }

    // Control.

    fn types(&mut self, most: usize) -> Vec<Type> {
        let count = self.c.below(most + 1);
        (0..count).map(|_| self.c.one(&CARRIED)).collect()
    }

    fn values(&mut self, types: &[Type]) -> Vec<ValueId> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    /// An op with empty regions.
    pub(crate) fn open(
        &mut self,
        kind: OpKind,
        args: &[ValueId],
        regions: usize,
        results: &[Type],
    ) -> (OpId, Vec<RegionId>) {
        let regions: Vec<RegionId> = (0..regions).map(|_| self.b.new_region()).collect();
        if kind == OpKind::Loop && self.c.once_in(3) {
            // As though most of its ops were gone.
            self.b.func.regions[regions[0]].cost = 1 + self.c.below(6) as u32;
        }
        (self.b.op_with_regions(kind, None, args, &regions, results), regions)
    }

    /// Fills a region: a few statements, then the terminator.
    pub(crate) fn fill(&mut self, region: RegionId, end: impl FnOnce(&mut Self)) {
        let count = self.c.below(5);
        let outer = self.b.switch_to(region);
        let visible = self.scope.len();
        self.depth += 1;
        for _ in 0..count {
            self.statement();
        }
        end(self);
        self.depth -= 1;
        self.scope.truncate(visible);
        self.b.switch_to(outer);
    }

    /// Fills a region with up to `most` plain ops.
    fn few(&mut self, region: RegionId, most: usize, end: impl FnOnce(&mut Self)) {
        let outer = self.b.switch_to(region);
        let visible = self.scope.len();
        for _ in 0..self.c.below(most + 1) {
            let row = self.c.one(Op::ALL);
            self.num(row.op);
        }
        end(self);
        self.scope.truncate(visible);
        self.b.switch_to(outer);
    }

    /// Leaves one of the targets around; false when there is none.
    fn leave(&mut self) -> bool {
        if self.targets.is_empty() {
            return false;
        }
        let at = self.targets.len() - 1 - self.c.below(self.targets.len());
        let target = self.targets[at].clone();
        let again = target.is_loop && self.c.once_in(2);
        let (kind, types) = match again {
            true => (OpKind::Continue(target.op), &target.params),
            false => (OpKind::Break(target.op), &target.results),
        };
        let args = self.values(types);
        self.b.op(kind, None, &args, &[]);
        true
    }

    fn branch(&mut self) {
        let types = self.types(2);
        let args: Vec<ValueId> = [Type::Pred].iter().chain(&types).map(|&ty| self.value(ty)).collect();
        let (op, regions) = self.open(OpKind::If, &args, 2, &types);
        for region in regions {
            self.fill(region, |g| {
                if !(g.c.once_in(3) && g.leave()) {
                    let args = g.values(&types);
                    g.b.op(OpKind::Yield, None, &args, &[]);
                }
            });
        }
        self.scope.extend(self.b.func.ops[op].results.iter().copied());
    }

    fn block(&mut self) {
        let results = self.types(2);
        let initial = self.values(&results);
        let (op, regions) = self.open(OpKind::Block, &initial, 1, &results);
        self.targets.push(Target { op, is_loop: false, params: Vec::new(), results: results.clone() });
        self.fill(regions[0], |g| {
            if !(g.c.once_in(4) && g.leave()) {
                let args = g.values(&results);
                g.b.op(OpKind::Yield, None, &args, &[]);
            }
        });
        self.targets.pop();
        self.scope.extend(self.b.func.ops[op].results.iter().copied());
    }

    /// A loop. Usually its last `continue` stands behind a condition, so that lanes leave in different iterations.
    fn repeat(&mut self) {
        let (params, results) = (self.types(3), self.types(2));
        let args = self.values(&[&params[..], &results].concat());
        let (op, regions) = self.open(OpKind::Loop, &args, 1, &results);
        let added: Vec<ValueId> = params.iter().map(|&ty| self.b.func.add_param(regions[0], ty)).collect();
        self.targets.push(Target { op, is_loop: true, params, results });
        let visible = self.scope.len();
        self.scope.extend(added);
        self.fill(regions[0], |g| {
            if !g.c.once_in(4) {
                let pred = g.value(Type::Pred);
                let (_, arms) = g.open(OpKind::If, &[pred], 2, &[]);
                g.fill(arms[0], |g| {
                    g.leave();
                });
                g.fill(arms[1], |g| {
                    g.b.op(OpKind::Yield, None, &[], &[]);
                });
            }
            g.leave();
        });
        self.targets.pop();
        self.scope.truncate(visible);
        self.scope.extend(self.b.func.ops[op].results.iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices;
    use parallax_core::verify;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn shaders_are_sound(list in prop::collection::vec(any::<u32>(), 0..400)) {
            for shader in [shader(&list), kernel(&list)] {
                prop_assert!(verify(&shader).is_ok(), "{:?}", verify(&shader).err());
            }
        }
    }

    #[test]
    fn equal_lists_give_equal_shaders_and_every_kind_of_op_occurs() {
        assert_eq!(shader(&choices(1, 300)), shader(&choices(1, 300)));
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..400 {
            let made = if seed % 4 == 3 { kernel } else { shader };
            let shader = made(&choices(seed, 500));
            shader.func.walk(|_, op| {
                kinds.insert(shader.func.ops[op].kind.to_string());
            });
        }
        // Arithmetic, and the other words: 48, and an atomic for each operation. `attr.offset` is left out.
        assert_eq!(kinds.len(), Op::ALL.len() + 48 + AtomicOp::ALL.len(), "{kinds:?}");
    }
}
