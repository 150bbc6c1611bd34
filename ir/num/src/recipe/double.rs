//! Recipes for results in binary64: short programs over pairs of binary64 numbers.
//!
//! A result is a sum of two numbers, `high + low`, where `high` is that sum rounded to nearest. Each function states how far
//! the sum may be from the exact value, relative to it. `parallax_step` makes programs of them, which round the sum where that
//! error cannot change the result; elsewhere [`crate::eval()`] decides, which uses none of this. They consist of add, subtract,
//! multiply, divide, square root, bit operations, and fused multiply-adds, all exactly defined, without branches. Their
//! coefficients are those of the power series, computed from the integers of `recipe::wide`.
//!
//! The bounds count three parts. *Cut*: the first term of the series that is left out. *Tail*: terms evaluated in single
//! binary64 numbers, off by less than 2^-51.4 of the first of them (half a unit of its coefficient, half of its last sum, and less
//! than another half of all that follows, at the sizes named). *Pairs*: sums and products of pairs, off by less than 2^-100 of
//! what they give. Products and sums of two numbers are exact pairs wherever nothing is tiny, and operands so small that
//! something is give results that are known.

use super::fast::MAGIC;
use super::wide::{COS_TERMS, EXP2_TERMS, LOG2E, SIN_TERMS};
use crate::arithmetic::{Doubles, Floats, Numbers, Words};

/// 2^-68: relative error bound of [`exp2_of_fraction`]. |r| <= 1/2: cut (r ln 2)^17 / 17! below 2^-74, tail (r ln 2)^6 / 6!
/// below 2^-18.6 times 2^-51.4, 2^r at least 2^-1/2: together below 2^-69.3.
pub const EPS_EXP2: f64 = power(-68);
/// 2^-79: relative error bound of [`log2`]. s^2 <= 0.02944: cut s^32 / 33 below 2^-86, tail s^10 / 11 below 2^-28.8 times
/// 2^-51.4: together below 2^-80.
pub const EPS_LOG2: f64 = power(-79);
/// 2^-68: relative error bound of [`sine`]. z = y^2 <= 0.617: cut z^11 / 22! below 2^-77, tail z^4 / 8! below 2^-18
/// times 2^-51.4, a cosine at least 2^-1/2: together below 2^-68.8. The reduced angle is off by less than 2^-79 of it.
pub const EPS_TRIG: f64 = power(-68);
/// 2^-98: relative error bound of [`reciprocal_root`]. With e = 1 - x y^2 below 2^-50 in size, what is left of y (1 + e / 2) is
/// 3 e^2 / 8, below 2^-101, and the rounding of e / 2, below 2^-103.
pub const EPS_RSQ: f64 = power(-98);
/// 2^-67: relative error bound of a power that is a normal number: 2^10 times the error of the logarithm, times ln 2, and the
/// error of [`exp2_of_fraction`].
pub const EPS_POW: f64 = power(-67);

/// Angles must lie below this: multiples of pi/2 are then known to 2^-79 of the rest.
pub const TRIG_LIMIT: f64 = power(21);

/// Sizes of angles below which the sine is the angle, rounded to nearest: x - x^3 / 6 is nearer to x than a quarter of a unit.
pub const SIN_IS_ANGLE: f64 = power(-27);

const fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023) as u64) << 52)
}

/// The sum of two numbers.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pair<N = f64> {
    /// The greater part.
    pub high: N,
    /// What is left: a unit in the last place of the greater part, or little more.
    pub low: N,
}

impl Pair {
    const ONE: Pair = Pair { high: 1.0, low: 0.0 };

    const fn negated(self) -> Pair {
        Pair { high: -self.high, low: -self.low }
    }

    /// integer * 2^-point; to 2^-106 of it.
    const fn fixed(integer: u128, point: i32) -> Pair {
        let high = integer as f64;
        let whole = high as u128;
        let low = if whole > integer { -((whole - integer) as f64) } else { (integer - whole) as f64 };
        Pair { high: high * power(-point), low: low * power(-point) }
    }
}

