//! Main operations of phase 0 and 1.

use super::row::{rows, table, why};
use super::sum::SUMS;
use crate::fields::*;
use crate::number::{number, optional_register, register};
use crate::operand::*;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Refused, Unsupported};
use parallax_isa::{Family, Item, Row, Table};

/// The element 0 of forms that can name no other.
const ONLY_E0: Item = Item::Optional { open: ".e0", absent: &[], printed: true, items: &[] };

operands! {
    // Where an operation leaves its result: a feed-through, or an output as a whole.
    FEED_RESULT = "{ft0, ft1}", Item::Names(&PHASE, &[("ft0", 0), ("ft1", 1)], "`ft0` or `ft1`");
    WHOLE0 = "{reg, ft0}", result!(&W0P, &W0, "ft0");
    WHOLE1 = "{reg, ft0}", result!(&W1P, &W1, "ft0");
    // Of fadd and fmul.
    FLOAT_MODS = "[.lp][.sat]", suffixes![flag!(5, "lp"), flag!(4, "sat")];
    FLOAT_FIRST = "a[.flr][.abs][.neg]", Item::Number(&register(&S0)), modified!("s0": flr 0, abs 2, neg 3);
    FLOAT_SECOND = "b[.abs]", Item::Number(&register(&S1)), modified!("s1": abs 1);
    // Of fmad.
    MAD_MODS = "[.lp][.sat]", suffixes![flag!(12, "lp"), flag!(0, "sat")];
    MAD_MODS_SHORT = "[.sat]", suffixes![flag!(0, "sat")];
    MAD_FIRST = "a[.abs][.neg]", Item::Number(&register(&S0)), modified!("s0": abs 2, neg 3);
    MAD_SECOND = "b[.abs][.neg]", Item::Number(&register(&S1)), modified!("s1": abs 11, neg 10);
    MAD_THIRD = "c[.flr][.abs][.neg]", Item::Number(&register(&S2)), modified!("s2": flr 9, abs 8, neg 1);
    MAD_THIRD_SHORT = "c[.neg]", Item::Number(&register(&S2)), modified!("s2": neg 1);
    // Of operations with one source.
    ONLY = "a[.abs][.neg]", Item::Number(&register(&S0)), modified!("s0": abs 8, neg 9);
    HALF = "a.f16.{e0,e1}[.abs][.neg]", Item::Number(&register(&S0)), modified!("s0": abs 8, neg 9;
        Item::Names(field!("half", 64, 1), &[("f16.e0", 0), ("f16.e1", 1), ("e0", 0), ("e1", 1)], ELEMENT));
    RED_MODS = ".{sin,cos}[.partb]", suffixes![
        Item::Names(field!("cos", 11, 1), &[("sin", 0), ("cos", 1)], "`sin` or `cos`"),
        Item::Names(field!("partb", 15, 1), &[("", 0), ("partb", 1), ("parta", 0)], "`parta` or `partb`"),
    ];
    RED_P0 = "{p0, _}", p0(field!("p0", 10, 1));
    RED_ITERATION = "n", Item::Number(&number(field!("iteration", 12, 3)));
    RED_STATE = "[, {d, _}]",
        Item::Optional { open: ", ", absent: &[], printed: true, items: &[Item::Number(&optional_register(&S3))] };
    UNPACK_MODS = ".format[.scale]", suffixes![
        format(field!("format", 8, 5)),
        flag!(13, "scale"),
        Item::Alias(field!("scale", 13, 1), 1, "roundzero"),
        Item::Alias(field!("scale", 13, 1), 1, "rndzero"),
    ];
    UNPACK_FIRST = "a.eN", Item::Number(&register(&S0)), dots![element(field!("element", 14, 2))];
    // Narrow integers; the forms of one, two and three bytes.
    NO_SUFFIX = "";
    NARROW_SAT = "[.sat]", suffixes![flag!(8, "sat")];
    NARROW1_FIRST = "a.e0", Item::Number(&register(&S0)), ONLY_E0;
    NARROW1_SECOND = "b.e0", Item::Number(&register(&S1)), ONLY_E0;
    NARROW1_THIRD = "c.{e0,e2}", Item::Number(&register(&S2)),
        dots![Item::Names(field!("s2upper", 2, 1), &[("e0", 0), ("e2", 1)], ELEMENT)];
    NARROW1_THIRD16 = "c.e0", Item::Number(&register(&S2)), ONLY_E0;
    NARROW2_FIRST = "a[.abs][.neg].e0", Item::Number(&register(&S0)), modified!("s0": abs 9, neg 10), ONLY_E0;
    NARROW2_SECOND = "b[.abs].e0", Item::Number(&register(&S1)), modified!("s1": abs 11), ONLY_E0;
    NARROW_FIRST = "a[.abs][.neg].eN", Item::Number(&register(&S0)),
        modified!("s0": abs 9, neg 10; element(field!("s0element", 16, 2)));
    NARROW_SECOND = "b[.abs].eN", Item::Number(&register(&S1)),
        modified!("s1": abs 11; element(field!("s1element", 18, 2)));
    NARROW_THIRD = "c[.abs][.neg].eN", Item::Number(&register(&S2)),
        modified!("s2": abs 12, neg 13; element(field!("s2element", 15, 1, 2, 1)));
    NARROW_THIRD16 = "c[.abs][.neg].eN", Item::Number(&register(&S2)),
        modified!("s2": abs 12, neg 13; element(field!("s2high", 15, 1)));
    // 32- and 64-bit integers.
    WORD_FIRST = "a[.abs][.neg]", Item::Number(&register(&S0)), modified!("s0": abs 10, neg 12);
    WORD_SECOND = "b[.abs][.neg]", Item::Number(&register(&S1)), modified!("s1": abs 9, neg 13);
    WORD_THIRD = "c[.abs][.neg]", Item::Number(&register(&S2)), modified!("s2": abs 8, neg 2);
    WORD_THIRD_SHORT = "c[.neg]", Item::Number(&register(&S2)), modified!("s2": neg 2);
    WORD_HIGH = "high", Item::Selected(&SELECTED);
    CARRY = "[, {p0, _}]", Item::Optional {
        open: ", ", absent: &[(field!("carry", 14, 1), 0)], printed: true, items: &[p0(field!("carry", 14, 1))],
    };
    NO_CARRY = "[, _]", NOTHING;
}

