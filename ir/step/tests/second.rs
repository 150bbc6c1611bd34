//! Second programs against the reference evaluation: in every lane, whether or not the first program leaves it open.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_gen::operands;
use parallax_num::{Model, Op, Round, Rule, Slot, Storage, eval};
use parallax_random::Random;
use parallax_step::{Nans, program, second};
use std::collections::HashSet;

/// Operations that have second programs under some rules.
const OPS: [Op; 47] = [
    Op::Exp2,
    Op::Exp2Part,
    Op::Log2,
    Op::Log2Part,
    Op::Sin,
    Op::Cos,
    Op::Rsq,
    Op::Rcp,
    Op::Sqrt,
    Op::Div,
    Op::Pow,
    Op::LitZ,
    Op::Nrm,
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Dst,
    Op::Mad,
    Op::Fma,
    Op::Dot2,
    Op::Dot3,
    Op::Dot4,
    Op::Dph,
    Op::Dp2a,
    Op::Lrp,
    Op::LitY,
    Op::F2uTrunc,
    Op::F2uRint,
    Op::F2iTrunc,
    Op::Min,
    Op::Max,
    Op::FEq,
    Op::FNe,
    Op::FLt,
    Op::FLe,
    Op::FGt,
    Op::FGe,
    Op::CcOf,
    Op::BitsOf,
    Op::BitsTo,
    Op::PackHalf2,
    Op::PackUnorm4,
    Op::Cvt,
    Op::Frac,
    Op::Floor,
    Op::Sign,
    Op::Ldexp,
];

/// What a comparison has met: lanes, those that the first program leaves open, and those that the second one does too.
#[derive(Debug, Default)]
struct Seen {
    lanes: usize,
    open: usize,
    still_open: usize,
}

fn is_nan(rule: &Rule, word: u64) -> bool {
    match rule.storage {
        Storage::F16 => word & 0x7fff > 0x7c00,
        Storage::F32 => f32::from_bits(word as u32).is_nan(),
        Storage::F64 => f64::from_bits(word).is_nan(),
        Storage::Fixed(_) => false,
    }
}

fn check(op: Op, rule: &Rule, observed: bool, rows: &[Vec<u64>], seen: &mut Seen, what: &str) {
    let (Some(first), Some(second)) = (program(op, rule, observed), second(op, rule, observed)) else { return };
    assert_eq!(second.check(), None, "{op} {what}\n{second}");
    for (n, row) in rows.iter().enumerate() {
        seen.lanes += 1;
        let open = first.eval(row, Nans::Plain).1;
        seen.open += usize::from(open);
        let (got, still_open) = second.eval(row, Nans::Scrambled(n as u64));
        if still_open {
            seen.still_open += usize::from(open);
            continue;
        }
        let want = eval(op, rule, row);
        let alike = got == want || !observed && is_nan(rule, got) && is_nan(rule, want);
        assert!(alike, "{op} {what} {row:x?}: {got:x}, not {want:x}\n{second}");
    }
}

fn built_in(lanes: usize) -> Seen {
    let mut random = Random::new(31);
    let (mut known, mut seen) = (HashSet::new(), Seen::default());
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in ["fp32", "half", "fp32.sat", "fp32.ftz", "fx12", "fx12.sat", "fp64", "mediump"] {
            let parsed = Slot::parse(slot).expect("a slot");
            // Conversions from two containers.
            let wide = [(Op::Cvt, Storage::F64), (Op::Cvt, Storage::F16)];
            for (op, source) in OPS.map(|op| (op, Storage::F32)).into_iter().chain(wide) {
                let (rule, _) = model.rule(op, &parsed, source);
                for observed in [true, false] {
                    let Some(made) = second(op, &rule, observed) else { continue };
                    if !known.insert((op, made)) {
                        continue;
                    }
                    let columns = operands(&mut random, op, &rule, lanes);
                    let mut rows: Vec<Vec<u64>> =
                        (0..lanes).map(|n| columns.iter().map(|column| column[n]).collect()).collect();
                    if rule.storage == Storage::F32 {
                        // Numbers that functions are asked for, and angles and NaN of every kind.
                        for _ in 0..lanes {
                            let [a, b] = [random.word() as u32, random.word() as u32];
                            rows.push(vec![a.into(), b.into()]);
                            rows.push(vec![u64::from(a & 0x87ff_ffff | 0x3800_0000), u64::from(b | 0x7f80_0000)]);
                            rows.push(vec![u64::from(a | 0x4a00_0000), a.into()]);
                        }
                    }
                    check(op, &rule, observed, &rows, &mut seen, &format!("{name} {slot}"));
                }
            }
        }
    }
    println!("{seen:?}");
    seen
}

