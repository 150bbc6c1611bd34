//! Problems together with the text they are in.

use parallax_text::{Code, Diag, DiagKind, LineMap, Span};
use std::fmt;

/// Located problems of one input, with what is needed to show them: the error of whatever reads, compiles or runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Problems {
    /// Name of the input, such as a path; empty where it is not known.
    pub name: String,
    /// Its text; empty where there is none.
    pub text: String,
    /// The problems, in order.
    pub diags: Vec<Diag>,
}

impl Problems {
    /// Problems of an input.
    pub fn new(name: impl Into<String>, text: impl Into<String>, diags: Vec<Diag>) -> Self {
        Problems { name: name.into(), text: text.into(), diags }
    }

    /// The kind that decides the exit code: internal before invalid before unsupported.
    pub fn kind(&self) -> DiagKind {
        worst(&self.diags).unwrap_or(DiagKind::Invalid)
    }
}

impl From<Vec<Diag>> for Problems {
    /// Problems of an input that is not known here.
    fn from(diags: Vec<Diag>) -> Problems {
        Problems::new("", "", diags)
    }
}

/// One line per problem: `name:line:column: error[code]: message`, then help lines, indented. Name and place are left out
/// where they are not known.
impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let map = LineMap::new(&self.text);
        for (n, diag) in self.diags.iter().enumerate() {
            if n > 0 {
                writeln!(f)?;
            }
            if !self.name.is_empty() {
                write!(f, "{}:", self.name)?;
            }
            // What lies behind the text is a place in another one, which is not known.
            let span = diag.span.filter(|span| span.start as usize <= self.text.len());
            if let Some(span) = span {
                let place = map.place(&self.text, span.start);
                write!(f, "{}:{}:", place.line, place.column)?;
            }
            if !self.name.is_empty() || span.is_some() {
                write!(f, " ")?;
            }
            write!(f, "{diag}")?;
            for help in &diag.help {
                write!(f, "\n  help: {help}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The kind of the errors among `diags` that decides an exit code; `None` when there are only warnings.
pub fn worst(diags: &[Diag]) -> Option<DiagKind> {
    let weight = |kind| match kind {
        DiagKind::Unsupported => 0,
        DiagKind::Invalid => 1,
        DiagKind::Internal => 2,
    };
    diags.iter().filter(|d| d.is_error()).map(|d| d.kind).max_by_key(|&kind| weight(kind))
}

/// An error without a place in a text.
pub(crate) fn invalid(code: Code, message: impl Into<String>) -> Diag {
    Diag { span: None, ..Diag::invalid(code, Span::default(), message) }
}

/// Something legal that is not supported, without a place in a text.
pub(crate) fn unsupported(code: Code, message: impl Into<String>) -> Diag {
    Diag { span: None, ..Diag::unsupported(code, Span::default(), message) }
}

/// Runs a job and turns a panic, which is a bug, into a problem: one bad program must not lose the results of others.
pub(crate) fn guarded<T>(job: impl FnOnce() -> T) -> Result<T, Diag> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(job)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("unknown panic");
        Diag::internal("engine-panic", None, format!("parallax failed: {text}"))
    })
}

/// Runs a job of a shader; its problems, a panic among them, get the shader's name.
pub(crate) fn guarded_shader<T>(name: &str, job: impl FnOnce() -> Result<T, Vec<Diag>>) -> Result<T, Problems> {
    guarded(job).unwrap_or_else(|diag| Err(vec![diag])).map_err(|diags| Problems::new(name, "", diags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_print_with_their_place() {
        let diags = vec![
            Diag::invalid("a-code", Span::new(3, 4), "bad").with_help("do better"),
            unsupported("b-code", "not done"),
        ];
        let problems = Problems::new("x.toml", "ab\ncd", diags);
        assert_eq!(
            problems.to_string(),
            "x.toml:2:1: error[a-code]: bad\n  help: do better\nx.toml: error[b-code]: not done"
        );
        assert_eq!(problems.kind(), DiagKind::Invalid);
        // Without a text there is no line, without a name nothing to begin with.
        let at = || vec![Diag::invalid("a-code", Span::new(3, 4), "bad")];
        assert_eq!(Problems::new("x.bin", "", at()).to_string(), "x.bin: error[a-code]: bad");
        assert_eq!(Problems::from(at()).to_string(), "error[a-code]: bad");
        assert_eq!(worst(&[Diag::warning("w", Span::default(), "hm")]), None);
    }
}
