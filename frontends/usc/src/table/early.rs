//! Main operations of phase 0 and 1.

use super::row::{rows, table, why};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Refused, Unsupported};
use parallax_isa::{Family, Row, Table};

const FLOAT: &[Row<Usc>] = rows! { "section 6.1", Observed;
    "fadd", "", "00- -----", [m: FLOAT_MODS, d: FT, a: FLOAT_A, b: FLOAT_B], "fadd{m} {d}, {a}, {b}", Lift(Fadd),
        "Adds two numbers.";
    "fmul" = "mul", "", "01- -----", [m: FLOAT_MODS, d: FT, a: FLOAT_A, b: FLOAT_B], "fmul{m} {d}, {a}, {b}", Lift(Fmul),
        "Multiplies two numbers.";
    "fmad" = "mad", "", "ooo ----- | 110 1----", [m: MAD_MODS, d: FT, a: MAD_A, b: MAD_B, c: MAD_C],
        "fmad{m} {d}, {a}, {b}, {c}", Lift(Fmad), "Multiplies two numbers and adds a third.";
    "fmad" = "mad", "short", "110 0----", [m: MAD_SHORT_MODS, d: FT, a: MAD_A, b: B, c: MAD_SHORT_C],
        "fmad{m} {d}, {a}, {b}, {c}", Lift(Fmad), "Multiplies two numbers and adds a third.";
};

/// Operations with one source: the form with modifiers, the short one, and for those whose result is a whole output the one
/// that reads a half, which has no encoding.
macro_rules! one {
    ($($name:literal, $long:literal, $short:literal, $half:literal, $opcode:ident, $doc:literal;)*) => {
        rows! { "section 6.1", Implemented;
            $(
            $name, "", $long, [d: WIDE0, a: ONE], concat!($name, " {d}, {a}"), Lift($opcode), $doc;
            $name, "half source, no encoding", $half, [d: WIDE0, a: HALF], concat!($name, " {d}, {a}"), Lift($opcode), $doc;
            $name, "short", $short, [d: WIDE0, a: A], concat!($name, " {d}, {a}"), Lift($opcode), $doc;
            )*
        }
    };
}

const COMPLEX: &[Row<Usc>] = one! {
    "frcp", "o{6}-- 100 1 0000", "100 0 0000", "1 0000001 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Frcp,
        "The reciprocal.";
    "frsq", "o{6}-- 100 1 0001", "100 0 0001", "1 0000010 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Frsq,
        "The reciprocal of the square root.";
    "flog", "o{6}-- 100 1 0010", "100 0 0010", "1 0000011 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Flog,
        "The logarithm to base 2.";
    "fexp", "o{6}-- 100 1 0011", "100 0 0011", "1 0000100 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Fexp,
        "A power of 2.";
    "flogcn", "o{6}-- 100 1 0101", "100 0 0101", "1 0000101 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Flogcn,
        "A step of a logarithm that no document describes.";
    "gcmp", "o{5}0-- 100 1 0110", "100 0 0110", "1 0000110 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", Gcmp,
        "Gamma compression: sRGB encoding.";
};

const FURTHER: &[Row<Usc>] = rows! { "section 6.1", Implemented;
    "gexp", "", "o{5}1-- 100 1 0110", [d: WIDE0, a: ONE], "gexp {d}, {a}", Lift(Gexp),
        "Gamma expansion: sRGB decoding.";
    "gexp", "half source, no encoding", "1 0000111 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", [d: WIDE0, a: HALF],
        "gexp {d}, {a}", Lift(Gexp), "Gamma expansion: sRGB decoding.";
    "fsqrt", "no encoding", "1 0001001 o{104} | o{6}-- | 100 1 0100", [d: WIDE0, a: ONE], "fsqrt {d}, {a}", Lift(Fsqrt),
        "The square root.";
    "fsqrt", "half source, no encoding", "1 0001000 o{48} o{7}- o{48} | o{6}-- | 100 1 0100", [d: WIDE0, a: HALF],
        "fsqrt {d}, {a}", Lift(Fsqrt), "The square root.";
    "fsinc", "", "o{6}-- 100 1 1110", [d: WIDE0, a: ONE], "fsinc {d}, p0, {a}", Lift(Fsinc),
        "sin(pi/2 x)/x, and in p0 whether to multiply by x.";
    "fsinc", "short", "100 0 1110", [d: WIDE0, a: A], "fsinc {d}, p0, {a}", Lift(Fsinc),
        "sin(pi/2 x)/x, and in p0 whether to multiply by x.";
    "farctanc", "", "o{6}-- 100 1 1111", [d: WIDE0, a: ONE], "farctanc {d}, {a}", Lift(Farctanc), "atan(x)/x.";
    "farctanc", "short", "100 0 1111", [d: WIDE0, a: A], "farctanc {d}, {a}", Lift(Farctanc), "atan(x)/x.";
    "fred", "", "- --- - - -- 100 1 1101",
        [m: RED_MODS, d: WIDE0, e: WIDE1, p: RED_P0, n: ITERATION, a: ONE, f: RED_D],
        "fred{m} {d}, {e}, {p}, {n}, {a}{f}", Lift(Fred), "Range reduction for a sine or cosine.";
    "sop", "reserved", "100 o 0100", [], "", Refused("the encoding of sums of products is not known"),
        "A sum of products.";
};

