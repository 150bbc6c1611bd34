//! Numbers in assembly. Printing floats: six decimals as C's `%f` does, and the shortest text that reads back. Reading:
//! decimal and hexadecimal ones of any length.

use crate::fields::{ADDRESS_OFFSET, IMMEDIATE};
use parallax_isa::{Cursor, Field, Number, Numeral, Problem, Style, word_end};
use parallax_text::{parse_f32, parse_u64};

const TOO_LARGE: Problem = Problem { code: "literal-range", message: "literals have 32 bits", help: "" };

/// A float literal.
pub(crate) const FLOAT: Number = Number {
    field: &IMMEDIATE,
    print: |bits, style, line| match style {
        Style::Vendor => print_fixed(bits as u32, line),
        Style::Exact => print_exact(bits as u32, line),
    },
    read: |text| match Numeral::float(text) {
        Some((bits, len)) => Numeral::Value(i64::from(bits), len),
        None => read_float(text),
    },
    what: "a number",
    allowed: "a number that binary32 holds",
    range: &TOO_LARGE,
};

/// A float literal of any kind.
fn read_float(text: &[u8]) -> Numeral {
    let (digits, len) = match numeral(text) {
        ("", 0) => return Numeral::None,
        found => found,
    };
    let hexadecimal = digits.get(..2).is_some_and(|front| front.eq_ignore_ascii_case("0x"));
    let bits = match digits {
        "inf" => Some(0x7f80_0000),
        "nan" => Some(0x7fc0_0000),
        _ if digits.starts_with('#') => hash_bits(digits),
        _ if hexadecimal && digits.bytes().all(|b| b.is_ascii_alphanumeric() && b | 32 != b'p') => {
            parse_u64(digits).and_then(|v| u32::try_from(v).ok())
        }
        _ if hexadecimal => parse_hex(digits),
        _ => parse_f32(digits).filter(|v| v.is_finite()).map(f32::to_bits),
    };
    bits.map_or(Numeral::Bad, |bits| Numeral::Value(i64::from(bits), len))
}

/// An integer literal.
pub(crate) const INTEGER: Number = Number {
    field: &IMMEDIATE,
    print: |bits, style, line| match bits as i32 {
        value if value < 0 && style == Style::Exact => print_bits(bits as u32, line),
        value => line.signed(i64::from(value)),
    },
    read: |text| match numeral(text) {
        ("" | "inf" | "nan", _) => Numeral::None,
        (digits, len) => {
            let bits = if digits.starts_with('#') {
                hash_bits(digits)
            } else {
                parse_u64(digits).and_then(|v| u32::try_from(v).ok())
            };
            bits.map_or(Numeral::Bad, |bits| Numeral::Value(i64::from(bits), len))
        }
    },
    what: "an integer",
    allowed: "an integer of 32 bits",
    range: &TOO_LARGE,
};

/// The distance of a jump.
pub(crate) const DISTANCE: Number = Number {
    field: &const { Field::new("immediate", 96, 32).signed() },
    print: |distance, _, line| line.signed(distance),
    read: |text| signed(text, 1),
    what: "a distance or a label",
    allowed: "a distance or a label",
    range: &Problem { code: "jump-range", message: "jump distances have 32 bits", help: "" },
};

/// What is added to an address register.
pub(crate) const OFFSET: Number = Number {
    field: &ADDRESS_OFFSET,
    print: |offset, _, line| {
        line.text(" + ");
        line.signed(offset);
    },
    read: |text| match text.first() {
        Some(b'+' | b'-') => signed(text, 2),
        _ => Numeral::Value(0, 0),
    },
    what: "an offset",
    allowed: "an offset",
    range: &Problem { code: "offset-range", message: "offsets go from -256 to 255", help: "" },
};

