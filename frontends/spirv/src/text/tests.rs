use super::literal::Number;
use super::pattern::{Pattern, is_id};
use super::{Assembled, assemble, disassemble, instruction_text, literal, names};
use crate::module::{MAGIC, Module};
use parallax_text::Span;
use proptest::prelude::*;
use rspirv::grammar::{ExtendedInstruction, INSTRUCTION_TABLE, LogicalOperand, OperandKind};
use rspirv::spirv::Op;
use std::fmt::Write;

/// The module of a text without problems.
fn module(text: &str) -> Module {
    let (module, diags) = assemble(text).module();
    assert!(diags.is_empty(), "{diags:?}\n{text}");
    module
}

/// As `spirv-dis --raw-id --no-color` prints it.
const LISTING: &str = r#"; SPIR-V
; Version: 1.3
; Generator: Khronos Glslang Reference Front End; 11
; Bound: 70
; Schema: 0
               OpCapability Shader
          %1 = OpExtInstImport "GLSL.std.450"
          %2 = OpExtInstImport "NonSemantic.Future"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %40 "main" %30
               OpExecutionMode %40 OriginUpperLeft
          %3 = OpString "a \"quoted\" \\ line;
and the next"
               OpSource GLSL 450 %3 "void main() {}"
               OpName %40 ""
               OpDecorate %30 BuiltIn FragCoord
               OpMemberDecorate %6 1 Offset 16
          %4 = OpTypeVoid
          %5 = OpTypeFunction %4
          %6 = OpTypeFloat 32
          %7 = OpTypeFloat 64
          %8 = OpTypeFloat 16
          %9 = OpTypeInt 32 1
         %10 = OpTypeInt 64 0
         %11 = OpTypeInt 16 1
         %12 = OpTypeImage %6 1D 0 0 0 1 Unknown
         %13 = OpConstant %6 0.100000001
         %14 = OpConstant %6 -0x1.8p+128
         %15 = OpConstant %6 0x1.16c2p-133
         %16 = OpConstant %7 1.5
         %17 = OpConstant %8 0x1p+0
         %18 = OpConstant %9 -5
         %19 = OpConstant %10 18446744073709551615
         %20 = OpConstant %11 -7
         %21 = OpSpecConstantOp %9 IMul %18 %18
         %22 = OpSpecConstantOp %9 CompositeExtract %18 1 2
         %29 = OpTypePointer Input %6
         %30 = OpVariable %29 Input
         %40 = OpFunction %4 None %5
         %41 = OpLabel
         %42 = OpLoad %6 %30 Volatile|Aligned 4
         %43 = OpExtInst %6 %1 FMix %42 %42 %42
         %44 = OpExtInst %4 %2 9 %42
               OpSwitch %19 %46 17293822569102704640 %45 2 %46
         %45 = OpLabel
               OpBranch %46
     %100000 = OpLabel
         %46 = OpPhi %6 %13 %45 %14 %41
               OpReturn
               OpFunctionEnd
"#;

#[test]
fn listings_are_read_and_printed_as_they_are() {
    let listing = LISTING.replace("Bound: 70", "Bound: 100001");
    let module = module(&listing);
    assert_eq!(disassemble(&module), listing);
    assert_eq!(module.words[..5], [MAGIC, 0x0001_0300, 8 << 16 | 11, 100_001, 0]);
    let load = module.definition(42).expect("it is defined");
    assert_eq!(instruction_text(&module, load), "%42 = OpLoad %6 %30 Volatile|Aligned 4");
    assert_eq!(module.spans[load].text(&listing), "%42 = OpLoad %6 %30 Volatile|Aligned 4");
    assert_eq!(instruction_text(&module, 0), "OpCapability Shader");
    assert_eq!(instruction_text(&module, usize::MAX), "");
    assert_eq!(disassemble(&Module::default()), "");
}

