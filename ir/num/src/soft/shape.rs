//! Operations that are exact up to range: rounding to integers, sign, exponent and mantissa.

use super::arith::exact_sub;
use super::round::{round, round_shift};
use super::value::{Real, Val, default_nan, propagated};
use crate::{Format, FracOne, Op, Round, Rule};

/// Rounds to an integer in the given direction; zeros keep the operand's sign.
pub(crate) fn integral(value: Val, round: Round) -> Val {
    let Val::Real(r) = value else { return value };
    if r.exp >= 0 {
        return value;
    }
    match round_shift(&r, -r.exp, round).0 {
        0 => Val::Zero(r.neg),
        sig => Val::Real(Real { neg: r.neg, exp: 0, sig, sticky: false }),
    }
}

/// One operation of the shape family, before rounding.
pub(crate) fn shape(op: Op, rule: &Rule, a: Val) -> Val {
    if op == Op::Sign {
        return match a {
            Val::Nan(_) | Val::Zero(_) => Val::Zero(false),
            _ => Val::ONE.with_sign(a.neg()),
        };
    }
    if let Some(nan) = propagated(rule, &[a]) {
        return nan;
    }
    match op {
        Op::Floor => integral(a, Round::Down),
        Op::Ceil => integral(a, Round::Up),
        Op::Trunc => integral(a, Round::Zero),
        Op::Rint => integral(a, Round::NearestEven),
        Op::Frac => match a {
            Val::Inf(_) => default_nan(rule),
            _ => {
                let part = exact_sub(rule, a, integral(a, Round::Down));
                match rule.format {
                    Format::Float(f)
                        if rule.frac_one == FracOne::Below && !round(part, rule).compare(&Val::ONE).is_lt() =>
                    {
                        let p = f.precision() as i32;
                        Val::Real(Real { neg: false, exp: -p, sig: (1 << p) - 1, sticky: false })
                    }
                    _ => part,
                }
            }
        },
        Op::Exp2Floor => match a {
            Val::Inf(neg) => {
                if neg {
                    Val::Zero(false)
                } else {
                    a
                }
            }
            Val::Zero(_) => Val::ONE,
            _ => match integral(a, Round::Down) {
                Val::Real(r) => {
                    // Beyond any format's range one exponent is as good as another.
                    let size = if r.top() > 14 { 1 << 15 } else { (r.sig << r.exp) as i32 };
                    Val::Real(Real { neg: false, exp: if r.neg { -size } else { size }, sig: 1, sticky: false })
                }
                _ => Val::ONE,
            },
        },
        Op::LogExp => match a {
            Val::Zero(_) => Val::Inf(true),
            Val::Real(r) => Val::int(r.top() as i128),
            _ => Val::Inf(false),
        },
        Op::LogMant => match a {
            Val::Real(r) => Val::Real(Real { neg: false, exp: r.exp - r.top(), ..r }),
            // 0 counts as 1 * 2^-infinity, infinity as 1 * 2^infinity.
            _ => Val::ONE,
        },
        _ => a,
    }
}
