//! Sums, products and multiply-adds of either float format.

use super::big::Big;
use super::class::Operand;
use super::float::{Layout, Parts};
use super::round::{Kind, Rounding};
use super::sink::Sink;
use crate::prim::Direction;
use crate::program::Id;

/// An addend: `digits` with the highest bit clear and the next one set, and what that one counts.
struct Addend {
    sign: Id,
    exponent: Id,
    digits: Big,
}

/// Exponent of a zero: below all others.
const NOTHING: i32 = -0x4000;

impl dyn Sink + '_ {
    pub(super) fn nan_of(&mut self, layout: Layout) -> Id {
        self.int(layout.nan())
    }

    /// a + b.
    pub(super) fn sum(
        &mut self,
        layout: Layout,
        rounding: Rounding,
        operands: [Operand; 3],
        values: [&[Id]; 2],
    ) -> Big {
        let [a, b] = self.all_parts(layout, operands, values);
        let [x, y] = [&a, &b].map(|parts| self.addend(parts, layout.words));
        let value = self.sum_of(layout, rounding, x, y);
        self.special_sum(layout, [a.class.nan, b.class.nan], [&a, &b].map(|p| (p.class.infinite, p.class.sign)), &value)
    }

    /// a * b + c, rounded once.
    pub(super) fn fused(
        &mut self,
        layout: Layout,
        rounding: Rounding,
        operands: [Operand; 3],
        values: [&[Id]; 3],
    ) -> Big {
        let [a, b, c] = self.all_parts(layout, operands, values);
        let sign = self.xor(a.class.sign, b.class.sign);
        let (exponent, digits) = self.product_of(layout, &a, &b);
        let zero = self.either(a.class.zero, b.class.zero);
        let nothing = self.int(NOTHING as u32);
        let exponent = self.select(zero, nothing, exponent);
        let x = Addend { sign, exponent, digits: self.shr_big_by(&digits, 1) };
        let y = self.addend(&c, 2 * layout.words);
        let value = self.sum_of(layout, rounding, x, y);
        let (nan, infinite) = self.special_product(&a, &b);
        self.special_sum(layout, [nan, c.class.nan], [(infinite, sign), (c.class.infinite, c.class.sign)], &value)
    }

    /// a * b; with `zero_wins` a positive zero where either is a zero.
    pub(super) fn product(
        &mut self,
        layout: Layout,
        rounding: Rounding,
        operands: [Operand; 3],
        zero_wins: bool,
        values: [&[Id]; 2],
    ) -> Big {
        let [a, b] = self.all_parts(layout, operands, values);
        let sign = self.xor(a.class.sign, b.class.sign);
        // What is lost need not be moved: there is room for more bits than one.
        let exponent = self.add(a.exponent, b.exponent);
        let (exponent, digits) = if operands[1] == Operand::Power {
            (self.plus(exponent, -layout.bias()), a.digits.clone())
        } else {
            let digits = self.mul_big(&a.digits, &b.digits);
            let digits = self.keep_top(&digits, layout.words);
            self.normalised(layout, exponent, &digits)
        };
        let value = self.round(layout, rounding, sign, exponent, &digits);
        let zero = self.either(a.class.zero, b.class.zero);
        let nothing = self.int(0);
        let value = self.or_special(zero, sign, &value);
        let (nan, infinite) = self.special_product(&a, &b);
        let infinity = self.or_with(sign, layout.infinity());
        let value = self.or_special(infinite, infinity, &value);
        let word = self.nan_of(layout);
        let value = self.or_special(nan, word, &value);
        if zero_wins { self.or_special(zero, nothing, &value) } else { value }
    }

    /// Whether a product is NaN, and whether it is infinite.
    fn special_product(&mut self, a: &Parts, b: &Parts) -> (Id, Id) {
        let zero = self.either(a.class.zero, b.class.zero);
        let infinite = self.either(a.class.infinite, b.class.infinite);
        let invalid = self.both(zero, infinite);
        let nan = self.either(a.class.nan, b.class.nan);
        (self.either(nan, invalid), infinite)
    }

    /// Biased exponent and all digits of a product of numbers other than zero; the highest bit is set.
    fn product_of(&mut self, layout: Layout, a: &Parts, b: &Parts) -> (Id, Big) {
        let digits = self.mul_big(&a.digits, &b.digits);
        let exponent = self.add(a.exponent, b.exponent);
        self.normalised(layout, exponent, &digits)
    }

    /// Digits of a product whose highest bit or the next one is set, so that the highest is, and the biased exponent, of the sum of two.
    fn normalised(&mut self, layout: Layout, exponent: Id, digits: &[Id]) -> (Id, Big) {
        let high = self.plus(exponent, 1 - layout.bias());
        let low = self.plus(exponent, -layout.bias());
        let top = digits[digits.len() - 1];
        let carried = self.is_below(top, 0);
        let shifted = self.shl_big_by(digits, 1);
        (self.select(carried, high, low), self.select_big(carried, digits, &shifted))
    }

    /// A number with room above and, in `words` words, below.
    fn addend(&mut self, parts: &Parts, words: usize) -> Addend {
        let zero = self.int(0);
        let mut digits = Big::from_elem(zero, words - parts.digits.len());
        digits.extend_from_slice(&parts.digits);
        let nothing = self.int(NOTHING as u32);
        Addend {
            sign: parts.class.sign,
            exponent: self.select(parts.class.zero, nothing, parts.exponent),
            digits: self.shr_big_by(&digits, 1),
        }
    }

    /// The sum of two finite numbers.
    fn sum_of(&mut self, layout: Layout, rounding: Rounding, a: Addend, b: Addend) -> Big {
        // The larger one first.
        let (less, equal) = (self.lt(a.exponent, b.exponent), self.eq(a.exponent, b.exponent));
        let digits_less = self.ult_big(&a.digits, &b.digits);
        let tied = self.both(equal, digits_less);
        let swaps = self.either(less, tied);
        let [x, y] = [(&b, &a), (&a, &b)].map(|(then, otherwise)| Addend {
            sign: self.select(swaps, then.sign, otherwise.sign),
            exponent: self.select(swaps, then.exponent, otherwise.exponent),
            digits: self.select_big(swaps, &then.digits, &otherwise.digits),
        });
        let distance = self.sub(x.exponent, y.exponent);
        let small = self.shr_jam(&y.digits, distance);
        let same = self.eq(x.sign, y.sign);
        // A difference is the complement of the sum with the complement.
        let (plus, minus) = (self.int(0), self.int(u32::MAX));
        let turn = self.select(same, plus, minus);
        let turned: Big = x.digits.iter().map(|&word| self.xor(word, turn)).collect();
        let sum = self.add_big(&turned, &small);
        let digits: Big = sum.iter().map(|&word| self.xor(word, turn)).collect();
        let lead = self.clz_big(&digits);
        let digits = self.shl_big(&digits, lead);
        let exponent = self.plus(x.exponent, 1);
        let exponent = self.sub(exponent, lead);
        let kept = self.keep_top(&digits, layout.words);
        let value = self.round(layout, rounding, x.sign, exponent, &kept);
        // A zero has the sign of both, or that of the direction.
        let down = matches!(rounding.kind, Kind::To(mode) if mode.direction == Direction::Down);
        let other = self.int(if down { layout.sign() } else { 0 });
        let sign = self.select(same, x.sign, other);
        let zero = self.is_zero_big(&digits);
        self.or_special(zero, sign, &value)
    }

    /// A sum whose addends may be NaN or infinite.
    fn special_sum(&mut self, layout: Layout, nans: [Id; 2], infinities: [(Id, Id); 2], value: &[Id]) -> Big {
        let [(a, a_sign), (b, b_sign)] = infinities;
        let sign = self.select(a, a_sign, b_sign);
        let word = self.or_with(sign, layout.infinity());
        let infinite = self.either(a, b);
        let value = self.or_special(infinite, word, value);
        let (both, same) = (self.both(a, b), self.eq(a_sign, b_sign));
        let opposite = self.not(same);
        let invalid = self.both(both, opposite);
        let nan = self.either(nans[0], nans[1]);
        let nan = self.either(nan, invalid);
        let word = self.nan_of(layout);
        self.or_special(nan, word, &value)
    }
}
