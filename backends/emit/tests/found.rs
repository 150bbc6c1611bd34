//! Programs that fuzzing found: each was once translated to a text that its own frontend refused.

use crate::back::{Way, lifted, named, there_and_back};
use crate::proof::read;
use parallax::Model;
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

/// Operands of USC name 2,048 shared registers, and 256 with an index.
#[test]
fn shared_registers_of_usc_are_those_that_operands_name() {
    let program = |last: u32, read: &str| {
        format!(
            "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..{last}]\nDCL TEMP[0]\nDCL ADDR[0]\n\
             IMM[0] FLT32 {{0.0, 6.0, 0.0, 0.0}}\nMAX TEMP[0], IN[0].xxxx, IMM[0].xxxx\nMIN TEMP[0], TEMP[0], IMM[0].yyyy\n\
             ARL ADDR[0].x, TEMP[0].xxxx\nMUL OUT[0], TEMP[0], {read}\nEND\n"
        )
    };
    let model = Model::builtin("ieee").expect("built in");
    for read in ["CONST[0][479]", "CONST[0][ADDR[0].x+63]", "CONST[0][ADDR[0].x+64]", "CONST[0][ADDR[0].x+440]"] {
        let way = there_and_back(&program(479, read), named("usc"), named("tgsi"), &model, 1);
        assert!(matches!(way, Way::Equal), "{read}");
    }
    let why = translate(&lifted(&program(1023, "CONST[0][991]"), "tgsi"), named("usc")).expect_err("too many");
    assert!(why.iter().any(|diag| diag.message.contains("992 constants: USC has 480")), "{why:?}");
}

/// Texts of ARB_fragment_program have 1,024 instructions: whole numbers as floats once took 1,172.
#[test]
fn programs_longer_than_a_set_allows_are_refused() {
    let program = |count: usize| {
        let body = "MAD TEMP[0], TEMP[0].wxyz, CONST[0][0], IN[0]\n".repeat(count);
        lifted(
            &format!(
                "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..0]\nDCL TEMP[0]\n\
                 MOV TEMP[0], IN[0]\n{body}MOV OUT[0], TEMP[0]\nEND\n"
            ),
            "tgsi",
        )
    };
    let (longest, longer) = (program(1024), program(1025));
    for name in ["arb", "nvfp"] {
        let made = translate(&longest, named(name)).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert!(read(&made, named(name)).is_ok(), "{name}");
    }
    let why = translate(&longer, named("arb")).expect_err("too long");
    assert!(
        why.iter().any(|diag| diag.message.contains("1025 instructions: ARB_fragment_program has 1024")),
        "{why:?}"
    );
    assert!(translate(&longer, named("nvfp")).is_ok(), "65,536 with NV_fragment_program2");
}

/// Both sets number units as they follow each other.
#[test]
fn texture_units_with_gaps_are_numbered_anew() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0..5]\nDCL SVIEW[0..5], 2D, FLOAT\nDCL TEMP[0..1]\n\
                TEX TEMP[0], IN[0], SAMP[5], 2D\nTEX TEMP[1], TEMP[0], SAMP[2], 2D\nMAD OUT[0], TEMP[0], TEMP[1], IN[0]\nEND\n";
    let model = Model::builtin("ieee").expect("built in");
    for name in ["spa5", "usc"] {
        let made = translate(&lifted(text, "tgsi"), named(name)).unwrap_or_else(|why| panic!("{name}: {why:?}"));
        assert_eq!(made.carried.units, [(2, 0), (5, 1)], "{name}");
        assert!(there_and_back(text, named(name), named("tgsi"), &model, 1) == Way::Equal, "{name}");
    }
}
