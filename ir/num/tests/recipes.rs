//! Recipes against arbitrary precision: correct rounding.

mod inputs;

use inputs::real::{Big, big, pattern};
use inputs::{Rng, word};
use parallax_num::{Decl, Op, Round, Rule, Storage, eval};

const MODES: [Round; 5] = [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down];

fn value(bits: u64, storage: Storage) -> f64 {
    match storage {
        Storage::F32 => f32::from_bits(bits as u32) as f64,
        _ => f64::from_bits(bits),
    }
}

/// The exact function, to the oracle's precision. Arguments are finite and inside the domain.
fn exact(op: Op, x: f64) -> Big {
    let b = big(x);
    match op {
        Op::Rcp => big(1.0) / b,
        Op::Rsq => big(1.0) / b.sqrt(),
        Op::Sqrt => b.sqrt(),
        // Near 0 the result is 1 and a long row of zeros.
        Op::Exp2 => big(2.0).with_precision(1400).value().powf(&b.with_precision(1400).value()),
        Op::Log2 => b.log2(),
        // More digits for large arguments: their reduction eats them.
        Op::Sin => b.with_precision(1400).value().sin(),
        _ => b.with_precision(1400).value().cos(),
    }
}

fn in_domain(op: Op, x: f64) -> bool {
    x.is_finite()
        && match op {
            Op::Rsq | Op::Sqrt | Op::Log2 => x > 0.0,
            Op::Exp2 => x.abs() < 1100.0 && x != 0.0,
            // Below, the oracle's digits do not reach the difference from x or from 1.
            Op::Sin | Op::Cos => x.abs() > 1e-150,
            _ => x != 0.0,
        }
}

fn check(op: Op, decl: Decl, bits: u64) {
    let storage = decl.format().storage();
    let x = value(bits, storage);
    if !in_domain(op, x) {
        return;
    }
    if op == Op::Log2 && x == 1.0 {
        assert_eq!(eval(op, &Rule::ieee(decl, decl.format()), &[bits]), 0);
        return;
    }
    let want = exact(op, x);
    let (e, m) = inputs::shape(storage);
    for round in MODES {
        let rule = Rule { round, ..Rule::ieee(decl, decl.format()) };
        let got = eval(op, &rule, &[bits]);
        let want = pattern(&want, e, m, round);
        assert_eq!(got, want, "{op} {round:?} {x:e} ({bits:x}): got {got:x}, want {want:x}");
    }
}

fn random(op: Op, decl: Decl, seed: u64, n: usize) {
    let storage = decl.format().storage();
    let mut rng = Rng::new(seed);
    for _ in 0..n {
        check(op, decl, word(&mut rng, storage));
    }
}

#[test]
fn roots_and_reciprocals() {
    for op in [Op::Rcp, Op::Rsq, Op::Sqrt] {
        random(op, Decl::F32, 1, 3000);
        random(op, Decl::F64, 2, 3000);
    }
}

#[test]
fn exponential() {
    random(Op::Exp2, Decl::F32, 3, 500);
    random(Op::Exp2, Decl::F64, 4, 500);
}

#[test]
fn logarithm() {
    random(Op::Log2, Decl::F32, 5, 500);
    random(Op::Log2, Decl::F64, 6, 500);
}

#[test]
fn sine_and_cosine() {
    for op in [Op::Sin, Op::Cos] {
        random(op, Decl::F32, 7, 300);
        random(op, Decl::F64, 8, 300);
    }
}

/// Powers are correctly rounded wherever tried: far inside the promised 0.5 ulp + 2^-20.
#[test]
fn powers() {
    let mut rng = Rng::new(9);
    let rules = MODES.map(|round| Rule { round, ..Rule::ieee(Decl::F32, Decl::F32.format()) });
    let mut tried = 0;
    while tried < 400 {
        let (a, b) = (word(&mut rng, Storage::F32), word(&mut rng, Storage::F32));
        let (x, y) = (value(a, Storage::F32), value(b, Storage::F32));
        // Results far outside the range say nothing.
        let size = y * x.log2();
        if !(x > 0.0 && x.is_finite() && y != 0.0 && size.abs() < 160.0 && y.abs() > 1e-9) || x == 1.0 {
            continue;
        }
        tried += 1;
        let wide = |v: f64| big(v).with_precision(300).value();
        let want = wide(x).powf(&wide(y));
        for rule in &rules {
            let got = eval(Op::Pow, rule, &[a, b]);
            assert_eq!(got, pattern(&want, 8, 23, rule.round), "{x:e} ^ {y:e} ({a:x} {b:x}) {:?}", rule.round);
        }
    }
}

/// Powers that are numbers of few bits, or lie halfway between two results.
#[test]
fn exact_powers() {
    let cases = [(3.0f32, 2.0f32, 9.0f64), (0.25, 1.5, 0.125), (4097.0, 2.0, 16785409.0), (0.5, -3.0, 8.0)];
    for round in MODES {
        let rule = Rule { round, ..Rule::ieee(Decl::F32, Decl::F32.format()) };
        for (x, y, exact) in cases {
            let got = eval(Op::Pow, &rule, &[x.to_bits() as u64, y.to_bits() as u64]);
            assert_eq!(got, pattern(&big(exact), 8, 23, round), "{x} ^ {y} {round:?}");
        }
        // All squares of 13-bit odd numbers: 25 or 26 bits, so most are halfway or near it.
        for i in (4097..8192u32).step_by(2) {
            let x = i as f32;
            let got = eval(Op::Pow, &rule, &[x.to_bits() as u64, 0x4000_0000]);
            assert_eq!(got, pattern(&big(x as f64 * x as f64), 8, 23, round), "{x} ^ 2 {round:?}");
        }
    }
}
