//! Vertex modules of `parallax-spirv-out` on the device: the model's words in every output of every vertex.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax::{Canonical, Compiled, Draw, Engine, LoadOptions, Manifest, Optimise, compile_bound, load, varied};
use parallax_core::{Stage, verify};
use parallax_lift::Options;
use parallax_num::Model;
use parallax_spirv_out::{Arithmetic, Assume, Options as Asked, Translation, translate};
use parallax_step::Programs;
use parallax_vulkan::{Compared, Device, Feature, check};

/// A program that has what those of the corpus have not: an addressed constant, a loop, a point size, clip distances.
const TGSI: &str = include_str!("../../../backends/spirv/tests/programs/vertices.tgsi");
const TGSI_INPUTS: &str = include_str!("../../../backends/spirv/tests/programs/vertices.toml");

struct Program {
    path: &'static str,
    canonical: Canonical,
    draw: Draw,
}

impl Program {
    /// All vertex programs of the corpus, and the one above.
    fn all() -> Vec<Program> {
        let corpus = parallax_corpus::shaders().filter_map(|file| {
            let beside = format!("{}/{}.toml", file.folder(), file.stem());
            let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
            Program::read(file.path, file.bytes, &Manifest::parse(&beside, text).expect("a manifest"))
        });
        let manifest = Manifest::parse("vertices.toml", TGSI_INPUTS).expect("a manifest");
        corpus.chain(Program::read("vertices.tgsi", TGSI.as_bytes(), &manifest)).collect()
    }

    fn read(path: &'static str, bytes: &[u8], manifest: &Manifest) -> Option<Program> {
        let lift = Options { settings: manifest.options.clone(), ..Options::default() };
        let loaded = load(path, bytes, &LoadOptions { lift, ..LoadOptions::default() });
        let shader = loaded.shader.as_ref().expect(path);
        if shader.func.iface.stage != Stage::Vertex {
            return None;
        }
        let draw = Draw::new(&shader.func.iface, manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
        Some(Program { path, canonical: Canonical::new(shader).expect(path), draw })
    }

    fn under(&self, name: &str) -> Compiled {
        let bound = self.canonical.bind(&Model::builtin(name).expect("built in")).expect(self.path);
        compile_bound(bound, Optimise::Yes, Engine::Auto).expect(self.path)
    }
}

fn module(compiled: &Compiled, asked: Asked<'_>, programs: &mut Programs) -> Translation {
    translate(verify(&compiled.shader).expect("sound IR"), programs, asked).expect("a module")
}

/// The device, if it runs vertex shaders that store.
fn device() -> Option<Device> {
    match Device::open() {
        Err(problem) => eprintln!("skipped: no Vulkan device ({problem})"),
        Ok(device) if !device.can_draw() || !device.has(Feature::VertexStores) => {
            eprintln!("skipped: {} has no vertex shaders that store", device.name());
        }
        Ok(device) => return Some(device),
    }
    None
}

/// Compares programs under models, with their inputs and random ones, `inputs` in all; how many comparisons were equal.
fn compare<'a>(device: &Device, inputs: u32, models: impl Fn(usize) -> Vec<&'a str>) -> usize {
    let (mut programs, mut equal) = (Programs::default(), 0);
    for (number, program) in Program::all().iter().enumerate() {
        for name in models(number) {
            let compiled = program.under(name);
            let asked = Asked { constants_in_storage: true, ..Asked::default() };
            let made = module(&compiled, asked, &mut programs);
            for seed in 0..inputs {
                let draw = match seed {
                    0 => program.draw.clone(),
                    seed => varied(&program.draw, &compiled.shader.func.iface, seed),
                };
                let found =
                    check(device, &compiled, &made, &draw).unwrap_or_else(|why| panic!("{}: {why}", program.path));
                assert!(found.is_equal(), "{} under {name}, inputs {seed}: {found:#?}", program.path);
                assert_eq!((found.of, found.pixels), (Compared::Vertices, draw.vertex_count()));
                equal += 1;
            }
            println!("{} {name} {} words", program.path, made.words.len());
        }
    }
    equal
}

#[test]
fn vertex_modules_give_the_words_of_the_model_on_the_device() {
    let Some(device) = device() else { return };
    let models = ["ieee", "nv40", "maxwell", "ati-r300", "llvmpipe"];
    assert_eq!(compare(&device, 3, |number| vec![models[number]]), 15);
}

/// `cargo test -p parallax-vulkan --test all vertex_programs_under_all -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn vertex_programs_under_all_models_on_the_device() {
    let Some(device) = device() else { return };
    let equal = compare(&device, 1, |_| Model::group("default").expect("a group").to_vec());
    println!("{} ({}): {equal} runs are equal", device.name(), device.driver());
    assert_eq!(equal, 60);
}

/// Modules of the device's own arithmetic run, too, and differ from another model: the comparison can fail.
#[test]
fn native_vertex_modules_are_the_device_and_no_other_model() {
    let Some(device) = device() else { return };
    let mut differing = 0;
    for program in Program::all() {
        let compiled = program.under("ati-r300");
        let asked = Asked { arithmetic: Arithmetic::Native, assume: Assume::default(), ..Asked::default() };
        let made = module(&compiled, asked, &mut Programs::default());
        let found =
            check(&device, &compiled, &made, &program.draw).unwrap_or_else(|why| panic!("{}: {why}", program.path));
        differing += usize::from(!found.is_equal());
    }
    assert!(differing > 2, "{differing}");
}
