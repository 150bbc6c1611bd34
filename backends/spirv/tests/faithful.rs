//! Modules that look up themselves, read again by the SPIR-V frontend and drawn under `ieee`: the bits of the model, lookups included.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, difference, module_with_lookups, picture, read_again, validate};
use crate::lookups::{LEAST, WORDS, assembly, fetches_and_queries, filtered, typed};
use parallax_num::Model;
use parallax_spirv_out::Unit;
use parallax_step::Programs;

/// Draws a program and its module under a model, and compares every pixel.
fn equal(effect: &Effect, model: &str, side: u32) {
    let model = Model::parse(model).expect("a model");
    let compiled = effect.with_lookups(&model);
    let made = module_with_lookups(&compiled, &mut Programs::default(), &effect.units());
    let made = made.unwrap_or_else(|why| panic!("{} under {}: {why:?}", effect.path, model.name()));
    assert!(made.interface.textures.iter().all(|texture| texture.sampler.is_none()));
    validate(&made, effect.path);
    let draw = effect.draw(&compiled, &model, side);
    let wanted = picture(&compiled, &draw);
    let (found, _) = read_again(&made, &draw).expect("a module of moderate size");
    assert_eq!(difference(&wanted, &found), None, "{} under {}", effect.path, model.name());
    let (first, words) = &wanted.planes[0];
    assert!(words.iter().any(|word| *word != words[0]), "{}: one value all over in {first}", effect.path);
}

/// Programs of the corpus with textures, and models.
const SOME: [(&str, &[&str]); 5] = [
    ("tgsi/texture_card", &["nv40", "maxwell"]),
    ("tgsi/soft_shadow", &["rogue", "llvmpipe"]),
    ("spa5/soft_shadow", &["maxwell", "adreno"]),
    ("tgsi/parallax", &["ati-r300", "llvmpipe"]),
    ("spirv/kilim", &["rogue"]),
];

#[test]
fn programs_of_the_corpus_have_the_lookups_of_their_models() {
    for (path, models) in SOME {
        let effect = Effect::all(path).next().expect(path);
        models.iter().for_each(|name| equal(&effect, name, 8));
    }
}

const BLENDED: &str = "format = \"rgba8\"\nfilter = \"linear\"\nmip = \"linear\"\nwrap = \"repeat\"";

