//! Kernels from texts to cubins to results.

use parallax::{Compiled, Dispatch, Engine, Interface, LoadOptions, Loaded, Optimise, compile, load, run_dispatch};
use parallax_core::backend::Backend;
use parallax_core::exec::ImageLayout;
use parallax_core::num::Model;
use parallax_core::{Shader, Symbolic, verify};
use parallax_pack::{Elf, kernel_info, kernel_param, module_info};
use parallax_random::Random;
use parallax_reference::Reference;
use parallax_texture::Unit;
use std::sync::Arc;

/// What ptxas made of a kernel for a target.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    pub(super) sm: u32,
    params: Vec<(u32, u32)>,
    shared: usize,
    local: u32,
    banks: Vec<(u32, Vec<u8>)>,
    words: Vec<u64>,
}

/// A kernel for its targets.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) targets: Vec<Target>,
}

/// The kernels of a file.
pub(super) fn kernels(text: &str) -> Vec<Kernel> {
    let mut all: Vec<Kernel> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('|')) {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        if key == "kernel" {
            all.push(Kernel { name: rest.to_string(), targets: Vec::new() });
            continue;
        }
        let kernel = all.last_mut().expect("a kernel");
        if key == "target" {
            let sm = rest.strip_prefix("sm_").and_then(|sm| sm.parse().ok()).expect("a target");
            kernel.targets.push(Target { sm, ..Target::default() });
            continue;
        }
        let target = kernel.targets.last_mut().expect("a target");
        let number = |text: &str| match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).expect("a number"),
            None => text.parse().expect("a number"),
        };
        match (key, rest.split_once(' ')) {
            ("param", Some((offset, size))) => target.params.push((number(offset), number(size))),
            ("shared", _) => target.shared = number(rest) as usize,
            ("local", _) => target.local = number(rest),
            ("bank", Some((bank, bytes))) => {
                let byte = |n: usize| u8::from_str_radix(&bytes[2 * n..2 * n + 2], 16).expect("a byte");
                target.banks.push((number(bank), (0..bytes.len() / 2).map(byte).collect()));
            }
            _ => target.words.extend(line.split(' ').map(|word| u64::from_str_radix(word, 16).expect("a word"))),
        }
    }
    all
}

impl Target {
    /// The cubin.
    pub(super) fn cubin(&self, name: &str) -> Vec<u8> {
        const SYMBOL: u32 = 5;
        let first = self.params.first().map_or(0x140, |param| param.0);
        let size = self.params.last().map_or(0, |param| param.0 + param.1 - first);
        let mut info = kernel_info(first as u16, size as u16);
        // As ptxas writes them: the last one first.
        for (number, (offset, size)) in self.params.iter().enumerate().rev() {
            info.extend(kernel_param(number as u16, (offset - first) as u16, *size));
        }
        let code: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut elf = Elf::cubin(self.sm)
            .section(".nv.info", &module_info(&[(SYMBOL, 32, self.local)]))
            .section(&format!(".nv.info.{name}"), &info);
        for (bank, bytes) in &self.banks {
            elf = elf.section(&format!(".nv.constant{bank}.{name}"), bytes);
        }
        if self.shared > 0 {
            elf = elf.section(&format!(".nv.shared.{name}"), &vec![0; self.shared]);
        }
        elf.kernel(name, SYMBOL, 32, &code).write()
    }
}

/// A parameter of a call.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Buffer(Vec<u32>),
    Words(Vec<u32>),
    Surface(ImageLayout, Vec<u32>),
    /// Textures are numbered in the order of their parameters.
    Texture(Unit),
}

/// How a kernel is called.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) grid: [u32; 3],
    pub(super) block: [u32; 3],
    pub(super) args: Vec<Arg>,
}

impl Call {
    /// A grid and a workgroup of one row.
    pub(super) fn new(grid: u32, block: u32, args: Vec<Arg>) -> Call {
        Call { grid: [grid, 1, 1], block: [block, 1, 1], args }
    }

    pub(super) fn dispatch(&self, iface: &Interface) -> Dispatch {
        let mut units = 0..;
        let mut dispatch = Dispatch { grid: self.grid, ..Dispatch::default() };
        for (number, arg) in self.args.iter().enumerate() {
            match arg {
                Arg::Buffer(words) => dispatch.words.push((format!("param[{number}]"), words.clone())),
                Arg::Surface(image, words) => {
                    let name = format!("param[{number}]");
                    let buffer = iface.buffers.iter().position(|buffer| buffer.name == name).expect("a surface");
                    dispatch.textures.set_image(buffer as u16, *image);
                    dispatch.words.push((name, words.clone()));
                }
                Arg::Texture(unit) => dispatch.textures.set(units.next().expect("a unit"), unit.clone()),
                Arg::Words(words) => {
                    for (n, part) in words.chunks(4).enumerate() {
                        let name =
                            if n == 0 { format!("param[{number}]") } else { format!("param[{number}]+{}", 16 * n) };
                        dispatch.state.push((name, part.to_vec()));
                    }
                }
            }
        }
        dispatch
    }
}

