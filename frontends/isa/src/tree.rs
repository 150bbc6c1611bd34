//! From a word to its row: a wide lookup, and where that does not settle it a tree of narrower ones, built from the patterns.
//!
//! The first lookup looks at the bits in which most rows are constant, and at those that tell apart rows that are alike there, so that
//! for most words it is the only one and no branch depends on the word: a mix of instructions costs no more than one instruction
//! repeated.

use crate::{pattern::Pattern, row::RowId};
use rustc_hash::FxHashMap;

/// Most bits the first lookup looks at.
const FIRST: u32 = 15;
/// In how many runs: half of them in either half of a word, where words have more than 64 bits.
const RUNS: usize = 4;
/// Most bits of the lookups behind it.
const WINDOW: u32 = 8;
/// Most bits of a lookup that some of its rows leave open; such rows stand under several values.
const SPLIT: u32 = 8;
/// What a leaf holds beside row numbers: nothing, from [`BRANCHES`] on the number of a tree of further lookups, or from
/// [`LISTS`] on the number of a list.
const NOTHING: u16 = u16::MAX;
const BRANCHES: u16 = 1 << 15;
const LISTS: u16 = 1 << 14;

/// The bits of a word from `shift` on; what is looked at must not cross the middle of the word. Words that are not `wide`
/// have at most 64 bits.
#[inline(always)]
pub(crate) fn bits_from(word: u128, shift: u8, wide: bool) -> u64 {
    let half = if wide && shift >= 64 { (word >> 64) as u64 } else { word as u64 };
    half >> (shift & 63)
}

/// Bits of one half of a word: how far it is turned right, and which bits are then taken. Those of other runs stand beside them.
#[derive(Copy, Clone, Debug, Default)]
struct Run {
    turn: u8,
    mask: u16,
}

impl Run {
    /// The bits of a half.
    #[inline(always)]
    fn of(self, half: u64) -> usize {
        half.rotate_right(self.turn.into()) as usize & usize::from(self.mask)
    }
}

/// The bits of a word in some runs. Of words that are `wide`, the first two runs are in the low half, the others in the high one.
#[inline(always)]
fn bits_in(runs: &[Run; RUNS], word: u128, wide: bool) -> usize {
    let (low, high) = (word as u64, if wide { (word >> 64) as u64 } else { word as u64 });
    let [first, second, third, fourth] = runs;
    first.of(low) | second.of(low) | third.of(high) | fourth.of(high)
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

impl Candidate {
    /// Whether it matches every word that another one matches, once some bits are known to have its values.
    fn covers(&self, other: &Candidate, seen: u128) -> bool {
        let rest = self.fixed & !seen;
        rest & !other.fixed == 0 && (self.value ^ other.value) & rest == 0
    }
}

/// Finds the narrowest row whose pattern matches a word.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The first lookup: what the bits of these runs lead to.
    entries: Vec<u16>,
    runs: [Run; RUNS],
    /// Whether words have more than 64 bits.
    wide: bool,
    /// Trees of further lookups, by their first node.
    branches: Vec<u32>,
    nodes: Vec<Node>,
    /// The constant bits of each row, and their values.
    constants: Vec<(u128, u128)>,
    /// Candidates that lookups do not tell apart; the narrowest first.
    lists: Vec<Vec<Candidate>>,
}

