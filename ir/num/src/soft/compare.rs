//! Comparisons, condition codes, MIN and MAX.

use super::value::{Val, propagated};
use crate::{MinMaxNan, MinMaxZero, NanCompare, Op, Rule};
use std::cmp::Ordering;

/// Order of two operands; `None` if unordered.
pub(crate) fn order(rule: &Rule, a: Val, b: Val) -> Option<Ordering> {
    if (a.is_nan() || b.is_nan()) && rule.nan_compare != NanCompare::Infinity {
        return None;
    }
    // `compare` ranks NaN with the infinity of its sign.
    Some(a.compare(&b))
}

/// A float comparison.
pub(crate) fn test(op: Op, rule: &Rule, a: Val, b: Val) -> bool {
    let order = order(rule, a, b);
    match op {
        Op::FEq => order == Some(Ordering::Equal),
        Op::FNe if rule.nan_compare == NanCompare::False => order.is_some_and(Ordering::is_ne),
        Op::FNe => order != Some(Ordering::Equal),
        Op::FLt => order == Some(Ordering::Less),
        Op::FLe => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Op::FGt => order == Some(Ordering::Greater),
        Op::FGe => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        _ => order.is_none(),
    }
}

/// The condition code of a value: 0 less, 1 equal, 2 greater, 3 unordered.
pub(crate) fn condition(rule: &Rule, a: Val) -> u64 {
    match order(rule, a, Val::Zero(false)) {
        Some(Ordering::Less) => 0,
        Some(Ordering::Equal) => 1,
        Some(Ordering::Greater) => 2,
        None => 3,
    }
}

/// The order of all values: a NaN lies beyond the infinity of its sign.
fn total(a: Val, b: Val) -> Ordering {
    let rank = |v: Val| match (v.is_nan(), v.neg()) {
        (false, _) => 0,
        (true, true) => -1,
        (true, false) => 1,
    };
    rank(a).cmp(&rank(b)).then_with(|| a.compare(&b))
}

/// What MIN and MAX give.
pub(crate) enum Chosen {
    /// One of the operands.
    First,
    Second,
    /// A NaN that is neither as it stood.
    Nan(Val),
}

/// MIN (`max` false) or MAX, before rounding and clamping.
pub(crate) fn min_max(rule: &Rule, max: bool, a: Val, b: Val) -> Chosen {
    let order = match rule.minmax_nan {
        MinMaxNan::Ordered => Some(total(a, b)),
        _ => order(rule, a, b),
    };
    let less = order == Some(Ordering::Less);
    let greater = order == Some(Ordering::Greater);
    let take_a = match (rule.minmax_nan, max) {
        (MinMaxNan::CompareB | MinMaxNan::ComparePatent | MinMaxNan::CompareBIsNan, false) => less,
        (MinMaxNan::CompareB | MinMaxNan::CompareGreater | MinMaxNan::CompareBIsNan, true) => greater,
        (MinMaxNan::CompareGreater, false) => !greater,
        (MinMaxNan::ComparePatent, true) => greater || order == Some(Ordering::Equal),
        (MinMaxNan::Number | MinMaxNan::Nan | MinMaxNan::Ordered, _) => {
            if order.is_none() {
                return match (rule.minmax_nan, a.is_nan(), b.is_nan()) {
                    (MinMaxNan::Number, false, true) => Chosen::First,
                    (MinMaxNan::Number, true, false) => Chosen::Second,
                    _ => Chosen::Nan(propagated(rule, &[a, b]).unwrap_or(a)),
                };
            }
            if order == Some(Ordering::Equal) {
                match rule.minmax_zero {
                    // Equal values differ at most in the sign of a zero.
                    MinMaxZero::Ordered => a.neg() != max,
                    MinMaxZero::Second => false,
                    MinMaxZero::First => true,
                }
            } else {
                less != max
            }
        }
    };
    if take_a { Chosen::First } else { Chosen::Second }
}
