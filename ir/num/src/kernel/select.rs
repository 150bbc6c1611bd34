//! The choice of a fast path.

use super::clamp::{self, ClampFn};
use super::host32::Host32;
use super::host64::Host64;
use super::narrow::{self, Narrow};
use super::steps::{self, Steps};
use super::wide::Wide;
use super::{RowFn, angle, bits, chain, double, fixed, gallivm, newton, nv_sfu, programs};
use crate::processor::{Baseline, Level};
use crate::reads::{adds_products, bounded_sum, is_narrow};
use crate::{
    Accuracy, ComputedIn, Div, DotOrder, Family, FixedPoints, Fma, Format, Infinite, Log2, Lrp, Mad, NanResult, Op,
    Overflow, Pow, Probe, Rcp, RcpZero, Round, Rsq, Rule, Saturate, Sqrt, Storage, Trig, Unit, ZeroMulAdd, ZeroSign,
};

/// The fast path of an operation under a rule, if there is one.
pub(super) fn select<L: Level>(op: Op, rule: &Rule) -> Option<(RowFn, Option<ClampFn>)> {
    match op.info().family {
        Family::Int | Family::Logic => return bits::select_integer(op).map(|run| (run, None)),
        Family::Bits => return bits::select_moves(op, rule).map(|run| (run, None)),
        _ => {}
    }
    if let Format::Fixed(_) = rule.format {
        // In a float container the words are no integers.
        let run = if matches!(rule.storage, Storage::Fixed(_)) { fixed::select(op, rule) } else { None };
        return run.map(|run| (run, None));
    }
    let moved = rule.accuracy != Accuracy::Correct && rule.probe != Probe::Nearest;
    let no_minus_zero = rule.zero_sign == ZeroSign::Positive;
    if rule.scale != 0
        || (rule.unit != Unit::None && (no_minus_zero || rule.nan_result == NanResult::Infinity))
        || (moved && bounded_sum(op))
        || (rule.infinite != Infinite::Keep && has_stepped_formula(op, rule))
    {
        return None;
    }
    let clamped =
        (rule.saturate != Saturate::None || rule.infinite != Infinite::Keep) && op.info().result == crate::Kind::F;
    let clamp = clamped.then(|| clamp::select::<L>(rule.storage)).flatten();
    let nearest = rule.round == Round::NearestEven && rule.overflow != Overflow::Largest && !no_minus_zero;
    if let Some(run) = formula(op, rule) {
        return run.map(|run| (run, clamp));
    }
    let run = match rule.storage {
        Storage::F32 if rule.format == Format::F32 && nearest => narrow_recipe::<Host32<L>>(op, rule),
        Storage::F64 if rule.format == Format::F64 && nearest => by_steps::<Host64<L>>(op, rule).or_else(|| {
            let direct = rule.rsq == Rsq::Direct && rule.log2 == Log2::Direct && is_correct(rule);
            direct.then(|| double::select::<L>(op)).flatten()
        }),
        Storage::F16 => match narrow::covers(rule)? {
            false => narrow_recipe::<Narrow<u16, L, false>>(op, rule),
            true => narrow_recipe::<Narrow<u16, Baseline, true>>(op, rule),
        },
        // Few models have such formats.
        Storage::F32 => narrow::covers(rule).and_then(|_| narrow_recipe::<Narrow<u32, Baseline, true>>(op, rule)),
        Storage::F64 if rule.format == Format::F32 && nearest => narrow_recipe::<Wide<Host32<Baseline>>>(op, rule),
        Storage::F64 => {
            narrow::covers(&Rule { storage: Storage::F32, ..*rule })?;
            narrow_recipe::<Wide<Narrow<u32, Baseline, true>>>(op, rule)
        }
        Storage::Fixed(_) => None,
    };
    run.map(|run| (run, clamp))
}

