//! Random NV programs that mix formats: what the engine computes is what walking them instruction by instruction computes.
//!
//! The walk is written from the documents of the dialects alone. It knows registers, formats, masks, tests and conversions, and
//! takes every arithmetic result from the reference evaluation of `parallax-num`; programs are built here, written as text for
//! the engine, and walked as they were built, so that reader and lift are both judged.

use crate::encoder;
mod machine;
mod program;
mod text;

use machine::*;
use parallax::{LaneCase, LaneResult, LoadOptions, load, run_lanes};
use parallax_core::num::{Decl, Model};
use parallax_gen::{Choices, choices};
use parallax_nvfp::StmtKind;
use parallax_tests::engines::{compiled, ways};
use program::*;
use proptest::prelude::*;
use std::collections::BTreeMap;

const LANES: usize = 4;
const MODELS: [&str; 3] = ["ieee", "nv-patent", "nvfp"];

/// How often something that must be tried was tried.
type Counters = BTreeMap<String, usize>;

fn input(c: &mut Choices<'_>, straight: bool) -> u32 {
    match c.below(16) {
        0..12 => c.one(&NUMBERS).to_bits(),
        12 | 13 => c.one(&CORNERS),
        14 if straight => c.one(&CHANGED),
        _ => (c.below(97) as f32 * 0.375 - 18.0).to_bits(),
    }
}

/// What a quad computed, and how registers of the text are spelled there.
type Found<'a> = ([LaneResult; LANES], Box<dyn Fn(&str) -> Option<String> + 'a>);

fn options_watch(program: &Program) -> Vec<String> {
    program.registers.iter().map(|r| r.name.clone()).collect()
}

fn check(dialect: Dialect, list: &[u32], seed: u64, counters: &mut Counters) {
    let (program, straight) = program(dialect, list);
    let text = program.text();
    let inputs = choices(seed, 200);
    let mut c = Choices::new(&inputs).around();
    let mut vector = || [(); 4].map(|()| input(&mut c, straight));
    let parameters = [(); 3].map(|()| vector());
    let attributes = [(); LANES].map(|()| [(); 3].map(|()| vector()));

    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.lift.watch = options_watch(&program).into_iter().chain(["cc".into()]).collect();
    let loaded = load("walk", text.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags));
    let case = LaneCase {
        state: (0..3).map(|n| (program.parameter(n), parameters[n].to_vec())).collect(),
        lanes: attributes.map(|lane| (0..3).map(|n| (program.attribute(n).to_string(), lane[n].to_vec())).collect()),
        ..LaneCase::default()
    };

    // The same program as microcode, with its parameters in place.
    let (parsed, _) = parallax_nvfp::parse(&text, None);
    let value = |name: &str| parameters[name.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0)];
    // A sum with a negated operand is no difference in fixed point, nor for the sign of a NaN.
    let differs = |kind: &StmtKind| matches!(kind, StmtKind::Instr(instr) if instr.row.name == "SUB");
    let is_fragment = |_: &&parallax_nvfp::Program| dialect != Dialect::Vertex;
    let exact =
        parsed.as_ref().filter(is_fragment).filter(|parsed| !parsed.body.iter().any(|stmt| differs(&stmt.kind)));
    let words = exact.and_then(|parsed| encoder::encode(parsed, &value).ok()).map(|words| {
        *counters.entry("microcode".into()).or_default() += 1;
        let flow = parsed.as_ref().is_some_and(encoder::has_flow);
        *counters.entry("microcode with flow".into()).or_default() += usize::from(flow);
        let bytes = words.bytes(flow);
        let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
        options.layout.dialect = Some("nv40".into());
        options.layout.order = Some(if flow { "rsx" } else { "le" }.into());
        let used = |name: &String| words.registers.get(name).cloned();
        options.lift.control = Some(words.control);
        options.lift.settings = words.settings.clone();
        options.lift.watch = options_watch(&program).iter().filter_map(used).chain(["cc".into()]).collect();
        let loaded = load("words", &bytes, &options);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags));
        let last = if dialect == Dialect::Patent { "f[TEX1]" } else { "f[FOGC]" };
        let attributes = ["f[TEX0]", "f[COL0]", last];
        let lanes = case
            .lanes
            .clone()
            .map(|lane| lane.into_iter().zip(attributes).map(|((_, words), name)| (name.to_string(), words)).collect());
        (shader, words.registers, LaneCase { lanes, ..LaneCase::default() })
    });

    for name in MODELS {
        let model = Model::builtin(name).expect("a built-in model");
        let machine = Machine { program: &program, model: &model, parameters };
        let walked = attributes.map(|attributes| {
            let registers = vec![[Held::Value(0); 4]; program.registers.len()];
            let mut lane = Lane { registers, codes: [1; 4], attributes, killed: None };
            let mut tags = Tags { shared: dialect == Dialect::Patent, chunks: BTreeMap::new() };
            machine.walk(&mut lane, &mut tags, &program.body);
            let killed = lane.killed.is_some();
            *counters.entry("killed".into()).or_default() += usize::from(killed);
            (lane.killed.take().unwrap_or_else(|| machine.seen(&lane, &tags)), killed)
        });
        for way in ways() {
            let run = |shader, case| {
                let compiled = compiled(shader, &model, way).unwrap_or_else(|what| panic!("{what}\n{text}"));
                run_lanes(&compiled, case).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"))
            };
            let same = |register: &str| Some(register.to_string());
            let mut found: Vec<Found<'_>> = vec![(run(&shader, &case), Box::new(same))];
            if let Some((shader, registers, case)) = &words {
                let moved = |register: &str| match register {
                    "cc" => Some("cc".to_string()),
                    other => registers.get(other).cloned(),
                };
                found.push((run(shader, case), Box::new(moved)));
            }
            let lanes = found.iter().flat_map(|(lanes, spell)| {
                lanes.iter().zip(&walked).enumerate().map(move |(lane, (result, walked))| (lane, result, walked, spell))
            });
            for (lane, result, (seen, killed), spell) in lanes {
                let place = || format!("lane {lane} under {name}, {way:?}\nafter\n{text}{case:?}");
                assert_eq!(result.killed, *killed, "{}", place());
                for (register, expected) in options.lift.watch.iter().zip(seen) {
                    // What no instruction names is nowhere in microcode.
                    let Some(spelling) = spell(register) else { continue };
                    let values = result.watched(&spelling).expect("watched");
                    let width =
                        program.registers.iter().find(|r| r.name == *register).map_or(2, |r| r.decl.format().bits());
                    let mask = (1u64 << width) - 1;
                    for (comp, value) in values.iter().enumerate() {
                        let bits = value.map_or(0, |value| value.bits) & mask;
                        let want = expected[comp] & mask;
                        assert_eq!(bits, want, "{register}.{comp}: {bits:#x} for {want:#x} in {}", place());
                    }
                }
            }
        }
    }
    count(&program, &program.body, counters);
}

