//! PowerVR USC instruction groups: bytes of variable length, their text, and their lifting.
//!
//! A group is a header, the operations of up to three phases and a backend, two maps of sources, selectors of internal
//! sources and destinations. Each of these parts is matched by rows of its own; `docs/usc.md` draws one byte by byte. Source:
//! PowerVR Instruction Set Reference, PowerVR SDK REL_18.2, November 2018. Its encoding is not in that document: it is that
//! of the MIT-licensed Mesa compiler, confirmed by programs of the vendor's own compiler.
//!
//! ```
//! use parallax_lift::Options;
//! use parallax_usc::{assemble, lift};
//!
//! let (program, problems) = assemble("0 : fadd ft0, r0, r1\n    mov r2, ft0\n");
//! assert!(problems.is_empty());
//! let program = program.expect("a program without errors");
//! assert!(lift(&program, &Options { watch: vec!["r2".into()], ..Options::default() }).is_ok());
//! ```

mod asm;
mod build;
mod constants;
mod decode;
mod fields;
mod formats;
mod frontend;
mod group;
mod isa;
mod layout;
mod lift;
mod number;
mod opcode;
mod operand;
mod operation;
mod print;
mod register;
mod sniff;
mod statement;
mod sums;
mod table;
mod view;

pub use asm::{assemble, assemble_bytes, assemble_group};
pub use frontend::FRONTEND;
pub use group::{Group, Head, Place, Program};
pub use isa::{Kind, Usc};
pub use layout::groups;
pub use lift::{SETTINGS, lift};
pub use print::{coverage, list, list_into, list_labels};
pub use table::TABLES;

#[cfg(test)]
mod tests;
mod trials;
