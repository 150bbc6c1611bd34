//! Random groups: what the lifted program computes is what walking it group by group computes, read from text or from bytes,
//! optimised or not, whichever engine runs it.

mod group;
mod machine;
mod random;

use group::Group;
use machine::{Instance, LANES, Machine};
use parallax_core::backend::Backend;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, SysVal, verify};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_usc::{Program, assemble, assemble_bytes, lift};
use parallax_x86::{Level, MachineCode};

/// Registers that are compared at the end.
fn watched() -> Vec<String> {
    let files = [("r", 0..14), ("i", 0..7), ("o", 0..7), ("vo", 0..12)];
    let mut names: Vec<String> =
        files.into_iter().flat_map(|(file, all)| all.map(move |n| format!("{file}{n}"))).collect();
    names.extend(["p0".to_string(), "pe".to_string()]);
    names
}

/// Registers that start with a random word.
fn preset() -> Vec<String> {
    let files = [("r", 0..8), ("vi", 0..7), ("sh", 0..11), ("i", 0..4)];
    files.into_iter().flat_map(|(file, all)| all.map(move |n| format!("{file}{n}"))).collect()
}

fn held(instance: &Instance, name: &str) -> u32 {
    let (file, number) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
    let n = || number.parse::<usize>().expect("a number");
    match file {
        "r" => instance.r[n()],
        "vi" => instance.vi[n()],
        "sh" => instance.sh[n()],
        "i" => instance.i[n()],
        "o" => instance.o[n()],
        "vo" => instance.vo[n()],
        "p" => instance.p0.into(),
        _ => instance.pe.into(),
    }
}

/// What a bound program leaves in the watched registers, by register and lane.
fn execute(bound: &Shader<Bound>, backend: &dyn Backend, quad: &[Instance]) -> Vec<[u32; LANES]> {
    let iface = &bound.func.iface;
    let mut attrs = vec![0u32; iface.attrs.len() * 16];
    for (n, attr) in iface.attrs.iter().enumerate() {
        for (lane, instance) in quad.iter().enumerate() {
            attrs[n * 16 + lane] = held(instance, &attr.name);
        }
    }
    let sysvals = vec![1; (SysVal::QuadLane as usize + 1) * LANES];
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[],
        sysvals: &sysvals,
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let mut out = Outputs::default();
    let prepared = backend.prepare(verify(bound).unwrap_or_else(|d| panic!("{d:?}")));
    let program = prepared.unwrap_or_else(|reason| panic!("{reason}"));
    program.runner().run(&inputs, Memory::NONE, &mut out);
    watched()
        .iter()
        .map(|name| {
            let (n, _) = iface.outputs.iter().enumerate().rfind(|(_, o)| o.name == *name).expect("watched");
            std::array::from_fn(|lane| out.planes[n * 4].get(lane) as u32)
        })
        .collect()
}

/// The same from a program as it is lifted, interpreted, and as it is optimised, interpreted and as machine code of every
/// level that this host runs; with names for them.
fn lifted(program: &Program, model: &Model, quad: &[Instance], text: &str) -> Vec<(String, Vec<[u32; LANES]>)> {
    let settings = [("end".to_string(), "optional".to_string())].into();
    let options = Options { watch: watched(), preset: preset(), settings, ..Options::default() };
    let shader = lift(program, &options).unwrap_or_else(|d| panic!("{d:#?}\n{text}"));
    let optimised = optimise(canonicalise(shader.clone()).bind(model), &mut NoObserver);
    let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
    let machine_code = levels.map(|level| {
        let backend = MachineCode { level: Some(level), ..MachineCode::BEST };
        (format!("optimised for {level}"), execute(&optimised, &backend, quad))
    });
    let interpreted = [
        ("as lifted".to_string(), execute(&shader.bind(model), &Interpreter, quad)),
        ("optimised".to_string(), execute(&optimised, &Interpreter, quad)),
    ];
    interpreted.into_iter().chain(machine_code).collect()
}

fn quad(random: &mut Random) -> Vec<Instance> {
    let instance = |random: &mut Random| {
        let mut instance = Instance { pe: true, ..Instance::default() };
        instance.r[..8].fill_with(|| random::word(random));
        instance.vi[..7].fill_with(|| random::word(random));
        instance.i[..4].fill_with(|| random::word(random));
        instance
    };
    let mut quad: Vec<Instance> = (0..LANES).map(|_| instance(random)).collect();
    let uniforms: Vec<u32> = (0..11).map(|_| random::word(random)).collect();
    quad.iter_mut().for_each(|instance| instance.sh[..11].copy_from_slice(&uniforms));
    quad
}

