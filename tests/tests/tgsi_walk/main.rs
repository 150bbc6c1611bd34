//! Random TGSI programs whose lanes go different ways: what every engine computes is what walking the instructions lane by
//! lane computes.
//!
//! Branches, loops, switches and calls nest; registers are addressed by registers; numbers have 32 and 64 bits; pixels are killed;
//! lanes ask each other who runs and what they have, and read and change memory; kernels have barriers. Programs are drawn as trees, printed for the engines, and walked as they were drawn, so that reader
//! and lift are both judged.

mod generate;
mod machine;
mod opcodes;
mod program;
mod quad;

use generate::{program, vector};
use machine::{Counters, Held, Lane, Machine};
use parallax::{Compiled, Dispatch, LoadOptions, load, run_dispatch};
use parallax_core::SysVal;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::{Decl, Model, Rewrites, Storage};
use parallax_core::{Shader, Symbolic};
use parallax_gen::{Choices, choices};
use parallax_tests::engines::{compiled, ways};
use program::{BUFFERS, CONSTANTS, File, GROUP, INPUTS, Mode, OUTPUTS, Program, WORDS};
use proptest::prelude::*;
use std::cell::RefCell;

/// Five quads: a block of 16 lanes and one that is not full, or two of 8 and one.
const LANES: usize = 20;
/// Bytes that a workgroup shares, as the option says it.
const SHARED: &str = "1024";
/// Workgroups of a kernel.
const GROUPS: usize = 2;
/// Seeds of the fixed programs, and how many of them are tried by default.
const SEEDS: u64 = 600;
const FEW: u64 = 150;

/// `tgsi`, `ieee`, and one model after the other of those that hold a float in its 32 or 64 bits and whose drivers leave programs as
/// they are.
fn models(seed: u64) -> [Model; 3] {
    let mut models = Model::builtins();
    models.retain(|model| {
        let storages = [Decl::F32, Decl::F64].map(|decl| model.storage(decl));
        storages == [Storage::F32, Storage::F64] && model.rewrites() == Rewrites::NONE
    });
    let other = models.swap_remove((seed % models.len() as u64) as usize);
    let builtin = |name| Model::builtin(name).expect("a built-in model");
    [builtin("tgsi"), builtin("ieee"), other]
}

/// Registers that are compared at the end.
fn watched(program: &Program) -> Vec<(File, usize, String)> {
    let files = [(File::Temp, "TEMP", program.temps()), (File::Out, "OUT", OUTPUTS), (File::Addr, "ADDR", 1)];
    let names = |(file, name, count)| (0..count).map(move |n| (file, n as usize, format!("{name}[{n}]")));
    files.into_iter().flat_map(names).collect()
}

/// Runs a program on buffers; the watched registers in order, by lane, and whether the lane was killed.
fn run(
    compiled: &Compiled,
    names: &[String],
    lanes: &[Lane],
    banks: [&[[u32; 4]]; 2],
    buffers: &mut [Vec<u32>],
) -> Vec<(Vec<[u32; 4]>, bool)> {
    let iface = &compiled.shader.func.iface;
    let mut attrs = vec![0; iface.attrs.len() * 4 * LANES];
    for (n, attr) in iface.attrs.iter().enumerate() {
        let number = attr.name.strip_prefix("IN[").and_then(|name| name.strip_suffix(']'));
        let number: usize = number.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("nothing sets {}", attr.name));
        for (lane, state) in lanes.iter().enumerate() {
            (0..4).for_each(|comp| attrs[(n * 4 + comp) * LANES + lane] = state.input[number][comp]);
        }
    }
    let sysvals = vec![0; (SysVal::QuadLane as usize + 1) * LANES];
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &banks,
        sysvals: &sysvals,
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let mut out = Outputs::default();
    compiled.program.runner().run(&inputs, Memory::Exclusive(buffers), &mut out);
    // The last one of a name is the watched register, behind the output of the same name.
    let place = |name: &String| iface.outputs.iter().rposition(|output| output.name == *name).expect("watched");
    let places: Vec<usize> = names.iter().map(place).collect();
    let word = |lane: usize, n: usize| [0, 1, 2, 3].map(|comp| out.planes[n * 4 + comp].get(lane) as u32);
    let lane = |lane: usize| (places.iter().map(|n| word(lane, *n)).collect(), !out.covered[lane]);
    (0..LANES).map(lane).collect()
}

