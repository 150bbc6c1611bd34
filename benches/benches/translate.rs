//! From text to a runnable program, stage by stage.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Level, LoadOptions, load};
use parallax_benches::{PROGRAMS, chain, long_text, nvfp};
use parallax_core::num::Model;
use parallax_core::verify;
use parallax_interp::Bytecode;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::{Programs, legalise};
use std::hint::black_box;

fn translate(c: &mut Criterion) {
    let long = long_text(2000);
    let texts: Vec<(&str, &str)> = PROGRAMS.iter().map(|p| (p.name, p.text)).chain([("long", long.as_str())]).collect();
    let model = Model::builtin("ieee").expect("a built-in model");

    let mut group = c.benchmark_group("tgsi parse and lift");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| {
            b.iter(|| load("bench.tgsi", black_box(text.as_bytes()), &LoadOptions::default()));
        });
    }
    group.finish();

    let mut group = c.benchmark_group("tgsi parse");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| {
            b.iter(|| parallax_tgsi::parse(black_box(text)));
        });
    }
    group.finish();

    let mut group = c.benchmark_group("nvfp parse and lift");
    let load_nv = |text: &str| load("bench.nvfp", black_box(text.as_bytes()), &LoadOptions::default());
    for dialect in &nvfp::DIALECTS {
        let text = dialect.long_text(1000);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(dialect.name), |b| b.iter(|| load_nv(&text)));
    }
    let corpus: Vec<&str> = nvfp::corpus().into_iter().filter_map(|file| file.text()).collect();
    group.throughput(Throughput::Bytes(corpus.iter().map(|text| text.len() as u64).sum()));
    group.bench_function(BenchmarkId::from_parameter("corpus"), |b| {
        b.iter(|| corpus.iter().for_each(|text| drop(load_nv(text))));
    });
    group.finish();

    let shaders: Vec<_> = PROGRAMS
        .iter()
        .map(|p| {
            let shader = load("bench.tgsi", p.text.as_bytes(), &LoadOptions::default()).shader;
            (p.name, canonicalise(shader.expect("a program that loads")))
        })
        .collect();

    let mut group = c.benchmark_group("bind");
    for (name, shader) in &shaders {
        group.bench_with_input(BenchmarkId::from_parameter(name), shader, |b, shader| {
            b.iter(|| black_box(shader).bind(&model));
        });
    }
    // 64 instructions in three formats, under a model with many settings.
    let mixed = load("bench.nvfp", nvfp::sixty_four().as_bytes(), &LoadOptions::default()).shader;
    let mixed = mixed.expect("a program that loads");
    for name in ["ieee", "nvfp", "nv-patent"] {
        let model = Model::builtin(name).expect("a built-in model");
        group.bench_function(BenchmarkId::new("nv 64 instructions", name), |b| {
            b.iter(|| black_box(&mixed).bind(&model))
        });
    }
    // The first shader that a model binds: nothing is known of it yet.
    for name in ["ieee", "nvfp", "llvmpipe", "vc4"] {
        let model = Model::builtin(name).expect("a built-in model");
        group.bench_function(BenchmarkId::new("first", name), |b| {
            let fresh = || model.clone().with_probe(model.probe());
            b.iter_batched(fresh, |model| black_box(&mixed).bind(&model), criterion::BatchSize::SmallInput)
        });
    }
    group.finish();

    let mut group = c.benchmark_group("optimise");
    for (name, shader) in &shaders {
        let bound = shader.bind(&model);
        group.bench_with_input(BenchmarkId::from_parameter(name), &bound, |b, bound| {
            b.iter_batched(|| bound.clone(), |bound| optimise(bound, &mut NoObserver), BatchSize::SmallInput);
        });
    }
    group.finish();

    // Time per op, of short and of long shaders, without control and with a branch every third instruction.
    let mut group = c.benchmark_group("optimise per op");
    for (kind, control) in [("straight", false), ("branches", true)] {
        for instructions in [256, 4096] {
            let text = chain(instructions, control);
            let shader = load("bench.tgsi", text.as_bytes(), &LoadOptions::default()).shader;
            let bound = canonicalise(shader.expect("a program that loads")).bind(&model);
            group.throughput(Throughput::Elements(bound.func.live_ops() as u64));
            group.bench_with_input(BenchmarkId::new(kind, instructions), &bound, |b, bound| {
                b.iter_batched(|| bound.clone(), |bound| optimise(bound, &mut NoObserver), BatchSize::SmallInput);
            });
        }
    }
    group.finish();

    let mut group = c.benchmark_group("legalise");
    let mut programs = Programs::default();
    for (name, shader) in &shaders {
        let bound = optimise(shader.bind(&model), &mut NoObserver);
        group.bench_with_input(BenchmarkId::from_parameter(name), &bound, |b, bound| {
            b.iter(|| legalise(verify(black_box(bound)).expect("a valid shader"), &mut programs));
        });
    }
    group.finish();

    // All of it. Step programs of rules are kept from shader to shader, as the engine does.
    let bind = |text: &str| {
        let shader = load("bench.tgsi", text.as_bytes(), &LoadOptions::default()).shader;
        optimise(canonicalise(shader.expect("a program that loads")).into_bound(&model), &mut NoObserver)
    };
    let mut group = c.benchmark_group("text to interpreter");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| {
            b.iter(|| Bytecode::new(verify(&bind(black_box(text))).expect("a valid shader")));
        });
    }
    group.finish();
    if let Some(level) = Level::best() {
        let mut group = c.benchmark_group(format!("text to code {level}"));
        for (name, text) in &texts {
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(name), text, |b, text| {
                b.iter(|| {
                    let bound = bind(black_box(text));
                    let verified = verify(&bound).expect("a valid shader");
                    parallax_x86::compile(verified, level, &mut programs).expect("compiles")
                });
            });
        }
        group.finish();
    }

    let mut group = c.benchmark_group("verify and lower");
    for (name, shader) in &shaders {
        let bound = shader.bind(&model);
        group.bench_with_input(BenchmarkId::from_parameter(name), &bound, |b, bound| {
            b.iter(|| Bytecode::new(verify(black_box(bound)).expect("a valid shader")));
        });
    }
    group.finish();
}

criterion_group!(benches, translate);
criterion_main!(benches);
