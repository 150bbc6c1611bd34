//! Bad input: a clear error with its place and exit code 2 or 3, never a panic, a hang, or lost results of others.

use crate::support;

use support::Place;

const GOOD: &str = "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n";

/// Bytes without order, the same on every run.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut random = parallax_random::Random::new(seed);
    (0..len).map(|_| random.word() as u8).collect()
}

/// Names and titles hold what a terminal would obey and a spreadsheet would compute.
#[test]
fn no_text_of_a_file_reaches_a_terminal_or_a_table_as_it_is() {
    let place = Place::new();
    place.put("=1+1.fp", "!!FP1.0\nMOVR o[COLR], f[TEX0];\nEND\n");
    place.put(
        "=1+1.toml",
        "effect = \"\\u001b]0;e\\u0007\"\ntitle = \"t\\u001b[2J\\u009b31m\"\nabout = \"a\\u001bc\"\n",
    );
    let is_bad = |c: char| c.is_control() && c != '\n';
    let compare = ["compare", "=1+1.fp", "--size", "4x4", "--models", "ieee,nv40", "--out", "out"];
    for args in [
        &["info", "=1+1.fp"] as &[&str],
        &["check", "=1+1.fp"],
        &["info", "=1+1.fp", "--format", "json"],
        &["explain", "=1+1.fp", "--size", "4x4"],
        &[&compare[..], &["--verbose"]].concat(),
        &[&compare[..], &["--format", "csv"]].concat(),
        &[&compare[..], &["--format", "markdown"]].concat(),
        &[&compare[..], &["--format", "jsonl"]].concat(),
    ] {
        let run = place.run(args);
        assert!(!run.exits(0).text().contains(is_bad), "{args:?}: {:?}", run.text());
        assert!(!run.err.contains(is_bad), "{args:?}: {:?}", run.err);
    }
    place.run(&[&compare[..], &["--format", "csv"]].concat()).exits(0).prints(",'=1+1.fp,");
    place.run(&["check", "=1+1.fp", "--format", "csv"]).exits(0).prints("\n'=1+1.fp,ok");
    for name in ["results.csv", "pairs.csv", "index.html", "results.jsonl"] {
        let text = String::from_utf8(place.get(&format!("out/{name}"))).expect("text");
        assert!(!text.contains(is_bad), "{name}");
    }
}

/// Colours are what names may not have either.
#[test]
fn no_name_reaches_a_terminal_as_it_is() {
    let place = Place::new();
    let odd = "x\u{1b}[31m\u{9b}1m\u{7f}y";
    let (program, garbage, missing) = (format!("{odd}.fp"), format!("{odd}.bad"), format!("{odd}/none.fp"));
    place.put(&program, GOOD).put(&garbage, "garbage").put("a.fp", GOOD);
    place.run(&["run", &program, "--size", "4x4", "-o", "shot.png"]).exits(0);
    let is_bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let drawn = ["--size", "4x4"];
    let mut all: Vec<Vec<&str>> = Vec::new();
    for name in [program.as_str(), &garbage, &missing] {
        all.extend(["info", "check", "dis", "lift", "as", "manifest"].map(|verb| vec![verb, name]));
        all.push(vec!["translate", name, "-o", "out.spv"]);
        all.push([&["compare", name, "--no-report", "--models", "ieee,vc4"][..], &drawn].concat());
        all.push([&["explain", name, "--model", "vc4"][..], &drawn].concat());
        all.push([&["run", name][..], &drawn].concat());
        all.push(vec!["identify", name, "--capture", "shot.png", "--models", "ieee"]);
    }
    all.extend([
        vec!["run", "a.fp", "-o", &missing],
        vec!["run", "a.fp", "--size", odd],
        vec!["run", "a.fp", "--model", odd],
        vec!["run", "a.fp", "--target", odd],
        vec!["identify", "a.fp", "--capture", odd],
        vec!["compare", "a.fp", "--out", &garbage],
        vec!["compare", "a.fp", "--no-report", "--tolerance", odd],
        vec!["compare", "a.fp", "--no-report", "--profile", odd],
        vec!["sweep", odd],
        vec!["isas", odd],
        vec!["completions", odd],
        vec![odd],
    ]);
    for args in &all {
        let run = place.run(args);
        assert!(!run.err.contains(is_bad), "{args:?}: {:?}", run.err);
        assert!(!run.text().contains(is_bad), "{args:?}: {:?}", run.text());
    }
    let asked = "{\"id\": \"a\u{7f}\u{85}\", \"op\": \"none\"}\n";
    let answer = place.feed(&["eval"], asked.as_bytes());
    answer.exits(0).prints("\"a\\u007f\\u0085\"");
}

