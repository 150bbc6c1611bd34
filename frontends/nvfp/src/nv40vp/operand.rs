//! How operands are written, from which printer and reader are made.

use super::fields::*;
use crate::nv40::{ANY_TEST, TEST_NAMES};
use parallax_isa::{Allowed, Bank, Field, Form, Item, Number, Numeral, Operand, Problem, Register, Syntax, SyntaxKind};

/// Registers that RSX programs name; the encoding has room for more.
pub(super) const REGISTERS: u64 = 48;

const R: &[Bank] = &[Bank { name: "R", code: 0, first: 0, count: 63, exist: REGISTERS }];
/// The same where no number stands for none.
const READ: &[Bank] = &[Bank { name: "R", code: 0, first: 0, count: 64, exist: REGISTERS }];
const A: &[Bank] = &[Bank { name: "A", code: 0, first: 0, count: 64, exist: 2 }];

/// Attributes by number.
const ATTRIBUTES: &[(&str, u64)] = &[
    ("OPOS", 0),
    ("WGHT", 1),
    ("NRML", 2),
    ("COL0", 3),
    ("COL1", 4),
    ("FOGC", 5),
    ("6", 6),
    ("7", 7),
    ("TEX0", 8),
    ("TEX1", 9),
    ("TEX2", 10),
    ("TEX3", 11),
    ("TEX4", 12),
    ("TEX5", 13),
    ("TEX6", 14),
    ("TEX7", 15),
    ("0", 0),
    ("1", 1),
    ("2", 2),
    ("3", 3),
    ("4", 4),
    ("5", 5),
    ("8", 8),
    ("9", 9),
    ("10", 10),
    ("11", 11),
    ("12", 12),
    ("13", 13),
    ("14", 14),
    ("15", 15),
];

/// Results by number; those behind TEX8 have no name.
macro_rules! results {
    ($none:literal) => {
        &[
            ("o[HPOS]", 0),
            ("o[COL0]", 1),
            ("o[COL1]", 2),
            ("o[BFC0]", 3),
            ("o[BFC1]", 4),
            ("o[FOGC]", 5),
            ("o[PSIZ]", 6),
            ("o[TEX0]", 7),
            ("o[TEX1]", 8),
            ("o[TEX2]", 9),
            ("o[TEX3]", 10),
            ("o[TEX4]", 11),
            ("o[TEX5]", 12),
            ("o[TEX6]", 13),
            ("o[TEX7]", 14),
            ("o[TEX8]", 15),
            ("o[16]", 16),
            ("o[17]", 17),
            ("o[18]", 18),
            ("o[19]", 19),
            ("o[20]", 20),
            ("o[21]", 21),
            ("o[22]", 22),
            ("o[23]", 23),
            ("o[24]", 24),
            ("o[25]", 25),
            ("o[26]", 26),
            ("o[27]", 27),
            ("o[28]", 28),
            ("o[29]", 29),
            ("o[30]", 30),
            ($none, NO_RESULT),
        ]
    };
}

const RESULTS: &[(&str, u64)] = results!("o[31]");
/// The same where no result leaves the condition code.
const RESULTS_OR_CODE: &[(&str, u64)] = results!("CC");
const A_RESULT: &str = "a register, a result such as `o[HPOS]`, or CC";

const ADDRESSES: Item = Item::Names(
    &ADDRESS,
    &[("A0.x", 0), ("A0.y", 1), ("A0.z", 2), ("A0.w", 3), ("A1.x", 4), ("A1.y", 5), ("A1.z", 6), ("A1.w", 7)],
    "a component of A0 or A1",
);

const fn number(field: &'static Field, what: &'static str, range: &'static Problem) -> Number {
    Number {
        field,
        print: |value, _, line| line.decimal(value as u64),
        read: |text| match text.first() {
            Some(b'0'..=b'9') => Numeral::integer(text),
            _ => Numeral::None,
        },
        what,
        allowed: what,
        range,
    }
}

/// What is added to an address; nothing for 0.
const fn offset(field: &'static Field, range: &'static Problem) -> Number {
    Number {
        print: |value, _, line| {
            if value != 0 {
                line.char(b'+');
                line.decimal(value as u64);
            }
        },
        read: |text| match text.first() {
            Some(b'+') => match Numeral::integer(&text[1..]) {
                Numeral::Value(value, len) if text.get(1).is_some_and(u8::is_ascii_digit) => {
                    Numeral::Value(value, len + 1)
                }
                _ => Numeral::Bad,
            },
            _ => Numeral::Value(0, 0),
        },
        ..number(field, "an offset", range)
    }
}

