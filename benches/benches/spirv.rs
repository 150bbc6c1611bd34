//! SPIR-V: from words to lifted IR, and from a listing or words to machine code.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use parallax::{Level, LoadOptions, load};
use parallax_core::num::Model;
use parallax_core::verify;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_spirv::{Module, assemble, lift};
use parallax_step::Programs;
use std::fmt::Write;
use std::hint::black_box;

/// A fragment shader of 200 lines, as glslang compiles it, with the places in its source.
const COURTYARD: &str = include_str!("../shaders/courtyard.spvasm");

/// A fragment module of at least so many instructions, as unoptimised compilers write them: loads, a few operations, a store;
/// every eighth group in a branch.
fn module(instructions: usize) -> Vec<u32> {
    let mut text = String::from(
        "OpCapability Shader\n%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\nOpDecorate %in Location 0\n\
         OpDecorate %out Location 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n\
         %float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n%pin = OpTypePointer Input %v4\n\
         %pout = OpTypePointer Output %v4\n%pv = OpTypePointer Function %v4\n%in = OpVariable %pin Input\n\
         %out = OpVariable %pout Output\n%half = OpConstant %float 0.5\n%main = OpFunction %void None %fn\n%start = OpLabel\n",
    );
    for n in 0..8 {
        let _ = writeln!(text, "%k{n} = OpVariable %pv Function");
    }
    text.push_str("%i = OpLoad %v4 %in\n");
    for n in 0..8 {
        let _ = writeln!(text, "OpStore %k{n} %i");
    }
    let (mut group, mut count) = (0, 0);
    while count < instructions {
        let (from, to) = (group % 8, (group + 3) % 8);
        let mut lines = format!(
            "%a{group} = OpLoad %v4 %k{from}\n%b{group} = OpFMul %v4 %a{group} %i\n\
             %c{group} = OpCompositeExtract %float %b{group} 1\n%d{group} = OpExtInst %float %glsl Fract %c{group}\n\
             %e{group} = OpVectorTimesScalar %v4 %b{group} %d{group}\n%f{group} = OpFAdd %v4 %e{group} %a{group}\n\
             OpStore %k{to} %f{group}\n"
        );
        if group % 8 == 7 {
            lines = format!(
                "%s{group} = OpLoad %v4 %k{to}\n%t{group} = OpCompositeExtract %float %s{group} 0\n\
                 %u{group} = OpFOrdLessThan %bool %t{group} %half\nOpSelectionMerge %w{group} None\n\
                 OpBranchConditional %u{group} %x{group} %w{group}\n%x{group} = OpLabel\n{lines}OpBranch %w{group}\n\
                 %w{group} = OpLabel\n"
            );
        }
        count += lines.lines().count();
        text.push_str(&lines);
        group += 1;
    }
    text.push_str("%r = OpLoad %v4 %k0\nOpStore %out %r\nOpReturn\nOpFunctionEnd\n");
    let assembled = assemble(&text);
    assert!(assembled.diags.is_empty(), "{:?}", assembled.diags);
    assembled.words
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn lifting(c: &mut Criterion) {
    let options = Options::default();
    let mut group = c.benchmark_group("spirv words to IR");
    let listed = assemble(COURTYARD).words;
    for (name, bytes) in [("5000", bytes(&module(5000))), ("courtyard", bytes(&listed))] {
        let (module, diags) = Module::from_bytes(&bytes);
        assert!(diags.is_empty(), "{name}: {diags:#?}");
        lift(&module, &options).unwrap_or_else(|diags| panic!("{name}: {diags:#?}"));
        group.throughput(Throughput::Elements(module.instructions.len() as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| lift(&Module::from_bytes(black_box(&bytes)).0, &options));
        });
    }
    group.finish();
}

fn to_code(c: &mut Criterion) {
    let Some(level) = Level::ALL.into_iter().rev().find(|level| level.is_supported()) else { return };
    let model = Model::builtin("ieee").expect("a built-in model");
    let mut programs = Programs::default();
    let mut group = c.benchmark_group(format!("spirv to machine code {level}"));
    let words = bytes(&assemble(COURTYARD).words);
    for (name, file) in [("listing", COURTYARD.as_bytes()), ("words", words.as_slice())] {
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter(|| {
                let loaded = load("courtyard.spvasm", black_box(file), &LoadOptions::default());
                let shader = canonicalise(loaded.shader.expect("a program that loads")).bind(&model);
                let shader = optimise(shader, &mut NoObserver);
                parallax_x86::compile(verify(&shader).expect("sound"), level, &mut programs).expect("compiles")
            });
        });
    }
    group.finish();
}

criterion_group!(benches, lifting, to_code);
criterion_main!(benches);
