//! The dialects and what each of them has.

/// A dialect.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// US patent 7136070. No header; `!!NVP7136070` selects it explicitly.
    Patent,
    /// `!!FP1.0`, NV_fragment_program.
    Fp10,
    /// `!!ARBfp1.0`, ARB_fragment_program with or without options.
    Arb,
    /// `!!ARBvp1.0`, ARB_vertex_program with or without options.
    ArbVertex,
    /// `!!VP1.0`, NV_vertex_program.
    Vp10,
    /// `!!VP1.1`, NV_vertex_program1_1.
    Vp11,
    /// `!!VP2.0`, NV_vertex_program2.
    Vp20,
    /// NV40 fragment microcode: no text, but words.
    Nv40,
    /// NV40 vertex microcode: words, too.
    Nv40Vertex,
}

impl Dialect {
    /// Those that are text.
    pub const TEXT: [Dialect; 7] =
        [Dialect::Patent, Dialect::Fp10, Dialect::Arb, Dialect::ArbVertex, Dialect::Vp10, Dialect::Vp11, Dialect::Vp20];

    /// Those that are words.
    pub const WORDS: [Dialect; 2] = [Dialect::Nv40, Dialect::Nv40Vertex];

    /// Name on the command line and in the machine interface.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Patent => "patent",
            Dialect::Fp10 => "fp1.0",
            Dialect::Arb => "arbfp1.0",
            Dialect::ArbVertex => "arbvp1.0",
            Dialect::Vp10 => "vp1.0",
            Dialect::Vp11 => "vp1.1",
            Dialect::Vp20 => "vp2.0",
            Dialect::Nv40 => "nv40",
            Dialect::Nv40Vertex => "nv40vp",
        }
    }

    /// Reads [`Dialect::name`].
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::TEXT.into_iter().chain(Dialect::WORDS).find(|d| d.name() == name)
    }

    /// First line of a program; empty for words.
    pub const fn header(self) -> &'static str {
        match self {
            Dialect::Patent => "!!NVP7136070",
            Dialect::Fp10 => "!!FP1.0",
            Dialect::Arb => "!!ARBfp1.0",
            Dialect::ArbVertex => "!!ARBvp1.0",
            Dialect::Vp10 => "!!VP1.0",
            Dialect::Vp11 => "!!VP1.1",
            Dialect::Vp20 => "!!VP2.0",
            Dialect::Nv40 | Dialect::Nv40Vertex => "",
        }
    }

    /// The dialect a text announces in its first characters, behind a byte order mark if there is one. Without a header it
    /// can only be the patent's.
    pub fn sniff(text: &str) -> Option<Dialect> {
        let text = &text[parallax_text::mark_len(text)..];
        if !text.starts_with("!!") {
            return None;
        }
        Dialect::TEXT.into_iter().find(|d| text.starts_with(d.header()))
    }

    /// Whether names are bound as in the ARB extensions: `program.local`, `state.*`, declarations.
    pub(crate) const fn is_arb(self) -> bool {
        matches!(self, Dialect::Arb | Dialect::ArbVertex)
    }

    /// Whether its programs run once per vertex.
    pub(crate) const fn is_vertex(self) -> bool {
        matches!(self, Dialect::ArbVertex | Dialect::Nv40Vertex) || self.is_nv_vertex()
    }

    /// Whether registers are spelled as in NV_vertex_program and its successors: `v[OPOS]`, `c[0]`, `R0`, `o[HPOS]`.
    pub(crate) const fn is_nv_vertex(self) -> bool {
        matches!(self, Dialect::Vp10 | Dialect::Vp11 | Dialect::Vp20)
    }

    /// Address registers that its programs have without declaring them.
    pub(crate) const fn addresses(self) -> &'static [&'static str] {
        match self {
            Dialect::Vp10 | Dialect::Vp11 => &["A0"],
            Dialect::Vp20 | Dialect::Nv40Vertex => &["A0", "A1"],
            _ => &[],
        }
    }

    /// Whether its programs are machine words.
    pub(crate) const fn is_words(self) -> bool {
        matches!(self, Dialect::Nv40 | Dialect::Nv40Vertex)
    }

    /// The model whose rules the dialect's document describes.
    pub const fn model(self) -> &'static str {
        match self {
            Dialect::Patent => "nv-patent",
            Dialect::Fp10 => "nvfp",
            Dialect::Arb | Dialect::ArbVertex => "nv-arb",
            Dialect::Vp10 | Dialect::Vp11 => "nv20",
            Dialect::Vp20 => "nvfp",
            Dialect::Nv40 | Dialect::Nv40Vertex => "nv40",
        }
    }
}

