//! Machine code: shaders in lane form as x86-64 instructions, 16 lanes at a time with AVX-512, 8 with AVX2 ([`Level`]).
//!
//! [`compile`] goes from a verified bound shader over step form and lane form to instructions; [`Program`] runs them on
//! batches, as every backend does. All bits are those of the interpreter: each primitive of step form is a fixed pattern of
//! instructions whose results IEEE 754 fixes, and what is left to the reference evaluation - slow lanes, operations without
//! step program - is computed by it, outside of the code. No instruction that approximates decides a bit.
//!
//! Texture lookups and buffers are done outside too: the code saves its registers in the `layout` that it works on, and the host
//! finds the operands there. Lookups of flat images that blend four texels of one level are code (`lookup`), as are local
//! arrays and reads at computed places (`gather`).
//!
//! `unsafe` stands in `thunk` alone, where code is entered and where it calls back.

mod address;
mod asm;
mod audit;
mod avx2;
mod avx512;
mod backend;
mod code;
mod emit;
mod encode;
mod gather;
mod host;
mod layout;
mod level;
mod listing;
mod locations;
mod lookup;
#[cfg(test)]
mod primitives;
mod program;
mod rows;
mod thunk;
mod tile;

pub use backend::MachineCode;
pub use code::CodeMemory;
pub use level::Level;
pub use listing::{Line, Listing};
pub use parallax_lane::Unsupported;
pub use program::{Program, compile, compile_operation, encode};
