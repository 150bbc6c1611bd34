//! Random shaders and inputs, for property tests of every crate that handles the IR.
//!
//! Everything is built from a list of numbers, the *choices*: equal lists give equal shaders, shorter lists and smaller
//! numbers simpler ones. A property test therefore asks `proptest` for a `Vec<u32>` and shrinks by that alone; other
//! tests take [`choices`] of a seed.
//!
//! ```
//! let shader = parallax_gen::shader(&parallax_gen::choices(7, 200));
//! assert!(parallax_core::verify(&shader).is_ok());
//! ```

mod batch;
mod body;
mod choices;
mod counted;
mod coverage;
mod images;
mod kernel;
mod nv;
mod rules;
mod shrink;

pub use batch::{Batch, EchoTextures, HashTextures};
pub use body::{kernel, shader, slots, straight_shader};
pub use choices::{Choices, choices};
pub use coverage::Coverage;
pub use nv::{NV_REGISTERS, nv_program};
pub use rules::{near, operands, random_rule, random_texture_rule, shape, word};
pub use shrink::{filetest, shrink};
