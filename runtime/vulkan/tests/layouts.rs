//! Whole modules: structures in memory, narrow members, uniform buffers, push and specialisation constants, atomics.

use crate::compare::{assembled, device, emulate, model};
use parallax_random::Random;
use parallax_vulkan::{Buffer, Feature, Job};

/// What stands before the types, with the decorations of the buffers `in` and `out`.
fn header(capabilities: &[&str], decorations: &str) -> String {
    let capabilities: String = capabilities.iter().map(|name| format!("OpCapability {name}\n")).collect();
    let extension = |name: &str| format!("OpExtension \"SPV_KHR_{name}\"\n");
    format!(
        "OpCapability Shader\n{capabilities}{}{}{}%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\" %number\nOpExecutionMode %main LocalSize 8 1 1\n\
         OpDecorate %number BuiltIn GlobalInvocationId\n{decorations}",
        extension("storage_buffer_storage_class"),
        extension("16bit_storage"),
        extension("8bit_storage"),
    )
}

const TYPES: &str = "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%f32 = OpTypeFloat 32\n%u32 = OpTypeInt 32 0\n\
                     %i32 = OpTypeInt 32 1\n%v2f32 = OpTypeVector %f32 2\n%v3f32 = OpTypeVector %f32 3\n\
                     %v4f32 = OpTypeVector %f32 4\n%v3u32 = OpTypeVector %u32 3\n%inputs = OpTypePointer Input %v3u32\n\
                     %number = OpVariable %inputs Input\n%c0 = OpConstant %u32 0\n%c1 = OpConstant %u32 1\n\
                     %c2 = OpConstant %u32 2\n%c3 = OpConstant %u32 3\n%c4 = OpConstant %u32 4\n%c8 = OpConstant %u32 8\n";

const MAIN: &str = "%main = OpFunction %void None %function\n%first = OpLabel\n%where = OpLoad %v3u32 %number\n\
                    %i = OpCompositeExtract %u32 %where 0\n";

const END: &str = "OpReturn\nOpFunctionEnd\n";

/// Decorations of a buffer.
fn buffer(name: &str, binding: u32, block: &str) -> String {
    format!("OpDecorate %{name} DescriptorSet 0\nOpDecorate %{name} Binding {binding}\nOpDecorate %{block} Block\n")
}

struct Case {
    name: String,
    text: String,
    buffers: Vec<Buffer>,
    push: Vec<u32>,
    spec: Vec<(u32, u32)>,
    needs: Vec<Feature>,
}

impl Case {
    fn new(name: impl Into<String>, text: String, buffers: Vec<Buffer>) -> Case {
        Case { name: name.into(), text, buffers, push: Vec::new(), spec: Vec::new(), needs: Vec::new() }
    }
}

/// Words that are small floats.
fn numbers(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| (random.below(4000) as f32 / 16.0 - 100.0).to_bits()).collect()
}

fn random_words(count: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..count).map(|_| random.word() as u32).collect()
}

