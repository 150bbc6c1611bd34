//! Kinds of operands.

use parallax_isa::Syntax;
use std::fmt;

/// A kind of operand: how it is written. Kinds are the same if they are written by the same declaration.
#[derive(Copy, Clone)]
pub struct Kind(pub &'static Syntax);

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Steps of templates are compared by this, too.
        write!(f, "{:p} {}", self.0, self.0.notation)
    }
}
