//! Operations of one kind in one slot, and what decided those that were executed.

use super::Doubts;
use super::known::Known;
use parallax::{Engine, Mask, OperandRows, Operation, operation};
use parallax_core::SlotId;
use parallax_core::exec::Plane;
use parallax_num::{Field, Op, Processor, Rule, Tier};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Executed operations that are tried with other rules together: runs of a few lanes cost what runs of many do.
pub(super) const TOGETHER: usize = 1024;

/// How many questions for what is known of operands one answer is worth, where machine code tries other rules and where the
/// reference evaluation does.
const WORTH: [u64; 2] = [2, 16];

/// A field in doubt, and what else it could be.
#[derive(Clone)]
pub(super) struct Doubt {
    pub(super) field: &'static Field,
    pub(super) tier: Tier,
    /// Other values, each with whether an executed operation gave other bits under it.
    pub(super) values: Vec<(&'static str, bool)>,
    pub(super) operations: u64,
}

/// The operation under another rule.
#[derive(Clone)]
struct Other {
    operation: Operation,
    /// Whether the reference evaluation computes it, lane by lane.
    is_slow: bool,
    /// The doubts that allow it.
    set: DoubtSet,
    /// Number of each of these doubts, and of its value.
    values: Vec<(usize, usize)>,
    /// Whether an executed operation gave other bits under it.
    differs: bool,
}

/// Numbers of doubts, a bit each.
pub(super) type DoubtSet = u64;

/// Operations of one kind in one slot.
pub(super) struct Group {
    pub(super) op: Op,
    pub(super) slot: SlotId,
    pub(super) rule: Rule,
    pub(super) doubts: Vec<Doubt>,
    pub(super) executed: u64,
    /// How often some lanes executed one together.
    pub(super) rounds: u64,
    pub(super) by_tier: [u64; Tier::ALL.len()],
    others: Vec<Other>,
    waiting: Waiting,
    known: Known,
    /// The doubts that decide what is tried.
    differing: Vec<DoubtSet>,
    working: Working,
}

/// Working memory: operands of all that is tried, and of some of it.
#[derive(Default)]
struct Working {
    all: OperandRows,
    some: OperandRows,
    places: Vec<usize>,
}

/// Executed operations that have not been tried with other rules: operands and results.
#[derive(Default)]
struct Waiting {
    args: Vec<Vec<u64>>,
    results: Vec<u64>,
}

/// The doubts about an operation under a rule, and the other rules that they allow.
type Tried = (Vec<Doubt>, Vec<Other>);
/// What they follow from: the operation, its rule and engine, and the fields that are not exact.
type Asked = (Op, Rule, Engine, Vec<(&'static str, Tier)>);

/// The same operations are asked for in every shader, and under models that are alike.
static TRIED: LazyLock<Mutex<HashMap<Asked, Tried>>> = LazyLock::new(Mutex::default);
/// Answers that are kept; then all are forgotten.
const MOST_TRIED: usize = 4096;

fn tried(op: Op, (rule, fields): (&Rule, &[(&'static Field, Tier)]), engine: Engine) -> Tried {
    let doubtful = fields.iter().filter(|(_, tier)| *tier != Tier::Exact);
    let key = (op, *rule, engine, doubtful.map(|(field, tier)| (field.name, *tier)).collect());
    let known = || TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(tried) = known().get(&key) {
        return tried.clone();
    }
    let tried = look_up(op, (rule, fields), engine);
    let mut known = known();
    if known.len() >= MOST_TRIED {
        known.clear();
    }
    known.entry(key).or_insert(tried).clone()
}

fn look_up(op: Op, (rule, fields): (&Rule, &[(&'static Field, Tier)]), engine: Engine) -> Tried {
    let mut doubts: Vec<Doubt> = Vec::new();
    // Two fields may allow the same rule.
    let mut rules: Vec<Rule> = Vec::new();
    let mut all: Vec<Other> = Vec::new();
    for &(field, tier) in fields.iter().filter(|(_, tier)| *tier != Tier::Exact) {
        let others = field.alternatives(op, rule);
        if others.is_empty() {
            continue;
        }
        let number = doubts.len();
        let values = others.iter().map(|(value, _)| (*value, false)).collect();
        doubts.push(Doubt { field, tier, values, operations: 0 });
        for (value, (_, other)) in others.into_iter().enumerate() {
            let known = rules.iter().position(|known| *known == other).map(|at| &mut all[at]);
            let place = (number, value);
            match known {
                Some(known) => {
                    known.set |= 1 << number;
                    known.values.push(place);
                }
                None => {
                    let (operation, note) = operation(op, &other, engine);
                    let set = 1 << number;
                    rules.push(other);
                    all.push(Other { operation, is_slow: note.is_some(), set, values: vec![place], differs: false });
                }
            }
        }
    }
    (doubts, all)
}

impl Group {
    pub(super) fn new(op: Op, slot: SlotId, (rule, fields): &Doubts, engine: Engine) -> Group {
        let (doubts, others) = tried(op, (rule, fields), engine);
        let worth = WORTH[usize::from(others.iter().any(|other| other.is_slow))];
        Group {
            op,
            slot,
            rule: *rule,
            doubts,
            executed: 0,
            rounds: 0,
            by_tier: Default::default(),
            others,
            waiting: Waiting { args: vec![Vec::new(); op.info().args.len()], results: Vec::new() },
            known: Known::new(op.info().args.len(), worth),
            differing: Vec::new(),
            working: Working::default(),
        }
    }

    /// Whether it looks at operands and results.
    pub(super) fn reads(&self) -> bool {
        !self.others.is_empty()
    }

    /// Takes operations of some lanes.
    pub(super) fn add(&mut self, exec: Mask<'_>, args: &[&[u64]], results: &[u64]) {
        let count = u64::from(exec.count());
        self.executed += count;
        self.rounds += 1;
        if self.others.is_empty() {
            self.by_tier[Tier::Exact as usize] += count;
            return;
        }
        let mut lanes = exec.lanes();
        // Where nothing is remembered, many lanes are taken at once.
        let mut left = count as usize;
        while self.known.is_empty() && left > 0 {
            let some = left.min(TOGETHER - self.waiting.results.len());
            let first = count as usize - left;
            let take = |waiting: &mut Vec<u64>, row: &[u64]| match row.len() == count as usize {
                true => waiting.extend_from_slice(&row[first..first + some]),
                false => waiting.extend(lanes.clone().take(some).map(|lane| row[lane])),
            };
            self.waiting.args.iter_mut().zip(args).for_each(|(waiting, row)| take(waiting, row));
            take(&mut self.waiting.results, results);
            lanes.by_ref().take(some).for_each(drop);
            left -= some;
            if self.waiting.results.len() == TOGETHER {
                self.settle();
            }
        }
        for lane in lanes {
            if let Some(set) = self.known.get(args, lane) {
                self.count(set);
                continue;
            }
            self.waiting.args.iter_mut().zip(args).for_each(|(waiting, row)| waiting.push(row[lane]));
            self.waiting.results.push(results[lane]);
            if self.waiting.results.len() == TOGETHER {
                self.settle();
            }
        }
    }

    /// Tries what is waiting with all other rules.
    pub(super) fn settle(&mut self) {
        let Waiting { args, results } = std::mem::take(&mut self.waiting);
        let mut differing = std::mem::take(&mut self.differing);
        let rows: Vec<&[u64]> = args.iter().map(Vec::as_slice).collect();
        differing.clear();
        differing.resize(results.len(), 0);
        let Working { all, some, places } = &mut self.working;
        all.set_words(&rows, 0..results.len());
        for Other { operation, set, differs, .. } in &mut self.others {
            // Where its doubts are decided already, it has nothing to add.
            let few = if *differs { count(&differing, |found| found & *set != *set) } else { results.len() };
            if few == 0 {
                continue;
            }
            let is_most = 2 * few > results.len();
            *differs |= if is_most {
                differing_words(all.run(operation), &results, &mut differing, *set)
            } else {
                places.clear();
                places.extend((0..results.len()).filter(|&lane| differing[lane] & *set != *set));
                some.set_words(&rows, places.iter().copied());
                let found = some.run(operation);
                let at_places = places.iter().enumerate().filter(|(n, lane)| found.get(*n) != results[**lane]);
                at_places.fold(false, |_, (_, &lane)| {
                    differing[lane] |= *set;
                    true
                })
            };
        }
        self.count_all(&differing);
        // What fills less than one round is seldom repeated.
        if results.len() == TOGETHER {
            self.known.insert_all(&rows, &differing);
        }
        (self.waiting, self.differing) = (Waiting { args, results }, differing);
        self.waiting.args.iter_mut().for_each(Vec::clear);
        self.waiting.results.clear();
    }

    /// Counts an operation that these doubts decided.
    fn count(&mut self, set: DoubtSet) {
        let mut worst = Tier::Exact;
        let mut rest = set;
        while rest != 0 {
            let doubt = &mut self.doubts[rest.trailing_zeros() as usize];
            doubt.operations += 1;
            worst = worst.max(doubt.tier);
            rest &= rest - 1;
        }
        self.by_tier[worst as usize] += 1;
    }

    /// Counts operations that these doubts decided.
    fn count_all(&mut self, differing: &[DoubtSet]) {
        for (number, doubt) in self.doubts.iter_mut().enumerate() {
            doubt.operations += count(differing, |set| set >> number & 1 != 0) as u64;
        }
        // Those that a field of some tier or one less known decided, without those of the latter.
        let mut less_known = 0;
        for &tier in Tier::ALL.iter().rev() {
            let at_least = self.doubts.iter().enumerate().filter(|(_, doubt)| doubt.tier >= tier);
            let set = at_least.fold(0, |set: DoubtSet, (number, _)| set | 1 << number);
            let decided = match tier {
                Tier::Exact => differing.len(),
                _ => count(differing, |found| found & set != 0),
            };
            self.by_tier[tier as usize] += (decided - less_known) as u64;
            less_known = decided;
        }
    }

    /// Gives back the memory that only counting needs.
    pub(super) fn finish(&mut self) {
        self.settle();
        for Other { values, .. } in self.others.drain(..).filter(|other| other.differs) {
            values.iter().for_each(|&(doubt, value)| self.doubts[doubt].values[value].1 = true);
        }
        (self.waiting, self.known) = (Waiting::default(), Known::new(0, 0));
        (self.differing, self.working) = (Vec::new(), Working::default());
    }
}

/// How many sets are such.
fn count(sets: &[DoubtSet], is_such: impl Fn(DoubtSet) -> bool) -> usize {
    Processor::best().run(
        #[inline(always)]
        || sets.iter().map(|&set| u64::from(is_such(set))).sum::<u64>() as usize,
    )
}

/// Adds doubts to those of the lanes in which another rule gives other results; tells whether it does anywhere.
fn differing_words(found: &Plane, results: &[u64], differing: &mut [DoubtSet], set: DoubtSet) -> bool {
    fn add<T: Copy + Into<u64>>(found: &[T], results: &[u64], differing: &mut [DoubtSet], set: DoubtSet) -> bool {
        Processor::best().run(
            #[inline(always)]
            || {
                let mut all = 0;
                for ((&word, &result), differing) in found.iter().zip(results).zip(differing) {
                    let added = if word.into() != result { set } else { 0 };
                    *differing |= added;
                    all |= added;
                }
                all != 0
            },
        )
    }
    match found {
        Plane::U32(words) => add(words, results, differing, set),
        Plane::U64(words) => add(words, results, differing, set),
        // Results are patterns of 32 or 64 bits.
        Plane::U8(_) | Plane::U16(_) => add(&vec![0u64; results.len()], results, differing, set),
    }
}
