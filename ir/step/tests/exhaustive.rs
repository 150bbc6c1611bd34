//! All 2^32 operands of the transcendental functions: `cargo test -p parallax-step --release --test exhaustive -- --ignored
//! --nocapture`, or one of them by name. The kernels they are compared with are proven against an independent library.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_gen::operands;
use parallax_num::{Decl, Format, Kernel, Model, Op, Rule, Slot, Storage, eval};
use parallax_random::Random;
use parallax_step::{Nans, Rows, program};

const LANES: usize = 4096;

/// Compares a program with the kernel over all operands from `from` on, `count` of them, `stride` apart.
fn sweep(op: Op, rule: &Rule, count: u64, stride: u64) -> u64 {
    let program = program(op, rule, true).expect("a program");
    let (mut rows, kernel) = (Rows::new(&program), Kernel::new(op, rule));
    let (mut out, mut want, mut marks) = (vec![0; LANES], vec![0; LANES], Vec::new());
    let mut marked = 0;
    for block in 0..count / LANES as u64 {
        let start = block * LANES as u64;
        let words: Vec<u64> = (start..start + LANES as u64).map(|n| (n * stride) & 0xffff_ffff).collect();
        rows.run(&[&words], &mut out, &mut marks);
        kernel.run(&[&words], &mut want);
        for lane in 0..LANES {
            if marks[lane / 64] >> (lane % 64) & 1 != 0 {
                marked += 1;
            } else {
                assert_eq!(out[lane], want[lane], "{op} {:x}", words[lane]);
            }
        }
    }
    marked
}

fn all(op: Op, model: &str) {
    let (rule, _) =
        Model::builtin(model).expect("built in").rule(op, &Slot::parse("fp32").expect("a slot"), Storage::F32);
    let start = std::time::Instant::now();
    let marked = sweep(op, &rule, 1 << 32, 1);
    println!("{op} {model}: {marked} marked, {:.1} s", start.elapsed().as_secs_f64());
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
}

/// A part of what the tests above try.
#[test]
fn every_eighty_thousandth_operand() {
    for (op, model) in [(Op::Exp2, "ieee"), (Op::Rcp, "maxwell"), (Op::Sin, "llvmpipe"), (Op::Rsq, "nv-patent")] {
        let (rule, _) =
            Model::builtin(model).expect("built in").rule(op, &Slot::parse("fp32").expect("a slot"), Storage::F32);
        sweep(op, &rule, 1 << 16, 80_021);
    }
}

/// The reciprocal root is proven by trying: of all fractions, under an even and an odd exponent. Here those for which the factor
/// that stands for a half decides, and a part of the others.
#[test]
fn reciprocal_roots_that_a_half_would_miss() {
    let (rule, _) =
        Model::builtin("ieee").expect("built in").rule(Op::Rsq, &Slot::parse("fp32").expect("a slot"), Storage::F32);
    let program = program(Op::Rsq, &rule, true).expect("a program");
    let hard = [679_046u64, 3_811_897, 5_382_287, 5_957_954, 7_156_272, 9_039_928, 12_196_067, 16_777_214];
    for operand in hard {
        for exponent in [0, 1, 62, 126] {
            let word = operand + (1 << 23) + (exponent << 24);
            assert_eq!(program.eval(&[word], Nans::Plain), (eval(Op::Rsq, &rule, &[word]), false), "{word:x}");
        }
    }
    assert_eq!(sweep(Op::Rsq, &rule, 1 << 18, 16_381), 0);
}

/// Rows of lanes give what single lanes do, marks included, in every length.
#[test]
fn rows_are_lanes() {
    let mut random = Random::new(9);
    let mut models = Model::builtins();
    models.truncate(12);
    for model in models {
        for text in ["fp32", "half.sat", "fx12", "fp64"] {
            for row in Op::ALL {
                let (rule, _) = model.rule(row.op, &Slot::parse(text).expect("a slot"), Storage::F32);
                let Some(program) = program(row.op, &rule, true) else { continue };
                let lanes = 70;
                let columns = operands(&mut random, row.op, &rule, lanes);
                let args: Vec<&[u64]> = columns.iter().map(Vec::as_slice).collect();
                let (mut out, mut marks) = (vec![0; lanes], Vec::new());
                Rows::new(&program).run(&args, &mut out, &mut marks);
                for lane in 0..lanes {
                    let words: Vec<u64> = args.iter().map(|row| row[lane]).collect();
                    let (want, marked) = program.eval(&words, Nans::Plain);
                    assert_eq!(marks[lane / 64] >> (lane % 64) & 1 != 0, marked, "{} {words:x?}\n{program}", row.name);
                    assert!(marked || out[lane] == want, "{} {words:x?}\n{program}", row.name);
                    assert!(marked || out[lane] == eval(row.op, &rule, &words), "{} {words:x?}", row.name);
                }
            }
        }
    }
    let plain = Rule::ieee(Decl::F32, Format::F32);
    let mut rows = Rows::new(&program(Op::Add, &plain, true).expect("a program"));
    let mut none = Vec::new();
    rows.run(&[&[], &[]], &mut [], &mut none);
    assert!(none.is_empty());
}
