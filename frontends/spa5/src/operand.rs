//! The operands of instructions, and how they are written.
//!
//! A name says what stands where: `A_N48_M46_R` is source a with the sign in bit 48, the bars in bit 46 and `.reuse`;
//! `ROUND_39` the rounding in bits 39 and up.

use crate::fields::{DISTANCE, GUARD_NOT, READ_BARRIER, REUSE_UNUSED, SCHEDULE, WAIT_MASK, WRITE_BARRIER};
use crate::number;
use crate::special::SPECIAL_REGISTERS;
use parallax_isa::{Allowed, Bank, Code, Field, Form, Item, Operand, Problem, Register, Syntax};
use std::fmt;

/// A kind of operand: which fields it takes and how it is written.
#[derive(Copy, Clone)]
pub struct Kind(pub(crate) &'static Syntax);

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.items.fmt(f)
    }
}

/// A field of one run of bits, or of two, the low one first.
macro_rules! field {
    ($name:literal, $lo:expr, $len:literal) => {
        &const { Field::new($name, $lo, $len) }
    };
    ($name:literal, $lo:expr, $len:literal, $high:expr, $more:literal) => {
        &const { Field::new($name, $lo, $len).then($high, $more) }
    };
}

const REGISTERS: &[Bank] = &[Bank { name: "R", code: 0, first: 0, count: 255, exist: 255 }];
const PREDICATES: &[Bank] = &[Bank { name: "P", code: 0, first: 0, count: 7, exist: 7 }];
const REGISTER: &str = "a register `R0` to `R254` or `RZ`";
const PREDICATE: &str = "a predicate `P0` to `P6` or `PT`";

