//! Runs a job on both sides and compares.

use parallax::{Dispatch, Engine, LoadOptions, Optimise};
use parallax_lift::Options;
use parallax_num::{Model, ModelFile};
use parallax_spirv::assemble;
use parallax_vulkan::{Device, Job};
use std::sync::{Mutex, OnceLock};

/// The version of Mesa that the list of differences is for.
const MESA: &str = "Mesa 22.3.";

/// The model of its arithmetic: llvmpipe's, but for what Vulkan makes different.
pub(crate) fn model() -> Model {
    let read = || {
        let file = ModelFile::parse(include_str!("../lavapipe.toml")).ok()?;
        file.define(Model::builtin("llvmpipe").as_ref()).ok()
    };
    read().expect("the model's file")
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
    let dispatch = Dispatch { grid: job.grid, words, ..Dispatch::default() };
    let result = parallax::run_dispatch(&compiled, &dispatch).map_err(|p| format!("{:?}", p.diags))?;
    let iface = &compiled.shader.func.iface;
    Ok(job
        .buffers
        .iter()
        .map(|buffer| {
            let name = name(buffer.set, buffer.binding);
            match iface.buffers.iter().position(|known| known.name == name) {
                Some(at) => result.buffers[at].clone(),
                None => buffer.words.clone(),
            }
        })
        .collect())
}
