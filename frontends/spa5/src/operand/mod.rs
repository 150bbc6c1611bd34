//! The operands of instructions, and how they are written.
//!
//! A name says what an operand is, then where its modifiers stand: `FIRST_NEG48_ABS46` is the first source with the sign in
//! bit 48 and the bars in bit 46, `ROUND_39` the rounding in bits 39 and up. Registers show `.reuse` unless they end in `ONCE`.

use crate::fields;
use parallax_isa::{Allowed, Bank, Field};

pub use parallax_isa::SyntaxKind as Kind;

/// A field of one run of bits, or of two, the low one first.
macro_rules! field {
    ($name:literal, $lo:expr, $len:literal) => {
        &const { Field::new($name, $lo, $len) }
    };
    ($name:literal, $lo:expr, $len:literal, $high:expr, $more:literal) => {
        &const { Field::new($name, $lo, $len).then($high, $more) }
    };
}

const REGISTERS: &[Bank] = &[Bank::new("R", 255)];
const PREDICATES: &[Bank] = &[Bank::new("P", 7)];
const REGISTER: &str = "a register `R0` to `R254` or `RZ`";
const PREDICATE: &str = "a predicate `P0` to `P6` or `PT`";

/// A numbered register of a field.
macro_rules! numbered {
    ($field:expr, $banks:expr, $what:expr) => {
        Item::Register(&Register::new($field, $banks, $what))
    };
}

/// A register, or RZ.
macro_rules! register {
    ($field:expr) => {
        Item::Choice(
            &[
                Form { field: &$field, values: Allowed::Max(254), items: &[numbered!(&$field, REGISTERS, REGISTER)] },
                Form { field: &$field, values: Allowed::Any, items: &[Item::Text("RZ"), Item::Set(&$field, 255)] },
            ],
            REGISTER,
        )
    };
}

/// A register with a comma before it; RZ is not printed.
macro_rules! optional_register {
    ($field:expr) => {
        Item::Choice(
            &[
                Form {
                    field: &$field,
                    values: Allowed::Max(254),
                    items: &[Item::Text(", "), numbered!(&$field, REGISTERS, REGISTER)],
                },
                Form {
                    field: &$field,
                    values: NEVER,
                    items: &[Item::Text(", "), Item::Text("RZ"), Item::Set(&$field, 255)],
                },
                Form { field: &$field, values: Allowed::Any, items: &[Item::Set(&$field, 255)] },
            ],
            REGISTER,
        )
    };
}

/// A predicate, or PT.
macro_rules! predicate {
    ($field:expr) => {
        Item::Choice(
            &[
                Form { field: $field, values: Allowed::Max(6), items: &[numbered!($field, PREDICATES, PREDICATE)] },
                Form { field: $field, values: Allowed::Any, items: &[Item::Text("PT"), Item::Set($field, 7)] },
            ],
            PREDICATE,
        )
    };
}

/// An address in brackets: a register, a number or both. The number has a sign where there is a register.
macro_rules! address {
    ($signed:expr, $unsigned:expr) => {
        Item::Choice(
            &[
                Form {
                    field: &A_FIELD,
                    values: Allowed::Max(254),
                    items: &[
                        Item::Text("["),
                        numbered!(&A_FIELD, REGISTERS, REGISTER),
                        Item::Optional {
                            open: "+",
                            absent: &[($signed.field, 0)],
                            printed: false,
                            items: &[Item::Number(&$signed)],
                        },
                        Item::Text("]"),
                    ],
                },
                Form {
                    field: $unsigned.field,
                    values: Allowed::Max(0),
                    items: &[Item::Text("["), Item::Text("RZ"), Item::Text("]"), Item::Set(&A_FIELD, 255)],
                },
                Form {
                    field: &A_FIELD,
                    values: Allowed::Any,
                    items: &[Item::Text("["), Item::Number(&$unsigned), Item::Text("]"), Item::Set(&A_FIELD, 255)],
                },
            ],
            "an address such as `[R2+0x10]`",
        )
    };
}

/// For forms that are read, never printed.
const NEVER: Allowed = Allowed::Set(0);

/// First source, where an address or an input stands.
const A_FIELD: Field = fields::A;
/// Result register.
const D_FIELD: Field = fields::D;
/// Signs of a and b; both together add one.
const NEGATES_48: Field = Field::new("negates", 48, 2);
/// The sign of a above a bit that adds one with it, and alone is no instruction.
const NEGATES_55: Field = Field::new("negates", 55, 2).only(&[0, 2, 3]);
/// Signs of the product and of c; both together add one.
const NEGATES_51: Field = Field::new("negates", 51, 2);

// They see the macros because they are declared behind them.
mod control;
mod half;
mod memory;
mod modifier;
mod special;
mod stage;
mod value;
mod video;

pub(crate) use control::*;
pub(crate) use half::*;
pub(crate) use memory::*;
pub(crate) use modifier::*;
pub(crate) use special::*;
pub(crate) use stage::*;
pub(crate) use value::*;
pub(crate) use video::*;
