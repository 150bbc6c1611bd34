//! From a bound shader to step form.
//!
//! Each op is replaced by the program of its rule. Equal instructions are made once in a region and those inside it,
//! constants are computed, what is known of a value saves fix-ups and flushes; at the end what nobody reads is dropped.

use crate::function::{Call, Function, Kind, OpNumber, OutputType, Region, RegionNumber};
use crate::observe::{self, Observed};
use crate::prim::{Mode, Prim, Ty};
use crate::program::{Emit, Facts, Id, Inst, MAX_ARGS, Program, rounds};
use crate::rules::{Programs, float::container};
use parallax_core::known::{Known, Name};
use parallax_core::{
    Axis, Bound, EntityRef, Func, OpId, OpKind, Reduction, RegionId, RuleId, Scan, Shader, SlotId, SysVal, TexMode,
    Type, ValueId, Verified,
};
use parallax_num::{Decl, Format, Op, Rule, Storage};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;
use std::sync::Arc;

/// The step form of a verified shader. `programs` keeps what was built from shader to shader.
pub fn legalise(shader: Verified<'_, Bound>, programs: &mut Programs) -> Function {
    legalise_for(shader, programs, Arithmetic::AnyNan)
}

/// Which NaN the arithmetic of a machine gives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Any.
    AnyNan,
    /// The first NaN operand, quieted, or the negative quiet NaN where none is one, as the instructions of x86 do.
    FirstNan,
}

/// The step form of a verified shader for a machine. Where its arithmetic gives the NaN that is asked for, whatever becomes of
/// the order of operands, there is no `first`.
pub fn legalise_for(shader: Verified<'_, Bound>, programs: &mut Programs, arithmetic: Arithmetic) -> Function {
    build(shader.shader(), programs, arithmetic, &|_, _, _| false, Keeps::Nothing)
}

/// Whether an operation under a rule stays a call, whether or not it has a program.
pub type Leaves<'a> = &'a dyn Fn(&mut Programs, Op, &Rule) -> bool;

/// The step form of a verified shader for a machine that has operations of its own: those that `leaves` names stay calls. It says what is
/// known of values.
pub fn legalise_leaving(shader: Verified<'_, Bound>, programs: &mut Programs, leaves: Leaves<'_>) -> Function {
    build(shader.shader(), programs, Arithmetic::AnyNan, leaves, Keeps::Facts)
}

/// The step form of a verified shader with a [`Kind::Trace`] behind the steps of each op: the bits of every value are those of
/// the reference evaluation, NaN included, whether or not the shader's results depend on them.
pub fn legalise_traced(shader: Verified<'_, Bound>, programs: &mut Programs) -> Function {
    build(shader.shader(), programs, Arithmetic::AnyNan, &|_, _, _| false, Keeps::Traces)
}

/// What is kept besides the steps.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Keeps {
    Nothing,
    /// What is known of values.
    Facts,
    /// Which op of the shader was evaluated.
    Traces,
}

fn build(
    shader: &Shader<Bound>,
    programs: &mut Programs,
    arithmetic: Arithmetic,
    leaves: Leaves<'_>,
    keeps: Keeps,
) -> Function {
    let func = &shader.func;
    let ty = |ty: Type| ty_of(ty, &shader.state);
    let outputs = func.iface.outputs.iter().map(|out| {
        out.types.map(|declared| {
            declared.map(|declared| OutputType { ty: ty(declared), bits: plane_bits(declared, &shader.state) })
        })
    });
    let Observed { values: mut observed, ops } = observe::observed(shader);
    let traced = keeps == Keeps::Traces;
    if traced {
        observed.fill(true);
    }
    // Most come to one step or two.
    let room = 2 * ops + 16;
    let made = Function {
        name: func.name.clone(),
        isa: func.isa.clone(),
        stage: func.iface.stage,
        workgroup: func.iface.workgroup,
        shared_words: func.iface.buffers.iter().map(|buffer| buffer.workgroup).collect(),
        subgroup: shader.state.subgroup,
        model: shader.state.model.clone(),
        attrs: func.iface.attrs.len() as u32,
        outputs: outputs.collect(),
        arrays: func.arrays.values().map(|array| (ty(array.ty), array.len)).collect(),
        slots: func.slots.values().copied().collect(),
        calls: Vec::new(),
        values: Vec::with_capacity(room),
        facts: Vec::new(),
        ops: Vec::with_capacity(room),
        operands: Vec::with_capacity(room / 4),
        origins: Vec::with_capacity(room),
        regions: vec![Region { ops: Vec::with_capacity(room), ..Region::default() }],
        body: 0,
    };
    let mut builder = Builder {
        shader,
        func,
        programs,
        arithmetic,
        leaves,
        traced,
        observed,
        made,
        region: 0,
        origin: 0,
        sources: Vec::with_capacity(room),
        known: Known::new(ops + ops / 2),
        scopes: Vec::new(),
        value_of: vec![NONE; func.values.len()],
        op_of: FxHashMap::default(),
        calls: FxHashMap::default(),
        plans: Vec::with_capacity(PLANS),
        plan_of: FxHashMap::with_capacity_and_hasher(PLANS, FxBuildHasher),
        recent: [None; RECENT],
        numbers: Vec::with_capacity(32),
        operands: Vec::with_capacity(8),
    };
    builder.run();
    let is_unused = builder.sources.iter().any(|made| !made.is_used && made.op != NONE);
    let mut made = builder.made;
    if keeps == Keeps::Facts {
        made.facts = builder.sources.iter().map(|made| made.facts).collect();
    }
    if is_unused {
        made.drop_dead();
    }
    made
}

