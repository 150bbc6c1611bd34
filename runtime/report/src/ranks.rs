//! The median of many errors, and the one that 99 of 100 do not exceed.
//!
//! Errors of a frame that is measured whole are held. Those of a frame that comes in strips are not: a sample says between which
//! two values each of the two will lie, and only errors between these are held. Where the sample was wrong, the errors have to be
//! measured again; then it is known which values to hold.

/// Magnitudes that may or may not be held.
#[derive(Clone)]
pub(crate) enum Ranks {
    /// All of them.
    Whole(Vec<f64>),
    /// Those near the wanted ones.
    Near(Box<Near>),
}

/// Errors have to be ranked again, with these.
#[derive(Clone)]
pub(crate) struct Missed(Box<Near>);

/// Errors near the median, and near the one that 99 of 100 do not exceed.
#[derive(Clone)]
pub(crate) struct Near {
    all: u64,
    /// Errors by the leading bits of their patterns.
    counts: Vec<u64>,
    brackets: [Bracket; 2],
}

/// The errors between two values, ends included.
#[derive(Clone, Default)]
struct Bracket {
    low: f64,
    high: f64,
    /// Errors below.
    below: u64,
    inside: Multiset,
}

/// Magnitudes, equal ones once.
#[derive(Clone, Default)]
struct Multiset {
    /// Patterns in their order, which is that of magnitudes, with their number.
    sorted: Vec<(u64, u64)>,
    /// Those not yet among them.
    new: Vec<u64>,
}

/// Leading bits by which errors are counted: a sign that is never set, 11 of the exponent, 4 of the fraction.
const LEADING: u32 = 16;
const REST: u32 = 64 - LEADING;
/// Magnitudes that a set holds before it looks for equal ones.
const UNSORTED: usize = 1 << 18;
/// Shares of a sample between which the wanted errors should lie.
const MEDIAN: [f64; 2] = [0.48, 0.52];
const P99: [f64; 2] = [0.985, 0.994];

impl Ranks {
    /// For a frame in strips, by the errors in some of them.
    pub(crate) fn near(mut sample: Vec<f64>) -> Ranks {
        let mut at = |share: f64| {
            let place = (sample.len() as f64 * share) as usize;
            // Without a sample nothing is held, and all is looked for again.
            let last = sample.len().checked_sub(1)?;
            Some(*sample.select_nth_unstable_by(place.min(last), f64::total_cmp).1)
        };
        let brackets = [MEDIAN, P99].map(|[low, high]| match (at(low), at(high)) {
            (Some(low), Some(high)) => Bracket { low, high, ..Bracket::default() },
            _ => Bracket { low: f64::INFINITY, ..Bracket::default() },
        });
        Ranks::Near(Box::new(Near::new(brackets)))
    }

    /// Number of errors so far.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Ranks::Whole(errors) => errors.len() as u64,
            Ranks::Near(near) => near.all,
        }
    }

    /// Adds magnitudes, none of them NaN.
    pub(crate) fn extend(&mut self, errors: Vec<f64>) {
        match self {
            Ranks::Whole(all) if all.is_empty() => *all = errors,
            Ranks::Whole(all) => all.extend(errors),
            Ranks::Near(near) => near.extend(&errors),
        }
    }

    /// All errors; nothing where they are not held.
    pub(crate) fn held(self) -> Vec<f64> {
        match self {
            Ranks::Whole(errors) => errors,
            Ranks::Near(_) => Vec::new(),
        }
    }

    /// The smallest error that at least half of all do not exceed, and the same of 99 of 100. There must be some.
    pub(crate) fn finish(self) -> Result<[f64; 2], Missed> {
        match self {
            Ranks::Whole(errors) => {
                let [middle, high] = wanted(errors.len() as u64).map(|rank| rank as usize);
                // Patterns have the order of magnitudes.
                let mut errors: Vec<u64> = errors.into_iter().map(f64::to_bits).collect();
                let p99 = *errors.select_nth_unstable(high).1;
                // No error before it is larger.
                let median = *errors[..=high].select_nth_unstable(middle).1;
                Ok([median, p99].map(f64::from_bits))
            }
            Ranks::Near(near) => near.finish(),
        }
    }
}

impl From<Missed> for Ranks {
    fn from(missed: Missed) -> Ranks {
        Ranks::Near(missed.0)
    }
}

/// Ranks of the two wanted among so many, from 0.
fn wanted(all: u64) -> [u64; 2] {
    [all.div_ceil(2).saturating_sub(1), (all * 99).div_ceil(100).saturating_sub(1)]
}

impl Near {
    fn new(brackets: [Bracket; 2]) -> Near {
        Near { all: 0, counts: vec![0; 1 << LEADING], brackets }
    }

