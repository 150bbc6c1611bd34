//! The fields of a rule as one table: names, meanings, accepted values, access, and which operations look at them.
//!
//! Listings, model files, settings on the command line, differences and the documentation are all read from
//! [`Field::ALL`]; the binder uses it to reset what an operation does not look at and to find the trust tier.

use crate::reads::{self, is_fixed, is_float};
use crate::{
    Accuracy, AlphaTested, BlendArithmetic, ColorAttribute, CompareReference, ComputedIn, CubeEdges, CubeFace,
    Denormals, Div, DotOrder, Family, FixedPoints, Fma, Format, FracOne, Grid, Infinite, Interpolation, LayerRound,
    LevelSteps, Library, Log2, LogNegative, LogSpecial, Lrp, Mad, MediumpAttribute, MinMaxDenorm, MinMaxNan,
    MinMaxZero, NanBits, NanCompare, NanResult, Op, Overflow, Pow, Probe, Rcp, RcpZero, Relaxed, Rewrites, Round, Rsq,
    RsqNegative, Rule, SatDenorm, SatNan, SatZero, Sqrt, SqrtNegative, SrgbDecode, StepRules, StoreFloat, StoreUnorm,
    SubNan, Subgroup, TexelResult, TextureUnit, Tininess, ToInt, Trig, Unit, ZeroMul, ZeroMulAdd, ZeroPowZero,
    ZeroSign,
};

