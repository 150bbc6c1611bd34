//! The rows of a run, by the width of their words.

use parallax_step::Ty;
use std::ops::Range;

/// Lanes of a block. Loops run over whole blocks, so that the compiler knows their length.
pub(crate) const BLOCK: usize = 64;

/// A block of words.
pub(crate) type Block<T> = [T; BLOCK];

/// How wide the words of a row are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Masks: 0 or 1.
    W8,
    /// `f32`, `i32`.
    W32,
    /// `f64`, `i64`.
    W64,
}

impl Width {
    /// All of them, in the order of their numbers.
    pub(crate) const ALL: [Width; Width::COUNT] = [Width::W8, Width::W32, Width::W64];

    /// Number of widths.
    pub(crate) const COUNT: usize = 3;

    /// Words of a type of step form.
    pub(crate) const fn of(ty: Ty) -> Width {
        match ty {
            Ty::Mask => Width::W8,
            Ty::F32 | Ty::I32 => Width::W32,
            Ty::F64 | Ty::I64 => Width::W64,
        }
    }
}

/// A row: its number among those with words of the same width.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) width: Width,
    pub(crate) number: u32,
}

/// Blocks of a row.
type Blocks<T> = Box<[Block<T>]>;

/// Rows of every width, each of the same number of blocks. The row that is written is taken out meanwhile.
#[derive(Debug, Default)]
pub(crate) struct Arena {
    blocks: usize,
    w8: Vec<Blocks<u8>>,
    w32: Vec<Blocks<u32>>,
    w64: Vec<Blocks<u64>>,
}

/// A word of a row.
pub(crate) trait Word: Copy + Default + 'static {
    /// The rows of this width.
    fn rows(arena: &Arena) -> &[Blocks<Self>];
    /// The rows of this width, to be written.
    fn rows_mut(arena: &mut Arena) -> &mut Vec<Blocks<Self>>;
    /// The word with zeros above it.
    fn widen(self) -> u64;
    /// The low bits of a word.
    fn narrow(word: u64) -> Self;
}

