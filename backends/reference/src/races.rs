//! Races: accesses of two invocations to the same bytes that nothing orders.
//!
//! The executor goes through a dispatch in one order: workgroup by workgroup, in each from barrier to barrier, between two
//! barriers subgroup by subgroup. So of all earlier accesses by one op to one word a few stand for the rest: the first of all, the
//! first since the barrier, and two lanes of what the subgroup does now.

use parallax_core::{Bound, EntityRef, OpId, Shader};
use std::collections::BTreeSet;

/// When lanes of a subgroup are in order with each other.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LaneOrder {
    /// At barriers alone.
    Unordered,
    /// Whenever they execute different ops: the subgroup goes in step, and programs may rely on it.
    InStep,
}

/// An invocation of a dispatch.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Invocation {
    /// Its workgroup, in the order in which they run.
    pub group: u32,
    /// Its number in the workgroup.
    pub lane: u32,
}

/// One of the two sides of a race.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RacingAccess {
    /// Who accesses.
    pub invocation: Invocation,
    /// What it executes.
    pub op: OpId,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it is atomic.
    pub atomic: bool,
}

/// Two accesses to the same bytes, of which one writes and not both are atomic, and which nothing orders.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The buffer, by number.
    pub buffer: u16,
    /// Where the bytes begin that both access.
    pub address: u32,
    /// The access that was executed first, and the other one.
    pub accesses: [RacingAccess; 2],
}

/// When and by whom an access was made.
#[derive(Copy, Clone)]
struct Moment {
    invocation: Invocation,
    /// Number of the way of a workgroup from one barrier to the next.
    phase: u64,
    /// Number of a part of a phase in which one subgroup runs and none of its lanes is in order with another.
    span: u64,
}

/// What one op does to some bytes of a word, and the accesses that stand for all of them.
struct Entry {
    op: OpId,
    /// Bytes, a bit each.
    bytes: u8,
    writes: bool,
    atomic: bool,
    first: Moment,
    /// The first of its phase.
    of_phase: Moment,
    /// The first of its span, and the first of another lane.
    of_span: [Moment; 2],
}

impl Entry {
    fn moments(&self) -> [Moment; 4] {
        [self.first, self.of_phase, self.of_span[0], self.of_span[1]]
    }

    fn add(&mut self, now: Moment) {
        if self.of_phase.phase != now.phase {
            self.of_phase = now;
        }
        let [one, other] = &mut self.of_span;
        if one.span != now.span {
            self.of_span = [now; 2];
        } else if one.invocation == other.invocation {
            *other = now;
        }
    }
}

/// What an op does to memory.
#[derive(Copy, Clone)]
pub(crate) struct Touch {
    pub(crate) op: OpId,
    pub(crate) writes: bool,
    pub(crate) atomic: bool,
}

/// Looks for races of a dispatch.
pub struct Races {
    order: LaneOrder,
    /// Lanes of a subgroup.
    width: u32,
    /// Pairs of instructions that are kept at most.
    most: usize,
    /// The instruction of each op, by a number that ops of one instruction share.
    instructions: Vec<u64>,
    /// Whether each buffer is memory of a workgroup.
    of_workgroup: Vec<bool>,
    /// What happened to each word of each buffer.
    words: Vec<Vec<Vec<Entry>>>,
    now: Moment,
    /// Pairs of instructions that race.
    pairs: BTreeSet<[u64; 2]>,
    found: Vec<Race>,
}

impl Races {
    /// None so far, of a dispatch of this shader; of each pair of instructions one race is kept, and `most` in all.
    pub fn new(shader: &Shader<Bound>, order: LaneOrder, most: usize) -> Races {
        let func = &shader.func;
        let instruction = |(number, op): (usize, &parallax_core::OpData)| match op.origins.iter().min() {
            Some(source) => source.index() as u64,
            None => (1 << 32) + number as u64,
        };
        let buffers = &func.iface.buffers;
        Races {
            order,
            width: shader.state.subgroup,
            most,
            instructions: func.ops.values().enumerate().map(instruction).collect(),
            of_workgroup: buffers.iter().map(|decl| decl.workgroup.is_some()).collect(),
            words: buffers.iter().map(|_| Vec::new()).collect(),
            now: Moment { invocation: Invocation { group: 0, lane: 0 }, phase: 0, span: 0 },
            pairs: BTreeSet::new(),
            found: Vec::new(),
        }
    }

