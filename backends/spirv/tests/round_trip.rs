//! Modules read again by the SPIR-V frontend and drawn under `ieee`: the bits of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, module, picture, read_again, validate};
use parallax::Geometry;
use parallax_core::Interp;
use parallax_num::Model;
use parallax_step::Programs;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a folder of programs gives under models.
#[derive(Default)]
struct Seen {
    equal: usize,
    refused: usize,
    /// Modules whose inputs the draw of this test cannot give.
    divided: usize,
    /// Modules that are too long for the frontend.
    long: usize,
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
            let made = module(&compiled, &mut programs, false);
            let took = start.elapsed();
            let translation = match made {
                Ok(translation) => translation,
                Err(reasons) => {
                    seen.refused += 1;
                    reasons.into_iter().for_each(|reason| *seen.reasons.entry(reason).or_default() += 1);
                    continue;
                }
            };
            let draw = effect.draw(&compiled, &model, side);
            // What is divided by w on the way is the vertex stage's to give: the draw here has it undivided. Nothing is divided where
            // w is 1.
            let divides = translation.interface.inputs.iter().any(|input| input.interp == Interp::OverW);
            let is_deep = matches!(&draw.geometry, Geometry::Triangles(all) if all.iter().any(|[.., w]| *w != 1.0));
            if divides && is_deep {
                seen.divided += 1;
                continue;
            }
            let Some((found, inexact)) = read_again(&translation, &draw) else {
                seen.long += 1;
                continue;
            };
            seen.time += took;
            seen.words += translation.words.len();
            let wanted = picture(&compiled, &draw);
            assert_eq!(inexact, 0, "{} under {name}", effect.path);
            assert_eq!(difference(&wanted, &found), None, "{} under {name}", effect.path);
            seen.equal += 1;
        }
    }
}

/// Programs of all instruction sets, and models under which no operation of theirs is refused.
const SOME: [(&str, &[&str]); 24] = [
    // These ask about samples.
    ("attila/gear", &["attila"]),
    ("attila/parallax", &["ieee"]),
    ("spa5/centroid_edge", &["maxwell"]),
    ("spa5/needle_fan", &["llvmpipe"]),
    ("spa5/sample_rings", &["nvfp"]),
    ("tgsi/blend", &["ieee", "ati-r300", "rogue"]),
    ("tgsi/eclipse", &["nv-patent", "intel-alt"]),
    ("tgsi/marble", &["attila", "llvmpipe"]),
    ("attila/fog", &["ati-r300", "maxwell"]),
    ("nvfp/toon", &["adreno", "nvfp"]),
    ("nv40/sine_hash", &["ieee", "rogue"]),
    ("spa5/julia", &["maxwell", "amd-gcn"]),
    ("usc/blend", &["rogue", "adreno"]),
    ("gcn/blend", &["amd-gcn", "nv-patent"]),
    ("spirv/julia", &["llvmpipe", "ieee"]),
    ("spirv/ulp_rings", &["attila", "nvfp"]),
    ("nvfp/blend", &["ati-r300", "vc4"]),
    ("nvfp/specular_sweep", &["nvfp", "adreno"]),
    ("tgsi/specular_sweep", &["adreno", "vc4", "ati-r300", "ieee"]),
    ("attila/specular_sweep", &["ieee", "intel-alt"]),
    ("nv40/sine_hash", &["adreno", "vc4"]),
    ("spirv/julia", &["vc4"]),
    ("attila/ulp_rings", &["vc4", "intel-alt"]),
    ("tgsi/marble", &["adreno", "vc4", "intel-alt"]),
];

#[test]
fn modules_give_the_bits_of_the_model() {
    let mut seen = Seen::default();
    for (path, models) in SOME {
        check(path, models, 8, &mut seen);
    }
    println!("{} equal, {} refused, {} divided by w: {:?}", seen.equal, seen.refused, seen.divided, seen.reasons);
    assert_eq!((seen.equal, seen.refused, seen.divided, seen.long), (46, 0, 0, 0), "{:#?}", seen.reasons);
}

