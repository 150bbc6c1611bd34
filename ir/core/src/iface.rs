//! What a shader reads and writes.

use crate::Type;
use crate::exec::ImageFormat;
use parallax_num::Subgroup;
use std::borrow::Cow;

/// Shader stage.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Runs per pixel, in quads.
    Fragment,
    /// Runs per vertex; lanes are vertices, four to a quad.
    Vertex,
    /// Runs per invocation.
    Compute,
}

impl Stage {
    /// All of them.
    pub const ALL: [Stage; 3] = [Stage::Fragment, Stage::Vertex, Stage::Compute];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Fragment => "fragment",
            Stage::Vertex => "vertex",
            Stage::Compute => "compute",
        }
    }
}

/// What an attribute stands for; the engine fills it accordingly.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum AttrSemantic {
    /// Window position (x, y, z, 1/w).
    Position,
    /// Colour 0 or 1.
    Color(u16),
    /// Fog coordinate in x.
    Fog,
    /// Texture coordinate.
    TexCoord(u16),
    /// Anything else, numbered.
    Generic(u16),
    /// +1 for front-facing in x, else -1.
    Face,
    /// Point sprite coordinate.
    PointCoord,
    /// Initial value of a register, chosen by the caller; read as raw bits.
    Preset,
}

/// Interpolation across a triangle.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Interp {
    /// Divided by the interpolated 1/w.
    Perspective,
    /// Linear in window space.
    Linear,
    /// Value of the provoking vertex.
    Flat,
    /// Perspective unless the draw asks for flat shading.
    Color,
    /// The value divided by w, which is linear in window space: what `Perspective` divides by the interpolated 1/w.
    OverW,
}

/// Where inside the pixel an attribute is evaluated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// Pixel centre.
    Center,
    /// Centroid of the covered samples.
    Centroid,
    /// The sample being shaded.
    Sample,
}

/// An input attribute of four components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttrDecl {
    /// The source's own spelling, such as `IN[0]` or `f[TEX0]`.
    pub name: String,
    /// What it stands for.
    pub semantic: AttrSemantic,
    /// Interpolation.
    pub interp: Interp,
    /// Where it is evaluated.
    pub location: Location,
    /// Whether the program lets it be interpolated as halves (`mediump` in GLSL ES, `RelaxedPrecision` in SPIR-V).
    pub mediump: bool,
}

/// What an output stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum OutputRole {
    /// Colour of a render target.
    Color(u16),
    /// Depth; component 2 (z) holds it.
    Depth,
    /// Depth of one sample other than the first, where the shader runs once for the pixel; component 2 (z) holds it. Samples
    /// without one have that of [`OutputRole::Depth`].
    SampleDepth(u16),
    /// Sample mask; component 0 holds the bits.
    SampleMask,
    /// Stencil reference; component 1 (y) holds it.
    Stencil,
    /// Clip-space position (vertex stage).
    Position,
    /// What the next stage reads as [`AttrSemantic::Color`] of front-facing triangles (vertex stage).
    FrontColor(u16),
    /// What it reads as [`AttrSemantic::Fog`].
    Fog,
    /// What it reads as [`AttrSemantic::TexCoord`].
    TexCoord(u16),
    /// What it reads as [`AttrSemantic::Generic`].
    Generic(u16),
    /// Width of a point in pixels; component 0 holds it (vertex stage).
    PointSize,
    /// Distances to clip planes from this number on, a component each; triangles are cut where one is negative (vertex stage).
    ClipDistance(u16),
    /// What other fixed functions behind the stage read, such as colours of back faces; numbered by the source.
    FixedFunction(u16),
    /// A register the caller asked to see; takes part in no comparison.
    Watch,
}

impl OutputRole {
    /// What an attribute of the next stage is that reads this output.
    pub fn read_as(self) -> Option<AttrSemantic> {
        match self {
            OutputRole::FrontColor(n) => Some(AttrSemantic::Color(n)),
            OutputRole::Fog => Some(AttrSemantic::Fog),
            OutputRole::TexCoord(n) => Some(AttrSemantic::TexCoord(n)),
            OutputRole::Generic(n) => Some(AttrSemantic::Generic(n)),
            _ => None,
        }
    }
}

/// An output of up to four components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputDecl {
    /// The source's own spelling, such as `OUT[0]` or `R3`.
    pub name: String,
    /// What it stands for.
    pub role: OutputRole,
    /// Type of each component that is written; `None` where it is not.
    pub types: [Option<Type>; 4],
}

/// A bank of constant vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankDecl {
    /// The source's own spelling, such as `CONST[0]` or `c`.
    pub name: String,
    /// Number of vectors the shader may read.
    pub len: u32,
    /// Whether callers name its words by their byte addresses, such as `c[0][0x14]`, and not its vectors by number.
    pub by_bytes: bool,
}

/// A constant vector with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstDecl {
    /// The source's own spelling.
    pub name: String,
    /// Bank it stands in.
    pub bank: u16,
    /// Number of the vector in its bank.
    pub index: u32,
    /// The component of the vector that it begins with.
    pub comp: u8,
    /// Type of its components.
    pub ty: Type,
    /// Number of its components, 1 to 4.
    pub count: u8,
    /// What it holds as raw bits, unless the caller sets it.
    pub default: Option<[u32; 4]>,
}

impl ConstDecl {
    /// A whole vector of binary32 numbers.
    pub const fn new(name: String, bank: u16, index: u32, default: Option<[u32; 4]>) -> ConstDecl {
        ConstDecl { name, bank, index, comp: 0, ty: Type::F32, count: 4, default }
    }

