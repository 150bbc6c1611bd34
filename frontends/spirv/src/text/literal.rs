//! Numbers and strings in the text and as words.

use rspirv::spirv::{FPEncoding, Op};
use std::fmt::Write;

/// How the words of a number are read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// An integer of 1 to 64 bits.
    Int { width: u32, signed: bool },
    /// A float by the bits of its exponent and its fraction.
    Float { exponent: u32, fraction: u32 },
}

impl Number {
    pub(super) const UNSIGNED: Number = Number::Int { width: 32, signed: false };
    pub(super) const BINARY32: Number = Number::Float { exponent: 8, fraction: 23 };

    /// The numbers of a type, by the operands of the instruction that declares it.
    pub(super) fn of_type(op: Op, operands: &[u32]) -> Option<Number> {
        let float = |exponent, fraction| Some(Number::Float { exponent, fraction });
        match (op, operands) {
            (Op::TypeInt, &[width @ 1..=64, signed]) => Some(Number::Int { width, signed: signed != 0 }),
            (Op::TypeFloat, [16]) => float(5, 10),
            (Op::TypeFloat, [32]) => Some(Number::BINARY32),
            (Op::TypeFloat, [64]) => float(11, 52),
            (Op::TypeFloat, &[_, encoding]) => match FPEncoding::from_u32(encoding)? {
                FPEncoding::BFloat16KHR => float(8, 7),
                FPEncoding::Float8E4M3EXT => float(4, 3),
                FPEncoding::Float8E5M2EXT => float(5, 2),
            },
            _ => None,
        }
    }

    /// The numbers that a literal without a type is one of.
    pub(super) fn guess(text: &str) -> Number {
        if text.contains('.') { Number::BINARY32 } else { Number::Int { width: 32, signed: text.starts_with('-') } }
    }

    fn width(self) -> u32 {
        match self {
            Number::Int { width, .. } => width,
            Number::Float { exponent, fraction } => 1 + exponent + fraction,
        }
    }

    /// How many words it takes.
    pub(super) fn words(self) -> usize {
        if self.width() > 32 { 2 } else { 1 }
    }

    /// Writes a number. `None` for words whose unused bits are not what the text would be read back to.
    pub(super) fn print(self, words: &[u32], out: &mut String) -> Option<()> {
        let bits = match *words.get(..self.words())? {
            [low, high] => u64::from(high) << 32 | u64::from(low),
            [low] => u64::from(low),
            _ => return None,
        };
        if self.extend(bits & ones(self.width())) != bits {
            return None;
        }
        match self {
            Number::Int { signed: true, .. } if self.words() == 1 => write!(out, "{}", bits as u32 as i32).ok(),
            Number::Int { signed: true, .. } => write!(out, "{}", bits as i64).ok(),
            Number::Int { .. } => write!(out, "{bits}").ok(),
            Number::Float { exponent, fraction } => {
                match (self.width(), f32::from_bits(bits as u32), f64::from_bits(bits)) {
                    (32, value, _) if value.is_normal() || value == 0.0 => general(f64::from(value), 9, out),
                    (64, _, value) if value.is_normal() || value == 0.0 => general(value, 17, out),
                    _ => hexadecimal(bits, exponent, fraction, out),
                }
                Some(())
            }
        }
    }

    /// The bits of a number in whole words: narrow signed integers are extended.
    fn extend(self, bits: u64) -> u64 {
        match self {
            Number::Int { width, signed: true } if bits >> (width - 1) & 1 != 0 => {
                (bits | !ones(width)) & ones(32 * self.words() as u32)
            }
            _ => bits,
        }
    }

    /// Reads a number as bits for [`Number::words`] words, the low word first.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub(super) fn parse(self, text: &str) -> Result<u64, String> {
        match self {
            Number::Int { width, signed } => self.integer(text, width, signed),
            Number::Float { exponent, fraction } => float(text, exponent, fraction).ok_or_else(|| {
                format!("`{text}` is not a floating-point number of {} bits, or too large for one", self.width())
            }),
        }
    }

    fn integer(self, text: &str, width: u32, signed: bool) -> Result<u64, String> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (base, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => (16, digits),
            None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
            None => (10, digits),
        };
        if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
            return Err(format!("`{text}` is not an integer"));
        }
        let kind = if signed { "signed" } else { "unsigned" };
        let too_large = || format!("`{text}` does not fit a {kind} integer of {width} bits");
        let value = u64::from_str_radix(digits, base).map_err(|_| too_large())?;
        // Hexadecimal digits are the bits, the sign included.
        let limit = if negative {
            if signed { 1 << (width - 1) } else { return Err(too_large()) }
        } else {
            ones(if signed && base != 16 { width - 1 } else { width })
        };
        if value > limit {
            return Err(too_large());
        }
        let value = if negative { value.wrapping_neg() } else { value };
        Ok(self.extend(value & ones(width)))
    }
}

fn ones(width: u32) -> u64 {
    if width == 0 { 0 } else { u64::MAX >> (64 - width) }
}

