//! Texts of others, as they may be printed.

use std::borrow::Cow;

/// What stands where a control character stood.
const REPLACED: char = '\u{fffd}';

/// One line without control characters.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { REPLACED } else { c }).collect()
}

/// Lines without control characters but tabs.
pub fn clean_lines(text: String) -> String {
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.contains(is_bad) {
        true => text.replace(is_bad, "\u{fffd}"),
        false => text,
    }
}

/// JSON whose strings spell control characters out. A serialiser leaves DEL and those from 0x80 as they are.
pub fn clean_json(json: String) -> String {
    let is_bad = |c: char| c.is_control() && c != '\n';
    if !json.contains(is_bad) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match is_bad(c) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// A cell of a table that spreadsheets read: no control characters, and no text that one would take for a formula.
pub fn cell(text: &str) -> Cow<'_, str> {
    let is_formula = text.starts_with(['=', '+', '-', '@']) && text.parse::<f64>().is_err();
    match (is_formula, text.contains(char::is_control)) {
        (false, false) => text.into(),
        (false, true) => clean(text).into(),
        (true, _) => format!("'{}", clean(text)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        let hostile = "a\u{1b}[31m\u{7}\u{9b}2J\u{7f}\r\n\tb";
        assert_eq!(clean(hostile), "a\u{fffd}[31m\u{fffd}\u{fffd}2J\u{fffd}\u{fffd}\u{fffd}\u{fffd}b");
        assert_eq!(clean_lines(hostile.into()), "a\u{fffd}[31m\u{fffd}\u{fffd}2J\u{fffd}\u{fffd}\n\tb");
        assert_eq!(clean_json("[\"\u{9b}\u{7f}é\"]\n".into()), "[\"\\u009b\\u007fé\"]\n");
    }

    #[test]
    fn cells_are_text_and_numbers_stay_numbers() {
        for (text, want) in [
            ("=1+1", "'=1+1"),
            ("@a", "'@a"),
            ("-a.fp", "'-a.fp"),
            ("+\u{1b}", "'+\u{fffd}"),
            ("-1.5", "-1.5"),
            ("+2", "+2"),
            ("-inf", "-inf"),
            ("a=b", "a=b"),
            ("a\tb", "a\u{fffd}b"),
            ("", ""),
        ] {
            assert_eq!(cell(text), want);
        }
    }
}
