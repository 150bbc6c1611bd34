//! Float literals as the vendor's disassembler writes them: twenty significant digits of the exact value.

use parallax_isa::{Cursor, Numeral, Style};
use parallax_text::parse_f32;

/// Numbers from here on are written with an exponent.
const LARGE: u32 = 0x4e6e_6b28;
/// The NaN that the short spelling stands for.
const NAN: u32 = 0x7fc0_0000;

/// Writes a literal. Below 1e9 it is C's `%.20g`, from there on `%.20e`; zero with a sign, infinities and NaNs have a blank
/// behind them. The exact style has no such blanks, and NaNs that the short spelling does not stand for as bits: `0f7fc00001`.
pub(crate) fn print(bits: u32, style: Style, line: &mut Cursor<'_>) {
    let (negative, magnitude) = (bits >> 31 != 0, bits & 0x7fff_ffff);
    let special = match magnitude {
        0 if !negative => return line.char(b'0'),
        0 => "-0.0",
        0x7f80_0000 if negative => "-INF",
        0x7f80_0000 => "+INF",
        0x7f80_0001.. if style == Style::Exact && magnitude != NAN => {
            line.text("0f");
            return line.hex(u64::from(bits), 8);
        }
        0x7f80_0001.. if negative => "-QNAN",
        0x7f80_0001.. => "+QNAN",
        _ => {
            line.char_if(b'-', negative);
            let digits = Digits::of(magnitude);
            return if magnitude >= LARGE {
                digits.rounded(21).exponential(20, line)
            } else {
                digits.rounded(20).general(line)
            };
        }
    };
    line.text(special);
    line.char_if(b' ', style == Style::Vendor);
}

/// Most decimal digits of a binary32 number.
const MOST: usize = 120;

/// The decimal digits of a number: d.ddd times ten to the power of `exponent`.
struct Digits {
    digits: [u8; MOST],
    count: usize,
    exponent: i32,
}

impl Digits {
    /// Those of a finite number that is not 0.
    fn of(magnitude: u32) -> Digits {
        let fraction = magnitude & 0x7f_ffff;
        let (significand, exponent) = match magnitude >> 23 {
            0 => (fraction, -149),
            biased => (fraction | 0x80_0000, biased as i32 - 150),
        };
        let zeros = significand.trailing_zeros();
        let (significand, exponent) = (significand >> zeros, exponent + zeros as i32);
        // m * 2^k, or m / 2^k = m * 5^k / 10^k.
        let scale = exponent.min(0).unsigned_abs();
        let small = match exponent {
            0.. => 1u64.checked_shl(exponent.unsigned_abs()),
            _ => 5u64.checked_pow(scale),
        };
        match small.and_then(|factor| factor.checked_mul(u64::from(significand))) {
            Some(all) => Digits::of_integer(all, scale),
            None => Digits::of_long(significand, exponent),
        }
    }

    /// Those of `value` / 10^`scale`.
    fn of_integer(mut value: u64, scale: u32) -> Digits {
        let (mut reversed, mut count) = ([0; MOST], 0);
        while value > 0 {
            reversed[count] = (value % 10) as u8;
            (value, count) = (value / 10, count + 1);
        }
        Digits::of_reversed(reversed, count, scale)
    }

