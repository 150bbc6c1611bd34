//! ATTILA shader instructions: 128-bit words, their assembly, and their lifting.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, [`assemble`] reads text; both collect all problems of a file. Where the source document and the original
//! simulator differ, `docs/attila.md` says what was chosen.
//!
//! ```
//! use parallax_attila::{assemble, lift};
//! use parallax_lift::Options;
//!
//! let (program, problems) = assemble("add r0, i0, c0\nmul o1, r0, r0\n");
//! assert!(problems.is_empty());
//! let program = program.expect("a program without errors");
//! let shader = lift(&program, &Options::default()).expect("nothing unsupported");
//! assert_eq!(shader.func.iface.outputs.len(), 1);
//! ```

mod asm;
mod check;
mod codec;
mod control_flow;
pub mod fields;
mod frontend;
mod instr;
mod isa;
mod kind;
mod lift;
pub mod limits;
mod literal;
mod placeholder;
mod program;
mod sem;
mod sniff;
mod table;
mod trials;

pub use asm::{assemble, assemble_bytes, read_instruction};
pub use check::check;
pub use codec::codec;
pub use frontend::FRONTEND;
pub use instr::{Bank, Condition, Dst, Guard, Instr, Relative, Source};
pub use isa::Attila;
pub use kind::Kind;
pub use lift::{SETTINGS, lift};
pub use program::{Program, coverage, list, list_labels};
pub use sem::{Lookup, Sem};
pub use sniff::{is_assembly, is_binary, may_be_attila};
pub use table::TABLE;
