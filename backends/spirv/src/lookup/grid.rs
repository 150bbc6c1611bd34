//! Numbers at the places that a texture unit has for them, and numbers of texels.

use super::place::Offset;
use super::site::Site;
use parallax_num::{Grid, Round};
use parallax_step::{Direction, Id};
use parallax_texture::Wrap;

/// Numbers from here on are integers.
const INTEGERS: f32 = 8_388_608.0;
/// Numbers from here on are texels beyond every image, and leave room to add to them.
const FAR: f32 = 1_073_741_824.0;

/// A texel along an axis.
#[derive(Copy, Clone)]
pub(super) struct Touched {
    /// Its number; 0 where it is the border.
    pub(super) number: Id,
    /// Whether it is no border; `None`: it never is one.
    pub(super) inside: Option<Id>,
}

/// The texels that a coordinate touches along an axis.
#[derive(Copy, Clone)]
pub(super) struct Axis {
    pub(super) low: Touched,
    /// The next one; that above where nothing is blended.
    pub(super) high: Touched,
    /// Its weight.
    pub(super) weight: Option<Id>,
}

impl Axis {
    /// One texel alone.
    pub(super) fn of(number: Id) -> Axis {
        let only = Touched { number, inside: None };
        Axis { low: only, high: only, weight: None }
    }
}

