//! The row interpreter: step programs over rows of lanes, on every host.
//!
//! [`Bytecode::new`] takes a verified shader's step form and flattens it into a list of instructions over *rows*: a row holds
//! one value for every lane of a batch. Instructions run one at a time over all lanes, so the cost of dispatch is shared by the
//! batch. The evaluation contract at the head of `parallax-core` is obeyed to the letter; how many lanes a batch has changes
//! no bit.
//!
//! What makes that work: a value defined inside a region is visible inside that region only, and lanes of a region
//! only ever leave it. Rows of ordinary values may therefore hold anything in quads that do not execute, and those
//! quads are skipped. Region results and loop parameters are what outlives a region; they have rows of their own, which are
//! filled from initial operands and first values in all lanes and from then on written in executing lanes only. Parameters
//! change at the start of an iteration, not at `continue`, so that lanes still in the iteration see their neighbours'
//! values of this one.
//!
//! A shader that writes memory runs quad by quad through the same instructions ([`Bytecode::run_in`]).
//!
//! [`Bytecode::run_traced`] reports every value of every op of the bound shader with its mask to a [`Trace`].
//!
//! ```
//! use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//! use parallax_interp::{Bytecode, Scratch};
//!
//! let source = "shader \"product\" stage(fragment) from(\"example\") {
//!   attr 0 \"a\" generic(0) perspective center
//!   output 0 \"o\" color(0) fp32 - - -
//!   slot p0 = fp32
//!   %0: p0 = attr in0.x
//!   %1: p0 = attr in0.y
//!   %2: p0 = mul %0, %1
//!   out o0.x, %2
//!   yield
//! }
//! ";
//! let shader = text::read(source).expect("a shader").bind(&Model::builtin("ieee").expect("built in"));
//! // A plane for each component of the attribute.
//! let attrs = [[1.5f32; 4], [2.0; 4], [0.0; 4], [0.0; 4]].map(|plane| plane.map(f32::to_bits));
//! let inputs = Inputs {
//!     lanes: 4,
//!     attrs: attrs.as_flattened(),
//!     banks: &[],
//!     sysvals: &[],
//!     covered: &[true; 4],
//!     textures: &NoTextures,
//!     interpolator: &NoInterpolator,
//!     fuel: FUEL,
//! };
//! let mut outputs = Outputs::default();
//! let program = Bytecode::new(verify(&shader).expect("sound IR"));
//! program.run_in(&inputs, Memory::NONE, &mut Scratch::default(), &mut outputs);
//! assert_eq!(outputs.planes[0].to_words(), [u64::from(3f32.to_bits()); 4]);
//! ```

mod arena;
mod backend;
mod exec;
mod fuse;
mod lower;
mod mask;
mod program;
mod scratch;
mod steps;
mod trace;

pub use backend::Interpreter;
pub use mask::Mask;
pub use program::Bytecode;
pub use scratch::Scratch;
pub use trace::{Event, NoTrace, Trace};
