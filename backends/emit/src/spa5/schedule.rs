//! Control bits: how long an instruction holds up the next one, and the barriers between those whose time is not fixed and those that
//! read what they give.
//!
//! Results of a fixed latency are there after 6 cycles, predicates after 13 (maxas, "Control Codes"). What takes its time signals a
//! barrier, and whoever reads or overwrites its result, or overwrites what it reads, waits for that. At labels and where control
//! leaves, everything is awaited: what comes from another way is known nowhere else.

use super::emit::{Code, Line, Timing, WAITING};
use super::encode::Encoder;
use crate::Encoding;
use crate::scalar::registers::Place;
use parallax_isa::{Cursor, Out, Short};
use smallvec::SmallVec;

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

/// More bytes than the text of a statement becomes in most programs.
const BYTES: usize = 48;

/// What an instruction has besides its words.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Bits {
    /// Barriers to wait for.
    pub(super) waits: u8,
    pub(super) signals: Option<u8>,
    pub(super) stall: u32,
}

impl Bits {
    /// Whether another warp has to take over.
    pub(super) fn yields(&self) -> bool {
        (YIELD..EXIT).contains(&self.stall)
    }
}

/// A program, without a header.
pub(super) enum Program {
    Text(String),
    /// Its bundles, or what the assembler refuses.
    Words(Result<Vec<u64>, String>),
}

/// What lines become.
enum Writer {
    /// A text, and the last lines of it.
    Text(String, Out),
    Words(Encoder),
}

/// An instruction that has not signalled its barrier yet.
struct Pending {
    barrier: u8,
    reads: SmallVec<[Place; 4]>,
    writes: SmallVec<[Place; 4]>,
}

/// Lines with their control bits, written while they are made.
pub(super) struct Schedule {
    writer: Writer,
    pending: Vec<Pending>,
    ready: Ready,
    /// The time of the instruction that is looked at.
    now: u32,
    /// The last instruction by its place among the lines, which what comes next may still hold up.
    last: Option<(usize, Bits)>,
    /// Barriers that may be open on some way to a label.
    carried: u8,
    next_barrier: u8,
    /// How many instructions there are.
    pub(super) instructions: usize,
}

impl Schedule {
    /// `statements`: how many lines are expected.
    pub(super) fn new(statements: usize, encoding: Encoding) -> Schedule {
        let writer = match encoding {
            Encoding::Text => Writer::Text(String::with_capacity(statements * BYTES), Out::with_capacity(64 * WAITING)),
            Encoding::Words => Writer::Words(Encoder::new(statements)),
        };
        Schedule {
            writer,
            pending: Vec::new(),
            ready: Ready::default(),
            now: 0,
            last: None,
            carried: 0,
            next_barrier: 0,
            instructions: 0,
        }
    }

    /// The program, and how many instructions it has.
    pub(super) fn finish(mut self, mut lines: Vec<Line>) -> (Program, usize) {
        self.add(&mut lines);
        self.write_last(&lines);
        let program = match self.writer {
            Writer::Text(mut text, out) => {
                text.push_str(out.as_str());
                Program::Text(text)
            }
            Writer::Words(encoder) => Program::Words(encoder.finish()),
        };
        (program, self.instructions)
    }

    /// Writes lines; the last instruction is left there, and what comes next stands behind it.
    pub(super) fn add(&mut self, lines: &mut Vec<Line>) {
        let from = usize::from(self.last.is_some());
        for (n, line) in lines.iter().enumerate().skip(from) {
            match line {
                Line::Code(code) => {
                    let bits = self.bits(code);
                    self.write_last(lines);
                    self.last = Some((n, bits));
                    self.instructions += 1;
                }
                Line::Label(number) => {
                    // Whoever falls into it has waited, and whoever jumps has as well.
                    self.hold(self.ready.latest);
                    self.ready = Ready::default();
                    self.carried |= self.pending.drain(..).fold(0, |mask, one| mask | 1 << one.barrier);
                    self.write_last(lines);
                    match &mut self.writer {
                        Writer::Text(_, out) => out.line(|line| {
                            line.char(b'L');
                            line.decimal(u64::from(*number));
                            line.short(&Short::new(":\n"));
                        }),
                        Writer::Words(encoder) => encoder.label(*number),
                    }
                }
            }
        }
        if let Writer::Text(text, out) = &mut self.writer {
            text.push_str(out.as_str());
            out.clear();
        }
        match &mut self.last {
            Some((at, _)) => {
                lines.drain(..std::mem::take(at));
            }
            None => lines.clear(),
        }
    }

