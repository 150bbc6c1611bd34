//! The special function unit of NVIDIA's SM 5.0 to 7.5, to the bit: a table row chosen by the leading fraction bits, a quadratic
//! interpolation in integers whose squarer leaves out its low columns, and a cut below the 24th bit.
//!
//! Everything is a shift, mask, product or sum of 64-bit integers, so any backend can have the same bits. The data path is that
//! of the ptx-math project, which its author compared with hardware over all inputs. [`evaluate`] is its one text, for values
//! and for programs.

mod tables;

use crate::arithmetic::{Integers, Values, Words};
use crate::soft::value::{Real, Val, default_nan};
use crate::{Op, Rule};

/// What the interpolation of one function looks like.
#[derive(Copy, Clone, Debug)]
pub struct Path {
    /// Coefficients: 28 bits from bit 28 on, 17 from bit 11 on, 11.
    pub rows: &'static [u64],
    /// Leading fraction bits that choose the row.
    lead: u32,
    /// Fraction bits of the three coefficients.
    weights: [u32; 3],
    /// Whether the linear and the quadratic term are subtracted.
    minus: [bool; 2],
    /// Rounding constant, of weight 2^-40.
    bias: u64,
}

/// 1 / x of a significand.
const RCP: Path = Path { rows: &tables::RCP, lead: 7, weights: [26, 16, 10], minus: [true, false], bias: 0xcfce };
/// 1 / sqrt(x); the second half of the rows is for odd exponents.
const RSQ: Path = Path { rows: &tables::RSQ, lead: 6, weights: [26, 17, 11], minus: [true, false], bias: 0xffff };
/// sqrt(x), likewise.
const SQRT: Path = Path { rows: &tables::SQRT, lead: 6, weights: [25, 17, 12], minus: [false, true], bias: 0xffff };
/// sin of a part of a quarter turn.
const SIN: Path = Path { rows: &tables::SIN, lead: 6, weights: [25, 14, 10], minus: [false, true], bias: 0 };
/// 2^x of a fraction.
const EXP2: Path = Path { rows: &tables::EXP2, lead: 6, weights: [25, 15, 11], minus: [false, false], bias: 0xdf88 };
/// log2(x) of a significand.
const LOG2: Path = Path { rows: &tables::LOG2, lead: 6, weights: [26, 15, 10], minus: [false, true], bias: 0x10d16 };

/// A table of the unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Table {
    Rcp,
    Rsq,
    Sqrt,
    Sin,
    Exp2,
    Log2,
}

impl Table {
    /// All of them, in the order of their numbers.
    pub const ALL: [Table; 6] = [Table::Rcp, Table::Rsq, Table::Sqrt, Table::Sin, Table::Exp2, Table::Log2];

    /// The name of its function.
    pub const fn name(self) -> &'static str {
        match self {
            Table::Rcp => "rcp",
            Table::Rsq => "rsq",
            Table::Sqrt => "sqrt",
            Table::Sin => "sin",
            Table::Exp2 => "exp2",
            Table::Log2 => "log2",
        }
    }

    /// The interpolation that the rows are for.
    const fn path(self) -> &'static Path {
        match self {
            Table::Rcp => &RCP,
            Table::Rsq => &RSQ,
            Table::Sqrt => &SQRT,
            Table::Sin => &SIN,
            Table::Exp2 => &EXP2,
            Table::Log2 => &LOG2,
        }
    }

    /// Its rows.
    pub const fn rows(self) -> &'static [u64] {
        self.path().rows
    }

    /// Fraction bits of the interpolated value.
    const fn width(self) -> u32 {
        46 + self.path().weights[2]
    }

    /// The interpolated value for a fraction of 23 bits; `odd`, 0 or 1, takes the second half of the rows.
    #[inline(always)]
    fn interpolate<A: Unit>(self, a: &mut A, fraction: A::Word, odd: Option<A::Word>) -> A::Long {
        let path = self.path();
        let rest = 23 - path.lead;
        let high = a.shr(fraction, rest);
        let low = a.mask(fraction, (1 << rest) - 1);
        let low = a.zext(low);
        let number = match odd {
            None => high,
            Some(odd) => {
                let half = a.shl(odd, path.lead);
                a.or(high, half)
            }
        };
        let row = a.row(self, number);
        let (c0, c1) = (a.shr(row, 28), a.shr(row, 11));
        let (m1, m2) = (a.long(0x1ffff), a.long(0x7ff));
        let (c1, c2) = (a.and(c1, m1), a.and(row, m2));
        let width = self.width();
        let base = a.shl(c0, width - path.weights[0]);
        let bias = a.long(path.bias << (width - 40));
        let base = a.add(base, bias);
        let linear = a.mul(c1, low);
        let linear = a.shl(linear, width - path.weights[1] - 23);
        let square = truncated_square(a, low, rest + 2 - u32::from(rest == 16));
        let square = a.mul(c2, square);
        let sum = if path.minus[0] { a.sub(base, linear) } else { a.add(base, linear) };
        if path.minus[1] { a.sub(sum, square) } else { a.add(sum, square) }
    }
}

