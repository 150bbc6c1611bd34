//! Modules of `parallax-spirv-out` that look textures up themselves, on the device: the bits of the model in every pixel. Images are bound
//! whole, with all levels, and without samplers.
#![allow(clippy::print_stdout, reason = "shown where a test fails")]

use crate::translated::{Effect, device, told};
use parallax_core::verify;
use parallax_num::Model;
use parallax_spirv_out::{Lookups, Options as Asked, Unit, translate};
use parallax_step::Programs;
use parallax_texture::Unit as Bound;
use parallax_vulkan::{check, speed};

/// Draws a program and its module under a model, and compares every pixel.
pub(crate) fn equal(effect: &Effect, model: &str) {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let model = Model::parse(model).expect("a model");
    let (compiled, draw) = effect.under(&model, 16);
    let units = units(&draw);
    let asked = Asked { constants_in_storage: true, lookups: Lookups::Faithful(&units), ..Asked::default() };
    let made = translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), asked);
    let made = made.unwrap_or_else(|why| panic!("{} under {}: {why:?}", effect.path, model.name()));
    assert!(made.interface.textures.iter().any(|texture| texture.faithful.is_some()), "{}", effect.path);
    let found = check(&device, &compiled, &made, &draw).unwrap_or_else(|why| panic!("{}: {why}", effect.path));
    assert!(found.is_equal() && found.pixels > 100, "{} under {}: {}", effect.path, model.name(), told(&found));
}

/// How long programs with textures take on the device with its own lookups and with those of their models, in nanoseconds for a pixel of
/// 512x512, and words of the modules: `cargo test -p parallax-vulkan --test all speeds_of_lookups -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn speeds_of_lookups() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    for (path, name) in [("tgsi/texture_card", "nv40"), ("tgsi/marble", "llvmpipe"), ("nv40/warp", "nv40")] {
        let effect = Effect::all(path).next().expect(path);
        let (compiled, draw) = effect.under(&Model::builtin(name).expect("built in"), 512);
        let units = units(&draw);
        for lookups in [Lookups::Native, Lookups::Faithful(&units)] {
            let asked = Asked { constants_in_storage: true, lookups, ..Asked::default() };
            let made = translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), asked);
            let made = made.unwrap_or_else(|why| panic!("{path}: {why:?}"));
            let kind = if lookups == Lookups::Native { "native" } else { "faithful" };
            let took =
                speed(&device, &made, &draw, 5).map(|took| format!("{:.0} ns", took.as_nanos() as f64 / 262_144.0));
            println!("{} under {name}: {kind}, {} words, {took:?}", effect.path, made.words.len());
        }
    }
}

/// What draws have for texture units.
fn units(draw: &parallax::Draw) -> Vec<(u16, Unit)> {
    let unit = |number: u16| match draw.textures.get(number)? {
        Bound::Constant(_) => None,
        Bound::Image { image, sampler } => Some((number, Unit { format: image.format(), sampler: *sampler })),
    };
    (0..=255).filter_map(unit).collect()
}

/// A program with one lookup. Its coordinates go beyond the image on each side, and the fourth one over the layers.
pub(crate) fn lookup(shape: &str, instruction: &str, keys: &str) -> Effect {
    typed(shape, "FLOAT", instruction, keys)
}

/// The same of an image whose texels are of a type.
pub(crate) fn typed(shape: &str, texels: &str, instruction: &str, keys: &str) -> Effect {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\nDCL SVIEW[0], {shape}, {texels}\n\
         IMM[0] FLT32 {{0.0, 1.0, 0.5, 2.25}}\nIMM[1] INT32 {{0, 1, -2, 3}}\n\
         IMM[2] FLT32 {{0.0371, 0.0113, 0.0, 0.0}}\nMUL TEMP[0], IN[0], IMM[0].yyyw\n{instruction}\nMOV OUT[0], TEMP[3]\nEND\n"
    );
    let manifest = format!(
        "stage = \"fragment\"\nsize = [16, 16]\n[[attributes]]\nsemantic = \"GENERIC[0]\"\n\
         corners = [[-1.5, -0.25, 0.0, 0.0], [2.5, -0.25, 1.0, 1.0], [-1.5, 1.5, 1.0, 1.0], [2.5, 1.5, 2.0, 2.0]]\n\
         [[textures]]\nunit = 0\nsource = \"noise\"\n{keys}\nseed = 7\n"
    );
    Effect::of("lookup.tgsi", &text, &manifest)
}

