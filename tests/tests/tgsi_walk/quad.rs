//! The walk of a quad whose lanes ask each other: all go through the program together, those that left wait where they went.
//!
//! Lanes meet again where a branch, loop, switch or subroutine ends, and those that continue a loop at its next round.

use crate::tgsi_walk::machine::{Held, Lane, Machine};
use crate::tgsi_walk::opcodes::Compute;
use crate::tgsi_walk::program::*;

/// Lanes of a quad.
pub(crate) type Quad = [Lane; 4];
/// A flag for each lane.
type Mask = [bool; 4];

const NOBODY: Mask = [false; 4];

/// Lanes that left for the end of something further out, or for its next round.
#[derive(Default)]
struct Left {
    broke: Mask,
    continued: Mask,
    returned: Mask,
}

fn both(a: Mask, b: Mask) -> Mask {
    [0, 1, 2, 3].map(|lane| a[lane] && b[lane])
}

fn either(a: Mask, b: Mask) -> Mask {
    [0, 1, 2, 3].map(|lane| a[lane] || b[lane])
}

impl Machine<'_> {
    /// Walks a quad from beginning to end.
    pub(crate) fn walk_quad(&self, quad: &mut Quad) {
        self.block_of_quad(quad, &self.program.body, [true; 4], &mut Left::default());
    }

    /// Walks the quads of a workgroup: each goes on until the next barrier of the main program, then the next one does.
    pub(crate) fn walk_group(&self, quads: &mut [Quad]) {
        for part in self.program.body.split(|stmt| matches!(stmt, Stmt::Barrier)) {
            for quad in &mut *quads {
                self.block_of_quad(quad, part, [true; 4], &mut Left::default());
            }
        }
    }

    /// The lanes that go on behind a block.
    fn block_of_quad(&self, quad: &mut Quad, body: &[Stmt], mut active: Mask, left: &mut Left) -> Mask {
        for stmt in body {
            if active == NOBODY {
                break;
            }
            active = self.stmt_of_quad(quad, stmt, active, left);
        }
        active
    }

    fn stmt_of_quad(&self, quad: &mut Quad, stmt: &Stmt, active: Mask, left: &mut Left) -> Mask {
        match stmt {
            Stmt::Instr(instr) => self.instr_of_quad(quad, instr, active),
            Stmt::If { bits, condition, then, other } => {
                let holds = quad.each_ref().map(|lane| self.holds(lane, condition, *bits));
                let ends = self.block_of_quad(quad, then, both(active, holds), left);
                let otherwise = both(active, holds.map(|holds| !holds));
                let other = other.as_deref().unwrap_or_default();
                return either(ends, self.block_of_quad(quad, other, otherwise, left));
            }
            Stmt::Loop(body) => {
                let (mut running, mut inner) = (active, Left::default());
                while running != NOBODY {
                    inner.continued = NOBODY;
                    let ends = self.block_of_quad(quad, body, running, &mut inner);
                    running = either(ends, inner.continued);
                }
                left.returned = either(left.returned, inner.returned);
                return inner.broke;
            }
            Stmt::Switch { value, arms, .. } => {
                let entries = quad.each_ref().map(|lane| self.entry(lane, value, arms));
                let (mut inside, mut inner) = (NOBODY, Left::default());
                for (n, arm) in arms.iter().enumerate() {
                    let enters = entries.map(|entry| entry == Some(n));
                    inside = either(inside, both(active, enters));
                    inside = self.block_of_quad(quad, &arm.body, inside, &mut inner);
                }
                left.continued = either(left.continued, inner.continued);
                left.returned = either(left.returned, inner.returned);
                let passes = both(active, entries.map(|entry| entry.is_none()));
                return either(passes, either(inside, inner.broke));
            }
            Stmt::Break => {
                left.broke = either(left.broke, active);
                return NOBODY;
            }
            Stmt::Continue => {
                left.continued = either(left.continued, active);
                return NOBODY;
            }
            Stmt::Return => {
                left.returned = either(left.returned, active);
                return NOBODY;
            }
            Stmt::Call(sub) => {
                let mut inner = Left::default();
                let ends = self.block_of_quad(quad, &self.program.subs[*sub], active, &mut inner);
                return either(ends, inner.returned);
            }
            Stmt::Kill | Stmt::KillIf(_) => {
                let lanes = quad.iter_mut().zip(active).filter(|(_, active)| *active);
                lanes.for_each(|(lane, _)| self.kill(lane, stmt));
            }
            Stmt::Access(access) => self.access(quad, access, active),
            Stmt::Barrier => unreachable!("a barrier inside of a quad"),
        }
        active
    }

    fn instr_of_quad(&self, quad: &mut Quad, instr: &Instr, active: Mask) {
        // Everything is read before anything is written.
        let before = quad.clone();
        for lane in (0..4).filter(|lane| active[*lane]) {
            match instr.opcode.1 {
                Compute::AnyLane | Compute::AllLanes | Compute::SameInLanes | Compute::Ballot | Compute::FirstLane => {
                    self.count(if active == [true; 4] { "asked all" } else { "asked some" });
                    let results = [0, 1, 2, 3].map(|comp| self.asked(&before, instr, active, comp));
                    self.write(&mut quad[lane], &instr.dst, results);
                }
                _ => self.instr(&mut quad[lane], instr),
            }
        }
    }

    /// What the lanes that run tell each other.
    fn asked(&self, quad: &Quad, instr: &Instr, active: Mask, comp: usize) -> Held {
        let source = &instr.sources[0];
        let running = || (0..4).filter(|lane| active[*lane]);
        let x = |lane: usize| self.integer(&quad[lane], source, 0);
        let first = running().next().unwrap_or(0);
        let all_ones = |holds: bool| Held::value(if holds { u32::MAX } else { 0 });
        match instr.opcode.1 {
            Compute::AnyLane => all_ones(running().any(|lane| x(lane) != 0)),
            Compute::AllLanes => all_ones(running().all(|lane| x(lane) != 0)),
            Compute::SameInLanes => all_ones(running().all(|lane| x(lane) == x(first))),
            Compute::Ballot if comp > 0 => Held::value(0),
            Compute::Ballot => Held::value(running().map(|lane| u32::from(x(lane) != 0) << lane).sum()),
            _ => self.moved(&quad[first], source, comp, b'I'),
        }
    }
}
