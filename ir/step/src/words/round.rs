//! Rounding: from digits and an exponent to a float.

use super::big::Big;
use super::float::Layout;
use super::sink::Sink;
use crate::prim::{Direction, Mode};
use crate::program::Id;

/// How digits that do not fit are rounded.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    To(Mode),
    /// Cut, and the last bit set where anything was lost.
    Odd,
}

/// How a result is rounded, and what is known of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Rounding {
    pub(super) kind: Kind,
    /// It is not infinite, and no denormal nor anything between zero and these.
    pub(super) in_range: bool,
}

impl Rounding {
    /// In a direction, denormals kept.
    pub(super) const fn to(direction: Direction) -> Rounding {
        let kind = Kind::To(Mode { direction, flush: false });
        Rounding { kind, in_range: false }
    }

    const fn flushes(self) -> bool {
        matches!(self.kind, Kind::To(mode) if mode.flush)
    }
}

impl dyn Sink + '_ {
    /// What is added to the digits that are kept: 1 or 0. `rest` is what is left out, `half` its highest bit; `sign` is not 0 for
    /// negative numbers.
    pub(super) fn increment(&mut self, rounding: Rounding, last: Id, rest: Id, half: u32, sign: Id) -> Id {
        let Kind::To(mode) = rounding.kind else { return self.int(0) };
        let goes = match mode.direction {
            Direction::Zero => return self.int(0),
            Direction::Nearest => {
                let middle = self.int(half);
                let (above, tie) = (self.ult(middle, rest), self.eq(middle, rest));
                let odd = self.and_with(last, 1);
                let odd = self.is_set(odd);
                let tie = self.both(tie, odd);
                self.either(above, tie)
            }
            Direction::Up | Direction::Down => {
                let lost = self.is_set(rest);
                let negative = self.is_set(sign);
                let outward = if mode.direction == Direction::Down { negative } else { self.not(negative) };
                self.both(lost, outward)
            }
        };
        self.bit(goes)
    }

    /// A number other than zero: `digits` as in [`super::float::Parts`], whose lowest bit stands for all that is below it. `sign` is
    /// the sign bit in the highest word.
    pub(super) fn round(&mut self, layout: Layout, rounding: Rounding, sign: Id, exponent: Id, digits: &[Id]) -> Big {
        let last = layout.words - 1;
        // Below the least exponent fewer digits are left, unless nothing is.
        let zero = self.int(0);
        let keeps = !rounding.flushes() && !rounding.in_range;
        let small = self.is_below(exponent, 1);
        let cut = if keeps {
            let distance = self.from(1, exponent);
            let distance = self.select(small, distance, zero);
            self.shr_jam(digits, distance)
        } else {
            Big::from_slice(digits)
        };
        let (kept, up) = self.cut_off(layout, rounding, sign, &cut);
        // The hidden bit adds one to the exponent field, and a carry of the digits does the rest.
        let mut before = self.plus(exponent, -1);
        if keeps {
            before = self.select(small, zero, before);
        }
        let field = self.shl_by(before, layout.shift);
        let mut addend = Big::from_elem(zero, layout.words);
        addend[0] = up;
        addend[last] = if last == 0 { self.add(field, up) } else { field };
        let mut value = self.add_big(&kept, &addend);
        if !keeps && !rounding.in_range {
            let tiny = self.is_tiny(layout, rounding, sign, exponent, digits);
            let zeros = Big::from_elem(zero, layout.words);
            value = self.select_big(tiny, &zeros, &value);
        }
        // Exponents far beyond the end would run over the field. What is rounded up to an infinity is one.
        if !rounding.in_range {
            let over = self.is_above(exponent, layout.end as i32 - 1);
            let beyond = self.overflow(layout, rounding, sign);
            value = self.select_big(over, &beyond, &value);
        }
        value[last] = self.or(value[last], sign);
        value
    }

    /// The digits that are kept, and what is added to the last of them.
    fn cut_off(&mut self, layout: Layout, rounding: Rounding, sign: Id, cut: &[Id]) -> (Big, Id) {
        let room = 32 * layout.words as u32 - layout.frac - 1;
        let (zero, half) = (self.int(0), 1u32 << (room - 1));
        if matches!(rounding.kind, Kind::To(mode) if mode.direction == Direction::Nearest) {
            // More than half of the last one is carried, or half where it is odd.
            let kept = self.shr_big_by(cut, room);
            let odd = self.and_with(kept[0], 1);
            let rest = self.and_with(cut[0], (1 << room) - 1);
            let rest = self.plus(rest, half as i32 - 1);
            let rest = self.add(rest, odd);
            return (kept, self.shr_by(rest, room));
        }
        let rest = self.and_with(cut[0], (1 << room) - 1);
        let mut kept = self.shr_big_by(cut, room);
        if rounding.kind == Kind::Odd {
            // The last digit is set where anything is lost.
            let lost = self.is_set(rest);
            let lost = self.bit(lost);
            kept[0] = self.or(kept[0], lost);
            return (kept, zero);
        }
        let up = self.increment(rounding, kept[0], rest, half, sign);
        (kept, up)
    }

    /// Whether a number is below the least normal one when it is rounded as if exponents had no end.
    fn is_tiny(&mut self, layout: Layout, rounding: Rounding, sign: Id, exponent: Id, digits: &[Id]) -> Id {
        let room = 32 * layout.words as u32 - layout.frac - 1;
        let rest = self.and_with(digits[0], (1 << room) - 1);
        let kept = self.shr_big_by(digits, room);
        let up = self.increment(rounding, kept[0], rest, 1 << (room - 1), sign);
        // It reaches the least normal number where all digits are set and one is added.
        let last = layout.words - 1;
        let ones: Big =
            (0..layout.words).map(|n| self.int(if n == last { (2 << layout.shift) - 1 } else { u32::MAX })).collect();
        let full = self.eq_big(&kept, &ones);
        let (goes, beside) = (self.is_set(up), self.is(exponent, 0));
        let reaches = self.both(full, goes);
        let reaches = self.both(reaches, beside);
        let small = self.is_below(exponent, 1);
        let stays = self.not(reaches);
        self.both(small, stays)
    }

    /// What a number beyond the largest becomes, without its sign.
    fn overflow(&mut self, layout: Layout, rounding: Rounding, sign: Id) -> Big {
        let infinity = self.int(layout.infinity());
        let infinity = self.top(infinity, layout.words);
        let last = layout.words - 1;
        let most: Big =
            (0..layout.words).map(|n| self.int(if n == last { layout.infinity() - 1 } else { u32::MAX })).collect();
        let direction = match rounding.kind {
            Kind::To(mode) => mode.direction,
            Kind::Odd => Direction::Nearest,
        };
        match direction {
            Direction::Nearest => infinity,
            Direction::Zero => most,
            Direction::Up | Direction::Down => {
                let negative = self.is_set(sign);
                let outward = if direction == Direction::Down { negative } else { self.not(negative) };
                self.select_big(outward, &infinity, &most)
            }
        }
    }
}
