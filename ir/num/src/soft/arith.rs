//! Exact sums, products and what is built from them. Functions named `exact_*` give the unrounded result of the last
//! step, so that the caller can scale, round and clamp it once; the others round.

use super::accumulate::Accumulator;
use super::round::{finite, round};
use super::unpack::{encode, flush_operand};
use super::value::{Real, Val, default_nan, propagated};
use crate::recipe::chosen;
use crate::{
    Accuracy, Dot, DotOrder, Format, Lrp, Mad, NanResult, Op, Probe, Round, Rule, SubNan, ZeroMul, ZeroMulAdd,
};

/// The sign of an exact zero sum of numbers that are not all zeros of one sign.
fn cancelled(rule: &Rule) -> Val {
    Val::Zero(rule.round == Round::Down)
}

/// x + y for nonzero numbers; `None` if they cancel. Exact for exact operands of up to 106 bits; a sticky operand is
/// only right when nothing cancels.
pub(crate) fn sum(x: Real, y: Real) -> Option<Real> {
    let (x, y) = (x.aligned(), y.aligned());
    let (big, small) = if x.exp >= y.exp { (x, y) } else { (y, x) };
    let distance = (big.exp - small.exp) as u32;
    let (shifted, lost) = if distance > 127 {
        (0, true)
    } else {
        (small.sig >> distance, small.sig & ((1 << distance) - 1) != 0 || small.sticky)
    };
    if big.neg == small.neg {
        return Some(Real { sig: big.sig + shifted, sticky: big.sticky | lost, ..big });
    }
    // What was shifted out counts as a borrow: the true difference lies above the integer one by 1 - t.
    let taken = shifted + lost as u128;
    let sticky = lost | big.sticky;
    match big.sig.cmp(&taken) {
        std::cmp::Ordering::Greater => Some(Real { sig: big.sig - taken, sticky, ..big }),
        std::cmp::Ordering::Less => Some(Real { sig: taken - big.sig, sticky, ..small.with_exp(big.exp) }),
        std::cmp::Ordering::Equal => sticky.then_some(Real { sig: 1, exp: big.exp - 1, sticky, ..big }),
    }
}

impl Real {
    fn with_exp(self, exp: i32) -> Real {
        Real { exp, ..self }
    }
}

/// a + b.
pub(crate) fn exact_add(rule: &Rule, a: Val, b: Val) -> Val {
    match (a, b) {
        (Val::Real(x), Val::Real(y)) => sum(x, y).map_or(cancelled(rule), Val::Real),
        (Val::Nan(_), _) | (_, Val::Nan(_)) => propagated(rule, &[a, b]).unwrap_or(a),
        (Val::Inf(x), Val::Inf(y)) if x != y => default_nan(rule),
        (Val::Inf(_), _) => a,
        (_, Val::Inf(_)) => b,
        (Val::Zero(x), Val::Zero(y)) => {
            if x == y {
                a
            } else {
                cancelled(rule)
            }
        }
        (Val::Zero(_), _) => b,
        (_, Val::Zero(_)) => a,
    }
}

/// Whether the rule's zero-times-anything applies.
fn zero_wins(rule: &Rule, a: Val, b: Val) -> bool {
    rule.zero_mul == ZeroMul::Zero && (a.is_zero() || b.is_zero())
}

/// a * b.
pub(crate) fn exact_mul(rule: &Rule, a: Val, b: Val) -> Val {
    if zero_wins(rule, a, b) {
        return Val::Zero(false);
    }
    let neg = a.neg() != b.neg();
    match (a, b) {
        (Val::Real(x), Val::Real(y)) => {
            let (x, y) = (x.compact(), y.compact());
            Val::Real(Real { neg, exp: x.exp + y.exp, sig: x.sig * y.sig, sticky: x.sticky | y.sticky })
        }
        (Val::Nan(_), _) | (_, Val::Nan(_)) if rule.nan_result == NanResult::Infinity => Val::Inf(neg),
        (Val::Nan(_), _) | (_, Val::Nan(_)) => propagated(rule, &[a, b]).unwrap_or(a),
        (Val::Inf(_), Val::Zero(_)) | (Val::Zero(_), Val::Inf(_)) => default_nan(rule),
        (Val::Inf(_), _) | (_, Val::Inf(_)) => Val::Inf(neg),
        (Val::Zero(_), _) | (_, Val::Zero(_)) => Val::Zero(neg),
    }
}

