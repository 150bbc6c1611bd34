//! Operations defined as a chain of other operations: a kernel for each link.

use super::row::{LaneWord, Part};
use super::{CHUNK, Kernel, Row, RowMut, Width, select};
use crate::processor::Processor;
use crate::soft::unpack::shape;
use crate::steps::chain;
use crate::{Denormals, Family, Format, Op, Pow, Rcp, Rsq, Rule, Saturate, Storage, ZeroPowZero};
use std::sync::Arc;

/// The kernels that an operation under a rule is a chain of; empty for one that is none.
pub(super) fn links(processor: Processor, op: Op, rule: &Rule) -> Arc<[Kernel]> {
    if !matches!(op.info().family, Family::Recipe) {
        return Arc::default();
    }
    if let Some(chain) = chain(op, rule) {
        // What the instruction asks of its result is asked of the last one.
        let power = matches!(op, Op::Pow | Op::LitZ);
        let own = if power { rule.unclamped() } else { chain.last_rule(rule) };
        let steps = chain.first.iter().enumerate().map(|(n, &op)| Kernel::on(processor, op, &rule.step(n)));
        return steps.chain([Kernel::on(processor, chain.last, &own)]).collect();
    }
    if select::is_computed_wider(op, rule) {
        let wide = rule.in_single();
        let narrow = Rule { source: Storage::F32, denorm_in: Denormals::Keep, ..*rule };
        return [Kernel::on(processor, op, &wide), Kernel::on(processor, Op::Cvt, &narrow)].into();
    }
    let refined = op == Op::Rcp && rule.rcp == Rcp::Newton || op == Op::Rsq && rule.rsq == Rsq::Newton;
    if refined {
        let first = Rule { rcp: Rcp::Direct, rsq: Rsq::Direct, ..rule.unclamped() };
        return [Kernel::on(processor, op, &first)].into();
    }
    Arc::default()
}

/// Measures of a float container, for tests on patterns.
#[derive(Copy, Clone)]
struct Shape {
    magnitude: u64,
    /// The smallest normal number of the format.
    smallest: u64,
    infinity: u64,
}

impl Shape {
    fn new(rule: &Rule) -> Option<Shape> {
        let (exp_bits, frac_bits) = shape(rule.storage)?;
        let Format::Float(f) = rule.format else { return None };
        let bias = (1 << (exp_bits - 1)) - 1;
        Some(Shape {
            magnitude: !rule.storage.sign_bit(),
            smallest: ((f.min_exp() + bias).max(0) as u64) << frac_bits,
            infinity: ((1u64 << exp_bits) - 1) << frac_bits,
        })
    }

    /// Zeros and denormals, which may count as zeros.
    fn is_small(self, word: u64) -> bool {
        (word & self.magnitude < self.smallest) | (word & self.magnitude == 0)
    }

    fn is_nan(self, word: u64) -> bool {
        word & self.magnitude > self.infinity
    }

    /// Infinities and NaN.
    fn is_special(self, word: u64) -> bool {
        word & self.magnitude >= self.infinity
    }
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

/// a * rsq(a); zeros and infinity give themselves.
pub(super) fn times_rsq(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let ([rsq, mul], Some(shape)) = (&kernel.links[..], Shape::new(&kernel.rule)) else {
        return super::plain(kernel, args, out);
    };
    let mut root = Part::<CHUNK>::zeros(Width::of(kernel.rule.storage));
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a] = cut(args, start, n);
        rsq.run_rows(&[a], root.row_mut(n));
        mul.run_rows(&[a, root.row(n)], out.part(start, start + n));
        for i in 0..n {
            let word = a.get(i);
            if shape.is_small(word) || shape.is_special(word) {
                out.set(start + i, kernel.lane(args, start + i));
            }
        }
    }
}

/// A function of a binary16 format computed in binary32, then rounded.
pub(super) fn in_binary32(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let rule = &kernel.rule;
    let ([function, narrow], Some(shape)) = (&kernel.links[..], Shape::new(rule)) else {
        return super::plain(kernel, args, out);
    };
    let flushes = rule.denorm_in != Denormals::Keep;
    let (mut operand, mut result) = ([0u32; CHUNK], [0u32; CHUNK]);
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a] = cut(args, start, n);
        for (i, wide) in operand[..n].iter_mut().enumerate() {
            *wide = (super::half_to_f64(a.get(i)) as f32).to_bits();
        }
        function.run_rows(&[Row::U32(&operand[..n])], RowMut::U32(&mut result[..n]));
        let mut chunk = out.part(start, start + n);
        narrow.run_rows(&[Row::U32(&result[..n])], chunk.reborrow());
        for i in 0..n {
            // NaN has bits of its own, and so has what is flushed.
            let word = a.get(i);
            if shape.is_nan(word) || flushes && shape.is_small(word) || shape.is_nan(chunk.as_row().get(i)) {
                chunk.set(i, kernel.lane(args, start + i));
            }
        }
    }
}

