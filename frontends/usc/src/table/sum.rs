//! Sums of products. Nobody knows their encoding: words of these rows exist in programs read from text only.

use super::row::rows;
use crate::fields::*;
use crate::number::register;
use crate::operand::*;
use crate::register::Register;
use crate::sums::{Factor, Width};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Allowed, Item, Row};

/// The lowest bits of the operands a, e, b, f of a line.
pub(crate) const FACTORS: [u8; 4] = [16, 40, 64, 88];
/// Bits of an operand, from its lowest on: the register, its width and element, what is done to it.
mod bit {
    pub(super) const SHAPE: u8 = super::REGISTER;
    pub(super) const NEGATE: u8 = SHAPE + 4;
    pub(super) const ABSOLUTE: u8 = SHAPE + 5;
    pub(super) const CLAMP: u8 = SHAPE + 6;
    pub(super) const ONE_MINUS: u8 = SHAPE + 7;
}

/// An operand whose lowest bit is this one. A shape is a width (0 F32, 1 F16, 2 U8, 3 the constant 0) and an element.
macro_rules! factor {
    ($n:literal) => {
        factor!(FACTORS[$n], field!("shape", FACTORS[$n] + bit::SHAPE, 4))
    };
    ($lo:expr, $shape:expr) => {
        parallax_isa::Syntax {
            notation: "operand",
            items: &[
                instead!(
                    $shape,
                    3,
                    "0",
                    "a register or `0`",
                    Item::Number(&register(field!("operand", $lo, REGISTER))),
                    dots![
                        flag!($lo + bit::ABSOLUTE, "abs"),
                        flag!($lo + bit::CLAMP, "clamp"),
                        flag!($lo + bit::NEGATE, "neg"),
                        flag!($lo + bit::ONE_MINUS, "oneminus"),
                        Item::Names($shape, SHAPES, EXPECTED),
                    ]
                ),
                // Of the constant 0.
                Item::If($shape, Allowed::Set(1 << 3), &[dots![flag!($lo + bit::ONE_MINUS, "oneminus")]], &[]),
            ],
        }
    };
}
const SHAPES: &[(&str, u64)] = &[
    ("", 0),
    ("e0", 1),
    ("e1", 5),
    ("u8.e0", 2),
    ("u8.e1", 6),
    ("u8.e2", 10),
    ("u8.e3", 14),
    ("f16.e0", 1),
    ("f16.e1", 5),
    ("f16", 1),
    ("f32", 0),
];

/// The operand whose lowest bit is `lo`.
pub(crate) fn factor(word: u128, lo: u8) -> Factor {
    let word = (word >> lo) as u32;
    let is = |bit: u8| word >> bit & 1 != 0;
    let (width, element) = (word >> bit::SHAPE & 3, (word >> (bit::SHAPE + 2) & 3) as u8);
    Factor {
        register: (width != 3).then(|| Register::decode(word as u16 & ((1 << REGISTER) - 1))),
        width: match width {
            1 => Width::F16(element & 1),
            2 => Width::U8(element),
            _ => Width::F32,
        },
        negate: is(bit::NEGATE),
        absolute: is(bit::ABSOLUTE),
        floor: false,
        clamp: is(bit::CLAMP),
        one_minus: is(bit::ONE_MINUS),
    }
}

/// What the second line gives.
const SECOND_RESULT: Item =
    Item::Names(field!("result", 114, 2), &[("koutk", 0), ("koutc", 1), ("koutd", 2)], "`koutk`, `koutc` or `koutd`");

