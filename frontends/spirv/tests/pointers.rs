//! Pointers that are chosen while a kernel runs: by selects, phis, variables, functions, indices.

use crate::kernel::{declared, decorated, kernel, run};
use parallax_lift::Options;
use parallax_spirv::{assemble, lift};

/// Two buffers of integers and one for results; pointers to elements have a stride.
fn buffers() -> (String, String) {
    let decorations = (0..3).map(|n| decorated(n, n, 4)).collect::<String>() + "OpDecorate %place ArrayStride 4\n";
    let types = "%bool = OpTypeBool\n%place = OpTypePointer StorageBuffer %int\n%k0 = OpConstant %int 0\n\
                 %k1 = OpConstant %int 1\n%k10 = OpConstant %int 10\n"
        .to_string()
        + &(0..3)
            .map(|n| declared(n, "%int").replace(&format!("%p{n} = "), &format!("%unused{n} = ")))
            .collect::<String>();
    // One pointer type for all of them.
    let types = types.lines().filter(|line| !line.starts_with("%unused")).map(|line| format!("{line}\n")).collect();
    (decorations, types)
}

fn filled() -> Vec<Vec<u32>> {
    vec![(10..18).collect(), (20..28).collect(), vec![0; 8]]
}

#[test]
fn selects_lead_into_either_buffer() {
    let (decorations, types) = buffers();
    let body = "%low = OpBitwiseAnd %uint %lane %c1\n%odd = OpINotEqual %bool %low %c0\n\
                %a = OpAccessChain %place %b0 %c0 %lane\n%b = OpAccessChain %place %b1 %c0 %c2\n\
                %p = OpSelect %place %odd %a %b\n%value = OpLoad %int %p\n\
                %to = OpAccessChain %place %b2 %c0 %lane\nOpStore %to %value\n\
                %after = OpPtrAccessChain %place %p %k1\n%more = OpIAdd %int %value %k10\nOpStore %after %more\n\
                %third = OpSelect %place %odd %p %to\n%again = OpLoad %int %third\n%next = OpIAdd %uint %lane %c2\n\
                %and = OpIAdd %uint %next %c2\n%last = OpAccessChain %place %b2 %c0 %and\nOpStore %last %again\n";
    let left = run(&kernel(4, &decorations, &types, body), filled());
    // Invocations 1 and 3 take the first buffer, 0 and 2 the second.
    assert_eq!(left[0], [10, 11, 21, 13, 23, 15, 16, 17]);
    assert_eq!(left[1], [20, 21, 22, 32, 24, 25, 26, 27]);
    assert_eq!(left[2], [22, 11, 22, 13, 22, 11, 22, 13]);
}

/// Two pointers change places in every round of a loop, and one moves on.
#[test]
fn phis_carry_pointers_around_a_loop() {
    let (decorations, types) = buffers();
    let body = "%a = OpAccessChain %place %b0 %c0 %c0\n%b = OpAccessChain %place %b1 %c0 %c0\n%four = OpIAdd %uint %c2 %c2\n\
                OpBranch %head\n%head = OpLabel\n%n = OpPhi %uint %c0 %entry %more %next\n\
                %p = OpPhi %place %a %entry %q %next\n%q = OpPhi %place %b %entry %moved %next\n\
                %goes = OpULessThan %bool %n %four\nOpLoopMerge %end %next None\nOpBranchConditional %goes %next %end\n\
                %next = OpLabel\n%value = OpLoad %int %p\n%to = OpAccessChain %place %b2 %c0 %n\nOpStore %to %value\n\
                OpStore %p %k0\n%moved = OpPtrAccessChain %place %p %k1\n%more = OpIAdd %uint %n %c1\nOpBranch %head\n\
                %end = OpLabel\n%same = OpPtrEqual %bool %p %b\n%flag = OpSelect %int %same %k1 %k10\n\
                %other = OpAccessChain %place %b2 %c0 %four\nOpStore %other %flag\n";
    let left = run(&kernel(1, &decorations, &types, body), filled());
    assert_eq!(left[0], [0, 0, 12, 13, 14, 15, 16, 17]);
    assert_eq!(left[1], [0, 0, 22, 23, 24, 25, 26, 27]);
    assert_eq!(left[2], [10, 20, 11, 21, 10, 0, 0, 0]);
}

