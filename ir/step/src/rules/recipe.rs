//! Quotients, roots, exponentials, logarithms, angles.
//!
//! What IEEE 754 does not compute in one step is evaluated in binary64 by the recipes of `parallax_num::fast`, with fused
//! multiply-adds, which make no error larger, and both ends of the recipe's error interval are rounded. Where they agree that
//! is the correctly rounded result; elsewhere the lane is slow. Results in binary64 have programs of their own ([`double`]).

use super::arithmetic::Steps;
use super::chain::{chain, is_chain};
use super::float::{Float, Origin, Raw, Shape};
use super::{double, integers, nearest, params, sfu};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Emit, Id, Program};
use parallax_num::double::exponent_and_fraction;
use parallax_num::{
    Accuracy, AngleFold, AngleUnit, Format, Infinite, Log2, LogNegative, LogSpecial, Op, Overflow, Probe, Rcp, RcpZero,
    Round, Rsq, RsqNegative, Rule, SqrtNegative, Storage, Trig, Unit, fast, newton_factor,
};

/// An operation of the recipe family.
pub(super) fn program(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    if rule.accuracy != Accuracy::Correct && rule.probe != Probe::Nearest {
        return None;
    }
    if is_chain(op, rule) {
        return chain(op, rule, observed, false);
    }
    match op {
        Op::Rsq if rule.rsq != Rsq::Direct => return rsq_steps(rule, observed, false),
        Op::Log2 | Op::Log2Part if rule.log2 != Log2::Direct => return log2_steps(op, rule, observed),
        Op::Rcp | Op::Rsq | Op::Sqrt | Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos
            if rule.unit == Unit::NvSfu =>
        {
            return sfu::nv(op, rule, observed);
        }
        Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos if rule.unit == Unit::Gallivm => {
            return sfu::gallivm(op, rule, observed, false);
        }
        Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos if rule.unit == Unit::Swiftshader => {
            return sfu::swiftshader(op, rule, observed);
        }
        _ => {}
    }
    match op {
        Op::Div | Op::Rcp | Op::Sqrt => quotient_or_root(op, rule, observed, false),
        _ => transcendental(op, Float::new(rule, &params(op, rule), observed, false)?),
    }
}

/// A quotient or a root that is rounded once.
pub(super) fn quotient_or_root(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let mut f = Float::new(rule, &params(op, rule), observed, false)?;
    f.total = total;
    match op {
        Op::Div => {
            let (a, b) = (f.get(0), f.get(1));
            let raw = quotient(&mut f, a, b);
            f.conclude(&raw)
        }
        Op::Rcp => {
            let a = f.get(0);
            let one = f.number(1.0);
            let mut raw = Raw { nans: vec![a], ..quotient(&mut f, one, a) };
            if rule.rcp_zero == RcpZero::Positive {
                let (zero, end) = (f.is_zero(a), f.number(f64::INFINITY));
                raw.value = f.code.select(zero, end, raw.value);
            }
            f.conclude(&raw)
        }
        _ => {
            let a = f.get(0);
            let raw = if rule.sqrt_negative == SqrtNegative::Magnitude {
                let size = f.code.op(Prim::Fabs, &[a]);
                let raw = root(&mut f, size);
                let zero = f.is_zero(a);
                let value = f.code.select(zero, a, raw.value);
                Raw { value, origin: raw.origin, nans: vec![a] }
            } else {
                root(&mut f, a)
            };
            f.conclude(&raw)
        }
    }
}

/// A quotient; of second programs in integers, where it would be one of binary64.
fn quotient(f: &mut Float<'_>, a: Id, b: Id) -> Raw {
    if !(f.total && f.shape == Shape::Wide) {
        return f.div(a, b);
    }
    Raw { value: integers::quotient(&mut f.code, a, b), origin: Origin::Other, nans: vec![a, b] }
}

/// A square root, likewise.
fn root(f: &mut Float<'_>, a: Id) -> Raw {
    if !(f.total && f.shape == Shape::Wide) {
        return f.sqrt(a);
    }
    Raw { value: integers::root(&mut f.code, a), origin: Origin::Other, nans: vec![a] }
}

/// Whether a format has fewer digits than binary32.
pub(super) fn is_narrow(rule: &Rule) -> bool {
    matches!(rule.format, Format::Float(format) if format.frac < 23)
}

/// A function of a narrow format, computed in binary32 and then rounded to the format.
pub(super) fn in_single(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let inner = rule.in_single();
    let types = params(op, rule);
    let mut f = Float::new(rule, &types, observed, false)?;
    let mut words = Vec::with_capacity(types.len());
    for n in 0..types.len() as Id {
        let v = f.get(n);
        words.push(if f.ty() == Ty::F64 { f.code.narrow(Mode::PLAIN, v) } else { v });
    }
    let word = f.code.link(op, &inner, &words, total)?;
    f.total = total;
    let value = f.load(word, Storage::F32);
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![value] })
}

