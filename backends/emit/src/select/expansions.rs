//! Operations as several others, for sets that have only the simplest.

use super::Select;
use crate::form::Arg;
use crate::target::Meaning;
use parallax_core::ValueId;
use parallax_num::{Op, Saturate, Slot};

/// What is to be said of a dot product that is made of products and sums.
macro_rules! as_chain {
    ($name:literal) => {
        concat!("`", $name, "` as MUL, MAD: other bits under rules that sum dot products in another order or width")
    };
}

impl Select<'_> {
    /// An operation of others; those that more sets lack come first, in `expand`.
    pub(super) fn expand_further(&mut self, result: ValueId, num: Op, slot: Slot, args: &[Arg]) -> bool {
        let plain = Slot { saturate: Saturate::None, ..slot };
        match (num, args) {
            (Op::Dot3, &[a0, a1, a2, b0, b1, b2]) => {
                self.chain(result, as_chain!("dot3"), slot, &[(a0, b0), (a1, b1), (a2, b2)], None)
            }
            (Op::Dot4, &[a0, a1, a2, a3, b0, b1, b2, b3]) => {
                self.chain(result, as_chain!("dot4"), slot, &[(a0, b0), (a1, b1), (a2, b2), (a3, b3)], None)
            }
            (Op::Dph, &[a0, a1, a2, b0, b1, b2, b3]) => {
                self.chain(result, as_chain!("dph"), slot, &[(a0, b0), (a1, b1), (a2, b2)], Some(b3))
            }
            (Op::Dp2a, &[a0, a1, b0, b1, c]) => {
                self.chain(result, as_chain!("dp2a"), slot, &[(a0, b0), (a1, b1)], Some(c))
            }
            (Op::Frac, &[a]) => {
                let [Some(floor), Some(add)] = [Op::Floor, Op::Add].map(|op| self.rows.get(Meaning::Each(op))) else {
                    return false;
                };
                self.notes.inexact_elsewhere(
                    "`frac` as floor and a difference: other bits under rules whose fraction is clamped or has a sign",
                );
                let whole = self.fresh();
                let whole = self.each(floor, plain, &[a], whole);
                let own = self.own(result);
                let known = self.each(add, slot, &[a, Arg::value(whole).negated()], own);
                self.stand_for(own, known);
                true
            }
            (Op::Sign, &[a]) => {
                let sets = [Op::FGt, Op::FLt].map(|op| self.rows.get(Meaning::Set(op, true)));
                let ([Some(above), Some(below)], Some(add)) = (sets, self.rows.get(Meaning::Each(Op::Add))) else {
                    return false;
                };
                let [above, below] = [above, below].map(|row| {
                    let fresh = self.fresh();
                    Arg::value(self.each(row, plain, &[a, Arg::imm(0)], fresh))
                });
                let own = self.own(result);
                let known = self.each(add, slot, &[above, below.negated()], own);
                self.stand_for(own, known);
                true
            }
            (Op::Isign, &[a]) => {
                let [Some(min), Some(max)] = [Op::Imin, Op::Imax].map(|op| self.rows.get(Meaning::Each(op))) else {
                    return false;
                };
                let first = self.fresh();
                let first = self.each(min, plain, &[a, Arg::imm(1)], first);
                let own = self.own(result);
                let known = self.each(max, plain, &[Arg::value(first), Arg::imm(u32::MAX)], own);
                self.stand_for(own, known);
                true
            }
            (Op::Udiv | Op::Umod | Op::Idiv | Op::Imod, &[a, b]) => self.quotient(result, num, [a, b]),
            (Op::Dst, &[_, _]) => {
                self.notes
                    .inexact_elsewhere("`dst` as MUL: other bits under rules whose distance has zeros of its own");
                self.try_op(result, Op::Mul, slot, args)
            }
            (Op::LitY, &[a]) => {
                self.notes.inexact_elsewhere("`lit.y` as MAX: other bits under rules whose diffuse term keeps NaN");
                self.try_op(result, Op::Max, slot, &[a, Arg::imm(0)])
            }
            (Op::Exp2Floor, &[a]) => {
                let Some(floor) = self.rows.get(Meaning::Each(Op::Floor)) else { return false };
                self.notes.inexact_elsewhere(
                    "`exp2.floor` as floor, EX2: other bits under rules whose EX2 is not exact there",
                );
                let whole = self.fresh();
                let whole = self.each(floor, plain, &[a], whole);
                self.try_op(result, Op::Exp2, slot, &[Arg::value(whole)])
            }
            // A place that nobody knows: the word is moved first. Its length is one.
            (Op::Ubfe | Op::Ibfe, &[a, at, width]) if at.bits().is_none() => {
                let (shift, width) = match (num, width.bits().map(|width| width & 31)) {
                    (_, None | Some(0)) => return false,
                    (Op::Ubfe, Some(width)) => (Op::Ushr, width),
                    (_, Some(width)) => (Op::Ishr, width),
                };
                let rows = [Meaning::Each(shift), Meaning::Field(num)].map(|meaning| self.rows.get(meaning));
                let ([Some(shift), Some(row)], Some(field)) = (rows, field(Arg::imm(0), Arg::imm(width))) else {
                    return false;
                };
                let fresh = self.fresh();
                let shifted = self.each(shift, plain, &[a, at], fresh);
                let own = self.own(result);
                let known = self.each(row, plain, &[Arg::value(shifted), field], own);
                self.stand_for(own, known);
                true
            }
            (Op::PackHalf2, &[a, b]) => {
                let rows = [Meaning::Field(num), Meaning::Each(Op::Prmt)].map(|meaning| self.rows.get(meaning));
                let [Some(half), Some(bytes)] = rows else { return false };
                self.notes.inexact_elsewhere(
                    "two halves in a word as two conversions: other bits under rules whose packing rounds otherwise",
                );
                let [a, b] = [a, b].map(|arg| {
                    let fresh = self.fresh();
                    Arg::value(self.each(half, plain, &[arg], fresh))
                });
                let own = self.own(result);
                let known = self.each(bytes, plain, &[a, b, Arg::imm(0x5410)], own);
                self.stand_for(own, known);
                true
            }
            (Op::LitZ, &[x, y, w]) => {
                let rows = [Meaning::Each(Op::Max), Meaning::Each(Op::Mul), Meaning::Select(Op::FGt)];
                let functions = [Meaning::Scalar(Op::Log2), Meaning::Scalar(Op::Exp2)];
                let rows = rows.map(|meaning| self.rows.get(meaning));
                let functions = functions.map(|meaning| self.rows.get(meaning));
                let ([Some(max), Some(mul), Some(choose)], [Some(log), Some(exp)]) = (rows, functions) else {
                    return false;
                };
                self.notes.inexact(
                    "`lit.z` as MAX, LG2, MUL, EX2 and a choice: other bits under rules whose power is no such chain",
                );
                let mut value = |row, slot, args: &[Arg]| {
                    let fresh = self.fresh();
                    Arg::value(self.each(row, slot, args, fresh))
                };
                let base = value(max, plain, &[y, Arg::imm(0)]);
                let exponent = value(log, plain, &[base]);
                let exponent = value(mul, plain, &[exponent, w]);
                let power = value(exp, slot, &[exponent]);
                let own = self.own(result);
                let known = self.each(choose, plain, &[x, power, Arg::imm(0)], own);
                self.stand_for(own, known);
                true
            }
            (Op::Ubfe | Op::Ibfe, &[a, at, width]) => {
                let (Some(row), Some(field)) = (self.rows.get(Meaning::Field(num)), field(at, width)) else {
                    return false;
                };
                let own = self.own(result);
                let known = self.each(row, plain, &[a, field], own);
                self.stand_for(own, known);
                true
            }
            // All bits are new.
            (Op::Bfi, &[_, b, _, width]) if width.bits() == Some(32) => {
                self.hold(result, b);
                true
            }
            (Op::Bfi, &[a, b, at, width]) => {
                let (Some(row), Some(field)) = (self.rows.get(Meaning::Field(num)), field(at, width)) else {
                    return false;
                };
                let own = self.own(result);
                let known = self.each(row, plain, &[b, field, a], own);
                self.stand_for(own, known);
                true
            }
            (Op::Lsb, &[a]) => {
                let Some(reverse) = self.rows.get(Meaning::Each(Op::Brev)) else { return false };
                let fresh = self.fresh();
                let reversed = self.each(reverse, plain, &[a], fresh);
                let Some(row) = self.rows.get(Meaning::Field(Op::Lsb)) else { return false };
                let own = self.own(result);
                let known = self.each(row, plain, &[Arg::value(reversed)], own);
                self.stand_for(own, known);
                true
            }
            _ => false,
        }
    }

    /// A sum of products: the first rounded, the others added by MAD, then an addend. `note`: what is to be said of it.
    fn chain(
        &mut self,
        result: ValueId,
        note: &'static str,
        slot: Slot,
        pairs: &[(Arg, Arg)],
        addend: Option<Arg>,
    ) -> bool {
        let rows = [Op::Mul, Op::Mad, Op::Add].map(|op| self.rows.get(Meaning::Each(op)));
        let ([Some(mul), Some(mad), Some(add)], [(a, b), middle @ .., (c, d)]) = (rows, pairs) else { return false };
        self.notes.inexact_elsewhere(note);
        let plain = Slot { saturate: Saturate::None, ..slot };
        let fresh = self.fresh();
        let mut sum = self.each(mul, plain, &[*a, *b], fresh);
        for (a, b) in middle {
            let fresh = self.fresh();
            sum = self.each(mad, plain, &[*a, *b, Arg::value(sum)], fresh);
        }
        let known = match addend {
            Some(addend) => {
                let fresh = self.fresh();
                let sum = self.each(mad, plain, &[*c, *d, Arg::value(sum)], fresh);
                let own = self.own(result);
                self.each(add, slot, &[Arg::value(sum), addend], own)
            }
            None => {
                let own = self.own(result);
                self.each(mad, slot, &[*c, *d, Arg::value(sum)], own)
            }
        };
        self.stand_for(to_value(result), known);
        true
    }
}

/// The number of a value of the IR in the program.
fn to_value(value: ValueId) -> u32 {
    use parallax_core::EntityRef;
    value.index() as u32
}

/// Place and length of a field as one operand, where both are known: the place in the low byte.
fn field(at: Arg, width: Arg) -> Option<Arg> {
    let (at, width) = (at.bits()? & 31, width.bits()?);
    // 32 bits are the whole word, or none of it.
    let width = if width == 32 && at == 0 { 32 } else { width & 31 };
    Some(Arg::imm(at | width << 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_their_place_in_the_low_byte() {
        let bits = |at, width| field(Arg::imm(at), Arg::imm(width)).and_then(Arg::bits);
        assert_eq!(bits(8, 8), Some(0x808));
        assert_eq!(bits(0, 32), Some(0x2000));
        assert_eq!(bits(40, 33), Some(0x108));
        assert_eq!(bits(4, 32), Some(4));
        assert_eq!(field(Arg::value(0), Arg::imm(1)), None);
    }
}