    /// Writes the last instruction, if it has not been.
    fn write_last(&mut self, lines: &[Line]) {
        let Some((at, bits)) = self.last.take() else { return };
        let Some(Line::Code(code)) = lines.get(at) else { return };
        match &mut self.writer {
            Writer::Text(_, out) => out.line(|line| put_line(line, code, &bits)),
            Writer::Words(encoder) => encoder.push(code, &bits),
        }
    }

    /// The bits of an instruction behind the last one.
    fn bits(&mut self, code: &Code) -> Bits {
        let is_control = matches!(code.timing, Timing::Control | Timing::Exit);
        let wanted = match is_control {
            true => self.ready.latest,
            false => code.reads().chain(code.writes()).map(|place| self.ready.of(place)).max().unwrap_or(0),
        };
        self.hold(wanted);
        let mut waits = std::mem::take(&mut self.carried);
        self.pending.retain(|one| {
            let waits_for = is_control
                || code.reads().any(|place| one.writes.contains(&place))
                || code.writes().any(|place| one.writes.contains(&place) || one.reads.contains(&place));
            if waits_for {
                waits |= 1 << one.barrier;
            }
            !waits_for
        });
        let stall = match code.timing {
            Timing::Fixed => 1,
            Timing::Slow => SIGNAL,
            Timing::Exit => EXIT,
            Timing::Control => JUMP,
        };
        let mut signals = None;
        if code.timing == Timing::Slow {
            // The one that has been free for longest; what uses it still is awaited.
            let mut free = (0..BARRIERS).map(|k| (self.next_barrier + k) % BARRIERS);
            let barrier = free
                .find(|barrier| self.pending.iter().all(|one| one.barrier != *barrier))
                .unwrap_or(self.next_barrier % BARRIERS);
            self.pending.retain(|one| {
                if one.barrier == barrier {
                    waits |= 1 << barrier;
                }
                one.barrier != barrier
            });
            self.next_barrier = (barrier + 1) % BARRIERS;
            signals = Some(barrier);
            self.pending.push(Pending { barrier, reads: code.reads().collect(), writes: code.writes().collect() });
        }
        if code.timing == Timing::Fixed {
            for place in code.writes() {
                let latency = if matches!(place, Place::Predicate(_)) { PREDICATE } else { WORD };
                self.ready.set(place, self.now + latency);
            }
        }
        self.now += stall;
        Bits { waits, signals, stall }
    }

    /// Holds up what comes next until a time, by the instruction before it.
    fn hold(&mut self, until: u32) {
        let missing = until.saturating_sub(self.now);
        if let Some((_, last)) = &mut self.last
            && missing > 0
        {
            let longer = (last.stall + missing).min(MOST - 1);
            self.now += longer.saturating_sub(last.stall);
            last.stall = last.stall.max(longer);
        }
    }
}

/// A line with its control bits.
#[inline]
fn put_line(line: &mut Cursor<'_>, code: &Code, bits: &Bits) {
    line.short(const { &Short::new("    ") });
    code.write(line);
    if bits.waits != 0 {
        let mut before = const { Short::new(" &req={") };
        for barrier in (0..BARRIERS).rev().filter(|n| bits.waits >> n & 1 != 0) {
            line.short(&before);
            line.char(b'0' + barrier);
            before = const { Short::new(",") };
        }
        line.char(b'}');
    }
    if let Some(barrier) = bits.signals {
        // What has no result signals that its sources were read.
        let (wr, rd) = const { (Short::new(" &wr="), Short::new(" &rd=")) };
        line.short(if code.writes().next().is_none() { &rd } else { &wr });
        line.char(b'0' + barrier);
    }
    let (yields, stall) = const { (Short::new(" ?yield"), Short::new(" ?stall")) };
    line.short(if bits.yields() { &yields } else { &stall });
    line.decimal(bits.stall.into());
    line.char(b'\n');
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
