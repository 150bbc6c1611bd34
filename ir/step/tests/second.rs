//! Second programs against the reference evaluation: in every lane, whether or not the first program leaves it open.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_gen::operands;
use parallax_num::{Model, Op, Rule, Slot, Storage, eval};
use parallax_random::Random;
use parallax_step::{Nans, program, second};
use std::collections::HashSet;

/// Operations that have second programs under some rules.
const OPS: [Op; 38] = [
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
        for slot in ["fp32", "half", "fp32.sat", "fp32.ftz", "fx12", "fx12.sat"] {
            let parsed = Slot::parse(slot).expect("a slot");
            for op in OPS {
                let (rule, _) = model.rule(op, &parsed, Storage::F32);
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
