//! The formulas of SwiftShader: src/Pipeline/ShaderCore.cpp and SpirvShaderGLSLstd450.cpp, June 2026. Most are those that Vulkan
//! inherits precision from. The arc sine in full precision is a function of the host; the one for RelaxedPrecision stands here.

use super::{LibraryFn, Steps, vulkan};
use crate::ValueId;
use parallax_num::Op;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Abramowitz and Stegun, 4.4.45, from the highest power on.
const ARC_OF_4: [f64; 4] = [-0.0187293, 0.0742610, -0.2121144, 1.5707288];
/// The same, 4.4.46.
const ARC_OF_8: [f64; 8] =
    [-0.0012624911, 0.006700901, -0.0170881256, 0.0308918810, -0.0501743046, 0.0889789874, -0.2145988016, 1.5707963050];

/// The value of a function.
pub(super) fn formula(s: &mut Steps<'_>, function: LibraryFn, args: &[ValueId]) -> ValueId {
    match (function, args) {
        (LibraryFn::Asin, &[x]) => asin(s, x, &ARC_OF_8),
        (LibraryFn::Acos, &[x]) => {
            let (right, angle) = (s.number(FRAC_PI_2), asin(s, x, &ARC_OF_4));
            s.of(Op::Sub, &[right, angle])
        }
        (LibraryFn::Atan2, &[y, x]) => atan2(s, y, x),
        (LibraryFn::Tanh, &[x]) => {
            let (up, down) = s.exps(x);
            let (upper, lower) = (s.of(Op::Sub, &[up, down]), s.of(Op::Add, &[up, down]));
            s.of(Op::Div, &[upper, lower])
        }
        // log(x + sqrt(x + 1) * sqrt(x - 1)).
        (LibraryFn::Acosh, &[x]) => {
            let one = s.number(1.0);
            let (above, below) = (s.of(Op::Add, &[x, one]), s.of(Op::Sub, &[x, one]));
            let (above, below) = (s.of(Op::Sqrt, &[above]), s.of(Op::Sqrt, &[below]));
            let product = s.of(Op::Mul, &[above, below]);
            let sum = s.of(Op::Add, &[x, product]);
            s.log(sum)
        }
        _ => vulkan::formula(s, function, args),
    }
}

/// `pi/2 - sqrt(1 - |x|) * p(|x|)`, its sign flipped where x is negative.
fn asin(s: &mut Steps<'_>, x: ValueId, numbers: &[f64]) -> ValueId {
    let (one, right) = (s.number(1.0), s.number(FRAC_PI_2));
    let size = s.of(Op::Abs, &[x]);
    let sum = s.polynomial(size, numbers, false);
    let rest = s.of(Op::Sub, &[one, size]);
    let root = s.of(Op::Sqrt, &[rest]);
    let product = s.of(Op::Mul, &[root, sum]);
    let angle = s.of(Op::Sub, &[right, product]);
    let negative = s.of(Op::Neg, &[angle]);
    let is_negative = s.is_negative(x);
    s.select(is_negative, negative, angle)
}

/// Turned to the upper half plane, the right quadrant and the first eighth; what was turned is added again.
fn atan2(s: &mut Steps<'_>, y: ValueId, x: ValueId) -> ValueId {
    let (zero, right, half) = (s.number(0.0), s.number(FRAC_PI_2), s.number(-PI));
    let is_below = s.of(Op::FLt, &[y, zero]);
    let turn = s.select(is_below, half, zero);
    let mirrored = s.of(Op::Neg, &[x]);
    let is_negative = s.is_negative(y);
    let x = s.select(is_negative, mirrored, x);
    let y = s.of(Op::Abs, &[y]);
    let is_left = s.of(Op::FLt, &[x, zero]);
    let quarter = s.select(is_left, right, zero);
    let turn = s.of(Op::Add, &[turn, quarter]);
    let mirrored = s.of(Op::Neg, &[x]);
    let (x, y) = (s.select(is_left, y, x), s.select(is_left, mirrored, y));
    let is_flat = s.of(Op::FLt, &[y, x]);
    let (large, small) = (s.select(is_flat, x, y), s.select(is_flat, y, x));
    let is_nothing = s.of(Op::FEq, &[large, zero]);
    let (infinity, size) = (s.number(f64::INFINITY), s.of(Op::Abs, &[small]));
    let is_infinite = s.of(Op::FEq, &[size, infinity]);
    let ratio = s.of(Op::Div, &[small, large]);
    let angle = vulkan::atan_to_one(s, ratio);
    let rest = s.of(Op::Sub, &[right, angle]);
    let added = s.select(is_flat, angle, rest);
    let added = s.select(is_nothing, zero, added);
    let diagonal = s.number(FRAC_PI_4);
    let added = s.select(is_infinite, diagonal, added);
    let sum = s.of(Op::Add, &[turn, added]);
    // Three turns that cancel would cost the digits of a small angle.
    let is_steep = s.int(Op::Pnot, &[is_flat]);
    let is_finite = s.int(Op::Pnot, &[is_infinite]);
    let cancels = s.int(Op::Pand, &[is_below, is_left]);
    let cancels = s.int(Op::Pand, &[cancels, is_steep]);
    let cancels = s.int(Op::Pand, &[cancels, is_finite]);
    let negative = s.of(Op::Neg, &[angle]);
    s.select(cancels, negative, sum)
}
