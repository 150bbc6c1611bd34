//! Functions evaluated in 128-bit integer arithmetic. Relative errors stay below 2^-110; results are marked sticky,
//! because none of them is a number of few bits except where said.

use crate::soft::arith::sum;
use crate::soft::divide::wide_mul;
use crate::soft::value::{Real, Val};

/// ln 2 * 2^128.
const LN2: u128 = 0xb172_17f7_d1cf_79ab_c9e3_b398_03f2_f6af;
/// log2(e) * 2^127.
pub(super) const LOG2E: u128 = 0xb8aa_3b29_5c17_f0bb_be87_fed0_691d_3e88;
/// pi/2 * 2^127.
const HALF_PI: u128 = 0xc90f_daa2_2168_c234_c4c6_628b_80dc_1cd1;

/// The binary digits of 2/pi after the point, highest first; enough for every binary64 argument.
const TWO_OVER_PI: [u64; 22] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
    0xf0cf_bc20_9af4_361d,
    0xa9e3_9161_5ee6_1b08,
    0x6599_855f_14a0_6840,
];

/// High 128 bits of a product: the product of two fractions scaled by 2^128.
pub(super) const fn high(a: u128, b: u128) -> u128 {
    wide_mul(a, b).0
}

/// ln(2)^n / n! * 2^128, n from 1.
pub(super) const EXP2_TERMS: [u128; 34] = {
    let mut terms = [LN2; 34];
    let mut n = 1;
    while n < 34 {
        terms[n] = high(terms[n - 1], LN2) / (n as u128 + 1);
        n += 1;
    }
    terms
};

/// 2^128 / (2k + 1), k from 1.
const ODD_RECIPROCALS: [u128; 26] = {
    let mut terms = [0; 26];
    let mut k = 0;
    while k < 26 {
        terms[k] = u128::MAX / (2 * k as u128 + 3);
        k += 1;
    }
    terms
};

/// 2^128 / (2n)! and 2^128 / (2n + 1)!, n from 1.
pub(super) const COS_TERMS: [u128; 16] = factorials(2);
pub(super) const SIN_TERMS: [u128; 16] = factorials(3);

const fn factorials(first: u128) -> [u128; 16] {
    let mut terms = [0; 16];
    let mut value = u128::MAX / if first == 3 { 6 } else { 2 };
    let mut n = first;
    let mut i = 0;
    while i < 16 {
        terms[i] = value;
        value /= (n + 1) * (n + 2);
        n += 2;
        i += 1;
    }
    terms
}

/// Results far outside every format's range.
pub(super) fn beyond(large: bool) -> Real {
    Real { neg: false, exp: if large { 1 << 17 } else { -(1 << 17) }, sig: 1 << 127, sticky: true }
}

/// 1 plus or minus something too small to matter except in directed rounding.
pub(super) fn near_one(above: bool) -> Real {
    let sig = if above { 1 << 127 } else { u128::MAX };
    Real { neg: false, exp: if above { -127 } else { -128 }, sig, sticky: true }
}

/// A number plus or minus something too small to matter except in directed rounding.
fn near(x: Real, above: bool) -> Real {
    let x = x.aligned();
    Real { sig: if above { x.sig } else { x.sig - 1 }, sticky: true, ..x }
}

/// 2^x; exact for integers.
pub(crate) fn exp2(x: Real) -> Real {
    let top = x.top();
    if top > 15 {
        return beyond(!x.neg);
    }
    if top < -120 {
        return near_one(!x.neg);
    }
    let x = x.normal();
    // |x| = whole + part / 2^128; x.exp lies between -247 and -112.
    let shift = (-x.exp) as u32;
    let (whole, part) =
        if shift >= 128 { (0, x.sig >> (shift - 128)) } else { ((x.sig >> shift) as i32, x.sig << (128 - shift)) };
    let lost = shift > 128 && x.sig << (256 - shift) != 0;
    if part == 0 && !lost && !x.sticky {
        return Real { neg: false, exp: if x.neg { -whole } else { whole }, sig: 1, sticky: false };
    }
    let (whole, part) = if x.neg { (-whole - 1, part.wrapping_neg()) } else { (whole, part) };
    if part == 0 {
        // A fraction that rounded up to 1.
        return Real { exp: whole + 1 - 128, ..near_one(!x.neg) };
    }
    let mut p = EXP2_TERMS[33];
    for term in EXP2_TERMS[..33].iter().rev() {
        p = term + high(p, part);
    }
    // 2^part = 1 + part * p.
    let fraction = high(p, part);
    Real { neg: false, exp: whole - 127, sig: 1 << 127 | fraction >> 1, sticky: true }
}

