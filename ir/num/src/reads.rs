//! Which operations look at which fields of a rule: the conditions behind the field table. They may say yes once too
//! often, never once too seldom; a property test changes fields that an operation does not look at and compares bits.

use crate::{
    Accuracy, Denormals, Div, DotOrder, Family, FloatFormat, Fma, Format, Infinite, Kind, Log2, Lrp, MinMaxNan,
    NanCompare, NanResult, Op, Pow, Rcp, Rsq, RsqNegative, Rule, SatNan, Saturate, Specials, Sqrt, ToInt, Unit,
    ZeroMul,
};

fn float(r: &Rule) -> Option<FloatFormat> {
    match r.format {
        Format::Float(f) => Some(f),
        Format::Fixed(_) => None,
    }
}

pub(crate) fn is_float(_: Op, r: &Rule) -> bool {
    float(r).is_some()
}

pub(crate) fn is_fixed(_: Op, r: &Rule) -> bool {
    float(r).is_none()
}

fn reads_floats(op: Op) -> bool {
    op.info().args.iter().any(|k| matches!(k, Kind::F | Kind::AnyF))
}

/// Operations whose result the slot's clamp and scale apply to.
pub(crate) fn clampable(op: Op) -> bool {
    op.info().result == Kind::F && op.info().family != Family::Bits
}

/// Clamps that can change a float.
pub(crate) fn clamps(_: Op, r: &Rule) -> bool {
    r.saturate != Saturate::None && float(r).is_some()
}

/// Operations whose clamp can meet NaN.
pub(crate) fn clampable_nan(op: Op) -> bool {
    clampable(op) && passes_nan(op)
}

pub(crate) fn clamps_nan(op: Op, r: &Rule) -> bool {
    clamps(op, r) && float(r).is_some_and(|f| f.specials != Specials::None)
}

/// Operations whose clamp can meet -0.
pub(crate) fn clampable_zero(op: Op) -> bool {
    clampable(op) && !matches!(op, Op::U2f | Op::U64ToF | Op::UpUnorm16 | Op::UpUnorm8)
}

pub(crate) fn clamps_zero(op: Op, r: &Rule) -> bool {
    // What is never negative can still be chosen from the negative part of a bound.
    let positive = match op {
        Op::LitZ | Op::Exp2 | Op::Exp2Part | Op::Exp2Floor | Op::LogMant => true,
        // That of -0 is a negative infinity, which may become a zero.
        Op::Rsq => r.rsq != Rsq::Newton && r.infinite != Infinite::Zero,
        _ => false,
    };
    // A negative NaN may become an infinity, and that a zero.
    let infinite_nan = passes_nan(op) && r.nan_result == NanResult::Infinity && r.infinite == Infinite::Zero;
    let approximate = op.info().family == Family::Recipe && r.accuracy != Accuracy::Correct && approximates(op, r);
    clamps(op, r) && (!positive || infinite_nan || approximate)
}

/// Results computed from an integer that is not a half.
fn integral_source(op: Op) -> bool {
    op.info().family == Family::FromInt || matches!(op, Op::UpUnorm16 | Op::UpUnorm8 | Op::UpBiased8 | Op::UpSnorm8)
}

pub(crate) fn sums_products(op: Op) -> bool {
    matches!(op, Op::Dot2 | Op::Dot3 | Op::Dot4 | Op::Dph | Op::Dp2a | Op::Nrm)
}

/// Operations that can add a product to something with one rounding.
pub(crate) fn adds_products(op: Op) -> bool {
    // A sum of squares is never -0.
    matches!(op, Op::Mad | Op::Fma | Op::Lrp) || (sums_products(op) && op != Op::Nrm)
}

pub(crate) fn multiplies(op: Op) -> bool {
    matches!(op, Op::Mul | Op::Fma | Op::Mad | Op::Lrp | Op::Dst | Op::Pow | Op::LitZ | Op::Div)
        || matches!(op, Op::Rcp | Op::Rsq | Op::Sqrt)
        || sums_products(op)
}

pub(crate) fn multiplies_floats(op: Op, r: &Rule) -> bool {
    float(r).is_some()
        && match op {
            Op::Div => r.div != Div::Direct,
            Op::Sqrt => r.sqrt == Sqrt::TimesRsq || r.sqrt == Sqrt::ReciprocalOfRsq && has_newton_step(r),
            Op::Rcp => r.rcp == Rcp::Newton,
            Op::Rsq => r.rsq == Rsq::Newton,
            _ => !is_power(op) || r.pow != Pow::C,
        }
}

