//! SPIR-V modules of bound shaders: the model's bits, computed in integers.
//!
//! A shader becomes step form, its primitives words ([`parallax_step::words`]), and these instructions on integers of 32 bits,
//! selections and calls of the routines that take many of them. Float instructions only read inputs, sample textures, write
//! outputs and move whole numbers between the pixels of a quad. Control is structured as in the IR.
//!
//! What cannot be said in a module, or not with the model's bits, is refused by name: [`translate`] gives all reasons.

mod companion;
mod entry;
mod flow;
mod interface;
mod module;
mod output;
mod quad;
mod reads;
mod refusal;
mod texture;
mod words;

pub use companion::{Companions, PER_PASS, Passed};
pub use entry::{Figures, Options, Translation, translate};
pub use interface::{Bank, Input, Interface, Output, Texture};
