//! All 2^32 operands of the transcendental functions: `cargo test -p parallax-step --release --test all exhaustive -- --ignored
//! --nocapture`, or one of them by name. The reference evaluation that they are compared with is proven against an independent
//! library.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_interp::Interpreter;
use parallax_num::{Model, Op, Rule, Slot, Storage, eval};
use parallax_step::{Nans, program};
use std::sync::atomic::{AtomicU64, Ordering};

const LANES: u64 = 4096;

fn rule(op: Op, model: &str) -> Rule {
    let slot = Slot::parse("fp32").expect("a slot");
    Model::builtin(model).expect("built in").rule(op, &slot, Storage::F32).0
}

/// Compares rows with the reference evaluation over `count` operands, `stride` apart.
fn sweep(op: Op, rule: &Rule, count: u64, stride: u64) {
    let operation = Interpreter::operation(op, rule);
    let next = AtomicU64::new(0);
    let work = || {
        let (mut runner, mut out) = (operation.runner(), vec![0; LANES as usize]);
        loop {
            let start = next.fetch_add(LANES, Ordering::Relaxed);
            if start >= count {
                return;
            }
            let words: Vec<u64> = (start..start + LANES).map(|n| (n * stride) & 0xffff_ffff).collect();
            runner.run(&[&words], &mut out);
            for (word, got) in words.iter().zip(&out) {
                assert_eq!(*got, eval(op, rule, &[*word]), "{op} {word:x}");
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
}

fn all(op: Op, model: &str) {
    let start = std::time::Instant::now();
    sweep(op, &rule(op, model), 1 << 32, 1);
    println!("{op} {model}: {:.1} s", start.elapsed().as_secs_f64());
}

macro_rules! exhaustive {
    ($($name:ident: $op:ident $model:literal;)+) => {
        $(#[test]
        #[ignore = "long"]
        fn $name() {
            all(Op::$op, $model);
        })+
    };
}

exhaustive! {
    exp2: Exp2 "ieee";
    log2: Log2 "ieee";
    rsq: Rsq "ieee";
    rcp: Rcp "ieee";
    sin: Sin "ieee";
    cos: Cos "ieee";
    rcp_of_the_unit: Rcp "maxwell";
    rsq_of_the_unit: Rsq "maxwell";
    exp2_of_the_unit: Exp2 "maxwell";
    log2_of_the_unit: Log2 "maxwell";
    sin_of_gallivm: Sin "llvmpipe";
    sin_of_swiftshader: Sin "swiftshader";
    exp2_of_swiftshader: Exp2 "swiftshader";
    log2_of_swiftshader: Log2 "swiftshader";
}

/// A part of what the tests above try.
#[test]
fn every_eighty_thousandth_operand() {
    for (op, model) in [
        (Op::Exp2, "ieee"),
        (Op::Rcp, "maxwell"),
        (Op::Sin, "llvmpipe"),
        (Op::Log2, "swiftshader"),
        (Op::Rsq, "nv-patent"),
    ] {
        sweep(op, &rule(op, model), 1 << 16, 80_021);
    }
}

/// The reciprocal root is proven by trying: of all fractions, under an even and an odd exponent. Here those for which the factor
/// that stands for a half decides, and a part of the others.
#[test]
fn reciprocal_roots_that_a_half_would_miss() {
    let rule = rule(Op::Rsq, "ieee");
    let program = program(Op::Rsq, &rule, true).expect("a program");
    let hard = [679_046u64, 3_811_897, 5_382_287, 5_957_954, 7_156_272, 9_039_928, 12_196_067, 16_777_214];
    for operand in hard {
        for exponent in [0, 1, 62, 126] {
            let word = operand + (1 << 23) + (exponent << 24);
            assert_eq!(program.eval(&[word], Nans::Plain), (eval(Op::Rsq, &rule, &[word]), false), "{word:x}");
        }
    }
    assert_eq!(program.slow, None);
    sweep(Op::Rsq, &rule, 1 << 18, 16_381);
}

/// 127.99609375, the bound of exponents in NV's LIT, lies between two halves and becomes the nearest: in programs as in the reference,
/// for every base, however products are rounded.
#[test]
fn a_bound_of_exponents_between_two_halves() {
    let (lit, beyond) = (0x4800, 0x6241);
    for name in ["nv40", "nv40[half.recipe.round=rtz]", "nv40[half.recipe.round=rup]", "nv40[half.lit_clamp=100.3]"] {
        let slot = Slot::parse("half.ssat").expect("a slot");
        let rule = Model::parse(name).expect("a model").rule(Op::LitZ, &slot, Storage::F16).0;
        let bases: Vec<u64> = (0..1 << 16).collect();
        let all = |word: u64| vec![word; bases.len()];
        for exponent in [beyond, beyond | 0x8000] {
            let (x, w) = (all(lit), all(exponent));
            let mut out = all(0);
            Interpreter::operation(Op::LitZ, &rule).runner().run(&[&x, &bases, &w], &mut out);
            for (base, got) in bases.iter().zip(&out) {
                assert_eq!(*got, eval(Op::LitZ, &rule, &[lit, *base, exponent]), "{name} {base:x} {exponent:x}");
            }
        }
    }
}
