//! How long registers live.

use crate::form::{Op, Reg, RegData, Stream};
use rustc_hash::FxHashMap;

/// From the first place a register is set to the last one it is read or set. Instruction n reads at 2n and writes at 2n + 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) reg: Reg,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

struct Loop {
    start: u32,
    end: u32,
    outer: Option<usize>,
}

/// The loops of a stream by their first instruction: a label that is jumped to from behind.
fn loops(stream: &Stream) -> Vec<Loop> {
    let mut labels: FxHashMap<u32, u32> = FxHashMap::default();
    let mut ends: FxHashMap<u32, u32> = FxHashMap::default();
    for (at, inst) in stream.code.iter().enumerate() {
        let at = at as u32;
        match inst.op {
            Op::Label(label) => {
                labels.insert(label, at);
            }
            Op::Jump(label) | Op::JumpUnlessAny(label) | Op::JumpIfAny(label) => {
                if let Some(&start) = labels.get(&label) {
                    let end = ends.entry(start).or_insert(at);
                    *end = (*end).max(at);
                }
            }
            _ => {}
        }
    }
    let mut loops: Vec<Loop> = ends.iter().map(|(&start, &end)| Loop { start, end, outer: None }).collect();
    loops.sort_by_key(|l| l.start);
    let mut open: Vec<usize> = Vec::new();
    for n in 0..loops.len() {
        while open.last().is_some_and(|&outer| loops[outer].end < loops[n].start) {
            open.pop();
        }
        loops[n].outer = open.last().copied();
        open.push(n);
    }
    loops
}

/// The intervals of registers that take room, by start. What lives when a loop starts and is touched in it lives to its end.
pub(crate) fn intervals(stream: &Stream, regs: &[RegData]) -> Vec<Interval> {
    let mut intervals = straight(stream, regs);
    let loops = loops(stream);
    if !loops.is_empty() {
        let mut numbers = vec![u32::MAX; regs.len()];
        (0..).zip(&intervals).for_each(|(n, interval)| numbers[interval.reg as usize] = n);
        lengthen(stream, &loops, &numbers, &mut intervals);
    }
    intervals
}

/// As if nothing jumped.
fn straight(stream: &Stream, regs: &[RegData]) -> Vec<Interval> {
    const NONE: u32 = u32::MAX;
    // Where each register starts and ends; those that start in order.
    let mut spans = vec![(NONE, NONE); regs.len()];
    let mut order: Vec<Reg> = Vec::with_capacity(regs.len());
    let mut touch = |reg: Reg, position: u32| {
        let (start, end) = &mut spans[reg as usize];
        if *start == NONE {
            *start = position;
            order.push(reg);
        }
        *end = position;
    };
    for (at, inst) in (0..).step_by(2).zip(&stream.code) {
        let (read, set) = stream.parts(inst);
        for &reg in read {
            touch(reg, at);
        }
        for &reg in set {
            if inst.op.is_early() {
                touch(reg, at);
            }
            // It is there when the instruction ends.
            touch(reg, at + 1);
        }
    }
    let mut intervals = Vec::with_capacity(order.len());
    for reg in order {
        if regs[reg as usize].source.is_none() {
            let (start, end) = spans[reg as usize];
            intervals.push(Interval { reg, start, end });
        }
    }
    intervals
}

/// Lengthens intervals to the ends of loops.
fn lengthen(stream: &Stream, loops: &[Loop], numbers: &[u32], intervals: &mut [Interval]) {
    let mut inner: Option<usize> = None;
    let mut next = 0;
    for (at, inst) in stream.code.iter().enumerate() {
        let at = at as u32;
        while inner.is_some_and(|n| loops[n].end < at) {
            inner = inner.and_then(|n| loops[n].outer);
        }
        while next < loops.len() && loops[next].start == at {
            inner = Some(next);
            next += 1;
        }
        for &reg in stream.operands(inst) {
            let Some(interval) = intervals.get_mut(numbers[reg as usize] as usize) else { continue };
            let mut around = inner;
            while let Some(n) = around.filter(|&n| 2 * loops[n].start > interval.start) {
                interval.end = interval.end.max(2 * loops[n].end + 1);
                around = loops[n].outer;
            }
        }
    }
}
