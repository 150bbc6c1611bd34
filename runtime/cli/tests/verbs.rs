//! What each verb prints and how it exits.

use crate::support;

use serde_json::Value;
use support::{Place, finish};

const BLEND: &str = "!!FP1.0\n\
    MULR R0, f[TEX0], f[TEX0].yxzw;\n\
    SINR R1.x, R0.x;\n\
    MADR o[COLR], R0, R1.x, R0;\n\
    END\n";
const BROKEN: &str = "!!FP1.0\nMULR R0, f[TEX0], f[TEX0].yxz;\nSINN R1, R0.x;\nEND\n";

#[test]
fn help_and_version_are_no_errors() {
    let place = Place::new();
    place.run(&["--version"]).exits(0).prints("parallax ");
    place.run(&["--help"]).exits(0).prints("compare");
    place.run(&["help", "compare"]).exits(0).prints("--tolerance");
    place.run(&[]).exits(2);
    place.run(&["comprae"]).exits(2).says("compare");
    place.run(&["run"]).exits(2);
}

#[test]
fn check_says_ok_or_everything_that_is_wrong() {
    let place = Place::new();
    place.put("good.fp", BLEND).put("bad.fp", BROKEN);
    place.run(&["check", "good.fp"]).exits(0).prints("good.fp: ok (nvfp, 3 instructions)");
    let bad = place.run(&["check", "good.fp", "bad.fp"]);
    bad.exits(2).prints("bad.fp: invalid (2 errors)").prints("good.fp: ok");
    // The line with a caret under the token, for both errors.
    bad.says("bad.fp:2:27").says("MULR R0, f[TEX0], f[TEX0].yxz;").says("^^^").says("bad.fp:3:1").says("did you mean");
    let lines = place.run(&["check", "--format", "jsonl", "bad.fp", "good.fp"]);
    let values = lines.exits(2).lines();
    assert_eq!((&values[0]["status"], &values[1]["status"]), (&Value::from("invalid"), &Value::from("ok")));
    assert_eq!((&values[0]["problems"][1]["line"], &values[0]["problems"][1]["offset"]), (&3.into(), &39.into()));
    place.run(&["check", "--format", "csv", "bad.fp"]).exits(2).prints("bad.fp,invalid,2,27,error,invalid,");
}

#[test]
fn info_names_the_instruction_set_and_the_interface() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    place.run(&["info", "blend.fp"]).exits(0).prints("nvfp, fragment shader, 3 instructions").prints("f[TEX0]");
    let values = place.run(&["info", "--format", "jsonl", "blend.fp"]);
    assert_eq!(values.exits(0).lines()[0]["outputs"][0]["name"], "o[COLR]");
}

#[test]
fn info_describes_a_header_field_by_field() {
    let place = Place::new();
    let text = ".header kills yes\n.header generic3 perspective linear constant unused\n.header target0 rgba\n\
                .header depth yes\nMOV32I R0, 0x3f800000\nEXIT\n";
    place.put("t.spa5", text);
    place.run(&["as", "t.spa5", "-o", "t.bin"]).exits(0);
    for file in ["t.spa5", "t.bin"] {
        let run = place.run(&["info", file]);
        run.exits(0).prints("header      stage pixel").prints("header      kills yes").prints("header      depth yes");
        run.prints("header      generic3 perspective linear constant unused");
        let values = place.run(&["info", "--format", "jsonl", file]);
        let header = &values.exits(0).lines()[0]["header"];
        let field = |name: &str| header.as_array().unwrap().iter().find(|field| field["field"] == name);
        assert_eq!(field("target0").unwrap()["value"], "rgba", "{header}");
        assert_eq!(field("version").unwrap()["value"], "0x3", "{header}");
    }
    // Of a program that does not run, too.
    place.put("u.spa5", text.replace("EXIT", "LDG.E R0, [R2]"));
    place.run(&["info", "u.spa5"]).exits(3).prints("header      kills yes");
}

#[test]
fn lift_prints_the_three_stages() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let symbolic = place.run(&["lift", "blend.fp"]);
    symbolic.exits(0).prints("shader \"blend\" stage(fragment)");
    assert!(!symbolic.text().contains("bind"));
    place.run(&["lift", "blend.fp", "--model", "nv40"]).exits(0).prints("bind \"nv40\"");
    place.run(&["lift", "blend.fp", "--model", "nv40", "--opt", "-o", "out.txt"]).exits(0);
    assert!(String::from_utf8(place.get("out.txt")).unwrap().contains("bind \"nv40\""));
    place.run(&["lift", "blend.fp", "--opt"]).exits(2);
    place.feed(&["lift", "-"], BLEND.as_bytes()).exits(0).prints("shader \"");
}

