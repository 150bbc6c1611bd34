//! What `explain` finds, prints and refuses.

use crate::support;

use serde_json::Value;
use support::Place;

fn corpus(name: &str) -> &'static [u8] {
    parallax_corpus::get(name).expect("a shader").bytes
}

/// A shader of the corpus with its manifest.
fn put(place: &Place, name: &str) {
    for ending in ["tgsi", "toml"] {
        place.put(&format!("{name}.{ending}"), corpus(&format!("tgsi/{name}.{ending}")));
    }
}

fn kind<'a>(lines: &'a [Value], kind: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["kind"] == kind).collect()
}

#[test]
fn a_separate_multiply_add_is_found() {
    let place = Place::new();
    put(&place, "mandelbrot");
    let args = ["explain", "mandelbrot.tgsi", "--model", "nv40", "--against", "ieee", "--size", "48x48"];
    let run = place.run(&args);
    run.exits(0)
        .prints("nv40 against ieee, 48x48")
        .prints("mad.mad = separate instead of fused")
        .prints("decided by luck");
    let lines = place.run(&[&args[..], &["--json"]].concat()).exits(0).lines();
    let first = kind(&lines, "instruction")[0];
    assert!(first["text"].as_str().unwrap().starts_with("MAD TEMP[1].x, TEMP[1].xxxx, TEMP[1].xxxx"), "{first}");
    assert!(first["fixed"].as_f64().unwrap() > 0.9 && first["caused"].as_f64().unwrap() > 0.9, "{first}");
    assert_eq!((&first["schema"], &first["rank"]), (&Value::from(1), &Value::from(1)));
    let field = &first["fields"][0];
    assert_eq!(
        (&field["field"], &field["value"], &field["other"]),
        (&"mad".into(), &"separate".into(), &"fused".into())
    );
    assert!(!field["source"].as_str().unwrap().is_empty() && field["tier"] == "assumed");
    assert!(!kind(&lines, "branch").is_empty() && kind(&lines, "stability").len() == 1);
    assert!(!kind(&lines, "format").is_empty());
}

#[test]
fn a_zero_that_wins_over_infinity_is_found() {
    let place = Place::new();
    put(&place, "eclipse");
    let args = ["explain", "eclipse.tgsi", "--model", "ieee", "--against", "d3d9", "--size", "48x48", "--json"];
    let lines = place.run(&args).exits(0).lines();
    assert_eq!(kind(&lines, "instruction")[0]["fields"][0]["field"], "zero_mul");
    let special = kind(&lines, "special")[0];
    assert_eq!((&special["op"], &special["value"]), (&"rcp".into(), &"inf".into()), "{special}");
    assert!(special["end"]["text"].as_str().unwrap().starts_with("MAD_SAT"), "{special}");
    assert!(special["chain"].as_array().unwrap().len() >= 3, "{special}");
}

#[test]
fn a_special_value_in_an_output_is_followed_to_its_birth() {
    let place = Place::new();
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM FLT32 { 0.0, 0.5, 1.0, 2.0 }\n\
                SLT TEMP[0].x, IN[0].xxxx, IMM[0].yyyy\nRCP TEMP[0].y, TEMP[0].xxxx\nMUL TEMP[0].z, TEMP[0].yyyy, IMM[0].wwww\n\
                MOV OUT[0].x, TEMP[0].zzzz\nEND\n";
    place.put("x.tgsi", text);
    let lines = place.run(&["explain", "x.tgsi", "--model", "nv40", "--json"]).exits(0).lines();
    let special = kind(&lines, "special")[0];
    assert!(special["text"].as_str().unwrap().starts_with("RCP"), "{special}");
    assert_eq!((&special["output"], &special["reached"]), (&"OUT[0].x".into(), &"inf".into()));
}

