//! The formulas of Mesa: src/compiler/spirv/vtn_glsl450.c and src/compiler/nir/nir_builtin_builder.c, of 22.3 and of 25.0.
//!
//! Those of 22.3 are written as llvmpipe was measured with them, where a multiply-add is a product and a sum in any case. 25.0 asks
//! for multiply-adds, which drivers split that have none.

use super::{LibraryFn, Steps};
use crate::ValueId;
use parallax_num::{Contract, Decl, Op};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// Numbers of the odd polynomial of the arc tangent, from the lowest power on.
const ATAN: [f64; 6] = [
    0.999_979_312_831_035_5,
    -0.332_675_641_809_124_6,
    0.193_892_497_711_561,
    -0.117_350_319_478_685_1,
    0.053_681_378_431_040_6,
    -0.012_132_321_317_344_4,
];

/// The value of a function; `is_new` for 25.0.
pub(super) fn formula(s: &mut Steps<'_>, function: LibraryFn, args: &[ValueId], is_new: bool) -> ValueId {
    let mut m = Mesa { s, is_new };
    match (function, args) {
        (LibraryFn::Asin, &[x]) => m.asin(x),
        (LibraryFn::Acos, &[x]) => {
            let angle = m.in_single(x, |m, x| m.arc(x, 0.08132463, -0.02363318));
            let quarter = m.s.number(FRAC_PI_2);
            m.s.of(Op::Sub, &[quarter, angle])
        }
        (LibraryFn::Atan, &[x]) => m.atan(x),
        (LibraryFn::Atan2, &[y, x]) => m.atan2(y, x),
        (LibraryFn::Tanh, &[x]) => m.tanh(x),
        (LibraryFn::Asinh, &[x]) => {
            let one = m.s.number(1.0);
            let size = m.s.of(Op::Abs, &[x]);
            let square = m.fma(x, x, one);
            let root = m.s.of(Op::Sqrt, &[square]);
            let sum = m.s.of(Op::Add, &[size, root]);
            let log = m.s.log(sum);
            let sign = m.s.of(Op::Sign, &[x]);
            m.s.of(Op::Mul, &[sign, log])
        }
        (LibraryFn::Acosh, &[x]) => {
            let minus = m.s.number(-1.0);
            let square = m.fma(x, x, minus);
            let root = m.s.of(Op::Sqrt, &[square]);
            let sum = m.s.of(Op::Add, &[x, root]);
            m.s.log(sum)
        }
        (LibraryFn::SmoothStep, &[from, to, x]) => m.smoothstep(from, to, x),
        (LibraryFn::Normalize, &[v, square]) => {
            // The quotient by a root becomes a product with the reciprocal root where nothing forbids it.
            if is_new && m.s.asked.contract == Contract::Model {
                let factor = m.s.of(Op::Rsq, &[square]);
                return m.s.of(Op::Mul, &[v, factor]);
            }
            let length = m.s.of(Op::Sqrt, &[square]);
            m.s.of(Op::Div, &[v, length])
        }
        (LibraryFn::Reflect, &[i, n, dot]) => {
            let double = m.s.times(dot, 2.0);
            if is_new { m.minus_product(i, n, double) } else { m.minus_product(i, double, n) }
        }
        (LibraryFn::Refract, &[i, n, eta, dot]) => m.refract(i, n, eta, dot),
        (_, &[a, b, c, d]) => {
            let second = m.s.of(Op::Mul, &[c, d]);
            let negative = m.s.of(Op::Neg, &[second]);
            m.fma(a, b, negative)
        }
        // The verifier counts operands.
        _ => m.s.number(0.0),
    }
}

struct Mesa<'s, 'f> {
    s: &'s mut Steps<'f>,
    is_new: bool,
}

impl Mesa<'_, '_> {
    fn in_single(&mut self, x: ValueId, job: impl FnOnce(&mut Mesa<'_, '_>, ValueId) -> ValueId) -> ValueId {
        let is_new = self.is_new;
        self.s.in_single(x, |s, x| job(&mut Mesa { s, is_new }, x))
    }

    fn fma(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        if self.is_new { self.s.mad(a, b, c) } else { self.s.of(Op::Mad, &[a, b, c]) }
    }

    /// `a - b * c`.
    fn minus_product(&mut self, a: ValueId, b: ValueId, c: ValueId) -> ValueId {
        if self.is_new {
            let negative = self.s.of(Op::Neg, &[b]);
            return self.s.mad(negative, c, a);
        }
        let product = self.s.of(Op::Mul, &[b, c]);
        self.s.of(Op::Sub, &[a, product])
    }

