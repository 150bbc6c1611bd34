//! Why a shader has no module.

use parallax_text::{Diag, Span};
use std::collections::BTreeMap;

/// The code of the problems.
const CODE: &str = "translate-unsupported";

/// Reasons, without repeats, and how often each was met.
#[derive(Debug, Default)]
pub(crate) struct Refusals(BTreeMap<String, usize>);

impl Refusals {
    /// Adds a reason.
    pub(crate) fn add(&mut self, message: impl Into<String>) {
        *self.0.entry(message.into()).or_default() += 1;
    }

    /// Nothing, or the problems.
    pub(crate) fn finish(self) -> Result<(), Vec<Diag>> {
        if self.0.is_empty() {
            return Ok(());
        }
        let diag = |(message, count): (String, usize)| {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            Diag { span: None, ..Diag::unsupported(CODE, Span::default(), format!("{message}{times}")) }
        };
        Err(self.0.into_iter().map(diag).collect())
    }
}