const FLOAT: &[Row<Usc>] = rows! { "section 6.1", Observed;
    "fadd", Lift(Fadd), "fadd{m} {d}, {a}, {b}", "Adds two numbers.",
        [m: FLOAT_MODS, d: FEED_RESULT, a: FLOAT_FIRST, b: FLOAT_SECOND] { "" "00- -----"; }
    ("fmul" "mul"), Lift(Fmul), "fmul{m} {d}, {a}, {b}", "Multiplies two numbers.",
        [m: FLOAT_MODS, d: FEED_RESULT, a: FLOAT_FIRST, b: FLOAT_SECOND] { "" "01- -----"; }
    ("fmad" "mad"), Lift(Fmad), "fmad{m} {d}, {a}, {b}, {c}", "Multiplies two numbers and adds a third.",
        [d: FEED_RESULT, a: MAD_FIRST] {
            "" "ooo ----- | 110 1----", [m: MAD_MODS, b: MAD_SECOND, c: MAD_THIRD];
            "short" "110 0----", [m: MAD_MODS_SHORT, b: SECOND, c: MAD_THIRD_SHORT];
        }
};

/// Functions of one source, whose result is a whole output: the form with modifiers, the one that reads a half, which has no
/// encoding, and the short one.
macro_rules! functions {
    ($($name:literal, $high:literal $code:literal $half:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "section 6.1", Implemented;
            $($name, Lift($opcode), concat!($name, " {d}, {a}"), $doc, [d: WHOLE0] {
                "" concat!($high, " 100 1 ", $code), [a: ONLY];
                "half source, no encoding" concat!("1 ", $half, " o{48} o{7}- o{48} | o{6}-- | 100 1 0100"), [a: HALF];
                "short" concat!("100 0 ", $code), [a: FIRST];
            })*
        }
    };
}

