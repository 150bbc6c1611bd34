//! Fixed point, in 64-bit integers.

use super::float::{container, direction};
use super::params;
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::{Denormals, DotOrder, FixedFormat, Format, Lrp, NanCompare, NanResult, Op, Rule, Saturate, Storage};

/// Largest word of a format.
pub(super) fn highest(f: FixedFormat) -> i64 {
    (1i64 << (f.int + f.frac - 1)) - 1
}

struct Fixed {
    code: Code,
    format: FixedFormat,
    direction: Direction,
    /// Ends of the range, then of the instruction's clamp inside it.
    range: [i64; 2],
    clamp: [i64; 2],
    /// Whether words may lie so far outside of the range that sums of products overflow 64 bits.
    total: bool,
}

impl Fixed {
    fn long(&mut self, v: i64) -> Id {
        self.code.long(v as u64)
    }

    /// An operand as a 64-bit integer.
    fn get(&mut self, n: Id) -> Id {
        self.code.op(Prim::Sext, &[n])
    }

    fn limited(&mut self, v: Id, [low, high]: [i64; 2]) -> Id {
        let (low, high) = (self.long(low), self.long(high));
        let under = self.code.op(Prim::Lt, &[v, low]);
        let v = self.code.select(under, low, v);
        let over = self.code.op(Prim::Lt, &[high, v]);
        self.code.select(over, high, v)
    }

    /// A number with twice the fraction bits, rounded.
    fn round(&mut self, v: Id) -> Id {
        let frac = i32::from(self.format.frac);
        if frac == 0 {
            return v;
        }
        let below = (1i64 << frac) - 1;
        let amount = match self.direction {
            Direction::Down => self.long(0),
            Direction::Up => self.long(below),
            Direction::Zero => {
                let (sign, below) = (self.code.shift(Prim::Sar, v, 63), self.long(below));
                self.code.and(sign, below)
            }
            Direction::Nearest => {
                let (last, one) = (self.code.shift(Prim::Shr, v, frac), self.long(1));
                let (last, half) = (self.code.and(last, one), self.long((1i64 << (frac - 1)) - 1));
                self.code.op(Prim::Add, &[half, last])
            }
        };
        let sum = self.code.op(Prim::Add, &[v, amount]);
        self.code.shift(Prim::Sar, sum, frac)
    }

    /// A sum of products of words, of which there are at most eight, or one as far from the range where it overflows.
    fn sum(&mut self, terms: &[Id]) -> Id {
        let Some((&first, rest)) = terms.split_first() else { return self.long(0) };
        if !self.total {
            return rest.iter().fold(first, |sum, &term| self.add(sum, term));
        }
        let (mut high, mut low) = (self.long(0), self.long(0));
        let word = self.long(0xffff_ffff);
        for &term in terms {
            let (upper, lower) = (self.code.shift(Prim::Sar, term, 32), self.code.and(term, word));
            (high, low) = (self.add(high, upper), self.add(low, lower));
        }
        let carry = self.code.shift(Prim::Sar, low, 32);
        let high = self.add(high, carry);
        // Formats have 24 bits, and a product twice their fraction bits.
        let high = self.limited(high, [-(1 << 30), 1 << 30]);
        let (high, low) = (self.code.shift(Prim::Shl, high, 32), self.code.and(low, word));
        self.code.or(high, low)
    }

    fn product(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Mul, &[a, b])
    }

    fn add(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Add, &[a, b])
    }

    fn sub(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Sub, &[a, b])
    }

    /// A step's result inside the range.
    fn step(&mut self, v: Id) -> Id {
        let range = self.range;
        self.limited(v, range)
    }

    fn mul(&mut self, a: Id, b: Id) -> Id {
        let (product, range) = (self.product(a, b), self.range);
        let rounded = self.round(product);
        self.limited(rounded, range)
    }

    fn up(&mut self, v: Id) -> Id {
        let frac = i32::from(self.format.frac);
        self.code.shift(Prim::Shl, v, frac)
    }

    /// Marks operands so far outside of the range that sums of products could overflow.
    fn mark_large(&mut self, count: usize) {
        if self.total {
            return;
        }
        let mut any = self.code.int(0);
        for n in 0..count as Id {
            let sign = self.code.shift(Prim::Sar, n, 31);
            let size = self.code.op(Prim::Xor, &[n, sign]);
            any = self.code.or(any, size);
        }
        let limit = self.code.int(1 << 28);
        let large = self.code.op(Prim::Lt, &[limit, any]);
        self.code.slow(large);
    }

    fn finish(mut self, v: Id) -> Option<Program> {
        let (range, clamp) = (self.range, self.clamp);
        let v = self.limited(v, range);
        let v = if clamp == range { v } else { self.limited(v, clamp) };
        let word = self.code.op(Prim::Low, &[v]);
        Some(self.code.finish(word))
    }
}

