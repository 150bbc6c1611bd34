//! USC groups: decoding, printing, reading text.
//!
//! The mix are groups as compilers make them: one to three phases, outputs, texture lookups, bitwise and control groups.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_isa::{Binary, Group, Out};
use parallax_usc::{assemble, assemble_bytes, groups, list_into};
use std::hint::black_box;

/// Groups per round.
const COUNT: usize = 1 << 16;

/// Groups, one a line.
const MIX: &str = include_str!("peers/groups.usc");

fn text() -> String {
    MIX.repeat(COUNT / 16)
}

fn binary() -> Vec<u8> {
    assemble_bytes(MIX).0.expect("the mix assembles").repeat(COUNT / 16)
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("usc decode");
    group.throughput(Throughput::Elements(COUNT as u64));
    let binary = Binary::new(&binary());
    group.bench_function(BenchmarkId::from_parameter("mix"), |b| {
        b.iter(|| {
            let (groups, mut group, mut at, mut parts) = (groups(), Group::default(), 0, 0);
            while let Some(Ok(())) = groups.decode_into(black_box(&binary), at, &mut group) {
                at += usize::from(group.len);
                parts += group.parts().len();
            }
            assert_eq!(at, binary.len());
            parts
        });
    });
    group.finish();
}

fn print(c: &mut Criterion) {
    let mut group = c.benchmark_group("usc decode and print");
    group.throughput(Throughput::Elements(COUNT as u64));
    let binary = Binary::new(&binary());
    let mut out = Out::with_capacity(COUNT * 128);
    group.bench_function(BenchmarkId::from_parameter("mix"), |b| {
        b.iter(|| {
            out.clear();
            list_into(black_box(&binary), &mut out);
            out.len()
        });
    });
    group.finish();
}

fn read(c: &mut Criterion) {
    let mut group = c.benchmark_group("usc read text");
    let text = text();
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function(BenchmarkId::from_parameter("mix"), |b| b.iter(|| assemble(black_box(&text))));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = decode, print, read
}
criterion_main!(benches);
