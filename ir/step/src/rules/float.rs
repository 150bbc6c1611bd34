//! Float arithmetic under a rule: how operands are read, how a step's result is rounded, how an operation ends.
//!
//! Values travel in a *compute type*. Where the rule's format is binary32 or binary64 and rounding is what the primitives do,
//! that is the format itself. Binary16 under nearest rounding is computed in binary32: sums, products, quotients and roots of
//! 11 bits may be rounded twice. Shorter formats whose results are cut are computed in binary32, too: what is cut at 24 bits
//! may be cut again. Everything else is computed in binary64, where products are exact and sums rounded to odd, and rounded
//! to the format once.

mod round;

use crate::eval::quiet_bits;
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::arithmetic::Numbers;
use parallax_num::{
    Denormals, FloatFormat, Format, Infinite, NanBits, NanResult, Round, Rule, SatDenorm, SatNan, SatZero, Saturate,
    Specials, Storage, Tininess, ZeroMul, ZeroSign,
};

/// Type of a value in a container.
pub(crate) const fn container(storage: Storage) -> Ty {
    match storage {
        Storage::F16 | Storage::Fixed(_) => Ty::I32,
        Storage::F32 => Ty::F32,
        Storage::F64 => Ty::F64,
    }
}

/// The primitives' name of a direction; those that go by magnitude have none.
pub(crate) const fn direction(round: Round) -> Option<Direction> {
    match round {
        Round::NearestEven => Some(Direction::Nearest),
        Round::Zero => Some(Direction::Zero),
        Round::Up => Some(Direction::Up),
        Round::Down => Some(Direction::Down),
        Round::NearestAway | Round::Away => None,
    }
}

/// What values are computed in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The format itself; every primitive rounds.
    Native(Ty),
    /// Binary16 in binary32.
    Half,
    /// A format of fewer bits, without denormals, in binary32; results are cut ([`Float::in_single`]).
    Cut,
    /// Any format of at most 24 bits in binary64.
    Wide,
}

/// What a value that is still to be rounded is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A number of the format, or of a wider one, as it is.
    Value,
    /// A sum, exact where it is tiny.
    Sum,
    /// Anything else.
    Other,
}

/// A value before it is rounded, and the operands whose NaN it passes on.
#[derive(Clone, Debug)]
pub(crate) struct Raw {
    pub(crate) value: Id,
    pub(crate) origin: Origin,
    pub(crate) nans: Vec<Id>,
}

/// A program in the making, under a rule of a float format.
pub(crate) struct Float<'r> {
    pub(crate) rule: &'r Rule,
    pub(crate) code: Code,
    pub(crate) format: FloatFormat,
    pub(crate) direction: Direction,
    pub(crate) shape: Shape,
    /// Whether anybody sees the bits of a NaN.
    pub(crate) observed: bool,
    /// How many steps of the format a cut result may lie below the exact one; beyond that it is the next one.
    pub(crate) confined: Option<f64>,
    /// What a product that is computed in binary32 lacks of the exact one, where it is confined.
    lacks: Option<Id>,
    /// Whether corner cases are written out that are otherwise left to slow lanes.
    pub(crate) total: bool,
}

/// The pattern of a rule's default NaN in a float type.
pub(crate) const fn default_nan(bits: NanBits, ty: Ty) -> u64 {
    let (quiet, payload, sign) = quiet_bits(ty);
    match bits {
        NanBits::NegativeQuiet => sign | quiet,
        NanBits::PositiveQuiet => quiet,
        NanBits::AllOnes => quiet | payload,
    }
}

/// 2^exp.
fn power(exp: i32) -> f64 {
    crate::exact::power(exp)
}

