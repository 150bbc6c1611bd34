//! Results that a fast path does not vouch for, whatever it marks: they are computed again by the reference evaluation.

use super::{Kernel, Row, RowMut};
use crate::soft::unpack::shape;
use crate::{Denormals, Family, Fma, Format, Infinite, Kind, Op, Rule, ZeroSign};

/// Patterns of such results.
#[derive(Copy, Clone, Debug)]
pub(super) struct Again {
    /// Clears the sign.
    magnitude: u64,
    /// The pattern of infinity, whose signs are both meant; otherwise a pattern that no result has.
    infinity: u64,
    /// The pattern of -0, or again none.
    minus_zero: u64,
}

/// The results of `op` under `rule` that are computed again. Where a rule replaces infinities between the steps of a sum of
/// products, what would have been infinite there makes the result infinite or NaN. Where tiny results become +0, they are -0
/// at most.
pub(super) fn again(op: Op, rule: &Rule) -> Option<Again> {
    let (Format::Float(_), Kind::F) = (rule.format, op.info().result) else { return None };
    let (exp_bits, frac_bits) = shape(rule.storage)?;
    let in_steps = match op {
        Op::Add | Op::Sub | Op::Mul | Op::Dst | Op::LitY => false,
        Op::Fma => rule.fma == Fma::Mad,
        _ => op.info().family == Family::Arith,
    };
    let infinite = in_steps && rule.infinite != Infinite::Keep;
    let positive = [rule.denorm_in, rule.denorm_out].contains(&Denormals::FlushPositive);
    let minus_zero = positive && rule.zero_sign == ZeroSign::Keep && op.info().family != Family::Bits;
    if !infinite && !minus_zero {
        return None;
    }
    let sign = rule.storage.sign_bit();
    Some(Again {
        magnitude: !sign,
        infinity: if infinite { ((1u64 << exp_bits) - 1) << frac_bits } else { u64::MAX },
        minus_zero: if minus_zero { sign } else { u64::MAX },
    })
}

impl Again {
    #[inline(always)]
    fn holds(self, word: u64) -> bool {
        (word & self.magnitude == self.infinity) | (word == self.minus_zero)
    }

    /// Computes such results of a row again.
    pub(super) fn run(self, kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
        let found = match out.as_row() {
            Row::U8(_) => false,
            Row::U16(words) => words.iter().fold(false, |any, &word| any | self.holds(u64::from(word))),
            Row::U32(words) => words.iter().fold(false, |any, &word| any | self.holds(u64::from(word))),
            Row::U64(words) => words.iter().fold(false, |any, &word| any | self.holds(word)),
        };
        if !found {
            return;
        }
        for lane in 0..out.len() {
            if self.holds(out.as_row().get(lane)) {
                out.set(lane, kernel.lane(args, lane));
            }
        }
    }
}