#[test]
fn run_writes_pictures_in_three_forms() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    place
        .run(&["run", "blend.fp", "--model", "ieee", "--size", "20x10", "-o", "a.png"])
        .exits(0)
        .prints("20x10 pixels");
    assert!(place.get("a.png").starts_with(b"\x89PNG"));
    place.run(&["run", "blend.fp", "--size", "20x10", "-o", "a.pfm"]).exits(0);
    assert_eq!(place.get("a.pfm").len(), "PF\n20 10\n-1.0\n".len() + 20 * 10 * 3 * 4);
    place.run(&["run", "blend.fp", "--size", "20x10", "-o", "a.npy"]).exits(0);
    assert_eq!(place.get("a.npy").len(), 128 + 20 * 10 * 4 * 4);
    let piped = place.feed(&["run", "-", "--size", "4x4", "-o", "-"], BLEND.as_bytes());
    assert!(piped.exits(0).out.starts_with(b"\x89PNG"));
    piped.says("4x4 pixels");
    place.run(&["run", "blend.fp", "-o", "a.jpg"]).exits(2).says(".png, .pfm or .npy");
    place.run(&["run", "blend.fp", "-o", "a.jpg", "--image", "png"]).exits(0);
}

#[test]
fn run_prints_pixels_as_bits_and_values() {
    let place = Place::new();
    place.put("half.fp", "!!FP1.0\nMOVH o[COLH], {0.5, 1.5, -2, 65504};\nEND\n");
    let run = place.run(&["run", "half.fp", "--pixel", "3,4", "--format", "json"]);
    let value: Value = serde_json::from_str(run.exits(0).text()).unwrap();
    assert_eq!(value["pixels"][0]["bits"]["o[COLH].w"], "7bff");
    assert_eq!(value["pixels"][0]["values"]["o[COLH].y"], "1.5");
    assert_eq!(value["fragments"], 128 * 128);
    place.run(&["run", "half.fp", "--pixel", "128,0"]).exits(2).says("128x128");
    place.run(&["run", "half.fp", "--pixel", "x"]).exits(2).says("X,Y");
}

#[test]
fn compare_prints_a_table_and_writes_the_report() {
    let place = Place::new();
    place.put("in/blend.fp", BLEND).put("in/bad.fp", BROKEN).put("in/notes.md", "no shader");
    let run = place.run(&["compare", "in", "--models", "ieee,nv-patent", "--out", "rep", "--size", "32x32"]);
    run.exits(2).prints("nv-patent").prints("INVALID").says("rep/index.html");
    run.prints("2 programs under 1 model, compared with ieee: ").prints("1 invalid, not analysed");
    // The verdict comes first.
    assert!(run.text().starts_with("2 programs under 1 model"), "{}", run.text());
    let page = String::from_utf8(place.get("rep/index.html")).unwrap();
    assert!(page.contains("compare in --models ieee,nv-patent --out rep --size 32x32"));
    assert!(page.contains("invalid: not analysed"));
    let beside = |folder: &str| std::fs::read_dir(place.path(&format!("rep/{folder}"))).unwrap().count();
    assert!(beside("pictures") > 0 && beside("pixels") == 1);
    let lines = String::from_utf8(place.get("rep/results.jsonl")).unwrap();
    let values: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let status: Vec<&str> = values.iter().map(|v| v["status"].as_str().unwrap()).collect();
    assert_eq!(status, ["invalid", "invalid", "ok", "ok"]);
    assert_eq!(values[2]["pixels"], 1024);
    assert_eq!(String::from_utf8(place.get("rep/results.csv")).unwrap().lines().count(), 5);
}

/// Tables on request; one program has room for its table.
#[test]
fn compare_summarises_many_programs() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.put(&format!("in/{name}.fp"), BLEND);
    }
    let compare = ["compare", "in", "--models", "ieee,nv-patent,nv40[round=rtz]", "--size", "16x16", "--no-report"];
    let short = place.run(&compare);
    short
        .exits(0)
        .prints("3 programs under 2 models, compared with ieee")
        .prints("Programs that differ from ieee, by model");
    assert!(!short.text().contains("median ulp") && short.text().lines().count() < 30, "{}", short.text());
    let long = place.run(&[&compare[..], &["--verbose"]].concat());
    assert_eq!(long.exits(0).text().matches("median ulp").count(), 3);
    let one = place.run(&["compare", "in/a.fp", "--models", "ieee,nv-patent", "--size", "16x16", "--no-report"]);
    one.exits(0).prints("median ulp").prints("1 program under 1 model, compared with ieee");
}