impl<'r> Float<'r> {
    /// Begins a program; `None` for rules that have none. `fuses`: whether the operation adds products with one rounding.
    pub(crate) fn new(rule: &'r Rule, params: &[Ty], observed: bool, fuses: bool) -> Option<Float<'r>> {
        let Format::Float(format) = rule.format else { return None };
        let direction = direction(rule.round)?;
        let once = rule.scale != 0 && rule.scale_once;
        let native = match (rule.format, rule.storage) {
            (Format::F32, Storage::F32) if !once => Some(Ty::F32),
            (Format::F64, Storage::F64) if !once => Some(Ty::F64),
            _ => None,
        };
        let shape = match native {
            Some(ty) => Shape::Native(ty),
            None if format.frac > 23 || format.exp > 8 || rule.storage == Storage::F64 => return None,
            None if (rule.format, rule.storage) == (Format::F16, Storage::F16)
                && direction == Direction::Nearest
                && !fuses
                && rule.scale == 0 =>
            {
                Shape::Half
            }
            None => Shape::Wide,
        };
        if format.specials != Specials::InfNan || rule.scale.unsigned_abs() > 64 {
            return None;
        }
        // What a clamp replaces nobody sees.
        let observed = observed && (rule.saturate == Saturate::None || rule.sat_nan == SatNan::Keep);
        let mut f = Float {
            rule,
            code: Code::new(params),
            format,
            direction,
            shape,
            observed,
            confined: None,
            lacks: None,
            total: false,
        };
        f.code.flush = f.mode().flush;
        Some(f)
    }

    /// An operand as comparisons see it that take NaN for the infinity of its sign.
    pub(crate) fn nan_as_infinity(&mut self, v: Id) -> Id {
        let is_nan = self.code.op(Prim::Funo, &[v, v]);
        let infinity = self.number(f64::INFINITY);
        let infinity = self.code.copysign(infinity, v);
        self.code.select(is_nan, infinity, v)
    }

    /// The same computed in binary64.
    pub(crate) fn wide(mut self) -> Option<Float<'r>> {
        let fits = self.format.frac <= 23 && self.format.exp <= 8 && self.rule.storage != Storage::F64;
        self.shape = Shape::Wide;
        fits.then_some(self)
    }