#[test]
fn headers_are_kept() {
    for [version, generator, bound, schema] in
        [[0x0001_0600, 0x0007_0000, 9, 0], [0x8001_0203, 0x1234_5678, 1 << 22, 7]]
    {
        let (module, _) = Module::new(vec![MAGIC, version, generator, bound, schema], |_, _| Span::default());
        assert_eq!(assemble(&disassemble(&module)).words, module.words);
    }
    assert_eq!(assemble("").words, [MAGIC, 0x0001_0000, 7 << 16, 1, 0]);
    let windows = "\u{feff}; SPIR-V\r\n; Version: 1.6\r\n\r\nOpNop\r\n";
    assert_eq!(assemble(windows).words, [MAGIC, 0x0001_0600, 7 << 16, 1, 0, 1 << 16]);
    let odd = "; Version: new\n; Generator: Someone Else; 3\n; Bound: -1\n;;; Schema: 5\nOpNop";
    assert_eq!(assemble(odd).words, [MAGIC, 0x0001_0000, 7 << 16, 1, 5, 1 << 16]);
}

#[test]
fn names_get_the_lowest_free_numbers() {
    let text = "%void = OpTypeVoid %2 = OpTypeFunction %void\n%main=1\n";
    assert_eq!(assemble(text).diags[0].code, "spirv-as-id");
    let text = "%f = OpTypeFloat 32 ; 1\n%2 = OpTypeVector %f 4\n%c = OpConstant %f 1 ; 3\n%5 = OpUndef %f\n
        %d = OpUndef %f ; 4\n%e = OpUndef %f ; 6\n OpConstantTrue %f %g ; the result in its place\n";
    let module = module(text);
    let ids: Vec<_> = module.instructions.iter().map(|instruction| instruction.id).collect();
    assert_eq!(ids, [1, 2, 3, 5, 4, 6, 7]);
    assert_eq!(module.bound(), 8);
}

#[test]
fn older_names_are_read() {
    let text =
        "%1 = OpTypeAccelerationStructureNV OpCapability ShaderViewportIndexLayerNV OpDemoteToHelperInvocationEXT
        %2 = OpTypeVoid %3 = OpTypeFunction %2 %4 = OpFunction %2 OptNoneINTEL|None|Const %3
        %5 = OpLoad %2 %1 NonPrivatePointerKHR";
    let module = module(text);
    assert_eq!(instruction_text(&module, 0), "%1 = OpTypeAccelerationStructureKHR");
    assert_eq!(instruction_text(&module, 1), "OpCapability ShaderViewportIndexLayerEXT");
    assert_eq!(instruction_text(&module, 5), "%4 = OpFunction %2 Const|OptNoneEXT %3");
    assert_eq!(instruction_text(&module, 6), "%5 = OpLoad %2 %1 NonPrivatePointer");
}

#[test]
fn debug_information_has_names() {
    let text = r#"%1 = OpExtInstImport "OpenCL.DebugInfo.100" %2 = OpTypeVoid %3 = OpString ""
        %4 = OpExtInst %2 %1 DebugTypeBasic %3 %3 Float
        %5 = OpExtInst %2 %1 DebugTypePointer %4 Function FlagIsLocal|FlagIsPublic
        %6 = OpExtInst %2 %1 DebugOperation Constu 42
        %7 = OpExtInst %2 %1 DebugTypeQualifier %4 AtomicType
        %8 = OpExtInst %2 %1 DebugTypePointer %4 Function None"#;
    let module = module(text);
    assert_eq!(instruction_text(&module, 3), "%4 = OpExtInst %2 %1 DebugTypeBasic %3 %3 Float");
    let pointer = "%5 = OpExtInst %2 %1 DebugTypePointer %4 Function FlagIsProtected|FlagIsPrivate|FlagIsLocal";
    assert_eq!(instruction_text(&module, 4), pointer);
    assert_eq!(instruction_text(&module, 5), "%6 = OpExtInst %2 %1 DebugOperation Constu 42");
    assert_eq!(instruction_text(&module, 6), "%7 = OpExtInst %2 %1 DebugTypeQualifier %4 AtomicType");
    assert_eq!(instruction_text(&module, 7), "%8 = OpExtInst %2 %1 DebugTypePointer %4 Function None");
}

#[test]
fn the_older_debug_information_has_other_encodings() {
    let text = "%1 = OpExtInstImport \"DebugInfo\" %2 = OpTypeVoid %3 = OpExtInst %2 %1 DebugTypeBasic %2 %2 Float";
    let module = module(text);
    assert_eq!(module.words.last(), Some(&4));
    assert_eq!(instruction_text(&module, 2), "%3 = OpExtInst %2 %1 DebugTypeBasic %2 %2 Float");
}

