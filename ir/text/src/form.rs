//! What the textual forms of shaders share: string literals, and the reader of words, numbers, names and lists.

use crate::{
    closest::closest,
    diag::{Code, Diag},
    lexer::TokenKind,
    literal::parse_u64,
    span::Span,
    tokens::Tokens,
};

/// A string literal. Quotes, backslashes, control characters and `more` stand as code points, such as `\u{22}`.
pub fn quote(text: &str, more: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        if c == '"' || c == '\\' || c.is_control() || more.contains(&c) {
            out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out.push('"');
    out
}

/// What was read, or what stands there instead.
pub type Expected<T> = Result<T, Box<Diag>>;

/// A reader of tokens. Each method takes what it reads; where something else stands, it says what was expected.
#[derive(Copy, Clone, Debug)]
pub struct FormReader<'a> {
    /// What is still to be read.
    pub t: Tokens<'a>,
    /// The code of all problems.
    code: Code,
}

impl<'a> FormReader<'a> {
    /// A reader whose problems have this code.
    pub fn new(t: Tokens<'a>, code: Code) -> FormReader<'a> {
        FormReader { t, code }
    }

    /// Says that something was expected here.
    ///
    /// # Errors
    /// Always.
    pub fn fail<T>(&self, what: &str) -> Expected<T> {
        Err(Box::new(self.t.expected(self.code, what)))
    }

    /// Says what is wrong at a place.
    pub fn wrong(&self, span: Span, message: impl Into<String>) -> Box<Diag> {
        Box::new(Diag::invalid(self.code, span, message))
    }

    /// Whether this word is next.
    pub fn at_word(&self, word: &str) -> bool {
        self.t.peek().kind == TokenKind::Word && self.t.peek_text() == word
    }

    /// Takes this word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let hit = self.at_word(word);
        if hit {
            self.t.bump();
        }
        hit
    }

    /// This word.
    pub fn word(&mut self, word: &str) -> Expected<()> {
        if self.eat_word(word) { Ok(()) } else { self.fail(&format!("`{word}`")) }
    }

    /// This character.
    pub fn punct(&mut self, punct: u8) -> Expected<()> {
        if self.t.eat(punct) { Ok(()) } else { self.fail(&format!("`{}`", char::from(punct))) }
    }

