//! Sums, products, shapes, MIN and MAX, comparisons of floats.

use super::float::{Float, Raw, Shape};
use super::params;
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Emit, Id, Program};
use parallax_num::{
    Accuracy, Denormals, Dot, DotOrder, Fma, FracOne, Lrp, Mad, MinMaxDenorm, MinMaxNan, MinMaxZero, NanCompare,
    NanResult, Op, Overflow, Probe, Round, Rule, SubNan,
};

/// Whether an operation of the family adds a product with one rounding under the rule.
fn fuses(op: Op, rule: &Rule) -> bool {
    match op {
        Op::Fma => true,
        Op::Mad => rule.mad != Mad::Separate,
        Op::Dot2 | Op::Dot3 | Op::Dot4 | Op::Dph | Op::Dp2a => rule.dot.fused,
        Op::Lrp => match rule.lrp {
            Lrp::FmaBlend => true,
            Lrp::Blend => false,
            Lrp::Difference => rule.mad != Mad::Separate,
        },
        _ => false,
    }
}

/// Whether a product is cut before the sum.
pub(super) fn truncates(op: Op, rule: &Rule) -> bool {
    let cuts = matches!(rule.mad, Mad::Truncated(_) | Mad::TruncatedUnlessZero(_));
    cuts && (op == Op::Mad || op == Op::Lrp && rule.lrp == Lrp::Difference)
}

/// An operation of the arithmetic family. `total`: without slow lanes for NaN that become infinities.
pub(super) fn program(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    if rule.accuracy != Accuracy::Correct && rule.probe != Probe::Nearest {
        return None;
    }
    // Where a unit has no other, it is the multiply-add.
    let op = if op == Op::Fma && rule.fma == Fma::Mad { Op::Mad } else { op };
    let types = params(op, rule);
    let mut f = Float::new(rule, &types, observed, fuses(op, rule))?;
    f.total = total;
    if let Accuracy::Within(bound) = rule.accuracy
        && bound.leaves_out(rule.round)
    {
        // A product that is cut, and goes up by a step where that would leave its bound.
        let product = matches!(op, Op::Mul | Op::Dst) && rule.round == Round::Zero && rule.scale == 0;
        let [below, above] = bound.steps().filter(|_| product && f.shape == Shape::Wide)?;
        f.confined = Some(below).filter(|below| 1.0 - below <= above);
        f.confined?;
    }
    if truncates(op, rule) || op == Op::Ldexp {
        let in_double = f.shape == Shape::Native(Ty::F64);
        if in_double && op == Op::Ldexp {
            return ldexp64(f);
        }
        if !in_double {
            f = f.wide()?;
        }
    }
    if op == Op::Ldexp {
        return ldexp(f);
    }
    // A confined product that goes up to infinity is left to binary64.
    let goes_beyond = f.confined.is_some() && rule.overflow == Overflow::Infinity;
    if total && super::second::goes_beyond(rule) {
        // Wider than the format all that is exact, or rounded to odd.
        f = f.wide()?;
    } else if !truncates(op, rule) && !goes_beyond {
        f = f.in_single();
    }
    let v: Vec<Id> = (0..types.len() as Id).map(|n| f.get(n)).collect();
    let raw = match op {
        Op::Add => f.add(v[0], v[1]),
        Op::Sub => {
            let mut raw = f.sub(v[0], v[1]);
            if rule.sub_nan == SubNan::Negated {
                raw.nans[1] = f.code.op(Prim::Fneg, &[v[1]]);
            }
            raw
        }
        Op::Mul | Op::Dst => f.mul(v[0], v[1]),
        Op::Fma => f.fma(v[0], v[1], v[2]),
        Op::Mad => mad(&mut f, v[0], v[1], v[2]),
        Op::Dot2 => dot(&mut f, &v[..2], &v[2..4], None)?,
        Op::Dot3 => dot(&mut f, &v[..3], &v[3..6], None)?,
        Op::Dot4 => dot(&mut f, &v[..4], &v[4..8], None)?,
        Op::Dph => dot(&mut f, &v[..3], &v[3..6], Some(v[6]))?,
        Op::Dp2a => dot(&mut f, &v[..2], &v[2..4], Some(v[4]))?,
        Op::Lrp => lrp(&mut f, v[0], v[1], v[2]),
        Op::LitY => lit_y(&mut f, v[0]),
        _ => return None,
    };
    f.conclude(&raw)
}

