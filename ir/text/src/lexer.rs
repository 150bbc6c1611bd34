//! One lexer for all line-free text formats. It never fails: a byte it does not know becomes a
//! [`TokenKind::Unknown`] token, which the grammar reports where it stands.

use crate::span::Span;
use std::ops::Range;

/// What a token is. Its text is `span.text(source)`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Letters, digits, `_` and `$`, not starting with a digit.
    Word,
    /// Digits only, or `0x` and hexadecimal digits.
    Integer,
    /// A number with a point, an exponent, or a hexadecimal float.
    Float,
    /// A double-quoted string, quotes included, no escapes.
    Text,
    /// One ASCII punctuation character.
    Punct(u8),
    /// A line end, a carriage return before the line feed included where it is white space; only with
    /// [`LexOptions::newlines`].
    Newline,
    /// A byte or character that fits nothing.
    Unknown,
    /// End of input; always the last token, empty span.
    End,
}

/// A piece of the source.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Whether white space (or a comment) stands directly before it.
    pub spaced: bool,
    /// Where it is.
    pub span: Span,
}

impl Token {
    /// How messages name it.
    pub(crate) fn named(self, source: &str) -> String {
        match self.kind {
            TokenKind::End => "end of text".into(),
            TokenKind::Newline => "end of line".into(),
            _ => format!("`{}`", self.span.text(source)),
        }
    }
}

/// Comment syntax of a format.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Comments {
    /// There are none.
    None,
    /// From this character to the end of the line.
    Line(u8),
    /// From `//` to the end of the line.
    Slashes,
    /// From `//` or this character to the end of the line.
    SlashesOr(u8),
}

/// Switches of the lexer.
#[derive(Copy, Clone, Debug)]
pub struct LexOptions {
    /// Comment syntax.
    pub comments: Comments,
    /// Emit [`TokenKind::Newline`] for line feeds.
    pub newlines: bool,
    /// Take a carriage return as white space; otherwise it is [`TokenKind::Unknown`].
    pub carriage_return: bool,
    /// Read `1.5`, `1e9`, `.5` as one [`TokenKind::Float`]. Without it a point is always punctuation.
    pub floats: bool,
}

/// Bytes of the byte order mark that some editors put in front of a text: 3, or 0 where there is none.
pub fn mark_len(source: &str) -> usize {
    const MARK: char = '\u{feff}';
    if source.starts_with(MARK) { MARK.len_utf8() } else { 0 }
}

/// Cuts `source` into tokens, ending with one [`TokenKind::End`]. A byte order mark is skipped. Linear time, any input.
pub fn lex(source: &str, options: LexOptions) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(source.len() / 3 + 1);
    lex_range(source, 0..source.len(), options, &mut tokens);
    tokens
}