    /// Those of `significand` times 2^`exponent`, of any length.
    fn of_long(significand: u32, exponent: i32) -> Digits {
        let scale = exponent.min(0).unsigned_abs();
        // 24 bits and 149 times log2(5), the highest product with room for one factor.
        let (mut limbs, mut len) = ([0u32; 13], 1);
        limbs[0] = significand;
        let mut multiply = |factor: u32| {
            let mut carry = 0;
            for limb in &mut limbs[..len] {
                let product = u64::from(*limb) * u64::from(factor) + carry;
                (*limb, carry) = (product as u32, product >> 32);
            }
            if carry > 0 {
                (limbs[len], len) = (carry as u32, len + 1);
            }
        };
        // 5^13 is the largest power of a limb.
        let (base, step) = if exponent < 0 { (5u32, 13) } else { (2, 31) };
        let mut left = exponent.unsigned_abs();
        while left > 0 {
            multiply(base.pow(left.min(step)));
            left -= left.min(step);
        }
        let (mut reversed, mut count) = ([0; MOST], 0);
        while len > 0 {
            let mut rest = 0u64;
            for limb in limbs[..len].iter_mut().rev() {
                let value = rest << 32 | u64::from(*limb);
                (*limb, rest) = ((value / 1_000_000_000) as u32, value % 1_000_000_000);
            }
            push(&mut reversed, &mut count, rest as u32);
            while len > 0 && limbs[len - 1] == 0 {
                len -= 1;
            }
        }
        while count > 0 && reversed[count - 1] == 0 {
            count -= 1;
        }
        Digits::of_reversed(reversed, count, scale)
    }

    fn of_reversed(reversed: [u8; MOST], count: usize, scale: u32) -> Digits {
        let mut digits = [0; MOST];
        digits.iter_mut().zip(reversed[..count].iter().rev()).for_each(|(to, from)| *to = *from);
        Digits { digits, count, exponent: count as i32 - 1 - scale as i32 }
    }

    /// Rounds to so many digits, ties to even, and leaves out zeros at the end.
    fn rounded(mut self, keep: usize) -> Digits {
        if self.count > keep {
            let rest = &self.digits[keep + 1..self.count];
            let odd = !self.digits[keep - 1].is_multiple_of(2);
            let up = match self.digits[keep] {
                5 => odd || rest.iter().any(|d| *d != 0),
                digit => digit > 5,
            };
            self.count = keep;
            if up {
                let mut at = keep;
                while at > 0 && self.digits[at - 1] == 9 {
                    at -= 1;
                }
                if at == 0 {
                    self.digits[0] = 1;
                    self.exponent += 1;
                } else {
                    self.digits[at - 1] += 1;
                }
                self.count = at.max(1);
            }
        }
        while self.count > 1 && self.digits[self.count - 1] == 0 {
            self.count -= 1;
        }
        self
    }

    /// The digit of this place; those behind the last are 0.
    fn digit(&self, n: usize) -> u8 {
        b'0' + if n < self.count { self.digits[n] } else { 0 }
    }

    /// Writes some digits, at most 24.
    fn print(&self, places: std::ops::Range<usize>, line: &mut Cursor<'_>) {
        let mut text = [0; 24];
        let len = places.len().min(text.len());
        text.iter_mut().zip(places).for_each(|(c, n)| *c = self.digit(n));
        line.text(std::str::from_utf8(&text[..len]).unwrap_or(""));
    }

    /// Writes `%.20g`.
    fn general(&self, line: &mut Cursor<'_>) {
        if self.exponent < -4 {
            return self.exponential(self.count - 1, line);
        }
        let whole = (self.exponent + 1).max(0) as usize;
        if whole == 0 {
            line.char(b'0');
        }
        self.print(0..whole, line);
        if self.count > whole {
            line.char(b'.');
            (self.exponent + 1..0).for_each(|_| line.char(b'0'));
            self.print(whole..self.count, line);
        }
    }

    /// Writes the form with an exponent and so many digits behind the point.
    fn exponential(&self, decimals: usize, line: &mut Cursor<'_>) {
        line.char(self.digit(0));
        if decimals > 0 {
            line.char(b'.');
            self.print(1..decimals + 1, line);
        }
        line.char(b'e');
        line.char(if self.exponent < 0 { b'-' } else { b'+' });
        let exponent = self.exponent.unsigned_abs();
        line.char_if(b'0', exponent < 10);
        line.decimal(u64::from(exponent));
    }
}

/// Adds nine digits, the lowest first.
fn push(reversed: &mut [u8; MOST], count: &mut usize, mut nine: u32) {
    for _ in 0..9 {
        reversed[*count] = (nine % 10) as u8;
        (nine, *count) = (nine / 10, *count + 1);
    }
}

