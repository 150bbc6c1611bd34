//! What evaluates the operation under test.

use parallax_num::{Kernel, Op, Rule};

/// An operation under a rule, prepared for rows of lanes by somebody else than [`Kernel`]: the same results.
pub trait Prepared: Send + Sync {
    /// Something that runs it, with working memory of its own: one per thread.
    fn runner(&self) -> Box<dyn RunRows + '_>;
}

/// Evaluates rows of lanes.
pub trait RunRows {
    /// Evaluates every lane: `args[k][lane]` are the operands, lane words as [`Kernel::run`] takes them; all rows are as long as
    /// `out`.
    fn run(&mut self, args: &[&[u64]], out: &mut [u64]);
}

/// The operation of one thread.
pub(crate) enum Evaluator<'a> {
    Kernel(Box<Kernel>),
    Prepared(Box<dyn RunRows + 'a>),
}

impl<'a> Evaluator<'a> {
    /// By what was prepared, if anything was.
    pub(crate) fn new(prepared: Option<&'a dyn Prepared>, op: Op, rule: &Rule) -> Evaluator<'a> {
        match prepared {
            Some(prepared) => Evaluator::Prepared(prepared.runner()),
            None => Evaluator::Kernel(Box::new(Kernel::new(op, rule))),
        }
    }

    /// Evaluates the lanes of `out`, the first ones of the rows.
    pub(crate) fn run(&mut self, rows: &[Vec<u64>], out: &mut [u64]) {
        // The widest operation has eight operands.
        let mut args: [&[u64]; 8] = [&[]; 8];
        for (slot, row) in args.iter_mut().zip(rows) {
            *slot = &row[..out.len()];
        }
        let args = &args[..rows.len().min(8)];
        match self {
            Evaluator::Kernel(kernel) => kernel.run(args, out),
            Evaluator::Prepared(runner) => runner.run(args, out),
        }
    }
}
