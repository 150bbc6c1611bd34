//! `parallax sweep`: legal intervals, shards, and everything that can be asked wrongly.

#![cfg(unix)]

use crate::support;

use std::process::{Child, Command};
use std::time::{Duration, Instant};
use support::{Place, finish};

/// A bound of eight units in the last place, where the specification allows two and a half.
const LOOSE: &str = "ieee[rcp.accuracy=2^-20]@high";

fn json(place: &Place, name: &str) -> serde_json::Value {
    serde_json::from_slice(&place.get(name)).expect(name)
}

fn parts(place: &Place, dir: &str) -> Vec<String> {
    let Ok(listing) = std::fs::read_dir(place.path(dir).join("parts")) else { return Vec::new() };
    let mut names: Vec<String> =
        listing.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn correct_rounding_is_legal_everywhere() {
    let place = Place::new();
    let run = place.run(&[
        "sweep",
        "--profile",
        "vulkan-highp",
        "--models",
        "ieee",
        "--random",
        "500",
        "--format",
        "jsonl",
        "-q",
    ]);
    let rows = run.exits(0).lines();
    let of = |status: &str| -> Vec<&str> {
        rows.iter().filter(|row| row["status"] == status).map(|row| row["op"].as_str().expect("a name")).collect()
    };
    assert_eq!(of("outside"), [""; 0]);
    for op in ["add", "sub", "mul", "mad", "dot4", "rcp", "rsq", "sqrt", "div", "exp2", "log2", "pow", "sin", "cos"] {
        assert!(of("inside").contains(&op), "{op}: {:?}", of("inside"));
    }
    // What the profile is silent about is named.
    assert!(!of("no_bound").is_empty());
    assert_eq!(of("inside").len() + of("no_bound").len() + of("free").len(), rows.len());
    assert!(rows.iter().all(|row| row["status"] == "no_bound" || row["inputs"].as_u64() > Some(500)));
}

#[test]
fn ends_of_documented_bounds_are_legal_or_not() {
    let place = Place::new();
    let outside = |model: &str, code: i32| -> Vec<String> {
        let args =
            ["sweep", "--profile", "vulkan-highp", "--models", model, "--random", "300", "--format", "jsonl", "-q"];
        let rows = place.run(&args).exits(code).lines();
        let of = rows.iter().filter(|row| row["status"] == "outside");
        of.map(|row| row["op"].as_str().expect("a name").to_string()).collect()
    };
    // Mesa's blend, a * (b - c) + c, overflows where that of the specification does not.
    for model in ["maxwell@low", "maxwell@high", "maxwell"] {
        assert_eq!(outside(model, 1), ["lrp"], "{model}");
    }
    assert_eq!(outside("rogue", 0), [""; 0]);
    // 2^-22 of the binade of 1/2 are four units in the last place.
    assert_eq!(outside("nvfp@high", 1), ["rcp", "rsq"]);
}

#[test]
fn what_is_too_loose_is_found_out() {
    let place = Place::new();
    let run =
        place.run(&["sweep", "--profile", "vulkan-highp", "--models", &format!("ieee,{LOOSE}"), "--random", "200"]);
    run.exits(1)
        .prints("OUTSIDE")
        .prints(&format!("rcp under {LOOSE}:"))
        .prints("ulp beyond")
        .prints("Not bounded by vulkan-highp");
    let run =
        place.run(&["sweep", "rcp", "--model", LOOSE, "--profile", "vulkan-highp", "--range", "1..1.001", "-o", "out"]);
    run.exits(1).prints("OUTSIDE").prints("first").prints("worst");
    let summary = json(&place, "out/sweep.json");
    let legal = &summary["legal"];
    assert!(legal["outside"].as_u64() > Some(1000), "{legal}");
    assert_eq!(legal["first"]["at"][0], "3f800001 (1.0000001)");
    assert_eq!(summary["plan"]["profile"], "vulkan-highp");
    // Inside: the same operation without the looseness, in all forms.
    let good = ["sweep", "rcp", "--profile", "vulkan-highp", "--range", "1..1.001", "-o", "good"];
    place.run(&good).exits(0).prints("all inside");
    let form = |form: &str| place.run(&[&good[..], &["--format", form]].concat()).exits(0).text().to_string();
    assert_eq!(form("json").parse::<serde_json::Value>().expect("JSON")["legal"]["outside"], 0);
    assert_eq!(form("jsonl").lines().count(), 1);
    let csv = form("csv");
    let (head, row) = csv.split_once('\n').expect("two lines");
    assert_eq!(head.split(',').next_back(), Some("outside"));
    assert_eq!(row.trim_end().split(',').next_back(), Some("0"));
}

#[test]
fn shards_are_judged_and_add_up() {
    let place = Place::new();
    // Anything goes but around the border of two blocks of inputs.
    place.put(
        "p.toml",
        "name = \"p\"\n[[bound]]\nops = [\"rcp\"]\nrange = [1.0312, 1.0313]\nulp = 2.5\nsource = \"a test\"\n\
        [[bound]]\nops = [\"rcp\"]\nanything = true\nsource = \"a test\"\n",
    );
    let base = ["sweep", "rcp", "--model", LOOSE, "--profile", "p.toml", "--range", "1..1.035"];
    let with = |more: &[&str]| place.run(&[&base[..], more].concat());
    with(&["-o", "whole"]).exits(1);
    // A shard has no verdict of its own.
    with(&["-o", "cut", "--shard", "2/2"]).exits(0);
    place.run(&["sweep", "merge", "cut"]).exits(3).says("1 of 2 shards are missing, the first is 1");
    with(&["-o", "cut", "--shard", "1/2"]).exits(0);
    place.run(&["sweep", "merge", "cut"]).exits(1).prints("OUTSIDE");
    // Results go where they are asked to, and nowhere else.
    let before = place.get("cut/sweep.json");
    std::fs::remove_file(place.path("cut/sweep.json")).unwrap();
    place.run(&["sweep", "merge", "cut", "-o", "new/place"]).exits(1).says("new/place/sweep.svg");
    assert_eq!(place.get("new/place/sweep.json"), before);
    assert!(!place.path("cut/sweep.json").exists());
    place.run(&["sweep", "merge", "cut"]).exits(1);
    for name in ["sweep.json", "sweep.jsonl", "sweep.csv", "special.csv", "sweep.svg"] {
        assert_eq!(place.get(&format!("whole/{name}")), place.get(&format!("cut/{name}")), "{name}");
    }
}

#[test]
fn a_profile_or_a_model_of_the_same_name_is_another_sweep() {
    let place = Place::new();
    let profile =
        |ulp: u32| format!("name = \"mine\"\n[[bound]]\nops = [\"exp2\"]\nulp = {ulp}\nsource = \"a test\"\n");
    let model = |bits: u32| format!("name = \"m\"\n[[set]]\nops = [\"exp2\"]\naccuracy = \"2^-{bits}\"\n");
    let run = || {
        let args = ["--model", "m@high", "--model-file", "m.toml", "--profile", "p.toml"];
        place.run(&[&["sweep", "exp2", "--range", "1..1.001", "-o", "out"][..], &args].concat())
    };
    place.put("p.toml", profile(2)).put("m.toml", model(22));
    run().exits(0).prints("mine").prints("all inside");
    run().exits(0);
    place.put("p.toml", profile(1));
    run().exits(2).says("belongs to another sweep");
    place.put("p.toml", profile(2)).put("m.toml", model(21));
    run().exits(2).says("belongs to another sweep");
}

#[test]
fn engines_measure_the_same() {
    let place = Place::new();
    let cases: [&[&str]; 4] = [
        &["exp2", "--model", "maxwell@high", "--range", "1..1.001"],
        &["mad", "--model", "nv40", "--random", "3000"],
        &["mul", "--float", "fx12", "--model", "nv-patent", "--shard", "1/64"],
        &["log2", "--model", "binary64", "--against", "rogue", "--range", "3..3.0001"],
    ];
    for case in cases {
        let measured = ["interp", "jit", "auto"].map(|engine| {
            let run = place.run(&[&["sweep"], case, &["--engine", engine, "-o", engine, "-q"]].concat());
            let files = parts(&place, engine).into_iter().map(|part| place.get(&format!("{engine}/parts/{part}")));
            let all: Vec<Vec<u8>> = files.collect();
            run.exits(0);
            std::fs::remove_dir_all(place.path(engine)).expect("a folder");
            all
        });
        assert!(!measured[0].is_empty() && measured[0] == measured[1] && measured[0] == measured[2], "{case:?}");
    }
}

#[test]
fn profiles_that_do_not_fit_say_so() {
    let place = Place::new();
    let sweep = |args: &[&str]| place.run(&[&["sweep"], args].concat());
    sweep(&["exp2", "--profile", "vulkan-higp"]).exits(2).says("did you mean `vulkan-highp`?");
    sweep(&["--profile", "absent.toml"]).exits(2).says("absent.toml");
    sweep(&["lit.z", "--profile", "vulkan-highp"]).exits(3).says("has no bound for `lit.z`");
    sweep(&["exp2", "--float", "half", "--profile", "vulkan-highp"]).exits(2).says("is for operations on fp32");
    sweep(&["exp2", "--against", "nv40", "--profile", "vulkan-highp"]).exits(2).says("not with another model");
    sweep(&["--profile", "vulkan-highp", "--shard", "1/2"]).exits(2).says("--shard needs an operation");
    sweep(&["--profile", "vulkan-highp", "--model", "nv40"]).exits(2).says("write --models");
    sweep(&["--profile", "vulkan-highp", "--models", "ieeee"]).exits(2).says("did you mean \"ieee\"?");
    sweep(&["merge", "x", "--model", "nvfp"]).exits(2).says("`sweep merge` takes no --model");
    sweep(&["merge", "x", "--profile", "vulkan-highp"]).exits(2).says("takes no --profile");
    sweep(&[]).exits(2);
    place.put("p.toml", "name = \"p\"\n[[bound]]\nops = [\"exp3\"]\nulp = 1\nsource = \"x\"\n");
    sweep(&["exp2", "--profile", "p.toml"]).exits(2).says("p.toml:3:8").says("did you mean `exp2`?");
}

#[test]
fn ranges_that_cannot_be() {
    let place = Place::new();
    let range = |text: &str| place.run(&["sweep", "exp2", "--range", text, "-o", "out"]);
    range("2..1").exits(2).says("`--range 2..1` is empty: its first value is greater than its last");
    range("1").exits(2).says("`--range 1` is not a range; write `0.5..2`");
    range("nan..1").exits(2).says("the ends of a range cannot be NaN");
    range("1..NaN").exits(2).says("the ends of a range cannot be NaN");
    range("0x7fc00000..0x7fc00001").exits(2).says("`0x7fc00000` is NaN");
    range("0..0x123456789").exits(2).says("`0x123456789` is not a pattern of fp32");
    range("0..one").exits(2).says("`one` is not a number");
    range("..").exits(2).says("`` is not a number");
    place
        .run(&["sweep", "add", "--range", "0..1"])
        .exits(2)
        .says("`add` has 2 operands; --range needs a unary operation");
    place.run(&["sweep", "add", "--all"]).exits(2).says("too many inputs in fp32 for --all");
    assert!(!place.path("out").exists());
}

/// They were ignored: everything was swept.
#[test]
fn random_and_seed_are_refused_where_every_input_is_taken() {
    let place = Place::new();
    let sweep = |args: &[&str]| place.run(&[&["sweep"], args, &["-o", "out"]].concat());
    sweep(&["rsq", "--random", "1"]).exits(2).says("--random is for sampled sweeps").says("--range A..B");
    sweep(&["rsq", "--float", "half", "--seed", "3"]).exits(2).says("--seed is for sampled sweeps; `rsq`");
    sweep(&["add", "--float", "half", "--random", "100"]).exits(2).says("`add` in half is swept over all pairs");
    sweep(&["exp2", "--range", "1..2", "--random", "9"]).exits(2).says("a range is always swept completely");
    assert!(!place.path("out").exists());
    sweep(&["mad", "--random", "9", "--seed", "3", "--format", "jsonl"]).exits(0).prints("\"seed\":3");
}

#[test]
fn shards_that_cannot_be() {
    let place = Place::new();
    for (text, says) in [
        ("0/4", "shard 0 of 4 does not exist; shards are numbered from 1"),
        ("5/4", "shard 5 of 4 does not exist"),
        ("0/0", "shard 0 of 0 does not exist"),
        ("1/200000", "--shard 1/200000: there are at most 100000 shards"),
        ("2-8", "`--shard 2-8` is not a shard; write `2/8` for the second of eight"),
        ("x/8", "is not a shard"),
        ("1/8/9", "is not a shard"),
        ("-1/8", "is not a shard"),
    ] {
        let shard = format!("--shard={text}");
        place.run(&["sweep", "exp2", "--float", "half", &shard, "-o", "out"]).exits(2).says(says);
    }
    assert!(!place.path("out").exists());
    place.run(&["sweep", "merge"]).exits(2).says("parallax sweep merge DIR");
    place.run(&["sweep", "merge", "absent"]).exits(2).says("cannot read absent/parts");
    place.run(&["sweep", "exp2", "absent"]).exits(2).says("only `sweep merge` takes a folder here");
}

#[test]
fn names_that_are_not_there() {
    let place = Place::new();
    place.run(&["sweep", "exp3"]).exits(2).says("unknown operation `exp3`; did you mean `exp2`?");
    place.run(&["sweep", "flt"]).exits(2).says("`flt` cannot be swept");
    place.run(&["sweep", "exp2", "--float", "haf"]).exits(2).says("unknown format `haf`").says("did you mean `half`?");
    place.run(&["sweep", "exp2", "--model", "maxwel"]).exits(2).says("did you mean \"maxwell\"?");
    place.run(&["sweep", "exp2", "--against", "exakt"]).exits(2).says("did you mean \"exact\"?");
    place.put("a.toml", "name = \"a\"\ninherits = \"b.toml\"\n").put("b.toml", "name = \"b\"\ninherits = \"a.toml\"\n");
    let run = place.run(&["sweep", "exp2", "--model", "a", "--model-file", "a.toml"]);
    run.exits(2).says("error[model-cycle]").says("toml:2:12").says("from this file");
}

#[test]
fn a_full_disk_keeps_finished_parts_and_leaves_no_torn_ones() {
    let place = Place::new();
    let args = ["sweep", "exp2", "--range", "1..1.1", "-o", "out"];
    // No file may become larger than a few kilobytes, which every part is.
    let on_full_disk = || {
        let program = support::binary().display();
        let script = format!("trap '' XFSZ; ulimit -f 4; exec {program} {}", args.join(" "));
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).expect("text")
    };
    let kept = ["00001-of-00064.json", "00002-of-00064.json"];
    for shard in ["1/64", "2/64"] {
        place.run(&[&args[..], &["--shard", shard]].concat()).exits(0);
    }
    let message = on_full_disk();
    assert!(message.contains("cannot write") && message.contains("00003-of-00064.json: File too large"), "{message}");
    assert_eq!(parts(&place, "out"), kept);
    // With room again the same command goes on.
    place.run(&args).exits(0);
    assert_eq!(parts(&place, "out").len(), 64);
    // A folder that is none.
    place.put("file", "");
    place.run(&["sweep", "exp2", "--range", "1..1.1", "-o", "file"]).exits(2).says("cannot create file/parts");
    // A result that cannot be written leaves the parts, too.
    std::fs::remove_file(place.path("out/sweep.svg")).expect("a result");
    let message = on_full_disk();
    assert!(message.contains("cannot write out/sweep.") && message.contains("File too large"), "{message}");
    assert_eq!(parts(&place, "out").len(), 64);
    let names = std::fs::read_dir(place.path("out")).expect("a folder").flatten().map(|entry| entry.file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".tmp")));
}

