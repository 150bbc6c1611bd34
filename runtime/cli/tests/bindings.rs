//! Images, texel buffers and blocks of SPIR-V modules: through the machine interface, and through manifests.

use crate::support::Place;
use serde_json::{Value, json};

/// A module of one invocation on an image `0.1`, a texel buffer `0.2` and a uniform block `0.3`: it adds the block's second
/// word to the image's first texel and writes the texel buffer's second to its second.
fn module(format: &str) -> String {
    format!(
        "OpCapability Shader\nOpCapability SampledBuffer\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\nOpName %picture \"picture\"\n\
         OpName %block \"settings\"\nOpMemberName %block 1 \"step\"\n\
         OpDecorate %picture DescriptorSet 0\nOpDecorate %picture Binding 1\nOpDecorate %texels DescriptorSet 0\n\
         OpDecorate %texels Binding 2\nOpDecorate %values DescriptorSet 0\nOpDecorate %values Binding 3\n\
         OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 4\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%u2 = OpTypeVector %uint 2\n\
         %u4 = OpTypeVector %uint 4\n%n0 = OpConstant %uint 0\n%n1 = OpConstant %uint 1\n\
         %image = OpTypeImage %uint 2D 0 0 0 2 {format}\n%pimage = OpTypePointer UniformConstant %image\n\
         %picture = OpVariable %pimage UniformConstant\n%buffer = OpTypeImage %uint Buffer 0 0 0 1 Unknown\n\
         %pbuffer = OpTypePointer UniformConstant %buffer\n%texels = OpVariable %pbuffer UniformConstant\n\
         %block = OpTypeStruct %uint %uint\n%pblock = OpTypePointer Uniform %block\n%pword = OpTypePointer Uniform %uint\n\
         %values = OpVariable %pblock Uniform\n%first = OpConstantComposite %u2 %n0 %n0\n\
         %second = OpConstantComposite %u2 %n1 %n0\n\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n%i = OpLoad %image %picture\n%b = OpLoad %buffer %texels\n\
         %pstep = OpAccessChain %pword %values %n1\n%step = OpLoad %uint %pstep\n\
         %all = OpCompositeConstruct %u4 %step %step %step %step\n%old = OpImageRead %u4 %i %first\n\
         %new = OpIAdd %u4 %old %all\nOpImageWrite %i %first %new\n%other = OpImageFetch %u4 %b %n1\n\
         OpImageWrite %i %second %other\nOpReturn\nOpFunctionEnd\n"
    )
}

fn ask(lines: &[Value]) -> Vec<Value> {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Place::new().feed(&["eval"], input.as_bytes()).exits(0).lines()
}

#[test]
fn images_are_words_before_and_after() {
    let text = module("Rgba8ui");
    let image = json!({"width": 2, "height": 1, "format": "rgba8ui", "words": ["04030201", "ffffffff"]});
    let texels = json!({"dim": "buffer", "width": 2, "format": "rg16ui", "words": ["00000000", "00070006"]});
    let answers = ask(&[
        json!({"id": 1, "isa": "spirv", "text": text, "state": {"0.3[0x4]": "00000010"},
               "textures": {"0.1": image, "0.2": texels}}),
        // By names; the texel buffer by its words alone.
        json!({"id": 2, "isa": "spirv", "text": text, "buffers": {"settings": ["0", "1"], "0.2": ["0","0","0","0","5","6","7","8"]},
               "textures": {"picture": {"width": 2, "height": 1, "texels": [["1","2","3","4"],["0","0","0","0"]]}}}),
        json!({"id": 3, "isa": "spirv", "text": module("Unknown"), "state": {"step": "00000001"},
               "textures": {"0.1": {"width": 2, "height": 1, "format": "rgba16ui"}, "0.2": texels}}),
    ]);
    assert_eq!(answers[0]["buffers"]["0.1"], json!(["14131211", "01000706"]), "{}", answers[0]);
    assert_eq!(answers[1]["buffers"]["0.1"], json!(["05040302", "08070605"]), "{}", answers[1]);
    assert_eq!(answers[2]["buffers"]["0.1"], json!(["00010001", "00010001", "00070006", "00010000"]), "{}", answers[2]);
}

