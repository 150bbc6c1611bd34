//! The operations parallax evaluates, one row each.

use std::fmt;

/// What an operand or result is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A float of the slot's declared format.
    F,
    /// A float of any declared format.
    AnyF,
    /// 32 bits without sign.
    I32,
    /// 64 bits without sign.
    I64,
    /// True or false.
    Pred,
    /// Less, equal, greater or unordered.
    Cc,
}

/// Which part of a rule an operation looks at.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Sums and products.
    Arith,
    /// Operations evaluated by a recipe; the documents may allow an error.
    Recipe,
    /// Operations exact up to range: floor, sign, exponent.
    Shape,
    /// MIN and MAX.
    MinMax,
    /// Comparisons and condition codes.
    Compare,
    /// Float to float.
    Convert,
    /// Float to integer.
    ToInt,
    /// Integer to float.
    FromInt,
    /// Float to packed word and back.
    Pack,
    /// Bit moves that depend on containers only.
    Bits,
    /// Integer operations; no rule.
    Int,
    /// Predicates and integer comparisons; no rule.
    Logic,
}

impl Family {
    /// Families whose operations name a slot, in table order.
    pub const WITH_SLOT: [Family; 10] = [
        Family::Arith,
        Family::Recipe,
        Family::Shape,
        Family::MinMax,
        Family::Compare,
        Family::Convert,
        Family::ToInt,
        Family::FromInt,
        Family::Pack,
        Family::Bits,
    ];

    /// Spelling in model files and settings, where it stands for all its operations.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Arith => "arith",
            Family::Recipe => "recipe",
            Family::Shape => "shape",
            Family::MinMax => "minmax",
            Family::Compare => "compare",
            Family::Convert => "convert",
            Family::ToInt => "to-int",
            Family::FromInt => "from-int",
            Family::Pack => "packing",
            Family::Bits => "bits",
            Family::Int => "int",
            Family::Logic => "logic",
        }
    }

    /// Reads [`Family::name`] of a family with slots.
    pub fn from_name(name: &str) -> Option<Family> {
        Family::WITH_SLOT.into_iter().find(|f| f.name() == name)
    }

    /// Whether operations of this family name a precision slot.
    pub const fn has_slot(self) -> bool {
        !matches!(self, Family::Int | Family::Logic)
    }
}

/// A row of the operation table.
#[derive(Copy, Clone, Debug)]
pub struct OpInfo {
    /// The operation.
    pub op: Op,
    /// Spelling in the textual IR, in model files and on the command line.
    pub name: &'static str,
    /// Operands.
    pub args: &'static [Kind],
    /// Result.
    pub result: Kind,
    /// Which part of a rule it looks at.
    pub family: Family,
    /// One line of meaning.
    pub doc: &'static str,
}

macro_rules! ops {
    ($($(#[$meta:meta])* $variant:ident $name:literal ($($arg:ident),*) -> $result:ident $family:ident $doc:literal;)+) => {
        /// An operation on lane words. One result, no side effect, never traps.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op { $(#[doc = $doc] $variant),+ }

        impl Op {
            /// Every operation, in table order: `ALL[op as usize].op == op`.
            pub const ALL: &'static [OpInfo] = &[$(OpInfo {
                op: Op::$variant,
                name: $name,
                args: &[$(Kind::$arg),*],
                result: Kind::$result,
                family: Family::$family,
                doc: $doc,
            }),+];
        }
    };
}

