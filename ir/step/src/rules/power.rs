//! C's power of numbers of at most 24 bits, in integers of 128 bits, for lanes that nobody else can decide.
//!
//! x = 2^e m, and c is a number of 8 bits next to 1 / m: log2(x) = e + log2(1 / c) + log2(1 + t), where t = m c - 1 is exact in 32 bits.
//! Times w that is an exponent with 128 bits behind the point. Its power is that of the first six bits, from a table, times a power
//! series.
//!
//! The tables are off by less than 2^-124, the series by less than 2^-118 of what they give. Where the table of logarithms counts, w is
//! below 2^16; where w is larger, log2(x) is the series alone. So the exponent is off by less than 2^-107, and the result by less than
//! that of itself. Results within 2^-104 of a number of 60 bits are taken to be that number, as the reference evaluation does:
//! irrational powers do not come that close, rational ones are exact there.

use super::float::Float;
use super::recipe::{keep_nan, operand};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Emit, Id, Inst};
use crate::table::{LOG2E, Power, Table, exp_term};

/// Bits of the series that count.
const DIGITS: usize = 120;
/// Both series are taken at numbers below 2^-6, almost.
const STEP: usize = 59;
/// Terms of the logarithm: the next one is below 2^-123.
const LOG_TERMS: usize = 20;
/// Terms of the power: the next one is below 2^-127.
const EXP_TERMS: usize = 13;

/// Words, the lowest first.
type Words = Vec<Id>;

/// How many words the n-th sum of a series needs.
const fn words_of(n: usize) -> usize {
    let below = STEP * n.saturating_sub(1) / 10;
    (DIGITS + 2 - below).div_ceil(32)
}

/// The highest words of a number of 128 bits.
fn top_words(code: &mut Code, v: u128, count: usize) -> Words {
    (4 - count..4).map(|n| code.int((v >> (32 * n)) as i32)).collect()
}

