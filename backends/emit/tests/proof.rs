//! A translation beside its source: both drawn on one engine under one model, each through its own frontend.

use parallax::{
    Control, Draw, Engine, Frame, Interface, LoadOptions, Loaded, Manifest, Model, Optimise, OutputRole, Shader, Stage,
    Symbolic, Workers, compile, load, run_draw, run_vertices, varied,
};
use parallax_emit::{Carried, Inexact, Target, Translation, translate};
use parallax_nvfp::nv40::{Order, assemble_bytes};
use parallax_opt::canonicalise;

/// A program of the corpus.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) shader: Shader<Symbolic>,
    pub(crate) draw: Draw,
    pub(crate) manifest: Option<Manifest>,
    /// Instructions, as the frontend counts them.
    pub(crate) instructions: usize,
}

impl Source {
    /// A program of the corpus, with its manifest.
    pub(crate) fn of_corpus(file: &parallax_corpus::File) -> Source {
        let beside = format!("{}/{}.toml", file.folder(), file.stem());
        let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
        let mut manifest = Manifest::parse(&beside, text).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
            manifest.give_vertex_program(vertex.bytes);
        }
        let mut options = LoadOptions::default();
        options.lift.settings.clone_from(&manifest.options);
        let loaded = load(file.path, file.bytes, &options);
        let instructions = count(&loaded);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{}: {:?}", file.path, loaded.diags));
        let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{beside}: {e:?}"));
        Source {
            path: file.path.to_string(),
            shader: canonicalise(shader),
            draw,
            manifest: without_vertices(manifest),
            instructions,
        }
    }
}

/// A manifest that can be carried to the translation; a vertex program needs the names that the source has.
fn without_vertices(manifest: Manifest) -> Option<Manifest> {
    manifest.vertex_program().is_none().then_some(manifest)
}

/// Source instructions of a program.
pub(crate) fn count(loaded: &Loaded) -> usize {
    loaded.shader.as_ref().map_or(0, |shader| shader.func.sources.len())
}

/// A program of a target, read by its frontend. Words of NV40 are made beside the text: they have to be those that it assembles to.
pub(crate) fn read(translation: &Translation, target: &Target) -> Result<Shader<Symbolic>, String> {
    if target.extension == "fpo" {
        let (code, diags) = assemble_bytes(&translation.text, Order::Rsx, true);
        let code = code.ok_or_else(|| format!("{diags:?}\n{}", translation.text))?;
        if !translation.file().windows(code.len()).any(|bytes| bytes == code) {
            return Err(format!("other words than those of\n{}", translation.text));
        }
    }
    let mut options = LoadOptions { isa: Some(target.isa.to_string()), ..LoadOptions::default() };
    options.layout.dialect = target.dialect.map(str::to_string);
    let settings = target.settings.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    options.lift.settings.extend(settings);
    let loaded = load(&format!("result.{}", target.extension), translation.file(), &options);
    let errors: Vec<String> = loaded.diags.iter().filter(|diag| diag.is_error()).map(ToString::to_string).collect();
    match loaded.shader {
        Some(shader) if errors.is_empty() => Ok(canonicalise(shader)),
        _ => Err(format!("{errors:?}\n{}", translation.text)),
    }
}

/// What a shader draws, or computes of its vertices.
pub(crate) fn frame(shader: &Shader<Symbolic>, draw: &Draw, model: &Model, side: u32) -> Frame {
    let compiled = compile(shader, model, Optimise::Yes, Engine::default()).expect("compiles");
    if shader.func.iface.stage == Stage::Vertex {
        return run_vertices(&compiled, draw).expect("vertices");
    }
    let mut draw = draw.clone();
    if shader.func.iface.stage == Stage::Fragment {
        (draw.width, draw.height) = (side, side);
    }
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("draws")
}