/// A numbered register of a field.
macro_rules! numbered {
    ($field:expr, $banks:expr, $what:expr) => {
        Item::Register(&Register { number: $field, bank: None, banks: $banks, what: $what, literal: "" })
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

/// An operand: its name in templates, its notation on the reference page, its pieces.
macro_rules! operand {
    ($id:ident = $name:literal, $notation:literal: $($items:expr),*) => {
        pub(crate) const $id: Operand<Kind> = {
            static SYNTAX: Syntax = Syntax { items: &[$($items),*], notation: $notation };
            Operand { name: $name, kind: Kind(&SYNTAX) }
        };
    };
}

/// For forms that are read, never printed.
const NEVER: Allowed = Allowed::Set(0);

const GUARD_ITEM: Item = Item::Optional {
    open: "@",
    absent: &[(&GUARD_FIELD, 7), (&GUARD_NOT, 0)],
    printed: false,
    items: &[Item::Flag(&GUARD_NOT, "!"), predicate!(&GUARD_FIELD), Item::Text(" ")],
};
const GUARD_FIELD: Field = crate::fields::GUARD;

// The control word. What stands here is in no word of the instruction itself, and the vendor's disassembler shows none of it
// but the reuse flags of operands.
const REQ: Item = Item::Optional {
    open: " &req={",
    absent: &[(&WAIT_MASK, 0)],
    printed: false,
    items: &[Item::Number(&number::WAIT_MASK), Item::Text("}")],
};
const RD: Item = Item::Optional {
    open: " &rd=",
    absent: &[(&READ_BARRIER, 7)],
    printed: false,
    items: &[Item::Number(&number::READ_BARRIER)],
};
const WR: Item = Item::Optional {
    open: " &wr=",
    absent: &[(&WRITE_BARRIER, 7)],
    printed: false,
    items: &[Item::Number(&number::WRITE_BARRIER)],
};
const SCHED: Item = Item::Optional {
    open: " ?",
    absent: &[(&SCHEDULE, 0)],
    printed: false,
    items: &[Item::Names(&SCHEDULE, SCHEDULES, "`stall` or `yield` and a number of cycles, or `dual`")],
};
/// Stall cycles; `yield` where another warp may take over; `dual` where the next instruction is issued together with this.
#[rustfmt::skip]
const SCHEDULES: &[(&str, u64)] = &[
    ("yield0", 0), ("yield1", 1), ("yield2", 2), ("yield3", 3), ("yield4", 4), ("yield5", 5), ("yield6", 6), ("yield7", 7),
    ("yield8", 8), ("yield9", 9), ("yield10", 10), ("yield11", 11), ("yield12", 12), ("yield13", 13), ("yield14", 14),
    ("yield15", 15), ("dual", 16), ("stall0", 16), ("stall1", 17), ("stall2", 18), ("stall3", 19), ("stall4", 20),
    ("stall5", 21), ("stall6", 22), ("stall7", 23), ("stall8", 24), ("stall9", 25), ("stall10", 26), ("stall11", 27),
    ("stall12", 28), ("stall13", 29), ("stall14", 30), ("stall15", 31),
];
const REUSE_A: Item = Item::Flag(&crate::fields::REUSE_A, ".reuse");
const REUSE_B: Item = Item::Flag(&crate::fields::REUSE_B, ".reuse");
const REUSE_C: Item = Item::Flag(&crate::fields::REUSE_C, ".reuse");
// Reuse flags of operands that do not show them.
const REUSE_A_APART: Item = Item::Flag(&crate::fields::REUSE_A, " &reuse.a");
const REUSE_B_APART: Item = Item::Flag(&crate::fields::REUSE_B, " &reuse.b");
const REUSE_C_APART: Item = Item::Flag(&crate::fields::REUSE_C, " &reuse.c");
const REUSE_U_APART: Item = Item::Flag(&REUSE_UNUSED, " &reuse.unused");
const SPARE: Item = Item::Flag(&crate::fields::SPARE, " &spare");
const BITS: Item = Item::Annotations(" <- ", &[Item::Bits("bits")], "`bits`");
/// In texture instructions two of the reuse flags are the phase.
const PHASE_ITEM: Item = Item::Names(
    &const { Field::new("phase", Code::SIDE + 17, 2) },
    &[("", 0), (".T", 1), (".P", 2), (".INVALIDPHASE3", 3)],
    ".T or .P",
);

const CONST_OPEN: Item = Item::Text("c[");
const BANK: Item = Item::Number(&number::BANK);
const CONST_NEXT: Item = Item::Text("[");
const CONST_APART: Item = Item::Text("] [");
const CONST_OFFSET: Item = Item::Number(&number::CONST_OFFSET);
const CONST_CLOSE: Item = Item::Text("]");

/// Signs of a and b; both together add one.
const NEGATES_48: Field = Field::new("negates", 48, 2);
/// Signs of the product and of c; both together add one.
const NEGATES_51: Field = Field::new("negates", 51, 2);
const ADDEND_PROBLEM: Problem =
    Problem { code: "addend", message: "the addend of FFMA32I is its result register", help: "use FFMA" };
const SECOND_FIELD: Field = Field::new("second", 28, 8);

/// The predicate result in front of the result register.
#[rustfmt::skip]
const PD_FRONT: Item = Item::Names(
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
    code: "address",
    message: "here stands the address of a sample",
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
const A_FIELD: Field = crate::fields::A;
const D_FIELD: Field = crate::fields::D;
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
const FLOAT_TYPES_FIELD: Field = Field::new("types", 8, 4);
#[rustfmt::skip]
const FLOAT_TYPES: Item = Item::Names(
    &FLOAT_TYPES_FIELD,
    &[
        (".INVALIDFPDST0.INVALIDFPSRC0", 0), (".F16.INVALIDFPSRC0", 1), (".F32.INVALIDFPSRC0", 2),
        (".F64.INVALIDFPSRC0", 3), (".INVALIDFPDST0.F16", 4), (".F16.F16", 5), (".F32.F16", 6), (".F64.F16", 7),
        (".INVALIDFPDST0.F32", 8), (".F16.F32", 9), (".F32.F32", 10), (".F64.F32", 11), (".INVALIDFPDST0.F64", 12),
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
const PART_ITEM: Item = Item::If(
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

operand!(A = "a", "Rn": register!(crate::fields::A));
operand!(ABSOLUTE = "target", "address": Item::Number(&number::ABSOLUTE));
operand!(ADDEND_MODE_50 = "mode", "[.CLO|.CHI|.CSFU|.CBCC]":
    Item::Names(field!("mode", 50, 3), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3), (".CBCC", 4), (".???5", 5), (".???6", 6), (".???7", 7)], "a mode such as .CLO"));
operand!(ADDEND_MODE_50_SHORT = "mode", "[.CLO|.CHI|.CSFU]":
    Item::Names(field!("mode", 50, 2), &[("", 0), (".CLO", 1), (".CHI", 2), (".CSFU", 3)], "a mode such as .CLO"));
operand!(ADDEND_N57 = "c", "[-]Rd":
    Item::Flag(field!("neg_c", 57, 1), "-"), Item::Shared(&[register!(D_FIELD)], &ADDEND_PROBLEM));
operand!(ADDRESS_24 = "address", "[address]": address!(number::ADDRESS_24_SIGNED, number::ADDRESS_24));
operand!(AOFFI_35 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 35, 1), ".AOFFI"));
operand!(AOFFI_36 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 36, 1), ".AOFFI"));
operand!(AOFFI_51 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 51, 1), ".AOFFI"));
operand!(AOFFI_54 = "aoffi", "[.AOFFI]": Item::Flag(field!("aoffi", 54, 1), ".AOFFI"));
operand!(ATTRIBUTE = "attribute", "a[n]": Item::Text("a["), Item::Number(&number::ATTRIBUTE), Item::Text("]"));
operand!(ATTRIBUTE_INDEXED = "attribute", "a[Rn]": Item::Text("a["), register!(crate::fields::A), Item::Text("]"));
operand!(A_B41_R = "a", "Rn[.B1|.B2|.B3][.reuse]":
    register!(crate::fields::A), Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"), REUSE_A);
operand!(A_H53_R = "a", "Rn[.H1][.reuse]":
    register!(crate::fields::A), Item::Flag(field!("half_a", 53, 1), ".H1"), REUSE_A);
operand!(A_I39_R = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 39, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(A_I55_R = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 55, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(A_N37_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 37, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N43_M54_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N43_M7_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 7, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N45_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 45, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N48_M46 = "a", "[-]|Rn|":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]));
operand!(A_N48_M46_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N51_H35_R = "a", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), Item::Names(field!("half_a", 35, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_A);
operand!(A_N51_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N56_M54_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N56_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_NEGATED_R = "a", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 2, "-"), register!(crate::fields::A), REUSE_A);
operand!(A_R = "a", "Rn[.reuse]": register!(crate::fields::A), REUSE_A);
operand!(B = "b", "Rn": register!(crate::fields::B));
operand!(BARRIERS_0 = "set", "[, {n, ...}]":
    Item::Optional { open: ", {", absent: &[(number::BARRIERS.field, 0)], printed: false, items: &[Item::Number(&number::BARRIERS), Item::Text("}")] });
operand!(BARRIERS_0_ALONE = "set", "[ {n, ...}]":
    Item::Optional { open: " {", absent: &[(number::BARRIERS.field, 0)], printed: false, items: &[Item::Number(&number::BARRIERS), Item::Text("}")] });
operand!(BF_44 = "bf", "[.BF]": Item::Flag(field!("bf", 44, 1), ".BF"));
operand!(BF_52 = "bf", "[.BF]": Item::Flag(field!("bf", 52, 1), ".BF"));
operand!(BOP1_24 = "bop1", ".AND|.OR|.XOR":
    Item::Names(field!("bop1", 24, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BOP_45 = "bop", ".AND|.OR|.XOR":
    Item::Names(field!("bop", 45, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".INVALIDBOP3", 3)], "a boolean operation: .AND, .OR, .XOR"));
operand!(BREV_40 = "brev", "[.BREV]": Item::Flag(field!("brev", 40, 1), ".BREV"));
operand!(BRX_OFFSET = "offset", "n": Item::Number(&number::BRX_OFFSET));
operand!(BYTE_41 = "byte", "[.B1|.B2|.B3]":
    Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"));
operand!(B_AT_C_H52_R = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::C), Item::Flag(field!("half_b", 52, 1), ".H1"), REUSE_C);
operand!(B_AT_C_N48_R = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::C), REUSE_C);
operand!(B_AT_C_PRODUCT = "b", "[-]Rn": Item::When(&NEGATES_51, 2, "-"), register!(crate::fields::C));
operand!(B_AT_C_R = "b", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(B_H35_R = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::B), Item::Flag(field!("half_b", 35, 1), ".H1"), REUSE_B);
operand!(B_I40 = "b", "[~]Rn": Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B));
operand!(B_I40_R = "b", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B), REUSE_B);
operand!(B_N45_M49 = "b", "[-]|Rn|":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]));
operand!(B_N45_M49_H41 = "b", "[-]|Rn|[.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(B_N45_M49_P41 = "b", "[-]|Rn|[.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), PART_ITEM);
operand!(B_N45_M49_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_N48_R = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::B), REUSE_B);
operand!(B_N50_H33_R = "b", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_b", 50, 1), "-"), register!(crate::fields::B), Item::Names(field!("half_b", 33, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_B);
operand!(B_N53_M44_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_N6_M44_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_NEGATED_R = "b", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 1, "-"), register!(crate::fields::B), REUSE_B);
operand!(B_OPTIONAL = "b", "[, Rn]": optional_register!(crate::fields::B));
operand!(B_PRODUCT = "b", "[-]Rn": Item::When(&NEGATES_51, 2, "-"), register!(crate::fields::B));
operand!(B_R = "b", "Rn[.reuse]": register!(crate::fields::B), REUSE_B);
operand!(C = "c", "Rn": register!(crate::fields::C));
operand!(CACHE_44_LDL = "cache", "[LU|CI|CV]":
    Item::Names(field!("cache", 44, 2), &[("", 0), (".LU", 1), (".CI", 2), (".CV", 3)], "a cache mode"));
