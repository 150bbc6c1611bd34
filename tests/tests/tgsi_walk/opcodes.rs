//! Opcodes and what they compute, from the description of the instruction set.

use parallax_core::num::Op;

/// What an opcode leaves in the components of its destination.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Compute {
    /// An operation on each component of the sources.
    Each(Op),
    /// An operation on x of the sources, in all components.
    Scalar(Op),
    /// A dot product of so many components, in all of them.
    Dot(Op, usize),
    /// 1.0 or 0.0.
    Set(Op),
    /// All ones where a comparison has this outcome, else 0.
    Bits(Op, bool),
    /// The second source where the first compares so with 0, else the third.
    Choose(Op),
    /// The bits of the source.
    Move,
    /// Floor of x and a half.
    NearestAddress,
    /// Wrapping product plus third source.
    WrappingMad,
    Lit,
    Exp,
    Log,
    Distance,
    /// Fields of a word from so many components, in all components.
    Pack(Op, usize),
    /// Fields of so many bits of x, again from the first where they end.
    Unpack(Op, u32),
    /// All ones where x is set in any lane of the quad that runs, else 0.
    AnyLane,
    /// The same of all that run.
    AllLanes,
    /// All ones where x is the same in all that run, else 0.
    SameInLanes,
    /// Lanes that run and have x set.
    Ballot,
    /// Each component as the first that runs has it.
    FirstLane,
}

/// A row: name, what it computes, and a letter for each source - `F`loat, `I`nteger, `M`oved with the modifiers of a float.
pub(crate) type Opcode = (&'static str, Compute, &'static str);

use Compute::{Bits, Choose, Dot, Each, Scalar, Set};

pub(crate) const FLOATS: &[Opcode] = &[
    ("MOV", Compute::Move, "M"),
    ("ADD", Each(Op::Add), "FF"),
    ("MUL", Each(Op::Mul), "FF"),
    ("MAD", Each(Op::Mad), "FFF"),
    ("FMA", Each(Op::Fma), "FFF"),
    ("LRP", Each(Op::Lrp), "FFF"),
    ("DIV", Each(Op::Div), "FF"),
    ("MIN", Each(Op::Min), "FF"),
    ("MAX", Each(Op::Max), "FF"),
    ("FRC", Each(Op::Frac), "F"),
    ("FLR", Each(Op::Floor), "F"),
    ("CEIL", Each(Op::Ceil), "F"),
    ("TRUNC", Each(Op::Trunc), "F"),
    ("ROUND", Each(Op::Rint), "F"),
    ("SSG", Each(Op::Sign), "F"),
    ("LDEXP", Each(Op::Ldexp), "FI"),
    ("DP2", Dot(Op::Dot2, 2), "FF"),
    ("DP3", Dot(Op::Dot3, 3), "FF"),
    ("DP4", Dot(Op::Dot4, 4), "FF"),
    ("RCP", Scalar(Op::Rcp), "F"),
    ("RSQ", Scalar(Op::Rsq), "F"),
    ("SQRT", Scalar(Op::Sqrt), "F"),
    ("EX2", Scalar(Op::Exp2), "F"),
    ("LG2", Scalar(Op::Log2), "F"),
    ("POW", Scalar(Op::Pow), "FF"),
    ("SIN", Scalar(Op::Sin), "F"),
    ("COS", Scalar(Op::Cos), "F"),
    ("SLT", Set(Op::FLt), "FF"),
    ("SGE", Set(Op::FGe), "FF"),
    ("SEQ", Set(Op::FEq), "FF"),
    ("SGT", Set(Op::FGt), "FF"),
    ("SLE", Set(Op::FLe), "FF"),
    ("SNE", Set(Op::FNe), "FF"),
    ("CMP", Choose(Op::FLt), "FMM"),
    ("LIT", Compute::Lit, "F"),
    ("EXP", Compute::Exp, "F"),
    ("LOG", Compute::Log, "F"),
    ("DST", Compute::Distance, "FF"),
    ("I2F", Each(Op::I2f), "I"),
    ("U2F", Each(Op::U2f), "I"),
    ("UP2H", Compute::Unpack(Op::UpHalf, 16), "I"),
    ("UP4B", Compute::Unpack(Op::UpBiased8, 8), "I"),
];

