//! Float literals as the vendor's disassembler writes them: twenty significant digits of the exact value.

use parallax_isa::{Cursor, Numeral, Style, power_of_ten};
use parallax_num::{Storage, ulp};
use parallax_text::{parse_f32, parse_f64};

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
            let (is_large, (significand, exponent)) = (magnitude >= LARGE, parts_of_single(magnitude));
            return match Single::quick(significand, exponent, kept(is_large), power_of_single) {
                Some(digits) => digits.print_number(is_large, line),
                None => Single::of_scaled(significand, exponent).print_number(is_large, line),
            };
        }
    };
    line.text(special);
    line.char_if(b' ', style == Style::Vendor);
}

/// Writes the binary64 number whose high 20 bits these are, as [`print`] does. A NaN whose highest bit of the fraction is clear is
/// `SNAN`; NaNs that a short spelling does not stand for are bits in the exact style: `0d7ff90000`.
pub(crate) fn print_double(bits: u32, style: Style, line: &mut Cursor<'_>) {
    let (negative, magnitude) = (bits >> 19 != 0, bits & 0x7_ffff);
    let special = match magnitude {
        0 if !negative => return line.char(b'0'),
        0 => "-0.0",
        DOUBLE_INFINITY if negative => "-INF",
        DOUBLE_INFINITY => "+INF",
        0x7_ff01.. if style == Style::Exact && ![DOUBLE_NAN, DOUBLE_SIGNALLING].contains(&magnitude) => {
            line.text("0d");
            return line.hex(u64::from(bits) << 12, 8);
        }
        0x7_ff80.. if negative => "-QNAN",
        0x7_ff80.. => "+QNAN",
        0x7_ff01.. if negative => "-SNAN",
        0x7_ff01.. => "+SNAN",
        _ => {
            line.char_if(b'-', negative);
            let (is_large, (significand, exponent)) = (magnitude >= DOUBLE_LARGE, parts_of_double(magnitude));
            return match Single::quick(significand, exponent, kept(is_large), power_of_double) {
                Some(digits) => digits.print_number(is_large, line),
                None => Double::of_scaled(significand, exponent).print_number(is_large, line),
            };
        }
    };
    line.text(special);
    line.char_if(b' ', style == Style::Vendor);
}

/// High 20 bits of the infinite binary64 number.
const DOUBLE_INFINITY: u32 = 0x7_ff00;
/// High 20 bits of the binary64 number that the short spelling of a NaN stands for.
const DOUBLE_NAN: u32 = 0x7_ff80;
/// The same of a signalling one.
const DOUBLE_SIGNALLING: u32 = 0x7_ff01;
/// High 20 bits of the first binary64 number from 1e9 on.
const DOUBLE_LARGE: u32 = 0x4_1cdd;

/// Writes a binary16 number, as [`print`] does; NaNs that the short spelling does not stand for are `0h7c01` in the exact style.
pub(crate) fn print_half(bits: u32, style: Style, line: &mut Cursor<'_>) {
    if bits & 0x7fff > 0x7c00 {
        if style == Style::Exact && bits & 0x7fff != HALF_NAN {
            line.text("0h");
            return line.hex(u64::from(bits), 4);
        }
        return print(NAN | (bits >> 15) << 31, style, line);
    }
    print(widened(bits), style, line);
}

/// The binary16 number that the short spelling of a NaN stands for.
const HALF_NAN: u32 = 0x7e00;

/// A binary16 number that is no NaN as a binary32 number, exactly.
fn widened(bits: u32) -> u32 {
    (ulp::to_f64(bits.into(), Storage::F16) as f32).to_bits()
}

/// Digits of binary32 numbers. The product of 24 bits and 149 times log2(5) needs 12 limbs, and there is room for one more factor.
type Single = Digits<120, 13>;
/// Digits of the high 20 bits of binary64 numbers: 9 bits and 1030 times log2(5) need 76 limbs.
type Double = Digits<760, 77>;

/// The decimal digits of a number: d.ddd times ten to the power of `exponent`. There are at most `MOST`, and while they are
/// made, the number is `LIMBS` words long.
struct Digits<const MOST: usize, const LIMBS: usize> {
    digits: [u8; MOST],
    count: usize,
    exponent: i32,
}