/// A structure with a matrix, read and written member by member; `order` is `RowMajor` or `ColMajor`.
fn matrices(all: &mut Vec<Case>) {
    for uniform in [false, true] {
        for order in ["RowMajor", "ColMajor"] {
            for (columns, rows) in [(2u32, 2u32), (2, 3), (3, 2), (3, 3), (4, 3), (4, 4), (3, 4), (2, 4), (4, 2)] {
                let vectors = if order == "RowMajor" { rows } else { columns };
                let size = 16 * vectors + 16;
                let block = |name: &str, offset: u32| {
                    format!(
                        "OpMemberDecorate %{name} 0 Offset 0\nOpMemberDecorate %{name} 1 Offset {offset}\n\
                         OpMemberDecorate %{name} 1 {order}\nOpMemberDecorate %{name} 1 MatrixStride 16\n"
                    )
                };
                let decorations = format!(
                    "{}{}{}OpMemberDecorate %inblock 0 Offset 0\nOpMemberDecorate %outblock 0 Offset 0\n\
                     OpDecorate %list ArrayStride {size}\n",
                    buffer("in", 0, "inblock"),
                    buffer("out", 1, "outblock"),
                    block("item", 16)
                );
                let class = if uniform { "Uniform" } else { "StorageBuffer" };
                let text = format!(
                    "{}{TYPES}%matrix = OpTypeMatrix %v{rows}f32 {columns}\n%item = OpTypeStruct %f32 %matrix\n\
                     %list = OpTypeArray %item %c8\n%inblock = OpTypeStruct %list\n%outblock = OpTypeStruct %list\n\
                     %pin = OpTypePointer {class} %inblock\n%pout = OpTypePointer StorageBuffer %outblock\n\
                     %in = OpVariable %pin {class}\n%out = OpVariable %pout StorageBuffer\n\
                     %inm = OpTypePointer {class} %matrix\n%outm = OpTypePointer StorageBuffer %matrix\n\
                     %inv = OpTypePointer {class} %v{rows}f32\n%inf = OpTypePointer {class} %f32\n\
                     %outf = OpTypePointer StorageBuffer %f32\n{MAIN}\
                     %a = OpAccessChain %inm %in %c0 %i %c1\n%m = OpLoad %matrix %a\n\
                     %b = OpAccessChain %outm %out %c0 %i %c1\nOpStore %b %m\n\
                     %k = OpBitwiseAnd %u32 %i %c1\n%c = OpAccessChain %inv %in %c0 %i %c1 %k\n%v = OpLoad %v{rows}f32 %c\n\
                     %x = OpCompositeExtract %f32 %v 1\n%d = OpAccessChain %inf %in %c0 %i %c1 %k %k\n%y = OpLoad %f32 %d\n\
                     %s = OpFAdd %f32 %x %y\n%e = OpAccessChain %outf %out %c0 %i %c0\nOpStore %e %s\n\
                     %g = OpAccessChain %outf %out %c0 %i %c1 %c1 %k\nOpStore %g %s\n{END}",
                    header(&[], &decorations)
                );
                let words = size as usize * 2;
                let input = Buffer { set: 0, binding: 0, is_uniform: uniform, words: numbers(words, 3) };
                let name = format!("matrix of {columns} columns of {rows}, {order}, {class}");
                all.push(Case::new(name, text, vec![input, Buffer::storage(0, 1, vec![0x1234_5678; words])]));
            }
        }
    }
}

/// A structure of members with gaps, in an array, with an array of structures inside.
fn structures(all: &mut Vec<Case>) {
    let decorations = format!(
        "{}{}OpMemberDecorate %inblock 0 Offset 0\nOpMemberDecorate %outblock 0 Offset 0\nOpDecorate %list ArrayStride 64\n\
         OpMemberDecorate %item 0 Offset 0\nOpMemberDecorate %item 1 Offset 8\nOpMemberDecorate %item 2 Offset 16\n\
         OpMemberDecorate %item 3 Offset 32\nOpDecorate %parts ArrayStride 16\nOpMemberDecorate %part 0 Offset 0\n\
         OpMemberDecorate %part 1 Offset 8\n",
        buffer("in", 0, "inblock"),
        buffer("out", 1, "outblock")
    );
    let text = format!(
        "{}{TYPES}%part = OpTypeStruct %v2f32 %u32\n%parts = OpTypeArray %part %c2\n\
         %item = OpTypeStruct %f32 %v2f32 %v3f32 %parts\n%list = OpTypeRuntimeArray %item\n%inblock = OpTypeStruct %list\n\
         %outblock = OpTypeStruct %list\n%pin = OpTypePointer StorageBuffer %inblock\n\
         %pout = OpTypePointer StorageBuffer %outblock\n%in = OpVariable %pin StorageBuffer\n\
         %out = OpVariable %pout StorageBuffer\n%pitem = OpTypePointer StorageBuffer %item\n\
         %pu = OpTypePointer StorageBuffer %u32\n%pf = OpTypePointer StorageBuffer %f32\n{MAIN}\
         %a = OpAccessChain %pitem %in %c0 %i\n%m = OpLoad %item %a\n%b = OpAccessChain %pitem %out %c0 %i\nOpStore %b %m\n\
         %k = OpBitwiseAnd %u32 %i %c1\n%n = OpArrayLength %u32 %in 0\n%c = OpAccessChain %pu %out %c0 %i %c3 %k %c1\n\
         OpStore %c %n\n%d = OpAccessChain %pf %in %c0 %i %c2 %c2\n%x = OpLoad %f32 %d\n\
         %e = OpAccessChain %pf %out %c0 %i %c3 %c1 %c0 %k\nOpStore %e %x\n{END}",
        header(&[], &decorations)
    );
    let buffers = vec![Buffer::storage(0, 0, random_words(128, 4)), Buffer::storage(0, 1, vec![0x1234_5678; 128])];
    all.push(Case::new("structures in structures", text, buffers));
}