ops! {
    Add "add" (F, F) -> F Arith "a + b";
    Sub "sub" (F, F) -> F Arith "a - b";
    Mul "mul" (F, F) -> F Arith "a * b";
    Fma "fma" (F, F, F) -> F Arith "a * b + c with one rounding, under every rule";
    Mad "mad" (F, F, F) -> F Arith "a * b + c by the rule's `mad`";
    Dot2 "dot2" (F, F, F, F) -> F Arith "a0*b0 + a1*b1; operands a0 a1 b0 b1";
    Dot3 "dot3" (F, F, F, F, F, F) -> F Arith "three-component dot product; operands a0 a1 a2 b0 b1 b2";
    Dot4 "dot4" (F, F, F, F, F, F, F, F) -> F Arith "four-component dot product; operands a0..a3 b0..b3";
    Dph "dph" (F, F, F, F, F, F, F) -> F Arith "homogeneous dot product a.xyz * b.xyz + b.w; operands a0 a1 a2 b0 b1 b2 b3";
    Dp2a "dp2a" (F, F, F, F, F) -> F Arith "a0*b0 + a1*b1 + c; operands a0 a1 b0 b1 c";
    Lrp "lrp" (F, F, F) -> F Arith "blend of b and c by a, by the rule's `lrp`";
    Dst "dst" (F, F) -> F Arith "the y component of a distance vector, a * b";
    LitY "lit.y" (F) -> F Arith "diffuse term of LIT, max(x, 0)";
    LitZ "lit.z" (F, F, F) -> F Recipe "specular term of LIT; operands x y w";
    Nrm "nrm" (F, F, F, F) -> F Recipe "v / length(x, y, z); operands v x y z: dot3, rsq, mul, each under this rule";
    Div "div" (F, F) -> F Recipe "a / b";
    Rcp "rcp" (F) -> F Recipe "1 / a";
    Rsq "rsq" (F) -> F Recipe "1 / sqrt(a)";
    Sqrt "sqrt" (F) -> F Recipe "square root";
    Exp2 "exp2" (F) -> F Recipe "2^a";
    Log2 "log2" (F) -> F Recipe "base-2 logarithm";
    Exp2Part "exp2.part" (F) -> F Recipe "2^a at the reduced precision of EXP.z";
    Log2Part "log2.part" (F) -> F Recipe "base-2 logarithm of |a| at the reduced precision of LOG.z";
    Exp2Floor "exp2.floor" (F) -> F Shape "2^floor(a), exact up to range";
    LogExp "log.exp" (F) -> F Shape "floor(log2 |a|), exact";
    LogMant "log.mant" (F) -> F Shape "|a| / 2^floor(log2 |a|), exact, in [1, 2)";
    Sin "sin" (F) -> F Recipe "sine of a in radians";
    Cos "cos" (F) -> F Recipe "cosine of a in radians";
    Pow "pow" (F, F) -> F Recipe "a^b by the rule's `pow`";
    Min "min" (F, F) -> F MinMax "the smaller operand";
    Max "max" (F, F) -> F MinMax "the larger operand";
    Floor "floor" (F) -> F Shape "largest integer not above a";
    Ceil "ceil" (F) -> F Shape "smallest integer not below a";
    Trunc "trunc" (F) -> F Shape "a without its fraction";
    Rint "rint" (F) -> F Shape "nearest integer, ties to even";
    Frac "frac" (F) -> F Shape "a - floor(a), the subtraction rounded";
    Sign "sign" (F) -> F Shape "-1, 0 or 1; NaN and zeros give +0";
    Neg "neg" (F) -> F Bits "sign flipped, NaN too, nothing flushed; fixed point: two's complement, clamped";
    Abs "abs" (F) -> F Bits "sign cleared, NaN too, nothing flushed; fixed point: magnitude, clamped";
    FEq "feq" (F, F) -> Pred Compare "a = b; false on NaN";
    FNe "fne" (F, F) -> Pred Compare "a differs from b; true on NaN";
    FLt "flt" (F, F) -> Pred Compare "a < b; false on NaN";
    FLe "fle" (F, F) -> Pred Compare "a <= b; false on NaN";
    FGt "fgt" (F, F) -> Pred Compare "a > b; false on NaN";
    FGe "fge" (F, F) -> Pred Compare "a >= b; false on NaN";
    Funo "funo" (F, F) -> Pred Compare "whether either operand is NaN";
    CcOf "cc.of" (F) -> Cc Compare "less, equal, greater or unordered against zero";
    CcEq "cc.test.eq" (Cc) -> Pred Logic "condition code is equal";
    CcNe "cc.test.ne" (Cc) -> Pred Logic "condition code is less, greater or unordered";
    CcLt "cc.test.lt" (Cc) -> Pred Logic "condition code is less";
    CcLe "cc.test.le" (Cc) -> Pred Logic "condition code is less or equal";
    CcGt "cc.test.gt" (Cc) -> Pred Logic "condition code is greater";
    CcGe "cc.test.ge" (Cc) -> Pred Logic "condition code is equal or greater";
    Cvt "cvt" (AnyF) -> F Convert "conversion from any float format under the rule: flush, round, quiet, clamp";
    F2iTrunc "f2i.trunc" (F) -> I32 ToInt "to signed 32-bit, rounded toward zero";
    F2uTrunc "f2u.trunc" (F) -> I32 ToInt "to unsigned 32-bit, rounded toward zero";
    F2iFloor "f2i.floor" (F) -> I32 ToInt "to signed 32-bit, rounded toward -infinity";
    F2uFloor "f2u.floor" (F) -> I32 ToInt "to unsigned 32-bit, rounded toward -infinity";
    F2iCeil "f2i.ceil" (F) -> I32 ToInt "to signed 32-bit, rounded toward +infinity";
    F2uCeil "f2u.ceil" (F) -> I32 ToInt "to unsigned 32-bit, rounded toward +infinity";
    F2iRint "f2i.rint" (F) -> I32 ToInt "to signed 32-bit, rounded to nearest even";
    F2uRint "f2u.rint" (F) -> I32 ToInt "to unsigned 32-bit, rounded to nearest even";
    I2f "i2f" (I32) -> F FromInt "from signed 32-bit";
    U2f "u2f" (I32) -> F FromInt "from unsigned 32-bit";
    BitsOf "bits.of" (F) -> I32 Bits "the pattern of a in the declared format, zero-extended (fixed point: sign-extended)";
    BitsTo "bits.to" (I32) -> F Bits "the value whose pattern in the declared format is a; unchanged bits where containers agree";
    PackHalf2 "pack.half2" (F, F) -> I32 Pack "two halves, first in the low bits";
    PackUnorm2 "pack.unorm2x16" (F, F) -> I32 Pack "65535 * clamp(v, 0, 1), first in the low bits";
    PackBiased4 "pack.biased4x8" (F, F, F, F) -> I32 Pack "127 * clamp(v, -128/127, 1) + 128, first in the low bits";
    PackUnorm4 "pack.unorm4x8" (F, F, F, F) -> I32 Pack "255 * clamp(v, 0, 1), first in the low bits";
    PackSnorm4 "pack.snorm4x8" (F, F, F, F) -> I32 Pack "127 * clamp(v, -1, 1), two's complement, first in the low bits";
    UpHalf "unpack.half" (I32) -> F Pack "the half in the low 16 bits";
    UpUnorm16 "unpack.unorm16" (I32) -> F Pack "low 16 bits / 65535";
    UpBiased8 "unpack.biased8" (I32) -> F Pack "(low byte - 128) / 127";
    UpUnorm8 "unpack.unorm8" (I32) -> F Pack "low byte / 255";
    UpSnorm8 "unpack.snorm8" (I32) -> F Pack "max(signed low byte / 127, -1)";
    Iadd "iadd" (I32, I32) -> I32 Int "a + b, wrapping";
    Isub "isub" (I32, I32) -> I32 Int "a - b, wrapping";
    Imul "imul" (I32, I32) -> I32 Int "low 32 bits of a * b";
    ImulHi "imul.hi" (I32, I32) -> I32 Int "high 32 bits of the signed product";
    UmulHi "umul.hi" (I32, I32) -> I32 Int "high 32 bits of the unsigned product";
    Idiv "idiv" (I32, I32) -> I32 Int "signed quotient toward zero; by zero 0; INT_MIN / -1 = INT_MIN";
    Imod "imod" (I32, I32) -> I32 Int "signed remainder, sign of a; by zero -1; INT_MIN % -1 = 0";
    Udiv "udiv" (I32, I32) -> I32 Int "unsigned quotient; by zero all ones";
    Umod "umod" (I32, I32) -> I32 Int "unsigned remainder; by zero all ones";
    Iand "iand" (I32, I32) -> I32 Int "bitwise and";
    Ior "ior" (I32, I32) -> I32 Int "bitwise or";
    Ixor "ixor" (I32, I32) -> I32 Int "bitwise exclusive or";
    Shl "shl" (I32, I32) -> I32 Int "a << (b & 31)";
    Ishr "ishr" (I32, I32) -> I32 Int "arithmetic a >> (b & 31)";
    Ushr "ushr" (I32, I32) -> I32 Int "logical a >> (b & 31)";
    Imin "imin" (I32, I32) -> I32 Int "signed minimum";
    Imax "imax" (I32, I32) -> I32 Int "signed maximum";
    Umin "umin" (I32, I32) -> I32 Int "unsigned minimum";
    Umax "umax" (I32, I32) -> I32 Int "unsigned maximum";
    Inot "inot" (I32) -> I32 Int "bitwise complement";
    Ineg "ineg" (I32) -> I32 Int "two's complement negation";
    Iabs "iabs" (I32) -> I32 Int "signed magnitude, INT_MIN stays";
    Isign "isign" (I32) -> I32 Int "-1, 0 or 1";
    Ibfe "ibfe" (I32, I32, I32) -> I32 Int "signed bit field of a, offset b & 31, width c & 31 (32 with offset 0: whole word); clipped at bit 31";
    Ubfe "ubfe" (I32, I32, I32) -> I32 Int "unsigned bit field of a, offset b & 31, width c & 31 (32 with offset 0: whole word); clipped at bit 31";
    Bfi "bfi" (I32, I32, I32, I32) -> I32 Int "a with the low d bits of b inserted at offset c & 31; width 32 gives b";
    Brev "brev" (I32) -> I32 Int "bits reversed";
    Popc "popc" (I32) -> I32 Int "number of set bits";
    Lsb "lsb" (I32) -> I32 Int "index of the lowest set bit, -1 if none";
    Umsb "umsb" (I32) -> I32 Int "index of the highest set bit, -1 if none";
    Imsb "imsb" (I32) -> I32 Int "index of the highest bit that differs from the sign, -1 if none";
    Ieq "ieq" (I32, I32) -> Pred Logic "a = b";
    Ine "ine" (I32, I32) -> Pred Logic "a differs from b";
    Ilt "ilt" (I32, I32) -> Pred Logic "signed a < b";
    Ile "ile" (I32, I32) -> Pred Logic "signed a <= b";
    Ult "ult" (I32, I32) -> Pred Logic "unsigned a < b";
    Ule "ule" (I32, I32) -> Pred Logic "unsigned a <= b";
    Pand "pand" (Pred, Pred) -> Pred Logic "both";
    Por "por" (Pred, Pred) -> Pred Logic "either";
    Pxor "pxor" (Pred, Pred) -> Pred Logic "one of the two";
    Pnot "pnot" (Pred) -> Pred Logic "not a";
    Join "join" (I32, I32) -> I64 Int "a in the low half, b in the high half";
    Low "low" (I64) -> I32 Int "low half of a";
    High "high" (I64) -> I32 Int "high half of a";
    Sext64 "sext64" (I32) -> I64 Int "a sign-extended";
    Zext64 "zext64" (I32) -> I64 Int "a zero-extended";
    Iadd64 "iadd64" (I64, I64) -> I64 Int "a + b, wrapping";
    Isub64 "isub64" (I64, I64) -> I64 Int "a - b, wrapping";
    Imul64 "imul64" (I64, I64) -> I64 Int "low 64 bits of a * b";
    ImulHi64 "imul64.hi" (I64, I64) -> I64 Int "high 64 bits of the signed product";
    UmulHi64 "umul64.hi" (I64, I64) -> I64 Int "high 64 bits of the unsigned product";
    Idiv64 "idiv64" (I64, I64) -> I64 Int "signed quotient toward zero; by zero 0; INT_MIN / -1 = INT_MIN";
    Imod64 "imod64" (I64, I64) -> I64 Int "signed remainder, sign of a; by zero -1; INT_MIN % -1 = 0";
    Udiv64 "udiv64" (I64, I64) -> I64 Int "unsigned quotient; by zero all ones";
    Umod64 "umod64" (I64, I64) -> I64 Int "unsigned remainder; by zero all ones";
    Iand64 "iand64" (I64, I64) -> I64 Int "bitwise and";
    Ior64 "ior64" (I64, I64) -> I64 Int "bitwise or";
    Ixor64 "ixor64" (I64, I64) -> I64 Int "bitwise exclusive or";
    Shl64 "shl64" (I64, I32) -> I64 Int "a << (b & 63)";
    Ishr64 "ishr64" (I64, I32) -> I64 Int "arithmetic a >> (b & 63)";
    Ushr64 "ushr64" (I64, I32) -> I64 Int "logical a >> (b & 63)";
    Imin64 "imin64" (I64, I64) -> I64 Int "signed minimum";
    Imax64 "imax64" (I64, I64) -> I64 Int "signed maximum";
    Umin64 "umin64" (I64, I64) -> I64 Int "unsigned minimum";
    Umax64 "umax64" (I64, I64) -> I64 Int "unsigned maximum";
    Inot64 "inot64" (I64) -> I64 Int "bitwise complement";
    Ineg64 "ineg64" (I64) -> I64 Int "two's complement negation";
    Iabs64 "iabs64" (I64) -> I64 Int "signed magnitude, INT_MIN stays";
    Isign64 "isign64" (I64) -> I64 Int "-1, 0 or 1";
    Umsb64 "umsb64" (I64) -> I32 Int "index of the highest set bit, -1 if none";
    Ieq64 "ieq64" (I64, I64) -> Pred Logic "a = b";
    Ine64 "ine64" (I64, I64) -> Pred Logic "a differs from b";
    Ilt64 "ilt64" (I64, I64) -> Pred Logic "signed a < b";
    Ile64 "ile64" (I64, I64) -> Pred Logic "signed a <= b";
    Ult64 "ult64" (I64, I64) -> Pred Logic "unsigned a < b";
    Ule64 "ule64" (I64, I64) -> Pred Logic "unsigned a <= b";
    FunnelShl "funnel.shl" (I32, I32, I32) -> I32 Int "high word of {b, a} << (c & 31), a being the low word";
    FunnelShr "funnel.shr" (I32, I32, I32) -> I32 Int "low word of {b, a} >> (c & 31), a being the low word";
    Prmt "prmt" (I32, I32, I32) -> I32 Int "four of the eight bytes {b, a}, a being the low word: each of the low four nibbles of c names one; nibble bit 3 spreads its sign";
    Lop3 "lop3" (I32, I32, I32, I32) -> I32 Int "bitwise function of a, b, c by the table d: bit (a<<2 | b<<1 | c) of its low byte";
    F2i64Trunc "f2i64.trunc" (F) -> I64 ToInt "to signed 64-bit, rounded toward zero";
    F2u64Trunc "f2u64.trunc" (F) -> I64 ToInt "to unsigned 64-bit, rounded toward zero";
    F2i64Floor "f2i64.floor" (F) -> I64 ToInt "to signed 64-bit, rounded toward -infinity";
    F2u64Floor "f2u64.floor" (F) -> I64 ToInt "to unsigned 64-bit, rounded toward -infinity";
    F2i64Ceil "f2i64.ceil" (F) -> I64 ToInt "to signed 64-bit, rounded toward +infinity";
    F2u64Ceil "f2u64.ceil" (F) -> I64 ToInt "to unsigned 64-bit, rounded toward +infinity";
    F2i64Rint "f2i64.rint" (F) -> I64 ToInt "to signed 64-bit, rounded to nearest even";
    F2u64Rint "f2u64.rint" (F) -> I64 ToInt "to unsigned 64-bit, rounded to nearest even";
    I64ToF "i64.to.f" (I64) -> F FromInt "from signed 64-bit";
    U64ToF "u64.to.f" (I64) -> F FromInt "from unsigned 64-bit";
    BitsOf64 "bits.of64" (F) -> I64 Bits "the pattern of a in the declared format, zero-extended (fixed point: sign-extended to 32 bits)";
    BitsTo64 "bits.to64" (I64) -> F Bits "the value whose pattern in the declared format is a; unchanged bits where containers agree";
    Ldexp "ldexp" (F, I32) -> F Arith "a * 2^b, b signed, one rounding";
}

impl Op {
    /// The operation's row.
    pub const fn info(self) -> &'static OpInfo {
        &Op::ALL[self as usize]
    }

    /// Spelling in the textual IR.
    pub const fn name(self) -> &'static str {
        self.info().name
    }

    /// Whether it names a precision slot.
    pub const fn has_slot(self) -> bool {
        self.info().family.has_slot()
    }

    /// Reads [`Op::name`].
    pub fn from_name(name: &str) -> Option<Op> {
        Op::ALL.iter().find(|row| row.name == name).map(|row| row.op)
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_own_index_and_names_are_unique() {
        for (i, row) in Op::ALL.iter().enumerate() {
            assert_eq!(row.op as usize, i);
            assert_eq!(Op::from_name(row.name), Some(row.op), "{}", row.name);
        }
    }
}
