//! Lookups of all shapes, read again by the SPIR-V frontend and drawn under `ieee`: the texels and answers of the shader's own.

use crate::effect::{Effect, difference, module, picture, read_again, validate};
use parallax_num::Model;
use parallax_step::Programs;

/// Draws a program and its module under a model, and compares every pixel.
fn equal(effect: &Effect, name: &str, side: u32) {
    let model = Model::builtin(name).expect("built in");
    let compiled = effect.under(&model);
    let made = module(&compiled, &mut Programs::default(), false);
    let made = made.unwrap_or_else(|why| panic!("{} under {name}: {why:?}", effect.path));
    validate(&made, effect.path);
    let draw = effect.draw(&compiled, &model, side);
    let wanted = picture(&compiled, &draw);
    let (found, _) = read_again(&made, &draw).expect("a module of moderate size");
    assert_eq!(difference(&wanted, &found), None, "{} under {name}", effect.path);
    let (first, words) = &wanted.planes[0];
    assert!(words.iter().any(|word| *word != words[0]), "{}: one value all over in {first}", effect.path);
}

/// A program with one lookup. Its coordinates go beyond the image on each side, and the fourth one over the layers.
pub(crate) fn lookup(shape: &str, instruction: &str, size: &str) -> Effect {
    filtered(shape, instruction, size, "format = \"rgba8\"\nfilter = \"linear\"\nmip = \"linear\"\nwrap = \"repeat\"")
}

/// The same with keys of the texture.
pub(crate) fn filtered(shape: &str, instruction: &str, size: &str, keys: &str) -> Effect {
    typed(shape, "FLOAT", instruction, size, keys)
}

/// The same of an image whose texels are of a type.
pub(crate) fn typed(shape: &str, texels: &str, instruction: &str, size: &str, keys: &str) -> Effect {
    let text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\nDCL SVIEW[0], {shape}, {texels}\n\
         IMM[0] FLT32 {{0.0, 1.0, 0.5, 2.25}}\nIMM[1] INT32 {{0, 1, -2, 3}}\nIMM[2] FLT32 {{0.02, 0.3, 0.4, 0.7}}\n\
         MUL TEMP[0], IN[0], IMM[0].yyyw\nMUL TEMP[1], IN[0].yxyx, IMM[2].xxyy\nMUL TEMP[2], IN[0].xyxy, IMM[2].xyxy\n\
         {instruction}\nMOV OUT[0], TEMP[3]\nEND\n"
    );
    let manifest = format!(
        "stage = \"fragment\"\nsize = [16, 16]\n[[attributes]]\nsemantic = \"GENERIC[0]\"\n\
         corners = [[-0.5, -0.25, 0.0, 0.0], [1.5, -0.25, 1.0, 1.0], [-0.5, 1.5, 1.0, 1.0], [1.5, 1.5, 2.0, 2.0]]\n\
         [[textures]]\nunit = 0\nsource = \"noise\"\nsize = {size}\n{keys}\nseed = 7\n"
    );
    Effect::of("lookup.tgsi", &text, &manifest)
}

