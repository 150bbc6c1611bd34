//! Quotients and remainders of words, where the set has none: by the reciprocal of a float, as compilers for such sets do.

use super::Select;
use crate::form::{Arg, Operand};
use crate::target::{Meaning, Row};
use parallax_core::ValueId;
use parallax_num::{Decl, Op, Slot};
use smallvec::SmallVec;

const BY_RECIPROCAL: &str =
    "quotients of whole numbers by RCP: other words under rules whose reciprocal is off by more than two units";

/// Added to the bits of a reciprocal: 2^32 of them, less four units in the last place, so that it is not too large however the divisor
/// and the reciprocal were rounded.
const SCALE: u32 = (32 << 23) - 4;

/// Instructions for quotients.
#[derive(Copy, Clone)]
struct Quotients {
    rcp: Row,
    to_float: Row,
    to_word: Row,
    high: Row,
    mul: Row,
    add: Row,
    sub: Row,
    choose: Row,
}

impl Quotients {
    fn new(select: &Select<'_>) -> Option<Quotients> {
        let each = |op| select.rows.get(Meaning::Each(op));
        Some(Quotients {
            rcp: select.rows.get(Meaning::Scalar(Op::Rcp))?,
            to_float: each(Op::U2f)?,
            to_word: each(Op::F2uTrunc)?,
            high: each(Op::UmulHi)?,
            mul: each(Op::Imul)?,
            add: each(Op::Iadd)?,
            sub: each(Op::Isub)?,
            choose: select.chooses()?,
        })
    }
}

impl Select<'_> {
    /// A quotient or a remainder; whether the set has what it takes.
    pub(super) fn quotient(&mut self, result: ValueId, num: Op, args: [Arg; 2]) -> bool {
        let Some(rows) = Quotients::new(self) else { return false };
        let is_signed = matches!(num, Op::Idiv | Op::Imod);
        let is_remainder = matches!(num, Op::Umod | Op::Imod);
        let signs = [Op::Iabs, Op::Ixor].map(|op| self.rows.get(Meaning::Each(op)));
        let [Some(magnitude), Some(xor)] = signs else { return false };
        self.notes.inexact_elsewhere(BY_RECIPROCAL);
        let [a, b] = args.map(|arg| self.unsigned_word(arg));
        let [x, y] = [a, b].map(|arg| if is_signed { self.word_of(magnitude, &[arg]) } else { arg });
        let Some([quotient, rest]) = self.unsigned_quotient(rows, x, y) else { return false };
        let mut found = if is_remainder { rest } else { quotient };
        if is_signed {
            // A remainder has the sign of the first operand.
            let sign = if is_remainder { a } else { self.word_of(xor, &[a, b]) };
            let opposite = self.word_of(rows.sub, &[Arg::imm(0), found]);
            let Some(is_negative) = self.compared(Op::Ilt, sign, Arg::imm(0)) else { return false };
            found = self.word_of(rows.choose, &[is_negative, opposite, found]);
        }
        let by_zero = if num == Op::Idiv { 0 } else { u32::MAX };
        let Some(is_zero) = self.compared(Op::Ieq, b, Arg::imm(0)) else { return false };
        let own = self.own(result);
        let known = self.each(rows.choose, Slot::plain(Decl::F32), &[is_zero, Arg::imm(by_zero), found], own);
        self.stand_for(own, known);
        true
    }

    /// The quotient and the remainder of numbers without signs; anything where the second is 0.
    fn unsigned_quotient(&mut self, rows: Quotients, a: Arg, b: Arg) -> Option<[Arg; 2]> {
        let divisor = self.word_of(rows.to_float, &[b]);
        let reciprocal = self.fresh();
        let operand = SmallVec::from_iter([Operand::one(divisor)]);
        let reciprocal = self.put(rows.rcp, Slot::plain(Decl::F32), operand, reciprocal);
        let scaled = self.word_of(rows.add, &[Arg::value(reciprocal), Arg::imm(SCALE)]);
        // 2^32 / b, not more; a step of Newton's method makes it exact but for a unit or two.
        let first = self.word_of(rows.to_word, &[scaled]);
        let product = self.word_of(rows.mul, &[first, b]);
        let missing = self.word_of(rows.sub, &[Arg::imm(0), product]);
        let missing = self.word_of(rows.high, &[first, missing]);
        let inverse = self.word_of(rows.add, &[first, missing]);
        let mut quotient = self.word_of(rows.high, &[inverse, a]);
        let product = self.word_of(rows.mul, &[quotient, b]);
        let mut rest = self.word_of(rows.sub, &[a, product]);
        for _ in 0..2 {
            let is_left = self.compared(Op::Ule, b, rest)?;
            let less = self.word_of(rows.sub, &[rest, b]);
            let more = self.word_of(rows.add, &[quotient, Arg::imm(1)]);
            rest = self.word_of(rows.choose, &[is_left, less, rest]);
            quotient = self.word_of(rows.choose, &[is_left, more, quotient]);
        }
        Some([quotient, rest])
    }
}