impl dyn Site + '_ {
    /// The integer that a number is rounded to, as a number.
    pub(super) fn rounded(&mut self, number: Id, round: Round) -> Id {
        let direction = match round {
            Round::NearestEven => Direction::Nearest,
            Round::Zero => Direction::Zero,
            Round::Up => Direction::Up,
            Round::Down => Direction::Down,
            Round::NearestAway | Round::Away => {
                // What is left over is exact.
                let cut = self.round(number, Direction::Zero);
                let rest = self.fsub(number, cut);
                let (rest, sign) = (self.fabs(rest), self.and(number, 1 << 31));
                let is_next = if round == Round::Away {
                    let zero = self.int(0);
                    self.flt(zero, rest)
                } else {
                    let half = self.real(0.5);
                    self.fle(half, rest)
                };
                let one = self.real(1.0);
                let one = self.xor(one, sign);
                let next = self.fadd(cut, one);
                return self.select(is_next, next, cut);
            }
        };
        self.round(number, direction)
    }

    /// A number at one of the places; what is too large to have a fraction there stays, and so does a NaN.
    pub(super) fn snapped(&mut self, grid: Grid, number: Id) -> Id {
        let Grid::Fixed { bits, round } = grid else { return number };
        let steps = (1u32 << bits) as f32;
        let (up, down, end) = (self.real(steps), self.real(1.0 / steps), self.real(INTEGERS));
        let scaled = self.fmul(number, up);
        let size = self.fabs(scaled);
        let has_fraction = self.flt(size, end);
        let near = self.rounded(scaled, round);
        let near = self.fmul(near, down);
        self.select(has_fraction, near, number)
    }

    /// The texels that a coordinate in texels touches, of an axis of this size.
    pub(super) fn touched(
        &mut self,
        texels: Id,
        size: Id,
        (wrap, offset): (Wrap, Offset),
        (linear, grid): (bool, Grid),
    ) -> Axis {
        let finite = self.finite(texels);
        let at = self.snapped(grid, finite);
        let half = self.real(0.5);
        let from = if linear { self.fsub(at, half) } else { at };
        let floor = self.round(from, Direction::Down);
        let (low, high) = self.wrapped(floor, size, wrap, offset);
        let weight = linear.then(|| self.fsub(from, floor));
        Axis { low, high, weight }
    }

    /// The texel that a number, moved by an offset, stands for, and the one above. The number is an integer.
    pub(super) fn wrapped(&mut self, floor: Id, size: Id, wrap: Wrap, offset: Offset) -> (Touched, Touched) {
        let n = if wrap == Wrap::Mirror { self.shl_by(size, 1) } else { size };
        let number = match wrap {
            Wrap::Repeat | Wrap::Mirror => {
                let far = self.remainder_of_far(floor, n);
                let number = self.near_or(floor, far);
                let (number, by) = match offset.computed {
                    None => (number, None),
                    // Both are small before they are added.
                    Some(by) => (self.modulo(number, n), Some(self.modulo(by, n))),
                };
                self.moved_by(number, Offset { computed: by, ..offset })
            }
            Wrap::Clamp | Wrap::Border => match offset.computed {
                None => {
                    let number = self.near(floor);
                    self.plus(number, offset.fixed)
                }
                Some(by) => self.moved_far(floor, by, offset.fixed),
            },
        };
        let always = |number: Id| Touched { number, inside: None };
        match wrap {
            Wrap::Repeat | Wrap::Mirror => {
                let low = self.modulo(number, n);
                let next = self.plus(low, 1);
                let (is_end, zero) = (self.eq(next, n), self.int(0));
                let high = self.select(is_end, zero, next);
                if wrap == Wrap::Repeat {
                    return (always(low), always(high));
                }
                let [low, high] = [low, high].map(|number| {
                    let last = self.plus(n, -1);
                    let back = self.sub(last, number);
                    let is_first = self.ult(number, size);
                    self.select(is_first, number, back)
                });
                (always(low), always(high))
            }
            Wrap::Clamp => {
                let high = self.plus(number, 1);
                let [low, high] = [number, high].map(|number| always(self.clamped(number, size)));
                (low, high)
            }
            Wrap::Border => {
                let high = self.plus(number, 1);
                let [low, high] = [number, high].map(|number| {
                    let (inside, zero) = (self.ult(number, size), self.int(0));
                    Touched { number: self.select(inside, number, zero), inside: Some(inside) }
                });
                (low, high)
            }
        }
    }

    /// The integer that a number is; those from [`FAR`] on, either way, count as that.
    pub(super) fn near(&mut self, floor: Id) -> Id {
        let is_negative = self.is_negative(floor);
        let [least, most] = [-FAR, FAR].map(|end| self.int((end as i32).cast_unsigned()));
        let far = self.select(is_negative, least, most);
        self.near_or(floor, far)
    }

    /// The integer that a number is, or another one where its magnitude is [`FAR`] or more.
    fn near_or(&mut self, floor: Id, beyond: Id) -> Id {
        let (magnitude, far) = (self.fabs(floor), self.real(FAR));
        let is_far = self.fle(far, magnitude);
        let near = self.whole(floor);
        self.select(is_far, beyond, near)
    }

    /// The sum of an integer, given as a number, and others, of which one has 32 bits; sums from 2^20 on count as that.
    fn moved_far(&mut self, floor: Id, by: Id, fixed: i32) -> Id {
        // In two parts of 16 bits. From 2^34 on nothing that is added matters.
        let [least, most] = [-17_179_869_184.0, 17_179_869_184.0].map(|end| self.real(end));
        let (is_above, is_below) = (self.flt(least, floor), self.flt(floor, most));
        let floor = self.select(is_below, floor, most);
        let floor = self.select(is_above, floor, least);
        let [down, up] = [1.0 / 65536.0, 65536.0].map(|factor| self.real(factor));
        let high = self.fmul(floor, down);
        let high = self.round(high, Direction::Down);
        let whole = self.fmul(high, up);
        let low = self.fsub(floor, whole);
        let [high, low] = [high, low].map(|part| self.whole(part));
        let by_low = self.and(by, 0xffff);
        let (low, by_high) = (self.add(low, by_low), self.sar_by(by, 16));
        let low = self.plus(low, fixed);
        let (carry, high) = (self.sar_by(low, 16), self.add(high, by_high));
        let (high, low) = (self.add(high, carry), self.and(low, 0xffff));
        let [first, last] = [-16, 16].map(|end: i32| self.int(end.cast_unsigned()));
        let (is_before, is_behind) = (self.lt(high, first), self.lt(last, high));
        let high = self.select(is_before, first, high);
        let high = self.select(is_behind, last, high);
        let high = self.shl_by(high, 16);
        self.add(high, low)
    }

    /// The nearest of so many texels.
    pub(super) fn clamped(&mut self, number: Id, size: Id) -> Id {
        let (last, zero, is_negative) = (self.plus(size, -1), self.int(0), self.is_negative(number));
        let is_below = self.lt(number, size);
        let within = self.select(is_below, number, last);
        self.select(is_negative, zero, within)
    }

    /// A signed number modulo `n`, from 0 to `n - 1`.
    pub(super) fn modulo(&mut self, number: Id, n: Id) -> Id {
        // -1 - x is as far below as x is above.
        let sign = self.sar_by(number, 31);
        let size = self.xor(number, sign);
        let rest = self.remainder(size, n);
        let last = self.plus(n, -1);
        let (back, is_negative) = (self.sub(last, rest), self.is_negative(number));
        self.select(is_negative, back, rest)
    }

    /// A number of at least [`FAR`] or at most its negative, from -2^62 to 2^62, modulo `n`, which is at most 2^16.
    fn remainder_of_far(&mut self, number: Id, n: Id) -> Id {
        // `digits * 2^exponent`; powers of two are halved so that products fit a word.
        let digits = self.and(number, 0x7f_ffff);
        let digits = self.or(digits, 0x80_0000);
        let field = self.shr_by(number, 23);
        let field = self.and(field, 0xff);
        let exponent = self.plus(field, -150);
        let (most, end, first) = (self.int(38), self.int(39), self.int(0x80_0000));
        let is_beyond = self.lt(most, exponent);
        let digits = self.select(is_beyond, first, digits);
        let exponent = self.select(is_beyond, end, exponent);
        let half = self.shr_by(exponent, 1);
        let rest = self.sub(exponent, half);
        let one = self.int(1);
        let [a, b] = [half, rest].map(|exponent| {
            let power = self.shl(one, exponent);
            self.remainder(power, n)
        });
        let power = self.mul(a, b);
        let power = self.remainder(power, n);
        let digits = self.remainder(digits, n);
        let product = self.mul(digits, power);
        let above = self.remainder(product, n);
        let below = self.sub(n, above);
        let below = self.remainder(below, n);
        let is_negative = self.is_negative(number);
        self.select(is_negative, below, above)
    }
}
