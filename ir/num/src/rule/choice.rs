//! Fields of a rule that are one of several words, and records of such.

/// Declares a field type with its printed words; the words are also what model files and settings accept.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vmeta])* $variant),+ }

        impl $name {
            /// Every value, in printing order.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The words of [`Self::name`], in the same order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Spelling in model files, settings and listings.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Reads [`Self::name`].
            pub fn from_name(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)+ _ => None }
            }
        }
    };
}
pub(super) use words;

words! {
    /// Treatment of denormal operands or results.
    Denormals {
        /// Computed exactly.
        Keep = "keep",
        /// Replaced by zero of the same sign.
        Flush = "flush",
        /// Replaced by +0.
        FlushPositive = "flush-positive",
    }
}

words! {
    /// When a result counts as tiny, where results are flushed.
    Tininess {
        /// The exact result lies below the smallest normal number.
        Before = "before-rounding",
        /// The result rounded with unbounded exponent lies below the smallest normal number.
        After = "after-rounding",
    }
}

words! {
    /// Rounding direction.
    Round {
        /// To nearest, ties to even.
        NearestEven = "rne",
        /// To nearest, ties away from zero.
        NearestAway = "rna",
        /// Toward zero.
        Zero = "rtz",
        /// Toward +infinity.
        Up = "rup",
        /// Toward -infinity.
        Down = "rdn",
        /// Away from zero.
        Away = "raz",
    }
}

words! {
    /// Result beyond the largest finite number. Fixed point always clamps.
    Overflow {
        /// As IEEE 754: infinity or the largest number, by rounding direction.
        Ieee = "ieee",
        /// Always infinity.
        Infinity = "infinity",
        /// Always the largest finite number.
        Largest = "largest",
    }
}

words! {
    /// Result of an operation with a NaN operand.
    NanResult {
        /// The first NaN operand, quieted, payload kept.
        First = "first",
        /// The default NaN.
        Default = "default",
        /// An infinity with the sign of the last NaN operand (products: of both signs; differences: of the negated operand). No
        /// operation gives NaN then: what is invalid gives +infinity.
        Infinity = "infinity",
    }
}

words! {
    /// The default NaN, as a binary32 pattern (other formats: the same sign and the same fraction shape).
    NanBits {
        /// 0xffc00000: negative quiet, as x86 generates.
        NegativeQuiet = "ffc00000",
        /// 0x7fc00000: positive quiet.
        PositiveQuiet = "7fc00000",
        /// 0x7fffffff: positive, all fraction bits set.
        AllOnes = "7fffffff",
    }
}

words! {
    /// How comparisons, condition codes, MIN/MAX and conversion to fixed point read a NaN.
    NanCompare {
        /// Unordered.
        Unordered = "unordered",
        /// As infinity of the NaN's sign.
        Infinity = "infinity",
        /// Unordered, and unequal is false too.
        False = "false",
    }
}

words! {
    /// Zero times anything.
    ZeroMul {
        /// IEEE: 0 * inf and 0 * NaN are NaN, the sign of zero is the product of signs.
        Ieee = "ieee",
        /// +0, whatever the other factor is.
        Zero = "zero",
    }
}

words! {
    /// What a multiply-add gives where zero wins over the other factor.
    ZeroMulAdd {
        /// The sum of +0 and the addend.
        Add = "add",
        /// The addend as it is.
        Addend = "addend",
    }
}

words! {
    /// Zeros below zero.
    ZeroSign {
        /// -0 is a value.
        Keep = "keep",
        /// Operands and results that are -0 count as +0.
        Positive = "positive",
    }
}

words! {
    /// An infinite result, exact or by overflow.
    Infinite {
        /// It stays.
        Keep = "keep",
        /// The largest finite number of its sign.
        Largest = "largest",
        /// A zero of its sign.
        Zero = "zero",
    }
}

/// Multiply-add, also inside products of sums where the formula says "mad".
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mad {
    /// One rounding.
    Fused,
    /// The product is rounded to the format, then the sum.
    Separate,
    /// The product is truncated toward zero to this many significand bits, then added with one rounding.
    Truncated(u8),
    /// The same, but a zero addend makes it a product rounded to the format, then a sum.
    TruncatedUnlessZero(u8),
}

