//! Containers: opening archives, and how much of that each member takes.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::File;
use parallax_pack::{Elf, Fpo, Order, Parameter, archive};
use std::hint::black_box;
use std::sync::Arc;

/// Members of an archive.
const COUNT: usize = 10_000;

/// What members are made of: name and bytes.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let text = |path: &str| parallax_corpus::get(path).expect("a corpus file").bytes.to_vec();
    let mov = |end: u32| [0x0100_1e80 | end, 0x1c9d_c802, 0x0001_c800, 0x0001_c800];
    let code: Vec<[u32; 4]> = (0..32).flat_map(|n| [mov(u32::from(n == 31)), [n; 4]]).collect();
    let parameters =
        (0..8).map(|n| Parameter::vector(&format!("light[{n}]"), Some([0.5; 4]), &[16 + 32 * n])).collect();
    let attila = text("attila/blend.attila");
    let (program, _) = parallax_attila::assemble(&String::from_utf8_lossy(&attila));
    vec![
        ("tgsi", text("tgsi/blend.tgsi")),
        ("attila", program.expect("a corpus program assembles").encode_ended()),
        ("cubin", Elf::cubin(50).kernel("shade", 5, 12, &[0; 512]).write()),
        ("fpo", Fpo::new(Order::Big, parameters, code).write()),
    ]
}

fn open(c: &mut Criterion) {
    let mut group = c.benchmark_group("open archive of 10000");
    group.throughput(Throughput::Elements(COUNT as u64));
    for (kind, bytes) in kinds() {
        let names: Vec<String> = (0..COUNT).map(|n| format!("captured_shader_{n}.{kind}")).collect();
        let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), bytes.as_slice())).collect();
        let file: Arc<[u8]> = archive(&members).into();
        group.bench_function(BenchmarkId::from_parameter(kind), |b| {
            b.iter(|| {
                let contents = File::open("captured.a", black_box(file.clone())).contents();
                assert_eq!(contents.sources.len(), COUNT);
                contents
            });
        });
    }
    group.finish();
}

criterion_group!(benches, open);
criterion_main!(benches);
