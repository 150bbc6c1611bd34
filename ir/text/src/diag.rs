//! Located problems, as data. Drawing them is the command line's business.

use crate::span::Span;
use std::fmt;

/// A stable short name of a kind of problem, such as `tgsi-undeclared`.
pub type Code = &'static str;

/// How bad it is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth a look; the result stands.
    Warning,
    /// The input is refused.
    Error,
}

/// Whose fault it is; decides the exit code.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DiagKind {
    /// The input breaks its own rules (exit code 2).
    Invalid,
    /// The input is legal, parallax does not do this (exit code 3).
    Unsupported,
    /// A bug of parallax (exit code 4).
    Internal,
}

impl DiagKind {
    /// The word used in machine output.
    pub fn name(self) -> &'static str {
        match self {
            DiagKind::Invalid => "invalid",
            DiagKind::Unsupported => "unsupported",
            DiagKind::Internal => "internal",
        }
    }
}

/// A second place that belongs to the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One located problem: what was found, what was expected, how to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diag {
    /// Stable short name.
    pub code: Code,
    /// Warning or error.
    pub severity: Severity,
    /// Invalid, unsupported or internal.
    pub kind: DiagKind,
    /// One line: what was found and what was expected.
    pub message: String,
    /// Bytes at fault; `None` when the problem has no place (an empty file, say).
    pub span: Option<Span>,
    /// Further places.
    pub labels: Vec<Label>,
    /// How to mend it, one line each.
    pub help: Vec<String>,
}

impl Diag {
    /// An error in the input.
    pub fn invalid(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diag {
            code,
            severity: Severity::Error,
            kind: DiagKind::Invalid,
            message: message.into(),
            span: Some(span),
            labels: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Legal input that is not supported.
    pub fn unsupported(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diag { kind: DiagKind::Unsupported, ..Diag::invalid(code, span, message) }
    }

    /// A warning.
    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diag { severity: Severity::Warning, ..Diag::invalid(code, span, message) }
    }

    /// A bug of parallax itself, met at `span`.
    pub fn internal(code: Code, span: Option<Span>, message: impl Into<String>) -> Self {
        Diag { kind: DiagKind::Internal, span, ..Diag::invalid(code, Span::default(), message) }
    }

    /// Adds a line that says how to mend it.
    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Whether it refuses the input.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Diag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.is_error() { "error" } else { "warning" };
        write!(f, "{word}[{}]: {}", self.code, self.message)
    }
}

impl std::error::Error for Diag {}
