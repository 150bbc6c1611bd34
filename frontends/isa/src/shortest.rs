//! The shortest decimals of binary32 numbers.
//!
//! Of the decimals that are read as a number, the shortest; of these the nearest. The method is Schubfach: Raffaele Giulietti, "The
//! Schubfach way to render doubles", 2020.

use crate::cursor::{Cursor, eight_digits};
use crate::power::{log2_of_power, rounded_up};
use std::hint::select_unpredictable;

/// A positive number as `digits` * 10^`exponent`. The digits may end with zeros.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Decimal {
    digits: u32,
    exponent: i32,
}

/// The high bits of a product, the lowest of them 1 where anything is lost.
const fn round_to_odd(power: u64, factor: u32) -> u32 {
    let product = power as u128 * factor as u128;
    (product >> 64) as u32 | ((product >> 32) as u32 > 1) as u32
}

impl Decimal {
    /// That of a positive finite number, by its bits.
    fn of(bits: u32) -> Decimal {
        let (biased, fraction) = (bits >> 23, bits & 0x7f_ffff);
        let (significand, exponent) =
            if biased == 0 { (fraction, -149) } else { (fraction | 0x80_0000, biased as i32 - 150) };
        // Integers of up to 24 bits have no shorter decimals.
        if let Some(integer) = integer(bits) {
            return Decimal { digits: integer, exponent: 0 };
        }
        let closer = fraction == 0 && biased > 1;
        let odd = significand & 1;
        let k = (exponent * 1_262_611 - if closer { 524_031 } else { 0 }) >> 22;
        let shift = exponent + log2_of_power(-k) + 1;
        let power = rounded_up(-k);
        let middle = 4 * significand;
        // Of the numbers that are read as this one, the bounds.
        let lower = round_to_odd(power, (middle - 2 + u32::from(closer)) << shift) + odd;
        let value = round_to_odd(power, middle << shift);
        let upper = round_to_odd(power, (middle + 2) << shift) - odd;
        // A digit less, if one of the two nearest such decimals is inside, and only one; else the nearer of the two decimals that are
        // inside, or the one. What is chosen depends on the number, so that no branch could be foreseen.
        let (four, tens) = (value / 4, value / 40);
        let (down, up) = (lower <= 40 * tens, 40 * tens + 40 <= upper);
        let is_shorter = four >= 10 && down != up;
        let (down, above) = (lower <= 4 * four, 4 * four + 4 <= upper);
        // Halfway between two of equal length the larger is taken, as the standard library does.
        let rises = select_unpredictable(down != above, above, value >= 4 * four + 2);
        let shorter = Decimal { digits: tens + u32::from(up), exponent: k + 1 };
        let longer = Decimal { digits: four + u32::from(rises), exponent: k };
        select_unpredictable(is_shorter, shorter, longer)
    }
}

impl Cursor<'_> {
    /// Appends the shortest decimal of a positive finite binary32 number, by its bits: with digits in front of a point, or, with
    /// `exponential`, as `1.25e-7`.
    pub fn shortest(&mut self, bits: u32, exponential: bool) {
        if let Some(integer) = integer(bits).filter(|_| !exponential) {
            return self.decimal(integer.into());
        }
        if bits == 0 {
            return self.text("0e0");
        }
        self.decimal_of(bits, exponential);
    }

    /// Appends the shortest decimal of a finite binary32 number with its sign, if it has at most `most` characters; says whether it
    /// has.
    pub fn shortest_within(&mut self, bits: u32, most: usize) -> bool {
        let before = self.place_of_next();
        self.char_if(b'-', bits >> 31 != 0);
        self.shortest(bits & 0x7fff_ffff, false);
        let fits = self.len_since(before) <= most;
        if !fits {
            self.cut_back(before);
        }
        fits
    }

    /// The same for numbers that are no integers of 24 bits, or with `exponential`. Nothing here depends on the digits but numbers.
    #[inline(never)]
    fn decimal_of(&mut self, bits: u32, exponential: bool) {
        let Decimal { digits, exponent } = Decimal::of(bits);
        let count = digits.ilog10() as usize + 1;
        // Behind the digits, zeros.
        let characters = nine_digits(digits) >> (8 * (9 - count)) | ZEROS << (8 * count);
        // All up to the last digit that is not 0.
        let shown = 16 - (characters ^ ZEROS).leading_zeros() as usize / 8;
        // Digits in front of the point; there is none where no others are shown.
        let whole = if exponential { 1 } else { count as i32 + exponent };
        let zeros = usize::try_from(-whole).map_or(0, |zeros| zeros + 2);
        self.first_of(b"0.00000000000000", zeros.min(16));
        (16..zeros).for_each(|_| self.char(b'0'));
        let front = usize::try_from(whole).unwrap_or(0);
        let has_point = front > 0 && shown > front;
        let behind = characters >> (8 * front).min(120);
        let pointed = u128::from(b'.') | behind << 8;
        let low = (1u128 << (8 * front).min(120)) - 1;
        let inserted = characters & low | pointed << (8 * front).min(120);
        let spelled = select_unpredictable(has_point, inserted, characters);
        let len = shown.max(front) + usize::from(has_point);
        self.first_of(&spelled.to_le_bytes(), len.min(16));
        (16..len).for_each(|_| self.char(b'0'));
        if exponential {
            let (text, len) = EXPONENTS[(exponent + count as i32 - 1 - LEAST_EXPONENT) as usize];
            self.chars(text.into(), len.into());
        }
    }
}