#[test]
fn programs_of_the_corpus_have_the_lookups_of_their_models() {
    for (path, model) in [("tgsi/texture_card", "nv40"), ("tgsi/soft_shadow", "rogue")] {
        equal(&Effect::all(path).next().expect(path), model);
    }
}

/// `cargo test -p parallax-vulkan --test all textures_of_the_corpus -- --ignored`.
#[test]
#[ignore = "long"]
fn textures_of_the_corpus_under_all_models() {
    for path in ["tgsi/texture_card", "tgsi/soft_shadow", "tgsi/marble", "nv40/warp"] {
        let effect = Effect::all(path).next().expect(path);
        Model::group("default").expect("a group").iter().for_each(|model| equal(&effect, model));
    }
}

#[test]
fn shapes_filters_and_formats() {
    let cases = [
        (
            "2D",
            "TXB TEMP[3], TEMP[0], SAMP[0], 2D",
            "size = [13, 8]\nformat = \"srgb8\"\nmip = \"linear\"\nwrap = \"mirror\"",
        ),
        (
            "2D",
            "TXL TEMP[3], TEMP[0], SAMP[0], 2D",
            "size = [16, 8]\nminify = \"nearest\"\nmip = \"nearest\"\nwrap = \"clamp\"",
        ),
        (
            "1D",
            "TEX TEMP[3], TEMP[0], SAMP[0], 1D",
            "size = [12]\nformat = \"rgba32f\"\nwrap = \"border\"\nborder = [0.5, 2.0, -1.0, 1.0]",
        ),
        ("3D", "TEX TEMP[3], TEMP[0], SAMP[0], 3D", "size = [4, 8, 6]\nmip = \"linear\""),
        ("RECT", "TEX TEMP[3], TEMP[0], SAMP[0], RECT", "size = [3, 2]\nwrap = \"repeat\""),
        ("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "size = [8]\nmip = \"nearest\""),
        ("CUBEARRAY", "TEX TEMP[3], TEMP[0], SAMP[0], CUBEARRAY", "size = [4, 3]"),
        (
            "SHADOW2D_ARRAY",
            "TEX TEMP[3], TEMP[0].xywx, SAMP[0], SHADOW2D_ARRAY",
            "size = [16, 8, 3]\nformat = \"depth16\"",
        ),
        ("2D", "TG4 TEMP[3], TEMP[0], IMM[0].xxxx, SAMP[0], 2D", "size = [5, 7]\nwrap = \"mirror\""),
    ];
    for (shape, instruction, keys) in cases {
        println!("{instruction}: {keys}");
        equal(&lookup(shape, instruction, keys), "ieee[texture_linear=rne8, texture_level=rne6]");
    }
}

/// Cubes of few texels, so that most lookups touch edges and corners, in every texture unit.
#[test]
fn cubes_have_the_edges_of_the_model() {
    let cube = |keys: &str| lookup("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", keys);
    for model in ["llvmpipe", "lavapipe", "swiftshader", "ieee[texture_cube=seamless]"] {
        equal(&cube("size = [3]\nmip = \"nearest\""), model);
    }
    let shadow =
        lookup("SHADOWCUBE", "TEX TEMP[3], TEMP[0].xyzx, SAMP[0], SHADOWCUBE", "size = [2]\nformat = \"depth16\"");
    equal(&shadow, "d3d11");
    let gather = "TG4 TEMP[3], TEMP[0], IMM[1].wwww, SAMP[0], CUBE";
    ["lavapipe", "swiftshader"].into_iter().for_each(|model| equal(&lookup("CUBE", gather, "size = [2]"), model));
}

#[test]
fn computed_offsets_and_other_units() {
    let moved = "F2I TEMP[1], TEMP[0].xyxy\nTEX TEMP[3], TEMP[0], SAMP[0], 2D, TEMP[1].xyx";
    for (model, keys) in [
        ("nv40", "size = [13, 8]\nwrap = \"mirror\""),
        ("llvmpipe", "size = [13, 8]\nwrap = \"repeat\""),
        ("swiftshader", "size = [13, 8]\nwrap = \"clamp\""),
    ] {
        equal(&lookup("2D", moved, keys), model);
    }
    let plain = "TXB TEMP[3], TEMP[0], SAMP[0], 2D";
    for keys in [
        "size = [13, 8]\nfilter = \"nearest\"\nmip = \"linear\"\nwrap = \"mirror\"",
        "size = [12, 8]\nformat = \"srgb8\"\nminify = \"nearest\"\nmip = \"nearest\"",
    ] {
        equal(&lookup("2D", plain, keys), "swiftshader");
    }
}
