//! The control-flow graph: the successors of each instruction, and so which instructions are ever reached.

use crate::{instr::Condition, program::Program, sem::Sem};

/// How an instruction hands on control. Targets may lie outside the program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    /// The program ends, even where a jump is taken.
    End,
    /// To the next one.
    Next,
    /// To the instruction of this number.
    Jump(i64),
    /// To the instruction of this number, or the next one.
    Branch(i64),
}

impl Terminator {
    /// That of instruction `n`.
    ///
    /// # Panics
    /// If there is no such instruction.
    #[inline]
    pub(crate) fn of(program: &Program, n: usize) -> Terminator {
        let instr = &program.instrs[n];
        // The assembler sets the end flag of a text's last instruction.
        if instr.end_flag() || program.ends_itself && n + 1 == program.instrs.len() {
            return Terminator::End;
        }
        match instr.sem() {
            Some(Sem::End) => Terminator::End,
            Some(Sem::Jump) => {
                let target = n as i64 + i64::from(instr.distance());
                match (instr.condition(0), instr.guard()) {
                    (Condition::Literal(false), _) => Terminator::Next,
                    (Condition::Literal(true), None) => Terminator::Jump(target),
                    // Guards hold back jumps only on request.
                    _ => Terminator::Branch(target),
                }
            }
            _ => Terminator::Next,
        }
    }
}

/// What control can reach from the first instruction on.
pub(crate) struct Reach {
    /// Whether it reaches an instruction.
    pub(crate) reached: Vec<bool>,
    /// Those from which it does not just go on, in order.
    pub(crate) terminators: Vec<(usize, Terminator)>,
}

impl Reach {
    /// That of a program.
    pub(crate) fn of(program: &Program) -> Reach {
        let mut reached = vec![false; program.instrs.len()];
        let mut terminators = Vec::new();
        let mut work = vec![0];
        while let Some(mut at) = work.pop() {
            while let Some(seen) = reached.get_mut(at).filter(|seen| !**seen) {
                *seen = true;
                let terminator = Terminator::of(program, at);
                if terminator != Terminator::Next {
                    terminators.push((at, terminator));
                }
                if let Terminator::Jump(target) | Terminator::Branch(target) = terminator {
                    work.extend(usize::try_from(target));
                }
                if matches!(terminator, Terminator::End | Terminator::Jump(_)) {
                    break;
                }
                at += 1;
            }
        }
        terminators.sort_unstable_by_key(|(at, _)| *at);
        Reach { reached, terminators }
    }

    /// As if control reached every instruction.
    pub(crate) fn everything(program: &Program) -> Reach {
        let all = (0..program.instrs.len()).map(|n| (n, Terminator::of(program, n)));
        Reach {
            reached: vec![true; program.instrs.len()],
            terminators: all.filter(|t| t.1 != Terminator::Next).collect(),
        }
    }
}
