//! Second programs: of operations whose first ones leave lanes open, or take many steps where a machine has integers alone.
//!
//! Functions are evaluated in integers ([`integers`]). Angles may be as large as they like.

use super::chain::{chain, is_chain, lit_steps};
use super::float::{Float, Origin, Raw, Shape};
use super::integers::{self, Base, power_of_doubles, power_of_operands};
use super::recipe::{
    logarithm_of_specials, operand, quarters, quotient_or_root, raw, reciprocal_of_zero, reduce, rounded, rsq_steps,
};
use super::{arith, convert, double, fixed, params, sfu};
use crate::prim::{Prim, Ty};
use crate::program::Program;
use parallax_num::{
    Accuracy, AngleUnit, Family, Format, Infinite, Log2, LogNegative, LogSpecial, NanResult, Op, Overflow, Probe,
    Round, Rsq, RsqNegative, Rule, Storage, Tininess, Trig, Unit, ZeroMul,
};

/// Whether what is cut becomes an infinity beyond the largest number: in the format itself nobody sees which results do.
pub(super) fn goes_beyond(rule: &Rule) -> bool {
    rule.overflow == Overflow::Infinity && !matches!(rule.round, Round::NearestEven | Round::NearestAway)
}

/// Whether a rounded number does not say what the result is: exact ones are flushed before they are rounded, or become infinite although
/// they are cut.
fn depends_on_exact(rule: &Rule) -> bool {
    rule.tininess == Tininess::Before || goes_beyond(rule)
}

/// The second program of an operation under a rule; `None` if there is none. It may have slow lanes of its own.
pub fn second(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    if matches!(rule.format, Format::Fixed(_)) {
        return fixed::program(op, rule, true);
    }
    match op.info().family {
        Family::Arith if op == Op::Ldexp && rule.storage == Storage::F64 => {
            let f = Float::new(rule, &params(op, rule), observed, false)?;
            return if f.shape == Shape::Native(Ty::F64) { in_double(op, f) } else { None };
        }
        Family::MinMax => return arith::min_max(op, rule, observed, true),
        Family::Compare => return arith::compare(op, rule, true),
        // Products of zeros and NaN have a sign of their own where zero does not win.
        Family::Arith if rule.nan_result == NanResult::Infinity => {
            let is_known = rule.zero_mul == ZeroMul::Zero || !arith::truncates(op, rule);
            return arith::program(op, rule, observed, true).filter(|_| is_known);
        }
        // Results that are flushed before they are rounded, or infinite although they are cut.
        Family::Arith if depends_on_exact(rule) => return arith::program(op, rule, observed, true),
        Family::Shape if depends_on_exact(rule) => return arith::shape(op, rule, observed, true),
        Family::Convert if depends_on_exact(rule) => return convert::convert(rule, observed, true),
        Family::ToInt => return convert::to_int(op, rule, true),
        Family::Bits => return convert::moves(op, rule, true),
        Family::Pack => return convert::pack(op, rule, observed, true),
        Family::Recipe => {}
        _ => return None,
    }
    let is_correct = rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest;
    if !is_correct {
        return None;
    }
    if is_chain(op, rule) {
        return chain(op, rule, observed, true);
    }
    // What is known to the bit has no slow lanes that a second program could decide.
    if rule.unit == Unit::Gallivm && matches!(op, Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos)
    {
        return sfu::gallivm(op, rule, observed, true);
    }
    if matches!(op, Op::Log2 | Op::Log2Part) && rule.log2 != Log2::Direct {
        return natural_logarithm(op, rule, observed);
    }
    let in_unit = match rule.unit {
        Unit::NvSfu => op != Op::Div && !(op == Op::Rsq && rule.rsq != Rsq::Direct),
        Unit::Swiftshader | Unit::Gallivm => !matches!(op, Op::Div | Op::Rcp | Op::Sqrt | Op::Rsq),
        _ => false,
    };
    if in_unit {
        return None;
    }
    let is_direct = match op {
        Op::Div | Op::Rcp | Op::Sqrt => return quotient_or_root(op, rule, observed, true),
        Op::Log2 | Op::Log2Part => true,
        Op::Rsq if rule.rsq != Rsq::Direct => return rsq_steps(rule, observed, true),
        Op::Rsq => true,
        Op::Exp2 | Op::Exp2Part | Op::Sin | Op::Cos | Op::Pow => true,
        Op::LitZ => return lit_steps(rule, true),
        _ => false,
    };
    if !is_direct {
        return None;
    }
    let f = Float::new(rule, &params(op, rule), observed, false)?;
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    if f.shape == Shape::Native(Ty::F64) {
        return in_double(op, f);
    }
    f.total = true;
    if op == Op::Pow {
        let (nans, value) = power_of_operands(&mut f);
        let raw = raw(&mut f, value, nans);
        return f.conclude(&raw);
    }
    let (a, x) = operand(&mut f, 0);
    let y = match op {
        Op::Rsq => {
            let size = if rule.rsq_negative == RsqNegative::Nan { x } else { f.code.op(Prim::Fabs, &[x]) };
            let y = integers::reciprocal_root(&mut f.code, size);
            let raw = raw(&mut f, y, vec![a]);
            let value = reciprocal_of_zero(&mut f, a, raw.value);
            return f.conclude(&Raw { value, ..raw });
        }
        Op::Exp2 | Op::Exp2Part => integers::exp2(&mut f.code, x),
        Op::Log2 | Op::Log2Part => {
            let is_finite = rule.log_special == LogSpecial::Finite;
            let magnitude = is_finite || op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
            let ends = logarithm_of_specials(&f);
            let y = integers::logarithm(&mut f.code, x, magnitude, Base::Two, ends);
            // A NaN operand is no NaN result where logarithms are finite.
            let raw = raw(&mut f, y, if is_finite { Vec::new() } else { vec![a] });
            return f.conclude(&raw);
        }
        _ if rule.trig.unit == AngleUnit::Radians => integers::sine_of_radians(&mut f.code, x, op == Op::Cos),
        _ => {
            let reduced = reduce(op, &mut f, a);
            quarters(&mut f, op, x, &reduced, integers::sine_of_turns, integers::sine_of_radians)
        }
    };
    let raw = raw(&mut f, y, vec![a]);
    f.conclude(&raw)
}

