//! The one place where values are rounded.

use super::unpack::has_nan;
use super::value::{Real, Val};
use crate::{
    Denormals, FixedFormat, FloatFormat, Format, Infinite, NanCompare, Overflow, Round, Rule, SatDenorm, SatNan,
    SatZero, Saturate, Specials, Tininess, ZeroSign,
};

/// Rounds sig * 2^-shift (plus a sticky fraction) to an integer, by magnitude and sign. `shift` may be any number.
pub(crate) fn round_shift(r: &Real, shift: i32, round: Round) -> (u128, bool) {
    let (keep, half, rest) = if shift <= 0 {
        // Callers of a negative shift keep enough bits: a sticky fraction then stands below the last bit.
        (r.sig << -shift, false, r.sticky)
    } else if shift < 128 {
        let below = r.sig & ((1 << shift) - 1);
        let half = 1u128 << (shift - 1);
        (r.sig >> shift, below & half != 0, below & (half - 1) != 0 || r.sticky)
    } else if shift == 128 {
        (0, r.sig >> 127 != 0, r.sig << 1 != 0 || r.sticky)
    } else {
        (0, false, true)
    };
    let up = match round {
        Round::NearestEven => half && (rest || keep & 1 != 0),
        Round::NearestAway => half,
        Round::Zero => false,
        Round::Up => !r.neg && (half || rest),
        Round::Down => r.neg && (half || rest),
        Round::Away => half || rest,
    };
    (keep + up as u128, half || rest)
}

/// The largest finite number of a format.
pub(crate) fn largest(f: FloatFormat, neg: bool) -> Real {
    let all = (1u128 << f.precision()) - 1;
    // Where the pattern of all ones is NaN, the one below it is the largest number.
    let sig = if f.specials == Specials::NanOnly { all - 1 } else { all };
    Real { neg, exp: f.max_exp() - f.frac as i32, sig, sticky: false }
}

fn overflowed(f: FloatFormat, neg: bool, round: Round, overflow: Overflow) -> Val {
    let infinite = match overflow {
        Overflow::Infinity => true,
        Overflow::Largest => false,
        Overflow::Ieee => match round {
            Round::NearestEven | Round::NearestAway | Round::Away => true,
            Round::Zero => false,
            Round::Up => !neg,
            Round::Down => neg,
        },
    };
    if infinite && f.specials == Specials::InfNan { Val::Inf(neg) } else { Val::Real(largest(f, neg)) }
}

/// Rounds to a float format with gradual underflow, whatever the format says about denormals.
pub(crate) fn round_float(r: Real, f: FloatFormat, round: Round, overflow: Overflow) -> Val {
    let unit = f.min_exp() - f.frac as i32;
    let quantum = (r.top() - f.frac as i32).max(unit);
    let (keep, _) = round_shift(&r, quantum - r.exp, round);
    if keep == 0 {
        return Val::Zero(r.neg);
    }
    let rounded = Real { neg: r.neg, exp: quantum, sig: keep, sticky: false };
    let top = rounded.top();
    if top > f.max_exp() || (top == f.max_exp() && rounded.cmp_abs(&largest(f, r.neg)).is_gt()) {
        return overflowed(f, r.neg, round, overflow);
    }
    Val::Real(rounded)
}

/// Whether a result is flushed for being tiny.
fn is_tiny(r: &Real, f: FloatFormat, rule: &Rule) -> bool {
    let top = r.top();
    if top >= f.min_exp() {
        return false;
    }
    if rule.tininess == Tininess::Before || top < f.min_exp() - 1 {
        return true;
    }
    // Rounded as if the exponent had no lower end, the result may become the smallest normal number.
    let (keep, _) = round_shift(r, top - f.frac as i32 - r.exp, rule.round);
    keep >> f.precision() == 0
}

