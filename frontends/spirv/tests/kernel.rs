//! Kernels on buffers, in assembly: made, checked by the Khronos validator where it is installed, run.

use parallax_core::backend::Backend;
use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, Stage, SysVal, verify};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_spirv::{assemble, lift};
use std::io::Write;
use std::process::{Command, Stdio};

/// Capabilities and extensions that a module needs with a line that has these words.
#[rustfmt::skip]
const NEEDED: &[(&[&str], &str)] = &[
    (&["OpTypeInt 8"], "OpCapability Int8\nOpCapability StorageBuffer8BitAccess\n"),
    (&["OpTypeInt 16"], "OpCapability Int16\nOpCapability StorageBuffer16BitAccess\n"),
    (&["OpTypeInt 64"], "OpCapability Int64\n"),
    (&["OpTypeFloat 16"], "OpCapability Float16\nOpCapability StorageBuffer16BitAccess\n"),
    (&["OpTypeFloat 64"], "OpCapability Float64\n"),
    (&["OpAtomic", "%long"], "OpCapability Int64Atomics\n"),
    (&["OpAtomicFAddEXT %half"], "OpCapability AtomicFloat16AddEXT\nOpExtension \"SPV_EXT_shader_atomic_float16_add\"\n"),
    (&["OpAtomicFAddEXT %float"], "OpCapability AtomicFloat32AddEXT\n"),
    (&["OpAtomicFAddEXT %double"], "OpCapability AtomicFloat64AddEXT\n"),
    (&["OpAtomicFAddEXT"], "OpExtension \"SPV_EXT_shader_atomic_float_add\"\n"),
    (&["OpAtomicFM", "EXT %half"], "OpCapability AtomicFloat16MinMaxEXT\n"),
    (&["OpAtomicFM", "EXT %float"], "OpCapability AtomicFloat32MinMaxEXT\n"),
    (&["OpAtomicFM", "EXT %double"], "OpCapability AtomicFloat64MinMaxEXT\n"),
    (&["OpAtomicFM"], "OpExtension \"SPV_EXT_shader_atomic_float_min_max\"\n"),
    (&["OpAtomicFlag"], "OpCapability Kernel\n"),
    (&["OpPtr"], "OpCapability VariablePointers\n"),
    (&["OpPhi %p"], "OpCapability VariablePointers\n"),
    (&["OpSelect %p"], "OpCapability VariablePointers\n"),
    (&["OpFunctionCall %p"], "OpCapability VariablePointers\n"),
    (&["OpGroupNonUniformIAdd"], "OpCapability GroupNonUniformArithmetic\n"),
    (&["OpGroupNonUniformBallot"], "OpCapability GroupNonUniformBallot\n"),
    (&["OpGroupNonUniformShuffle"], "OpCapability GroupNonUniformShuffle\n"),
    (
        &["DotAccSat"],
        "OpCapability DotProduct\nOpCapability DotProductInputAll\nOpCapability DotProductInput4x8Bit\n\
         OpCapability DotProductInput4x8BitPacked\nOpExtension \"SPV_KHR_integer_dot_product\"\n",
    ),
    (&["OpSpecConstantOp %float F"], "OpCapability Kernel\n"),
    (&["FPFastMath"], "OpCapability FloatControls2\nOpExtension \"SPV_KHR_float_controls2\"\n"),
    (&["OpTypeVectorIdEXT"], "OpCapability LongVectorEXT\nOpExtension \"SPV_EXT_long_vector\"\n"),
];

/// What the validator of 2023 does not know yet, and flags: it has them for kernels of OpenCL alone.
const UNCHECKED: &[&str] = &["FPFastMath", "OpTypeVectorIdEXT", "OpAtomicFlag", "OpSpecConstantOp %float F"];

/// A kernel of `lanes` invocations whose function has this body; `%lane` is the number of its invocation. The buffers
/// `0.0`, `0.1` and so on hold arrays of `%elem` and are the variables `%b0`, `%b1`. Other functions may follow the body.
pub(super) fn kernel(lanes: u32, decorations: &str, types: &str, body: &str) -> String {
    let all = format!("{decorations}{types}{body}");
    let has = |words: &[&str]| all.lines().any(|line| words.iter().all(|word| line.contains(word)));
    let found = NEEDED.iter().filter(|(words, _)| has(words));
    let mut needed: Vec<&str> = found.flat_map(|(_, lines)| lines.lines()).collect();
    // Capabilities before extensions.
    needed.sort_unstable();
    needed.dedup();
    let needed: String = needed.iter().map(|line| format!("{line}\n")).collect();
    // The interface lists all variables outside of functions.
    let globals = types.lines().filter(|line| line.contains("OpVariable")).filter_map(|line| line.split_once(" ="));
    let globals: String = globals.map(|(id, _)| format!(" {id}")).collect();
    // Variables of the function stand before everything else.
    let is_variable = |line: &&str| line.contains("OpVariable");
    let first: String = body.lines().filter(is_variable).map(|line| format!("{line}\n")).collect();
    let body: String = body.lines().filter(|line| !is_variable(line)).map(|line| format!("{line}\n")).collect();
    format!(
        "; SPIR-V\n; Version: 1.5\nOpCapability Shader\n{needed}\
         %glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\" %index{globals}\nOpExecutionMode %main LocalSize {lanes} 1 1\n\
         OpDecorate %index BuiltIn LocalInvocationIndex\n{decorations}\
         %void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n\
         %float = OpTypeFloat 32\n%in = OpTypePointer Input %uint\n%index = OpVariable %in Input\n\
         %c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n{types}\
         %main = OpFunction %void None %function\n%entry = OpLabel\n{first}%lane = OpLoad %uint %index\n{body}\
         OpReturn\nOpFunctionEnd\n"
    )
}

