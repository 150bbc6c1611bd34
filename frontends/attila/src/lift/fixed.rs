//! The fixed-point accumulator, computed with 64-bit integers.
//!
//! A number is a sign (1, -1, or 0 for what came of a NaN) and a magnitude of 32 integer and 32 fraction bits, of which
//! the upper 2F fraction bits are used. Operands are binary32 patterns taken as 16.F. No step depends on a model.

use super::Ctx;
use crate::instr::Instr;
use parallax_core::{Builder, Type, ValueId};
use parallax_lift::vector::{clamped, components};
use parallax_num::Op;

/// An operand: sign, integer, fraction left-aligned in 64 bits.
#[derive(Copy, Clone)]
struct Operand {
    sign: ValueId,
    int: ValueId,
    frac: ValueId,
}

/// A number of the accumulator.
#[derive(Copy, Clone)]
struct Number {
    magnitude: ValueId,
    sign: ValueId,
}

/// Builds fixed-point arithmetic with F fraction bits, 1 to 16.
struct Fixed<'b, 'f> {
    b: &'b mut Builder<'f>,
    fraction_bits: u32,
}

impl Fixed<'_, '_> {
    fn op<const N: usize>(&mut self, op: Op, args: [ValueId; N]) -> ValueId {
        self.b.int(op, &args)
    }

    /// With a 32-bit literal as second operand.
    fn by(&mut self, op: Op, a: ValueId, b: u32) -> ValueId {
        let b = self.b.i32(b);
        self.op(op, [a, b])
    }

    /// With a 64-bit literal as second operand.
    fn by64(&mut self, op: Op, a: ValueId, b: u64) -> ValueId {
        let b = self.b.i64(b);
        self.op(op, [a, b])
    }

    /// Takes a binary32 pattern as 16.F: truncated toward zero, the integer modulo 2^16. From 2^24 on the integer is
    /// 0x7fff and the fraction next to nothing; infinity has all bits set, NaN none.
    fn operand(&mut self, pattern: ValueId) -> Operand {
        let f = self.fraction_bits;
        let exponent = self.by(Op::Ushr, pattern, 23);
        let exponent = self.by(Op::Iand, exponent, 0xff);
        let fraction = self.by(Op::Iand, pattern, 0x7f_ffff);
        let denormal = self.by(Op::Ieq, exponent, 0);
        let normal = self.by(Op::Ior, fraction, 0x80_0000);
        let significand = self.b.select(denormal, fraction, normal);
        // The value is significand * 2^(exponent - 150); what is kept counts in 2^-F.
        let scaled = self.op(Op::Zext64, [significand]);
        let scaled = self.by(Op::Shl64, scaled, f);
        let bias = self.b.i32(150);
        let power = self.by(Op::Umax, exponent, 1);
        let shift = self.op(Op::Isub, [bias, power]);
        let shift = self.by(Op::Umin, shift, 63);
        let fixed = self.op(Op::Ushr64, [scaled, shift]);
        let int = self.by(Op::Ushr64, fixed, f);
        let int = self.by64(Op::Iand64, int, 0xffff);
        let frac = self.by(Op::Shl64, fixed, 64 - f);

        let large = self.op(Op::Ult, [bias, exponent]);
        let special = self.by(Op::Ieq, exponent, 0xff);
        let infinity = self.b.i32(0x7f80_0000);
        let bits = self.by(Op::Iand, pattern, 0x7fff_ffff);
        let nan = self.op(Op::Ult, [infinity, bits]);
        let (none, all) = (self.b.i64(0), self.b.i64(u64::MAX));
        let all = self.b.select(nan, none, all);
        let mut settle = |usual: ValueId, when_large: u64| {
            let when_large = self.b.i64(when_large);
            let finite = self.b.select(large, when_large, usual);
            self.b.select(special, all, finite)
        };
        let (int, frac) = (settle(int, 0x7fff), settle(frac, (1 << f) - 1));
        let sign = self.by(Op::Ishr, pattern, 31);
        let sign = self.by(Op::Ior, sign, 1);
        let zero = self.b.i32(0);
        Operand { sign: self.b.select(nan, zero, sign), int, frac }
    }

    /// A magnitude with its fraction cut to 2F bits.
    fn cut(&mut self, magnitude: ValueId) -> ValueId {
        match 32 - 2 * self.fraction_bits {
            0 => magnitude,
            lost => self.by64(Op::Iand64, magnitude, u64::MAX << lost),
        }
    }

