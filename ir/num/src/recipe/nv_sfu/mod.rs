//! The special function unit of NVIDIA's SM 5.0 to 7.5, to the bit: a table row chosen by the leading fraction bits, a quadratic
//! interpolation in integers whose squarer leaves out its low columns, and a cut below the 24th bit.
//!
//! Everything is a shift, mask, product or sum of 64-bit integers, so any backend can have the same bits. The data path is that
//! of the ptx-math project, which its author compared with hardware over all inputs.

mod tables;

use crate::soft::value::{Real, Val, default_nan};
use crate::{Op, Rule};

/// What the interpolation of one function looks like.
#[derive(Copy, Clone, Debug)]
pub struct Path {
    /// Coefficients: 28 bits from bit 28 on, 17 from bit 11 on, 11.
    pub rows: &'static [u64],
    /// Leading fraction bits that choose the row.
    pub lead: u32,
    /// Fraction bits of the three coefficients.
    pub weights: [u32; 3],
    /// Whether the linear and the quadratic term are subtracted.
    pub minus: [bool; 2],
    /// Rounding constant, of weight 2^-40.
    pub bias: u64,
}

/// 1 / x of a significand.
pub const RCP: Path = Path { rows: &tables::RCP, lead: 7, weights: [26, 16, 10], minus: [true, false], bias: 0xcfce };
/// 1 / sqrt(x); the second half of the rows is for odd exponents.
pub const RSQ: Path = Path { rows: &tables::RSQ, lead: 6, weights: [26, 17, 11], minus: [true, false], bias: 0xffff };
/// sqrt(x), likewise.
pub const SQRT: Path = Path { rows: &tables::SQRT, lead: 6, weights: [25, 17, 12], minus: [false, true], bias: 0xffff };
/// sin of a part of a quarter turn.
pub const SIN: Path = Path { rows: &tables::SIN, lead: 6, weights: [25, 14, 10], minus: [false, true], bias: 0 };
/// 2^x of a fraction.
pub const EXP2: Path =
    Path { rows: &tables::EXP2, lead: 6, weights: [25, 15, 11], minus: [false, false], bias: 0xdf88 };
/// log2(x) of a significand.
pub const LOG2: Path =
    Path { rows: &tables::LOG2, lead: 6, weights: [26, 15, 10], minus: [false, true], bias: 0x10d16 };

/// All 23 fraction bits.
const FRACTION: u32 = 0x7f_ffff;

impl Path {
    /// Fraction bits of the sum.
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        46 + self.weights[2]
    }

    /// The interpolated value for a fraction of 23 bits; `odd` takes the second half of the table.
    #[inline(always)]
    fn sum(&self, fraction: u32, odd: bool) -> u64 {
        let rest = 23 - self.lead;
        let (high, low) = ((fraction >> rest) as usize, u64::from(fraction & ((1 << rest) - 1)));
        let row = self.rows[(high | usize::from(odd) << self.lead) % self.rows.len()];
        let (c0, c1, c2) = (row >> 28, row >> 11 & 0x1ffff, row & 0x7ff);
        let width = self.width();
        let base = (c0 << (width - self.weights[0])).wrapping_add(self.bias << (width - 40));
        let linear = (c1 * low) << (width - self.weights[1] - 23);
        let square = c2 * truncated_square(low, rest + 2 - u32::from(rest == 16));
        let with_linear = if self.minus[0] { base.wrapping_sub(linear) } else { base.wrapping_add(linear) };
        if self.minus[1] { with_linear.wrapping_sub(square) } else { with_linear.wrapping_add(square) }
    }

    /// 23 bits of a sum below bit `from`.
    #[inline(always)]
    const fn cut(sum: u64, from: u32) -> u32 {
        (if from >= 23 { sum >> (from - 23) } else { sum << (23 - from) }) as u32 & FRACTION
    }
}

