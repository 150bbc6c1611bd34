//! C's power, for lanes that nobody else can decide: of numbers of at most 24 bits in integers of 128 bits, of binary64 numbers in 224.
//!
//! The base's logarithm times the exponent is an exponent of two with 128 bits behind the point ([`series`](super::series)).
//!
//! The tables are off by less than 2^-124, the series by less than 2^-118 of what they give. Where the table of logarithms counts, w is
//! below 2^16; where w is larger, log2(x) is the series alone. So the exponent is off by less than 2^-107, and the result by less than
//! that of itself. Results within 2^-103 of a number of 53 bits are that number, unless it is 1: other powers do not come that close.
//!
//! In 224 bits the exponent is off by less than 2^-205. The 2^123 pairs of binary64 numbers with a power in range should come as
//! close as 2^-177 to the middle of two numbers, so results within 2^-198 of one are in it. Sides of 1 do not matter to nearest even.

use super::double::{Operand, rounded};
use super::number::{BIAS, Number, long_of, words_of};
use super::series::{Precision, Rest, logarithm, power_of_two};
use super::words::{Words, product, shifted_right, sum, times_word};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Id};
use crate::rules::float::Float;
use crate::rules::recipe::{keep_nan, operand};

/// The C power of a and b, both in binary64: what `power` makes of a positive base and an exponent, and what is known of all others.
fn power_c(code: &mut Code, a: Id, b: Id, power: fn(&mut Code, Id, Id) -> Id) -> Id {
    let [zero, half, one, infinity, nan] = [0.0, 0.5, 1.0, f64::INFINITY, f64::NAN].map(|v| code.number(Ty::F64, v));
    let size = code.op(Prim::Fabs, &[a]);
    let span = code.op(Prim::Fabs, &[b]);
    let [no_base, no_exponent, is_unit, is_one] =
        [(size, zero), (b, zero), (size, one), (a, one)].map(|(a, b)| code.op(Prim::Feq, &[a, b]));
    let [endless_base, endless_exponent] = [size, span].map(|v| code.op(Prim::Feq, &[v, infinity]));
    let down = code.op(Prim::Flt, &[b, zero]);
    let is_whole = |code: &mut Code, v: Id| {
        let rounded = code.round(Direction::Zero, v);
        code.op(Prim::Feq, &[rounded, v])
    };
    let whole = is_whole(code, b);
    let middle = code.fmul(code.plain(), b, half);
    let even = is_whole(code, middle);
    let odd = code.not(even);
    let odd = code.and(whole, odd);

    // What neither is a number nor has a logarithm stays away from the integers.
    let unordered = code.op(Prim::Funo, &[a, b]);
    let aside = [no_base, no_exponent, endless_base, endless_exponent, unordered];
    let aside = aside.into_iter().reduce(|all, one| code.or(all, one)).unwrap_or(unordered);
    let (base, exponent) = (code.select(aside, one, size), code.select(aside, one, b));
    let value = power(code, base, exponent);
    let ends = |code: &mut Code, grows: Id| code.select(grows, infinity, zero);
    // With an endless exponent it depends on which side of 1 the base is.
    let above = code.op(Prim::Flt, &[one, size]);
    let grows = code.op(Prim::Xor, &[above, down]);
    let at_end = ends(code, grows);
    let value = code.select(endless_exponent, at_end, value);
    let value = code.select(is_unit, one, value);
    let up = code.not(down);
    let of_infinity = ends(code, up);
    let value = code.select(endless_base, of_infinity, value);
    let of_zero = ends(code, down);
    let value = code.select(no_base, of_zero, value);
    // Negative bases have powers of integers only; those of odd ones have the sign. That of -0 is seen in its pattern.
    let (bits, plus) = (code.bits(a), code.long(0));
    let signed = code.op(Prim::Lt, &[bits, plus]);
    let minus = code.op(Prim::Fneg, &[value]);
    let negative = code.and(signed, odd);
    let value = code.select(negative, minus, value);
    let below = code.op(Prim::Flt, &[a, zero]);
    let broken = code.not(whole);
    let nowhere = code.and(below, broken);
    let known = code.or(endless_base, endless_exponent);
    let unknown = code.not(known);
    let nowhere = code.and(nowhere, unknown);
    let value = code.select(nowhere, nan, value);
    let value = keep_nan(code, a, value);
    let value = keep_nan(code, b, value);
    let always = code.or(no_exponent, is_one);
    code.select(always, one, value)
}