    /// The races that are kept, in the order in which they were found.
    pub fn found(&self) -> &[Race] {
        &self.found
    }

    /// How many pairs of instructions race.
    pub fn pairs(&self) -> usize {
        self.pairs.len()
    }

    /// A workgroup has ended: the next one has memory of its own.
    pub(crate) fn end_workgroup(&mut self) {
        self.next_phase();
        self.now.invocation.group += 1;
        for (words, _) in self.words.iter_mut().zip(&self.of_workgroup).filter(|(_, of_workgroup)| **of_workgroup) {
            words.iter_mut().for_each(Vec::clear);
        }
    }

    /// The invocations of a workgroup have met at a barrier.
    pub(crate) fn next_phase(&mut self) {
        self.now.phase += 1;
        self.now.span += 1;
    }

    /// Another subgroup runs, or the lanes of the one that runs have met.
    pub(crate) fn next_span(&mut self) {
        self.now.span += 1;
    }

    /// The subgroup that runs executes another op.
    pub(crate) fn next_op(&mut self) {
        if self.order == LaneOrder::InStep {
            self.now.span += 1;
        }
    }

    /// A lane of the workgroup accesses bytes of a buffer, as many from an address on.
    pub(crate) fn access(&mut self, touch: Touch, lane: usize, buffer: u16, address: u32, bytes: u32) {
        self.now.invocation.lane = lane as u32;
        let (mut at, end) = (u64::from(address), u64::from(address) + u64::from(bytes));
        while at < end {
            let next = (at / 4 + 1) * 4;
            let within = (at..next.min(end)).fold(0, |bits, byte| bits | 1 << (byte % 4));
            self.access_word(touch, buffer, (at / 4) as usize, within);
            at = next;
        }
    }

    /// It accesses bytes of one word, a bit each.
    pub(crate) fn access_masked(&mut self, touch: Touch, lane: usize, buffer: u16, address: u32, bytes: u8) {
        self.now.invocation.lane = lane as u32;
        self.access_word(touch, buffer, address as usize / 4, bytes);
    }

    fn access_word(&mut self, touch: Touch, buffer: u16, word: usize, bytes: u8) {
        let Touch { op, writes, atomic } = touch;
        let Some(words) = self.words.get_mut(usize::from(buffer)).filter(|_| bytes != 0) else { return };
        if words.len() <= word {
            words.resize_with(word + 1, Vec::new);
        }
        let entries = std::mem::take(&mut words[word]);
        for entry in &entries {
            let common = entry.bytes & bytes;
            if common == 0 || !(entry.writes || writes) || entry.atomic && atomic {
                continue;
            }
            let Some(before) = entry.moments().into_iter().find(|&before| self.is_unordered(before)) else { continue };
            let address = word as u32 * 4 + common.trailing_zeros();
            let earlier = RacingAccess {
                invocation: before.invocation,
                op: entry.op,
                writes: entry.writes,
                atomic: entry.atomic,
            };
            let later = RacingAccess { invocation: self.now.invocation, op, writes, atomic };
            self.keep(Race { buffer, address, accesses: [earlier, later] });
        }
        let now = self.now;
        let words = &mut self.words[usize::from(buffer)][word];
        *words = entries;
        let is_it =
            |entry: &&mut Entry| (entry.op, entry.bytes, entry.writes, entry.atomic) == (op, bytes, writes, atomic);
        match words.iter_mut().find(is_it) {
            Some(entry) => entry.add(now),
            None => words.push(Entry { op, bytes, writes, atomic, first: now, of_phase: now, of_span: [now; 2] }),
        }
    }

    /// Whether nothing orders an earlier access and one that is made now.
    fn is_unordered(&self, before: Moment) -> bool {
        let (a, b) = (before.invocation, self.now.invocation);
        if a.group != b.group {
            return true;
        }
        // What one subgroup does in one phase is in order from span to span.
        let is_ordered = before.phase != self.now.phase
            || a.lane == b.lane
            || before.span != self.now.span && a.lane / self.width == b.lane / self.width;
        !is_ordered
    }

    fn keep(&mut self, race: Race) {
        let mut pair = race.accesses.map(|access| self.instructions[access.op.index()]);
        pair.sort_unstable();
        if self.pairs.insert(pair) && self.found.len() < self.most {
            self.found.push(race);
        }
    }
}

#[cfg(test)]
mod tests;
