//! Kinds of operands and their syntax, from which printer and reader are made.

use super::fields::*;
use super::number::{COUNT_NUMBER, ELSE, END_TARGET, FLOATS, OFFSET, RESULT_NUMBER, START_NUMBER, STEP_NUMBER};
use parallax_isa::{Allowed, Bank, Form, Item, Problem, Register, Syntax};

/// A kind of operand: which fields it takes and how it is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `R`, `H`, `X` or `B` behind the mnemonic; without any the destination says it.
    Precision,
    /// `C` or `C1`: the condition code that is updated.
    Code,
    /// `_X2` to `_D8`.
    Scale,
    /// `_BX2`.
    Expand,
    /// `_SAT`.
    Saturate,
    /// Destination with mask and test.
    Result,
    /// First source.
    Source1,
    /// Second source.
    Source2,
    /// Third source.
    Source3,
    /// Texture unit.
    Unit,
    /// Test of KIL and IF.
    Test,
    /// Test of other flow words, which may be missing.
    OptionalTest,
    /// Where a call goes, or IF when its test fails.
    Target,
    /// Where a block ends.
    BlockEnd,
    /// Count, start and step of LOOP.
    Range,
    /// Count of REP.
    Count,
    /// A constant that no source reads, of an instruction without sources.
    Constant0,
    /// The same, of an instruction with one source.
    Constant1,
    /// The same, with two.
    Constant2,
    /// `end`, and bits without a spelling.
    Annotations,
}

/// Registers that exist: 48 of 128 bits, each two H registers, of which the encoding can name 64.
pub(super) const REGISTERS: u64 = 48;
const BANKS: &[Bank] = &[
    Bank { name: "R", code: 0, first: 0, count: 64, exist: REGISTERS },
    Bank { name: "H", code: 1, first: 0, count: 64, exist: 64 },
];

/// Attributes by number. The last has no name.
pub(super) const ATTRIBUTES: &[(&str, u64)] = &[
    ("WPOS", 0),
    ("COL0", 1),
    ("COL1", 2),
    ("FOGC", 3),
    ("TEX0", 4),
    ("TEX1", 5),
    ("TEX2", 6),
    ("TEX3", 7),
    ("TEX4", 8),
    ("TEX5", 9),
    ("TEX6", 10),
    ("TEX7", 11),
    ("TEX8", 12),
    ("TEX9", 13),
    ("FACE", 14),
    ("15", 15),
];

/// The one attribute of an instruction.
const INPUT: Item = Item::Shared(
    &[
        Item::Names(&PERSPECTIVE, &[("f", 0), ("g", 1)], "an attribute `f[NAME]`"),
        Item::Text("["),
        Item::Names(&ATTRIBUTE, ATTRIBUTES, "WPOS, COL0, COL1, FOGC, TEX0 to TEX9 or FACE"),
        Item::Optional {
            open: "+A0.x",
            absent: &[(&INDEXED, 0)],
            printed: false,
            items: &[Item::Set(&INDEXED, 1), Item::Number(&OFFSET)],
        },
        Item::Text("]"),
    ],
    &Problem {
        code: "second-attribute",
        message: "an instruction reads one attribute, and this differs from the one before",
        help: "copy one of them to a register with MOV",
    },
);

/// The one constant of an instruction.
const CONSTANTS: Item = Item::Shared(
    &[
        Item::Text("{"),
        Item::Number(&FLOATS[0]),
        Item::Text(", "),
        Item::Number(&FLOATS[1]),
        Item::Text(", "),
        Item::Number(&FLOATS[2]),
        Item::Text(", "),
        Item::Number(&FLOATS[3]),
        Item::Text("}"),
    ],
    &Problem {
        code: "second-constant",
        message: "an instruction has one constant, and this differs from the one before",
        help: "copy one of them to a register with MOV",
    },
);

const OPERAND: &str = "a register, an attribute or a constant";