#[test]
fn random_bytes() {
    let place = Place::new();
    for (n, len) in [1, 7, 64, 1000, 20_000].into_iter().enumerate() {
        for name in ["x.fp", "x.bin"] {
            place.put(name, noise(n as u64, len));
            for verb in ["check", "info", "lift", "run"] {
                let run = place.run(&[verb, name]);
                run.exits(2);
                assert!(run.err.contains("error["), "{verb}: {}", run.err);
            }
        }
    }
}

/// Some editors put a mark in front of a text: programs with one were not recognised, or full of errors.
#[test]
fn a_byte_order_mark_is_skipped_in_every_text() {
    let place = Place::new();
    let tgsi = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0], IMM[0]\nEND\n";
    let patent = "MOV R0, p[4];\n";
    let attila = "mov o0, i0\n";
    for (isa, text) in [("nvfp", GOOD), ("tgsi", tgsi), ("attila", attila), ("patent.fp", patent)] {
        let text = format!("\u{feff}{text}");
        let name = if isa.ends_with(".fp") { isa } else { "a.txt" };
        place.put(name, &text).run(&["check", name]).exits(0).prints(": ok");
        place.run(&["run", name, "--size", "4x4", "-o", "out.png"]).exits(0);
    }
    let bad = [
        ("\u{feff}FRAK\nEND\n", "tgsi", 1, 1, 3),
        ("\u{feff}FRAG MOW\nEND\n", "tgsi", 1, 6, 8),
        ("\u{feff}!!FP2.0\nEND\n", "nvfp", 1, 1, 3),
        ("\u{feff}!!FP1.0 MOVR X, p[0];\nEND\n", "nvfp", 1, 14, 16),
        ("\u{feff}!!FP1.0\nMOVR X, p[0];\nEND\n", "nvfp", 2, 6, 16),
        ("\u{feff}mov o0 i0\n", "attila", 1, 8, 10),
    ];
    for (text, isa, line, column, offset) in bad {
        let run = place.put("bad.txt", text).run(&["check", "bad.txt", "--from", isa, "--format", "jsonl"]);
        let first = &run.exits(2).lines()[0]["problems"][0];
        assert_eq!((&first["line"], &first["column"]), (&line.into(), &column.into()), "{text:?}: {first}");
        assert_eq!(first["offset"], offset, "{text:?}");
        place.run(&["check", "bad.txt", "--from", isa]).exits(2).says(&format!("bad.txt:{line}:{column}\n"));
    }
}

