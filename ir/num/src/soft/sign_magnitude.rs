//! Sign-magnitude fixed point: ATTILA's accumulator.
//!
//! A number is a sign (1, -1, or 0 for what came of a NaN) and a magnitude of 32 integer and 32 fraction bits, of which
//! the upper 2F fraction bits are used. Operands are binary32 patterns taken as 16.F. All steps are exact up to the cuts
//! their rows name, and depend on no rule.

use crate::Op;

/// Most fraction bits of an operand: products have twice as many.
const MAX_FRACTION: u32 = 16;

/// An operand: sign, integer, fraction left-aligned in 64 bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Operand {
    sign: i32,
    int: u64,
    frac: u64,
}

/// Evaluates an operation of this family; anything else gives 0.
#[inline(always)]
pub(crate) fn evaluate(op: Op, args: &[u64]) -> u64 {
    let arg = |i: usize| args.get(i).copied().unwrap_or(0);
    let sign = |i: usize| arg(i) as u32 as i32;
    let pattern = |i: usize| arg(i) as u32;
    let bits = |i: usize| (arg(i) as u32).clamp(1, MAX_FRACTION);
    let word = |v: i32| u64::from(v as u32);
    match op {
        Op::Join => arg(0) & 0xffff_ffff | arg(1) << 32,
        Op::FxMul => mul(operand(pattern(0), bits(2)), operand(pattern(1), bits(2)), bits(2)),
        Op::FxSign => word(operand(pattern(0), 1).sign),
        Op::FxSum => sum(wide(arg(0)), sign(1), wide(arg(2)), sign(3), MAX_FRACTION).0,
        Op::FxSumSign => word(sum(wide(arg(0)), sign(1), wide(arg(2)), sign(3), MAX_FRACTION).1),
        Op::FxPlus | Op::FxPlusSign => {
            let c = operand(pattern(2), bits(3));
            let other = u128::from(c.int) << 64 | u128::from(c.frac);
            let (magnitude, sign) = sum(wide(arg(0)), sign(1), other, c.sign, bits(3));
            if op == Op::FxPlus { magnitude } else { word(sign) }
        }
        Op::FxFloat => u64::from(float(arg(0), sign(1))),
        _ => 0,
    }
}

/// Takes a binary32 pattern as 16.F: truncated toward zero, the integer modulo 2^16. From 2^24 on the integer is 0x7fff
/// and the fraction next to nothing; infinity has all bits set.
fn operand(pattern: u32, fraction_bits: u32) -> Operand {
    let sign = if pattern >> 31 != 0 { -1 } else { 1 };
    let exponent = pattern >> 23 & 0xff;
    let fraction = pattern & 0x7f_ffff;
    match exponent {
        0xff if fraction != 0 => Operand { sign: 0, int: 0, frac: 0 },
        0xff => Operand { sign, int: u64::MAX, frac: u64::MAX },
        151..=254 => Operand { sign, int: 0x7fff, frac: (1 << fraction_bits) - 1 },
        _ => {
            let significand = u64::from(if exponent == 0 { fraction } else { fraction | 1 << 23 });
            // The value is significand * 2^(exponent - 150); the result counts in 2^-F.
            let shift = exponent.max(1) as i32 - 150 + fraction_bits as i32;
            let fixed = if shift >= 0 { significand << shift } else { significand >> shift.unsigned_abs().min(63) };
            let int = fixed >> fraction_bits & 0xffff;
            Operand { sign, int, frac: fixed << (64 - fraction_bits) }
        }
    }
}

/// A 32.32 magnitude in 64.64.
fn wide(magnitude: u64) -> u128 {
    u128::from(magnitude) << 32
}

/// A 32.32 magnitude with its fraction cut to 2F bits.
fn cut(magnitude: u64, fraction_bits: u32) -> u64 {
    magnitude & u64::MAX << (32 - 2 * fraction_bits)
}

/// The first factor passes the cut of a product by itself, which an infinite one shows.
fn mul(a: Operand, b: Operand, fraction_bits: u32) -> u64 {
    let a = u128::from(cut(a.int << 32 | a.frac >> 32, fraction_bits));
    let whole = a.wrapping_mul(u128::from(b.int));
    let parts = (a * u128::from(b.frac)) >> 64;
    cut(whole.wrapping_add(parts) as u64, fraction_bits)
}

fn sum(a: u128, a_sign: i32, b: u128, b_sign: i32, fraction_bits: u32) -> (u64, i32) {
    let (magnitude, sign) = if a_sign == b_sign {
        (a.wrapping_add(b), a_sign)
    } else if b > a {
        (b - a, b_sign)
    } else {
        (a - b, a_sign)
    };
    (cut((magnitude >> 32) as u64, fraction_bits), sign)
}