operand!(CACHE_44_STL = "cache", "[CG|CS|WT]":
    Item::Names(field!("cache", 44, 2), &[("", 0), (".CG", 1), (".CS", 2), (".WT", 3)], "a cache mode"));
operand!(CACHE_46_LDG = "cache", "[CG|CI|CV]":
    Item::Names(field!("cache", 46, 2), &[("", 0), (".CG", 1), (".CI", 2), (".CV", 3)], "a cache mode"));
operand!(CACHE_46_STG = "cache", "[CG|CS|WT]":
    Item::Names(field!("cache", 46, 2), &[("", 0), (".CG", 1), (".CS", 2), (".WT", 3)], "a cache mode"));
operand!(CHANNELS_31 = "mask", "n": Item::Number(&number::CHANNELS_31));
operand!(CHANNELS_50 = "channels", "R|RG|RGB|RGBA|...": CHANNELS_ITEM);
operand!(CHECK_39 = "mode", ".DIVIDE":
    Item::Names(field!("mode", 39, 1), &[(".DIVIDE", 0), (".INVALIDCHKMODE1", 1)], ".DIVIDE"));
operand!(CL_54 = "cl", "[.CL]": Item::Flag(field!("cl", 54, 1), ".CL"));
operand!(COMPONENT_52 = "component", ".R|.G|.B|.A":
    Item::Names(field!("component", 52, 2), &[(".R", 0), (".G", 1), (".B", 2), (".A", 3)], ".R, .G, .B or .A"));
operand!(COMPONENT_56 = "component", ".R|.G|.B|.A":
    Item::Names(field!("component", 56, 2), &[(".R", 0), (".G", 1), (".B", 2), (".A", 3)], ".R, .G, .B or .A"));
operand!(CONST_ADDRESS = "address", "c[bank][address]":
    Item::Text("c["), Item::Number(&number::BANK_36), Item::Text("]"), address!(number::ADDRESS_16_SIGNED, number::ADDRESS_16));