    /// `sign(x) * (pi/2 - sqrt(1 - |x|) * (pi/2 + |x| * (pi/4 - 1 + |x| * (p0 + |x| * p1))))`.
    fn arc(&mut self, x: ValueId, p0: f64, p1: f64) -> ValueId {
        let size = self.s.of(Op::Abs, &[x]);
        let one = self.s.number(1.0);
        let quarter = self.s.number(FRAC_PI_2);
        let mut sum = self.s.number(p1);
        // The difference is one of binary32 numbers.
        for addend in [p0, f64::from(FRAC_PI_4 as f32 - 1.0), FRAC_PI_2] {
            let addend = self.s.number(addend);
            sum = self.fma(size, sum, addend);
        }
        let rest = self.s.of(Op::Sub, &[one, size]);
        let root = self.s.of(Op::Sqrt, &[rest]);
        let angle = self.minus_product(quarter, root, sum);
        let sign = self.s.of(Op::Sign, &[x]);
        self.s.of(Op::Mul, &[sign, angle])
    }

    /// Below 1/2 a quotient of polynomials.
    fn asin(&mut self, x: ValueId) -> ValueId {
        self.in_single(x, |m, x| {
            let outer = m.arc(x, 0.086566724, -0.03102955);
            let square = m.s.of(Op::Mul, &[x, x]);
            let (p0, p1, p2) =
                (m.s.number(1.6666586697e-1), m.s.number(-4.2743422091e-2), m.s.number(-8.6563630030e-3));
            let (q1, one, half) = (m.s.number(-7.0662963390e-1), m.s.number(1.0), m.s.number(0.5));
            let sum = m.fma(square, p2, p1);
            let sum = m.fma(square, sum, p0);
            let upper = m.s.of(Op::Mul, &[square, sum]);
            let lower = m.fma(square, q1, one);
            let ratio = m.s.of(Op::Div, &[upper, lower]);
            let inner = m.fma(x, ratio, x);
            let size = m.s.of(Op::Abs, &[x]);
            let is_inner = m.s.of(Op::FLt, &[size, half]);
            m.s.select(is_inner, inner, outer)
        })
    }

    fn atan(&mut self, x: ValueId) -> ValueId {
        let (one, size) = (self.s.number(1.0), self.s.of(Op::Abs, &[x]));
        if self.is_new {
            return self.atan_by_reciprocal(x, one, size);
        }
        // The polynomial of min(|x|, 1) / max(|x|, 1), term by term; taken from a right angle beyond 1.
        let (small, large) = (self.s.of(Op::Min, &[size, one]), self.s.of(Op::Max, &[size, one]));
        let u = self.s.of(Op::Div, &[small, large]);
        let square = self.s.of(Op::Mul, &[u, u]);
        let mut sum = self.s.times(u, ATAN[0]);
        let mut power = u;
        for factor in &ATAN[1..] {
            power = self.s.of(Op::Mul, &[power, square]);
            let term = self.s.times(power, *factor);
            sum = self.s.of(Op::Add, &[sum, term]);
        }
        let (minus_two, right) = (self.s.number(-2.0), self.s.number(FRAC_PI_2));
        let rest = self.s.of(Op::Mad, &[sum, minus_two, right]);
        let turned = self.s.of(Op::Add, &[rest, sum]);
        let is_large = self.s.of(Op::FLt, &[one, size]);
        let angle = self.s.select(is_large, turned, sum);
        let sign = self.s.of(Op::Sign, &[x]);
        self.s.of(Op::Mul, &[angle, sign])
    }

    /// Horner's scheme on x or 1/x; beyond 1 less a right angle, of which the sign does not count.
    fn atan_by_reciprocal(&mut self, x: ValueId, one: ValueId, size: ValueId) -> ValueId {
        let is_small = self.s.of(Op::FLe, &[size, one]);
        let inverse = self.s.of(Op::Rcp, &[x]);
        let u = self.s.select(is_small, x, inverse);
        let square = self.s.of(Op::Mul, &[u, u]);
        let mut sum = self.s.number(ATAN[5]);
        for &number in ATAN[..5].iter().rev() {
            let number = self.s.number(number);
            sum = self.s.mad(sum, square, number);
        }
        let (zero, turn) = (self.s.number(0.0), self.s.number(-FRAC_PI_2));
        let turn = self.s.select(is_small, zero, turn);
        let size = self.s.of(Op::Abs, &[u]);
        let angle = self.s.mad(size, sum, turn);
        self.s.with_sign(angle, x)
    }