/// Reads a program; the registers of these names are watched.
fn lifted(text: &str, watch: Vec<String>) -> Shader<Symbolic> {
    let mut options = LoadOptions { isa: Some("tgsi".into()), ..LoadOptions::default() };
    options.lift.watch = watch;
    options.lift.settings.insert("shared-bytes".into(), SHARED.into());
    let loaded = load("walk", text.as_bytes(), &options);
    loaded.shader.unwrap_or_else(|| panic!("{:#?}\n{text}", loaded.diags))
}

/// A lane before it starts.
fn lane(program: &Program, c: &mut Choices<'_>) -> Lane {
    let mut input = [(); INPUTS as usize].map(|()| vector(c));
    // What tests, switches and loops look at most.
    input[1] = [(); 4].map(|()| c.below(16) as u32);
    let temp = vec![[Held::default(); 4]; program.temps() as usize];
    Lane { temp, out: Default::default(), addr: Default::default(), input, killed: false, way: Vec::new() }
}

/// Buffers before a program starts, then the memory of a workgroup.
fn memory(c: &mut Choices<'_>) -> Vec<Vec<u32>> {
    let buffer = |c: &mut Choices<'_>| vector(c).into_iter().cycle().zip(0..WORDS as u32);
    let mut memory: Vec<Vec<u32>> = Vec::new();
    for _ in 0..BUFFERS {
        memory.push(buffer(c).map(|(word, n)| if n % 3 == 0 { n } else { word }).collect());
    }
    memory.push(vec![0; SHARED.parse::<usize>().expect("a number") / 4]);
    memory
}

fn add(counters: &mut Counters, what: &'static str, count: usize) {
    *counters.entry(what).or_default() += count;
}

/// Runs a program and walks it, lane by lane, or where lanes have to do with each other quad by quad.
fn check(list: &[u32], mode: Mode, seed: u64, counters: &mut Counters) {
    let program = program(list, mode);
    let text = program.text();
    let inputs = choices(seed, 400);
    let mut c = Choices::new(&inputs).around();
    let constants = [(); 2].map(|()| [(); CONSTANTS as usize].map(|()| vector(&mut c)));
    let banks = [&constants[0][..], &constants[1]];
    let lanes: Vec<Lane> = (0..LANES).map(|_| lane(&program, &mut c)).collect();
    let memory = memory(&mut c);

    let watched = watched(&program);
    let names: Vec<String> = watched.iter().map(|(.., name)| name.clone()).collect();
    let shader = lifted(&text, names.clone());

    for model in models(seed) {
        let memory = RefCell::new(memory.clone());
        let mut machine = Machine { program: &program, model: &model, banks, memory, counters: RefCell::default() };
        let before = machine.memory.get_mut().clone();
        let mut walked = lanes.clone();
        if mode != Mode::Alone {
            walked.as_chunks_mut().0.iter_mut().for_each(|quad| machine.walk_quad(quad));
        } else {
            walked.iter_mut().for_each(|lane| machine.walk(lane));
        }
        for way in ways() {
            let compiled = compiled(&shader, &model, way).unwrap_or_else(|what| panic!("{what}\n{text}"));
            let mut buffers = before[..compiled.shader.func.iface.buffers.len()].to_vec();
            let found = run(&compiled, &names, &lanes, banks, &mut buffers);
            let want = machine.memory.get_mut();
            assert!(
                buffers == want[..buffers.len()],
                "{buffers:x?}, walked {want:x?} from {before:x?} under {}, {way:?}, after\n{text}{constants:x?}{lanes:x?}",
                model.name()
            );
            for (n, ((registers, killed), walked)) in found.iter().zip(&walked).enumerate() {
                let place = || {
                    format!("lane {n} under {}, {way:?}, after\n{text}{:x?}\n{constants:x?}", model.name(), lanes[n])
                };
                assert_eq!(*killed, walked.killed, "killed, {}", place());
                for ((file, number, spelling), words) in watched.iter().zip(registers) {
                    let held = match file {
                        File::Temp => walked.temp[*number],
                        File::Out => walked.out[*number],
                        _ => walked.addr,
                    };
                    let want = held.map(|held| held.word);
                    assert!(*words == want, "{spelling} is {words:x?}, walked {want:x?}: {}", place());
                }
            }
        }
        let found = machine.counters.into_inner();
        found.into_iter().for_each(|(what, count)| *counters.entry(what).or_default() += count);
        add(counters, "killed", walked.iter().filter(|lane| lane.killed).count());
        let divided = walked.chunks(4).filter(|quad| quad.iter().any(|lane| lane.way != quad[0].way)).count();
        add(counters, "divided", divided);
        add(counters, "quads", LANES / 4);
    }
}

