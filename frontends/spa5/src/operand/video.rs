//! Operands of video instructions: formats of sources, the parts of registers they take, and what becomes of the result.

use super::control::{REUSE_A, REUSE_B, REUSE_C};
use super::{REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Register, operand};

/// Bits of the selectors of a and b, and their signs. Each stands alone, because formats and the parts that are taken share them:
/// a byte has its number in the two low bits of the selector, a half in the lowest.
const A0: Field = Field::new("selector_a0", 36, 1);
const A1: Field = Field::new("selector_a1", 37, 1);
const A2: Field = Field::new("selector_a2", 38, 1);
const SIGN_A: Field = Field::new("sign_a", 48, 1);
const B0: Field = Field::new("selector_b0", 28, 1);
const B1: Field = Field::new("selector_b1", 29, 1);
const B2: Field = Field::new("selector_b2", 30, 1);
const SIGN_B: Field = Field::new("sign_b", 49, 1);

const FORMAT: &str = "a format such as .U8";
const CLEAR: Allowed = Allowed::Max(0);

/// One of two lists of pieces, as a bit is clear or set.
macro_rules! either {
    ($bit:expr, [$($clear:expr),* $(,)?], [$($set:expr),* $(,)?]) => {
        Item::Choice(
            &[
                Form { field: &$bit, values: CLEAR, items: &[$($clear),*] },
                Form { field: &$bit, values: Allowed::Any, items: &[$($set),*] },
            ],
            FORMAT,
        )
    };
}

/// A format without a sign and with one, whose selector has these bits.
macro_rules! named {
    ($sign:expr, $unsigned:literal, $signed:literal, $($bit:ident = $value:literal),+) => {
        either!(
            $sign,
            [Item::Text($unsigned), $(Item::Set(&$bit, $value),)+ Item::Set(&$sign, 0)],
            [Item::Text($signed), $(Item::Set(&$bit, $value),)+ Item::Set(&$sign, 1)]
        )
    };
}

/// The format of a source: what stands behind all formats but `.S32`, and pieces in place of `.S32`.
macro_rules! format {
    ($bit0:ident $bit1:ident $bit2:ident $sign:ident, [$($behind:expr),*], [$($s32:expr),+]) => {
        either!(
            $bit2,
            [named!($sign, ".U8", ".S8", $bit2 = 0), $($behind),*],
            [either!(
                $bit1,
                [named!($sign, ".U16", ".S16", $bit2 = 1, $bit1 = 0), $($behind),*],
                [Item::Choice(
                    &[
                        Form {
                            field: &$bit0,
                            values: Allowed::Set(2),
                            items: &[
                                named!($sign, ".INVALIDSEL6", ".INVALIDSEL7", $bit2 = 1, $bit1 = 1, $bit0 = 1),
                                $($behind),*
                            ],
                        },
                        Form {
                            field: &$bit0,
                            values: Allowed::Any,
                            items: &[either!(
                                $sign,
                                [
                                    Item::Text(".U32"), Item::Set(&$bit2, 1), Item::Set(&$bit1, 1), Item::Set(&$bit0, 0),
                                    Item::Set(&$sign, 0), $($behind),*
                                ],
                                [$($s32),+]
                            )],
                        },
                    ],
                    FORMAT,
                )]
            )]
        )
    };
}

/// The selector and sign of `.S32`, for a.
const A_IS_S32: Item = Item::Choice(&[Form { field: &A2, values: Allowed::Any, items: S32_OF_A }], FORMAT);
const S32_OF_A: &[Item] = &[Item::Set(&A2, 1), Item::Set(&A1, 1), Item::Set(&A0, 0), Item::Set(&SIGN_A, 1)];
/// The same for b.
const B_IS_S32: Item = Item::Choice(&[Form { field: &B2, values: Allowed::Any, items: S32_OF_B }], FORMAT);
const S32_OF_B: &[Item] = &[Item::Set(&B2, 1), Item::Set(&B1, 1), Item::Set(&B0, 0), Item::Set(&SIGN_B, 1)];