/// An operation under a fixed-point rule. `total`: with sums that do not overflow.
pub(super) fn program(op: Op, rule: &Rule, total: bool) -> Option<Program> {
    let Format::Fixed(format) = rule.format else { return None };
    if rule.storage != Storage::Fixed(format) || format.int + format.frac > 24 || rule.scale != 0 {
        return None;
    }
    let most = highest(format);
    let one = (1i64 << format.frac).min(most);
    let clamp = match rule.saturate {
        Saturate::None => [-most - 1, most],
        Saturate::Unsigned => [0, one],
        Saturate::Signed => [(-(1i64 << format.frac)).max(-most - 1), one],
    };
    let types = if op == Op::Cvt { vec![container(rule.source)] } else { params(op, rule) };
    let code = Code::new(&types);
    let mut f = Fixed { code, format, direction: direction(rule.round)?, range: [-most - 1, most], clamp, total };
    if matches!(op, Op::FEq | Op::FNe | Op::FLt | Op::FLe | Op::FGt | Op::FGe | Op::Funo | Op::CcOf) {
        return compare(op, f.code);
    }
    if op == Op::Cvt {
        return convert(f, rule);
    }
    if types.iter().any(|ty| *ty != Ty::I32) {
        return None;
    }
    let v: Vec<Id> = (0..types.len() as Id).map(|n| f.get(n)).collect();
    let wide = rule.fixed_wide;
    let result = match op {
        Op::Add => f.add(v[0], v[1]),
        Op::Sub => f.sub(v[0], v[1]),
        Op::Mul | Op::Dst => {
            let product = f.product(v[0], v[1]);
            f.round(product)
        }
        // One product and a word fit 64 bits.
        Op::Fma => dot(&mut f, true, &v[..1], &v[1..2], Some(v[2])),
        Op::Mad => dot(&mut f, wide, &v[..1], &v[1..2], Some(v[2])),
        Op::Dot2 | Op::Dot3 | Op::Dot4 | Op::Dph | Op::Dp2a => {
            let ordered = matches!(rule.dot.order, DotOrder::LeftToRight | DotOrder::Exact);
            let two = op == Op::Dot2;
            if !wide && !ordered && !two {
                return None;
            }
            if wide {
                f.mark_large(types.len());
            }
            let (n, tail) = match op {
                Op::Dot2 => (2, None),
                Op::Dot3 => (3, None),
                Op::Dot4 => (4, None),
                Op::Dph => (3, Some(v[6])),
                _ => (2, Some(v[4])),
            };
            dot(&mut f, wide, &v[..n], &v[n..2 * n], tail)
        }
        Op::Lrp => {
            if wide {
                f.mark_large(3);
            }
            lrp(&mut f, rule, v[0], v[1], v[2])
        }
        Op::Min | Op::Max => {
            let less = f.code.op(Prim::Lt, &[v[0], v[1]]);
            let (a, b) = if op == Op::Min { (v[0], v[1]) } else { (v[1], v[0]) };
            f.code.select(less, a, b)
        }
        Op::Floor | Op::Ceil | Op::Frac => {
            let up = op == Op::Ceil;
            let frac = i32::from(format.frac);
            let start = if up {
                let below = f.long((1i64 << frac) - 1);
                f.add(v[0], below)
            } else {
                v[0]
            };
            let whole = f.code.shift(Prim::Sar, start, frac);
            let whole = f.code.shift(Prim::Shl, whole, frac);
            if op == Op::Frac { f.sub(v[0], whole) } else { whole }
        }
        Op::LitY => {
            let zero = f.long(0);
            let below = f.code.op(Prim::Lt, &[v[0], zero]);
            f.code.select(below, zero, v[0])
        }
        _ => return None,
    };
    f.finish(result)
}

/// Sum of products, and of `tail`: one rounding, or one for each step.
fn dot(f: &mut Fixed, wide: bool, a: &[Id], b: &[Id], tail: Option<Id>) -> Id {
    if wide {
        let mut terms: Vec<Id> = tail.map(|t| f.up(t)).into_iter().collect();
        terms.extend(a.iter().zip(b).map(|(&x, &y)| f.product(x, y)));
        let sum = f.sum(&terms);
        return f.round(sum);
    }
    let mut sum = f.mul(a[0], b[0]);
    for (x, y) in a.iter().zip(b).skip(1) {
        let product = f.mul(*x, *y);
        let next = f.add(sum, product);
        sum = f.step(next);
    }
    match tail {
        Some(t) => f.add(sum, t),
        None => sum,
    }
}

