//! Binary64 rounded to nearest even, by the host's own binary64 arithmetic.

use super::host32::flushes;
use super::steps::Steps;
use crate::processor::{Baseline, Level};
use crate::{Rule, ZeroMul};
use std::marker::PhantomData;

/// As [`super::host32::Host32`], in binary64.
#[derive(Copy, Clone)]
pub(super) struct Host64<L> {
    tiny: f64,
    minus_zero: u64,
    level: PhantomData<L>,
}

impl<L: Level> Host64<L> {
    #[inline(always)]
    fn check(self, v: f64, mark: &mut bool) -> f64 {
        *mark |= (v != 0.0) & (v.abs() <= self.tiny);
        v
    }

    #[inline(always)]
    fn product(self, v: f64, mark: &mut bool) -> f64 {
        *mark |= v.to_bits() == self.minus_zero;
        self.check(v, mark)
    }
}

impl<L: Level> Steps for Host64<L> {
    type V = f64;
    type Word = u64;
    type Level = L;
    type Base = Host64<Baseline>;

    #[inline(always)]
    fn new(rule: &Rule) -> Host64<L> {
        Host64 {
            tiny: if flushes(rule) { f64::MIN_POSITIVE } else { 0.0 },
            minus_zero: if rule.zero_mul == ZeroMul::Zero { 1 << 63 } else { u64::MAX },
            level: PhantomData,
        }
    }

    #[inline(always)]
    fn get(self, word: u64, mark: &mut bool) -> f64 {
        let v = f64::from_bits(word);
        *mark |= (v != 0.0) & (v.abs() < self.tiny);
        v
    }

    #[inline(always)]
    fn put(self, v: f64, mark: &mut bool) -> u64 {
        *mark |= v.is_nan();
        v.to_bits()
    }

    #[inline(always)]
    fn add(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.check(a + b, mark)
    }

    #[inline(always)]
    fn mul(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.product(a * b, mark)
    }

    #[inline(always)]
    fn fma(self, a: f64, b: f64, c: f64, mark: &mut bool) -> f64 {
        // IEEE 754 fixes every bit of a fused multiply-add but those of NaN.
        self.product(a.mul_add(b, c), mark)
    }

    #[inline(always)]
    fn div(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.check(a / b, mark)
    }

    #[inline(always)]
    fn sqrt(self, a: f64, _: &mut bool) -> f64 {
        a.sqrt()
    }

    #[inline(always)]
    fn neg(self, a: f64) -> f64 {
        -a
    }

    #[inline(always)]
    fn round_f64(self, v: f64, mark: &mut bool) -> f64 {
        self.check(v, mark)
    }

    #[inline(always)]
    fn exact(self, v: f64) -> f64 {
        v
    }

    #[inline(always)]
    fn settle(self, v: f64, mark: &mut bool) -> f64 {
        self.check(v, mark)
    }
}
