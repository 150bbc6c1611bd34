//! Functions correctly rounded to nearest in binary64: the pairs of `parallax_num::double`, step for step.

use super::float::{Float, Origin, Raw};
use super::recipe::{exponent_and_fraction, fma, keep_nan, reciprocal_of_zero};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::double::{self, Pair};
use parallax_num::{LogNegative, LogSpecial, Op, Overflow, RsqNegative, Trig, fast};

/// The sum of two values: what is left of the greater part, and that.
#[derive(Copy, Clone)]
struct Sum {
    high: Id,
    low: Id,
}

/// The program of a function whose operand is read, under a rule that it [`serves`]; powers have [`power`].
pub(super) fn program(op: Op, mut f: Float<'_>, x: Id) -> Option<Program> {
    let value = match op {
        Op::Rsq => {
            let magnitude = f.rule.rsq_negative != RsqNegative::Nan;
            let size = if magnitude { f.code.op(Prim::Fabs, &[x]) } else { x };
            let y = reciprocal_root(&mut f.code, size);
            reciprocal_of_zero(&mut f, x, y)
        }
        Op::Exp2 | Op::Exp2Part => exp2(&mut f.code, x),
        Op::Log2 | Op::Log2Part if f.rule.log_special == LogSpecial::Ieee => {
            let magnitude = op == Op::Log2Part || f.rule.log_negative == LogNegative::Magnitude;
            logarithm(&mut f.code, x, magnitude)
        }
        Op::Sin | Op::Cos if f.rule.trig == Trig::RADIANS => sine(&mut f.code, x, op == Op::Cos),
        _ => return None,
    };
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![x] })
}

/// Whether results are rounded as the programs round them.
pub(super) fn serves(f: &Float<'_>) -> bool {
    f.direction == Direction::Nearest && f.rule.overflow != Overflow::Largest
}

fn number(code: &mut Code, v: f64) -> Id {
    code.number(Ty::F64, v)
}

fn constant(code: &mut Code, pair: Pair) -> Sum {
    Sum { high: number(code, pair.high), low: number(code, pair.low) }
}

/// a * b, exact.
fn product(code: &mut Code, a: Id, b: Id) -> Sum {
    let high = code.fmul(code.plain(), a, b);
    let minus = code.op(Prim::Fneg, &[high]);
    Sum { high, low: fma(code, a, b, minus) }
}

/// a + b, exact where a is the greater.
fn ordered_sum(code: &mut Code, a: Id, b: Id) -> Sum {
    let high = code.fadd(code.plain(), a, b);
    let from_b = code.fsub(code.plain(), high, a);
    Sum { high, low: code.fsub(code.plain(), b, from_b) }
}

/// a - b, exact.
fn difference(code: &mut Code, a: Id, b: Id) -> Sum {
    let high = code.fsub(code.plain(), a, b);
    let from_b = code.fsub(code.plain(), high, a);
    let from_a = code.fsub(code.plain(), high, from_b);
    let rest = code.fsub(code.plain(), a, from_a);
    let other = code.fadd(code.plain(), b, from_b);
    Sum { high, low: code.fsub(code.plain(), rest, other) }
}

fn pair_product(code: &mut Code, x: Sum, y: Sum) -> Sum {
    let p = product(code, x.high, y.high);
    let low = fma(code, x.high, y.low, p.low);
    Sum { high: p.high, low: fma(code, x.low, y.high, low) }
}

/// The sum of a coefficient and what is less.
fn plus(code: &mut Code, c: Sum, p: Sum) -> Sum {
    let total = ordered_sum(code, c.high, p.high);
    let low = code.fadd(code.plain(), p.low, c.low);
    Sum { high: total.high, low: code.fadd(code.plain(), total.low, low) }
}

/// The terms from `first` on, in single numbers.
fn tail(code: &mut Code, terms: &[Id], first: usize, x: Id) -> Sum {
    let mut p = terms[terms.len() - 1];
    for &c in terms[first..terms.len() - 1].iter().rev() {
        p = fma(code, x, p, c);
    }
    Sum { high: p, low: number(code, 0.0) }
}

/// A result rounded to nearest even; lanes are slow where the error may change it.
fn decided(code: &mut Code, v: Sum, eps: f64) -> Id {
    let size = code.op(Prim::Fabs, &[v.high]);
    let eps = number(code, eps * 1.03125);
    let margin = code.fmul(code.plain(), size, eps);
    let (below, above) = (code.fsub(code.plain(), v.low, margin), code.fadd(code.plain(), v.low, margin));
    let (least, most) = (code.fadd(code.plain(), v.high, below), code.fadd(code.plain(), v.high, above));
    // NaN is no difference.
    let differ = code.op(Prim::Flt, &[least, most]);
    code.slow(differ);
    least
}

