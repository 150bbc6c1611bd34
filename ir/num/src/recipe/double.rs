//! Recipes for results in binary64: short programs over pairs of binary64 numbers.
//!
//! A result is a sum of two numbers, `high + low`, where `high` is that sum rounded to nearest. Each function states how far
//! the sum may be from the exact value, relative to it; [`decided`] rounds it where that error cannot change the result, and
//! elsewhere `recipe::wide` decides. The programs are add, subtract, multiply, divide, square root, bit operations, and fused
//! multiply-adds, all exactly defined, without branches. Their coefficients are those of the power series, computed from the
//! integers of `recipe::wide`.
//!
//! The bounds count three parts. *Cut*: the first term of the series that is left out. *Tail*: terms evaluated in single
//! binary64 numbers, off by less than 2^-51.4 of the first of them (half a unit of its coefficient, half of its last sum, and less
//! than another half of all that follows, at the sizes named). *Pairs*: sums and products of pairs, off by less than 2^-100 of
//! what they give. Products and sums of two numbers are exact pairs wherever nothing is tiny, and operands so small that
//! something is give results that are known.

use super::wide::{COS_TERMS, EXP2_TERMS, LOG2E, SIN_TERMS};

/// 2^-68: relative error bound of [`exp2`]. |r| <= 1/2: cut (r ln 2)^17 / 17! below 2^-74, tail (r ln 2)^6 / 6! below 2^-18.6
/// times 2^-51.4, 2^r at least 2^-1/2: together below 2^-69.3.
pub const EPS_EXP2: f64 = power(-68);
/// 2^-79: relative error bound of [`log2`]. s^2 <= 0.02944: cut s^32 / 33 below 2^-86, tail s^10 / 11 below 2^-28.8 times
/// 2^-51.4: together below 2^-80.
pub const EPS_LOG2: f64 = power(-79);
/// 2^-68: relative error bound of [`sin`] and [`cos`]. z = y^2 <= 0.617: cut z^11 / 22! below 2^-77, tail z^4 / 8! below 2^-18
/// times 2^-51.4, a cosine at least 2^-1/2: together below 2^-68.8. The reduced angle is off by less than 2^-79 of it.
pub const EPS_TRIG: f64 = power(-68);
/// 2^-98: relative error bound of [`rsq`]. With e = 1 - x y^2 below 2^-50 in size, what is left of y (1 + e / 2) is 3 e^2 / 8,
/// below 2^-101, and the rounding of e / 2, below 2^-103.
pub const EPS_RSQ: f64 = power(-98);
/// 2^-67: relative error bound of [`pow`] where the result is a normal number: 2^10 times the error of the logarithm, times
/// ln 2, and the error of [`exp2`].
pub const EPS_POW: f64 = power(-67);

/// Angles must lie below this: multiples of pi/2 are then known to 2^-79 of the rest.
pub const TRIG_LIMIT: f64 = power(21);

/// Sizes of angles below which the sine is the angle, rounded to nearest: x - x^3 / 6 is nearer to x than a quarter of a unit.
pub const SIN_IS_ANGLE: f64 = power(-27);

const fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

/// 1.5 * 2^52: adding it leaves the nearest integer (ties to even) in the low bits of the sum.
const MAGIC: f64 = super::fast::MAGIC;

/// The sum of two numbers.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pair {
    /// The greater part.
    pub high: f64,
    /// What is left: a unit in the last place of the greater part, or little more.
    pub low: f64,
}

impl Pair {
    const ONE: Pair = Pair { high: 1.0, low: 0.0 };

    const fn negated(self) -> Pair {
        Pair { high: -self.high, low: -self.low }
    }

    /// integer * 2^-point; to 2^-106 of it.
    const fn fixed(integer: u128, point: i32) -> Pair {
        let high = integer as f64;
        let whole = high as u128;
        let low = if whole > integer { -((whole - integer) as f64) } else { (integer - whole) as f64 };
        Pair { high: high * power(-point), low: low * power(-point) }
    }
}

/// ln(2)^n / n!.
pub const EXP2: [Pair; 17] = {
    let mut terms = [Pair::ONE; 17];
    let mut n = 1;
    while n < 17 {
        terms[n] = Pair::fixed(EXP2_TERMS[n - 1], 128);
        n += 1;
    }
    terms
};

/// 2 log2(e) / (2n + 1).
pub const LOG2: [Pair; 16] = {
    let mut terms = [Pair::ONE; 16];
    let mut n = 0;
    while n < 16 {
        terms[n] = Pair::fixed(LOG2E / (2 * n as u128 + 1), 126);
        n += 1;
    }
    terms
};

/// (-1)^n / (2n + 1)!.
pub const SIN: [Pair; 11] = alternating(&SIN_TERMS);
/// (-1)^n / (2n)!.
pub const COS: [Pair; 11] = alternating(&COS_TERMS);

const fn alternating(sizes: &[u128; 16]) -> [Pair; 11] {
    let mut terms = [Pair::ONE; 11];
    let mut n = 1;
    while n < 11 {
        let term = Pair::fixed(sizes[n - 1], 128);
        terms[n] = if n % 2 == 1 { term.negated() } else { term };
        n += 1;
    }
    terms
}