#[test]
fn numbers() {
    let int = |width, signed| Number::Int { width, signed };
    let half = Number::Float { exponent: 5, fraction: 10 };
    let double = Number::Float { exponent: 11, fraction: 52 };
    let rows: &[(Number, &str, u64, &str)] = &[
        (int(32, false), "010", 8, "8"),
        (int(32, false), "0", 0, "0"),
        (int(32, true), "+5", 5, "5"),
        (int(32, true), "0x80000000", 0x8000_0000, "-2147483648"),
        (int(16, true), "0x8000", 0xffff_8000, "-32768"),
        (int(8, true), "-128", 0xffff_ff80, "-128"),
        (int(48, true), "-1", u64::MAX, "-1"),
        (int(64, true), "-9223372036854775808", 1 << 63, "-9223372036854775808"),
        (int(64, false), "0xFFFFFFFFFFFFFFFF", u64::MAX, "18446744073709551615"),
        // What follows was compared with `spirv-as` and `spirv-dis`.
        (half, "0.1", 0x2e66, "0x1.998p-4"),
        (half, "65519", 0x7bff, "0x1.ffcp+15"),
        (half, "0x1.fffffp0", 0x3fff, "0x1.ffcp+0"),
        (half, "1e-7", 0x0001, "0x1p-24"),
        (half, "-0x1.8p+16", 0xfe00, "-0x1.8p+16"),
        (half, "-0.0", 0x8000, "-0x0p+0"),
        (Number::BINARY32, "0x1.0000011p0", 0x3f80_0000, "1"),
        (Number::BINARY32, "0x12.8p0", 0x4194_0000, "18.5"),
        (Number::BINARY32, "0x.8p1", 0x3f80_0000, "1"),
        (Number::BINARY32, "0x1p-160", 0, "0"),
        (Number::BINARY32, "0x1p+200", 0x7f80_0000, "0x1p+128"),
        (Number::BINARY32, "-0", 0x8000_0000, "-0"),
        (Number::BINARY32, "0x1.000002p+128", 0x7f80_0001, "0x1.000002p+128"),
        (Number::BINARY32, "0x1.8p-149", 1, "0x1p-149"),
        (Number::BINARY32, "123456789", 0x4ceb_79a3, "123456792"),
        (Number::BINARY32, "1e9", 0x4e6e_6b28, "1e+09"),
        (Number::BINARY32, "1.5e-5", 0x377b_a882, "1.49999996e-05"),
        (Number::BINARY32, "0.0001", 0x38d1_b717, "9.99999975e-05"),
        (double, "0.1", 0x3fb9_9999_9999_999a, "0.10000000000000001"),
        (double, "4.9e-324", 1, "0x1p-1074"),
        (double, "0x1p+1024", 0x7ff0_0000_0000_0000, "0x1p+1024"),
        (double, "12345678901234567", 0x4345_ee2a_2eb5_a5c4, "12345678901234568"),
        (Number::Float { exponent: 8, fraction: 7 }, "0x1.8p+128", 0x7fc0, "0x1.8p+128"),
    ];
    for &(number, text, bits, printed) in rows {
        assert_eq!(number.parse(text), Ok(bits), "{text}");
        let mut out = String::new();
        number.print(&[bits as u32, (bits >> 32) as u32], &mut out).expect("it is a number");
        assert_eq!(out, printed);
        assert_eq!(number.parse(&out), Ok(bits), "{out}");
    }
    let bad = [
        (int(32, false), "4294967296"),
        (int(32, false), "-1"),
        (int(32, true), "2147483648"),
        (int(8, true), "-129"),
        (int(8, false), "0x100"),
        (int(32, false), "08"),
        (int(32, false), "0x"),
        (int(32, false), "99999999999999999999999"),
        (half, "1e5"),
        (Number::BINARY32, "1e39"),
        (Number::BINARY32, "0x5"),
        (Number::BINARY32, "0xp1"),
        (Number::BINARY32, "0x1p"),
        (Number::BINARY32, "nan"),
        (Number::BINARY32, "--1"),
        (double, "1e400"),
    ];
    for (number, text) in bad {
        assert!(number.parse(text).is_err(), "{text}");
    }
    // Bits that no text gives.
    assert_eq!(int(8, true).print(&[0xff], &mut String::new()), None);
    assert_eq!(half.print(&[0x1_0000], &mut String::new()), None);
    assert_eq!(Number::of_type(Op::TypeInt, &[65, 0]), None);
}

