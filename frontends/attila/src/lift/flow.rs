//! Blocks and the edges between them.

use super::Ctx;
use crate::control_flow::{Effects, Reach, Terminator};
use crate::{instr::Instr, program::Program};
use parallax_core::{OpKind, ValueId};
use parallax_lift::Lifter;
use parallax_lift::structure::{Blocks, Successors};
use parallax_num::Op;
use std::ops::Range;

/// A program cut into blocks.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Instructions of each block, the jump that ends it included.
    blocks: Vec<Range<usize>>,
    pub(super) successors: Vec<Successors>,
    /// Which instructions can be reached.
    reached: Vec<bool>,
    /// What they do.
    pub(super) effects: Effects,
}

impl Flow {
    /// Cuts a program whose jumps stay inside. What is never reached is left out.
    pub(super) fn of(program: &Program, reach: Reach) -> Flow {
        let Reach { reached, terminators, effects } = reach;
        let count = program.instrs.len();
        let inside = |target: i64| usize::try_from(target).map_or(count, |target| target.min(count));
        let mut leads = vec![false; count + 1];
        leads[0] = true;
        leads[count] = true;
        for &(n, terminator) in &terminators {
            if let Terminator::Jump(target) | Terminator::Branch(target) = terminator {
                leads[inside(target)] = true;
            }
            leads[n + 1] = true;
        }
        let starts: Vec<usize> = (0..count).filter(|n| leads[*n] && reached[*n]).collect();
        let mut block_of = vec![starts.len(); count + 1];
        for (block, &start) in starts.iter().enumerate() {
            block_of[start] = block;
        }
        let mut flow = Flow {
            blocks: Vec::with_capacity(starts.len() + 1),
            successors: Vec::with_capacity(starts.len() + 1),
            reached,
            effects,
        };
        let mut terminators = terminators.into_iter().peekable();
        for (block, &start) in starts.iter().enumerate() {
            let end = (start + 1..count).find(|n| leads[*n]).unwrap_or(count);
            flow.blocks.push(start..end);
            // A terminator ends its block.
            let terminator = terminators.next_if(|(at, _)| *at + 1 == end).map_or(Terminator::Next, |(_, t)| t);
            flow.successors.push(match terminator {
                Terminator::End => Successors::End,
                Terminator::Next => Successors::Goto(block + 1),
                Terminator::Jump(target) => Successors::Goto(block_of[inside(target)]),
                Terminator::Branch(target) => Successors::Branch { then: block_of[inside(target)], other: block + 1 },
            });
        }
        // Behind the last instruction stands a block of none, which ends the program.
        flow.blocks.push(count..count);
        flow.successors.push(Successors::End);
        flow
    }

    /// The instructions that can be reached.
    pub(super) fn instrs<'p>(&self, program: &'p Program) -> impl Iterator<Item = &'p Instr> {
        program.instrs.iter().zip(&self.reached).filter_map(|(instr, reached)| reached.then_some(instr))
    }
}

impl<'f> Blocks<'f> for Ctx<'_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.l
    }

    fn begin_loop(&mut self, block: usize) {
        let first = self.flow.blocks[block].start;
        self.begin(first);
    }

    fn block(&mut self, block: usize) {
        for n in self.flow.blocks[block].clone() {
            let instr = self.program.instrs[n];
            self.begin(n);
            self.instruction(&instr);
        }
    }

    fn condition(&mut self, block: usize) -> ValueId {
        let Some(jump) = self.flow.blocks[block].clone().last() else { return self.l.b.pred(false) };
        let instr = self.program.instrs[jump];
        self.begin(jump);
        self.index = None;
        let mut pred = self.boolean(&instr, 0);
        if self.settings.full_predication
            && let Some(guard) = self.guard_of(&instr)
        {
            pred = self.l.b.int(Op::Pand, &[guard, pred]);
        }
        if self.single() { pred } else { self.l.b.quad(OpKind::QuadAll, pred) }
    }
}
