//! Recipes in binary64: short programs over add, subtract, multiply, divide, square root and bit operations.
//!
//! Operands are numbers of at most 24 bits, which every binary16, binary32 and s12 number is. Each function states how far its result may be from the exact one,
//! relative to it. The caller rounds both ends of that interval; if they agree, that is the correctly rounded result, and
//! if not, `recipe::wide` decides. The programs have no branches, so a row of lanes vectorises, and no fused
//! multiply-add, so every host gets the same bits.

use super::wide::digits;

/// 2^-44: relative error bound of [`exp2`] and [`log2`].
pub const EPS_EXP_LOG: f64 = power(-44);
/// 2^-45: relative error bound of [`sin`] and [`cos`].
pub const EPS_TRIG: f64 = power(-45);
/// 2^-51: relative error bound of a quotient, root or both in a row.
pub const EPS_ROOT: f64 = power(-51);
/// 2^-36: relative error bound of [`pow`].
pub const EPS_POW: f64 = power(-36);

/// Arguments of [`sin`] and [`cos`] must lie below this; [`turn_large`] reduces the others.
pub const TRIG_LIMIT: f64 = power(21);

const fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

/// 1.5 * 2^52: adding it leaves the nearest integer (ties to even) in the low bits of the sum.
pub const MAGIC: f64 = 6_755_399_441_055_744.0;

/// (2^r - 1) / r on [-1/2, 1/2], to 2^-44.6 of 2^r.
pub const EXP2: [f64; 9] = [
    std::f64::consts::LN_2,
    0.2402265069581299,
    0.055504108664760424,
    0.009618129159402558,
    0.0013333558179043112,
    0.00015403455852453838,
    1.525268684626772e-05,
    1.3255224878668817e-06,
    1.0203121063391729e-07,
];

/// 2 atanh(s) / (s ln 2) as a polynomial in s^2 for |s| < 0.1716, to 2^-45.08.
pub const LOG2: [f64; 6] = [
    2.885390081777851,
    0.9617966941122649,
    0.5770779426603044,
    0.41220922406110433,
    0.31990680380701336,
    0.28288502340748234,
];

/// sin(pi/2 r) / r as a polynomial in r^2 for r^2 < 0.255, to 2^-47.4.
pub const SIN: [f64; 6] = [
    1.570796326794889,
    -0.6459640975041078,
    0.0796926261483092,
    -0.004681752497227769,
    0.00016042878529442752,
    -3.555541884706778e-06,
];

/// (cos(pi/2 r) - 1) / r^2 as a polynomial in r^2 for r^2 < 0.255, to 2^-51.5 of the cosine.
pub const COS: [f64; 6] = [
    -1.233700550136169,
    0.25366950790080783,
    -0.020863480752361337,
    0.0009192600908555089,
    -2.5200649859637934e-05,
    4.662256681033528e-07,
];

/// 2/pi in three parts: two of 29 bits, whose products with 24 bits are exact, and the rest.
pub const TWO_OVER_PI: [f64; 3] = [
    f64::from_bits(0x3fe4_5f30_6d00_0000),
    f64::from_bits(0x3e19_3910_5400_0000),
    f64::from_bits(0x3c44_fe13_abe8_fa9a),
];

#[inline(always)]
fn polynomial<const N: usize>(c: &[f64; N], x: f64) -> f64 {
    let mut p = c[N - 1];
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        p = p * x + c[i];
    }
    p
}

/// 2^x for any x but NaN; beyond +-300 the result is that of +-300. Error below [`EPS_EXP_LOG`].
#[inline(always)]
pub fn exp2(x: f64) -> f64 {
    let x = if x < -300.0 { -300.0 } else { x };
    let x = if x > 300.0 { 300.0 } else { x };
    let shifted = x + MAGIC;
    let r = x - (shifted - MAGIC);
    let p = 1.0 + r * polynomial(&EXP2, r);
    // The integer stands in the low bits; what stands above them leaves at the top of the shift.
    f64::from_bits(p.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// log2(x) for a normal positive binary64 x. Error below [`EPS_EXP_LOG`].
#[inline(always)]
pub fn log2(x: f64) -> f64 {
    // Exponent and mantissa such that m lies in [sqrt(1/2), sqrt(2)).
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    let bits = x.to_bits();
    let k = (bits.wrapping_sub(ROOT_HALF) as i64) >> 52;
    let m = f64::from_bits(bits.wrapping_sub((k << 52) as u64));
    let f = m - 1.0;
    let s = f / (2.0 + f);
    // An integer added to the pattern of 1.5 * 2^52 is added to its value.
    let k = f64::from_bits(MAGIC.to_bits().wrapping_add(k as u64)) - MAGIC;
    k + s * polynomial(&LOG2, s * s)
}

/// x * 2/pi as a quadrant (low two bits) and a rest in [-0.504, 0.504]; |x| < [`TRIG_LIMIT`].
#[inline(always)]
pub fn turn(x: f64) -> (u64, f64) {
    let high = x * TWO_OVER_PI[0];
    let shifted = high + MAGIC;
    let rest = (high - (shifted - MAGIC)) + x * TWO_OVER_PI[1] + x * TWO_OVER_PI[2];
    (shifted.to_bits(), rest)
}

/// The same for |x| from 1/4 on, by integers: the digits of 2/pi that matter times the 24 bits of x.
pub fn turn_large(x: f64) -> (u64, f64) {
    let bits = x.to_bits();
    // |x| = m 2^e with m of 24 bits.
    let m = (bits & ((1 << 52) - 1) | 1 << 52) >> 29;
    let e = (bits >> 52 & 0x7ff) as i32 - 1075 + 29;
    let window = (digits(e - 1) as u128) << 64 | digits(e + 63) as u128;
    let product = window.wrapping_mul(m as u128);
    let quadrant = (product >> 126) as u64 + (product >> 125 & 1) as u64;
    let rest = (product << 2) as i128 as f64 * power(-128);
    if x < 0.0 { (quadrant.wrapping_neg(), -rest) } else { (quadrant, rest) }
}

/// Quarters of a turn, at most 24 bits of them, as a quadrant and a rest, which are exact; `None` for so many that they may not be.
pub fn turn_of_quarters(x: f64) -> Option<(u64, f64)> {
    let shifted = x + MAGIC;
    (x.abs() < TRIG_LIMIT).then(|| (shifted.to_bits(), x - (shifted - MAGIC)))
}

/// Sine of a quadrant and a rest. Error below [`EPS_TRIG`].
#[inline(always)]
pub fn sin_of_turn((quadrant, r): (u64, f64)) -> f64 {
    let z = r * r;
    let sine = r * polynomial(&SIN, z);
    let cosine = 1.0 + z * polynomial(&COS, z);
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    f64::from_bits(value.to_bits() ^ (quadrant & 2) << 62)
}

/// Sine for |x| < [`TRIG_LIMIT`]. Error below [`EPS_TRIG`].
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    sin_of_turn(turn(x))
}

/// Cosine for |x| < [`TRIG_LIMIT`]. Error below [`EPS_TRIG`].
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    let (quadrant, r) = turn(x);
    sin_of_turn((quadrant.wrapping_add(1), r))
}

/// x^y for a normal positive binary64 x. Where the result lies in binary32's range, the error is below [`EPS_POW`].
#[inline(always)]
pub fn pow(x: f64, y: f64) -> f64 {
    exp2(y * log2(x))
}
