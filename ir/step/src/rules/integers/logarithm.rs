//! Logarithms.

use super::number::{Number, assembled, normalised, signed};
use super::series::{self, Precision, Rest};
use super::words::{high_product, sum, top_words};
use crate::prim::{Prim, Ty};
use crate::program::{Code, Id};
use parallax_num::Fraction;

/// The base of a logarithm.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Base {
    Two,
    E,
}

/// The logarithm of x, or of its magnitude, rounded to odd. `ends` are those of zeros, infinity, and NaN and negative numbers.
pub(in crate::rules) fn logarithm(code: &mut Code, x: Id, magnitude: bool, base: Base, ends: [f64; 3]) -> Id {
    let x = if magnitude { code.op(Prim::Fabs, &[x]) } else { x };
    let number = Number::of(code, x);
    let e = number.exponent(code);
    let rest = Rest::of_digits(code, number.digits);
    let (log, sign) = series::logarithm(code, Precision::SHORT, e, &rest);
    // What is negative lacks a unit.
    let none = code.int(0);
    let unit = code.op(Prim::Sub, &[none, sign]);
    let log = sum(code, &log, &[unit, none, none, none]);
    // The lowest word of four is far below the digits that count, unless the logarithm is small: then the highest one is zero.
    let small = code.op(Prim::Eq, &[log[3], none]);
    let kept: Vec<Id> = (0..3).map(|n| code.select(small, log[n], log[n + 1])).collect();
    let lead = code.op(Prim::LeadingZeros, &[kept[2]]);
    let words: Vec<Id> = (1..3)
        .map(|n| {
            let most = code.int(31);
            let rest = code.op(Prim::Xor, &[lead, most]);
            let upper = code.op(Prim::Shl, &[kept[n], lead]);
            let lower = code.shift(Prim::Shr, kept[n - 1], 1);
            let lower = code.op(Prim::Shr, &[lower, rest]);
            code.or(upper, lower)
        })
        .collect();
    // The highest bit of the highest word counts 2^33, that of the one below 2.
    let (near, far) = (code.int(1), code.int(33));
    let top = code.select(small, near, far);
    let mut exponent = code.op(Prim::Sub, &[top, lead]);
    let mut words = words;
    let exact = match base {
        Base::Two => number.is_power_of_two(code),
        Base::E => {
            let ln2 = top_words(code, Fraction::LN2, 2);
            let product = high_product(code, &words, &ln2);
            let (product, lead) = normalised(code, &product);
            words = product;
            exponent = code.op(Prim::Sub, &[exponent, lead]);
            code.truth(false)
        }
    };
    let value = assembled(code, &words, exponent, exact);
    let value = signed(code, value, sign);
    let [zero, one, at_zero, at_end, at_nan] = [0.0, 1.0, ends[0], ends[1], ends[2]].map(|v| code.number(Ty::F64, v));
    let is_one = code.op(Prim::Feq, &[x, one]);
    let value = code.select(is_one, zero, value);
    let is_special = number.is_special(code);
    let value = code.select(is_special, at_end, value);
    // What is neither above zero nor a zero is negative or NaN.
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let unordered = code.op(Prim::Funo, &[x, x]);
    let broken = code.or(negative, unordered);
    let value = code.select(broken, at_nan, value);
    let is_zero = number.is_zero(code);
    code.select(is_zero, at_zero, value)
}
