//! Rounded steps over a container, and the operations composed of them.
//!
//! An implementation of [`Steps`] computes single operations in one kind of container under one family of rules. Where
//! it cannot promise the rule's bits it sets the mark.

use super::{Kernel, LaneWord, Row, RowFn, RowMut, rows};
use crate::processor::Level;
use crate::recipe::fast;
use crate::{Mad, MinMaxNan, MinMaxZero, NanCompare, Op, Rule, Storage};

/// Single rounded operations. A mark once set stays set.
pub(super) trait Steps: Copy {
    /// A value outside its container.
    type V: Copy;
    /// Words of the container.
    type Word: LaneWord;
    /// The level of instructions that rows are compiled for.
    type Level: Level;
    /// The same for the baseline: what is seldom asked is compiled for it alone.
    type Base: Steps;
    /// The container.
    fn new(rule: &Rule) -> Self;
    /// An operand; marks what the rule would flush.
    fn get(self, word: u64, mark: &mut bool) -> Self::V;
    /// A result; marks NaN.
    fn put(self, v: Self::V, mark: &mut bool) -> u64;
    /// a + b, rounded.
    fn add(self, a: Self::V, b: Self::V, mark: &mut bool) -> Self::V;
    /// a * b, rounded.
    fn mul(self, a: Self::V, b: Self::V, mark: &mut bool) -> Self::V;
    /// a * b + c, rounded once.
    fn fma(self, a: Self::V, b: Self::V, c: Self::V, mark: &mut bool) -> Self::V;
    /// a / b, rounded.
    fn div(self, a: Self::V, b: Self::V, mark: &mut bool) -> Self::V;
    /// Square root, rounded.
    fn sqrt(self, a: Self::V, mark: &mut bool) -> Self::V;
    /// The sign flipped.
    fn neg(self, a: Self::V) -> Self::V;
    /// An exact binary64 value, rounded.
    fn round_f64(self, v: f64, mark: &mut bool) -> Self::V;
    /// The exact value.
    fn exact(self, v: Self::V) -> f64;
    /// An operand's value handed on as result: rounded, flushed.
    fn settle(self, v: Self::V, mark: &mut bool) -> Self::V;
}

/// a - b.
#[inline(always)]
fn sub<S: Steps>(s: S, a: S::V, b: S::V, mark: &mut bool) -> S::V {
    s.add(a, s.neg(b), mark)
}

/// The operands of a lane; closures of array methods are not always compiled in place.
#[inline(always)]
pub(super) fn get_all<S: Steps, const N: usize>(s: S, words: [u64; N], mark: &mut bool) -> [S::V; N] {
    let mut values = [s.get(words[0], mark); N];
    for k in 1..N {
        values[k] = s.get(words[k], mark);
    }
    values
}

