//! A second evaluation, for lanes that a program leaves open where nobody can ask the reference: in pairs of binary64 numbers, which
//! are rounded to odd, so that the format's own rounding is the only one.
//!
//! The pairs of `parallax_num::double` are off by less than 2^-68. No binary32 operand of the functions here has a result so
//! near to where the rounding changes, unless it is exact, and then the lower part is zero. Angles may be as large as they like.
//! Powers of C have two operands, some of which lie nearer, and are computed in integers ([`power`](super::power)).

use super::arithmetic::Steps;
use super::chain::{chain, is_chain, lit_steps};
use super::float::{Float, Origin, Raw, Shape};
use super::power::power_of_operands;
use super::recipe::{
    clamped_exponent, keep_nan, logarithm_of_specials, operand, quarters, quotient_or_root, raw, reciprocal_of_zero,
    reduce, rounded, rsq_steps,
};
use super::{arith, convert, fixed, params, sfu};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::arithmetic::Floats;
use parallax_num::double::{self as pairs, Pair};
use parallax_num::{
    Accuracy, AngleUnit, Family, Format, Infinite, Log2, LogNegative, LogSpecial, NanResult, Op, Overflow, Probe,
    Round, Rsq, RsqNegative, Rule, Tininess, Unit, ZeroMul,
};

/// Whether what is cut becomes an infinity beyond the largest number: in the format itself nobody sees which results do.
pub(super) fn goes_beyond(rule: &Rule) -> bool {
    rule.overflow == Overflow::Infinity && !matches!(rule.round, Round::NearestEven | Round::NearestAway)
}

/// Whether a rounded number does not say what the result is: exact ones are flushed before they are rounded, or become infinite although
/// they are cut.
fn depends_on_exact(rule: &Rule) -> bool {
    rule.tininess == Tininess::Before || goes_beyond(rule)
}

/// The second program of an operation under a rule; `None` if there is none. It may have slow lanes of its own.
pub fn second(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    if matches!(rule.format, Format::Fixed(_)) {
        return fixed::program(op, rule, true);
    }
    match op.info().family {
        Family::MinMax => return arith::min_max(op, rule, observed, true),
        Family::Compare => return arith::compare(op, rule, true),
        // Products of zeros and NaN have a sign of their own where zero does not win.
        Family::Arith if rule.nan_result == NanResult::Infinity => {
            let is_known = rule.zero_mul == ZeroMul::Zero || !arith::truncates(op, rule);
            return arith::program(op, rule, observed, true).filter(|_| is_known);
        }
        // Results that are flushed before they are rounded, or infinite although they are cut.
        Family::Arith if depends_on_exact(rule) => return arith::program(op, rule, observed, true),
        Family::Shape if depends_on_exact(rule) => return arith::shape(op, rule, observed, true),
        Family::Convert if depends_on_exact(rule) => return convert::convert(rule, observed, true),
        Family::ToInt => return convert::to_int(op, rule, true),
        Family::Bits => return convert::moves(op, rule, true),
        Family::Pack => return convert::pack(op, rule, observed, true),
        Family::Recipe => {}
        _ => return None,
    }
    let is_correct = rule.accuracy == Accuracy::Correct || rule.probe == Probe::Nearest;
    if !is_correct {
        return None;
    }
    if is_chain(op, rule) {
        return chain(op, rule, observed, true);
    }
    // What is known to the bit has no slow lanes that a second program could decide.
    if rule.unit == Unit::Gallivm && matches!(op, Op::Exp2 | Op::Exp2Part | Op::Log2 | Op::Log2Part | Op::Sin | Op::Cos)
    {
        return sfu::gallivm(op, rule, observed, true);
    }
    if matches!(op, Op::Log2 | Op::Log2Part) && rule.log2 != Log2::Direct {
        return natural_logarithm(op, rule, observed);
    }
    let in_unit = match rule.unit {
        Unit::NvSfu => op != Op::Div && !(op == Op::Rsq && rule.rsq != Rsq::Direct),
        Unit::Swiftshader | Unit::Gallivm => !matches!(op, Op::Div | Op::Rcp | Op::Sqrt | Op::Rsq),
        _ => false,
    };
    if in_unit {
        return None;
    }
    let is_direct = match op {
        Op::Div | Op::Rcp | Op::Sqrt => return quotient_or_root(op, rule, observed, true),
        Op::Log2 | Op::Log2Part => true,
        Op::Rsq if rule.rsq != Rsq::Direct => return rsq_steps(rule, observed, true),
        Op::Rsq => true,
        Op::Exp2 | Op::Exp2Part | Op::Sin | Op::Cos | Op::Pow => true,
        Op::LitZ => return lit_steps(rule, true),
        _ => false,
    };
    if !is_direct {
        return None;
    }
    let f = Float::new(rule, &params(op, rule), observed, false)?;
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    if f.shape == Shape::Native(Ty::F64) {
        return None;
    }
    f.total = true;
    if op == Op::Pow {
        let (nans, value) = power_of_operands(&mut f);
        let raw = raw(&mut f, value, nans);
        return f.conclude(&raw);
    }
    let (a, x) = operand(&mut f, 0);
    let y = match op {
        Op::Rsq => {
            let raw = reciprocal_root(&mut f, a, x);
            return f.conclude(&raw);
        }
        Op::Exp2 | Op::Exp2Part => exp2(&mut f.code, x),
        Op::Log2 | Op::Log2Part => {
            let is_finite = rule.log_special == LogSpecial::Finite;
            let magnitude = is_finite || op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
            let ends = logarithm_of_specials(&f);
            let y = log2(&mut f.code, x, magnitude, ends);
            // A NaN operand is no NaN result where logarithms are finite.
            let raw = raw(&mut f, y, if is_finite { Vec::new() } else { vec![a] });
            return f.conclude(&raw);
        }
        _ => sine(&mut f, op, a, x),
    };
    let raw = raw(&mut f, y, vec![a]);
    f.conclude(&raw)
}

