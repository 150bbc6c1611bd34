//! The opcodes, one row each: operand shape, and per dialect whether it exists and which suffixes it takes.

use parallax_core::{Axis, TexMode};
use parallax_lift::vector::VectorOp;
use parallax_num::Op;

bitflags::bitflags! {
    /// Suffixes an opcode takes in one dialect.
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Suffixes: u8 {
        /// `R`: fp32.
        const R = 1;
        /// `H`: fp16.
        const H = 2;
        /// `X`: s12 fixed point.
        const X = 4;
        /// `C` (patent: `c`): update the condition code.
        const C = 8;
        /// `_SAT`.
        const SAT = 16;
        /// `_SSAT`.
        const SSAT = 32;
        /// `C0` and `C1`: which of two condition codes is updated.
        const CODES = 64;
    }
}

bitflags::bitflags! {
    /// Kinds of vertex programs that have an opcode.
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Vertex: u8 {
        /// `!!ARBvp1.0` without options.
        const ARB = 1;
        /// `!!VP1.0`.
        const VP10 = 2;
        /// `!!VP1.1`.
        const VP11 = 4;
        /// `!!VP2.0`.
        const VP20 = 8;
        /// `!!ARBvp1.0` with NV_vertex_program2.
        const OPTION2 = 16;
        /// `!!ARBvp1.0` with NV_vertex_program3.
        const OPTION3 = 32;
    }
}

/// Operands of an opcode, destination first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No operands.
    None,
    /// Vector to vector.
    V,
    /// Scalar in, result in all components.
    S,
    /// Two vectors.
    VV,
    /// Two scalars.
    SS,
    /// A vector and a scalar.
    VS,
    /// Three vectors.
    VVV,
    /// A vector and four selectors.
    Swz,
    /// A vector and an image.
    Tex,
    /// Three vectors and an image.
    Txd,
    /// No destination; a condition test or a vector.
    Kil,
    /// A bare condition test.
    Test,
    /// An optional parenthesised condition test.
    OptTest,
    /// A label and an optional parenthesised condition test.
    Call,
    /// A parameter vector.
    Count,
    /// A scalar, or a vector where addresses are vectors, to an address.
    Load,
    /// An address to an address.
    Address,
    /// An address, read.
    Push,
    /// An address, written.
    Pop,
}

/// What an opcode belongs to; decides precision rules.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Group {
    /// Arithmetic with an operation precision.
    Alu,
    /// Packs floats into a 32-bit word.
    Pack,
    /// Unpacks a 32-bit word.
    Unpack,
    /// Texture lookup.
    Texture,
    /// Conditional discard.
    Kill,
    /// Flow control.
    Flow,
    /// Sets an address register.
    Address,
    /// Moves an address register to the stack or from it.
    Stack,
    /// Does nothing.
    Nop,
}

/// What an opcode does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sem {
    /// An operation on vectors.
    Vector(VectorOp),
    /// A copy.
    Move,
    /// Magnitudes.
    Magnitude,
    /// A copy with selectors.
    Swizzle,
    /// Fields of a word from floats.
    Pack(Op),
    /// Floats from fields of a word, this many bits each.
    Unpack(Op, u32),
    /// A texture lookup; whether coordinates are divided by w.
    Texture(TexMode, bool),
    /// A conditional discard.
    Kill,
    /// Flow control.
    Flow(Flow),
    /// Address registers from floats, by this conversion.
    Address(Op),
    /// Sums of the components of an address.
    AddressAdd,
    /// An address onto the stack.
    Push,
    /// An address from the stack.
    Pop,
    /// Signs.
    Sign,
    /// A reciprocal kept between 2^-64 and 2^64.
    ClampedReciprocal,
    /// Nothing.
    Nop,
    /// What only microcode does.
    Microcode(Microcode),
}

/// Operations of microcode that no text dialect has.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Microcode {
    /// Division by a square root.
    DivSqrt,
    /// The end of LIT.
    LitExp,
    /// Bytes by the sRGB curve.
    PackSrgb,
    /// The way back.
    UnpackSrgb,
}

