//! Functions in binary64, rounded to nearest even.
//!
//! Values have 128 bits and are off by less than 2^-116 of themselves. The functions have some 2^62 operands, so that their results
//! should not lie closer to the middle of two numbers than 2^-115; where they are used more, they lie farther away. Exact results are
//! known from their operands. Powers have twice as many digits in their operands and more words ([`power`](super::power)).

use super::number::{BIAS, long_of, words_of};
use super::root::first_inverse;
use super::series::{self, Precision, Rest, power_of_two};
use super::words::{Words, difference, high_product, multiply_add, product, shifted_right, top_words};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Emit, Id, Inst};
use crate::rules::recipe::keep_nan;
use crate::table::{Table, angle_term};

/// A binary64 number. Zeros, infinities and NaN have digits, too, which mean nothing.
pub(super) struct Operand {
    /// All ones where it is negative.
    pub(super) sign: Id,
    /// Its 53 digits in 64 bits.
    pub(super) digits: Id,
    /// What the first of them counts.
    pub(super) exponent: Id,
    is_zero: Id,
    /// Whether it is infinite or NaN.
    is_special: Id,
}

impl Operand {
    pub(super) fn of(code: &mut Code, x: Id) -> Operand {
        let bits = code.bits(x);
        let upper = code.shift(Prim::Shr, bits, 32);
        let upper = code.op(Prim::Low, &[upper]);
        let sign = code.shift(Prim::Sar, upper, 31);
        let field = code.shift(Prim::Shr, upper, 20);
        let (end, bias, none) = (code.int(0x7ff), code.int(BIAS), code.int(0));
        let field = code.and(field, end);
        let (mask, hidden) = (code.long((1 << 52) - 1), code.long(1 << 52));
        let fraction = code.and(bits, mask);
        let denormal = code.op(Prim::Eq, &[field, none]);
        let lead = code.op(Prim::LeadingZeros, &[fraction]);
        let eleven = code.int(11);
        let moved = code.op(Prim::Sub, &[lead, eleven]);
        let (own, of_denormal) = (code.or(fraction, hidden), code.op(Prim::Shl, &[fraction, moved]));
        let digits = code.select(denormal, of_denormal, own);
        let least = code.int(1 - BIAS);
        let (exponent, below) = (code.op(Prim::Sub, &[field, bias]), code.op(Prim::Sub, &[least, moved]));
        let exponent = code.select(denormal, below, exponent);
        let nothing = code.long(0);
        let empty = code.op(Prim::Eq, &[fraction, nothing]);
        let is_zero = code.and(denormal, empty);
        let is_special = code.op(Prim::Eq, &[field, end]);
        Operand { sign, digits, exponent, is_zero, is_special }
    }

    fn is_power_of_two(&self, code: &mut Code) -> Id {
        let hidden = code.long(1 << 52);
        code.op(Prim::Eq, &[self.digits, hidden])
    }
}

/// 64 bits, the highest of them set, that count 2 to `exponent`, rounded to nearest even; `exact` says where none are missing.
pub(super) fn rounded(code: &mut Code, long: Id, exponent: Id, exact: Id) -> Id {
    let (one, zero, none) = (code.long(1), code.long(0), code.int(0));
    let last = code.select(exact, zero, one);
    let long = code.or(long, last);
    // Below the least exponent fewer digits are left.
    let least = code.int(1 - BIAS);
    let distance = code.op(Prim::Sub, &[least, exponent]);
    let small = code.op(Prim::Lt, &[none, distance]);
    let most = code.int(63);
    let far = code.op(Prim::Lt, &[most, distance]);
    let distance = code.select(far, most, distance);
    let distance = code.select(small, distance, none);
    let cut = code.op(Prim::Shr, &[long, distance]);
    let back = code.op(Prim::Shl, &[cut, distance]);
    let whole = code.op(Prim::Eq, &[back, long]);
    let lost = code.select(whole, zero, one);
    let cut = code.or(cut, lost);
    let (mask, middle) = (code.long(0x7ff), code.long(0x400));
    let rest = code.and(cut, mask);
    let kept = code.shift(Prim::Shr, cut, 11);
    let odd = code.and(kept, one);
    let rest = code.op(Prim::Add, &[rest, odd]);
    let up = code.op(Prim::Ult, &[middle, rest]);
    let up = code.select(up, one, zero);
    // The first digit adds 1 to the exponent.
    let bias = code.int(BIAS - 1);
    let field = code.op(Prim::Add, &[exponent, bias]);
    let field = code.select(small, none, field);
    let field = code.op(Prim::Zext, &[field]);
    let field = code.shift(Prim::Shl, field, 52);
    let bits = code.op(Prim::Add, &[field, kept]);
    let bits = code.op(Prim::Add, &[bits, up]);
    let value = code.float_of(bits);
    let (end, infinity) = (code.int(BIAS), code.number(Ty::F64, f64::INFINITY));
    let beyond = code.op(Prim::Lt, &[end, exponent]);
    code.select(beyond, infinity, value)
}

