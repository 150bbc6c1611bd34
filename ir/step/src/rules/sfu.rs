//! Function units whose data path is known to the bit: NVIDIA's special function unit in integers and tables, and the
//! polynomials of gallivm in binary32. Both are the programs of `parallax_num`, instruction for instruction.

use super::float::{Float, Origin, Raw, Shape};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::Emit;
use crate::program::{Code, Id, Program};
use crate::{Inst, Table};
use parallax_num::{AngleFold, AngleUnit, Denormals, Format, Op, Round, Rule, Storage, Trig, gallivm as polynomials};

const FRACTION: i32 = 0x7f_ffff;

/// Whether a rule can be served: operands and results are binary32.
fn begin(op: Op, rule: &Rule, observed: bool) -> Option<Float<'_>> {
    let positive = rule.denorm_in == Denormals::FlushPositive || rule.denorm_out == Denormals::FlushPositive;
    if rule.format != Format::F32 || rule.storage != Storage::F32 || positive {
        return None;
    }
    let f = Float::new(rule, &super::params(op, rule), observed, false)?;
    matches!(f.shape, Shape::Native(Ty::F32)).then_some(f)
}

impl Code {
    fn is(&mut self, v: Id, n: i32) -> Id {
        let n = self.int(n);
        self.op(Prim::Eq, &[v, n])
    }

    fn less(&mut self, v: Id, n: i32) -> Id {
        let n = self.int(n);
        self.op(Prim::Lt, &[v, n])
    }

    fn above(&mut self, v: Id, n: i32) -> Id {
        let n = self.int(n);
        self.op(Prim::Lt, &[n, v])
    }

    fn plus(&mut self, v: Id, n: i32) -> Id {
        let n = self.int(n);
        self.op(Prim::Add, &[v, n])
    }

    /// n - v.
    fn less_from(&mut self, n: i32, v: Id) -> Id {
        let n = self.int(n);
        self.op(Prim::Sub, &[n, v])
    }

    fn mask(&mut self, v: Id, bits: i32) -> Id {
        let bits = self.int(bits);
        self.and(v, bits)
    }

    fn most(&mut self, v: Id, n: i32) -> Id {
        let (over, n) = (self.above(v, n), self.int(n));
        self.select(over, n, v)
    }

    fn least(&mut self, v: Id, n: i32) -> Id {
        let (under, n) = (self.less(v, n), self.int(n));
        self.select(under, n, v)
    }

    /// The interpolated value of a table for a fraction of 23 bits; `odd`, 0 or 1, takes the second half of its rows.
    fn interpolate(&mut self, table: Table, fraction: Id, odd: Option<Id>) -> Id {
        let path = table.path();
        let rest = 23 - path.lead;
        let high = self.shift(Prim::Shr, fraction, rest as i32);
        let low = self.mask(fraction, (1 << rest) - 1);
        let low = self.op(Prim::Zext, &[low]);
        let index = match odd {
            None => high,
            Some(odd) => {
                let half = self.shift(Prim::Shl, odd, path.lead as i32);
                self.or(high, half)
            }
        };
        let row = self.emit(Inst::new(Prim::Table, Ty::I64, table as u64, &[index]));
        let c0 = self.shift(Prim::Shr, row, 28);
        let c1 = self.shift(Prim::Shr, row, 11);
        let (m1, m2) = (self.long(0x1ffff), self.long(0x7ff));
        let (c1, c2) = (self.and(c1, m1), self.and(row, m2));
        let width = path.width();
        let base = self.shift(Prim::Shl, c0, (width - path.weights[0]) as i32);
        let bias = self.long(path.bias << (width - 40));
        let base = self.op(Prim::Add, &[base, bias]);
        let linear = self.op(Prim::Mul, &[c1, low]);
        let linear = self.shift(Prim::Shl, linear, (width - path.weights[1] - 23) as i32);
        let square = self.truncated_square(low, rest + 2 - u32::from(rest == 16));
        let square = self.op(Prim::Mul, &[c2, square]);
        let sign = |minus: bool| if minus { Prim::Sub } else { Prim::Add };
        let sum = self.op(sign(path.minus[0]), &[base, linear]);
        self.op(sign(path.minus[1]), &[sum, square])
    }