/// The integer next to x in the low bits of the first, and what is left of x.
fn split(code: &mut Code, x: Id) -> (Id, Id) {
    let magic = number(code, fast::MAGIC);
    let shifted = code.fadd(code.plain(), x, magic);
    let whole = code.fsub(code.plain(), shifted, magic);
    let rest = code.fsub(code.plain(), x, whole);
    (code.bits(shifted), rest)
}

/// v * 2^k for the k in the low bits of a pattern.
fn scaled(code: &mut Code, v: Id, k: Id) -> Id {
    let (bits, exponent) = (code.bits(v), code.shift(Prim::Shl, k, 52));
    let bits = code.op(Prim::Add, &[bits, exponent]);
    code.float_of(bits)
}

/// `double::exp2_of_fraction`.
fn exp2_of_fraction(code: &mut Code, r: Id, rest: Option<Id>) -> Sum {
    let terms = double::EXP2.map(|pair| number(code, pair.high));
    let mut p = tail(code, &terms, 6, r);
    for pair in double::EXP2[..6].iter().rev() {
        let q = product(code, r, p.high);
        let low = fma(code, r, p.low, q.low);
        let c = constant(code, *pair);
        p = plus(code, c, Sum { high: q.high, low });
    }
    let low = match rest {
        Some(rest) => {
            let ln2 = number(code, double::EXP2[1].high);
            let change = code.fmul(code.plain(), rest, ln2);
            fma(code, p.high, change, p.low)
        }
        None => p.low,
    };
    ordered_sum(code, p.high, low)
}

fn exp2(code: &mut Code, x: Id) -> Id {
    let (least, most) = (number(code, -1022.0), number(code, 1024.0));
    for outside in [code.op(Prim::Fle, &[x, least]), code.op(Prim::Fle, &[most, x])] {
        code.slow(outside);
    }
    let (k, r) = split(code, x);
    let value = exp2_of_fraction(code, r, None);
    let value = decided(code, value, double::EPS_EXP2);
    let value = scaled(code, value, k);
    keep_nan(code, x, value)
}

/// `double::log2`.
fn log2(code: &mut Code, x: Id) -> Sum {
    let (k, m) = exponent_and_fraction(code, x);
    let one = number(code, 1.0);
    let numerator = code.fsub(code.plain(), m, one);
    let below = ordered_sum(code, one, m);
    let inverse = code.fdiv(code.plain(), one, below.high);
    let quotient = code.fmul(code.plain(), numerator, inverse);
    let minus = code.op(Prim::Fneg, &[quotient]);
    let rest = fma(code, minus, below.high, numerator);
    let rest = fma(code, minus, below.low, rest);
    let s = Sum { high: quotient, low: code.fmul(code.plain(), rest, inverse) };
    let z = squared(code, s);
    let terms = double::LOG2.map(|pair| number(code, pair.high));
    let mut p = tail(code, &terms, 5, z.high);
    for pair in double::LOG2[..5].iter().rev() {
        let (q, c) = (pair_product(code, z, p), constant(code, *pair));
        p = plus(code, c, q);
    }
    let log = pair_product(code, s, p);
    let total = ordered_sum(code, k, log.high);
    let low = code.fadd(code.plain(), total.low, log.low);
    ordered_sum(code, total.high, low)
}

fn squared(code: &mut Code, v: Sum) -> Sum {
    let square = product(code, v.high, v.high);
    let twice = code.fadd(code.plain(), v.high, v.high);
    Sum { high: square.high, low: fma(code, twice, v.low, square.low) }
}

/// The logarithm with its special operands; lanes of denormal numbers are slow.
fn logarithm(code: &mut Code, x: Id, magnitude: bool) -> Id {
    let x = if magnitude { code.op(Prim::Fabs, &[x]) } else { x };
    let (zero, infinity, normal) = (number(code, 0.0), number(code, f64::INFINITY), number(code, f64::MIN_POSITIVE));
    // What is neither above nor equal to zero is negative or NaN.
    let (is_zero, above) = (code.op(Prim::Feq, &[x, zero]), code.op(Prim::Flt, &[zero, x]));
    let (is_infinite, below) = (code.op(Prim::Feq, &[x, infinity]), code.op(Prim::Flt, &[x, normal]));
    let denormal = code.and(above, below);
    code.slow(denormal);
    let one = number(code, 1.0);
    let operand = code.select(above, x, one);
    let log = log2(code, operand);
    let value = decided(code, log, double::EPS_LOG2);
    let nan = number(code, f64::NAN);
    let minus = number(code, f64::NEG_INFINITY);
    let value = code.select(is_infinite, infinity, value);
    let value = code.select(above, value, nan);
    code.select(is_zero, minus, value)
}

