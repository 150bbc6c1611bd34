//! Functions correctly rounded to nearest in binary32.
//!
//! They are evaluated in binary64 as everywhere. What is asked of the operand is asked in binary32, where a register holds
//! twice as many lanes, and whether the result is certain is read from the pattern of the binary64 value: of its 29 bits that
//! binary32 has no room for, only those next to one half may round either way. NaN operands are slow lanes: what no function
//! makes of numbers need not be chosen in every lane.

use super::float::{Float, Origin, Raw, Shape, default_nan};
use super::recipe::{clamped_exponent, fma, polynomial, times_power, whole_and_rest};
use crate::prim::{Direction, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::{AngleUnit, LogNegative, LogSpecial, NanResult, Op, Overflow, fast};

/// Bits of a binary64 number's fraction that binary32 has no room for.
const BELOW: i32 = 29;

/// Whether an operation under a rule has a program here.
pub(super) fn serves(op: Op, f: &Float<'_>) -> bool {
    let rule = f.rule;
    let known = match op {
        Op::Exp2 | Op::Exp2Part => true,
        // Scaling may change the bits of a NaN that a negative operand gives.
        Op::Log2 => rule.log_special == LogSpecial::Ieee && rule.scale == 0,
        Op::Log2Part => rule.log_special == LogSpecial::Ieee,
        Op::Sin | Op::Cos => rule.trig.unit == AngleUnit::Radians,
        Op::Pow | Op::LitZ => true,
        _ => false,
    };
    let result = matches!(rule.nan_result, NanResult::First | NanResult::Default);
    known
        && result
        && f.shape == Shape::Native(Ty::F32)
        && f.direction == Direction::Nearest
        && rule.overflow != Overflow::Largest
}

/// The program of an operation that it [`serves`].
pub(super) fn program(op: Op, mut f: Float<'_>) -> Option<Program> {
    let a = f.get(0);
    // Every NaN that comes out has the bits it should have.
    f.observed = false;
    let value = match op {
        Op::Exp2 | Op::Exp2Part => exponential(&mut f, a),
        Op::Log2 | Op::Log2Part => {
            let magnitude = op == Op::Log2Part || f.rule.log_negative == LogNegative::Magnitude;
            logarithm(&mut f, a, magnitude)
        }
        Op::Pow => power_c(&mut f, a),
        Op::LitZ => lit_c(&mut f, a),
        _ => angle(&mut f, a, op == Op::Cos),
    };
    f.conclude(&Raw { value, origin: Origin::Other, nans: Vec::new() })
}

/// A binary64 value that is less than 2^-`digits` off, relative to it, in binary32. Marks it where that may decide how it is
/// rounded.
///
/// Below the smallest normal number binary32 rounds at another place. Of the functions here only exp2 gets there, where every
/// operand has been tried - other coefficients would have to be tried again -, and the sine of a denormal operand, which lies
/// next to it and far from the middle.
fn rounded(f: &mut Float<'_>, y: Id, digits: u32) -> Id {
    // The error in units of the last place, of which a number has at most 2^53. What the test reads lies in the lower half of a
    // pattern, and carries only go up.
    let error = 1 << (53 - digits);
    let code = &mut f.code;
    let (middle, mask) = (code.int((1 << (BELOW - 1)) + error), code.int((1 << BELOW) - 2 * error));
    let bits = code.bits(y);
    let bits = code.op(Prim::Low, &[bits]);
    let distance = code.op(Prim::Add, &[bits, middle]);
    let open = code.op(Prim::Disjoint, &[distance, mask]);
    code.slow(open);
    let mode = f.mode();
    f.code.narrow(mode, y)
}

/// A polynomial of odd degree in y in the form of Eve: a term of degree one, then for each step (a, b) what there is so far times y^2 + a,
/// plus b. It has little more than half as many fused sums as Horner's form, and plain sums in their place, for which a processor has more
/// units. They wait for each other less. y is an argument plus a constant with which all steps are real and errors stay small.
struct Eve<const STEPS: usize> {
    first: [f64; 2],
    steps: [[f64; 2]; STEPS],
}

impl<const STEPS: usize> Eve<STEPS> {
    /// The polynomial times a factor.
    fn at(&self, code: &mut Code, y: Id, factor: f64) -> Id {
        let w = code.fmul(code.plain(), y, y);
        let first = polynomial(code, &self.first.map(|c| c * factor), y);
        self.steps.iter().fold(first, |sum, &[a, b]| {
            let (a, b) = (code.number(Ty::F64, a), code.number(Ty::F64, b * factor));
            let a = code.fadd(code.plain(), w, a);
            // The sum so far second, as in `polynomial`.
            fma(code, a, sum, b)
        })
    }
}

/// 2^r for r = y - [`EXP2_AT`] in [-1/2, 1/2], to 2^-45.5. Rounding its steps adds less than 2^-44.7, both less than 2^-44.09. It must
/// not come out larger than 1 for r = 0: half of the least number of binary32 is a power of two, which becomes zero.
const EXP2: Eve<4> = Eve {
    first: [-3.2417057616768774e-6, 1.0150325094772633e-7],
    steps: [
        [455.74084402506764, 0.0011933626960443872],
        [54.70578607353107, 0.00903159754914635],
        [13.90191741242429, 0.05578495863213422],
        [3.400948294073026, 0.09921569234567312],
    ],
};
const EXP2_AT: f64 = 5.0;

/// 2^x times a factor for a clamped exponent x, to 2^-44.
fn exp2_times(code: &mut Code, x: Id, factor: f64) -> Id {
    let [shifted, y] = whole_and_rest(code, x, EXP2_AT);
    let p = EXP2.at(code, y, factor);
    times_power(code, p, shifted)
}

/// 2^a.
fn exponential(f: &mut Float<'_>, a: Id) -> Id {
    f.code.slow_nan(a);
    let a = clamped_exponent(&mut f.code, a);
    let x = f.code.widen(a);
    let y = exp2_times(&mut f.code, x, 1.0);
    rounded(f, y, 44)
}

/// The logarithm of a, or of its magnitude. That of a zero comes out as a number; denormal operands are slow.
fn logarithm(f: &mut Float<'_>, a: Id, magnitude: bool) -> Id {
    let a = if magnitude { f.code.op(Prim::Fabs, &[a]) } else { a };
    let zero = f.number(0.0);
    let (is_zero, is_normal) = (f.is_zero(a), is_normal(&mut f.code, a));
    let known = f.code.or(is_zero, is_normal);
    let below = if magnitude { None } else { Some(f.code.op(Prim::Flt, &[a, zero])) };
    let known = below.map_or(known, |below| f.code.or(known, below));
    let other = f.code.not(known);
    f.code.slow(other);
    let y = log2_of_normal(&mut f.code, a);
    let y = rounded(f, y, 44);
    let end = f.number(f64::NEG_INFINITY);
    let y = f.code.select(is_zero, end, y);
    let Some(below) = below else { return y };
    let nan = f.code.constant_of(Ty::F32, default_nan(f.rule.nan_bits, Ty::F32));
    f.code.select(below, nan, y)
}

/// sin(r) / r as a polynomial in r^2 for |r| <= pi / 2, to 2^-43.86.
const SINE: [f64; 7] = [
    0.9999999999999376,
    -0.16666666666432334,
    0.008333333318765542,
    -0.00019841266411622157,
    2.7556931926390826e-06,
    -2.50295188519684e-08,
    1.540117009955543e-10,
];

/// Pi in two parts, negative: one of 33 bits, whose product with 21 bits is exact in a fused sum, and the rest.
const MINUS_PI: [f64; 2] = [-f64::from_bits(0x4009_21fb_5440_0000), -f64::from_bits(0x3de0_b461_1a62_6331)];

/// Sine or cosine: that of the distance to the nearest half turn, for the cosine a quarter turn behind, with the sign that the
/// number of half turns says.
fn angle(f: &mut Float<'_>, a: Id, cosine: bool) -> Id {
    let code = &mut f.code;
    // As integers, so that NaN lies beyond the limit.
    let size = code.op(Prim::Fabs, &[a]);
    let (size, limit) = (code.bits(size), code.int((fast::TRIG_LIMIT as f32).to_bits() as i32 - 1));
    let large = code.op(Prim::Lt, &[limit, size]);
    code.slow(large);
    let x = code.widen(a);
    let [magic, half, turns] = [fast::MAGIC, 0.5, std::f64::consts::FRAC_1_PI].map(|c| code.number(Ty::F64, c));
    let (shifted, number) = if cosine {
        let later = fma(code, x, turns, half);
        let shifted = code.fadd(code.plain(), later, magic);
        let whole = code.fsub(code.plain(), shifted, magic);
        (shifted, code.fsub(code.plain(), whole, half))
    } else {
        let shifted = fma(code, x, turns, magic);
        (shifted, code.fsub(code.plain(), shifted, magic))
    };
    let [first, second] = MINUS_PI.map(|c| code.number(Ty::F64, c));
    let r = fma(code, number, first, x);
    let r = fma(code, number, second, r);
    // The sign first: then the number of half turns need not be kept.
    let turned = code.bits(shifted);
    let sign = code.shift(Prim::Shl, turned, 63);
    let bits = code.bits(r);
    let bits = code.op(Prim::Xor, &[bits, sign]);
    let r = code.float_of(bits);
    let z = code.fmul(code.plain(), r, r);
    let p = polynomial(code, &SINE, z);
    let y = code.fmul(code.plain(), r, p);
    rounded(f, y, 43)
}

/// The exponent of a positive normal number a, and what is left, between the roots of 1/2 and 2, less one: exact in binary32. Both in
/// binary64.
fn exponent_and_excess(code: &mut Code, a: Id) -> [Id; 2] {
    const ROOT_HALF: i32 = 0x3f35_04f3;
    let bits = code.bits(a);
    let (root_half, field, one) = (code.int(ROOT_HALF), code.int(-1 << 23), code.number(Ty::F32, 1.0));
    let above = code.op(Prim::Sub, &[bits, root_half]);
    let up = code.and(above, field);
    let fraction = code.op(Prim::Sub, &[bits, up]);
    let fraction = code.float_of(fraction);
    let exponent = code.shift(Prim::Sar, above, 23);
    let excess = code.fsub(code.plain(), fraction, one);
    [code.of_int(Ty::F64, Direction::Nearest, exponent), code.widen(excess)]
}

/// 2 atanh(s) / (s ln 2) for s^2 = y - [`LOG2_AT`] < 0.1716^2, to 2^-45.08; rounding its steps adds less than 2^-50.
const LOG2: Eve<2> = Eve {
    first: [-0.6525612866298737, 0.28289949892558536],
    steps: [[1.7693262362110858, 1.720765460765206], [1.3045944671282295, 1.6523596708358805]],
};
const LOG2_AT: f64 = 0.6875;

/// log2 of a positive normal number of binary32, to 2^-45: the sum with the exponent is at least as large as what is added to it.
fn log2_of_normal(code: &mut Code, a: Id) -> Id {
    let [k, f] = exponent_and_excess(code, a);
    let two = code.number(Ty::F64, 2.0);
    let below = code.fadd(code.plain(), f, two);
    let s = code.fdiv(code.plain(), f, below);
    let at = code.number(Ty::F64, LOG2_AT);
    let y = fma(code, s, s, at);
    let p = LOG2.at(code, y, 1.0);
    fma(code, s, p, k)
}

/// x^w for a positive normal number x, in binary32; lanes are slow where both ends of the interval that holds it differ. The logarithm's
/// error, at most 150 times as large in the power's exponent, comes to 2^-38, that of the power of two is less.
fn power(f: &mut Float<'_>, x: Id, w: Id) -> Id {
    // The products here are rounded too.
    let eps = fast::EPS_POW * 1.03125;
    let mode = f.mode();
    let code = &mut f.code;
    let log = log2_of_normal(code, x);
    let w = code.widen(w);
    let product = code.fmul(code.plain(), w, log);
    let product = clamped_exponent(code, product);
    let low = exp2_times(code, product, 1.0 - eps);
    let up = code.number(Ty::F64, 1.0 + 2.0 * eps);
    let high = code.fmul(code.plain(), low, up);
    let [low, high] = [low, high].map(|end| code.narrow(mode, end));
    let differ = code.op(Prim::Flt, &[low, high]);
    code.slow(differ);
    low
}

/// Whether a is a positive normal number.
fn is_normal(code: &mut Code, a: Id) -> Id {
    let bits = code.bits(a);
    let (least, count) = (code.int(1 << 23), code.int(254 << 23));
    let above = code.op(Prim::Sub, &[bits, least]);
    code.op(Prim::Ult, &[above, count])
}

/// Whether it is a number.
fn is_finite(f: &mut Float<'_>, a: Id) -> Id {
    let (size, end) = (f.code.op(Prim::Fabs, &[a]), f.number(f64::INFINITY));
    f.code.op(Prim::Flt, &[size, end])
}

/// The C power of a positive normal base, and of +0 to a positive exponent, which clamped angles often give; other operands
/// are slow.
fn power_c(f: &mut Float<'_>, x: Id) -> Id {
    let w = f.get(1);
    let zero = f.number(0.0);
    let exponent = is_finite(f, w);
    let code = &mut f.code;
    let (bits, none) = (code.bits(x), code.int(0));
    let (is_null, up) = (code.op(Prim::Eq, &[bits, none]), code.op(Prim::Flt, &[zero, w]));
    let null = code.and(is_null, up);
    let normal = is_normal(code, x);
    let sound = code.or(normal, null);
    let sound = code.and(sound, exponent);
    let other = code.not(sound);
    code.slow(other);
    let value = power(f, x, w);
    f.code.select(null, zero, value)
}

/// The specular term of LIT with C's power.
fn lit_c(f: &mut Float<'_>, x: Id) -> Id {
    let (y, mut w) = (f.get(1), f.get(2));
    let (zero, one) = (f.number(0.0), f.number(1.0));
    if let Some(bound) = f.rule.exponent_bound() {
        let (low, high) = (f.number(-bound), f.number(bound));
        let over = f.code.op(Prim::Flt, &[high, w]);
        w = f.code.select(over, high, w);
        let under = f.code.op(Prim::Flt, &[w, low]);
        w = f.code.select(under, low, w);
    }
    let exponent = is_finite(f, w);
    let code = &mut f.code;
    let (lit, some) = (code.op(Prim::Flt, &[zero, x]), code.op(Prim::Flt, &[zero, y]));
    let base = code.select(some, y, one);
    let normal = is_normal(code, base);
    let sound = code.and(normal, exponent);
    let other = code.not(sound);
    let unordered = code.op(Prim::Funo, &[x, y]);
    let (dark, flat) = (code.op(Prim::Fle, &[y, zero]), code.op(Prim::Fle, &[w, zero]));
    let corner = code.and(dark, flat);
    let corner = code.and(lit, corner);
    for mask in [other, unordered, corner] {
        code.slow(mask);
    }
    let power = power(f, base, w);
    let bright = f.code.and(lit, some);
    f.code.select(bright, power, zero)
}