#[test]
fn every_shape_is_looked_up() {
    let cases = [
        ("1D", "TEX TEMP[3], TEMP[0], SAMP[0], 1D", "[16]"),
        ("1D_ARRAY", "TEX TEMP[3], TEMP[0].xwww, SAMP[0], 1D_ARRAY", "[16, 3]"),
        ("2D", "TXB TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]"),
        ("2D", "TXP TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]"),
        ("2D", "TXL TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]"),
        ("2D", "TXD TEMP[3], TEMP[0], TEMP[1], TEMP[2], SAMP[0], 2D", "[16, 8]"),
        ("2D", "TG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D", "[16, 8]"),
        ("2D", "TEX TEMP[3], TEMP[0], SAMP[0], 2D, IMM[1].wzy", "[12, 7]"),
        ("RECT", "TEX TEMP[3], TEMP[0], SAMP[0], RECT", "[16, 8]"),
        ("2D_ARRAY", "TXL TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "[16, 8, 3]"),
        ("3D", "TEX TEMP[3], TEMP[0], SAMP[0], 3D", "[8, 8, 8]"),
        ("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "[8]"),
        ("CUBEARRAY", "TEX TEMP[3], TEMP[0], SAMP[0], CUBEARRAY", "[8, 3]"),
        ("SHADOW2D", "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D", "[16, 8]"),
        ("SHADOW2D_ARRAY", "TEX TEMP[3], TEMP[0].xywx, SAMP[0], SHADOW2D_ARRAY", "[16, 8, 3]"),
        ("SHADOWCUBE", "TEX TEMP[3], TEMP[0].xyzx, SAMP[0], SHADOWCUBE", "[8]"),
    ];
    for (shape, instruction, size) in cases {
        let keys = if shape == "RECT" { "format = \"rgba8\"\nfilter = \"linear\"" } else { BLENDED };
        equal(&filtered(shape, instruction, size, keys), "ieee[texture_linear=rne8, texture_level=rne6]", 8);
    }
}

#[test]
fn fetches_and_queries_are_the_models() {
    for (shape, instruction, size) in fetches_and_queries() {
        equal(&filtered(shape, &instruction, size, BLENDED), "ieee[texture_level=rne6, texture_result=f16]", 8);
    }
}

#[test]
fn least_levels() {
    for lookup in LEAST {
        equal(&assembly("OpCapability MinLod", "2D 0 0 0 1", lookup), "ieee[texture_level=rne6]", 8);
    }
}

#[test]
fn what_is_not_written_yet_is_named() {
    let refused = |effect: &Effect, model: &str, units: &[(u16, Unit)], why: &str| {
        let compiled = effect.with_lookups(&Model::parse(model).expect("a model"));
        let reasons = module_with_lookups(&compiled, &mut Programs::default(), units).expect_err("no module");
        assert!(reasons.iter().any(|reason| reason.contains(why)), "{reasons:?}");
    };
    let flat = filtered("2D", "TEX TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]", BLENDED);
    refused(&flat, "ieee", &[], "need to know format and sampler of texture unit 0");
    let halves = "format = \"rgba16f\"\nfilter = \"linear\"";
    let cube = filtered("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "[8]", halves);
    refused(&cube, "swiftshader", &cube.units(), "corners of cubes in the texture unit of SwiftShader");
    let moved = filtered("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE, IMM[1].wzy", "[8]", BLENDED);
    refused(&moved, "ieee[texture_cube=seamless]", &moved.units(), "texel offsets of cubes whose edges are blended");
}

#[test]
fn words_are_those_of_the_nearest_texel() {
    let keys = "format = \"rgba32f\"\nfilter = \"linear\"\nmip = \"linear\"\nwrap = \"mirror\"";
    for (shape, instruction, size) in WORDS {
        for model in ["nv40", "llvmpipe", "swiftshader"] {
            equal(&typed(shape, "UINT", instruction, size, keys), model, 8);
        }
    }
    let bytes = typed("2D", "UINT", WORDS[0].1, "[13, 7]", BLENDED);
    let compiled = bytes.with_lookups(&Model::builtin("ieee").expect("built in"));
    let reasons = module_with_lookups(&compiled, &mut Programs::default(), &bytes.units()).expect_err("no module");
    assert!(reasons.iter().any(|reason| reason.contains("words of images of bytes")), "{reasons:?}");
}

/// Cubes of few texels, so that most lookups touch edges and corners.
#[test]
fn cubes_have_the_edges_of_the_model() {
    let shapes = [
        ("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "[2]"),
        ("CUBE", "TXB TEMP[3], TEMP[0], SAMP[0], CUBE", "[3]"),
        ("CUBE", "TXD TEMP[3], TEMP[0], TEMP[1], TEMP[2], SAMP[0], CUBE", "[4]"),
        ("CUBE", "TG4 TEMP[3], TEMP[0], IMM[1].wwww, SAMP[0], CUBE", "[2]"),
        ("CUBEARRAY", "TEX TEMP[3], TEMP[0], SAMP[0], CUBEARRAY", "[2, 3]"),
        ("SHADOWCUBE", "TEX TEMP[3], TEMP[0].xyzx, SAMP[0], SHADOWCUBE", "[3]"),
    ];
    let keys = [BLENDED, "format = \"srgb8\"\nfilter = \"linear\"\nminify = \"nearest\"\nmip = \"nearest\""];
    for (shape, instruction, size) in shapes {
        let keys = if shape == "SHADOWCUBE" { &["format = \"depth16\"\nmip = \"linear\"", keys[1]] } else { &keys };
        for keys in keys {
            for model in ["ieee[texture_cube=seamless]", "llvmpipe", "lavapipe", "d3d11", "swiftshader"] {
                equal(&filtered(shape, instruction, size, keys), model, 8);
            }
        }
    }
}

#[test]
fn references_are_rounded_to_the_depths_of_the_format() {
    // References next to 0, beyond the edges also in the s of larger ones, against the border's 0.
    let instruction = "MUL TEMP[1], IN[0], IMM[2].xxxx\nMUL TEMP[1], TEMP[1], IMM[2].xxxx\nMUL TEMP[1], TEMP[1], IMM[2].xxxx\n\
                       MOV TEMP[0].z, TEMP[1].xxxx\nTEX TEMP[3], TEMP[0], SAMP[0], SHADOW2D";
    let lookup = |format: &str| {
        let keys = format!("format = \"{format}\"\nfilter = \"nearest\"\nwrap = \"border\"\ncompare = \"equal\"");
        filtered("SHADOW2D", instruction, "[16, 8]", &keys)
    };
    for format in ["depth16", "depth24"] {
        equal(&lookup(format), "d3d11", 16);
    }
}

#[test]
fn computed_offsets_move_the_texels_of_the_model() {
    let computed = "F2I TEMP[1], TEMP[0].xyxy\n";
    let cases = [
        ("1D", "TEX TEMP[3], TEMP[0], SAMP[0], 1D, TEMP[1].xyx", "[12]"),
        ("2D", "TXL TEMP[3], TEMP[0], SAMP[0], 2D, TEMP[1].xyx", "[13, 8]"),
        ("3D", "TEX TEMP[3], TEMP[0], SAMP[0], 3D, TEMP[1].xyx", "[4, 8, 6]"),
        ("RECT", "TEX TEMP[3], TEMP[0], SAMP[0], RECT, TEMP[1].xyx", "[5, 4]"),
        ("2D", "TG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D, TEMP[1].xyx", "[13, 8]"),
        ("SHADOW2D", "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D, TEMP[1].xyx", "[13, 8]"),
    ];
    for (shape, instruction, size) in cases {
        for wrap in ["repeat", "mirror", "clamp", "border"] {
            if shape == "RECT" && wrap == "mirror" {
                continue;
            }
            let keys = format!("format = \"rgba8\"\nfilter = \"linear\"\nwrap = \"{wrap}\"");
            let effect = filtered(shape, &format!("{computed}{instruction}"), size, &keys);
            ["nv40", "llvmpipe", "swiftshader"].into_iter().for_each(|model| equal(&effect, model, 8));
        }
    }
}

#[test]
fn filters_wraps_and_formats() {
    let keys = [
        "format = \"rgba8\"\nfilter = \"nearest\"\nwrap = \"mirror\"",
        "format = \"rgba8\"\nfilter = \"nearest\"\nminify = \"linear\"\nmip = \"nearest\"\nwrap = \"clamp\"",
        "format = \"srgb8\"\nfilter = \"linear\"\nmip = \"linear\"\nwrap = \"mirror\"",
        "format = \"rgba32f\"\nfilter = \"linear\"\nwrap = \"border\"\nborder = [0.5, 2.0, -1.0, 1.0]",
        "format = \"rgb565\"\nfilter = \"linear\"\nmip = \"nearest\"\nwrap = \"repeat\"",
    ];
    for keys in keys {
        let effect = filtered("2D", "TXB TEMP[3], TEMP[0], SAMP[0], 2D", "[13, 8]", keys);
        for model in [
            "nv40",
            "rogue",
            "llvmpipe",
            "swiftshader",
            "ieee[texture_steps=pixel, texture_nearest=raz4, texture_linear=rna5]",
        ] {
            equal(&effect, model, 8);
        }
    }
}