/// x 2^n, for any number n.
pub(in crate::rules) fn ldexp(code: &mut Code, x: Id, n: Id) -> Id {
    let number = Operand::of(code, x);
    // Beyond this nothing changes any more.
    let (low, high) = (code.int(-2200), code.int(2200));
    let below = code.op(Prim::Lt, &[n, low]);
    let n = code.select(below, low, n);
    let above = code.op(Prim::Lt, &[high, n]);
    let n = code.select(above, high, n);
    let exponent = code.op(Prim::Add, &[number.exponent, n]);
    let long = code.shift(Prim::Shl, number.digits, 11);
    let always = code.truth(true);
    let value = rounded(code, long, exponent, always);
    let value = super::number::signed(code, value, number.sign);
    let itself = code.or(number.is_zero, number.is_special);
    code.select(itself, x, value)
}

/// 2^x.
pub(in crate::rules) fn exp2(code: &mut Code, x: Id) -> Id {
    let number = Operand::of(code, x);
    // |x| below 2^11 in units of 2^-128.
    let (ten, none) = (code.int(10), code.int(0));
    let amount = code.op(Prim::Sub, &[ten, number.exponent]);
    let beyond = code.op(Prim::Lt, &[amount, none]);
    let most = code.int(5 * 32 - 1);
    let far = code.op(Prim::Ult, &[most, amount]);
    let amount = code.select(far, most, amount);
    let low = code.shift(Prim::Shl, number.digits, 22);
    let mut words = vec![none; 2];
    words.extend(words_of(code, low));
    let high = code.shift(Prim::Shr, number.digits, 42);
    words.push(code.op(Prim::Low, &[high]));
    let fixed = shifted_right(code, words, amount);
    let any = fixed[..4].iter().copied().reduce(|all, word| code.or(all, word)).unwrap_or(none);
    let broken = code.op(Prim::Eq, &[any, none]);
    let broken = code.not(broken);
    let small = code.op(Prim::Lt, &[number.exponent, none]);
    let broken = code.or(broken, small);
    let not_zero = code.not(number.is_zero);
    let broken = code.and(broken, not_zero);
    let exact = code.not(broken);
    // 2^-(k + f) = 2^(-k - 1) 2^(1 - f); whole numbers are negated.
    let far = code.int(3000);
    let whole = code.select(beyond, far, fixed[4]);
    let turned = code.op(Prim::Xor, &[whole, number.sign]);
    let negated = code.op(Prim::Sub, &[turned, number.sign]);
    let whole = code.select(exact, negated, turned);
    let fraction: Words = fixed[..4]
        .iter()
        .map(|&word| {
            let turned = code.op(Prim::Xor, &[word, number.sign]);
            code.select(exact, none, turned)
        })
        .collect();
    let value = power_of_two(code, Precision::LONG, &fraction);
    let long = long_of(code, &value[2..]);
    let value = rounded(code, long, whole, exact);
    let [zero, infinity] = [0.0, f64::INFINITY].map(|v| code.number(Ty::F64, v));
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let end = code.select(negative, zero, infinity);
    let value = code.select(number.is_special, end, value);
    keep_nan(code, x, value)
}

/// log2(x); NaN of negative numbers.
pub(in crate::rules) fn log2(code: &mut Code, x: Id) -> Id {
    let number = Operand::of(code, x);
    let rest = Rest::of_long(code, number.digits);
    let (log, sign) = series::logarithm(code, Precision::LONG, number.exponent, &rest);
    // The first digit stands in one of the three highest words.
    let none = code.int(0);
    let mut top: Words = log[2..6].to_vec();
    let mut first = code.int(33);
    for (n, counts) in [(1, 1), (0, -31)] {
        let empty = code.op(Prim::Eq, &[top[3], none]);
        top = (0..4).map(|at| code.select(empty, log[n + at], top[at])).collect();
        let counts = code.int(counts);
        first = code.select(empty, counts, first);
    }
    let (upper, lower) = (long_of(code, &top[2..]), long_of(code, &top[..2]));
    let lead = code.op(Prim::LeadingZeros, &[upper]);
    let last = code.int(63);
    let back = code.op(Prim::Xor, &[lead, last]);
    let upper = code.op(Prim::Shl, &[upper, lead]);
    let lower = code.shift(Prim::Shr, lower, 1);
    let lower = code.op(Prim::Shr, &[lower, back]);
    let long = code.or(upper, lower);
    let exponent = code.op(Prim::Sub, &[first, lead]);
    let never = code.truth(false);
    let value = rounded(code, long, exponent, never);
    let value = super::number::signed(code, value, sign);
    let whole = code.of_int(Ty::F64, Direction::Nearest, number.exponent);
    let is_power = number.is_power_of_two(code);
    let value = code.select(is_power, whole, value);
    let [infinity, minus, nan] = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(|v| code.number(Ty::F64, v));
    let value = code.select(number.is_special, infinity, value);
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let value = code.select(negative, nan, value);
    let value = code.select(number.is_zero, minus, value);
    keep_nan(code, x, value)
}