    /// The square of a number of at most 17 bits by an array whose columns below `first` are not built.
    fn truncated_square(&mut self, x: Id, first: u32) -> Id {
        let mut square = self.op(Prim::Mul, &[x, x]);
        let (one, zero) = (self.long(1), self.long(0));
        for i in 0..10u32 {
            let alone = if 2 * i < first { 1u64 << (2 * i) } else { 0 };
            let partners = first.saturating_sub(2 * i + 2);
            if alone == 0 && partners == 0 {
                continue;
            }
            let pairs = self.shift(Prim::Shr, x, (i + 1) as i32);
            let kept = self.long((1 << partners) - 1);
            let pairs = self.and(pairs, kept);
            let pairs = self.shift(Prim::Shl, pairs, (2 * i + 2) as i32);
            let alone = self.long(alone);
            let missing = self.or(pairs, alone);
            let bit = self.shift(Prim::Shr, x, i as i32);
            let bit = self.and(bit, one);
            let all = self.op(Prim::Sub, &[zero, bit]);
            let missing = self.and(missing, all);
            square = self.op(Prim::Sub, &[square, missing]);
        }
        square
    }

    /// 23 bits of a sum below bit `from`.
    fn cut(&mut self, sum: Id, from: u32) -> Id {
        let v = self.shift(Prim::Shr, sum, from as i32 - 23);
        let v = self.op(Prim::Low, &[v]);
        self.mask(v, FRACTION)
    }

    /// The exponent of a sum whose lowest integer bit is bit `width`, and 23 bits below its leading one.
    fn normalised(&mut self, sum: Id, width: u32) -> (Id, Id) {
        let zeros = self.op(Prim::LeadingZeros, &[sum]);
        let exp = self.less_from(63 - width as i32, zeros);
        let top = self.op(Prim::Shl, &[sum, zeros]);
        (exp, self.cut(top, 63))
    }
}

