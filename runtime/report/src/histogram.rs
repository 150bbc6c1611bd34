//! Signed ulp errors counted by power of two.

use serde::{Deserialize, Serialize};

/// Buckets on each side: up to half an ulp, up to 1, 2, 4, ... 2^22, and beyond.
pub const BUCKETS: usize = 25;

/// Counts of signed ulp errors.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// Exactly the reference's value.
    pub zero: u64,
    /// Results above the reference: at most 2^(k-1) ulp and more than the bucket before; the last takes all the rest.
    pub above: [u64; BUCKETS],
    /// Results below the reference.
    pub below: [u64; BUCKETS],
}

impl Histogram {
    /// Counts one signed error.
    pub fn add(&mut self, error: f64) {
        if error == 0.0 {
            self.zero += 1;
            return;
        }
        let side = if error > 0.0 { &mut self.above } else { &mut self.below };
        let size = error.abs();
        let mut limit = 0.5;
        let mut bucket = 0;
        while size > limit && bucket + 1 < BUCKETS {
            limit *= 2.0;
            bucket += 1;
        }
        side[bucket] += 1;
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &Histogram) {
        self.zero += other.zero;
        for (a, b) in self.above.iter_mut().zip(other.above) {
            *a += b;
        }
        for (a, b) in self.below.iter_mut().zip(other.below) {
            *a += b;
        }
    }

    /// All counts.
    pub fn total(&self) -> u64 {
        self.zero + self.above.iter().sum::<u64>() + self.below.iter().sum::<u64>()
    }

    /// One past the last bucket in use.
    pub fn used(&self) -> usize {
        (0..BUCKETS).rev().find(|&k| self.above[k] + self.below[k] > 0).map_or(0, |k| k + 1)
    }

    /// Largest error of bucket `k` in words.
    pub fn label(k: usize) -> String {
        match k {
            0 => "½".into(),
            k if k + 1 == BUCKETS => format!("more than 2^{}", k - 2),
            k if k <= 11 => (1u32 << (k - 1)).to_string(),
            k => format!("2^{}", k - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_the_lower_bucket() {
        let mut h = Histogram::default();
        for error in [0.0, 0.5, -0.5, 0.500001, 1.0, 2.0, -4.0, 1e30, f64::INFINITY] {
            h.add(error);
        }
        assert_eq!((h.zero, h.above[0], h.below[0]), (1, 1, 1));
        assert_eq!((h.above[1], h.above[2], h.below[3], h.above[BUCKETS - 1]), (2, 1, 1, 2));
        assert_eq!((h.total(), h.used()), (9, BUCKETS));
        assert_eq!(Histogram::label(0), "½");
        assert_eq!(Histogram::label(3), "4");
        assert_eq!(Histogram::label(BUCKETS - 1), "more than 2^22");
    }
}