/// What may be written for a field.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// One of these words.
    Words(&'static [&'static str]),
    /// A pattern: a sentence that describes it, and examples.
    Pattern(&'static str, &'static [&'static str]),
}

/// One field of a rule that a model can set.
#[derive(Debug)]
pub struct Field {
    /// Name in model files, settings and listings.
    pub name: &'static str,
    /// One line of meaning.
    pub doc: &'static str,
    /// Accepted values.
    pub values: Values,
    /// Which operations can look at it, under some slot.
    concerns: fn(Op) -> bool,
    /// Whether an operation it concerns looks at it, given the rest of the rule.
    when: fn(Op, &Rule) -> bool,
    get: fn(&Rule) -> String,
    set: fn(&mut Rule, &str) -> bool,
    copy: fn(&mut Rule, &Rule),
}

macro_rules! word {
    ($name:literal, $doc:literal, $ty:ident, $($path:ident).+, $concerns:expr, $when:expr) => {
        Field {
            name: $name,
            doc: $doc,
            values: Values::Words($ty::WORDS),
            concerns: $concerns,
            when: $when,
            get: |r| r.$($path).+.name().to_string(),
            set: |r, word| $ty::from_name(word).map(|v| r.$($path).+ = v).is_some(),
            copy: |r, from| r.$($path).+ = from.$($path).+,
        }
    };
}

macro_rules! flag {
    ($name:literal, $doc:literal, $($path:ident).+, $concerns:expr, $when:expr) => {
        Field {
            name: $name,
            doc: $doc,
            values: Values::Words(&["false", "true"]),
            concerns: $concerns,
            when: $when,
            get: |r| r.$($path).+.to_string(),
            set: |r, word| word.parse().map(|v: bool| r.$($path).+ = v).is_ok(),
            copy: |r, from| r.$($path).+ = from.$($path).+,
        }
    };
}

/// What may be written for a [`Grid`].
const GRIDS: Values = Values::Pattern(
    "binary32, or a rounding direction (rne, rna, rtz, rup, rdn, raz) and the number of fraction bits, 1 to 15",
    &["binary32", "rne8", "rtz8", "rdn8", "rne6"],
);

/// Places that numbers of texture lookups are rounded to.
macro_rules! grid {
    ($name:literal, $doc:literal, $path:ident) => {
        Field {
            name: $name,
            doc: $doc,
            values: GRIDS,
            concerns: is_asked_once,
            when: |_, _| false,
            get: |r| r.texture.$path.to_string(),
            set: |r, word| Grid::from_name(word).map(|v| r.texture.$path = v).is_some(),
            copy: |r, from| r.texture.$path = from.texture.$path,
        }
    };
}

/// What is a matter of programs, or of lookups, is asked under an operation that every slot has.
fn is_asked_once(op: Op) -> bool {
    op == Op::Add
}

/// A static, since closures of a constant are compiled in each crate that uses it.
static FIELDS: [Field; 78] = [
    Field {
        name: "format",
        doc: "Values that results are rounded to. Set for all operations of a slot it also chooses the container; set \
                  for some, it must fit that container.",
        values: Values::Pattern(
            "a format: f16 f32 f64 bf16 tf32 fp24 fx12 fx9, float(1.EXP.FRAC) with optional no-denormals, nan-only, \
                 no-specials, or fixed(INT.FRAC)",
            &["f32", "fp24", "float(1.7.16 no-denormals)", "fixed(2.10)"],
        ),
        concerns: |op| op.has_slot() && !matches!(op, Op::Neg | Op::Abs | Op::Funo) && !reads::truncates(op),
        when: |_, _| true,
        get: |r| r.format.to_string(),
        set: |r, word| Format::from_name(word).map(|v| r.format = v).is_some(),
        copy: |r, from| r.format = from.format,
    },
    word!("round", "Rounding direction of results.", Round, round, reads::rounded, reads::rounds),
    word!(
        "denorm_in",
        "Denormal operands: kept, or replaced by zero before the operation.",
        Denormals,
        denorm_in,
        reads::reads_denormals,
        reads::can_read_denormals
    ),
    word!(
        "denorm_out",
        "Denormal results: kept, or replaced by zero. A format without denormals loses them in any case.",
        Denormals,
        denorm_out,
        reads::ranged,
        reads::can_be_tiny
    ),
    word!(
        "tininess",
        "When a result counts as denormal, where denormal results are flushed: before or after rounding.",
        Tininess,
        tininess,
        reads::nearly_tiny,
        reads::tests_tininess
    ),
    word!(
        "overflow",
        "Results beyond the largest finite number. Fixed point always clamps.",
        Overflow,
        overflow,
        reads::ranged,
        reads::can_overflow
    ),
    word!(
        "nan_result",
        "Result of an operation with a NaN operand.",
        NanResult,
        nan_result,
        reads::passes_nan,
        reads::keeps_nan
    ),
    word!(
        "nan_bits",
        "The default NaN, as a binary32 pattern; other formats have the same sign and fraction shape.",
        NanBits,
        nan_bits,
        reads::gives_nan,
        reads::shows_default_nan
    ),
    word!(
        "nan_compare",
        "How comparisons, condition codes, min, max and fixed-point results treat a NaN.",
        NanCompare,
        nan_compare,
        reads::orders_nan,
        reads::can_order_nan
    ),
    word!(
        "zero_mul",
        "Zero times anything: as in IEEE 754, or always +0.",
        ZeroMul,
        zero_mul,
        reads::multiplies,
        reads::multiplies_floats
    ),
    word!(
        "zero_mul_add",
        "Multiply-add where zero wins over the other factor: +0 is added, or the addend is the result.",
        ZeroMulAdd,
        zero_mul_add,
        reads::adds_products,
        |op, r| r.zero_mul_add != ZeroMulAdd::Add && r.zero_mul == ZeroMul::Zero && is_float(op, r)
    ),
    word!(
        "zero_sign",
        "Operands and results that are -0: kept, or +0.",
        ZeroSign,
        zero_sign,
        reads::has_signed_zero,
        |op, r| r.zero_sign != ZeroSign::Keep && is_float(op, r)
    ),
    word!(
        "infinite",
        "Infinite results, exact or by overflow: kept, or replaced by the largest number or zero of their sign.",
        Infinite,
        infinite,
        reads::clampable,
        |op, r| r.infinite != Infinite::Keep && is_float(op, r)
    ),
    word!(
        "sub_nan",
        "Sign of a NaN that is the second operand of sub, where NaN operands are passed on.",
        SubNan,
        sub_nan,
        |op| op == Op::Sub,
        |op, r| r.sub_nan != SubNan::Operand && reads::keeps_nan(op, r)
    ),
    word!(
        "frac_one",
        "frac of tiny negative numbers: rounded like any difference, perhaps to 1, or at most the largest number below 1.",
        FracOne,
        frac_one,
        |op| op == Op::Frac,
        |op, r| r.frac_one != FracOne::Allowed && is_float(op, r)
    ),
    Field {
        name: "mad",
        doc: "Multiply-add: one rounding, product and sum rounded separately, or the product truncated toward zero to \
                  a number of significand bits before the sum.",
        values: Values::Pattern(
            "fused, separate, truncated:BITS, or truncated:BITS;separate-at-0 where a zero addend makes it separate, with 2 to \
                 106 bits",
            &["fused", "separate", "truncated:24", "truncated:24;separate-at-0"],
        ),
        concerns: |op| matches!(op, Op::Mad | Op::Lrp | Op::Fma),
        when: reads::chains_mad,
        get: |r| match r.mad {
            Mad::Fused => "fused".to_string(),
            Mad::Separate => "separate".to_string(),
            Mad::Truncated(bits) => format!("truncated:{bits}"),
            Mad::TruncatedUnlessZero(bits) => format!("truncated:{bits};separate-at-0"),
        },
        set: |r, word| {
            let value = match word {
                "fused" => Some(Mad::Fused),
                "separate" => Some(Mad::Separate),
                _ => word.strip_prefix("truncated:").and_then(|rest| {
                    let (bits, unless_zero) = match rest.strip_suffix(";separate-at-0") {
                        Some(bits) => (bits, true),
                        None => (rest, false),
                    };
                    let bits = bits.parse().ok().filter(|n| (2..=106).contains(n))?;
                    Some(if unless_zero { Mad::TruncatedUnlessZero(bits) } else { Mad::Truncated(bits) })
                }),
            };
            value.map(|v| r.mad = v).is_some()
        },
        copy: |r, from| r.mad = from.mad,
    },
    word!(
        "fma",
        "The fused multiply-add: one rounding, or the same as the multiply-add if the unit has no other.",
        Fma,
        fma,
        |op| op == Op::Fma,
        |op, r| r.fma != Fma::Fused && is_float(op, r)
    ),
    word!(
        "dot_order",
        "Order in which the products of a dot product are added.",
        DotOrder,
        dot.order,
        reads::sums_products,
        reads::steps
    ),
    flag!(
        "dot_fused",
        "Whether the products after the first enter the sum of a dot product with one rounding.",
        dot.fused,
        reads::sums_products,
        reads::fuses_dot
    ),
    Field {
        name: "dot_reach",
        doc: "Terms of a dot product that are so much smaller than the largest, or more, are lost before the sum, where products \
                  are rounded by themselves.",
        values: Values::Pattern("none, or 2^-N with N from 1 to 60", &["none", "2^-25"]),
        concerns: reads::sums_products,
        when: |op, r| r.dot.reach.is_some() && !r.dot.fused && reads::fuses_dot(op, r),
        get: |r| r.dot.reach.map_or("none".to_string(), |bits| format!("2^-{bits}")),
        set: |r, word| {
            let bits = word.strip_prefix("2^-").and_then(|bits| bits.parse().ok()).filter(|n| (1..=60).contains(n));
            if bits.is_some() || word == "none" {
                r.dot.reach = bits;
            }
            bits.is_some() || word == "none"
        },
        copy: |r, from| r.dot.reach = from.dot.reach,
    },
    word!("lrp", "Formula of lrp(a, b, c).", Lrp, lrp, |op| op == Op::Lrp, reads::steps),
    Field {
        name: "lit_clamp",
        doc: "Bound, plus and minus, to which the exponent of the specular term is clamped: the nearest number that the format has.",
        values: Values::Pattern("none, or a positive number", &["none", "128", "127.99609375"]),
        concerns: |op| op == Op::LitZ,
        when: |_, _| true,
        get: |r| match r.lit.clamp {
            None => "none".to_string(),
            Some(bits) => f32::from_bits(bits).to_string(),
        },
        set: |r, word| {
            if word == "none" {
                r.lit.clamp = None;
                return true;
            }
            match word.parse::<f32>() {
                Ok(v) if v.is_finite() && v > 0.0 => {
                    r.lit.clamp = Some(v.to_bits());
                    true
                }
                _ => false,
            }
        },
        copy: |r, from| r.lit.clamp = from.lit.clamp,
    },
    flag!(
        "lit_keep_nan",
        "Whether max(x, 0) and max(y, 0) of lit keep a NaN (v < 0 ? 0 : v); otherwise NaN becomes 0.",
        lit.keep_nan,
        |op| matches!(op, Op::LitY | Op::LitZ),
        is_float
    ),
    flag!(
        "lit_nan_clamps",
        "Whether clamping a NaN exponent of lit gives the upper bound; otherwise NaN stays.",
        lit.nan_clamps,
        |op| op == Op::LitZ,
        |op, r| is_float(op, r) && r.lit.clamp.is_some()
    ),
    word!(
        "lit_zero_pow_zero",
        "0^0 in the specular term: 1 (true), NaN (false), or 0 as every power of a zero base (zero).",
        ZeroPowZero,
        lit.zero_pow_zero,
        |op| op == Op::LitZ,
        |_, _| true
    ),
    flag!(
        "lit_nan_lights",
        "Whether a NaN x of lit computes the power (0 >= x ? 0 : power); otherwise the specular term is 0 there.",
        lit.nan_lights,
        |op| op == Op::LitZ,
        is_float
    ),
    word!(
        "minmax_nan",
        "min and max when an operand is NaN; the compare forms also decide between zeros.",
        MinMaxNan,
        minmax_nan,
        |op| matches!(op, Op::Min | Op::Max),
        is_float
    ),
    word!(
        "minmax_zero",
        "min and max of +0 and -0, unless minmax_nan is a compare form.",
        MinMaxZero,
        minmax_zero,
        |op| matches!(op, Op::Min | Op::Max),
        reads::compares_minmax
    ),
    word!(
        "minmax_denorm",
        "Denormal operands of min and max, where denormals are flushed: zeros also as results, or handed on as they are when \
             chosen.",
        MinMaxDenorm,
        minmax_denorm,
        |op| matches!(op, Op::Min | Op::Max),
        |op, r| r.minmax_denorm != MinMaxDenorm::Result
            && is_float(op, r)
            && (r.denorm_in != Denormals::Keep || r.denorm_out != Denormals::Keep)
    ),
    word!("sat_nan", "Result of clamping NaN.", SatNan, sat_nan, reads::clampable_nan, reads::clamps_nan),
    word!("sat_zero", "Result of clamping -0.", SatZero, sat_zero, reads::clampable_zero, reads::clamps_zero),
    word!("sat_denorm", "Result of clamping a denormal.", SatDenorm, sat_denorm, reads::clampable, |op, r| r
        .sat_denorm
        != SatDenorm::Keep
        && reads::clamps(op, r)),
    flag!(
        "scale_once",
        "Result scale of the instruction: rounded once after scaling, otherwise before and after.",
        scale_once,
        reads::clampable,
        |_, r| r.scale != 0
    ),
    word!(
        "to_int",
        "Float to integer beyond the integer's range.",
        ToInt,
        to_int,
        |op| op.info().family == Family::ToInt,
        |_, _| true
    ),
    word!(
        "rsq_negative",
        "Reciprocal square root below zero.",
        RsqNegative,
        rsq_negative,
        |op| matches!(op, Op::Rsq | Op::Sqrt | Op::Nrm),
        // A bound may move a sum of squares below zero, and a NaN may become a negative infinity.
        |op, r| match op {
            Op::Rsq => true,
            Op::Nrm => is_float(op, r) && (r.accuracy != Accuracy::Correct || r.nan_result == NanResult::Infinity),
            _ => reads::takes_rsq(op, r),
        }
    ),
    word!(
        "rsq",
        "Formula of the reciprocal square root; r is the root in one step.",
        Rsq,
        rsq,
        reads::roots,
        reads::takes_rsq
    ),
    word!("sqrt", "Formula of the square root.", Sqrt, sqrt, |op| op == Op::Sqrt, |op, r| {
        r.sqrt != Sqrt::Direct && is_float(op, r)
    }),
    word!("sqrt_negative", "Square root below zero.", SqrtNegative, sqrt_negative, |op| op == Op::Sqrt, |op, r| {
        r.sqrt_negative != SqrtNegative::Nan && (r.sqrt == Sqrt::Direct || is_fixed(op, r))
    }),
    word!(
        "rcp_zero",
        "Reciprocal and reciprocal square root of -0.",
        RcpZero,
        rcp_zero,
        |op| matches!(op, Op::Rcp | Op::Rsq | Op::Sqrt | Op::Div | Op::Nrm),
        |op, r| r.rcp_zero != RcpZero::Signed && is_float(op, r)
    ),
    word!(
        "rcp",
        "Formula of the reciprocal; r is the reciprocal in one step.",
        Rcp,
        rcp,
        |op| matches!(op, Op::Rcp | Op::Div | Op::Sqrt),
        |op, r| r.rcp != Rcp::Direct && reads::takes_rcp(op, r)
    ),
    word!("div", "Formula of div.", Div, div, |op| op == Op::Div, |op, r| r.div != Div::Direct && is_float(op, r)),
    word!(
        "log_special",
        "Logarithms that have no value: infinite or NaN; or a finite number as of an exponent field; or that of infinity alone \
             the largest exponent, or that of zero alone the least finite number.",
        LogSpecial,
        log_special,
        reads::logs,
        |op, r| r.log_special != LogSpecial::Ieee && reads::takes_logs(op, r)
    ),
    word!(
        "log_negative",
        "Logarithm below zero.",
        LogNegative,
        log_negative,
        |op| matches!(op, Op::Log2 | Op::Pow),
        |op, r| op == Op::Log2 || r.pow != Pow::C
    ),
    word!("log2", "Formula of the base-2 logarithm of a positive number.", Log2, log2, reads::logs, reads::takes_logs),
    word!(
        "pow",
        "Formula of pow(a, b), and of the power in lit.",
        Pow,
        pow,
        |op| matches!(op, Op::Pow | Op::LitZ),
        |op, r| op == Op::Pow || is_float(op, r)
    ),
    flag!(
        "fixed_wide",
        "Fixed point: exact wide intermediates with one rounding and clamp; otherwise one per step.",
        fixed_wide,
        |op| matches!(op, Op::Mad | Op::Lrp) || reads::sums_products(op),
        is_fixed
    ),
    word!(
        "pack_round",
        "Rounding of packs to normalised integers.",
        Round,
        pack_round,
        |op| matches!(op, Op::PackUnorm2 | Op::PackBiased4 | Op::PackUnorm4 | Op::PackSnorm4),
        |_, _| true
    ),
    Field {
        name: "trig",
        doc: "Argument reduction of sin and cos: none, or the operand times a binary32 constant, rounded (with .rtz toward \
                  zero), as an angle in turns or half turns, perhaps folded: fract is x - floor(x), fract-half is \
                  fract(x + 1/2) - 1/2, fract-half-radians goes back to radians from there, rint is x - rint(x).",
        values: Values::Pattern(
            "radians, or turns(PATTERN) or half-turns(PATTERN) with the binary32 pattern of the constant, then optional .rtz, \
                 then optional .fract, .fract-half, .fract-half-radians (turns only) or .rint",
            &[
                "radians",
                "turns(3e22f983)",
                "turns(3e22f983).rtz",
                "turns(3e22f983).fract-half",
                "turns(3e22f983).fract-half-radians",
                "half-turns(3ea2f983).rint",
            ],
        ),
        concerns: reads::is_trig,
        when: |op, r| r.trig != Trig::RADIANS && is_float(op, r),
        get: |r| r.trig.to_string(),
        set: |r, word| Trig::from_name(word).map(|v| r.trig = v).is_some(),
        copy: |r, from| r.trig = from.trig,
    },
    word!(
        "unit",
        "Function unit whose data path is known to the bit: its tables, its own argument reduction, its cut results. \
             Operands and results are binary32.",
        Unit,
        unit,
        reads::has_unit,
        |op, r| r.unit != Unit::None && reads::may_use_unit(op, r)
    ),
    flag!(
        "unit_fused",
        "Whether the multiply-adds inside the function unit round once (gallivm, swiftshader).",
        unit_fused,
        reads::has_polynomial,
        |op, r| matches!(r.unit, Unit::Gallivm | Unit::Swiftshader) && reads::may_use_unit(op, r)
    ),
    word!(
        "computed_in",
        "Format in which functions of formats narrower than binary32 are computed: that format, or binary32 with a second rounding.",
        ComputedIn,
        computed_in,
        |op| op.info().family == Family::Recipe,
        |_, r| r.computed_in != ComputedIn::Own && reads::is_narrow(r)
    ),
    Field {
        name: "driver",
        doc: "What the driver makes of a program before the unit runs it: nothing that changes results, or rewrites. Asked once \
                  for a program, under fp32 add.",
        values: Values::Pattern(
            "none, or names of rewrites with + between them: reassociate, contract, contract-variables, contract-once",
            &["none", "reassociate", "contract", "contract-variables", "contract-once", "reassociate+contract"],
        ),
        concerns: |op| op == Op::Add,
        // A matter of the program, not of its operations.
        when: |_, _| false,
        get: |r| r.driver.to_string(),
        set: |r, word| Rewrites::from_name(word).map(|v| r.driver = v).is_some(),
        copy: |r, from| r.driver = from.driver,
    },
    word!(
        "library",
        "Whose formulas the functions of shading languages get that the unit does not have: asin, acos, atan, tanh, asinh, acosh, \
             smoothstep, normalize, reflect, refract, cross. Asked once for a program, under fp32 add.",
        Library,
        library,
        |op| op == Op::Add,
        |_, _| false
    ),
    word!(
        "relaxed",
        "What the driver makes of operations that a program allows it to do on halves (mediump, RelaxedPrecision), and of colours that \
             it allows to be some: nothing, or halves between conversions. Asked once for a program, under fp32 add.",
        Relaxed,
        relaxed,
        |op| op == Op::Add,
        |_, _| false
    ),
    word!(
        "subgroup",
        "How many invocations of a kernel go in step and exchange values: a subgroup, warp, wave or SIMD group. Fragments do so \
             in quads. Asked once for a program, under fp32 add.",
        Subgroup,
        subgroup,
        |op| op == Op::Add,
        |_, _| false
    ),
    grid!(
        "texture_linear",
        "Coordinates of texture lookups that blend texels, in texels: as computed in binary32, or rounded to so many fraction \
             bits before they are split into the number of a texel and its neighbour's weight. Asked once for a program, under fp32 add.",
        linear
    ),
    grid!(
        "texture_nearest",
        "The same where the nearest texel is taken, before the fraction is dropped. Asked once for a program, under fp32 add.",
        nearest
    ),
    grid!("texture_gather", "The same where texels are gathered. Asked once for a program, under fp32 add.", gather),
    grid!(
        "texture_level",
        "The level of detail of texture lookups: as computed in binary32, or rounded to so many fraction bits before it chooses \
             levels and their weights. Asked once for a program, under fp32 add.",
        level
    ),
    word!(
        "texture_steps",
        "Whose steps from pixel to pixel give a level of detail that is not given: those of the quad's first pixel for all four, or each \
             pixel's own within its row and column, on cubes or everywhere. Asked once for a program, under fp32 add.",
        LevelSteps,
        texture.steps,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_layer",
        "The layer of an array of textures that a number names. Asked once for a program, under fp32 add.",
        LayerRound,
        texture.layer,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_result",
        "What lookups of images of normalised bytes give: numbers of binary32, the nearest byte divided by 255, or halves. Asked \
             once for a program, under fp32 add.",
        TexelResult,
        texture.result,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_srgb",
        "Numbers of images of sRGB: the nearest to the curve in binary32, in 4095ths or in 65280ths, or gallivm's polynomial. Asked once for a \
             program, under fp32 add.",
        SrgbDecode,
        texture.srgb,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_compare",
        "The reference value of lookups that compare, where depths have 16 or 24 bits: as it is, clamped to 0 and 1, or rounded to the \
             format as well. Asked once for a program, under fp32 add.",
        CompareReference,
        texture.compare,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_cube",
        "Texels that are blended at the edges of a cube's faces: those of one face, or of the neighbour as well. Asked once for a \
             program, under fp32 add.",
        CubeEdges,
        texture.cube,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_face",
        "The face of a cube for a direction along an edge: which of equal components is the major one. Asked once for a program, \
             under fp32 add.",
        CubeFace,
        texture.face,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "texture_unit",
        "Texture unit whose data path is known to the bit (gallivm: images of bytes are blended in integers, coordinates are \
             repeated before they are scaled; swiftshader: coordinates are wrapped before they are scaled, nearest texels of bytes are \
             looked up in 16 bits), or what the other fields say. Asked once for a program, under fp32 add.",
        TextureUnit,
        texture.unit,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "target_unorm",
        "How colours become codes of normalised render targets. Asked once for a program, under fp32 add.",
        StoreUnorm,
        fixed.target.unorm,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "target_float",
        "How colours become floats of fewer bits than binary32 in render targets. Asked once for a program, under fp32 add.",
        StoreFloat,
        fixed.target.float,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "target_blend",
        "Numbers that blending computes with. Asked once for a program, under fp32 add.",
        BlendArithmetic,
        fixed.target.blend,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "target_alpha",
        "What the alpha test compares: the shader's number, or what the target stores of it. Asked once for a program, under fp32 add.",
        AlphaTested,
        fixed.target.alpha,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "raster_interpolation",
        "What attributes with perspective are in a triangle: a/w divided by 1/w, or times a reciprocal, or by the place in the \
             triangle. Asked once for a program, under fp32 add.",
        Interpolation,
        fixed.raster.interpolation,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "raster_color",
        "What a shader reads of attributes that are colours. Asked once for a program, under fp32 add.",
        ColorAttribute,
        fixed.raster.color,
        is_asked_once,
        |_, _| false
    ),
    word!(
        "raster_mediump",
        "What a shader reads of attributes that a program lets be halves (mediump, RelaxedPrecision): binary32, halves, or halves but \
             for those that go straight to a lookup as coordinates. Asked once for a program, under fp32 add.",
        MediumpAttribute,
        fixed.raster.mediump,
        is_asked_once,
        |_, _| false
    ),
    Field {
        name: "raster_grid",
        doc: "Places that positions of vertices are rounded to, in pixels, before a triangle is drawn. Asked once for a program, \
                  under fp32 add.",
        values: Values::Pattern(
            "a rounding direction (rne, rna, rtz, rup, rdn, raz) and the number of fraction bits, 1 to 8",
            &["rne8", "rne6", "rne4", "rtz4"],
        ),
        concerns: is_asked_once,
        when: |_, _| false,
        get: |r| r.fixed.raster.grid.to_string(),
        set: |r, word| {
            let grid = Grid::from_name(word).filter(|grid| matches!(grid, Grid::Fixed { bits: 1..=8, .. }));
            grid.map(|grid| r.fixed.raster.grid = grid).is_some()
        },
        copy: |r, from| r.fixed.raster.grid = from.fixed.raster.grid,
    },
    Field {
        name: "accuracy",
        doc: "How close a result is to the exact one: correctly rounded, or within a bound. 2^-N is relative to the size of the \
                  result's binade; with :E it stops shrinking below the binade of 2^E (an absolute bound there); < makes it \
                  strict. Other bounds name their unit: steps of the format (ulp), parts of the result (rel, with :E as above), \
                  or abs; [-A,+B] has two sides, stated for positive results and mirrored for negative ones; +C*|x| grows with \
                  the operand; <=R is the largest operand a bound holds for, and another one may follow. Beyond the last, sin and \
                  cos may give anything from -1 to 1.",
        values: Values::Pattern(
            "correct; 2^-N or 2^-N:E, perhaps after < (N from 1 to 60, E from -199 to 1023); SIZE or [-SIZE,+SIZE], perhaps \
                 +SIZE*|x|, then ulp, rel, rel:E or abs, perhaps <=R, and perhaps another such bound after a semicolon; SIZE is a \
                 decimal number or 2^N",
            &[
                "correct",
                "2^-22",
                "<2^-22:0",
                "2.5ulp",
                "[-2.87,+0.09]ulp",
                "2^-22.9rel",
                "2^-20.5abs<=6.2831855;2^-14.7abs<=314.15927",
                "3+2*|x|ulp",
            ],
        ),
        concerns: |op| op.info().family == Family::Recipe || reads::bounded_sum(op),
        when: reads::approximates,
        get: |r| r.accuracy.to_string(),
        set: |r, word| Accuracy::from_name(word).map(|v| r.accuracy = v).is_some(),
        copy: |r, from| r.accuracy = from.accuracy,
    },
    word!(
        "fixed_points",
        "Results that probes do not change: those at 0 and 1 (unit), also powers of two (powers), or none.",
        FixedPoints,
        fixed_points,
        reads::has_fixed_points,
        |op, r| r.fixed_points != FixedPoints::Unit && r.accuracy != Accuracy::Correct && reads::approximates(op, r)
    ),
    flag!("trig_clamp", "Whether probes keep sin and cos inside [-1, 1].", trig_clamp, reads::is_trig, |op, r| r
        .trig_clamp
        && r.accuracy != Accuracy::Correct
        && reads::approximates(op, r)),
];

impl Field {
    /// Every field, in the order of listings.
    pub const ALL: &'static [Field] = &FIELDS;

    /// The field of this name.
    pub fn from_name(name: &str) -> Option<&'static Field> {
        Field::ALL.iter().find(|f| f.name == name)
    }

    /// Position in [`Field::ALL`].
    pub(crate) fn index(&self) -> usize {
        Field::ALL.iter().position(|f| std::ptr::eq(f, self) || f.name == self.name).unwrap_or_default()
    }

    /// The field's value in `rule`, as it would be written in a model file.
    pub fn get(&self, rule: &Rule) -> String {
        (self.get)(rule)
    }

    /// Sets the field from its written form; false when `value` is not accepted, `rule` is unchanged then.
    #[must_use]
    pub fn set(&self, rule: &mut Rule, value: &str) -> bool {
        (self.set)(rule, value)
    }

    /// Copies the field's value from one rule to another.
    pub fn copy(&self, rule: &mut Rule, from: &Rule) {
        (self.copy)(rule, from);
    }

    /// Whether it is about programs: their form before they are bound, at which no operation looks.
    pub fn is_of_programs(&self) -> bool {
        matches!(self.name, "driver" | "library" | "relaxed" | "subgroup")
            || self.is_of_textures()
            || self.is_of_fixed_functions()
    }

    /// Whether it is about what happens around a shader ([`crate::FixedFunctions`]); no operation looks at it.
    pub fn is_of_fixed_functions(&self) -> bool {
        self.name.starts_with("target_") || self.name.starts_with("raster_")
    }

    /// Whether it is about texture lookups, which carry it ([`crate::TextureRule`]); no operation looks at it.
    pub fn is_of_textures(&self) -> bool {
        self.name.starts_with("texture_")
    }

    /// Whether `op` can look at the field under some slot.
    pub fn concerns(&self, op: Op) -> bool {
        (self.concerns)(op)
    }

    /// Whether `op` looks at the field under `rule`: two rules that differ only in fields an operation does not look at
    /// give equal bits.
    pub fn read_by(&self, op: Op, rule: &Rule) -> bool {
        if !(self.concerns)(op) {
            return false;
        }
        match crate::steps::chain(op, rule) {
            // Its first steps have rules of their own.
            Some(chain) if rule.steps != StepRules::OWN => {
                let formula = matches!(self.name, "pow" | "sqrt" | "div") || self.name.starts_with("lit_");
                (formula && (self.when)(op, rule))
                    || ((self.concerns)(chain.last) && (self.when)(chain.last, &chain.last_rule(rule)))
            }
            _ => (self.when)(op, rule),
        }
    }

    /// The accepted values in words, for messages and documentation.
    pub fn accepts(&self) -> String {
        match self.values {
            Values::Words(words) => words.join(", "),
            Values::Pattern(text, _) => text.to_string(),
        }
    }
}