/// Base and exponent of a power: most have a result that is a number, many an exact one or one in the middle of two.
fn power_operands(random: &mut Random) -> [u64; 2] {
    let bits = random.word() as u32;
    let base = match random.below(6) {
        0 => f32::from_bits(0x3f80_0000 - 64 + bits % 128),
        1 => (bits % 4096 + 1) as f32,
        2 => ((bits % 64 + 1) * (bits % 64 + 1)) as f32 / 1024.0,
        3 => -((bits % 300 + 1) as f32),
        4 => f32::from_bits(bits & 0x81ff_ffff | 0x3f00_0000),
        _ => f32::from_bits(bits & 0x7fff_ffff),
    };
    // 2^-149 to 2^128 of the power's exponent, and a little beyond.
    let most = 150.0 / f64::from(base).abs().log2().abs().max(1e-7);
    let exponent = match random.below(6) {
        0 => (random.below(41) as f32 - 20.0) / 4.0,
        1 => random.below(9) as f32 - 4.0,
        2 => 0.5,
        3 => f32::from_bits(random.word() as u32),
        _ => ((random.word() as u32 as f64 / 2f64.powi(31) - 1.0) * most) as f32,
    };
    [base.to_bits().into(), exponent.to_bits().into()]
}

#[test]
fn second_powers_are_those_of_the_reference() {
    powers(4000);
}

/// `cargo test -p parallax-step --release --test all second -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn second_powers_over_more_operands() {
    powers(200_000);
}

/// Powers under every direction and with halves, and the specular term.
fn powers(lanes: usize) {
    let (mut random, mut seen) = (Random::new(32), Seen::default());
    let rows: Vec<Vec<u64>> = (0..lanes).map(|_| power_operands(&mut random).to_vec()).collect();
    let lit: Vec<Vec<u64>> = rows.iter().map(|row| vec![0x3f80_0000, row[0], row[1]]).collect();
    for name in ["ieee", "vc4", "intel-alt"] {
        let model = Model::builtin(name).expect("built in");
        let (rule, _) = model.rule(Op::Pow, &Slot::parse("fp32").expect("a slot"), Storage::F32);
        for round in [Round::NearestEven, Round::Zero, Round::Up, Round::Down] {
            check(Op::Pow, &Rule { round, ..rule }, true, &rows, &mut seen, &format!("{name} {round:?}"));
        }
        let (rule, _) = model.rule(Op::LitZ, &Slot::parse("fp32").expect("a slot"), Storage::F32);
        check(Op::LitZ, &rule, true, &lit, &mut seen, name);
    }
    println!("{seen:?}");
    assert!(seen.lanes == lanes * 15 && seen.open > lanes && seen.still_open == 0, "{seen:?}");
}

#[test]
fn second_programs_give_the_bits_of_the_reference() {
    let seen = built_in(40);
    assert!(seen.open > 1000 && seen.still_open * 10 < seen.open, "{seen:?}");
}

/// `cargo test -p parallax-step --release --test all second -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn second_programs_over_more_operands() {
    built_in(20_000);
}

/// A binary64 number: any, or one near 1, next to an integer, denormal, or an angle of usual size.
fn double(random: &mut Random) -> u64 {
    let bits = random.word();
    match random.below(8) {
        0 => 1f64.to_bits() - 64 + bits % 128,
        1 => ((bits % 4096) as f64 - 2048.0).to_bits().wrapping_add(bits % 3).wrapping_sub(1),
        2 => bits & 0x800f_ffff_ffff_ffff,
        3 => bits & 0x8001_ffff_ffff_ffff | 0x3fe0_0000_0000_0000,
        4 => bits & 0x803f_ffff_ffff_ffff | 0x4000_0000_0000_0000,
        5 => bits & 0xbfff_ffff_ffff_ffff,
        _ => bits,
    }
}

fn functions_of_doubles(lanes: usize) {
    let model = Model::builtin("binary64").expect("built in");
    let slot = Slot::parse("fp64").expect("a slot");
    let mut random = Random::new(64);
    for op in [Op::Exp2, Op::Log2, Op::Rsq, Op::Sin, Op::Cos] {
        let (rule, _) = model.rule(op, &slot, Storage::F64);
        let second = second(op, &rule, true).filter(|second| second.slow.is_none()).expect("a program");
        let mut open = 0;
        let first = program(op, &rule, true).expect("a program");
        for _ in 0..lanes {
            let row = [double(&mut random)];
            open += usize::from(first.eval(&row, Nans::Plain).1);
            let (got, want) = (second.eval(&row, Nans::Plain).0, eval(op, &rule, &row));
            assert_eq!(
                got,
                want,
                "{op} {:?} {:x}: {:e}, not {:e}",
                row,
                row[0],
                f64::from_bits(got),
                f64::from_bits(want)
            );
        }
        println!("{op}: {lanes} operands, {open} that the first program leaves open");
        assert!(open > 0, "{op}");
    }
}

