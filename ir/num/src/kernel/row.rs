//! Rows of lane words, as wide as their containers.

use super::lanes::BLOCK;
use crate::{Kind, Op, Rule, Storage};
use std::ops::{BitAnd, BitOr};

/// How wide the words of a row are.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Width {
    /// Predicates and condition codes.
    W8,
    /// Binary16.
    W16,
    /// Binary32, fixed point, 32-bit integers.
    W32,
    /// Binary64, 64-bit integers.
    W64,
}

impl Width {
    /// All of them, by number.
    pub const ALL: [Width; 4] = [Width::W8, Width::W16, Width::W32, Width::W64];

    /// The narrowest words with this many bits.
    pub const fn of_bits(bits: u32) -> Width {
        match bits {
            0..=8 => Width::W8,
            9..=16 => Width::W16,
            17..=32 => Width::W32,
            _ => Width::W64,
        }
    }

    /// Words of a float container.
    pub const fn of(storage: Storage) -> Width {
        Width::of_bits(storage.bits())
    }

    /// Words of an operand or result of `op` under `rule`.
    pub(super) fn of_kind(kind: Kind, rule: &Rule) -> Width {
        match kind {
            Kind::F => Width::of(rule.storage),
            Kind::AnyF => Width::of(rule.source),
            Kind::I32 => Width::W32,
            Kind::I64 => Width::W64,
            Kind::Pred | Kind::Cc => Width::W8,
        }
    }

    /// Words of the result of `op` under `rule`.
    pub fn of_result(op: Op, rule: &Rule) -> Width {
        Width::of_kind(op.info().result, rule)
    }
}

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
        each!(Row, self, words => words.iter().map(|&word| word.widen()).collect())
    }

    /// The word of a lane; 0 behind the last one.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> u64 {
        each!(Row, self, words => words.get(lane).map_or(0, |&word| word.widen()))
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

/// A word of a row.
pub(super) trait LaneWord:
    Copy + Default + Ord + BitAnd<Output = Self> + BitOr<Output = Self> + 'static
{
    /// A block of zeros.
    const ZEROS: &[Self; BLOCK];
    /// The word with zeros above it.
    fn widen(self) -> u64;
    /// The low bits of a word.
    fn narrow(word: u64) -> Self;
    /// The words of a row of this width.
    fn words(row: Row<'_>) -> Option<&[Self]>;
    /// The words of a row of this width, to be written.
    ///
    /// # Errors
    /// The row, if it has another width.
    fn words_mut(row: RowMut<'_>) -> Result<&mut [Self], RowMut<'_>>;
}

macro_rules! lane_words {
    ($($word:ty, $variant:ident;)*) => {
        $(impl LaneWord for $word {
            const ZEROS: &[$word; BLOCK] = &[0; BLOCK];

            #[inline(always)]
            fn widen(self) -> u64 {
                self.into()
            }

            #[inline(always)]
            fn narrow(word: u64) -> $word {
                word as $word
            }

            #[inline(always)]
            fn words(row: Row<'_>) -> Option<&[$word]> {
                match row {
                    Row::$variant(words) => Some(words),
                    _ => None,
                }
            }

            #[inline(always)]
            fn words_mut(row: RowMut<'_>) -> Result<&mut [$word], RowMut<'_>> {
                match row {
                    RowMut::$variant(words) => Ok(words),
                    other => Err(other),
                }
            }
        })*
    };
}

lane_words! {
    u8, U8;
    u16, U16;
    u32, U32;
    u64, U64;
}

/// Room for a part of a row of any width.
pub(super) enum Part<const LANES: usize> {
    W8([u8; LANES]),
    W16([u16; LANES]),
    W32([u32; LANES]),
    W64([u64; LANES]),
}

macro_rules! each_part {
    ($part:expr, $words:ident => $result:expr) => {
        match $part {
            Part::W8($words) => $result,
            Part::W16($words) => $result,
            Part::W32($words) => $result,
            Part::W64($words) => $result,
        }
    };
}

impl<const LANES: usize> Part<LANES> {
    pub(super) fn zeros(width: Width) -> Self {
        match width {
            Width::W8 => Part::W8([0; LANES]),
            Width::W16 => Part::W16([0; LANES]),
            Width::W32 => Part::W32([0; LANES]),
            Width::W64 => Part::W64([0; LANES]),
        }
    }

    /// Takes over words, without their higher bits.
    pub(super) fn fill(&mut self, from: &[u64]) {
        each_part!(self, words => words.iter_mut().zip(from).for_each(|(to, &word)| *to = word as _));
    }

    /// The first lanes.
    pub(super) fn row(&self, lanes: usize) -> Row<'_> {
        match self {
            Part::W8(words) => Row::U8(&words[..lanes]),
            Part::W16(words) => Row::U16(&words[..lanes]),
            Part::W32(words) => Row::U32(&words[..lanes]),
            Part::W64(words) => Row::U64(&words[..lanes]),
        }
    }

    /// The first lanes, to be written.
    pub(super) fn row_mut(&mut self, lanes: usize) -> RowMut<'_> {
        match self {
            Part::W8(words) => RowMut::U8(&mut words[..lanes]),
            Part::W16(words) => RowMut::U16(&mut words[..lanes]),
            Part::W32(words) => RowMut::U32(&mut words[..lanes]),
            Part::W64(words) => RowMut::U64(&mut words[..lanes]),
        }
    }

    /// The first words, with zeros above them.
    pub(super) fn widen(&self, to: &mut [u64]) {
        each_part!(self, words => to.iter_mut().zip(words).for_each(|(to, &word)| *to = word.widen()));
    }
}
