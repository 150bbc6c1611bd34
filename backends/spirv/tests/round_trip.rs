//! Modules read again by the SPIR-V frontend and drawn under `ieee`: the bits of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, module, picture, read_again};
use parallax_num::Model;
use parallax_step::Programs;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a folder of programs gives under models.
#[derive(Default)]
struct Seen {
    equal: usize,
    refused: usize,
    reasons: BTreeMap<String, usize>,
    words: usize,
    time: Duration,
}

fn check(prefix: &str, models: &[&str], side: u32, seen: &mut Seen) {
    let mut programs = Programs::default();
    for effect in Effect::all(prefix) {
        for name in models {
            let model = Model::builtin(name).expect("built in");
            let compiled = effect.under(&model);
            let start = Instant::now();
            let made = module(&compiled, &mut programs);
            let took = start.elapsed();
            let translation = match made {
                Ok(translation) => translation,
                Err(reasons) => {
                    seen.refused += 1;
                    reasons.into_iter().for_each(|reason| *seen.reasons.entry(reason).or_default() += 1);
                    continue;
                }
            };
            seen.time += took;
            seen.words += translation.words.len();
            let draw = effect.draw(&compiled, &model, side);
            let (wanted, found) = (picture(&compiled, &draw), read_again(&translation, &draw));
            assert_eq!(difference(&wanted, &found), None, "{} under {name}", effect.path);
            seen.equal += 1;
        }
    }
}

/// The default models of `compare`.
const MODELS: [&str; 12] = [
    "ieee",
    "ati-r300",
    "nv-patent",
    "nvfp",
    "attila",
    "maxwell",
    "amd-gcn",
    "intel-alt",
    "rogue",
    "adreno",
    "vc4",
    "llvmpipe",
];

#[test]
fn modules_give_the_bits_of_the_model() {
    let mut seen = Seen::default();
    for path in
        ["tgsi/blend", "attila/fog", "nvfp/blend", "nv40/blend", "spa5/blend", "usc/blend", "gcn/blend", "spirv/blend"]
    {
        check(path, &["ieee", "ati-r300"], 16, &mut seen);
    }
    println!("{} equal, {} refused: {:?}", seen.equal, seen.refused, seen.reasons);
    assert!(seen.equal >= 8, "{} equal, {} refused: {:#?}", seen.equal, seen.refused, seen.reasons);
}

/// `cargo test -p parallax-spirv-out --release --test all round_trip -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn the_whole_corpus_gives_the_bits_of_the_models() {
    let mut seen = Seen::default();
    check("", &MODELS, 64, &mut seen);
    println!("{} equal, {} refused, {} words, {:?}", seen.equal, seen.refused, seen.words, seen.time);
    seen.reasons.iter().for_each(|(reason, count)| println!("{count:5} {reason}"));
}
