//! Blocks and the ways between them.

use super::Ctx;
use crate::{Condition, Program, Sem};
use parallax_core::{OpKind, ValueId};
use parallax_lift::Lifter;
use parallax_lift::structure::{Blocks, Way};
use parallax_num::Op;
use std::ops::Range;

/// A program cut into blocks.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Instructions of each block, the jump that ends it included.
    blocks: Vec<Range<usize>>,
    pub(super) ways: Vec<Way>,
}

impl Flow {
    /// Cuts a program whose jumps stay inside.
    pub(super) fn of(program: &Program) -> Flow {
        let instrs = &program.instrs;
        let count = instrs.len();
        let mut leads = vec![false; count + 1];
        leads[0] = true;
        leads[count] = true;
        for (n, instr) in instrs.iter().enumerate() {
            let jumps = instr.sem() == Some(Sem::Jump);
            if jumps && let Some(lead) = leads.get_mut(target(program, n)) {
                *lead = true;
            }
            if jumps || instr.end_flag() || instr.sem() == Some(Sem::End) {
                leads[n + 1] = true;
            }
        }
        let starts: Vec<usize> = (0..count).filter(|n| leads[*n]).collect();
        let mut block_of = vec![starts.len(); count + 1];
        for (block, &start) in starts.iter().enumerate() {
            block_of[start] = block;
        }
        let mut flow = Flow { blocks: Vec::with_capacity(starts.len()), ways: Vec::with_capacity(starts.len()) };
        for (block, &start) in starts.iter().enumerate() {
            let end = starts.get(block + 1).copied().unwrap_or(count);
            let last = &instrs[end - 1];
            let on = if end == count { Way::End } else { Way::Goto(block + 1) };
            let way = if last.end_flag() || last.sem() == Some(Sem::End) {
                Way::End
            } else if last.sem() == Some(Sem::Jump) {
                let to = block_of[target(program, end - 1).min(count)];
                match (last.condition(0), last.guard()) {
                    (Condition::Literal(true), None) => Way::Goto(to),
                    (Condition::Literal(false), _) => on,
                    // Behind the last instruction stands no block to go on with; the other way then ends the program.
                    _ if end == count => Way::Branch { then: to, other: starts.len() },
                    _ => Way::Branch { then: to, other: block + 1 },
                }
            } else {
                on
            };
            flow.blocks.push(start..end);
            flow.ways.push(way);
        }
        if flow.ways.iter().any(|w| matches!(w, Way::Branch { other, .. } if *other == starts.len())) {
            flow.blocks.push(count..count);
            flow.ways.push(Way::End);
        }
        flow
    }
}

/// Number of the instruction a jump leads to; beyond the program if it leads out of it.
fn target(program: &Program, jump: usize) -> usize {
    let at = jump as i64 + i64::from(program.instrs[jump].distance());
    usize::try_from(at).unwrap_or(usize::MAX)
}

impl<'f> Blocks<'f> for Ctx<'_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.l
    }

    fn block(&mut self, block: usize) {
        for n in self.flow.blocks[block].clone() {
            let instr = self.program.instrs[n];
            self.l.at(self.at.get(n).copied());
            self.instruction(&instr);
        }
    }

    fn condition(&mut self, block: usize) -> ValueId {
        let Some(jump) = self.flow.blocks[block].clone().last() else { return self.l.b.pred(false) };
        let instr = self.program.instrs[jump];
        self.l.at(self.at.get(jump).copied());
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