const CONSTANTS: Problem =
    Problem { code: "nv40vp-number", message: "constants are numbered 0 to 1023", help: "RSX has 0 to 467" };
const INPUTS: Problem = Problem { code: "nv40vp-number", message: "attributes are numbered 0 to 15", help: "" };
const BOOLEANS: Problem =
    Problem { code: "nv40vp-number", message: "Boolean constants are numbered 0 to 31", help: "" };
const TARGETS: Problem =
    Problem { code: "nv40vp-target", message: "targets are the numbers of instructions, 0 to 1023", help: "" };

const CONSTANT_NUMBER: Number = number(&CONSTANT, "the number of a constant", &CONSTANTS);
const CONSTANT_OFFSET: Number = offset(&CONSTANT, &CONSTANTS);
const INPUT_OFFSET: Number = offset(&INPUT, &INPUTS);
const BOOLEAN_NUMBER: Number = number(&BOOLEAN, "the number of a Boolean constant", &BOOLEANS);
const TARGET_NUMBER: Number = number(&TARGET, "an instruction's number or a label", &TARGETS);

/// The one attribute of an instruction.
const ATTRIBUTE: Item = Item::Shared(
    &[Item::Choice(
        &[
            Form {
                field: &INDEX_INPUT,
                values: Allowed::Max(0),
                items: &[
                    Item::Text("v["),
                    Item::Names(
                        &INPUT,
                        ATTRIBUTES,
                        "an attribute: OPOS, WGHT, NRML, COL0, COL1, FOGC, TEX0 to TEX7, 0 to 15",
                    ),
                    Item::Text("]"),
                    Item::Set(&INDEX_INPUT, 0),
                ],
            },
            Form {
                field: &INDEX_INPUT,
                values: Allowed::Any,
                items: &[
                    Item::Text("v["),
                    ADDRESSES,
                    Item::Number(&INPUT_OFFSET),
                    Item::Text("]"),
                    Item::Set(&INDEX_INPUT, 1),
                ],
            },
        ],
        "an attribute such as `v[OPOS]`",
    )],
    &Problem {
        code: "second-attribute",
        message: "an instruction reads one attribute, and this differs from the one before",
        help: "copy one of them to a register with MOV",
    },
);

/// The one constant of an instruction.
const PARAMETER: Item = Item::Shared(
    &[Item::Choice(
        &[
            Form {
                field: &INDEX_CONSTANT,
                values: Allowed::Max(0),
                items: &[
                    Item::Text("c["),
                    Item::Number(&CONSTANT_NUMBER),
                    Item::Text("]"),
                    Item::Set(&INDEX_CONSTANT, 0),
                ],
            },
            Form {
                field: &INDEX_CONSTANT,
                values: Allowed::Any,
                items: &[
                    Item::Text("c["),
                    ADDRESSES,
                    Item::Number(&CONSTANT_OFFSET),
                    Item::Text("]"),
                    Item::Set(&INDEX_CONSTANT, 1),
                ],
            },
        ],
        "a constant such as `c[4]`",
    )],
    &Problem {
        code: "second-constant",
        message: "an instruction reads one constant, and this differs from the one before",
        help: "copy one of them to a register with MOV",
    },
);

const OPERAND: &str = "a register, an attribute or a constant";

/// Sign, bars, what stands between them, swizzle.
macro_rules! source {
    ($n:literal, $file:expr) => {
        &[
            Item::Flag(&SOURCES[$n].negate, "-"),
            Item::Between(
                &SOURCES[$n].absolute,
                "|",
                &[
                    Item::Choice(
                        &[
                            Form {
                                field: $file,
                                values: Allowed::Set(1 << file::REGISTER),
                                items: &[
                                    Item::Register(&Register::new(&SOURCES[$n].register, READ, OPERAND)),
                                    Item::Set($file, file::REGISTER),
                                ],
                            },
                            Form {
                                field: $file,
                                values: Allowed::Set(1 << file::INPUT),
                                items: &[ATTRIBUTE, Item::Set($file, file::INPUT)],
                            },
                            Form {
                                field: $file,
                                values: Allowed::Any,
                                items: &[PARAMETER, Item::Set($file, file::CONSTANT)],
                            },
                        ],
                        OPERAND,
                    ),
                    Item::Swizzle(&SOURCES[$n].swizzle),
                ],
            ),
        ]
    };
}

