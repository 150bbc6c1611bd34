//! Operands of the stages in front of the rasteriser.

use super::{PREDICATE, REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Register, operand};

operand!(OUTPUT_32 = "o", "[.O]": Item::Flag(field!("o", 32, 1), ".O"));
operand!(SKEW_31 = "skew", "[.SKEW]": Item::Flag(field!("skew", 31, 1), ".SKEW"));
operand!(SIZE_47 = "size", "[.64|.96|.128]":
    Item::Names(field!("size", 47, 2), &[("", 0), (".64", 1), (".96", 2), (".128", 3)], "a size such as .64"));
operand!(ISBERD_SIZE_47 = "size", "[.U16|.32]":
    Item::Names(field!("size", 47, 2), &[("", 0), (".U16", 1), (".32", 2), (".???3", 3)], "a size such as .32"));
operand!(ISBERD_WHAT_33 = "what", "[.PATCH|.PRIM|.ATTR]":
    Item::Names(field!("what", 33, 2), &[("", 0), (".PATCH", 1), (".PRIM", 2), (".ATTR", 3)], "a kind such as .PRIM"));
operand!(OUT_39 = "operation", ".EMIT|.CUT|.EMIT_THEN_CUT":
Item::Names(
    field!("operation", 39, 2),
    &[(".INVALIDOUTSTYPE0", 0), (".EMIT", 1), (".CUT", 2), (".EMIT_THEN_CUT", 3)],
    ".EMIT, .CUT or .EMIT_THEN_CUT",
));

/// The place of an attribute; 0 is written as the register that holds it.
const PLACE: Item = Item::Choice(
    &[
        Form {
            field: number::ATTRIBUTE_20.field,
            values: Allowed::Max(0),
            items: &[Item::Text("RZ"), Item::Set(number::ATTRIBUTE_20.field, 0)],
        },
        Form { field: number::ATTRIBUTE_20.field, values: Allowed::Any, items: &[Item::Number(&number::ATTRIBUTE_20)] },
    ],
    "the byte address of an attribute, such as `0x80`",
);
operand!(ATTRIBUTE_20 = "attribute", "a[n]": Item::Text("a["), PLACE, Item::Text("]"));
/// A register that is not RZ.
const OTHER_THAN_RZ: Item = numbered!(&const { Field::new("a", 8, 8).up_to(254) }, REGISTERS, REGISTER);
const OFFSET: &Field = number::PATCH_SIGNED.field;
operand!(REGISTER_AND_OFFSET_20 = "attribute", "a[Rn+n]":
    Item::Text("a["),
    OTHER_THAN_RZ,
    Item::Optional { open: "+", absent: &[(OFFSET, 0)], printed: false, items: &[Item::Number(&number::PATCH_SIGNED)] },
    Item::Text("]"));
/// The offset of an address of AL2P: there is none.
const NO_OFFSET: Field = Field::new("imm", 20, 11).only(&[0]);
operand!(PHYSICAL_ATTRIBUTE = "attribute", "a[Rn]":
    Item::Text("a["),
    OTHER_THAN_RZ,
    Item::Text("]"),
    Item::Set(&NO_OFFSET, 0));
operand!(LOGICAL_20 = "attribute", "[, n]":
Item::Optional {
    open: ", ",
    absent: &[(number::ATTRIBUTE_20.field, 0)],
    printed: false,
    items: &[Item::Number(&number::ATTRIBUTE_20)],
});
operand!(LOGICAL_REGISTER_20 = "attribute", ", Rn[, n]":
    Item::Text(", "),
    OTHER_THAN_RZ,
    Item::Optional { open: ", ", absent: &[(OFFSET, 0)], printed: false, items: &[Item::Number(&number::PATCH_SIGNED)] });
#[rustfmt::skip]
operand!(PREDICATE_RESULT_FRONT_44 = "pd", "[Pn, ]": Item::Names(
    field!("pd", 44, 3),
    &[
        ("P0, ", 0), ("P1, ", 1), ("P2, ", 2), ("P3, ", 3), ("P4, ", 4), ("P5, ", 5), ("P6, ", 6), ("", 7), ("PT, ", 7),
    ],
    PREDICATE,
));
