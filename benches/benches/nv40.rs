//! NV40 microcode: decoding, and lifting from words.
//!
//! `corpus` repeats the instructions of the embedded microcode in their order; `shuffled` draws every row of the table equally
//! often with random operands, so that no branch can be predicted from the one before.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_isa::{Code, Generator, Stream};
use parallax_lift::Options;
use parallax_nvfp::lift;
use parallax_nvfp::nv40::{Order, Program, codec, sniff};
use std::hint::black_box;

/// Instructions of a program: as many as one may have.
const COUNT: usize = 1 << 16;

/// The embedded microcode, decoded.
fn corpus() -> Vec<(&'static str, Program)> {
    let files = parallax_corpus::shaders().filter(|f| f.folder() == "nv40");
    files.filter_map(|f| Some((f.stem(), Program::decode(f.bytes, sniff(f.bytes)?).0))).collect()
}

/// A program of so many instructions, only the last of which ends it.
fn program(codes: impl Iterator<Item = Code>, order: Order) -> Vec<u8> {
    let stream = order.stream();
    let mut bytes = Vec::new();
    codes.take(COUNT - 1).for_each(|code| stream.put(&Code::new(code.word() & !1, code.side()), &mut bytes));
    stream.put(&Code::from(1), &mut bytes);
    bytes
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("nv40 decode");
    group.throughput(Throughput::Elements(COUNT as u64));
    let codes: Vec<Code> = corpus().iter().flat_map(|(_, p)| p.instrs.iter().map(|i| i.code())).collect();
    let mut generator = Generator::new(1);
    let random: Vec<Code> = (0..COUNT).map(|_| generator.any(codec(), false)).collect();
    for (name, codes) in [("corpus", codes), ("shuffled", random)] {
        for order in Order::ALL {
            let bytes = program(codes.iter().copied().cycle(), order);
            group.bench_function(BenchmarkId::new(order.name(), name), |b| {
                b.iter(|| {
                    let (program, diags) = Program::decode(black_box(&bytes), order);
                    assert!(diags.is_empty() && program.instrs.len() == COUNT);
                    program
                });
            });
        }
    }
    group.finish();
}

fn lifting(c: &mut Criterion) {
    let options = Options::default();
    let mut group = c.benchmark_group("nv40 binary to lifted IR");
    let mut binaries: Vec<(&str, Vec<u8>)> =
        corpus().into_iter().map(|(name, p)| (name, p.encode(Order::Le))).collect();
    // Bodies without branches behind one another.
    let straight = corpus().into_iter().filter(|(name, _)| ["blend", "plasma", "ulp_rings", "marble"].contains(name));
    let codes: Vec<Code> = straight.flat_map(|(_, p)| p.instrs).map(|i| i.code()).collect();
    let long: Vec<Code> = codes.iter().copied().cycle().take(1000).collect();
    let mut bytes =
        Order::Le.stream().encode(&long.iter().map(|c| Code::new(c.word() & !1, c.side())).collect::<Vec<_>>());
    Order::Le.stream().put(&Code::from(1), &mut bytes);
    binaries.push(("long", bytes));
    for (name, bytes) in &binaries {
        if !["blend", "envmap", "toon", "long"].contains(name) {
            continue;
        }
        let tree = |bytes: &[u8]| Program::decode(bytes, Order::Le).0.tree(&[]).0.expect("a program");
        let shader = lift(&tree(bytes), "", &options).expect("it lifts");
        let mut ops = 0;
        shader.func.walk(|_, _| ops += 1);
        group.throughput(Throughput::Elements(ops));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| lift(&tree(black_box(bytes)), "", &options));
        });
    }
    group.finish();
}

criterion_group!(benches, decode, lifting);
criterion_main!(benches);
