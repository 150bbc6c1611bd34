//! From a word to its row: a tree of table lookups built from the patterns.
//!
//! Every word takes the same number of lookups: leaves that are reached early lead to themselves. The walk has no branch
//! that depends on the word, so a mix of instructions costs no more than one instruction repeated.

use crate::{Pattern, RowId};

/// Most bits one lookup looks at.
const WINDOW: u32 = 8;
/// Most bits of a lookup that some of its rows leave open; such rows stand under several values.
const SPLIT: u32 = 8;
/// What a leaf holds beside row numbers: nothing, or from [`LISTS`] on the number of a list.
const NOTHING: u16 = u16::MAX;
const LISTS: u16 = 1 << 15;

/// The bits of a word from `shift` on; what is looked at must not cross the middle of the word.
#[inline(always)]
pub(crate) fn bits_from(word: u128, shift: u8) -> u64 {
    let half = if shift < 64 { word as u64 } else { (word >> 64) as u64 };
    half >> (shift & 63)
}

/// Goes on at `first` plus the masked bits from `shift` on.
#[derive(Copy, Clone, Debug)]
struct Node {
    first: u32,
    shift: u8,
    mask: u8,
    leaf: u16,
}

#[derive(Copy, Clone, Debug)]
struct Candidate {
    fixed: u128,
    value: u128,
    row: RowId,
}

/// Finds the narrowest row whose pattern matches a word.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The constant bits of each row, and their values.
    constants: Vec<(u128, u128)>,
    /// Candidates that lookups do not tell apart; the narrowest first.
    lists: Vec<Vec<Candidate>>,
    depth: u32,
}

impl Tree {
    /// Builds it. Rows are numbered in the order given.
    ///
    /// # Panics
    /// If there are more than 32,767 rows.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Tree {
        let rows: Vec<Candidate> = patterns
            .into_iter()
            .enumerate()
            .map(|(n, p)| Candidate { fixed: p.fixed, value: p.value, row: RowId(n as u16) })
            .collect();
        assert!(rows.len() < usize::from(LISTS), "too many rows");
        let constants = rows.iter().map(|row| (row.fixed, row.value)).collect();
        let mut tree = Tree { nodes: Vec::new(), constants, lists: Vec::new(), depth: 0 };
        tree.add_leaves(1);
        tree.build(0, rows, 0, 0);
        tree
    }

    fn add_leaves(&mut self, count: usize) {
        let first = self.nodes.len();
        let leaf = |n| Node { first: n as u32, shift: 0, mask: 0, leaf: NOTHING };
        self.nodes.extend((first..first + count).map(leaf));
    }

    fn build(&mut self, node: usize, mut rows: Vec<Candidate>, seen: u128, depth: u32) {
        self.depth = self.depth.max(depth);
        let common = rows.iter().fold(u128::MAX, |mask, row| mask & row.fixed) & !seen;
        let some = rows.iter().fold(0, |mask, row| mask | row.fixed) & !seen;
        let (shift, bits) = match longest_run(common) {
            (_, 0) if rows.len() > 1 => {
                let (shift, bits) = longest_run(some);
                (shift, bits.min(SPLIT))
            }
            run => run,
        };
        rows.sort_by_key(|row| std::cmp::Reverse(row.fixed.count_ones()));
        let leaf = match rows.as_slice() {
            [] => Some(NOTHING),
            // All constant bits were looked at: the narrowest row wins.
            [narrowest, ..] if some == 0 => Some(narrowest.row.0),
            // Its constant bits are compared at the end: that is cheaper than tables that tell one row from nothing.
            [only] => Some(only.row.0),
            _ if bits == 0 => None,
            _ => {
                self.split(node, &rows, shift, bits, seen, depth);
                return;
            }
        };
        self.nodes[node].leaf = leaf.unwrap_or_else(|| {
            self.lists.push(rows);
            LISTS + (self.lists.len() - 1) as u16
        });
    }

    fn split(&mut self, node: usize, rows: &[Candidate], shift: u32, bits: u32, seen: u128, depth: u32) {
        let first = self.nodes.len();
        let mask = (1u32 << bits) - 1;
        self.nodes[node] = Node { first: first as u32, shift: shift as u8, mask: mask as u8, leaf: NOTHING };
        self.add_leaves(1 << bits);
        let window = u128::from(mask) << shift;
        for value in 0..=mask {
            let here = u128::from(value) << shift;
            let fits = |row: &&Candidate| (row.value ^ here) & row.fixed & window == 0;
            let part = rows.iter().filter(fits).copied().collect();
            self.build(first + value as usize, part, seen | window, depth + 1);
        }
    }

    /// The row of `word`, if any.
    #[inline(always)]
    pub fn find(&self, word: u128) -> Option<RowId> {
        let mut node = self.nodes[0];
        for _ in 0..self.depth {
            let value = bits_from(word, node.shift) as u32 & u32::from(node.mask);
            node = self.nodes[(node.first + value) as usize];
        }
        match self.constants.get(usize::from(node.leaf)) {
            Some((fixed, value)) => (word & fixed == *value).then_some(RowId(node.leaf)),
            None => self.compare(node.leaf, word),
        }
    }

    /// The same, with as few lookups as the word needs: for words whose use does not depend on where the next one starts.
    #[inline(always)]
    pub(crate) fn find_early(&self, word: u128) -> Option<RowId> {
        let mut node = &self.nodes[0];
        while node.mask != 0 {
            let value = bits_from(word, node.shift) as u32 & u32::from(node.mask);
            node = &self.nodes[(node.first + value) as usize];
        }
        match self.constants.get(usize::from(node.leaf)) {
            Some((fixed, value)) => (word & fixed == *value).then_some(RowId(node.leaf)),
            None => self.compare(node.leaf, word),
        }
    }

    #[inline(never)]
    fn compare(&self, leaf: u16, word: u128) -> Option<RowId> {
        let list = self.lists.get(usize::from(leaf.checked_sub(LISTS)?))?;
        list.iter().find(|c| word & c.fixed == c.value).map(|c| c.row)
    }

    /// Number of lookup tables, for reports.
    pub fn tables(&self) -> usize {
        self.nodes.iter().filter(|n| n.mask != 0).count()
    }
}

