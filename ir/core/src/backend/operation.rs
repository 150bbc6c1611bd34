//! One operation over rows of lanes.

use super::{Executable, Runner};
use crate::exec::{Inputs, Memory, NoInterpolator, NoTextures, Outputs, Plane};
use parallax_num::Op;
use std::sync::Arc;

/// An operation under a rule, prepared by a backend ([`super::Backend::operation`]).
#[derive(Clone, Debug)]
pub struct Operation {
    program: Arc<dyn Executable>,
    operands: usize,
}

/// Most lanes of a batch.
const BATCH: usize = 512;

impl Operation {
    /// From a program whose attribute n is operand n: its 32 bits, or of 64 the lower ones, component x, the upper ones
    /// component y. The pattern of the result is component x of output 0.
    pub fn new(op: Op, program: Arc<dyn Executable>) -> Operation {
        Operation { program, operands: op.info().args.len() }
    }

    /// Something that runs it, with working memory of its own: one per thread.
    pub fn runner(&self) -> OperationRunner<'_> {
        let operands = self.operands;
        OperationRunner { runner: self.program.runner(), operands, attrs: Vec::new(), outputs: Outputs::default() }
    }
}

/// Runs an [`Operation`].
pub struct OperationRunner<'a> {
    runner: Box<dyn Runner + 'a>,
    operands: usize,
    attrs: Vec<u32>,
    outputs: Outputs,
}

impl OperationRunner<'_> {
    /// Evaluates lanes, whose number is a multiple of 4, in one batch. `fill` is given, for each operand, the row of its words' lower
    /// halves and that of the upper ones, which count where an operand has 64 bits. The plane is that of the results.
    pub fn run_rows(&mut self, lanes: usize, mut fill: impl FnMut(usize, &mut [u32], &mut [u32])) -> &Plane {
        const NONE: &Plane = &Plane::U8(Vec::new());
        self.attrs.resize(self.operands * 4 * lanes, 0);
        for (n, planes) in self.attrs.chunks_exact_mut((4 * lanes).max(1)).enumerate() {
            let (low, high) = planes.split_at_mut(lanes);
            fill(n, low, &mut high[..lanes]);
        }
        let all = [true; BATCH];
        let many;
        let covered = match all.get(..lanes) {
            Some(all) => all,
            None => {
                many = vec![true; lanes];
                &many
            }
        };
        let inputs = Inputs {
            lanes,
            attrs: &self.attrs,
            banks: &[],
            sysvals: &[],
            covered,
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: 0,
        };
        self.runner.run(&inputs, Memory::NONE, &mut self.outputs);
        self.outputs.planes.first().unwrap_or(NONE)
    }

    /// Evaluates every lane, as [`parallax_num::eval`] does: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&mut self, args: &[&[u64]], out: &mut [u64]) {
        let mut at = 0;
        for out in out.chunks_mut(BATCH) {
            // Whole quads; what fills up the last one is nobody's.
            let lanes = out.len().next_multiple_of(4);
            self.attrs.resize(self.operands * 4 * lanes, 0);
            for (row, planes) in args.iter().zip(self.attrs.chunks_exact_mut(4 * lanes)) {
                let (low, high) = planes.split_at_mut(lanes);
                for ((word, low), high) in row[at..at + out.len()].iter().zip(low).zip(high) {
                    (*low, *high) = (*word as u32, (*word >> 32) as u32);
                }
            }
            let inputs = Inputs {
                lanes,
                attrs: &self.attrs,
                banks: &[],
                sysvals: &[],
                covered: &[true; BATCH][..lanes],
                textures: &NoTextures,
                interpolator: &NoInterpolator,
                fuel: 0,
            };
            self.runner.run(&inputs, Memory::NONE, &mut self.outputs);
            match self.outputs.planes.first() {
                Some(Plane::U32(words)) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word.into()),
                Some(Plane::U64(words)) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word),
                // Results are patterns of 32 or 64 bits.
                _ => out.fill(0),
            }
            at += out.len();
        }
    }
}
