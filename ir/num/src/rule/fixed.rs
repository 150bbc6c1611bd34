//! What fixed functions around a shader compute: how attributes are interpolated, and how colours are stored and blended.

use super::Rule;
use super::choice::{Round, words};
use super::texture::Grid;
use crate::{Decl, Field, Format};

words! {
    /// How a colour becomes the code of a normalised format: n bits, 2^n - 1 for 1.
    StoreUnorm {
        /// The nearest code of the clamped number; a tie goes to the even one, which is the upper one, as 1/2 has the only tie.
        Nearest = "nearest",
        /// The nearest code of the product in binary32, which rounds some numbers next to the middle of two codes into it.
        Binary32 = "binary32",
        /// The nearest code of the number as a half, rounded toward zero.
        HalfTowardZero = "half-toward-zero",
        /// The nearest code, half up, of the number cut to twelve bits behind the point.
        Cut12 = "cut-12",
        /// The integer below 2^n times the number.
        Floor256 = "floor-256",
        /// gallivm's: in binary32, times (2^n - 1) / 2^n, and then to the nearest 2^n-th.
        Gallivm = "gallivm",
        /// The code below where there are fewer than eight bits, else the nearest.
        CutNarrow = "cut-narrow",
    }
}

words! {
    /// How a colour becomes a float of fewer bits than binary32.
    StoreFloat {
        /// The nearest; what is too large becomes infinity.
        Nearest = "nearest-even",
        /// The next toward zero; what is too large becomes the largest number.
        TowardZero = "toward-zero",
        /// Halves to nearest even; floats of 10 and 11 bits are halves that are cut.
        HalfThenCut = "half-then-cut",
    }
}

words! {
    /// Numbers that blending computes with.
    BlendArithmetic {
        /// Those of binary32, each step rounded.
        Binary32 = "binary32",
        /// Codes of targets of bytes, products to the nearest; other targets as binary32.
        Codes = "codes",
        /// The same, but products are the code below.
        CodesFloor = "codes-floor",
        /// The same as llvmpipe has it: a * b is (ab + (ab >> 8) + 128) >> 8; in binary32, equal factors come after the sum, if colour and
        /// alpha both have some.
        Gallivm = "gallivm",
    }
}

words! {
    /// What the alpha test compares.
    AlphaTested {
        /// The shader's number, clamped where the target is, with the reference value.
        Value = "value",
        /// What the target stores of both.
        Stored = "stored",
    }
}

words! {
    /// What attributes with perspective are at a place; a/w and 1/w are planes in binary32.
    Interpolation {
        /// a/w divided by 1/w, to nearest.
        Divide = "divide",
        /// a/w times the reciprocal of 1/w: the unit's, under the rules of `rcp` and `mul`.
        TimesRcp = "times-rcp",
        /// fma(a2 - a0, j, fma(a1 - a0, i, a0)), where i and j are quotients like those of `divide`.
        Barycentric = "barycentric",
        /// (a - a0)/w times w, plus a0, under the rules of `mul` and `add`; w is 1 divided by 1/w, to nearest.
        SlopeTimesW = "slope-times-w",
    }
}

words! {
    /// What a shader reads of an attribute that is a colour.
    ColorAttribute {
        /// What was interpolated.
        Binary32 = "binary32",
        /// The same in 20 bits: a sign, 7 bits of exponent, 12 of fraction.
        Float20 = "fp20",
        /// The same clamped to 0 and 1.
        Clamped = "clamped",
    }
}

words! {
    /// What a shader reads of an attribute that the program lets be a half (`mediump`, `RelaxedPrecision`) and that is no flat one.
    MediumpAttribute {
        /// What was interpolated.
        Binary32 = "binary32",
        /// The same as a half, converted under the rules of `cvt`.
        Half = "half",
        /// The same, but for attributes that are the coordinates of a lookup without an operation in between.
        HalfButCoordinates = "half-but-coordinates",
    }
}

/// How colours get into a render target. A bound shader carries it in [`FixedFunctions`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetRule {
    /// Normalised codes of colours.
    pub unorm: StoreUnorm,
    /// Colours as floats narrower than binary32.
    pub float: StoreFloat,
    /// Numbers that blending computes with.
    pub blend: BlendArithmetic,
    /// What the alpha test compares.
    pub alpha: AlphaTested,
}

/// How a rasteriser places vertices and gives attributes their values. A bound shader carries it in [`FixedFunctions`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RasterRule {
    /// Attributes with perspective.
    pub interpolation: Interpolation,
    /// Attributes that are colours.
    pub color: ColorAttribute,
    /// Attributes that may be halves.
    pub mediump: MediumpAttribute,
    /// Places that positions of vertices are rounded to, in pixels.
    pub grid: Grid,
}

/// What fixed functions do around a shader.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FixedFunctions {
    /// Behind the shader.
    pub target: TargetRule,
    /// Before it.
    pub raster: RasterRule,
}

impl FixedFunctions {
    /// Numbers are stored as the nearest there is, attributes are quotients, blending rounds to binary32, vertices lie on a grid of
    /// 1/256 pixel.
    pub const IEEE: FixedFunctions = FixedFunctions {
        target: TargetRule {
            unorm: StoreUnorm::Nearest,
            float: StoreFloat::Nearest,
            blend: BlendArithmetic::Binary32,
            alpha: AlphaTested::Value,
        },
        raster: RasterRule {
            interpolation: Interpolation::Divide,
            color: ColorAttribute::Binary32,
            mediump: MediumpAttribute::Binary32,
            grid: Grid::Fixed { bits: 8, round: Round::NearestEven },
        },
    };

    /// Sets a field from its written form; `None` if it is no field of fixed functions, or does not accept the value.
    #[must_use]
    pub fn with(self, field: &str, value: &str) -> Option<FixedFunctions> {
        let field = Field::from_name(field).filter(|field| field.is_of_fixed_functions())?;
        let mut rule = Rule { fixed: self, ..Rule::ieee(Decl::F32, Format::F32) };
        field.set(&mut rule, value).then_some(rule.fixed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_set_by_name() {
        let plain = FixedFunctions::IEEE;
        let set = plain.with("target_unorm", "cut-12").and_then(|rule| rule.with("raster_grid", "rtz4"));
        let mut want = plain;
        want.target.unorm = StoreUnorm::Cut12;
        want.raster.grid = Grid::Fixed { bits: 4, round: Round::Zero };
        assert_eq!(set, Some(want));
        assert_eq!(plain.with("target_unorm", "best").or(plain.with("round", "rtz")), None);
    }
}