fn wait_for(child: &mut Child, what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before it was interrupted");
        assert!(start.elapsed() < Duration::from_secs(60), "nothing happens");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn interrupted_it_goes_on_from_finished_parts() {
    let place = Place::new();
    let args = ["sweep", "exp2", "--model", "ieee", "--range", "1..1.5", "--threads", "1", "-o", "out"];
    let mut child = place.start(&args);
    wait_for(&mut child, || parts(&place, "out").iter().any(|name| name.ends_with(".json")));
    let signal = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(signal.success());
    let run = finish(child, b"");
    run.exits(130).says("finished parts are kept, and the same command resumes");
    let kept = parts(&place, "out");
    assert!(!kept.is_empty() && kept.len() < 64 && kept.iter().all(|name| name.ends_with(".json")), "{kept:?}");
    let first = place.path("out/parts").join(&kept[0]);
    let written = || first.metadata().and_then(|m| m.modified()).expect("a part");
    let before = written();
    place.run(&["sweep", "merge", "out"]).exits(3).says("shards are missing");
    place.run(&args).exits(0);
    assert_eq!(written(), before, "a finished part was made again");
    place.run(&[&args[..8], &["-o", "whole"]].concat()).exits(0);
    assert_eq!(place.get("whole/sweep.json"), place.get("out/sweep.json"));
}