/// Flow control of NV_fragment_program2 and NV_vertex_program2.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    If,
    Else,
    EndIf,
    /// LOOP, with an index, or REP.
    Loop {
        indexed: bool,
    },
    /// Its end.
    EndLoop {
        indexed: bool,
    },
    Break,
    Call,
    Return,
    /// To a label.
    Jump,
}

impl Sem {
    const fn group(self) -> Group {
        match self {
            Sem::Vector(_) | Sem::Move | Sem::Magnitude | Sem::Swizzle | Sem::Sign | Sem::ClampedReciprocal => {
                Group::Alu
            }
            Sem::Pack(_) => Group::Pack,
            Sem::Unpack(..) => Group::Unpack,
            Sem::Texture(..) => Group::Texture,
            Sem::Kill => Group::Kill,
            Sem::Flow(_) => Group::Flow,
            Sem::Address(_) | Sem::AddressAdd => Group::Address,
            Sem::Push | Sem::Pop => Group::Stack,
            Sem::Nop => Group::Nop,
            Sem::Microcode(Microcode::PackSrgb) => Group::Pack,
            Sem::Microcode(Microcode::UnpackSrgb) => Group::Unpack,
            Sem::Microcode(Microcode::DivSqrt | Microcode::LitExp) => Group::Alu,
        }
    }
}

/// One opcode.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    /// Name without suffixes.
    pub name: &'static str,
    /// Operands.
    pub shape: Shape,
    /// What it belongs to.
    pub group: Group,
    /// What it does.
    pub(crate) sem: Sem,
    /// Suffixes in `!!FP1.0`, if it exists there.
    pub fp10: Option<Suffixes>,
    /// Suffixes in the patent dialect, if it exists there.
    pub patent: Option<Suffixes>,
    /// Suffixes in plain `!!ARBfp1.0`, if it exists there.
    pub arb: Option<Suffixes>,
    /// Suffixes with option NV_fragment_program.
    pub nv1: Option<Suffixes>,
    /// Suffixes with option NV_fragment_program2.
    pub nv2: Option<Suffixes>,
    /// The vertex programs it exists in.
    pub vertex: Vertex,
    /// One sentence.
    pub doc: &'static str,
}

const NONE: Suffixes = Suffixes::empty();
const C: Suffixes = Suffixes::C;
const S: Suffixes = Suffixes::SAT;
const CS: Suffixes = C.union(S);
const RHCS: Suffixes = CS.union(Suffixes::R).union(Suffixes::H);
const RHXCS: Suffixes = RHCS.union(Suffixes::X);

/// What a row says about each dialect, in the words of the opcode table.
struct Where {
    fp10: Option<Suffixes>,
    patent: bool,
    arb: Option<Suffixes>,
    nv1: Option<Suffixes>,
    nv2: Option<Suffixes>,
}

impl Row {
    /// What it means, if that is an operation on vectors other than a copy.
    pub const fn vector_op(&self) -> Option<VectorOp> {
        match self.sem {
            Sem::Vector(op) => Some(op),
            Sem::Pack(op) => Some(VectorOp::Pack(op)),
            Sem::Unpack(op, bits) => Some(VectorOp::Unpack(op, bits)),
            _ => None,
        }
    }

    /// The same in vertex programs, too: these.
    const fn vertex(self, vertex: Vertex) -> Row {
        Row { vertex, ..self }
    }

    /// Suffixes in a kind of vertex programs, if it exists there (NV_vertex_program2, table X.5; NV_vertex_program3, table X.5).
    pub fn vertex_suffixes(&self, kind: Vertex) -> Option<Suffixes> {
        if !self.vertex.contains(kind) {
            return None;
        }
        let codes = Suffixes::C.union(Suffixes::CODES);
        Some(match (kind, self.group) {
            (Vertex::OPTION3, Group::Alu | Group::Texture) => codes.union(Suffixes::SAT),
            (Vertex::OPTION3, Group::Address) => codes,
            (Vertex::VP20 | Vertex::OPTION2, Group::Alu | Group::Address) => Suffixes::C,
            _ => Suffixes::empty(),
        })
    }
}

