//! Values that results are measured against: 45 bits in binary64 containers.
//!
//! Composed of host arithmetic where that gives the rule's bits, else by [`crate::eval`]. Sums and products keep all 53
//! bits; NaN is then some NaN. The functions whose fast recipes know fewer bits give the recipe's value, on the right side of every rounding boundary of binary32.

use super::narrow::odd_sum;
use super::steps::Steps;
use super::{Kernel, Row, RowFn, RowMut, programs, rows, select};
use crate::processor::Baseline;
use crate::recipe::fast;
use crate::{FloatFormat, Format, Op, Rule, Specials};

/// The format of reference values.
pub(super) const FORMAT: Format =
    Format::Float(FloatFormat { exp: 11, frac: 44, denormals: true, specials: Specials::InfNan });

/// Binary64 fraction bits below the last one of the format.
const DROP: u32 = 8;
/// Magnitudes whose sums, products and quotients stay far from the ends of binary64.
const LARGE: f64 = f64::from_bits((1023 + 1000) << 52);
const SMALL: f64 = f64::from_bits((1023 - 900) << 52);

/// Rounds to 45 bits; marks special values, and magnitudes where the format's range or binary64's may end.
#[derive(Copy, Clone)]
struct Wide;

impl Wide {
    #[inline(always)]
    fn round(self, v: f64, mark: &mut bool) -> f64 {
        let a = v.abs();
        *mark |= a.is_nan() | (a >= LARGE) | (a < SMALL) & (a != 0.0);
        let bits = v.to_bits();
        let half = 1u64 << (DROP - 1);
        let last = bits >> DROP & 1;
        f64::from_bits(bits.wrapping_add(half - 1 + last) & !(half * 2 - 1))
    }

    /// Rounds a value that has been rounded to binary64 before: a midpoint may have been none.
    #[inline(always)]
    fn round_again(self, v: f64, mark: &mut bool) -> f64 {
        *mark |= v.to_bits() & ((1 << DROP) - 1) == 1 << (DROP - 1);
        self.round(v, mark)
    }

    /// The product of two numbers of at most 26 bits, exact; marks others.
    #[inline(always)]
    fn product(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        *mark |= (a.to_bits() | b.to_bits()) & ((1 << 27) - 1) != 0;
        let p = a * b;
        let size = p.abs();
        *mark |= size.is_nan() | (size >= LARGE) | (size < SMALL) & (a != 0.0) & (b != 0.0);
        p
    }
}

impl Steps for Wide {
    type V = f64;
    type Word = u64;
    type Level = Baseline;
    type Base = Wide;

    #[inline(always)]
    fn new(_: &Rule) -> Wide {
        Wide
    }

    #[inline(always)]
    fn get(self, word: u64, _: &mut bool) -> f64 {
        f64::from_bits(word)
    }

    #[inline(always)]
    fn put(self, v: f64, mark: &mut bool) -> u64 {
        *mark |= v.is_nan();
        v.to_bits()
    }

    #[inline(always)]
    fn add(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        self.round(odd_sum(a, b), mark)
    }

    #[inline(always)]
    fn mul(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        let p = self.product(a, b, mark);
        self.round(p, mark)
    }

    #[inline(always)]
    fn fma(self, a: f64, b: f64, c: f64, mark: &mut bool) -> f64 {
        let p = self.product(a, b, mark);
        self.round(odd_sum(p, c), mark)
    }

    #[inline(always)]
    fn div(self, a: f64, b: f64, mark: &mut bool) -> f64 {
        *mark |= (a == 0.0) | (b == 0.0);
        self.round_again(a / b, mark)
    }

    #[inline(always)]
    fn sqrt(self, a: f64, mark: &mut bool) -> f64 {
        self.round_again(a.sqrt(), mark)
    }

    #[inline(always)]
    fn neg(self, a: f64) -> f64 {
        -a
    }

    #[inline(always)]
    fn round_f64(self, v: f64, mark: &mut bool) -> f64 {
        self.round(v, mark)
    }

    #[inline(always)]
    fn exact(self, v: f64) -> f64 {
        v
    }

