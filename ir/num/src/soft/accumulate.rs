//! Exact sums of a few numbers.

use super::value::{Real, Val};

/// Words of the widest sum: products of binary64 span 4,300 bits.
const WORDS: usize = 72;

/// A fixed-point accumulator in two's complement, wide enough for the terms it was made for.
pub(crate) struct Accumulator {
    /// Weight of the lowest bit.
    base: i32,
    /// Words in use.
    len: usize,
    words: [u64; WORDS],
}

impl Accumulator {
    /// An empty sum that can hold all `terms`, which are exact and span no more than products of binary64 do.
    pub(crate) fn new(terms: &[Val]) -> Accumulator {
        let mut base = i32::MAX;
        let mut top = i32::MIN;
        for t in terms {
            if let Val::Real(r) = t {
                base = base.min(r.exp);
                top = top.max(r.top());
            }
        }
        let len = if base > top { 1 } else { ((top - base) as usize + 72) / 64 };
        Accumulator { base, len: len.min(WORDS), words: [0; WORDS] }
    }

    /// Adds an exact term.
    pub(crate) fn add(&mut self, r: &Real) {
        let offset = (r.exp - self.base) as u32;
        let (first, shift) = ((offset / 64) as usize, offset % 64);
        // 128 bits shifted by less than 64 fill three words.
        let low = r.sig << shift;
        let high = if shift == 0 { 0 } else { (r.sig >> (128 - shift)) as u64 };
        let parts = [low as u64, (low >> 64) as u64, high];
        let mut carry = r.neg as u64;
        for (i, word) in self.words[..self.len].iter_mut().enumerate().skip(first) {
            let part = parts.get(i - first).copied().unwrap_or(0);
            let part = if r.neg { !part } else { part };
            let (a, c1) = word.overflowing_add(part);
            let (b, c2) = a.overflowing_add(carry);
            *word = b;
            carry = (c1 | c2) as u64;
        }
    }

    /// The sum, its bits below the leading 128 as a sticky fraction; `None` for 0.
    pub(crate) fn total(mut self) -> Option<Real> {
        let words = &mut self.words[..self.len];
        let neg = words.last().is_some_and(|w| w >> 63 != 0);
        if neg {
            let mut carry = true;
            for w in words.iter_mut() {
                (*w, carry) = (!*w).overflowing_add(carry as u64);
            }
        }
        let high = words.iter().rposition(|w| *w != 0)?;
        let word = |i: usize| if i < words.len() { words[i] } else { 0 };
        if high < 2 {
            return Some(Real { neg, exp: self.base, sig: (word(1) as u128) << 64 | word(0) as u128, sticky: false });
        }
        let sig = (word(high) as u128) << 64 | word(high - 1) as u128;
        // Two words hold at least 65 bits; take in the third to keep 128.
        let zeros = words[high].leading_zeros();
        let next = word(high - 2);
        let (sig, rest) =
            if zeros == 0 { (sig, next) } else { (sig << zeros | (next >> (64 - zeros)) as u128, next << zeros) };
        let sticky = rest != 0 || words[..high - 2].iter().any(|w| *w != 0);
        Some(Real { neg, exp: self.base + 64 * (high as i32 - 1) - zeros as i32, sig, sticky })
    }
}
