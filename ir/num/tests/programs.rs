//! The binary64 programs keep the error they promise. The proof over all inputs measures it exactly
//! (`docs/numbers.md`); this samples it.

use crate::inputs;

use inputs::{Random, word};
use parallax_num::{Decl, Op, Rule, Storage, eval, fast};

fn exact(op: Op, x: f64) -> f64 {
    f64::from_bits(eval(op, &Rule::ieee(Decl::F64, Decl::F64.format()), &[x.to_bits()]))
}

fn check(op: Op, eps: f64, program: fn(f64) -> f64, domain: fn(f64) -> bool) {
    let mut random = Random::new(op as u64);
    let mut worst = 0f64;
    for i in 0..60_000u32 {
        // Every kind of number, and the middle of the range densely.
        let bits = if i % 2 == 0 { word(&mut random, Storage::F32) as u32 } else { 0x3e00_0000 + i * 1024 };
        let x = f32::from_bits(bits) as f64;
        if !(x.is_finite() && x != 0.0 && domain(x)) {
            continue;
        }
        let y = exact(op, x);
        if y != 0.0 {
            worst = worst.max((program(x) / y - 1.0).abs());
        }
    }
    // The exact value here is itself rounded to binary64.
    assert!(worst < eps + f64::EPSILON && worst > eps / 1000.0, "{op}: {worst:e} of {eps:e}");
}

#[test]
fn errors_stay_inside_their_bounds() {
    check(Op::Exp2, fast::EPS_EXP_LOG, fast::exp2, |x| x.abs() < 300.0);
    check(Op::Log2, fast::EPS_EXP_LOG, fast::log2, |x| x > 0.0 && x != 1.0);
    check(Op::Rsq, fast::EPS_ROOT, |x| 1.0 / x.sqrt(), |x| x > 0.0);
    check(Op::Sin, fast::EPS_TRIG, fast::sin, |x| x.abs() < fast::TRIG_LIMIT);
    check(Op::Cos, fast::EPS_TRIG, fast::cos, |x| x.abs() < fast::TRIG_LIMIT);
    check(Op::Sin, fast::EPS_TRIG, |x| fast::sin_of_turn(fast::turn_large(x)), |x| x.abs() >= 0.25);
    let large_cos = |x: f64| {
        let (quadrant, rest) = fast::turn_large(x);
        fast::sin_of_turn((quadrant.wrapping_add(1), rest))
    };
    check(Op::Cos, fast::EPS_TRIG, large_cos, |x| x.abs() >= 0.25);
}
