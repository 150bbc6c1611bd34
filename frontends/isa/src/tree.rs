//! From a word to its row: a tree of table lookups built from the patterns.

use crate::{Pattern, RowId};

/// Most bits one lookup looks at.
const WINDOW: u32 = 8;

#[derive(Copy, Clone, Debug)]
enum Node {
    /// Go on at `first` plus the value of `bits` bits from `shift` on.
    Look { shift: u8, bits: u8, first: u32 },
    /// Try `len` candidates, the narrowest first.
    Try { first: u32, len: u32 },
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
    candidates: Vec<Candidate>,
}

impl Tree {
    /// Builds it. Rows are numbered in the order given.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a Pattern>) -> Tree {
        let rows: Vec<Candidate> = patterns
            .into_iter()
            .enumerate()
            .map(|(n, p)| Candidate { fixed: p.fixed, value: p.value, row: RowId(n as u16) })
            .collect();
        let mut tree = Tree { nodes: vec![Node::Try { first: 0, len: 0 }], candidates: Vec::new() };
        tree.build(0, rows, 0);
        tree
    }

    fn build(&mut self, node: usize, mut rows: Vec<Candidate>, seen: u128) {
        let common = rows.iter().fold(u128::MAX, |mask, row| mask & row.fixed) & !seen;
        // The longest run of bits that all of them fix; among equals the lowest.
        let mut best = (0, 0);
        let mut at = 0;
        while at < 128 {
            let run = (common >> at).trailing_ones().min(128 - at).min(WINDOW);
            if run > best.1 {
                best = (at, run);
            }
            at += run.max(1);
        }
        let (shift, bits) = best;
        if rows.len() < 2 || bits == 0 {
            rows.sort_by_key(|row| std::cmp::Reverse(row.fixed.count_ones()));
            let first = self.candidates.len() as u32;
            self.nodes[node] = Node::Try { first, len: rows.len() as u32 };
            self.candidates.extend(rows);
            return;
        }
        let first = self.nodes.len();
        self.nodes[node] = Node::Look { shift: shift as u8, bits: bits as u8, first: first as u32 };
        self.nodes.resize(first + (1 << bits), Node::Try { first: 0, len: 0 });
        let mask = (1u128 << bits) - 1;
        for value in 0..1u128 << bits {
            let part: Vec<Candidate> = rows.iter().filter(|row| row.value >> shift & mask == value).copied().collect();
            if !part.is_empty() {
                self.build(first + value as usize, part, seen | mask << shift);
            }
        }
    }

    /// The row of `word`, if any.
    #[inline(always)]
    pub fn find(&self, word: u128) -> Option<RowId> {
        let mut node = self.nodes[0];
        loop {
            match node {
                Node::Look { shift, bits, first } => {
                    let value = (word >> shift) as u32 & ((1 << bits) - 1);
                    node = self.nodes[(first + value) as usize];
                }
                Node::Try { first, len } => {
                    let all = &self.candidates[first as usize..(first + len) as usize];
                    return all.iter().find(|c| word & c.fixed == c.value).map(|c| c.row);
                }
            }
        }
    }

    /// Number of lookup tables, for reports.
    pub fn tables(&self) -> usize {
        self.nodes.iter().filter(|n| matches!(n, Node::Look { .. })).count()
    }
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

    #[test]
    fn finds_what_a_linear_search_finds() {
        let tree = Tree::new(&PATTERNS);
        assert!(tree.tables() > 0);
        for word in 0..1u128 << 16 {
            let slow = PATTERNS
                .iter()
                .enumerate()
                .filter(|(_, p)| p.matches(word))
                .max_by_key(|(_, p)| p.fixed.count_ones())
                .map(|(n, _)| RowId(n as u16));
            assert_eq!(tree.find(word), slow, "{word:04x}");
        }
    }
}