/// A fragment shader reads a buffer, inside and outside of it; one that stores is refused.
/// The device takes the stencil where it knows the extension, in the model's words.
#[test]
fn stencils_are_written() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL OUT[1], STENCIL\nDCL TEMP[0]\n\
                IMM[0] FLT32 {200.0, 0.0, 0.0, 0.0}\nMUL TEMP[0], IN[0], IMM[0].xxxx\nF2U TEMP[0], TEMP[0]\n\
                MOV OUT[1].y, TEMP[0].xxxx\nMOV OUT[0], IN[0]\nEND\n";
    let effect = Effect::of("stencil.tgsi", text, "stage = \"fragment\"\nsize = [8, 8]\n");
    let model = Model::builtin("nv40").expect("built in");
    let compiled = effect.under(&model);
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    validate(&made, effect.path);
    let draw = effect.draw(&compiled, &model, 8);
    let (wanted, found) = (picture(&compiled, &draw), read_again(&made, &draw).expect("a small module").0);
    assert_eq!(difference(&wanted, &found), None);
    let (_, words) = wanted.planes.iter().find(|(name, _)| name == "stencil").expect("a stencil");
    assert!(words.iter().any(|word| *word != words[0]) && words.iter().all(|word| *word < 256), "{words:?}");
}

#[test]
fn fragments_read_buffers() {
    let of = |rest: &str| {
        let text = format!(
            "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0..1]\n\
             IMM[0] FLT32 {{ 100.0, 0.0, 0.0, 0.0 }}\nMUL TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nF2U TEMP[0].x, TEMP[0].xxxx\n{rest}END\n"
        );
        let manifest = "[[attributes]]\nindex = 0\ncorners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]\n\
            [binding.\"BUFFER[0]\"]\nsource = \"uniform\"\ncount = 20\n";
        Effect::of("buffers.tgsi", &text, manifest)
    };
    let model = Model::builtin("ieee").expect("built in");
    let effect = of("LOAD OUT[0], BUFFER[0], TEMP[0].xxxx\n");
    let compiled = effect.under(&model);
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    assert_eq!((made.interface.buffers.len(), made.interface.buffers[0].is_written), (1, false));
    let draw = effect.draw(&compiled, &model, 16);
    let (wanted, (found, _)) = (picture(&compiled, &draw), read_again(&made, &draw).expect("of moderate size"));
    assert_eq!(difference(&wanted, &found), None);
    let seen: std::collections::BTreeSet<u32> = wanted.planes[0].1.iter().copied().collect();
    assert!(seen.contains(&0) && seen.len() > 10, "{seen:?}");
    let compiled = of("STORE BUFFER[0].x, TEMP[0].xxxx, IN[0].xxxx\n").under(&model);
    let reasons = module(&compiled, &mut Programs::default(), false).expect_err("no module");
    assert!(reasons.iter().any(|why| why.contains("`buffer.store` in a fragment shader")), "{reasons:?}");
}

/// A model whose functions only the reference decides: binary64 that is flushed.
const OPEN: &str = "binary64[denorm_out=flush]";

/// What only the reference decides is refused by name, or counted.
#[test]
fn functions_in_flushed_binary64_are_refused_or_counted() {
    let effect = Effect::all("tgsi/specular_sweep").next().expect("a program with a power");
    let compiled = effect.under(&Model::parse(OPEN).expect("a model"));
    let mut programs = Programs::default();
    let reasons = module(&compiled, &mut programs, false).expect_err("no module");
    assert!(reasons.iter().any(|reason| reason.contains("slow lanes")), "{reasons:?}");
    let counted = module(&compiled, &mut programs, true).expect("a module");
    assert!(counted.interface.counter.is_some() && counted.figures.inexact > 0, "{:?}", counted.figures);
}

