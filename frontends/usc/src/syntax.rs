//! How operands are written: one declaration each, from which printer and reader are made.

use crate::fields::{alu, backend, bitwise, control, late, *};
use crate::register;
use parallax_isa::{Allowed, Candidate, Form, Item, Number, Numeral, Problem, Selected, Syntax};

/// Declares kinds of operands.
macro_rules! syntaxes {
    ($($name:ident = $notation:literal, $items:expr;)*) => {
        $(pub(crate) static $name: Syntax = Syntax { items: $items, notation: $notation };)*
    };
}

pub(crate) use crate::maps::*;
use crate::number::*;

const FULL: Problem = Problem {
    code: "usc-source-limit",
    message: "no remaining source can name this register",
    help: "a group has six sources; s0, s2 and s3 can name every bank, s1, s4 and s5 only special, r, vi and cf registers \
           below 256",
};

// Modifiers, in the order they are applied and printed.
const FLR: &str = "flr";
const ABS: &str = "abs";
const NEG: &str = "neg";
const EXPECTED: &str = "a modifier of this operand";
const EXPECTED_OP: &str = "a modifier of this instruction";

/// Modifiers behind an operand or a mnemonic.
macro_rules! dots {
    ($($item:expr),* $(,)?) => { Item::Annotations(".", &[$($item),*], EXPECTED) };
}
macro_rules! suffixes {
    ($($item:expr),* $(,)?) => { Item::Annotations(".", &[$($item),*], EXPECTED_OP) };
}
macro_rules! flag {
    ($field:expr, $name:expr) => {
        Item::Flag(&$field, $name)
    };
}

const E4: &[(&str, u64)] = &[("e0", 0), ("e1", 1), ("e2", 2), ("e3", 3)];
const E2: &[(&str, u64)] = &[("e0", 0), ("e1", 1)];
const ELEMENT: &str = "an element `e0` to `e3`";
/// The element 0 of forms that can name no other.
const ONLY_E0: Item = Item::Optional { open: ".e0", absent: &[], printed: true, items: &[] };

macro_rules! element {
    ($field:expr, $names:expr) => {
        Item::Names(&$field, $names, ELEMENT)
    };
}

const P0: &[(&str, u64)] = &[("_", 0), ("p0", 1), ("", 0)];
const P0_WHAT: &str = "`p0` or `_`";

/// Which registers the sources 1, 4 and 5 can name: there are two bits for the bank and eight for the number.
fn short(code: i64) -> bool {
    code >> 11 < 4 && code & 0x7ff < 256
}
fn any(_: i64) -> bool {
    true
}

const fn place(value: u64, number: &'static Number, holds: fn(i64) -> bool) -> Candidate {
    Candidate { value, number, holds }
}

/// What `is0` selects: the reader takes sources in their order.
static FTE_PLACES: Selected = Selected {
    field: &IS0,
    places: &[
        place(0, &register(&S0), any),
        place(4, &register(&S1), short),
        place(5, &register(&S2), any),
        place(1, &register(&S3), any),
        place(2, &register(&S4), short),
        place(3, &register(&S5), short),
    ],
    full: &FULL,
};

/// The value called fte: written as the register `is0` selects, or as `fte` behind a 64-bit operation.
const FTE: Item = Item::Choice(
    &[
        Form { field: &WIDE, values: Allowed::Set(2), items: &[Item::Text("fte")] },
        Form { field: &WIDE, values: Allowed::Any, items: &[Item::Selected(&FTE_PLACES)] },
    ],
    "a register or `fte`",
);
const FEED: &str = "a feed-through `ft0`, `ft1`, `ft2` or a register";

macro_rules! feed {
    ($field:expr) => {
        Item::Choice(
            &[
                Form { field: &$field, values: Allowed::Set(1), items: &[Item::Text("ft0"), Item::Set(&$field, 0)] },
                Form { field: &$field, values: Allowed::Set(2), items: &[Item::Text("ft1"), Item::Set(&$field, 1)] },
                Form { field: &$field, values: Allowed::Set(4), items: &[Item::Text("ft2"), Item::Set(&$field, 2)] },
                Form { field: &$field, values: Allowed::Any, items: &[Item::Set(&$field, 3), FTE] },
            ],
            FEED,
        )
    };
}

/// An output: its register, or what stands for it where it goes to none.
macro_rules! output {
    ($present:expr, $register:expr, $none:literal) => {
        Item::Choice(
            &[
                Form {
                    field: &$present,
                    values: Allowed::Set(2),
                    items: &[Item::Number(&register(&$register)), Item::Set(&$present, 1)],
                },
                Form {
                    field: &$present,
                    values: Allowed::Any,
                    items: &[Item::Names(
                        &$present,
                        &[($none, 0), ("_", 0), ("ft0", 0), ("ft1", 0), ("w0", 0), ("w1", 0)],
                        "a destination",
                    )],
                },
            ],
            "a register or `_`",
        )
    };
}

const TYPES: &[(&str, u64)] = &[("f32", 0), ("u16", 1), ("s16", 2), ("u8", 3), ("s8", 4), ("u32", 5), ("s32", 6)];
const MODES: &[(&str, u64)] = &[("pixel", 0), ("sample", 1), ("centroid", 2), ("mode3", 3)];
const DRC: &[(&str, u64)] = &[("drc0", 0), ("drc1", 1)];
const DRC_WHAT: &str = "`drc0` or `drc1`";

