//! Interpolation: exactly defined in binary32, the same under every model.

use parallax_core::num::Processor;

/// A value that varies linearly over the window: `fma(dady, y, fma(dadx, x, a0))` in binary32 at (x, y).
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Plane {
    pub(crate) a0: f32,
    pub(crate) dadx: f32,
    pub(crate) dady: f32,
}

/// Bits of a NaN that arises in interpolation.
const NAN: u32 = 0xffc0_0000;

impl Plane {
    /// The value at one place.
    pub(crate) fn at(&self, x: f32, y: f32) -> f32 {
        fma(self.dady, y, fma(self.dadx, x, self.a0))
    }

    /// The inner step at every x: of columns, or of lanes.
    pub(crate) fn columns(&self, processor: Processor, xs: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.resize(xs.len(), 0.0);
        let Plane { a0, dadx, .. } = *self;
        processor.run(
            #[inline(always)]
            || {
                if processor.fuses() {
                    out.iter_mut().zip(xs).for_each(|(out, &x)| *out = dadx.mul_add(x, a0));
                } else {
                    out.iter_mut().zip(xs).for_each(|(out, &x)| *out = fma(dadx, x, a0));
                }
            },
        );
    }

    /// The outer step for quads side by side, one after the other: `columns` are the inner steps of their lanes, `ys`
    /// their rows. `last` makes the word of a lane from its value and from what stands in its place.
    #[inline(always)]
    fn lanes(
        &self,
        processor: Processor,
        columns: &[f32],
        ys: &[f32],
        out: &mut [u32],
        last: impl Fn(f32, u32) -> u32,
    ) {
        let dady = self.dady;
        processor.run(
            #[inline(always)]
            || {
                if dady == 0.0 {
                    // fma(±0, y, t) is t plus a zero of that sign: y is not negative.
                    quads(
                        columns,
                        ys,
                        out,
                        #[inline(always)]
                        |t, _, word| last(t + dady, word),
                    );
                } else if processor.fuses() {
                    quads(
                        columns,
                        ys,
                        out,
                        #[inline(always)]
                        |t, y, word| last(dady.mul_add(y, t), word),
                    );
                } else {
                    quads(
                        columns,
                        ys,
                        out,
                        #[inline(always)]
                        |t, y, word| last(fma(dady, y, t), word),
                    );
                }
            },
        );
    }

    /// The values of quads side by side.
    pub(crate) fn quads(&self, processor: Processor, columns: &[f32], ys: &[f32], out: &mut [u32]) {
        self.lanes(
            processor,
            columns,
            ys,
            out,
            #[inline(always)]
            |value, _| settled(value.to_bits()),
        );
    }

    /// The same, divided by what stands in the place of each.
    pub(crate) fn quads_over(&self, processor: Processor, columns: &[f32], ys: &[f32], out: &mut [u32]) {
        self.lanes(
            processor,
            columns,
            ys,
            out,
            #[inline(always)]
            |value, divisor| settled((value / f32::from_bits(divisor)).to_bits()),
        );
    }
}

/// Sets the lanes of quads side by side: from the columns and rows they lie in, and what stands in their place. Three plain
/// rows are what a compiler makes vectors of.
#[inline(always)]
pub(crate) fn quads(columns: &[f32], ys: &[f32], out: &mut [u32], lane: impl Fn(f32, f32, u32) -> u32) {
    for ((word, &column), &y) in out.iter_mut().zip(columns).zip(ys) {
        *word = lane(column, y, *word);
    }
}

/// The rows that the lanes of quads lie in: their y, of the upper and of the lower one.
pub(crate) fn rows_of_quads([upper, lower]: [f32; 2], ys: &mut [f32]) {
    for quad in ys.as_chunks_mut::<4>().0 {
        *quad = [upper, upper, lower, lower];
    }
}

/// Gives a NaN the bits of all.
#[inline(always)]
pub(crate) fn settled(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() { NAN } else { word }
}

/// `a * b + c` in binary32 with one rounding. The product is exact in binary64; the sum is rounded to odd there, which
/// leaves the last rounding free of double-rounding errors. Faster than `f32::mul_add` where the compiler may not assume
/// a fused instruction.
#[inline(always)]
pub(crate) fn fma(a: f32, b: f32, c: f32) -> f32 {
    let product = f64::from(a) * f64::from(b);
    let c = f64::from(c);
    let sum = product + c;
    let part = sum - product;
    let error = (product - (sum - part)) + (c - part);
    let bits = sum.to_bits();
    // A NaN error (infinite operands) compares false.
    let inexact = error.abs() > 0.0 && bits & 1 == 0;
    let away = (error > 0.0) == (sum > 0.0);
    let odd = bits.wrapping_add(if away { 1 } else { u64::MAX });
    f64::from_bits(if inexact { odd } else { bits }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn fma_rounds_once(a: u32, b: u32, c: u32, near in -60i32..60) {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            // Sums of comparable size are where double rounding would show.
            let nearby = f32::from_bits(((a * b).to_bits() as i32).wrapping_add(near << 20) as u32);
            for c in [f32::from_bits(c), nearby, -nearby] {
                let (got, want) = (fma(a, b, c), a.mul_add(b, c));
                prop_assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{a:e} {b:e} {c:e}");
            }
        }
    }

    /// Every level of instructions, with and without slope: the fused steps at each place.
    #[test]
    fn quads_have_the_values_of_their_places() {
        let nan = f32::from_bits(0x7fc0_1234);
        let numbers = [0.0f32, -0.0, 1.5, f32::MIN_POSITIVE / 2.0, -3.25e-3, 1e30, f32::INFINITY, nan];
        let xs: Vec<f32> = (0..44).map(|n| (n / 4 * 2 + n % 2) as f32 + 0.5).collect();
        let mut ys = vec![0.0; xs.len()];
        rows_of_quads([4.5, 5.5], &mut ys);
        for processor in Processor::all() {
            for (n, &dady) in numbers.iter().enumerate() {
                let plane = Plane { a0: numbers[(n + 3) % 8], dadx: numbers[(n * 5 + 1) % 8], dady };
                let (mut columns, mut words, mut over) = (Vec::new(), vec![0; 44], vec![0.3f32.to_bits(); 44]);
                plane.columns(processor, &xs, &mut columns);
                plane.quads(processor, &columns, &ys, &mut words);
                plane.quads_over(processor, &columns, &ys, &mut over);
                for (lane, (&word, &over)) in words.iter().zip(&over).enumerate() {
                    let (x, y) = (xs[lane], ys[lane]);
                    let value = dady.mul_add(y, plane.dadx.mul_add(x, plane.a0));
                    assert_eq!(word, settled(value.to_bits()), "{plane:?} {processor:?}");
                    assert_eq!(word, settled(plane.at(x, y).to_bits()), "{plane:?}");
                    assert_eq!(over, settled((value / 0.3).to_bits()), "{plane:?} {processor:?}");
                }
            }
        }
    }
}