impl Rule {
    /// The same rule for `op` with every field that the operation does not look at at its value in [`Rule::ieee`], so that
    /// equal behaviour means equal records. The value format, the declared format and the containers stay.
    #[must_use]
    pub fn normalised(&self, op: Op) -> Rule {
        let plain = Rule::ieee(self.decl, self.format);
        let mut rule = *self;
        if !reads::clampable(op) {
            rule.saturate = plain.saturate;
            rule.scale = plain.scale;
        }
        if op != Op::Cvt {
            rule.source = rule.storage;
        }
        let asked = rule;
        for field in Field::ALL {
            if field.name != "format" && !field.read_by(op, &asked) {
                field.copy(&mut rule, &plain);
            }
        }
        let chain = crate::steps::chain(op, &rule);
        if chain.is_none() {
            rule.steps = StepRules::OWN;
        }
        let bounded = |op: Op, rule: &Rule| {
            (op.info().family == Family::Recipe || reads::bounded_sum(op)) && reads::approximates(op, rule)
        };
        let bounded = match chain {
            Some(chain) if rule.steps != StepRules::OWN => bounded(chain.last, &chain.last_rule(&rule)),
            _ => bounded(op, &rule),
        };
        if rule.accuracy == Accuracy::Correct || !bounded {
            rule.probe = Probe::Nearest;
        }
        rule
    }
}
