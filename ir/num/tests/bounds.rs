//! Bounded operations of the built-in models: every probe stays inside the documented bound, and low and high come near
//! its ends somewhere.

use parallax_num::{Accuracy, ComputedIn, Decl, Family, Model, Op, Probe, Slot, Sqrt, Storage, Tier, eval};
use parallax_random::Random;

fn inputs(op: Op) -> Vec<u32> {
    let mut words = vec![0x3f80_0000, 0x4000_0000, 0x3f7f_ffff, 0x3f80_0001, 0x4049_0fdb];
    let mut random = Random::new(99);
    for _ in 0..3000 {
        let bits = random.word() as u32;
        words.push(match op {
            // Where the documents promise something.
            Op::Sin | Op::Cos => 0x3a00_0000 + bits % 0x06c9_0fdb,
            Op::Exp2 | Op::Exp2Part => (0x3a00_0000 + bits % 0x0800_0000) | (bits << 31),
            _ => 0x3000_0000 + bits % 0x2000_0000,
        });
    }
    words
}

fn value(word: u64, storage: Storage) -> f64 {
    match storage {
        Storage::F16 => {
            // Exact: halves are binary32 numbers.
            let (sign, exp, frac) = (word >> 15 & 1, word >> 10 & 31, word & 1023);
            let magnitude = match exp {
                0 => frac as f64 / f64::from(1 << 24),
                31 => return if frac == 0 { f64::INFINITY } else { f64::NAN },
                _ => (1024 + frac) as f64 * f64::from_bits((1023 + exp - 25) << 52),
            };
            if sign != 0 { -magnitude } else { magnitude }
        }
        _ => f64::from(f32::from_bits(word as u32)),
    }
}

#[test]
fn probes_stay_inside_documented_bounds_and_reach_their_ends() {
    let exact = Model::builtin("binary64").expect("binary64");
    let mut checked = 0;
    for model in Model::builtins() {
        for (decl, op) in [Decl::F32, Decl::F16].into_iter().flat_map(|d| Op::ALL.iter().map(move |row| (d, row.op))) {
            if op.info().family != Family::Recipe || op.info().args.len() != 1 {
                continue;
            }
            let slot = Slot::plain(decl);
            let (rule, tier) = model.rule(op, &slot, model.storage(decl));
            let Accuracy::Bounded { bits, floor, .. } = rule.accuracy else { continue };
            // Such a bound is one of binary32, and another rounding follows; or it is one of each step.
            if rule.computed_in != ComputedIn::Own || op == Op::Sqrt && rule.sqrt != Sqrt::Direct {
                continue;
            }
            assert!(tier >= Tier::Bounded);
            let place = format!("{} {op} {decl}", model.name());
            let (reference, _) = exact.rule(op, &slot, Storage::F64);
            let probes = [Probe::Lowest, Probe::Highest, Probe::Random(5)]
                .map(|probe| model.clone().with_probe(probe).rule(op, &slot, rule.storage).0);
            let mut reach = [0.0f64; 3];
            for word in inputs(op) {
                let word = if decl == Decl::F16 { u64::from(word >> 13 & 0x3fff | 0x2000) } else { u64::from(word) };
                let near = eval(op, &rule, &[word]);
                let truth = f64::from_bits(eval(op, &reference, &[value(word, rule.storage).to_bits()]));
                if !truth.is_finite() || truth == 0.0 {
                    continue;
                }
                let top = ((truth.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(i32::from(floor));
                let bound = f64::from_bits(((1023 + top - i32::from(bits)) as u64) << 52);
                for (k, probe) in probes.iter().enumerate() {
                    let got = eval(op, probe, &[word]);
                    let error = (value(got, rule.storage) - truth) / bound;
                    // A bound without any representable value leaves the correctly rounded one.
                    assert!(
                        error.abs() <= 1.000_001 || got == near,
                        "{place}: {word:x} gives {got:x}, {error} bounds off"
                    );
                    assert!(k != 0 || error <= (value(near, rule.storage) - truth) / bound, "{place}: {word:x}");
                    reach[k] = if k == 0 { reach[k].min(error) } else { reach[k].max(error.abs()) };
                }
            }
            assert!(reach[0] < -0.75 && reach[1] > 0.75 && reach[2] > 0.5, "{place}: {reach:?}");
            checked += 1;
        }
    }
    assert!(checked > 25, "{checked}");
}