/// Programs that are tried, under each model.
const CASES: u64 = 600;

/// What happened in all programs together, so that they are no idle ones.
#[derive(Default)]
struct Seen {
    branches: usize,
    /// Registers that ended with another word than they started with.
    changed: usize,
    /// Instances that ended without running.
    waiting: usize,
}

/// Walks a program and compares; `ways` are the programs it was read as.
fn compare(model: &Model, groups: &[Group], random: &mut Random, ways: &[&Program], text: &str, seen: &mut Seen) {
    let offsets: Vec<u32> = ways[0].groups.iter().map(|group| group.offset).collect();
    let before = quad(random);
    let mut walked = before.clone();
    seen.branches += Machine { model }.run(&mut walked, groups, &offsets);
    seen.waiting += walked.iter().filter(|instance| !instance.pe).count();
    for (n, program) in ways.iter().enumerate() {
        for (engine, got) in lifted(program, model, &before, text) {
            for (name, lanes) in watched().iter().zip(got) {
                for (lane, word) in lanes.into_iter().enumerate() {
                    let want = held(&walked[lane], name);
                    seen.changed += usize::from(want != held(&before[lane], name));
                    let place = format!("{name} of lane {lane}, way {n}, {engine}");
                    assert!(word == want, "{place}: {word:08x}, walked {want:08x}\n{text}\n{:x?}", before[lane]);
                }
            }
        }
    }
}

fn models() -> impl Iterator<Item = Model> {
    ["rogue", "ieee"].into_iter().map(|name| Model::builtin(name).expect("a built-in model"))
}

#[test]
fn programs_from_text_and_from_bytes_compute_what_the_walk_does() {
    let mut seen = Seen::default();
    for model in models() {
        for case in 0..CASES {
            let mut random = Random::new(case);
            let groups = random::program(&mut random, 1 + case % 12, true);
            let text = group::text(&groups);
            let (program, diags) = assemble(&text);
            let program = program.unwrap_or_else(|| panic!("{text}{diags:#?}"));
            let (bytes, diags) = assemble_bytes(&text);
            let bytes = bytes.unwrap_or_else(|| panic!("{text}{diags:#?}"));
            let (decoded, diags) = Program::decode(&bytes);
            assert!(diags.is_empty(), "{text}{diags:#?}");
            compare(&model, &groups, &mut random, &[&program, &decoded], &text, &mut seen);
        }
    }
    let Seen { branches, changed, waiting } = seen;
    assert!(branches > 500 && changed > 20_000 && waiting > 300, "{branches} {changed} {waiting}");
}

#[test]
fn subroutines_compute_what_the_walk_does() {
    let mut seen = Seen::default();
    for model in models() {
        for case in 0..CASES {
            let mut random = Random::new(2 << 32 | case);
            let groups = random::program_with_calls(&mut random);
            let text = group::text(&groups);
            let (program, diags) = assemble(&text);
            let program = program.unwrap_or_else(|| panic!("{text}{diags:#?}"));
            let (bytes, diags) = assemble_bytes(&text);
            let bytes = bytes.unwrap_or_else(|| panic!("{text}{diags:#?}"));
            let (decoded, diags) = Program::decode(&bytes);
            assert!(diags.is_empty(), "{text}{diags:#?}");
            compare(&model, &groups, &mut random, &[&program, &decoded], &text, &mut seen);
        }
    }
    assert!(seen.branches > 2000 && seen.changed > 10_000, "{} {}", seen.branches, seen.changed);
}

#[test]
fn programs_without_encoding_compute_what_the_walk_does() {
    let mut seen = Seen::default();
    for model in models() {
        for case in 0..CASES {
            let mut random = Random::new(1 << 32 | case);
            let groups = random::program(&mut random, 1 + case % 6, false);
            let text = group::text(&groups);
            let (program, diags) = assemble(&text);
            let program = program.unwrap_or_else(|| panic!("{text}{diags:#?}"));
            compare(&model, &groups, &mut random, &[&program], &text, &mut seen);
        }
    }
    assert!(seen.changed > 10_000, "{}", seen.changed);
}
