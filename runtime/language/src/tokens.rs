//! Words, numbers and marks of C-like languages, with their places. Blanks and comments are left out.

use std::ops::Range;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Word,
    /// A literal.
    Number,
    /// One character of anything else.
    Mark,
    /// A line of the preprocessor, with the lines that continue it.
    Directive,
}

/// A token and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) place: Range<usize>,
}

/// A text and its tokens.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    pub(crate) text: &'a str,
    pub(crate) list: Vec<Token>,
}

impl<'a> Tokens<'a> {
    pub(crate) fn of(text: &'a str) -> Tokens<'a> {
        let mut list = Vec::new();
        let mut at = 0;
        let mut line_begins = true;
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            if c.is_whitespace() || c == '\u{feff}' {
                line_begins |= c == '\n';
                at += c.len_utf8();
                continue;
            }
            if let Some(length) = comment(rest) {
                at += length;
                continue;
            }
            let (kind, length) = match c {
                '#' if line_begins => (Kind::Directive, directive(rest)),
                '_' | 'a'..='z' | 'A'..='Z' => (Kind::Word, span(rest, |c| c == '_' || c.is_ascii_alphanumeric())),
                '0'..='9' => (Kind::Number, number(rest)),
                '.' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => (Kind::Number, number(rest)),
                _ => (Kind::Mark, c.len_utf8()),
            };
            line_begins = false;
            list.push(Token { kind, place: at..at + length });
            at += length;
        }
        Tokens { text, list }
    }

    /// The text of a token; empty behind the last.
    pub(crate) fn at(&self, index: usize) -> &'a str {
        self.list.get(index).map_or("", |token| &self.text[token.place.clone()])
    }

    pub(crate) fn kind(&self, index: usize) -> Option<Kind> {
        self.list.get(index).map(|token| token.kind)
    }

    pub(crate) fn is_word(&self, index: usize) -> bool {
        self.kind(index) == Some(Kind::Word)
    }

    /// Where a token stands; at the end of the text behind the last.
    pub(crate) fn place(&self, index: usize) -> Range<usize> {
        self.list.get(index).map_or(self.text.len()..self.text.len(), |token| token.place.clone())
    }

    /// The token that closes the bracket at `open`; the last one where none does.
    pub(crate) fn closing(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for index in open..self.list.len() {
            match self.at(index) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return index;
                    }
                }
                _ => {}
            }
        }
        self.list.len().saturating_sub(1)
    }

    /// Whether a word occurs in code.
    pub(crate) fn has(&self, word: &str) -> bool {
        (0..self.list.len()).any(|index| self.is_word(index) && self.at(index) == word)
    }

    /// Where the macros are defined, without the mark, and their tokens.
    pub(crate) fn macros(&self) -> impl Iterator<Item = (usize, Tokens<'a>)> {
        let defined = (0..self.list.len()).filter(|&at| self.directive(at).is_some_and(|(name, _)| name == "define"));
        defined.map(|at| (self.place(at).start + 1, Tokens::of(&self.at(at)[1..])))
    }

    /// Whether a word occurs in code or in macros.
    pub(crate) fn mentions(&self, word: &str) -> bool {
        self.has(word) || self.macros().any(|(_, inside)| inside.has(word))
    }

    /// Name and rest of a directive: `version`, `300 es`.
    pub(crate) fn directive(&self, index: usize) -> Option<(&'a str, &'a str)> {
        if self.kind(index) != Some(Kind::Directive) {
            return None;
        }
        let rest = self.at(index)[1..].trim_start();
        let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
        Some((&rest[..length], rest[length..].trim()))
    }
}

fn span(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !belongs(c)).unwrap_or(text.len())
}

/// Length of the comment that a text begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let inside = text.strip_prefix("/*")?;
    Some(inside.find("*/").map_or(text.len(), |at| at + 4))
}

/// Length of a directive: up to the end of its line, of lines that end in a backslash up to the end of the next; comments that
/// begin in it may go on.
fn directive(text: &str) -> usize {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with("//") || c == '\n' {
            return text[..at].trim_end().len();
        }
        at += match comment(rest) {
            Some(length) => length,
            None if rest.starts_with("\\\n") => 2,
            None if rest.starts_with("\\\r\n") => 3,
            None => c.len_utf8(),
        };
    }
    text.trim_end().len()
}

fn number(text: &str) -> usize {
    let mut before = ' ';
    let belongs = |c: char| {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !text.starts_with("0x");
        before = c;
        c == '.' || c.is_ascii_alphanumeric() || is_sign
    };
    let mut belongs = belongs;
    text.char_indices().find(|(_, c)| !belongs(*c)).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let tokens = Tokens::of(text);
        (0..tokens.list.len()).map(|index| tokens.at(index)).collect()
    }

    #[test]
    fn comments_are_left_out_and_numbers_are_whole() {
        assert_eq!(words("a+b/* c\n */1.5e-3 .5f// d\n0x1e-2u"), ["a", "+", "b", "1.5e-3", ".5f", "0x1e", "-", "2u"]);
        assert_eq!(words("x /* open"), ["x"]);
        assert_eq!(words("ä"), ["ä"]);
    }

    #[test]
    fn directives_are_lines_with_what_continues_them() {
        let text = "#define A(x) \\\n  x /* more\n */ + 1 // end\n  # if 1\na # b";
        assert_eq!(words(text), ["#define A(x) \\\n  x /* more\n */ + 1", "# if 1", "a", "#", "b"]);
        assert_eq!(Tokens::of("#  version 300 es\n").directive(0), Some(("version", "300 es")));
    }
}
