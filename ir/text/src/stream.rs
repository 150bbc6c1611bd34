//! Tokens cut as they are read: a long text never has all of them in memory.

use crate::lexer::{LexOptions, Token, TokenKind, lex_range};
use crate::span::{Span, newlines};
use crate::{Code, Diag};
use std::ops::Range;

/// The tokens of a text, cut some lines at a time.
#[derive(Clone, Debug)]
pub struct TokenStream<'a> {
    /// Text all spans refer to.
    pub source: &'a str,
    options: LexOptions,
    /// Tokens that were cut, and the number of the next one.
    tokens: Vec<Token>,
    at: usize,
    /// The last token that can be taken without cutting more.
    last: usize,
    /// What is not cut yet.
    rest: Range<usize>,
}

/// Bytes that are cut at once, and then to the end of the line.
const PIECE: usize = 2048;

impl<'a> TokenStream<'a> {
    /// Tokens that can be looked at before they are taken, the next one among them.
    pub const AHEAD: usize = 8;

    /// The tokens of a part of `source`, such as all of it, which must begin and end between tokens.
    ///
    /// # Panics
    /// If the part does not lie inside of the source.
    pub fn new(source: &'a str, part: Range<usize>, options: LexOptions) -> Self {
        let tokens = Vec::with_capacity(part.len().min(PIECE) / 2 + TokenStream::AHEAD);
        let mut stream = TokenStream { source, options, tokens, at: 0, last: 0, rest: part };
        stream.fill(false);
        stream
    }

    /// Tokens that are cut already, ending with [`TokenKind::End`].
    pub fn of(source: &'a str, tokens: Vec<Token>, options: LexOptions) -> Self {
        let last = tokens.len().saturating_sub(1);
        TokenStream { source, options, tokens, at: 0, last, rest: source.len()..source.len() }
    }

    /// Cuts pieces until enough tokens lie ahead or there are no more. `spaced`: a line end stands in front of the first.
    fn fill(&mut self, mut spaced: bool) {
        self.tokens.drain(..self.at);
        self.at = 0;
        loop {
            let bytes = &self.source.as_bytes()[..self.rest.end];
            let least = (self.rest.start + PIECE).min(bytes.len());
            let end = bytes[least..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| least + n + 1);
            let first = self.tokens.len();
            lex_range(self.source, self.rest.start..end, self.options, &mut self.tokens);
            self.tokens[first].spaced |= spaced && !self.options.newlines;
            self.rest.start = end;
            if end == bytes.len() {
                self.last = self.tokens.len() - 1;
                return;
            }
            // The end of a piece is none of the text, but the space before it stands before what follows.
            spaced = true;
            self.tokens.pop();
            if self.tokens.len() > TokenStream::AHEAD {
                self.last = self.tokens.len() - TokenStream::AHEAD - 1;
                return;
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self) {
        if self.tokens[self.at].kind != TokenKind::End {
            self.at += 1;
            self.fill(true);
        }
    }

    /// The next token; at the end, the [`TokenKind::End`] token again and again.
    #[inline]
    pub fn peek(&self) -> Token {
        self.tokens[self.at]
    }

    /// The token after `n` others, fewer than [`TokenStream::AHEAD`].
    #[inline]
    pub fn peek_at(&self, n: usize) -> Token {
        debug_assert!(n < TokenStream::AHEAD);
        self.tokens.get(self.at + n).copied().unwrap_or(self.tokens[self.tokens.len() - 1])
    }

    /// Text of the next token.
    #[inline]
    pub fn peek_text(&self) -> &'a str {
        self.text(self.peek())
    }

    /// Text of any token of this source.
    #[inline]
    pub fn text(&self, token: Token) -> &'a str {
        token.span.text(self.source)
    }

    /// Takes one token; the end token is never used up.
    #[inline]
    pub fn bump(&mut self) -> Token {
        let token = self.tokens[self.at];
        if self.at < self.last {
            self.at += 1;
        } else {
            self.more();
        }
        token
    }

