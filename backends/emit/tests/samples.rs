//! Samples of pixels in SPA 5.0: where they are, which are covered, and attributes at them, at centroids and at offsets. Triangles have
//! edges in pixels here, and pixels one to sixteen samples.

use crate::back::{lifted, named};
use crate::proof::{Source, difference, frame, read};
use crate::schedule::check;
use parallax::{Draw, Model, Samples, Shader, Symbolic, varied};
use parallax_emit::translate;
use parallax_random::Random;
use std::fmt::Write;

/// The draw of a program of the corpus that covers pixels in part, with the attributes of another one.
fn draw_of(shader: &Shader<Symbolic>, seed: u32) -> Draw {
    let edges = parallax_corpus::shaders().find(|file| file.path == "spa5/centroid_edge.spa5").expect("in the corpus");
    let edges = Source::of_corpus(edges);
    let mut draw =
        Draw { geometry: edges.draw.geometry.clone(), ..Draw::defaults(&shader.func.iface).expect("defaults") };
    let vertices = edges.draw.attributes.iter().map(Vec::len).max().expect("attributes");
    draw.attributes.iter_mut().filter(|values| !values.is_empty()).for_each(|values| values.resize(vertices, [0; 4]));
    let count = [1, 2, 4, 8, 16][seed as usize % 5];
    let per_sample = [None, Some(true), Some(false)][seed as usize / 5 % 3];
    draw.samples = Samples { per_sample, ..Samples::standard(count).expect("a pattern") };
    varied(&draw, &shader.func.iface, seed)
}

/// Translates a program, and compares what both draw under `ieee`; gives the text.
fn translated(text: &str, isa: &str, seed: u32) -> String {
    let (model, target) = (Model::builtin("ieee").expect("built in"), named("spa5"));
    let source = lifted(text, isa);
    let made = translate(&source, target).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    check(&made.text).unwrap_or_else(|why| panic!("{why}\n{}", made.text));
    let there = read(&made, target).unwrap_or_else(|why| panic!("{why}\nfrom\n{text}"));
    let draw = draw_of(&source, seed);
    let carried = draw.carried(&there.func.iface, &made.carried).expect("constants");
    let (wanted, found) = (frame(&source, &draw, &model, 24), frame(&there, &carried, &model, 24));
    assert!(text.contains("KIL") || wanted.covered.contains(&true), "nothing is drawn");
    assert_eq!(difference(&wanted, &found, &made.carried), None, "{seed}\n{text}\n{}", made.text);
    made.text
}

/// A random program of SPA 5.0. R0 has w; R1 to R7 have words and numbers of all kinds.
fn program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        ".header type 2\n.header version 3\n.header stage pixel\n.header position xyw\n\
         .header generic0 perspective perspective perspective unused\n.header generic1 linear linear linear linear\n\
         .header generic2 constant constant constant constant\n.header kills yes\n.header target0 rgba\n\
         IPA.PASS R0, a[0x7c], RZ\nMUFU.RCP R0, R0\n",
    );
    for n in 1..8 {
        let _ = writeln!(text, "MOV32I R{n}, {:#x}", random.below(20));
    }
    for _ in 0..20 {
        let [to, from] = [0; 2].map(|_| 1 + random.below(7));
        let guard = random.pick(&["", "", "", "@P1 ", "@!P1 "]);
        let sample = match random.below(3) {
            0 => format!("[R{from}]"),
            1 => format!("[{:#x}]", 1 + random.below(20)),
            _ => "[RZ]".to_string(),
        };
        let _ = match random.below(11) {
            0 | 1 => writeln!(text, "{guard}PIXLD.OFFSET R{to}, {sample}"),
            2 => writeln!(text, "{guard}PIXLD.CENTROID_OFFSET R{to}, [RZ]"),
            3 => writeln!(text, "{guard}PIXLD.MY_INDEX R{to}, P1, [RZ]"),
            4 => writeln!(text, "{guard}PIXLD.COVERED R{to}, P1, {sample}"),
            5 => writeln!(text, "{guard}{} R{to}, [RZ]", random.pick(&["PIXLD", "PIXLD.COVMASK"])),
            6 => writeln!(text, "{guard}S2R R{to}, {}", random.pick(&["SR_THREAD_KILL", "SR_LANEID"])),
            7 if random.below(4) == 0 => {
                writeln!(text, "ISETP.EQ.AND P2, PT, R{from}, 0x3, PT\n@P2 KIL")
            }
            _ => {
                let address = random.pick(&[0x70, 0x74, 0x80, 0x84, 0x88, 0x90, 0x9c, 0xa4]);
                let at = random.pick(&["", ".CENTROID", ".OFFSET", ".OFFSET"]);
                let offset = if at == ".OFFSET" { format!(", R{from}") } else { String::new() };
                let (mode, w) = match (address, random.below(2)) {
                    (0x80..0x90, 0) => ("", "R0"),
                    (0xa0.., _) => (".CONSTANT", "RZ"),
                    _ => (".PASS", "RZ"),
                };
                writeln!(text, "{guard}IPA{mode}{at} R{to}, a[{address:#x}], {w}{offset}")
            }
        };
    }
    text.push_str("IADD R0, R1, R5\nIADD R1, R2, R6\nIADD R2, R3, R7\nMOV R3, R4\nEXIT\n");
    text
}

