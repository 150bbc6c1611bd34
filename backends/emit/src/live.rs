//! Where values are alive.
//!
//! Every statement has a place; it reads there and writes right behind it. A value has ranges of places: from behind a write up to and
//! with a read. Lanes that left a loop keep what they hold, so lives follow the way of one lane through the program.

use crate::form::{Arg, Node, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Ranges of places, from and not with, in order. In straight programs a value has one.
pub(crate) type Ranges = SmallVec<[(u32, u32); 2]>;

/// What is alive at a place, with the end of the range that it is in.
#[derive(Default)]
struct Live {
    /// Of each value: the end, or 0.
    ends: Vec<u32>,
    /// Those that are or were alive, each once.
    listed: Vec<Value>,
    is_listed: Vec<bool>,
}

impl Live {
    fn new(values: usize) -> Live {
        Live { ends: vec![0; values], listed: Vec::new(), is_listed: vec![false; values] }
    }

    /// Makes a value alive up to a place, unless it is alive beyond it.
    fn add(&mut self, value: Value, end: u32) {
        let own = &mut self.ends[value as usize];
        if *own == 0 {
            *own = end;
            if !std::mem::replace(&mut self.is_listed[value as usize], true) {
                self.listed.push(value);
            }
        }
    }

    /// Ends a value's life, if it is alive.
    fn remove(&mut self, value: Value) -> Option<u32> {
        Some(std::mem::take(&mut self.ends[value as usize])).filter(|&end| end != 0)
    }

    /// What is alive, with the ends.
    fn iter(&self) -> impl Iterator<Item = (Value, u32)> + '_ {
        self.listed.iter().map(|&value| (value, self.ends[value as usize])).filter(|&(_, end)| end != 0)
    }

    fn values(&self) -> Vec<Value> {
        self.iter().map(|(value, _)| value).collect()
    }

    /// These and no others, up to a place.
    fn reset(&mut self, values: &[Value], end: u32) {
        for value in self.listed.drain(..) {
            self.ends[value as usize] = 0;
            self.is_listed[value as usize] = false;
        }
        values.iter().for_each(|&value| self.add(value, end));
    }
}

struct Walk {
    at: u32,
    ranges: Vec<Ranges>,
    record: bool,
    /// What is alive behind a loop, and at the start of its next iteration.
    loops: FxHashMap<u32, (Vec<Value>, Vec<Value>)>,
}

/// The ranges of every value. `outputs`: values that are read at the end.
pub(crate) fn ranges(body: &[Node], values: usize, outputs: &[Value]) -> Vec<Ranges> {
    let end = places(body) + 2;
    let mut walk = Walk {
        at: end,
        ranges: std::iter::repeat_with(Ranges::new).take(values).collect(),
        record: true,
        loops: FxHashMap::default(),
    };
    let mut live = Live::new(values);
    outputs.iter().for_each(|&value| live.add(value, end + 1));
    walk.block(body, &mut live);
    for (value, end) in live.iter() {
        walk.push(value, 0, end);
    }
    let mut ranges = walk.ranges;
    ranges.iter_mut().filter(|all| all.len() > 1).for_each(|all| *all = merged(std::mem::take(all)));
    ranges
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

    fn read(&self, value: Option<Value>, at: u32, live: &mut Live) {
        if let Some(value) = value {
            live.add(value, at + 1);
        }
    }

    fn write(&mut self, value: Value, at: u32, live: &mut Live) {
        let end = live.remove(value).unwrap_or(at + 2);
        self.push(value, at + 1, end);
    }

    /// Ends all ranges at a place: what is alive there goes on before it in another block.
    fn cut(&mut self, live: &Live, at: u32) {
        for (value, end) in live.iter() {
            self.push(value, at, end);
        }
    }

    fn block(&mut self, nodes: &[Node], live: &mut Live) {
        for node in nodes.iter().rev() {
            match node {
                // It is a lane of an instruction further in front.
                Node::Single(single) if single.follows => {}
                Node::Single(single) => {
                    let at = self.step();
                    single.lanes(nodes).for_each(|lane| self.write(lane.result, at, live));
                    single.lanes(nodes).flat_map(|lane| &lane.args).for_each(|arg| self.read(arg.read(), at, live));
                }
                Node::Op(instr) => {
                    let at = self.step();
                    instr.results.iter().flatten().for_each(|&result| self.write(result, at, live));
                    instr.operands.iter().flat_map(|o| o.bases()).for_each(|base| self.read(base.read(), at, live));
                }
                Node::Moves(moves) => {
                    let at = self.step();
                    moves.iter().for_each(|one| self.write(one.to, at, live));
                    moves.iter().for_each(|one| self.read(one.from.read(), at, live));
                }
                Node::If { condition, then, other, .. } => self.branch(condition, then, other, live),
                Node::Loop { id, ends, body, .. } => self.looped(*id, *ends, body, live),
                Node::Break { to } => {
                    let at = self.step();
                    self.all_of(*to, false, at, live);
                }
                Node::Continue { to } => {
                    let at = self.step();
                    self.all_of(*to, true, at, live);
                }
                Node::Leave { to, again, flags } => {
                    let at = self.step();
                    self.all_of(*to, *again, at, live);
                    flags.iter().for_each(|&flag| live.add(flag, at + 1));
                }
            }
        }
    }

    fn all_of(&self, to: u32, again: bool, at: u32, live: &mut Live) {
        let values = self.loops.get(&to).map_or(&[][..], |(behind, next)| if again { next } else { behind });
        live.reset(values, at + 1);
    }

    fn branch(&mut self, condition: &Arg, then: &[Node], other: &[Node], live: &mut Live) {
        let end = self.step();
        self.cut(live, end);
        let behind = live.values();
        let mut found: Vec<Value> = Vec::new();
        for arm in [other, then] {
            live.reset(&behind, self.at + 1);
            self.block(arm, live);
            let start = self.step();
            self.cut(live, start);
            found.extend(live.values());
        }
        let at = self.step();
        live.reset(&found, at + 1);
        self.read(condition.read(), at, live);
    }

    fn looped(&mut self, id: u32, ends: bool, body: &[Node], live: &mut Live) {
        let end = self.step();
        self.cut(live, end);
        let behind = live.values();
        // A last round goes on behind the loop.
        let last = if ends { behind.clone() } else { Vec::new() };
        self.loops.insert(id, (behind, last.clone()));
        // Once to see what the next iteration reads, once with that.
        let (outer, from) = (self.record, self.at);
        self.record = false;
        live.reset(&last, end + 1);
        self.block(body, live);
        self.record = outer;
        self.at = from;
        if let Some(entry) = self.loops.get_mut(&id) {
            entry.1 = live.values();
            let others = last.iter().filter(|value| live.ends[**value as usize] == 0);
            entry.1.extend(others);
        }
        // Who falls off the end starts again.
        self.all_of(id, true, end, live);
        self.block(body, live);
        let at = self.step();
        self.cut(live, at);
        let values = live.values();
        live.reset(&values, at + 1);
    }
}
