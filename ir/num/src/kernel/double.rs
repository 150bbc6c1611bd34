//! Functions of binary64 operands, correctly rounded to nearest even: pairs of binary64 numbers decide almost every lane.
//!
//! Fused multiply-adds are what makes pairs cheap; levels without them leave all lanes to the reference evaluation.

use super::host64::Host64;
use super::steps::{Steps, get_all};
use super::{Kernel, Row, RowFn, RowMut, rows};
use crate::Op;
use crate::processor::Level;
use crate::recipe::double;

/// The kernel of a function that a rule wants correctly rounded, to nearest even, in binary64.
pub(super) fn select<L: Level>(op: Op) -> Option<RowFn> {
    if !L::FUSES {
        return None;
    }
    Some(match op {
        Op::Rsq => rsq::<L>,
        Op::Exp2 | Op::Exp2Part => exp2::<L>,
        Op::Log2 => log2::<L>,
        Op::Log2Part => log2_part::<L>,
        Op::Sin => sin::<L>,
        Op::Cos => cos::<L>,
        Op::Pow => pow::<L>,
        Op::LitZ => lit_z::<L>,
        _ => return None,
    })
}

macro_rules! row_fns {
    ($($name:ident($x:ident, $mark:ident) $body:expr;)+) => {
        $(fn $name<L: Level>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
            let s = Host64::<L>::new(&kernel.rule);
            rows::<1, u64, u64, L>(kernel, args, out, #[inline(always)] |[w], $mark| {
                let $x = s.get(w, $mark);
                let y = $body;
                let y = s.settle(y, $mark);
                s.put(y, $mark)
            });
        })+
    };
}

row_fns! {
    rsq(x, mark) double::rsq(x, mark);
    exp2(x, mark) double::exp2(x, mark);
    log2(x, mark) logarithm(x, mark);
    log2_part(x, mark) logarithm(x.abs(), mark);
    sin(x, mark) double::sin(x, mark);
    cos(x, mark) double::cos(x, mark);
}

#[inline(always)]
fn logarithm(x: f64, mark: &mut bool) -> f64 {
    *mark |= x.is_nan() | (x < f64::MIN_POSITIVE) | (x == f64::INFINITY);
    double::decided(double::log2(x), double::EPS_LOG2, mark)
}

/// The C power of a positive base, and of +0 to a positive exponent.
fn pow<L: Level>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = Host64::<L>::new(&kernel.rule);
    rows::<2, u64, u64, L>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let [x, y] = get_all(s, words, mark);
            let null = (x.to_bits() == 0) & (y > 0.0) & (y < f64::INFINITY);
            let power = double::pow(if null { 1.0 } else { x }, y, mark);
            let y = s.settle(if null { 0.0 } else { power }, mark);
            s.put(y, mark)
        },
    );
}

/// The specular term of LIT: a power where x > 0 and y > 0.
fn lit_z<L: Level>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let s = Host64::<L>::new(&kernel.rule);
    let clamp = kernel.rule.lit.clamp.map_or(f64::INFINITY, |bits| f64::from(f32::from_bits(bits)));
    rows::<3, u64, u64, L>(
        kernel,
        args,
        out,
        #[inline(always)]
        |words, mark| {
            let [x, y, w] = get_all(s, words, mark);
            let w = if w > clamp { clamp } else { w };
            let w = if w < -clamp { -clamp } else { w };
            let lit = x > 0.0;
            *mark |= x.is_nan() | y.is_nan() | w.is_nan() | (lit & (y <= 0.0) & (w <= 0.0));
            let bright = lit & (y > 0.0);
            let power = double::pow(if bright { y } else { 1.0 }, w, mark);
            let y = s.settle(if bright { power } else { 0.0 }, mark);
            s.put(y, mark)
        },
    );
}
