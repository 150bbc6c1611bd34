//! Units of the bitwise ALU. The three units of phase 0 share a byte, and so do the two of phase 2.

use super::row::{rows, table};
use crate::fields::S2;
use crate::number::{literal, register};
use crate::operand::*;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Field, Item, Row, Table};

/// Whether the counter reads ft2, not s2.
pub(crate) const COUNTS_FT2: Field = Field::new("count.ft2", 6, 1);

operands! {
    LITERAL16 = "n", Item::Number(&literal(field!("literal", 8, 16)));
    LITERAL32 = "n", Item::Number(&literal(field!("literal", 8, 32)));
    COUNTED = "{ft2, c}",
        instead!(&COUNTS_FT2, 1, "ft2", "`ft2` or a register", Item::Number(&register(&S2)));
    MASKED = "{ft1, _}", Item::Names(field!("ft2.mask", 3, 1), &[("_", 0), ("ft1", 1), ("", 0)], "`ft1` or `_`");
    INVERTED = "{ft1.invert, _}",
        Item::Names(field!("s3.mask", 5, 1), &[("_", 0), ("ft1.invert", 1), ("", 0)], "`ft1.invert` or `_`");
    TESTED = "{ft5, ft3}", Item::Names(field!("test.ft3", 4, 1), &[("ft5", 0), ("ft3", 1)], "`ft3` or `ft5`");
}

const MASKS: &[Row<Usc>] = rows! { "sections 6.5.16 and 6.5.17", Observed;
    ("mov" "byp"), Lift(MaskLiteral), "mov ft0, ft1, {a}, {n}", "Copies a source and a literal.", [a: FIRST] {
        "literal of 16 bits" "-{16} ooo1 ooo0", [n: LITERAL16];
        "literal of 32 bits" "-{32} ooo1 ooo1", [n: LITERAL32];
    }
    ("mov" "byp"), Lift(MaskBypass), "mov ft0, ft1, {a}, {b}", "Copies two sources.", [a: FIRST, b: SECOND] { "" "ooo0 ooo0"; }
    "msk", Lift(Mask), "msk ft0, ft1, {a}, {b}", "Makes a mask of some bits at a position.", [a: FIRST, b: SECOND] {
        "" "ooo0 ooo1";
    }
};
/// The mask unit, which ends the byte.
pub(crate) static MASK: Table<Usc> =
    table("usc mask", "Bitwise phase 0: mask unit", "Bits 4 and 0.", &[Family { title: "Mask", rows: MASKS }]);

const SHIFTS1: &[Row<Usc>] = rows! { "sections 6.5.7 to 6.5.9", Observed;
    ("mov" "byp"), Lift(Shift1Bypass), "mov ft2, {a}", "Copies a source.", [a: THIRD] { "" "oooo 00oo"; }
    "shfl", Lift(Shfl), "shfl ft2, {a}, {b}", "Interleaves the low halves of two sources.", [a: THIRD, b: SECOND] {
        "" "oooo 01oo";
    }
    "rev", Lift(Rev), "rev ft2, {a}", "Reverses the bits.", [a: THIRD] { "" "oooo 10oo"; }
    "lsl", Lift(Lsl1), "lsl ft2, {a}, {b}", "Shifts left.", [a: THIRD, b: SECOND] { "" "oooo 11oo"; }
};
/// The first shifter.
pub(crate) static SHIFT1: Table<Usc> =
    table("usc shift1", "Bitwise phase 0: first shifter", "Bits 3 and 2.", &[Family { title: "Shift", rows: SHIFTS1 }]);

