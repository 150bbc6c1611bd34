//! Comparisons in continuous integration: earlier results, limits in manifests, JUnit, Markdown.

use crate::support;

use support::Place;

const STEADY: &str = "!!FP1.0\nMULR R0, f[TEX0], f[TEX0].yxzw;\nMULR o[COLR], R0, {0.5, 0.5, 0.5, 1};\nEND\n";
/// The same sum, with its low bits lost on the way.
const SHAKY: &str = "!!FP1.0\n\
    MULR R0, f[TEX0], f[TEX0].yxzw;\n\
    ADDR R0, R0, {65536, 65536, 65536, 65536};\n\
    ADDR R0, R0, -{65536, 65536, 65536, 65536};\n\
    MULR o[COLR], R0, {0.5, 0.5, 0.5, 1};\n\
    END\n";
const MODELS: [&str; 4] = ["--models", "ieee,nv40", "--size", "32x32"];

fn compare<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["compare", "in"], &MODELS[..], more].concat()
}

/// A folder with two shaders, and their results under `old`.
fn before() -> Place {
    let place = Place::new();
    place.put("in/a.fp", STEADY).put("in/b.fp", STEADY.replace("0.5, 0.5, 0.5", "0.25, 0.5, 1"));
    place.run(&compare(&["--out", "old"])).exits(0);
    place
}

#[test]
fn a_planted_regression_is_caught_and_named() {
    let place = before();
    let same = place.run(&compare(&["--no-report", "--baseline", "old/results.jsonl"]));
    same.exits(0).prints("Since old/results.jsonl: 4 as before");
    place.put("in/b.fp", SHAKY);
    let worse = place.run(&compare(&["--no-report", "--baseline", "old/results.jsonl"]));
    worse.exits(1).prints("Since old/results.jsonl: 2 worse, 2 as before");
    worse.says("baseline: in/b.fp under ieee: verdict").says("in/b.fp under nv40");
    assert!(!worse.err.contains("baseline: in/a.fp"));
    // The other way round it is better, and nothing fails.
    place.run(&compare(&["--out", "new"])).exits(0);
    place.put("in/b.fp", STEADY);
    place.run(&compare(&["--no-report", "--baseline", "new/results.jsonl"])).exits(0).prints("2 better, 2 as before");
}

#[test]
fn a_shader_that_no_longer_runs_is_worse() {
    let place = before();
    place.put("in/b.fp", "!!FP1.0\nMULQ R0, R0, R0;\nEND\n");
    let run = place.run(&compare(&["--no-report", "--baseline", "old/results.jsonl"]));
    run.exits(2).says("baseline: in/b.fp under nv40: status ok -> invalid");
}

#[test]
fn what_is_new_and_gone_is_counted() {
    let place = before();
    place.put("in/c.fp", STEADY);
    std::fs::remove_file(place.path("in/b.fp")).expect("the file is there");
    let run = place.run(&compare(&["--no-report", "--baseline", "old/results.jsonl"]));
    run.exits(0).prints("2 new, 2 gone, 2 as before").prints("gone: in/b.fp under nv40");
}

#[test]
fn another_draw_is_not_taken_for_the_same() {
    let place = before();
    let args =
        ["compare", "in", "--models", "ieee", "--size", "16x16", "--no-report", "--baseline", "old/results.jsonl"];
    place.run(&args).exits(1).says("cannot be compared: drawn at 32x32, now at 16x16");
}

#[test]
fn damaged_and_foreign_results_are_refused() {
    let place = before();
    place.put("cut.jsonl", "{\"schema\":\"parallax-compare/4\",\"shader\":");
    place.put("old.jsonl", "{\"schema\":\"parallax-compare/1\"}").put("bytes.jsonl", [0xff, 0xfe, 0x00]);
    let good = place.get("old/results.jsonl");
    place.put("mark.jsonl", [b"\xef\xbb\xbf", &good[..]].concat());
    for file in ["old", "mark.jsonl"] {
        place.run(&compare(&["--no-report", "--baseline", file])).exits(0).prints("4 as before");
    }
    for (file, said) in [
        ("in", "cannot be read"),
        ("cut.jsonl", "--baseline cut.jsonl:1: is not a line of results"),
        ("old.jsonl", "old.jsonl:1: has results of schema \"parallax-compare/1\""),
        ("bytes.jsonl", "not valid UTF-8 at byte 0"),
        ("none.jsonl", "cannot be read"),
    ] {
        place.run(&compare(&["--no-report", "--baseline", file])).exits(2).says(said);
    }
}

