//! The instruction set, as `parallax_isa` sees it.

pub use parallax_isa::SyntaxKind as Kind;

use crate::opcode::Opcode;
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
