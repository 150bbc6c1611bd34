//! A program as read, before lifting. One shape for all dialects.

use crate::dialect::{Dialect, Features, VERTEX_RESULTS};
use crate::table::{Row, Vertex};
use parallax_text::Span;
use smallvec::SmallVec;
use std::sync::Arc;

/// Register files with a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum File {
    /// fp32.
    R,
    /// fp16.
    H,
    /// s12.
    I,
}

impl File {
    /// Its letter.
    pub const fn letter(self) -> char {
        match self {
            File::R => 'R',
            File::H => 'H',
            File::I => 'I',
        }
    }
}

/// Operation precision named by a suffix.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Precision {
    /// `R`.
    Fp32,
    /// `H`.
    Fp16,
    /// `X`: fixed point 2.10.
    Fixed,
    /// `B`: fixed point 0.8, microcode only.
    Fixed9,
}

/// Clamp named by a suffix.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Clamp {
    /// None.
    None,
    /// `_SAT`: to [0, 1].
    Sat,
    /// `_SSAT`: to [-1, 1].
    SSat,
}

/// Suffixes of an instruction.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Suffix {
    /// Precision letter.
    pub precision: Option<Precision>,
    /// Whether the condition code is updated.
    pub cc: bool,
    /// Clamp.
    pub clamp: Clamp,
    /// Which condition code is updated; microcode has two.
    pub code: u8,
    /// Power of two the result is multiplied by; microcode only.
    pub scale: i8,
    /// Whether a texel `v` is read as `2v - 1`; microcode only.
    pub expand: bool,
}

impl Suffix {
    /// No suffix.
    pub const NONE: Suffix =
        Suffix { precision: None, cc: false, clamp: Clamp::None, code: 0, scale: 0, expand: false };
}

/// Condition tests.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cond {
    /// Equal.
    Eq,
    /// Equal or greater.
    Ge,
    /// Greater.
    Gt,
    /// Less or equal.
    Le,
    /// Less.
    Lt,
    /// Less, greater or unordered.
    Ne,
    /// Always.
    Tr,
    /// Never.
    Fl,
}

impl Cond {
    /// All of them.
    pub const ALL: [Cond; 8] = [Cond::Eq, Cond::Ge, Cond::Gt, Cond::Le, Cond::Lt, Cond::Ne, Cond::Tr, Cond::Fl];

    /// Spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Cond::Eq => "EQ",
            Cond::Ge => "GE",
            Cond::Gt => "GT",
            Cond::Le => "LE",
            Cond::Lt => "LT",
            Cond::Ne => "NE",
            Cond::Tr => "TR",
            Cond::Fl => "FL",
        }
    }
}

/// Source components for x, y, z, w.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Swizzle(pub [u8; 4]);

impl Swizzle {
    /// `.xyzw`.
    pub const IDENTITY: Swizzle = Swizzle([0, 1, 2, 3]);

    /// Whether it changes nothing.
    pub fn is_identity(self) -> bool {
        self == Swizzle::IDENTITY
    }

    /// Whether no component before `comp` is taken from the same place.
    pub(crate) fn is_first(self, comp: u8) -> bool {
        let (before, rest) = self.0.split_at(usize::from(comp).min(3));
        !before.contains(&rest[0])
    }

    /// The one component it repeats, if it does.
    pub fn single(self) -> Option<u8> {
        let [x, y, z, w] = self.0;
        (x == y && y == z && z == w).then_some(x)
    }
}

/// A condition test with its swizzle.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CcTest {
    /// Test.
    pub cond: Cond,
    /// Components tested.
    pub swizzle: Swizzle,
    /// Which condition code is tested; microcode has two.
    pub code: u8,
}

/// A declared name, by order of declaration.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct NameId(pub usize);