/// A value not made yet.
const NONE: Id = Id::MAX;

/// The type in which values of an IR type are held.
pub(crate) fn ty_of(ty: Type, bound: &Bound) -> Ty {
    match ty {
        Type::Float(decl) => container(bound.storage(decl)),
        Type::I64 => Ty::I64,
        Type::I32 | Type::I16 | Type::Cc => Ty::I32,
        Type::Pred => Ty::Mask,
    }
}

/// Bits of a plane's word that an output of this type has.
fn plane_bits(ty: Type, bound: &Bound) -> u32 {
    let storage = ty.decl().map(|decl| bound.storage(decl));
    parallax_core::exec::PlaneType { ty, storage }.bits()
}

/// What makes other primitives of those that read a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Shape {
    Constant,
    Negation,
    Other,
}

/// Where a value comes from.
struct Made {
    /// The op that makes it; [`NONE`] for a parameter.
    op: OpNumber,
    facts: Facts,
    shape: Shape,
    /// Whether an op reads it.
    is_used: bool,
}

impl Made {
    /// One that nothing is known of.
    fn by(op: OpNumber) -> Made {
        Made { op, facts: Facts::default(), shape: Shape::Other, is_used: false }
    }
}

/// What an operation under a rule of the shader comes to.
struct Plan {
    /// `None`: a call.
    program: Option<Arc<Program>>,
    result: Ty,
    short: Option<Short>,
    /// Its number among the calls, once it has one.
    call: Option<u32>,
}

/// What most operations come to.
#[derive(Copy, Clone)]
enum Short {
    /// The first operand as it is.
    Operand,
    /// One primitive, which nothing but constant operands and negations makes something else. Its operands are numbers of operands of the
    /// operation.
    Single(Inst, Facts),
}

/// An operation, its rule and slot, and whether anybody sees the bits of a NaN result.
type Request = (Op, Option<RuleId>, Option<SlotId>, bool);

/// Plans that there is room for from the start.
const PLANS: usize = 14;

/// Plans that are remembered besides the table of all.
const RECENT: usize = 8;

/// What is still to be done, innermost last: the region tree is walked without recursion.
enum Work {
    Region { from: RegionId, to: RegionNumber, at: usize },
    Enter { from: RegionId, to: RegionNumber },
    Leave,
}

struct Builder<'a> {
    shader: &'a Shader<Bound>,
    func: &'a Func,
    programs: &'a mut Programs,
    arithmetic: Arithmetic,
    /// Whether an operation stays a call.
    leaves: Leaves<'a>,
    /// Whether every op is reported.
    traced: bool,
    observed: Vec<bool>,
    made: Function,
    region: RegionNumber,
    /// The op of the IR that steps are made for.
    origin: u32,
    sources: Vec<Made>,
    known: Known,
    /// How many instructions were known when each of the regions inside the body began, innermost last.
    scopes: Vec<usize>,
    value_of: Vec<Id>,
    op_of: FxHashMap<OpId, OpNumber>,
    calls: FxHashMap<Call, u32>,
    /// Finding a program by all fields of its rule takes longer than making its steps.
    plans: Vec<Plan>,
    plan_of: FxHashMap<Request, u32>,
    /// Those that were looked for last, by operation.
    recent: [Option<(Request, u32)>; RECENT],
    /// Values of the program that is being made.
    numbers: Vec<Id>,
    /// Operands of the op that steps are made for.
    operands: Vec<Id>,
}