/// Every format of the second source.
const ANY_B: Item = format!(B0 B1 B2 SIGN_B, [], [Item::Text(".S32"), B_IS_S32]);
/// A first source that is `.S32` and a second one of 16 or 32 bits: nothing is written if that is `.S32`, too.
const B_BEHIND_S32: Item = either!(
    B1,
    [Item::Text(".S32"), A_IS_S32, named!(SIGN_B, ".U16", ".S16", B2 = 1, B1 = 0)],
    [Item::Choice(
        &[
            Form {
                field: &B0,
                values: Allowed::Set(2),
                items: &[
                    Item::Text(".S32"),
                    A_IS_S32,
                    named!(SIGN_B, ".INVALIDSEL6", ".INVALIDSEL7", B2 = 1, B1 = 1, B0 = 1),
                ],
            },
            Form {
                field: &B0,
                values: Allowed::Any,
                items: &[either!(
                    SIGN_B,
                    [
                        Item::Text(".S32.U32"),
                        A_IS_S32,
                        Item::Set(&B2, 1),
                        Item::Set(&B1, 1),
                        Item::Set(&B0, 0),
                        Item::Set(&SIGN_B, 0)
                    ],
                    [A_IS_S32, B_IS_S32]
                )],
            },
        ],
        FORMAT,
    )]
);
/// The sign of a literal of 16 bits.
const LITERAL_B: Item = Item::Names(&SIGN_B, &[(".U16", 0), (".S16", 1)], ".U16 or .S16");

/// Formats of an amount to shift by: pieces in place of `.U32`.
macro_rules! amount {
    ([$($front:expr),*], [$($u32:expr),+]) => {
        either!(
            B2,
            [$($front,)* Item::Text(".U8"), Item::Set(&B2, 0)],
            [either!(
                B1,
                [$($front,)* Item::Text(".U16"), Item::Set(&B2, 1), Item::Set(&B1, 0)],
                [Item::Choice(
                    &[
                        Form {
                            field: &B0,
                            values: Allowed::Set(2),
                            items: &[
                                $($front,)* Item::Text(".INVALIDSEL7"), Item::Set(&B2, 1), Item::Set(&B1, 1), Item::Set(&B0, 1),
                            ],
                        },
                        Form {
                            field: &B0,
                            values: Allowed::Any,
                            items: &[$($u32,)+ Item::Set(&B2, 1), Item::Set(&B1, 1), Item::Set(&B0, 0)],
                        },
                    ],
                    FORMAT,
                )]
            )]
        )
    };
}
const ANY_AMOUNT: Item = amount!([], [Item::Text(".U32")]);

operand!(VIDEO_TYPES = "types", "[.U8|.S8|.U16|... of a and b]":
    format!(A0 A1 A2 SIGN_A, [ANY_B],
        [either!(B2, [Item::Text(".S32"), A_IS_S32, named!(SIGN_B, ".U8", ".S8", B2 = 0)], [B_BEHIND_S32])]));
operand!(VIDEO_TYPES_LITERAL = "types", "[.U8|.S8|.U16|... of a and b]":
    format!(A0 A1 A2 SIGN_A, [LITERAL_B],
        [either!(SIGN_B, [Item::Text(".S32.U16"), A_IS_S32, Item::Set(&SIGN_B, 0)], [A_IS_S32, Item::Set(&SIGN_B, 1)])]));
operand!(VIDEO_TYPES_ALWAYS = "types", ".U8|.S8|.U16|... of a and b":
    format!(A0 A1 A2 SIGN_A, [ANY_B], [Item::Text(".S32"), A_IS_S32, ANY_B]));
operand!(VIDEO_TYPES_LITERAL_ALWAYS = "types", ".U8|.S8|.U16|... of a and b":
    format!(A0 A1 A2 SIGN_A, [LITERAL_B], [Item::Text(".S32"), A_IS_S32, LITERAL_B]));
operand!(VIDEO_TYPES_SHIFT = "types", "[.U8|.S8|.U16|... of a and b]":
    format!(A0 A1 A2 SIGN_A, [ANY_AMOUNT], [amount!([Item::Text(".S32"), A_IS_S32], [A_IS_S32])]));
