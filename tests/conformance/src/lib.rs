//! Runs the shaders of Khronos' conformance tests (a checkout of `KhronosGroup/VK-GL-CTS`) where they lie, and compares what
//! they leave behind with what the tests ask for: the scripts for Amber, and the cases of the shader library that list
//! values. Nothing of the tests is kept here.
//!
//! ```sh
//! PARALLAX_CONFORMANCE=~/VK-GL-CTS cargo run --release -p parallax-conformance
//! ```
//!
//! GLSL is compiled by `glslangValidator`, which has to be on the path; assembly is assembled by `parallax-spirv`.

pub mod amber;
mod case;
mod compiler;
mod guard;
pub mod library;
mod module;
mod outcome;
mod tally;

pub use case::{Case, cases};
pub use compiler::{Compiler, NotCompiled, ShaderStage};
pub use guard::guarded;
pub use module::{Prepared, SpirvModule, prepare};
pub use outcome::Outcome;
pub use tally::Tally;

/// The variable that names the folder of the tests.
pub const FOLDER: &str = "PARALLAX_CONFORMANCE";
