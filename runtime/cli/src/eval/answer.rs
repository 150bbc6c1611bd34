//! Answers: JSON with members in a fixed order.

use parallax::Status;
use parallax_text::{Diag, DiagKind, LineMap};

/// Why a case has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Error {
    /// Stable short name.
    pub(super) code: String,
    /// Whose fault it is.
    pub(super) kind: DiagKind,
    /// One line.
    pub(super) message: String,
    /// Line and column from 1, in text programs.
    pub(super) place: Option<(u32, u32)>,
    /// Byte offset from 0.
    pub(super) offset: Option<u32>,
    /// All errors in the order of places, where there are several.
    all: Vec<Error>,
    /// What there is in spite of the error: further members of the answer, as JSON.
    members: String,
}

impl Error {
    pub(super) fn new(kind: DiagKind, code: &str, message: impl Into<String>) -> Error {
        Error {
            code: code.to_string(),
            kind,
            message: message.into(),
            place: None,
            offset: None,
            all: Vec::new(),
            members: String::new(),
        }
    }

    /// Something wrong with the request.
    pub(super) fn invalid(code: &str, message: impl Into<String>) -> Error {
        Error::new(DiagKind::Invalid, code, message)
    }

    /// Something legal that is not done.
    pub(super) fn unsupported(code: &str, message: impl Into<String>) -> Error {
        Error::new(DiagKind::Unsupported, code, message)
    }

    /// The errors in the program. The first of the kind that decides stands for them: internal before invalid before
    /// unsupported.
    pub(super) fn of(diags: &[Diag], text: &str) -> Error {
        let kind = match Status::of(diags) {
            Status::Unsupported => DiagKind::Unsupported,
            Status::Internal => DiagKind::Internal,
            Status::Invalid | Status::Ok => DiagKind::Invalid,
        };
        let map = LineMap::new(text);
        let mut errors: Vec<&Diag> = diags.iter().filter(|d| d.is_error()).collect();
        parallax_text::sort_by_key(&mut errors, |d| d.span.map_or(0, |s| s.start));
        let Some(first) = errors.iter().find(|d| d.kind == kind) else {
            return Error::new(DiagKind::Internal, "no-error", "the program was refused without a reason");
        };
        let mut error = Error::at(first, text, &map);
        if errors.len() > 1 {
            error.all = errors.iter().map(|d| Error::at(d, text, &map)).collect();
        }
        error
    }

    /// The warnings among problems, in the order of places, as the elements of a JSON list.
    pub(super) fn warnings(diags: &[Diag], text: &str) -> Vec<String> {
        let map = LineMap::new(text);
        let mut warnings: Vec<&Diag> = diags.iter().filter(|d| !d.is_error()).collect();
        parallax_text::sort_by_key(&mut warnings, |d| d.span.map_or(0, |s| s.start));
        warnings.into_iter().map(|d| Error::at(d, text, &map).json()).collect()
    }

    /// Adds members to the answer, as JSON.
    pub(super) fn with_members(self, members: String) -> Error {
        Error { members, ..self }
    }

    fn at(diag: &Diag, text: &str, map: &LineMap) -> Error {
        let mut error = Error::new(diag.kind, diag.code, diag.message.clone());
        for help in &diag.help {
            error.message.push_str("; ");
            error.message.push_str(help);
        }
        if let Some(span) = diag.span {
            error.offset = Some(span.start);
            if !text.is_empty() {
                let place = map.place(text, span.start);
                error.place = Some((place.line, place.column));
            }
        }
        error
    }

    fn json(&self) -> String {
        let mut out = format!(
            r#"{{"code":{},"kind":{},"message":{}"#,
            string(&self.code),
            string(self.kind.name()),
            string(&self.message)
        );
        if let Some((line, column)) = self.place {
            out.push_str(&format!(r#","line":{line},"column":{column}"#));
        }
        if let Some(offset) = self.offset {
            out.push_str(&format!(r#","offset":{offset}"#));
        }
        out.push('}');
        out
    }
}

/// The answer to a case. `id` is JSON.
pub(super) fn answer(id: &str, result: &super::Result2) -> String {
    match result {
        Ok(members) if members.is_empty() => format!(r#"{{"id":{id},"ok":true}}"#),
        Ok(members) => format!(r#"{{"id":{id},"ok":true,{members}}}"#),
        Err(error) => {
            let mut out = format!(r#"{{"id":{id},"ok":false,"error":{}"#, error.json());
            if !error.all.is_empty() {
                let all: Vec<String> = error.all.iter().map(Error::json).collect();
                out.push_str(&format!(r#","errors":[{}]"#, all.join(",")));
            }
            if !error.members.is_empty() {
                out.push(',');
                out.push_str(&error.members);
            }
            out.push('}');
            out
        }
    }
}

/// A JSON string.
pub(super) fn string(text: &str) -> String {
    // A string always can be written.
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_text::Span;

    #[test]
    fn the_first_place_of_the_deciding_kind_is_told() {
        let diags = [
            Diag::unsupported("a", Span::new(0, 1), "later"),
            Diag::invalid("c", Span::new(9, 10), "second"),
            Diag::invalid("b", Span::new(5, 6), "first \"q\"").with_help("mend it"),
            Diag::warning("w", Span::new(1, 2), "hm"),
        ];
        let error = Error::of(&diags, "abc\ndefghi\n");
        let b = r#"{"code":"b","kind":"invalid","message":"first \"q\"; mend it","line":2,"column":2,"offset":5}"#;
        let a = r#"{"code":"a","kind":"unsupported","message":"later","line":1,"column":1,"offset":0}"#;
        let c = r#"{"code":"c","kind":"invalid","message":"second","line":2,"column":6,"offset":9}"#;
        let want = format!(r#"{{"id":7,"ok":false,"error":{b},"errors":[{a},{b},{c}]}}"#);
        assert_eq!(answer("7", &Err(error)), want);
        let error = Error::of(&diags[..1], "");
        let a = r#"{"code":"a","kind":"unsupported","message":"later","offset":0}"#;
        assert_eq!(answer("7", &Err(error)), format!(r#"{{"id":7,"ok":false,"error":{a}}}"#));
        assert_eq!(answer("null", &Ok(String::new())), r#"{"id":null,"ok":true}"#);
    }
}