/// A module that counts says so where its picture is not the model's: where nothing is counted, no pixel differs.
#[test]
fn what_differs_is_counted() {
    let mut programs = Programs::default();
    let (mut exact, mut inexact) = (0, 0);
    // Powers of negative numbers in binary64 are nobody's but the reference's, if they are flushed.
    let cube = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 { 3.0, 0.0, 0.0, 0.0 }\n\
        POW TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\nMOV OUT[0], TEMP[0].xxxx\nEND\n";
    let corners = "[[attributes]]\nindex = 0\ncorners = [[-1.0, 0.0], [1.0, 0.0], [-1.0, 1.0], [1.0, 1.0]]\n";
    let corpus = ["nvfp/specular_sweep", "tgsi/specular_sweep", "attila/blinn_phong", "nvfp/soap_bubble"];
    let effects = corpus.map(|path| Effect::all(path).next().expect(path));
    for effect in effects.into_iter().chain([Effect::of("cube.tgsi", cube, corners)]) {
        let path = effect.path;
        for name in ["ieee", OPEN] {
            let model = Model::parse(name).expect("a model");
            let compiled = effect.under(&model);
            let translation = module(&compiled, &mut programs, true).expect(path);
            let draw = effect.draw(&compiled, &model, 16);
            let (wanted, again) = (picture(&compiled, &draw), read_again(&translation, &draw));
            let (found, counted) = again.expect("a module of moderate size");
            if counted == 0 {
                assert_eq!(difference(&wanted, &found), None, "{path} under {name}");
            }
            exact += usize::from(counted == 0);
            inexact += usize::from(counted > 0);
            println!("{path} under {name}: {counted} counted, {:?}", difference(&wanted, &found));
        }
    }
    assert!(exact > 0 && inexact > 0, "{exact} without a count, {inexact} with one");
}

/// What is refused in the corpus, by model and by reason, under every built-in model: nothing.
/// `cargo test -p parallax-spirv-out --test all refusals -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn refusals_of_the_corpus() {
    let mut programs = Programs::default();
    let models = Model::builtin_names();
    let (mut made, mut pairs) = (BTreeMap::<&str, usize>::new(), 0);
    let mut reasons: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let (mut words, mut time) = (0, Duration::ZERO);
    for effect in Effect::all("") {
        for name in models {
            pairs += 1;
            let compiled = effect.under(&Model::builtin(name).expect("built in"));
            let start = Instant::now();
            match module(&compiled, &mut programs, false) {
                Ok(translation) => {
                    time += start.elapsed();
                    words += translation.words.len();
                    *made.entry(name).or_default() += 1;
                }
                Err(all) => {
                    let alone = all.len() == 1;
                    for reason in all {
                        let counts = reasons.entry(reason).or_default();
                        *counts = (counts.0 + 1, counts.1 + usize::from(alone));
                    }
                }
            }
        }
    }
    let count: usize = made.values().sum();
    println!(
        "{count} of {pairs} pairs have a module, of {} words each, in {:?} each",
        words / count,
        time / count as u32
    );
    models.iter().for_each(|name| println!("{name} {}", made.get(name).copied().unwrap_or(0)));
    let complete = models.iter().filter(|name| made.get(*name) == Some(&Effect::all("").count())).count();
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    reasons.iter().for_each(|(reason, (count, alone))| println!("{count:5} (alone {alone}) {reason}"));
    assert_eq!((complete, pairs), (models.len(), models.len() * Effect::all("").count()));
    assert!(reasons.is_empty(), "{reasons:#?}");
}

/// `cargo test -p parallax-spirv-out --release --test all round_trip -- --ignored --nocapture`; `PARALLAX_SIDE` is the number of
/// pixels of a side.
#[test]
#[ignore = "long"]
fn the_whole_corpus_gives_the_bits_of_the_models() {
    let mut seen = Seen::default();
    let models = Model::group("default").expect("a group");
    let side = std::env::var("PARALLAX_SIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(64);
    check("", &models, side, &mut seen);
    let Seen { equal, refused, divided, long, words, time, .. } = &seen;
    println!("{equal} equal, {refused} refused, {divided} divided by w, {long} too long, {words} words, {time:?}");
    seen.reasons.iter().for_each(|(reason, count)| println!("{count:5} {reason}"));
}
