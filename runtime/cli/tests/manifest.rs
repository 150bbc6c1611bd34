//! `parallax manifest`: a file to start from.

use crate::support;

use support::Place;

const SHADER: &str = "!!ARBfp1.0\nPARAM tint = program.env[1];\nTEMP t;\nTEX t, fragment.texcoord[0], texture[2], 2D;\n\
    MUL t, t, tint;\nMUL t, t, state.fog.params;\nMUL result.color, t, program.local[3];\nEND\n";

#[test]
fn a_template_names_every_input_as_the_shader_does() {
    let place = Place::new();
    place.put("a.fp", SHADER);
    let text = place.run(&["manifest", "a.fp"]).exits(0).text().to_string();
    for line in [
        "\"tint\" = [0.13",
        "\"state.fog.params\" = [",
        "\"program.local[3]\" = [0.19",
        "unit = 2",
        "source = \"noise\"",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    // What it says is what is drawn without it.
    let pixel = |expected: i32| {
        let run = place.run(&["run", "a.fp", "--pixel", "3,5", "--format", "json"]);
        run.exits(expected).text().to_string()
    };
    let bare = pixel(0);
    place.run(&["manifest", "a.fp", "-o", "a.toml"]).exits(0);
    assert_eq!(pixel(0), bare);
    place.put("a.toml", text.replace("\"tint\" = [0.13", "\"program.env[1]\" = [0.5"));
    assert_ne!(pixel(0), bare);
    for source in ["checker", "gradient", "normals"] {
        place.put("a.toml", text.replace("\"noise\"", &format!("\"{source}\"")).replace("seed", "# seed"));
        assert_ne!(pixel(0), bare, "{source}");
    }
}

#[test]
fn a_manifest_that_is_there_is_kept() {
    let place = Place::new();
    place.put("a.fp", SHADER).put("a.toml", "size = [8, 8]\n").put("bad.fp", "!!FP1.0\nNOPE\n");
    place.run(&["manifest", "a.fp", "-o", "a.toml"]).exits(2).says("--force");
    assert_eq!(place.get("a.toml"), b"size = [8, 8]\n");
    place.run(&["manifest", "a.fp", "-o", "a.toml", "--force"]).exits(0);
    place.run(&["run", "a.fp"]).exits(0).says("");
    place.run(&["manifest", "bad.fp"]).exits(2).says("bad.fp:2");
    place.run(&["manifest", "gone.fp"]).exits(2);
}
