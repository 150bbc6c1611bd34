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

/// What control can reach from the first instruction on.
pub(crate) struct Reach {
    /// Whether it reaches an instruction.
    pub(crate) reached: Vec<bool>,
    /// Those from which it does not just go on, in order.
    pub(crate) turns: Vec<(usize, Next)>,
}

impl Reach {
    /// That of a program.
    pub(crate) fn of(program: &Program) -> Reach {
        let mut reached = vec![false; program.instrs.len()];
        let mut turns = Vec::new();
        let mut work = vec![0];
        while let Some(mut at) = work.pop() {
            while let Some(seen) = reached.get_mut(at).filter(|seen| !**seen) {
                *seen = true;
                let next = Next::of(program, at);
                if next != Next::On {
                    turns.push((at, next));
                }
                if let Next::To(target) | Next::Either(target) = next {
                    work.extend(usize::try_from(target));
                }
                if matches!(next, Next::End | Next::To(_)) {
                    break;
                }
                at += 1;
            }
        }
        turns.sort_unstable_by_key(|(at, _)| *at);
        Reach { reached, turns }
    }

    /// As if control reached every instruction.
    pub(crate) fn everything(program: &Program) -> Reach {
        let all = (0..program.instrs.len()).map(|n| (n, Next::of(program, n)));
        Reach { reached: vec![true; program.instrs.len()], turns: all.filter(|turn| turn.1 != Next::On).collect() }
    }
}