/// 1 / d as a fraction of 2^128, where d is given scaled by 2^126 and lies in (1, 4).
fn reciprocal(d: u128) -> u128 {
    let estimate = 1.0 / (d as f64);
    // estimate * 2^254, as an integer with 53 good bits.
    let bits = estimate.to_bits();
    let exp = (bits >> 52) as i32 - 1075;
    let mut r = ((bits & ((1 << 52) - 1) | 1 << 52) as u128) << (exp + 254);
    for _ in 0..2 {
        // d * r is near 2^254; its distance from it corrects r.
        let (product, _) = wide_mul(d, r);
        let target = 1u128 << 126;
        // error = (2^254 - d r) / 2^126 relative to 2^128.
        r = if product >= target {
            r - high(r, (product - target) << 2)
        } else {
            r.saturating_add(high(r, (target - product) << 2))
        };
    }
    r
}

/// log2(x) of a positive x; `None` for 1, exact for powers of two.
pub(crate) fn log2(x: Real) -> Option<Real> {
    let x = x.normal();
    let mut e = x.exp + 127;
    let mut m = x.sig;
    if m == 1 << 127 && !x.sticky {
        return Real::from_int(e as i128, 0);
    }
    // m in (sqrt(1/2), sqrt(2)], scaled by 2^126.
    const SQRT2: u128 = 0xb504_f333_f9de_6484 << 64;
    if m > SQRT2 {
        e += 1;
        m >>= 2;
    } else {
        m >>= 1;
    }
    let one = 1u128 << 126;
    let (neg, t) = if m >= one { (false, m - one) } else { (true, one - m) };
    // s = (m - 1) / (m + 1) = s_bits / 2^(126 + zeros), |s| < 0.172; the numerator keeps all its bits.
    let zeros = t.leading_zeros();
    let s_bits = high(t << zeros, reciprocal(m + one));
    let s = s_bits >> (zeros - 2);
    let square = high(s, s);
    let mut p = ODD_RECIPROCALS[25];
    for term in ODD_RECIPROCALS[..25].iter().rev() {
        p = term + high(p, square);
    }
    // atanh(s) = s (1 + square p), and log2(m) = 2 log2(e) atanh(s).
    let atanh = s_bits + high(s_bits, high(square, p));
    let log = Real { neg, exp: -124 - zeros as i32, sig: high(atanh, LOG2E), sticky: true };
    match Real::from_int(e as i128, 0) {
        None => Some(log),
        Some(whole) => sum(whole, log),
    }
}

/// ln(x) of a positive x; `None` for 1.
pub(crate) fn ln(x: Real) -> Option<Real> {
    let log = log2(x)?.normal();
    Some(Real { sig: high(log.sig, LN2), sticky: true, ..log })
}

/// Sixty-four binary digits of 2/pi from digit `first` on; digit 1 has weight 1/2, digits before it are 0.
pub(crate) fn digits(first: i32) -> u64 {
    let word = |i: i32| if i < 0 { 0 } else { TWO_OVER_PI.get(i as usize).copied().unwrap_or(0) };
    let offset = first - 1;
    let (index, shift) = (offset.div_euclid(64), offset.rem_euclid(64) as u32);
    if shift == 0 { word(index) } else { word(index) << shift | word(index + 1) >> (64 - shift) }
}

/// An angle reduced to a quarter turn: quadrant 0 to 3 and the rest in [-pi/4, pi/4]. `x` has up to 64 bits.
fn reduced(x: Real) -> (u32, Real) {
    if x.top() < -1 {
        return (0, x);
    }
    // x = m 2^e. Digits of weight 4 and more drop out of m 2^e (2/pi) mod 4; the next 256 are enough.
    let zeros = x.sig.trailing_zeros();
    let (m, e) = ((x.sig >> zeros) as u64, x.exp + zeros as i32);
    let mut product = [0u64; 4];
    let mut carry = 0u128;
    for (i, word) in product.iter_mut().enumerate() {
        let digit = digits(e - 1 + 64 * (3 - i as i32));
        let t = m as u128 * digit as u128 + carry;
        *word = t as u64;
        carry = t >> 64;
    }
    let quadrant = (product[3] >> 62) as u32;
    // The fraction, scaled by 2^256.
    let low = (product[1] as u128) << 64 | product[0] as u128;
    let top = (product[3] as u128) << 64 | product[2] as u128;
    let (mut top, mut low) = (top << 2 | low >> 126, low << 2);
    let mut turn = quadrant;
    let past_half = top >> 127 != 0;
    if past_half {
        turn += 1;
        let borrow = low != 0;
        low = low.wrapping_neg();
        top = (!top).wrapping_add(!borrow as u128);
    }
    if x.neg {
        turn = 4 - (turn & 3);
    }
    let (sig, zeros) = if top == 0 {
        (low << low.leading_zeros(), 128 + low.leading_zeros())
    } else {
        let z = top.leading_zeros();
        (if z == 0 { top } else { top << z | low >> (128 - z) }, z)
    };
    let rest = Real { neg: past_half != x.neg, exp: -127 - zeros as i32, sig: high(sig, HALF_PI), sticky: true };
    (turn & 3, rest)
}