words! {
    /// The operation that is a fused multiply-add by name.
    Fma {
        /// One rounding.
        Fused = "fused",
        /// As the multiply-add: there is no other.
        Mad = "mad",
    }
}

words! {
    /// Formulas of the functions that shading languages have and units do not.
    Library {
        /// Those of Mesa 22.3.
        Mesa22 = "mesa-22.3",
        /// Those of Mesa 25.0.
        Mesa = "mesa",
        /// Those that Vulkan inherits the precision of a function from.
        Vulkan = "vulkan",
        /// Those of SwiftShader.
        Swiftshader = "swiftshader",
    }
}

words! {
    /// What a driver makes of a program's permission to compute a binary32 operation as a half.
    Relaxed {
        /// Nothing: it stays binary32.
        Ignore = "ignore",
        /// The operation is done on halves, between conversions.
        Half = "half",
    }
}

words! {
    /// How many invocations of a kernel are a subgroup.
    Subgroup {
        /// A quad.
        Four = "4",
        /// Eight.
        Eight = "8",
        /// Sixteen.
        Sixteen = "16",
        /// 32.
        ThirtyTwo = "32",
        /// 64.
        SixtyFour = "64",
        /// As many as a ballot has bits.
        Most = "128",
    }
}

impl Subgroup {
    /// Invocations.
    pub const fn width(self) -> u32 {
        match self {
            Subgroup::Four => 4,
            Subgroup::Eight => 8,
            Subgroup::Sixteen => 16,
            Subgroup::ThirtyTwo => 32,
            Subgroup::SixtyFour => 64,
            Subgroup::Most => 128,
        }
    }
}

words! {
    /// How the products of a dot product are added.
    DotOrder {
        /// ((p0 + p1) + p2) + p3.
        LeftToRight = "left-to-right",
        /// (p0 + p1) + (p2 + p3).
        Pairwise = "pairwise",
        /// ((p3 + p2) + p1) + p0, the addend of dp2a and the last term of dph first.
        RightToLeft = "right-to-left",
        /// As right to left, but dph adds its last term to p2, then p0, then p1.
        RightToLeftInner = "right-to-left;dph:z+w+x+y",
        /// The exact sum of exact products, rounded once.
        Exact = "exact",
    }
}

/// Dot product formula. The first product is rounded to the format; with `fused`, each later product enters the sum
/// through one fma (left-to-right order only, pairwise: the second product of each pair).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dot {
    /// Order of the additions.
    pub order: DotOrder,
    /// Whether later products are added with one rounding.
    pub fused: bool,
    /// Products that enter the sum rounded, and the addend, count as +0 where they are at most 2^-reach of the largest of them.
    pub reach: Option<u8>,
}

words! {
    /// Formula of lrp(a, b, c), a blend of b and c by a.
    Lrp {
        /// fma(a, b, (1 - a) * c), each step rounded.
        FmaBlend = "fma(a,b,(1-a)*c)",
        /// a*b + (1 - a) * c, each step rounded.
        Blend = "a*b+(1-a)*c",
        /// a * (b - c) + c, each step rounded, the last two as one `mad` of the rule.
        Difference = "a*(b-c)+c",
    }
}

words! {
    /// Value of MIN and MAX when an operand is NaN.
    MinMaxNan {
        /// The operand that is a number (both NaN: the first, quieted, or the default NaN, by `nan_result`).
        Number = "number",
        /// NaN.
        Nan = "nan",
        /// min: a < b ? a : b, max: a > b ? a : b, bits of the chosen operand: any NaN gives b.
        CompareB = "compare-b",
        /// min: a > b ? b : a, max: a > b ? a : b, bits of the chosen operand: a NaN gives a in min, b in max.
        CompareGreater = "compare-greater",
        /// min: a < b ? a : b, max: a >= b ? a : b, bits of the chosen operand.
        ComparePatent = "compare-lt-ge",
        /// min: b is NaN or a < b ? a : b, max likewise; where one is NaN the bits of a are handed on as they are, denormals too.
        CompareBIsNan = "compare-b-or-nan",
        /// A total order: a negative NaN is below everything, a positive one above; bits of the chosen operand.
        Ordered = "ordered",
    }
}

