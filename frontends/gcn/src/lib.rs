//! AMD GCN 3 shader instructions, a subset: words of 32 and 64 bits, their assembly, and their lifting.
//!
//! The rows in [`TABLE`] say what is encoded where; [`PROGRAMS`] reads, lists and assembles programs. `docs/adding-an-isa.md` goes
//! through this crate file by file.

pub mod fields;
mod frontend;
mod lift;
mod operand;
mod program;
mod table;
mod trials;

pub use frontend::FRONTEND;
pub use lift::lift;
pub use operand::Kind;
pub use program::{PROGRAMS, codec};
pub use table::{Sem, TABLE};

use parallax_isa::{Isa, Syntax};
use parallax_text::{Comments, LexOptions};

/// The instruction set, for `parallax_isa`.
pub struct Gcn;

impl Isa for Gcn {
    type Kind = Kind;
    type Lift = Sem;

    const LEXER: LexOptions =
        LexOptions { comments: Comments::SlashesOr(b';'), newlines: true, carriage_return: true, floats: true };
    const WIDE: bool = false;

    fn syntax(kind: Kind) -> &'static Syntax {
        kind.0
    }
}
