//! A list of numbers read as decisions.

use parallax_random::Random;

/// Reads a list of numbers one decision at a time; past its end every decision is 0.
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    left: &'a [u32],
    /// What follows the end: nothing, or the list again.
    again: &'a [u32],
}

impl<'a> Choices<'a> {
    /// Decisions from this list.
    pub fn new(list: &'a [u32]) -> Self {
        Choices { left: list, again: &[] }
    }

    /// The same, starting over at the end of the list; for tests that take many numbers and do not shrink.
    #[must_use]
    pub fn around(self) -> Self {
        Choices { again: self.left, ..self }
    }

    /// Whether the list is used up.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The next number.
    pub fn word(&mut self) -> u32 {
        if self.left.is_empty() {
            self.left = self.again;
        }
        match self.left.split_first() {
            Some((&word, left)) => {
                self.left = left;
                word
            }
            None => 0,
        }
    }

    /// A number below `n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n < 2 { 0 } else { self.word() as usize % n }
    }

    /// One of a list.
    ///
    /// # Panics
    /// If the list is empty.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// True once in `n` times; false at the end of the list.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == n - 1
    }
}

/// `len` numbers from a seed.
pub fn choices(seed: u64, len: usize) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..len).map(|_| (random.word() >> 16) as u32).collect()
}