impl Tree {
    /// Builds it, for words that have more than 64 bits if they are `wide`. Rows are numbered in the order given.
    ///
    /// # Panics
    /// If there are more than 16,383 rows.
    pub fn new<'a>(patterns: impl IntoIterator<Item = &'a Pattern>, wide: bool) -> Tree {
        let rows = patterns.into_iter().enumerate();
        let rows = rows.map(|(n, p)| Candidate { fixed: p.fixed, value: p.value, row: RowId(n as u16) });
        Tree::of(rows.collect(), wide)
    }

    /// The rest of [`Tree::new`], which is compiled once.
    fn of(mut rows: Vec<Candidate>, wide: bool) -> Tree {
        assert!(rows.len() < usize::from(LISTS), "too many rows");
        let constants = rows.iter().map(|row| (row.fixed, row.value)).collect();
        let seen = first_bits(&rows, wide);
        let (runs, width) = runs_of(seen, wide);
        let mut tree = Tree {
            entries: vec![NOTHING; 1 << width],
            runs,
            wide,
            branches: Vec::new(),
            nodes: Vec::new(),
            constants,
            lists: Vec::new(),
        };
        parallax_text::sort_by_key(&mut rows, |row| std::cmp::Reverse(row.fixed.count_ones()));
        tree.fill(&rows, seen);
        tree
    }

    /// Fills the first lookup; values with the same candidates lead to the same place.
    fn fill(&mut self, rows: &[Candidate], seen: u128) {
        let mut under: Vec<Vec<u16>> = vec![Vec::new(); self.entries.len()];
        for (n, row) in rows.iter().enumerate() {
            let [fixed, value] = [row.fixed, row.value].map(|word| bits_in(&self.runs, word, self.wide));
            let open = !fixed & (self.entries.len() - 1);
            // All values of the bits it leaves open.
            let mut part = 0usize;
            loop {
                under[value | part].push(n as u16);
                part = part.wrapping_sub(open) & open;
                if part == 0 {
                    break;
                }
            }
        }
        let mut known: FxHashMap<Vec<u16>, u16> = FxHashMap::default();
        for (value, candidates) in under.into_iter().enumerate() {
            self.entries[value] = match candidates.as_slice() {
                [] => NOTHING,
                // Its other constant bits are compared at the end.
                [only] => rows[usize::from(*only)].row.0,
                // The narrowest comes first. It is the row of all words that any of the others matches.
                [narrowest, others @ ..]
                    if others
                        .iter()
                        .all(|other| rows[usize::from(*narrowest)].covers(&rows[usize::from(*other)], seen)) =>
                {
                    rows[usize::from(*narrowest)].row.0
                }
                _ => *known.entry(candidates).or_insert_with_key(|candidates| {
                    let node = self.nodes.len();
                    self.add_leaves(1);
                    self.build(node, candidates.iter().map(|n| rows[usize::from(*n)]).collect(), seen);
                    match self.nodes[node] {
                        Node { mask: 0, leaf, .. } => leaf,
                        _ => {
                            self.branches.push(node as u32);
                            BRANCHES + (self.branches.len() - 1) as u16
                        }
                    }
                }),
            };
        }
    }

    fn add_leaves(&mut self, count: usize) {
        let first = self.nodes.len();
        let leaf = |n| Node { first: n as u32, shift: 0, mask: 0, leaf: NOTHING };
        self.nodes.extend((first..first + count).map(leaf));
    }

    fn build(&mut self, node: usize, mut rows: Vec<Candidate>, seen: u128) {
        let common = rows.iter().fold(u128::MAX, |mask, row| mask & row.fixed) & !seen;
        let some = rows.iter().fold(0, |mask, row| mask | row.fixed) & !seen;
        let (shift, bits) = match longest_run(common) {
            (_, 0) if rows.len() > 1 => {
                let (shift, bits) = longest_run(some);
                (shift, bits.min(SPLIT))
            }
            run => run,
        };
        parallax_text::sort_by_key(&mut rows, |row| std::cmp::Reverse(row.fixed.count_ones()));
        let leaf = match rows.as_slice() {
            [] => Some(NOTHING),
            // All constant bits were looked at: the narrowest row wins.
            [narrowest, ..] if some == 0 => Some(narrowest.row.0),
            // Its constant bits are compared at the end: that is cheaper than tables that tell one row from nothing.
            [only] => Some(only.row.0),
            _ if bits == 0 => None,
            _ => {
                self.split(node, &rows, shift, bits, seen);
                return;
            }
        };
        self.nodes[node].leaf = leaf.unwrap_or_else(|| {
            self.lists.push(rows);
            LISTS + (self.lists.len() - 1) as u16
        });
    }

    fn split(&mut self, node: usize, rows: &[Candidate], shift: u32, bits: u32, seen: u128) {
        let first = self.nodes.len();
        let mask = (1u32 << bits) - 1;
        self.nodes[node] = Node { first: first as u32, shift: shift as u8, mask: mask as u8, leaf: NOTHING };
        self.add_leaves(1 << bits);
        let window = u128::from(mask) << shift;
        for value in 0..=mask {
            let here = u128::from(value) << shift;
            let fits = |row: &&Candidate| (row.value ^ here) & row.fixed & window == 0;
            let part = rows.iter().filter(fits).copied().collect();
            self.build(first + value as usize, part, seen | window);
        }
    }

    /// The row of `word`, if any.
    #[inline(always)]
    pub fn find(&self, word: u128) -> Option<RowId> {
        let leaf = self.leaf(word, self.wide);
        match self.constants.get(usize::from(leaf)) {
            Some((fixed, value)) => (word & fixed == *value).then_some(RowId(leaf)),
            None => self.compare(leaf, word),
        }
    }

    /// What the lookups say of a word: the number of the only row it can be, or what [`Tree::compare`] takes. `wide` is what the
    /// tree was built for.
    #[inline(always)]
    pub(crate) fn leaf(&self, word: u128, wide: bool) -> u16 {
        let leaf = self.entries.get(bits_in(&self.runs, word, wide)).copied().unwrap_or(NOTHING);
        if leaf >= BRANCHES && leaf != NOTHING { self.walk(leaf, word) } else { leaf }
    }

    /// Where the lookups behind the first lead to.
    fn walk(&self, branch: u16, word: u128) -> u16 {
        let mut node = &self.nodes[self.branches[usize::from(branch - BRANCHES)] as usize];
        while node.mask != 0 {
            let value = bits_from(word, node.shift, true) as u32 & u32::from(node.mask);
            node = &self.nodes[(node.first + value) as usize];
        }
        node.leaf
    }

    /// The row of a word that no single row is left for.
    #[inline(never)]
    pub(crate) fn compare(&self, leaf: u16, word: u128) -> Option<RowId> {
        let list = self.lists.get(usize::from(leaf.checked_sub(LISTS)?))?;
        list.iter().find(|c| word & c.fixed == c.value).map(|c| c.row)
    }

    /// Number of lookup tables, for reports.
    pub fn tables(&self) -> usize {
        1 + self.nodes.iter().filter(|n| n.mask != 0).count()
    }
}

