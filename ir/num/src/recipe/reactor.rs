//! The functions of SwiftShader as Chromium builds it: polynomials in binary32 arithmetic that flushes denormals, with a sine that is
//! good to 12 bits and a logarithm that is finite for every operand but infinity.
//!
//! Every step is one binary32 operation rounded to nearest even; multiply-adds round once or twice, as the compiler behind SwiftShader
//! does them (Subzero: twice). The exponential's own sums always round twice. The steps were compared with the renderer
//! (`ir/num/tests/swiftshader.tsv`). They are written once, for values and for programs.

use super::gallivm::{Flushed, constant};
use crate::arithmetic::{Singles, Words};
use crate::soft::unpack::unpack;
use crate::soft::value::{Val, default_nan, propagated};
use crate::{Op, Rule, Storage};

/// A binary32 constant.
const fn c(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// 1 / (2 pi).
const TURN: f32 = c(0x3e22_f983);
/// sin(2 pi z) / z in z^2, highest first, for a quarter of a turn to either side; exact at multiples of a twelfth.
const SIN: [f32; 3] = [c(0x4294_e0b6), c(0xc224_ad6f), c(0x40c9_08ac)];
/// 2^f for f from -1/2 to 1, highest first.
const EXP2: [f32; 5] = [c(0x3af6_1905), c(0x3c13_4806), c(0x3d64_aa23), c(0x3e75_ead4), c(0x3f31_727b)];
/// log2(m) / (m - 1) on [1, 2): the numerator in m, highest first.
const LOG2_ABOVE: [f32; 3] = [c(0x3dc3_6fd9), c(0x3ef4_a104), c(0x3e4a_9375)];
/// And the denominator.
const LOG2_BELOW: [f32; 4] = [c(0x3c88_2373), c(0x3e50_63a3), c(0x3e8c_3351), c(0x3d25_dfdb)];
/// 1 + 127/256: what the exponent's field in the place of a fraction gives for 1.
const BIAS: f32 = c(0x3fbf_8000);

/// 2^x; the result for NaN is infinity.
#[inline(always)]
pub fn exp2<A: Singles>(a: &mut A, x: A::Number) -> A::Number {
    // The smaller and the greater one, of which the processor takes the second where the first is NaN.
    let high = a.number(128.0);
    let inside = a.fless(x, high);
    let x = a.select(inside, x, high);
    let low = constant(a, c(0xc2fd_ffff));
    let inside = a.fless(low, x);
    let x = a.select(inside, x, low);
    let half = a.number(0.5);
    let below = a.fsub(x, half);
    // Adding 1.5 * 2^23 rounds to nearest even, and subtracting it again is exact.
    let shift = a.number(12_582_912.0);
    let whole = a.fadd(below, shift);
    let whole = a.fsub(whole, shift);
    let f = a.fsub(x, whole);
    let exponent = a.to_integer(whole);
    let exponent = a.plus(exponent, 127);
    let bits = a.shl(exponent, 23);
    let scale = a.float(bits);
    let [first, rest @ ..] = EXP2;
    let mut p = constant(a, first);
    for next in rest.into_iter().chain([1.0]) {
        let product = a.fmul(p, f);
        let next = constant(a, next);
        p = a.fadd(product, next);
    }
    a.fmul(scale, p)
}

/// log2 of the magnitude as if denormals, zero and NaN were numbers like others; infinity gives itself.
#[inline(always)]
pub fn log2<A: Singles>(a: &mut A, x: A::Number) -> A::Number {
    let bits = a.bits(x);
    let one_bits = a.word(0x3f80_0000);
    let field = a.mask(bits, 0x7f80_0000);
    let field = a.shr(field, 8);
    let field = a.or(field, one_bits);
    let e = a.float(field);
    let bias = constant(a, BIAS);
    let e = a.fsub(e, bias);
    let scale = a.number(256.0);
    let e = a.fmul(e, scale);
    let fraction = a.mask(bits, 0x7f_ffff);
    let m = a.or(fraction, one_bits);
    let m = a.float(m);
    let above = horner(a, &LOG2_ABOVE, m);
    let below = horner(a, &LOG2_BELOW, m);
    let quotient = a.fdiv(above, below);
    let one = a.number(1.0);
    let rest = a.fsub(m, one);
    let product = a.fmul(rest, quotient);
    let v = a.fadd(e, product);
    let endless = a.is(bits, 0x7f80_0000);
    a.select(endless, x, v)
}

/// Sine or cosine.
#[inline(always)]
pub fn sin_cos<A: Singles>(a: &mut A, x: A::Number, cosine: bool) -> A::Number {
    let (turn, quarter) = (constant(a, if cosine { TURN } else { -TURN }), a.number(0.25));
    let turns = if cosine { a.fmul(x, turn) } else { a.mad(x, turn, quarter) };
    // The distance to the nearest whole number, even in the middle. Numbers from 2^23 on are whole.
    let size = a.fabs(turns);
    let shift = a.number(8_388_608.0);
    let whole = a.fadd(size, shift);
    let whole = a.fsub(whole, shift);
    let small = a.fless(size, shift);
    let whole = a.select(small, whole, size);
    let away = a.fsub(size, whole);
    let away = a.fabs(away);
    let z = a.fsub(quarter, away);
    let square = a.fmul(z, z);
    let p = horner(a, &SIN, square);
    a.fmul(p, z)
}

/// A polynomial by multiply-adds, the highest coefficient first.
#[inline(always)]
fn horner<A: Singles>(a: &mut A, coefficients: &[f32], x: A::Number) -> A::Number {
    let mut p = constant(a, coefficients[0]);
    for next in &coefficients[1..] {
        let next = constant(a, *next);
        p = a.mad(p, x, next);
    }
    p
}

/// A function of a binary32 pattern, where sine and cosine hand on NaN as the rule says; `None` for operations that are no polynomial.
pub(crate) fn function(op: Op, rule: &Rule, x: Val, bits: u32) -> Option<Val> {
    let v = f32::from_bits(bits);
    let mut a = Words(Flushed { fused: rule.unit_fused });
    let number = match op {
        Op::Exp2 | Op::Exp2Part => exp2(&mut a, v),
        Op::Log2 | Op::Log2Part => log2(&mut a, v),
        Op::Sin | Op::Cos if x.is_nan() => return propagated(rule, &[x]),
        Op::Sin | Op::Cos if v.is_infinite() => return Some(default_nan(rule)),
        Op::Sin | Op::Cos => sin_cos(&mut a, v, op == Op::Cos),
        _ => return None,
    };
    Some(unpack(u64::from(number.to_bits()), Storage::F32))
}
