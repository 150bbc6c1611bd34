//! Binary32 rounded to nearest even, by the host's own binary32 arithmetic.

use super::narrow::odd_sum;
use super::steps::Steps;
use crate::processor::{Baseline, Level};
use crate::{Denormals, Rule, ZeroMul};
use std::marker::PhantomData;

/// Smallest normal number.
const MIN_NORMAL: f32 = f32::MIN_POSITIVE;

/// The few numbers a rule changes.
#[derive(Copy, Clone)]
pub(super) struct Host32<L> {
    /// Nonzero magnitudes up to this are marked: flushed, or perhaps rounded up from what is flushed. 0 for none.
    tiny: f32,
    /// Products of this pattern are marked: -0 where zero times anything is +0. Otherwise a pattern no product has.
    minus_zero: u32,
    level: PhantomData<L>,
}

impl<L: Level> Host32<L> {
    #[inline(always)]
    fn check(self, v: f32, mark: &mut bool) -> f32 {
        *mark |= (v != 0.0) & (v.abs() <= self.tiny);
        v
    }

    #[inline(always)]
    fn product(self, v: f32, mark: &mut bool) -> f32 {
        *mark |= v.to_bits() == self.minus_zero;
        self.check(v, mark)
    }
}

/// Whether a rule's result can be flushed, or its operands are.
pub(super) fn flushes(rule: &Rule) -> bool {
    rule.denorm_in != Denormals::Keep || rule.denorm_out != Denormals::Keep
}

impl<L: Level> Steps for Host32<L> {
    type V = f32;
    type Word = u32;
    type Level = L;
    type Base = Host32<Baseline>;

    #[inline(always)]
    fn new(rule: &Rule) -> Host32<L> {
        Host32 {
            tiny: if flushes(rule) { MIN_NORMAL } else { 0.0 },
            minus_zero: if rule.zero_mul == ZeroMul::Zero { 1 << 31 } else { u32::MAX },
            level: PhantomData,
        }
    }

    #[inline(always)]
    fn get(self, word: u64, mark: &mut bool) -> f32 {
        let v = f32::from_bits(word as u32);
        *mark |= (v != 0.0) & (v.abs() < self.tiny);
        v
    }

    #[inline(always)]
    fn put(self, v: f32, mark: &mut bool) -> u64 {
        *mark |= v.is_nan();
        v.to_bits() as u64
    }

    #[inline(always)]
    fn add(self, a: f32, b: f32, mark: &mut bool) -> f32 {
        self.check(a + b, mark)
    }

    #[inline(always)]
    fn mul(self, a: f32, b: f32, mark: &mut bool) -> f32 {
        self.product(a * b, mark)
    }

    #[inline(always)]
    fn fma(self, a: f32, b: f32, c: f32, mark: &mut bool) -> f32 {
        // IEEE 754 fixes every bit of a fused multiply-add but those of NaN; without the instruction it would be a call.
        let sum = if L::FUSES { a.mul_add(b, c) } else { odd_sum(a as f64 * b as f64, c as f64) as f32 };
        self.product(sum, mark)
    }

    #[inline(always)]
    fn div(self, a: f32, b: f32, mark: &mut bool) -> f32 {
        self.check(a / b, mark)
    }

    #[inline(always)]
    fn sqrt(self, a: f32, _: &mut bool) -> f32 {
        a.sqrt()
    }

    #[inline(always)]
    fn neg(self, a: f32) -> f32 {
        -a
    }

    #[inline(always)]
    fn round_f64(self, v: f64, mark: &mut bool) -> f32 {
        self.check(v as f32, mark)
    }

    #[inline(always)]
    fn exact(self, v: f32) -> f64 {
        v as f64
    }

    #[inline(always)]
    fn settle(self, v: f32, mark: &mut bool) -> f32 {
        self.check(v, mark)
    }
}