/// Base and exponent of a power in binary64: any, with a result in range, next to 1, next to the middle of two numbers, in it.
fn power_of_doubles(random: &mut Random) -> [f64; 2] {
    let bits = random.word();
    let halves = (random.below(33) as f64 - 16.0) / 2.0;
    let base = match random.below(7) {
        0 => f64::from_bits(1f64.to_bits() - 64 + bits % 128),
        1 => f64::from_bits(((bits % 4096 + 1) as f64).powi(2).to_bits() - 1 + random.word() % 3),
        2 => -((bits % 300) as f64),
        3 => 2f64.powi(bits as i32 % 300) * f64::from_bits(1f64.to_bits() - 32 + random.word() % 64),
        4 => f64::from_bits(bits & 0x800f_ffff_ffff_ffff),
        _ => f64::from_bits(bits),
    };
    let size = base.abs().log2().abs();
    let exponent = match random.below(8) {
        0 => halves,
        1 => halves / 4.0,
        2 => 1.5,
        3 => f64::from_bits(random.word()),
        4 => halves * 2f64.powi(-(random.below(1000) as i32)),
        5 => f64::from_bits(halves.to_bits() + random.word() % 3),
        _ if size > 0.0 && size.is_finite() => (random.word() as i64 as f64) * 2f64.powi(-63) * 1100.0 / size,
        _ => 0.5,
    };
    [base, exponent]
}

fn powers_of_doubles(lanes: usize) {
    let model = Model::builtin("binary64").expect("built in");
    let (rule, _) = model.rule(Op::Pow, &Slot::parse("fp64").expect("a slot"), Storage::F64);
    let second = second(Op::Pow, &rule, true).filter(|second| second.slow.is_none()).expect("a program");
    let first = program(Op::Pow, &rule, true).expect("a program");
    let mut random = Random::new(65);
    let (mut open, mut exact) = (0, 0);
    for _ in 0..lanes {
        let row = power_of_doubles(&mut random).map(f64::to_bits);
        let is_open = first.eval(&row, Nans::Plain).1;
        open += usize::from(is_open);
        let (got, want) = (second.eval(&row, Nans::Plain).0, eval(Op::Pow, &rule, &row));
        exact += usize::from(is_open && want.trailing_zeros() > 20);
        let [x, y, got_of, want_of] = [row[0], row[1], got, want].map(f64::from_bits);
        assert_eq!(got, want, "{x:e} ^ {y:e}: {got_of:e}, not {want_of:e}");
    }
    // The specular term has powers of its second operand, if the first one is above 0.
    let (rule, _) = model.rule(Op::LitZ, &Slot::parse("fp64").expect("a slot"), Storage::F64);
    let lit: Vec<Vec<u64>> = (0..lanes / 2)
        .map(|n| {
            let [base, exponent] = power_of_doubles(&mut random);
            vec![
                [1.0, 0.0, f64::NAN][n % 7 / 3].to_bits(),
                base.abs().to_bits() ^ (n as u64 & 1) << 63,
                exponent.to_bits(),
            ]
        })
        .collect();
    let mut seen = Seen::default();
    check(Op::LitZ, &rule, true, &lit, &mut seen, "binary64");
    assert!(seen.still_open == 0 && seen.lanes == lanes / 2, "{seen:?}");
    println!("{lanes} powers, {open} that the first program leaves open, {exact} of them numbers of few bits");
    assert!(open * 20 > lanes && exact * 200 > lanes, "{open} {exact}");
}

#[test]
fn powers_of_doubles_are_those_of_the_reference() {
    powers_of_doubles(1_000);
}

/// `cargo test -p parallax-step --release --test all second -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn second_powers_of_doubles_over_more_operands() {
    powers_of_doubles(200_000);
}

#[test]
fn functions_of_doubles_are_those_of_the_reference() {
    functions_of_doubles(2_000);
}

#[test]
#[ignore = "long"]
fn second_functions_of_doubles_over_more_operands() {
    functions_of_doubles(500_000);
}
