//! Captures that a model drew are told to be that model's, whichever way they are stored and turned over; captures of another program
//! are told to be nobody's.

use parallax::{
    Capture, Control, Draw, Engine, Flip, Frame, LoadOptions, Manifest, Optimise, Target, Targets, Unit, Workers,
};
use parallax::{compile, load, run_draw};
use parallax_core::num::Model;
use parallax_core::{OutputRole, Shader, Symbolic};
use parallax_explain::identify::{Decides, Identified, Tried, identify};
use std::collections::BTreeSet;

/// Width and height of the draws.
const SIZE: (u32, u32) = (40, 30);

fn program(path: &str, edit: impl Fn(String) -> String) -> (Shader<Symbolic>, Draw) {
    let file = parallax_corpus::get(path).expect("a shader");
    let manifest = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest");
    let manifest = Manifest::parse(manifest.path, manifest.text().expect("text")).unwrap_or_else(|p| panic!("{p}"));
    let mut options = LoadOptions::default();
    options.lift.settings.clone_from(&manifest.options);
    let bytes = match file.text() {
        Some(text) => edit(text.to_string()).into_bytes(),
        None => file.bytes.to_vec(),
    };
    let loaded = load(file.path, &bytes, &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{path}: {:#?}", loaded.diags));
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = SIZE;
    (shader, draw)
}

/// The frame of a model, drawn by compiling the program as `run` does.
fn frame(shader: &Shader<Symbolic>, draw: &Draw, model: &Model, target: Target) -> Frame {
    let draw = Draw { targets: Targets::all(target), ..draw.clone() };
    let compiled = compile(shader, model, Optimise::Yes, Engine::Interp).unwrap_or_else(|p| panic!("{p}"));
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|p| panic!("{p}"))
}

/// A capture of a frame: by the rules of captures, written down again here.
fn capture(frame: &Frame, unit: Unit, flip: Flip) -> Capture {
    let (width, height) = SIZE;
    let mut values = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let from = match flip {
                Flip::None => (x, y),
                Flip::Vertical => (x, height - 1 - y),
                Flip::Horizontal => (width - 1 - x, y),
                Flip::Both => (width - 1 - x, height - 1 - y),
            };
            let at = (from.1 * width + from.0) as usize;
            for comp in 0..3 {
                let channel = frame.channel(OutputRole::Color(0), comp);
                let value = channel.map_or(0.0, |channel| channel.stored.as_ref().expect("a target").values()[at]);
                let clamped = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
                values.push(match unit {
                    Unit::Bytes => (clamped * 255.0).round_ties_even(),
                    Unit::Words => (clamped * 65_535.0).round_ties_even(),
                    Unit::Floats => value,
                });
            }
        }
    }
    Capture { width, height, unit, components: 3, values }
}

fn models() -> Vec<Model> {
    Model::builtin_names().iter().map(|name| Model::builtin(name).expect("a built-in model")).collect()
}

fn identified(program: &(Shader<Symbolic>, Draw), capture: &Capture, models: &[Model], flips: &[Flip]) -> Identified {
    let tried = Tried {
        models,
        drivers: true,
        targets: Vec::new(),
        flips: flips.to_vec(),
        tolerance: 0.0,
        mask: None,
        engine: Engine::Interp,
        control: Control::default(),
    };
    identify(&program.0, &program.1, capture, &tried).unwrap_or_else(|p| panic!("{p}"))
}

const PROGRAMS: [&str; 10] = [
    "attila/voronoi.attila",
    "attila/ulp_rings.attila",
    "nvfp/nebula.nvfp",
    "nvfp/sine_hash.nvfp",
    "nv40/plasma.nv40",
    "tgsi/mandelbrot.tgsi",
    "usc/plasma.usc",
    "spa5/nebula.spa5",
    "spirv/water.spvasm",
    "gcn/blend.gcn",
];

