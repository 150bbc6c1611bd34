//! The order of instructions: long chains first, so that chains that do not need each other run side by side.
//!
//! A processor looks some two hundred instructions ahead. Operations of step form are chains of that length, one behind the
//! other, so that it sees one chain at a time and waits for every sum. Between labels, and where the state of the processor
//! stays, instructions are put into the order in which a machine that starts two in a cycle would take them: of those whose
//! operands are there, the one with the longest way to the end. While as many values live as there is room for,
//! the first one of the old order comes next, which bounds how many live to what it had.

use crate::form::{Class, Function, Inst, Op, Part, Reg, SiteKind};
use crate::modes::{Directions, wanted};
use crate::scan::Registers;
use parallax_core::OpKind;
use parallax_step::{Direction, Prim, Ty};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Segments below this many instructions stay as they are: the processor sees all of them.
const LEAST: usize = 24;
/// Mask registers that are few.
const FEW: i32 = 4;
/// Most vector registers that a block has where it shares few with another one.
const SHARED: i32 = 8;
/// Instructions that a machine starts in a cycle.
const WIDTH: u32 = 2;

/// Orders the instructions of the body for a machine with these registers.
pub fn schedule(function: &mut Function, directions: Directions, registers: Registers<'_>) {
    let mut scheduler = Scheduler::new(function, registers);
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

/// How many values may live before the old order is kept to. An instruction may need two registers for itself. A machine
/// without mask registers is one of few registers, whose instructions read an operand from memory as soon as from a register:
/// there chains side by side are worth the values that go to memory - unless another block that runs beside has such chains.
fn limit(registers: Registers<'_>) -> i32 {
    let count = registers.vectors.len() as i32;
    match registers.masks {
        Some(_) => count - 2,
        None if count > SHARED => count * 5 / 2,
        None => count,
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
                Prim::Narrow | Prim::Low | Prim::ToInt => (18, 3),
                Prim::First => (20, 4),
                Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq if wide => (16, 3),
                Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq => (12, 1),
                Prim::Flush => (16, 3),
                Prim::Table => (60, 6),
                Prim::Select => (4, if part == Part::High { 2 } else { 1 }),
                Prim::Mul => (8, 1),
                _ => (4, 1),
            }
        }
        Op::Attr(_) | Op::System(_) => (14, 2),
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

struct Scheduler<'a> {
    function: &'a Function,
    /// Values in registers that may live before the old order is kept to: vectors, masks. A machine without registers for
    /// masks counts them as vectors.
    limits: [i32; 2],
    with_masks: bool,
    /// How often each register still stands in the code; whether it has been set.
    left: Vec<u32>,
    /// Per register and segment: who set it last, and a list of those that read it since.
    writer: Vec<u32>,
    readers: Vec<u32>,
    /// How many of them live where the segment starts, and which.
    live: [i32; 2],
    is_live: Vec<bool>,
}

