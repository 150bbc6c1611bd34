//! SPIR-V modules, binary and assembly: reader, checker, printer, assembler, lifting.

mod constants;
mod debug;
mod decorations;
mod frontend;
mod grammar;
mod lift;
mod listing;
mod module;
mod types;

pub use debug::SourcePlace;
pub use frontend::FRONTEND;
pub use grammar::{Grammar, opcode_row};
pub use lift::{SETTINGS, lift};
pub use module::{HEADER_WORDS, Instruction, MAGIC, MAX_BOUND, Module, is_binary, string};
