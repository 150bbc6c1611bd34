//! The choice of a result inside a documented error bound.

use super::nearby;
use crate::bound::Extent;
use crate::reads::bounded_sum;
use crate::soft::arith::sum;
use crate::soft::round::{finish, round};
use crate::soft::unpack::{encode, operand, shape, unpack};
use crate::soft::value::{Real, Val};
use crate::{Accuracy, Bound, Denormals, Format, Op, Overflow, Piece, Probe, Round, Rule, Scale, Storage, ZeroSign};
use nearby::Approximation;

/// Distances to the ends of a bound, down and up; `None` for none at all.
struct Sides {
    down: Option<Real>,
    up: Option<Real>,
    /// Whether the ends themselves are outside.
    strict: bool,
}

/// Rounds a recipe's exact value, or picks another value inside the rule's bound. `pinned` values are exact points.
pub(crate) fn choose(op: Op, rule: &Rule, words: &[u64], value: Val, pinned: bool) -> Val {
    finish(chosen(op, rule, words, value, pinned), rule)
}

/// The same before the result is rounded and clamped: the exact value, or a value of the format.
pub(crate) fn chosen(op: Op, rule: &Rule, words: &[u64], value: Val, pinned: bool) -> Val {
    let exact = match value {
        Val::Real(r) if !pinned && rule.accuracy != Accuracy::Correct => r,
        _ => return value,
    };
    if rule.probe == Probe::Nearest && !leaves_bound(op, rule) {
        return value;
    }
    let sides = sides(op, rule, words, exact);
    if let Some(Sides { down, up, .. }) = sides {
        let offset = || random_offset(op, rule, words, exact.neg);
        if let Some(found) = nearby::chosen(rule, exact, [down, up], most(op, rule), offset) {
            return found;
        }
    }
    in_bound(op, rule, words, exact, sides)
}

/// What [`chosen`] gives for a value that is known approximately, where that decides. It is none that `fixed_points` may pin, and if
/// it is a reciprocal, no power of two.
pub(super) fn near(op: Op, rule: &Rule, words: &[u64], value: Approximation) -> Option<f64> {
    if rule.probe == Probe::Nearest && !leaves_bound(op, rule) {
        return None;
    }
    let top = value.top()?;
    let [down, up] = match rule.accuracy {
        Accuracy::Correct => return None,
        Accuracy::Bounded { bits, floor, .. } => [power(top.max(i32::from(floor)) - i32::from(bits)); 2],
        Accuracy::Within(bound) => {
            let [below, above] = extents(op, rule, words, &bound, top, || value.at.abs())?;
            if value.at < 0.0 { [above, below] } else { [below, above] }
        }
    };
    let offset = || random_offset(op, rule, words, value.at < 0.0);
    nearby::near(rule, value, [down, up], most(op, rule), offset).map(|found| found.number)
}

/// Magnitudes that are not reached.
fn most(op: Op, rule: &Rule) -> f64 {
    if matches!(op, Op::Sin | Op::Cos) && rule.trig_clamp { 1.0 } else { f64::INFINITY }
}

fn random_offset(op: Op, rule: &Rule, words: &[u64], negative: bool) -> i64 {
    match rule.probe {
        Probe::Random(seed) => offset(seed, op, rule, words, negative),
        _ => 0,
    }
}

/// What [`choose`] gives, by exact numbers alone.
#[cfg(test)]
pub(super) fn by_exact_numbers(op: Op, rule: &Rule, words: &[u64], value: Val, pinned: bool) -> Val {
    let is_open = rule.probe != Probe::Nearest || leaves_bound(op, rule);
    let found = match value {
        Val::Real(exact) if !pinned && is_open && rule.accuracy != Accuracy::Correct => {
            in_bound(op, rule, words, exact, sides(op, rule, words, exact))
        }
        value => value,
    };
    finish(found, rule)
}

