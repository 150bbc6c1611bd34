//! Unsigned numbers of several words, the lowest first.

use super::sink::Sink;
use crate::program::Id;
use smallvec::SmallVec;

/// The words of a number.
pub(super) type Big = SmallVec<[Id; 4]>;

impl dyn Sink + '_ {
    /// A number of `count` words with this highest word and zeros below.
    pub(super) fn top(&mut self, word: Id, count: usize) -> Big {
        let zero = self.int(0);
        let mut words = Big::from_elem(zero, count);
        words[count - 1] = word;
        words
    }

    /// The sum, without what does not fit.
    pub(super) fn add_big(&mut self, a: &[Id], b: &[Id]) -> Big {
        let a_len = a.len();
        let mut carry = None;
        let mut sum = Big::new();
        for (n, (&a, &b)) in a.iter().zip(b).enumerate() {
            let plain = self.add(a, b);
            let word = match carry {
                None => plain,
                Some(carry) => self.add(plain, carry),
            };
            sum.push(word);
            if n + 1 < a_len {
                let mut over = self.ult(plain, a);
                if carry.is_some() {
                    let again = self.ult(word, plain);
                    over = self.either(over, again);
                }
                carry = Some(self.bit(over));
            }
        }
        sum
    }

    /// The difference, modulo what fits.
    pub(super) fn sub_big(&mut self, a: &[Id], b: &[Id]) -> Big {
        let mut borrow = None;
        let mut rest = Big::new();
        for (&a, &b) in a.iter().zip(b) {
            let plain = self.sub(a, b);
            let word = match borrow {
                None => plain,
                Some(borrow) => self.sub(plain, borrow),
            };
            rest.push(word);
            let mut under = self.ult(a, b);
            if let Some(borrow) = borrow {
                let again = self.ult(plain, borrow);
                under = self.either(under, again);
            }
            borrow = Some(self.bit(under));
        }
        rest
    }

    /// a < b.
    pub(super) fn ult_big(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut less = self.ult(a[0], b[0]);
        for (&a, &b) in a.iter().zip(b).skip(1) {
            let (here, equal) = (self.ult(a, b), self.eq(a, b));
            let below = self.both(equal, less);
            less = self.either(here, below);
        }
        less
    }

    pub(super) fn eq_big(&mut self, a: &[Id], b: &[Id]) -> Id {
        let mut equal = self.eq(a[0], b[0]);
        for (&a, &b) in a.iter().zip(b).skip(1) {
            let here = self.eq(a, b);
            equal = self.both(equal, here);
        }
        equal
    }

    pub(super) fn select_big(&mut self, mask: Id, a: &[Id], b: &[Id]) -> Big {
        a.iter().zip(b).map(|(&a, &b)| self.select(mask, a, b)).collect()
    }

    /// Whether any bit is set.
    pub(super) fn is_set_big(&mut self, a: &[Id]) -> Id {
        let any = self.any(a);
        self.is_set(any)
    }

    /// Whether no bit is set.
    pub(super) fn is_zero_big(&mut self, a: &[Id]) -> Id {
        let any = self.any(a);
        self.is(any, 0)
    }

    /// All words, or-ed.
    fn any(&mut self, a: &[Id]) -> Id {
        let mut any = self.int(0);
        for &word in a {
            any = self.or(any, word);
        }
        any
    }

    pub(super) fn clz_big(&mut self, a: &[Id]) -> Id {
        let mut count = self.clz(a[0]);
        for &word in &a[1..] {
            let (here, beyond) = (self.clz(word), self.plus(count, 32));
            let zero = self.is(word, 0);
            count = self.select(zero, beyond, here);
        }
        count
    }

    /// What a shift right by `amount` modulo 32 moves out of a word, as the upper bits of one; nothing for 0.
    fn moved_right(&mut self, word: Id, amount: Id) -> Id {
        let twice = self.shl_by(word, 1);
        let rest = self.xor_with(amount, 31);
        self.shl(twice, rest)
    }

    /// What a shift left by `amount` modulo 32 moves out of a word, as the lower bits of one.
    fn moved_left(&mut self, word: Id, amount: Id) -> Id {
        let half = self.shr_by(word, 1);
        let rest = self.xor_with(amount, 31);
        self.shr(half, rest)
    }

    /// Shifted right by any unsigned amount; the lowest bit is also set where a bit was lost.
    pub(super) fn shr_jam(&mut self, a: &[Id], amount: Id) -> Big {
        let count = a.len();
        if count == 1 {
            return self.shr_jam_word(a[0], amount);
        }
        let levels = usize::BITS - count.leading_zeros();
        let amount = self.at_most(amount, (32 << levels) - 1);
        let lost = self.moved_right(a[0], amount);
        let mut words: Big = (0..count)
            .map(|n| {
                let own = self.shr(a[n], amount);
                match a.get(n + 1) {
                    None => own,
                    Some(&next) => {
                        let from = self.moved_right(next, amount);
                        self.or(own, from)
                    }
                }
            })
            .collect();
        let mut lost = lost;
        let zero = self.int(0);
        for level in 0..levels {
            let by = 1 << level;
            let bit = self.and_with(amount, 32 << level);
            let moves = self.is_set(bit);
            let gone = self.any(&words[..by.min(count)]);
            let gone = self.select(moves, gone, zero);
            lost = self.or(lost, gone);
            words = (0..count)
                .map(|n| {
                    let from = words.get(n + by).copied().unwrap_or(zero);
                    self.select(moves, from, words[n])
                })
                .collect();
        }
        self.jam(&words, lost)
    }

    /// The same of one word. By 31 no more than the lowest bit is left, as farther away.
    fn shr_jam_word(&mut self, a: Id, amount: Id) -> Big {
        let amount = self.at_most(amount, 31);
        let kept = self.shr(a, amount);
        let back = self.shl(kept, amount);
        let (whole, none, one) = (self.eq(back, a), self.int(0), self.int(1));
        let lost = self.select(whole, none, one);
        Big::from_slice(&[self.or(kept, lost)])
    }

    /// The lowest bit is also set where `lost` has any.
    pub(super) fn jam(&mut self, a: &[Id], lost: Id) -> Big {
        let lost = self.is_set(lost);
        let lost = self.bit(lost);
        let mut words = Big::from_slice(a);
        words[0] = self.or(a[0], lost);
        words
    }

    /// Shifted left by less than its width.
    pub(super) fn shl_big(&mut self, a: &[Id], amount: Id) -> Big {
        let count = a.len();
        let zero = self.int(0);
        let mut words: Big = (0..count)
            .map(|n| {
                let own = self.shl(a[n], amount);
                match n {
                    0 => own,
                    _ => {
                        let from = self.moved_left(a[n - 1], amount);
                        self.or(own, from)
                    }
                }
            })
            .collect();
        let mut by = 1;
        while by < count {
            let bit = self.and_with(amount, 32 * by as u32);
            let moves = self.is_set(bit);
            words = (0..count)
                .map(|n| {
                    let from = n.checked_sub(by).map_or(zero, |n| words[n]);
                    self.select(moves, from, words[n])
                })
                .collect();
            by *= 2;
        }
        words
    }

    /// Shifted left by an amount from 1 to 31 that is known.
    pub(super) fn shl_big_by(&mut self, a: &[Id], amount: u32) -> Big {
        (0..a.len())
            .map(|n| {
                let own = self.shl_by(a[n], amount);
                match n {
                    0 => own,
                    _ => {
                        let from = self.shr_by(a[n - 1], 32 - amount);
                        self.or(own, from)
                    }
                }
            })
            .collect()
    }

    /// Shifted right by an amount from 1 to 31 that is known.
    pub(super) fn shr_big_by(&mut self, a: &[Id], amount: u32) -> Big {
        (0..a.len())
            .map(|n| {
                let own = self.shr_by(a[n], amount);
                match a.get(n + 1) {
                    None => own,
                    Some(&next) => {
                        let from = self.shl_by(next, 32 - amount);
                        self.or(own, from)
                    }
                }
            })
            .collect()
    }

    /// The highest `count` words; the lowest bit is also set where a word below has any.
    pub(super) fn keep_top(&mut self, a: &[Id], count: usize) -> Big {
        let (below, kept) = a.split_at(a.len() - count);
        let lost = self.any(below);
        if below.is_empty() { Big::from_slice(kept) } else { self.jam(kept, lost) }
    }

    /// The product of two words.
    pub(super) fn mul_words(&mut self, a: Id, b: Id) -> [Id; 2] {
        let half = |own: &mut Self, word: Id| [own.and_with(word, 0xffff), own.shr_by(word, 16)];
        let ([a0, a1], [b0, b1]) = (half(self, a), half(self, b));
        let [low, left, right, high] = [(a0, b0), (a1, b0), (a0, b1), (a1, b1)].map(|(a, b)| self.mul(a, b));
        // A product of halves has room for two more halves.
        let carried = self.shr_by(low, 16);
        let left = self.add(left, carried);
        let [below, above] = half(self, left);
        let right = self.add(right, below);
        let carried = self.shr_by(right, 16);
        let high = self.add(high, above);
        [self.mul(a, b), self.add(high, carried)]
    }

    /// The product, as wide as both.
    pub(super) fn mul_big(&mut self, a: &[Id], b: &[Id]) -> Big {
        let count = a.len() + b.len();
        let zero = self.int(0);
        let mut sum = Big::from_elem(zero, count);
        for (i, &a) in a.iter().enumerate() {
            for (j, &b) in b.iter().enumerate() {
                let mut part = Big::from_elem(zero, count - i - j);
                [part[0], part[1]] = self.mul_words(a, b);
                let upper = self.add_big(&sum[i + j..], &part);
                sum.truncate(i + j);
                sum.extend(upper);
            }
        }
        sum
    }
}
