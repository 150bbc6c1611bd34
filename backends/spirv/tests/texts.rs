//! Texts of modules: accepted by other readers than the writer, and with the bits of the model where these readers make modules again.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, module, picture, read_again};
use parallax_core::Stage;
use parallax_num::Model;
use parallax_spirv_out::{Figures, Host, Language, Text, Translation, text};
use parallax_step::Programs;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

/// Models by turns, so that all of them are used and every program has several.
const MODELS: [[&str; 3]; 4] = [
    ["ieee", "ati-r300", "llvmpipe"],
    ["nv-patent", "maxwell", "vc4"],
    ["attila", "rogue", "nvfp"],
    ["amd-gcn", "intel-alt", "adreno"],
];

/// The reference compiler of GLSL and HLSL, in a folder of its own.
pub(crate) struct Glslang(tempfile::TempDir);

impl Glslang {
    /// `None` where it is not installed.
    pub(crate) fn find() -> Option<Glslang> {
        let runs = Command::new("glslangValidator").arg("--version").output().is_ok();
        if !runs {
            println!("skipped: glslangValidator is not on PATH");
        }
        runs.then(|| Glslang(tempfile::tempdir().expect("a folder")))
    }

    /// The module of a text.
    pub(crate) fn module(&self, text: &Text, language: Language) -> Vec<u32> {
        let stage = match text.interface.stage {
            Stage::Fragment => "frag",
            Stage::Vertex => "vert",
            Stage::Compute => "comp",
        };
        let more = match language {
            // Descriptors of two kinds may have one number in OpenGL.
            Language::Glsl => &["-G", "-S", stage][..],
            _ => &["-D", "-V", "-S", stage, "--auto-map-locations"][..],
        };
        let [from, to] = ["text", "text.spv"].map(|name| self.0.path().join(name));
        std::fs::write(&from, &text.text).expect("a file");
        let mut command = Command::new("glslangValidator");
        command.args(more).args(["-e", &text.entry, "-o"]).args([&to, &from]);
        let run = command.output().expect("it runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
        let bytes = std::fs::read(&to).expect("a module");
        bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
    }
}

/// The module that naga makes of a text of WGSL.
pub(crate) fn naga_module(text: &Text) -> Vec<u32> {
    let module = naga::front::wgsl::parse_str(&text.text).unwrap_or_else(|error| panic!("{error}"));
    let info = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::all())
        .validate(&module)
        .unwrap_or_else(|error| panic!("{error:?}"));
    let mut options = naga::back::spv::Options::default();
    // The rows of its windows have another order; what is compared are the shader's words.
    options.flags.remove(naga::back::spv::WriterFlags::ADJUST_COORDINATE_SPACE);
    naga::back::spv::write_vec(&module, &info, &options, None).expect("a module")
}

/// The text of a module, or why there is none. One reason alone is accepted.
fn written(made: &Translation, language: Language, whose: &str) -> Option<Text> {
    match text(made, language) {
        Ok(text) => Some(text),
        Err(diag) => {
            assert_eq!(language, Language::Msl, "{whose}: {}", diag.message);
            assert!(diag.message.contains("MSL has no fine derivatives"), "{whose}: {}", diag.message);
            None
        }
    }
}

/// Whether a module has what naga does not: attributes away from the centre of a pixel, and masks of samples.
fn is_beyond_naga(made: &Translation) -> bool {
    text(made, Language::Wgsl).is_err_and(|why| {
        why.message.contains("away from the centre") || why.message.contains("Built-in type for SampleMask")
    })
}