#[test]
fn what_is_wrong_with_an_image_is_said() {
    let text = module("Rgba8ui");
    let with = |image: Value| json!({"isa": "spirv", "text": text, "buffers": {"0.2": []}, "textures": {"0.1": image}});
    let cases = [
        (
            with(json!({"width": 2, "height": 1, "format": "r8ui"})),
            "draw-image-format",
            "`0.1` is r8ui; the program reads rgba8ui",
        ),
        (with(json!({"width": 2})), "texture", "height is missing"),
        (with(json!({"width": 2, "height": 1, "words": ["0"]})), "texture", "2 words are needed, 1 are given"),
        (with(json!({"dim": "3d", "width": 2, "height": 1, "depth": 1})), "texture", "declares it as 2d"),
        (with(json!({"width": 2, "height": 1, "format": "rgba9"})), "texture", "is not a format"),
        (with(json!({"constant": ["0", "0", "0", "0"]})), "texture", "cannot be a constant"),
        (with(json!({"width": 16384, "height": 16384})), "texture", "too large"),
        (json!({"isa": "spirv", "text": text, "buffers": {"0.2": []}}), "draw-image", "no image is given for `0.1`"),
        // A word of a block is one word.
        (json!({"isa": "spirv", "text": text, "state": {"0.3[0x4]": ["0", "0", "0", "0"]}}), "value", "one component"),
    ];
    let requests: Vec<Value> = cases.iter().map(|(request, ..)| request.clone()).collect();
    for ((_, code, part), answer) in cases.iter().zip(ask(&requests)) {
        assert_eq!(answer["error"]["code"], *code, "{part}");
        assert!(answer["error"]["message"].as_str().is_some_and(|message| message.contains(part)), "{part}: {answer}");
    }
}

/// A fragment shader: the colour is a texel of the texture `map` and words of the buffer `0.1` and the image `0.2`.
const FRAGMENT: &str = "OpCapability Shader\nOpMemoryModel Logical GLSL450\n\
    OpEntryPoint Fragment %main \"main\" %color\nOpExecutionMode %main OriginUpperLeft\nOpName %map \"map\"\n\
    OpName %words \"particles\"\nOpDecorate %color Location 0\nOpDecorate %map DescriptorSet 0\nOpDecorate %map Binding 0\n\
    OpDecorate %words DescriptorSet 0\nOpDecorate %words Binding 1\nOpDecorate %block Block\n\
    OpMemberDecorate %block 0 Offset 0\nOpDecorate %list ArrayStride 4\nOpDecorate %grid DescriptorSet 0\n\
    OpDecorate %grid Binding 2\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n\
    %int = OpTypeInt 32 1\n%i2 = OpTypeVector %int 2\n%v2 = OpTypeVector %float 2\n%v4 = OpTypeVector %float 4\n\
    %n0 = OpConstant %int 0\n%n1 = OpConstant %int 1\n%f0 = OpConstant %float 0\n%zero = OpConstantComposite %v2 %f0 %f0\n\
    %one = OpConstantComposite %i2 %n1 %n0\n%plane = OpTypeImage %float 2D 0 0 0 1 Unknown\n\
    %sampled = OpTypeSampledImage %plane\n%pmap = OpTypePointer UniformConstant %sampled\n\
    %map = OpVariable %pmap UniformConstant\n%list = OpTypeRuntimeArray %float\n%block = OpTypeStruct %list\n\
    %pblock = OpTypePointer StorageBuffer %block\n%pfloat = OpTypePointer StorageBuffer %float\n\
    %words = OpVariable %pblock StorageBuffer\n%storage = OpTypeImage %float 2D 0 0 0 2 Rgba8\n\
    %pgrid = OpTypePointer UniformConstant %storage\n%grid = OpVariable %pgrid UniformConstant\n\
    %pout = OpTypePointer Output %v4\n%color = OpVariable %pout Output\n%main = OpFunction %void None %fn\n\
    %entry = OpLabel\n%m = OpLoad %sampled %map\n%t = OpImageSampleExplicitLod %v4 %m %zero Lod %f0\n\
    %red = OpCompositeExtract %float %t 0\n%p = OpAccessChain %pfloat %words %n0 %n1\n%w = OpLoad %float %p\n\
    %g = OpLoad %storage %grid\n%texel = OpImageRead %v4 %g %one\n%blue = OpCompositeExtract %float %texel 0\n\
    %all = OpCompositeConstruct %v4 %red %w %blue %f0\nOpStore %color %all\nOpReturn\nOpFunctionEnd\n";