/// Names of formats by their codes.
const FORMAT_NAMES: [(&str, u64); 32] = {
    let mut all = [("", 0); 32];
    let mut n = 0;
    while n < 32 {
        all[n] = (crate::formats::FORMATS[n], n as u64);
        n += 1;
    }
    all
};
/// With the spellings that are read beside them.
const FORMATS: [(&str, u64); 35] = {
    let mut all = [("coveragemask", 16); 35];
    let mut n = 0;
    while n < 32 {
        all[n] = FORMAT_NAMES[n];
        n += 1;
    }
    all[32] = ("f32mask", 20);
    all[33] = ("const0", 30);
    all[34] = ("const1", 31);
    // One is left: the spelling that fills the array.
    all
};
const FORMAT_WHAT: &str = "a format";

const CONDITION_WHAT: &str = "a condition 0 to 3";

/// A source any slot can hold, named by a field of three bits.
macro_rules! any_source {
    ($name:ident, $field:expr) => {
        static $name: Selected = Selected {
            field: &$field,
            places: &[
                place(0, &register(&S0), any),
                place(1, &register(&S1), short),
                place(2, &register(&S2), any),
                place(3, &register(&S3), any),
                place(4, &register(&S4), short),
                place(5, &register(&S5), short),
            ],
            full: &FULL,
        };
    };
}

any_source!(SLOT_8, backend::SLOT_8);
any_source!(SLOT_10, backend::SLOT_10);
any_source!(SLOT_13, backend::SLOT_13);
any_source!(SLOT_16, backend::SLOT_16);
any_source!(SLOT_20, backend::SLOT_20);
any_source!(SLOT_24, backend::SLOT_24);
any_source!(SLOT_2, backend::SLOT_2);

/// Operands that are no registers and no numbers.
const NAMED: &[&str] = &[
    "_", "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "fte", "ftt", "w0", "w1", "is0", "is1", "is2", "is3", "is4", "is5",
    "p0", "drc0", "drc1", "add", "sub", "rsub", "min", "max", "mad", "s0", "s1", "s2", "s3", "s4", "s5",
];
/// What can stand behind operands.
const BEHIND: &[&str] = &[
    "abs", "neg", "flr", "clamp", "oneminus", "invert", "e0", "e1", "e2", "e3", "f16", "f32", "u8", "joutj", "jouta",
    "joutb", "koutk", "koutc", "koutd", "joutjc", "koutkc",
];

