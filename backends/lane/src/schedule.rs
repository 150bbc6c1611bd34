//! The order of instructions: long chains first, so that chains that do not need each other run side by side.
//!
//! A processor looks some two hundred instructions ahead. Operations of step form are chains of that length, one behind the
//! other, so that it sees one chain at a time and waits for every sum. Between labels, and where the state of the processor
//! stays, instructions are put into the order in which a machine that starts two in a cycle would take them: of those whose
//! operands are there, the one with the longest way to the end, quotients and roots one after the other, as one unit makes
//! them. While as many values live as there is room for, one comes next after which no more do; where there is none, the first
//! one of the old order, which bounds how many live to what it had. Values that live long are those that go to memory, where
//! instructions read them as soon as elsewhere: there is room for as many more as of these.
//!
//! Two blocks that are interleaved on a machine with many registers have few each, and take every instruction twice. There they are
//! *paced*: time advances twice as fast. Where there is no room, the scheduler first waits a while for an instruction that ends a life, and
//! only then follows the old order.

use crate::calendar::Calendar;
use crate::form::{Class, Function, Inst, Op, Part, Reg, SiteKind};
use crate::lives::{Life, Lives};
use crate::modes::{Directions, wanted};
use crate::scan::Registers;
use parallax_core::OpKind;
use parallax_step::{Direction, Prim, Ty};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Segments below this many instructions stay as they are: the processor sees all of them.
const LEAST: usize = 24;
/// How many instructions that can start are looked at for one that ends a life.
const LOOKED_AT: usize = 8;
/// The same where blocks are paced.
const LOOKED_AT_IN_PACE: usize = 64;
/// Half cycles that one is waited for there.
const PATIENCE: u32 = 20;
/// Most vector registers that a block has where it shares few with another one.
const SHARED: i32 = 8;
/// Most values that live in code for whole workgroups of a machine with few registers.
const OF_GROUPS: i32 = 11;
/// Half cycles for which the one unit that divides and takes roots is busy with two blocks, for each of the instructions that
/// take as long.
const DIVIDER: u32 = 4;