#[test]
fn manifests_name_bindings() {
    let place = Place::new();
    place.put("a.spvasm", FRAGMENT);
    let template = place.run(&["manifest", "a.spvasm"]);
    for part in [
        "[binding.\"0.0\"]",
        "# map: an image",
        "[binding.\"0.1\"]",
        "# particles: a buffer",
        "[binding.\"0.2\"]",
        "format = \"rgba8\"",
    ] {
        template.exits(0).prints(part);
    }
    // A manifest from the template runs as it is.
    place.put("a.toml", template.text());
    place.run(&["run", "a.spvasm", "--size", "4x4", "-o", "a.png"]).exits(0);
    let manifest = "size = [4, 4]\n[binding.map]\nsource = \"checker\"\nsize = [8, 8]\nfilter = \"nearest\"\n\
                    [binding.particles]\nwords = [\"0\", \"3f000000\"]\n\
                    [binding.\"0.2\"]\nsize = [2, 1]\nfile = \"grid.bin\"\n";
    place.put("a.toml", manifest).put("grid.bin", [0u8, 0, 0, 0, 51, 0, 0, 0]);
    let shown = place.run(&["run", "a.spvasm", "--pixel", "1,1", "--format", "json"]);
    let json: Value = serde_json::from_str(shown.exits(0).text()).expect("an object");
    let values = &json["pixels"][0]["values"];
    // 224/255 as the checker has it, a word of the buffer, 51/255.
    let found = ["out[0].x", "out[0].y", "out[0].z"].map(|name| values[name].as_str());
    assert_eq!(found, [Some("0.8784314"), Some("0.5"), Some("0.2")], "{json}");
    for (text, part) in [
        ("[binding.map]\nwords = [\"0\"]\n", "`map` is a texture"),
        ("[binding.particles]\nsource = \"noise\"\n", "`particles` is memory"),
        ("[binding.particles]\nsize = [4]\n", "`size` is for images"),
        ("[binding.\"0.2\"]\ncount = 4\n", "`count` is for buffers"),
        ("[binding.\"0.2\"]\nformat = \"r8\"\n", "is rgba8 in the program"),
        ("[binding.\"0.2\"]\nsize = [1, 1]\nwords = [\"0\", \"0\"]\n", "has room for 1 words, 2 are given"),
        ("[binding.particles]\nwords = [\"xyz\"]\n", "expected a word"),
        ("[binding.particles]\nfile = \"none.npy\"\n", "cannot be read"),
        ("[binding.particles]\nsource = \"iota\"\nseed = 3\n", "requires `source = \"random\"`"),
        ("[binding.particles]\ncount = 4294967295\n", "67108864"),
        ("[binding.particles]\nsource = \"unifrom\"\n", "did you mean `uniform`?"),
        ("[binding.map]\nsource = \"cheker\"\n", "did you mean `checker`?"),
    ] {
        place.put("a.toml", text);
        place.run(&["run", "a.spvasm", "-o", "a.png"]).exits(2).says(part);
    }
}

/// A kernel of one invocation that stores how wide a subgroup is.
const WIDTH: &str = "OpCapability Shader\nOpCapability GroupNonUniform\nOpMemoryModel Logical GLSL450\n\
    OpEntryPoint GLCompute %main \"main\" %size\nOpExecutionMode %main LocalSize 1 1 1\nOpDecorate %size BuiltIn SubgroupSize\n\
    OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\nOpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n\
    %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%n0 = OpConstant %uint 0\n\
    %pin = OpTypePointer Input %uint\n%size = OpVariable %pin Input\n%s = OpTypeStruct %uint\n\
    %ps = OpTypePointer StorageBuffer %s\n%b = OpVariable %ps StorageBuffer\n%pu = OpTypePointer StorageBuffer %uint\n\
    %main = OpFunction %void None %fn\n%entry = OpLabel\n%width = OpLoad %uint %size\n%to = OpAccessChain %pu %b %n0\n\
    OpStore %to %width\nOpReturn\nOpFunctionEnd\n";

#[test]
fn subgroups_are_as_wide_as_the_model_or_the_user_says() {
    let with = |more: Value| {
        let mut request = json!({"isa": "spirv", "text": WIDTH, "buffers": {"0.0": ["0"]}});
        let members = more.as_object().expect("members").clone();
        request.as_object_mut().expect("an object").extend(members);
        request
    };
    let answers = ask(&[
        with(json!({})),
        with(json!({"model": "pascal"})),
        with(json!({"model": "amd-gcn"})),
        with(json!({"model": "lavapipe"})),
        with(json!({"model": "ieee[subgroup=16]"})),
        with(json!({"model": "pascal", "options": {"subgroup": "128"}})),
    ]);
    let found: Vec<&Value> = answers.iter().map(|answer| &answer["buffers"]["0.0"][0]).collect();
    assert_eq!(found, ["00000004", "00000020", "00000040", "00000008", "00000010", "00000080"], "{answers:?}");
    let place = Place::new();
    place.put("a.spvasm", WIDTH).put("a.toml", "[dispatch]\ngrid = [1]\nsubgroup = 64\n[binding.\"0.0\"]\ncount = 1\n");
    place.run(&["run", "a.spvasm", "--format", "json"]).exits(0).prints("00000040");
    place.run(&["run", "a.spvasm", "--subgroup", "8", "--format", "json"]).exits(0).prints("00000008");
    place.run(&["run", "a.spvasm", "--subgroup", "6"]).exits(2);
    place.put("a.toml", "[dispatch]\nsubgroup = 6\n");
    place.run(&["run", "a.spvasm"]).exits(2).says("subgroup");
}