/// The same by exact numbers, whatever they are.
fn in_bound(op: Op, rule: &Rule, words: &[u64], exact: Real, sides: Option<Sides>) -> Val {
    let (is_trig, value, one) = (matches!(op, Op::Sin | Op::Cos), Val::Real(exact), Val::ONE);
    if let (Probe::Random(seed), Some(sides)) = (rule.probe, &sides) {
        let point = point(seed, op, rule, words, exact, sides);
        let is_clamped =
            is_trig && rule.trig_clamp && !(point.compare(&one).is_lt() && point.compare(&one.negated()).is_gt());
        // No end needs rounding.
        if !is_clamped && is_well_inside(point, exact, sides) {
            return point;
        }
    }
    let (mut low, mut high, sides) = match sides {
        Some(sides) => (end(rule, exact, &sides, true), end(rule, exact, &sides, false), sides),
        // Nothing is known but what the function can give.
        None if is_trig => {
            let whole = Real { neg: false, exp: 1, sig: 1, sticky: false };
            (one.negated(), one, Sides { down: Some(whole), up: Some(whole), strict: false })
        }
        None => return value,
    };
    if is_trig && rule.trig_clamp {
        let clamped = |v: Val| if v.compare(&one).is_gt() { one } else { v };
        (low, high) = (clamped(low.negated()).negated(), clamped(high));
    }
    if low.compare(&high).is_gt() {
        // No value of the format lies inside the bound.
        return value;
    }
    match rule.probe {
        Probe::Nearest => {
            let rounded = round(value, rule);
            match (low, high) {
                (Val::Real(_), _) if rounded.compare(&low).is_lt() => low,
                (_, Val::Real(_)) if rounded.compare(&high).is_gt() => high,
                _ => value,
            }
        }
        Probe::Lowest => low,
        Probe::Highest => high,
        Probe::Random(seed) => {
            let point = point(seed, op, rule, words, exact, &sides);
            if point.compare(&low).is_lt() {
                low
            } else if point.compare(&high).is_gt() {
                high
            } else {
                point
            }
        }
    }
}

/// A point of (-1, 1) with 63 bits, times the bound, from the exact value; rounded.
fn point(seed: u64, op: Op, rule: &Rule, words: &[u64], exact: Real, sides: &Sides) -> Val {
    let offset = offset(seed, op, rule, words, exact.neg);
    let side = if offset < 0 { sides.down } else { sides.up };
    let step = side.map(|s| Real {
        neg: offset < 0,
        exp: s.exp - 63,
        sig: s.sig * u128::from(offset.unsigned_abs()),
        sticky: false,
    });
    let point = step.map_or(Some(exact), |step| sum(exact, step));
    round(point.map_or(Val::Zero(false), Val::Real), rule)
}

/// Whether a number of the format lies between the ends of a bound and is neither of them: then it lies between their rounded
/// values, too.
fn is_well_inside(point: Val, exact: Real, sides: &Sides) -> bool {
    let end = |side: Option<Real>, lowest: bool| {
        let shifted = side.map_or(Some(exact), |side| sum(exact, side.with_sign(lowest)));
        shifted.map_or(Val::Zero(false), Val::Real)
    };
    matches!(point, Val::Real(_))
        && end(sides.down, true).compare(&point).is_lt()
        && end(sides.up, false).compare(&point).is_gt()
}

/// Whether a sum or product, rounded in the rule's direction, may lie outside of its bound.
fn leaves_bound(op: Op, rule: &Rule) -> bool {
    let is_outside = |bound: &Bound| bound.leaves_out(rule.round);
    bounded_sum(op) && matches!(&rule.accuracy, Accuracy::Within(bound) if is_outside(bound))
}

/// The two sides at a result; `None` where nothing is promised.
fn sides(op: Op, rule: &Rule, words: &[u64], exact: Real) -> Option<Sides> {
    match rule.accuracy {
        Accuracy::Correct => Some(Sides { down: None, up: None, strict: false }),
        Accuracy::Bounded { bits, floor, strict } => {
            // Operands of one binade, its lower end included, have reciprocals in half a binade, its upper end included.
            let is_top = matches!(op, Op::Rcp | Op::Rsq) && exact.sig.is_power_of_two() && !exact.sticky;
            let exp = (exact.top() - i32::from(is_top)).max(i32::from(floor)) - i32::from(bits);
            let side = Some(Real { neg: false, exp, sig: 1, sticky: false });
            Some(Sides { down: side, up: side, strict })
        }
        Accuracy::Within(bound) => within(op, rule, words, exact, &bound),
    }
}

