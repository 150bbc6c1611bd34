//! Why a shader has no module.

use parallax_text::{Diag, Span};
use std::collections::BTreeMap;

/// The code of the problems.
const CODE: &str = "translate-unsupported";

/// A reason, and what to do about it.
type Reason = (String, Option<&'static str>);

/// Reasons, without repeats, and how often each was met.
#[derive(Debug, Default)]
pub(crate) struct Refusals(BTreeMap<Reason, usize>);

impl Refusals {
    /// Adds a reason.
    pub(crate) fn add(&mut self, message: impl Into<String>) {
        *self.0.entry((message.into(), None)).or_default() += 1;
    }

    /// Adds a reason, and what to do about it.
    pub(crate) fn add_with_help(&mut self, message: String, help: &'static str) {
        *self.0.entry((message, Some(help))).or_default() += 1;
    }

    /// Nothing, or the problems.
    pub(crate) fn finish(self) -> Result<(), Vec<Diag>> {
        if self.0.is_empty() {
            return Ok(());
        }
        let diag = |((message, help), count): (Reason, usize)| {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let help = help.into_iter().map(str::to_string).collect();
            Diag { help, ..refused(format!("{message}{times}")) }
        };
        Err(self.0.into_iter().map(diag).collect())
    }
}

/// A reason that stands for itself.
pub(crate) fn refused(message: String) -> Diag {
    Diag { span: None, ..Diag::unsupported(CODE, Span::default(), message) }
}
