//! Lane form: a shader as straight code over virtual registers of two classes, vectors and masks.
//!
//! Step form holds values; lane form says where the lanes of a block are. A *block* is the lanes that run together: as many
//! 32-bit words as a vector register of the machine has. A 32-bit value is one vector register, a 64-bit value two: the lower
//! half of the lanes and the upper half. A truth value is a mask register, which says of each lane whether it is true. Regions become labels and jumps over masks: code that no lane of a block executes is
//! jumped over, everything else runs in all lanes, and only the results of regions are merged under the mask of the lanes
//! that execute ([`lower()`]). What is the same in all lanes is computed once per batch, in the prologue.
//!
//! Shaders that write memory, and kernels whose invocations wait for each other, take turns: a turn is the code up to the end or
//! the next barrier, in the lanes that may run together ([`Turns`]).
//!
//! [`place_modes`] sets rounding and the flushing of tiny results where instructions ask for it, [`allocate`] gives every virtual register
//! one place for its whole life, and [`check`] proves that each use finds the value that it asks for.
//!
//! ```
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//! use parallax_lane::{lower, print};
//! use parallax_step::{Arithmetic, Programs, legalise_for};
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
//! let steps = legalise_for(verify(&shader).expect("sound IR"), &mut Programs::default(), Arithmetic::FirstNan);
//! let function = lower(&steps, 16).expect("nothing that is not compiled");
//! assert!(print(&function, None).contains("fmul.f32"));
//! ```

mod address;
mod calendar;
mod check;
mod control;
mod dead;
mod exchange;
mod form;
mod interleave;
mod interleaved;
mod intervals;
mod liveness;
mod lives;
mod lower;
mod modes;
mod nan_order;
mod number;
mod ranges;
mod recompute;
mod scan;
mod schedule;
pub mod text;
mod turns;
mod unroll;

pub use check::{check, check_apart};
pub use form::{
    Class, Exchange, Function, Group, Inst, Label, Op, Part, Reg, RegData, Site, SiteKind, Source, Stream, Stride,
    Turns,
};
pub use interleave::pays_to_interleave;
pub use interleaved::{Distances, INTERLEAVED, is_for_all};
pub use lives::Lives;
pub use lower::{Unsupported, lower, lower_groups};
pub use modes::{Directions, choose_mode, place_modes};
pub use scan::{Allocation, Place, Registers, allocate, allocate_blocks};
pub use schedule::schedule;
pub use text::{mnemonic, print};