/// Appends the tokens of a part of `source`, such as a line, and one [`TokenKind::End`]. Spans are those in the whole
/// source. The part must begin and end between tokens.
///
/// # Panics
/// If the part does not lie inside of the source.
pub fn lex_range(source: &str, part: Range<usize>, options: LexOptions, tokens: &mut Vec<Token>) {
    let bytes = &source.as_bytes()[..part.end];
    let mut i = part.start;
    if i == 0 {
        i = mark_len(source).min(bytes.len());
    }
    let mut spaced = false;
    while i < bytes.len() {
        let b = bytes[i];
        let start = i;
        let kind = match b {
            // What is most frequent comes first; no comment begins with a letter or digit.
            b'A'..=b'Z' | b'a'..=b'z' => word(bytes, &mut i),
            b' ' | b'\t' => {
                i += 1;
                spaced = true;
                continue;
            }
            b'0'..=b'9' => number(bytes, &mut i, options.floats),
            b'[' | b']' | b',' if !starts_comment(bytes, i, options.comments) => {
                i += 1;
                TokenKind::Punct(b)
            }
            // What is missing at the end of a line is missing before both characters of its end.
            b'\r' if options.carriage_return && options.newlines && bytes.get(i + 1) == Some(&b'\n') => {
                i += 2;
                TokenKind::Newline
            }
            b'\r' if options.carriage_return => {
                i += 1;
                spaced = true;
                continue;
            }
            b'\n' => {
                i += 1;
                if !options.newlines {
                    spaced = true;
                    continue;
                }
                TokenKind::Newline
            }
            _ if starts_comment(bytes, i, options.comments) => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
                if options.carriage_return && options.newlines && i < bytes.len() && bytes[i - 1] == b'\r' {
                    i -= 1;
                }
                spaced = true;
                continue;
            }
            b'_' | b'$' => word(bytes, &mut i),
            // The second point of a range `0..3` starts no number.
            b'.' if options.floats
                && bytes.get(i + 1).is_some_and(u8::is_ascii_digit)
                && (i == 0 || bytes[i - 1] != b'.') =>
            {
                number(bytes, &mut i, true)
            }
            b'"' => match bytes[i + 1..].iter().position(|&c| c == b'"' || c == b'\n') {
                Some(n) if bytes[i + 1 + n] == b'"' => {
                    i += n + 2;
                    TokenKind::Text
                }
                _ => {
                    i += 1;
                    TokenKind::Unknown
                }
            },
            _ if b.is_ascii_punctuation() => {
                i += 1;
                TokenKind::Punct(b)
            }
            _ => {
                // One whole character, so that spans stay on character borders.
                i += 1;
                while i < bytes.len() && bytes[i] & 0xC0 == 0x80 {
                    i += 1;
                }
                TokenKind::Unknown
            }
        };
        tokens.push(Token { kind, spaced, span: Span::new(start, i) });
        spaced = false;
    }
    tokens.push(Token { kind: TokenKind::End, spaced, span: Span::new(bytes.len(), bytes.len()) });
}

/// Whether a byte may stand inside of a word.
const IN_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut n = 0;
    while n < 256 {
        let b = n as u8;
        table[n] = b.is_ascii_alphanumeric() || b == b'_' || b == b'$';
        n += 1;
    }
    table
};

fn word(bytes: &[u8], i: &mut usize) -> TokenKind {
    *i += 1;
    while bytes.get(*i).is_some_and(|&b| IN_WORD[usize::from(b)]) {
        *i += 1;
    }
    TokenKind::Word
}

fn starts_comment(bytes: &[u8], i: usize, comments: Comments) -> bool {
    match comments {
        Comments::None => false,
        Comments::Line(c) => bytes[i] == c,
        Comments::Slashes => bytes[i] == b'/' && bytes.get(i + 1) == Some(&b'/'),
        Comments::SlashesOr(c) => bytes[i] == c || bytes[i] == b'/' && bytes.get(i + 1) == Some(&b'/'),
    }
}

fn number(bytes: &[u8], i: &mut usize, floats: bool) -> TokenKind {
    let digits = |i: &mut usize| {
        while bytes.get(*i).is_some_and(u8::is_ascii_digit) {
            *i += 1;
        }
    };
    if bytes[*i] == b'0' && matches!(bytes.get(*i + 1), Some(b'x' | b'X')) {
        let hex = |i: &mut usize| {
            while bytes.get(*i).is_some_and(u8::is_ascii_hexdigit) {
                *i += 1;
            }
        };
        *i += 2;
        hex(i);
        if !floats {
            return TokenKind::Integer;
        }
        let mut float = false;
        if bytes.get(*i) == Some(&b'.') && bytes.get(*i + 1).is_some_and(u8::is_ascii_hexdigit) {
            float = true;
            *i += 1;
            hex(i);
        }
        if matches!(bytes.get(*i), Some(b'p' | b'P')) && exponent_follows(bytes, *i) {
            float = true;
            *i += 2;
            digits(i);
        }
        return if float { TokenKind::Float } else { TokenKind::Integer };
    }
    digits(i);
    if !floats {
        return TokenKind::Integer;
    }
    let mut float = false;
    // A range `0..3` is two points: leave both.
    if bytes.get(*i) == Some(&b'.') && bytes.get(*i + 1) != Some(&b'.') {
        float = true;
        *i += 1;
        digits(i);
    }
    if matches!(bytes.get(*i), Some(b'e' | b'E')) && exponent_follows(bytes, *i) {
        float = true;
        *i += 2;
        digits(i);
    }
    if float { TokenKind::Float } else { TokenKind::Integer }
}

