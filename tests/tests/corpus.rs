//! The embedded corpus: every effect can be drawn, no effect is dull, and what the manifests say about arithmetic is
//! true.

use parallax::{
    Control, Draw, Engine, Frame, Level, LoadOptions, Loaded, Manifest, Optimise, Target, Workers,
    apply_driver_rewrites, compile, compile_bound, load, manifest_template, run_draw, run_vertices,
};
use parallax_core::exec::Plane;
use parallax_core::{OutputRole, Stage};
use parallax_lift::Options;
use parallax_num::Model;
use parallax_opt::canonicalise;
use std::collections::BTreeMap;

/// A shader of the corpus with its manifest applied.
struct Effect {
    path: &'static str,
    loaded: Loaded,
    draw: Draw,
}

impl Effect {
    fn read(file: &parallax_corpus::File) -> Effect {
        let path = file.path;
        let loaded = load(path, file.bytes, &LoadOptions::default());
        assert!(loaded.diags.is_empty(), "{path}: {:?}", loaded.diags);
        let beside = format!("{}/{}.toml", file.folder(), file.stem());
        let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
        let mut manifest = Manifest::parse(&beside, text).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        // Options of the manifest, such as what becomes of mediump.
        let options = LoadOptions {
            lift: Options { settings: manifest.options.clone(), ..Options::default() },
            ..LoadOptions::default()
        };
        let loaded = if manifest.options.is_empty() { loaded } else { load(path, file.bytes, &options) };
        let shader = loaded.shader.as_ref().expect(path);
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        Effect { path, loaded, draw }
    }

    fn named(path: &str) -> Effect {
        Effect::read(parallax_corpus::get(path).expect(path))
    }

    /// All that draw pixels.
    fn all() -> impl Iterator<Item = Effect> {
        parallax_corpus::shaders().map(Effect::read).filter(|effect| effect.stage() == Stage::Fragment)
    }

    fn stage(&self) -> Stage {
        self.loaded.shader.as_ref().expect(self.path).func.iface.stage
    }

    /// The frame under a built-in model, `side` pixels wide and high.
    fn frame(&self, model: &str, side: u32) -> Frame {
        self.frame_under(&Model::builtin(model).expect(model), side)
    }

    fn frame_under(&self, model: &Model, side: u32) -> Frame {
        let shader = self.loaded.shader.as_ref().expect(self.path);
        let compiled =
            compile(shader, model, Optimise::Yes, Engine::Interp).unwrap_or_else(|e| panic!("{}: {e:?}", self.path));
        let draw = Draw { width: side, height: side, ..self.draw.clone() };
        let draw = draw.with_vertices(&shader.func.iface, model, Engine::Interp);
        let draw = draw.unwrap_or_else(|e| panic!("{}: {e:?}", self.path));
        run_draw(&compiled, &draw, &Workers::serial(), Control::default())
            .unwrap_or_else(|e| panic!("{}: {e:?}", self.path))
    }
}

/// Values of a colour component.
fn colour(frame: &Frame, comp: u8) -> Vec<f64> {
    frame.channel(OutputRole::Color(0), comp).map(|c| c.values()).unwrap_or_default()
}

fn mean(frame: &Frame, comp: u8) -> f64 {
    let values = colour(frame, comp);
    values.iter().sum::<f64>() / values.len() as f64
}

/// The patterns of all written components.
fn bits(frame: &Frame) -> Vec<Plane> {
    frame.channels.iter().map(|c| c.declared_bits()).collect()
}