const COMPLEX: &[Row<Usc>] = functions! {
    "frcp", "o{6}--" "0000" "0000001", Frcp, "The reciprocal.";
    "frsq", "o{6}--" "0001" "0000010", Frsq, "The reciprocal of the square root.";
    "flog", "o{6}--" "0010" "0000011", Flog, "The logarithm to base 2.";
    "fexp", "o{6}--" "0011" "0000100", Fexp, "A power of 2.";
    "flogcn", "o{6}--" "0101" "0000101", Flogcn, "A step of a logarithm that no document describes.";
    "gcmp", "o{5}0--" "0110" "0000110", Gcmp, "Gamma compression: sRGB encoding.";
};

const FURTHER: &[Row<Usc>] = rows! { "section 6.1", Implemented;
    "gexp", Lift(Gexp), "gexp {d}, {a}", "Gamma expansion: sRGB decoding.", [d: WHOLE0] {
        "" "o{5}1-- 100 1 0110", [a: ONLY];
        "half source, no encoding" "1 0000111 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", [a: HALF];
    }
    "fsqrt", Lift(Fsqrt), "fsqrt {d}, {a}", "The square root.", [d: WHOLE0] {
        "no encoding" "1 0001001 o{104} | o{6}-- | 100 1 0100", [a: ONLY];
        "half source, no encoding" "1 0001000 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", [a: HALF];
    }
    "fsinc", Lift(Fsinc), "fsinc {d}, p0, {a}", "sin(pi/2 x)/x, and in p0 whether to multiply by x.", [d: WHOLE0] {
        "" "o{6}-- 100 1 1110", [a: ONLY];
        "short" "100 0 1110", [a: FIRST];
    }
    "farctanc", Lift(Farctanc), "farctanc {d}, {a}", "atan(x)/x.", [d: WHOLE0] {
        "" "o{6}-- 100 1 1111", [a: ONLY];
        "short" "100 0 1111", [a: FIRST];
    }
    "fred", Lift(Fred), "fred{m} {d}, {e}, {p}, {n}, {a}{f}", "Range reduction for a sine or cosine.",
        [m: RED_MODS, d: WHOLE0, e: WHOLE1, p: RED_P0, n: RED_ITERATION, a: ONLY, f: RED_STATE] {
            "" "- --- - - -- 100 1 1101";
        }
    "sop", Refused("the encoding of sums of products is not known"), "", "A sum of products.", [] {
        "reserved" "100 o 0100";
    }
};

/// Operations of one source, whose result is a feed-through: with modifiers, and the short form. Behind them unpacking.
macro_rules! copies {
    ($($names:tt $name:literal, $code:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "sections 6.1 and 6.2", Observed;
            $($names, Lift($opcode), concat!($name, " {d}, {a}"), $doc, [d: FEED_RESULT] {
                "" concat!("o{6}-- 100 1 ", $code), [a: ONLY];
                "short" concat!("100 0 ", $code), [a: FIRST];
            })*
            ("unpck" "unpk" "upck"), Lift(Unpck), "unpck{m} ft0, {a}", "Converts a field of a packed register.",
                [m: UNPACK_MODS, a: UNPACK_FIRST] { "" "-- - ----- 100 1 1100"; }
        }
    };
}

const MOVES: &[Row<Usc>] = copies! {
    ("mov" "mbyp") "mov", "0111", Mbyp, "Copies a source.";
    "fdsx" "fdsx", "1000", Fdsx, "Difference along x, for the quad.";
    "fdsy" "fdsy", "1001", Fdsy, "Difference along y, for the quad.";
    "fdsxf" "fdsxf", "1010", Fdsxf, "Difference along x, for each row.";
    "fdsyf" "fdsyf", "1011", Fdsyf, "Difference along y, for each column.";
};

