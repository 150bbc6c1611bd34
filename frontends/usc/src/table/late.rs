//! Operations of phase 2: pack, test, move, in the order of their bytes move, test, pack.

use super::row::{rows, table, why};
use crate::fields::*;
use crate::number::register;
use crate::operand::*;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Allowed, Family, Field, Item, Row, Table};

/// What output 0 takes: 0 ft0, 1 ft1, 2 ft2, 3 fte.
pub(crate) const MOVED0: Field = Field::new("movw0", 0, 2);
/// What output 1 takes.
pub(crate) const MOVED1: Field = Field::new("movw1", 2, 2);
/// The move is the last operation of the phase.
pub(crate) const MOVE_LAST: Field = Field::new("last", 8, 1);
/// The test is the last operation of the phase.
pub(crate) const TEST_LAST: Field = Field::new("last", 12, 1);
/// Type of what is tested.
const TYPE: Field = Field::new("type", 13, 3).up_to(6);
/// Element of both operands of a test.
const TEST_ELEMENT: Field = Field::new("element", 10, 2);

/// What output 0 is moved to: its register, or a feed-through.
const MOVED: Item = output!(
    &W0P,
    &W0,
    "a register or a feed-through",
    Item::Names(&MOVED0, &[("ft0", 0), ("ft1", 1), ("ft2", 2), ("fte", 3)], FEED)
);
/// Elements of types that have several.
const TEST_ELEMENTS: Item = Item::If(&TYPE, Allowed::Set(0b11110), &[dots![element(&TEST_ELEMENT)]], &[]);

/// An operand of a test: a feed-through or fte.
macro_rules! tested {
    ($field:expr, $feed:literal, $what:literal) => {
        Item::Choice(
            &[
                parallax_isa::Form {
                    field: $field,
                    values: Allowed::Set(1),
                    items: &[Item::Text($feed), Item::Set($field, 0)],
                },
                parallax_isa::Form { field: $field, values: Allowed::Any, items: &[Item::Set($field, 1), FTE] },
            ],
            $what,
        )
    };
}
const LEFT: Item = tested!(&IS1, "ft0", "`ft0` or a register");
const RIGHT: Item = tested!(&IS2, "ft1", "`ft1` or a register");

operands! {
    PACK_MODS = ".format[.scale][.roundzero][.prog]", suffixes![
        format(field!("format", 8, 5)),
        flag!(13, "scale"),
        flag!(14, "rtz", "roundzero"),
        Item::Alias(field!("rtz", 14, 1), 1, "rndzero"),
        flag!(15, "prog"),
    ];
    PACKED = "{ft0, ft1, reg}", feed!(&IS3);
    FLOAT_MODS = "[.sat]", suffixes![flag!(4, "sat")];
    FLOAT_FIRST = "{ft0, ft1, reg}[.abs][.neg]", feed!(&IS3), modified!("s0": abs 2, neg 3);
    FLOAT_SECOND = "reg[.abs]", FTE, modified!("s1": abs 1);
    TEST_TYPE = ".type", suffixes![Item::Names(
        &TYPE,
        &[("f32", 0), ("u16", 1), ("s16", 2), ("u8", 3), ("s8", 4), ("u32", 5), ("s32", 6)],
        "a type",
    )];
    TEST_F32 = ".f32", Item::Optional { open: ".f32", absent: &[], printed: true, items: &[] };
    TEST_P0 = "{p0, _}", p0(field!("p0", 0, 1)), Item::Set(&TEST_LAST, 0);
    TEST_P0_SHORT = "{p0, _}", p0(field!("p0", 0, 1));
    NO_ELEMENT = "", Item::Set(&TEST_ELEMENT, 0);
    TEST_LEFT = "{ft0, reg}[.eN]", LEFT, TEST_ELEMENTS;
    TEST_RIGHT = "{ft1, reg}[.eN]", RIGHT, TEST_ELEMENTS;
    TEST_LEFT_SHORT = "{ft0, reg}", LEFT;
    TEST_RIGHT_SHORT = "{ft1, reg}", RIGHT;
    MOVE_BYTES = "{reg, ftN}[.e0][.e1][.e2][.e3]", MOVED,
        dots![flag!(10, "e0"), flag!(11, "e1"), flag!(12, "e2"), flag!(13, "e3")];
    MOVE_WHOLE = "{reg, ftN}", MOVED;
    MOVE_ALL = "{reg, ftN}.e0.e1.e2.e3", MOVED, Item::Text(".e0.e1.e2.e3");
    CHOSEN = "{ft0, ft1, ft2, reg}", feed!(&MOVED0), Item::Set(&MOVE_LAST, 0);
    CHOSEN_SHORT = "{ft0, ft1, ft2, reg}", feed!(&MOVED0);
    DEFAULT = "{ft0, ft1, ft2, reg}", feed!(&IS4);
    DEFAULT_HIDDEN = "[, {ft0, ft1, ft2, reg}]",
        Item::Optional { open: ", ", absent: &[(&IS4, 0)], printed: false, items: &[feed!(&IS4)] };
    DEFAULT_SHOWN = "[, {ft0, ft1, ft2, reg}]",
        Item::Optional { open: ", ", absent: &[(&IS4, 0)], printed: true, items: &[feed!(&IS4)] };
    CONDITIONAL = "[c]", Item::Names(&W1P, &[("", 0), ("c", 1)], "`movc`");
    // The second output, or what the first is otherwise.
    SECOND_OUTPUT = "{w1, otherwise}", Item::If(
        &W1P,
        Allowed::Set(2),
        &[Item::Number(&register(&W1)), Item::Set(&W1P, 1)],
        &[feed!(&IS4)],
    );
    SECOND_CHOSEN = "{ft0, ft1, ft2, reg}[, otherwise0, otherwise1]", feed!(&MOVED1), Item::If(
        &W1P,
        Allowed::Set(2),
        &[Item::Optional {
            open: ", ",
            absent: &[(&IS4, 1), (&IS5, 0)],
            printed: false,
            items: &[feed!(&IS4), Item::Text(", "), feed!(&IS5)],
        }],
        &[],
    );
}

