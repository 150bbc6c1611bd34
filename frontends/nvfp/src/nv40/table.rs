//! The rows, by family.
//!
//! Patterns are put together from named pieces, most significant bits first: the fourth word down to the first.

use super::{Kind, Nv40};
use crate::table::microcode;
use parallax_isa::{Confidence, Family, Meaning, Operand, Row, Table};

/// Pieces of patterns, by the number of sources.
macro_rules! bits {
    (fourth 0) => {
        "o{32} | "
    };
    (fourth 1) => {
        "-{13} o{19} | "
    };
    (fourth 2) => {
        "-{13} o{19} | "
    };
    (fourth 3) => {
        "-{32} | "
    };
    (third 0) => {
        "0 o{31} | "
    };
    (third 1) => {
        "0 --- ooo ooo --- o{19} | "
    };
    (third 2) => {
        "0 --- ooo --- --- -{19} | "
    };
    (third 3) => {
        "0 -{31} | "
    };
    (second none) => {
        "o o o iiiooioo iii o{18} | "
    };
    (second test) => {
        "- o o -{8} --- o{18} | "
    };
    (second source) => {
        "-{32} | "
    };
    (first alu) => {
        "- - "
    };
    (first bare) => {
        "o o "
    };
    (first test) => {
        "o i "
    };
    (last alu) => {
        " -- o oooo ---- ---- - - -{6} -"
    };
    (last texture) => {
        " -- - ---- ---- ---- - - -{6} -"
    };
    (last none) => {
        " oo o oooo oooo oooo o o o{6} -"
    };
    (flow target) => {
        "o{32} | 1 -{31} | "
    };
    (flow targets) => {
        "o -{31} | 1 -{31} | "
    };
    (flow range) => {
        "o -{31} | 1 o{4} -{8} o -{8} -{8} oo | "
    };
    (flow count) => {
        "o -{31} | 1 o{4} o{8} o o{8} -{8} oo | "
    };
    (flow nothing) => {
        "o{32} | 1 o{31} | "
    };
}

/// One row: shape, mnemonic, operation bits, sentence.
macro_rules! row {
    (@ $name:literal $pattern:expr, $operands:expr, $text:expr, $meaning:expr, $doc:literal) => {
        Row {
            name: $name,
            aliases: &[],
            form: "",
            pattern: parallax_isa::Pattern::new($pattern),
            operands: $operands,
            text: concat!($name, $text, "{marks}"),
            doc: $doc,
            source: "NV40 microcode, opcodes",
            confidence: Confidence::Observed,
            meaning: $meaning,
        }
    };
    (lift $name:literal) => {
        Meaning::Lift(microcode($name))
    };
    (bare $name:literal, $op:literal, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 0), bits!(third 0), bits!(second none), bits!(first bare), $op, bits!(last none)),
            BARE, "{constant}", row!(lift $name), $doc)
    };
    (one $name:literal, $op:literal, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 1), bits!(third 1), bits!(second source), bits!(first alu), $op, bits!(last alu)),
            ONE, "{prec}{code}{scale}{sat} {dst}, {a}{constant}", row!(lift $name), $doc)
    };
    (two $name:literal, $op:literal, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 2), bits!(third 2), bits!(second source), bits!(first alu), $op, bits!(last alu)),
            TWO, "{prec}{code}{scale}{sat} {dst}, {a}, {b}{constant}", row!(lift $name), $doc)
    };
    (three $name:literal, $op:literal, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 3), bits!(third 3), bits!(second source), bits!(first alu), $op, bits!(last alu)),
            THREE, "{prec}{code}{scale}{sat} {dst}, {a}, {b}, {c}", row!(lift $name), $doc)
    };
    (texture $name:literal, $op:literal, $meaning:expr, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 1), bits!(third 1), bits!(second source), bits!(first alu), $op, bits!(last texture)),
            TEXTURE_ONE, "{prec}{code}{scale}{expand}{sat} {dst}, {a}, {unit}{constant}", $meaning, $doc)
    };
    (texture_two $name:literal, $op:literal, $meaning:expr, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 2), bits!(third 2), bits!(second source), bits!(first alu), $op, bits!(last texture)),
            TEXTURE_TWO, "{prec}{code}{scale}{expand}{sat} {dst}, {a}, {b}, {unit}{constant}", $meaning, $doc)
    };
    (texture_three $name:literal, $op:literal, $meaning:expr, $doc:literal) => {
        row!(@ $name
            concat!(bits!(fourth 3), bits!(third 3), bits!(second source), bits!(first alu), $op, bits!(last texture)),
            TEXTURE_THREE, "{prec}{code}{scale}{expand}{sat} {dst}, {a}, {b}, {c}, {unit}", $meaning, $doc)
    };
    (flow $pieces:ident $name:literal, $op:literal, $operands:expr, $text:expr, $doc:literal) => {
        row!(@ $name
            concat!(bits!(flow $pieces), bits!(second test), bits!(first test), $op, bits!(last none)),
            $operands, $text, row!(lift $name), $doc)
    };
}

