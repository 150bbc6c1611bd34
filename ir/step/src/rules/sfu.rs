//! Function units whose data path is known to the bit: NVIDIA's special function unit in integers and tables, and the
//! polynomials of gallivm and SwiftShader in binary32. `parallax_num` has their text; here is what their rules say around it.

use super::arithmetic::Steps;
use super::float::{Float, Origin, Raw, Shape};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Id, Program};
use parallax_num::arithmetic::{Integers, Singles, Values};
use parallax_num::nv_sfu::{Function, Operand, evaluate};
use parallax_num::{
    AngleFold, AngleUnit, Denormals, Format, Op, Round, Rule, Storage, Trig, gallivm as polynomials, reactor,
};

/// Whether a rule can be served: operands and results are binary32.
fn begin(op: Op, rule: &Rule, observed: bool) -> Option<Float<'_>> {
    let positive = rule.denorm_in == Denormals::FlushPositive || rule.denorm_out == Denormals::FlushPositive;
    if rule.format != Format::F32 || rule.storage != Storage::F32 || positive {
        return None;
    }
    let f = Float::new(rule, &super::params(op, rule), observed, false)?;
    matches!(f.shape, Shape::Native(Ty::F32)).then_some(f)
}

/// A function of NVIDIA's unit.
pub(super) fn nv(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let function = Function::of(op)?;
    let mut f = begin(op, rule, observed)?;
    let (flush_in, flush_out) = (rule.denorm_in == Denormals::Flush, rule.denorm_out == Denormals::Flush);
    let turns = matches!(op, Op::Sin | Op::Cos) && rule.trig != Trig::RADIANS;
    if turns {
        let Trig { unit, chop, fold, .. } = rule.trig;
        let plain = unit == AngleUnit::Turns && fold == AngleFold::None && (chop || rule.round == Round::Zero);
        if !plain {
            return None;
        }
    }
    if !flush_in {
        let c = &mut f.code;
        let (size, least, zero) =
            (c.op(Prim::Fabs, &[0]), c.number(Ty::F32, f64::from(f32::MIN_POSITIVE)), c.number(Ty::F32, 0.0));
        let (below, some) = (c.op(Prim::Flt, &[size, least]), c.op(Prim::Flt, &[zero, size]));
        let denormal = c.and(below, some);
        c.slow(denormal);
    }
    let a = f.get(0);
    let c = &mut f.code;
    let (a, function) = if turns {
        // An angle in radians multiplied toward zero into turns.
        let scale = c.constant_of(Ty::F32, rule.trig.scale.into());
        (c.fmul(Mode { direction: Direction::Zero, flush: false }, a, scale), function.of_turns())
    } else {
        (a, function)
    };
    let bits = c.bits(a);
    let mut steps = Steps::single(c, flush_out, false);
    let operand = Operand::of(&mut steps, bits);
    if function == Function::Exp2 && !flush_out {
        // Below -126 the unit's operand is halved.
        let (low, high) = (steps.is_below(bits, 0xff80_0000u32 as i32), steps.is_below(bits, 0xc2fc_0000u32 as i32));
        let low = steps.both(low, operand.negative);
        let not_high = steps.not(high);
        let below = steps.both(low, not_high);
        steps.code.slow(below);
    }
    let result = evaluate(&mut steps, function, &operand);
    let value = f.code.float_of(result);
    f.conclude(&Raw { value, origin: Origin::Value, nans: Vec::new() })
}

/// A function of gallivm. `total`: without slow lanes for denormal operands that are read.
pub(super) fn gallivm(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let mut f = begin(op, rule, observed)?;
    let read = f.get(0);
    let c = &mut f.code;
    let flushed = c.op(Prim::Flush, &[read]);
    let (zero, before) = (c.number(Ty::F32, 0.0), c.op(Prim::Feq, &[flushed, read]));
    let (is_zero, other) = (c.op(Prim::Feq, &[flushed, zero]), c.not(before));
    let denormal = c.and(is_zero, other);
    let keeps = rule.denorm_in != Denormals::Flush;
    if keeps && !total {
        c.slow(denormal);
    }
    let a = if keeps && total { read } else { flushed };
    let mut steps = Steps::single(c, true, rule.unit_fused);
    let v = match op {
        Op::Exp2 | Op::Exp2Part => polynomials::exp2(&mut steps, a),
        Op::Log2 | Op::Log2Part => {
            let x = if op == Op::Log2Part { steps.fabs(a) } else { a };
            logarithm(&mut steps, x)
        }
        _ => {
            let v = polynomials::sin_cos(&mut steps, a, op == Op::Cos);
            let c = &mut f.code;
            let (size, infinity) = (c.op(Prim::Fabs, &[a]), c.number(Ty::F32, f64::INFINITY));
            let endless = c.op(Prim::Feq, &[size, infinity]);
            let nan = c.number(Ty::F32, f64::NAN);
            let v = c.select(endless, nan, v);
            // What is added to so small an angle is nothing.
            if op == Op::Sin && keeps && total { c.select(denormal, a, v) } else { v }
        }
    };
    let unordered = f.code.op(Prim::Funo, &[a, a]);
    let value = f.code.select(unordered, a, v);
    f.conclude(&Raw { value, origin: Origin::Value, nans: vec![a] })
}

/// A function of SwiftShader.
pub(super) fn swiftshader(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let mut f = begin(op, rule, observed)?;
    let a = f.get(0);
    let mut steps = Steps::single(&mut f.code, true, rule.unit_fused);
    let (value, nans) = match op {
        Op::Exp2 | Op::Exp2Part => (reactor::exp2(&mut steps, a), Vec::new()),
        Op::Log2 | Op::Log2Part => (reactor::log2(&mut steps, a), Vec::new()),
        _ => {
            let v = reactor::sin_cos(&mut steps, a, op == Op::Cos);
            let c = &mut f.code;
            let (size, infinity) = (c.op(Prim::Fabs, &[a]), c.number(Ty::F32, f64::INFINITY));
            let (endless, nan) = (c.op(Prim::Feq, &[size, infinity]), c.number(Ty::F32, f64::NAN));
            let v = c.select(endless, nan, v);
            let unordered = c.op(Prim::Funo, &[a, a]);
            (c.select(unordered, a, v), vec![a])
        }
    };
    f.conclude(&Raw { value, origin: Origin::Value, nans })
}

/// The logarithm with its special operands.
fn logarithm(steps: &mut Steps<'_>, x: Id) -> Id {
    let v = polynomials::log2(steps, x);
    let c = &mut *steps.code;
    let (zero, infinity) = (c.number(Ty::F32, 0.0), c.number(Ty::F32, f64::INFINITY));
    let (is_zero, is_infinite, below) =
        (c.op(Prim::Feq, &[x, zero]), c.op(Prim::Feq, &[x, infinity]), c.op(Prim::Flt, &[x, zero]));
    let nan = c.number(Ty::F32, f64::NAN);
    let minus = c.number(Ty::F32, f64::NEG_INFINITY);
    let v = c.select(is_infinite, infinity, v);
    let v = c.select(below, nan, v);
    c.select(is_zero, minus, v)
}
