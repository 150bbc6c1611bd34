//! The primitives, one row each. Printer, reader, verifier and the table of `docs/steps.md` are made from the rows.

use std::fmt;

/// Type of a value: width and class of one lane.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ty {
    /// Binary32.
    F32,
    /// Binary64.
    F64,
    /// 32 bits. Binary16 patterns stand in the low half with zeros above, fixed point sign-extended, condition codes as 0
    /// to 3.
    I32,
    /// 64 bits.
    I64,
    /// True or false.
    Mask,
}

impl Ty {
    /// All of them.
    pub const ALL: [Ty; 5] = [Ty::F32, Ty::F64, Ty::I32, Ty::I64, Ty::Mask];

    /// Spelling in the textual form.
    pub const fn name(self) -> &'static str {
        match self {
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::Mask => "mask",
        }
    }

    /// Reads [`Ty::name`].
    pub fn from_name(name: &str) -> Option<Ty> {
        Ty::ALL.into_iter().find(|ty| ty.name() == name)
    }

    /// Bits of a lane word that may be set.
    pub const fn bits(self) -> u64 {
        match self {
            Ty::F32 | Ty::I32 => u32::MAX as u64,
            Ty::F64 | Ty::I64 => u64::MAX,
            Ty::Mask => 1,
        }
    }

    /// Whether it is a float.
    pub const fn is_float(self) -> bool {
        matches!(self, Ty::F32 | Ty::F64)
    }

    /// The integer of the same width; a mask is its own.
    pub const fn pattern(self) -> Ty {
        match self {
            Ty::F32 | Ty::I32 => Ty::I32,
            Ty::F64 | Ty::I64 => Ty::I64,
            Ty::Mask => Ty::Mask,
        }
    }

    /// Whether its values have 64 bits.
    #[inline]
    pub const fn is_wide(self) -> bool {
        matches!(self, Ty::F64 | Ty::I64)
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Rounding direction of a primitive.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward +infinity.
    Up,
    /// Toward -infinity.
    Down,
}

impl Direction {
    /// All of them, as numbered in an immediate.
    pub const ALL: [Direction; 4] = [Direction::Nearest, Direction::Zero, Direction::Up, Direction::Down];

    /// Spelling behind the name of a primitive; nothing for the usual one.
    pub const fn suffix(self) -> &'static str {
        match self {
            Direction::Nearest => "",
            Direction::Zero => "rtz",
            Direction::Up => "rup",
            Direction::Down => "rdn",
        }
    }
}

/// How a primitive rounds: direction, and whether results that are tiny after rounding become a zero of their sign, as with
/// the x86 flag FTZ.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Mode {
    /// Direction.
    pub direction: Direction,
    /// Whether tiny results are flushed.
    pub flush: bool,
}

impl Mode {
    /// To nearest, denormals kept.
    pub const PLAIN: Mode = Mode { direction: Direction::Nearest, flush: false };

    /// As an immediate.
    pub const fn word(self) -> u64 {
        self.direction as u64 | (self.flush as u64) << 2
    }

    /// What it adds to the name of a primitive: nothing, or `.rtz.ftz`.
    pub fn suffixes(self) -> String {
        let words = [self.direction.suffix(), if self.flush { "ftz" } else { "" }];
        words.iter().filter(|word| !word.is_empty()).map(|word| format!(".{word}")).collect()
    }

    /// Reads [`Mode::word`]; `None` for any other number.
    pub const fn from_word(word: u64) -> Option<Mode> {
        if word < 8 {
            Some(Mode { direction: Direction::ALL[(word & 3) as usize], flush: word & 4 != 0 })
        } else {
            None
        }
    }
}

/// What an operand or result of a row is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The type the row is taken at.
    T,
    /// Exactly this.
    Is(Ty),
    /// The integer as wide as the type the row is taken at.
    Pattern,
}

impl Slot {
    /// The type, for a row taken at `ty`.
    pub const fn at(self, ty: Ty) -> Ty {
        match self {
            Slot::T => ty,
            Slot::Is(ty) => ty,
            Slot::Pattern => ty.pattern(),
        }
    }
}

/// What the immediate of a row means.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Immediate {
    /// There is none.
    None,
    /// A [`Mode`].
    Mode,
    /// A [`Direction`] alone.
    Direction,
    /// Bits of the row's type.
    Bits,
    /// The pattern of the NaN taken where no operand is one.
    Nan,
    /// Number of a [`crate::Table`].
    Table,
}

