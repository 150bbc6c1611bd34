//! Recipes against arbitrary precision: correct rounding.

use crate::inputs;

use inputs::real::{Big, big, pattern};
use inputs::{Random, word};
use parallax_num::{Decl, Op, Round, Rule, Storage, eval};

const MODES: [Round; 6] = [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down, Round::Away];

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
    let mut random = Random::new(seed);
    for _ in 0..n {
        check(op, decl, word(&mut random, storage));
    }
}

/// Of all binary32 inputs those whose results lie nearest to a rounding boundary, as `examples/prove.rs --hard` lists
/// them. Negative angles and further binades of the same significand are left out.
const HARDEST: [(Op, &[u32]); 7] = [
    (
        Op::Rcp,
        &[
            0x00fc3237, 0x00fe01ff, 0x00ffffff, 0x017c3237, 0x017e01ff, 0x017fffff, 0x00ec7ec7, 0x00ee4bc5, 0x00f00ff1,
            0x00f02a3b, 0x00f0ff0f, 0x016c7ec7, 0x016e4bc5, 0x01700ff1, 0x01702a3b, 0x0170ff0f, 0x00de86a9, 0x00e05475,
            0x00e1368b, 0x00e25473, 0x015e86a9, 0x01605475, 0x0161368b, 0x01625473,
        ],
    ),
    (
        Op::Rsq,
        &[
            0x002f7e2a, 0x00bdf8a8, 0x013a18e3, 0x0155b7bd, 0x00f1ddca, 0x017f3509, 0x00113e07, 0x0044f81c, 0x0109f038,
            0x007fffff, 0x017ffffe,
        ],
    ),
    (Op::Sqrt, &[0x017fffff, 0x00800001, 0x017ffffe, 0x00800002]),
    (
        Op::Exp2,
        &[
            0x3b429d37, 0xb52d1f9a, 0xbcf3a937, 0x3a07857c, 0xb8d3d026, 0xbaec2b40, 0x3c02a9ad, 0x3ea7097a, 0xb50a7fae,
            0xb6a477af, 0xbf2c7b43, 0x36879cf7, 0x39af899f, 0xbe1f29de, 0x3ad9be7c, 0x3dc9abe2, 0x3e0c0ac1, 0x37ccdc68,
            0x3ca66e26, 0x38ebdf17, 0xb8bbd3a2, 0xba6dd955, 0xbd5fbec4, 0xb5160a52,
        ],
    ),
    (Op::Log2, &[0x3ea07ab9, 0x40207ab9, 0x002452a4, 0x0048a548, 0x00914a90, 0x01114a90]),
    (
        Op::Sin,
        &[
            0x437ce5f1, 0x46199998, 0x4afdece4, 0x50a3e87f, 0x53b146a6, 0x65898498, 0x6a1976f1, 0x6f79be45, 0x73243f06,
            0x77584625, 0x3f3adc51, 0x3fa7832a, 0x4096cbe4, 0x4371ade3,
        ],
    ),
    (
        Op::Cos,
        &[
            0x43fce5f1, 0x491a2430, 0x5123e87f, 0x51a3e87f, 0x55325019, 0x59443c0a, 0x5aa4542c, 0x5f18b878, 0x6115cb11,
            0x6ff9be45, 0x7079be45, 0x7a4b1a27,
        ],
    ),
];

#[test]
fn hardest_inputs() {
    for (op, inputs) in HARDEST {
        for bits in inputs {
            check(op, Decl::F32, u64::from(*bits));
        }
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
    let mut random = Random::new(9);
    let rules = MODES.map(|round| Rule { round, ..Rule::ieee(Decl::F32, Decl::F32.format()) });
    let mut tried = 0;
    while tried < 400 {
        let (a, b) = (word(&mut random, Storage::F32), word(&mut random, Storage::F32));
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

/// Powers of binary64 numbers: random ones, those next to 1 or to the middle of two numbers, and numbers of 53 and 54 bits.
#[test]
fn powers_in_binary64() {
    let mut random = Random::new(10);
    let rules = MODES.map(|round| Rule { round, ..Rule::ieee(Decl::F64, Decl::F64.format()) });
    let mut pairs = Vec::new();
    while pairs.len() < 300 {
        let (x, y) = (f64::from_bits(random.word() >> 1), f64::from_bits(random.word()));
        let y =
            if pairs.len() % 2 == 0 { y } else { 900.0 * (random.word() as i64 as f64) / (x.log2() * 2f64.powi(63)) };
        if x.is_finite() && x > 0.0 && (1e-30..1070.0).contains(&(y * x.log2()).abs()) {
            pairs.push((x, y));
        }
    }
    for k in 1..40 {
        for y in [0.5, 1.5, 2.5, -0.5, -1.5, 0.75, 1.25, 2.0, 3.0, 1.0 + f64::EPSILON] {
            let (above, below) = (1.0 + f64::from(k) * f64::EPSILON, 1.0 - f64::from(k) * f64::EPSILON / 2.0);
            pairs.extend([(above, y), (below, y), (above * 2f64.powi(40), y), (below * 2f64.powi(-9), y)]);
        }
        // Halfway between two numbers, or a number; and the same a little beside it.
        let root = f64::from(250_001 - 2 * k);
        let square = root * root;
        pairs.extend([
            (square, 1.5),
            (square.next_up(), 1.5),
            (square, 1.5f64.next_down()),
            (root, 3.0),
            (square, -1.5),
        ]);
        pairs.extend([(above_one(k), 2f64.powi(-40 - k)), (above_one(k), -(2f64.powi(-900)))]);
    }
    for (x, y) in pairs {
        let wide = |v: f64| big(v).with_precision(600).value();
        // Numbers of at most 160 bits come out exactly so.
        let want = match exact_power(x, y) {
            Some(exact) => exact,
            None => wide(x).powf(&wide(y)),
        };
        if (y * x.log2()).abs() < 1e-60 {
            // Beyond the oracle's digits: next to 1.
            for rule in &rules {
                let got = f64::from_bits(eval(Op::Pow, rule, &[x.to_bits(), y.to_bits()]));
                let above = (y > 0.0) == (x > 1.0);
                let moved = match rule.round {
                    Round::Up | Round::Away if above => 1.0f64.next_up(),
                    Round::Zero | Round::Down if !above => 1.0f64.next_down(),
                    _ => 1.0,
                };
                assert_eq!(got, moved, "{x:e} ^ {y:e} {:?}", rule.round);
            }
            continue;
        }
        for rule in &rules {
            let got = eval(Op::Pow, rule, &[x.to_bits(), y.to_bits()]);
            assert_eq!(got, pattern(&want, 11, 52, rule.round), "{x:e} ^ {y:e} {:?}", rule.round);
        }
    }
}

fn above_one(k: i32) -> f64 {
    1.0 + f64::from(k) * f64::EPSILON
}

/// x^y for whole y, and for halves of squares: by products.
fn exact_power(x: f64, y: f64) -> Option<Big> {
    let (base, times) = match y {
        2.0 | 3.0 => (x, y as u32),
        1.5 | 2.5 if x.sqrt() * x.sqrt() == x && x.sqrt().fract() == 0.0 => (x.sqrt(), (2.0 * y) as u32),
        _ => return None,
    };
    let base = big(base).with_precision(600).value();
    Some((1..times).fold(base.clone(), |product, _| product * base.clone()))
}
