//! Roots, their reciprocals, and quotients, by Newton's method.

use super::number::{Number, assembled, long_of, normalised, words_of};
use super::words::{Words, times_word};
use crate::prim::{Prim, Ty};
use crate::program::{Code, Id};
use crate::rules::recipe::keep_nan;

/// 1 / sqrt(1 + f) as c0 - c1 f + c2 f^2 for f from 0 to 1: less than 2^-8 off.
const FIRST: [f64; 3] = [0.996_408_928_4, 0.432_307_069_1, 0.144_964_748_6];

/// The bits of a product of two words from bit `from` on, as a word.
fn product_from(code: &mut Code, a: Id, b: Id, from: i32) -> Id {
    let [a, b] = [a, b].map(|word| code.op(Prim::Zext, &[word]));
    let product = code.op(Prim::Mul, &[a, b]);
    let product = code.shift(Prim::Shr, product, from);
    code.op(Prim::Low, &[product])
}

/// A number as 4^k a, with a from 1/4 to below 1, and what belongs to them.
struct Quarter {
    /// a, in units of 2^-32.
    a: Id,
    /// The reciprocal root of a, from 1 to 2, in 64 bits, in units of 2^-62: less than 2^-54 of itself off, and exact where it is 2.
    inverse: Id,
    k: Id,
    /// Whether the number is a power of four.
    is_power: Id,
}

impl Quarter {
    fn of(code: &mut Code, number: &Number) -> Quarter {
        let e = number.exponent(code);
        let (one, none) = (code.int(1), code.int(0));
        let odd = code.and(e, one);
        let even = code.op(Prim::Eq, &[odd, none]);
        // 2^e = 4^(k - 1) for even e, 4^k / 2 for odd ones.
        let k = code.op(Prim::Add, &[e, one]);
        let k = code.shift(Prim::Sar, k, 1);
        let k_of_even = code.op(Prim::Add, &[k, one]);
        let k = code.select(even, k_of_even, k);
        let [seven, eight] = [7, 8].map(|by| code.shift(Prim::Shl, number.digits, by));
        let a = code.select(even, seven, eight);

        let f = code.shift(Prim::Shl, number.digits, 9);
        let y = first_inverse(code, f, even, a);
        // Less than 2^-27 off. y + y (1 - a y^2) / 2 is off by three halves of the square of that.
        let wide = code.op(Prim::Zext, &[y]);
        let square = code.op(Prim::Mul, &[wide, wide]);
        let square = words_of(code, square);
        let product = times_word(code, &square, a);
        let upper = long_of(code, &product[1..]);
        // In units of 2^-60, and then of 2^-56, in which it is a word.
        let one = code.long(1 << 60);
        let rest = code.op(Prim::Sub, &[one, upper]);
        let rest = code.shift(Prim::Sar, rest, 4);
        let rest = code.op(Prim::Low, &[rest]);
        let rest = code.op(Prim::Sext, &[rest]);
        let more = code.op(Prim::Mul, &[wide, rest]);
        let more = code.shift(Prim::Sar, more, 25);
        let inverse = code.shift(Prim::Shl, wide, 32);
        let inverse = code.op(Prim::Add, &[inverse, more]);
        let is_power = number.is_power_of_two(code);
        let is_power = code.and(is_power, even);
        let two = code.long(1 << 63);
        let inverse = code.select(is_power, two, inverse);
        Quarter { a, inverse, k, is_power }
    }
}

/// 1 / sqrt(a) in units of 2^-30, less than 2^-27 off. `f` are digits behind the first, and `even` says whether a is a quarter of these
/// numbers from 1 to 2, or a half.
pub(super) fn first_inverse(code: &mut Code, f: Id, even: Id, a: Id) -> Id {
    let scaled = |v: f64, by: f64| (v * by * f64::from(1 << 30)) as i32;
    let [c0, c1, c2] = FIRST.map(|c| {
        let [of_even, of_odd] = [2.0, std::f64::consts::SQRT_2].map(|by| code.int(scaled(c, by)));
        code.select(even, of_even, of_odd)
    });
    let t = product_from(code, c2, f, 32);
    let t = code.op(Prim::Sub, &[c1, t]);
    let t = product_from(code, t, f, 32);
    let mut y = code.op(Prim::Sub, &[c0, t]);
    let three = code.int(3 << 29);
    for _ in 0..2 {
        // y (3 - a y^2) / 2.
        let square = product_from(code, y, y, 31);
        let one = product_from(code, a, square, 32);
        let rest = code.op(Prim::Sub, &[three, one]);
        y = product_from(code, y, rest, 30);
    }
    y
}

/// 1 / sqrt(x), rounded to odd: NaN of negative numbers, an infinity of zeros.
pub(in crate::rules) fn reciprocal_root(code: &mut Code, x: Id) -> Id {
    let number = Number::of(code, x);
    let Quarter { inverse, k, is_power, .. } = Quarter::of(code, &number);
    let inverse = words_of(code, inverse);
    let (words, lead) = normalised(code, &inverse);
    // The highest bit counts 2.
    let one = code.int(1);
    let exponent = code.op(Prim::Sub, &[one, lead]);
    let exponent = code.op(Prim::Sub, &[exponent, k]);
    let value = assembled(code, &words, exponent, is_power);
    let [zero, infinity, nan] = [0.0, f64::INFINITY, f64::NAN].map(|v| code.number(Ty::F64, v));
    let special = number.is_special(code);
    let value = code.select(special, zero, value);
    let none = code.int(0);
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let value = code.select(negative, nan, value);
    let is_zero = number.is_zero(code);
    let endless = code.copysign(infinity, x);
    let value = code.select(is_zero, endless, value);
    keep_nan(code, x, value)
}

