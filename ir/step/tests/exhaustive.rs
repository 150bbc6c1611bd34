//! All 2^32 operands of the transcendental functions: `cargo test -p parallax-step --release --test all exhaustive -- --ignored
//! --nocapture`, or one of them by name. The reference evaluation that they are compared with is proven against an independent
//! library.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_core::backend::Operation;
use parallax_interp::Interpreter;
use parallax_num::{Model, Op, Rule, Slot, Storage, eval};
use parallax_step::{Nans, Programs, program};
use parallax_x86::{Level, compile_operation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const LANES: u64 = 4096;

fn rule(op: Op, model: &str) -> Rule {
    let slot = Slot::parse("fp32").expect("a slot");
    Model::parse(model).expect("a model").rule(op, &slot, Storage::F32).0
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

/// The program that a machine without floats has, in machine code beside that of the first program, which the tests above compare with
/// the reference.
fn in_integers(op: Op, model: &str, count: u64, stride: u64) {
    let Some(level) = Level::best() else {
        println!("skipped: no level of machine code runs here");
        return;
    };
    let rule = rule(op, model);
    let made = [Programs::default(), Programs::without_floats()].map(|mut programs| {
        let program = compile_operation(op, &rule, level, &mut programs).expect("machine code");
        Operation::new(op, Arc::new(program))
    });
    let next = AtomicU64::new(0);
    let work = || {
        let mut runners = made.each_ref().map(Operation::runner);
        let mut out = [vec![0; LANES as usize], vec![0; LANES as usize]];
        loop {
            let start = next.fetch_add(LANES, Ordering::Relaxed);
            if start >= count {
                return;
            }
            let words: Vec<u64> = (start..start + LANES).map(|n| (n * stride) & 0xffff_ffff).collect();
            for (runner, out) in runners.iter_mut().zip(&mut out) {
                runner.run(&[&words], out);
            }
            if out[0] != out[1] {
                let lane = (0..words.len()).find(|&n| out[0][n] != out[1][n]).expect("a difference");
                panic!("{op} {model} {:x}: {:x}, not {:x}", words[lane], out[1][lane], out[0][lane]);
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
}

/// What has programs in integers, and models that ask for each of them, in binary32 and formats inside of it.
const FUNCTIONS: [(Op, &str); 13] = [
    (Op::Exp2, "ieee"),
    (Op::Exp2, "ati-r300"),
    (Op::Log2, "ieee"),
    (Op::Log2, "adreno"),
    (Op::Sin, "ieee"),
    (Op::Sin, "amd-gcn"),
    (Op::Sin, "ati-r300"),
    (Op::Cos, "ieee"),
    (Op::Cos, "v3d"),
    (Op::Rsq, "ieee"),
    (Op::Rsq, "ati-r300"),
    (Op::Rcp, "ati-r300"),
    (Op::Sqrt, "ati-r300"),
];

/// In directions in which the first programs leave nearly half of all operands to the reference: powers and cosines next to 1.
const DIRECTED: [(Op, &str); 5] = [
    (Op::Exp2, "ieee[fp32.recipe.round=rup]"),
    (Op::Log2, "ieee[fp32.recipe.round=rdn]"),
    (Op::Sin, "ieee[fp32.recipe.round=rtz]"),
    (Op::Cos, "ieee[fp32.recipe.round=rup]"),
    (Op::Rsq, "ieee[fp32.recipe.round=rdn]"),
];

#[test]
fn programs_in_integers_agree_with_the_first_ones() {
    for (op, model) in FUNCTIONS.into_iter().chain(DIRECTED) {
        in_integers(op, model, 1 << 18, 16_381);
    }
}

/// All operands, and every 64th in other directions: `cargo test -p parallax-step --release --test all all_operands_in_integers --
/// --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn all_operands_in_integers() {
    let all = FUNCTIONS.map(|(op, model)| (op, model, 32)).into_iter();
    for (op, model, bits) in all.chain(DIRECTED.map(|(op, model)| (op, model, 26))) {
        let start = std::time::Instant::now();
        in_integers(op, model, 1 << bits, (1 << (32 - bits)) - u64::from(bits < 32));
        println!("{op} {model}: {:.1} s", start.elapsed().as_secs_f64());
    }
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

/// Powers of two that are denormal numbers of binary32, which is rounded at another place than the test of rounding asks about. Half of
/// the least number becomes zero, what is above it the least number; where denormal numbers become zero, the least normal one does not.
#[test]
fn denormal_powers_of_two() {
    let (first, last, half) = ((-126f32).to_bits(), (-152f32).to_bits(), (-150f32).to_bits());
    let words: Vec<u64> = (first..=last).step_by(61).chain(half - 3..=half + 3).map(u64::from).collect();
    let mut out = vec![0; words.len()];
    for (slot, ends) in [("fp32", [0x80_0000, 1, 0]), ("fp32.ftz", [0x80_0000, 0, 0])] {
        let slot = Slot::parse(slot).expect("a slot");
        let rule = Model::parse("ieee").expect("a model").rule(Op::Exp2, &slot, Storage::F32).0;
        let compiled = Level::best().map(|level| {
            let program = compile_operation(Op::Exp2, &rule, level, &mut Programs::default()).expect("machine code");
            Operation::new(Op::Exp2, Arc::new(program))
        });
        for operation in compiled.into_iter().chain([Interpreter::operation(Op::Exp2, &rule)]) {
            operation.runner().run(&[&words], &mut out);
            for (word, got) in words.iter().zip(&out) {
                assert_eq!(*got, eval(Op::Exp2, &rule, &[*word]), "{word:x}");
            }
            assert_eq!([out[0], out[out.len() - 5], out[out.len() - 4]], ends);
        }
    }
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
