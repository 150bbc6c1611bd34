//! Step programs: straight lines of primitives, as data.

use crate::eval::{self, Nans, direction_word, is_denormal, is_nan};
use crate::magnitude;
use crate::prim::{Direction, Immediate, Mode, Prim, Ty};
use crate::simplify::{Simplified, narrowed, simplify};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};

/// Number of a value in a program or function.
pub type Id = u32;

/// Most operands of a primitive.
pub const MAX_ARGS: usize = 4;

/// A primitive with its operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    /// What it does.
    pub prim: Prim,
    /// The type the row is taken at.
    pub ty: Ty,
    /// Number of operands.
    pub count: u8,
    /// Immediate; 0 where the row has none.
    pub imm: u64,
    /// Operands; 0 beyond their number.
    pub args: [Id; MAX_ARGS],
}

impl Hash for Inst {
    /// In three words: instructions are looked up for every step that is made.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Inst { prim, ty, count, imm, args: [a, b, c, d] } = *self;
        state.write_u64(prim as u64 | (ty as u64) << 8 | u64::from(count) << 16 | u64::from(a) << 32);
        state.write_u64(u64::from(b) | u64::from(c) << 32);
        state.write_u64(imm ^ u64::from(d) << 32);
    }
}

impl Inst {
    /// A primitive taken at `ty`.
    pub fn new(prim: Prim, ty: Ty, imm: u64, operands: &[Id]) -> Inst {
        let mut args = [0; MAX_ARGS];
        for (arg, operand) in args.iter_mut().zip(operands) {
            *arg = *operand;
        }
        Inst { prim, ty, count: operands.len().min(MAX_ARGS) as u8, imm, args }
    }

    /// Its operands.
    pub fn args(&self) -> &[Id] {
        &self.args[..usize::from(self.count)]
    }

    /// Type of its result.
    pub const fn result(&self) -> Ty {
        self.prim.result(self.ty)
    }

    /// What is wrong with it, given the types of its operands.
    pub fn check(&self, types: &[Ty]) -> Option<String> {
        let row = self.prim.row();
        if !row.over.contains(&self.ty) {
            return Some(format!("`{}` is not defined over {}", row.name, self.ty));
        }
        let least = if self.prim == Prim::First { 1 } else { row.args.len() };
        if types.len() < least || types.len() > row.args.len() {
            return Some(format!("`{}` has {} operands, found {}", row.name, row.args.len(), types.len()));
        }
        for (n, (slot, ty)) in row.args.iter().zip(types).enumerate() {
            let asked = slot.at(self.ty);
            if asked != *ty {
                return Some(format!("operand {n} of `{}` is {ty}, expected {asked}", row.name));
            }
        }
        let sound = match row.immediate {
            Immediate::None => self.imm == 0,
            Immediate::Mode => Mode::from_word(self.imm).is_some(),
            Immediate::Direction => self.imm < 4,
            Immediate::Bits => self.imm & !self.ty.bits() == 0,
            Immediate::Nan => is_nan(self.ty, self.imm) && self.imm & !self.ty.bits() == 0,
            Immediate::Table => (self.imm as usize) < crate::Table::ALL.len(),
        };
        (!sound).then(|| format!("`{}` cannot have the immediate {:#x}", row.name, self.imm))
    }
}

/// What is known of a value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// It is never NaN.
    pub number: bool,
    /// It is never a nonzero denormal of its own type.
    pub normal: bool,
    /// It is NaN, zero, or of a magnitude of at least 2 to this power; `None` where nothing is known.
    pub least: Option<i16>,
}

/// Where instructions are added: a program, or a region of a function.
pub trait Emit {
    /// The instruction that makes a value, if one does.
    fn inst(&self, id: Id) -> Option<&Inst>;
    /// Type of a value.
    fn ty(&self, id: Id) -> Ty;
    /// What is known of a value.
    fn facts(&self, id: Id) -> Facts;
    /// The value of an equal instruction made before, or a new one.
    fn intern(&mut self, inst: Inst, facts: Facts) -> Id;

