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
pub mod fields;
mod frontend;
mod group;
mod kind;
mod layout;
mod lift;
mod maps;
mod number;
mod opcode;
mod operation;
mod print;
mod register;
mod sniff;
mod statement;
mod sums;
mod syntax;
mod table;

pub use asm::{assemble, assemble_bytes};
pub use frontend::FRONTEND;
pub use group::{Condition, Feed, Group, GroupKind, Place, Program};
pub use kind::Kind;
pub use layout::groups;
pub use lift::{SETTINGS, lift};
pub use opcode::{Opcode, Phase};
pub use operation::{
    Address, Adjustment, AlphaTest, Branch, Choice, Conversion, Factor, IteratedLookup, Iteration, Lookup, Modifiers,
    Operation, Operator, Reduction, Relation, SumOfProducts, Test, TestType, Uvsw, Who, Width,
};
pub use print::{coverage, list, list_into, list_labels};
pub use register::{Bank, Register};
pub use sums::{Sum, WideLine, WideSum};
pub use table::TABLES;

use parallax_isa::{Isa, Syntax};
use parallax_text::{Comments, LexOptions};

/// The instruction set, for `parallax_isa`.
pub struct Usc;

/// How texts are cut into tokens for messages.
pub(crate) const LEXER: LexOptions =
    LexOptions { comments: Comments::SlashesOr(b'#'), newlines: true, carriage_return: true, floats: true };

impl Isa for Usc {
    type Kind = Kind;
    type Lift = Opcode;

    const LEXER: LexOptions = LEXER;

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.0
    }
}

/// Names of the formats of pack and unpack, by their codes: what `pck.NAME` is followed by. Those nobody names are numbered.
pub const FORMATS: [&str; 32] = [
    "u8888",
    "s8888",
    "o8888",
    "u1616",
    "s1616",
    "o1616",
    "u32",
    "s32",
    "u1010102",
    "s1010102",
    "u111110",
    "s111110",
    "f111110",
    "se9995",
    "f16f16",
    "f32",
    "cov",
    "u565u565",
    "d24s8",
    "s8d24",
    "f32_mask",
    "2f10f10f10",
    "s8888ogl",
    "s1616ogl",
    "format24",
    "format25",
    "format26",
    "format27",
    "format28",
    "format29",
    "zero",
    "one",
];

#[cfg(test)]
mod tests;
