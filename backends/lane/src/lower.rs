//! From step form to lane form.

use crate::control::Frame;
use crate::dead;
use crate::exchange::Wide;
use crate::form::{Class, Function, Group, Label, Op, Part, Reg, RegData, Site, SiteKind, Source, Stream, Turns};
use crate::interleaved::INTERLEAVED;
use crate::nan_order::{self, NanOrder};
use crate::number;
use crate::recompute;
use crate::turns::{self, Facts};
use crate::unroll::{Known, Passed};
use parallax_core::{OpKind, SysVal};
use parallax_step::{Function as Steps, Id, Inst, Kind, MAX_ARGS, Mode, OpData, OpNumber, Prim, RegionNumber, Ty};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};
use std::fmt;

/// Registers of an instruction.
type Regs = SmallVec<[Reg; 8]>;

/// Ops beyond which a function is left to the interpreter: places of 32 bits.
const MOST_OPS: usize = 4_000_000;

/// Most lanes of a block.
const MOST_LANES: u32 = 16;

/// How much there is room for from the start of what shaders have some of.
const ROOM: usize = 28;

/// Why a function has no lane form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The registers of a value: the same one twice where all lanes are alike, and for all but 64-bit values.
pub(crate) type Pair = [Reg; 2];

/// No register.
const NONE: Reg = Reg::MAX;

/// Where a value is.
#[derive(Copy, Clone)]
pub(crate) struct Home {
    /// Its register in the prologue, if it is the same in all lanes.
    pub(crate) early: Reg,
    /// Its registers in the body.
    pair: Pair,
}

impl Home {
    pub(crate) const NOWHERE: Home = Home { early: NONE, pair: [NONE; 2] };

    pub(crate) fn is_early(self) -> bool {
        self.early != NONE
    }

    pub(crate) fn pair(self) -> Pair {
        self.pair
    }
}

/// A function on its way.
pub(crate) struct Lowerer<'a> {
    pub(crate) steps: &'a Steps,
    pub(crate) out: Function,
    nan_order: NanOrder,
    pub(crate) facts: Option<Facts>,
    pub(crate) homes: Vec<Home>,
    sources: FxHashMap<Source, Reg>,
    /// What [`Lowerer::digits`] has made.
    pub(crate) digits: FxHashMap<Id, Reg>,
    pub(crate) frames: FxHashMap<OpNumber, Frame>,
    /// For each op the depth of the outermost op that a `break` or `continue` in it aims at.
    pub(crate) leaves: Vec<u32>,
    /// How deep each op lies.
    pub(crate) depths: Vec<u32>,
    /// The region whose code is made.
    pub(crate) here: RegionNumber,
    pub(crate) origin: OpNumber,
    everybody: Option<Reg>,
    /// Where pixels are.
    place: Pair,
    /// How blocks wait for each other, where subgroups are several.
    pub(crate) wide: Option<Wide>,
    /// Whether all lanes of a workgroup take all loops alike.
    pub(crate) loops_are_uniform: bool,
    /// Whether all lanes that execute what is around the code that is made do so alike, too.
    pub(crate) is_alike: bool,
    /// The lanes that run in this turn, where lanes take turns: all that the code knows of. Others compute, too, but have no effect.
    pub(crate) turn: Option<Reg>,
    /// Whether the rows of a workgroup are whole blocks.
    pub(crate) rows: bool,
    /// The loop that is unrolled, what is known in it, what the next iteration starts with, and whether lanes have left this one.
    pub(crate) unrolling: Option<OpNumber>,
    pub(crate) known: Known,
    pub(crate) passed: Vec<Passed>,
    pub(crate) has_left: bool,
    /// Whether some lanes may go another way than others.
    pub(crate) diverges: bool,
}

/// The lane form of a function that `parallax_step::verify` accepts, for blocks of so many lanes.
///
/// # Errors
/// Too many ops.
pub fn lower(steps: &Steps, lanes: u32) -> Result<Function, Unsupported> {
    lower_for(steps, lanes, false)
}

/// The same for whole workgroups alone, if the blocks of a workgroup can take turns ([`Function::group`]); else for any batch.
///
/// # Errors
/// Too many ops.
pub fn lower_groups(steps: &Steps, lanes: u32) -> Result<Function, Unsupported> {
    lower_for(steps, lanes, true)
}