/// Like the `%g` of C.
fn general(value: f64, digits: usize, out: &mut String) {
    let text = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| -> String {
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }.to_string()
    };
    if (-4..digits as i32).contains(&exponent) {
        *out += &trim(&format!("{value:.*}", (digits as i32 - 1 - exponent) as usize));
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
}

/// Any bits of a float; infinities and NaNs with the exponent behind the largest.
fn hexadecimal(bits: u64, exponent: u32, fraction: u32, out: &mut String) {
    let sign = if bits >> (exponent + fraction) & 1 != 0 { "-" } else { "" };
    let bias = (1i64 << (exponent - 1)) - 1;
    let biased = (bits >> fraction & ones(exponent)) as i64;
    let mut digits = bits & ones(fraction);
    let mut power = biased - bias;
    if biased == 0 {
        if digits == 0 {
            *out += sign;
            *out += "0x0p+0";
            return;
        }
        // The first bit of a denormal number becomes the one in front of the point.
        let shift = fraction + digits.leading_zeros() - 63;
        digits = digits << shift & ones(fraction);
        power = 1 - bias - i64::from(shift);
    }
    let nibbles = fraction.div_ceil(4);
    let digits = format!("{:0width$x}", digits << (4 * nibbles - fraction), width = nibbles as usize);
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    let _ = write!(out, "{sign}0x1{point}{digits}p{power:+}");
}

/// Reads a float. What does not fit its fraction is cut off, but decimal digits of 32 and 64 bits round to nearest. Only
/// hexadecimal digits may be infinite.
fn float(text: &str, exponent: u32, fraction: u32) -> Option<u64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (1 << (exponent + fraction), digits),
        None => (0, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(digits) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return Some(sign | hexadecimal_bits(digits, exponent, fraction)?);
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if exponent + fraction == 63 {
        return Some(sign | parallax_text::parse_f64(digits).filter(|value| value.is_finite())?.to_bits());
    }
    let value = parallax_text::parse_f32(digits).filter(|value| value.is_finite())?;
    if exponent + fraction == 31 {
        return Some(sign | u64::from(value.to_bits()));
    }
    let significand = value.to_bits() & 0x7f_ffff | u32::from(value.is_normal()) << 23;
    let power = (value.to_bits() >> 23).max(1) as i64 - 127;
    let bits = encode(u128::from(significand), power - 23, exponent, fraction);
    (bits >> fraction != ones(exponent)).then_some(sign | bits)
}

fn hexadecimal_bits(digits: &str, exponent: u32, fraction: u32) -> Option<u64> {
    let (digits, power) = digits.split_once(['p', 'P'])?;
    let unsigned = power.strip_prefix(['+', '-']).unwrap_or(power);
    if unsigned.is_empty() || !unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    // Powers without end are as good as large ones.
    let magnitude = unsigned.parse::<i64>().unwrap_or(i64::MAX).min(1 << 40);
    let mut power = if power.starts_with('-') { -magnitude } else { magnitude };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let mut significand = 0u128;
    for (place, digit) in whole.chars().chain(part.chars()).enumerate() {
        let digit = u128::from(digit.to_digit(16)?);
        let is_whole = place < whole.len();
        if significand >> 120 == 0 {
            significand = significand << 4 | digit;
            power -= if is_whole { 0 } else { 4 };
        } else {
            power += if is_whole { 4 } else { 0 };
        }
    }
    Some(encode(significand, power, exponent, fraction))
}

/// The bits of a float without its sign; infinity for what is too large.
fn encode(significand: u128, power: i64, exponent: u32, fraction: u32) -> u64 {
    if significand == 0 {
        return 0;
    }
    let bias = (1i64 << (exponent - 1)) - 1;
    let top = power + 127 - i64::from(significand.leading_zeros());
    if top > bias + 1 {
        return ones(exponent) << fraction;
    }
    let lowest = top.max(1 - bias) - i64::from(fraction);
    let shift = lowest - power;
    let digits = if shift >= 128 {
        0
    } else if shift >= 0 {
        significand >> shift
    } else {
        significand << -shift
    };
    let biased = if top < 1 - bias { 0 } else { (top + bias) as u64 };
    biased << fraction | digits as u64 & ones(fraction)
}

/// Writes a string in quotes.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
}

/// Reads a string in quotes; `None` when it is not in quotes or they are not at its ends.
pub(super) fn unquote(token: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = token.strip_prefix('"')?.chars();
    while let Some(c) = rest.next() {
        match c {
            '"' => return rest.as_str().is_empty().then_some(text),
            '\\' => text.extend(rest.next()),
            c => text.push(c),
        }
    }
    None
}

/// Adds the words of a string, with its zero byte.
pub(super) fn push_string(text: &str, words: &mut Vec<u32>) {
    let bytes = text.as_bytes();
    let (whole, rest) = bytes.as_chunks::<4>();
    words.extend(whole.iter().map(|word| u32::from_le_bytes(*word)));
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    words.push(u32::from_le_bytes(last));
}