    /// Adds an instruction, or what it comes to: equal values are made once, constants are computed.
    fn emit(&mut self, inst: Inst) -> Id {
        let mut inst = inst;
        if inst.prim.commutes() {
            self.order(&mut inst);
        }
        if let Some(narrow) = narrowed(self, &inst) {
            return self.emit(narrow);
        }
        match simplify(self, &inst) {
            Some(Simplified::Value(id)) => id,
            Some(Simplified::Inst(simple)) => self.emit(simple),
            None => {
                let facts = facts(self, &inst);
                self.intern(inst, facts)
            }
        }
    }

    /// Puts operands that may change places into one order: constants last, where they can be read from memory.
    #[inline]
    fn order(&self, inst: &mut Inst) {
        let order = |id: Id| (self.constant(id).is_some(), id);
        if order(inst.args[0]) > order(inst.args[1]) {
            inst.args.swap(0, 1);
        }
    }

    /// The bits of a constant.
    fn constant(&self, id: Id) -> Option<u64> {
        self.inst(id).filter(|inst| inst.prim == Prim::Const).map(|inst| inst.imm)
    }
}

/// Whether a primitive does IEEE arithmetic that may give NaN, and nothing is known of its result but whether it is flushed.
pub(crate) const fn rounds(prim: Prim) -> bool {
    matches!(prim, Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fmulz | Prim::Fdiv | Prim::Fma)
}

/// What follows of an instruction's operands.
pub(crate) fn facts<E: Emit + ?Sized>(code: &E, inst: &Inst) -> Facts {
    let of = |n: usize| code.facts(inst.args[n]);
    let all = |which: fn(Facts) -> bool| inst.args().iter().all(|&arg| which(code.facts(arg)));
    let flushes = Mode::from_word(inst.imm).is_some_and(|mode| mode.flush);
    let facts = |number: bool, normal: bool, least: Option<i16>| Facts { number, normal, least };
    match inst.prim {
        Prim::Const => {
            facts(!is_nan(inst.ty, inst.imm), !is_denormal(inst.ty, inst.imm), magnitude::of_pattern(inst.ty, inst.imm))
        }
        Prim::Select => {
            // A value that a comparison has found true of is a number.
            let tested = code.inst(inst.args[0]).filter(|m| matches!(m.prim, Prim::Feq | Prim::Flt | Prim::Fle));
            let compared = tested.is_some_and(|m| m.args().contains(&inst.args[1]));
            let unordered = code.inst(inst.args[0]).filter(|m| m.prim == Prim::Funo);
            let ordered = unordered.is_some_and(|m| m.args().contains(&inst.args[2]));
            let both = of(1).least.zip(of(2).least).map(|(a, b)| a.min(b));
            facts(
                (of(1).number || compared) && (of(2).number || ordered),
                of(1).normal && of(2).normal,
                both.or_else(|| magnitude::of_choice(code, inst)),
            )
        }
        prim if rounds(prim) => facts(false, flushes, None),
        Prim::Fsqrt => facts(false, true, None),
        Prim::FaddOdd => Facts::default(),
        Prim::Fneg | Prim::Fabs => of(0),
        Prim::Fmin | Prim::Fmax => {
            facts(of(1).number, all(|f| f.normal), of(0).least.zip(of(1).least).map(|(a, b)| a.min(b)))
        }
        Prim::Flush => facts(of(0).number, true, of(0).least),
        // Whole numbers.
        Prim::Round => facts(of(0).number, true, Some(0)),
        Prim::First => facts(all(|f| f.number), of(0).normal, of(0).least),
        Prim::Widen => facts(of(0).number, true, of(0).least),
        // Rounding stops at powers of two that are normal.
        Prim::Narrow => facts(of(0).number, flushes, of(0).least.filter(|&least| least >= -126)),
        Prim::FromHalf => facts(false, true, None),
        Prim::FromInt => facts(true, true, Some(0)),
        Prim::Float => {
            // A sign alone is a zero.
            let sign = code.inst(inst.args[0]).filter(|pattern| pattern.prim == Prim::And).map(|and| and.args[1]);
            let (.., bit) = eval::quiet_bits(inst.ty);
            let is_zero = sign.is_some_and(|mask| code.constant(mask) == Some(bit));
            Facts { least: is_zero.then_some(magnitude::ALL), ..Facts::default() }
        }
        _ => Facts::default(),
    }
}

