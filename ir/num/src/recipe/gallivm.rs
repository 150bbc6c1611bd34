//! The functions of Mesa's gallivm, which llvmpipe runs on: polynomials in binary32 arithmetic that flushes denormals.
//!
//! Every step is one binary32 operation rounded to nearest even; multiply-adds round once where the host has them, else twice.
//! The steps and constants were compared with the renderer on 4400 operands per function.

use crate::soft::unpack::unpack;
use crate::soft::value::{Val, default_nan, propagated};
use crate::{Op, Rule, Storage};

/// A binary32 constant.
const fn c(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// 2^f on [0, 1).
pub const EXP2: [f32; 6] =
    [c(0x3f80_0000), c(0x3f31_727b), c(0x3e75_ead4), c(0x3d64_aa23), c(0x3c13_4806), c(0x3af6_1905)];
/// log2((1 + y) / (1 - y)) / y in y^2.
pub const LOG2: [f32; 5] = [c(0x4038_aa3b), c(0x3f76_37f9), c(0x3f13_d321), c(0x3ece_8316), c(0x3ed0_3d59)];
/// -pi/4 in three parts.
pub const QUARTER_PI: [f32; 3] = [c(0xbf49_0000), c(0xb97d_a000), c(0xb322_2169)];
/// (cos(r) - 1 + r^2/2) / r^4 in r^2, highest first.
pub const COS: [f32; 3] = [c(0x37cc_f5ce), c(0xbab6_061a), c(0x3d2a_aaa5)];
/// (sin(r) - r) / r^3 in r^2, highest first.
pub const SIN: [f32; 3] = [c(0xb94c_a1f9), c(0x3c08_839e), c(0xbe2a_aaa3)];
/// 4 / pi.
pub const FOUR_OVER_PI: f32 = c(0x3fa2_f983);

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

#[inline(always)]
fn flushed(v: f32) -> f32 {
    if v.abs() < f32::MIN_POSITIVE { 0f32.copysign(v) } else { v }
}

#[inline(always)]
fn mul(a: f32, b: f32) -> f32 {
    rounded(f64::from(a) * f64::from(b))
}

/// A tiny sum is exact.
#[inline(always)]
fn add(a: f32, b: f32) -> f32 {
    flushed(a + b)
}

/// a * b + c.
#[inline(always)]
fn multiply_add<const FUSED: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FUSED { rounded(odd_sum(f64::from(a) * f64::from(b), f64::from(c))) } else { add(mul(a, b), c) }
}

/// 2^x of a number or an infinity.
#[inline(always)]
pub(crate) fn exp2<const FUSED: bool>(x: f32) -> f32 {
    const LOWEST: f32 = c(0xc2fd_ffff);
    let x = if 128.0 < x { 128.0 } else { x };
    let x = if LOWEST > x { LOWEST } else { x };
    let whole = x.floor();
    let f = add(x, -whole);
    let scale = f32::from_bits(((whole as i32 + 127) as u32) << 23);
    let s = mul(f, f);
    let [c0, c1, c2, c3, c4, c5] = EXP2;
    let even = multiply_add::<FUSED>(s, multiply_add::<FUSED>(s, c4, c2), c0);
    let odd = multiply_add::<FUSED>(s, multiply_add::<FUSED>(s, c5, c3), c1);
    mul(scale, multiply_add::<FUSED>(odd, f, even))
}

/// log2(x) of a positive normal number; the special operands are the caller's.
#[inline(always)]
pub(crate) fn log2<const FUSED: bool>(x: f32) -> f32 {
    let bits = x.to_bits();
    let e = ((bits >> 23 & 0xff) as i32 - 127) as f32;
    let m = f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000);
    let y = (m - 1.0) / (m + 1.0);
    let z = mul(y, y);
    let s = mul(z, z);
    let [k0, k1, k2, k3, k4] = LOG2;
    let even = multiply_add::<FUSED>(s, multiply_add::<FUSED>(s, k4, k2), k0);
    let odd = multiply_add::<FUSED>(s, k3, k1);
    multiply_add::<FUSED>(y, multiply_add::<FUSED>(odd, z, even), e)
}

/// Sine or cosine of a number.
#[inline(always)]
pub(crate) fn sin_cos<const FUSED: bool, const COSINE: bool>(x: f32) -> f32 {
    let a = x.abs();
    let octants = mul(a, FOUR_OVER_PI);
    // Out of range: the host's integer indefinite.
    let j = if octants < 2_147_483_648.0 { octants as i32 } else { i32::MIN };
    let j2 = j.wrapping_add(1) & !1;
    let y = j2 as f32;
    let q = if COSINE { j2.wrapping_sub(2) } else { j2 };
    let sign =
        if COSINE { ((4 & !q) as u32) << 29 } else { (x.to_bits() ^ (j.wrapping_add(1) as u32) << 29) & 0x8000_0000 };
    let mut r = a;
    for part in QUARTER_PI {
        r = multiply_add::<FUSED>(y, part, r);
    }
    let z = mul(r, r);
    let cosine = {
        let p = multiply_add::<FUSED>(multiply_add::<FUSED>(z, COS[0], COS[1]), z, COS[2]);
        let p = mul(mul(p, z), z);
        add(add(p, -mul(z, 0.5)), 1.0)
    };
    let sine = {
        let p = multiply_add::<FUSED>(multiply_add::<FUSED>(z, SIN[0], SIN[1]), z, SIN[2]);
        multiply_add::<FUSED>(mul(p, z), r, r)
    };
    let v = if q & 2 == 0 { sine } else { cosine };
    let v = f32::from_bits(v.to_bits() ^ sign);
    // A NaN, which huge angles end in, becomes 1.
    let v = if v < 1.0 { v } else { 1.0 };
    if v > -1.0 { v } else { -1.0 }
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
    let fused = rule.unit_fused;
    let number = match op {
        Op::Exp2 | Op::Exp2Part if fused => exp2::<true>(v),
        Op::Exp2 | Op::Exp2Part => exp2::<false>(v),
        Op::Log2 | Op::Log2Part => {
            if v.abs() < f32::MIN_POSITIVE {
                return Some(Val::Inf(true));
            }
            if v < 0.0 {
                return Some(default_nan(rule));
            }
            if v == f32::INFINITY {
                return Some(Val::Inf(false));
            }
            if fused { log2::<true>(v) } else { log2::<false>(v) }
        }
        _ if v.is_infinite() => return Some(default_nan(rule)),
        Op::Sin if fused => sin_cos::<true, false>(v),
        Op::Sin => sin_cos::<false, false>(v),
        _ if fused => sin_cos::<true, true>(v),
        _ => sin_cos::<false, true>(v),
    };
    Some(unpack(u64::from(number.to_bits()), Storage::F32))
}
