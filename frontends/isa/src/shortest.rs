//! The shortest decimals of binary32 numbers.
//!
//! Of the decimals that are read as a number, the shortest; of these the nearest. The method is Schubfach: Raffaele Giulietti, "The
//! Schubfach way to render doubles", 2020; but a number is multiplied once, and its bounds are compared in fixed point.

use crate::cursor::{Cursor, eight_digits};
use crate::power::{log2_of_power, rounded_up};
use std::hint::select_unpredictable;

/// A positive number in scientific notation: nine digits, the first of them not 0, with a point behind the first, times 10^`exponent`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Decimal {
    digits: u32,
    exponent: i32,
}

/// One in fixed point, with 59 bits behind the point.
const ONE: u64 = 1 << 59;

/// Compared values that differ by less are equal: a product is too large by less than a quarter of this. That no two unequal ones are so
/// near is tested for all numbers.
const EQUAL: u64 = 1 << 25;

impl Decimal {
    /// The decimal of a positive finite number, given by its bits. Nothing branches on the digits, because no processor could predict it.
    #[inline(always)]
    fn of(bits: u32) -> Decimal {
        let (biased, fraction) = (bits >> 23, bits & 0x7f_ffff);
        let (significand, exponent) =
            if biased == 0 { (fraction, -149) } else { (fraction | 0x80_0000, biased as i32 - 150) };
        // The next lower number is nearer than the next higher one.
        let closer = fraction == 0 && biased > 1;
        let k = (exponent * 1_262_611 - if closer { 524_031 } else { 0 }) >> 22;
        let shift = (exponent + log2_of_power(-k) + 1) as u32;
        let power = rounded_up(-k);
        // The number in units of 10^k, and its distance from where the next higher number begins: at most 20 / 3.
        let product = u128::from(power) * u128::from(significand << shift);
        let (whole, behind) = ((product >> 64) as u32, (product as u64) >> 5);
        let above = power >> (6 - shift);
        let below = above >> u32::from(closer);
        // Halfway between two numbers the even one is read.
        let (above, below) =
            if significand & 1 == 0 { (above + EQUAL, below + EQUAL) } else { (above - EQUAL, below - EQUAL) };
        // A digit less, if one of the two nearest such decimals is read as the number; no more than one is.
        let tens = whole / 10;
        let rest = u64::from(whole - 10 * tens) * ONE + behind;
        let (down, up) = (rest < below, rest + above > 10 * ONE);
        // Else the nearer of two decimals, if it is read as the number. Halfway the larger is taken, as the standard library does.
        let rises = behind >= (ONE / 2).min(below);
        let digits = select_unpredictable(down | up, 10 * (tens + u32::from(up)), whole + u32::from(rises));
        Decimal::with_nine_digits(digits, k)
    }

    /// `digits` * 10^`k`.
    #[inline(always)]
    fn with_nine_digits(mut digits: u32, mut k: i32) -> Decimal {
        // Only denormals have so few.
        while digits < 1_000_000 {
            (digits, k) = (10 * digits, k - 1);
        }
        let (eight, seven) = (digits < 100_000_000, digits < 10_000_000);
        let factor = select_unpredictable(seven, 100, select_unpredictable(eight, 10, 1));
        Decimal { digits: digits * factor, exponent: k + 8 - i32::from(eight) - i32::from(seven) }
    }
}