    /// Sets its words, which may begin inside of a vector and go on in the next one; what the bank does not have is left out.
    pub fn set(&self, bank: &mut [[u32; 4]], words: impl IntoIterator<Item = u32>) {
        let from = self.index as usize * 4 + usize::from(self.comp);
        let room = bank.as_flattened_mut().get_mut(from..).unwrap_or_default();
        room.iter_mut().zip(words).for_each(|(to, word)| *to = word);
    }
}

/// A texture unit the shader samples.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TexDecl {
    /// Unit number.
    pub unit: u16,
    /// Shape it is used with.
    pub target: crate::TexTarget,
}

/// A buffer of 32-bit words a shader reads or writes. Its size is the caller's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferDecl {
    /// The source's own spelling, such as `BUFFER[0]` or `MEMORY[0]`.
    pub name: String,
    /// Words of memory that every workgroup has anew, zeros at first; `None` for a buffer of the caller.
    pub workgroup: Option<u32>,
    /// Whether every word is a binary32 number, as far as the program says.
    pub floats: bool,
    /// The image whose texels it holds, where they are not just words.
    pub image: Option<ImageDecl>,
}

impl BufferDecl {
    /// A buffer of words that the caller gives.
    pub const fn new(name: String) -> BufferDecl {
        BufferDecl { name, workgroup: None, floats: false, image: None }
    }
}

/// An image that is read and written as memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImageDecl {
    /// Its shape.
    pub shape: ImageShape,
    /// How texels lie.
    pub format: ImageFormat,
    /// Whether the caller may choose another format, since the program names none.
    pub any_format: bool,
}

/// Shape of an image that is read and written as memory.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ImageShape {
    Buffer,
    D1,
    D2,
    D3,
    Cube,
    Rect,
    D1Array,
    D2Array,
    CubeArray,
    D2Samples,
    D2SamplesArray,
}

impl ImageShape {
    /// All of them.
    pub const ALL: [ImageShape; 11] = [
        ImageShape::Buffer,
        ImageShape::D1,
        ImageShape::D2,
        ImageShape::D3,
        ImageShape::Cube,
        ImageShape::Rect,
        ImageShape::D1Array,
        ImageShape::D2Array,
        ImageShape::CubeArray,
        ImageShape::D2Samples,
        ImageShape::D2SamplesArray,
    ];

    /// Its name, as callers write it: `2d_array`.
    pub const fn name(self) -> &'static str {
        match self {
            ImageShape::Buffer => "buffer",
            ImageShape::D1 => "d1",
            ImageShape::D2 => "d2",
            ImageShape::D3 => "d3",
            ImageShape::Cube => "cube",
            ImageShape::Rect => "rect",
            ImageShape::D1Array => "d1_array",
            ImageShape::D2Array => "d2_array",
            ImageShape::CubeArray => "cube_array",
            ImageShape::D2Samples => "d2_samples",
            ImageShape::D2SamplesArray => "d2_samples_array",
        }
    }
}

/// Another name of an attribute, an output, a bank, a buffer or a texture unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AliasDecl {
    /// The other name.
    pub name: String,
    /// The name that the interface has for it.
    pub of: String,
}

/// A texture unit with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitDecl {
    /// The name, such as `0.1` for a descriptor set and a binding.
    pub name: String,
    /// Unit number.
    pub unit: u16,
}

/// Everything a shader reads and writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Stage.
    pub stage: Stage,
    /// Invocations of a workgroup along x, y and z; all 1 outside of compute.
    pub workgroup: [u32; 3],
    /// How wide subgroups have to be; `None` for what the model says.
    pub subgroup: Option<Subgroup>,
    /// Whether invocations are cut into subgroups although no op of subgroups is left: a pass has removed the last one
    /// ([`crate::Func::keep_subgroups`]).
    pub in_subgroups: bool,
    /// Attributes, by the index ops use. Sources that always have the same lend them to all shaders.
    pub attrs: Cow<'static, [AttrDecl]>,
    /// Constant banks, by number.
    pub banks: Vec<BankDecl>,
    /// Constants with a name of their own.
    pub constants: Vec<ConstDecl>,
    /// Texture units, in order of first use.
    pub textures: Vec<TexDecl>,
    /// Outputs, by the index ops use.
    pub outputs: Vec<OutputDecl>,
    /// Buffers, by number.
    pub buffers: Vec<BufferDecl>,
    /// Texture units with names.
    pub units: Vec<UnitDecl>,
    /// Other names.
    pub aliases: Vec<AliasDecl>,
}

impl Interface {
    /// An empty interface.
    pub fn new(stage: Stage) -> Self {
        Interface {
            stage,
            workgroup: [1; 3],
            subgroup: None,
            in_subgroups: false,
            attrs: Cow::default(),
            banks: Vec::new(),
            constants: Vec::new(),
            textures: Vec::new(),
            outputs: Vec::new(),
            buffers: Vec::new(),
            units: Vec::new(),
            aliases: Vec::new(),
        }
    }

    /// The name that the interface has for what a caller names: the name itself, unless it is an alias.
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.iter().find(|alias| alias.name == name).map_or(name, |alias| &alias.of)
    }

    /// Sets the constants for which the program gives a value.
    pub fn set_defaults(&self, banks: &mut [Vec<[u32; 4]>]) {
        for constant in &self.constants {
            if let (Some(bank), Some(default)) = (banks.get_mut(usize::from(constant.bank)), constant.default) {
                constant.set(bank, default.into_iter().take(constant.count.into()));
            }
        }
    }
}