macro_rules! row_fns {
    ($($(#[$doc:meta])* $name:ident<$n:literal>($s:ident, $v:ident, $mark:ident) $body:expr;)+) => {
        $($(#[$doc])*
        pub(super) fn $name<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
            let $s = S::new(&kernel.rule);
            rows::<$n, S::Word, S::Word, S::Level>(kernel, args, out, #[inline(always)] |words, $mark| {
                let $v = get_all($s, words, $mark);
                let result = $body;
                $s.put(result, $mark)
            });
        })+
    };
}

row_fns! {
    add<2>(s, v, mark) s.add(v[0], v[1], mark);
    subtract<2>(s, v, mark) sub(s, v[0], v[1], mark);
    mul<2>(s, v, mark) s.mul(v[0], v[1], mark);
    div<2>(s, v, mark) s.div(v[0], v[1], mark);
    fma<3>(s, v, mark) s.fma(v[0], v[1], v[2], mark);
    mad_separate<3>(s, v, mark) { let p = s.mul(v[0], v[1], mark); s.add(p, v[2], mark) };
    lrp_fma<3>(s, v, mark) { let rest = lrp_rest(s, v, mark); s.fma(v[0], v[1], rest, mark) };
    lrp_blend<3>(s, v, mark) {
        let rest = lrp_rest(s, v, mark);
        let p = s.mul(v[0], v[1], mark);
        s.add(p, rest, mark)
    };
    lrp_difference<3>(s, v, mark) {
        let d = sub(s, v[1], v[2], mark);
        let p = s.mul(v[0], d, mark);
        s.add(p, v[2], mark)
    };
    lrp_difference_fused<3>(s, v, mark) { let d = sub(s, v[1], v[2], mark); s.fma(v[0], d, v[2], mark) };
    dot2<4>(s, v, mark) dot::<S, 2, false>(s, [v[0], v[1]], [v[2], v[3]], mark);
    dot3<6>(s, v, mark) dot::<S, 3, false>(s, [v[0], v[1], v[2]], [v[3], v[4], v[5]], mark);
    dot4<8>(s, v, mark) dot::<S, 4, false>(s, [v[0], v[1], v[2], v[3]], [v[4], v[5], v[6], v[7]], mark);
    dph<7>(s, v, mark) {
        let sum = dot::<S, 3, false>(s, [v[0], v[1], v[2]], [v[3], v[4], v[5]], mark);
        s.add(sum, v[6], mark)
    };
    dp2a<5>(s, v, mark) {
        let sum = dot::<S, 2, false>(s, [v[0], v[1]], [v[2], v[3]], mark);
        s.add(sum, v[4], mark)
    };
    dot3_reversed<6>(s, v, mark) dot::<S, 3, false>(s, [v[2], v[1], v[0]], [v[5], v[4], v[3]], mark);
    dot4_reversed<8>(s, v, mark) {
        dot::<S, 4, false>(s, [v[3], v[2], v[1], v[0]], [v[7], v[6], v[5], v[4]], mark)
    };
    dot2_fused<4>(s, v, mark) dot::<S, 2, true>(s, [v[0], v[1]], [v[2], v[3]], mark);
    dot3_fused<6>(s, v, mark) dot::<S, 3, true>(s, [v[0], v[1], v[2]], [v[3], v[4], v[5]], mark);
    dot4_fused<8>(s, v, mark) dot::<S, 4, true>(s, [v[0], v[1], v[2], v[3]], [v[4], v[5], v[6], v[7]], mark);
    dph_fused<7>(s, v, mark) {
        let sum = dot::<S, 3, true>(s, [v[0], v[1], v[2]], [v[3], v[4], v[5]], mark);
        s.add(sum, v[6], mark)
    };
    dp2a_fused<5>(s, v, mark) {
        let sum = dot::<S, 2, true>(s, [v[0], v[1]], [v[2], v[3]], mark);
        s.add(sum, v[4], mark)
    };
    rcp<1>(s, v, mark) { let one = s.round_f64(1.0, mark); s.div(one, v[0], mark) };
    sqrt<1>(s, v, mark) s.sqrt(v[0], mark);
    floor<1>(s, v, mark) { let x = s.exact(v[0]); s.round_f64(floor_of(x), mark) };
    ceil<1>(s, v, mark) { let x = s.exact(v[0]); s.round_f64(-floor_of(-x), mark) };
    trunc<1>(s, v, mark) { let x = s.exact(v[0]); s.round_f64(floor_of(x.abs()).copysign(x), mark) };
    rint<1>(s, v, mark) { let x = s.exact(v[0]); s.round_f64(rint_of(x), mark) };
    frac<1>(s, v, mark) {
        let floor = floor_of(s.exact(v[0]));
        let whole = s.round_f64(floor, mark);
        // An operand with more digits than the format may have a floor that the format lacks.
        let part = sub(s, v[0], whole, mark);
        // Nor does every rule give 1.
        *mark |= (s.exact(whole) != floor) | (s.exact(part) >= 1.0);
        part
    };
    sign<1>(s, v, mark) {
        let x = s.exact(v[0]);
        *mark |= x.is_nan();
        s.round_f64(if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 }, mark)
    };
    lit_y<1>(s, v, mark) {
        let x = s.exact(v[0]);
        // NaN and -0 are the rule's business.
        *mark |= x.is_nan() | (x == 0.0);
        s.round_f64(if x > 0.0 { x } else { 0.0 }, mark)
    };
}

#[inline(always)]
fn lrp_rest<S: Steps>(s: S, v: [S::V; 3], mark: &mut bool) -> S::V {
    let one = s.round_f64(1.0, mark);
    let weight = sub(s, one, v[0], mark);
    s.mul(weight, v[2], mark)
}