macro_rules! words {
    ($($word:ty, $rows:ident;)*) => {
        $(impl Word for $word {
            #[inline(always)]
            fn rows(arena: &Arena) -> &[Blocks<$word>] {
                &arena.$rows
            }

            #[inline(always)]
            fn rows_mut(arena: &mut Arena) -> &mut Vec<Blocks<$word>> {
                &mut arena.$rows
            }

            #[inline(always)]
            fn widen(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn narrow(word: u64) -> $word {
                word as $word
            }
        })*
    };
}

words! {
    u8, w8;
    u32, w32;
    u64, w64;
}

/// Evaluates the same expression for the words of any width.
macro_rules! each_width {
    ($width:expr, $word:ident => $result:expr) => {
        match $width {
            $crate::arena::Width::W8 => {
                type $word = u8;
                $result
            }
            $crate::arena::Width::W32 => {
                type $word = u32;
                $result
            }
            $crate::arena::Width::W64 => {
                type $word = u64;
                $result
            }
        }
    };
}

pub(crate) use each_width;

impl Arena {
    /// Makes room for rows of each width, by its number, and sets all words to zero.
    pub(crate) fn reset(&mut self, rows: [u32; Width::COUNT], blocks: usize) {
        fn zeros<T: Word>(to: &mut Vec<Blocks<T>>, rows: u32, blocks: usize, keeps: bool) {
            if !keeps {
                to.clear();
            }
            to.truncate(rows as usize);
            to.iter_mut().for_each(|row| row.fill([T::default(); BLOCK]));
            to.resize_with(rows as usize, || vec![[T::default(); BLOCK]; blocks].into());
        }
        let keeps = self.blocks == blocks;
        self.blocks = blocks;
        zeros(&mut self.w8, rows[Width::W8 as usize], blocks, keeps);
        zeros(&mut self.w32, rows[Width::W32 as usize], blocks, keeps);
        zeros(&mut self.w64, rows[Width::W64 as usize], blocks, keeps);
    }

    /// Lanes a row has room for.
    pub(crate) fn lanes(&self) -> usize {
        self.blocks * BLOCK
    }

    /// All words of a row.
    #[inline(always)]
    pub(crate) fn words<T: Word>(&self, number: u32) -> &[T] {
        T::rows(self)[number as usize].as_flattened()
    }

    /// All words of a row, to be written.
    #[inline(always)]
    pub(crate) fn words_mut<T: Word>(&mut self, number: u32) -> &mut [T] {
        T::rows_mut(self)[number as usize].as_flattened_mut()
    }

    /// Blocks of a row.
    #[inline(always)]
    pub(crate) fn row<T: Word>(&self, number: u32, blocks: &Range<usize>) -> &[Block<T>] {
        &T::rows(self)[number as usize][blocks.start..blocks.end]
    }

    /// Takes a row out, to be written while the others are read.
    #[inline(always)]
    pub(crate) fn take<T: Word>(&mut self, number: u32) -> Blocks<T> {
        std::mem::take(&mut T::rows_mut(self)[number as usize])
    }

    /// Puts a row back.
    #[inline(always)]
    pub(crate) fn put<T: Word>(&mut self, number: u32, row: Blocks<T>) {
        T::rows_mut(self)[number as usize] = row;
    }

    /// One word.
    #[inline]
    pub(crate) fn word(&self, row: Row, lane: usize) -> u64 {
        each_width!(row.width, W => self.words::<W>(row.number)[lane].widen())
    }

    /// Sets one word.
    #[inline]
    pub(crate) fn set(&mut self, row: Row, lane: usize, word: u64) {
        each_width!(row.width, W => self.words_mut::<W>(row.number)[lane] = W::narrow(word));
    }

    /// Sets every word of a row.
    pub(crate) fn fill(&mut self, row: Row, word: u64) {
        each_width!(row.width, W => self.words_mut::<W>(row.number).fill(W::narrow(word)));
    }

    /// Copies the words of some lanes from one on, with zeros above them.
    pub(crate) fn copy_words(&self, row: Row, first: usize, out: &mut [u64]) {
        each_width!(row.width, W => {
            let words = &self.words::<W>(row.number)[first..][..out.len()];
            out.iter_mut().zip(words).for_each(|(out, &word)| *out = word.widen());
        });
    }

    /// The words of the first lanes, with zeros above them.
    pub(crate) fn to_words(&self, row: Row, lanes: usize) -> Vec<u64> {
        each_width!(row.width, W => self.words::<W>(row.number)[..lanes].iter().map(|&word| word.widen()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_is_taken_leaves_the_others_readable() {
        let mut arena = Arena::default();
        arena.reset([1, 3, 1], 2);
        assert_eq!(arena.lanes(), 128);
        let row = |width, number| Row { width, number };
        for number in 0..3 {
            arena.fill(row(Width::W32, number), u64::from(number) + 10);
        }
        arena.set(row(Width::W8, 0), 70, 0x1ff);
        arena.set(row(Width::W64, 0), 2, u64::MAX);
        let mut taken = arena.take::<u32>(1);
        taken[1] = arena.row::<u32>(2, &(1..2))[0].map(|word| word + 1);
        arena.put(1, taken);
        assert_eq!(arena.to_words(row(Width::W32, 1), 65)[63..], [11, 13]);
        assert_eq!((arena.word(row(Width::W8, 0), 70), arena.word(row(Width::W64, 0), 2)), (0xff, u64::MAX));
        // Rows are zeros again, whether their memory is kept or not.
        for blocks in [2, 1] {
            arena.reset([1, 2, 1], blocks);
            assert_eq!(arena.to_words(row(Width::W32, 1), 64), [0; 64]);
            assert_eq!(arena.word(row(Width::W64, 0), 2), 0);
        }
    }
}