/// A function that gives a pointer, and variables that hold some.
#[test]
fn functions_and_variables_hold_pointers() {
    let (decorations, types) = buffers();
    let types = types
        + "%gives = OpTypeFunction %place %place %uint\n%vplace = OpTypePointer Function %place\n\
           %two = OpTypeStruct %place %uint\n%vtwo = OpTypePointer Function %two\n%null = OpConstantNull %place\n";
    let body = "%kept = OpVariable %vplace Function\n%pair = OpVariable %vtwo Function\n\
                %a = OpAccessChain %place %b0 %c0 %lane\n%p = OpFunctionCall %place %choose %a %lane\nOpStore %kept %p\n\
                %both = OpCompositeConstruct %two %p %lane\nOpStore %pair %both\n\
                %q = OpLoad %place %kept\n%value = OpLoad %int %q\n%member = OpAccessChain %vplace %pair %c0\n\
                %r = OpLoad %place %member\n%same = OpPtrEqual %bool %q %r\n%none = OpPtrNotEqual %bool %r %null\n\
                %all = OpLogicalAnd %bool %same %none\n%result = OpSelect %int %all %value %k0\n\
                %to = OpAccessChain %place %b2 %c0 %lane\nOpStore %to %result\nOpStore %kept %null\n\
                %empty = OpLoad %place %kept\n%is_null = OpPtrEqual %bool %empty %null\n\
                %seen = OpSelect %int %is_null %k10 %k0\n%where = OpIAdd %uint %lane %c2\n%on = OpIAdd %uint %where %c2\n\
                %also = OpAccessChain %place %b2 %c0 %on\nOpStore %also %seen\nOpReturn\nOpFunctionEnd\n\
                %choose = OpFunction %place None %gives\n%given = OpFunctionParameter %place\n%at = OpFunctionParameter %uint\n\
                %start = OpLabel\n%large = OpUGreaterThan %bool %at %c1\nOpSelectionMerge %rest None\n\
                OpBranchConditional %large %early %rest\n%early = OpLabel\nOpReturnValue %given\n%rest = OpLabel\n\
                %second = OpAccessChain %place %b1 %c0 %at\nOpReturnValue %second\nOpFunctionEnd\n";
    let text = kernel(4, &decorations, &types, body);
    let text = text.strip_suffix("OpReturn\nOpFunctionEnd\n").expect("the end of the kernel");
    let left = run(text, filled());
    assert_eq!(left[2], [20, 21, 12, 13, 10, 10, 10, 10]);
}

/// Structures at chosen places: members, sizes, arrays of blocks that a value indexes.
#[test]
fn chosen_structures_have_their_members() {
    let decorations = "OpDecorate %blocks DescriptorSet 0\nOpDecorate %blocks Binding 0\nOpDecorate %block Block\n\
                       OpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset 8\nOpDecorate %list ArrayStride 4\n\
                       OpMemberDecorate %head 0 Offset 0\nOpMemberDecorate %head 1 Offset 4\n"
        .to_string()
        + &decorated(1, 1, 4);
    let types = format!(
        "%bool = OpTypeBool\n%list = OpTypeRuntimeArray %uint\n%head = OpTypeStruct %uint %uint\n\
         %block = OpTypeStruct %head %list\n%many = OpTypeArray %block %c2\n%pmany = OpTypePointer StorageBuffer %many\n\
         %pblock = OpTypePointer StorageBuffer %block\n%phead = OpTypePointer StorageBuffer %head\n\
         %blocks = OpVariable %pmany StorageBuffer\n{}",
        declared(1, "%uint")
    );
    let body = "%one = OpAccessChain %pblock %blocks %lane\n%count = OpArrayLength %uint %one 1\n\
                %member = OpAccessChain %p1 %blocks %lane %c0 %c1\n%value = OpLoad %uint %member\n\
                %element = OpAccessChain %p1 %one %c1 %lane\nOpStore %element %count\n\
                %other = OpISub %uint %c1 %lane\n%h0 = OpAccessChain %phead %blocks %lane %c0\n\
                %h1 = OpAccessChain %phead %blocks %other %c0\n%first = OpIEqual %bool %lane %c0\n\
                %h = OpSelect %phead %first %h1 %h0\n%low = OpAccessChain %p1 %h %c0\n%number = OpLoad %uint %low\n\
                %sum = OpIAdd %uint %value %number\n%to = OpAccessChain %p1 %b1 %c0 %lane\nOpStore %to %sum\n";
    let left = run(&kernel(2, &decorations, &types, body), vec![vec![1, 2, 3, 4], vec![100, 200, 0, 0, 0], vec![0; 2]]);
    // Both take the number of the second block.
    assert_eq!(left, [vec![1, 2, 2, 4], vec![100, 200, 0, 3, 0], vec![2 + 100, 200 + 100]]);
}