#[test]
fn a_shader_that_differs_nowhere_says_so() {
    let place = Place::new();
    put(&place, "toon");
    place
        .run(&["explain", "toon.tgsi", "--model", "ieee", "--against", "ieee", "--size", "16x16"])
        .exits(0)
        .prints("no pixel differs");
}

#[test]
fn one_pixel_can_be_asked_about() {
    let place = Place::new();
    put(&place, "toon");
    let args = ["explain", "toon.tgsi", "--model", "nv40", "--size", "16x16"];
    place.run(&[&args[..], &["--pixel", "3,5"]].concat()).exits(0).prints("in 4 pixels");
    place.run(&[&args[..], &["--worst"]].concat()).exits(0).prints("in 4 pixels");
    place.run(&[&args[..], &["--pixel", "16,5"]].concat()).exits(2).says("outside the draw of 16x16 pixels");
    place.run(&[&args[..], &["--pixel", "3,5", "--worst"]].concat()).exits(2);
    place.run(&["explain", "toon.tgsi", "--model", "nv41"]).exits(2).says("nv41");
}

#[test]
fn what_does_not_end_is_reported_and_the_others_go_on() {
    let place = Place::new();
    put(&place, "toon");
    let text = "FRAG\nDCL OUT[0], COLOR\nIMM FLT32 { 1.0, 0.0, 0.0, 0.0 }\nBGNLOOP\nMOV OUT[0], IMM[0]\nENDLOOP\nEND\n";
    place.put("endless.tgsi", text).put("broken.tgsi", "FRAG\nMUL\n");
    let run = place.run(&["explain", ".", "--model", "nv40", "--size", "16x16"]);
    run.exits(2).prints("toon.tgsi: nv40 against binary64").says("draw-endless").says("broken.tgsi");
}

#[test]
fn a_very_long_shader_is_refused() {
    let place = Place::new();
    let mut text =
        String::from("FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMOV TEMP[0], IN[0]\n");
    (0..5000).for_each(|_| text.push_str("MUL TEMP[0], TEMP[0], IN[0]\n"));
    text.push_str("MOV OUT[0], TEMP[0]\nEND\n");
    place.put("long.tgsi", &text);
    place.run(&["explain", "long.tgsi", "--model", "nv40", "--size", "4x4"]).exits(3).says("explain-long");
}

#[test]
fn instructions_that_can_be_half_are_named() {
    let place = Place::new();
    put(&place, "checker_aa");
    let run =
        place.run(&["explain", "checker_aa.tgsi", "--model", "ieee", "--demote", "half", "--size", "24x24", "--json"]);
    let lines = run.exits(0).lines();
    assert_eq!((&lines[0]["kind"], &lines[0]["visible"]), (&"demotion".into(), &0.into()));
    assert!(!lines[0]["demoted"].as_array().unwrap().is_empty(), "{}", lines[0]);
    place.run(&["explain", "checker_aa.tgsi", "--demote", "fp32"]).exits(2).says("narrow format");
}

#[test]
fn a_vertex_program_is_named_as_the_cause() {
    let place = Place::new();
    for name in ["faraway.spa5", "faraway.toml", "faraway_vertex.spa5"] {
        place.put(name, corpus(&format!("spa5/{name}")));
    }
    let args = ["explain", "faraway.spa5", "--model", "nv-patent", "--against", "ieee", "--size", "48x48"];
    place
        .run(&args)
        .exits(0)
        .prints("the vertex program gives another position to")
        .prints("over the vertices of ieee");
    let lines = place.run(&[&args[..], &["--json"]].concat()).exits(0).lines();
    let vertices = kind(&lines, "vertices")[0];
    let number = |key: &str| vertices[key].as_u64().unwrap();
    assert_eq!(number("corners"), 24 * 16 * 6);
    assert!(number("positions") > 100 && number("changed") > 100 && number("changed") <= number("of"), "{vertices}");
    // Under one arithmetic vertices are the same.
    let same = ["explain", "faraway.spa5", "--model", "ieee", "--against", "ieee", "--size", "48x48", "--json"];
    assert!(kind(&place.run(&same).exits(0).lines(), "vertices").is_empty());
    // The summary of a comparison names it, too.
    let compared = ["compare", "faraway.spa5", "--models", "nv-patent", "--no-report", "--size", "48x48"];
    place.run(&compared).exits(0).prints("the main cause is the vertex program");
}