/// A function in binary64.
fn in_double(op: Op, mut f: Float<'_>) -> Option<Program> {
    let rule = f.rule;
    if !double::serves(&f) || f.mode().flush {
        return None;
    }
    f.total = true;
    let x = f.get(0);
    let value = match op {
        Op::Rsq => {
            let size = if rule.rsq_negative == RsqNegative::Nan { x } else { f.code.op(Prim::Fabs, &[x]) };
            let y = integers::double::reciprocal_root(&mut f.code, size);
            reciprocal_of_zero(&mut f, x, y)
        }
        Op::Pow => {
            let w = f.get(1);
            let value = power_of_doubles(&mut f.code, x, w);
            return f.conclude(&Raw { value, origin: Origin::Other, nans: vec![x, w] });
        }
        Op::Ldexp => integers::double::ldexp(&mut f.code, x, 1),
        Op::Exp2 | Op::Exp2Part => integers::double::exp2(&mut f.code, x),
        Op::Log2 | Op::Log2Part if rule.log_special == LogSpecial::Ieee => {
            let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
            let x = if magnitude { f.code.op(Prim::Fabs, &[x]) } else { x };
            integers::double::log2(&mut f.code, x)
        }
        Op::Sin | Op::Cos if rule.trig == Trig::RADIANS => integers::double::sine(&mut f.code, x, op == Op::Cos),
        _ => return None,
    };
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![x] })
}

/// A logarithm that is a natural one, rounded, times a constant.
fn natural_logarithm(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let f = Float::new(rule, &params(op, rule), observed, false)?;
    let is_plain = rule.log_special == LogSpecial::Ieee && rule.infinite == Infinite::Keep;
    if f.shape == Shape::Native(Ty::F64) || !is_plain {
        return None;
    }
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    f.total = true;
    let (a, x) = operand(&mut f, 0);
    let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
    let ends = [f64::NEG_INFINITY, f64::INFINITY, f64::NAN];
    let ln = integers::logarithm(&mut f.code, x, magnitude, Base::E, ends);
    let ln = raw(&mut f, ln, vec![a]);
    let ln = f.step(&ln);
    let scale = f.number(rounded(std::f64::consts::LOG2_E, f.format.frac));
    let mode = f.mode();
    let value = f.code.fmul(mode, ln, scale);
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![a] })
}