/// ln(2)^n / n!.
const EXP2: [Pair; 17] = {
    let mut terms = [Pair::ONE; 17];
    let mut n = 1;
    while n < 17 {
        terms[n] = Pair::fixed(EXP2_TERMS[n - 1], 128);
        n += 1;
    }
    terms
};

/// 2 log2(e) / (2n + 1).
const LOG2: [Pair; 16] = {
    let mut terms = [Pair::ONE; 16];
    let mut n = 0;
    while n < 16 {
        terms[n] = Pair::fixed(LOG2E / (2 * n as u128 + 1), 126);
        n += 1;
    }
    terms
};

/// (-1)^n / (2n + 1)!.
const SIN: [Pair; 11] = alternating(&SIN_TERMS);
/// (-1)^n / (2n)!.
const COS: [Pair; 11] = alternating(&COS_TERMS);

const fn alternating(sizes: &[u128; 16]) -> [Pair; 11] {
    let mut terms = [Pair::ONE; 11];
    let mut n = 1;
    while n < 11 {
        let term = Pair::fixed(sizes[n - 1], 128);
        terms[n] = if n % 2 == 1 { term.negated() } else { term };
        n += 1;
    }
    terms
}

/// pi/2 in three parts of 53 bits.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xb91f_1976_b7ed_8fbc),
];

fn constant<A: Doubles>(a: &mut A, pair: Pair) -> Pair<A::Number> {
    Pair { high: a.number(pair.high), low: a.number(pair.low) }
}

/// x * y, exact.
pub fn product<A: Doubles>(a: &mut A, x: A::Number, y: A::Number) -> Pair<A::Number> {
    let high = a.fmul(x, y);
    let minus = a.fneg(high);
    Pair { high, low: a.mad(x, y, minus) }
}

/// x + y, exact where |x| >= |y| or both have one exponent.
fn ordered_sum<A: Doubles>(a: &mut A, x: A::Number, y: A::Number) -> Pair<A::Number> {
    let high = a.fadd(x, y);
    let from_y = a.fsub(high, x);
    Pair { high, low: a.fsub(y, from_y) }
}

/// x - y, exact.
fn difference<A: Doubles>(a: &mut A, x: A::Number, y: A::Number) -> Pair<A::Number> {
    let high = a.fsub(x, y);
    let from_y = a.fsub(high, x);
    let from_x = a.fsub(high, from_y);
    let rest = a.fsub(x, from_x);
    let other = a.fadd(y, from_y);
    Pair { high, low: a.fsub(rest, other) }
}

/// x * y.
fn pair_product<A: Doubles>(a: &mut A, x: Pair<A::Number>, y: Pair<A::Number>) -> Pair<A::Number> {
    let p = product(a, x.high, y.high);
    let low = a.mad(x.high, y.low, p.low);
    Pair { low: a.mad(x.low, y.high, low), ..p }
}

/// c + p, where p is less than c.
fn plus<A: Doubles>(a: &mut A, c: Pair<A::Number>, p: Pair<A::Number>) -> Pair<A::Number> {
    let total = ordered_sum(a, c.high, p.high);
    let low = a.fadd(p.low, c.low);
    Pair { low: a.fadd(total.low, low), ..total }
}

fn squared<A: Doubles>(a: &mut A, v: Pair<A::Number>) -> Pair<A::Number> {
    let square = product(a, v.high, v.high);
    let twice = a.fadd(v.high, v.high);
    Pair { low: a.mad(twice, v.low, square.low), ..square }
}

/// The terms from `first` on, in single numbers.
fn tail<A: Doubles>(a: &mut A, terms: &[A::Number], first: usize, x: A::Number) -> Pair<A::Number> {
    let mut p = terms[terms.len() - 1];
    for &c in terms[first..terms.len() - 1].iter().rev() {
        // The sum so far second: where a machine's register is overwritten it is that one.
        p = a.mad(x, p, c);
    }
    Pair { high: p, low: a.number(0.0) }
}

