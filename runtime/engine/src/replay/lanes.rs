//! Sets of lanes of a batch.

use parallax_interp::Mask;
use std::ops::Range;

/// A set of lanes; bit `l % 64` of word `l / 64` stands for lane `l`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Lanes([u64; 4]);

impl Lanes {
    /// Lanes that there may be.
    pub(super) const MOST: usize = 256;

    pub(super) fn of(mask: Mask<'_>) -> Lanes {
        let mut out = Lanes::default();
        out.0.iter_mut().zip(mask.words()).for_each(|(own, &word)| *own = word);
        out
    }

    /// All lanes of the quads with a lane in the set.
    pub(super) fn quads(self) -> Lanes {
        Lanes(self.0.map(|w| ((w | w >> 1 | w >> 2 | w >> 3) & 0x1111_1111_1111_1111) * 15))
    }

    pub(super) fn and(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|n| self.0[n] & other.0[n]))
    }

    pub(super) fn or(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|n| self.0[n] | other.0[n]))
    }

    /// Without some lanes.
    pub(super) fn but(self, other: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|n| self.0[n] & !other.0[n]))
    }

    /// The first lanes, so many.
    pub(super) fn first(count: usize) -> Lanes {
        Lanes(std::array::from_fn(|n| match count.saturating_sub(64 * n) {
            left if left >= 64 => !0,
            left => (1 << left) - 1,
        }))
    }

    /// Whether all of them are among others.
    pub(super) fn is_within(self, others: Lanes) -> bool {
        self.but(others).is_empty()
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    pub(super) fn add(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    /// Stretches of lanes of the set, in order.
    pub(super) fn stretches(self) -> impl Iterator<Item = Range<usize>> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let first = bits.trailing_zeros();
                (bits != 0).then(|| {
                    let count = (!(bits >> first)).trailing_zeros();
                    bits &= !(u64::MAX >> (64 - count) << first);
                    word * 64 + first as usize..word * 64 + (first + count) as usize
                })
            })
        })
    }

    /// Lanes of the set, in order.
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros() as usize;
                (bits != 0).then(|| {
                    bits &= bits - 1;
                    word * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_random::Random;

    #[test]
    fn stretches_are_the_lanes() {
        let mut random = Random::new(21);
        for n in 0..2000 {
            let mut lanes = Lanes::first(n % (Lanes::MOST + 1));
            for word in &mut lanes.0 {
                *word &=
                    [random.word(), random.word() | random.word(), !0, 0xf0ff_0000_ffff_000f][random.below(4) as usize];
            }
            let found: Vec<Range<usize>> = lanes.stretches().collect();
            assert!(found.iter().all(|stretch| !stretch.is_empty()));
            assert_eq!(found.into_iter().flatten().collect::<Vec<_>>(), lanes.iter().collect::<Vec<_>>());
        }
    }
}
