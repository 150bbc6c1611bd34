//! Machine code: shaders in lane form as x86-64 instructions, 16 lanes at a time with AVX-512, 8 with AVX2 ([`Level`]).
//!
//! [`compile`] goes from a verified bound shader over step form and lane form to instructions; [`Program`] runs them on
//! batches, as every backend does. All bits are those of the interpreter: each primitive of step form is a fixed pattern of
//! instructions whose results IEEE 754 fixes, and what is left to the reference evaluation - slow lanes, operations without
//! step program - is computed by it, outside of the code. No instruction that approximates decides a bit.
//!
//! Texture lookups and texels in memory are done outside too: the code saves its registers in the `layout` that it works on, and
//! the host finds the operands there. Lookups of flat images that blend four texels of one level are code (`lookup`), as are local
//! arrays and reads at computed places (`gather`), and words of buffers (`memory`). Where memory is written or lanes wait for each
//! other, they take turns (`turns`).
//!
//! `unsafe` stands in `thunk` alone, where code is entered and where it calls back.
//!
//! ```
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//! use parallax_step::Programs;
//! use parallax_x86::{Level, Listing};
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
//! // Any host can make and list the code; to run it is for `compile`.
//! let verified = verify(&shader).expect("sound IR");
//! let mut programs = Programs::default();
//! let listing = Listing::new(verified, Level::Avx512, &mut programs).expect("nothing that is not compiled");
//! assert!(listing.lines.iter().any(|line| line.text.starts_with("vmulps")));
//! ```

mod address;
mod arena;
mod asm;
mod audit;
mod avx2;
mod avx512;
mod backend;
mod code;
mod emit;
mod encode;
mod exchange;
mod frames;
mod gather;
mod groups;
mod host;
mod layout;
mod level;
mod lines;
mod listing;
mod locations;
mod lookup;
mod memory;
mod operand;
#[cfg(test)]
mod primitives;
mod program;
mod rows;
mod thunk;
mod tile;
mod turns;

pub use backend::MachineCode;
pub use code::CodeMemory;
pub use level::Level;
pub use listing::{Line, Listing};
pub use parallax_lane::{Turns, Unsupported};
pub use program::{Program, compile, compile_operation, encode};