    /// The first factor passes the cut of a product by itself, which an infinite one shows.
    fn product(&mut self, a: Operand, b: Operand) -> Number {
        let (high, low) = (self.by(Op::Shl64, a.int, 32), self.by(Op::Ushr64, a.frac, 32));
        let factor = self.op(Op::Ior64, [high, low]);
        let factor = self.cut(factor);
        let whole = self.op(Op::Imul64, [factor, b.int]);
        let parts = self.op(Op::UmulHi64, [factor, b.frac]);
        let magnitude = self.op(Op::Iadd64, [whole, parts]);
        Number { magnitude: self.cut(magnitude), sign: self.op(Op::Imul, [a.sign, b.sign]) }
    }

    /// The sign of a sum: of the larger magnitude, on a tie of the first.
    fn sum_sign(&mut self, same: ValueId, greater: ValueId, a: ValueId, b: ValueId) -> ValueId {
        let larger = self.b.select(greater, b, a);
        self.b.select(same, a, larger)
    }

    fn sum(&mut self, a: Number, b: Number) -> Number {
        let same = self.op(Op::Ieq, [a.sign, b.sign]);
        let greater = self.op(Op::Ult64, [a.magnitude, b.magnitude]);
        let sum = self.op(Op::Iadd64, [a.magnitude, b.magnitude]);
        let first = self.op(Op::Isub64, [a.magnitude, b.magnitude]);
        let second = self.op(Op::Isub64, [b.magnitude, a.magnitude]);
        let difference = self.b.select(greater, second, first);
        let magnitude = self.b.select(same, sum, difference);
        Number { magnitude, sign: self.sum_sign(same, greater, a.sign, b.sign) }
    }

    /// The sum of a number and an operand, which counts with all bits of its fraction until the result is cut.
    fn plus(&mut self, a: Number, b: Operand) -> Number {
        let (int, frac) = (self.by(Op::Ushr64, a.magnitude, 32), self.by(Op::Shl64, a.magnitude, 32));
        let same = self.op(Op::Ieq, [a.sign, b.sign]);
        let above = self.op(Op::Ult64, [int, b.int]);
        let level = self.op(Op::Ieq64, [int, b.int]);
        let beyond = self.op(Op::Ult64, [frac, b.frac]);
        let level_beyond = self.op(Op::Pand, [level, beyond]);
        let greater = self.op(Op::Por, [above, level_beyond]);

        let sum_frac = self.op(Op::Iadd64, [frac, b.frac]);
        let carry = self.op(Op::Ult64, [sum_frac, frac]);
        let sum_int = self.op(Op::Iadd64, [int, b.int]);
        let next = self.by64(Op::Iadd64, sum_int, 1);
        let sum_int = self.b.select(carry, next, sum_int);

        let (more_int, less_int) = (self.b.select(greater, b.int, int), self.b.select(greater, int, b.int));
        let (more_frac, less_frac) = (self.b.select(greater, b.frac, frac), self.b.select(greater, frac, b.frac));
        let left_frac = self.op(Op::Isub64, [more_frac, less_frac]);
        let borrow = self.op(Op::Ult64, [more_frac, less_frac]);
        let left_int = self.op(Op::Isub64, [more_int, less_int]);
        let previous = self.by64(Op::Isub64, left_int, 1);
        let left_int = self.b.select(borrow, previous, left_int);

        let (int, frac) = (self.b.select(same, sum_int, left_int), self.b.select(same, sum_frac, left_frac));
        let (high, low) = (self.by(Op::Shl64, int, 32), self.by(Op::Ushr64, frac, 32));
        let magnitude = self.op(Op::Ior64, [high, low]);
        Number { magnitude: self.cut(magnitude), sign: self.sum_sign(same, greater, a.sign, b.sign) }
    }

    /// An integer rounded to its 24 highest bits, to nearest, ties to even.
    fn nearest24(&mut self, value: ValueId) -> ValueId {
        let top = self.op(Op::Umsb64, [value]);
        let drop = self.by(Op::Isub, top, 23);
        let drop = self.by(Op::Imax, drop, 0);
        let (one, unit) = (self.b.i64(1), self.by(Op::Umin, drop, 1));
        // Added before the cut: all bits below the half, and one more if the last bit kept is set, so that a tie goes to
        // even. With nothing to drop, nothing.
        let ulp = self.op(Op::Shl64, [one, drop]);
        let below = self.op(Op::Isub64, [ulp, one]);
        let half = self.by(Op::Ushr64, below, 1);
        let last = self.op(Op::Ushr64, [value, drop]);
        let unit = self.op(Op::Zext64, [unit]);
        let odd = self.op(Op::Iand64, [last, unit]);
        let up = self.op(Op::Iadd64, [half, odd]);
        let sum = self.op(Op::Iadd64, [value, up]);
        let kept = self.op(Op::Ushr64, [sum, drop]);
        self.op(Op::Shl64, [kept, drop])
    }