impl Emit for Builder<'_> {
    #[inline]
    fn inst(&self, id: Id) -> Option<&Inst> {
        inst_of(&self.sources, &self.made, id)
    }

    #[inline]
    fn ty(&self, id: Id) -> Ty {
        self.made.values[id as usize]
    }

    #[inline]
    fn facts(&self, id: Id) -> Facts {
        self.sources[id as usize].facts
    }

    #[inline]
    fn intern(&mut self, inst: Inst, facts: Facts) -> Id {
        if inst.prim == Prim::First && self.chooses_itself(&inst) {
            return inst.args[0];
        }
        let is_equal = |id: Id| inst_of(&self.sources, &self.made, id) == Some(&inst);
        let name = Name::of(&inst);
        let name = inst.args().iter().max().map_or(name, |newest| name.behind(*newest));
        let place = match self.known.find(name, is_equal) {
            Ok(known) => return known,
            Err(place) => place,
        };
        let op = self.made.ops.len() as OpNumber;
        let id = self.made.add_step(self.region, inst);
        self.made.origins.push(self.origin);
        let shape = match inst.prim {
            Prim::Const => Shape::Constant,
            Prim::Fneg => Shape::Negation,
            _ => Shape::Other,
        };
        self.sources.push(Made { op, facts, shape, is_used: false });
        inst.args().iter().for_each(|&arg| self.sources[arg as usize].is_used = true);
        self.known.add(place, id);
        id
    }

    #[inline]
    fn constant(&self, id: Id) -> Option<u64> {
        let is_constant = self.sources[id as usize].shape == Shape::Constant;
        is_constant.then(|| self.inst(id).map_or(0, |inst| inst.imm))
    }
}

/// The instruction that makes a value.
#[inline]
fn inst_of<'a>(sources: &[Made], made: &'a Function, id: Id) -> Option<&'a Inst> {
    made.ops.get(sources[id as usize].op as usize)?.inst()
}

impl<'a> Builder<'a> {
    /// Whether the operation behind a choice of a NaN makes it where the machine gives the first one. The operands of sums
    /// and products may still change places.
    fn chooses_itself(&self, first: &Inst) -> bool {
        let Some(made) = self.inst(first.args[0]) else { return false };
        if !self.chooses_first(first, made.prim) {
            return false;
        }
        let [_, a, b, c] = first.args;
        if made.count + 1 == first.count && made.args == [a, b, c, 0] {
            return true;
        }
        // Numbers and repeated operands are not among those that are left to choose from.
        let mut wanted = first.args()[1..].iter();
        let operands = made.args().iter().enumerate();
        let mut listed = operands.filter(|&(n, arg)| !self.facts(*arg).number && !made.args[..n].contains(arg));
        listed.all(|(_, arg)| wanted.next() == Some(arg)) && wanted.next().is_none()
    }

