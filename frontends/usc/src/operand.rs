//! How operands are declared, and those that several tables share.
//!
//! An operand is declared once, beside the rows that have it: its notation on the reference page, its fields and their
//! spelling. Decoder, encoder, printer, reader and the [view](crate::view) that is lifted all follow from that.

use crate::fields::*;
use crate::number::*;
use crate::register;
use parallax_isa::{Allowed, Candidate, Field, Form, Item, Number, Numeral, Problem, Selected};

/// Declares operands: notation on the reference page, pieces.
macro_rules! operands {
    ($($name:ident = $notation:expr $(, $item:expr)*;)*) => {
        $(pub(crate) static $name: parallax_isa::Syntax =
            parallax_isa::Syntax { items: &[$($item),*], notation: $notation };)*
    };
}
/// A field: name, lowest bit, number of bits, and a second run with the higher bits.
macro_rules! field {
    ($name:expr, $lo:expr, $len:expr) => {
        &const { parallax_isa::Field::new($name, $lo, $len) }
    };
    ($name:expr, $lo:expr, $len:expr, $high:expr, $more:expr) => {
        &const { parallax_isa::Field::new($name, $lo, $len).then($high, $more) }
    };
}
/// What stands where a bit is set: the bit, its name, and how it is written if not like that.
macro_rules! flag {
    ($lo:expr, $name:literal) => {
        flag!($lo, $name, $name)
    };
    ($lo:expr, $name:literal, $text:literal) => {
        parallax_isa::Item::Flag(field!($name, $lo, 1), $text)
    };
}
/// Modifiers behind an operand.
macro_rules! dots {
    ($($item:expr),* $(,)?) => {
        parallax_isa::Item::Annotations(".", &[$($item),*], $crate::operand::EXPECTED)
    };
}
/// Modifiers behind a mnemonic.
macro_rules! suffixes {
    ($($item:expr),* $(,)?) => {
        parallax_isa::Item::Annotations(".", &[$($item),*], "a modifier of this instruction")
    };
}
/// What is done to a source, in the order it is done and printed, with the bit of each.
macro_rules! modified {
    ($source:literal: $($modifier:ident $lo:literal),+ $(; $more:expr)?) => {
        dots![
            $(parallax_isa::Item::Flag(field!(concat!($source, stringify!($modifier)), $lo, 1), stringify!($modifier)),)+
            $($more)?
        ]
    };
}
/// A register, or what stands in its place: where a field has this value, this text.
macro_rules! instead {
    ($field:expr, $value:literal, $text:literal, $what:literal, $($item:expr),+) => {
        parallax_isa::Item::Choice(
            &[
                parallax_isa::Form {
                    field: $field,
                    values: parallax_isa::Allowed::Set(1 << $value),
                    items: &[parallax_isa::Item::Text($text), parallax_isa::Item::Set($field, $value)],
                },
                parallax_isa::Form { field: $field, values: parallax_isa::Allowed::Any, items: &[$($item),+] },
            ],
            $what,
        )
    };
}
/// A feed-through, or the register that `is0` selects.
macro_rules! feed {
    ($field:expr) => {
        $crate::operand::feed!($field; 0 "ft0", 1 "ft1", 2 "ft2")
    };
    ($field:expr; $($value:literal $text:literal),+) => {
        parallax_isa::Item::Choice(
            &[
                $(parallax_isa::Form {
                    field: $field,
                    values: parallax_isa::Allowed::Set(1 << $value),
                    items: &[parallax_isa::Item::Text($text), parallax_isa::Item::Set($field, $value)],
                },)+
                parallax_isa::Form {
                    field: $field,
                    values: parallax_isa::Allowed::Any,
                    items: &[parallax_isa::Item::Set($field, 3), $crate::operand::FTE],
                },
            ],
            $crate::operand::FEED,
        )
    };
}
/// An output: its register, or what stands for it where it goes to none.
macro_rules! output {
    ($present:expr, $register:expr, $what:expr, $none:expr) => {
        parallax_isa::Item::Choice(
            &[
                parallax_isa::Form {
                    field: $present,
                    values: parallax_isa::Allowed::Set(2),
                    items: &[
                        parallax_isa::Item::Number(&$crate::number::register($register)),
                        parallax_isa::Item::Set($present, 1),
                    ],
                },
                parallax_isa::Form { field: $present, values: parallax_isa::Allowed::Any, items: &[$none] },
            ],
            $what,
        )
    };
}
/// An output that is a result, or this where it goes nowhere.
macro_rules! result {
    ($present:expr, $register:expr, $none:literal) => {
        $crate::operand::output!(
            $present,
            $register,
            "a register or `_`",
            parallax_isa::Item::Names(
                $present,
                &[($none, 0), ("_", 0), ("ft0", 0), ("ft1", 0), ("w0", 0), ("w1", 0)],
                "a destination",
            )
        )
    };
}
/// A source of any number, which a field of three bits tells.
macro_rules! any_source {
    ($name:literal, $lo:literal) => {
        parallax_isa::Item::Selected(
            &const {
                parallax_isa::Selected {
                    field: field!($name, $lo, 3),
                    places: &$crate::operand::any_place([0, 1, 2, 3, 4, 5]),
                    full: &$crate::operand::FULL,
                }
            },
        )
    };
}
pub(crate) use {any_source, dots, feed, field, flag, instead, modified, operands, output, result, suffixes};

