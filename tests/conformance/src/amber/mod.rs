//! Amber scripts: what their documentation (`docs/amber_script.md` of `google/amber`) describes, as far as this emulator has
//! something to run it on.

mod buffer;
mod commands;
mod depth;
mod draw;
mod elements;
mod execute;
mod expect;
mod floats;
mod format;
mod parse;
mod pipeline;
mod primitives;
mod script;
mod store;
mod tokens;
mod vkscript;

pub use buffer::Buffer;
pub use execute::run;
pub use format::{Component, Format, Scalar, Segment};
pub use parse::parse;
pub use script::{
    Attachment, Binding, BindingKind, Colour, Command, Comparator, Depth, Expectation, ExpectationKind, Pipeline,
    PolygonMode, Run, Sampling, Script, ScriptShader, Source, Tolerance, Topology, VertexData, Viewport,
};
