//! Routines: straight lines of word instructions, as data.

use super::class::{Classes, Given};
use super::infer::learn;
use super::lower::{self, Value, words};
use super::sink::{Sink, WordInst, WordKind};
use crate::eval::{Nans, eval};
use crate::prim::{Prim, Ty};
use crate::program::{self, Code, Facts, Id, Inst, Program};
use crate::table;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The primitive that a routine computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The primitive.
    pub prim: Prim,
    /// The type its row is taken at.
    pub ty: Ty,
    /// Its immediate.
    pub imm: u64,
    /// What is known of operands and result.
    pub given: Given,
}

impl Key {
    /// A primitive of whose operands nothing is known.
    pub fn new(prim: Prim, ty: Ty, imm: u64) -> Key {
        Key { prim, ty, imm, given: Given::default() }
    }

    /// Types of the operands as step form has them.
    fn operands(self) -> impl Iterator<Item = Ty> {
        self.prim.row().args.iter().map(move |slot| slot.at(self.ty))
    }

    /// Types of the words of the operands.
    pub fn params(self) -> SmallVec<[Ty; 8]> {
        self.operands().flat_map(words).collect()
    }

    /// Types of the words of the result.
    pub fn results(self) -> SmallVec<[Ty; 2]> {
        words(self.prim.result(self.ty))
    }
}

impl fmt::Display for Key {
    /// Such as `fma.f64.rtz`, and what is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::prim::{Direction, Immediate, Mode};
        let suffix = match self.prim.row().immediate {
            Immediate::Mode => Mode::from_word(self.imm).map(Mode::suffixes),
            Immediate::Direction => {
                Direction::ALL.get(self.imm as usize).map(|&direction| Mode { direction, flush: false }.suffixes())
            }
            _ => None,
        };
        write!(f, "{}.{}{}{}", self.prim.name(), self.ty, suffix.unwrap_or_default(), self.given)
    }
}

/// A straight line of word instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routine {
    /// Types of the operands: values 0, 1, ...
    pub params: Vec<Ty>,
    /// Instructions; each makes the next values.
    pub insts: Vec<WordInst>,
    /// Words of the result.
    pub results: Vec<Id>,
    /// True in lanes where the result is not to be trusted. `None`: nowhere.
    pub slow: Option<Id>,
    /// What is known of a result that is a float.
    pub classes: Option<Classes>,
}

/// Routines of primitives, made once.
static MADE: LazyLock<Mutex<FxHashMap<Key, Arc<Routine>>>> = LazyLock::new(Mutex::default);

impl Routine {
    /// The routine of a primitive.
    pub fn of(key: Key) -> Arc<Routine> {
        let known = MADE.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let mut made = Making::default();
            let args: Vec<Value> = key.operands().map(|ty| made.operand(ty)).collect();
            let inst = Inst::new(key.prim, key.ty, key.imm, &[]);
            let value = lower::body(&mut made, &inst, &args, &key.given);
            let routine = Arc::new(made.finish(value, None));
            MADE.lock().unwrap_or_else(PoisonError::into_inner).insert(key, routine.clone());
            routine
        })
    }

    /// A step program in words.
    pub fn of_program(program: &Program) -> Routine {
        let mut made = Making::default();
        let mut values: Vec<Value> = program.params.iter().map(|&ty| made.operand(ty)).collect();
        let facts = facts_of(program);
        for (inst, facts) in program.insts.iter().zip(facts) {
            let args: SmallVec<[Value; 4]> = inst.args().iter().map(|&arg| values[arg as usize]).collect();
            let value = lower::lower(&mut made, inst, &args);
            learn(&mut made, inst.result(), value, facts);
            values.push(value);
        }
        let slow = program.slow.map(|slow| values[slow as usize].low());
        made.finish(values[program.result as usize], slow)
    }

    /// Number of instructions, those of the routines that it calls included. Constants are none.
    pub fn weight(&self) -> usize {
        let weight = |inst: &WordInst| match inst.kind {
            WordKind::Step(Prim::Const, ..) => 0,
            WordKind::Call(key) => Routine::of(key).weight() + inst.results().len(),
            _ => 1,
        };
        self.insts.iter().map(weight).sum()
    }

    /// Type of a value.
    pub fn ty(&self, id: Id) -> Ty {
        let mut types = self.params.clone();
        for inst in &self.insts {
            types.extend(inst.results());
            if types.len() > id as usize {
                break;
            }
        }
        types.get(id as usize).copied().unwrap_or(Ty::I32)
    }

    /// Evaluates one lane: the words of the result, and whether the lane is slow. Missing operands count as 0.
    pub fn eval(&self, args: &[u32]) -> (SmallVec<[u32; 2]>, bool) {
        let mut values: Vec<u32> = Vec::with_capacity(self.params.len() + self.insts.len());
        for (n, ty) in self.params.iter().enumerate() {
            values.push(args.get(n).copied().unwrap_or(0) & ty.bits() as u32);
        }
        for inst in &self.insts {
            let words: SmallVec<[u32; 8]> = inst.args.iter().map(|&arg| values[arg as usize]).collect();
            match inst.kind {
                WordKind::Step(prim, ty, imm) => {
                    let mut operands = [0; 4];
                    operands.iter_mut().zip(&words).for_each(|(to, &word)| *to = u64::from(word));
                    values.push(eval(&Inst::new(prim, ty, imm.into(), &inst.args), operands, Nans::Plain) as u32);
                }
                WordKind::Row(number, upper) => {
                    let row = table::row(number, words[0]);
                    values.push((if upper { row >> 32 } else { row }) as u32);
                }
                WordKind::Call(key) => values.extend(Routine::of(key).eval(&words).0),
            }
        }
        let results = self.results.iter().map(|&id| values[id as usize]).collect();
        (results, self.slow.is_some_and(|slow| values[slow as usize] != 0))
    }
}