/// The integer next to x, ties to even, in the low bits of the first, and what is left of x.
pub fn split<A: Doubles>(a: &mut A, x: A::Number) -> (A::Long, A::Number) {
    let magic = a.number(MAGIC);
    let shifted = a.fadd(x, magic);
    let whole = a.fsub(shifted, magic);
    let rest = a.fsub(x, whole);
    (a.bits(shifted), rest)
}

/// v * 2^k for the k in the low bits of a pattern, and results that are normal numbers.
pub fn scaled<A: Doubles>(a: &mut A, v: A::Number, k: A::Long) -> A::Number {
    // What stands above those bits leaves at the top of the shift.
    let (bits, exponent) = (a.bits(v), a.shl(k, 52));
    let bits = a.add(bits, exponent);
    a.float(bits)
}

/// 2^(r + rest) for |r| <= 1/2 and a rest below 2^-42, to [`EPS_EXP2`].
pub fn exp2_of_fraction<A: Doubles>(a: &mut A, r: A::Number, rest: Option<A::Number>) -> Pair<A::Number> {
    let terms = EXP2.map(|pair| a.number(pair.high));
    let mut p = tail(a, &terms, 6, r);
    for pair in EXP2[..6].iter().rev() {
        let q = product(a, r, p.high);
        let low = a.mad(r, p.low, q.low);
        let c = constant(a, *pair);
        p = plus(a, c, Pair { low, ..q });
    }
    let low = match rest {
        Some(rest) => {
            // 2^rest = 1 + rest ln 2, to rest^2 / 4.
            let ln2 = a.number(EXP2[1].high);
            let change = a.fmul(rest, ln2);
            a.mad(p.high, change, p.low)
        }
        None => p.low,
    };
    ordered_sum(a, p.high, low)
}

/// A positive normal number as a power of two, whose exponent comes first, and a number between the roots of 1/2 and 2.
pub fn exponent_and_fraction<A: Doubles>(a: &mut A, x: A::Number) -> (A::Number, A::Number) {
    let bits = a.bits(x);
    let root_half = a.long(0x3fe6_a09e_667f_3bcd);
    let k = a.sub(bits, root_half);
    let k = a.sar(k, 52);
    let up = a.shl(k, 52);
    let m = a.sub(bits, up);
    let m = a.float(m);
    // An integer added to the number's last places is added to its value.
    let (magic, magic_bits) = (a.number(MAGIC), a.long(MAGIC.to_bits()));
    let k = a.add(k, magic_bits);
    let k = a.float(k);
    (a.fsub(k, magic), m)
}

/// log2(x) of a positive normal number, to [`EPS_LOG2`].
pub fn log2<A: Doubles>(a: &mut A, x: A::Number) -> Pair<A::Number> {
    let (k, m) = exponent_and_fraction(a, x);
    // s = (m - 1) / (m + 1); the numerator is exact.
    let one = a.number(1.0);
    let numerator = a.fsub(m, one);
    let below = ordered_sum(a, one, m);
    let inverse = a.fdiv(one, below.high);
    let quotient = a.fmul(numerator, inverse);
    let minus = a.fneg(quotient);
    let rest = a.mad(minus, below.high, numerator);
    let rest = a.mad(minus, below.low, rest);
    let s = Pair { high: quotient, low: a.fmul(rest, inverse) };
    let z = squared(a, s);
    let terms = LOG2.map(|pair| a.number(pair.high));
    let mut p = tail(a, &terms, 5, z.high);
    for pair in LOG2[..5].iter().rev() {
        let (q, c) = (pair_product(a, z, p), constant(a, *pair));
        p = plus(a, c, q);
    }
    let log = pair_product(a, s, p);
    let total = ordered_sum(a, k, log.high);
    let low = a.fadd(total.low, log.low);
    ordered_sum(a, total.high, low)
}