/// pi/2 in three parts of 53 bits.
pub const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xb91f_1976_b7ed_8fbc),
];

/// a * b, exact.
#[inline(always)]
fn product(a: f64, b: f64) -> Pair {
    let high = a * b;
    Pair { high, low: a.mul_add(b, -high) }
}

/// a + b, exact where |a| >= |b| or both have one exponent.
#[inline(always)]
fn ordered_sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    Pair { high, low: b - (high - a) }
}

/// a + b, exact.
#[inline(always)]
fn sum(a: f64, b: f64) -> Pair {
    let high = a + b;
    let from_b = high - a;
    Pair { high, low: (a - (high - from_b)) + (b - from_b) }
}

/// x * y.
#[inline(always)]
fn pair_product(x: Pair, y: Pair) -> Pair {
    let p = product(x.high, y.high);
    Pair { low: x.low.mul_add(y.high, x.high.mul_add(y.low, p.low)), ..p }
}

/// c + x * p, where the product is less than c.
#[inline(always)]
fn step(c: Pair, x: Pair, p: Pair) -> Pair {
    let product = pair_product(x, p);
    let total = ordered_sum(c.high, product.high);
    Pair { low: total.low + (product.low + c.low), ..total }
}

/// The same for an x of one number.
#[inline(always)]
fn single_step(c: Pair, x: f64, p: Pair) -> Pair {
    let product = product(x, p.high);
    let low = x.mul_add(p.low, product.low);
    let total = ordered_sum(c.high, product.high);
    Pair { low: total.low + (low + c.low), ..total }
}

/// The terms from `first` on, in single numbers.
#[inline(always)]
fn tail<const N: usize>(terms: &[f64; N], first: usize, x: f64) -> Pair {
    let mut p = terms[N - 1];
    let mut n = N - 1;
    while n > first {
        n -= 1;
        p = p.mul_add(x, terms[n]);
    }
    Pair { high: p, low: 0.0 }
}

/// The greater parts of coefficients.
const fn high<const N: usize>(terms: &[Pair; N]) -> [f64; N] {
    let mut parts = [0.0; N];
    let mut n = 0;
    while n < N {
        parts[n] = terms[n].high;
        n += 1;
    }
    parts
}

/// `high` rounded to nearest.
#[inline(always)]
fn settled(v: Pair) -> Pair {
    ordered_sum(v.high, v.low)
}

/// A result rounded to nearest even, `eps` its relative error bound; marks it where the error may change it, and NaN.
#[inline(always)]
pub fn decided(v: Pair, eps: f64, mark: &mut bool) -> f64 {
    // 1/32 more than the roundings of the margin and of the two lower parts.
    let margin = v.high.abs() * (eps * 1.03125);
    let (least, most) = (v.high + (v.low - margin), v.high + (v.low + margin));
    *mark |= !(least == most);
    least
}

/// 2^(r + rest) for |r| <= 1/2 and a rest below 2^-42, to [`EPS_EXP2`].
#[inline(always)]
pub fn exp2_of_fraction(r: f64, rest: f64) -> Pair {
    let mut p = tail(const { &high(&EXP2) }, 6, r);
    let mut n = 6;
    while n > 0 {
        n -= 1;
        p = single_step(EXP2[n], r, p);
    }
    // 2^rest = 1 + rest ln 2, to rest^2 / 4.
    let change = p.high * (rest * EXP2[1].high);
    settled(Pair { low: p.low + change, ..p })
}

