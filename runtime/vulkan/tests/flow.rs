//! Control flow, variables and functions: programs for each element, as in `elementwise`.

use crate::writer::Program;

/// All programs.
pub(crate) fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    branches(&mut all);
    loops(&mut all);
    variables(&mut all);
    functions(&mut all);
    generated(&mut all);
    all
}

fn branches(all: &mut Vec<Program>) {
    let operands = "u32:small i32 f32:plain";
    for (name, result, body) in [
        (
            "if with phi",
            "f32",
            "%t = OpULessThan %bool %a %c_u32_4\nOpSelectionMerge %end None\nOpBranchConditional %t %yes %no\n%yes = OpLabel\n\
             %x = OpFAdd %f32 %c %c_f32_1\nOpBranch %end\n%no = OpLabel\n%y = OpFMul %f32 %c %c_f32_3\nOpBranch %end\n\
             %end = OpLabel\n%r = OpPhi %f32 %x %yes %y %no",
        ),
        (
            "if without else",
            "i32",
            "OpStore %var_i32_0 %b\n%t = OpSLessThan %bool %b %c_i32_0\nOpSelectionMerge %end None\n\
             OpBranchConditional %t %yes %end\n%yes = OpLabel\n%x = OpSNegate %i32 %b\nOpStore %var_i32_0 %x\nOpBranch %end\n\
             %end = OpLabel\n%r = OpLoad %i32 %var_i32_0",
        ),
        (
            "nested if",
            "u32",
            "%t = OpULessThan %bool %a %c_u32_4\n%s = OpSLessThan %bool %b %c_i32_0\nOpStore %var_u32_0 %c_u32_9\n\
             OpSelectionMerge %end None\nOpBranchConditional %t %yes %no\n%yes = OpLabel\nOpSelectionMerge %in None\n\
             OpBranchConditional %s %deep %in\n%deep = OpLabel\nOpStore %var_u32_0 %c_u32_1\nOpBranch %in\n%in = OpLabel\n\
             OpBranch %end\n%no = OpLabel\nOpStore %var_u32_0 %a\nOpBranch %end\n%end = OpLabel\n%r = OpLoad %u32 %var_u32_0",
        ),
        (
            "switch",
            "u32",
            "OpSelectionMerge %end None\nOpSwitch %a %other 0 %zero 3 %three 5 %three\n%zero = OpLabel\nOpBranch %end\n\
             %three = OpLabel\nOpBranch %end\n%other = OpLabel\nOpBranch %end\n%end = OpLabel\n\
             %r = OpPhi %u32 %c_u32_10 %zero %c_u32_20 %three %a %other",
        ),
        (
            "switch with fallthrough",
            "u32",
            "OpStore %var_u32_0 %c_u32_0\nOpSelectionMerge %end None\nOpSwitch %a %other 0 %zero 1 %one 2 %two\n\
             %zero = OpLabel\n%v0 = OpLoad %u32 %var_u32_0\n%w0 = OpIAdd %u32 %v0 %c_u32_1\nOpStore %var_u32_0 %w0\n\
             OpBranch %one\n%one = OpLabel\n%v1 = OpLoad %u32 %var_u32_0\n%w1 = OpIAdd %u32 %v1 %c_u32_10\n\
             OpStore %var_u32_0 %w1\nOpBranch %two\n%two = OpLabel\n%v2 = OpLoad %u32 %var_u32_0\n\
             %w2 = OpIAdd %u32 %v2 %c_u32_100\nOpStore %var_u32_0 %w2\nOpBranch %end\n%other = OpLabel\n\
             OpStore %var_u32_0 %c_u32_7\nOpBranch %end\n%end = OpLabel\n%r = OpLoad %u32 %var_u32_0",
        ),
        (
            "switch into its merge",
            "u32",
            "OpStore %var_u32_0 %a\nOpSelectionMerge %end None\nOpSwitch %a %end 1 %one\n%one = OpLabel\n\
             OpStore %var_u32_0 %c_u32_77\nOpBranch %end\n%end = OpLabel\n%r = OpLoad %u32 %var_u32_0",
        ),
        (
            "OpUndef that is not read",
            "u32",
            "%u = OpUndef %u32\n%t = OpINotEqual %bool %a %a\n%r = OpSelect %u32 %t %c_u32_5 %a",
        ),
    ] {
        all.push(Program::new(name, operands, result, body));
    }
}

