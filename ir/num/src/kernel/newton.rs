//! Reciprocals with a step of Newton's method behind the function: the function's own kernel, then rounded steps.

use super::row::Part;
use super::steps::{Steps, get_all};
use super::{CHUNK, Kernel, Row, RowMut, Width, rows};

/// r * (2 - a * r).
pub(super) fn rcp<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    refined::<S>(
        kernel,
        args,
        out,
        #[inline(always)]
        |s, a, r, mark| {
            let two = s.round_f64(2.0, mark);
            let product = s.mul(a, r, mark);
            let rest = s.add(two, s.neg(product), mark);
            s.mul(r, rest, mark)
        },
    );
}

/// r * (1.5 - 0.5 * (a * (r * r))).
pub(super) fn rsq<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    refined::<S>(
        kernel,
        args,
        out,
        #[inline(always)]
        |s, a, r, mark| {
            let (three_halves, half) = (s.round_f64(1.5, mark), s.round_f64(0.5, mark));
            let square = s.mul(r, r, mark);
            let product = s.mul(a, square, mark);
            let product = s.mul(half, product, mark);
            let rest = s.add(three_halves, s.neg(product), mark);
            s.mul(r, rest, mark)
        },
    );
}

/// `step` on operands and what the function, the only link, gives of them.
#[inline(always)]
fn refined<S: Steps>(
    kernel: &Kernel,
    args: &[Row<'_>],
    mut out: RowMut<'_>,
    step: impl Fn(S, S::V, S::V, &mut bool) -> S::V + Copy,
) {
    let ([first], Some(operands)) = (&kernel.links[..], args.first()) else { return super::plain(kernel, args, out) };
    let s = S::new(&kernel.rule);
    let mut estimates = Part::<CHUNK>::zeros(Width::of(kernel.rule.storage));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let operand = operands.part(start, start + n);
        first.run_rows(&[operand], estimates.row_mut(n));
        // The estimate is no operand of the operation: the reference evaluation, which marked lanes get, ignores it.
        rows::<2, S::Word, S::Word, S::Level>(
            kernel,
            &[operand, estimates.row(n)],
            out.part(start, start + n),
            #[inline(always)]
            |words, mark| {
                let [a, r] = get_all(s, words, mark);
                let result = step(s, a, r, mark);
                s.put(result, mark)
            },
        );
    }
}