operand!(CONST_B = "b", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_I40 = "b", "c[bank][offset]":
    Item::Flag(field!("inv_b", 40, 1), "~"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N45_M49 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_N45_M49_H41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(CONST_B_N45_S_M49_H41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(CONST_B_N45_S_M49_P41 = "b", "c[bank][offset][.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE]), PART_ITEM);
operand!(CONST_B_N48 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 48, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N50 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 50, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N53_M44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_N6_M44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_NEGATED = "b", "[-]c[bank][offset]":
    Item::When(&NEGATES_48, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_PRODUCT = "b", "[-]c[bank][offset]":
    Item::When(&NEGATES_51, 2, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_S_H52 = "b", "c[bank][offset][.H1]":
    CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE, Item::Flag(field!("half_b", 52, 1), ".H1"));
operand!(CONST_C = "c", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_C_ADDEND = "c", "[-]c[bank][offset]":
    Item::When(&NEGATES_51, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_C_N49 = "c", "c[bank][offset]":
    Item::Flag(field!("neg_c", 49, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONTROL_A = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_B_APART, REUSE_C_APART, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_AB = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_C_APART, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_ABC = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_AC = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_B_APART, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_B = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_A_APART, REUSE_C_APART, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_NONE = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_A_APART, REUSE_B_APART, REUSE_C_APART, REUSE_U_APART, SPARE]), BITS);
operand!(CONTROL_TEX = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
    Item::Exact(&[REQ, RD, WR, SCHED, REUSE_C_APART, REUSE_U_APART, SPARE]), BITS);
operand!(COUNT_20 = "count", "n": Item::Number(&number::COUNT_20));
operand!(C_ADDEND = "c", "[-]Rn": Item::When(&NEGATES_51, 1, "-"), register!(crate::fields::C));
operand!(C_N49_H31_R = "c", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), Item::Names(field!("half_c", 31, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_C);
operand!(C_N49_R = "c", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), REUSE_C);
operand!(C_R = "c", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(D = "d", "Rd": register!(D_FIELD));
operand!(DC_50 = "dc", "[.DC]": Item::Flag(field!("dc", 50, 1), ".DC"));
operand!(DIMENSION_28 = "dim", "1D|2D|3D|CUBE|ARRAY_...":
    Item::Names(field!("dim", 28, 3), &[("1D", 0), ("ARRAY_1D", 1), ("2D", 2), ("ARRAY_2D", 3), ("3D", 4), ("ARRAY_3D", 5), ("CUBE", 6), ("ARRAY_CUBE", 7)], "a texture type: 1D, 2D, 3D, CUBE, ARRAY_..."));
operand!(D_CC47 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
operand!(D_CC52 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 52, 1), ".CC"));
operand!(EXTEND_43 = "extend", "[.XLO|.XMED|.XHI]":
    Item::Names(field!("extend", 43, 2), &[("", 0), (".XLO", 1), (".XMED", 2), (".XHI", 3)], ".XLO, .XMED or .XHI"));
operand!(E_45 = "e", "[.E]": Item::Flag(field!("e", 45, 1), ".E"));
operand!(FLOAT_COMPARE_48 = "cmp", ".LT|.EQ|...":
    Item::Names(field!("cmp", 48, 4), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15)], "a comparison such as .LT"));
operand!(FLOAT_COMPARE_48_FCMP = "cmp", "[.LT|.EQ|...]":
    Item::Names(field!("cmp", 48, 4), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), ("", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".GT", 4)], "a comparison such as .LT"));
operand!(FLOAT_FROM_10 = "from", ".F16|.F32|.F64":
    Item::Names(field!("from", 10, 2), &[(".INVALIDFPSRC0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
operand!(FLOAT_ROUND = "rnd", "[.ROUND|.FLOOR|.CEIL|.TRUNC|.RM|.RP|.RZ]": FLOAT_ROUND_ITEM);
operand!(FLOAT_TO_8 = "to", ".F16|.F32|.F64":
    Item::Names(field!("to", 8, 2), &[(".INVALIDFPDST0", 0), (".F16", 1), (".F32", 2), (".F64", 3)], "a float format: .F16, .F32, .F64"));
operand!(FLOAT_TYPES_8 = "types", ".to.from": FLOAT_TYPES);
operand!(FMZ_44 = "fmz", "[.FTZ|.FMZ]":
    Item::Names(field!("fmz", 44, 2), &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALIDFMZ3", 3)], ".FTZ or .FMZ"));
operand!(FMZ_53 = "fmz", "[.FTZ|.FMZ]":
    Item::Names(field!("fmz", 53, 2), &[("", 0), (".FTZ", 1), (".FMZ", 2), (".INVALIDFMZ3", 3)], ".FTZ or .FMZ"));
operand!(FTZ_44 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 44, 1), ".FTZ"));
operand!(FTZ_47 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 47, 1), ".FTZ"));
operand!(FTZ_55 = "ftz", "[.FTZ]": Item::Flag(field!("ftz", 55, 1), ".FTZ"));
operand!(FUNCTION_20 = "function", ".COS|.SIN|.EX2|.LG2|.RCP|.RSQ|.RCP64H|.RSQ64H":
    Item::Names(field!("function", 20, 4), &[(".COS", 0), (".SIN", 1), (".EX2", 2), (".LG2", 3), (".RCP", 4), (".RSQ", 5), (".RCP64H", 6), (".RSQ64H", 7), (".INVALID8", 8), (".INVALID9", 9), (".INVALID10", 10), (".INVALID11", 11), (".INVALID12", 12), (".INVALID13", 13), (".INVALID14", 14), (".INVALID15", 15)], "a function such as .RCP"));
operand!(GUARD = "guard", "[@[!]Pn ]": GUARD_ITEM);
operand!(HALF_SIGNS_48 = "signed", "[.S16.S16|.S16.U16|.U16.S16]":
    Item::Names(field!("signed", 48, 2), &[("", 0), (".S16.S16", 3), (".S16.U16", 1), (".U16.S16", 2)], "the signs of both factors, such as .S16.S16"));
operand!(HANDLE = "handle", "n": Item::Number(&number::HANDLE));
operand!(HIGH_48 = "high", "[.HI|.X|.XHI]":
    Item::Names(field!("high", 48, 2), &[("", 0), (".HI", 1), (".X", 2), (".XHI", 3)], ".HI, .X or .XHI"));
operand!(HI_39 = "hi", "[.HI]": Item::Flag(field!("hi", 39, 1), ".HI"));
operand!(HI_53 = "hi", "[.HI]": Item::Flag(field!("hi", 53, 1), ".HI"));
operand!(HI_54 = "hi", "[.HI]": Item::Flag(field!("hi", 54, 1), ".HI"));
operand!(IMM_FLOAT20 = "b", "float": Item::Number(&number::FLOAT20));
operand!(IMM_FLOAT20_N45_M49 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"));
operand!(IMM_FLOAT20_N45_M49_H41 = "b", "float[.NEG][.ABS][.H1]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(IMM_FLOAT20_N48 = "b", "float[.NEG]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 48, 1), ".NEG"));
operand!(IMM_FLOAT20_N53_M44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(IMM_FLOAT20_N6_M44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 6, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(IMM_FLOAT32 = "b", "float": Item::Number(&number::FLOAT32));
operand!(IMM_FLOAT32_N53_M57 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT32), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 57, 1), ".ABS"));
operand!(IMM_INT20 = "b", "n": Item::Number(&number::INT_20));
operand!(IMM_INT20_I40 = "b", "n[.INV]": Item::Number(&number::INT_20), Item::Flag(field!("inv_b", 40, 1), ".INV"));
operand!(IMM_INT20_N45_M49_P41 = "b", "n[.NEG][.ABS][.B1|.B2|.B3|.H1]":
    Item::Number(&number::INT_20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), PART_ITEM);
operand!(IMM_INT20_NEGATED = "b", "n[.NEG]": Item::Number(&number::INT_20), Item::When(&NEGATES_48, 1, ".NEG"));
operand!(IMM_INT20_PRODUCT = "b", "n[.NEG]": Item::Number(&number::INT_20), Item::When(&NEGATES_51, 2, ".NEG"));
operand!(IMM_INT32 = "b", "n": Item::Number(&number::INT_32));
operand!(IMM_UINT16 = "b", "n": Item::Number(&number::UINT16));
operand!(IMM_UINT20 = "b", "n": Item::Number(&number::UINT_20));
operand!(IMM_UINT20_N50 = "b", "n[.NEG]":
    Item::Number(&number::UINT_20), Item::Flag(field!("neg_b", 50, 1), ".NEG"));
operand!(IMM_UINT32 = "b", "n": Item::Number(&number::UINT_32));
operand!(IMM_UINT32_I56 = "b", "n[.INV]":
    Item::Number(&number::UINT_32), Item::Flag(field!("inv_b", 56, 1), ".INV"));
operand!(IMM_UINT6_20 = "b", "n": Item::Number(&number::UINT6_20));
operand!(INDEX_MODE_44 = "index", "[.IL|.IS|.ISL]":
    Item::Names(field!("index", 44, 2), &[("", 0), (".IL", 1), (".IS", 2), (".ISL", 3)], ".IL, .IS or .ISL"));
operand!(INT_COMPARE_49 = "cmp", ".LT|.EQ|...":
    Item::Names(field!("cmp", 49, 3), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".T", 7)], "a comparison such as .LT"));
operand!(INT_FROM_10 = "from", ".U8|.S8|.U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_FROM_10_I2I = "from", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("from", 10, 2, 13, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".???3", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".???7", 7)], "an integer format such as .S32"));
operand!(INT_ROUND_39 = "rnd", "[.FLOOR|.CEIL|.TRUNC]":
    Item::Names(field!("rnd", 39, 2), &[("", 0), (".FLOOR", 1), (".CEIL", 2), (".TRUNC", 3)], "a rounding"));
operand!(INT_TO_8 = "to", ".U16|.S16|.U32|.S32|.U64|.S64":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".INVALID0", 0), (".U16", 1), (".U32", 2), (".U64", 3), (".INVALID1", 4), (".S16", 5), (".S32", 6), (".S64", 7)], "an integer format such as .S32"));
operand!(INT_TO_8_I2I = "to", ".U8|.S8|.U16|.S16|.U32|.S32":
    Item::Names(field!("to", 8, 2, 12, 1), &[(".U8", 0), (".U16", 1), (".U32", 2), (".???3", 3), (".S8", 4), (".S16", 5), (".S32", 6), (".???7", 7)], "an integer format such as .S32"));
