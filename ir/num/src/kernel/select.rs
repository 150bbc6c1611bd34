//! The choice of a fast path.

use super::clamp::{self, ClampFn};
use super::host32::Host32;
use super::host64::Host64;
use super::narrow::{self, Narrow};
use super::steps::{self, Steps};
use super::wide::Wide;
use super::{RowFn, bits, chain, fixed, gallivm, nv_sfu, programs};
use crate::processor::{Baseline, Level};
use crate::reads::{adds_products, bounded_sum, is_narrow};
use crate::{
    Accuracy, ComputedIn, Denormals, Div, DotOrder, Family, FixedPoints, Fma, Format, FracOne, Infinite, Log2,
    LogSpecial, Lrp, Mad, NanResult, Op, Overflow, Pow, Probe, Rcp, RcpZero, Round, Rsq, Rule, Saturate, Sqrt, Storage,
    Trig, Unit, ZeroMulAdd, ZeroSign,
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
    // A conversion does not look whether its operand was denormal.
    let positive =
        rule.denorm_out == Denormals::FlushPositive || (op == Op::Cvt && rule.denorm_in == Denormals::FlushPositive);
    let moved = rule.accuracy != Accuracy::Correct && rule.probe != Probe::Nearest;
    if rule.scale != 0
        || positive
        || rule.zero_sign != ZeroSign::Keep
        || rule.nan_result == NanResult::Infinity
        || (moved && bounded_sum(op))
        || (rule.infinite != Infinite::Keep && has_inner_steps(op))
    {
        return None;
    }
    let clamped =
        (rule.saturate != Saturate::None || rule.infinite != Infinite::Keep) && op.info().result == crate::Kind::F;
    let clamp = clamped.then(|| clamp::select::<L>(rule.storage)).flatten();
    let nearest = rule.round == Round::NearestEven && rule.overflow != Overflow::Largest;
    if let Some(run) = formula(op, rule) {
        return run.map(|run| (run, clamp));
    }
    let run = match rule.storage {
        Storage::F32 if rule.format == Format::F32 && nearest => narrow_recipe::<Host32<L>>(op, rule),
        Storage::F64 if rule.format == Format::F64 && nearest => by_steps::<Host64<L>>(op, rule),
        Storage::F16 => match narrow::covers(rule)? {
            false => narrow_recipe::<Narrow<u16, L, false>>(op, rule),
            true => narrow_recipe::<Narrow<u16, Baseline, true>>(op, rule),
        },
        Storage::F32 => match narrow::covers(rule)? {
            false => narrow_recipe::<Narrow<u32, L, false>>(op, rule),
            true => narrow_recipe::<Narrow<u32, Baseline, true>>(op, rule),
        },
        Storage::F64 if rule.format == Format::F32 && nearest => narrow_recipe::<Wide<Host32<Baseline>>>(op, rule),
        Storage::F64 => match narrow::covers(&Rule { storage: Storage::F32, ..*rule })? {
            false => narrow_recipe::<Wide<Narrow<u32, Baseline, false>>>(op, rule),
            true => narrow_recipe::<Wide<Narrow<u32, Baseline, true>>>(op, rule),
        },
        Storage::Fixed(_) => None,
    };
    run.map(|run| (run, clamp))
}

/// Recipes by a known data path or by a formula that no other path looks at: the way of the row, or none but [`crate::eval`].
fn formula(op: Op, rule: &Rule) -> Option<Option<RowFn>> {
    match op {
        Op::Fma if rule.fma != Fma::Fused => Some(None),
        Op::Rcp if rule.rcp != Rcp::Direct => Some(None),
        Op::Rsq if rule.rsq == Rsq::Newton => Some(None),
        // Chains leave this to their steps.
        _ if rule.computed_in == ComputedIn::F32
            && is_narrow(rule)
            && op.info().family == Family::Recipe
            && crate::steps::chain(op, rule).is_none() =>
        {
            Some(None)
        }
        Op::Div if rule.div != Div::Direct => Some(Some(chain::times_rcp)),
        Op::Rcp | Op::Rsq if rule.rcp_zero != RcpZero::Signed && rule.unit != Unit::NvSfu => Some(None),
        Op::Log2 | Op::Log2Part if rule.log_special != LogSpecial::Ieee && rule.unit == Unit::None => Some(None),
        Op::Frac if rule.frac_one != FracOne::Allowed => Some(None),
        _ if adds_products(op) && rule.zero_mul_add != ZeroMulAdd::Add => Some(None),
        Op::Sin | Op::Cos
            if rule.trig_clamp
                && rule.probe != Probe::Nearest
                && rule.unit == Unit::None
                && rule.trig == Trig::RADIANS =>
        {
            Some(None)
        }
        Op::Sqrt if rule.sqrt == Sqrt::ReciprocalOfRsq => Some(Some(chain::reciprocal_of_rsq)),
        Op::Sqrt if rule.sqrt != Sqrt::Direct => Some(None),
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
        Op::LitZ if rule.pow != Pow::C => Some(None),
        Op::Sin | Op::Cos if rule.trig != Trig::RADIANS => Some(None),
        _ => None,
    }
}

