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
    let loops = loops(stream);
    let mut found: Vec<Interval> = Vec::new();
    let mut place: Vec<u32> = vec![u32::MAX; regs.len()];
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
        let mut touch = |reg: Reg, position: u32| {
            if regs[reg as usize].source.is_some() {
                return;
            }
            let number = &mut place[reg as usize];
            if *number == u32::MAX {
                *number = found.len() as u32;
                found.push(Interval { reg, start: position, end: position });
            }
            let interval = &mut found[*number as usize];
            interval.end = interval.end.max(position);
            let mut around = inner;
            while let Some(n) = around.filter(|&n| 2 * loops[n].start > interval.start) {
                interval.end = interval.end.max(2 * loops[n].end + 1);
                around = loops[n].outer;
            }
        };
        let (read, set) = stream.parts(inst);
        read.iter().for_each(|&reg| touch(reg, 2 * at));
        set.iter().for_each(|&reg| {
            if inst.op.is_early() {
                touch(reg, 2 * at);
            }
            // It is there when the instruction ends.
            touch(reg, 2 * at + 1);
        });
    }
    found
}
