//! The recipes with their special values.

use super::nearby::Approximation;
use super::{accuracy, angle, fast, gallivm, nv_sfu, power, reactor, wide};
use crate::arithmetic::Numbers;
use crate::soft::arith::{exact_dot, exact_mul, exact_sub};
use crate::soft::divide::{exact_div, exact_rcp, exact_rsq, exact_sqrt};
use crate::soft::round::{finish, finite, largest, round};
use crate::soft::unpack::{encode, flush_operand, unpack};
use crate::soft::value::{Real, Val, default_nan, propagated};
use crate::{
    Accuracy, AngleUnit, ComputedIn, Denormals, Div, FixedPoints, Format, Log2, LogNegative, LogSpecial, Op, Pow,
    Probe, Rcp, Round, Rsq, RsqNegative, Rule, Sqrt, StepRules, Storage, Trig, Unit, ZeroMul, ZeroPowZero,
};

/// One operation of the recipe family. `words` are the operands' lane words, `args` the same unpacked.
pub(crate) fn recipe(op: Op, rule: &Rule, words: &[u64], args: &[Val]) -> Val {
    match op {
        Op::Nrm => {
            let (dot, rsq) = (rule.step(0), rule.step(1));
            let v = [args[1], args[2], args[3]].map(|v| flush_operand(v, &dot));
            let exact = exact_dot(&dot, &v, &v, None);
            let length = if dot.accuracy == Accuracy::Correct || !is_float(&dot) {
                finish(exact, &dot)
            } else {
                let words = [v[0], v[1], v[2], v[0], v[1], v[2]].map(|v| encode(v, dot.storage));
                accuracy::choose(Op::Dot3, &dot, &words, exact, false)
            };
            let scale = step(&rsq, Op::Rsq, length);
            last_product(rule, args[0], scale)
        }
        Op::Div if rule.div != Div::Direct && is_float(rule) => {
            let reciprocal = step(&rule.step(0), Op::Rcp, args[1]);
            last_product(rule, args[0], reciprocal)
        }
        Op::Pow if rule.pow != Pow::C => pow_steps(rule, args[0], args[1]),
        Op::LitZ if rule.pow != Pow::C && is_float(rule) => match lit_operands(rule, args) {
            Ok((y, w)) if y.is_zero() && w.is_zero() && rule.pow != Pow::ExpLogZero => finish(Val::ONE, rule),
            Ok((y, w)) => pow_steps(rule, y, w),
            Err(special) => finish(special, rule),
        },
        Op::Sqrt if rule.sqrt != Sqrt::Direct && is_float(rule) => sqrt_steps(rule, args[0]),
        _ if rule.computed_in == ComputedIn::F32 && crate::reads::is_narrow(rule) => {
            let inner = rule.in_single();
            let mut wide = [0; 3];
            wide.iter_mut().zip(args).for_each(|(word, arg)| *word = widened(*arg));
            finish(recipe(op, &inner, &wide[..args.len().min(3)], args), rule)
        }
        Op::Rcp if rule.rcp != Rcp::Direct && is_float(rule) => newton(op, rule, words, args[0]),
        Op::Rsq if rule.rsq == Rsq::Newton && is_float(rule) => newton(op, rule, words, args[0]),
        Op::Rsq if rule.rsq != Rsq::Direct && is_float(rule) => finish(rsq_steps(rule, args[0]), rule),
        Op::Log2 | Op::Log2Part if rule.log2 != Log2::Direct && is_float(rule) => {
            let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
            finish(log2_steps(rule, args[0], magnitude), rule)
        }
        _ => {
            if let Some(function) = nv_sfu::Function::of(op).filter(|_| rule.unit == Unit::NvSfu && is_float(rule)) {
                return finish(nv_function(op, function, rule, args[0]), rule);
            }
            if rule.unit == Unit::Gallivm && is_float(rule) {
                let bits = encode(args[0], Storage::F32) as u32;
                if let Some(value) = gallivm::function(op, rule, args[0], bits) {
                    return finish(value, rule);
                }
            }
            if rule.unit == Unit::Swiftshader && is_float(rule) {
                let is_own = args[0].is_nan() && rule.storage == Storage::F32;
                let bits = if is_own { words[0] } else { widened(args[0]) } as u32;
                if let Some(value) = reactor::function(op, rule, args[0], bits) {
                    return finish(value, rule);
                }
            }
            if let Some(value) = quick(op, rule, words, args) {
                return value;
            }
            #[cfg(feature = "oracle-c")]
            if matches!(args[0], Val::Real(_)) {
                crate::counters::count(&crate::counters::WIDE);
            }
            let (value, pinned) = exact(op, rule, args);
            accuracy::choose(op, rule, words, value, pinned)
        }
    }
}

