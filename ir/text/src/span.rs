//! Byte ranges of a source text and their line and column.

/// A half-open byte range `start..end` of one source. Sources are limited to 4 GiB.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Range `start..end`.
    #[inline]
    pub fn new(start: usize, end: usize) -> Self {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest range that covers both.
    #[inline]
    pub fn to(self, other: Span) -> Self {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The bytes of `source` it covers; empty when the range does not lie inside on character borders.
    #[inline]
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A line and column, both counted from 1; columns count characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Line starts of one source, for turning byte offsets into [`LineColumn`]s. The first line starts behind a byte order mark.
#[derive(Clone, Debug)]
pub struct LineMap {
    starts: Vec<u32>,
    /// Characters before every [`BLOCK`]th byte, so that a column of a long line is not counted from its start.
    chars: Vec<u32>,
}

/// Line feeds among bytes.
#[inline]
pub fn newlines(bytes: &[u8]) -> usize {
    // As many bytes as one can count, so that many are looked at together.
    let pieces = bytes.chunks(usize::from(u8::MAX));
    pieces.map(|piece| usize::from(piece.iter().fold(0, |count: u8, &b| count + u8::from(b == b'\n')))).sum()
}

/// Bytes between two counts of characters.
const BLOCK: usize = 1024;

/// Characters that begin in some bytes.
fn count(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|&&b| b & 0xC0 != 0x80).count() as u32
}

impl LineMap {
    /// Scans `source` once for line feeds.
    pub fn new(source: &str) -> Self {
        let mut starts = vec![crate::mark_len(source) as u32];
        starts.extend(source.bytes().enumerate().filter(|&(_, b)| b == b'\n').map(|(i, _)| i as u32 + 1));
        let blocks = source.as_bytes().chunks(BLOCK).scan(0, |before, block| {
            let here = *before;
            *before += count(block);
            Some(here)
        });
        LineMap { starts, chars: blocks.collect() }
    }

    /// Characters that begin before byte `at`.
    fn chars_before(&self, source: &str, at: usize) -> u32 {
        let block = (at / BLOCK).min(self.chars.len().saturating_sub(1));
        self.chars.get(block).map_or(0, |before| before + count(&source.as_bytes()[block * BLOCK..at]))
    }

    /// The line of byte `offset`, from 1. Unlike a column it takes no look at the text.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&s| s <= offset).max(1) as u32
    }

    /// Line and column of byte `offset` in the same `source` the map was made from.
    pub fn place(&self, source: &str, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let end = (offset as usize).min(source.len());
        let column = self.chars_before(source, end) - self.chars_before(source, start.min(end));
        LineColumn { line, column: column + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let source = "ab\nçd\n";
        let map = LineMap::new(source);
        assert_eq!(map.place(source, 0), LineColumn { line: 1, column: 1 });
        assert_eq!(map.place(source, 5), LineColumn { line: 2, column: 2 });
        assert_eq!(map.place(source, 99), LineColumn { line: 3, column: 1 });
    }

    #[test]
    fn line_feeds_are_counted_however_many() {
        for count in [0, 1, 254, 255, 256, 1000] {
            assert_eq!(newlines("\n".repeat(count).as_bytes()), count);
            assert_eq!(newlines("ab\n".repeat(count).as_bytes()), count);
        }
    }

    #[test]
    fn columns_of_long_lines_count_every_character() {
        let line = "aé€ ".repeat(700);
        let source = format!("x\n{line}\n{line}");
        let map = LineMap::new(&source);
        for (at, _) in source.char_indices().step_by(7) {
            let before = &source[..at];
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() as u32 + 1;
            let line = before.matches('\n').count() as u32 + 1;
            assert_eq!(map.place(&source, at as u32), LineColumn { line, column });
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_column() {
        let source = "\u{feff}ab\nc";
        let map = LineMap::new(source);
        for (offset, line, column) in [(0, 1, 1), (3, 1, 1), (4, 1, 2), (6, 2, 1)] {
            assert_eq!((map.place(source, offset), map.line(offset)), (LineColumn { line, column }, line));
        }
        assert_eq!(LineMap::new("\u{feff}").place("\u{feff}", 9), LineColumn { line: 1, column: 1 });
    }
}