pub(crate) fn chains_mad(op: Op, r: &Rule) -> bool {
    float(r).is_some()
        && match op {
            Op::Mad => true,
            Op::Fma => r.fma == Fma::Mad,
            _ => r.lrp == Lrp::Difference,
        }
}

fn has_newton_step(r: &Rule) -> bool {
    r.rcp == Rcp::Newton || r.rsq == Rsq::Newton
}

/// Whether a reciprocal is a step of the operation, or the operation.
pub(crate) fn takes_rcp(op: Op, r: &Rule) -> bool {
    float(r).is_some()
        && match op {
            Op::Div => r.div != Div::Direct,
            Op::Sqrt => r.sqrt == Sqrt::ReciprocalOfRsq,
            _ => true,
        }
}

/// Float formats with fewer digits than binary32.
pub(crate) fn is_narrow(r: &Rule) -> bool {
    float(r).is_some_and(|f| f.frac < 23)
}

/// Fixed point with wide intermediates has one way to add products and to blend.
pub(crate) fn steps(_: Op, r: &Rule) -> bool {
    float(r).is_some() || !r.fixed_wide
}

pub(crate) fn fuses_dot(_: Op, r: &Rule) -> bool {
    float(r).is_some() && r.dot.order != DotOrder::Exact
}

pub(crate) fn compares_minmax(_: Op, r: &Rule) -> bool {
    float(r).is_some() && matches!(r.minmax_nan, MinMaxNan::Number | MinMaxNan::Nan | MinMaxNan::Ordered)
}

/// Patterns read or made, not signs.
fn moves_pattern(op: Op) -> bool {
    matches!(op, Op::BitsOf | Op::BitsTo | Op::BitsOf64 | Op::BitsTo64)
}

/// Bits of an integer that is converted.
fn source_bits(op: Op) -> u8 {
    if op.info().args.first() == Some(&Kind::I64) { 64 } else { 32 }
}

/// Operations whose result, or packed half, can be rounded.
pub(crate) fn rounded(op: Op) -> bool {
    clampable(op) || matches!(op.info().family, Family::Pack) || moves_pattern(op)
}

/// Whether values of the container are all values of the declared format, or are taken as they are.
fn declares_exactly(r: &Rule) -> bool {
    r.decl.format() == r.format || r.storage.format().fits(r.decl.format())
}

/// Whether the container holds values that the format lacks.
fn narrow(r: &Rule) -> bool {
    r.storage.format() != r.format
}

pub(crate) fn rounds(op: Op, r: &Rule) -> bool {
    match op {
        Op::Min | Op::Max | Op::Floor | Op::Ceil | Op::Trunc | Op::Rint | Op::Sign | Op::LitY => {
            narrow(r) || r.scale != 0
        }
        Op::LogExp | Op::LogMant => float(r).is_none() || narrow(r) || r.scale != 0,
        Op::Cvt => !r.source.format().fits(r.format) || r.scale != 0,
        Op::I2f | Op::U2f | Op::I64ToF | Op::U64ToF => {
            let bits = source_bits(op);
            r.scale != 0 || float(r).is_none_or(|f| f.frac < bits - 1 || f.max_exp() < i32::from(bits))
        }
        Op::UpHalf => !Format::F16.fits(r.format) || r.scale != 0,
        Op::PackHalf2 => !r.storage.format().fits(Format::F16) || !declares_exactly(r),
        Op::PackUnorm2 | Op::PackBiased4 | Op::PackUnorm4 | Op::PackSnorm4 => !declares_exactly(r),
        Op::BitsOf | Op::BitsOf64 => r.storage != r.decl.format().storage() && !declares_exactly(r),
        Op::BitsTo | Op::BitsTo64 => {
            r.storage != r.decl.format().storage() && (float(r).is_none() || !r.decl.format().fits(r.storage.format()))
        }
        _ => true,
    }
}

/// Operations whose result, or packed half, the treatment of overflow and of tiny results applies to.
pub(crate) fn ranged(op: Op) -> bool {
    clampable(op) || op == Op::PackHalf2
}