/// The 8- and 16-bit operations of one type: without modifiers, and with those that leave the elements at 0.
macro_rules! narrow {
    ($($ty:literal $bits:literal $add:literal $mul:literal $mad:literal $short:ident $third:ident $two:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $(
            $add, Lift(AddNarrow), concat!($add, "{m} ft0, {a}, {b}"), concat!("Adds ", $ty, " numbers."), [] {
                "" concat!("oooo ---- 101 1 00", $bits), [m: NARROW_SAT, a: NARROW2_FIRST, b: NARROW2_SECOND];
                "short" concat!("101 0 00", $bits), [m: NO_SUFFIX, a: NARROW1_FIRST, b: NARROW1_SECOND];
            }
            $mul, Lift(MulNarrow), concat!($mul, "{m} ft0, {a}, {b}"), concat!("Multiplies ", $ty, " numbers."), [] {
                "" concat!("oooo ---- 101 1 01", $bits), [m: NARROW_SAT, a: NARROW2_FIRST, b: NARROW2_SECOND];
                "short" concat!("101 0 01", $bits), [m: NO_SUFFIX, a: NARROW1_FIRST, b: NARROW1_SECOND];
            }
            $mad, Lift(MadNarrow), concat!($mad, "{m} ft0, {a}, {b}, {c}"),
                concat!("Multiplies ", $ty, " numbers and adds a third."), [] {
                "" concat!("-o-- ---- 101 1 1", $two, $bits),
                    [m: NARROW_SAT, a: NARROW2_FIRST, b: NARROW2_SECOND, c: $third];
                "short" concat!("101 0 1", $two, $bits),
                    [m: NO_SUFFIX, a: NARROW1_FIRST, b: NARROW1_SECOND, c: $short];
            }
            )*
        }
    };
}

const NARROW_ROWS: &[Row<Usc>] = narrow! {
    "unsigned 8-bit" "00" "uadd8" "umul8" "umad8" NARROW1_THIRD NARROW_THIRD "-";
    "signed 8-bit" "10" "iadd8" "imul8" "imad8" NARROW1_THIRD NARROW_THIRD "-";
    "unsigned 16-bit" "01" "uadd16" "umul16" "umad16" NARROW1_THIRD16 NARROW_THIRD16 "0";
    "signed 16-bit" "11" "iadd16" "imul16" "imad16" NARROW1_THIRD16 NARROW_THIRD16 "0";
};

/// The same with a third byte for the elements. No bit says that it is there: the group must end where its parts do.
macro_rules! elements {
    ($($ty:literal $bits:literal $add:literal $mul:literal $mad:literal $third:ident $two:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $(
            $add, Lift(AddNarrow), concat!($add, "{m} ft0, {a}, {b}"), concat!("Adds elements of ", $ty, " numbers."),
                [m: NARROW_SAT, a: NARROW_FIRST, b: NARROW_SECOND] {
                    "elements" concat!("oooo ---- oooo ---- 101 1 00", $bits);
                }
            $mul, Lift(MulNarrow), concat!($mul, "{m} ft0, {a}, {b}"), concat!("Multiplies elements of ", $ty, " numbers."),
                [m: NARROW_SAT, a: NARROW_FIRST, b: NARROW_SECOND] {
                    "elements" concat!("oooo ---- oooo ---- 101 1 01", $bits);
                }
            $mad, Lift(MadNarrow), concat!($mad, "{m} ft0, {a}, {b}, {c}"),
                concat!("Multiplies elements of ", $ty, " numbers and adds a third."),
                [m: NARROW_SAT, a: NARROW_FIRST, b: NARROW_SECOND, c: $third] {
                    "elements" concat!("oooo ---- -o-- ---- 101 1 1", $two, $bits);
                }
            )*
        }
    };
}

const ELEMENT_ROWS: &[Row<Usc>] = elements! {
    "unsigned 8-bit" "00" "uadd8" "umul8" "umad8" NARROW_THIRD "-";
    "signed 8-bit" "10" "iadd8" "imul8" "imad8" NARROW_THIRD "-";
    "unsigned 16-bit" "01" "uadd16" "umul16" "umad16" NARROW_THIRD16 "0";
    "signed 16-bit" "11" "iadd16" "imul16" "imad16" NARROW_THIRD16 "0";
};

/// 32- and 64-bit operations: the form with modifiers and the short one.
macro_rules! word {
    ($($name:literal, $bits:literal, $opcode:ident, $text:literal, $high:tt, $doc:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $($name, Lift($opcode), concat!($name, $text), $doc, $high {
                "" concat!("o--- o--- 111 1 ", $bits), [a: WORD_FIRST, b: WORD_SECOND, c: WORD_THIRD, p: CARRY];
                "short" concat!("111 0 ", $bits), [a: FIRST, b: SECOND, c: WORD_THIRD_SHORT, p: NO_CARRY];
            })*
        }
    };
}