/// Formulas that no path of [`narrow_recipe`] looks at: the way of the row, or none but [`crate::eval`].
fn formula(op: Op, rule: &Rule) -> Option<Option<RowFn>> {
    match op {
        _ if is_computed_wider(op, rule) => Some(Some(chain::in_binary32)),
        // Chains leave this to their steps.
        _ if rule.computed_in == ComputedIn::F32
            && is_narrow(rule)
            && op.info().family == Family::Recipe
            && crate::steps::chain(op, rule).is_none() =>
        {
            Some(None)
        }
        _ if adds_products(op) && rule.zero_mul_add != ZeroMulAdd::Add => Some(None),
        Op::Div if rule.div != Div::Direct => Some(Some(chain::times_rcp)),
        Op::Sqrt if rule.sqrt == Sqrt::ReciprocalOfRsq => Some(Some(chain::reciprocal_of_rsq)),
        Op::Sqrt if rule.sqrt == Sqrt::TimesRsq => Some(Some(chain::times_rsq)),
        Op::LitZ if rule.pow != Pow::C => Some((rule.storage == Storage::F32).then_some(chain::lit_exp_log)),
        Op::Sin | Op::Cos
            if rule.trig_clamp
                && rule.probe != Probe::Nearest
                && rule.unit == Unit::None
                && rule.trig == Trig::RADIANS =>
        {
            Some(None)
        }
        Op::Mad | Op::Lrp | Op::Fma if takes_truncated(op, rule) => Some(stepwise(op, rule)),
        Op::Rcp if rule.rcp != Rcp::Direct => Some(stepwise(op, rule)),
        Op::Rsq if rule.rsq == Rsq::Newton => Some(stepwise(op, rule)),
        Op::Rsq if rule.rsq != Rsq::Direct => None,
        Op::Log2 | Op::Log2Part if rule.log2 != Log2::Direct => None,
        Op::Rcp | Op::Rsq | Op::Sqrt | Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos
            if rule.unit == Unit::NvSfu =>
        {
            Some(nv_sfu::select(op, rule))
        }
        Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos if rule.unit == Unit::Gallivm => {
            Some(gallivm::select(op, rule))
        }
        Op::Sin | Op::Cos if rule.trig != Trig::RADIANS => Some(stepwise(op, rule)),
        _ => None,
    }
}

/// Whether a function of a binary16 format is computed in binary32.
pub(super) fn is_computed_wider(op: Op, rule: &Rule) -> bool {
    rule.computed_in == ComputedIn::F32
        && is_narrow(rule)
        && rule.storage == Storage::F16
        && op.info().family == Family::Recipe
        && op.info().args.len() == 1
        && crate::steps::chain(op, rule).is_none()
}

/// Whether a product is cut before it is added.
fn takes_truncated(op: Op, rule: &Rule) -> bool {
    let formula = match op {
        Op::Fma => rule.fma == Fma::Mad,
        Op::Lrp => rule.lrp == Lrp::Difference,
        _ => true,
    };
    formula && matches!(rule.mad, Mad::Truncated(_) | Mad::TruncatedUnlessZero(_))
}

/// Formulas in rounded steps that few models have: one form for all rules of a container.
fn stepwise(op: Op, rule: &Rule) -> Option<RowFn> {
    narrow::covers(rule)?;
    match rule.storage {
        Storage::F16 => stepwise_in::<Narrow<u16, Baseline, true>>(op, rule),
        _ => stepwise_in::<Narrow<u32, Baseline, true>>(op, rule),
    }
}

fn stepwise_in<S: Steps>(op: Op, rule: &Rule) -> Option<RowFn> {
    match op {
        Op::Mad | Op::Fma => Some(steps::mad_truncated::<S, false>),
        Op::Lrp => Some(steps::mad_truncated::<S, true>),
        // Their first step has a kernel of its own.
        Op::Rcp => Some(newton::rcp::<S>),
        Op::Rsq => Some(newton::rsq::<S>),
        _ if is_correct(rule) => angle::select::<S>(op, rule),
        _ => None,
    }
}

/// Functions computed in rounded steps, where an infinity of a step may not show in the result.
fn has_stepped_formula(op: Op, rule: &Rule) -> bool {
    match op {
        Op::Rcp => rule.rcp != Rcp::Direct,
        Op::Rsq => rule.rsq != Rsq::Direct,
        Op::Log2 | Op::Log2Part => rule.log2 != Log2::Direct,
        _ => false,
    }
}

/// Whether a recipe gives the correctly rounded value.
fn is_correct(rule: &Rule) -> bool {
    rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest
}

/// With the recipes for operands of at most 24 bits.
fn narrow_recipe<S: Steps>(op: Op, rule: &Rule) -> Option<RowFn> {
    if let Some(run) = by_steps::<S>(op, rule) {
        return Some(run);
    }
    // Rounded steps in a directed mode would need log2(e) rounded to nearest.
    let nearest = rule.round == Round::NearestEven;
    match op {
        Op::Rsq if rule.rsq == Rsq::ReciprocalOfRoot => return Some(steps::rsq_steps::<S::Base, true>),
        Op::Rsq if rule.rsq == Rsq::RootOfReciprocal => return Some(steps::rsq_steps::<S::Base, false>),
        Op::Log2 if rule.log2 != Log2::Direct => return nearest.then_some(steps::log2_steps::<S::Base>),
        Op::Log2Part if rule.log2 != Log2::Direct => return None,
        _ => {}
    }
    if is_correct(rule) {
        return match op {
            Op::Pow => Some(steps::pow_c::<S>),
            Op::LitZ => Some(steps::lit_z::<S>),
            _ => programs::nearest::<S>(op),
        };
    }
    // What a bound moves below zero may be cut to a zero without sign.
    let no_minus_zero = rule.zero_sign == ZeroSign::Positive;
    if !programs::serves(rule) || rule.fixed_points == FixedPoints::Powers || no_minus_zero {
        return None;
    }
    match rule.probe {
        Probe::Nearest => None,
        Probe::Random(_) => programs::random::<S::Base>(op),
        // The ends of a bound are found by directed rounding, whatever the rule's own direction.
        Probe::Lowest | Probe::Highest => {
            narrow::covers(&Rule { round: Round::Up, overflow: Overflow::Ieee, ..*rule })?;
            match rule.storage {
                Storage::F16 => programs::extreme::<Narrow<u16, Baseline, true>>(op),
                _ => programs::extreme::<Narrow<u32, Baseline, true>>(op),
            }
        }
    }
}