/// The square of a number of at most 17 bits by a folded array whose columns below `first` are not built: bit i alone stands in
/// column 2i, a pair i < j in column i + j + 1.
#[inline(always)]
fn truncated_square(x: u64, first: u32) -> u64 {
    let mut missing = 0;
    for i in 0..10u32 {
        let alone = if 2 * i < first { 1 << (2 * i) } else { 0 };
        // The partners j of i whose column is missing: i < j < first - 1 - i.
        let partners = first.saturating_sub(2 * i + 2);
        let pairs = (x >> (i + 1) & ((1 << partners) - 1)) << (2 * i + 2);
        missing += if x >> i & 1 != 0 { alone + pairs } else { 0 };
    }
    x * x - missing
}

/// A result of the unit: never rounded, its fraction is cut to 23 bits.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Output {
    /// A zero and its sign.
    Zero(bool),
    /// An infinity and its sign.
    Infinity(bool),
    /// NaN.
    Nan,
    /// (-1)^neg * 1.fraction * 2^exp.
    Number {
        /// The sign.
        neg: bool,
        /// The exponent, which may be out of binary32's range.
        exp: i32,
        /// The fraction, 23 bits.
        fraction: u32,
    },
}

/// A function of the unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    /// 1 / x.
    Rcp,
    /// 1 / sqrt(x).
    Rsq,
    /// sqrt(x) by its own table.
    Sqrt,
    /// 2^x.
    Exp2,
    /// log2(x).
    Log2,
    /// log2(|x|).
    Log2Magnitude,
    /// sin(x), reduced by the unit's own fixed-point step.
    Sin,
    /// cos(x), likewise.
    Cos,
    /// sin(2 pi x).
    SinTurns,
    /// cos(2 pi x).
    CosTurns,
}

impl Function {
    /// The function that an operation asks for.
    pub(crate) const fn of(op: Op) -> Option<Function> {
        Some(match op {
            Op::Rcp => Function::Rcp,
            Op::Rsq => Function::Rsq,
            Op::Sqrt => Function::Sqrt,
            Op::Exp2 | Op::Exp2Part => Function::Exp2,
            Op::Log2 => Function::Log2,
            Op::Log2Part => Function::Log2Magnitude,
            Op::Sin => Function::Sin,
            Op::Cos => Function::Cos,
            _ => return None,
        })
    }

    /// The same function of an angle in turns.
    pub(crate) const fn of_turns(self) -> Function {
        match self {
            Function::Sin => Function::SinTurns,
            Function::Cos => Function::CosTurns,
            other => other,
        }
    }
}

/// A nonzero finite binary32 number as sign, exponent and 23 fraction bits; denormals are normalised.
#[inline(always)]
fn parts(x: u32) -> (bool, i32, u32) {
    let magnitude = x & 0x7fff_ffff;
    let (exp, fraction) = if magnitude >= 1 << 23 {
        ((magnitude >> 23) as i32 - 127, magnitude & FRACTION)
    } else {
        let up = magnitude.leading_zeros() - 8;
        (-126 - up as i32, magnitude << up & FRACTION)
    };
    (x >> 31 != 0, exp, fraction)
}