    #[inline(always)]
    fn settle(self, v: f64, mark: &mut bool) -> f64 {
        self.round(v, mark)
    }
}

/// The row function of a reference. `rule` rounds to [`FORMAT`] as IEEE 754 does; results are measured in `measured`.
pub(super) fn select(op: Op, rule: &Rule, measured: Format) -> Option<RowFn> {
    if rule.format != FORMAT {
        return None;
    }
    let narrow = matches!(measured, Format::Float(f) if f.frac <= 23 && f.exp <= 8);
    match op {
        Op::Add if narrow => {
            return Some(|k, a, o| {
                host(
                    k,
                    a,
                    o,
                    #[inline(always)]
                    |a, b| a + b,
                )
            });
        }
        Op::Sub if narrow => {
            return Some(|k, a, o| {
                host(
                    k,
                    a,
                    o,
                    #[inline(always)]
                    |a, b| a - b,
                )
            });
        }
        Op::Mul if narrow => {
            return Some(|k, a, o| {
                host(
                    k,
                    a,
                    o,
                    #[inline(always)]
                    |a, b| a * b,
                )
            });
        }
        _ => {}
    }
    if let Some(run) = select::by_steps::<Wide>(op, rule) {
        return Some(run);
    }
    match op {
        Op::Rsq => programs::nearest::<Wide>(op),
        // Boundaries of narrower formats are closer to values than the recipes can tell.
        _ if measured == Format::F32 => recipe(op),
        _ => None,
    }
}

/// Products of two 24-bit numbers are exact in binary64, sums are rounded to 53 bits: no need to cut them to 45.
fn host(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>, function: impl Fn(f64, f64) -> f64 + Copy) {
    rows::<2, u64, u64, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, _| function(f64::from_bits(words[0]), f64::from_bits(words[1])).to_bits(),
    );
}

fn recipe(op: Op) -> Option<RowFn> {
    Some(match op {
        Op::Exp2 | Op::Exp2Part => |k, a, o| {
            value(
                k,
                a,
                o,
                fast::EPS_EXP_LOG,
                #[inline(always)]
                |x, mark| {
                    // The recipe's range ends at 300, binary64's beyond 1024 and before -1100.
                    let size = x.abs();
                    *mark |= x.is_nan() | (size > 290.0) & (x < 1024.0) & (x > -1100.0);
                    let y = fast::exp2(x);
                    let y = if x >= 1024.0 { f64::INFINITY } else { y };
                    if x <= -1100.0 { 0.0 } else { y }
                },
            )
        },
        Op::Log2 => |k, a, o| {
            value(
                k,
                a,
                o,
                fast::EPS_EXP_LOG,
                #[inline(always)]
                |x, mark| {
                    *mark |= !((x > 0.0) & (x < f64::INFINITY));
                    fast::log2(x)
                },
            )
        },
        Op::Log2Part => |k, a, o| {
            value(
                k,
                a,
                o,
                fast::EPS_EXP_LOG,
                #[inline(always)]
                |x, mark| {
                    *mark |= !((x.abs() > 0.0) & (x.abs() < f64::INFINITY));
                    fast::log2(x.abs())
                },
            )
        },
        Op::Sin => |k, a, o| {
            value(
                k,
                a,
                o,
                fast::EPS_TRIG,
                #[inline(always)]
                |x, mark| {
                    *mark |= x.is_nan() | (x.abs() >= fast::TRIG_LIMIT);
                    fast::sin(x)
                },
            )
        },
        Op::Cos => |k, a, o| {
            value(
                k,
                a,
                o,
                fast::EPS_TRIG,
                #[inline(always)]
                |x, mark| {
                    *mark |= x.is_nan() | (x.abs() >= fast::TRIG_LIMIT);
                    fast::cos(x)
                },
            )
        },
        _ => return None,
    })
}