/// Powers of ten from this exponent on, for numbers of up to 21 digits.
const LEAST: i32 = -20;
static POWERS: [u128; 88] = {
    let mut all = [0; 88];
    let mut n = 0;
    while n < all.len() {
        all[n] = power_of_ten(LEAST + n as i32);
        n += 1;
    }
    all
};

/// A finite binary32 number that is not 0 as an integer and the power of two it is multiplied by.
fn parts_of_single(magnitude: u32) -> (u32, i32) {
    let fraction = magnitude & 0x7f_ffff;
    match magnitude >> 23 {
        0 => (fraction, -149),
        biased => (fraction | 0x80_0000, biased as i32 - 150),
    }
}

/// The same of a binary64 number, by the high 19 bits of its magnitude.
fn parts_of_double(magnitude: u32) -> (u32, i32) {
    let fraction = magnitude & 0xff;
    match magnitude >> 8 {
        0 => (fraction, -1030),
        biased => (fraction | 0x100, biased as i32 - 1031),
    }
}

/// Digits that tell all that is written, of numbers that are written with an exponent and of others.
fn kept(is_large: bool) -> u32 {
    if is_large { 21 } else { 20 }
}

/// The first 128 bits of 10^`e`, cut off; for binary32 numbers.
fn power_of_single(e: i32) -> Option<u128> {
    POWERS.get(usize::try_from(e - LEAST).ok()?).copied()
}

/// Every so many powers of ten, and those between them, for binary64 numbers: [`power_of_double`].
const STEP: i32 = 32;
static STEPS: [u128; 22] = {
    let mut all = [0; 22];
    let mut n = 0;
    while n < all.len() {
        all[n] = power_of_ten(STEP * (n as i32 - 10));
        n += 1;
    }
    all
};
static BETWEEN: [u128; STEP as usize] = {
    let mut all = [0; STEP as usize];
    let mut n = 0;
    while n < all.len() {
        all[n] = power_of_ten(n as i32);
        n += 1;
    }
    all
};

/// The first 128 bits of 10^`e`, or up to three less in the last of them; for binary64 numbers.
fn power_of_double(e: i32) -> Option<u128> {
    let (step, between) = (e.div_euclid(STEP), e.rem_euclid(STEP));
    let (a, b) = (*STEPS.get(usize::try_from(step + 10).ok()?)?, BETWEEN[between as usize]);
    let halves = |value: u128| (value >> 64, value & u128::from(u64::MAX));
    let ((a, low_a), (b, low_b)) = (halves(a), halves(b));
    let (first, second) = (a * low_b, low_a * b);
    let middle = (first & u128::from(u64::MAX)) + (second & u128::from(u64::MAX)) + ((low_a * low_b) >> 64);
    let high = a * b + (first >> 64) + (second >> 64) + (middle >> 64);
    // The highest bit of a product of two such numbers, or the one behind it.
    let zeros = high.leading_zeros();
    Some(if zeros == 0 { high } else { high << 1 | middle >> 63 & 1 })
}

impl Single {
    /// The first `keep` of those of `significand` times 2^`exponent`, 20 or 21, rounded, where 128 bits of a power of ten tell them.
    fn quick(significand: u32, exponent: i32, keep: u32, power_of_ten: impl Fn(i32) -> Option<u128>) -> Option<Single> {
        let zeros = significand.leading_zeros();
        let (significand, exponent) = (significand << zeros, exponent - zeros as i32);
        // Of the power of two at most as large: floor(log10), that of the number or one less.
        let mut first = ((exponent + 31) * 78_913) >> 18;
        let limit = 10u128.pow(keep);
        loop {
            let scale = keep as i32 - 1 - first;
            let power = power_of_ten(scale)?;
            // The number times 10^scale is the product divided by 2^shift.
            let shift = 127 - exponent - ((scale * 1_741_647) >> 19);
            let low = u128::from(power as u64) * u128::from(significand);
            let high = (power >> 64) * u128::from(significand) + (low >> 64);
            let shift = u32::try_from(shift - 64).ok().filter(|shift| (2..120).contains(shift))?;
            let (mut digits, rest, half) = (high >> shift, high & ((1 << shift) - 1), 1 << (shift - 1));
            // The power lacks less than four of its last bit, so that the product lacks less than one of its first limbs.
            if rest == half || rest + 1 == half {
                return None;
            }
            digits += u128::from(rest > half);
            if digits >= limit {
                first += 1;
                continue;
            }
            return Some(Single::of_rounded(digits, keep, first));
        }
    }

