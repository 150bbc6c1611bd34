//! The rows of a run, by the width of their words.

use crate::program::Row;
use parallax_num::{self as num, RowMut, Width};
use std::ops::Range;

/// Rows of every width, `stride` words each.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    /// Lanes a row has room for.
    pub(crate) stride: usize,
    w8: Vec<u8>,
    w16: Vec<u16>,
    w32: Vec<u32>,
    w64: Vec<u64>,
}

/// Rows while one of them is written, limited to a range of lanes.
pub(crate) struct Others<'a> {
    stride: usize,
    lanes: Range<usize>,
    w8: Halves<'a, u8>,
    w16: Halves<'a, u16>,
    w32: Halves<'a, u32>,
    w64: Halves<'a, u64>,
}

/// The words of one width before and behind the row that is written.
struct Halves<'a, T> {
    left: &'a [T],
    right: &'a [T],
    /// Index of the first word of `right` among all.
    right_at: usize,
}

impl<'a, T> Halves<'a, T> {
    fn whole(words: &'a [T]) -> Self {
        Halves { left: words, right: &[], right_at: words.len() }
    }

    /// Words from an index on.
    fn get(&self, at: Range<usize>) -> &'a [T] {
        if at.start < self.left.len() {
            &self.left[at]
        } else {
            &self.right[at.start - self.right_at..at.end - self.right_at]
        }
    }
}

/// The row at an index, and the words around it.
fn cut<T>(words: &mut [T], at: usize, stride: usize, lanes: Range<usize>) -> (&mut [T], Halves<'_, T>) {
    let (left, rest) = words.split_at_mut(at);
    let (row, right) = rest.split_at_mut(stride);
    (&mut row[lanes], Halves { left, right, right_at: at + stride })
}

impl Arena {
    /// Makes room for rows of each width, by its number, and sets all words to zero.
    pub(crate) fn reset(&mut self, rows: [u32; Width::ALL.len()], stride: usize) {
        fn zeros<T: Clone + Default>(words: &mut Vec<T>, len: usize) {
            words.clear();
            words.resize(len, T::default());
        }
        self.stride = stride;
        let words = rows.map(|rows| rows as usize * stride);
        zeros(&mut self.w8, words[Width::W8 as usize]);
        zeros(&mut self.w16, words[Width::W16 as usize]);
        zeros(&mut self.w32, words[Width::W32 as usize]);
        zeros(&mut self.w64, words[Width::W64 as usize]);
    }

    fn range(&self, row: Row, lanes: &Range<usize>) -> Range<usize> {
        let at = row.number as usize * self.stride;
        at + lanes.start..at + lanes.end
    }

