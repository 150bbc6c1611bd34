//! Multisampled draws on the command line: what `run` says of samples, and what reports do.

use crate::support;

use serde_json::json;
use support::Place;

/// A triangle over the upper left half of four pixels; the value of a sample is its number, whichever pixel it is in.
fn place() -> Place {
    let place = Place::new();
    place.put(
        "edge.tgsi",
        "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.25, 0, 0, 1}\nDCL TEMP[0]\n\
         U2F TEMP[0].x, SV[0].xxxx\nMUL OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\nMOV OUT[0].w, IMM[0].wwww\nEND\n",
    );
    place.put(
        "edge.toml",
        "size = [2, 2]\ntarget = \"unorm8\"\n[geometry]\nkind = \"triangles\"\n\
         positions = [[-1, 1], [-1, -1], [1, 1]]\n[samples]\ncount = 4\n",
    );
    place
}

#[test]
fn run_shows_the_samples_of_a_pixel() {
    let place = place();
    let run = place.run(&["run", "edge.tgsi", "--pixel", "0,0", "--pixel", "1,0", "--pixel", "1,1"]);
    run.exits(0).prints("2x2 pixels, 4 samples per pixel, each shaded, ");
    run.prints("pixel 0,0, 4 of 4 samples covered (mask f)");
    run.prints("pixel 1,1, not covered");
    // The diagonal goes through the other two pixels; it has the samples to its upper left.
    run.prints("pixel 1,0, 2 of 4 samples covered (mask 5)").prints("sample 2 (-6, 2)");
    let lines: Vec<&str> = run.text().lines().map(str::trim).collect();
    let sample = |name: &str| lines.iter().filter(|line| line.starts_with(name)).count();
    assert_eq!(sample("sample 3 (2, 6)"), 3 * 2, "{}", run.text());
}

#[test]
fn run_gives_samples_to_machines() {
    let place = place();
    let found = &place.run(&["run", "edge.tgsi", "--format", "jsonl", "--pixel", "1,0"]).exits(0).lines()[0];
    assert_eq!(found["samples"], json!({"positions": [[-2, -6], [6, -2], [-6, 2], [2, 6]], "per_sample": true}));
    let pixel = &found["pixels"][0];
    assert_eq!((&pixel["coverage"], &pixel["covered"]), (&json!("5"), &json!(true)));
    let samples = pixel["samples"].as_array().expect("samples");
    let red: Vec<_> = samples.iter().map(|s| (s["covered"].as_bool(), s["bits"]["OUT[0].x"].as_str())).collect();
    let half = Some("3f000000");
    assert_eq!(red, [(Some(true), Some("00000000")), (Some(false), None), (Some(true), half), (Some(false), None)]);
    assert_eq!(samples[2]["stored"]["OUT[0].x"], "80");
    assert_eq!(samples[1], json!({"position": [6, -2], "covered": false, "bits": {}, "values": {}, "stored": {}}));
    // A quarter of 0.5 in the container; of 0, 0, 128 and 0 in the target.
    assert_eq!((&pixel["bits"]["OUT[0].x"], &pixel["stored"]["OUT[0].x"]), (&json!("3e000000"), &json!("20")));
    // One sample: not a word of samples.
    place.put("edge.toml", "size = [2, 2]\n");
    let found = &place.run(&["run", "edge.tgsi", "--format", "jsonl", "--pixel", "1,0"]).exits(0).lines()[0];
    assert!(found.get("samples").is_none() && found["pixels"][0].get("coverage").is_none(), "{found}");
}

#[test]
fn reports_say_how_pixels_are_sampled() {
    let place = place();
    let run = place.run(&["compare", "edge.tgsi", "--models", "nv40,attila", "--out", "r"]);
    run.exits(0).prints("2x2, 4 samples per pixel, each shaded, stored as unorm8");
    let page = String::from_utf8(place.get("r/index.html")).expect("text");
    assert!(page.contains("2×2 pixels, 4 samples per pixel, each shaded, stored as unorm8"));
}

/// The command line overrides the count of the manifest and keeps the rate.
#[test]
fn samples_can_be_asked_for() {
    let place = place();
    let of = |args: &[&str]| {
        let args = [&["run", "edge.tgsi", "--format", "jsonl"], args].concat();
        place.run(&args).exits(0).lines()[0]["samples"].clone()
    };
    assert_eq!(of(&["--samples", "2"]), json!({"positions": [[4, 4], [-4, -4]], "per_sample": true}));
    assert!(of(&["--samples", "1"]).is_null());
    place.put("edge.toml", "[samples]\ncount = 4\npositions = [[0, 0], [1, 1], [2, 2], [3, 3]]\nper_sample = false\n");
    assert_eq!(of(&["--samples", "2"])["per_sample"], false);
    for bad in ["3", "0", "32", "x"] {
        place.run(&["run", "edge.tgsi", "--samples", bad]).exits(2).says("a pixel has 1, 2, 4, 8 or 16 samples");
    }
    let run = place.run(&["compare", "edge.tgsi", "--models", "nv40", "--no-report", "--samples", "16"]);
    run.exits(0).prints("16 samples per pixel)");
}

#[test]
fn bad_samples_are_errors_in_the_manifest() {
    let place = place();
    place.put("edge.toml", "[samples]\ncount = 5\n");
    place.run(&["run", "edge.tgsi"]).exits(2).says("edge.toml:2:9").says("1, 2, 4, 8 or 16 samples");
    place.put("edge.toml", "[samples]\ncount = 16\n");
    place.run(&["bench", "edge.tgsi", "--size", "4096x4096"]).exits(2).says("at most 16777216 samples");
}
