//! Control bits: how long an instruction holds up the next one, and the barriers between those whose time is not fixed and those that
//! read what they give.
//!
//! Results of a fixed latency are there after 6 cycles, predicates after 13 (maxas, "Control Codes"). What takes its time signals a
//! barrier, and whoever reads or overwrites its result, or overwrites what it reads, waits for that. At labels and where control
//! leaves, everything is awaited: what comes from another way is known nowhere else.

use super::emit::{Line, Timing};
use crate::scalar::registers::Place;
use crate::text::numbered;
use smallvec::SmallVec;
use std::fmt::Write;

/// Cycles until a result is there.
const WORD: u32 = 6;
const PREDICATE: u32 = 13;
/// Cycles that an instruction takes at least: one that signals a barrier, one that leads control, the end of the program.
const SIGNAL: u32 = 2;
const JUMP: u32 = 5;
const EXIT: u32 = 15;
/// Most cycles that can be asked for, and from how many on another warp has to take over.
const MOST: u32 = 15;
const YIELD: u32 = 12;
const BARRIERS: u8 = 6;

/// What an instruction has besides its words.
#[derive(Copy, Clone, Debug, Default)]
struct Bits {
    /// Barriers to wait for.
    waits: u8,
    signals: Option<u8>,
    stall: u32,
}

/// An instruction that has not signalled its barrier yet.
struct Pending {
    barrier: u8,
    reads: SmallVec<[Place; 4]>,
    writes: SmallVec<[Place; 4]>,
}

/// The text of lines with their control bits.
pub(super) fn text(lines: &[Line]) -> String {
    let mut text = String::with_capacity(lines.len() * 40);
    for (line, bits) in lines.iter().zip(bits(lines)) {
        match line {
            Line::Label(number) => {
                let _ = writeln!(text, "L{number}:");
            }
            Line::Code(code) => {
                text.push_str("    ");
                code.write(&mut text);
                let mut before = " &req={";
                for barrier in (0..BARRIERS).rev().filter(|n| bits.waits >> n & 1 != 0) {
                    numbered(&mut text, before, barrier.into(), "");
                    before = ",";
                }
                text.push_str(if bits.waits != 0 { "}" } else { "" });
                if let Some(barrier) = bits.signals {
                    // What has no result signals that its sources were read.
                    let word = if code.writes().is_empty() { " &rd=" } else { " &wr=" };
                    numbered(&mut text, word, barrier.into(), "");
                }
                let word = if (YIELD..EXIT).contains(&bits.stall) { " ?yield" } else { " ?stall" };
                numbered(&mut text, word, bits.stall, "\n");
            }
        }
    }
    text
}

fn bits(lines: &[Line]) -> Vec<Bits> {
    let mut all = vec![Bits::default(); lines.len()];
    let mut pending: Vec<Pending> = Vec::new();
    // When results of a fixed latency are there, and the time of the instruction that is looked at.
    let mut ready = Ready::default();
    let mut now = 0;
    let mut last: Option<usize> = None;
    // Barriers that may be open on some way to a label.
    let mut carried = 0u8;
    let mut next_barrier = 0;
    for (n, line) in lines.iter().enumerate() {
        let code = match line {
            Line::Code(code) => code,
            Line::Label(_) => {
                // Whoever falls into it has waited, and whoever jumps has as well.
                hold(&mut all, last, &mut now, ready.latest);
                ready = Ready::default();
                carried |= pending.drain(..).fold(0, |mask, one| mask | 1 << one.barrier);
                continue;
            }
        };
        let is_control = matches!(code.timing, Timing::Control | Timing::Exit);
        let (reads, writes) = (code.reads(), code.writes());
        let touched = reads.iter().chain(&writes);
        let wanted = if is_control { ready.latest } else { touched.map(|&place| ready.of(place)).max().unwrap_or(0) };
        hold(&mut all, last, &mut now, wanted);
        let mut waits = std::mem::take(&mut carried);
        pending.retain(|one| {
            let reads_it = reads.iter().any(|place| one.writes.contains(place));
            let writes_it = writes.iter().any(|place| one.writes.contains(place) || one.reads.contains(place));
            let waits_for = is_control || reads_it || writes_it;
            if waits_for {
                waits |= 1 << one.barrier;
            }
            !waits_for
        });
        let bits = &mut all[n];
        bits.stall = match code.timing {
            Timing::Fixed => 1,
            Timing::Slow => SIGNAL,
            Timing::Exit => EXIT,
            Timing::Control => JUMP,
        };
        if code.timing == Timing::Slow {
            // The one that has been free for longest; what uses it still is awaited.
            let free = (0..BARRIERS).map(|k| (next_barrier + k) % BARRIERS);
            let barrier = free
                .clone()
                .find(|barrier| pending.iter().all(|one| one.barrier != *barrier))
                .unwrap_or(next_barrier % BARRIERS);
            pending.retain(|one| {
                if one.barrier == barrier {
                    waits |= 1 << barrier;
                }
                one.barrier != barrier
            });
            next_barrier = (barrier + 1) % BARRIERS;
            bits.signals = Some(barrier);
            pending.push(Pending { barrier, reads: reads.clone(), writes: writes.clone() });
        }
        bits.waits = waits;
        now += bits.stall;
        if code.timing == Timing::Fixed {
            for &place in &writes {
                let latency = if matches!(place, Place::Predicate(_)) { PREDICATE } else { WORD };
                ready.set(place, now - bits.stall + latency);
            }
        }
        last = Some(n);
    }
    all
}

/// When results of a fixed latency are there, by place; 0 where nothing is on its way.
#[derive(Default)]
struct Ready {
    words: Vec<u32>,
    predicates: [u32; 8],
    /// The last of all.
    latest: u32,
}

impl Ready {
    fn of(&self, place: Place) -> u32 {
        match place {
            Place::Word(number) => self.words.get(number as usize).copied().unwrap_or(0),
            Place::Predicate(number) => self.predicates[usize::from(number) & 7],
        }
    }

    fn set(&mut self, place: Place, time: u32) {
        self.latest = self.latest.max(time);
        match place {
            Place::Word(number) => {
                let at = number as usize;
                if self.words.len() <= at {
                    self.words.resize(at + 1, 0);
                }
                self.words[at] = time;
            }
            Place::Predicate(number) => self.predicates[usize::from(number) & 7] = time,
        }
    }
}

/// Holds up what comes next until a time, by the instruction before it.
fn hold(all: &mut [Bits], last: Option<usize>, now: &mut u32, until: u32) {
    let missing = until.saturating_sub(*now);
    if let Some(last) = last
        && missing > 0
    {
        let longer = (all[last].stall + missing).min(MOST - 1);
        *now += longer.saturating_sub(all[last].stall);
        all[last].stall = all[last].stall.max(longer);
    }
}