/// The square of a reduced angle, scaled by 2^128.
fn squared(y: &Real) -> u128 {
    let n = y.normal();
    // y = n.sig 2^n.exp with n.exp <= -128.
    let shift = 2 * (-n.exp - 128) as u32;
    high(n.sig, n.sig).checked_shr(shift).unwrap_or(0)
}

/// c0 - z (c1 - z (c2 - ...)).
fn alternating(terms: &[u128; 16], z: u128) -> u128 {
    let mut p = terms[15];
    for term in terms[..15].iter().rev() {
        p = term - high(p, z);
    }
    p
}

fn sin_reduced(y: Real) -> Real {
    let z = squared(&y);
    let drop = high(z, alternating(&SIN_TERMS, z));
    if drop == 0 {
        return near(y, false);
    }
    let y = y.normal();
    Real { sig: high(y.sig, drop.wrapping_neg()), sticky: true, ..y }
}

fn cos_reduced(y: Real) -> Real {
    let z = squared(&y);
    let drop = high(z, alternating(&COS_TERMS, z));
    if drop == 0 { near_one(false) } else { Real { neg: false, exp: -128, sig: drop.wrapping_neg(), sticky: true } }
}

/// Sine of an angle in radians.
pub(crate) fn sin(x: Real) -> Real {
    let (quadrant, y) = reduced(x);
    let value = if quadrant & 1 == 0 { sin_reduced(y) } else { cos_reduced(y) };
    Real { neg: value.neg != (quadrant & 2 != 0), ..value }
}

/// Cosine of an angle in radians.
pub(crate) fn cos(x: Real) -> Real {
    let (quadrant, y) = reduced(x);
    let value = if quadrant & 1 == 0 { cos_reduced(y) } else { sin_reduced(y) };
    Real { neg: value.neg != matches!(quadrant, 1 | 2), ..value }
}

/// Sine, or cosine, of an angle in quarter turns; exact where that is whole.
pub(crate) fn sin_of_turns(x: Real, cosine: bool) -> Val {
    let n = x.normal();
    // |x| = whole + part / 2^128; what has no bit below the point is a multiple of four.
    let shift = -n.exp;
    let (whole, part) = match shift {
        ..=0 => (0, 0),
        1..128 => (n.sig >> shift, n.sig << (128 - shift)),
        _ => (0, n.sig.checked_shr(shift as u32 - 128).unwrap_or(0)),
    };
    let past_half = part >> 127 != 0;
    let quadrant = (whole as u32).wrapping_add(u32::from(past_half)).wrapping_add(u32::from(cosine)) & 3;
    // Below, the first digits of a quarter turn would be lost in the fixed point.
    let quarter = if shift > 128 + 16 {
        Some(n)
    } else {
        let rest = if past_half { part.wrapping_neg() } else { part };
        (rest != 0).then(|| Real { neg: false, exp: -128, sig: rest, sticky: false }.normal())
    };
    let rest = quarter.map(|r| Real { neg: past_half, exp: r.exp + 1, sig: high(r.sig, HALF_PI), sticky: true });
    let negate = quadrant & 2 != 0;
    let flip = x.neg && !cosine;
    match (rest, quadrant & 1) {
        (None, 0) => Val::Zero(flip),
        (None, _) => Val::ONE.with_sign(negate != flip),
        (Some(y), odd) => {
            let value = if odd == 0 { sin_reduced(y) } else { cos_reduced(y) };
            Val::Real(value.with_sign(value.neg != (negate != flip)))
        }
    }
}
