//! From a bound shader to step form.
//!
//! Each op is replaced by the program of its rule. Equal instructions are made once in a region and those inside it,
//! constants are computed, what is known of a value saves fix-ups and flushes; at the end what nobody reads is dropped.

use crate::function::{Call, Function, Ids, Kind, OpData, OpNumber, OutputType, Region, RegionNumber};
use crate::known::Known;
use crate::observe;
use crate::prim::{Prim, Ty};
use crate::program::{Emit, Facts, Id, Inst, Program};
use crate::rules::{Programs, float::container};
use parallax_core::{
    Axis, Bound, EntityRef, Func, OpId, OpKind, RegionId, RuleId, Shader, SlotId, SysVal, TexMode, Type, ValueId,
    Verified,
};
use parallax_num::{Decl, Format, Op, Rule, Storage};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
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
    let shader = shader.shader();
    let func = &shader.func;
    let ty = |ty: Type| ty_of(ty, &shader.state);
    let outputs = func.iface.outputs.iter().map(|out| {
        out.types.map(|declared| {
            declared.map(|declared| OutputType { ty: ty(declared), bits: plane_bits(declared, &shader.state) })
        })
    });
    // Ops that passes dropped are counted too; what is left comes to some steps each.
    let room = func.ops.len();
    let made = Function {
        name: func.name.clone(),
        isa: func.isa.clone(),
        stage: func.iface.stage,
        model: shader.state.model.clone(),
        attrs: func.iface.attrs.len() as u32,
        outputs: outputs.collect(),
        arrays: func.arrays.values().map(|array| (ty(array.ty), array.len)).collect(),
        slots: func.slots.values().copied().collect(),
        calls: Vec::new(),
        values: Vec::with_capacity(room),
        ops: Vec::with_capacity(room),
        origins: Vec::with_capacity(room),
        regions: vec![Region { params: Vec::new(), ops: Vec::with_capacity(room) }],
        body: 0,
    };
    let mut builder = Builder {
        shader,
        func,
        programs,
        arithmetic,
        observed: observe::observed(shader),
        made,
        region: 0,
        origin: 0,
        facts: Vec::with_capacity(room),
        defs: Vec::with_capacity(room),
        known: Known::new(2 * room),
        reads: FxHashMap::default(),
        scopes: Vec::new(),
        value_of: vec![NONE; func.values.len()],
        op_of: FxHashMap::default(),
        calls: FxHashMap::default(),
        plans: Vec::new(),
        plan_of: FxHashMap::default(),
        recent: [None; RECENT],
        numbers: Vec::new(),
        operands: Vec::new(),
    };
    builder.run();
    let mut made = builder.made;
    made.drop_dead();
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

/// What is forgotten at the end of a region.
struct Scope {
    /// How many instructions were known when it began.
    known: usize,
    reads: Vec<(OpKind, Ids)>,
}

/// What an operation under a rule of the shader comes to.
struct Plan {
    /// `None`: a call.
    program: Option<Arc<Program>>,
    result: Ty,
    /// Its number among the calls, once it has one.
    call: Option<u32>,
}

/// An operation, its rule and slot, and whether anybody sees the bits of a NaN result.
type Asked = (Op, Option<RuleId>, Option<SlotId>, bool);

/// Plans that are remembered beside the table of all.
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
    observed: Vec<bool>,
    made: Function,
    region: RegionNumber,
    /// The op of the IR that steps are made for.
    origin: u32,
    facts: Vec<Facts>,
    /// Instruction of each value that a primitive makes.
    defs: Vec<Option<Inst>>,
    known: Known,
    reads: FxHashMap<(OpKind, Ids), Id>,
    /// Those of regions inside the body, innermost last.
    scopes: Vec<Scope>,
    value_of: Vec<Id>,
    op_of: FxHashMap<OpId, OpNumber>,
    calls: FxHashMap<Call, u32>,
    /// Finding a program by all fields of its rule takes longer than making its steps.
    plans: Vec<Plan>,
    plan_of: FxHashMap<Asked, u32>,
    /// Those that were looked for last, by operation.
    recent: [Option<(Asked, u32)>; RECENT],
    /// Values of the program that is being made.
    numbers: Vec<Id>,
    /// Operands of the op that steps are made for.
    operands: Vec<Id>,
}