/// A value of a narrower format as a word of binary32; conversion makes a NaN quiet.
fn widened(arg: Val) -> u64 {
    encode(arg, Storage::F32) | if arg.is_nan() { 0x40_0000 } else { 0 }
}

/// a^b as an exponential of a logarithm.
fn pow_steps(rule: &Rule, a: Val, b: Val) -> Val {
    let (log2, mul) = (rule.step(0), rule.step(1));
    let a = flush_operand(a, &log2);
    match rule.pow {
        Pow::ExpLogOne if a.is_zero() && flush_operand(b, &mul).is_zero() => return finish(Val::ONE, rule),
        Pow::ExpLogZero if a.is_zero() || a.is_nan() => return finish(Val::Zero(false), rule),
        _ => {}
    }
    let log = step(&log2, Op::Log2, a);
    let product = product(&mul, b, log);
    // The last step's result is the operation's: it is no operand of anything.
    let last = rule.unclamped();
    let product = flush_operand(product, &last);
    finish(recipe(Op::Exp2, &last, &[encode(product, rule.storage)], &[product]), rule)
}

/// A recipe as a step inside another one, as an instruction of its own would give it; the operand's word is that of the
/// container the value would travel in.
fn step(rule: &Rule, op: Op, arg: Val) -> Val {
    let arg = flush_operand(arg, rule);
    let word = encode(arg, rule.storage);
    recipe(op, rule, &[word], &[arg])
}

/// A product as a step inside a recipe, as an instruction of its own would give it.
fn product(rule: &Rule, a: Val, b: Val) -> Val {
    let args = [flush_operand(a, rule), flush_operand(b, rule)];
    let exact = exact_mul(rule, args[0], args[1]);
    if rule.accuracy == Accuracy::Correct || !is_float(rule) {
        return finish(exact, rule);
    }
    accuracy::choose(Op::Mul, rule, &args.map(|v| encode(v, rule.storage)), exact, false)
}

/// The product that ends a chain.
fn last_product(rule: &Rule, a: Val, b: Val) -> Val {
    product(&Rule { steps: StepRules::OWN, ..*rule }, a, b)
}

fn is_float(rule: &Rule) -> bool {
    matches!(rule.format, Format::Float(_))
}

/// A rounded intermediate, as a later instruction would read it.
fn rounded(rule: &Rule, value: Val) -> Val {
    flush_operand(finite(round(value, rule), rule), rule)
}

/// Reciprocal square root in two rounded steps, the last unrounded.
fn rsq_steps(rule: &Rule, a: Val) -> Val {
    match a {
        Val::Real(r) if !r.neg || rule.rsq_negative != RsqNegative::Nan => {
            let a = Val::Real(r.with_sign(false));
            if rule.rsq == Rsq::RootOfReciprocal {
                exact_sqrt(rule, rounded(rule, exact_div(rule, Val::ONE, a)))
            } else {
                exact_div(rule, Val::ONE, rounded(rule, exact_sqrt(rule, a)))
            }
        }
        _ => exact_rsq(rule, a),
    }
}

