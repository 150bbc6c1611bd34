//! Division and roots by integer arithmetic, exact to a sticky bit.

use super::value::{Real, Val, default_nan, propagated};
use crate::{Format, RcpZero, RsqNegative, Rule, SqrtNegative};

/// a / b; operands of up to 64 bits give at least 63 bits and a sticky fraction.
pub(crate) fn quotient(a: Real, b: Real) -> Real {
    let a = a.normal();
    // A short divisor keeps the quotient long.
    let zeros = b.sig.trailing_zeros();
    let (divisor, exp) = (b.sig >> zeros, b.exp + zeros as i32);
    let sig = a.sig / divisor;
    let sticky = sig * divisor != a.sig;
    Real { neg: a.neg != b.neg, exp: a.exp - exp, sig, sticky }
}

/// Square root of a positive number of up to 64 bits, 63 bits and a sticky fraction.
pub(crate) fn root(a: Real) -> Real {
    let a = a.normal();
    // An even exponent; one bit of the significand is free to go, operands being short.
    let (sig, exp) = if a.exp & 1 == 0 { (a.sig, a.exp) } else { (a.sig >> 1, a.exp + 1) };
    let sig_root = sig.isqrt();
    Real { neg: false, exp: exp / 2, sig: sig_root, sticky: sig_root * sig_root != sig }
}

/// High and low halves of a 256-bit product.
pub(crate) const fn wide_mul(a: u128, b: u128) -> (u128, u128) {
    const MASK: u128 = u64::MAX as u128;
    let (a1, a0) = (a >> 64, a & MASK);
    let (b1, b0) = (b >> 64, b & MASK);
    let low = a0 * b0;
    let (m1, m2) = (a1 * b0, a0 * b1);
    let mid = (low >> 64) + (m1 & MASK) + (m2 & MASK);
    (a1 * b1 + (m1 >> 64) + (m2 >> 64) + (mid >> 64), mid << 64 | low & MASK)
}

/// 2^87 as a binary64.
const TWO_87: f64 = f64::from_bits((1023 + 87) << 52);

/// 1 / sqrt(a) of a positive number of up to 53 bits, 60 bits and a sticky fraction.
pub(crate) fn reciprocal_root(a: Real) -> Real {
    let zeros = a.sig.trailing_zeros();
    let (mut m, mut e) = (a.sig >> zeros, a.exp + zeros as i32);
    // m in [2^52, 2^54) with an even exponent.
    let up = m.leading_zeros() as i32 - 75;
    m <<= up;
    e -= up;
    if e & 1 != 0 {
        m <<= 1;
        e -= 1;
    }
    // r = floor(2^87 / sqrt(m)), 60 to 61 bits: largest r with r^2 m <= 2^174. A binary64 estimate, then integer steps.
    let target = 1u128 << (174 - 128);
    let estimate = (TWO_87 / (m as f64).sqrt()) as u128;
    let below = |r: u128| {
        let (high, low) = wide_mul(r * r, m);
        (high, low) <= (target, 0)
    };
    // The estimate is off by less than 2^10: climb in halving steps from below.
    let mut r = estimate - (1 << 10);
    let mut step = 1u128 << 10;
    while step > 0 {
        if below(r + step) {
            r += step;
        }
        step >>= 1;
    }
    let (high, rest) = wide_mul(r * r, m);
    Real { neg: false, exp: -87 - e / 2, sig: r, sticky: (high, rest) != (target, 0) }
}

/// a / b with special values.
pub(crate) fn exact_div(rule: &Rule, a: Val, b: Val) -> Val {
    if let Some(nan) = propagated(rule, &[a, b]) {
        return nan;
    }
    let neg = a.neg() != b.neg();
    match (a, b) {
        (Val::Real(x), Val::Real(y)) => Val::Real(quotient(x, y)),
        (Val::Zero(_), Val::Zero(_)) | (Val::Inf(_), Val::Inf(_)) => default_nan(rule),
        (Val::Zero(_), _) | (_, Val::Inf(_)) => Val::Zero(neg),
        _ => Val::Inf(neg),
    }
}

/// Square root with special values.
pub(crate) fn exact_sqrt(rule: &Rule, a: Val) -> Val {
    match a {
        Val::Nan(_) => propagated(rule, &[a]).unwrap_or(a),
        Val::Real(r) if !r.neg => Val::Real(root(r)),
        Val::Zero(_) | Val::Inf(false) => a,
        Val::Real(r) if rule.sqrt_negative == SqrtNegative::Magnitude => Val::Real(root(r.with_sign(false))),
        Val::Inf(true) if rule.sqrt_negative == SqrtNegative::Magnitude => Val::Inf(false),
        _ => default_nan(rule),
    }
}

/// Reciprocal with special values.
pub(crate) fn exact_rcp(rule: &Rule, a: Val) -> Val {
    match a {
        Val::Zero(_) if rule.rcp_zero == RcpZero::Positive && matches!(rule.format, Format::Float(_)) => {
            Val::Inf(false)
        }
        _ => exact_div(rule, Val::ONE, a),
    }
}

/// Reciprocal square root with special values.
pub(crate) fn exact_rsq(rule: &Rule, a: Val) -> Val {
    if a.is_nan() {
        return propagated(rule, &[a]).unwrap_or(a);
    }
    let magnitude = rule.rsq_negative != RsqNegative::Nan;
    match a {
        Val::Zero(true) if rule.rsq_negative == RsqNegative::MagnitudeNotZero => default_nan(rule),
        Val::Zero(neg) => {
            let signed = rule.rcp_zero == RcpZero::Signed || matches!(rule.format, Format::Fixed(_));
            Val::Inf(neg && !magnitude && signed)
        }
        _ if a.neg() && !magnitude => default_nan(rule),
        Val::Real(r) => Val::Real(reciprocal_root(r)),
        _ => Val::Zero(false),
    }
}