/// An integer behind up to `signs` signs, blanks anywhere between them.
fn signed(text: &[u8], signs: usize) -> Numeral {
    let (mut at, mut left, mut negative) = (0, signs, false);
    while let Some(sign @ (b'+' | b'-')) = text.get(at).filter(|_| left > 0) {
        negative ^= *sign == b'-';
        left -= 1;
        at = parallax_isa::skip_blanks(text, at + 1);
    }
    let (digits, len) = numeral(&text[at.min(text.len())..]);
    let value = parse_u64(digits).filter(|_| !digits.is_empty()).map(|v| i64::try_from(v).unwrap_or(i64::MAX));
    match value {
        Some(value) => Numeral::Value(if negative { -value } else { value }, at + len),
        None if at == 0 => Numeral::None,
        None => Numeral::Bad,
    }
}

/// The number at the start of a text, and its bytes: `#` and hexadecimal digits, a decimal or hexadecimal integer or
/// float, `inf` or `nan`. Empty where there is none.
fn numeral(text: &[u8]) -> (&str, usize) {
    let byte = |at: usize| text.get(at).copied().unwrap_or(b'\n');
    let run =
        |at: usize, what: fn(&u8) -> bool| at + text.get(at..).unwrap_or(&[]).iter().take_while(|b| what(b)).count();
    let decimal = |at| run(at, u8::is_ascii_digit);
    let hexadecimal = |at| run(at, u8::is_ascii_hexdigit);
    let point = |at: usize| byte(at) == b'.' && byte(at + 1) != b'.';
    let exponent = |at: usize, letter: u8| {
        let digits = at + 1 + usize::from(matches!(byte(at + 1), b'+' | b'-'));
        if byte(at) | 32 == letter && byte(digits).is_ascii_digit() { decimal(digits) } else { at }
    };
    let end = match byte(0) {
        b'#' => hexadecimal(1),
        b'0' if byte(1) | 32 == b'x' => {
            let whole = hexadecimal(2);
            exponent(
                if point(whole) && byte(whole + 1).is_ascii_hexdigit() { hexadecimal(whole + 1) } else { whole },
                b'p',
            )
        }
        b'.' if !byte(1).is_ascii_digit() => 0,
        b'0'..=b'9' | b'.' => {
            let whole = decimal(0);
            exponent(if point(whole) { decimal(whole + 1) } else { whole }, b'e')
        }
        _ => match &text[..word_end(text, 0)] {
            b"inf" | b"nan" => 3,
            _ => 0,
        },
    };
    (std::str::from_utf8(&text[..end]).unwrap_or(""), end)
}

/// `#` and up to eight hexadecimal digits.
fn hash_bits(text: &str) -> Option<u32> {
    let digits = &text[1..];
    if digits.len() > 8 { None } else { u32::from_str_radix(digits, 16).ok() }
}

fn print_bits(bits: u32, line: &mut Cursor<'_>) {
    line.char(b'#');
    line.hex(u64::from(bits), 8);
}

/// Parts of a finite binary32: `significand * 2^exponent`.
fn parts(bits: u32) -> (u64, i32) {
    let exponent = (bits >> 23 & 0xff) as i32;
    let fraction = u64::from(bits & 0x7f_ffff);
    if exponent == 0 { (fraction, -149) } else { (fraction | 1 << 23, exponent - 150) }
}

/// A value in millionths, rounded to nearest even, when it is small enough for 64-bit integers; and whether the six
/// decimals read back as the same value.
fn millionths(bits: u32) -> Option<(u64, bool)> {
    let (significand, exponent) = parts(bits);
    if exponent >= 0 {
        // Up to 24 + 16 bits times 10^6 (20 bits); integers are exact.
        return (exponent <= 16).then(|| ((significand << exponent) * 1_000_000, true));
    }
    let shift = exponent.unsigned_abs();
    if shift > 62 {
        return Some((0, significand == 0));
    }
    let scaled = significand * 1_000_000;
    let floor = scaled >> shift;
    let rest = scaled - (floor << shift);
    let half = 1u64 << (shift - 1);
    let up = rest > half || rest == half && floor & 1 == 1;
    let rounded = floor + u64::from(up);
    // The text is off by |error| / (10^6 * 2^shift); neighbours are 2^-shift away, half of that below a power of two.
    let error = (rounded << shift).abs_diff(scaled);
    let closer = significand == 1 << 23;
    let exact = if closer { 4 * error < 1_000_000 } else { 2 * error < 1_000_000 };
    Some((rounded, exact))
}