/// A function of NVIDIA's unit.
pub(super) fn nv(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let mut f = begin(op, rule, observed)?;
    let (flush_in, flush_out) = (rule.denorm_in == Denormals::Flush, rule.denorm_out == Denormals::Flush);
    let turns = matches!(op, Op::Sin | Op::Cos) && rule.trig != Trig::RADIANS;
    if turns {
        let Trig { unit, chop, fold, .. } = rule.trig;
        let plain = unit == AngleUnit::Turns && fold == AngleFold::None && (chop || rule.round == Round::Zero);
        if !plain {
            return None;
        }
    }
    if !flush_in {
        let c = &mut f.code;
        let (size, least, zero) =
            (c.op(Prim::Fabs, &[0]), c.number(Ty::F32, f64::from(f32::MIN_POSITIVE)), c.number(Ty::F32, 0.0));
        let (below, some) = (c.op(Prim::Flt, &[size, least]), c.op(Prim::Flt, &[zero, size]));
        let denormal = c.and(below, some);
        c.slow(denormal);
    }
    let a = f.get(0);
    let c = &mut f.code;
    let a = if turns {
        // An angle in radians multiplied toward zero into turns.
        let scale = c.constant_of(Ty::F32, rule.trig.scale.into());
        c.fmul(Mode { direction: Direction::Zero, flush: false }, a, scale)
    } else {
        a
    };
    let bits = c.bits(a);
    let magnitude = c.mask(bits, i32::MAX);
    let sign = c.mask(bits, i32::MIN);
    let negative = c.less(bits, 0);
    let field = c.shift(Prim::Shr, magnitude, 23);
    let exp = c.plus(field, -127);
    let fraction = c.mask(magnitude, FRACTION);
    let zero = c.is(magnitude, 0);
    let infinite = c.is(magnitude, 0x7f80_0000);
    let unordered = c.above(magnitude, 0x7f80_0000);
    let (none, infinity, nan) = (c.int(0), c.int(0x7f80_0000), c.int(0x7fc0_0000));
    // A number from exponent and fraction; tiny and huge ones are the rule's business unless they are flushed.
    let number = |c: &mut Code, exp: Id, fraction: Id| {
        let biased = c.plus(exp, 127);
        let up = c.shift(Prim::Shl, biased, 23);
        let v = c.or(up, fraction);
        let (tiny, none) = (c.less(exp, -126), c.int(0));
        (c.select(tiny, none, v), tiny)
    };
    // Whether a mask matters: the operand is an ordinary number.
    let special = c.or(zero, infinite);
    let special = c.or(special, unordered);
    let ordinary = c.not(special);
    let result = match op {
        Op::Rcp => {
            let sum = c.interpolate(Table::Rcp, fraction, None);
            let width = Table::Rcp.path().width();
            let top = c.shift(Prim::Shr, sum, width as i32);
            let top = c.op(Prim::Low, &[top]);
            let top = c.mask(top, 1);
            let one = c.int(1);
            let below = c.op(Prim::Xor, &[top, one]);
            let (minus, shifted) = (c.less_from(0, exp), c.op(Prim::Shl, &[sum, below]));
            let exp = c.op(Prim::Sub, &[minus, below]);
            let fraction = c.cut(shifted, width);
            let (v, tiny) = number(c, exp, fraction);
            mark_tiny(c, flush_out, ordinary, tiny);
            let v = c.select(zero, infinity, v);
            let v = c.select(infinite, none, v);
            let v = c.or(v, sign);
            c.select(unordered, nan, v)
        }
        Op::Rsq | Op::Sqrt => {
            let odd = c.mask(exp, 1);
            let half = c.shift(Prim::Sar, exp, 1);
            let v = if op == Op::Sqrt {
                let sum = c.interpolate(Table::Sqrt, fraction, Some(odd));
                let cut = c.cut(sum, Table::Sqrt.path().width());
                number(c, half, cut).0
            } else {
                let sum = c.interpolate(Table::Rsq, fraction, Some(odd));
                let sum = c.shift(Prim::Shl, sum, 1);
                let cut = c.cut(sum, Table::Rsq.path().width());
                let exp = c.less_from(-1, half);
                let (v, _) = number(c, exp, cut);
                // Even powers of two are exact.
                let both = c.or(odd, fraction);
                let exact = c.is(both, 0);
                let minus = c.less_from(0, half);
                let (power, _) = number(c, minus, none);
                c.select(exact, power, v)
            };
            let (at_zero, at_end) = if op == Op::Sqrt { (none, infinity) } else { (infinity, none) };
            let v = c.select(infinite, at_end, v);
            let v = c.select(negative, nan, v);
            let at_zero = c.or(at_zero, sign);
            let v = c.select(zero, at_zero, v);
            c.select(unordered, nan, v)
        }
        Op::Exp2 | Op::Exp2Part => {
            if !flush_out {
                // Below -126 the unit's operand is halved.
                let (low, high) = (c.less(bits, 0xff80_0000u32 as i32), c.less(bits, 0xc2fc_0000u32 as i32));
                let low = c.and(low, negative);
                let not_high = c.not(high);
                let below = c.and(low, not_high);
                c.slow(below);
            }
            let hidden = c.int(1 << 23);
            let significand = c.or(fraction, hidden);
            let wide = c.op(Prim::Zext, &[significand]);
            let wide = c.shift(Prim::Shl, wide, 8);
            let down = c.less_from(8, exp);
            let down = c.most(down, 63);
            let down = c.least(down, 0);
            let fixed = c.op(Prim::Shr, &[wide, down]);
            let fixed = c.op(Prim::Low, &[fixed]);
            let large = c.above(exp, 7);
            let most = c.int(256 << 23);
            let fixed = c.select(large, most, fixed);
            let (whole, part) = (c.shift(Prim::Shr, fixed, 23), c.mask(fixed, FRACTION));
            let is_whole = c.is(part, 0);
            let minus = c.less_from(0, whole);
            let below = c.plus(minus, -1);
            let rest = c.less_from(FRACTION, part);
            let low_exp = c.select(is_whole, minus, below);
            let low_part = c.select(is_whole, part, rest);
            let exp = c.select(negative, low_exp, whole);
            let part = c.select(negative, low_part, part);
            let sum = c.interpolate(Table::Exp2, part, None);
            let cut = c.cut(sum, Table::Exp2.path().width());
            let (v, _) = number(c, exp, cut);
            let over = c.above(exp, 127);
            let v = c.select(over, infinity, v);
            let end = c.select(negative, none, infinity);
            let v = c.select(infinite, end, v);
            let one = c.int(0x3f80_0000);
            let v = c.select(zero, one, v);
            c.select(unordered, nan, v)
        }
        Op::Log2 | Op::Log2Part => {
            let width = Table::Log2.path().width();
            let sum = c.interpolate(Table::Log2, fraction, None);
            let whole = c.op(Prim::Sext, &[exp]);
            let whole = c.shift(Prim::Shl, whole, width as i32);
            let value = c.op(Prim::Add, &[whole, sum]);
            let nought = c.long(0);
            let (below, minus) = (c.op(Prim::Lt, &[value, nought]), c.op(Prim::Sub, &[nought, value]));
            let size = c.select(below, minus, value);
            let keep = c.long(!0xf_ffff);
            let kept = c.and(size, keep);
            let both = c.or(exp, fraction);
            let (is_one, nothing) = (c.is(both, 0), c.op(Prim::Eq, &[kept, nought]));
            let nothing = c.or(is_one, nothing);
            let (top, cut) = c.normalised(kept, width);
            let (v, _) = number(c, top, cut);
            let minus = c.mask(exp, i32::MIN);
            let v = c.or(v, minus);
            let v = c.select(nothing, none, v);
            let v = c.select(infinite, infinity, v);
            let v = if op == Op::Log2 { c.select(negative, nan, v) } else { v };
            let end = c.int(0xff80_0000u32 as i32);
            let v = c.select(zero, end, v);
            c.select(unordered, nan, v)
        }
        _ => {
            let cosine = op == Op::Cos;
            let hidden = c.int(1 << 23);
            let significand = c.or(fraction, hidden);
            let wide = c.op(Prim::Zext, &[significand]);
            let angle = if turns { turns_to_angle(c, exp, wide) } else { radians_to_angle(c, exp, wide) };
            let (quadrant, part) = (c.shift(Prim::Shr, angle, 23), c.mask(angle, FRACTION));
            let low = c.mask(quadrant, 1);
            let flips = c.is(low, i32::from(!cosine));
            let rest = c.less_from(FRACTION, part);
            let part = c.select(flips, rest, part);
            let sum = c.interpolate(Table::Sin, part, None);
            let (top, cut) = c.normalised(sum, Table::Sin.path().width());
            let (v, tiny) = number(c, top, cut);
            let nought = c.long(0);
            let nothing = c.op(Prim::Eq, &[sum, nought]);
            let some = c.not(nothing);
            let some = c.and(some, ordinary);
            mark_tiny(c, flush_out, some, tiny);
            let v = c.select(nothing, none, v);
            // Cosine is negative in the second and third quadrant, sine in the last two, and with its angle.
            let turn = if cosine { c.plus(quadrant, 1) } else { quadrant };
            let second = c.mask(turn, 2);
            let turned = c.shift(Prim::Shl, second, 30);
            let turned = if cosine { turned } else { c.op(Prim::Xor, &[turned, sign]) };
            let v = c.or(v, turned);
            let no_angle = c.or(infinite, unordered);
            c.select(no_angle, nan, v)
        }
    };
    let value = c.float_of(result);
    f.conclude(&Raw { value, origin: Origin::Value, nans: Vec::new() })
}