/// Square root through the reciprocal square root, every step rounded.
fn sqrt_steps(rule: &Rule, a: Val) -> Val {
    let rsq = rule.step(0);
    let itself = matches!(flush_operand(a, &rsq), Val::Zero(_) | Val::Inf(false));
    if rule.sqrt == Sqrt::TimesRsq && itself {
        return finish(flush_operand(a, rule), rule);
    }
    let root = step(&rsq, Op::Rsq, a);
    match rule.sqrt {
        Sqrt::TimesRsq => last_product(rule, a, root),
        _ => {
            let root = flush_operand(root, rule);
            recipe(Op::Rcp, rule, &[encode(root, rule.storage)], &[root])
        }
    }
}

/// What a step of Newton's method multiplies an estimate `r` of a reciprocal with, 2 - x r; of the reciprocal of a root,
/// 1.5 - 0.5 (x (r r)).
pub fn newton_factor<A: Numbers>(a: &mut A, op: Op, x: A::Number, r: A::Number) -> A::Number {
    let (whole, rest) = if op == Op::Rcp {
        (a.number(2.0), a.fmul(x, r))
    } else {
        let square = a.fmul(r, r);
        let rest = a.fmul(x, square);
        let half = a.number(0.5);
        (a.number(1.5), a.fmul(half, rest))
    };
    a.fsub(whole, rest)
}

/// Steps whose results are rounded as a rule says.
struct Rounded<'r>(&'r Rule);

impl Numbers for Rounded<'_> {
    type Number = Val;

    fn number(&mut self, v: f64) -> Val {
        unpack(v.to_bits(), Storage::F64)
    }

    fn fsub(&mut self, a: Val, b: Val) -> Val {
        rounded(self.0, exact_sub(self.0, a, b))
    }

    fn fmul(&mut self, a: Val, b: Val) -> Val {
        rounded(self.0, exact_mul(self.0, a, b))
    }
}

/// A reciprocal, or the reciprocal of a root, and one step of Newton's method. The steps have the rule of the operation; its
/// accuracy is that of what they start from.
fn newton(op: Op, rule: &Rule, words: &[u64], a: Val) -> Val {
    let first = Rule { rcp: Rcp::Direct, rsq: Rsq::Direct, ..rule.unclamped() };
    let r = flush_operand(recipe(op, &first, words, &[a]), rule);
    let plain = &Rule { accuracy: Accuracy::Correct, ..first };
    let factor = newton_factor(&mut Rounded(plain), op, a, r);
    finish(exact_mul(rule, r, factor), rule)
}

/// A function of NVIDIA's unit, unrounded.
fn nv_function(op: Op, function: nv_sfu::Function, rule: &Rule, a: Val) -> Val {
    let lacks_denormals = matches!(rule.format, Format::Float(f) if !f.denormals);
    let flush = lacks_denormals || rule.denorm_out != Denormals::Keep;
    let (Val::Real(_), Op::Sin | Op::Cos, true) = (a, op, rule.trig != Trig::RADIANS) else {
        return nv_sfu::function(function, rule, encode(a, Storage::F32) as u32, flush);
    };
    let angle = angle::reduce(op, rule, a);
    let function = if angle.quarter { nv_sfu::Function::Sin } else { function };
    let (function, value) = match (angle.unit, angle.value) {
        (AngleUnit::Radians, v) => (function, v),
        (AngleUnit::HalfTurns, Val::Real(r)) => (function.of_turns(), Val::Real(Real { exp: r.exp - 1, ..r })),
        (_, v) => (function.of_turns(), v),
    };
    let value = nv_sfu::function(function, rule, encode(value, Storage::F32) as u32, flush);
    if angle.negate { value.negated() } else { value }
}

/// log2(e) as a binary64.
const LOG2_E: Real = Real { neg: false, exp: -52, sig: 0x17_1547_652b_82fe, sticky: true };

