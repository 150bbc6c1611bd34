//! Powers of two.

use super::number::{BIAS, Number, assembled, words_of};
use super::series::{Precision, power_of_two};
use crate::prim::{Prim, Ty};
use crate::program::{Code, Id};
use crate::rules::recipe::keep_nan;

/// Exponents of 2 to this power and beyond have results that no format holds.
const MOST: i32 = 9;

/// 2^x, rounded to odd.
pub(in crate::rules) fn exp2(code: &mut Code, x: Id) -> Id {
    let number = Number::of(code, x);
    // |x| 2^55 are its digits at the top of 64 bits, moved right.
    let first = code.int(BIAS + MOST - 1);
    let amount = code.op(Prim::Sub, &[first, number.field]);
    let (none, most) = (code.int(0), code.int(63));
    let beyond = code.op(Prim::Lt, &[amount, none]);
    let digits = code.op(Prim::Zext, &[number.digits]);
    // The whole part has 9 bits, and 55 of the fraction stand beside it.
    let top = code.shift(Prim::Shl, digits, 40);
    let far = code.op(Prim::Ult, &[most, amount]);
    let near = code.op(Prim::Shr, &[top, amount]);
    let nothing = code.long(0);
    let upper = code.select(far, nothing, near);
    let whole = code.shift(Prim::Shr, upper, 55);
    let whole = code.op(Prim::Low, &[whole]);
    // The fraction alone has 64: what the shift right took from it comes back.
    let fraction = {
        let left = code.int(9);
        let left = code.op(Prim::Sub, &[left, amount]);
        let goes_left = code.op(Prim::Lt, &[none, left]);
        let right = code.op(Prim::Sub, &[none, left]);
        let up = code.op(Prim::Shl, &[top, left]);
        let down = code.op(Prim::Shr, &[top, right]);
        let gone = code.op(Prim::Ult, &[most, right]);
        let down = code.select(gone, nothing, down);
        code.select(goes_left, up, down)
    };
    // Only numbers from 1 on and zeros are whole.
    let one = code.int(BIAS);
    let small = code.op(Prim::Ult, &[number.field, one]);
    let is_zero = number.is_zero(code);
    let broken = code.op(Prim::Eq, &[fraction, nothing]);
    let broken = code.not(broken);
    let broken = code.or(broken, small);
    let not_zero = code.not(is_zero);
    let broken = code.and(broken, not_zero);
    let exact = code.not(broken);
    // 2^-(k + f) = 2^(-k - 1) 2^(1 - f); whole numbers are negated.
    let far = code.int(600);
    let whole = code.select(beyond, far, whole);
    let turned = code.op(Prim::Xor, &[whole, number.sign]);
    let negated = code.op(Prim::Sub, &[turned, number.sign]);
    let whole = code.select(exact, negated, turned);
    let sign = code.op(Prim::Sext, &[number.sign]);
    let fraction = code.op(Prim::Xor, &[fraction, sign]);
    let fraction = code.select(exact, nothing, fraction);
    let fraction = words_of(code, fraction);
    let value = power_of_two(code, Precision::SHORT, &fraction);
    // What lies beyond is no number of few digits either.
    let inside = code.not(beyond);
    let exact = code.and(exact, inside);
    let value = assembled(code, &value, whole, exact);
    let ends = [f64::INFINITY, 0.0].map(|v| code.number(Ty::F64, v));
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let end = code.select(negative, ends[1], ends[0]);
    let special = number.is_special(code);
    let value = code.select(special, end, value);
    keep_nan(code, x, value)
}
