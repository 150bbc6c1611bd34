//! Inputs per second of sweeps, on one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parallax_num::{Decl, Model};
use parallax_sweep::{Against, Inputs, Plan, Progress, place_of, run_shard};

struct Silent;

impl Progress for Silent {
    fn advance(&self, _: u64) {}
}

fn sweep(c: &mut Criterion) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    // The mix of a sweep without options, a fourth of it.
    let pairs = Inputs::Stratified { per_cell: 4, random: 1 << 22, seed: 1 };
    let first = place_of(u64::from(0.5f32.to_bits()), Decl::F32);
    let range = Inputs::Unary { first, last: first + (1 << 21) - 1 };
    let cases = [
        ("add", "ieee", &pairs),
        ("mul", "ieee", &pairs),
        ("mul", "nv40", &pairs),
        ("exp2", "ieee", &range),
        ("exp2", "maxwell@high", &range),
        ("exp2", "maxwell@random:1", &range),
        ("log2", "ieee", &range),
        ("rsq", "ieee", &range),
    ];
    let mut group = c.benchmark_group("sweep");
    group.sample_size(10);
    for (op, model, inputs) in cases {
        let plan = Plan {
            op: op.into(),
            format: "fp32".into(),
            model: model.into(),
            against: Against::Exact,
            inputs: inputs.clone(),
            profile: None,
            fingerprint: String::new(),
            version: "bench".into(),
        };
        let model = Model::parse(model).expect("a model");
        let bound = plan.bind(&model, None).expect("a plan");
        group.throughput(Throughput::Elements(plan.count().expect("a plan")));
        group.bench_function(format!("{op} {}", plan.model), |b| {
            b.iter(|| pool.install(|| run_shard(&plan, &bound, 1, 1, &Silent)));
        });
    }
    group.finish();
}

criterion_group!(benches, sweep);
criterion_main!(benches);