/// v * 2^k for results that are normal numbers.
#[inline(always)]
fn scaled(v: f64, shifted: f64) -> f64 {
    // The integer stands in the low bits; what stands above them leaves at the top of the shift.
    f64::from_bits(v.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// 2^x, rounded to nearest even; marks where that is not certain, and operands from 1024 on, up to -1022, and NaN.
#[inline(always)]
pub fn exp2(x: f64, mark: &mut bool) -> f64 {
    *mark |= !((x > -1022.0) & (x < 1024.0));
    let shifted = x + MAGIC;
    let r = x - (shifted - MAGIC);
    let y = decided(exp2_of_fraction(r, 0.0), EPS_EXP2, mark);
    scaled(y, shifted)
}

/// log2(x) of a positive normal number, to [`EPS_LOG2`].
#[inline(always)]
pub fn log2(x: f64) -> Pair {
    // Exponent and significand such that m lies in [sqrt(1/2), sqrt(2)).
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let bits = x.to_bits();
    let k = (bits.wrapping_sub(ROOT_HALF) as i64) >> 52;
    let m = f64::from_bits(bits.wrapping_sub((k << 52) as u64));
    let k = f64::from_bits(MAGIC.to_bits().wrapping_add(k as u64)) - MAGIC;
    // s = (m - 1) / (m + 1); the numerator is exact.
    let numerator = m - 1.0;
    let below = ordered_sum(1.0, m);
    let inverse = 1.0 / below.high;
    let quotient = numerator * inverse;
    let rest = (-quotient).mul_add(below.low, (-quotient).mul_add(below.high, numerator));
    let s = Pair { high: quotient, low: rest * inverse };
    // s^2.
    let square = product(s.high, s.high);
    let z = Pair { low: (2.0 * s.high).mul_add(s.low, square.low), ..square };
    let mut p = tail(const { &high(&LOG2) }, 5, z.high);
    let mut n = 5;
    while n > 0 {
        n -= 1;
        p = step(LOG2[n], z, p);
    }
    let log = pair_product(s, p);
    let total = ordered_sum(k, log.high);
    settled(Pair { low: total.low + log.low, ..total })
}

/// x less the nearest multiple k of pi/2, and k in the low bits; |x| < [`TRIG_LIMIT`].
#[inline(always)]
pub fn reduced(x: f64) -> (u64, Pair) {
    let shifted = x * std::f64::consts::FRAC_2_PI + MAGIC;
    let k = shifted - MAGIC;
    // Exact: a multiple of the operand's last bit or of 2^-52, below 1.
    let first = (-k).mul_add(HALF_PI[0], x);
    let second = product(k, HALF_PI[1]);
    let rest = sum(first, -second.high);
    let low = (-k).mul_add(HALF_PI[2], rest.low - second.low);
    (shifted.to_bits(), ordered_sum(rest.high, low))
}

/// Sine of an angle reduced to a quadrant, counted by the low two bits, and a rest, to [`EPS_TRIG`].
#[inline(always)]
pub fn sine(quadrant: u64, y: Pair) -> Pair {
    let odd = quadrant & 1 != 0;
    let square = product(y.high, y.high);
    let z = Pair { low: (2.0 * y.high).mul_add(y.low, square.low), ..square };
    let chosen = |n: usize| Pair {
        high: if odd { COS[n].high } else { SIN[n].high },
        low: if odd { COS[n].low } else { SIN[n].low },
    };
    let mut p = chosen(10).high;
    let mut n = 10;
    while n > 4 {
        n -= 1;
        p = p.mul_add(z.high, chosen(n).high);
    }
    let mut p = Pair { high: p, low: 0.0 };
    while n > 0 {
        n -= 1;
        p = step(chosen(n), z, p);
    }
    let factor = Pair { high: if odd { 1.0 } else { y.high }, low: if odd { 0.0 } else { y.low } };
    let value = settled(pair_product(factor, p));
    let sign = (quadrant & 2) << 62;
    Pair { high: f64::from_bits(value.high.to_bits() ^ sign), low: f64::from_bits(value.low.to_bits() ^ sign) }
}

/// Sine, rounded to nearest even; marks where that is not certain, and operands from [`TRIG_LIMIT`] on and NaN.
#[inline(always)]
pub fn sin(x: f64, mark: &mut bool) -> f64 {
    *mark |= x.is_nan() | (x.abs() >= TRIG_LIMIT);
    let (quadrant, y) = reduced(x);
    let result = decided(sine(quadrant, y), EPS_TRIG, mark);
    if x.abs() < SIN_IS_ANGLE { x } else { result }
}

/// Cosine, as [`sin`].
#[inline(always)]
pub fn cos(x: f64, mark: &mut bool) -> f64 {
    *mark |= x.is_nan() | (x.abs() >= TRIG_LIMIT);
    let (quadrant, y) = reduced(x);
    decided(sine(quadrant.wrapping_add(1), y), EPS_TRIG, mark)
}

/// 1 / sqrt(x) of a positive number, to [`EPS_RSQ`].
#[inline(always)]
pub fn reciprocal_root(x: f64) -> Pair {
    let y = 1.0 / x.sqrt();
    let p = product(x, y);
    let e = (-p.low).mul_add(y, (-p.high).mul_add(y, 1.0));
    ordered_sum(y, y * (e * 0.5))
}

/// 1 / sqrt(x), rounded to nearest even; marks where that is not certain, and what is no positive number.
#[inline(always)]
pub fn rsq(x: f64, mark: &mut bool) -> f64 {
    *mark |= !((x > 0.0) & (x < f64::INFINITY));
    decided(reciprocal_root(x), EPS_RSQ, mark)
}

/// x^y of a positive normal number, rounded to nearest even; marks where that is not certain, and what is not such a number,
/// or not finite, or gives no normal number.
#[inline(always)]
pub fn pow(x: f64, y: f64, mark: &mut bool) -> f64 {
    *mark |= x.is_nan() | (x < f64::MIN_POSITIVE) | (x == f64::INFINITY) | !y.is_finite();
    let log = log2(x);
    let p = product(y, log.high);
    let rest = y.mul_add(log.low, p.low);
    *mark |= !((p.high > -1021.0) & (p.high < 1023.0));
    let shifted = p.high + MAGIC;
    let r = p.high - (shifted - MAGIC);
    let value = decided(exp2_of_fraction(r, rest), EPS_POW, mark);
    scaled(value, shifted)
}