operand!(IPA_LOCATION = "location", "[.CENTROID|.OFFSET]":
    Item::Names(field!("location", 52, 2), &[("", 0), (".CENTROID", 1), (".OFFSET", 2), (".INVALID", 3)], ".CENTROID or .OFFSET"));
operand!(IPA_MODE = "mode", "[.PASS|.CONSTANT|.SC]":
    Item::Names(field!("mode", 54, 2), &[(".PASS", 0), ("", 1), (".CONSTANT", 2), (".SC", 3)], ".PASS, .CONSTANT or .SC"));
operand!(IPA_OFFSET = "c", "[, Rn]": optional_register!(crate::fields::C));
operand!(IPA_PREDICATE = "predicate", "[, [!]Pn]": IPA_PREDICATE_ITEM);
operand!(IPA_PREDICATE_ALWAYS = "predicate", "[!]Pn": Item::Flag(&IPA_NOT, "!"), predicate!(&IPA_PREDICATE_FIELD));
operand!(KEEPREFCOUNT_5 = "keep", "[.KEEPREFCOUNT]": Item::Flag(field!("keep", 5, 1), ".KEEPREFCOUNT"));
operand!(LANES_12 = "lanes", "[, mask]":
    Item::Optional { open: ", ", absent: &[(number::LANES_12.field, 15)], printed: false, items: &[Item::Number(&number::LANES_12)] });