/// A step program: what an operation under a rule comes to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Types of the operands: values 0, 1, ...
    pub params: Vec<Ty>,
    /// Instructions; each makes the next value.
    pub insts: Vec<Inst>,
    /// The result.
    pub result: Id,
    /// True in lanes where the result is not to be trusted: `parallax_num::eval` decides there. `None`: nowhere.
    pub slow: Option<Id>,
}

impl Program {
    /// Evaluates one lane: the result, and whether the lane is slow. Missing operands count as 0.
    pub fn eval(&self, args: &[u64], nans: Nans) -> (u64, bool) {
        let mut values = Vec::with_capacity(self.params.len() + self.insts.len());
        for (n, ty) in self.params.iter().enumerate() {
            values.push(args.get(n).copied().unwrap_or(0) & ty.bits());
        }
        for inst in &self.insts {
            let mut operands = [0; MAX_ARGS];
            for (operand, &arg) in operands.iter_mut().zip(inst.args()) {
                *operand = values[arg as usize];
            }
            values.push(eval::eval(inst, operands, nans));
        }
        (values[self.result as usize], self.slow.is_some_and(|slow| values[slow as usize] != 0))
    }

    /// Type of a value.
    pub fn ty(&self, id: Id) -> Ty {
        let n = id as usize;
        self.params.get(n).copied().unwrap_or_else(|| self.insts[n - self.params.len()].result())
    }

    /// What is wrong with it: every value stands before its uses and has the type they ask for.
    pub fn check(&self) -> Option<String> {
        let mut types = self.params.clone();
        for inst in &self.insts {
            let mut operands = Vec::with_capacity(MAX_ARGS);
            for &arg in inst.args() {
                match types.get(arg as usize) {
                    Some(ty) => operands.push(*ty),
                    None => return Some(format!("%{arg} is used before it is defined")),
                }
            }
            if let Some(problem) = inst.check(&operands) {
                return Some(problem);
            }
            types.push(inst.result());
        }
        let known = |id: Id| types.get(id as usize).copied();
        match (known(self.result), self.slow.map(known)) {
            (None, _) | (_, Some(None)) => Some("the result does not exist".to_string()),
            (_, Some(Some(ty))) if ty != Ty::Mask => Some(format!("the mask of slow lanes is {ty}")),
            _ => None,
        }
    }
}

/// A program in the making.
#[derive(Clone, Debug, Default)]
pub struct Code {
    params: Vec<Ty>,
    insts: Vec<Inst>,
    facts: Vec<Facts>,
    known: FxHashMap<Inst, Id>,
    slow: Option<Id>,
    /// Whether steps whose results are never tiny flush. It is the same to them, and when they do as the steps around them
    /// do, machine code need not change the state of the processor, which costs as much as fifty instructions.
    pub(crate) flush: bool,
}

impl Emit for Code {
    fn inst(&self, id: Id) -> Option<&Inst> {
        self.insts.get((id as usize).checked_sub(self.params.len())?)
    }

    fn ty(&self, id: Id) -> Ty {
        let n = id as usize;
        self.params.get(n).copied().unwrap_or_else(|| self.insts[n - self.params.len()].result())
    }

    fn facts(&self, id: Id) -> Facts {
        (id as usize).checked_sub(self.params.len()).map_or(Facts::default(), |n| self.facts[n])
    }

    fn intern(&mut self, inst: Inst, facts: Facts) -> Id {
        let next = (self.params.len() + self.insts.len()) as Id;
        let id = *self.known.entry(inst).or_insert(next);
        if id == next {
            self.insts.push(inst);
            self.facts.push(facts);
        }
        id
    }
}

