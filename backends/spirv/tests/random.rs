//! Random shaders under random models: their modules, read again, give the bits of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, module, read_again};
use parallax::{Draw, LoadOptions, load};
use parallax_core::{Func, OpKind, OutputRole, Shader, Symbolic};
use parallax_gen::{choices, nv_program, shader, straight_shader};
use parallax_num::Model;
use parallax_random::Random;
use parallax_step::Programs;
use std::collections::BTreeMap;

/// Pixels of a side.
const SIDE: u32 = 4;
/// Words of the longest module that is read again.
const MOST_WORDS: usize = 60_000;

/// What became of the shaders.
#[derive(Debug, Default)]
struct Seen {
    equal: usize,
    refused: usize,
    /// Too long for the frontend, or for this test's patience.
    long: usize,
    /// Whose lanes run out of fuel.
    endless: usize,
    /// Whose pixels ask for neighbours that may not have come along: on a device nobody says what they get.
    apart: usize,
    reasons: BTreeMap<String, usize>,
}

/// Whether something inside a branch, loop or block reads other pixels of the quad.
fn reads_apart(func: &Func) -> bool {
    let mut found = false;
    func.walk(|region, op| {
        let reads = matches!(
            func.ops[op].kind,
            OpKind::Deriv { .. }
                | OpKind::QuadXor { .. }
                | OpKind::QuadShuffle
                | OpKind::QuadAny
                | OpKind::QuadAll
                | OpKind::Tex(_)
        );
        found |= reads && region != func.body;
    });
    found
}

/// A random shader of one of three generators.
fn made(seed: u64) -> Option<Shader<Symbolic>> {
    let width = [8, 16, 36, 64][(seed / 3 % 4) as usize];
    let list = choices(seed, width);
    let mut made = match seed % 3 {
        0 => shader(&list),
        1 => straight_shader(&list),
        _ => load("random.nvfp", nv_program(&list).as_bytes(), &LoadOptions::default()).shader?,
    };
    // Nothing follows a fragment shader.
    for (n, output) in made.func.iface.outputs.iter_mut().enumerate() {
        if let OutputRole::Generic(_) = output.role {
            output.role = OutputRole::Color(n as u16);
        }
    }
    Some(made)
}

/// A draw of it with random inputs: numbers, and some that are none.
fn draw(shader: &Shader<Symbolic>, random: &mut Random) -> Draw {
    let mut draw = Draw::defaults(&shader.func.iface).expect("a draw");
    let mut word = || {
        let bits = random.word() as u32;
        match bits >> 28 {
            0 => random.word() as u32,
            1..=4 => (bits & 0x80ff_ffff) | 0x3f00_0000,
            5..=8 => ((bits % 17) as f32 - 8.0).to_bits(),
            _ => ((bits & 0xffff) as f32 / 4096.0 - 8.0).to_bits(),
        }
    };
    for value in draw.attributes.iter_mut().chain(&mut draw.banks).flatten() {
        value.iter_mut().for_each(|component| *component = word());
    }
    draw.fuel = 4096;
    draw
}

/// Shaders with these numbers.
fn check(seeds: std::ops::Range<u64>) -> Seen {
    let (mut seen, mut programs) = (Seen::default(), Programs::default());
    let names = Model::builtin_names();
    for seed in seeds {
        let Some(shader) = made(seed) else { continue };
        if reads_apart(&shader.func) {
            seen.apart += 1;
            continue;
        }
        let mut random = Random::new(seed);
        let name = random.pick(names);
        let model = Model::builtin(name).expect("built in");
        let effect = Effect::from_shader("random", &shader, draw(&shader, &mut random));
        let compiled = effect.under(&model);
        let translation = match module(&compiled, &mut programs, false) {
            Ok(translation) => translation,
            Err(reasons) => {
                seen.refused += 1;
                reasons.into_iter().for_each(|reason| *seen.reasons.entry(reason).or_default() += 1);
                continue;
            }
        };
        if translation.words.len() > MOST_WORDS {
            seen.long += 1;
            continue;
        }
        let draw = effect.draw(&compiled, &model, SIDE);
        let Some(wanted) = crate::effect::finished(&compiled, &draw) else {
            seen.endless += 1;
            continue;
        };
        let Some((found, _)) = read_again(&translation, &draw) else {
            seen.long += 1;
            continue;
        };
        assert_eq!(difference(&wanted, &found), None, "seed {seed} under {name}");
        seen.equal += 1;
    }
    seen
}

#[test]
fn random_shaders_keep_the_bits() {
    let seen = check(0..60);
    println!("{seen:#?}");
    assert!(seen.equal > 45, "{seen:#?}");
}

/// `cargo test --release -p parallax-spirv-out --test all random -- --ignored --nocapture`: 10,000 that have modules.
#[test]
#[ignore = "long"]
fn many_random_shaders_keep_the_bits() {
    let first: u64 = std::env::var("PARALLAX_FROM").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let mut total = Seen::default();
    let mut next = first;
    while total.equal < 10_000 {
        let seen = check(next..next + 100);
        next += 100;
        (total.equal, total.refused) = (total.equal + seen.equal, total.refused + seen.refused);
        (total.long, total.endless) = (total.long + seen.long, total.endless + seen.endless);
        total.apart += seen.apart;
        seen.reasons.into_iter().for_each(|(reason, count)| *total.reasons.entry(reason).or_default() += count);
        let Seen { equal, refused, long, endless, apart, .. } = total;
        println!("to {next}: {equal} equal, {refused} refused, {long} long, {endless} endless, {apart} apart");
    }
    println!("{:#?}", total.reasons);
}