/// Output registers.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Out {
    /// `o[COLR]`, `result.color`.
    Colr,
    /// `o[COLH]`.
    Colh,
    /// `o[DEPR]`, `result.depth`.
    Depr,
    /// `result.color[n]` of a further render target, 1 to 7.
    Target(u8),
    /// A result of a vertex program: position, four colours, fog, point size, texture coordinates, clip distances.
    Vertex(u8),
}

/// Colours that a program can write with the option ARB_draw_buffers.
pub(crate) const TARGETS: u8 = 8;

impl Out {
    /// How many there are.
    pub(crate) const COUNT: u8 = 2 + TARGETS + VERTEX_RESULTS.len() as u8;

    /// A number of its own below [`Out::COUNT`].
    pub(crate) const fn number(self) -> u8 {
        match self {
            Out::Colr => 0,
            Out::Colh => 1,
            Out::Depr => 2,
            Out::Target(n) => 2 + n,
            Out::Vertex(n) => 2 + TARGETS + n,
        }
    }

    /// `result.color[n]`.
    pub(crate) const fn color(n: u8) -> Out {
        if n == 0 { Out::Colr } else { Out::Target(n) }
    }
}

/// Numbered parameter files.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ParamFile {
    /// `c[n]` (patent, NV_vertex_program) or `p[n]` (`!!FP1.0`).
    Numbered,
    /// `program.local[n]`.
    Local,
    /// `program.env[n]`.
    Env,
}

/// A literal constant.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ConstValue {
    /// One number.
    Scalar(f32),
    /// One to four numbers; the rest is 0, 0, 1.
    Vector([f32; 4], u8),
}

impl ConstValue {
    /// The four components. A scalar fills all of them.
    pub fn components(self) -> [f32; 4] {
        match self {
            ConstValue::Scalar(v) => [v; 4],
            ConstValue::Vector(v, _) => v,
        }
    }
}

/// What an address register names an element of.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Array {
    /// A declared array of parameters.
    Name(NameId),
    /// `c[]`.
    Parameters,
    /// `vertex.attrib[]`; `v[]` of microcode.
    Attributes,
    /// `vertex.texcoord[]`.
    TexCoords,
    /// `result.texcoord[]`.
    Results,
}

/// What an operand names, before swizzle and sign.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// Temporary register.
    Temp(File, u8),
    /// Condition code destination `RC`, `HC`, `IC`.
    Cc(File),
    /// Input attribute, by number in [`crate::ATTRIBUTES`]; of vertex programs 0 to 15 by their own names, and 16 more where
    /// spelled `vertex.attrib[n]`.
    Attr(u8),
    /// `fragment.texcoord[A0.x + n]`; microcode has numbers beyond the texture coordinates.
    AttrIndexed(i16),
    /// Numbered parameter.
    Param(ParamFile, u16),
    /// Output register.
    Out(Out),
    /// Declared name, with an element number for arrays.
    Name(NameId, Option<u16>),
    /// `array[A0.x + n]`, in vertex programs.
    Relative {
        /// The array.
        array: Array,
        /// The address register.
        address: NameId,
        /// Its component.
        comp: u8,
        /// What is added to it.
        offset: i16,
    },
    /// Literal.
    Const(ConstValue),
    /// `state.*`, spelled without blanks.
    State(Box<str>),
}

/// What a source of microcode is brought to before its sign is applied.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum SourceFormat {
    /// It stays as it is.
    #[default]
    Stored,
    /// binary16.
    Half,
    /// Fixed point 2.10.
    Fixed,
    /// Fixed point 0.8.
    Fixed9,
    /// Clamped to [0, 1].
    Saturated,
}

/// A source operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Src {
    /// Sign outside the bars, or the only sign.
    pub negate: bool,
    /// Bars.
    pub abs: bool,
    /// Sign inside the bars.
    pub inner_negate: bool,
    /// What it names.
    pub base: Base,
    /// Components.
    pub swizzle: Swizzle,
    /// What it is brought to; microcode only.
    pub format: SourceFormat,
    /// Whether an attribute is multiplied by 1/w; microcode only.
    pub perspective: bool,
    /// Where it stands.
    pub span: Span,
}