#[test]
fn text_cut_off_anywhere() {
    let place = Place::new();
    let names: Vec<String> = (0..GOOD.len()).map(|cut| format!("{cut:02}.fp")).collect();
    for (cut, name) in names.iter().enumerate() {
        place.put(name, &GOOD[..cut]);
    }
    let args: Vec<&str> = ["check", "--format", "jsonl"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let run = place.run(&args);
    for (cut, line) in run.exits(2).lines().iter().enumerate() {
        // Without the last line feed the text is whole.
        let whole = cut + 1 == GOOD.len();
        assert_eq!(line["status"] == "ok", whole, "{cut}: {line}");
    }
}

#[test]
fn an_instruction_set_that_is_not_there() {
    let place = Place::new();
    place.put("x.txt", "hello world").put("a.fp", GOOD);
    place.run(&["check", "x.txt"]).exits(2).says("no instruction set recognises");
    place.run(&["check", "a.fp", "--from", "glsl"]).exits(2).says("--from glsl");
    place.run(&["check", "a.fp", "--set", "alias"]).exits(2).says("NAME=VALUE");
    place.run(&["check", "a.fp", "--set", "allias=bits"]).exits(2).says("did you mean `alias`?");
    place.run(&["check", "a.fp", "--set", "alias=none"]).exits(2).says("accepted values");
}

#[test]
fn viewports_that_cannot_be() {
    let place = Place::new();
    place.put("a.fp", GOOD);
    for verb in ["compare", "bench"] {
        place.run(&[verb, "a.fp", "--size", "16384x16384"]).exits(2).says("--size").says("16777216 in total");
    }
    for size in ["0x5", "5x0", "99999x5", "16385x16384", "5", "axb", "-1x5", "4294967296x1", "1x1x1", ""] {
        for verb in ["run", "compare", "bench"] {
            place.run(&[verb, "a.fp", "--size", size]).exits(2).says("--size");
        }
    }
    place.put("a.toml", "size = [0, 10]\n");
    place.run(&["run", "a.fp"]).exits(2).says("a.toml:1:8");
}

#[test]
fn files_that_cannot_be_read() {
    let place = Place::new();
    place.put("dir/a.fp", GOOD).put("empty/readme.md", "");
    for verb in ["check", "info", "lift", "run", "compare", "bench"] {
        place.run(&[verb, "absent.fp"]).exits(2);
    }
    place.run(&["run", "absent.fp"]).says("cannot be read");
    place.run(&["run", "dir"]).exits(2).says("it is a folder");
    place.run(&["compare", "empty"]).exits(2).prints("it is a folder without shaders");
    place.run(&["run", "dir/a.fp", "--manifest", "absent.toml"]).exits(2).says("absent.toml");
    place.run(&["models", "--model-file", "absent.toml"]).exits(2).says("absent.toml");
}

#[test]
fn files_that_cannot_be_written() {
    let place = Place::new();
    place.put("a.fp", GOOD).put("file", "");
    place.run(&["run", "a.fp", "-o", "no/such/folder/x.png"]).exits(2).says("cannot write");
    place.run(&["compare", "a.fp", "--out", "file"]).exits(2).says("cannot create the folder");
    place.run(&["lift", "a.fp", "-o", "no/such/x.txt"]).exits(2).says("cannot write");
}

#[test]
fn malformed_manifests_are_located_in_the_manifest() {
    let place = Place::new();
    place.put("a.fp", GOOD);
    for (text, at) in [
        ("size = [128 128]\n", "a.toml:1:"),
        ("title = \"x\"\nsice = [1, 1]\n", "a.toml:2:1"),
        ("size = \"big\"\n", "a.toml:1:8"),
        ("[[textures]]\nunit = 0\nsource = \"nose\"\n", "a.toml:3:10"),
        ("stage = \"vertex\"\n", "a.toml:1:9"),
    ] {
        place.put("a.toml", text);
        place.run(&["run", "a.fp"]).exits(2).says(at);
        place.run(&["compare", "a.fp", "--no-report"]).exits(2).prints("a.toml");
    }
    place.put("a.toml", noise(9, 500));
    place.run(&["run", "a.fp"]).exits(2).says("a.toml");
}

#[test]
fn malformed_models_are_located_in_their_file() {
    let place = Place::new();
    place.put("a.fp", GOOD);
    for text in ["name = \"x\"\nnaem = 1\n", "name = ", "name = \"x\"\ninherits = \"y\"\n"] {
        place.put("m.toml", text);
        place.run(&["run", "a.fp", "--model-file", "m.toml"]).exits(2).says("m.toml:");
    }
    place.run(&["run", "a.fp", "--model", "ieee[round=up]"]).exits(2).says("--model:1:");
    place.run(&["run", "a.fp", "--model", "ieee@hihg"]).exits(2).says("--model:1:");
    place.run(&["run", "a.fp", "--demote", "fp32=fp23"]).exits(2).says("--demote:1:");
    place.run(&["compare", "a.fp", "--reference", "binary46"]).exits(2).says("did you mean \"binary64\"?");
}

#[test]
fn a_texture_file_that_is_missing() {
    let place = Place::new();
    place.put("a.fp", "!!FP1.0\nTEX o[COLR], f[TEX0], TEX0, 2D;\nEND\n");
    place.put("a.toml", "[[textures]]\nunit = 0\nfile = \"x.png\"\n");
    place.run(&["run", "a.fp"]).exits(2).says("a.toml:3:");
    place.put("x.png", noise(3, 300));
    place.run(&["run", "a.fp"]).exits(2).says("a.toml:3:");
}

#[test]
fn one_broken_shader_loses_nothing_of_the_others() {
    let place = Place::new();
    place.put("in/1.fp", GOOD).put("in/2.fp", noise(1, 300)).put("in/3.fp", "!!FP1.0\nNOPE\n").put("in/4.fp", GOOD);
    place.put("in/4.toml", "size = [8, 8]\nnonsense = 1\n").put("in/5.fp", GOOD).put("in/5.toml", "size = [8, 8]\n");
    let run = place.run(&["compare", "in", "--models", "ieee", "--format", "jsonl", "--no-report"]);
    let status: Vec<String> = run.exits(2).lines().iter().map(|l| l["status"].as_str().unwrap().to_string()).collect();
    assert_eq!(status, ["ok", "invalid", "invalid", "invalid", "ok"]);
}

#[test]
fn huge_and_deep_inputs_end_quickly() {
    let place = Place::new();
    let many = format!("!!FP1.0\n{}END\n", "NOPE R0, R1;\n".repeat(20_000));
    place.put("many.fp", many);
    let run = place.run(&["check", "many.fp"]);
    run.exits(2).says("more problems in many.fp");
    assert!(run.err.len() < 200_000);
    place.put("line.fp", format!("!!FP1.0 {}", "x ".repeat(500_000)));
    place.run(&["check", "line.fp"]).exits(2);
    place.put("deep.fp", format!("!!FP1.0\nMOVR R0, {}1;\nEND\n", "-".repeat(100_000)));
    place.run(&["check", "deep.fp"]).exits(2);
}

const ENDLESS: &str =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nBGNLOOP\nENDLOOP\nEND\n";

#[test]
fn loops_without_end() {
    let place = Place::new();
    place.put("in/endless.tgsi", ENDLESS).put("in/good.fp", GOOD);
    for verb in ["run", "bench"] {
        place.run(&[verb, "in/endless.tgsi"]).exits(3).says("endless.tgsi:5:1").says("the loops do not terminate");
    }
    let run = place.run(&["compare", "in", "--models", "ieee", "--format", "jsonl", "--no-report"]);
    let status: Vec<String> = run.exits(3).lines().iter().map(|l| l["status"].as_str().unwrap().to_string()).collect();
    assert_eq!(status, ["unsupported", "ok"]);
    let request = serde_json::json!({ "isa": "tgsi", "text": ENDLESS });
    let answer = &place.feed(&["eval"], format!("{request}\n").as_bytes()).exits(0).lines()[0];
    assert_eq!(answer["ok"], false);
    let error = &answer["error"];
    assert_eq!((&error["kind"], &error["line"], &error["column"]), (&"unsupported".into(), &5.into(), &1.into()));
}

#[test]
fn a_loop_that_ends_in_some_arithmetic_only() {
    // 1 + 2^-12 is no number of the half format: there the counter stands still.
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
        IMM FLT32 {0.000244140625, 1.0, 1.01, 0}\nMOV TEMP[0].x, IMM[0].yyyy\nBGNLOOP\n\
        SGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\nIF TEMP[0].yyyy\nBRK\nENDIF\n\
        ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\nENDLOOP\nMOV OUT[0], TEMP[0].xxxx\nEND\n";
    let place = Place::new();
    place.put("count.tgsi", text);
    let args = ["compare", "count.tgsi", "--models", "ieee,ieee[fp32=half]", "--out", "rep"];
    let run = place.run(&args);
    run.exits(0)
        .prints("ieee[fp32=half]: no result, the loops do not terminate")
        .prints("with loops that do not terminate");
    let results = String::from_utf8(place.get("rep/results.jsonl")).unwrap();
    let values: Vec<serde_json::Value> = results.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((&values[0]["status"], &values[1]["status"]), (&"ok".into(), &"unsupported".into()));
    assert!(String::from_utf8(place.get("rep/index.html")).unwrap().contains("no result"));
    let strict = place.run(&[&args[..], &["--tolerance", "max_ulp=1e9"]].concat());
    strict.exits(1).says("no result");
}

#[test]
fn shaders_that_never_end_agree_with_nobody() {
    let place = Place::new();
    place
        .put("endless.attila", "mov o0, i0\nl: add r0, r0, c0\njmp true, l\nend\n")
        .put("gone.attila", "add r0, i0, -i0\nadd r0, r0, -1.0\nkil r0\nmov o0, i0\n");
    let args = ["compare", "endless.attila", "--models", "ieee,attila", "--size", "4x4", "--no-report"];
    let run = place.run(&args);
    run.exits(0).prints("1 with loops that do not terminate.");
    assert!(!run.text().contains("same bits everywhere"), "{}", run.text());
    place.run(&[&args[..], &["--tolerance", "equal=100%"]].concat()).exits(1).says("out of fuel under ieee");
    place.run(&["bench", "endless.attila", "--size", "4x4"]).exits(3).says("the loops do not terminate");
    // Nor do those that kill every pixel.
    let gone = place.run(&["compare", "gone.attila", "--models", "ieee,attila", "--size", "4x4", "--no-report"]);
    gone.exits(0).prints("1 without pixels to compare.");
}

#[test]
fn what_is_legal_but_not_done_exits_with_3() {
    let text = "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nFBFETCH TEMP[0], OUT[0]\nMOV OUT[0], TEMP[0]\nEND\n";
    let place = Place::new();
    place.put("fetch.tgsi", text);
    for verb in ["check", "info", "lift", "run", "bench"] {
        place.run(&[verb, "fetch.tgsi"]).exits(3).says("fetch.tgsi:4:1").says("nothing has been drawn");
    }
    let run = place.run(&["compare", "fetch.tgsi", "--no-report"]);
    run.exits(3).prints("UNSUPPORTED").prints("1 unsupported, not analysed");
}

#[test]
fn a_texture_that_no_request_gives() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
    let request = serde_json::json!({ "isa": "tgsi", "text": text });
    let answer = &Place::new().feed(&["eval"], format!("{request}\n").as_bytes()).exits(0).lines()[0];
    assert_eq!(answer["error"]["kind"], "invalid");
    assert!(answer["error"]["message"].as_str().unwrap().contains("unit 0"));
}