/// All 23 fraction bits.
const FRACTION: i32 = 0x7f_ffff;

/// The square of a number of at most 17 bits by a folded array whose columns below `first` are not built: bit i alone stands in
/// column 2i, a pair i < j in column i + j + 1.
#[inline(always)]
fn truncated_square<A: Integers>(a: &mut A, x: A::Long, first: u32) -> A::Long {
    let mut square = a.mul(x, x);
    let (one, zero) = (a.long(1), a.long(0));
    for i in 0..10u32 {
        let alone = if 2 * i < first { 1 << (2 * i) } else { 0 };
        // The partners j of i whose column is missing: i < j < first - 1 - i.
        let partners = first.saturating_sub(2 * i + 2);
        if alone == 0 && partners == 0 {
            continue;
        }
        let pairs = a.shr(x, i + 1);
        let kept = a.long((1 << partners) - 1);
        let pairs = a.and(pairs, kept);
        let pairs = a.shl(pairs, 2 * i + 2);
        let alone = a.long(alone);
        let missing = a.or(pairs, alone);
        let bit = a.shr(x, i);
        let bit = a.and(bit, one);
        let all = a.sub(zero, bit);
        let missing = a.and(missing, all);
        square = a.sub(square, missing);
    }
    square
}

/// 23 bits of a sum below bit `from`.
#[inline(always)]
fn cut<A: Integers>(a: &mut A, sum: A::Long, from: u32) -> A::Word {
    let v = a.shr(sum, from - 23);
    let v = a.low(v);
    a.mask(v, FRACTION)
}

/// The exponent of a sum of `width` fraction bits, and 23 bits below its leading one.
#[inline(always)]
fn normalised<A: Integers>(a: &mut A, sum: A::Long, width: u32) -> (A::Word, A::Word) {
    let zeros = a.leading_zeros(sum);
    let exp = a.less_from(63 - width as i32, zeros);
    let top = a.shl_by(sum, zeros);
    (exp, cut(a, top, 63))
}

/// What the unit is computed in.
pub trait Unit: Integers {
    /// A result of the unit: never rounded, its fraction is cut to 23 bits.
    type Output: Copy;

    /// The row of a table; the number counts modulo its length.
    fn row(&mut self, table: Table, number: Self::Word) -> Self::Long;
    /// The number 1.fraction * 2^exp.
    fn finite(&mut self, exp: Self::Word, fraction: Self::Word) -> Self::Output;
    /// A zero, an infinity or NaN.
    fn special(&mut self, v: f32) -> Self::Output;
    /// The result with this sign bit, if its own is 0.
    fn signed(&mut self, v: Self::Output, sign: Self::Word) -> Self::Output;
    /// The first result where the condition is true, else the second.
    fn choose(&mut self, condition: Self::Truth, a: Self::Output, b: Self::Output) -> Self::Output;
    /// The result of an operand that is no special value, where it is `tiny`: too small for a normal number.
    fn underflow(&mut self, x: &Operand<Self>, tiny: Self::Truth, v: Self::Output) -> Self::Output
    where
        Self: Sized;
}

