//! The rule record: everything that decides the bits of one operation.

mod accuracy;
mod choice;
mod fixed;
mod rewrite;
mod texture;
mod trig;

pub use accuracy::{Accuracy, Probe};
pub use choice::*;
pub use fixed::{
    AlphaTested, BlendArithmetic, ColorAttribute, FixedFunctions, Interpolation, MediumpAttribute, RasterRule,
    StoreFloat, StoreUnorm, TargetRule,
};
pub use rewrite::{Rewrite, RewriteInfo, Rewrites};
pub use texture::{Grid, TextureRule};
pub use trig::Trig;

use crate::{Decl, Format, StepRules, Storage};

/// Everything that decides the bits of one operation under one slot. A plain record: no field refers to another
/// record, and two rules with equal fields behave equally. Fields that an operation does not look at are left at
/// their defaults by the binder, so equal behaviour means equal records.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rule {
    /// Values the result is rounded to.
    pub format: Format,
    /// Container of the result, and of float operands; holds every value of `format`.
    pub storage: Storage,
    /// Container of the float operand of a conversion (`cvt`); equal to `storage` for every other operation.
    pub source: Storage,
    /// Format the program believes in: the format of literals, packed words and observed bits.
    pub decl: Decl,
    /// Rounding direction.
    pub round: Round,
    /// Denormal operands (denormal in `format`; `unpack.half`: denormal halves).
    pub denorm_in: Denormals,
    /// Denormal results (`pack.half2`: denormal halves). A format without denormals flushes them in any case.
    pub denorm_out: Denormals,
    /// Tininess test, where results are flushed.
    pub tininess: Tininess,
    /// Overflow. A format without infinities clamps to its largest number whatever this says.
    pub overflow: Overflow,
    /// NaN operands. Where the format has no NaN, a NaN result is its largest number; fixed point: see `nan_compare`.
    pub nan_result: NanResult,
    /// Whether a NaN that is handed on is quieted. Every operation does so; reading a word does not.
    pub quiets: bool,
    /// The default NaN.
    pub nan_bits: NanBits,
    /// NaN in comparisons and conversions.
    pub nan_compare: NanCompare,
    /// Zero times anything.
    pub zero_mul: ZeroMul,
    /// Multiply-add where zero wins.
    pub zero_mul_add: ZeroMulAdd,
    /// Zeros below zero.
    pub zero_sign: ZeroSign,
    /// Infinite results.
    pub infinite: Infinite,
    /// NaN from the second operand of a difference.
    pub sub_nan: SubNan,
    /// Fraction of a tiny negative number.
    pub frac_one: FracOne,
    /// Multiply-add.
    pub mad: Mad,
    /// The fused multiply-add.
    pub fma: Fma,
    /// Dot products.
    pub dot: Dot,
    /// Linear interpolation.
    pub lrp: Lrp,
    /// Specular term.
    pub lit: LitRule,
    /// MIN and MAX with NaN.
    pub minmax_nan: MinMaxNan,
    /// MIN and MAX of zeros.
    pub minmax_zero: MinMaxZero,
    /// MIN and MAX of denormals.
    pub minmax_denorm: MinMaxDenorm,
    /// Clamp of the result.
    pub saturate: Saturate,
    /// Clamp of NaN.
    pub sat_nan: SatNan,
    /// Clamp of -0.
    pub sat_zero: SatZero,
    /// Clamp of a denormal.
    pub sat_denorm: SatDenorm,
    /// Result scale 2^scale, before clamping.
    pub scale: i8,
    /// Whether the result is rounded once after scaling (true) or before and after (false).
    pub scale_once: bool,
    /// Float to integer.
    pub to_int: ToInt,
    /// Reciprocal square root below zero.
    pub rsq_negative: RsqNegative,
    /// Formula of the reciprocal square root.
    pub rsq: Rsq,
    /// Formula of the square root.
    pub sqrt: Sqrt,
    /// Square root below zero.
    pub sqrt_negative: SqrtNegative,
    /// Reciprocals of -0.
    pub rcp_zero: RcpZero,
    /// Formula of the reciprocal.
    pub rcp: Rcp,
    /// Formula of the quotient.
    pub div: Div,
    /// Logarithm of what has none.
    pub log_special: LogSpecial,
    /// Logarithm below zero.
    pub log_negative: LogNegative,
    /// Formula of the base-2 logarithm.
    pub log2: Log2,
    /// Power.
    pub pow: Pow,
    /// Fixed point: exact wide intermediates with one rounding and clamp (true), or one per step.
    pub fixed_wide: bool,
    /// Rounding of the integers in fixed-point packs.
    pub pack_round: Round,
    /// Argument reduction of sine and cosine.
    pub trig: Trig,
    /// Function unit.
    pub unit: Unit,
    /// Whether the multiply-adds inside the function unit round once.
    pub unit_fused: bool,
    /// Where functions of narrow formats are computed.
    pub computed_in: ComputedIn,
    /// What the driver makes of a program before the unit runs it; no operation by itself looks at it.
    pub driver: Rewrites,
    /// What the driver makes of functions that the unit does not have; no operation by itself looks at it.
    pub library: Library,
    /// What becomes of operations that may be done on halves ([`Decl::Mediump`]).
    pub relaxed: Relaxed,
    /// Invocations of a subgroup of a kernel.
    pub subgroup: Subgroup,
    /// What the texture unit does; bound lookups carry it, no operation by itself looks at it.
    pub texture: TextureRule,
    /// What fixed functions do around a shader; a bound shader carries it, no operation looks at it.
    pub fixed: FixedFunctions,
    /// Recipe accuracy.
    pub accuracy: Accuracy,
    /// Results that no probe moves.
    pub fixed_points: FixedPoints,
    /// Whether probes keep sine and cosine inside [-1, 1].
    pub trig_clamp: bool,
    /// Choice inside a bound.
    pub probe: Probe,
    /// Rules of the operations that the formula is made of.
    pub steps: StepRules,
}