    /// The next token and those behind it, [`TokenStream::AHEAD`] or more unless the end is among them.
    #[inline]
    pub fn ahead(&self) -> &[Token] {
        &self.tokens[self.at..]
    }

    /// Takes `count` tokens of [`TokenStream::ahead`], at most [`TokenStream::AHEAD`] and none of them the end.
    #[inline]
    pub fn take(&mut self, count: usize) {
        self.at += count;
        if self.at > self.last {
            self.fill(true);
        }
    }

    /// Whether only the end token is left.
    #[inline]
    pub fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// Takes the next token if it is this punctuation character.
    #[inline]
    pub fn eat(&mut self, punct: u8) -> bool {
        let hit = self.peek().kind == TokenKind::Punct(punct);
        if hit {
            self.bump();
        }
        hit
    }

    /// Where the next token stands.
    #[inline]
    pub fn span(&self) -> Span {
        self.peek().span
    }

    /// How the next token is named in messages.
    pub fn found(&self) -> String {
        self.peek().named(self.source)
    }

    /// An "expected, found" error at the next token.
    pub fn expected(&self, code: Code, what: &str) -> Diag {
        Diag::invalid(code, self.span(), format!("expected {what}, found {}", self.found()))
    }

    /// About as many statements as follow: most lines are one, which are seldom shorter than 16 bytes.
    pub fn statements_left(&self) -> usize {
        let rest = &self.source.as_bytes()[self.span().start as usize..];
        (newlines(rest) + 1).min(rest.len() / 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Comments, lex};

    /// Reads a stream to its end, where each token must be the expected one, as must those that are looked at.
    fn assert_reads(mut stream: TokenStream<'_>, expected: &[Token]) {
        let end = expected[expected.len() - 1];
        for n in 0..expected.len() + 2 {
            for ahead in 0..TokenStream::AHEAD {
                assert_eq!(stream.peek_at(ahead), *expected.get(n + ahead).unwrap_or(&end));
            }
            assert_eq!(stream.bump(), *expected.get(n).unwrap_or(&end));
        }
        assert!(stream.at_end());
    }

    /// Takes `count` tokens at once as long as there are so many.
    fn assert_takes(mut stream: TokenStream<'_>, expected: &[Token], count: usize) {
        for part in expected[..expected.len() - 1].chunks_exact(count) {
            assert_eq!(&stream.ahead()[..count], part);
            stream.take(count);
        }
    }

    #[test]
    fn pieces_give_the_tokens_of_the_whole() {
        let lines =
            ["MAD TEMP[2].xyz, -|TEMP[1]|, 1.5 # no\n", "\n", " \r\n", "x", "\t0..3 \"a\u{e9}\" \u{e9};\n", "# all\n"];
        for newlines in [false, true] {
            let options = LexOptions { comments: Comments::Line(b'#'), newlines, carriage_return: true, floats: true };
            for count in [0, 1, 7, 60, 400, 3000] {
                let mut text = String::from("\u{feff}");
                let mut n = count;
                for _ in 0..count {
                    n = (n * 31 + 7) % 1009;
                    text.push_str(lines[n % lines.len()]);
                }
                let tokens = lex(&text, options);
                assert_reads(TokenStream::new(&text, 0..text.len(), options), &tokens);
                assert_takes(TokenStream::new(&text, 0..text.len(), options), &tokens, TokenStream::AHEAD);
                assert_takes(TokenStream::new(&text, 0..text.len(), options), &tokens, 3);
                assert_reads(TokenStream::of(&text, tokens.clone(), options), &tokens);
            }
        }
        let options = LexOptions { comments: Comments::None, newlines: false, carriage_return: true, floats: true };
        let long = format!("{}\n{}", "a ".repeat(4000), "b".repeat(5000));
        assert_reads(TokenStream::new(&long, 0..long.len(), options), &lex(&long, options));
    }
}