/// The longest run of ones, of up to [`WINDOW`] bits on one side of bit 64, and its length; among equals the lowest.
fn longest_run(ones: u128) -> (u32, u32) {
    let mut best = (0, 0);
    let mut at = 0;
    while at < 128 {
        let side = if at < 64 { 64 - at } else { 128 - at };
        let run = (ones >> at).trailing_ones().min(side).min(WINDOW);
        if run > best.1 {
            best = (at, run);
        }
        at += run.max(1);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERNS: [Pattern; 6] = [
        Pattern::new("0101 1100 0001 ----"),
        Pattern::new("0101 1100 1--- ----"),
        Pattern::new("0011 100- 0001 ----"),
        Pattern::new("1110 ---- ---- ----"),
        Pattern::new("1110 ---- --11 ----"),
        Pattern::new("1110 1--- --11 ----"),
    ];

    fn linear(patterns: &[Pattern], word: u128) -> Option<RowId> {
        let matching = patterns.iter().enumerate().filter(|(_, p)| p.matches(word));
        matching.max_by_key(|(_, p)| p.fixed.count_ones()).map(|(n, _)| RowId(n as u16))
    }

    #[test]
    fn finds_what_a_linear_search_finds() {
        let tree = Tree::new(&PATTERNS);
        assert!(tree.tables() > 0);
        for word in 0..1u128 << 16 {
            assert_eq!(tree.find(word), linear(&PATTERNS, word), "{word:04x}");
            assert_eq!(tree.find_early(word), linear(&PATTERNS, word), "{word:04x}");
        }
    }

    #[test]
    fn lookups_do_not_cross_the_middle() {
        let patterns = [
            Pattern::new("-{58} 01 1001 | 1100 01 -{58}"),
            Pattern::new("-{58} 01 1001 | 1100 10 -{58}"),
            Pattern::new("-{58} 01 1001 | ---- -- -{58}"),
            Pattern::new("-{58} 11 --11 | ---1 -- -{58}"),
        ];
        let tree = Tree::new(&patterns);
        for bits in 0..1u128 << 12 {
            let word = bits << 58 | 0x2a5;
            assert_eq!(tree.find(word), linear(&patterns, word), "{bits:03x}");
        }
    }

    #[test]
    fn one_row_and_none() {
        let one = [Pattern::new("1010 ---- 0101 -{19} 1")];
        let tree = Tree::new(&one);
        assert_eq!(tree.find(0xa050_0001), Some(RowId(0)));
        assert_eq!([tree.find(0xa050_0000), tree.find(0xa060_0001), tree.find(0)], [None; 3]);
        assert_eq!(Tree::new(&[]).find(5), None);
    }
}