pub(crate) const EXPECTED: &str = "a modifier of this operand";
pub(crate) const FEED: &str = "a feed-through `ft0`, `ft1`, `ft2` or a register";
pub(crate) const FULL: Problem = Problem {
    code: "usc-source-limit",
    message: "no remaining source can name this register",
    help: "a group has six sources; s0, s2 and s3 can name every bank, s1, s4 and s5 only special, r, vi and cf registers \
           below 256",
};

/// Whether the sources 1, 4 and 5 can name a register: they have two bits for the bank and eight for the number.
pub(crate) fn is_short(code: i64) -> bool {
    code >> 11 < 4 && code & 0x7ff < 256
}

/// The six sources as places of an operand, with the value that tells each. The reader takes them in their order.
pub(crate) const fn any_place(values: [u64; 6]) -> [Candidate; 6] {
    const fn place(value: u64, number: &'static Number, all: bool) -> Candidate {
        Candidate { value, number, holds: if all { |_| true } else { is_short } }
    }
    [
        place(values[0], const { &register(&S0) }, true),
        place(values[1], const { &register(&S1) }, false),
        place(values[2], const { &register(&S2) }, true),
        place(values[3], const { &register(&S3) }, true),
        place(values[4], const { &register(&S4) }, false),
        place(values[5], const { &register(&S5) }, false),
    ]
}

/// What `is0` selects.
pub(crate) static SELECTED: Selected = Selected { field: &IS0, places: &any_place([0, 4, 5, 1, 2, 3]), full: &FULL };

/// The value called fte: written as the register `is0` selects, or as `fte` behind a 64-bit operation.
pub(crate) const FTE: Item = Item::Choice(
    &[
        Form { field: &WIDE, values: Allowed::Set(2), items: &[Item::Text("fte")] },
        Form { field: &WIDE, values: Allowed::Any, items: &[Item::Selected(&SELECTED)] },
    ],
    "a register or `fte`",
);

/// A field that says whether p0 is an operand.
pub(crate) const fn p0(field: &'static Field) -> Item {
    Item::Names(field, &[("_", 0), ("p0", 1), ("", 0)], "`p0` or `_`")
}

/// A field that names a counter of requests.
pub(crate) const fn counter(field: &'static Field) -> Item {
    Item::Names(field, &[("drc0", 0), ("drc1", 1)], "`drc0` or `drc1`")
}

/// Elements of a source.
pub(crate) const fn element(field: &'static Field) -> Item {
    const BYTES: &[(&str, u64)] = &[("e0", 0), ("e1", 1), ("e2", 2), ("e3", 3)];
    const HALVES: &[(&str, u64)] = &[("e0", 0), ("e1", 1)];
    Item::Names(field, if field.width() == 1 { HALVES } else { BYTES }, ELEMENT)
}
pub(crate) const ELEMENT: &str = "an element `e0` to `e3`";

/// Where in the pixel something is evaluated.
pub(crate) const fn place(field: &'static Field) -> Item {
    const PLACES: &[(&str, u64)] = &[("pixel", 0), ("sample", 1), ("centroid", 2), ("mode3", 3)];
    Item::Names(field, PLACES, "`pixel`, `sample` or `centroid`")
}

