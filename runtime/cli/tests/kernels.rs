//! Kernels: `run` and `compare` on the grid of a manifest.

use crate::support::Place;
use serde_json::Value;

/// Each invocation of two workgroups of four squares its number and adds 1/3.
const KERNEL: &str = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n\
    OpExecutionMode %main LocalSize 4 1 1\nOpName %out \"Out\"\nOpDecorate %id BuiltIn GlobalInvocationId\n\
    OpDecorate %out Block\nOpMemberDecorate %out 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
    OpDecorate %all DescriptorSet 0\nOpDecorate %all Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
    %uint = OpTypeInt 32 0\n%u3 = OpTypeVector %uint 3\n%float = OpTypeFloat 32\n%pu3 = OpTypePointer Input %u3\n\
    %id = OpVariable %pu3 Input\n%list = OpTypeRuntimeArray %float\n%out = OpTypeStruct %list\n\
    %pout = OpTypePointer StorageBuffer %out\n%pfloat = OpTypePointer StorageBuffer %float\n\
    %all = OpVariable %pout StorageBuffer\n%n0 = OpConstant %uint 0\n%third = OpConstant %float 0.333333343\n\
    %main = OpFunction %void None %fn\n%entry = OpLabel\n%ids = OpLoad %u3 %id\n%x = OpCompositeExtract %uint %ids 0\n\
    %f = OpConvertUToF %float %x\n%square = OpFMul %float %f %f\n%sum = OpFAdd %float %square %third\n\
    %place = OpAccessChain %pfloat %all %n0 %x\nOpStore %place %sum\nOpReturn\nOpFunctionEnd\n";

const MANIFEST: &str = "stage = \"compute\"\n[dispatch]\ngrid = [2]\n[binding.Out]\ncount = 8\n";

fn place() -> Place {
    let place = Place::new();
    place.put("k.spvasm", KERNEL).put("k.toml", MANIFEST);
    place
}

/// The squares in binary32, rounded to nearest as the additions are.
fn wanted(count: u32) -> Vec<u32> {
    (0..count).map(|n| ((n * n) as f32 + 0.333_333_34).to_bits()).collect()
}

#[test]
fn run_writes_the_buffers_of_a_kernel() {
    let place = place();
    place
        .run(&["run", "k.spvasm", "--model", "ieee"])
        .exits(0)
        .prints("2x1x1 workgroups of 4x1x1, 8 invocations")
        .prints("0.0");
    let json = place.run(&["run", "k.spvasm", "--model", "ieee", "--format", "jsonl"]).lines();
    let hex: Vec<String> = wanted(8).iter().map(|word| format!("{word:08x}")).collect();
    assert_eq!(json[0]["buffers"]["0.0"], Value::from(hex));
    assert_eq!((&json[0]["invocations"], &json[0]["grid"]), (&Value::from(8), &Value::from(vec![2, 1, 1])));
    // A smaller grid leaves the rest as it was.
    place.run(&["run", "k.spvasm", "--model", "ieee", "--grid", "1", "-o", "a.npy"]).exits(0);
    let bytes = place.get("a.npy");
    let data: Vec<u32> =
        bytes[bytes.len() - 32..].chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    assert_eq!(data, [wanted(4), vec![0; 4]].concat());
    assert!(String::from_utf8_lossy(&bytes[..100]).contains("'<f4'") && bytes.len() == 128 + 32);
    // What was written is read again.
    place.put("k.toml", format!("{MANIFEST}file = \"a.npy\"\n"));
    place.run(&["run", "k.spvasm", "--grid", "1", "--buffer", "Out", "-o", "b.npy"]).exits(0);
    assert_eq!(place.get("b.npy"), bytes);
}

#[test]
fn compare_and_explain_treat_words_as_pixels() {
    let place = place();
    let rows = place
        .run(&["compare", "k.spvasm", "--models", "ieee,ati-r300", "--no-report", "--format", "jsonl"])
        .exits(0)
        .lines();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["width"], &rows[0]["height"]), (&Value::from(8), &Value::from(1)));
    assert_eq!(rows[0]["equal"], Value::from(1.0));
    assert!(rows[1]["equal"].as_f64().is_some_and(|equal| equal < 1.0), "{}", rows[1]);
    place.run(&["explain", "k.spvasm", "--model", "ati-r300", "--against", "ieee"]).exits(0).prints("OpFAdd");
    place
        .run(&["compare", "k.spvasm", "--models", "ieee,ati-r300", "--no-report"])
        .exits(0)
        .prints("rows of 8 words")
        .prints("no model changes a visible word");
}

