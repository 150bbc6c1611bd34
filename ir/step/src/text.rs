//! The textual form, which [`print()`] writes. One statement stands on a line; a comment runs from `;` to its end.
//!
//! ```text
//! steps "blend" stage(fragment) from("tgsi") model("nv-patent") {
//!   attrs 1
//!   output 0 f32:32 - - -
//!   slot p0 = fp32
//!   %0: i32 = attr(0, x)
//!   %1: f32 = float %0
//!   %2: f32 = flush %1
//!   %3: f32 = fmul.ftz %2, %2
//!   %4: mask = funo %3, %3
//!   %5: f32 = redo mul p0 f32 %4, %3, %1, %1
//!   out(0, x) %5
//!   yield
//! }
//! ```
//!
//! - Primitives are written as `docs/steps.md` lists them, the immediate behind the name: `fmul.rtz.ftz`, `first.ffc00000`,
//!   `table.rcp`.
//! - `redo` and `call` name an operation, the slot its rule is bound for (`-`: none) and the container of its operand.
//! - Other ops are those of the IR; what they have besides operands stands in parentheses.

pub(crate) mod inst;
mod print;

/// Pieces of the textual form, for other forms made of the same calls and ops.
pub mod part {
    pub use super::print::{call as print_call, kind as print_kind, quote};
}

pub use print::print;