/// What a row does with NaN.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NanEffect {
    /// No NaN comes out.
    Never,
    /// A NaN that comes out is some quiet NaN: its sign and payload are nobody's promise.
    Some,
    /// The operand's sign and leading payload bits, quieted.
    Quieted,
    /// The bits of the operand.
    Bits,
}

impl NanEffect {
    /// The word of the table in the documentation.
    pub const fn name(self) -> &'static str {
        match self {
            NanEffect::Never => "none",
            NanEffect::Some => "some NaN",
            NanEffect::Quieted => "operand's, quieted",
            NanEffect::Bits => "operand's bits",
        }
    }
}

/// A row of the table of primitives.
#[derive(Copy, Clone, Debug)]
pub struct Row {
    /// The primitive.
    pub prim: Prim,
    /// Spelling.
    pub name: &'static str,
    /// Types it may be taken at.
    pub over: &'static [Ty],
    /// Operands. [`Prim::First`] has one to all of them.
    pub args: &'static [Slot],
    /// Result.
    pub result: Slot,
    /// Immediate.
    pub immediate: Immediate,
    /// Effect on NaN.
    pub nan: NanEffect,
    /// The x86-64 instruction (AVX2 or AVX-512), where it is one; else what it takes.
    pub x86: &'static str,
    /// The aarch64 instruction, likewise.
    pub aarch64: &'static str,
    /// Meaning.
    pub doc: &'static str,
}

macro_rules! prims {
    ($($variant:ident $name:literal over $over:ident ($($arg:expr),*) -> $result:expr, $imm:ident, $nan:ident,
        $x86:literal, $arm:literal, $doc:literal;)+) => {
        /// A primitive: exactly defined, no side effect, never traps.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Prim { $(#[doc = $doc] $variant),+ }

        impl Prim {
            /// Every primitive: `ALL[prim as usize].prim == prim`.
            pub const ALL: &'static [Row] = &[$(Row {
                prim: Prim::$variant,
                name: $name,
                over: $over,
                args: &[$($arg),*],
                result: $result,
                immediate: Immediate::$imm,
                nan: NanEffect::$nan,
                x86: $x86,
                aarch64: $arm,
                doc: $doc,
            }),+];
        }
    };
}

use Slot::{Is, Pattern, T};
use Ty::{F32, F64, I32, I64, Mask};

const FLOAT: &[Ty] = &[F32, F64];
const DOUBLE: &[Ty] = &[F64];
const SINGLE: &[Ty] = &[F32];
const INTEGER: &[Ty] = &[I32, I64];
const WIDE: &[Ty] = &[I64];
const LOGIC: &[Ty] = &[I32, I64, Mask];
const MASK: &[Ty] = &[Mask];
const ANY: &[Ty] = &Ty::ALL;