/// In vertex programs of every kind.
const ALWAYS: Vertex = Vertex::all();
/// In all but the first.
const SINCE_11: Vertex = Vertex::all().difference(Vertex::VP10);
/// The same, and not in plain `!!ARBvp1.0`.
const NV_SINCE_11: Vertex = SINCE_11.difference(Vertex::ARB);
/// In `!!VP2.0` and in all of `!!ARBvp1.0`.
const SINCE_20: Vertex = SINCE_11.difference(Vertex::VP11);
/// In `!!VP2.0` and with options.
const JUMPS: Vertex = SINCE_20.difference(Vertex::ARB);
/// In all of `!!ARBvp1.0` alone.
const ARB_ONLY: Vertex = SINCE_20.difference(Vertex::VP20);

const fn row(name: &'static str, shape: Shape, sem: Sem, w: Where, doc: &'static str) -> Row {
    let group = sem.group();
    let patent = match (w.patent, group) {
        (false, _) => None,
        (true, Group::Pack | Group::Kill | Group::Nop) => Some(NONE),
        (true, _) => Some(C),
    };
    // NV_fragment_program2 adds the signed clamp wherever there is a clamp.
    let nv2 = match w.nv2 {
        Some(s) if s.contains(S) => Some(s.union(Suffixes::SSAT)),
        other => other,
    };
    Row { name, shape, group, sem, fp10: w.fp10, patent, arb: w.arb, nv1: w.nv1, nv2, vertex: Vertex::empty(), doc }
}

/// In `!!FP1.0`, ARB and its options alike.
const fn all(suffixes: Suffixes, patent: bool) -> Where {
    Where { fp10: Some(suffixes), patent, arb: Some(S), nv1: Some(suffixes), nv2: Some(suffixes) }
}

/// In `!!FP1.0` and under the ARB options only.
const fn nv(suffixes: Suffixes, patent: bool) -> Where {
    Where { fp10: Some(suffixes), patent, arb: None, nv1: Some(suffixes), nv2: Some(suffixes) }
}

/// In ARB only: plain, with option 1, with option 2.
const fn arb(nv1: Suffixes, nv2: Suffixes) -> Where {
    Where { fp10: None, patent: false, arb: Some(S), nv1: Some(nv1), nv2: Some(nv2) }
}

/// With NV_fragment_program2 only.
const fn nv2(suffixes: Suffixes) -> Where {
    Where { fp10: None, patent: false, arb: None, nv1: None, nv2: Some(suffixes) }
}

/// In vertex programs only.
const VERTEX: Where = Where { fp10: None, patent: false, arb: None, nv1: None, nv2: None };

/// In microcode only; which rows that has is said by its own table.
const MICROCODE: Where = Where { fp10: None, patent: false, arb: None, nv1: None, nv2: None };

const PATENT: Where = Where { fp10: None, patent: true, arb: None, nv1: None, nv2: None };

use Flow::{Break, Call, Else, EndIf, EndLoop, If, Jump, Loop, Return};
use Sem::{Kill, Magnitude, Move, Nop, Pack, Swizzle, Texture, Unpack, Vector};
use Shape::{Kil, SS, Swz, Tex, Txd, V, VS, VV, VVV};
use VectorOp::{ByScalar, Componentwise, Cross, Derivative, Dot, Reflect, Scalar, Select, Set, Transform2d};

