//! What came of a case.

use parallax::{DiagKind, Problems};
use parallax_text::Diag;

/// What came of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was as the case asks.
    Passed,
    /// Something was not; or a module was refused as invalid, which those of the tests are not.
    Failed(String),
    /// Parallax does not do what the case needs: the code of its diagnostic, and its message.
    Unsupported {
        /// The diagnostic's code.
        code: String,
        /// Its message.
        message: String,
    },
    /// The installed compiler does not take the source.
    NotCompiled(String),
    /// This runner does not know what the case says, or how to do it.
    NotParsed(String),
}

impl Outcome {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "failed",
            Outcome::Unsupported { .. } => "unsupported",
            Outcome::NotCompiled(_) => "not-compiled",
            Outcome::NotParsed(_) => "not-parsed",
        }
    }

    /// What else there is to say: a difference, a message.
    pub fn detail(&self) -> &str {
        match self {
            Outcome::Passed => "",
            Outcome::Failed(text) | Outcome::NotCompiled(text) | Outcome::NotParsed(text) => text,
            Outcome::Unsupported { message, .. } => message,
        }
    }

    /// What it is counted under: a diagnostic's code, or a reason; empty where each case is its own.
    pub fn reason(&self) -> &str {
        match self {
            Outcome::Unsupported { code, .. } => code,
            Outcome::NotParsed(reason) => reason,
            _ => "",
        }
    }

    /// The outcome of a program with problems.
    pub fn of_diags(diags: &[Diag]) -> Outcome {
        let error = |kind| diags.iter().find(|diag| diag.is_error() && diag.kind == kind);
        match (error(DiagKind::Internal), error(DiagKind::Invalid), error(DiagKind::Unsupported)) {
            (Some(diag), ..) | (None, Some(diag), _) => {
                Outcome::Failed(format!("refused as {:?}: {}: {}", diag.kind, diag.code, diag.message))
            }
            (None, None, Some(diag)) => {
                Outcome::Unsupported { code: diag.code.to_string(), message: diag.message.clone() }
            }
            (None, None, None) => Outcome::Failed("refused without a reason".into()),
        }
    }
}

impl From<Problems> for Outcome {
    fn from(problems: Problems) -> Outcome {
        Outcome::of_diags(&problems.diags)
    }
}
