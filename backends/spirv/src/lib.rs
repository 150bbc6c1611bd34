//! SPIR-V modules of bound shaders: the model's bits, computed in integers, or the device's own arithmetic ([`Arithmetic`]).
//!
//! A shader becomes step form, its primitives words ([`parallax_step::words`]), and these instructions on integers of 32 bits,
//! selections and calls of the routines that take many of them. In faithful arithmetic float instructions only read inputs, sample textures, write
//! outputs and move whole numbers between the pixels of a quad. Control is structured as in the IR.
//!
//! With the feature `texts` a module is also written in WGSL, GLSL, HLSL and MSL (`text`).
//!
//! What cannot be said in a module, or not with the model's bits, is refused by name: [`translate`] gives all reasons.

mod capture;
mod companion;
mod entry;
mod flow;
mod host;
mod interface;
mod language;
mod lookup;
mod memory;
mod module;
mod output;
mod quad;
mod reads;
mod refusal;
#[cfg(feature = "texts")]
mod texts;
mod texture;
mod words;

pub use capture::{CAPTURED, PER_OUTPUT, captured};
pub use companion::{Companions, PER_PASS, Passed};
pub use entry::{Figures, Options, Translation, translate};
pub use host::{Arithmetic, Assume, Host, Open};
pub use interface::{Bank, Buffer, Input, Interface, Output, Texture};
pub use language::Language;
pub use lookup::{Fetched, Lookups, Unit, fetched_shape};
pub use reads::locations;
#[cfg(feature = "texts")]
pub use texts::{SamplerHeap, Text, text};