operand!(LANES_39 = "lanes", "[, mask]":
    Item::Optional { open: ", ", absent: &[(number::LANES_39.field, 15)], printed: false, items: &[Item::Number(&number::LANES_39)] });
operand!(LANE_20 = "b", "n": Item::Number(&number::LANE_20));
operand!(LMT_6 = "limit", "[.LMT]": Item::Flag(field!("limit", 6, 1), ".LMT"));
operand!(LOD_37 = "lod", "[.LZ|.LB|.LL|.LBA|.LLA]":
    Item::Names(field!("lod", 37, 3), &[("", 0), (".LZ", 1), (".LB", 2), (".LL", 3), (".INVALIDBLOD4", 4), (".INVALIDBLOD5", 5), (".LBA", 6), (".LLA", 7)], "a level of detail: .LZ, .LB, .LL, .LBA, .LLA"));
operand!(LOD_55 = "lod", "[.LZ|.LB|.LL|.LBA|.LLA]":
    Item::Names(field!("lod", 55, 3), &[("", 0), (".LZ", 1), (".LB", 2), (".LL", 3), (".INVALIDBLOD4", 4), (".INVALIDBLOD5", 5), (".LBA", 6), (".LLA", 7)], "a level of detail: .LZ, .LB, .LL, .LBA, .LLA"));
operand!(LOD_55_TLD = "lod", ".LZ|.LL": Item::Names(field!("lod", 55, 1), &[(".LZ", 0), (".LL", 1)], ".LZ or .LL"));
operand!(LOGIC_41 = "logic", ".AND|.OR|.XOR|.PASS_B":
    Item::Names(field!("logic", 41, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".PASS_B", 3)], ".AND, .OR, .XOR or .PASS_B"));
operand!(LOGIC_53 = "logic", ".AND|.OR|.XOR|.PASS_B":
    Item::Names(field!("logic", 53, 2), &[(".AND", 0), (".OR", 1), (".XOR", 2), (".PASS_B", 3)], ".AND, .OR, .XOR or .PASS_B"));
operand!(MAX_SHIFT_37 = "max", "[.U64|.S64]":
    Item::Names(field!("max", 37, 2), &[("", 0), (".INVALIDMAXSHIFT3", 1), (".U64", 2), (".S64", 3)], ".U64 or .S64"));
operand!(MRG_37 = "mrg", "[.MRG]": Item::Flag(field!("mrg", 37, 1), ".MRG"));
operand!(MRG_56 = "mrg", "[.MRG]": Item::Flag(field!("mrg", 56, 1), ".MRG"));
operand!(MS_50 = "ms", "[.MS]": Item::Flag(field!("ms", 50, 1), ".MS"));
operand!(NDV_35 = "ndv", "[.NDV]": Item::Flag(field!("ndv", 35, 1), ".NDV"));
operand!(NDV_38 = "ndv", "[.NDV]": Item::Flag(field!("ndv", 38, 1), ".NDV"));
operand!(NODEP_49 = "nodep", "[.NODEP]": Item::Flag(field!("nodep", 49, 1), ".NODEP"));
operand!(NOINC_6 = "increment", "[.NOINC]":
    Item::Names(field!("increment", 6, 1), &[("", 1), (".NOINC", 0)], ".NOINC"));
operand!(NOP_OPERANDS = "test", "[ CC.test][, n]": NOP_TEST_ITEM, NOP_NUMBER);
operand!(OFFSETS_54 = "offsets", "[.AOFFI|.PTP]":
    Item::Names(field!("offsets", 54, 2), &[("", 0), (".AOFFI", 1), (".PTP", 2), (".???3", 3)], ".AOFFI or .PTP"));