/// What makes equal results say little is said.
#[test]
fn compare_is_never_silently_green() {
    let place = Place::new();
    place.put("blend.fp", BLEND).put("flat.fp", "!!FP1.0\nMOVR o[COLR], {0.5};\nEND\n");
    let compare = |file: &str, more: &[&str]| {
        place.run(&[&["compare", file, "--models", "ieee,nv40", "--size", "8x8", "--out", "r"], more].concat())
    };
    let run = compare("blend.fp", &[]);
    run.exits(0).says("blend.fp: drawn with default inputs").says("parallax manifest");
    assert!(!run.err.contains("same colour"), "{}", run.err);
    assert!(
        String::from_utf8(place.get("r/index.html")).unwrap().contains("no manifest and is drawn with default inputs")
    );
    place.put("blend.toml", "size = [8, 8]\n");
    assert!(!compare("blend.fp", &[]).err.contains("default inputs"));
    compare("flat.fp", &[]).exits(0).says("warning: all pixels of flat.fp have the same colour");
    assert!(String::from_utf8(place.get("r/index.html")).unwrap().contains("All pixels have the same colour"));
    assert!(!compare("flat.fp", &["--quiet"]).err.contains("same colour"));
    // Whoever draws says what with, once for each program.
    std::fs::remove_file(place.path("blend.toml")).unwrap();
    let bench = ["bench", "blend.fp", "--models", "ieee,nv40", "--size", "8x8", "--runs", "1"];
    let explain = ["explain", "blend.fp", "--model", "nv40", "--size", "8x8"];
    for args in [&bench[..], &explain] {
        let said = |run: &support::Run| run.err.matches("blend.fp: drawn with default inputs").count();
        assert_eq!(said(place.run(args).exits(0)), 1, "{args:?}");
        assert_eq!(said(place.run(&[args, &["--quiet"]].concat()).exits(0)), 0);
    }
    place.put("blend.toml", "size = [8, 8]\n");
    assert!(!place.run(&bench).exits(0).err.contains("default inputs"));
}

/// Files that only an earlier page showed go; what is not ours stays.
#[test]
fn a_folder_holds_one_report() {
    let place = Place::new();
    place.put("blend.fp", BLEND).put("r/pictures/mine.png", "x").put("r/pixels/0123456789abcdef.js", "old");
    let compare =
        |size: &str| place.run(&["compare", "blend.fp", "--models", "ieee,nv40", "--size", size, "--out", "r"]);
    let files = |folder: &str| {
        let entries = std::fs::read_dir(place.path(&format!("r/{folder}"))).unwrap();
        entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect::<std::collections::BTreeSet<_>>()
    };
    compare("8x8").exits(0);
    let small = files("pictures");
    assert!(small.contains("mine.png") && !files("pixels").contains("0123456789abcdef.js"));
    compare("16x16").exits(0);
    let large = files("pictures");
    assert!(small.intersection(&large).all(|name| name == "mine.png"), "{small:?} {large:?}");
    assert_eq!(files("pixels").len(), 1);
    let page = String::from_utf8(place.get("r/index.html")).unwrap();
    large.iter().filter(|name| *name != "mine.png").for_each(|name| assert!(page.contains(name.as_str()), "{name}"));
}

/// Whichever process comes last, what lies there is of one comparison.
#[test]
fn two_processes_that_write_one_report_leave_a_whole_one() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let start = |size: &str| {
        place.start(&["compare", "blend.fp", "--models", "ieee,nv40", "--size", size, "--out", "r", "--quiet"])
    };
    for _ in 0..3 {
        let children = ["16x16", "17x17", "18x18"].map(start);
        children.into_iter().for_each(|child| {
            finish(child, b"").exits(0);
        });
        let page = String::from_utf8(place.get("r/index.html")).unwrap();
        let links = page.split(['"', '\'']).filter(|word| word.starts_with("pictures/") || word.starts_with("pixels/"));
        let mut count = 0;
        for link in links {
            assert!(place.path(&format!("r/{link}")).is_file(), "{link}");
            count += 1;
        }
        let size = page.split("data-size=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a size");
        let (width, height) = size.split_once('x').expect("two sides");
        let pixels: u64 = width.parse::<u64>().unwrap() * height.parse::<u64>().unwrap();
        let results = String::from_utf8(place.get("r/results.jsonl")).unwrap();
        let first: Value = serde_json::from_str(results.lines().next().unwrap()).unwrap();
        assert!(first["pixels"] == pixels && count > 3, "{size}: {first}");
    }
}