fn mark_tiny(c: &mut Code, flushed: bool, matters: Id, tiny: Id) {
    if !flushed {
        let tiny = c.and(matters, tiny);
        c.slow(tiny);
    }
}

/// An angle in radians as a quadrant and 23 bits.
fn radians_to_angle(c: &mut Code, exp: Id, significand: Id) -> Id {
    let factor = c.long(0x00a2_f983);
    let product = c.op(Prim::Mul, &[significand, factor]);
    let down = c.less_from(24, exp);
    let down = c.most(down, 63);
    let down = c.least(down, 0);
    let up = c.plus(exp, -24);
    let up = c.least(up, 0);
    let up = c.most(up, 31);
    let fixed = c.op(Prim::Shr, &[product, down]);
    let fixed = c.op(Prim::Shl, &[fixed, up]);
    let fixed = c.op(Prim::Low, &[fixed]);
    let fixed = c.mask(fixed, 0x1ff_ffff);
    let lost = c.plus(exp, -8);
    let lost = c.least(lost, 0);
    let lost = c.most(lost, 31);
    let ones = c.int(-1);
    let keep = c.op(Prim::Shl, &[ones, lost]);
    let fixed = c.and(fixed, keep);
    let (large, none) = (c.above(exp, 32), c.int(0));
    let tiny = c.less(exp, -126);
    let outside = c.or(large, tiny);
    c.select(outside, none, fixed)
}

