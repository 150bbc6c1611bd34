//! The ways from barrier to barrier, and which accesses to memory lie on them.

use super::target;
use parallax_core::OpKind;
use parallax_step::{Function as Steps, Id, Kind, OpNumber, RegionNumber};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// An op that reads or changes memory.
#[derive(Copy, Clone, Debug)]
pub(super) struct Access {
    pub(super) kind: OpKind,
    pub(super) buffer: u16,
    /// Where, if that is known to be one word.
    pub(super) address: Option<Id>,
    pub(super) result: Option<Id>,
}

/// What a function touches between barriers.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) accesses: Vec<Access>,
    /// Accesses, by number, that lie between the same two barriers on some way.
    pub(super) segments: Vec<Vec<usize>>,
    /// Whether a lane may come by an access twice between two barriers.
    pub(super) repeated: Vec<bool>,
}

/// Where a way comes from.
#[derive(Clone, Default, PartialEq)]
struct Way {
    /// Barriers that may be the last one, as segments.
    since: BTreeSet<usize>,
    /// Accesses since then.
    done: BTreeSet<usize>,
}

impl Way {
    fn join(&mut self, other: &Way) {
        self.since.extend(&other.since);
        self.done.extend(&other.done);
    }
}

fn join(into: &mut Option<Way>, way: Option<Way>) {
    match (into, way) {
        (Some(into), Some(way)) => into.join(&way),
        (into, Some(way)) => *into = Some(way),
        _ => {}
    }
}

struct Follower<'a> {
    steps: &'a Steps,
    found: Found,
    numbers: FxHashMap<OpNumber, usize>,
    segments: Vec<BTreeSet<usize>>,
    /// Ways that leave an op, and that start an iteration again.
    left: FxHashMap<OpNumber, Way>,
    again: FxHashMap<OpNumber, Way>,
    /// Regions that may still be followed.
    work: usize,
}

/// Regions that are followed at most: loops in loops are followed again and again.
const MOST_WORK: usize = 20_000;

/// Follows all ways; `None` where there are too many, or more than `most` accesses or barriers.
pub(super) fn follow(steps: &Steps, most: usize) -> Option<Found> {
    let (mut found, mut numbers, mut segments) = (Found::default(), FxHashMap::default(), vec![BTreeSet::new()]);
    steps.walk(|_, number| {
        let op = &steps.ops[number as usize];
        let Kind::Ir(kind) = op.kind else { return };
        let args = steps.args(op);
        let (buffer, address) = match kind {
            OpKind::BufferLoad { buffer, .. } | OpKind::BufferStore { buffer, .. } | OpKind::Atomic { buffer, .. } => {
                (buffer, args.first().copied())
            }
            OpKind::ImageLoad { buffer, .. } | OpKind::ImageStore { buffer } => (buffer, None),
            OpKind::Barrier => {
                numbers.insert(number, segments.len());
                return segments.push(BTreeSet::new());
            }
            _ => return,
        };
        numbers.insert(number, found.accesses.len());
        found.accesses.push(Access { kind, buffer, address, result: op.results().next() });
    });
    if found.accesses.len() > most || segments.len() > most {
        return None;
    }
    found.repeated = vec![false; found.accesses.len()];
    let (left, again) = (FxHashMap::default(), FxHashMap::default());
    let mut follower = Follower { steps, found, numbers, segments, left, again, work: MOST_WORK };
    let start = Way { since: BTreeSet::from([0]), done: BTreeSet::new() };
    follower.region(steps.body, start);
    if follower.work == 0 {
        return None;
    }
    follower.found.segments = follower.segments.into_iter().map(|all| all.into_iter().collect()).collect();
    Some(follower.found)
}

impl Follower<'_> {
    /// Follows a region; gives the way at its end. Nesting is bounded by the verifier of the IR.
    fn region(&mut self, region: RegionNumber, way: Way) -> Option<Way> {
        self.work = self.work.saturating_sub(1);
        let steps = self.steps;
        let mut way = Some(way);
        for &number in &steps.regions[region as usize].ops {
            let here = way.as_mut().filter(|_| self.work > 0)?;
            let op = &steps.ops[number as usize];
            let Kind::Ir(kind) = op.kind else { continue };
            match kind {
                OpKind::Barrier => {
                    *here = Way { since: BTreeSet::from([self.numbers[&number]]), done: BTreeSet::new() }
                }
                OpKind::If => {
                    let (from, mut end) = (here.clone(), None);
                    for arm in op.regions() {
                        let arm = self.region(arm, from.clone());
                        join(&mut end, arm);
                    }
                    way = end;
                }
                OpKind::Block => {
                    let mut end = self.region(op.regions().start, here.clone());
                    join(&mut end, self.left.remove(&number));
                    way = end;
                }
                OpKind::Loop => {
                    let mut from = here.clone();
                    loop {
                        let before = from.clone();
                        self.region(op.regions().start, from.clone());
                        if let Some(again) = self.again.remove(&number) {
                            from.join(&again);
                        }
                        if from == before || self.work == 0 {
                            break;
                        }
                    }
                    // Lanes without fuel leave where others go on.
                    let mut end = self.left.remove(&number);
                    join(&mut end, Some(from));
                    way = end;
                }
                OpKind::Yield => return way,
                OpKind::Break(_) => {
                    let target = target(&op.kind)?;
                    self.left.entry(target).or_default().join(here);
                    return None;
                }
                OpKind::Continue(_) => {
                    let target = target(&op.kind)?;
                    self.again.entry(target).or_default().join(here);
                    return None;
                }
                _ => {
                    let Some(&access) = self.numbers.get(&number) else { continue };
                    for &segment in &here.since {
                        self.segments[segment].insert(access);
                    }
                    self.found.repeated[access] |= !here.done.insert(access);
                }
            }
        }
        way
    }
}
