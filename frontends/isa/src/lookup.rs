//! From a word to its row and length in one lookup: for parts of groups, where the next part waits for the length of this one.

use crate::{pattern::Pattern, row::RowId, tree::Tree};

/// Most bits a table is looked up by.
const MOST_BITS: u32 = 14;
/// Runs of bits that are brought together.
const RUNS: usize = 4;

/// What a lookup finds: the row in the low half, above it the bytes to the next part, and above these what has to be done besides.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found(u32);

impl Default for Found {
    fn default() -> Found {
        Found::UNKNOWN
    }
}

impl Found {
    /// Nothing more is to be done.
    pub(crate) const PLAIN: Found = Found(0);
    /// Bits do not tell the row: the tree has to be asked.
    pub(crate) const UNKNOWN: Found = Found(1 << 24);
    /// The row does not allow all values of its fields.
    pub(crate) const STRICT: Found = Found(1 << 25);
    /// The next part may be of the same slot.
    pub(crate) const REPEATS: Found = Found(1 << 26);

    /// A row, and bytes to the next part.
    pub(crate) fn new(row: RowId, len: u8) -> Found {
        Found(u32::from(row.0) | u32::from(len) << 16)
    }

    /// The same with more to do.
    pub(crate) const fn with(self, more: Found) -> Found {
        Found(self.0 | more.0)
    }

    /// Whether this is to be done.
    #[inline(always)]
    pub(crate) fn has(self, what: Found) -> bool {
        self.0 & what.0 != 0
    }

    /// Whether nothing is left to be done.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.0 >> 24 == 0
    }

    /// The row and the bytes alone.
    #[inline(always)]
    pub(crate) fn plain(self) -> Found {
        Found(self.0 & 0xff_ffff)
    }

    /// The row.
    #[inline(always)]
    pub(crate) fn row(self) -> RowId {
        RowId(self.0 as u16)
    }

    /// Bytes to the next part, where nothing is left to be done.
    #[inline(always)]
    pub(crate) fn len(self) -> u16 {
        (self.0 >> 16) as u16
    }
}

/// A run of neighbouring bits of a word.
#[derive(Copy, Clone, Debug)]
struct Run {
    low: u32,
    len: u32,
}

impl Run {
    fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.len)) << self.low
    }
}

/// Bits of a word brought together by one multiplication, whose product has them at its upper end.
#[derive(Copy, Clone, Debug)]
struct Gather {
    mask: u64,
    factor: u64,
    shift: u32,
}

impl Gather {
    /// The place of runs of bits in a table of two to the power of their number; `None` if products do not tell all their values apart.
    ///
    /// The factor has a bit for each run. It moves the lowest run to the upper end of the word, and the others below it. What it makes of
    /// a run by the bit of another lies below these or leaves the word. Where it does not, the sum of both may still differ for all values.
    fn of(runs: &[Run]) -> Option<Gather> {
        let mask = runs.iter().fold(0, |mask, run| mask | run.mask());
        let (mut end, mut factor) = (64, 0);
        for run in runs {
            end -= run.len;
            factor |= 1u64 << end.checked_sub(run.low)?;
        }
        // There is no shift by all 64 bits. Without bits the product is 0.
        let gather = Gather { mask, factor, shift: end.min(63) };
        let mut seen = vec![false; 1 << mask.count_ones()];
        values(mask).all(|word| !std::mem::replace(&mut seen[gather.key(word)], true)).then_some(gather)
    }

    #[inline(always)]
    fn key(&self, word: u64) -> usize {
        ((word & self.mask).wrapping_mul(self.factor) >> self.shift) as usize
    }
}

/// All words without bits outside of a mask.
fn values(mask: u64) -> impl Iterator<Item = u64> {
    let next = move |word: &u64| Some((word | !mask).wrapping_add(1) & mask).filter(|next| *next != 0);
    std::iter::successors(Some(0), next)
}

/// A table over bits that tell rows apart: the lowest that do. Words of rows that have more constant bits are left to the tree.
///
/// All of it but the table lies in one line of a cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Lookup {
    gather: Gather,
    table: Vec<Found>,
}

impl Default for Lookup {
    /// Finds nothing.
    fn default() -> Lookup {
        Lookup { gather: Gather { mask: 0, factor: 0, shift: 0 }, table: Vec::new() }
    }
}