#[test]
fn compare_without_a_result_leaves_a_report_alone() {
    let place = Place::new();
    place.put("blend.fp", BLEND).put("bad.fp", BROKEN);
    let compare = |file: &str| place.run(&["compare", file, "--models", "ieee", "--size", "8x8", "--out", "r"]);
    compare("blend.fp").exits(0);
    let files = || ["index.html", "results.jsonl", "results.csv"].map(|name| place.get(&format!("r/{name}")));
    let good = files();
    for file in ["missing.fp", "bad.fp"] {
        compare(file).exits(2).says("nothing was compared; the report in r is unchanged");
        assert!(files() == good, "{file}");
    }
    // Without one before, what was wrong is reported.
    std::fs::remove_dir_all(place.path("r")).unwrap();
    compare("bad.fp").exits(2).says("r/index.html");
}

#[test]
fn compare_prints_records_on_request() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let base = ["compare", "blend.fp", "--models", "ieee,exact", "--size", "8x8", "--no-report", "--format"];
    let with = |format: &str| place.run(&[&base[..], &[format]].concat());
    let lines = with("jsonl").exits(0).lines();
    assert_eq!((lines.len(), &lines[1]["equal"], &lines[1]["max_ulp"]), (2, &1.0.into(), &0.0.into()));
    let array: Vec<Value> = serde_json::from_str(with("json").exits(0).text()).unwrap();
    assert_eq!(array, lines);
    assert_eq!(with("csv").exits(0).text().lines().count(), 3);
    assert!(!place.path("parallax-report").exists());
}

#[test]
fn compare_does_not_depend_on_threads() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    for threads in ["1", "3"] {
        let args = ["compare", "blend.fp", "--size", "70x90", "--threads", threads, "--out", threads];
        place.run(&args).exits(0);
    }
    assert_eq!(place.get("1/results.jsonl"), place.get("3/results.jsonl"));
    let page = |name: &str| String::from_utf8(place.get(name)).unwrap();
    let neutral = |text: String| text.replace("--threads 3 --out 3", "--threads 1 --out 1");
    assert_eq!(page("1/index.html"), neutral(page("3/index.html")));
}

#[test]
fn a_tolerance_that_is_not_kept_exits_with_1() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let run = |tolerance: &str| {
        place.run(&["compare", "blend.fp", "--models", "nv-patent", "--no-report", "--tolerance", tolerance])
    };
    run("equal=100%").exits(1).says("limit: blend.fp under nv-patent: equal is");
    run("max_ulp=1e30,coverage_flips=0").exits(0);
    run("max_upl=1").exits(2).says("did you mean max_ulp?");
    run("max_ulp=x").exits(2);
}

#[test]
fn demotion_and_model_settings_are_labels_of_their_own() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let args = ["compare", "blend.fp", "--models", "ieee,nv40[round=rtz]@low", "--demote", "fp32=half", "--no-report"];
    let run = place.run(&args);
    run.exits(0).prints("ieee[fp32=half]").prints("nv40[round=rtz,fp32=half]@low").prints("compared with ieee:");
}

