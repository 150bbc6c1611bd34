//! Races of kernels of each instruction set that has memory.

use crate::races::{are_races, races_of};
use parallax::LoadOptions;
use parallax_core::{Shader, Symbolic};
use parallax_text::Diag;

fn read(isa: &str, source: &str) -> Shader<Symbolic> {
    let options = LoadOptions { isa: Some(isa.into()), ..LoadOptions::default() };
    let loaded = parallax::load("k", source.as_bytes(), &options);
    loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags))
}

const TGSI: &str = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\n\
    DCL TEMP[0..1]\nIMM[0] UINT32 {0, 4, 28, 0}\nIMM[1] FLT32 {1.5, 0, 0, 0}\nUMUL TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\n";

#[test]
fn tgsi_kernels() {
    let kernel = |body: &str| read("tgsi", &format!("{TGSI}{body}END\n"));
    let races = |body: &str| races_of(&kernel(body), [2, 1, 1], vec![("BUFFER[0]".into(), vec![0; 8])]);
    let turned = |between: &str| {
        format!(
            "STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx\n{between}UADD TEMP[1].x, IMM[0].zzzz, -TEMP[0].xxxx\n\
             LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx\nATOMUADD TEMP[1].x, BUFFER[0], TEMP[0].xxxx, TEMP[1].xxxx\n"
        )
    };
    assert_eq!(races(&turned("BARRIER\n")), []);
    let diags = races(&turned(""));
    are_races(&diags, 1);
    assert!(diags[0].message.contains("writes in line 10, `STORE MEMORY[0].x"), "{}", diags[0].message);
    assert!(diags[0].message.contains("reads in line 12, `LOAD TEMP[1].x"), "{}", diags[0].message);
    assert!(diags[0].span.is_some() && diags[0].labels.len() == 1);
    // Sums of floats are atomic.
    let sum = "ATOMFADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[1].xxxx\n";
    assert_eq!(races(sum), []);
    are_races(
        &races(&format!("{sum}LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\nSTORE BUFFER[0].x, IMM[0].yyyy, TEMP[1]\n")),
        2,
    );
}

/// A kernel of 8 invocations with a buffer `%b` of words and one of binary32 numbers, and shared words `%shared`; `%lane` is the
/// local number.
fn spirv(more: &str, body: &str) -> Shader<Symbolic> {
    let source = format!(
        "OpCapability Shader\n{more}OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %index\n\
         OpExecutionMode %main LocalSize 8 1 1\nOpDecorate %index BuiltIn LocalInvocationIndex\n\
         OpDecorate %b DescriptorSet 0\nOpDecorate %b Binding 0\nOpDecorate %f DescriptorSet 0\nOpDecorate %f Binding 1\n\
         OpDecorate %words Block\nOpMemberDecorate %words 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
         OpDecorate %floats Block\nOpMemberDecorate %floats 0 Offset 0\nOpDecorate %flist ArrayStride 4\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n\
         %in = OpTypePointer Input %uint\n%index = OpVariable %in Input\n%list = OpTypeRuntimeArray %uint\n\
         %words = OpTypeStruct %list\n%pwords = OpTypePointer StorageBuffer %words\n%b = OpVariable %pwords StorageBuffer\n\
         %flist = OpTypeRuntimeArray %float\n%floats = OpTypeStruct %flist\n%pfloats = OpTypePointer StorageBuffer %floats\n\
         %f = OpVariable %pfloats StorageBuffer\n%puint = OpTypePointer StorageBuffer %uint\n\
         %pfloat = OpTypePointer StorageBuffer %float\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n\
         %c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c7 = OpConstant %uint 7\n%c8 = OpConstant %uint 8\n\
         %c264 = OpConstant %uint 264\n%half = OpConstant %float 0.5\n%eight = OpTypeArray %uint %c8\n\
         %pw = OpTypePointer Workgroup %eight\n%pwu = OpTypePointer Workgroup %uint\n%shared = OpVariable %pw Workgroup\n\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n%lane = OpLoad %uint %index\n{body}OpReturn\nOpFunctionEnd\n"
    );
    read("spirv", &source)
}

fn spirv_races(more: &str, body: &str) -> Vec<Diag> {
    let words = vec![("0.0".into(), vec![0; 8]), ("0.1".into(), vec![0; 8])];
    races_of(&spirv(more, body), [2, 1, 1], words)
}

