//! Headers, and the parts that hold what all operations of a group share: source maps, selectors, destinations. No statement
//! shows them, so their text is only that of the reference page: the names of the operand map and numbers.

use super::row::{row, table};
use crate::fields::{extension, header};
use crate::number::part;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Field, Item, Row, Syntax, Table};

const fn f(name: &'static str, lo: u8, len: u8) -> Field {
    Field::new(name, lo, len)
}

/// Rows of a part: mnemonic, its suffix, form, pattern, sentence, and the fields with the names in front of them.
macro_rules! parts {
    ($($name:literal $($suffix:literal)?, $form:literal $pattern:expr, $doc:expr, [$($text:literal: $field:expr),* $(,)?];)*) => {
        &[$({
            static PARTS: Syntax = Syntax {
                items: &[$(Item::Text(concat!(" ", $text, " ")), Item::Number(&part(&const { $field }))),*],
                notation: concat!($(" ", $text),*),
            };
            const TEXT: &str = concat!($name, $($suffix,)? "{x}");
            row!("not in the document", Observed, $name, Lift(Other), TEXT, $doc, [x: PARTS], [], $form, $pattern)
        }),*]
    };
}

const HEADERS: &[Row<Usc>] = parts! {
    "header", "" "- --- - - - - ---- ----", "Length, phases, outputs, condition.", [
        "da": header::DA, "length": header::LENGTH, "ext": header::EXTENDED, "phases": header::PHASES,
        "olchk": header::OVERLAP, "w1p": header::W1P, "w0p": header::W0P, "cc": header::CONDITION
    ];
};
/// The first two bytes.
pub(crate) static HEADER: Table<Usc> =
    table("usc header", "Header", "The first two bytes of every group.", &[Family { title: "Header", rows: HEADERS }]);

const EXTENSIONS: &[Row<Usc>] = parts! {
    "extension", "main" "- 00 o - -- -", "End, repetition, condition.",
        ["end": extension::END, "atom": extension::ATOMIC, "rpt": extension::REPEAT, "cc": extension::CONDITION];
    "extension" ".bitwise", "bitwise" "- 10 o - -- -", "End, repetition, condition.",
        ["end": extension::END, "atom": extension::ATOMIC, "rpt": extension::REPEAT, "cc": extension::CONDITION];
};
/// The third byte of main and bitwise groups.
pub(crate) static EXTENSION: Table<Usc> = table(
    "usc extension",
    "Third byte of the header",
    "Of main and bitwise groups.",
    &[Family { title: "Extension", rows: EXTENSIONS }],
);