/// Short names for instructions.
impl Code {
    /// A program with these operands.
    pub fn new(params: &[Ty]) -> Code {
        Code { params: params.to_vec(), ..Code::default() }
    }

    /// Adds an instruction as it is, whether or not there is an equal one.
    pub(crate) fn push(&mut self, inst: Inst, facts: Facts) {
        self.insts.push(inst);
        self.facts.push(facts);
    }

    /// Any primitive without immediate, taken at the type of its first operand that has the row's own.
    pub(crate) fn op(&mut self, prim: Prim, args: &[Id]) -> Id {
        let row = prim.row();
        let at = row.args.iter().position(|slot| *slot == crate::prim::Slot::T);
        let ty = at.map_or(row.over[0], |n| self.ty(args[n]));
        self.emit(Inst::new(prim, ty, 0, args))
    }

    /// How steps round whose results are never tiny.
    pub(crate) fn plain(&self) -> Mode {
        Mode { flush: self.flush, ..Mode::PLAIN }
    }

    pub(crate) fn float(&mut self, prim: Prim, mode: Mode, args: &[Id]) -> Id {
        let ty = self.ty(args[0]);
        self.emit(Inst::new(prim, ty, mode.word(), args))
    }

    pub(crate) fn fadd(&mut self, mode: Mode, a: Id, b: Id) -> Id {
        self.float(Prim::Fadd, mode, &[a, b])
    }

    pub(crate) fn fsub(&mut self, mode: Mode, a: Id, b: Id) -> Id {
        self.float(Prim::Fsub, mode, &[a, b])
    }

    pub(crate) fn fmul(&mut self, mode: Mode, a: Id, b: Id) -> Id {
        self.float(Prim::Fmul, mode, &[a, b])
    }

    pub(crate) fn fdiv(&mut self, mode: Mode, a: Id, b: Id) -> Id {
        self.float(Prim::Fdiv, mode, &[a, b])
    }

    pub(crate) fn constant_of(&mut self, ty: Ty, bits: u64) -> Id {
        self.emit(Inst::new(Prim::Const, ty, bits & ty.bits(), &[]))
    }

    /// A constant of a float type that holds it exactly.
    pub(crate) fn number(&mut self, ty: Ty, v: f64) -> Id {
        let (quiet, ..) = eval::quiet_bits(ty);
        let bits = match ty {
            _ if v.is_nan() => quiet,
            Ty::F32 => u64::from((v as f32).to_bits()),
            _ => v.to_bits(),
        };
        self.constant_of(ty, bits)
    }

    pub(crate) fn int(&mut self, v: i32) -> Id {
        self.constant_of(Ty::I32, u64::from(v as u32))
    }

    pub(crate) fn long(&mut self, v: u64) -> Id {
        self.constant_of(Ty::I64, v)
    }

    pub(crate) fn truth(&mut self, v: bool) -> Id {
        self.constant_of(Ty::Mask, u64::from(v))
    }

    pub(crate) fn select(&mut self, mask: Id, a: Id, b: Id) -> Id {
        let ty = self.ty(a);
        self.emit(Inst::new(Prim::Select, ty, 0, &[mask, a, b]))
    }

    /// The first NaN operand, or `default`, a pattern of the value's type.
    pub(crate) fn first(&mut self, default: u64, args: &[Id]) -> Id {
        let ty = self.ty(args[0]);
        self.emit(Inst::new(Prim::First, ty, default, args))
    }

    pub(crate) fn round(&mut self, direction: Direction, v: Id) -> Id {
        let ty = self.ty(v);
        self.emit(Inst::new(Prim::Round, ty, direction_word(direction), &[v]))
    }

    pub(crate) fn widen(&mut self, v: Id) -> Id {
        self.op(Prim::Widen, &[v])
    }

    pub(crate) fn narrow(&mut self, mode: Mode, v: Id) -> Id {
        self.float(Prim::Narrow, mode, &[v])
    }