const WORD: &[Row<Usc>] = word! {
    "uadd6432", "0-00", Add6432, " ft0, {a}, {b}, {c}{p}", [], "Adds an unsigned 32-bit number to a 64-bit one.";
    "sadd6432", "1-00", Add6432, " ft0, {a}, {b}, {c}{p}", [], "Adds a signed 32-bit number to a 64-bit one.";
    "add64", "o-01", Add64, " ft0, {a}, {b}, {c}, {h}{p}", [h: WORD_HIGH], "Adds 64-bit numbers.";
    "umadd32", "0-10", Madd32, " ft0, {a}, {b}, {c}{p}", [], "Multiplies unsigned 32-bit numbers and adds a third.";
    "smadd32", "1-10", Madd32, " ft0, {a}, {b}, {c}{p}", [], "Multiplies signed 32-bit numbers and adds a third.";
    "umadd64", "0-11", Madd64, " ft0, {a}, {b}, {c}, {h}{p}", [h: WORD_HIGH],
        "Multiplies unsigned 32-bit numbers and adds a 64-bit one.";
    "smadd64", "1-11", Madd64, " ft0, {a}, {b}, {c}, {h}{p}", [h: WORD_HIGH],
        "Multiplies signed 32-bit numbers and adds a 64-bit one.";
};

/// Operations of which nobody says what their operands are.
macro_rules! double {
    ($($name:literal, $code:literal, $text:literal, [$($suffix:ident)?], $doc:literal;)*) => {
        rows! { "sections 6.1.24 and 6.10", Documented;
            $($name, Unsupported(why::F64), concat!($name, $text), $doc, [$(m: $suffix,)? x: OPERANDS] {
                "no encoding" concat!("1 ", $code, " o{55}- o{56} | 100 1 0100");
            })*
        }
    };
}

const DOUBLE: &[Row<Usc>] = double! {
    "convertfromf64", "0010011", "{m} {x}", [ANY_SUFFIX], "Converts a 64-bit float to 32 bits.";
    "f64mul", "0010100", " {x}", [], "Multiplies 64-bit floats.";
    "f64add", "0010101", " {x}", [], "Adds 64-bit floats.";
    "f64mad", "0010110", " {x}", [], "Multiplies 64-bit floats and adds a third.";
    "f64div", "0010111", " {x}", [], "Divides 64-bit floats.";
    "f64rcp", "0011000", " {x}", [], "The reciprocal of a 64-bit float.";
    "f64sqrt", "0011001", " {x}", [], "The square root of a 64-bit float.";
    "f64rsq", "0011010", " {x}", [], "The reciprocal of the square root of a 64-bit float.";
    "f64byp", "0011011", " {x}", [], "Copies a 64-bit float.";
};

/// Phase 0 and 1. Phase 1 sees the sources 3 to 5 as a, b and c.
pub(crate) static EARLY: Table<Usc> = table(
    "usc phases 0 and 1",
    "Operations of phase 0 and 1",
    "One byte, or two with modifiers. The sources a, b, c are s0, s1, s2 in phase 0 and s3, s4, s5 in phase 1. Only fadd, fmul, \
     fmad, mov and the gradients can stand in phase 1.",
    &[
        Family { title: "Arithmetic", rows: FLOAT },
        Family { title: "Transcendental functions", rows: COMPLEX },
        Family { title: "Further functions", rows: FURTHER },
        Family { title: "Copies, gradients and unpacking", rows: MOVES },
        Family { title: "8- and 16-bit integers", rows: NARROW_ROWS },
        Family { title: "32- and 64-bit integers", rows: WORD },
        Family { title: "Sums of products", rows: SUMS },
        Family { title: "64-bit floats", rows: DOUBLE },
    ],
);

/// Phase 0, where the layout gives it a byte more.
pub(crate) static NARROW: Table<Usc> = table(
    "usc elements",
    "8- and 16-bit operations with elements",
    "Three bytes. The third has no flag: it is there if the group could not end where it does otherwise.",
    &[Family { title: "Elements", rows: ELEMENT_ROWS }],
);
