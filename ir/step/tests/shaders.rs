//! Whole shaders in step form, run by the interpreter with scrambled NaN, against the reference executor; and that the corpus needs
//! no fallback.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_core::exec::{Memory, Outputs};
use parallax_core::{Bound, Shader, verify};
use parallax_gen::{Batch, choices, shader};
use parallax_interp::{Bytecode, Scratch};
use parallax_num::{Decl, Field, Format, Model, Rule};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::{Arithmetic, Call, Function, Nans, Prim, Programs, legalise, legalise_for, text};
use std::collections::BTreeMap;

fn expected(shader: &Shader<Bound>, batch: &Batch) -> (Outputs, Vec<Vec<u32>>) {
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| parallax_reference::run(verify(shader).expect("sound"), inputs, memory, &mut outputs));
    (outputs, buffers)
}

fn found(function: &Function, batch: &Batch, seed: u64) -> (Outputs, Vec<Vec<u32>>) {
    let program = Bytecode::of_steps(function).with_nans(Nans::Scrambled(seed));
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| program.run_in(inputs, memory, &mut Scratch::default(), &mut outputs));
    (outputs, buffers)
}

/// A function verifies, and its text reads back to a function with that text.
fn sound(function: &Function, models: &dyn Fn(&str) -> Option<Model>) -> Function {
    assert_eq!(parallax_step::verify(function), Ok(()), "{}", text::print(function));
    let printed = text::print(function);
    let back = parallax_forms::steps::read(&printed, models).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(parallax_step::verify(&back), Ok(()));
    assert_eq!(text::print(&back), printed);
    assert_eq!(back.counts(), function.counts());
    back
}

fn compare(bound: &Shader<Bound>, function: &Function, batch: &Batch, seed: u64) -> u64 {
    let (outputs, buffers) = expected(bound, batch);
    let (results, after) = found(function, batch, seed);
    for (n, (plane, found)) in outputs.planes.iter().zip(&results.planes).enumerate() {
        let (want, words) = (plane.to_words(), found.to_words());
        assert!(
            want.is_empty() || want == words,
            "output {} component {} under {}: {words:x?}, not {want:x?}",
            n / 4,
            n % 4,
            function.model,
        );
    }
    assert_eq!(outputs.covered, results.covered, "coverage under {}", function.model);
    assert_eq!(outputs.out_of_fuel, results.out_of_fuel, "fuel under {}", function.model);
    assert_eq!(outputs.discarded, results.discarded, "samples under {}", function.model);
    assert_eq!(buffers, after, "buffers under {}", function.model);
    results.covered.len() as u64
}

/// A random shader under models, at several numbers of lanes, as it is and optimised.
fn check(list: &[u32], models: &[Model], programs: &mut Programs, width: usize) -> u64 {
    let symbolic = shader(list);
    let canonical = canonicalise(symbolic.clone());
    let mut lanes = 0;
    for model in models {
        let seed = list.len() as u64 + 1;
        let plain = symbolic.bind(model);
        let optimised = optimise(canonical.bind(model), &mut NoObserver);
        for bound in [plain, optimised] {
            let function = legalise(verify(&bound).expect("sound"), programs);
            let batch = Batch::new(&choices(seed, 2000 + width * 40), &bound.func.iface, width);
            let back = sound(&function, &|label| (model.label() == label).then(|| model.clone()));
            lanes += compare(&bound, &function, &batch, seed);
            lanes += compare(&bound, &back, &batch, seed);
            for quad in batch.quads() {
                lanes += compare(&bound, &function, &quad, seed + 1);
            }
        }
    }
    lanes
}

#[test]
fn random_shaders_give_the_bits_of_the_reference() {
    let models = Model::builtins();
    let mut programs = Programs::default();
    for seed in 0..60 {
        let pair = [seed as usize, seed as usize * 7 + 3].map(|n| models[n % models.len()].clone());
        check(&choices(seed, 40 + seed as usize * 7 % 300), &pair, &mut programs, 8);
    }
}

