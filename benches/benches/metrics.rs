//! What comparing a frame with the reference's costs per pixel, on one thread.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Control, Draw, Engine, Frame, LoadOptions, Optimise, Workers, compile, load, run_draw};
use parallax_benches::PROGRAMS;
use parallax_core::num::{Model, Tier};
use parallax_report::{Comparison, Detail, FrameRead, Snapshot, Subject, count, measure};
use std::hint::black_box;

/// As large as `compare` draws programs that ask for no size.
const SIDE: u32 = 128;

/// A program's frame under a model.
fn frame(text: &str, model: &str) -> Frame {
    let shader = load("bench.tgsi", text.as_bytes(), &LoadOptions::default()).shader.expect("a program that loads");
    let draw = Draw { width: SIDE, height: SIDE, ..Draw::defaults(&shader.func.iface).expect("defaults") };
    let model = Model::builtin(model).expect("a built-in model");
    let compiled = compile(&shader, &model, Optimise::Yes, Engine::default()).expect("a program that compiles");
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("a draw that ends")
}

fn metrics(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let mut group = c.benchmark_group("metrics");
    group.throughput(Throughput::Elements(u64::from(SIDE) * u64::from(SIDE)));
    for program in PROGRAMS.iter().filter(|program| matches!(program.name, "phong" | "parallax_kill")) {
        let [reference, plain, found] = ["binary64", "ieee", "nv-patent"].map(|model| frame(program.text, model));
        let id = |what| BenchmarkId::new(what, program.name);
        let (expected, read) = (FrameRead::new(&reference), FrameRead::new(&found));
        group.bench_function(id("read"), |b| b.iter(|| pool.install(|| FrameRead::new(black_box(&found)))));
        group.bench_function(id("measure"), |b| b.iter(|| pool.install(|| measure(black_box(&read), &expected))));
        group.bench_function(id("count"), |b| b.iter(|| pool.install(|| count(black_box(&read), &expected))));
        group.bench_function(id("snapshot"), |b| b.iter(|| pool.install(|| Snapshot::new(black_box(&found)))));
        let shots = [&plain, &found].map(Snapshot::new);
        group.bench_function(id("distance"), |b| b.iter(|| black_box(&shots[0]).distance(&shots[1])));
        // All that a comparison without pictures does with one more model: for tables, and for a summary.
        for (what, figures) in [("comparison", true), ("summary", false)] {
            let detail = Detail { pictures: false, figures, ..Detail::default() };
            let compared = |found: &Frame| {
                let mut comparison = Comparison::new(&reference, Some(&plain), detail);
                comparison.add("nv-patent", Tier::Exact, found);
                comparison.finish(Subject::default())
            };
            group.bench_function(id(what), |b| b.iter(|| pool.install(|| compared(black_box(&found)))));
        }
    }
    group.finish();
}

criterion_group!(benches, metrics);
criterion_main!(benches);