impl Cursor<'_> {
    /// Appends the shortest decimal of a positive finite binary32 number, by its bits: with digits in front of a point, or, with
    /// `exponential`, as `1.25e-7`.
    pub fn shortest(&mut self, bits: u32, exponential: bool) {
        if bits == 0 {
            return self.text(if exponential { "0e0" } else { "0" });
        }
        if exponential {
            return self.exponential(bits);
        }
        match integer(bits) {
            Some(integer) => self.decimal(integer.into()),
            None => self.positional(bits),
        }
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

    /// A digit, a point, digits and an exponent.
    #[inline(never)]
    fn exponential(&mut self, bits: u32) {
        let Decimal { digits, exponent } = Decimal::of(bits);
        let (first, others, shown) = characters(digits);
        self.chars(first | u64::from(b'.') << 8, 1 + usize::from(shown > 0));
        self.chars(others, shown);
        let (text, len) = EXPONENTS[(exponent - LEAST_EXPONENT) as usize];
        self.chars(text.into(), len.into());
    }

    /// A number that is no integer of 24 bits, with its digits in front of a point and behind it.
    #[inline(never)]
    fn positional(&mut self, bits: u32) {
        let Decimal { digits, exponent } = Decimal::of(bits);
        let (first, others, shown) = characters(digits);
        if exponent >= 7 {
            // An integer.
            self.chars(first, 1);
            self.chars(others, exponent.min(8) as usize);
            return (8..exponent).for_each(|_| self.char(b'0'));
        }
        let zeros = usize::try_from(-exponent).map_or(0, |zeros| if zeros > 0 { zeros + 1 } else { 0 });
        self.first_of(b"0.00000000000000", zeros.min(16));
        (16..zeros).for_each(|_| self.char(b'0'));
        let front = usize::try_from(exponent).unwrap_or(0);
        self.chars(first | others << 8, 1 + front);
        self.char_if(b'.', exponent >= 0);
        self.chars(others >> (8 * front), shown.saturating_sub(front));
    }
}

/// The first of nine digits as a character, the others, the first of them in the lowest byte, and how many are shown: all up to the last
/// that is not 0.
#[inline(always)]
fn characters(digits: u32) -> (u64, u64, usize) {
    const EIGHT: u32 = 100_000_000;
    const ZEROS: u64 = u64::MAX / 0xff * b'0' as u64;
    let others = eight_digits(digits % EIGHT);
    (u64::from(b'0') + u64::from(digits / EIGHT), others, 8 - (others ^ ZEROS).leading_zeros() as usize / 8)
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
    let (significand, shift) = (bits & 0x7f_ffff | 0x80_0000, 150u32.wrapping_sub(bits >> 23));
    (shift < 24 && significand & ((1 << shift) - 1) == 0).then(|| significand >> shift)
}

#[cfg(test)]
mod tests {
    use crate::out::Out;
    use std::fmt::Write;

    /// Numbers as the standard library prints them, in both ways.
    fn check(numbers: impl IntoIterator<Item = u32>) {
        let (mut out, mut want) = (Out::new(), String::new());
        for bits in numbers.into_iter().map(|bits| bits & 0x7fff_ffff) {
            let value = f32::from_bits(bits);
            if !value.is_finite() {
                continue;
            }
            out.clear();
            want.clear();
            out.line(|line| {
                line.shortest(bits, false);
                line.char(b' ');
                line.shortest(bits, true);
            });
            write!(want, "{value} {value:e}").unwrap();
            assert_eq!(out.as_str(), want, "{bits:#x}");
        }
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

    /// Of every exponent, and numbers near those that round in another way.
    #[test]
    fn as_the_standard_library() {
        let fractions = [0, 1, 2, 3, 0x40_0000, 0x7f_fffe, 0x7f_ffff, 0x55_5555, 0x2a_aaab];
        (0..255).for_each(|exponent| check(fractions.map(|fraction| exponent << 23 | fraction)));
        check((0..40_000u32).map(|n| n.wrapping_mul(0x9e37_79b1)));
        check((0..5_000u32).map(|n| (n as f32 * 0.001).to_bits()));
        check((0..5_000u32).map(|n| (n as f32).to_bits()));
        (0..39).for_each(|n| check((1..10).map(|d| (d as f32 * 10f32.powi(n)).to_bits())));
    }

    /// All positive numbers there are.
    #[test]
    #[ignore = "all 2^31 numbers: seven minutes on one core"]
    fn all_as_the_standard_library() {
        check(0..f32::INFINITY.to_bits());
    }
}