const MOVES: &[Row<Usc>] = rows! { "section 6.2", Observed;
    "mov", Lift(Mov), "mov {d}, {a}{b}", "Output 0 takes a feed-through.",
        [d: MOVE_ALL, a: CHOSEN, b: DEFAULT_HIDDEN] { "all bytes" "oo 1111 1- 110 1oo--"; }
    "mov", Lift(Mov), "mov {d}.none, {a}, {b}", "Output 0 keeps its default.",
        [d: MOVE_WHOLE, a: CHOSEN, b: DEFAULT] { "no bytes" "oo 0000 1- 110 1oo--"; }
    "mov", Lift(Mov), "mov {d}, {a}{b}", "Bytes of output 0 take a feed-through, the others the default.",
        [d: MOVE_BYTES, a: CHOSEN, b: DEFAULT_SHOWN] { "" "oo ---- 1- 110 1oo--"; }
    "mov", Lift(Movc), "mov{c} {d}, {e}, ftt, {a}, {b}", "The outputs take feed-throughs where the test is true.",
        [c: CONDITIONAL, e: SECOND_OUTPUT, b: SECOND_CHOSEN] {
            "test, one byte" "110 0----", [d: MOVE_WHOLE, a: CHOSEN_SHORT];
            "test" "oo ---- 0- 110 1----", [d: MOVE_BYTES, a: CHOSEN];
        }
    "mov", Lift(Movc), "mov{c} {d}.none, {e}, ftt, {a}, {b}", "Output 1 takes a feed-through where the test is true.",
        [c: CONDITIONAL, d: MOVE_WHOLE, e: SECOND_OUTPUT, a: CHOSEN, b: SECOND_CHOSEN] {
            "test, no bytes" "oo 0000 0- 110 1----";
        }
};

/// Tests of two bytes, of one or two operands.
macro_rules! tests {
    ($($name:literal, $low:literal, $high:literal, $text:literal, [$($b:ident)?], $doc:literal;)*) => {
        rows! { "section 6.4", Observed;
            $($name, Lift(Test), concat!($name, "{t} ftt, {p}, {a}", $text), $doc,
                [t: TEST_TYPE, p: TEST_P0, a: TEST_LEFT $(, $b: TEST_RIGHT)?] {
                "" concat!("--- - -- o", $high, " 111 1", $low, "-");
            })*
        }
    };
}
/// Tests of one byte.
macro_rules! short_tests {
    ($($name:literal, $low:literal, $text:literal, [$($a:ident)? $(, $b:ident)?], $doc:literal;)*) => {
        rows! { "section 6.4", Implemented;
            $($name, Lift(Test), concat!($name, "{t} ftt, {p}", $text), $doc,
                [t: TEST_F32, p: TEST_P0_SHORT $(, $a: TEST_LEFT_SHORT)? $(, $b: TEST_RIGHT_SHORT)?] {
                "short" concat!("111 0", $low, "-");
            })*
        }
    };
}

