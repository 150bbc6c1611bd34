//! Evaluation of one operation across a row of lanes.
//!
//! A fast path is chosen once, when the kernel is made. It computes a lane with host arithmetic where that is exactly
//! what the rule asks for and marks the lane where it might not be: NaN results (their bits belong to the rule),
//! denormals under a flushing rule, results too close to a rounding boundary. Marked lanes go through [`eval`].

mod again;
mod angle;
mod bits;
mod chain;
mod clamp;
mod domain;
mod double;
mod fixed;
mod gallivm;
mod host32;
mod host64;
mod lanes;
mod narrow;
mod newton;
mod nv_sfu;
mod programs;
mod reference;
mod row;
mod select;
mod steps;
mod wide;

pub(crate) use narrow::{half_to_f64, odd_sum};
pub use row::{Row, RowMut, Width};

use crate::eval::MAX_ARGS;
use crate::processor::{Baseline, Processor};
#[cfg(target_arch = "x86_64")]
use crate::processor::{V3, V4};
use crate::{Format, Op, Rule, eval};
use clamp::ClampFn;
use lanes::rows;
use row::{LaneWord, Part};
use std::sync::Arc;

/// Evaluates a row.
type RowFn = fn(&Kernel, &[Row<'_>], RowMut<'_>);

/// An operation under a rule, prepared for rows of lanes. Gives the bits [`eval`] gives, faster.
#[derive(Clone, Debug)]
pub struct Kernel {
    op: Op,
    rule: Rule,
    run: RowFn,
    /// Results that are computed again.
    again: Option<again::Again>,
    /// Clamp of the result, as a second pass over the row.
    clamp: Option<ClampFn>,
    /// Operands that all give the same NaN.
    outside: Option<domain::Outside>,
    processor: Processor,
    /// What a chain consists of.
    links: Arc<[Kernel]>,
}

/// Lanes that chains compute together.
const CHUNK: usize = 64;

/// Lanes of one step of [`Kernel::run`], of long rows and of short ones.
const PART: usize = 128;
const SHORT: usize = 16;

/// A selection for the level of a processor.
macro_rules! at_level {
    ($processor:expr, $level:ident => $select:expr) => {
        match $processor {
            Processor::Baseline => {
                type $level = Baseline;
                $select
            }
            #[cfg(target_arch = "x86_64")]
            Processor::V3(_) => {
                type $level = V3;
                $select
            }
            #[cfg(target_arch = "x86_64")]
            Processor::V4(_) => {
                type $level = V4;
                $select
            }
        }
    };
}

impl Kernel {
    /// Prepares `op` under `rule`.
    pub fn new(op: Op, rule: &Rule) -> Kernel {
        Kernel::on(Processor::best(), op, rule)
    }

    /// The same with the instructions of a processor.
    pub fn on(processor: Processor, op: Op, rule: &Rule) -> Kernel {
        let selected = at_level!(processor, L => select::select::<L>(op, rule));
        let (run, clamp) = selected.unwrap_or((plain, None));
        let links = chain::links(processor, op, rule);
        let again = again::again(op, rule).filter(|_| selected.is_some());
        Kernel { op, rule: *rule, run, again, clamp, outside: domain::outside(op, rule), processor, links }
    }

    /// Prepares the value of `op` that errors of results in `measured` are taken from. `rule` is IEEE arithmetic in a
    /// binary64 container that rounds to 45 bits, and what [`eval`] gives under it is what the kernel gives, with two
    /// exceptions. Sums and products measured in formats of at most 24 bits keep 53 bits. exp2, log2, sin and cos measured in
    /// binary32 are within 2^-44 of the exact values, and round to the same binary32.
    pub fn reference(op: Op, rule: &Rule, measured: Format) -> Kernel {
        let processor = Processor::best();
        let run = reference::select(op, rule, measured).unwrap_or(plain);
        let links = chain::links(processor, op, rule);
        Kernel { op, rule: *rule, run, again: None, clamp: None, outside: domain::outside(op, rule), processor, links }
    }

    /// One lane, as [`eval`] gives it.
    pub fn eval(&self, args: &[u64]) -> u64 {
        eval(self.op, &self.rule, args)
    }

    /// Whether every lane goes through [`eval`].
    pub fn is_slow(&self) -> bool {
        std::ptr::fn_addr_eq(self.run, plain as RowFn)
    }

    /// Evaluates every lane of rows whose words are as wide as their containers; rows of wider words are as good, but
    /// slow. All rows are as long as `out`.
    pub fn run_rows(&self, args: &[Row<'_>], mut out: RowMut<'_>) {
        (self.run)(self, args, out.reborrow());
        if let Some(again) = self.again {
            again.run(self, args, out.reborrow());
        }
        if let Some(clamp) = self.clamp {
            clamp(self, out);
        }
    }

    /// Evaluates every lane of rows of lane words: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&self, args: &[&[u64]], out: &mut [u64]) {
        // Room that is made ready and not used costs more than a few lanes.
        if out.len() <= SHORT { self.run_parts::<SHORT>(args, out) } else { self.run_parts::<PART>(args, out) }
    }

    fn run_parts<const PART: usize>(&self, args: &[&[u64]], out: &mut [u64]) {
        let kinds = self.op.info().args;
        let n = kinds.len().min(args.len());
        let mut parts: [Part<PART>; MAX_ARGS] = std::array::from_fn(|k| match kinds.get(k) {
            Some(&kind) => Part::zeros(Width::of_kind(kind, &self.rule)),
            None => Part::W8([0; PART]),
        });
        let mut result = Part::<PART>::zeros(Width::of_result(self.op, &self.rule));
        for (part, words) in out.chunks_mut(PART).enumerate() {
            let lanes = part * PART..part * PART + words.len();
            for (part, row) in parts.iter_mut().zip(args) {
                part.fill(&row[lanes.clone()]);
            }
            let rows: [Row<'_>; MAX_ARGS] = std::array::from_fn(|k| parts[k].row(words.len()));
            self.run_rows(&rows[..n], result.row_mut(words.len()));
            result.widen(words);
        }
    }

    /// One lane by [`eval`].
    #[cold]
    #[inline(never)]
    fn lane(&self, args: &[Row<'_>], lane: usize) -> u64 {
        #[cfg(feature = "oracle-c")]
        crate::counters::count(&crate::counters::MARKED);
        let mut words = [0u64; MAX_ARGS];
        for (word, row) in words.iter_mut().zip(args) {
            *word = row.get(lane);
        }
        eval(self.op, &self.rule, &words[..args.len().min(MAX_ARGS)])
    }
}

/// Every lane by [`eval`].
fn plain(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    for lane in 0..out.len() {
        out.set(lane, kernel.lane(args, lane));
    }
}
