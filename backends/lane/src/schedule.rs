//! The order of instructions: long chains first, so that chains that do not need each other run side by side.
//!
//! A processor looks some two hundred instructions ahead. Operations of step form are chains of that length, one behind the
//! other, so that it sees one chain at a time and waits for every sum. Between labels, and where the state of the processor
//! stays, instructions are put into the order in which a machine that starts two in a cycle would take them: of those whose
//! operands are there, the one with the longest way to the end. While as many values live as there is room for, one comes next
//! after which no more do; where there is none, the first one of the old order, which bounds how many live to what it had.
//! Values that live long are those that go to memory, where instructions read them as soon as elsewhere: there is room for as
//! many more as of these.

use crate::calendar::{Calendar, Waiting};
use crate::form::{Class, Function, Inst, Op, Part, Reg, RegData, SiteKind};
use crate::intervals::intervals;
use crate::modes::{Directions, wanted};
use crate::scan::Registers;
use parallax_core::OpKind;
use parallax_step::{Direction, Prim, Ty};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Segments below this many instructions stay as they are: the processor sees all of them.
const LEAST: usize = 24;
/// What lives through this share of the code lives long.
const LONG: usize = 4;
/// How many instructions that can start are looked at for one that ends a life.
const LOOKED_AT: usize = 8;
/// Most vector registers that a block has where it shares few with another one.
const SHARED: i32 = 8;
/// Instructions that a machine starts in a cycle.
const WIDTH: u32 = 2;

/// Orders the instructions of the body for a machine with these registers. `long`: how many values live long ([`long_lives`]).
pub fn schedule(function: &mut Function, directions: Directions, registers: Registers<'_>, long: i32) {
    let mut scheduler = Scheduler::new(function, registers, long);
    let mut order: Vec<Inst> = Vec::with_capacity(function.body.code.len());
    let mut start = 0;
    while start < function.body.code.len() {
        let end = segment(function, directions, start);
        scheduler.segment(start, end, &mut order);
        order.extend(function.body.code.get(end).filter(|inst| inst.op.is_jump()));
        start = end + usize::from(function.body.code.get(end).is_some_and(|inst| inst.op.is_jump()));
    }
    function.body.set_code(order);
}

/// The end of the instructions from one on that need the same state of the processor and lie between two jumps.
fn segment(function: &Function, directions: Directions, start: usize) -> usize {
    let (mut direction, mut flush): (Option<Direction>, Option<bool>) = (None, None);
    for (n, inst) in function.body.code.iter().enumerate().skip(start) {
        if inst.op.is_jump() {
            return n;
        }
        if let Some((d, f)) = wanted(inst.op, &function.sites, directions) {
            if direction.is_some_and(|other| other != d) || f.is_some_and(|f| flush.is_some_and(|other| other != f)) {
                return n;
            }
            direction = Some(d);
            flush = f.or(flush);
        }
    }
    function.body.code.len()
}

/// How many values may live before they decide what comes next. An instruction may need two registers for itself. A machine
/// without mask registers is one of few registers, whose instructions read an operand from memory as soon as from a register:
/// there chains side by side are worth the values that go to memory, fewer of them where another block that runs beside has such
/// chains. Values that live long go to memory anyway.
fn limit(registers: Registers<'_>, long: i32) -> i32 {
    let count = registers.vectors.len() as i32;
    match registers.masks {
        Some(_) => count - 2 + long,
        None if count > SHARED => count * 5 / 2 + long,
        None => count + long * 5 / 3,
    }
}

/// The most values in vector registers that live long at a time: through a quarter of the body and more.
pub fn long_lives(function: &Function) -> i32 {
    let least = function.body.code.len() * 2 / LONG;
    let is_vector = |reg: Reg| function.regs[reg as usize].class == Class::Vector;
    let all = intervals(&function.body, &function.regs);
    let long = all.iter().filter(|life| (life.end - life.start) as usize > least && is_vector(life.reg));
    let mut changes: Vec<(u32, i32)> = long.flat_map(|life| [(life.start, 1), (life.end, -1)]).collect();
    changes.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, change) in changes {
        now += change;
        most = most.max(now);
    }
    most
}

