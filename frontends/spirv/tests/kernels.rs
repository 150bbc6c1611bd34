//! Kernels on buffers: what they leave there.

use crate::kernel::{declared, decorated, kernel, run};

/// Invocations that run together store the halves and the bytes of one word.
#[test]
fn parts_of_a_word_are_stored_by_several_invocations() {
    for (bits, words) in [(16, vec![0x0001_0000, 0x0003_0002]), (8, vec![0x0302_0100, 0])] {
        let types = format!("%part = OpTypeInt {bits} 0\n{}", declared(0, "%part"));
        let body = "%value = OpUConvert %part %lane\n%place = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %place %value\n";
        let text = kernel(4, &decorated(0, 0, bits / 8), &types, body);
        assert_eq!(run(&text, vec![vec![0xffff_ffff, if bits == 8 { 0 } else { 0xffff_ffff }]]), [words]);
    }
}

/// Exponents of 64 bits whose low words look small.
#[test]
fn ldexp_sees_all_of_a_wide_exponent() {
    let types = format!(
        "%long = OpTypeInt 64 1\n{}{}%one = OpConstant %float 1\n",
        declared(0, "%long"),
        declared(1, "%float")
    );
    let body = "%from = OpAccessChain %p0 %b0 %c0 %lane\n%power = OpLoad %long %from\n\
                %value = OpExtInst %float %glsl Ldexp %one %power\n\
                %place = OpAccessChain %p1 %b1 %c0 %lane\nOpStore %place %value\n";
    let text = kernel(4, &(decorated(0, 0, 8) + &decorated(1, 1, 4)), &types, body);
    let powers = vec![3, 1, (-2i32) as u32, u32::MAX, 1, (-2i32) as u32, 0, 0];
    let left = run(&text, vec![powers, vec![9; 4]]);
    assert_eq!(left[1].iter().map(|word| f32::from_bits(*word)).collect::<Vec<_>>(), [f32::INFINITY, 0.25, 0.0, 1.0]);
}

/// A constant index that is too large, or below zero, in a branch that is never taken.
#[test]
fn constant_indices_out_of_range_do_no_harm_where_they_are_not_followed() {
    let types = format!(
        "{}%vector = OpTypeVector %float 4\n%matrix = OpTypeMatrix %vector 2\n%bool = OpTypeBool\n\
         %pm = OpTypePointer Function %matrix\n%pf = OpTypePointer Function %float\n%two = OpConstant %float 2\n\
         %far = OpConstant %uint 9\n%below = OpConstant %int -1\n",
        declared(0, "%float")
    );
    let body = "%m = OpVariable %pm Function\n%first = OpAccessChain %pf %m %c0 %c0\nOpStore %first %two\n\
                %never = OpUGreaterThan %bool %lane %far\nOpSelectionMerge %on None\n\
                OpBranchConditional %never %bad %on\n%bad = OpLabel\n%high = OpAccessChain %pf %m %far %far\n\
                OpStore %high %two\n%low = OpAccessChain %pf %m %below %below\nOpStore %low %two\n\
                %under = OpAccessChain %p0 %b0 %c0 %below\nOpStore %under %two\nOpBranch %on\n\
                %on = OpLabel\n%value = OpLoad %float %first\n%place = OpAccessChain %p0 %b0 %c0 %lane\n\
                OpStore %place %value\n";
    let text = kernel(1, &decorated(0, 0, 4), &types, body);
    assert_eq!(run(&text, vec![vec![0; 2]]), [[2f32.to_bits(), 0]]);
}

/// Two variables with the same set and binding look at the same words.
#[test]
fn variables_of_one_binding_share_its_buffer() {
    let types = format!("{}{}%two = OpConstant %float 2\n", declared(0, "%float"), declared(1, "%uint"));
    let body = "%a = OpAccessChain %p0 %b0 %c0 %c0\nOpStore %a %two\n%b = OpAccessChain %p1 %b1 %c0 %c0\n\
                %word = OpLoad %uint %b\n%c = OpAccessChain %p1 %b1 %c0 %c1\nOpStore %c %word\n";
    let text = kernel(1, &(decorated(0, 3, 4) + &decorated(1, 3, 4)), &types, body);
    assert_eq!(run(&text, vec![vec![0; 2]]), [[2f32.to_bits(); 2]]);
}

