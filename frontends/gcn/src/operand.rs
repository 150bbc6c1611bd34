//! How operands are written: each kind of operand is its fields and its spelling.

use crate::fields::*;
use parallax_isa::{Allowed, Bank, Cursor, Field, Form, Item, Number, Numeral, Problem, Register, Style, Syntax};

/// A kind of operand: its syntax.
#[derive(Copy, Clone, Debug)]
pub struct Kind(pub(crate) &'static Syntax);

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kind {}

const fn register(number: &'static Field, banks: &'static [Bank], what: &'static str) -> Register {
    Register { number, bank: None, banks, what, literal: "" }
}

const fn bank(name: &'static str, count: u64) -> Bank {
    Bank { name, code: 0, first: 0, count, exist: count }
}

const VECTORS: &[Bank] = &[bank("v", 256)];
const SCALARS: &[Bank] = &[bank("s", SGPRS)];

/// Operands that are a vector register.
macro_rules! vectors {
    ($($name:ident: $field:expr),*) => {$(
        pub(crate) static $name: Syntax =
            Syntax { items: &[Item::Register(&register(&$field, VECTORS, "a vector register"))], notation: "vn" };
    )*};
}
vectors!(DST: VDST, B: VSRC1, DST3: VDST3, INTERPOLATED: INTERP_DST, COORDINATE: INTERP_SRC);
vectors!(X: EXPORTED[0], Y: EXPORTED[1], Z: EXPORTED[2], W: EXPORTED[3]);

/// Constants that need no literal, by their codes (manual, section 5.2).
const FLOATS: [&str; 9] = ["0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"];

/// The integer or float that a source code stands for; `None` for registers, the literal, and codes that mean nothing here.
fn spelled(code: u64) -> Option<Result<i32, &'static str>> {
    match code as i32 {
        code @ 128..=192 => Some(Ok(code - 128)),
        code @ 193..=208 => Some(Ok(192 - code)),
        code => FLOATS.get(usize::try_from(code - 240).ok()?).map(|text| Err(*text)),
    }
}

/// The bits it stands for.
pub(crate) fn constant(code: u64) -> Option<u32> {
    spelled(code)?.map_or_else(|text| text.parse().map(f32::to_bits).ok(), |number| Some(number as u32))
}

fn print_constant(code: i64, _: Style, line: &mut Cursor<'_>) {
    match spelled(code as u64) {
        Some(Ok(number)) => line.signed(number.into()),
        Some(Err(text)) => line.text(text),
        None => {}
    }
}

/// The characters of a number; none where there is no digit.
fn numeral(text: &[u8]) -> &str {
    let sign = usize::from(text.first() == Some(&b'-'));
    let len = text[sign..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'.').count();
    let text = std::str::from_utf8(&text[..sign + len]).unwrap_or("");
    if text[sign.min(text.len())..].starts_with(|c: char| c.is_ascii_digit()) { text } else { "" }
}

fn read_constant(text: &[u8]) -> Numeral {
    let text = numeral(text);
    let same = |code: &u64| match spelled(*code) {
        Some(Ok(number)) => text.parse() == Ok(number),
        Some(Err(float)) => text == float,
        None => false,
    };
    (128..=248).find(same).map_or(Numeral::None, |code| Numeral::Value(code as i64, text.len()))
}

/// A pattern, an integer, or a decimal fraction that is rounded to binary32.
fn read_literal(text: &[u8]) -> Numeral {
    let text = numeral(text);
    let bits = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if text.contains('.') => text.parse().map(f32::to_bits).ok(),
        None => text.parse().ok().or_else(|| text.parse::<i32>().map(|number| number as u32).ok()),
    };
    match bits {
        Some(bits) => Numeral::Value(bits.into(), text.len()),
        None if text.is_empty() => Numeral::None,
        None => Numeral::Bad,
    }
}

const RANGE: Problem = Problem { code: "literal-range", message: "this is no constant", help: "" };

const fn inline(field: &'static Field) -> Number {
    let allowed = "an integer from -16 to 64, 0.5, 1.0, 2.0 or 4.0 with either sign, or 0.15915494";
    Number { field, print: print_constant, read: read_constant, what: "a constant", allowed, range: &RANGE }
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

/// The forms of a source. The last one prints what is none of the others.
macro_rules! choice {
    ($source:expr $(, $literal:expr)?) => {
        Item::Choice(&[
            Form {
                field: &$source.is_vector,
                values: Allowed::Set(2),
                items: &[
                    Item::Register(&register(&$source.code, VECTORS, "a vector register")),
                    Item::Set(&$source.is_vector, 1),
                ],
            },
            Form {
                field: &$source.code,
                values: Allowed::Max(SGPRS - 1),
                items: &[Item::Register(&register(&$source.code, SCALARS, "a scalar register"))],
            },
            Form {
                field: &$source.code,
                values: Allowed::Max(IS_LITERAL - 1),
                items: &[Item::Number(&inline(&$source.code))],
            },
            $(Form { field: &$source.code, values: Allowed::Any, items: $literal })?
        ], "a register or a constant")
    };
}

pub(crate) static A: Syntax = Syntax {
    items: &[choice!(SRC0, &[Item::Set(&SRC0.code, IS_LITERAL), Item::Number(&LITERAL_NUMBER)])],
    notation: "vn | sn | constant | literal",
};

macro_rules! with_modifiers {
    ($source:expr) => {
        Syntax {
            items: &[
                Item::Flag(&$source.neg, "neg("),
                Item::Between(&$source.abs, "|", &[choice!($source)]),
                Item::If(&$source.neg, Allowed::Set(2), &[Item::Text(")")], &[]),
            ],
            notation: "[neg(][|]vn | sn | constant[|][)]",
        }
    };
}
pub(crate) static SOURCES: [Syntax; 3] =
    [with_modifiers!(SOURCES3[0]), with_modifiers!(SOURCES3[1]), with_modifiers!(SOURCES3[2])];
pub(crate) static OUTPUT: Syntax = Syntax {
    items: &[
        Item::Flag(&CLAMP, " clamp"),
        Item::Names(&OMOD, &[("", 0), (" mul:2", 1), (" mul:4", 2), (" div:2", 3)], "a factor"),
    ],
    notation: "[ clamp][ mul:2 | mul:4 | div:2]",
};
pub(crate) static ATTRIBUTE: Syntax = Syntax {
    items: &[
        Item::Register(&register(&ATTR, &[bank("attr", 33)], "an attribute")),
        Item::Text("."),
        Item::Component(&ATTR_CHAN),
    ],
    notation: "attrn.c",
};
pub(crate) static COLOUR: Syntax =
    Syntax { items: &[Item::Register(&register(&TARGET, &[bank("mrt", 8)], "a colour target"))], notation: "mrtn" };
pub(crate) static MARKS: Syntax =
    Syntax { items: &[Item::Flag(&DONE, " done"), Item::Flag(&VM, " vm")], notation: "[ done][ vm]" };
