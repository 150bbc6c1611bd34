//! Float arithmetic and comparisons.

use super::Ctx;
use super::operand::{Asked, Bits, Sign, immediate32};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// 1.0
pub(super) const ONE: u32 = 0x3f80_0000;

const fn sign(negate: bool, magnitude: bool) -> Sign {
    Sign { negate, magnitude }
}

/// The function that MUFU computes, by number.
const MUFU: [Option<Op>; 6] =
    [Some(Op::Cos), Some(Op::Sin), Some(Op::Exp2), Some(Op::Log2), Some(Op::Rcp), Some(Op::Rsq)];

impl Ctx<'_, '_> {
    pub(super) fn fadd(&mut self, word: u64) {
        let asked =
            Asked { round: word.field(39, 2), flush: word.field(44, 1), saturate: word.bit(50), ..Asked::default() };
        let (a, b) = (self.a(word), self.b_float(word));
        let a = self.float_of(a, sign(word.bit(48), word.bit(46)));
        let b = self.float_of(b, sign(word.bit(45), word.bit(49)));
        self.float_result(word, Op::Add, asked, &[a, b], word.bit(47));
    }

    pub(super) fn fadd32(&mut self, word: u64) {
        let a = self.a(word);
        let a = self.float_of(a, sign(word.bit(56), word.bit(54)));
        let b = self.float_of(Deferred::word(immediate32(word)), sign(word.bit(53), word.bit(57)));
        self.float_result(word, Op::Add, Asked::ftz(word.bit(55)), &[a, b], word.bit(52));
    }

    pub(super) fn fmul(&mut self, word: u64) {
        let asked = Asked {
            round: word.field(39, 2),
            flush: word.field(44, 2),
            saturate: word.bit(50),
            scale: word.field(41, 3),
        };
        let (a, b) = (self.a(word), self.b_float(word));
        let (a, b) = (self.float_of(a, Sign::default()), self.float_of(b, sign(word.bit(48), false)));
        self.float_result(word, Op::Mul, asked, &[a, b], word.bit(47));
    }

    pub(super) fn fmul32(&mut self, word: u64) {
        let asked = Asked { flush: word.field(53, 2), saturate: word.bit(55), ..Asked::default() };
        let a = self.a(word);
        let a = self.float_of(a, Sign::default());
        let b = self.float_of(Deferred::word(immediate32(word)), Sign::default());
        self.float_result(word, Op::Mul, asked, &[a, b], word.bit(52));
    }

    pub(super) fn ffma(&mut self, word: u64) {
        let asked =
            Asked { round: word.field(51, 2), flush: word.field(53, 2), saturate: word.bit(50), ..Asked::default() };
        let (a, b, c) = (self.a(word), self.b_float(word), self.c(word));
        let a = self.float_of(a, Sign::default());
        let b = self.float_of(b, sign(word.bit(48), false));
        let c = self.float_of(c, sign(word.bit(49), false));
        self.float_result(word, Op::Mad, asked, &[a, b, c], word.bit(47));
    }

    /// The addend is the destination itself.
    pub(super) fn ffma32(&mut self, word: u64) {
        let asked = Asked { flush: word.field(53, 2), saturate: word.bit(55), ..Asked::default() };
        let (a, c) = (self.a(word), self.register(word.byte(0)));
        let a = self.float_of(a, sign(word.bit(56), false));
        let b = self.float_of(Deferred::word(immediate32(word)), Sign::default());
        let c = self.float_of(c, sign(word.bit(57), false));
        self.float_result(word, Op::Mad, asked, &[a, b, c], word.bit(52));
    }

    /// Computes and writes.
    pub(super) fn float_result(&mut self, word: u64, op: Op, asked: Asked, args: &[ValueId], flags: bool) {
        let Some(slot) = self.asked(asked) else { return };
        let value = self.l.b.num(op, slot, args);
        self.write_float(word, value, flags);
    }

    /// Writes a 32-bit float, and the condition code as asked.
    pub(super) fn write_float(&mut self, word: u64, value: ValueId, flags: bool) {
        self.result(word, value);
        if flags {
            self.flags_of_float(value);
        }
    }

