//! Words of one output component, each as wide as its container.

use super::{Row, RowMut};
use crate::Type;
use parallax_num::Storage;
use std::ops::Range;

/// One component of an output across lanes or pixels. Patterns of binary16 take 16 bits, those of binary32 and fixed point
/// 32, those of binary64 64; integers their own width; predicates, condition codes and bytes of a render target 8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plane {
    /// Predicates, condition codes, bytes.
    U8(Vec<u8>),
    /// Binary16, 16-bit integers.
    U16(Vec<u16>),
    /// Binary32, fixed point, 32-bit integers.
    U32(Vec<u32>),
    /// Binary64, 64-bit integers.
    U64(Vec<u64>),
}

/// Evaluates the same expression for every width.
macro_rules! each {
    ($of:ident, $plane:expr, $words:ident => $result:expr) => {
        match $plane {
            $of::U8($words) => $result,
            $of::U16($words) => $result,
            $of::U32($words) => $result,
            $of::U64($words) => $result,
        }
    };
}

impl Default for Plane {
    fn default() -> Self {
        Plane::U8(Vec::new())
    }
}

impl Plane {
    /// `len` zeros, in the narrowest words that have this many bits.
    pub fn zeros(bits: u32, len: usize) -> Plane {
        match bits {
            0..=8 => Plane::U8(vec![0; len]),
            9..=16 => Plane::U16(vec![0; len]),
            17..=32 => Plane::U32(vec![0; len]),
            _ => Plane::U64(vec![0; len]),
        }
    }

    /// Sets all words to zero and changes their number; the memory is kept where the width is the same.
    pub fn reset(&mut self, bits: u32, len: usize) {
        let zeros = Plane::zeros(bits, 0);
        if std::mem::discriminant(self) != std::mem::discriminant(&zeros) {
            *self = zeros;
        }
        each!(Plane, self, words => {
            words.clear();
            words.resize(len, 0);
        });
    }

    /// Whether words have the width that so many bits take.
    pub fn is_of(&self, bits: u32) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(&Plane::zeros(bits, 0))
    }

    /// Words of this many bits; higher bits of the given ones are dropped.
    pub fn from_words(bits: u32, words: &[u64]) -> Plane {
        let mut plane = Plane::zeros(bits, words.len());
        plane.as_mut().copy_from(words);
        plane
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        each!(Plane, self, words => words.len())
    }

    /// Whether there are none: the component is never written.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One word; 0 behind the last one.
    pub fn get(&self, at: usize) -> u64 {
        each!(Plane, self, words => words.get(at).map_or(0, |&word| word as _))
    }

    /// All words.
    pub fn to_words(&self) -> Vec<u64> {
        each!(Plane, self, words => words.iter().map(|&word| word as _).collect())
    }

    /// The words at these places.
    pub fn gather(&self, places: &[usize]) -> Plane {
        match self {
            Plane::U8(words) => Plane::U8(places.iter().map(|&at| words[at]).collect()),
            Plane::U16(words) => Plane::U16(places.iter().map(|&at| words[at]).collect()),
            Plane::U32(words) => Plane::U32(places.iter().map(|&at| words[at]).collect()),
            Plane::U64(words) => Plane::U64(places.iter().map(|&at| words[at]).collect()),
        }
    }

    /// Drops the words from `len` on.
    pub fn truncate(&mut self, len: usize) {
        each!(Plane, self, words => words.truncate(len));
    }

    /// All words, to be written.
    pub fn as_mut(&mut self) -> PlaneMut<'_> {
        match self {
            Plane::U8(words) => PlaneMut::U8(words),
            Plane::U16(words) => PlaneMut::U16(words),
            Plane::U32(words) => PlaneMut::U32(words),
            Plane::U64(words) => PlaneMut::U64(words),
        }
    }

    /// All words, as a row.
    pub fn as_row(&self) -> Row<'_> {
        match self {
            Plane::U8(words) => Row::U8(words),
            Plane::U16(words) => Row::U16(words),
            Plane::U32(words) => Row::U32(words),
            Plane::U64(words) => Row::U64(words),
        }
    }

    /// All words, as a row to be written.
    pub fn as_row_mut(&mut self) -> RowMut<'_> {
        match self {
            Plane::U8(words) => RowMut::U8(words),
            Plane::U16(words) => RowMut::U16(words),
            Plane::U32(words) => RowMut::U32(words),
            Plane::U64(words) => RowMut::U64(words),
        }
    }

    /// Consecutive parts of `len` words each, the last one perhaps shorter.
    pub fn chunks_mut(&mut self, len: usize) -> Vec<PlaneMut<'_>> {
        match self {
            Plane::U8(words) => words.chunks_mut(len).map(PlaneMut::U8).collect(),
            Plane::U16(words) => words.chunks_mut(len).map(PlaneMut::U16).collect(),
            Plane::U32(words) => words.chunks_mut(len).map(PlaneMut::U32).collect(),
            Plane::U64(words) => words.chunks_mut(len).map(PlaneMut::U64).collect(),
        }
    }
}