    /// Whether a primitive gives the first NaN among its operands, or else the one that a choice has.
    fn chooses_first(&self, first: &Inst, made: Prim) -> bool {
        let negative = if first.ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8_0000_0000_0000 };
        self.arithmetic == Arithmetic::FirstNan
            && first.imm == negative
            && matches!(made, Prim::Fma | Prim::Fsub | Prim::Fdiv | Prim::Fsqrt)
    }

    /// An op that is no primitive, with results of these types: gives the first of them.
    fn push(&mut self, kind: Kind, args: &[Id], results: &[Ty]) -> Id {
        let op = self.made.ops.len() as OpNumber;
        self.made.origins.push(self.origin);
        self.sources.extend(results.iter().map(|_| Made::by(op)));
        args.iter().for_each(|&arg| self.sources[arg as usize].is_used = true);
        self.made.add(self.region, kind, args, results)
    }

    fn prim(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        self.emit(Inst::new(prim, ty, imm, args))
    }

    fn int(&mut self, v: u32) -> Id {
        self.prim(Prim::Const, Ty::I32, v.into(), &[])
    }

    fn run(&mut self) {
        let mut work = vec![Work::Region { from: self.func.body, to: self.made.body, at: 0 }];
        while let Some(next) = work.pop() {
            match next {
                Work::Enter { from, to } => {
                    self.scopes.push(self.known.len());
                    work.push(Work::Leave);
                    work.push(Work::Region { from, to, at: 0 });
                }
                Work::Leave => {
                    let Some(known) = self.scopes.pop() else { continue };
                    self.known.forget(known);
                }
                Work::Region { from, to, at } => {
                    self.region = to;
                    let ops = &self.func.regions[from].ops;
                    for (n, &op) in ops.iter().enumerate().skip(at) {
                        if !matches!(self.func.ops[op].kind, OpKind::If | OpKind::Block | OpKind::Loop) {
                            self.op(op);
                            if self.traced {
                                self.trace(op);
                            }
                            continue;
                        }
                        let inner = self.control(op);
                        work.push(Work::Region { from, to, at: n + 1 });
                        work.extend(inner.into_iter().rev().map(|(from, to)| Work::Enter { from, to }));
                        break;
                    }
                }
            }
        }
    }

    /// An op with regions; gives them and those made for them.
    fn control(&mut self, op: OpId) -> Vec<(RegionId, RegionNumber)> {
        self.origin = op.index() as u32;
        let data = &self.func.ops[op];
        let args: Vec<Id> = data.args.iter().map(|arg| self.value_of[arg.index()]).collect();
        let types: Vec<Ty> = data.results.iter().map(|&r| self.ty_of(r)).collect();
        let results = self.push(Kind::Ir(data.kind), &args, &types);
        let number = (self.made.ops.len() - 1) as OpNumber;
        self.op_of.insert(op, number);
        self.bind(op, results);
        let regions = self.made.add_regions(number, data.regions.len());
        let inner: Vec<(RegionId, RegionNumber)> = data.regions.iter().copied().zip(regions).collect();
        if data.kind == OpKind::Loop {
            let cost = self.func.back_edge_cost(op);
            inner.iter().for_each(|&(_, body)| self.made.regions[body as usize].cost = if cost > 1 { cost } else { 0 });
        }
        for &(from, to) in &inner {
            self.made.regions[to as usize].ops.reserve(2 * self.func.regions[from].ops.len());
            for &param in &self.func.regions[from].params {
                let value = self.made.values.len() as Id;
                self.made.values.push(self.ty_of(param));
                self.sources.push(Made::by(NONE));
                self.made.regions[to as usize].params.push(value);
                self.value_of[param.index()] = value;
            }
        }
        inner
    }

    /// Reports an op that was just made; terminators are reported by what they do.
    fn trace(&mut self, op: OpId) {
        let data = &self.func.ops[op];
        if !matches!(data.kind, OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_)) {
            let values = data.args.iter().chain(&data.results);
            let args: Vec<Id> = values.map(|value| self.value_of[value.index()]).collect();
            self.push(Kind::Trace(op), &args, &[]);
        }
    }

    fn ty_of(&self, value: ValueId) -> Ty {
        ty_of(self.func.ty(value), &self.shader.state)
    }

    /// Sets the results of an op: values from `first` on.
    fn bind(&mut self, op: OpId, first: Id) {
        for (result, value) in self.func.ops[op].results.iter().zip(first..) {
            self.value_of[result.index()] = value;
        }
    }

    /// An op without regions.
    fn op(&mut self, op: OpId) {
        self.origin = op.index() as u32;
        let data = &self.func.ops[op];
        if let OpKind::Num(num) = data.kind
            && let [result] = data.results[..]
        {
            let number = self.plan_number((num, data.rule, data.slot, self.observed[result.index()]));
            if let Some(short) = self.plans[number].short
                && let Some(value) = self.follow_short(short, |own, n| own.value_of[data.args[n].index()])
            {
                self.value_of[result.index()] = value;
                return;
            }
        }
        let mut args = std::mem::take(&mut self.operands);
        args.clear();
        args.extend(data.args.iter().map(|arg| self.value_of[arg.index()]));
        self.op_of_operands(op, &args);
        self.operands = args;
    }

    fn op_of_operands(&mut self, op: OpId, args: &[Id]) {
        let data = &self.func.ops[op];
        let (rule, slot) = (data.rule, data.slot);
        let seen = data.results.first().is_some_and(|r| self.observed[r.index()]);
        let result = match data.kind {
            OpKind::Num(num) => self.num((num, rule, slot, seen), args),
            OpKind::Literal(bits) => {
                let ty = self.ty_of(data.results[0]);
                self.prim(Prim::Const, ty, bits & ty.bits(), &[])
            }
            OpKind::Select => {
                let ty = self.ty(args[1]);
                self.prim(Prim::Select, ty, 0, args)
            }
            OpKind::Deriv { axis, fine } => {
                let (high, low) = self.neighbours(axis, fine, args[0]);
                self.num((Op::Sub, rule, slot, seen), &[high, low])
            }
            OpKind::Tex(tex) => return self.lookup(op, args, rule, slot, tex.mode == TexMode::Fetch),
            OpKind::Const { .. }
            | OpKind::ConstAt { .. }
            | OpKind::Attr { .. }
            | OpKind::AttrAt { .. }
            | OpKind::AttrSample { .. }
            | OpKind::AttrOffset { .. }
            | OpKind::AttrCentroid { .. } => {
                let raw = self.read(data.kind, args);
                match rule {
                    None => raw,
                    Some(_) => {
                        // What is read is no pattern of a float, so that this is nothing simpler.
                        let v = self.intern(Inst::new(Prim::Float, Ty::F32, 0, &[raw]), Facts::default());
                        self.num((Op::Cvt, rule, slot, seen), &[v])
                    }
                }
            }
            OpKind::GroupReduce(reduction) => self.reduced(reduction, (rule, slot), args),
            OpKind::Sys(SysVal::SubgroupSize) => self.int(self.shader.state.subgroup),
            OpKind::Sys(_) | OpKind::SamplePosition { .. } => self.read(data.kind, args),
            kind => {
                let kind = match kind {
                    OpKind::Break(target) => OpKind::Break(self.target(target)),
                    OpKind::Continue(target) => OpKind::Continue(self.target(target)),
                    other => other,
                };
                let types: Vec<Ty> = data.results.iter().map(|&r| self.ty_of(r)).collect();
                let results = self.push(Kind::Ir(kind), args, &types);
                return self.bind(op, results);
            }
        };
        self.bind(op, result);
    }

    fn target(&self, op: OpId) -> OpId {
        OpId::new(self.op_of.get(&op).map_or(0, |&number| number as usize))
    }

    /// A read of what does not change: equal ones are made once.
    fn read(&mut self, kind: OpKind, args: &[Id]) -> Id {
        let is_equal = |id: Id| {
            let op = self.made.ops.get(self.sources[id as usize].op as usize);
            op.is_some_and(|op| op.kind == Kind::Ir(kind) && self.made.args(op) == args)
        };
        let place = match self.known.find(Name::of(&(kind, args)), is_equal) {
            Ok(known) => return known,
            Err(place) => place,
        };
        let value = self.push(Kind::Ir(kind), args, &[Ty::I32]);
        self.known.add(place, value);
        value
    }

    /// An arithmetic op by its program.
    fn num(&mut self, asked: Request, args: &[Id]) -> Id {
        let (op, rule, slot, _) = asked;
        let number = self.plan_number(asked);
        if let Some(short) = self.plans[number].short
            && let Some(value) = self.follow_short(short, |_, n| args[n])
        {
            return value;
        }
        let rule = self.rule(rule);
        let kept = &mut self.plans[number];
        let mut plan = Plan { program: kept.program.take(), ..*kept };
        let value = self.follow(&mut plan, (op, rule, slot), args);
        self.plans[number] = plan;
        value
    }

    fn rule(&self, rule: Option<RuleId>) -> &'a Rule {
        rule.map_or(&PLAIN, |id| &self.shader.state.rules[id])
    }

    /// The number of the plan for what is asked.
    #[inline]
    fn plan_number(&mut self, asked: Request) -> usize {
        let recent = asked.0 as usize % RECENT;
        match self.recent[recent] {
            Some((known, number)) if known == asked => number as usize,
            _ => {
                let number = self.find_plan(asked);
                self.recent[recent] = Some((asked, number));
                number as usize
            }
        }
    }

    #[inline(never)]
    fn find_plan(&mut self, asked: Request) -> u32 {
        if let Some(&number) = self.plan_of.get(&asked) {
            return number;
        }
        let (op, rule, _, observed) = asked;
        let plan = self.plan(op, self.rule(rule), observed);
        self.plans.push(plan);
        let number = (self.plans.len() - 1) as u32;
        self.plan_of.insert(asked, number);
        number
    }

    fn plan(&mut self, op: Op, rule: &Rule, observed: bool) -> Plan {
        let program = if (self.leaves)(self.programs, op, rule) { None } else { self.programs.get(op, rule, observed) };
        let short = program.as_deref().and_then(|program| self.short(program));
        Plan { program, result: crate::rules::result(op, rule), short, call: None }
    }

    /// A program that is nothing, or one primitive, or one and the choice of a NaN that the machine makes so itself.
    fn short(&self, program: &Program) -> Option<Short> {
        let (inst, first) = match program.insts[..] {
            [] if program.slow.is_none() && program.result == 0 => return Some(Short::Operand),
            [inst] => (inst, None),
            [inst, first] => (inst, Some(first)),
            _ => return None,
        };
        let params = program.params.len() as Id;
        let whole = program.slow.is_none() && program.result == params + program.insts.len() as Id - 1;
        if !whole || !rounds(inst.prim) || inst.prim == Prim::Fmulz {
            return None;
        }
        let [_, a, b, c] = first.map_or([0; MAX_ARGS], |first| first.args);
        let is_chosen = first.is_none_or(|first| {
            let names = first.prim == Prim::First && first.args[0] == params && first.count == inst.count + 1;
            names && self.chooses_first(&first, inst.prim) && inst.args == [a, b, c, 0]
        });
        let flushes = Mode::from_word(inst.imm).is_some_and(|mode| mode.flush);
        let facts = Facts { number: false, normal: flushes, least: None };
        is_chosen.then_some(Short::Single(inst, facts))
    }

    /// What an operation comes to whose operands are neither all constant nor negations that it takes in.
    #[inline]
    fn follow_short(&mut self, short: Short, operand: impl Fn(&Self, usize) -> Id) -> Option<Id> {
        let Short::Single(mut inst, facts) = short else { return Some(operand(self, 0)) };
        let mut constants = 0;
        for arg in &mut inst.args[..usize::from(inst.count)] {
            *arg = operand(self, *arg as usize);
            match self.sources[*arg as usize].shape {
                Shape::Constant => constants += 1,
                Shape::Negation if matches!(inst.prim, Prim::Fadd | Prim::Fsub) => return None,
                _ => {}
            }
        }
        if constants == inst.count {
            return None;
        }
        if inst.prim.commutes() {
            self.order(&mut inst);
        }
        Some(self.intern(inst, facts))
    }

    /// An arithmetic op as a plan says.
    fn follow(&mut self, plan: &mut Plan, (op, rule, slot): (Op, &Rule, Option<SlotId>), args: &[Id]) -> Id {
        let made = match &plan.program {
            None => None,
            Some(program) => {
                let (value, slow) = self.instantiate(program, args);
                let Some(slow) = slow.filter(|&slow| self.constant(slow) != Some(0)) else { return value };
                Some([slow, value])
            }
        };
        let number = *plan.call.get_or_insert_with(|| {
            let call = Call { op, rule: *rule, slot: slot.map(|slot| slot.index() as u32), source: rule.source };
            let next = self.made.calls.len() as u32;
            let number = *self.calls.entry(call).or_insert(next);
            if number == next {
                self.made.calls.push(call);
            }
            number
        });
        match made {
            None => self.push(Kind::Call(number), args, &[plan.result]),
            Some(made) => {
                let operands: SmallVec<[Id; 8]> = made.iter().chain(args).copied().collect();
                self.push(Kind::Redo(number), &operands, &[plan.result])
            }
        }
    }

    fn instantiate(&mut self, program: &Program, args: &[Id]) -> (Id, Option<Id>) {
        let mut values = std::mem::take(&mut self.numbers);
        values.clear();
        values.extend_from_slice(args);
        for inst in &program.insts {
            let mut inst = *inst;
            let count = usize::from(inst.count);
            for arg in &mut inst.args[..count] {
                *arg = values[*arg as usize];
            }
            // Looked at here as well: simplifying a choice that is none would be most of the work.
            let is_made = inst.prim == Prim::First && self.chooses_itself(&inst);
            let value = if is_made { inst.args[0] } else { self.emit(inst) };
            values.push(value);
        }
        let made = (values[program.result as usize], program.slow.map(|slow| values[slow as usize]));
        self.numbers = values;
        made
    }

    /// What the active lanes of a subgroup hold, combined one after the other.
    fn reduced(&mut self, reduction: Reduction, (rule, slot): (Option<RuleId>, Option<SlotId>), args: &[Id]) -> Id {
        let (value, mut sum) = (args[0], args[1]);
        let ty = self.ty(value);
        let integer = |own: &mut Self, op: Op, args: &[Id]| own.num((op, None, None, true), args);
        let count = reduction.lanes(self.shader.state.subgroup);
        let lane = self.read(OpKind::Sys(SysVal::SubgroupLane), &[]);
        let (one, zero, below) = (self.int(1), self.int(0), self.int(count - 1));
        let place = self.prim(Prim::And, Ty::I32, 0, &[lane, below]);
        let first = integer(self, Op::Isub, &[lane, place]);
        for n in 0..count {
            let number = self.int(n);
            let from = integer(self, Op::Iadd, &[first, number]);
            let [held, active] = [(value, ty), (one, Ty::I32)]
                .map(|(of, ty)| self.push(Kind::Ir(OpKind::GroupShuffle), &[of, from], &[ty]));
            let next = self.num((reduction.op, rule, slot, true), &[sum, held]);
            let mut counts = integer(self, Op::Ine, &[active, zero]);
            let before = match reduction.scan {
                Scan::All => None,
                Scan::Inclusive => Some(Op::Ule),
                Scan::Exclusive => Some(Op::Ult),
            };
            if let Some(before) = before {
                let is_before = integer(self, before, &[number, place]);
                counts = self.prim(Prim::And, Ty::Mask, 0, &[counts, is_before]);
            }
            sum = self.prim(Prim::Select, ty, 0, &[counts, next, sum]);
        }
        sum
    }

    /// The two values whose difference a derivative is.
    fn neighbours(&mut self, axis: Axis, fine: bool, value: Id) -> (Id, Id) {
        let ty = self.ty(value);
        let lanes = match (axis, fine) {
            (Axis::X, false) => Some((3, 2)),
            (Axis::Y, false) => Some((2, 0)),
            _ => None,
        };
        let (high, low) = match lanes {
            Some((high, low)) => (self.int(high), self.int(low)),
            None => {
                let bit = if axis == Axis::X { 1 } else { 2 };
                let lane = self.read(OpKind::Sys(SysVal::QuadLane), &[]);
                let (bit, rest) = (self.int(bit), self.int(3 - bit));
                (self.prim(Prim::Or, Ty::I32, 0, &[lane, bit]), self.prim(Prim::And, Ty::I32, 0, &[lane, rest]))
            }
        };
        let mut shuffle = |lane: Id| self.push(Kind::Ir(OpKind::QuadShuffle), &[value, lane], &[ty]);
        (shuffle(high), shuffle(low))
    }

    /// A texture lookup: binary32 in and out.
    fn lookup(&mut self, op: OpId, args: &[Id], rule: Option<RuleId>, slot: Option<SlotId>, fetch: bool) {
        let data = &self.func.ops[op];
        let storage = data.args.first().and_then(|&arg| self.func.ty(arg).decl()).map(|d| self.shader.state.storage(d));
        let coordinates = args.iter().map(|&arg| match storage {
            Some(storage) if !fetch && storage != Storage::F32 => {
                let rule = Rule { source: storage, ..PLAIN };
                let mut plan = self.plan(Op::Cvt, &rule, true);
                self.follow(&mut plan, (Op::Cvt, &rule, None), &[arg])
            }
            _ => arg,
        });
        let coordinates: SmallVec<[Id; 8]> = coordinates.collect();
        let Some(_) = rule else {
            let words = self.push(Kind::Ir(data.kind), &coordinates, &[Ty::I32; 4]);
            return self.bind(op, words);
        };
        let texels = self.push(Kind::Ir(data.kind), &coordinates, &[Ty::F32; 4]);
        for (&result, texel) in data.results.iter().zip(texels..texels + 4) {
            let seen = self.observed[result.index()];
            let value = self.num((Op::Cvt, rule, slot, seen), &[texel]);
            self.value_of[result.index()] = value;
        }
    }
}

/// The rule of operations that look at none, and of conversions to binary32 as such.
pub(crate) const PLAIN: Rule = Rule::ieee(Decl::F32, Format::F32);