/// Whether a workgroup is whole blocks that can take turns, all of whose lanes stay covered.
fn has_whole_blocks(steps: &Steps, turns: Turns, lanes: u32) -> bool {
    let [x, y, z] = steps.workgroup;
    let mut discards = false;
    steps.walk(|_, op| {
        discards |= matches!(steps.ops[op as usize].kind, Kind::Ir(OpKind::Discard | OpKind::DiscardSamples));
    });
    !discards
        && match turns {
            Turns::Quads => false,
            Turns::Rows => x.is_multiple_of(lanes),
            Turns::Blocks => x.saturating_mul(y).saturating_mul(z).is_multiple_of(lanes),
        }
}

fn lower_for(steps: &Steps, lanes: u32, groups: bool) -> Result<Function, Unsupported> {
    let count: usize = steps.regions.iter().map(|region| region.ops.len()).sum();
    if count > MOST_OPS {
        return Err(Unsupported(format!("{count} ops: at most {MOST_OPS} can be compiled")));
    }
    let (mut takes_turns, has_memory) = turns::look(steps);
    // What fills up the last block is no lane of a subgroup.
    takes_turns |= steps.subgroup > 4;
    let facts = (takes_turns || has_memory || steps.regions.len() > 1).then(|| Facts::of(steps));
    let together = |facts| turns::find(steps, facts, steps.subgroup.max(MOST_LANES));
    let mut turns = facts.as_ref().filter(|_| takes_turns).map(together);
    let wide = turns.filter(|_| steps.subgroup > lanes).map(|turns| Wide::new(steps, turns));
    let is_whole = groups && wide.is_none() && turns.is_some_and(|turns| has_whole_blocks(steps, turns, lanes));
    if wide.is_some() {
        turns = Some(Turns::Blocks);
    }
    let out = Function {
        name: steps.name.clone(),
        model: steps.model.clone(),
        regs: Vec::with_capacity(count),
        prologue: Stream::with_room(ROOM),
        body: Stream::with_room(count),
        labels: 0,
        mode: Mode::PLAIN,
        uniforms: Vec::with_capacity(ROOM),
        kept: (0, 0),
        sites: Vec::new(),
        calls: steps.calls.clone(),
        slots: steps.slots.clone(),
        arrays: steps.arrays.clone(),
        attributes: steps.attrs * 4,
        outputs: steps.outputs.iter().flatten().map(|output| output.map(|output| output.bits)).collect(),
        has_loops: false,
        turns,
        group: is_whole.then_some(Group { size: steps.workgroup, interleaved: 1 }),
        subgroup: steps.subgroup,
        stops: 0,
    };
    let loops_are_uniform = facts.as_ref().is_none_or(|facts| facts.loops_are_uniform(steps));
    let mut lowerer = Lowerer {
        steps,
        out,
        nan_order: nan_order::find(steps),
        facts,
        homes: vec![Home::NOWHERE; steps.values.len()],
        sources: FxHashMap::with_capacity_and_hasher(ROOM, FxBuildHasher),
        digits: FxHashMap::default(),
        frames: FxHashMap::default(),
        leaves: Vec::new(),
        depths: Vec::new(),
        here: steps.body,
        origin: 0,
        everybody: None,
        place: [0; 2],
        wide,
        loops_are_uniform,
        is_alike: loops_are_uniform,
        turn: None,
        rows: steps.workgroup[0].is_multiple_of(lanes),
        unrolling: None,
        known: Known::default(),
        passed: Vec::new(),
        has_left: false,
        diverges: false,
    };
    lowerer.find_leaves();
    lowerer.place = [lowerer.reg(Class::Vector, None), lowerer.source(Source::PixelY)];
    lowerer.emit(Op::PixelX, &[], &[lowerer.place[0]]);
    let end = lowerer.label();
    lowerer.turn = lowerer.out.turns.filter(|_| !is_whole).map(|_| lowerer.mask());
    if let Some(turn) = lowerer.turn {
        lowerer.emit(Op::Turn, &[], &[turn]);
    }
    lowerer.region(steps.body, None, None, end);
    lowerer.emit(Op::Label(end), &[], &[]);
    dead::drop_dead(&mut lowerer.out);
    let interleaved = lowerer.interleaved(lanes);
    if let Some(group) = &mut lowerer.out.group {
        group.interleaved = interleaved;
    }
    recompute::behind_stops(&mut lowerer.out);
    number::in_order(&mut lowerer.out);
    Ok(lowerer.out)
}

