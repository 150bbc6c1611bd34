//! Rows through the polynomials of gallivm.

use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::processor::Baseline;
use crate::recipe::gallivm::{exp2, log2, sin_cos};
use crate::{Denormals, Format, Op, Rule, Storage};

const SIGN: u32 = 1 << 31;

#[inline(always)]
fn polynomial(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    magnitude: bool,
    lane: impl Fn(f32, &mut bool) -> f32 + Copy,
) {
    let rule = &kernel.rule;
    let flush_in = rule.denorm_in == Denormals::Flush;
    rows::<1, u32, u32, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[word], mark| {
            let x = word as u32 & if magnitude { !SIGN } else { u32::MAX };
            let denormal = (1..0x80_0000).contains(&(x & !SIGN));
            let x = f32::from_bits(if denormal { x & SIGN } else { x });
            *mark |= (denormal & !flush_in) | x.is_nan();
            u64::from(lane(x, mark).to_bits())
        },
    );
}

#[inline(always)]
fn logarithm<const FUSED: bool>(x: f32, mark: &mut bool) -> f32 {
    *mark |= !((x > 0.0) & (x < f32::INFINITY));
    log2::<FUSED>(x)
}

#[inline(always)]
fn sine<const FUSED: bool, const COSINE: bool>(x: f32, mark: &mut bool) -> f32 {
    *mark |= x.is_infinite();
    sin_cos::<FUSED, COSINE>(x)
}

/// The rows of an operation, where operands and results are binary32.
pub(super) fn select(op: Op, rule: &Rule) -> Option<RowFn> {
    let positive = rule.denorm_in == Denormals::FlushPositive || rule.denorm_out == Denormals::FlushPositive;
    if rule.format != Format::F32 || rule.storage != Storage::F32 || positive {
        return None;
    }
    // Results are binary32 numbers and never denormal.
    Some(match (op, rule.unit_fused) {
        (Op::Exp2 | Op::Exp2Part, true) => |k, a, o| {
            polynomial(
                k,
                a,
                o,
                false,
                #[inline(always)]
                |x, _| exp2::<true>(x),
            )
        },
        (Op::Exp2 | Op::Exp2Part, false) => |k, a, o| {
            polynomial(
                k,
                a,
                o,
                false,
                #[inline(always)]
                |x, _| exp2::<false>(x),
            )
        },
        (Op::Log2, true) => |k, a, o| polynomial(k, a, o, false, logarithm::<true>),
        (Op::Log2, false) => |k, a, o| polynomial(k, a, o, false, logarithm::<false>),
        (Op::Log2Part, true) => |k, a, o| polynomial(k, a, o, true, logarithm::<true>),
        (Op::Log2Part, false) => |k, a, o| polynomial(k, a, o, true, logarithm::<false>),
        (Op::Sin, true) => |k, a, o| polynomial(k, a, o, false, sine::<true, false>),
        (Op::Sin, false) => |k, a, o| polynomial(k, a, o, false, sine::<false, false>),
        (Op::Cos, true) => |k, a, o| polynomial(k, a, o, false, sine::<true, true>),
        (Op::Cos, false) => |k, a, o| polynomial(k, a, o, false, sine::<false, true>),
        _ => return None,
    })
}
