//! Values that find no register wait in local memory: they are stored behind each write and loaded in front of each reader.

use super::forms::{form, names};
use super::lower::Lowered;
use crate::form::{Arg, Args, Base, Instr, Move, Node, Value};
use crate::live::{self, Ranges};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Lives of fewer places than this are no longer than those of the loads that would replace them.
const SHORTEST: u32 = 16;
/// How many times as often a round of a loop is taken to run as what surrounds the loop, and the deepest loop that counts more.
const ROUNDS: u64 = 8;
const DEEPEST: u32 = 6;

/// The same program with at most `most` words alive at once, as far as this can be seen before registers are shared; `None` if nothing
/// is left to be stored. `outputs`: values that are read at the end.
pub(super) fn spill(lowered: &Lowered, outputs: &[Value], most: usize) -> Option<Lowered> {
    let mut uses = Uses { accesses: vec![0; lowered.predicates.len()], pinned: lowered.predicates.clone() };
    uses.block(&lowered.body, 0);
    outputs.iter().for_each(|&value| uses.pinned[value as usize] = true);
    let ranges = live::ranges(&lowered.body, lowered.predicates.len(), outputs);
    let chosen = choose(&ranges, &uses, &lowered.predicates, most);
    if chosen.is_empty() {
        return None;
    }
    // Arrays stand in front.
    let first = lowered.local;
    let slots: FxHashMap<Value, u32> = (first..).step_by(4).zip(chosen).map(|(at, value)| (value, at)).collect();
    // The header counts local memory by 16 bytes.
    let local = (first + slots.len() as u32 * 4).next_multiple_of(16);
    let mut spill = Spill { predicates: lowered.predicates.clone(), slots, out: Vec::new() };
    let body = spill.block(&lowered.body);
    Some(Lowered {
        body,
        predicates: spill.predicates,
        groups: lowered.groups.clone(),
        local,
        reads: lowered.reads.clone(),
    })
}

/// How often each value is read and written, and which have to stay in a register.
struct Uses {
    accesses: Vec<u64>,
    pinned: Vec<bool>,
}

impl Uses {
    fn block(&mut self, nodes: &[Node], depth: u32) {
        let weight = ROUNDS.pow(depth.min(DEEPEST));
        for node in nodes {
            match node {
                Node::Single(single) => {
                    self.accesses[single.result as usize] += weight;
                    single
                        .args
                        .iter()
                        .filter_map(|arg| value_of(arg.base()))
                        .for_each(|value| self.count(value, weight));
                }
                Node::Op(instr) => {
                    instr.results.iter().flatten().for_each(|&value| self.count(value, weight));
                    for operand in &instr.operands {
                        operand.bases().filter_map(value_of).for_each(|value| self.count(value, weight));
                        // Coordinates and doubles stand in registers one after the other.
                        if operand.bases().nth(1).is_some() {
                            operand.bases().filter_map(value_of).for_each(|value| self.pinned[value as usize] = true);
                        }
                    }
                }
                Node::Moves(moves) => {
                    for one in moves {
                        self.count(one.to, weight);
                        value_of(one.from.base()).into_iter().for_each(|value| self.count(value, weight));
                    }
                }
                Node::If { then, other, .. } => {
                    self.block(then, depth);
                    self.block(other, depth);
                }
                Node::Loop { body, .. } => self.block(body, depth + 1),
                Node::Leave { flags, .. } => flags.iter().for_each(|&flag| self.pinned[flag as usize] = true),
                Node::Break { .. } | Node::Continue { .. } => {}
            }
        }
    }

    fn count(&mut self, value: Value, weight: u64) {
        self.accesses[value as usize] += weight;
    }
}

const fn value_of(base: Base) -> Option<Value> {
    match base {
        Base::Value(value) | Base::ConstAt { at: value, .. } => Some(value),
        _ => None,
    }
}

/// Values to store: wherever too many are alive, those that are accessed least for the time that they live.
fn choose(ranges: &[Ranges], uses: &Uses, predicates: &[bool], most: usize) -> Vec<Value> {
    let mut events: Vec<(u32, bool, Value)> = Vec::new();
    for (value, ranges) in (0..).zip(ranges) {
        if !predicates[value as usize] {
            events.extend(ranges.iter().flat_map(|&(from, to)| [(from, true, value), (to, false, value)]));
        }
    }
    // What ends at a place ends before others begin there.
    events.sort_unstable();
    let length = |value: Value| ranges[value as usize].iter().map(|&(from, to)| to - from).sum::<u32>();
    let mut chosen: FxHashSet<Value> = FxHashSet::default();
    let mut alive: Vec<Value> = Vec::new();
    for (_, begins, value) in events {
        if !begins {
            alive.retain(|&other| other != value);
            continue;
        }
        if chosen.contains(&value) {
            continue;
        }
        alive.push(value);
        if alive.len() > most {
            let spilled = alive
                .iter()
                .copied()
                .filter(|&value| !uses.pinned[value as usize] && length(value) >= SHORTEST)
                .min_by(|&a, &b| {
                    let cost = |value: Value, other: Value| u64::from(length(other)) * uses.accesses[value as usize];
                    cost(a, b).cmp(&cost(b, a)).then(a.cmp(&b))
                });
            if let Some(spilled) = spilled {
                chosen.insert(spilled);
                alive.retain(|&value| value != spilled);
            }
        }
    }
    let mut chosen: Vec<Value> = chosen.into_iter().collect();
    chosen.sort_unstable();
    chosen
}