prims! {
    Const "const" over ANY () -> T, Bits, Bits, "memory operand or broadcast", "fmov, movi or a load", "a constant";
    Select "select" over ANY (Is(Mask), T, T) -> T, None, Bits, "vblendmps/pd, vpblendmd/q", "bsl", "the second operand where the first is true, else the third; bits unchanged";

    Fadd "fadd" over FLOAT (T, T) -> T, Mode, Some, "vaddps/pd", "fadd", "a + b, rounded";
    Fsub "fsub" over FLOAT (T, T) -> T, Mode, Some, "vsubps/pd", "fsub", "a - b, rounded";
    Fmul "fmul" over FLOAT (T, T) -> T, Mode, Some, "vmulps/pd", "fmul", "a * b, rounded";
    Fmulz "fmulz" over FLOAT (T, T) -> T, Mode, Some, "vcmpps twice, vmulps under the mask", "fcmeq twice, orr, fmul, bic", "+0 where either is a zero, else a * b, rounded";
    Fdiv "fdiv" over FLOAT (T, T) -> T, Mode, Some, "vdivps/pd", "fdiv", "a / b, rounded";
    Fsqrt "fsqrt" over FLOAT (T) -> T, Mode, Some, "vsqrtps/pd", "fsqrt", "square root, rounded";
    Fma "fma" over FLOAT (T, T, T) -> T, Mode, Some, "vfmadd213ps/pd", "fmla", "a * b + c, rounded once";
    FaddOdd "fadd.odd" over DOUBLE (T, T) -> T, None, Some, "vaddpd twice, {rd-sae} and {ru-sae}; vcmppd, vporq", "fadd, then the error by two-sum", "a + b rounded to odd: exact, or the neighbour whose last bit is set";
    Fneg "fneg" over FLOAT (T) -> T, None, Bits, "vxorps/pd", "fneg", "the sign bit flipped";
    Fabs "fabs" over FLOAT (T) -> T, None, Bits, "vandps/pd", "fabs", "the sign bit cleared";
    Fmin "fmin" over FLOAT (T, T) -> T, None, Bits, "vminps/pd", "fcmgt, bsl", "a where a < b, else b: b if either is NaN, or both are zeros";
    Fmax "fmax" over FLOAT (T, T) -> T, None, Bits, "vmaxps/pd", "fcmgt, bsl", "a where a > b, else b: b if either is NaN, or both are zeros";
    Round "round" over FLOAT (T) -> T, Direction, Some, "vroundps/pd", "frintn, frintz, frintp, frintm", "to an integer; zeros keep the operand's sign";
    Flush "flush" over FLOAT (T) -> T, None, Bits, "vmulps/pd by 1 under DAZ, or three", "fmul by 1 under FZ, or three", "denormals become a zero of their sign, everything else is unchanged";
    First "first" over FLOAT (T, T, T, T) -> T, Nan, Bits, "nothing, where the operation does so itself and the immediate is the negative quiet NaN; else vcmpps, vblendmps", "fcmeq, bsl for each operand", "the first operand unless it is NaN; otherwise the first NaN among the others, quieted, or the given NaN";

    Feq "feq" over FLOAT (T, T) -> Is(Mask), None, Never, "vcmpeqps/pd", "fcmeq", "a = b; false on NaN";
    Flt "flt" over FLOAT (T, T) -> Is(Mask), None, Never, "vcmpltps/pd", "fcmgt", "a < b; false on NaN";
    Fle "fle" over FLOAT (T, T) -> Is(Mask), None, Never, "vcmpleps/pd", "fcmge", "a <= b; false on NaN";
    Funo "funo" over FLOAT (T, T) -> Is(Mask), None, Never, "vcmpunordps/pd", "fcmeq twice, and, not", "whether either is NaN";

    Widen "widen" over SINGLE (T) -> Is(F64), None, Quieted, "vcvtps2pd", "fcvtl", "binary32 to binary64, exact";
    Narrow "narrow" over DOUBLE (T) -> Is(F32), Mode, Quieted, "vcvtpd2ps", "fcvtn", "binary64 to binary32, rounded";
    FromHalf "from.half" over SINGLE (Is(I32)) -> T, None, Quieted, "vcvtph2ps", "fcvtl", "the binary16 pattern in the low 16 bits, exact";
    ToHalf "to.half" over SINGLE (T) -> Is(I32), Direction, Quieted, "vcvtps2ph", "fcvtn", "binary16 pattern, rounded, denormals kept";
    FromInt "from.int" over FLOAT (Is(I32)) -> T, Direction, Never, "vcvtdq2ps/pd", "scvtf", "signed 32-bit integer to float, rounded";
    ToInt "to.int" over FLOAT (T) -> Is(I32), None, Never, "vcvttps2dq, vcvttpd2dq", "fcvtzs, then the ends", "truncated to a signed 32-bit integer; NaN and values out of range give 0x80000000";
    Bits "bits" over FLOAT (T) -> Pattern, None, Never, "nothing", "nothing", "the pattern of a float";
    Float "float" over FLOAT (Pattern) -> T, None, Bits, "nothing", "nothing", "the float of a pattern";

    Add "add" over INTEGER (T, T) -> T, None, Never, "vpaddd/q", "add", "a + b, wrapping";
    Sub "sub" over INTEGER (T, T) -> T, None, Never, "vpsubd/q", "sub", "a - b, wrapping";
    Mul "mul" over INTEGER (T, T) -> T, None, Never, "vpmulld, vpmullq", "mul; 64 bits in parts", "low half of a * b";
    And "and" over LOGIC (T, T) -> T, None, Never, "vpandd/q, kandw", "and", "bitwise and";
    Or "or" over LOGIC (T, T) -> T, None, Never, "vpord/q, korw", "orr", "bitwise or";
    Xor "xor" over LOGIC (T, T) -> T, None, Never, "vpxord/q, kxorw", "eor", "bitwise exclusive or";
    Shl "shl" over INTEGER (T, Is(I32)) -> T, None, Never, "vpslld/q, vpsllvd/q", "sshl", "a shifted left; the amount is taken modulo the width";
    Shr "shr" over INTEGER (T, Is(I32)) -> T, None, Never, "vpsrld/q, vpsrlvd/q", "ushl by the negative amount", "logical shift right";
    Sar "sar" over INTEGER (T, Is(I32)) -> T, None, Never, "vpsrad/q, vpsravd/q", "sshl by the negative amount", "arithmetic shift right";
    LeadingZeros "clz" over INTEGER (T) -> Is(I32), None, Never, "vplzcntd/q", "clz", "number of leading zeros; the width for 0";
    Ones "popc" over INTEGER (T) -> Is(I32), None, Never, "vpopcntd/q", "cnt, addv", "number of set bits";
    Eq "eq" over INTEGER (T, T) -> Is(Mask), None, Never, "vpcmpeqd/q", "cmeq", "a = b";
    Lt "lt" over INTEGER (T, T) -> Is(Mask), None, Never, "vpcmpd/q, less", "cmgt", "signed a < b";
    Ult "ult" over INTEGER (T, T) -> Is(Mask), None, Never, "vpcmpud/q, less", "cmhi", "unsigned a < b";
    Disjoint "disjoint" over INTEGER (T, T) -> Is(Mask), None, Never, "vptestnmd/q", "cmtst, not", "whether no bit is set in both";
    Low "low" over WIDE (T) -> Is(I32), None, Never, "vshufps, vpermq", "xtn", "low half";
    Zext "zext" over WIDE (Is(I32)) -> T, None, Never, "vpmovzxdq", "uxtl", "zero-extended";
    Sext "sext" over WIDE (Is(I32)) -> T, None, Never, "vpmovsxdq", "sxtl", "sign-extended";
    Not "not" over MASK (T) -> T, None, Never, "knotw", "not", "not a";
    Table "table" over WIDE (Is(I32)) -> T, Table, Never, "vpgatherdq", "loads, one for each lane", "the row of a table; the index is taken modulo its length";
}

