//! Step form: every bound op as a short program over exactly defined primitives.
//!
//! A bound op means *an operation under a rule*, and `parallax_num::eval` says what that gives. Step form says the same in
//! few primitives ([`Prim`]) that machines have: IEEE 754 arithmetic in binary32 and binary64, integers, comparisons,
//! selections, bits. [`program`] builds the program of an operation from the fields of its rule.
//!
//! Rare operands may be left to *slow lanes*: the program computes a mask beside its result, and in lanes where it is true
//! `parallax_num::eval` decides. In all others a program's results are the reference's, bit for bit, whatever NaN the
//! primitives give ([`Nans::Scrambled`] tries others); only where nobody sees the bits of a NaN may a program leave them
//! open.
//!
//! ```
//! use parallax_core::num::Model;
//! use parallax_core::{text, verify};
//! use parallax_step::{Programs, legalise};
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
//! let steps = legalise(verify(&shader).expect("sound IR"), &mut Programs::default());
//! // A product of ordinary numbers is one primitive, and every operation has a step program.
//! assert!(steps.counts().steps > 0 && steps.fallbacks().is_empty());
//! ```

mod eval;
mod exact;
mod function;
mod legalise;
mod magnitude;
mod observe;
mod operation;
mod prim;
mod program;
mod rules;
mod simplify;
mod table;
pub mod text;
mod verify;
pub mod words;

pub use eval::{Nans, eval};
pub use function::{Call, Counts, Function, Kind, OpData, OpNumber, OutputType, Region, RegionNumber};
pub use legalise::{Arithmetic, Leaves, legalise, legalise_for, legalise_leaving, legalise_traced};
pub use operation::operation;
pub use prim::{Direction, Immediate, Mode, NanEffect, Prim, Row, Slot, Ty};
pub use program::{Code, Emit, Facts, Id, Inst, MAX_ARGS, Program};
pub use rules::{Programs, params, program, result, second};

pub use table::Table;
pub use verify::verify;