/// A target decides what is compared, printed and drawn.
#[test]
fn targets_are_taken_from_the_manifest_or_the_command_line() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    // The unit's own way to bytes makes some of them one lower.
    let nearest = "nv40[target_unorm=nearest]";
    let compare = ["compare", "blend.fp", "--models", nearest, "--size", "64x64", "--no-report"];
    let plain = place.run(&[&compare[..], &["--format", "jsonl"]].concat()).exits(0).lines();
    assert!(plain[0]["target"].is_null() && plain[0]["equal"].as_f64() < Some(1.0), "{plain:?}");
    let bytes = place.run(&[&compare[..], &["--format", "jsonl", "--target", "unorm8"]].concat()).exits(0).lines();
    assert_eq!((&bytes[0]["target"], &bytes[0]["equal"]), (&"unorm8".into(), &1.0.into()), "{bytes:?}");
    let own = ["compare", "blend.fp", "--models", "nv40", "--size", "64x64", "--no-report", "--format", "jsonl"];
    let own = place.run(&[&own[..], &["--target", "unorm8"]].concat()).exits(0).lines();
    assert!(own[0]["equal"].as_f64() < Some(1.0), "{own:?}");
    let words = place.run(&[&compare[..], &["--target", "unorm8"]].concat());
    words.exits(0).prints("stored as unorm8").prints("no difference reaches the unorm8 target");
    place.put("blend.toml", "target = \"fp16\"\n");
    place.run(&compare).exits(0).prints("stored as fp16");
    let run = ["run", "blend.fp", "--size", "8x8", "--pixel", "3,4", "--format", "json"];
    let half: serde_json::Value = serde_json::from_str(place.run(&run).exits(0).text()).unwrap();
    let single: serde_json::Value =
        serde_json::from_str(place.run(&[&run[..], &["--target", "fp32"]].concat()).exits(0).text()).unwrap();
    let red = |value: &serde_json::Value, key: &str| value["pixels"][0][key]["o[COLR].x"].as_str().unwrap().to_string();
    assert_eq!((red(&half, "stored").len(), red(&single, "stored")), (4, red(&single, "bits")));
    assert_eq!(half["channels"][0]["target"], "fp16");
    // One vocabulary for formats, whatever the option.
    for name in ["fp16", "half", "f16"] {
        place.run(&["run", "blend.fp", "--size", "4x4", "--target", name]).exits(0);
        place.put("blend.toml", format!("target = \"{name}\"\n"));
        place.run(&["run", "blend.fp", "--size", "4x4", "--pixel", "1,1", "--format", "json"]).exits(0).prints("fp16");
        place.run(&["sweep", "rcp", "--float", name, "--range", "1..2"]).exits(0);
        let demote = format!("fp32={name}");
        place.run(&["run", "blend.fp", "--size", "4x4", "--model", "ieee", "--demote", &demote]).exits(0);
    }
    for name in ["s12", "fx12"] {
        place.run(&["explain", "blend.fp", "--size", "4x4", "--demote", name]).exits(0);
    }
    place.put("blend.toml", "target = \"fp16\"\n");
    place.run(&["run", "blend.fp", "--target", "rgba8"]).exits(2).says("fp16");
    // Pictures show what is stored: rounded to half before it is written as binary32.
    place.run(&["run", "blend.fp", "--size", "8x8", "-o", "half.npy"]).exits(0);
    place.run(&["run", "blend.fp", "--size", "8x8", "-o", "single.npy", "--target", "fp32"]).exits(0);
    let [half, single] = ["half.npy", "single.npy"].map(|name| place.get(name));
    let low = |bytes: &[u8]| bytes[128..].chunks_exact(4).any(|w| w[0] != 0 || w[1] & 0x1f != 0);
    assert!(!low(&half) && low(&single));
}

#[test]
fn bench_times_translations_to_every_target() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let lines = place.run(&["bench", "blend.fp", "--translate", "--runs", "1", "--json"]).exits(0).lines();
    let targets: Vec<&str> = lines.iter().filter_map(|line| line["to"].as_str()).collect();
    assert!(targets.starts_with(&["tgsi", "arb", "nvfp", "nv40"]), "{targets:?}");
    for line in &lines {
        let keys: Vec<&String> = line.as_object().expect("an object").keys().collect();
        match line.get("refused") {
            Some(reasons) => assert!(!reasons.as_array().expect("reasons").is_empty()),
            None => {
                for key in ["insns", "insns_out", "us_read", "us_translate", "us_total", "minsn_per_s"] {
                    assert!(line[key].as_f64().is_some_and(|value| value > 0.0), "{key} of {keys:?}");
                }
            }
        }
    }
    place.run(&["bench", "blend.fp", "--translate", "--runs", "1"]).exits(0).prints("Minsn/s from");
    place.run(&["bench", "blend.fp", "--translate", "--words", "--runs", "1"]).exits(0).prints("Minsn/s from");
    place.run(&["bench", "blend.fp", "--words"]).exits(2).says("--translate");
    place.run(&["bench", "blend.fp", "--translate", "--size", "8x8"]).exits(2).says("cannot be used with");
}