const MOVES: &[Row<Usc>] = rows! { "sections 6.1 and 6.2", Observed;
    "mov" = "mbyp", "", "o{6}-- 100 1 0111", [d: FT, a: ONE], "mov {d}, {a}", Lift(Mbyp), "Copies a source.";
    "mov" = "mbyp", "short", "100 0 0111", [d: FT, a: A], "mov {d}, {a}", Lift(Mbyp), "Copies a source.";
    "fdsx", "", "o{6}-- 100 1 1000", [d: FT, a: ONE], "fdsx {d}, {a}", Lift(Fdsx), "Difference along x, for the quad.";
    "fdsx", "short", "100 0 1000", [d: FT, a: A], "fdsx {d}, {a}", Lift(Fdsx), "Difference along x, for the quad.";
    "fdsy", "", "o{6}-- 100 1 1001", [d: FT, a: ONE], "fdsy {d}, {a}", Lift(Fdsy), "Difference along y, for the quad.";
    "fdsy", "short", "100 0 1001", [d: FT, a: A], "fdsy {d}, {a}", Lift(Fdsy), "Difference along y, for the quad.";
    "fdsxf", "", "o{6}-- 100 1 1010", [d: FT, a: ONE], "fdsxf {d}, {a}", Lift(Fdsxf), "Difference along x, for each row.";
    "fdsxf", "short", "100 0 1010", [d: FT, a: A], "fdsxf {d}, {a}", Lift(Fdsxf), "Difference along x, for each row.";
    "fdsyf", "", "o{6}-- 100 1 1011", [d: FT, a: ONE], "fdsyf {d}, {a}", Lift(Fdsyf), "Difference along y, for each column.";
    "fdsyf", "short", "100 0 1011", [d: FT, a: A], "fdsyf {d}, {a}", Lift(Fdsyf), "Difference along y, for each column.";
    "unpck" = "unpk" = "upck", "", "-- - ----- 100 1 1100", [m: UNPACK_MODS, a: UNPACK_A], "unpck{m} ft0, {a}", Lift(Unpck),
        "Converts a field of a packed register.";
};

/// The 8- and 16-bit operations of one type: without modifiers, and with those that leave the elements at 0.
macro_rules! narrow {
    ($($ty:literal $bits:literal $add:literal $mul:literal $mad:literal $short_c:ident $c:ident $two:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $(
            $add, "", concat!("oooo ---- 101 1 00", $bits),
                [m: NARROW_SAT, a: NARROW2_A, b: NARROW2_B], concat!($add, "{m} ft0, {a}, {b}"),
                Lift(AddNarrow), concat!("Adds ", $ty, " numbers.");
            $add, "short", concat!("101 0 00", $bits), [a: NARROW1_A, b: NARROW1_B], concat!($add, " ft0, {a}, {b}"),
                Lift(AddNarrow), concat!("Adds ", $ty, " numbers.");
            $mul, "", concat!("oooo ---- 101 1 01", $bits),
                [m: NARROW_SAT, a: NARROW2_A, b: NARROW2_B], concat!($mul, "{m} ft0, {a}, {b}"),
                Lift(MulNarrow), concat!("Multiplies ", $ty, " numbers.");
            $mul, "short", concat!("101 0 01", $bits), [a: NARROW1_A, b: NARROW1_B], concat!($mul, " ft0, {a}, {b}"),
                Lift(MulNarrow), concat!("Multiplies ", $ty, " numbers.");
            $mad, "", concat!("-o-- ---- 101 1 1", $two, $bits), [m: NARROW_SAT, a: NARROW2_A, b: NARROW2_B, c: $c],
                concat!($mad, "{m} ft0, {a}, {b}, {c}"), Lift(MadNarrow),
                concat!("Multiplies ", $ty, " numbers and adds a third.");
            $mad, "short", concat!("101 0 1", $two, $bits), [a: NARROW1_A, b: NARROW1_B, c: $short_c],
                concat!($mad, " ft0, {a}, {b}, {c}"), Lift(MadNarrow),
                concat!("Multiplies ", $ty, " numbers and adds a third.");
            )*
        }
    };
}

