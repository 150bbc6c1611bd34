//! Modules of kernels: valid, and read again with the buffers of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, compiled_again, draw_again, module};
use crate::vertices::is_valid;
use parallax::{Compiled, Control, Draw, Workers, run_draw};
use parallax_core::{Stage, text, verify};
use parallax_num::Model;
use parallax_spirv_out::{Options, Translation, translate};
use parallax_step::Programs;

/// Every op on memory that modules have, in buffers and in the memory of a workgroup of two dimensions.
const MEMORY: &str = include_str!("programs/memory.plx");

/// Compares all buffers after a kernel with those after its module; how many words there were. `None` where the frontend takes the
/// module for too long.
pub(crate) fn compare(compiled: &Compiled, translation: &Translation, draw: &Draw, whose: &str) -> Option<usize> {
    let run = |compiled: &Compiled, draw: &Draw| {
        let frame = run_draw(compiled, draw, &Workers::serial(), Control::default());
        let frame = frame.unwrap_or_else(|e| panic!("{whose}: {e:?}"));
        assert_eq!(frame.out_of_fuel, 0, "{whose}");
        frame.buffers
    };
    let ours = run(compiled, draw);
    let other = compiled_again(translation)?;
    let theirs = run(&other, &draw_again(translation, &other, draw));
    let iface = &other.shader.func.iface;
    let mut count = 0;
    for buffer in &translation.interface.buffers {
        let name = format!("{}.{}", buffer.set, buffer.binding);
        let number = iface.buffers.iter().position(|decl| decl.name == name);
        let (wanted, found) = (&ours[buffer.buffer], &theirs[number.expect(&name)]);
        let differs = (0..wanted.len()).find(|&n| wanted[n] != found[n]);
        assert_eq!(differs, None, "{whose}: {}", buffer.name);
        count += wanted.len();
    }
    Some(count)
}

/// Kernels of the corpus under models, by a choice of models for the number of a kernel: how many modules and words there were, and what
/// was refused.
fn check<'a>(models: impl Fn(usize) -> Vec<&'a str>) -> (usize, usize, Vec<String>) {
    let mut programs = Programs::default();
    let (mut made, mut words, mut refused) = (0, 0, Vec::new());
    for (number, effect) in Effect::of_stage("", Stage::Compute).enumerate() {
        for name in models(number) {
            let whose = format!("{} under {name}", effect.path);
            let compiled = effect.under(&Model::builtin(name).expect("built in"));
            match module(&compiled, &mut programs, false) {
                Ok(translation) => {
                    let _ = is_valid(&translation.words, &whose);
                    made += 1;
                    words += compare(&compiled, &translation, &effect.draw, &whose).expect("of moderate size");
                }
                Err(reasons) => refused.push(format!("{whose}: {reasons:?}")),
            }
        }
    }
    (made, words, refused)
}

#[test]
fn modules_of_kernels_leave_the_buffers_of_the_model() {
    let all = Model::group("default").expect("a group");
    let (made, words, refused) = check(|number| [0, 7].map(|n| all[(number * 5 + n) % all.len()]).to_vec());
    assert!(made > 20 && words > 80_000, "{made} {words} {refused:#?}");
    assert!(refused.iter().all(|why| why.contains("`pow`")), "{refused:#?}");
}

/// `cargo test -p parallax-spirv-out --test all kernels_under_all -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn kernels_under_all_models() {
    let (made, words, refused) = check(|_| Model::group("default").expect("a group").to_vec());
    println!("{made} modules, {words} words, refused: {refused:#?}");
    assert!(made > 128, "{made}");
}

