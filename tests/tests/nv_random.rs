//! Random NV programs: passes change no bit, quads do not depend on each other, and what is tried covers the formats and
//! the condition code.

use parallax::{LoadOptions, load};
use parallax_core::exec::Outputs;
use parallax_core::{Bound, Shader, Symbolic, verify};
use parallax_gen::{Batch, Coverage, NV_REGISTERS, choices, nv_program, shader};
use parallax_interp::Bytecode;
use parallax_num::{Decl, Model};
use parallax_opt::{NoObserver, canonicalise, optimise};
use proptest::prelude::*;

/// The program lifted, with all its registers watched.
fn lifted(text: &str) -> Shader<Symbolic> {
    let mut options = LoadOptions::default();
    options.lift.watch = NV_REGISTERS.map(String::from).to_vec();
    let loaded = load("random.fp", text.as_bytes(), &options);
    loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags))
}

fn run(bound: &Shader<Bound>, batch: &Batch) -> Outputs {
    let verified = verify(bound).unwrap_or_else(|diags| panic!("{diags:?}"));
    let program = Bytecode::new(verified);
    let mut outputs = Outputs::default();
    batch.with(|inputs| program.run(inputs, &mut outputs));
    outputs
}

fn check(list: &[u32], models: &[Model]) {
    let text = nv_program(list);
    let symbolic = lifted(&text);
    let batch = Batch::new(&choices(list.len() as u64 + 7, 4000), &symbolic.func.iface, 16);
    for model in models {
        let bound = symbolic.bind(model);
        let expected = run(&bound, &batch);
        let optimised = optimise(bound.clone(), &mut NoObserver);
        let canonical = optimise(canonicalise(symbolic.clone()).bind(model), &mut NoObserver);
        for (after, what) in [(&optimised, "optimised"), (&canonical, "canonical and optimised")] {
            assert!(run(after, &batch) == expected, "{what} under {}\n{text}", model.label());
        }
        for (number, quad) in batch.quads().enumerate() {
            let alone = run(&optimised, &quad);
            let lanes: Vec<usize> = (number * 4..number * 4 + 4).collect();
            for (whole, part) in expected.planes.iter().zip(&alone.planes).filter(|(whole, _)| !whole.is_empty()) {
                assert!(whole.gather(&lanes) == *part, "quad {number} alone under {}\n{text}", model.label());
            }
            assert_eq!(expected.covered[lanes[0]..][..4], alone.covered, "{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn optimised_programs_and_single_quads_give_the_same_bits(
        list in prop::collection::vec(any::<u32>(), 0..400),
        model in any::<prop::sample::Index>(),
    ) {
        check(&list, &[model.get(&Model::builtins()).clone()]);
    }
}

#[test]
fn every_model_runs_mixed_precision_programs() {
    let models = Model::builtins();
    for seed in 0..4 {
        check(&choices(seed, 300), &models);
    }
}

/// Everything the equality tests are meant to cover occurs in the programs of fixed seeds. The counts are printed.
#[test]
#[expect(clippy::print_stdout, reason = "the counts are meant to be read")]
fn random_programs_cover_formats_and_condition_codes() {
    let mut coverage = Coverage::default();
    let mut texts = String::new();
    for seed in 0..200 {
        let text = nv_program(&choices(seed, 300));
        coverage.add(&lifted(&text).func);
        texts.push_str(&text);
    }
    println!("random NV programs, seeds 0 to 199:{coverage}");
    let at_least = |op: &str, format: &str, least: usize| {
        let found = coverage.count(op, format);
        assert!(found >= least, "{op} in {format}: {found} of {least}\n{coverage}");
    };
    for op in ["add", "sub", "mul", "mad", "lrp", "min", "max", "floor", "frac", "dot3", "dot4", "flt", "fge"] {
        for format in ["fp32", "half", "fx12"] {
            at_least(op, format, 5);
        }
    }
    for op in ["rcp", "rsq", "exp2", "log2", "sin", "cos", "pow", "lit.z", "dst", "deriv"] {
        for format in ["fp32", "half"] {
            at_least(op, format, 3);
        }
    }
    for (from, to) in
        [("fp32", "half"), ("fp32", "fx12"), ("half", "fp32"), ("half", "fx12"), ("fx12", "fp32"), ("fx12", "half")]
    {
        at_least("cvt", &format!("{from} to {to}"), 20);
    }
    for format in ["fp32", "half"] {
        at_least("cc.of", format, 50);
    }
    for test in ["cc.test.eq", "cc.test.ne", "cc.test.lt", "cc.test.ge", "cc.test.le", "cc.test.gt"] {
        at_least(test, "pred", 20);
    }
    // Masked and tested writes: of values, and of the condition code itself.
    at_least("select", "cc", 20);
    for format in ["fp32", "half"] {
        at_least("select", format, 20);
    }
    at_least("discard", "pred", 20);
    at_least("tex", "fp32", 5);
    for op in [
        "pack.half2",
        "pack.unorm2x16",
        "pack.biased4x8",
        "pack.unorm4x8",
        "unpack.half",
        "unpack.unorm16",
        "unpack.biased8",
        "unpack.unorm8",
    ] {
        at_least(op, "fp32", 3);
    }
    // In the text: updates under a mask and a test, swizzled tests, kills by a swizzled code.
    let lines = |needle: &dyn Fn(&str) -> bool| texts.lines().filter(|line| needle(line)).count();
    let updates =
        |line: &str| line.split(' ').next().is_some_and(|op| op.trim_end_matches("_SAT").ends_with('C') && op != "FRC");
    assert!(lines(&|l| updates(l) && l.contains(" (") && l.contains('.')) > 50);
    assert!(lines(&|l| l.starts_with("KIL") && l.contains('.')) > 20);
    assert!(lines(&|l| l.starts_with("MOVC HC") || l.starts_with("MOVC RC")) > 50);
}

/// The generator of IR reaches every operation in every format it has.
#[test]
#[expect(clippy::print_stdout, reason = "the counts are meant to be read")]
fn random_shaders_cover_operations_and_formats() {
    let mut coverage = Coverage::default();
    for seed in 0..1200 {
        coverage.add(&shader(&choices(seed, 500)).func);
    }
    println!("random shaders, seeds 0 to 1199:{coverage}");
    let mut missing = Vec::new();
    for row in parallax_num::Op::ALL {
        if row.op.has_slot() && row.op != parallax_num::Op::Cvt {
            let missed =
                [Decl::F32, Decl::F16, Decl::Fx12].into_iter().filter(|d| coverage.count(row.name, d.name()) == 0);
            missing.extend(missed.map(|decl| format!("{} in {decl}", row.name)));
        } else if row.op != parallax_num::Op::Cvt
            && !["pred", "i32", "i64", "i16", "cc"].iter().any(|ty| coverage.count(row.name, ty) > 0)
        {
            missing.push(row.name.to_string());
        }
    }
    assert!(missing.is_empty(), "{missing:?}\n{coverage}");
    let formats = [Decl::F32, Decl::F16, Decl::Fx12].map(Decl::name);
    for from in formats {
        for to in formats.into_iter().filter(|to| *to != from) {
            assert!(coverage.count("cvt", &format!("{from} to {to}")) > 9, "{from} to {to}\n{coverage}");
        }
    }
    assert!(coverage.count("select", "cc") > 0 && coverage.count("discard", "pred") > 0);
}
