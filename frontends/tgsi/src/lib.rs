//! TGSI text: reader, checker, printer, lifting.
//!
//! [`parse`] reads a text and collects all its errors; a [`Program`] prints as canonical text that reads back to the
//! same tree; [`lift`] turns it into the shared IR. Facts follow the TGSI document of 2017 and, where that is silent,
//! the text parser and interpreter of Mesa 22.3.6.
//!
//! ```
//! use parallax_lift::Options;
//! use parallax_tgsi::{lift, parse, print};
//!
//! let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
//! let (program, problems) = parse(text);
//! assert!(problems.is_empty());
//! let program = program.expect("a program without errors");
//! assert!(parse(&print(&program)).0.is_some());
//! let shader = lift(&program, &Options::default()).expect("nothing unsupported");
//! assert_eq!(shader.func.iface.outputs.len(), 1);
//! ```

mod ast;
mod check;
mod codes;
mod frontend;
mod lift;
mod opcode;
mod print;
mod reader;
mod structure;
mod table;
#[cfg(test)]
mod tests;
mod trials;
mod words;

pub use ast::{
    DeclDim, Declaration, Dst, Extra, Immediate, Index, Indirect, Instruction, Offset, Program, Property, Reg,
    Resource, Src,
};
pub use codes::CODES;
pub use frontend::FRONTEND;
pub use lift::{SETTINGS, WideOp, lift};
pub use opcode::{Opcode, Operand, Row, Shape};
pub use print::print;
pub use reader::{parse, sniff};
pub use words::{
    File, ImmType, Interpolation, MemoryKind, Origin, PixelCenter, Place, Primitive, Processor, PropertyName,
    ReturnType, Semantic, Target,
};
