//! Where registers hold something that is read later, in code that stops: at a stop nothing stays in registers, so most of them hold
//! something between two stops alone, and one place serves others elsewhere.

use crate::form::{Op, Reg, RegData, Stream};
use crate::liveness::Live;
use rustc_hash::FxHashMap;

/// Where a register lives: pieces of the code from first to last, the first piece first. Instruction n reads at 2n and writes at
/// 2n + 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges {
    pub(crate) reg: Reg,
    pub(crate) pieces: Vec<(u32, u32)>,
}

/// Those of all registers that take room, by their starts. `kept`: of each stop the registers that come back from the frame behind it;
/// `is_stored`: whether a stop brings a register there.
pub(crate) fn ranges(
    stream: &Stream,
    regs: &[RegData],
    kept: &[Vec<Reg>],
    is_stored: impl Fn(Reg) -> bool,
) -> Vec<Ranges> {
    let mut walk = Walk {
        stream,
        regs,
        kept,
        is_stored,
        at_labels: FxHashMap::default(),
        is_new: true,
        live: Live::of(regs.len()),
        ends: vec![0; regs.len()],
        pieces: vec![Vec::new(); regs.len()],
    };
    while std::mem::take(&mut walk.is_new) {
        walk.live = Live::of(regs.len());
        walk.pieces.iter_mut().for_each(Vec::clear);
        for n in (0..stream.code.len()).rev() {
            walk.inst(n);
        }
        debug_assert!(walk.live.iter().next().is_none(), "every register is set before it is read");
    }
    let mut all: Vec<Ranges> = (0..)
        .zip(walk.pieces)
        .filter(|(_, pieces)| !pieces.is_empty())
        .map(|(reg, mut pieces)| {
            pieces.reverse();
            Ranges { reg, pieces }
        })
        .collect();
    all.sort_by_key(|ranges| ranges.pieces[0]);
    all
}

/// A walk from the last instruction to the first.
struct Walk<'a, F> {
    stream: &'a Stream,
    regs: &'a [RegData],
    kept: &'a [Vec<Reg>],
    is_stored: F,
    at_labels: FxHashMap<u32, Live>,
    /// Whether a label has been found to be reached with more than was known.
    is_new: bool,
    /// What lives behind the instruction that is looked at.
    live: Live,
    /// Where the piece ends that each of those lives in.
    ends: Vec<u32>,
    /// The last piece first.
    pieces: Vec<Vec<(u32, u32)>>,
}

impl<F: Fn(Reg) -> bool> Walk<'_, F> {
    fn inst(&mut self, n: usize) {
        let stream = self.stream;
        let inst = &stream.code[n];
        let (read, write) = (2 * n as u32, 2 * n as u32 + 1);
        let (uses, defs) = stream.parts(inst);
        match inst.op {
            Op::Label(label) => {
                let live = &self.live;
                let known = self.at_labels.entry(label).or_insert_with(|| Live::of(self.regs.len()));
                self.is_new |= known.add(live);
            }
            Op::Jump(label) => {
                let there = self.at_label(label);
                let here = std::mem::replace(&mut self.live, there.clone());
                here.iter().filter(|&reg| !there.contains(reg)).for_each(|reg| self.start(reg, write + 1));
                there.iter().filter(|&reg| !here.contains(reg)).for_each(|reg| self.ends[reg as usize] = write);
            }
            op => {
                if let Some(label) = op.jumps_to() {
                    self.at_label(label).iter().for_each(|reg| self.lives_to(reg, write));
                }
            }
        }
        for &reg in defs {
            self.lives_to(reg, write);
            self.live.remove(reg);
            let is_early = inst.op.is_early();
            self.start(reg, if is_early { read } else { write });
        }
        if let Some(number) = inst.op.stop() {
            let behind = std::mem::replace(&mut self.live, Live::of(self.regs.len()));
            behind.iter().for_each(|reg| self.start(reg, write));
            let kept = self.kept;
            for &reg in &kept[number as usize] {
                if (self.is_stored)(reg) {
                    self.lives_to(reg, read);
                }
            }
        }
        for &reg in uses {
            self.lives_to(reg, read);
        }
    }

    fn at_label(&self, label: u32) -> Live {
        self.at_labels.get(&label).cloned().unwrap_or_else(|| Live::of(self.regs.len()))
    }

    /// A register is read there, unless it lives on anyway.
    fn lives_to(&mut self, reg: Reg, position: u32) {
        if self.regs[reg as usize].source.is_none() && !self.live.contains(reg) {
            self.live.insert(reg);
            self.ends[reg as usize] = position;
        }
    }

    /// A piece starts there.
    fn start(&mut self, reg: Reg, position: u32) {
        let end = self.ends[reg as usize];
        let pieces = &mut self.pieces[reg as usize];
        match pieces.last_mut() {
            // They are one.
            Some(next) if next.0 <= end + 1 => next.0 = position,
            _ => pieces.push((position, end)),
        }
    }
}

/// Places, as many as are needed, for ranges that are sorted by their starts: the number of each, and how many there are.
pub(crate) fn color(all: &[Ranges], most: usize) -> Option<(Vec<u8>, usize)> {
    // Of each place the pieces that are taken, by their starts.
    let mut taken: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut numbers = Vec::with_capacity(all.len());
    for ranges in all {
        let is_free = |taken: &Vec<(u32, u32)>| {
            ranges.pieces.iter().all(|piece| {
                let next = taken.partition_point(|other| other.1 < piece.0);
                taken.get(next).is_none_or(|other| other.0 > piece.1)
            })
        };
        let number = taken.iter().position(is_free).unwrap_or_else(|| {
            taken.push(Vec::new());
            taken.len() - 1
        });
        if taken.len() > most {
            return None;
        }
        for &piece in &ranges.pieces {
            let at = taken[number].partition_point(|other| other.0 < piece.0);
            taken[number].insert(at, piece);
        }
        numbers.push(number as u8);
    }
    Some((numbers, taken.len()))
}