#[test]
fn manifests_limit_figures_for_all_models_or_one() {
    let place = before();
    place.put("in/b.fp", SHAKY);
    place.put("in/b.toml", "[limits]\nverdict = \"another-picture\"\nmax_abs = 1e-4\n");
    let run = place.run(&compare(&["--no-report"]));
    run.exits(1).says("limit: in/b.fp under ieee: max_abs is ").says("under nv40");
    place.put("in/b.toml", "[limits]\nmax_abs = 1e-4\n[limits.ieee]\nmax_abs = 1\n");
    let run = place.run(&compare(&["--no-report"]));
    run.exits(1).says("limit: in/b.fp under nv40");
    assert!(!run.err.contains("under ieee"));
    place.put("in/b.toml", "[limits]\nmax_ulps = 4\n");
    let run = place.run(&compare(&["--no-report"]));
    run.exits(2).prints("in/b.toml: no figure \"max_ulps\"; did you mean max_ulp?");
}

/// What a vendor does is told apart from what plain binary32 does as well.
#[test]
fn limits_hold_distances_from_the_baseline() {
    let place = Place::new();
    place.put("in/b.fp", SHAKY);
    let with = |tolerance: &'static str| {
        let args = ["compare", "in", "--models", "ieee,nv40,ati-r300", "--size", "32x32", "--no-report"];
        place.run(&[&args[..], &["--tolerance", tolerance]].concat())
    };
    let run = with("baseline_pixels8=0,baseline_max8=1");
    run.exits(1).says("limit: in/b.fp under ati-r300: baseline_pixels8 is 1006, above 0").says("baseline_max8 is ");
    assert!(!run.err.contains("under ieee") && !run.err.contains("under nv40"), "{}", run.err);
    with("pixels8_changed=0").exits(1).says("under ieee").says("under nv40");
    with("baseline_pixel=0").exits(2).says("did you mean baseline_pixels8?");
    place.put("in/b.toml", "[limits.ati-r300]\nbaseline_differ = \"50%\"\n");
    place.run(&["compare", "in", "--models", "ieee,ati-r300", "--no-report"]).exits(1).says("baseline_differ is ");
}

#[test]
fn junit_and_markdown_tell_the_same() {
    let place = before();
    place.put("in/b.fp", SHAKY).put("in/c.fp", "!!FP1.0\nMULQ R0, R0, R0;\nEND\n");
    let args = ["--no-report", "--tolerance", "max_abs=1e-4", "--junit", "junit.xml", "--format", "markdown"];
    let run = place.run(&compare(&args));
    run.exits(2).prints("2 checks failed").prints("| `in/b.fp` | `nv40` | limit | max\\_abs is ");
    run.prints("| `in/c.fp` | invalid |");
    let xml = String::from_utf8(place.get("junit.xml")).expect("text");
    assert!(xml.contains("<testsuites name=\"parallax compare\" tests=\"6\" failures=\"2\" errors=\"2\">"), "{xml}");
}

#[test]
fn a_corpus_without_a_shader_that_runs_keeps_its_exit_code() {
    let place = Place::new();
    place.put("in/a.fp", "!!FP1.0\nMULQ R0, R0, R0;\nEND\n").put("in/b.fp", "!!FP1.0\nMULR");
    let run = place.run(&compare(&["--no-report", "--junit", "-", "--format", "markdown"]));
    run.exits(2).prints("| `in/a.fp` | invalid |").prints("errors=\"4\"");
}

