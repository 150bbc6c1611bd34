//! What compilers say, as located problems.

use parallax_text::{Diag, LineMap, Span};

/// Lines that only sum up what was said before.
#[rustfmt::skip]
const SUMMARIES: &[&str] = &[
    "compilation errors", "compilation terminated", "SPIR-V is not generated", "No code generated", "error generated",
    "errors generated", "(0) ", "Linked ",
];

/// Problems in what a compiler printed about a file; places are those of the text.
pub(super) fn parse(said: &str, file: &str, text: &str) -> Vec<Diag> {
    let lines = Lines::of(text);
    let mut out: Vec<Diag> = Vec::new();
    // Of compilers that name the place in a line below.
    let mut waiting: Option<(bool, String)> = None;
    for line in said.lines() {
        let line = line.trim_end();
        if SUMMARIES.iter().any(|summary| line.contains(summary)) || line.trim() == file {
            continue;
        }
        if let Some((_, place)) = line.split_once("┌─ ") {
            if let (Some((at, column, _)), Some((is_error, message))) = (placed(place, file), waiting.take()) {
                out.push(lines.diag(is_error, at, column, &message));
            }
            continue;
        }
        let (severity, rest) = severity(line);
        if let Some((at, column, message)) = placed(rest, file) {
            let (own, message) = self::severity(message.trim_start());
            let is_error = severity.or(own).unwrap_or(true);
            out.push(lines.diag(is_error, at, column, message));
        } else if let Some(is_error) = severity {
            if line.starts_with(|c: char| c.is_ascii_uppercase()) {
                out.push(lines.diag(is_error, 0, None, rest));
            } else {
                out.extend(waiting.replace((is_error, rest.to_string())).map(|(e, m)| lines.diag(e, 0, None, &m)));
            }
        }
    }
    out.extend(waiting.map(|(is_error, message)| lines.diag(is_error, 0, None, &message)));
    // A module without its text has no entry point, either.
    if out.iter().any(|diag| diag.is_error() && diag.span.is_some()) {
        out.retain(|diag| diag.span.is_some() || !diag.message.starts_with("Linking "));
    }
    let mut seen: Vec<(Option<Span>, String)> = Vec::new();
    out.retain(|diag| {
        let key = (diag.span, diag.message.clone());
        let is_new = !seen.contains(&key);
        seen.push(key);
        is_new
    });
    out
}

/// Whether a line begins as an error or as a warning, and what it says.
fn severity(line: &str) -> (Option<bool>, &str) {
    for (word, is_error) in
        [("ERROR:", true), ("error:", true), ("fatal error:", true), ("WARNING:", false), ("warning:", false)]
    {
        if let Some(rest) = line.strip_prefix(word) {
            return (Some(is_error), rest.trim_start());
        }
    }
    // With the number of the message: `error 30015: ...`, `error[E30015]: ...`.
    for (word, is_error) in [("error", true), ("warning", false)] {
        let number = line.strip_prefix(word).and_then(|rest| rest.split_once(": "));
        if let Some((number, rest)) = number
            && number.trim_matches([' ', '[', ']']).chars().all(|c| c.is_ascii_alphanumeric())
        {
            return (Some(is_error), rest);
        }
    }
    (None, line)
}

/// Line, column and message of `FILE:LINE: ...`, `FILE:LINE:COLUMN: ...`, `FILE(LINE): ...`, `FILE(LINE,COLUMN): ...`.
fn placed<'a>(line: &'a str, file: &str) -> Option<(usize, Option<usize>, &'a str)> {
    let at = line.find(file)? + file.len();
    let (mark, rest) = (line[at..].chars().next()?, line.get(at + 1..)?);
    let (number, rest) = digits(rest)?;
    let (column, rest) = match (mark, rest.chars().next()) {
        (':', Some(':')) => match digits(&rest[1..]) {
            Some((column, rest)) if rest.is_empty() || rest.starts_with(':') => (Some(column), rest),
            _ => (None, rest),
        },
        (':', None) => (None, rest),
        ('(', Some(',')) => {
            let (column, rest) = digits(rest[1..].trim_start())?;
            (Some(column), rest.strip_prefix(')')?)
        }
        ('(', Some(')')) => (None, &rest[1..]),
        _ => return None,
    };
    let message = rest.strip_prefix(':').unwrap_or(rest).trim_start();
    // `error at column 23, HLSL parsing failed.`
    let told = message.strip_prefix("error at column ").and_then(digits);
    match told {
        Some((column, rest)) => Some((number, Some(column), rest.trim_start_matches([',', ' ']))),
        None => Some((number, column, message)),
    }
}

