//! Sine and cosine where the operand is first multiplied into turns or half turns, and perhaps folded: every step is rounded,
//! and the sine of what is left comes from a binary64 program.

use super::narrow::odd_sum;
use super::steps::{Steps, ends, floor_of, rint_of};
use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::recipe::fast;
use crate::{AngleFold, AngleUnit, Op, Round, Rule};

/// Quarter turns from here on are too many for a binary64 program.
const MANY: f64 = f64::from_bits((1023 + 45) << 52);
/// Binary32 2 pi and pi, as the fold that goes back to radians has them.
const TWO_PI: f64 = f32::from_bits(0x40c9_0fdb) as f64;
const PI: f64 = f32::from_bits(0x4049_0fdb) as f64;

/// The rows of sine and cosine under an angle reduction; `None` where the constant's product is rounded otherwise than the rest.
pub(super) fn select<S: Steps>(op: Op, rule: &Rule) -> Option<RowFn> {
    if rule.trig.chop && rule.round != Round::Zero {
        return None;
    }
    matches!(op, Op::Sin | Op::Cos).then_some(angle_rows::<S> as RowFn)
}

fn angle_rows<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let trig = kernel.rule.trig;
    let is_cosine = kernel.op == Op::Cos;
    let scale = f32::from_bits(trig.scale) as f64;
    let in_half_turns = trig.unit == AngleUnit::HalfTurns;
    let quarters = if in_half_turns { 2.0 } else { 4.0 };
    let to_radians = trig.fold == AngleFold::FractHalfRadians || trig.unit == AngleUnit::Radians;
    // Where whole numbers are taken off, a quarter turn is added before and the sine gives the cosine.
    let quarter = is_cosine && trig.fold == AngleFold::Rint;
    let shift = u64::from(is_cosine && !quarter);
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let x = s.exact(s.get(w, mark));
            // Products of two 24-bit numbers are exact.
            let scaled = step(s, x * scale, mark);
            let (angle, negate) = match trig.fold {
                AngleFold::None => (scaled, false),
                AngleFold::Fract => (fract(s, scaled, mark), false),
                AngleFold::FractHalf | AngleFold::FractHalfRadians => {
                    let moved = step(s, odd_sum(scaled, 0.5), mark);
                    let turns = fract(s, moved, mark);
                    if trig.fold == AngleFold::FractHalf {
                        (step(s, odd_sum(turns, -0.5), mark), false)
                    } else {
                        let radians = step(s, turns * TWO_PI, mark);
                        (step(s, odd_sum(radians, -PI), mark), false)
                    }
                }
                AngleFold::Rint => {
                    let moved = if quarter { step(s, odd_sum(scaled, 0.5), mark) } else { scaled };
                    let whole = rint_of(moved);
                    let odd = in_half_turns & (rint_of(whole * 0.5) * 2.0 != whole);
                    (step(s, odd_sum(moved, -whole), mark), odd)
                }
            };
            // Zero operands and angles have signs of their own, large ones a recipe of their own.
            *mark |=
                (x == 0.0) | !((angle.abs() > 0.0) & (angle.abs() < if to_radians { fast::TRIG_LIMIT } else { MANY }));
            let turned = if to_radians {
                fast::turn(angle)
            } else {
                let turns = angle * quarters;
                let shifted = turns + fast::MAGIC;
                let rest = turns - (shifted - fast::MAGIC);
                // A multiple of a quarter turn is exact.
                *mark |= rest == 0.0;
                (shifted.to_bits(), rest)
            };
            let value = fast::sin_of_turn((turned.0.wrapping_add(shift), turned.1));
            ends(s, if negate { -value } else { value }, fast::EPS_TRIG, mark)
        },
    );
}

/// An instruction's result, read by the next one.
#[inline(always)]
fn step<S: Steps>(s: S, v: f64, mark: &mut bool) -> f64 {
    let rounded = s.round_f64(v, mark);
    s.exact(rounded)
}

#[inline(always)]
fn fract<S: Steps>(s: S, v: f64, mark: &mut bool) -> f64 {
    step(s, odd_sum(v, -floor_of(v)), mark)
}
