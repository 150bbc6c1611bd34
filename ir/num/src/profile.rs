//! Legal intervals: what a graphics specification allows an operation to return.
//!
//! A [`Profile`] is data: a precision (exponent range, fraction bits, whether subnormals, infinities and NaN must be
//! supported) and a list of bounds per operation. An exact result becomes an interval by the bound, is rounded outward to
//! the precision, and is widened to zero where the precision may flush; a result is legal when it lies inside. Operands
//! that the precision cannot hold stand for both their neighbours. Operations
//! that a specification derives from others (`pow` from `exp2` and `log2`, say) are evaluated in interval arithmetic with
//! the bounds of those.

mod file;
mod interval;
mod judge;

use crate::soft::unpack::{encode, unpack};
use crate::{Decl, Kind, Model, Op, OpSet, Slot, Storage, eval};
use interval::Ends;
pub use interval::Interval;
pub use judge::{Judge, Ruling};

/// Whether a precision has a kind of value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Support {
    /// It must.
    Yes,
    /// It need not: results that depend on it are free.
    No,
    /// Either way is legal.
    Maybe,
}

impl Support {
    /// All of them.
    pub const ALL: [Support; 3] = [Support::Yes, Support::No, Support::Maybe];

    /// Spelling in profile files.
    pub const fn name(self) -> &'static str {
        match self {
            Support::Yes => "yes",
            Support::No => "no",
            Support::Maybe => "maybe",
        }
    }

    /// Reads [`Support::name`].
    pub fn from_name(name: &str) -> Option<Support> {
        Support::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// The numbers a profile guarantees.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Precision {
    /// Exponents of the smallest and largest normal numbers.
    pub exponents: (i32, i32),
    /// Fraction bits.
    pub fraction: u32,
    /// Fixed point instead: the step between all numbers, and the magnitude that they stay below.
    pub fixed: Option<(f64, f64)>,
    /// Numbers below the smallest normal one.
    pub subnormals: Support,
    /// Infinities.
    pub infinities: Support,
    /// NaN.
    pub nan: Support,
}

/// How far a result may be from the exact one.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Tolerance {
    /// Correctly rounded in either direction.
    Correct,
    /// Units in the last place of the exact result: `fixed` plus `per_operand` times the magnitude of the first operand, plus
    /// the whole part of `floor_per_operand` times it.
    Ulp {
        /// Always allowed.
        fixed: f64,
        /// Per unit of the first operand's magnitude.
        per_operand: f64,
        /// The same, rounded down.
        floor_per_operand: f64,
    },
    /// A part of the exact result.
    Relative(f64),
    /// A part of the square of the largest operand's magnitude.
    OfLargestSquared(f64),
    /// An absolute error.
    Absolute(f64),
    /// As the formula, whose steps have their own bounds.
    Formula(Formula),
    /// Any value.
    Anything,
}

/// Operations that specifications derive from others.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// Products and sums, each rounded or not: mad, dot products.
    SumOfProducts,
    /// b * a + c * (1 - a).
    Blend,
    /// a * (b - c) + c.
    Difference,
    /// exp2(b * log2(a)).
    ExpLog,
    /// 1 / rsq(a).
    ReciprocalOfRsq,
    /// a * rcp(b).
    TimesReciprocal,
    /// a - floor(a).
    MinusFloor,
}

impl Formula {
    /// All of them.
    pub const ALL: [Formula; 7] = [
        Formula::SumOfProducts,
        Formula::Blend,
        Formula::Difference,
        Formula::ExpLog,
        Formula::ReciprocalOfRsq,
        Formula::TimesReciprocal,
        Formula::MinusFloor,
    ];

    /// Spelling in profile files.
    pub const fn name(self) -> &'static str {
        match self {
            Formula::SumOfProducts => "sum of products",
            Formula::Blend => "b*a+c*(1-a)",
            Formula::Difference => "a*(b-c)+c",
            Formula::ExpLog => "exp2(b*log2(a))",
            Formula::ReciprocalOfRsq => "1/rsq(a)",
            Formula::TimesReciprocal => "a*rcp(b)",
            Formula::MinusFloor => "a-floor(a)",
        }
    }

    /// Reads [`Formula::name`].
    pub fn from_name(name: &str) -> Option<Formula> {
        Formula::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// Operands a bound applies to.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Domain {
    /// Which operand, from 0.
    pub operand: usize,
    /// Lowest and highest value, included.
    pub range: (f64, f64),
    /// Whether the operand's magnitude is meant.
    pub magnitude: bool,
}

