//! A program of the corpus with its draw, and the same draw for its module.
#![allow(clippy::print_stderr, reason = "what is skipped is said")]

use parallax::{
    Canonical, Compiled, Control, Draw, Engine, Frame, LoadOptions, Manifest, Optimise, Samples, Workers, compile,
    compile_bound, load, run_draw,
};
use parallax_core::exec::Plane;
use parallax_core::{OpKind, OutputRole, Shader, Stage, Symbolic, verify};
use parallax_lift::Options;
use parallax_num::{Decl, Format, Model, Op, Rule, Storage, TextureRule, eval};
use parallax_spirv_out::{Interface, Lookups, Options as Asked, Texture, Translation, Unit, translate};
use parallax_step::Programs;
use parallax_texture::{Image, Sampler, TexelFormat, Unit as Bound, srgb_number};
use std::process::Command;
use std::sync::{Arc, LazyLock};

/// A program of the corpus, most often a fragment program.
pub(crate) struct Effect {
    pub(crate) path: &'static str,
    canonical: Canonical,
    pub(crate) draw: Draw,
}

/// What a device would store: binary32 patterns of each component of an output, of each pixel; and which pixels are covered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) planes: Vec<(String, Vec<u32>)>,
    pub(crate) covered: Vec<bool>,
}

impl Effect {
    /// All fragment programs whose path begins so.
    pub(crate) fn all(prefix: &str) -> impl Iterator<Item = Effect> {
        Effect::of_stage(prefix, Stage::Fragment)
    }

    /// All programs of a stage whose path begins so.
    pub(crate) fn of_stage(prefix: &str, stage: Stage) -> impl Iterator<Item = Effect> {
        let files = parallax_corpus::shaders().filter(move |file| file.path.starts_with(prefix));
        files.filter_map(move |file| Effect::read(file, stage))
    }