/// Reads an operand of the grammar, or none.
fn read_operand(text: &[u8]) -> Numeral {
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
    field: &sop::ANYTHING,
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

macro_rules! factor {
    ($n:literal) => {
        &[
            Item::Choice(
                &[
                    Form {
                        field: &sop::SHAPES[$n],
                        values: Allowed::Set(1 << sop::ZERO),
                        items: &[Item::Text("0"), Item::Set(&sop::SHAPES[$n], sop::ZERO)],
                    },
                    Form {
                        field: &sop::SHAPES[$n],
                        values: Allowed::Any,
                        items: &[
                            Item::Number(&register(&sop::FACTORS[$n].register)),
                            dots![
                                flag!(sop::FACTORS[$n].absolute, ABS),
                                flag!(sop::FACTORS[$n].clamp, "clamp"),
                                flag!(sop::FACTORS[$n].negate, NEG),
                                flag!(sop::FACTORS[$n].one_minus, "oneminus"),
                                Item::Names(
                                    &sop::SHAPES[$n],
                                    &[
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
                                    ],
                                    EXPECTED,
                                ),
                            ],
                        ],
                    },
                ],
                "a register or `0`",
            ),
            // Of the constant 0.
            Item::If(
                &sop::SHAPES[$n],
                Allowed::Set(1 << sop::ZERO),
                &[dots![flag!(sop::FACTORS[$n].one_minus, "oneminus")]],
                &[],
            ),
        ]
    };
}

const OPERATORS: &[(&str, u64)] = &[("add", 0), ("sub", 1), ("rsub", 2), ("min", 3), ("max", 4)];

syntaxes! {
    // Where a main operation leaves its result.
    FT = "{ft0, ft1}", &[Item::Names(&PHASE, &[("ft0", 0), ("ft1", 1)], "`ft0` or `ft1`")];
    // Sources of fadd and fmul.
    FLOAT_MODS = "[.lp][.sat]", &[suffixes![flag!(alu::LOW, "lp"), flag!(alu::SAT, "sat")]];
    FLOAT_A = "a[.flr][.abs][.neg]",
        &[Item::Number(&register(&S0)), dots![flag!(alu::FLR0, FLR), flag!(alu::ABS0, ABS), flag!(alu::NEG0, NEG)]];
    FLOAT_B = "b[.abs]", &[Item::Number(&register(&S1)), dots![flag!(alu::ABS1, ABS)]];
    // Of fmad.
    MAD_MODS = "[.lp][.sat]", &[suffixes![flag!(alu::MAD_LOW, "lp"), flag!(alu::MAD_SAT, "sat")]];
    MAD_SHORT_MODS = "[.sat]", &[suffixes![flag!(alu::MAD_SAT, "sat")]];
    MAD_A = "a[.abs][.neg]",
        &[Item::Number(&register(&S0)), dots![flag!(alu::MAD_ABS0, ABS), flag!(alu::MAD_NEG0, NEG)]];
    MAD_B = "b[.abs][.neg]",
        &[Item::Number(&register(&S1)), dots![flag!(alu::MAD_ABS1, ABS), flag!(alu::MAD_NEG1, NEG)]];
    MAD_C = "c[.flr][.abs][.neg]", &[
        Item::Number(&register(&S2)),
        dots![flag!(alu::MAD_FLR2, FLR), flag!(alu::MAD_ABS2, ABS), flag!(alu::MAD_NEG2, NEG)],
    ];
    MAD_SHORT_C = "c[.neg]", &[Item::Number(&register(&S2)), dots![flag!(alu::MAD_NEG2, NEG)]];
    // Of operations with one source.
    ONE = "a[.abs][.neg]", &[Item::Number(&register(&S0)), dots![flag!(alu::ONE_ABS, ABS), flag!(alu::ONE_NEG, NEG)]];
    HALF = "a.f16.{e0,e1}[.abs][.neg]", &[
        Item::Number(&register(&S0)),
        dots![
            flag!(alu::ONE_ABS, ABS),
            flag!(alu::ONE_NEG, NEG),
            Item::Names(&alu::HALF, &[("f16.e0", 0), ("f16.e1", 1), ("e0", 0), ("e1", 1)], ELEMENT),
        ],
    ];
    A = "a", &[Item::Number(&register(&S0))];
    B = "b", &[Item::Number(&register(&S1))];
    C = "c", &[Item::Number(&register(&S2))];
    D = "d", &[Item::Number(&register(&S3))];
    D_OPTIONAL = "{d, _}", &[Item::Number(&optional_register(&S3))];
    E = "e", &[Item::Number(&register(&S4))];
    // Results that are whole outputs.
    WIDE0 = "{reg, ft0}", &[output!(W0P, W0, "ft0")];
    WIDE1 = "{reg, ft0}", &[output!(W1P, W1, "ft0")];
    // fred.
    RED_MODS = ".{sin,cos}[.partb]", &[suffixes![
        Item::Names(&alu::COSINE, &[("sin", 0), ("cos", 1)], "`sin` or `cos`"),
        Item::Names(&alu::PART_B, &[("", 0), ("partb", 1), ("parta", 0)], "`parta` or `partb`"),
    ]];
    RED_P0 = "{p0, _}", &[Item::Names(&alu::RED_P0, P0, P0_WHAT)];
    ITERATION = "n", &[Item::Number(&number(&alu::ITERATION))];
    RED_D = "[, {d, _}]", &[Item::Optional {
        open: ", ", absent: &[], printed: true, items: &[Item::Number(&optional_register(&S3))],
    }];
    // unpck.
    UNPACK_MODS = ".format[.scale]", &[suffixes![
        Item::Names(&alu::UNPACK_FORMAT, &FORMATS, FORMAT_WHAT),
        flag!(alu::UNPACK_SCALE, "scale"),
        Item::Alias(&alu::UNPACK_SCALE, 1, "roundzero"),
        Item::Alias(&alu::UNPACK_SCALE, 1, "rndzero"),
    ]];
    UNPACK_A = "a.eN", &[Item::Number(&register(&S0)), dots![element!(alu::UNPACK_ELEMENT, E4)]];
    // Narrow integers; the forms of one, two and three bytes.
    NARROW_SAT = "[.sat]", &[suffixes![flag!(alu::NARROW_SAT, "sat")]];
    NARROW1_A = "a.e0", &[Item::Number(&register(&S0)), ONLY_E0];
    NARROW1_B = "b.e0", &[Item::Number(&register(&S1)), ONLY_E0];
    NARROW1_C = "c.{e0,e2}", &[
        Item::Number(&register(&S2)),
        dots![Item::Names(&alu::NARROW_UPPER2, &[("e0", 0), ("e2", 1)], ELEMENT)],
    ];
    NARROW1_C16 = "c.e0", &[Item::Number(&register(&S2)), ONLY_E0];
    NARROW2_A = "a[.abs][.neg].e0", &[
        Item::Number(&register(&S0)),
        dots![flag!(alu::NARROW_ABS0, ABS), flag!(alu::NARROW_NEG0, NEG)],
        ONLY_E0,
    ];
    NARROW2_B = "b[.abs].e0", &[Item::Number(&register(&S1)), dots![flag!(alu::NARROW_ABS1, ABS)], ONLY_E0];
    NARROW_C = "c[.abs][.neg].eN", &[
        Item::Number(&register(&S2)),
        dots![
            flag!(alu::NARROW_ABS2, ABS),
            flag!(alu::NARROW_NEG2, NEG),
            element!(alu::NARROW_ELEMENT2, E4),
        ],
    ];
    NARROW_C16 = "c[.abs][.neg].eN", &[
        Item::Number(&register(&S2)),
        dots![
            flag!(alu::NARROW_ABS2, ABS),
            flag!(alu::NARROW_NEG2, NEG),
            element!(alu::NARROW_HIGH2, E2),
        ],
    ];
    NARROW_A = "a[.abs][.neg].eN", &[
        Item::Number(&register(&S0)),
        dots![
            flag!(alu::NARROW_ABS0, ABS),
            flag!(alu::NARROW_NEG0, NEG),
            element!(alu::NARROW_ELEMENT0, E4),
        ],
    ];
    NARROW_B = "b[.abs].eN", &[
        Item::Number(&register(&S1)),
        dots![flag!(alu::NARROW_ABS1, ABS), element!(alu::NARROW_ELEMENT1, E4)],
    ];
    // 32- and 64-bit integers.
    WORD_A = "a[.abs][.neg]",
        &[Item::Number(&register(&S0)), dots![flag!(alu::WORD_ABS0, ABS), flag!(alu::WORD_NEG0, NEG)]];
    WORD_B = "b[.abs][.neg]",
        &[Item::Number(&register(&S1)), dots![flag!(alu::WORD_ABS1, ABS), flag!(alu::WORD_NEG1, NEG)]];
    WORD_C = "c[.abs][.neg]",
        &[Item::Number(&register(&S2)), dots![flag!(alu::WORD_ABS2, ABS), flag!(alu::WORD_NEG2, NEG)]];
    WORD_SHORT_C = "c[.neg]", &[Item::Number(&register(&S2)), dots![flag!(alu::WORD_NEG2, NEG)]];
    HIGH = "high", &[Item::Selected(&FTE_PLACES)];
    CARRY = "[, {p0, _}]", &[Item::Optional {
        open: ", ", absent: &[(&alu::CARRY, 0)], printed: true, items: &[Item::Names(&alu::CARRY, P0, P0_WHAT)],
    }];
    NO_CARRY = "[, _]", &[NOTHING];
    // pck, tests, moves.
    PACK_MODS = ".format[.scale][.roundzero][.prog]", &[suffixes![
        Item::Names(&late::FORMAT, &FORMATS, FORMAT_WHAT),
        flag!(late::SCALE, "scale"),
        flag!(late::ROUND_ZERO, "roundzero"),
        Item::Alias(&late::ROUND_ZERO, 1, "rndzero"),
        flag!(late::PROGRAMMABLE, "prog"),
    ]];
    IS3_FEED = "{ft0, ft1, reg}", &[feed!(IS3)];
    FLOAT2_MODS = "[.sat]", &[suffixes![flag!(alu::SAT, "sat")]];
    FLOAT2_A = "{ft0, ft1, reg}[.abs][.neg]", &[feed!(IS3), dots![flag!(alu::ABS0, ABS), flag!(alu::NEG0, NEG)]];
    FLOAT2_B = "reg[.abs]", &[FTE, dots![flag!(alu::ABS1, ABS)]];
    TEST_TYPE = ".type", &[suffixes![Item::Names(&late::TYPE, TYPES, "a type")]];
    TEST_F32 = ".f32", &[Item::Optional { open: ".f32", absent: &[], printed: true, items: &[] }];
    TEST_P0 = "{p0, _}", &[Item::Names(&late::TEST_P0, P0, P0_WHAT), Item::Set(&late::TEST_LAST, 0)];
    TEST_P0_SHORT = "{p0, _}", &[Item::Names(&late::TEST_P0, P0, P0_WHAT)];
    NO_TEST_ELEMENT = "", &[Item::Set(&late::TEST_ELEMENT, 0)];
    TEST_A = "{ft0, reg}[.eN]", &[TEST_LEFT, TEST_ELEMENTS];
    TEST_B = "{ft1, reg}[.eN]", &[TEST_RIGHT, TEST_ELEMENTS];
    TEST_SHORT_A = "{ft0, reg}", &[TEST_LEFT];
    TEST_SHORT_B = "{ft1, reg}", &[TEST_RIGHT];
    MOVE_BYTES = "{reg, ftN}[.e0][.e1][.e2][.e3]", &[MOVED, BYTES];
    MOVE_WHOLE = "{reg, ftN}", &[MOVED];
    MOVE_ALL = "{reg, ftN}.e0.e1.e2.e3", &[MOVED, Item::Text(".e0.e1.e2.e3")];
    MOVE_FEED = "{ft0, ft1, ft2, reg}", &[feed!(late::MOVE0), Item::Set(&late::MOVE_LAST, 0)];
    MOVE_FEED_SHORT = "{ft0, ft1, ft2, reg}", &[feed!(late::MOVE0)];
    MOVE_REST = "[, {ft0, ft1, ft2, reg}]", &[Item::Optional {
        open: ", ", absent: &[(&IS4, 0)], printed: false, items: &[feed!(IS4)],
    }];
    MOVE_REST_SHOWN = "[, {ft0, ft1, ft2, reg}]", &[Item::Optional {
        open: ", ", absent: &[(&IS4, 0)], printed: true, items: &[feed!(IS4)],
    }];
    CONDITIONAL = "[c]", &[Item::Names(&W1P, &[("", 0), ("c", 1)], "`movc`")];
    // w1, or what w0 is otherwise.
    MOVE_SECOND = "{w1, otherwise}", &[Item::If(
        &W1P,
        Allowed::Set(2),
        &[Item::Number(&register(&W1)), Item::Set(&W1P, 1)],
        &[feed!(IS4)],
    )];
    MOVE_SECOND_FEED = "{ft0, ft1, ft2, reg}[, otherwise0, otherwise1]", &[
        feed!(late::MOVE1),
        Item::If(
            &W1P,
            Allowed::Set(2),
            &[Item::Optional {
                open: ", ",
                absent: &[(&IS4, 1), (&IS5, 0)],
                printed: false,
                items: &[feed!(IS4), Item::Text(", "), feed!(IS5)],
            }],
            &[],
        ),
    ];
    // Outputs.
    OUTPUT0 = "{reg, _}", &[output!(W0P, W0, "_")];
    OUTPUT1 = "reg", &[Item::Number(&register(&W1)), Item::Set(&W1P, 1)];
    IS4_FEED = "{ft0, ft1, ft2, reg}", &[feed!(IS4)];
    IS5_FEED = "{ft0, ft1, ft2, reg}", &[feed!(IS5)];
    BITWISE0 = "reg", &[Item::Number(&register(&W0)), Item::Set(&W0P, 1)];
    // Bitwise units.
    LITERAL16 = "n", &[Item::Number(&literal(&bitwise::LITERAL16))];
    LITERAL32 = "n", &[Item::Number(&literal(&bitwise::LITERAL32))];
    COUNTED = "{ft2, c}", &[Item::Choice(
        &[
            Form { field: &bitwise::COUNT_FT2, values: Allowed::Set(2), items: &[Item::Text("ft2"), Item::Set(&bitwise::COUNT_FT2, 1)] },
            Form { field: &bitwise::COUNT_FT2, values: Allowed::Any, items: &[Item::Number(&register(&S2))] },
        ],
        "`ft2` or a register",
    )];
    MASKED = "{ft1, _}", &[Item::Names(&bitwise::MASK_FT2, &[("_", 0), ("ft1", 1), ("", 0)], "`ft1` or `_`")];
    INVERTED = "{ft1.invert, _}",
        &[Item::Names(&bitwise::MASK_S3, &[("_", 0), ("ft1.invert", 1), ("", 0)], "`ft1.invert` or `_`")];
    TESTED = "{ft5, ft3}", &[Item::Names(&bitwise::TEST_FT3, &[("ft5", 0), ("ft3", 1)], "`ft3` or `ft5`")];
    // Backend.
    WRITTEN = "{w0, w1}", &[Item::Choice(
        &[
            Form { field: &backend::UVSW_W1, values: Allowed::Set(2), items: &[Item::Text("w1"), Item::Set(&backend::UVSW_W1, 1)] },
            Form { field: &backend::UVSW_W1, values: Allowed::Any, items: &[OUTPUT0_FEED] },
        ],
        "an output",
    )];
    OUTPUT_FEED = "{reg, ftN}", &[OUTPUT0_FEED];
    ADDRESS = "n", &[Item::Number(&number(&backend::ADDRESS))];
    ADDRESS_SLOT = "reg", &[Item::Selected(&SLOT_8)];
    STREAM = "n", &[Item::Number(&number(&backend::STREAM))];
    ATST_MODS = "[.ifb]", &[suffixes![flag!(backend::IFB, "ifb")]];
    ATST_P0 = "{p0, _}", &[Item::Names(&backend::ATST_P0, P0, P0_WHAT)];
    FITR_MODS = ".{pixel,sample,centroid}[.sat]", &[suffixes![
        Item::Names(&backend::FITR_MODE, MODES, "`pixel`, `sample` or `centroid`"),
        flag!(backend::FITR_SAT, "sat"),
    ]];
    FITR_DRC = "drcN", &[Item::Names(&backend::FITR_COUNTER, DRC, DRC_WHAT)];
    FITR_COUNT = "count", &[Item::Number(&count!(&backend::FITR_COUNT, 16))];
    DRC_OP = "drcN", &[Item::Names(&backend::COUNTER, DRC, DRC_WHAT)];
    SMP_MODS = "[.fcnorm][.bias | .replace | .gradient]", &[suffixes![
        flag!(backend::FCNORM, "fcnorm"),
        Item::Names(&backend::LOD, LODS, "a level of detail"),
    ]];
    SMP_MODS_A = "[.proj][.fcnorm][.nncoords][.bias | .replace | .gradient][.pplod][.tao][.soo][.sno][.data | .info | .both]",
        &[suffixes![
            flag!(backend::PROJ, "proj"), flag!(backend::FCNORM, "fcnorm"), flag!(backend::NNCOORDS, "nncoords"),
            Item::Names(&backend::LOD, LODS, "a level of detail"),
            flag!(backend::PPLOD, "pplod"), flag!(backend::TAO, "tao"), flag!(backend::SOO, "soo"),
            flag!(backend::SNO, "sno"), Item::Names(&backend::SBMODE, SBMODES, "`data`, `info` or `both`"),
        ]];
    SMP_MODS_B = "[.fcnorm][.bias | .replace | .gradient][.wrt][.schedswap][.cacheN][.f16]", &[suffixes![
        flag!(backend::FCNORM, "fcnorm"), Item::Names(&backend::LOD, LODS, "a level of detail"),
        flag!(backend::B_WRITE, "wrt"), flag!(backend::B_SWAP, "schedswap"),
        Item::Names(&backend::B_CACHE, CACHES, "a cache mode"), flag!(backend::B_F16, "f16"),
    ]];
    SMP_MODS_BC = "[.fcnorm][.bias | .replace | .gradient][.wrt][.array][.integer][.comparison][.schedswap][.direct][.cacheN][.f16]",
        &[suffixes![
            flag!(backend::FCNORM, "fcnorm"), Item::Names(&backend::LOD, LODS, "a level of detail"),
            flag!(backend::B_WRITE, "wrt"), flag!(backend::BC_ARRAY, "array"), flag!(backend::BC_INTEGER, "integer"),
            flag!(backend::BC_COMPARISON, "comparison"), flag!(backend::B_SWAP, "schedswap"),
            flag!(backend::BC_DIRECT, "direct"), Item::Names(&backend::B_CACHE, CACHES, "a cache mode"),
            flag!(backend::B_F16, "f16"),
        ]];
    SMP_MODS_AB = "[.proj][.fcnorm][.nncoords][.bias | .replace | .gradient][.pplod][.tao][.soo][.sno][.wrt][.data | .info | .both][.schedswap][.cacheN][.f16]",
        &[suffixes![
            flag!(backend::PROJ, "proj"), flag!(backend::FCNORM, "fcnorm"), flag!(backend::NNCOORDS, "nncoords"),
            Item::Names(&backend::LOD, LODS, "a level of detail"),
            flag!(backend::PPLOD, "pplod"), flag!(backend::TAO, "tao"), flag!(backend::SOO, "soo"),
            flag!(backend::SNO, "sno"), flag!(backend::AB_WRITE, "wrt"),
            Item::Names(&backend::SBMODE, SBMODES, "`data`, `info` or `both`"), flag!(backend::AB_SWAP, "schedswap"),
            Item::Names(&backend::AB_CACHE, CACHES, "a cache mode"), flag!(backend::AB_F16, "f16"),
        ]];
    SMP_MODS_ABC = "[.proj][.fcnorm][.nncoords][.bias | .replace | .gradient][.pplod][.tao][.soo][.sno][.wrt][.data | .info | .both][.array][.integer][.comparison][.schedswap][.direct][.cacheN][.f16]",
        &[suffixes![
            flag!(backend::PROJ, "proj"), flag!(backend::FCNORM, "fcnorm"), flag!(backend::NNCOORDS, "nncoords"),
            Item::Names(&backend::LOD, LODS, "a level of detail"),
            flag!(backend::PPLOD, "pplod"), flag!(backend::TAO, "tao"), flag!(backend::SOO, "soo"),
            flag!(backend::SNO, "sno"), flag!(backend::AB_WRITE, "wrt"),
            Item::Names(&backend::SBMODE, SBMODES, "`data`, `info` or `both`"),
            flag!(backend::ABC_ARRAY, "array"), flag!(backend::ABC_INTEGER, "integer"),
            flag!(backend::ABC_COMPARISON, "comparison"), flag!(backend::AB_SWAP, "schedswap"),
            flag!(backend::ABC_DIRECT, "direct"), Item::Names(&backend::AB_CACHE, CACHES, "a cache mode"),
            flag!(backend::AB_F16, "f16"),
        ]];
    SMP_COORDS_BC = "b[.f16]", &[Item::Number(&register(&S1)), dots![flag!(backend::BC_F16, "f16")]];
    SMP_COORDS_ABC = "b[.f16]", &[Item::Number(&register(&S1)), dots![flag!(backend::ABC_F16, "f16")]];
    CHANNELS = "n", &[Item::Number(&one_less!(&backend::CHANNELS))];
    CACHE = "[.cacheN]", &[suffixes![Item::Names(&backend::DMA_CACHE, CACHES, "a cache mode")]];
    BURST = "n", &[Item::Number(&count!(&backend::BURST, 16))];
    BURST_SLOT = "reg", &[Item::Selected(&SLOT_10), Item::Set(&backend::BURST_HIGH, 0)];
    LD_BURST_SLOT = "reg", &[Item::Selected(&SLOT_10)];
    DMA_ADDRESS = "reg", &[Item::Selected(&SLOT_13)];
    ST_DATA = "reg", &[Item::Selected(&SLOT_20)];
    ST_SIZE = "{0, 1, 2}", &[Item::Number(&number(&backend::ST_SIZE))];
    ST_MASK = "reg", &[Item::Selected(&SLOT_24)];
    NO_MASK = "[, _]", &[NOTHING];
    IDF_SOURCE = "reg", &[Item::Selected(&SLOT_8)];
    ATOM_SOURCE = "reg", &[Item::Selected(&SLOT_8)];
    ATOM_DEST = "reg", &[Item::Selected(&SLOT_16)];
    ATOM_OP = ".op", &[suffixes![Item::Names(&backend::ATOM_OP, ATOMS, "an operation")]];
    MASK_MODE = ".modeN", &[suffixes![Item::Names(&backend::MASK_MODE, MASK_MODES, "a mode")]];
    MASK_SLOT = "reg", &[Item::Selected(&SLOT_8)];
    PHAS_END = "[.end]", &[suffixes![flag!(backend::PHAS_END, "end")]];
    PHAS_ADDRESS = "reg", &[Item::Selected(&SLOT_2)];
    PHAS_RATE = "n", &[Item::Number(&number(&backend::PHAS_RATE))];
    PHAS_TEMPS = "n", &[Item::Number(&number(&backend::PHAS_TEMPS))];
    PHAS_SLOT = "reg", &[Item::Selected(&SLOT_8)];
    SETL_OUTPUT = "{w0, w1}", &[Item::Names(&backend::SETL_W1, &[("w0", 0), ("w1", 1)], "`w0` or `w1`")];
    FREE = "[.freep]", &[suffixes![flag!(backend::FREE, "freep")]];
    // Control.
    HIDDEN_CC = "", &[Item::Set(&extension::CONDITION, 0)];
    WHO = "[.allinst | .anyinst]", &[suffixes![Item::Names(
        &control::WHO,
        &[("", 0), ("allinst", 1), ("anyinst", 2), ("who3", 3)],
        "`allinst` or `anyinst`",
    )]];
    TARGET = "{n, label}", &[Item::Target(&number(&control::TARGET))];
    PCND = "{0, 1, 2, 3}", &[Item::Number(&Number { what: CONDITION_WHAT, ..number(&control::PCND) })];
    ADJUST = "n", &[Item::Number(&number(&control::ADJUST))];
    W0_REG = "reg", &[Item::Number(&register(&W0)), Item::Set(&W0P, 1)];
    MISC_DRC = "drcN", &[Item::Names(&extension::MISC, DRC, DRC_WHAT)];
    MUTEX = "n", &[Item::Number(&number(&control::MUTEX))];
    SBO_N = "n", &[Item::Number(&number(&control::SBO))];
    COEFF = "cfN", &[Item::Number(&fixed_register!(&control::COEFF, "cf", 4))];
    PERSPECTIVE = "n", &[Item::Number(&number(&control::PERSPECTIVE))];
    DITR_DEST = "rN[.f16]",
        &[Item::Number(&fixed_register!(&control::DEST, "r", 1)), dots![flag!(control::DITR_F16, "f16")]];
    DITR_W = "cfN[.indexN]", &[
        Item::Number(&fixed_register!(&control::DITR_W, "cf", 4)),
        dots![Item::Names(&control::DITR_INDEX_W, INDICES, "an index")],
    ];
    DITR_COEFF = "cfN[.indexN]", &[
        Item::Number(&fixed_register!(&control::COEFF, "cf", 4)),
        dots![Item::Names(&control::DITR_INDEX, INDICES, "an index")],
    ];
    DITR_MODS = ".{pixel,sample,centroid}[.sat][.schedswap | .schedwdf]", &[suffixes![
        Item::Names(&control::DITR_MODE, MODES, "`pixel`, `sample` or `centroid`"),
        flag!(control::DITR_SAT, "sat"),
        Item::Names(&control::DITR_SCHEDULE, SCHEDULES, "a schedule"),
    ]];
    DITR_COUNT = "n", &[Item::Number(&number(&control::DITR_COUNT))];
    DITR_DRC = "drcN", &[Item::Names(&control::DITR_COUNTER, DRC, DRC_WHAT)];
    IT_MODS = ".{pixel,sample}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf]", &[suffixes![
        Item::Names(&control::IT_MODE, &[("pixel", 0), ("sample", 1)], "`pixel` or `sample`"),
        flag!(control::IT_SAT, "sat"), flag!(control::IT_PROJ, "proj"), flag!(control::IT_FCNORM, "fcnorm"),
        flag!(control::IT_NNCOORDS, "nncoords"), Item::Names(&control::IT_SCHEDULE, SCHEDULES, "a schedule"),
    ]];
    IT_MODS2 = ".{pixel,sample}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf][.comparison]", &[suffixes![
        Item::Names(&control::IT_MODE, &[("pixel", 0), ("sample", 1)], "`pixel` or `sample`"),
        flag!(control::IT_SAT, "sat"), flag!(control::IT_PROJ, "proj"), flag!(control::IT_FCNORM, "fcnorm"),
        flag!(control::IT_NNCOORDS, "nncoords"), Item::Names(&control::IT_SCHEDULE, SCHEDULES, "a schedule"),
        flag!(control::IT_COMPARISON, "comparison"),
    ]];
    IT_MODS3 = ".{pixel,sample,centroid}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf][.comparison]", &[suffixes![
        Item::Names(&control::IT_MODE_LONG, MODES, "`pixel`, `sample` or `centroid`"),
        flag!(control::IT_SAT, "sat"), flag!(control::IT_PROJ, "proj"), flag!(control::IT_FCNORM, "fcnorm"),
        flag!(control::IT_NNCOORDS, "nncoords"), Item::Names(&control::IT_SCHEDULE, SCHEDULES, "a schedule"),
        flag!(control::IT_COMPARISON, "comparison"),
    ]];
    IT_DEST = "rN[.f16]", &[Item::Number(&fixed_register!(&control::DEST, "r", 1)), dots![flag!(control::IT_F16, "f16")]];
    IT_DRC = "drcN", &[Item::Names(&control::IT_COUNTER, DRC, DRC_WHAT)];
    IT_TEXTURE = "shN", &[Item::Number(&fixed_register!(&control::IT_TEXTURE, "sh", 4))];
    IT_SAMPLER = "shN", &[Item::Number(&fixed_register!(&control::IT_SAMPLER, "sh", 4))];
    IT_CHANNELS = "n", &[Item::Number(&one_less!(&control::IT_CHANNELS))];
    IT_COUNT = "n", &[Item::Number(&number(&control::IT_COUNT))];
    IT_W = "cfN", &[
        Item::Number(&fixed_register!(&control::IT_W, "cf", 4)),
        Item::Refuse(".", &NO_INDEX),
        TRAILING,
    ];
    IT_COEFF3 = "cfN[.indexN]", &[
        Item::Number(&fixed_register!(&control::COEFF, "cf", 4)),
        dots![Item::Names(&control::IT_INDEX, INDICES, "an index")],
    ];
    IT_W3 = "cfN[.indexN]", &[
        Item::Number(&fixed_register!(&control::IT_W, "cf", 4)),
        dots![Item::Names(&control::IT_INDEX_W, INDICES, "an index")],
        TRAILING,
    ];
    // Text only.
    SOP_A = "operand", factor!(0);
    SOP_E = "operand", factor!(1);
    SOP_B = "operand", factor!(2);
    SOP_F = "operand", factor!(3);
    SOP_OP = "{add, sub, rsub, min, max}", &[Item::Names(&sop::OPERATOR, OPERATORS, "`add`, `sub`, `rsub`, `min` or `max`")];
    SOP_J = "{reg, w0}[.e0 | .e1][.joutj | .jouta | .joutb]", &[
        output!(W0P, W0, "w0"),
        dots![
            Item::Names(&sop::HALF, &[("", 0), ("e0", 1), ("e1", 2), ("f16.e0", 1), ("f16.e1", 2)], ELEMENT),
            Item::Names(&sop::RESULT, &[("joutj", 0), ("jouta", 1), ("joutb", 2)], "`joutj`, `jouta` or `joutb`"),
        ],
    ];
    SOP_K = "{reg, w1}[.koutk | .koutc | .koutd]", &[
        output!(W1P, W1, "w1"),
        dots![Item::Names(&sop::RESULT, &[("koutk", 0), ("koutc", 1), ("koutd", 2)], "`koutk`, `koutc` or `koutd`")],
    ];
    SOP_KH = "{reg, w0}.{e0, e1}[.koutk | .koutc | .koutd]", &[
        output!(W0P, W0, "w0"),
        dots![
            Item::Names(&sop::HALF, &[("e0", 1), ("e1", 2), ("f16.e0", 1), ("f16.e1", 2)], ELEMENT),
            Item::Names(&sop::RESULT, &[("koutk", 0), ("koutc", 1), ("koutd", 2)], "`koutk`, `koutc` or `koutd`"),
        ],
    ];
    SOPMOV_W1 = "{reg, _}", &[output!(W1P, W1, "_")];
    OPERANDS = "...", &[
        Item::Number(&ANYTHING), MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,
        MORE, MORE, MORE,
    ];
    ANY_SUFFIX = "[...]", &[Item::Optional {
        open: ".", absent: &[], printed: false, items: &[Item::Number(&ANY_MODIFIER)],
    }];
}

/// Trailing operands that are always empty: the state of the rasteriser and the number of forced samples.
const TRAILING: Item = Item::Optional {
    open: ",",
    absent: &[],
    printed: false,
    items: &[
        Item::Optional { open: "_", absent: &[], printed: false, items: &[] },
        Item::Optional {
            open: ",",
            absent: &[],
            printed: false,
            items: &[Item::Optional { open: "_", absent: &[], printed: false, items: &[] }],
        },
    ],
};

/// A place that may be written empty.
const NOTHING: Item = Item::Optional {
    open: ", ",
    absent: &[],
    printed: true,
    items: &[Item::Optional { open: "_", absent: &[], printed: true, items: &[] }],
};

/// What output 0 is moved to: its register, or a feed-through.
const MOVED: Item = Item::Choice(
    &[
        Form { field: &W0P, values: Allowed::Set(2), items: &[Item::Number(&register(&W0)), Item::Set(&W0P, 1)] },
        Form {
            field: &W0P,
            values: Allowed::Any,
            items: &[Item::Names(&late::MOVE0, &[("ft0", 0), ("ft1", 1), ("ft2", 2), ("fte", 3)], FEED)],
        },
    ],
    "a register or a feed-through",
);

const BYTES: Item =
    dots![flag!(late::BYTE0, "e0"), flag!(late::BYTE1, "e1"), flag!(late::BYTE2, "e2"), flag!(late::BYTE3, "e3")];
const NARROW_TYPES: Allowed = Allowed::Set(0b11110);
const TEST_ELEMENTS: Item = Item::If(&late::TYPE, NARROW_TYPES, &[dots![element!(late::TEST_ELEMENT, E4)]], &[]);
const TEST_LEFT: Item = Item::Choice(
    &[
        Form { field: &IS1, values: Allowed::Set(1), items: &[Item::Text("ft0"), Item::Set(&IS1, 0)] },
        Form { field: &IS1, values: Allowed::Any, items: &[Item::Set(&IS1, 1), FTE] },
    ],
    "`ft0` or a register",
);
const TEST_RIGHT: Item = Item::Choice(
    &[
        Form { field: &IS2, values: Allowed::Set(1), items: &[Item::Text("ft1"), Item::Set(&IS2, 0)] },
        Form { field: &IS2, values: Allowed::Any, items: &[Item::Set(&IS2, 1), FTE] },
    ],
    "`ft1` or a register",
);
/// What output 0 holds, behind everything else.
const OUTPUT0_FEED: Item = Item::Choice(
    &[
        Form { field: &W0P, values: Allowed::Set(2), items: &[Item::Number(&register(&W0)), Item::Set(&W0P, 1)] },
        Form {
            field: &W0P,
            values: Allowed::Any,
            items: &[Item::Names(&IS4, &[("ft0", 0), ("ft1", 1), ("ft2", 2), ("fte", 3)], FEED)],
        },
    ],
    "a register or a feed-through",
);
const LODS: &[(&str, u64)] = &[("", 0), ("bias", 1), ("replace", 2), ("gradient", 3)];
const SBMODES: &[(&str, u64)] = &[("", 0), ("data", 1), ("info", 2), ("both", 3)];
const CACHES: &[(&str, u64)] = &[("", 0), ("cache1", 1), ("cache2", 2), ("cache3", 3)];
const INDICES: &[(&str, u64)] = &[("", 0), ("index1", 1), ("index2", 2), ("index3", 3)];
const SCHEDULES: &[(&str, u64)] = &[("", 0), ("schedswap", 1), ("schedwdf", 2), ("sched3", 3)];
const ATOMS: &[(&str, u64)] = &[
    ("add", 0),
    ("sub", 1),
    ("xchg", 2),
    ("op3", 3),
    ("umin", 4),
    ("imin", 5),
    ("umax", 6),
    ("imax", 7),
    ("and", 8),
    ("or", 9),
    ("xor", 10),
    ("op11", 11),
    ("op12", 12),
    ("op13", 13),
    ("op14", 14),
    ("op15", 15),
];
const MASK_MODES: &[(&str, u64)] =
    &[("mode0", 0), ("mode1", 1), ("mode2", 2), ("mode3", 3), ("mode4", 4), ("mode5", 5), ("mode6", 6), ("mode7", 7)];