fn mad(f: &mut Float<'_>, a: Id, b: Id, c: Id) -> Raw {
    let separate = |f: &mut Float<'_>| {
        let product = f.mul(a, b);
        f.step(&product)
    };
    let wins = if f.rule.zero_mul == parallax_num::ZeroMul::Zero {
        let (x, y) = (f.is_zero(a), f.is_zero(b));
        Some(f.code.or(x, y))
    } else {
        None
    };
    match f.rule.mad {
        Mad::Fused => f.fma(a, b, c),
        Mad::Separate => {
            let product = separate(f);
            let mut raw = f.add(product, c);
            raw.value = f.addend_where(wins, c, raw.value);
            addend_nan(f, wins, c, &mut raw);
            raw
        }
        Mad::Truncated(bits) => f.truncated_mad(a, b, c, bits),
        Mad::TruncatedUnlessZero(bits) => {
            let cut = f.truncated_mad(a, b, c, bits);
            let product = separate(f);
            let mut whole = f.add(product, c);
            whole.value = f.addend_where(wins, c, whole.value);
            let zero = f.is_zero(c);
            Raw { value: f.code.select(zero, whole.value, cut.value), ..cut }
        }
    }
}

/// Where the addend is handed on, no NaN of the product is.
fn addend_nan(f: &mut Float<'_>, wins: Option<Id>, c: Id, raw: &mut Raw) {
    if let Some(wins) = wins.filter(|_| f.rule.zero_mul_add == parallax_num::ZeroMulAdd::Addend) {
        raw.nans[0] = f.code.select(wins, c, raw.nans[0]);
    }
}

/// Dot product, plus `tail` for dph and dp2a.
pub(super) fn dot(f: &mut Float<'_>, a: &[Id], b: &[Id], tail: Option<Id>) -> Option<Raw> {
    let Dot { order, fused, reach } = f.rule.dot;
    if order == DotOrder::Exact {
        return None;
    }
    let rounded = |f: &mut Float<'_>, i: usize| {
        let raw = f.mul(a[i], b[i]);
        f.step(&raw)
    };
    let kept: Option<Vec<Id>> = reach.filter(|_| !fused).map(|bits| {
        let mut terms: Vec<Id> = (0..a.len()).map(|i| rounded(f, i)).collect();
        terms.extend(tail);
        within_reach(f, &terms, bits)
    });
    let tail = tail.map(|t| kept.as_ref().map_or(t, |kept| kept[a.len()]));
    let product = |f: &mut Float<'_>, i: usize| match &kept {
        Some(kept) => kept[i],
        None => rounded(f, i),
    };
    let onto = |f: &mut Float<'_>, sum: Id, i: usize| {
        if fused {
            return f.fma(a[i], b[i], sum);
        }
        let product = product(f, i);
        f.add(sum, product)
    };
    let n = a.len();
    if order == DotOrder::Pairwise && n > 2 {
        let first = product(f, 0);
        let left = onto(f, first, 1);
        let left = f.step(&left);
        let right = match tail {
            Some(t) if fused => {
                let raw = f.fma(a[2], b[2], t);
                f.step(&raw)
            }
            Some(t) => {
                let p = product(f, 2);
                let raw = f.add(p, t);
                f.step(&raw)
            }
            None if n == 4 => {
                let p = product(f, 2);
                let raw = onto(f, p, 3);
                f.step(&raw)
            }
            None => product(f, 2),
        };
        return Some(f.add(left, right));
    }
    let count = n + usize::from(tail.is_some());
    let terms: Vec<usize> = match order {
        DotOrder::RightToLeftInner if n == 3 && tail.is_some() => vec![2, 3, 0, 1],
        DotOrder::RightToLeft | DotOrder::RightToLeftInner => (0..count).rev().collect(),
        _ => (0..count).collect(),
    };
    let addend = |i: usize| tail.filter(|_| i == n);
    let mut sum = match addend(terms[0]) {
        Some(tail) => tail,
        None => product(f, terms[0]),
    };
    let mut raw = None;
    for &i in &terms[1..] {
        if let Some(next) = raw.take() {
            sum = f.step(&next);
        }
        raw = Some(match addend(i) {
            Some(t) => f.add(sum, t),
            None => onto(f, sum, i),
        });
    }
    raw
}