pub(crate) fn can_overflow(op: Op, r: &Rule) -> bool {
    if op == Op::PackHalf2 {
        return rounds(op, r);
    }
    let Some(format) = float(r) else { return false };
    if format.specials != Specials::InfNan {
        return false;
    }
    match op {
        Op::Min
        | Op::Max
        | Op::Floor
        | Op::Ceil
        | Op::Trunc
        | Op::Rint
        | Op::Sign
        | Op::LitY
        | Op::LogExp
        | Op::LogMant => narrow(r) || r.scale > 0,
        Op::I2f | Op::U2f | Op::I64ToF | Op::U64ToF => {
            format.max_exp() < i32::from(source_bits(op)) + i32::from(r.scale.max(0))
        }
        _ if integral_source(op) => narrow(r) || r.scale > 0,
        _ => rounds(op, r),
    }
}

pub(crate) fn can_be_tiny(op: Op, r: &Rule) -> bool {
    if op == Op::PackHalf2 {
        return true;
    }
    let Some(format) = float(r) else { return false };
    match op {
        Op::Floor
        | Op::Ceil
        | Op::Trunc
        | Op::Rint
        | Op::Sign
        | Op::LogExp
        | Op::LogMant
        | Op::I2f
        | Op::U2f
        | Op::I64ToF
        | Op::U64ToF => i32::from(r.scale) < format.min_exp(),
        Op::Cvt => source_reaches_below(r) || r.scale < 0,
        Op::UpHalf => format.min_exp() > -24 + i32::from(r.scale.min(0)),
        _ => true,
    }
}

/// Operations whose tiny results can lie so close below the smallest normal number that rounding decides.
pub(crate) fn nearly_tiny(op: Op) -> bool {
    ranged(op) && !matches!(op, Op::Exp2Floor | Op::Sign)
}

/// Where the side of rounding matters on which a result is found tiny.
pub(crate) fn tests_tininess(op: Op, r: &Rule) -> bool {
    let flushed = r.denorm_out != Denormals::Keep || float(r).is_some_and(|f| !f.denormals && op != Op::PackHalf2);
    can_be_tiny(op, r) && flushed && (rounds(op, r) || narrow(r)) && !is_cut(op, r)
}

/// Whether the result is what a function unit cuts to 24 bits, and is not rounded after that.
fn is_cut(op: Op, r: &Rule) -> bool {
    let last = match op {
        Op::Sqrt => r.sqrt == Sqrt::Direct || r.sqrt == Sqrt::ReciprocalOfRsq && r.rcp == Rcp::Direct,
        Op::Rcp => r.rcp == Rcp::Direct,
        Op::Rsq => r.rsq == Rsq::Direct,
        Op::Nrm | Op::Div => false,
        _ => true,
    };
    uses_unit(op, r) && last && float(r).is_some_and(|f| f.frac >= 23)
}

/// Conversions to integer that give 0 for everything between -1 and 1.
pub(crate) fn truncates(op: Op) -> bool {
    matches!(op, Op::F2iTrunc | Op::F2uTrunc | Op::F2i64Trunc | Op::F2u64Trunc)
}

/// Operations that look at how denormal operands are treated.
pub(crate) fn reads_denormals(op: Op) -> bool {
    (reads_floats(op) && op.info().family != Family::Bits && !truncates(op) && op != Op::Funo) || op == Op::UpHalf
}

pub(crate) fn can_read_denormals(op: Op, r: &Rule) -> bool {
    match op {
        Op::UpHalf => true,
        Op::Cvt => matches!(r.source.format(), Format::Float(_)),
        // Below one half, which is where denormals stand, everything becomes 0 anyway.
        Op::F2iRint | Op::F2uRint | Op::F2i64Rint | Op::F2u64Rint => float(r).is_some_and(|f| f.min_exp() > -1),
        // What lies between -1 and 0 is below the range.
        Op::F2u64Floor => float(r).is_some() && r.to_int == ToInt::AllOnes,
        _ => float(r).is_some(),
    }
}

/// Whether a conversion's source has nonzero values below the smallest normal number of the result format.
fn source_reaches_below(r: &Rule) -> bool {
    let Some(format) = float(r) else { return false };
    match r.source.format() {
        Format::Fixed(f) => -i32::from(f.frac) < format.min_exp(),
        Format::Float(f) => f.min_exp() - i32::from(f.frac) < format.min_exp(),
    }
}

/// Operations that can give, or pack, a NaN that was an operand.
pub(crate) fn passes_nan(op: Op) -> bool {
    ((reads_floats(op) || op == Op::UpHalf) && clampable(op) && op != Op::Sign) || op == Op::PackHalf2
}

/// Operations that can give, or pack, a NaN.
pub(crate) fn gives_nan(op: Op) -> bool {
    passes_nan(op)
}