words! {
    /// MIN and MAX of +0 and -0 (only with `MinMaxNan::Number`, `Nan` and `Ordered`; the compare forms say it themselves).
    MinMaxZero {
        /// -0 counts as less than +0.
        Ordered = "ordered",
        /// They are equal, and equal operands give the second.
        Second = "second",
        /// They are equal, and equal operands give the first.
        First = "first",
    }
}

words! {
    /// Clamp asked for by the instruction, applied to the rounded result.
    Saturate {
        /// None.
        None = "none",
        /// To [0, 1].
        Unsigned = "unsigned",
        /// To [-1, 1].
        Signed = "signed",
    }
}

words! {
    /// What a clamp makes of NaN.
    SatNan {
        /// +0.
        Zero = "zero",
        /// 1.
        One = "one",
        /// NaN stays.
        Keep = "keep",
    }
}

words! {
    /// What a clamp makes of -0.
    SatZero {
        /// -0 stays: it is neither below 0 nor above 1.
        Keep = "keep",
        /// +0.
        Positive = "positive",
    }
}

words! {
    /// What a clamp makes of a denormal number.
    SatDenorm {
        /// It stays.
        Keep = "keep",
        /// A zero of its sign.
        Flush = "flush",
    }
}

words! {
    /// Float to integer out of range.
    ToInt {
        /// Clamp to the integer's range; NaN gives 0.
        Saturate = "saturate",
        /// Signed: the least integer for anything that does not fit. Unsigned 32-bit: the low word of the value as a
        /// signed 64-bit integer, 0 beyond that. Unsigned 64-bit: 0 for anything that does not fit.
        Indefinite = "indefinite",
        /// Signed: the least integer for anything that does not fit; unsigned: all ones.
        AllOnes = "all-ones",
        /// 0 for NaN and for anything that does not fit, but the least integer (unsigned: the same bits) for the largest finite
        /// number of either sign, if that does not fit.
        Zero = "zero",
        /// Clamp to the largest and least value of the operand's format inside the integer's range; NaN gives 0.
        SaturateFloat = "saturate-float",
    }
}

words! {
    /// Reciprocal square root below zero.
    RsqNegative {
        /// Negative numbers give NaN, -0 gives -infinity.
        Nan = "nan",
        /// The magnitude is used, -0 included.
        Magnitude = "magnitude",
        /// The magnitude is used, but -0 gives NaN.
        MagnitudeNotZero = "magnitude-not-zero",
    }
}

words! {
    /// Square root below zero.
    SqrtNegative {
        /// NaN; -0 stays.
        Nan = "nan",
        /// The magnitude is used; -0 stays.
        Magnitude = "magnitude",
    }
}

words! {
    /// Reciprocal and reciprocal square root of -0.
    RcpZero {
        /// As the rest of the rule says: -infinity.
        Signed = "signed",
        /// +infinity.
        Positive = "positive",
    }
}

words! {
    /// Formula of the reciprocal; each step is rounded. `r` is the reciprocal in one step, as exact as the rule's accuracy says.
    Rcp {
        /// r itself.
        Direct = "direct",
        /// One step of Newton's method.
        Newton = "r*(2-a*r)",
    }
}

words! {
    /// Where a function of a format narrower than binary32 is computed.
    ComputedIn {
        /// In the format itself: rounded once.
        Own = "own",
        /// In binary32, denormals kept, and then rounded to the format.
        F32 = "f32",
    }
}

words! {
    /// Denormal operands of MIN and MAX, where the rule flushes denormals.
    MinMaxDenorm {
        /// They are zeros, in the comparison and as results.
        Result = "result",
        /// They count as zeros in the comparison; the chosen operand is handed on as it is.
        Operand = "operand",
    }
}

words! {
    /// Fraction of a tiny negative number.
    FracOne {
        /// The difference is rounded like any other, and may be 1.
        Allowed = "allowed",
        /// At most the largest number below 1.
        Below = "below",
    }
}

words! {
    /// A NaN from the second operand of a difference, where NaN operands are passed on.
    SubNan {
        /// Its sign stays.
        Operand = "operand",
        /// Its sign is flipped: a - b is a + (-b).
        Negated = "negated",
    }
}

