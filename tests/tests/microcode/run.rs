//! Programs of every dialect beside their microcode, one quad each, on numbers that matter.

use crate::encoder::{Encoded, encode, encode_in_place};
use crate::microcode::programs::{IN_PLACE, NOT_EXPRESSIBLE, ORDINARY, PROGRAMS};
use parallax::{Engine, LaneCase, LaneResult, LoadOptions, Optimise, compile, load, run_lanes};
use parallax_core::num::Model;
use parallax_core::{Interface, Type};
use parallax_gen::{Choices, choices};
use parallax_nvfp::Dialect;
use parallax_texture::{Image, Sampler, Unit};
use std::sync::Arc;

const MODELS: [&str; 5] = ["ieee", "nv40", "nv-patent", "nvfp", "nv-arb"];
/// Sets of inputs for each program.
const ROUNDS: u64 = 6;

const NUMBERS: [f32; 16] =
    [0.0, 1.0, -1.0, 0.5, -0.25, 3.0, -1.5, 0.1, 2.5, -2.0, 2049.0, 7.75, 0.3, 1e-5, -0.0, 0.996_093_75];
/// What some programs cannot take.
const CORNERS: [u32; 8] =
    [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffc1_2345, 0x0000_0001, 0x8070_0000, 0x477f_f000, 0x7149_f2ca];

fn vector(seed: u64, ordinary: bool) -> [u32; 4] {
    let list = choices(seed, 16);
    let mut c = Choices::new(&list).around();
    [(); 4].map(|()| match c.below(12) {
        0 if !ordinary => c.one(&CORNERS),
        1..=3 => (c.below(97) as f32 * 0.375 - 18.0).to_bits(),
        _ => c.one(&NUMBERS).to_bits(),
    })
}

/// An image of a shape; texels differ.
fn image(shape: &str, unit: u64) -> Unit {
    let size = match shape {
        "1d" | "shadow1d" => [5, 1, 1],
        "3d" => [3, 2, 4],
        "cube" => [3, 3, 6],
        _ => [4, 3, 1],
    };
    let texels = (0..size.iter().product::<u32>()).map(|n| vector(u64::from(n) + 1000 * unit, true)).collect();
    let image = Arc::new(Image::rgba32f_volume(size, texels).expect("an image"));
    Unit::Image { image, sampler: Sampler::default() }
}

/// The quad a program runs on: its attributes, parameters and textures.
fn case(iface: &Interface, encoded: &Encoded, seed: u64, ordinary: bool) -> LaneCase {
    let mut case = LaneCase::default();
    for (n, attr) in iface.attrs.iter().enumerate().take(14).skip(1) {
        for (lane, registers) in case.lanes.iter_mut().enumerate() {
            let words = vector(seed * 1009 + (n * 4 + lane) as u64, ordinary);
            registers.push((attr.name.clone(), words.to_vec()));
        }
    }
    for (shape, unit) in encoded.settings.iter().map(|(name, shape)| (shape, name.trim_start_matches("texture"))) {
        let unit: u16 = unit.parse().expect("a number");
        case.textures.set(unit, image(shape, unit.into()));
    }
    case
}

/// A parameter of a bank.
fn parameter(bank: usize, index: u32, seed: u64, ordinary: bool) -> [u32; 4] {
    vector(seed * 7919 + bank as u64 * 300 + u64::from(index) + 1_000_000, ordinary)
}

/// What a program left in the lanes.
struct Ran {
    lanes: [LaneResult; 4],
}

fn run(shader: &parallax_core::Shader<parallax_core::Symbolic>, case: &LaneCase, model: &Model) -> Ran {
    let compiled = compile(shader, model, Optimise::Yes, Engine::Interp).unwrap_or_else(|diags| panic!("{diags:?}"));
    Ran { lanes: run_lanes(&compiled, case).unwrap_or_else(|diags| panic!("{diags:?}")) }
}

/// How a text spells what the compiler calls color and depth.
fn spelled<'a>(name: &'a str, dialect: Dialect, text: &str) -> &'a str {
    match (name, dialect) {
        ("color", Dialect::Arb) => "result.color",
        ("color", _) if text.contains("o[COLH]") => "o[COLH]",
        ("color", _) => "o[COLR]",
        ("depth", Dialect::Arb) => "result.depth",
        ("depth", _) => "o[DEPR]",
        (name, _) => name,
    }
}

