//! The machine interface as another program sees it.

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use support::Place;

fn ask(lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|l| format!("{l}\n")).collect();
    let run = Place::new().feed(&["eval"], input.as_bytes());
    run.exits(0).lines()
}

#[test]
fn answers_come_in_order_and_bad_lines_do_not_stop_it() {
    let good = r#"{"id":1,"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];","watch":["R0"]}"#;
    let input = [good.as_bytes(), b"{nonsense", b"\xff\xfe", b"", b"   ", good.as_bytes()].join(&b'\n');
    let run = Place::new().feed(&["eval"], &input);
    let answers = run.exits(0).lines();
    let ok: Vec<bool> = answers.iter().map(|a| a["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [true, false, false, true]);
    assert_eq!(answers[1]["error"]["kind"], "invalid");
    assert!(answers[1]["id"].is_null());
    // Members stand in a fixed order.
    assert!(run.text().starts_with(
        r#"{"id":1,"ok":true,"lanes":[{"R0":["00000000","00000000","00000000","00000000"],"killed":false},{"#
    ));
}

#[test]
fn every_answer_comes_at_once() {
    let place = Place::new();
    let mut child = place.start(&["eval"]);
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for n in 0..3 {
        writeln!(input, r#"{{"id":{n},"isa":"nvfp","dialect":"patent","text":"MOV R0,c[0];"}}"#).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], n);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn errors_in_programs_have_line_column_and_offset() {
    let program = "!!FP1.0\nMULR R0, f[TEX0], f[TEX0].yxz;\nSINN R1, R0.x;\nEND\n";
    let answers = ask(&[
        json!({"id": "a", "isa": "nvfp", "text": program}),
        json!({"id": "b", "op": "check", "isa": "nvfp", "text": program}),
        json!({"id": "c", "op": "lift", "isa": "nvfp", "text": program}),
    ]);
    for answer in &answers {
        assert_eq!(answer["ok"], false);
        let error = &answer["error"];
        assert_eq!(
            (&error["line"], &error["column"], &error["offset"]),
            (&2.into(), &27.into(), &34.into()),
            "{error}"
        );
        assert_eq!(error["kind"], "invalid");
    }
}

#[test]
fn lanes_state_and_textures_reach_the_program() {
    let program = "!!FP1.0\nTEX R1, f[TEX0], TEX0, 2D;\nADDR R0, f[COL0], p[3];\nSLTRC RC.x, R0.x, R1.x;\nKIL GT.x;\nMOVR o[COLR], R0;\nEND\n";
    let one = "3f800000";
    let zero = "00000000";
    let two = "40000000";
    let request = json!({
        "isa": "nvfp", "text": program, "model": "ieee", "watch": ["R0", "R1"],
        "state": {"p[3]": [one, one, zero, zero], "R5": [one, one, one, one]},
        "lanes": [{"f[COL0]": [one, one, one, one]}, {}, {"f[COL0]": ["c0800000", zero, zero, zero]}, {"f[COL0]": [zero, two, zero, zero]}],
        "textures": {"0": {"constant": [zero, one, two, one]}},
        "position": [10, 20],
    });
    let mut image = request.clone();
    image["textures"] = json!({"0": {
        "dim": "2d", "width": 1, "height": 1, "texels": [zero, one, two, one], "filter": "nearest", "wrap": "clamp",
        "border": [zero, zero, zero, zero],
    }});
    let mut missing = request.clone();
    missing["textures"] = json!({});
    let answers = ask(&[request, image, missing]);
    for answer in &answers[..2] {
        let lanes = &answer["lanes"];
        assert_eq!(lanes[0]["R0"], json!([two, two, one, one]), "{answer}");
        assert_eq!(lanes[1]["R0"], json!([one, one, zero, zero]));
        assert_eq!(lanes[3]["R0"][1], "40400000");
        assert_eq!(lanes[2]["R1"], json!([zero, one, two, one]));
        assert_eq!((&lanes[1]["killed"], &lanes[2]["killed"]), (&false.into(), &true.into()));
    }
    assert_eq!(answers[2]["error"]["kind"], "invalid");
}

#[test]
fn requests_that_ask_for_too_much_or_too_little() {
    let program = "!!FP1.0\nMOVR o[COLR], p[0];\nEND\n";
    let with = |key: &str, value: Value| {
        let mut request = json!({"id": key, "isa": "nvfp", "text": program});
        request[key] = value;
        request
    };
    let zeros = json!(["00000000", "00000000", "00000000", "00000000"]);
    let cases = [
        with("nonsense", 1.into()),
        with("lanes", json!([{}, {}, {}])),
        with("lanes", json!([{}, {}, {}, {}, {}])),
        with("lanes", json!([{"p[0]": zeros}, {}, {}, {}])),
        with("state", json!({"p[0]": ["00000000"]})),
        with("state", json!({"p[0]": "00000000"})),
        with("state", json!({"p[0]": ["0x000000", "00000000", "00000000", "00000000"]})),
        with("state", json!({"X9": zeros})),
        with("watch", json!(["X9"])),
        with("model", "nv41".into()),
        with("isa", "glsl".into()),
        with("dialect", "fp9".into()),
        with("options", json!({"alias": "maybe"})),
        with("options", json!({"alias": []})),
        with("textures", json!({"0": {"constant": ["0"]}})),
        with("textures", json!({"first": {"constant": zeros}})),
        with("samples", json!({"count": 0})),
        with("samples", json!({"count": 4, "coverage": ["ff", "f", "f", "f"]})),
        with("position", json!([1])),
        with("hex", "00".into()),
        with("to", "tgsi".into()),
        with("op", "translate".into()),
        with("op", "dis".into()),
        with("buffers", json!({"0": []})),
        with("text", 1.into()),
    ];
    for (case, answer) in cases.iter().zip(ask(&cases)) {
        assert_eq!(answer["ok"], false, "{case}");
        assert_eq!(answer["id"], case["id"], "{case}");
        let kind = answer["error"]["kind"].as_str().unwrap();
        assert!(kind == "invalid" || kind == "unsupported", "{case}: {answer}");
        assert!(!answer["error"]["code"].as_str().unwrap().is_empty());
    }
}

#[test]
fn watching_nothing_reports_the_outputs() {
    let program = "!!FP1.0\nMOVR o[COLR].xy, p[0];\nMOVH H1, p[0];\nEND\n";
    let half = ["3f000000", "3f800000", "40000000", "bf800000"];
    let base = json!({"isa": "nvfp", "text": program, "state": {"p[0]": half}});
    let mut watched = base.clone();
    watched["watch"] = json!(["H1", "H1", "o[COLR]"]);
    let mut nothing = base.clone();
    nothing["watch"] = json!([]);
    let answers = ask(&[base, watched, nothing]);
    assert_eq!(answers[0]["lanes"][0]["o[COLR]"], json!(["3f000000", "3f800000", "00000000", "00000000"]));
    assert_eq!(answers[1]["lanes"][0]["H1"], json!(["3800", "3c00", "4000", "bc00"]));
    assert_eq!(answers[1]["lanes"][0].as_object().unwrap().len(), 3);
    assert_eq!(answers[2]["lanes"][0], json!({"killed": false}));
}