#[test]
fn shards_in_any_order_give_the_bytes_of_one_run() {
    let place = before();
    place.put("in/c.fp", "!!FP1.0\nMULQ R0, R0, R0;\nEND\n");
    place.run(&compare(&["--out", "whole"])).exits(2);
    for shard in ["2/2", "1/2"] {
        place.run(&compare(&["--out", "cut", "--shard", shard])).exits(if shard == "2/2" { 2 } else { 0 });
    }
    let merged =
        place.run(&["compare", "--merge", "cut", "--baseline", "old/results.jsonl", "--junit", "cut/junit.xml"]);
    merged
        .exits(2)
        .prints("3 programs under 1 model, compared with ieee")
        .prints("2 new, 4 as before")
        .says("cut/index.html");
    for file in ["results.jsonl", "results.csv", "pairs.csv"] {
        assert_eq!(place.get(&format!("cut/{file}")), place.get(&format!("whole/{file}")), "{file}");
    }
    // The page as well, but for the command that made it, with all it shows; and every other form.
    let page = |folder: &str| {
        let text = String::from_utf8(place.get(&format!("{folder}/index.html"))).expect("text");
        let (before, rest) = text.split_once("<h3>Made by</h3>").expect("the command");
        (before.to_string(), rest.split_once("</pre>").expect("its end").1.to_string())
    };
    assert!(page("cut") == page("whole"));
    let beside = |folder: &str| {
        let list = ["pictures", "pixels"]
            .map(|of| std::fs::read_dir(place.path(&format!("{folder}/{of}"))).expect("a folder"));
        let mut files: Vec<_> = list.into_iter().flatten().map(|entry| entry.expect("an entry").path()).collect();
        files.sort();
        files
            .iter()
            .map(|f| (f.file_name().map(|f| f.to_owned()), std::fs::read(f).expect("a file")))
            .collect::<Vec<_>>()
    };
    assert!(beside("cut") == beside("whole") && beside("cut").len() > 2);
    assert!(String::from_utf8_lossy(&place.get("cut/junit.xml")).contains("errors=\"2\""));
    for format in ["jsonl", "json", "csv", "markdown"] {
        let merged = place.run(&["compare", "--merge", "cut", "--no-report", "--format", format]);
        let whole = place.run(&compare(&["--no-report", "--format", format]));
        let text = |run: &support::Run| run.exits(2).text().split("<sub>").next().unwrap_or_default().to_string();
        assert_eq!(text(&merged), text(&whole), "{format}");
    }
    // What is there is not run again, and what does not belong to it is refused.
    place.run(&compare(&["--out", "cut", "--shard", "1/2"])).exits(0).says("already finished");
    place.put("in/a.fp", SHAKY);
    place.run(&compare(&["--out", "cut", "--shard", "1/2"])).exits(2).says("comes from another comparison");
    std::fs::remove_file(place.path("cut/parts/00002-of-00002.json")).expect("the part is there");
    place.run(&["compare", "--merge", "cut"]).exits(2).says("not all shards are there: run --shard 2/2");
    place.run(&["compare", "--merge", "nowhere"]).exits(2).says("no shards in");
    place.run(&compare(&["--out", "cut", "--shard", "3/2"])).exits(2).says("shard 3 of 2 does not exist");
}

/// Said before any work is done.
#[test]
fn results_of_one_name_are_not_mixed_up() {
    let place = before();
    let run = place.run(&["compare", "in/a.fp", "in/a.fp", "--no-report", "--baseline", "old"]);
    run.exits(2).says("in/a.fp is compared twice");
    assert!(run.text().is_empty(), "{}", run.text());
}

/// Bytes that are no text, and what separates folders elsewhere.
#[cfg(target_os = "linux")]
#[test]
fn names_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.put("in/c.fp", STEADY).put("in/a\\b.fp", STEADY).put("in/a/b.fp", STEADY);
    for name in [b"in/\xff\xfe.fp", b"in/\xfe\xff.fp"] {
        std::fs::write(place.path("").join(std::ffi::OsStr::from_bytes(name)), STEADY).expect("files can be written");
    }
    place.run(&compare(&["--out", "old"])).exits(0);
    let run = place.run(&compare(&["--no-report", "--baseline", "old", "--format", "csv"]));
    let list: Vec<&str> = run.exits(0).text().lines().filter_map(|line| line.split(',').nth(1)).collect();
    for name in ["in/\\xff\\xfe.fp", "in/\\xfe\\xff.fp", "in/a\\b.fp", "in/a/b.fp", "in/c.fp"] {
        assert_eq!(list.iter().filter(|n| **n == name).count(), 2, "{name}: {list:?}");
    }
}