/// A binary64 number as an exact one.
fn real(v: f64) -> Option<Real> {
    match unpack(v.to_bits(), Storage::F64) {
        Val::Real(r) => Some(r),
        _ => None,
    }
}

fn within(op: Op, rule: &Rule, words: &[u64], exact: Real, bound: &Bound) -> Option<Sides> {
    let size = || f64::from_bits(encode(Val::Real(exact), Storage::F64)).abs();
    let [below, above] = extents(op, rule, words, bound, exact.top(), size)?.map(real);
    let (down, up) = if exact.neg { (above, below) } else { (below, above) };
    Some(Sides { down, up, strict: false })
}

/// 2^exp, if that is a normal number of binary64.
fn power(exp: i32) -> f64 {
    f64::from_bits(((exp + 1023).clamp(1, 2046) as u64) << 52)
}

/// How far below a positive result of this size, between 2^top and twice that, its bound begins, and how far above it ends; `None`
/// where nothing is promised.
fn extents(
    op: Op,
    rule: &Rule,
    words: &[u64],
    bound: &Bound,
    top: i32,
    size: impl FnOnce() -> f64,
) -> Option<[f64; 2]> {
    let number = |word: &u64| match rule.storage {
        Storage::F32 => f64::from(f32::from_bits(*word as u32)).abs(),
        storage => f64::from_bits(encode(unpack(*word, storage), Storage::F64)).abs(),
    };
    let operand = words.iter().map(number).fold(0.0, f64::max);
    let piece: &Piece = match bound.at(operand) {
        Some(piece) => piece,
        // Beyond its range the promise for an angle ends.
        None if matches!(op, Op::Sin | Op::Cos) => return None,
        None => bound.last(),
    };
    let scale = match (piece.scale, rule.format) {
        (Scale::Ulp, Format::Float(f)) => power(top.max(f.min_exp()) - i32::from(f.frac)),
        (Scale::Ulp, Format::Fixed(f)) => power(-i32::from(f.frac)),
        (Scale::Relative { floor }, _) => size().max(if floor > -200 { power(floor.into()) } else { 0.0 }),
        (Scale::Absolute, _) => 1.0,
    };
    // Every step is rounded to binary64, far below any step of the formats measured here.
    let is_flat = piece.per_operand == Extent::ZERO && operand.is_finite();
    let slope = if is_flat { 0.0 } else { piece.per_operand.value() * operand };
    Some(piece.sides.map(|side| (side.value() + slope) * scale))
}

/// The lowest or highest value of the format inside the bound.
fn end(rule: &Rule, exact: Real, sides: &Sides, lowest: bool) -> Val {
    let side = if lowest { sides.down } else { sides.up };
    let shifted = match side {
        None => Some(exact),
        Some(side) => sum(exact, side.with_sign(lowest)),
    };
    let shifted = if sides.strict { shifted.map(|s| nudged(s, lowest)) } else { shifted };
    let round_inward = if lowest { Round::Up } else { Round::Down };
    let value = shifted.map_or(Val::Zero(false), Val::Real);
    round(value, &Rule { round: round_inward, overflow: Overflow::Ieee, ..*rule })
}

/// A number plus or minus next to nothing.
fn nudged(r: Real, up: bool) -> Real {
    if r.sticky {
        return r;
    }
    let r = r.normal();
    if up != r.neg { Real { sticky: true, ..r } } else { Real { sig: r.sig - 1, sticky: true, ..r } }
}

