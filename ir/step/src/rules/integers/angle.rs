//! Sines and cosines.
//!
//! An angle is a number of quarter turns: their number modulo four, and a rest u of at most a half. The sine or cosine of u is a power
//! series in its square.

use super::number::{BIAS, Number, assembled, long_of, normalised, signed, words_of};
use super::words::{Words, difference, high_product, multiply_add, top_words};
use crate::prim::{Prim, Ty};
use crate::program::{Code, Id};
use crate::rules::recipe::keep_nan;
use crate::table::{angle_term, angle_word};

/// Terms of both series: the next ones are below 2^-71.
const TERMS: usize = 10;
/// From this one on terms are words in units of 2^-55: u^2 is at most 1/4, so that what they are off by counts less than 2^-66.
const SHORT: usize = 6;

/// A rest of a quarter turn.
struct Rest {
    /// Its first 64 digits, the highest bit set.
    digits: Words,
    /// The zeros in front of them.
    lead: Id,
    /// Its first 64 bits behind the point.
    fixed: Words,
    /// Whether it is a zero.
    is_zero: Id,
    /// All ones where it is negative.
    sign: Id,
}

/// Sine of quarter turns and a rest, rounded to odd; `number` has their number in its lowest two bits, as a word.
fn sine(code: &mut Code, number: Id, rest: &Rest) -> Id {
    let (one, none) = (code.int(1), code.int(0));
    let odd = code.and(number, one);
    let is_sine = code.op(Prim::Eq, &[odd, none]);
    let square = high_product(code, &rest.fixed, &rest.fixed);
    // Of the sine the terms of u, u^3, ..., of 1 less the cosine those of u^2, u^4, ..., in units of 2^-63.
    let long_term = |code: &mut Code, n: usize| -> Words {
        let [of_sine, of_cosine] = terms(n).map(|term| top_words(code, term, 2));
        of_sine.iter().zip(&of_cosine).map(|(&a, &b)| code.select(is_sine, a, b)).collect()
    };
    let short_term = |code: &mut Code, n: usize| {
        let [of_sine, of_cosine] = terms(n).map(|term| code.int((term >> (127 - 55)) as i32));
        code.select(is_sine, of_sine, of_cosine)
    };
    let mut short = short_term(code, TERMS - 1);
    for n in (SHORT..TERMS - 1).rev() {
        let (_, product) = multiply_add(code, [short, square[1], none], None);
        let (product, term) = (code.op(Prim::Low, &[product]), short_term(code, n));
        short = code.op(Prim::Sub, &[term, product]);
    }
    let [short, first] = [short, square[1]].map(|word| code.op(Prim::Zext, &[word]));
    let product = code.op(Prim::Mul, &[short, first]);
    let product = code.shift(Prim::Shr, product, 55 + 32 - 63);
    let mut product = words_of(code, product);
    let mut p = Words::new();
    for n in (0..SHORT).rev() {
        let term = long_term(code, n);
        p = difference(code, &term, &product);
        if n > 0 {
            product = high_product(code, &p, &square);
        }
    }
    // Times u, or times u^2.
    let factor: Words =
        rest.digits.iter().zip(&square).map(|(&own, &square)| code.select(is_sine, own, square)).collect();
    let product = high_product(code, &p, &factor);
    let (of_sine, moved) = normalised(code, &product);
    // The highest bit of the product counts 1 and the zeros in front of u.
    let exponent = code.op(Prim::Add, &[moved, rest.lead]);
    let exponent = code.op(Prim::Sub, &[none, exponent]);
    // 1 less twice that, in units of 2^-64, and less than 1 unless u is a zero.
    let long = long_of(code, &product);
    let long = code.shift(Prim::Shl, long, 1);
    let (nothing, unit) = (code.long(0), code.long(1));
    let vanishes = code.op(Prim::Eq, &[long, nothing]);
    let long = code.select(vanishes, unit, long);
    let long = code.op(Prim::Sub, &[nothing, long]);
    let whole = code.long(1 << 63);
    let long = code.select(rest.is_zero, whole, long);
    let of_cosine = words_of(code, long);
    let below = code.int(-1);
    let exponent_of_cosine = code.select(rest.is_zero, none, below);

    let words: Words = of_sine.iter().zip(&of_cosine).map(|(&a, &b)| code.select(is_sine, a, b)).collect();
    let exponent = code.select(is_sine, exponent, exponent_of_cosine);
    let value = assembled(code, &words, exponent, rest.is_zero);
    let zero = code.number(Ty::F64, 0.0);
    let nothing = code.and(is_sine, rest.is_zero);
    let value = code.select(nothing, zero, value);
    // Two quarter turns change the sign.
    let two = code.shift(Prim::Shl, number, 30);
    let two = code.shift(Prim::Sar, two, 31);
    let sign = code.select(is_sine, rest.sign, none);
    let sign = code.op(Prim::Xor, &[sign, two]);
    signed(code, value, sign)
}