/// Texts of kernels, made modules again by other readers, leave the buffers of the model.
#[cfg(feature = "read-texts")]
#[test]
fn texts_of_kernels_keep_the_words() {
    use crate::texts::{Glslang, naga_module};
    use parallax_spirv_out::{Language, text as text_of};
    let glslang = Glslang::find();
    let mut programs = Programs::default();
    let (mut equal, mut hlsl, mut msl, mut long, mut refused) = (0, 0, 0, Vec::new(), Vec::new());
    for (effect, name) in
        Effect::of_stage("", Stage::Compute).zip(["llvmpipe", "nv40", "maxwell", "vc4"].into_iter().cycle())
    {
        let whose = format!("{} under {name}", effect.path);
        let compiled = effect.under(&Model::builtin(name).expect("built in"));
        let made = module(&compiled, &mut programs, false).unwrap_or_else(|why| panic!("{whose}: {why:?}"));
        // Others take long.
        if made.words.len() > 25_000 {
            continue;
        }
        for language in Language::ALL {
            let whose = format!("{whose} by way of {}", language.title());
            let text = match text_of(&made, language) {
                Ok(text) => text,
                Err(why) => {
                    refused.push(format!("{whose}: {}", why.message));
                    continue;
                }
            };
            let words = match (language, &glslang) {
                (Language::Wgsl, _) => naga_module(&text),
                (Language::Glsl, Some(glslang)) => glslang.module(&text, language),
                (Language::Hlsl, Some(glslang)) => {
                    glslang.module(&text, language);
                    hlsl += 1;
                    continue;
                }
                (Language::Msl, _) => {
                    let sizes = text.sizes.expect("sizes of buffers");
                    assert!(text.text.contains(&format!("[[buffer({sizes})]]")), "{whose}");
                    msl += 1;
                    continue;
                }
                _ => continue,
            };
            let again = Translation { words, interface: text.interface.clone(), ..made.clone() };
            match compare(&compiled, &again, &effect.draw, &whose) {
                Some(_) => equal += 1,
                None => long.push(whose),
            }
        }
    }
    println!("{equal} equal, {hlsl} in HLSL, {msl} in MSL, too long: {long:#?}");
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(
        msl > 6 && equal + long.len() == if glslang.is_some() { 2 * msl } else { msl } && long.len() < 2,
        "{msl} {equal} {long:?}"
    );
    assert!(glslang.is_none() || hlsl > 4, "{hlsl}");
}

/// What a text would say otherwise is refused.
#[cfg(feature = "texts")]
#[test]
fn texts_of_signed_atomics_are_refused() {
    use parallax_spirv_out::{Language, text as text_of};
    let bound = text::read(MEMORY).expect("a kernel").bind(&Model::builtin("ieee").expect("built in"));
    let verified = verify(&bound).expect("sound IR");
    let made = translate(verified, &mut Programs::default(), Options::default()).expect("a module");
    let why = text_of(&made, Language::Wgsl).expect_err("no text");
    assert!(why.message.contains("signed numbers in memory"), "{}", why.message);
}

#[test]
fn every_op_on_memory_has_its_module() {
    let bound = text::read(MEMORY).expect("a kernel").bind(&Model::builtin("ieee").expect("built in"));
    let compiled =
        parallax::compile_bound(bound, parallax::Optimise::Yes, parallax::Engine::Auto).expect("it compiles");
    let verified = verify(&compiled.shader).expect("sound IR");
    let made = translate(verified, &mut Programs::default(), Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let _ = is_valid(&made.words, "memory.plx");
    let iface = &compiled.shader.func.iface;
    let words = |n: u32, count: u32| (0..count).map(|k| (k ^ n).wrapping_mul(0x9e37_79b9)).collect();
    let draw = Draw {
        grid: [3, 2, 2],
        buffers: vec![words(1, 200), words(2, 77), words(3, 200), Vec::new()],
        ..Draw::defaults(iface).expect("a draw")
    };
    let count = compare(&compiled, &made, &draw, "memory.plx").expect("of moderate size");
    assert_eq!(count, 477);
    let access: Vec<_> = made.interface.buffers.iter().map(|buffer| (buffer.binding, buffer.is_written)).collect();
    assert_eq!(access, [(1, false), (2, true), (3, true)]);
    assert_eq!(made.interface.workgroup, [4, 2, 1]);
}

/// What has no instruction of its own is refused by name.
#[test]
fn subgroups_and_emulated_atomics_are_refused() {
    let refused = |body: &str, why: &str| {
        let source = format!(
            "shader \"kernel\" stage(compute) from(\"\") {{\n  workgroup 4 1 1\n  buffer 0 \"b\"\n{body}  yield\n}}\n"
        );
        let shader = text::read(&source).unwrap_or_else(|e| panic!("{e:?}"));
        let bound = shader.bind(&Model::builtin("ieee").expect("built in"));
        let verified = verify(&bound).expect("sound IR");
        let reasons = translate(verified, &mut Programs::default(), Options::default()).expect_err("no module");
        assert!(reasons.iter().any(|diag| diag.message.contains(why)), "{why}: {reasons:?}");
    };
    refused("  %0: i32 = sys local_x\n  %1: i32 = group.shuffle %0, %0\n  buffer.store b0[%0], %1\n", "group.shuffle");
    refused(
        "  %0: i32 = sys local_x\n  %1: i32 = quad.xor 1 %0\n  buffer.store b0[%0], %1\n",
        "a compute shader has none",
    );
    let float = "  %0: i32 = sys local_x\n  %1: i32 = buffer.load.atomic b0[%0]\n  buffer.store.atomic b0[%0], %1\n";
    refused(float, "atomics of floats or of 64 bits on `b`");
}
