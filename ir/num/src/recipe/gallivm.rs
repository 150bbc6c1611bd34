//! The functions of Mesa's gallivm, which llvmpipe runs on: polynomials in binary32 arithmetic that flushes denormals.
//!
//! Every step is one binary32 operation rounded to nearest even; multiply-adds round once where the host has them, else twice.
//! The steps and constants were compared with the renderer on 4400 operands per function. They are written once, for values
//! and for programs.

use crate::arithmetic::{Floats, Numbers, Singles, Words};
use crate::soft::unpack::unpack;
use crate::soft::value::{Val, default_nan, propagated};
use crate::{Denormals, Op, Rule, Storage};

/// A binary32 constant.
const fn c(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// 2^f on [0, 1).
const EXP2: [f32; 6] = [c(0x3f80_0000), c(0x3f31_727b), c(0x3e75_ead4), c(0x3d64_aa23), c(0x3c13_4806), c(0x3af6_1905)];
/// log2((1 + y) / (1 - y)) / y in y^2.
const LOG2: [f32; 5] = [c(0x4038_aa3b), c(0x3f76_37f9), c(0x3f13_d321), c(0x3ece_8316), c(0x3ed0_3d59)];
/// -pi/4 in three parts.
const QUARTER_PI: [f32; 3] = [c(0xbf49_0000), c(0xb97d_a000), c(0xb322_2169)];
/// (cos(r) - 1 + r^2/2) / r^4 in r^2, highest first.
const COS: [f32; 3] = [c(0x37cc_f5ce), c(0xbab6_061a), c(0x3d2a_aaa5)];
/// (sin(r) - r) / r^3 in r^2, highest first.
const SIN: [f32; 3] = [c(0xb94c_a1f9), c(0x3c08_839e), c(0xbe2a_aaa3)];
/// 4 / pi.
const FOUR_OVER_PI: f32 = c(0x3fa2_f983);

/// 2^x of a number or an infinity.
#[inline(always)]
pub fn exp2<A: Singles>(a: &mut A, x: A::Number) -> A::Number {
    let (high, low) = (a.number(128.0), constant(a, c(0xc2fd_ffff)));
    let over = a.fless(high, x);
    let x = a.select(over, high, x);
    let under = a.fless(x, low);
    let x = a.select(under, low, x);
    let whole = a.floor(x);
    let f = a.fsub(x, whole);
    let exponent = a.to_integer(whole);
    let exponent = a.plus(exponent, 127);
    let bits = a.shl(exponent, 23);
    let scale = a.float(bits);
    let square = a.fmul(f, f);
    let [c0, c1, c2, c3, c4, c5] = EXP2.map(|v| constant(a, v));
    let even = a.mad(square, c4, c2);
    let even = a.mad(square, even, c0);
    let odd = a.mad(square, c5, c3);
    let odd = a.mad(square, odd, c1);
    let p = a.mad(odd, f, even);
    a.fmul(scale, p)
}

/// log2(x) of a positive normal number; the special operands are the caller's.
#[inline(always)]
pub fn log2<A: Singles>(a: &mut A, x: A::Number) -> A::Number {
    let bits = a.bits(x);
    let field = a.shr(bits, 23);
    let field = a.mask(field, 0xff);
    let e = a.plus(field, -127);
    let e = a.of_integer(e);
    let (fraction, one_bits) = (a.mask(bits, 0x7f_ffff), a.word(0x3f80_0000));
    let m = a.or(fraction, one_bits);
    let m = a.float(m);
    let one = a.number(1.0);
    let (below, above) = (a.fsub(m, one), a.fadd(m, one));
    let y = a.fdiv(below, above);
    let z = a.fmul(y, y);
    let square = a.fmul(z, z);
    let [k0, k1, k2, k3, k4] = LOG2.map(|v| constant(a, v));
    let even = a.mad(square, k4, k2);
    let even = a.mad(square, even, k0);
    let odd = a.mad(square, k3, k1);
    let p = a.mad(odd, z, even);
    a.mad(y, p, e)
}

/// Sine or cosine of a number.
#[inline(always)]
pub fn sin_cos<A: Singles>(a: &mut A, x: A::Number, cosine: bool) -> A::Number {
    let size = a.fabs(x);
    let scale = constant(a, FOUR_OVER_PI);
    let octants = a.fmul(size, scale);
    let j = a.to_integer(octants);
    let next = a.plus(j, 1);
    let j2 = a.mask(next, !1);
    let y = a.of_integer(j2);
    let q = if cosine { a.plus(j2, -2) } else { j2 };
    let sign = if cosine {
        let four = a.mask(q, 4);
        let four_less = a.less_from(4, four);
        a.shl(four_less, 29)
    } else {
        let up = a.shl(next, 29);
        let bits = a.bits(x);
        let both = a.xor(bits, up);
        a.mask(both, i32::MIN)
    };
    let mut r = size;
    for part in QUARTER_PI {
        let part = constant(a, part);
        r = a.mad(y, part, r);
    }
    let z = a.fmul(r, r);
    let [a0, a1, a2] = COS.map(|v| constant(a, v));
    let p = a.mad(z, a0, a1);
    let p = a.mad(p, z, a2);
    let p = a.fmul(p, z);
    let p = a.fmul(p, z);
    let (half, one) = (a.number(0.5), a.number(1.0));
    let h = a.fmul(z, half);
    let p = a.fsub(p, h);
    let of_cosine = a.fadd(p, one);
    let [b0, b1, b2] = SIN.map(|v| constant(a, v));
    let p = a.mad(z, b0, b1);
    let p = a.mad(p, z, b2);
    let p = a.fmul(p, z);
    let of_sine = a.mad(p, r, r);
    let second = a.mask(q, 2);
    let even = a.is(second, 0);
    let v = a.select(even, of_sine, of_cosine);
    let bits = a.bits(v);
    let bits = a.xor(bits, sign);
    let v = a.float(bits);
    // A NaN, which huge angles end in, becomes 1.
    let below = a.fless(v, one);
    let v = a.select(below, v, one);
    let minus = a.number(-1.0);
    let above = a.fless(minus, v);
    a.select(above, v, minus)
}

pub(super) fn constant<A: Numbers>(a: &mut A, v: f32) -> A::Number {
    a.number(f64::from(v))
}

/// p + c rounded to odd.
fn odd_sum(p: f64, c: f64) -> f64 {
    let s = p + c;
    // Knuth's error of a sum.
    let b = s - p;
    let error = (p - (s - b)) + (c - b);
    let bits = s.to_bits();
    let even = bits & 1 == 0;
    // A NaN error, from infinities, compares false.
    let inexact = error.abs() > 0.0;
    let outward = (error > 0.0) == (s > 0.0);
    let odd = if outward { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    f64::from_bits(if even & inexact { odd } else { bits })
}

/// Results rounded with an unbounded exponent to less than the smallest normal number become zero.
#[inline(always)]
fn rounded(exact: f64) -> f32 {
    const UP: f64 = f64::from_bits((1023 + 64) << 52);
    const LEAST: f32 = f32::from_bits((127 - 126 + 64) << 23);
    let v = exact as f32;
    let tiny = (v.abs() <= f32::MIN_POSITIVE) & (((exact * UP) as f32).abs() < LEAST);
    if tiny { 0f32.copysign(v) } else { v }
}

/// Binary32 steps that flush tiny results.
pub(super) struct Flushed {
    /// Whether a product and the sum with it are rounded once.
    pub(super) fused: bool,
}

impl Numbers for Words<Flushed> {
    type Number = f32;

    #[inline(always)]
    fn number(&mut self, v: f64) -> f32 {
        v as f32
    }

    #[inline(always)]
    fn fsub(&mut self, a: f32, b: f32) -> f32 {
        self.fadd(a, -b)
    }

    #[inline(always)]
    fn fmul(&mut self, a: f32, b: f32) -> f32 {
        rounded(f64::from(a) * f64::from(b))
    }
}

impl Floats for Words<Flushed> {
    #[inline(always)]
    fn fadd(&mut self, a: f32, b: f32) -> f32 {
        // A tiny sum is exact.
        let v = a + b;
        if v.abs() < f32::MIN_POSITIVE { 0f32.copysign(v) } else { v }
    }

    #[inline(always)]
    fn fdiv(&mut self, a: f32, b: f32) -> f32 {
        // A quotient of 24 bits is nowhere so near to the middle of two numbers that rounding twice would move it.
        rounded(f64::from(a) / f64::from(b))
    }

    #[inline(always)]
    fn mad(&mut self, a: f32, b: f32, c: f32) -> f32 {
        if self.0.fused {
            return rounded(odd_sum(f64::from(a) * f64::from(b), f64::from(c)));
        }
        let product = self.fmul(a, b);
        self.fadd(product, c)
    }
}

impl Singles for Words<Flushed> {
    #[inline(always)]
    fn bits(&mut self, v: f32) -> u32 {
        v.to_bits()
    }

    #[inline(always)]
    fn float(&mut self, bits: u32) -> f32 {
        f32::from_bits(bits)
    }

    #[inline(always)]
    fn fabs(&mut self, a: f32) -> f32 {
        a.abs()
    }

    #[inline(always)]
    fn fless(&mut self, a: f32, b: f32) -> bool {
        a < b
    }

    #[inline(always)]
    fn floor(&mut self, v: f32) -> f32 {
        v.floor()
    }

    #[inline(always)]
    fn to_integer(&mut self, v: f32) -> u32 {
        let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&v);
        if fits { v as i32 } else { i32::MIN }.cast_unsigned()
    }

    #[inline(always)]
    fn of_integer(&mut self, v: u32) -> f32 {
        v.cast_signed() as f32
    }
}

/// A function of a binary32 pattern, as the rule says about NaN; `None` for operations that are no polynomial.
pub(crate) fn function(op: Op, rule: &Rule, x: Val, bits: u32) -> Option<Val> {
    if !matches!(op, Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos) {
        return None;
    }
    if let Some(nan) = propagated(rule, &[x]) {
        return Some(nan);
    }
    let bits = if op == Op::Log2Part { bits & 0x7fff_ffff } else { bits };
    let v = f32::from_bits(bits);
    let (is_denormal, keeps) = (v.abs() < f32::MIN_POSITIVE, rule.denorm_in != Denormals::Flush);
    let mut a = Words(Flushed { fused: rule.unit_fused });
    let number = match op {
        Op::Exp2 | Op::Exp2Part => exp2(&mut a, v),
        Op::Log2 | Op::Log2Part => {
            if v == 0.0 || (is_denormal && !keeps) {
                return Some(Val::Inf(true));
            }
            if v < 0.0 {
                return Some(default_nan(rule));
            }
            if v == f32::INFINITY {
                return Some(Val::Inf(false));
            }
            log2(&mut a, v)
        }
        _ if v.is_infinite() => return Some(default_nan(rule)),
        // The square is zero: what is added to the operand is nothing.
        Op::Sin if is_denormal && keeps => return Some(x),
        _ => sin_cos(&mut a, v, op == Op::Cos),
    };
    Some(unpack(u64::from(number.to_bits()), Storage::F32))
}