/// Type of the result of each primitive at each type.
const RESULTS: [[Ty; Ty::ALL.len()]; Prim::ALL.len()] = {
    let mut results = [[Mask; Ty::ALL.len()]; Prim::ALL.len()];
    let mut prim = 0;
    while prim < results.len() {
        let mut ty = 0;
        while ty < Ty::ALL.len() {
            results[prim][ty] = Prim::ALL[prim].result.at(Ty::ALL[ty]);
            ty += 1;
        }
        prim += 1;
    }
    results
};

impl Prim {
    /// The primitive's row.
    pub const fn row(self) -> &'static Row {
        &Prim::ALL[self as usize]
    }

    /// Spelling.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Reads [`Prim::name`].
    pub fn from_name(name: &str) -> Option<Prim> {
        Prim::ALL.iter().find(|row| row.name == name).map(|row| row.prim)
    }

    /// Type of the result when taken at `ty`.
    #[inline]
    pub const fn result(self, ty: Ty) -> Ty {
        RESULTS[self as usize][ty as usize]
    }

    /// Whether the operands may change places without a trace. Floats may: which of two NaNs comes out is open anyway.
    pub const fn commutes(self) -> bool {
        matches!(
            self,
            Prim::Fadd
                | Prim::Fmul
                | Prim::Fmulz
                | Prim::FaddOdd
                | Prim::Feq
                | Prim::Funo
                | Prim::Add
                | Prim::Mul
                | Prim::And
                | Prim::Or
                | Prim::Xor
                | Prim::Eq
                | Prim::Disjoint
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_index_and_names_are_unique() {
        for (i, row) in Prim::ALL.iter().enumerate() {
            assert_eq!(row.prim as usize, i);
            assert_eq!(Prim::from_name(row.name), Some(row.prim), "{}", row.name);
            assert!(!row.over.is_empty() && row.args.len() <= 4, "{}", row.name);
        }
    }

    #[test]
    fn modes_are_numbers() {
        for word in 0..8 {
            assert_eq!(Mode::from_word(word).map(Mode::word), Some(word));
        }
        assert_eq!(Mode::from_word(8), None);
    }
}
