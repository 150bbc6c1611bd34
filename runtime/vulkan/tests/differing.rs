//! What differs from Mesa's results, and why.

/// A program whose results differ.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Differing {
    /// Its name.
    pub(crate) name: &'static str,
    /// Of a thousand results, how many differ otherwise than in the bits of a NaN.
    pub(crate) in_numbers: u32,
    /// Of a thousand results, how many differ.
    pub(crate) in_all: u32,
    /// Why.
    pub(crate) reason: &'static str,
}

const fn row(name: &'static str, in_numbers: u32, in_all: u32, reason: &'static str) -> Differing {
    Differing { name, in_numbers, in_all, reason }
}

const NAN: &str = "LLVM swaps the operands of sums and products as it likes, and with them the NaN that survives, or moves a \
                   negation from one to the other";
const NAN_OF_HALVES: &str = "LLVM converts halves to binary32 and back for every operation, which quiets a NaN; and as for \
                             binary32, another NaN may survive";
const HALF_NAN: &str = "the processor and Mesa's own conversion to halves treat the bits of a NaN differently";
const MODF: &str =
    "Mesa multiplies magnitudes by a sign of 0, 1 or -1, so that -0 becomes +0; the bits of a NaN go the same way";
const FREXP: &str = "Mesa takes the fields of denormals, infinities and NaN for those of other numbers";
const QUANTIZE: &str =
    "Mesa multiplies by 0 to keep the sign, and its compiler then makes +0 of that: SPIR-V asks for -0";
const SMOD: &str = "llvmpipe computes the remainder with the sign of the dividend: SPIR-V asks for that of the divisor";
const RSQ: &str =
    "the row 1/rsq(a) of the rewrites is that of programs whose reciprocal square root takes the magnitude";
const SUM64: &str = "not known: the last bit of sums of products of 64-bit floats, where a vector is multiplied by a matrix from the \
                     left or a minor of four rows is computed; OpDot has the same bits";
const LDEXP64: &str =
    "Mesa multiplies an infinity by 0 where the exponent is far below the range: SPIR-V asks for infinity";
const SWITCH: &str = "Mesa runs a case with the value of another that is the continue target of the loop";

/// All of them, in the order of the programs.
#[rustfmt::skip]
pub(crate) const DIFFERING: &[Differing] = &[
    row("OpFAdd v2f32", 0, 1, NAN),
    row("OpFAdd v3f32", 0, 1, NAN),
    row("OpFMul v3f32", 0, 1, NAN),
    row("OpFAdd v4f32", 0, 1, NAN),
    row("OpFMul v4f32", 0, 1, NAN),
    row("Cosh f32", 0, 37, NAN),
    row("Cosh v2f32", 0, 35, NAN),
    row("Pow f32", 0, 5, NAN),
    row("Pow v3f32", 0, 13, NAN),
    row("FMix f32", 0, 1, NAN),
    row("FMix v3f32", 0, 2, NAN),
    row("Fma v3f32", 0, 1, NAN),
    row("Normalize v3f32", 0, 1, NAN),
    row("Normalize v4f32", 0, 4, NAN),
    row("OpDot v3f32", 0, 1, NAN),
    row("OpDot v4f32", 0, 5, NAN),
    row("Reflect v2f32", 0, 1, NAN),
    row("Reflect v3f32", 0, 10, NAN),
    row("Reflect v4f32", 0, 23, NAN),
    row("Cross v3f32", 0, 63, NAN),
    row("Refract v2f32", 0, 2, NAN),
    row("Refract v3f32", 0, 3, NAN),
    row("Refract v4f32", 0, 7, NAN),
    row("ModfStruct f32", 8, 25, MODF),
    row("FrexpStruct f32", 44, 44, FREXP),
    row("ModfStruct v2f32", 7, 16, MODF),
    row("FrexpStruct v2f32", 52, 52, FREXP),
    row("Modf", 5, 14, MODF),
    row("Frexp", 43, 43, FREXP),
    row("FMix v3f64", 0, 1, NAN),
    row("Cross v3f64", 0, 27, NAN),
    row("OpVectorTimesMatrix 2x3 f64", 4, 4, SUM64),
    row("MatrixInverse 2 f64", 0, 24, NAN),
    row("Determinant 3 f64", 0, 16, NAN),
    row("MatrixInverse 3 f64", 0, 38, NAN),
    row("Determinant 4 f64", 2, 35, SUM64),
    row("MatrixInverse 4 f64", 3, 109, SUM64),
    row("OpVectorTimesMatrix 2x3 f64:plain", 149, 149, SUM64),
    row("Determinant 4 f64:plain", 148, 148, SUM64),
    row("MatrixInverse 4 f64:plain", 128, 128, SUM64),
    row("Ldexp f64", 1, 1, LDEXP64),
    row("ModfStruct f64", 4, 10, MODF),
    row("FrexpStruct f64", 28, 28, FREXP),
    row("PackHalf2x16", 30, 30, HALF_NAN),
    row("OpQuantizeToF16 f32", 5, 5, QUANTIZE),
    row("1/rsq(a)", 414, 427, RSQ),
    row("mix(a,b,0.25)", 0, 2, NAN),
    row("step(a,b)*b", 0, 15, NAN),
    row("a*rcp(b)", 0, 2, NAN),
    row("exp2(b*log2(a))", 0, 9, NAN),
    row("OpSMod i32", 317, 317, SMOD),
    row("OpSMod v2i32", 319, 319, SMOD),
    row("OpSMod i64", 372, 372, SMOD),
    row("OpSMod i16", 305, 305, SMOD),
    row("OpSMod i8", 373, 373, SMOD),
    row("OpFConvert f32 f16", 0, 13, HALF_NAN),
    row("OpFConvert v3f32 v3f16", 0, 13, HALF_NAN),
    row("FMin f16", 0, 5, NAN_OF_HALVES),
    row("FMax f16", 0, 1, NAN_OF_HALVES),
    row("NMin f16", 0, 2, NAN_OF_HALVES),
    row("NMax f16", 0, 2, NAN_OF_HALVES),
    row("FAbs f16", 0, 22, NAN_OF_HALVES),
    row("Asin f16", 0, 37, NAN_OF_HALVES),
    row("Acos f16", 0, 25, NAN_OF_HALVES),
    row("FMix f16", 0, 3, NAN_OF_HALVES),
    row("OpFNegate f16", 0, 23, NAN_OF_HALVES),
    row("ModfStruct f16", 17, 42, MODF),
    row("FrexpStruct f16", 130, 130, FREXP),
    row("OpVectorTimesScalar", 0, 1, NAN),
    row("OpVectorTimesMatrix 2x3", 0, 2, NAN),
    row("OpVectorTimesMatrix 4x4", 0, 16, NAN),
    row("OpMatrixTimesVector 2x3", 0, 4, NAN),
    row("OpMatrixTimesVector 3x3", 0, 11, NAN),
    row("OpMatrixTimesVector 4x4", 0, 16, NAN),
    row("OpMatrixTimesMatrix 2x2", 0, 4, NAN),
    row("OpMatrixTimesMatrix 3x2", 0, 6, NAN),
    row("OpMatrixTimesMatrix 4x4", 0, 5, NAN),
    row("OpOuterProduct 3x2", 0, 1, NAN),
    row("MatrixInverse 2", 0, 44, NAN),
    row("Determinant 3", 0, 20, NAN),
    row("MatrixInverse 3", 0, 6, NAN),
    row("Determinant 4", 0, 50, NAN),
    row("MatrixInverse 4", 0, 40, NAN),
    row("switch in a loop, with continue as a case", 1000, 1000, SWITCH),
];