    pub(super) fn fmnmx(&mut self, word: u64) {
        let Some(slot) = self.asked(Asked::ftz(word.bit(44))) else { return };
        let (a, b) = (self.a(word), self.b_float(word));
        let args =
            [self.float_of(a, sign(word.bit(48), word.bit(46))), self.float_of(b, sign(word.bit(45), word.bit(49)))];
        let value = match Self::literal_predicate(word.field(39, 4)) {
            Some(is_min) => self.l.b.num(if is_min { Op::Min } else { Op::Max }, slot, &args),
            None => {
                let is_min = self.predicate(word.field(39, 4));
                let (min, max) = (self.l.b.num(Op::Min, slot, &args), self.l.b.num(Op::Max, slot, &args));
                self.l.b.select(is_min, min, max)
            }
        };
        self.write_float(word, value, word.bit(47));
    }

    /// A comparison by its code.
    fn compare(&mut self, code: u32, slot: SlotId, a: ValueId, b: ValueId) -> ValueId {
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

    pub(super) fn fset(&mut self, word: u64) {
        let Some(slot) = self.asked(Asked::ftz(word.bit(55))) else { return };
        let (a, b) = (self.a(word), self.b_float(word));
        let a = self.float_of(a, sign(word.bit(43), word.bit(54)));
        let b = self.float_of(b, sign(word.bit(53), word.bit(44)));
        let outcome = self.compare(word.field(48, 4), slot, a, b);
        let Some(outcome) = self.combined(word, outcome) else { return };
        self.set_result(word, outcome, word.bit(52), word.bit(47));
    }

    /// Writes 1.0 or all ones where `outcome` holds, else 0, and the condition code as asked.
    pub(super) fn set_result(&mut self, word: u64, outcome: ValueId, as_float: bool, flags: bool) {
        if as_float {
            let (one, zero) = (Deferred::word(ONE), Deferred::word(0));
            let (one, zero) = (self.l.force(one, Type::F32), self.l.force(zero, Type::F32));
            let value = self.l.b.select(outcome, one, zero);
            self.write_float(word, value, flags);
        } else {
            let value = self.mask_of(outcome);
            self.word_result(word, value, flags);
        }
    }

    pub(super) fn fsetp(&mut self, word: u64) {
        let Some(slot) = self.asked(Asked::ftz(word.bit(47))) else { return };
        let (a, b) = (self.a(word), self.b_float(word));
        let a = self.float_of(a, sign(word.bit(43), word.bit(7)));
        let b = self.float_of(b, sign(word.bit(6), word.bit(44)));
        let outcome = self.compare(word.field(48, 4), slot, a, b);
        self.set_predicates(word, outcome);
    }

    pub(super) fn fcmp(&mut self, word: u64) {
        let Some(slot) = self.asked(Asked::ftz(word.bit(47))) else { return };
        let (a, b, c) = (self.a(word), self.b_float(word), self.c(word));
        let c = self.float_of(c, Sign::default());
        let zero = self.float_of(Deferred::word(0), Sign::default());
        let outcome = self.compare(word.field(48, 4), slot, c, zero);
        let chosen = self.l.choose(outcome, a, b, Type::F32);
        self.result(word, chosen);
    }

    pub(super) fn mufu(&mut self, word: u64) {
        let Some(op) = MUFU.get(word.field(20, 4) as usize).copied().flatten() else {
            return self.refuse("this function is not executed");
        };
        let a = self.a(word);
        let a = self.float_of(a, sign(word.bit(48), word.bit(46)));
        self.float_result(word, op, Asked { saturate: word.bit(50), ..Asked::default() }, &[a], false);
    }

    /// Range reduction is part of the functions it prepares for: its result stands for the operand itself, of which a sign
    /// changes one bit, of a NaN too.
    pub(super) fn rro(&mut self, word: u64) {
        const SIGN: u32 = 1 << 31;
        let operand = self.b_float(word);
        let sign = sign(word.bit(45), word.bit(49));
        if sign == Sign::default() {
            return self.result(word, operand);
        }
        let mut bits = self.word_of(operand);
        if sign.magnitude {
            let others = self.lit(!SIGN);
            bits = self.l.b.int(Op::Iand, &[bits, others]);
        }
        if sign.negate {
            let bit = self.lit(SIGN);
            bits = self.l.b.int(Op::Ixor, &[bits, bit]);
        }
        self.result(word, bits);
    }

    /// The plain slot of 32-bit floats.
    pub(super) fn plain(&mut self) -> SlotId {
        self.l.plain(Decl::F32)
    }
}