const TESTS: &[Row<Usc>] = tests! {
    "tstz", "000", "0", "", [], "Whether a number is 0.";
    "tstgz", "001", "0", "", [], "Whether a number is above 0.";
    "tstgez", "010", "0", "", [], "Whether a number is 0 or above.";
    "tste", "100", "0", ", {b}", [b], "Whether two numbers are equal.";
    "tstg", "101", "0", ", {b}", [b], "Whether the first number is greater.";
    "tstge", "110", "0", ", {b}", [b], "Whether the first number is greater or equal.";
    "tstne", "111", "0", ", {b}", [b], "Whether two numbers differ.";
    "tstl", "000", "1", ", {b}", [b], "Whether the first number is less.";
    "tstle", "001", "1", ", {b}", [b], "Whether the first number is less or equal.";
};
const SHORT_TESTS: &[Row<Usc>] = short_tests! {
    "tstz", "000", ", {a}", [a], "Whether a number is 0.";
    "tstgz", "001", ", {a}", [a], "Whether a number is above 0.";
    "tstgez", "010", ", {a}", [a], "Whether a number is 0 or above.";
    "tstc", "011", "", [], "Whether the integer operation of phase 0 carried.";
    "tste", "100", ", {a}, {b}", [a, b], "Whether two numbers are equal.";
    "tstg", "101", ", {a}, {b}", [a, b], "Whether the first number is greater.";
    "tstge", "110", ", {a}, {b}", [a, b], "Whether the first number is greater or equal.";
    "tstne", "111", ", {a}, {b}", [a, b], "Whether two numbers differ.";
};

const CARRY: &[Row<Usc>] = rows! { "section 6.4", Documented;
    "tstc", Lift(Test), "tstc{t} ftt, {p}{e}", "Whether the integer operation of phase 0 carried.",
        [t: TEST_TYPE, p: TEST_P0, e: NO_ELEMENT] { "" "--- - -- o0 111 1011-"; }
    "tstmin", Lift(Test), "tstmin{t} ftt, {p}, {a}, {b}", "Whether the first number is less.",
        [t: TEST_TYPE, p: TEST_P0, a: TEST_LEFT, b: TEST_RIGHT] { "no encoding" "1 o{111} --- - -- o1 111 1000-"; }
    "tstmax", Lift(Test), "tstmax{t} ftt, {p}, {a}, {b}", "Whether the first number is greater or equal.",
        [t: TEST_TYPE, p: TEST_P0, a: TEST_LEFT, b: TEST_RIGHT] { "no encoding" "1 o{111} --- - -- o0 111 1110-"; }
};

const PACKS: &[Row<Usc>] = rows! { "section 6.2.3", Observed;
    "pck", Lift(Pck), "pck{m} ft2, {a}", "Packs a number.", [m: PACK_MODS, a: PACKED] { "" "- - - ----- 100 11100"; }
    "fadd", Lift(Fadd), "fadd{m} ft2, {a}, {b}", "Adds two numbers.", [m: FLOAT_MODS, a: FLOAT_FIRST, b: FLOAT_SECOND] {
        "phase 2, no encoding" "1 o{119} 000 ----o";
    }
    ("fmul" "mul"), Lift(Fmul), "fmul{m} ft2, {a}, {b}", "Multiplies two numbers.",
        [m: FLOAT_MODS, a: FLOAT_FIRST, b: FLOAT_SECOND] { "phase 2, no encoding" "1 o{119} 010 ----o"; }
    "converttof64", Unsupported(why::F64), "converttof64{m} {x}", "Converts a number to a 64-bit float.",
        [m: ANY_SUFFIX, x: OPERANDS] { "no encoding" "1 o{62}- o{56} 001 00000"; }
    "gta", Unsupported("addresses of texels are not done"), "gta{m} {x}", "Generates the address of a texel.",
        [m: ANY_SUFFIX, x: OPERANDS] { "no encoding" "1 o{62}- o{56} 001 00001"; }
};

/// Phase 2.
pub(crate) static LATE: Table<Usc> = table(
    "usc phase 2",
    "Operations of phase 2",
    "One or two bytes each; a bit of the longer forms says which is the last of the group. The sources are what is0 to is5 select.",
    &[
        Family { title: "Moves", rows: MOVES },
        Family { title: "Tests", rows: TESTS },
        Family { title: "Carry, and tests without an encoding", rows: CARRY },
        Family { title: "Tests of one byte", rows: SHORT_TESTS },
        Family { title: "Packing, and arithmetic without an encoding", rows: PACKS },
    ],
);
