//! Operands of few instructions: guards, addresses, branch targets, tests, and what PIXLD, IPA, textures, votes and
//! conversions have of their own.

use super::{A_FIELD, D_FIELD, NEVER, PREDICATE, PREDICATES, REGISTER, REGISTERS};
use crate::fields::{DISTANCE, GUARD_NOT};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Problem, Register, operand};

const GUARD_ITEM: Item = Item::Optional {
    open: "@",
    absent: &[(&GUARD_FIELD, 7), (&GUARD_NOT, 0)],
    printed: false,
    items: &[Item::Flag(&GUARD_NOT, "!"), predicate!(&GUARD_FIELD), Item::Text(" ")],
};
const GUARD_FIELD: Field = crate::fields::GUARD;

const SECOND_FIELD: Field = Field::new("second", 28, 8);

/// The predicate result in front of the result register.
#[rustfmt::skip]
pub(super) const PD_FRONT: Item = Item::Names(
    field!("pd", 48, 3),
    &[
        ("P0, ", 0), ("P1, ", 1), ("P2, ", 2), ("P3, ", 3), ("P4, ", 4), ("P5, ", 5), ("P6, ", 6), ("", 7), ("PT, ", 7),
    ],
    PREDICATE,
);
#[rustfmt::skip]
const PIXLD_PD_ITEM: Item = Item::Names(
    field!("pd", 45, 3),
    &[
        (", P0", 0), (", P1", 1), (", P2", 2), (", P3", 3), (", P4", 4), (", P5", 5), (", P6", 6), ("", 7), (", PT", 7),
    ],
    PREDICATE,
);
/// PIXLD prints its address always, and needs none.
const PIXLD_ADDRESS_ITEM: Item = Item::Choice(
    &[
        Form {
            field: &A_FIELD,
            values: Allowed::Any,
            items: &[Item::Text(", "), address!(number::ADDRESS_8_SIGNED, number::ADDRESS_8)],
        },
        Form { field: &A_FIELD, values: NEVER, items: &[Item::Refuse(",", &NO_ADDRESS), Item::Set(&A_FIELD, 255)] },
    ],
    "an address such as `[R2+0x10]`",
);
const NO_ADDRESS: Problem = Problem {
    code: "syntax",
    message: "expected the address of a sample",
    help: "write `[0x1]`, `[R2+0x1]` or `[RZ]`",
};
/// A vote without a result register prints only its predicate.
const VOTE_D_ITEM: Item = Item::Choice(
    &[
        Form {
            field: &D_FIELD,
            values: Allowed::Max(254),
            items: &[numbered!(&D_FIELD, REGISTERS, REGISTER), Item::Text(", ")],
        },
        Form { field: &D_FIELD, values: NEVER, items: &[Item::Text("RZ"), Item::Text(","), Item::Set(&D_FIELD, 255)] },
        Form { field: &D_FIELD, values: Allowed::Any, items: &[Item::Set(&D_FIELD, 255)] },
    ],
    REGISTER,
);
const IPA_PREDICATE_FIELD: Field = Field::new("predicate", 47, 3);
const IPA_NOT: Field = Field::new("predicate_not", 50, 1);
const IPA_PREDICATE_ITEM: Item = Item::Optional {
    open: ", ",
    absent: &[(&IPA_PREDICATE_FIELD, 7), (&IPA_NOT, 0)],
    printed: false,
    items: &[Item::Flag(&IPA_NOT, "!"), predicate!(&IPA_PREDICATE_FIELD)],
};
/// One or two channels where there is no second register, else three or four.
#[rustfmt::skip]
const CHANNELS_ITEM: Item = Item::If(
    &SECOND_FIELD,
    Allowed::Max(254),
    &[Item::Names(
        field!("channels", 50, 3),
        &[
            ("RGB", 0), ("RGA", 1), ("RBA", 2), ("GBA", 3), ("RGBA", 4), ("INVALID5", 5), ("INVALID6", 6), ("INVALID7", 7),
        ],
        "RGB, RGA, RBA, GBA or RGBA",
    )],
    &[Item::Names(
        field!("channels", 50, 3),
        &[("R", 0), ("G", 1), ("B", 2), ("A", 3), ("RG", 4), ("RA", 5), ("GA", 6), ("BA", 7)],
        "R, G, B, A, RG, RA, GA or BA",
    )],
);