/// The C power of a and b, rounded to odd in binary64, both in binary64.
pub(super) fn power_c(code: &mut Code, a: Id, b: Id) -> Id {
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
    let at_end = code.select(is_unit, one, at_end);
    let value = code.select(endless_exponent, at_end, value);
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
pub(super) fn power_of_operands(f: &mut Float<'_>) -> (Vec<Id>, Id) {
    let ((a, x), (b, w)) = (operand(f, 0), operand(f, 1));
    let value = power_c(&mut f.code, x, w);
    (vec![a, b], value)
}

/// x^w of a positive number and any but zero.
fn power(code: &mut Code, x: Id, w: Id) -> Id {
    let (bits, bias) = (code.bits(x), code.int(1023));
    let field = exponent_field(code, bits);
    let e = code.op(Prim::Sub, &[field, bias]);
    let m = digits(code, bits);
    let (log, log_sign) = logarithm(code, e, m);

    let bits = code.bits(w);
    let sign = code.shift(Prim::Sar, bits, 63);
    let sign = code.op(Prim::Low, &[sign]);
    let field = exponent_field(code, bits);
    let factor = digits(code, bits);
    let mut product = times_word(code, &log, factor);
    // The logarithm is below 2^8: 190 bits.
    product.truncate(6);
    // w = factor 2^(field - 1023 - 23), and the product's unit is 2^-158 of it. That is to become 2^-128.
    let (first, most) = (code.int(126 + 23 + 1023), code.int(9 * 32 - 1));
    let amount = code.op(Prim::Sub, &[first, field]);
    let beyond = code.op(Prim::Ult, &[most, amount]);
    let amount = code.select(beyond, most, amount);
    let none = code.int(0);
    let fixed: Words = [none; 3].into_iter().chain(product).collect();
    let fixed = shifted_right(code, fixed, amount);

    // Beyond 2^9 no format has the result.
    let upper = fixed[5..].iter().copied().reduce(|all, word| code.or(all, word)).unwrap_or(none);
    let (small, limit) = (code.op(Prim::Eq, &[upper, none]), code.int(512));
    let less = code.op(Prim::Ult, &[fixed[4], limit]);
    let in_range = code.and(small, less);
    // 2^-(k + f) = 2^(-k - 1) 2^(1 - f).
    let negative = code.op(Prim::Xor, &[log_sign, sign]);
    let fraction: Words = fixed[..4].iter().map(|&word| code.op(Prim::Xor, &[word, negative])).collect();
    let far = code.int(600);
    let whole = code.select(in_range, fixed[4], far);
    let whole = code.op(Prim::Xor, &[whole, negative]);
    let value = power_of_two(code, &fraction);
    let significand = rounded_to_odd(code, &value);
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

/// The exponent's field of a binary64 pattern.
fn exponent_field(code: &mut Code, bits: Id) -> Id {
    let field = code.shift(Prim::Shr, bits, 52);
    let (field, mask) = (code.op(Prim::Low, &[field]), code.int(0x7ff));
    code.and(field, mask)
}

/// The first 24 bits of a number.
fn digits(code: &mut Code, bits: Id) -> Id {
    let fraction = code.shift(Prim::Shr, bits, 29);
    let (fraction, mask, hidden) = (code.op(Prim::Low, &[fraction]), code.int(0x7f_ffff), code.int(0x80_0000));
    let fraction = code.and(fraction, mask);
    code.or(fraction, hidden)
}

/// The row of a table of 128 bits.
fn row(code: &mut Code, table: Power, number: Id) -> Id {
    code.emit(Inst::new(Prim::Table, Ty::I64, Table::Power(table).number(), &[number]))
}

fn row_words(code: &mut Code, high: Power, low: Power, number: Id) -> Words {
    [low, high]
        .into_iter()
        .flat_map(|table| {
            let row = row(code, table, number);
            let upper = code.shift(Prim::Shr, row, 32);
            [row, upper].map(|half| code.op(Prim::Low, &[half]))
        })
        .collect()
}

/// The magnitude of log2(2^e m / 2^23) in units of 2^-158, and all ones where it is negative.
fn logarithm(code: &mut Code, e: Id, m: Id) -> (Words, Id) {
    let (number, mask) = (code.shift(Prim::Shr, m, 17), code.int(63));
    let number = code.and(number, mask);
    let c = row(code, Power::Reciprocal, number);
    let c = code.op(Prim::Low, &[c]);
    let (product, one) = (code.op(Prim::Mul, &[m, c]), code.int(i32::MIN));
    let t = code.op(Prim::Sub, &[product, one]);
    let sign = code.shift(Prim::Sar, t, 31);
    let size = code.op(Prim::Xor, &[t, sign]);
    let size = code.op(Prim::Sub, &[size, sign]);
    // In units of 2^-32.
    let size = code.shift(Prim::Shl, size, 1);
    let ones = code.int(-1);
    let minus = code.op(Prim::Xor, &[sign, ones]);
    // q = log2(1 + t) / t: 1 / ln 2 - t / (2 ln 2) + ..., with two bits before the point.
    let term = |n: usize| (LOG2E >> 1) / (n as u128 + 1);
    let mut q = top_words(code, term(LOG_TERMS - 1), words_of(LOG_TERMS - 1));
    for n in (0..LOG_TERMS - 1).rev() {
        let product = times_word(code, &q, size);
        let product = product[1..].iter().map(|&word| code.op(Prim::Xor, &[word, minus])).collect();
        let count = words_of(n);
        let product = padded(product, count, minus);
        let c = top_words(code, term(n), count);
        q = sum(code, &c, &product);
    }
    let series = times_word(code, &q, size);
    let mut series: Words = series.into_iter().map(|word| code.op(Prim::Xor, &[word, sign])).collect();
    series.push(sign);
    let log = row_words(code, Power::LogHigh, Power::LogLow, number);
    let (low, high) = (code.shift(Prim::Shl, e, 30), code.shift(Prim::Sar, e, 2));
    let none = code.int(0);
    let whole = [none, none, none, none, low, high];
    let log: Words = [none].into_iter().chain(log).chain([none]).collect();
    let log = sum(code, &log, &whole);
    let log = sum(code, &log, &series);
    let sign = code.shift(Prim::Sar, log[5], 31);
    (log.into_iter().map(|word| code.op(Prim::Xor, &[word, sign])).collect(), sign)
}

/// 2^fraction, a fraction of 128 bits, in units of 2^-127: from 1 to below 2.
fn power_of_two(code: &mut Code, fraction: &[Id]) -> Words {
    let number = code.shift(Prim::Shr, fraction[3], 26);
    let mask = code.int((1 << 26) - 1);
    let mut rest = fraction.to_vec();
    rest[3] = code.and(rest[3], mask);
    // (2^rest - 1) / rest: ln 2 + rest ln(2)^2 / 2 + ...
    let none = code.int(0);
    let mut p = top_words(code, exp_term(EXP_TERMS as u32), words_of(EXP_TERMS));
    for n in (1..EXP_TERMS).rev() {
        let product = high_product(code, &p, &rest[4 - p.len()..]);
        let count = words_of(n);
        let product = padded(product, count, none);
        let term = top_words(code, exp_term(n as u32), count);
        p = sum(code, &term, &product);
    }
    let grown = high_product(code, &p, &rest);
    let first = row_words(code, Power::ExpHigh, Power::ExpLow, number);
    let more = high_product(code, &first, &grown);
    sum(code, &first, &more)
}

/// A number from 1 to below 2 in units of 2^-127, with 53 bits; the last one is set where it is none of so many. 2^53 where it is next
/// to 2.
fn rounded_to_odd(code: &mut Code, value: &[Id]) -> Id {
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
    let [low, high] = [moved[2], moved[3]].map(|word| code.op(Prim::Zext, &[word]));
    let high = code.shift(Prim::Shl, high, 32);
    let top = code.or(high, low);
    let top = code.shift(Prim::Shr, top, 11);
    let (odd, even, two) = (code.long(1), code.long(0), code.long(1 << 53));
    let last = code.select(is_exact, even, odd);
    let top = code.or(top, last);
    // From 2 on the leading one has left at the top.
    let is_below = code.op(Prim::Lt, &[moved[3], none]);
    code.select(is_below, top, two)
}

/// Words with more of them below.
fn padded(words: Words, count: usize, below: Id) -> Words {
    let more = count.saturating_sub(words.len());
    std::iter::repeat_n(below, more).chain(words).collect()
}

/// a b + c + carry: the low word, and what is above.
fn multiply_add(code: &mut Code, [a, b, c]: [Id; 3], carry: Option<Id>) -> (Id, Id) {
    let [a, b, c] = [a, b, c].map(|word| code.op(Prim::Zext, &[word]));
    let product = code.op(Prim::Mul, &[a, b]);
    let all = code.op(Prim::Add, &[product, c]);
    let all = carry.map_or(all, |carry| code.op(Prim::Add, &[all, carry]));
    (code.op(Prim::Low, &[all]), code.shift(Prim::Shr, all, 32))
}

/// A number times a word, a word longer.
fn times_word(code: &mut Code, a: &[Id], factor: Id) -> Words {
    let none = code.int(0);
    let mut carry = None;
    let mut words = Words::new();
    for &word in a {
        let (low, above) = multiply_add(code, [word, factor, none], carry);
        words.push(low);
        carry = Some(above);
    }
    let last = carry.map_or(none, |carry| code.op(Prim::Low, &[carry]));
    words.push(last);
    words
}

/// The upper half of a product of two numbers of one width, less at most so many units as it has words.
fn high_product(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    let count = a.len();
    let none = code.int(0);
    let mut columns = vec![none; count + 1];
    for (i, &word) in a.iter().enumerate() {
        let mut carry = None;
        for j in count - 1 - i..count {
            let column = &mut columns[i + j + 1 - count];
            let (low, above) = multiply_add(code, [word, b[j], *column], carry);
            *column = low;
            carry = Some(above);
        }
        if let Some(carry) = carry {
            columns[i + 1] = code.op(Prim::Low, &[carry]);
        }
    }
    columns.split_off(1)
}

/// a + b of one width, modulo it.
fn sum(code: &mut Code, a: &[Id], b: &[Id]) -> Words {
    let mut carry: Option<Id> = None;
    a.iter()
        .zip(b)
        .map(|(&a, &b)| {
            let [a, b] = [a, b].map(|word| code.op(Prim::Zext, &[word]));
            let all = code.op(Prim::Add, &[a, b]);
            let all = carry.map_or(all, |carry| code.op(Prim::Add, &[all, carry]));
            carry = Some(code.shift(Prim::Shr, all, 32));
            code.op(Prim::Low, &[all])
        })
        .collect()
}

/// Nine words shifted right by less than their width.
fn shifted_right(code: &mut Code, mut words: Words, amount: Id) -> Words {
    let (none, most) = (code.int(0), code.int(31));
    let rest = code.op(Prim::Xor, &[amount, most]);
    words = (0..words.len())
        .map(|n| {
            let own = code.op(Prim::Shr, &[words[n], amount]);
            let Some(&next) = words.get(n + 1) else { return own };
            let next = code.shift(Prim::Shl, next, 1);
            let next = code.op(Prim::Shl, &[next, rest]);
            code.or(own, next)
        })
        .collect();
    for by in [8, 4, 2, 1] {
        let bit = code.int(32 * by as i32);
        let stays = code.op(Prim::Disjoint, &[amount, bit]);
        words = (0..words.len())
            .map(|n| {
                let from = words.get(n + by).copied().unwrap_or(none);
                code.select(stays, words[n], from)
            })
            .collect();
    }
    words
}
