//! Numbers and registers in operands: how they are printed and read.

use crate::register;
use parallax_isa::{Field, Number, Numeral, Problem};

pub(crate) const RANGE: Problem = Problem {
    code: "usc-range",
    message: "the number does not fit",
    help: "the reference page says how many bits it has",
};
/// The same where no help is known.
pub(crate) const NO_INDEX: Problem = Problem { help: "", ..RANGE };
const ANY_REGISTER: &str = "a register that exists: r, vi, cf, cfa and sh up to 2047 (255 with an index), o and i and g up to 7, c and sr, idx0, \
     idx1; an index has the dimension 1";

/// A register.
pub(crate) const fn register(field: &'static Field) -> Number {
    Number {
        field,
        print: |code, _, line| register::print(code as u16, line),
        read: register::read,
        what: "a register",
        allowed: ANY_REGISTER,
        range: &RANGE,
    }
}

/// A register, or `_` or nothing for none: the constant 0.
pub(crate) const fn optional_register(field: &'static Field) -> Number {
    Number {
        field,
        print: |code, _, line| match code as u16 {
            register::ZERO => line.char(b'_'),
            code => register::print(code, line),
        },
        read: |text| match (register::read(text), text.first()) {
            (Numeral::None, Some(b'_')) => Numeral::Value(0, 1),
            (Numeral::None, _) => Numeral::Value(0, 0),
            (found, _) => found,
        },
        what: "a register or `_`",
        allowed: ANY_REGISTER,
        range: &RANGE,
    }
}

/// Reads a decimal or hexadecimal number, perhaps with a sign.
pub(crate) fn read_number(text: &[u8]) -> Numeral {
    let (negative, digits) = text.strip_prefix(b"-").map_or((false, text), |rest| (true, rest));
    let (radix, start) = if digits.starts_with(b"0x") { (16, 2) } else { (10, 0) };
    let (mut value, mut len) = (0i64, start);
    while let Some(digit) = digits.get(len).and_then(|b| char::from(*b).to_digit(radix)) {
        value = value.saturating_mul(i64::from(radix)).saturating_add(i64::from(digit));
        len += 1;
    }
    let ends = digits.get(len).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'.');
    match (len > start, ends) {
        (true, true) => Numeral::Value(if negative { -value } else { value }, len + usize::from(negative)),
        (true, false) => Numeral::Bad,
        _ => Numeral::None,
    }
}

/// Reads a decimal number that modifiers may follow.
pub(crate) fn read_digits(text: &[u8]) -> Numeral {
    let len = text.iter().take_while(|b| b.is_ascii_digit()).count();
    read_number(&text[..len])
}

pub(crate) const fn number(field: &'static Field) -> Number {
    Number {
        field,
        print: |value, _, line| line.signed(value),
        read: read_number,
        what: "a number",
        allowed: "a whole number, decimal or with 0x",
        range: &RANGE,
    }
}

/// 32 bits; a sign is that of two's complement.
pub(crate) const fn literal(field: &'static Field) -> Number {
    Number {
        print: |value, _, line| {
            line.text("0x");
            let digits = (64 - (value as u64).leading_zeros()).div_ceil(4).max(1);
            line.hex(value as u64, digits as usize);
        },
        read: |text| match read_number(text) {
            Numeral::Value(value @ -0x8000_0000..0, len) => Numeral::Value(value & 0xffff_ffff, len),
            other => other,
        },
        ..number(field)
    }
}

/// A field of a part that no statement shows.
pub(crate) const fn part(field: &'static Field) -> Number {
    Number { allowed: "a number", range: &NO_INDEX, ..number(field) }
}

/// A count up to 16 of which the field holds the low four bits: 0 is the highest.
pub(crate) const fn count(field: &'static Field) -> Number {
    Number {
        print: |value, _, line| line.decimal(if value == 0 { 16 } else { value as u64 }),
        read: |text| match read_number(text) {
            Numeral::Value(0, _) => Numeral::Bad,
            Numeral::Value(16, len) => Numeral::Value(0, len),
            other => other,
        },
        allowed: "a count from 1 to 16",
        ..number(field)
    }
}

/// A number the field holds one less of.
pub(crate) const fn one_less(field: &'static Field) -> Number {
    Number {
        print: |value, _, line| line.decimal(value as u64 + 1),
        read: |text| match read_number(text) {
            Numeral::Value(0, _) => Numeral::Bad,
            Numeral::Value(value, len) => Numeral::Value(value - 1, len),
            other => other,
        },
        allowed: "a number from 1 on",
        ..number(field)
    }
}

/// How many times `step` a number is, if it is a multiple and not negative.
pub(crate) fn steps(value: i64, step: i64) -> Option<i64> {
    (value >= 0 && value % step == 0).then(|| value / step)
}

/// A register whose bank is fixed and whose number is a multiple of `step`.
macro_rules! fixed_register {
    ($field:expr, $name:literal, $step:literal) => {
        parallax_isa::Number {
            print: |value, _, line| {
                line.text($name);
                line.decimal(value as u64 * $step);
            },
            read: |text| match text.strip_prefix($name.as_bytes()).map($crate::number::read_digits) {
                Some(parallax_isa::Numeral::Value(value, len)) => match $crate::number::steps(value, $step) {
                    Some(number) => parallax_isa::Numeral::Value(number, len + $name.len()),
                    None => parallax_isa::Numeral::Bad,
                },
                Some(parallax_isa::Numeral::Bad) => parallax_isa::Numeral::Bad,
                _ => parallax_isa::Numeral::None,
            },
            what: concat!("a register `", $name, "N`"),
            allowed: concat!("a register `", $name, "N` whose number is a multiple of ", $step),
            ..$crate::number::number($field)
        }
    };
}

pub(crate) use fixed_register;
