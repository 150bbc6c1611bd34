//! Recipes of one operand as rows of lanes: a binary64 program, its error interval, and what is chosen inside.

use super::steps::{Steps, ends};
use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::recipe::{fast, offset};
use crate::{Accuracy, Format, LogSpecial, Op, Overflow, Probe, Round, Rule};

/// A binary64 program for operands of at most 24 bits.
trait LaneFunction: Copy {
    /// Relative error bound of the result.
    const EPS: f64;
    /// The result; marks operands the program is not meant for.
    fn run(x: f64, mark: &mut bool) -> f64;
    /// The program's result y at x, or, for an x so near to zero that the exact value lies closer to a number of 25 bits
    /// than y can tell, a value on the same side of that number with no other such number between.
    #[inline(always)]
    fn beside(_x: f64, y: f64) -> f64 {
        y
    }
}

macro_rules! programs {
    ($($name:ident($eps:expr, $x:ident, $mark:ident) $body:expr $(, beside $y:ident: $beside:expr)?;)+) => {
        $(#[derive(Copy, Clone)]
        struct $name;
        impl LaneFunction for $name {
            const EPS: f64 = $eps;
            #[inline(always)]
            fn run($x: f64, $mark: &mut bool) -> f64 {
                $body
            }
            $(#[inline(always)]
            fn beside($x: f64, $y: f64) -> f64 {
                $beside
            })?
        })+
    };
}

/// 2^-k.
const fn power(k: u64) -> f64 {
    f64::from_bits((1023 - k) << 52)
}

programs! {
    Rcp(fast::EPS_ROOT, x, mark) { *mark |= x == 0.0; 1.0 / x };
    Rsq(fast::EPS_ROOT, x, mark) { *mark |= x <= 0.0; 1.0 / x.sqrt() };
    Sqrt(fast::EPS_ROOT, x, mark) { *mark |= x <= 0.0; x.sqrt() };
    // Between 1 - 2^-25 and 1 + 2^-24 lies no number of 25 bits but 1. Powers of zero are often powers of an infinite logarithm.
    Exp2(fast::EPS_EXP_LOG, x, mark) {
        *mark |= x.is_nan();
        let y = fast::exp2(x);
        let y = if x == f64::INFINITY { f64::INFINITY } else { y };
        if x == f64::NEG_INFINITY { 0.0 } else { y }
    },
        beside y: if (x.abs() < power(25)) & (x != 0.0) { 1.0 + power(30).copysign(x) } else { y };
    // Zero, which clamped products often are, has the logarithm that IEEE 754 gives it.
    Log2(fast::EPS_EXP_LOG, x, mark) { *mark |= x < 0.0; logarithm(x, mark) };
    Log2Part(fast::EPS_EXP_LOG, x, mark) logarithm(x.abs(), mark);
    Sin(fast::EPS_TRIG, x, mark) { *mark |= x.is_nan() | (x.abs() >= fast::TRIG_LIMIT); fast::sin(x) },
        // x - x^3 / 6 is nearer to x than this, and x has 24 bits.
        beside y: if x.abs() < power(19) { x * (1.0 - power(40)) } else { y };
    Cos(fast::EPS_TRIG, x, mark) { *mark |= x.is_nan() | (x.abs() >= fast::TRIG_LIMIT); fast::cos(x) },
        beside y: if (x.abs() < power(13)) & (x != 0.0) { 1.0 - power(30) } else { y };
}

#[inline(always)]
fn logarithm(x: f64, mark: &mut bool) -> f64 {
    *mark |= x.is_nan() | (x == f64::INFINITY);
    let y = fast::log2(x);
    if x == 0.0 { f64::NEG_INFINITY } else { y }
}

macro_rules! by_op {
    ($op:expr, $row:ident, $s:ty) => {
        match $op {
            Op::Rcp => Some($row::<$s, Rcp> as RowFn),
            Op::Rsq => Some($row::<$s, Rsq>),
            Op::Sqrt => Some($row::<$s, Sqrt>),
            Op::Exp2 | Op::Exp2Part => Some($row::<$s, Exp2>),
            Op::Log2 => Some($row::<$s, Log2>),
            Op::Log2Part => Some($row::<$s, Log2Part>),
            Op::Sin => Some($row::<$s, Sin>),
            Op::Cos => Some($row::<$s, Cos>),
            _ => None,
        }
    };
}

/// Correctly rounded.
pub(super) fn nearest<S: Steps>(op: Op) -> Option<RowFn> {
    by_op!(op, nearest_rows, S)
}

