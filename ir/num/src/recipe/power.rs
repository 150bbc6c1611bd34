//! C's power of two numbers of at most 64 bits.
//!
//! Powers that are numbers of at most 128 bits are found among the operands' factors. All others are irrational, or have more digits.
//! They are computed in 128 bits, off by less than 2^-99 of themselves; what comes so close to a number of 60 bits that it might lie
//! on its other side is computed again in 256 bits, off by less than 2^-220. Of the 2^123 pairs of binary64 numbers whose power
//! is none of these and in range none should come that close, but for powers next to 1, whose side their logarithm tells.

use super::wide::{beyond, exp2, high, log2, near_one};
use crate::fraction::{Fraction, word_at};
use crate::soft::value::Real;

/// x^y of a positive x.
pub(super) fn pow(x: Real, y: Real) -> Real {
    if let Some(exact) = exact(x, y) {
        return exact;
    }
    let Some(log) = log2(x) else { return near_one(true) };
    let width = |r: &Real| 128 - r.sig.leading_zeros();
    let neg = log.neg != y.neg;
    let product = if width(&log) + width(&y) <= 128 {
        Real { neg, exp: log.exp + y.exp, sig: log.sig * y.sig, sticky: log.sticky }
    } else {
        let (a, b) = (log.normal(), y.normal());
        Real { neg, exp: a.exp + b.exp + 128, sig: high(a.sig, b.sig), sticky: true }
    };
    match product.top() {
        16.. => return beyond(!neg),
        ..-98 => return near_one(!neg),
        _ => {}
    }
    let value = exp2(product).normal();
    const LOW: u32 = 68;
    const NEAR: u128 = 1 << (128 - 98);
    let rest = value.sig & ((1 << LOW) - 1);
    if value.sticky && !(NEAR..(1 << LOW) - NEAR).contains(&rest) { in_long(x, y) } else { value }
}

/// A number's odd factor, and the power of two that goes with it.
fn odd(r: Real) -> (u128, i64) {
    let zeros = r.sig.trailing_zeros();
    (r.sig >> zeros, i64::from(r.exp) + i64::from(zeros))
}

/// A power that is a number of at most 128 bits. With an odd n, x^(n 2^-k) is rational only where x is a power with the exponent 2^k.
fn exact(x: Real, y: Real) -> Option<Real> {
    let ((mut root, mut exp), (n, scale)) = (odd(x), odd(y));
    for _ in scale..0 {
        let half = root.isqrt();
        // 1 is all roots of itself.
        let goes_on = exp % 2 == 0 && half * half == root && (root > 1 || exp != 0);
        (root, exp) = goes_on.then_some((half, exp / 2))?;
    }
    let shift = u32::try_from(scale.max(0)).ok().filter(|&shift| shift < 16)?;
    let times = n.checked_mul(1 << shift).filter(|&n| n < 1 << 16)?;
    let sig = match root {
        1 => 1,
        _ if y.neg => return None,
        _ => root.checked_pow(times as u32)?,
    };
    let exp = exp * times as i64 * if y.neg { -1 } else { 1 };
    Some(Real { neg: false, exp: i32::try_from(exp).ok()?, sig, sticky: false })
}

/// log2(x) of a number of at most 64 bits, other than 1, as `digits * 2^exp`, and whether it is negative.
fn long_log2(x: Real) -> (Fraction, i64, bool) {
    let x = x.normal();
    let (m, mut e) = ((x.sig >> 64) as u64, i64::from(x.exp) + 127);
    // m in units of 2^-63 or, where it is larger than the root of 2, of 2^-64.
    let halves = m > 0xb504_f333_f9de_6484;
    e += i64::from(halves);
    let (m, unit) = (u128::from(m), 1u128 << if halves { 64 } else { 63 });
    let neg = m < unit;
    // With s = (m - 1) / (m + 1) it is 2 atanh(s) log2(e).
    let (mut rest, divisor) = (m.abs_diff(unit), m + unit);
    let (mut series, mut scale) = (Fraction::ZERO, 0);
    if rest != 0 {
        while rest * 2 < divisor {
            rest *= 2;
            scale += 1;
        }
        // s 2^scale is from 1/2 to 1: its half is less than 1 with the series, too.
        let mut half = [0u64; 4];
        for place in (0..255).rev() {
            rest *= 2;
            if rest >= divisor {
                rest -= divisor;
                half[place / 64] |= 1 << (place % 64);
            }
        }
        let half = Fraction(half);
        let square = half.high(half).shifted(2 * scale - 2);
        let mut p = Fraction::ZERO;
        for n in (1..=52).rev() {
            p = square.high(Fraction::MOST.over(2 * n + 1).plus(p));
        }
        series = half.plus(half.high(p)).high(Fraction::LOG2E);
    }
    // It counts 2^(3 - scale).
    if e == 0 {
        return (series, 3 - scale - 256, neg);
    }
    let whole = Fraction([0, 0, 0, e.unsigned_abs() << 48]);
    let part = series.shifted(13 + scale);
    let digits = whole.plus(if neg == (e < 0) { part } else { part.negated() });
    (digits, -240, e < 0)
}

/// A power of two numbers of at most 64 bits, next to a number of few digits that it is not: its first 128 bits.
fn in_long(x: Real, y: Real) -> Real {
    let (log, exp, neg) = long_log2(x);
    let y = y.normal();
    let product = log.times((y.sig >> 64) as u64);
    let point = -(exp + i64::from(y.exp) + 64);
    let mut whole = word_at(&product, point) as i64;
    let mut fraction = Fraction([0, 1, 2, 3].map(|n| word_at(&product, point - 256 + 64 * n)));
    if neg != y.neg && fraction != Fraction::ZERO {
        (whole, fraction) = (-whole - 1, fraction.negated());
    } else if neg != y.neg {
        whole = -whole;
    }
    // 2^fraction - 1, with z = fraction ln 2: z (1 + z / 2 (1 + z / 3 ...)).
    let z = fraction.high(Fraction::LN2);
    let mut power = Fraction::ZERO;
    for n in (1..=64).rev() {
        power = z.plus(z.high(power)).over(n);
    }
    let first = u128::from(power.0[3]) << 64 | u128::from(power.0[2]);
    Real { neg: false, exp: whole as i32 - 127, sig: 1 << 127 | first >> 1, sticky: true }
}