/// A loop over `%n` from 0, with the sum in `var_u32_0`.
fn counted(until: &str, inside: &str) -> String {
    format!(
        "OpStore %var_u32_0 %c_u32_0\nOpStore %var_u32_1 %c_u32_0\nOpBranch %head\n%head = OpLabel\n\
         OpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n%n = OpLoad %u32 %var_u32_1\n\
         %t = OpULessThan %bool %n {until}\nOpBranchConditional %t %body %end\n%body = OpLabel\n{inside}\nOpBranch %next\n\
         %next = OpLabel\n%m = OpLoad %u32 %var_u32_1\n%o = OpIAdd %u32 %m %c_u32_1\nOpStore %var_u32_1 %o\nOpBranch %head\n\
         %end = OpLabel\n%r = OpLoad %u32 %var_u32_0"
    )
}

fn loops(all: &mut Vec<Program>) {
    let add =
        "%s = OpLoad %u32 %var_u32_0\n%p = OpIMul %u32 %s %c_u32_3\n%q = OpIAdd %u32 %p %n\nOpStore %var_u32_0 %q";
    let leave = |to: &str, what: &str| {
        format!(
            "{add}\n%k = OpBitwiseAnd %u32 %q %c_u32_7\n%l = {what} %bool %k %b\nOpSelectionMerge %on None\n\
             OpBranchConditional %l %gone %on\n%gone = OpLabel\nOpBranch {to}\n%on = OpLabel\n%v = OpLoad %u32 %var_u32_0\n\
             %w = OpBitwiseXor %u32 %v %c_u32_5\nOpStore %var_u32_0 %w"
        )
    };
    let switch = |to: &str, block: &str| {
        format!(
            "%k = OpBitwiseXor %u32 %n %a\n%s = OpLoad %u32 %var_u32_0\nOpSelectionMerge %on None\n\
             OpSwitch %k %other 1 %one 2 %two 4 {to}\n%one = OpLabel\n%p1 = OpIAdd %u32 %s %c_u32_11\n\
             OpStore %var_u32_0 %p1\nOpBranch %two\n%two = OpLabel\n%s2 = OpLoad %u32 %var_u32_0\n\
             %p2 = OpIMul %u32 %s2 %c_u32_3\nOpStore %var_u32_0 %p2\nOpBranch %on{block}\n%other = OpLabel\n\
             %p3 = OpIAdd %u32 %s %c_u32_1\nOpStore %var_u32_0 %p3\nOpBranch %on\n%on = OpLabel"
        )
    };
    for (name, body) in [
        ("loop", counted("%a", add)),
        ("loop of literal length", counted("%c_u32_6", add)),
        ("loop with break", counted("%a", &leave("%end", "OpIEqual"))),
        ("loop with continue", counted("%a", &leave("%next", "OpULessThan"))),
        (
            "loop in a loop",
            counted(
                "%a",
                "OpStore %var_u32_2 %c_u32_0\nOpBranch %head2\n%head2 = OpLabel\n%n2 = OpPhi %u32 %c_u32_0 %body %o2 %next2\n\
                 OpLoopMerge %end2 %next2 None\nOpBranch %test2\n%test2 = OpLabel\n%t2 = OpULessThan %bool %n2 %n\n\
                 OpBranchConditional %t2 %body2 %end2\n%body2 = OpLabel\n%s2 = OpLoad %u32 %var_u32_0\n\
                 %p2 = OpIMul %u32 %s2 %c_u32_5\n%q2 = OpIAdd %u32 %p2 %n2\nOpStore %var_u32_0 %q2\nOpBranch %next2\n\
                 %next2 = OpLabel\n%o2 = OpIAdd %u32 %n2 %c_u32_1\nOpBranch %head2\n%end2 = OpLabel",
            ),
        ),
        (
            "loop with phis",
            "OpBranch %head\n%head = OpLabel\n%n = OpPhi %u32 %c_u32_0 %first %o %next\n%s = OpPhi %u32 %b %first %q %next\n\
             OpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n%t = OpULessThan %bool %n %a\n\
             OpBranchConditional %t %body %end\n%body = OpLabel\n%p = OpIMul %u32 %s %c_u32_7\n%q = OpIAdd %u32 %p %n\n\
             OpBranch %next\n%next = OpLabel\n%o = OpIAdd %u32 %n %c_u32_1\nOpBranch %head\n%end = OpLabel\n\
             %r = OpIAdd %u32 %s %n"
                .to_string(),
        ),
        (
            "loop with swapped phis",
            "OpBranch %head\n%head = OpLabel\n%n = OpPhi %u32 %c_u32_0 %first %o %next\n%x = OpPhi %u32 %a %first %y %next\n\
             %y = OpPhi %u32 %b %first %x %next\nOpLoopMerge %end %next None\nOpBranch %test\n%test = OpLabel\n\
             %t = OpULessThan %bool %n %a\nOpBranchConditional %t %next %end\n%next = OpLabel\n\
             %o = OpIAdd %u32 %n %c_u32_1\nOpBranch %head\n%end = OpLabel\n%z = OpIMul %u32 %x %c_u32_16\n\
             %r = OpIAdd %u32 %z %y"
                .to_string(),
        ),
        (
            "loop tested at its end",
            "OpStore %var_u32_0 %a\nOpBranch %head\n%head = OpLabel\nOpLoopMerge %end %next None\nOpBranch %body\n\
             %body = OpLabel\n%s = OpLoad %u32 %var_u32_0\n%p = OpIAdd %u32 %s %c_u32_3\nOpStore %var_u32_0 %p\n\
             OpBranch %next\n%next = OpLabel\n%t = OpULessThan %bool %p %c_u32_20\nOpBranchConditional %t %head %end\n\
             %end = OpLabel\n%r = OpLoad %u32 %var_u32_0"
                .to_string(),
        ),
        ("switch in a loop, with continue", counted("%c_u32_8", &switch("%jump", "\n%jump = OpLabel\nOpBranch %next"))),
        ("switch in a loop, with continue as a case", counted("%c_u32_8", &switch("%next", ""))),
    ] {
        all.push(Program::new(name, "u32:small u32:small", "u32", body));
    }
}