/// The bits of the first lookup: those of the window in which the rows together have most constant bits, and then, one after the other,
/// those that tell most rows apart that are alike so far. Few rows need few bits.
fn first_bits(rows: &[Candidate], wide: bool) -> u128 {
    let most = rows.len().checked_ilog2().map_or(0, |log| (log + 7).min(FIRST));
    let ones = (1u128 << most) - 1;
    let constant = |shift: u32| -> u32 { rows.iter().map(|row| (row.fixed >> shift & ones).count_ones()).sum() };
    let starts = (0..=64 - most).chain(64..=128 - most);
    let shift = starts.max_by_key(|shift| (constant(*shift), std::cmp::Reverse(*shift))).unwrap_or(0);
    // Bits that no row has constant tell nothing: none of them at the ends.
    let told: u128 = rows.iter().fold(0, |bits, row| bits | row.fixed) >> shift & ones;
    let (low, high) = (told.trailing_zeros().min(most), 128 - told.leading_zeros());
    let mut bits = (((1u128 << high) - 1) >> low << low) << shift;
    let mut groups: Vec<Vec<Candidate>> = vec![rows.to_vec()];
    (0..128).filter(|bit| bits >> bit & 1 != 0).for_each(|bit| groups = split(&groups, 1 << bit));
    loop {
        // How many pairs each bit tells apart; or helps to tell, where only one row has it constant.
        let mut told = [0u32; 128];
        for (one, other) in groups.iter().flat_map(|group| pairs(group)) {
            let differing = (one.value ^ other.value) & one.fixed & other.fixed & !bits;
            let (worth, mut apart) =
                if differing != 0 { (4, differing) } else { (1, (one.fixed ^ other.fixed) & !bits) };
            while apart != 0 {
                told[apart.trailing_zeros() as usize] += worth;
                apart &= apart - 1;
            }
        }
        let fits = |bit: &u32| {
            let (runs, width) = runs_of(bits | 1 << bit, wide);
            width <= most && runs.iter().fold(0, |sum, run| sum + run.mask.count_ones()) == width
        };
        let best = (0..128u32).filter(|bit| told[*bit as usize] > 0).filter(fits).max_by_key(|bit| told[*bit as usize]);
        let Some(bit) = best else { return bits };
        bits |= 1 << bit;
        groups = split(&groups, 1 << bit);
    }
}

