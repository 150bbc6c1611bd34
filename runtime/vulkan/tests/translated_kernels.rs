//! Modules of kernels of `parallax-spirv-out` on the device: the model's words in every buffer.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax::{Canonical, Compiled, Draw, Engine, LoadOptions, Manifest, Optimise, compile_bound, load, varied};
use parallax_core::{Stage, text, verify};
use parallax_lift::Options;
use parallax_num::Model;
use parallax_spirv_out::{Arithmetic, Options as Asked, Translation, translate};
use parallax_step::Programs;
use parallax_vulkan::{Compared, Device, check};

/// Every op on memory that modules have.
const MEMORY: &str = include_str!("../../../backends/spirv/tests/programs/memory.plx");

struct Kernel {
    path: &'static str,
    canonical: Canonical,
    draw: Draw,
}

impl Kernel {
    /// All kernels of the corpus.
    fn all() -> Vec<Kernel> {
        let kernels = parallax_corpus::shaders().filter_map(|file| {
            let (path, beside) = (file.path, format!("{}/{}.toml", file.folder(), file.stem()));
            let text = parallax_corpus::get(&beside).and_then(|f| f.text()).expect(&beside);
            let manifest = Manifest::parse(&beside, text).expect("a manifest");
            let lift = Options { settings: manifest.options.clone(), ..Options::default() };
            let loaded = load(path, file.bytes, &LoadOptions { lift, ..LoadOptions::default() });
            let shader = loaded.shader.as_ref().expect(path);
            if shader.func.iface.stage != Stage::Compute {
                return None;
            }
            let draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|e| panic!("{path}: {e:?}"));
            Some(Kernel { path, canonical: Canonical::new(shader).expect(path), draw })
        });
        kernels.collect()
    }

    fn under(&self, name: &str) -> Compiled {
        let bound = self.canonical.bind(&Model::builtin(name).expect("built in")).expect(self.path);
        compile_bound(bound, Optimise::Yes, Engine::Auto).expect(self.path)
    }
}

fn module(compiled: &Compiled, asked: Asked<'_>, programs: &mut Programs) -> Option<Translation> {
    translate(verify(&compiled.shader).expect("sound IR"), programs, asked).ok()
}

fn device() -> Option<Device> {
    Device::open().inspect_err(|problem| eprintln!("skipped: no Vulkan device ({problem})")).ok()
}

/// Compares kernels under models, with their inputs and random ones, `inputs` in all; how many comparisons were equal, and how many kernels have no
/// module.
fn compare<'a>(device: &Device, inputs: u32, models: impl Fn(usize) -> Vec<&'a str>) -> (usize, usize) {
    let (mut programs, mut equal, mut none, mut varies) = (Programs::default(), 0, 0, false);
    for (number, kernel) in Kernel::all().iter().enumerate() {
        for name in models(number) {
            let compiled = kernel.under(name);
            let asked = Asked { constants_in_storage: true, ..Asked::default() };
            let Some(made) = module(&compiled, asked, &mut programs) else {
                none += 1;
                continue;
            };
            for seed in 0..inputs {
                let draw = match seed {
                    0 => kernel.draw.clone(),
                    seed => varied(&kernel.draw, &compiled.shader.func.iface, seed),
                };
                // Numbers that are given are others each time.
                varies |= seed > 0 && draw.buffers != kernel.draw.buffers;
                let found =
                    check(device, &compiled, &made, &draw).unwrap_or_else(|why| panic!("{}: {why}", kernel.path));
                assert!(found.is_equal(), "{} under {name}, inputs {seed}: {found:#?}", kernel.path);
                assert!(found.of == Compared::Words && found.pixels > 63, "{found:?}");
                equal += 1;
            }
            println!("{} {name} {} words", kernel.path, made.words.len());
        }
    }
    assert!(varies || inputs == 1, "random inputs are those of the manifests");
    (equal, none)
}

#[test]
fn kernels_leave_the_words_of_the_model_on_the_device() {
    let Some(device) = device() else { return };
    let models = ["ieee", "nv40", "maxwell", "llvmpipe", "adreno", "rogue", "nvfp"];
    assert_eq!(compare(&device, 3, |number| vec![models[number % models.len()]]), (33, 0));
}

/// `cargo test -p parallax-vulkan --test all kernels_under_all -- --ignored --nocapture`; `PARALLAX_KERNEL` is the number of a kernel, to
/// run it alone.
#[test]
#[ignore = "long"]
fn kernels_under_all_models_on_the_device() {
    let Some(device) = device() else { return };
    let only = std::env::var("PARALLAX_KERNEL").ok().and_then(|text| text.parse::<usize>().ok());
    let models = |number| match only {
        Some(only) if only != number => Vec::new(),
        _ => Model::group("default").expect("a group").to_vec(),
    };
    let (equal, none) = compare(&device, 1, models);
    println!("{} ({}): {equal} runs are equal, {none} kernels have no module", device.name(), device.driver());
}

/// Loads, stores and atomics inside and outside of buffers and of the memory of a workgroup.
#[test]
fn every_op_on_memory_does_the_same_on_the_device() {
    let Some(device) = device() else { return };
    let bound = text::read(MEMORY).expect("a kernel").bind(&Model::builtin("ieee").expect("built in"));
    let compiled = compile_bound(bound, Optimise::Yes, Engine::Auto).expect("it compiles");
    let made = module(&compiled, Asked::default(), &mut Programs::default()).expect("a module");
    let words = |n: u32, count: u32| (0..count).map(|k| (k ^ n).wrapping_mul(0x9e37_79b9)).collect();
    let draw = Draw {
        grid: [3, 2, 2],
        buffers: vec![words(1, 200), words(2, 77), words(3, 200), Vec::new()],
        ..Draw::defaults(&compiled.shader.func.iface).expect("a draw")
    };
    let found = check(&device, &compiled, &made, &draw).expect("a run");
    assert!(found.is_equal() && found.pixels == 477, "{found:#?}");
}

/// Modules of the device's own arithmetic differ from another model: the comparison can fail.
#[test]
fn native_kernels_are_the_device_and_no_other_model() {
    let Some(device) = device() else { return };
    let mut differing = 0;
    for kernel in Kernel::all() {
        let compiled = kernel.under("ati-r300");
        let asked = Asked { arithmetic: Arithmetic::Native, ..Asked::default() };
        let made = module(&compiled, asked, &mut Programs::default()).expect(kernel.path);
        let found =
            check(&device, &compiled, &made, &kernel.draw).unwrap_or_else(|why| panic!("{}: {why}", kernel.path));
        differing += usize::from(!found.is_equal());
    }
    assert!(differing > 5, "{differing}");
}