/// A reciprocal, or the reciprocal of a root, and one step of Newton's method.
pub(super) fn newton(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let first = Rule { rcp: Rcp::Direct, rsq: Rsq::Direct, ..rule.unclamped() };
    let mut f = Float::new(rule, &params(op, rule), observed, false)?;
    f.total = total;
    let estimate = f.code.link(op, &first, &[0], total)?;
    let (a, r) = (f.get(0), f.get(estimate));
    let factor = newton_factor(&mut f, op, a, r);
    let raw = f.mul(r, factor);
    f.conclude(&raw)
}

/// A recipe's operand in binary64, and the operand in the compute type.
pub(super) fn operand(f: &mut Float<'_>, n: Id) -> (Id, Id) {
    let a = f.get(n);
    let x = if f.ty() == Ty::F32 { f.code.widen(a) } else { a };
    (a, x)
}

/// A binary64 value in the compute type, on the way to the format.
pub(super) fn raw(f: &mut Float<'_>, y: Id, nans: Vec<Id>) -> Raw {
    let value = match f.shape {
        Shape::Native(Ty::F32) => {
            let mode = f.mode();
            f.code.narrow(mode, y)
        }
        _ => y,
    };
    Raw { value, origin: Origin::Other, nans }
}

/// Rounds both ends of the interval around `y` that is `eps` wide on each side, relative to it, as the operation's result is
/// rounded; the lane is slow where they differ. `positive`: whether no number that y can be lies below zero.
fn rounding_test(f: &mut Float<'_>, y: Id, eps: f64, positive: bool, nans: Vec<Id>) -> Raw {
    // Rounded before it is scaled, a result decides about what comes after.
    let scale = if f.rule.scale_once { f.rule.scale } else { 0 };
    interval(f, y, eps, positive, scale, nans)
}

/// [`ends`] of 2^`scale` times the interval.
fn interval(f: &mut Float<'_>, y: Id, eps: f64, positive: bool, scale: i8, nans: Vec<Id>) -> Raw {
    // The products here are rounded too.
    let eps = eps * 1.03125;
    let (below, above) = (f.code.number(Ty::F64, 1.0 - eps), f.code.number(Ty::F64, 1.0 + eps));
    let (low, high) = (f.code.fmul(f.code.plain(), y, below), f.code.fmul(f.code.plain(), y, above));
    let observed = std::mem::replace(&mut f.observed, false);
    let low_raw = raw(f, low, Vec::new());
    let [a, b] = [low, high].map(|end| {
        let end = if scale == 0 {
            end
        } else {
            let factor = f.code.number(Ty::F64, crate::exact::power(scale.into()));
            f.code.fmul(f.code.plain(), end, factor)
        };
        let end = raw(f, end, Vec::new());
        f.round(&end)
    });
    f.observed = observed;
    // NaN is no difference.
    let mut differ = f.code.op(Prim::Flt, &[a, b]);
    if !positive {
        let over = f.code.op(Prim::Flt, &[b, a]);
        differ = f.code.or(differ, over);
    }
    f.code.slow(differ);
    Raw { nans, ..low_raw }
}

/// a * b + c, rounded once.
pub(super) fn fma(code: &mut Code, a: Id, b: Id, c: Id) -> Id {
    code.float(Prim::Fma, code.plain(), &[a, b, c])
}

pub(super) fn polynomial(code: &mut Code, coefficients: &[f64], x: Id) -> Id {
    let mut p = None;
    for c in coefficients.iter().rev() {
        let c = code.number(Ty::F64, *c);
        p = Some(match p {
            None => c,
            // The sum so far second: its register takes the result, and the coefficient stays in memory.
            Some(p) => fma(code, x, p, c),
        });
    }
    p.unwrap_or(x)
}

/// `fast::exp2`.
fn exp2(code: &mut Code, x: Id) -> Id {
    let x = clamped_exponent(code, x);
    let [shifted, r] = whole_and_rest(code, x, 0.0);
    let p = polynomial(code, &fast::EXP2, r);
    let one = code.number(Ty::F64, 1.0);
    let p = fma(code, r, p, one);
    times_power(code, p, shifted)
}

