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
pub mod fields;
mod float;
mod frontend;
mod header;
mod instr;
mod lift;
mod listing;
mod number;
mod op;
mod operand;
mod program;
mod reduction;
mod sniff;
mod special;
mod table;

pub use asm::{assemble, assemble_bytes};
pub use check::check;
pub use frontend::FRONTEND;
pub use header::{Header, Interpolation};
pub use instr::Instr;
pub use lift::{COVERED_TRUE, OFFSET_FRAC_BITS, OFFSET_SAMPLES, SETTINGS, lift};
pub use listing::{Listed, list, list_labels};
pub use op::Op;
pub use operand::Kind;
pub use program::{Addresses, Line, Program, coverage};
pub use sniff::{is_assembly, is_binary, is_text, may_be_spa5};
pub use table::TABLE;

use parallax_isa::{Code, Codec, Isa, Row, Syntax};
use parallax_text::LexOptions;
use std::sync::LazyLock;

/// The instruction set, for `parallax_isa`.
pub struct Spa5;

impl Isa for Spa5 {
    type Kind = Kind;
    type Lift = Op;

    const LEXER: LexOptions = asm::LEXER;
    const WIDE: bool = false;

    #[inline]
    fn syntax(kind: Kind) -> &'static Syntax {
        kind.0
    }

    fn canonical(row: &Row<Spa5>, code: Code) -> Code {
        instr::canonical(row, code)
    }

    fn implicit(row: &Row<Spa5>) -> Option<u128> {
        instr::implicit(row)
    }
}

/// Decoder, encoder and text engine of [`TABLE`].
pub fn codec() -> &'static Codec<Spa5> {
    static CODEC: LazyLock<Codec<Spa5>> = LazyLock::new(|| Codec::new(&TABLE));
    &CODEC
}