type Operands = &'static [Operand<Kind>];

const fn op(name: &'static str, kind: Kind) -> Operand<Kind> {
    Operand { name, kind }
}

const PRECISION: Operand<Kind> = op("prec", Kind::Precision);
const CODE: Operand<Kind> = op("code", Kind::Code);
const SCALE: Operand<Kind> = op("scale", Kind::Scale);
const EXPAND: Operand<Kind> = op("expand", Kind::Expand);
const SAT: Operand<Kind> = op("sat", Kind::Saturate);
const DST: Operand<Kind> = op("dst", Kind::Result);
const A: Operand<Kind> = op("a", Kind::Source1);
const B: Operand<Kind> = op("b", Kind::Source2);
const C: Operand<Kind> = op("c", Kind::Source3);
const UNIT: Operand<Kind> = op("unit", Kind::Unit);
const MARKS: Operand<Kind> = op("marks", Kind::Annotations);
const LONE_1: Operand<Kind> = op("constant", Kind::Constant1);
const LONE_2: Operand<Kind> = op("constant", Kind::Constant2);
const TEST: Operand<Kind> = op("test", Kind::OptionalTest);

const BARE: Operands = &[op("constant", Kind::Constant0), MARKS];
const KILL: Operands = &[op("test", Kind::Test), op("constant", Kind::Constant0), MARKS];
const ONE: Operands = &[PRECISION, CODE, SCALE, SAT, DST, A, LONE_1, MARKS];
const TWO: Operands = &[PRECISION, CODE, SCALE, SAT, DST, A, B, LONE_2, MARKS];
const THREE: Operands = &[PRECISION, CODE, SCALE, SAT, DST, A, B, C, MARKS];
const TEXTURE_ONE: Operands = &[PRECISION, CODE, SCALE, EXPAND, SAT, DST, A, UNIT, LONE_1, MARKS];
const TEXTURE_TWO: Operands = &[PRECISION, CODE, SCALE, EXPAND, SAT, DST, A, B, UNIT, LONE_2, MARKS];
const TEXTURE_THREE: Operands = &[PRECISION, CODE, SCALE, EXPAND, SAT, DST, A, B, C, UNIT, MARKS];
const IF: Operands = &[op("test", Kind::Test), op("else", Kind::Target), op("end", Kind::BlockEnd), MARKS];
const LOOP: Operands = &[op("range", Kind::Range), op("end", Kind::BlockEnd), TEST, MARKS];
const REP: Operands = &[op("count", Kind::Count), op("end", Kind::BlockEnd), TEST, MARKS];
const CAL: Operands = &[op("target", Kind::Target), TEST, MARKS];
const LEAVE: Operands = &[TEST, MARKS];

/// A row whose meaning is our reading.
const fn assumed(mut row: Row<Nv40>) -> Row<Nv40> {
    row.confidence = Confidence::Assumed;
    row
}

/// A row with another mnemonic, that of RPCS3's assembler.
const fn or(aliases: &'static [&'static str], mut row: Row<Nv40>) -> Row<Nv40> {
    row.aliases = aliases;
    row
}