/// An exponent of two as one whose power binary64 holds, and binary32 only if it holds that of the operand.
pub(super) fn clamped_exponent(code: &mut Code, x: Id) -> Id {
    let ty = code.ty(x);
    let (low, high) = (code.number(ty, -300.0), code.number(ty, 300.0));
    // NaN stands second, and stays.
    let x = code.op(Prim::Fmax, &[low, x]);
    code.op(Prim::Fmin, &[high, x])
}

/// The integer nearest to a clamped exponent, in the low bits of a sum with [`fast::MAGIC`], and the exponent less that integer, plus
/// a small integer `at`.
pub(super) fn whole_and_rest(code: &mut Code, x: Id, at: f64) -> [Id; 2] {
    let [magic, later] = [fast::MAGIC, fast::MAGIC + at].map(|c| code.number(Ty::F64, c));
    let shifted = code.fadd(code.plain(), x, magic);
    let whole = code.fsub(code.plain(), shifted, later);
    [shifted, code.fsub(code.plain(), x, whole)]
}

/// A number times two to the integer in the low bits of a sum.
pub(super) fn times_power(code: &mut Code, p: Id, shifted: Id) -> Id {
    let (p, exponent) = (code.bits(p), code.bits(shifted));
    let exponent = code.shift(Prim::Shl, exponent, 52);
    let sum = code.op(Prim::Add, &[p, exponent]);
    code.float_of(sum)
}

/// `fast::log2` of a positive normal number.
pub(super) fn log2(code: &mut Code, x: Id) -> Id {
    let (k, m) = exponent_and_fraction(&mut Steps::double(code), x);
    let (one, two) = (code.number(Ty::F64, 1.0), code.number(Ty::F64, 2.0));
    let f = code.fsub(code.plain(), m, one);
    let below = code.fadd(code.plain(), two, f);
    let s = code.fdiv(code.plain(), f, below);
    let z = code.fmul(code.plain(), s, s);
    let p = polynomial(code, &fast::LOG2, z);
    fma(code, s, p, k)
}

/// `fast::turn`: an angle in radians as quarter turns, an integer in the low bits of the first, and a rest.
fn turn(code: &mut Code, x: Id) -> (Id, Id) {
    let [c0, c1, c2] = fast::TWO_OVER_PI.map(|c| code.number(Ty::F64, c));
    let magic = code.number(Ty::F64, fast::MAGIC);
    let high = code.fmul(code.plain(), x, c0);
    let shifted = code.fadd(code.plain(), high, magic);
    let whole = code.fsub(code.plain(), shifted, magic);
    let rest = code.fsub(code.plain(), high, whole);
    let rest = fma(code, x, c1, rest);
    let rest = fma(code, x, c2, rest);
    (code.bits(shifted), rest)
}

/// `fast::sin_of_turn`.
fn sin_of_turn(code: &mut Code, quadrant: Id, r: Id) -> Id {
    let z = code.fmul(code.plain(), r, r);
    let sine = polynomial(code, &fast::SIN, z);
    let sine = code.fmul(code.plain(), r, sine);
    let cosine = polynomial(code, &fast::COS, z);
    let one = code.number(Ty::F64, 1.0);
    let cosine = fma(code, z, cosine, one);
    let (odd, zero) = (code.long(1), code.long(0));
    let odd = code.and(quadrant, odd);
    let even = code.op(Prim::Eq, &[odd, zero]);
    let value = code.select(even, sine, cosine);
    let two = code.long(2);
    let half = code.and(quadrant, two);
    let sign = code.shift(Prim::Shl, half, 62);
    let bits = code.bits(value);
    let bits = code.op(Prim::Xor, &[bits, sign]);
    code.float_of(bits)
}

/// Sine or cosine of `v` 2^`shift` quarter turns.
fn sin_of_turns(code: &mut Code, v: Id, shift: i32, cosine: bool) -> Id {
    let quarters = code.number(Ty::F64, crate::exact::power(shift));
    let q = code.fmul(code.plain(), v, quarters);
    let magic = code.number(Ty::F64, fast::MAGIC);
    // What has no digits of a quarter turn any more is a multiple of four of them.
    let (size, limit) = (code.op(Prim::Fabs, &[q]), code.number(Ty::F64, crate::exact::power(50)));
    let large = code.op(Prim::Fle, &[limit, size]);
    let zero = code.number(Ty::F64, 0.0);
    let null = code.copysign(zero, q);
    let q = code.select(large, null, q);
    let shifted = code.fadd(code.plain(), q, magic);
    let whole = code.fsub(code.plain(), shifted, magic);
    let rest = code.fsub(code.plain(), q, whole);
    let quadrant = code.bits(shifted);
    let quadrant = next_quadrant(code, quadrant, cosine);
    sin_of_turn(code, quadrant, rest)
}