const TESTS: Item = Item::Names(&TEST, TEST_NAMES, ANY_TEST);

/// The test of writes.
const WRITE_TEST: Item = Item::Optional {
    open: "(",
    absent: &[(&TESTED, 0)],
    printed: false,
    items: &[Item::Set(&TESTED, 1), TESTS, Item::Swizzle(&TEST_SWIZZLE), Item::Text(")")],
};

const NO_TEST: &[(&Field, u64)] = &[(&TEST, ALWAYS), (&TEST_SWIZZLE, IDENTITY)];

/// The test of a jump alone.
const JUMP_TEST: Item = Item::Optional {
    open: " (",
    absent: NO_TEST,
    printed: false,
    items: &[Item::Set(&TESTED, 1), TESTS, Item::Swizzle(&TEST_SWIZZLE), Item::Text(")")],
};

/// The test of a jump beside a vector operation, whose writes may depend on it or not.
const SECOND_TEST: Item = Item::Optional {
    open: " (",
    absent: NO_TEST,
    printed: false,
    items: &[TESTS, Item::Swizzle(&TEST_SWIZZLE), Item::Text(")")],
};

const VECTOR_DESTINATION: &[Item] = &[
    Item::Choice(
        &[
            Form {
                field: &VECTOR_RESULT,
                values: Allowed::Set(0b10),
                items: &[
                    Item::Names(&RESULT, RESULTS, A_RESULT),
                    Item::Optional {
                        open: "&",
                        absent: &[(&VECTOR_REGISTER, NO_REGISTER)],
                        printed: false,
                        items: &[Item::Register(&Register::new(&VECTOR_REGISTER, R, "a register"))],
                    },
                    Item::Set(&VECTOR_RESULT, 1),
                ],
            },
            Form {
                field: &VECTOR_REGISTER,
                values: Allowed::Set(1 << NO_REGISTER),
                items: &[Item::Text("CC"), Item::Set(&VECTOR_REGISTER, NO_REGISTER), Item::Set(&VECTOR_RESULT, 0)],
            },
            Form {
                field: &VECTOR_REGISTER,
                values: Allowed::Any,
                items: &[Item::Register(&Register::new(&VECTOR_REGISTER, R, A_RESULT)), Item::Set(&VECTOR_RESULT, 0)],
            },
        ],
        A_RESULT,
    ),
    Item::Mask(&VECTOR_MASK, "[]"),
    WRITE_TEST,
];

/// A register, or what the vector operation leaves of results.
const SCALAR_DESTINATION: Item = Item::Choice(
    &[
        Form {
            field: &SCALAR_REGISTER,
            values: Allowed::Set(!(1 << NO_REGISTER)),
            items: &[Item::Register(&Register::new(&SCALAR_REGISTER, R, A_RESULT))],
        },
        Form {
            field: &SCALAR_REGISTER,
            values: Allowed::Any,
            items: &[
                Item::If(
                    &VECTOR_RESULT,
                    Allowed::Set(0b10),
                    &[Item::Text("CC")],
                    &[Item::Names(&RESULT, RESULTS_OR_CODE, A_RESULT)],
                ),
                Item::Set(&SCALAR_REGISTER, NO_REGISTER),
            ],
        },
    ],
    A_RESULT,
);

/// Names of scalar operations that compute. MOV is one of the vector unit's, too.
const DATA: &[(&str, u64)] = &[
    ("MOVS", 1),
    ("RCP", 2),
    ("RCC", 3),
    ("RSQ", 4),
    ("EXP", 5),
    ("LOG", 6),
    ("LIT", 7),
    ("LG2", 13),
    ("EX2", 14),
    ("SIN", 15),
    ("COS", 16),
];

const BOOLEAN_ITEMS: &[Item] = &[
    Item::Names(&BOOLEAN_SET, &[("!b[", 0), ("b[", 1)], "a Boolean constant such as `b[0]` or `!b[0]`"),
    Item::Number(&BOOLEAN_NUMBER),
    Item::Text("]"),
];

const A_SCALAR: &str = "a scalar operation";

/// Both operations have one third source.
const THIRD: Problem = Problem {
    code: "second-third-source",
    message: "the scalar operation reads the third source of the vector operation, and this differs from it",
    help: "write the operations one after the other",
};

