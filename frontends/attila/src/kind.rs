//! Kinds of operands and their syntax, from which printer and reader are made.

use crate::fields::*;
use crate::limits;
use crate::literal::{DISTANCE, FLOAT, INTEGER, OFFSET};
use parallax_isa::{Allowed, Bank, Form, Item, Problem, Register, Syntax};

/// A kind of operand: which fields it takes and how it is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `(p1)` or `(!p1)` in front.
    Guard,
    /// `_sat` behind the mnemonic.
    Saturate,
    /// Result register with mask.
    Result,
    /// Predicate written by a comparison.
    PredicateResult,
    /// Predicate written by ANDP, which can be inverted.
    AndResult,
    /// First source.
    Source1,
    /// Second source.
    Source2,
    /// Third source.
    Source3,
    /// Float literal as second source.
    FloatLiteral,
    /// Integer literal as second source.
    IntLiteral,
    /// Predicate, constant or `true`/`false` as first source.
    Condition1,
    /// The same as second source.
    Condition2,
    /// Texture unit.
    Unit,
    /// Attribute number of LDA.
    Attribute,
    /// Sample number, with the comma before it.
    Sample,
    /// Jump distance or label.
    Target,
    /// `<- end`, `<- wait`, and bits without a spelling.
    Annotations,
}

/// A bank whose registers the field numbers from 0 on.
const fn bank(name: &'static str, code: u64, count: u64, exist: u16) -> Bank {
    Bank { name, code, first: 0, count, exist: exist as u64 }
}

/// The constants the field numbers from 256 on.
const HIGH_CONSTANTS: Bank =
    Bank { name: "c", code: bank::PARAM2, first: 256, count: 256, exist: limits::PARAM as u64 };
const CONSTANTS: Bank = bank("c", bank::PARAM, 256, limits::PARAM);
const TEMPORARIES: Bank = bank("r", bank::TEMP, 256, limits::TEMP);
const ADDRESSES: Bank = bank("a", bank::ADDR, 256, limits::ADDR);

/// The only relative address of an instruction, behind a constant.
const RELATIVE_ADDRESS: Item = Item::Shared(
    &[Item::Optional {
        open: "[",
        absent: &[(&RELATIVE, 0)],
        printed: false,
        items: &[
            Item::Set(&RELATIVE, 1),
            Item::Register(&Register::new(
                &ADDRESS,
                &[bank("a", 0, 4, limits::ADDR)],
                "an address register `a0` to `a3`",
            )),
            Item::Text("."),
            Item::Component(&ADDRESS_COMPONENT),
            Item::Number(&OFFSET),
            Item::Text("]"),
        ],
    }],
    &Problem {
        code: "second-address",
        message: "an instruction has one relative address, and this differs from the one before",
        help: "",
    },
);

const NO_ADDRESS: Item =
    Item::Refuse("[", &Problem { code: "relative-bank", message: "only constants are addressed relatively", help: "" });

const CONSTANT_BANKS: Allowed = Allowed::Set(1 << bank::PARAM | 1 << bank::PARAM2);

/// The syntax of a source.
macro_rules! source {
    ($n:literal) => {
        &[
            Item::Flag(&SOURCES[$n].negate, "-"),
            Item::Between(
                &SOURCES[$n].absolute,
                "|",
                &[
                    Item::Register(&Register {
                        number: &SOURCES[$n].register,
                        bank: Some(&SOURCES[$n].bank),
                        banks: &[
                            TEMPORARIES,
                            CONSTANTS,
                            HIGH_CONSTANTS,
                            bank("i", bank::IN, 256, limits::IN),
                            ADDRESSES,
                        ],
                        what: "a source register `i`, `r`, `c` or `a`",
                        literal: "a literal can only be the second source of an instruction with two; others read a \
                                  constant",
                    }),
                    Item::If(&SOURCES[$n].bank, CONSTANT_BANKS, &[RELATIVE_ADDRESS], &[NO_ADDRESS]),
                    Item::Swizzle(&SOURCES[$n].swizzle),
                ],
            ),
        ]
    };
}

/// The syntax of a condition.
macro_rules! condition {
    ($n:literal) => {
        &[Item::Choice(
            &[
                Form {
                    field: &SOURCES[$n].absolute,
                    values: Allowed::Max(0),
                    items: &[
                        Item::Flag(&SOURCES[$n].negate, "!"),
                        Item::Register(&Register {
                            number: &SOURCES[$n].register,
                            bank: Some(&SOURCES[$n].any_bank),
                            banks: &[bank("p", bank::TEMP, 256, limits::PREDICATES), CONSTANTS, HIGH_CONSTANTS],
                            what: CONDITION,
                            literal: "",
                        }),
                        Item::If(
                            &SOURCES[$n].any_bank,
                            CONSTANT_BANKS,
                            &[
                                RELATIVE_ADDRESS,
                                Item::Optional {
                                    open: ".",
                                    absent: &[],
                                    printed: true,
                                    items: &[Item::Component(&SOURCES[$n].swizzle)],
                                },
                            ],
                            &[],
                        ),
                    ],
                },
                Form {
                    field: &SOURCES[$n].absolute,
                    values: Allowed::Any,
                    items: &[
                        Item::Names(&SOURCES[$n].negate, &[("false", 0), ("true", 1)], CONDITION),
                        Item::Set(&SOURCES[$n].absolute, 1),
                        Item::Set(&SOURCES[$n].any_bank, bank::TEMP),
                    ],
                },
            ],
            CONDITION,
        )]
    };
}

