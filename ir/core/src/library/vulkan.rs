//! The formulas that the precision of a function is inherited from: Vulkan 1.3, appendix "Vulkan Environment for SPIR-V",
//! "Precision of Individual Operations". Arc tangents, of which it only bounds the error, by a series of Abramowitz and Stegun.

use super::{LibraryFn, Steps};
use crate::ValueId;
use parallax_num::Op;
use std::f64::consts::{FRAC_PI_2, PI};

/// The value of a function.
pub(super) fn formula(s: &mut Steps<'_>, function: LibraryFn, args: &[ValueId]) -> ValueId {
    match (function, args) {
        (LibraryFn::Asin, &[x]) => {
            let other = cathetus(s, x);
            atan2(s, x, other)
        }
        (LibraryFn::Acos, &[x]) => {
            let other = cathetus(s, x);
            atan2(s, other, x)
        }
        (LibraryFn::Atan, &[x]) => atan(s, x),
        (LibraryFn::Atan2, &[y, x]) => atan2(s, y, x),
        (LibraryFn::Tanh, &[x]) => {
            let (up, down) = s.exps(x);
            let (sinh, cosh) = (s.of(Op::Sub, &[up, down]), s.of(Op::Add, &[up, down]));
            let (sinh, cosh) = (s.times(sinh, 0.5), s.times(cosh, 0.5));
            s.of(Op::Div, &[sinh, cosh])
        }
        (LibraryFn::Asinh, &[x]) => of_root(s, x, Op::Add),
        (LibraryFn::Acosh, &[x]) => of_root(s, x, Op::Sub),
        // t * t * (3 - 2 * t).
        (LibraryFn::SmoothStep, &[from, to, x]) => {
            let (upper, lower) = (s.of(Op::Sub, &[x, from]), s.of(Op::Sub, &[to, from]));
            let ratio = s.of(Op::Div, &[upper, lower]);
            let t = s.clamped(ratio, 0.0, 1.0);
            let square = s.of(Op::Mul, &[t, t]);
            let (two, three) = (s.number(2.0), s.number(3.0));
            let double = s.of(Op::Mul, &[two, t]);
            let rest = s.of(Op::Sub, &[three, double]);
            s.of(Op::Mul, &[square, rest])
        }
        (LibraryFn::Normalize, &[v, square]) => {
            let factor = s.of(Op::Rsq, &[square]);
            s.of(Op::Mul, &[v, factor])
        }
        // i - 2 * dot * n.
        (LibraryFn::Reflect, &[i, n, dot]) => {
            let double = s.times(dot, 2.0);
            let product = s.of(Op::Mul, &[double, n]);
            s.of(Op::Sub, &[i, product])
        }
        // k = 1 - eta * eta * (1 - dot * dot); k < 0 ? 0 : eta * i - (eta * dot + sqrt(k)) * n.
        (LibraryFn::Refract, &[i, n, eta, dot]) => {
            let (zero, one) = (s.number(0.0), s.number(1.0));
            let square = s.of(Op::Mul, &[dot, dot]);
            let rest = s.of(Op::Sub, &[one, square]);
            let factor = s.of(Op::Mul, &[eta, eta]);
            let scaled = s.of(Op::Mul, &[factor, rest]);
            let k = s.of(Op::Sub, &[one, scaled]);
            let root = s.of(Op::Sqrt, &[k]);
            let product = s.of(Op::Mul, &[eta, dot]);
            let along = s.of(Op::Add, &[product, root]);
            let is_lost = s.of(Op::FLt, &[k, zero]);
            let (a, b) = (s.of(Op::Mul, &[eta, i]), s.of(Op::Mul, &[along, n]));
            let difference = s.of(Op::Sub, &[a, b]);
            s.select(is_lost, zero, difference)
        }
        (_, &[a, b, c, d]) => {
            let (a, b) = (s.of(Op::Mul, &[a, b]), s.of(Op::Mul, &[c, d]));
            s.of(Op::Sub, &[a, b])
        }
        // The verifier counts operands.
        _ => s.number(0.0),
    }
}

/// `sqrt(1 - x * x)`.
fn cathetus(s: &mut Steps<'_>, x: ValueId) -> ValueId {
    let one = s.number(1.0);
    let square = s.of(Op::Mul, &[x, x]);
    let rest = s.of(Op::Sub, &[one, square]);
    s.of(Op::Sqrt, &[rest])
}

/// `log(x + sqrt(x * x + 1))`, or with -1.
fn of_root(s: &mut Steps<'_>, x: ValueId, op: Op) -> ValueId {
    let one = s.number(1.0);
    let square = s.of(Op::Mul, &[x, x]);
    let square = s.of(op, &[square, one]);
    let root = s.of(Op::Sqrt, &[square]);
    let sum = s.of(Op::Add, &[x, root]);
    s.log(sum)
}

/// Arc tangent from 0 to 1: `x + x * (x^2 * p(x^2))` (Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.49; the error is
/// at most 2e-8).
pub(super) fn atan_to_one(s: &mut Steps<'_>, x: ValueId) -> ValueId {
    const NUMBERS: [f64; 8] = [
        0.0028662257,
        -0.0161657367,
        0.0429096138,
        -0.0752896400,
        0.1065626393,
        -0.1420889944,
        0.1999355085,
        -0.3333314528,
    ];
    let square = s.of(Op::Mul, &[x, x]);
    let sum = s.polynomial(square, &NUMBERS, false);
    let sum = s.of(Op::Mul, &[square, sum]);
    let product = s.of(Op::Mul, &[x, sum]);
    s.of(Op::Add, &[x, product])
}

/// Of |x| or 1/|x|, with the sign of x.
pub(super) fn atan(s: &mut Steps<'_>, x: ValueId) -> ValueId {
    let (one, right) = (s.number(1.0), s.number(FRAC_PI_2));
    let size = s.of(Op::Abs, &[x]);
    let is_small = s.of(Op::FLt, &[size, one]);
    let inverse = s.of(Op::Div, &[one, size]);
    let u = s.select(is_small, size, inverse);
    let angle = atan_to_one(s, u);
    let rest = s.of(Op::Sub, &[right, angle]);
    let angle = s.select(is_small, angle, rest);
    s.with_sign(angle, x)
}

/// In the first eighth of the circle, then mirrored at the diagonal and at the axes; infinities lie on the diagonal, and the
/// angle of no direction is zero.
fn atan2(s: &mut Steps<'_>, y: ValueId, x: ValueId) -> ValueId {
    let (zero, one, right, half) = (s.number(0.0), s.number(1.0), s.number(FRAC_PI_2), s.number(PI));
    let (height, width) = (s.of(Op::Abs, &[y]), s.of(Op::Abs, &[x]));
    let is_steep = s.of(Op::FLt, &[width, height]);
    let (large, small) = (s.select(is_steep, height, width), s.select(is_steep, width, height));
    let ratio = s.of(Op::Div, &[small, large]);
    let is_diagonal = s.of(Op::FEq, &[small, large]);
    let ratio = s.select(is_diagonal, one, ratio);
    let is_nothing = s.of(Op::FEq, &[large, zero]);
    let ratio = s.select(is_nothing, zero, ratio);
    let angle = atan_to_one(s, ratio);
    let rest = s.of(Op::Sub, &[right, angle]);
    let angle = s.select(is_steep, rest, angle);
    let rest = s.of(Op::Sub, &[half, angle]);
    let is_left = s.of(Op::FLt, &[x, zero]);
    let angle = s.select(is_left, rest, angle);
    s.with_sign(angle, y)
}
