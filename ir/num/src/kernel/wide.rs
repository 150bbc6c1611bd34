//! Binary32 and narrower formats in a binary64 container.

use super::steps::Steps;
use crate::{Rule, Storage};

/// Steps in a binary32 container, on words of a binary64 one. Operands that binary32 does not hold are marked.
#[derive(Copy, Clone)]
pub(super) struct Wide<S>(S);

impl<S: Steps> Steps for Wide<S> {
    type V = S::V;
    type Word = u64;
    type Level = S::Level;
    type Base = Wide<S::Base>;

    #[inline(always)]
    fn new(rule: &Rule) -> Wide<S> {
        Wide(S::new(&Rule { storage: Storage::F32, ..*rule }))
    }

    #[inline(always)]
    fn get(self, word: u64, mark: &mut bool) -> S::V {
        let wide = f64::from_bits(word);
        let narrow = wide as f32;
        // NaN is unequal to itself: its bits are the rule's business.
        *mark |= f64::from(narrow) != wide;
        self.0.get(u64::from(narrow.to_bits()), mark)
    }

    #[inline(always)]
    fn put(self, v: S::V, mark: &mut bool) -> u64 {
        f64::from(f32::from_bits(self.0.put(v, mark) as u32)).to_bits()
    }

    #[inline(always)]
    fn add(self, a: S::V, b: S::V, mark: &mut bool) -> S::V {
        self.0.add(a, b, mark)
    }

    #[inline(always)]
    fn mul(self, a: S::V, b: S::V, mark: &mut bool) -> S::V {
        self.0.mul(a, b, mark)
    }

    #[inline(always)]
    fn fma(self, a: S::V, b: S::V, c: S::V, mark: &mut bool) -> S::V {
        self.0.fma(a, b, c, mark)
    }

    #[inline(always)]
    fn div(self, a: S::V, b: S::V, mark: &mut bool) -> S::V {
        self.0.div(a, b, mark)
    }

    #[inline(always)]
    fn sqrt(self, a: S::V, mark: &mut bool) -> S::V {
        self.0.sqrt(a, mark)
    }

    #[inline(always)]
    fn neg(self, a: S::V) -> S::V {
        self.0.neg(a)
    }

    #[inline(always)]
    fn round_f64(self, v: f64, mark: &mut bool) -> S::V {
        self.0.round_f64(v, mark)
    }

    #[inline(always)]
    fn exact(self, v: S::V) -> f64 {
        self.0.exact(v)
    }

    #[inline(always)]
    fn settle(self, v: S::V, mark: &mut bool) -> S::V {
        self.0.settle(v, mark)
    }
}