/// A format of pck and unpck.
pub(crate) const fn format(field: &'static Field) -> Item {
    /// Names by their codes, then the spellings that are read beside them.
    static NAMES: [(&str, u64); 36] = {
        let mut all = [("coveragemask", 16); 36];
        let mut n = 0;
        while n < 32 {
            all[n] = (crate::formats::FORMATS[n].name, n as u64);
            n += 1;
        }
        all[33] = ("f32mask", 20);
        all[34] = ("const0", 30);
        all[35] = ("const1", 31);
        all
    };
    Item::Names(field, &NAMES, "a format")
}

/// A place that may be written empty.
pub(crate) const NOTHING: Item = Item::Optional {
    open: ", ",
    absent: &[],
    printed: true,
    items: &[Item::Optional { open: "_", absent: &[], printed: true, items: &[] }],
};

operands! {
    FIRST = "a", Item::Number(&register(&S0));
    SECOND = "b", Item::Number(&register(&S1));
    THIRD = "c", Item::Number(&register(&S2));
    FOURTH = "d", Item::Number(&register(&S3));
    FOURTH_OPTIONAL = "{d, _}", Item::Number(&optional_register(&S3));
    FIFTH = "e", Item::Number(&register(&S4));
    OUTPUT0 = "reg", Item::Number(&register(&W0)), Item::Set(&W0P, 1);
    OUTPUT1 = "reg", Item::Number(&register(&W1)), Item::Set(&W1P, 1);
    OPERANDS = "...",
        Item::Number(&ANYTHING), MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,
        MORE, MORE, MORE;
    ANY_SUFFIX = "[...]",
        Item::Optional { open: ".", absent: &[], printed: false, items: &[Item::Number(&ANY_MODIFIER)] };
}

/// Reads an operand of the grammar, or none.
fn read_operand(text: &[u8]) -> Numeral {
    /// Operands that are no registers and no numbers.
    const NAMED: &[&str] = &[
        "_", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "fte", "ftt", "w0", "w1", "is0", "is1", "is2", "is3", "is4",
        "is5", "p0", "drc0", "drc1", "add", "sub", "rsub", "min", "max", "mad", "s0", "s1", "s2", "s3", "s4", "s5",
    ];
    /// What can stand behind operands.
    const BEHIND: &[&str] = &[
        "abs", "neg", "flr", "clamp", "oneminus", "invert", "e0", "e1", "e2", "e3", "f16", "f32", "u8", "joutj",
        "jouta", "joutb", "koutk", "koutc", "koutd", "joutjc", "koutkc",
    ];
    let in_operand = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'[' | b']' | b'-');
    let word = &text[..text.iter().take_while(|b| in_operand(b)).count()];
    let mut parts = word.split(|b| *b == b'.');
    let name = parts.next().unwrap_or_default();
    let is = |all: &[&str], word: &[u8]| all.iter().any(|other| other.as_bytes() == word);
    let reads = |found: Numeral| matches!(found, Numeral::Value(_, len) if len == name.len());
    let known = name.is_empty() || is(NAMED, name) || reads(register::read(name)) || reads(read_number(name));
    match known && parts.all(|part| is(BEHIND, part)) {
        true => Numeral::Value(0, word.len()),
        false => Numeral::Bad,
    }
}

/// Any operand, of operations of which no document says how they are encoded and what stands where. Their texts are kept as a
/// whole.
const ANYTHING: Number = Number {
    field: field!("operand", 64, 1),
    print: |_, _, line| line.char(b'_'),
    read: read_operand,
    what: "an operand",
    allowed: "an operand: a register, a number, a feed-through, an output, `p0`, `_`, with modifiers",
    range: &RANGE,
};
/// Modifiers of such operations.
const ANY_MODIFIER: Number = Number {
    read: |text| {
        let in_modifier = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.');
        Numeral::Value(0, text.iter().take_while(|b| in_modifier(b)).count())
    },
    ..ANYTHING
};
/// Further operands of such an operation.
const MORE: Item = Item::Optional { open: ", ", absent: &[], printed: false, items: &[Item::Number(&ANYTHING)] };
