//! Frames of turns, as the host makes and reads them.

use crate::arena;
use crate::layout::{self, ENDED};
use crate::level::Level;
use crate::program::{Program, pointer_mut};
use parallax_core::SysVal;
use parallax_core::exec::Inputs;
use parallax_lane::{Op, Turns};
use std::ops::Range;

/// Frames in a row: memory that is kept from batch to batch.
#[derive(Default)]
pub(crate) struct Frames {
    words: Vec<u64>,
    /// Where the first one starts: at a line.
    start: usize,
    /// Words of one, and how many there are.
    size: usize,
    count: usize,
}

/// Words of a line.
const LINE: usize = 8;

impl Frames {
    /// Frames of turns of which none has started: the first lane of the block, and a bit for each lane that runs.
    pub(crate) fn start(&mut self, program: &Program, turns: impl Iterator<Item = (usize, u16)>) {
        self.size = program.layout.frame.size / 8;
        self.count = 0;
        for (lane, lanes) in turns {
            let needed = (self.count + 1) * self.size + LINE;
            if self.words.len() < needed {
                let start = self.start;
                self.words.resize(needed.max(2 * self.words.len()), 0);
                self.start = (64 - self.words.as_ptr().addr() % 64) % 64 / 8;
                // What was written moves with the start.
                self.words.copy_within(start..start + self.count * self.size, self.start);
            }
            let frame = &mut self.words[self.start + self.count * self.size..][..self.size];
            frame[..LINE].fill(0);
            frame[layout::FRAME_LANE / 8] = lane as u64;
            frame[layout::FRAME_LANES / 8] = lanes.into();
            self.count += 1;
        }
    }

    /// Room for so many frames, which the code fills in itself: where it starts.
    pub(crate) fn room(&mut self, program: &Program, count: usize) -> u64 {
        (self.size, self.count) = (program.layout.frame.size / 8, count);
        let needed = self.count * self.size + LINE;
        if self.words.len() < needed {
            self.words.resize(needed, 0);
            self.start = (64 - self.words.as_ptr().addr() % 64) % 64 / 8;
        }
        pointer_mut(&mut self.words[self.start..][..self.count * self.size])
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Where some of them start and end, for the code.
    pub(crate) fn pointers(&mut self, turns: Range<usize>) -> [u64; 2] {
        let frames = &mut self.words[self.start..][turns.start * self.size..turns.end * self.size];
        let start = pointer_mut(frames);
        [start, start + 8 * frames.len() as u64]
    }

    /// Some of them.
    pub(crate) fn some(&mut self, turns: Range<usize>) -> Vec<&mut [u64]> {
        let frames = &mut self.words[self.start..][turns.start * self.size..turns.end * self.size];
        frames.chunks_exact_mut(self.size).collect()
    }

    fn each(&self) -> impl Iterator<Item = &[u64]> {
        self.words[self.start..][..self.count * self.size].chunks_exact(self.size)
    }

    /// Which covered lanes of a workgroup are not at the barrier where the first turn waits, none if all are; `None` if no turn waits.
    pub(crate) fn missed(&self, level: Level, inputs: &Inputs<'_>) -> Option<Vec<bool>> {
        let next = |frame: &[u64]| arena::word(frame, layout::FRAME_NEXT);
        let barrier = self.each().map(next).find(|&next| next != ENDED)?;
        let absent = |frame: &[u64]| {
            let waiting = if next(frame) == barrier { arena::half(frame, layout::FRAME_WAITING) } else { 0 };
            arena::half(frame, layout::FRAME_LANES) & layout::all(level) & !waiting
        };
        let mut missed = Vec::new();
        for frame in self.each().filter(|frame| absent(frame) != 0) {
            missed.resize(inputs.lanes, false);
            let (first, absent) = (frame[layout::FRAME_LANE / 8] as usize, absent(frame));
            for lane in (0..level.lanes()).filter(|lane| absent >> lane & 1 != 0) {
                missed[first + lane] = inputs.covered.get(first + lane).copied().unwrap_or(false);
            }
        }
        Some(missed)
    }
}

/// The system values that code reads.
pub(crate) fn systems_of(program: &parallax_lane::Function) -> Vec<SysVal> {
    let read = |value: &SysVal| program.body.code.iter().any(|inst| inst.op == Op::System(*value));
    SysVal::ALL.into_iter().filter(read).collect()
}

impl Program {
    /// The turns of lanes from one on: of quads or wider subgroups, or of blocks where nobody can tell the difference.
    pub(crate) fn turns(&self, inputs: &Inputs<'_>, first: usize, real: usize) -> impl Iterator<Item = (usize, u16)> {
        let lanes = self.level.lanes();
        let subgroup = (self.function.subgroup as usize).min(lanes);
        let width = if self.runs_blocks(inputs, first, real) { lanes } else { subgroup };
        (0..real).step_by(width).map(move |lane| {
            let bits = (1u32 << width.min(real - lane)) - 1;
            (lane / lanes * lanes, (bits << (lane % lanes)) as u16)
        })
    }

    /// Whether the lanes of each block may run together: invocations are where the code was found to allow that. A batch is a
    /// workgroup.
    fn runs_blocks(&self, inputs: &Inputs<'_>, first: usize, real: usize) -> bool {
        match self.function.turns {
            // Where subgroups are several blocks the code is made for workgroups as the interface says.
            Some(Turns::Blocks) => true,
            Some(Turns::Rows) => self.has_rows(inputs, first, real),
            _ => false,
        }
    }

    /// Whether the lanes of each block are neighbours along x, of one row of a workgroup.
    pub(crate) fn has_rows(&self, inputs: &Inputs<'_>, first: usize, real: usize) -> bool {
        self.systems.iter().all(|&value| {
            let row = inputs.sysvals.get(value as usize * inputs.lanes..).unwrap_or(&[]);
            let row = row.get(first..first + real).unwrap_or(&[]);
            let mut blocks = row.chunks(self.level.lanes());
            let alike = |words: &[u32]| words.iter().all(|word| *word == words[0]);
            match value {
                SysVal::LocalX => {
                    let further = |pair: &[u32]| pair[1] == pair[0].wrapping_add(1);
                    !row.is_empty() && blocks.all(|block| block.windows(2).all(further))
                }
                SysVal::LocalY | SysVal::LocalZ => blocks.all(alike),
                _ => true,
            }
        })
    }
}
