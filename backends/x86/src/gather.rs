//! What code reads at computed places itself: constants and attributes, whose vectors a *table* in the arena leads to, and local
//! arrays, which lie in the arena.

use crate::arena;
use parallax_core::OpKind;
use parallax_lane::{Site, SiteKind};

/// Of a table: where the component of vector 0 is; 0 where code cannot read it and the host does.
pub(crate) const POINTER: usize = 0;
/// Number of the last vector.
pub(crate) const LAST: usize = 8;
/// Words of 32 bits from vector to vector.
pub(crate) const STRIDE: usize = 12;
/// Bytes of a table.
pub(crate) const SIZE: usize = 16;

/// A read at a computed place.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Read {
    /// What is added to the number that the shader computes.
    pub(crate) base: i32,
    /// Whether there is a word for each lane, as of attributes.
    pub(crate) of_lanes: bool,
}

impl Read {
    /// The read that a site is.
    pub(crate) fn of(site: &Site) -> Option<Read> {
        match site.kind {
            SiteKind::Ir(OpKind::ConstAt { base, .. }) => Some(Read { base, of_lanes: false }),
            SiteKind::Ir(OpKind::AttrAt { base, .. }) => Some(Read { base, of_lanes: true }),
            _ => None,
        }
    }
}

/// Describes a table of `count` vectors.
///
/// Code adds in 32 bits, compares with the last number, and multiplies by the stride: numbers that are too small or too large
/// for that must not come out as one of a vector.
pub(crate) fn describe(arena: &mut [u64], at: usize, base: i32, (pointer, count, stride): (u64, usize, usize)) {
    let numbers = (i64::from(base) + (1 << 31)).min(i64::from(i32::MAX));
    let words = count.checked_mul(stride).and_then(|words| i64::try_from(words).ok());
    let fits = words.is_some_and(|words| words <= i64::from(i32::MAX)) && count as i64 <= numbers;
    arena[(at + POINTER) / 8] = if fits && count > 0 { pointer } else { 0 };
    arena::set_word(arena, at + LAST, count.saturating_sub(1) as u32);
    arena::set_word(arena, at + STRIDE, stride as u32);
}

/// An array in the arena: element n of lane l is the word of number `n * lanes + l`, of 32 or 64 bits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Array {
    /// Offset.
    pub(crate) start: usize,
    /// Elements. Behind them is one that nobody reads.
    pub(crate) len: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the instructions find a vector: the sum in 32 bits, without sign, at most the last number.
    #[test]
    fn no_wrong_number_is_one_of_a_vector() {
        let numbers = [0, 1, 2, 6, i32::MAX, i32::MAX - 3, i32::MIN, i32::MIN + 3, -1, -5];
        let mut read = 0;
        for base in [0, 3, -2, -5, i32::MAX, i32::MIN, i32::MIN + 4, -(1 << 30)] {
            for (count, stride) in [(0, 4), (1, 4), (5, 4), (1 << 28, 4), (1 << 29, 4), (7, usize::MAX), (1 << 29, 1)] {
                let mut arena = [0; 2];
                describe(&mut arena, 0, base, (8, count, stride));
                if arena[0] == 0 {
                    continue;
                }
                for number in numbers {
                    let vector = i64::from(base) + i64::from(number);
                    let found = (base as u32).wrapping_add(number as u32);
                    let inside = found <= crate::arena::word(&arena, LAST);
                    assert_eq!(inside, (0..count as i64).contains(&vector), "{base} {count} {number}");
                    assert!(!inside || i64::from(found) == vector && i32::try_from(vector * stride as i64).is_ok());
                    read += usize::from(inside);
                }
            }
        }
        assert!(read > 20);
    }
}