/// The terms of a sum; +0 in the place of numbers that are at most 2^-bits of the largest number among them.
fn within_reach(f: &mut Float<'_>, terms: &[Id], bits: u8) -> Vec<Id> {
    let (zero, end) = (f.number(0.0), f.number(f64::INFINITY));
    let scale = f.number(crate::exact::power(bits.into()));
    let sizes: Vec<Id> = terms.iter().map(|&term| f.code.op(Prim::Fabs, &[term])).collect();
    let mut largest = zero;
    for &size in &sizes {
        let (larger, finite) = (f.code.op(Prim::Flt, &[largest, size]), f.code.op(Prim::Flt, &[size, end]));
        let larger = f.code.and(larger, finite);
        largest = f.code.select(larger, size, largest);
    }
    // Where denormals are terms, the scaled ones may be some too.
    let mode = if f.rule.denorm_in == Denormals::Keep { Mode::PLAIN } else { f.code.plain() };
    let kept = |(&term, &size): (&Id, &Id)| {
        let scaled = f.code.fmul(mode, size, scale);
        let (hidden, some) = (f.code.op(Prim::Fle, &[scaled, largest]), f.code.op(Prim::Flt, &[zero, size]));
        let lost = f.code.and(hidden, some);
        f.code.select(lost, zero, term)
    };
    terms.iter().zip(&sizes).map(kept).collect()
}

fn lrp(f: &mut Float<'_>, a: Id, b: Id, c: Id) -> Raw {
    let rest = |f: &mut Float<'_>| {
        let one = f.number(1.0);
        let weight = f.sub(one, a);
        let weight = f.step(&weight);
        let rest = f.mul(weight, c);
        f.step(&rest)
    };
    match f.rule.lrp {
        Lrp::FmaBlend => {
            let rest = rest(f);
            f.fma(a, b, rest)
        }
        Lrp::Blend => {
            let rest = rest(f);
            let product = f.mul(a, b);
            let product = f.step(&product);
            f.add(product, rest)
        }
        Lrp::Difference => {
            let difference = f.sub(b, c);
            let difference = f.step(&difference);
            mad(f, a, difference, c)
        }
    }
}

/// max(x, 0) of LIT.
fn lit_y(f: &mut Float<'_>, x: Id) -> Raw {
    let zero = f.number(0.0);
    let above = f.code.op(Prim::Flt, &[zero, x]);
    if f.rule.lit.keep_nan {
        // What is not below zero stays, -0 and NaN too.
        let below = f.code.op(Prim::Flt, &[x, zero]);
        let value = f.code.select(below, zero, x);
        return f.value(value);
    }
    let value = f.code.select(above, x, zero);
    f.value(value)
}

/// a * 2^b in binary64, where it is exact.
fn ldexp(mut f: Float<'_>) -> Option<Program> {
    let a = f.get(0);
    let code = &mut f.code;
    // Beyond this nothing changes any more.
    let (low, high) = (code.int(-600), code.int(600));
    let below = code.op(Prim::Lt, &[1, low]);
    let b = code.select(below, low, 1);
    let above = code.op(Prim::Lt, &[high, b]);
    let b = code.select(above, high, b);
    let factor = power(code, b);
    let value = code.fmul(Mode::PLAIN, a, factor);
    let raw = Raw { nans: vec![a], ..f.value(value) };
    f.conclude(&Raw { origin: super::float::Origin::Other, ..raw })
}

/// 2^n in binary64, for an n from -1022 to 1023.
fn power(code: &mut Code, n: Id) -> Id {
    let bias = code.int(1023);
    let biased = code.op(Prim::Add, &[n, bias]);
    let wide = code.op(Prim::Zext, &[biased]);
    let bits = code.shift(Prim::Shl, wide, 52);
    code.float_of(bits)
}

