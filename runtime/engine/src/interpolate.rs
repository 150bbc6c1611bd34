//! Interpolation: exactly defined in binary32, the same under every model.

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

    /// The inner step at every x.
    pub(crate) fn columns(&self, xs: &[f32], out: &mut Vec<f32>) {
        out.clear();
        out.extend(xs.iter().map(|&x| fma(self.dadx, x, self.a0)));
    }

    /// The outer step: `columns[column[l]]` and `y[l]` to the value of lane `l`.
    pub(crate) fn rows(&self, columns: &[f32], column: &[u32], y: &[f32], out: &mut [u32]) {
        if self.dady == 0.0 {
            // fma(±0, y, t) is t plus a zero of that sign: y is not negative.
            for (out, &column) in out.iter_mut().zip(column) {
                *out = (columns[column as usize] + self.dady).to_bits();
            }
        } else {
            for ((out, &column), &y) in out.iter_mut().zip(column).zip(y) {
                *out = fma(self.dady, y, columns[column as usize]).to_bits();
            }
        }
    }
}

/// Gives every NaN the same bits.
pub(crate) fn settle_nan(words: &mut [u32]) {
    for word in words {
        *word = settled(*word);
    }
}

/// The same for one word.
pub(crate) fn settled(word: u32) -> u32 {
    if f32::from_bits(word).is_nan() { NAN } else { word }
}

/// `a * b + c` in binary32 with one rounding. The product is exact in binary64; the sum is rounded to odd there, which
/// leaves the last rounding free of double-rounding errors. Faster than `f32::mul_add` where the compiler may not assume
/// a fused instruction.
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

    #[test]
    fn a_plane_without_slope_skips_the_fma_without_changing_a_bit() {
        for dady in [0.0f32, -0.0] {
            for a0 in [0.0f32, -0.0, 1.5, f32::MIN_POSITIVE / 2.0] {
                let plane = Plane { a0, dadx: 0.0, dady };
                let mut columns = Vec::new();
                plane.columns(&[3.5], &mut columns);
                for y in [0.0, 0.5] {
                    let mut out = [0];
                    plane.rows(&columns, &[0], &[y], &mut out);
                    assert_eq!(out[0], dady.mul_add(y, 0.0f32.mul_add(3.5, a0)).to_bits());
                    assert_eq!(out[0], plane.at(3.5, y).to_bits());
                }
            }
        }
    }
}