#[test]
fn a_model_is_known_by_its_picture() {
    let models = models();
    let drawn = ["ati-r300", "nv40", "mali-utgard", "vc4", "maxwell", "llvmpipe"];
    let (mut tried, mut told_apart) = (0, BTreeSet::new());
    for (n, path) in PROGRAMS.iter().enumerate() {
        let program = program(path, |text| text);
        // Four of the six, others for each program.
        for (k, name) in drawn.iter().enumerate().cycle().skip(n).take(4) {
            let model = Model::builtin(name).expect("a built-in model");
            let (unit, target) = [
                (Unit::Bytes, Target::Unorm8),
                (Unit::Words, Target::Fp32),
                (Unit::Floats, Target::Fp32),
                (Unit::Floats, Target::Fp16),
            ][(n + k) % 4];
            let flip = [Flip::None, Flip::Vertical][(n + k) / 2 % 2];
            let capture = capture(&frame(&program.0, &program.1, &model, target), unit, flip);
            let found = identified(&program, &capture, &models, &[Flip::None, Flip::Vertical]);
            let first = &found.looks[0];
            let what = format!("{path} under {name}, {target}, {}: {first:?}", flip.name());
            assert!(first.models.iter().any(|found| found == name), "{what}");
            assert!(first.fit.explains() && first.fit.equal == first.fit.pixels && found.unlike.is_none(), "{what}");
            assert!(first.fit.pixels > 1000 || found.undrawn > 0, "{what}");
            // A picture can be its own image; then it is taken as it stands.
            assert!(first.flip == flip || first.flip == Flip::None, "{what}");
            if let Some(Decides { rules: why, .. }) = &found.decides {
                let is_explained = !why.ranking.instructions.is_empty() || !why.around.is_empty();
                assert!(why.whole.changed > 0 && is_explained, "{what}");
                told_apart.insert(*path);
            }
            tried += 1;
        }
    }
    assert!(tried == 40 && told_apart.len() >= 8, "{tried} {told_apart:?}");
}

/// What the two models differ in is known: it is what decides.
#[test]
fn what_decides_is_the_rule_that_differs() {
    let program = program("attila/voronoi.attila", |text| text);
    for (settings, op, field) in
        [("sin.round=rtz", "sin", "round"), ("mul.round=rup", "mul", "round"), ("mad.mad=separate", "mad", "mad")]
    {
        let own = Model::parse(&format!("ieee[{settings}]")).expect("a model");
        let models = [Model::builtin("ieee").expect("a built-in model"), own.clone()];
        let capture = capture(&frame(&program.0, &program.1, &own, Target::Fp32), Unit::Floats, Flip::None);
        let found = identified(&program, &capture, &models, &[Flip::None]);
        assert_eq!(found.looks[0].models, [own.label()]);
        let why = &found.decides.as_ref().expect("another model").rules;
        let found = &why.ranking.instructions[0].fields[0];
        assert_eq!((found.op, found.field), (op, field));
    }
}

#[test]
fn what_no_model_draws_is_said_to_be_that() {
    let models = models();
    let original = program("attila/toon.attila", |text| text);
    // Another specular power, and a picture that is covered in one corner.
    let other = program("attila/toon.attila", |text| text.replacen("mul r4, c2, r3", "mul r4, c3, r3", 1));
    let ieee = Model::builtin("ieee").expect("a built-in model");
    let edited = capture(&frame(&other.0, &other.1, &ieee, Target::Unorm8), Unit::Bytes, Flip::None);
    let found = identified(&original, &edited, &models, &[Flip::None, Flip::Vertical]);
    assert!(!found.looks[0].fit.explains() && found.unlike.is_some(), "{:?}", found.looks[0]);

    let mut covered = capture(&frame(&original.0, &original.1, &ieee, Target::Unorm8), Unit::Bytes, Flip::None);
    for y in 3..9 {
        for x in 5..15 {
            let at = (y * SIZE.0 as usize + x) * 3;
            covered.values[at] = (covered.values[at] + 128.0) % 256.0;
        }
    }
    let found = identified(&original, &covered, &models, &[Flip::None]);
    let unlike = found.unlike.expect("pixels that are unlike");
    assert_eq!((unlike.columns, unlike.rows, unlike.pixels), ((5, 14), (3, 8), 60));
    assert!(!found.looks[0].fit.explains() && found.looks[0].models.contains(&"ieee".to_string()));
    // Without these pixels it is plain.
    let mask =
        (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| !((5..15).contains(&x) && (3..9).contains(&y)))).collect();
    let tried = Tried {
        models: &models,
        drivers: false,
        targets: vec![Target::Unorm8],
        flips: vec![Flip::None],
        tolerance: 0.0,
        mask: Some(mask),
        engine: Engine::Interp,
        control: Control::default(),
    };
    let found = identify(&original.0, &original.1, &covered, &tried).expect("a picture");
    assert_eq!((found.looks[0].fit.equal, found.looks[0].fit.pixels), (1140, 1140));
}