/// Whether it makes no difference to a primitive whether a NaN operand is quiet.
fn quiets(prim: Prim) -> bool {
    matches!(
        prim,
        Prim::Fadd
            | Prim::Fsub
            | Prim::Fmul
            | Prim::Fmulz
            | Prim::Fdiv
            | Prim::Fsqrt
            | Prim::Fma
            | Prim::FaddOdd
            | Prim::Round
            | Prim::First
            | Prim::Feq
            | Prim::Flt
            | Prim::Fle
            | Prim::Funo
            | Prim::Widen
            | Prim::Narrow
            | Prim::ToHalf
            | Prim::ToInt
    )
}

/// A number of a type in every lane.
fn bits_of(ty: Ty, bits: u64) -> Source {
    if ty.is_wide() { Source::Bits64(bits) } else { Source::Bits32(bits as u32) }
}

/// Whether two operands may change places, but for the NaN that comes out.
fn commutes(prim: Prim) -> bool {
    use Prim::{Add, And, Disjoint, Eq, Fadd, Feq, Fmul, Fmulz, Funo, Mul, Or, Xor};
    matches!(prim, Fadd | Fmul | Fmulz | Feq | Funo | Add | Mul | And | Or | Xor | Eq | Disjoint)
}

impl Lowerer<'_> {
    /// How many blocks of a workgroup may run as one.
    fn interleaved(&self, lanes: u32) -> u32 {
        let (Some(Group { size: [x, y, z], .. }), Some(facts)) = (self.out.group, &self.facts) else { return 1 };
        if self.diverges || !self.out.arrays.is_empty() {
            return 1;
        }
        let may_be = |blocks: &u32| {
            let together = blocks * lanes;
            (x * y * z).is_multiple_of(together)
                && match turns::find(self.steps, facts, together) {
                    Turns::Quads => false,
                    Turns::Rows => x.is_multiple_of(together),
                    Turns::Blocks => true,
                }
        };
        INTERLEAVED.map(|blocks| blocks as u32).into_iter().find(may_be).unwrap_or(1)
    }

    pub(crate) fn label(&mut self) -> Label {
        self.out.labels += 1;
        self.out.labels - 1
    }

    fn reg(&mut self, class: Class, source: Option<Source>) -> Reg {
        self.out.regs.push(RegData { class, source });
        (self.out.regs.len() - 1) as Reg
    }

    pub(crate) fn mask(&mut self) -> Reg {
        self.reg(Class::Mask, None)
    }

    /// New registers for a value.
    pub(crate) fn pair(&mut self, ty: Ty) -> Pair {
        match ty {
            Ty::Mask => [self.mask(); 2],
            Ty::F32 | Ty::I32 => [self.reg(Class::Vector, None); 2],
            Ty::F64 | Ty::I64 => [self.reg(Class::Vector, None), self.reg(Class::Vector, None)],
        }
    }

    pub(crate) fn emit(&mut self, op: Op, uses: &[Reg], defs: &[Reg]) {
        self.out.body.push(op, uses, defs, self.origin);
    }

    /// The register of what never changes.
    pub(crate) fn source(&mut self, source: Source) -> Reg {
        if let Some(&reg) = self.sources.get(&source) {
            return reg;
        }
        let class = if matches!(source, Source::KeptMask(_)) { Class::Mask } else { Class::Vector };
        let reg = self.reg(class, Some(source));
        self.sources.insert(source, reg);
        reg
    }

    /// The mask of all lanes, or of those that run in this turn.
    pub(crate) fn everybody(&mut self) -> Reg {
        if let Some(reg) = self.turn.or(self.everybody) {
            return reg;
        }
        let (made, kept) = (self.mask(), self.keep_mask());
        self.out.prologue.push(Op::Step(Prim::Const, Ty::Mask, 1, Part::Whole), &[], &[made], self.origin);
        self.out.prologue.push(Op::Keep(kept), &[made], &[], self.origin);
        let reg = self.source(kept);
        self.everybody = Some(reg);
        reg
    }

    fn keep_mask(&mut self) -> Source {
        self.out.kept.1 += 1;
        Source::KeptMask(self.out.kept.1 - 1)
    }

    fn keep_vector(&mut self) -> Source {
        self.out.kept.0 += 1;
        Source::KeptVector(self.out.kept.0 - 1)
    }

    pub(crate) fn ty(&self, id: Id) -> Ty {
        self.steps.values[id as usize]
    }

    fn same(&self, id: Id) -> Id {
        self.nan_order.same(id)
    }

    /// Sets the registers of a value.
    pub(crate) fn bind(&mut self, id: Id, pair: Pair) {
        self.homes[id as usize].pair = pair;
    }

    /// The registers of a value that the body reads.
    pub(crate) fn value(&mut self, id: Id) -> Pair {
        self.home(self.same(id))
    }

    /// The registers that the body reads of a value that is no other.
    #[inline]
    fn home(&mut self, id: Id) -> Pair {
        match self.homes[id as usize] {
            Home { early, pair: [NONE, _] } => self.keep(id, early),
            Home { pair, .. } => pair,
        }
    }

    /// The registers of a value that the prologue has.
    fn keep(&mut self, id: Id, reg: Reg) -> Pair {
        if reg == NONE {
            return [0; 2];
        }
        let pair = if self.out.regs[reg as usize].source.is_some() {
            [reg; 2]
        } else {
            let kept = match self.out.regs[reg as usize].class {
                Class::Mask => self.keep_mask(),
                Class::Vector => self.keep_vector(),
            };
            self.out.prologue.push(Op::Keep(kept), &[reg], &[], self.origin);
            [self.source(kept); 2]
        };
        self.bind(id, pair);
        pair
    }

    /// Where a value is, in the prologue and for the body.
    pub(crate) fn both(&mut self, id: Id) -> Home {
        let id = self.same(id);
        self.home(id);
        self.homes[id as usize]
    }

    fn early(&self, id: Id) -> Reg {
        match self.homes[self.same(id) as usize].early {
            NONE => 0,
            reg => reg,
        }
    }

    /// Registers of several values, both halves of 64-bit ones.
    fn flat(&mut self, ids: &[Id], in_prologue: bool, into: &mut Regs) {
        for &id in ids {
            let [low, high] = if in_prologue { [self.early(id); 2] } else { self.value(id) };
            into.push(low);
            if self.ty(id).is_wide() {
                into.push(high);
            }
        }
    }

    fn add(&mut self, in_prologue: bool, op: Op, uses: &[Reg], defs: &[Reg]) {
        let stream = if in_prologue { &mut self.out.prologue } else { &mut self.out.body };
        stream.push(op, uses, defs, self.origin);
    }

    pub(crate) fn set(&mut self, id: Id, pair: Pair, in_prologue: bool) {
        if in_prologue {
            self.homes[id as usize].early = pair[0];
        } else {
            self.bind(id, pair);
        }
    }

    /// Registers of a new value; one where the prologue makes it.
    pub(crate) fn result(&mut self, id: Id, in_prologue: bool) -> Pair {
        let pair = match self.ty(id) {
            Ty::F64 | Ty::I64 if in_prologue => [self.reg(Class::Vector, None); 2],
            ty => self.pair(ty),
        };
        self.set(id, pair, in_prologue);
        pair
    }

    fn is_uniform(&self, ids: &[Id]) -> bool {
        ids.iter().all(|&id| self.homes[self.same(id) as usize].early != NONE)
    }

    /// An operation without step program.
    pub(crate) fn without_steps(&mut self, op: &OpData, call: u32) {
        let early = self.is_uniform(self.steps.args(op));
        self.call(SiteKind::Call(call), op, None, early);
    }

    /// A primitive.
    pub(crate) fn step(&mut self, number: OpNumber, result: Id, inst: &Inst) {
        if self.unrolling.is_some() && self.fold(result, inst) {
            return;
        }
        let Inst { prim, ty, imm, .. } = *inst;
        match prim {
            Prim::First if self.same(result) != result => return,
            Prim::Const if ty != Ty::Mask => {
                let reg = self.source(bits_of(ty, imm));
                return self.set(result, [reg; 2], true);
            }
            Prim::Bits | Prim::Float => {
                let early = self.is_uniform(inst.args());
                let pair = if early { [self.early(inst.args[0]); 2] } else { self.value(inst.args[0]) };
                return self.set(result, pair, early);
            }
            _ => {}
        }
        let mut own = [0; MAX_ARGS];
        let args = &mut own[..inst.args().len()];
        // What only quiets an operand does nothing that the instruction does not do itself.
        let quiets = quiets(prim);
        let mut early = true;
        for (own, &arg) in args.iter_mut().zip(inst.args()) {
            *own = if quiets { self.nan_order.loud(arg) } else { self.same(arg) };
            early &= self.homes[*own as usize].early != NONE;
        }
        if let [a, b] = args[..]
            && commutes(prim)
        {
            let order = self.nan_order.order(number);
            let is_uniform = |id: Id| self.homes[id as usize].early != NONE;
            // Instructions read their last operand in memory, where what is the same in all lanes is.
            if order.swapped || !early && !order.settled && is_uniform(a) && !is_uniform(b) {
                args.swap(0, 1);
            }
            if prim == Prim::Fmulz
                && !early
                && let Some(n) = args.iter().position(|&arg| self.is_uniform(&[arg]))
                && !self.is_nonzero(self.early(args[n]))
            {
                return self.product_with_uniform(result, ty, imm, [args[0], args[1]], n);
            }
        }
        // A choice without another operand is zero elsewhere.
        let count = args.len() - usize::from(prim == Prim::Select && ty != Ty::Mask && !early && self.is_zero(args[2]));
        let args = &mut args[..count];
        let wide_result = prim.result(ty).is_wide();
        if !ty.is_wide() && !wide_result {
            return self.narrow(result, inst, args, early);
        }
        // One more: the NaN of `first`.
        let (mut pairs, mut count) = ([[0; 2]; MAX_ARGS + 1], 0);
        for &mut arg in args {
            pairs[count] = if early { [self.homes[arg as usize].early; 2] } else { self.home(arg) };
            count += 1;
            if count == 1 && prim == Prim::First {
                pairs[1] = [self.source(bits_of(ty, imm)); 2];
                count = 2;
            }
        }
        let pairs = &pairs[..count];
        if !wide_result {
            // Of 64-bit operands, which all of them are then, both halves.
            let [def, _] = self.result(result, early);
            return self.add(early, Op::Step(prim, ty, imm, Part::Whole), pairs.as_flattened(), &[def]);
        }
        let defs = self.result(result, early);
        let mut uses = [0; MAX_ARGS + 1];
        for (half, part) in [Part::Low, Part::High].into_iter().enumerate() {
            if half == 1 && defs[0] == defs[1] {
                break;
            }
            uses.iter_mut().zip(pairs).for_each(|(reg, pair)| *reg = pair[half]);
            self.add(early, Op::Step(prim, ty, imm, part), &uses[..count], &[defs[half]]);
        }
    }

    /// Whether a value is known to be zero bits.
    fn is_zero(&self, value: Id) -> bool {
        let reg = self.homes[value as usize].early;
        reg != NONE && matches!(self.out.regs[reg as usize].source, Some(Source::Bits32(0) | Source::Bits64(0)))
    }

    /// A primitive with one register for each value, which is nearly all of most shaders.
    #[inline]
    fn narrow(&mut self, result: Id, inst: &Inst, args: &[Id], early: bool) {
        let Inst { prim, ty, imm, .. } = *inst;
        // Two more: the NaN of `first` and the result.
        let (mut regs, mut count) = ([0; MAX_ARGS + 2], 0);
        for &arg in args {
            regs[count] = if early { self.homes[arg as usize].early } else { self.home(arg)[0] };
            count += 1;
        }
        if prim == Prim::First {
            regs.copy_within(1..count, 2);
            regs[1] = self.source(bits_of(ty, imm));
            count += 1;
        }
        let class = if prim.result(ty) == Ty::Mask { Class::Mask } else { Class::Vector };
        let def = self.reg(class, None);
        self.set(result, [def; 2], early);
        regs[count] = def;
        let stream = if early { &mut self.out.prologue } else { &mut self.out.body };
        stream.push_list(Op::Step(prim, ty, imm, Part::Whole), &regs[..=count], count, self.origin);
    }

    /// Whether a register is a number that is the same everywhere, and no zero.
    fn is_nonzero(&self, reg: Reg) -> bool {
        match self.out.regs[reg as usize].source {
            Some(Source::Bits32(bits)) => bits << 1 != 0,
            Some(Source::Bits64(bits)) => bits << 1 != 0,
            _ => false,
        }
    }

    /// `fmulz` with an operand, by its number, that is the same in all lanes: whether that is a zero is found out once. The
    /// operands keep their order, which says whose NaN comes out.
    fn product_with_uniform(&mut self, result: Id, ty: Ty, imm: u64, args: [Id; 2], uniform: usize) {
        let test = self.digits(args[uniform], ty);
        let [a, b] = args.map(|arg| self.value(arg));
        let to = self.result(result, false);
        self.halves(to, |part, half| (Op::Step(Prim::Fmulz, ty, imm, part), smallvec![a[half], b[half], test]));
    }

    /// For a value that is the same in all lanes: all bits but the sign where it is no zero, none where it is one. What they
    /// have in common with another number says whether neither is a zero.
    fn digits(&mut self, value: Id, ty: Ty) -> Reg {
        let value = self.same(value);
        if let Some(&reg) = self.digits.get(&value) {
            return reg;
        }
        let wide = ty == Ty::F64;
        let constant = |bits: u64| if wide { Source::Bits64(bits >> 1) } else { Source::Bits32((bits >> 33) as u32) };
        let (none, all) = (self.source(constant(0)), self.source(constant(u64::MAX)));
        let (is_zero, made) = (self.mask(), self.reg(Class::Vector, None));
        let test = self.early(value);
        let test: Regs = if wide { smallvec![test, test, none, none] } else { smallvec![test, none] };
        self.add(true, Op::Step(Prim::Feq, ty, 0, Part::Whole), &test, &[is_zero]);
        let part = if wide { Part::Low } else { Part::Whole };
        self.add(true, Op::Step(Prim::Select, ty, 0, part), &[is_zero, none, all], &[made]);
        let kept = self.keep_vector();
        self.add(true, Op::Keep(kept), &[made], &[]);
        let reg = self.source(kept);
        self.digits.insert(value, reg);
        reg
    }

    /// The operation in slow lanes. The value becomes the result where nobody else reads it.
    pub(crate) fn redo(&mut self, op: &OpData, call: u32) {
        let args = self.steps.args(op);
        let (slow, value, result) = (args[0], self.same(args[1]), op.result());
        let early = self.is_uniform(args);
        let ty = self.ty(result);
        let from = if early { [self.early(value); 2] } else { self.value(value) };
        let readers = self.nan_order.readers(value);
        let own = readers.count == 1
            && self.out.regs[from[0] as usize].source.is_none()
            && readers.made_in == Some(self.here);
        let to = if own {
            self.set(result, from, early);
            from
        } else {
            let to = self.result(result, early);
            self.add(early, Op::Move, &[from[0]], &[to[0]]);
            if to[0] != to[1] {
                self.add(early, Op::Move, &[from[1]], &[to[1]]);
            }
            to
        };
        let wide = ty.is_wide();
        let to: &[Reg] = if wide { &to } else { &to[..1] };
        let mut uses = Regs::new();
        self.flat(&[slow], early, &mut uses);
        self.flat(&args[2..], early, &mut uses);
        uses.extend_from_slice(to);
        let args = args[2..].iter().map(|&arg| self.ty(arg)).collect();
        let site = self.site(SiteKind::Redo(call), args, vec![ty]);
        self.add(early, Op::Call(site), &uses, to);
    }

    fn site(&mut self, kind: SiteKind, args: Vec<Ty>, results: Vec<Ty>) -> u32 {
        self.out.sites.push(Site { kind, args, results, stride: None });
        (self.out.sites.len() - 1) as u32
    }

    /// Calls out with all operands; `exec` is the first.
    fn call(&mut self, kind: SiteKind, op: &OpData, exec: Option<Reg>, early: bool) {
        let mut uses: Regs = exec.into_iter().collect();
        let steps = self.steps;
        self.flat(steps.args(op), early, &mut uses);
        let args = steps.args(op).iter().map(|&arg| self.ty(arg)).collect();
        let mut defs = Vec::new();
        let mut results = Vec::new();
        for result in op.results() {
            let ty = self.ty(result);
            let pair = self.result(result, early);
            defs.extend_from_slice(if ty.is_wide() { &pair } else { &pair[..1] });
            results.push(ty);
        }
        let site = self.site(kind, args, results);
        self.add(early, Op::Call(site), &uses, &defs);
    }

    /// An op of the IR that neither holds regions nor ends one.
    pub(crate) fn other(&mut self, kind: OpKind, op: &OpData, exec: Option<Reg>) {
        self.wait_for_access(kind, exec);
        let args = self.steps.args(op);
        match kind {
            OpKind::Const { bank, index, comp } => {
                let number = self.out.uniforms.len() as u32;
                self.out.uniforms.push((bank, index, comp));
                let reg = self.source(Source::Uniform(number));
                self.set(op.result(), [reg; 2], true);
            }
            OpKind::Attr { index, comp } => {
                let pair = self.result(op.result(), false);
                let place = self.place;
                self.emit(Op::Attr(u32::from(index) * 4 + u32::from(comp)), &place, &pair[..1]);
            }
            OpKind::Sys(SysVal::QuadLane) => {
                let reg = self.source(Source::QuadLane);
                // It differs from lane to lane: not for the prologue.
                self.bind(op.result(), [reg; 2]);
            }
            OpKind::Sys(SysVal::SubgroupLane) => {
                let lanes = self.everybody();
                self.call(SiteKind::Ir(kind), op, Some(lanes), false);
            }
            OpKind::Sys(SysVal::HelperLane) => {
                let pair = self.result(op.result(), false);
                self.emit(Op::HelperLanes, &[], &pair[..1]);
            }
            OpKind::Sys(value) => {
                let pair = self.result(op.result(), false);
                self.emit(Op::System(value), &[], &pair[..1]);
            }
            OpKind::QuadXor { mask } => {
                let from = self.value(args[0]);
                let to = self.result(op.result(), false);
                self.halves(to, |part, half| (Op::QuadXor(mask, part), smallvec![from[half]]));
            }
            OpKind::QuadShuffle => {
                let (from, lane) = (self.value(args[0]), self.value(args[1])[0]);
                let to = self.result(op.result(), false);
                self.halves(to, |part, half| (Op::QuadShuffle(part), smallvec![from[half], lane]));
            }
            OpKind::QuadAny | OpKind::QuadAll => {
                let lanes = exec.unwrap_or_else(|| self.everybody());
                let predicate = self.value(args[0])[0];
                let to = self.result(op.result(), false);
                self.emit(Op::Vote { all: kind == OpKind::QuadAll }, &[lanes, predicate], &to[..1]);
            }
            OpKind::Out { index, comp } => {
                let plane = u32::from(index) * 4 + u32::from(comp);
                let ty = self.ty(args[0]);
                let Some(bits) = self.out.outputs.get(plane as usize).copied().flatten() else { return };
                let lanes = exec.or(self.turn);
                let mut uses: Regs = lanes.into_iter().collect();
                self.flat(args, false, &mut uses);
                self.emit(Op::Out { plane, bits, ty, masked: lanes.is_some() }, &uses, &[]);
            }
            OpKind::Discard => {
                let lanes = exec.unwrap_or_else(|| self.everybody());
                let predicate = self.value(args[0])[0];
                self.emit(Op::Discard, &[lanes, predicate], &[]);
            }
            OpKind::Barrier => {
                let lanes = exec.unwrap_or_else(|| self.everybody());
                let stop = self.stop();
                self.emit(Op::Barrier(stop), &[lanes], &[]);
            }
            // A subgroup that is no more than a block runs in step.
            OpKind::GroupBarrier => {}
            OpKind::GroupShuffle if self.wide.is_some() => self.shuffle(op, exec),
            OpKind::GroupBallot { word } if self.wide.is_some() => self.ballot(word, op, exec),
            kind => {
                let lanes = exec.unwrap_or_else(|| self.everybody());
                self.call(SiteKind::Ir(kind), op, Some(lanes), false);
                if let OpKind::BufferLoad { .. } | OpKind::BufferStore { .. } = kind {
                    self.find_stride(args[0], exec.is_none());
                }
            }
        }
    }

    /// An instruction for each half of a 64-bit result, one for others.
    pub(crate) fn halves(&mut self, to: Pair, make: impl Fn(Part, usize) -> (Op, SmallVec<[Reg; 3]>)) {
        let parts: &[Part] = if to[0] == to[1] { &[Part::Whole] } else { &[Part::Low, Part::High] };
        for (half, &part) in parts.iter().enumerate() {
            let (op, uses) = make(part, half);
            self.emit(op, &uses, &[to[half]]);
        }
    }
}
