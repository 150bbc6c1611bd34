//! What was found about operands before: loops and uniform values bring the same ones again and again.

use super::group::DoubtSet;

/// Operands that are remembered.
const PLACES: usize = 1 << 10;
/// What stands where nothing is remembered: there are fewer fields than bits.
const NOTHING: DoubtSet = DoubtSet::MAX;

/// Operands that are asked about before it is decided whether that pays.
const TRIAL: u64 = 4 * PLACES as u64;

/// Doubts by operands. Each has one place, which the last to come takes.
pub(super) struct Known {
    operands: usize,
    /// Nothing, until something is inserted.
    args: Vec<u64>,
    sets: Vec<DoubtSet>,
    /// Questions that one answer is worth.
    worth: u64,
    asked: u64,
    found: u64,
    /// Whether so few operands came again that trying all of them takes less.
    is_given_up: bool,
}

impl Known {
    /// For operations with so many operands, of which an answer is worth so many questions.
    pub(super) fn new(operands: usize, worth: u64) -> Known {
        Known { operands, args: Vec::new(), sets: Vec::new(), worth, asked: 0, found: 0, is_given_up: false }
    }

    /// Whether nothing is remembered.
    pub(super) fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    fn place(&self, args: &[&[u64]], lane: usize) -> usize {
        let mix = |hash: u64, row: &&[u64]| (hash.rotate_left(23) ^ row[lane]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (args.iter().take(self.operands).fold(0, mix) >> (64 - PLACES.ilog2())) as usize
    }

    /// The doubts of the operands in a lane.
    pub(super) fn get(&mut self, args: &[&[u64]], lane: usize) -> Option<DoubtSet> {
        if self.is_empty() {
            return None;
        }
        self.asked += 1;
        let place = self.place(args, lane);
        let known = &self.args[place * self.operands..][..self.operands];
        let same = self.sets[place] != NOTHING && known.iter().zip(args).all(|(known, row)| *known == row[lane]);
        self.found += u64::from(same);
        same.then(|| self.sets[place])
    }

    /// Remembers the doubts of the operands in the first lanes, one set for each, unless that has not paid.
    pub(super) fn insert_all(&mut self, args: &[&[u64]], sets: &[DoubtSet]) {
        if self.asked >= TRIAL {
            self.is_given_up = self.worth * self.found < self.asked;
            (self.asked, self.found) = (0, 0);
        }
        if self.is_given_up {
            (self.args, self.sets) = (Vec::new(), Vec::new());
            return;
        }
        sets.iter().enumerate().for_each(|(lane, &set)| self.insert(args, lane, set));
    }

    fn insert(&mut self, args: &[&[u64]], lane: usize, set: DoubtSet) {
        if self.is_empty() {
            self.sets = vec![NOTHING; PLACES];
            self.args = vec![0; PLACES * self.operands];
        }
        let place = self.place(args, lane);
        self.args[place * self.operands..].iter_mut().zip(args).for_each(|(known, row)| *known = row[lane]);
        self.sets[place] = set;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_of_equal_operands() {
        let mut known = Known::new(2, 2);
        let rows: [Vec<u64>; 2] = [(0..5000).map(|n| n / 7).collect(), (0..5000).map(|n| n % 7).collect()];
        let args = [rows[0].as_slice(), rows[1].as_slice()];
        assert_eq!(known.get(&args, 0), None);
        let set = |lane: usize| (lane as u64).wrapping_mul(0x9e37_79b9) % 1000;
        let mut found = 0;
        for lane in 0..5000 {
            assert_eq!(known.get(&args, lane), None, "these operands come for the first time");
            known.insert(&args, lane, set(lane));
            for earlier in lane.saturating_sub(300)..=lane {
                let kept = known.get(&args, earlier);
                assert!(kept.is_none_or(|kept| kept == set(earlier)), "{earlier}");
                found += usize::from(kept.is_some());
            }
            assert_eq!(known.get(&args, lane), Some(set(lane)));
        }
        // Of 1.5 million; others had taken their places.
        assert!(found > 900_000, "{found}");
    }
}