/// Whether a clamp makes a number of every NaN that the operation gives.
pub fn hides_nan(op: Op, r: &Rule) -> bool {
    let has_nan = float(r).is_some_and(|format| format.specials != Specials::None);
    clampable(op) && r.saturate != Saturate::None && r.sat_nan != SatNan::Keep && has_nan
}

/// Whether the bits of a NaN can be seen in the result.
pub(crate) fn keeps_nan(op: Op, r: &Rule) -> bool {
    if r.nan_result == NanResult::Infinity {
        // A number comes out, which nothing hides.
        return true;
    }
    if float(r).is_none() {
        // Fixed point takes NaN for an infinity of its sign, if the rule says so, and knows it only half-way through.
        return (op.info().family == Family::Recipe && orders_nan(op) || matches!(op, Op::UpHalf | Op::Cvt))
            && r.nan_compare == NanCompare::Infinity
            && (op != Op::Cvt || matches!(r.source.format(), Format::Float(_)));
    }
    if hides_nan(op, r) {
        return false;
    }
    match op {
        Op::Cvt => matches!(r.source.format(), Format::Float(_)),
        Op::Min | Op::Max => {
            // Handed on as it is, a NaN keeps its bits.
            matches!(r.minmax_nan, MinMaxNan::Number | MinMaxNan::Nan) && r.nan_compare != NanCompare::Infinity
        }
        Op::LitY => r.lit.keep_nan,
        _ => true,
    }
}

/// Whether the default NaN can be seen in the result.
pub(crate) fn shows_default_nan(op: Op, r: &Rule) -> bool {
    keeps_nan(op, r) && (r.nan_result == NanResult::Default || makes_nan(op, r) || uses_unit(op, r))
}

/// Whether an operation can give NaN without a NaN operand.
fn makes_nan(op: Op, r: &Rule) -> bool {
    match op.info().family {
        Family::Arith => match op {
            Op::Mul | Op::Dst => r.zero_mul == ZeroMul::Ieee,
            _ => !matches!(op, Op::LitY | Op::Ldexp),
        },
        Family::Recipe => match op {
            Op::Rcp => r.rcp == Rcp::Newton && float(r).is_some(),
            Op::Exp2 | Op::Exp2Part | Op::Log2Part => false,
            Op::Rsq if r.rsq == Rsq::Newton && float(r).is_some() => true,
            Op::Rsq => r.rsq_negative != RsqNegative::Magnitude,
            _ => true,
        },
        _ => op == Op::Frac,
    }
}

/// Operations that may have to order a NaN, or make a fixed-point number of it.
pub(crate) fn orders_nan(op: Op) -> bool {
    match op.info().family {
        Family::Compare | Family::MinMax | Family::Convert => true,
        Family::Recipe => matches!(op, Op::Div | Op::Rsq | Op::Sqrt | Op::Log2 | Op::LitZ | Op::Pow),
        Family::Pack => !integral_source(op),
        Family::Bits => !matches!(op, Op::Neg | Op::Abs),
        _ => false,
    }
}

pub(crate) fn can_order_nan(op: Op, r: &Rule) -> bool {
    match op.info().family {
        Family::Compare | Family::MinMax => float(r).is_some(),
        Family::Convert => float(r).is_none() && matches!(r.source.format(), Format::Float(_)),
        Family::Recipe => float(r).is_none(),
        Family::Pack if op == Op::UpHalf => float(r).is_none(),
        Family::Pack => (op != Op::PackHalf2 || matches!(r.decl.format(), Format::Fixed(_))) && float(r).is_some(),
        _ => {
            let to = if matches!(op, Op::BitsTo | Op::BitsTo64) { r.format } else { r.decl.format() };
            let from = if matches!(op, Op::BitsTo | Op::BitsTo64) { r.decl.format() } else { r.storage.format() };
            matches!((from, to), (Format::Float(_), Format::Fixed(_)))
        }
    }
}

/// Operations that take a reciprocal square root.
pub(crate) fn roots(op: Op) -> bool {
    matches!(op, Op::Rsq | Op::Nrm | Op::Sqrt)
}

/// Whether a reciprocal square root is a step of the operation.
pub(crate) fn takes_rsq(op: Op, r: &Rule) -> bool {
    float(r).is_some() && (op != Op::Sqrt || r.sqrt != Sqrt::Direct)
}

