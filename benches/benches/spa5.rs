//! SPA 5.0: decoding, printing, assembling.
//!
//! Two mixes: `kernel` repeats instructions in the order a compiler writes them; `shuffled` draws every row of the table
//! equally often with random operands, so that no branch can be predicted from the one before.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax_isa::{Bundles, Code, Generator, Out, Stream, Style};
use parallax_lift::{Layout, Options};
use parallax_spa5::{Instr, Op, Program, assemble, assemble_bytes, codec, lift};
use std::hint::black_box;

/// Bundles per round: 1 MiB of instructions.
const BUNDLES: usize = (1 << 17) / 3;
/// Instructions per round.
const COUNT: u64 = BUNDLES as u64 * 3;

/// A shader as a compiler writes it: inputs, a texture, a loop, a few functions.
const KERNEL: &str = include_str!("peers/kernel.spa5");

fn mixes() -> [(&'static str, Vec<u8>); 2] {
    let kernel = assemble_bytes(KERNEL, &Layout::default()).0.expect("the kernel assembles");
    let mut generator = Generator::new(1);
    let mut any = || {
        let code = generator.any(codec(), false);
        let row = codec().decode(code).expect("a word of a row");
        Code::new(codec().canonical(row, code).word(), code.side())
    };
    let filler = Code::new(0x50b0_0000_0007_0f00, 0x7e0);
    let codes: Vec<Code> = (0..COUNT).map(|_| any()).collect();
    [
        ("kernel", kernel.into_iter().cycle().take(BUNDLES * Bundles::BYTES).collect()),
        ("shuffled", Bundles { filler }.encode(&codes)),
    ]
}

fn decode(c: &mut Criterion) {
    let mut group = c.benchmark_group("spa5 decode");
    group.throughput(Throughput::Elements(COUNT));
    for (name, bytes) in mixes() {
        let codec = codec();
        let nop = Instr::decode(codec, Code::new(0x50b0_0000_0007_0f00, 0x7e0)).expect("NOP");
        let mut instrs = vec![nop; COUNT as usize];
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let (bundles, _) = black_box(bytes.as_slice()).as_chunks::<{ Bundles::BYTES }>();
                let mut refused = 0;
                for (slots, bundle) in instrs.as_chunks_mut::<3>().0.iter_mut().zip(bundles) {
                    for (slot, code) in slots.iter_mut().zip(Bundles::whole(bundle)) {
                        match Instr::decode(codec, code) {
                            Ok(instr) => *slot = instr,
                            Err(_) => refused += 1,
                        }
                    }
                }
                assert_eq!(refused, 0);
            });
        });
    }
    group.finish();
}

fn print(c: &mut Criterion) {
    let mut group = c.benchmark_group("spa5 decode and print");
    group.throughput(Throughput::Elements(COUNT));
    for (name, bytes) in mixes() {
        let mut out = Out::with_capacity(COUNT as usize * 64);
        for (style, style_name) in [(Style::Vendor, "plain"), (Style::Exact, "exact")] {
            group.bench_function(BenchmarkId::new(style_name, name), |b| {
                b.iter(|| {
                    out.clear();
                    let codec = codec();
                    let (bundles, _) = black_box(bytes.as_slice()).as_chunks::<{ Bundles::BYTES }>();
                    let mut address = 8;
                    for bundle in bundles {
                        for code in Bundles::whole(bundle) {
                            if let Ok(instr) = Instr::decode(codec, code) {
                                codec.print(instr.row_id(), instr.code_at(address), style, &mut out);
                                out.char(b'\n');
                            }
                            address += 8;
                        }
                        address += 8;
                    }
                    out.len()
                });
            });
        }
    }
    group.finish();
}

fn text(c: &mut Criterion) {
    let mut group = c.benchmark_group("spa5 assemble");
    for (name, bytes) in mixes() {
        let lines = parallax_spa5::list(&bytes, &Layout::default(), Style::Exact);
        let text: String = lines.into_iter().map(|line| line.unwrap_or_else(|(text, _)| text) + "\n").collect();
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| assemble_bytes(black_box(&text), &Layout::default()));
        });
    }
    group.finish();
}

fn lifting(c: &mut Criterion) {
    let (layout, options) = (Layout::default(), Options::default());
    let mut programs: Vec<(&str, Program)> = Vec::new();
    for file in parallax_corpus::shaders().filter(|f| f.folder() == "spa5") {
        let program = file.text().and_then(|text| assemble(text, &layout).0).expect("a corpus program assembles");
        programs.push((file.stem(), program));
    }
    // Straight bodies behind one another, again and again, without the EXIT that ends each.
    let straight = ["blend", "eclipse", "int_hash", "marble", "nebula", "plasma", "soap_bubble"];
    // Without a header every input is there.
    let mut long = Program::default();
    for _ in 0..8 {
        for (_, program) in programs.iter().filter(|(name, _)| straight.contains(name)) {
            let body = program.instrs.iter().zip(&program.lines).filter(|(instr, _)| instr.op() != Some(Op::Exit));
            long.instrs.extend(body.clone().map(|(instr, _)| *instr));
            long.lines.extend(body.map(|(_, line)| *line));
        }
    }
    programs.push(("long", long));
    let mut group = c.benchmark_group("spa5 binary to lifted IR");
    for (name, program) in &programs {
        if !["blend", "envmap", "julia", "long"].contains(name) {
            continue;
        }
        let bytes = program.encode();
        let (decoded, diags) = Program::decode(&bytes, &layout);
        assert!(!diags.iter().any(|diag| diag.is_error()), "{diags:?}");
        let shader = lift(&decoded, &options).expect("a corpus program lifts");
        let mut ops = 0;
        shader.func.walk(|_, _| ops += 1);
        group.throughput(Throughput::Elements(ops));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let (program, _) = Program::decode(black_box(&bytes), &layout);
                lift(&program, &options)
            });
        });
    }
    group.finish();
}

criterion_group!(benches, decode, print, text, lifting);
criterion_main!(benches);