words! {
    /// Results that are exact under every probe (see [`Accuracy`](super::Accuracy)).
    FixedPoints {
        /// The usual points at 0, 1 and -1.
        Unit = "unit",
        /// These, and all powers of two: rcp and log2 of one, rsq of an even one, exp2 of an integer.
        Powers = "powers",
        /// None but those of `pow`.
        None = "none",
    }
}

words! {
    /// Logarithm of what has none.
    LogSpecial {
        /// -infinity, infinity, and what `log_negative` says.
        Ieee = "ieee",
        /// A finite number, as if the exponent field were an exponent: zero gives one less than the least exponent, infinity and
        /// NaN one more than the largest; below zero the magnitude is used.
        Finite = "finite",
        /// As `ieee`, but infinity gives the largest exponent of the format: 127 in binary32.
        LargestExponent = "ieee;inf=largest-exponent",
        /// As `ieee`, but zeros give the least finite number.
        LeastOfZero = "ieee;0=-largest",
    }
}

words! {
    /// Formula of a quotient; each step is rounded.
    Div {
        /// In one step, as exact as the rule's accuracy says.
        Direct = "direct",
        /// The reciprocal of the divisor, times the dividend.
        TimesRcp = "a*rcp(b)",
    }
}

words! {
    /// 0^0 in the specular term of LIT.
    ZeroPowZero {
        /// 1.
        One = "true",
        /// NaN.
        Nan = "false",
        /// 0, as every power of a zero base is.
        Zero = "zero",
    }
}

words! {
    /// Logarithm below zero.
    LogNegative {
        /// NaN; both zeros give -infinity.
        Nan = "nan",
        /// The sign is ignored.
        Magnitude = "magnitude",
    }
}

words! {
    /// Formula of the reciprocal square root of a positive number; each step is rounded.
    Rsq {
        /// In one step, as exact as the rule's accuracy says.
        Direct = "direct",
        /// One divided by the root.
        ReciprocalOfRoot = "1/sqrt(a)",
        /// The root of the reciprocal.
        RootOfReciprocal = "sqrt(1/a)",
        /// One step of Newton's method from r, the root in one step, as exact as the rule's accuracy says.
        Newton = "r*(1.5-0.5*(a*(r*r)))",
    }
}

words! {
    /// Formula of the base-2 logarithm of a positive number; each step is rounded.
    Log2 {
        /// In one step, as exact as the rule's accuracy says.
        Direct = "direct",
        /// The natural logarithm, times log2(e) rounded to the format.
        LnTimesLog2E = "ln(a)*log2(e)",
    }
}

words! {
    /// pow(a, b).
    Pow {
        /// The C function: pow(x, 0) = 1, pow(1, NaN) = 1, negative bases with integer exponents.
        C = "c",
        /// exp2(b * log2(a)), the product rounded to the format, with the rule's own exp2 and log2 special values.
        ExpLog = "exp2(b*log2(a))",
        /// As ExpLog, but 0^0 = 1.
        ExpLogOne = "exp2(b*log2(a));0^0=1",
        /// As ExpLog, but a base that is zero or NaN gives +0.
        ExpLogZero = "exp2(b*log2(a));0^b=0",
    }
}

words! {
    /// Formula of the square root; each step is rounded.
    Sqrt {
        /// In one step, as exact as the rule's accuracy says.
        Direct = "direct",
        /// The reciprocal of the reciprocal square root.
        ReciprocalOfRsq = "rcp(rsq(a))",
        /// The operand times its reciprocal square root; 0 and infinity give themselves.
        TimesRsq = "a*rsq(a)",
    }
}

words! {
    /// Function unit whose data path is known to the bit. Operands and results are binary32; other formats convert.
    Unit {
        /// None: a result is the exact value, as exact as the rule's accuracy says.
        None = "none",
        /// The special function unit of NVIDIA's SM 5.0 to 7.5: tables and quadratic interpolation.
        NvSfu = "nv-sfu",
        /// The polynomials of Mesa's gallivm, in binary32 steps that flush denormals: exp2, log2, sin and cos.
        Gallivm = "gallivm",
        /// The polynomials of SwiftShader as Chromium builds it, in binary32 steps that flush denormals: exp2, log2, sin and cos.
        Swiftshader = "swiftshader",
    }
}