    /// The binary32 pattern of a number: integer and fraction rounded to nearest, then added.
    fn float(&mut self, a: Number) -> ValueId {
        let int = self.by(Op::Ushr64, a.magnitude, 32);
        let frac = self.by64(Op::Iand64, a.magnitude, 0xffff_ffff);
        let (rounded, frac) = (self.nearest24(int), self.nearest24(frac));
        let rounded = self.by(Op::Shl64, rounded, 32);
        let sum = self.op(Op::Iadd64, [rounded, frac]);
        let sum = self.nearest24(sum);
        let top = self.op(Op::Umsb64, [sum]);
        let sixty_three = self.b.i32(63);
        let lead = self.op(Op::Isub, [sixty_three, top]);
        let aligned = self.op(Op::Shl64, [sum, lead]);
        let significand = self.by(Op::Ushr64, aligned, 40);
        let significand = self.op(Op::Low, [significand]);
        // The leading bit counts one in the exponent's field.
        let exponent = self.by(Op::Iadd, top, 127 - 32 - 1);
        let exponent = self.by(Op::Shl, exponent, 23);
        let pattern = self.op(Op::Iadd, [exponent, significand]);
        let (zero, power) = (self.b.i32(0), self.b.i32(0x4f80_0000));
        let nothing = self.by64(Op::Ieq64, sum, 0);
        let pattern = self.b.select(nothing, zero, pattern);
        // An integer that rounds to 2^32 has no room above the fraction, which no longer counts.
        let most = self.b.i64(0xffff_ff7f);
        let overflow = self.op(Op::Ult64, [most, int]);
        let pattern = self.b.select(overflow, power, pattern);
        let minus = self.by(Op::Iand, a.sign, 0x8000_0000);
        let pattern = self.op(Op::Ior, [pattern, minus]);
        let unsigned = self.by(Op::Ieq, a.sign, 0);
        self.b.select(unsigned, zero, pattern)
    }
}

impl<'f> Ctx<'_, 'f> {
    fn fixed(&mut self) -> Fixed<'_, 'f> {
        Fixed { b: &mut self.l.b, fraction_bits: self.settings.fx_bits }
    }

    /// The product of the first two sources.
    fn product(&mut self, instr: &Instr, lane: usize) -> Number {
        let (a, b) = (self.pattern(instr, 0, lane), self.pattern(instr, 1, lane));
        let mut fixed = self.fixed();
        let (a, b) = (fixed.operand(a), fixed.operand(b));
        fixed.product(a, b)
    }

    /// Writes masked components of the accumulator; the named register stays as it is.
    fn accumulate(&mut self, instr: &Instr, compute: impl Fn(&mut Self, usize) -> Number) {
        for lane in components(instr.dst().mask) {
            let number = compute(self, lane);
            let (m, s) = self.registers.accumulator(lane as u8);
            self.write_cell(m, number.magnitude);
            self.write_cell(s, number.sign);
        }
    }

    pub(super) fn fixed_mul(&mut self, instr: &Instr) {
        self.accumulate(instr, |ctx, lane| ctx.product(instr, lane));
    }

    pub(super) fn fixed_mad_to(&mut self, instr: &Instr) {
        self.accumulate(instr, |ctx, lane| {
            let product = ctx.product(instr, lane);
            let c = ctx.pattern(instr, 2, lane);
            let mut fixed = ctx.fixed();
            let c = fixed.operand(c);
            fixed.plus(product, c)
        });
    }

    pub(super) fn fixed_mad(&mut self, instr: &Instr) {
        let form = self.form(instr);
        self.per_component(instr, |ctx, lane| {
            let product = ctx.product(instr, lane);
            let (m, s) = ctx.registers.accumulator(lane as u8);
            let held = Number { magnitude: ctx.l.read_as(m, Type::I64), sign: ctx.l.read_as(s, Type::I32) };
            let mut fixed = ctx.fixed();
            let sum = fixed.sum(product, held);
            let bits = fixed.float(sum);
            let value = ctx.l.convert(bits, Type::F32);
            clamped(&mut ctx.l, &form, value.into())
        });
    }
}

#[cfg(test)]
mod tests;