#[test]
fn every_shape_is_looked_up() {
    let cases = [
        ("1D", "TEX TEMP[3], TEMP[0], SAMP[0], 1D", "[16]"),
        ("1D", "TXL TEMP[3], TEMP[0], SAMP[0], 1D", "[16]"),
        ("1D_ARRAY", "TEX TEMP[3], TEMP[0].xwww, SAMP[0], 1D_ARRAY", "[16, 3]"),
        ("2D", "TXB TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]"),
        ("2D", "TXP TEMP[3], TEMP[0], SAMP[0], 2D", "[16, 8]"),
        ("2D_ARRAY", "TEX TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "[16, 8, 3]"),
        ("2D_ARRAY", "TXL TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "[16, 8, 3]"),
        ("3D", "TEX TEMP[3], TEMP[0], SAMP[0], 3D", "[8, 8, 8]"),
        ("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "[8]"),
        ("CUBEARRAY", "TEX TEMP[3], TEMP[0], SAMP[0], CUBEARRAY", "[8, 3]"),
        ("SHADOW1D", "TEX TEMP[3], TEMP[0].xyyy, SAMP[0], SHADOW1D", "[16]"),
        ("SHADOW2D", "TEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D", "[16, 8]"),
        ("SHADOW2D", "TXL TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOW2D", "[16, 8]"),
        ("SHADOW2D", "TXP TEMP[3], TEMP[0], SAMP[0], SHADOW2D", "[16, 8]"),
        ("SHADOW2D_ARRAY", "TEX TEMP[3], TEMP[0].xywx, SAMP[0], SHADOW2D_ARRAY", "[16, 8, 3]"),
        ("SHADOWCUBE", "TEX TEMP[3], TEMP[0].xyzx, SAMP[0], SHADOWCUBE", "[8]"),
    ];
    for (shape, instruction, size) in cases {
        equal(&lookup(shape, instruction, size), "ieee", 16);
    }
}

#[test]
fn gradients_offsets_and_gathers() {
    let cases = [
        ("2D", "TXD TEMP[3], TEMP[0], TEMP[1], TEMP[2], SAMP[0], 2D", "[16, 8]"),
        ("3D", "TXD TEMP[3], TEMP[0], TEMP[1], TEMP[2], SAMP[0], 3D", "[8, 8, 8]"),
        ("SHADOW2D", "TXD TEMP[3], TEMP[0].xyxy, TEMP[1], TEMP[2], SAMP[0], SHADOW2D", "[16, 8]"),
        ("1D", "TEX TEMP[3], TEMP[0], SAMP[0], 1D, IMM[1].zzz", "[16]"),
        ("2D", "TEX TEMP[3], TEMP[0], SAMP[0], 2D, IMM[1].wzy", "[16, 8]"),
        ("2D", "TG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D", "[16, 8]"),
        ("2D_ARRAY", "TG4 TEMP[3], TEMP[0].xyww, IMM[1].xxxx, SAMP[0], 2D_ARRAY, IMM[1].zyx", "[16, 8, 3]"),
        ("SHADOW2D", "TG4 TEMP[3], TEMP[0].xyxy, IMM[1].xxxx, SAMP[0], SHADOW2D", "[16, 8]"),
        ("CUBE", "TG4 TEMP[3], TEMP[0], IMM[1].wwww, SAMP[0], CUBE", "[8]"),
    ];
    for (shape, instruction, size) in cases {
        for name in ["ieee", "nvfp"] {
            equal(&lookup(shape, instruction, size), name, 16);
        }
    }
}

/// Shadow maps, layers, gathers and levels of the corpus.
#[test]
fn programs_of_the_corpus_look_up() {
    for (path, models) in [
        ("tgsi/soft_shadow", &["nvfp", "maxwell"][..]),
        ("spa5/soft_shadow", &["maxwell"]),
        ("tgsi/texture_card", &["llvmpipe", "nv-patent"]),
    ] {
        let effect = Effect::all(path).next().expect(path);
        models.iter().for_each(|name| equal(&effect, name, 32));
    }
}

/// Instructions before a fetch: texels beyond the image on each side.
const TEXELS: &str = "MUL TEMP[1], IN[0], IMM[0].wwww\nMUL TEMP[1], TEMP[1], IMM[0].wwww\nF2I TEMP[1], TEMP[1]\n";

/// Lookups without a filter, and what images tell of themselves.
pub(crate) fn fetches_and_queries() -> Vec<(&'static str, String, &'static str)> {
    let size = |shape: &str| {
        format!(
            "TEX TEMP[2], TEMP[0], SAMP[0], {shape}\nTXQ TEMP[3], IMM[1].yyyy, SAMP[0], {shape}\nI2F TEMP[3], TEMP[3]\n\
             MAD TEMP[3], TEMP[2], IMM[0].zzzz, TEMP[3]"
        )
    };
    vec![
        ("2D", format!("{TEXELS}MOV TEMP[1].w, IMM[1].yyyy\nTXF TEMP[3], TEMP[1], SAMP[0], 2D"), "[13, 8]"),
        ("2D", format!("{TEXELS}TXF TEMP[3], TEMP[1], SAMP[0], 2D, IMM[1].wzy"), "[13, 8]"),
        ("1D", format!("{TEXELS}TXF TEMP[3], TEMP[1], SAMP[0], 1D"), "[12]"),
        ("3D", format!("{TEXELS}MOV TEMP[1].w, IMM[1].xxxx\nTXF TEMP[3], TEMP[1], SAMP[0], 3D"), "[8, 4, 8]"),
        ("2D_ARRAY", format!("{TEXELS}TXF TEMP[3], TEMP[1], SAMP[0], 2D_ARRAY"), "[8, 4, 6]"),
        ("2D", size("2D"), "[13, 8]"),
        ("2D_ARRAY", size("2D_ARRAY"), "[13, 8, 3]"),
        ("CUBE", size("CUBE"), "[8]"),
        ("CUBEARRAY", size("CUBEARRAY"), "[8, 3]"),
        ("2D", "MUL TEMP[0], TEMP[0], TEMP[0]\nLODQ TEMP[3], TEMP[0], SAMP[0], 2D".to_string(), "[64, 32]"),
    ]
}

#[test]
fn fetches_queries_and_rectangles() {
    for (shape, instruction, size) in fetches_and_queries() {
        equal(&lookup(shape, &instruction, size), "ieee", 16);
    }
    let flat = "format = \"rgba8\"\nfilter = \"linear\"\nwrap = \"clamp\"";
    // Exact where sides are powers of two.
    for (shape, instruction) in [
        ("RECT", "TEX TEMP[3], TEMP[0], SAMP[0], RECT"),
        ("SHADOWRECT", "MUL TEMP[0], TEMP[0], IMM[0].wwww\nTEX TEMP[3], TEMP[0].xyxy, SAMP[0], SHADOWRECT"),
        ("2D", "F2I TEMP[1], TEMP[0].xyxy\nTG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D, TEMP[1].xyx"),
    ] {
        equal(&filtered(shape, instruction, "[4, 2]", flat), "ieee", 16);
    }
}

#[test]
fn what_devices_do_not_look_up_is_named() {
    let refused = |shape: &str, instruction: &str, size: &str, why: &str| {
        let effect = lookup(shape, instruction, size);
        let compiled = effect.under(&Model::builtin("ieee").expect("built in"));
        let reasons = module(&compiled, &mut Programs::default(), false).expect_err("no module");
        assert!(reasons.iter().any(|reason| reason.contains(why)), "{reasons:?}");
    };
    refused("2D", "TEX TEMP[3], TEMP[0], SAMP[0], 2D, TEMP[1].xyz", "[16, 8]", "Vulkan has these for gathers alone");
}

/// Lookups that give words.
pub(crate) const WORDS: [(&str, &str, &str); 6] = [
    ("2D", "TEX TEMP[3], TEMP[0], SAMP[0], 2D", "[13, 7]"),
    ("2D", "TXL TEMP[3], TEMP[0], SAMP[0], 2D", "[13, 7]"),
    ("3D", "TEX TEMP[3], TEMP[0], SAMP[0], 3D", "[3, 5, 7]"),
    ("2D_ARRAY", "TEX TEMP[3], TEMP[0].xyww, SAMP[0], 2D_ARRAY", "[13, 7, 3]"),
    ("CUBE", "TEX TEMP[3], TEMP[0], SAMP[0], CUBE", "[7]"),
    ("2D", "TG4 TEMP[3], TEMP[0], IMM[1].yyyy, SAMP[0], 2D", "[13, 7]"),
];

#[test]
fn words_and_sizes_of_images_that_nothing_looks_up() {
    let keys = "format = \"rgba32f\"\nfilter = \"linear\"\nwrap = \"repeat\"";
    for (shape, instruction, size) in WORDS {
        equal(&typed(shape, "UINT", instruction, size, keys), "ieee", 16);
    }
    let fetch = format!("{TEXELS}MOV TEMP[1].w, IMM[1].xxxx\nTXF TEMP[3], TEMP[1], SAMP[0], 2D");
    equal(&typed("2D", "SINT", &fetch, "[13, 7]", keys), "ieee", 16);
    let size = "TXQ TEMP[3], IMM[1].xxxx, SAMP[0], 2D_ARRAY\nI2F TEMP[3], TEMP[3]\nMUL TEMP[3], TEMP[3], IN[0].xxxx";
    equal(&lookup("2D_ARRAY", size, "[13, 8, 3]"), "ieee", 16);
    let both = "TEX TEMP[2], TEMP[0], SAMP[0], 2D\nTXQ TEMP[3], IMM[1].xxxx, SAMP[0], 2D\nI2F TEMP[3], TEMP[3]\n\
                MAD TEMP[3], TEMP[2], IMM[0].zzzz, TEMP[3]";
    equal(&lookup("2D", both, "[13, 8]"), "ieee", 16);
}

/// A fragment with one lookup, in assembly of SPIR-V.
pub(crate) fn assembly(capability: &str, image: &str, lookup: &str) -> Effect {
    let text = format!(
        "; SPIR-V\nOpCapability Shader\n{capability}\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n\
         OpDecorate %in Location 0\nOpDecorate %out Location 0\nOpDecorate %tex DescriptorSet 0\nOpDecorate %tex Binding 1\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n\
         %v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%i2 = OpTypeVector %int 2\n\
         %image = OpTypeImage %float {image} Unknown\n%sampled = OpTypeSampledImage %image\n\
         %pin = OpTypePointer Input %v4\n%pout = OpTypePointer Output %v4\n%ptex = OpTypePointer UniformConstant %sampled\n\
         %in = OpVariable %pin Input\n%out = OpVariable %pout Output\n%tex = OpVariable %ptex UniformConstant\n\
         %least = OpConstant %float 0.75\n%eight = OpConstant %float 8\n%two = OpConstant %int 2\n\
         %main = OpFunction %void None %fn\n%start = OpLabel\n%pair = OpLoad %sampled %tex\n%c = OpLoad %v4 %in\n\
         %at = OpVectorShuffle %v2 %c %c 0 1\n%level = OpCompositeExtract %float %c 2\n{lookup}\n\
         OpStore %out %texel\nOpReturn\nOpFunctionEnd\n"
    );
    let manifest = "stage = \"fragment\"\nsize = [16, 16]\n[[attributes]]\nindex = 0\n\
         corners = [[-0.5, -0.25, 0.0, 0.0], [1.5, -0.25, 1.0, 1.0], [-0.5, 1.5, 1.0, 1.0], [1.5, 1.5, 2.0, 2.0]]\n\
         [[textures]]\nunit = 0\nsource = \"noise\"\nsize = [16, 16]\nfilter = \"linear\"\nmip = \"linear\"\nseed = 7\n";
    Effect::of("lookup.spvasm", &text, manifest)
}

/// What lookups with a least level are.
pub(crate) const LEAST: [&str; 2] = [
    "%texel = OpImageSampleImplicitLod %v4 %pair %at MinLod %least",
    "%texel = OpImageSampleImplicitLod %v4 %pair %at Bias|MinLod %level %least",
];

#[test]
fn least_levels() {
    for lookup in LEAST {
        equal(&assembly("OpCapability MinLod", "2D 0 0 0 1", lookup), "ieee", 16);
    }
}

/// Sides beyond those of the image, samples that it does not have: zeros. The images of manifests have one sample.
#[test]
fn samples_are_fetched() {
    let lookup = "%scaled = OpVectorTimesScalar %v2 %at %eight\n%place = OpConvertFToS %i2 %scaled\n%plain = OpImage %image %pair\n\
                  %number = OpConvertFToS %int %level\n%texel = OpImageFetch %v4 %plain %place Sample %number";
    let effect = assembly("", "2D 0 0 1 1", lookup);
    equal(&effect, "ieee", 16);
    let compiled = effect.under(&Model::builtin("ieee").expect("built in"));
    let made = module(&compiled, &mut Programs::default(), false).expect("a module");
    assert_eq!(made.interface.textures[0].sampler, None, "no sampler");
}