/// One line of a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct ToleranceRow {
    /// Operations.
    pub ops: OpSet,
    /// Operands; `None`: all.
    pub domain: Option<Domain>,
    /// What is allowed.
    pub tolerance: Tolerance,
    /// Document and section.
    pub source: String,
}

/// What a specification allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Name, as used on the command line.
    pub name: String,
    /// One line.
    pub title: String,
    /// One paragraph.
    pub about: String,
    /// The declared format whose operations it judges.
    pub slot: Decl,
    /// The numbers it guarantees.
    pub precision: Precision,
    /// Bounds; the first whose operations and domain fit counts.
    pub bounds: Vec<ToleranceRow>,
}

/// The legal results of one operation on given operands.
#[derive(Clone, Debug, PartialEq)]
pub enum Legal {
    /// Inside one of these.
    Intervals(Vec<Interval>),
    /// NaN only.
    Nan,
    /// Every value, NaN included.
    Anything,
}

impl Legal {
    /// Whether a result is legal.
    pub fn contains(&self, result: f64) -> bool {
        match self {
            Legal::Anything => true,
            Legal::Nan => result.is_nan(),
            Legal::Intervals(all) => all.iter().any(|i| i.contains(result)),
        }
    }
}

/// What [`Profile::judge`] found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdict {
    /// Operand tuples tried.
    pub tried: u64,
    /// Of these, results outside.
    pub outside: u64,
    /// Of these, free: any result was legal.
    pub free: u64,
    /// The first operands with a result outside, and that result, as lane words of the model's container.
    pub first: Option<(Vec<u64>, u64)>,
}

/// Most operands that may be flushed independently; beyond this all are flushed or none.
const MAX_FLUSHED: usize = 4;

impl Profile {
    /// Operations that some bound names, among those with float operands and a float result.
    pub fn ops(&self) -> Vec<Op> {
        let named = self.bounds.iter().fold(OpSet::EMPTY, |set, bound| set.with(bound.ops));
        named.iter().filter(|op| is_float_function(*op)).collect()
    }

    /// The legal results of `op` on `args`, values of the slot's format; `None` if no bound names the operation.
    pub fn legal(&self, op: Op, args: &[f64]) -> Option<Legal> {
        if !is_float_function(op) || !self.bounds.iter().any(|b| b.ops.contains(op)) {
            return None;
        }
        let args: Vec<f64> = (0..op.info().args.len()).map(|k| args.get(k).copied().unwrap_or(0.0)).collect();
        if args.iter().any(|a| a.is_nan()) {
            return Some(self.for_nan());
        }
        if args.iter().any(|a| a.is_infinite()) && self.precision.infinities != Support::Yes {
            return Some(Legal::Anything);
        }
        let mut intervals = Vec::new();
        for variant in self.flushed(&args) {
            // An implementation may take its operands in the precision first.
            let operands: Vec<Interval> = variant
                .iter()
                .map(|a| Interval { low: self.outward(*a, false), high: self.outward(*a, true) })
                .collect();
            match self.range(op, &operands) {
                Ends::Range(i) => intervals.push(i),
                Ends::Nan => return Some(self.for_nan()),
                Ends::Anything => return Some(Legal::Anything),
            }
        }
        let infinite = intervals.iter().any(|i| i.low.is_infinite() || i.high.is_infinite());
        if infinite && self.precision.infinities != Support::Yes {
            return Some(Legal::Anything);
        }
        Some(Legal::Intervals(intervals))
    }

    /// Whether `result` is legal; `None` if the profile says nothing about the operation.
    pub fn allows(&self, op: Op, args: &[f64], result: f64) -> Option<bool> {
        Some(self.legal(op, args)?.contains(result))
    }

