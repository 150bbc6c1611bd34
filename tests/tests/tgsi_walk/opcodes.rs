//! Opcodes and what they compute, from the description of the instruction set.

use parallax_core::num::{Decl, Op};

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
    /// An operation on both numbers of 64 bits, which gives two.
    Wide(Op),
    /// The same under the rules of a format, which gives two words.
    Narrow(Op, Decl),
    /// All ones where a comparison of numbers of 64 bits has this outcome, else 0.
    WideBits(Op, bool),
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

/// A row: name, what it computes, and a letter for each source - `F`loat, `I`nteger, `M`oved with the modifiers of a float, `W`ide.
pub(crate) type Opcode = (&'static str, Compute, &'static str);

use Compute::{Bits, Choose, Dot, Each, Narrow, Scalar, Set, Wide, WideBits};

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

/// Those on numbers of 64 bits.
pub(crate) const WIDES: &[Opcode] = &[
    ("DABS", Wide(Op::Abs), "W"),
    ("DNEG", Wide(Op::Neg), "W"),
    ("DADD", Wide(Op::Add), "WW"),
    ("DMUL", Wide(Op::Mul), "WW"),
    ("DMAD", Wide(Op::Mad), "WWW"),
    ("DFMA", Wide(Op::Fma), "WWW"),
    ("DDIV", Wide(Op::Div), "WW"),
    ("DRCP", Wide(Op::Rcp), "W"),
    ("DSQRT", Wide(Op::Sqrt), "W"),
    ("DRSQ", Wide(Op::Rsq), "W"),
    ("DFRAC", Wide(Op::Frac), "W"),
    ("DTRUNC", Wide(Op::Trunc), "W"),
    ("DCEIL", Wide(Op::Ceil), "W"),
    ("DFLR", Wide(Op::Floor), "W"),
    ("DROUND", Wide(Op::Rint), "W"),
    ("DSSG", Wide(Op::Sign), "W"),
    ("DLDEXP", Wide(Op::Ldexp), "WI"),
    ("DMIN", Wide(Op::Min), "WW"),
    ("DMAX", Wide(Op::Max), "WW"),
    ("DSEQ", WideBits(Op::FEq, true), "WW"),
    ("DSNE", WideBits(Op::FNe, true), "WW"),
    ("DSLT", WideBits(Op::FLt, true), "WW"),
    ("DSGE", WideBits(Op::FGe, true), "WW"),
    ("F2D", Wide(Op::Cvt), "F"),
    ("D2F", Narrow(Op::Cvt, Decl::F32), "W"),
    ("I2D", Wide(Op::I2f), "I"),
    ("U2D", Wide(Op::U2f), "I"),
    ("D2I", Narrow(Op::F2iTrunc, Decl::F64), "W"),
    ("D2U", Narrow(Op::F2uTrunc, Decl::F64), "W"),
    ("I64ABS", Wide(Op::Iabs64), "W"),
    ("I64NEG", Wide(Op::Ineg64), "W"),
    ("I64SSG", Wide(Op::Isign64), "W"),
    ("U64ADD", Wide(Op::Iadd64), "WW"),
    ("U64MUL", Wide(Op::Imul64), "WW"),
    ("U64SEQ", WideBits(Op::Ieq64, true), "WW"),
    ("U64SNE", WideBits(Op::Ine64, true), "WW"),
    ("U64SLT", WideBits(Op::Ult64, true), "WW"),
    ("U64SGE", WideBits(Op::Ult64, false), "WW"),
    ("I64SLT", WideBits(Op::Ilt64, true), "WW"),
    ("I64SGE", WideBits(Op::Ilt64, false), "WW"),
    ("I64MIN", Wide(Op::Imin64), "WW"),
    ("U64MIN", Wide(Op::Umin64), "WW"),
    ("I64MAX", Wide(Op::Imax64), "WW"),
    ("U64MAX", Wide(Op::Umax64), "WW"),
    ("U64SHL", Wide(Op::Shl64), "WI"),
    ("I64SHR", Wide(Op::Ishr64), "WI"),
    ("U64SHR", Wide(Op::Ushr64), "WI"),
    ("I64DIV", Wide(Op::Idiv64), "WW"),
    ("U64DIV", Wide(Op::Udiv64), "WW"),
    ("I64MOD", Wide(Op::Imod64), "WW"),
    ("U64MOD", Wide(Op::Umod64), "WW"),
    ("F2I64", Wide(Op::F2i64Trunc), "F"),
    ("F2U64", Wide(Op::F2u64Trunc), "F"),
    ("U2I64", Wide(Op::Zext64), "I"),
    ("I2I64", Wide(Op::Sext64), "I"),
    ("D2I64", Wide(Op::F2i64Trunc), "W"),
    ("D2U64", Wide(Op::F2u64Trunc), "W"),
    ("I642F", Narrow(Op::I64ToF, Decl::F32), "W"),
    ("U642F", Narrow(Op::U64ToF, Decl::F32), "W"),
    ("I642D", Wide(Op::I64ToF), "W"),
    ("U642D", Wide(Op::U64ToF), "W"),
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

/// What an atomic makes of a word, its operand and the second one.
pub(crate) type Change = fn(u32, u32, u32) -> u32;

/// Atomics on integers.
pub(crate) const ATOMICS: &[(&str, Change)] = &[
    ("ATOMUADD", |old, by, _| old.wrapping_add(by)),
    ("ATOMXCHG", |_, by, _| by),
    ("ATOMCAS", |old, like, new| if old == like { new } else { old }),
    ("ATOMAND", |old, by, _| old & by),
    ("ATOMOR", |old, by, _| old | by),
    ("ATOMXOR", |old, by, _| old ^ by),
    ("ATOMUMIN", |old, by, _| old.min(by)),
    ("ATOMUMAX", |old, by, _| old.max(by)),
    ("ATOMIMIN", |old, by, _| (old as i32).min(by as i32) as u32),
    ("ATOMIMAX", |old, by, _| (old as i32).max(by as i32) as u32),
    ("ATOMINC_WRAP", |old, by, _| if old >= by { 0 } else { old + 1 }),
    ("ATOMDEC_WRAP", |old, by, _| if old == 0 || old > by { by } else { old - 1 }),
];
