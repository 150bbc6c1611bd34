//! Operands of sine and cosine on units that do not take radians: the angle is multiplied by a constant, perhaps folded into
//! one period, and each step is rounded.

use super::wide;
use crate::soft::arith::{exact_add, exact_mul, exact_sub};
use crate::soft::round::round;
use crate::soft::shape::integral;
use crate::soft::unpack::{flush_operand, unpack};
use crate::soft::value::{Real, Val};
use crate::{AngleFold, AngleUnit, Op, Round, Rule, Storage, Trig, ZeroMul};

/// 1/2.
const HALF: Val = Val::Real(Real { neg: false, exp: -1, sig: 1, sticky: false });
/// Binary32 patterns of 2 pi and pi.
const TWO_PI: u32 = 0x40c9_0fdb;
const PI: u32 = 0x4049_0fdb;

/// A reduced angle.
pub(super) struct Angle {
    pub(super) value: Val,
    /// Turns or half turns; radians where a unit goes back to them.
    pub(super) unit: AngleUnit,
    /// Whether the sine is negated and the cosine replaced: an odd number of half turns was taken off.
    pub(super) negate: bool,
    /// Whether a quarter turn was added, so that the sine of the angle is the cosine asked for.
    pub(super) quarter: bool,
}

/// The angle that the unit sees. The operand is a finite number.
pub(super) fn reduce(op: Op, rule: &Rule, a: Val) -> Angle {
    let Trig { unit, scale, chop, fold } = rule.trig;
    // A step inside a function: the rule for zeros is about the program's products.
    let rule = &Rule { zero_mul: ZeroMul::Ieee, ..*rule };
    let step = |v: Val| flush_operand(round(v, rule), rule);
    let constant = |bits: u32| unpack(u64::from(bits), Storage::F32);
    let fract = |v: Val| step(exact_sub(rule, v, integral(v, Round::Down)));
    let direction = if chop { Round::Zero } else { rule.round };
    let scaled = &Rule { round: direction, ..*rule };
    let angle = flush_operand(round(exact_mul(rule, a, constant(scale)), scaled), rule);
    let plain = |value: Val| Angle { value, unit, negate: false, quarter: false };
    match fold {
        AngleFold::None => plain(angle),
        AngleFold::Fract => plain(fract(angle)),
        AngleFold::FractHalf => plain(step(exact_sub(rule, fract(step(exact_add(rule, angle, HALF))), HALF))),
        AngleFold::FractHalfRadians => {
            let turns = fract(step(exact_add(rule, angle, HALF)));
            let radians = step(exact_mul(rule, turns, constant(TWO_PI)));
            let value = step(exact_sub(rule, radians, constant(PI)));
            Angle { value, unit: AngleUnit::Radians, negate: false, quarter: false }
        }
        AngleFold::Rint => {
            let quarter = op == Op::Cos;
            let angle = if quarter { step(exact_add(rule, angle, HALF)) } else { angle };
            let whole = integral(angle, Round::NearestEven);
            let odd = match whole {
                Val::Real(r) => {
                    let zeros = r.sig.trailing_zeros() as i32;
                    unit == AngleUnit::HalfTurns && r.exp + zeros == 0
                }
                _ => false,
            };
            Angle { value: step(exact_sub(rule, angle, whole)), unit, negate: odd, quarter }
        }
    }
}

/// The exact sine or cosine of a reduced angle.
pub(super) fn sine(op: Op, angle: &Angle) -> Val {
    let sine = op == Op::Sin || angle.quarter;
    let value = match (angle.value, angle.unit) {
        (Val::Zero(_), _) if !sine => Val::ONE,
        (Val::Real(r), AngleUnit::Radians) => Val::Real(if sine { wide::sin(r) } else { wide::cos(r) }),
        (Val::Real(r), AngleUnit::Turns) => wide::sin_of_turns(Real { exp: r.exp + 2, ..r }, !sine),
        (Val::Real(r), AngleUnit::HalfTurns) => wide::sin_of_turns(Real { exp: r.exp + 1, ..r }, !sine),
        (other, _) => other,
    };
    if angle.negate { value.negated() } else { value }
}