/// Every program of the corpus under three models: what has a module has texts.
#[test]
fn every_module_has_texts() {
    let mut programs = Programs::default();
    let (mut modules, mut away, mut counts) = (0, 0, BTreeMap::<&str, (usize, usize, Duration)>::new());
    for (number, effect) in Effect::all("").enumerate() {
        for name in MODELS[number % MODELS.len()] {
            let compiled = effect.under(&Model::builtin(name).expect("built in"));
            let Ok(made) = module(&compiled, &mut programs, false) else { continue };
            if is_beyond_naga(&made) {
                away += 1;
                continue;
            }
            modules += 1;
            for language in Language::ALL {
                let start = Instant::now();
                let found = written(&made, language, &format!("{} under {name}", effect.path));
                let took = start.elapsed();
                let Some(text) = found else { continue };
                let (count, bytes, time) = counts.entry(language.title()).or_default();
                (*count, *bytes, *time) = (*count + 1, *bytes + text.text.len(), *time + took);
                let places = text.interface.banks.len() + text.interface.textures.len();
                assert_eq!(places, made.interface.banks.len() + made.interface.textures.len());
            }
        }
    }
    for (name, (count, bytes, time)) in &counts {
        println!(
            "{name}: {count} texts of {modules} modules, {} bytes and {:?} each",
            bytes / count,
            *time / *count as u32
        );
    }
    assert!(modules > 300 && away < 8, "{modules} {away}");
    for name in ["GLSL", "HLSL", "WGSL"] {
        assert_eq!(counts[name].0, modules, "{name}");
    }
    assert!(counts["MSL"].0 > modules / 2 && counts["MSL"].0 < modules, "{counts:?}");
}

/// Every program of the corpus under the first model that makes a module of moderate length: naga reads the WGSL, and the reference
/// compiler the GLSL, and some of the HLSL.
#[test]
fn other_readers_accept_the_texts() {
    let glslang = Glslang::find();
    let (mut programs, mut seen, mut hlsl) = (Programs::default(), 0, 0);
    for (number, effect) in Effect::all("").enumerate() {
        let made = MODELS.iter().cycle().skip(number).take(MODELS.len()).flatten().find_map(|name| {
            let compiled = effect.under(&Model::builtin(name).expect("built in"));
            module(&compiled, &mut programs, false)
                .ok()
                .filter(|made| made.words.len() < 20_000 && !is_beyond_naga(made))
        });
        let Some(made) = made else { continue };
        seen += 1;
        let of = |language| written(&made, language, effect.path).expect("a text");
        naga_module(&of(Language::Wgsl));
        if let Some(glslang) = &glslang {
            glslang.module(&of(Language::Glsl), Language::Glsl);
            // The compiler takes seconds for HLSL.
            if number % 8 == 0 {
                glslang.module(&of(Language::Hlsl), Language::Hlsl);
                hlsl += 1;
            }
        }
    }
    println!("{seen} programs, {hlsl} of them in HLSL");
    assert!(seen > 100, "{seen}");
    assert!(glslang.is_none() || hlsl > 10, "{hlsl}");
}

