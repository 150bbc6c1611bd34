//! Beside other programs in one run: `iced-x86` decodes and prints, a parser of `nom` reads assembly, Cranelift's builder makes IR.
//!
//! `cargo bench -p parallax-benches --features peers --bench peers` measures all with criterion. With `-- --table` behind it all
//! run in turns instead, and a table names the best rate of each, its ratio to the peer's, and the ratio wanted: load from elsewhere
//! then meets all alike.

mod builder;
mod nom_text;
mod sets;
mod table;
mod x86;

use criterion::{BenchmarkId, Criterion, Throughput};

/// One thing that is measured.
struct Work {
    /// What it is.
    name: String,
    /// How much one run does, in units of its group.
    amount: u64,
    /// The ratio of rates wanted, and to what: a work in its group, the peer first. None for peers.
    wanted: Option<(f64, String)>,
    /// Does it once.
    run: Box<dyn FnMut()>,
}

impl Work {
    fn new(name: impl Into<String>, amount: u64, run: impl FnMut() + 'static) -> Work {
        Work { name: name.into(), amount, wanted: None, run: Box::new(run) }
    }

    /// Asks for a ratio of rates to another work.
    fn at_least(mut self, ratio: f64, of: &str) -> Work {
        self.wanted = Some((ratio, of.to_string()));
        self
    }
}

/// Works whose rates have one unit.
struct Group {
    name: &'static str,
    unit: &'static str,
    works: Vec<Work>,
}

fn groups() -> Vec<Group> {
    let (mut decode, mut print) = x86::works();
    decode.extend(sets::decode());
    print.extend(sets::print());
    let mut assemble = vec![nom_text::work(&sets::attila_text())];
    assemble.extend(sets::assemble());
    let mut lift = vec![builder::work()];
    lift.extend(sets::lift());
    vec![
        Group { name: "decode", unit: "M instructions/s", works: decode },
        Group { name: "decode and print", unit: "M instructions/s", works: print },
        Group { name: "assemble", unit: "MB/s", works: assemble },
        Group { name: "decode and lift", unit: "M ops/s", works: lift },
    ]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--table") {
        let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
        return table::show(groups(), filter.map(String::as_str));
    }
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    for group in groups() {
        let mut measured = criterion.benchmark_group(group.name);
        for mut work in group.works {
            measured.throughput(match group.unit {
                "MB/s" => Throughput::Bytes(work.amount),
                _ => Throughput::Elements(work.amount),
            });
            measured.bench_function(BenchmarkId::from_parameter(&work.name), |b| b.iter(&mut work.run));
        }
        measured.finish();
    }
    criterion.final_summary();
}
