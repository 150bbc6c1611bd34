//! Binary64 numbers taken apart and put together.

use super::words::Words;
use crate::prim::Prim;
use crate::program::{Code, Id};

/// A binary64 number of at most 24 digits; zeros, infinities and NaN have digits, too, which mean nothing.
pub(super) struct Number {
    /// Its pattern.
    pub(super) bits: Id,
    /// The exponent's field.
    pub(super) field: Id,
    /// The first 24 digits as a word: from 2^23 to below 2^24.
    pub(super) digits: Id,
    /// All ones where it is negative.
    pub(super) sign: Id,
}

/// The bias of binary64's exponents.
pub(super) const BIAS: i32 = 1023;

impl Number {
    pub(super) fn of(code: &mut Code, x: Id) -> Number {
        let bits = code.bits(x);
        let upper = code.shift(Prim::Shr, bits, 32);
        let upper = code.op(Prim::Low, &[upper]);
        let sign = code.shift(Prim::Sar, upper, 31);
        let field = code.shift(Prim::Shr, upper, 20);
        let mask = code.int(0x7ff);
        let field = code.and(field, mask);
        let fraction = code.shift(Prim::Shr, bits, 29);
        let fraction = code.op(Prim::Low, &[fraction]);
        let (mask, hidden) = (code.int(0x7f_ffff), code.int(0x80_0000));
        let fraction = code.and(fraction, mask);
        let digits = code.or(fraction, hidden);
        Number { bits, field, digits, sign }
    }

    /// Whether it is a power of two.
    pub(super) fn is_power_of_two(&self, code: &mut Code) -> Id {
        let hidden = code.int(0x80_0000);
        code.op(Prim::Eq, &[self.digits, hidden])
    }

    /// Whether it is a zero.
    pub(super) fn is_zero(&self, code: &mut Code) -> Id {
        let none = code.int(0);
        code.op(Prim::Eq, &[self.field, none])
    }

    /// Whether it is infinite or NaN.
    pub(super) fn is_special(&self, code: &mut Code) -> Id {
        let end = code.int(0x7ff);
        code.op(Prim::Eq, &[self.field, end])
    }

    /// The exponent of the first digit.
    pub(super) fn exponent(&self, code: &mut Code) -> Id {
        let bias = code.int(BIAS);
        code.op(Prim::Sub, &[self.field, bias])
    }
}

/// The 64 bits of two words.
pub(super) fn long_of(code: &mut Code, words: &[Id]) -> Id {
    let [low, high] = [words[0], words[1]].map(|word| code.op(Prim::Zext, &[word]));
    let high = code.shift(Prim::Shl, high, 32);
    code.or(high, low)
}

/// Two words of 64 bits.
pub(super) fn words_of(code: &mut Code, long: Id) -> Words {
    let high = code.shift(Prim::Shr, long, 32);
    vec![code.op(Prim::Low, &[long]), code.op(Prim::Low, &[high])]
}

/// Two words whose highest bit is set, and how far they had to be moved left for that; 64 and zeros where there is none.
pub(super) fn normalised(code: &mut Code, words: &[Id]) -> (Words, Id) {
    let long = long_of(code, words);
    let lead = code.op(Prim::LeadingZeros, &[long]);
    let moved = code.op(Prim::Shl, &[long, lead]);
    (words_of(code, moved), lead)
}

/// The number whose leading digit, the highest bit of two words, counts 2 to `exponent`, rounded to odd: `exact` says where no digits
/// are missing.
pub(super) fn assembled(code: &mut Code, words: &[Id], exponent: Id, exact: Id) -> Id {
    let long = long_of(code, words);
    let fraction = code.shift(Prim::Shr, long, 11);
    // The leading digit adds 1 to the exponent.
    let bias = code.int(BIAS - 1);
    let field = code.op(Prim::Add, &[exponent, bias]);
    let field = code.op(Prim::Zext, &[field]);
    let field = code.shift(Prim::Shl, field, 52);
    let bits = code.op(Prim::Add, &[field, fraction]);
    let (odd, even) = (code.long(1), code.long(0));
    let last = code.select(exact, even, odd);
    let bits = code.or(bits, last);
    code.float_of(bits)
}

/// A number with the sign that a word is all ones for, or not.
pub(super) fn signed(code: &mut Code, value: Id, sign: Id) -> Id {
    let bits = code.bits(value);
    let sign = code.op(Prim::Sext, &[sign]);
    let sign = code.shift(Prim::Shl, sign, 63);
    let bits = code.op(Prim::Xor, &[bits, sign]);
    code.float_of(bits)
}