#[test]
fn random_programs_with_samples_come_back_with_the_same_bits() {
    for seed in 0..300 {
        let text = program(seed);
        translated(&text, "spa5", seed as u32);
    }
}

/// A fragment shader that reads an attribute in one of the ways of GLSL.
fn interpolated(function: &str, operand: &str, is_linear: bool) -> String {
    let linear = if is_linear { "OpDecorate %in NoPerspective\n" } else { "" };
    format!(
        "OpCapability Shader\nOpCapability InterpolationFunction\nOpCapability SampleRateShading\n\
         %glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint Fragment %main \"main\" %in %flat %out %id\nOpExecutionMode %main OriginUpperLeft\n\
         OpDecorate %in Location 0\n{linear}OpDecorate %flat Location 1\nOpDecorate %flat Flat\nOpDecorate %out Location 0\n\
         OpDecorate %id BuiltIn SampleId\nOpDecorate %id Flat\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n\
         %v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n%pin = OpTypePointer Input %v4\n\
         %pint = OpTypePointer Input %int\n%pout = OpTypePointer Output %v4\n\
         %in = OpVariable %pin Input\n%flat = OpVariable %pin Input\n%id = OpVariable %pint Input\n\
         %out = OpVariable %pout Output\n\
         %three = OpConstant %int 3\n%a = OpConstant %float 0.25\n%b = OpConstant %float -0.4375\n\
         %c = OpConstant %float 0.10009765625\n%d = OpConstant %float 0.1\n\
         %grid = OpConstantComposite %v2 %a %b\n%steps = OpConstantComposite %v2 %b %c\n%fine = OpConstantComposite %v2 %a %d\n\
         %main = OpFunction %void None %fn\n%label = OpLabel\n%number = OpLoad %int %id\n\
         %x = OpExtInst %v4 %glsl {function} %in {operand}\n%y = OpExtInst %v4 %glsl {function} %flat {operand}\n\
         %sum = OpFAdd %v4 %x %y\nOpStore %out %sum\nOpReturn\nOpFunctionEnd\n"
    )
}

#[test]
fn attributes_of_glsl_at_samples_centroids_and_offsets() {
    let ways = [
        ("InterpolateAtCentroid", "", "PIXLD.CENTROID_OFFSET"),
        ("InterpolateAtSample", "%three", "PIXLD.OFFSET"),
        ("InterpolateAtSample", "%number", "PIXLD.OFFSET"),
        ("InterpolateAtOffset", "%grid", "IPA.PASS.OFFSET"),
        ("InterpolateAtOffset", "%steps", "IPA.PASS.OFFSET"),
    ];
    for (function, operand, part) in ways {
        // Up to eight samples.
        // The draw says whether samples are shaded, where the program asks.
        let first = if operand == "%number" { 5 } else { 0 };
        for seed in (first..15).filter(|seed| seed % 5 != 4) {
            let made = translated(&interpolated(function, operand, true), "spirv", seed);
            assert!(made.contains(part), "{made}");
        }
        // With perspective, w is read at the same place.
        let source = lifted(&interpolated(function, operand, false), "spirv");
        let made = translate(&source, named("spa5")).expect("attributes");
        assert!(made.text.contains("IPA.PASS.OFFSET ") && made.text.contains("IPA.OFFSET "), "{}", made.text);
        assert!(made.inexact.iter().any(|inexact| inexact.what.contains("where w is not 1")));
    }
}

/// An attribute that is declared to be read at samples.
#[test]
fn attributes_at_samples_are_read_where_the_sample_is() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], LINEAR, SAMPLE\nDCL IN[1], GENERIC[1], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n\
                ADD TEMP[0], IN[0], IN[1]\nMOV OUT[0], TEMP[0]\nEND\n";
    for seed in (5..15).filter(|seed| seed % 5 != 4) {
        let made = translated(text, "tgsi", seed);
        assert!(made.contains("PIXLD.MY_INDEX") && made.contains("IPA.PASS.OFFSET"), "{made}");
    }
}

#[test]
fn offsets_finer_than_a_step_are_named() {
    let source = lifted(&interpolated("InterpolateAtOffset", "%fine", true), "spirv");
    let made = translate(&source, named("spa5")).expect("offsets");
    assert!(made.inexact.iter().any(|inexact| inexact.in_ieee && inexact.what.contains("steps of 1/4096")));
}