const BUMP: Meaning<&'static crate::table::Row> =
    Meaning::Unsupported("no document says how bump-environment lookups combine their sources");

#[rustfmt::skip]
const ARITHMETIC: &[Row<Nv40>] = &[
    row!(one   "MOV", "000001", "a."),
    row!(two   "MUL", "000010", "a * b."),
    row!(two   "ADD", "000011", "a + b."),
    or(&["FMA"], row!(three "MAD", "000100", "a*b + c.")),
    row!(two   "DP3", "000101", "Three-component dot product."),
    row!(two   "DP4", "000110", "Four-component dot product."),
    row!(two   "DST", "000111", "(1, a.y*b.y, a.z, b.w)."),
    row!(two   "MIN", "001000", "Smaller operand."),
    row!(two   "MAX", "001001", "Larger operand."),
    row!(one   "FRC", "010000", "a - floor(a)."),
    row!(one   "FLR", "010001", "Largest integer not above a."),
    row!(one   "RCP", "011010", "1 / a.x."),
    row!(one   "RSQ", "011011", "1 / sqrt(a.x)."),
    row!(one   "EX2", "011100", "2^a.x."),
    row!(one   "LG2", "011101", "Base-2 logarithm of a.x."),
    row!(one   "LIT", "011110", "Lighting terms (1, diffuse, specular, 1)."),
    row!(three "LRP", "011111", "a*b + (1-a)*c."),
    row!(one   "COS", "100010", "Cosine of a.x."),
    row!(one   "SIN", "100011", "Sine of a.x."),
    row!(two   "POW", "100110", "a.x^b.x."),
    row!(three "X2D", "101011", "Two-dimensional coordinate transformation."),
    row!(three "DP2A", "101110", "Two-component dot product plus c.x."),
    row!(two   "RFL", "110110", "Reflection of b about axis a; w is not written."),
    row!(two   "DP2", "111000", "Two-component dot product."),
    row!(one   "NRM", "111001", "a.xyz divided by its length."),
    row!(two   "DIV", "111010", "a / b.x."),
    assumed(row!(two "DIVSQ", "111011", "a / sqrt(|b.x|), 0 where a is 0.")),
    assumed(row!(one "LITEX2", "111100", "(1, a.y, a.y > 0 ? 2^a.w : 0, 1): the end of LIT.")),
];

#[rustfmt::skip]
const COMPARISONS: &[Row<Nv40>] = &[
    row!(two "SLT", "001010", "a < b ? 1 : 0."),
    row!(two "SGE", "001011", "a >= b ? 1 : 0."),
    row!(two "SLE", "001100", "a <= b ? 1 : 0."),
    row!(two "SGT", "001101", "a > b ? 1 : 0."),
    row!(two "SNE", "001110", "a differs from b ? 1 : 0."),
    row!(two "SEQ", "001111", "a = b ? 1 : 0."),
    row!(two "STR", "100000", "1."),
    row!(two "SFL", "100001", "0."),
];

#[rustfmt::skip]
const PACKS: &[Row<Nv40>] = &[
    or(&["PK8S"], row!(one "PK4B",   "010011", "Packs x, y, z, w as signed bytes.")),
    or(&["UP8S"], row!(one "UP4B",   "010100", "Unpacks four signed bytes.")),
    or(&["PKH"], row!(one "PK2H",   "100100", "Packs x, y as halves.")),
    or(&["UPH"], row!(one "UP2H",   "100101", "Unpacks two halves.")),
    or(&["PK8U"], row!(one "PK4UB",  "100111", "Packs x, y, z, w as unsigned byte fractions.")),
    or(&["UP8U"], row!(one "UP4UB",  "101000", "Unpacks four unsigned byte fractions.")),
    or(&["PK16U"], row!(one "PK2US",  "101001", "Packs x, y as unsigned 16-bit fractions.")),
    or(&["UP16U"], row!(one "UP2US",  "101010", "Unpacks two unsigned 16-bit fractions.")),
    or(&["PK8G"], assumed(row!(one "PK4UBG", "101100", "Packs x, y, z by the sRGB curve and w as unsigned byte fractions."))),
    or(&["UP8G"], assumed(row!(one "UP4UBG", "101101", "Unpacks four unsigned byte fractions, x, y, z by the sRGB curve."))),
];

