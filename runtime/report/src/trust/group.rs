//! Operations of one kind in one slot, and what decided those that were executed.

use super::Doubts;
use super::known::Known;
use parallax::{Engine, Mask, Operation, operation};
use parallax_core::SlotId;
use parallax_num::{Field, Op, Rule, Tier};

/// Executed operations that are tried with other rules together: runs of a few lanes cost what runs of many do.
pub(super) const TOGETHER: usize = 512;

/// A field in doubt, and what else it could be.
pub(super) struct Doubt {
    pub(super) field: &'static Field,
    pub(super) tier: Tier,
    /// Other values, each with whether an executed operation gave other bits under it.
    pub(super) values: Vec<(&'static str, bool)>,
    pub(super) operations: u64,
}

/// The operation under another rule.
struct Other {
    rule: Rule,
    operation: Operation,
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
    /// Working memory: results under another rule, and what they differ by.
    row: Vec<u64>,
    differing: Vec<DoubtSet>,
}

/// Executed operations that have not been tried with other rules: operands and results.
#[derive(Default)]
struct Waiting {
    args: Vec<Vec<u64>>,
    results: Vec<u64>,
}

impl Group {
    pub(super) fn new(op: Op, slot: SlotId, (rule, fields): &Doubts, engine: Engine) -> Group {
        let mut doubts: Vec<Doubt> = Vec::new();
        // Two fields may allow the same rule.
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
                let known = all.iter_mut().find(|known| known.rule == other);
                let place = (number, value);
                match known {
                    Some(known) => {
                        known.set |= 1 << number;
                        known.values.push(place);
                    }
                    None => {
                        let operation = operation(op, &other, engine).0;
                        let set = 1 << number;
                        all.push(Other { rule: other, operation, set, values: vec![place], differs: false });
                    }
                }
            }
        }
        Group {
            op,
            slot,
            rule: *rule,
            doubts,
            executed: 0,
            rounds: 0,
            by_tier: Default::default(),
            others: all,
            waiting: Waiting { args: vec![Vec::new(); op.info().args.len()], results: Vec::new() },
            known: Known::new(op.info().args.len()),
            row: Vec::new(),
            differing: Vec::new(),
        }
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
        for lane in exec.lanes() {
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
        self.row.resize(results.len(), 0);
        for Other { operation, set, differs, .. } in &mut self.others {
            operation.runner().run(&rows, &mut self.row);
            let mut any = 0;
            for ((differing, other), found) in differing.iter_mut().zip(&self.row).zip(&results) {
                let other = if other == found { 0 } else { *set };
                *differing |= other;
                any |= other;
            }
            *differs |= any != 0;
        }
        differing.iter().for_each(|&set| self.count(set));
        // What fills less than one round is seldom repeated.
        if results.len() == TOGETHER {
            differing.iter().enumerate().for_each(|(lane, &set)| self.known.insert(&rows, lane, set));
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

    /// Gives back the memory that only counting needs.
    pub(super) fn finish(&mut self) {
        self.settle();
        for Other { values, .. } in self.others.drain(..).filter(|other| other.differs) {
            values.iter().for_each(|&(doubt, value)| self.doubts[doubt].values[value].1 = true);
        }
        (self.waiting, self.known) = (Waiting::default(), Known::new(0));
        (self.row, self.differing) = (Vec::new(), Vec::new());
    }
}
