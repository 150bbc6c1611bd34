//! The syntax tree of a TGSI text.

use crate::opcode::Opcode;
use crate::words::{
    File, ImmType, Interpolation, MemoryKind, Place, Processor, PropertyName, ReturnType, Semantic, Target,
};
use parallax_text::Span;
use smallvec::SmallVec;

/// A whole text. Items of one kind keep their order; kinds are apart, because only immediates and instructions are
/// numbered, each among themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// The header word.
    pub processor: Processor,
    /// Where the header stands.
    pub span: Span,
    /// `PROPERTY` lines.
    pub properties: Vec<Property>,
    /// `DCL` lines.
    pub declarations: Vec<Declaration>,
    /// `IMM` lines.
    pub immediates: Vec<Immediate>,
    /// Instructions.
    pub instructions: Vec<Instruction>,
}

/// A `PROPERTY` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Which.
    pub name: PropertyName,
    /// Its value: a number, or the number of a word in its list.
    pub value: u32,
    /// The line.
    pub span: Span,
}

/// A `DCL` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Register file.
    pub file: File,
    /// First bracket, if there are two.
    pub dim: Option<DeclDim>,
    /// First register.
    pub first: u32,
    /// Last register.
    pub last: u32,
    /// Components that are used, bit 0 = x.
    pub mask: u8,
    /// `ARRAY(id)`; 0: none.
    pub array: u32,
    /// `LOCAL`.
    pub local: bool,
    /// Semantic and its index.
    pub semantic: Option<(Semantic, u32)>,
    /// `STREAM(x, y, z, w)` of a geometry output.
    pub streams: Option<[u32; 4]>,
    /// Interpolation of a fragment input.
    pub interpolation: Option<Interpolation>,
    /// Where it is interpolated.
    pub place: Option<Place>,
    /// `INVARIANT`.
    pub invariant: bool,
    /// What is said about a sampler view, image, buffer or memory.
    pub resource: Resource,
    /// The line.
    pub span: Span,
}

/// The first of two brackets in a declaration.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DeclDim {
    /// `[]`: once per vertex.
    PerVertex,
    /// A number.
    Number(u32),
}

/// Further words of a resource declaration.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Resource {
    /// None.
    #[default]
    None,
    /// A sampler view: shape and return type of each component.
    View(Target, [ReturnType; 4]),
    /// An image.
    Image {
        /// Shape.
        target: Target,
        /// `PIPE_FORMAT_...`, as written.
        format: Option<String>,
        /// `RAW`.
        raw: bool,
        /// `WR`.
        writable: bool,
    },
    /// A buffer, `ATOMIC` or not.
    Buffer {
        /// `ATOMIC`.
        atomic: bool,
    },
    /// Memory of a kind.
    Memory(MemoryKind),
}

/// An `IMM` line.
#[derive(Clone, Debug, PartialEq)]
pub struct Immediate {
    /// Type of the values.
    pub ty: ImmType,
    /// Four words; 64-bit values take two, low word first.
    pub words: [u32; 4],
    /// The line.
    pub span: Span,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Which.
    pub op: Opcode,
    /// `_SAT`.
    pub saturate: bool,
    /// `_PRECISE`.
    pub precise: bool,
    /// Destinations.
    pub dsts: SmallVec<[Dst; 1]>,
    /// Sources.
    pub srcs: SmallVec<[Src; 3]>,
    /// Texture shape.
    pub target: Option<Target>,
    /// Everything rarer.
    pub extra: Option<Box<Extra>>,
    /// Label after `:`.
    pub label: Option<u32>,
    /// The mnemonic.
    pub op_span: Span,
    /// The instruction without its own number.
    pub span: Span,
    /// Line it starts on, from 1.
    pub line: u32,
}

/// Rarer parts of an instruction.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Extra {
    /// Texel offsets.
    pub offsets: SmallVec<[Offset; 1]>,
    /// `COHERENT`.
    pub coherent: bool,
    /// `RESTRICT`.
    pub restrict: bool,
    /// `VOLATILE`.
    pub volatile: bool,
    /// `STREAM_CACHE_POLICY`.
    pub stream: bool,
    /// `PIPE_FORMAT_...`, as written.
    pub format: Option<String>,
}

/// A register operand: file, indices, where.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Reg {
    /// Register file.
    pub file: File,
    /// First bracket, if there are two.
    pub dim: Option<Index>,
    /// Last bracket.
    pub index: Index,
    /// From the file name to the last bracket.
    pub span: Span,
}

/// What stands in a bracket.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Index {
    /// The number, or what is added to the indirect register.
    pub base: i32,
    /// The indirect register.
    pub indirect: Option<Indirect>,
}

/// A register used as index.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Indirect {
    /// Its file.
    pub file: File,
    /// Its number.
    pub index: u32,
    /// Component, 0 to 3.
    pub comp: u8,
    /// Array declaration the access stays in; 0: none given.
    pub array: u32,
}

/// A destination.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Dst {
    /// The register.
    pub reg: Reg,
    /// Components written, bit 0 = x.
    pub mask: u8,
}

/// A source.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Src {
    /// The register.
    pub reg: Reg,
    /// Component each channel reads.
    pub swizzle: [u8; 4],
    /// `-`.
    pub negate: bool,
    /// `|...|`.
    pub absolute: bool,
    /// With sign, bars and swizzle.
    pub span: Span,
}

/// A texel offset.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Offset {
    /// The register.
    pub reg: Reg,
    /// Component of each of the three directions.
    pub swizzle: [u8; 3],
}

impl Reg {
    /// What nothing was read into yet.
    pub(crate) const NEW: Reg =
        Reg { file: File::Null, dim: None, index: Index::number(0), span: Span { start: 0, end: 0 } };
}

impl Dst {
    /// What nothing was read into yet.
    pub(crate) const NEW: Dst = Dst { reg: Reg::NEW, mask: 0 };
}

impl Src {
    /// What nothing was read into yet.
    pub(crate) const NEW: Src =
        Src { reg: Reg::NEW, swizzle: [0, 1, 2, 3], negate: false, absolute: false, span: Span { start: 0, end: 0 } };
}

impl Index {
    /// A plain number.
    pub const fn number(base: i32) -> Index {
        Index { base, indirect: None }
    }
}

impl Instruction {
    /// Texel offsets.
    pub fn offsets(&self) -> &[Offset] {
        self.extra.as_ref().map_or(&[], |extra| &extra.offsets)
    }
}

impl Dst {
    /// The written components in order.
    pub fn comps(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        (0..4).filter(move |c| mask >> c & 1 != 0)
    }
}