fn round_fixed(value: Val, f: FixedFormat, rule: &Rule) -> Val {
    let top = (1i128 << (f.int + f.frac - 1)) - 1;
    let extreme = |neg: bool| if neg { -top - 1 } else { top };
    let integer = match value {
        Val::Zero(_) => 0,
        Val::Inf(neg) => extreme(neg),
        Val::Nan(n) => match rule.nan_compare {
            NanCompare::Unordered | NanCompare::False => 0,
            NanCompare::Infinity => extreme(n.neg),
        },
        Val::Real(r) if r.top() >= f.int as i32 => extreme(r.neg),
        Val::Real(r) => {
            let (magnitude, _) = round_shift(&r, -(f.frac as i32) - r.exp, rule.round);
            let signed = if r.neg { -(magnitude as i128) } else { magnitude as i128 };
            signed.clamp(-top - 1, top)
        }
    };
    Real::from_int(integer, -(f.frac as i32)).map_or(Val::Zero(false), Val::Real)
}

/// Rounds an exact value to the rule's format: direction, denormals, overflow, specials the format lacks.
pub(crate) fn round(value: Val, rule: &Rule) -> Val {
    let f = match rule.format {
        Format::Fixed(f) => return round_fixed(value, f, rule),
        Format::Float(f) => f,
    };
    match value {
        Val::Real(r) => {
            if (rule.denorm_out != Denormals::Keep || !f.denormals) && is_tiny(&r, f, rule) {
                return Val::Zero(r.neg && rule.denorm_out != Denormals::FlushPositive);
            }
            match round_float(r, f, rule.round, rule.overflow) {
                Val::Zero(_) if rule.denorm_out == Denormals::FlushPositive => Val::Zero(false),
                rounded => rounded,
            }
        }
        Val::Inf(neg) if f.specials != Specials::InfNan => Val::Real(largest(f, neg)),
        Val::Nan(_) if !has_nan(rule.format) => Val::Real(largest(f, false)),
        other => other,
    }
}

/// A rounded result where infinities are replaced.
pub(crate) fn finite(value: Val, rule: &Rule) -> Val {
    match (value, rule.infinite, rule.format) {
        (Val::Inf(neg), Infinite::Largest, Format::Float(f)) => Val::Real(largest(f, neg)),
        (Val::Inf(neg), Infinite::Zero, Format::Float(_)) => Val::Zero(neg),
        (other, _, _) => other,
    }
}

/// The end of an operation: scale, rounding and clamp in the rule's order.
pub(crate) fn finish(value: Val, rule: &Rule) -> Val {
    let scaled = |v: Val| match v {
        Val::Real(r) => Val::Real(Real { exp: r.exp + rule.scale as i32, ..r }),
        other => other,
    };
    let rounded = match rule.scale {
        0 => round(value, rule),
        _ if rule.scale_once => round(scaled(value), rule),
        _ => round(scaled(round(value, rule)), rule),
    };
    match (saturate(finite(rounded, rule), rule), rule.zero_sign, rule.format) {
        (Val::Zero(true), ZeroSign::Positive, Format::Float(_)) => Val::Zero(false),
        (other, _, _) => other,
    }
}

/// The clamp an instruction asked for.
fn saturate(value: Val, rule: &Rule) -> Val {
    let lowest = match rule.saturate {
        Saturate::None => return value,
        Saturate::Unsigned => Val::Zero(false),
        Saturate::Signed => Val::ONE.negated(),
    };
    let value = match (value, rule.format) {
        (Val::Real(r), Format::Float(f)) if rule.sat_denorm == SatDenorm::Flush && r.top() < f.min_exp() => {
            Val::Zero(r.neg)
        }
        (other, _) => other,
    };
    match value {
        Val::Nan(_) => match rule.sat_nan {
            SatNan::Zero => Val::Zero(false),
            SatNan::One => Val::ONE,
            SatNan::Keep => value,
        },
        Val::Zero(_) if rule.sat_zero == SatZero::Positive => Val::Zero(false),
        v if v.compare(&lowest).is_lt() => lowest,
        v if v.compare(&Val::ONE).is_gt() => Val::ONE,
        v => v,
    }
}