/// Base-2 logarithm as a rounded natural logarithm times the rounded log2(e), the product unrounded.
fn log2_steps(rule: &Rule, a: Val, magnitude: bool) -> Val {
    match a {
        Val::Real(r) if !r.neg || magnitude => {
            let ln = wide::ln(r.with_sign(false)).map_or(Val::Zero(false), Val::Real);
            let scale = round(Val::Real(LOG2_E), &Rule { round: Round::NearestEven, ..*rule });
            // A step inside a function: the rule for zeros is about the program's products.
            exact_mul(&Rule { zero_mul: ZeroMul::Ieee, ..*rule }, rounded(rule, ln), scale)
        }
        _ => log2(rule, a, magnitude),
    }
}

/// A result from binary64, where that decides: whatever the exact value is, it is the same.
fn quick(op: Op, rule: &Rule, words: &[u64], args: &[Val]) -> Option<Val> {
    let few_digits = match rule.format {
        Format::Float(f) => f.frac <= 25,
        Format::Fixed(f) => f.int + f.frac <= 25,
    };
    if !few_digits {
        return None;
    }
    if rule.accuracy != Accuracy::Correct && rule.probe != Probe::Nearest {
        if !is_float(rule) || may_be_pinned(op, &args[0]) {
            return None;
        }
        let (at, error) = approximate(op, rule, args)?;
        let found = accuracy::near(op, rule, words, Approximation { at, error: Some(error) })?;
        return Some(finish(unpack(found.to_bits(), Storage::F64), rule));
    }
    // The host's quotients and roots are no shorter than exact ones.
    if matches!(op, Op::Rcp | Op::Rsq | Op::Sqrt | Op::Div) {
        return None;
    }
    let (y, eps) = approximate(op, rule, args)?;
    let end = |y: f64| finish(unpack(y.to_bits(), Storage::F64), rule);
    let (low, high) = (end(y - y * eps), end(y + y * eps));
    (encode(low, rule.storage) == encode(high, rule.storage)).then_some(low)
}

/// Whether a function of this operand may be an exact point or, as a reciprocal, a power of two. Other operands of powers make none
/// by themselves.
fn may_be_pinned(op: Op, a: &Val) -> bool {
    match a {
        Val::Real(r) if matches!(op, Op::Exp2 | Op::Exp2Part) => integer_parity(r).0,
        Val::Real(r) => !matches!(op, Op::Sin | Op::Cos | Op::Div) && r.sig.is_power_of_two(),
        _ => true,
    }
}

/// A function in binary64, not zero, and how far it may be from the exact value, relative to it.
fn approximate(op: Op, rule: &Rule, args: &[Val]) -> Option<(f64, f64)> {
    let x = short(args[0])?;
    let found = match op {
        Op::Exp2 | Op::Exp2Part if x.abs() < 300.0 => (fast::exp2(x), fast::EPS_EXP_LOG),
        Op::Log2 if x > 0.0 => (fast::log2(x), fast::EPS_EXP_LOG),
        Op::Log2Part => (fast::log2(x.abs()), fast::EPS_EXP_LOG),
        Op::Sin | Op::Cos if rule.trig != Trig::RADIANS && is_float(rule) => {
            let angle = angle::reduce(op, rule, args[0]);
            let x = short(angle.value)?;
            let is_sine = op == Op::Sin || angle.quarter;
            let y = match angle.unit {
                AngleUnit::Radians => trig(x, is_sine),
                // Both are exact.
                AngleUnit::Turns => trig_of_turn(fast::turn_of_quarters(4.0 * x)?, is_sine),
                AngleUnit::HalfTurns => trig_of_turn(fast::turn_of_quarters(2.0 * x)?, is_sine),
            };
            (if angle.negate { -y } else { y }, fast::EPS_TRIG)
        }
        Op::Sin | Op::Cos => (trig(x, op == Op::Sin), fast::EPS_TRIG),
        Op::Rcp => (1.0 / x, fast::EPS_ROOT),
        Op::Rsq if x > 0.0 => (1.0 / x.sqrt(), fast::EPS_ROOT),
        Op::Sqrt if x > 0.0 => (x.sqrt(), fast::EPS_ROOT),
        Op::Div => (x / short(args[1])?, fast::EPS_ROOT),
        Op::Pow if x > 0.0 => {
            let y = fast::pow(x, short(args[1])?);
            // Near the ends of its own range the program clamps.
            let inside = y > f64::from_bits(724 << 52) && y < f64::from_bits(1322 << 52);
            inside.then_some((y, fast::EPS_POW))?
        }
        _ => return None,
    };
    (found.0 != 0.0).then_some(found)
}