    /// A string literal, its code points replaced.
    pub fn string(&mut self) -> Expected<String> {
        if self.t.peek().kind != TokenKind::Text {
            return self.fail("a string");
        }
        let token = self.t.bump();
        let text = self.t.text(token);
        let mut rest = text.get(1..text.len() - 1).unwrap_or("");
        let mut out = String::with_capacity(rest.len());
        while let Some((plain, escape)) = rest.split_once('\\') {
            out.push_str(plain);
            let code = escape.strip_prefix("u{").and_then(|code| code.split_once('}'));
            let found = code.and_then(|(hex, after)| {
                let c = u32::from_str_radix(hex, 16).ok().and_then(char::from_u32)?;
                Some((c, after))
            });
            let Some((c, after)) = found else {
                return Err(self.wrong(token.span, "a backslash that starts no `\\u{..}`"));
            };
            out.push(c);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    /// `name("text")`.
    pub fn string_in(&mut self, name: &str) -> Expected<String> {
        self.word(name)?;
        self.punct(b'(')?;
        let text = self.string()?;
        self.punct(b')')?;
        Ok(text)
    }

    /// A whole number that fits `T`.
    pub fn int<T: TryFrom<u64>>(&mut self) -> Expected<T> {
        let number = match self.t.peek().kind {
            TokenKind::Integer => parse_u64(self.t.peek_text()).and_then(|n| T::try_from(n).ok()),
            _ => return self.fail("a whole number"),
        };
        match number {
            Some(n) => {
                self.t.bump();
                Ok(n)
            }
            None => Err(self.wrong(self.t.span(), "the number is too large")),
        }
    }

    /// `name(number)`.
    pub fn sized<T: TryFrom<u64>>(&mut self, name: &str) -> Expected<T> {
        self.word(name)?;
        self.punct(b'(')?;
        let n = self.int()?;
        self.punct(b')')?;
        Ok(n)
    }

    /// A number behind a prefix in one word, such as `in3` or `p0`, which is not taken.
    pub fn numbered(&self, prefix: &str) -> Option<u64> {
        if self.t.peek().kind != TokenKind::Word {
            return None;
        }
        let digits = self.t.peek_text().strip_prefix(prefix)?;
        if digits.starts_with('+') {
            return None;
        }
        digits.parse().ok()
    }

    /// The number of the next declaration of a kind, and a problem if it is another.
    pub fn ordinal(&mut self, asked: usize) -> Expected<Option<Box<Diag>>> {
        let span = self.t.span();
        let found: usize = self.int()?;
        let message = || format!("expected number {asked}, found {found}: declarations stand in order");
        Ok((found != asked).then(|| self.wrong(span, message())))
    }

    /// The name of the next declaration of a kind, such as `p2`, and a problem if it is another.
    pub fn entity(&mut self, prefix: &str, asked: usize) -> Expected<Option<Box<Diag>>> {
        let Some(found) = self.numbered(prefix) else { return self.fail(&format!("`{prefix}{asked}`")) };
        let span = self.t.bump().span;
        let message = || format!("expected `{prefix}{asked}`, found `{prefix}{found}`: declarations stand in order");
        Ok((usize::try_from(found) != Ok(asked)).then(|| self.wrong(span, message())))
    }

    /// One of these words.
    pub fn one_of<T: Copy>(&mut self, table: &[(&'static str, T)], what: &str) -> Expected<T> {
        let found = self.t.peek_text();
        match table.iter().find(|row| row.0 == found) {
            Some(row) => {
                self.t.bump();
                Ok(row.1)
            }
            None => {
                let mut diag = self.t.expected(self.code, what);
                if let Some(name) = closest(found, table.iter().map(|row| row.0)) {
                    diag = diag.with_help(format!("did you mean `{name}`?"));
                }
                Err(Box::new(diag))
            }
        }
    }

    /// One of these by its name.
    pub fn named<T: Copy>(&mut self, all: &[T], name: fn(T) -> &'static str, what: &str) -> Expected<T> {
        let found = self.t.peek_text();
        let Some(&hit) = all.iter().find(|one| name(**one) == found) else { return self.fail(what) };
        self.t.bump();
        Ok(hit)
    }

    /// `%3`, a value's number and its place.
    pub fn value(&mut self) -> Expected<(u32, Span)> {
        let percent = self.t.span();
        self.punct(b'%')?;
        let number = match self.t.peek().kind {
            TokenKind::Integer => self.t.peek_text().parse().ok(),
            _ => None,
        };
        match number {
            Some(number) => Ok((number, percent.to(self.t.bump().span))),
            None => self.fail("the number of a value"),
        }
    }

    /// `^3`, a label's number and its place.
    pub fn label(&mut self) -> Expected<(u32, Span)> {
        let span = self.t.span();
        self.punct(b'^')?;
        let span = span.to(self.t.span());
        Ok((self.int()?, span))
    }

    /// One or more, with commas between them.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Expected<T>) -> Expected<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.t.eat(b',') {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// The tokens without white space between them, up to one of these characters; empty where one of these is next.
    pub fn joined(&mut self, ends: &[u8]) -> (&'a str, Span) {
        let mut span = self.t.span();
        let mut first = true;
        loop {
            let token = self.t.peek();
            let ended = match token.kind {
                TokenKind::End | TokenKind::Newline => true,
                TokenKind::Punct(punct) => ends.contains(&punct),
                _ => false,
            };
            if ended || token.spaced && !first {
                let text = if first { "" } else { span.text(self.t.source) };
                return (text, span);
            }
            span = span.to(self.t.bump().span);
            first = false;
        }
    }

    /// The end of a line, and all empty lines behind it.
    pub fn line_end(&mut self) -> Expected<()> {
        if !matches!(self.t.peek().kind, TokenKind::Newline | TokenKind::End) {
            return self.fail("end of line");
        }
        self.empty_lines();
        Ok(())
    }

    /// Takes the ends of empty lines.
    pub fn empty_lines(&mut self) {
        while self.t.peek().kind == TokenKind::Newline {
            self.t.bump();
        }
    }
}
