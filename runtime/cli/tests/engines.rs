//! `eval` and `explain` print the same bytes whichever engine executes.

mod support;

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

fn corpus(name: &str) -> &'static [u8] {
    parallax_corpus::get(name).unwrap_or_else(|| panic!("{name}")).bytes
}

/// Shaders of every instruction set: its name, the file, an input as `info` lists it.
const SHADERS: [(&str, &str, &str); 14] = [
    ("tgsi", "tgsi/marble.tgsi", "IN[0]"),
    ("tgsi", "tgsi/mandelbrot.tgsi", "IN[0]"),
    ("tgsi", "tgsi/blend.tgsi", "IN[0]"),
    ("attila", "attila/julia.attila", "i0"),
    ("attila", "attila/fixed_star.attila", "i0"),
    ("attila", "attila/blinn_phong.attila", "i0"),
    ("nvfp", "nvfp/marble.nvfp", "fragment.texcoord[0]"),
    ("nvfp", "nvfp/blinn_phong.nvfp", "fragment.texcoord[0]"),
    ("nvfp", "nv40/envmap.nv40", "f[TEX0]"),
    ("nvfp", "nv40/sine_hash.nv40", "f[TEX0]"),
    ("usc", "usc/tonemap.usc", "cf4"),
    ("usc", "usc/julia.usc", "cf4"),
    ("spa5", "spa5/mandelbrot.spa5", "a[0x80]"),
    ("spa5", "spa5/int_hash.spa5", "a[0x80]"),
];

const MODELS: [&str; 5] = ["ieee", "nv-patent", "binary64", "nvfp@low", "attila[round=rtz]"];

fn bits(number: f64) -> String {
    format!("{:08x}", (number as f32).to_bits())
}

/// The constants of a manifest as registers.
fn constants(isa: &str, file: &str) -> serde_json::Map<String, Value> {
    let mut state = serde_json::Map::new();
    let (stem, ending) = file.rsplit_once('.').expect("an ending");
    let manifest = std::str::from_utf8(corpus(&format!("{stem}.toml"))).expect("a text");
    let Some((_, table)) = manifest.split_once("[constants]\n").filter(|_| ending != "nv40") else { return state };
    for line in table.lines().take_while(|line| !line.is_empty()) {
        let (number, vector) = line.split_once(" = ").expect("a constant");
        let number: usize = number.parse().expect("its number");
        let word = |text: &str| match text.trim().trim_matches('"').strip_prefix("0x") {
            Some(pattern) => pattern.to_string(),
            None => bits(text.trim().parse().expect("a number")),
        };
        let vector: Vec<String> = vector.trim_matches(['[', ']']).split(',').map(word).collect();
        match isa {
            "tgsi" => drop(state.insert(format!("CONST[{number}]"), vector.into())),
            "attila" => drop(state.insert(format!("c{number}"), vector.into())),
            "nvfp" => drop(state.insert(format!("program.local[{number}]"), vector.into())),
            _ => state.extend(vector.into_iter().enumerate().map(|(comp, word)| {
                let at = 4 * number + comp;
                (if isa == "usc" { format!("sh{at}") } else { format!("c[0][{:#x}]", 4 * at) }, word.into())
            })),
        }
    }
    state
}

#[test]
fn eval_answers_the_same_under_every_engine() {
    let place = Place::new();
    let mut cases = Vec::new();
    for (isa, file, input) in SHADERS {
        let plane = |a0: f64, dadx: f64, dady: f64| [bits(a0), bits(dadx), bits(dady)];
        let bytes = corpus(file);
        for model in MODELS {
            let mut case = json!({
                "id": format!("{file} {model}"), "isa": isa, "model": model, "state": constants(isa, file),
                "planes": { input: [plane(-0.4, 0.31, 0.07), plane(0.6, -0.05, 0.23)] },
                "textures": {"0": {"constant": ["3f000000", "3e800000", "3f400000", "3f800000"]}},
            });
            match std::str::from_utf8(bytes) {
                Ok(text) => case["text"] = text.into(),
                Err(_) => case["hex"] = bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
            }
            cases.push(format!("{case}\n"));
        }
    }
    let input = cases.concat();
    let eval = |engine: &str| place.feed(&["eval", "--engine", engine], input.as_bytes());
    let wanted = eval("interp");
    let answers = wanted.exits(0).lines();
    assert_eq!(answers.len(), SHADERS.len() * MODELS.len());
    // The lanes of a quad are not alike, and models are not.
    for of_shader in answers.chunks(MODELS.len()) {
        assert!(of_shader.iter().all(|answer| answer["ok"] == true), "{of_shader:?}");
        assert_ne!(of_shader[0]["lanes"][0], of_shader[0]["lanes"][3], "{of_shader:?}");
    }
    assert!(answers.chunks(MODELS.len()).filter(|of| of[0]["lanes"] != of[1]["lanes"]).count() > SHADERS.len() / 2);
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
    for (n, at) in [2, 3, 7, 9, 11, 13].into_iter().enumerate() {
        let file = SHADERS[at].1;
        let (stem, _) = file.rsplit_once('.').expect("an ending");
        let name = file.replace('/', "-");
        let manifest = format!("{}.toml", stem.replace('/', "-"));
        place.put(&name, corpus(file)).put(&manifest, corpus(&format!("{stem}.toml")));
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