/// A manifest to start from draws every shader as it is drawn without one, and names its inputs as the shader does.
#[test]
fn templates_say_what_is_drawn_without_a_manifest() {
    for file in parallax_corpus::shaders() {
        let path = file.path;
        let loaded = load(path, file.bytes, &LoadOptions::default());
        let iface = &loaded.shader.as_ref().expect(path).func.iface;
        let defaults = Draw::defaults(iface).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        let text = manifest_template(iface, &defaults, file.stem(), []);
        let manifest = Manifest::parse(path, &text).unwrap_or_else(|e| panic!("{path}: {e:?}\n{text}"));
        let draw = Draw::new(iface, &manifest).unwrap_or_else(|e| panic!("{path}: {e:?}\n{text}"));
        assert!(draw == defaults, "{path}\n{text}");
        // A changed constant reaches the draw under its own name.
        let Some(line) = text.lines().skip_while(|l| *l != "[constants]").nth(1) else { continue };
        let (name, _) = line.split_once(" = [").expect(line);
        let changed = text.replace(line, &format!("{name} = [8, 9, 10, 11]"));
        let manifest = Manifest::parse(path, &changed).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        let draw = Draw::new(iface, &manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        // Components that the program does not have keep what is there.
        let words: Vec<u32> = draw.banks.iter().flatten().flatten().copied().collect();
        assert!(words.contains(&8f32.to_bits()) || words.contains(&8), "{path}: {name}");
    }
}

#[test]
fn every_effect_can_be_drawn_and_shows_something() {
    for effect in Effect::all() {
        let frame = effect.frame("ieee", 32);
        assert_eq!(frame.out_of_fuel, 0, "{}", effect.path);
        assert!(frame.covered.iter().filter(|c| **c).count() > 256, "{}: hardly anything is covered", effect.path);
        let channels: [Vec<f64>; 4] = std::array::from_fn(|k| colour(&frame, k as u8));
        assert!(channels.iter().all(|c| c.len() == frame.pixels()), "{}: a component is not written", effect.path);
        let mut seen: Vec<[u64; 3]> = (0..frame.pixels())
            .map(|p| std::array::from_fn(|k| (channels[k][p].clamp(0.0, 1.0) * 255.0).round() as u64))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert!(seen.len() > 8, "{}: {} colours", effect.path, seen.len());
    }
}

/// Vertex shaders write a position for each of their vertices, and arithmetic moves it.
#[test]
fn vertices_of_the_corpus_move() {
    let mut count = 0;
    for effect in parallax_corpus::shaders().map(Effect::read).filter(|effect| effect.stage() == Stage::Vertex) {
        let shader = effect.loaded.shader.as_ref().expect(effect.path);
        let frame = |model: &str| {
            let model = Model::builtin(model).expect(model);
            let compiled = compile(shader, &model, Optimise::Yes, Engine::Interp).expect(effect.path);
            run_vertices(&compiled, &effect.draw).expect(effect.path)
        };
        let ieee = frame("ieee");
        assert!(ieee.channel(OutputRole::Position, 0).is_some() && ieee.pixels() >= 4, "{}", effect.path);
        let differs = ["binary64", "nv40"].iter().any(|model| bits(&frame(model)) != bits(&ieee));
        assert!(differs, "{}: the same bits under every model", effect.path);
        count += 1;
    }
    assert!(count >= 2, "{count}");
}

/// Kernels write what arithmetic decides, and the same on every run.
#[test]
fn kernels_of_the_corpus_differ_in_bits() {
    let mut count = 0;
    for effect in parallax_corpus::shaders().map(Effect::read).filter(|effect| effect.stage() == Stage::Compute) {
        let shader = effect.loaded.shader.as_ref().expect(effect.path);
        let frame = |model: &str| {
            let model = Model::builtin(model).expect(model);
            let compiled = compile(shader, &model, Optimise::Yes, Engine::default()).expect(effect.path);
            run_draw(&compiled, &effect.draw, &Workers::serial(), Control::default())
                .unwrap_or_else(|e| panic!("{}: {e:?}", effect.path))
        };
        let ieee = frame("ieee");
        assert!(!ieee.channels.is_empty() && ieee.out_of_fuel == 0, "{}", effect.path);
        assert_eq!(bits(&ieee), bits(&frame("ieee")), "{}", effect.path);
        let differs = ["ati-r300", "vc4", "adreno"].iter().any(|model| bits(&frame(model)) != bits(&ieee));
        assert!(differs, "{}: the same bits under every model", effect.path);
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

/// Whether a module lets its colour be a half, as `gl_FragColor` of GLSL ES is in any case.
fn has_mediump_colour(text: &str) -> bool {
    let outputs = text.lines().filter(|line| line.ends_with(" Output") && line.contains(" = OpVariable "));
    let names = outputs.filter_map(|line| line.split_once(' '));
    names.into_iter().any(|(name, _)| text.lines().any(|line| line == format!("OpDecorate {name} RelaxedPrecision")))
}

/// `mediump` of WebGL survives on the way through the compiler: where the model takes it for half, colours lose bits.
#[test]
fn mediump_of_the_corpus_becomes_half() {
    let mut count = 0;
    for effect in Effect::all().filter(|effect| effect.path.starts_with("spirv/")) {
        let file = parallax_corpus::get(effect.path).expect(effect.path);
        let text = file.text().unwrap_or_default();
        let is_mediump = text.contains("precision mediump float;");
        let under = |model: &str| bits(&effect.frame_under(&Model::parse(model).expect(model), 24));
        let differs = under("ieee") != under("ieee[relaxed=half]");
        assert_eq!(differs, is_mediump || has_mediump_colour(text), "{}", effect.path);
        count += usize::from(is_mediump);
    }
    assert!(count >= 4, "{count}");
}

/// Three mixed-precision programs are stored in three targets, three that show what targets do in others; elsewhere what the shader
/// computed is compared.
#[test]
fn every_render_target_is_used() {
    let with_target = Effect::all().filter_map(|e| Some((e.path, e.draw.targets.every?)));
    let want = [
        ("nvfp/blinn_phong.nvfp", Target::Fp32),
        ("nvfp/specular_sweep.nvfp", Target::Unorm8),
        ("nvfp/tonemap.nvfp", Target::Fp16),
        ("tgsi/embers.tgsi", Target::R11fG11fB10f),
        ("tgsi/panes.tgsi", Target::Unorm8),
        ("tgsi/road.tgsi", Target::Rgb565),
    ];
    assert_eq!(with_target.collect::<Vec<_>>(), want);
    for (path, target) in want {
        let effect = Effect::named(path);
        // A container of the model's own and the reference's binary64 both go to the target's words.
        for model in ["nvfp", "binary64"] {
            let frame = effect.frame(model, 16);
            let red = frame.channel(OutputRole::Color(0), 0).and_then(|c| c.stored.as_ref()).expect(path);
            let most = (1u64 << target.bits(0)) - 1;
            let words = red.words.to_words();
            assert!(red.target == target && words.iter().all(|&w| w <= most), "{path} under {model}");
            assert!(words.iter().any(|&w| w > 16), "{path} under {model}");
        }
    }
}

#[test]
fn arithmetic_matters_in_every_effect() {
    for effect in Effect::all() {
        let ieee = effect.frame("ieee", 32);
        let differs = ["binary64", "tgsi", "nv-patent", "attila"].iter().any(|model| {
            let frame = effect.frame(model, 32);
            frame.covered != ieee.covered || bits(&frame) != bits(&ieee)
        });
        assert!(differs, "{}: the same bits under every model", effect.path);
    }
}

/// At least 45 effects give five or more different pictures under the models of vendors, of interfaces and of renderers.
#[test]
fn effects_tell_five_groups_of_models_apart() {
    const MODELS: [&str; 12] = [
        "ati-r300",
        "nvfp",
        "nv40",
        "g80",
        "maxwell",
        "amd-gcn",
        "intel-alt",
        "adreno",
        "vc4",
        "rogue",
        "llvmpipe",
        "d3d9",
    ];
    let mut groups: BTreeMap<String, usize> = BTreeMap::new();
    for effect in Effect::all() {
        let mut seen = Vec::new();
        for model in MODELS {
            let frame = effect.frame(model, 32);
            let stored: Vec<_> = frame.channels.iter().map(|channel| channel.stored.clone()).collect();
            let picture = (frame.covered.clone(), bits(&frame), stored);
            if !seen.contains(&picture) {
                seen.push(picture);
            }
        }
        let name = effect.path.split(['/', '.']).nth(1).expect(effect.path).to_string();
        let most = groups.entry(name).or_default();
        *most = (*most).max(seen.len());
    }
    let apart = groups.values().filter(|&&count| count >= 5).count();
    assert!(apart >= 45, "{apart} of {}: {groups:?}", groups.len());
}

#[test]
fn denormals_make_the_nebula() {
    let effect = Effect::named("tgsi/nebula.tgsi");
    let kept = mean(&effect.frame("ieee", 64), 2);
    for flushing in ["nv-patent", "nvfp", "nv40"] {
        let flushed = mean(&effect.frame(flushing, 64), 2);
        assert!(flushed < 0.3 * kept, "{flushing}: {flushed} of {kept}");
    }
}

#[test]
fn the_moon_is_black_white_or_lit_by_the_rule_for_infinity_times_zero() {
    let effect = Effect::named("tgsi/eclipse.tgsi");
    let beside_the_centre = |model: &str| colour(&effect.frame(model, 64), 0)[28 * 64 + 36];
    assert_eq!(beside_the_centre("ieee"), 0.0);
    assert_eq!(beside_the_centre("attila"), 1.0);
    assert!(beside_the_centre("nvfp").is_nan());
    let lit = beside_the_centre("nv-patent");
    assert!(lit > 0.0 && lit < 0.4, "{lit}");
}

#[test]
fn the_molecule_needs_a_max_that_drops_nan() {
    let effect = Effect::named("tgsi/molecule.tgsi");
    // Oxygen is the only red thing.
    let red = |model: &str| {
        let frame = effect.frame(model, 64);
        let (r, b) = (colour(&frame, 0), colour(&frame, 2));
        r.iter().zip(&b).filter(|(r, b)| **r > 2.0 * **b).count()
    };
    assert!(red("ieee") > 40, "{}", red("ieee"));
    assert_eq!(red("ieee"), red("tgsi"));
    assert_eq!(red("nvfp"), 0);
}

#[test]
fn invaders_keep_their_shape() {
    let effect = Effect::named("tgsi/int_hash.tgsi");
    let lit = |model: &str| -> Vec<bool> { colour(&effect.frame(model, 64), 1).iter().map(|g| *g > 0.2).collect() };
    let ieee = lit("ieee");
    for model in Model::builtins() {
        assert_eq!(lit(&model.label()), ieee, "{}", model.label());
    }
}

/// Spokes of all widths: partly covered pixels have other colours than one sample gives, and at the centroid no square root is of
/// a negative number.
#[test]
fn the_wheel_shows_its_samples() {
    let wheel = Effect::named("tgsi/wheel.tgsi");
    let frame = wheel.frame("ieee", 128);
    let partly = |frame: &Frame| {
        let samples = frame.samples.as_ref().expect("samples");
        let words = &samples.words[0];
        let count = samples.positions.len();
        let mixed = |pixel: &usize| (1..count).any(|n| words.get(pixel * count) != words.get(pixel * count + n));
        (0..frame.pixels()).filter(mixed).count()
    };
    assert!(partly(&frame) > 2000, "{}", partly(&frame));
    assert!((0..3).all(|comp| colour(&frame, comp).iter().all(|v| (0.0..4.0).contains(v))));
    let single = Effect { draw: Draw { samples: Default::default(), ..wheel.draw.clone() }, ..wheel };
    let differ = colour(&frame, 0).iter().zip(colour(&single.frame("ieee", 128), 0)).filter(|(a, b)| **a != *b).count();
    assert!(differ > 2000, "{differ}");
}

/// Pictures do not depend on who makes them: at odd and even sizes, on one thread and on two.
fn engines_agree(every: usize) {
    if !Engine::has_machine_code() {
        return;
    }
    let models = Model::builtins();
    let workers = [Workers::serial(), Workers::new(2).expect("threads")];
    let engines: Vec<Engine> = [Engine::JitAvx2, Engine::JitAvx512]
        .into_iter()
        .filter(|engine| engine.level().is_some_and(Level::is_supported))
        .collect();
    let (mut compiled, mut interpreted) = (0, Vec::new());
    for (number, effect) in Effect::all().enumerate() {
        let shader = effect.loaded.shader.as_ref().expect(effect.path);
        for model in models.iter().skip(number % every).step_by(every) {
            let bound = canonicalise(apply_driver_rewrites(shader, model).into_owned()).bind(model);
            // Rows that fill blocks of lanes, and others.
            let draw = Draw { width: [37, 48][number / 2 % 2], height: 21, ..effect.draw.clone() };
            let draw = draw.with_vertices(&shader.func.iface, model, Engine::Interp).expect(effect.path);
            let frame = |engine: Engine, workers: &Workers| {
                let compiled = compile_bound(bound.clone(), Optimise::Yes, engine).expect(effect.path);
                let frame = run_draw(&compiled, &draw, workers, Control::default()).expect(effect.path);
                (frame, compiled.note)
            };
            let (wanted, _) = frame(Engine::Interp, &workers[0]);
            for (engine, workers) in engines.iter().flat_map(|&engine| workers.iter().map(move |w| (engine, w))) {
                let (found, note) = frame(engine, workers);
                let what = format!("{} under {} with {engine}", effect.path, model.label());
                assert_eq!(bits(&wanted), bits(&found), "{what}");
                assert_eq!(wanted.covered, found.covered, "{what}");
                assert_eq!(wanted.out_of_fuel, found.out_of_fuel, "{what}");
                match note {
                    None => compiled += 1,
                    Some(reason) => interpreted.push((effect.path, reason)),
                }
            }
        }
    }
    assert!(compiled > 20 && interpreted.is_empty(), "{interpreted:?}");
}

#[test]
fn engines_draw_the_same_pictures() {
    engines_agree(11);
}

/// `cargo test -p parallax-tests --release --test all corpus -- --ignored`.
#[test]
#[ignore = "long"]
fn engines_draw_the_same_pictures_under_all_models() {
    engines_agree(1);
}
