//! Where word instructions are added, and what is simple enough to be computed while that is done.

use super::{Classes, Key};
use crate::eval::{Nans, eval};
use crate::prim::{Prim, Ty};
use crate::program::{Id, Inst};
use smallvec::SmallVec;

/// What a word instruction does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordKind {
    /// A primitive over `i32` or `mask`; the bits of a constant, else 0.
    Step(Prim, Ty, u32),
    /// A word of the row of a table: its number, and whether it is the upper word. Operand: the row, modulo their number.
    Row(u64, bool),
    /// A routine; its results are values that follow one another.
    Call(Key),
}

/// A word instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordInst {
    /// What it does.
    pub kind: WordKind,
    /// Its operands.
    pub args: SmallVec<[Id; 4]>,
}

impl WordInst {
    /// Types of its results.
    pub fn results(&self) -> SmallVec<[Ty; 2]> {
        match self.kind {
            WordKind::Step(prim, ty, _) => SmallVec::from_slice(&[prim.result(ty)]),
            WordKind::Row(..) => SmallVec::from_slice(&[Ty::I32]),
            WordKind::Call(key) => key.results(),
        }
    }
}

/// Takes word instructions.
pub trait Sink {
    /// The word of a constant, or 0 or 1 of a constant mask.
    fn constant(&self, id: Id) -> Option<u32>;
    /// The value of an equal instruction made before, or a new one: the first of its results.
    fn make(&mut self, inst: WordInst) -> Id;
    /// What is known of the float with these words.
    fn classes(&self, words: &[Id]) -> Option<Classes>;
    /// Keeps what is known of it besides.
    fn note(&mut self, words: &[Id], classes: Classes);
}

