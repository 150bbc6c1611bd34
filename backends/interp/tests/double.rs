//! Functions in binary64 over rows: the bits of the exact evaluation.

use parallax_gen::word;
use parallax_interp::Interpreter;
use parallax_num::{Decl, Denormals, Op, Rule, Saturate, Storage, eval};
use parallax_random::Random;

const UNARY: [Op; 6] = [Op::Rsq, Op::Exp2, Op::Log2, Op::Log2Part, Op::Sin, Op::Cos];

fn rule() -> Rule {
    Rule::ieee(Decl::F64, Decl::F64.format())
}

/// Operands of a function: of every kind, and densely where its results are numbers.
fn operand(random: &mut Random, op: Op) -> u64 {
    let unit = f64::from_bits(random.word() >> 12 | 1023 << 52);
    let scale = |exp: u64| f64::from_bits((1023 - 30 + exp) << 52);
    match (random.below(8), op) {
        (0, _) => word(random, Storage::F64),
        (1, _) => random.word(),
        (_, Op::Exp2) => ((unit - 1.5) * scale(random.below(41))).to_bits(),
        (2..=4, Op::Log2 | Op::Log2Part) => (1.0 + (unit - 1.5) * scale(random.below(30))).to_bits(),
        (_, Op::Sin | Op::Cos) => ((unit - 1.5) * scale(random.below(52))).to_bits(),
        _ => (unit * scale(random.below(60))).to_bits(),
    }
}

/// The interpreter against the exact evaluation.
fn compare(op: Op, rule: &Rule, rows: &[Vec<u64>]) {
    let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
    let lanes = args[0].len();
    let want: Vec<u64> =
        (0..lanes).map(|lane| eval(op, rule, &args.iter().map(|row| row[lane]).collect::<Vec<_>>())).collect();
    let operation = Interpreter::operation(op, rule);
    let mut out = vec![0; lanes];
    operation.runner().run(&args, &mut out);
    for lane in 0..lanes {
        let operands: Vec<u64> = args.iter().map(|row| row[lane]).collect();
        assert_eq!(out[lane], want[lane], "{op} {operands:x?}: not {:x}", want[lane]);
    }
}

fn unary(op: Op, rule: &Rule, lanes: usize, seed: u64) {
    let mut random = Random::new(seed);
    let row = (0..lanes).map(|_| operand(&mut random, op)).collect();
    compare(op, rule, &[row]);
}

/// Bases and exponents whose powers are numbers, and some of every kind.
fn powers(random: &mut Random, lanes: usize) -> [Vec<u64>; 2] {
    let (mut bases, mut exponents) = (Vec::new(), Vec::new());
    for _ in 0..lanes {
        let base = f64::from_bits(operand(random, Op::Log2));
        let unit = f64::from_bits(random.word() >> 12 | 1023 << 52) - 1.5;
        let (base, exponent) = match random.below(8) {
            0 => (base, f64::from_bits(word(random, Storage::F64))),
            // Squares and cubes of few digits are exact, or lie halfway between two results.
            1 => ((random.below(1 << 27) | 1) as f64, 2.0),
            2 => ((random.below(1 << 18) | 1) as f64, 3.0),
            3 => (0.0, unit),
            4 => (base, (unit * 64.0).round_ties_even()),
            _ => (base, unit * 2040.0 / base.abs().log2().abs().max(1e-9)),
        };
        bases.push(base.to_bits());
        exponents.push(exponent.to_bits());
    }
    [bases, exponents]
}

fn power(rule: &Rule, lanes: usize, seed: u64) {
    let mut random = Random::new(seed);
    let [bases, exponents] = powers(&mut random, lanes);
    // What is lit, in three lanes of four.
    let lit: Vec<u64> = (0..lanes)
        .map(|_| if random.below(4) == 0 { word(&mut random, Storage::F64) } else { 1f64.to_bits() })
        .collect();
    compare(Op::Pow, rule, &[bases.clone(), exponents.clone()]);
    compare(Op::LitZ, rule, &[lit, bases, exponents]);
}

#[test]
fn rows_give_the_exact_bits() {
    let clamped = Rule { saturate: Saturate::Unsigned, ..rule() };
    let flushed = Rule { denorm_in: Denormals::Flush, denorm_out: Denormals::Flush, ..rule() };
    for op in UNARY {
        unary(op, &rule(), 3000, 1);
        unary(op, &clamped, 300, 2);
        unary(op, &flushed, 300, 3);
    }
    power(&rule(), 1500, 4);
    power(&clamped, 200, 5);
    power(&flushed, 200, 6);
}

/// Sixteen million operands of each function: `docs/numbers.md`.
#[test]
#[ignore = "long"]
fn rows_give_the_exact_bits_of_many() {
    std::thread::scope(|scope| {
        for half in 0..2u64 {
            scope.spawn(move || {
                for (n, op) in UNARY.into_iter().enumerate().filter(|(n, _)| *n as u64 % 2 == half) {
                    (0..256).for_each(|part| unary(op, &rule(), 1 << 16, 1000 * n as u64 + part));
                }
                (0..128).for_each(|part| power(&rule(), 1 << 16, 10_000 * (half + 1) + part));
            });
        }
    });
}
