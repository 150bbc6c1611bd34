//! Random SPA 5.0 programs: what the engine computes is what walking them word by word computes, optimised or not.

mod machine;
mod programs;

use machine::{CONSTANTS, LANES, Lane, Machine, REGISTERS};
use parallax::{LaneCase, run_lanes};
use parallax_core::num::Model;
use parallax_gen::Choices;
use parallax_lift::{Layout, Options};
use parallax_spa5::{Program, lift};
use parallax_tests::engines::{Way, compiled, ways};
use programs::{Dice, Structured, alu, quad};
use proptest::collection::vec;
use proptest::prelude::*;
use std::cell::Cell;
use std::fmt::Write;

/// Instructions of a straight program.
const STRAIGHT: u32 = 14;
const MODELS: [&str; 2] = ["maxwell", "ieee"];

/// `P2R R7, CC, R7, 0xf`: makes the condition code seen.
const CODE_TO_REGISTER: u64 = 0x38e8 << 48 | 1 << 40 | 0xf << 20 | 7 << 16 | 7 << 8 | 7;

/// Bundles of three words behind a control word that asks for nothing.
fn bytes(words: &[u64]) -> Vec<u8> {
    const FIELD: u64 = 0x7e0;
    const NOP: u64 = 0x50b0_0000_0007_0f00;
    let mut out = Vec::new();
    for bundle in words.chunks(3) {
        out.extend((FIELD | FIELD << 21 | FIELD << 42).to_le_bytes());
        for n in 0..3 {
            out.extend(bundle.get(n).unwrap_or(&NOP).to_le_bytes());
        }
    }
    out
}

fn listing(words: &[u64]) -> String {
    let mut out = String::new();
    for word in words {
        let _ = writeln!(out, "{word:016x}");
    }
    out
}

/// A word to begin with: mostly a tame number of either kind.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        6 => (-12i32..12).prop_map(|n| (n as f32 * 0.375).to_bits()),
        2 => (-20i32..20).prop_map(|n| n as u32),
        3 => any::<u32>(),
    ]
}

/// A constant: of NaNs only the one that arithmetic makes, as reading another as a float may change its bits.
fn constant() -> impl Strategy<Value = u32> {
    word().prop_map(|word| if f32::from_bits(word).is_nan() { 0x7fff_ffff } else { word })
}

fn lanes() -> impl Strategy<Value = [Lane; LANES]> {
    let lane = ([(); REGISTERS].map(|()| word()), any::<[bool; 7]>()).prop_map(|(r, p)| Lane {
        r,
        p,
        carry: false,
        zero: false,
        negative: false,
        overflow: false,
        local: vec![0; 256],
    });
    vec(lane, LANES).prop_map(|lanes| lanes.try_into().expect("four lanes"))
}

/// Runs words in the engines on lanes; the registers and predicates they end with, by the way they ran.
fn engines(words: &[u64], machine: &Machine<'_>, before: &[Lane; LANES]) -> Vec<(Way, [Lane; LANES])> {
    let mut case = LaneCase::default();
    for (bank, words) in machine.constants.iter().enumerate() {
        case.state
            .extend(words.iter().enumerate().map(|(n, &word)| (format!("c[{bank:#x}][{:#x}]", 4 * n), vec![word])));
    }
    for (registers, lane) in case.lanes.iter_mut().zip(before) {
        registers.extend(lane.r.iter().enumerate().map(|(n, &word)| (format!("R{n}"), vec![word])));
        registers.extend(lane.p.iter().enumerate().map(|(n, &held)| (format!("P{n}"), vec![u32::from(held)])));
    }
    let names: Vec<String> = case.lanes[0].iter().map(|(name, _)| name.clone()).collect();
    let options = Options {
        preset: case.state.iter().chain(&case.lanes[0]).map(|(name, _)| name.clone()).collect(),
        watch: names,
        ..Options::default()
    };
    let (program, diags) = Program::decode(&bytes(words), &Layout::default());
    assert!(diags.is_empty(), "{}{diags:#?}", listing(words));
    let shader = lift(&program, &options).unwrap_or_else(|d| panic!("{}{d:#?}", listing(words)));
    let run = |way| {
        let compiled = compiled(&shader, machine.model, way).unwrap_or_else(|what| panic!("{what}"));
        let results = run_lanes(&compiled, &case).unwrap_or_else(|d| panic!("{d:#?}"));
        let lanes = std::array::from_fn(|n| {
            let value = |name: &str| results[n].watched(name).expect("watched")[0].expect("a value").bits as u32;
            let mut lane = before[n].clone();
            lane.r = std::array::from_fn(|r| value(&format!("R{r}")));
            lane.p = std::array::from_fn(|p| value(&format!("P{p}")) != 0);
            lane
        });
        (way, lanes)
    };
    ways().map(run).collect()
}