/// What an instruction costs: half cycles until its result is there, and instructions of the machine.
pub(crate) fn cost(op: Op, function: &Function) -> (u32, u32) {
    match op {
        Op::Step(prim, ty, _, part) => {
            let wide = matches!(ty, Ty::F64 | Ty::I64);
            match prim {
                Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fma | Prim::Round => (8, 1),
                Prim::Fmulz => (22, 3),
                Prim::Fdiv if wide => (26, 8),
                Prim::Fdiv => (20, 5),
                Prim::Fsqrt if wide => (42, 15),
                Prim::Fsqrt => (28, 9),
                Prim::FaddOdd => (20, 4),
                Prim::Widen | Prim::FromInt => (14, if part == Part::High { 2 } else { 1 }),
                Prim::Narrow | Prim::Low | Prim::ToInt => (18, 3),
                Prim::First => (20, 4),
                Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq | Prim::Disjoint if wide => (16, 3),
                Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq | Prim::Disjoint => (12, 1),
                Prim::Flush => (16, 3),
                Prim::Table => (60, 6),
                Prim::Select => (4, if part == Part::High { 2 } else { 1 }),
                Prim::Mul => (8, 1),
                _ => (4, 1),
            }
        }
        Op::Attr(_) => (26, 3),
        Op::PixelX | Op::System(_) => (14, 2),
        Op::Call(site) => match function.sites[site as usize].kind {
            SiteKind::Redo(_) => (0, 2),
            SiteKind::Ir(OpKind::ConstAt { .. } | OpKind::AttrAt { .. } | OpKind::ArrayLoad(_)) => (60, 20),
            _ => (120, 120),
        },
        _ => (4, 1),
    }
}

/// Whether an instruction has to stay behind others like it.
fn has_effect(op: Op, function: &Function) -> bool {
    match op {
        Op::Out { .. } | Op::Fuel | Op::Discard | Op::Keep(_) | Op::Mode(_) => true,
        Op::Call(site) => {
            let site = &function.sites[site as usize];
            let reads_at = matches!(site.kind, SiteKind::Ir(OpKind::ConstAt { .. } | OpKind::AttrAt { .. }));
            matches!(site.kind, SiteKind::Ir(_)) && site.lookup().is_none() && !reads_at
        }
        _ => false,
    }
}

const NONE: u32 = u32::MAX;

/// What comes after an instruction: a list.
#[derive(Copy, Clone)]
struct Edge {
    to: u32,
    /// Half cycles that lie between.
    delay: u32,
    next: u32,
}

/// What is known of a register.
#[derive(Copy, Clone)]
struct Register {
    /// How often it still stands in the code.
    left: u32,
    /// Who set it last, and a list of those that read it since, by their numbers in the code.
    writer: u32,
    readers: u32,
    /// What it counts as; `None` for what takes no room.
    class: Option<Class>,
    lives: bool,
    /// Whether it is set more than once: then those that read it come before who sets it next.
    changes: bool,
}

/// An instruction of a segment.
#[derive(Copy, Clone)]
pub(crate) struct Node {
    /// The longest way from its start to the end, in half cycles.
    height: u32,
    /// When its operands are there.
    pub(crate) earliest: u32,
    /// How many it still waits for.
    waits_for: u32,
    /// List of those that wait for it.
    first: u32,
    /// What it costs.
    delay: u32,
    work: u32,
    /// The next one whose operands are there at the same time.
    pub(crate) next: u32,
    done: bool,
}

impl Node {
    /// One that waits for nothing, of a cost.
    fn new((delay, work): (u32, u32)) -> Node {
        Node { height: 0, earliest: 0, waits_for: 0, first: NONE, delay, work, next: NONE, done: false }
    }

    /// One whose operands are there at a time.
    #[cfg(test)]
    pub(crate) fn at(earliest: u32) -> Node {
        Node { earliest, ..Node::new((1, 1)) }
    }
}

/// Where an instruction stands among those that can start: the longest way first, of equal ones the first.
fn rank(node: &Node, n: u32) -> u64 {
    u64::from(node.height) << 32 | u64::from(u32::MAX - n)
}

/// The instruction of a rank.
fn number(rank: u64) -> u32 {
    u32::MAX - rank as u32
}

struct Scheduler<'a> {
    function: &'a Function,
    /// Values in vector registers that may live before they decide what comes next. Masks that go to memory cost less than
    /// keeping to an order, so they count only where they are vectors.
    limit: i32,
    registers: Vec<Register>,
    /// How many of those in vector registers live.
    live: i32,
    /// Of the segment.
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Lists of those that read a register: number in the code, and next.
    readers: Vec<(u32, u32)>,
}