/// What is known of the values of a program.
fn facts_of(program: &Program) -> Vec<Facts> {
    let mut code = Code::new(&program.params);
    let mut facts = Vec::with_capacity(program.insts.len());
    for inst in &program.insts {
        let of = program::facts(&code, inst);
        // As they stand, so that numbers stay what they are.
        code.push(*inst, of);
        facts.push(of);
    }
    facts
}

/// A routine in the making.
#[derive(Default)]
struct Making {
    made: Routine,
    known: FxHashMap<WordInst, Id>,
    constants: FxHashMap<Id, u32>,
    classes: FxHashMap<Words, Classes>,
    next: Id,
}

/// The words of a float.
type Words = SmallVec<[Id; 2]>;

impl Sink for Making {
    fn constant(&self, id: Id) -> Option<u32> {
        self.constants.get(&id).copied()
    }

    fn make(&mut self, inst: WordInst) -> Id {
        if let Some(&known) = self.known.get(&inst) {
            return known;
        }
        let id = self.next;
        self.next += inst.results().len() as Id;
        if let WordKind::Step(Prim::Const, _, word) = inst.kind {
            self.constants.insert(id, word);
        }
        self.known.insert(inst.clone(), id);
        self.made.insts.push(inst);
        id
    }

    fn classes(&self, words: &[Id]) -> Option<Classes> {
        self.classes.get(words).copied()
    }

    fn note(&mut self, words: &[Id], classes: Classes) {
        self.classes.entry(words.into()).and_modify(|known| *known = known.and(classes)).or_insert(classes);
    }
}

impl Making {
    /// An operand; all come before the first instruction.
    fn operand(&mut self, ty: Ty) -> Value {
        let first = self.next;
        let words = words(ty);
        self.next += words.len() as Id;
        self.made.params.extend_from_slice(&words);
        Value::at(ty, first)
    }

    /// Only what the result and the slow lanes need.
    fn finish(self, value: Value, slow: Option<Id>) -> Routine {
        let is_never = slow.is_some_and(|slow| self.constants.get(&slow) == Some(&0));
        let classes = self.classes.get(value.words()).copied();
        let Routine { params, insts, .. } = self.made;
        let slow = slow.filter(|_| !is_never);
        let mut live = vec![false; self.next as usize];
        value.words().iter().chain(&slow).for_each(|&id| live[id as usize] = true);
        let mut first = vec![0; insts.len()];
        let mut next = params.len() as Id;
        for (at, inst) in first.iter_mut().zip(&insts) {
            *at = next;
            next += inst.results().len() as Id;
        }
        let range = |at: Id, inst: &WordInst| at..at + inst.results().len() as Id;
        let mut keep = vec![false; insts.len()];
        for (n, inst) in insts.iter().enumerate().rev() {
            if range(first[n], inst).any(|id| live[id as usize]) {
                keep[n] = true;
                inst.args.iter().for_each(|&arg| live[arg as usize] = true);
            }
        }
        let mut number: Vec<Id> = (0..self.next).collect();
        let mut next = params.len() as Id;
        let mut kept = Vec::new();
        for (n, mut inst) in insts.into_iter().enumerate() {
            if keep[n] {
                inst.args.iter_mut().for_each(|arg| *arg = number[*arg as usize]);
                for id in range(first[n], &inst) {
                    number[id as usize] = next;
                    next += 1;
                }
                kept.push(inst);
            }
        }
        let results = value.words().iter().map(|&id| number[id as usize]).collect();
        Routine { params, insts: kept, results, slow: slow.map(|id| number[id as usize]), classes }
    }
}