pub(crate) const INTEGERS: &[Opcode] = &[
    ("UADD", Each(Op::Iadd), "II"),
    ("UMUL", Each(Op::Imul), "II"),
    ("UMAD", Compute::WrappingMad, "III"),
    ("IMUL_HI", Each(Op::ImulHi), "II"),
    ("UMUL_HI", Each(Op::UmulHi), "II"),
    ("IDIV", Each(Op::Idiv), "II"),
    ("UDIV", Each(Op::Udiv), "II"),
    ("MOD", Each(Op::Imod), "II"),
    ("UMOD", Each(Op::Umod), "II"),
    ("AND", Each(Op::Iand), "II"),
    ("OR", Each(Op::Ior), "II"),
    ("XOR", Each(Op::Ixor), "II"),
    ("NOT", Each(Op::Inot), "I"),
    ("SHL", Each(Op::Shl), "II"),
    ("ISHR", Each(Op::Ishr), "II"),
    ("USHR", Each(Op::Ushr), "II"),
    ("IMAX", Each(Op::Imax), "II"),
    ("UMIN", Each(Op::Umin), "II"),
    ("INEG", Each(Op::Ineg), "I"),
    ("IABS", Each(Op::Iabs), "I"),
    ("ISSG", Each(Op::Isign), "I"),
    ("IBFE", Each(Op::Ibfe), "III"),
    ("UBFE", Each(Op::Ubfe), "III"),
    ("BFI", Each(Op::Bfi), "IIII"),
    ("BREV", Each(Op::Brev), "I"),
    ("POPC", Each(Op::Popc), "I"),
    ("LSB", Each(Op::Lsb), "I"),
    ("UMSB", Each(Op::Umsb), "I"),
    ("IMSB", Each(Op::Imsb), "I"),
    ("UCMP", Choose(Op::Ine), "IMM"),
    ("FSLT", Bits(Op::FLt, true), "FF"),
    ("FSGE", Bits(Op::FGe, true), "FF"),
    ("FSEQ", Bits(Op::FEq, true), "FF"),
    ("FSNE", Bits(Op::FNe, true), "FF"),
    ("ISLT", Bits(Op::Ilt, true), "II"),
    ("USLT", Bits(Op::Ult, true), "II"),
    ("ISGE", Bits(Op::Ilt, false), "II"),
    ("USGE", Bits(Op::Ult, false), "II"),
    ("USEQ", Bits(Op::Ieq, true), "II"),
    ("USNE", Bits(Op::Ine, true), "II"),
    ("F2I", Each(Op::F2iTrunc), "F"),
    ("F2U", Each(Op::F2uTrunc), "F"),
    ("PK2H", Compute::Pack(Op::PackHalf2, 2), "F"),
    ("PK4UB", Compute::Pack(Op::PackUnorm4, 4), "F"),
];

/// Those that write the address register.
pub(crate) const ADDRESSES: &[Opcode] =
    &[("UARL", Compute::Move, "I"), ("ARL", Each(Op::F2iFloor), "F"), ("ARR", Compute::NearestAddress, "F")];

/// Those that ask the other lanes of the quad.
pub(crate) const VOTES: &[Opcode] = &[
    ("VOTE_ANY", Compute::AnyLane, "I"),
    ("VOTE_ALL", Compute::AllLanes, "I"),
    ("VOTE_EQ", Compute::SameInLanes, "I"),
    ("BALLOT", Compute::Ballot, "I"),
    ("READ_FIRST", Compute::FirstLane, "I"),
];

/// A row by name.
pub(crate) fn opcode(name: &str) -> Opcode {
    let rows = FLOATS.iter().chain(INTEGERS).chain(ADDRESSES);
    rows.copied().find(|row| row.0 == name).unwrap_or_else(|| panic!("no row {name}"))
}