/// A point of (-1, 1), times 2^63. Function units share their fraction paths among exponents and signs, so the hash looks
/// at what the unit would: results of operands that differ by a symmetry are off by the same part of the bound.
fn offset(seed: u64, op: Op, rule: &Rule, words: &[u64], negative: bool) -> i64 {
    let mut key = [0u64; 8];
    let n = words.len().min(key.len());
    // Denormal operands that count as zero are one operand.
    let flushes = rule.denorm_in != Denormals::Keep || rule.zero_sign != ZeroSign::Keep;
    for (key, word) in key.iter_mut().zip(words) {
        let is_itself = !flushes || is_normal(*word, rule);
        *key = if is_itself { *word } else { encode(operand(*word, rule), rule.storage) };
    }
    let mut odd = false;
    if let Some((_, frac_bits)) = shape(rule.storage) {
        let sign = rule.storage.sign_bit();
        let fraction = (1u64 << frac_bits) - 1;
        match op {
            Op::Rcp | Op::Div | Op::Mul | Op::Dst => {
                key[..n].iter_mut().for_each(|w| *w &= fraction);
                odd = true;
            }
            // The exponent's parity chooses the half of the table.
            Op::Rsq | Op::Sqrt => key[0] &= fraction << 1 | 1,
            Op::Log2Part => key[0] &= !sign,
            Op::Sin => {
                key[0] &= !sign;
                odd = true;
            }
            Op::Cos => key[0] &= !sign,
            Op::Exp2 | Op::Exp2Part => {
                let x = match rule.storage {
                    Storage::F16 => crate::soft::unpack::half_to_f64(key[0]),
                    Storage::F32 => f64::from(f32::from_bits(key[0] as u32)),
                    _ => f64::from_bits(key[0]),
                };
                key[0] = (x - x.floor()).to_bits();
            }
            _ => {}
        }
    }
    // Factors, and the terms of a sum, change places without a trace.
    if n >= 2 && matches!(op, Op::Add | Op::Mul | Op::Dst | Op::Mad) {
        key[..2].sort_unstable();
    }
    let hashed = hash(seed, op, rule, &key[..n]) as i64 | 1;
    if odd && negative { hashed.wrapping_neg() } else { hashed }
}

/// Whether a word of binary32 is a normal number of the rule's format.
pub(super) fn is_normal(word: u64, rule: &Rule) -> bool {
    let Format::Float(format) = rule.format else { return false };
    let field = (word >> 23 & 0xff) as i32;
    rule.storage == Storage::F32 && field > 0 && field < 255 && field - 127 >= format.min_exp()
}

/// A 64-bit hash of what a random choice may depend on: seed, operation, the fields that come from the slot alone, and
/// the operands' bits. Nothing else enters, so optimisation and lane width cannot change it.
fn hash(seed: u64, op: Op, rule: &Rule, words: &[u64]) -> u64 {
    let mut state = mix(seed ^ 0x9e37_79b9_7f4a_7c15);
    let slot = (op as u64) << 32 | (rule.decl as u64) << 16 | (rule.saturate as u64) << 8 | rule.scale as u8 as u64;
    state = mix(state ^ slot);
    for word in words {
        state = mix(state.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ word);
    }
    state
}