/// Texts that another reader makes modules of again, drawn under `ieee`: the bits of the model.
#[test]
fn texts_keep_the_bits() {
    const SOME: [(&str, &str); 14] = [
        ("tgsi/blend", "ati-r300"),
        ("tgsi/marble", "llvmpipe"),
        ("tgsi/eclipse", "nv-patent"),
        ("attila/fog", "maxwell"),
        ("nvfp/toon", "adreno"),
        ("nvfp/specular_sweep", "nvfp"),
        ("nv40/sine_hash", "rogue"),
        ("spa5/julia", "amd-gcn"),
        ("usc/blend", "rogue"),
        ("gcn/blend", "nv-patent"),
        ("spirv/julia", "vc4"),
        ("spirv/ulp_rings", "attila"),
        ("attila/ulp_rings", "intel-alt"),
        ("tgsi/parallax", "ieee"),
    ];
    let glslang = Glslang::find();
    let (mut programs, mut equal, mut long) = (Programs::default(), 0, Vec::new());
    for (path, name) in SOME {
        let effect = Effect::all(path).next().expect(path);
        let model = Model::builtin(name).expect("built in");
        let compiled = effect.under(&model);
        let made = module(&compiled, &mut programs, false).unwrap_or_else(|why| panic!("{path} under {name}: {why:?}"));
        let draw = effect.draw(&compiled, &model, 8);
        let wanted = picture(&compiled, &draw);
        for language in [Language::Wgsl, Language::Glsl] {
            let text = written(&made, language, path).expect("a text");
            let words = match (language, &glslang) {
                (Language::Wgsl, _) => naga_module(&text),
                (_, Some(glslang)) => glslang.module(&text, language),
                (_, None) => continue,
            };
            let interface = text.interface.clone();
            let again = Translation { words, interface, figures: Figures::default(), host: Host::default() };
            match read_again(&again, &draw) {
                Some((found, _)) => {
                    assert_eq!(difference(&wanted, &found), None, "{path} under {name} by way of {}", language.title());
                    equal += 1;
                }
                None => long.push((path, language.title())),
            }
        }
    }
    println!("{equal} equal; too long for the frontend: {long:?}");
    let expected = if glslang.is_some() { 2 * SOME.len() } else { SOME.len() };
    assert_eq!(equal + long.len(), expected);
    assert!(long.len() <= 4, "{long:?}");
}

/// Tables of a module are lists in HLSL.
#[test]
fn texts_of_hlsl_have_tables() {
    let effect = Effect::all("tgsi/marble").next().expect("a program with functions");
    let compiled = effect.under(&Model::builtin("maxwell").expect("built in"));
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    let text = text(&made, Language::Hlsl).expect("a text");
    assert!(text.text.contains("] = { "), "no table");
    assert!(!text.text.contains("= Constructarray"), "a table of a call");
    if let Some(glslang) = Glslang::find() {
        glslang.module(&text, Language::Hlsl);
    }
}

/// What an engine binds is where the text has it.
#[test]
fn resources_are_where_the_interface_says() {
    let effect = Effect::all("").find(|effect| {
        let compiled = effect.under(&Model::builtin("maxwell").expect("built in"));
        module(&compiled, &mut Programs::default(), false)
            .is_ok_and(|made| !made.interface.textures.is_empty() && !made.interface.banks.is_empty())
    });
    let effect = effect.expect("a program with textures and constants");
    let compiled = effect.under(&Model::builtin("maxwell").expect("built in"));
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    for language in Language::ALL {
        let Some(text) = written(&made, language, effect.path) else { continue };
        let (bank, texture) = (&text.interface.banks[0], &text.interface.textures[0]);
        let sampler = texture.sampler.expect("a sampler");
        let expected = match language {
            Language::Wgsl => vec![
                format!("@group({}) @binding({})", bank.set, bank.binding),
                format!("@group({}) @binding({})", texture.set, texture.image),
                format!("@group({}) @binding({sampler})", texture.set),
            ],
            Language::Glsl => vec![
                format!("layout(std140, binding = {}) uniform", bank.binding),
                format!("layout(binding = {}) uniform", texture.image),
            ],
            Language::Hlsl => {
                let heap = text.samplers.expect("samplers");
                vec![
                    // The first space is not written.
                    format!("register(b{})", bank.binding),
                    format!("register(t{}, space{})", texture.image, texture.set),
                    format!("register(s{}, space{})", heap.samplers.1, heap.samplers.0),
                    format!("register(t{}, space{})", heap.numbers.1, heap.numbers.0),
                    format!("[{sampler}]]"),
                ]
            }
            Language::Msl => vec![
                format!("[[buffer({})]]", bank.binding),
                format!("[[texture({})]]", texture.image),
                format!("[[sampler({sampler})]]"),
            ],
        };
        for part in expected {
            let lines: Vec<&str> = text.text.lines().filter(|line| line.contains('(')).take(60).collect();
            assert!(text.text.contains(&part), "{} lacks {part}: {lines:#?}", language.title());
        }
    }
}
