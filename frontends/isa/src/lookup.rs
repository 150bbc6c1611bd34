//! From a word to its row and length in one lookup: for parts of groups, where the next part waits for the length of this one.

use crate::{pattern::Pattern, row::RowId, tree::Tree};

/// Most bits a table is looked up by.
const MOST_BITS: u32 = 14;
/// Runs of bits that are brought together.
const RUNS: usize = 4;

/// Bits of a word: how far it is turned right, and which bits are then taken.
#[derive(Copy, Clone, Debug, Default)]
struct Run {
    turn: u32,
    mask: u32,
}

impl Run {
    #[inline(always)]
    fn of(self, word: u64) -> u32 {
        word.rotate_right(self.turn) as u32 & self.mask
    }
}

/// What a lookup finds: the row in the low half, its bytes in the high one. A row has at least one byte: 0 is no row that is
/// known.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Found(u32);

impl Found {
    /// A row of so many bytes.
    pub(crate) fn new(row: RowId, len: u8) -> Found {
        Found(u32::from(row.0) | u32::from(len) << 16)
    }

    /// The row.
    #[inline(always)]
    pub(crate) fn row(self) -> RowId {
        RowId(self.0 as u16)
    }

    /// Bytes of the part.
    #[inline(always)]
    pub(crate) fn len(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Whether the row is known: elsewhere the tree has to be asked.
    #[inline(always)]
    pub(crate) fn is_known(self) -> bool {
        self.0 != 0
    }
}

/// A table over bits that tell rows apart: the lowest that do. Words of rows that have more constant bits are left to the tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lookup {
    runs: [Run; RUNS],
    /// Whether more than the first run is needed.
    several: bool,
    table: Vec<Found>,
}

impl Lookup {
    /// The table for rows with these patterns. `len` tells the bytes of a row, and nothing for rows that take a closer look.
    pub(crate) fn new<'a>(
        patterns: impl Iterator<Item = &'a Pattern>,
        tree: &Tree,
        len: impl Fn(RowId) -> Option<u8>,
    ) -> Lookup {
        // Rows with the highest bit are not met in bytes.
        let rows: Vec<&Pattern> = patterns.filter(|row| row.value >> 127 == 0).collect();
        let mut left = rows.iter().fold(0, |bits, row| bits | row.fixed as u64);
        let (mut lookup, mut bits, mut width) = (Lookup::default(), 0, 0);
        for run in &mut lookup.runs {
            let shift = left.trailing_zeros();
            let len = left.checked_shr(shift).unwrap_or(0).trailing_ones().min(MOST_BITS - width);
            if len == 0 {
                break;
            }
            let ones = (1u64 << len) - 1;
            *run = Run { turn: (64 + shift - width) % 64, mask: (ones << width) as u32 };
            bits |= ones << shift;
            left &= !bits;
            width += len;
        }
        lookup.several = lookup.runs[1].mask != 0;
        let found = |key: u32| {
            let word = lookup.runs.iter().fold(0, |word, run| word | u64::from(key & run.mask).rotate_left(run.turn));
            let fits = |row: &&&Pattern| (row.value as u64 ^ word) & row.fixed as u64 & bits == 0;
            let is_told = |row: &&Pattern| row.fixed & !(u128::from(bits) | 1 << 127) == 0;
            if !rows.iter().filter(fits).all(is_told) {
                return None;
            }
            let row = tree.find(word.into())?;
            Some(Found::new(row, len(row)?))
        };
        lookup.table = (0..1 << width).map(|key| found(key).unwrap_or_default()).collect();
        lookup
    }

    /// What a word is.
    #[inline(always)]
    pub(crate) fn find(&self, word: u64) -> Found {
        let mut key = self.runs[0].of(word);
        if self.several {
            key |= self.runs[1].of(word) | self.runs[2].of(word) | self.runs[3].of(word);
        }
        self.table.get(key as usize).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(patterns: &[Pattern]) -> (Tree, Lookup) {
        let tree = Tree::new(patterns, true);
        let lookup = Lookup::new(patterns.iter(), &tree, |row| Some(row.0 as u8 + 1));
        (tree, lookup)
    }

    #[test]
    fn finds_what_the_tree_finds() {
        let patterns = [
            Pattern::new("0 - ------"),
            Pattern::new("1 0 - ----- 1 - ------"),
            Pattern::new("0 -- - - - -- 1 1 - ----- 1 - ------"),
            Pattern::new("1 o{111} 1111 1111 ---- ----"),
        ];
        let (tree, lookup) = lookup(&patterns);
        let mut known = 0;
        for n in 0..1u64 << 16 {
            let word = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let found = lookup.find(word);
            let row = tree.find(word.into());
            assert_eq!(found.is_known().then_some(found.row()), row, "{word:x}");
            assert!(!found.is_known() || found.len() == found.row().0 + 1);
            known += usize::from(found.is_known());
        }
        assert!(known > 10_000);
    }

    #[test]
    fn rows_with_more_constant_bits_are_left_to_the_tree() {
        let many = Pattern::new("-{8} 0101 0101 0101 0101 0101 0100");
        let distant = Pattern::new("1 -{70} 1");
        let patterns = [many, distant, Pattern::new("0000 0110")];
        let (tree, lookup) = lookup(&patterns);
        assert!(!lookup.find(0x55_5554).is_known() && !lookup.find(1).is_known());
        let found = lookup.find(6);
        assert!(found.is_known() && Some(found.row()) == tree.find(6));
    }

    #[test]
    fn one_row_needs_no_bits() {
        let (_, lookup) = lookup(&[Pattern::new("---- ----")]);
        let found = lookup.find(0x5a);
        assert!(found.is_known() && found.row() == RowId(0) && found.len() == 1 && lookup.table.len() == 1);
    }
}