/// With the steps alone.
pub(super) fn by_steps<S: Steps>(op: Op, rule: &Rule) -> Option<RowFn> {
    let left_to_right = rule.dot.order == DotOrder::LeftToRight;
    let reversed = matches!(rule.dot.order, DotOrder::RightToLeft | DotOrder::RightToLeftInner);
    // A pairwise sum of two products is one from left to right.
    let fused = rule.dot.fused;
    let two = left_to_right || rule.dot.order == DotOrder::Pairwise;
    Some(match op {
        Op::Add => steps::add::<S>,
        Op::Sub => steps::subtract::<S>,
        Op::Mul | Op::Dst => steps::mul::<S>,
        Op::Fma if rule.fma == Fma::Fused => steps::fma::<S>,
        Op::Mad | Op::Fma => match rule.mad {
            Mad::Fused => steps::fma::<S>,
            Mad::Separate => steps::mad_separate::<S>,
            Mad::Truncated(_) | Mad::TruncatedUnlessZero(_) => return None,
        },
        Op::Lrp => match (rule.lrp, rule.mad) {
            (Lrp::FmaBlend, _) => steps::lrp_fma::<S>,
            (Lrp::Blend, _) => steps::lrp_blend::<S::Base>,
            (Lrp::Difference, Mad::Separate) => steps::lrp_difference::<S::Base>,
            (Lrp::Difference, Mad::Fused) => steps::lrp_difference_fused::<S::Base>,
            (Lrp::Difference, Mad::Truncated(_) | Mad::TruncatedUnlessZero(_)) => return None,
        },
        // Two terms add up to the same in any order.
        Op::Dot2 if (two || reversed) && !fused => steps::dot2::<S>,
        Op::Dot2 if two => steps::dot2_fused::<S>,
        Op::Dp2a if two && !fused => steps::dp2a::<S::Base>,
        Op::Dp2a if two => steps::dp2a_fused::<S::Base>,
        Op::Dot3 if left_to_right && !fused => steps::dot3::<S>,
        Op::Dot3 if left_to_right => steps::dot3_fused::<S>,
        Op::Dot3 if reversed && !fused => steps::dot3_reversed::<S::Base>,
        Op::Dot4 if reversed && !fused => steps::dot4_reversed::<S::Base>,
        Op::Dot4 if left_to_right && !fused => steps::dot4::<S>,
        Op::Dot4 if left_to_right => steps::dot4_fused::<S>,
        Op::Dph if left_to_right && !fused => steps::dph::<S::Base>,
        Op::Dph if left_to_right => steps::dph_fused::<S::Base>,
        Op::Min => steps::min::<S>,
        Op::Max => steps::max::<S>,
        Op::Floor => steps::floor::<S>,
        Op::Ceil => steps::ceil::<S::Base>,
        Op::Trunc => steps::trunc::<S::Base>,
        Op::Rint => steps::rint::<S::Base>,
        Op::Frac => steps::frac::<S>,
        Op::Sign => steps::sign::<S::Base>,
        Op::LitY => steps::lit_y::<S::Base>,
        Op::I2f => steps::from_signed::<S::Base>,
        Op::U2f => steps::from_unsigned::<S::Base>,
        Op::Cvt => steps::convert::<S>,
        Op::Div if is_correct(rule) => steps::div::<S>,
        // The sign of an infinite reciprocal is the rule's business elsewhere.
        Op::Rcp if is_correct(rule) && rule.rcp_zero == RcpZero::Signed => steps::rcp::<S>,
        Op::Sqrt if is_correct(rule) => steps::sqrt::<S>,
        Op::Nrm => chain::nrm,
        Op::Pow if rule.pow != Pow::C => chain::exp_log,
        _ => return steps::comparison::<S::Base>(op).or_else(|| steps::integer::<S::Base>(op)),
    })
}
