//! Number literals: decimal, hexadecimal bits, hexadecimal floats. Conversion from decimal is the standard
//! library's, which rounds correctly; nothing here computes.

/// Decimal float to binary32, correctly rounded. `None` when it is no number.
pub fn parse_f32(text: &str) -> Option<f32> {
    let plain = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if plain { text.parse().ok() } else { None }
}

/// Decimal float to binary64, correctly rounded. `None` when it is no number.
pub fn parse_f64(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if plain { text.parse().ok() } else { None }
}

/// Decimal, or hexadecimal with `0x`. `None` when it is neither or does not fit 64 bits.
pub fn parse_u64(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => parse_hex_u64(hex),
        None if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok(),
        None => None,
    }
}

/// 1 to 16 hexadecimal digits without prefix.
pub fn parse_hex_u64(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.len() <= 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if digits { u64::from_str_radix(text, 16).ok() } else { None }
}

/// A hexadecimal float such as `-0x1.8p-3`, exactly; `None` when it is malformed or not a binary64 value.
pub fn parse_hex_float(text: &str) -> Option<f64> {
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let rest = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X"))?;
    let (mantissa, exponent) = match rest.find(['p', 'P']) {
        Some(at) => (&rest[..at], rest[at + 1..].parse::<i64>().ok()?),
        None => (rest, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut digits: u128 = 0;
    for c in whole.chars().chain(fraction.chars()) {
        if digits >> 120 != 0 {
            return None;
        }
        digits = digits << 4 | u128::from(c.to_digit(16)?);
    }
    let sign = u64::from(negative) << 63;
    if digits == 0 {
        return Some(f64::from_bits(sign));
    }
    let lowest = exponent.checked_sub(4 * fraction.len() as i64)?;
    let trailing = digits.trailing_zeros();
    let (digits, lowest) = (digits >> trailing, lowest.checked_add(i64::from(trailing))?);
    let top = lowest.checked_add(127 - i64::from(digits.leading_zeros()))?;
    // The significand must fit 53 bits, fewer below the normal range.
    let smallest = (top - 52).max(-1074);
    if lowest < smallest || top > 1023 {
        return None;
    }
    let significand = (digits as u64) << (lowest - smallest);
    let biased = if significand >> 52 == 0 { 0 } else { (smallest + 1075) as u64 };
    Some(f64::from_bits(sign | biased << 52 | significand & ((1 << 52) - 1)))
}

/// The shortest hexadecimal float of a finite value, such as `0x1.8p1`; `inf`, `-inf`, `nan:0x7ff8000000000000`.
pub fn print_hex_float(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        return format!("nan:{:#x}", value.to_bits());
    }
    if value.is_infinite() {
        return format!("{sign}inf");
    }
    if value == 0.0 {
        return format!("{sign}0x0p0");
    }
    let bits = value.to_bits();
    let biased = bits >> 52 & 0x7ff;
    let mut fraction = bits & ((1 << 52) - 1);
    let mut exponent = biased as i64 - 1023;
    if biased == 0 {
        let shift = fraction.leading_zeros() - 11;
        fraction = fraction << shift & ((1 << 52) - 1);
        exponent = -1022 - i64::from(shift);
    }
    if fraction == 0 {
        return format!("{sign}0x1p{exponent}");
    }
    let digits = format!("{fraction:013x}");
    format!("{sign}0x1.{}p{exponent}", digits.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_floats_round_trip() {
        for bits in [0u64, 1, 1 << 51, 1 << 52, 0x3ff8_0000_0000_0000, 0x7fef_ffff_ffff_ffff, 0x8000_0000_0000_0003] {
            let value = f64::from_bits(bits);
            assert_eq!(parse_hex_float(&print_hex_float(value)).map(f64::to_bits), Some(bits));
        }
        assert_eq!(parse_hex_float("0x1.8p-3"), Some(0.1875));
        assert_eq!(parse_hex_float("0x1p1024"), None);
        assert_eq!(parse_hex_float("0x"), None);
        assert_eq!(parse_hex_float("0x1.00000000000008p0"), None);
    }

    #[test]
    fn words_are_no_numbers() {
        assert_eq!(parse_f32("inf"), None);
        assert_eq!(parse_f32("nan"), None);
        assert_eq!(parse_f32("1e-3"), Some(1e-3));
        assert_eq!(parse_u64("0x10"), Some(16));
        assert_eq!(parse_u64("1f"), None);
    }
}
