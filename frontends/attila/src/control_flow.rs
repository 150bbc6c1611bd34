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
        Terminator::with(program, n, program.instrs[n].sem())
    }

    /// The same where it is known what the instruction does.
    #[inline]
    fn with(program: &Program, n: usize, sem: Option<Sem>) -> Terminator {
        let instr = &program.instrs[n];
        // The assembler sets the end flag of a text's last instruction.
        if instr.end_flag() || program.ends_itself && n + 1 == program.instrs.len() {
            return Terminator::End;
        }
        match sem {
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
    /// What some instruction that is reached does.
    pub(crate) effects: Effects,
}

/// What a program does to its pixel besides writing colours.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Effects {
    /// Whether it kills a sample by name.
    pub(crate) kills_sample: bool,
    /// Whether it goes on to a next sample.
    pub(crate) changes_sample: bool,
    /// Whether it exports a depth.
    pub(crate) exports_depth: bool,
    /// Whether it exports the depths of several samples.
    pub(crate) exports_depths: bool,
}

impl Effects {
    #[inline]
    fn add(&mut self, sem: Option<Sem>) {
        match sem {
            Some(Sem::KillSample) => self.kills_sample = true,
            Some(Sem::NextSample) => self.changes_sample = true,
            Some(Sem::ExportDepth) => self.exports_depth = true,
            Some(Sem::ExportSampleDepths) => self.exports_depths = true,
            _ => {}
        }
    }
}

impl Reach {
    /// That of a program.
    pub(crate) fn of(program: &Program) -> Reach {
        let mut reached = vec![false; program.instrs.len()];
        let (mut terminators, mut effects) = (Vec::new(), Effects::default());
        let mut work = vec![0];
        while let Some(mut at) = work.pop() {
            while let Some(seen) = reached.get_mut(at).filter(|seen| !**seen) {
                *seen = true;
                let sem = program.instrs[at].sem();
                effects.add(sem);
                let terminator = Terminator::with(program, at, sem);
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
        Reach { reached, terminators, effects }
    }

    /// As if control reached every instruction.
    pub(crate) fn everything(program: &Program) -> Reach {
        let mut effects = Effects::default();
        program.instrs.iter().for_each(|instr| effects.add(instr.sem()));
        let all = (0..program.instrs.len()).map(|n| (n, Terminator::of(program, n)));
        Reach {
            reached: vec![true; program.instrs.len()],
            terminators: all.filter(|t| t.1 != Terminator::Next).collect(),
            effects,
        }
    }
}