    /// Runs `op` of a model on operand tuples (values of the slot's declared format, which the model's container takes
    /// first) and counts results outside the legal intervals; `None` if the profile says nothing about the operation.
    pub fn judge<'a>(&self, model: &Model, op: Op, tuples: impl IntoIterator<Item = &'a [f64]>) -> Option<Verdict> {
        let judge = Judge::new(self, op)?;
        let storage = model.storage(self.slot);
        let (rule, _) = model.rule(op, &Slot::plain(self.slot), storage);
        let mut verdict = Verdict::default();
        for tuple in tuples {
            let words: Vec<u64> = tuple.iter().map(|v| word(*v, storage)).collect();
            // The model's container may have rounded the operands; what it was asked is what it got.
            let asked: Vec<f64> = words.iter().map(|w| number(*w, storage)).collect();
            let result = eval(op, &rule, &words);
            verdict.tried += 1;
            match judge.rules(&asked, number(result, storage), f64::NAN) {
                Ruling::Inside => {}
                Ruling::Free => verdict.free += 1,
                Ruling::Outside(_) => {
                    verdict.outside += 1;
                    verdict.first.get_or_insert((words, result));
                }
            }
        }
        Some(verdict)
    }

    fn for_nan(&self) -> Legal {
        if self.precision.nan == Support::Yes { Legal::Nan } else { Legal::Anything }
    }

    /// Operand tuples with every choice of flushed subnormals.
    fn flushed(&self, args: &[f64]) -> Vec<Vec<f64>> {
        let tiny: Vec<usize> = (0..args.len()).filter(|k| self.is_subnormal(args[*k])).collect();
        if tiny.is_empty() || self.precision.subnormals == Support::Yes {
            return vec![args.to_vec()];
        }
        let choices: Vec<u32> =
            if tiny.len() <= MAX_FLUSHED { (0..1 << tiny.len()).collect() } else { vec![0, u32::MAX] };
        choices
            .into_iter()
            .map(|choice| {
                let mut variant = args.to_vec();
                for (bit, k) in tiny.iter().enumerate() {
                    if choice >> bit & 1 != 0 {
                        variant[*k] = 0.0f64.copysign(variant[*k]);
                    }
                }
                variant
            })
            .collect()
    }

    fn is_subnormal(&self, v: f64) -> bool {
        // Fixed point has none.
        self.precision.fixed.is_none() && v != 0.0 && v.abs() < interval::power(self.precision.exponents.0)
    }

    fn bound(&self, op: Op, args: &[Interval]) -> Option<&ToleranceRow> {
        self.bounds.iter().filter(|b| b.ops.contains(op)).find(|b| match b.domain {
            None => true,
            Some(d) => args.get(d.operand).is_some_and(|a| {
                let a = if d.magnitude { a.magnitude() } else { *a };
                d.range.0 <= a.low && a.high <= d.range.1
            }),
        })
    }

    /// The legal range of an operation whose operands lie in intervals.
    fn range(&self, op: Op, args: &[Interval]) -> Ends {
        // A step inside a formula that the profile does not name is correctly rounded.
        let tolerance = match self.bound(op, args) {
            Some(bound) => bound.tolerance,
            None if self.bounds.iter().any(|b| b.ops.contains(op)) => Tolerance::Anything,
            None => Tolerance::Correct,
        };
        match tolerance {
            Tolerance::Anything => Ends::Anything,
            Tolerance::Formula(formula) => self.formula(formula, op, args),
            Tolerance::Correct => self.widened(op, args, |_| 0.0),
            Tolerance::Absolute(error) => self.widened(op, args, |_| error),
            Tolerance::Relative(part) => self.widened(op, args, |v| if v == 0.0 { 0.0 } else { part * v.abs() }),
            Tolerance::OfLargestSquared(part) => {
                let largest = args.iter().map(|a| a.magnitude().high).fold(0.0, f64::max);
                // Where products overflow, the bound says nothing.
                if self.outward(largest * largest, true).is_infinite() {
                    return Ends::Anything;
                }
                self.widened(op, args, |_| part * largest * largest)
            }
            Tolerance::Ulp { fixed, per_operand, floor_per_operand } => {
                let size = args[0].magnitude().high;
                let ulps = fixed + per_unit(per_operand, size) + per_unit(floor_per_operand, size).floor();
                self.widened(op, args, |v| if ulps == 0.0 { 0.0 } else { ulps * self.ulp(v) })
            }
        }
    }

    /// One unit in the last place at `v`.
    fn ulp(&self, v: f64) -> f64 {
        if let Some((step, _)) = self.precision.fixed {
            return step;
        }
        let (lowest, highest) = self.precision.exponents;
        interval::power(interval::exponent(v).clamp(lowest, highest) - self.precision.fraction as i32)
    }

    /// The exact range, widened by an error at each end, rounded outward, and reaching zero where results may be flushed.
    fn widened(&self, op: Op, args: &[Interval], error: impl Fn(f64) -> f64) -> Ends {
        let exact = match interval::exact(op, args) {
            Ends::Range(exact) => exact,
            other => return other,
        };
        let low = interval::below(exact.low, error(exact.low));
        let high = interval::above(exact.high, error(exact.high));
        let mut out = Interval { low: self.outward(low, false), high: self.outward(high, true) };
        let tiny = if self.precision.fixed.is_some() { 0.0 } else { interval::power(self.precision.exponents.0) };
        if self.precision.subnormals != Support::Yes {
            if out.low > 0.0 && out.low < tiny {
                out.low = 0.0;
            }
            if out.high < 0.0 && out.high > -tiny {
                out.high = 0.0;
            }
        }
        Ends::Range(out)
    }

    /// The number of the precision at or beyond `v`.
    fn outward(&self, v: f64, up: bool) -> f64 {
        if v == 0.0 || !v.is_finite() {
            return v;
        }
        let quantum = self.ulp(v);
        // Exact: a power of two divides without rounding, and what has no fraction bits left is on the grid anyway.
        let steps = v / quantum;
        let whole = if up { steps.ceil() } else { steps.floor() };
        let rounded = if steps.abs() < interval::power(52) { whole * quantum } else { v };
        let largest = match self.precision.fixed {
            Some((step, limit)) => limit - step,
            None => {
                interval::power(self.precision.exponents.1) * (2.0 - interval::power(-(self.precision.fraction as i32)))
            }
        };
        match (rounded.abs() > largest, up == (rounded > 0.0)) {
            (false, _) => rounded,
            (true, true) => f64::INFINITY.copysign(rounded),
            // Rounding toward zero from beyond the range stops at the largest number.
            (true, false) => largest.copysign(rounded),
        }
    }

    fn formula(&self, formula: Formula, op: Op, args: &[Interval]) -> Ends {
        let step = |op: Op, args: &[Interval]| self.range(op, args);
        match formula {
            Formula::SumOfProducts => self.sum_of_products(op, args),
            Formula::Blend => {
                let rest = step(Op::Sub, &[Interval::point(1.0), args[0]]).then(|w| step(Op::Mul, &[args[2], w]));
                rest.then(|rest| step(Op::Mul, &[args[1], args[0]]).then(|p| self.sum(p, rest)))
            }
            Formula::Difference => {
                let difference = step(Op::Sub, &[args[1], args[2]]);
                difference.then(|d| step(Op::Mul, &[args[0], d]).then(|p| self.sum(p, args[2])))
            }
            Formula::ExpLog => step(Op::Log2, &args[..1])
                .then(|log| step(Op::Mul, &[args[1], log]))
                .then(|product| step(Op::Exp2, &[product])),
            Formula::ReciprocalOfRsq => step(Op::Rsq, &args[..1]).then(|r| match args[0].high {
                // 1 / infinity.
                0.0 => Ends::Range(args[0]),
                _ => step(Op::Div, &[Interval::point(1.0), r]),
            }),
            Formula::TimesReciprocal => step(Op::Rcp, &args[1..2]).then(|r| step(Op::Mul, &[args[0], r])),
            Formula::MinusFloor => step(Op::Floor, &args[..1]).then(|f| step(Op::Sub, &[args[0], f])),
        }
    }

    /// Products, then sums from left to right, each product rounded or kept exact.
    fn sum_of_products(&self, op: Op, args: &[Interval]) -> Ends {
        let (n, tail) = match op {
            Op::Mad | Op::Fma => (1, Some(args[2])),
            Op::Dot2 => (2, None),
            Op::Dot3 => (3, None),
            Op::Dot4 => (4, None),
            Op::Dph => (3, Some(args[6])),
            Op::Dp2a => (2, Some(args[4])),
            _ => return Ends::Anything,
        };
        let mut sum: Option<Interval> = None;
        for k in 0..n {
            let product = match self.range(Op::Mul, &[args[k], args[n + k]]) {
                Ends::Range(product) => product,
                other => return other,
            };
            sum = match sum {
                None => Some(product),
                Some(sum) => match self.sum(sum, product) {
                    Ends::Range(sum) => Some(sum),
                    other => return other,
                },
            };
        }
        match (sum, tail) {
            (Some(sum), Some(tail)) => self.sum(sum, tail),
            (Some(sum), None) => Ends::Range(sum),
            (None, _) => Ends::Anything,
        }
    }

    fn sum(&self, a: Interval, b: Interval) -> Ends {
        self.range(Op::Add, &[a, b])
    }
}

/// Operations a profile can judge: floats in, a float out.
fn is_float_function(op: Op) -> bool {
    let info = op.info();
    info.result == Kind::F && info.args.iter().all(|k| *k == Kind::F)
}

/// An error that grows with an operand; nothing per unit is nothing, of an infinite operand too.
fn per_unit(each: f64, size: f64) -> f64 {
    if each == 0.0 { 0.0 } else { each * size }
}

/// The value of a lane word.
fn number(word: u64, storage: Storage) -> f64 {
    f64::from_bits(encode(unpack(word, storage), Storage::F64))
}

/// The lane word of the container nearest to a value.
fn word(v: f64, storage: Storage) -> u64 {
    encode(unpack(v.to_bits(), Storage::F64), storage)
}