fn next_quadrant(code: &mut Code, quadrant: Id, cosine: bool) -> Id {
    if !cosine {
        return quadrant;
    }
    let one = code.long(1);
    code.op(Prim::Add, &[quadrant, one])
}

/// NaN where the operand is NaN: integer steps may have made a number of it.
pub(super) fn keep_nan(code: &mut Code, x: Id, y: Id) -> Id {
    let is_nan = code.op(Prim::Funo, &[x, x]);
    code.select(is_nan, x, y)
}

/// Correctly rounded functions.
fn transcendental(op: Op, f: Float<'_>) -> Option<Program> {
    let rule = f.rule;
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    let in_pairs = f.shape == Shape::Native(Ty::F64);
    if in_pairs && !double::serves(&f) {
        return None;
    }
    let (a, x) = operand(&mut f, 0);
    if in_pairs && !matches!(op, Op::Pow | Op::LitZ) {
        return double::program(op, f, x);
    }
    if nearest::serves(op, &f) {
        return nearest::program(op, f);
    }
    let infinity = f.code.number(Ty::F64, f64::INFINITY);
    let zero = f.code.number(Ty::F64, 0.0);
    let (y, eps) = match op {
        Op::Rsq => {
            let magnitude = rule.rsq_negative != RsqNegative::Nan;
            if f.ty() == Ty::F32 {
                let raw = single_rsq(&mut f, a, magnitude);
                return f.conclude(&raw);
            }
            let size = if magnitude { f.code.op(Prim::Fabs, &[x]) } else { x };
            let root = f.code.float(Prim::Fsqrt, f.code.plain(), &[size]);
            let one = f.code.number(Ty::F64, 1.0);
            let y = f.code.fdiv(f.code.plain(), one, root);
            (reciprocal_of_zero(&mut f, a, y), fast::EPS_ROOT)
        }
        Op::Exp2 | Op::Exp2Part => {
            let y = exp2(&mut f.code, x);
            let mut y = keep_nan(&mut f.code, x, y);
            if f.direction != Direction::Nearest || rule.overflow == Overflow::Largest {
                // Infinities are no overflow, and what they give is exact.
                let (up, down) = (f.code.op(Prim::Feq, &[x, infinity]), f.code.op(Prim::Fneg, &[infinity]));
                let down = f.code.op(Prim::Feq, &[x, down]);
                y = f.code.select(up, infinity, y);
                y = f.code.select(down, zero, y);
            }
            (y, fast::EPS_EXP_LOG)
        }
        Op::Log2 | Op::Log2Part => {
            let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
            (logarithm(&mut f, a, x, magnitude), fast::EPS_EXP_LOG)
        }
        Op::Sin | Op::Cos => return angle(op, f, a, x),
        Op::Pow => {
            let (_, w) = operand(&mut f, 1);
            let y = power_c(&mut f.code, x, w, in_pairs);
            if in_pairs {
                return f.conclude(&Raw { value: y, origin: Origin::Other, nans: Vec::new() });
            }
            (y, fast::EPS_POW)
        }
        Op::LitZ => return lit_c(f, x),
        _ => return None,
    };
    let positive = matches!(op, Op::Rsq | Op::Exp2 | Op::Exp2Part | Op::Pow);
    // A NaN operand is no NaN result where logarithms are finite.
    let finite = matches!(op, Op::Log2 | Op::Log2Part) && rule.log_special == LogSpecial::Finite;
    let raw = rounding_test(&mut f, y, eps, positive, if finite { Vec::new() } else { vec![a] });
    f.conclude(&raw)
}