/// An angle in turns as a quadrant and 23 bits.
fn turns_to_angle(c: &mut Code, exp: Id, significand: Id) -> Id {
    let down = c.less_from(-2, exp);
    let down = c.least(down, 0);
    let down = c.most(down, 63);
    let up = c.plus(exp, 2);
    let up = c.least(up, 0);
    let up = c.most(up, 31);
    let fixed = c.op(Prim::Shr, &[significand, down]);
    let fixed = c.op(Prim::Shl, &[fixed, up]);
    let fixed = c.op(Prim::Low, &[fixed]);
    let fixed = c.mask(fixed, 0x1ff_ffff);
    let (large, tiny) = (c.above(exp, 22), c.less(exp, -26));
    let (outside, none) = (c.or(large, tiny), c.int(0));
    c.select(outside, none, fixed)
}

/// Steps of gallivm: binary32, rounded to nearest, tiny results flushed.
struct Steps<'c> {
    c: &'c mut Code,
    fused: bool,
}

const STEP: Mode = Mode { direction: Direction::Nearest, flush: true };

impl Steps<'_> {
    fn k(&mut self, v: f32) -> Id {
        self.c.constant_of(Ty::F32, v.to_bits().into())
    }

    fn mul(&mut self, a: Id, b: Id) -> Id {
        self.c.fmul(STEP, a, b)
    }

    fn add(&mut self, a: Id, b: Id) -> Id {
        self.c.fadd(STEP, a, b)
    }

    fn mad(&mut self, a: Id, b: Id, c: Id) -> Id {
        if self.fused {
            return self.c.float(Prim::Fma, STEP, &[a, b, c]);
        }
        let product = self.mul(a, b);
        self.add(product, c)
    }
}

/// A function of gallivm.
pub(super) fn gallivm(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let mut f = begin(op, rule, observed)?;
    let a = f.get(0);
    let c = &mut f.code;
    let a = c.op(Prim::Flush, &[a]);
    if rule.denorm_in != Denormals::Flush {
        let (zero, before) = (c.number(Ty::F32, 0.0), c.op(Prim::Feq, &[a, 0]));
        let (is_zero, other) = (c.op(Prim::Feq, &[a, zero]), c.not(before));
        let denormal = c.and(is_zero, other);
        c.slow(denormal);
    }
    let mut s = Steps { c, fused: rule.unit_fused };
    let v = match op {
        Op::Exp2 | Op::Exp2Part => exp2(&mut s, a),
        Op::Log2 | Op::Log2Part => {
            let x = if op == Op::Log2Part { s.c.op(Prim::Fabs, &[a]) } else { a };
            log2(&mut s, x)
        }
        _ => sin_cos(&mut s, a, op == Op::Cos),
    };
    let unordered = f.code.op(Prim::Funo, &[a, a]);
    let value = f.code.select(unordered, a, v);
    f.conclude(&Raw { value, origin: Origin::Value, nans: vec![a] })
}

fn exp2(s: &mut Steps<'_>, x: Id) -> Id {
    let (high, low) = (s.k(128.0), s.k(f32::from_bits(0xc2fd_ffff)));
    let over = s.c.op(Prim::Flt, &[high, x]);
    let x = s.c.select(over, high, x);
    let under = s.c.op(Prim::Flt, &[x, low]);
    let x = s.c.select(under, low, x);
    let whole = s.c.round(Direction::Down, x);
    let minus = s.c.op(Prim::Fneg, &[whole]);
    let f = s.add(x, minus);
    let exponent = s.c.op(Prim::ToInt, &[whole]);
    let exponent = s.c.plus(exponent, 127);
    let bits = s.c.shift(Prim::Shl, exponent, 23);
    let scale = s.c.float_of(bits);
    let square = s.mul(f, f);
    let [c0, c1, c2, c3, c4, c5] = polynomials::EXP2.map(|k| s.k(k));
    let even = s.mad(square, c4, c2);
    let even = s.mad(square, even, c0);
    let odd = s.mad(square, c5, c3);
    let odd = s.mad(square, odd, c1);
    let p = s.mad(odd, f, even);
    s.mul(scale, p)
}

