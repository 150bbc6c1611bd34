//! The machine interface as another program sees it.

use crate::support;

use parallax_pack::{Fpo, Order, Parameter, archive, code_bytes};
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

/// An ATTILA pixel has up to 16 samples, and goes with the last covered one.
#[test]
fn samples_of_attila_are_those_of_its_machine() {
    let case = |count: u32, coverage: &str, text: &str| {
        let samples = json!({"count": count, "coverage": [coverage, coverage, coverage, coverage]});
        json!({"isa": "attila", "text": text, "state": {"i0": ["bf800000", "00000000", "00000000", "00000000"]}, "samples": samples})
    };
    let answers = ask(&[
        case(32, "1", "kls i0, s0"),
        case(4, "1", "kls i0, s0"),
        case(4, "f", "kls i0, s0"),
        case(4, "f", "kil i0"),
        case(16, "8000", "kls i0, s15"),
    ]);
    assert_eq!(answers[0]["error"]["message"], "32 samples: expected 1 to 16");
    let killed = answers[1..].iter().map(|a| a["lanes"][0]["killed"].as_bool());
    assert_eq!(killed.collect::<Vec<_>>(), [Some(true), Some(false), Some(false), Some(true)]);
}

/// Sample numbers count where samples are shaded.
#[test]
fn sample_numbers_are_those_of_the_samples_shaded() {
    let case = |samples: Value| {
        let text = "FRAG\nDCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEMASK\nDCL OUT[0], GENERIC[0]\nMOV OUT[0].x, SV[0].xxxx\n\
                    MOV OUT[0].y, SV[1].xxxx\nEND\n";
        json!({"isa": "tgsi", "text": text, "samples": samples})
    };
    let coverage = json!(["f", "6", "1", "0"]);
    let answers = ask(&[
        case(json!({"count": 4, "coverage": coverage, "index": [0, 1, 2, 3]})),
        case(json!({"count": 4, "coverage": coverage, "index": [0, 1, 2, 3], "per_sample": true})),
        case(json!({"count": 4, "coverage": coverage, "index": [0, 1, 2, 3], "per_sample": false})),
        case(json!({"count": 4, "coverage": coverage, "per_sample": true})),
        case(json!({"count": 4, "coverage": coverage, "index": [0, 1, 2, 4], "per_sample": true})),
    ]);
    let words = |n: usize, comp: usize| {
        let lanes = answers[n]["lanes"].as_array().unwrap_or_else(|| panic!("{}", answers[n]));
        lanes.iter().map(|lane| lane["OUT[0]"][comp].as_str().map(str::to_string)).collect::<Vec<_>>()
    };
    let numbers = |words: [u32; 4]| words.map(|word| Some(format!("{word:08x}"))).to_vec();
    for n in [0, 1] {
        assert_eq!(words(n, 0), numbers([0, 1, 2, 3]));
    }
    for n in [2, 3] {
        assert_eq!(words(n, 0), numbers([0; 4]));
    }
    for n in 0..4 {
        assert_eq!(words(n, 1), numbers([0xf, 6, 1, 0]));
    }
    assert_eq!(answers[4]["error"]["message"], "sample 4 does not exist; there are 4, counted from 0");
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

/// ATTILA through the machine interface: text and words, textures that are stubs and real ones, kills, the accumulator,
/// the quirks.
#[test]
fn attila_programs() {
    let zero = ["00000000"; 4];
    let stub = ["3f000000", "c0000000", "40490fdb", "7fc00000"];
    let two_texels = [["3f800000", zero[0], zero[0], zero[0]], ["40000000", zero[0], zero[0], zero[0]]];
    let image =
        json!({"dim": "2d", "width": 2, "height": 1, "filter": "nearest", "wrap": "clamp", "texels": two_texels});
    let run = |text: &str, state: Value, watch: &[&str], options: Value| {
        json!({"isa": "attila", "text": text, "state": state, "watch": watch, "options": options,
               "textures": {"3": {"constant": stub}, "0": image}})
    };
    // One at x = 0.75 only after the division by w.
    let projected = json!({"i0": ["3fc00000", "3f800000", "00000000", "40000000"]});
    let old = json!({"r0": ["11111111", "22222222", "33333333", "44444444"]});
    let masked = ["11111111", "00000000", "33333333", "3f800000"];
    let nine_quarters = ["40100000"; 4];
    let none = || json!({});
    let answers = ask(&[
        run("tex r0, i0, t3", none(), &["r0"], none()),
        run("txb_sat r0.yw, i0, t3", old.clone(), &["r0"], none()),
        run("txl r0, i0, t3", none(), &["r0"], none()),
        run("lda r0, a0, t3", none(), &["r0"], none()),
        run("txp r0, i0, t0", projected.clone(), &["r0"], none()),
        run("tex r0, i0, t0", json!({"i0": ["3e800000", "3f000000", "00000000", "40000000"]}), &["r0"], none()),
        run("kil i0.w", json!({"i0": ["00000000", "00000000", "00000000", "bf800000"]}), &["kill"], none()),
        run("kil i0", json!({"i0": zero}), &["kill"], none()),
        run(
            "fxmul r9, i0, i1",
            json!({"i0": ["3fc00000", "c0000000", "7fc00000", "00000000"], "i1": nine_quarters}),
            &["acc"],
            none(),
        ),
        run("stplti p0, r0.x, 5", none(), &["p0"], none()),
        run("stplti p0, r0.x, 5", none(), &["p0"], json!({"quirks": "sim"})),
        run("addi r0, |r1|, 0", json!({"r1": ["feffffff", "00000000", "00000000", "00000000"]}), &["r0"], none()),
        run(
            "addi r0, |r1|, 0",
            json!({"r1": ["feffffff", "00000000", "00000000", "00000000"]}),
            &["r0"],
            json!({"quirks": "sim"}),
        ),
        json!({"isa": "attila", "hex": "1601c039f3000000001b00001b001b00", "state": {"i0": stub}, "watch": ["r0"]}),
        json!({"isa": "attila", "op": "dis", "hex": "1601c039f3000000001b00001b001b00"}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0 <- end"}),
        json!({"isa": "attila", "op": "dis", "hex": "16 01"}),
        json!({"isa": "attila", "op": "dis", "hex": "0e000000f3000000001b00011b021b00"}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0\nmov r0 i0"}),
        run("nop", none(), &["r0"], json!({"quirk": "sim"})),
    ]);
    let lane = |n: usize| {
        let answer: &Value = &answers[n];
        assert_eq!(answer["ok"], true, "{n}: {answer}");
        &answer["lanes"][0]
    };
    for n in [0, 2, 3] {
        assert_eq!(lane(n)["r0"], json!(stub), "{n}");
    }
    assert_eq!(lane(1)["r0"], json!(masked));
    assert_eq!((&lane(4)["r0"][0], &lane(5)["r0"][0]), (&json!("40000000"), &json!("3f800000")));
    assert_eq!((&lane(6)["kill"], &lane(6)["killed"]), (&json!("00000001"), &json!(true)));
    assert_eq!((&lane(7)["kill"], &lane(7)["killed"]), (&json!("00000000"), &json!(false)));
    let acc = ["+3.6000000000000000", "-4.8000000000000000", "00.0000000000000000", "+0.0000000000000000"];
    assert_eq!(lane(8)["acc"], json!(acc));
    assert_eq!((&lane(9)["p0"], &lane(10)["p0"]), (&json!("1"), &json!("0")));
    assert_eq!((&lane(11)["r0"][0], &lane(12)["r0"][0]), (&json!("01000001"), &json!("01000000")));
    assert_eq!(lane(13)["r0"], json!(stub));
    assert_eq!(answers[14]["text"], json!(["mov r0, i0 <- end"]));
    assert_eq!(answers[15]["hex"], "1601c039f3000000001b00001b001b00");
    for (n, code, offset) in [(16, "truncated-instruction", 0), (17, "refused-instruction", 0), (18, "syntax", 18)] {
        let error = &answers[n]["error"];
        assert_eq!(
            (&error["code"], &error["offset"], &error["kind"]),
            (&code.into(), &offset.into(), &"invalid".into())
        );
    }
    assert_eq!((&answers[18]["error"]["line"], &answers[18]["error"]["column"]), (&2.into(), &8.into()));
    assert!(answers[19]["error"]["message"].as_str().is_some_and(|m| m.contains("did you mean `quirks`?")));
}

#[test]
fn listings_and_errors_are_whole_and_the_end_flag_is_a_choice() {
    let (good, bad) = ("1600c039f3000000001b00001b001b00", "05000000000000000000000000000000");
    let ended = good.replacen("1600", "1601", 1);
    let answers = ask(&[
        json!({"isa": "attila", "op": "dis", "hex": format!("{bad}{good}{bad}1600")}),
        json!({"isa": "attila", "op": "as", "text": "mov r99, i0\nxyz\njmp p0, 77\nmov o0, i0"}),
        json!({"isa": "attila", "op": "check", "text": "mov r99, i0\nxyz\njmp p0, 77\nmov o0, i0"}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0"}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0", "options": {"end": true}}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0\nmov r0, i0"}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0\nmov r0, i0", "options": {"end": false}}),
        json!({"isa": "attila", "op": "dis", "hex": good, "options": {"exact": true}}),
        json!({"isa": "attila", "op": "as", "text": "mov r0, i0", "options": {"exact": true}}),
        json!({"isa": "attila", "op": "dis", "hex": good, "options": {"exact": "perhaps"}}),
    ]);
    let word = ".word 0x00000000000000000000000000000005";
    assert_eq!(answers[0]["text"], json!([word, "mov r0, i0", word, ".bytes 16 00"]));
    let places = |answer: &Value, key: &str| -> Vec<(String, u64)> {
        let place = |e: &Value| (e["code"].as_str().unwrap().to_string(), e[key].as_u64().unwrap());
        answer["errors"].as_array().unwrap().iter().map(place).collect()
    };
    let refused = "refused-instruction".to_string();
    let cut = ("truncated-instruction".to_string(), 48);
    assert_eq!(places(&answers[0], "offset"), [(refused.clone(), 0), (refused, 32), cut]);
    assert_eq!((&answers[0]["ok"], &answers[0]["error"]["offset"]), (&false.into(), &0.into()));
    for answer in &answers[1..3] {
        let lines = [("register-number", 1), ("unknown-mnemonic", 2), ("jump-out-of-program", 3)];
        assert_eq!(places(answer, "line"), lines.map(|(code, line)| (code.to_string(), line)));
    }
    let hex = |n: usize| answers[n]["hex"].as_str().unwrap_or_default();
    assert_eq!((hex(3), hex(4)), (good, ended.as_str()));
    assert_eq!((hex(5), hex(6)), (format!("{good}{ended}").as_str(), format!("{good}{good}").as_str()));
    assert_eq!(answers[7]["text"], json!(["mov r0, i0 <- noend"]));
    assert_eq!(
        (&answers[8]["error"]["code"], &answers[9]["error"]["code"]),
        (&"option-unknown".into(), &"option".into())
    );
}

/// The verb `as` warned of what `check` refuses, eval did not.
#[test]
fn warnings_of_as_are_in_the_answer() {
    let case = |text: &str| json!({"op": "as", "isa": "attila", "text": text, "options": {"end": true}});
    let answers = ask(&[
        case("nop\njmp true, 5\n.word 0x00000000000000000000000000000005\n"),
        case("mov o0, i0"),
        case("mov o0, i0\njmp p0, -1"),
    ]);
    let warnings = answers[0]["warnings"].as_array().expect("warnings");
    let places: Vec<_> = warnings.iter().map(|w| (w["code"].as_str().unwrap(), w["line"].as_u64().unwrap())).collect();
    assert_eq!(places, [("jump-out-of-program", 2), ("refused-instruction", 3)], "{}", answers[0]);
    assert!(warnings.iter().all(|w| w["kind"] == "invalid" && w["column"] == 1 && w["offset"].is_u64()));
    assert!(warnings[1]["message"].as_str().unwrap().contains("cannot run"));
    assert_eq!((&answers[0]["ok"], answers[0]["hex"].as_str().unwrap().len()), (&true.into(), 96));
    assert_eq!((&answers[1]["ok"], &answers[1]["warnings"]), (&true.into(), &Value::Null));
    assert_eq!(answers[2]["warnings"][0]["code"], "jump-at-end");
}

/// They told of Rust types, and a list of as many values as there are keys was taken for a case.
#[test]
fn errors_of_requests_speak_of_json() {
    let full = json!([
        9,
        "run",
        "nvfp",
        "patent",
        "MOV R0,c[0];",
        null,
        null,
        null,
        null,
        null,
        null,
        {},
        null,
        null,
        {},
        {},
        null,
        null,
        null
    ]);
    let case = |key: &str, value: Value| {
        let mut case = json!({"id": 1, "isa": "nvfp", "dialect": "patent", "text": "MOV R0,c[0];"});
        case[key] = value;
        case
    };
    for (line, says) in [
        (json!([]), "a case is an object"),
        (json!([7]), "a case is an object"),
        (full, "a case is an object"),
        (json!("x"), "a case is an object"),
        (json!(null), "a case is an object"),
        (case("samples", json!([])), "expected an object"),
        (case("samples", json!(4)), "expected an object"),
        (case("textures", json!({"0": []})), "expected an object"),
        (case("textures", json!({"0": {"texels": 1}})), "expected a list of words, or of lists"),
        (case("state", json!({"c[0]": 1})), "expected a string of hexadecimal digits or a list"),
    ] {
        let answer = &ask(std::slice::from_ref(&line))[0];
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(
            message.contains(says) && !message.contains("struct") && !message.contains("enum"),
            "{line}: {message}"
        );
        assert_eq!(
            (&answer["error"]["code"], &answer["id"]),
            (&"request".into(), line.get("id").unwrap_or(&Value::Null))
        );
    }
}

/// Keys that are known but not done are told apart from unknown ones, as the documents say.
#[test]
fn reserved_keys_are_documented_and_refused() {
    let page = include_str!("../../../docs/commands.md");
    let known = ask(&[json!({"bogus": 1})])[0]["error"]["message"].as_str().expect("a message").to_string();
    let keys: Vec<&str> = known.split('`').skip(3).step_by(2).collect();
    assert!(keys.len() > 10, "{known}");
    for key in keys {
        assert!(key == "id" || page.contains(&format!("`{key}`")), "{key} is offered and not documented");
    }
    let values = [("bare", json!(true)), ("base", json!(0)), ("order", json!("be")), ("buffers", json!({}))];
    for (key, value) in values.into_iter().chain([("op", json!("translate"))]) {
        let mut case = json!({"isa": "nvfp", "text": "x"});
        case[key] = value;
        assert_eq!(ask(&[case])[0]["error"]["kind"], "unsupported", "{key}");
    }
    assert!(page.contains("`translate`"));
}

/// They could be watched, and neither the help nor the documents said so.
#[test]
fn what_attila_can_watch_is_named() {
    let case = |key: &str, value: Value| {
        let mut case = json!({"isa": "attila", "text": "kil i0.w\nmov o0, i0", "watch": ["kill", "z0", "z15"]});
        case[key] = value;
        case
    };
    let word = json!("00000000");
    let answers = ask(&[
        case("id", json!(1)),
        case("watch", json!(["z16"])),
        case("state", json!({"kill": word})),
        case("state", json!({"z0": word})),
    ]);
    let lane = &answers[0]["lanes"][0];
    assert_eq!((&lane["kill"], &lane["z0"], &lane["z15"]), (&word, &word, &word), "{}", answers[0]);
    let message = |n: usize| answers[n]["error"]["message"].as_str().expect("a message");
    assert!(message(1).contains("spellings: i0 o0 r0 a0 c0 p0 acc kill z0"), "{}", message(1));
    for n in [2, 3] {
        assert!(message(n).ends_with("spellings: i0 o0 r0 a0 c0 p0 acc"), "{}", message(n));
    }
}

#[test]
fn short_digits_are_padded() {
    let text = "!!FP1.0\nADDH H1, H0, p[0].x;\nMOVR o[COLR], p[1];\nEND\n";
    let found = ask(&[json!({
        "isa": "nvfp", "text": text, "model": "ieee", "watch": ["o[COLR]"],
        "state": {"p[1]": ["3f800000", "7", "0", "0A"]},
    })]);
    assert_eq!(
        found[0]["lanes"][2]["o[COLR]"],
        json!(["3f800000", "00000007", "00000000", "0000000a"]),
        "{}",
        found[0]
    );
}

#[test]
fn an_id_comes_back_as_it_was_written() {
    for id in ["123456789012345678901234567890", "1.50", "-0", r#""x""#, r#"{"a":[1e400]}"#, "null"] {
        let line = format!("{{\"id\":{id},\"isa\":\"nvfp\",\"dialect\":\"patent\",\"text\":\"MOV R0,c[0];\"}}\n");
        let run = Place::new().feed(&["eval"], line.as_bytes());
        run.exits(0).prints(&format!("{{\"id\":{id},\"ok\":"));
    }
}

#[test]
fn the_accumulator_keeps_every_digit_or_says_so() {
    let ask_for = |value: &str| {
        let request = json!({
            "isa": "attila", "text": "nop", "watch": ["acc"], "state": {"acc": [value, value, value, value]},
        });
        ask(&[request]).remove(0)
    };
    assert_eq!(ask_for("-2.8000000100000000")["lanes"][0]["acc"][0], "-2.8000000100000000");
    let message = ask_for("-2.8000000100000001")["error"]["message"].to_string();
    assert!(message.contains("32 fraction bits"), "{message}");
}

#[test]
fn a_register_given_by_two_spellings_is_an_error() {
    let tgsi =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL CONST[0]\nDCL OUT[0], COLOR\nADD OUT[0], IN[0], CONST[0]\nEND\n";
    let (one, two) = (json!(["1", "0", "0", "0"]), json!(["2", "0", "0", "0"]));
    let found = ask(&[
        json!({"isa": "tgsi", "text": tgsi, "lanes": [{"IN[0]": one, "IN[00]": two}, {}, {}, {}]}),
        json!({"isa": "tgsi", "text": tgsi, "state": {"CONST[0]": one, "CONST[0][0]": two}}),
        json!({"isa": "tgsi", "text": tgsi, "state": {"IN[0]": one}, "lanes": [{"IN[00]": two}, {}, {}, {}]}),
    ]);
    for (answer, code) in found.iter().zip([Some("lanes-twice"), Some("lanes-twice"), None]) {
        assert_eq!(answer["error"]["code"].as_str(), code, "{answer}");
    }
}

#[test]
fn nv_presets_keep_their_bits_through_shared_and_unwritten_registers() {
    let text = "!!FP1.0\nMOVH o[COLH], H0;\nEND";
    let given = json!(["00003c00", "00010001", "44004200", "3c000000"]);
    for (alias, h0) in [("bits", ["3c00", "0000", "0001", "0001"]), ("separate", ["0000"; 4])] {
        let request = json!({
            "isa": "nvfp", "text": text, "options": {"alias": alias}, "state": {"R0": given}, "watch": ["R0", "H0", "H1"],
        });
        let answer = ask(&[request]).remove(0);
        assert_eq!(answer["lanes"][0]["R0"], given, "{alias}: {answer}");
        assert_eq!(answer["lanes"][0]["H0"], json!(h0), "{alias}: {answer}");
    }
}

#[test]
fn nv_registers_that_share_storage_are_given_once() {
    let fp10 = |alias: &str, state: Value, lanes: Value| {
        let text = "!!FP1.0\nMOVR o[COLR], R0;\nEND";
        json!({"isa": "nvfp", "text": text, "options": {"alias": alias}, "state": state, "lanes": lanes})
    };
    let one = json!(["1", "0", "0", "0"]);
    let named = "!!ARBfp1.0\nOUTPUT o = result.color;\nMOV o, 1;\nEND";
    let found = ask(&[
        fp10("bits", json!({"R0": one, "H1": one}), json!([{}, {}, {}, {}])),
        fp10("bits", json!({"H0": one}), json!([{}, {"R0": one}, {}, {}])),
        fp10("tagged", json!({"H0": one, "I1": one}), json!([{}, {}, {}, {}])),
        json!({"isa": "nvfp", "text": named, "state": {"o": one, "result.color": one}}),
        fp10("separate", json!({"R0": one, "H0": one}), json!([{}, {}, {}, {}])),
        fp10("bits", json!({"H0": one, "H1": one, "R1": one, "I0": one}), json!([{"H0": one}, {}, {}, {}])),
    ]);
    for (answer, names) in found.iter().zip([["R0", "H1"], ["H0", "R0"], ["H0", "I1"], ["o", "result.color"]]) {
        assert_eq!(answer["error"]["code"], "option-preset", "{answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(names.iter().all(|name| message.contains(&format!("`{name}`"))), "{message}");
    }
    assert!(found[4..].iter().all(|answer| answer["ok"] == true), "{found:?}");
}

#[test]
fn a_cube_with_oblong_faces_is_an_error() {
    let text = "!!FP1.0\nTEX R0, f[TEX0], TEX0, CUBE;\nMOVR o[COLR], R0;\nEND\n";
    let texels = vec!["0"; 2 * 3 * 6 * 4];
    let cube = json!({"dim": "cube", "width": 2, "height": 3, "texels": texels});
    let found = ask(&[json!({"isa": "nvfp", "text": text, "textures": {"0": cube}})]);
    let message = found[0]["error"]["message"].to_string();
    assert!(message.contains("square") && message.contains("2x3"), "{message}");
}

/// Registers were searched from the start for each name.
#[test]
fn many_keys_take_linear_time() {
    let count = 20_000;
    let text = "!!FP1.0\nMOVR o[COLR], p[0];\nEND\n";
    let state: serde_json::Map<String, Value> =
        (0..count).map(|n| (format!("p[{n}]"), json!(["1", "0", "0", "0"]))).collect();
    let names: serde_json::Map<String, Value> =
        (0..count).map(|n| (format!("nobody{n}"), json!(["1", "0", "0", "0"]))).collect();
    let found = ask(&[
        json!({"isa": "nvfp", "text": text, "state": state}),
        json!({"isa": "nvfp", "text": text, "state": names}),
    ]);
    assert_eq!((&found[0]["ok"], &found[1]["ok"]), (&true.into(), &false.into()), "{}", found[0]);
}

/// `hex` may be a container that holds one program, for every op.
#[test]
fn containers_are_opened_for_every_op() {
    // TEXR R0, f[TEX0], TEX1; ADDR R0, R0, {1, 1, 1, 1}
    let code = [
        [0x1702_9e00, 0x1c9d_c801, 0, 0],
        [0x0300_1e01, 0x1c9d_c800, 0x0001_c802, 0],
        [1f32, 1.0, 1.0, 1.0].map(f32::to_bits),
    ];
    let parameters =
        vec![Parameter::sampler("sky", 1069, 1), Parameter::vector("more", Some([2.0, 0.0, 0.0, 0.0]), &[32])];
    let mut fpo = Fpo::new(Order::Big, parameters, code.to_vec());
    fpo.color_from_h = false;
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let (file, words) = (fpo.write(), code_bytes(Order::Big, &code));
    let texels: Vec<[String; 4]> = (0..6).map(|n| [(); 4].map(|()| format!("{:08x}", (n as f32).to_bits()))).collect();
    let down: Vec<String> = [0.25f32, -8.0, 0.5, 1.0].iter().map(|v| format!("{:08x}", v.to_bits())).collect();
    let case = |op: &str, hex: String, options: Value| {
        let mut case = json!({"isa": "nvfp", "op": op, "hex": hex, "options": options});
        if op == "run" {
            case["state"] = json!({"f[TEX0]": down});
            let cube = json!({"dim": "cube", "width": 1, "texels": texels, "filter": "nearest"});
            case["textures"] = json!({"1": cube});
        }
        case
    };
    let mut dis = case("dis", hex(&words), json!({}));
    (dis["dialect"], dis["order"]) = (json!("nv40"), json!("rsx"));
    let found = ask(&[
        case("dis", hex(&file), json!({})),
        dis,
        case("run", hex(&file), json!({})),
        case("run", hex(&words), json!({"texture1": "cube", "color": "r"})),
        case("dis", hex(&archive(&[("a.fpo", &file)])), json!({})),
        case("dis", hex(&archive(&[("a.fpo", &file), ("b.fpo", &file)])), json!({})),
        case("dis", hex(&file[..100]), json!({})),
    ]);
    let sum = |constant: &str| json!(["TEXR R0, f[TEX0], TEX1", format!("ADDR R0, R0, {{{constant}}} ; end")]);
    assert_eq!(found[0]["text"], sum("2, 0, 0, 0"), "{}", found[0]);
    assert_eq!(found[1]["text"], sum("1, 1, 1, 1"), "{}", found[1]);
    // The fourth of six faces lies below.
    let bits = |numbers: [f32; 4]| json!(numbers.map(|v| format!("{:08x}", v.to_bits())));
    assert_eq!(found[2]["lanes"][0]["R0"], bits([5.0, 3.0, 3.0, 3.0]), "{}", found[2]);
    assert_eq!(found[3]["lanes"][0]["R0"], bits([4.0; 4]), "{}", found[3]);
    assert_eq!(found[4]["text"], found[0]["text"]);
    assert_eq!(found[5]["error"]["code"], "engine-several", "{}", found[5]);
    assert_eq!(found[6]["error"]["code"], "fpo-size", "{}", found[6]);
}

#[test]
fn planes_are_evaluated_where_the_program_asks() {
    let case = |planes: Value, samples: Value| {
        let text = "IPA.PASS R0, a[0x80], RZ; IPA.PASS.CENTROID R1, a[0x80], RZ; EXIT";
        json!({"isa": "spa5", "bare": true, "text": text, "planes": planes, "samples": samples, "watch": ["R0", "R1"]})
    };
    let planes = json!({"a[0x80]": [["00000000", "3f800000", "00000000"]], "1/w": [["3f800000", "0", "0"]]});
    let answers = ask(&[
        case(planes.clone(), json!({"count": 2, "coverage": ["3", "2", "3", "1"]})),
        case(json!({"a[0x90]": [["0", "0", "0"]]}), json!({"count": 1})),
        case(json!({"a[0x80]": [["0", "0", "0x1"]]}), json!({"count": 1})),
        case(json!({"1/w": []}), json!({"count": 1})),
        case(json!({"a[0x80]": []}), json!({"count": 1})),
    ]);
    let lanes = &answers[0]["lanes"];
    assert_eq!((&lanes[0]["R0"], &lanes[0]["R1"]), (&"3f000000".into(), &"3f000000".into()), "{}", answers[0]);
    assert_eq!((&lanes[1]["R0"], &lanes[1]["R1"]), (&"3fc00000".into(), &"3fa00000".into()), "{}", answers[0]);
    assert_eq!(lanes[3]["R1"], "3fe00000", "{}", answers[0]);
    for (answer, code) in answers[1..].iter().zip(["lanes-plane", "planes", "planes", "planes"]) {
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}