/// Members of 8 and 16 bits, with their arithmetic.
fn narrow(all: &mut Vec<Case>) {
    for (name, bits, ty, arithmetic, capabilities, needs) in [
        ("u16", 16, "OpTypeInt 16 0", "OpIMul", vec!["Int16", "StorageBuffer16BitAccess"], vec![Feature::Int16]),
        ("f16", 16, "OpTypeFloat 16", "OpFAdd", vec!["Float16", "StorageBuffer16BitAccess"], vec![Feature::Float16]),
        ("u8", 8, "OpTypeInt 8 0", "OpIMul", vec!["Int8", "StorageBuffer8BitAccess"], vec![Feature::Int8]),
        ("i8", 8, "OpTypeInt 8 1", "OpISub", vec!["Int8", "StorageBuffer8BitAccess"], vec![Feature::Int8]),
    ] {
        let decorations = format!(
            "{}{}OpMemberDecorate %inblock 0 Offset 0\nOpMemberDecorate %outblock 0 Offset 0\nOpDecorate %list ArrayStride {}\n",
            buffer("in", 0, "inblock"),
            buffer("out", 1, "outblock"),
            bits / 8
        );
        let text = format!(
            "{}{TYPES}%n = {ty}\n%list = OpTypeRuntimeArray %n\n%inblock = OpTypeStruct %list\n%outblock = OpTypeStruct %list\n\
             %pin = OpTypePointer StorageBuffer %inblock\n%pout = OpTypePointer StorageBuffer %outblock\n\
             %in = OpVariable %pin StorageBuffer\n%out = OpVariable %pout StorageBuffer\n\
             %pn = OpTypePointer StorageBuffer %n\n{MAIN}%j = OpIAdd %u32 %i %c1\n\
             %a = OpAccessChain %pn %in %c0 %i\n%x = OpLoad %n %a\n%b = OpAccessChain %pn %in %c0 %j\n%y = OpLoad %n %b\n\
             %s = {arithmetic} %n %x %y\n%c = OpAccessChain %pn %out %c0 %i\nOpStore %c %s\n{END}",
            header(&capabilities, &decorations)
        );
        // Normal halves below 16.
        let mask = if name == "f16" { 0x47ff_47ff } else { u32::MAX };
        let words: Vec<u32> = random_words(16, 9).iter().map(|word| word & mask).collect();
        let buffers = vec![Buffer::storage(0, 0, words), Buffer::storage(0, 1, vec![0; 16])];
        let mut case = Case::new(format!("members of type {name}"), text, buffers);
        case.needs = needs;
        case.needs.push(if bits == 8 { Feature::Storage8 } else { Feature::Storage16 });
        all.push(case);
    }
}

/// Push constants and specialisation constants, with and without values.
fn constants(all: &mut Vec<Case>) {
    let decorations = format!(
        "{}OpMemberDecorate %outblock 0 Offset 0\nOpDecorate %list ArrayStride 4\nOpDecorate %pushed Block\n\
         OpMemberDecorate %pushed 0 Offset 0\nOpMemberDecorate %pushed 1 Offset 16\nOpDecorate %four ArrayStride 4\n\
         OpDecorate %s1 SpecId 1\nOpDecorate %s2 SpecId 2\nOpDecorate %s3 SpecId 7\n",
        buffer("out", 0, "outblock")
    );
    let text = format!(
        "{}{TYPES}%bool = OpTypeBool\n%s1 = OpSpecConstant %u32 3\n%s2 = OpSpecConstant %f32 0.5\n%s3 = OpSpecConstantTrue %bool\n\
         %s4 = OpSpecConstantOp %u32 IMul %s1 %c4\n%four = OpTypeArray %f32 %c4\n%pushed = OpTypeStruct %v3f32 %four\n\
         %ppush = OpTypePointer PushConstant %pushed\n%push = OpVariable %ppush PushConstant\n\
         %pushf = OpTypePointer PushConstant %f32\n%list = OpTypeRuntimeArray %u32\n%outblock = OpTypeStruct %list\n\
         %pout = OpTypePointer StorageBuffer %outblock\n%out = OpVariable %pout StorageBuffer\n\
         %pu = OpTypePointer StorageBuffer %u32\n{MAIN}%k = OpBitwiseAnd %u32 %i %c3\n%a = OpAccessChain %pushf %push %c1 %k\n\
         %x = OpLoad %f32 %a\n%b = OpAccessChain %pushf %push %c0 %c2\n%y = OpLoad %f32 %b\n%p = OpFMul %f32 %x %s2\n\
         %q = OpFAdd %f32 %p %y\n%w = OpBitcast %u32 %q\n%v = OpIAdd %u32 %s4 %i\n%r = OpSelect %u32 %s3 %w %v\n\
         %c = OpAccessChain %pu %out %c0 %i\nOpStore %c %r\n{END}",
        header(&[], &decorations)
    );
    for (name, spec) in [
        ("by default", vec![]),
        ("given", vec![(1, 11), (2, 3.25f32.to_bits()), (7, 1)]),
        ("given, false", vec![(7, 0), (1, 5)]),
    ] {
        let mut case = Case::new(format!("constants {name}"), text.clone(), vec![Buffer::storage(0, 0, vec![0; 16])]);
        case.push = numbers(8, 6);
        case.spec = spec;
        all.push(case);
    }
}