/// Lifts a kernel for a call.
pub(super) fn lifted(name: &str, target: &Target, call: &Call) -> Loaded {
    let mut options = LoadOptions::default();
    options.lift.block = Some(call.block);
    load("kernel.cubin", &target.cubin(name), &options)
}

/// What the buffers of a call hold afterwards, by parameter; those of values are empty. All engines have to agree.
pub(super) fn run(name: &str, target: &Target, call: &Call) -> Vec<Vec<u32>> {
    run_loaded(&format!("{name} for sm_{}", target.sm), &lifted(name, target, call), call)
}

/// The same of a kernel that is lifted.
pub(super) fn run_loaded(place: &str, loaded: &Loaded, call: &Call) -> Vec<Vec<u32>> {
    let Some(shader) = &loaded.shader else {
        panic!("{place}: {:#?}", loaded.diags.iter().map(|diag| &diag.message).collect::<Vec<_>>())
    };
    let model = Model::builtin(loaded.model).expect("a built-in model");
    let dispatch = call.dispatch(&shader.func.iface);
    let run = |engine: &str, compiled: &Compiled| {
        let result = run_dispatch(compiled, &dispatch).unwrap_or_else(|found| panic!("{place}, {engine}: {found:?}"));
        assert_eq!(result.out_of_fuel, 0, "{place}, {engine}: out of fuel");
        result.buffers
    };
    let mut all = prepared(place, shader, &model).into_iter();
    let (engine, plain) = all.next().expect("an engine");
    let wanted = run(&engine, &plain);
    for (engine, compiled) in all {
        assert!(run(&engine, &compiled) == wanted, "{place}: {engine} differs");
    }
    let names: Vec<&str> = shader.func.iface.buffers.iter().map(|buffer| buffer.name.as_str()).collect();
    let of_param = |number: usize| {
        let name = format!("param[{number}]");
        let found = names.iter().position(|known| *known == name);
        found.map_or(Vec::new(), |found| wanted[found].to_vec())
    };
    (0..call.args.len()).map(of_param).collect()
}

/// A kernel for every engine, the interpreter without passes first.
pub(super) fn prepared(place: &str, shader: &Shader<Symbolic>, model: &Model) -> Vec<(String, Compiled)> {
    let compiled = |optimise, engine| {
        compile(shader, model, optimise, engine).unwrap_or_else(|found| panic!("{place}: {found:?}"))
    };
    let plain = compiled(Optimise::No, Engine::Interp);
    let reference = Compiled {
        program: Arc::from(Reference.prepare(verify(&plain.shader).expect("sound")).expect("prepared")),
        shader: plain.shader.clone(),
        note: None,
        times: plain.times,
    };
    let mut all = vec![("interpreter, not optimised".to_string(), plain), ("reference".to_string(), reference)];
    for engine in [Engine::Interp, Engine::JitAvx2, Engine::JitAvx512] {
        let compiled = compiled(Optimise::Yes, engine);
        if engine.level().is_some_and(|level| level.is_supported()) {
            assert_eq!(compiled.note, None, "{place} by {engine:?}");
        }
        all.push((format!("{engine:?}"), compiled));
    }
    all
}

/// So many random words.
pub(super) fn random(seed: u64, count: usize) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.word() as u32).collect()
}

/// The words of numbers.
pub(super) fn words(values: impl IntoIterator<Item = u64>) -> Vec<u32> {
    values.into_iter().flat_map(|value| [value as u32, (value >> 32) as u32]).collect()
}

/// Compares words, and says where the first differs.
pub(super) fn same(place: &str, found: &[u32], wanted: &[u32]) {
    assert_eq!(found.len(), wanted.len(), "{place}");
    let differs = (0..found.len()).find(|&n| found[n] != wanted[n]);
    if let Some(n) = differs {
        let count = found.iter().zip(wanted).filter(|(a, b)| a != b).count();
        panic!("{place}: {count} words differ, the first at {n}: {:08x}, expected {:08x}", found[n], wanted[n]);
    }
}