/// Sine or cosine; lanes of large angles are slow.
fn sine(code: &mut Code, x: Id, cosine: bool) -> Id {
    let size = code.op(Prim::Fabs, &[x]);
    let limit = number(code, double::TRIG_LIMIT);
    let large = code.op(Prim::Fle, &[limit, size]);
    code.slow(large);
    // `double::reduced`.
    let (turns, magic) = (number(code, std::f64::consts::FRAC_2_PI), number(code, fast::MAGIC));
    let shifted = code.fmul(code.plain(), x, turns);
    let shifted = code.fadd(code.plain(), shifted, magic);
    let k = code.fsub(code.plain(), shifted, magic);
    let minus = code.op(Prim::Fneg, &[k]);
    let [first, second, third] = double::HALF_PI.map(|part| number(code, part));
    let first = fma(code, minus, first, x);
    let second = product(code, k, second);
    let rest = difference(code, first, second.high);
    let low = code.fsub(code.plain(), rest.low, second.low);
    let low = fma(code, minus, third, low);
    let y = ordered_sum(code, rest.high, low);
    let mut quadrant = code.bits(shifted);
    let (one, zero) = (code.long(1), code.long(0));
    if cosine {
        quadrant = code.op(Prim::Add, &[quadrant, one]);
    }
    // `double::sine`.
    let odd = code.and(quadrant, one);
    let even = code.op(Prim::Eq, &[odd, zero]);
    let z = squared(code, y);
    let chosen = |code: &mut Code, of_sine: f64, of_cosine: f64| {
        let (a, b) = (number(code, of_sine), number(code, of_cosine));
        code.select(even, a, b)
    };
    let terms: Vec<Sum> = double::SIN
        .iter()
        .zip(&double::COS)
        .map(|(s, c)| Sum { high: chosen(code, s.high, c.high), low: chosen(code, s.low, c.low) })
        .collect();
    let highs: Vec<Id> = terms.iter().map(|term| term.high).collect();
    let mut p = tail(code, &highs, 4, z.high);
    for term in terms[..4].iter().rev() {
        let q = pair_product(code, z, p);
        p = plus(code, *term, q);
    }
    let unit = constant(code, Pair { high: 1.0, low: 0.0 });
    let factor = Sum { high: code.select(even, y.high, unit.high), low: code.select(even, y.low, unit.low) };
    let value = pair_product(code, factor, p);
    let value = ordered_sum(code, value.high, value.low);
    let value = decided(code, value, double::EPS_TRIG);
    let two = code.long(2);
    let half = code.and(quadrant, two);
    let sign = code.shift(Prim::Shl, half, 62);
    let bits = code.bits(value);
    let bits = code.op(Prim::Xor, &[bits, sign]);
    let value = code.float_of(bits);
    if cosine {
        return keep_nan(code, x, value);
    }
    let least = number(code, double::SIN_IS_ANGLE);
    let reduced = code.op(Prim::Fle, &[least, size]);
    // NaN, too, is the angle.
    code.select(reduced, value, x)
}

/// `double::reciprocal_root`, rounded. Zeros, infinities and NaN need no more than root and quotient.
fn reciprocal_root(code: &mut Code, x: Id) -> Id {
    let (one, half) = (number(code, 1.0), number(code, 0.5));
    let root = code.float(Prim::Fsqrt, code.plain(), &[x]);
    let y = code.fdiv(code.plain(), one, root);
    let p = product(code, x, y);
    let (high, low) = (code.op(Prim::Fneg, &[p.high]), code.op(Prim::Fneg, &[p.low]));
    let e = fma(code, high, y, one);
    let e = fma(code, low, y, e);
    let share = code.fmul(code.plain(), e, half);
    let low = code.fmul(code.plain(), y, share);
    let value = ordered_sum(code, y, low);
    let value = decided(code, value, double::EPS_RSQ);
    let special = code.op(Prim::Funo, &[e, e]);
    code.select(special, y, value)
}

/// `double::pow` of a positive base; lanes are slow where it is denormal, or the power is no normal number.
pub(super) fn power(code: &mut Code, x: Id, w: Id) -> Id {
    let normal = number(code, f64::MIN_POSITIVE);
    let denormal = code.op(Prim::Flt, &[x, normal]);
    code.slow(denormal);
    let log = log2(code, x);
    let p = product(code, w, log.high);
    let rest = fma(code, w, log.low, p.low);
    let (least, most) = (number(code, -1021.0), number(code, 1023.0));
    for outside in [code.op(Prim::Fle, &[p.high, least]), code.op(Prim::Fle, &[most, p.high])] {
        code.slow(outside);
    }
    let (k, r) = split(code, p.high);
    let value = exp2_of_fraction(code, r, Some(rest));
    let value = decided(code, value, double::EPS_POW);
    scaled(code, value, k)
}
