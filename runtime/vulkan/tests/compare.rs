//! Runs a job on both sides and compares.

use parallax::{Dispatch, Engine, LoadOptions, Optimise};
use parallax_core::Interface;
use parallax_core::exec::{ImageFormat, ImageLayout, Memory};
use parallax_lift::Options;
use parallax_num::Model;
use parallax_spirv::assemble;
use parallax_texture::{Filter, Image, Sampler, TextureSet, Unit};
use parallax_vulkan::{Device, Job};
use std::sync::{Arc, Mutex, OnceLock};

/// The version of Mesa that the list of differences is for.
const MESA: &str = "Mesa 22.3.";

/// The model of its arithmetic.
pub(crate) fn model() -> Model {
    Model::builtin("lavapipe").expect("a built-in model")
}

/// The device, if it is the one to compare with. Jobs run one after the other.
pub(crate) fn device() -> Option<&'static Mutex<Device>> {
    static DEVICE: OnceLock<Result<Mutex<Device>, String>> = OnceLock::new();
    let found = DEVICE.get_or_init(|| match Device::open() {
        Err(problem) => Err(format!("skipped: no Vulkan device ({problem})")),
        Ok(device) if !device.name().starts_with("llvmpipe") || !device.driver().starts_with(MESA) => {
            Err(format!("skipped: no {MESA}x lavapipe, but {} ({})", device.name(), device.driver()))
        }
        Ok(_) if !is_known_processor() => Err("skipped: the processor is no x86-64 with AVX-512".to_string()),
        Ok(device) => Ok(Mutex::new(device)),
    });
    match found {
        Ok(device) => Some(device),
        Err(message) => {
            eprintln!("{message}");
            None
        }
    }
}

/// The driver's compiler uses what the processor has: conversions to unsigned integers and fused steps depend on that.
fn is_known_processor() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512f") && std::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The words of a module's text.
///
/// # Panics
/// If it cannot be read.
pub(crate) fn assembled(name: &str, text: &str) -> Vec<u32> {
    let (module, problems) = assemble(text).module();
    assert!(problems.is_empty(), "{name}: {problems:?}\n{text}");
    module.words.clone()
}

/// What the model makes of a job: the words of its buffers afterwards.
pub(crate) fn emulate(job: &Job<'_>, model: &Model) -> Result<Vec<Vec<u32>>, String> {
    let bytes: Vec<u8> = job.words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let lift =
        Options { spec: job.spec.iter().map(|(id, value)| (*id, u64::from(*value))).collect(), ..Options::default() };
    let loaded = parallax::load("", &bytes, &LoadOptions { isa: Some("spirv".into()), lift, ..LoadOptions::default() });
    let Some(shader) = &loaded.shader else { return Err(format!("{:?}", loaded.diags)) };
    let compiled =
        parallax::compile(shader, model, Optimise::Yes, Engine::Auto).map_err(|p| format!("{:?}", p.diags))?;
    let name = |set: u32, binding: u32| format!("{set}.{binding}");
    let mut words: Vec<(String, Vec<u32>)> =
        job.buffers.iter().map(|buffer| (name(buffer.set, buffer.binding), buffer.words.clone())).collect();
    if !job.push.is_empty() {
        words.push(("push".into(), job.push.clone()));
    }
    let iface = &compiled.shader.func.iface;
    let textures = textures(job, iface)?;
    words.extend(job.images.iter().map(|image| (name(image.set, image.binding), image.words.clone())));
    words.retain(|(name, _)| iface.units.iter().all(|unit| unit.name != *name));
    let dispatch = Dispatch { grid: job.grid, words, textures, ..Dispatch::default() };
    let result = parallax::run_dispatch(&compiled, &dispatch).map_err(|p| format!("{:?}", p.diags))?;
    let buffers = job.buffers.iter().map(|buffer| (name(buffer.set, buffer.binding), &buffer.words));
    let images = job.images.iter().map(|image| (name(image.set, image.binding), &image.words));
    let after = |(name, words): (String, &Vec<u32>)| match iface.buffers.iter().position(|known| known.name == name) {
        Some(at) => result.buffers[at].to_vec(),
        None => words.clone(),
    };
    Ok(buffers.chain(images).map(after).collect())
}

/// The images of a job, by what the program makes of their bindings.
fn textures(job: &Job<'_>, iface: &Interface) -> Result<TextureSet, String> {
    let mut set = TextureSet::default();
    for image in &job.images {
        let name = format!("{}.{}", image.set, image.binding);
        let format = ImageFormat::from_name(image.format).ok_or("no such format")?;
        let layout = ImageLayout { format, size: image.size, samples: 1 };
        if let Some(buffer) = iface.buffers.iter().position(|buffer| buffer.name == name) {
            set.set_image(buffer as u16, layout);
        } else if let Some(unit) = iface.units.iter().find(|unit| unit.name == name) {
            let words = [image.words.clone()];
            let memory = Memory::Shared(&words);
            let texels: u32 = image.size.iter().product();
            let texels = (0..texels).map(|n| layout.load(&memory, 0, n * format.bytes())).collect();
            let image = Image::rgba32f_volume(image.size, texels).map_err(|e| e.to_string())?;
            let sampler = Sampler { filter: Filter::Nearest, ..Sampler::default() };
            set.set(unit.unit, Unit::Image { image: Arc::new(image), sampler });
        }
    }
    Ok(set)
}