static FACTOR_A: parallax_isa::Syntax = factor!(0);
static FACTOR_E: parallax_isa::Syntax = factor!(1);
static FACTOR_B: parallax_isa::Syntax = factor!(2);
static FACTOR_F: parallax_isa::Syntax = factor!(3);
operands! {
    OPERATOR = "{add, sub, rsub, min, max}", Item::Names(
        field!("operator", 111, 3),
        &[("add", 0), ("sub", 1), ("rsub", 2), ("min", 3), ("max", 4)],
        "`add`, `sub`, `rsub`, `min` or `max`",
    );
    FIRST_LINE = "{reg, w0}[.e0 | .e1][.joutj | .jouta | .joutb]", result!(&W0P, &W0, "w0"), dots![
        Item::Names(field!("half", 116, 2), &[("", 0), ("e0", 1), ("e1", 2), ("f16.e0", 1), ("f16.e1", 2)], ELEMENT),
        Item::Names(
            field!("result", 114, 2),
            &[("joutj", 0), ("jouta", 1), ("joutb", 2)],
            "`joutj`, `jouta` or `joutb`",
        ),
    ];
    SECOND_LINE = "{reg, w1}[.koutk | .koutc | .koutd]", result!(&W1P, &W1, "w1"), dots![SECOND_RESULT];
    SECOND_LINE_HALF = "{reg, w0}.{e0, e1}[.koutk | .koutc | .koutd]", result!(&W0P, &W0, "w0"), dots![
        Item::Names(field!("half", 116, 2), &[("e0", 1), ("e1", 2), ("f16.e0", 1), ("f16.e1", 2)], ELEMENT),
        SECOND_RESULT,
    ];
    COPY = "{reg, _}", result!(&W1P, &W1, "_");
}

pub(super) const SUMS: &[Row<Usc>] = rows! { "sections 6.1.11 to 6.1.17", Documented;
    ("sop" "f16sop"), Lift(Sop), "sop {d}, {a}, {e}, {o}, {b}, {f}", "Half-precision sum of two products, into output 0.",
        [d: FIRST_LINE, a: FACTOR_A, e: FACTOR_E, o: OPERATOR, b: FACTOR_B, f: FACTOR_F] {
            "first line, no encoding" "1 0001010 oo -- -- --- 0 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100";
        }
    ("sop" "f16sop"), Lift(Sop), "sop {d}, {a}, {e}, {o}, {b}, {f}", "Half-precision sum of two products, into output 1.",
        [d: SECOND_LINE, a: FACTOR_A, e: FACTOR_E, o: OPERATOR, b: FACTOR_B, f: FACTOR_F] {
            "second line, no encoding" "1 0001011 oo oo -- --- 1 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100";
        }
    ("sop" "f16sop"), Lift(Sop), "sop {d}, {a}, {e}, {o}, {b}, {f}",
        "Half-precision sum of two products, into a half of output 0.",
        [d: SECOND_LINE_HALF, a: FACTOR_A, e: FACTOR_E, o: OPERATOR, b: FACTOR_B, f: FACTOR_F] {
            "second line into a half, no encoding"
                "1 0001100 oo -- -- --- 1 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100";
        }
    "sopmov", Lift(Sopmov), "sopmov {d}, {a}", "Copy beside a sum of products.", [d: COPY, a: FOURTH_OPTIONAL] {
        "no encoding" "1 0001101 o{112} | 100 1 0100";
    }
    ("sop" "f16sop"), Lift(WideSum), "sop.mad {x}", "Four half-precision products and sums.", [x: OPERANDS] {
        "mad, no encoding" "1 0001110 o{55}- o{56} | 100 1 0100";
    }
    ("sop" "f16sop"), Lift(WideSum), "sop.u8{z} {x}", "Sums of products of bytes.", [z: ANY_SUFFIX, x: OPERANDS] {
        "u8, no encoding" "1 0001111 o{55}- o{56} | 100 1 0100";
    }
    ("sop" "f16sop"), Lift(WideSum), "sop.u8mad {x}", "Four products and sums of bytes.", [x: OPERANDS] {
        "u8mad, no encoding" "1 0010000 o{55}- o{56} | 100 1 0100";
    }
    "sopmov", Lift(WideSum), "sopmov.u8{z} {x}", "Copy beside a sum of products of bytes.", [z: ANY_SUFFIX, x: OPERANDS] {
        "u8, no encoding" "1 0010001 o{55}- o{56} | 100 1 0100";
    }
    "sopu8madmov", Lift(WideSum), "sopu8madmov {x}", "Copy beside a sum of products of bytes.", [x: OPERANDS] {
        "no encoding" "1 0010010 o{55}- o{56} | 100 1 0100";
    }
};
