//! Modules with lookups of the device's: layers, comparisons, fetches, and textures of kernels and vertex shaders. Both sides take the nearest
//! texel of the largest level. Sides are such that few lookups lie at edges of texels, where devices do not agree.

use crate::faithful::{self, lookup, typed};
use crate::translated::{Effect, device, told};
use parallax::{Compiled, Draw, Engine, LoadOptions, Manifest, Optimise, compile_bound, load};
use parallax_core::verify;
use parallax_num::Model;
use parallax_spirv_out::{Lookups, Options as Asked, Unit, translate};
use parallax_step::Programs;
use parallax_texture::Unit as Bound;
use parallax_vulkan::{Comparison, Feature, check};

/// Draws a program with the device's lookups, and compares every pixel.
fn equal(effect: &Effect) {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let (compiled, draw) = effect.under(&Model::builtin("nv40").expect("built in"), 16);
    let asked = Asked { constants_in_storage: true, ..Asked::default() };
    let made =
        translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), asked).expect("a module");
    let found = check(&device, &compiled, &made, &draw).unwrap_or_else(|why| panic!("{}: {why}", effect.path));
    assert!(found.is_equal() && found.pixels > 100, "{}", told(&found));
    let picture = found.picture.expect("a colour").pixels;
    assert!(picture.iter().any(|pixel| *pixel != picture[0]), "one colour all over");
}

#[test]
fn layers_comparisons_and_fetches() {
    let fetch = "MUL TEMP[1], IN[0], IMM[0].wwww\nMUL TEMP[1], TEMP[1], IMM[0].wwww\nF2I TEMP[1], TEMP[1]\n\
                 MOV TEMP[1].w, IMM[1].xxxx\nTXF TEMP[3], TEMP[1], SAMP[0], 2D_ARRAY";
    // Devices choose among faces that are equally far.
    let aside = "ADD TEMP[0].xy, TEMP[0], IMM[2]\n";
    let cases = [
        ("1D_ARRAY", "TEX TEMP[3], TEMP[0].xwww, SAMP[0], 1D_ARRAY", "size = [16, 3]"),
        ("2D_ARRAY", "TEX TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "size = [13, 7, 3]\nwrap = \"mirror\""),
        ("2D_ARRAY", "TXL TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "size = [13, 7, 3]\nwrap = \"clamp\""),
        ("2D_ARRAY", fetch, "size = [8, 4, 6]"),
        ("CUBEARRAY", &format!("{aside}TEX TEMP[3], TEMP[0], SAMP[0], CUBEARRAY"), "size = [7, 3]"),
        ("SHADOW1D", "TEX TEMP[3], TEMP[0].xyyy, SAMP[0], SHADOW1D", "size = [16]\ncompare = \"greater\""),
        ("SHADOW2D", "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D", "size = [16, 8]\nformat = \"depth16\""),
        (
            "SHADOW2D",
            "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D",
            "size = [16, 8]\ncompare = \"greater_equal\"\nwrap = \"border\"\nborder = [1.0, 0.5, 0.0, 0.0]",
        ),
        ("SHADOW2D_ARRAY", "TEX TEMP[3], TEMP[0].xywx, SAMP[0], SHADOW2D_ARRAY", "size = [16, 8, 3]"),
        (
            "SHADOWCUBE",
            &format!("{aside}TEX TEMP[3], TEMP[0].xyzx, SAMP[0], SHADOWCUBE"),
            "size = [7]\ncompare = \"less\"",
        ),
        ("SHADOW2D", "TG4 TEMP[3], TEMP[0].xyxy, IMM[1].xxxx, SAMP[0], SHADOW2D", "size = [16, 8]"),
    ];
    for (shape, instruction, keys) in cases {
        eprintln!("{instruction}: {keys}");
        equal(&lookup(shape, instruction, keys));
    }
}

#[test]
fn depths_that_no_device_holds_are_refused() {
    let Some(device) = device() else { return };
    let device = device.lock().expect("no other test failed");
    let keys = "size = [4, 4]\nformat = \"rgba8_snorm\"";
    let effect = lookup("SHADOW2D", "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D", keys);
    let (compiled, mut draw) = effect.under(&Model::builtin("ieee").expect("built in"), 16);
    let made = translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), Asked::default());
    let made = made.expect("a module");
    draw.textures.set(0, Bound::Constant([2f32.to_bits(); 4]));
    let why = check(&device, &compiled, &made, &draw).expect_err("depths of 2").to_string();
    assert!(why.contains("depths lie outside of 0 to 1"), "{why}");
}

