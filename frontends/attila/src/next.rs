//! Where control goes behind an instruction, and so which instructions are ever reached.

use crate::{Condition, Program, Sem};

/// Where control goes behind an instruction. Targets may lie outside the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The program ends, even where a jump is taken.
    End,
    /// To the next one.
    On,
    /// To the instruction of this number.
    To(i64),
    /// To the instruction of this number, or the next one.
    Either(i64),
}

impl Next {
    /// That of instruction `n`.
    ///
    /// # Panics
    /// If there is no such instruction.
    #[inline]
    pub(crate) fn of(program: &Program, n: usize) -> Next {
        let instr = &program.instrs[n];
        // The assembler sets the end flag of a text's last instruction.
        if instr.end_flag() || program.ends_itself && n + 1 == program.instrs.len() {
            return Next::End;
        }
        match instr.sem() {
            Some(Sem::End) => Next::End,
            Some(Sem::Jump) => {
                let target = n as i64 + i64::from(instr.distance());
                match (instr.condition(0), instr.guard()) {
                    (Condition::Literal(false), _) => Next::On,
                    (Condition::Literal(true), None) => Next::To(target),
                    // Guards hold back jumps only on request.
                    _ => Next::Either(target),
                }
            }
            _ => Next::On,
        }
    }
}

/// Which instructions control can reach from the first one.
pub(crate) fn reached(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.instrs.len()];
    let mut work = vec![0];
    while let Some(mut at) = work.pop() {
        while let Some(seen) = reached.get_mut(at).filter(|seen| !**seen) {
            *seen = true;
            let (on, target) = match Next::of(program, at) {
                Next::End => break,
                Next::On => (true, None),
                Next::To(target) => (false, Some(target)),
                Next::Either(target) => (true, Some(target)),
            };
            work.extend(target.and_then(|target| usize::try_from(target).ok()));
            if !on {
                break;
            }
            at += 1;
        }
    }
    reached
}