fn log2(s: &mut Steps<'_>, x: Id) -> Id {
    let bits = s.c.bits(x);
    let field = s.c.shift(Prim::Shr, bits, 23);
    let field = s.c.mask(field, 0xff);
    let e = s.c.plus(field, -127);
    let e = s.c.of_int(Ty::F32, Direction::Nearest, e);
    let (fraction, one_bits) = (s.c.mask(bits, FRACTION), s.c.int(0x3f80_0000));
    let m = s.c.or(fraction, one_bits);
    let m = s.c.float_of(m);
    let one = s.k(1.0);
    // Between 1 and 2 nothing is tiny but an exact zero.
    let (below, above) = (s.c.fsub(STEP, m, one), s.c.fadd(STEP, m, one));
    let y = s.c.fdiv(STEP, below, above);
    let z = s.mul(y, y);
    let square = s.mul(z, z);
    let [k0, k1, k2, k3, k4] = polynomials::LOG2.map(|k| s.k(k));
    let even = s.mad(square, k4, k2);
    let even = s.mad(square, even, k0);
    let odd = s.mad(square, k3, k1);
    let p = s.mad(odd, z, even);
    let v = s.mad(y, p, e);
    let (zero, infinity) = (s.k(0.0), s.k(f32::INFINITY));
    let (is_zero, is_infinite, below) =
        (s.c.op(Prim::Feq, &[x, zero]), s.c.op(Prim::Feq, &[x, infinity]), s.c.op(Prim::Flt, &[x, zero]));
    let nan = s.c.constant_of(Ty::F32, 0x7fc0_0000);
    let minus = s.c.op(Prim::Fneg, &[infinity]);
    let v = s.c.select(is_infinite, infinity, v);
    let v = s.c.select(below, nan, v);
    s.c.select(is_zero, minus, v)
}

fn sin_cos(s: &mut Steps<'_>, x: Id, cosine: bool) -> Id {
    let a = s.c.op(Prim::Fabs, &[x]);
    let scale = s.k(polynomials::FOUR_OVER_PI);
    let octants = s.mul(a, scale);
    // Out of range: the primitive's, as the host's, least integer.
    let j = s.c.op(Prim::ToInt, &[octants]);
    let next = s.c.plus(j, 1);
    let j2 = s.c.mask(next, !1);
    let y = s.c.of_int(Ty::F32, Direction::Nearest, j2);
    let q = if cosine { s.c.plus(j2, -2) } else { j2 };
    let sign = if cosine {
        let four = s.c.mask(q, 4);
        let four_less = s.c.less_from(4, four);
        s.c.shift(Prim::Shl, four_less, 29)
    } else {
        let up = s.c.shift(Prim::Shl, next, 29);
        let bits = s.c.bits(x);
        let both = s.c.op(Prim::Xor, &[bits, up]);
        s.c.mask(both, i32::MIN)
    };
    let mut r = a;
    for part in polynomials::QUARTER_PI {
        let part = s.k(part);
        r = s.mad(y, part, r);
    }
    let z = s.mul(r, r);
    let [a0, a1, a2] = polynomials::COS.map(|k| s.k(k));
    let p = s.mad(z, a0, a1);
    let p = s.mad(p, z, a2);
    let p = s.mul(p, z);
    let p = s.mul(p, z);
    let (half, one) = (s.k(0.5), s.k(1.0));
    let h = s.mul(z, half);
    let minus = s.c.op(Prim::Fneg, &[h]);
    let p = s.add(p, minus);
    let cosine_value = s.add(p, one);
    let [b0, b1, b2] = polynomials::SIN.map(|k| s.k(k));
    let p = s.mad(z, b0, b1);
    let p = s.mad(p, z, b2);
    let p = s.mul(p, z);
    let sine = s.mad(p, r, r);
    let second = s.c.mask(q, 2);
    let even = s.c.is(second, 0);
    let v = s.c.select(even, sine, cosine_value);
    let bits = s.c.bits(v);
    let bits = s.c.op(Prim::Xor, &[bits, sign]);
    let v = s.c.float_of(bits);
    // A NaN, which huge angles end in, becomes 1.
    let below = s.c.op(Prim::Flt, &[v, one]);
    let v = s.c.select(below, v, one);
    let minus = s.k(-1.0);
    let above = s.c.op(Prim::Flt, &[minus, v]);
    let v = s.c.select(above, v, minus);
    let (size, infinity) = (s.c.op(Prim::Fabs, &[x]), s.k(f32::INFINITY));
    let endless = s.c.op(Prim::Feq, &[size, infinity]);
    let nan = s.c.constant_of(Ty::F32, 0x7fc0_0000);
    s.c.select(endless, nan, v)
}
