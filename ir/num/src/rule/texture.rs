//! How a texture unit computes: how coordinates, levels of detail and layers are rounded.

use super::Rule;
use super::choice::{
    CompareReference, CubeEdges, CubeFace, LayerRound, LevelSteps, Round, SrgbDecode, TexelResult, TextureUnit,
};
use crate::{Decl, Field, Format};
use std::fmt;

/// Places that a number may have between two integers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grid {
    /// Those of binary32: the number stays as it was computed.
    Binary32,
    /// Multiples of a power of two.
    Fixed {
        /// Fraction bits, 1 to [`Grid::MOST_BITS`].
        bits: u8,
        /// How the number gets there.
        round: Round,
    },
}

impl Grid {
    /// Most fraction bits of a fixed grid.
    pub const MOST_BITS: u8 = 15;

    /// Reads what [`fmt::Display`] prints.
    pub fn from_name(word: &str) -> Option<Grid> {
        if word == "binary32" {
            return Some(Grid::Binary32);
        }
        let (round, bits) = word.split_at_checked(3)?;
        let round = Round::from_name(round)?;
        let is_plain = bits.bytes().all(|byte| byte.is_ascii_digit()) && !bits.starts_with('0');
        let bits = bits.parse().ok().filter(|bits| is_plain && (1..=Grid::MOST_BITS).contains(bits))?;
        Some(Grid::Fixed { bits, round })
    }
}

/// `binary32`, `rne8`, `rtz6`.
impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Grid::Binary32 => f.write_str("binary32"),
            Grid::Fixed { bits, round } => write!(f, "{}{bits}", round.name()),
        }
    }
}

/// How a texture unit computes. A bound lookup carries it; [`TextureRule::IEEE`] is the arithmetic of `ieee`, each step rounded to
/// binary32.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextureRule {
    /// Places between texels that coordinates of blended texels are rounded to; so the weights have as many fraction bits.
    pub linear: Grid,
    /// The same where the nearest texel is taken.
    pub nearest: Grid,
    /// The same where texels are gathered.
    pub gather: Grid,
    /// Places between levels of detail.
    pub level: Grid,
    /// Whose steps give a level of detail.
    pub steps: LevelSteps,
    /// The layer of an array.
    pub layer: LayerRound,
    /// What lookups of images of bytes give.
    pub result: TexelResult,
    /// Numbers of images of sRGB.
    pub srgb: SrgbDecode,
    /// What is compared with depths of few bits.
    pub compare: CompareReference,
    /// Edges of the faces of a cube.
    pub cube: CubeEdges,
    /// The face of a direction along an edge.
    pub face: CubeFace,
    /// A data path that is known.
    pub unit: TextureUnit,
}

impl TextureRule {
    /// Nothing is rounded but to binary32; the layer is the integer below the number plus a half.
    pub const IEEE: TextureRule = TextureRule {
        linear: Grid::Binary32,
        nearest: Grid::Binary32,
        gather: Grid::Binary32,
        level: Grid::Binary32,
        steps: LevelSteps::Quad,
        layer: LayerRound::HalfUp,
        result: TexelResult::Binary32,
        srgb: SrgbDecode::Nearest,
        compare: CompareReference::Binary32,
        cube: CubeEdges::Clamped,
        face: CubeFace::Xyz,
        unit: TextureUnit::None,
    };

    /// The fields that are not as in [`TextureRule::IEEE`], with their values, in the order of listings.
    pub fn words(&self) -> impl Iterator<Item = (&'static Field, String)> + use<> {
        let plain = Rule::ieee(Decl::F32, Format::F32);
        let rule = Rule { texture: *self, ..plain };
        let fields = Field::ALL.iter().filter(|field| field.is_of_textures());
        fields.map(move |field| (field, field.get(&rule))).filter(move |(field, value)| field.get(&plain) != *value)
    }

    /// Sets a field from its written form; `None` if it is no field of textures, or does not accept the value.
    #[must_use]
    pub fn with(self, field: &str, value: &str) -> Option<TextureRule> {
        let field = Field::from_name(field).filter(|field| field.is_of_textures())?;
        let mut rule = Rule { texture: self, ..Rule::ieee(Decl::F32, Format::F32) };
        field.set(&mut rule, value).then_some(rule.texture)
    }

    /// The same with the fields that are not asked for as in [`TextureRule::IEEE`].
    #[must_use]
    pub fn only(self, asked: impl Fn(&'static Field) -> bool) -> TextureRule {
        let mut rule = Rule::ieee(Decl::F32, Format::F32);
        let own = Rule { texture: self, ..rule };
        Field::ALL
            .iter()
            .filter(|field| field.is_of_textures() && asked(field))
            .for_each(|field| field.copy(&mut rule, &own));
        rule.texture
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_as_their_words_say() {
        assert_eq!(TextureRule::IEEE.words().count(), 0);
        let layer = LayerRound::Floor;
        let rule =
            TextureRule { linear: Grid::Fixed { bits: 8, round: Round::NearestEven }, layer, ..TextureRule::IEEE };
        let words: Vec<(&str, String)> = rule.words().map(|(field, value)| (field.name, value)).collect();
        assert_eq!(words, [("texture_linear", "rne8".into()), ("texture_layer", "floor".into())]);
        let read = words.iter().try_fold(TextureRule::IEEE, |rule, (field, value)| rule.with(field, value));
        assert_eq!(read, Some(rule));
        assert_eq!(rule.with("round", "rtz").or(rule.with("texture_level", "rne99")), None);
        assert_eq!(rule.only(|field| field.name == "texture_layer"), TextureRule { layer, ..TextureRule::IEEE });
    }

    #[test]
    fn grids_are_read_as_they_are_printed() {
        for word in ["binary32", "rne8", "rtz6", "rdn15", "rup1", "rna10", "raz3"] {
            assert_eq!(Grid::from_name(word).map(|grid| grid.to_string()).as_deref(), Some(word));
        }
        for word in ["", "rne", "8", "rne0", "rne16", "rne08", "rne+8", "rne8.", "binary64", "rné8", "rne256"] {
            assert_eq!(Grid::from_name(word), None, "{word}");
        }
    }
}