/// Sine or cosine of an angle in radians.
fn trig(x: f64, is_sine: bool) -> f64 {
    match is_sine {
        true if x.abs() < fast::TRIG_LIMIT => fast::sin(x),
        false if x.abs() < fast::TRIG_LIMIT => fast::cos(x),
        _ => trig_of_turn(fast::turn_large(x), is_sine),
    }
}

/// Sine or cosine of a quadrant and a rest.
fn trig_of_turn((quadrant, rest): (u64, f64), is_sine: bool) -> f64 {
    fast::sin_of_turn((if is_sine { quadrant } else { quadrant.wrapping_add(1) }, rest))
}

/// A nonzero number of at most 24 bits as binary64.
fn short(v: Val) -> Option<f64> {
    match v {
        Val::Real(r) => {
            let width = 128 - r.sig.leading_zeros() - r.sig.trailing_zeros();
            (width <= 24 && r.top().abs() < 160).then(|| f64::from_bits(encode(v, Storage::F64)))
        }
        _ => None,
    }
}

/// The exact value (to a sticky fraction) and whether it is an exact point that no accuracy setting may move.
fn exact(op: Op, rule: &Rule, args: &[Val]) -> (Val, bool) {
    let a = args[0];
    let is_one = |v: Val| v.compare(&Val::ONE).is_eq() && !v.is_nan();
    let powers = rule.fixed_points == FixedPoints::Powers;
    let pinned = |point: bool| point && rule.fixed_points != FixedPoints::None;
    // The exponent of a power of two.
    let power = match a {
        Val::Real(r) if r.sig.is_power_of_two() => Some(r.top()),
        _ => None,
    };
    // What the rule makes of an operand without logarithm is no approximation.
    let special = !matches!(a, Val::Real(_));
    match op {
        Op::Div => (exact_div(rule, a, args[1]), false),
        Op::Rcp => (exact_rcp(rule, a), pinned(is_one(a.with_sign(false)) || powers && power.is_some())),
        Op::Rsq => {
            let even = power.is_some_and(|exp| exp & 1 == 0);
            (exact_rsq(rule, a), pinned(is_one(a.with_sign(false)) || powers && even))
        }
        Op::Sqrt => (exact_sqrt(rule, a), pinned(is_one(a))),
        Op::Exp2 | Op::Exp2Part => {
            let whole = matches!(a, Val::Real(r) if integer_parity(&r).0);
            (exp2(rule, a), pinned(a.is_zero() || powers && whole))
        }
        Op::Log2 => {
            let value = log2(rule, a, rule.log_negative == LogNegative::Magnitude);
            (value, special || pinned(is_one(a) || powers && power.is_some()))
        }
        Op::Log2Part => {
            (log2(rule, a, true), special || pinned(is_one(a.with_sign(false)) || powers && power.is_some()))
        }
        Op::Sin | Op::Cos => {
            let value = match a {
                Val::Nan(_) => propagated(rule, &[a]).unwrap_or(a),
                Val::Inf(_) => default_nan(rule),
                Val::Zero(_) if op == Op::Sin => a,
                Val::Zero(_) => Val::ONE,
                Val::Real(_) if rule.trig != Trig::RADIANS && is_float(rule) => {
                    angle::sine(op, &angle::reduce(op, rule, a))
                }
                Val::Real(r) if op == Op::Sin => Val::Real(wide::sin(r)),
                Val::Real(r) => Val::Real(wide::cos(r)),
            };
            (value, pinned(a.is_zero()))
        }
        Op::LitZ => lit_z(rule, args),
        _ => pow_c(rule, a, args[1]),
    }
}