/// Appends the value with six decimals, as C's `%f`.
pub(crate) fn print_fixed(bits: u32, line: &mut Cursor<'_>) {
    line.char_if(b'-', bits >> 31 != 0);
    let bits = bits & 0x7fff_ffff;
    if bits >= 0x7f80_0000 {
        line.text(if bits == 0x7f80_0000 { "inf" } else { "nan" });
        return;
    }
    match millionths(bits) {
        Some((value, _)) => {
            line.decimal(value / 1_000_000);
            line.millionths((value % 1_000_000) as u32);
        }
        None => {
            // 24 bits, at most 104 places to the left: an integer of 128 bits.
            let (significand, exponent) = parts(bits);
            line.decimal_wide(u128::from(significand) << exponent);
            line.millionths(0);
        }
    }
}

/// Appends a text that reads back as the same pattern: six decimals where they do, else the shortest decimal, else
/// `#` and the bits.
pub(crate) fn print_exact(bits: u32, line: &mut Cursor<'_>) {
    // A minus sign in the text is the operand's modifier, so negative values have no decimal spelling.
    if bits >= 0x7f80_0000 {
        print_bits(bits, line);
        return;
    }
    match millionths(bits) {
        Some((_, true)) => print_fixed(bits, line),
        _ => {
            let plain = bits > 0x3500_0000 && bits < 0x5000_0000;
            line.shortest(bits, !plain);
        }
    }
}

/// A hexadecimal float without sign, such as `0x1.8p3`, rounded once to nearest even. `None` when it is no number, or one
/// that rounds beyond the greatest.
pub(crate) fn parse_hex(text: &str) -> Option<u32> {
    let rest = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (digits, exponent) = match rest.find(['p', 'P']) {
        Some(at) => (&rest[..at], exponent(&rest[at + 1..])?),
        None => (rest, 0),
    };
    // The number is significand * 2^scale, or a little more if something was lost.
    let (mut significand, mut scale, mut lost) = (0u64, exponent, false);
    let (mut point, mut any) = (false, false);
    for c in digits.chars() {
        if c == '.' && !point {
            point = true;
            continue;
        }
        let digit = c.to_digit(16)?;
        any = true;
        if significand >> 60 == 0 {
            significand = significand << 4 | u64::from(digit);
            scale -= if point { 4 } else { 0 };
        } else {
            lost |= digit != 0;
            scale += if point { 0 } else { 4 };
        }
    }
    if significand == 0 {
        return any.then_some(0);
    }
    let top = scale + 63 - i64::from(significand.leading_zeros());
    if top > 127 {
        return None;
    }
    // The result is a multiple of 2^last.
    let last = (top - 23).max(-149);
    let drop = last - scale;
    let kept = if drop <= 0 {
        // At most 24 bits are left in all.
        significand << -drop
    } else if drop > 100 {
        0
    } else {
        let wide = u128::from(significand);
        let (kept, half) = (wide >> drop, 1u128 << (drop - 1));
        let rest = wide - (kept << drop);
        let up = rest > half || rest == half && (lost || kept & 1 == 1);
        (kept + u128::from(up)) as u64
    };
    // A leading bit adds one to the exponent, and so does one that rounding carried.
    let bits = (((last + 149) as u64) << 23) + kept;
    (bits < 0x7f80_0000).then_some(bits as u32)
}

