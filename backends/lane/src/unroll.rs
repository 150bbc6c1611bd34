//! Loops whose number of iterations is known, and that all lanes take alike, as one iteration after the other: what counts the
//! iterations is computed here, and so are the addresses that are made of it.
//!
//! Fuel is spent at once. Lanes that have not enough of it for all iterations take the loop as it is.

use crate::form::{Label, Reg, Source};
use crate::lower::{Home, Lowerer};
use parallax_core::{EntityRef, OpKind};
use parallax_step::{Id, Inst, Kind, Nans, OpNumber, Prim, RegionNumber, Ty, eval};
use rustc_hash::FxHashMap;

/// Most iterations, and most ops of all of them.
const MOST_ITERATIONS: u32 = 64;
const MOST_OPS: u32 = 800;

/// Words of values that are known.
pub(crate) type Known = FxHashMap<Id, u64>;

/// Where a value is that is passed to the next iteration, and its word if that is known.
pub(crate) type Passed = (Home, Option<u64>);

/// Where a region leads.
enum Way {
    /// To its end.
    End,
    /// Into the next iteration.
    Again,
    /// Out of the loop.
    Out,
}

/// Whether a primitive of known operands is computed here.
fn folds(inst: &Inst) -> bool {
    use Prim::{Add, And, Const, Eq, Lt, Mul, Not, Or, Sar, Shl, Shr, Sub, Ult, Xor};
    matches!(inst.ty, Ty::I32 | Ty::Mask)
        && matches!(inst.prim, Add | And | Const | Eq | Lt | Mul | Not | Or | Sar | Shl | Shr | Sub | Ult | Xor)
}

