//! From one instruction set to another: words or text of the source to text and to words of the target.
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

/// A translation in one of its encodings; whether there is one.
type Work = fn(&Source, &Target) -> bool;

const TO_TEXT: Work = |source, target| source.translated(target).is_some();
const TO_WORDS: Work = |source, target| source.words(target).is_some();

/// The head of a table with a column for each target.
fn head(first: &str, targets: &[&Target]) {
    let names: Vec<String> = targets.iter().map(|target| format!("`{}`", target.name)).collect();
    println!("\n| {first} | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
}

/// A line of it, from nanoseconds an instruction.
fn line(first: &str, source: &Source, targets: &[&Target], work: Work, runs: usize, print: fn(f64) -> String) {
    let cell = |target: &&Target| match work(source, target) {
        true => print(shortest(source, runs, || work(source, target))),
        false => "refused".to_string(),
    };
    println!("| {first} | {} |", targets.iter().map(cell).collect::<Vec<_>>().join(" | "));
}

/// Million instructions a second for each pair, to text and to words, and nanoseconds an instruction by length.
fn table() {
    let with_words: Vec<&Target> = TARGETS.iter().copied().filter(|target| WITH_WORDS.contains(&target.name)).collect();
    let rate = |time: f64| format!("{:.2}", 1e3 / time);
    println!("| from | to canonical IR |\n|---|---|");
    for set in &STRAIGHT {
        let source = Source::new(set, COUNT);
        println!("| {} | {} |", set.set, rate(shortest(&source, 200, || source.read().map(canonicalise))));
    }
    for (what, targets, work) in [("text from", TARGETS, TO_TEXT), ("words from", &with_words, TO_WORDS)] {
        head(what, targets);
        for set in &STRAIGHT {
            line(set.set, &Source::new(set, COUNT), targets, work, 200, rate);
        }
    }
    for set in STRAIGHT.iter().filter(|set| set.limit >= 100_000) {
        for (what, targets, work) in [("text", TARGETS, TO_TEXT), ("words", &with_words, TO_WORDS)] {
            head(&format!("{} to {what}, instructions", set.set), targets);
            for (count, runs) in [(1000, 200), (10_000, 20), (100_000, 5)] {
                let source = Source::new(set, count);
                line(&count.to_string(), &source, targets, work, runs, |time| format!("{time:.0}"));
            }
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
