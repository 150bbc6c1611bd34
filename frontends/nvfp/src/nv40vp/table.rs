//! The rows: vector operations, each with a scalar one beside it or not, scalar operations alone, jumps.

use super::NvVertex;
use super::fields::*;
use super::operand::*;
use crate::table::microcode;
use parallax_isa::{Confidence, Family, Meaning, Operand, Pattern, Row, SyntaxKind, Table};

type Operands = &'static [Operand<SyntaxKind>];
type Lift = Meaning<&'static crate::table::Row>;

const OPCODES: u128 = 0x3ff << 54;

/// What is written where nothing is read or chosen.
const FILLER: u128 = UNREAD[0] | UNREAD[1] | UNREAD[2] | FILLED;
/// No registers, no result, a test that always passes.
const FILLED: u128 = (NO_REGISTER as u128) << 15
    | (NO_REGISTER as u128) << 103
    | (NO_RESULT as u128) << 98
    | (ALWAYS as u128) << 10
    | (IDENTITY as u128) << 2;

/// A row whose constant bits are those of the vector opcode, and of the scalar one unless an operand chooses it.
const fn row(
    name: &'static str,
    [vector, scalar]: [u128; 2],
    operands: Operands,
    text: &'static str,
    meaning: Lift,
    doc: &'static str,
) -> Row<NvVertex> {
    let mut free = 0;
    let mut n = 0;
    while n < operands.len() {
        free |= operands[n].kind.0.bits_of_fields().word();
        n += 1;
    }
    let fixed = OPCODES & !free;
    let plain = Pattern::masked(128, fixed, (vector << 54 | scalar << 59) & fixed, free);
    Row {
        name,
        aliases: &[],
        form: "",
        pattern: Pattern { filler: FILLER & !fixed & !free, ..plain },
        operands,
        text,
        doc,
        source: "NV40 vertex microcode, opcodes",
        confidence: Confidence::Observed,
        meaning,
    }
}

const fn assumed(mut row: Row<NvVertex>) -> Row<NvVertex> {
    row.confidence = Confidence::Assumed;
    row
}

const fn lift(name: &str) -> Lift {
    Meaning::Lift(microcode(name))
}

const A: Operand<SyntaxKind> = SOURCE_KINDS[0];
const B: Operand<SyntaxKind> = SOURCE_KINDS[1];
const C: Operand<SyntaxKind> = SOURCE_KINDS[2];

const NONE: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, BESIDE, HIDDEN, MARKS];
const ONE: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, A, BESIDE, HIDDEN, MARKS];
const TWO: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, A, B, BESIDE, HIDDEN, MARKS];
const FIRST_AND_THIRD: Operands =
    &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, A, C, BESIDE_DATA, HIDDEN_DATA, MARKS];
const THREE: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, A, B, C, BESIDE_DATA, HIDDEN_DATA, MARKS];
const LOOKUP: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, DESTINATION, A, TEXTURE, BESIDE, HIDDEN, MARKS];
const LOAD: Operands = &[UPDATES, UPDATES_SECOND, ADDRESS_DESTINATION, A, BESIDE, HIDDEN, MARKS];
const ADDRESS: Operands = &[UPDATES, UPDATES_SECOND, ADDRESS_DESTINATION, ADDRESS_SOURCE, HIDDEN_TEST, MARKS];
const ALONE: Operands = &[UPDATES, UPDATES_SECOND, SATURATES, SCALAR, C, HIDDEN_SCALAR, MARKS];
const JUMP: Operands = &[JUMP_TARGET, JUMP_TESTED, MARKS];
const BOOLEAN_JUMP: Operands = &[JUMP_BOOLEAN, JUMP_TARGET, MARKS];
const RETURN: Operands = &[JUMP_TESTED, MARKS];
const TO_ADDRESS: Operands = &[JUMP_ADDRESS, JUMP_TESTED, MARKS];
const STACK: Operands = &[ADDRESS_SOURCE, MARKS];