#[test]
fn bench_has_the_documented_keys() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let args =
        ["bench", "blend.fp", "--json", "--size", "64x64", "--runs", "1", "--threads", "1", "--target", "unorm8"];
    let lines = place.run(&args).exits(0).lines();
    let text = serde_json::to_string(&lines[0]).unwrap();
    let has_machine_code = parallax::Engine::has_machine_code();
    assert_eq!(lines[0]["engine"], if has_machine_code { "jit" } else { "interp" });
    assert_eq!(lines[0]["code_bytes"].as_u64().unwrap() > 0, has_machine_code);
    let interpreted = place.run(&[&args[..], &["--engine", "interp"]].concat()).exits(0).lines();
    assert_eq!((&interpreted[0]["engine"], &interpreted[0]["code_bytes"]), (&"interp".into(), &0.into()));
    assert_eq!(lines[0]["target"], "unorm8");
    assert_eq!((&lines[0]["threads"], &lines[0]["size"]), (&1.into(), &"64x64".into()), "{text}");
    let mut keys: Vec<&String> = lines[0].as_object().unwrap().keys().collect();
    keys.sort();
    let mut want: Vec<&str> =
        "shader model engine threads size target insns us_parse us_lift us_bind us_opt us_codegen \
        us_total code_bytes mfrag_per_s fallbacks"
            .split_whitespace()
            .collect();
    want.sort_unstable();
    assert_eq!(keys, want);
    assert!(lines[0]["mfrag_per_s"].as_f64().unwrap() > 0.0);
    place.run(&["bench", "blend.fp", "--size", "16x16", "--runs", "1"]).exits(0).prints("Mfrag/s");
}

#[test]
fn engines_give_the_same_picture() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    for engine in ["auto", "interp", "jit"] {
        let output = format!("{engine}.npy");
        place.run(&["run", "blend.fp", "--size", "37x21", "--engine", engine, "-o", &output]).exits(0);
    }
    assert_eq!(place.get("auto.npy"), place.get("interp.npy"));
    assert_eq!(place.get("jit.npy"), place.get("interp.npy"));
    place.run(&["run", "blend.fp", "--engine", "fast"]).exits(2).says("interp");
    let listing = place.run(&["dis", "blend.fp", "--native", "--model", "nv-patent"]);
    listing.exits(0).prints("vmulps").prints("; fmul.f32").prints("<- ");
    // Code is listed for any processor, and runs where it can.
    for (engine, register, lanes) in [("jit-avx2", "ymm0", "8 lanes"), ("jit-avx512", "zmm0", "16 lanes")] {
        let listing = place.run(&["dis", "blend.fp", "--native", "--model", "nv-patent", "--engine", engine]);
        listing.exits(0).prints(register).prints(lanes);
        let output = format!("{engine}.npy");
        let ran = place.run(&["run", "blend.fp", "--size", "37x21", "--engine", engine, "-o", &output]);
        let level = engine.parse::<parallax::Engine>().unwrap().level().unwrap();
        if level.is_supported() {
            ran.exits(0);
            assert_eq!(place.get(&output), place.get("interp.npy"));
        } else {
            ran.exits(3).says("this processor has no").says("--engine auto");
        }
    }
}

#[test]
fn models_are_listed_shown_and_compared() {
    let place = Place::new();
    place.run(&["models"]).exits(0).prints("nv-patent").prints("tgsi-mul-zero-wins");
    place.run(&["models", "nv40"]).exits(0).prints("round").prints("source");
    place.run(&["models", "nv41"]).exits(2).says("did you mean \"nv40\"?");
    place.run(&["models", "--diff", "ieee", "nv-patent"]).exits(0).prints("nv-patent").prints("tier");
    place.run(&["models", "--diff", "ieee", "ieee"]).exits(0).prints("compute the same");
    // Probes are differences.
    let run = place.run(&["models", "--diff", "nvfp", "nvfp@low"]);
    run.exits(0).prints("probe").prints("rcp rsq exp2 log2 sin cos").prints("rdn");
    for format in ["json", "jsonl", "csv"] {
        place.run(&["models", "--format", format]).exits(0).prints("ieee");
        place.run(&["models", "rogue", "--format", format]).exits(0).prints("tier");
        place.run(&["models", "--diff", "ieee", "nv40", "--format", format]).exits(0);
    }
}

