//! Closed intervals of binary64 numbers, and enclosures of exact results by directed rounding.

use crate::{Decl, Dot, DotOrder, Format, Op, Round, Rule, eval};

/// All numbers from `low` to `high`, ends included; zeros count as equal.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Interval {
    /// Lowest number.
    pub low: f64,
    /// Highest number.
    pub high: f64,
}

impl Interval {
    /// One number.
    pub const fn point(v: f64) -> Interval {
        Interval { low: v, high: v }
    }

    /// Whether a number lies inside; NaN does not.
    pub fn contains(&self, v: f64) -> bool {
        self.low <= v && v <= self.high
    }

    fn is_point(&self) -> bool {
        self.low == self.high
    }

    /// The magnitudes of its numbers.
    pub(super) fn magnitude(&self) -> Interval {
        let (a, b) = (self.low.abs(), self.high.abs());
        let low = if self.contains(0.0) { 0.0 } else { a.min(b) };
        Interval { low, high: a.max(b) }
    }
}

/// What a step of a formula can give.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) enum Ends {
    /// Numbers in an interval.
    Range(Interval),
    /// NaN.
    Nan,
    /// No statement.
    Anything,
}

impl Ends {
    /// The next step of a formula.
    pub(super) fn then(self, next: impl FnOnce(Interval) -> Ends) -> Ends {
        match self {
            Ends::Range(interval) => next(interval),
            other => other,
        }
    }
}

/// 2^e for exponents of normal binary64 numbers; beyond, the nearest of them.
pub(super) const fn power(e: i32) -> f64 {
    let e = if e < -1022 { -1022 } else { e };
    let e = if e > 1023 { 1023 } else { e };
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// Exponent of the binade of a number; the lowest there is for 0.
pub(super) fn exponent(v: f64) -> i32 {
    match (v.to_bits() >> 52 & 0x7ff) as i32 {
        0 => -1023,
        field => field - 1023,
    }
}

/// The rule that encloses: binary64, rounded in one direction, sums of products in one step.
fn directed(round: Round) -> Rule {
    let dot = Dot { order: DotOrder::Exact, fused: false, reach: None };
    Rule { round, dot, ..Rule::ieee(Decl::F64, Format::F64) }
}

fn compute(op: Op, round: Round, args: &[f64]) -> f64 {
    let words: Vec<u64> = args.iter().map(|a| a.to_bits()).collect();
    f64::from_bits(eval(op, &directed(round), &words))
}

/// v - error, rounded down. An infinity stays, whatever the error.
pub(super) fn below(v: f64, error: f64) -> f64 {
    if error == 0.0 || v.is_infinite() { v } else { compute(Op::Sub, Round::Down, &[v, error]) }
}

/// v + error, rounded up. An infinity stays, whatever the error.
pub(super) fn above(v: f64, error: f64) -> f64 {
    if error == 0.0 || v.is_infinite() { v } else { compute(Op::Add, Round::Up, &[v, error]) }
}

/// Whether the corners of a box of operands enclose all results.
fn is_monotone(op: Op, args: &[Interval]) -> bool {
    let crosses_zero = |i: &Interval| i.contains(0.0) && !i.is_point();
    match op {
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Fma
        | Op::Mad
        | Op::Min
        | Op::Max
        | Op::Floor
        | Op::Ceil
        | Op::Trunc
        | Op::Rint
        | Op::Sign
        | Op::Exp2 => true,
        Op::Div => !crosses_zero(&args[1]),
        Op::Rcp => !crosses_zero(&args[0]),
        Op::Sqrt | Op::Rsq | Op::Log2 => args[0].low >= 0.0 && !(op == Op::Rsq && crosses_zero(&args[0])),
        _ => false,
    }
}

/// An enclosure of the exact results of an operation on a box of operands.
pub(super) fn exact(op: Op, args: &[Interval]) -> Ends {
    // Composed operations round between their steps: directed rounding does not enclose them.
    if matches!(op, Op::Lrp | Op::Nrm) {
        return Ends::Anything;
    }
    let wide: Vec<usize> = (0..args.len()).filter(|k| !args[*k].is_point()).collect();
    if !wide.is_empty() && !is_monotone(op, args) {
        return Ends::Anything;
    }
    let mut range: Option<Interval> = None;
    // Zero times infinity may lie inside of a box whose corners are numbers.
    let infinite = |i: &Interval| i.low.is_infinite() || i.high.is_infinite();
    let hidden =
        op == Op::Mul && (infinite(&args[0]) && args[1].contains(0.0) || infinite(&args[1]) && args[0].contains(0.0));
    let mut nans = u32::from(hidden);
    let corners = 1u32 << wide.len();
    for corner in 0..corners {
        let mut point: Vec<f64> = args.iter().map(|i| i.low).collect();
        for (bit, k) in wide.iter().enumerate() {
            if corner >> bit & 1 != 0 {
                point[*k] = args[*k].high;
            }
        }
        let (low, high) = (compute(op, Round::Down, &point), compute(op, Round::Up, &point));
        if low.is_nan() || high.is_nan() {
            nans += 1;
            continue;
        }
        range = Some(match range {
            None => Interval { low, high },
            Some(r) => Interval { low: r.low.min(low), high: r.high.max(high) },
        });
    }
    match range {
        Some(range) if nans == 0 => Ends::Range(range),
        None => Ends::Nan,
        Some(_) => Ends::Anything,
    }
}