/// 1 / sqrt(a) in binary32. Root s and quotient y are rounded once each, so that y is off by less than 2^-22.9 of itself. What
/// the product of a and y lacks to s is exact, and e = 1 - a y^2 gets two roundings of numbers below 2^-21.7: it is off by less
/// than 2^-45.
fn single_rsq(f: &mut Float<'_>, a: Id, magnitude: bool) -> Raw {
    /// The float below a half. Of y (1 + e / 2 + 3 e^2 / 8 + ...) a sum of two terms is right but for one fraction of 24 bits;
    /// with this factor in the place of a half it is right for all. Powers of four change nothing, as neither root nor quotient
    /// nor what is between them is a denormal number; `rsq` in tests/exhaustive.rs tries all operands.
    const BELOW_HALF: f64 = 0.5 - 1.0 / (1u64 << 25) as f64;
    /// What e may be off, with the terms left out and the rounding of e / 2.
    const MARGIN: f64 = 1.0 / (1u64 << 44) as f64;
    let mode = f.mode();
    let nearest = f.direction == Direction::Nearest;
    let code = &mut f.code;
    let size = if magnitude { code.op(Prim::Fabs, &[a]) } else { a };
    let one = code.number(Ty::F32, 1.0);
    let half = code.number(Ty::F32, if nearest { BELOW_HALF } else { 0.5 });
    let root = code.float(Prim::Fsqrt, code.plain(), &[size]);
    let y = code.fdiv(code.plain(), one, root);
    let (minus, half) = (code.op(Prim::Fneg, &[y]), code.fmul(code.plain(), y, half));
    let lacks = fma(code, size, minus, root);
    let e = fma(code, root, minus, one);
    let e = fma(code, lacks, y, e);
    let value = if nearest {
        code.float(Prim::Fma, mode, &[e, half, y])
    } else {
        // Twice the change of y, with its margin, times half of y.
        let ends = [-2.0 * MARGIN, 2.0 * MARGIN].map(|margin| {
            let margin = code.number(Ty::F32, margin);
            let change = code.fadd(code.plain(), e, margin);
            code.float(Prim::Fma, mode, &[change, half, y])
        });
        let differ = code.op(Prim::Flt, &ends);
        code.slow(differ);
        ends[0]
    };
    // Where e is NaN so is this, and half of y is infinite, a zero, or the NaN; elsewhere it is less.
    let value = code.op(Prim::Fmax, &[value, half]);
    let value = reciprocal_of_zero(f, a, value);
    Raw { value, origin: Origin::Other, nans: vec![a] }
}

/// What a reciprocal root gives at -0, where that is not what the quotient gives.
pub(super) fn reciprocal_of_zero(f: &mut Float<'_>, a: Id, y: Id) -> Id {
    let rule = f.rule;
    let is_zero = f.is_zero(a);
    if rule.rsq_negative == RsqNegative::MagnitudeNotZero {
        let one = f.number(1.0);
        let (sign, none) = (f.code.copysign(one, a), f.number(0.0));
        let below = f.code.op(Prim::Flt, &[sign, none]);
        let minus = f.code.and(is_zero, below);
        if f.total {
            let nan = f.number(f64::NAN);
            return f.code.select(minus, nan, y);
        }
        f.code.slow(minus);
    }
    if rule.rcp_zero == RcpZero::Positive {
        let infinity = f.number(f64::INFINITY);
        return f.code.select(is_zero, infinity, y);
    }
    y
}

/// The logarithm of an operand `a`, which is `x` in binary64, with its special operands.
fn logarithm(f: &mut Float<'_>, a: Id, x: Id, magnitude: bool) -> Id {
    let special = f.rule.log_special;
    let magnitude = magnitude || special == LogSpecial::Finite;
    let (a, x) = match magnitude {
        true => (f.code.op(Prim::Fabs, &[a]), f.code.op(Prim::Fabs, &[x])),
        false => (a, x),
    };
    let y = log2(&mut f.code, x);
    let (none, end) = (f.number(0.0), f.number(f64::INFINITY));
    let ends = logarithm_of_specials(f);
    let code = &mut f.code;
    let [at_zero, at_end, at_nan] = ends.map(|v| code.number(Ty::F64, v));
    // What is neither above nor equal to zero is negative or NaN.
    let (is_zero, above) = (code.op(Prim::Feq, &[a, none]), code.op(Prim::Flt, &[none, a]));
    let is_infinite = code.op(Prim::Feq, &[a, end]);
    let y = code.select(is_infinite, at_end, y);
    let y = code.select(above, y, at_nan);
    code.select(is_zero, at_zero, y)
}

/// What a logarithm gives for zero, infinity and NaN.
pub(super) fn logarithm_of_specials(f: &Float<'_>) -> [f64; 3] {
    let (low, high) = (f64::from(f.format.min_exp() - 1), f64::from(f.format.max_exp()));
    match f.rule.log_special {
        LogSpecial::Ieee => [f64::NEG_INFINITY, f64::INFINITY, f64::NAN],
        LogSpecial::LargestExponent => [f64::NEG_INFINITY, high, f64::NAN],
        LogSpecial::LeastOfZero => [-f.largest(), f64::INFINITY, f64::NAN],
        LogSpecial::Finite => [low, high + 1.0, high + 1.0],
    }
}