    /// The same computed in binary32, where results are cut, no operand or result is denormal, and no product leaves the
    /// range of binary32 below.
    pub(crate) fn in_single(mut self) -> Float<'r> {
        let (rule, format) = (self.rule, self.format);
        let flushes = rule.denorm_in == Denormals::Flush && rule.denorm_out == Denormals::Flush;
        let is_inside = format.frac < 23 && 2 * format.min_exp() >= -126 && format.max_exp() < 127;
        let is_plain = rule.storage == Storage::F32 && rule.scale == 0;
        if self.shape == Shape::Wide && self.direction == Direction::Zero && flushes && is_inside && is_plain {
            self.shape = Shape::Cut;
            self.code.flush = self.mode().flush;
        }
        self
    }

    /// The compute type.
    pub(crate) fn ty(&self) -> Ty {
        match self.shape {
            Shape::Native(ty) => ty,
            Shape::Half | Shape::Cut => Ty::F32,
            Shape::Wide => Ty::F64,
        }
    }

    /// How primitives of the compute type round.
    pub(crate) fn mode(&self) -> Mode {
        match self.shape {
            Shape::Native(_) => {
                let flush = self.rule.denorm_out != Denormals::Keep && self.rule.tininess == Tininess::After;
                Mode { direction: self.direction, flush }
            }
            Shape::Cut => Mode { direction: Direction::Zero, flush: false },
            _ => Mode::PLAIN,
        }
    }

    pub(crate) fn number(&mut self, v: f64) -> Id {
        let ty = self.ty();
        self.code.number(ty, v)
    }

    fn least_normal(&self) -> f64 {
        power(self.format.min_exp())
    }

    pub(crate) fn largest(&self) -> f64 {
        power(self.format.max_exp()) * (2.0 - power(-i32::from(self.format.frac)))
    }

    fn is_below(&mut self, v: Id, bound: f64) -> Id {
        let (size, bound) = (self.code.op(Prim::Fabs, &[v]), self.number(bound));
        self.code.op(Prim::Flt, &[size, bound])
    }

    pub(crate) fn is_zero(&mut self, v: Id) -> Id {
        let zero = self.number(0.0);
        self.code.op(Prim::Feq, &[v, zero])
    }

    fn is_infinite(&mut self, v: Id) -> Id {
        let (size, end) = (self.code.op(Prim::Fabs, &[v]), self.number(f64::INFINITY));
        self.code.op(Prim::Feq, &[size, end])
    }

    /// A number with the sign of `v`.
    pub(crate) fn signed(&mut self, magnitude: f64, v: Id) -> Id {
        let magnitude = self.number(magnitude);
        self.code.copysign(magnitude, v)
    }

    /// A container's word as a value of the compute type, nothing flushed.
    pub(crate) fn load(&mut self, word: Id, storage: Storage) -> Id {
        let ty = self.ty();
        let code = &mut self.code;
        match storage {
            Storage::F16 => {
                let v = code.of_half(word);
                if ty == Ty::F64 { code.widen(v) } else { v }
            }
            Storage::F32 if ty == Ty::F64 => code.widen(word),
            Storage::F32 | Storage::F64 => word,
            Storage::Fixed(f) => {
                // A word may hold more than its format: in binary32 this is where it is rounded.
                let direction = if ty == Ty::F32 { self.direction } else { Direction::Nearest };
                let v = code.of_int(ty, direction, word);
                let unit = code.number(ty, power(-i32::from(f.frac)));
                code.fmul(code.plain(), v, unit)
            }
        }
    }

    /// An operand as the rule reads it.
    pub(crate) fn get(&mut self, word: Id) -> Id {
        let v = self.load(word, self.rule.storage);
        let least = self.format.min_exp();
        self.read(v, least)
    }

    /// Denormal operands, and zeros below zero, as the rule reads them; `least`: exponent of the smallest normal number.
    pub(crate) fn read(&mut self, v: Id, least: i32) -> Id {
        let positive = self.rule.zero_sign == ZeroSign::Positive;
        let own = if self.ty() == Ty::F32 { -126 } else { -1022 };
        let v = match self.rule.denorm_in {
            Denormals::Keep => v,
            Denormals::Flush if least == own => self.code.op(Prim::Flush, &[v]),
            how => {
                let tiny = self.is_below(v, power(least));
                let zero = if how == Denormals::Flush { self.signed(0.0, v) } else { self.number(0.0) };
                // A zero below zero is no denormal.
                let tiny = if how == Denormals::FlushPositive && !positive {
                    let zero = self.is_zero(v);
                    let other = self.code.not(zero);
                    self.code.and(tiny, other)
                } else {
                    tiny
                };
                self.code.select(tiny, zero, v)
            }
        };
        if positive { self.unsigned_zero(v) } else { v }
    }

    /// -0 as +0.
    fn unsigned_zero(&mut self, v: Id) -> Id {
        let (is_zero, zero) = (self.is_zero(v), self.number(0.0));
        self.code.select(is_zero, zero, v)
    }

    /// The value of a container from one of the compute type that it holds.
    pub(crate) fn put(&mut self, v: Id) -> Id {
        match (self.shape, self.rule.storage) {
            (Shape::Native(_) | Shape::Cut, _) => v,
            (Shape::Half, _) => self.code.half_of(Direction::Nearest, v),
            (Shape::Wide, storage) => {
                let v = self.code.narrow(Mode::PLAIN, v);
                if storage == Storage::F16 { self.code.half_of(Direction::Nearest, v) } else { v }
            }
        }
    }

    // Exact or odd results.

    pub(crate) fn add(&mut self, a: Id, b: Id) -> Raw {
        let value = match self.shape {
            Shape::Wide => self.odd_sum(a, b),
            _ => {
                let mode = self.mode();
                self.code.fadd(mode, a, b)
            }
        };
        Raw { value, origin: Origin::Sum, nans: vec![a, b] }
    }

    fn odd_sum(&mut self, a: Id, b: Id) -> Id {
        let sum = self.code.op(Prim::FaddOdd, &[a, b]);
        if self.direction != Direction::Down {
            return sum;
        }
        // The sign of a zero sum follows the direction.
        let down = self.code.fadd(Mode { direction: Direction::Down, flush: false }, a, b);
        let zero = self.is_zero(sum);
        self.code.select(zero, down, sum)
    }

    /// a - b; a NaN keeps its sign.
    pub(crate) fn sub(&mut self, a: Id, b: Id) -> Raw {
        let minus = self.code.op(Prim::Fneg, &[b]);
        let second = if self.is_without_nan() { minus } else { b };
        Raw { nans: vec![a, second], ..self.add(a, minus) }
    }

    /// Whether every step gives infinities in the place of NaN.
    const fn is_without_nan(&self) -> bool {
        self.total && matches!(self.rule.nan_result, NanResult::Infinity)
    }

    /// Factors as a product sees them: where no step gives NaN, a NaN counts as the infinity of its sign.
    fn factors(&mut self, a: Id, b: Id) -> (Id, Id) {
        if !self.is_without_nan() {
            return (a, b);
        }
        let (x, y) = (self.nan_as_infinity(a), self.nan_as_infinity(b));
        if self.rule.zero_mul != ZeroMul::Ieee {
            return (x, y);
        }
        // The product with a zero has that sign, too.
        (self.one_beside_nan(x, b), self.one_beside_nan(y, a))
    }

    /// A factor; 1 with its sign where the other one is NaN.
    fn one_beside_nan(&mut self, v: Id, other: Id) -> Id {
        let (is_nan, is_zero) = (self.code.op(Prim::Funo, &[other, other]), self.is_zero(v));
        let (both, one) = (self.code.and(is_nan, is_zero), self.signed(1.0, v));
        self.code.select(both, one, v)
    }

    fn zero_wins(&mut self, a: Id, b: Id) -> Option<Id> {
        if self.rule.zero_mul == ZeroMul::Ieee {
            return None;
        }
        let (x, y) = (self.is_zero(a), self.is_zero(b));
        Some(self.code.or(x, y))
    }

    pub(crate) fn mul(&mut self, a: Id, b: Id) -> Raw {
        let (a, b) = self.factors(a, b);
        let mode = self.mode();
        let mut value = self.code.fmul(mode, a, b);
        if self.shape == Shape::Cut && self.confined.is_some() {
            let minus = self.code.op(Prim::Fneg, &[value]);
            let rest = self.code.float(Prim::Fma, mode, &[a, b, minus]);
            self.lacks = Some(self.code.op(Prim::Fabs, &[rest]));
        }
        if let Some(wins) = self.zero_wins(a, b) {
            let zero = self.number(0.0);
            value = self.code.select(wins, zero, value);
        }
        Raw { value, origin: Origin::Other, nans: vec![a, b] }
    }

    /// a * b + c with an exact product.
    pub(crate) fn fma(&mut self, a: Id, b: Id, c: Id) -> Raw {
        let (a, b) = self.factors(a, b);
        let (mut x, mut y) = (a, b);
        let wins = self.zero_wins(a, b);
        if let Some(wins) = wins {
            let zero = self.number(0.0);
            x = self.code.select(wins, zero, a);
            y = self.code.select(wins, zero, b);
        }
        let mut value = match self.shape {
            Shape::Wide => {
                let product = self.code.fmul(Mode::PLAIN, x, y);
                self.odd_sum(product, c)
            }
            _ => {
                let mode = self.mode();
                self.code.float(Prim::Fma, mode, &[x, y, c])
            }
        };
        value = self.addend_where(wins, c, value);
        Raw { value, origin: Origin::Other, nans: vec![x, y, c] }
    }

    /// The addend as it is, where zero wins and the rule says so.
    pub(crate) fn addend_where(&mut self, wins: Option<Id>, c: Id, value: Id) -> Id {
        match wins {
            Some(wins) if self.rule.zero_mul_add == parallax_num::ZeroMulAdd::Addend => {
                self.code.select(wins, c, value)
            }
            _ => value,
        }
    }

    /// a * b cut to `bits` significant bits, plus c.
    pub(crate) fn truncated_mad(&mut self, a: Id, b: Id, c: Id, bits: u8) -> Raw {
        let wins = self.zero_wins(a, b);
        let (mut x, mut y) = (a, b);
        if let Some(wins) = wins {
            let zero = self.number(0.0);
            x = self.code.select(wins, zero, a);
            y = self.code.select(wins, zero, b);
        }
        let in_double = self.shape != Shape::Wide;
        // Products of 24 bits are exact. Others are cut twice, which is the same, unless they leave binary64.
        let direction = if in_double { Direction::Zero } else { Direction::Nearest };
        let product = self.code.fmul(Mode { direction, flush: false }, x, y);
        if in_double {
            self.mark_range(product, [x, y]);
        }
        let drop = 53 - u32::from(bits.clamp(1, 53));
        let keep = self.code.long(!((1u64 << drop) - 1));
        let pattern = self.code.bits(product);
        let cut = self.code.and(pattern, keep);
        let cut = self.code.float_of(cut);
        let value = self.add(cut, c).value;
        let value = self.addend_where(wins, c, value);
        Raw { value, origin: Origin::Other, nans: vec![x, y, c] }
    }

    /// Marks a binary64 product rounded toward zero that may not be the exact one's first 53 bits, exponents having an end.
    fn mark_range(&mut self, product: Id, factors: [Id; 2]) {
        let size = self.code.op(Prim::Fabs, &[product]);
        let (least, most, infinity) =
            (self.number(f64::MIN_POSITIVE), self.number(f64::MAX), self.number(f64::INFINITY));
        let below = self.code.op(Prim::Flt, &[size, least]);
        let [x, y] = factors.map(|factor| self.is_zero(factor));
        let exact = self.code.or(x, y);
        let inexact = self.code.not(exact);
        let below = self.code.and(below, inexact);
        let (above, finite) = (self.code.op(Prim::Fle, &[most, size]), self.code.op(Prim::Flt, &[size, infinity]));
        let above = self.code.and(above, finite);
        self.code.slow(below);
        self.code.slow(above);
    }

    pub(crate) fn div(&mut self, a: Id, b: Id) -> Raw {
        let mode = self.mode();
        let value = self.code.fdiv(mode, a, b);
        Raw { value, origin: Origin::Other, nans: vec![a, b] }
    }

    pub(crate) fn sqrt(&mut self, a: Id) -> Raw {
        let mode = self.mode();
        let value = self.code.float(Prim::Fsqrt, mode, &[a]);
        Raw { value, origin: Origin::Value, nans: vec![a] }
    }

    /// A number that needs no arithmetic.
    pub(crate) fn value(&self, v: Id) -> Raw {
        Raw { value: v, origin: Origin::Value, nans: vec![v] }
    }

    /// Replaces infinities where the rule does.
    fn finite(&mut self, v: Id) -> Id {
        let end = match self.rule.infinite {
            Infinite::Keep => return v,
            Infinite::Largest => self.largest(),
            Infinite::Zero => 0.0,
        };
        let is_infinite = self.is_infinite(v);
        let end = self.signed(end, v);
        self.code.select(is_infinite, end, v)
    }

    /// A rounded intermediate as a later step reads it.
    pub(crate) fn step(&mut self, raw: &Raw) -> Id {
        let v = self.round(raw);
        let v = self.finite(v);
        let least = self.format.min_exp();
        self.read(v, least)
    }

    /// The end of an operation: scale, rounding, clamp, container.
    pub(crate) fn finish(&mut self, raw: &Raw) -> Id {
        let rule = self.rule;
        let v = match rule.scale {
            0 => self.round(raw),
            scale => {
                let factor = self.number(power(scale.into()));
                let start = if rule.scale_once {
                    raw.clone()
                } else {
                    let v = self.round(raw);
                    Raw { value: v, origin: Origin::Value, nans: vec![v] }
                };
                let mode = self.mode();
                let value = self.code.fmul(mode, start.value, factor);
                self.round(&Raw { value, origin: Origin::Other, nans: start.nans })
            }
        };
        let v = self.finite(v);
        if rule.nan_result == NanResult::Infinity && !self.total {
            // Infinities take the place of NaN: which, the reference says.
            self.code.slow_nan(v);
        }
        let v = self.clamped(v);
        let v = if rule.nan_result == NanResult::Default && self.observed {
            let default = default_nan(rule.nan_bits, self.ty());
            self.code.first(default, &[v])
        } else {
            v
        };
        let v = if rule.zero_sign == ZeroSign::Positive { self.unsigned_zero(v) } else { v };
        self.put(v)
    }

    /// The clamp that the instruction asked for.
    fn clamped(&mut self, v: Id) -> Id {
        let rule = self.rule;
        let lowest = match rule.saturate {
            Saturate::None => return v,
            Saturate::Unsigned => 0.0,
            Saturate::Signed => -1.0,
        };
        let mut v = v;
        if rule.sat_denorm == SatDenorm::Flush {
            let least = self.least_normal();
            let (tiny, zero) = (self.is_below(v, least), self.signed(0.0, v));
            v = self.code.select(tiny, zero, v);
        }
        let (low, one) = (self.number(lowest), self.number(1.0));
        if rule.saturate == Saturate::Unsigned && rule.sat_zero == SatZero::Positive && rule.sat_nan == SatNan::Zero {
            // max(v, 0), then min(v, 1): one instruction each on x86.
            let above = self.code.op(Prim::Flt, &[low, v]);
            let v = self.code.select(above, v, low);
            let below = self.code.op(Prim::Flt, &[v, one]);
            return self.code.select(below, v, one);
        }
        if rule.saturate == Saturate::Unsigned && rule.sat_zero == SatZero::Keep && rule.sat_nan == SatNan::Zero {
            // Neither a NaN nor a number below zero is as great as it; either zero is.
            let great = self.code.op(Prim::Fle, &[low, v]);
            let below = self.code.op(Prim::Flt, &[v, one]);
            let capped = self.code.select(below, v, one);
            return self.code.select(great, capped, low);
        }
        let is_nan = self.code.op(Prim::Funo, &[v, v]);
        let below = self.code.op(Prim::Flt, &[v, low]);
        let mut r = self.code.select(below, low, v);
        let above = self.code.op(Prim::Flt, &[one, r]);
        r = self.code.select(above, one, r);
        if rule.sat_zero == SatZero::Positive {
            let zero = self.is_zero(r);
            let plus = self.number(0.0);
            r = self.code.select(zero, plus, r);
        }
        let nan = match rule.sat_nan {
            SatNan::Keep => return r,
            SatNan::Zero => self.number(0.0),
            SatNan::One => one,
        };
        self.code.select(is_nan, nan, r)
    }

    /// Ends the program with a container's word.
    pub(crate) fn done(self, result: Id) -> Option<Program> {
        Some(self.code.finish(result))
    }

    /// Ends the program with a value still to be rounded.
    pub(crate) fn conclude(mut self, raw: &Raw) -> Option<Program> {
        let result = self.finish(raw);
        self.done(result)
    }
}

/// Steps inside an operation, each rounded as the rule says.
impl Numbers for Float<'_> {
    type Number = Id;

    fn number(&mut self, v: f64) -> Id {
        Float::number(self, v)
    }

    fn fsub(&mut self, a: Id, b: Id) -> Id {
        let raw = self.sub(a, b);
        self.step(&raw)
    }

    fn fmul(&mut self, a: Id, b: Id) -> Id {
        let raw = self.mul(a, b);
        self.step(&raw)
    }
}