/// A bijective mixer: two rounds of xor-shift and multiply.
const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use parallax_random::Random;

    /// The ends of a bound are rounded only where a random point is near one of them.
    /// Where binary64 decides, it decides as exact numbers do.
    #[test]
    fn binary64_chooses_what_exact_numbers_choose() {
        let bits = |v: Val| encode(v, Storage::F64);
        let mut random = Random::new(12);
        let (mut tried, mut quick) = (0, 0);
        let bounds =
            ["2^-22", "<2^-23", "2^-11", "2^-22:0", "1ulp", "[-2.87,+0.09]ulp", "2^-20rel", "0.0008abs", "0.51ulp"];
        let rules: Vec<Rule> = Model::builtins()
            .iter()
            .flat_map(|model| [crate::Decl::F32, crate::Decl::F16].map(|decl| (model, decl)))
            .flat_map(|(model, decl)| {
                [Op::Add, Op::Mul, Op::Rcp, Op::Sin]
                    .map(|op| model.rule(op, &crate::Slot::plain(decl), model.storage(decl)).0)
            })
            .collect();
        for (n, rule) in rules.iter().enumerate() {
            for bound in bounds {
                let accuracy = Accuracy::from_name(bound).unwrap();
                let op = [Op::Add, Op::Mul, Op::Mad, Op::Rcp, Op::Rsq, Op::Sin, Op::Exp2][n % 7];
                for k in 0..120u64 {
                    let probe =
                        [Probe::Lowest, Probe::Highest, Probe::Nearest, Probe::Random(k)][random.below(4) as usize];
                    let round = [Round::NearestEven, Round::Zero, Round::Up, Round::Down, rule.round];
                    let round = round[random.below(5) as usize];
                    let rule = Rule { probe, accuracy, round, ..*rule };
                    let words: Vec<u64> = (0..3).map(|_| random.word() >> (64 - rule.storage.bits())).collect();
                    // Short values lie on the format's grid, and their neighbours next to it; some lie at the ends of the range.
                    let digits = [1, 12, 17, 24, 25, 48, 53, 90][random.below(8) as usize];
                    let sig = u128::from(random.word()) << 64 | u128::from(random.word()) | 1 << 127;
                    let sig = (sig >> (128 - digits)) + u128::from(random.below(4) == 0) * (1 << (digits / 2));
                    let exp = [0i32, -3, 20, -60, -126, 127, -20][random.below(7) as usize] - digits;
                    let (neg, sticky) = (random.below(2) == 0, random.below(3) == 0);
                    let exact = Real { neg, exp, sig, sticky };
                    let found = chosen(op, &rule, &words, Val::Real(exact), false);
                    let found_sides = sides(op, &rule, &words, exact);
                    if rule.probe == Probe::Nearest && !leaves_bound(op, &rule) {
                        continue;
                    }
                    let wanted = in_bound(op, &rule, &words, exact, found_sides);
                    tried += 1;
                    let Sides { down, up, .. } =
                        sides(op, &rule, &words, exact).unwrap_or(Sides { down: None, up: None, strict: false });
                    let most = if op == Op::Sin && rule.trig_clamp { 1.0 } else { f64::INFINITY };
                    quick += u32::from(nearby::chosen(&rule, exact, [down, up], most, || 1).is_some());
                    assert!(
                        bits(finish(found, &rule)) == bits(finish(wanted, &rule)) && bits(found) == bits(wanted),
                        "{} {bound} {probe:?} {round:?} of {exact:?} in {}: {found:?} {wanted:?}",
                        op.info().name,
                        rule.format
                    );
                }
            }
        }
        assert!(tried > 50_000 && quick > tried / 4, "{quick} of {tried}");
    }

    #[test]
    fn a_random_choice_is_its_point_between_the_rounded_ends() {
        let bits = |v: Val| encode(v, Storage::F64);
        let mut random = Random::new(11);
        let (mut tried, mut held) = (0, 0);
        for model in Model::builtins() {
            for op in [Op::Rcp, Op::Rsq, Op::Sin, Op::Cos, Op::Exp2, Op::Log2, Op::Add, Op::Mul, Op::Mad, Op::Div] {
                let decl = crate::Decl::ALL[random.below(2) as usize];
                let rule = model.rule(op, &crate::Slot::plain(decl), model.storage(decl)).0;
                for n in 0..200 {
                    let probe = |probe: Probe| Rule { probe, ..rule };
                    let words: Vec<u64> = (0..3).map(|_| random.word() >> (64 - rule.storage.bits())).collect();
                    // Bounds are as wide as a step of the format: exact values in between, of all sizes.
                    let exact = Real {
                        neg: n % 2 == 0,
                        exp: (n - 100) - 90,
                        sig: u128::from(random.word()) << 26 | 1,
                        sticky: n % 3 == 0,
                    };
                    let choose = |rule: Rule| chosen(op, &rule, &words, Val::Real(exact), false);
                    let (Some(sides), false) = (sides(op, &rule, &words, exact), rule.accuracy == Accuracy::Correct)
                    else {
                        continue;
                    };
                    let [low, high] = [Probe::Lowest, Probe::Highest].map(|end| choose(probe(end)));
                    let point = point(n as u64, op, &probe(Probe::Random(n as u64)), &words, exact, &sides);
                    let found = choose(probe(Probe::Random(n as u64)));
                    if low.compare(&high).is_gt() || bits(low) == bits(Val::Real(exact)) {
                        continue;
                    }
                    tried += 1;
                    let wanted = if point.compare(&low).is_lt() {
                        low
                    } else if point.compare(&high).is_gt() {
                        high
                    } else {
                        point
                    };
                    held += usize::from(bits(wanted) == bits(point));
                    assert_eq!(bits(found), bits(wanted), "{} under {}", op.info().name, model.label());
                }
            }
        }
        assert!(tried > 5_000 && held < tried, "{held} of {tried}");
    }
}