/// Words of the device's lookups, and of the model's.
#[test]
fn images_of_integers() {
    let keys = "size = [13, 7]\nformat = \"rgba32f\"\nwrap = \"mirror\"";
    for (instruction, shape) in
        [("TEX TEMP[3], TEMP[0], SAMP[0], 2D", "2D"), ("TG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D", "2D")]
    {
        let effect = typed(shape, "UINT", instruction, keys);
        equal(&effect);
        faithful::equal(&effect, "llvmpipe");
    }
}

const KERNEL: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
    DCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..3]\n\
    IMM[0] UINT32 {7, 3, 4, 0}\nIMM[1] FLT32 {0.19, 0.0, 0.0, 0.0}\n\
    AND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUSHR TEMP[0].y, SV[0].xxxx, IMM[0].yyyy\nMOV TEMP[0].zw, IMM[0].wwww\n\
    U2F TEMP[1], TEMP[0]\nMUL TEMP[1].xy, TEMP[1], IMM[1].xxxx\nTXL TEMP[2], TEMP[1], SAMP[0], 2D\n\
    TXF TEMP[3], TEMP[0], SAMP[0], 2D\nADD TEMP[2], TEMP[2], TEMP[3]\nSHL TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\n\
    STORE BUFFER[0].xyzw, TEMP[0].xxxx, TEMP[2]\nEND\n";
const KERNEL_INPUTS: &str = "stage = \"compute\"\n[dispatch]\ngrid = [1]\n[binding.\"BUFFER[0]\"]\ncount = 256\n\
    [[textures]]\nunit = 0\nsource = \"noise\"\nsize = [7, 5]\nwrap = \"mirror\"\nseed = 3\n";

const VERTICES: &str = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n\
    DCL TEMP[0]\nMOV OUT[0], IN[0]\nTXL TEMP[0], IN[0], SAMP[0], 2D\nMOV OUT[1], TEMP[0]\nEND\n";
const VERTEX_INPUTS: &str = "stage = \"vertex\"\n[[attributes]]\nindex = 0\n\
    values = [[0.1, 0.2, 0.3, 0.0], [-1.5, 2.0, 0.0, 1.0], [3.3, -4.2, 5.0, 0.5], [0.7, 0.9, 0.7, 2.7]]\n\
    [[textures]]\nunit = 0\nsource = \"noise\"\nsize = [7, 5]\nmip = \"linear\"\nseed = 3\n";

/// Compares a program on its own lookups and on those of a model.
fn both(text: &str, manifest: &str) -> Option<[Comparison; 2]> {
    let device = device()?.lock().expect("no other test failed");
    if !device.has(Feature::VertexStores) {
        return None;
    }
    let manifest = Manifest::parse("manifest.toml", manifest).expect("a manifest");
    let loaded = load("program.tgsi", text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.diags));
    let draw = Draw::new(&shader.func.iface, &manifest).expect("a draw");
    let model = Model::builtin("llvmpipe").expect("built in");
    let bound = parallax::Canonical::new(shader).expect("a program").bind(&model).expect("a model of all");
    let compiled: Compiled = compile_bound(bound, Optimise::Yes, Engine::Auto).expect("a program");
    let Some(Bound::Image { image, sampler }) = draw.textures.get(0) else { panic!("an image") };
    let units = [(0, Unit { format: image.format(), sampler: *sampler })];
    Some([Lookups::Native, Lookups::Faithful(&units)].map(|lookups| {
        let asked = Asked { constants_in_storage: true, lookups, ..Asked::default() };
        let made = translate(verify(&compiled.shader).expect("sound IR"), &mut Programs::default(), asked);
        check(&device, &compiled, &made.expect("a module"), &draw).expect("a run")
    }))
}

#[test]
fn kernels_and_vertex_shaders_look_up() {
    for (text, manifest, count) in [(KERNEL, KERNEL_INPUTS, 256), (VERTICES, VERTEX_INPUTS, 4)] {
        for found in both(text, manifest).into_iter().flatten() {
            assert!(found.is_equal() && found.pixels == count, "{found:#?}");
        }
    }
}
