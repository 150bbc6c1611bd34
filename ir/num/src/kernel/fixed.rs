//! Fixed point rounded to nearest even, in 64-bit integers.

use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::processor::Baseline;
use crate::{DotOrder, FixedFormat, Format, Lrp, Op, Round, Rule, Saturate, Storage};

/// A format's range and the instruction's clamp.
#[derive(Copy, Clone)]
struct Fixed {
    frac: u32,
    lowest: i64,
    highest: i64,
    /// Ends of the instruction's clamp, inside the range.
    floor: i64,
    ceiling: i64,
}

impl Fixed {
    fn new(rule: &Rule) -> Fixed {
        let f = match rule.format {
            Format::Fixed(f) => f,
            // `select` asks for fixed point only.
            Format::Float(_) => FixedFormat { int: 1, frac: 0 },
        };
        let highest = (1i64 << (f.int + f.frac - 1)) - 1;
        let one = (1i64 << f.frac).min(highest);
        let (floor, ceiling) = match rule.saturate {
            Saturate::None => (-highest - 1, highest),
            Saturate::Unsigned => (0, one),
            Saturate::Signed => (-(1i64 << f.frac), one),
        };
        Fixed { frac: f.frac as u32, lowest: -highest - 1, highest, floor: floor.max(-highest - 1), ceiling }
    }

    /// An operand; words outside the range are marked.
    #[inline(always)]
    fn get(self, word: u64, mark: &mut bool) -> i64 {
        let v = word as u32 as i32 as i64;
        *mark |= (v < self.lowest) | (v > self.highest);
        v
    }

    /// A step's result inside the range.
    #[inline(always)]
    fn clamp(self, v: i64) -> i64 {
        v.clamp(self.lowest, self.highest)
    }

    /// A value with twice the fraction bits, rounded to nearest even.
    #[inline(always)]
    fn round(self, v: i64) -> i64 {
        let half = (1i64 << self.frac) >> 1;
        let last = v >> self.frac & 1;
        if self.frac == 0 { v } else { (v + half - 1 + last) >> self.frac }
    }

    #[inline(always)]
    fn mul(self, a: i64, b: i64) -> i64 {
        self.clamp(self.round(a * b))
    }

    #[inline(always)]
    fn put(self, v: i64) -> u64 {
        self.clamp(v).clamp(self.floor, self.ceiling) as i32 as u32 as u64
    }

    /// Sum of products, and of `tail`: one rounding, or one per step.
    #[inline(always)]
    fn dot<const N: usize>(self, wide: bool, a: [i64; N], b: [i64; N], tail: Option<i64>) -> i64 {
        if wide {
            let mut sum = tail.unwrap_or(0) << self.frac;
            for i in 0..N {
                sum += a[i] * b[i];
            }
            return self.round(sum);
        }
        let mut sum = self.mul(a[0], b[0]);
        for i in 1..N {
            sum = self.clamp(sum + self.mul(a[i], b[i]));
        }
        sum + tail.unwrap_or(0)
    }
}

macro_rules! fixed_fns {
    ($($name:ident<$n:literal>($f:ident, $v:ident, $rule:ident) $body:expr;)+) => {
        $(fn $name(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
            let $f = Fixed::new(&kernel.rule);
            let $rule = &kernel.rule;
            let _ = $rule;
            rows::<$n, u32, u32, Baseline>(kernel, args, out, #[inline(always)] |words, mark| {
                let mut $v = [0; $n];
                for (v, word) in $v.iter_mut().zip(words) {
                    *v = $f.get(word, mark);
                }
                $f.put($body)
            });
        })+
    };
}

fixed_fns! {
    add<2>(f, v, rule) v[0] + v[1];
    sub<2>(f, v, rule) v[0] - v[1];
    mul<2>(f, v, rule) f.round(v[0] * v[1]);
    fma<3>(f, v, rule) f.round(v[0] * v[1] + (v[2] << f.frac));
    mad<3>(f, v, rule) f.dot(rule.fixed_wide, [v[0]], [v[1]], Some(v[2]));
    dot2<4>(f, v, rule) f.dot(rule.fixed_wide, [v[0], v[1]], [v[2], v[3]], None);
    dot3<6>(f, v, rule) f.dot(rule.fixed_wide, [v[0], v[1], v[2]], [v[3], v[4], v[5]], None);
    dot4<8>(f, v, rule) f.dot(rule.fixed_wide, [v[0], v[1], v[2], v[3]], [v[4], v[5], v[6], v[7]], None);
    dph<7>(f, v, rule) f.dot(rule.fixed_wide, [v[0], v[1], v[2]], [v[3], v[4], v[5]], Some(v[6]));
    dp2a<5>(f, v, rule) f.dot(rule.fixed_wide, [v[0], v[1]], [v[2], v[3]], Some(v[4]));
    lrp<3>(f, v, rule) {
        let rest = (1i64 << f.frac) - v[0];
        match (rule.fixed_wide, rule.lrp) {
            (true, _) => f.round(v[0] * v[1] + rest * v[2]),
            (false, Lrp::Difference) => f.mul(v[0], f.clamp(v[1] - v[2])) + v[2],
            (false, _) => f.mul(v[0], v[1]) + f.mul(one_minus(f, v[0]), v[2]),
        }
    };
    min<2>(f, v, rule) v[0].min(v[1]);
    max<2>(f, v, rule) v[0].max(v[1]);
    floor<1>(f, v, rule) v[0] >> f.frac << f.frac;
    ceil<1>(f, v, rule) -(-v[0] >> f.frac << f.frac);
    frac<1>(f, v, rule) v[0] - (v[0] >> f.frac << f.frac);
    lit_y<1>(f, v, rule) v[0].max(0);
}