/// A part of a [`Plane`] that is written.
#[derive(Debug, PartialEq, Eq)]
pub enum PlaneMut<'a> {
    /// Part of [`Plane::U8`].
    U8(&'a mut [u8]),
    /// Part of [`Plane::U16`].
    U16(&'a mut [u16]),
    /// Part of [`Plane::U32`].
    U32(&'a mut [u32]),
    /// Part of [`Plane::U64`].
    U64(&'a mut [u64]),
}

impl PlaneMut<'_> {
    /// All words.
    pub fn to_words(&self) -> Vec<u64> {
        each!(PlaneMut, self, words => words.iter().map(|&word| word as _).collect())
    }

    /// All words, as a row.
    pub fn as_row(&self) -> Row<'_> {
        match self {
            PlaneMut::U8(words) => Row::U8(words),
            PlaneMut::U16(words) => Row::U16(words),
            PlaneMut::U32(words) => Row::U32(words),
            PlaneMut::U64(words) => Row::U64(words),
        }
    }

    /// All words, as a row to be written.
    pub fn as_row_mut(&mut self) -> RowMut<'_> {
        match self {
            PlaneMut::U8(words) => RowMut::U8(words),
            PlaneMut::U16(words) => RowMut::U16(words),
            PlaneMut::U32(words) => RowMut::U32(words),
            PlaneMut::U64(words) => RowMut::U64(words),
        }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        each!(PlaneMut, self, words => words.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sets some words to zero.
    pub fn fill_zeros(&mut self, places: Range<usize>) {
        each!(PlaneMut, self, words => words[places].fill(0));
    }

    /// Takes over words of the same number; their higher bits are dropped.
    pub fn copy_from(&mut self, from: &[u64]) {
        each!(PlaneMut, self, words => words.iter_mut().zip(from).for_each(|(to, &word)| *to = word as _));
    }

    /// Sets the words at places to those of lanes, given as (lane, place).
    pub fn scatter(&mut self, from: &Plane, lanes: impl Iterator<Item = (usize, usize)>) {
        match (self, from) {
            (PlaneMut::U8(to), Plane::U8(from)) => lanes.for_each(|(lane, at)| to[at] = from[lane]),
            (PlaneMut::U16(to), Plane::U16(from)) => lanes.for_each(|(lane, at)| to[at] = from[lane]),
            (PlaneMut::U32(to), Plane::U32(from)) => lanes.for_each(|(lane, at)| to[at] = from[lane]),
            (PlaneMut::U64(to), Plane::U64(from)) => lanes.for_each(|(lane, at)| to[at] = from[lane]),
            (to, from) => each!(PlaneMut, to, words => lanes.for_each(|(lane, at)| words[at] = from.get(lane) as _)),
        }
    }
}

/// Type and container of an output component.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PlaneType {
    /// Declared type.
    pub ty: Type,
    /// Container, if it is a float.
    pub storage: Option<Storage>,
}

impl PlaneType {
    /// Bits of a word.
    pub fn bits(self) -> u32 {
        match (self.storage, self.ty) {
            (Some(storage), _) => storage.bits(),
            (None, Type::Float(_) | Type::I64) => 64,
            (None, Type::I32) => 32,
            (None, Type::I16) => 16,
            (None, Type::Cc) => 2,
            (None, Type::Pred) => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_as_wide_as_their_container() {
        for (bits, all) in [(1, 0xff), (16, 0xffff), (17, 0xffff_ffff), (32, 0xffff_ffff), (64, u64::MAX)] {
            let mut plane = Plane::from_words(bits, &[u64::MAX, 1]);
            assert_eq!((plane.get(0), plane.get(1), plane.get(2)), (all, 1, 0), "{bits}");
            assert_eq!(plane.to_words(), [all, 1]);
            plane.truncate(1);
            assert_eq!(plane, Plane::from_words(bits, &[all]));
            plane.reset(bits, 3);
            assert_eq!(plane, Plane::zeros(bits, 3));
        }
        let mut plane = Plane::default();
        assert!(plane.is_empty());
        plane.reset(16, 2);
        assert_eq!(plane, Plane::U16(vec![0; 2]));
        assert_eq!(PlaneType { ty: Type::F16, storage: Some(Storage::F32) }.bits(), 32);
    }

    #[test]
    fn parts_are_written_at_their_places() {
        let mut plane = Plane::zeros(32, 5);
        let mut parts = plane.chunks_mut(3);
        parts[0].scatter(&Plane::U32(vec![7, 8, 9]), [(0, 2), (2, 0)].into_iter());
        parts[1].copy_from(&[4, 5]);
        assert_eq!(plane, Plane::U32(vec![9, 0, 7, 4, 5]));
        assert_eq!(plane.gather(&[4, 0, 0]), Plane::U32(vec![5, 9, 9]));
        plane.as_mut().scatter(&Plane::U16(vec![1]), [(0, 1)].into_iter());
        assert_eq!(plane.get(1), 1);
    }
}
