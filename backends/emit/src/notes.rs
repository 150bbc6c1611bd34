//! What a translation cannot say, and what it says in other words.

use parallax_core::{SourceId, Sources};
use parallax_text::{Diag, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The code of the problems.
const CODE: &str = "translate-unsupported";

/// Refusals and inexact expansions, without repeats.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    refusals: BTreeMap<String, (usize, Option<SourceId>)>,
    inexact: BTreeSet<Inexact>,
    /// Texts that are among them already.
    noted: Vec<&'static str>,
}

/// What a translation says in other words, with other bits under some rules.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inexact {
    /// The words, and where bits are others.
    pub what: String,
    /// Whether bits may be others under model `ieee`, too.
    pub in_ieee: bool,
}

impl Notes {
    /// What the target cannot express.
    pub(crate) fn refuse(&mut self, message: impl Into<String>, at: Option<SourceId>) {
        self.refusals.entry(message.into()).or_insert((0, at)).0 += 1;
    }

    /// An expansion that has other bits under some rules, model `ieee` among them.
    pub(crate) fn inexact(&mut self, what: impl Into<Cow<'static, str>>) {
        self.note(what.into(), true);
    }

    /// An expansion that has the same bits under model `ieee`, and others under others.
    pub(crate) fn inexact_elsewhere(&mut self, what: impl Into<Cow<'static, str>>) {
        self.note(what.into(), false);
    }

    /// The same instruction notes the same text, mostly many times.
    fn note(&mut self, what: Cow<'static, str>, in_ieee: bool) {
        if let Cow::Borrowed(text) = what {
            if self.noted.iter().any(|&noted| std::ptr::eq(noted, text)) {
                return;
            }
            self.noted.push(text);
        }
        self.inexact.insert(Inexact { what: what.into_owned(), in_ieee });
    }

    /// Whether anything was refused.
    pub(crate) fn is_refused(&self) -> bool {
        !self.refusals.is_empty()
    }

    /// The expansions, or the problems.
    pub(crate) fn finish(self, sources: &Sources) -> Result<Vec<Inexact>, Vec<Diag>> {
        if self.refusals.is_empty() {
            return Ok(self.inexact.into_iter().collect());
        }
        let diag = |(message, (count, at)): (String, (usize, Option<SourceId>))| {
            let times = if count > 1 { format!(" ({count} times)") } else { String::new() };
            let source = at.and_then(|at| sources.get(at));
            let place = source.map(|source| format!("; first in line {}: `{}`", source.line, source.text.trim()));
            let message = format!("{message}{times}{}", place.unwrap_or_default());
            Diag { span: None, ..Diag::unsupported(CODE, Span::default(), message) }
        };
        Err(self.refusals.into_iter().map(diag).collect())
    }
}
