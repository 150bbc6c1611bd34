//! Float arithmetic and comparisons.

use super::Ctx;
use super::operand::Modifiers;
use crate::view::{Name, Operands};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// 1.0
pub(super) const ONE: u32 = 0x3f80_0000;

/// The function that MUFU computes, by number.
const MUFU: [Option<Op>; 9] = [
    Some(Op::Cos),
    Some(Op::Sin),
    Some(Op::Exp2),
    Some(Op::Log2),
    Some(Op::Rcp),
    Some(Op::Rsq),
    None,
    None,
    // From sm_52 on.
    Some(Op::Sqrt),
];

impl Ctx<'_, '_> {
    pub(super) fn fadd(&mut self, i: Operands) {
        let args = self.float_pair(i);
        self.float_result(i, Op::Add, Modifiers::by(i), &args);
    }

    pub(super) fn fmul(&mut self, i: Operands) {
        let args = self.float_pair(i);
        self.float_result(i, Op::Mul, Modifiers::by(i), &args);
    }

    /// FFMA; the addend of FFMA32I is the destination itself.
    pub(super) fn ffma(&mut self, i: Operands) {
        let (first, second, third) = (i.a(), i.b(), i.c());
        let (a, b, c) = (self.float_source(first), self.float_source(second), self.float_source(third));
        let args = [self.float_of(a, first), self.float_of(b, second), self.float_of(c, third)];
        self.float_result(i, Op::Mad, Modifiers::by(i), &args);
    }

    /// Computes and writes.
    pub(super) fn float_result(&mut self, i: Operands, op: Op, asked: Modifiers, args: &[ValueId]) {
        let Some(slot) = self.asked(asked) else { return };
        let value = self.l.b.num(op, slot, args);
        self.write_float(i, value);
    }

    /// Writes a 32-bit float, and the condition code as asked.
    pub(super) fn write_float(&mut self, i: Operands, value: ValueId) {
        self.result(i, value);
        if i.has(Name::SetsFlags) {
            self.flags_of_float(value);
        }
    }

    pub(super) fn fmnmx(&mut self, i: Operands) {
        let Some(slot) = self.asked(Modifiers::flush(i)) else { return };
        let args = self.float_pair(i);
        let value = self.smaller_or_larger(i, slot, &args);
        self.write_float(i, value);
    }

    /// The smaller of two floats where the last predicate holds, else the larger one.
    pub(super) fn smaller_or_larger(&mut self, i: Operands, slot: SlotId, args: &[ValueId]) -> ValueId {
        match Self::literal_predicate(i.get(Name::LastPredicate)) {
            Some(is_min) => self.l.b.num(if is_min { Op::Min } else { Op::Max }, slot, args),
            None => {
                let is_min = self.predicate(i.get(Name::LastPredicate));
                let (min, max) = (self.l.b.num(Op::Min, slot, args), self.l.b.num(Op::Max, slot, args));
                self.l.b.select(is_min, min, max)
            }
        }
    }

    /// A comparison by its code.
    pub(super) fn compare(&mut self, code: u32, slot: SlotId, a: ValueId, b: ValueId) -> ValueId {
        let (op, outcome) = match code {
            0 => return self.l.b.pred(false),
            15 => return self.l.b.pred(true),
            1 => (Op::FLt, true),
            2 => (Op::FEq, true),
            3 => (Op::FLe, true),
            4 => (Op::FGt, true),
            6 => (Op::FGe, true),
            7 => (Op::Funo, false),
            8 => (Op::Funo, true),
            9 => (Op::FGe, false),
            11 => (Op::FGt, false),
            12 => (Op::FLe, false),
            13 => (Op::FNe, true),
            14 => (Op::FLt, false),
            // Different, and both numbers; equal, or not both numbers.
            _ => {
                let differs = self.l.b.num(Op::FNe, slot, &[a, b]);
                let unordered = self.l.b.num(Op::Funo, slot, &[a, b]);
                let ordered = self.l.b.int(Op::Pnot, &[unordered]);
                let value = self.l.b.int(Op::Pand, &[differs, ordered]);
                return if code == 5 { value } else { self.l.b.int(Op::Pnot, &[value]) };
            }
        };
        let value = self.l.b.num(op, slot, &[a, b]);
        if outcome { value } else { self.l.b.int(Op::Pnot, &[value]) }
    }

    /// The outcome of FSET and FSETP.
    fn fset_outcome(&mut self, i: Operands) -> Option<ValueId> {
        let slot = self.asked(Modifiers::flush(i))?;
        let [a, b] = self.float_pair(i);
        Some(self.compare(i.get(Name::Compare), slot, a, b))
    }

    pub(super) fn fset(&mut self, i: Operands) {
        if let Some(outcome) = self.fset_outcome(i) {
            self.set_register(i, outcome);
        }
    }

    /// Combines an outcome with the source predicate; writes 1.0 or all ones where it holds, else 0, and the condition code as
    /// asked.
    pub(super) fn set_register(&mut self, i: Operands, outcome: ValueId) {
        let Some(outcome) = self.combined(i, outcome) else { return };
        if i.has(Name::AsFloat) {
            let (one, zero) = (self.number_of(Deferred::word(ONE)), self.zero());
            let value = self.l.b.select(outcome, one, zero);
            self.write_float(i, value);
        } else {
            let value = self.mask_of(outcome);
            self.word_result(i, value);
        }
    }

    pub(super) fn fsetp(&mut self, i: Operands) {
        if let Some(outcome) = self.fset_outcome(i) {
            self.set_predicates(i, outcome);
        }
    }

    pub(super) fn fcmp(&mut self, i: Operands) {
        let Some(slot) = self.asked(Modifiers::flush(i)) else { return };
        let (a, b, c) = (self.float_source(i.a()), self.float_source(i.b()), self.float_source(i.c()));
        let (c, zero) = (self.number_of(c), self.zero());
        let outcome = self.compare(i.get(Name::Compare), slot, c, zero);
        let chosen = self.l.choose(outcome, a, b, Type::F32);
        self.result(i, chosen);
    }

    pub(super) fn mufu(&mut self, i: Operands) {
        let Some(op) = MUFU.get(i.get(Name::Function) as usize).copied().flatten() else {
            return self.refuse("this function is not executed");
        };
        let a = self.float_source(i.a());
        let a = self.float_of(a, i.a());
        self.float_result(i, op, Modifiers::by(i), &[a]);
    }

    /// Range reduction is part of the functions it prepares for: its result stands for the operand itself, of which a sign
    /// changes one bit, of a NaN too.
    pub(super) fn rro(&mut self, i: Operands) {
        const SIGN: u32 = 1 << 31;
        let source = i.b();
        let operand = self.float_source(source);
        if !(source.negate || source.magnitude) {
            return self.result(i, operand);
        }
        let mut bits = self.word_of(operand);
        if source.magnitude {
            let others = self.lit(!SIGN);
            bits = self.l.b.int(Op::Iand, &[bits, others]);
        }
        if source.negate {
            let bit = self.lit(SIGN);
            bits = self.l.b.int(Op::Ixor, &[bits, bit]);
        }
        self.result(i, bits);
    }

    /// The plain slot of 32-bit floats.
    pub(super) fn plain(&mut self) -> SlotId {
        self.l.plain(Decl::F32)
    }
}
