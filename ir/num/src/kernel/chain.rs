//! Operations defined as a chain of other operations: a kernel for each link.

use super::{CHUNK, Kernel};
use crate::soft::unpack::shape;
use crate::{Format, Op, Pow, Rule, Saturate};

/// The rule of the links: no clamp, no scale.
fn link(rule: &Rule) -> Rule {
    Rule { saturate: Saturate::None, scale: 0, ..*rule }
}

/// Operand rows of one chunk.
fn cut<'a, const N: usize>(args: &[&'a [u64]], start: usize, n: usize) -> [&'a [u64]; N] {
    std::array::from_fn(|k| &args[k][start..start + n])
}

/// v / length(x, y, z): dot product, reciprocal root, product.
pub(super) fn nrm(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let inner = link(&kernel.rule);
    let dot = Kernel::new(Op::Dot3, &inner);
    let rsq = Kernel::new(Op::Rsq, &inner);
    let mul = Kernel::new(Op::Mul, &kernel.rule);
    let (mut length, mut scale) = ([0; CHUNK], [0; CHUNK]);
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [v, x, y, z] = cut(args, start, n);
        dot.run(&[x, y, z, x, y, z], &mut length[..n]);
        rsq.run(&[&length[..n]], &mut scale[..n]);
        mul.run(&[v, &scale[..n]], &mut out[start..start + n]);
    }
}

/// rcp(rsq(a)).
pub(super) fn reciprocal_of_rsq(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let rsq = Kernel::new(Op::Rsq, &link(&kernel.rule));
    let rcp = Kernel::new(Op::Rcp, &kernel.rule);
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
    let inner = link(rule);
    let log2 = Kernel::new(Op::Log2, &inner);
    let mul = Kernel::new(Op::Mul, &inner);
    let exp2 = Kernel::new(Op::Exp2, &inner);
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