    fn extend(&mut self, errors: &[f64]) {
        self.all += errors.len() as u64;
        for error in errors {
            self.counts[(error.to_bits() >> REST) as usize] += 1;
        }
        for bracket in &mut self.brackets {
            let (low, high) = (bracket.low, bracket.high);
            bracket.below += errors.iter().map(|error| u64::from(*error < low)).sum::<u64>();
            for error in errors.iter().filter(|error| **error >= low && **error <= high) {
                bracket.inside.insert(error.to_bits());
            }
        }
    }

    fn finish(mut self) -> Result<[f64; 2], Missed> {
        let ranks = wanted(self.all);
        let mut found = [None; 2];
        for ((found, bracket), rank) in found.iter_mut().zip(&mut self.brackets).zip(ranks) {
            *found = rank.checked_sub(bracket.below).and_then(|rank| bracket.inside.of_rank(rank)).map(f64::from_bits);
        }
        if let [Some(median), Some(p99)] = found {
            return Ok([median, p99]);
        }
        let brackets = ranks.map(|rank| {
            let mut before = 0;
            let leading = self.counts.iter().position(|count| {
                before += count;
                before > rank
            });
            let low = (leading.unwrap_or(0) as u64) << REST;
            Bracket { low: f64::from_bits(low), high: f64::from_bits(low | ((1 << REST) - 1)), ..Bracket::default() }
        });
        Err(Missed(Box::new(Near::new(brackets))))
    }
}

impl Multiset {
    fn insert(&mut self, pattern: u64) {
        self.new.push(pattern);
        if self.new.len() >= UNSORTED {
            self.sort();
        }
    }

    /// Sorts what is new into what is there.
    fn sort(&mut self) {
        self.new.sort_unstable();
        let old = std::mem::take(&mut self.sorted);
        let (mut old, mut new) = (old.into_iter().peekable(), self.new.iter().map(|&pattern| (pattern, 1)).peekable());
        let mut all: Vec<(u64, u64)> = Vec::new();
        loop {
            let next = match (old.peek(), new.peek()) {
                (Some(a), Some(b)) if a.0 <= b.0 => old.next(),
                (_, Some(_)) => new.next(),
                (_, None) => old.next(),
            };
            let Some((pattern, count)) = next else { break };
            match all.last_mut() {
                Some(last) if last.0 == pattern => last.1 += count,
                _ => all.push((pattern, count)),
            }
        }
        self.sorted = all;
        self.new.clear();
    }

    /// The pattern with a rank, from 0.
    fn of_rank(&mut self, rank: u64) -> Option<u64> {
        self.sort();
        let mut before = 0;
        let found = self.sorted.iter().find(|(_, count)| {
            before += count;
            before > rank
        });
        found.map(|(pattern, _)| *pattern)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, some of them equal.
    fn errors(count: u64, kinds: u64) -> Vec<f64> {
        let mixed = |n: u64| (n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % kinds;
        (0..count).map(|n| (mixed(n) as f64 / kinds as f64).powi(3)).collect()
    }

    fn sorted(mut all: Vec<f64>) -> [f64; 2] {
        all.sort_by(f64::total_cmp);
        let at = |share: usize| all[(all.len() * share).div_ceil(100) - 1];
        [at(50), at(99)]
    }

    #[test]
    fn what_is_held_in_part_ranks_as_what_is_held_whole() {
        for (count, kinds) in [(1, 1), (2, 5), (99, 7), (100, 1000), (101, 3), (70_001, 1 << 20), (70_000, 2)] {
            let all = errors(count, kinds);
            let mut whole = Ranks::Whole(Vec::new());
            whole.extend(all.clone());
            assert_eq!(whole.finish().ok(), Some(sorted(all.clone())), "{count}");
            let mut near = Ranks::near(all.iter().copied().step_by(7).collect());
            all.chunks(1000).for_each(|part| near.extend(part.to_vec()));
            assert_eq!(near.len(), count);
            let found = near.finish().or_else(|missed| {
                let mut again = Ranks::from(missed);
                again.extend(all.clone());
                again.finish()
            });
            assert_eq!(found.ok(), Some(sorted(all)), "{count} of {kinds}");
        }
    }

    /// A sample that has nothing to do with the rest.
    #[test]
    fn wrong_samples_are_noticed() {
        let all = errors(5000, 1 << 20);
        for sample in [vec![], vec![0.0; 9], vec![1e300; 9]] {
            let mut near = Ranks::near(sample);
            near.extend(all.clone());
            let Err(missed) = near.finish() else { panic!("a wrong sample was right") };
            let mut again = Ranks::from(missed);
            again.extend(all.clone());
            assert_eq!(again.finish().ok(), Some(sorted(all.clone())));
        }
    }

    #[test]
    fn few_of_many_are_held() {
        let all = errors(400_000, 1 << 30);
        let Ranks::Near(mut near) = Ranks::near(all.iter().copied().step_by(64).collect()) else {
            panic!("a sample leads to brackets")
        };
        near.extend(&all);
        let held: usize = near.brackets.iter().map(|b| b.inside.new.len() + b.inside.sorted.len()).sum();
        assert!(held < all.len() / 10, "{held}");
    }
}
