//! Words and what they stand for: looked up for every statement of a text.

use crate::lex::sixteen;
use rustc_hash::FxHashMap;

/// Values by words, made once. Words of at most 15 bytes are compared as numbers.
#[derive(Clone, Debug)]
pub struct Words<T> {
    /// Short words as numbers, at most every second place taken; 0 where there is none.
    places: Vec<(u128, T)>,
    /// How far a hash is shifted to be the number of a place.
    shift: u32,
    all: FxHashMap<String, T>,
}

/// Most bytes of a short word.
const SHORT: usize = 15;

/// Masks of so many bytes.
const BYTES: [u128; SHORT + 1] = {
    let mut all = [0; SHORT + 1];
    let mut len = 0;
    while len <= SHORT {
        all[len] = (1 << (8 * len)) - 1;
        len += 1;
    }
    all
};

impl<T: Copy + Default> Default for Words<T> {
    fn default() -> Self {
        Words::new([])
    }
}

impl<T: Copy + Default> Words<T> {
    /// A table of these words. Of a word given twice the last value counts.
    pub fn new(all: impl IntoIterator<Item = (String, T)>) -> Words<T> {
        let all: FxHashMap<String, T> = all.into_iter().collect();
        let bits = (2 * all.len()).next_power_of_two().trailing_zeros().max(1);
        let mut words = Words { places: vec![(0, T::default()); 1 << bits], shift: 64 - bits, all };
        for (word, value) in &words.all {
            let Some(number) = number(word.as_bytes(), 0, word.len()) else { continue };
            let mut at = place(number, words.shift);
            while words.places[at].0 != 0 {
                at = (at + 1) % words.places.len();
            }
            words.places[at] = (number, *value);
        }
        words
    }

    /// The value of the word that stands in a text from byte `start` up to byte `end`.
    #[inline]
    pub fn get(&self, text: &[u8], start: usize, end: usize) -> Option<T> {
        let Some(number) = number(text, start, end) else { return self.get_long(text, start, end) };
        let mut at = place(number, self.shift);
        loop {
            // There is always a free place.
            match self.places.get(at) {
                Some((word, value)) if *word == number => return Some(*value),
                Some((0, _)) => return None,
                Some(_) => at += 1,
                None => at = 0,
            }
        }
    }

    #[cold]
    fn get_long(&self, text: &[u8], start: usize, end: usize) -> Option<T> {
        self.all.get(std::str::from_utf8(text.get(start..end)?).ok()?).copied()
    }

    /// All words, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }
}

/// A short word and its length as a number, which is never 0.
#[inline(always)]
fn number(text: &[u8], start: usize, end: usize) -> Option<u128> {
    let len = end.wrapping_sub(start);
    let mask = BYTES.get(len)?;
    Some(sixteen(text, start) & mask | (len as u128 | 0x80) << 120)
}

/// Where the search for a number starts.
#[inline(always)]
fn place(number: u128, shift: u32) -> usize {
    let folded = number as u64 ^ ((number >> 64) as u64).rotate_left(29);
    (folded.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_wherever_it_stands() {
        let names: Vec<String> = (0..300).map(|n| format!("{}{n}", "mnemonic_".repeat(n % 4))).collect();
        let words = Words::new(names.iter().cloned().zip(1u16..));
        for (name, n) in names.iter().zip(1u16..) {
            for (front, behind) in [("", ""), ("x ", " and more text behind it"), ("  ", ",")] {
                let text = format!("{front}{name}{behind}");
                let found = words.get(text.as_bytes(), front.len(), front.len() + name.len());
                assert_eq!(found, Some(n), "{text:?}");
                assert_eq!(words.get(text.as_bytes(), front.len(), front.len() + name.len() - 1), {
                    names.iter().position(|other| *other == name[..name.len() - 1]).map(|n| n as u16 + 1)
                });
            }
        }
        let none: [(&[u8], usize, usize); 5] = [(b"", 0, 0), (b"a", 1, 0), (b"a", 3, 4), (b"1\0", 0, 2), (b"a", 0, 90)];
        for (text, start, end) in none {
            assert_eq!(words.get(text, start, end), None);
        }
        assert_eq!(words.iter().count(), 300);
        assert_eq!(Words::<u8>::default().get(b"add", 0, 3), None);
    }
}