fn digits(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

/// The lines of a text.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl Lines<'_> {
    fn of(text: &str) -> Lines<'_> {
        // As everybody counts lines.
        debug_assert_eq!(LineMap::new(text).place(text, 0).line, 1);
        Lines { text, starts: std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect() }
    }

    /// A problem of a line, counted from 1; 0 stands for none.
    fn diag(&self, is_error: bool, line: usize, column: Option<usize>, message: &str) -> Diag {
        let (word, message) = tidy(message);
        let span = line.checked_sub(1).map(|line| self.span(line, column, word));
        let diag = match is_error {
            true => Diag::invalid("compiler", Span::default(), message),
            false => Diag::warning("compiler", Span::default(), message),
        };
        Diag { span, ..diag }
    }

    /// The word that a message is about, else the line without blanks around it.
    fn span(&self, line: usize, column: Option<usize>, word: Option<&str>) -> Span {
        let Some(&from) = self.starts.get(line) else { return Span::new(self.text.len(), self.text.len()) };
        let text = self.text[from..].lines().next().unwrap_or("");
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = column.and_then(|column| text.char_indices().nth(column.saturating_sub(1))).map(|(at, _)| at);
        if let Some(begins) = begins {
            let rest = &text[begins..];
            let length = rest.find(|c| !is_name(c)).filter(|length| *length > 0);
            let length = length.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
            let length = if rest.chars().all(is_name) { rest.len() } else { length };
            return Span::new(from + begins, from + begins + length);
        }
        let is_whole =
            |at: usize, word: &str| !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(is_name);
        let found = word.and_then(|word| {
            let mut places = text.match_indices(word).map(|(at, _)| at);
            let is_word = word.chars().all(is_name);
            places.find(|&at| !is_word || is_whole(at, word)).map(|at| (at, word.len()))
        });
        let blanks = text.len() - text.trim_start().len();
        let (at, length) = found.unwrap_or((blanks, text.trim().len()));
        Span::new(from + at, from + at + length)
    }
}

/// The word that a message is about, and the message: `'foo' : undeclared identifier`, `undeclared identifier 'foo'`.
fn tidy(message: &str) -> (Option<&str>, String) {
    let message = message.trim();
    let quoted = |mark: char| message.split(mark).nth(1).filter(|word| !word.is_empty());
    if let Some((word, rest)) = message.strip_prefix('\'').and_then(|rest| rest.split_once("' : ")) {
        let rest = rest.trim();
        return match word {
            "" => (None, rest.to_string()),
            word => (Some(word), format!("`{word}`: {rest}")),
        };
    }
    (quoted('\'').or_else(|| quoted('`')), message.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "void main() {\n  food(foo);\n  x = 1;\n}\n";

    #[track_caller]
    fn check(said: &str, file: &str, want: &[(bool, Option<&str>, &str)]) {
        let found = parse(said, file, TEXT);
        let found: Vec<(bool, Option<&str>, &str)> = found
            .iter()
            .map(|d| {
                let text = d.span.map(|span| &TEXT[span.start as usize..span.end as usize]);
                (d.is_error(), text, d.message.as_str())
            })
            .collect();
        assert_eq!(found, want);
    }

    #[test]
    fn of_glslang() {
        let said = "shader.frag\nWARNING: shader.frag:3: 'x' : old\nERROR: shader.frag:2: 'foo' : undeclared identifier \n\
            ERROR: shader.frag:2: '' : compilation terminated \nERROR: 2 compilation errors.  No code generated.\n\n\n\
            SPIR-V is not generated for failed compile or link\n";
        check(
            said,
            "shader.frag",
            &[(false, Some("x"), "`x`: old"), (true, Some("foo"), "`foo`: undeclared identifier")],
        );
        check(
            "ERROR: Linking fragment stage: Missing entry point\n",
            "shader.frag",
            &[(true, None, "Linking fragment stage: Missing entry point")],
        );
        check("ERROR: shader.frag:3: '' : syntax error", "shader.frag", &[(true, Some("x = 1;"), "syntax error")]);
        check("ERROR: shader.frag:9: '' : syntax error", "shader.frag", &[(true, Some(""), "syntax error")]);
        let said = "shader.hlsl(2): error at column 3, HLSL parsing failed.";
        check(said, "shader.hlsl", &[(true, Some("food"), "HLSL parsing failed.")]);
    }

    #[test]
    fn of_other_compilers() {
        check(
            "/tmp/shader.frag:2: error: 'foo' : undeclared identifier\n1 error generated.",
            "shader.frag",
            &[(true, Some("foo"), "`foo`: undeclared identifier")],
        );
        let said = "shader.hlsl:2:8: error: use of undeclared identifier 'foo'\n  food(foo);\n       ^\n";
        check(said, "shader.hlsl", &[(true, Some("foo"), "use of undeclared identifier 'foo'")]);
        let said = "shader.slang(2): error 30015: undefined identifier 'foo'.\n    food(foo);\n         ^~~\n(0) : x";
        check(said, "shader.slang", &[(true, Some("foo"), "undefined identifier 'foo'.")]);
        let said = "Could not parse WGSL:\nerror: no definition in scope for identifier: `foo`\n  ┌─ shader.wgsl:2:8\n  │\n\
            2 │   food(foo);\n  │        ^^^ unknown identifier\n";
        check(said, "shader.wgsl", &[(true, Some("foo"), "no definition in scope for identifier: `foo`")]);
    }
}
