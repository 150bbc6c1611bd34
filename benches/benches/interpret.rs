//! Fragments per second of the interpreter, on one thread and on all.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Control, Draw, Engine, LoadOptions, Optimise, Target, Targets, Workers, compile, load, run_draw};
use parallax_benches::{CONSTANT, PROGRAMS};
use parallax_core::num::Model;

const SIDE: u32 = 1024;

fn interpret(c: &mut Criterion) {
    let all = Workers::new(0).expect("threads");
    let workers = [("1 thread".to_string(), Workers::serial()), (format!("{} threads", all.threads()), all)];
    for (threads, workers) in &workers {
        for name in ["ieee", "nv-patent", "nvfp", "binary64"] {
            let mut group = c.benchmark_group(format!("interpret {name} {threads}"));
            group.throughput(Throughput::Elements(u64::from(SIDE * SIDE)));
            let model = Model::builtin(name).expect("a built-in model");
            for program in [CONSTANT].iter().chain(PROGRAMS) {
                let loaded = load("bench.tgsi", program.text.as_bytes(), &LoadOptions::default());
                let shader = loaded.shader.expect("a program that loads");
                let compiled = compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("a valid shader");
                let mut draw = Draw::defaults(&shader.func.iface).expect("defaults");
                (draw.width, draw.height) = (SIDE, SIDE);
                draw.targets = Targets::all(Target::Fp32);
                group.bench_function(BenchmarkId::from_parameter(program.name), |b| {
                    b.iter(|| run_draw(&compiled, &draw, workers, Control::default()).expect("a frame"));
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, interpret);
criterion_main!(benches);