/// A scalar operation that computes, beside a vector operation.
macro_rules! data {
    ($opcode:expr, $file:expr) => {
        Form {
            field: $opcode,
            values: Allowed::Set(scalar::DATA),
            items: &[
                Item::Names($opcode, DATA, A_SCALAR),
                Item::Text(" "),
                SCALAR_DESTINATION,
                Item::Mask(&SCALAR_MASK, "[]"),
                Item::Text(", "),
                Item::Shared(source!(2, $file), &THIRD),
            ],
        }
    };
}

const SECOND_ITEMS: &[Item] = &[Item::Optional {
    open: " || ",
    absent: &[(&SECOND, 0)],
    printed: false,
    items: &[Item::Choice(
        &[
            data!(&SECOND, &THIRD_FILE),
            Form {
                field: &SECOND,
                values: Allowed::Set(1 << scalar::RETURN),
                items: &[Item::Text("RET"), Item::Set(&SECOND, scalar::RETURN), SECOND_TEST],
            },
            Form {
                field: &SECOND,
                values: Allowed::Set(scalar::TESTED),
                items: &[
                    Item::Names(&SECOND, &[("BRI", 9), ("CAL", 10), ("CLI", 11)], A_SCALAR),
                    Item::Text(" "),
                    Item::Target(&TARGET_NUMBER),
                    SECOND_TEST,
                ],
            },
            Form {
                field: &SECOND,
                values: Allowed::Any,
                items: &[
                    Item::Names(&SECOND, &[("BRB", 17), ("CLB", 18)], A_SCALAR),
                    Item::Text(" "),
                    Item::Shared(BOOLEAN_ITEMS, &BOOLEANS),
                    Item::Text(", "),
                    Item::Target(&TARGET_NUMBER),
                ],
            },
        ],
        A_SCALAR,
    )],
}];

const SECOND_DATA_ITEMS: &[Item] = &[Item::Optional {
    open: " || ",
    absent: &[(&SECOND_DATA, 0)],
    printed: false,
    items: &[Item::Choice(&[data!(&SECOND_DATA, &SOURCES[2].file)], "a scalar operation that computes")],
}];

/// Fields that no text shows, behind everything else: where no result is written, where no test is, what the third source is.
macro_rules! hidden {
    ($opcode:expr, $unread:expr, $jump:expr) => {
        &[
            Item::If($opcode, Allowed::Max(0), $unread, &[Item::If($opcode, Allowed::Set(scalar::DATA), &[], $jump)]),
            Item::If(
                &VECTOR_RESULT,
                Allowed::Set(0b10),
                &[],
                &[Item::If(
                    $opcode,
                    Allowed::Set(scalar::DATA),
                    &[Item::If(
                        &SCALAR_REGISTER,
                        Allowed::Set(1 << NO_REGISTER),
                        &[],
                        &[Item::Set(&RESULT, NO_RESULT)],
                    )],
                    &[Item::Set(&RESULT, NO_RESULT)],
                )],
            ),
            Item::If(
                &TESTED,
                Allowed::Set(0b10),
                &[],
                &[Item::If(
                    $opcode,
                    Allowed::Set(scalar::TESTED),
                    &[],
                    &[Item::Set(&TEST, ALWAYS), Item::Set(&TEST_SWIZZLE, IDENTITY)],
                )],
            ),
        ]
    };
}

const UNREAD_THIRD: &[Item] = &[
    Item::Set(&SCALAR_REGISTER, NO_REGISTER),
    Item::Set(&THIRD_FILE, file::INPUT),
    Item::Set(&SOURCES[2].swizzle, IDENTITY),
];

macro_rules! kind {
    ($id:ident = $name:literal, $notation:literal: $items:expr) => {
        pub(super) const $id: Operand<SyntaxKind> = {
            static SYNTAX: Syntax = Syntax { items: $items, notation: $notation };
            Operand { name: $name, kind: SyntaxKind(&SYNTAX) }
        };
    };
}

const SOURCE_NOTATION: &str = "[-][|]{Rn, v[NAME], v[An.c+n], c[n], c[An.c+n]}[.swizzle][|]";