/// The C power of a positive base, and of +0 to a positive exponent, which clamped angles often give; other operands are
/// slow.
fn power_c(code: &mut Code, x: Id, w: Id, in_pairs: bool) -> Id {
    let (zero, infinity) = (code.number(Ty::F64, 0.0), code.number(Ty::F64, f64::INFINITY));
    let (above, finite) = (code.op(Prim::Flt, &[zero, x]), code.op(Prim::Flt, &[x, infinity]));
    let size = code.op(Prim::Fabs, &[w]);
    let exponent = code.op(Prim::Flt, &[size, infinity]);
    let positive = code.and(above, finite);
    let (bits, none) = (code.bits(x), code.long(0));
    let (is_null, up) = (code.op(Prim::Eq, &[bits, none]), code.op(Prim::Flt, &[zero, w]));
    let null = code.and(is_null, up);
    let sound = code.or(positive, null);
    let sound = code.and(sound, exponent);
    let other = code.not(sound);
    code.slow(other);
    let value = if in_pairs {
        let one = code.number(Ty::F64, 1.0);
        let base = code.select(null, one, x);
        double::power(code, base, w)
    } else {
        power(code, x, w)
    };
    code.select(null, zero, value)
}

/// `fast::pow`.
fn power(code: &mut Code, x: Id, w: Id) -> Id {
    let log = log2(code, x);
    let product = code.fmul(code.plain(), w, log);
    exp2(code, product)
}

/// The specular term of LIT with C's power.
fn lit_c(mut f: Float<'_>, x: Id) -> Option<Program> {
    let (_, y) = operand(&mut f, 1);
    let (_, w) = operand(&mut f, 2);
    let bound = f.rule.exponent_bound().unwrap_or(f64::INFINITY);
    let code = &mut f.code;
    let (zero, one, infinity) =
        (code.number(Ty::F64, 0.0), code.number(Ty::F64, 1.0), code.number(Ty::F64, f64::INFINITY));
    let (low, high) = (code.number(Ty::F64, -bound), code.number(Ty::F64, bound));
    let over = code.op(Prim::Flt, &[high, w]);
    let w = code.select(over, high, w);
    let under = code.op(Prim::Flt, &[w, low]);
    let w = code.select(under, low, w);
    let (lit, some) = (code.op(Prim::Flt, &[zero, x]), code.op(Prim::Flt, &[zero, y]));
    let size = code.op(Prim::Fabs, &[w]);
    let finite = code.op(Prim::Flt, &[size, infinity]);
    let no_exponent = code.not(finite);
    let (unordered, endless) = (code.op(Prim::Funo, &[x, y]), code.op(Prim::Feq, &[y, infinity]));
    let (dark, flat) = (code.op(Prim::Fle, &[y, zero]), code.op(Prim::Fle, &[w, zero]));
    let corner = code.and(dark, flat);
    let corner = code.and(lit, corner);
    for mask in [no_exponent, unordered, endless, corner] {
        code.slow(mask);
    }
    let in_pairs = f.shape == Shape::Native(Ty::F64);
    let power = if in_pairs {
        let bright = code.and(lit, some);
        let base = code.select(bright, y, one);
        double::power(code, base, w)
    } else {
        let base = code.select(some, y, one);
        power(code, base, w)
    };
    let bright = code.and(lit, some);
    let value = code.select(bright, power, zero);
    let raw = if in_pairs {
        Raw { value, origin: Origin::Other, nans: Vec::new() }
    } else {
        rounding_test(&mut f, value, fast::EPS_POW, true, Vec::new())
    };
    f.conclude(&raw)
}

/// Sine and cosine.
fn angle(op: Op, mut f: Float<'_>, a: Id, x: Id) -> Option<Program> {
    let cosine = op == Op::Cos;
    let Trig { unit, .. } = f.rule.trig;
    if unit == AngleUnit::Radians {
        let y = radians(&mut f.code, x, cosine, true);
        let raw = rounding_test(&mut f, y, fast::EPS_TRIG, false, vec![a]);
        return f.conclude(&raw);
    }
    let reduced = reduce(op, &mut f, a);
    let of_radians = |code: &mut Code, v: Id, cosine: bool| {
        let (quadrant, rest) = turn(code, v);
        let quadrant = next_quadrant(code, quadrant, cosine);
        sin_of_turn(code, quadrant, rest)
    };
    let y = quarters(&mut f, op, x, &reduced, sin_of_turns, of_radians);
    let raw = rounding_test(&mut f, y, fast::EPS_TRIG, false, vec![a]);
    f.conclude(&raw)
}