/// A binary32 operand in parts.
pub struct Operand<A: Values> {
    /// The sign bit, in its place.
    pub sign: A::Word,
    /// Whether the sign bit is set.
    pub negative: A::Truth,
    /// The exponent of a normal number.
    pub exp: A::Word,
    /// 23 bits.
    pub fraction: A::Word,
    /// Whether it is a zero.
    pub zero: A::Truth,
    /// Whether it is an infinity.
    pub infinite: A::Truth,
    /// Whether it is NaN.
    pub nan: A::Truth,
}

impl<A: Integers> Operand<A> {
    /// The parts of a pattern.
    #[inline(always)]
    pub fn of(a: &mut A, bits: A::Word) -> Operand<A> {
        let magnitude = a.mask(bits, i32::MAX);
        let sign = a.mask(bits, i32::MIN);
        let negative = a.is_below(bits, 0);
        let field = a.shr(magnitude, 23);
        let exp = a.plus(field, -127);
        let fraction = a.mask(magnitude, FRACTION);
        let zero = a.is(magnitude, 0);
        let infinite = a.is(magnitude, 0x7f80_0000);
        let nan = a.is_above(magnitude, 0x7f80_0000);
        Operand { sign, negative, exp, fraction, zero, infinite, nan }
    }

    /// The significand of a normal number.
    #[inline(always)]
    fn significand(&self, a: &mut A) -> A::Long {
        let hidden = a.word(1 << 23);
        let significand = a.or(self.fraction, hidden);
        a.zext(significand)
    }
}

/// A function of the unit.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Function {
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
    pub const fn of(op: Op) -> Option<Function> {
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
    pub const fn of_turns(self) -> Function {
        match self {
            Function::Sin => Function::SinTurns,
            Function::Cos => Function::CosTurns,
            other => other,
        }
    }
}

