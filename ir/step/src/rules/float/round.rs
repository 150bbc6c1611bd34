//! Rounding to the format of a rule: direction, denormals, overflow, and the NaN that the rule asks for.

use super::{Float, Origin, Raw, Shape, default_nan, power};
use crate::eval::quiet_bits;
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Emit, Id, Inst};
use parallax_num::{Denormals, Infinite, NanResult, Overflow, Tininess, ZeroSign};

impl Float<'_> {
    /// Rounds to the format: direction, denormals, overflow; and gives the NaN that the rule asks for.
    pub(crate) fn round(&mut self, raw: &Raw) -> Id {
        let v = match self.shape {
            Shape::Native(ty) => self.round_native(ty, raw),
            Shape::Half => {
                let pattern = self.code.half_of(Direction::Nearest, raw.value);
                let rounded = self.code.of_half(pattern);
                let rounded = if self.rule.overflow == Overflow::Largest {
                    let (is_end, was_end) = (self.is_infinite(rounded), self.is_infinite(raw.value));
                    let was_not = self.code.not(was_end);
                    let over = self.code.and(is_end, was_not);
                    let end = self.largest();
                    let end = self.signed(end, raw.value);
                    self.code.select(over, end, rounded)
                } else {
                    rounded
                };
                self.flush_tiny(raw.value, rounded)
            }
            Shape::Cut => {
                let rounded = self.round_cut(raw.value);
                self.flush_tiny(raw.value, rounded)
            }
            Shape::Wide => {
                let rounded = self.round_wide(raw.value);
                self.flush_tiny(raw.value, rounded)
            }
        };
        if self.total && self.rule.nan_result == NanResult::Infinity {
            return self.infinity_for_nan(v, &raw.nans);
        }
        if self.observed && self.rule.nan_result == NanResult::First {
            let default = default_nan(self.rule.nan_bits, self.ty());
            let mut args = vec![v];
            args.extend(raw.nans.iter().take(3));
            return self.code.first(default, &args);
        }
        v
    }

    /// An infinity in the place of a NaN, with the sign of the last operand that is one; else it is positive.
    fn infinity_for_nan(&mut self, v: Id, operands: &[Id]) -> Id {
        let mut infinity = self.number(f64::INFINITY);
        for &operand in operands {
            let is_nan = self.code.op(Prim::Funo, &[operand, operand]);
            let signed = self.code.copysign(infinity, operand);
            infinity = self.code.select(is_nan, signed, infinity);
        }
        let is_nan = self.code.op(Prim::Funo, &[v, v]);
        self.code.select(is_nan, infinity, v)
    }

    fn round_native(&mut self, ty: Ty, raw: &Raw) -> Id {
        let rule = self.rule;
        let mut v = raw.value;
        let own = if ty == Ty::F32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        let positive = rule.denorm_out == Denormals::FlushPositive && rule.zero_sign == ZeroSign::Keep;
        if rule.denorm_out != Denormals::Keep {
            if rule.tininess == Tininess::Before && raw.origin == Origin::Other {
                // Rounding may have led up to the smallest normal number.
                let size = self.code.op(Prim::Fabs, &[v]);
                let least = self.number(own);
                let ambiguous = self.code.op(Prim::Feq, &[size, least]);
                match self.toward_zero(raw.value) {
                    // Cut, it is below that number if the exact result is.
                    Some(cut) => {
                        let cut = self.code.op(Prim::Fabs, &[cut]);
                        let below = self.code.op(Prim::Flt, &[cut, least]);
                        let tiny = self.code.and(ambiguous, below);
                        let zero = if positive { self.number(0.0) } else { self.signed(0.0, v) };
                        v = self.code.select(tiny, zero, v);
                    }
                    None => self.code.slow(ambiguous),
                }
            }
            if positive {
                if raw.origin == Origin::Value {
                    let (tiny, zero) = (self.is_below(v, own), self.is_zero(v));
                    let other = self.code.not(zero);
                    let tiny = self.code.and(tiny, other);
                    let zero = self.number(0.0);
                    v = self.code.select(tiny, zero, v);
                } else {
                    // Whether a zero below zero is exact is not known here.
                    let flushed = self.code.op(Prim::Flush, &[v]);
                    let pattern = self.code.bits(flushed);
                    let minus = self.code.constant_of(ty.pattern(), quiet_bits(ty).2);
                    let is_minus = self.code.op(Prim::Eq, &[pattern, minus]);
                    self.code.slow(is_minus);
                    v = flushed;
                }
            } else {
                v = self.code.op(Prim::Flush, &[v]);
            }
        }
        if raw.origin != Origin::Value {
            let ambiguous = match (rule.overflow, self.direction) {
                (Overflow::Largest, Direction::Nearest | Direction::Up | Direction::Down)
                    if rule.infinite != Infinite::Largest || rule.scale != 0 =>
                {
                    Some(self.is_infinite(v))
                }
                (Overflow::Infinity, Direction::Zero | Direction::Up | Direction::Down) => {
                    let (size, end) = (self.code.op(Prim::Fabs, &[v]), self.largest());
                    let end = self.number(end);
                    Some(self.code.op(Prim::Feq, &[size, end]))
                }
                _ => None,
            };
            if let Some(mask) = ambiguous {
                self.code.slow(mask);
            }
        }
        v
    }

    /// What a primitive gives where it rounds toward zero, for programs that leave nothing open.
    fn toward_zero(&mut self, value: Id) -> Option<Id> {
        let inst = *self.code.inst(value).filter(|_| self.total)?;
        let rounds = matches!(inst.prim, Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fdiv | Prim::Fma | Prim::Narrow);
        let mode = Mode { direction: Direction::Zero, flush: false };
        if !rounds {
            return None;
        }
        let cut = Inst { imm: mode.word(), ..inst };
        Some(self.code.emit(cut))
    }

    /// Rounds a binary64 number, exact or odd, to the format: adding and taking away a number so large that nothing below the
    /// format's last bit is left.
    fn round_wide(&mut self, v: Id) -> Id {
        let drop = 52 - u64::from(self.format.frac);
        let largest = self.largest();
        let code = &mut self.code;
        // 1.5 * 2^(exponent + drop); below the smallest normal number the exponent stays.
        let pattern = code.bits(v);
        let mask = code.long(0x7ff << 52);
        let exponent = code.and(pattern, mask);
        let least = code.long(((self.format.min_exp() + 1023) as u64) << 52);
        let small = code.op(Prim::Lt, &[exponent, least]);
        let exponent = code.select(small, least, exponent);
        let up = code.long(drop << 52 | 1 << 51);
        let large = code.op(Prim::Add, &[exponent, up]);
        let large = code.float_of(large);
        let by_size = self.direction == Direction::Zero;
        let start = if by_size { code.op(Prim::Fabs, &[v]) } else { v };
        let mode = Mode { direction: self.direction, flush: false };
        let sum = code.fadd(mode, start, large);
        let mut rounded = code.fsub(Mode::PLAIN, sum, large);
        if let Some(most) = self.confined {
            let step = code.number(Ty::F64, power(-i32::from(self.format.frac)));
            let binade = code.float_of(exponent);
            let step = code.fmul(Mode::PLAIN, binade, step);
            let (most, end) = (code.number(Ty::F64, most), code.number(Ty::F64, largest));
            let most = code.fmul(Mode::PLAIN, step, most);
            let (lacks, next) = (code.fsub(Mode::PLAIN, start, rounded), code.fadd(Mode::PLAIN, rounded, step));
            let (outside, fits) = (code.op(Prim::Flt, &[most, lacks]), code.op(Prim::Fle, &[next, end]));
            let up = code.and(outside, fits);
            rounded = code.select(up, next, rounded);
        }
        let rounded = code.copysign(rounded, v);
        self.within_range(v, rounded)
    }

    /// Cuts a binary32 number, cut toward zero where it is inexact, to the bits of the format. Numbers below its smallest normal
    /// one are flushed later.
    fn round_cut(&mut self, v: Id) -> Id {
        let drop = 23 - u32::from(self.format.frac);
        let code = &mut self.code;
        let pattern = code.bits(v);
        let mask = code.int(-1 << drop);
        let cut = code.and(pattern, mask);
        let mut rounded = code.float_of(cut);
        if let (Some(most), Some(rest)) = (self.confined, self.lacks) {
            // What it lacks is compared in two parts: the bits that were just cut, and those that the product lacked. The bound
            // is cut to the last bit that these can have, which no sum of them lies between.
            let unit = power(self.format.frac.into());
            let (first, second) = (power(drop as i32), power(drop as i32 + 24));
            let high = (most * first).floor() / first;
            let low = ((most - high) * second).floor() / second;
            let exponent = code.int(0x7f80_0000);
            let binade = code.and(pattern, exponent);
            let binade = code.float_of(binade);
            let [high, low] = [high, low].map(|part| {
                let part = code.number(Ty::F32, part / unit);
                code.fmul(Mode::PLAIN, binade, part)
            });
            let [size, below] = [v, rounded].map(|v| code.op(Prim::Fabs, &[v]));
            let lacks = code.fsub(Mode::PLAIN, size, below);
            let [above, equal] = [Prim::Flt, Prim::Feq].map(|prim| code.op(prim, &[high, lacks]));
            let more = code.op(Prim::Flt, &[low, rest]);
            let more = code.and(equal, more);
            let outside = code.or(above, more);
            // Beyond the largest number it is too large, and then it is that one.
            let step = code.int(1 << drop);
            let next = code.op(Prim::Add, &[cut, step]);
            let next = code.float_of(next);
            rounded = code.select(outside, next, rounded);
        }
        self.within_range(v, rounded)
    }

    /// What the rule gives for a rounded number: beyond the largest one infinity, or that one.
    fn within_range(&mut self, v: Id, rounded: Id) -> Id {
        let rule = self.rule;
        let (size, input) = (self.code.op(Prim::Fabs, &[rounded]), self.code.op(Prim::Fabs, &[v]));
        let end = self.largest();
        let (end, infinity) = (self.number(end), self.number(f64::INFINITY));
        let zero = self.number(0.0);
        let code = &mut self.code;
        let (fits, finite) = (code.op(Prim::Fle, &[size, end]), code.op(Prim::Flt, &[input, infinity]));
        let infinite = match (rule.overflow, self.direction) {
            (Overflow::Infinity, _) | (Overflow::Ieee, Direction::Nearest) => code.truth(true),
            (Overflow::Largest, _) | (Overflow::Ieee, Direction::Zero) => code.truth(false),
            (Overflow::Ieee, direction) => {
                let above = code.op(Prim::Flt, &[zero, v]);
                if direction == Direction::Up { above } else { code.not(above) }
            }
        };
        let over = code.select(infinite, infinity, end);
        let over = code.copysign(over, v);
        // Infinities and NaN are no overflow. Neither fits.
        let beyond = code.select(finite, over, v);
        code.select(fits, rounded, beyond)
    }

    /// Flushes what is tiny: `v` before rounding, `rounded` after it.
    fn flush_tiny(&mut self, v: Id, rounded: Id) -> Id {
        let rule = self.rule;
        if rule.denorm_out == Denormals::Keep && self.format.denormals {
            return rounded;
        }
        let least = self.least_normal();
        let unit = least * power(-i32::from(self.format.frac));
        let tiny = if rule.tininess == Tininess::Before {
            self.is_below(v, least)
        } else {
            match self.direction {
                Direction::Nearest => self.is_below(v, least - unit / 4.0),
                Direction::Zero => self.is_below(v, least),
                direction => {
                    // Outward, everything above the last 24-bit number goes up; inward nothing does.
                    let size = self.code.op(Prim::Fabs, &[v]);
                    let (edge, least, zero) = (self.number(least - unit / 2.0), self.number(least), self.number(0.0));
                    let (outward, inward) =
                        (self.code.op(Prim::Fle, &[size, edge]), self.code.op(Prim::Flt, &[size, least]));
                    let above = self.code.op(Prim::Flt, &[zero, v]);
                    let outward_first = direction == Direction::Up;
                    let (a, b) = if outward_first { (outward, inward) } else { (inward, outward) };
                    let not_above = self.code.not(above);
                    let (a, b) = (self.code.and(above, a), self.code.and(not_above, b));
                    self.code.or(a, b)
                }
            }
        };
        if rule.denorm_out == Denormals::FlushPositive {
            let exact = self.is_zero(v);
            let some = self.code.not(exact);
            let tiny = self.code.and(tiny, some);
            let zero = self.number(0.0);
            return self.code.select(tiny, zero, rounded);
        }
        let zero = self.signed(0.0, v);
        self.code.select(tiny, zero, rounded)
    }
}