bitflags::bitflags! {
    /// Language features switched on by a dialect or an option.
    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Features: u8 {
        /// Suffixes, condition codes, sized variables, bars (NV_fragment_program and its ARB option).
        const NV1 = 1;
        /// Flow control and the rest of NV_fragment_program2.
        const NV2 = 2;
        /// ARB_fragment_program_shadow targets.
        const SHADOW = 4;
        /// `result.color[n]` (ARB_draw_buffers).
        const DRAW_BUFFERS = 8;
        /// Pixel centres at whole numbers (ARB_fragment_coord_conventions).
        const WHOLE_CENTERS = 16;
        /// The position is transformed as without a program (ARB_position_invariant).
        const POSITION_INVARIANT = 32;
        /// Jumps, condition codes and vectors of addresses (NV_vertex_program2 and its ARB option).
        const VP2 = 64;
        /// Textures, a stack of addresses and a second condition code (NV_vertex_program3).
        const VP3 = 128;
    }
}

/// Input attributes by number, in the spelling of `!!FP1.0`. Numbers 0 to 11 are also `p[0]` to `p[11]` of the patent
/// dialect: its figure with the order is lost, this is the order its text names them in (Table 2 and section on pixel
/// attributes: position, colours, fog value, texture coordinates).
pub const ATTRIBUTES: [&str; 15] = [
    "WPOS", "COL0", "COL1", "FOGC", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6", "TEX7", "TEX8", "TEX9",
    "FACE",
];

/// Attributes of vertex programs by number, in the spelling of their own names; the others have none but
/// `vertex.attrib[n]`, which all have (ARB_vertex_program, tables X.1 and X.2: where both name one attribute).
pub(crate) const VERTEX_ATTRIBUTES: [Option<&str>; 16] = [
    Some("position"),
    Some("weight"),
    Some("normal"),
    Some("color.primary"),
    Some("color.secondary"),
    Some("fogcoord"),
    None,
    None,
    Some("texcoord[0]"),
    Some("texcoord[1]"),
    Some("texcoord[2]"),
    Some("texcoord[3]"),
    Some("texcoord[4]"),
    Some("texcoord[5]"),
    Some("texcoord[6]"),
    Some("texcoord[7]"),
];

/// The same in the spelling of NV_vertex_program (table X.3).
pub(crate) const NV_VERTEX_ATTRIBUTES: [&str; 16] = [
    "OPOS", "WGHT", "NRML", "COL0", "COL1", "FOGC", "6", "7", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6",
    "TEX7",
];

/// The number of the first texture coordinate among attributes of vertices.
pub(crate) const VERTEX_TEX0: u8 = 8;

/// Results of vertex programs by number (ARB_vertex_program, table X.5; NV_vertex_program2_option, section 2.14.3.4); the last
/// one is microcode's. What links a vertex program to a fragment program are these numbers.
pub(crate) const VERTEX_RESULTS: [&str; 22] = [
    "result.position",
    "result.color.front.primary",
    "result.color.front.secondary",
    "result.color.back.primary",
    "result.color.back.secondary",
    "result.fogcoord",
    "result.pointsize",
    "result.texcoord[0]",
    "result.texcoord[1]",
    "result.texcoord[2]",
    "result.texcoord[3]",
    "result.texcoord[4]",
    "result.texcoord[5]",
    "result.texcoord[6]",
    "result.texcoord[7]",
    "result.clip[0]",
    "result.clip[1]",
    "result.clip[2]",
    "result.clip[3]",
    "result.clip[4]",
    "result.clip[5]",
    "result.texcoord[8]",
];

/// The same in the spelling of NV_vertex_program2 (table X.1).
pub(crate) const NV_VERTEX_RESULTS: [&str; 22] = [
    "HPOS", "COL0", "COL1", "BFC0", "BFC1", "FOGC", "PSIZ", "TEX0", "TEX1", "TEX2", "TEX3", "TEX4", "TEX5", "TEX6",
    "TEX7", "CLP0", "CLP1", "CLP2", "CLP3", "CLP4", "CLP5", "TEX8",
];

/// Numbers of results that need special care.
pub(crate) mod result {
    pub(crate) const POSITION: u8 = 0;
    pub(crate) const FOG: u8 = 5;
    pub(crate) const POINT_SIZE: u8 = 6;
    /// The first of eight texture coordinates.
    pub(crate) const TEX0: u8 = 7;
    /// The first of six clip distances.
    pub(crate) const CLIP0: u8 = 15;
    /// How many of them `!!VP1.0` has.
    pub(crate) const PLAIN: u8 = 15;
    /// How many of them texts have.
    pub(crate) const TEXT: u8 = 21;
}