/// Values of a kind of enumerants; of masks nothing, each bit and all of them.
fn values(kind: OperandKind) -> Vec<u32> {
    match names::mask_names(kind) {
        Some(bits) => {
            let all = bits.iter().fold(0, |all, (_, bit)| all | bit);
            [0, all].into_iter().chain(bits.iter().map(|(_, bit)| *bit)).collect()
        }
        None => (0..8192).filter(|word| names::name(kind, *word).is_some()).take(600).collect(),
    }
}

/// Words for operands: of enumerants value number `variant`.
fn operands(operands: &[LogicalOperand], variant: usize, id: u32) -> Vec<u32> {
    let (mut pattern, mut words) = (Pattern::of(operands), Vec::new());
    while let Some(want) = pattern.next() {
        if want.optional && words.len() > 30 {
            pattern.skip(want);
            continue;
        }
        match want.kind {
            OperandKind::IdResult => words.push(id),
            OperandKind::IdResultType => words.push(1),
            // An import for extended instructions, and a constant for everything else.
            kind if is_id(kind) => words.push(if pattern_is_extended(operands) { 3 } else { 2 }),
            OperandKind::LiteralInteger => words.push(0xdead_beef),
            OperandKind::LiteralFloat => words.push(1.5f32.to_bits()),
            OperandKind::LiteralString => literal::push_string("a\"b\\ ü\n", &mut words),
            OperandKind::LiteralContextDependentNumber => words.push(-7i32 as u32),
            OperandKind::LiteralExtInstInteger => words.push(100_000),
            OperandKind::LiteralSpecConstantOpInteger => {
                words.push(Op::IAdd as u32);
                words.extend([2, 2]);
            }
            kind => {
                let values = values(kind);
                let value = values[variant % values.len()];
                words.push(value);
                pattern.expand(names::parameters(kind, value).iter());
            }
        }
    }
    words
}

fn pattern_is_extended(operands: &[LogicalOperand]) -> bool {
    operands.iter().any(|operand| operand.kind == OperandKind::LiteralExtInstInteger)
}

/// The words of a module with an integer type, 1, a constant, 2, and imported sets from 3 on.
fn prelude(sets: &[&str]) -> Vec<u32> {
    let mut words = vec![MAGIC, 0x0001_0600, 0, 1 << 16, 0];
    words.extend([4 << 16 | Op::TypeInt as u32, 1, 32, 1, 4 << 16 | Op::Constant as u32, 1, 2, 9]);
    for (number, set) in sets.iter().enumerate() {
        let mut operands = vec![3 + number as u32];
        literal::push_string(set, &mut operands);
        push(&mut words, Op::ExtInstImport, &operands);
    }
    words
}

fn push(words: &mut Vec<u32>, op: Op, operands: &[u32]) {
    words.push((1 + operands.len() as u32) << 16 | op as u32);
    words.extend(operands);
}

/// Prints a module, reads it back, and says how many instructions it has.
fn round_trip(words: Vec<u32>) -> usize {
    let (module, diags) = Module::new(words, |_, _| Span::default());
    assert!(diags.is_empty(), "{diags:?}");
    let text = disassemble(&module);
    if let Some(line) = text.lines().find(|line| line.contains('!')) {
        panic!("the grammar does not explain\n{line}");
    }
    let again = assemble(&text);
    let shown = again.diags.first().and_then(|diag| diag.span).map(|span| span.text(&text));
    assert!(again.diags.is_empty(), "{:?} {shown:?}", again.diags[0]);
    assert_eq!(again.spans.len(), module.instructions.len());
    for (number, span) in again.spans.iter().enumerate() {
        assert_eq!(span.text(&text), instruction_text(&module, number));
    }
    assert!(again.words == module.words, "other words than before");
    module.instructions.len()
}

#[test]
fn every_opcode_and_enumerant_round_trips() {
    let mut words = prelude(&["GLSL.std.450"]);
    let mut id = 10;
    for row in INSTRUCTION_TABLE.iter() {
        let variants = row.operands.iter().map(|operand| values(operand.kind).len()).max().unwrap_or(0).max(1);
        for variant in 0..variants {
            push(&mut words, row.opcode, &operands(row.operands, variant, id));
            id += 1;
        }
    }
    assert!(round_trip(words) > 3000);
}