/// a * b + c with an exact product.
pub(crate) fn exact_fma(rule: &Rule, a: Val, b: Val, c: Val) -> Val {
    let wins = zero_wins(rule, a, b);
    if !wins
        && rule.nan_result != NanResult::Infinity
        && let Some(nan) = propagated(rule, &[a, b, c])
    {
        return nan;
    }
    if wins && rule.zero_mul_add == ZeroMulAdd::Addend {
        return propagated(rule, &[c]).unwrap_or(c);
    }
    exact_add(rule, exact_mul(rule, a, b), c)
}

/// A rounded intermediate, as a later instruction would read it.
fn step(rule: &Rule, value: Val) -> Val {
    flush_operand(finite(round(value, rule), rule), rule)
}

/// A sum or product before it is rounded, moved inside the rule's bound if a probe asks for that.
fn bounded(op: Op, rule: &Rule, args: [Val; 2], exact: Val) -> Val {
    if rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest || is_fixed(rule) {
        return exact;
    }
    chosen(op, rule, &args.map(|v| encode(v, rule.storage)), exact, false)
}

/// a - b, rounded.
fn sub(rule: &Rule, a: Val, b: Val) -> Val {
    step(rule, bounded(Op::Sub, rule, [a, b], exact_sub(rule, a, b)))
}

/// a + b, rounded.
fn add(rule: &Rule, a: Val, b: Val) -> Val {
    step(rule, bounded(Op::Add, rule, [a, b], exact_add(rule, a, b)))
}

/// a * b, rounded.
fn mul(rule: &Rule, a: Val, b: Val) -> Val {
    step(rule, bounded(Op::Mul, rule, [a, b], exact_mul(rule, a, b)))
}

fn is_wide_fixed(rule: &Rule) -> bool {
    rule.fixed_wide && matches!(rule.format, Format::Fixed(_))
}

fn is_fixed(rule: &Rule) -> bool {
    matches!(rule.format, Format::Fixed(_))
}

/// Drops the bits of a product below its leading `bits`.
fn truncated(value: Val, bits: u8) -> Val {
    match value {
        Val::Real(r) => {
            let r = r.normal();
            let drop = 128 - u32::from(bits.clamp(1, 127));
            Val::Real(Real { sig: r.sig >> drop << drop, sticky: false, ..r })
        }
        other => other,
    }
}

/// a * 2^power.
pub(crate) fn exact_ldexp(rule: &Rule, a: Val, power: i32) -> Val {
    match a {
        // No format reaches further than this, and sums with it cannot overflow.
        Val::Real(r) => Val::Real(Real { exp: r.exp + power.clamp(-8192, 8192), ..r }),
        Val::Nan(_) => propagated(rule, &[a]).unwrap_or(a),
        other => other,
    }
}

/// a * b + c by the rule's `mad`. In fixed point `fixed_wide` decides instead.
pub(crate) fn exact_mad(rule: &Rule, a: Val, b: Val, c: Val) -> Val {
    if is_fixed(rule) {
        return if rule.fixed_wide { exact_fma(rule, a, b, c) } else { exact_add(rule, mul(rule, a, b), c) };
    }
    if zero_wins(rule, a, b) && rule.zero_mul_add == ZeroMulAdd::Addend {
        return propagated(rule, &[c]).unwrap_or(c);
    }
    match rule.mad {
        Mad::Fused => exact_fma(rule, a, b, c),
        Mad::Separate => exact_add(rule, mul(rule, a, b), c),
        Mad::TruncatedUnlessZero(_) if c.is_zero() => exact_add(rule, mul(rule, a, b), c),
        Mad::Truncated(bits) | Mad::TruncatedUnlessZero(bits) => {
            if !zero_wins(rule, a, b)
                && let Some(nan) = propagated(rule, &[a, b, c])
            {
                return nan;
            }
            exact_add(rule, truncated(exact_mul(rule, a, b), bits), c)
        }
    }
}