/// The same for binary64 operands: by four factors; lanes are slow where more than the last one could round.
fn ldexp64(mut f: Float<'_>) -> Option<Program> {
    let a = f.get(0);
    let code = &mut f.code;
    let (low, high) = (code.int(-2200), code.int(2200));
    let below = code.op(Prim::Lt, &[1, low]);
    let b = code.select(below, low, 1);
    let above = code.op(Prim::Lt, &[high, b]);
    let b = code.select(above, high, b);
    let quarter = code.shift(Prim::Sar, b, 2);
    let three = code.int(3);
    let most = code.op(Prim::Mul, &[quarter, three]);
    let rest = code.op(Prim::Sub, &[b, most]);
    let (p, q) = (power(code, quarter), power(code, rest));
    // The one above 1 first: below it nothing grows again that may have been rounded.
    let mut value = a;
    for factor in [q, p, p, p] {
        value = code.fmul(Mode::PLAIN, value, factor);
    }
    let (size, least, zero) =
        (code.op(Prim::Fabs, &[value]), code.number(Ty::F64, f64::MIN_POSITIVE), code.number(Ty::F64, 0.0));
    let (small, was_zero) = (code.op(Prim::Fle, &[size, least]), code.op(Prim::Feq, &[a, zero]));
    let was_not = code.not(was_zero);
    let small = code.and(small, was_not);
    code.slow(small);
    // An overflow is the direction's business.
    let end = code.number(Ty::F64, f64::INFINITY);
    let (over, finite) = (code.op(Prim::Feq, &[size, end]), code.op(Prim::Fabs, &[a]));
    let finite = code.op(Prim::Flt, &[finite, end]);
    let over = code.and(over, finite);
    code.slow(over);
    let raw = Raw { nans: vec![a], ..f.value(value) };
    f.conclude(&raw)
}

/// An operation that is exact up to range.
pub(super) fn shape(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let types = params(op, rule);
    let mut f = Float::new(rule, &types, observed, false)?;
    f.total = total;
    if matches!(op, Op::Exp2Floor | Op::LogExp | Op::LogMant) {
        return exponent(op, f);
    }
    f = if total && super::second::goes_beyond(rule) { f.wide()? } else { f.in_single() };
    let a = f.get(0);
    let round = |f: &mut Float<'_>, direction| {
        let value = f.code.round(direction, a);
        Raw { nans: vec![a], ..f.value(value) }
    };
    let raw = match op {
        Op::Floor => round(&mut f, Direction::Down),
        Op::Ceil => round(&mut f, Direction::Up),
        Op::Trunc => round(&mut f, Direction::Zero),
        Op::Rint => round(&mut f, Direction::Nearest),
        Op::Sign => {
            let zero = f.number(0.0);
            let one = f.number(1.0);
            let size = f.code.op(Prim::Fabs, &[a]);
            let some = f.code.op(Prim::Flt, &[zero, size]);
            let one = f.code.copysign(one, a);
            let value = f.code.select(some, one, zero);
            f.value(value)
        }
        Op::Frac => {
            let whole = f.code.round(Direction::Down, a);
            let part = Raw { nans: vec![a], ..f.sub(a, whole) };
            if rule.frac_one == FracOne::Allowed {
                part
            } else if rule.scale != 0 {
                return None;
            } else {
                let rounded = f.round(&part);
                let below = 1.0 - crate::exact::power(-i32::from(f.format.frac) - 1);
                let (one, below) = (f.number(1.0), f.number(below));
                let over = f.code.op(Prim::Fle, &[one, rounded]);
                let value = f.code.select(over, below, rounded);
                Raw { nans: vec![value], ..f.value(value) }
            }
        }
        _ => return None,
    };
    f.conclude(&raw)
}