fn variables(all: &mut Vec<Program>) {
    let third = "%k = OpBitwiseAnd %u32 %b %c_u32_3";
    for (name, operands, result, body) in [
        (
            "array read by a value",
            "a4f32 u32:small",
            "f32",
            format!("OpStore %var_a4f32_0 %a\n{third}\n%x = OpAccessChain %p_f32 %var_a4f32_0 %k\n%r = OpLoad %f32 %x"),
        ),
        (
            "array written by a value",
            "a4u32 u32:small u32",
            "a4u32",
            format!(
                "OpStore %var_a4u32_0 %a\n{third}\n%x = OpAccessChain %p_u32 %var_a4u32_0 %k\nOpStore %x %c\n\
                 %r = OpLoad %a4u32 %var_a4u32_0"
            ),
        ),
        (
            "vector in an array",
            "a4v2f32 u32:small",
            "f32",
            format!(
                "OpStore %var_a4v2f32_0 %a\n{third}\n%l = OpBitwiseAnd %u32 %b %c_u32_1\n\
                 %x = OpAccessChain %p_f32 %var_a4v2f32_0 %k %l\n%r = OpLoad %f32 %x"
            ),
        ),
        (
            "matrix column by a value",
            "m4x3f32 u32:small",
            "v3f32",
            format!("OpStore %var_m4x3f32_0 %a\n{third}\n%x = OpAccessChain %p_v3f32 %var_m4x3f32_0 %k\n%r = OpLoad %v3f32 %x"),
        ),
        (
            "structure member",
            "s_f32_v2u32 u32",
            "s_f32_v2u32",
            "OpStore %var_s_f32_v2u32_0 %a\n%x = OpAccessChain %p_u32 %var_s_f32_v2u32_0 %c_u32_1 %c_u32_0\nOpStore %x %b\n\
             %r = OpLoad %s_f32_v2u32 %var_s_f32_v2u32_0"
                .to_string(),
        ),
        (
            "OpCopyMemory",
            "a4f32",
            "a4f32",
            "OpStore %var_a4f32_0 %a\nOpCopyMemory %var_a4f32_1 %var_a4f32_0\n%r = OpLoad %a4f32 %var_a4f32_1".to_string(),
        ),
    ] {
        all.push(Program::new(name, operands, result, body));
    }
}