/// 1 / sqrt(x): NaN of negative numbers, infinities of zeros.
pub(in crate::rules) fn reciprocal_root(code: &mut Code, x: Id) -> Id {
    let number = Operand::of(code, x);
    let (one, none) = (code.int(1), code.int(0));
    let odd = code.and(number.exponent, one);
    let even = code.op(Prim::Eq, &[odd, none]);
    // x = 4^k a, with a from 1/4 to below 1, in units of 2^-64.
    let k = code.op(Prim::Add, &[number.exponent, one]);
    let k = code.shift(Prim::Sar, k, 1);
    let k_of_even = code.op(Prim::Add, &[k, one]);
    let k = code.select(even, k_of_even, k);
    let [less, more] = [10, 11].map(|by| code.shift(Prim::Shl, number.digits, by));
    let a = code.select(even, less, more);
    let a = words_of(code, a);
    let f = code.shift(Prim::Shr, number.digits, 20);
    let f = code.op(Prim::Low, &[f]);
    let y = first_inverse(code, f, even, a[1]);

    // y in units of 2^-30 becomes one of 2^-62: y (1 + r / 2 + 3 r^2 / 8), where r = 1 - a y^2 is below 2^-27. It is less than 2^5 units
    // off.
    let wide = code.op(Prim::Zext, &[y]);
    let square = code.op(Prim::Mul, &[wide, wide]);
    let square = words_of(code, square);
    let unit = product(code, &square, &a);
    let upper = long_of(code, &unit[2..]);
    let whole = code.long(1 << 60);
    let r = code.op(Prim::Sub, &[whole, upper]);
    let r = code.shift(Prim::Sar, r, 2);
    let square = code.op(Prim::Mul, &[r, r]);
    // r + 3 r^2 / 4 in units of 2^-58.
    let three = code.long(3);
    let square = code.shift(Prim::Shr, square, 58 - 4);
    let square = code.op(Prim::Mul, &[square, three]);
    let square = code.shift(Prim::Shr, square, 4 + 2);
    let sum = code.op(Prim::Add, &[r, square]);
    let more = code.op(Prim::Mul, &[wide, sum]);
    let more = code.shift(Prim::Sar, more, 27);
    let inverse = code.shift(Prim::Shl, wide, 32);
    let inverse = code.op(Prim::Add, &[inverse, more]);
    // So q, its 56 digits rounded, is the root's first 56 digits, or one more: then q^2 a is above 1.
    let near = code.long(1 << 6);
    let moved = code.op(Prim::Add, &[inverse, near]);
    let q = code.shift(Prim::Shr, moved, 7);
    let words = words_of(code, q);
    let square = product(code, &words, &words);
    let unit = product(code, &square[..4], &a);
    // q is in units of 2^-55, q^2 a in those of 2^-174.
    let limit = code.int(1 << (174 - 5 * 32));
    let below = code.op(Prim::Ult, &[unit[5], limit]);
    let (stays, one_less) = (code.long(0), code.long(1));
    let less = code.select(below, stays, one_less);
    let q = code.op(Prim::Sub, &[q, less]);
    let long = code.shift(Prim::Shl, q, 8);
    let is_power = number.is_power_of_two(code);
    let is_power = code.and(is_power, even);
    let two = code.long(1 << 63);
    let long = code.select(is_power, two, long);
    // The highest bit counts 1, or 2 of a power of four.
    let exponent = code.op(Prim::Sub, &[none, k]);
    let exponent_of_power = code.op(Prim::Sub, &[one, k]);
    let exponent = code.select(is_power, exponent_of_power, exponent);
    let value = rounded(code, long, exponent, is_power);
    let [zero, infinity, nan] = [0.0, f64::INFINITY, f64::NAN].map(|v| code.number(Ty::F64, v));
    let value = code.select(number.is_special, zero, value);
    let negative = code.op(Prim::Lt, &[number.sign, none]);
    let value = code.select(negative, nan, value);
    let endless = code.copysign(infinity, x);
    let value = code.select(number.is_zero, endless, value);
    keep_nan(code, x, value)
}