/// The n-th terms of the sine and of 1 less the cosine, in units of 2^-127.
fn terms(n: usize) -> [u128; 2] {
    [1, 2].map(|power| angle_term(2 * n as u32 + power))
}

/// Sine or cosine of x 2^`shift` quarter turns, rounded to odd.
pub(in crate::rules) fn sine_of_turns(code: &mut Code, x: Id, shift: i32, cosine: bool) -> Id {
    let angle = Number::of(code, x);
    let none = code.int(0);
    // The first digit counts 2^e quarter turns.
    let bias = code.int(BIAS - shift);
    let e = code.op(Prim::Sub, &[angle.field, bias]);
    let digits = code.op(Prim::Zext, &[angle.digits]);
    let digits = code.shift(Prim::Shl, digits, 40);
    let (nothing, one) = (code.long(0), code.int(1));
    let left = code.op(Prim::Add, &[e, one]);
    let most = code.int(62);
    // Below a half of a quarter turn the rest is the number itself; beyond 2^62 there is none.
    let (small, large) = (code.op(Prim::Lt, &[left, none]), code.op(Prim::Lt, &[most, left]));
    let fraction = code.op(Prim::Shl, &[digits, left]);
    let fraction = code.select(large, nothing, fraction);
    let last = code.int(63);
    let right = code.op(Prim::Sub, &[last, e]);
    let whole = code.op(Prim::Shr, &[digits, right]);
    let whole = code.op(Prim::Low, &[whole]);
    let is_fraction = code.op(Prim::Lt, &[e, none]);
    let no_number = code.or(is_fraction, large);
    let whole = code.select(no_number, none, whole);
    let half = code.shift(Prim::Shr, fraction, 32);
    let half = code.op(Prim::Low, &[half]);
    let half = code.shift(Prim::Sar, half, 31);
    let half = code.select(small, none, half);
    let number = code.op(Prim::Sub, &[whole, half]);
    let number = if cosine { code.op(Prim::Add, &[number, one]) } else { number };
    let minus = code.op(Prim::Sub, &[nothing, fraction]);
    let goes_back = code.op(Prim::Lt, &[half, none]);
    let rest = code.select(goes_back, minus, fraction);
    let lead = code.op(Prim::LeadingZeros, &[rest]);
    let first = code.op(Prim::Shl, &[rest, lead]);

    let own_lead = code.op(Prim::Sub, &[none, left]);
    let far = code.op(Prim::Lt, &[last, own_lead]);
    let own_rest = code.op(Prim::Shr, &[digits, own_lead]);
    let own_rest = code.select(far, nothing, own_rest);
    let is_zero = angle.is_zero(code);
    let is_whole = code.op(Prim::Eq, &[rest, nothing]);
    let is_large = code.not(small);
    let is_whole = code.and(is_whole, is_large);
    let is_zero = code.or(is_zero, is_whole);
    let [digits, fixed] = [(digits, first), (own_rest, rest)].map(|(own, other)| {
        let long = code.select(small, own, other);
        words_of(code, long)
    });
    let lead = code.select(small, own_lead, lead);
    let value = sine(code, number, &Rest { digits, lead, fixed, is_zero, sign: half });
    if cosine { value } else { signed(code, value, angle.sign) }
}

/// Angles below 2 to this power have their cosine next to 1, and are their own sine long before.
const LEAST: i32 = -32;
/// The sine of an angle below 2 to this power lies next to it.
const OWN_SINE: i32 = -26;

