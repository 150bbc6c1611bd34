//! Operations defined as a chain of other operations: a kernel for each link.

use super::{CHUNK, Kernel};
use crate::soft::unpack::shape;
use crate::{Format, Op, Pow, Rule, Saturate, StepRules};

/// Operand rows of one chunk.
fn cut<'a, const N: usize>(args: &[&'a [u64]], start: usize, n: usize) -> [&'a [u64]; N] {
    std::array::from_fn(|k| &args[k][start..start + n])
}

/// v / length(x, y, z): dot product, reciprocal root, product.
pub(super) fn nrm(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let dot = Kernel::new(Op::Dot3, &kernel.rule.step(0));
    let rsq = Kernel::new(Op::Rsq, &kernel.rule.step(1));
    let mul = Kernel::new(Op::Mul, &last(&kernel.rule));
    let (mut length, mut scale) = ([0; CHUNK], [0; CHUNK]);
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [v, x, y, z] = cut(args, start, n);
        dot.run(&[x, y, z, x, y, z], &mut length[..n]);
        rsq.run(&[&length[..n]], &mut scale[..n]);
        mul.run(&[v, &scale[..n]], &mut out[start..start + n]);
    }
}

/// The rule of the last operation.
fn last(rule: &Rule) -> Rule {
    Rule { steps: StepRules::OWN, ..*rule }
}

/// a * rcp(b).
pub(super) fn times_rcp(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let rcp = Kernel::new(Op::Rcp, &kernel.rule.step(0));
    let mul = Kernel::new(Op::Mul, &last(&kernel.rule));
    let mut reciprocal = [0; CHUNK];
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a, b] = cut(args, start, n);
        rcp.run(&[b], &mut reciprocal[..n]);
        mul.run(&[a, &reciprocal[..n]], &mut out[start..start + n]);
    }
}

/// rcp(rsq(a)).
pub(super) fn reciprocal_of_rsq(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let rsq = Kernel::new(Op::Rsq, &kernel.rule.step(0));
    let rcp = Kernel::new(Op::Rcp, &last(&kernel.rule));
    let mut root = [0; CHUNK];
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a] = cut(args, start, n);
        rsq.run(&[a], &mut root[..n]);
        rcp.run(&[&root[..n]], &mut out[start..start + n]);
    }
}

/// exp2(b * log2(a)).
pub(super) fn exp_log(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let rule = &kernel.rule;
    let Some((exp_bits, frac_bits)) = shape(rule.storage) else { return };
    let log2 = Kernel::new(Op::Log2, &rule.step(0));
    let mul = Kernel::new(Op::Mul, &rule.step(1));
    let exp2 = Kernel::new(Op::Exp2, &rule.unclamped());
    let magnitude = !rule.storage.sign_bit();
    let infinity = ((1u64 << exp_bits) - 1) << frac_bits;
    let bias = (1 << (exp_bits - 1)) - 1;
    let smallest = match rule.format {
        Format::Float(f) => ((f.min_exp() + bias) as u64) << frac_bits,
        Format::Fixed(_) => 0,
    };
    let clamps = rule.saturate != Saturate::None;
    let (mut log, mut product) = ([0; CHUNK], [0; CHUNK]);
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a, b] = cut(args, start, n);
        log2.run(&[a], &mut log[..n]);
        mul.run(&[b, &log[..n]], &mut product[..n]);
        exp2.run(&[&product[..n]], &mut out[start..start + n]);
        for i in 0..n {
            // Powers of zero that are no result of the chain; denormals may count as zeros.
            let small = |word: u64| word & magnitude < smallest;
            let is_nan = |word: u64| word & magnitude > infinity;
            let special = match rule.pow {
                Pow::ExpLogOne => small(a[i]) && small(b[i]),
                Pow::ExpLogZero => small(a[i]) || is_nan(a[i]),
                Pow::C | Pow::ExpLog => false,
            };
            if special || clamps && is_nan(out[start + i]) {
                out[start + i] = kernel.lane(args, start + i);
            }
        }
    }
}