#[test]
fn what_does_not_fit_a_kernel_is_said() {
    let place = place();
    for (arguments, code, said) in [
        (&["--size", "8x8"][..], 2, "--size: a kernel writes buffers, not a picture"),
        (&["--pixel", "1,1"], 2, "--pixel: a kernel writes buffers, not a picture"),
        (&["--grid", "0"], 2, "a grid of 0x1x1 workgroups"),
        (&["--grid", "a"], 2, "expected X, X,Y or X,Y,Z workgroups"),
        (&["-o", "a.png"], 2, "a kernel's buffer is written as .npy"),
        (&["-o", "a.npy", "--buffer", "None"], 2, "--buffer None: the kernel writes 0.0"),
    ] {
        place.run(&[&["run", "k.spvasm"], arguments].concat()).exits(code).says(said);
    }
    place.put("f.tgsi", "FRAG\nDCL OUT[0], COLOR\nIMM FLT32 { 0.5, 0.5, 0.5, 1 }\nMOV OUT[0], IMM[0]\nEND\n");
    place.run(&["run", "f.tgsi", "--grid", "2"]).exits(2).says("only kernels run on a grid");
    place.put("f.toml", "[dispatch]\ngrid = [2]\n");
    place.run(&["run", "f.tgsi"]).exits(2).says("`dispatch` is for compute shaders");
    place.put("k.toml", "[dispatch]\ngrid = [2, 1, 1, 1]\n");
    place.run(&["run", "k.spvasm"]).exits(2).says("expected [width], [width, height] or [width, height, depth]");
    let template = place.run(&["manifest", "k.spvasm", "-o", "-"]);
    template.exits(0).prints("[dispatch]\ngrid = [1, 1, 1]").prints("[binding.\"0.0\"]");
}

/// What a manifest expects of buffers is checked, whatever the model, and what does not fit is an error.
#[test]
fn expectations_are_checked() {
    let place = place();
    let with = |text: &str| place.put("k.toml", format!("{MANIFEST}[[expect]]\n{text}\n"));
    with("buffer = \"Out\"\nvalues = [0.333333343, 1.3333334, \"0x408aaaab\"]");
    place.run(&["run", "k.spvasm", "--model", "ieee"]).exits(0).prints("expectations: 1 of 1 hold");
    // 1/3 behind 4 rounds to 0x408aaaab, behind 9 to 0x41155555: the place counts, and the bits.
    with("buffer = \"0.0\"\nfrom = 3\nvalues = [9.333333, 16]\nulp = 0.5");
    place
        .run(&["run", "k.spvasm", "--model", "ieee"])
        .exits(1)
        .prints("expectations: 0 of 1 hold")
        .says("k.toml:")
        .says("`0.0`[4]: expected 16.0 (41800000), found 16.333334 (4182aaab)");
    with("buffer = \"Out\"\nfrom = 4\nvalues = [16]\nabs = 0.34");
    place.run(&["run", "k.spvasm", "--model", "ieee"]).exits(0);
    // The half of mediump is not what the list says, so only some models are asked.
    with("buffer = \"Out\"\nvalues = [0.333251953125]\nmodels = [\"nv40\"]");
    let json = place.run(&["run", "k.spvasm", "--model", "ieee", "--format", "jsonl"]).exits(0).lines();
    assert_eq!(json[0].get("expectations"), None);
    let json = place.run(&["run", "k.spvasm", "--model", "nv40", "--format", "jsonl"]).exits(1).lines();
    assert_eq!(json[0]["expectations"]["all"], 1);
    place
        .run(&["compare", "k.spvasm", "--models", "ieee,nv40", "--no-report"])
        .exits(1)
        .says("expectation: k.spvasm under nv40: `Out`[0]: expected");
    for (text, part) in [
        ("values = [1]", "give a `pixel` or a `buffer`"),
        ("buffer = \"Out\"", "`values` or `file` is missing"),
        ("buffer = \"Out\"\nvalues = []", "`values` is empty"),
        ("buffer = \"Out\"\nvalues = [\"x\"]", "expected a number or 1 to 8 hexadecimal digits"),
        ("buffer = \"Out\"\nvalues = [1]\neq = true\nulp = 1", "give one of `eq`, `ulp` and `abs`"),
        ("buffer = \"Out\"\nvalues = [1]\nulp = -1", "-1 is not 0 or more"),
        ("buffer = \"Out\"\nvalues = [1]\noutput = \"x\"", "`output` is for pixels"),
        ("buffer = \"In\"\nvalues = [1]", "the program writes no buffer `In`"),
        ("buffer = \"Out\"\nfrom = 7\nvalues = [1, 2]", "`Out` has 8 words: 2 from 7 on are too many"),
        ("buffer = \"Out\"\nfile = \"none.npy\"", "cannot be read"),
        ("pixel = [0, 0]\nfile = \"none.npy\"", "`file` is for buffers"),
        ("pixel = [0]\nvalues = [1]", "expected [x, y] or \"all\""),
        ("pixel = [0, 0]\nvalues = [1, 2, 3, 4, 5]", "up to 4 components"),
        ("pixel = [0, 0]\nvalues = [1]", "the program writes no colour"),
    ] {
        with(text);
        place.run(&["run", "k.spvasm", "--model", "ieee"]).exits(2).says(part);
    }
}