#[test]
fn every_operation_of_a_constant_round_trips() {
    let mut words = prelude(&["GLSL.std.450"]);
    let simple = INSTRUCTION_TABLE.iter().filter(|row| !pattern_is_extended(row.operands));
    for (number, row) in simple.enumerate() {
        let inner: Vec<_> = row
            .operands
            .iter()
            .filter(|operand| !matches!(operand.kind, OperandKind::IdResult | OperandKind::IdResultType))
            .cloned()
            .collect();
        let mut all = vec![1, 10 + number as u32, row.opcode as u32];
        all.extend(operands(&inner, 1, 0));
        push(&mut words, Op::SpecConstantOp, &all);
    }
    assert!(round_trip(words) > 700);
}

#[test]
fn every_extended_instruction_round_trips() {
    let sets = [
        "Arm.MotionEngine.100",
        "DebugInfo",
        "GLSL.std.450",
        "NonSemantic.ClspvReflection.5",
        "NonSemantic.DebugBreak",
        "NonSemantic.DebugPrintf",
        "NonSemantic.Shader.DebugInfo.100",
        "NonSemantic.VkspReflection.1",
        "OpenCL.DebugInfo.100",
        "OpenCL.std",
        "SPV_AMD_gcn_shader",
        "SPV_AMD_shader_ballot",
        "SPV_AMD_shader_explicit_vertex_parameter",
        "SPV_AMD_shader_trinary_minmax",
        "TOSA.001000.1",
    ];
    let mut words = prelude(&sets);
    let mut id = 30;
    for (number, set) in sets.iter().enumerate() {
        let rows: Vec<&ExtendedInstruction<'_>> = names::set(set).expect("a known set").iter().collect();
        for row in rows {
            for variant in 0..3 {
                let mut all = vec![1, id, 3 + number as u32, row.opcode.into()];
                all.extend(operands(row.operands, variant, id));
                push(&mut words, Op::ExtInst, &all);
                id += 1;
            }
        }
    }
    assert!(round_trip(words) > 1500);
}

#[test]
fn words_without_meaning_are_immediates() {
    let text =
        "%1 = OpTypeFloat 32\n%2 = OpConstant %1 !0x3f800000\n%3 = OpConstant !1 1.5\nOpName %2 !7 \"hi\" 5 -3 2.5 %1\n
        OpNop !9\n!0x00010000 ; no operation\n!65536\nOpReturn";
    let assembled = assemble(text);
    assert_eq!(assembled.diags, []);
    let words = [
        [3 << 16 | 22, 1, 32].as_slice(),
        &[4 << 16 | 43, 1, 2, 0x3f80_0000],
        &[4 << 16 | 43, 1, 3, 0x3fc0_0000],
        &[8 << 16 | 5, 2, 7, 0x6968, 5, -3i32 as u32, 2.5f32.to_bits(), 1],
        &[2 << 16, 9],
        &[1 << 16, 1 << 16, 1 << 16 | 253],
    ];
    assert_eq!(assembled.words[5..], words.concat());
    let span = |number: usize| assembled.spans[number].text(text);
    assert_eq!([span(4), span(5), span(6), span(7)], ["OpNop !9", "!0x00010000", "!65536", "OpReturn"]);
}