impl Rule {
    /// The `ieee` rule of `decl` computed in `format`: every operation correctly rounded, mad fused, denormals kept,
    /// NaN as x86 has it.
    pub const fn ieee(decl: Decl, format: Format) -> Rule {
        Rule {
            format,
            storage: format.storage(),
            source: format.storage(),
            decl,
            round: Round::NearestEven,
            denorm_in: Denormals::Keep,
            denorm_out: Denormals::Keep,
            tininess: Tininess::After,
            overflow: Overflow::Ieee,
            nan_result: NanResult::First,
            quiets: true,
            nan_bits: NanBits::NegativeQuiet,
            nan_compare: NanCompare::Unordered,
            zero_mul: ZeroMul::Ieee,
            zero_mul_add: ZeroMulAdd::Add,
            zero_sign: ZeroSign::Keep,
            infinite: Infinite::Keep,
            sub_nan: SubNan::Operand,
            frac_one: FracOne::Allowed,
            mad: Mad::Fused,
            fma: Fma::Fused,
            dot: Dot { order: DotOrder::LeftToRight, fused: true, reach: None },
            lrp: Lrp::FmaBlend,
            lit: LitRule {
                clamp: None,
                keep_nan: false,
                nan_clamps: true,
                zero_pow_zero: ZeroPowZero::One,
                nan_lights: false,
            },
            minmax_nan: MinMaxNan::Number,
            minmax_zero: MinMaxZero::Ordered,
            minmax_denorm: MinMaxDenorm::Result,
            saturate: Saturate::None,
            sat_nan: SatNan::Zero,
            sat_zero: SatZero::Keep,
            sat_denorm: SatDenorm::Keep,
            scale: 0,
            scale_once: true,
            to_int: ToInt::Saturate,
            rsq_negative: RsqNegative::Nan,
            rsq: Rsq::Direct,
            sqrt: Sqrt::Direct,
            sqrt_negative: SqrtNegative::Nan,
            rcp_zero: RcpZero::Signed,
            rcp: Rcp::Direct,
            div: Div::Direct,
            log_special: LogSpecial::Ieee,
            log_negative: LogNegative::Nan,
            log2: Log2::Direct,
            pow: Pow::C,
            fixed_wide: true,
            pack_round: Round::NearestEven,
            trig: Trig::RADIANS,
            unit: Unit::None,
            unit_fused: true,
            computed_in: ComputedIn::Own,
            driver: Rewrites::NONE,
            library: Library::Mesa,
            relaxed: Relaxed::Ignore,
            subgroup: Subgroup::Four,
            texture: TextureRule::IEEE,
            fixed: FixedFunctions::IEEE,
            accuracy: Accuracy::Correct,
            fixed_points: FixedPoints::Unit,
            trig_clamp: false,
            probe: Probe::Nearest,
            steps: StepRules::OWN,
        }
    }
}