    pub(crate) fn half_of(&mut self, direction: Direction, v: Id) -> Id {
        self.emit(Inst::new(Prim::ToHalf, Ty::F32, direction_word(direction), &[v]))
    }

    pub(crate) fn of_half(&mut self, v: Id) -> Id {
        self.emit(Inst::new(Prim::FromHalf, Ty::F32, 0, &[v]))
    }

    /// Signed integer to float, in a direction.
    pub(crate) fn of_int(&mut self, ty: Ty, direction: Direction, v: Id) -> Id {
        self.emit(Inst::new(Prim::FromInt, ty, direction_word(direction), &[v]))
    }

    pub(crate) fn bits(&mut self, v: Id) -> Id {
        self.op(Prim::Bits, &[v])
    }

    /// The float of a pattern.
    pub(crate) fn float_of(&mut self, v: Id) -> Id {
        let ty = if self.ty(v) == Ty::I32 { Ty::F32 } else { Ty::F64 };
        self.emit(Inst::new(Prim::Float, ty, 0, &[v]))
    }

    pub(crate) fn shift(&mut self, prim: Prim, v: Id, amount: i32) -> Id {
        let amount = self.int(amount);
        self.op(prim, &[v, amount])
    }

    pub(crate) fn and(&mut self, a: Id, b: Id) -> Id {
        self.op(Prim::And, &[a, b])
    }

    pub(crate) fn or(&mut self, a: Id, b: Id) -> Id {
        self.op(Prim::Or, &[a, b])
    }

    pub(crate) fn not(&mut self, a: Id) -> Id {
        self.op(Prim::Not, &[a])
    }

    /// The magnitude of the first with the sign of the second, both of one float type.
    pub(crate) fn copysign(&mut self, magnitude: Id, sign: Id) -> Id {
        let ty = self.ty(magnitude);
        let (.., bit) = eval::quiet_bits(ty);
        let mask = self.constant_of(ty.pattern(), bit);
        let rest = self.constant_of(ty.pattern(), !bit);
        let (m, s) = (self.bits(magnitude), self.bits(sign));
        let (m, s) = (self.and(m, rest), self.and(s, mask));
        let bits = self.or(m, s);
        self.float_of(bits)
    }

    /// Marks the lanes where `mask` is true.
    pub(crate) fn slow(&mut self, mask: Id) {
        self.slow = Some(match self.slow {
            None => mask,
            Some(known) => self.or(known, mask),
        });
    }

    /// Marks NaN.
    pub(crate) fn slow_nan(&mut self, v: Id) {
        let nan = self.op(Prim::Funo, &[v, v]);
        self.slow(nan);
    }

    /// The finished program: only what the result and the slow lanes need.
    pub fn finish(self, result: Id) -> Program {
        let Code { params, insts, slow, .. } = self;
        let slow = slow.filter(|&slow| {
            let inst = (slow as usize).checked_sub(params.len()).map(|n| &insts[n]);
            !inst.is_some_and(|inst| inst.prim == Prim::Const && inst.imm == 0)
        });
        let count = params.len();
        let mut live = vec![false; count + insts.len()];
        live[result as usize] = true;
        if let Some(slow) = slow {
            live[slow as usize] = true;
        }
        for (n, inst) in insts.iter().enumerate().rev() {
            if live[count + n] {
                inst.args().iter().for_each(|&arg| live[arg as usize] = true);
            }
        }
        let mut number: Vec<Id> = (0..(count + insts.len()) as Id).collect();
        let mut kept = Vec::new();
        for (n, inst) in insts.into_iter().enumerate() {
            if live[count + n] {
                let args: Vec<Id> = inst.args().iter().map(|&arg| number[arg as usize]).collect();
                number[count + n] = (count + kept.len()) as Id;
                kept.push(Inst::new(inst.prim, inst.ty, inst.imm, &args));
            }
        }
        Program { params, insts: kept, result: number[result as usize], slow: slow.map(|m| number[m as usize]) }
    }
}