/// Operations that take a base-2 logarithm by the rule's formula.
pub(crate) fn logs(op: Op) -> bool {
    matches!(op, Op::Log2 | Op::Log2Part | Op::Pow | Op::LitZ)
}

pub(crate) fn takes_logs(op: Op, r: &Rule) -> bool {
    float(r).is_some() && (!is_power(op) || r.pow != Pow::C)
}

/// Operations that raise to a power by the rule's formula.
fn is_power(op: Op) -> bool {
    matches!(op, Op::Pow | Op::LitZ)
}

/// Operations that reduce an angle.
pub(crate) fn is_trig(op: Op) -> bool {
    matches!(op, Op::Sin | Op::Cos)
}

/// Operations that a function unit may compute, in full or as a step.
pub(crate) fn has_unit(op: Op) -> bool {
    is_trig(op)
        || matches!(
            op,
            Op::Rcp
                | Op::Div
                | Op::Rsq
                | Op::Sqrt
                | Op::Exp2
                | Op::Exp2Part
                | Op::Log2
                | Op::Log2Part
                | Op::Pow
                | Op::LitZ
                | Op::Nrm
        )
}

/// Operations that a function unit may compute by polynomials.
pub(crate) fn has_polynomial(op: Op) -> bool {
    has_unit(op) && !matches!(op, Op::Rcp | Op::Div | Op::Rsq | Op::Sqrt | Op::Nrm)
}

/// Whether a formula leaves a step to a function unit.
pub(crate) fn may_use_unit(op: Op, r: &Rule) -> bool {
    float(r).is_some()
        && match op {
            _ if is_power(op) => r.pow != Pow::C,
            Op::Div => r.div != Div::Direct && r.unit == Unit::NvSfu,
            _ => !stepped(op, r) && (r.unit == Unit::NvSfu || has_polynomial(op)),
        }
}

/// Formulas of rounded operations, none of which is a recipe.
fn stepped(op: Op, r: &Rule) -> bool {
    let rsq = matches!(r.rsq, Rsq::ReciprocalOfRoot | Rsq::RootOfReciprocal);
    match op {
        Op::Rsq | Op::Nrm => rsq,
        Op::Sqrt => r.sqrt != Sqrt::Direct && rsq && r.sqrt != Sqrt::ReciprocalOfRsq,
        Op::Log2 | Op::Log2Part => r.log2 != Log2::Direct,
        _ => false,
    }
}

/// Whether the result is taken from a function unit.
fn uses_unit(op: Op, r: &Rule) -> bool {
    let serves = match op {
        Op::Div => r.unit == Unit::NvSfu && r.div != Div::Direct,
        _ => r.unit == Unit::NvSfu || has_polynomial(op),
    };
    r.unit != Unit::None && serves && has_unit(op) && !is_power(op) && !stepped(op, r) && float(r).is_some()
}

/// Sums and products that may have an error bound of their own; each rounded step inside them has it.
pub(crate) fn bounded_sum(op: Op) -> bool {
    matches!(
        op,
        Op::Add | Op::Sub | Op::Mul | Op::Mad | Op::Dot2 | Op::Dot3 | Op::Dot4 | Op::Dph | Op::Dp2a | Op::Lrp | Op::Dst
    )
}

/// Operations with results that are exact by definition.
pub(crate) fn has_fixed_points(op: Op) -> bool {
    matches!(op, Op::Rcp | Op::Rsq | Op::Sqrt | Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Cos)
        || matches!(op, Op::Div | Op::Nrm | Op::Pow | Op::LitZ)
}

/// Operations that can read, or give, a -0.
pub(crate) fn has_signed_zero(op: Op) -> bool {
    // An infinity that becomes zero has a sign too.
    clampable_zero(op) || matches!(op, Op::PackHalf2 | Op::Exp2Floor | Op::LogMant)
}

/// A formula of rounded steps, and a known data path, leave nothing to an accuracy.
pub(crate) fn approximates(op: Op, r: &Rule) -> bool {
    if bounded_sum(op) {
        return float(r).is_some() && r.accuracy != Accuracy::Correct;
    }
    let power_by_unit = is_power(op) && r.pow != Pow::C && r.unit != Unit::None;
    // A chain under one rule ends in, or has, a product that a bound moves.
    let has_product = crate::steps::chain(op, r).is_some_and(|chain| chain.last != Op::Rcp);
    let moves_product = r.accuracy != Accuracy::Correct && has_product;
    (!stepped(op, r) && !uses_unit(op, r) && !power_by_unit) || moves_product || float(r).is_none()
}