/// The same of pixels.
#[test]
fn expectations_name_pixels() {
    let place = Place::new();
    place.put(
        "f.tgsi",
        "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 { 0.25, 0.5, -0.0, 1.0 }\n0: MOV OUT[0], IMM[0]\n1: END\n",
    );
    let with = |text: &str| place.put("f.toml", format!("size = [4, 2]\n[[expect]]\n{text}\n"));
    with("pixel = \"all\"\nvalues = [0.25, 0.5, -0.0]");
    place.run(&["run", "f.tgsi"]).exits(0).prints("expectations: 1 of 1 hold");
    with("pixel = \"all\"\noutput = \"OUT[0]\"\nvalues = [0.25, 0.25]");
    place.run(&["run", "f.tgsi"]).exits(1).says("OUT[0].y of pixel 0,0").says("8 of 16 values are not as expected");
    with("pixel = [3, 1]\nvalues = [0.25, 0.5, 0]");
    place
        .run(&["run", "f.tgsi"])
        .exits(1)
        .says("OUT[0].z of pixel 3,1: expected 0.0 (00000000), found -0.0 (80000000)");
    with("pixel = [4, 1]\nvalues = [0.25]");
    place.run(&["run", "f.tgsi"]).exits(2).says("pixel 4,1 is outside of 4x2 pixels");
    with("pixel = [0, 1]\noutput = \"OUT[1]\"\nvalues = [0.25]");
    place.run(&["run", "f.tgsi"]).exits(2).says("the program writes no OUT[1]; it writes OUT[0]");
}

/// Push constants of several types in one vector: each is set by its name alone, in its own type.
#[test]
fn constants_have_the_types_of_the_program() {
    let place = Place::new();
    let text = "OpCapability Shader\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n\
        OpName %push \"Push\"\nOpMemberName %push 0 \"bias\"\nOpMemberName %push 1 \"count\"\nOpMemberName %push 2 \"wide\"\n\
        OpDecorate %push Block\nOpMemberDecorate %push 0 Offset 0\nOpMemberDecorate %push 1 Offset 4\n\
        OpMemberDecorate %push 2 Offset 8\nOpDecorate %out Block\nOpMemberDecorate %out 0 Offset 0\n\
        OpMemberDecorate %out 1 Offset 4\nOpMemberDecorate %out 2 Offset 8\nOpDecorate %all DescriptorSet 0\n\
        OpDecorate %all Binding 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 1\n\
        %float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%push = OpTypeStruct %float %int %double\n\
        %out = OpTypeStruct %float %int %double\n%ppush = OpTypePointer PushConstant %push\n\
        %pout = OpTypePointer StorageBuffer %out\n%p = OpVariable %ppush PushConstant\n%all = OpVariable %pout StorageBuffer\n\
        %n0 = OpConstant %int 0\n%n1 = OpConstant %int 1\n%n2 = OpConstant %int 2\n%pf = OpTypePointer PushConstant %float\n\
        %pi = OpTypePointer PushConstant %int\n%pd = OpTypePointer PushConstant %double\n\
        %of = OpTypePointer StorageBuffer %float\n%oi = OpTypePointer StorageBuffer %int\n%od = OpTypePointer StorageBuffer %double\n\
        %main = OpFunction %void None %fn\n%entry = OpLabel\n%a = OpAccessChain %pf %p %n0\n%b = OpAccessChain %pi %p %n1\n\
        %c = OpAccessChain %pd %p %n2\n%x = OpLoad %float %a\n%y = OpLoad %int %b\n%z = OpLoad %double %c\n\
        %d = OpAccessChain %of %all %n0\n%e = OpAccessChain %oi %all %n1\n%f = OpAccessChain %od %all %n2\n\
        OpStore %d %x\nOpStore %e %y\nOpStore %f %z\nOpReturn\nOpFunctionEnd\n";
    place.put("c.spvasm", text);
    let words = |manifest: &str| {
        place.put("c.toml", format!("{manifest}\n[binding.\"0.0\"]\ncount = 4\n"));
        let json = place.run(&["run", "c.spvasm", "--format", "jsonl"]).exits(0).lines();
        json[0]["buffers"]["0.0"].clone()
    };
    // What comes last overwrites nothing: bias was a vector of four words.
    let set = words("[constants]\nwide = 0.1\ncount = [-7]\nbias = [2.5, 9, 9, 9]");
    assert_eq!(set, serde_json::json!(["40200000", "fffffff9", "9999999a", "3fb99999"]));
    assert_eq!(words("")[1], "00000001");
    let template = place.run(&["manifest", "c.spvasm", "-o", "-"]);
    template.exits(0).prints("\"bias\" = [0.1]").prints("\"count\" = [1]    # integers").prints("# of 64 bits");
    for (text, part) in [
        ("count = 0.5", "`count` holds integers of 32 bits, not 0.5"),
        ("count = 4294967296", "`count` holds integers of 32 bits"),
        ("wide = [\"0x3f800000\"]", "`wide` holds numbers of 64 bits"),
        ("bias = []", "expected one to four numbers, found 0"),
    ] {
        place.put("c.toml", format!("[constants]\n{text}\n"));
        place.run(&["run", "c.spvasm"]).exits(2).says(part);
    }
}

