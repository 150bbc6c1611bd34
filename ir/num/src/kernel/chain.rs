//! Operations defined as a chain of other operations: a kernel for each link.

use super::row::Part;
use super::{CHUNK, Kernel, Row, RowMut, Width};
use crate::processor::Processor;
use crate::soft::unpack::shape;
use crate::{Div, Format, Op, Pow, Rule, Saturate, Sqrt, StepRules};
use std::sync::Arc;

/// The kernels that an operation under a rule is a chain of; empty for one that is none.
pub(super) fn links(processor: Processor, op: Op, rule: &Rule) -> Arc<[Kernel]> {
    let (first, last): (&[Op], Op) = match op {
        Op::Nrm => (&[Op::Dot3, Op::Rsq], Op::Mul),
        Op::Pow if rule.pow != Pow::C => (&[Op::Log2, Op::Mul], Op::Exp2),
        Op::Div if rule.div != Div::Direct => (&[Op::Rcp], Op::Mul),
        Op::Sqrt if rule.sqrt == Sqrt::ReciprocalOfRsq => (&[Op::Rsq], Op::Rcp),
        _ => return Arc::default(),
    };
    // What the instruction asks of its result is asked of the last one.
    let own = if op == Op::Pow { rule.unclamped() } else { Rule { steps: StepRules::OWN, ..*rule } };
    let steps = first.iter().enumerate().map(|(n, &op)| Kernel::on(processor, op, &rule.step(n)));
    steps.chain([Kernel::on(processor, last, &own)]).collect()
}

/// Operand rows of one chunk.
fn cut<'a, const N: usize>(args: &[Row<'a>], start: usize, n: usize) -> [Row<'a>; N] {
    std::array::from_fn(|k| args[k].part(start, start + n))
}

/// v / length(x, y, z): dot product, reciprocal root, product.
pub(super) fn nrm(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let [dot, rsq, mul] = &kernel.links[..] else { return super::plain(kernel, args, out) };
    let width = Width::of(kernel.rule.storage);
    let (mut length, mut scale) = (Part::<CHUNK>::zeros(width), Part::<CHUNK>::zeros(width));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [v, x, y, z] = cut(args, start, n);
        dot.run_rows(&[x, y, z, x, y, z], length.row_mut(n));
        rsq.run_rows(&[length.row(n)], scale.row_mut(n));
        mul.run_rows(&[v, scale.row(n)], out.part(start, start + n));
    }
}

/// a * rcp(b).
pub(super) fn times_rcp(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let [rcp, mul] = &kernel.links[..] else { return super::plain(kernel, args, out) };
    let mut reciprocal = Part::<CHUNK>::zeros(Width::of(kernel.rule.storage));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a, b] = cut(args, start, n);
        rcp.run_rows(&[b], reciprocal.row_mut(n));
        mul.run_rows(&[a, reciprocal.row(n)], out.part(start, start + n));
    }
}

/// rcp(rsq(a)).
pub(super) fn reciprocal_of_rsq(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let [rsq, rcp] = &kernel.links[..] else { return super::plain(kernel, args, out) };
    let mut root = Part::<CHUNK>::zeros(Width::of(kernel.rule.storage));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a] = cut(args, start, n);
        rsq.run_rows(&[a], root.row_mut(n));
        rcp.run_rows(&[root.row(n)], out.part(start, start + n));
    }
}

/// exp2(b * log2(a)).
pub(super) fn exp_log(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let rule = &kernel.rule;
    let ([log2, mul, exp2], Some((exp_bits, frac_bits))) = (&kernel.links[..], shape(rule.storage)) else {
        return super::plain(kernel, args, out);
    };
    let magnitude = !rule.storage.sign_bit();
    let infinity = ((1u64 << exp_bits) - 1) << frac_bits;
    let bias = (1 << (exp_bits - 1)) - 1;
    let smallest = match rule.format {
        Format::Float(f) => ((f.min_exp() + bias) as u64) << frac_bits,
        Format::Fixed(_) => 0,
    };
    let clamps = rule.saturate != Saturate::None;
    let width = Width::of(rule.storage);
    let (mut log, mut product) = (Part::<CHUNK>::zeros(width), Part::<CHUNK>::zeros(width));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a, b] = cut(args, start, n);
        let mut chunk = out.part(start, start + n);
        log2.run_rows(&[a], log.row_mut(n));
        mul.run_rows(&[b, log.row(n)], product.row_mut(n));
        exp2.run_rows(&[product.row(n)], chunk.part(0, n));
        for i in 0..n {
            // Powers of zero that are no result of the chain; denormals may count as zeros.
            let small = |word: u64| word & magnitude < smallest;
            let is_nan = |word: u64| word & magnitude > infinity;
            let (base, exponent) = (a.get(i), b.get(i));
            let special = match rule.pow {
                Pow::ExpLogOne => small(base) && small(exponent),
                Pow::ExpLogZero => small(base) || is_nan(base),
                Pow::C | Pow::ExpLog => false,
            };
            if special || clamps && is_nan(chunk.as_row().get(i)) {
                chunk.set(i, kernel.lane(args, start + i));
            }
        }
    }
}
