//! Quotients and roots, digit by digit.

use super::big::Big;
use super::class::Operand;
use super::float::Layout;
use super::round::Rounding;
use super::sink::Sink;
use crate::program::Id;

impl dyn Sink + '_ {
    /// Digits that are made: those that are kept, and two more; what is left over decides the rest.
    fn aligned(&mut self, layout: Layout, made: &[Id], rest: &[Id]) -> Big {
        let lost = self.is_set_big(rest);
        let lost = self.bit(lost);
        let digits = self.shl_big_by(made, 32 * layout.words as u32 - layout.frac - 3);
        let mut digits = digits;
        digits[0] = self.or(digits[0], lost);
        digits
    }

    /// a / b.
    pub(super) fn quotient(
        &mut self,
        layout: Layout,
        rounding: Rounding,
        operands: [Operand; 3],
        values: [&[Id]; 2],
    ) -> Big {
        let [a, b] = self.all_parts(layout, operands, values);
        let sign = self.xor(a.class.sign, b.class.sign);
        let room = 32 * layout.words as u32 - layout.frac - 1;
        let [x, y] = [&a, &b].map(|parts| self.shr_big_by(&parts.digits, room));
        // The first digit is 1.
        let less = self.ult_big(&x, &y);
        let twice = self.shl_big_by(&x, 1);
        let mut rest = self.select_big(less, &twice, &x);
        let exponent = self.sub(a.exponent, b.exponent);
        let (high, low) = (self.plus(exponent, layout.bias()), self.plus(exponent, layout.bias() - 1));
        let exponent = self.select(less, low, high);
        let mut made = Digits::new(layout);
        for _ in 0..layout.frac + 3 {
            let under = self.ult_big(&rest, &y);
            let taken = self.sub_big(&rest, &y);
            rest = self.select_big(under, &rest, &taken);
            rest = self.shl_big_by(&rest, 1);
            let fits = self.not(under);
            made.push(self, fits);
        }
        let made = made.words(self);
        let digits = self.aligned(layout, &made, &rest);
        let value = self.round(layout, rounding, sign, exponent, &digits);
        let small = self.either(a.class.zero, b.class.infinite);
        let value = self.or_special(small, sign, &value);
        let large = self.either(b.class.zero, a.class.infinite);
        let infinity = self.or_with(sign, layout.infinity());
        let value = self.or_special(large, infinity, &value);
        let zeros = self.both(a.class.zero, b.class.zero);
        let infinities = self.both(a.class.infinite, b.class.infinite);
        let invalid = self.either(zeros, infinities);
        let nan = self.either(a.class.nan, b.class.nan);
        let nan = self.either(nan, invalid);
        let word = self.nan_of(layout);
        self.or_special(nan, word, &value)
    }

    /// The square root.
    pub(super) fn root(&mut self, layout: Layout, rounding: Rounding, a: &[Id]) -> Big {
        let a = self.parts(layout, Operand::Any, a);
        // Two digits before the point: the exponent is even.
        let unbiased = self.plus(a.exponent, -layout.bias());
        let odd = self.and_with(unbiased, 1);
        let odd = self.is_set(odd);
        let half = self.shr_big_by(&a.digits, 1);
        let digits = self.select_big(odd, &a.digits, &half);
        let one = self.int(1);
        let exponent = self.sar(unbiased, one);
        let exponent = self.plus(exponent, layout.bias());
        let zero = self.int(0);
        let mut rest = Big::from_elem(zero, layout.words);
        let mut made = Digits::new(layout);
        for n in 0..layout.frac + 3 {
            rest = self.shl_big_by(&rest, 2);
            let from = 2 * n;
            if from < 32 * layout.words as u32 {
                let word = digits[layout.words - 1 - (from / 32) as usize];
                let pair = self.shr_by(word, 30 - from % 32);
                let pair = self.and_with(pair, 3);
                rest[0] = self.or(rest[0], pair);
            }
            let so_far = made.words(self);
            let mut trial = self.shl_big_by(&so_far, 2);
            trial[0] = self.or_with(trial[0], 1);
            let under = self.ult_big(&rest, &trial);
            let taken = self.sub_big(&rest, &trial);
            rest = self.select_big(under, &rest, &taken);
            let fits = self.not(under);
            made.push(self, fits);
        }
        let made = made.words(self);
        let digits = self.aligned(layout, &made, &rest);
        let value = self.round(layout, rounding, zero, exponent, &digits);
        let infinity = self.int(layout.infinity());
        let value = self.or_special(a.class.infinite, infinity, &value);
        let negative = self.is_set(a.class.sign);
        let invalid = self.either(negative, a.class.nan);
        let word = self.nan_of(layout);
        let value = self.or_special(invalid, word, &value);
        self.or_special(a.class.zero, a.class.sign, &value)
    }
}

/// Binary digits, the first ones first.
struct Digits {
    words: usize,
    made: Option<Big>,
}

impl Digits {
    fn new(layout: Layout) -> Digits {
        Digits { words: layout.words, made: None }
    }

    fn words(&self, sink: &mut dyn Sink) -> Big {
        let zero = sink.int(0);
        self.made.clone().unwrap_or_else(|| Big::from_elem(zero, self.words))
    }

    fn push(&mut self, sink: &mut dyn Sink, digit: Id) {
        let words = self.words(sink);
        let mut words = sink.shl_big_by(&words, 1);
        let bit = sink.bit(digit);
        words[0] = sink.or(words[0], bit);
        self.made = Some(words);
    }
}
