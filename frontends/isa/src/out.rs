//! The buffer listings are printed into.

use crate::cursor::{Cursor, ROOM};
use crate::recent::Recent;

/// Listings in the making: ASCII only.
#[derive(Clone, Debug, Default)]
pub struct Out {
    buf: Vec<u8>,
    len: usize,
    /// For lines that are longer than usual.
    start: Vec<u8>,
    recent: Recent,
}

impl Out {
    /// An empty buffer.
    pub fn new() -> Out {
        Out::default()
    }

    /// An empty buffer with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Out {
        Out { buf: vec![0; capacity + ROOM], ..Out::default() }
    }

    /// Number of bytes written.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// What is written.
    pub fn as_str(&self) -> &str {
        // Only ASCII ever enters.
        std::str::from_utf8(&self.buf[..self.len]).unwrap_or("")
    }

    /// What is written, as a text of its own.
    pub fn into_string(mut self) -> String {
        self.buf.truncate(self.len);
        // Only ASCII ever enters.
        String::from_utf8(self.buf).unwrap_or_default()
    }

    /// Appends what `print` writes into a line.
    #[inline(always)]
    pub fn line(&mut self, print: impl FnOnce(&mut Cursor<'_>)) {
        let end = self.len + ROOM;
        if end > self.buf.len() {
            self.grow(ROOM);
        }
        let Some(room) = self.buf.get_mut(self.len..end).and_then(<[u8]>::first_chunk_mut) else { return };
        let mut line = Cursor { room, at: 0, start: &mut self.start, recent: &mut self.recent };
        print(&mut line);
        let count = line.at;
        if self.start.is_empty() {
            self.len += count;
        } else {
            self.join(count);
        }
    }

    /// Joins a long line, whose last `end` bytes stand behind everything else.
    #[cold]
    #[inline(never)]
    fn join(&mut self, end: usize) {
        let mut line = std::mem::take(&mut self.start);
        line.extend_from_slice(&self.buf[self.len..self.len + end]);
        self.text(std::str::from_utf8(&line).unwrap_or(""));
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let size = (self.buf.len() * 2).max(self.len + more + 256);
        self.buf.resize(size, 0);
    }

    /// Appends text; characters that are not ASCII become `?`.
    pub fn text(&mut self, text: &str) {
        if self.len + text.len() > self.buf.len() {
            self.grow(text.len());
        }
        ascii(text, &mut self.buf[self.len..self.len + text.len()]);
        self.len += text.len();
    }

    /// Appends one ASCII character.
    #[inline]
    pub fn char(&mut self, c: u8) {
        if self.len == self.buf.len() {
            self.grow(1);
        }
        self.buf[self.len] = c;
        self.len += 1;
    }
}

/// Copies text; characters that are not ASCII become `?`.
fn ascii(text: &str, to: &mut [u8]) {
    to.copy_from_slice(text.as_bytes());
    if !text.is_ascii() {
        to.iter_mut().filter(|b| !b.is_ascii()).for_each(|b| *b = b'?');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_follow_one_another() {
        let mut out = Out::new();
        for n in 0..1000 {
            out.line(|line| line.decimal(n));
            out.char(b'\n');
        }
        out.text("\u{e9}!");
        let all: String = (0..1000).map(|n| format!("{n}\n")).collect();
        assert_eq!(out.as_str(), all + "??!");
        out.clear();
        assert!(out.is_empty());
    }
}
