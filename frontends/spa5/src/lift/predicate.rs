//! Predicates.

use super::Ctx;
use super::flow::leads;
use crate::fields::PT;
use crate::op::Op as Instruction;
use crate::view::{Name, Operands};
use parallax_core::ValueId;
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// Whether nothing but the predicate operand of LD and ST reads a predicate that the current instruction writes, as far as can be
    /// told without following branches.
    pub(super) fn only_memory_reads(&self, number: u8) -> bool {
        for instr in self.program.instrs.iter().skip(self.current + 1) {
            let (Some(op), i) = (instr.op(), Operands::of(instr)) else { return true };
            let read = [Name::Guard, Name::FirstPredicate, Name::SecondPredicate, Name::LastPredicate];
            if read.into_iter().any(|name| i.names(name) && i.number(name) & 7 == number) || op == Instruction::P2r {
                return false;
            }
            let written = [Name::PredicateResult, Name::OppositeResult];
            let is_written = written.into_iter().any(|name| i.names(name) && i.number(name) == number);
            if is_written && instr.guard() == (PT, false) || leads(op) {
                return true;
            }
        }
        true
    }

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
    pub(super) fn combined(&mut self, i: Operands, outcome: ValueId) -> Option<ValueId> {
        // `.AND PT`, which nearly all have.
        if i.get(Name::Combine) == 0 && Self::literal_predicate(i.get(Name::LastPredicate)) == Some(true) {
            return Some(outcome);
        }
        let with = self.predicate(i.get(Name::LastPredicate));
        self.boolean(i.get(Name::Combine), outcome, with)
    }

    /// Writes the two predicates of FSETP, ISETP and PSETP: the outcome and its opposite, each combined with the source
    /// predicate.
    pub(super) fn set_predicates(&mut self, i: Operands, outcome: ValueId) {
        let (first, second) = (i.number(Name::PredicateResult), i.number(Name::OppositeResult));
        let opposite = (second != PT).then(|| self.l.b.int(Op::Pnot, &[outcome]));
        let Some(outcome) = self.combined(i, outcome) else { return };
        let opposite = match opposite {
            Some(opposite) => match self.combined(i, opposite) {
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
    pub(super) fn predicates(&mut self, i: Operands, to_register: bool) {
        let (a, b) = (self.predicate(i.get(Name::FirstPredicate)), self.predicate(i.get(Name::SecondPredicate)));
        let Some(first) = self.boolean(i.get(Name::CombineFirst), a, b) else { return };
        if to_register {
            self.set_register(i, first);
        } else {
            self.set_predicates(i, first);
        }
    }

    /// CSET and CSETP: a test of the condition code.
    pub(super) fn condition_code(&mut self, i: Operands, to_register: bool) {
        let Some(outcome) = self.test(i.get(Name::Test)) else { return };
        if to_register {
            self.set_register(i, outcome);
        } else {
            self.set_predicates(i, outcome);
        }
    }

    /// P2R: predicates, or the condition code, to bits of a byte of a word.
    pub(super) fn predicates_to_register(&mut self, i: Operands) {
        let shift = i.get(Name::Byte) * 8;
        let places = self.lit(shift);
        let (bits, known) = if i.has(Name::What) {
            let bits = self.flags_as_bits();
            (self.l.b.int(Op::Shl, &[bits, places]), 0xf)
        } else {
            let mut bits = self.lit(0);
            for n in 0..PT {
                let pred = self.predicate(n.into());
                let (bit, zero) = (self.lit(1 << (u32::from(n) + shift)), self.lit(0));
                let bit = self.l.b.select(pred, bit, zero);
                bits = self.l.b.int(Op::Ior, &[bits, bit]);
            }
            (bits, 0xff)
        };
        let [a, mask] = self.word_pair(i);
        let known = self.lit(known);
        let mask = self.l.b.int(Op::Iand, &[mask, known]);
        let mask = self.l.b.int(Op::Shl, &[mask, places]);
        let value = self.insert(a, bits, mask);
        self.result(i, value);
    }

    /// `a` with the bits of `b` where `mask` has ones.
    pub(super) fn insert(&mut self, a: ValueId, b: ValueId, mask: ValueId) -> ValueId {
        let keep = self.l.b.int(Op::Inot, &[mask]);
        let kept = self.l.b.int(Op::Iand, &[a, keep]);
        let put = self.l.b.int(Op::Iand, &[b, mask]);
        self.l.b.int(Op::Ior, &[kept, put])
    }

    /// R2P: bits of a byte of a word to the predicates, or the flags of the condition code, of a mask.
    pub(super) fn register_to_predicates(&mut self, i: Operands) {
        let shift = i.get(Name::Byte) * 8;
        let (a, mask) = (self.source(i.a()), self.source(i.b()));
        let wanted = self.l.literal(mask);
        let (a, mask) = (self.word_of(a), self.word_of(mask));
        let to_flags = i.has(Name::What);
        let flags = self.registers.flags.all();
        for n in 0..if to_flags { flags.len() as u8 } else { PT } {
            if wanted.is_some_and(|mask| mask >> n & 1 == 0) {
                continue;
            }
            let value = self.test_bit(a, u32::from(n) + shift);
            let value = match wanted {
                Some(_) => value,
                None => {
                    let before = if to_flags { self.flag(flags[usize::from(n)]) } else { self.predicate(n.into()) };
                    let chosen = self.test_bit(mask, n.into());
                    self.l.b.select(chosen, value, before)
                }
            };
            if to_flags {
                self.set_flag(flags[usize::from(n)], value);
            } else {
                self.write_predicate(n, value);
            }
        }
    }

    /// Whether a bit of a word is set.
    pub(super) fn test_bit(&mut self, value: ValueId, bit: u32) -> ValueId {
        let (mask, zero) = (self.lit(1 << bit), self.lit(0));
        let bit = self.l.b.int(Op::Iand, &[value, mask]);
        self.l.b.int(Op::Ine, &[bit, zero])
    }
}
