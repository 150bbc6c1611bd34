//! Operations of phase 2: pack, test, move, in the order of their bytes move, test, pack.

use super::row::{rows, table, why};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Family, Row, Table};

const MOVES: &[Row<Usc>] = rows! { "section 6.2", Observed;
    "mov", "all bytes", "oo 1111 1- 110 1oo--", [d: MOVE_ALL, a: MOVE_FEED, b: MOVE_REST], "mov {d}, {a}{b}", Lift(Mov),
        "Output 0 takes a feed-through.";
    "mov", "no bytes", "oo 0000 1- 110 1oo--", [d: MOVE_WHOLE, a: MOVE_FEED, b: IS4_FEED], "mov {d}.none, {a}, {b}", Lift(Mov),
        "Output 0 keeps its default.";
    "mov", "", "oo ---- 1- 110 1oo--", [d: MOVE_BYTES, a: MOVE_FEED, b: MOVE_REST_SHOWN], "mov {d}, {a}{b}", Lift(Mov),
        "Bytes of output 0 take a feed-through, the others the default.";
    "mov", "test, one byte", "110 0----",
        [c: CONDITIONAL, d: MOVE_WHOLE, e: MOVE_SECOND, a: MOVE_FEED_SHORT, b: MOVE_SECOND_FEED],
        "mov{c} {d}, {e}, ftt, {a}, {b}", Lift(Movc), "The outputs take feed-throughs where the test is true.";
    "mov", "test", "oo ---- 0- 110 1----",
        [c: CONDITIONAL, d: MOVE_BYTES, e: MOVE_SECOND, a: MOVE_FEED, b: MOVE_SECOND_FEED],
        "mov{c} {d}, {e}, ftt, {a}, {b}", Lift(Movc), "The outputs take feed-throughs where the test is true.";
    "mov", "test, no bytes", "oo 0000 0- 110 1----",
        [c: CONDITIONAL, d: MOVE_WHOLE, e: MOVE_SECOND, a: MOVE_FEED, b: MOVE_SECOND_FEED],
        "mov{c} {d}.none, {e}, ftt, {a}, {b}", Lift(Movc), "Output 1 takes a feed-through where the test is true.";
};

/// Tests: the form of two bytes, and that of one where there is one.
macro_rules! tests {
    ($($name:literal, $low:literal, $high:literal, $text:literal, [$($a:ident)? $(, $b:ident)?], $doc:literal;)*) => {
        rows! { "section 6.4", Observed;
            $($name, "", concat!("--- - -- o", $high, " 111 1", $low, "-"), [t: TEST_TYPE, p: TEST_P0 $(, $a: TEST_A)? $(, $b: TEST_B)?],
                concat!($name, "{t} ftt, {p}", $text), Lift(Test), $doc;)*
        }
    };
}
macro_rules! short_tests {
    ($($name:literal, $low:literal, $text:literal, [$($a:ident)? $(, $b:ident)?], $doc:literal;)*) => {
        rows! { "section 6.4", Implemented;
            $($name, "short", concat!("111 0", $low, "-"), [t: TEST_F32, p: TEST_P0_SHORT $(, $a: TEST_SHORT_A)? $(, $b: TEST_SHORT_B)?],
                concat!($name, "{t} ftt, {p}", $text), Lift(Test), $doc;)*
        }
    };
}

const TESTS: &[Row<Usc>] = tests! {
    "tstz", "000", "0", ", {a}", [a], "Whether a number is 0.";
    "tstgz", "001", "0", ", {a}", [a], "Whether a number is above 0.";
    "tstgez", "010", "0", ", {a}", [a], "Whether a number is 0 or above.";
    "tste", "100", "0", ", {a}, {b}", [a, b], "Whether two numbers are equal.";
    "tstg", "101", "0", ", {a}, {b}", [a, b], "Whether the first number is greater.";
    "tstge", "110", "0", ", {a}, {b}", [a, b], "Whether the first number is greater or equal.";
    "tstne", "111", "0", ", {a}, {b}", [a, b], "Whether two numbers differ.";
    "tstl", "000", "1", ", {a}, {b}", [a, b], "Whether the first number is less.";
    "tstle", "001", "1", ", {a}, {b}", [a, b], "Whether the first number is less or equal.";
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
    "tstc", "", "--- - -- o0 111 1011-", [t: TEST_TYPE, p: TEST_P0, e: NO_TEST_ELEMENT], "tstc{t} ftt, {p}{e}", Lift(Test),
        "Whether the integer operation of phase 0 carried.";
    "tstmin", "no encoding", "1 o{111} --- - -- o1 111 1000-", [t: TEST_TYPE, p: TEST_P0, a: TEST_A, b: TEST_B],
        "tstmin{t} ftt, {p}, {a}, {b}", Lift(Test), "Whether the first number is less.";
    "tstmax", "no encoding", "1 o{111} --- - -- o0 111 1110-", [t: TEST_TYPE, p: TEST_P0, a: TEST_A, b: TEST_B],
        "tstmax{t} ftt, {p}, {a}, {b}", Lift(Test), "Whether the first number is greater or equal.";
};

const PACKS: &[Row<Usc>] = rows! { "section 6.2.3", Observed;
    "pck", "", "- - - ----- 100 11100", [m: PACK_MODS, a: IS3_FEED], "pck{m} ft2, {a}", Lift(Pck), "Packs a number.";
    "fadd", "phase 2, no encoding", "1 o{119} 000 ----o", [m: FLOAT2_MODS, a: FLOAT2_A, b: FLOAT2_B], "fadd{m} ft2, {a}, {b}",
        Lift(Fadd), "Adds two numbers.";
    "fmul" = "mul", "phase 2, no encoding", "1 o{119} 010 ----o", [m: FLOAT2_MODS, a: FLOAT2_A, b: FLOAT2_B],
        "fmul{m} ft2, {a}, {b}", Lift(Fmul), "Multiplies two numbers.";
    "converttof64", "no encoding", "1 o{62}- o{56} 001 00000", [m: ANY_SUFFIX, x: OPERANDS], "converttof64{m} {x}",
        Unsupported(why::F64), "Converts a number to a 64-bit float.";
    "gta", "no encoding", "1 o{62}- o{56} 001 00001", [m: ANY_SUFFIX, x: OPERANDS], "gta{m} {x}",
        Unsupported("addresses of texels are not done"), "Generates the address of a texel.";
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