impl<'a> Scheduler<'a> {
    fn new(function: &'a Function, registers: Registers<'_>, long: i32) -> Scheduler<'a> {
        let with_masks = registers.masks.is_none();
        let fresh = Register { left: 0, writer: NONE, readers: NONE, class: None, lives: false, changes: false };
        let class = |data: &RegData| match data.class {
            _ if data.source.is_some() => None,
            Class::Mask if with_masks => Some(Class::Vector),
            class => Some(class),
        };
        let mut all: Vec<Register> =
            function.regs.iter().map(|data| Register { class: class(data), ..fresh }).collect();
        for inst in &function.body.code {
            let (read, set) = function.body.parts(inst);
            for &reg in read {
                let reg = &mut all[reg as usize];
                // What is read before it is set is set again later.
                reg.changes |= !reg.lives && reg.class.is_some();
                reg.left += 1;
            }
            for &reg in set {
                let reg = &mut all[reg as usize];
                reg.changes |= reg.lives;
                reg.lives = true;
                reg.left += 1;
            }
        }
        all.iter_mut().for_each(|reg| reg.lives = false);
        Scheduler {
            function,
            limit: limit(registers, long),
            registers: all,
            live: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// An instruction comes next: what lives behind it.
    fn take(&mut self, inst: &Inst) {
        let body = &self.function.body;
        for &reg in body.operands(inst) {
            let reg = &mut self.registers[reg as usize];
            let Some(class) = reg.class else { continue };
            reg.left -= 1;
            let lives = reg.left > 0;
            if lives != reg.lives {
                reg.lives = lives;
                if class == Class::Vector {
                    self.live += if lives { 1 } else { -1 };
                }
            }
        }
    }

    /// How many more live behind an instruction.
    fn change(&self, inst: &Inst) -> i32 {
        let change = |&reg: &Reg| {
            let reg = &self.registers[reg as usize];
            let counts = reg.class == Some(Class::Vector);
            if counts { i32::from(reg.left > 1) - i32::from(reg.lives) } else { 0 }
        };
        self.function.body.operands(inst).iter().map(change).sum()
    }

    /// Of the first instructions that can start, the one after which the fewest live, if those are no more than before.
    fn relief(&self, code: &[Inst], ready: &BinaryHeap<u64>) -> Option<u32> {
        let first = ready.iter().take(LOOKED_AT).map(|&rank| (rank, number(rank)));
        let waiting = first.filter(|&(_, n)| !self.nodes[n as usize].done);
        let with_change = waiting.map(|(rank, n)| (self.change(&code[n as usize]), Reverse(rank), n));
        with_change.filter(|(change, ..)| *change <= 0).min().map(|(.., n)| n)
    }

    /// Adds the instructions from `start` to `end` in their new order.
    fn segment(&mut self, start: usize, end: usize, order: &mut Vec<Inst>) {
        let function = self.function;
        let code = &function.body.code[start..end];
        if code.len() < LEAST {
            code.iter().for_each(|inst| self.take(inst));
            order.extend_from_slice(code);
            return;
        }
        self.connect(start, code);
        // The longest way to the end, from behind.
        for n in (0..code.len()).rev() {
            let mut at = self.nodes[n].first;
            let mut most = self.nodes[n].delay;
            while at != NONE {
                let edge = self.edges[at as usize];
                most = most.max(edge.delay + self.nodes[edge.to as usize].height);
                at = edge.next;
            }
            self.nodes[n].height = most;
        }
        // Those whose operands come later; those that can start, by way; all of them, by the old order.
        let mut later = Calendar::new();
        let mut ready: BinaryHeap<u64> = BinaryHeap::with_capacity(code.len());
        let mut oldest = Waiting::new(code.len());
        for (n, node) in self.nodes.iter().enumerate().filter(|(_, node)| node.waits_for == 0) {
            ready.push(rank(node, n as u32));
            oldest.add(n as u32);
        }
        let mut now = 0;
        for _ in 0..code.len() {
            later.take(now, &self.nodes, |node, n| ready.push(rank(node, n)));
            let full = self.live >= self.limit;
            while full && ready.peek().is_some_and(|&rank| self.nodes[number(rank) as usize].done) {
                ready.pop();
            }
            let relief = if full { self.relief(code, &ready) } else { None };
            let next = match relief {
                Some(n) => n,
                None => loop {
                    let found = if full { oldest.first() } else { ready.pop().map(number) };
                    match found {
                        Some(n) if self.nodes[n as usize].done => {}
                        Some(n) => break n,
                        None => match later.next() {
                            Some(time) => {
                                now = now.max(time);
                                later.take(now, &self.nodes, |node, n| ready.push(rank(node, n)));
                            }
                            None => return,
                        },
                    }
                },
            };
            oldest.remove(next);
            let n = next as usize;
            self.take(&code[n]);
            order.push(code[n]);
            let node = &mut self.nodes[n];
            node.done = true;
            now = now.max(node.earliest);
            let (mut at, work) = (node.first, node.work);
            while at != NONE {
                let edge = self.edges[at as usize];
                let to = &mut self.nodes[edge.to as usize];
                to.earliest = to.earliest.max(now + edge.delay);
                to.waits_for -= 1;
                if to.waits_for == 0 {
                    oldest.add(edge.to);
                    if to.earliest <= now {
                        ready.push(rank(to, edge.to));
                    } else {
                        later.add(to, edge.to);
                    }
                }
                at = edge.next;
            }
            now += work * 2 / WIDTH;
        }
    }

    /// Who waits for whom, of the instructions from one on.
    fn connect(&mut self, start: usize, code: &[Inst]) {
        let function = self.function;
        let start = start as u32;
        let Scheduler { registers, nodes, edges, readers, .. } = self;
        nodes.clear();
        edges.clear();
        nodes.reserve(code.len());
        edges.reserve(3 * code.len());
        let mut add = |nodes: &mut [Node], from: u32, to: u32, delay: u32| {
            if from != to {
                let node = &mut nodes[from as usize];
                let first = std::mem::replace(&mut node.first, edges.len() as u32);
                edges.push(Edge { to, delay, next: first });
                nodes[to as usize].waits_for += 1;
            }
        };
        // The number in the segment of an instruction, if it is in it.
        let inside = |number: u32| (number != NONE && number >= start).then(|| number - start);
        let mut effect = None;
        for (n, inst) in code.iter().enumerate() {
            let n = n as u32;
            nodes.push(Node::new(cost(inst.op, function)));
            let (read, set) = function.body.parts(inst);
            for &reg in read {
                let reg = &mut registers[reg as usize];
                if let Some(writer) = inside(reg.writer) {
                    let delay = nodes[writer as usize].delay;
                    add(nodes, writer, n, delay);
                }
                if reg.changes {
                    readers.push((start + n, reg.readers));
                    reg.readers = (readers.len() - 1) as u32;
                }
            }
            for &reg in set {
                let reg = &mut registers[reg as usize];
                let mut reader = std::mem::replace(&mut reg.readers, NONE);
                while reader != NONE {
                    let (who, next) = readers[reader as usize];
                    match inside(who) {
                        Some(who) => add(nodes, who, n, 0),
                        // All others are of earlier segments too.
                        None => break,
                    }
                    reader = next;
                }
                if let Some(writer) = inside(reg.writer) {
                    add(nodes, writer, n, 0);
                }
                reg.writer = start + n;
            }
            if has_effect(inst.op, function) {
                if let Some(effect) = effect {
                    add(nodes, effect, n, 0);
                }
                effect = Some(n);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{RegData, Stream};
    use parallax_core::SysVal;
    use parallax_step::Mode;

    /// Chains of sums, one behind the other, each with results of its own.
    fn chains(count: u32, length: u32) -> Function {
        let mut body = Stream::default();
        for chain in 0..count {
            let first = chain * (length + 1);
            body.push(Op::System(SysVal::SampleId), &[], &[first], 0);
            for n in 0..length {
                let add = Op::Step(Prim::Fadd, Ty::F32, Mode::PLAIN.word(), Part::Whole);
                body.push(add, &[first + n, first + n], &[first + n + 1], 0);
            }
            let out = Op::Out { plane: chain, bits: 32, ty: Ty::F32, masked: false };
            body.push(out, &[first + length], &[], 0);
        }
        Function {
            name: "chains".into(),
            model: "ieee".into(),
            regs: vec![RegData { class: Class::Vector, source: None }; (count * (length + 1)) as usize],
            prologue: Stream::default(),
            body,
            labels: 0,
            mode: Mode::PLAIN,
            uniforms: Vec::new(),
            kept: (0, 0),
            sites: Vec::new(),
            calls: Vec::new(),
            slots: Vec::new(),
            arrays: Vec::new(),
            attributes: count,
            outputs: vec![Some(32); count as usize],
            has_loops: false,
        }
    }

    /// The first register that each instruction sets.
    fn set(function: &Function) -> Vec<u32> {
        function.body.code.iter().filter_map(|inst| function.body.defs(inst).first().copied()).collect()
    }

    #[test]
    fn chains_run_side_by_side() {
        let (count, length) = (4, 20);
        let mut function = chains(count, length);
        let vectors: Vec<u8> = (0..28).collect();
        schedule(&mut function, Directions::Instruction, Registers { vectors: &vectors, masks: Some(&[1]) }, 0);
        let order = set(&function);
        assert_eq!(order.len() as u32, count * (length + 1));
        // Of every chain a sum among any eight instructions, and each chain in order.
        for window in order[8..40].windows(8) {
            for chain in 0..count {
                assert!(window.iter().any(|reg| reg / (length + 1) == chain), "{order:?}");
            }
        }
        for chain in 0..count {
            assert!(order.iter().filter(|&reg| reg / (length + 1) == chain).is_sorted());
        }
    }

    #[test]
    fn no_more_live_than_there_are_registers() {
        let mut function = chains(64, 20);
        let vectors: Vec<u8> = (0..12).collect();
        schedule(&mut function, Directions::Instruction, Registers { vectors: &vectors, masks: Some(&[1]) }, 0);
        let allocation = crate::allocate(&function, &function.body, Registers { vectors: &vectors, masks: Some(&[1]) });
        assert_eq!(allocation.slots, (0, 0));
    }
}