    /// A program of this text, drawn as a manifest says.
    pub(crate) fn of(path: &'static str, text: &str, manifest: &str) -> Effect {
        let manifest = Manifest::parse("manifest.toml", manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        let lift = Options { settings: manifest.options.clone(), ..Options::default() };
        let loaded = load(path, text.as_bytes(), &LoadOptions { lift, ..LoadOptions::default() });
        assert!(loaded.diags.iter().all(|diag| !diag.is_error()), "{path}: {:?}", loaded.diags);
        let shader = loaded.shader.as_ref().expect(path);
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        Effect { path, canonical: Canonical::new(shader).expect(path), draw }
    }

    /// A shader and a draw of it.
    pub(crate) fn from_shader(path: &'static str, shader: &Shader<Symbolic>, draw: Draw) -> Effect {
        Effect { path, canonical: Canonical::new(shader).expect(path), draw }
    }

    fn read(file: &'static parallax_corpus::File, stage: Stage) -> Option<Effect> {
        let path = file.path;
        let beside = format!("{}/{}.toml", file.folder(), file.stem());
        let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
        let mut manifest = Manifest::parse(&beside, text).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        let lift = Options { settings: manifest.options.clone(), ..Options::default() };
        let loaded = load(path, file.bytes, &LoadOptions { lift, ..LoadOptions::default() });
        let shader = loaded.shader.as_ref().expect(path);
        if shader.func.iface.stage != stage {
            return None;
        }
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        Some(Effect { path, canonical: Canonical::new(shader).expect(path), draw })
    }

    /// The program under a model, optimised. Lookups and interpolation are those of `ieee`, under which modules are read again: in a module they are the
    /// device's.
    pub(crate) fn under(&self, model: &Model) -> Compiled {
        let mut bound = self.canonical.bind(model).expect(self.path);
        // Interpolation is the device's, too.
        bound.state.raster_steps = None;
        for op in bound.func.ops.values_mut() {
            if let OpKind::Tex(tex) = &mut op.kind {
                tex.rule = TextureRule::IEEE;
            }
        }
        compile_bound(bound, Optimise::Yes, Engine::Auto).expect(self.path)
    }

    /// The program under a model, optimised, with the model's lookups.
    pub(crate) fn with_lookups(&self, model: &Model) -> Compiled {
        compile_bound(self.canonical.bind(model).expect(self.path), Optimise::Yes, Engine::Auto).expect(self.path)
    }

    /// Its texture units, as a module has to know them that looks up itself.
    pub(crate) fn units(&self) -> Vec<(u16, Unit)> {
        let unit = |unit: u16| match self.draw.textures.get(unit)? {
            Bound::Constant(_) => None,
            Bound::Image { image, sampler } => Some((unit, Unit { format: image.format(), sampler: *sampler })),
        };
        (0..=255).filter_map(unit).collect()
    }

    /// The draw under a model, `side` pixels wide and high, one sample for each pixel.
    pub(crate) fn draw(&self, compiled: &Compiled, model: &Model, side: u32) -> Draw {
        let draw = Draw { width: side, height: side, samples: Samples::default(), ..self.draw.clone() };
        draw.with_vertices(&compiled.shader.func.iface, model, Engine::Auto).expect(self.path).into_owned()
    }
}

/// The module of a shader.
pub(crate) fn module(
    compiled: &Compiled,
    programs: &mut Programs,
    flag_inexact: bool,
) -> Result<Translation, Vec<String>> {
    let verified = verify(&compiled.shader).expect("sound IR");
    translate(verified, programs, Asked { flag_inexact, ..Asked::default() })
        .map_err(|diags| diags.into_iter().map(|diag| diag.message).collect())
}

/// The module of a shader with the model's lookups.
pub(crate) fn module_with_lookups(
    compiled: &Compiled,
    programs: &mut Programs,
    units: &[(u16, Unit)],
) -> Result<Translation, Vec<String>> {
    let verified = verify(&compiled.shader).expect("sound IR");
    translate(verified, programs, Asked { lookups: Lookups::Faithful(units), ..Asked::default() })
        .map_err(|diags| diags.into_iter().map(|diag| diag.message).collect())
}

/// What a draw gives, as a device stores it.
pub(crate) fn picture(compiled: &Compiled, draw: &Draw) -> Picture {
    let frame = run_draw(compiled, draw, &Workers::serial(), Control::default()).expect("a draw");
    of_frame(&frame)
}

/// The same; `None` where pixels run out of fuel.
pub(crate) fn finished(compiled: &Compiled, draw: &Draw) -> Option<Picture> {
    let frame = run_draw(compiled, draw, &Workers::serial(), Control::default()).expect("a draw");
    (frame.out_of_fuel == 0).then(|| of_frame(&frame))
}

fn of_frame(frame: &Frame) -> Picture {
    let mut planes = Vec::new();
    for channel in &frame.channels {
        let name = match channel.role {
            OutputRole::Color(n) => format!("{n}.{}", channel.comp),
            OutputRole::Depth => "depth".to_string(),
            OutputRole::Stencil => "stencil".to_string(),
            _ => continue,
        };
        let words = single(&channel.declared_bits(), channel.ty.decl());
        planes.push((name, words));
    }
    planes.sort();
    Picture { planes, covered: frame.covered.clone() }
}

/// Patterns of a format as binary32.
pub(crate) fn single(words: &Plane, decl: Option<Decl>) -> Vec<u32> {
    let storage = decl.map_or(Storage::F32, |decl| decl.format().storage());
    let rule = Rule { source: storage, ..Rule::ieee(Decl::F32, Format::F32) };
    let convert = |word: u64| if storage == Storage::F32 { word as u32 } else { eval(Op::Cvt, &rule, &[word]) as u32 };
    words.to_words().into_iter().map(convert).collect()
}

/// The module read again, under `ieee`; `None` where the frontend refuses its size once calls are expanded.
pub(crate) fn compiled_again(translation: &Translation) -> Option<Compiled> {
    let bytes: Vec<u8> = translation.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let loaded = load("module.spv", &bytes, &LoadOptions::default());
    if loaded.diags.iter().any(|diag| diag.code == "call-size") {
        return None;
    }
    assert!(loaded.diags.iter().all(|diag| !diag.is_error()), "{:?}", loaded.diags);
    let shader = loaded.shader.expect("a module that loads");
    let model = Model::builtin("ieee").expect("built in");
    // Machine code of a long module takes longer to make than it saves.
    Some(compile(&shader, &model, Optimise::Yes, Engine::Interp).expect("a module that runs"))
}

/// The draw of a shader, for its module read again.
pub(crate) fn draw_again(translation: &Translation, compiled: &Compiled, draw: &Draw) -> Draw {
    let iface = &compiled.shader.func.iface;
    // Fuel counts ops, of which a module has a hundred for one.
    let mut same = Draw { fuel: u32::MAX, ..Draw::defaults(iface).expect("a draw") };
    (same.width, same.height, same.geometry, same.depths) =
        (draw.width, draw.height, draw.geometry.clone(), draw.depths);
    let Interface { inputs, banks, textures, buffers, .. } = &translation.interface;
    same.grid = draw.grid;
    for (index, decl) in iface.buffers.iter().enumerate() {
        if let Some(buffer) = buffers.iter().find(|buffer| decl.name == format!("{}.{}", buffer.set, buffer.binding)) {
            same.buffers[index] = draw.buffers[buffer.buffer].clone();
        }
    }
    for (index, attr) in iface.attrs.iter().enumerate() {
        let input = inputs.iter().find(|input| input.location.is_some_and(|at| attr.name == format!("in[{at}]")));
        if let Some(input) = input {
            same.attributes[index] = draw.attributes[input.attr].clone();
        }
    }
    for (index, decl) in iface.banks.iter().enumerate() {
        let bank = banks.iter().find(|bank| decl.name == format!("{}.{}", bank.set, bank.binding)).expect("a bank");
        let words = draw.banks[bank.bank].iter().copied().chain(std::iter::repeat([0; 4]));
        same.banks[index] = words.take(bank.vectors as usize).collect();
    }
    for unit in &iface.units {
        let found = textures.iter().find(|t| unit.name.starts_with(&format!("{}.{}", t.set, t.image)));
        let found = found.and_then(|t| Some((t, draw.textures.get(t.unit)?)));
        let texture = match found.expect("a texture") {
            (Texture { faithful: Some(_), .. }, Bound::Image { image, .. }) => fetched(image),
            (_, texture) => texture.clone(),
        };
        same.textures.set(unit.unit, texture);
    }
    same
}

/// The module, read again and drawn under `ieee`, with what the shader's draw has, and how many results it counts as inexact; `None`
/// where the frontend refuses its size once calls are expanded.
pub(crate) fn read_again(translation: &Translation, draw: &Draw) -> Option<(Picture, u32)> {
    let compiled = compiled_again(translation)?;
    let same = draw_again(translation, &compiled, draw);
    let frame = run_draw(&compiled, &same, &Workers::serial(), Control::default()).expect("a draw");
    let counter = translation.interface.counter.map(|(set, binding)| format!("{set}.{binding}"));
    let buffers = &compiled.shader.func.iface.buffers;
    let counter = buffers.iter().position(|decl| Some(&decl.name) == counter.as_ref());
    let counted = counter.and_then(|counter| frame.buffers.get(counter)?.first().copied());
    assert_eq!(counted.is_some(), translation.interface.counter.is_some(), "the counter is a buffer");
    Some((of_frame(&frame), counted.unwrap_or(0)))
}

/// An image as a module that looks up itself wants it: bytes of sRGB as if they were none.
fn fetched(image: &Image) -> Bound {
    let as_bytes =
        |word: u32| (0..=255).find(|&code| srgb_number(code).to_bits() == word).expect("a number of the curve");
    let level = |level: u32| -> Vec<[u32; 4]> {
        let [width, height, depth] = image.size(level);
        let places = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
        let texel = |at| {
            let [red, green, blue, alpha] = image.texel(level, at);
            let [red, green, blue] = [red, green, blue].map(|word| (f32::from(as_bytes(word)) / 255.0).to_bits());
            [red, green, blue, alpha]
        };
        places.map(texel).collect()
    };
    let image = match image.format() {
        TexelFormat::Srgb8 => {
            let first = Image::rgba32f_volume(image.size(0), level(0)).expect("an image");
            (1..image.levels()).fold(first, |made, n| made.with_level(level(n)).expect("a flat image"))
        }
        _ => image.clone(),
    };
    // Nobody asks the sampler.
    Bound::Image { image: Arc::new(image), sampler: Sampler::default() }
}

/// How many pixels differ, and the first that does.
pub(crate) fn difference(wanted: &Picture, found: &Picture) -> Option<String> {
    if wanted.covered != found.covered {
        return Some("coverage differs".to_string());
    }
    for (name, words) in &wanted.planes {
        let Some((_, others)) = found.planes.iter().find(|(other, _)| other == name) else {
            return Some(format!("output {name} is missing"));
        };
        let seen = |n: &usize| wanted.covered[*n] && words[*n] != others[*n];
        let count = (0..words.len()).filter(seen).count();
        if let Some(at) = (0..words.len()).find(seen) {
            let (want, got) = (words[at], others[at]);
            return Some(format!("{count} pixels of output {name}; pixel {at} has {got:08x}, not {want:08x}"));
        }
    }
    None
}

/// Asks the validator whether a module is valid, where there is one.
pub(crate) fn validate(translation: &Translation, name: &str) {
    static IS_THERE: LazyLock<bool> = LazyLock::new(|| {
        let is_there = Command::new("spirv-val").arg("--version").output().is_ok();
        if !is_there {
            eprintln!("skipped: spirv-val is not on PATH");
        }
        is_there
    });
    if !*IS_THERE {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("module.spv");
    let bytes: Vec<u8> = translation.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&file, bytes).expect("a file");
    let run = Command::new("spirv-val").args(["--target-env", "vulkan1.1"]).arg(&file).output().expect("it runs");
    let said = [run.stdout, run.stderr].concat();
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&said));
}