/// Atomics whose result does not depend on the order.
fn atomics(all: &mut Vec<Case>) {
    for (name, value) in [
        ("AtomicIAdd", "%x"),
        ("AtomicISub", "%x"),
        ("AtomicIIncrement", ""),
        ("AtomicIDecrement", ""),
        ("AtomicSMin", "%x"),
        ("AtomicSMax", "%x"),
        ("AtomicUMin", "%x"),
        ("AtomicUMax", "%x"),
        ("AtomicAnd", "%x"),
        ("AtomicOr", "%x"),
        ("AtomicXor", "%x"),
    ] {
        let decorations = format!(
            "{}{}OpMemberDecorate %inblock 0 Offset 0\nOpMemberDecorate %outblock 0 Offset 0\nOpDecorate %list ArrayStride 4\n",
            buffer("in", 0, "inblock"),
            buffer("out", 1, "outblock")
        );
        let text = format!(
            "{}{TYPES}%list = OpTypeRuntimeArray %u32\n%inblock = OpTypeStruct %list\n%outblock = OpTypeStruct %list\n\
             %pin = OpTypePointer StorageBuffer %inblock\n%pout = OpTypePointer StorageBuffer %outblock\n\
             %in = OpVariable %pin StorageBuffer\n%out = OpVariable %pout StorageBuffer\n\
             %pu = OpTypePointer StorageBuffer %u32\n{MAIN}%a = OpAccessChain %pu %in %c0 %i\n%x = OpLoad %u32 %a\n\
             %k = OpBitwiseAnd %u32 %i %c3\n%b = OpAccessChain %pu %out %c0 %k\n%r = Op{name} %u32 %b %c1 %c0 {value}\n{END}",
            header(&[], &decorations)
        );
        let buffers = vec![Buffer::storage(0, 0, random_words(16, 8)), Buffer::storage(0, 1, random_words(8, 5))];
        all.push(Case::new(name, text, buffers));
    }
}

#[test]
fn memory_is_laid_out_alike() {
    let Some(device) = device() else { return };
    let model = model();
    let mut all = Vec::new();
    for add in [matrices, structures, narrow, constants, atomics] {
        add(&mut all);
    }
    let mut problems = Vec::new();
    for case in &all {
        let words = assembled(&case.name, &case.text);
        let Case { buffers, push, spec, .. } = case;
        let job = Job {
            words: &words,
            grid: [1, 1, 1],
            buffers: buffers.clone(),
            push: push.clone(),
            spec: spec.clone(),
            ..Job::default()
        };
        let Ok(device) = device.lock() else { return };
        if let Some(feature) = case.needs.iter().find(|feature| !device.has(**feature)) {
            eprintln!("skipped: {}: the device has no {feature:?}", case.name);
            continue;
        }
        let theirs = device.run(&job).map_err(|problem| problem.to_string());
        match (emulate(&job, &model), theirs) {
            (Ok(ours), Ok(theirs)) if ours == theirs => {}
            (ours, theirs) => problems.push(format!("{}:\n{ours:x?}\n{theirs:x?}", case.name)),
        }
    }
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), all.len(), problems.join("\n"));
}

/// What two invocations store to one word is both there.
#[test]
fn narrow_members_of_one_word_are_stored_together() {
    let mut all = Vec::new();
    narrow(&mut all);
    let expected: [&[u32]; 4] = [
        &[0x46e0_63c0, 0x1d6a_e6fe, 0xa3e0_b5ae, 0xecd1_1260],
        &[0x4262_4064, 0x08b2_4262, 0x46e5_44b5, 0x0b69_4060],
        &[0xbc20_0080, 0xfa49_f694],
        &[0x5cb2_f004, 0xd128_3b78],
    ];
    for (case, expected) in all.iter().zip(expected) {
        let words = assembled(&case.name, &case.text);
        let job = Job { words: &words, buffers: case.buffers.clone(), ..Job::default() };
        let after = emulate(&job, &model()).unwrap_or_else(|problem| panic!("{}: {problem}", case.name));
        assert_eq!(after[1][..expected.len()], *expected, "{}", case.name);
    }
}
