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
#[derive(Default)]
pub(crate) struct Loops(Vec<Loop>);

impl Loops {
    pub(crate) fn of(stream: &Stream) -> Loops {
        Loops(loops(stream))
    }

    /// The end of what lives from `start` to `end`: what lives when a loop starts and is touched in it lives to its end. Only
    /// loops around the last place matter, since others end before it.
    pub(crate) fn end(&self, start: u32, end: u32) -> u32 {
        let (last, mut lengthened) = (end / 2, end);
        let mut around = self.0.partition_point(|l| l.start <= last).checked_sub(1);
        while let Some(n) = around.filter(|&n| 2 * self.0[n].start > start) {
            if last <= self.0[n].end {
                lengthened = lengthened.max(2 * self.0[n].end + 1);
            }
            around = self.0[n].outer;
        }
        lengthened
    }
}

fn loops(stream: &Stream) -> Vec<Loop> {
    let mut labels: FxHashMap<u32, u32> = FxHashMap::default();
    let mut ends: FxHashMap<u32, u32> = FxHashMap::default();
    for (at, inst) in stream.code.iter().enumerate() {
        let at = at as u32;
        if let Op::Label(label) = inst.op {
            labels.insert(label, at);
        }
        if let Some(&start) = inst.op.jumps_to().and_then(|label| labels.get(&label)) {
            let end = ends.entry(start).or_insert(at);
            *end = (*end).max(at);
        }
    }
    let mut loops: Vec<Loop> = ends.iter().map(|(&start, &end)| Loop { start, end, outer: None }).collect();
    loops.sort_by_key(|l| l.start);
    // A jump from the middle of an inner loop to an outer one may be the outer one's last: what comes behind it is in both.
    for n in (0..loops.len()).rev() {
        let mut inner = n + 1;
        while let Some(&Loop { start, end, .. }) = loops.get(inner).filter(|l| l.start <= loops[n].end) {
            debug_assert!(start >= loops[n].start);
            loops[n].end = loops[n].end.max(end);
            inner += 1;
        }
    }
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

/// The intervals of registers that take room, by start, lengthened by loops.
pub(crate) fn intervals(stream: &Stream, regs: &[RegData]) -> Vec<Interval> {
    let mut intervals = straight(stream, regs);
    let loops = Loops::of(stream);
    for interval in &mut intervals {
        interval.end = loops.end(interval.start, interval.end);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What lives in an outer loop lives through an inner one whose middle has the outer one's last jump.
    #[test]
    fn an_outer_loop_that_is_continued_from_an_inner_one_covers_it() {
        let mut stream = Stream::default();
        stream.push(Op::Move, &[1], &[0], 0);
        for op in [Op::Label(0), Op::Label(1)] {
            stream.push(op, &[], &[], 0);
        }
        stream.push(Op::Move, &[0], &[2], 0);
        stream.push(Op::JumpIfAny(0), &[3], &[], 0);
        stream.push(Op::Move, &[1], &[4], 0);
        stream.push(Op::JumpIfAny(1), &[3], &[], 0);
        assert_eq!(Loops::of(&stream).end(1, 2 * 3), 2 * 6 + 1);
    }
}