operand!(PA_12 = "pa", "[!]Pn": Item::Flag(field!("pa_not", 15, 1), "!"), predicate!(field!("pa", 12, 3)));
operand!(PB_29 = "pb", "[!]Pn": Item::Flag(field!("pb_not", 32, 1), "!"), predicate!(field!("pb", 29, 3)));
operand!(PC_39 = "pc", "[!]Pn": Item::Flag(field!("pc_not", 42, 1), "!"), predicate!(field!("pc", 39, 3)));
operand!(PD2_0 = "pd2", "Pn": predicate!(field!("pd2", 0, 3)));
operand!(PD_3 = "pd", "Pn": predicate!(field!("pd", 3, 3)));
operand!(PD_45 = "pd", "Pn": predicate!(field!("pd", 45, 3)));
operand!(PD_48 = "pd", "Pn": predicate!(field!("pd", 48, 3)));
operand!(PD_D_CC47 = "d", "[Pn, ]Rd[.CC]": PD_FRONT, register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
operand!(PERMUTE_MODE_48 = "mode", "[.F4E|.B4E|.RC8|.ECL|.ECR|.RC16]":
    Item::Names(field!("mode", 48, 4), &[("", 0), (".F4E", 1), (".B4E", 2), (".RC8", 3), (".ECL", 4), (".ECR", 5), (".RC16", 6), (".???7", 7), (".???8", 8), (".???9", 9), (".???10", 10), (".???11", 11), (".???12", 12), (".???13", 13), (".???14", 14), (".???15", 15)], "a permutation mode"));
operand!(PHASE = "phase", "[.T|.P]": PHASE_ITEM);
operand!(PIXLD_ADDRESS = "address", "[, [address]]": PIXLD_ADDRESS_ITEM);
operand!(PIXLD_MODE = "mode", "[.MSCOUNT|.COVMASK|.COVERED|.OFFSET|.CENTROID_OFFSET|.MY_INDEX]":
    Item::Names(field!("mode", 31, 3), &[("", 0), (".MSCOUNT", 0), (".COVMASK", 1), (".COVERED", 2), (".OFFSET", 3), (".CENTROID_OFFSET", 4), (".MY_INDEX", 5), (".INVALID0", 6), (".INVALID1", 7)], "a mode such as .COVMASK"));
operand!(PIXLD_PD = "pd", "[, Pn]": PIXLD_PD_ITEM);
operand!(PLUS_ONE_48 = "po", "[.PO]": Item::When(&NEGATES_48, 3, ".PO"));
operand!(PLUS_ONE_51 = "po", "[.PO]": Item::When(&NEGATES_51, 3, ".PO"));
operand!(PR_CC = "what", "PR|CC": Item::Names(field!("what", 40, 1), &[("PR", 0), ("CC", 1)], "PR or CC"));
operand!(PSL_36 = "psl", "[.PSL]": Item::Flag(field!("psl", 36, 1), ".PSL"));
operand!(PSL_55 = "psl", "[.PSL]": Item::Flag(field!("psl", 55, 1), ".PSL"));
operand!(QUERY_23 = "query", "TEX_name|n":
    Item::Names(field!("query", 23, 5), &[("0", 0), ("TEX_HEADER_TEXTURE_TYPE", 1), ("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6), ("7", 7), ("TEX_SAMPLER_FILTER", 8), ("TEX_SAMPLER_LOD", 9), ("TEX_SAMPLER_WRAP", 10), ("TEX_SAMPLER_BORDER_COLOR", 11), ("12", 12), ("13", 13), ("14", 14), ("15", 15), ("16", 16), ("17", 17), ("18", 18), ("19", 19), ("20", 20), ("21", 21), ("22", 22), ("23", 23), ("24", 24), ("25", 25), ("26", 26), ("27", 27), ("28", 28), ("29", 29), ("30", 30), ("31", 31)], "a query such as TEX_SAMPLER_LOD"));
operand!(RANGE_39 = "range", ".SINCOS|.EX2":
    Item::Names(field!("range", 39, 1), &[(".SINCOS", 0), (".EX2", 1)], ".SINCOS or .EX2"));
operand!(ROUND_39 = "rnd", "[.RM|.RP|.RZ]":
    Item::Names(field!("rnd", 39, 2), &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3)], "a rounding"));
operand!(ROUND_51 = "rnd", "[.RM|.RP|.RZ]":
    Item::Names(field!("rnd", 51, 2), &[("", 0), (".RM", 1), (".RP", 2), (".RZ", 3)], "a rounding"));
operand!(SAT_50 = "sat", "[.SAT]": Item::Flag(field!("sat", 50, 1), ".SAT"));
operand!(SAT_51 = "sat", "[.SAT]": Item::Flag(field!("sat", 51, 1), ".SAT"));
operand!(SAT_54 = "sat", "[.SAT]": Item::Flag(field!("sat", 54, 1), ".SAT"));
operand!(SAT_55 = "sat", "[.SAT]": Item::Flag(field!("sat", 55, 1), ".SAT"));
operand!(SCALE_41 = "scale", "[.D2|.D4|.D8|.M8|.M4|.M2]":
    Item::Names(field!("scale", 41, 3), &[("", 0), (".D2", 1), (".D4", 2), (".D8", 3), (".M8", 4), (".M4", 5), (".M2", 6), (".INVALIDSCALE37", 7)], "a scale such as .D2"));
operand!(SCOREBOARD_26 = "barrier", "SBn":
    Item::Names(field!("barrier", 26, 3), &[("SB0", 0), ("SB1", 1), ("SB2", 2), ("SB3", 3), ("SB4", 4), ("SB5", 5), ("SB6", 6), ("SB7", 7)], "a barrier such as SB0"));
operand!(SECOND = "second", "Rn": register!(SECOND_FIELD));
operand!(SEGMENT_34 = "c", "n": Item::Number(&number::SEGMENT_34));
operand!(SHIFT_28 = "shift", "[, n]":
    Item::Optional { open: ", ", absent: &[(number::SHIFT_28.field, 0)], printed: false, items: &[Item::Number(&number::SHIFT_28)] });
operand!(SHIFT_39 = "shift", "n": Item::Number(&number::SHIFT_39));
operand!(SHIFT_51 = "shift", "[, n]":
    Item::Optional { open: ", ", absent: &[(number::SHIFT_51.field, 0)], printed: false, items: &[Item::Number(&number::SHIFT_51)] });
operand!(SHIFT_53 = "shift", "n": Item::Number(&number::SHIFT_53));
operand!(SHIFT_EXTEND_43 = "x", "[.X]":
    Item::Names(field!("x", 43, 2), &[("", 0), (".INVALIDSHRXMODE1", 1), (".X", 2), (".XHI", 3)], ".X"));
operand!(SHUFFLE_30 = "mode", ".IDX|.UP|.DOWN|.BFLY":
    Item::Names(field!("mode", 30, 2), &[(".IDX", 0), (".UP", 1), (".DOWN", 2), (".BFLY", 3)], ".IDX, .UP, .DOWN or .BFLY"));
operand!(SH_41 = "sh", "[.SH]": Item::Flag(field!("sh", 41, 1), ".SH"));
operand!(SIGNS_40 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 40, 1, 41, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIGNS_48 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 48, 1, 53, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIGNS_54 = "signed", "[.U32.U32|.S32.U32|.U32.S32]":
    Item::Names(field!("signed", 54, 1, 55, 1), &[("", 3), (".U32.U32", 0), (".S32.U32", 1), (".U32.S32", 2)], "the signs of both factors, such as .U32.U32"));
operand!(SIZE_48 = "size", "[.U8|.S8|.U16|.S16|.64|.128]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".INVALIDSIZE7", 7)], "a size such as .64"));
operand!(SIZE_48_LDC = "size", "[.U8|.S8|.U16|.S16|.64]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".INVALIDSIZE6", 6), (".INVALIDSIZE7", 7)], "a size such as .U8"));
operand!(SIZE_48_LDG = "size", "[.U8|.S8|.U16|.S16|.64|.128]":
    Item::Names(field!("size", 48, 3), &[(".U8", 0), (".S8", 1), (".U16", 2), (".S16", 3), ("", 4), (".64", 5), (".128", 6), (".U.128", 7)], "a size such as .64"));
operand!(SPECIAL = "special", "SR_name":
    Item::Names(field!("special", 20, 8), SPECIAL_REGISTERS, "a special register such as `SR_TID.X`"));
operand!(SUM_SHIFT_37 = "shift", "[.RS|.LS]":
    Item::Names(field!("shift", 37, 2), &[("", 0), (".RS", 1), (".LS", 2), (".???3", 3)], ".RS or .LS"));
operand!(SWIZZLE_28 = "selector", "PNZP...": Item::Number(&number::SIGNS));
operand!(TARGET = "target", "address": TARGET_ITEM, DISTANCE_ITEM);
operand!(TARGET_CONST = "target", "c[bank][offset]":
    Item::Text("c["), Item::Number(&number::BANK_36), Item::Text("]"), Item::Text("["), Item::Number(&number::BYTES_20), Item::Text("]"));
operand!(TEST_0 = "test", "[ CC.test]": CC_ITEM);
operand!(TEST_0_COMMA = "test", "[CC.test, ]": CC_COMMA_ITEM);
operand!(TEST_36 = "test", "[.T|.Z|.NZ]":
    Item::Names(field!("test", 36, 2), &[("", 0), (".T", 1), (".Z", 2), (".NZ", 3)], ".T, .Z or .NZ"));
operand!(TEST_44 = "test", "[.T|.Z|.NZ]":
    Item::Names(field!("test", 44, 2), &[("", 0), (".T", 1), (".Z", 2), (".NZ", 3)], ".T, .Z or .NZ"));
operand!(TEST_8 = "test", ".EQ|.LT|...":
    Item::Names(field!("test", 8, 5), &[(".F", 0), (".LT", 1), (".EQ", 2), (".LE", 3), (".GT", 4), (".NE", 5), (".GE", 6), (".NUM", 7), (".NAN", 8), (".LTU", 9), (".EQU", 10), (".LEU", 11), (".GTU", 12), (".NEU", 13), (".GEU", 14), (".T", 15), (".OFF", 16), (".LO", 17), (".SFF", 18), (".LS", 19), (".HI", 20), (".SFT", 21), (".HS", 22), (".OFT", 23), (".CSM_TA", 24), (".CSM_TR", 25), (".CSM_MX", 26), (".FCSM_TA", 27), (".FCSM_TR", 28), (".FCSM_MX", 29), (".RLE", 30), (".RGT", 31)], "a test of the condition codes such as .EQ"));
operand!(TRIG_13 = "trigger", "[.TRIG]": Item::Flag(field!("trigger", 13, 1), ".TRIG"));
operand!(TRUTH_28 = "lut", "n": Item::Number(&number::LUT_28));
operand!(TRUTH_48 = "lut", "n": Item::Number(&number::LUT_48));
operand!(UNSIGNED_48 = "signed", "[.U32]": Item::Names(field!("signed", 48, 1), &[("", 1), (".U32", 0)], ".U32"));
operand!(U_7 = "uniform", "[.U]": Item::Flag(field!("uniform", 7, 1), ".U"));
operand!(VOTE_48 = "mode", ".ALL|.ANY|.EQ":
    Item::Names(field!("mode", 48, 2), &[(".ALL", 0), (".ANY", 1), (".EQ", 2), (".INVALIDVMODE3", 3)], ".ALL, .ANY or .EQ"));
operand!(VOTE_D = "d", "[Rd, ]": VOTE_D_ITEM);
operand!(W_39 = "wrap", "[.W]": Item::Flag(field!("wrap", 39, 1), ".W"));
operand!(W_50 = "wrap", "[.W]": Item::Flag(field!("wrap", 50, 1), ".W"));
operand!(X_38 = "x", "[.X]": Item::Flag(field!("x", 38, 1), ".X"));
operand!(X_43 = "x", "[.X]": Item::Flag(field!("x", 43, 1), ".X"));
operand!(X_46 = "x", "[.X]": Item::Flag(field!("x", 46, 1), ".X"));
operand!(X_48 = "x", "[.X]": Item::Flag(field!("x", 48, 1), ".X"));
operand!(X_49 = "x", "[.X]": Item::Flag(field!("x", 49, 1), ".X"));
operand!(X_53 = "x", "[.X]": Item::Flag(field!("x", 53, 1), ".X"));
operand!(X_54 = "x", "[.X]": Item::Flag(field!("x", 54, 1), ".X"));
operand!(X_56 = "x", "[.X]": Item::Flag(field!("x", 56, 1), ".X"));
operand!(X_57 = "x", "[.X]": Item::Flag(field!("x", 57, 1), ".X"));