/// The lowest or highest value inside a bound; `S` rounds in directions.
pub(super) fn extreme<S: Steps>(op: Op) -> Option<RowFn> {
    by_op!(op, extreme_rows, S)
}

/// A value inside a bound that a hash chooses.
pub(super) fn random<S: Steps>(op: Op) -> Option<RowFn> {
    by_op!(op, random_rows, S)
}

/// Both ends of the error interval must round alike.
fn nearest_rows<S: Steps, P: LaneFunction>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let marks_zero = kernel.rule.log_special != LogSpecial::Ieee && matches!(kernel.op, Op::Log2 | Op::Log2Part);
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let x = s.exact(s.get(w, mark));
            let y = P::beside(x, P::run(x, mark));
            *mark |= marks_zero & (x == 0.0);
            ends(s, y, P::EPS, mark)
        },
    );
}

/// A documented bound as this file needs it.
#[derive(Copy, Clone)]
struct ErrorBound {
    /// Smallest exponent field of the result that the bound follows, and what is taken off for the bound's own.
    floor: u64,
    bits: u64,
    /// Results below are marked: steps do not shrink with the bound there.
    small: f64,
    /// Results from here on are marked: they may lie beyond the range.
    large: f64,
}

impl ErrorBound {
    /// `None` where a bound is narrower than a step of the format, or out of binary64's reach.
    fn new(rule: &Rule) -> Option<ErrorBound> {
        let (Accuracy::Bounded { bits, floor, .. }, Format::Float(f)) = (rule.accuracy, rule.format) else {
            return None;
        };
        let floor = (floor as i32).clamp(-400, 400) + 1023;
        let small = f64::from_bits(((f.min_exp() + 1 + 1023) as u64) << 52);
        let large = f64::from_bits(((f.max_exp() + 1023) as u64) << 52);
        (bits <= f.frac).then_some(ErrorBound { floor: floor as u64, bits: bits as u64, small, large })
    }

    /// The bound at y and a margin for all errors made here; marks where they cannot be told.
    #[inline(always)]
    fn at(self, y: f64, eps: f64, mark: &mut bool) -> (f64, f64) {
        let a = y.abs();
        let field = (a - a * eps).to_bits() >> 52;
        *mark |= (field != (a + a * eps).to_bits() >> 52) | (a < self.small) | (a >= self.large);
        let bound = f64::from_bits((field.max(self.floor) - self.bits) << 52);
        (bound, (a + bound) * (2.0 * eps))
    }
}

/// Whether a bounded rule can be served here.
pub(super) fn serves(rule: &Rule) -> bool {
    ErrorBound::new(rule).is_some()
}

/// Operands whose results stay where they are, for one function or another.
#[inline(always)]
fn is_exact_point(x: f64) -> bool {
    (x == 0.0) | (x.abs() == 1.0)
}

fn extreme_rows<S: Steps, P: LaneFunction>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let lowest = kernel.rule.probe == Probe::Lowest;
    let inward = if lowest { Round::Up } else { Round::Down };
    let s = S::new(&Rule { round: inward, overflow: Overflow::Ieee, ..kernel.rule });
    let Some(bounds) = ErrorBound::new(&kernel.rule) else { return };
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let x = s.exact(s.get(w, mark));
            let y = P::run(x, mark);
            let (bound, margin) = bounds.at(y, P::EPS, mark);
            let end = if lowest { y - bound } else { y + bound };
            let a = s.round_f64(end - margin, mark);
            let b = s.round_f64(end + margin, mark);
            *mark |= is_exact_point(x) | (s.exact(a) != s.exact(b)) | (s.exact(a) == 0.0);
            s.put(a, mark)
        },
    );
}

fn random_rows<S: Steps, P: LaneFunction>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let (Some(bounds), Probe::Random(seed)) = (ErrorBound::new(&kernel.rule), kernel.rule.probe) else { return };
    const UNIT: f64 = f64::from_bits((1023 - 63) << 52);
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let x = s.exact(s.get(w, mark));
            let y = P::run(x, mark);
            let (bound, margin) = bounds.at(y, P::EPS, mark);
            let offset = offset(seed, kernel.op, &kernel.rule, &[w], y < 0.0) as f64 * UNIT;
            let point = y + offset * bound;
            let a = s.round_f64(point - margin, mark);
            let b = s.round_f64(point + margin, mark);
            let chosen = s.exact(a);
            // Rounding must not have left the bound, or be able to.
            *mark |= is_exact_point(x) | (chosen != s.exact(b)) | (chosen == 0.0);
            *mark |= (chosen - y).abs() > bound - 2.0 * margin;
            s.put(a, mark)
        },
    );
}
