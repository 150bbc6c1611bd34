//! Words of a script.

/// A word, or the end of a line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    Line,
    End,
}

/// Reads a script from its beginning.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { text, at: 0 }
    }

    /// The number of the line that comes next.
    pub(super) fn line(&self) -> usize {
        self.text[..self.at].matches('\n').count() + 1
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                None => return Token::End,
                Some(b'\n') => {
                    self.at += 1;
                    return Token::Line;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0c | b',' | b'(' | b')') => self.at += 1,
                Some(b'#') => self.at = self.text[self.at..].find('\n').map_or(bytes.len(), |n| self.at + n),
                // A line goes on after it.
                Some(b'\\') => {
                    let rest = self.text[self.at + 1..].find('\n');
                    self.at = rest.map_or(bytes.len(), |n| self.at + 1 + n + 1);
                }
                Some(_) => break,
            }
        }
        let rest = &self.text[self.at..];
        let ends = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | '(' | ')');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        Token::Word(word)
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.clone().next()
    }

    /// The next word, on whatever line.
    pub(super) fn next_word(&mut self) -> Option<&'a str> {
        loop {
            match self.next() {
                Token::Word(word) => return Some(word),
                Token::Line => {}
                Token::End => return None,
            }
        }
    }

    /// The next word if the line has one.
    pub(super) fn word_of_line(&mut self) -> Option<&'a str> {
        match self.peek() {
            Token::Word(word) => {
                self.next();
                Some(word)
            }
            _ => None,
        }
    }

    /// The next word of the line, if it is this one.
    pub(super) fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == Token::Word(word);
        if found {
            self.next();
        }
        found
    }

    /// The words up to the end of the line.
    pub(super) fn rest_of_line(&mut self) -> Vec<&'a str> {
        std::iter::from_fn(|| self.word_of_line()).collect()
    }

    /// The words up to `END`, which is taken as well.
    pub(super) fn words_to_end(&mut self) -> Vec<&'a str> {
        std::iter::from_fn(|| self.next_word().filter(|word| *word != "END")).collect()
    }

    /// The lines after this one, up to the one that says `END`, which is taken as well.
    pub(super) fn lines_to_end(&mut self) -> &'a str {
        let from = self.text[self.at..].find('\n').map_or(self.text.len(), |n| self.at + n + 1);
        let mut at = from;
        for line in self.text[from..].split_inclusive('\n') {
            let next = at + line.len();
            if line.split_whitespace().next() == Some("END") {
                self.at = next;
                return &self.text[from..at];
            }
            at = next;
        }
        self.at = self.text.len();
        &self.text[from..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_and_lines_go_on() {
        let mut tokens = Tokens::new("A 1, \\\n 2 # three\nSHADER x\n void f() {}\nEND\nB");
        assert_eq!(tokens.rest_of_line(), ["A", "1", "2"]);
        assert_eq!((tokens.next_word(), tokens.line()), (Some("SHADER"), 3));
        assert_eq!(tokens.lines_to_end(), " void f() {}\n");
        assert_eq!((tokens.next_word(), tokens.next_word()), (Some("B"), None));
    }
}