words! {
    /// Unit of the angle that a sine or cosine is taken of.
    AngleUnit {
        /// Radians.
        Radians = "radians",
        /// Turns: 1 is 2 pi.
        Turns = "turns",
        /// Half turns: 1 is pi.
        HalfTurns = "half-turns",
    }
}

words! {
    /// What is done to an angle before its sine is taken; each step is rounded.
    AngleFold {
        /// Nothing.
        None = "none",
        /// x - floor(x).
        Fract = "fract",
        /// fract(x + 1/2) - 1/2.
        FractHalf = "fract-half",
        /// fract(x + 1/2) * 2 pi - pi, in radians again.
        FractHalfRadians = "fract-half-radians",
        /// x - rint(x), an odd number of half turns negating the result; cosine adds 1/2 first and is a sine from there on.
        Rint = "rint",
    }
}

words! {
    /// A texture unit whose data path is known.
    TextureUnit {
        /// What the other fields say.
        None = "none",
        /// Mesa's gallivm: images of bytes are blended in integers.
        Gallivm = "gallivm",
        /// SwiftShader's: coordinates are wrapped before they are scaled, nearest texels of bytes are looked up in 16 bits.
        SwiftShader = "swiftshader",
    }
}

words! {
    /// Numbers that lookups of images of normalised bytes give.
    TexelResult {
        /// Those of binary32.
        Binary32 = "binary32",
        /// Bytes again, the nearest, half up, divided by 255.
        Unorm8 = "unorm8",
        /// Halves, to nearest even.
        Half = "f16",
    }
}

words! {
    /// Numbers of the codes of sRGB.
    SrgbDecode {
        /// The binary32 next to the curve.
        Nearest = "nearest",
        /// The 4095th next to the curve, rounded to binary32.
        Table4095 = "table-4095",
        /// The 65280th next to the curve, times the binary32 next to 1/65280.
        Table65280 = "table-65280",
        /// gallivm's: a line up to code 15, a polynomial above.
        Polynomial = "polynomial",
    }
}

words! {
    /// What the reference value of a comparison becomes where texels are depths in fewer bits than binary32.
    CompareReference {
        /// Nothing.
        Binary32 = "binary32",
        /// It is clamped to 0 and 1.
        Clamped = "clamped",
        /// It is rounded to the depth's format as well, half up, like a depth that is written.
        Quantised = "quantised",
    }
}

words! {
    /// Texels that are blended where a lookup comes to an edge of a cube's face.
    CubeEdges {
        /// Those of the face alone: its edge goes on.
        Clamped = "clamped",
        /// Those of the neighbouring face, and for the one that no corner has the mean of the three around it.
        Seamless = "seamless",
    }
}

words! {
    /// Which axis is the major one of a direction with equal components.
    CubeFace {
        /// x before y before z.
        Xyz = "x-y-z",
        /// z before y before x.
        Zyx = "z-y-x",
    }
}

words! {
    /// Whose steps from pixel to pixel give a level of detail.
    LevelSteps {
        /// Those of the quad's first pixel, for all four: to the right in its row, down in its column.
        Quad = "quad",
        /// The same, but for cubes, where each pixel has its own.
        Cubes = "pixel-on-cubes",
        /// Each pixel's own: within its row and its column of the quad.
        Pixel = "pixel",
    }
}

words! {
    /// The layer of an array that a number names.
    LayerRound {
        /// floor(layer + 0.5), the sum rounded to binary32.
        HalfUp = "half-up",
        /// The nearest integer, ties to even.
        NearestEven = "nearest-even",
        /// The integer below.
        Floor = "floor",
    }
}

/// The specular term of LIT: z = x > 0 ? max(y, 0)^clamp(w) : 0. The power is C's, or the rule's `pow`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LitRule {
    /// The exponent is clamped to plus and minus this, as a binary32 pattern; `None`: not clamped.
    pub clamp: Option<u32>,
    /// max(y, 0) and max(x, 0) by `v < 0 ? 0 : v`, so that NaN stays; otherwise NaN becomes 0.
    pub keep_nan: bool,
    /// Clamping a NaN exponent gives the upper bound; otherwise NaN stays.
    pub nan_clamps: bool,
    /// 0^0.
    pub zero_pow_zero: ZeroPowZero,
    /// A NaN x counts as lit, as in 0 >= x ? 0 : power; otherwise z is 0 there.
    pub nan_lights: bool,
}
