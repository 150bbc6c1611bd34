//! SPIR-V modules, binary and assembly: reader, checker, printer, assembler, lifting.

mod grammar;
mod module;
mod text;

pub use grammar::{Grammar, opcode_row};
pub use module::{HEADER_WORDS, Instruction, MAGIC, MAX_BOUND, Module, is_binary, string};
pub use text::{Assembled, assemble, disassemble, instruction_text};