/// A destination operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Dst {
    /// What it names.
    pub base: Base,
    /// Components written, bit 0 = x.
    pub mask: u8,
    /// Condition for writing each component.
    pub test: Option<CcTest>,
    /// Where it stands.
    pub span: Span,
}

/// Shape of a texture as written.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Target {
    D1,
    D2,
    D3,
    Cube,
    Rect,
    Shadow1D,
    Shadow2D,
    ShadowRect,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 8] = [
        Target::D1,
        Target::D2,
        Target::D3,
        Target::Cube,
        Target::Rect,
        Target::Shadow1D,
        Target::Shadow2D,
        Target::ShadowRect,
    ];

    /// Spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Target::D1 => "1D",
            Target::D2 => "2D",
            Target::D3 => "3D",
            Target::Cube => "CUBE",
            Target::Rect => "RECT",
            Target::Shadow1D => "SHADOW1D",
            Target::Shadow2D => "SHADOW2D",
            Target::ShadowRect => "SHADOWRECT",
        }
    }
}

/// Texture operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Unit, 0 to 15.
    pub unit: u8,
    /// Shape; the patent dialect may leave it out.
    pub target: Option<Target>,
    /// Where it stands.
    pub span: Span,
}

/// One selector of SWZ.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    /// Sign.
    pub negate: bool,
    /// 0 to 3 a component, 4 zero, 5 one.
    pub source: u8,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instr {
    /// Table row.
    pub row: &'static Row,
    /// Suffixes.
    pub suffix: Suffix,
    /// Destination, where the shape has one.
    pub dst: Option<Dst>,
    /// Sources in order.
    pub srcs: SmallVec<[Src; 3]>,
    /// Texture operand.
    pub image: Option<Image>,
    /// Selectors of SWZ.
    pub selectors: Option<[Selector; 4]>,
    /// Test of KIL, IF, BRK, CAL, RET.
    pub test: Option<CcTest>,
    /// Target of CAL and BRA.
    pub label: Option<Box<str>>,
}

impl Instr {
    /// An instruction of a row, without anything else.
    pub(crate) fn bare(row: &'static Row) -> Instr {
        Instr {
            row,
            suffix: Suffix::NONE,
            dst: None,
            srcs: SmallVec::new(),
            image: None,
            selectors: None,
            test: None,
            label: None,
        }
    }
}

impl Src {
    /// An operand without sign, swizzle and format.
    pub(crate) fn plain(base: Base, span: Span) -> Src {
        Src {
            negate: false,
            abs: false,
            inner_negate: false,
            base,
            swizzle: Swizzle::IDENTITY,
            format: SourceFormat::Stored,
            perspective: false,
            span,
        }
    }
}