/// Short names for instructions.
impl dyn Sink + '_ {
    /// A primitive over `i32` or `mask`, or what it comes to.
    pub(super) fn step(&mut self, prim: Prim, ty: Ty, args: &[Id]) -> Id {
        let mut known = [0; 4];
        let mut all = true;
        for (word, &arg) in known.iter_mut().zip(args) {
            match self.constant(arg) {
                Some(constant) => *word = u64::from(constant),
                None => all = false,
            }
        }
        if all {
            let word = eval(&Inst::new(prim, ty, 0, args), known, Nans::Plain) as u32;
            return self.constant_of(prim.result(ty), word);
        }
        let constant = |own: &Self, n: usize| args.get(n).and_then(|&arg| own.constant(arg));
        let (first, second) = (constant(self, 0), constant(self, 1));
        let all_ones = ty.bits() as u32;
        match (prim, first, second) {
            (Prim::Add | Prim::Or | Prim::Xor, Some(0), _) => return args[1],
            (Prim::Add | Prim::Sub | Prim::Or | Prim::Xor | Prim::Shl | Prim::Shr | Prim::Sar, _, Some(0)) => {
                return args[0];
            }
            (Prim::And, Some(0), _) | (Prim::Or, Some(u32::MAX), _) => return args[0],
            (Prim::And, _, Some(0)) | (Prim::Or, _, Some(u32::MAX)) => return args[1],
            (Prim::And, Some(ones), _) if ones == all_ones => return args[1],
            (Prim::And, _, Some(ones)) if ones == all_ones => return args[0],
            (Prim::Or, Some(1), _) if ty == Ty::Mask => return args[0],
            (Prim::Or, _, Some(1)) if ty == Ty::Mask => return args[1],
            (Prim::Shl | Prim::Shr | Prim::Mul, Some(0), _) => return args[0],
            (Prim::Mul, _, Some(0)) => return args[1],
            (Prim::Mul, Some(1), _) => return args[1],
            (Prim::Mul, _, Some(1)) => return args[0],
            (Prim::And | Prim::Or, ..) if args[0] == args[1] => return args[0],
            (Prim::Sub | Prim::Xor, ..) if args[0] == args[1] => return self.constant_of(ty, 0),
            (Prim::Lt | Prim::Ult, ..) if args[0] == args[1] => return self.truth(false),
            (Prim::Ult, _, Some(0)) => return self.truth(false),
            (Prim::Eq, ..) if args[0] == args[1] => return self.truth(true),
            (Prim::Select, Some(mask), _) => return args[if mask & 1 != 0 { 1 } else { 2 }],
            (Prim::Select, ..) if args[1] == args[2] => return args[1],
            _ => {}
        }
        self.make(WordInst { kind: WordKind::Step(prim, ty, 0), args: args.into() })
    }

    pub(super) fn constant_of(&mut self, ty: Ty, word: u32) -> Id {
        self.make(WordInst { kind: WordKind::Step(Prim::Const, ty, word & ty.bits() as u32), args: SmallVec::new() })
    }

    pub(super) fn int(&mut self, word: u32) -> Id {
        self.constant_of(Ty::I32, word)
    }

    pub(super) fn truth(&mut self, v: bool) -> Id {
        self.constant_of(Ty::Mask, v.into())
    }

    pub(super) fn add(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Add, Ty::I32, &[a, b])
    }

    pub(super) fn sub(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Sub, Ty::I32, &[a, b])
    }

    pub(super) fn mul(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Mul, Ty::I32, &[a, b])
    }

    pub(super) fn and(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::And, Ty::I32, &[a, b])
    }

    pub(super) fn or(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Or, Ty::I32, &[a, b])
    }

    pub(super) fn xor(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Xor, Ty::I32, &[a, b])
    }

    /// Shifts by an amount modulo 32.
    pub(super) fn shl(&mut self, a: Id, amount: Id) -> Id {
        self.step(Prim::Shl, Ty::I32, &[a, amount])
    }

    pub(super) fn shr(&mut self, a: Id, amount: Id) -> Id {
        self.step(Prim::Shr, Ty::I32, &[a, amount])
    }

    pub(super) fn sar(&mut self, a: Id, amount: Id) -> Id {
        self.step(Prim::Sar, Ty::I32, &[a, amount])
    }

    pub(super) fn and_with(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.and(a, word)
    }

    pub(super) fn or_with(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.or(a, word)
    }

    pub(super) fn xor_with(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.xor(a, word)
    }

    pub(super) fn plus(&mut self, a: Id, v: i32) -> Id {
        let v = self.int(v as u32);
        self.add(a, v)
    }

    /// `v - a`.
    pub(super) fn from(&mut self, v: i32, a: Id) -> Id {
        let v = self.int(v as u32);
        self.sub(v, a)
    }

    pub(super) fn shl_by(&mut self, a: Id, amount: u32) -> Id {
        let amount = self.int(amount);
        self.shl(a, amount)
    }

    pub(super) fn shr_by(&mut self, a: Id, amount: u32) -> Id {
        let amount = self.int(amount);
        self.shr(a, amount)
    }

    pub(super) fn clz(&mut self, a: Id) -> Id {
        self.step(Prim::LeadingZeros, Ty::I32, &[a])
    }

    pub(super) fn eq(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Eq, Ty::I32, &[a, b])
    }

    pub(super) fn is(&mut self, a: Id, word: u32) -> Id {
        let word = self.int(word);
        self.eq(a, word)
    }

    /// Whether any bit is set.
    pub(super) fn is_set(&mut self, a: Id) -> Id {
        let zero = self.int(0);
        self.ult(zero, a)
    }

    /// Signed.
    pub(super) fn lt(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Lt, Ty::I32, &[a, b])
    }

    /// Signed `a < v`.
    pub(super) fn is_below(&mut self, a: Id, v: i32) -> Id {
        let v = self.int(v as u32);
        self.lt(a, v)
    }

    /// Signed `v < a`.
    pub(super) fn is_above(&mut self, a: Id, v: i32) -> Id {
        let v = self.int(v as u32);
        self.lt(v, a)
    }

    pub(super) fn ult(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Ult, Ty::I32, &[a, b])
    }

    pub(super) fn not(&mut self, a: Id) -> Id {
        self.step(Prim::Not, Ty::Mask, &[a])
    }

    pub(super) fn both(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::And, Ty::Mask, &[a, b])
    }

    pub(super) fn either(&mut self, a: Id, b: Id) -> Id {
        self.step(Prim::Or, Ty::Mask, &[a, b])
    }

    pub(super) fn select(&mut self, mask: Id, a: Id, b: Id) -> Id {
        self.step(Prim::Select, Ty::I32, &[mask, a, b])
    }

    /// 1 where a mask is true, else 0.
    pub(super) fn bit(&mut self, mask: Id) -> Id {
        let (one, zero) = (self.int(1), self.int(0));
        self.select(mask, one, zero)
    }

    /// The smaller of a word and a number, unsigned.
    pub(super) fn at_most(&mut self, a: Id, most: u32) -> Id {
        let most = self.int(most);
        let less = self.ult(a, most);
        self.select(less, a, most)
    }
}