/// Base and exponent of the operation `Op::Pow`, and their power.
pub(in crate::rules) fn power_of_operands(f: &mut Float<'_>) -> (Vec<Id>, Id) {
    let ((a, x), (b, w)) = (operand(f, 0), operand(f, 1));
    let value = power_c(&mut f.code, x, w, power);
    (vec![a, b], value)
}

/// The C power of two binary64 numbers, rounded to nearest even.
pub(in crate::rules) fn power_of_doubles(code: &mut Code, a: Id, b: Id) -> Id {
    power_c(code, a, b, long_power)
}

/// x^w of a positive number other than 1 and any but zero, both of 24 digits, rounded to odd in binary64. Where they are 1 it means nothing.
fn power(code: &mut Code, x: Id, w: Id) -> Id {
    let base = Number::of(code, x);
    let e = base.exponent(code);
    let rest = Rest::of_digits(code, base.digits);
    let (log, log_sign) = logarithm(code, Precision::LONG, e, &rest);

    let exponent = Number::of(code, w);
    let mut product = times_word(code, &log, exponent.digits);
    // The logarithm is below 2^8: 190 bits.
    product.truncate(6);
    // w = digits 2^(field - 1023 - 23), and the product's unit is 2^-158 of it. That is to become 2^-128.
    let (first, most) = (code.int(126 + 23 + BIAS), code.int(9 * 32 - 1));
    let amount = code.op(Prim::Sub, &[first, exponent.field]);
    let beyond = code.op(Prim::Ult, &[most, amount]);
    let amount = code.select(beyond, most, amount);
    let none = code.int(0);
    let fixed: Words = [none; 3].into_iter().chain(product).collect();
    let fixed = shifted_right(code, fixed, amount);

    // Beyond 2^9 no format has the result.
    let negative = code.op(Prim::Xor, &[log_sign, exponent.sign]);
    let always = code.truth(true);
    let Exponent { fraction, whole, in_range } = Exponent::of(code, fixed.split_at(4), 512, always, negative);
    let value = power_of_two(code, Precision::LONG, &fraction);
    // Next to 1 it is not 1.
    let size = fixed[2..5].iter().copied().reduce(|all, word| code.or(all, word)).unwrap_or(none);
    let is_beside_one = code.op(Prim::Eq, &[size, none]);
    let significand = rounded_to_odd(code, &value, is_beside_one);
    // The significand has the leading one, which adds 1 to the exponent.
    let bias = code.int(1022);
    let exponent = code.op(Prim::Add, &[whole, bias]);
    let exponent = code.op(Prim::Zext, &[exponent]);
    let exponent = code.shift(Prim::Shl, exponent, 52);
    let bits = code.op(Prim::Add, &[exponent, significand]);
    // What lies beyond is no number of few bits either.
    let (inexact, plain) = (code.long(1), code.long(0));
    let last = code.select(in_range, plain, inexact);
    let bits = code.or(bits, last);
    code.float_of(bits)
}

/// An exponent of two.
struct Exponent {
    /// What is behind the point, rounded down, so that it is not negative.
    fraction: Words,
    /// The whole number before, or one that is far beyond the limit.
    whole: Id,
    in_range: Id,
}

impl Exponent {
    /// Of its magnitude behind and before the point, and whether it is negative (all ones). It is in range below a limit, where it is also
    /// `within`.
    fn of(code: &mut Code, (behind, before): (&[Id], &[Id]), limit: i32, within: Id, negative: Id) -> Exponent {
        let none = code.int(0);
        let upper = before[1..].iter().copied().reduce(|all, word| code.or(all, word)).unwrap_or(none);
        let (small, most, far) = (code.op(Prim::Eq, &[upper, none]), code.int(limit), code.int(limit / 2 * 3));
        let less = code.op(Prim::Ult, &[before[0], most]);
        let in_range = code.and(small, less);
        let in_range = code.and(in_range, within);
        // 2^-(k + f) = 2^(-k - 1) 2^(1 - f).
        let fraction = behind.iter().map(|&word| code.op(Prim::Xor, &[word, negative])).collect();
        let whole = code.select(in_range, before[0], far);
        Exponent { fraction, whole: code.op(Prim::Xor, &[whole, negative]), in_range }
    }
}

