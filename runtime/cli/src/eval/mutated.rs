//! Whatever a request says, the answer never blames the program that reads it: no error is `internal`.

use super::session::Session;
use crate::registry::Registry;
use parallax::Engine;
use parallax_random::Random;
use serde_json::{Map, Value, json};

/// Requests that are tried by default.
const CASES: usize = 400;
/// Programs with more bytes take long.
const LONGEST: usize = 1600;

/// Registers of every instruction set, some beyond its files.
const REGISTERS: &[&str] = &[
    "c[1][0x20]",
    "c[0][0x10000]",
    "c[31][0xfffc]",
    "R0",
    "R254",
    "RZ",
    "PT",
    "P3",
    "a[0x7c]",
    "a[0x3fc]",
    "o[0x70]",
    "r0",
    "r255",
    "i7",
    "o0",
    "c511",
    "p1",
    "acc",
    "kill",
    "z0",
    "TEMP[0]",
    "CONST[0]",
    "CONST[1][4095]",
    "CONST[4000000000]",
    "IN[31]",
    "OUT[0]",
    "ADDR[0]",
    "SV[0]",
    "H0",
    "H63",
    "f[TEX0]",
    "o[COLR]",
    "p[511]",
    "cc",
    "program.local[0]",
    "v0",
    "s0",
    "vcc",
    "exec",
    "sr0",
    "",
    "\u{1b}[31m",
    "R-1",
    "R99999999999999999999",
    "c[",
    "%1",
];

/// Values that nobody asked for.
fn odd(random: &mut Random) -> Value {
    match random.below(16) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(-1),
        3 => json!(u64::MAX),
        4 => json!(1e300),
        5 => json!([]),
        6 => json!({}),
        7 => json!("ffffffff"),
        8 => json!(["7fc00000", "ff800000", "00000001", "80000000"]),
        9 => json!(["3f800000"]),
        10 => json!([1, 1, 4_000_000_000u32]),
        11 => json!({ random.pick(REGISTERS): ["3f800000", "0", "7f800000", "ffffffff"] }),
        12 => json!({ random.pick(REGISTERS): "80000000" }),
        13 => json!({ "0": { "constant": ["0", "0", "0", "0"] } }),
        14 => json!([random.pick(REGISTERS), random.pick(REGISTERS)]),
        _ => json!(random.pick(REGISTERS)),
    }
}

/// Keys of a request with a value that could be meant.
fn meant(random: &mut Random) -> (&'static str, Value) {
    let words = || json!(["3f800000", "40000000", "00000000", "bf800000"]);
    match random.below(16) {
        0 => ("op", json!(random.pick(&["run", "dis", "as", "check", "lift", "translate"]))),
        1 => ("watch", json!([random.pick(REGISTERS), random.pick(REGISTERS)])),
        2 => ("state", json!({ random.pick(REGISTERS): words() })),
        3 => ("state", json!({ random.pick(REGISTERS): "3f800000" })),
        4 => ("lanes", json!([{ random.pick(REGISTERS): words() }, {}, {}, {}])),
        5 => (
            "model",
            json!(random.pick(&["ieee", "nv40", "attila", "vc4", "amd-gcn", "nv-patent[round=rtz]", "ieee[mul", ""])),
        ),
        6 => ("stage", json!(random.pick(&["fragment", "vertex", "compute"]))),
        7 => ("block", json!([random.below(40), 1 + random.below(3), 1])),
        8 => ("grid", json!([random.below(3), 1, random.below(3)])),
        9 => ("shared_bytes", json!(random.below(70_000))),
        10 => ("samples", json!({ "count": random.below(40), "index": [0, 1, 2, 3] })),
        11 => ("options", json!({ random.pick(&["relaxed", "subgroup", "alias", "exact", "end", "units"]): "1" })),
        12 => ("planes", json!({ random.pick(&["1/w", "IN[0]", "f[TEX0]"]): [["3f800000", "0", "0"]] })),
        13 => ("buffers", json!({ random.pick(&["BUFFER[0]", "buffer[0]", "0"]): ["0", "1"] })),
        14 => ("params", json!({ "0": { "buffer": ["0", "1", "2", "3"] } })),
        _ => (
            "textures",
            json!({ "0": { "dim": "2d", "width": random.below(3), "height": 1, "texels": ["0", "0", "0", "0"] } }),
        ),
    }
}

/// A request with a program of the corpus, and some of it changed.
fn request(random: &mut Random) -> Map<String, Value> {
    let short: Vec<_> = parallax_corpus::shaders().filter(|file| file.bytes.len() <= LONGEST).collect();
    let file = short[random.below(short.len() as u64) as usize];
    let isa = parallax::load(file.path, file.bytes, &parallax::LoadOptions::default()).isa;
    let mut out = Map::from_iter([("isa".to_string(), json!(isa))]);
    match file.text() {
        Some(text) => {
            let mut lines: Vec<&str> = text.lines().collect();
            if random.below(4) == 0 {
                lines.remove(random.below(lines.len() as u64) as usize);
            }
            out.insert("text".into(), json!(lines.join("\n")));
        }
        None => {
            let mut bytes = file.bytes.to_vec();
            if random.below(4) == 0 {
                let at = random.below(bytes.len() as u64) as usize;
                bytes[at] ^= 1 << random.below(8);
            }
            out.insert("hex".into(), json!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()));
        }
    }
    for _ in 0..random.below(4) {
        let (key, value) = meant(random);
        out.insert(key.into(), value);
    }
    if random.below(3) == 0 {
        let keys: Vec<String> = out.keys().cloned().collect();
        let key = &keys[random.below(keys.len() as u64) as usize];
        out.insert(key.clone(), odd(random));
    }
    out
}

/// Asks, and gives back how many requests were answered without an error.
fn ask(cases: usize, seed: u64) -> usize {
    let mut session = Session::new(Registry::default(), Engine::Interp);
    let mut random = Random::new(seed);
    let mut good = 0;
    for case in 0..cases {
        let request = Value::Object(request(&mut random)).to_string();
        let answer: Value = serde_json::from_str(&session.line(request.as_bytes())).expect("JSON");
        good += usize::from(answer["ok"] == true);
        let errors = [&answer["error"]].into_iter().chain(answer["errors"].as_array().into_iter().flatten());
        let blamed = errors.into_iter().find(|error| error["kind"] == "internal");
        assert!(blamed.is_none(), "case {case}: {answer}\n{request}");
    }
    good
}

#[test]
fn no_request_gives_an_internal_error() {
    let good = ask(CASES, 11);
    assert!((CASES / 8..CASES * 7 / 8).contains(&good), "{good} of {CASES} without an error");
}

/// `cargo test -p parallax-cli --release mutated -- --ignored`.
#[test]
#[ignore = "long"]
fn no_request_of_many_gives_an_internal_error() {
    ask(100 * CASES, 12);
}