/// A product cut to the rule's bits and one rounded sum. Zero sums, and addends that are zero, are the rule's business. With
/// `BLEND`, as the last step of a blend.
pub(super) fn mad_truncated<S: Steps, const BLEND: bool>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let (bits, unless_zero) = match kernel.rule.mad {
        Mad::Truncated(bits) => (bits, false),
        Mad::TruncatedUnlessZero(bits) => (bits, true),
        Mad::Fused | Mad::Separate => (53, false),
    };
    // What is cut off a binary64 product, which is exact.
    let cut = (1u64 << 53u32.saturating_sub(bits.into()).min(52)) - 1;
    rows::<3, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let [a, b, c] = get_all(s, words, mark);
            let b = if BLEND { sub(s, b, c, mark) } else { b };
            let product = s.exact(a) * s.exact(b);
            let addend = s.exact(c);
            let cut_off = f64::from_bits(product.to_bits() & !cut);
            let sum = s.round_f64(super::narrow::odd_sum(cut_off, addend), mark);
            *mark |= product.is_nan() | (s.exact(sum) == 0.0) | (unless_zero & (addend == 0.0));
            s.put(sum, mark)
        },
    );
}

/// Left to right; the first product is rounded.
#[inline(always)]
fn dot<S: Steps, const N: usize, const FUSED: bool>(s: S, a: [S::V; N], b: [S::V; N], mark: &mut bool) -> S::V {
    let mut sum = s.mul(a[0], b[0], mark);
    for i in 1..N {
        sum = if FUSED {
            s.fma(a[i], b[i], sum, mark)
        } else {
            let p = s.mul(a[i], b[i], mark);
            s.add(sum, p, mark)
        };
    }
    sum
}

/// 2^52: from here on every binary64 is an integer.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// Nearest integer, ties to even, sign kept.
#[inline(always)]
pub(super) fn rint_of(x: f64) -> f64 {
    let a = x.abs();
    let r = (a + INTEGERS) - INTEGERS;
    (if a < INTEGERS { r } else { a }).copysign(x)
}

/// Largest integer not above x; -0 stays, fractions round to +0 from above and to -1 from below.
#[inline(always)]
pub(super) fn floor_of(x: f64) -> f64 {
    let r = rint_of(x);
    if r > x { r - 1.0 } else { r }
}

/// MIN and MAX.
#[inline(always)]
fn min_max<S: Steps, const MAX: bool>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let rule = &kernel.rule;
    // Which operand equal ones give; `Ordered` looks at the sign of zeros.
    let ordered = matches!(rule.minmax_nan, MinMaxNan::Number | MinMaxNan::Nan | MinMaxNan::Ordered)
        && rule.minmax_zero == MinMaxZero::Ordered;
    let first = match rule.minmax_nan {
        MinMaxNan::CompareB | MinMaxNan::CompareBIsNan => false,
        MinMaxNan::CompareGreater => !MAX,
        MinMaxNan::ComparePatent => MAX,
        MinMaxNan::Number | MinMaxNan::Nan | MinMaxNan::Ordered => rule.minmax_zero == MinMaxZero::First,
    };
    rows::<2, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let (a, b) = (s.get(words[0], mark), s.get(words[1], mark));
            let (x, y) = (s.exact(a), s.exact(b));
            *mark |= x.is_nan() | y.is_nan();
            let equal = if ordered { x.is_sign_negative() != MAX } else { first };
            let take_a = (if MAX { x > y } else { x < y }) | ((x == y) & equal);
            s.put(s.settle(if take_a { a } else { b }, mark), mark)
        },
    );
}

pub(super) fn min<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    min_max::<S, false>(kernel, args, out);
}

pub(super) fn max<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    min_max::<S, true>(kernel, args, out);
}

/// A comparison; NaN is marked where the rule reads it as infinity.
#[inline(always)]
fn compare<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>, test: impl Fn(f64, f64) -> bool + Copy) {
    let s = S::new(&kernel.rule);
    let nan_is_number = kernel.rule.nan_compare != NanCompare::Unordered;
    rows::<2, S::Word, u8, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let (x, y) = (s.exact(s.get(words[0], mark)), s.exact(s.get(words[1], mark)));
            *mark |= nan_is_number & (x.is_nan() | y.is_nan());
            test(x, y) as u64
        },
    );
}

/// The row function of a comparison.
pub(super) fn comparison<S: Steps>(op: Op) -> Option<RowFn> {
    Some(match op {
        Op::FEq => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x == y,
            )
        },
        Op::FNe => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x != y,
            )
        },
        Op::FLt => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x < y,
            )
        },
        Op::FLe => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x <= y,
            )
        },
        Op::FGt => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x > y,
            )
        },
        Op::FGe => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x >= y,
            )
        },
        Op::Funo => |k, a, o| {
            compare::<S>(
                k,
                a,
                o,
                #[inline(always)]
                |x, y| x.is_nan() | y.is_nan(),
            )
        },
        Op::CcOf => condition::<S>,
        _ => return None,
    })
}