/// Sine or cosine of a reduced angle x, with the function of a number of turns, one of which is 2^`shift` quarter turns, and that of an
/// angle within half a turn in radians.
pub(super) fn quarters(
    f: &mut Float<'_>,
    op: Op,
    x: Id,
    reduced: &Reduced,
    of_turns: impl FnOnce(&mut Code, Id, i32, bool) -> Id,
    of_radians: impl FnOnce(&mut Code, Id, bool) -> Id,
) -> Id {
    let cosine = op == Op::Cos;
    let v = if f.ty() == Ty::F32 { f.code.widen(reduced.value) } else { reduced.value };
    let grows = f32::from_bits(f.rule.trig.scale).abs() > 1.0;
    if grows || f.shape == Shape::Wide && !f.total {
        // The product may leave the format.
        let infinity = f.code.number(Ty::F64, f64::INFINITY);
        let (size, start) = (f.code.op(Prim::Fabs, &[v]), f.code.op(Prim::Fabs, &[x]));
        let (endless, finite) = (f.code.op(Prim::Feq, &[size, infinity]), f.code.op(Prim::Flt, &[start, infinity]));
        let over = f.code.and(endless, finite);
        f.code.slow(over);
    }
    let cosine = cosine && !reduced.quarter;
    let mut y = match reduced.unit {
        AngleUnit::Radians => of_radians(&mut f.code, v, cosine),
        unit => {
            let code = &mut f.code;
            let y = of_turns(code, v, if unit == AngleUnit::Turns { 2 } else { 1 }, cosine);
            let zero = code.number(Ty::F64, 0.0);
            // A zero has the sign of the angle, or none.
            let is_zero = code.op(Prim::Feq, &[y, zero]);
            let null = if cosine { zero } else { code.copysign(zero, v) };
            code.select(is_zero, null, y)
        }
    };
    if let Some(negate) = reduced.negate {
        let minus = f.code.op(Prim::Fneg, &[y]);
        y = f.code.select(negate, minus, y);
    }
    // Zeros are no angle that is reduced, nor are infinities.
    let code = &mut f.code;
    let (zero, infinity, one) =
        (code.number(Ty::F64, 0.0), code.number(Ty::F64, f64::INFINITY), code.number(Ty::F64, 1.0));
    let (is_zero, size) = (code.op(Prim::Feq, &[x, zero]), code.op(Prim::Fabs, &[x]));
    let y = code.select(is_zero, if op == Op::Cos { one } else { x }, y);
    let finite = code.op(Prim::Flt, &[size, infinity]);
    let nan = code.long(0x7ff8_0000_0000_0000);
    let nan = code.float_of(nan);
    code.select(finite, y, nan)
}

/// Sine or cosine of an angle in radians; `slow`: angles may be large.
fn radians(code: &mut Code, x: Id, cosine: bool, slow: bool) -> Id {
    if slow {
        let (size, limit) = (code.op(Prim::Fabs, &[x]), code.number(Ty::F64, fast::TRIG_LIMIT));
        let large = code.op(Prim::Fle, &[limit, size]);
        code.slow(large);
    }
    let (quadrant, rest) = turn(code, x);
    let quadrant = next_quadrant(code, quadrant, cosine);
    sin_of_turn(code, quadrant, rest)
}

/// A reduced angle, as `parallax-num` reduces it.
pub(super) struct Reduced {
    value: Id,
    pub(super) unit: AngleUnit,
    negate: Option<Id>,
    quarter: bool,
}

pub(super) fn reduce(op: Op, f: &mut Float<'_>, a: Id) -> Reduced {
    let Trig { unit, scale, chop, fold } = f.rule.trig;
    let factor = f.number(f64::from(f32::from_bits(scale)));
    let observed = std::mem::replace(&mut f.observed, false);
    let direction = f.direction;
    if chop {
        f.direction = Direction::Zero;
    }
    let mode = f.mode();
    let product = f.code.fmul(mode, a, factor);
    let step = |f: &mut Float<'_>, value: Id, origin: Origin| {
        let v = f.round(&Raw { value, origin, nans: Vec::new() });
        let least = f.format.min_exp();
        f.read(v, least)
    };
    let angle = step(f, product, Origin::Other);
    f.direction = direction;
    let add = |f: &mut Float<'_>, a: Id, b: f64| {
        let b = f.number(b);
        let raw = f.add(a, b);
        step(f, raw.value, Origin::Sum)
    };
    let fract = |f: &mut Float<'_>, v: Id| {
        let whole = f.code.round(Direction::Down, v);
        let raw = f.sub(v, whole);
        step(f, raw.value, Origin::Sum)
    };
    let (two_pi, pi) = (f64::from(f32::from_bits(0x40c9_0fdb)), f64::from(f32::from_bits(0x4049_0fdb)));
    let mut reduced = Reduced { value: angle, unit, negate: None, quarter: false };
    match fold {
        AngleFold::None => {}
        AngleFold::Fract => reduced.value = fract(f, angle),
        AngleFold::FractHalf => {
            let v = add(f, angle, 0.5);
            let v = fract(f, v);
            reduced.value = add(f, v, -0.5);
        }
        AngleFold::FractHalfRadians => {
            let v = add(f, angle, 0.5);
            let v = fract(f, v);
            let factor = f.number(two_pi);
            let mode = f.mode();
            let v = f.code.fmul(mode, v, factor);
            let v = step(f, v, Origin::Other);
            reduced.value = add(f, v, -pi);
            reduced.unit = AngleUnit::Radians;
        }
        AngleFold::Rint => {
            reduced.quarter = op == Op::Cos;
            let angle = if reduced.quarter { add(f, angle, 0.5) } else { angle };
            let whole = f.code.round(Direction::Nearest, angle);
            if unit == AngleUnit::HalfTurns {
                let half = f.number(0.5);
                let half = f.code.fmul(f.code.plain(), whole, half);
                let down = f.code.round(Direction::Down, half);
                let even = f.code.op(Prim::Feq, &[half, down]);
                reduced.negate = Some(f.code.not(even));
            }
            let raw = f.sub(angle, whole);
            reduced.value = step(f, raw.value, Origin::Sum);
        }
    }
    f.observed = observed;
    reduced
}