/// 1 - a as a step of its own: 1 itself may be above the range.
#[inline(always)]
fn one_minus(f: Fixed, a: i64) -> i64 {
    f.clamp((1i64 << f.frac) - a)
}

/// A comparison of the words as integers.
#[inline(always)]
fn compare(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>, test: impl Fn(i32, i32) -> bool + Copy) {
    rows::<2, u32, u8, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[a, b], _| test(a as u32 as i32, b as u32 as i32) as u64,
    );
}

/// Into fixed point from any container's exact binary64 value.
fn convert(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let f = Fixed::new(&kernel.rule);
    let scale = f64::from_bits((1023 + f.frac as u64) << 52);
    let (low, high) = (f.lowest as f64, f.highest as f64);
    // 1.5 * 2^52: adding it rounds to the nearest integer, ties to even.
    const MAGIC: f64 = 6_755_399_441_055_744.0;
    let lane = move |v: f64, mark: &mut bool| {
        *mark |= v.is_nan();
        let scaled = v * scale;
        let scaled = if scaled < low { low } else { scaled };
        let scaled = if scaled > high { high } else { scaled };
        f.put((scaled + MAGIC).to_bits() as i64 - MAGIC.to_bits() as i64)
    };
    match kernel.rule.source {
        Storage::F16 => {
            let flushes = kernel.rule.denorm_in != crate::Denormals::Keep;
            rows::<1, u16, u32, Baseline>(
                kernel,
                args,
                out,
                #[inline(always)]
                |[w], mark| {
                    *mark |= flushes & (1..0x400).contains(&(w & 0x7fff));
                    lane(super::narrow::half_to_f64(w), mark)
                },
            );
        }
        Storage::F32 => rows::<1, u32, u32, Baseline>(
            kernel,
            args,
            out,
            #[inline(always)]
            |[w], mark| lane(f32::from_bits(w as u32) as f64, mark),
        ),
        Storage::F64 => rows::<1, u64, u32, Baseline>(
            kernel,
            args,
            out,
            #[inline(always)]
            |[w], mark| lane(f64::from_bits(w), mark),
        ),
        Storage::Fixed(from) => {
            let unit = f64::from_bits((1023 - from.frac as u64) << 52);
            rows::<1, u32, u32, Baseline>(
                kernel,
                args,
                out,
                #[inline(always)]
                |[w], mark| lane(w as u32 as i32 as f64 * unit, mark),
            );
        }
    }
}

/// The fast path of an operation under a fixed-point rule.
pub(super) fn select(op: Op, rule: &Rule) -> Option<RowFn> {
    let Format::Fixed(f) = rule.format else { return None };
    if rule.storage != Storage::Fixed(f) || f.int + f.frac > 24 || rule.round != Round::NearestEven || rule.scale != 0 {
        return None;
    }
    let stepwise_pairs = !rule.fixed_wide && !matches!(rule.dot.order, DotOrder::LeftToRight | DotOrder::Exact);
    // Equal fixed-point numbers are equal words, so every form of MIN and MAX agrees.
    Some(match op {
        Op::Add => add,
        Op::Sub => sub,
        Op::Mul | Op::Dst => mul,
        Op::Fma => fma,
        Op::Mad => mad,
        Op::Dot2 => dot2,
        Op::Dot3 if !stepwise_pairs => dot3,
        Op::Dot4 if !stepwise_pairs => dot4,
        Op::Dph if !stepwise_pairs => dph,
        Op::Dp2a if !stepwise_pairs || rule.dot.order == DotOrder::Pairwise => dp2a,
        Op::Lrp => lrp,
        Op::Min => min,
        Op::Max => max,
        Op::Floor => floor,
        Op::Ceil => ceil,
        Op::Frac => frac,
        Op::LitY => lit_y,
        Op::Cvt => convert,
        Op::FEq => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x == y,
            )
        },
        Op::FNe => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x != y,
            )
        },
        Op::FLt => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x < y,
            )
        },
        Op::FLe => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x <= y,
            )
        },
        Op::FGt => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x > y,
            )
        },
        Op::FGe => |k, a, o| {
            compare(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x >= y,
            )
        },
        Op::CcOf => |k, a, o| {
            rows::<1, u32, u8, Baseline>(
                k,
                a,
                o,
                #[inline(always)]
                |[w], _| ((w as u32 as i32).signum() + 1) as u64,
            )
        },
        _ => return None,
    })
}