fn exp2(rule: &Rule, a: Val) -> Val {
    match a {
        Val::Nan(_) => propagated(rule, &[a]).unwrap_or(a),
        Val::Inf(true) => Val::Zero(false),
        Val::Inf(false) => a,
        Val::Zero(_) => Val::ONE,
        Val::Real(r) => Val::Real(wide::exp2(r)),
    }
}

fn log2(rule: &Rule, a: Val, magnitude: bool) -> Val {
    if let (LogSpecial::Finite, Format::Float(f)) = (rule.log_special, rule.format) {
        match a {
            Val::Zero(_) => return Val::int(i128::from(f.min_exp() - 1)),
            Val::Inf(_) | Val::Nan(_) => return Val::int(i128::from(f.max_exp() + 1)),
            Val::Real(r) => return wide::log2(r.with_sign(false)).map_or(Val::Zero(false), Val::Real),
        }
    }
    match a {
        Val::Nan(_) => propagated(rule, &[a]).unwrap_or(a),
        Val::Zero(_) => match (rule.log_special, rule.format) {
            (LogSpecial::LeastOfZero, Format::Float(f)) => Val::Real(largest(f, true)),
            _ => Val::Inf(true),
        },
        _ if a.neg() && !magnitude => default_nan(rule),
        Val::Inf(_) => match (rule.log_special, rule.format) {
            (LogSpecial::LargestExponent, Format::Float(f)) => Val::int(i128::from(f.max_exp())),
            _ => Val::Inf(false),
        },
        Val::Real(r) => wide::log2(r.with_sign(false)).map_or(Val::Zero(false), Val::Real),
    }
}

/// Whether a number is an integer, and whether it is an odd one.
fn integer_parity(r: &Real) -> (bool, bool) {
    let zeros = r.sig.trailing_zeros() as i32;
    let lowest = r.exp + zeros;
    (lowest >= 0, lowest == 0)
}

/// a^b as the C function defines it.
fn pow_c(rule: &Rule, a: Val, b: Val) -> (Val, bool) {
    let one = |v: Val| !v.is_nan() && v.compare(&Val::ONE).is_eq();
    if b.is_zero() || one(a) {
        return (Val::ONE, true);
    }
    if let Some(nan) = propagated(rule, &[a, b]) {
        return (nan, true);
    }
    let (whole, odd) = match b {
        Val::Real(r) => integer_parity(&r),
        _ => (true, false),
    };
    let neg = a.neg() && odd;
    let to_zero = |up: bool| if up { Val::Inf(neg) } else { Val::Zero(neg) };
    match (a, b) {
        (Val::Zero(_), _) => (to_zero(b.neg()), true),
        (Val::Inf(_), _) => (to_zero(!b.neg()), true),
        (Val::Real(x), Val::Inf(down)) => {
            let value = match x.with_sign(false).cmp_abs(&Real { neg: false, exp: 0, sig: 1, sticky: false }) {
                std::cmp::Ordering::Equal => Val::ONE,
                order => to_zero(order.is_gt() != down),
            };
            (value, true)
        }
        (Val::Real(x), Val::Real(y)) => {
            if x.neg && !whole {
                return (default_nan(rule), true);
            }
            let magnitude = x.with_sign(false);
            if one(Val::Real(magnitude)) {
                return (Val::ONE.with_sign(neg), true);
            }
            (Val::Real(power::pow(magnitude, y).with_sign(neg)), false)
        }
        _ => (default_nan(rule), true),
    }
}