/// The least exponent that is written: that of the least number.
const LEAST_EXPONENT: i32 = -45;

/// Exponents from there on, as they are written, and how many characters they are.
static EXPONENTS: [(u32, u8); 84] = {
    let mut all = [(0, 0); 84];
    let mut n = 0;
    while n < all.len() {
        let e = LEAST_EXPONENT + n as i32;
        let [tens, ones] = [b'0' as u32 + e.unsigned_abs() / 10, b'0' as u32 + e.unsigned_abs() % 10];
        let (mut text, mut len) = (ones, 1);
        if tens > b'0' as u32 {
            (text, len) = (text << 8 | tens, len + 1);
        }
        if e < 0 {
            (text, len) = (text << 8 | b'-' as u32, len + 1);
        }
        all[n] = (text << 8 | b'e' as u32, len + 1);
        n += 1;
    }
    all
};

/// The integer that a positive number is, if it has at most 24 bits.
#[inline]
fn integer(bits: u32) -> Option<u32> {
    if bits == 0 {
        return Some(0);
    }
    let (significand, shift) = (bits & 0x7f_ffff | 0x80_0000, 150u32.wrapping_sub(bits >> 23));
    (shift < 24 && significand & ((1 << shift) - 1) == 0).then(|| significand >> shift)
}

/// Sixteen characters `0`.
const ZEROS: u128 = u128::MAX / 0xff * b'0' as u128;

/// The nine decimal digits of a number below 10^9 as characters, the first in the lowest byte.
#[inline]
fn nine_digits(value: u32) -> u128 {
    const BLOCK: u32 = 100_000_000;
    u128::from(eight_digits(value % BLOCK)) << 8 | u128::from(b'0' as u32 + value / BLOCK)
}

#[cfg(test)]
mod tests {
    use crate::out::Out;

    fn check(bits: u32) {
        let value = f32::from_bits(bits & 0x7fff_ffff);
        if !value.is_finite() {
            return;
        }
        let mut out = Out::new();
        out.line(|line| line.shortest(value.to_bits(), false));
        out.char(b' ');
        out.line(|line| line.shortest(value.to_bits(), true));
        assert_eq!(out.as_str(), format!("{value} {value:e}"), "{bits:#x}");
    }

    /// Numbers that are too long leave nothing behind, also where the line had to be moved on their way.
    #[test]
    fn numbers_that_are_too_long_are_taken_back() {
        let printed = |front: usize, number: f32, most: usize| {
            let mut out = Out::new();
            let mut fits = false;
            out.line(|line| {
                (0..front).for_each(|_| line.char(b'x'));
                fits = line.shortest_within(number.to_bits(), most);
                line.char(b'!');
            });
            let text = out.as_str().to_string();
            assert_eq!(text[..front], "x".repeat(front));
            (fits, text[front..].to_string())
        };
        for front in [0, 1, 240, 250, 253, 254, 255, 300, 508] {
            for number in [0.0, -0.0, 1.0, -0.3, 16_777_216.0, 1.234_567_9, -1e-9, 3.4e38] {
                let text = format!("{number}");
                assert_eq!(printed(front, number, text.len()), (true, text.clone() + "!"));
                assert_eq!(printed(front, number, text.len() - 1), (false, "!".to_string()), "{front} {number}");
            }
        }
    }

    /// What the standard library prints, of every exponent and of numbers near those that round in another way.
    #[test]
    fn as_the_standard_library() {
        for exponent in 0..255u32 {
            let fractions = [0, 1, 2, 3, 0x40_0000, 0x7f_fffe, 0x7f_ffff, 0x55_5555, 0x2a_aaab];
            fractions.into_iter().for_each(|fraction| check(exponent << 23 | fraction));
        }
        (0..40_000u32).for_each(|n| check(n.wrapping_mul(0x9e37_79b1)));
        (0..5_000u32).for_each(|n| check((n as f32 * 0.001).to_bits()));
        (0..5_000u32).for_each(|n| check((n as f32).to_bits()));
        (0..39).for_each(|n| (1..10).for_each(|d| check((d as f32 * 10f32.powi(n)).to_bits())));
    }
}