/// Whether `e5`, `e+5` or `e-5` stands at `i`.
fn exponent_follows(bytes: &[u8], i: usize) -> bool {
    match bytes.get(i + 1) {
        Some(b'+' | b'-') => bytes.get(i + 2).is_some_and(u8::is_ascii_digit),
        Some(d) => d.is_ascii_digit(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: LexOptions =
        LexOptions { comments: Comments::Line(b'#'), newlines: false, carriage_return: true, floats: true };

    fn texts(source: &str) -> Vec<(&str, TokenKind)> {
        lex(source, ALL).into_iter().map(|t| (t.span.text(source), t.kind)).collect()
    }

    #[test]
    fn numbers_keep_their_shape() {
        let kinds = texts("1 1.5 .5 1e-7 0x1F 0x1.8p-3 0..3 2.");
        let words: Vec<&str> = kinds.iter().map(|k| k.0).collect();
        assert_eq!(words, ["1", "1.5", ".5", "1e-7", "0x1F", "0x1.8p-3", "0", ".", ".", "3", "2.", ""]);
        assert_eq!(kinds[3].1, TokenKind::Float);
        assert_eq!(kinds[4].1, TokenKind::Integer);
    }

    #[test]
    fn lines_are_cut_as_in_the_whole() {
        let source = "add r0, 1.5 # x\n.5 \"a\" \u{e9}\n\n0x1.8p3";
        let options = LexOptions { newlines: true, ..ALL };
        let mut parts = Vec::new();
        let mut start = 0;
        for line in source.split_inclusive('\n') {
            lex_range(source, start..start + line.len(), options, &mut parts);
            start += line.len();
            // Only the last line's end is the end.
            let end = parts.pop();
            assert_eq!(end.map(|t| (t.kind, t.span.end as usize)), Some((TokenKind::End, start)));
        }
        let whole = lex(source, options);
        assert_eq!(parts, whole[..whole.len() - 1]);
    }

    #[test]
    fn a_line_end_of_two_characters_is_one_token() {
        let options = LexOptions { newlines: true, ..ALL };
        let spans = |source: &str| -> Vec<(TokenKind, u32, u32)> {
            lex(source, options).into_iter().map(|t| (t.kind, t.span.start, t.span.end)).collect()
        };
        let (word, newline, end) = (TokenKind::Word, TokenKind::Newline, TokenKind::End);
        assert_eq!(spans("a\r\nb\r"), [(word, 0, 1), (newline, 1, 3), (word, 3, 4), (end, 5, 5)]);
        assert_eq!(spans("a #x\r\n#\r\n"), [(word, 0, 1), (newline, 4, 6), (newline, 7, 9), (end, 9, 9)]);
        assert_eq!(spans("\r\r\n"), [(newline, 1, 3), (end, 3, 3)]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_only_in_front() {
        let kinds = texts("\u{feff}a \u{feff}b");
        assert_eq!(kinds[0], ("a", TokenKind::Word));
        assert_eq!(kinds[1], ("\u{feff}", TokenKind::Unknown));
        assert_eq!(lex("\u{feff}a", ALL)[0].span, Span::new(3, 4));
        assert_eq!(lex("\u{feff}", ALL)[0].kind, TokenKind::End);
    }

    #[test]
    fn comments_and_unknown_characters_do_not_stop_it() {
        let kinds = texts("a # b\n é \"open");
        assert_eq!(kinds[0].0, "a");
        assert_eq!(kinds[1], ("é", TokenKind::Unknown));
        assert_eq!(kinds[2], ("\"", TokenKind::Unknown));
    }
}
