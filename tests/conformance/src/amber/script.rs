//! What a script says.

use super::buffer::Buffer;
use super::format::Format;
use crate::ShaderStage;
use parallax_texture::{Compare, Sampler};
use std::collections::BTreeMap;

/// A script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// Features and extensions it asks for.
    pub features: Vec<String>,
    /// Shaders by name.
    pub shaders: BTreeMap<String, ScriptShader>,
    /// Buffers and images by name.
    pub buffers: BTreeMap<String, Buffer>,
    /// Samplers by name.
    pub samplers: BTreeMap<String, Sampler>,
    /// Pipelines by name.
    pub pipelines: BTreeMap<String, Pipeline>,
    /// What is done.
    pub commands: Vec<Command>,
}

/// A shader.
#[derive(Clone, Debug)]
pub struct ScriptShader {
    /// Its stage; `None` for modules with several.
    pub stage: Option<ShaderStage>,
    /// Its source.
    pub source: Source,
    /// The environment that it is compiled for.
    pub environment: Option<String>,
}

/// The source of a shader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Location 0 is the position.
    PassThrough,
    /// GLSL.
    Glsl(String),
    /// Assembly.
    Assembly(String),
    /// The words of a module.
    Words(Vec<u32>),
}

/// A pipeline.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// Whether it draws.
    pub is_graphics: bool,
    /// Shaders.
    pub attachments: Vec<Attachment>,
    /// Buffers and images that shaders see.
    pub bindings: Vec<Binding>,
    /// Buffers that are drawn to.
    pub colours: Vec<Colour>,
    /// Buffers that the samples of those are resolved to, in the same order.
    pub resolved: Vec<String>,
    /// The buffer of depths.
    pub depths: Option<String>,
    /// What is done with depths, if the script says.
    pub depth: Option<Depth>,
    /// Where it draws; everywhere if the script does not say.
    pub viewport: Option<Viewport>,
    /// What polygons leave.
    pub polygons: PolygonMode,
    /// Attributes.
    pub vertices: Vec<VertexData>,
    /// Numbers of vertices.
    pub indices: Option<String>,
    /// Width and height of what is drawn to.
    pub size: [usize; 2],
    /// What the runner does not do of it.
    pub refused: Option<String>,
}

/// A buffer that is drawn to.
#[derive(Clone, Debug)]
pub struct Colour {
    /// The output of fragments.
    pub location: u16,
    /// The buffer.
    pub buffer: String,
    /// The level of detail.
    pub level: u32,
}

/// What is done with depths.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Depth {
    /// Whether fragments are compared with what is stored.
    pub test: bool,
    /// Whether their depths are stored.
    pub write: bool,
    /// How they compare: the fragment stands to the left.
    pub compare: Compare,
    /// Whether depths are moved into the range of the viewport, and nothing is cut away before and behind it.
    pub clamp: bool,
    /// The least and the largest depth that may be stored where a fragment is drawn.
    pub bounds: Option<[f64; 2]>,
    /// Added to the depths of polygons: units of the last place, the most it may be, parts of the slope.
    pub bias: [f64; 3],
}

impl Default for Depth {
    fn default() -> Depth {
        Depth { test: false, write: false, compare: Compare::Always, clamp: false, bounds: None, bias: [0.0; 3] }
    }
}

/// Where a pipeline draws.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Viewport {
    /// Left and top in pixels.
    pub at: [f64; 2],
    /// Width and height.
    pub size: [f64; 2],
    /// The least and the largest depth.
    pub depths: [f64; 2],
}

/// What polygons leave.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum PolygonMode {
    /// What lies inside.
    #[default]
    Fill,
    /// Their edges.
    Line,
    /// Their corners.
    Point,
}

/// A shader of a pipeline.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Its name.
    pub shader: String,
    /// Its stage.
    pub stage: ShaderStage,
    /// Its entry point.
    pub entry: String,
    /// Specialisation constants.
    pub spec: BTreeMap<u32, u64>,
}

/// A buffer that shaders see.
#[derive(Clone, Debug)]
pub struct Binding {
    /// What it is to them.
    pub kind: BindingKind,
    /// The buffers; several are an array.
    pub buffers: Vec<String>,
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Bytes that are left out at the beginning of each.
    pub offsets: Vec<usize>,
    /// The sampler of an image.
    pub sampler: Option<String>,
}