/// Base and exponent of the specular term of LIT, or what it is without a power.
fn lit_operands(rule: &Rule, args: &[Val]) -> Result<(Val, Val), Val> {
    let (x, y, w) = match rule.pow {
        // C's power reads its operands under the rule.
        Pow::C => (args[0], args[1], args[2]),
        _ => {
            (flush_operand(args[0], rule), flush_operand(args[1], &rule.step(0)), flush_operand(args[2], &rule.step(1)))
        }
    };
    let zero = Val::Zero(false);
    // A NaN is never above 0, whether the clamp keeps it or not.
    let dark = if x.is_nan() { !(rule.lit.nan_lights && is_float(rule)) } else { !x.compare(&zero).is_gt() };
    if dark {
        return Err(zero);
    }
    let y = match y {
        Val::Nan(_) if rule.lit.keep_nan => y,
        Val::Nan(_) => zero,
        v if v.compare(&zero).is_gt() => v,
        _ => zero,
    };
    let w = match rule.exponent_bound() {
        None => w,
        Some(bound) => {
            let bound = unpack(bound.to_bits(), Storage::F64);
            match w {
                Val::Nan(_) if rule.lit.nan_clamps => bound,
                Val::Nan(_) => w,
                v if v.compare(&bound).is_gt() => bound,
                v if v.compare(&bound.negated()).is_lt() => bound.negated(),
                v => v,
            }
        }
    };
    match rule.lit.zero_pow_zero {
        ZeroPowZero::Nan if y.is_zero() && w.is_zero() => return Err(default_nan(rule)),
        ZeroPowZero::Zero if y.is_zero() => return Err(zero),
        _ => {}
    }
    Ok((y, w))
}

/// The specular term of LIT with C's power.
fn lit_z(rule: &Rule, args: &[Val]) -> (Val, bool) {
    match lit_operands(rule, args) {
        Ok((y, w)) => pow_c(rule, y, w),
        Err(special) => (special, true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soft::unpack::operand;
    use crate::{Decl, Model, Slot};
    use parallax_random::Random;

    /// Whatever the bound, the probe and the way of reducing angles.
    #[test]
    fn binary64_gives_what_exact_numbers_give() {
        let mut random = Random::new(14);
        let (mut tried, mut quick_ones) = (0, 0);
        let bounds = ["2^-22", "<2^-21", "2^-11", "2^-22:0", "1ulp", "[-2.87,+0.09]ulp", "2^-20rel", "0.0008abs"];
        let ops = [Op::Rcp, Op::Rsq, Op::Sqrt, Op::Div, Op::Exp2, Op::Log2, Op::Log2Part, Op::Sin, Op::Cos, Op::Pow];
        for model in Model::builtins() {
            for op in ops {
                let rule = model.rule(op, &Slot::plain(Decl::F32), model.storage(Decl::F32)).0;
                if rule.storage != Storage::F32 {
                    continue;
                }
                for k in 0..160u64 {
                    let probe = [Probe::Lowest, Probe::Highest, Probe::Nearest, Probe::Random(k)][k as usize % 4];
                    let accuracy = Accuracy::from_name(bounds[random.below(8) as usize]).unwrap();
                    let round = [Round::NearestEven, Round::Zero, Round::Up, rule.round][random.below(4) as usize];
                    let rule = Rule { probe, accuracy, round, ..rule };
                    let mut word = || {
                        let exponent = [127, 126, 128, 120, 132, 100, 150][random.below(7) as usize];
                        let digits = [0, 1, 4, 12, 23][random.below(5) as usize];
                        let fraction = random.word() & ((1 << digits) - 1);
                        let neg = u64::from(random.below(4) == 0);
                        neg << 31 | exponent << 23 | fraction << (23 - digits)
                    };
                    let words = [word(), word()];
                    let args = words.map(|word| operand(word, &rule));
                    tried += 1;
                    let Some(found) = quick(op, &rule, &words, &args) else { continue };
                    quick_ones += 1;
                    let (value, pinned) = exact(op, &rule, &args);
                    let wanted = accuracy::by_exact_numbers(op, &rule, &words, value, pinned);
                    assert_eq!(
                        encode(found, rule.storage),
                        encode(wanted, rule.storage),
                        "{} {accuracy} {probe:?} {round:?} of {words:x?} under {}",
                        op.info().name,
                        model.label()
                    );
                }
            }
        }
        assert!(tried > 15_000 && quick_ones > tried / 4, "{quick_ones} of {tried}");
    }
}