    /// So many digits of a number, the first of which stands for 10^`exponent`.
    fn of_rounded(all: u128, count: u32, exponent: i32) -> Single {
        const PART: u128 = 10_000_000_000;
        let (mut parts, mut digits) = ([(all / PART) as u64, (all % PART) as u64], [0; 120]);
        for n in (0..count as usize).rev() {
            let part = &mut parts[usize::from(n + 10 >= count as usize)];
            digits[n] = (*part % 10) as u8;
            *part /= 10;
        }
        Digits { digits, count: count as usize, exponent }
    }
}

impl<const MOST: usize, const LIMBS: usize> Digits<MOST, LIMBS> {
    /// Those of `significand` times 2^`exponent`.
    fn of_scaled(significand: u32, exponent: i32) -> Self {
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
    fn of_integer(mut value: u64, scale: u32) -> Self {
        let (mut reversed, mut count) = ([0; MOST], 0);
        while value > 0 {
            reversed[count] = (value % 10) as u8;
            (value, count) = (value / 10, count + 1);
        }
        Digits::of_reversed(reversed, count, scale)
    }

    /// Those of `significand` times 2^`exponent`, of any length.
    fn of_long(significand: u32, exponent: i32) -> Self {
        let scale = exponent.min(0).unsigned_abs();
        let (mut limbs, mut len) = ([0u32; LIMBS], 1);
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

    fn of_reversed(reversed: [u8; MOST], count: usize, scale: u32) -> Self {
        let mut digits = [0; MOST];
        digits.iter_mut().zip(reversed[..count].iter().rev()).for_each(|(to, from)| *to = *from);
        Digits { digits, count, exponent: count as i32 - 1 - scale as i32 }
    }

    /// Rounds to so many digits, ties to even, and leaves out zeros at the end.
    fn rounded(mut self, keep: usize) -> Self {
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

    /// Writes twenty significant digits: with an exponent if the number is large.
    fn print_number(self, is_large: bool, line: &mut Cursor<'_>) {
        if is_large { self.rounded(21).exponential(20, line) } else { self.rounded(20).general(line) }
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
fn push(reversed: &mut [u8], count: &mut usize, mut nine: u32) {
    for _ in 0..9 {
        reversed[*count] = (nine % 10) as u8;
        (nine, *count) = (nine / 10, *count + 1);
    }
}

/// The characters of a literal: its sign, and how many there are.
enum Literal<'a> {
    /// There is none.
    None,
    /// It is none that can be read.
    Bad,
    Infinity(bool, usize),
    Nan(bool, usize),
    /// Only wide formats tell it apart.
    SignallingNan(bool, usize),
    /// A decimal number, without its sign.
    Digits(bool, &'a str, usize),
}

impl Literal<'_> {
    /// The literal at the start of a text: a decimal number, `INF`, `QNAN`.
    fn at(text: &[u8]) -> Literal<'_> {
        let negative = text.first() == Some(&b'-');
        let start = usize::from(negative || text.first() == Some(&b'+'));
        let rest = &text[start..];
        let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        match &rest[..word] {
            b"INF" => return Literal::Infinity(negative, start + word),
            b"QNAN" | b"NAN" => return Literal::Nan(negative, start + word),
            b"SNAN" => return Literal::SignallingNan(negative, start + word),
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
            return Literal::None;
        }
        if matches!(rest.get(len), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(len + 1), Some(b'+' | b'-')));
            let exponent = digits(len + 1 + sign);
            len += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        if rest.get(len).is_some_and(u8::is_ascii_alphanumeric) {
            return Literal::Bad;
        }
        std::str::from_utf8(&rest[..len]).map_or(Literal::Bad, |digits| Literal::Digits(negative, digits, start + len))
    }
}

/// Bits as so many hexadecimal digits behind `prefix`, and their length with it; `None` where the prefix does not stand here.
fn bits(text: &[u8], prefix: &[u8], count: usize) -> Option<Numeral> {
    let rest = text.strip_prefix(prefix)?;
    let word = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let digits = std::str::from_utf8(&rest[..word]).ok().filter(|digits| digits.len() == count)?;
    let value = i64::from_str_radix(digits, 16).ok();
    Some(value.map_or(Numeral::Bad, |value| Numeral::Value(value, prefix.len() + count)))
}

/// Reads a literal: a decimal number, `INF`, `QNAN`, or bits as `0f3f800000`.
pub(crate) fn read(text: &[u8]) -> Numeral {
    if let Some(numeral) = bits(text, b"0f", 8) {
        return numeral;
    }
    let signed = |negative: bool, bits: u32, len| Numeral::Value(i64::from(bits | u32::from(negative) << 31), len);
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    if let Some((bits, len)) = Numeral::float(&text[sign..]) {
        return signed(text[0] == b'-', bits, sign + len);
    }
    match Literal::at(text) {
        Literal::None => Numeral::None,
        Literal::Bad | Literal::SignallingNan(..) => Numeral::Bad,
        Literal::Infinity(negative, len) => signed(negative, 0x7f80_0000, len),
        Literal::Nan(negative, len) => signed(negative, NAN, len),
        Literal::Digits(negative, digits, len) => match parse_f32(digits).filter(|value| value.is_finite()) {
            Some(value) => signed(negative, value.to_bits(), len),
            None => Numeral::Bad,
        },
    }
}

/// Reads a binary16 number: as [`read`], or bits as `0h3c00`. Numbers between two of them are refused.
pub(crate) fn read_half(text: &[u8]) -> Numeral {
    if let Some(numeral) = bits(text, b"0h", 4) {
        return numeral;
    }
    let (single, len) = match read(text) {
        Numeral::Value(single, len) => (single as u32, len),
        other => return other,
    };
    let magnitude = match single & 0x7fff_ffff {
        0x7f80_0001.. => HALF_NAN,
        0x7f80_0000 => 0x7c00,
        magnitude => match magnitude >> 23 {
            exponent @ 113..143 => (exponent - 112) << 10 | magnitude >> 13 & 0x3ff,
            exponent @ 103..113 => (magnitude & 0x7f_ffff | 0x80_0000) >> (126 - exponent),
            _ => 0,
        },
    };
    let bits = magnitude | single >> 16 & 0x8000;
    let is_exact = magnitude > 0x7c00 || widened(bits) == single;
    if is_exact { Numeral::Value(i64::from(bits), len) } else { Numeral::Bad }
}

/// Reads the high 20 bits of a binary64 number: as [`read`], or 32 bits as `0d3ff00000`. Numbers that need more are refused.
pub(crate) fn read_double(text: &[u8]) -> Numeral {
    let signed = |negative: bool, bits: u64, len| match bits << 20 {
        0 => Numeral::Value((bits >> 44) as i64 | i64::from(negative) << 19, len),
        _ => Numeral::Bad,
    };
    match bits(text, b"0d", 8) {
        Some(Numeral::Value(bits, len)) => return signed(false, (bits as u64) << 32, len),
        Some(other) => return other,
        None => {}
    }
    match Literal::at(text) {
        Literal::None => Numeral::None,
        Literal::Bad => Numeral::Bad,
        Literal::Infinity(negative, len) => signed(negative, u64::from(DOUBLE_INFINITY) << 44, len),
        Literal::Nan(negative, len) => signed(negative, u64::from(DOUBLE_NAN) << 44, len),
        Literal::SignallingNan(negative, len) => signed(negative, u64::from(DOUBLE_SIGNALLING) << 44, len),
        Literal::Digits(negative, digits, len) => match parse_f64(digits).filter(|value| value.is_finite()) {
            Some(value) => signed(negative, value.to_bits(), len),
            None => Numeral::Bad,
        },
    }
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

    /// Digits by a power of ten are those by the exact integer, and seldom are they not told.
    #[test]
    fn quick_digits_are_the_exact_ones() {
        let spread = (1..30_000u32).map(|n| n.wrapping_mul(0x9e37_79b1) >> 1);
        let steps =
            (0..255u32).flat_map(|exponent| [0, 1, 0x40_0000, 0x7f_ffff].map(|fraction| exponent << 23 | fraction));
        let (mut all, mut missing) = (0, 0);
        for magnitude in spread.chain(steps).filter(|magnitude| (1..0x7f80_0000).contains(magnitude)) {
            let (keep, (significand, exponent)) = (kept(magnitude >= LARGE), parts_of_single(magnitude));
            all += 1;
            let Some(quick) = Single::quick(significand, exponent, keep, power_of_single) else {
                missing += 1;
                continue;
            };
            let exact = Single::of_scaled(significand, exponent).rounded(keep as usize);
            let quick = quick.rounded(keep as usize);
            assert_eq!(quick.exponent, exact.exponent, "{magnitude:#x}");
            assert_eq!(quick.digits[..quick.count], exact.digits[..exact.count], "{magnitude:#x}");
        }
        assert!(missing * 50 < all, "{missing} of {all} are not told");
        (all, missing) = (0, 0);
        for magnitude in (1..DOUBLE_INFINITY).step_by(7) {
            let (keep, (significand, exponent)) = (kept(magnitude >= DOUBLE_LARGE), parts_of_double(magnitude));
            all += 1;
            let Some(quick) = Single::quick(significand, exponent, keep, power_of_double) else {
                missing += 1;
                continue;
            };
            let exact = Double::of_scaled(significand, exponent).rounded(keep as usize);
            let quick = quick.rounded(keep as usize);
            assert_eq!(quick.exponent, exact.exponent, "{magnitude:#x}");
            assert_eq!(quick.digits[..quick.count], exact.digits[..exact.count], "{magnitude:#x}");
        }
        assert!(missing * 50 < all, "{missing} of {all} are not told");
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
    fn doubles_and_halves_read_back() {
        let texts = |print: fn(u32, Style, &mut Cursor<'_>), bits| {
            [Style::Vendor, Style::Exact].map(|style| {
                let mut out = Out::new();
                out.line(|line| print(bits, style, line));
                out.as_str().to_string()
            })
        };
        for bits in 0..1 << 20 {
            // Every twentieth is enough but for the ends.
            if bits % 19 == 0 || bits & 0x7_ffff < 0x200 || bits & 0x7_ffff > 0x7_fe00 {
                let [_, text] = texts(print_double, bits);
                assert_eq!(read_double(text.as_bytes()), Numeral::Value(i64::from(bits), text.len()), "{text}");
            }
        }
        for bits in 0..1 << 16 {
            let [_, text] = texts(print_half, bits);
            assert_eq!(read_half(text.as_bytes()), Numeral::Value(i64::from(bits), text.len()), "{text}");
        }
        for (bits, want) in [
            (0x3_ff00, "1"),
            (0x0_0001, "8.6916947597937554027e-311"),
            (0x4_1cdc, "998244352"),
            (0x4_1d00, "1.07374182400000000000e+09"),
            (0x7_e37e, "9.99307343616098917486e+299"),
            (0x7_ff01, "+SNAN "),
            (0xf_ff90, "-QNAN "),
        ] {
            assert_eq!(texts(print_double, bits)[0], want, "{bits:05x}");
        }
        for (bits, want) in [(1, "5.9604644775390625e-08"), (0x7bff, "65504"), (0x8000, "-0.0 "), (0x7c01, "+QNAN ")] {
            assert_eq!(texts(print_half, bits)[0], want, "{bits:04x}");
        }
        assert_eq!([read_half(b"65505"), read_half(b"1e-9"), read_half(b"0h12")], [Numeral::Bad; 3]);
        assert_eq!([read_double(b"0.1"), read_double(b"1e999"), read_double(b"0d3ff00001")], [Numeral::Bad; 3]);
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