    /// Lanes of a row.
    pub(crate) fn row(&self, row: Row, lanes: Range<usize>) -> num::Row<'_> {
        let range = self.range(row, &lanes);
        match row.width {
            Width::W8 => num::Row::U8(&self.w8[range]),
            Width::W16 => num::Row::U16(&self.w16[range]),
            Width::W32 => num::Row::U32(&self.w32[range]),
            Width::W64 => num::Row::U64(&self.w64[range]),
        }
    }

    /// Lanes of a row, to be written.
    pub(crate) fn row_mut(&mut self, row: Row, lanes: Range<usize>) -> RowMut<'_> {
        let range = self.range(row, &lanes);
        match row.width {
            Width::W8 => RowMut::U8(&mut self.w8[range]),
            Width::W16 => RowMut::U16(&mut self.w16[range]),
            Width::W32 => RowMut::U32(&mut self.w32[range]),
            Width::W64 => RowMut::U64(&mut self.w64[range]),
        }
    }

    /// One word.
    pub(crate) fn word(&self, row: Row, lane: usize) -> u64 {
        self.row(row, lane..lane + 1).get(0)
    }

    /// Sets one word.
    pub(crate) fn set(&mut self, row: Row, lane: usize, word: u64) {
        self.row_mut(row, lane..lane + 1).set(0, word);
    }

    /// Four rows of 32-bit words that lie one after the other for writing, the others for reading.
    pub(crate) fn split_four(&mut self, first: u32, lanes: Range<usize>) -> ([&mut [u32]; 4], Others<'_>) {
        let stride = self.stride;
        let at = first as usize * stride;
        let Arena { w8, w16, w32, w64, .. } = self;
        let (rows, words) = cut(w32, at, 4 * stride, 0..4 * stride);
        let mut rows = rows.chunks_exact_mut(stride);
        let out = std::array::from_fn(|_| rows.next().map_or(&mut [][..], |row| &mut row[lanes.clone()]));
        let (w8, w16, w64) = (Halves::whole(w8), Halves::whole(w16), Halves::whole(w64));
        (out, Others { stride, lanes, w8, w16, w32: words, w64 })
    }

    /// Row `out` for writing, the others for reading.
    pub(crate) fn split(&mut self, out: Row, lanes: Range<usize>) -> (RowMut<'_>, Others<'_>) {
        let stride = self.stride;
        let at = out.number as usize * stride;
        // All words of the other widths, and those around the row.
        macro_rules! with {
            ($row:ident; $($other:ident)*) => {{
                let (row, $row) = cut($row, at, stride, lanes.clone());
                $(let $other = Halves::whole($other);)*
                (row, Others { stride, lanes: lanes.clone(), $row, $($other),* })
            }};
        }
        let Arena { w8, w16, w32, w64, .. } = self;
        match out.width {
            Width::W8 => {
                let (row, others) = with!(w8; w16 w32 w64);
                (RowMut::U8(row), others)
            }
            Width::W16 => {
                let (row, others) = with!(w16; w8 w32 w64);
                (RowMut::U16(row), others)
            }
            Width::W32 => {
                let (row, others) = with!(w32; w8 w16 w64);
                (RowMut::U32(row), others)
            }
            Width::W64 => {
                let (row, others) = with!(w64; w8 w16 w32);
                (RowMut::U64(row), others)
            }
        }
    }
}

impl<'a> Others<'a> {
    /// Another row.
    pub(crate) fn row(&self, row: Row) -> num::Row<'a> {
        let at = row.number as usize * self.stride;
        let range = at + self.lanes.start..at + self.lanes.end;
        match row.width {
            Width::W8 => num::Row::U8(self.w8.get(range)),
            Width::W16 => num::Row::U16(self.w16.get(range)),
            Width::W32 => num::Row::U32(self.w32.get(range)),
            Width::W64 => num::Row::U64(self.w64.get(range)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_row_leaves_the_others_readable() {
        let mut arena = Arena::default();
        arena.reset([1, 0, 3, 1], 8);
        let row = |width, number| Row { width, number };
        for number in 0..3 {
            arena.row_mut(row(Width::W32, number), 0..8).fill(u64::from(number) + 10);
        }
        arena.set(row(Width::W8, 0), 3, 0x1ff);
        arena.set(row(Width::W64, 0), 2, u64::MAX);
        for out in 0..3 {
            let (mut words, others) = arena.split(row(Width::W32, out), 2..6);
            assert_eq!(words.len(), 4);
            words.fill(7);
            for number in (0..3).filter(|&number| number != out) {
                let seen = others.row(row(Width::W32, number)).to_words();
                assert_eq!(seen, vec![if number < out { 7 } else { u64::from(number) + 10 }; 4]);
            }
            assert_eq!(others.row(row(Width::W8, 0)).to_words(), [0, 0xff, 0, 0]);
            assert_eq!(others.row(row(Width::W64, 0)).get(0), u64::MAX);
            assert_eq!(arena.word(row(Width::W32, out), 1), u64::from(out) + 10);
        }
        let (mut words, others) = arena.split(row(Width::W64, 0), 0..8);
        words.set(0, 5);
        assert_eq!(others.row(row(Width::W32, 2)).get(7), 12);
    }
}