/// A logarithm that is a natural one, rounded, times a constant.
fn natural_logarithm(op: Op, rule: &Rule, observed: bool) -> Option<Program> {
    let f = Float::new(rule, &params(op, rule), observed, false)?;
    let is_plain = rule.log_special == LogSpecial::Ieee && rule.infinite == Infinite::Keep;
    if f.shape == Shape::Native(Ty::F64) || !is_plain {
        return None;
    }
    let mut f = if f.shape == Shape::Half { f.wide()? } else { f };
    f.total = true;
    let (a, x) = operand(&mut f, 0);
    let magnitude = op == Op::Log2Part || rule.log_negative == LogNegative::Magnitude;
    let ln = logarithm(&mut f.code, x, magnitude, [f64::NEG_INFINITY, f64::INFINITY, f64::NAN], &mut |code, log| {
        times(code, log, LN_2)
    });
    let ln = raw(&mut f, ln, vec![a]);
    let ln = f.step(&ln);
    let scale = f.number(rounded(std::f64::consts::LOG2_E, f.format.frac));
    let mode = f.mode();
    let value = f.code.fmul(mode, ln, scale);
    f.conclude(&Raw { value, origin: Origin::Other, nans: vec![a] })
}

/// ln 2 in two parts.
const LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fefa_39ef), f64::from_bits(0x3c7a_bc9e_3b39_803f)];

/// A pair times a constant in two parts.
fn times(code: &mut Code, v: Pair<Id>, by: [f64; 2]) -> Pair<Id> {
    let [high, low] = by.map(|part| code.number(Ty::F64, part));
    let steps = &mut Steps::double(code);
    let product = pairs::product(steps, v.high, high);
    let rest = steps.mad(v.high, low, product.low);
    Pair { high: product.high, low: steps.mad(v.low, high, rest) }
}

/// A pair rounded to odd.
fn odd(code: &mut Code, v: Pair<Id>) -> Id {
    code.op(Prim::FaddOdd, &[v.high, v.low])
}

fn reciprocal_root(f: &mut Float<'_>, a: Id, x: Id) -> Raw {
    let code = &mut f.code;
    let size = if f.rule.rsq_negative == RsqNegative::Nan { x } else { code.op(Prim::Fabs, &[x]) };
    let (quotient, sum) = pairs::reciprocal_root(&mut Steps::double(code), size);
    let value = odd(code, sum);
    // Zeros, infinities and NaN need no more than root and quotient.
    let special = code.op(Prim::Funo, &[value, value]);
    let value = code.select(special, quotient, value);
    let raw = raw(f, value, vec![a]);
    let value = reciprocal_of_zero(f, a, raw.value);
    Raw { value, ..raw }
}