/// A number from 1 to below 2 in units of 2^-127, with 53 bits; the last one is set where it is none of so many, or `broken`. 2^53 where
/// it is next to 2, or as many less one.
fn rounded_to_odd(code: &mut Code, value: &[Id], broken: Id) -> Id {
    let none = code.int(0);
    let near = code.int(1 << 24);
    let moved = sum(code, value, &[near, none, none, none]);
    let (limit, nibble, below) = (code.int(1 << 25), code.int(0xf), code.int(0x7f0));
    let small = code.op(Prim::Ult, &[moved[0], limit]);
    let zero = code.op(Prim::Eq, &[moved[1], none]);
    let short = code.op(Prim::Disjoint, &[moved[2], nibble]);
    let is_short = [zero, short].into_iter().fold(small, |all, one| code.and(all, one));
    let fits = code.op(Prim::Disjoint, &[moved[2], below]);
    let is_exact = code.and(is_short, fits);
    let whole = code.not(broken);
    let is_exact = code.and(is_exact, whole);
    let [low, high] = [moved[2], moved[3]].map(|word| code.op(Prim::Zext, &[word]));
    let high = code.shift(Prim::Shl, high, 32);
    let top = code.or(high, low);
    let top = code.shift(Prim::Shr, top, 11);
    let (odd, even, two) = (code.long(1), code.long(0), code.long(1 << 53));
    let last = code.select(is_exact, even, odd);
    let top = code.or(top, last);
    let two = code.op(Prim::Sub, &[two, last]);
    // From 2 on the leading one has left at the top.
    let is_below = code.op(Prim::Lt, &[moved[3], none]);
    code.select(is_below, top, two)
}

/// x^w of a positive number and any but zero, in binary64; beside it lie numbers and their middles alone.
fn long_power(code: &mut Code, x: Id, w: Id) -> Id {
    let (base, exponent) = (Operand::of(code, x), Operand::of(code, w));
    let rest = Rest::of_long(code, base.digits);
    let (log, log_sign) = logarithm(code, Precision::WIDE, base.exponent, &rest);
    let digits = words_of(code, exponent.digits);
    let product = product(code, &log, &digits);
    // The product's unit is 2^(exponent - 52 - 254), and is to become 2^-224. Where it is larger the result is far beyond all numbers,
    // since no logarithm is below 2^-53.
    let (first, most, none) = (code.int(52 + 254 - 224), code.int(32 * product.len() as i32 - 1), code.int(0));
    let amount = code.op(Prim::Sub, &[first, exponent.exponent]);
    let beyond = code.op(Prim::Lt, &[amount, none]);
    let below = code.op(Prim::Lt, &[most, amount]);
    let amount = code.select(below, most, amount);
    let amount = code.select(beyond, none, amount);
    let fixed = shifted_right(code, product, amount);
    let within = code.not(beyond);
    let negative = code.op(Prim::Xor, &[log_sign, exponent.sign]);
    let Exponent { fraction, whole, .. } = Exponent::of(code, fixed.split_at(7), 2048, within, negative);
    let value = power_of_two(code, Precision::WIDE, &fraction);
    // 54 bits, and whether all below them are zeros, off by 2^25 units of 2^-223.
    let mut near = vec![none; 7];
    near[0] = code.int(1 << 25);
    let moved = sum(code, &value, &near);
    let limit = code.int(1 << 26);
    let mut exact = code.op(Prim::Ult, &[moved[0], limit]);
    for &word in &moved[1..5] {
        let zero = code.op(Prim::Eq, &[word, none]);
        exact = code.and(exact, zero);
    }
    let last = code.int(0x3ff);
    let zero = code.op(Prim::Disjoint, &[moved[5], last]);
    let exact = code.and(exact, zero);
    // From 2 on the leading one has left at the top.
    let stays = code.op(Prim::Lt, &[moved[6], none]);
    let (long, two, one) = (long_of(code, &moved[5..]), code.long(1 << 63), code.int(1));
    let long = code.select(stays, long, two);
    let more = code.select(stays, none, one);
    let whole = code.op(Prim::Add, &[whole, more]);
    rounded(code, long, whole, exact)
}
