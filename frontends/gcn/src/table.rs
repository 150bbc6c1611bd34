//! The rows, by format.

use crate::operand::*;
use parallax_isa::{Confidence, Family, Isa, Meaning, Pattern, Row, Syntax, SyntaxKind, Table};
use parallax_num::Op;

/// The instruction set, for `parallax_isa`.
pub struct Gcn;

impl Isa for Gcn {
    type Kind = SyntaxKind;
    type Lift = Sem;

    const WIDE: bool = false;

    fn syntax(kind: SyntaxKind) -> &'static Syntax {
        kind.0
    }
}

/// What an instruction does, as the lift needs it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sem {
    /// Moves bits.
    Move,
    /// Computes.
    Compute(Op),
    /// A multiply-add whose addend is the result register.
    Accumulate,
    /// First step of an interpolation.
    InterpolateI,
    /// Second step of an interpolation.
    InterpolateJ,
    /// Hands components to a target.
    Export,
    /// Ends the program.
    End,
}

/// One row: format, mnemonic, opcode, meaning, sentence.
macro_rules! row {
    (@ $name:literal, $aliases:expr, $pattern:expr, $operands:expr, $text:expr, $sem:expr, $section:literal, $doc:literal) => {
        Row {
            name: $name,
            aliases: $aliases,
            form: "",
            pattern: Pattern::new($pattern),
            operands: $operands,
            text: concat!($name, $text),
            doc: $doc,
            source: concat!("AMD GCN 3 ISA manual, section ", $section),
            confidence: Confidence::Documented,
            meaning: Meaning::Lift($sem),
        }
    };
    (vop1 $name:literal, $op:literal, $sem:expr, $doc:literal) => {
        row!(@ $name, &[concat!($name, "_e32")], concat!("0111111 -{8} ", $op, " -{9}"), &[DST, A], " {dst}, {a}", $sem,
            "12.8, VOP1 Instructions", $doc)
    };
    (vop2 $name:literal, $op:literal, $sem:expr, $doc:literal) => {
        row!(@ $name, &[concat!($name, "_e32")], concat!("0 ", $op, " -{8} -{8} -{9}"), &[DST, A, B], " {dst}, {a}, {b}", $sem,
            "12.7, VOP2 Instructions", $doc)
    };
    (vop3_two $name:literal, $op:literal, $sem:expr, $doc:literal) => {
        row!(@ $name, &[], concat!("0 -- -- 0{9} -{18} | 110100 ", $op, " - 0{4} 0 -- -{8}"), &[DST3, A3, B3, OUTPUT],
            " {dst}, {a}, {b}{output}", $sem, "12.10, VOP3 Instructions", $doc)
    };
    (vop3_three $name:literal, $op:literal, $sem:expr, $doc:literal) => {
        row!(@ $name, &[], concat!("--- -- -{27} | 110100 ", $op, " - 0{4} --- -{8}"), &[DST3, A3, B3, C3, OUTPUT],
            " {dst}, {a}, {b}, {c}{output}", $sem, "12.10, VOP3 Instructions", $doc)
    };
    (vintrp $name:literal, $op:literal, $sem:expr, $doc:literal) => {
        row!(@ $name, &[], concat!("110101 -{8} ", $op, " -{6} -- -{8}"), &[INTERPOLATED, COORDINATE, ATTRIBUTE],
            " {dst}, {a}, {attribute}", $sem, "12.11, VINTRP Instructions", $doc)
    };
}

#[rustfmt::skip]
const SHORT: &[Row<Gcn>] = &[
    row!(vop1 "v_mov_b32",     "00000001", Sem::Move,                   "a."),
    row!(vop1 "v_cvt_f32_i32", "00000101", Sem::Compute(Op::I2f),       "The signed integer a as a float."),
    row!(vop1 "v_cvt_i32_f32", "00001000", Sem::Compute(Op::F2iTrunc),  "a as a signed integer, rounded toward zero."),
    row!(vop1 "v_fract_f32",   "00011011", Sem::Compute(Op::Frac),      "a - floor(a)."),
    row!(vop1 "v_floor_f32",   "00011111", Sem::Compute(Op::Floor),     "The largest integer not above a."),
    row!(vop1 "v_exp_f32",     "00100000", Sem::Compute(Op::Exp2),      "2^a."),
    row!(vop1 "v_log_f32",     "00100001", Sem::Compute(Op::Log2),      "Base-2 logarithm of a."),
    row!(vop1 "v_rcp_f32",     "00100010", Sem::Compute(Op::Rcp),       "1 / a."),
    row!(vop1 "v_rsq_f32",     "00100100", Sem::Compute(Op::Rsq),       "1 / sqrt(a)."),
    row!(vop1 "v_sqrt_f32",    "00100111", Sem::Compute(Op::Sqrt),      "Square root of a."),
    row!(vop2 "v_add_f32",     "000001",   Sem::Compute(Op::Add),       "a + b."),
    row!(vop2 "v_sub_f32",     "000010",   Sem::Compute(Op::Sub),       "a - b."),
    row!(vop2 "v_mul_f32",     "000101",   Sem::Compute(Op::Mul),       "a * b."),
    row!(vop2 "v_min_f32",     "001010",   Sem::Compute(Op::Min),       "Smaller operand."),
    row!(vop2 "v_max_f32",     "001011",   Sem::Compute(Op::Max),       "Larger operand."),
    row!(vop2 "v_mac_f32",     "010110",   Sem::Accumulate,             "a * b + dst."),
];

#[rustfmt::skip]
const LONG: &[Row<Gcn>] = &[
    row!(vop3_two   "v_add_f32_e64", "0100000001", Sem::Compute(Op::Add), "a + b, with modifiers."),
    row!(vop3_two   "v_mul_f32_e64", "0100000101", Sem::Compute(Op::Mul), "a * b, with modifiers."),
    row!(vop3_three "v_mad_f32",     "0111000001", Sem::Compute(Op::Mad), "a * b + c."),
    row!(vintrp "v_interp_p1_f32", "00", Sem::InterpolateI, "First step of an interpolation, along i in a."),
    row!(vintrp "v_interp_p2_f32", "01", Sem::InterpolateJ, "Second step of an interpolation, along j in a."),
    row!(@ "exp", &[], "-{8} -{8} -{8} -{8} | 110001 0{13} -- 0 -{6} 1111", &[COLOUR, X, Y, Z, W, MARKS], " {target} {x}, {y}, {z}, {w}{marks}",
        Sem::Export, "12.15, Export Instructions", "Hands four registers to a colour target."),
    row!(@ "s_endpgm", &[], "101111111 0000001 0{16}", &[], "", Sem::End, "12.5, SOPP Instructions", "Ends the program."),
];

/// All rows.
pub static TABLE: Table<Gcn> = Table {
    name: "gcn",
    title: "AMD GCN 3 shader instructions (subset)",
    about: "\
Instructions are one or two little-endian words of 32 bits; a literal follows where `src0` of a short one is 255. Sources are \
vector registers, scalar registers and constants: integers from -16 to 64, 0.5, 1.0, 2.0, 4.0 with either sign, 1/(2 pi).",
    widths: &[32, 64],
    families: &[
        Family { title: "Short forms", rows: SHORT },
        Family { title: "Long forms, inputs, outputs", rows: LONG },
    ],
};