const CONDITION: &str = "a predicate, a constant, `true` or `false`";

const PREDICATES: &[Bank] = &[bank("p", 0, 256, limits::PREDICATES)];
const SOURCE_NOTATION: &str = "[-][|]{iN, rN, aN, cN, cN[aM.k + off]}[.swizzle][|]";
const CONDITION_NOTATION: &str = "{[!]pN, [!]cN.k, [!]cN[aM.k + off].k, true, false}";

const GUARD_ITEMS: &[Item] = &[Item::Optional {
    open: "(",
    absent: &[(&PREDICATED, 0)],
    printed: false,
    items: &[
        Item::Set(&PREDICATED, 1),
        Item::Flag(&INVERT_GUARD, "!"),
        Item::Register(&Register::new(&GUARD, &[bank("p", 0, 32, limits::PREDICATES)], "a predicate `p0` to `p31`")),
        Item::Text(") "),
    ],
}];

const RESULT_ITEMS: &[Item] = &[
    Item::Register(&Register {
        number: &RESULT,
        bank: Some(&RESULT_BANK),
        banks: &[TEMPORARIES, bank("o", bank::OUT, 256, limits::OUT), ADDRESSES],
        what: "a result register `o`, `r` or `a`",
        literal: "",
    }),
    Item::Mask(&MASK, "!INV!"),
];

const INVERTED_RESULT: Problem = Problem {
    code: "inverted-result",
    message: "the result of a comparison cannot be inverted: there is no bit for it",
    help: "invert where the predicate is used",
};

/// A literal: its sign and bars are the operand's modifiers.
macro_rules! literal {
    ($number:expr) => {
        &[Item::Flag(&SOURCES[1].negate, "-"), Item::Between(&SOURCES[1].absolute, "|", &[Item::Number(&$number)])]
    };
}

const UNIT: &[Bank] = &[bank("t", 0, 256, limits::UNITS)];
const ATTRIBUTE: &[Bank] = &[bank("t", 0, 256, limits::UNITS), bank("i", 0, 256, limits::IN)];
const SAMPLE: &[Bank] = &[bank("s", 0, 256, limits::SAMPLES)];

const ANNOTATIONS: &[Item] = &[Item::Annotations(
    " <- ",
    &[Item::Flag(&END, "end"), Item::Flag(&WAIT, "wait"), Item::Alias(&END, 0, "noend"), Item::Bits("bits")],
    "`end`, `wait`, `noend` or `bits`",
)];

const fn syntax(items: &'static [Item], notation: &'static str) -> Syntax {
    Syntax { items, notation }
}

/// In the order of [`Kind`].
static SYNTAX: [Syntax; 17] = [
    syntax(GUARD_ITEMS, "[(pN) | (!pN)] "),
    syntax(&[Item::Names(&SATURATE, &[("", 0), ("_sat", 1), ("_SAT", 1)], "`_sat`")], "[_sat]"),
    syntax(RESULT_ITEMS, "{o,r,a}N[.mask | !INV!]"),
    syntax(
        &[Item::Refuse("!", &INVERTED_RESULT), Item::Register(&Register::new(&RESULT, PREDICATES, "a predicate"))],
        "pN",
    ),
    syntax(
        &[Item::Flag(&SATURATE, "!"), Item::Register(&Register::new(&RESULT, PREDICATES, "a predicate `pN` or `!pN`"))],
        "[!]pN",
    ),
    syntax(source!(0), SOURCE_NOTATION),
    syntax(source!(1), SOURCE_NOTATION),
    syntax(source!(2), SOURCE_NOTATION),
    syntax(literal!(FLOAT), "[-][|]number[|]"),
    syntax(literal!(INTEGER), "[-][|]integer[|]"),
    syntax(condition!(0), CONDITION_NOTATION),
    syntax(condition!(1), CONDITION_NOTATION),
    syntax(&[Item::Register(&Register::new(&SOURCES[1].register, UNIT, "a texture unit `tN`"))], "tN"),
    syntax(&[Item::Register(&Register::new(&SOURCES[1].register, ATTRIBUTE, "an attribute `tN`"))], "{t,i}N"),
    syntax(
        &[Item::Optional {
            open: ", ",
            absent: &[(&SOURCES[1].register, 0)],
            printed: true,
            items: &[Item::Register(&Register::new(&SOURCES[1].register, SAMPLE, "a sample `sN`"))],
        }],
        "[, sN]",
    ),
    syntax(&[Item::Target(&DISTANCE)], "{distance, label}"),
    syntax(ANNOTATIONS, "[ <- end | <- noend][ <- wait][ <- bits LOW HIGH]"),
];

impl Kind {
    /// How it is written.
    #[inline]
    pub fn syntax(self) -> &'static Syntax {
        &SYNTAX[self as usize]
    }
}
