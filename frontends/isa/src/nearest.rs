//! The binary32 numbers nearest to decimals.
//!
//! The digits are multiplied by a power of ten of 64 bits. That tells the nearest number unless the product is about halfway between
//! two of them: Daniel Lemire, "Number parsing at a gigabyte per second", 2021.

use crate::power::{is_exact, log2_of_power, rounded_up};
use crate::syntax::Numeral;

/// Bits of a product behind those of a significand of binary32 and the one that rounds it.
const BEHIND: u32 = 64 - 25;

/// The bits of the number of binary32 that is nearest to `digits` * 10^`exponent`. None where that is not told at once, or the number
/// is very small or too large.
fn nearest(digits: u64, exponent: i32) -> Option<u32> {
    if digits == 0 {
        return Some(0);
    }
    if !(-64..=38).contains(&exponent) {
        return None;
    }
    let zeros = digits.leading_zeros();
    let product = u128::from(digits << zeros) * u128::from(rounded_up(exponent));
    let lacks = product.leading_zeros();
    let product = product << lacks;
    // A power that was rounded up makes the high half too large by 1 at most.
    let (high, low) = ((product >> 64) as u64, product as u64);
    let (significand, rest) = ((high >> (BEHIND + 1)) as u32, high & ((1 << BEHIND) - 1));
    let is_above_half = match is_exact(exponent) {
        true => rest != 0 || low != 0 || significand & 1 != 0,
        false if rest <= 1 => return None,
        false => true,
    };
    let rises = high >> BEHIND & 1 != 0 && is_above_half;
    let biased = 127 + 64 + log2_of_power(exponent) - zeros as i32 - lacks as i32;
    if !(1..255).contains(&biased) {
        return None;
    }
    // What rises to the next power of two carries into the exponent.
    let bits = ((biased as u32 - 1) << 23) + significand + u32::from(rises);
    (bits < f32::INFINITY.to_bits()).then_some(bits)
}

impl Numeral {
    /// The bits of a number of binary32 without a sign in front, and its bytes: digits, perhaps with a point inside and an exponent
    /// behind. None for any other, and for some whose nearest number takes longer to tell.
    pub fn float(text: &[u8]) -> Option<(u32, usize)> {
        /// Integers up to here, and powers of ten up to the last, are numbers of binary32.
        const MOST: u64 = 1 << 24;
        const POWERS: [f32; 11] = [1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10];
        let (digits, places, mut len) = Numeral::digits(text, 18)?;
        let mut exponent = 0;
        if let Some(b'e' | b'E') = text.get(len) {
            let sign = text.get(len + 1).copied().filter(|b| matches!(b, b'+' | b'-'));
            let start = len + 1 + usize::from(sign.is_some());
            len = start;
            while let Some(digit @ 0..10) = text.get(len).map(|b| b.wrapping_sub(b'0')) {
                // None that is longer is told here.
                if len == start + 3 {
                    return None;
                }
                (exponent, len) = (exponent * 10 + i32::from(digit), len + 1);
            }
            if len == start || text.get(len) == Some(&b'.') {
                return None;
            }
            if sign == Some(b'-') {
                exponent = -exponent;
            }
        }
        if text.get(len).is_some_and(u8::is_ascii_alphanumeric) {
            return None;
        }
        if exponent == 0
            && digits <= MOST
            && let Some(power) = POWERS.get(places)
        {
            // The quotient is rounded once.
            return Some(((digits as f32 / power).to_bits(), len));
        }
        Some((nearest(digits, exponent - places as i32)?, len))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// They are what they are to the standard library; says whether they were told.
    fn is_told(text: &str) -> bool {
        let found = Numeral::float(format!("{text}, ").as_bytes());
        let want = text.parse::<f32>().expect("a number").to_bits();
        assert!(found.is_none_or(|found| found == (want, text.len())), "{text}: {found:?}");
        found.is_some()
    }

    #[test]
    fn shortest_decimals_are_read() {
        let (mut told, mut all) = (0, 0);
        for bits in (0..0x7f80_0000u32).step_by(40_009) {
            let value = f32::from_bits(bits);
            for text in [format!("{value:e}"), format!("{value}"), format!("{value:.9e}"), format!("{value:E}")] {
                all += 1;
                told += usize::from(is_told(&text));
            }
        }
        assert!(told * 4 > all * 3, "{told} of {all}");
    }

    /// Halfway between two numbers, and a little beside that.
    #[test]
    fn ties_are_read() {
        let mut told = 0;
        for n in 0..40_000u64 {
            // 25 bits, the lowest of them 1.
            let middle = (1 << 24 | n.wrapping_mul(0x9e37_79b9) & 0xff_fffe) + 1;
            for scale in [1, 10, 1 << 20, 1_000_000_000] {
                for digits in [middle * scale - 1, middle * scale, middle * scale + 1] {
                    told += usize::from(is_told(&digits.to_string()));
                    told += usize::from(is_told(&format!("{digits}e-{}", n % 50)));
                    told += usize::from(is_told(&format!("{digits}e{}", n % 30)));
                }
            }
        }
        assert!(told > 100_000, "{told}");
    }

    #[test]
    fn short_numbers_are_read() {
        for digits in (0..1u32 << 24).step_by(7_919).chain([1, 9, 10, 9_999_999, 1 << 24]) {
            let whole = digits.to_string();
            for places in 0..whole.len() {
                let (front, behind) = whole.split_at(whole.len() - places);
                assert!(is_told(&if places == 0 { whole.clone() } else { format!("{front}.{behind}") }));
            }
        }
        for text in ["0.00000001", "0e9", "1e38", "3.4028235e38", "12345678", "1.0000000", "1e5", "1E+5", "1e-5"] {
            assert!(is_told(text), "{text}");
        }
        for text in ["1e39", "3.4028236e38", "1e-46", "1e-40", "12345678901234567890", "1e0000", "0.1e-99"] {
            assert!(!is_told(text), "{text}");
        }
        for other in ["", ".5", "1.", "1..2", "1.2.3", "0x10", "1f", "-1", "a", "1e", "1e-", "1e5.", "1e5f", "e5"] {
            assert_eq!(Numeral::float(other.as_bytes()), None, "{other}");
        }
    }
}