/// The first word in which buffers differ after two kernels.
pub(crate) fn other_word(iface: &Interface, wanted: &Frame, found: &Frame, carried: &Carried) -> Option<String> {
    assert_eq!((wanted.out_of_fuel, found.out_of_fuel), (0, 0), "kernels end");
    for (n, decl) in iface.buffers.iter().enumerate().filter(|(_, decl)| decl.workgroup.is_none()) {
        let (wanted, found) = (&wanted.buffers[n], &found.buffers[carried.buffer(n)]);
        if let Some(at) = (0..wanted.len()).find(|&at| found.get(at) != Some(&wanted[at])) {
            return Some(format!("word {at} of {}: {:08x} became {:08x?}", decl.name, wanted[at], found.get(at)));
        }
    }
    None
}

/// The first difference between what two shaders draw, the second of them a translation.
pub(crate) fn difference(wanted: &Frame, found: &Frame, carried: &Carried) -> Option<String> {
    if wanted.covered != found.covered {
        return Some("other pixels are covered".to_string());
    }
    for channel in wanted.channels.iter().filter(|channel| channel.role != OutputRole::Watch) {
        let Some(other) = found.channel(carried.role(channel.role), channel.comp) else {
            return Some(format!("{:?}.{} is not written", channel.role, channel.comp));
        };
        let (a, b) = (channel.declared_bits(), other.declared_bits());
        for pixel in (0..wanted.pixels()).filter(|&pixel| wanted.covered[pixel]) {
            let (a, b) = (a.get(pixel), b.get(pixel));
            if a != b {
                return Some(format!("{:?}.{} of pixel {pixel}: {a:08x} became {b:08x}", channel.role, channel.comp));
            }
        }
    }
    None
}

/// What became of a translation.
pub(crate) enum Outcome {
    /// The same bits: instructions and registers.
    Equal(Box<Translation>),
    /// Why not.
    Refused(Vec<String>),
    /// What was named, and where they differ.
    Different(Vec<Inexact>, String),
}

/// Translates a program and draws both.
pub(crate) fn prove(source: &Source, target: &Target, model: &Model, side: u32) -> Outcome {
    let translation = match translate(&source.shader, target) {
        Ok(translation) => translation,
        Err(diags) => return Outcome::Refused(diags.into_iter().map(|diag| diag.message).collect()),
    };
    let stage = source.shader.func.iface.stage;
    let of_stage = target.of_stage(stage).expect("a stage that is translated");
    let result = match read(&translation, of_stage) {
        Ok(result) => result,
        Err(why) => return Outcome::Different(Vec::new(), format!("not read again: {why}")),
    };
    let draw = source.draw.with_vertices(&source.shader.func.iface, model, Engine::default()).expect("vertices");
    let carried = &translation.carried;
    let there = draw.carried(&result.func.iface, carried).expect("constants");
    if let Some(manifest) = &source.manifest {
        let text = manifest.carried(&source.shader.func.iface, &result.func.iface, &there, carried);
        let again = Manifest::parse("carried.toml", &text).unwrap_or_else(|e| panic!("{}: {e:?}\n{text}", source.path));
        let mut again =
            Draw::new(&result.func.iface, &again).unwrap_or_else(|e| panic!("{}: {e:?}\n{text}", source.path));
        for (index, decl) in result.func.iface.attrs.iter().enumerate() {
            // What nobody reads.
            if !carried.attributes.iter().any(|(name, _)| *name == decl.name) {
                again.attributes[index].clone_from(&there.attributes[index]);
            }
        }
        assert!(again == there, "{} to {}: the manifest draws something else\n{text}", source.path, target.name);
    }
    for seed in 0..3 {
        let (draw, there) = match seed {
            0 => (draw.as_ref().clone(), there.clone()),
            seed => {
                let draw = varied(&draw, &source.shader.func.iface, seed);
                let there = draw.carried(&result.func.iface, carried).expect("constants");
                (draw, there)
            }
        };
        let (wanted, found) = (frame(&source.shader, &draw, model, side), frame(&result, &there, model, side));
        let differs = match stage {
            Stage::Compute => other_word(&source.shader.func.iface, &wanted, &found, carried),
            _ => difference(&wanted, &found, carried),
        };
        if let Some(what) = differs {
            let inputs = if seed == 0 { "the manifest's inputs" } else { "random inputs" };
            return Outcome::Different(translation.inexact.clone(), format!("{inputs}: {what}\n{}", translation.text));
        }
    }
    Outcome::Equal(Box::new(translation))
}