/// The exact sum of products, and of `tail` if there is one.
fn exact_sum(rule: &Rule, a: &[Val], b: &[Val], tail: Option<Val>) -> Val {
    let mut terms = [Val::Zero(false); 5];
    let mut n = 0;
    // NaN operands count in operand order, unless a zero factor hides them.
    let hidden = |i: usize| zero_wins(rule, a[i], b[i]);
    for side in [a, b] {
        for (i, v) in side.iter().enumerate() {
            if v.is_nan() && !hidden(i) {
                return propagated(rule, &[*v]).unwrap_or(*v);
            }
        }
    }
    if let Some(v) = tail
        && v.is_nan()
    {
        return propagated(rule, &[v]).unwrap_or(v);
    }
    for (x, y) in a.iter().zip(b) {
        terms[n] = exact_mul(rule, *x, *y);
        n += 1;
    }
    if let Some(v) = tail {
        terms[n] = v;
        n += 1;
    }
    sum_of(rule, &terms[..n])
}

/// The exact sum of one or more terms, each exact. A NaN among them comes out as it is.
pub(crate) fn sum_of(rule: &Rule, terms: &[Val]) -> Val {
    let mut special = Val::Zero(false);
    for t in terms {
        match (special, t) {
            (_, Val::Nan(_)) => return *t,
            (Val::Inf(x), Val::Inf(y)) if x != *y => return default_nan(rule),
            (_, Val::Inf(_)) => special = *t,
            _ => {}
        }
    }
    if let Val::Inf(_) = special {
        return special;
    }
    let mut acc = Accumulator::new(terms);
    let mut any = false;
    for t in terms {
        if let Val::Real(r) = t {
            acc.add(r);
            any = true;
        }
    }
    match acc.total() {
        Some(r) => Val::Real(r),
        // All terms are zeros of one sign: that zero.
        None if !any && terms.iter().all(|t| t.neg() == terms[0].neg()) => terms[0],
        None => cancelled(rule),
    }
}

/// Dot product of `a` and `b`, plus `tail` for dph and dp2a.
pub(crate) fn exact_dot(rule: &Rule, a: &[Val], b: &[Val], tail: Option<Val>) -> Val {
    let Dot { order, fused, reach } = rule.dot;
    if is_wide_fixed(rule) || (order == DotOrder::Exact && !is_fixed(rule)) {
        return exact_sum(rule, a, b, tail);
    }
    let fused = fused && !is_fixed(rule);
    let reach = reach.filter(|_| !fused && !is_fixed(rule));
    // Terms that a far larger one hides.
    let largest = reach.and_then(|_| {
        let products = a.iter().zip(b).map(|(x, y)| mul(rule, *x, *y));
        let sizes =
            products.chain(tail).filter_map(|v| if let Val::Real(r) = v { Some(r.with_sign(false)) } else { None });
        sizes.max_by(Real::cmp_abs)
    });
    let kept = |v: Val| match (v, largest, reach) {
        (Val::Real(r), Some(largest), Some(bits))
            if Real { exp: r.exp + i32::from(bits), ..r }.cmp_abs(&largest).is_le() =>
        {
            Val::Zero(false)
        }
        _ => v,
    };
    let tail = tail.map(kept);
    let product = |i: usize| kept(mul(rule, a[i], b[i]));
    // Sum plus one more product, unrounded.
    let onto =
        |sum: Val, i: usize| if fused { exact_fma(rule, a[i], b[i], sum) } else { exact_add(rule, sum, product(i)) };
    match (order, a.len(), tail) {
        // (p0 + p1) + (p2 + tail or p3); shorter sums lose members from the right.
        (DotOrder::Pairwise, 3 | 4, _) => {
            let left = step(rule, onto(product(0), 1));
            let right = match tail {
                Some(t) if fused => step(rule, exact_fma(rule, a[2], b[2], t)),
                Some(t) => add(rule, product(2), t),
                None if a.len() == 4 => step(rule, onto(product(2), 3)),
                None => product(2),
            };
            exact_add(rule, left, right)
        }
        _ => {
            let n = a.len();
            // Terms in the order of addition; `n` is the tail.
            let mut terms = [0usize; 5];
            let count = n + usize::from(tail.is_some());
            for (k, term) in terms[..count].iter_mut().enumerate() {
                *term = match order {
                    DotOrder::RightToLeft | DotOrder::RightToLeftInner => count - 1 - k,
                    _ => k,
                };
            }
            if order == DotOrder::RightToLeftInner && n == 3 && tail.is_some() {
                terms = [2, 3, 0, 1, 0];
            }
            let addend = |i: usize| tail.filter(|_| i == n);
            let mut sum = addend(terms[0]).unwrap_or_else(|| product(terms[0]));
            for (k, &i) in terms[..count].iter().enumerate().skip(1) {
                let next = addend(i).map_or_else(|| onto(sum, i), |t| exact_add(rule, sum, t));
                if k + 1 == count {
                    return next;
                }
                sum = step(rule, next);
            }
            sum
        }
    }
}

