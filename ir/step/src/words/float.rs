//! Binary32 and binary64 taken apart.

use super::big::Big;
use super::class::Operand;
use super::sink::Sink;
use crate::prim::Ty;
use crate::program::Id;

/// Where the fields of a float format lie.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Words of a value.
    pub(super) words: usize,
    /// Bits of the fraction in the highest word.
    pub(super) shift: u32,
    /// Bits of the whole fraction.
    pub(super) frac: u32,
    /// Exponent field of infinities.
    pub(super) end: u32,
}

impl Layout {
    pub(super) const SINGLE: Layout = Layout { words: 1, shift: 23, frac: 23, end: 255 };
    pub(super) const DOUBLE: Layout = Layout { words: 2, shift: 20, frac: 52, end: 2047 };
    /// The lower half of a word.
    pub(super) const HALF: Layout = Layout { words: 1, shift: 10, frac: 10, end: 31 };

    pub(super) const fn of(ty: Ty) -> Layout {
        if ty.is_wide() { Layout::DOUBLE } else { Layout::SINGLE }
    }

    /// What is added to exponents.
    pub(super) const fn bias(self) -> i32 {
        (self.end >> 1) as i32
    }

    /// The highest word of an infinity.
    pub(super) const fn infinity(self) -> u32 {
        self.end << self.shift
    }

    /// The sign bit of the highest word.
    pub(super) const fn sign(self) -> u32 {
        (self.end + 1) << self.shift
    }

    /// The highest word of the negative quiet NaN without payload.
    pub(super) const fn nan(self) -> u32 {
        self.sign() | self.infinity() | 1 << (self.shift - 1)
    }
}

/// What kind of value a float is, and its sign.
pub(super) struct Class {
    /// The sign bit in the highest word, all else zero.
    pub(super) sign: Id,
    /// The value without its sign.
    pub(super) size: Big,
    /// The exponent field.
    pub(super) field: Id,
    pub(super) zero: Id,
    pub(super) infinite: Id,
    pub(super) nan: Id,
}

/// A number as `digits * 2^exponent`, scaled so that the highest bit of `digits` is set and counts 1 with the format's bias.
pub(super) struct Parts {
    pub(super) class: Class,
    /// The biased exponent, as if it had no end: denormals have 0 and less.
    pub(super) exponent: Id,
    /// As many words as the format has; 0 of a zero.
    pub(super) digits: Big,
}

impl dyn Sink + '_ {
    pub(super) fn class(&mut self, layout: Layout, value: &[Id]) -> Class {
        let last = layout.words - 1;
        let top = value[last];
        let sign = self.and_with(top, layout.sign());
        let upper = self.and_with(top, layout.sign() - 1);
        let mut size = Big::from_slice(value);
        size[last] = upper;
        let field = self.shr_by(upper, layout.shift);
        let zero = self.is_zero_big(&size);
        let zero_word = self.int(0);
        let mut infinity = Big::from_elem(zero_word, layout.words);
        infinity[last] = self.int(layout.infinity());
        let infinite = self.eq_big(&size, &infinity);
        let nan = self.ult_big(&infinity, &size);
        Class { sign, size, field, zero, infinite, nan }
    }

    pub(super) fn is_nan(&mut self, layout: Layout, value: &[Id]) -> Id {
        let last = layout.words - 1;
        let mut size = Big::from_slice(value);
        size[last] = self.and_with(value[last], layout.sign() - 1);
        let infinity = self.int(layout.infinity());
        let infinity = self.top(infinity, layout.words);
        self.ult_big(&infinity, &size)
    }

    /// The parts of several operands.
    pub(super) fn all_parts<const N: usize>(
        &mut self,
        layout: Layout,
        operands: [Operand; 3],
        values: [&[Id]; N],
    ) -> [Parts; N] {
        std::array::from_fn(|n| self.parts(layout, operands[n], values[n]))
    }

    pub(super) fn parts(&mut self, layout: Layout, operand: Operand, value: &[Id]) -> Parts {
        let mut class = self.class(layout, value);
        if operand >= Operand::Number {
            let never = self.truth(false);
            (class.nan, class.infinite) = (never, never);
            class.zero = if operand == Operand::Power { never } else { class.zero };
        }
        let last = layout.words - 1;
        let room = 32 * layout.words as u32 - layout.frac - 1;
        // What is left of the exponent's last bit makes way for the hidden one.
        let mut digits = self.shl_big_by(value, room);
        let (zero, hidden) = (self.int(0), self.int(1 << 31));
        if operand >= Operand::Normal {
            let hidden = self.select(class.zero, zero, hidden);
            digits[last] = self.or(digits[last], hidden);
            return Parts { exponent: class.field, class, digits };
        }
        let denormal = self.is(class.field, 0);
        let hidden = self.select(denormal, zero, hidden);
        digits[last] = self.or(digits[last], hidden);
        // Zeros have nothing to be shifted.
        let lead = self.clz_big(&digits);
        let digits = self.shl_big(&digits, lead);
        let of_denormal = self.from(1, lead);
        let exponent = self.select(denormal, of_denormal, class.field);
        Parts { class, exponent, digits }
    }

    /// A value with the highest word `word` and zeros below, where `mask` is true, else `value`.
    pub(super) fn or_special(&mut self, mask: Id, word: Id, value: &[Id]) -> Big {
        let special = self.top(word, value.len());
        self.select_big(mask, &special, value)
    }
}
