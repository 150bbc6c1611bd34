//! The condition code: four flags that instructions with `.CC` leave, and what tests make of them.
//!
//! What the flags are is in envytools, "Fermi CUDA ISA", register `$c`: zero, sign, carry, overflow, as bits 0 to 3; a float
//! that is no number sets zero and sign. Tests take their meaning from their names under these flags, as the emulator yuzu
//! reads them. No document at hand says what the tests CSM and FCSM are.

use super::Ctx;
use parallax_core::{Type, ValueId};
use parallax_lift::VarId;
use parallax_num::Op;

/// Test that always holds.
pub(super) const ALWAYS: u32 = 15;
/// Test that never holds.
pub(super) const NEVER: u32 = 0;

/// Whether a document says what a test of the condition code is.
pub(super) fn is_known_test(code: u32) -> bool {
    !(24..30).contains(&code)
}

/// What an instruction leaves in the condition code.
#[derive(Copy, Clone)]
pub(super) struct Left {
    pub(super) zero: ValueId,
    pub(super) negative: ValueId,
    pub(super) carry: ValueId,
    pub(super) overflow: ValueId,
}

impl Ctx<'_, '_> {
    /// Sets a flag in the lanes of the guard.
    pub(super) fn set_flag(&mut self, variable: VarId, value: ValueId) {
        match self.guard {
            None => self.l.set(variable, value),
            Some(guard) => self.l.set_if(guard, variable, value),
        }
    }

    pub(super) fn set_flags(&mut self, left: Left) {
        let values = [left.zero, left.negative, left.carry, left.overflow];
        for (variable, value) in self.registers.flags.all().into_iter().zip(values) {
            self.set_flag(variable, value);
        }
    }

    /// Sets the condition code from a sum.
    pub(super) fn flags_of_sum(&mut self, value: ValueId, carry: ValueId, overflow: ValueId) {
        let nil = self.lit(0);
        let zero = self.l.b.int(Op::Ieq, &[value, nil]);
        let negative = self.l.b.int(Op::Ilt, &[value, nil]);
        self.set_flags(Left { zero, negative, carry, overflow });
    }

    /// Sets the condition code from a word that is no sum.
    pub(super) fn flags_of_word(&mut self, value: ValueId) {
        let none = self.l.b.pred(false);
        self.flags_of_sum(value, none, none);
    }

    /// Sets the condition code from a 32-bit float. That a zero is negative cannot be seen: tests for equality want the
    /// sign clear.
    pub(super) fn flags_of_float(&mut self, value: ValueId) {
        let (slot, nil) = (self.plain(), self.zero());
        let is = |ctx: &mut Self, op| ctx.l.b.num(op, slot, &[value, nil]);
        let (equal, less, unordered) = (is(self, Op::FEq), is(self, Op::FLt), is(self, Op::Funo));
        let zero = self.l.b.int(Op::Por, &[equal, unordered]);
        let negative = self.l.b.int(Op::Por, &[less, unordered]);
        let none = self.l.b.pred(false);
        self.set_flags(Left { zero, negative, carry: none, overflow: none });
    }

    /// The same from the bits of a 16-bit float.
    pub(super) fn flags_of_half(&mut self, bits: ValueId) {
        let slot = self.plain();
        let value = self.l.b.num(Op::UpHalf, slot, &[bits]);
        self.flags_of_float(value);
    }

    /// A flag.
    pub(super) fn flag(&mut self, variable: VarId) -> ValueId {
        self.l.read_as(variable, Type::Pred)
    }

    /// The carry of the condition code.
    pub(super) fn carry_in(&mut self) -> ValueId {
        self.flag(self.registers.flags.carry())
    }

    /// Whether a test of the condition code holds; nothing, with an error, for those no document defines.
    pub(super) fn test(&mut self, code: u32) -> Option<ValueId> {
        if !is_known_test(code) {
            self.refuse("no document says what this test of the condition code is");
            return None;
        }
        let all = self.registers.flags;
        let (zero, negative) = (self.flag(all.zero()), self.flag(all.negative()));
        let (carry, overflow) = (self.flag(all.carry()), self.flag(all.overflow()));
        let b = &mut self.l.b;
        let number_is_less = b.int(Op::Pxor, &[negative, overflow]);
        // Both flags together say that there is no number.
        let unordered = b.int(Op::Pand, &[zero, negative]);
        let (holds, of) = match code {
            NEVER => (false, None),
            ALWAYS => (true, None),
            1 | 14 => {
                let not_zero = b.int(Op::Pnot, &[zero]);
                let negative = b.int(Op::Pand, &[negative, not_zero]);
                (code == 1, Some(b.int(Op::Pxor, &[negative, overflow])))
            }
            2 | 13 => {
                let positive = b.int(Op::Pnot, &[negative]);
                (code == 2, Some(b.int(Op::Pand, &[zero, positive])))
            }
            3 | 12 => {
                let either = b.int(Op::Por, &[zero, overflow]);
                (code == 3, Some(b.int(Op::Pxor, &[negative, either])))
            }
            4 | 11 => (code == 11, Some(b.int(Op::Por, &[number_is_less, zero]))),
            5 | 10 => (code == 10, Some(zero)),
            6 | 9 => (code == 9, Some(number_is_less)),
            7 | 8 => (code == 8, Some(unordered)),
            16 | 23 => (code == 23, Some(overflow)),
            17 | 22 => (code == 22, Some(carry)),
            18 | 21 => (code == 21, Some(negative)),
            19 | 20 => {
                let not_zero = b.int(Op::Pnot, &[zero]);
                (code == 20, Some(b.int(Op::Pand, &[carry, not_zero])))
            }
            _ => (code == 30, Some(b.int(Op::Por, &[negative, zero]))),
        };
        Some(match of {
            None => b.pred(holds),
            Some(value) if holds => value,
            Some(value) => b.int(Op::Pnot, &[value]),
        })
    }

    /// The condition code as the lowest bits of a word.
    pub(super) fn flags_as_bits(&mut self) -> ValueId {
        let mut bits = self.lit(0);
        for (n, variable) in self.registers.flags.all().into_iter().enumerate() {
            let flag = self.flag(variable);
            let (bit, zero) = (self.lit(1 << n), self.lit(0));
            let bit = self.l.b.select(flag, bit, zero);
            bits = self.l.b.int(Op::Ior, &[bits, bit]);
        }
        bits
    }
}