/// Bars, what stands between them, swizzle.
macro_rules! plain {
    ($n:literal) => {
        Item::Between(
            &SOURCES[$n].absolute,
            "|",
            &[
                Item::Choice(
                    &[
                        Form {
                            field: &SOURCES[$n].file,
                            values: Allowed::Max(file::REGISTER),
                            items: &[
                                Item::Register(&Register {
                                    number: &SOURCES[$n].register,
                                    bank: Some(&SOURCES[$n].half),
                                    banks: BANKS,
                                    what: OPERAND,
                                    literal: "",
                                }),
                                Item::Set(&SOURCES[$n].file, file::REGISTER),
                            ],
                        },
                        Form {
                            field: &SOURCES[$n].file,
                            values: Allowed::Max(file::INPUT),
                            items: &[INPUT, Item::Set(&SOURCES[$n].file, file::INPUT)],
                        },
                        Form {
                            field: &SOURCES[$n].file,
                            values: Allowed::Any,
                            items: &[CONSTANTS, Item::Set(&SOURCES[$n].file, file::CONSTANT)],
                        },
                    ],
                    OPERAND,
                ),
                Item::Swizzle(&SOURCES[$n].swizzle),
            ],
        )
    };
}

/// A source: sign, then the format it is brought to.
macro_rules! source {
    ($n:literal) => {
        &[
            Item::Flag(&SOURCES[$n].negate, "-"),
            Item::Choice(
                &[
                    Form { field: &SOURCES[$n].precision, values: Allowed::Max(0), items: &[plain!($n)] },
                    Form {
                        field: &SOURCES[$n].precision,
                        values: Allowed::Any,
                        items: &[
                            Item::Names(
                                &SOURCES[$n].precision,
                                &[("h", 1), ("x", 2), ("b", 3), ("s", 4), ("m5", 5), ("m6", 6), ("m7", 7)],
                                "a source format `h`, `x`, `b` or `s`",
                            ),
                            Item::Text("("),
                            plain!($n),
                            Item::Text(")"),
                        ],
                    },
                ],
                OPERAND,
            ),
        ]
    };
}

const SOURCE_NOTATION: &str = "[-][{h,x,b,s}(][|]{Rn, Hn, {f,g}[NAME[+A0.x[+n]]], {x, y, z, w}}[.swizzle][|][)]";

/// Tests of the condition codes, in vertex programs as well.
#[rustfmt::skip]
pub(crate) const TEST_NAMES: &[(&str, u64)] = &[
    ("FL", 0), ("LT", 1), ("EQ", 2), ("LE", 3), ("GT", 4), ("NE", 5), ("GE", 6), ("TR", 7), ("FL1", 8), ("LT1", 9), ("EQ1", 10),
    ("LE1", 11), ("GT1", 12), ("NE1", 13), ("GE1", 14), ("TR1", 15),
];
pub(crate) const ANY_TEST: &str =
    "a test: EQ, GE, GT, LE, LT, NE, TR or FL, followed by 1 for the second condition code";
const TESTS: Item = Item::Names(&TEST, TEST_NAMES, ANY_TEST);

/// The swizzle that changes nothing, x highest.
pub(super) const IDENTITY: u64 = 0x1b;

const PLAIN_TEST: &[(&parallax_isa::Field, u64)] = &[(&TEST, ALWAYS), (&TEST_SWIZZLE, IDENTITY)];

const CLOSED_TEST: &[Item] = &[TESTS, Item::Swizzle(&TEST_SWIZZLE), Item::Text(")")];

const fn optional_test(open: &'static str) -> Item {
    Item::Optional { open, absent: PLAIN_TEST, printed: false, items: CLOSED_TEST }
}

const RESULT_ITEMS: &[Item] = &[
    Item::Choice(
        &[
            Form {
                field: &NO_RESULT,
                values: Allowed::Max(0),
                items: &[Item::Register(&Register {
                    number: &RESULT,
                    bank: Some(&RESULT_HALF),
                    banks: BANKS,
                    what: "a register",
                    literal: "",
                })],
            },
            Form {
                field: &NO_RESULT,
                values: Allowed::Any,
                items: &[
                    Item::Names(&RESULT_HALF, &[("RC", 0), ("HC", 1)], "RC or HC"),
                    Item::Set(&NO_RESULT, 1),
                    // The number of a register that is not written.
                    Item::Optional {
                        open: "!",
                        absent: &[(&RESULT, 63)],
                        printed: false,
                        items: &[Item::Number(&RESULT_NUMBER)],
                    },
                ],
            },
        ],
        "a register, RC or HC",
    ),
    Item::Mask(&MASK, "[]"),
    optional_test("("),
];