struct Spill {
    predicates: Vec<bool>,
    /// Addresses in local memory.
    slots: FxHashMap<Value, u32>,
    out: Vec<Node>,
}

/// Values that one instruction has loaded.
type Loaded = SmallVec<[(Value, Value); 4]>;

impl Spill {
    fn fresh(&mut self) -> Value {
        self.predicates.push(false);
        self.predicates.len() as Value - 1
    }

    fn block(&mut self, nodes: &[Node]) -> Vec<Node> {
        let outer = std::mem::take(&mut self.out);
        for node in nodes {
            self.node(node);
        }
        std::mem::replace(&mut self.out, outer)
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Single(single) => {
                let mut loaded = Loaded::new();
                let mut single = single.clone();
                for arg in &mut single.args {
                    *arg = arg.with_base(self.read(arg.base(), &mut loaded));
                }
                let result = single.result;
                self.out.push(Node::Single(single));
                self.store(result);
            }
            Node::Op(instr) => self.instr((**instr).clone()),
            Node::Moves(moves) => self.moves(moves.clone()),
            Node::If { condition, test, then, other } => {
                let (then, other) = (self.block(then), self.block(other));
                self.out.push(Node::If { condition: *condition, test: *test, then, other });
            }
            Node::Loop { id, rounds, ends, body } => {
                let body = self.block(body);
                self.out.push(Node::Loop { id: *id, rounds: *rounds, ends: *ends, body });
            }
            other => self.out.push(other.clone()),
        }
    }

    fn instr(&mut self, mut instr: Instr) {
        let mut loaded = Loaded::new();
        for base in instr.operands.iter_mut().flat_map(|operand| operand.lanes.iter_mut().flatten()) {
            *base = self.read(*base, &mut loaded);
        }
        let results = instr.results;
        self.out.push(Node::Op(Box::new(instr)));
        results.into_iter().flatten().for_each(|result| self.store(result));
    }

    /// An operand, from memory if it waits there.
    fn read(&mut self, base: Base, loaded: &mut Loaded) -> Base {
        let Some((value, &slot)) = value_of(base).and_then(|value| Some((value, self.slots.get(&value)?))) else {
            return base;
        };
        let known = loaded.iter().find(|(of, _)| *of == value).map(|(_, register)| *register);
        let register = known.unwrap_or_else(|| {
            let register = self.load(slot);
            loaded.push((value, register));
            register
        });
        match base {
            Base::ConstAt { from, comp, .. } => Base::ConstAt { from, comp, at: register },
            _ => Base::Value(register),
        }
    }

    fn load(&mut self, slot: u32) -> Value {
        let register = self.fresh();
        let args = Args::of(&[Arg::imm(slot)]);
        self.out.push(Node::of_scalars(form(names::RELOAD).row(), false, args, Some(register), None));
        register
    }

    /// Stores what was written, if it waits in memory.
    fn store(&mut self, value: Value) {
        if let Some(&slot) = self.slots.get(&value) {
            self.store_at(slot, value);
        }
    }

    fn store_at(&mut self, slot: u32, value: Value) {
        let args = Args::of(&[Arg::imm(slot), Arg::value(value)]);
        self.out.push(Node::of_scalars(form(names::SPILL).row(), false, args, None, None));
    }

    /// Moves that all read before one writes. Those to memory come first, one by one, once nobody reads any more what they overwrite;
    /// registers still hold what they did then. Moves to memory that wait for each other in a circle go by registers.
    fn moves(&mut self, mut moves: Vec<Move>) {
        loop {
            let next = moves.iter().position(|one| {
                let is_read = |other: &Move| other.to != one.to && value_of(other.from.base()) == Some(one.to);
                self.slots.contains_key(&one.to) && !moves.iter().any(is_read)
            });
            let Some(next) = next else { break };
            let Move { to, from } = moves.remove(next);
            let mut base = self.read(from.base(), &mut Loaded::new());
            let is_register = matches!(base, Base::Value(_)) && !from.has_signs();
            if !is_register {
                let register = self.fresh();
                self.out.push(Node::Moves(vec![Move { to: register, from: from.with_base(base) }]));
                base = Base::Value(register);
            }
            if let (Base::Value(value), Some(&slot)) = (base, self.slots.get(&to)) {
                self.store_at(slot, value);
            }
        }
        if moves.is_empty() {
            return;
        }
        let mut loaded = Loaded::new();
        for one in &mut moves {
            one.from = one.from.with_base(self.read(one.from.base(), &mut loaded));
        }
        let written: Vec<Value> = moves.iter().map(|one| one.to).collect();
        self.out.push(Node::Moves(moves));
        written.into_iter().for_each(|to| self.store(to));
    }
}