/// Probes and settings make rules of their own; some have no programs.
#[test]
fn probes_and_settings() {
    let mut programs = Programs::default();
    let names = ["rogue@random:7", "nv-patent@low", "maxwell@high", "ieee[round=rdn]", "ieee[nan-compare=infinity]"];
    let models: Vec<Model> = names.iter().filter_map(|name| Model::parse(name).ok()).collect();
    assert!(models.len() >= 4);
    for seed in 100..110 {
        check(&choices(seed, 200), &models, &mut programs, 8);
    }
}

/// `cargo test -p parallax-step --release --test all shaders -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn many_shaders() {
    let models = Model::builtins();
    let mut programs = Programs::default();
    let mut lanes = 0;
    for seed in 1000..30_000u64 {
        let n = seed as usize;
        lanes += check(&choices(seed, 40 + n % 500), &models[n % models.len()..][..1], &mut programs, 64);
        if lanes > 5_000_000 {
            println!("{lanes} lanes, seeds to {seed}");
            break;
        }
    }
}

/// An operation, and what its rule has that the plain one has not.
fn described(call: &Call) -> String {
    let plain = Rule::ieee(Decl::F32, Format::F32).normalised(call.op);
    let fields = Field::ALL.iter().filter(|field| field.get(&call.rule) != field.get(&plain));
    let words: Vec<String> = fields.map(|field| format!("{}={}", field.name, field.get(&call.rule))).collect();
    format!("{} {:?}<-{:?} {} {}", call.op, call.rule.storage, call.rule.source, call.rule.format, words.join(" "))
}

/// Where a machine gives the first NaN, only what may take its operands in another order keeps the choice.
#[test]
fn a_machine_that_gives_the_first_nan_is_not_asked_for_it() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMAD OUT[0].x, IN[0].xxxx, IN[0].yyyy, IN[0].zzzz\n\
        MUL OUT[0].y, IN[0].xxxx, IN[0].wwww\nDIV OUT[0].z, IN[0].yyyy, IN[0].zzzz\nEND\n";
    let loaded = parallax::load("nan.tgsi", text.as_bytes(), &parallax::LoadOptions::default());
    let model = Model::builtin("ieee").expect("a built-in model");
    let bound = optimise(canonicalise(loaded.shader.expect("a program that loads")).bind(&model), &mut NoObserver);
    let verified = verify(&bound).expect("sound");
    let mut programs = Programs::default();
    let mut choices = |arithmetic: Arithmetic| {
        let function = legalise_for(verified, &mut programs, arithmetic);
        assert_eq!(parallax_step::verify(&function), Ok(()));
        let mut behind = Vec::new();
        function.walk(|_, op| {
            let first = function.ops[op as usize].inst().filter(|inst| inst.prim == Prim::First);
            behind.extend(first.map(|first| {
                let made = function.ops.iter().find(|made| made.results().contains(&first.args[0]));
                made.and_then(|made| made.inst()).expect("a primitive").prim
            }));
        });
        // What is read is only quieted.
        behind.retain(|&prim| prim != Prim::Float);
        behind
    };
    assert_eq!(choices(Arithmetic::AnyNan), [Prim::Fma, Prim::Fmul, Prim::Fdiv]);
    assert_eq!(choices(Arithmetic::FirstNan), [Prim::Fmul]);
}

/// Every operation of the corpus has a step program under every built-in model.
#[test]
fn the_corpus_has_no_fallbacks() {
    let mut programs = Programs::default();
    let mut fallbacks: BTreeMap<String, usize> = BTreeMap::new();
    let (mut steps, mut redone, mut ops) = (0, 0, 0);
    for file in parallax_corpus::shaders() {
        let loaded = parallax::load(file.path, file.bytes, &parallax::LoadOptions::default());
        let canonical = canonicalise(loaded.shader.expect(file.path));
        for model in Model::builtins() {
            let bound = optimise(canonical.bind(&model), &mut NoObserver);
            let function = legalise(verify(&bound).expect("sound"), &mut programs);
            let counts = function.counts();
            (steps, redone, ops) = (steps + counts.steps, redone + counts.redone, ops + bound.func.live_ops());
            for call in function.fallbacks() {
                *fallbacks.entry(described(call)).or_default() += 1;
            }
        }
    }
    println!("{ops} ops, {steps} steps, {redone} redone; {:?}", programs.counts());
    assert_eq!(fallbacks, BTreeMap::new());
}