/// Texts with one problem: its code, its place, and a part of what is said about it.
const PROBLEMS: &[(&str, &str, &str, &str)] = &[
    ("OpCapabillity Shader", "spirv-as-opcode", "OpCapabillity", "did you mean `OpCapability`?"),
    ("Nop", "spirv-as-opcode", "Nop", "an opcode is expected"),
    ("opNop", "spirv-as-opcode", "opNop", "found `opNop`"),
    ("%1 OpTypeVoid", "spirv-as-opcode", "%1", "`=` and an opcode"),
    ("%1 =", "spirv-as-opcode", "%1", "`=` and an opcode"),
    ("= OpTypeVoid", "spirv-as-opcode", "=", "an opcode is expected"),
    ("%1 = OpTypeFloat 32 %2 = OpSpecConstantOp %1 FAdd2 %1", "spirv-as-opcode", "FAdd2", "did you mean `FAdd`?"),
    ("OpCapability Shadr", "spirv-as-operand", "Shadr", "did you mean `Shader`?"),
    ("OpMemoryModel Logical", "spirv-as-operand", "OpMemoryModel", "needs one more operand: a value of MemoryModel"),
    ("OpNop 5", "spirv-as-operand", "5", "has no more operands"),
    ("OpReturnValue 5", "spirv-as-operand", "5", "an id is expected"),
    ("OpReturnValue", "spirv-as-operand", "OpReturnValue", "one more operand: an id"),
    ("%1 = OpLoad %2 %3 Aligned|Volatil 4", "spirv-as-operand", "Aligned|Volatil", "did you mean `Volatile`?"),
    ("%1 = OpLoad %2 %3 Aligned", "spirv-as-operand", "OpLoad", "one more operand: an integer"),
    ("%1 = OpTypeImage %2 4D 0 0 0 1 Unknown", "spirv-as-operand", "4D", "a value of Dim"),
    (
        "%1 = OpExtInstImport \"GLSL.std.450\" %2 = OpExtInst %3 %1 Sinn %4",
        "spirv-as-operand",
        "Sinn",
        "did you mean `Sin`?",
    ),
    ("%1 = OpExtInstImport \"mine\" %2 = OpExtInst %3 %1 Sin %4", "spirv-as-operand", "Sin", "a number is expected"),
    ("%2 = OpExtInst %3 %1 Sin %4", "spirv-as-operand", "Sin", "imported before"),
    ("%1 = OpReturn", "spirv-as-id", "%1", "OpReturn has no result"),
    ("OpTypeVoid", "spirv-as-id", "OpTypeVoid", "the id of the result"),
    ("OpReturnValue %a-b", "spirv-as-id", "%a-b", "letters, digits and `_`"),
    ("OpReturnValue %", "spirv-as-id", "%", "letters, digits and `_`"),
    ("OpReturnValue %0", "spirv-as-id", "%0", "begin at 1"),
    ("OpReturnValue %4194304", "spirv-as-id", "%4194304", "the largest is 4194303"),
    ("OpReturnValue %99999999999999999999", "spirv-as-id", "%99999999999999999999", "too large"),
    ("%1 = OpTypeVoid %1 = OpTypeBool", "spirv-as-id", "%1", "defined twice"),
    ("OpName %1 main", "spirv-as-literal", "main", "a string in double quotes"),
    ("OpName %1 \"main", "spirv-as-literal", "\"main", "a string in double quotes"),
    ("OpName %1 \"a\0b\"", "spirv-as-literal", "\"a\0b\"", "no zero bytes"),
    ("OpLine %1 1 -2", "spirv-as-literal", "-2", "does not fit"),
    ("OpLine %1 1 two", "spirv-as-literal", "two", "not an integer"),
    ("%1 = OpTypeInt 8 0 %2 = OpConstant %1 256", "spirv-as-literal", "256", "unsigned integer of 8 bits"),
    ("%1 = OpTypeFloat 32 %2 = OpConstant %1 1e", "spirv-as-literal", "1e", "floating-point number of 32 bits"),
    ("%2 = OpConstant %1 5", "spirv-as-literal", "5", "declared before"),
    ("%1 = OpTypeBool %2 = OpUndef %1 OpSwitch %2 %3 5 %3", "spirv-as-literal", "5", "declared before"),
    ("OpName !x", "spirv-as-literal", "!x", "behind `!`"),
    ("!", "spirv-as-literal", "!", "not an integer"),
];

#[test]
fn problems_say_where_and_what() {
    for &(text, code, place, message) in PROBLEMS {
        let diags = assemble(text).diags;
        assert_eq!(diags.len(), 1, "{text}: {diags:?}");
        let diag = &diags[0];
        assert_eq!((diag.code, diag.span.expect("a place").text(text)), (code, place), "{text}: {diag:?}");
        assert!(diag.message.contains(message) || diag.help.iter().any(|help| help == message), "{text}: {diag:?}");
    }
}