const NARROW_ROWS: &[Row<Usc>] = narrow! {
    "unsigned 8-bit" "00" "uadd8" "umul8" "umad8" NARROW1_C NARROW_C "-";
    "signed 8-bit" "10" "iadd8" "imul8" "imad8" NARROW1_C NARROW_C "-";
    "unsigned 16-bit" "01" "uadd16" "umul16" "umad16" NARROW1_C16 NARROW_C16 "0";
    "signed 16-bit" "11" "iadd16" "imul16" "imad16" NARROW1_C16 NARROW_C16 "0";
};

/// The same with a third byte for the elements. No bit says that it is there: the group must end where its parts do.
macro_rules! elements {
    ($($ty:literal $bits:literal $add:literal $mul:literal $mad:literal $c:ident $two:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $(
            $add, "elements", concat!("oooo ---- oooo ---- 101 1 00", $bits),
                [m: NARROW_SAT, a: NARROW_A, b: NARROW_B], concat!($add, "{m} ft0, {a}, {b}"),
                Lift(AddNarrow), concat!("Adds elements of ", $ty, " numbers.");
            $mul, "elements", concat!("oooo ---- oooo ---- 101 1 01", $bits),
                [m: NARROW_SAT, a: NARROW_A, b: NARROW_B], concat!($mul, "{m} ft0, {a}, {b}"),
                Lift(MulNarrow), concat!("Multiplies elements of ", $ty, " numbers.");
            $mad, "elements", concat!("oooo ---- -o-- ---- 101 1 1", $two, $bits),
                [m: NARROW_SAT, a: NARROW_A, b: NARROW_B, c: $c], concat!($mad, "{m} ft0, {a}, {b}, {c}"),
                Lift(MadNarrow), concat!("Multiplies elements of ", $ty, " numbers and adds a third.");
            )*
        }
    };
}

const ELEMENT_ROWS: &[Row<Usc>] = elements! {
    "unsigned 8-bit" "00" "uadd8" "umul8" "umad8" NARROW_C "-";
    "signed 8-bit" "10" "iadd8" "imul8" "imad8" NARROW_C "-";
    "unsigned 16-bit" "01" "uadd16" "umul16" "umad16" NARROW_C16 "0";
    "signed 16-bit" "11" "iadd16" "imul16" "imad16" NARROW_C16 "0";
};

/// 32- and 64-bit operations: the form with modifiers and the short one.
macro_rules! word {
    ($($name:literal, $bits:literal, $opcode:ident, $long:literal, $short:literal, [$($high:ident)?], $doc:literal;)*) => {
        rows! { "section 6.3", Implemented;
            $(
            $name, "", concat!("o--- o--- 111 1 ", $bits), [a: WORD_A, b: WORD_B, c: WORD_C, $($high: HIGH,)? p: CARRY],
                concat!($name, $long), Lift($opcode), $doc;
            $name, "short", concat!("111 0 ", $bits), [a: A, b: B, c: WORD_SHORT_C, $($high: HIGH,)? p: NO_CARRY],
                concat!($name, $short), Lift($opcode), $doc;
            )*
        }
    };
}

const WORD: &[Row<Usc>] = word! {
    "uadd6432", "0-00", Add6432, " ft0, {a}, {b}, {c}{p}", " ft0, {a}, {b}, {c}{p}", [],
        "Adds an unsigned 32-bit number to a 64-bit one.";
    "sadd6432", "1-00", Add6432, " ft0, {a}, {b}, {c}{p}", " ft0, {a}, {b}, {c}{p}", [],
        "Adds a signed 32-bit number to a 64-bit one.";
    "add64", "o-01", Add64, " ft0, {a}, {b}, {c}, {h}{p}", " ft0, {a}, {b}, {c}, {h}{p}", [h], "Adds 64-bit numbers.";
    "umadd32", "0-10", Madd32, " ft0, {a}, {b}, {c}{p}", " ft0, {a}, {b}, {c}{p}", [],
        "Multiplies unsigned 32-bit numbers and adds a third.";
    "smadd32", "1-10", Madd32, " ft0, {a}, {b}, {c}{p}", " ft0, {a}, {b}, {c}{p}", [],
        "Multiplies signed 32-bit numbers and adds a third.";
    "umadd64", "0-11", Madd64, " ft0, {a}, {b}, {c}, {h}{p}", " ft0, {a}, {b}, {c}, {h}{p}", [h],
        "Multiplies unsigned 32-bit numbers and adds a 64-bit one.";
    "smadd64", "1-11", Madd64, " ft0, {a}, {b}, {c}, {h}{p}", " ft0, {a}, {b}, {c}, {h}{p}", [h],
        "Multiplies signed 32-bit numbers and adds a 64-bit one.";
};