impl Emit for Builder<'_> {
    fn inst(&self, id: Id) -> Option<&Inst> {
        self.defs.get(id as usize)?.as_ref()
    }

    fn ty(&self, id: Id) -> Ty {
        self.made.values[id as usize]
    }

    fn facts(&self, id: Id) -> Facts {
        self.facts[id as usize]
    }

    fn intern(&mut self, inst: Inst, facts: Facts) -> Id {
        if inst.prim == Prim::First && self.chooses_itself(&inst) {
            return inst.args[0];
        }
        let defs = &self.defs;
        let hash = match self.known.find(&inst, |id| defs[id as usize].as_ref()) {
            Ok(id) => return id,
            Err(hash) => hash,
        };
        let id = self.made.values.len() as Id;
        self.made.values.push(inst.result());
        self.facts.push(facts);
        self.defs.push(Some(inst));
        let args = Ids::from_buf_and_len(inst.args, usize::from(inst.count));
        self.add(Kind::Step(inst.prim, inst.ty, inst.imm), args, Ids::from_buf_and_len([id; 4], 1));
        self.known.add(hash, id);
        id
    }
}

impl Builder<'_> {
    /// Whether the operation behind a choice of a NaN makes it where the machine gives the first one. The operands of sums
    /// and products may still change places.
    fn chooses_itself(&self, first: &Inst) -> bool {
        if self.arithmetic != Arithmetic::FirstNan {
            return false;
        }
        let Some(made) = self.inst(first.args[0]) else { return false };
        let ordered = matches!(made.prim, Prim::Fma | Prim::Fsub | Prim::Fdiv | Prim::Fsqrt);
        let negative = if first.ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8_0000_0000_0000 };
        if !ordered || first.imm != negative {
            return false;
        }
        if made.args() == &first.args()[1..] {
            return true;
        }
        // Numbers and repeated operands are not among those that are left to choose from.
        let mut wanted = first.args()[1..].iter();
        let operands = made.args().iter().enumerate();
        let mut listed = operands.filter(|&(n, arg)| !self.facts(*arg).number && !made.args[..n].contains(arg));
        listed.all(|(_, arg)| wanted.next() == Some(arg)) && wanted.next().is_none()
    }

    fn value(&mut self, ty: Ty) -> Id {
        self.made.values.push(ty);
        self.facts.push(Facts::default());
        self.defs.push(None);
        (self.made.values.len() - 1) as Id
    }

    fn push(&mut self, kind: Kind, args: Ids, results: &[Ty]) -> Ids {
        let results: Ids = results.iter().map(|&ty| self.value(ty)).collect();
        self.add(kind, args, results.clone());
        results
    }

    /// An op with one result.
    fn push_one(&mut self, kind: Kind, args: Ids, result: Ty) -> Id {
        let id = self.value(result);
        self.add(kind, args, smallvec![id]);
        id
    }

    #[inline(always)]
    fn add(&mut self, kind: Kind, args: Ids, results: Ids) {
        let number = self.made.ops.len() as OpNumber;
        self.made.ops.push(OpData { kind, args, results, regions: Vec::new() });
        self.made.origins.push(self.origin);
        self.made.regions[self.region as usize].ops.push(number);
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
                    self.scopes.push(Scope { known: self.known.len(), reads: Vec::new() });
                    work.push(Work::Leave);
                    work.push(Work::Region { from, to, at: 0 });
                }
                Work::Leave => {
                    let Some(scope) = self.scopes.pop() else { continue };
                    self.known.forget(scope.known);
                    scope.reads.iter().for_each(|read| {
                        self.reads.remove(read);
                    });
                }
                Work::Region { from, to, at } => {
                    self.region = to;
                    let ops = &self.func.regions[from].ops;
                    for (n, &op) in ops.iter().enumerate().skip(at) {
                        if self.func.ops[op].regions.is_empty() {
                            self.op(op);
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
        let args: Ids = data.args.iter().map(|arg| self.value_of[arg.index()]).collect();
        let types: Vec<Ty> = data.results.iter().map(|&r| self.ty_of(r)).collect();
        let results = self.push(Kind::Ir(data.kind), args, &types);
        let number = (self.made.ops.len() - 1) as OpNumber;
        self.op_of.insert(op, number);
        self.bind(op, &results);
        let mut inner = Vec::new();
        for &from in &data.regions {
            let to = self.made.regions.len() as RegionNumber;
            self.made.regions.push(Region::default());
            for &param in &self.func.regions[from].params {
                let ty = self.ty_of(param);
                let value = self.value(ty);
                self.made.regions[to as usize].params.push(value);
                self.value_of[param.index()] = value;
            }
            inner.push((from, to));
        }
        self.made.ops[number as usize].regions = inner.iter().map(|&(_, to)| to).collect();
        inner
    }

    fn ty_of(&self, value: ValueId) -> Ty {
        ty_of(self.func.ty(value), &self.shader.state)
    }

    fn bind(&mut self, op: OpId, values: &[Id]) {
        for (result, &value) in self.func.ops[op].results.iter().zip(values) {
            self.value_of[result.index()] = value;
        }
    }

    /// An op without regions.
    fn op(&mut self, op: OpId) {
        self.origin = op.index() as u32;
        let data = &self.func.ops[op];
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
                let raw = self.read(data.kind, args.into());
                match rule {
                    None => raw,
                    Some(_) => {
                        let v = self.prim(Prim::Float, Ty::F32, 0, &[raw]);
                        self.num((Op::Cvt, rule, slot, seen), &[v])
                    }
                }
            }
            OpKind::Sys(_) | OpKind::SamplePosition { .. } => self.read(data.kind, args.into()),
            kind => {
                let kind = match kind {
                    OpKind::Break(target) => OpKind::Break(self.target(target)),
                    OpKind::Continue(target) => OpKind::Continue(self.target(target)),
                    other => other,
                };
                let types: Vec<Ty> = data.results.iter().map(|&r| self.ty_of(r)).collect();
                let results = self.push(Kind::Ir(kind), args.into(), &types);
                return self.bind(op, &results);
            }
        };
        self.bind(op, &[result]);
    }

    fn target(&self, op: OpId) -> OpId {
        OpId::new(self.op_of.get(&op).map_or(0, |&number| number as usize))
    }

    /// A read of what does not change: equal ones are made once.
    fn read(&mut self, kind: OpKind, args: Ids) -> Id {
        let key = (kind, args);
        if let Some(&known) = self.reads.get(&key) {
            return known;
        }
        let value = self.push_one(Kind::Ir(kind), key.1.clone(), Ty::I32);
        self.reads.insert(key.clone(), value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.reads.push(key);
        }
        value
    }

    /// An arithmetic op by its program.
    fn num(&mut self, asked: Asked, args: &[Id]) -> Id {
        let (op, rule, slot, _) = asked;
        let shader = self.shader;
        let rule = rule.map_or(&PLAIN, |id| &shader.state.rules[id]);
        let recent = op as usize % RECENT;
        let number = match self.recent[recent] {
            Some((known, number)) if known == asked => number as usize,
            _ => {
                let number = self.find_plan(asked, rule);
                self.recent[recent] = Some((asked, number));
                number as usize
            }
        };
        let kept = &mut self.plans[number];
        let mut plan = Plan { program: kept.program.take(), ..*kept };
        let value = self.follow(&mut plan, (op, rule, slot), args);
        self.plans[number] = plan;
        value
    }

    /// The number of the plan for what is asked.
    #[inline(never)]
    fn find_plan(&mut self, asked: Asked, rule: &Rule) -> u32 {
        if let Some(&number) = self.plan_of.get(&asked) {
            return number;
        }
        let (op, _, _, observed) = asked;
        let plan = self.plan(op, rule, observed);
        self.plans.push(plan);
        let number = (self.plans.len() - 1) as u32;
        self.plan_of.insert(asked, number);
        number
    }

    fn plan(&mut self, op: Op, rule: &Rule, observed: bool) -> Plan {
        let program = self.programs.get(op, rule, observed);
        Plan { program, result: crate::rules::result(op, rule), call: None }
    }

    /// An arithmetic op as a plan says.
    fn follow(&mut self, plan: &mut Plan, (op, rule, slot): (Op, &Rule, Option<SlotId>), args: &[Id]) -> Id {
        let (kind, operands): (fn(u32) -> Kind, Ids) = match &plan.program {
            None => (Kind::Call, args.into()),
            Some(program) => {
                let (value, mark) = self.instantiate(program, args);
                let Some(mark) = mark.filter(|&mark| self.constant(mark) != Some(0)) else { return value };
                (Kind::Redo, [mark, value].iter().chain(args).copied().collect())
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
        self.push_one(kind(number), operands, plan.result)
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
        let made = (values[program.result as usize], program.mark.map(|mark| values[mark as usize]));
        self.numbers = values;
        made
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
                let lane = self.read(OpKind::Sys(SysVal::QuadLane), Ids::new());
                let (bit, rest) = (self.int(bit), self.int(3 - bit));
                (self.prim(Prim::Or, Ty::I32, 0, &[lane, bit]), self.prim(Prim::And, Ty::I32, 0, &[lane, rest]))
            }
        };
        let mut shuffle = |lane: Id| self.push_one(Kind::Ir(OpKind::QuadShuffle), smallvec![value, lane], ty);
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
        let coordinates: Ids = coordinates.collect();
        let texels = self.push(Kind::Ir(data.kind), coordinates, &[Ty::F32; 4]);
        for (n, texel) in texels.into_iter().enumerate() {
            let result = data.results[n];
            let seen = self.observed[result.index()];
            let value = self.num((Op::Cvt, rule, slot, seen), &[texel]);
            self.value_of[result.index()] = value;
        }
    }
}

/// The rule of operations that look at none, and of conversions to binary32 as such.
pub(crate) const PLAIN: Rule = Rule::ieee(Decl::F32, Format::F32);