/// A sum from which a driver takes what it had added, so that digits are kept which the program as written loses.
#[test]
fn what_a_driver_reorders_is_named() {
    let place = Place::new();
    place.put("rings.nvfp", corpus("nvfp/ulp_rings.nvfp")).put("rings.toml", corpus("nvfp/ulp_rings.toml"));
    let args = ["compare", "rings.nvfp", "--size", "32x32", "--models", "ieee,llvmpipe", "--no-report"];
    place.run(&args).exits(0).prints("line 7, ADDR R1.x, R1.x, -p[1].y; (reordered by a driver)");
}

/// What the page and the summary call the most visible result is what they explain, and no row is without a cause or a reason.
#[test]
fn the_most_visible_result_is_the_one_that_is_explained() {
    let place = Place::new();
    let files = ["spirv/globe_vertex.spvasm", "attila/ulp_rings.attila", "attila/mandelbrot.attila"];
    for file in files {
        let (folder, name) = file.split_once('/').unwrap();
        let manifest = format!("{}.toml", name.split('.').next().unwrap());
        place.put(name, corpus(file)).put(&manifest, corpus(&format!("{folder}/{manifest}")));
    }
    let endless = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nIMM FLT32 { 1.0, 16777216.0, 0.1, 0.0 }\n\
                   MOV TEMP[0], IMM[0].wwww\nBGNLOOP\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nSGE TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy\n\
                   IF TEMP[0].yyyy\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n";
    place.put("endless.tgsi", endless);
    let args = ["compare", ".", "--size", "32x32", "--models", "ieee,llvmpipe,rogue,ati-r300,nv40"];
    let run = place.run(&[&args[..], &["--no-report"]].concat());
    let text = run.text();
    let table = text.split("most visible differences").nth(1).expect("a table").split("\n\n").next().expect("a table");
    let rows: Vec<&str> = table.lines().skip(2).collect();
    assert!(rows.len() >= files.len(), "{text}");
    for row in rows {
        let cells: Vec<&str> = row.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let cause = cells.last().unwrap();
        let named =
            ["line ", "byte ", "the ", "loops ", "chaotic", "several "].iter().any(|start| cause.starts_with(start));
        assert!(named, "{row}");
        if row.contains("globe_vertex") {
            assert!(cause.starts_with("line 13, float angle"), "{row}");
        }
    }
    place.run(&[&args[..], &["--out", "r"]].concat());
    let page = String::from_utf8(place.get("r/index.html")).expect("text");
    let mut explained = 0;
    for program in page.split("<details class=\"program\"").skip(1) {
        let Some(blamed) = program.split("Which instruction, ").nth(1) else { continue };
        let model = blamed.split(" against ").next().unwrap();
        let first = program
            .split("<figure id=")
            .skip(1)
            .find(|card| !card.contains("what the others are compared with") && card.contains("<b>"));
        let shown = first.and_then(|card| card.split("<b>").nth(1)).and_then(|card| card.split("</b>").next()).unwrap();
        assert!(shown.split(", ").any(|name| name == model), "{model} is explained, and {shown} is shown");
        explained += 1;
    }
    assert!(explained >= files.len(), "{explained}");
}

