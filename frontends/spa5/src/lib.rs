//! SPA 5.0 (Maxwell) shader instructions: 64-bit words with control words, their assembly, and their lifting.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, a shader program header in front of it or not; [`assemble`] reads text; both collect all problems of a file.
//!
//! ```
//! use parallax_lift::{Layout, Options};
//! use parallax_spa5::{assemble, lift};
//!
//! let (program, problems) = assemble("FADD R0, R0, R1\nEXIT\n", &Layout::default());
//! assert!(problems.is_empty());
//! let program = program.expect("a program without errors");
//! let options = Options { preset: vec!["R0".into(), "R1".into()], watch: vec!["R0".into()], ..Options::default() };
//! assert!(lift(&program, &options).is_ok());
//! ```

mod asm;
mod check;
mod codec;
mod examples;
pub mod fields;
mod float;
mod frontend;
mod header;
mod instr;
mod isa;
mod lift;
mod listing;
mod named;
mod number;
mod op;
mod operand;
mod program;
mod reduction;
mod sniff;
mod special;
mod table;
mod view;

pub use asm::{assemble, assemble_bytes, read_instruction};
pub use check::check;
pub use codec::codec;
pub use frontend::FRONTEND;
pub use header::{Header, Interpolation};
pub use instr::Instr;
pub use isa::Spa5;
pub use lift::{COVERED_TRUE, OFFSET_FRAC_BITS, OFFSET_SAMPLES, SETTINGS, lift};
pub use listing::{list, list_labels};
pub use op::Op;
pub use operand::Kind;
pub use program::{Addresses, Program, bundles, coverage};
pub use sniff::{is_assembly, is_binary, may_be_spa5};
pub use table::TABLE;