#[test]
fn all_problems_are_found_and_none_twice() {
    let text = "OpCapability Shadr\n%int = OpTypeInt thirty two\n%1 = OpConstant %int 5\n%2 = OpConstant %int 6
        OpSwitch %1 %3 7 %3\nOpNoop\nOpLine %4 x y\nOpReturn\n";
    let Assembled { words, diags, spans } = assemble(text);
    let places: Vec<_> = diags.iter().filter_map(|diag| Some(diag.span?.text(text))).collect();
    assert_eq!(places, ["Shadr", "thirty", "OpNoop", "x"]);
    assert_eq!(words[5..], [1 << 16 | Op::Return as u32]);
    assert_eq!(spans[0].text(text), "OpReturn");
    let twice = assemble("%1 = OpTypeVoid %1 = OpTypeBool");
    assert_eq!(twice.words[5..], [2 << 16 | Op::TypeVoid as u32, 1]);
    assert_eq!(twice.diags[0].labels[0].span, Span::new(0, 2));
}

#[test]
fn an_instruction_may_name_its_own_result() {
    let text = "%1 = OpExtInst %2 %1 7 %1\n%3 = OpConstant %3 !7";
    assert_eq!(assemble(text).diags, []);
    assert_eq!(assemble(text).words[5..], [6 << 16 | 12, 2, 1, 1, 7, 1, 4 << 16 | 43, 3, 3, 7]);
}

#[test]
fn an_instruction_has_at_most_65535_words() {
    let text = format!("OpDecorateId %1 UniformId {}", "%2 ".repeat(70_000));
    assert_eq!(assemble(&text).diags.len(), 1);
    let text = format!("%1 = OpTypeStruct {}", "%2 ".repeat(65_533));
    assert_eq!(assemble(&text).diags, []);
    let diags = assemble(&format!("%1 = OpTypeStruct {}", "%2 ".repeat(65_534))).diags;
    assert!(diags[0].message.contains("65536 words"), "{diags:?}");
}

#[test]
fn long_texts_without_sense_take_little_time() {
    for piece in [
        "%a ",
        "! ",
        "% = ",
        "Op ",
        "OpNop ",
        "\"",
        "OpName %x \"a\\",
        "OpX\n",
        "OpLoad %1 ",
        "A|",
        "%1 = OpUndef ",
        ";",
    ] {
        let text = piece.repeat(1_000_000 / piece.len());
        let assembled = assemble(&text);
        assert!(assembled.diags.len() < 1000 && assembled.words.len() <= text.len() + 5, "{piece}");
    }
    let mut names = String::new();
    for number in 0..100_000 {
        let _ = writeln!(names, "%n{number} = OpTypeBool");
    }
    assert_eq!(assemble(&names).words[3], 100_001);
}

proptest! {
    /// Also broken modules are read back to their words, if only no id has two definitions.
    #[test]
    fn modules_of_any_words(
        instructions in prop::collection::vec((0u32..420, prop::collection::vec(0u32..24, 0..7), 0u32..20), 0..30)
    ) {
        let mut words = prelude(&["GLSL.std.450"]);
        words[3] = 20;
        for (op, operands, odd) in instructions {
            let count = if odd == 0 { 0 } else { 1 + operands.len() as u32 };
            words.push(count << 16 | op);
            words.extend(operands);
        }
        let (module, diags) = Module::new(words, |_, _| Span::default());
        let text = disassemble(&module);
        let again = assemble(&text);
        if !diags.iter().any(|diag| diag.message.contains("twice")) {
            prop_assert_eq!(&again.words, &module.words, "{}\n{:?}", text, again.diags);
        }
        if diags.is_empty() {
            prop_assert_eq!(again.diags, vec![]);
        }
    }

    #[test]
    fn any_text_is_read(text in "([%!\"=|; \n\\\\]|Op|Op[A-Z][a-z]{2}|OpName|OpConstant|%[0-9a]|[0-9]{1,3}|0x[0-9a-fp.]{1,9}|\\PC){0,80}") {
        let (module, _) = assemble(&text).module();
        disassemble(&module);
    }

    #[test]
    fn every_float_is_read_back(bits: u64) {
        for (exponent, fraction) in [(5, 10), (8, 23), (11, 52), (8, 7), (4, 3), (5, 2)] {
            let number = Number::Float { exponent, fraction };
            let bits = bits >> (63 - exponent - fraction);
            let mut out = String::new();
            number.print(&[bits as u32, (bits >> 32) as u32], &mut out).expect("any bits are a float");
            prop_assert_eq!(number.parse(&out), Ok(bits), "{}", out);
        }
    }
}