/// Runs a program as text and as microcode, on several inputs under several models.
///
/// # Errors
/// Why microcode cannot express it.
fn both(name: &str, text: &str) -> Result<(), String> {
    let (program, diags) = parallax_nvfp::parse(text, None);
    let program = program.unwrap_or_else(|| panic!("{name}: {diags:#?}"));
    let (ordinary, in_place) = (ORDINARY.contains(&name), IN_PLACE.contains(&name));
    let plain = load("text", text.as_bytes(), &LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() });
    let iface = plain.shader.unwrap_or_else(|| panic!("{name}: {:#?}", plain.diags)).func.iface.clone();
    for seed in 0..ROUNDS {
        let constant = |spelling: &str| {
            let number = || spelling.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
            let (bank, index) = match spelling.split('[').next() {
                Some("p" | "program.local") => (0, number()),
                Some("program.env") => (1, number()),
                _ => {
                    let named = iface.constants.iter().find(|c| c.name == spelling).expect("a named constant");
                    (usize::from(named.bank), named.index)
                }
            };
            parameter(bank, index, seed, ordinary)
        };
        let encoded = if in_place { encode_in_place(&program, &constant)? } else { encode(&program, &constant)? };

        let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
        // What a depth out of range does is state there.
        options.lift.settings.insert("depth-range".into(), "any".into());
        if in_place {
            options.lift.settings.insert("alias".into(), "bits".into());
        }
        let names: Vec<&String> = encoded.registers.keys().collect();
        options.lift.watch = names.iter().map(|name| spelled(name, program.dialect, text).to_string()).collect();
        options.lift.watch.push("cc".into());
        let loaded = load("text", text.as_bytes(), &options);
        let shader = loaded.shader.unwrap_or_else(|| panic!("{name}: {:#?}", loaded.diags));
        let mut on_text = case(&iface, &encoded, seed, ordinary);
        for (bank, decl) in iface.banks.iter().enumerate().take(2) {
            for index in 0..decl.len {
                let words = parameter(bank, index, seed, ordinary).to_vec();
                on_text.state.push((format!("{}[{index}]", decl.name), words));
            }
        }
        // One of the names of each.
        let mut given = 0;
        for named in iface.constants.iter().filter(|constant| constant.bank == 2) {
            if named.index == given {
                on_text.state.push((named.name.clone(), parameter(2, given, seed, ordinary).to_vec()));
                given += 1;
            }
        }

        let rsx = seed % 2 == 1;
        let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
        options.layout.dialect = Some("nv40".into());
        options.layout.order = Some(if rsx { "rsx" } else { "le" }.into());
        options.lift.control = Some(encoded.control);
        options.lift.settings = encoded.settings.clone();
        options.lift.watch = encoded.registers.values().cloned().chain(["cc".into()]).collect();
        let loaded = load("words", &encoded.bytes(rsx), &options);
        let words = loaded.shader.unwrap_or_else(|| panic!("{name}: {:#?}", loaded.diags));
        let on_words = case(&words.func.iface, &encoded, seed, ordinary);

        for model in MODELS {
            let model = Model::builtin(model).expect("a built-in model");
            let (text_ran, words_ran) = (run(&shader, &on_text, &model), run(&words, &on_words, &model));
            for (lane, (a, b)) in text_ran.lanes.iter().zip(&words_ran.lanes).enumerate() {
                let place = || format!("{name}, lane {lane}, inputs {seed} under {}", model.name());
                assert_eq!((a.killed, a.out_of_fuel), (b.killed, b.out_of_fuel), "{}", place());
                let cc = ("cc", "cc");
                let all = encoded.registers.iter().map(|(from, to)| (from.as_str(), to.as_str()));
                for (from, to) in all.chain([cc]) {
                    let [x, y] = [(a, spelled(from, program.dialect, text)), (b, to)]
                        .map(|(lane, name)| *lane.watched(name).unwrap_or_else(|| panic!("{name}: {}", place())));
                    let comps = if from == "depth" { 2..3 } else { 0..4 };
                    for comp in comps {
                        let half = [x, y].iter().any(|v| v[comp].is_some_and(|v| is_half(v.ty)));
                        let mask = if half { 0xffff } else { u64::MAX };
                        let [x, y] = [x, y].map(|v| v[comp].map_or(0, |v| v.bits) & mask);
                        assert_eq!(x, y, "{from}.{comp}: {x:#x} as text, {y:#x} as words; {}", place());
                    }
                }
            }
        }
    }
    Ok(())
}

fn is_half(ty: Type) -> bool {
    matches!(ty, Type::Float(decl) if decl.format().bits() == 16)
}

/// Of the programs, all but those that say why not are expressed, and compute the same bits.
#[test]
fn programs_compute_the_bits_of_their_texts() {
    let mut ran = 0;
    let mut refused = Vec::new();
    for (name, text) in PROGRAMS {
        match both(name, text) {
            Ok(()) => ran += 1,
            Err(why) => refused.push((*name, why)),
        }
    }
    let expected: Vec<(&str, String)> = NOT_EXPRESSIBLE.iter().map(|(name, why)| (*name, why.to_string())).collect();
    assert_eq!(refused, expected);
    assert!(ran >= 80, "{ran}");
}

/// The programs of the filetests, in the dialects that are text.
#[test]
fn programs_of_filetests_compute_the_bits_of_their_texts() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests/nvfp");
    let (mut ran, mut refused) = (0, 0);
    for file in ["run_fp10.test", "run_patent.test"] {
        let whole = std::fs::read_to_string(folder.join(file)).expect("a filetest");
        for case in whole.split("\n;; ").skip(1) {
            let (title, rest) = case.split_once('\n').expect("a title");
            let text: String =
                rest.lines().take_while(|line| !line.starts_with(";>")).map(|l| format!("{l}\n")).collect();
            match both(title, &text) {
                Ok(()) => ran += 1,
                Err(why) => {
                    assert!(
                        why.starts_with("registers") || why.starts_with("no instruction for LOG"),
                        "{title}: {why}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(ran >= 7 && ran + refused >= 12, "{ran} and {refused}");
}