impl Lowerer<'_> {
    /// What is known of a value.
    fn word(&self, known: &Known, value: Id) -> Option<u64> {
        let literal = || match self.out.regs.get(self.homes[value as usize].early as usize)?.source {
            Some(Source::Bits32(bits)) => Some(u64::from(bits)),
            _ => None,
        };
        known.get(&value).copied().or_else(literal)
    }

    fn folded(&self, known: &Known, inst: &Inst) -> Option<u64> {
        if !folds(inst) {
            return None;
        }
        let mut words = [0; 4];
        for (word, &arg) in words.iter_mut().zip(inst.args()) {
            *word = self.word(known, arg)?;
        }
        Some(eval(inst, words, Nans::Plain))
    }

    /// How many iterations a loop has, if that is known and they are few.
    pub(crate) fn iterations(&self, number: OpNumber) -> Option<u32> {
        let steps = self.steps;
        let op = &steps.ops[number as usize];
        let body = op.regions().start;
        if self.stops_in(body) {
            return None;
        }
        let mut known = Known::default();
        let params = &steps.regions[body as usize].params;
        let pass = |known: &mut Known, from: &[Id]| {
            let words: Vec<Option<u64>> = from.iter().map(|&arg| self.word(known, arg)).collect();
            for (&param, word) in params.iter().zip(words) {
                set(known, param, word);
            }
        };
        pass(&mut known, steps.args(op));
        let (mut work, mut again) = (0, Vec::new());
        for iteration in 1..=MOST_ITERATIONS {
            match self.follow(number, body, &mut known, &mut work, &mut again)? {
                Way::Again => pass(&mut known, &again),
                _ => return Some(iteration),
            }
        }
        None
    }

    /// Follows a region of a loop, as far as the way is known; gives the operands of a jump into the next iteration.
    fn follow(
        &self,
        number: OpNumber,
        region: RegionNumber,
        known: &mut Known,
        work: &mut u32,
        again: &mut Vec<Id>,
    ) -> Option<Way> {
        let steps = self.steps;
        for &inner in &steps.regions[region as usize].ops {
            *work += 1;
            if *work > MOST_OPS {
                return None;
            }
            let op = &steps.ops[inner as usize];
            match op.kind {
                Kind::Step(ref inst) => {
                    let word = self.folded(known, inst);
                    set(known, op.result(), word);
                }
                Kind::Ir(OpKind::If) => match self.word(known, steps.args(op)[0]) {
                    Some(word) => {
                        let arm = op.regions().start + u32::from(word & 1 == 0);
                        match self.follow(number, arm, known, work, again)? {
                            Way::End => {
                                let last = steps.regions[arm as usize].ops.last()?;
                                let passed = steps.args(&steps.ops[*last as usize]);
                                for (result, &arg) in op.results().zip(passed) {
                                    let word = self.word(known, arg);
                                    set(known, result, word);
                                }
                            }
                            way => return Some(way),
                        }
                    }
                    None if self.escapes(inner) => return None,
                    None => {
                        *work += op.regions().map(|region| self.size(region)).sum::<u32>();
                        op.results().for_each(|result| set(known, result, None));
                    }
                },
                // Loops in loops are many instructions already, and barriers are stops.
                Kind::Ir(OpKind::Block | OpKind::Loop | OpKind::Barrier) => return None,
                Kind::Ir(OpKind::Yield) => return Some(Way::End),
                Kind::Ir(OpKind::Break(target)) => {
                    return (target.index() as OpNumber == number).then_some(Way::Out);
                }
                Kind::Ir(OpKind::Continue(target)) => {
                    *again = steps.args(op).to_vec();
                    return (target.index() as OpNumber == number).then_some(Way::Again);
                }
                _ => op.results().for_each(|result| set(known, result, None)),
            }
        }
        None
    }

    /// Ops of a region and of what it holds.
    fn size(&self, region: RegionNumber) -> u32 {
        let ops = &self.steps.regions[region as usize].ops;
        let inner = ops.iter().flat_map(|&op| self.steps.ops[op as usize].regions()).map(|region| self.size(region));
        ops.len() as u32 + inner.sum::<u32>()
    }

    /// Forgets where the values of a region are, which is made once more.
    pub(crate) fn forget(&mut self, region: RegionNumber) {
        let steps = self.steps;
        let region = &steps.regions[region as usize];
        for &param in &region.params {
            self.homes[param as usize] = Home::NOWHERE;
            self.known.remove(&param);
            self.digits.remove(&param);
        }
        for &op in &region.ops {
            let op = &steps.ops[op as usize];
            for result in op.results() {
                self.homes[result as usize] = Home::NOWHERE;
                self.known.remove(&result);
                self.digits.remove(&result);
            }
            op.regions().for_each(|inner| self.forget(inner));
        }
    }

    /// A primitive in an unrolled loop: whether it is computed here. Truth values are computed by the code, too.
    pub(crate) fn fold(&mut self, result: Id, inst: &Inst) -> bool {
        let Some(word) = self.folded(&self.known, inst) else { return false };
        self.known.insert(result, word);
        if inst.prim.result(inst.ty) == Ty::Mask {
            return false;
        }
        let reg = self.source(Source::Bits32(word as u32));
        self.set(result, [reg; 2], true);
        true
    }

    /// The arm of a branch that is known to be taken in an unrolled loop.
    pub(crate) fn known_arm(&self, predicate: Id) -> Option<u32> {
        let word = self.unrolling.as_ref().and_then(|_| self.word(&self.known, predicate))?;
        Some(u32::from(word & 1 == 0))
    }

    /// What the next iteration starts with: where it is, and what is known of it.
    pub(crate) fn passed(&mut self, value: Id) -> Passed {
        let word = self.word(&self.known, value);
        (self.both(value), word)
    }

    /// A value becomes another one in all lanes: with what is known of it, in a register of its own, which may be changed.
    pub(crate) fn take(&mut self, value: Id, (from, word): Passed) {
        set(&mut self.known, value, word);
        if from.is_early() && self.out.regs[from.early as usize].source.is_some() {
            self.homes[value as usize] = from;
        } else {
            let to = self.pair(self.ty(value));
            self.assign(None, from.pair(), to);
            self.bind(value, to);
        }
    }

    /// Iterations of a loop one after the other.
    pub(crate) fn unroll(&mut self, number: OpNumber, iterations: u32, exec: Option<Reg>, end: Label) {
        let steps = self.steps;
        let op = &steps.ops[number as usize];
        let body = op.regions().start;
        let params = &steps.regions[body as usize].params;
        let mut passed: Vec<Passed> = steps.args(op).iter().map(|&arg| self.passed(arg)).collect();
        // A loop around it may be unrolled, too.
        let around = (self.unrolling, std::mem::take(&mut self.passed));
        for _ in 0..iterations {
            self.forget(body);
            params.iter().zip(passed).for_each(|(&param, passed)| self.take(param, passed));
            self.unrolling = Some(number);
            self.inner(body, exec, number, end);
            self.has_left = false;
            passed = std::mem::take(&mut self.passed);
        }
        (self.unrolling, self.passed) = around;
        self.forget(body);
    }
}

fn set(known: &mut Known, value: Id, word: Option<u64>) {
    match word {
        Some(word) => known.insert(value, word),
        None => known.remove(&value),
    };
}
