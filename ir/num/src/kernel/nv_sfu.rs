//! Rows through NVIDIA's special function unit.

use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::processor::Baseline;
use crate::recipe::nv_sfu::{Function, Output, evaluate};
use crate::soft::unpack::encode;
use crate::soft::value::default_nan;
use crate::{AngleFold, AngleUnit, Denormals, Format, Op, Round, Rule, Saturate, Storage, Trig};

const SIGN: u32 = 1 << 31;

/// The operand of the unit: denormals flushed, or marked where they are kept.
#[inline(always)]
fn operand(word: u64, flush: bool, mark: &mut bool) -> u32 {
    let x = word as u32;
    let denormal = (1..0x80_0000).contains(&(x & !SIGN));
    *mark |= denormal & !flush;
    if denormal { x & SIGN } else { x }
}

#[inline(always)]
fn unit_rows(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    function: Function,
    angle: impl Fn(u32, &mut bool) -> u32 + Copy,
) {
    let rule = &kernel.rule;
    let nan = encode(default_nan(rule), Storage::F32);
    let clamps = rule.saturate != Saturate::None;
    let (flush_in, flush_out) = (rule.denorm_in == Denormals::Flush, rule.denorm_out == Denormals::Flush);
    rows::<1, u32, u32, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[word], mark| {
            let x = angle(operand(word, flush_in, mark), mark);
            // Below -126 the compiler's halving is the rule's business.
            *mark |= (function == Function::Exp2) & !flush_out & (0xc2fc_0000..0xff80_0000).contains(&x);
            match evaluate(function, x) {
                Output::Zero(neg) => u64::from(u32::from(neg) << 31),
                Output::Infinity(neg) => u64::from(u32::from(neg) << 31 | 0x7f80_0000),
                Output::Nan => {
                    *mark |= clamps;
                    nan
                }
                Output::Number { neg, exp, fraction } => {
                    let tiny = exp < -126;
                    *mark |= (tiny & !flush_out) | (exp > 127);
                    let magnitude = ((exp + 127) as u32) << 23 | fraction;
                    u64::from(u32::from(neg) << 31 | if tiny { 0 } else { magnitude })
                }
            }
        },
    );
}

/// An angle in radians multiplied toward zero into turns.
#[inline(always)]
fn chopped(scale: f64, x: u32, mark: &mut bool) -> u32 {
    let product = f64::from(f32::from_bits(x)) * scale;
    let magnitude = f64::from_bits(product.to_bits() & !((1 << 29) - 1));
    *mark |= magnitude.abs() > f64::from(f32::MAX);
    // Denormal angles, and those below them, count as zero.
    (magnitude as f32).to_bits()
}

fn sin_of_turns(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let scale = f64::from(f32::from_bits(kernel.rule.trig.scale));
    unit_rows(
        kernel,
        args,
        out,
        Function::SinTurns,
        #[inline(always)]
        |x, mark| chopped(scale, x, mark),
    );
}

fn cos_of_turns(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let scale = f64::from(f32::from_bits(kernel.rule.trig.scale));
    unit_rows(
        kernel,
        args,
        out,
        Function::CosTurns,
        #[inline(always)]
        |x, mark| chopped(scale, x, mark),
    );
}

/// The unit's rows for an operation, where operands and results are binary32.
pub(super) fn select(op: Op, rule: &Rule) -> Option<RowFn> {
    let positive = rule.denorm_in == Denormals::FlushPositive || rule.denorm_out == Denormals::FlushPositive;
    if rule.format != Format::F32 || rule.storage != Storage::F32 || positive {
        return None;
    }
    // Results have 24 bits; only denormal ones are rounded, and they are marked.
    Some(match op {
        Op::Rcp => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Rcp,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Rsq => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Rsq,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Sqrt => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Sqrt,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Exp2 | Op::Exp2Part => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Exp2,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Log2 => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Log2,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Log2Part => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Log2Magnitude,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Sin if rule.trig == Trig::RADIANS => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Sin,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Cos if rule.trig == Trig::RADIANS => |k, a, o| {
            unit_rows(
                k,
                a,
                o,
                Function::Cos,
                #[inline(always)]
                |x, _| x,
            )
        },
        Op::Sin | Op::Cos => {
            let Trig { unit, chop, fold, .. } = rule.trig;
            let plain = unit == AngleUnit::Turns && fold == AngleFold::None && (chop || rule.round == Round::Zero);
            match op {
                Op::Sin if plain => sin_of_turns,
                Op::Cos if plain => cos_of_turns,
                _ => return None,
            }
        }
        _ => return None,
    })
}