fn float(magnitude: u64, sign: i32) -> u32 {
    // Conversions from integers, products with 1, 0 or a power of two and one addition: exact IEEE on any host.
    let sign = sign as f32;
    let fraction = ((magnitude << 32) as f32) * f32::from_bits(0x1f80_0000);
    (sign * (magnitude >> 32) as f32 + sign * fraction).to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decl, Format, Rule, eval};

    fn run(op: Op, args: &[u64]) -> u64 {
        eval(op, &Rule::ieee(Decl::F32, Format::F32), args)
    }

    fn bits(v: f32) -> u64 {
        u64::from(v.to_bits())
    }

    #[test]
    fn products_are_cut_toward_zero() {
        // 1.5 * 2.25 = 3.375 in 16.8 and in 16.16.
        assert_eq!(run(Op::FxMul, &[bits(1.5), bits(-2.25), 8]), 0x3_6000_0000);
        assert_eq!(run(Op::FxMul, &[bits(1.5), bits(2.25), 16]), 0x3_6000_0000);
        // 1/3 is 0x55/256, or 0x5555/65536; squared.
        assert_eq!(run(Op::FxMul, &[bits(1.0 / 3.0), bits(1.0 / 3.0), 8]), 0x1c39_0000);
        assert_eq!(run(Op::FxMul, &[bits(1.0 / 3.0), bits(1.0 / 3.0), 16]), 0x1c71_8e39);
        // Integers are taken modulo 2^16: 65537 counts as 1.
        assert_eq!(run(Op::FxMul, &[bits(65537.0), bits(3.0), 8]), 0x3_0000_0000);
        // From 2^24 on: 0x7fff.
        assert_eq!(run(Op::FxMul, &[bits(3e7), bits(2.0), 8]), 0xfffe_0000_0000);
        // Infinity: all bits, cut; times 2 wraps.
        assert_eq!(run(Op::FxMul, &[bits(f32::INFINITY), bits(1.0), 8]), 0xffff_ffff_ffff_0000);
        assert_eq!(run(Op::FxMul, &[bits(f32::INFINITY), bits(2.0), 16]), 0xffff_ffff_ffff_fffe);
        assert_eq!(run(Op::FxMul, &[bits(1.0), bits(f32::INFINITY), 16]), 0xffff_ffff_ffff_ffff);
        assert_eq!(run(Op::FxMul, &[bits(0.0), bits(f32::INFINITY), 16]), 0);
        assert_eq!(run(Op::FxMul, &[bits(f32::NAN), bits(2.0), 16]), 0);
        // The smallest denormal is nothing.
        assert_eq!(run(Op::FxMul, &[1, bits(2.0), 16]), 0);
    }

    #[test]
    fn signs() {
        for (pattern, sign) in [(0u64, 1), (0x8000_0000, -1), (0xff80_0000, -1), (0x7fc0_0000, 0), (0xffc0_0000, 0)] {
            assert_eq!(run(Op::FxSign, &[pattern]) as u32 as i32, sign);
        }
    }

    #[test]
    fn sums_take_the_sign_of_the_larger_and_ties_the_first() {
        let m = |v: u64| v << 32;
        let minus = u64::from(-1i32 as u32);
        let both = |a: u64, b: u64, c: u64, d: u64| {
            (run(Op::FxSum, &[a, b, c, d]), run(Op::FxSumSign, &[a, b, c, d]) as u32 as i32)
        };
        assert_eq!(both(m(3), 1, m(2), 1), (m(5), 1));
        assert_eq!(both(m(3), 1, m(2), minus), (m(1), 1));
        assert_eq!(both(m(3), 1, m(5), minus), (m(2), -1));
        assert_eq!(both(m(3), minus, m(3), 1), (0, -1));
        // A sign of 0 is opposite to both.
        assert_eq!(both(m(3), 0, m(5), 1), (m(2), 1));
        assert_eq!(both(m(5), 0, m(3), 1), (m(2), 0));
        assert_eq!(both(u64::MAX, 1, m(1), 1), (u64::MAX - m(0xffff_ffff), 1));
    }

    #[test]
    fn adding_a_pattern_sees_the_bits_beyond_the_accumulator() {
        let plus = |a: u64, c: f32, f: u64| {
            let args = [a, 1, bits(c), f];
            (run(Op::FxPlus, &args), run(Op::FxPlusSign, &args) as u32 as i32)
        };
        assert_eq!(plus(1 << 32, 0.5, 8), (0x1_8000_0000, 1));
        assert_eq!(plus(1 << 32, -1.0, 8), (0, 1));
        // 0x8000 - (0x7fff and a little): the little borrows from the last bit kept.
        assert_eq!(plus(0x8000 << 32, -3e7, 8), (0xffff_0000, 1));
        // Equal but for the little: the sign is the pattern's.
        assert_eq!(plus(0x7fff << 32, -3e7, 8), (0, -1));
        assert_eq!(plus(0, f32::INFINITY, 8), (0xffff_ffff_ffff_0000, 1));
        assert_eq!(plus(1 << 32, f32::INFINITY, 16), (0xffff_ffff, 1));
    }

    #[test]
    fn floats_are_rounded_twice_and_added() {
        let float = |m: u64, s: i32| f32::from_bits(run(Op::FxFloat, &[m, u64::from(s as u32)]) as u32);
        assert_eq!(float(0x3_6000_0000, -1), -3.375);
        assert_eq!(float(0, -1).to_bits(), 0x8000_0000);
        assert_eq!(float(0x3_6000_0000, 0).to_bits(), 0);
        assert_eq!(float(0x0100_0001 << 32, 1), 16_777_216.0);
        assert_eq!(run(Op::Join, &[0x1_0000_0002, 3]), 0x3_0000_0002);
    }
}