/// Terms of both series: the next ones are below 2^-133.
const TERMS: usize = 18;
/// From this one on terms have 64 bits in units of 2^-114.
const SHORT: usize = 10;
/// Sines of angles below 2 to this power are the angles; they lie next below.
const OWN_SINE: i32 = -26;
/// Cosines of angles below 2 to this power are 1; they lie next below.
const LEAST: i32 = -35;
/// Words of an angle's product with 2/pi.
const WINDOW: usize = 7;

/// Sine or cosine of an angle in radians.
pub(in crate::rules) fn sine(code: &mut Code, x: Id, cosine: bool) -> Id {
    let angle = Operand::of(code, x);
    let (one, none) = (code.int(1), code.int(0));
    // |x| = digits 2^(e - 52). Of its product with 2/pi the last two bits before the point count and 222 behind it: they begin with
    // digit number e - 53 of 2/pi.
    let least = code.int(LEAST);
    let place = code.op(Prim::Sub, &[angle.exponent, least]);
    let before = code.op(Prim::Lt, &[place, none]);
    let place = code.select(before, none, place);
    let window = window(code, place);
    let digits = words_of(code, angle.digits);
    let mut columns = [none; WINDOW];
    for (j, &factor) in digits.iter().enumerate() {
        let mut carry = None;
        for i in 0..WINDOW - j {
            let (low, above) = multiply_add(code, [window[i], factor, columns[i + j]], carry);
            columns[i + j] = low;
            carry = Some(above);
        }
    }
    // A rest of a half and more belongs to the next quarter turn.
    let top = columns[WINDOW - 1];
    let number = code.shift(Prim::Shr, top, 30);
    let half = code.shift(Prim::Shl, top, 2);
    let half = code.shift(Prim::Sar, half, 31);
    let number = code.op(Prim::Sub, &[number, half]);
    let number = if cosine { code.op(Prim::Add, &[number, one]) } else { number };
    let rest: Words = (0..WINDOW)
        .map(|n| {
            let upper = code.shift(Prim::Shl, columns[n], 2);
            let word = match n {
                0 => upper,
                _ => {
                    let lower = code.shift(Prim::Shr, columns[n - 1], 30);
                    code.or(upper, lower)
                }
            };
            code.op(Prim::Xor, &[word, half])
        })
        .collect();
    let fixed = rest[WINDOW - 4..].to_vec();
    let (digits, lead) = leading(code, &rest);

    let odd = code.and(number, one);
    let is_sine = code.op(Prim::Eq, &[odd, none]);
    let square = high_product(code, &fixed, &fixed);
    let p = terms(code, is_sine, &square);
    let factor: Words = digits.iter().zip(&square).map(|(&own, &square)| code.select(is_sine, own, square)).collect();
    let result = high_product(code, &p, &factor);
    // The sine: the highest bit counts 1 and the zeros in front of the angle.
    let (upper, lower) = (long_of(code, &result[2..]), long_of(code, &result[..2]));
    let moved = code.op(Prim::LeadingZeros, &[upper]);
    let last = code.int(63);
    let back = code.op(Prim::Xor, &[moved, last]);
    let of_sine = code.op(Prim::Shl, &[upper, moved]);
    let filled = code.shift(Prim::Shr, lower, 1);
    let filled = code.op(Prim::Shr, &[filled, back]);
    let of_sine = code.or(of_sine, filled);
    let exponent = code.op(Prim::Add, &[moved, lead]);
    let exponent = code.op(Prim::Sub, &[none, exponent]);
    // The cosine: 1 less twice that in units of 2^-64, less another bit that says that something is missing.
    let twice = code.shift(Prim::Shl, upper, 1);
    let carried = code.shift(Prim::Shr, lower, 63);
    let twice = code.or(twice, carried);
    let ones = code.long(u64::MAX);
    let of_cosine = code.op(Prim::Sub, &[ones, twice]);
    let below = code.int(-1);
    let long = code.select(is_sine, of_sine, of_cosine);
    let exponent = code.select(is_sine, exponent, below);
    let never = code.truth(false);
    let value = rounded(code, long, exponent, never);
    // Two quarter turns change the sign.
    let two = code.shift(Prim::Shl, number, 30);
    let two = code.shift(Prim::Sar, two, 31);
    let sign = code.select(is_sine, half, none);
    let sign = code.op(Prim::Xor, &[sign, two]);
    let sign = if cosine { sign } else { code.op(Prim::Xor, &[sign, angle.sign]) };
    let value = super::number::signed(code, value, sign);
    let value = if cosine {
        let whole = code.number(Ty::F64, 1.0);
        code.select(angle.is_zero, whole, value)
    } else {
        let limit = code.int(OWN_SINE);
        let small = code.op(Prim::Lt, &[angle.exponent, limit]);
        let small = code.or(small, angle.is_zero);
        code.select(small, x, value)
    };
    let nan = code.number(Ty::F64, f64::NAN);
    let value = code.select(angle.is_special, nan, value);
    keep_nan(code, x, value)
}

