//! Where the state of the processor changes: how it rounds, and whether it flushes tiny results.
//!
//! Most shaders want one state everywhere; the one most asked for is that of labels and jumps, and between them it changes
//! where an instruction asks for another.

use crate::form::{Function, Inst, Op, Site, Stream};
use parallax_step::{Direction, Mode, Prim, Ty};

/// Where a machine looks for the direction of rounding.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Directions {
    /// In the instruction: the state is about flushing alone.
    Instruction,
    /// In its state.
    State,
}

/// What an instruction asks of the state: a direction, and flushing unless it is all the same.
pub(crate) fn wanted(op: Op, sites: &[Site], directions: Directions) -> Option<(Direction, Option<bool>)> {
    let (prim, ty, imm) = match op {
        Op::Step(prim, ty, imm, _) => (prim, ty, imm),
        // Lookups are plain arithmetic under every model.
        Op::Call(site) => {
            return sites[site as usize].lookup().map(|_| (Direction::Nearest, Some(false)));
        }
        _ => return None,
    };
    let mode = Mode::from_word(imm).unwrap_or(Mode::PLAIN);
    let (direction, flush) = match prim {
        Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fmulz | Prim::Fdiv | Prim::Fma | Prim::Narrow => {
            (mode.direction, Some(mode.flush))
        }
        // No root and no integer is tiny.
        Prim::Fsqrt => (mode.direction, None),
        Prim::FromInt if ty == Ty::F32 => (mode.direction, None),
        Prim::FaddOdd => (Direction::Nearest, Some(false)),
        _ => return None,
    };
    match directions {
        Directions::State => Some((direction, flush)),
        Directions::Instruction => Some((Direction::Nearest, Some(flush?))),
    }
}

/// What the instructions of a function ask for.
struct RequestedModes {
    /// How often each state is.
    counts: [usize; 8],
    /// A bit for each direction in which it is all the same whether tiny results are flushed.
    directions: u8,
}

impl RequestedModes {
    fn of(function: &Function, directions: Directions) -> RequestedModes {
        let mut asked = RequestedModes { counts: [0; 8], directions: 0 };
        for inst in function.prologue.code.iter().chain(&function.body.code) {
            match wanted(inst.op, &function.sites, directions) {
                Some((direction, Some(flush))) => asked.counts[Mode { direction, flush }.word() as usize] += 1,
                Some((direction, None)) => asked.directions |= 1 << direction as u8,
                None => {}
            }
        }
        asked
    }

    /// The state most asked for, of several the plainest.
    fn usual(&self) -> Mode {
        let most = (0..self.counts.len()).rev().max_by_key(|&word| self.counts[word]).unwrap_or(0);
        Mode::from_word(most as u64).unwrap_or(Mode::PLAIN)
    }

    /// Whether that state does everywhere.
    fn is_one(&self) -> bool {
        let usual = self.usual();
        let others = self.counts.iter().enumerate().filter(|&(word, &count)| word as u64 != usual.word() && count > 0);
        others.count() == 0 && self.directions & !(1 << usual.direction as u8) == 0
    }
}

/// Says which state of the processor is usual: the one most asked for. Whether it does everywhere: then there are none to place.
pub fn choose_mode(function: &mut Function, directions: Directions) -> bool {
    let asked = RequestedModes::of(function, directions);
    function.mode = asked.usual();
    asked.is_one()
}

/// Puts [`Op::Mode`] where the state changes, and says which one is usual.
pub fn place_modes(function: &mut Function, directions: Directions) {
    if choose_mode(function, directions) {
        return;
    }
    for stream in [&mut function.prologue, &mut function.body] {
        place(stream, &function.sites, function.mode, directions);
    }
}

fn place(stream: &mut Stream, sites: &[Site], usual: Mode, directions: Directions) {
    let is_usual = |op: Op| match wanted(op, sites, directions) {
        Some((direction, flush)) => direction == usual.direction && flush.is_none_or(|flush| flush == usual.flush),
        None => true,
    };
    if stream.code.iter().all(|inst| is_usual(inst.op)) {
        return;
    }
    let mut placed: Vec<Inst> = Vec::with_capacity(stream.code.len());
    let mut state = usual;
    for &inst in &stream.code {
        let asked = match wanted(inst.op, sites, directions) {
            _ if inst.op.is_jump() => usual,
            Some((direction, flush)) => Mode { direction, flush: flush.unwrap_or(state.flush) },
            None => state,
        };
        if asked != state {
            placed.push(Stream::bare(Op::Mode(asked), inst.origin));
            state = asked;
        }
        placed.push(inst);
    }
    if state != usual {
        let origin = placed.last().map_or(0, |inst| inst.origin);
        placed.push(Stream::bare(Op::Mode(usual), origin));
    }
    stream.set_code(placed);
}