/// Formulas whose rounded steps do not go through a kernel of their own.
fn has_inner_steps(op: Op) -> bool {
    matches!(op, Op::Rsq | Op::Log2 | Op::Log2Part)
        || (op.info().family == Family::Arith
            && !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Dst | Op::Fma | Op::LitY))
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
        Op::Rsq if rule.rsq == Rsq::ReciprocalOfRoot => return Some(steps::rsq_steps::<S, true>),
        Op::Rsq if rule.rsq == Rsq::RootOfReciprocal => return Some(steps::rsq_steps::<S, false>),
        Op::Log2 if rule.log2 != Log2::Direct => return nearest.then_some(steps::log2_steps::<S>),
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
    if !programs::serves(rule) || rule.fixed_points == FixedPoints::Powers {
        return None;
    }
    match rule.probe {
        Probe::Nearest => None,
        Probe::Random(_) => programs::random::<S>(op),
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
        Op::Fma => steps::fma::<S>,
        Op::Mad => match rule.mad {
            Mad::Fused => steps::fma::<S>,
            Mad::Separate => steps::mad_separate::<S>,
            Mad::Truncated(_) | Mad::TruncatedUnlessZero(_) => return None,
        },
        Op::Lrp => match (rule.lrp, rule.mad) {
            (Lrp::FmaBlend, _) => steps::lrp_fma::<S>,
            (Lrp::Blend, _) => steps::lrp_blend::<S>,
            (Lrp::Difference, Mad::Separate) => steps::lrp_difference::<S>,
            (Lrp::Difference, Mad::Fused) => steps::lrp_difference_fused::<S>,
            (Lrp::Difference, Mad::Truncated(_) | Mad::TruncatedUnlessZero(_)) => return None,
        },
        // Two terms add up to the same in any order.
        Op::Dot2 if (two || reversed) && !fused => steps::dot2::<S>,
        Op::Dot2 if two => steps::dot2_fused::<S>,
        Op::Dp2a if two && !fused => steps::dp2a::<S>,
        Op::Dp2a if two => steps::dp2a_fused::<S>,
        Op::Dot3 if left_to_right && !fused => steps::dot3::<S>,
        Op::Dot3 if left_to_right => steps::dot3_fused::<S>,
        Op::Dot3 if reversed && !fused => steps::dot3_reversed::<S>,
        Op::Dot4 if reversed && !fused => steps::dot4_reversed::<S>,
        Op::Dot4 if left_to_right && !fused => steps::dot4::<S>,
        Op::Dot4 if left_to_right => steps::dot4_fused::<S>,
        Op::Dph if left_to_right && !fused => steps::dph::<S>,
        Op::Dph if left_to_right => steps::dph_fused::<S>,
        Op::Min => steps::min::<S>,
        Op::Max => steps::max::<S>,
        Op::Floor => steps::floor::<S>,
        Op::Ceil => steps::ceil::<S>,
        Op::Trunc => steps::trunc::<S>,
        Op::Rint => steps::rint::<S>,
        Op::Frac => steps::frac::<S>,
        Op::Sign => steps::sign::<S>,
        Op::LitY => steps::lit_y::<S>,
        Op::I2f => steps::from_signed::<S>,
        Op::U2f => steps::from_unsigned::<S>,
        Op::Cvt => steps::convert::<S>,
        Op::Div if is_correct(rule) => steps::div::<S>,
        Op::Rcp if is_correct(rule) => steps::rcp::<S>,
        Op::Sqrt if is_correct(rule) => steps::sqrt::<S>,
        Op::Nrm => chain::nrm,
        Op::Pow if rule.pow != Pow::C => chain::exp_log,
        _ => return steps::comparison::<S>(op).or_else(|| steps::integer::<S>(op)),
    })
}
