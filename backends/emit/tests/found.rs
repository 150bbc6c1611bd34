//! Programs that fuzzing found: each was once translated to a text that its own frontend refused.

use crate::back::{lifted, named};
use crate::proof::read;
use parallax_emit::translate;

/// `LOG` of a vertex text has no clamp.
#[test]
fn clamped_logarithms_of_vertex_programs_are_expanded() {
    let text = "!!VP2.0\nLOG R0, |v[1].x|;\nMOV o[HPOS], v[0];\nMOV o[TEX0], R0;\nEND\n";
    let clamped = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n\
                   MOV OUT[0], IN[0]\nLOG_SAT TEMP[0], IN[1]\nMOV OUT[1], TEMP[0].xyzz\nEND\n";
    for (text, isa) in [(text, "nvfp"), (clamped, "tgsi")] {
        let shader = lifted(text, isa);
        for name in ["arb", "nvfp"] {
            let made = translate(&shader, named(name)).unwrap_or_else(|why| panic!("{name}: {why:?}"));
            assert!(!made.text.contains("_SAT"), "{}", made.text);
            read(&made, named(name).of_stage(parallax::Stage::Vertex).expect("a stage")).expect(&made.text);
        }
    }
}

/// A unit of these texts is declared by its use.
#[test]
fn units_of_two_shapes_are_refused() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0..1]\n\
                TEX TEMP[0], IN[0], SAMP[0], 3D\nTEX TEMP[1], IN[0], SAMP[0], 2D\nADD OUT[0], TEMP[0], TEMP[1]\nEND\n";
    let shader = lifted(text, "tgsi");
    for name in ["arb", "nvfp", "nv40"] {
        let why = translate(&shader, named(name)).expect_err(name);
        assert!(why.iter().any(|diag| diag.message.contains("as `d3` and as `d2`")), "{name}: {why:?}");
    }
    translate(&shader, named("tgsi")).expect("lookups say their shapes");
}