#[test]
fn info_says_what_a_kernel_takes() {
    let place = place();
    place
        .run(&["info", "k.spvasm"])
        .exits(0)
        .prints("spirv, compute shader")
        .prints("2x1x1 workgroups of 4x1x1")
        .prints("0.0 (Out): numbers of 32 bits");
    let json: Value = serde_json::from_str(place.run(&["info", "k.spvasm", "--format", "json"]).text()).expect("JSON");
    let json = &json[0];
    assert_eq!((&json["workgroup"], &json["grid"]), (&Value::from(vec![4, 1, 1]), &Value::from(vec![2, 1, 1])));
    assert_eq!((&json["buffers"][0]["name"], &json["buffers"][0]["floats"]), (&Value::from("0.0"), &Value::from(true)));
}

/// Each of eight invocations reads what another one has put into shared memory.
const TURNED: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n\
    DCL TEMP[0..1]\nIMM[0] UINT32 {0, 4, 28, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n\
    STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\nBARRIER\nUADD TEMP[1].x, IMM[0].zzzz, -TEMP[0].xxxx\n\
    LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx\nSTORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx\nEND\n";

#[test]
fn races_are_errors_where_they_are_looked_for() {
    let place = Place::new();
    place.put("good.tgsi", TURNED).put("bad.tgsi", TURNED.replace("BARRIER\n", ""));
    place
        .put("good.toml", "[binding.\"BUFFER[0]\"]\ncount = 8\n")
        .put("bad.toml", "[binding.\"BUFFER[0]\"]\ncount = 8\n");
    let plain = place.run(&["run", "good.tgsi", "--format", "jsonl"]);
    let checked = place.run(&["run", "good.tgsi", "--format", "jsonl", "--check-races"]);
    assert_eq!(plain.exits(0).text(), checked.exits(0).text());
    place.run(&["run", "bad.tgsi"]).exits(0);
    place
        .run(&["run", "bad.tgsi", "--check-races"])
        .exits(2)
        .says("error[dispatch-race]: invocations 3,0,0 and 4,0,0 race for `MEMORY[0]` at byte 0x10")
        .says("bad.tgsi:9:1")
        .says("invocation 3,0,0 reads here");
    place.put("f.tgsi", "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n");
    place.run(&["run", "f.tgsi", "--check-races"]).exits(3).says("race-stage");
    // The kernels that come with the command do not depend on the order.
    let kernels = || parallax_corpus::FILES.iter().filter(|file| file.folder() == "kernels");
    for file in kernels() {
        place.put(file.path, file.bytes);
    }
    let programs: Vec<&str> = kernels().filter(|file| file.is_shader()).map(|file| file.path).collect();
    assert!(programs.len() >= 8, "{programs:?}");
    for program in programs {
        place.run(&["run", program, "--check-races", "--format", "jsonl"]).exits(0);
    }
}

#[test]
fn eval_looks_for_races_where_it_is_asked() {
    let case = |text: &str, checks: Value| {
        let line = serde_json::json!({
            "isa": "tgsi", "text": text, "buffers": { "BUFFER[0]": ["0", "0", "0", "0", "0", "0", "0", "0"] }, "check_races": checks,
        });
        let lines = Place::new().feed(&["eval"], format!("{line}\n").as_bytes()).exits(0).lines();
        lines[0].clone()
    };
    let bad = TURNED.replace("BARRIER\n", "");
    assert_eq!(case(TURNED, true.into())["ok"], true);
    assert_eq!(case(&bad, false.into())["ok"], true);
    let error = &case(&bad, true.into())["error"];
    assert_eq!(
        (&error["code"], &error["kind"], &error["line"]),
        (&"dispatch-race".into(), &"invalid".into(), &9.into())
    );
}