fn exp2(code: &mut Code, x: Id) -> Id {
    let clamped = clamped_exponent(code, x);
    let steps = &mut Steps::double(code);
    let (k, r) = pairs::split(steps, clamped);
    let value = pairs::exp2_of_fraction(steps, r, None);
    let value = odd(code, value);
    let value = pairs::scaled(&mut Steps::double(code), value, k);
    let value = keep_nan(code, x, value);
    // Infinities are no overflow, and what they give is exact.
    let (infinity, minus) = (code.number(Ty::F64, f64::INFINITY), code.number(Ty::F64, f64::NEG_INFINITY));
    let (up, down) = (code.op(Prim::Feq, &[x, infinity]), code.op(Prim::Feq, &[x, minus]));
    let zero = code.number(Ty::F64, 0.0);
    let value = code.select(up, infinity, value);
    code.select(down, zero, value)
}

fn log2(code: &mut Code, x: Id, magnitude: bool, ends: [f64; 3]) -> Id {
    logarithm(code, x, magnitude, ends, &mut |_, log| log)
}

/// A logarithm that is made of the one to base 2.
fn logarithm(
    code: &mut Code,
    x: Id,
    magnitude: bool,
    ends: [f64; 3],
    of: &mut dyn FnMut(&mut Code, Pair<Id>) -> Pair<Id>,
) -> Id {
    let x = if magnitude { code.op(Prim::Fabs, &[x]) } else { x };
    let (zero, infinity) = (code.number(Ty::F64, 0.0), code.number(Ty::F64, f64::INFINITY));
    // What is neither above nor equal to zero is negative or NaN.
    let (is_zero, above) = (code.op(Prim::Feq, &[x, zero]), code.op(Prim::Flt, &[zero, x]));
    let is_infinite = code.op(Prim::Feq, &[x, infinity]);
    let one = code.number(Ty::F64, 1.0);
    let operand = code.select(above, x, one);
    let log = pairs::log2(&mut Steps::double(code), operand);
    let log = of(code, log);
    let value = odd(code, log);
    let [at_zero, at_end, at_nan] = ends.map(|v| code.number(Ty::F64, v));
    let value = code.select(is_infinite, at_end, value);
    let value = code.select(above, value, at_nan);
    code.select(is_zero, at_zero, value)
}

fn sine(f: &mut Float<'_>, op: Op, a: Id, x: Id) -> Id {
    let cosine = op == Op::Cos;
    if f.rule.trig.unit != AngleUnit::Radians {
        let reduced = reduce(op, f, a);
        let of_turn = |code: &mut Code, quadrant: Id, rest: Id| {
            let rest = quarter_turns(code, rest);
            of_quadrant(code, quadrant, rest)
        };
        return quarters(f, op, x, &reduced, of_turn, of_radians);
    }
    let code = &mut f.code;
    let size = code.op(Prim::Fabs, &[x]);
    let limit = code.number(Ty::F64, pairs::TRIG_LIMIT);
    let is_near = code.op(Prim::Flt, &[size, limit]);
    let (quadrant, near) = pairs::reduced(&mut Steps::double(code), x);
    let (far_quadrant, far) = large(code, x);
    let far = quarter_turns_of_pair(code, far);
    let mut quadrant = code.select(is_near, quadrant, far_quadrant);
    let rest = Pair { high: code.select(is_near, near.high, far.high), low: code.select(is_near, near.low, far.low) };
    if cosine {
        let one = code.long(1);
        quadrant = code.op(Prim::Add, &[quadrant, one]);
    }
    let value = of_quadrant(code, quadrant, rest);
    // The sine of a small angle lies next to it; NaN are what they are.
    let value = if cosine {
        keep_nan(code, x, value)
    } else {
        let least = code.number(Ty::F64, pairs::SIN_IS_ANGLE);
        let is_reduced = code.op(Prim::Fle, &[least, size]);
        let small = below(code, x);
        code.select(is_reduced, value, small)
    };
    let (infinity, nan) = (code.number(Ty::F64, f64::INFINITY), code.number(Ty::F64, f64::NAN));
    let endless = code.op(Prim::Feq, &[size, infinity]);
    code.select(endless, nan, value)
}