/// Powers of two, exponents and mantissas, taken from patterns of binary64.
fn exponent(op: Op, f: Float<'_>) -> Option<Program> {
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    let (a, x) = super::recipe::operand(&mut f, 0);
    let in_double = f.ty() == Ty::F64 && f.shape != Shape::Wide;
    let code = &mut f.code;
    let (zero, one, infinity) =
        (code.number(Ty::F64, 0.0), code.number(Ty::F64, 1.0), code.number(Ty::F64, f64::INFINITY));
    if op == Op::Exp2Floor {
        let whole = code.round(Direction::Down, x);
        // Beyond any range one exponent is as good as another.
        let (low, high) = (code.number(Ty::F64, -2040.0), code.number(Ty::F64, 2040.0));
        let under = code.op(Prim::Flt, &[whole, low]);
        let n = code.select(under, low, whole);
        let over = code.op(Prim::Flt, &[high, n]);
        let n = code.select(over, high, n);
        let n = code.op(Prim::ToInt, &[n]);
        // In two factors, of which no exponent is out of range; their product is rounded.
        let half = code.shift(Prim::Sar, n, 1);
        let rest = code.op(Prim::Sub, &[n, half]);
        let (p, q) = (power(code, half), power(code, rest));
        let mode = if in_double { f.mode() } else { Mode::PLAIN };
        let code = &mut f.code;
        let y = code.fmul(mode, p, q);
        let y = super::recipe::keep_nan(code, x, y);
        // Infinities are no overflow, and what they give is exact.
        let minus = code.op(Prim::Fneg, &[infinity]);
        let (up, down) = (code.op(Prim::Feq, &[x, infinity]), code.op(Prim::Feq, &[x, minus]));
        if in_double {
            let y = code.select(up, infinity, y);
            let y = code.select(down, zero, y);
            return f.conclude(&Raw { value: y, origin: super::float::Origin::Other, nans: vec![a] });
        }
        // Exponents are cut where the range of the format has long ended, binary64 has not.
        let (low, high) =
            (code.number(Ty::F64, crate::exact::power(-800)), code.number(Ty::F64, crate::exact::power(800)));
        let under = code.op(Prim::Flt, &[y, low]);
        let y = code.select(under, low, y);
        let over = code.op(Prim::Flt, &[high, y]);
        let y = code.select(over, high, y);
        let y = code.select(up, infinity, y);
        let y = code.select(down, zero, y);
        let raw = super::recipe::raw(&mut f, y, vec![a]);
        return f.conclude(&raw);
    }
    let size = code.op(Prim::Fabs, &[x]);
    // Denormal numbers of binary64 have an exponent once they are multiplied by a power of two.
    let (size, bias) = if in_double {
        let (normal, scale) = (code.number(Ty::F64, f64::MIN_POSITIVE), code.number(Ty::F64, crate::exact::power(54)));
        let denormal = code.op(Prim::Flt, &[size, normal]);
        let scaled = code.fmul(Mode::PLAIN, size, scale);
        let (low, high) = (code.int(1023 + 54), code.int(1023));
        (code.select(denormal, scaled, size), code.select(denormal, low, high))
    } else {
        (size, code.int(1023))
    };
    let bits = code.bits(size);
    let (is_zero, endless) = (code.op(Prim::Feq, &[size, zero]), code.op(Prim::Feq, &[size, infinity]));
    let y = if op == Op::LogExp {
        let field = code.shift(Prim::Shr, bits, 52);
        let field = code.op(Prim::Low, &[field]);
        let top = code.op(Prim::Sub, &[field, bias]);
        let y = code.of_int(Ty::F64, Direction::Nearest, top);
        let y = super::recipe::keep_nan(code, size, y);
        let minus = code.op(Prim::Fneg, &[infinity]);
        let y = code.select(is_zero, minus, y);
        code.select(endless, infinity, y)
    } else {
        let (fraction, exponent) = (code.long((1 << 52) - 1), code.long(1023 << 52));
        let fraction = code.and(bits, fraction);
        let pattern = code.or(fraction, exponent);
        let y = code.float_of(pattern);
        let y = super::recipe::keep_nan(code, size, y);
        let special = code.or(is_zero, endless);
        code.select(special, one, y)
    };
    // Both are exact in binary32.
    let value = if f.ty() == Ty::F32 { f.code.narrow(Mode::PLAIN, y) } else { y };
    let raw = Raw { nans: vec![a], ..f.value(value) };
    f.conclude(&raw)
}

/// Less, greater and equal where a NaN lies beyond the infinity of its sign.
fn beyond_infinity(f: &mut Float<'_>, [a, b]: [Id; 2], [less, greater, equal]: [Id; 3]) -> (Id, Id, Id) {
    let ranks = [a, b].map(|v| {
        let (one, zero) = (f.number(1.0), f.number(0.0));
        let (is_nan, side) = (f.code.op(Prim::Funo, &[v, v]), f.code.copysign(one, v));
        f.code.select(is_nan, side, zero)
    });
    let zero = f.number(0.0);
    let (below, above) = (f.code.op(Prim::Flt, &ranks), f.code.op(Prim::Flt, &[ranks[1], ranks[0]]));
    let (same, are_numbers) = (f.code.op(Prim::Feq, &ranks), f.code.op(Prim::Feq, &[ranks[0], zero]));
    let are_nan = f.code.not(are_numbers);
    let equal = f.code.or(equal, are_nan);
    let [less, greater, equal] = [less, greater, equal].map(|mask| f.code.and(same, mask));
    (f.code.or(less, below), f.code.or(greater, above), equal)
}

