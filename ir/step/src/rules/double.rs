//! Functions correctly rounded to nearest in binary64: the pairs of `parallax_num::double`, and lanes marked as slow where
//! their error may decide.

use super::arithmetic::Steps;
use super::float::{Float, Origin, Raw};
use super::recipe::{keep_nan, reciprocal_of_zero};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::arithmetic::{Floats, Integer, Values};
use parallax_num::double::{self, Pair};
use parallax_num::{LogNegative, LogSpecial, Op, Overflow, RsqNegative, Trig};

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

/// A result rounded to nearest even; lanes are slow where the error may change it.
fn decided(code: &mut Code, v: Pair<Id>, eps: f64) -> Id {
    let size = code.op(Prim::Fabs, &[v.high]);
    // 1/32 more than the roundings of the margin and of the two lower parts.
    let eps = number(code, eps * 1.03125);
    let margin = code.fmul(code.plain(), size, eps);
    let (below, above) = (code.fsub(code.plain(), v.low, margin), code.fadd(code.plain(), v.low, margin));
    let (least, most) = (code.fadd(code.plain(), v.high, below), code.fadd(code.plain(), v.high, above));
    // NaN is no difference.
    let differ = code.op(Prim::Flt, &[least, most]);
    code.slow(differ);
    least
}

fn exp2(code: &mut Code, x: Id) -> Id {
    let (least, most) = (number(code, -1022.0), number(code, 1024.0));
    for outside in [code.op(Prim::Fle, &[x, least]), code.op(Prim::Fle, &[most, x])] {
        code.slow(outside);
    }
    let steps = &mut Steps::double(code);
    let (k, r) = double::split(steps, x);
    let value = double::exp2_of_fraction(steps, r, None);
    let value = decided(code, value, double::EPS_EXP2);
    let value = double::scaled(&mut Steps::double(code), value, k);
    keep_nan(code, x, value)
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
    let log = double::log2(&mut Steps::double(code), operand);
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
    let steps = &mut Steps::double(code);
    let (mut quadrant, rest) = double::reduced(steps, x);
    if cosine {
        let one = steps.long(1);
        quadrant = steps.add(quadrant, one);
    }
    let value = double::sine(steps, quadrant, rest);
    let value = decided(code, value, double::EPS_TRIG);
    let value = double::with_sign_of(&mut Steps::double(code), quadrant, value);
    if cosine {
        return keep_nan(code, x, value);
    }
    let least = number(code, double::SIN_IS_ANGLE);
    let reduced = code.op(Prim::Fle, &[least, size]);
    // NaN, too, is the angle.
    code.select(reduced, value, x)
}

/// The reciprocal of a root. Zeros, infinities and NaN need no more than root and quotient.
fn reciprocal_root(code: &mut Code, x: Id) -> Id {
    let (quotient, sum) = double::reciprocal_root(&mut Steps::double(code), x);
    let value = decided(code, sum, double::EPS_RSQ);
    let special = code.op(Prim::Funo, &[value, value]);
    code.select(special, quotient, value)
}

/// The power of a positive base; lanes are slow where it is denormal, or the power is no normal number.
pub(super) fn power(code: &mut Code, x: Id, w: Id) -> Id {
    let normal = number(code, f64::MIN_POSITIVE);
    let denormal = code.op(Prim::Flt, &[x, normal]);
    code.slow(denormal);
    let steps = &mut Steps::double(code);
    let log = double::log2(steps, x);
    let p = double::product(steps, w, log.high);
    let rest = steps.mad(w, log.low, p.low);
    let (least, most) = (number(code, -1021.0), number(code, 1023.0));
    for outside in [code.op(Prim::Fle, &[p.high, least]), code.op(Prim::Fle, &[most, p.high])] {
        code.slow(outside);
    }
    let steps = &mut Steps::double(code);
    let (k, r) = double::split(steps, p.high);
    let value = double::exp2_of_fraction(steps, r, Some(rest));
    let value = decided(code, value, double::EPS_POW);
    double::scaled(&mut Steps::double(code), value, k)
}