/// What a buffer is to the shaders.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BindingKind {
    /// A block of uniforms.
    Uniform,
    /// A block that can be written.
    Storage,
    /// Push constants.
    Push,
    /// An image that is looked up.
    Image,
}

/// An attribute of vertices.
#[derive(Clone, Debug)]
pub struct VertexData {
    /// The buffer.
    pub buffer: String,
    /// The location.
    pub location: u16,
    /// Bytes left out at its beginning.
    pub offset: usize,
}

/// Something that is done.
#[derive(Clone, Debug)]
pub enum Command {
    /// A pipeline runs.
    Run {
        /// Its name.
        pipeline: String,
        /// How.
        run: Run,
    },
    /// The colour that a pipeline's buffers are cleared to from now on.
    ClearColour {
        /// Its name.
        pipeline: String,
        /// The colour.
        colour: [f64; 4],
    },
    /// The depth that a pipeline's buffer is cleared to from now on.
    ClearDepth {
        /// Its name.
        pipeline: String,
        /// The depth.
        depth: f64,
    },
    /// The buffers of a pipeline are cleared.
    Clear(String),
    /// A buffer becomes as another.
    Copy {
        /// The other.
        from: String,
        /// The one that changes.
        to: String,
    },
    /// Numbers are written to a buffer.
    Write {
        /// The buffer.
        buffer: String,
        /// The data type of the numbers.
        format: Format,
        /// The byte of the first.
        at: usize,
        /// The numbers.
        values: Vec<String>,
    },
    /// Something must be so.
    Expect(Expectation),
    /// Commands are done several times.
    Repeat(u32, Vec<Command>),
}

/// How a pipeline runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// A grid of workgroups.
    Dispatch([u32; 3]),
    /// A rectangle in pixels: left, top, width, height.
    Rect([f64; 4]),
    /// A rectangle in pixels, as so many columns and rows of smaller ones.
    Grid([f64; 4], [usize; 2]),
    /// Vertices.
    Array {
        /// What they form.
        topology: Topology,
        /// The first.
        first: usize,
        /// How many.
        count: Option<usize>,
        /// Whether they are looked up in the indices.
        indexed: bool,
    },
}

/// What vertices form.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Topology {
    /// Points.
    Points,
    /// Lines of two vertices each.
    Lines,
    /// Lines: each vertex with the one before it.
    LineStrip,
    /// Triangles of three vertices each.
    List,
    /// Triangles: each vertex with the two before it.
    Strip,
    /// Triangles: each vertex with the one before it and the first.
    Fan,
}

impl Topology {
    /// The topology of this name.
    pub fn named(name: &str) -> Option<Topology> {
        Some(match name {
            "POINT_LIST" => Topology::Points,
            "LINE_LIST" => Topology::Lines,
            "LINE_STRIP" => Topology::LineStrip,
            "TRIANGLE_LIST" => Topology::List,
            "TRIANGLE_STRIP" => Topology::Strip,
            "TRIANGLE_FAN" => Topology::Fan,
            _ => return None,
        })
    }
}

/// How images are looked up.
pub type Sampling = Sampler;

/// Something that must be so.
#[derive(Clone, Debug)]
pub struct Expectation {
    /// The line of the script.
    pub line: usize,
    /// The buffer.
    pub buffer: String,
    /// What must hold.
    pub kind: ExpectationKind,
}

/// What must hold of a buffer.
#[derive(Clone, Debug)]
pub enum ExpectationKind {
    /// Numbers from a byte on.
    Numbers {
        /// The byte.
        at: usize,
        /// Their data type; that of the buffer if there is none.
        format: Option<Format>,
        /// How they compare.
        comparator: Comparator,
        /// To what.
        values: Vec<String>,
        /// How exactly.
        tolerances: Vec<Tolerance>,
    },
    /// Colours of a rectangle.
    Colours {
        /// Left, top, width, height.
        rect: [usize; 4],
        /// From 0 to 1; three or four.
        colour: Vec<f64>,
        /// How exactly.
        tolerances: Vec<Tolerance>,
    },
    /// It is as another.
    Same(String),
    /// It differs from another by no more, in the root of the mean of the squares.
    Near(String, f64),
    /// The histograms of its colours differ from those of another by no more.
    Histogram(String, f64),
}

/// How a number compares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// How far a number may be off.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// By how much.
    pub value: f64,
    /// Whether that is in hundredths of what is expected.
    pub percent: bool,
}
