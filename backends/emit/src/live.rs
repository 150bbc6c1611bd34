//! Where values are alive.
//!
//! Every statement has a place; it reads there and writes right behind it. A value has ranges of places: from behind a write up to and
//! with a read. Lanes that left a loop keep what they hold, so lives follow the way of one lane through the program.

use crate::form::{Arg, Base, Node, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Ranges of places, from and not with, in order. In straight programs a value has one.
pub(crate) type Ranges = SmallVec<[(u32, u32); 2]>;

type Map = FxHashMap<Value, u32>;

struct Walk {
    at: u32,
    ranges: Vec<Ranges>,
    record: bool,
    /// What is alive behind a loop, and at the start of its next iteration.
    loops: FxHashMap<u32, (FxHashSet<Value>, FxHashSet<Value>)>,
}

/// The ranges of every value. `outputs`: values that are read at the end.
pub(crate) fn ranges(body: &[Node], values: usize, outputs: &[Value]) -> Vec<Ranges> {
    let end = places(body) + 2;
    let mut walk = Walk { at: end, ranges: vec![Ranges::new(); values], record: true, loops: FxHashMap::default() };
    let mut live: Map = outputs.iter().map(|&value| (value, end + 1)).collect();
    walk.block(body, &mut live);
    for (value, end) in live {
        walk.push(value, 0, end);
    }
    walk.ranges.into_iter().map(merged).collect()
}

/// How many places a block takes.
fn places(nodes: &[Node]) -> u32 {
    let mut count = 0;
    for node in nodes {
        count += 2 + match node {
            Node::If { then, other, .. } => 6 + places(then) + places(other),
            Node::Loop { body, .. } => 2 + places(body),
            _ => 0,
        };
    }
    count
}

/// Ranges in order, those that touch as one.
pub(crate) fn merged(mut ranges: Ranges) -> Ranges {
    if ranges.len() < 2 {
        return ranges;
    }
    ranges.sort_unstable();
    let mut out = Ranges::new();
    for (from, to) in ranges {
        match out.last_mut() {
            Some(last) if last.1 >= from => last.1 = last.1.max(to),
            _ => out.push((from, to)),
        }
    }
    out
}

/// Whether two lists of ranges have a place in common.
pub(crate) fn overlap(a: &Ranges, b: &Ranges) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.1 <= y.0 {
            i += 1;
        } else if y.1 <= x.0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

impl Walk {
    fn push(&mut self, value: Value, from: u32, to: u32) {
        if self.record && from < to {
            self.ranges[value as usize].push((from, to));
        }
    }

    /// The place of the next statement backward.
    fn step(&mut self) -> u32 {
        self.at -= 2;
        self.at
    }

    fn read(&self, base: Base, at: u32, live: &mut Map) {
        if let Base::Value(value) | Base::ConstAt { at: value, .. } = base {
            live.entry(value).or_insert(at + 1);
        }
    }

    fn write(&mut self, value: Value, at: u32, live: &mut Map) {
        let end = live.remove(&value).unwrap_or(at + 2);
        self.push(value, at + 1, end);
    }

    /// Ends all ranges at a place: what is alive there goes on before it in another block.
    fn cut(&mut self, live: &Map, at: u32) {
        for (&value, &end) in live {
            self.push(value, at, end);
        }
    }

    fn block(&mut self, nodes: &[Node], live: &mut Map) {
        for node in nodes.iter().rev() {
            match node {
                // Packing left none.
                Node::Single(_) => {}
                Node::Op(instr) => {
                    let at = self.step();
                    instr.results.iter().flatten().for_each(|&result| self.write(result, at, live));
                    instr.operands.iter().flat_map(|o| o.bases()).for_each(|base| self.read(base, at, live));
                }
                Node::Moves(moves) => {
                    let at = self.step();
                    moves.iter().for_each(|one| self.write(one.to, at, live));
                    moves.iter().for_each(|one| self.read(one.from.base, at, live));
                }
                Node::If { condition, then, other, .. } => self.branch(condition, then, other, live),
                Node::Loop { id, body, .. } => self.looped(*id, body, live),
                Node::Break { to } | Node::Leave { to, again: false } => {
                    let at = self.step();
                    *live = self.all_of(*to, false, at);
                }
                Node::Continue { to } | Node::Leave { to, again: true } => {
                    let at = self.step();
                    *live = self.all_of(*to, true, at);
                }
            }
        }
    }

    fn all_of(&self, to: u32, again: bool, at: u32) -> Map {
        let Some((behind, next)) = self.loops.get(&to) else { return Map::default() };
        let values = if again { next } else { behind };
        values.iter().map(|&value| (value, at + 1)).collect()
    }

    fn branch(&mut self, condition: &Arg, then: &[Node], other: &[Node], live: &mut Map) {
        let end = self.step();
        self.cut(live, end);
        let behind: Vec<Value> = live.keys().copied().collect();
        let mut found: Vec<Value> = Vec::new();
        for arm in [other, then] {
            let mut inside: Map = behind.iter().map(|&value| (value, self.at + 1)).collect();
            self.block(arm, &mut inside);
            let start = self.step();
            self.cut(&inside, start);
            found.extend(inside.into_keys());
        }
        let at = self.step();
        live.clear();
        live.extend(found.into_iter().map(|value| (value, at + 1)));
        self.read(condition.base, at, live);
    }

    fn looped(&mut self, id: u32, body: &[Node], live: &mut Map) {
        let end = self.step();
        self.cut(live, end);
        let behind: FxHashSet<Value> = live.keys().copied().collect();
        self.loops.insert(id, (behind, FxHashSet::default()));
        // Once to see what the next iteration reads, once with that.
        let (outer, from) = (self.record, self.at);
        self.record = false;
        let mut inside = Map::default();
        self.block(body, &mut inside);
        self.record = outer;
        self.at = from;
        let next: FxHashSet<Value> = inside.into_keys().collect();
        if let Some(entry) = self.loops.get_mut(&id) {
            entry.1 = next;
        }
        // Who falls off the end starts again.
        let mut inside = self.all_of(id, true, end);
        self.block(body, &mut inside);
        let at = self.step();
        self.cut(&inside, at);
        live.clear();
        live.extend(inside.into_keys().map(|value| (value, at + 1)));
    }
}
