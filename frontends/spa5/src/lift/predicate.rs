//! Predicates and condition codes.

use super::Ctx;
use super::operand::{Bits, PT};
use parallax_core::{Type, ValueId};
use parallax_lift::VarId;
use parallax_num::Op;

/// The condition code: what the last instruction with `.CC` left.
#[derive(Copy, Clone, Debug)]
pub(super) struct Flags {
    first: VarId,
}

impl Flags {
    pub(super) const COUNT: u32 = 4;

    pub(super) fn new(first: VarId) -> Flags {
        Flags { first }
    }

    /// Carry out of the highest bit.
    pub(super) fn carry(self) -> VarId {
        self.first
    }

    /// The result is 0.
    pub(super) fn zero(self) -> VarId {
        self.first.offset(1)
    }

    /// The result is negative.
    pub(super) fn negative(self) -> VarId {
        self.first.offset(2)
    }

    /// The sum does not fit as a signed number.
    pub(super) fn overflow(self) -> VarId {
        self.first.offset(3)
    }
}

impl Ctx<'_, '_> {
    /// AND, OR, XOR by number.
    fn boolean(&mut self, code: u32, a: ValueId, b: ValueId) -> Option<ValueId> {
        match [Op::Pand, Op::Por, Op::Pxor].get(code as usize) {
            Some(&op) => Some(self.l.b.int(op, &[a, b])),
            None => {
                self.refuse("a reserved boolean operation");
                None
            }
        }
    }

    /// A comparison's outcome combined with the source predicate, as FSET, ISET and their predicate forms say it.
    pub(super) fn combined(&mut self, word: u64, outcome: ValueId) -> Option<ValueId> {
        // `.AND PT`, which nearly all have.
        if word.field(45, 2) == 0 && Self::literal_predicate(word.field(39, 4)) == Some(true) {
            return Some(outcome);
        }
        let with = self.predicate(word.field(39, 4));
        self.boolean(word.field(45, 2), outcome, with)
    }

    /// Writes the two predicates of FSETP, ISETP and PSETP: the outcome and its opposite, each combined with the source
    /// predicate.
    pub(super) fn set_predicates(&mut self, word: u64, outcome: ValueId) {
        let (first, second) = (word.field(3, 3) as u8, word.field(0, 3) as u8);
        let opposite = (second != PT).then(|| self.l.b.int(Op::Pnot, &[outcome]));
        let Some(outcome) = self.combined(word, outcome) else { return };
        let opposite = match opposite {
            Some(opposite) => match self.combined(word, opposite) {
                Some(value) => Some(value),
                None => return,
            },
            None => None,
        };
        self.write_predicate(first, outcome);
        if let Some(opposite) = opposite {
            self.write_predicate(second, opposite);
        }
    }

    /// PSET and PSETP.
    pub(super) fn predicates(&mut self, word: u64, to_register: bool) {
        if to_register && self.refuse_flags(word.bit(47)) {
            return;
        }
        let (a, b) = (self.predicate(word.field(12, 4)), self.predicate(word.field(29, 4)));
        let Some(first) = self.boolean(word.field(24, 2), a, b) else { return };
        if to_register {
            let Some(outcome) = self.combined(word, first) else { return };
            self.set_result(word, outcome, word.bit(44));
        } else {
            self.set_predicates(word, first);
        }
    }

    /// CSET and CSETP: a condition of the condition code.
    pub(super) fn condition_code(&mut self, word: u64, to_register: bool) {
        if to_register && self.refuse_flags(word.bit(47)) {
            return;
        }
        let Some(outcome) = self.condition_of(word.field(8, 5)) else { return };
        if to_register {
            let Some(outcome) = self.combined(word, outcome) else { return };
            self.set_result(word, outcome, word.bit(44));
        } else {
            self.set_predicates(word, outcome);
        }
    }

    /// A condition of the condition code that an integer instruction left. No document at hand defines those that are about
    /// floats.
    fn condition_of(&mut self, code: u32) -> Option<ValueId> {
        let flags = self.registers.flags;
        let mut flag = |variable| self.l.read_as(variable, Type::Pred);
        let (zero, negative, overflow) = (flag(flags.zero()), flag(flags.negative()), flag(flags.overflow()));
        let b = &mut self.l.b;
        let less = b.int(Op::Pxor, &[negative, overflow]);
        let less_or_equal = b.int(Op::Por, &[less, zero]);
        let value = match code {
            0 => b.pred(false),
            1 => less,
            2 => zero,
            3 => less_or_equal,
            4 => b.int(Op::Pnot, &[less_or_equal]),
            5 => b.int(Op::Pnot, &[zero]),
            6 => b.int(Op::Pnot, &[less]),
            15 => b.pred(true),
            _ => {
                self.refuse("this condition of the condition code is not executed");
                return None;
            }
        };
        Some(value)
    }

    /// P2R: predicates to bits of a byte of a word.
    pub(super) fn predicates_to_register(&mut self, word: u64) {
        if word.bit(40) {
            return self.refuse("the condition code as bits is not executed");
        }
        let shift = word.field(41, 2) * 8;
        let mut bits = self.lit(0);
        for n in 0..PT {
            let pred = self.predicate(n.into());
            let (bit, zero) = (self.lit(1 << (u32::from(n) + shift)), self.lit(0));
            let bit = self.l.b.select(pred, bit, zero);
            bits = self.l.b.int(Op::Ior, &[bits, bit]);
        }
        let (a, mask) = (self.a(word), self.b_int(word));
        let (a, mask) = (self.word_of(a), self.word_of(mask));
        let (byte, shift) = (self.lit(0xff), self.lit(shift));
        let mask = self.l.b.int(Op::Iand, &[mask, byte]);
        let mask = self.l.b.int(Op::Shl, &[mask, shift]);
        let value = self.insert(a, bits, mask);
        self.result(word, value);
    }

    /// `a` with the bits of `b` where `mask` has ones.
    pub(super) fn insert(&mut self, a: ValueId, b: ValueId, mask: ValueId) -> ValueId {
        let keep = self.l.b.int(Op::Inot, &[mask]);
        let kept = self.l.b.int(Op::Iand, &[a, keep]);
        let put = self.l.b.int(Op::Iand, &[b, mask]);
        self.l.b.int(Op::Ior, &[kept, put])
    }

    /// R2P: bits of a byte of a word to the predicates of a mask.
    pub(super) fn register_to_predicates(&mut self, word: u64) {
        if word.bit(40) {
            return self.refuse("bits as the condition code are not executed");
        }
        let shift = word.field(41, 2) * 8;
        let (a, mask) = (self.a(word), self.b_int(word));
        let wanted = self.l.literal(mask);
        let (a, mask) = (self.word_of(a), self.word_of(mask));
        for n in 0..PT {
            if wanted.is_some_and(|mask| mask >> n & 1 == 0) {
                continue;
            }
            let value = self.test_bit(a, u32::from(n) + shift);
            let value = match wanted {
                Some(_) => value,
                None => {
                    let before = self.predicate(n.into());
                    let chosen = self.test_bit(mask, n.into());
                    self.l.b.select(chosen, value, before)
                }
            };
            self.write_predicate(n, value);
        }
    }

    /// Whether a bit of a word is set.
    pub(super) fn test_bit(&mut self, value: ValueId, bit: u32) -> ValueId {
        let (mask, zero) = (self.lit(1 << bit), self.lit(0));
        let bit = self.l.b.int(Op::Iand, &[value, mask]);
        self.l.b.int(Op::Ine, &[bit, zero])
    }
}
