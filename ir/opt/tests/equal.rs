//! Passes change no bit: random shaders, every built-in model, outputs, coverage and fuel status.

use parallax_core::exec::{Memory, Outputs};
use parallax_core::text::{AnyShader, print, read, read_any};
use parallax_core::{Bound, Shader, State, verify};
use parallax_gen::{Batch, choices, kernel, shader};
use parallax_interp::{Bytecode, Scratch};
use parallax_num::Model;
use parallax_opt::{CANONICALISE, NoObserver, PASSES, canonicalise, clean_up, optimise, renumber};
use proptest::prelude::*;

/// Outputs, and buffers after the run.
type Results = (Outputs, Vec<Vec<u32>>);

fn run(shader: &Shader<Bound>, batch: &Batch) -> Results {
    let verified = sound(shader);
    let program = Bytecode::new(verified);
    let (mut outputs, mut buffers) = (Outputs::default(), batch.buffers());
    let memory = Memory::Exclusive(&mut buffers);
    batch.with(|inputs| program.run_in(inputs, memory, &mut Scratch::default(), &mut outputs));
    // A program whose barriers are all gone has nothing to say of them.
    if !outputs.missed_barrier.contains(&true) {
        outputs.missed_barrier.clear();
    }
    (outputs, buffers)
}

fn sound<S: State>(shader: &Shader<S>) -> parallax_core::Verified<'_, S> {
    match verify(shader) {
        Ok(verified) => verified,
        Err(diags) => panic!("{diags:?}\n{}", print(shader)),
    }
}

/// Everything one list of choices is tried for; `models` are taken in turn.
fn check(list: &[u32], models: &[Model]) {
    let symbolic = if list.len() % 3 == 2 { kernel(list) } else { shader(list) };
    let batch = Batch::new(&choices(list.len() as u64 + 1, 2000), &symbolic.func.iface, 8);
    let canonical = canonicalise(symbolic.clone());
    sound(&canonical);
    let clean = clean_up(symbolic.clone());
    // Texts number what they hold by themselves.
    let mut renumbered = canonical.clone();
    renumber::renumber(&mut renumbered.func);
    sound(&renumbered);
    assert_eq!(print(&renumbered), print(&canonical));
    assert_eq!(renumbered.func.ops.len(), canonical.func.live_ops());
    for model in models {
        let bound = symbolic.bind(model);
        let expected = run(&bound, &batch);
        // A kernel in which invocations miss a barrier is in error, and where it stops is not defined.
        if !expected.0.missed_barrier.is_empty() {
            continue;
        }
        let same = |after: &Shader<Bound>, what: &str| {
            let found = run(after, &batch);
            assert!(
                found == expected,
                "{what} under {}: {}\n--- before\n{}\n--- after\n{}",
                model.label(),
                difference(&expected, &found),
                print(&bound),
                print(after)
            );
        };
        same(&canonical.bind(model), "canonicalise");
        same(&optimise(bound.clone(), &mut NoObserver), "optimise");
        let optimised = optimise(canonical.bind(model), &mut NoObserver);
        same(&optimised, "canonicalise and optimise");
        // Sharing reads early only saves value numbering work.
        assert_eq!(print(&optimised), print(&optimise(clean.bind(model), &mut NoObserver)), "{}", model.label());
        for pass in PASSES {
            let mut after = bound.clone();
            (pass.run)(&mut after);
            same(&after, pass.name);
            // Twice, on its own result.
            (pass.run)(&mut after);
            same(&after, pass.name);
        }
    }
    for pass in CANONICALISE {
        let mut after = symbolic.clone();
        (pass.run)(&mut after);
        sound(&after);
    }
}

fn difference((a, a_buffers): &Results, (b, b_buffers): &Results) -> String {
    if a_buffers != b_buffers {
        return format!("buffers {a_buffers:x?} became {b_buffers:x?}");
    }
    for (n, (x, y)) in a.planes.iter().zip(&b.planes).enumerate() {
        for (lane, (x, y)) in x.to_words().iter().zip(y.to_words()).enumerate() {
            if *x != y {
                return format!("output {} component {} lane {lane}: {x:#x} became {y:#x}", n / 4, n % 4);
            }
        }
    }
    match (a.covered != b.covered, a.missed_barrier != b.missed_barrier) {
        (true, _) => "coverage".into(),
        (_, true) => "a barrier".into(),
        _ => "fuel".into(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn optimised_equals_unoptimised(
        list in prop::collection::vec(any::<u32>(), 0..500),
        model in any::<prop::sample::Index>(),
    ) {
        let models = Model::builtins();
        check(&list, &[model.get(&models).clone()]);
    }
}

/// Every built-in model on the same shaders.
#[test]
fn every_model_is_tried() {
    let models = Model::builtins();
    for seed in 0..6 {
        check(&choices(seed, 300 + seed as usize % 3), &models);
    }
}

/// Probes and settings make rules of their own.
#[test]
fn probes_and_settings_are_tried() {
    let models: Vec<Model> =
        ["rogue@random:7", "nv-patent@low", "maxwell@high", "maxwell@low", "ieee[round=rdn]", "binary64"]
            .iter()
            .filter_map(|name| Model::parse(name).ok())
            .collect();
    assert_eq!(models.len(), 6);
    for seed in 100..106 {
        check(&choices(seed, 300), &models);
    }
}

/// Many shaders for a long run: `cargo test -p parallax-opt --release -- --ignored`.
#[test]
#[ignore = "long"]
fn many_shaders() {
    let models = Model::builtins();
    for seed in 1000..20_000 {
        check(&choices(seed, 40 + seed as usize % 600), &models[seed as usize % models.len()..][..1]);
    }
}

/// A kernel whose only op of subgroups nobody reads: its invocations race for a word, and eight go in step or four.
const COUNTING: &str = "shader \"counting\" stage(compute) from(\"test\") {
  workgroup 8 1 1
  buffer 0 \"words\"
  %0: i32 = lit 0
  %1: i32 = sys local_x
  buffer.store b0[%0], %1
  %2: i32 = group.reduce iadd inclusive 8, %1, %1
  %3: i32 = lit 0xffffffff
  %4: i32 = atomic.inc_wrap b0[%0], %3
  yield
}
";

/// Passes had let the quads of such a kernel go one after the other.
#[test]
fn a_kernel_without_its_last_op_of_subgroups_stays_in_step() {
    let symbolic = read(COUNTING).expect("a shader");
    let canonical = canonicalise(symbolic.clone());
    assert!(!canonical.func.has_subgroup_ops() && canonical.func.iface.in_subgroups);
    let batch = Batch::new(&choices(1, 100), &symbolic.func.iface, 8);
    for model in Model::builtins() {
        let plain = run(&symbolic.bind(&model), &batch);
        assert_eq!(run(&canonical.bind(&model), &batch), plain, "{}", model.label());
        // So does what is read from its text.
        let optimised = optimise(symbolic.bind(&model), &mut NoObserver);
        assert_eq!(run(&optimised, &batch), plain, "{}", model.label());
        let models = |label: &str| (model.label() == label).then(|| model.clone());
        let Ok(AnyShader::Bound(again)) = read_any(&print(&optimised), &models) else {
            panic!("{}", print(&optimised))
        };
        assert_eq!(run(&again, &batch), plain, "{}", model.label());
    }
}