/// A function of a normal number or a special value. For 2^x below -126 without flushing the caller halves.
#[inline(always)]
pub fn evaluate<A: Unit>(a: &mut A, function: Function, x: &Operand<A>) -> A::Output {
    let (zero, infinity, nan) = (a.special(0.0), a.special(f32::INFINITY), a.special(f32::NAN));
    match function {
        Function::Rcp => {
            let width = Table::Rcp.width();
            let sum = Table::Rcp.interpolate(a, x.fraction, None);
            let top = a.shr(sum, width);
            let top = a.low(top);
            let top = a.mask(top, 1);
            let one = a.word(1);
            let below = a.xor(top, one);
            let (minus, shifted) = (a.less_from(0, x.exp), a.shl_by(sum, below));
            let exp = a.sub(minus, below);
            let fraction = cut(a, shifted, width);
            let v = a.finite(exp, fraction);
            let tiny = a.is_below(exp, -126);
            let v = a.underflow(x, tiny, v);
            let v = a.choose(x.zero, infinity, v);
            let v = a.choose(x.infinite, zero, v);
            let v = a.signed(v, x.sign);
            a.choose(x.nan, nan, v)
        }
        Function::Rsq | Function::Sqrt => {
            let root = function == Function::Sqrt;
            let odd = a.mask(x.exp, 1);
            let half = a.sar(x.exp, 1);
            let v = if root {
                let sum = Table::Sqrt.interpolate(a, x.fraction, Some(odd));
                let fraction = cut(a, sum, Table::Sqrt.width());
                a.finite(half, fraction)
            } else {
                let sum = Table::Rsq.interpolate(a, x.fraction, Some(odd));
                let sum = a.shl(sum, 1);
                let fraction = cut(a, sum, Table::Rsq.width());
                let exp = a.less_from(-1, half);
                let v = a.finite(exp, fraction);
                // Even powers of two are exact.
                let both = a.or(odd, x.fraction);
                let exact = a.is(both, 0);
                let (minus, none) = (a.less_from(0, half), a.word(0));
                let power = a.finite(minus, none);
                a.choose(exact, power, v)
            };
            let (at_zero, at_end) = if root { (zero, infinity) } else { (infinity, zero) };
            let v = a.choose(x.infinite, at_end, v);
            let v = a.choose(x.negative, nan, v);
            let at_zero = a.signed(at_zero, x.sign);
            let v = a.choose(x.zero, at_zero, v);
            a.choose(x.nan, nan, v)
        }
        Function::Exp2 => {
            // |x| as a whole part and 23 bits, what is below dropped; from 2^8 on the result is out of range anyway.
            let significand = x.significand(a);
            let wide = a.shl(significand, 8);
            let down = a.less_from(8, x.exp);
            let down = a.at_most(down, 63);
            let down = a.at_least(down, 0);
            let fixed = a.shr_by(wide, down);
            let fixed = a.low(fixed);
            let large = a.is_above(x.exp, 7);
            let most = a.word(256 << 23);
            let fixed = a.select(large, most, fixed);
            let (whole, part) = (a.shr(fixed, 23), a.mask(fixed, FRACTION));
            let is_whole = a.is(part, 0);
            let minus = a.less_from(0, whole);
            let below = a.plus(minus, -1);
            let rest = a.less_from(FRACTION, part);
            let low_exp = a.select(is_whole, minus, below);
            let low_part = a.select(is_whole, part, rest);
            let exp = a.select(x.negative, low_exp, whole);
            let part = a.select(x.negative, low_part, part);
            let sum = Table::Exp2.interpolate(a, part, None);
            let fraction = cut(a, sum, Table::Exp2.width());
            let v = a.finite(exp, fraction);
            let under = a.is_below(exp, -126);
            let v = a.choose(under, zero, v);
            let over = a.is_above(exp, 127);
            let v = a.choose(over, infinity, v);
            let end = a.choose(x.negative, zero, infinity);
            let v = a.choose(x.infinite, end, v);
            let none = a.word(0);
            let one = a.finite(none, none);
            let v = a.choose(x.zero, one, v);
            a.choose(x.nan, nan, v)
        }
        Function::Log2 | Function::Log2Magnitude => {
            let width = Table::Log2.width();
            let sum = Table::Log2.interpolate(a, x.fraction, None);
            let whole = a.sext(x.exp);
            let whole = a.shl(whole, width);
            let value = a.add(whole, sum);
            let none = a.long(0);
            let (below, minus) = (a.less(value, none), a.sub(none, value));
            let size = a.select(below, minus, value);
            let keep = a.long(!0xf_ffff);
            let kept = a.and(size, keep);
            let both = a.or(x.exp, x.fraction);
            let (is_one, nothing) = (a.is(both, 0), a.equal(kept, none));
            let nothing = a.either(is_one, nothing);
            let (exp, fraction) = normalised(a, kept, width);
            let v = a.finite(exp, fraction);
            let minus = a.mask(x.exp, i32::MIN);
            let v = a.signed(v, minus);
            let v = a.choose(nothing, zero, v);
            let v = a.choose(x.infinite, infinity, v);
            let v = if function == Function::Log2 { a.choose(x.negative, nan, v) } else { v };
            let end = a.special(f32::NEG_INFINITY);
            let v = a.choose(x.zero, end, v);
            a.choose(x.nan, nan, v)
        }
        Function::Sin | Function::Cos | Function::SinTurns | Function::CosTurns => {
            let cosine = matches!(function, Function::Cos | Function::CosTurns);
            let turns = matches!(function, Function::SinTurns | Function::CosTurns);
            let angle = if turns { turns_to_angle(a, x) } else { radians_to_angle(a, x) };
            let (quadrant, part) = (a.shr(angle, 23), a.mask(angle, FRACTION));
            let low = a.mask(quadrant, 1);
            let flips = a.is(low, i32::from(!cosine));
            let rest = a.less_from(FRACTION, part);
            let part = a.select(flips, rest, part);
            let sum = Table::Sin.interpolate(a, part, None);
            let (exp, fraction) = normalised(a, sum, Table::Sin.width());
            let v = a.finite(exp, fraction);
            let none = a.long(0);
            let nothing = a.equal(sum, none);
            let v = a.choose(nothing, zero, v);
            // Cosine is negative in the second and third quadrant, sine in the last two, and with its angle.
            let turn = if cosine { a.plus(quadrant, 1) } else { quadrant };
            let second = a.mask(turn, 2);
            let turned = a.shl(second, 30);
            let turned = if cosine { turned } else { a.xor(turned, x.sign) };
            let v = a.signed(v, turned);
            let no_angle = a.either(x.infinite, x.nan);
            a.choose(no_angle, nan, v)
        }
    }
}

