//! The series of logarithms and powers of two, in as many words as are asked for.
//!
//! x = 2^e m, and c is a number of 8 bits next to 1 / m: log2(x) = e + log2(1 / c) + log2(1 + t), where t = m c - 1 is exact in 32 bits.
//! A power of two is that of the first six bits of its exponent, from a table, times a power series.

use super::number::words_of;
use super::words::{Words, high_product, padded, product, row, row_words, sum, top_words};
use crate::prim::Prim;
use crate::program::{Code, Id};
use crate::table::{Power, exp_term};
use parallax_num::Fraction;

/// Both series are taken at numbers below 2^-6, almost.
const STEP: usize = 59;

/// How precise series are.
#[derive(Copy, Clone, Debug)]
pub(super) struct Precision {
    /// Words of a value.
    words: usize,
    /// Bits of the series that count.
    digits: usize,
    /// Terms of the logarithm.
    log_terms: usize,
    /// Terms of the power.
    exp_terms: usize,
}

impl Precision {
    /// Of functions with one operand: the next terms are below 2^-67 and 2^-76.
    pub(super) const SHORT: Precision = Precision { words: 2, digits: 60, log_terms: 11, exp_terms: 8 };
    /// Of powers: the next terms are below 2^-123 and 2^-127.
    pub(super) const LONG: Precision = Precision { words: 4, digits: 120, log_terms: 20, exp_terms: 13 };
    /// Of powers in binary64: the next terms are below 2^-223 and 2^-224.
    pub(super) const WIDE: Precision = Precision { words: 7, digits: 216, log_terms: 37, exp_terms: 22 };

    /// How many words the n-th sum of a series needs.
    const fn words_of(self, n: usize) -> usize {
        let below = STEP * n.saturating_sub(1) / 10;
        (self.digits + 2 - below).div_ceil(32)
    }
}

/// What is left of a number's digits times the c of its row, less 1.
pub(super) struct Rest {
    /// The row.
    number: Id,
    /// The magnitude, behind the point.
    size: Words,
    /// All ones where it is negative.
    sign: Id,
}

impl Rest {
    /// Of 24 digits.
    pub(super) fn of_digits(code: &mut Code, digits: Id) -> Rest {
        let (number, mask) = (code.shift(Prim::Shr, digits, 17), code.int(63));
        let number = code.and(number, mask);
        let c = row(code, Power::Reciprocal, number);
        let c = code.op(Prim::Low, &[c]);
        let (product, one) = (code.op(Prim::Mul, &[digits, c]), code.int(i32::MIN));
        let t = code.op(Prim::Sub, &[product, one]);
        let sign = code.shift(Prim::Sar, t, 31);
        let size = code.op(Prim::Xor, &[t, sign]);
        let size = code.op(Prim::Sub, &[size, sign]);
        Rest { number, size: vec![code.shift(Prim::Shl, size, 1)], sign }
    }

    /// Of 53 digits, as 64 bits.
    pub(super) fn of_long(code: &mut Code, digits: Id) -> Rest {
        let number = code.shift(Prim::Shr, digits, 46);
        let (number, mask) = (code.op(Prim::Low, &[number]), code.int(63));
        let number = code.and(number, mask);
        let c = row(code, Power::Reciprocal, number);
        let (product, one) = (code.op(Prim::Mul, &[digits, c]), code.long(1 << 60));
        let t = code.op(Prim::Sub, &[product, one]);
        let sign = code.shift(Prim::Sar, t, 63);
        let size = code.op(Prim::Xor, &[t, sign]);
        let size = code.op(Prim::Sub, &[size, sign]);
        let size = code.shift(Prim::Shl, size, 4);
        Rest { number, size: words_of(code, size), sign: code.op(Prim::Low, &[sign]) }
    }
}

/// The magnitude of log2(2^e m), where m are digits from 1 to 2, less one unit where it is negative, in two words more than the
/// precision's, and all ones where it is negative. The word below the highest one counts 2^-30.
pub(super) fn logarithm(code: &mut Code, precision: Precision, e: Id, m: &Rest) -> (Words, Id) {
    let Rest { number, size, sign } = m;
    let (number, sign) = (*number, *sign);
    let ones = code.int(-1);
    let minus = code.op(Prim::Xor, &[sign, ones]);
    // q = log2(1 + t) / t: 1 / ln 2 - t / (2 ln 2) + ..., with two bits before the point.
    let term = |n: usize| Fraction::LOG2E.shifted(1).over(n as u64 + 1);
    let terms = precision.log_terms;
    let mut q = top_words(code, term(terms - 1), precision.words_of(terms - 1));
    for n in (0..terms - 1).rev() {
        let product = product(code, &q, size);
        let product = product[size.len()..].iter().map(|&word| code.op(Prim::Xor, &[word, minus])).collect();
        let count = precision.words_of(n);
        let product = padded(product, count, minus);
        let c = top_words(code, term(n), count);
        q = sum(code, &c, &product);
    }
    let series = product(code, &q, size);
    let mut series: Words = series[size.len() - 1..].iter().map(|&word| code.op(Prim::Xor, &[word, sign])).collect();
    series.push(sign);
    let (low, high) = (code.shift(Prim::Shl, e, 30), code.shift(Prim::Sar, e, 2));
    let none = code.int(0);
    let mut log = row_words(code, Power::Log, number, precision.words + 1);
    log.push(none);
    let whole: Words = std::iter::repeat_n(none, precision.words).chain([low, high]).collect();
    let log = sum(code, &log, &whole);
    let log = sum(code, &log, &series);
    let sign = code.shift(Prim::Sar, log[log.len() - 1], 31);
    (log.into_iter().map(|word| code.op(Prim::Xor, &[word, sign])).collect(), sign)
}

/// 2^fraction in as many words: from 1 to below 2, the leading one at the top. It is never larger than that.
pub(super) fn power_of_two(code: &mut Code, precision: Precision, fraction: &[Id]) -> Words {
    let last = precision.words - 1;
    let number = code.shift(Prim::Shr, fraction[last], 26);
    let mask = code.int((1 << 26) - 1);
    let mut rest = fraction.to_vec();
    rest[last] = code.and(rest[last], mask);
    // (2^rest - 1) / rest: ln 2 + rest ln(2)^2 / 2 + ...
    let none = code.int(0);
    let mut p = top_words(code, exp_term(precision.exp_terms as u64), precision.words_of(precision.exp_terms));
    for n in (1..precision.exp_terms).rev() {
        let product = high_product(code, &p, &rest[precision.words - p.len()..]);
        let count = precision.words_of(n);
        let product = padded(product, count, none);
        let term = top_words(code, exp_term(n as u64), count);
        p = sum(code, &term, &product);
    }
    let grown = high_product(code, &p, &rest);
    let first = row_words(code, Power::Exp, number, precision.words);
    let more = high_product(code, &first, &grown);
    sum(code, &first, &more)
}
