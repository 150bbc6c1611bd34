//! USC groups: decoding, printing, reading text.
//!
//! The mix are groups as compilers make them: one to three phases, outputs, texture lookups, bitwise and control groups.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_isa::{Binary, Out};
use parallax_usc::{assemble, assemble_bytes, groups, list_into};
use std::hint::black_box;

/// Groups per round.
const COUNT: usize = 1 << 16;

/// Groups, one a line.
const MIX: &str = "\
0 : fmul ft0, sh4, i1 ; fmul ft1, sh5, i0 ; mov r0, ft0 ; mov r1, ft1
1 : fmad ft0, r1, r2, r3 ; mov r4, ft0
2 : fadd.sat ft0, r1.abs.neg, r2.abs ; mov o0, ft0
3 : mov ft0, sh1 ; mov ft1, r2 ; tstl.f32 ftt, p0, ft0, ft1 ; mov i0.e0.e1.e2.e3, ft1, ftt, ft0, ft1
4 : frcp r0, sh0
5 : mov ft0, r5 ; mov r6, ft0
6 : fmad.sat ft0, sh8, r2, c64 ; fmad ft1, r3, r4.abs, r5 ; mov r6, ft0 ; mov r7, ft1
7 : fitrp.pixel r0, drc0, cf4, cf0, 2
8 : smp2d.fcnorm drc0, sh4, r1, sh0, _, r0, 4
9 : wdf drc0
10 : mov ft0, ft1, c0, c0 ; mov ft2, sh1 ; cbs ft3, sh1 ; and ft4, _, ft2, _, sh0 ; lsl ft5, ft4, c0 ; mov i0, ft5
11 : if(p0) { fadd ft0, r0, r1 ; mov r0, ft0 }
12 : umadd32 ft0, sh1, i0, sh2, _ ; mov i0, ft0
13 : unpck.u8888.scale ft0, r1.e3 ; mov r0, ft0
14 : fmul ft0, r0, r1 ; pck.f16f16 ft2, ft0 ; mov r2, ft2
15 : (ignorepe) { cndst 1, r10, r10, 1 }
";

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
            let (groups, mut at, mut parts) = (groups(), 0, 0);
            while let Some(Ok(group)) = groups.decode(black_box(&binary), at) {
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