/// A recipe's value as it is, unless a rounding boundary of binary32 lies within its error.
#[inline(always)]
fn value(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    eps: f64,
    function: impl Fn(f64, &mut bool) -> f64 + Copy,
) {
    rows::<1, u64, u64, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[word], mark| {
            // Recipes are for 24 bits.
            *mark |= word & ((1 << 29) - 1) != 0;
            let y = function(f64::from_bits(word), mark);
            let margin = y * eps;
            let (low, high) = ((y - margin) as f32, (y + margin) as f32);
            *mark |= (low.to_bits() != high.to_bits()) & (y.abs() < f64::INFINITY);
            y.to_bits()
        },
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decl, eval};

    fn words(n: u64) -> Vec<u64> {
        let mut random = parallax_random::Random::new(7);
        let mut next = move || random.word() as u32;
        let special = [0, 1 << 31, 1, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x3f80_0000, 0x7f7f_ffff, 0x0080_0000];
        let near_one = |w: u32| w & 0x81ff_ffff | 0x3e00_0000;
        (0..n)
            .map(|i| match i % 16 {
                0 => special[(next() % 9) as usize],
                1..=7 => near_one(next()),
                _ => next(),
            })
            .map(|bits: u32| f64::from(f32::from_bits(bits)).to_bits())
            .collect()
    }

    #[test]
    fn steps_give_the_bits_of_the_rule() {
        use Op::{Dot3, Dot4, Floor, Fma, Frac, Lrp, Mad, Max, Rcp, Rsq, Sqrt};
        for op in [Op::Div, Rcp, Sqrt, Rsq, Fma, Mad, Lrp, Floor, Frac, Max, Dot3, Dot4] {
            let rule = Rule::ieee(Decl::F32, FORMAT).normalised(op);
            let kernel = Kernel::reference(op, &rule, Format::F32);
            assert!(!kernel.is_slow(), "{op:?}");
            let n = 3000;
            let all = words(n * 8);
            let args: Vec<&[u64]> = all.chunks(n as usize).take(op.info().args.len()).collect();
            let mut out = vec![0; n as usize];
            kernel.run(&args, &mut out);
            for (i, got) in out.iter().enumerate() {
                let lane: Vec<u64> = args.iter().map(|row| row[i]).collect();
                assert_eq!(*got, eval(op, &rule, &lane), "{op:?} {lane:x?}");
            }
        }
    }

    #[test]
    fn sums_and_products_are_those_of_binary64() {
        for op in [Op::Add, Op::Sub, Op::Mul] {
            let kernel = Kernel::reference(op, &Rule::ieee(Decl::F32, FORMAT).normalised(op), Format::F32);
            let full = Rule::ieee(Decl::F64, Format::F64).normalised(op);
            let all = words(6000);
            let (a, b) = all.split_at(3000);
            let mut out = vec![0; 3000];
            kernel.run(&[a, b], &mut out);
            for (i, got) in out.iter().enumerate() {
                let want = eval(op, &full, &[a[i], b[i]]);
                let nan = f64::from_bits(*got).is_nan() && f64::from_bits(want).is_nan();
                assert!(nan || *got == want, "{op:?} {:x} {:x}", a[i], b[i]);
            }
        }
    }

    #[test]
    fn recipes_stay_close_and_on_the_right_side() {
        for op in [Op::Exp2, Op::Log2, Op::Sin, Op::Cos] {
            let wide = Rule::ieee(Decl::F32, FORMAT).normalised(op);
            let right = Rule::ieee(Decl::F32, Format::F32).normalised(op);
            let kernel = Kernel::reference(op, &wide, Format::F32);
            let row = words(20_000);
            let mut out = vec![0; row.len()];
            kernel.run(&[&row], &mut out);
            for (word, got) in row.iter().zip(&out) {
                let want = eval(op, &wide, &[*word]);
                let (y, z) = (f64::from_bits(*got), f64::from_bits(want));
                let close = (y - z).abs() <= z.abs() * 2f64.powi(-43);
                assert!(got == &want || close, "{op:?} {word:x} {y:e} {z:e}");
                let word = u64::from((f64::from_bits(*word) as f32).to_bits());
                let rounded = eval(op, &right, &[word]);
                assert!(y.is_nan() || (y as f32).to_bits() as u64 == rounded, "{op:?} {word:x} {y:e}");
            }
        }
    }
}