const COUNTS: &[Row<Usc>] = rows! { "sections 6.5.18 to 6.5.21", Observed;
    "cbs", Lift(Cbs), "cbs ft3, {a}", "Counts ones.", [a: COUNTED] { "" "o-0o oo0o"; }
    "ftb", Lift(Ftb), "ftb ft3, {a}", "Number of the highest one, or -1.", [a: COUNTED] { "" "o-1o oo0o"; }
    ("mov" "byp"), Lift(CountBypass), "mov ft3, {a}", "Copies its operand.", [a: COUNTED] { "" "o-0o oo1o"; }
    "ftb_shi", Lift(FtbShi), "ftb_shi ft3, {a}", "Number of the highest bit that differs from the sign, or -1.", [a: COUNTED] {
        "no encoding" "1 o{119} 0-10 0010";
    }
    "ftb_msb", Lift(FtbMsb), "ftb_msb ft3, {a}", "Number of zeros in front of the highest one, or -1.", [a: COUNTED] {
        "no encoding" "1 o{119} 0-10 0110";
    }
};
/// The counter.
pub(crate) static COUNT: Table<Usc> =
    table("usc count", "Bitwise phase 0: counter", "Bits 6, 5 and 1.", &[Family { title: "Count", rows: COUNTS }]);

macro_rules! logical {
    ($($name:literal, $code:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "sections 6.5.1 to 6.5.6", Observed;
            $($name, Lift($opcode), concat!($name, " ft4, {m}, ft2, {n}, {b}"), $doc, [m: MASKED, n: INVERTED, b: FOURTH] {
                "" concat!("o1-o -", $code);
            })*
            ("mov" "byp"), Lift(LogicalBypass), "mov ft4, ft1", "Copies ft1.", [] { "" "o1oo o111"; }
        }
    };
}
const LOGICALS: &[Row<Usc>] = logical! {
    "or", "000", Or, "Bitwise or, under a mask.";
    "and", "001", And, "Bitwise and, under a mask.";
    "xor", "010", Xor, "Bitwise exclusive or, under a mask.";
    "nor", "100", Nor, "Bitwise nor, under a mask.";
    "nand", "101", Nand, "Bitwise nand, under a mask.";
    "xnor", "110", Xnor, "Bitwise equivalence, under a mask.";
};
/// The logical unit.
pub(crate) static LOGICAL: Table<Usc> =
    table("usc logical", "Bitwise phase 1: logical unit", "One byte.", &[Family { title: "Logic", rows: LOGICALS }]);

macro_rules! shifts {
    ($($name:literal $form:literal, $code:literal, $text:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "sections 6.5.9 to 6.5.13", Observed;
            $($name, Lift($opcode), concat!($text, " ft4, {a}"), $doc, [a: FIFTH] { $form concat!("oooo o", $code); })*
        }
    };
}
const SHIFTS2: &[Row<Usc>] = shifts! {
    "lsl" "", "000", "lsl ft5,", Lsl2, "Shifts left.";
    "shr" "", "001", "shr ft5,", Shr, "Shifts right.";
    "rol" "", "010", "rol ft5,", Rol, "Rotates left.";
    "cps" "", "011", "cps ft5, p0,", Cps, "Clears bits, or sets them if p0 is 1.";
    "asr" "whole word", "100", "asr.twb ft5,", AsrTwb, "Shifts right, keeping the sign in bit 31.";
    "asr" "half word", "101", "asr.pwb ft5,", AsrPwb, "Shifts right, keeping the sign in bit 15.";
    "asr" "mask", "110", "asr.mtb ft5,", AsrMtb, "Shifts right, keeping the sign in the top bit of the mask.";
    "asr" "highest one", "111", "asr.ftb ft5,", AsrFtb, "Shifts right, keeping the sign in the bit ft3 names.";
};
/// The second shifter, which ends the byte.
pub(crate) static SHIFT2: Table<Usc> =
    table("usc shift2", "Bitwise phase 2: second shifter", "Bits 2 to 0.", &[Family { title: "Shift", rows: SHIFTS2 }]);

const TESTS: &[Row<Usc>] = rows! { "sections 6.5.14 and 6.5.15", Implemented;
    "tz", Lift(Tz), "tz p0, {a}", "Whether a result is 0.", [a: TESTED] { "" "oo1- 0ooo"; }
    "tnz", Lift(Tnz), "tnz p0, {a}", "Whether a result is not 0.", [a: TESTED] { "" "oo1- 1ooo"; }
    "none", Lift(Other), "none", "No test.", [] { "" "oo0o oooo"; }
};
/// The bit test.
pub(crate) static TEST: Table<Usc> =
    table("usc test", "Bitwise phase 2: test", "Bits 5 to 3.", &[Family { title: "Test", rows: TESTS }]);