/// Blocks of a workgroup's memory lie over each other: each invocation stores two halves, and another one loads them as a word.
#[test]
fn blocks_of_shared_memory_lie_over_each_other() {
    let types = format!(
        "%short = OpTypeInt 16 0\n%c16 = OpConstant %uint 16\n%c264 = OpConstant %uint 264\n%c3 = OpConstant %uint 3\n\
         %halves = OpTypeArray %short %c16\n%words = OpTypeArray %uint %c8\n%bh = OpTypeStruct %halves\n\
         %bw = OpTypeStruct %words\n%pbh = OpTypePointer Workgroup %bh\n%pbw = OpTypePointer Workgroup %bw\n\
         %ph = OpTypePointer Workgroup %short\n%pw = OpTypePointer Workgroup %uint\n%h = OpVariable %pbh Workgroup\n\
         %w = OpVariable %pbw Workgroup\n{}",
        declared(0, "%uint")
    );
    let types = format!("%c8 = OpConstant %uint 8\n{types}");
    let decorations = "OpDecorate %bh Block\nOpMemberDecorate %bh 0 Offset 0\nOpDecorate %halves ArrayStride 2\n\
                       OpDecorate %bw Block\nOpMemberDecorate %bw 0 Offset 0\nOpDecorate %words ArrayStride 4\n\
                       OpDecorate %h Aliased\nOpDecorate %w Aliased\n";
    let body = "%twice = OpIMul %uint %lane %c2\n%next = OpIAdd %uint %twice %c1\n%low = OpUConvert %short %lane\n\
                %square = OpIMul %uint %lane %lane\n%high = OpUConvert %short %square\n\
                %at = OpAccessChain %ph %h %c0 %twice\nOpStore %at %low\n%at1 = OpAccessChain %ph %h %c0 %next\n\
                OpStore %at1 %high\nOpControlBarrier %c2 %c2 %c264\n%other = OpBitwiseXor %uint %lane %c3\n\
                %from = OpAccessChain %pw %w %c0 %other\n%word = OpLoad %uint %from\n\
                %to = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %to %word\n";
    let text = kernel(8, &(decorations.to_string() + &decorated(0, 0, 4)), &types, body).replacen(
        "OpCapability Shader\n",
        "OpCapability Shader\nOpCapability WorkgroupMemoryExplicitLayoutKHR\n\
         OpCapability WorkgroupMemoryExplicitLayout16BitAccessKHR\n",
        1,
    );
    let text = text.replacen("%glsl = ", "OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"\n%glsl = ", 1);
    let expected: Vec<u32> = (0..8).map(|lane: u32| lane ^ 3).map(|other| other | (other * other) << 16).collect();
    assert_eq!(run(&text, vec![vec![0; 8]]), [expected]);
}

/// Pointers are the same where they lead to the same place, and differ by elements.
#[test]
fn pointers_are_compared_by_where_they_lead() {
    let types = format!(
        "%bool = OpTypeBool\n{}{}%none = OpConstantNull %p0\n%two = OpConstant %int 2\n",
        declared(0, "%int"),
        declared(1, "%int")
    );
    let mut body = "%a = OpAccessChain %p0 %b0 %c0 %lane\n%b = OpAccessChain %p0 %b0 %c0 %c2\n\
                    %c = OpAccessChain %p0 %b1 %c0 %c2\n%gap = OpPtrDiff %int %a %b\n"
        .to_string();
    let tests = ["PtrEqual %bool %a %b", "PtrNotEqual %bool %a %b", "PtrEqual %bool %b %c", "PtrEqual %bool %a %none"];
    let mut last = "%gap".to_string();
    for (n, test) in tests.iter().enumerate() {
        body.push_str(&format!(
            "%t{n} = Op{test}\n%w{n} = OpSelect %int %t{n} %two %k0\n%s{n}x = OpIMul %int {last} %k10\n\
             %r{n} = OpIAdd %int %s{n}x %w{n}\n"
        ));
        last = format!("%r{n}");
    }
    body.push_str(&format!("%place = OpAccessChain %p1 %b1 %c0 %lane\nOpStore %place {last}\n"));
    let types = types + "%k0 = OpConstant %int 0\n%k10 = OpConstant %int 10\n";
    // The array that a pointer leads into has a stride of its own.
    for of_pointers in ["OpDecorate %p0 ArrayStride 4\n", ""] {
        let decorations = decorated(0, 0, 4) + &decorated(1, 1, 4) + of_pointers;
        let text = kernel(3, &decorations, &types, &body);
        let left = run(&text, vec![vec![0; 4], vec![0; 4]]);
        // Elements apart, then 2 for each test that holds.
        assert_eq!(left[1].iter().map(|word| *word as i32).collect::<Vec<_>>(), [-20000 + 200, -10000 + 200, 2000, 0]);
    }
}

/// A vector longer than four, whose length is a constant.
#[test]
fn long_vectors_have_their_components() {
    let types = format!("%six = OpConstant %uint 6\n%long = OpTypeVectorIdEXT %float %six\n{}", declared(0, "%long"));
    let body = "%from = OpAccessChain %p0 %b0 %c0 %c0\n%value = OpLoad %long %from\n\
                %twice = OpFAdd %long %value %value\n%turned = OpVectorShuffle %long %twice %value 5 4 3 2 1 6\n\
                %to = OpAccessChain %p0 %b0 %c0 %c1\nOpStore %to %turned\n";
    let text = kernel(1, &decorated(0, 0, 24), &types, body);
    let numbers: Vec<u32> = (1..=12).map(|n| if n > 6 { 0 } else { (n as f32).to_bits() }).collect();
    let left = run(&text, vec![numbers]);
    let seen: Vec<f32> = left[0][6..].iter().map(|word| f32::from_bits(*word)).collect();
    assert_eq!(seen, [12.0, 10.0, 8.0, 6.0, 4.0, 1.0]);
}

/// Invocations of a subgroup of four, one of which has gone another way.
#[test]
fn subgroups_reduce_scan_vote_and_shuffle_among_those_that_execute() {
    let mut body = String::new();
    // The second invocation takes no part.
    body.push_str(
        "%part = OpINotEqual %bool %lane %c1\nOpSelectionMerge %end None\nOpBranchConditional %part %then %end\n\
         %then = OpLabel\n%value = OpIAdd %uint %lane %c10\n",
    );
    let results = [
        "OpGroupNonUniformIAdd %uint %scope Reduce %value",
        "OpGroupNonUniformIAdd %uint %scope InclusiveScan %value",
        "OpGroupNonUniformIAdd %uint %scope ExclusiveScan %value",
        "OpGroupNonUniformUMax %uint %scope Reduce %value",
        "OpGroupNonUniformBroadcastFirst %uint %scope %value",
        "OpGroupNonUniformShuffleXor %uint %scope %value %c2",
        "OpCompositeExtract %uint %ballot 0",
    ];
    body.push_str("%ballot = OpGroupNonUniformBallot %v4 %scope %true\n");
    for (n, result) in results.iter().enumerate() {
        body.push_str(&format!(
            "%r{n} = {result}\n%n{n} = OpIAdd %uint %first %k{n}\n%e{n} = OpAccessChain %p0 %b0 %c0 %n{n}\n\
             OpStore %e{n} %r{n}\n"
        ));
    }
    body.push_str("OpBranch %end\n%end = OpLabel\n");
    let body = format!("%first = OpIMul %uint %lane %c7\n{body}");
    let constants: String = (0..results.len()).map(|n| format!("%k{n} = OpConstant %uint {n}\n")).collect();
    let types = format!(
        "{}%bool = OpTypeBool\n%true = OpConstantTrue %bool\n%v4 = OpTypeVector %uint 4\n%scope = OpConstant %uint 3\n\
         %c7 = OpConstant %uint 7\n%c10 = OpConstant %uint 10\n{constants}",
        declared(0, "%uint")
    );
    let left = run(&kernel(4, &decorated(0, 0, 4), &types, &body), vec![vec![0; 28]]);
    // Of 10, 12 and 13; what the second invocation would hold is not defined.
    assert_eq!(left[0][..7], [35, 10, 0, 13, 10, 12, 0b1101]);
    assert_eq!(left[0][7..14], [0; 7]);
    assert_eq!(left[0][14..21], [35, 22, 10, 13, 10, 10, 0b1101]);
    assert_eq!(left[0][21..26], [35, 35, 22, 13, 10]);
    assert_eq!(left[0][27], 0b1101);
}