/// MIN and MAX.
pub(super) fn min_max(op: Op, rule: &Rule, observed: bool, total: bool) -> Option<Program> {
    let max = op == Op::Max;
    let types = params(op, rule);
    let untouched = rule.minmax_denorm == MinMaxDenorm::Operand;
    let own = if untouched { Rule { denorm_out: Denormals::Keep, ..*rule } } else { *rule };
    let kept = Rule { denorm_out: Denormals::Keep, ..*rule };
    let mut f = Float::new(&own, &types, observed, false)?.in_single();
    let (a, b) = (f.get(0), f.get(1));
    // What is handed on: the operands as compared, or as they are.
    let (first, second) = if untouched { (f.load(0, rule.storage), f.load(1, rule.storage)) } else { (a, b) };
    let either = f.code.op(Prim::Funo, &[a, b]);
    let (mut a, mut b) = (a, b);
    if rule.nan_compare == NanCompare::Infinity && rule.nan_result != NanResult::Infinity && total {
        (a, b) = (f.nan_as_infinity(a), f.nan_as_infinity(b));
    } else if rule.nan_compare == NanCompare::Infinity || rule.nan_result == NanResult::Infinity {
        f.code.slow(either);
    }
    let (less, greater) = (f.code.op(Prim::Flt, &[a, b]), f.code.op(Prim::Flt, &[b, a]));
    let equal = f.code.op(Prim::Feq, &[a, b]);
    let (less, greater, equal) = if rule.minmax_nan == MinMaxNan::Ordered && total {
        beyond_infinity(&mut f, [a, b], [less, greater, equal])
    } else {
        (less, greater, equal)
    };
    let wanted = if max { greater } else { less };
    let take_a = match rule.minmax_nan {
        MinMaxNan::CompareB | MinMaxNan::CompareBIsNan => wanted,
        MinMaxNan::CompareGreater if max => greater,
        // A NaN gives a.
        MinMaxNan::CompareGreater => f.code.not(greater),
        MinMaxNan::ComparePatent if max => f.code.or(greater, equal),
        MinMaxNan::ComparePatent => less,
        MinMaxNan::Number | MinMaxNan::Nan | MinMaxNan::Ordered => {
            let tie = match rule.minmax_zero {
                MinMaxZero::Second => f.code.truth(false),
                MinMaxZero::First => f.code.truth(true),
                MinMaxZero::Ordered => {
                    // Equal values differ at most in the sign of a zero: below one with that sign.
                    let one = f.number(1.0);
                    let (sign, zero) = (f.code.copysign(one, a), f.number(0.0));
                    let negative = f.code.op(Prim::Flt, &[sign, zero]);
                    if max { f.code.not(negative) } else { negative }
                }
            };
            let tie = f.code.and(equal, tie);
            f.code.or(wanted, tie)
        }
    };
    let chosen = f.code.select(take_a, first, second);
    let raw = match rule.minmax_nan {
        MinMaxNan::Number | MinMaxNan::Nan => {
            let (a_nan, b_nan) = (f.code.op(Prim::Funo, &[a, a]), f.code.op(Prim::Funo, &[b, b]));
            let number = rule.minmax_nan == MinMaxNan::Number;
            let value = if number {
                // The other one is taken; a NaN is left only where both are.
                let v = f.code.select(b_nan, first, chosen);
                f.code.select(a_nan, second, v)
            } else {
                let v = f.code.select(b_nan, second, chosen);
                f.code.select(a_nan, first, v)
            };
            Raw { nans: vec![a, b], ..f.value(value) }
        }
        MinMaxNan::CompareB | MinMaxNan::CompareGreater | MinMaxNan::ComparePatent => {
            // A chosen NaN keeps its bits; only binary32 and binary64 lose none on the way.
            let keeps = matches!(f.shape, Shape::Native(_)) && rule.scale == 0;
            if f.observed && total && !keeps && rule.scale == 0 {
                f.observed = false;
                let raw = f.value(chosen);
                let result = f.finish(&raw);
                let (is_nan, word) = (f.code.op(Prim::Funo, &[chosen, chosen]), f.code.select(take_a, 0, 1));
                let result = f.code.select(is_nan, word, result);
                return f.done(result);
            }
            if f.observed && !keeps {
                f.code.slow(either);
            }
            Raw { nans: vec![chosen], ..f.value(chosen) }
        }
        MinMaxNan::CompareBIsNan | MinMaxNan::Ordered => {
            if total && rule.minmax_nan == MinMaxNan::CompareBIsNan && matches!(f.shape, Shape::Native(_)) {
                // Where b is NaN a is taken as it is; where a alone is, no comparison holds and b is taken.
                f.observed = false;
                let ordinary = f.value(chosen);
                let ordinary = f.finish(&ordinary);
                f.rule = &kept;
                let (b_nan, word) = (f.code.op(Prim::Funo, &[b, b]), f.load(0, rule.storage));
                let as_it_is = f.value(word);
                let as_it_is = f.finish(&as_it_is);
                let result = f.code.select(b_nan, as_it_is, ordinary);
                return f.done(result);
            }
            let is_ordered = total && rule.minmax_nan == MinMaxNan::Ordered;
            if !(is_ordered && matches!(f.shape, Shape::Native(_)) && rule.scale == 0) {
                f.code.slow(either);
            }
            Raw { nans: vec![chosen], ..f.value(chosen) }
        }
    };
    if matches!(rule.minmax_nan, MinMaxNan::Number | MinMaxNan::Nan) {
        return f.conclude(&raw);
    }
    // Neither quieted nor replaced.
    f.observed = false;
    f.conclude(&raw)
}