/// Shared memory of two variables, one of which has numbers of 64 bits.
#[test]
fn pointers_into_shared_memory_are_chosen() {
    let decorations = decorated(0, 0, 4);
    let types = format!(
        "%bool = OpTypeBool\n%c4 = OpConstant %uint 4\n%c8 = OpConstant %uint 264\n%long = OpTypeInt 64 0\n\
         %mixed = OpTypeStruct %long %uint\n%flat = OpTypeArray %uint %c4\n%pmixed = OpTypePointer Workgroup %mixed\n\
         %pflat = OpTypePointer Workgroup %flat\n%x = OpVariable %pmixed Workgroup\n%y = OpVariable %pflat Workgroup\n\
         %place = OpTypePointer Workgroup %uint\n{}",
        declared(0, "%uint")
    );
    let body = "%member = OpAccessChain %place %x %c1\n%element = OpAccessChain %place %y %lane\n\
                %first = OpIEqual %bool %lane %c0\n%p = OpSelect %place %first %member %element\n\
                %seven = OpIAdd %uint %lane %c4\nOpStore %p %seven\n%old = OpAtomicIAdd %uint %p %c2 %c0 %c2\n\
                OpControlBarrier %c2 %c2 %c8\n%a = OpLoad %uint %member\n%b = OpLoad %uint %element\n\
                %sum = OpIAdd %uint %a %b\n%to = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %to %sum\n\
                %three = OpIAdd %uint %lane %c2\n%after = OpAccessChain %p0 %b0 %c0 %three\nOpStore %after %old\n";
    let left = run(&kernel(2, &decorations, &types, body), vec![vec![0; 4]]);
    assert_eq!(left[0], [6, 6 + 7, 4, 5]);
}

/// Atomics change what a chosen pointer leads to and nothing else.
#[test]
fn atomics_go_where_pointers_lead() {
    let (decorations, types) = buffers();
    let body = "%low = OpBitwiseAnd %uint %lane %c1\n%odd = OpINotEqual %bool %low %c0\n\
                %a = OpAccessChain %place %b0 %c0 %c0\n%b = OpAccessChain %place %b1 %c0 %c0\n\
                %p = OpSelect %place %odd %a %b\n%old = OpAtomicIAdd %int %p %c1 %c0 %k10\n\
                %to = OpAccessChain %place %b2 %c0 %lane\nOpStore %to %old\n";
    let left = run(&kernel(4, &decorations, &types, body), filled());
    assert_eq!((left[0][0], left[1][0]), (30, 40));
    assert_eq!(left[2][..4], [20, 10, 30, 20]);
}

/// A pointer whose type says a matrix and which leads to one of its columns: the load is refused, not taken for a matrix.
#[test]
fn a_load_of_another_type_than_its_place_is_refused() {
    let text = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %out\n\
                OpExecutionMode %main OriginUpperLeft\nOpDecorate %out Location 0\nOpDecorate %view DescriptorSet 0\n\
                OpDecorate %view Binding 0\n%void = OpTypeVoid\n%function = OpTypeFunction %void\n%float = OpTypeFloat 32\n\
                %vector = OpTypeVector %float 4\n%matrix = OpTypeMatrix %vector 4\n%int = OpTypeInt 32 1\n%zero = OpConstant %int 0\n\
                %one = OpConstant %float 1\n%ones = OpConstantComposite %vector %one %one %one %one\n\
                %pm = OpTypePointer Private %matrix\n%po = OpTypePointer Output %vector\n%view = OpVariable %pm Private\n\
                %out = OpVariable %po Output\n%main = OpFunction %void None %function\n%entry = OpLabel\n\
                %place = OpAccessChain %pm %view %zero\n%loaded = OpLoad %matrix %place\n\
                %product = OpMatrixTimesVector %vector %loaded %ones\nOpStore %out %product\nOpReturn\nOpFunctionEnd\n";
    let (module, diags) = assemble(text).module();
    assert!(diags.is_empty(), "{diags:?}");
    let found = lift(&module, &Options::default()).expect_err("the types do not fit");
    let said: Vec<String> = found.iter().map(|diag| diag.message.clone()).collect();
    assert!(said.iter().any(|text| text.contains("the loaded value and the place have different types")), "{said:?}");
}