/// Formats of a conversion: result, then source.
pub(super) const FLOAT_TYPES_FIELD: Field = Field::new("types", 8, 4);
#[rustfmt::skip]
const FLOAT_TYPES: Item = Item::Names(
    &FLOAT_TYPES_FIELD,
    &[
        (".INVALIDFPDEST0.INVALIDFPSRC0", 0), (".F16.INVALIDFPSRC0", 1), (".F32.INVALIDFPSRC0", 2),
        (".F64.INVALIDFPSRC0", 3), (".INVALIDFPDEST0.F16", 4), (".F16.F16", 5), (".F32.F16", 6), (".F64.F16", 7),
        (".INVALIDFPDEST0.F32", 8), (".F16.F32", 9), (".F32.F32", 10), (".F64.F32", 11), (".INVALIDFPDEST0.F64", 12),
        (".F16.F64", 13), (".F32.F64", 14), (".F64.F64", 15),
    ],
    "two float formats such as .F32.F16",
);
/// Between equal formats integral values are asked for, else a rounding.
#[rustfmt::skip]
const FLOAT_ROUND_ITEM: Item = Item::If(
    &FLOAT_TYPES_FIELD,
    Allowed::Set(1 | 1 << 5 | 1 << 10 | 1 << 15),
    &[Item::Names(
        &FLOAT_ROUND_FIELD,
        &[
            ("", 0), (".PASS", 1), (".PASS", 2), (".PASS", 3), (".ROUND", 4), (".FLOOR", 5), (".CEIL", 6), (".TRUNC", 7),
        ],
        ".ROUND, .FLOOR, .CEIL or .TRUNC",
    )],
    &[Item::Names(
        &FLOAT_ROUND_FIELD,
        &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3), ("", 4), (".RM", 5), (".RP", 6), (".RZ", 7)],
        ".RM, .RP or .RZ",
    )],
);
const FLOAT_ROUND_FIELD: Field = Field::new("rnd", 39, 2).then(42, 1);
/// The byte or half of a source in its format.
pub(super) const PART_ITEM: Item = Item::If(
    field!("from", 10, 2, 13, 1),
    Allowed::Set(1 << 1 | 1 << 5),
    &[Item::Names(field!("part", 41, 2), &[("", 0), (".INVALIDSIZE1", 1), (".H1", 2), (".INVALIDSIZE3", 3)], ".H1")],
    &[Item::Names(field!("part", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3")],
);

const TEST: Field = Field::new("test", 0, 5);
#[rustfmt::skip]
const TESTS: &[(&str, u64)] = &[
    ("F", 0), ("LT", 1), ("EQ", 2), ("LE", 3), ("GT", 4), ("NE", 5), ("GE", 6), ("NUM", 7), ("NAN", 8), ("LTU", 9),
    ("EQU", 10), ("LEU", 11), ("GTU", 12), ("NEU", 13), ("GEU", 14), ("T", 15), ("OFF", 16), ("LO", 17), ("SFF", 18),
    ("LS", 19), ("HI", 20), ("SFT", 21), ("HS", 22), ("OFT", 23), ("CSM_TA", 24), ("CSM_TR", 25), ("CSM_MX", 26),
    ("FCSM_TA", 27), ("FCSM_TR", 28), ("FCSM_MX", 29), ("RLE", 30), ("RGT", 31),
];
const TEST_WHAT: &str = "a test of the condition codes such as EQ";
/// A test of the condition codes, unless it always holds.
const CC_ITEM: Item = Item::Optional {
    open: " CC.",
    absent: &[(&TEST, 15)],
    printed: false,
    items: &[Item::Names(&TEST, TESTS, TEST_WHAT)],
};
const CC_COMMA_ITEM: Item = Item::Optional {
    open: "CC.",
    absent: &[(&TEST, 15)],
    printed: false,
    items: &[Item::Names(&TEST, TESTS, TEST_WHAT), Item::Text(", ")],
};
const NOP_TEST: Field = Field::new("test", 8, 5);
const NOP_TEST_ITEM: Item = Item::Optional {
    open: " CC.",
    absent: &[(&NOP_TEST, 15)],
    printed: false,
    items: &[Item::Names(&NOP_TEST, TESTS, TEST_WHAT)],
};
const NOP_NUMBER: Item = Item::If(
    &NOP_TEST,
    Allowed::Set(1 << 15),
    &[Item::Number(&number::NOP_ALONE)],
    &[Item::Number(&number::NOP_BEHIND_TEST)],
);
/// The word holds the distance, the text the place: whoever knows where the instruction stands turns one into the other.
const TARGET_ITEM: Item = Item::Target(&number::TARGET);
const DISTANCE_ITEM: Item = Item::Set(&DISTANCE, 0);

operand!(ABSOLUTE = "target", "address": Item::Number(&number::ABSOLUTE));
operand!(ADDRESS_24 = "address", "[address]": address!(number::ADDRESS_24_SIGNED, number::ADDRESS_24));
operand!(ATTRIBUTE = "attribute", "a[n]": Item::Text("a["), Item::Number(&number::ATTRIBUTE), Item::Text("]"));
operand!(ATTRIBUTE_INDEXED = "attribute", "a[Rn]": Item::Text("a["), register!(crate::fields::A), Item::Text("]"));
operand!(BARRIERS_0 = "set", "[, {n, ...}]":
    Item::Optional { open: ", {", absent: &[(number::BARRIERS.field, 0)], printed: false, items: &[Item::Number(&number::BARRIERS), Item::Text("}")] });
operand!(BARRIERS_0_ALONE = "set", "[ {n, ...}]":
    Item::Optional { open: " {", absent: &[(number::BARRIERS.field, 0)], printed: false, items: &[Item::Number(&number::BARRIERS), Item::Text("}")] });
operand!(BRX_OFFSET = "offset", "[ n]":
    Item::Optional { open: " ", absent: &[(number::BRX_OFFSET.field, 0)], printed: false, items: &[Item::Number(&number::BRX_OFFSET)] });
operand!(BRX_CONST = "target", "c[bank][Rn+offset]":
    Item::Text("c["), Item::Number(&number::BANK_36), Item::Text("]"), address!(number::ADDRESS_16_SIGNED, number::ADDRESS_16_SIGNED));
operand!(SECOND_REGISTER_OPTIONAL = "b", "[, Rn]": optional_register!(crate::fields::B));
operand!(CHANNELS_31 = "mask", "n": Item::Number(&number::CHANNELS_31));
operand!(CHANNELS_50 = "channels", "R|RG|RGB|RGBA|...": CHANNELS_ITEM);
operand!(CONST_ADDRESS = "address", "c[bank][address]":
    Item::Text("c["), Item::Number(&number::BANK_36), Item::Text("]"), address!(number::ADDRESS_16_SIGNED, number::ADDRESS_16_SIGNED));
operand!(COUNT_20 = "count", "n": Item::Number(&number::COUNT_20));
operand!(FLOAT_ROUND = "rnd", "[.ROUND|.FLOOR|.CEIL|.TRUNC|.RM|.RP|.RZ]": FLOAT_ROUND_ITEM);
operand!(FLOAT_TYPES_8 = "types", ".to.from": FLOAT_TYPES);
operand!(GUARD = "guard", "[@[!]Pn ]": GUARD_ITEM);
operand!(HANDLE = "handle", "n": Item::Number(&number::HANDLE));
operand!(THIRD_REGISTER_OPTIONAL = "c", "[, Rn]": optional_register!(crate::fields::C));
operand!(IPA_PREDICATE = "predicate", "[, [!]Pn]": IPA_PREDICATE_ITEM);
operand!(LANES_12 = "lanes", "[, mask]":
    Item::Optional { open: ", ", absent: &[(number::LANES_12.field, 15)], printed: false, items: &[Item::Number(&number::LANES_12)] });
operand!(LANES_39 = "lanes", "[, mask]":
    Item::Optional { open: ", ", absent: &[(number::LANES_39.field, 15)], printed: false, items: &[Item::Number(&number::LANES_39)] });
operand!(SECOND_LANE_20 = "b", "n": Item::Number(&number::LANE_20));
operand!(NOP_OPERANDS = "test", "[ CC.test][, n]": NOP_TEST_ITEM, NOP_NUMBER);
operand!(OPPOSITE_RESULT_0 = "pd2", "Pn": predicate!(field!("pd2", 0, 3)));
operand!(PREDICATE_RESULT_3 = "pd", "Pn": predicate!(field!("pd", 3, 3)));
operand!(PREDICATE_RESULT_45 = "pd", "Pn": predicate!(field!("pd", 45, 3)));
operand!(PREDICATE_RESULT_48 = "pd", "Pn": predicate!(field!("pd", 48, 3)));
operand!(PIXLD_ADDRESS = "address", "[, [address]]": PIXLD_ADDRESS_ITEM);
operand!(PIXLD_PREDICATE_RESULT = "pd", "[, Pn]": PIXLD_PD_ITEM);
operand!(SECOND_RESULT = "second", "Rn": register!(SECOND_FIELD));
operand!(THIRD_SEGMENT_34 = "c", "n": Item::Number(&number::SEGMENT_34));
operand!(SHIFT_28 = "shift", "[, n]":
    Item::Optional { open: ", ", absent: &[(number::SHIFT_28.field, 0)], printed: false, items: &[Item::Number(&number::SHIFT_28)] });
operand!(SHIFT_39 = "shift", "n": Item::Number(&number::SHIFT_39));
operand!(SHIFT_39_OPTIONAL = "shift", "[, n]":
    Item::Optional { open: ", ", absent: &[(number::SHIFT_39.field, 0)], printed: false, items: &[Item::Number(&number::SHIFT_39)] });
operand!(SHIFT_51 = "shift", "[, n]":
    Item::Optional { open: ", ", absent: &[(number::SHIFT_51.field, 0)], printed: false, items: &[Item::Number(&number::SHIFT_51)] });
operand!(SHIFT_53 = "shift", "n": Item::Number(&number::SHIFT_53));
operand!(SWIZZLE_28 = "selector", "PNZP...": Item::Number(&number::SIGNS));
operand!(TARGET = "target", "address": TARGET_ITEM, DISTANCE_ITEM);
operand!(TARGET_CONST = "target", "c[bank][offset]":
    Item::Text("c["), Item::Number(&number::BANK_36), Item::Text("]"), Item::Text("["), Item::Number(&number::BYTES_20), Item::Text("]"));
operand!(TEST_0 = "test", "[ CC.test]": CC_ITEM);
operand!(TEST_0_COMMA = "test", "[CC.test, ]": CC_COMMA_ITEM);
operand!(TRUTH_28 = "lut", "n": Item::Number(&number::LUT_28));
operand!(TRUTH_48 = "lut", "n": Item::Number(&number::LUT_48));
operand!(VOTE_RESULT = "d", "[Rd, ]": VOTE_D_ITEM);
operand!(IPA_PREDICATE_ALWAYS = "predicate", "[!]Pn": Item::Flag(&IPA_NOT, "!"), predicate!(&IPA_PREDICATE_FIELD));
operand!(FIRST_PREDICATE_12 = "pa", "[!]Pn": Item::Flag(field!("pa_not", 15, 1), "!"), predicate!(field!("pa", 12, 3)));
operand!(SECOND_PREDICATE_29 = "pb", "[!]Pn": Item::Flag(field!("pb_not", 32, 1), "!"), predicate!(field!("pb", 29, 3)));
operand!(LAST_PREDICATE_39 = "pc", "[!]Pn": Item::Flag(field!("pc_not", 42, 1), "!"), predicate!(field!("pc", 39, 3)));
