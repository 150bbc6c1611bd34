//! `parallax translate`: a module, and what it says of it.

use crate::support;

use support::Place;

const SHADER: &str = "!!ARBfp1.0\nPARAM tint = program.env[1];\nTEMP t;\nMUL t, fragment.texcoord[0], tint;\n\
    SIN t.x, t.x;\nMOV result.color, t;\nEND\n";

#[test]
fn a_module_and_what_lies_where() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let run = place.run(&["translate", "a.fp", "--model", "nvfp", "-o", "a.spv", "--interface", "a.json"]);
    run.exits(0).says("a.fp under nvfp");
    // parallax reads what it writes.
    place.run(&["check", "a.spv"]).exits(0);
    let listing: serde_json::Value = serde_json::from_slice(&place.get("a.json")).expect("JSON");
    assert_eq!(listing["model"], "nvfp");
    assert_eq!(listing["inputs"][0]["semantic"], "texcoord 0");
    // Behind the colours and the fog, whether they are read or not.
    assert_eq!(listing["inputs"][0]["location"], 3);
    assert_eq!(listing["constants"][0]["set"], 0);
    assert_eq!(listing["outputs"][0]["location"], 0);
    assert!(listing["figures"]["second_programs"].as_u64() >= Some(1), "{listing}");
    assert_eq!(listing["inexact"], serde_json::Value::Null);
}

#[test]
fn what_has_no_translation_is_named() {
    let place = Place::new();
    let power =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nPOW OUT[0], IN[0].xxxx, IN[0].yyyy\nEND\n";
    place.put("p.tgsi", power);
    let refused = place.run(&["translate", "p.tgsi", "--model", "ieee", "-o", "p.spv"]);
    refused.exits(3).says("`pow`").says("slow lanes").says("--flag-inexact");
    place.put("v.vp", "!!ARBvp1.0\nMOV result.position, vertex.position;\nEND\n");
    place.run(&["translate", "v.vp", "-o", "v.spv"]).exits(3).says("vertex shaders have no translation yet");
    assert!(!place.path("p.spv").exists());
    let counted =
        place.run(&["translate", "p.tgsi", "--model", "ieee", "--flag-inexact", "-o", "p.spv", "--interface", "-"]);
    counted.exits(0).says("counted").prints("\"binding\": 0");
    place.run(&["translate", "p.tgsi", "--arithmetic", "native", "-o", "n.spv"]).exits(3).says("--arithmetic");
    place.run(&["translate", "p.tgsi", "--to", "wgsl", "-o", "n.wgsl"]).exits(3).says("naga");
    place.run(&["translate", "gone.fp", "-o", "n.spv"]).exits(2);
}

/// Drawn on a device, the module has the bits of the model; without one, or without the feature, that is said.
#[test]
fn a_check_draws_on_the_device() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let run = place.run(&["translate", "a.fp", "--model", "nvfp", "--check", "--size", "8x8", "--random", "1"]);
    if cfg!(not(feature = "vulkan")) {
        run.exits(3).says("built without the feature `vulkan`");
    } else if run.code == Some(3) {
        run.says("no Vulkan device");
    } else {
        run.exits(0).prints("the manifest's inputs: equal in all 64 pixels").prints("random inputs 1: equal");
    }
    place.run(&["translate", "a.fp", "--size", "8x8"]).exits(2).says("--check");
}

#[test]
fn constants_are_in_the_buffers_that_are_asked_for() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    for (kind, more) in [("uniform", &[][..]), ("storage", &["--constants", "storage"])] {
        let args = ["translate", "a.fp", "--model", "nvfp", "-o", "a.spv", "--interface", "a.json"];
        place.run(&[&args[..], more].concat()).exits(0);
        let listing: serde_json::Value = serde_json::from_slice(&place.get("a.json")).expect("JSON");
        assert_eq!(listing["constants"][0]["buffer"], kind);
    }
}

#[test]
fn a_program_of_another_set_keeps_its_bits() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    place.put("a.toml", "[constants]\n\"program.env[1]\" = [0.5, 0.25, 0.125, 1.0]\n");
    let args =
        ["translate", "a.fp", "--to", "tgsi", "-o", "b.tgsi", "--manifest-out", "b.toml", "--check", "--size", "8x8"];
    place.run(&args).exits(0).prints("in TGSI").prints("random inputs 2: equal in all 64 pixels under ieee");
    let text = String::from_utf8(place.get("b.tgsi")).expect("text");
    assert!(text.contains("DCL IN[0], TEXCOORD[0], PERSPECTIVE") && text.contains("CONST[1][1]"), "{text}");
    // The manifest draws the translation as its own draws the source.
    let pixels = |file: &str| {
        let picture = format!("{file}.png");
        place.run(&["run", file, "--model", "ieee", "--size", "8x8", "-o", &picture]).exits(0);
        place.get(&picture)
    };
    assert_eq!(pixels("a.fp"), pixels("b.tgsi"));
    place.run(&["translate", "b.tgsi", "--to", "arb"]).exits(0).prints("!!ARBfp1.0").prints("program.env[1]");
}

#[test]
fn folders_are_translated_and_failures_are_named() {
    let place = Place::new();
    place.put("in/a.fp", SHADER);
    place.put("in/loop.tgsi", "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nBGNLOOP\nADD TEMP[0], TEMP[0], TEMP[0]\nIF TEMP[0]\nBRK\nENDIF\nENDLOOP\nMOV OUT[0], TEMP[0]\nEND\n");
    let run = place.run(&["translate", "in", "--to", "arb", "-o", "out"]);
    run.exits(3).says("loops: ARB_fragment_program has none; first in line 4: `BGNLOOP`").prints("1 of 2 programs");
    assert!(place.path("out/a_fp.fp").exists() && !place.path("out/loop_tgsi.fp").exists());
    place.run(&["translate", "in", "--to", "arb"]).exits(2).says("-o FOLDER");
    // Names that become one.
    place.put("two/a.b.fp", SHADER).put("two/a_b.fp", SHADER);
    let run = place.run(&["translate", "two", "--to", "arb", "-o", "out"]);
    run.exits(2).prints("not written, since another program is out/a_b_fp.fp").prints("1 of 2 programs");
    place.run(&["translate", "in/a.fp", "in/a.fp", "-o", "x.spv"]).exits(2).says("one file");
    place.run(&["translate", "in/a.fp", "--manifest-out", "x.toml", "-o", "x.spv"]).exits(2).says("--manifest-out");
}

/// What differs is found: a difference in the quad's first row is said as one in the pixel's own, and the pixels show it.
#[test]
fn a_check_sees_what_is_said_in_other_words() {
    let place = Place::new();
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nMUL TEMP[0], IN[0].xxxx, IN[0].yyyy\n\
        DDX OUT[0], TEMP[0]\nEND\n";
    place.put("d.tgsi", text);
    let run = place.run(&["translate", "d.tgsi", "--to", "nvfp", "--check", "--size", "8x8", "--random", "0"]);
    run.exits(1).prints("differences in the quad's first row");
    run.prints("the manifest's inputs: different under ieee: OUT[0].x of ").prints(" pixels; pixel ");
}