#[test]
fn spirv_kernels() {
    let exchanged = |mask: &str, between: &str| {
        format!(
            "%own = OpAccessChain %pwu %shared %lane\nOpStore %own %lane\n{between}%n = OpBitwiseXor %uint %lane %{mask}\n\
             %other = OpAccessChain %pwu %shared %n\n%found = OpLoad %uint %other\n%to = OpAccessChain %puint %b %c0 %lane\n\
             %before = OpAtomicIAdd %uint %to %c1 %c0 %found\n"
        )
    };
    let barrier = "OpControlBarrier %c2 %c2 %c264\n";
    let of_subgroup = "OpControlBarrier %c3 %c3 %c264\n";
    assert_eq!(spirv_races("", &exchanged("c7", barrier)), []);
    let diags = spirv_races("", &exchanged("c7", ""));
    are_races(&diags, 1);
    assert!(diags[0].message.contains("OpStore") && diags[0].message.contains("OpLoad"), "{}", diags[0].message);
    // A barrier of a subgroup orders a quad, and no more.
    assert_eq!(spirv_races("", &exchanged("c1", of_subgroup)), []);
    are_races(&spirv_races("", &exchanged("c1", "")), 1);
    are_races(&spirv_races("", &exchanged("c7", of_subgroup)), 1);
}

#[test]
fn atomics_of_spirv_do_not_race() {
    let pointer = "%n = OpAccessChain %puint %b %c0 %c0\n";
    let add = "%n = OpAccessChain %puint %b %c0 %c0\n%old = OpAtomicIAdd %uint %n %c1 %c0 %lane\n";
    let load = "%now = OpAtomicLoad %uint %n %c1 %c0\n";
    let store = "OpAtomicStore %n %c1 %c0 %lane\n";
    assert_eq!(spirv_races("", &format!("{add}{load}{store}")), []);
    are_races(&spirv_races("", &format!("{add}%now = OpLoad %uint %n\n")), 1);
    are_races(&spirv_races("", &format!("{pointer}{store}OpStore %n %lane\n")), 2);
    let float = "OpCapability AtomicFloat32AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float_add\"\n";
    let sum = "%n = OpAccessChain %pfloat %f %c0 %c0\n%old = OpAtomicFAddEXT %float %n %c1 %c0 %half\n";
    assert_eq!(spirv_races(float, sum), []);
    are_races(&spirv_races(float, &format!("{sum}%now = OpLoad %float %n\n")), 1);
}

/// Words of shared memory, then a buffer of words, each at four times the number of the thread.
const SPA5: &str = ".kernel\n.shared 0x200\n.param 0x140, 8\nS2R R0, SR_TID.X\nSHL R2, R0, 0x2\nIADD R4.CC, R2, c[0x0][0x140]\n\
    IADD.X R5, RZ, c[0x0][0x144]\nMOV32I R8, 0x3f800000\nMOV R9, RZ\n";

fn spa5(body: &str, threads: u32) -> Vec<Diag> {
    let mut options = LoadOptions { isa: Some("spa5".into()), ..LoadOptions::default() };
    options.lift.block = Some([threads, 1, 1]);
    let loaded = parallax::load("k", format!("{SPA5}{body}EXIT\n").as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    races_of(&shader, [1; 3], vec![("param[0]".into(), vec![0; 64])])
}

#[test]
fn the_lanes_of_a_warp_go_in_step() {
    // Each reads what the thread 4 or 16 words on stores.
    let shifted = |words: u32| {
        let at = 4 * words;
        format!("STS [R2], R0\nLDS R6, [R2+{at:#x}]\nSTG.E [R4], R6\n")
    };
    // Within a warp that is in order, though not by quads one after the other.
    let diags = spa5(&shifted(4), 32);
    assert_eq!(diags.len(), 1, "{diags:#?}");
    assert_eq!(diags[0].code, "race-step");
    // Another warp is another matter.
    are_races(&spa5(&shifted(4), 64), 1);
    let ordered = shifted(4).replace("LDS", "BAR.SYNC 0x0\nLDS");
    assert_eq!(spa5(&ordered, 64), []);
    // One instruction at one address is not in order.
    are_races(&spa5("STS [RZ], R0\n", 4), 1);
}

#[test]
fn atomics_of_spa5_do_not_race() {
    let all = |sum: &str| spa5(&format!("MOV R4, c[0x0][0x140]\nMOV R5, c[0x0][0x144]\n{sum}"), 64);
    for sum in ["RED.E.ADD [R4], R0\n", "RED.E.ADD.F32.FTZ.RN [R4], R8\n", "RED.E.ADD.U64 [R4], R8\n"] {
        assert_eq!(all(sum), [], "{sum}");
        are_races(&all(&format!("{sum}LDG.E R6, [R4]\n")), 1);
    }
    // A vote of all threads.
    let vote = "BAR.RED.POPC 0x0, PT\nB2R.RESULT R6\nSTG.E [R4], R6\n";
    assert_eq!(spa5(vote, 64), []);
    // A byte for each thread.
    let bytes = "IADD R4.CC, R0, c[0x0][0x140]\nIADD.X R5, RZ, c[0x0][0x144]\nLDG.E.U8 R6, [R4]\nSTG.E.U8 [R4], R0\n";
    assert_eq!(spa5(bytes, 64), []);
    // The byte of the next thread, which is one of another warp at the end of a warp.
    are_races(&spa5(&bytes.replace("R6, [R4]", "R6, [R4+0x1]"), 64), 1);
}
