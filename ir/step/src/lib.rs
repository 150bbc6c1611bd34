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

mod eval;
mod exact;
mod function;
mod known;
mod legalise;
mod observe;
mod operation;
mod prim;
mod program;
mod rules;
mod simplify;
mod table;
pub mod text;
mod verify;

pub use eval::{Nans, eval};
pub use function::{Call, Counts, Function, Kind, OpData, OpNumber, OutputType, Region, RegionNumber};
pub use legalise::{Arithmetic, legalise, legalise_for, legalise_traced};
pub use operation::operation;
pub use prim::{Direction, Immediate, Mode, NanEffect, Prim, Row, Slot, Ty};
pub use program::{Code, Emit, Facts, Id, Inst, MAX_ARGS, Program};
pub use rules::{Programs, params, program, result};

pub use table::Table;
pub use verify::verify;