/// An angle in radians as a quadrant (two bits) and 23 bits: the product with 2/pi to 24 bits, whose low bits are lost for large
/// angles.
#[inline(always)]
fn radians_to_angle<A: Integers>(a: &mut A, x: &Operand<A>) -> A::Word {
    let (significand, factor) = (x.significand(a), a.long(0x00a2_f983));
    let product = a.mul(significand, factor);
    let down = a.less_from(24, x.exp);
    let down = a.at_most(down, 63);
    let down = a.at_least(down, 0);
    let up = a.plus(x.exp, -24);
    let up = a.at_least(up, 0);
    let up = a.at_most(up, 31);
    let fixed = a.shr_by(product, down);
    let fixed = a.shl_by(fixed, up);
    let fixed = a.low(fixed);
    let fixed = a.mask(fixed, 0x1ff_ffff);
    let lost = a.plus(x.exp, -8);
    let lost = a.at_least(lost, 0);
    let lost = a.at_most(lost, 31);
    let ones = a.word(-1);
    let keep = a.shl_by(ones, lost);
    let fixed = a.and(fixed, keep);
    let (large, none) = (a.is_above(x.exp, 32), a.word(0));
    let tiny = a.is_below(x.exp, -126);
    let outside = a.either(large, tiny);
    a.select(outside, none, fixed)
}

/// An angle in turns as a quadrant and 23 bits.
#[inline(always)]
fn turns_to_angle<A: Integers>(a: &mut A, x: &Operand<A>) -> A::Word {
    let significand = x.significand(a);
    let down = a.less_from(-2, x.exp);
    let down = a.at_least(down, 0);
    let down = a.at_most(down, 63);
    let up = a.plus(x.exp, 2);
    let up = a.at_least(up, 0);
    let up = a.at_most(up, 31);
    let fixed = a.shr_by(significand, down);
    let fixed = a.shl_by(fixed, up);
    let fixed = a.low(fixed);
    let fixed = a.mask(fixed, 0x1ff_ffff);
    let (large, tiny) = (a.is_above(x.exp, 22), a.is_below(x.exp, -26));
    let (outside, none) = (a.either(large, tiny), a.word(0));
    a.select(outside, none, fixed)
}

/// Results as exact values, before they are rounded into the rule's format.
struct Exact<'r>(&'r Rule);

impl Unit for Words<Exact<'_>> {
    type Output = Val;

    #[inline(always)]
    fn row(&mut self, table: Table, number: u32) -> u64 {
        let rows = table.rows();
        rows[number as usize % rows.len()]
    }

    #[inline(always)]
    fn finite(&mut self, exp: u32, fraction: u32) -> Val {
        let sig = u128::from(fraction | 1 << 23);
        Val::Real(Real { neg: false, exp: exp.cast_signed() - 23, sig, sticky: false })
    }

    #[inline(always)]
    fn special(&mut self, v: f32) -> Val {
        let neg = v.is_sign_negative();
        match v {
            _ if v.is_nan() => default_nan(self.0.0),
            0.0 => Val::Zero(neg),
            _ => Val::Inf(neg),
        }
    }

    #[inline(always)]
    fn signed(&mut self, v: Val, sign: u32) -> Val {
        v.with_sign(sign != 0)
    }

    #[inline(always)]
    fn choose(&mut self, condition: bool, a: Val, b: Val) -> Val {
        if condition { a } else { b }
    }

    #[inline(always)]
    fn underflow(&mut self, _: &Operand<Self>, _: bool, v: Val) -> Val {
        v
    }
}