/// The function of a binary32 pattern. Denormals count as the numbers they are; the caller flushes. For the logarithm of a
/// denormal the caller scales, for 2^x below -126 it halves.
#[inline(always)]
pub(crate) fn evaluate(function: Function, x: u32) -> Output {
    let magnitude = x & 0x7fff_ffff;
    let negative = x >> 31 != 0;
    if magnitude > 0x7f80_0000 {
        return Output::Nan;
    }
    let (infinite, zero) = (magnitude == 0x7f80_0000, magnitude == 0);
    match function {
        Function::Rcp => {
            if infinite | zero {
                return if zero { Output::Infinity(negative) } else { Output::Zero(negative) };
            }
            let (neg, exp, fraction) = parts(x);
            let sum = RCP.sum(fraction, false);
            let below = u32::from(sum >> RCP.width() & 1 == 0);
            Output::Number { neg, exp: -exp - below as i32, fraction: Path::cut(sum << below, RCP.width()) }
        }
        Function::Rsq | Function::Sqrt => {
            let root = function == Function::Sqrt;
            if zero {
                return if root { Output::Zero(negative) } else { Output::Infinity(negative) };
            }
            if negative {
                return Output::Nan;
            }
            if infinite {
                return if root { Output::Infinity(false) } else { Output::Zero(false) };
            }
            let (_, exp, fraction) = parts(x);
            let (odd, half) = (exp & 1 != 0, exp >> 1);
            if root {
                let sum = SQRT.sum(fraction, odd);
                return Output::Number { neg: false, exp: half, fraction: Path::cut(sum, SQRT.width()) };
            }
            if !odd && fraction == 0 {
                return Output::Number { neg: false, exp: -half, fraction: 0 };
            }
            let sum = RSQ.sum(fraction, odd) << 1;
            Output::Number { neg: false, exp: -1 - half, fraction: Path::cut(sum, RSQ.width()) }
        }
        Function::Exp2 => {
            if infinite {
                return if negative { Output::Zero(false) } else { Output::Infinity(false) };
            }
            if zero {
                return Output::Number { neg: false, exp: 0, fraction: 0 };
            }
            let (neg, exp, fraction) = parts(x);
            // |x| as a whole part and 23 bits, what is below dropped; from 2^8 on the result is out of range anyway.
            let fixed = if exp > 7 { 256 << 23 } else { u64::from(fraction | 1 << 23) << 8 >> (8 - exp).min(63) };
            let (whole, part) = ((fixed >> 23) as i32, fixed as u32 & FRACTION);
            let (exp, part) = match (neg, part) {
                (false, _) => (whole, part),
                (true, 0) => (-whole, 0),
                (true, _) => (-whole - 1, FRACTION - part),
            };
            if exp > 127 {
                return Output::Infinity(false);
            }
            if exp < -126 {
                return Output::Zero(false);
            }
            Output::Number { neg: false, exp, fraction: Path::cut(EXP2.sum(part, false), EXP2.width()) }
        }
        Function::Log2 | Function::Log2Magnitude => {
            if zero {
                return Output::Infinity(true);
            }
            if negative && function == Function::Log2 {
                return Output::Nan;
            }
            if infinite {
                return Output::Infinity(false);
            }
            let (_, exp, fraction) = parts(magnitude);
            let sum = i64::from(exp) << LOG2.width();
            let value = sum.wrapping_add(LOG2.sum(fraction, false) as i64);
            let kept = value.unsigned_abs() & !0xf_ffff;
            if (exp == 0 && fraction == 0) || kept == 0 {
                return Output::Zero(false);
            }
            let top = 63 - kept.leading_zeros();
            Output::Number { neg: exp < 0, exp: top as i32 - LOG2.width() as i32, fraction: Path::cut(kept, top) }
        }
        Function::Sin | Function::Cos | Function::SinTurns | Function::CosTurns => {
            if infinite {
                return Output::Nan;
            }
            let turns = matches!(function, Function::SinTurns | Function::CosTurns);
            let angle = if turns { turns_to_angle(x) } else { radians_to_angle(x) };
            let (quadrant, part) = (angle >> 23, angle & FRACTION);
            let odd = quadrant & 1 != 0;
            let cosine = matches!(function, Function::Cos | Function::CosTurns);
            let neg = if cosine { matches!(quadrant, 1 | 2) } else { negative != (quadrant >= 2) };
            let sum = SIN.sum(if odd != cosine { FRACTION - part } else { part }, false);
            if sum == 0 {
                return Output::Zero(neg);
            }
            let top = 63 - sum.leading_zeros();
            Output::Number { neg, exp: top as i32 - SIN.width() as i32, fraction: Path::cut(sum, top) }
        }
    }
}

/// An angle in radians as a quadrant (two bits) and 23 bits: the product with 2/pi to 24 bits, whose low bits are lost for large
/// angles.
#[inline(always)]
fn radians_to_angle(x: u32) -> u32 {
    let exp = (x >> 23 & 0xff) as i32 - 127;
    if !(-126..33).contains(&exp) {
        return 0;
    }
    let product = u64::from(x & FRACTION | 1 << 23) * 0x00a2_f983;
    let fixed = if exp < 24 { product >> (24 - exp).min(63) } else { product << (exp - 24) };
    let lost = (exp - 8).max(0) as u32;
    fixed as u32 & 0x1ff_ffff & !((1u32 << lost) - 1)
}