/// Sine or cosine of an angle within half a turn, rounded to odd.
fn of_radians(code: &mut Code, v: Id, cosine: bool) -> Id {
    let (quadrant, rest) = pairs::reduced(&mut Steps::double(code), v);
    let one = code.long(1);
    let quadrant = if cosine { code.op(Prim::Add, &[quadrant, one]) } else { quadrant };
    let value = of_quadrant(code, quadrant, rest);
    if cosine {
        return value;
    }
    let (size, least) = (code.op(Prim::Fabs, &[v]), code.number(Ty::F64, pairs::SIN_IS_ANGLE));
    let is_reduced = code.op(Prim::Fle, &[least, size]);
    let small = below(code, v);
    code.select(is_reduced, value, small)
}

/// A number a little nearer to zero than this one, rounded to odd.
fn below(code: &mut Code, x: Id) -> Id {
    let (zero, less) = (code.number(Ty::F64, 0.0), code.number(Ty::F64, -crate::exact::power(-60)));
    let step = code.fmul(code.plain(), x, less);
    let value = code.op(Prim::FaddOdd, &[x, step]);
    let is_zero = code.op(Prim::Feq, &[x, zero]);
    code.select(is_zero, x, value)
}

/// Sine of a quadrant and a rest in radians, rounded to odd.
fn of_quadrant(code: &mut Code, quadrant: Id, rest: Pair<Id>) -> Id {
    let value = pairs::sine(&mut Steps::double(code), quadrant, rest);
    let value = odd(code, value);
    pairs::with_sign_of(&mut Steps::double(code), quadrant, value)
}

/// Pi/2 in two parts.
const HALF_PI: [f64; 2] = [f64::from_bits(0x3ff9_21fb_5444_2d18), f64::from_bits(0x3c91_a626_3314_5c07)];

/// A number of quarter turns in radians.
fn quarter_turns(code: &mut Code, v: Id) -> Pair<Id> {
    let [high, low] = HALF_PI.map(|part| code.number(Ty::F64, part));
    let steps = &mut Steps::double(code);
    let product = pairs::product(steps, v, high);
    let rest = steps.mad(v, low, product.low);
    Pair { high: product.high, low: rest }
}

fn quarter_turns_of_pair(code: &mut Code, v: Pair<Id>) -> Pair<Id> {
    let Pair { high, low } = quarter_turns(code, v.high);
    let half_pi = code.number(Ty::F64, HALF_PI[0]);
    let low = Steps::double(code).mad(v.low, half_pi, low);
    // The lower part may have grown beyond half a unit of the upper one.
    let sum = code.fadd(code.plain(), high, low);
    let from = code.fsub(code.plain(), sum, high);
    Pair { high: sum, low: code.fsub(code.plain(), low, from) }
}

/// 2/pi after the point, in words, the first ones first.
const TWO_OVER_PI: [u32; 8] =
    [0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab, 0xdebb_c561];