fn functions(all: &mut Vec<Program>) {
    let program = Program::new(
        "function with early return",
        "f32:plain u32:small",
        "f32",
        "%r = OpFunctionCall %f32 %pick %a %b",
    );
    all.push(program.with_functions(
        "%pick = OpFunction %f32 None %fn_f32_f32_u32\n%fa = OpFunctionParameter %f32\n%fb = OpFunctionParameter %u32\n\
         %f0 = OpLabel\n%ft = OpULessThan %bool %fb %c_u32_4\nOpSelectionMerge %fe None\nOpBranchConditional %ft %fy %fe\n\
         %fy = OpLabel\n%fx = OpFMul %f32 %fa %fa\nOpReturnValue %fx\n%fe = OpLabel\n%fz = OpFAdd %f32 %fa %c_f32_2\n\
         OpReturnValue %fz\nOpFunctionEnd\n",
    ));
    let program =
        Program::new("return out of a loop", "u32:small u32:small", "u32", "%r = OpFunctionCall %u32 %find %a %b");
    all.push(program.with_functions(
        "%find = OpFunction %u32 None %fn_u32_u32_u32\n%fa = OpFunctionParameter %u32\n%fb = OpFunctionParameter %u32\n\
         %f0 = OpLabel\nOpBranch %fh\n%fh = OpLabel\n%fn = OpPhi %u32 %c_u32_0 %f0 %fo %fc\nOpLoopMerge %fm %fc None\n\
         OpBranch %fk\n%fk = OpLabel\n%ft = OpULessThan %bool %fn %fb\nOpBranchConditional %ft %fl %fm\n%fl = OpLabel\n\
         %fp = OpIMul %u32 %fn %c_u32_3\n%fq = OpUGreaterThan %bool %fp %fa\nOpSelectionMerge %fs None\n\
         OpBranchConditional %fq %fr %fs\n%fr = OpLabel\nOpReturnValue %fp\n%fs = OpLabel\nOpBranch %fc\n%fc = OpLabel\n\
         %fo = OpIAdd %u32 %fn %c_u32_1\nOpBranch %fh\n%fm = OpLabel\nOpReturnValue %c_u32_99\nOpFunctionEnd\n",
    ));
}

/// Chains of conditions over each comparison and each arithmetic instruction.
fn generated(all: &mut Vec<Program>) {
    for (n, test) in
        ["OpIEqual", "OpINotEqual", "OpULessThan", "OpSLessThan", "OpUGreaterThanEqual", "OpSGreaterThanEqual"]
            .into_iter()
            .enumerate()
    {
        for (m, op) in
            ["OpIAdd", "OpISub", "OpIMul", "OpBitwiseXor", "OpBitwiseAnd", "OpBitwiseOr"].into_iter().enumerate()
        {
            let until = format!("%c_u32_{}", 3 + n + m);
            let inside = format!(
                "%s = OpLoad %u32 %var_u32_0\n%p = {op} %u32 %s %b\n%k = {test} %bool %p %a\nOpSelectionMerge %on None\n\
                 OpBranchConditional %k %yes %no\n%yes = OpLabel\n%x = OpIAdd %u32 %p %n\nOpStore %var_u32_0 %x\n\
                 OpBranch %on\n%no = OpLabel\n%y = OpBitwiseXor %u32 %s %n\n%z = OpIAdd %u32 %y %c_u32_1\n\
                 OpStore %var_u32_0 %z\nOpBranch %on\n%on = OpLabel"
            );
            all.push(Program::new(format!("loop of {test} and {op}"), "u32 u32", "u32", counted(&until, &inside)));
        }
    }
}