macro_rules! text {
    ($operands:literal) => {
        concat!("{code}{code1}{sat} {dst}", $operands, "{second}{hidden}{marks}")
    };
}

macro_rules! vector {
    ($name:literal, $op:literal, $operands:expr, $text:literal, $doc:literal) => {
        vector!($name as $name, $op, $operands, $text, $doc)
    };
    ($name:literal as $lift:literal, $op:literal, $operands:expr, $text:literal, $doc:literal) => {
        row($name, [$op, 0], $operands, concat!($name, text!($text)), lift($lift), $doc)
    };
}

macro_rules! scalar {
    ($name:literal as $lift:literal, $op:literal, $doc:literal) => {
        row($name, [0, $op], ALONE, concat!($name, "{code}{code1}{sat} {dst}, {c}{hidden}{marks}"), lift($lift), $doc)
    };
    ($name:literal, $op:literal, $doc:literal) => {
        scalar!($name as $name, $op, $doc)
    };
}

#[rustfmt::skip]
const VECTOR: &[Row<NvVertex>] = &[
    vector!("MOV", 1, ONE, ", {a}", "a."),
    vector!("MUL", 2, TWO, ", {a}, {b}", "a * b."),
    vector!("ADD", 3, FIRST_AND_THIRD, ", {a}, {c}", "a + c; the second operand is the third source."),
    vector!("MAD", 4, THREE, ", {a}, {b}, {c}", "a*b + c."),
    vector!("DP3", 5, TWO, ", {a}, {b}", "Three-component dot product."),
    vector!("DPH", 6, TWO, ", {a}, {b}", "a.xyz * b.xyz + b.w."),
    vector!("DP4", 7, TWO, ", {a}, {b}", "Four-component dot product."),
    vector!("DST", 8, TWO, ", {a}, {b}", "(1, a.y*b.y, a.z, b.w)."),
    vector!("MIN", 9, TWO, ", {a}, {b}", "Smaller operand."),
    vector!("MAX", 10, TWO, ", {a}, {b}", "Larger operand."),
    vector!("SLT", 11, TWO, ", {a}, {b}", "a < b ? 1 : 0."),
    vector!("SGE", 12, TWO, ", {a}, {b}", "a >= b ? 1 : 0."),
    vector!("FRC", 14, ONE, ", {a}", "a - floor(a)."),
    vector!("FLR", 15, ONE, ", {a}", "Largest integer not above a."),
    vector!("SEQ", 16, TWO, ", {a}, {b}", "a = b ? 1 : 0."),
    vector!("SFL", 17, NONE, "", "0."),
    vector!("SGT", 18, TWO, ", {a}, {b}", "a > b ? 1 : 0."),
    vector!("SLE", 19, TWO, ", {a}, {b}", "a <= b ? 1 : 0."),
    vector!("SNE", 20, TWO, ", {a}, {b}", "a differs from b ? 1 : 0."),
    vector!("STR", 21, NONE, "", "1."),
    vector!("SSG", 22, ONE, ", {a}", "Sign of a: 1, 0 or -1."),
    assumed(row("TXL", [25, 0], LOOKUP, concat!("TXL", "{code}{code1}{sat} {dst}, {a}, {unit}{second}{hidden}{marks}"), lift("TXL"),
        "Texel at a.xyz of level a.w.")),
];

#[rustfmt::skip]
const ADDRESSES: &[Row<NvVertex>] = &[
    row("ARL", [13, 0], LOAD, concat!("ARL", "{code}{code1} {dst}, {a}{second}{hidden}{marks}"), lift("ARL"),
        "Address register: the largest integer not above a."),
    row("ARR", [23, 0], LOAD, concat!("ARR", "{code}{code1} {dst}, {a}{second}{hidden}{marks}"), lift("ARR"),
        "Address register: the nearest integer, ties to even."),
    assumed(row("ARA", [24, 0], ADDRESS, "ARA{code}{code1} {dst}, {a}{hidden}{marks}", lift("ARA"),
        "Address register: x + z in x and z, y + w in y and w.")),
    assumed(row("PSH", [0, 19], STACK, "PSH {a}{marks}", lift("PUSHA"), "Address register onto the stack of calls.")),
    assumed(row("POP", [0, 20], STACK, "POP {a}{marks}", lift("POPA"), "Address register from the stack of calls.")),
];

