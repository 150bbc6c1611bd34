//! Kernels in two instruction sets: TGSI texts with the grid, the workgroups and the buffers of kernels of ptxas leave the same words
//! behind, under one model.
//!
//! All of them use operations whose bits both instruction sets define alike: sums, products and fused multiply-adds, doubles,
//! integers. A division or a root of binary32 is a sequence of instructions in machine code of NVIDIA and one instruction in TGSI, so
//! `n_body` has no twin.

use super::cubin::{Arg, Call, Target, kernels, lifted, random, same, words};
use Arg::{Buffer, Words};
use parallax::{Dispatch, Engine, LoadOptions, Loaded, Model, Optimise, compile, load, run_dispatch};

/// The TGSI text of a kernel.
fn text(name: &str) -> String {
    let all = include_str!("twins.txt");
    let lines = all.lines().skip_while(|line| line.strip_prefix("kernel ") != Some(name)).skip(1);
    let found: Vec<&str> = lines.take_while(|line| !line.starts_with("kernel ")).collect();
    assert!(!found.is_empty(), "no twin of {name}");
    found.join("\n")
}

/// What the buffers with names hold after a dispatch.
fn results(place: &str, loaded: &Loaded, model: &str, dispatch: &Dispatch, names: &[String]) -> Vec<Vec<u32>> {
    let Some(shader) = &loaded.shader else {
        panic!("{place}: {:#?}", loaded.diags.iter().map(|diag| &diag.message).collect::<Vec<_>>())
    };
    let model = Model::builtin(model).expect("a built-in model");
    let run = |engine| {
        let compiled =
            compile(shader, &model, Optimise::Yes, engine).unwrap_or_else(|found| panic!("{place}: {found:?}"));
        run_dispatch(&compiled, dispatch).unwrap_or_else(|found| panic!("{place}: {found:?}"))
    };
    let found = run(Engine::Auto);
    assert!(found == run(Engine::Interp), "{place}: engines differ");
    assert_eq!(found.out_of_fuel, 0, "{place}");
    let of = |name: &String| {
        let number = shader.func.iface.buffers.iter().position(|buffer| buffer.name == *name);
        found.buffers[number.unwrap_or_else(|| panic!("{place}: no {name}"))].to_vec()
    };
    names.iter().map(of).collect()
}

/// Runs both, and compares all buffers.
fn check(name: &str, call: &Call) {
    let all = kernels(include_str!("programs.txt"));
    let kernel = all.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no kernel {name}"));
    let twin = load("twin.tgsi", text(name).as_bytes(), &LoadOptions::default());
    let of_buffer = |(number, arg): (usize, &Arg)| match arg {
        Buffer(words) => Some((number, words.clone())),
        _ => None,
    };
    let buffers: Vec<(usize, Vec<u32>)> = call.args.iter().enumerate().filter_map(of_buffer).collect();
    let own: Vec<String> = (0..buffers.len()).map(|number| format!("BUFFER[{number}]")).collect();
    let theirs: Vec<String> = buffers.iter().map(|(number, _)| format!("param[{number}]")).collect();
    let given = own.iter().cloned().zip(buffers.iter().map(|(_, words)| words.clone()));
    let dispatch = Dispatch { grid: call.grid, words: given.collect(), ..Dispatch::default() };
    for model in ["maxwell", "ieee"] {
        let found = results(&format!("{name} in TGSI under {model}"), &twin, model, &dispatch, &own);
        assert!(found.iter().zip(&buffers).any(|(found, (_, given))| found != given), "{name}: nothing is written");
        for target in &kernel.targets {
            let place = format!("{name} for sm_{} under {model}", target.sm);
            let wanted = machine(&place, name, target, call, model, &theirs);
            for ((found, wanted), buffer) in found.iter().zip(&wanted).zip(&own) {
                same(&format!("{place}, {buffer}"), found, wanted);
            }
        }
    }
}

fn machine(place: &str, name: &str, target: &Target, call: &Call, model: &str, names: &[String]) -> Vec<Vec<u32>> {
    let loaded = lifted(name, target, call);
    let dispatch = loaded.shader.as_ref().map(|shader| call.dispatch(&shader.func.iface)).unwrap_or_default();
    results(place, &loaded, model, &dispatch, names)
}

fn zeros(count: usize) -> Arg {
    Buffer(vec![0; count])
}

fn floats(seed: u64, count: usize) -> Arg {
    Buffer(random(seed, count).into_iter().map(|word| (word as i32 as f32 / 2f32.powi(31)).to_bits()).collect())
}

#[test]
fn saxpy() {
    let args = vec![floats(80, 300), floats(81, 300), Words(vec![2.5f32.to_bits()]), Words(vec![290])];
    check("saxpy", &Call::new(3, 128, args));
}

#[test]
fn matrix_product() {
    let args = vec![floats(82, 1024), floats(83, 1024), zeros(1024), Words(vec![32])];
    check("matmul", &Call { grid: [2, 2, 1], block: [16, 16, 1], args });
}

#[test]
fn sums_and_prefix_sums() {
    check("block_sum", &Call::new(2, 256, vec![Buffer(random(84, 512)), zeros(2)]));
    check("block_scan", &Call::new(2, 256, vec![Buffer(random(85, 512)), zeros(512)]));
}

#[test]
fn bitonic_sort() {
    check("bitonic_sort", &Call::new(2, 256, vec![Buffer(random(86, 512))]));
}

#[test]
fn histogram() {
    check("histogram", &Call::new(5, 128, vec![Buffer(random(87, 600)), zeros(64), Words(vec![590])]));
}

#[test]
fn stencil() {
    let args = vec![floats(88, 1024), zeros(1024), Words(vec![32]), Words(vec![32])];
    check("stencil", &Call { grid: [2, 4, 1], block: [16, 8, 1], args });
}

#[test]
fn mandelbrot() {
    let scale = words([(2.5 / 32.0f64).to_bits()]);
    check("mandelbrot", &Call::new(8, 128, vec![zeros(1024), Words(vec![32]), Words(scale)]));
}

#[test]
fn polynomial_of_doubles() {
    let x = random(89, 32).into_iter().map(|word| (f64::from(word as i32) / 2f64.powi(31)).to_bits());
    check("horner", &Call::new(1, 32, vec![Buffer(words(x)), zeros(64)]));
}

#[test]
fn integers() {
    let x: Vec<u32> = random(90, 100).into_iter().map(|word| word % 5000).collect();
    check("collatz", &Call::new(2, 50, vec![Buffer(x.clone()), zeros(100)]));
    check("gcd", &Call::new(2, 50, vec![Buffer(x), Buffer(random(91, 100)), zeros(100)]));
    check("xorshift", &Call::new(2, 32, vec![zeros(64), Words(vec![20])]));
}
