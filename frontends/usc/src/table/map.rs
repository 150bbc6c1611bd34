//! Headers, and the parts that hold what all operations of a group share: source maps, selectors, destinations.

use super::row::{rows, table};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Row, Table};

const HEADERS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "header", "", "- --- - - - - ---- ----", [h: HEADER_PARTS], "header{h}", Lift(Other), "Length, phases, outputs, condition.";
};
/// The first two bytes.
pub(crate) static HEADER: Table<Usc> =
    table("usc header", "Header", "The first two bytes of every group.", &[Family { title: "Header", rows: HEADERS }]);

const EXTENSIONS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "extension", "main", "- 00 o - -- -", [h: EXTENSION_PARTS], "extension{h}", Lift(Other), "End, repetition, condition.";
    "extension", "bitwise", "- 10 o - -- -", [h: EXTENSION_PARTS], "extension.bitwise{h}", Lift(Other), "End, repetition, condition.";
};
/// The third byte of main and bitwise groups.
pub(crate) static EXTENSION: Table<Usc> = table(
    "usc extension",
    "Third byte of the header",
    "Of main and bitwise groups.",
    &[Family { title: "Extension", rows: EXTENSIONS }],
);

const LOWER_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "lower", "one source", "0 - ------", [x: LOWER1], "lower{x}", Lift(Other), "s0.";
    "lower", "two sources", "1 0 - ----- 1 - ------", [x: LOWER2], "lower{x}", Lift(Other), "s0 and s1.";
    "lower", "one source, long", "o{5}--- 0 0 -- -- -- 1 - ------", [x: LOWER3], "lower{x}", Lift(Other), "s0 and is0.";
    "lower", "two sources, 3 bytes", "0 -- - - - -- 1 1 - ----- 1 - ------", [x: LOWER4], "lower{x}", Lift(Other),
        "s0, s1 and is0.";
    "lower", "two sources, 4 bytes", "--- - - o - - 1 -- - - - -- 1 1 - ----- 1 - ------", [x: LOWER5], "lower{x}", Lift(Other),
        "s0, s1 and is0.";
    "lower", "three sources, 4 bytes", "-- ------ 0 -- - - - -- 0 1 - ----- 1 - ------", [x: LOWER6], "lower{x}", Lift(Other),
        "s0, s1, s2 and is0.";
    "lower", "three sources, 5 bytes", "- -- - - 0 - - -- ------ 1 -- - - - -- 0 1 - ----- 1 - ------", [x: LOWER7], "lower{x}",
        Lift(Other), "s0, s1, s2 and is0.";
    "lower", "three sources, 6 bytes", "oo --- --- - -- - - 1 - - -- ------ 1 -- - - - -- 0 1 - ----- 1 - ------", [x: LOWER8],
        "lower{x}", Lift(Other), "s0, s1, s2 and is0.";
};
/// s0, s1, s2.
pub(crate) static LOWER: Table<Usc> = table(
    "usc lower sources",
    "Lower sources",
    "One to six bytes: s0, s1, s2, and what is0 is.",
    &[Family { title: "Lower sources", rows: LOWER_ROWS }],
);

const UPPER_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "upper", "one source", "0 - ------", [x: UPPER1], "upper{x}", Lift(Other), "s3.";
    "upper", "two sources", "1 0 - ----- 1 - ------", [x: UPPER2], "upper{x}", Lift(Other), "s3 and s4.";
    "upper", "one source, long", "o{5}--- 0 0 oo -- -- 1 - ------", [x: UPPER3], "upper{x}", Lift(Other), "s3.";
    "upper", "two sources, 3 bytes", "0 oo - - - -- 1 1 - ----- 1 - ------", [x: UPPER4], "upper{x}", Lift(Other), "s3 and s4.";
    "upper", "two sources, 4 bytes", "--- o - o - - 1 oo - - - -- 1 1 - ----- 1 - ------", [x: UPPER5], "upper{x}", Lift(Other),
        "s3 and s4.";
    "upper", "three sources, 4 bytes", "-- ------ 0 oo - - - -- 0 1 - ----- 1 - ------", [x: UPPER6], "upper{x}", Lift(Other),
        "s3, s4 and s5.";
    "upper", "three sources, 5 bytes", "o -- o - 0 - - -- ------ 1 oo - - - -- 0 1 - ----- 1 - ------", [x: UPPER7], "upper{x}",
        Lift(Other), "s3, s4 and s5.";
    "upper", "three sources, 6 bytes", "oo ooo --- o -- o - 1 - - -- ------ 1 oo - - - -- 0 1 - ----- 1 - ------", [x: UPPER8],
        "upper{x}", Lift(Other), "s3, s4 and s5.";
};
/// s3, s4, s5.
pub(crate) static UPPER: Table<Usc> = table(
    "usc upper sources",
    "Upper sources",
    "One to six bytes: s3, s4, s5.",
    &[Family { title: "Upper sources", rows: UPPER_ROWS }],
);

const SELECTOR_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "selectors", "", "-- -- -- - -", [x: SELECTOR_PARTS], "selectors{x}", Lift(Other), "is1 to is5.";
};
/// What the internal sources are, in main groups.
pub(crate) static SELECTORS: Table<Usc> = table(
    "usc selectors",
    "Selectors",
    "One byte, in main groups only.",
    &[Family { title: "Selectors", rows: SELECTOR_ROWS }],
);

const FIRST_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "first", "short", "0 - ------", [x: FIRST1], "first{x}", Lift(Other), "The register of output 0.";
    "first", "long", "o --- -- -- 1 - ------", [x: FIRST2], "first{x}", Lift(Other), "The register of output 0.";
};
/// The register of output 0 alone.
pub(crate) static FIRST: Table<Usc> = table(
    "usc destination 0",
    "Destination",
    "Of output 0 alone.",
    &[Family { title: "Destination", rows: FIRST_ROWS }],
);

const SECOND_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "second", "short", "0 - ------", [x: SECOND1], "second{x}", Lift(Other), "The register of output 1.";
    "second", "long", "o --- -- -- 1 - ------", [x: SECOND2], "second{x}", Lift(Other), "The register of output 1.";
};
/// The register of output 1 alone.
pub(crate) static SECOND: Table<Usc> = table(
    "usc destination 1",
    "Destination",
    "Of output 1 alone.",
    &[Family { title: "Destination", rows: SECOND_ROWS }],
);

const BOTH_ROWS: &[Row<Usc>] = rows! { "not in the document", Observed;
    "both", "short", "0 - ------ - -------", [x: BOTH1], "both{x}", Lift(Other), "The registers of both outputs.";
    "both", "long", "0 -- -- -- - 1 - ------ - -------", [x: BOTH2], "both{x}", Lift(Other), "The registers of both outputs.";
    "both", "longest", "oo --- --- 1 -- -- -- - 1 - ------ - -------", [x: BOTH3], "both{x}", Lift(Other),
        "The registers of both outputs.";
};
/// The registers of both outputs.
pub(crate) static BOTH: Table<Usc> =
    table("usc destinations", "Destinations", "Of both outputs.", &[Family { title: "Destinations", rows: BOTH_ROWS }]);
