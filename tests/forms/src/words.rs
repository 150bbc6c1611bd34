//! Words of both forms.

use parallax_step::{Direction, Mode, Ty};

/// What was read, or what was expected in its place.
pub(crate) type Expected<T> = Result<T, String>;

/// Takes a quoted string from the front, behind `before`.
///
/// # Errors
/// What was expected.
pub(crate) fn string<'t>(text: &'t str, before: &str) -> Expected<(String, &'t str)> {
    let expected = || format!("expected {before}\"...\"");
    let rest = text.trim_start().strip_prefix(before).and_then(|t| t.strip_prefix('"')).ok_or_else(expected)?;
    let (inside, rest) = rest.split_once('"').ok_or_else(expected)?;
    let mut out = String::new();
    let mut left = inside;
    while let Some((plain, escape)) = left.split_once("\\u{") {
        out.push_str(plain);
        let (digits, tail) = escape.split_once('}').ok_or_else(expected)?;
        let c = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).ok_or_else(expected)?;
        out.push(c);
        left = tail;
    }
    out.push_str(left);
    Ok((out, rest))
}

pub(crate) fn number<T: std::str::FromStr>(text: &str, what: &str) -> Expected<T> {
    text.trim().parse().map_err(|_| format!("expected {what}, found `{text}`"))
}

pub(crate) fn ty(text: &str) -> Expected<Ty> {
    Ty::from_name(text.trim()).ok_or_else(|| format!("expected a type, found `{text}`"))
}

/// A word up to white space, and the rest.
pub(crate) fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

/// The direction and the flushing that words behind points say.
pub(crate) fn direction_and_flush<'t>(words: impl Iterator<Item = &'t str>) -> Expected<Mode> {
    let mut mode = Mode::PLAIN;
    for word in words {
        match Direction::ALL.into_iter().find(|d| d.suffix() == word && !word.is_empty()) {
            Some(direction) => mode.direction = direction,
            None if word == "ftz" => mode.flush = true,
            None if word == "nearest" => {}
            None => return Err(format!("expected a direction or `ftz`, found `{word}`")),
        }
    }
    Ok(mode)
}