/// An angle of 24 digits of at least 2^21: its quarter turns, an integer in the low bits, and the rest as a fraction of one, to
/// 2^-100. As `parallax_num::fast` does it: digits of 2/pi that come to whole turns, and those far behind, are left out.
fn large(code: &mut Code, x: Id) -> (Id, Pair<Id>) {
    let bits = code.bits(x);
    let field = code.shift(Prim::Shr, bits, 52);
    let low_field = code.op(Prim::Low, &[field]);
    let mask = code.int(0x7ff);
    let exponent = code.and(low_field, mask);
    let fraction = code.shift(Prim::Shr, bits, 29);
    let digits = code.op(Prim::Low, &[fraction]);
    let mask = code.int(0x7f_ffff);
    let digits = code.and(digits, mask);
    let hidden = code.int(0x80_0000);
    let digits = code.or(digits, hidden);
    // |x| = digits 2^e; the first digit that counts is number e - 1 behind the point; four zeros stand before the first.
    let least = code.int(1075 - 29 - 2);
    let place = code.op(Prim::Sub, &[exponent, least]);
    let mut words: Vec<Id> = std::iter::once(TWO_OVER_PI[0] >> 4)
        .chain(TWO_OVER_PI.windows(2).map(|pair| pair[0] << 28 | pair[1] >> 4))
        .map(|word| code.int(word as i32))
        .collect();
    for (by, bit) in [(2, 64), (1, 32)] {
        let (bit, none) = (code.int(bit), code.int(0));
        let set = code.and(place, bit);
        let stays = code.op(Prim::Eq, &[set, none]);
        words = (0..words.len() - by).map(|n| code.select(stays, words[n], words[n + by])).collect();
    }
    let most = code.int(31);
    let (amount, rest) = (code.and(place, most), code.op(Prim::Xor, &[place, most]));
    let rest = code.and(rest, most);
    let window: Vec<Id> = (0..4)
        .map(|n| {
            let upper = code.op(Prim::Shl, &[words[n], amount]);
            let half = code.shift(Prim::Shr, words[n + 1], 1);
            let lower = code.op(Prim::Shr, &[half, rest]);
            code.or(upper, lower)
        })
        .collect();
    // Their product with the digits, modulo four turns.
    let factor = code.op(Prim::Zext, &[digits]);
    let mut carry = code.long(0);
    let mut product = [digits; 4];
    for n in (0..4).rev() {
        let word = code.op(Prim::Zext, &[window[n]]);
        let part = code.op(Prim::Mul, &[factor, word]);
        let sum = code.op(Prim::Add, &[part, carry]);
        product[n] = code.op(Prim::Low, &[sum]);
        carry = code.shift(Prim::Shr, sum, 32);
    }
    let whole = code.shift(Prim::Shr, product[0], 30);
    let (half, one) = (code.shift(Prim::Shr, product[0], 29), code.int(1));
    let half = code.and(half, one);
    let quadrant = code.op(Prim::Add, &[whole, half]);
    let mut sum = None;
    for n in 0..4 {
        let upper = code.shift(Prim::Shl, product[n], 2);
        let word = match product.get(n + 1) {
            None => upper,
            Some(&next) => {
                let lower = code.shift(Prim::Shr, next, 30);
                code.or(upper, lower)
            }
        };
        let value = if n == 0 {
            code.of_int(Ty::F64, Direction::Nearest, word)
        } else {
            // Unsigned.
            let flip = code.int(i32::MIN);
            let flipped = code.op(Prim::Xor, &[word, flip]);
            let value = code.of_int(Ty::F64, Direction::Nearest, flipped);
            let middle = code.number(Ty::F64, 2_147_483_648.0);
            code.fadd(code.plain(), value, middle)
        };
        let scale = code.number(Ty::F64, crate::exact::power(-32 * (n as i32 + 1)));
        let value = code.fmul(code.plain(), value, scale);
        sum = Some(match sum {
            None => Pair { high: value, low: code.number(Ty::F64, 0.0) },
            Some(sum) => plus(code, sum, value),
        });
    }
    let rest = sum.unwrap_or(Pair { high: x, low: x });
    // The other way round for negative angles.
    let zero = code.number(Ty::F64, 0.0);
    let negative = code.op(Prim::Flt, &[x, zero]);
    let [high, low] = [rest.high, rest.low].map(|part| {
        let minus = code.op(Prim::Fneg, &[part]);
        code.select(negative, minus, part)
    });
    let quadrant = code.op(Prim::Sext, &[quadrant]);
    let none = code.long(0);
    let minus = code.op(Prim::Sub, &[none, quadrant]);
    (code.select(negative, minus, quadrant), Pair { high, low })
}

/// A pair and a number that is smaller than it was when nothing had cancelled.
fn plus(code: &mut Code, pair: Pair<Id>, v: Id) -> Pair<Id> {
    let mode = code.plain();
    let high = code.fadd(mode, pair.high, v);
    let from_v = code.fsub(mode, high, pair.high);
    let from_high = code.fsub(mode, high, from_v);
    let (rest, other) = (code.fsub(mode, pair.high, from_high), code.fsub(mode, v, from_v));
    let error = code.fadd(mode, rest, other);
    Pair { high, low: code.fadd(mode, pair.low, error) }
}