/// Every opcode of every dialect (NV_fragment_program rev 73 table 3.X; ARB_fragment_program table X.5;
/// NV_fragment_program_option and NV_fragment_program2 tables X.1; ARB_vertex_program table X.6; NV_vertex_program and
/// NV_vertex_program1_1 table X.4; NV_vertex_program2 and NV_vertex_program3 table X.5; US 7136070 tables 8 to 33).
pub const TABLE: &[Row] = &[
    row("ABS", V, Magnitude, arb(RHXCS, RHXCS), "magnitude").vertex(SINCE_11),
    row("ADD", VV, Vector(Componentwise(Op::Add)), all(RHXCS, true), "a + b").vertex(ALWAYS),
    row("ARA", Shape::Address, Sem::AddressAdd, VERTEX, "address register: x + z in x and z, y + w in y and w")
        .vertex(JUMPS),
    row("ARL", Shape::Load, Sem::Address(Op::F2iFloor), VERTEX, "address register: the largest integer not above a")
        .vertex(ALWAYS),
    row("ARR", Shape::Load, Sem::Address(Op::F2iRint), VERTEX, "address register: the nearest integer, ties to even")
        .vertex(JUMPS),
    row("BRA", Shape::Call, Sem::Flow(Jump), VERTEX, "goes to a label").vertex(JUMPS),
    row("BRK", Shape::OptTest, Sem::Flow(Break), nv2(NONE), "leaves the innermost loop"),
    row("CAL", Shape::Call, Sem::Flow(Call), nv2(NONE), "calls a subroutine").vertex(JUMPS),
    row("CMP", VVV, Vector(Select(Op::FLt)), arb(S, CS), "a < 0 ? b : c"),
    row("COS", Shape::S, Vector(Scalar(Op::Cos)), all(RHCS, false), "cosine, radians").vertex(JUMPS),
    row("DDX", V, Vector(Derivative { axis: Axis::X, fine: false }), nv(RHCS, true), "change per pixel in x"),
    row("DDY", V, Vector(Derivative { axis: Axis::Y, fine: false }), nv(RHCS, true), "change per pixel in y"),
    row("DIV", VS, Vector(ByScalar(Op::Div)), nv2(RHCS), "a / b"),
    row("DIVSQ", VS, Sem::Microcode(Microcode::DivSqrt), MICROCODE, "a / sqrt(|b|), 0 where a is 0"),
    row("DP2", VV, Vector(Dot(Op::Dot2)), nv2(RHXCS), "two-component dot product"),
    row("DP2A", VVV, Vector(Dot(Op::Dp2a)), nv2(RHXCS), "two-component dot product plus c.x"),
    row("DP3", VV, Vector(Dot(Op::Dot3)), all(RHXCS, true), "three-component dot product").vertex(ALWAYS),
    row("DP4", VV, Vector(Dot(Op::Dot4)), all(RHXCS, true), "four-component dot product").vertex(ALWAYS),
    row("DPH", VV, Vector(Dot(Op::Dph)), arb(RHXCS, RHXCS), "a.xyz * b.xyz + b.w").vertex(SINCE_11),
    row("DST", VV, Vector(VectorOp::DST), all(RHCS, true), "distance vector (1, a.y*b.y, a.z, b.w)").vertex(ALWAYS),
    row("ELSE", Shape::None, Sem::Flow(Else), nv2(NONE), "other arm of IF"),
    row("ENDIF", Shape::None, Sem::Flow(EndIf), nv2(NONE), "ends IF"),
    row("ENDLOOP", Shape::None, Sem::Flow(EndLoop { indexed: true }), nv2(NONE), "ends LOOP"),
    row("ENDREP", Shape::None, Sem::Flow(EndLoop { indexed: false }), nv2(NONE), "ends REP"),
    row("EX2", Shape::S, Vector(Scalar(Op::Exp2)), all(RHCS, false), "2^a").vertex(SINCE_20),
    row("EXP", Shape::S, Vector(VectorOp::EXP_PART), PATENT, "partial results of 2^a: (2^floor, fraction, 2^a, 1)")
        .vertex(ALWAYS),
    row("FENCB", Shape::None, Nop, MICROCODE, "orders branches"),
    row("FENCT", Shape::None, Nop, MICROCODE, "orders texture lookups"),
    row("FLR", V, Vector(Componentwise(Op::Floor)), all(RHXCS, true), "largest integer not above a").vertex(SINCE_20),
    row("FRC", V, Vector(Componentwise(Op::Frac)), all(RHXCS, true), "a - floor(a)").vertex(SINCE_20),
    row("IF", Shape::Test, Sem::Flow(If), nv2(NONE), "runs the block when any tested component passes"),
    row(
        "KIL",
        Kil,
        Kill,
        Where { fp10: Some(NONE), patent: true, arb: Some(NONE), nv1: Some(NONE), nv2: Some(NONE) },
        "discards the fragment",
    ),
    row("LG2", Shape::S, Vector(Scalar(Op::Log2)), all(RHCS, false), "base-2 logarithm").vertex(SINCE_20),
    row("LIT", V, Vector(VectorOp::LIT), all(RHCS, true), "lighting terms (1, diffuse, specular, 1)").vertex(ALWAYS),
    row("LITEX2", V, Sem::Microcode(Microcode::LitExp), MICROCODE, "(1, a.y, a.y > 0 ? 2^a.w : 0, 1)"),
    row("LOG", Shape::S, Vector(VectorOp::LOG_PART), PATENT, "partial results of log2: (exponent, mantissa, log2, 1)")
        .vertex(ALWAYS),
    row(
        "LOOP",
        Shape::Count,
        Sem::Flow(Loop { indexed: true }),
        nv2(NONE),
        "loop with index A0.x: (count, start, step)",
    ),
    row("LRP", VVV, Vector(Componentwise(Op::Lrp)), all(RHXCS, false), "a*b + (1-a)*c"),
    row("MAD", VVV, Vector(Componentwise(Op::Mad)), all(RHXCS, true), "a*b + c").vertex(ALWAYS),
    row("MAX", VV, Vector(Componentwise(Op::Max)), all(RHXCS, true), "larger operand").vertex(ALWAYS),
    row("MIN", VV, Vector(Componentwise(Op::Min)), all(RHXCS, true), "smaller operand").vertex(ALWAYS),
    row("MOV", V, Move, all(RHXCS, true), "copy").vertex(ALWAYS),
    row("MUL", VV, Vector(Componentwise(Op::Mul)), all(RHXCS, true), "a * b").vertex(ALWAYS),
    row("NOP", Shape::None, Nop, PATENT, "nothing"),
    row("NRM", V, Vector(VectorOp::NRM), nv2(RHCS), "xyz divided by its length"),
    row("PK2", V, Pack(Op::PackHalf2), PATENT, "packs x, y as halves"),
    row("PK2H", V, Pack(Op::PackHalf2), nv(NONE, false), "packs x, y as halves"),
    row("PK2US", V, Pack(Op::PackUnorm2), nv(NONE, false), "packs x, y as unsigned 16-bit fractions"),
    row("PK4", V, Pack(Op::PackBiased4), PATENT, "packs x, y, z, w as biased signed bytes"),
    row("PK4B", V, Pack(Op::PackBiased4), nv(NONE, false), "packs x, y, z, w as biased signed bytes"),
    row("PK4UB", V, Pack(Op::PackUnorm4), nv(NONE, false), "packs x, y, z, w as unsigned byte fractions"),
    row(
        "PK4UBG",
        V,
        Sem::Microcode(Microcode::PackSrgb),
        MICROCODE,
        "packs x, y, z by the sRGB curve, and w, as bytes",
    ),
    row("POPA", Shape::Pop, Sem::Pop, VERTEX, "address register from the stack of calls").vertex(Vertex::OPTION3),
    row("POW", SS, Vector(Scalar(Op::Pow)), all(RHCS, false), "a^b").vertex(ARB_ONLY),
    row("PUSHA", Shape::Push, Sem::Push, VERTEX, "address register onto the stack of calls").vertex(Vertex::OPTION3),
    row("RCC", Shape::S, Sem::ClampedReciprocal, VERTEX, "1 / a, between 2^-64 and 2^64").vertex(NV_SINCE_11),
    row("RCP", Shape::S, Vector(Scalar(Op::Rcp)), all(RHCS, true), "1 / a").vertex(ALWAYS),
    row("REP", Shape::Count, Sem::Flow(Loop { indexed: false }), nv2(NONE), "loop without index: count in x"),
    row("RET", Shape::OptTest, Sem::Flow(Return), nv2(NONE), "returns from a subroutine, or ends the program")
        .vertex(JUMPS),
    row("RFL", VV, Vector(Reflect), nv(RHCS, false), "reflection of b about axis a; w is not written"),
    row("RSQ", Shape::S, Vector(Scalar(Op::Rsq)), all(RHCS, true), "1 / sqrt(a)").vertex(ALWAYS),
    row("SCS", Shape::S, Vector(VectorOp::SCS), arb(S, RHCS), "cosine in x, sine in y"),
    row("SEQ", VV, Vector(Set(Op::FEq, true)), nv(RHXCS, false), "a = b ? 1 : 0").vertex(JUMPS),
    row("SFL", VV, Vector(VectorOp::ZERO), nv(RHXCS, false), "0").vertex(JUMPS),
    row("SGE", VV, Vector(Set(Op::FGe, true)), all(RHXCS, true), "a >= b ? 1 : 0").vertex(ALWAYS),
    row("SGT", VV, Vector(Set(Op::FGt, true)), nv(RHXCS, false), "a > b ? 1 : 0").vertex(JUMPS),
    row("SIN", Shape::S, Vector(Scalar(Op::Sin)), all(RHCS, false), "sine, radians").vertex(JUMPS),
    row("SLE", VV, Vector(Set(Op::FLe, true)), nv(RHXCS, false), "a <= b ? 1 : 0").vertex(JUMPS),
    row("SLT", VV, Vector(Set(Op::FLt, true)), all(RHXCS, true), "a < b ? 1 : 0").vertex(ALWAYS),
    row("SNE", VV, Vector(Set(Op::FNe, true)), nv(RHXCS, false), "a differs from b ? 1 : 0").vertex(JUMPS),
    row("SSG", V, Sem::Sign, VERTEX, "sign: 1, 0 or -1, and NaN of NaN").vertex(JUMPS),
    row("STR", VV, Vector(VectorOp::ONE), nv(RHXCS, false), "1").vertex(JUMPS),
    row("SUB", VV, Vector(Componentwise(Op::Sub)), all(RHXCS, false), "a - b").vertex(SINCE_11),
    row("SWZ", Swz, Swizzle, arb(S, RHCS), "extended swizzle with 0, 1 and signs per component").vertex(ARB_ONLY),
    row("TEX", Tex, Texture(TexMode::Implicit, false), all(CS, true), "texture lookup").vertex(Vertex::OPTION3),
    row("TXB", Tex, Texture(TexMode::Bias, false), arb(CS, CS), "texture lookup, level biased by w")
        .vertex(Vertex::OPTION3),
    row("TXD", Txd, Texture(TexMode::Grad, false), nv(CS, true), "texture lookup with derivatives"),
    row("TXL", Tex, Texture(TexMode::Level, false), nv2(CS), "texture lookup, level in w").vertex(Vertex::OPTION3),
    row("TXP", Tex, Texture(TexMode::Implicit, true), all(CS, true), "texture lookup, coordinates divided by w")
        .vertex(Vertex::OPTION3),
    row("UP2", Shape::S, Unpack(Op::UpHalf, 16), PATENT, "unpacks two halves"),
    row("UP2H", Shape::S, Unpack(Op::UpHalf, 16), nv(CS, false), "unpacks two halves"),
    row("UP2US", Shape::S, Unpack(Op::UpUnorm16, 16), nv(CS, false), "unpacks two unsigned 16-bit fractions"),
    row("UP4", Shape::S, Unpack(Op::UpBiased8, 8), PATENT, "unpacks four biased signed bytes"),
    row("UP4B", Shape::S, Unpack(Op::UpBiased8, 8), nv(CS, false), "unpacks four biased signed bytes"),
    row("UP4UB", Shape::S, Unpack(Op::UpUnorm8, 8), nv(CS, false), "unpacks four unsigned byte fractions"),
    row("UP4UBG", Shape::S, Sem::Microcode(Microcode::UnpackSrgb), MICROCODE, "unpacks bytes by the sRGB curve"),
    row("X2D", VVV, Vector(Transform2d), nv(RHCS, false), "two-dimensional coordinate transformation"),
    row("XPD", VV, Vector(Cross), arb(S, RHCS), "cross product; w is undefined").vertex(ARB_ONLY),
];

/// The row of an operation of microcode.
///
/// # Panics
/// If there is none of this name.
pub(crate) const fn microcode(name: &str) -> &'static Row {
    let mut n = 0;
    while n < TABLE.len() {
        if same(TABLE[n].name, name) {
            return &TABLE[n];
        }
        n += 1;
    }
    panic!("no such operation")
}

/// Equality of texts, where traits cannot be used.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut n = 0;
    while n < a.len() && n < b.len() && a[n] == b[n] {
        n += 1;
    }
    n == a.len() && n == b.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_each_exists_somewhere() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].name < pair[1].name, "{}", pair[1].name);
        }
        for row in TABLE {
            let text = [row.fp10, row.patent, row.arb, row.nv1, row.nv2].iter().any(Option::is_some);
            assert!(
                text || !row.vertex.is_empty() || crate::nv40::TABLE.rows().any(|other| other.name == row.name),
                "{}",
                row.name
            );
        }
    }
}
