//! Machine code: how long making it takes, what a batch of lanes takes, and whole frames on one thread.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{
    Control, Draw, Engine, Level, LoadOptions, Optimise, Target, Targets, Workers, compile_bound, load, run_draw,
};
use parallax_benches::{CONSTANT, PROGRAMS};
use parallax_core::exec::{Inputs, Memory, NoInterpolator, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, verify};
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::Programs;

const SIDE: u32 = 1024;
const MODELS: [&str; 3] = ["ieee", "nv-patent", "binary64"];
const LANES: usize = 1024;

fn bound(text: &str, model: &str) -> Shader<Bound> {
    let loaded = load("bench.tgsi", text.as_bytes(), &LoadOptions::default());
    let shader = canonicalise(loaded.shader.expect("a program that loads"));
    optimise(shader.bind(&Model::builtin(model).expect("a built-in model")), &mut NoObserver)
}

fn draw(shader: &Shader<Bound>) -> Draw {
    let mut draw = Draw::defaults(&shader.func.iface).expect("defaults");
    (draw.width, draw.height) = (SIDE, SIDE);
    draw.targets = Targets::all(Target::Fp32);
    draw
}

/// Levels that this host runs.
fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported())
}

fn machine_code(c: &mut Criterion) {
    if !Engine::has_machine_code() {
        return;
    }
    for name in MODELS {
        let mut programs = Programs::default();
        for program in [CONSTANT].iter().chain(PROGRAMS) {
            let shader = bound(program.text, name);
            let id = BenchmarkId::from_parameter(program.name);

            let verified = verify(&shader).expect("sound");
            let draw = draw(&shader);
            for level in levels() {
                let mut group = c.benchmark_group(format!("machine code {name} make {level}"));
                group.bench_function(id.clone(), |b| {
                    b.iter(|| parallax_x86::compile(verified, level, &mut programs).expect("compiles"));
                });
                group.finish();

                let mut group = c.benchmark_group(format!("machine code {name} batch {level}"));
                group.throughput(Throughput::Elements(LANES as u64));
                let code = parallax_x86::compile(verified, level, &mut programs).expect("compiles");
                let planes = shader.func.iface.attrs.len() * 4 * LANES;
                let attrs: Vec<u32> = (0..planes).map(|n| (0.1 + (n % 977) as f32 / 1000.0).to_bits()).collect();
                let banks: Vec<&[[u32; 4]]> = draw.banks.iter().map(Vec::as_slice).collect();
                let covered = vec![true; LANES];
                let inputs = Inputs {
                    lanes: LANES,
                    attrs: &attrs,
                    banks: &banks,
                    sysvals: &[],
                    covered: &covered,
                    textures: &draw.textures,
                    interpolator: &NoInterpolator,
                    fuel: draw.fuel,
                };
                let mut outputs = Outputs::default();
                let executable: &dyn parallax_core::backend::Executable = &code;
                let mut runner = executable.runner();
                group.bench_function(id.clone(), |b| b.iter(|| runner.run(&inputs, Memory::NONE, &mut outputs)));
                group.finish();
            }

            let compiled = levels().map(|level| match level {
                Level::Avx2 => Engine::JitAvx2,
                Level::Avx512 => Engine::JitAvx512,
            });
            for engine in [Engine::Interp].into_iter().chain(compiled) {
                let mut group = c.benchmark_group(format!("machine code {name} frame {engine}"));
                group.throughput(Throughput::Elements(u64::from(SIDE * SIDE)));
                let compiled = compile_bound(shader.clone(), Optimise::Yes, engine).expect("a valid shader");
                let workers = Workers::serial();
                group.bench_function(id.clone(), |b| {
                    b.iter(|| run_draw(&compiled, &draw, &workers, Control::default()).expect("a frame"));
                });
                group.finish();
            }
        }
    }
}

criterion_group!(benches, machine_code);
criterion_main!(benches);