/// The specular term of LIT where its power is an exponential of a logarithm, in binary32.
pub(super) fn lit_exp_log(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let rule = &kernel.rule;
    let ([log2, mul, exp2], Some(shape), [Row::U32(x), Row::U32(y), Row::U32(w)]) =
        (&kernel.links[..], Shape::new(rule), args)
    else {
        return super::plain(kernel, args, out);
    };
    let words = match u32::words_mut(out) {
        Ok(words) => words,
        Err(out) => return super::plain(kernel, args, out),
    };
    let [magnitude, smallest, infinity] = [shape.magnitude, shape.smallest, shape.infinity].map(|word| word as u32);
    let bound = rule.lit.clamp.map_or(f32::INFINITY, f32::from_bits);
    let clamps = rule.saturate != Saturate::None;
    // Powers of zero that are no result of the chain.
    let special_zero = rule.pow == Pow::ExpLogZero || rule.lit.zero_pow_zero == ZeroPowZero::Zero;
    let float = f32::from_bits;
    let (mut base, mut exponent, mut log) = ([0u32; CHUNK], [0u32; CHUNK], [0u32; CHUNK]);
    for (chunk, words) in words.chunks_mut(CHUNK).enumerate() {
        let (start, n) = (chunk * CHUNK, words.len());
        let (x, y, w) = (&x[start..start + n], &y[start..start + n], &w[start..start + n]);
        for i in 0..n {
            // Lanes that stay dark compute something harmless.
            let lit = if float(y[i]) > 0.0 { y[i] } else { 0 };
            base[i] = if float(x[i]) > 0.0 { lit } else { 1f32.to_bits() };
            let power = float(w[i]);
            exponent[i] = if power.abs() > bound { bound.copysign(power).to_bits() } else { w[i] };
        }
        log2.run_rows(&[Row::U32(&base[..n])], RowMut::U32(&mut log[..n]));
        mul.run_rows(&[Row::U32(&exponent[..n]), Row::U32(&log[..n])], RowMut::U32(&mut base[..n]));
        exp2.run_rows(&[Row::U32(&base[..n])], RowMut::U32(words));
        // A denormal may count as zero, and NaN as anything.
        let unclear = |[x, y, w, exponent]: [u32; 4], result: u32| {
            let small = |word: u32| (word & magnitude < smallest) | (word & magnitude == 0);
            let nan = |word: u32| word & magnitude > infinity;
            let no_base = (float(y) <= 0.0) | small(y);
            let no_power =
                nan(y) | nan(w) | no_base & (special_zero | small(w) | small(exponent)) | clamps & nan(result);
            nan(x) | (float(x) > 0.0) & (small(x) | no_power)
        };
        let mut any = false;
        for i in 0..n {
            any |= unclear([x[i], y[i], w[i], exponent[i]], words[i]);
            words[i] = if float(x[i]) > 0.0 { words[i] } else { 0 };
        }
        if any {
            for i in 0..n {
                if unclear([x[i], y[i], w[i], exponent[i]], words[i]) {
                    words[i] = kernel.lane(args, start + i) as u32;
                }
            }
        }
    }
}

/// exp2(b * log2(a)).
pub(super) fn exp_log(kernel: &Kernel, args: &[Row<'_>], mut out: RowMut<'_>) {
    let rule = &kernel.rule;
    let ([log2, mul, exp2], Some(shape)) = (&kernel.links[..], Shape::new(rule)) else {
        return super::plain(kernel, args, out);
    };
    let clamps = rule.saturate != Saturate::None;
    let width = Width::of(rule.storage);
    let (mut log, mut product) = (Part::<CHUNK>::zeros(width), Part::<CHUNK>::zeros(width));
    // What every base gives that is zero or NaN, where that is no result of the chain.
    let mut of_zero = None;
    for start in (0..out.len()).step_by(CHUNK) {
        let n = CHUNK.min(out.len() - start);
        let [a, b] = cut(args, start, n);
        let mut chunk = out.part(start, start + n);
        log2.run_rows(&[a], log.row_mut(n));
        mul.run_rows(&[b, log.row(n)], product.row_mut(n));
        exp2.run_rows(&[product.row(n)], chunk.part(0, n));
        // Powers of zero that are no result of the chain; denormals may count as zeros.
        let any_special = match rule.pow {
            Pow::ExpLogOne => any(a, |word| shape.is_small(word)) && any(b, |word| shape.is_small(word)),
            Pow::ExpLogZero => any(a, |word| shape.is_small(word) | shape.is_nan(word)),
            Pow::C | Pow::ExpLog => false,
        };
        if !(any_special || clamps && any(chunk.as_row(), |word| shape.is_nan(word))) {
            continue;
        }
        for i in 0..n {
            let (base, exponent) = (a.get(i), b.get(i));
            let of_base = rule.pow == Pow::ExpLogZero && (base & shape.magnitude == 0 || shape.is_nan(base));
            let special = match rule.pow {
                Pow::ExpLogOne => shape.is_small(base) && shape.is_small(exponent),
                Pow::ExpLogZero => shape.is_small(base),
                Pow::C | Pow::ExpLog => false,
            };
            if of_base {
                chunk.set(i, *of_zero.get_or_insert_with(|| kernel.lane(args, start + i)));
            } else if special || clamps && shape.is_nan(chunk.as_row().get(i)) {
                chunk.set(i, kernel.lane(args, start + i));
            }
        }
    }
}

/// Whether any word of a row passes a test.
#[inline(always)]
fn any(row: Row<'_>, test: impl Fn(u64) -> bool) -> bool {
    match row {
        Row::U8(words) => words.iter().fold(false, |any, &word| any | test(word.into())),
        Row::U16(words) => words.iter().fold(false, |any, &word| any | test(word.into())),
        Row::U32(words) => words.iter().fold(false, |any, &word| any | test(word.into())),
        Row::U64(words) => words.iter().fold(false, |any, &word| any | test(word)),
    }
}
