//! NV40 microcode of vertex programs: words of PC boards and RSX, and of the `.vpo` files of Cg's compiler.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, [`assemble`] reads text, and [`Program::tree`] makes the same tree of either that the text dialects are read
//! to, so that one lift serves all.

mod asm;
mod fields;
mod isa;
mod listing;
mod operand;
mod program;
mod table;
mod tree;

pub(crate) use asm::read;
pub use asm::{assemble, assemble_bytes};
pub use isa::{NvVertex, codec};
pub use listing::{coverage, list, list_labels};
pub(crate) use program::order_of;
pub use program::{BYTES, Instr, Program, sniff};
pub use table::TABLE;