fn lrp(f: &mut Fixed, rule: &Rule, a: Id, b: Id, c: Id) -> Id {
    let one = f.long(1i64 << rule_frac(f));
    let rest = f.sub(one, a);
    if rule.fixed_wide {
        let (x, y) = (f.product(a, b), f.product(rest, c));
        let sum = f.sum(&[x, y]);
        return f.round(sum);
    }
    if rule.lrp == Lrp::Difference {
        let difference = f.sub(b, c);
        let difference = f.step(difference);
        let product = f.mul(a, difference);
        return f.add(product, c);
    }
    let weight = f.step(rest);
    let (x, y) = (f.mul(a, b), f.mul(weight, c));
    f.add(x, y)
}

fn rule_frac(f: &Fixed) -> u8 {
    f.format.frac
}

/// Comparisons of the words as integers.
fn compare(op: Op, mut code: Code) -> Option<Program> {
    if op == Op::Funo {
        let never = code.truth(false);
        return Some(code.finish(never));
    }
    let b = if op == Op::CcOf { code.int(0) } else { 1 };
    let (less, equal, greater) = (code.op(Prim::Lt, &[0, b]), code.op(Prim::Eq, &[0, b]), code.op(Prim::Lt, &[b, 0]));
    let result = match op {
        Op::FEq => equal,
        Op::FNe => code.not(equal),
        Op::FLt => less,
        Op::FLe => code.not(greater),
        Op::FGt => greater,
        Op::FGe => code.not(less),
        _ => {
            let codes = [code.int(0), code.int(1), code.int(2)];
            let v = code.select(equal, codes[1], codes[2]);
            code.select(less, codes[0], v)
        }
    };
    Some(code.finish(result))
}

/// Into fixed point from any container's binary64 value.
fn convert(mut f: Fixed, rule: &Rule) -> Option<Program> {
    let frac = i32::from(f.format.frac);
    let direction = f.direction;
    let code = &mut f.code;
    let v = match rule.source {
        Storage::F16 => {
            let v = code.of_half(0);
            code.widen(v)
        }
        Storage::F32 => code.widen(0),
        Storage::F64 => 0,
        Storage::Fixed(from) => {
            let v = code.of_int(Ty::F64, Direction::Nearest, 0);
            let unit = code.number(Ty::F64, crate::exact::power(-i32::from(from.frac)));
            code.fmul(Mode::PLAIN, v, unit)
        }
    };
    let mut v = v;
    if let Format::Float(from) = rule.source.format()
        && rule.denorm_in != Denormals::Keep
        && matches!(direction, Direction::Up | Direction::Down)
    {
        let (size, least) = (code.op(Prim::Fabs, &[v]), code.number(Ty::F64, crate::exact::power(from.min_exp())));
        let tiny = code.op(Prim::Flt, &[size, least]);
        if f.total {
            let zero = code.number(Ty::F64, 0.0);
            v = code.select(tiny, zero, v);
        } else {
            code.slow(tiny);
        }
    }
    let mut unordered = code.op(Prim::Funo, &[v, v]);
    if rule.nan_compare == NanCompare::Infinity || rule.nan_result == NanResult::Infinity {
        if f.total {
            // The end of the range on the side of its sign, which a default NaN has of its own.
            let infinity = code.number(Ty::F64, f64::INFINITY);
            let sign = match rule.nan_result {
                NanResult::Default => code.constant_of(Ty::F64, super::float::default_nan(rule.nan_bits, Ty::F64)),
                _ => v,
            };
            let infinity = code.copysign(infinity, sign);
            v = code.select(unordered, infinity, v);
            unordered = code.truth(false);
        } else {
            code.slow(unordered);
        }
    }
    let scale = code.number(Ty::F64, crate::exact::power(frac));
    let scaled = code.fmul(Mode::PLAIN, v, scale);
    let [low, high] = f.clamp.map(|end| end as f64);
    let code = &mut f.code;
    let rounded = code.round(direction, scaled);
    let (low, high, zero) = (code.number(Ty::F64, low), code.number(Ty::F64, high), code.int(0));
    let under = code.op(Prim::Flt, &[rounded, low]);
    let x = code.select(under, low, rounded);
    let over = code.op(Prim::Flt, &[high, x]);
    let x = code.select(over, high, x);
    let word = code.op(Prim::ToInt, &[x]);
    let word = code.select(unordered, zero, word);
    Some(f.code.finish(word))
}