/// Compares what can be seen from outside.
fn compare(
    words: &[u64],
    machine: &Machine<'_>,
    before: &[Lane; LANES],
    walked: &[Lane; LANES],
) -> Result<(), TestCaseError> {
    for (way, got) in engines(words, machine, before) {
        for (n, (got, walked)) in got.iter().zip(walked).enumerate() {
            prop_assert_eq!(
                got.r.map(Hex),
                walked.r.map(Hex),
                "registers of lane {}, {:?}\n{}",
                n,
                way,
                listing(words)
            );
            prop_assert_eq!(got.p, walked.p, "predicates of lane {}, {:?}\n{}", n, way, listing(words));
        }
    }
    Ok(())
}

#[derive(PartialEq)]
struct Hex(u32);

impl std::fmt::Debug for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

fn models() -> [Model; 2] {
    MODELS.map(|name| Model::builtin(name).expect("a built-in model"))
}

fn constants() -> impl Strategy<Value = [[u32; CONSTANTS]; 2]> {
    [0, 1].map(|_| [(); CONSTANTS].map(|()| constant()))
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1500))]

    /// The lanes of a quad in step, reading each other.
    #[test]
    fn straight_programs_agree(
        choices in vec(any::<u32>(), 1..400), before in lanes(), constants in constants(), model in 0..2usize,
    ) {
        let models = models();
        let machine = Machine { model: &models[model], constants };
        let mut dice = Dice(Choices::new(&choices));
        let count = 1 + dice.below(STRAIGHT);
        let mut words: Vec<u64> =
            (0..count).map(|_| if dice.below(7) == 6 { quad(&mut dice) } else { alu(&mut dice) }).collect();
        words.push(CODE_TO_REGISTER);
        let mut walked = before.clone();
        for &word in &words {
            if machine.quad(&mut walked, word) {
                continue;
            }
            for lane in walked.iter_mut().filter(|lane| lane.guarded(word)) {
                prop_assert!(machine.alu(lane, word), "{word:016x}");
            }
        }
        compare(&words, &machine, &before, &walked)?;
    }
}

/// Branches, loops and calls, every lane by itself.
#[test]
fn structured_programs_agree() {
    let models = models();
    let (jumps, divided) = (Cell::new(0), Cell::new(0));
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config(1000),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let cases = (vec(any::<u32>(), 1..1200), lanes(), constants(), 0..2usize);
    let outcome = runner.run(&cases, |(choices, before, constants, model)| {
        let machine = Machine { model: &models[model], constants };
        let mut dice = Dice(Choices::new(&choices));
        let words = Structured::program(&mut dice);
        let mut walked = before.clone();
        let taken: Option<Vec<usize>> = walked.iter_mut().map(|lane| machine.walk(lane, &words)).collect();
        // One that takes too long proves nothing.
        let Some(taken) = taken else { return Ok(()) };
        jumps.set(jumps.get() + taken.iter().sum::<usize>());
        divided.set(divided.get() + usize::from(taken.iter().any(|n| *n != taken[0])));
        compare(&words, &machine, &before, &walked)
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    // The cases are no idle ones.
    assert!(jumps.get() > 20_000 && divided.get() > 100, "{} {}", jumps.get(), divided.get());
}