fn condition<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let nan_is_number = kernel.rule.nan_compare == NanCompare::Infinity;
    rows::<1, S::Word, u8, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let x = s.exact(s.get(words[0], mark));
            *mark |= nan_is_number & x.is_nan();
            if x < 0.0 {
                0
            } else if x == 0.0 {
                1
            } else if x > 0.0 {
                2
            } else {
                3
            }
        },
    );
}

/// Float to integer. `round` gives an integer; out of range and NaN saturate.
#[inline(always)]
fn to_int<S: Steps>(
    kernel: &Kernel,
    args: &[Row<'_>],
    out: RowMut<'_>,
    signed: bool,
    round: impl Fn(f64) -> f64 + Copy,
) {
    let s = S::new(&kernel.rule);
    let exact = kernel.rule.to_int != crate::ToInt::Saturate;
    // Where the ends are numbers of the format, operands near them, and any that the format lacks, are the rule's business.
    let inside = match (kernel.rule.to_int, kernel.rule.format) {
        (crate::ToInt::SaturateFloat, crate::Format::Float(f)) if f.max_exp() < 30 => {
            f64::from_bits(((f.max_exp() + 1023) as u64) << 52)
        }
        (crate::ToInt::SaturateFloat, _) => 1_073_741_824.0,
        _ => f64::INFINITY,
    };
    rows::<1, S::Word, u32, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let x = round(s.exact(s.get(words[0], mark)));
            let (low, high) = if signed { (i32::MIN as f64, i32::MAX as f64) } else { (0.0, u32::MAX as f64) };
            *mark |= exact & !((x >= low) & (x <= high) & (x.abs() < inside));
            if signed { x as i32 as u32 as u64 } else { x as u32 as u64 }
        },
    );
}

/// The row function of a conversion to integer.
pub(super) fn integer<S: Steps>(op: Op) -> Option<RowFn> {
    Some(match op {
        Op::F2iTrunc => |k, a, o| {
            to_int::<S>(
                k,
                a,
                o,
                true,
                #[inline(always)]
                |x| floor_of(x.abs()).copysign(x),
            )
        },
        Op::F2uTrunc => |k, a, o| {
            to_int::<S>(
                k,
                a,
                o,
                false,
                #[inline(always)]
                |x| floor_of(x.abs()).copysign(x),
            )
        },
        Op::F2iFloor => |k, a, o| to_int::<S>(k, a, o, true, floor_of),
        Op::F2uFloor => |k, a, o| to_int::<S>(k, a, o, false, floor_of),
        Op::F2iCeil => |k, a, o| {
            to_int::<S>(
                k,
                a,
                o,
                true,
                #[inline(always)]
                |x| -floor_of(-x),
            )
        },
        Op::F2uCeil => |k, a, o| {
            to_int::<S>(
                k,
                a,
                o,
                false,
                #[inline(always)]
                |x| -floor_of(-x),
            )
        },
        Op::F2iRint => |k, a, o| to_int::<S>(k, a, o, true, rint_of),
        Op::F2uRint => |k, a, o| to_int::<S>(k, a, o, false, rint_of),
        _ => return None,
    })
}

/// From a 32-bit integer.
pub(super) fn from_signed<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    rows::<1, u32, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| s.put(s.round_f64(w as u32 as i32 as f64, mark), mark),
    );
}

/// From an unsigned 32-bit integer.
pub(super) fn from_unsigned<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    rows::<1, u32, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| s.put(s.round_f64(w as u32 as f64, mark), mark),
    );
}