operand!(VIDEO_TYPES_SHIFT_LITERAL = "types", "[.U8|.S8|.U16|... of a and b]":
    format!(A0 A1 A2 SIGN_A, [Item::Text(".U16")], [A_IS_S32]));
#[rustfmt::skip]
operand!(VIDEO_TYPES_BYTES = "types", "[.U8.U8|.S8.U8|.U8.S8]":
    Item::Names(&SIGNS_OF_BYTES, &[(".U8.U8", 0), (".S8.U8", 1), (".U8.S8", 2), ("", 3), (".S8.S8", 3)], ".U8.U8, .S8.U8 or .U8.S8"));
const SIGNS_OF_BYTES: Field = Field::new("signs", 48, 2);

/// The byte or half a source takes, as its format says.
macro_rules! part {
    ($bit0:ident $bit1:ident $bit2:ident) => {
        Item::If(
            &$bit2,
            CLEAR,
            &[Item::Choice(
                &[
                    Form {
                        field: &$bit1,
                        values: Allowed::Set(2),
                        items: &[either!(
                            $bit0,
                            [Item::Text(".B2"), Item::Set(&$bit1, 1), Item::Set(&$bit0, 0)],
                            [Item::Text(".B3"), Item::Set(&$bit1, 1), Item::Set(&$bit0, 1)]
                        )],
                    },
                    Form {
                        field: &$bit1,
                        values: Allowed::Any,
                        items: &[Item::Flag(&$bit0, ".B1"), Item::Set(&$bit1, 0)],
                    },
                ],
                ".B1, .B2 or .B3",
            )],
            &[Item::If(&$bit1, CLEAR, &[Item::Flag(&$bit0, ".H1")], &[])],
        )
    };
}

/// Signs of a and b; both together add one.
const NEGATES_56: Field = Field::new("negates", 56, 2);
/// Signs of the product and of c; both together add one.
const NEGATES_53: Field = Field::new("negates", 53, 2);

operand!(VIDEO_FIRST = "a", "Rn[.B1|.B2|.B3|.H1][.reuse]": register!(crate::fields::A), part!(A0 A1 A2), REUSE_A);
operand!(VIDEO_FIRST_NEGATED_56 = "a", "[-]Rn[.B1|.B2|.B3|.H1][.reuse]":
    Item::When(&NEGATES_56, 2, "-"), register!(crate::fields::A), part!(A0 A1 A2), REUSE_A);
operand!(VIDEO_FIRST_NEGATED_53 = "a", "[-]Rn[.B1|.B2|.B3|.H1][.reuse]":
    Item::When(&NEGATES_53, 2, "-"), register!(crate::fields::A), part!(A0 A1 A2), REUSE_A);
operand!(VIDEO_SECOND = "b", "Rn[.B1|.B2|.B3|.H1][.reuse]": register!(crate::fields::B), part!(B0 B1 B2), REUSE_B);
operand!(VIDEO_SECOND_NEGATED_56 = "b", "[-]Rn[.B1|.B2|.B3|.H1][.reuse]":
    Item::When(&NEGATES_56, 1, "-"), register!(crate::fields::B), part!(B0 B1 B2), REUSE_B);
operand!(VIDEO_LITERAL = "b", "n":
    Item::If(&SIGN_B, CLEAR, &[Item::Number(&number::UINT16)], &[Item::Number(&number::SINT16)]));
