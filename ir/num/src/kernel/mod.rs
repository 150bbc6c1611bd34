//! Evaluation of one operation across a row of lanes.
//!
//! A fast path is chosen once, when the kernel is made. It computes a lane with host arithmetic where that is exactly
//! what the rule asks for and marks the lane where it might not be: NaN results (their bits belong to the rule),
//! denormals under a flushing rule, results too close to a rounding boundary. Marked lanes go through [`eval`].

mod bits;
mod chain;
mod domain;
mod fixed;
mod gallivm;
mod host32;
mod host64;
mod narrow;
mod nv_sfu;
mod programs;
mod reference;
mod select;
mod steps;
mod wide;

pub(crate) use narrow::{half_to_f64, odd_sum};

use crate::eval::MAX_ARGS;
use crate::{Format, Op, Rule, eval};

/// Evaluates a row; the kernel's own arguments are passed along.
type RowFn = fn(&Kernel, &[&[u64]], &mut [u64]);

/// An operation under a rule, prepared for rows of lanes. Gives the bits [`eval`] gives, faster.
#[derive(Copy, Clone, Debug)]
pub struct Kernel {
    op: Op,
    rule: Rule,
    run: RowFn,
    /// Clamp of the result, as a second pass over the row.
    clamp: Option<fn(&Rule, &mut [u64])>,
    /// Operands that all give the same NaN.
    outside: Option<domain::Outside>,
}

/// Lanes that are computed together.
const CHUNK: usize = 64;

impl Kernel {
    /// Prepares `op` under `rule`.
    pub fn new(op: Op, rule: &Rule) -> Kernel {
        let (run, clamp) = select::select(op, rule).unwrap_or((plain, None));
        Kernel { op, rule: *rule, run, clamp, outside: domain::outside(op, rule) }
    }

    /// Prepares the value of `op` that errors of results in `measured` are taken from. `rule` is IEEE arithmetic in a
    /// binary64 container that rounds to 45 bits, and what [`eval`] gives under it is what the kernel gives, with two
    /// exceptions. Sums and products measured in formats of at most 24 bits keep 53 bits. exp2, log2, sin and cos measured in
    /// binary32 are within 2^-44 of the exact values, and round to the same binary32.
    pub fn reference(op: Op, rule: &Rule, measured: Format) -> Kernel {
        let run = reference::select(op, rule, measured).unwrap_or(plain);
        Kernel { op, rule: *rule, run, clamp: None, outside: domain::outside(op, rule) }
    }

    /// Whether every lane goes through [`eval`].
    pub fn is_slow(&self) -> bool {
        std::ptr::fn_addr_eq(self.run, plain as RowFn)
    }

    /// Evaluates every lane: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&self, args: &[&[u64]], out: &mut [u64]) {
        (self.run)(self, args, out);
        if let Some(clamp) = self.clamp {
            clamp(&self.rule, out);
        }
    }

    /// One lane by [`eval`].
    #[cold]
    #[inline(never)]
    fn lane(&self, args: &[&[u64]], lane: usize) -> u64 {
        #[cfg(feature = "oracle-c")]
        crate::counters::count(&crate::counters::MARKED);
        let mut words = [0u64; MAX_ARGS];
        for (word, row) in words.iter_mut().zip(args) {
            *word = row[lane];
        }
        eval(self.op, &self.rule, &words[..args.len().min(MAX_ARGS)])
    }
}

/// Every lane by [`eval`].
fn plain(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    for (lane, word) in out.iter_mut().enumerate() {
        *word = kernel.lane(args, lane);
    }
}

/// A row through a lane function that may mark the lane for [`eval`].
#[inline(always)]
fn rows<const N: usize>(
    kernel: &Kernel,
    args: &[&[u64]],
    out: &mut [u64],
    lane: impl Fn([u64; N], &mut bool) -> u64 + Copy,
) {
    let operands: [&[u64]; N] = std::array::from_fn(|k| &args[k][..out.len()]);
    let mut start = 0;
    while start < out.len() {
        let n = CHUNK.min(out.len() - start);
        let words = &mut out[start..start + n];
        // A full chunk has a length the compiler knows.
        let any = if let Ok(full) = <&mut [u64; CHUNK]>::try_from(&mut *words) {
            let rows = operands.map(|row| row[start..start + n].try_into().unwrap_or(&[0; CHUNK]));
            chunk(rows, full, lane)
        } else {
            let mut any = false;
            for (i, word) in words.iter_mut().enumerate() {
                *word = lane(operands.map(|row| row[start + i]), &mut any);
            }
            any
        };
        if any {
            // Which lanes it was is found out again: keeping all marks costs more than the few chunks that have some.
            for (i, word) in words.iter_mut().enumerate() {
                let operands = operands.map(|row| row[start + i]);
                if let Some(outside) = kernel.outside.filter(|outside| outside.holds(operands[0])) {
                    *word = outside.result;
                    continue;
                }
                let mut marked = false;
                lane(operands, &mut marked);
                if marked {
                    *word = kernel.lane(args, start + i);
                }
            }
        }
        start += n;
    }
}

#[inline(always)]
fn chunk<const N: usize>(
    rows: [&[u64; CHUNK]; N],
    out: &mut [u64; CHUNK],
    lane: impl Fn([u64; N], &mut bool) -> u64,
) -> bool {
    let mut any = 0u64;
    for i in 0..CHUNK {
        let mut marked = false;
        out[i] = lane(rows.map(|row| row[i]), &mut marked);
        any |= u64::from(marked);
    }
    any != 0
}