#[cfg(unix)]
#[test]
fn names_may_have_every_character_of_the_system() {
    let place = Place::new();
    let odd = "in/a \"b\" <c> & |d| `e` *f* 'g' \\h\n\t\u{1b}[31m %20 #?;$(i) \u{202e}é,.fp";
    place.put(odd, STEADY).put("in/--models.fp", STEADY);
    place.run(&compare(&["--out", "old", "--junit", "junit.xml"])).exits(0);
    let lines = String::from_utf8(place.get("old/results.jsonl")).expect("text");
    let names: Vec<String> = (lines.lines())
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["shader"].to_string())
        .collect();
    assert_eq!(names.len(), 4);
    // The same names again, and none of them leaves its place in the other forms.
    let again = place.run(&compare(&["--no-report", "--baseline", "old/results.jsonl", "--format", "markdown"]));
    again.exits(0).prints("4 as before");
    assert!(!again.text().contains('\u{1b}'));
    let xml = String::from_utf8(place.get("junit.xml")).expect("text");
    assert!(xml.contains("&quot;b&quot; &lt;c&gt; &amp; |d|"), "{xml}");
    assert_eq!(xml.matches("<testsuite ").count(), 2);
    let page = String::from_utf8(place.get("old/index.html")).expect("text");
    assert!(!page.contains("<c>"));
    for text in [page, String::from_utf8(place.get("old/results.csv")).expect("text")] {
        assert!(!text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
    }
    // Two at once into one folder: whoever ends last is whole.
    let both: Vec<_> = (0..2).map(|_| place.start(&compare(&["--out", "old"]))).collect();
    for one in both {
        support::finish(one, b"").exits(0);
    }
    assert_eq!(String::from_utf8(place.get("old/results.jsonl")).expect("text"), lines);
}

/// Two instructions, the second one exact: what the constant is decides how many pixels change and how far.
fn shaded(constant: f32) -> String {
    format!("!!FP1.0\nMULR R0, f[TEX0], f[TEX0].yxzw;\nADDR o[COLR], R0, {{{constant:?}, 0, 0, 0}};\nEND\n")
}

#[test]
fn slack_lets_figures_grow_as_far_as_it_says() {
    let place = Place::new();
    place.put("in/a.fp", shaded(0.0)).put("in/b.fp", SHAKY);
    place.run(&compare(&["--out", "old"])).exits(0);
    // Twice as much is lost: more pixels of b are a step off.
    place.put("in/b.fp", SHAKY.replace("65536", "131072"));
    let with = |slack: &[&'static str]| {
        place.run(&compare(&[&["--no-report", "--baseline", "old/results.jsonl"], slack].concat()))
    };
    with(&[]).exits(1).says("baseline: in/b.fp under ieee");
    let within = with(&["--baseline-slack", "pixels8=100%,max8=255"]);
    within
        .exits(0)
        .prints("2 worse within the slack, 2 as before")
        .prints("worse within the slack: in/b.fp under nv40: ");
    with(&["--baseline-slack", "pixels8=1%,max8=2"]).exits(1).says("in/b.fp under ieee: pixels8_changed ");
    with(&["--baseline-slack", "pixel8=1%"])
        .exits(2)
        .says("--baseline-slack pixel8=1%: no figure \"pixel8\"; did you mean pixels8?");
    // Its own manifest says more than the command line, and for one model less.
    place.put("in/b.toml", "[slack]\npixels8 = \"100%\"\nmax8 = 255\n[slack.nv40]\npixels8 = 5\n");
    let own = with(&["--baseline-slack", "pixels8=0"]);
    own.exits(1).says("in/b.fp under nv40: pixels8_changed");
    assert!(!own.err.contains("under ieee"), "{}", own.err);
    place.put("in/b.toml", "[slack]\nmax9 = 1\n");
    with(&[]).exits(2).prints("in/b.toml: no figure \"max9\"; did you mean max8?");
    place.run(&compare(&["--no-report", "--baseline-slack", "max8=1"])).exits(2).says("--baseline");
}

#[test]
fn earlier_results_are_replaced_where_that_is_asked() {
    let place = before();
    place.put("in/b.fp", SHAKY).put("in/c.fp", STEADY);
    let update = ["--no-report", "--baseline", "old/results.jsonl", "--update-baseline"];
    let run = place.run(&compare(&update));
    run.exits(0).prints("2 worse, 2 new, 2 as before").says("old/results.jsonl holds the results of this run");
    let check = ["--no-report", "--baseline", "old/results.jsonl"];
    place.run(&compare(&check)).exits(0).prints("6 as before");
    std::fs::remove_file(place.path("in/c.fp")).expect("the file is there");
    place.run(&compare(&update)).exits(0).says("2 that were not compared now are gone");
    // The first time there is nothing yet.
    let first = ["--no-report", "--baseline", "new.jsonl", "--update-baseline"];
    place.run(&compare(&first)).exits(0).prints("4 new");
    place.run(&compare(&["--no-report", "--baseline", "new.jsonl"])).exits(0).prints("4 as before");
}