kind!(UPDATES = "code", "[C]": &[Item::Names(&UPDATE_FIRST, &[("", 0), ("C", 1)], "`C`")]);
kind!(UPDATES_SECOND = "code1", "[_C1]": &[Item::Names(&UPDATE_SECOND, &[("", 0), ("_C1", 1)], "`_C1`")]);
kind!(SATURATES = "sat", "[_SAT]": &[Item::Names(&SATURATE, &[("", 0), ("_SAT", 1)], "`_SAT`")]);
kind!(DESTINATION = "dst", "{Rn, o[NAME], o[NAME]&Rn, CC}[.mask | []][(test[.swizzle])]": VECTOR_DESTINATION);
kind!(ADDRESS_DESTINATION = "dst", "An[.mask | []][(test[.swizzle])]": &[
    Item::Register(&Register::new(&VECTOR_REGISTER, A, "an address register A0 or A1")),
    Item::Mask(&VECTOR_MASK, "[]"),
    WRITE_TEST,
]);
pub(super) const SOURCE_KINDS: [Operand<SyntaxKind>; 3] = {
    static SYNTAX: [Syntax; 3] = [
        Syntax { items: source!(0, &SOURCES[0].file), notation: SOURCE_NOTATION },
        Syntax { items: source!(1, &SOURCES[1].file), notation: SOURCE_NOTATION },
        Syntax { items: source!(2, &SOURCES[2].file), notation: SOURCE_NOTATION },
    ];
    [
        Operand { name: "a", kind: SyntaxKind(&SYNTAX[0]) },
        Operand { name: "b", kind: SyntaxKind(&SYNTAX[1]) },
        Operand { name: "c", kind: SyntaxKind(&SYNTAX[2]) },
    ]
};
kind!(ADDRESS_SOURCE = "a", "An": &[Item::Names(&ADDRESS_NUMBER, &[("A0", 0), ("A1", 1)], "A0 or A1")]);
kind!(JUMP_ADDRESS = "a", "An.c": &[ADDRESSES]);
kind!(TEXTURE = "unit", "TEXn":
    &[Item::Register(&Register::new(&UNIT, &[Bank { name: "TEX", code: 0, first: 0, count: 16, exist: 16 }],
        "a texture unit `TEX0` to `TEX15`"))]);
kind!(BESIDE = "second", "[ || scalar operation]": SECOND_ITEMS);
kind!(BESIDE_DATA = "second", "[ || scalar operation]": SECOND_DATA_ITEMS);
kind!(HIDDEN = "hidden", "": hidden!(&SECOND, UNREAD_THIRD,
    &[Item::Set(&SCALAR_REGISTER, NO_REGISTER), Item::Set(&THIRD_FILE, file::INPUT)]));
kind!(HIDDEN_DATA = "hidden", "": hidden!(&SECOND_DATA, &[Item::Set(&SCALAR_REGISTER, NO_REGISTER)], &[]));
kind!(SCALAR = "dst", "{Rn, o[NAME], CC}[.mask | []][(test[.swizzle])]": &[
    SCALAR_DESTINATION,
    Item::Mask(&SCALAR_MASK, "[]"),
    WRITE_TEST,
]);
kind!(HIDDEN_TEST = "hidden", "": &[
    Item::If(&TESTED, Allowed::Set(0b10), &[], &[Item::Set(&TEST, ALWAYS), Item::Set(&TEST_SWIZZLE, IDENTITY)]),
]);
kind!(HIDDEN_SCALAR = "hidden", "": &[
    Item::If(&SCALAR_REGISTER, Allowed::Set(1 << NO_REGISTER), &[], &[Item::Set(&RESULT, NO_RESULT)]),
    Item::If(&TESTED, Allowed::Set(0b10), &[], &[Item::Set(&TEST, ALWAYS), Item::Set(&TEST_SWIZZLE, IDENTITY)]),
]);
kind!(JUMP_TARGET = "target", "{number, label}": &[Item::Target(&TARGET_NUMBER)]);
kind!(JUMP_TESTED = "test", "[ (test[.swizzle])]": &[JUMP_TEST]);
kind!(JUMP_BOOLEAN = "b", "{b[n], !b[n]}": BOOLEAN_ITEMS);
kind!(MARKS = "marks", "[ ; end | ; noend][ ; bits LOW HIGH]": &[Item::Annotations(
    " ; ",
    &[Item::Flag(&END, "end"), Item::Alias(&END, 0, "noend"), Item::Bits("bits")],
    "`end`, `noend` or `bits`",
)]);