/// Reads a literal: a decimal number, `INF`, `QNAN`, or bits as `0f3f800000`.
pub(crate) fn read(text: &[u8]) -> Numeral {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative || text.first() == Some(&b'+'));
    let rest = &text[start..];
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let sign = u32::from(negative) << 31;
    match &rest[..word] {
        b"INF" => return Numeral::Value(i64::from(0x7f80_0000 | sign), start + 3),
        b"QNAN" | b"NAN" => return Numeral::Value(i64::from(NAN | sign), start + word),
        [b'0', b'f', digits @ ..] if digits.len() == 8 && start == 0 => {
            let bits = std::str::from_utf8(digits).ok().and_then(|digits| u32::from_str_radix(digits, 16).ok());
            return bits.map_or(Numeral::Bad, |bits| Numeral::Value(i64::from(bits), word));
        }
        _ => {}
    }
    let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut len = digits(0);
    let whole = len;
    if rest.get(len) == Some(&b'.') {
        let decimals = digits(len + 1);
        // A modifier may follow: `1.NEG`.
        len += if decimals > 0 { 1 + decimals } else { 0 };
    }
    if len == 0 || whole == 0 {
        return Numeral::None;
    }
    if matches!(rest.get(len), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
        let exponent = digits(len + 1 + sign);
        len += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    if rest.get(len).is_some_and(u8::is_ascii_alphanumeric) {
        return Numeral::Bad;
    }
    let value = std::str::from_utf8(&rest[..len]).ok().and_then(parse_f32).filter(|value| value.is_finite());
    value.map_or(Numeral::Bad, |value| Numeral::Value(i64::from(value.to_bits() | sign), start + len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_isa::Out;

    fn text(bits: u32, style: Style) -> String {
        let mut out = Out::new();
        out.line(|line| print(bits, style, line));
        out.as_str().to_string()
    }

    #[test]
    fn literals_have_twenty_digits() {
        for (bits, want) in [
            (0x3f80_0000, "1"),
            (0x8000_0000, "-0.0 "),
            (0xc3cd_c000, "-411.5"),
            (0x4900_0000, "524288"),
            (0x3dcc_cccd, "0.10000000149011611938"),
            (0x3f66_6666, "0.89999997615814208984"),
            (0x37c0_c000, "2.2977590560913085938e-05"),
            (0x0000_0001, "1.4012984643248170709e-45"),
            (0x7f7f_ffff, "3.40282346638528859812e+38"),
            (0x4e6e_6b28, "1.00000000000000000000e+09"),
            (0x4e6e_6b27, "999999936"),
            (0xff80_0000, "-INF "),
            (0x7fc0_0001, "+QNAN "),
        ] {
            assert_eq!(text(bits, Style::Vendor), want, "{bits:08x}");
        }
        assert_eq!(text(0x7fc0_0001, Style::Exact), "0f7fc00001");
        assert_eq!(text(0xffc0_0000, Style::Exact), "-QNAN");
    }

    #[test]
    fn literals_read_back() {
        let mut bits = 1u32;
        for _ in 0..50_000 {
            bits = bits.wrapping_mul(0x9e37_79b1).wrapping_add(0x1234_5679);
            let text = text(bits, Style::Exact);
            assert_eq!(read(text.as_bytes()), Numeral::Value(i64::from(bits), text.len()), "{text}");
        }
        for bits in [0, 0x8000_0000, 1, 0x7f7f_ffff, 0xff80_0000, 0x7fc0_0000, 0x7f80_0001, 0xffff_ffff] {
            let text = text(bits, Style::Exact);
            assert_eq!(read(text.as_bytes()), Numeral::Value(i64::from(bits), text.len()), "{text}");
        }
        assert_eq!(read(b"1.NEG"), Numeral::Value(0x3f80_0000, 1));
        assert_eq!(read(b"1.5e"), Numeral::Bad);
        assert_eq!(
            [read(b".5"), read(b"x"), read(b"-"), read(b"0f12")],
            [Numeral::None, Numeral::None, Numeral::None, Numeral::Bad]
        );
        assert_eq!(read(b"1e99"), Numeral::Bad);
    }
}