impl Lookup {
    /// The table for rows with these patterns. `found` says what is found by the row, if it is known,
    /// and by a word and the bits of it that are known.
    pub(crate) fn new<'a>(
        patterns: impl Iterator<Item = &'a Pattern>,
        tree: &Tree,
        found: impl Fn(Option<RowId>, u128, u128) -> Found,
    ) -> Lookup {
        // Rows with the highest bit are not met in bytes.
        let rows: Vec<&Pattern> = patterns.filter(|row| row.value >> 127 == 0).collect();
        let mut left = rows.iter().fold(0, |bits, row| bits | row.fixed as u64);
        let (mut runs, mut width) = (Vec::new(), 0);
        while runs.len() < RUNS && width < MOST_BITS && left != 0 {
            let low = left.trailing_zeros();
            let run = Run { low, len: (left >> low).trailing_ones().min(MOST_BITS - width) };
            left &= !run.mask();
            width += run.len;
            runs.push(run);
        }
        let gather = loop {
            match Gather::of(&runs) {
                Some(gather) => break gather,
                None => runs.pop(),
            };
        };
        let row_of = |word: u64| {
            let fits = |row: &&&Pattern| (row.value as u64 ^ word) & row.fixed as u64 & gather.mask == 0;
            let is_told = |row: &&Pattern| row.fixed & !(u128::from(gather.mask) | 1 << 127) == 0;
            if rows.iter().filter(fits).all(is_told) { tree.find(word.into()) } else { None }
        };
        let mut table = vec![Found::default(); 1 << gather.mask.count_ones()];
        let known = gather.mask.into();
        values(gather.mask).for_each(|word| table[gather.key(word)] = found(row_of(word), word.into(), known));
        Lookup { gather, table }
    }

    /// What a word is.
    #[inline(always)]
    pub(crate) fn find(&self, word: u64) -> Found {
        self.table.get(self.gather.key(word)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(patterns: &[Pattern]) -> (Tree, Lookup) {
        let tree = Tree::new(patterns, true);
        let found = |row: Option<RowId>, _, _| row.map_or(Found::UNKNOWN, |row| Found::new(row, row.0 as u8 + 1));
        let lookup = Lookup::new(patterns.iter(), &tree, found);
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
            assert_eq!(found.is_plain().then_some(found.row()), row, "{word:x}");
            assert!(!found.is_plain() || found.len() == found.row().0 + 1);
            known += usize::from(found.is_plain());
        }
        assert!(known > 10_000);
    }

    #[test]
    fn rows_with_more_constant_bits_are_left_to_the_tree() {
        let many = Pattern::new("-{8} 0101 0101 0101 0101 0101 0100");
        let distant = Pattern::new("1 -{70} 1");
        let patterns = [many, distant, Pattern::new("0000 0110")];
        let (tree, lookup) = lookup(&patterns);
        assert!(!lookup.find(0x55_5554).is_plain() && !lookup.find(1).is_plain());
        let found = lookup.find(6);
        assert!(found.is_plain() && Some(found.row()) == tree.find(6));
    }

    #[test]
    fn one_multiplication_brings_runs_together() {
        let run = |low, len| Run { low, len };
        // As tables of USC have them, and runs of which one falls on another.
        for runs in
            [&[run(7, 1), run(14, 2), run(23, 1), run(34, 1)][..], &[run(0, 8), run(12, 4), run(23, 1), run(31, 1)]]
        {
            let gather = Gather::of(runs).expect("products tell them apart");
            let mut keys: Vec<usize> = values(gather.mask).map(|word| gather.key(word)).collect();
            assert!(values(gather.mask).all(|word| gather.key(word | !gather.mask) == gather.key(word)));
            keys.sort_unstable();
            assert!(keys.into_iter().eq(0..1 << gather.mask.count_ones()));
        }
        // A bit that would have to go down.
        assert!(Gather::of(&[run(0, 4), run(62, 1)]).is_none());
    }

    #[test]
    fn one_row_needs_no_bits() {
        let (_, lookup) = lookup(&[Pattern::new("---- ----")]);
        let found = lookup.find(0x5a);
        assert!(found.is_plain() && found.row() == RowId(0) && found.len() == 1 && lookup.table.len() == 1);
    }
}