/// A kernel of one invocation that adds a number of one buffer of an array to a texel of an image of an array, and stores the sum in
/// the buffer behind it. Neither array has a length.
const UNCOUNTED: &str = "OpCapability Shader\nOpCapability RuntimeDescriptorArray\nOpMemoryModel Logical GLSL450\n\
    OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\nOpDecorate %b DescriptorSet 0\n\
    OpDecorate %b Binding 0\nOpDecorate %i DescriptorSet 0\nOpDecorate %i Binding 1\nOpDecorate %s Block\n\
    OpMemberDecorate %s 0 Offset 0\nOpMemberDecorate %s 1 Offset 4\nOpDecorate %list ArrayStride 4\n%void = OpTypeVoid\n\
    %fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %float 2\n\
    %v4 = OpTypeVector %float 4\n%n0 = OpConstant %uint 0\n%n1 = OpConstant %uint 1\n%f0 = OpConstant %float 0\n\
    %corner = OpConstantComposite %v2 %f0 %f0\n%list = OpTypeRuntimeArray %float\n%s = OpTypeStruct %uint %list\n\
    %all = OpTypeRuntimeArray %s\n%pall = OpTypePointer StorageBuffer %all\n%pu = OpTypePointer StorageBuffer %uint\n\
    %pf = OpTypePointer StorageBuffer %float\n%b = OpVariable %pall StorageBuffer\n\
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n\
    %images = OpTypeRuntimeArray %sampled\n%pimages = OpTypePointer UniformConstant %images\n\
    %psampled = OpTypePointer UniformConstant %sampled\n%i = OpVariable %pimages UniformConstant\n\
    %main = OpFunction %void None %fn\n%entry = OpLabel\n%which = OpAccessChain %pu %b %n0 %n0\n%n = OpLoad %uint %which\n\
    %one = OpAccessChain %psampled %i %n\n%unit = OpLoad %sampled %one\n%texel = OpImageSampleExplicitLod %v4 %unit %corner Lod %f0\n\
    %x = OpCompositeExtract %float %texel 0\n%from = OpAccessChain %pf %b %n %n1 %n0\n%y = OpLoad %float %from\n\
    %sum = OpFAdd %float %x %y\n%next = OpIAdd %uint %n %n1\n%to = OpAccessChain %pf %b %next %n1 %n1\nOpStore %to %sum\n\
    OpReturn\nOpFunctionEnd\n";

#[test]
fn arrays_of_descriptors_are_as_long_as_the_user_says() {
    let place = Place::new();
    place.put("a.spvasm", UNCOUNTED);
    let refused = place.run(&["check", "a.spvasm"]);
    refused.exits(3).says("an array of images or blocks without a length").says("`descriptors`");
    place.run(&["check", "a.spvasm", "--set", "descriptors=3"]).exits(2).says("1, 2, 4, 8");
    place.run(&["check", "a.spvasm", "--set", "descriptors=4"]).exits(0);
    let texture = |texel: &str| json!({"width": 1, "height": 1, "texels": [[texel, "0", "0", "0"]]});
    let answers = ask(&[json!({
        "isa": "spirv", "text": UNCOUNTED, "options": {"descriptors": "4"},
        "buffers": {"0.0.0": ["2", "0"], "0.0.1": ["0", "0"], "0.0.2": ["0", "41200000"], "0.0.3": ["0", "0", "0"]},
        "textures": {"0.1.0": texture("3f800000"), "0.1.1": texture("40000000"), "0.1.2": texture("3f000000"), "0.1.3": texture("0")},
    })]);
    // 0.5 of the third image and 10 of the third buffer, in the fourth.
    assert_eq!(answers[0]["buffers"]["0.0.3"], json!(["00000000", "00000000", "41280000"]), "{answers:?}");
}
