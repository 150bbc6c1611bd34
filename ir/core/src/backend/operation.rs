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
        OperationRunner { runner: self.program.runner(), operands: self.operands, rows: OperandRows::default() }
    }
}

/// The operands of lanes, of which several operations may be evaluated.
#[derive(Debug, Default)]
pub struct OperandRows {
    lanes: usize,
    attrs: Vec<u32>,
    covered: Vec<bool>,
    outputs: Outputs,
}

impl OperandRows {
    /// Sets the operands of lanes, whose number is a multiple of 4. `fill` is given, for each operand, the row of its words' lower
    /// halves and that of the upper ones, which count where an operand has 64 bits.
    pub fn set(&mut self, operands: usize, lanes: usize, mut fill: impl FnMut(usize, &mut [u32], &mut [u32])) {
        self.lanes = lanes;
        self.covered.resize(lanes, true);
        self.attrs.resize(operands * 4 * lanes, 0);
        for (n, planes) in self.attrs.chunks_exact_mut((4 * lanes).max(1)).enumerate() {
            let (low, high) = planes.split_at_mut(lanes);
            fill(n, low, &mut high[..lanes]);
        }
    }

    /// Sets the operands of some lanes, which are these of the rows; quads are filled up with zeros.
    pub fn set_words(&mut self, args: &[&[u64]], lanes: impl ExactSizeIterator<Item = usize> + Clone) {
        let count = lanes.len();
        self.set(args.len(), count.next_multiple_of(4), |n, low, high| {
            for ((lane, low), high) in lanes.clone().zip(&mut *low).zip(&mut *high) {
                let word = args[n][lane];
                (*low, *high) = (word as u32, (word >> 32) as u32);
            }
            low[count..].fill(0);
            high[count..].fill(0);
        });
    }

    /// The results of an operation that has so many operands.
    pub fn run(&mut self, operation: &Operation) -> &Plane {
        self.run_by(&mut *operation.program.runner())
    }

    fn run_by(&mut self, runner: &mut (dyn Runner + '_)) -> &Plane {
        const NONE: &Plane = &Plane::U8(Vec::new());
        let inputs = Inputs {
            lanes: self.lanes,
            attrs: &self.attrs,
            banks: &[],
            sysvals: &[],
            covered: &self.covered,
            textures: &NoTextures,
            interpolator: &NoInterpolator,
            fuel: 0,
        };
        runner.run(&inputs, Memory::NONE, &mut self.outputs);
        self.outputs.planes.first().unwrap_or(NONE)
    }
}

/// Runs an [`Operation`].
pub struct OperationRunner<'a> {
    runner: Box<dyn Runner + 'a>,
    operands: usize,
    rows: OperandRows,
}

impl OperationRunner<'_> {
    /// Evaluates lanes in one batch, as [`OperandRows::set`] is given them. The plane is that of the results.
    pub fn run_rows(&mut self, lanes: usize, fill: impl FnMut(usize, &mut [u32], &mut [u32])) -> &Plane {
        self.rows.set(self.operands, lanes, fill);
        self.rows.run_by(&mut *self.runner)
    }

    /// Evaluates every lane, as [`parallax_num::eval`] does: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&mut self, args: &[&[u64]], out: &mut [u64]) {
        let mut at = 0;
        for out in out.chunks_mut(BATCH) {
            self.rows.set_words(&args[..self.operands], at..at + out.len());
            match self.rows.run_by(&mut *self.runner) {
                Plane::U32(words) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word.into()),
                Plane::U64(words) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word),
                // Results are patterns of 32 or 64 bits.
                _ => out.fill(0),
            }
            at += out.len();
        }
    }
}