/// Decorations of a buffer whose block ends with an array.
pub(super) fn decorated(buffer: u32, binding: u32, stride: u32) -> String {
    format!(
        "OpDecorate %b{buffer} DescriptorSet 0\nOpDecorate %b{buffer} Binding {binding}\n\
         OpDecorate %s{buffer} Block\nOpMemberDecorate %s{buffer} 0 Offset 0\n\
         OpDecorate %a{buffer} ArrayStride {stride}\n"
    )
}

/// Its types and its variable; `%p` with its number leads to an element.
pub(super) fn declared(buffer: u32, elem: &str) -> String {
    format!(
        "%a{buffer} = OpTypeRuntimeArray {elem}\n%s{buffer} = OpTypeStruct %a{buffer}\n\
         %q{buffer} = OpTypePointer StorageBuffer %s{buffer}\n%b{buffer} = OpVariable %q{buffer} StorageBuffer\n\
         %p{buffer} = OpTypePointer StorageBuffer {elem}\n"
    )
}

/// Asks `spirv-val` whether a module is one; says so where it is not installed.
///
/// # Panics
/// If it is not a module.
#[allow(clippy::print_stderr, reason = "what is skipped is said")]
pub(super) fn validate(words: &[u32], text: &str) {
    if UNCHECKED.iter().any(|word| text.contains(word)) {
        return;
    }
    let mut command = Command::new("spirv-val");
    command.args(["--target-env", "spv1.5", "--scalar-block-layout", "--relax-logical-pointer", "-"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        eprintln!("not validated: no spirv-val");
        return;
    };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    child.stdin.take().expect("its input").write_all(&bytes).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{text}");
}

/// Runs a kernel under the model `ieee`; gives what its buffers hold then.
pub(super) fn run(text: &str, buffers: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    run_with(text, &Options::default(), buffers)
}

/// The same with options of the frontend.
pub(super) fn run_with(text: &str, options: &Options, buffers: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let (module, diags) = assemble(text).module();
    assert!(diags.is_empty(), "{diags:?}\n{text}");
    validate(&module.words, text);
    let shader = lift(&module, options).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let model = Model::builtin("ieee").expect("a built-in model");
    let optimised = optimise(canonicalise(shader.clone()).bind(&model), &mut NoObserver);
    let left = run_on(&Interpreter, &shader.bind(&model), buffers.clone());
    assert_eq!(run_on(&Interpreter, &optimised, buffers), left, "optimised\n{text}");
    left
}

/// Runs a workgroup of a bound kernel; gives what is in the buffers afterwards.
pub(super) fn run_on(backend: &dyn Backend, bound: &Shader<Bound>, mut buffers: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let iface = &bound.func.iface;
    // Shared memory stands among them, and is zero at first.
    let given = buffers.len();
    for (n, buffer) in iface.buffers.iter().enumerate() {
        if let Some(words) = buffer.workgroup {
            buffers.insert(n, vec![0; words as usize]);
        }
    }
    assert_eq!((iface.stage, iface.buffers.len()), (Stage::Compute, buffers.len()));
    let count = iface.workgroup[0] as usize;
    let lanes = count.next_multiple_of(bound.state.subgroup as usize);
    let mut sysvals = vec![0; SysVal::ALL.len() * lanes];
    for lane in 0..lanes {
        sysvals[SysVal::LocalX as usize * lanes + lane] = lane as u32;
    }
    let covered: Vec<bool> = (0..lanes).map(|lane| lane < count).collect();
    let inputs = Inputs {
        lanes,
        attrs: &[],
        banks: &[],
        sysvals: &sysvals,
        covered: &covered,
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let program = backend.prepare(verify(bound).unwrap_or_else(|diags| panic!("{diags:?}")));
    let program = program.unwrap_or_else(|declined| panic!("{}", declined.0));
    program.runner().run(&inputs, Memory::Exclusive(&mut buffers), &mut Outputs::default());
    let shared: Vec<bool> = iface.buffers.iter().map(|buffer| buffer.workgroup.is_some()).collect();
    let mut shared = shared.iter();
    buffers.retain(|_| shared.next() == Some(&false));
    assert_eq!(buffers.len(), given);
    buffers
}