/// Words of 2/pi from a bit on, the lowest first.
fn window(code: &mut Code, place: Id) -> Words {
    let first = code.shift(Prim::Shr, place, 5);
    let mut words = Words::new();
    for n in (0..=WINDOW).step_by(2) {
        let by = code.int(n as i32);
        let number = code.op(Prim::Add, &[first, by]);
        let row = code.emit(Inst::new(Prim::Table, Ty::I64, Table::TwoOverPi.number(), &[number]));
        let upper = code.shift(Prim::Shr, row, 32);
        words.extend([upper, row].map(|word| code.op(Prim::Low, &[word])));
    }
    let most = code.int(31);
    let back = code.op(Prim::Xor, &[place, most]);
    (0..WINDOW)
        .rev()
        .map(|n| {
            let upper = code.op(Prim::Shl, &[words[n], place]);
            let half = code.shift(Prim::Shr, words[n + 1], 1);
            let lower = code.op(Prim::Shr, &[half, back]);
            code.or(upper, lower)
        })
        .collect()
}

/// The first 128 digits of words of which no more than the three highest are zeros, and the zeros in front of them.
fn leading(code: &mut Code, words: &[Id]) -> (Words, Id) {
    let (none, most, word) = (code.int(0), code.int(31), code.int(32));
    let mut top: Words = words[words.len() - 5..].to_vec();
    let mut lead = none;
    for n in 1..=2 {
        let empty = code.op(Prim::Eq, &[top[4], none]);
        let from = words.len() - 5 - n;
        top = (0..5)
            .map(|at| {
                let below = if at == 0 { words[from] } else { top[at - 1] };
                code.select(empty, below, top[at])
            })
            .collect();
        let more = code.op(Prim::Add, &[lead, word]);
        lead = code.select(empty, more, lead);
    }
    let amount = code.op(Prim::LeadingZeros, &[top[4]]);
    let back = code.op(Prim::Xor, &[amount, most]);
    let digits = (1..5)
        .map(|n| {
            let upper = code.op(Prim::Shl, &[top[n], amount]);
            let half = code.shift(Prim::Shr, top[n - 1], 1);
            let lower = code.op(Prim::Shr, &[half, back]);
            code.or(upper, lower)
        })
        .collect();
    (digits, code.op(Prim::Add, &[lead, amount]))
}

/// The series of the sine over u, or of 1 less the cosine over u^2, in units of 2^-127.
fn terms(code: &mut Code, is_sine: Id, square: &[Id]) -> Words {
    let pair = |n: usize| [1, 2].map(|power| angle_term(2 * n as u32 + power));
    let chosen = |code: &mut Code, [of_sine, of_cosine]: [Words; 2]| -> Words {
        of_sine.iter().zip(&of_cosine).map(|(&a, &b)| code.select(is_sine, a, b)).collect()
    };
    let short = |code: &mut Code, n: usize| {
        let both = pair(n).map(|term| {
            let long = code.long((term >> (127 - 114)) as u64);
            words_of(code, long)
        });
        chosen(code, both)
    };
    let long = |code: &mut Code, n: usize| {
        let both = pair(n).map(|term| top_words(code, term, 4));
        chosen(code, both)
    };
    let mut p = short(code, TERMS - 1);
    for n in (SHORT..TERMS - 1).rev() {
        let product = high_product(code, &p, &square[2..]);
        let term = short(code, n);
        p = difference(code, &term, &product);
    }
    // From units of 2^-114 to those of 2^-127.
    let wide = product(code, &p, &square[2..]);
    let amount = code.int(114 + 64 - 127);
    let mut product = shifted_right(code, wide, amount);
    for n in (0..SHORT).rev() {
        let term = long(code, n);
        p = difference(code, &term, &product);
        if n > 0 {
            product = high_product(code, &p, square);
        }
    }
    p
}
