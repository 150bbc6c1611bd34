//! Step programs in words: the bits and the slow lanes of the programs themselves, and what the corpus leaves to slow lanes.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::proof::SLOTS;
use parallax_core::verify;
use parallax_gen::{operands, random_rule};
use parallax_num::{Decl, Field, Format, Model, Op, Rule, Slot, Storage};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_step::words::Routine;
use parallax_step::{Function, Kind, Nans, Program, Programs, Ty, legalise, program};
use std::collections::{BTreeMap, HashSet};

/// The words of operands.
fn words(program: &Program, operands: &[u64]) -> Vec<u32> {
    let split =
        |(ty, &word): (&Ty, &u64)| [word as u32, (word >> 32) as u32].into_iter().take(1 + usize::from(ty.is_wide()));
    program.params.iter().zip(operands).flat_map(split).collect()
}

/// A program in words over random operands.
fn check(random: &mut Random, op: Op, rule: &Rule, program: &Program, lanes: usize, what: &str) {
    let routine = Routine::of_program(program);
    let rows = operands(random, op, rule, lanes);
    for n in 0..lanes {
        let lane: Vec<u64> = rows.iter().map(|row| row[n]).collect();
        let want = program.eval(&lane, Nans::Plain);
        let (got, slow) = routine.eval(&words(program, &lane));
        let got = got.iter().rev().fold(0, |all, &word| all << 32 | u64::from(word));
        assert!((got, slow) == want, "{op} {what} {lane:x?}: {got:x} {slow}, not {want:x?}\n{program}");
    }
}

/// Distinct programs of all operations under all built-in models.
#[test]
fn programs_of_built_in_models_are_the_same_in_words() {
    built_in(12);
}

/// `cargo test -p parallax-step --release --test all words -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn programs_of_built_in_models_over_more_operands() {
    built_in(600);
}

fn built_in(lanes: usize) {
    let mut random = Random::new(21);
    let mut known = HashSet::new();
    let (mut slow, mut insts) = (0, 0);
    for name in Model::builtin_names() {
        let model = Model::builtin(name).expect("built in");
        for slot in SLOTS {
            let parsed = Slot::parse(slot).expect("a slot");
            for row in Op::ALL {
                let (rule, _) = model.rule(row.op, &parsed, Storage::F32);
                for observed in [true, false] {
                    let Some(program) = program(row.op, &rule, observed) else { continue };
                    if known.insert(program.clone()) {
                        slow += usize::from(program.slow.is_some());
                        insts += program.insts.len();
                        check(&mut random, row.op, &rule, &program, lanes, &format!("{name} {slot}"));
                    }
                }
            }
        }
    }
    println!("{} programs of {insts} primitives, {slow} with slow lanes", known.len());
    assert!(known.len() > 1000);
}

#[test]
fn programs_of_random_rules_are_the_same_in_words() {
    let mut random = Random::new(22);
    let mut made = 0;
    for _ in 0..60 {
        let rule = random_rule(&mut random);
        for row in Op::ALL.iter().filter(|row| row.op.has_slot()) {
            if let Some(program) = program(row.op, &rule, true) {
                made += 1;
                check(&mut random, row.op, &rule, &program, 4, "");
            }
        }
    }
    assert!(made > 1000, "{made}");
}

/// The operations of a function that have slow lanes.
fn redone(function: &Function, mut visit: impl FnMut(Op, &Rule)) {
    function.walk(|_, op| {
        if let Kind::Redo(call) = function.ops[op as usize].kind {
            let call = &function.calls[call as usize];
            visit(call.op, &call.rule);
        }
    });
}

/// What has slow lanes in the corpus. `cargo test -p parallax-step --release --test all words -- --ignored --nocapture`.
#[test]
#[ignore = "figures"]
fn slow_lanes_of_the_corpus() {
    let mut programs = Programs::default();
    let mut found: BTreeMap<String, (usize, usize, Op, Rule)> = BTreeMap::new();
    for file in parallax_corpus::shaders() {
        let loaded = parallax::load(file.path, file.bytes, &parallax::LoadOptions::default());
        let canonical = canonicalise(loaded.shader.expect(file.path));
        for model in Model::builtins() {
            let bound = optimise(canonical.bind(&model), &mut NoObserver);
            let function = legalise(verify(&bound).expect("sound"), &mut programs);
            redone(&function, |op, rule| {
                let plain = Rule::ieee(Decl::F32, Format::F32).normalised(op);
                let fields = Field::ALL.iter().filter(|field| field.get(rule) != field.get(&plain));
                let words: Vec<String> = fields.map(|f| format!("{}={}", f.name, f.get(rule))).collect();
                let name = format!("{op} {:?} {} {}", rule.storage, rule.format, words.join(" "));
                found.entry(name).or_insert((0, op.info().args.len(), op, *rule)).0 += 1;
            });
        }
    }
    let mut random = Random::new(5);
    for (name, (count, arity, op, rule)) in &found {
        let program = program(*op, rule, true).expect("a program");
        let rows = operands(&mut random, *op, rule, 4000);
        let lanes = 0..4000;
        let slow = |args: &[u64]| program.eval(args, Nans::Plain).1;
        let corners = lanes.filter(|&n| slow(&rows.iter().map(|row| row[n]).collect::<Vec<_>>())).count();
        let mut usual = 0;
        for n in 0..20_000u64 {
            let args: Vec<u64> = (0..*arity)
                .map(|_| {
                    let v = random.word() as f64 / u64::MAX as f64 * (1 << (n % 5)) as f64;
                    match rule.storage {
                        Storage::F32 => u64::from((v as f32).to_bits()),
                        Storage::F64 => v.to_bits(),
                        _ => random.word() & 0xffff,
                    }
                })
                .collect();
            usual += usize::from(slow(&args));
        }
        println!("{count:5} args {arity} corners {corners}/4000 usual {usual}/20000 {name}");
    }
}