/// The square root of x, rounded to odd: NaN of negative numbers.
pub(in crate::rules) fn root(code: &mut Code, x: Id) -> Id {
    let number = Number::of(code, x);
    let Quarter { a, inverse, k, .. } = Quarter::of(code, &number);
    let inverse = words_of(code, inverse);
    // a / sqrt(a), from 1/2 to below 1, the first digit in bit 61 of 64.
    let product = times_word(code, &inverse, a);
    let value = long_of(code, &product[1..]);
    let value = code.shift(Prim::Shl, value, 2);
    // A root of 25 digits is exact: others are 2^-51 away from such a number.
    let near = code.long(1 << 9);
    let moved = code.op(Prim::Add, &[value, near]);
    let below = code.long((1 << 38) - (1 << 10));
    let exact = code.op(Prim::Disjoint, &[moved, below]);
    let kept = code.long(!((1 << 38) - 1));
    let short = code.and(moved, kept);
    let value = code.select(exact, short, value);
    let words = words_of(code, value);
    let one = code.int(1);
    let exponent = code.op(Prim::Sub, &[k, one]);
    let value = assembled(code, &words, exponent, exact);
    let nan = code.number(Ty::F64, f64::NAN);
    let none = code.int(0);
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let value = code.select(negative, nan, value);
    // Zeros, positive infinity and NaN are their own roots.
    let is_infinity = code.number(Ty::F64, f64::INFINITY);
    let is_infinite = code.op(Prim::Feq, &[x, is_infinity]);
    let is_zero = number.is_zero(code);
    let itself = code.or(is_infinite, is_zero);
    let value = code.select(itself, x, value);
    keep_nan(code, x, value)
}

/// a / b, rounded to odd.
pub(in crate::rules) fn quotient(code: &mut Code, a: Id, b: Id) -> Id {
    let [x, y] = [a, b].map(|v| Number::of(code, v));
    // The reciprocal of y's digits as a number from 1/2 to below 1, in units of 2^-30; the first one is 48/17 - 32/17 of it.
    let divisor = code.shift(Prim::Shl, y.digits, 8);
    let [c0, c1] = [48.0, 32.0].map(|c| code.int((c / 17.0 * f64::from(1 << 30)) as i64 as i32));
    let t = product_from(code, c1, divisor, 32);
    let mut r = code.op(Prim::Sub, &[c0, t]);
    let two = code.int(i32::MIN);
    for _ in 0..3 {
        let one = product_from(code, divisor, r, 32);
        let rest = code.op(Prim::Sub, &[two, one]);
        r = product_from(code, r, rest, 30);
    }
    // The quotient of digits times 2^27, and what is left over.
    let mut q = product_from(code, x.digits, r, 27);
    let dividend = code.shift(Prim::Shl, x.digits, 27);
    let product = code.op(Prim::Mul, &[q, y.digits]);
    let mut rest = code.op(Prim::Sub, &[dividend, product]);
    let (one, none) = (code.int(1), code.int(0));
    let under = code.op(Prim::Lt, &[rest, none]);
    let (less, more) = (code.op(Prim::Sub, &[q, one]), code.op(Prim::Add, &[rest, y.digits]));
    q = code.select(under, less, q);
    rest = code.select(under, more, rest);
    for _ in 0..2 {
        let under = code.op(Prim::Lt, &[rest, y.digits]);
        let (more, less) = (code.op(Prim::Add, &[q, one]), code.op(Prim::Sub, &[rest, y.digits]));
        q = code.select(under, q, more);
        rest = code.select(under, rest, less);
    }
    let exact = code.op(Prim::Eq, &[rest, none]);
    let lead = code.op(Prim::LeadingZeros, &[q]);
    let upper = code.op(Prim::Shl, &[q, lead]);
    let words: Words = vec![none, upper];
    // Bit 27 counts 1.
    let exponent = code.op(Prim::Sub, &[x.field, y.field]);
    let four = code.int(4);
    let exponent = code.op(Prim::Add, &[exponent, four]);
    let exponent = code.op(Prim::Sub, &[exponent, lead]);
    let value = assembled(code, &words, exponent, exact);

    let [zero, infinity, nan] = [0.0, f64::INFINITY, f64::NAN].map(|v| code.number(Ty::F64, v));
    let [no_dividend, no_divisor] = [&x, &y].map(|v| v.is_zero(code));
    let [endless_dividend, endless_divisor] = [a, b].map(|v| {
        let size = code.op(Prim::Fabs, &[v]);
        code.op(Prim::Feq, &[size, infinity])
    });
    let none = code.or(no_dividend, endless_divisor);
    let endless = code.or(no_divisor, endless_dividend);
    let unordered = code.op(Prim::Funo, &[a, b]);
    let invalid = code.and(none, endless);
    let invalid = code.or(invalid, unordered);
    let value = code.select(none, zero, value);
    let value = code.select(endless, infinity, value);
    let sign = code.op(Prim::Xor, &[x.sign, y.sign]);
    let value = super::number::signed(code, value, sign);
    code.select(invalid, nan, value)
}
