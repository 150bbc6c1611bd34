//! The choice of a result inside an error bound by binary64, where that decides: both ends of the error interval round alike.

use crate::soft::value::{Real, Val};
use crate::{FloatFormat, Format, Probe, Round, Rule};

/// Errors of the steps below, relative to the sum of the exact value and the bound: a value of 53 bits, a product of two rounded
/// factors, and a sum.
const ERROR: f64 = 1.0 / (1u64 << 48) as f64;
/// 2^-63.
const OFFSET: f64 = 1.0 / (1u64 << 63) as f64;

/// A number of binary64, and how far the exact value may be from it, relative to it: `None` for not at all.
#[derive(Copy, Clone, Debug)]
pub(super) struct Approximation {
    pub(super) at: f64,
    pub(super) error: Option<f64>,
}

impl Approximation {
    /// The exact value's binade, as a power of two; `None` where that is not known or there is none.
    pub(super) fn top(self) -> Option<i32> {
        let top = |v: f64| (v.to_bits() >> 52 & 0x7ff) as i32 - 1023;
        let own = Some(top(self.at)).filter(|top| (-1000..1000).contains(top))?;
        let error = self.at * self.error.unwrap_or(0.0);
        (top(self.at - error) == own && top(self.at + error) == own).then_some(own)
    }
}

/// A number of the format.
pub(super) struct Found {
    pub(super) number: f64,
    /// Whether it is the exact value, rounded.
    pub(super) is_nearest: bool,
}

/// What [`super::accuracy::chosen`] gives for an exact value and the distances to the ends of its bound, down and up; `None` where
/// binary64 does not decide, or where range, infinities or denormals matter. `offset` is the random point of (-1, 1), times 2^63.
/// Ends of magnitude `most` or more are not decided.
pub(super) fn chosen(
    rule: &Rule,
    exact: Real,
    sides: [Option<Real>; 2],
    most: f64,
    offset: impl FnOnce() -> i64,
) -> Option<Val> {
    let (at, is_exact) = number(&exact)?;
    let [down, up] = sides.map(|side| side.map_or(Some(0.0), |side| number(&side).map(|(size, _)| size)));
    let value = Approximation { at, error: (!is_exact).then_some(0.0) };
    let found = near(rule, value, [down?, up?], most, offset)?;
    Some(Val::Real(if found.is_nearest { exact } else { real(found.number) }))
}

/// The same for a value that is known approximately.
pub(super) fn near(
    rule: &Rule,
    value: Approximation,
    [down, up]: [f64; 2],
    most: f64,
    offset: impl FnOnce() -> i64,
) -> Option<Found> {
    let Format::Float(format) = rule.format else { return None };
    if format.frac > 23 {
        return None;
    }
    let x = value.at;
    let error = |side: f64| match value.error {
        None if side == 0.0 => 0.0,
        // The sides of a bound may be measured by the value.
        error => (x.abs() + side) * (ERROR + 2.0 * error.unwrap_or(0.0)),
    };
    let rounded = |v: f64, side: f64, round: Round| {
        let error = error(side);
        let [a, b] = [v - error, v + error].map(|v| in_format(v, format, round));
        a.filter(|a| b == Some(*a))
    };
    let (below, above) = (x - down, x + up);
    // A number of the format between the ends is one between their rounded values, which need not be known.
    let is_inside = |v: &f64| most == f64::INFINITY && *v >= below + error(down) && *v <= above - error(up);
    let (found, is_nearest) = match rule.probe {
        Probe::Lowest => (rounded(below, down, Round::Up)?, false),
        Probe::Highest => (rounded(above, up, Round::Down)?, false),
        Probe::Nearest => (rounded(x, 0.0, rule.round)?, true),
        Probe::Random(_) => {
            let offset = offset();
            let side = if offset < 0 { down } else { up };
            (rounded(x + side * (offset as f64 * OFFSET), side, rule.round)?, false)
        }
    };
    if is_inside(&found) {
        return Some(Found { number: found, is_nearest });
    }
    let (low, high) = (rounded(below, down, Round::Up)?, rounded(above, up, Round::Down)?);
    // Without a value of the format inside the bound the exact one stays.
    if low > high || low.abs().max(high.abs()) >= most {
        return None;
    }
    Some(Found { number: found.clamp(low, high), is_nearest: is_nearest && low <= found && found <= high })
}

/// A number's leading 53 bits, and whether that is all of it; `None` outside of the normal numbers of binary64.
fn number(r: &Real) -> Option<(f64, bool)> {
    let lead = 127 - r.sig.leading_zeros();
    let top = r.exp.checked_add(lead as i32).filter(|top| (-1000..1000).contains(top))?;
    let (kept, lost) = match lead.checked_sub(52) {
        Some(shift) => ((r.sig >> shift) as u64, r.sig & ((1 << shift) - 1) != 0),
        None => ((r.sig as u64) << (52 - lead), false),
    };
    let bits = u64::from(r.neg) << 63 | ((top + 1023) as u64) << 52 | kept & ((1 << 52) - 1);
    Some((f64::from_bits(bits), !lost && !r.sticky))
}

/// A number rounded to a format of at most 23 bits of fraction; `None` near the ends of its range.
pub(super) fn in_format(v: f64, format: FloatFormat, round: Round) -> Option<f64> {
    let bits = v.to_bits();
    let top = (bits >> 52 & 0x7ff) as i32 - 1023;
    if top < format.min_exp() + 2 || top > format.max_exp() - 2 {
        return None;
    }
    let drop = 52 - u32::from(format.frac);
    let (kept, rest, half) = (bits >> drop, bits & ((1 << drop) - 1), 1u64 << (drop - 1));
    let neg = bits >> 63 != 0;
    let up = match round {
        Round::NearestEven => rest > half || rest == half && kept & 1 != 0,
        Round::NearestAway => rest >= half,
        Round::Zero => false,
        Round::Up => !neg && rest != 0,
        Round::Down => neg && rest != 0,
        Round::Away => rest != 0,
    };
    Some(f64::from_bits((kept + u64::from(up)) << drop))
}

/// A normal number of binary64.
pub(super) fn real(v: f64) -> Real {
    let bits = v.to_bits();
    let exp = (bits >> 52 & 0x7ff) as i32 - 1075;
    Real { neg: bits >> 63 != 0, exp, sig: u128::from(bits & ((1 << 52) - 1) | 1 << 52), sticky: false }
}
