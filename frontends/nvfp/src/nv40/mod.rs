//! NV40 microcode: the binary form of NV fragment programs, for PC boards and RSX.
//!
//! The rows in [`TABLE`] say what is encoded where; [`codec`] is everything read from them. [`Program::decode`] reads a
//! binary, [`assemble`] reads text, and [`Program::tree`] makes the same tree of either that the text dialects are read
//! to, so that one lift serves all.

mod asm;
pub mod build;
mod codec;
mod fields;
mod instr;
mod isa;
mod kind;
mod listing;
mod number;
mod program;
mod sniff;
mod table;
mod tree;

pub(crate) use asm::read;
pub use asm::{assemble, assemble_bytes};
pub use codec::codec;
pub use instr::Instr;
pub use isa::Nv40;
pub use kind::Kind;
pub(crate) use kind::{ANY_TEST, TEST_NAMES};
pub use listing::{coverage, list, list_labels};
pub use program::{Order, Program};
pub use sniff::sniff;
pub(crate) use sniff::{order_of, recognise};
pub use table::TABLE;
