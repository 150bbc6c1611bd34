//! Units of the bitwise ALU. The three units of phase 0 share a byte, and so do the two of phase 2.

use super::row::{rows, table};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::Lift;
use parallax_isa::{Family, Row, Table};

const MASKS: &[Row<Usc>] = rows! { "sections 6.5.16 and 6.5.17", Observed;
    "mov" = "byp", "literal of 16 bits", "-{16} ooo1 ooo0", [a: A, n: LITERAL16], "mov ft0, ft1, {a}, {n}", Lift(MaskLiteral),
        "Copies a source and a literal.";
    "mov" = "byp", "literal of 32 bits", "-{32} ooo1 ooo1", [a: A, n: LITERAL32], "mov ft0, ft1, {a}, {n}", Lift(MaskLiteral),
        "Copies a source and a literal.";
    "mov" = "byp", "", "ooo0 ooo0", [a: A, b: B], "mov ft0, ft1, {a}, {b}", Lift(MaskBypass), "Copies two sources.";
    "msk", "", "ooo0 ooo1", [a: A, b: B], "msk ft0, ft1, {a}, {b}", Lift(Mask), "Makes a mask of some bits at a position.";
};
/// The mask unit, which ends the byte.
pub(crate) static MASK: Table<Usc> =
    table("usc mask", "Bitwise phase 0: mask unit", "Bits 4 and 0.", &[Family { title: "Mask", rows: MASKS }]);

const SHIFTS1: &[Row<Usc>] = rows! { "sections 6.5.7 to 6.5.9", Observed;
    "mov" = "byp", "", "oooo 00oo", [a: C], "mov ft2, {a}", Lift(Shift1Bypass), "Copies a source.";
    "shfl", "", "oooo 01oo", [a: C, b: B], "shfl ft2, {a}, {b}", Lift(Shfl), "Interleaves the low halves of two sources.";
    "rev", "", "oooo 10oo", [a: C], "rev ft2, {a}", Lift(Rev), "Reverses the bits.";
    "lsl", "", "oooo 11oo", [a: C, b: B], "lsl ft2, {a}, {b}", Lift(Lsl1), "Shifts left.";
};
/// The first shifter.
pub(crate) static SHIFT1: Table<Usc> =
    table("usc shift1", "Bitwise phase 0: first shifter", "Bits 3 and 2.", &[Family { title: "Shift", rows: SHIFTS1 }]);

const COUNTS: &[Row<Usc>] = rows! { "sections 6.5.18 to 6.5.21", Observed;
    "cbs", "", "o-0o oo0o", [a: COUNTED], "cbs ft3, {a}", Lift(Cbs), "Counts ones.";
    "ftb", "", "o-1o oo0o", [a: COUNTED], "ftb ft3, {a}", Lift(Ftb), "Number of the highest one, or -1.";
    "mov" = "byp", "", "o-0o oo1o", [a: COUNTED], "mov ft3, {a}", Lift(CountBypass), "Copies its operand.";
    "ftb_shi", "no encoding", "1 o{119} 0-10 0010", [a: COUNTED], "ftb_shi ft3, {a}", Lift(FtbShi),
        "Number of the highest bit that differs from the sign, or -1.";
    "ftb_msb", "no encoding", "1 o{119} 0-10 0110", [a: COUNTED], "ftb_msb ft3, {a}", Lift(FtbMsb),
        "Number of zeros in front of the highest one, or -1.";
};
/// The counter.
pub(crate) static COUNT: Table<Usc> =
    table("usc count", "Bitwise phase 0: counter", "Bits 6, 5 and 1.", &[Family { title: "Count", rows: COUNTS }]);

macro_rules! logical {
    ($($name:literal, $code:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "sections 6.5.1 to 6.5.6", Observed;
            $($name, "", concat!("o1-o -", $code), [m: MASKED, n: INVERTED, b: D], concat!($name, " ft4, {m}, ft2, {n}, {b}"),
                Lift($opcode), $doc;)*
            "mov" = "byp", "", "o1oo o111", [], "mov ft4, ft1", Lift(LogicalBypass), "Copies ft1.";
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

const SHIFTS2: &[Row<Usc>] = rows! { "sections 6.5.9 to 6.5.13", Observed;
    "lsl", "", "oooo o000", [a: E], "lsl ft5, ft4, {a}", Lift(Lsl2), "Shifts left.";
    "shr", "", "oooo o001", [a: E], "shr ft5, ft4, {a}", Lift(Shr), "Shifts right.";
    "rol", "", "oooo o010", [a: E], "rol ft5, ft4, {a}", Lift(Rol), "Rotates left.";
    "cps", "", "oooo o011", [a: E], "cps ft5, p0, ft4, {a}", Lift(Cps), "Clears bits, or sets them if p0 is 1.";
    "asr", "whole word", "oooo o100", [a: E], "asr.twb ft5, ft4, {a}", Lift(AsrTwb), "Shifts right, keeping the sign in bit 31.";
    "asr", "half word", "oooo o101", [a: E], "asr.pwb ft5, ft4, {a}", Lift(AsrPwb), "Shifts right, keeping the sign in bit 15.";
    "asr", "mask", "oooo o110", [a: E], "asr.mtb ft5, ft4, {a}", Lift(AsrMtb),
        "Shifts right, keeping the sign in the top bit of the mask.";
    "asr", "highest one", "oooo o111", [a: E], "asr.ftb ft5, ft4, {a}", Lift(AsrFtb),
        "Shifts right, keeping the sign in the bit ft3 names.";
};
/// The second shifter, which ends the byte.
pub(crate) static SHIFT2: Table<Usc> =
    table("usc shift2", "Bitwise phase 2: second shifter", "Bits 2 to 0.", &[Family { title: "Shift", rows: SHIFTS2 }]);

const TESTS: &[Row<Usc>] = rows! { "sections 6.5.14 and 6.5.15", Implemented;
    "tz", "", "oo1- 0ooo", [a: TESTED], "tz p0, {a}", Lift(Tz), "Whether a result is 0.";
    "tnz", "", "oo1- 1ooo", [a: TESTED], "tnz p0, {a}", Lift(Tnz), "Whether a result is not 0.";
    "none", "", "oo0o oooo", [], "none", Lift(Other), "No test.";
};
/// The bit test.
pub(crate) static TEST: Table<Usc> =
    table("usc test", "Bitwise phase 2: test", "Bits 5 to 3.", &[Family { title: "Test", rows: TESTS }]);
