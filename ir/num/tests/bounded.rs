//! Results chosen inside a documented bound.

use crate::inputs;

use inputs::{Random, word};
use parallax_num::{Accuracy, Decl, Format, Op, Probe, Rule, Saturate, Storage, eval, ulp};

const OPS: [Op; 8] = [Op::Rcp, Op::Rsq, Op::Sqrt, Op::Exp2, Op::Log2, Op::Sin, Op::Cos, Op::Div];

fn rule(bits: u8, floor: i16, probe: Probe) -> Rule {
    Rule { accuracy: Accuracy::Bounded { bits, floor, strict: false }, probe, ..Rule::ieee(Decl::F32, Format::F32) }
}

/// The exact value to binary64, from the binary64 recipes.
fn exact(op: Op, args: &[u64]) -> f64 {
    let wide: Vec<u64> = args.iter().map(|w| (f32::from_bits(*w as u32) as f64).to_bits()).collect();
    f64::from_bits(eval(op, &Rule::ieee(Decl::F64, Format::F64), &wide))
}

/// Exponent of a positive binary64 number.
fn exponent(v: f64) -> i32 {
    (v.abs().to_bits() >> 52) as i32 - 1023
}

#[test]
fn results_lie_inside_the_bound_and_reach_both_ends() {
    let mut random = Random::new(1);
    for (bits, floor) in [(22u8, -200i16), (22, 0), (21, 0), (11, -200), (10, 3)] {
        for op in OPS {
            let (mut lowest, mut highest) = (1.0f64, -1.0f64);
            let mut spread = [0usize; 4];
            for i in 0..1500 {
                let args = [word(&mut random, Storage::F32), word(&mut random, Storage::F32)];
                let args = &args[..op.info().args.len()];
                let value = exact(op, args);
                let nearest = eval(op, &rule(bits, floor, Probe::Nearest), args);
                assert_eq!(nearest, eval(op, &Rule::ieee(Decl::F32, Format::F32), args), "{op} {args:x?}");
                // Away from the ends of the range, where the format decides, and from powers of two, where binary64 does
                // not say on which side the exact value lies.
                let power_of_two = value.to_bits() << 12 == 0;
                if !(value.abs() > 1e-30 && value.abs() < 1e30) || power_of_two {
                    continue;
                }
                let bound = 2f64.powi(exponent(value).max(floor as i32) - bits as i32);
                let results = [Probe::Lowest, Probe::Highest, Probe::Random(1), Probe::Random(i)]
                    .map(|probe| ulp::to_f64(eval(op, &rule(bits, floor, probe), args), Storage::F32));
                let offsets = results.map(|r| (r - value) / bound);
                for (offset, result) in offsets.iter().zip(results) {
                    assert!(offset.abs() <= 1.0 + 1e-9, "{op} {args:x?} 2^-{bits}:{floor}: {result:e} for {value:e}");
                    assert!(results[0] <= result && result <= results[1], "{op} {args:x?} {results:?} {value:e}");
                }
                if offsets[0] != offsets[1] {
                    // Nothing representable lies between the ends and the bound.
                    let step = ulp::step(value.abs() + bound, Format::F32) / bound;
                    assert!(offsets[0] <= -1.0 + step && offsets[1] >= 1.0 - step, "{op} {args:x?}");
                    spread[((offsets[2] + 1.0) * 2.0) as usize & 3] += 1;
                }
                lowest = lowest.min(offsets[0]);
                highest = highest.max(offsets[1]);
            }
            assert!(lowest < -0.5 && highest > 0.5, "{op} 2^-{bits}:{floor}: {lowest} to {highest}");
            let all: usize = spread.iter().sum();
            assert!(all < 200 || spread.iter().all(|n| *n * 12 > all), "{op} 2^-{bits}:{floor}: {spread:?}");
        }
    }
}

#[test]
fn exact_points_stay() {
    let one = 0x3f80_0000;
    for probe in [Probe::Lowest, Probe::Highest, Probe::Random(3)] {
        let rule = rule(10, 0, probe);
        for (op, args, want) in [
            (Op::Rcp, &[one][..], one),
            (Op::Rcp, &[0xbf80_0000], 0xbf80_0000),
            (Op::Rcp, &[0], 0x7f80_0000),
            (Op::Rcp, &[0x7f80_0000], 0),
            (Op::Rsq, &[one], one),
            (Op::Rsq, &[0], 0x7f80_0000),
            (Op::Sqrt, &[0x8000_0000], 0x8000_0000),
            (Op::Exp2, &[0], one),
            (Op::Exp2, &[0xff80_0000], 0),
            (Op::Log2, &[one], 0),
            (Op::Log2, &[0], 0xff80_0000),
            (Op::Sin, &[0x8000_0000], 0x8000_0000),
            (Op::Cos, &[0], one),
            (Op::Sin, &[0x7f80_0000], 0xffc0_0000),
            (Op::Pow, &[one, 0x4049_0fdb], one),
            (Op::Pow, &[0x4049_0fdb, 0], one),
            (Op::LitZ, &[one, one, one], one),
            (Op::LitZ, &[0, one, one], 0),
        ] {
            assert_eq!(eval(op, &rule, args), want, "{op} {args:x?} {probe:?}");
        }
    }
}

/// The random choice looks at seed, operation, declared format, clamp, scale and operand bits, at nothing else.
#[test]
fn random_choices_depend_on_what_they_may() {
    let base = rule(12, -200, Probe::Random(9));
    let results =
        |op: Op, rule: &Rule| -> Vec<u64> { (0..200u64).map(|i| eval(op, rule, &[0x3fa0_0000 + i * 7919])).collect() };
    let first = results(Op::Rsq, &base);
    assert_eq!(first, results(Op::Rsq, &base));
    // A field that does not concern the operation.
    assert_eq!(first, results(Op::Rsq, &Rule { fixed_wide: false, ..base }));
    assert_ne!(first, results(Op::Rsq, &rule(12, -200, Probe::Random(10))));
    assert_ne!(first, results(Op::Rsq, &Rule { decl: Decl::F16, ..base }));
    // Results lie in (0, 1): the clamp changes the choice and nothing else.
    assert_ne!(first, results(Op::Rsq, &Rule { saturate: Saturate::Unsigned, ..base }));
    let distinct: std::collections::BTreeSet<u64> = first.iter().copied().collect();
    assert!(distinct.len() > 190);
}
