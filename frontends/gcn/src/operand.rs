//! How operands are written.

use crate::fields::*;
use parallax_isa::{Allowed, Bank, Field, Form, Item, Number, Numeral, Problem, Register, operand};

/// A numbered register.
macro_rules! register {
    ($field:expr, $bank:literal, $count:expr, $what:literal) => {
        Item::Register(&Register::new(&$field, &[Bank::new($bank, $count)], $what))
    };
}

/// A vector register.
macro_rules! vector {
    ($field:expr) => {
        register!($field, "v", 256, "a vector register")
    };
}

/// The text and the bits of a constant that needs no literal, by its code (manual, section 5.2).
pub(crate) fn constant(code: u64) -> Option<(String, u32)> {
    const FLOATS: [&str; 9] = ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"];
    let number = match code as i32 {
        code @ 128..=192 => code - 128,
        code @ 193..=208 => 192 - code,
        code => {
            let text = FLOATS.get(usize::try_from(code - 240).ok()?)?;
            return Some((text.to_string(), text.parse().map(f32::to_bits).ok()?));
        }
    };
    Some((number.to_string(), number as u32))
}

fn read_constant(text: &[u8]) -> Numeral {
    let text = Numeral::characters(text, true);
    let code = (128..=248).find(|code| constant(*code).is_some_and(|(known, _)| known == text));
    code.map_or(Numeral::None, |code| Numeral::Value(code as i64, text.len()))
}

/// A pattern, an integer, or a decimal fraction that is rounded to binary32.
fn read_literal(text: &[u8]) -> Numeral {
    let digits = Numeral::characters(text, true);
    if digits.contains('.') {
        return digits.parse().map_or(Numeral::Bad, |value| Numeral::Value(f32::to_bits(value).into(), digits.len()));
    }
    match Numeral::integer(text) {
        Numeral::Value(value @ -0x8000_0000..0, len) => Numeral::Value((value as u32).into(), len),
        Numeral::Value(value, _) if u32::try_from(value).is_err() => Numeral::Bad,
        other => other,
    }
}

const RANGE: Problem = Problem { code: "literal-range", message: "this is no constant", help: "" };

const fn inline(field: &'static Field) -> Number {
    let allowed = "an integer from -16 to 64, 0.5, 1.0, 2.0 or 4.0 with either sign, or 0.15915494";
    Number {
        field,
        print: |code, _, line| line.text(&constant(code as u64).unwrap_or_default().0),
        read: read_constant,
        what: "a constant",
        allowed,
        range: &RANGE,
    }
}

const LITERAL_NUMBER: Number = Number {
    print: |bits, _, line| {
        line.text("0x");
        line.hex(bits as u64, 8);
    },
    read: read_literal,
    what: "a literal",
    allowed: "a word of 32 bits or a decimal fraction",
    ..inline(&LITERAL)
};

macro_rules! form {
    ($field:expr, $values:expr, [$($items:expr),*]) => {
        Form { field: &$field, values: $values, items: &[$($items),*] }
    };
}

/// The forms of a source. The last one prints what is none of the others.
macro_rules! choice {
    ($source:expr $(, $literal:tt)?) => {
        Item::Choice(&[
            form!($source.is_vector, Allowed::Set(2), [vector!($source.code), Item::Set(&$source.is_vector, 1)]),
            form!($source.code, Allowed::Max(SGPRS - 1), [register!($source.code, "s", SGPRS, "a scalar register")]),
            form!($source.code, Allowed::Max(IS_LITERAL - 1), [Item::Number(&inline(&$source.code))]),
            $(form!($source.code, Allowed::Any, $literal))?
        ], "a register or a constant")
    };
}

/// A source of VOP3: the absolute value is taken before the sign is changed.
macro_rules! with_modifiers {
    ($id:ident = $name:literal: $source:expr) => {
        operand!($id = $name, "[neg(][|]vn | sn | constant[|][)]":
            Item::Flag(&$source.neg, "neg("),
            Item::Between(&$source.abs, "|", &[choice!($source)]),
            Item::If(&$source.neg, Allowed::Set(2), &[Item::Text(")")], &[]));
    };
}

operand!(DST = "dst", "vn": vector!(VDST));
operand!(A = "a", "vn | sn | constant | literal":
    choice!(SRC0, [Item::Set(&SRC0.code, IS_LITERAL), Item::Number(&LITERAL_NUMBER)]));
operand!(B = "b", "vn": vector!(VSRC1));
operand!(DST3 = "dst", "vn": vector!(VDST3));
with_modifiers!(A3 = "a": SOURCES3[0]);
with_modifiers!(B3 = "b": SOURCES3[1]);
with_modifiers!(C3 = "c": SOURCES3[2]);
operand!(OUTPUT = "output", "[ clamp][ mul:2 | mul:4 | div:2]":
    Item::Flag(&CLAMP, " clamp"),
    Item::Names(&OMOD, &[("", 0), (" mul:2", 1), (" mul:4", 2), (" div:2", 3)], "a factor"));
operand!(INTERPOLATED = "dst", "vn": vector!(INTERP_DST));
operand!(COORDINATE = "a", "vn": vector!(INTERP_SRC));
operand!(ATTRIBUTE = "attribute", "attrn.c":
    register!(ATTR, "attr", 33, "an attribute"), Item::Text("."), Item::Component(&ATTR_CHAN));
operand!(COLOUR = "target", "mrtn": register!(TARGET, "mrt", 8, "a colour target"));
operand!(X = "x", "vn": vector!(EXPORTED[0]));
operand!(Y = "y", "vn": vector!(EXPORTED[1]));
operand!(Z = "z", "vn": vector!(EXPORTED[2]));
operand!(W = "w", "vn": vector!(EXPORTED[3]));
operand!(MARKS = "marks", "[ done][ vm]": Item::Flag(&DONE, " done"), Item::Flag(&VM, " vm"));
