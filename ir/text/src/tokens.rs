//! `nom` over a token slice: the one place that names the parser library.

use crate::{
    diag::Diag,
    lexer::{Token, TokenKind},
    span::Span,
};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Input, Needed};

/// The tokens still to read, and the text they came from.
#[derive(Copy, Clone, Debug)]
pub struct Tokens<'a> {
    /// Text all spans refer to.
    pub source: &'a str,
    rest: &'a [Token],
}

/// A parse error that carries a located problem.
#[derive(Clone, Debug)]
pub struct TokensError {
    /// What went wrong; boxed to keep results small.
    pub diag: Box<Diag>,
}

impl<'a> Tokens<'a> {
    /// `tokens` must end with [`TokenKind::End`], as [`crate::lex`] leaves them.
    #[inline]
    pub fn new(source: &'a str, tokens: &'a [Token]) -> Self {
        debug_assert!(tokens.last().is_some_and(|t| t.kind == TokenKind::End));
        Tokens { source, rest: tokens }
    }

    /// The next token; at the end, the [`TokenKind::End`] token again and again.
    #[inline]
    pub fn peek(&self) -> Token {
        self.rest[0]
    }

    /// The token after `n` others.
    #[inline]
    pub fn peek_at(&self, n: usize) -> Token {
        self.rest.get(n).copied().unwrap_or(self.rest[self.rest.len() - 1])
    }

    /// Text of the next token.
    #[inline]
    pub fn peek_text(&self) -> &'a str {
        self.peek().span.text(self.source)
    }

    /// Text of any token of this source.
    #[inline]
    pub fn text(&self, token: Token) -> &'a str {
        token.span.text(self.source)
    }

    /// Takes one token; the end token is never used up.
    #[inline]
    pub fn bump(&mut self) -> Token {
        let token = self.rest[0];
        if self.rest.len() > 1 {
            self.rest = &self.rest[1..];
        }
        token
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

    /// Takes the next token if it is this word (ASCII case ignored).
    pub fn eat_word(&mut self, word: &str) -> bool {
        let hit = self.peek().kind == TokenKind::Word && self.peek_text().eq_ignore_ascii_case(word);
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
    pub fn expected(&self, code: crate::Code, what: &str) -> Diag {
        Diag::invalid(code, self.span(), format!("expected {what}, found {}", self.found()))
    }
}

impl<'a> ParseError<Tokens<'a>> for TokensError {
    fn from_error_kind(input: Tokens<'a>, _: ErrorKind) -> Self {
        TokensError { diag: Box::new(input.expected("syntax", "something else")) }
    }

    fn append(_: Tokens<'a>, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl From<Diag> for TokensError {
    fn from(diag: Diag) -> Self {
        TokensError { diag: Box::new(diag) }
    }
}

impl<'a> Input for Tokens<'a> {
    type Item = Token;
    type Iter = std::iter::Copied<std::slice::Iter<'a, Token>>;
    type IterIndices = std::iter::Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.rest.len() - 1
    }

    fn take(&self, index: usize) -> Self {
        // A prefix has no end token of its own, so it borrows the last one it contains as sentinel.
        Tokens { source: self.source, rest: &self.rest[..=index.min(self.rest.len() - 1)] }
    }

    fn take_from(&self, index: usize) -> Self {
        Tokens { source: self.source, rest: &self.rest[index..] }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P>(&self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool,
    {
        self.iter_elements().position(predicate)
    }

    fn iter_elements(&self) -> Self::Iter {
        self.rest[..self.rest.len() - 1].iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        let left = self.input_len();
        if left >= count { Ok(count) } else { Err(Needed::new(count - left)) }
    }
}

impl<'a> Tokens<'a> {
    /// A `nom` parser that takes one token of `kind`.
    pub fn kind(kind: TokenKind, what: &'static str) -> impl Fn(Tokens<'a>) -> IResult<Tokens<'a>, Token, TokensError> {
        move |mut input| {
            if input.peek().kind == kind {
                let token = input.bump();
                Ok((input, token))
            } else {
                Err(Err::Error(input.expected("syntax", what).into()))
            }
        }
    }

    /// A `nom` parser that takes one punctuation character.
    pub fn punct(punct: u8) -> impl Fn(Tokens<'a>) -> IResult<Tokens<'a>, Token, TokensError> {
        move |mut input| {
            if input.peek().kind == TokenKind::Punct(punct) {
                let token = input.bump();
                Ok((input, token))
            } else {
                let what = format!("`{}`", char::from(punct));
                Err(Err::Error(input.expected("syntax", &what).into()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Comments, LexOptions, lex};
    use nom::Parser;
    use nom::multi::separated_list1;

    #[test]
    fn nom_combinators_run_over_tokens() {
        let source = "a, b , c ;";
        let tokens =
            lex(source, LexOptions { comments: Comments::None, newlines: false, carriage_return: false, floats: true });
        let input = Tokens::new(source, &tokens);
        let (rest, words) =
            separated_list1(Tokens::punct(b','), Tokens::kind(TokenKind::Word, "a word")).parse(input).unwrap();
        assert_eq!(words.len(), 3);
        assert_eq!(rest.peek_text(), ";");
        let error = Tokens::kind(TokenKind::Word, "a word")(rest).unwrap_err();
        assert!(matches!(error, Err::Error(e) if e.diag.message == "expected a word, found `;`"));
    }
}