/// The function of a binary32 pattern under a rule, before the result is rounded into the rule's format. `flush`: tiny results
/// are flushed, as the bare unit does; otherwise denormals are reached by the scaling that the compiler puts around it.
pub(crate) fn function(function: Function, rule: &Rule, x: u32, flush: bool) -> Val {
    let mut a = Words(Exact(rule));
    let mut operand = Operand::of(&mut a, x);
    let magnitude = x & 0x7fff_ffff;
    let denormal = (1..0x80_0000).contains(&magnitude);
    if denormal {
        let up = magnitude.leading_zeros() - 8;
        (operand.exp, operand.fraction) = (a.word(-126 - up as i32), magnitude << up & 0x7f_ffff);
    }
    match function {
        Function::Exp2 if !flush && (x > 0xc2fc_0000 && x < 0xff80_0000) => {
            // Half of a normal number is exact.
            operand.exp = a.plus(operand.exp, -1);
            match evaluate(&mut a, function, &operand) {
                Val::Real(root) => Val::Real(Real { exp: 2 * root.exp, sig: root.sig * root.sig, ..root }),
                other => other,
            }
        }
        Function::Log2 | Function::Log2Magnitude if denormal => {
            operand.exp = a.plus(operand.exp, 24);
            let value = evaluate(&mut a, function, &operand);
            crate::soft::arith::exact_add(rule, value, Val::int(-24))
        }
        // Not an angle at all: the unit reads it as zero.
        Function::Sin | Function::Cos | Function::SinTurns | Function::CosTurns if denormal => {
            let zero = Operand::of(&mut a, x & 1 << 31);
            evaluate(&mut a, function, &zero)
        }
        _ => evaluate(&mut a, function, &operand),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Decl;

    /// Input fraction, sum and missing columns as the unit's description works them out for 3.2.
    #[test]
    fn the_squarer_leaves_out_its_low_columns() {
        let square = |x, first| truncated_square(&mut Words(()), x, first);
        assert_eq!(square(0xcccd, 17), 0xa3d4_0000);
        assert_eq!(square(0xcccd, 19), 0xa3c0_0000);
        assert_eq!(square(0x1_999a, 19), 0x2_8f50_0000);
        assert_eq!(square(0x6665, 19), 0x28e8_0000);
        assert_eq!(square(0x1_3d94, 19), 0x1_89e8_0000);
        for x in 0..1u64 << 17 {
            assert_eq!(square(x, 0), x * x);
            let cut = square(x, 19);
            assert!(cut <= x * x && cut.is_multiple_of(1 << 19), "{x:x}");
        }
    }

    #[test]
    fn sums_before_the_cut() {
        let rule = Rule::ieee(Decl::F32, Decl::F32.format());
        let a = &mut Words(Exact(&rule));
        let fraction = 0x4c_cccd;
        assert_eq!(Table::Rcp.interpolate(a, fraction, None), 0xa0_0000_2ec0_0000);
        assert_eq!(Table::Rsq.interpolate(a, fraction, Some(1)), 0x11e_377b_14a8_0000);
        assert_eq!(Table::Sqrt.interpolate(a, fraction, Some(1)), 0x727_c973_fb34_0000);
        assert_eq!(Table::Log2.interpolate(a, fraction, None), 0xad_9621_346e_0000);
        let operand = Operand::of(a, 0x404c_cccd);
        assert_eq!(radians_to_angle(a, &operand), 0x104_c26b);
    }
}