#[test]
fn built_in_models_are_printed_as_files_to_copy() {
    let place = Place::new();
    let text = place.run(&["models", "--toml", "nv40"]).exits(0).text().to_string();
    assert_eq!(text, include_str!("../../../ir/num/models/nv40.toml"));
    place.put("mine.toml", text.replacen("\"nv40\"", "\"mine\"", 1));
    let own = ["--model-file", "mine.toml"];
    place.run(&[&["models", "--diff", "nv40", "mine"], &own[..]].concat()).exits(0).prints("compute the same");
    place.run(&["models", "exact", "--toml"]).exits(0).prints("name = \"binary64\"");
    place.run(&["models", "--toml", "nv41"]).exits(2).says("did you mean \"nv40\"?");
    for changed in ["nv40[round=rtz]", "nv40@low"] {
        place.run(&["models", "--toml", changed]).exits(2).says("`parallax models --toml nv40` prints one to copy");
    }
    place.run(&[&["models", "--toml", "mine"], &own[..]].concat()).exits(2).says("given with --model-file");
    place.run(&["models", "--toml"]).exits(2).says("<NAME>");
    place.run(&["models", "--toml", "nv40", "--format", "csv"]).exits(2).says("cannot be used with");
}

#[test]
fn a_users_model_has_a_name_like_the_others() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    place.put("m.toml", "name = \"mine\"\ntitle = \"t\"\ninherits = \"ieee\"\n");
    place.run(&["run", "blend.fp", "--model-file", "m.toml", "--model", "mine[round=rtz]"]).exits(0);
    place.run(&["models", "--model-file", "m.toml"]).exits(0).prints("mine");
    place.run(&["models", "mine", "--model-file", "m.toml", "--model-file", "m.toml"]).exits(2).says("already");
}

/// Scripts offer what the command knows, and a manual page is what `man` reads.
#[test]
fn completions_know_names_and_verbs_have_pages() {
    let place = Place::new();
    let script = place.run(&["completions", "bash"]).exits(0).text().to_string();
    for word in ["nv-patent", "binary64", "llvmpipe", "mobile", "exp2", "vulkan-highp", "spa5", "fx12"] {
        assert!(script.contains(word), "{word}");
    }
    let page = place.run(&["man"]).exits(0).text().to_string();
    assert!(page.contains(".TH parallax 1") && page.contains("compare") && page.contains("Exit codes"), "{page}");
    place.run(&["man", "compare"]).exits(0).prints(".TH").prints("tolerance");
    place.run(&["man", "comprae"]).exits(2).says("did you mean `compare`?");
}

#[test]
fn isas_and_completions() {
    let place = Place::new();
    place.run(&["isas"]).exits(0).prints("nvfp");
    place.run(&["isas", "--format", "json"]).exits(0).prints("\"dialects\"");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        place.run(&["completions", shell]).exits(0).prints("parallax");
    }
}