/// x less the nearest multiple k of pi/2, and k in the low bits; |x| < [`TRIG_LIMIT`].
pub fn reduced<A: Doubles>(a: &mut A, x: A::Number) -> (A::Long, Pair<A::Number>) {
    let (turns, magic) = (a.number(std::f64::consts::FRAC_2_PI), a.number(MAGIC));
    let shifted = a.fmul(x, turns);
    let shifted = a.fadd(shifted, magic);
    let k = a.fsub(shifted, magic);
    let minus = a.fneg(k);
    let [first, second, third] = HALF_PI.map(|part| a.number(part));
    // Exact: a multiple of the operand's last bit or of 2^-52, below 1.
    let first = a.mad(minus, first, x);
    let second = product(a, k, second);
    let rest = difference(a, first, second.high);
    let low = a.fsub(rest.low, second.low);
    let low = a.mad(minus, third, low);
    let y = ordered_sum(a, rest.high, low);
    (a.bits(shifted), y)
}

/// Sine of an angle reduced to a quadrant, counted by the low two bits, and a rest, to [`EPS_TRIG`]; [`with_sign_of`] the
/// quadrant is still to be applied.
pub fn sine<A: Doubles>(a: &mut A, quadrant: A::Long, y: Pair<A::Number>) -> Pair<A::Number> {
    let (one, zero) = (a.long(1), a.long(0));
    let odd = a.and(quadrant, one);
    let even = a.equal(odd, zero);
    let z = squared(a, y);
    let mut chosen = |of_sine: f64, of_cosine: f64| {
        let (s, c) = (a.number(of_sine), a.number(of_cosine));
        a.select(even, s, c)
    };
    let terms: [Pair<A::Number>; 11] =
        std::array::from_fn(|n| Pair { high: chosen(SIN[n].high, COS[n].high), low: chosen(SIN[n].low, COS[n].low) });
    let mut p = tail(a, &terms.map(|term| term.high), 4, z.high);
    for term in terms[..4].iter().rev() {
        let q = pair_product(a, z, p);
        p = plus(a, *term, q);
    }
    let unit = constant(a, Pair::ONE);
    let factor = Pair { high: a.select(even, y.high, unit.high), low: a.select(even, y.low, unit.low) };
    let value = pair_product(a, factor, p);
    ordered_sum(a, value.high, value.low)
}

/// What [`sine`] gives, negated in the quadrants where the sine is negative.
pub fn with_sign_of<A: Doubles>(a: &mut A, quadrant: A::Long, v: A::Number) -> A::Number {
    let two = a.long(2);
    let half = a.and(quadrant, two);
    let sign = a.shl(half, 62);
    let bits = a.bits(v);
    let bits = a.xor(bits, sign);
    a.float(bits)
}

/// 1 / sqrt(x): the rounded quotient of the rounded root, and, of a positive number, what is nearer, to [`EPS_RSQ`].
pub fn reciprocal_root<A: Doubles>(a: &mut A, x: A::Number) -> (A::Number, Pair<A::Number>) {
    let (one, half) = (a.number(1.0), a.number(0.5));
    let root = a.sqrt(x);
    let y = a.fdiv(one, root);
    let p = product(a, x, y);
    let (high, low) = (a.fneg(p.high), a.fneg(p.low));
    let e = a.mad(high, y, one);
    let e = a.mad(low, y, e);
    let share = a.fmul(e, half);
    let low = a.fmul(y, share);
    (y, ordered_sum(a, y, low))
}

/// Binary64 steps, rounded to nearest even.
#[derive(Copy, Clone, Debug)]
pub struct Binary64;

impl Numbers for Words<Binary64> {
    type Number = f64;

    fn number(&mut self, v: f64) -> f64 {
        v
    }

    fn fsub(&mut self, a: f64, b: f64) -> f64 {
        a - b
    }

    fn fmul(&mut self, a: f64, b: f64) -> f64 {
        a * b
    }
}

impl Floats for Words<Binary64> {
    fn fadd(&mut self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn fdiv(&mut self, a: f64, b: f64) -> f64 {
        a / b
    }

    fn mad(&mut self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl Doubles for Words<Binary64> {
    fn bits(&mut self, v: f64) -> u64 {
        v.to_bits()
    }

    fn float(&mut self, bits: u64) -> f64 {
        f64::from_bits(bits)
    }

    fn fneg(&mut self, a: f64) -> f64 {
        -a
    }

    fn sqrt(&mut self, v: f64) -> f64 {
        v.sqrt()
    }
}
