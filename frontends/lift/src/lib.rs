//! Lifting kit: register variables, staged writes, SSA construction, structured control.
//!
//! A frontend gives every register component it can tell apart a *variable* and speaks of reads and writes only. The
//! [`Lifter`] keeps what each variable holds, with its type, and turns structured control into regions with parameters and
//! results. A variable read under another type than it holds is converted by its bits. Moving a constant or attribute emits
//! nothing: the read happens, as a float or as raw bits, where the first operation uses it. Where such a value meets
//! others, both are kept ready (`meet`).
//!
//! ```
//! use parallax_core::num::Decl;
//! use parallax_core::{Func, Shader, Stage, verify};
//! use parallax_lift::Lifter;
//!
//! let mut func = Func::new("double", "example", Stage::Fragment);
//! let mut lifter = Lifter::new(&mut func);
//! let register = lifter.add_variables(1);
//! lifter.preset("r0", &[register]);
//! let value = lifter.read(register, Decl::F32);
//! lifter.set(register, value);
//! let last = lifter.get(register);
//! lifter.watch("r0", [Some(last), None, None, None]);
//! lifter.finish().expect("no problems");
//! assert!(verify(&Shader::new(func)).is_ok());
//! ```

mod access;
mod calls;
mod control;
mod fault;
mod frontend;
mod inputs;
mod interface;
mod kernel;
mod lifter;
mod meet;
mod options;
mod params;
mod spelling;
pub mod structure;
#[cfg(test)]
mod tests;
mod trials;
mod variable;
pub mod vector;
mod write_buffer;

pub use access::Access;
pub use calls::{Calls, MAX_CALLS, MAX_DEPTH};
pub use control::{Label, Turns};
pub use fault::{FAULT, Fault};
pub use frontend::{
    Assembled, Frontend, Labelled, Layout, ListPlain, Listed, Listing, Machine, Read, RegisterFile, Reprint, Request,
    ValueFormat, utf8,
};
pub use inputs::{Input, InputNames};
pub use kernel::{Kernel, Param};
pub use lifter::{Lifter, MAX_PASSED};
pub use options::{Embedded, Options, Setting, unplaced};
pub use spelling::Spelling;
pub use trials::Trials;
pub use variable::{Deferred, VarId};
pub use write_buffer::WriteBuffer;

pub use parallax_core as core;