/// A decimal exponent, cut to what keeps sums small: beyond it, no text is long enough to make up for it.
fn exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for c in digits.chars() {
        value = (value * 10 + i64::from(c.to_digit(10)?)).min(1 << 40);
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_isa::Out;

    #[test]
    fn hexadecimal_floats_that_do_not_fit_are_rounded_once() {
        let bits = |text: &str| parse_hex(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(bits("0x1.23456789p0"), 0x3f91_a2b4);
        assert_eq!((bits("0x1.8p-3"), bits("0X.8"), bits("0x10.")), (0x3e40_0000, 0x3f00_0000, 0x4180_0000));
        // A tie goes to even, and anything beyond it up, however late it comes.
        assert_eq!((bits("0x1.000001p0"), bits("0x1.000003p0")), (0x3f80_0000, 0x3f80_0002));
        assert_eq!(bits(&format!("0x1.000001{}1p0", "0".repeat(100))), 0x3f80_0001);
        assert_eq!(bits(&format!("0x1000001{}1p0", "0".repeat(20))), bits("0x1.000002p108"));
        // Carries, the greatest, the smallest, nothing.
        assert_eq!((bits("0x1.ffffffp0"), bits("0x0.ffffff8p-126")), (0x4000_0000, 0x0080_0000));
        assert_eq!((bits("0x1.fffffep127"), parse_hex("0x1.ffffffp127")), (0x7f7f_ffff, None));
        assert_eq!((bits("0x1p-149"), bits("0x1p-150"), bits("0x1.8p-150"), bits("0x1p-151")), (1, 0, 1, 0));
        assert_eq!((bits("0x0p99999999999999999999"), parse_hex("0x1p99999999999999999999")), (0, None));
        assert_eq!(bits("0x1p-99999999999999999999"), 0);
        for bad in ["0x", "0x.", "0x1p", "0x1p+", "0x1.1.1", "0xg", "1.0", "0x1pf"] {
            assert_eq!(parse_hex(bad), None, "{bad}");
        }
    }

    #[test]
    fn hexadecimal_floats_round_as_binary64_does() {
        let mut random = parallax_random::Random::new(1);
        for _ in 0..200_000 {
            let state = random.word();
            let significand = state >> 11;
            let scale = (state & 0x7ff) as i32 % 300 - 200;
            // Exact: 53 bits times a power of two.
            let wide = significand as f64 * f64::from_bits(((scale + 1023) as u64) << 52);
            let narrow = wide as f32;
            let want = narrow.is_finite().then(|| narrow.to_bits());
            assert_eq!(parse_hex(&format!("{significand:#x}p{scale}")), want, "{significand:#x}p{scale}");
        }
    }

    fn fixed(bits: u32) -> String {
        let mut out = Out::new();
        out.line(|line| print_fixed(bits, line));
        out.as_str().to_string()
    }

    fn exact(bits: u32) -> String {
        let mut out = Out::new();
        out.line(|line| print_exact(bits, line));
        out.as_str().to_string()
    }

    fn sample() -> impl Iterator<Item = u32> {
        let grid = (0u32..0x7f80).map(|high| high << 16 | high.wrapping_mul(0x9e37) & 0xffff);
        let edges = (0u32..255).flat_map(|e| [e << 23, e << 23 | 1, (e << 23).wrapping_sub(1) & 0x7f7f_ffff]);
        grid.chain(edges).filter(|b| *b < 0x7f80_0000)
    }

    #[test]
    fn six_decimals_are_rounded_like_the_standard_library() {
        for bits in sample() {
            assert_eq!(fixed(bits), format!("{:.6}", f32::from_bits(bits)), "{bits:08x}");
        }
        // A tie goes to even.
        assert_eq!(fixed(0.0078125f32.to_bits()), "0.007812");
        assert_eq!(fixed(0.0234375f32.to_bits()), "0.023438");
        assert_eq!(fixed(0xbf80_0000), "-1.000000");
        assert_eq!((fixed(0x7f80_0000).as_str(), fixed(0xffc0_0000).as_str()), ("inf", "-nan"));
    }

    #[test]
    fn exact_text_reads_back() {
        for bits in sample() {
            let text = exact(bits);
            assert_eq!(text.parse::<f32>().map(f32::to_bits), Ok(bits), "{text}");
        }
        assert_eq!(exact(0x3fc0_0000), "1.500000");
        assert_eq!(exact(0x4049_0fdb), "3.1415927");
        assert_eq!(exact(0x8000_0000), "#80000000");
        assert_eq!(exact(0x0000_0001), "1e-45");
    }
}