const SUMS: &[Row<Usc>] = rows! { "sections 6.1.11 to 6.1.17", Documented;
    "sop" = "f16sop", "first line, no encoding", "1 0001010 oo -- -- --- 0 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100",
        [d: SOP_J, a: SOP_A, e: SOP_E, o: SOP_OP, b: SOP_B, f: SOP_F], "sop {d}, {a}, {e}, {o}, {b}, {f}", Lift(Sop),
        "Half-precision sum of two products, into output 0.";
    "sop" = "f16sop", "second line, no encoding", "1 0001011 oo oo -- --- 1 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100",
        [d: SOP_K, a: SOP_A, e: SOP_E, o: SOP_OP, b: SOP_B, f: SOP_F], "sop {d}, {a}, {e}, {o}, {b}, {f}", Lift(Sop),
        "Half-precision sum of two products, into output 1.";
    "sop" = "f16sop", "second line into a half, no encoding", "1 0001100 oo -- -- --- 1 -{22} oo -{22} oo -{22} oo -{22} o{8} | 100 1 0100",
        [d: SOP_KH, a: SOP_A, e: SOP_E, o: SOP_OP, b: SOP_B, f: SOP_F], "sop {d}, {a}, {e}, {o}, {b}, {f}", Lift(Sop),
        "Half-precision sum of two products, into a half of output 0.";
    "sopmov", "no encoding", "1 0001101 o{112} | 100 1 0100", [d: SOPMOV_W1, a: D_OPTIONAL], "sopmov {d}, {a}", Lift(Sopmov),
        "Copy beside a sum of products.";
    "sop" = "f16sop", "mad, no encoding", "1 0001110 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "sop.mad {x}", Lift(WideSum),
        "Four half-precision products and sums.";
    "sop" = "f16sop", "u8, no encoding", "1 0001111 o{55}- o{56} | 100 1 0100", [z: ANY_SUFFIX, x: OPERANDS], "sop.u8{z} {x}",
        Lift(WideSum), "Sums of products of bytes.";
    "sop" = "f16sop", "u8mad, no encoding", "1 0010000 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "sop.u8mad {x}",
        Lift(WideSum), "Four products and sums of bytes.";
    "sopmov", "u8, no encoding", "1 0010001 o{55}- o{56} | 100 1 0100", [z: ANY_SUFFIX, x: OPERANDS], "sopmov.u8{z} {x}",
        Lift(WideSum), "Copy beside a sum of products of bytes.";
    "sopu8madmov", "no encoding", "1 0010010 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "sopu8madmov {x}",
        Lift(WideSum), "Copy beside a sum of products of bytes.";
};

const DOUBLE: &[Row<Usc>] = rows! { "sections 6.1.24 and 6.10", Documented;
    "convertfromf64", "no encoding", "1 0010011 o{55}- o{56} | 100 1 0100", [m: ANY_SUFFIX, x: OPERANDS], "convertfromf64{m} {x}",
        Unsupported(why::F64), "Converts a 64-bit float to 32 bits.";
    "f64mul", "no encoding", "1 0010100 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64mul {x}", Unsupported(why::F64),
        "Multiplies 64-bit floats.";
    "f64add", "no encoding", "1 0010101 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64add {x}", Unsupported(why::F64),
        "Adds 64-bit floats.";
    "f64mad", "no encoding", "1 0010110 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64mad {x}", Unsupported(why::F64),
        "Multiplies 64-bit floats and adds a third.";
    "f64div", "no encoding", "1 0010111 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64div {x}", Unsupported(why::F64),
        "Divides 64-bit floats.";
    "f64rcp", "no encoding", "1 0011000 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64rcp {x}", Unsupported(why::F64),
        "The reciprocal of a 64-bit float.";
    "f64sqrt", "no encoding", "1 0011001 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64sqrt {x}", Unsupported(why::F64),
        "The square root of a 64-bit float.";
    "f64rsq", "no encoding", "1 0011010 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64rsq {x}", Unsupported(why::F64),
        "The reciprocal of the square root of a 64-bit float.";
    "f64byp", "no encoding", "1 0011011 o{55}- o{56} | 100 1 0100", [x: OPERANDS], "f64byp {x}", Unsupported(why::F64),
        "Copies a 64-bit float.";
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
