//! The text cut into words.

use parallax_text::{Span, mark_len};

/// A word of the text: what stands between spaces and comments, or in quotes.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) span: Span,
    /// Whether it is the first of its line.
    pub(super) is_first: bool,
}

impl<'t> Token<'t> {
    /// The word as messages show it, without the rest of a long one.
    pub(super) fn shown(self) -> &'t str {
        self.text.char_indices().nth(60).map_or(self.text, |(end, _)| &self.text[..end])
    }
}

/// Cuts a text into words.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut is_first) = (mark_len(text), true);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\n' => {
                is_first = true;
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b';' => at = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |line| at + line),
            _ => {
                let end = at + length(&bytes[at..]);
                tokens.push(Token { text: &text[at..end], span: Span::new(at, end), is_first });
                is_first = false;
                at = end;
            }
        }
    }
    tokens
}

/// Bytes of the word that the text begins with.
fn length(bytes: &[u8]) -> usize {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b' ' | b'\t' | b'\r' | b'\n' | b';' if !is_quoted => return at,
            _ => {}
        }
    }
    bytes.len()
}
