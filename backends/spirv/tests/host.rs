//! Modules with the device's own instructions, read again by the SPIR-V frontend and drawn under `ieee`, which keeps every promise that
//! is asked for: mixed ones have the bits of their models, native ones where nothing is listed.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, picture, read_again, validate};
use parallax_core::verify;
use parallax_num::Model;
use parallax_spirv_out::{Arithmetic, Assume, Options, Translation, translate};
use parallax_step::Programs;

/// The module of a program under a model, unless it is refused.
fn module(effect: &Effect, name: &str, arithmetic: Arithmetic, programs: &mut Programs) -> Option<Translation> {
    let compiled = effect.under(&Model::builtin(name).expect("built in"));
    let assume = if arithmetic == Arithmetic::Faithful { Assume::default() } else { Assume::ALL };
    translate(
        verify(&compiled.shader).expect("sound IR"),
        programs,
        Options { arithmetic, assume, ..Options::default() },
    )
    .ok()
}

/// What differs from the model's picture; `None` where the frontend does not take the module's size.
fn compared(effect: &Effect, name: &str, made: &Translation) -> Option<Option<String>> {
    let model = Model::builtin(name).expect("built in");
    let compiled = effect.under(&model);
    let draw = effect.draw(&compiled, &model, 8);
    let (found, _) = read_again(made, &draw)?;
    Some(difference(&picture(&compiled, &draw), &found))
}

/// Programs of all instruction sets, under models that keep denormals and models that flush them, that round to nearest and that chop.
const SOME: [(&str, &[&str]); 16] = [
    ("tgsi/blend", &["ieee", "ati-r300", "rogue"]),
    ("tgsi/marble", &["llvmpipe", "vc4"]),
    ("tgsi/eclipse", &["nv-patent", "llvmpipe"]),
    ("attila/fog", &["maxwell", "ieee"]),
    ("attila/ulp_rings", &["llvmpipe", "intel-alt"]),
    ("nvfp/toon", &["adreno", "nvfp"]),
    ("nvfp/blend", &["llvmpipe", "nv40"]),
    ("nv40/sine_hash", &["rogue", "nv40"]),
    ("nv40/toon", &["nv40", "amd-gcn"]),
    ("spa5/julia", &["maxwell", "amd-gcn"]),
    ("usc/blend", &["rogue", "adreno"]),
    ("gcn/blend", &["amd-gcn", "nv-patent"]),
    ("spirv/julia", &["llvmpipe", "ieee"]),
    ("spirv/ulp_rings", &["nvfp", "adreno"]),
    ("tgsi/sine_hash", &["ieee", "llvmpipe"]),
    ("spa5/blend", &["maxwell", "ieee"]),
];

#[test]
fn mixed_modules_give_the_bits_of_the_model() {
    let mut programs = Programs::default();
    let (mut equal, mut floats, mut sizes) = (0, 0, [0, 0]);
    for (path, models) in SOME {
        let effect = Effect::all(path).next().expect(path);
        for name in models {
            let Some(made) = module(&effect, name, Arithmetic::Mixed, &mut programs) else { continue };
            let faithful = module(&effect, name, Arithmetic::Faithful, &mut programs).expect("a module");
            let Some(found) = compared(&effect, name, &made) else { continue };
            assert_eq!(found, None, "{path} under {name}");
            assert!(made.host.open.is_empty());
            assert_eq!(faithful.host.operations, 0);
            (equal, floats) = (equal + 1, floats + made.host.operations);
            sizes = [sizes[0] + made.words.len(), sizes[1] + faithful.words.len()];
        }
    }
    println!("{equal} equal, {floats} float instructions, {} words for {} faithful ones", sizes[0], sizes[1]);
    assert!(equal > 20 && floats > 500, "{equal} equal, {floats} float instructions");
}

/// Under `ieee`, sums, products and most functions are what they are for the frontend that reads the module.
#[test]
fn native_modules_differ_where_they_say_so() {
    let mut programs = Programs::default();
    let (mut equal, mut silent, mut listed) = (0, 0, 0);
    for (path, _) in SOME {
        let effect = Effect::all(path).next().expect(path);
        for name in ["ieee", "llvmpipe"] {
            let Some(made) = module(&effect, name, Arithmetic::Native, &mut programs) else { continue };
            assert!(made.host.operations > 0, "{path} under {name}");
            let Some(found) = compared(&effect, name, &made) else { continue };
            match (&found, made.host.open.is_empty()) {
                (None, true) => silent += 1,
                (None, false) => equal += 1,
                (Some(what), true) => panic!("{path} under {name} differs without a word: {what}"),
                (Some(what), false) => {
                    let open: Vec<String> = made.host.open.iter().map(parallax_spirv_out::Open::line).collect();
                    println!("{path} under {name}: {what}; listed: {open:?}");
                    listed += 1;
                }
            }
        }
    }
    println!("{silent} equal with nothing listed, {equal} equal all the same, {listed} differ as listed");
    assert!(silent + equal > 15, "{silent} {equal} {listed}");
}

/// A program with these instructions and constants.
fn program(instructions: &str, constants: &[[f32; 4]]) -> Effect {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0..7]\nDCL TEMP[0..3]\n{instructions}\nEND\n"
    );
    let mut manifest = "stage = \"fragment\"\nsize = [8, 8]\n[[attributes]]\nsemantic = \"GENERIC[0]\"\n\
        corners = [[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]]\n[constants]\n"
        .to_string();
    for (n, [x, y, z, w]) in constants.iter().enumerate() {
        manifest += &format!("{n} = [{x:e}, {y:e}, {z:e}, {w:e}]\n");
    }
    Effect::of("program.tgsi", &text, &manifest)
}

