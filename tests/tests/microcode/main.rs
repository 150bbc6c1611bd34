//! NV programs as NV40 microcode: the embedded effects, and programs that use every instruction, compute the bits of their texts
//! when they are compiled.
//!
//! `corpus/nv40` holds ten of the effects. `PARALLAX_BLESS=1 cargo test -p parallax-tests --test all microcode` compiles them anew.

use crate::encoder;
mod programs;
mod run;

use encoder::{Encoded, encode, has_flow};
use parallax::{
    Control, Draw, Engine, Frame, Layout, LoadOptions, Manifest, Optimise, Workers, compile, load, run_draw,
};
use parallax_core::OutputRole;
use parallax_core::exec::Plane;
use parallax_core::num::Model;
use parallax_corpus::File;
use parallax_nvfp::nv40::{Order, assemble_bytes};
use std::path::Path;

/// Effects that are part of the corpus as microcode, and whether they lie in RSX order.
const EFFECTS: &[(&str, bool)] = &[
    ("blend", false),
    ("eclipse", true),
    ("envmap", true),
    ("marble", false),
    ("nebula", true),
    ("plasma", false),
    ("sine_hash", false),
    ("toon", true),
    ("ulp_rings", true),
    ("warp", false),
];

fn manifest(file: &File) -> Manifest {
    let beside = parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest");
    let mut manifest = Manifest::parse(beside.path, beside.text().expect("text")).unwrap_or_else(|p| panic!("{p}"));
    if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
        manifest.give_vertex_program(vertex.bytes);
    }
    manifest
}

/// An effect as microcode, its parameters with the values of its manifest; and whether it may branch.
fn compiled(file: &File) -> Result<(Encoded, bool), String> {
    let (program, diags) = parallax_nvfp::parse(file.text().expect("text"), None);
    let program = program.unwrap_or_else(|| panic!("{}: {diags:#?}", file.path));
    let loaded = load(file.path, file.bytes, &LoadOptions::default());
    let iface = loaded.shader.expect("it lifts").func.iface.clone();
    let draw = Draw::new(&iface, &manifest(file)).unwrap_or_else(|p| panic!("{p}"));
    let constant = |name: &str| {
        let number = || name.split(['[', ']']).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
        let (bank, index): (usize, usize) = match name.split('[').next() {
            Some("p" | "program.local") => (0, number()),
            Some("program.env") => (1, number()),
            _ => {
                let named = iface.constants.iter().find(|c| c.name == name).expect("a named constant");
                (usize::from(named.bank), named.index as usize)
            }
        };
        draw.banks[bank][index]
    };
    Ok((encode(&program, &constant)?, has_flow(&program)))
}

fn frame(file: &File, bytes: &[u8], control: Option<u32>, model: &str) -> Frame {
    let manifest = manifest(file);
    let mut options = LoadOptions { isa: Some("nvfp".into()), ..LoadOptions::default() };
    options.layout.dialect = control.map(|_| "nv40".to_string());
    options.lift.control = control;
    let loaded = load(file.path, bytes, &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{}: {:#?}", file.path, loaded.diags));
    let mut draw = Draw::new(&shader.func.iface, &manifest).unwrap_or_else(|p| panic!("{p}"));
    (draw.width, draw.height) = (32, 32);
    let model = Model::builtin(model).expect("a built-in model");
    let code =
        compile(&shader, &model, Optimise::Yes, Engine::Interp).unwrap_or_else(|d| panic!("{}: {d:#?}", file.path));
    run_draw(&code, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{}: {d:#?}", file.path))
}

/// The colour's bits, component by component.
fn colour(frame: &Frame) -> Vec<Option<Plane>> {
    (0..4).map(|comp| frame.channel(OutputRole::Color(0), comp).map(|c| c.declared_bits())).collect()
}

#[test]
fn effects_compute_the_bits_of_their_texts() {
    let (mut tried, mut flow) = (0, 0);
    for file in parallax_corpus::shaders().filter(|f| f.folder() == "nvfp") {
        let (encoded, branches) = compiled(file).unwrap_or_else(|why| panic!("{}: {why}", file.path));
        tried += 1;
        flow += usize::from(branches);
        assert!(encoded.registers.contains_key("color"), "{} has no colour", file.path);
        for (model, rsx) in [("ieee", false), ("nv40", true)] {
            let text = frame(file, file.bytes, None, model);
            let words = frame(file, &encoded.bytes(rsx), Some(encoded.control), model);
            assert_eq!(text.covered, words.covered, "{} under {model}", file.path);
            assert!(colour(&text) == colour(&words), "{} differs under {model}", file.path);
        }
    }
    assert!(tried >= 16 && flow >= 2, "{tried} programs, {flow} of them with NV_fragment_program2");
}

/// Microcode of the corpus that is made of texts: all but what is written as microcode.
fn of_texts() -> impl Iterator<Item = &'static File> {
    parallax_corpus::shaders().filter(|f| f.folder() == "nv40" && !f.stem().starts_with("faraway"))
}

#[test]
fn the_corpus_holds_what_the_compiler_makes_of_the_texts() {
    let bless = std::env::var_os("PARALLAX_BLESS").is_some();
    for (name, rsx) in EFFECTS {
        let file = parallax_corpus::get(&format!("nvfp/{name}.nvfp")).expect("an effect");
        let bytes = compiled(file).expect("microcode").0.bytes(*rsx);
        if bless {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../corpus/nv40/{name}.nv40"));
            std::fs::write(path, &bytes).expect("a file");
            continue;
        }
        let embedded = parallax_corpus::get(&format!("nv40/{name}.nv40")).expect("an effect");
        assert!(embedded.bytes == bytes, "{name} is not what the compiler makes: bless it");
    }
    assert!(bless || of_texts().count() == EFFECTS.len());
}

/// What other tools would make of the effects: their listings assemble to the same bytes.
#[test]
fn effects_are_listed_and_assembled() {
    let mut lines = 0;
    for file in of_texts() {
        let order = parallax_nvfp::nv40::sniff(file.bytes).expect("microcode");
        assert_eq!(order == Order::Rsx, EFFECTS.contains(&(file.stem(), true)), "{}", file.path);
        let machine = parallax_nvfp::FRONTEND.machine.expect("words");
        let listing = (machine.list)(file.bytes, &Layout::default(), false);
        let text: Vec<String> = listing.into_iter().map(|line| line.expect("an instruction")).collect();
        lines += text.len();
        assert_eq!(
            assemble_bytes(&text.join("\n"), order, true),
            (Some(file.bytes.to_vec()), Vec::new()),
            "{}",
            file.path
        );
    }
    assert!(lines > 150, "{lines}");
}