/// A constant that is there though no source reads it.
const LONE_CONSTANT: Item = Item::Optional {
    open: " ; constant",
    absent: &[(&CONSTANT[0], 0), (&CONSTANT[1], 0), (&CONSTANT[2], 0), (&CONSTANT[3], 0)],
    printed: false,
    items: &[Item::Text(" "), CONSTANTS],
};

const CONSTANT_FILE: Allowed = Allowed::Set(1 << file::CONSTANT);

const ANNOTATIONS: &[Item] = &[Item::Annotations(
    " ; ",
    &[Item::Flag(&END, "end"), Item::Alias(&END, 0, "noend"), Item::Bits("bits")],
    "`end`, `noend` or `bits`",
)];

const fn syntax(items: &'static [Item], notation: &'static str) -> Syntax {
    Syntax { items, notation }
}

/// In the order of [`Kind`].
static SYNTAX: [Syntax; 20] = [
    syntax(
        &[Item::Names(&PRECISION, &[("R", 0), ("H", 1), ("X", 2), ("B", 3), ("", 0)], "a precision R, H, X or B")],
        "[R | H | X | B]",
    ),
    syntax(&[Item::Names(&CODE, &[("", 0), ("C", 1), ("C1", 3), ("", 2)], "`C` or `C1`")], "[C | C1]"),
    syntax(
        &[Item::Names(
            &SCALE,
            &[("", 0), ("_X2", 1), ("_X4", 2), ("_X8", 3), ("_S4", 4), ("_D2", 5), ("_D4", 6), ("_D8", 7)],
            "a scale",
        )],
        "[_X2 | _X4 | _X8 | _D2 | _D4 | _D8]",
    ),
    syntax(&[Item::Names(&EXPAND, &[("", 0), ("_BX2", 1)], "`_BX2`")], "[_BX2]"),
    syntax(&[Item::Names(&SATURATE, &[("", 0), ("_SAT", 1)], "`_SAT`")], "[_SAT]"),
    syntax(RESULT_ITEMS, "{Rn, Hn, RC, HC}[.mask | []][(test[.swizzle])]"),
    syntax(source!(0), SOURCE_NOTATION),
    syntax(source!(1), SOURCE_NOTATION),
    syntax(source!(2), SOURCE_NOTATION),
    syntax(
        &[Item::Register(&Register::new(&UNIT, &[Bank::new("TEX", 16)], "a texture unit `TEX0` to `TEX15`"))],
        "TEXn",
    ),
    syntax(
        &[Item::Choice(
            &[
                Form { field: &TEST, values: Allowed::Any, items: &[TESTS, Item::Swizzle(&TEST_SWIZZLE)] },
                Form {
                    field: &TEST,
                    values: Allowed::Any,
                    items: &[Item::Text("("), TESTS, Item::Swizzle(&TEST_SWIZZLE), Item::Text(")")],
                },
            ],
            "a test",
        )],
        "test[.swizzle]",
    ),
    syntax(&[optional_test(" (")], "[ (test[.swizzle])]"),
    syntax(&[Item::Target(&ELSE)], "{slot, label}"),
    syntax(&[Item::Target(&END_TARGET)], "{slot, label}"),
    syntax(
        &[
            Item::Text("{"),
            Item::Number(&COUNT_NUMBER),
            Item::Text(", "),
            Item::Number(&START_NUMBER),
            Item::Text(", "),
            Item::Number(&STEP_NUMBER),
            Item::Text("}"),
        ],
        "{count, start, step}",
    ),
    syntax(&[Item::Number(&COUNT_NUMBER)], "count"),
    syntax(&[LONE_CONSTANT], "[ ; constant {x, y, z, w}]"),
    syntax(&[Item::If(&SOURCES[0].file, CONSTANT_FILE, &[], &[LONE_CONSTANT])], "[ ; constant {x, y, z, w}]"),
    syntax(
        &[Item::If(
            &SOURCES[0].file,
            CONSTANT_FILE,
            &[],
            &[Item::If(&SOURCES[1].file, CONSTANT_FILE, &[], &[LONE_CONSTANT])],
        )],
        "[ ; constant {x, y, z, w}]",
    ),
    syntax(ANNOTATIONS, "[ ; end | ; noend][ ; bits LOW HIGH]"),
];

impl Kind {
    /// How it is written.
    #[inline]
    pub fn syntax(self) -> &'static Syntax {
        &SYNTAX[self as usize]
    }
}
