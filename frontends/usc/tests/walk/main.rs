//! Random groups: what the lifted program computes is what walking it group by group computes.

mod build;
mod group;
mod machine;
mod random;

use group::{Group, Reg};
use machine::{Instance, LANES, Machine};
use parallax_core::exec::{FUEL, Inputs, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{SysVal, verify};
use parallax_lift::Options;
use parallax_random::Random;
use parallax_usc::{Program, lift};

/// Registers that are compared at the end.
fn watched() -> Vec<String> {
    let files = [("r", 0..14), ("i", 0..7), ("o", 0..7), ("vo", 0..12)];
    let mut names: Vec<String> =
        files.into_iter().flat_map(|(file, all)| all.map(move |n| format!("{file}{n}"))).collect();
    names.extend(["p0".to_string(), "pe".to_string()]);
    names
}

/// Registers that start with a random word.
fn preset() -> Vec<String> {
    let files = [("r", 0..8), ("vi", 0..7), ("sh", 0..11), ("i", 0..4)];
    files.into_iter().flat_map(|(file, all)| all.map(move |n| format!("{file}{n}"))).collect()
}

fn held(instance: &Instance, name: &str) -> u32 {
    let (file, number) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len()));
    let n = || number.parse::<usize>().expect("a number");
    match file {
        "r" => instance.r[n()],
        "vi" => instance.vi[n()],
        "sh" => instance.sh[n()],
        "i" => instance.i[n()],
        "o" => instance.o[n()],
        "vo" => instance.vo[n()],
        "p" => instance.p0.into(),
        _ => instance.pe.into(),
    }
}

/// What the lifted program leaves in the watched registers, by register and lane.
fn lifted(program: &Program, model: &Model, quad: &[Instance], text: &str) -> Vec<[u32; LANES]> {
    let options = Options { watch: watched(), preset: preset(), ..Options::default() };
    let shader = lift(program, &options).unwrap_or_else(|d| panic!("{d:#?}\n{text}"));
    let bound = shader.bind(model);
    let iface = &bound.func.iface;
    let mut attrs = vec![0u32; iface.attrs.len() * 16];
    for (n, attr) in iface.attrs.iter().enumerate() {
        for (lane, instance) in quad.iter().enumerate() {
            attrs[n * 16 + lane] = held(instance, &attr.name);
        }
    }
    let sysvals = vec![1; (SysVal::QuadLane as usize + 1) * LANES];
    let inputs = Inputs {
        lanes: LANES,
        attrs: &attrs,
        banks: &[],
        sysvals: &sysvals,
        covered: &[true; LANES],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let mut out = Outputs::default();
    parallax_interp::Bytecode::new(verify(&bound).unwrap_or_else(|d| panic!("{d:?}"))).run(&inputs, &mut out);
    watched()
        .iter()
        .map(|name| {
            let (n, _) = iface.outputs.iter().enumerate().rfind(|(_, o)| o.name == *name).expect("watched");
            std::array::from_fn(|lane| out.planes[n * 4].get(lane) as u32)
        })
        .collect()
}

fn quad(random: &mut Random) -> Vec<Instance> {
    let instance = |random: &mut Random| {
        let mut instance = Instance { pe: true, ..Instance::default() };
        instance.r[..8].fill_with(|| random::word(random));
        instance.vi[..7].fill_with(|| random::word(random));
        instance.i[..4].fill_with(|| random::word(random));
        instance
    };
    let mut quad: Vec<Instance> = (0..LANES).map(|_| instance(random)).collect();
    let uniforms: Vec<u32> = (0..11).map(|_| random::word(random)).collect();
    quad.iter_mut().for_each(|instance| instance.sh[..11].copy_from_slice(&uniforms));
    quad
}

#[test]
fn lifted_groups_compute_what_the_walk_does() {
    let cases = 4000;
    for model in ["rogue", "ieee"] {
        let model = Model::builtin(model).expect("a built-in model");
        for case in 0..cases {
            let mut random = Random::new(case);
            let groups: Vec<Group> = (0..1 + case % 9).map(|_| random::group(&mut random, false)).collect();
            let before = quad(&mut random);
            let text = group::text(&groups);
            let program = build::build(&groups);
            let mut walked = before.clone();
            Machine { model: &model }.run(&mut walked, &groups);
            let got = lifted(&program, &model, &before, &text);
            for (name, lanes) in watched().iter().zip(got) {
                for (lane, word) in lanes.into_iter().enumerate() {
                    let want = held(&walked[lane], name);
                    assert_eq!(
                        format!("{word:08x}"),
                        format!("{want:08x}"),
                        "{name} of lane {lane}, case {case}\n{text}\n{:x?}",
                        before[lane]
                    );
                }
            }
        }
    }
}