/// The same value with the fewest significand bits, so that it can be a factor.
fn short(value: Val) -> Val {
    match value {
        Val::Real(r) => {
            let zeros = r.sig.trailing_zeros();
            Val::Real(Real { sig: r.sig >> zeros, exp: r.exp + zeros as i32, ..r })
        }
        other => other,
    }
}

/// Blend of b and c by a.
pub(crate) fn exact_lrp(rule: &Rule, a: Val, b: Val, c: Val) -> Val {
    if is_wide_fixed(rule) {
        // (1 - a) is exact in a wide intermediate.
        return exact_sum(rule, &[a, short(exact_add(rule, Val::ONE, a.negated()))], &[b, c], None);
    }
    match rule.lrp {
        Lrp::FmaBlend => {
            let rest = mul(rule, sub(rule, Val::ONE, a), c);
            if is_fixed(rule) { exact_add(rule, mul(rule, a, b), rest) } else { exact_fma(rule, a, b, rest) }
        }
        Lrp::Blend => {
            let rest = mul(rule, sub(rule, Val::ONE, a), c);
            exact_add(rule, mul(rule, a, b), rest)
        }
        Lrp::Difference => exact_mad(rule, a, sub(rule, b, c), c),
    }
}

/// a - b: NaN keeps its sign.
pub(crate) fn exact_sub(rule: &Rule, a: Val, b: Val) -> Val {
    let keeps = rule.nan_result != NanResult::Infinity;
    if keeps && (b.is_nan() || a.is_nan()) { exact_add(rule, a, b) } else { exact_add(rule, a, b.negated()) }
}

/// The difference of an instruction of its own.
pub(crate) fn exact_difference(rule: &Rule, a: Val, b: Val) -> Val {
    if rule.sub_nan == SubNan::Negated && b.is_nan() { exact_add(rule, a, b.negated()) } else { exact_sub(rule, a, b) }
}

#[cfg(test)]
mod tests {
    use crate::{Decl, Format, Op, Rule, eval};

    #[test]
    fn ldexp_rounds_once() {
        let rule = Rule::ieee(Decl::F32, Format::F32);
        let ldexp = |a: f32, n: i32| eval(Op::Ldexp, &rule, &[u64::from(a.to_bits()), u64::from(n as u32)]) as u32;
        let mut bits = 1u32;
        for n in -300..300 {
            bits = bits.wrapping_mul(0x9E37_79B1).wrapping_add(n as u32);
            let a = f32::from_bits(bits & 0xBFFF_FFFF);
            // In binary64 the product is exact, so that the conversion rounds once.
            let power = f64::from_bits(((1023 + i64::from(n)) as u64) << 52);
            assert_eq!(ldexp(a, n), ((f64::from(a) * power) as f32).to_bits(), "{a:e} * 2^{n}");
        }
        assert_eq!(ldexp(1.5, i32::MAX), f32::INFINITY.to_bits());
        assert_eq!(ldexp(-1.5, i32::MIN), (-0f32).to_bits());
        assert_eq!(ldexp(f32::from_bits(1), 148), 0.5f32.to_bits());
        assert_eq!(ldexp(f32::NEG_INFINITY, -7), f32::NEG_INFINITY.to_bits());
        assert_eq!(ldexp(-0.0, 7), (-0f32).to_bits());
        assert_eq!(ldexp(f32::from_bits(0x7F80_0001), 7), 0x7FC0_0001);
    }
}
