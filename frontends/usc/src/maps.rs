//! Where linked parts hold the operands of a group: the fields of their words, by the names of the operand map.
//!
//! No statement shows these parts, so their text is only that of the reference page: names and numbers.

use crate::fields::{extension, header};
use parallax_isa::{Field, Item, Number, Syntax};

/// A field as a number with its name in front.
macro_rules! parts {
    ($($name:ident = [$($text:literal: $field:expr),*];)*) => {
        $(pub(crate) static $name: Syntax = Syntax {
            items: &[$(Item::Text(concat!(" ", $text, " ")), Item::Number(&part(&$field))),*],
            notation: concat!($(" ", $text),*),
        };)*
    };
}

const RANGE: parallax_isa::Problem =
    parallax_isa::Problem { code: "usc-range", message: "the number does not fit", help: "" };

const fn part(field: &'static Field) -> Number {
    Number {
        field,
        print: |value, _, line| line.signed(value),
        read: crate::number::read_number,
        what: "a number",
        allowed: "a number",
        range: &RANGE,
    }
}

const fn f(name: &'static str, lo: u8, len: u8) -> Field {
    Field::new(name, lo, len)
}

macro_rules! n {
    ($s:literal) => {
        concat!($s, ".number")
    };
}
macro_rules! b {
    ($s:literal) => {
        concat!($s, ".bank")
    };
}

/// The eight forms of a source map. `is0` and the high bits of the third source only exist in the lower one.
macro_rules! forms {
    ($a:literal $b:literal $c:literal; $one:ident $two:ident $long:ident $two3:ident $two4:ident $three4:ident $three5:ident
     $three6:ident; [$($is0:literal)?] [$($bank2:literal)?]) => {
        parts! {
            $one = [$a: f(n!($a), 0, 6), $a: f(b!($a), 6, 1)];
            $two = [
                $a: f(n!($a), 0, 6), $a: f(b!($a), 6, 1),
                $b: f(n!($b), 8, 5), $b: f(b!($b), 13, 1)
            ];
            $long = [
                $a: f(n!($a), 0, 6).then(8, 2).then(16, 3), $a: f(b!($a), 6, 1).then(10, 2)
                $(, $is0: f($is0, 12, 2))?
            ];
            $two3 = [
                $a: f(n!($a), 0, 6).then(18, 1), $a: f(b!($a), 6, 1).then(20, 1),
                $b: f(n!($b), 8, 5).then(16, 2), $b: f(b!($b), 13, 1).then(19, 1)
                $(, $is0: f($is0, 21, 2))?
            ];
            $two4 = [
                $a: f(n!($a), 0, 6).then(18, 1).then(25, 1).then(29, 3), $a: f(b!($a), 6, 1).then(20, 1).then(27, 1),
                $b: f(n!($b), 8, 5).then(16, 2).then(24, 1), $b: f(b!($b), 13, 1).then(19, 1)
                $(, $is0: f($is0, 21, 2).then(28, 1))?
            ];
            $three4 = [
                $a: f(n!($a), 0, 6).then(18, 1), $a: f(b!($a), 6, 1).then(20, 1),
                $b: f(n!($b), 8, 5).then(16, 2), $b: f(b!($b), 13, 1).then(19, 1),
                $c: f(n!($c), 24, 6), $c: f(b!($c), 30, 2)
                $(, $is0: f($is0, 21, 2))?
            ];
            $three5 = [
                $a: f(n!($a), 0, 6).then(18, 1).then(33, 1), $a: f(b!($a), 6, 1).then(20, 1).then(35, 1),
                $b: f(n!($b), 8, 5).then(16, 2).then(32, 1), $b: f(b!($b), 13, 1).then(19, 1),
                $c: f(n!($c), 24, 6).then(37, 2), $c: f(b!($c), 30, 2)$(.then(39, $bank2))?
                $(, $is0: f($is0, 21, 2).then(36, 1))?
            ];
            $three6 = [
                $a: f(n!($a), 0, 6).then(18, 1).then(33, 1).then(40, 3), $a: f(b!($a), 6, 1).then(20, 1).then(35, 1),
                $b: f(n!($b), 8, 5).then(16, 2).then(32, 1), $b: f(b!($b), 13, 1).then(19, 1),
                $c: f(n!($c), 24, 6).then(37, 2)$(.then(43, 3 * $bank2))?,
                $c: f(b!($c), 30, 2)$(.then(39, $bank2))?
                $(, $is0: f($is0, 21, 2).then(36, 1))?
            ];
        }
    };
}

forms! { "s0" "s1" "s2"; LOWER1 LOWER2 LOWER3 LOWER4 LOWER5 LOWER6 LOWER7 LOWER8; ["is0"] [1] }
forms! { "s3" "s4" "s5"; UPPER1 UPPER2 UPPER3 UPPER4 UPPER5 UPPER6 UPPER7 UPPER8; [] [] }

parts! {
    HEADER_PARTS = [
        "da": header::DA, "length": header::LENGTH, "ext": header::EXTENDED, "phases": header::PHASES,
        "olchk": header::OVERLAP, "w1p": header::W1P, "w0p": header::W0P, "cc": header::CONDITION
    ];
    EXTENSION_PARTS = [
        "end": extension::END, "atom": extension::ATOMIC, "rpt": extension::REPEAT, "cc": extension::CONDITION
    ];
    SELECTOR_PARTS = [
        "is5": f("is5", 6, 2), "is4": f("is4", 4, 2), "is3": f("is3", 2, 2), "is2": f("is2", 1, 1), "is1": f("is1", 0, 1)
    ];
    FIRST1 = ["w0": f("w0.number", 0, 6), "w0": f("w0.bank", 6, 1)];
    FIRST2 = ["w0": f("w0.number", 0, 6).then(8, 2).then(12, 3), "w0": f("w0.bank", 6, 1).then(10, 2)];
    SECOND1 = ["w1": f("w1.number", 0, 6), "w1": f("w1.bank", 6, 1)];
    SECOND2 = ["w1": f("w1.number", 0, 6).then(8, 2).then(12, 3), "w1": f("w1.bank", 6, 1).then(10, 2)];
    BOTH1 = [
        "w0": f("w0.number", 0, 7), "w0": f("w0.bank", 7, 1), "w1": f("w1.number", 8, 6), "w1": f("w1.bank", 14, 1)
    ];
    BOTH2 = [
        "w0": f("w0.number", 0, 7).then(16, 1), "w0": f("w0.bank", 7, 1).then(17, 2),
        "w1": f("w1.number", 8, 6).then(19, 2), "w1": f("w1.bank", 14, 1).then(21, 2)
    ];
    BOTH3 = [
        "w0": f("w0.number", 0, 7).then(16, 1).then(24, 3), "w0": f("w0.bank", 7, 1).then(17, 2),
        "w1": f("w1.number", 8, 6).then(19, 2).then(27, 3), "w1": f("w1.bank", 14, 1).then(21, 2)
    ];
}