/// Sums and products are fixed by the promises: nothing is listed, and nothing differs.
#[test]
fn sums_and_products_are_the_promised_ones() {
    let effect =
        program("MUL TEMP[0], IN[0], CONST[0]\nADD OUT[0], TEMP[0], CONST[1]", &[[0.1, 0.7, 3.3, 1.0], [0.3; 4]]);
    let made = module(&effect, "ieee", Arithmetic::Native, &mut Programs::default()).expect("a module");
    assert!(made.host.operations > 0 && made.host.open.is_empty(), "{:?}", made.host);
    assert_eq!(compared(&effect, "ieee", &made), Some(None));
    // One rounding is no promise.
    let effect = program("FMA OUT[0], IN[0], CONST[0], CONST[1]", &[[0.1, 0.7, 3.3, 1.0], [0.3; 4]]);
    let made = module(&effect, "ieee", Arithmetic::Native, &mut Programs::default()).expect("a module");
    let rules: Vec<_> = made.host.open.iter().flat_map(|open| &open.rules).collect();
    assert_eq!(rules, [&("fma", "fused".to_string())]);
}

/// Products at the least number that is not flushed: one that is rounded up to it from below with all its digits stays; one that only
/// lacks digits there becomes zero.
#[test]
fn products_next_to_the_flushed_ones_are_told_apart() {
    let half = 2f32.powi(-63);
    let below = |bits: u32| f32::from_bits(1f32.to_bits() - bits);
    let step = 2f32.powi(-13);
    let large = 2f32.powi(100);
    let pairs = [
        // 2^-126 (1 - 2^-24): tiny.
        [half * below(1), half],
        // 2^-126 (1 - 2^-26): rounded to 2^-126.
        [half * (1.0 + step), half * (1.0 - step)],
        [half, half],
        [large, 2f32.powi(-126) * below(1) / large],
        [2f32.powi(-126), below(1)],
        [2f32.powi(-126), below(2)],
        [2f32.powi(-149), 2f32.powi(23)],
        [f32::MAX, 2.0],
    ];
    let [xs, ys] = [0, 1].map(|n| [[0, 1, 2, 3], [4, 5, 6, 7]].map(|of| of.map(|pair: usize| pairs[pair][n])));
    for (xs, ys) in xs.into_iter().zip(ys) {
        let effect = program("MUL OUT[0], CONST[0], CONST[1]", &[xs, ys]);
        let mut counted = 0;
        for name in ["nv40", "rogue", "adreno", "llvmpipe", "ieee", "maxwell", "amd-gcn"] {
            let made = module(&effect, name, Arithmetic::Mixed, &mut Programs::default()).expect("a module");
            counted += made.host.operations;
            assert_eq!(compared(&effect, name, &made), Some(None), "{xs:?} by {ys:?} under {name}");
        }
        assert!(counted > 10, "{counted}");
    }
}

/// What a model rounds otherwise than a device is listed, with the instructions that do it.
#[test]
fn what_a_device_does_not_fix_is_listed() {
    let effect = Effect::all("tgsi/blend").next().expect("in the corpus");
    let mut programs = Programs::default();
    let made = module(&effect, "ati-r300", Arithmetic::Native, &mut programs).expect("a module");
    let rules: Vec<_> = made.host.open.iter().flat_map(|open| &open.rules).collect();
    assert!(rules.iter().any(|(field, value)| *field == "round" && value != "nearest-even"), "{rules:?}");
    assert!(made.host.open.iter().all(|open| !open.instructions.is_empty()), "{:?}", made.host.open);
    let bytes: Vec<u8> = made.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let remark = format!("may give other bits: {}", made.host.open[0].line());
    assert!(bytes.windows(remark.len()).any(|part| part == remark.as_bytes()), "no remark `{remark}`");
    // Without promises, rounding is a device's own as well.
    let compiled = effect.under(&Model::builtin("ieee").expect("built in"));
    let asked = Options { arithmetic: Arithmetic::Native, ..Options::default() };
    let made = translate(verify(&compiled.shader).expect("sound IR"), &mut programs, asked).expect("a module");
    assert!(made.host.open.iter().any(|open| open.rules.iter().any(|(field, _)| *field == "round")));
}

#[test]
fn mixed_needs_promises() {
    let effect = Effect::all("tgsi/blend").next().expect("in the corpus");
    let compiled = effect.under(&Model::builtin("ieee").expect("built in"));
    for assume in [Assume::default(), Assume { rte: true, denorm_preserve: false }] {
        let asked = Options { arithmetic: Arithmetic::Mixed, assume, ..Options::default() };
        let refused = translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), asked);
        let diags = refused.expect_err("no promise, no module");
        assert!(diags[0].message.contains("promise"), "{}", diags[0].message);
    }
}

#[test]
fn the_validator_accepts_float_controls() {
    let mut programs = Programs::default();
    for (path, models) in SOME {
        let effect = Effect::all(path).next().expect(path);
        for arithmetic in [Arithmetic::Mixed, Arithmetic::Native] {
            let Some(made) = module(&effect, models[0], arithmetic, &mut programs) else { continue };
            validate(&made, path);
        }
    }
}