/// An angle in turns as a quadrant and 23 bits.
#[inline(always)]
fn turns_to_angle(x: u32) -> u32 {
    let exp = (x >> 23 & 0xff) as i32 - 127;
    if !(-26..23).contains(&exp) {
        return 0;
    }
    let significand = u64::from(x & FRACTION | 1 << 23);
    let fixed = if exp < -2 { significand >> (-2 - exp) } else { significand << (exp + 2) };
    fixed as u32 & 0x1ff_ffff
}

/// A result as an exact value.
fn value(output: Output, rule: &Rule) -> Val {
    match output {
        Output::Zero(neg) => Val::Zero(neg),
        Output::Infinity(neg) => Val::Inf(neg),
        Output::Nan => default_nan(rule),
        Output::Number { neg, exp, fraction } => {
            Val::Real(Real { neg, exp: exp - 23, sig: u128::from(fraction | 1 << 23), sticky: false })
        }
    }
}

/// The function of a binary32 pattern under a rule, before the result is rounded into the rule's format. `flush`: tiny results
/// are flushed, as the bare unit does; otherwise denormals are reached by the scaling that the compiler puts around it.
pub(crate) fn function(function: Function, rule: &Rule, x: u32, flush: bool) -> Val {
    let magnitude = x & 0x7fff_ffff;
    let denormal = (1..0x80_0000).contains(&magnitude);
    match function {
        Function::Exp2 if !flush && (x > 0xc2fc_0000 && x < 0xff80_0000) => {
            // Half of a normal number is exact.
            match evaluate(function, x - (1 << 23)) {
                Output::Number { exp, fraction, .. } => {
                    let root = u128::from(fraction | 1 << 23);
                    Val::Real(Real { neg: false, exp: 2 * (exp - 23), sig: root * root, sticky: false })
                }
                other => value(other, rule),
            }
        }
        Function::Log2 | Function::Log2Magnitude if denormal => {
            let (neg, exp, fraction) = parts(x);
            let scaled = u32::from(neg) << 31 | ((exp + 24 + 127) as u32) << 23 | fraction;
            let offset = Val::int(-24);
            crate::soft::arith::exact_add(rule, value(evaluate(function, scaled), rule), offset)
        }
        // Not an angle at all: the unit reads it as zero.
        Function::Sin | Function::Cos | Function::SinTurns | Function::CosTurns if denormal => {
            value(evaluate(function, x & 1 << 31), rule)
        }
        _ => value(evaluate(function, x), rule),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input fraction, sum and missing columns as the unit's description works them out for 3.2.
    #[test]
    fn the_squarer_leaves_out_its_low_columns() {
        assert_eq!(truncated_square(0xcccd, 17), 0xa3d4_0000);
        assert_eq!(truncated_square(0xcccd, 19), 0xa3c0_0000);
        assert_eq!(truncated_square(0x1_999a, 19), 0x2_8f50_0000);
        assert_eq!(truncated_square(0x6665, 19), 0x28e8_0000);
        assert_eq!(truncated_square(0x1_3d94, 19), 0x1_89e8_0000);
        for x in 0..1u64 << 17 {
            let full = truncated_square(x, 0);
            assert_eq!(full, x * x);
            let cut = truncated_square(x, 19);
            assert!(cut <= x * x && cut.is_multiple_of(1 << 19), "{x:x}");
        }
    }

    #[test]
    fn sums_before_the_cut() {
        let fraction = 0x4c_cccd;
        assert_eq!(RCP.sum(fraction, false), 0xa0_0000_2ec0_0000);
        assert_eq!(RSQ.sum(fraction, true), 0x11e_377b_14a8_0000);
        assert_eq!(SQRT.sum(fraction, true), 0x727_c973_fb34_0000);
        assert_eq!(LOG2.sum(fraction, false), 0xad_9621_346e_0000);
        assert_eq!(radians_to_angle(0x404c_cccd), 0x104_c26b);
    }
}
