//! Kernels by every engine on one thread. Their results are checked first.
//!
//! With `KERNEL_TIMES` set to a file the least time of each in machine code is written there instead, for
//! `benches/kernels/run.sh`: kernel, engine, milliseconds, checksum of the results. The prefix sum is also measured with
//! other numbers of barriers.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Compiled, Engine, Level, Optimise, compile, run_dispatch};
use parallax_benches::kernels::{Kernel, all, checksum};
use parallax_core::num::Model;
use parallax_core::text;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// How long a kernel runs again and again for its least time, and how often at least.
const MEASURED: (Duration, usize) = (Duration::from_millis(150), 5);

/// Levels of machine code that run here.
fn levels() -> impl Iterator<Item = Engine> {
    Level::ALL.into_iter().filter(|level| level.is_supported()).map(|level| match level {
        Level::Avx2 => Engine::JitAvx2,
        Level::Avx512 => Engine::JitAvx512,
    })
}

fn compiled(name: &str, listing: &str, engine: Engine) -> Compiled {
    let model = Model::builtin("ieee").expect("a built-in model");
    let shader = text::read(listing).unwrap_or_else(|diags| panic!("{name}: {diags:#?}"));
    compile(&shader, &model, Optimise::Yes, engine).expect("a valid kernel")
}

/// A line of the file of times.
fn least_time(kernel: &Kernel, name: &str, listing: &str, engine: Engine) -> String {
    let (compiled, dispatch) = (compiled(name, listing, engine), kernel.dispatch());
    let words = run_dispatch(&compiled, &dispatch).expect("runs").buffers.swap_remove(kernel.buffer);
    let (start, mut least, mut runs) = (Instant::now(), Duration::MAX, 0);
    while runs < MEASURED.1 || start.elapsed() < MEASURED.0 {
        let start = Instant::now();
        run_dispatch(&compiled, &dispatch).expect("runs");
        least = least.min(start.elapsed());
        runs += 1;
    }
    format!("{name}\t{engine}\t{:.4}\t{:08x}", least.as_secs_f64() * 1e3, checksum(&words))
}

/// The prefix sum with other numbers of barriers, each with its name. Without barriers, lanes that read each other's words would run in
/// another order than blocks, so where a sum reads what another lane has is another memory, which no lane changes.
fn with_other_barriers(listing: &str) -> [(&'static str, String); 3] {
    let repeated = |listing: &str, count: usize| -> String {
        let times = |line: &str| if line.trim() == "barrier" { count } else { 1 };
        listing.lines().flat_map(|line| std::iter::repeat_n([line, "\n"], times(line)).flatten()).collect()
    };
    let apart = [
        (
            "  buffer 1 \"shared\" workgroup(1024)\n",
            "  buffer 1 \"shared\" workgroup(1024)\n  buffer 2 \"apart\" workgroup(1024)\n",
        ),
        ("%15: i32 = buffer.load b1[%13]", "%15: i32 = buffer.load b2[%13]"),
    ]
    .into_iter()
    .fold(listing.to_owned(), |listing, (from, to)| {
        assert!(listing.contains(from), "the prefix sum has no {from:?}");
        listing.replace(from, to)
    });
    [
        ("prefix_sum, barriers twice", repeated(listing, 2)),
        ("prefix_sum, apart", apart.clone()),
        ("prefix_sum, apart, no barriers", repeated(&apart, 0)),
    ]
}

fn write_times(path: &str) {
    let mut out = String::new();
    for kernel in all() {
        let others = if kernel.name == "prefix_sum" { with_other_barriers(kernel.text).to_vec() } else { Vec::new() };
        for (name, listing) in std::iter::once((kernel.name, kernel.text.to_owned())).chain(others) {
            for engine in levels() {
                writeln!(out, "{}", least_time(&kernel, name, &listing, engine)).expect("a string");
            }
        }
    }
    std::fs::write(path, out).unwrap_or_else(|error| panic!("{path}: {error}"));
}

fn kernels(c: &mut Criterion) {
    if let Ok(path) = std::env::var("KERNEL_TIMES") {
        return write_times(&path);
    }
    for kernel in all() {
        let dispatch = kernel.dispatch();
        for engine in std::iter::once(Engine::Interp).chain(levels()) {
            let compiled = compiled(kernel.name, kernel.text, engine);
            let result = run_dispatch(&compiled, &dispatch).expect("runs");
            assert!(result.buffers[kernel.buffer] == kernel.wanted, "{} by {engine}", kernel.name);
            let mut group = c.benchmark_group(format!("kernel {}", kernel.name));
            group.throughput(Throughput::Elements(kernel.count)).sample_size(10);
            group.bench_function(BenchmarkId::from_parameter(engine), |b| {
                b.iter(|| run_dispatch(&compiled, &dispatch).expect("runs"));
            });
            group.finish();
        }
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