#[rustfmt::skip]
const TEXTURES: &[Row<Nv40>] = &[
    row!(one     "DDX", "010101", "Change per pixel in x."),
    row!(one     "DDY", "010110", "Change per pixel in y."),
    row!(texture "TEX", "010111", row!(lift "TEX"), "Texel at a.xyz."),
    row!(texture "TXP", "011000", row!(lift "TXP"), "Texel at a.xyz / a.w."),
    row!(texture_three "TXD", "011001", row!(lift "TXD"), "Texel at a.xyz with derivatives b and c."),
    assumed(row!(texture_two "TXL", "101111", row!(lift "TXL"), "Texel at a.xyz of level b.x.")),
    assumed(row!(texture_two "TXB", "110001", row!(lift "TXB"), "Texel at a.xyz, level biased by b.x.")),
    row!(texture_three "TEXBEM", "110011", BUMP, "Bump-environment lookup."),
    row!(texture_three "TXPBEM", "110100", BUMP, "Bump-environment lookup with projection."),
    row!(texture_three "BEMLUM", "110101", BUMP, "Bump-environment lookup with luminance."),
    row!(texture_two "TIMESWTEX", "110111",
        Meaning::Unsupported("no document says what is multiplied by w"), "Lookup multiplied by w."),
];

#[rustfmt::skip]
const CONTROL: &[Row<Nv40>] = &[
    row!(bare "NOP",   "000000", "Nothing."),
    row!(@ "KIL"
        concat!(bits!(fourth 0), bits!(third 0), bits!(second test), bits!(first test), "010010", bits!(last none)),
        KILL, " {test}{constant}", row!(lift "KIL"), "Discards the fragment when any tested component passes."),
    row!(bare "FENCT", "111101", "Orders texture lookups; changes no value."),
    row!(bare "FENCB", "111110", "Orders branches; changes no value."),
    row!(flow nothing "BRK",  "000000", LEAVE, "{test}", "Leaves the innermost loop."),
    row!(flow target  "CAL",  "000001", CAL, " {target}{test}", "Calls a subroutine."),
    row!(flow targets "IF",   "000010", IF, " {test}, {else}, {end}",
        "Runs what follows up to the else target when any tested component passes, else what follows that."),
    assumed(row!(flow range "LOOP", "000011", LOOP, " {range}, {end}{test}",
        "Runs a block so many times; the loop register counts from start by step.")),
    assumed(row!(flow count "REP", "000100", REP, " {count}, {end}{test}", "Runs a block so many times.")),
    row!(flow nothing "RET",  "000101", LEAVE, "{test}", "Returns from a subroutine, or ends the program."),
];

/// All rows.
pub static TABLE: Table<Nv40> = Table {
    name: "nv40",
    title: "NV40 fragment program microcode",
    widths: &[128],
    about: "\
Instructions are four 32-bit words, here numbered 0 to 127 from the lowest bit of the first; the words are little-endian on PC \
boards and have their 16-bit halves exchanged on RSX. Where a source is of type 2, a constant of four words follows: one for \
all sources. Letters behind the mnemonic name the format of the operation: `R` binary32, `H` binary16, `X` fixed point 2.10, \
`B` fixed point 0.8; then the condition code that is updated, a scale of the result, `_SAT`. Letters in front of a \
parenthesis name the format a source is brought to; `s` clamps it to [0, 1]. In patterns, `o` and `i` are bits the decoder \
ignores and the encoder writes as 0 and 1.",
    families: &[
        Family { title: "Arithmetic", rows: ARITHMETIC },
        Family { title: "Comparisons", rows: COMPARISONS },
        Family { title: "Packing", rows: PACKS },
        Family { title: "Textures and derivatives", rows: TEXTURES },
        Family { title: "Control", rows: CONTROL },
    ],
};
