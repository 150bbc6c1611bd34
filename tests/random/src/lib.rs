//! Random numbers for tests: the same for the same seed, on every host and in every version (SplitMix64).
//!
//! ```
//! let mut random = parallax_random::Random::new(1);
//! assert_eq!(random.word(), 0x910a_2dec_8902_5cc1);
//! ```

/// A generator. Equal seeds give equal numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator; every seed is good.
    pub const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// 64 random bits.
    pub const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`; 0 when `n` is 0.
    pub const fn below(&mut self, n: u64) -> u64 {
        let word = self.word();
        if n == 0 { 0 } else { word % n }
    }

    /// One of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
