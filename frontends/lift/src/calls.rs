//! Subroutines are expanded where they are called.

use parallax_text::{Diag, Span};

/// How far calls may nest.
pub const MAX_DEPTH: usize = 32;
/// How many calls a program may expand to.
pub const MAX_CALLS: usize = 4096;

/// The calls being expanded, outermost first. Guards against recursion and against expansion without measure.
#[derive(Debug, Default)]
pub struct Calls {
    open: Vec<u32>,
    total: usize,
}

impl Calls {
    /// Enters the subroutine with the frontend's number `target`, called at `span`.
    ///
    /// # Errors
    /// Recursion (unsupported: there is no stack), too deep nesting, too many calls in all.
    pub fn enter(&mut self, target: u32, span: Span) -> Result<(), Diag> {
        if self.open.contains(&target) {
            return Err(Diag::unsupported("call-recursion", span, "recursive call: subroutines are expanded in place"));
        }
        if self.open.len() >= MAX_DEPTH {
            let message = format!("calls nest deeper than {MAX_DEPTH}");
            return Err(Diag::unsupported("call-depth", span, message));
        }
        if self.total >= MAX_CALLS {
            let message = format!("the program expands to more than {MAX_CALLS} calls");
            return Err(Diag::unsupported("call-count", span, message));
        }
        self.open.push(target);
        self.total += 1;
        Ok(())
    }

    /// Leaves the innermost subroutine.
    pub fn leave(&mut self) {
        self.open.pop();
    }

    /// How many calls are open.
    pub fn depth(&self) -> usize {
        self.open.len()
    }
}