/// A comparison, or the condition code of a value.
pub(super) fn compare(op: Op, rule: &Rule, total: bool) -> Option<Program> {
    let types = params(op, rule);
    let plain = Rule { scale: 0, ..*rule };
    let mut f = Float::new(&plain, &types, false, false)?.in_single();
    let a = f.get(0);
    let b = if op == Op::CcOf { f.number(0.0) } else { f.get(1) };
    let unordered = f.code.op(Prim::Funo, &[a, b]);
    let (mut a, mut b) = (a, b);
    if rule.nan_compare == NanCompare::Infinity && op != Op::Funo {
        if total {
            (a, b) = (f.nan_as_infinity(a), f.nan_as_infinity(b));
        } else {
            f.code.slow(unordered);
        }
    }
    if rule.nan_compare == NanCompare::Infinity && op == Op::Funo {
        let never = f.code.truth(false);
        return f.done(never);
    }
    let result = match op {
        Op::FEq => f.code.op(Prim::Feq, &[a, b]),
        // Where NaN makes every comparison false, unequal is less or greater.
        Op::FNe if rule.nan_compare == NanCompare::False => {
            let (less, greater) = (f.code.op(Prim::Flt, &[a, b]), f.code.op(Prim::Flt, &[b, a]));
            f.code.or(less, greater)
        }
        Op::FNe => {
            let equal = f.code.op(Prim::Feq, &[a, b]);
            f.code.not(equal)
        }
        Op::FLt => f.code.op(Prim::Flt, &[a, b]),
        Op::FLe => f.code.op(Prim::Fle, &[a, b]),
        Op::FGt => f.code.op(Prim::Flt, &[b, a]),
        Op::FGe => f.code.op(Prim::Fle, &[b, a]),
        Op::Funo => unordered,
        Op::CcOf => {
            let (less, equal, greater) =
                (f.code.op(Prim::Flt, &[a, b]), f.code.op(Prim::Feq, &[a, b]), f.code.op(Prim::Flt, &[b, a]));
            let codes = [f.code.int(0), f.code.int(1), f.code.int(2), f.code.int(3)];
            let v = f.code.select(greater, codes[2], codes[3]);
            let v = f.code.select(equal, codes[1], v);
            f.code.select(less, codes[0], v)
        }
        _ => return None,
    };
    debug_assert!(f.code.ty(result) == super::result(op, rule));
    f.done(result)
}