impl<'a> Scheduler<'a> {
    fn new(function: &'a Function, registers: Registers<'_>) -> Scheduler<'a> {
        let count = function.regs.len();
        let mut left = vec![0; count];
        for inst in &function.body.code {
            let regs = function.body.uses(inst).iter().chain(function.body.defs(inst));
            regs.for_each(|&reg| left[reg as usize] += 1);
        }
        // Of five masks hardly any more live at a time; bringing some to memory costs less than keeping to the old order.
        let masks = registers.masks.map(|masks| masks.len() as i32).filter(|&masks| masks < FEW).unwrap_or(i32::MAX);
        Scheduler {
            function,
            limits: [limit(registers), masks],
            with_masks: registers.masks.is_none(),
            left,
            writer: vec![NONE; count],
            readers: vec![NONE; count],
            live: [0; 2],
            is_live: vec![false; count],
        }
    }

    fn regs(&self, inst: &Inst) -> impl Iterator<Item = Reg> + use<'a> {
        let function = self.function;
        let (uses, defs) = (function.body.uses(inst), function.body.defs(inst));
        uses.iter().chain(defs).copied().filter(|&reg| function.regs[reg as usize].source.is_none())
    }

    /// An instruction comes next: what lives behind it.
    fn take(&mut self, inst: &Inst) {
        for reg in self.regs(inst) {
            let at = reg as usize;
            self.left[at] -= 1;
            let lives = self.left[at] > 0;
            if lives != self.is_live[at] {
                self.is_live[at] = lives;
                let class = usize::from(self.function.regs[at].class == Class::Mask && !self.with_masks);
                self.live[class] += if lives { 1 } else { -1 };
            }
        }
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
        let costs: Vec<(u32, u32)> = code.iter().map(|inst| cost(inst.op, function)).collect();
        let (edges, first, mut waits_for) = self.edges(code, &costs);
        // The longest way to the end, from behind.
        let mut height = vec![0u32; code.len()];
        for n in (0..code.len()).rev() {
            let mut at = first[n];
            let mut most = costs[n].0;
            while at != NONE {
                let edge = edges[at as usize];
                most = most.max(edge.delay + height[edge.to as usize]);
                at = edge.next;
            }
            height[n] = most;
        }
        let mut earliest = vec![0u32; code.len()];
        let mut done = vec![false; code.len()];
        // Those whose operands come later, by time; those that can start, by way; all of them, by the old order.
        let mut later: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        let mut ready: BinaryHeap<(u32, Reverse<u32>)> = BinaryHeap::new();
        let mut oldest: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
        for n in (0..code.len() as u32).filter(|&n| waits_for[n as usize] == 0) {
            ready.push((height[n as usize], Reverse(n)));
            oldest.push(Reverse(n));
        }
        let mut now = 0;
        for _ in 0..code.len() {
            while let Some(&Reverse((time, n))) = later.peek().filter(|Reverse((time, _))| *time <= now) {
                later.pop();
                debug_assert!(time <= now);
                ready.push((height[n as usize], Reverse(n)));
            }
            let full = self.live.iter().zip(self.limits).any(|(&live, limit)| live >= limit);
            let next = loop {
                let found = if full { oldest.pop().map(|Reverse(n)| n) } else { ready.pop().map(|(_, Reverse(n))| n) };
                match found {
                    Some(n) if done[n as usize] => {}
                    Some(n) => break n,
                    None => match later.pop() {
                        Some(Reverse((time, n))) => {
                            now = now.max(time);
                            ready.push((height[n as usize], Reverse(n)));
                        }
                        None => return,
                    },
                }
            };
            let n = next as usize;
            done[n] = true;
            now = now.max(earliest[n]);
            self.take(&code[n]);
            order.push(code[n]);
            let mut at = first[n];
            while at != NONE {
                let edge = edges[at as usize];
                let to = edge.to as usize;
                earliest[to] = earliest[to].max(now + edge.delay);
                waits_for[to] -= 1;
                if waits_for[to] == 0 {
                    later.push(Reverse((earliest[to], edge.to)));
                    oldest.push(Reverse(edge.to));
                }
                at = edge.next;
            }
            now += costs[n].1 * 2 / WIDTH;
        }
    }

    /// Who waits for whom: lists of edges, the first of each instruction, and the number that lead to it.
    fn edges(&mut self, code: &[Inst], costs: &[(u32, u32)]) -> (Vec<Edge>, Vec<u32>, Vec<u32>) {
        let function = self.function;
        let mut edges: Vec<Edge> = Vec::with_capacity(code.len() * 3);
        let mut first = vec![NONE; code.len()];
        let mut waits_for = vec![0u32; code.len()];
        // Lists of readers: instruction and next.
        let mut lists: Vec<(u32, u32)> = Vec::with_capacity(code.len() * 3);
        let mut add = |from: u32, to: u32, delay: u32| {
            if from != to {
                edges.push(Edge { to, delay, next: first[from as usize] });
                first[from as usize] = (edges.len() - 1) as u32;
                waits_for[to as usize] += 1;
            }
        };
        let mut effect = NONE;
        let changes = |reg: &&Reg| function.regs[**reg as usize].source.is_none();
        for (n, inst) in code.iter().enumerate() {
            let n = n as u32;
            for &reg in function.body.uses(inst).iter().filter(changes) {
                let at = reg as usize;
                if self.writer[at] != NONE {
                    add(self.writer[at], n, costs[self.writer[at] as usize].0);
                }
                lists.push((n, self.readers[at]));
                self.readers[at] = (lists.len() - 1) as u32;
            }
            for &reg in function.body.defs(inst).iter().filter(changes) {
                let at = reg as usize;
                let mut reader = std::mem::replace(&mut self.readers[at], NONE);
                while reader != NONE {
                    let (who, next) = lists[reader as usize];
                    add(who, n, 0);
                    reader = next;
                }
                if self.writer[at] != NONE {
                    add(self.writer[at], n, 0);
                }
                self.writer[at] = n;
            }
            if has_effect(inst.op, function) {
                if effect != NONE {
                    add(effect, n, 0);
                }
                effect = n;
            }
        }
        for inst in code {
            for reg in self.regs(inst) {
                (self.writer[reg as usize], self.readers[reg as usize]) = (NONE, NONE);
            }
        }
        (edges, first, waits_for)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::{RegData, Stream};
    use parallax_step::Mode;

    /// Chains of sums, one behind the other, each with results of its own.
    fn chains(count: u32, length: u32) -> Function {
        let mut body = Stream::default();
        for chain in 0..count {
            let first = chain * (length + 1);
            body.push(Op::Attr(chain), &[], &[first], 0);
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
        schedule(&mut function, Directions::Instruction, Registers { vectors: &vectors, masks: Some(&[1]) });
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
        schedule(&mut function, Directions::Instruction, Registers { vectors: &vectors, masks: Some(&[1]) });
        let allocation = crate::allocate(&function, &function.body, Registers { vectors: &vectors, masks: Some(&[1]) });
        assert_eq!(allocation.slots, (0, 0));
    }
}