/// The reciprocal square root in two rounded steps.
pub(super) fn rsq_steps(rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let types = params(Op::Rsq, rule);
    let mut f = Float::new(rule, &types, observed, false)?;
    let a = f.get(0);
    let size = if rule.rsq_negative == RsqNegative::Nan { a } else { f.code.op(Prim::Fabs, &[a]) };
    let one = f.number(1.0);
    f.total = total && f.shape == Shape::Wide;
    let raw = if rule.rsq == Rsq::ReciprocalOfRoot {
        let root = root(&mut f, size);
        let root = f.step(&root);
        quotient(&mut f, one, root)
    } else {
        let reciprocal = quotient(&mut f, one, size);
        let reciprocal = f.step(&reciprocal);
        root(&mut f, reciprocal)
    };
    f.total = false;
    let is_zero = f.is_zero(a);
    let end = f.signed(f64::INFINITY, size);
    let end = if rule.rcp_zero == RcpZero::Positive { f.number(f64::INFINITY) } else { end };
    let value = f.code.select(is_zero, end, raw.value);
    let value = if total && rule.infinite == Infinite::Keep {
        f.total = true;
        reciprocal_of_zero(&mut f, a, value)
    } else {
        value
    };
    let is_open = rule.rsq_negative == RsqNegative::MagnitudeNotZero && !f.total;
    if is_open || rule.infinite != Infinite::Keep {
        f.code.slow(is_zero);
    }
    if rule.infinite != Infinite::Keep {
        let (size, end) = (f.code.op(Prim::Fabs, &[a]), f.number(f64::INFINITY));
        let endless = f.code.op(Prim::Feq, &[size, end]);
        f.code.slow(endless);
    }
    let value = if rule.rsq_negative == RsqNegative::Nan {
        // A negative reciprocal that was flushed has lost its sign.
        let zero = f.number(0.0);
        let below = f.code.op(Prim::Flt, &[a, zero]);
        let nan = f.number(f64::NAN);
        f.code.select(below, nan, value)
    } else {
        value
    };
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![a] })
}

/// The rounded natural logarithm times the rounded log2(e).
fn log2_steps(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let types = params(op, rule);
    let f = Float::new(rule, &types, observed, false)?;
    if f.shape == Shape::Native(Ty::F64) || rule.round != Round::NearestEven || rule.log_special != LogSpecial::Ieee {
        return None;
    }
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    let (a, x) = operand(&mut f, 0);
    let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
    let log = logarithm(&mut f, a, x, magnitude);
    let factor = f.code.number(Ty::F64, std::f64::consts::LN_2);
    let ln = f.code.fmul(f.code.plain(), log, factor);
    let ln = interval(&mut f, ln, fast::EPS_EXP_LOG * 2.0, false, 0, vec![a]);
    // What is infinite stays so, whatever the rule makes of infinite steps.
    let ln = f.step(&ln);
    if rule.infinite != Infinite::Keep {
        let infinity = f.code.number(Ty::F64, f64::INFINITY);
        let size = f.code.op(Prim::Fabs, &[log]);
        let endless = f.code.op(Prim::Feq, &[size, infinity]);
        f.code.slow(endless);
    }
    let scale = f.number(rounded(std::f64::consts::LOG2_E, f.format.frac));
    let mode = f.mode();
    let value = f.code.fmul(mode, ln, scale);
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![a] })
}

/// A number between 1 and 2 rounded to so many fraction bits.
pub(super) fn rounded(v: f64, frac: u8) -> f64 {
    let scale = crate::exact::power(i32::from(frac));
    (v * scale).round_ties_even() / scale
}
