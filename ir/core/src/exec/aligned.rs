//! Words that start at a cache line.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Words of a cache line.
const LINE: usize = 16;

/// A buffer of 32-bit words whose first one stands at the start of a cache line of 64 bytes, so that no vector of words that is read at
/// a multiple of 16 words lies across two lines.
#[derive(Default)]
pub struct AlignedWords {
    storage: Vec<u32>,
    /// The first word that counts; all behind it do.
    first: usize,
}

impl AlignedWords {
    /// So many words, all zero.
    pub fn zeros(count: usize) -> AlignedWords {
        let mut words = AlignedWords::with_capacity(count);
        words.storage.resize(words.first + count, 0);
        words
    }

    /// None, with room for a count, which must not be exceeded.
    fn with_capacity(count: usize) -> AlignedWords {
        let mut storage: Vec<u32> = Vec::with_capacity(count + LINE - 1);
        let first = storage.as_ptr().addr().wrapping_neg() / 4 % LINE;
        storage.resize(first, 0);
        AlignedWords { storage, first }
    }
}

impl From<&[u32]> for AlignedWords {
    fn from(words: &[u32]) -> AlignedWords {
        let mut aligned = AlignedWords::with_capacity(words.len());
        aligned.storage.extend_from_slice(words);
        aligned
    }
}

impl Clone for AlignedWords {
    fn clone(&self) -> AlignedWords {
        AlignedWords::from(&**self)
    }
}

impl Deref for AlignedWords {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.storage[self.first..]
    }
}

impl DerefMut for AlignedWords {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.storage[self.first..]
    }
}

impl fmt::Debug for AlignedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl PartialEq for AlignedWords {
    fn eq(&self, other: &AlignedWords) -> bool {
        **self == **other
    }
}

impl Eq for AlignedWords {}

impl<T: AsRef<[u32]> + ?Sized> PartialEq<T> for AlignedWords {
    fn eq(&self, other: &T) -> bool {
        **self == *other.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::AlignedWords;

    #[test]
    fn the_first_word_starts_a_line() {
        for count in [0, 1, 15, 16, 17, 100_000] {
            let words: Vec<u32> = (1..=count).collect();
            let (given, zeros) = (AlignedWords::from(&words[..]), AlignedWords::zeros(words.len()));
            for aligned in [&given, &given.clone(), &zeros] {
                assert!(aligned.as_ptr().addr().is_multiple_of(64) || count == 0, "{count} words");
                assert_eq!(aligned.len(), words.len());
            }
            assert_eq!(given, words);
            assert!(zeros.iter().all(|&word| word == 0));
        }
    }
}