/// Moves by source, operation and destination format; literals by opcode; statements by kind.
fn count(program: &Program, body: &[Stmt], counters: &mut Counters) {
    for stmt in body {
        let mut add = |name: String| *counters.entry(name).or_default() += 1;
        match stmt {
            Stmt::Instr(instr) => {
                let literal = |source: &Source| matches!(source.base, Base::Literal(..));
                if instr.sources.iter().any(literal) {
                    add(format!("literal {}", instr.name));
                }
                if instr.sources.iter().any(|source| matches!(source.base, Base::Relative(_))) {
                    add("relative".into());
                }
                if instr.name == "MOV" {
                    let from = match instr.sources[0].base {
                        Base::Register(n) => program.registers[n].decl.name(),
                        Base::Literal(..) => "literal",
                        _ => "input",
                    };
                    let by = instr.precision.map_or("plain", Decl::name);
                    let tested = if instr.test.is_some() { " tested" } else { "" };
                    add(format!("MOV {from} {by} {}{tested}", instr.decl.name()));
                }
            }
            Stmt::Kill(_) => add("KIL".into()),
            Stmt::If(_, then, other) => {
                add("IF".into());
                count(program, then, counters);
                count(program, other, counters);
            }
            Stmt::Repeat(_, body, _) => {
                add("REP".into());
                count(program, body, counters);
            }
        }
    }
}

const DIALECTS: [Dialect; 5] = [Dialect::Patent, Dialect::Fp10, Dialect::Nv1, Dialect::Nv2, Dialect::Vertex];

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mixed_formats_are_the_walk(
        list in prop::collection::vec(any::<u32>(), 0..400),
        dialect in 0..DIALECTS.len(),
        seed in any::<u64>(),
    ) {
        check(DIALECTS[dialect], &list, seed, &mut Counters::new());
    }
}

#[test]
fn a_texture_coordinate_of_a_patent_program_is_one_in_microcode() {
    let list = [
        45284, 3715074992, 0, 0, 3130545817, 0, 22592092, 2106517676, 2209810810, 124655192, 1446054768, 72195753,
        2782765831, 1215493921, 1142007525, 2152642391, 141157169,
    ];
    check(DIALECTS[0], &list, 4159152569285222749, &mut Counters::new());
}

/// Seeds of the fixed programs, and how many of them are tried by default.
const SEEDS: u64 = 400;
const FEW: u64 = 100;

#[test]
fn fixed_programs_are_the_walk() {
    fixed_programs(FEW);
}

/// `cargo test -p parallax-tests --release --test all nv_walk -- --ignored`.
#[test]
#[ignore = "long"]
fn all_fixed_programs_are_the_walk() {
    fixed_programs(SEEDS);
}

/// Fixed seeds, which must cover moves between all formats, and literals as operands of every opcode that has any.
fn fixed_programs(seeds: u64) {
    let mut counters = Counters::new();
    for seed in 0..seeds {
        for dialect in DIALECTS {
            check(dialect, &choices(seed, 400), seed + 1000, &mut counters);
        }
    }
    // Some seeds try at least half of their share of what all of them try.
    let at_least = |name: &str, all: usize| {
        let least = if seeds == SEEDS { all } else { (all * seeds as usize).div_ceil(2 * SEEDS as usize) };
        let found = counters.get(name).copied().unwrap_or(0);
        assert!(found >= least, "{name}: {found} of {least}\n{counters:#?}");
    };
    for from in ["fp32", "half", "literal", "input"] {
        for by in ["fp32", "half", "fx12", "plain"] {
            for to in ["fp32", "half"] {
                at_least(&format!("MOV {from} {by} {to}"), 3);
                // What all of them meet a few times, some may not.
                if seeds == SEEDS {
                    at_least(&format!("MOV {from} {by} {to} tested"), 1);
                }
            }
        }
    }
    for (name, ..) in OPCODES.iter().filter(|op| op.3 != "p") {
        at_least(&format!("literal {name}"), 10);
    }
    for (name, least) in [
        ("relative", 50),
        ("KIL", 50),
        ("IF", 50),
        ("REP", 20),
        ("killed", 50),
        ("microcode", 100),
        ("microcode with flow", 15),
    ] {
        at_least(name, least);
    }
}