operand!(VIDEO_LITERAL_PLAIN = "b", "n": Item::Number(&number::UINT16));
operand!(VIDEO_LITERAL_NEGATED_56 = "b", "[-]n": Item::When(&NEGATES_56, 1, "-"), Item::Number(&number::UINT16));
operand!(VIDEO_THIRD = "c", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(VIDEO_THIRD_NEGATED_53 = "c", "[-]Rn[.reuse]":
    Item::When(&NEGATES_53, 1, "-"), register!(crate::fields::C), REUSE_C);
operand!(PLUS_ONE_56 = "po", "[.PO]": Item::When(&NEGATES_56, 3, ".PO"));
operand!(PLUS_ONE_53 = "po", "[.PO]": Item::When(&NEGATES_53, 3, ".PO"));
#[rustfmt::skip]
operand!(VIDEO_RESULT_51 = "what", "[.MRG_16H|.MRG_16L|.MRG_8B0|.MRG_8B2|.ACC|.MIN|.MAX]":
    Item::Names(
        field!("what", 51, 3),
        &[(".MRG_16H", 0), (".MRG_16L", 1), (".MRG_8B0", 2), (".MRG_8B2", 3), (".ACC", 4), (".MIN", 5), (".MAX", 6), ("", 7)],
        "what becomes of the result, such as .ACC"
    ));
operand!(VIDEO_SCALE_51 = "scale", "[.SHR_7|.SHR_15]":
    Item::Names(field!("scale", 51, 2), &[("", 0), (".SHR_7", 1), (".SHR_15", 2), (".INVALIDVMADSCALE3", 3)], ".SHR_7 or .SHR_15"));
#[rustfmt::skip]
operand!(VIDEO_COMPARE_54 = "cmp", ".LT|.EQ|...":
    Item::Names(
        field!("cmp", 54, 3),
        &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".T", 7)],
        "a comparison such as .LT"
    ));
#[rustfmt::skip]
operand!(VIDEO_COMPARE_43 = "cmp", ".LT|.EQ|...":
    Item::Names(
        field!("cmp", 43, 2, 47, 1),
        &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".T", 7)],
        "a comparison such as .LT"
    ));
#[rustfmt::skip]
operand!(VIDEO_LANES = "lanes", "[.X|.Y|.XY|...]":
    Item::Names(
        field!("lanes", 36, 2, 51, 2),
        &[
            (".???0", 0), (".Z", 1), (".W", 2), (".ZW", 3), (".X", 4), (".XZ", 5), (".XW", 6), (".XZW", 7), (".Y", 8), (".YZ", 9),
            (".YW", 10), (".YZW", 11), (".XY", 12), (".XYZ", 13), (".XYW", 14), ("", 15),
        ],
        "bytes such as .XY"
    ));
operand!(VIDEO_SUM_53 = "sum", "[.ACC]":
    Item::Names(field!("sum", 53, 2), &[("", 0), (".ACC", 1), (".INVALIDRED2", 2), (".INVALIDRED3", 3)], ".ACC"));
#[rustfmt::skip]
operand!(VIDEO_BYTES_FIRST = "a", "Rn[.bytes][.reuse]":
    register!(crate::fields::A),
    Item::Names(
        field!("bytes_a", 32, 4),
        &[
            (".0000", 0), (".1111", 1), (".2222", 2), (".3333", 3), ("", 4), (".4321", 5), (".5432", 6), (".6543", 7), (".3201", 8),
            (".3012", 9), (".0213", 10), (".3120", 11), (".1230", 12), (".2310", 13), (".INVALIDASEL4E", 14), (".INVALIDASEL4F", 15),
        ],
        "bytes such as .3201"
    ),
    REUSE_A);
/// Which bytes the second source takes; the last value makes it a literal.
const BYTES_B: Field = Field::new("bytes_b", 28, 4).up_to(14);
#[rustfmt::skip]
operand!(VIDEO_BYTES_SECOND = "b", "Rn[.bytes][.reuse]":
    register!(crate::fields::B),
    Item::Names(
        &BYTES_B,
        &[
            (".4444", 0), (".5555", 1), (".6666", 2), (".7777", 3), ("", 4), (".6543", 5), (".5432", 6), (".4321", 7), (".4567", 8),
            (".6745", 9), (".5476", 10), (".INVALIDBSEL4B", 11), (".INVALIDBSEL4C", 12), (".INVALIDBSEL4D", 13),
            (".INVALIDBSEL4E", 14),
        ],
        "bytes such as .4567"
    ),
    REUSE_B);
operand!(VIDEO_BYTES_LITERAL = "b", "n":
Item::If(
    &SIGNS_OF_BYTES,
    Allowed::Set(0b1100),
    &[Item::Number(&number::ADDRESS_8_SIGNED)],
    &[Item::Number(&number::ADDRESS_8)]
));
