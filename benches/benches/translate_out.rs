//! From one instruction set to another: words or text of the source to text of the target.
//!
//! `-- --table` prints the matrix of `docs/performance.md` instead, from the shortest of many runs in turns.
#![allow(clippy::print_stdout, reason = "the matrix")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group};
use parallax::{LoadOptions, Shader, Symbolic, load};
use parallax_benches::straight::{STRAIGHT, Straight};
use parallax_emit::{TARGETS, Target, Translation, keep_freed_memory, translate, translate_to_words};
use parallax_opt::canonicalise;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Targets that have words.
const WITH_WORDS: [&str; 4] = ["nv40", "attila", "spa5", "usc"];

/// Instructions of the programs.
const COUNT: usize = 1000;

/// A program of a set, and how it is loaded.
struct Source {
    bytes: Vec<u8>,
    options: LoadOptions,
    instructions: usize,
}

impl Source {
    fn new(set: &Straight, instructions: usize) -> Source {
        let bytes = set.program(instructions);
        let options = set.options();
        let loaded = load("bench", &bytes, &options);
        assert!(loaded.shader.is_some(), "{}: {:?}", set.set, loaded.diags.first());
        Source { instructions: loaded.instructions(), bytes, options }
    }

    fn read(&self) -> Option<Shader<Symbolic>> {
        load("bench", black_box(&self.bytes), &self.options).shader
    }

    /// The words of a translation; `None` if the target has none or refuses it.
    fn words(&self, target: &Target) -> Option<Vec<u8>> {
        translate_to_words(&canonicalise(self.read()?), target).ok()?.binary
    }

    /// All of a translation; `None` if the target refuses it.
    fn translated(&self, target: &Target) -> Option<Translation> {
        translate(&canonicalise(self.read()?), target).ok()
    }
}

fn pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("translate out");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    for set in &STRAIGHT {
        let source = Source::new(set, COUNT);
        group.throughput(Throughput::Elements(source.instructions as u64));
        for target in TARGETS.iter().filter(|target| source.translated(target).is_some()) {
            let id = BenchmarkId::new(set.set, target.name);
            group.bench_function(id, |b| b.iter(|| source.translated(target)));
        }
    }
    group.finish();
    let mut group = c.benchmark_group("translate out, lengths");
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(2));
    for count in [1000, 10_000, 100_000] {
        let source = Source::new(&STRAIGHT[0], count);
        group.throughput(Throughput::Elements(source.instructions as u64));
        for target in TARGETS.iter().filter(|target| source.translated(target).is_some()) {
            let id = BenchmarkId::new(target.name, count);
            group.bench_function(id, |b| b.iter(|| source.translated(target)));
        }
    }
    group.finish();
}

/// The shortest of so many runs in nanoseconds an instruction.
fn shortest<T>(source: &Source, runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut time = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    let best = (0..runs).map(|_| time()).min().unwrap_or_default();
    best.as_secs_f64() * 1e9 / source.instructions as f64
}

/// The same of a whole translation; `None` where the target refuses.
fn translation(source: &Source, target: &Target, runs: usize) -> Option<f64> {
    source.translated(target)?;
    Some(shortest(source, runs, || source.translated(target)))
}

/// Million instructions a second for each pair, to text and to words, and nanoseconds an instruction by length.
fn table() {
    let names: Vec<String> = TARGETS.iter().map(|target| format!("`{}`", target.name)).collect();
    let head = format!("{} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    println!("| from | to canonical IR | {head}---|");
    for set in &STRAIGHT {
        let source = Source::new(set, COUNT);
        let rate = |target: &&Target| {
            translation(&source, target, 200).map_or("refused".to_string(), |time| format!("{:.2}", 1e3 / time))
        };
        let read = shortest(&source, 200, || source.read().map(canonicalise));
        println!("| {} | {:.2} | {} |", set.set, 1e3 / read, TARGETS.iter().map(rate).collect::<Vec<_>>().join(" | "));
    }
    let with_words = || TARGETS.iter().filter(|target| WITH_WORDS.contains(&target.name));
    let names: Vec<String> = with_words().map(|target| format!("`{}`", target.name)).collect();
    println!("\n| words from | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
    for set in &STRAIGHT {
        let source = Source::new(set, COUNT);
        let rate = |target: &&Target| {
            source.words(target).map_or("refused".to_string(), |_| {
                format!("{:.2}", 1e3 / shortest(&source, 200, || source.words(target)))
            })
        };
        println!("| {} | {} |", set.set, with_words().map(rate).collect::<Vec<_>>().join(" | "));
    }
    for set in STRAIGHT.iter().filter(|set| set.limit >= 100_000) {
        println!("\n| {}, instructions | {head}", set.set);
        for (count, runs) in [(1000, 200), (10_000, 20), (100_000, 5)] {
            let source = Source::new(set, count);
            let time = |target: &&Target| {
                translation(&source, target, runs).map_or("refused".to_string(), |time| format!("{time:.0}"))
            };
            println!("| {count} | {} |", TARGETS.iter().map(time).collect::<Vec<_>>().join(" | "));
        }
    }
}

criterion_group!(benches, pairs);

fn main() {
    keep_freed_memory();
    if std::env::args().any(|arg| arg == "--table") {
        return table();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
