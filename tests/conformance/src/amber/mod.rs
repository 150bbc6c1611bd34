//! Amber scripts: what their documentation (`docs/amber_script.md` of `google/amber`) describes, as far as this emulator has
//! something to run it on.

mod buffer;
mod draw;
mod execute;
mod expect;
mod format;
mod parse;
mod script;
mod tokens;
mod vkscript;

pub use buffer::Buffer;
pub use execute::run;
pub use format::{Component, Format, Scalar, Segment};
pub use parse::parse;
pub use script::{
    Attachment, Binding, BindingKind, Command, Comparator, Expectation, ExpectationKind, Pipeline, Run, Sampling,
    Script, ScriptShader, Source, Tolerance, Topology, VertexData,
};