/// The eight forms of a source map: its name, its sources, and the sentences of the forms that may hold `is0`. `is0` and the
/// high bits of the third source only exist in the lower map: the upper one ignores these bits, as the two pieces of patterns
/// say.
macro_rules! source_map {
    ($name:literal, $a:literal $b:literal $c:literal, [$($is0:literal)?] $i:literal, [$($high:literal)?] $h:literal,
     $one:literal $two:literal $three:literal) => {
        parts! {
            $name, "one source" "0 - ------", concat!($a, "."),
                [$a: f(concat!($a, ".number"), 0, 6), $a: f(concat!($a, ".bank"), 6, 1)];
            $name, "two sources" "1 0 - ----- 1 - ------", concat!($a, " and ", $b, "."), [
                $a: f(concat!($a, ".number"), 0, 6), $a: f(concat!($a, ".bank"), 6, 1),
                $b: f(concat!($b, ".number"), 8, 5), $b: f(concat!($b, ".bank"), 13, 1)
            ];
            $name, "one source, long" concat!("o{5}--- 0 0 ", $i, $i, " -- -- 1 - ------"), $one, [
                $a: f(concat!($a, ".number"), 0, 6).then(8, 2).then(16, 3),
                $a: f(concat!($a, ".bank"), 6, 1).then(10, 2)
                $(, $is0: f($is0, 12, 2))?
            ];
            $name, "two sources, 3 bytes" concat!("0 ", $i, $i, " - - - -- 1 1 - ----- 1 - ------"), $two, [
                $a: f(concat!($a, ".number"), 0, 6).then(18, 1), $a: f(concat!($a, ".bank"), 6, 1).then(20, 1),
                $b: f(concat!($b, ".number"), 8, 5).then(16, 2), $b: f(concat!($b, ".bank"), 13, 1).then(19, 1)
                $(, $is0: f($is0, 21, 2))?
            ];
            $name, "two sources, 4 bytes"
                concat!("--- ", $i, " - o - - 1 ", $i, $i, " - - - -- 1 1 - ----- 1 - ------"), $two, [
                $a: f(concat!($a, ".number"), 0, 6).then(18, 1).then(25, 1).then(29, 3),
                $a: f(concat!($a, ".bank"), 6, 1).then(20, 1).then(27, 1),
                $b: f(concat!($b, ".number"), 8, 5).then(16, 2).then(24, 1), $b: f(concat!($b, ".bank"), 13, 1).then(19, 1)
                $(, $is0: f($is0, 21, 2).then(28, 1))?
            ];
            $name, "three sources, 4 bytes"
                concat!("-- ------ 0 ", $i, $i, " - - - -- 0 1 - ----- 1 - ------"), $three, [
                $a: f(concat!($a, ".number"), 0, 6).then(18, 1), $a: f(concat!($a, ".bank"), 6, 1).then(20, 1),
                $b: f(concat!($b, ".number"), 8, 5).then(16, 2), $b: f(concat!($b, ".bank"), 13, 1).then(19, 1),
                $c: f(concat!($c, ".number"), 24, 6), $c: f(concat!($c, ".bank"), 30, 2)
                $(, $is0: f($is0, 21, 2))?
            ];
            $name, "three sources, 5 bytes" concat!(
                $h, " -- ", $i, " - 0 - - -- ------ 1 ", $i, $i, " - - - -- 0 1 - ----- 1 - ------"
            ), $three, [
                $a: f(concat!($a, ".number"), 0, 6).then(18, 1).then(33, 1),
                $a: f(concat!($a, ".bank"), 6, 1).then(20, 1).then(35, 1),
                $b: f(concat!($b, ".number"), 8, 5).then(16, 2).then(32, 1), $b: f(concat!($b, ".bank"), 13, 1).then(19, 1),
                $c: f(concat!($c, ".number"), 24, 6).then(37, 2), $c: f(concat!($c, ".bank"), 30, 2)$(.then(39, $high))?
                $(, $is0: f($is0, 21, 2).then(36, 1))?
            ];
            $name, "three sources, 6 bytes" concat!(
                "oo ", $h, $h, $h, " --- ", $h, " -- ", $i, " - 1 - - -- ------ 1 ", $i, $i,
                " - - - -- 0 1 - ----- 1 - ------"
            ), $three, [
                $a: f(concat!($a, ".number"), 0, 6).then(18, 1).then(33, 1).then(40, 3),
                $a: f(concat!($a, ".bank"), 6, 1).then(20, 1).then(35, 1),
                $b: f(concat!($b, ".number"), 8, 5).then(16, 2).then(32, 1), $b: f(concat!($b, ".bank"), 13, 1).then(19, 1),
                $c: f(concat!($c, ".number"), 24, 6).then(37, 2)$(.then(43, 3 * $high))?,
                $c: f(concat!($c, ".bank"), 30, 2)$(.then(39, $high))?
                $(, $is0: f($is0, 21, 2).then(36, 1))?
            ];
        }
    };
}

const LOWER_ROWS: &[Row<Usc>] = source_map! {
    "lower", "s0" "s1" "s2", ["is0"] "-", [1] "-", "s0 and is0." "s0, s1 and is0." "s0, s1, s2 and is0."
};
/// s0, s1, s2.
pub(crate) static LOWER: Table<Usc> = table(
    "usc lower sources",
    "Lower sources",
    "One to six bytes: s0, s1, s2, and what is0 is.",
    &[Family { title: "Lower sources", rows: LOWER_ROWS }],
);

