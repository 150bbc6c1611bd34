//! ATTILA: decoding, printing, assembling, lifting.
//!
//! Two mixes: `corpus` repeats the instructions of the corpus programs in their order; `shuffled` draws every row of the
//! table equally often with random operands, so that no branch can be predicted from the one before.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_attila::{Instr, Program, assemble, codec, lift};
use parallax_isa::{Generator, Out, Style};
use parallax_lift::Options;
use std::hint::black_box;

/// Instructions per round: 1 MiB of words.
const COUNT: usize = 1 << 16;

fn corpus() -> Vec<&'static str> {
    parallax_corpus::shaders().filter(|f| f.folder() == "attila").filter_map(|f| f.text()).collect()
}

fn mixes() -> [(&'static str, Vec<u128>); 2] {
    let programs = corpus().into_iter().map(|text| assemble(text).0.expect("a corpus program assembles"));
    let words: Vec<u128> = programs.flat_map(|p| p.instrs).map(|i| i.word()).collect();
    let mut generator = Generator::new(1);
    [
        ("corpus", words.into_iter().cycle().take(COUNT).collect()),
        ("shuffled", (0..COUNT).map(|_| canonical(generator.any(codec(), false).word())).collect()),
    ]
}

/// Without bits that have no spelling.
fn canonical(word: u128) -> u128 {
    codec().decode(word).map_or(word, |row| codec().canonical(row, word).word())
}

fn binary(words: &[u128]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("attila decode");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, words) in mixes() {
        let bytes = binary(&words);
        let nop = Instr::decode(codec(), 0).expect("a word of zeros is `nop`");
        let mut instrs = vec![nop; COUNT];
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let codec = codec();
                let (chunks, _) = black_box(bytes.as_slice()).as_chunks::<16>();
                let mut refused = 0;
                for (slot, chunk) in instrs.iter_mut().zip(chunks) {
                    match Instr::decode(codec, u128::from_le_bytes(*chunk)) {
                        Ok(instr) => *slot = instr,
                        Err(_) => refused += 1,
                    }
                }
                assert_eq!(refused, 0);
            });
        });
    }
    group.finish();
}

fn print(c: &mut Criterion) {
    let mut group = c.benchmark_group("attila decode and print");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (name, words) in mixes() {
        let bytes = binary(&words);
        let mut out = Out::with_capacity(COUNT * 64);
        for (style, style_name) in [(Style::Vendor, "plain"), (Style::Exact, "exact")] {
            group.bench_function(BenchmarkId::new(style_name, name), |b| {
                b.iter(|| {
                    out.clear();
                    let codec = codec();
                    let (chunks, _) = black_box(bytes.as_slice()).as_chunks::<16>();
                    for chunk in chunks {
                        let word = u128::from_le_bytes(*chunk);
                        if let Ok(row) = codec.decode(word) {
                            codec.print(row, word, style, &mut out);
                            out.char(b'\n');
                        }
                    }
                    out.len()
                });
            });
        }
    }
    group.finish();
}

fn text(c: &mut Criterion) {
    let mut group = c.benchmark_group("attila assemble");
    for (name, words) in mixes() {
        let printed = Program::decode(&binary(&words)).0.text(Style::Exact);
        group.throughput(Throughput::Bytes(printed.len() as u64));
        group.bench_function(BenchmarkId::new("printed", name), |b| b.iter(|| assemble(black_box(&printed))));
    }
    let written = corpus().concat().repeat(20);
    group.throughput(Throughput::Bytes(written.len() as u64));
    group.bench_function(BenchmarkId::new("written", "corpus"), |b| b.iter(|| assemble(black_box(&written))));
    group.finish();
}

fn lifting(c: &mut Criterion) {
    let options = Options::default();
    let mut binaries: Vec<(&str, Vec<u8>)> = Vec::new();
    for file in parallax_corpus::shaders().filter(|f| f.folder() == "attila") {
        let program = file.text().and_then(|text| assemble(text).0).expect("a corpus program assembles");
        binaries.push((file.stem(), program.encode_ended()));
    }
    // All bodies behind one another, ends taken away where they would cut the program short.
    let straight = ["blend", "blinn_phong", "checker_aa", "eclipse", "envmap", "plasma", "tonemap", "soap_bubble"];
    let mut long: Vec<u8> = Vec::new();
    for (_, bytes) in binaries.iter().filter(|(name, _)| straight.contains(name)) {
        let (program, _) = Program::decode(bytes);
        long.extend(program.instrs.iter().flat_map(|i| i.with_end(false).bytes()));
    }
    let mut long = long.repeat(2);
    let last = long.len() - 16;
    long[last + 1] |= 1;
    binaries.push(("long", long));
    let mut group = c.benchmark_group("attila binary to lifted IR");
    for (name, bytes) in &binaries {
        if !["blend", "blinn_phong", "raymarch", "long"].contains(name) {
            continue;
        }
        let shader = lift(&Program::decode(bytes).0, &options).expect("a corpus program lifts");
        let mut ops = 0;
        shader.func.walk(|_, _| ops += 1);
        group.throughput(Throughput::Elements(ops));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let (program, _) = Program::decode(black_box(bytes));
                lift(&program, &options)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decode, print, text, lifting);
criterion_main!(benches);