/// Sine or cosine of an angle in radians, rounded to odd.
pub(in crate::rules) fn sine_of_radians(code: &mut Code, x: Id, cosine: bool) -> Id {
    let angle = Number::of(code, x);
    // |x| = digits 2^(e - 23). Of its product with 2/pi the last two bits before the point count and 126 behind it: they begin with
    // digit number e - 24 of 2/pi.
    let (least, none) = (code.int(BIAS + LEAST), code.int(0));
    let place = code.op(Prim::Sub, &[angle.field, least]);
    let before = code.op(Prim::Lt, &[place, none]);
    let place = code.select(before, none, place);
    let mut words: Words = (0..12).map(|n| code.int(angle_word(n) as i32)).collect();
    for (by, bit) in [(4, 128), (2, 64), (1, 32)] {
        let bit = code.int(bit);
        let stays = code.op(Prim::Disjoint, &[place, bit]);
        words = (0..words.len() - by).map(|n| code.select(stays, words[n], words[n + by])).collect();
    }
    let most = code.int(31);
    let rest = code.op(Prim::Xor, &[place, most]);
    let window: Vec<Id> = (0..4)
        .map(|n| {
            let upper = code.op(Prim::Shl, &[words[n], place]);
            let half = code.shift(Prim::Shr, words[n + 1], 1);
            let lower = code.op(Prim::Shr, &[half, rest]);
            code.or(upper, lower)
        })
        .collect();
    let mut carry = None;
    let mut product = [none; 4];
    for n in (0..4).rev() {
        let (low, above) = multiply_add(code, [window[n], angle.digits, none], carry);
        product[n] = low;
        carry = Some(above);
    }
    // A rest of a half and more belongs to the next quarter turn.
    let number = code.shift(Prim::Shr, product[0], 30);
    let half = code.shift(Prim::Shl, product[0], 2);
    let half = code.shift(Prim::Sar, half, 31);
    let number = code.op(Prim::Sub, &[number, half]);
    let number = if cosine {
        let one = code.int(1);
        code.op(Prim::Add, &[number, one])
    } else {
        number
    };
    let rest: Vec<Id> = (0..4)
        .map(|n| {
            let upper = code.shift(Prim::Shl, product[n], 2);
            let lower = product.get(n + 1).map(|&next| code.shift(Prim::Shr, next, 30));
            let word = lower.map_or(upper, |lower| code.or(upper, lower));
            code.op(Prim::Xor, &[word, half])
        })
        .collect();
    // 96 bits, the first of them set: no more than 63 zeros stand in front.
    let long = long_of(code, &[rest[1], rest[0]]);
    let lead = code.op(Prim::LeadingZeros, &[long]);
    let (word, amount) = (code.int(32), code.and(lead, most));
    let near = code.op(Prim::Ult, &[lead, word]);
    let kept: Vec<Id> = (0..3).map(|n| code.select(near, rest[n], rest[n + 1])).collect();
    let back = code.op(Prim::Xor, &[amount, most]);
    let digits: Words = [1, 0]
        .map(|n| {
            let upper = code.op(Prim::Shl, &[kept[n], amount]);
            let half = code.shift(Prim::Shr, kept[n + 1], 1);
            let lower = code.op(Prim::Shr, &[half, back]);
            code.or(upper, lower)
        })
        .to_vec();
    let fixed = vec![rest[1], rest[0]];
    let is_zero = angle.is_zero(code);
    let value = sine(code, number, &Rest { digits, lead, fixed, is_zero, sign: half });
    let value = if cosine {
        value
    } else {
        let value = signed(code, value, angle.sign);
        let limit = code.int(BIAS + OWN_SINE);
        let small = code.op(Prim::Lt, &[angle.field, limit]);
        // The number below, all of whose digits but the first 24 are set.
        let one = code.long(1);
        let own = code.op(Prim::Sub, &[angle.bits, one]);
        let own = code.float_of(own);
        let own = code.select(is_zero, x, own);
        code.select(small, own, value)
    };
    let nan = code.number(Ty::F64, f64::NAN);
    let special = angle.is_special(code);
    let value = code.select(special, nan, value);
    keep_nan(code, x, value)
}