/// Orders the instructions of the body, whose registers live like this, for a machine with these registers. `directions`: where
/// it looks for the direction of rounding, if one state does not do everywhere
/// ([`choose_mode`](crate::choose_mode)). `blocks`: how many blocks are interleaved that share its registers.
pub fn schedule(
    function: &mut Function,
    directions: Option<Directions>,
    registers: Registers<'_>,
    blocks: usize,
    lives: &Lives,
) {
    let is_paced = registers.masks.is_some() && function.group.is_none() && blocks > 1;
    let mut scheduler = Scheduler::new(function, registers, is_paced, lives);
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
fn segment(function: &Function, directions: Option<Directions>, start: usize) -> usize {
    let (mut direction, mut flush): (Option<Direction>, Option<bool>) = (None, None);
    for (n, inst) in function.body.code.iter().enumerate().skip(start) {
        if inst.op.is_jump() {
            return n;
        }
        if let Some((d, f)) = directions.and_then(|directions| wanted(inst.op, &function.sites, directions)) {
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
/// there chains side by side are worth the values that go to memory, fewer of them where another block that is interleaved has such
/// chains. Values that live long go to memory anyway. Whole workgroups have short chains of integers, what lives long is in frames, and
/// interleaved blocks must do without memory; some of their values are shared.
fn limit(registers: Registers<'_>, long: i32, is_group: bool, is_paced: bool) -> i32 {
    let count = registers.vectors.len() as i32;
    match registers.masks {
        Some(_) if is_paced => count + 1 + long,
        Some(_) => count - 2 + long,
        None if is_group => (count * 4 / 3).min(OF_GROUPS),
        None if count > SHARED => count * 5 / 2 + long,
        None => count + long * 5 / 3,
    }
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
                Prim::Narrow | Prim::ToInt => (18, 3),
                Prim::Low => (12, 2),
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
            SiteKind::Ir(
                OpKind::ConstAt { .. } | OpKind::AttrAt { .. } | OpKind::ArrayLoad(_) | OpKind::BufferLoad { .. },
            ) => (60, 20),
            _ => (120, 120),
        },
        _ => (4, 1),
    }
}

/// Whether an instruction keeps the unit busy that divides.
const fn divides(op: Op) -> bool {
    matches!(op, Op::Step(Prim::Fdiv | Prim::Fsqrt, ..))
}

/// Whether an instruction has to stay behind others like it.
fn has_effect(op: Op, function: &Function) -> bool {
    match op {
        Op::Out { .. } | Op::Fuel(_) | Op::Discard | Op::Keep(_) | Op::Mode(_) => true,
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
    next: u32,
    /// Half cycles that lie between.
    delay: u32,
}

/// What is known of a register.
#[derive(Copy, Clone)]
struct Register {
    /// How often it still stands in the code.
    left: u32,
    /// Who set it last, and a list of those that read it since, by their numbers in the code.
    writer: u32,
    readers: u32,
    /// Whether it takes a vector register.
    counts: bool,
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
    /// List of those that wait for it.
    first: u32,
    /// The next one whose operands are there at the same time.
    pub(crate) next: u32,
    /// How many it still waits for, or [`DONE`].
    waits_for: u32,
    /// What it costs.
    delay: u16,
    work: u16,
    divides: bool,
}

/// Of an instruction that has its place.
const DONE: u32 = u32::MAX;

impl Node {
    /// One that waits for nothing, of a cost.
    fn new((delay, work): (u16, u16), divides: bool) -> Node {
        Node { height: 0, earliest: 0, first: NONE, next: NONE, waits_for: 0, delay, work, divides }
    }

    fn is_done(&self) -> bool {
        self.waits_for == DONE
    }

    /// One whose operands are there at a time.
    #[cfg(test)]
    pub(crate) fn at(earliest: u32) -> Node {
        Node { earliest, ..Node::new((1, 1), false) }
    }
}

/// Where an instruction stands among those that can start: the longest way first, of equal ones the first.
pub(crate) fn rank(node: &Node, n: u32) -> u64 {
    u64::from(node.height) << 32 | u64::from(u32::MAX - n)
}

/// The instruction of a rank.
pub(crate) fn number(rank: u64) -> u32 {
    u32::MAX - rank as u32
}

struct Scheduler<'a> {
    function: &'a Function,
    /// Values in vector registers that may live before they decide what comes next. Masks that go to memory cost less than
    /// keeping to an order, so they count only where they are vectors.
    limit: i32,
    /// Whether two blocks are interleaved that have few registers each, though the machine has many.
    is_paced: bool,
    /// What each instruction of the body costs.
    costs: &'a [(u16, u16)],
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
    fn new(function: &'a Function, registers: Registers<'_>, is_paced: bool, lives: &'a Lives) -> Scheduler<'a> {
        let with_masks = registers.masks.is_none();
        let register = |life: &Life| Register {
            left: life.count,
            writer: NONE,
            readers: NONE,
            counts: life.class == Some(Class::Vector) || (with_masks && life.class.is_some()),
            lives: false,
            changes: life.changes,
        };
        Scheduler {
            function,
            limit: limit(registers, lives.long, function.group.is_some(), is_paced),
            is_paced,
            costs: &lives.costs,
            registers: lives.registers.iter().map(register).collect(),
            live: 0,
            nodes: Vec::new(),
            edges: Vec::new(),
            readers: Vec::new(),
        }
    }

    /// An instruction comes next: what lives behind it.
    fn take(&mut self, inst: &Inst) {
        let mut live = self.live;
        for &reg in self.function.body.operands(inst) {
            let reg = &mut self.registers[reg as usize];
            if reg.counts {
                reg.left -= 1;
                let lives = reg.left > 0;
                live += i32::from(lives) - i32::from(reg.lives);
                reg.lives = lives;
            }
        }
        self.live = live;
    }

    /// How many more live behind an instruction.
    fn change(&self, inst: &Inst) -> i32 {
        let change = |&reg: &Reg| {
            let reg = &self.registers[reg as usize];
            if reg.counts { i32::from(reg.left > 1) - i32::from(reg.lives) } else { 0 }
        };
        self.function.body.operands(inst).iter().map(change).sum()
    }

    /// Of the first instructions that can start, the one after which the fewest live, if those are no more than before.
    fn relief(&self, code: &[Inst], nodes: &[Node], ready: &BinaryHeap<u64>) -> Option<u32> {
        let count = if self.is_paced { LOOKED_AT_IN_PACE } else { LOOKED_AT };
        let first = ready.iter().take(count).map(|&rank| (rank, number(rank)));
        let waiting = first.filter(|&(_, n)| !nodes[n as usize].is_done());
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
        let mut nodes = std::mem::take(&mut self.nodes);
        set_heights(&mut nodes, &self.edges);
        self.put_in_order(code, &mut nodes, order);
        self.nodes = nodes;
    }

    /// Adds the instructions of a segment in their new order.
    #[inline(never)]
    fn put_in_order(&mut self, code: &[Inst], nodes: &mut [Node], order: &mut Vec<Inst>) {
        let edges = std::mem::take(&mut self.edges);
        // Those whose operands come later; those that can start, by way.
        let mut later = Calendar::new();
        let mut ready: BinaryHeap<u64> = BinaryHeap::with_capacity(code.len());
        // Those that wait for the divider alone.
        let mut dividing: BinaryHeap<u64> = BinaryHeap::new();
        let can_start = nodes.iter().enumerate().filter(|(_, node)| node.waits_for == 0);
        can_start.for_each(|(n, node)| ready.push(rank(node, n as u32)));
        // The first one of the old order that has no place yet: all that it could wait for has.
        let mut oldest = 0;
        let (mut now, mut divider) = (0, 0);
        let pace = if self.is_paced { 2 } else { 1 };
        for _ in 0..code.len() {
            later.take(now, nodes, &mut ready);
            let next = if self.live >= self.limit {
                while ready.peek().is_some_and(|&rank| nodes[number(rank) as usize].is_done()) {
                    ready.pop();
                }
                loop {
                    if let Some(relief) = self.relief(code, nodes, &ready) {
                        break relief;
                    }
                    let soon = later.next().filter(|&time| self.is_paced && time <= now + PATIENCE);
                    let Some(time) = soon else {
                        while nodes[oldest].is_done() {
                            oldest += 1;
                        }
                        break oldest as u32;
                    };
                    now = time;
                    later.take(now, nodes, &mut ready);
                }
            } else {
                loop {
                    // One at a time: then each is moved no more often than instructions are chosen.
                    if divider <= now {
                        ready.extend(dividing.pop());
                    }
                    match ready.pop() {
                        Some(rank) if nodes[number(rank) as usize].is_done() => {}
                        Some(rank) if divider > now && nodes[number(rank) as usize].divides => dividing.push(rank),
                        Some(rank) => break number(rank),
                        None => {
                            let free = (!dividing.is_empty()).then_some(divider);
                            let time = later.next().into_iter().chain(free).min();
                            now = now.max(time.unwrap_or_else(|| unreachable!("instructions wait for each other")));
                            later.take(now, nodes, &mut ready);
                        }
                    }
                }
            };
            let inst = &code[next as usize];
            self.take(inst);
            order.push(*inst);
            let node = &mut nodes[next as usize];
            node.waits_for = DONE;
            now = now.max(node.earliest);
            let (mut at, mut work) = (node.first, u32::from(node.work));
            if node.divides {
                divider = now + DIVIDER * std::mem::replace(&mut work, 1);
            }
            while let Some(&Edge { to: number, next, delay }) = edges.get(at as usize) {
                let to = &mut nodes[number as usize];
                to.earliest = to.earliest.max(now + delay);
                to.waits_for -= 1;
                if to.waits_for == 0 {
                    if to.earliest <= now {
                        ready.push(rank(to, number));
                    } else {
                        later.add(to, number);
                    }
                }
                at = next;
            }
            now += work * pace;
        }
        self.edges = edges;
    }

    /// Who waits for whom, of the instructions from one on.
    #[inline(never)]
    fn connect(&mut self, start: usize, code: &[Inst]) {
        let function = self.function;
        let (body, costs) = (&function.body, &self.costs[start..start + code.len()]);
        let start = start as u32;
        self.nodes.clear();
        self.nodes.extend(code.iter().zip(costs).map(|(inst, &cost)| Node::new(cost, divides(inst.op))));
        self.edges.clear();
        self.edges.reserve(3 * code.len());
        let (registers, nodes) = (&mut self.registers[..], &mut self.nodes[..]);
        let mut effect = None;
        for (n, inst) in code.iter().enumerate() {
            let n = n as u32;
            let mut waits_for = 0;
            let mut wait = |nodes: &mut [Node], from: u32, is_read: bool| {
                let node = &mut nodes[from as usize];
                let next = std::mem::replace(&mut node.first, self.edges.len() as u32);
                let delay = if is_read { u32::from(node.delay) } else { 0 };
                self.edges.push(Edge { to: n, next, delay });
                waits_for += 1;
            };
            let (read, set) = body.parts(inst);
            for &reg in read {
                let reg = &mut registers[reg as usize];
                // What is not of the segment has a large number: nobody, or somebody before it.
                let writer = reg.writer.wrapping_sub(start);
                if writer < n {
                    wait(nodes, writer, true);
                }
                if reg.changes {
                    self.readers.push((start + n, reg.readers));
                    reg.readers = (self.readers.len() - 1) as u32;
                }
            }
            for &reg in set {
                let reg = &mut registers[reg as usize];
                let before = std::mem::replace(&mut reg.writer, start + n).wrapping_sub(start);
                if !reg.changes {
                    continue;
                }
                let mut reader = std::mem::replace(&mut reg.readers, NONE);
                while reader != NONE {
                    let (who, next) = self.readers[reader as usize];
                    let Some(who) = who.checked_sub(start) else {
                        // All others are of earlier segments too.
                        break;
                    };
                    if who != n {
                        wait(nodes, who, false);
                    }
                    reader = next;
                }
                if before < n {
                    wait(nodes, before, false);
                }
            }
            if has_effect(inst.op, function) {
                if let Some(effect) = effect {
                    wait(nodes, effect, false);
                }
                effect = Some(n);
            }
            nodes[n as usize].waits_for = waits_for;
        }
    }
}

/// Of all nodes the longest way to the end, from behind.
#[inline(never)]
fn set_heights(nodes: &mut [Node], edges: &[Edge]) {
    for n in (0..nodes.len()).rev() {
        let Node { first: mut at, delay, .. } = nodes[n];
        let mut most = u32::from(delay);
        while let Some(&Edge { to, next, delay }) = edges.get(at as usize) {
            most = most.max(delay + nodes[to as usize].height);
            at = next;
        }
        nodes[n].height = most;
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
            turns: None,
            group: None,
            subgroup: 4,
            stops: 0,
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
        let lives = Lives::of(&function);
        let vectors: Vec<u8> = (0..28).collect();
        schedule(&mut function, None, Registers { vectors: &vectors, masks: Some(&[1]) }, 1, &lives);
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
        let lives = Lives::of(&function);
        let vectors: Vec<u8> = (0..12).collect();
        schedule(&mut function, None, Registers { vectors: &vectors, masks: Some(&[1]) }, 1, &lives);
        let allocation = crate::allocate(&function, &function.body, Registers { vectors: &vectors, masks: Some(&[1]) });
        assert_eq!(allocation.slots, (0, 0));
    }

    #[test]
    fn paced_blocks_wait_for_sums_before_they_start_chains() {
        let (count, length) = (64, 20);
        let mut function = chains(count, length);
        let lives = Lives::of(&function);
        let vectors: Vec<u8> = (0..12).collect();
        let registers = Registers { vectors: &vectors, masks: Some(&[1]) };
        schedule(&mut function, None, registers, 2, &lives);
        let order = set(&function);
        assert_eq!(order.len() as u32, count * (length + 1));
        // Chains that have begun and not come to their end: never more than there is room for.
        let (mut begun, mut most) = (0i32, 0);
        for reg in order {
            begun += i32::from(reg % (length + 1) == 0) - i32::from(reg % (length + 1) == length);
            most = most.max(begun);
        }
        assert!((8..=14).contains(&most), "{most}");
    }
}