#[rustfmt::skip]
const SCALAR_ROWS: &[Row<NvVertex>] = &[
    assumed(scalar!("MOVS" as "MOV", 1, "c, component by component.")),
    scalar!("RCP", 2, "1 / c.x."),
    scalar!("RCC", 3, "1 / c.x, between 2^-64 and 2^64."),
    scalar!("RSQ", 4, "1 / sqrt(c.x)."),
    scalar!("EXP", 5, "Partial results of 2^c.x: (2^floor, fraction, 2^c.x, 1)."),
    scalar!("LOG", 6, "Partial results of log2: (exponent, mantissa, log2, 1)."),
    scalar!("LIT", 7, "Lighting terms (1, diffuse, specular, 1) of c."),
    scalar!("LG2", 13, "Base-2 logarithm of c.x."),
    scalar!("EX2", 14, "2^c.x."),
    scalar!("SIN", 15, "Sine of c.x."),
    scalar!("COS", 16, "Cosine of c.x."),
];

#[rustfmt::skip]
const CONTROL: &[Row<NvVertex>] = &[
    row("NOP", [0, 0], &[MARKS], "NOP{marks}", lift("NOP"), "Nothing."),
    row("BRA", [0, 8], TO_ADDRESS, "BRA {a}{test}{marks}",
        Meaning::Unsupported("a jump to an address register leads anywhere"), "Goes to the instruction that an address names."),
    row("BRI", [0, 9], JUMP, "BRI {target}{test}{marks}", lift("BRA"), "Goes to an instruction."),
    row("CAL", [0, 10], JUMP, "CAL {target}{test}{marks}", lift("CAL"), "Calls a subroutine."),
    assumed(row("CLI", [0, 11], JUMP, "CLI {target}{test}{marks}", lift("CAL"), "Calls a subroutine.")),
    row("RET", [0, 12], RETURN, "RET{test}{marks}", lift("RET"), "Returns from a subroutine, or ends the program."),
    row("BRB", [0, 17], BOOLEAN_JUMP, "BRB {b}, {target}{marks}", lift("BRA"),
        "Goes to an instruction if a Boolean constant is set, or with `!` if it is not."),
    row("CLB", [0, 18], BOOLEAN_JUMP, "CLB {b}, {target}{marks}", lift("CAL"),
        "Calls a subroutine if a Boolean constant is set, or with `!` if it is not."),
];

/// All rows.
pub static TABLE: Table<NvVertex> = Table {
    name: "nv40vp",
    title: "NV40 vertex program microcode",
    widths: &[128],
    about: "\
Instructions are four 32-bit words, here numbered 0 to 127 from the lowest bit of the first; the words are little-endian on PC \
boards and big-endian in files for RSX. An instruction has a vector operation, a scalar one, or both, with `||` between them: \
both read before either writes. It has one attribute, one constant and one result, however many operands name them. `C` \
behind the mnemonic updates the first condition code, `_C1` the second, and `_SAT` clamps both results; a test behind the first \
destination goes for both. `o[NAME]&Rn` writes both. In patterns, `o` and `i` are bits the decoder ignores and the encoder \
writes as 0 and 1.",
    families: &[
        Family { title: "Vector operations", rows: VECTOR },
        Family { title: "Addresses", rows: ADDRESSES },
        Family { title: "Scalar operations", rows: SCALAR_ROWS },
        Family { title: "Control", rows: CONTROL },
    ],
};