/// Runs a kernel and walks it, quad by quad from barrier to barrier.
fn check_kernel(list: &[u32], seed: u64, counters: &mut Counters) {
    let program = program(list, Mode::Kernel);
    let text = program.text();
    let inputs = choices(seed, 400);
    let mut c = Choices::new(&inputs).around();
    let constants = [(); 2].map(|()| [(); CONSTANTS as usize].map(|()| vector(&mut c)));
    let banks = [&constants[0][..], &constants[1]];
    let lanes: Vec<Lane> = (0..GROUPS * GROUP as usize).map(|_| lane(&program, &mut c)).collect();
    let before = memory(&mut c);
    let shader = lifted(&text, Vec::new());

    let given: Vec<u32> = lanes.iter().flat_map(|lane| lane.input).flatten().collect();
    let kept = program.kept() as usize / 4;
    let mut words: Vec<(String, Vec<u32>)> =
        (0..BUFFERS).map(|n| (format!("BUFFER[{n}]"), before[n].clone())).collect();
    words.push((format!("BUFFER[{BUFFERS}]"), given));
    words.push((format!("BUFFER[{}]", BUFFERS + 1), vec![0; kept * lanes.len()]));
    let bank = |(n, bank): (usize, &[[u32; 4]])| (format!("CONST[{n}]"), bank.as_flattened().to_vec());
    words.extend(banks.into_iter().enumerate().map(bank));
    let dispatch = Dispatch { grid: [GROUPS as u32, 1, 1], words, ..Dispatch::default() };
    for model in models(seed) {
        let memory = RefCell::new(before.clone());
        let machine = Machine { program: &program, model: &model, banks, memory, counters: RefCell::default() };
        let mut walked = lanes.clone();
        for group in walked.chunks_mut(GROUP as usize) {
            machine.memory.borrow_mut()[BUFFERS].fill(0);
            machine.walk_group(group.as_chunks_mut().0);
        }
        let registers =
            |lane: &Lane| -> Vec<u32> { lane.temp.iter().chain(&lane.out).flatten().map(|held| held.word).collect() };
        let want: Vec<u32> = walked.iter().flat_map(registers).collect();
        for way in ways() {
            let compiled = compiled(&shader, &model, way).unwrap_or_else(|what| panic!("{what}\n{text}"));
            let found = run_dispatch(&compiled, &dispatch).unwrap_or_else(|found| panic!("{:#?}\n{text}", found.diags));
            let place =
                || format!("under {}, {way:?}, after\n{text}{constants:x?}\n{lanes:x?}\n{before:x?}", model.name());
            let memory = machine.memory.borrow();
            let buffers = &found.buffers;
            for n in 0..BUFFERS {
                assert!(buffers[n] == memory[n], "{:x?}, walked {:x?} {}", buffers[n], memory[n], place());
            }
            for (n, (found, want)) in buffers[BUFFERS + 1].chunks(4).zip(want.chunks(4)).enumerate() {
                let (lane, register) = (n * 4 / kept, n % (kept / 4));
                assert!(found == want, "register {register} of {lane}: {found:x?}, walked {want:x?} {}", place());
            }
        }
        let found = machine.counters.into_inner();
        found.into_iter().for_each(|(what, count)| add(counters, what, count));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_are_the_walk(list in prop::collection::vec(any::<u32>(), 0..700), seed in any::<u64>()) {
        check(&list, Mode::Alone, seed, &mut Counters::new());
    }

    #[test]
    fn random_programs_with_votes_are_the_walk(
        list in prop::collection::vec(any::<u32>(), 0..700), seed in any::<u64>(),
    ) {
        check(&list, Mode::Votes, seed, &mut Counters::new());
    }

    #[test]
    fn random_programs_with_buffers_are_the_walk(
        list in prop::collection::vec(any::<u32>(), 0..700), seed in any::<u64>(),
    ) {
        check(&list, Mode::Memory, seed, &mut Counters::new());
    }

    #[test]
    fn random_kernels_are_the_walk(list in prop::collection::vec(any::<u32>(), 0..700), seed in any::<u64>()) {
        check_kernel(&list, seed, &mut Counters::new());
    }
}

/// Asserts that all of [`SEEDS`] tried enough, or some of them at least half of their share.
fn assert_tried(counters: &Counters, seeds: u64, wanted: &[(&str, usize)]) {
    for (what, all) in wanted {
        let found = counters.get(what).copied().unwrap_or(0);
        let least = if seeds == SEEDS { *all } else { all * seeds as usize / (2 * SEEDS as usize) };
        assert!(found >= least, "{what}: {found} of {least}\n{counters:#?}");
    }
}

/// Fixed seeds, which must try everything that the walk knows.
fn fixed_programs(seeds: u64) {
    let mut counters = Counters::new();
    for seed in 0..seeds {
        check(&choices(seed, 700), Mode::Alone, seed + 1000, &mut counters);
    }
    let wanted = [
        ("divided", 3000),
        ("then", 30_000),
        ("else", 40_000),
        ("loop", 8000),
        ("loop of several rounds", 4000),
        ("continued", 1000),
        ("returned from a loop", 500),
        ("case", 5000),
        ("default", 3000),
        ("fell through", 1000),
        ("switch without a match", 5000),
        ("called", 4000),
        ("returned", 200),
        ("stopped", 3000),
        ("killed", 1500),
        ("addressed", 60_000),
        ("addressed beyond", 20_000),
        ("bank named", 2000),
        ("wide", 10_000),
    ];
    assert_tried(&counters, seeds, &wanted);
}

/// The same where lanes ask each other: who runs together is seen.
fn fixed_programs_with_votes(seeds: u64) {
    let mut counters = Counters::new();
    for seed in 0..seeds / 2 {
        check(&choices(seed + 5000, 700), Mode::Votes, seed + 1000, &mut counters);
    }
    assert_tried(&counters, seeds, &[("asked all", 8000), ("asked some", 5000), ("killed", 500)]);
}

/// The same where lanes change memory.
fn fixed_programs_with_buffers(seeds: u64) {
    let mut counters = Counters::new();
    for seed in 0..seeds / 4 {
        check(&choices(seed + 9000, 700), Mode::Memory, seed + 1000, &mut counters);
    }
    let wanted = [
        ("loaded", 3000),
        ("loaded beyond", 250),
        ("stored", 3500),
        ("dropped", 250),
        ("changed", 2000),
        ("added", 600),
    ];
    assert_tried(&counters, seeds, &wanted);
}

/// The same in kernels, with shared memory and barriers.
fn fixed_kernels(seeds: u64) {
    let mut counters = Counters::new();
    for seed in 0..seeds / 4 {
        check_kernel(&choices(seed + 13_000, 700), seed + 1000, &mut counters);
    }
    let wanted = [
        ("loaded", 4000),
        ("loaded beyond", 150),
        ("stored", 5000),
        ("dropped", 300),
        ("changed", 2500),
        ("added", 1500),
        ("wide", 8000),
    ];
    assert_tried(&counters, seeds, &wanted);
}

#[test]
fn fixed_programs_are_the_walk() {
    fixed_programs(FEW);
}

#[test]
fn fixed_programs_with_votes_are_the_walk() {
    fixed_programs_with_votes(FEW);
}

#[test]
fn fixed_programs_with_buffers_are_the_walk() {
    fixed_programs_with_buffers(FEW);
}

#[test]
fn fixed_kernels_are_the_walk() {
    fixed_kernels(FEW);
}

/// `cargo test -p parallax-tests --release --test all tgsi_walk -- --ignored`.
#[test]
#[ignore = "long"]
fn all_fixed_programs_are_the_walk() {
    fixed_programs(SEEDS);
    fixed_programs_with_votes(SEEDS);
    fixed_programs_with_buffers(SEEDS);
    fixed_kernels(SEEDS);
}
