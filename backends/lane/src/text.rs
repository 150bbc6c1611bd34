//! The textual form, which [`print()`] writes. One instruction stands on a line, results in front of `=`.
//!
//! ```text
//! lanes "blend" model("nv-patent") mode(nearest.ftz)
//! attributes 4
//! outputs 32 - - -
//! kept 1 0
//! slot p0 = fp32
//! uniform0: bank 0[0].0
//! prologue {
//!   v0 = flush.f32 uniform0
//!   keep kept0 v0
//! }
//! body {
//!   v2 = pixel.x
//!   v3 = pixel.y
//!   v4 = attr 0.0 v2, v3
//!   m5 = funo.f32 v4, v4
//!   v6 = fmul.f32.ftz v4, kept0
//!   v6 = redo mul p0 f32 (f32 f32 -> f32) m5, v4, kept0, v6
//!   out 0.0 bits 32 f32 v6
//! L0:
//! }
//! ```
//!
//! - `v` are vector registers, `m` mask registers; what never changes stands as itself: bits (8 digits: 32 in each lane, 16: 64), words
//!   of constant banks, what the prologue keeps, `quadlane`.
//! - Primitives carry the type they are taken at, what their immediate adds, and the half of the lanes that they are about.
//! - `redo` and `call` name an operation as step form does, `op` an op of the IR; then come types of operands and results.

mod print;

pub use print::{mnemonic, print};