#[test]
fn vertices_and_the_words_of_kernels_are_explained() {
    let place = Place::new();
    for name in ["spirv/globe_vertex", "kernels/division"] {
        let stem = name.split('/').nth(1).unwrap();
        for ending in ["spvasm", "toml"] {
            place.put(&format!("{stem}.{ending}"), corpus(&format!("{name}.{ending}")));
        }
    }
    let args = ["explain", "globe_vertex.spvasm", "--model", "rogue", "--against", "ieee"];
    place.run(&args).exits(0).prints("4 of 4 vertices differ").prints("mul.round = rtz instead of rne: 100 %");
    let lines = place.run(&[&args[..], &["--json", "--pixel", "3,0"]].concat()).exits(0).lines();
    assert!(kind(&lines, "instruction")[0]["text"].as_str().unwrap().starts_with("float angle"), "{}", lines[0]);
    assert_eq!(kind(&lines, "stability")[0]["shown"], "vertices");
    place
        .run(&[&args[..], &["--pixel", "4,0"]].concat())
        .exits(2)
        .says("vertex 4,0 is outside the draw of 4x1 vertices");
    let args = ["explain", "division.spvasm", "--model", "ati-r300", "--against", "ieee"];
    place.run(&args).exits(0).prints("words differ").prints("float a = 1.0 + numbers");
}

#[test]
fn of_two_programs_the_change_is_named() {
    let place = Place::new();
    put(&place, "plasma");
    let text = String::from_utf8(corpus("tgsi/plasma.tgsi").to_vec()).unwrap();
    place.put("edited.tgsi", text.replacen("0.25}", "0.2501}", 1)).put("edited.toml", corpus("tgsi/plasma.toml"));
    let args = ["explain", "plasma.tgsi", "edited.tgsi", "--model", "nv40", "--size", "24x24"];
    let run = place.run(&args);
    run.exits(0)
        .prints("edited.tgsi beside plasma.tgsi, under nv40")
        .prints(": fixed 100 %, caused 100 %")
        .prints("+ IMM");
    let lines = place.run(&[&args[..], &["--json"]].concat()).exits(0).lines();
    let edit = kind(&lines, "edit")[0];
    assert_eq!((&edit["fixed"], &edit["caused"]), (&1.0.into(), &1.0.into()));
    assert!(edit["after"]["text"][0].as_str().unwrap().contains("0.2501"), "{edit}");
    assert_eq!((kind(&lines, "edit").len(), &kind(&lines, "pair")[0]["of"]), (1, &576.into()));
    // Without a change, and under two models.
    place.run(&["explain", "plasma.tgsi", "plasma.tgsi", "--size", "24x24"]).exits(0).prints("no pixel differs");
    let two = ["explain", "plasma.tgsi", "plasma.tgsi", "--size", "24x24", "--model", "ieee", "--against", "nv40"];
    place
        .run(&two)
        .exits(0)
        .prints("under ieee and nv40")
        .prints("no change of the text does anything: the models make");
    place.put("broken.tgsi", "FRAG\nMUL\n");
    place.run(&["explain", "plasma.tgsi", "broken.tgsi"]).exits(2).says("broken.tgsi");
}

#[test]
fn of_twins_it_is_told_where_values_part() {
    let place = Place::new();
    put(&place, "toon");
    for ending in ["attila", "toml"] {
        place.put(&format!("other.{ending}"), corpus(&format!("attila/toon.{ending}")));
    }
    let args = ["explain", "toon.tgsi", "other.attila", "--model", "ieee", "--size", "24x24"];
    place.run(&args).exits(0).prints("other.attila beside toon.tgsi, under ieee").prints("no pixel differs");
    // A constant of the manifest is another one.
    let manifest = String::from_utf8(corpus("attila/toon.toml").to_vec()).unwrap();
    place.put("other.toml", manifest.replacen("0.065", "0.066", 1));
    place.run(&args).exits(0).prints("values that only the second program has").prints("0.066").prints("0.065");
    let lines = place.run(&[&args[..], &["--json"]].concat()).exits(0).lines();
    let birth = kind(&lines, "birth")[0];
    assert_eq!(
        (&birth["op"], &birth["value"], &birth["beside_value"]),
        (&"constant".into(), &f64::from(0.066f32).into(), &f64::from(0.065f32).into())
    );
}
