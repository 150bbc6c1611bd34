//! Conversions, and rounding to integers.

use super::big::Big;
use super::class::Operand;
use super::float::Layout;
use super::round::Rounding;
use super::sink::Sink;
use crate::prim::Direction;
use crate::program::Id;

impl dyn Sink + '_ {
    /// Binary32 to binary64, exact; NaN quieted.
    pub(super) fn widened(&mut self, operand: Operand, a: Id) -> Big {
        let parts = self.parts(Layout::SINGLE, operand, &[a]);
        let class = parts.class;
        let sign = class.sign;
        let fraction = self.and_with(parts.digits[0], 0x7fff_ffff);
        let exponent = self.plus(parts.exponent, 1023 - 127);
        let field = self.shl_by(exponent, 20);
        let wide = |own: &mut Self, fraction: Id, field: Id| {
            let (upper, lower) = (own.shr_by(fraction, 11), own.shl_by(fraction, 21));
            let upper = own.or(upper, field);
            Big::from_slice(&[lower, own.or(upper, sign)])
        };
        let value = wide(self, fraction, field);
        let value = self.or_special(class.zero, sign, &value);
        // NaN keep the payload that they have in the fraction; they have no digits to be shifted away.
        let payload = self.shl_by(a, 8);
        let payload = self.and_with(payload, 0x7fff_ffff);
        let end = self.int(0x7ff0_0000);
        let mut special = wide(self, payload, end);
        let quiet = self.int(0x8_0000);
        let nothing = self.int(0);
        let quiet = self.select(class.nan, quiet, nothing);
        special[1] = self.or(special[1], quiet);
        let is_special = self.either(class.nan, class.infinite);
        self.select_big(is_special, &special, &value)
    }

    /// Binary64 to binary32; NaN quieted.
    pub(super) fn narrowed(&mut self, rounding: Rounding, operand: Operand, a: &[Id]) -> Big {
        // Denormals are next to zero, whatever their digits are.
        let parts = self.parts(Layout::DOUBLE, operand.max(Operand::Normal), a);
        let class = parts.class;
        let digits = self.keep_top(&parts.digits, 1);
        let exponent = self.plus(parts.exponent, 127 - 1023);
        let value = self.round(Layout::SINGLE, rounding, class.sign, exponent, &digits);
        let value = self.or_special(class.zero, class.sign, &value);
        let infinity = self.or_with(class.sign, 0x7f80_0000);
        let value = self.or_special(class.infinite, infinity, &value);
        let (upper, lower) = (self.shl_by(class.size[1], 3), self.shr_by(class.size[0], 29));
        let payload = self.or(upper, lower);
        let payload = self.and_with(payload, 0x7f_ffff);
        let nan = self.or(payload, class.sign);
        let nan = self.or_with(nan, 0x7fc0_0000);
        self.or_special(class.nan, nan, &value)
    }

    /// A binary16 pattern as binary32, exact; NaN quieted.
    pub(super) fn of_half(&mut self, a: Id) -> Big {
        let low = self.and_with(a, 0xffff);
        let parts = self.parts(Layout::HALF, Operand::Any, &[low]);
        let class = parts.class;
        let sign = self.shl_by(class.sign, 16);
        let fraction = self.and_with(parts.digits[0], 0x7fff_ffff);
        let fraction = self.shr_by(fraction, 8);
        let exponent = self.plus(parts.exponent, 127 - 15);
        let field = self.shl_by(exponent, 23);
        let value = self.or(fraction, field);
        let value = self.or(value, sign);
        let value = self.or_special(class.zero, sign, &[value]);
        let infinity = self.or_with(sign, 0x7f80_0000);
        let value = self.or_special(class.infinite, infinity, &value);
        let payload = self.and_with(class.size[0], 0x3ff);
        let payload = self.shl_by(payload, 13);
        let nan = self.or(payload, sign);
        let nan = self.or_with(nan, 0x7fc0_0000);
        self.or_special(class.nan, nan, &value)
    }

    /// Binary32 as a binary16 pattern; NaN keep sign and leading payload bits.
    pub(super) fn rounded_to_half(&mut self, direction: Direction, a: Id) -> Big {
        let parts = self.parts(Layout::SINGLE, Operand::Normal, &[a]);
        let class = parts.class;
        let sign = self.shr_by(class.sign, 16);
        let exponent = self.plus(parts.exponent, 15 - 127);
        let value = self.round(Layout::HALF, Rounding::to(direction), sign, exponent, &parts.digits);
        let value = self.or_special(class.zero, sign, &value);
        let infinity = self.or_with(sign, 0x7c00);
        let value = self.or_special(class.infinite, infinity, &value);
        let payload = self.shr_by(class.size[0], 13);
        let payload = self.and_with(payload, 0x3ff);
        let nan = self.or(payload, sign);
        let nan = self.or_with(nan, 0x7e00);
        self.or_special(class.nan, nan, &value)
    }

    /// A signed integer as a float.
    pub(super) fn of_int(&mut self, layout: Layout, direction: Direction, a: Id) -> Big {
        let negative = self.is_below(a, 0);
        let minus = self.from(0, a);
        let size = self.select(negative, minus, a);
        let lead = self.clz(size);
        let digits = self.shl(size, lead);
        let exponent = self.from(layout.bias() + 31, lead);
        let sign = self.and_with(a, layout.sign());
        let digits = self.top(digits, layout.words);
        let value = self.round(layout, Rounding::to(direction), sign, exponent, &digits);
        let (zero, nothing) = (self.is(a, 0), self.int(0));
        self.or_special(zero, nothing, &value)
    }

    /// A float truncated to a signed integer; NaN and what is out of range give 0x80000000.
    pub(super) fn truncated_to_int(&mut self, layout: Layout, a: &[Id]) -> Id {
        let class = self.class(layout, a);
        let last = layout.words - 1;
        let mut digits = class.size.clone();
        digits[last] = self.and_with(digits[last], (1 << layout.shift) - 1);
        digits[last] = self.or_with(digits[last], 1 << layout.shift);
        let digits = self.shl_big_by(&digits, 32 * layout.words as u32 - layout.frac - 1);
        let distance = self.from(layout.bias() + 31, class.field);
        let size = self.shr(digits[last], distance);
        let negative = self.is_set(class.sign);
        let minus = self.from(0, size);
        let value = self.select(negative, minus, size);
        let (zero, end) = (self.int(0), self.int(0x8000_0000));
        let small = self.is_below(class.field, layout.bias());
        let large = self.is_above(class.field, layout.bias() + 30);
        let value = self.select(small, zero, value);
        self.select(large, end, value)
    }

    /// A float rounded to an integer.
    pub(super) fn integral(&mut self, layout: Layout, direction: Direction, a: &[Id]) -> Big {
        let class = self.class(layout, a);
        let last = layout.words - 1;
        let width = 32 * layout.words as u32;
        let denormal = self.is(class.field, 0);
        let (hidden, zero) = (self.int(1 << layout.shift), self.int(0));
        let hidden = self.select(denormal, zero, hidden);
        let mut digits = class.size.clone();
        digits[last] = self.and_with(digits[last], (1 << layout.shift) - 1);
        digits[last] = self.or(digits[last], hidden);
        // What is below the point, in the two lowest bits: a half, and whether there is more.
        let twice = self.shl_big_by(&digits, 2);
        let distance = self.from(layout.bias() + layout.frac as i32, class.field);
        let large = self.is_below(distance, 1);
        let cut = self.shr_jam(&twice, distance);
        let rest = self.and_with(cut[0], 3);
        let whole = self.shr_big_by(&cut, 2);
        let up = self.increment(Rounding::to(direction), whole[0], rest, 2, class.sign);
        let mut one = Big::from_elem(zero, layout.words);
        one[0] = up;
        let whole = self.add_big(&whole, &one);
        let lead = self.clz_big(&whole);
        let scaled = self.shl_big(&whole, lead);
        let exponent = self.from(layout.bias() + width as i32 - 1, lead);
        let value = self.round(layout, Rounding::to(Direction::Zero), class.sign, exponent, &scaled);
        let any = self.is_set_big(&whole);
        let none = self.not(any);
        let value = self.or_special(none, class.sign, &value);
        let value = self.select_big(large, a, &value);
        let word = self.nan_of(layout);
        self.or_special(class.nan, word, &value)
    }
}