impl PartialEq for Row {
    fn eq(&self, other: &Row) -> bool {
        self.name == other.name
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// From its first to its last token, terminator excluded.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly all statements are instructions")]
pub enum StmtKind {
    /// An instruction.
    Instr(Instr),
    /// Instructions that all read before any writes; microcode of vertex programs only.
    Together(Vec<Instr>),
    /// Declarations made by one statement, in order.
    Declare(Vec<NameId>),
    /// `name:`.
    Label(String),
}

impl StmtKind {
    /// Its instructions.
    pub fn instrs(&self) -> &[Instr] {
        match self {
            StmtKind::Instr(instr) => std::slice::from_ref(instr),
            StmtKind::Together(all) => all,
            StmtKind::Declare(_) | StmtKind::Label(_) => &[],
        }
    }
}

/// Size word of a declaration.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Size {
    /// None written.
    Default,
    /// `SHORT`: fp16.
    Short,
    /// `LONG`: fp32.
    Long,
}

/// One element of a PARAM.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamItem {
    /// A literal.
    Const(ConstValue),
    /// A numbered parameter.
    Param(ParamFile, u16),
    /// A range of numbered parameters, both ends included.
    Range(ParamFile, u16, u16),
    /// `state.*`.
    State(String),
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum NameKind {
    /// `TEMP`.
    Temp(Size),
    /// `DEFINE` (`!!FP1.0`).
    Define(ConstValue),
    /// `DECLARE` (`!!FP1.0`), with its default.
    Declare(Option<ConstValue>),
    /// `PARAM` (ARB); arrays have brackets, with the written size if any.
    Param {
        /// Elements.
        items: Vec<ParamItem>,
        /// `Some` for arrays; the inner size is the one written.
        array: Option<Option<u16>>,
    },
    /// `ADDRESS` (ARB vertex programs), or one that the dialect has without declaring it.
    Address,
    /// `ATTRIB` (ARB).
    Attrib(Base),
    /// `OUTPUT` (ARB).
    Output(Out, Size),
    /// `ALIAS` (ARB).
    Alias {
        /// The name as written.
        of: NameId,
        /// The name at the end of the chain of aliases.
        target: NameId,
    },
}

/// A declared name.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// Spelling.
    pub text: String,
    /// What it stands for.
    pub kind: NameKind,
    /// Where it is declared.
    pub span: Span,
}

impl Name {
    /// The address registers that programs of a dialect have without declaring them, in their order.
    pub(crate) fn addresses(dialect: Dialect) -> Vec<Name> {
        let one = |text: &&str| Name { text: (*text).into(), kind: NameKind::Address, span: Span::default() };
        dialect.addresses().iter().map(one).collect()
    }
}

/// A program.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// Dialect.
    pub dialect: Dialect,
    /// Options by name, in order (ARB).
    pub options: Vec<String>,
    /// Features the options switch on.
    pub features: Features,
    /// Declared names.
    pub names: Vec<Name>,
    /// Statements.
    pub body: Vec<Stmt>,
    /// The instructions they come from, in the order of their places; empty for texts.
    pub microcode: Arc<Vec<crate::nv40::Instr>>,
    /// The same of vertex programs.
    pub vertex_microcode: Arc<Vec<crate::nv40vp::Instr>>,
}

impl Program {
    /// All instructions, in the order of the text.
    pub fn instrs(&self) -> impl Iterator<Item = &Instr> {
        self.body.iter().flat_map(|stmt| stmt.kind.instrs())
    }

    /// The kind of a vertex program, as the opcode table has it.
    pub(crate) fn vertex_kind(&self) -> Vertex {
        match self.dialect {
            Dialect::ArbVertex if self.features.contains(Features::VP3) => Vertex::OPTION3,
            Dialect::ArbVertex if self.features.contains(Features::VP2) => Vertex::OPTION2,
            Dialect::ArbVertex => Vertex::ARB,
            Dialect::Vp10 => Vertex::VP10,
            Dialect::Vp11 => Vertex::VP11,
            Dialect::Vp20 => Vertex::VP20,
            _ => Vertex::empty(),
        }
    }

    /// Number of elements of a PARAM (1 unless it is an array).
    pub fn param_len(items: &[ParamItem]) -> usize {
        items
            .iter()
            .map(|item| match item {
                ParamItem::Range(_, a, b) => usize::from(*b) - usize::from(*a) + 1,
                _ => 1,
            })
            .sum()
    }

    /// What a name stands for, through aliases.
    pub fn resolve(&self, id: NameId) -> &Name {
        &self.names[self.target(id).0]
    }

    /// What one of its names stands for, through aliases.
    pub fn kind<'a>(&'a self, name: &'a Name) -> &'a NameKind {
        match name.kind {
            NameKind::Alias { target, .. } => &self.names[target.0].kind,
            _ => &name.kind,
        }
    }

    /// The name at the end of a chain of aliases.
    pub fn target(&self, id: NameId) -> NameId {
        match self.names[id.0].kind {
            NameKind::Alias { target, .. } => target,
            _ => id,
        }
    }
}
