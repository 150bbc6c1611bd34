//! Large frames are compared in strips: what is said of them is what whole frames say.

use crate::support;

use serde_json::Value;
use support::Place;

/// A program with triangles, discarded pixels and textures, larger than a strip. What a manifest expects may be anywhere, so that frames
/// of the second are whole.
#[test]
fn strips_say_what_whole_frames_say() {
    let place = Place::new();
    let file = |name: &str| parallax_corpus::get(&format!("tgsi/{name}")).expect("an effect").bytes;
    let manifest = String::from_utf8(file("parallax.toml").to_vec()).expect("text");
    place.put("p.tgsi", file("parallax.tgsi")).put("p.toml", &manifest);
    place.put("w.tgsi", file("parallax.tgsi"));
    place
        .put("w.toml", format!("{manifest}\n[[expect]]\npixel = [0, 0]\ncovered_only = true\nvalues = [0]\nabs = 9\n"));
    let lines = |name: &str, figures: &[&str]| -> Vec<Value> {
        let options = ["compare", name, "--no-report", "--models", "ieee,nv40,ati-r300,binary64", "--size", "1101x997"];
        let run = place.run(&[&options[..], figures].concat());
        let mut lines = run.exits(0).lines();
        for line in &mut lines {
            let line = line.as_object_mut().expect("an object");
            // What tells results apart is made of strips where there are several.
            assert!(line["shader"].is_string() && line["result"].is_string());
            line.remove("shader");
            line.remove("result");
        }
        lines
    };
    let figures = ["--format", "jsonl"];
    let (strips, whole) = (lines("p.tgsi", &figures), lines("w.tgsi", &figures));
    assert_eq!(strips.len(), 4);
    assert_eq!(strips, whole);
    let number = |line: &Value, key: &str| line[key].as_f64().expect(key);
    assert!(number(&strips[2], "coverage_flips") > 0.0 && number(&strips[2], "median_ulp") > 0.0, "{}", strips[2]);
    // One thread or several.
    assert_eq!(lines("p.tgsi", &["--format", "jsonl", "--threads", "1"]), strips);
    // The most visible difference and what causes it, in words.
    let said = |name: &str| {
        let run = place.run(&["compare", name, "--no-report", "--models", "ieee,nv40,ati-r300", "--size", "1101x997"]);
        run.exits(0).text().replace(name, "NAME")
    };
    assert_eq!(said("p.tgsi"), said("w.tgsi"));
}
