//! State of texture units.

/// How texels make a result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Filter {
    /// The texel the coordinate falls into.
    Nearest,
    /// A blend of the two nearest texels in each direction.
    #[default]
    Linear,
}

/// How levels of detail make a result.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mip {
    /// Only the largest level.
    #[default]
    None,
    /// The nearest level.
    Nearest,
    /// A blend of the two nearest levels.
    Linear,
}

/// What lies outside the image.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Wrap {
    /// The image again.
    #[default]
    Repeat,
    /// The image again, every second time mirrored.
    Mirror,
    /// The nearest texel of the edge.
    Clamp,
    /// The border colour.
    Border,
}

/// How shadow shapes compare: the reference value stands to the left, the red component of the texel to the right. Where
/// one is NaN, only `NotEqual` and `Always` hold.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Nothing holds.
    Never,
    /// Less.
    Less,
    /// Equal.
    Equal,
    /// Less or equal.
    #[default]
    LessEqual,
    /// Greater.
    Greater,
    /// Not equal.
    NotEqual,
    /// Greater or equal.
    GreaterEqual,
    /// Everything holds.
    Always,
}

impl Compare {
    /// The comparisons by name.
    pub const NAMES: [(&str, Compare); 8] = [
        ("never", Compare::Never),
        ("less", Compare::Less),
        ("equal", Compare::Equal),
        ("less_equal", Compare::LessEqual),
        ("greater", Compare::Greater),
        ("not_equal", Compare::NotEqual),
        ("greater_equal", Compare::GreaterEqual),
        ("always", Compare::Always),
    ];

    #[inline]
    pub(crate) fn holds(self, reference: f32, texel: f32) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => reference < texel,
            Compare::Equal => reference == texel,
            Compare::LessEqual => reference <= texel,
            Compare::Greater => reference > texel,
            Compare::NotEqual => reference != texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Always => true,
        }
    }
}

/// State of a texture unit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sampler {
    /// How texels make a result where the image is magnified.
    pub filter: Filter,
    /// The same where it is minified; `None`: as magnified.
    pub minify: Option<Filter>,
    /// How levels make a result where it is minified.
    pub mip: Mip,
    /// What lies outside, by direction s, t, r.
    pub wrap: [Wrap; 3],
    /// Border colour, binary32 patterns.
    pub border: [u32; 4],
    /// How shadow shapes compare.
    pub compare: Compare,
}
