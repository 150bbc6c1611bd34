//! `eval` and `explain` print the same bytes whichever engine executes.

use crate::support;

use parallax::{Draw, LoadOptions, Manifest, frontend, load};
use parallax_core::{AttrSemantic, Interface};
use parallax_corpus::File;
use serde_json::{Value, json};
use support::Place;

/// Engines besides the interpreter that this processor has.
fn engines(place: &Place) -> Vec<&'static str> {
    let has = |engine: &&str| {
        place.put("one.attila", "mov o0, i0\n");
        place.run(&["run", "one.attila", "--size", "4x4", "--engine", engine, "-o", "one.png"]).code == Some(0)
    };
    ["jit", "jit-avx2", "jit-avx512"].into_iter().filter(has).collect()
}

/// Effects with textures, loops, branches and many instructions.
const EFFECTS: [&str; 4] = ["blend", "julia", "sine_hash", "marble"];

/// Up to three of these shaders of every folder of the corpus.
fn shaders() -> Vec<&'static File> {
    let mut chosen: Vec<&File> = Vec::new();
    for effect in EFFECTS {
        for file in parallax_corpus::shaders().filter(|file| file.stem() == effect) {
            if chosen.iter().filter(|other| other.folder() == file.folder()).count() < 3 {
                chosen.push(file);
            }
        }
    }
    chosen
}

fn manifest(file: &File) -> &'static File {
    parallax_corpus::get(&format!("{}/{}.toml", file.folder(), file.stem())).expect("a manifest")
}

const MODELS: [&str; 5] = ["ieee", "nv-patent", "binary64", "nvfp@low", "attila[round=rtz]"];

fn bits(number: f64) -> String {
    format!("{:08x}", (number as f32).to_bits())
}

/// The constants of a manifest as registers: vectors where callers can name vectors, else words.
fn constants(isa: &str, iface: &Interface, file: &File) -> serde_json::Map<String, Value> {
    let frontend = frontend(isa).expect(isa);
    let manifest = manifest(file);
    let mut manifest = Manifest::parse(manifest.path, manifest.text().expect("a text")).expect("a manifest");
    if let Some(vertex) = manifest.vertex_program().and_then(|name| file.beside(name)) {
        manifest.give_vertex_program(vertex.bytes);
    }
    let draw = Draw::new(iface, &manifest).expect("a draw");
    let mut state = serde_json::Map::new();
    for (bank, vectors) in iface.banks.iter().zip(&draw.banks) {
        for (n, vector) in vectors.iter().enumerate() {
            let words = vector.map(|word| format!("{word:08x}"));
            let name = format!("{}[{n}]", bank.name);
            if !bank.by_bytes && frontend.value_format(&name, None).is_some() {
                state.insert(name, words.to_vec().into());
                continue;
            }
            for (at, word) in (4 * n..).zip(words) {
                let register = || frontend.trials[0].constant_operand[0].trim_end_matches(char::is_numeric);
                let name =
                    if bank.by_bytes { format!("{}[{:#x}]", bank.name, 4 * at) } else { format!("{}{at}", register()) };
                state.insert(name, word.into());
            }
        }
    }
    state
}

#[test]
fn eval_answers_the_same_under_every_engine() {
    let place = Place::new();
    let mut cases = Vec::new();
    let shaders = shaders();
    for file in &shaders {
        let plane = |a0: f64, dadx: f64, dady: f64| [bits(a0), bits(dadx), bits(dady)];
        let loaded = load(file.path, file.bytes, &LoadOptions::default());
        let iface = &loaded.shader.as_ref().expect(file.path).func.iface;
        let input = &iface.attrs.iter().find(|attr| attr.semantic != AttrSemantic::Position).expect(file.path).name;
        for model in MODELS {
            let mut case = json!({
                "id": format!("{} {model}", file.path), "isa": loaded.isa, "model": model,
                "state": constants(loaded.isa, iface, file),
                "planes": { input: [plane(-0.4, 0.31, 0.07), plane(0.6, -0.05, 0.23)] },
                "textures": {"0": {"constant": ["3f000000", "3e800000", "3f400000", "3f800000"]}},
            });
            match file.text() {
                Some(text) => case["text"] = text.into(),
                None => case["hex"] = file.bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
            }
            cases.push(format!("{case}\n"));
        }
    }
    let input = cases.concat();
    let eval = |engine: &str| place.feed(&["eval", "--engine", engine], input.as_bytes());
    let wanted = eval("interp");
    let answers = wanted.exits(0).lines();
    assert_eq!(answers.len(), shaders.len() * MODELS.len());
    // In most shaders the lanes of a quad are not alike, and models are not.
    let of_shaders = || answers.chunks(MODELS.len());
    for of_shader in of_shaders() {
        assert!(of_shader.iter().all(|answer| answer["ok"] == true), "{of_shader:?}");
    }
    assert!(of_shaders().filter(|of| of[0]["lanes"][0] != of[0]["lanes"][3]).count() > shaders.len() / 2);
    assert!(of_shaders().filter(|of| of[0]["lanes"] != of[1]["lanes"]).count() > shaders.len() / 2);
    for engine in engines(&place) {
        let found = eval(engine);
        for (found, wanted) in found.exits(0).text().lines().zip(wanted.text().lines()) {
            assert_eq!(found, wanted, "{engine}");
        }
        assert_eq!(found.out, wanted.out, "{engine}");
    }
}

#[test]
fn explain_finds_the_same_under_every_engine() {
    let place = Place::new();
    let engines = engines(&place);
    for (n, file) in shaders().into_iter().step_by(2).enumerate() {
        let (name, manifest) = (file.path.replace('/', "-"), manifest(file));
        place.put(&name, file.bytes).put(&manifest.path.replace('/', "-"), manifest.bytes);
        let model = ["nv40", "nv-patent", "attila"][n % 3];
        let args = ["explain", &name, "--model", model, "--against", "ieee", "--size", "12x7"];
        let form: &[&str] = if n == 0 { &[] } else { &["--json"] };
        let run = |engine: &str| place.run(&[&args[..], form, &["--engine", engine]].concat());
        let wanted = run("interp");
        assert!(wanted.exits(0).text().len() > 100, "{}", wanted.text());
        for engine in &engines {
            assert_eq!(run(engine).exits(0).text(), wanted.text(), "{name} {engine}");
        }
    }
}