#[test]
fn colours_follow_the_option_and_the_environment() {
    let place = Place::new();
    place.put("bad.fp", BROKEN);
    let escapes = |command: &mut std::process::Command| {
        let output = command.output().unwrap();
        output.stderr.contains(&0x1b)
    };
    assert!(!escapes(&mut place.command(&["check", "bad.fp"])));
    assert!(escapes(&mut place.command(&["check", "bad.fp", "--color", "always"])));
    assert!(escapes(place.command(&["check", "bad.fp"]).env("CLICOLOR_FORCE", "1")));
    assert!(!escapes(place.command(&["check", "bad.fp"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1")));
    assert!(!escapes(place.command(&["check", "bad.fp", "--color", "never"]).env("CLICOLOR_FORCE", "1")));
}

#[cfg(unix)]
#[test]
fn an_interrupted_comparison_keeps_what_is_finished() {
    use std::io::{BufRead, BufReader};
    let place = Place::new();
    for n in 0..40 {
        place.put(&format!("in/{n:02}.fp"), BLEND);
    }
    let mut child = place.start(&["compare", "in", "--size", "400x400", "--format", "jsonl", "--out", "rep"]);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    let run = support::finish(child, b"");
    run.exits(130).says("interrupted:");
    let results = String::from_utf8(place.get("rep/results.jsonl")).unwrap();
    assert!(results.starts_with(&line) && results.lines().count() < 40 * 11);
    assert!(String::from_utf8(place.get("rep/index.html")).unwrap().contains("Interrupted:"));
}

#[test]
fn programs_are_told_of_progress_in_json_lines() {
    let place = Place::new();
    for n in 0..5 {
        place.put(&format!("in/{n}.fp"), BLEND);
    }
    let words = ["compare", "in", "--size", "4x4", "--models", "ieee", "--no-report", "--format", "jsonl"];
    let told = |more: &[&str]| {
        let run = place.run(&[&words[..], more].concat());
        run.exits(0);
        let lines: Vec<Value> = run.err.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        (run.text().to_string(), lines)
    };
    let (plain, none) = told(&[]);
    assert!(none.is_empty());
    let (same, mut lines) = told(&["--progress", "json"]);
    assert_eq!(plain, same);
    // Threads may overtake each other.
    lines.sort_by_key(|line| line["done"].as_u64());
    let done: Vec<Option<u64>> = lines.iter().map(|line| line["done"].as_u64()).collect();
    assert_eq!(done, (0..=5).map(Some).collect::<Vec<_>>());
    assert!(lines.iter().all(|line| line["kind"] == "progress" && line["total"] == 5));
    let mut shaders: Vec<&str> = lines.iter().filter_map(|line| line["shader"].as_str()).collect();
    shaders.sort_unstable();
    assert_eq!(shaders, ["in/0.fp", "in/1.fp", "in/2.fp", "in/3.fp", "in/4.fp"]);
    assert!(told(&["--progress", "json", "--quiet"]).1.is_empty());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    let mut child = place.start(&["models", "nv40"]);
    drop(child.stdout.take());
    support::finish(child, b"").exits(0);
}

/// A profile judges what the shader's own operations gave; one result outside is a failed check.
#[test]
fn compare_judges_operations_by_a_profile() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    let compare = |models: &str, profile: &str, more: &[&str]| {
        let args = ["compare", "blend.fp", "--models", models, "--size", "16x16", "--no-report", "--profile", profile];
        place.run(&[&args[..], more].concat())
    };
    compare("ieee", "vulkan-highp", &[]).exits(0).prints("legal in vulkan-highp, as far as checked: ieee");
    let outside = compare("ieee,ieee[mul.accuracy=9ulp]@high", "webgpu", &[]);
    outside
        .exits(1)
        .prints("results are outside webgpu")
        .prints("    mul:")
        .prints("legal in webgpu, as far as checked: ieee");
    let lines = compare("ieee[mul.accuracy=9ulp]@high", "webgpu", &["--format", "jsonl"]);
    let legality = &lines.exits(1).lines()[0]["legality"];
    assert_eq!((&legality["profile"], &legality["offences"][0]["op"]), (&"webgpu".into(), &"mul".into()));
    assert!(legality["outside"].as_u64() > Some(0) && legality["judged"].as_u64() > legality["outside"].as_u64());
    let csv = compare("ieee", "d3d11", &["--format", "csv"]);
    csv.exits(0).prints(",argmax,judged,outside\n");
    place.run(&["compare", "blend.fp", "--profile", "webgup"]).exits(2).says("did you mean `webgpu`?");
}

/// Settings without effect are warned of; the model works all the same.
#[test]
fn models_with_idle_settings_are_warned_of() {
    let place = Place::new();
    place.put("blend.fp", BLEND);
    place.put("m.toml", "name = \"m\"\n[[set]]\nops = \"mul\"\nround = \"rtz\"\n[[set]]\nround = \"rne\"\n");
    let run =
        place.run(&["compare", "blend.fp", "--models", "m", "--model-file", "m.toml", "--size", "8x8", "--no-report"]);
    run.exits(0)
        .says("m.toml:4:9")
        .says("`round` has no effect: a later table sets it again")
        .says("move it after the other");
}

/// Embedded shaders have names, in every verb that takes one; a file of the same name comes first.
#[test]
fn embedded_shaders_are_named() {
    let place = Place::new();
    let name = "attila/voronoi.attila";
    let small: [&str; 4] = [name, "--size", "4x4", "-q"];
    place.run(&["check", name]).exits(0).prints("attila/voronoi.attila: ok");
    place.run(&["info", name]).exits(0).prints("attila, fragment shader");
    place.run(&["lift", name]).exits(0).prints("shader \"voronoi\"");
    place.run(&["manifest", name]).exits(0).prints("title = ");
    place.run(&["as", name, "-o", "voronoi.bin"]).exits(0);
    place.run(&["dis", "voronoi.bin"]).exits(0).prints(" <- end");
    place.run(&[&["run"], &small[..], &["-o", "a.png"]].concat()).exits(0);
    place.run(&["explain", name, "--model", "nv40", "--size", "4x4", "-q"]).exits(0).prints("voronoi");
    place.run(&[&["compare", "--no-report", "--models", "ieee"], &small[..]].concat()).exits(0).prints("1 program");
    place.run(&[&["bench", "--models", "ieee", "--engine", "interp", "--runs", "1"], &small[..]].concat()).exits(0);
    place.run(&["check", "attila/nothing.attila"]).exits(2).says("cannot be read");
    place.put(name, "nonsense");
    place.run(&["check", name]).exits(2);
}
