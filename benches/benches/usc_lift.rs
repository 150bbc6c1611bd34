//! USC: from bytes to lifted IR.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_lift::Options;
use parallax_usc::{Program, assemble_bytes, lift};
use std::hint::black_box;

/// The programs of the corpus that have an encoding, as bytes.
fn binaries() -> Vec<(&'static str, Vec<u8>)> {
    let files = parallax_corpus::shaders().filter(|file| file.folder() == "usc");
    files.filter_map(|file| Some((file.stem(), assemble_bytes(file.text()?).0?))).collect()
}

/// Programs without branches behind one another, again and again, without the group that ends each but the last.
fn long(binaries: &[(&'static str, Vec<u8>)]) -> Vec<u8> {
    let straight = ["blend", "int_hash", "marble", "nebula", "plasma", "soap_bubble"];
    let (mut bodies, mut end) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        for (_, bytes) in binaries.iter().filter(|(name, _)| straight.contains(name)) {
            let last = Program::decode(bytes).0.groups.last().map_or(0, |group| group.offset as usize);
            bodies.extend_from_slice(&bytes[..last]);
            end = bytes[last..].to_vec();
        }
    }
    bodies.extend(end);
    bodies
}

fn lifting(c: &mut Criterion) {
    let options = Options::default();
    let mut group = c.benchmark_group("usc bytes to IR");
    let mut programs = binaries();
    programs.push(("long", long(&programs)));
    for (name, bytes) in programs {
        let (program, diags) = Program::decode(&bytes);
        assert!(diags.is_empty(), "{name}: {diags:#?}");
        let shader = lift(&program, &options).unwrap_or_else(|diags| panic!("{name}: {diags:#?}"));
        group.throughput(Throughput::Elements(shader.func.live_ops() as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| lift(&Program::decode(black_box(&bytes)).0, &options));
        });
    }
    group.finish();
}

criterion_group!(benches, lifting);
criterion_main!(benches);