    /// The left half plane is turned by a quarter, so that the quotient never lies near its branch cut.
    fn atan2(&mut self, y: ValueId, x: ValueId) -> ValueId {
        let (zero, one) = (self.s.number(0.0), self.s.number(1.0));
        let (size, width) = (self.s.of(Op::Abs, &[y]), self.s.of(Op::Abs, &[x]));
        let flips = self.s.of(Op::FGe, &[zero, x]);
        let s = self.s.select(flips, width, y);
        let t = self.s.select(flips, y, width);
        let huge = self.s.number(if self.s.asked.decl == Decl::F16 { 16384.0 } else { 1e18 });
        let quarter = self.s.number(0.25);
        let reach = self.s.of(Op::Abs, &[t]);
        let is_huge = self.s.of(Op::FGe, &[reach, huge]);
        let scale = self.s.select(is_huge, quarter, one);
        let scaled = self.s.of(Op::Mul, &[t, scale]);
        let inverse = self.s.of(Op::Rcp, &[scaled]);
        let small = self.s.of(Op::Mul, &[s, scale]);
        let ratio = self.s.of(Op::Mul, &[small, inverse]);
        let ratio = self.s.of(Op::Abs, &[ratio]);
        let is_diagonal = self.s.of(Op::FEq, &[width, size]);
        let tangent = self.s.select(is_diagonal, one, ratio);
        let angle = self.atan(tangent);
        let right = self.s.number(FRAC_PI_2);
        let turn = self.s.select(flips, right, zero);
        let angle = self.s.of(Op::Add, &[turn, angle]);
        // The inverse has the sign of y where y is a zero on the left.
        let lower = self.s.of(Op::Min, &[y, inverse]);
        let is_negative = self.s.of(Op::FLt, &[lower, zero]);
        let negative = self.s.of(Op::Neg, &[angle]);
        self.s.select(is_negative, negative, angle)
    }

    fn tanh(&mut self, x: ValueId) -> ValueId {
        let limit = if self.s.asked.decl == Decl::F16 { 4.2 } else { 10.0 };
        let (zero, size) = (self.s.number(0.0), self.s.of(Op::Abs, &[x]));
        let clamped = self.s.clamped(x, -limit, limit);
        let (up, down) = self.s.exps(clamped);
        let (upper, lower) = (self.s.of(Op::Sub, &[up, down]), self.s.of(Op::Add, &[up, down]));
        let ratio = self.s.of(Op::Div, &[upper, lower]);
        // NaN would be lost in the clamp, and the sign of a zero in the difference.
        let is_number = self.s.of(Op::FLt, &[zero, size]);
        let other = if self.is_new { self.s.times(x, 1.0) } else { x };
        self.s.select(is_number, ratio, other)
    }

    /// `t * (t * (3 - 2t))`.
    fn smoothstep(&mut self, from: ValueId, to: ValueId, x: ValueId) -> ValueId {
        let (upper, lower) = (self.s.of(Op::Sub, &[x, from]), self.s.of(Op::Sub, &[to, from]));
        let (two, three) = (self.s.number(2.0), self.s.number(3.0));
        let t = if self.is_new {
            self.s.saturated_quotient(upper, lower)
        } else {
            let ratio = self.s.of(Op::Div, &[upper, lower]);
            self.s.clamped(ratio, 0.0, 1.0)
        };
        let rest = self.minus_product(three, two, t);
        let product = self.s.of(Op::Mul, &[t, rest]);
        self.s.of(Op::Mul, &[t, product])
    }

    /// `k = 1 - eta * (eta * (1 - dot^2))`; zero where it is negative, else `eta * i - (eta * dot + sqrt(k)) * n`.
    fn refract(&mut self, i: ValueId, n: ValueId, eta: ValueId, dot: ValueId) -> ValueId {
        let (zero, one) = (self.s.number(0.0), self.s.number(1.0));
        let rest = self.minus_product(one, dot, dot);
        let scaled = self.s.of(Op::Mul, &[eta, rest]);
        let k = self.minus_product(one, eta, scaled);
        let root = self.s.of(Op::Sqrt, &[k]);
        let along = self.fma(eta, dot, root);
        let is_lost = self.s.of(Op::FLt, &[k, zero]);
        let first = self.s.of(Op::Mul, &[eta, i]);
        let difference = self.minus_product(first, along, n);
        self.s.select(is_lost, zero, difference)
    }
}
