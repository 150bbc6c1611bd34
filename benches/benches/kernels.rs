//! Kernels that wait at barriers, by every engine on one thread. Their results are checked first.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Compiled, Dispatch, Engine, Level, NamedWords, Optimise, compile, run_dispatch};
use parallax_core::num::Model;
use parallax_core::text;

/// A kernel, what it runs on, and what comes out.
struct Kernel {
    name: &'static str,
    text: &'static str,
    grid: [u32; 3],
    words: NamedWords,
    /// A buffer by number, and its words afterwards.
    wanted: (usize, Vec<u32>),
    /// Elements of a run.
    count: u64,
}

/// Numbers that seem random.
fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|n| n.wrapping_mul(0x9e37_79b9).rotate_left(9) ^ n).collect()
}

fn prefix_sum() -> Kernel {
    let data = numbers(16 * 1024);
    let sums = data.chunks(1024).flat_map(|group| {
        group.iter().scan(0u32, |sum, &n| {
            *sum = sum.wrapping_add(n);
            Some(*sum)
        })
    });
    Kernel {
        name: "prefix_sum",
        text: include_str!("../shaders/prefix_sum.plx"),
        grid: [16, 1, 1],
        wanted: (0, sums.collect()),
        count: data.len() as u64,
        words: vec![("data".into(), data)],
    }
}

fn matrix_product() -> Kernel {
    const SIDE: usize = 256;
    let floats = |words: Vec<u32>| words.into_iter().map(|n| (n >> 8) as f32 / 65536.0 - 128.0).collect::<Vec<f32>>();
    let (a, b) = (floats(numbers(1 << 16)), floats(numbers(1 << 17).split_off(1 << 16)));
    let product = |at: usize| {
        let (row, column) = (at / SIDE, at % SIDE);
        (0..SIDE).fold(0f32, |sum, n| a[row * SIDE + n].mul_add(b[n * SIDE + column], sum)).to_bits()
    };
    let bits = |floats: &[f32]| floats.iter().map(|f| f.to_bits()).collect::<Vec<u32>>();
    Kernel {
        name: "matrix_product_256",
        text: include_str!("../shaders/matrix_product.plx"),
        grid: [16, 16, 1],
        wanted: (2, (0..SIDE * SIDE).map(product).collect()),
        count: (SIDE * SIDE * SIDE) as u64,
        words: vec![("a".into(), bits(&a)), ("b".into(), bits(&b)), ("c".into(), vec![0; SIDE * SIDE])],
    }
}

fn histogram() -> Kernel {
    let data = numbers(1 << 16);
    let mut counts = vec![0; 256];
    data.iter().for_each(|n| counts[(n & 255) as usize] += 1);
    Kernel {
        name: "histogram",
        text: include_str!("../shaders/histogram.plx"),
        grid: [256, 1, 1],
        wanted: (1, counts),
        count: data.len() as u64,
        words: vec![("data".into(), data), ("counts".into(), vec![0; 256])],
    }
}

fn kernels(c: &mut Criterion) {
    let model = Model::builtin("ieee").expect("a built-in model");
    let levels = Level::ALL.into_iter().filter(|level| level.is_supported()).map(|level| match level {
        Level::Avx2 => Engine::JitAvx2,
        Level::Avx512 => Engine::JitAvx512,
    });
    let engines: Vec<Engine> = std::iter::once(Engine::Interp).chain(levels).collect();
    for kernel in [prefix_sum(), matrix_product(), histogram()] {
        let shader = text::read(kernel.text).unwrap_or_else(|diags| panic!("{}: {diags:#?}", kernel.name));
        let dispatch = Dispatch { grid: kernel.grid, words: kernel.words, ..Dispatch::default() };
        for &engine in &engines {
            let compiled: Compiled = compile(&shader, &model, Optimise::Yes, engine).expect("a valid kernel");
            let result = run_dispatch(&compiled, &dispatch).expect("runs");
            let (buffer, words) = &kernel.wanted;
            assert!(result.buffers[*buffer] == *words, "{} by {engine}", kernel.name);
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
