//! Rulings on single results: inside, outside and by how much, or free. A cheap test that needs only a good estimate of the
//! exact value goes first; the full evaluation of the legal intervals is a thousand times slower.

use super::{Legal, Profile, Support, Tolerance, interval};
use crate::Op;
use interval::Interval;

/// What a profile says of one result.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Ruling {
    /// Legal.
    Inside,
    /// Any result was legal.
    Free,
    /// Not legal: this many units in the last place beyond the nearest end of what is. Infinite for NaN and infinities in
    /// the place of numbers, and the other way round.
    Outside(f64),
}

/// A profile prepared for one operation.
#[derive(Clone, Debug)]
pub struct Judge<'p> {
    profile: &'p Profile,
    op: Op,
}

/// How far estimates may be from the exact value, relative to it, with room for the arithmetic done here.
const SLACK: f64 = interval::power(-40);

impl<'p> Judge<'p> {
    /// `None` if no bound of the profile names the operation.
    pub fn new(profile: &'p Profile, op: Op) -> Option<Judge<'p>> {
        profile.ops().contains(&op).then_some(Judge { profile, op })
    }

    /// Rules on a result. `estimate` is the exact value to 2^-43 of it, or NaN where it is not known; it changes the time
    /// this takes and nothing else.
    pub fn rules(&self, args: &[f64], result: f64, estimate: f64) -> Ruling {
        if self.clears(args, result, estimate) {
            return Ruling::Inside;
        }
        match self.legal(args) {
            Legal::Anything => Ruling::Free,
            legal if legal.contains(result) => Ruling::Inside,
            legal => Ruling::Outside(self.excess(&legal, result)),
        }
    }

    /// The legal results.
    pub fn legal(&self, args: &[f64]) -> Legal {
        // The operation has a bound.
        self.profile.legal(self.op, args).unwrap_or(Legal::Anything)
    }

    /// Whether a result is inside, and not free, for sure. What this refuses may still be.
    fn clears(&self, args: &[f64], result: f64, estimate: f64) -> bool {
        let precision = self.profile.precision;
        let (lowest, highest) = precision.exponents;
        if estimate.is_nan()
            || precision.fixed.is_some()
            || precision.infinities != Support::Yes
            || matches!(self.op, Op::Lrp | Op::Nrm)
        {
            return false;
        }
        // Operands that stand for themselves alone.
        let below = (1u64 << (52 - precision.fraction)) - 1;
        let plain = |v: f64| {
            let size = v.abs();
            let normal = size >= interval::power(lowest) && size < 2.0 * interval::power(highest);
            v == 0.0 || normal && v.to_bits() & below == 0
        };
        if !args.iter().all(|v| plain(*v)) {
            return false;
        }
        let bound = match *args {
            [a] => self.profile.bound(self.op, &[Interval::point(a)]),
            [a, b] => self.profile.bound(self.op, &[Interval::point(a), Interval::point(b)]),
            _ => return false,
        };
        let Some(tolerance) = bound.map(|bound| bound.tolerance) else { return false };
        let size = estimate.abs();
        let error = match tolerance {
            Tolerance::Correct => 0.0,
            Tolerance::Absolute(error) => error,
            Tolerance::Ulp { fixed, per_operand, floor_per_operand } => {
                let ulps = fixed + per_operand * args[0].abs() + (floor_per_operand * args[0].abs()).floor();
                ulps * self.profile.ulp(size - size * SLACK)
            }
            Tolerance::Relative(part) => part * size * (1.0 - SLACK),
            Tolerance::OfLargestSquared(_) | Tolerance::Formula(_) | Tolerance::Anything => return false,
        };
        if estimate == 0.0 {
            return result == 0.0;
        }
        if size >= interval::power(highest) {
            // What overflows may be infinite.
            return size * (1.0 - SLACK) >= 2.0 * interval::power(highest)
                && result == f64::INFINITY.copysign(estimate);
        }
        if size * (1.0 + SLACK) < interval::power(lowest) && result == 0.0 && precision.subnormals != Support::Yes {
            return true;
        }
        let margin = (size + error) * SLACK;
        let low = self.profile.outward(estimate + margin - error, false);
        let high = self.profile.outward(estimate - margin + error, true);
        low <= result && result <= high
    }

    fn excess(&self, legal: &Legal, result: f64) -> f64 {
        let Legal::Intervals(intervals) = legal else { return f64::INFINITY };
        if !result.is_finite() {
            return f64::INFINITY;
        }
        let beyond = |i: &Interval| {
            let (end, distance) = if result < i.low { (i.low, i.low - result) } else { (i.high, result - i.high) };
            if end.is_finite() { distance / self.profile.ulp(end) } else { f64::INFINITY }
        };
        intervals.iter().map(beyond).fold(f64::INFINITY, f64::min)
    }
}