/// A conversion into the container of `S`; the source's values are binary64 numbers.
pub(super) fn convert<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    match kernel.rule.source {
        Storage::F16 => {
            let flushes = kernel.rule.denorm_in != crate::Denormals::Keep;
            rows::<1, u16, S::Word, S::Level>(
                kernel,
                args,
                out,
                #[inline(always)]
                |[w], mark| {
                    *mark |= flushes & (1..0x400).contains(&(w & 0x7fff));
                    s.put(s.round_f64(super::narrow::half_to_f64(w), mark), mark)
                },
            )
        }
        Storage::F32 => {
            let flushes = kernel.rule.denorm_in != crate::Denormals::Keep;
            rows::<1, u32, S::Word, S::Level>(
                kernel,
                args,
                out,
                #[inline(always)]
                |[w], mark| {
                    *mark |= flushes & (1..0x80_0000).contains(&(w & 0x7fff_ffff));
                    s.put(s.round_f64(f32::from_bits(w as u32) as f64, mark), mark)
                },
            )
        }
        Storage::F64 => rows::<1, u64, S::Word, S::Level>(
            kernel,
            args,
            out,
            #[inline(always)]
            |[w], mark| s.put(s.round_f64(f64::from_bits(w), mark), mark),
        ),
        Storage::Fixed(f) => {
            let unit = f64::from_bits((1023 - f.frac as u64) << 52);
            rows::<1, u32, S::Word, S::Level>(
                kernel,
                args,
                out,
                #[inline(always)]
                |[w], mark| s.put(s.round_f64(w as u32 as i32 as f64 * unit, mark), mark),
            );
        }
    }
}

/// Rounds both ends of an interval around `y`; marks the lane if they differ.
#[inline(always)]
pub(super) fn ends<S: Steps>(s: S, y: f64, eps: f64, mark: &mut bool) -> u64 {
    // An infinity has no other end.
    let margin = if y.abs() < f64::INFINITY { y * eps } else { 0.0 };
    let low = s.put(s.round_f64(y - margin, mark), mark);
    let high = s.put(s.round_f64(y + margin, mark), mark);
    *mark |= low != high;
    low
}

/// 1 / sqrt(a) or sqrt(1 / a), each step rounded.
pub(super) fn rsq_steps<S: Steps, const ROOT_FIRST: bool>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let a = s.get(w, mark);
            let x = s.exact(a);
            *mark |= !((x > 0.0) & (x < f64::INFINITY));
            let one = s.round_f64(1.0, mark);
            let result = if ROOT_FIRST {
                let root = s.sqrt(a, mark);
                s.div(one, root, mark)
            } else {
                let reciprocal = s.div(one, a, mark);
                s.sqrt(reciprocal, mark)
            };
            s.put(result, mark)
        },
    );
}

/// The rounded natural logarithm times the rounded log2(e).
pub(super) fn log2_steps<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    rows::<1, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], mark| {
            let x = s.exact(s.get(w, mark));
            *mark |= !((x > 0.0) & (x < f64::INFINITY));
            let ln = fast::log2(x) * std::f64::consts::LN_2;
            let margin = ln * (fast::EPS_EXP_LOG * 2.0);
            let low = s.round_f64(ln - margin, mark);
            let high = s.round_f64(ln + margin, mark);
            *mark |= s.exact(low) != s.exact(high);
            let scale = s.round_f64(std::f64::consts::LOG2_E, mark);
            let result = s.mul(low, scale, mark);
            s.put(result, mark)
        },
    );
}

/// The C power of a positive base, and of +0 to a positive exponent.
pub(super) fn pow_c<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    rows::<2, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let (x, y) = (s.exact(s.get(words[0], mark)), s.exact(s.get(words[1], mark)));
            let null = (x.to_bits() == 0) & (y > 0.0);
            *mark |= !(((x > 0.0) | null) & (x < f64::INFINITY) & (y.abs() < f64::INFINITY));
            ends(s, if null { 0.0 } else { fast::pow(x, y) }, fast::EPS_POW, mark)
        },
    );
}

/// The specular term of LIT: a power where x > 0 and y > 0.
pub(super) fn lit_z<S: Steps>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = S::new(&kernel.rule);
    let clamp = kernel.rule.lit.clamp.map_or(f64::INFINITY, |bits| f32::from_bits(bits) as f64);
    rows::<3, S::Word, S::Word, S::Level>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let [x, y, w] = get_all(s, words, mark);
            let (x, y, w) = (s.exact(x), s.exact(y), s.exact(w));
            let w = if w > clamp { clamp } else { w };
            let w = if w < -clamp { -clamp } else { w };
            let lit = x > 0.0;
            *mark |= x.is_nan() | y.is_nan() | (y == f64::INFINITY) | !w.is_finite() | (lit & (y <= 0.0) & (w <= 0.0));
            let power = fast::pow(if y > 0.0 { y } else { 1.0 }, w);
            ends(s, if lit & (y > 0.0) { power } else { 0.0 }, fast::EPS_POW, mark)
        },
    );
}