/// Parts groups by a bit; rows that leave it open stand in both parts. Only those of several rows count.
fn split(groups: &[Vec<Candidate>], bit: u128) -> Vec<Vec<Candidate>> {
    let part = |group: &Vec<Candidate>, value: u128| {
        let fits = |row: &&Candidate| row.fixed & bit == 0 || row.value & bit == value;
        group.iter().filter(fits).copied().collect::<Vec<_>>()
    };
    let mut parts: Vec<Vec<Candidate>> = Vec::new();
    for group in groups {
        if group.iter().all(|row| row.fixed & bit == 0) {
            parts.push(group.clone());
        } else {
            parts.extend([0, bit].map(|value| part(group, value)).into_iter().filter(|part| part.len() > 1));
        }
    }
    parts
}

fn pairs(group: &[Candidate]) -> impl Iterator<Item = (&Candidate, &Candidate)> {
    group.iter().enumerate().flat_map(|(n, one)| group[n + 1..].iter().map(move |other| (one, other)))
}

/// Bits as runs, and how many they are; those of further runs are left out.
fn runs_of(bits: u128, wide: bool) -> ([Run; RUNS], u32) {
    let (mut runs, mut width, mut at) = ([Run::default(); RUNS], 0, 0);
    let (mut low, mut high) = (0..if wide { RUNS / 2 } else { RUNS }, RUNS / 2..RUNS);
    while at < 128 && bits >> at != 0 {
        at += (bits >> at).trailing_zeros();
        let side = if at < 64 { 64 } else { 128 };
        let Some(next) = (if at < 64 { &mut low } else { &mut high }).next() else { break };
        let len = (bits >> at).trailing_ones().min(side - at);
        let mask = (((1u32 << len.min(16)) - 1) << width) as u16;
        runs[next] = Run { turn: ((64 + at % 64 - width) % 64) as u8, mask };
        (width, at) = (width + len, at + len);
    }
    (runs, if at < 128 { width + (bits >> at).count_ones() } else { width })
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
        let tree = Tree::new(&PATTERNS, false);
        assert!(tree.tables() > 0);
        for word in 0..1u128 << 16 {
            assert_eq!(tree.find(word), linear(&PATTERNS, word), "{word:04x}");
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
        let tree = Tree::new(&patterns, true);
        for bits in 0..1u128 << 12 {
            let word = bits << 58 | 0x2a5;
            assert_eq!(tree.find(word), linear(&patterns, word), "{bits:03x}");
        }
    }

    #[test]
    fn one_row_and_none() {
        let one = [Pattern::new("1010 ---- 0101 -{19} 1")];
        let tree = Tree::new(&one, true);
        assert_eq!(tree.find(0xa050_0001), Some(RowId(0)));
        assert_eq!([tree.find(0xa050_0000), tree.find(0xa060_0001), tree.find(0)], [None; 3]);
        assert_eq!(Tree::new(&[], true).find(5), None);
    }
}