const UPPER_ROWS: &[Row<Usc>] = source_map! {
    "upper", "s3" "s4" "s5", [] "o", [] "o", "s3." "s3 and s4." "s3, s4 and s5."
};
/// s3, s4, s5.
pub(crate) static UPPER: Table<Usc> = table(
    "usc upper sources",
    "Upper sources",
    "One to six bytes: s3, s4, s5.",
    &[Family { title: "Upper sources", rows: UPPER_ROWS }],
);

const SELECTOR_ROWS: &[Row<Usc>] = parts! {
    "selectors", "" "-- -- -- - -", "is1 to is5.", [
        "is5": f("is5", 6, 2), "is4": f("is4", 4, 2), "is3": f("is3", 2, 2), "is2": f("is2", 1, 1), "is1": f("is1", 0, 1)
    ];
};
/// What the internal sources are, in main groups.
pub(crate) static SELECTORS: Table<Usc> = table(
    "usc selectors",
    "Selectors",
    "One byte, in main groups only.",
    &[Family { title: "Selectors", rows: SELECTOR_ROWS }],
);

/// The forms of the destination of one output.
macro_rules! destination {
    ($name:literal, $w:literal, $doc:literal) => {
        parts! {
            $name, "short" "0 - ------", $doc, [$w: f(concat!($w, ".number"), 0, 6), $w: f(concat!($w, ".bank"), 6, 1)];
            $name, "long" "o --- -- -- 1 - ------", $doc, [
                $w: f(concat!($w, ".number"), 0, 6).then(8, 2).then(12, 3),
                $w: f(concat!($w, ".bank"), 6, 1).then(10, 2)
            ];
        }
    };
}

const FIRST_ROWS: &[Row<Usc>] = destination!("first", "w0", "The register of output 0.");
/// The register of output 0 alone.
pub(crate) static FIRST: Table<Usc> = table(
    "usc destination 0",
    "Destination",
    "Of output 0 alone.",
    &[Family { title: "Destination", rows: FIRST_ROWS }],
);

const SECOND_ROWS: &[Row<Usc>] = destination!("second", "w1", "The register of output 1.");
/// The register of output 1 alone.
pub(crate) static SECOND: Table<Usc> = table(
    "usc destination 1",
    "Destination",
    "Of output 1 alone.",
    &[Family { title: "Destination", rows: SECOND_ROWS }],
);

const BOTH_ROWS: &[Row<Usc>] = parts! {
    "both", "short" "0 - ------ - -------", "The registers of both outputs.", [
        "w0": f("w0.number", 0, 7), "w0": f("w0.bank", 7, 1), "w1": f("w1.number", 8, 6), "w1": f("w1.bank", 14, 1)
    ];
    "both", "long" "0 -- -- -- - 1 - ------ - -------", "The registers of both outputs.", [
        "w0": f("w0.number", 0, 7).then(16, 1), "w0": f("w0.bank", 7, 1).then(17, 2),
        "w1": f("w1.number", 8, 6).then(19, 2), "w1": f("w1.bank", 14, 1).then(21, 2)
    ];
    "both", "longest" "oo --- --- 1 -- -- -- - 1 - ------ - -------", "The registers of both outputs.", [
        "w0": f("w0.number", 0, 7).then(16, 1).then(24, 3), "w0": f("w0.bank", 7, 1).then(17, 2),
        "w1": f("w1.number", 8, 6).then(19, 2).then(27, 3), "w1": f("w1.bank", 14, 1).then(21, 2)
    ];
};
/// The registers of both outputs.
pub(crate) static BOTH: Table<Usc> =
    table("usc destinations", "Destinations", "Of both outputs.", &[Family { title: "Destinations", rows: BOTH_ROWS }]);
