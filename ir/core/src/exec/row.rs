//! Rows of words, as wide as their containers.

/// A row that is read.
#[derive(Copy, Clone, Debug)]
pub enum Row<'a> {
    /// Words of 8 bits.
    U8(&'a [u8]),
    /// Words of 16 bits.
    U16(&'a [u16]),
    /// Words of 32 bits.
    U32(&'a [u32]),
    /// Words of 64 bits.
    U64(&'a [u64]),
}

/// A row that is written.
#[derive(Debug)]
pub enum RowMut<'a> {
    /// Words of 8 bits.
    U8(&'a mut [u8]),
    /// Words of 16 bits.
    U16(&'a mut [u16]),
    /// Words of 32 bits.
    U32(&'a mut [u32]),
    /// Words of 64 bits.
    U64(&'a mut [u64]),
}

/// Evaluates the same expression for every width.
macro_rules! each {
    ($of:ident, $row:expr, $words:ident => $result:expr) => {
        match $row {
            $of::U8($words) => $result,
            $of::U16($words) => $result,
            $of::U32($words) => $result,
            $of::U64($words) => $result,
        }
    };
}

impl Row<'_> {
    /// Lanes.
    pub fn len(&self) -> usize {
        each!(Row, self, words => words.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Lanes `start..end`.
    pub fn part(&self, start: usize, end: usize) -> Self {
        match self {
            Row::U8(words) => Row::U8(&words[start..end]),
            Row::U16(words) => Row::U16(&words[start..end]),
            Row::U32(words) => Row::U32(&words[start..end]),
            Row::U64(words) => Row::U64(&words[start..end]),
        }
    }

    /// All words, with zeros above them.
    pub fn to_words(&self) -> Vec<u64> {
        each!(Row, self, words => words.iter().map(|&word| word as _).collect())
    }

    /// The word of a lane; 0 behind the last one.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> u64 {
        each!(Row, self, words => words.get(lane).map_or(0, |&word| word as _))
    }
}

impl RowMut<'_> {
    /// Lanes.
    pub fn len(&self) -> usize {
        each!(RowMut, self, words => words.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same row, for a while.
    pub fn reborrow(&mut self) -> RowMut<'_> {
        match self {
            RowMut::U8(words) => RowMut::U8(words),
            RowMut::U16(words) => RowMut::U16(words),
            RowMut::U32(words) => RowMut::U32(words),
            RowMut::U64(words) => RowMut::U64(words),
        }
    }

    /// Lanes `start..end`.
    pub fn part(&mut self, start: usize, end: usize) -> RowMut<'_> {
        match self {
            RowMut::U8(words) => RowMut::U8(&mut words[start..end]),
            RowMut::U16(words) => RowMut::U16(&mut words[start..end]),
            RowMut::U32(words) => RowMut::U32(&mut words[start..end]),
            RowMut::U64(words) => RowMut::U64(&mut words[start..end]),
        }
    }

    /// The row, to be read.
    pub fn as_row(&self) -> Row<'_> {
        match self {
            RowMut::U8(words) => Row::U8(words),
            RowMut::U16(words) => Row::U16(words),
            RowMut::U32(words) => Row::U32(words),
            RowMut::U64(words) => Row::U64(words),
        }
    }

    /// Sets every lane to the low bits of a word.
    pub fn fill(&mut self, word: u64) {
        each!(RowMut, self, words => words.fill(word as _));
    }

    /// Sets the word of a lane, without its higher bits. Behind the last lane nothing happens.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, word: u64) {
        each!(RowMut, self, words => {
            if let Some(to) = words.get_mut(lane) {
                *to = word as _;
            }
        });
    }
}
