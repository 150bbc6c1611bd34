//! What drivers make of a program is a cause: with its name, at its instruction.

use parallax::{Draw, LoadOptions, load};
use parallax_core::num::Model;
use parallax_explain::{Explanation, Options, explain};

fn explained(name: &str, text: &str, model: &str, against: &str) -> Explanation {
    let loaded = load(name, text.as_bytes(), &LoadOptions::default());
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let mut draw = Draw::defaults(&shader.func.iface).expect("a draw");
    (draw.width, draw.height) = (16, 16);
    let [model, against] = [model, against].map(|name| Model::parse(name).expect("a model"));
    explain(&shader, &draw, &model, &against, &Options { brief: true, ..Options::default() }).expect("a frame")
}

/// Two functions and a sum with a product; a model gives each its own cause.
const FUNCTIONS: &str = r#"OpCapability Shader
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %uv %color
OpExecutionMode %main OriginUpperLeft
OpDecorate %uv Location 0
OpDecorate %color Location 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%v4 = OpTypeVector %float 4
%in4 = OpTypePointer Input %v4
%out4 = OpTypePointer Output %v4
%uv = OpVariable %in4 Input
%color = OpVariable %out4 Output
%third = OpConstant %float 0.33333
%main = OpFunction %void None %fn
%begin = OpLabel
%place = OpLoad %v4 %uv
%x = OpCompositeExtract %float %place 0
%y = OpCompositeExtract %float %place 1
%angle = OpExtInst %float %glsl Atan2 %y %third
%root = OpExtInst %float %glsl Sqrt %x
%product = OpFMul %float %root %y
%sum = OpFAdd %float %product %third
%result = OpCompositeConstruct %v4 %angle %root %sum %third
OpStore %color %result
OpReturn
OpFunctionEnd
"#;

#[test]
fn the_formula_of_a_library_is_a_cause() {
    let found = explained("t.spvasm", FUNCTIONS, "ieee[library=vulkan]", "ieee");
    let first = &found.ranking.instructions[0];
    assert!(first.place.text.contains("Atan2"), "{:?}", first.place);
    assert!(found.whole.changed > 100 && first.fixed == 1.0 && first.caused == 1.0, "{first:?}");
    let field = &first.fields[0];
    assert_eq!((field.field, field.op), ("library", "library.atan2"));
    assert_eq!((field.value.as_str(), field.other.as_str(), field.fixed), ("vulkan", "mesa", 1.0));
    assert_eq!(found.ranking.instructions.len(), 1);
}

#[test]
fn a_contraction_is_a_cause() {
    let found = explained("t.spvasm", FUNCTIONS, "ieee[driver=contract]", "ieee");
    let first = &found.ranking.instructions[0];
    assert!(first.place.text.contains("OpFAdd"), "{:?}", first.place);
    assert!(found.whole.changed > 5 && first.fixed == 1.0, "{first:?}");
    let field = &first.fields[0];
    assert_eq!((field.field, field.op, field.value.as_str(), field.fixed), ("driver", "add", "contract", 1.0));
}

#[test]
fn a_program_that_a_driver_reassociates_is_explained_as_it_is_drawn() {
    // a * b * 0.3 becomes a * 0.3 * b.
    let text = "!!ARBfp1.0\nTEMP t;\nMUL t, fragment.texcoord[0].x, fragment.texcoord[0].y;\nMUL result.color, t, {0.3}.x;\nEND\n";
    let found = explained("t.fp", text, "llvmpipe", "llvmpipe[driver=none]");
    assert!(found.whole.changed > 20, "{:?}", found.whole);
    let first = &found.ranking.instructions[0];
    assert_eq!(first.fixed, 1.0, "{first:?}");
    assert_eq!((first.fields[0].field, first.fields[0].value.as_str()), ("driver", "reassociate"));
}
