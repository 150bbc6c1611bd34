//! Numbers in listings: constants, targets, counts.

use super::fields::*;
use parallax_isa::{Cursor, Field, Number, Numeral, Problem, Style};
use parallax_text::{parse_f32, parse_u64};

const BITS: Problem = Problem { code: "literal-range", message: "constants have 32 bits", help: "" };

/// A component of a constant: the shortest decimal that reads back, or bits in hexadecimal where it is no finite number.
const fn float(field: &'static Field) -> Number {
    Number {
        field,
        print: print_float,
        read: read_float,
        what: "a number",
        allowed: "a number that binary32 holds, or its bits as `0x` and up to 8 hexadecimal digits",
        range: &BITS,
    }
}

pub(super) const FLOATS: [Number; 4] =
    [float(&CONSTANT[0]), float(&CONSTANT[1]), float(&CONSTANT[2]), float(&CONSTANT[3])];

fn print_float(bits: i64, _: Style, line: &mut Cursor<'_>) {
    let magnitude = bits as u32 & 0x7fff_ffff;
    if magnitude < f32::INFINITY.to_bits() {
        line.char_if(b'-', magnitude != bits as u32);
        // From 1e-4 to below 1e16 without an exponent.
        let plain = magnitude == 0 || (1e-4f32.to_bits()..1e16f32.to_bits()).contains(&magnitude);
        line.shortest(magnitude, !plain);
    } else {
        line.text("0x");
        line.hex(bits as u64, 8);
    }
}

fn read_float(text: &[u8]) -> Numeral {
    let (sign, digits) = match text.first() {
        Some(b'-') => (0x8000_0000, &text[1..]),
        Some(b'+') => (0, &text[1..]),
        _ => (0, text),
    };
    let signs = text.len() - digits.len();
    if let Some((bits, len)) = Numeral::float(digits) {
        return Numeral::Value(i64::from(bits ^ sign), signs + len);
    }
    let hexadecimal = digits.get(..2).is_some_and(|front| front.eq_ignore_ascii_case(b"0x"));
    let in_exponent = |n: usize| n > 0 && matches!(digits[n - 1], b'e' | b'E');
    let len = digits
        .iter()
        .enumerate()
        .take_while(|&(n, b)| match b {
            b'.' => true,
            b'+' | b'-' => !hexadecimal && in_exponent(n),
            b => b.is_ascii_alphanumeric(),
        })
        .count();
    let Ok(word) = std::str::from_utf8(&digits[..len]) else { return Numeral::None };
    if word.is_empty() {
        return if signs > 0 { Numeral::Bad } else { Numeral::None };
    }
    let bits = match word {
        "inf" => Some(0x7f80_0000),
        "nan" => Some(0x7fc0_0000),
        _ if hexadecimal => parse_u64(word).and_then(|v| u32::try_from(v).ok()),
        _ => parse_f32(word).filter(|v| v.is_finite()).map(f32::to_bits),
    };
    bits.map_or(Numeral::Bad, |bits| Numeral::Value(i64::from(bits ^ sign), signs + len))
}

/// Digits at the start of a text, as a number; and how many.
fn digits(text: &[u8]) -> Option<(i64, usize)> {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let word = std::str::from_utf8(&text[..len]).ok().filter(|word| !word.is_empty())?;
    Some((word.parse().unwrap_or(i64::MAX), len))
}

const fn count(field: &'static Field, what: &'static str) -> Number {
    const RANGE: Problem = Problem { code: "nv40-count", message: "counts and starts go from 0 to 255", help: "" };
    Number {
        field,
        print: |value, _, line| line.decimal(value as u64),
        read: |text| digits(text).map_or(Numeral::None, |(value, len)| Numeral::Value(value, len)),
        what,
        allowed: what,
        range: &RANGE,
    }
}

pub(super) const COUNT_NUMBER: Number = count(&COUNT, "a count");
pub(super) const START_NUMBER: Number = count(&START, "a start");
pub(super) const STEP_NUMBER: Number = Number {
    field: &STEP,
    print: |value, _, line| line.signed(value),
    read: |text| {
        let negative = text.first() == Some(&b'-');
        let signs = usize::from(negative);
        match digits(&text[signs..]) {
            Some((value, len)) => Numeral::Value(if negative { -value } else { value }, signs + len),
            None if negative => Numeral::Bad,
            None => Numeral::None,
        }
    },
    what: "a step",
    allowed: "a step",
    range: &Problem { code: "nv40-count", message: "steps go from -128 to 127", help: "" },
};

/// Number of a destination register that is not written.
pub(super) const RESULT_NUMBER: Number = Number {
    field: &RESULT,
    range: &Problem { code: "nv40-count", message: "register numbers go from 0 to 63", help: "" },
    ..count(&RESULT, "a register number")
};

/// What is added to the loop register; nothing for 0.
pub(super) const OFFSET: Number = Number {
    field: &DISPLACEMENT,
    print: |value, _, line| {
        if value != 0 {
            line.char(b'+');
            line.decimal(value as u64);
        }
    },
    read: |text| match text.first() {
        Some(b'+') => digits(&text[1..]).map_or(Numeral::Bad, |(value, len)| Numeral::Value(value, 1 + len)),
        _ => Numeral::Value(0, 0),
    },
    what: "a displacement",
    allowed: "a displacement",
    range: &Problem { code: "nv40-count", message: "displacements go from 0 to 2047", help: "" },
};

/// A place in the program: its slot of 16 bytes; constants take slots too. Targets inside a slot are written as words, `65/4`.
const fn target(field: &'static Field) -> Number {
    const RANGE: Problem = Problem { code: "nv40-target", message: "targets have 31 bits, counted in words", help: "" };
    Number {
        field,
        print: |words, _, line| {
            if words % 4 == 0 {
                line.decimal(words as u64 / 4);
            } else {
                line.decimal(words as u64);
                line.text("/4");
            }
        },
        read: |text| match digits(text) {
            Some((value, len)) if text[len..].starts_with(b"/4") => Numeral::Value(value, len + 2),
            Some((value, len)) => Numeral::Value(value.saturating_mul(4), len),
            None => Numeral::None,
        },
        what: "a slot or a label",
        allowed: "a slot or a label",
        range: &RANGE,
    }
}

pub(super) const ELSE: Number = target(&TARGET);
pub(super) const END_TARGET: Number = target(&BLOCK_END);

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_isa::Out;

    /// Constants are written as the standard library writes them, which was their printer once.
    #[test]
    fn floats_are_the_shortest_that_read_back() {
        let spread = (0..20_000u32).map(|n| n.wrapping_mul(0x9e37_79b1));
        let values =
            [0.0f32, -0.0, 1.0, 0.1, 1e-4, 9.999_999e-5, 1e-5, 1e16, 9.999_999e15, 16_777_216.0, f32::MAX, 0.25];
        let mut out = Out::new();
        for bits in spread.chain(values.map(f32::to_bits)).filter(|bits| f32::from_bits(*bits).is_finite()) {
            out.clear();
            out.line(|line| print_float(bits.into(), Style::Exact, line));
            let want = format!("{:?}", f32::from_bits(bits));
            assert_eq!(out.as_str(), want.strip_suffix(".0").unwrap_or(&want));
            assert_eq!(read_float(want.as_bytes()), Numeral::Value(bits.into(), want.len()));
        }
    }
}
