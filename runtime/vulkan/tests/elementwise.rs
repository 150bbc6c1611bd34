//! Every instruction that computes, with many operands.

use crate::compare::{assembled, device, emulate, model};
use crate::differing::{DIFFERING, Differing};
use crate::writer::{GROUP, Program, size, text, type_of};
use crate::{feed, flow, random};
use parallax_num::Model;
use parallax_random::Random;
use parallax_vulkan::{Buffer, Job};

/// Workgroups.
const GROUPS: u32 = 16;

/// Types of floats: vectors go other ways than scalars in some compilers.
const FLOATS: [&str; 4] = ["f32", "v2f32", "v3f32", "v4f32"];

fn same(count: usize, ty: &str) -> String {
    vec![ty; count].join(" ")
}

/// Instructions of one shape, for each type.
fn add(
    all: &mut Vec<Program>,
    types: &[&str],
    ops: &[&str],
    count: usize,
    kind: &str,
    result: impl Fn(&str) -> String,
) {
    let names = ["%a", "%b", "%c", "%d"][..count].join(" ");
    for ty in types {
        for op in ops {
            let result = result(ty);
            let kinds = same(count, &format!("{ty}{kind}"));
            let of = if op.starts_with("Op") { op.to_string() } else { "OpExtInst".into() };
            let set = if op.starts_with("Op") { String::new() } else { format!("%glsl {op} ") };
            all.push(Program::new(
                format!("{op} {ty}{kind}"),
                &kinds,
                &result,
                format!("%r = {of} %{result} {set}{names}"),
            ));
        }
    }
}

/// `bool` in the shape of a type.
fn truth(ty: &str) -> String {
    match ty.strip_prefix('v') {
        Some(rest) => format!("v{}bool", &rest[..1]),
        None => "bool".into(),
    }
}

fn itself(ty: &str) -> String {
    ty.into()
}

fn single(ty: &str) -> String {
    ty[2..].into()
}

fn floats(all: &mut Vec<Program>) {
    add(all, &FLOATS, &["OpFNegate"], 1, "", itself);
    add(all, &FLOATS, &["OpFAdd", "OpFSub", "OpFMul", "OpFDiv"], 2, "", itself);
    add(all, &["f32", "v3f32"], &["OpFRem", "OpFMod"], 2, "", itself);
    add(all, &["f32"], &["OpFRem", "OpFMod"], 2, ":plain", itself);
    let compared = ["Equal", "NotEqual", "LessThan", "GreaterThan", "LessThanEqual", "GreaterThanEqual"];
    for name in compared {
        for order in ["Ord", "Unord"] {
            add(all, &["f32", "v3f32"], &[&format!("OpF{order}{name}")], 2, "", truth);
        }
    }
    add(all, &["f32", "v2f32"], &["OpIsNan", "OpIsInf"], 1, "", truth);
    add(
        all,
        &["f32", "v3f32"],
        &[
            "Round",
            "RoundEven",
            "Trunc",
            "FAbs",
            "FSign",
            "Floor",
            "Ceil",
            "Fract",
            "Radians",
            "Degrees",
            "Sin",
            "Cos",
            "Exp",
            "Log",
            "Exp2",
            "Log2",
            "Sqrt",
            "InverseSqrt",
        ],
        1,
        "",
        itself,
    );
    let angles = ["Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh", "Acosh", "Atanh"];
    add(all, &["f32", "v2f32"], &angles, 1, "", itself);
    let all_unary = [
        "Sin",
        "Cos",
        "Tan",
        "Asin",
        "Acos",
        "Atan",
        "Sinh",
        "Cosh",
        "Tanh",
        "Asinh",
        "Acosh",
        "Atanh",
        "Exp",
        "Log",
        "Exp2",
        "Log2",
        "Sqrt",
        "InverseSqrt",
    ];
    add(all, &["f32"], &all_unary, 1, ":plain", itself);
    add(all, &["f32"], &["Asin", "Acos", "Atan", "Atanh", "Tanh", "Asinh"], 1, ":unit", itself);
    add(all, &["f32", "v3f32"], &["FMin", "FMax", "NMin", "NMax", "Step", "Pow", "Atan2"], 2, "", itself);
    add(all, &["f32"], &["Pow", "Atan2"], 2, ":plain", itself);
    add(all, &["f32", "v3f32"], &["FClamp", "NClamp", "FMix", "Fma", "SmoothStep"], 3, "", itself);
    add(all, &["f32"], &["FClamp", "FMix", "Fma", "SmoothStep"], 3, ":plain", itself);
    for kind in ["", ":plain"] {
        add(all, &FLOATS[1..], &["Length"], 1, kind, single);
        add(all, &FLOATS[1..], &["Distance"], 2, kind, single);
        add(all, &FLOATS[1..], &["Normalize"], 1, kind, itself);
        add(all, &FLOATS[1..], &["OpDot"], 2, kind, single);
        add(all, &FLOATS[1..], &["Reflect"], 2, kind, itself);
        add(all, &FLOATS[1..], &["FaceForward"], 3, kind, itself);
        add(all, &["v3f32"], &["Cross"], 2, kind, itself);
        for ty in ["v2f32", "v3f32", "v4f32"] {
            let body = format!("%r = OpExtInst %{ty} %glsl Refract %a %b %c");
            all.push(Program::new(
                format!("Refract {ty}{kind}"),
                &format!("{ty}{kind} {ty}{kind} f32{kind}"),
                ty,
                body,
            ));
        }
    }
    add(all, &["f32"], &["Length", "Normalize"], 1, "", itself);
    add(all, &["f32"], &["Distance", "Reflect"], 2, "", itself);
    add(all, &["f32"], &["FaceForward", "Refract"], 3, "", itself);
    for ty in ["f32", "v2f32"] {
        let power = ty.replace("f32", "i32");
        let body = format!("%r = OpExtInst %{ty} %glsl Ldexp %a %b");
        all.push(Program::new(format!("Ldexp {ty}"), &format!("{ty} {power}:exponent"), ty, body));
        let body = format!("%r = OpExtInst %s_{ty}_{ty} %glsl ModfStruct %a");
        all.push(Program::new(format!("ModfStruct {ty}"), ty, &format!("s_{ty}_{ty}"), body));
        let body = format!("%r = OpExtInst %s_{ty}_{power} %glsl FrexpStruct %a");
        all.push(Program::new(format!("FrexpStruct {ty}"), ty, &format!("s_{ty}_{power}"), body));
    }
    for (op, second) in [("Modf", "f32"), ("Frexp", "i32")] {
        let body = format!(
            "%x = OpExtInst %f32 %glsl {op} %a %var_{second}_0\n%y = OpLoad %{second} %var_{second}_0\n\
             %r = OpCompositeConstruct %s_f32_{second} %x %y"
        );
        all.push(Program::new(op, "f32", &format!("s_f32_{second}"), body));
    }
    for (op, from) in [
        ("PackSnorm4x8", "v4f32"),
        ("PackUnorm4x8", "v4f32"),
        ("PackSnorm2x16", "v2f32"),
        ("PackUnorm2x16", "v2f32"),
        ("PackHalf2x16", "v2f32"),
    ] {
        for kind in ["", ":unit", ":finite"] {
            all.push(Program::new(
                format!("{op}{kind}"),
                &format!("{from}{kind}"),
                "u32",
                format!("%r = OpExtInst %u32 %glsl {op} %a"),
            ));
        }
        let (unpack, body) = (format!("Un{}", op.replacen('P', "p", 1)), "%r = OpExtInst");
        all.push(Program::new(&unpack, "u32", from, format!("{body} %{from} %glsl {unpack} %a")));
    }
    let body = "%r = OpQuantizeToF16 %f32 %a";
    all.push(Program::new("OpQuantizeToF16 f32", "f32", "f32", body));
}

fn contracted(all: &mut Vec<Program>) {
    for (name, body) in [
        ("a*b+c", "%x = OpFMul %f32 %a %b\n%r = OpFAdd %f32 %x %c"),
        ("a*b-c", "%x = OpFMul %f32 %a %b\n%r = OpFSub %f32 %x %c"),
        ("c-a*b", "%x = OpFMul %f32 %a %b\n%r = OpFSub %f32 %c %x"),
        ("a*b*c", "%x = OpFMul %f32 %a %b\n%r = OpFMul %f32 %x %c"),
        ("a+b+c", "%x = OpFAdd %f32 %a %b\n%r = OpFAdd %f32 %x %c"),
        ("(a+b)-b", "%x = OpFAdd %f32 %a %b\n%r = OpFSub %f32 %x %b"),
        ("a*b+a*c", "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %a %c\n%r = OpFAdd %f32 %x %y"),
        (
            "(a*b-b*c)+c",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %b %c\n%z = OpFSub %f32 %x %y\n%r = OpFAdd %f32 %z %c",
        ),
        (
            "(a*b+b*c)-c",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %b %c\n%z = OpFAdd %f32 %x %y\n%r = OpFSub %f32 %z %c",
        ),
        (
            "c-(a*b+b*c)",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %b %c\n%z = OpFAdd %f32 %x %y\n%r = OpFSub %f32 %c %z",
        ),
        (
            "(a*b+c*c)-a",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFAdd %f32 %x %y\n%r = OpFSub %f32 %z %a",
        ),
        (
            "(a*b-c*c)-a",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFSub %f32 %x %y\n%r = OpFSub %f32 %z %a",
        ),
        (
            "(a*b+c*c)+a",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFAdd %f32 %x %y\n%r = OpFAdd %f32 %z %a",
        ),
        (
            "(a*b-c*c)+a",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFSub %f32 %x %y\n%r = OpFAdd %f32 %z %a",
        ),
        (
            "a-(a*b-c*c)",
            "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %c %c\n%z = OpFSub %f32 %x %y\n%r = OpFSub %f32 %a %z",
        ),
        ("a*b-a*c", "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %a %c\n%r = OpFSub %f32 %x %y"),
        ("a*b+b*c+c", "%x = OpFMul %f32 %a %b\n%y = OpFMul %f32 %b %c\n%z = OpFAdd %f32 %x %y\n%r = OpFAdd %f32 %z %c"),
    ] {
        all.push(Program::new(name, "f32:plain f32:plain f32:plain", "f32", body));
        let exact = "OpDecorate %x NoContraction\nOpDecorate %r NoContraction\n";
        let exact = match body {
            _ if body.contains("%z") => format!("{exact}OpDecorate %y NoContraction\nOpDecorate %z NoContraction\n"),
            _ if body.contains("%y") => format!("{exact}OpDecorate %y NoContraction\n"),
            _ => exact.to_string(),
        };
        let program = Program::new(format!("{name} exact"), "f32:plain f32:plain f32:plain", "f32", body);
        all.push(program.with_decorations(&exact));
    }
    for (name, body) in [
        ("a+0", "%r = OpFAdd %f32 %a %c_f32_0"),
        ("a*0", "%r = OpFMul %f32 %a %c_f32_0"),
        ("a*1", "%r = OpFMul %f32 %a %c_f32_1"),
        ("a/1", "%r = OpFDiv %f32 %a %c_f32_1"),
        ("1/a", "%r = OpFDiv %f32 %c_f32_1 %a"),
        ("a/3", "%r = OpFDiv %f32 %a %c_f32_3"),
        ("1/(1/a)", "%x = OpFDiv %f32 %c_f32_1 %a\n%r = OpFDiv %f32 %c_f32_1 %x"),
        ("a-a", "%r = OpFSub %f32 %a %a"),
        ("-(-a)", "%x = OpFNegate %f32 %a\n%r = OpFNegate %f32 %x"),
        ("0-a", "%r = OpFSub %f32 %c_f32_0 %a"),
        ("a*2+1", "%x = OpFMul %f32 %a %c_f32_2\n%r = OpFAdd %f32 %x %c_f32_1"),
        ("a*3*5", "%x = OpFMul %f32 %a %c_f32_3\n%r = OpFMul %f32 %x %c_f32_5"),
        ("pow(a,1)", "%r = OpExtInst %f32 %glsl Pow %a %c_f32_1"),
        ("pow(a,2)", "%r = OpExtInst %f32 %glsl Pow %a %c_f32_2"),
        ("pow(a,4)", "%r = OpExtInst %f32 %glsl Pow %a %c_f32_4"),
        ("pow(a,0.5)", "%r = OpExtInst %f32 %glsl Pow %a %c_f32_0p5"),
        ("exp2(log2(a))", "%x = OpExtInst %f32 %glsl Log2 %a\n%r = OpExtInst %f32 %glsl Exp2 %x"),
        ("1/sqrt(a)", "%x = OpExtInst %f32 %glsl Sqrt %a\n%r = OpFDiv %f32 %c_f32_1 %x"),
        ("1/rsq(a)", "%x = OpExtInst %f32 %glsl InverseSqrt %a\n%r = OpFDiv %f32 %c_f32_1 %x"),
        ("clamp(a,0,1)", "%r = OpExtInst %f32 %glsl FClamp %a %c_f32_0 %c_f32_1"),
        ("max(min(a,1),0)", "%x = OpExtInst %f32 %glsl FMin %a %c_f32_1\n%r = OpExtInst %f32 %glsl FMax %x %c_f32_0"),
        ("min(max(a,0),1)", "%x = OpExtInst %f32 %glsl FMax %a %c_f32_0\n%r = OpExtInst %f32 %glsl FMin %x %c_f32_1"),
        ("abs(-a)", "%x = OpFNegate %f32 %a\n%r = OpExtInst %f32 %glsl FAbs %x"),
    ] {
        all.push(Program::new(name, "f32", "f32", body));
    }
    // A blend is what Mesa makes of it before it reorders sums.
    for (name, body) in [
        ("mix(a,b,c)-a", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFSub %f32 %x %a"),
        ("mix(a,b,c)-b", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFSub %f32 %x %b"),
        ("mix(a,b,c)-c", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFSub %f32 %x %c"),
        ("mix(a,b,c)+a", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFAdd %f32 %x %a"),
        ("c+mix(a,b,c)", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFAdd %f32 %c %x"),
        ("a-mix(a,b,c)", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFSub %f32 %a %x"),
        ("mix(a,b,c)+1.5", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFAdd %f32 %x %c_f32_1p5"),
        ("mix(a,b,c)*a", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%r = OpFMul %f32 %x %a"),
        ("mix(a,b,c)+a*b", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%y = OpFMul %f32 %a %b\n%r = OpFAdd %f32 %x %y"),
        ("mix(a,b,c)-a*c", "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%y = OpFMul %f32 %a %c\n%r = OpFSub %f32 %x %y"),
        (
            "(mix(a,b,c)-a)*3",
            "%x = OpExtInst %f32 %glsl FMix %a %b %c\n%y = OpFSub %f32 %x %a\n%r = OpFMul %f32 %y %c_f32_3",
        ),
    ] {
        all.push(Program::new(name, "f32:plain f32:plain f32:plain", "f32", body));
    }
    for (name, body) in [
        ("mix(a,b,0.25)", "%r = OpExtInst %f32 %glsl FMix %a %b %c_f32_0p25"),
        ("mix(a,1,b)", "%r = OpExtInst %f32 %glsl FMix %a %c_f32_1 %b"),
        ("mix(1,a,b)", "%r = OpExtInst %f32 %glsl FMix %c_f32_1 %a %b"),
        ("step(a,b)*b", "%x = OpExtInst %f32 %glsl Step %a %b\n%r = OpFMul %f32 %x %b"),
        ("a*rcp(b)", "%x = OpFDiv %f32 %c_f32_1 %b\n%r = OpFMul %f32 %a %x"),
        (
            "exp2(b*log2(a))",
            "%x = OpExtInst %f32 %glsl Log2 %a\n%y = OpFMul %f32 %b %x\n%r = OpExtInst %f32 %glsl Exp2 %y",
        ),
    ] {
        all.push(Program::new(name, "f32 f32", "f32", body));
    }
}

fn integers(all: &mut Vec<Program>) {
    let two = ["OpIAdd", "OpISub", "OpIMul", "OpBitwiseOr", "OpBitwiseXor", "OpBitwiseAnd"];
    let (wide, narrow) = (["i32", "u32", "v3u32", "u64", "v2i64"], ["i16", "u16", "v2u16", "i8", "u8"]);
    for types in [&wide[..], &narrow[..]] {
        add(all, types, &two, 2, "", itself);
        add(all, types, &["OpSNegate", "OpNot"], 1, "", itself);
        add(all, types, &["OpIEqual", "OpINotEqual"], 2, "", truth);
    }
    for ty in ["i32", "v2i32", "i64", "i16", "i8"] {
        let divisor = |op: &str| {
            Program::new(format!("{op} {ty}"), &format!("{ty} {ty}:divisor"), ty, format!("%r = {op} %{ty} %a %b"))
        };
        all.extend(["OpSDiv", "OpSRem", "OpSMod"].map(divisor));
        add(all, &[ty], &["OpSLessThan", "OpSLessThanEqual", "OpSGreaterThan", "OpSGreaterThanEqual"], 2, "", truth);
        add(all, &[ty], &["SAbs", "SSign"], 1, "", itself);
        add(all, &[ty], &["SMin", "SMax"], 2, "", itself);
        add(all, &[ty], &["SClamp"], 3, "", itself);
    }
    for ty in ["u32", "v4u32", "u64", "u16", "u8"] {
        let divisor = |op: &str| {
            Program::new(format!("{op} {ty}"), &format!("{ty} {ty}:divisor"), ty, format!("%r = {op} %{ty} %a %b"))
        };
        all.extend(["OpUDiv", "OpUMod"].map(divisor));
        add(all, &[ty], &["OpULessThan", "OpULessThanEqual", "OpUGreaterThan", "OpUGreaterThanEqual"], 2, "", truth);
        add(all, &[ty], &["UMin", "UMax"], 2, "", itself);
        add(all, &[ty], &["UClamp"], 3, "", itself);
    }
    for ty in ["i32", "v2u32", "u64", "i64", "u16", "i16", "u8", "i8"] {
        for op in ["OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic"] {
            let operands = format!("{ty} {ty}:shift");
            all.push(Program::new(format!("{op} {ty}"), &operands, ty, format!("%r = {op} %{ty} %a %b")));
        }
    }
    for ty in ["u32", "i32", "v2u32"] {
        let body = format!("%r = OpBitFieldInsert %{ty} %a %b %c %d");
        all.push(Program::new(format!("OpBitFieldInsert {ty}"), &format!("{ty} {ty} u32:field u32:field"), ty, body));
        for op in ["OpBitFieldSExtract", "OpBitFieldUExtract"] {
            let body = format!("%r = {op} %{ty} %a %b %c");
            all.push(Program::new(format!("{op} {ty}"), &format!("{ty} u32:field u32:field"), ty, body));
        }
        add(all, &[ty], &["OpBitReverse", "OpBitCount", "FindILsb", "FindSMsb", "FindUMsb"], 1, "", itself);
    }
    for ty in ["u32", "v2u32"] {
        for op in ["OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended"] {
            let result = format!("s_{ty}_{ty}");
            let body = format!("%r = {op} %{result} %a %b");
            all.push(Program::new(format!("{op} {ty}"), &same(2, ty), &result, body));
        }
    }
}

fn conversions(all: &mut Vec<Program>) {
    let integers = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"];
    for from in integers {
        for to in integers {
            if from[1..] != to[1..] {
                let op = if from.starts_with('i') { "OpSConvert" } else { "OpUConvert" };
                if op == "OpUConvert" && to.starts_with('i') {
                    continue;
                }
                all.push(Program::new(format!("{op} {from} {to}"), from, to, format!("%r = {op} %{to} %a")));
            }
        }
        for to in ["f32", "f16", "f64"] {
            let op = if from.starts_with('i') { "OpConvertSToF" } else { "OpConvertUToF" };
            all.push(Program::new(format!("{op} {from} {to}"), from, to, format!("%r = {op} %{to} %a")));
            let op = if from.starts_with('i') { "OpConvertFToS" } else { "OpConvertFToU" };
            let kind = match (to, &from[1..]) {
                ("f32", "32") => "",
                ("f32" | "f64", "64") if from.starts_with('i') => ":int",
                ("f64", "32") if from.starts_with('i') => ":int",
                ("f32" | "f64", _) => ":byte",
                _ => ":plain",
            };
            let kind = if from.starts_with('u') && to == "f16" { ":plain" } else { kind };
            let body = format!("%r = {op} %{from} %a");
            let program = if from.starts_with('u') && to == "f16" {
                let body = format!("%x = OpExtInst %f16 %glsl FAbs %a\n%r = {op} %{from} %x");
                Program::new(format!("{op} {to} {from}"), &format!("{to}{kind}"), from, body)
            } else {
                Program::new(format!("{op} {to} {from}"), &format!("{to}{kind}"), from, body)
            };
            all.push(program);
        }
    }
    for (from, to) in [("v3f32", "v3i32"), ("v3f32", "v3u32")] {
        let op = if to == "v3i32" { "OpConvertFToS" } else { "OpConvertFToU" };
        all.push(Program::new(format!("{op} {from} {to}"), from, to, format!("%r = {op} %{to} %a")));
        let op = if to == "v3i32" { "OpConvertSToF" } else { "OpConvertUToF" };
        all.push(Program::new(format!("{op} {to} {from}"), to, from, format!("%r = {op} %{from} %a")));
    }
    all.push(Program::new("OpConvertFToS f64:long i64", "f64:long", "i64", "%r = OpConvertFToS %i64 %a"));
    let body = "%x = OpExtInst %f64 %glsl FAbs %a\n%r = OpConvertFToU %u64 %x";
    all.push(Program::new("OpConvertFToU f64:long u64", "f64:long", "u64", body));
    for (from, to) in [
        ("f32", "f16"),
        ("f16", "f32"),
        ("v3f32", "v3f16"),
        ("v2f16", "v2f32"),
        ("f64", "f32"),
        ("f32", "f64"),
        ("f64", "f16"),
        ("f16", "f64"),
        ("v3f64", "v3f32"),
    ] {
        all.push(Program::new(format!("OpFConvert {from} {to}"), from, to, format!("%r = OpFConvert %{to} %a")));
    }
    for (from, to) in [
        ("f32", "u32"),
        ("v2f32", "v2i32"),
        ("u64", "v2f32"),
        ("v2u16", "u32"),
        ("f16", "u16"),
        ("v2f16", "f32"),
        ("v4u8", "u32"),
        ("f64", "i64"),
        ("v2f64", "v4u32"),
        ("v4u16", "f64"),
    ] {
        all.push(Program::new(format!("OpBitcast {from} {to}"), from, to, format!("%r = OpBitcast %{to} %a")));
    }
}

/// What SPIR-V has for 64-bit floats.
fn doubles(all: &mut Vec<Program>) {
    let types = ["f64", "v3f64"];
    let unary = ["Round", "RoundEven", "Trunc", "FAbs", "FSign", "Floor", "Ceil", "Fract", "Sqrt", "InverseSqrt"];
    for kind in ["", ":plain"] {
        add(all, &types, &["OpFAdd", "OpFSub", "OpFMul", "OpFDiv"], 2, kind, itself);
        add(all, &["f64"], &["OpFRem", "OpFMod"], 2, kind, itself);
        add(all, &types, &unary, 1, kind, itself);
        add(all, &types, &["FMin", "FMax", "NMin", "NMax", "Step"], 2, kind, itself);
        add(all, &types, &["FClamp", "NClamp", "FMix", "Fma", "SmoothStep"], 3, kind, itself);
        for ty in ["v2f64", "v3f64", "v4f64"] {
            add(all, &[ty], &["Length"], 1, kind, single);
            add(all, &[ty], &["Distance", "OpDot"], 2, kind, single);
            add(all, &[ty], &["Normalize"], 1, kind, itself);
            add(all, &[ty], &["Reflect"], 2, kind, itself);
            add(all, &[ty], &["FaceForward"], 3, kind, itself);
        }
        add(all, &["v3f64"], &["Cross"], 2, kind, itself);
        for (name, operands, result, op) in [
            ("OpVectorTimesScalar", ["v3f64", "f64"], "v3f64", "OpVectorTimesScalar"),
            ("OpVectorTimesMatrix 2x3", ["v3f64", "m2x3f64"], "v2f64", "OpVectorTimesMatrix"),
            ("OpMatrixTimesVector 2x3", ["m2x3f64", "v2f64"], "v3f64", "OpMatrixTimesVector"),
            ("OpMatrixTimesMatrix 2x2", ["m2x2f64", "m2x2f64"], "m2x2f64", "OpMatrixTimesMatrix"),
            ("OpOuterProduct 3x2", ["v2f64", "v3f64"], "m3x2f64", "OpOuterProduct"),
        ] {
            let kinds = operands.map(|ty| format!("{ty}{kind}")).join(" ");
            let body = format!("%r = {op} %{result} %a %b");
            all.push(Program::new(format!("{name} f64{kind}"), &kinds, result, body));
        }
        for n in 2..=4 {
            let ty = format!("m{n}x{n}f64");
            for (op, result) in [("Determinant", "f64"), ("MatrixInverse", ty.as_str())] {
                let body = format!("%r = OpExtInst %{result} %glsl {op} %a");
                all.push(Program::new(format!("{op} {n} f64{kind}"), &format!("{ty}{kind}"), result, body));
            }
        }
    }
    add(all, &types, &["OpFNegate"], 1, "", itself);
    let compared = ["Equal", "NotEqual", "LessThan", "GreaterThan", "LessThanEqual", "GreaterThanEqual"];
    for name in compared {
        for order in ["Ord", "Unord"] {
            add(all, &["f64"], &[&format!("OpF{order}{name}")], 2, "", truth);
        }
    }
    add(all, &["f64"], &["OpIsNan", "OpIsInf"], 1, "", truth);
    all.push(Program::new("OpSelect f64", "bool f64 f64", "f64", "%r = OpSelect %f64 %a %b %c"));
    let body = "%r = OpExtInst %v3f64 %glsl Refract %a %b %c";
    all.push(Program::new("Refract v3f64:plain", "v3f64:plain v3f64:plain f32:plain", "v3f64", body));
    for (name, operands, result) in [
        ("Ldexp", "f64 i32:power", "f64"),
        ("ModfStruct", "f64", "s_f64_f64"),
        ("FrexpStruct", "f64", "s_f64_i32"),
        ("PackDouble2x32", "v2u32", "f64"),
        ("UnpackDouble2x32", "f64", "v2u32"),
    ] {
        let names = ["%a", "%b"][..operands.split(' ').count()].join(" ");
        let body = format!("%r = OpExtInst %{result} %glsl {name} {names}");
        all.push(Program::new(format!("{name} f64"), operands, result, body));
    }
    for (name, body) in [
        ("a*b+c f64", "%x = OpFMul %f64 %a %b\n%r = OpFAdd %f64 %x %c"),
        ("a*3+0.5 f64", "%x = OpFMul %f64 %a %c_f64_3\n%r = OpFAdd %f64 %x %c_f64_0p5"),
        ("array f64", "OpStore %var_a3f64_0 %s\n%p = OpAccessChain %p_f64 %var_a3f64_0 %n\n%r = OpLoad %f64 %p"),
    ] {
        let body = match name {
            "array f64" => format!(
                "%s = OpCompositeConstruct %a3f64 %a %b %c\n%m = OpBitcast %v2u32 %a\n%l = OpCompositeExtract %u32 %m 0\n\
                 %n = OpUMod %u32 %l %c_u32_3\n{body}"
            ),
            _ => body.to_string(),
        };
        all.push(Program::new(name, "f64:plain f64:plain f64:plain", "f64", body));
    }
}

/// Mesa 22.3 crashes on exp2, log2, sin and cos of halves, and on what is made of them.
fn halves(all: &mut Vec<Program>) {
    for kind in ["", ":plain"] {
        add(all, &["f16", "v3f16"], &["OpFAdd", "OpFSub", "OpFMul", "OpFDiv"], 2, kind, itself);
        add(all, &["f16"], &["OpFRem", "OpFMod", "FMin", "FMax", "NMin", "NMax", "Step", "Atan2"], 2, kind, itself);
        add(
            all,
            &["f16"],
            &[
                "Round",
                "RoundEven",
                "Trunc",
                "FAbs",
                "FSign",
                "Floor",
                "Ceil",
                "Fract",
                "Radians",
                "Degrees",
                "Sqrt",
                "InverseSqrt",
                "Asin",
                "Acos",
                "Atan",
            ],
            1,
            kind,
            itself,
        );
        add(all, &["f16"], &["FClamp", "NClamp", "FMix", "Fma", "SmoothStep"], 3, kind, itself);
        add(all, &["v3f16"], &["OpDot"], 2, kind, single);
        add(all, &["v3f16"], &["Length"], 1, kind, single);
        add(all, &["v3f16"], &["Normalize"], 1, kind, itself);
    }
    add(all, &["f16"], &["OpFNegate"], 1, "", itself);
    add(all, &["f16"], &["OpFOrdLessThan", "OpFUnordLessThan", "OpFOrdEqual", "OpFUnordNotEqual"], 2, "", truth);
    add(all, &["f16"], &["OpIsNan", "OpIsInf"], 1, "", truth);
    let body = "%r = OpExtInst %f16 %glsl Ldexp %a %b";
    all.push(Program::new("Ldexp f16", "f16 i32:exponent", "f16", body));
    let body = "%r = OpExtInst %s_f16_f16 %glsl ModfStruct %a";
    all.push(Program::new("ModfStruct f16", "f16", "s_f16_f16", body));
    let body = "%r = OpExtInst %s_f16_i32 %glsl FrexpStruct %a";
    all.push(Program::new("FrexpStruct f16", "f16", "s_f16_i32", body));
}

fn logic(all: &mut Vec<Program>) {
    let ops = ["OpLogicalEqual", "OpLogicalNotEqual", "OpLogicalOr", "OpLogicalAnd"];
    add(all, &["bool", "v3bool"], &ops, 2, "", itself);
    add(all, &["bool", "v2bool"], &["OpLogicalNot"], 1, "", itself);
    add(all, &["v2bool", "v3bool", "v4bool"], &["OpAny", "OpAll"], 1, "", single);
    for ty in ["f32", "v3f32", "u64", "u8", "f16", "i16", "bool"] {
        let test = truth(ty);
        let body = format!("%r = OpSelect %{ty} %a %b %c");
        all.push(Program::new(format!("OpSelect {ty}"), &format!("{test} {ty} {ty}"), ty, body));
    }
}

fn composites(all: &mut Vec<Program>) {
    for (name, operands, result, body) in [
        ("OpVectorShuffle", "v3f32 v2f32", "v4f32", "%r = OpVectorShuffle %v4f32 %a %b 4 0 3 2"),
        (
            "OpVectorExtractDynamic",
            "v4f32 u32:small",
            "f32",
            "%x = OpBitwiseAnd %u32 %b %c_u32_3\n%r = OpVectorExtractDynamic %f32 %a %x",
        ),
        (
            "OpVectorInsertDynamic",
            "v4f32 f32 u32:small",
            "v4f32",
            "%x = OpBitwiseAnd %u32 %c %c_u32_3\n%r = OpVectorInsertDynamic %v4f32 %a %b %x",
        ),
        ("OpCompositeInsert", "v4f32 f32", "v4f32", "%r = OpCompositeInsert %v4f32 %b %a 2"),
        ("OpCompositeConstruct parts", "v2f32 f32", "v4f32", "%r = OpCompositeConstruct %v4f32 %b %a %b"),
        ("OpCompositeExtract matrix", "m3x2f32", "f32", "%r = OpCompositeExtract %f32 %a 2 1"),
        ("OpCompositeInsert struct", "s_f32_v2u32 u32", "s_f32_v2u32", "%r = OpCompositeInsert %s_f32_v2u32 %b %a 1 1"),
        ("OpTranspose 2x3", "m2x3f32", "m3x2f32", "%r = OpTranspose %m3x2f32 %a"),
        ("OpTranspose 4x4", "m4x4f32", "m4x4f32", "%r = OpTranspose %m4x4f32 %a"),
        (
            "OpSelect composite",
            "bool v2u16 v2u16",
            "v2u16",
            "%x = OpCompositeConstruct %v2bool %a %a\n%r = OpSelect %v2u16 %x %b %c",
        ),
    ] {
        all.push(Program::new(name, operands, result, body));
    }
    for kind in ["", ":plain"] {
        for (name, operands, result, op) in [
            ("OpVectorTimesScalar", ["v3f32", "f32"], "v3f32", "OpVectorTimesScalar"),
            ("OpMatrixTimesScalar", ["m2x3f32", "f32"], "m2x3f32", "OpMatrixTimesScalar"),
            ("OpVectorTimesMatrix 2x3", ["v3f32", "m2x3f32"], "v2f32", "OpVectorTimesMatrix"),
            ("OpVectorTimesMatrix 4x4", ["v4f32", "m4x4f32"], "v4f32", "OpVectorTimesMatrix"),
            ("OpMatrixTimesVector 2x3", ["m2x3f32", "v2f32"], "v3f32", "OpMatrixTimesVector"),
            ("OpMatrixTimesVector 3x3", ["m3x3f32", "v3f32"], "v3f32", "OpMatrixTimesVector"),
            ("OpMatrixTimesVector 4x4", ["m4x4f32", "v4f32"], "v4f32", "OpMatrixTimesVector"),
            ("OpMatrixTimesMatrix 2x2", ["m2x2f32", "m2x2f32"], "m2x2f32", "OpMatrixTimesMatrix"),
            ("OpMatrixTimesMatrix 3x2", ["m3x2f32", "m2x3f32"], "m2x2f32", "OpMatrixTimesMatrix"),
            ("OpMatrixTimesMatrix 4x4", ["m4x4f32", "m4x4f32"], "m4x4f32", "OpMatrixTimesMatrix"),
            ("OpOuterProduct 3x2", ["v2f32", "v3f32"], "m3x2f32", "OpOuterProduct"),
        ] {
            let kinds = operands.map(|ty| format!("{ty}{kind}")).join(" ");
            all.push(Program::new(format!("{name}{kind}"), &kinds, result, format!("%r = {op} %{result} %a %b")));
        }
        for n in 2..=4 {
            let ty = format!("m{n}x{n}f32");
            for (op, result) in [("Determinant", "f32"), ("MatrixInverse", ty.as_str())] {
                let body = format!("%r = OpExtInst %{result} %glsl {op} %a");
                all.push(Program::new(format!("{op} {n}{kind}"), &format!("{ty}{kind}"), result, body));
            }
        }
    }
}

/// All programs.
fn programs() -> Vec<Program> {
    let mut all = Vec::new();
    for add in [floats, contracted, integers, conversions, halves, doubles, logic, composites] {
        add(&mut all);
    }
    all.extend(flow::programs());
    all
}

/// What came of a program: results, those that differ, those that differ otherwise than in the bits of a NaN.
struct Outcome {
    results: usize,
    differing: usize,
    in_numbers: usize,
    first: String,
}

/// Whether a word is that of a NaN, or part of one. A scalar of 64 bits has two words of the same type.
fn is_nan(ty: &str, words: &[u32], at: usize, is_high: bool) -> bool {
    let word = words[at];
    match ty {
        "f32" => f32::from_bits(word).is_nan(),
        "f16" => word & 0x7fff > 0x7c00,
        "f64" => {
            let low = at - usize::from(is_high);
            f64::from_bits(u64::from(words[low]) | u64::from(words[low + 1]) << 32).is_nan()
        }
        _ => false,
    }
}

fn outcome(program: &Program, model: &Model) -> Result<Outcome, String> {
    let count = (GROUP * GROUPS) as usize;
    let mut random =
        Random::new(program.name.bytes().fold(7, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte)));
    let words = assembled(&program.name, &text(program));
    let mut buffers: Vec<Buffer> = (0..)
        .zip(&program.operands)
        .map(|(n, operand)| Buffer::storage(0, n, feed::words(operand, count, &mut random)))
        .collect();
    let size = size(&program.result) as usize;
    buffers.push(Buffer::storage(0, buffers.len() as u32, vec![0x5555_5555; count * size]));
    let job = Job { words: &words, grid: [GROUPS, 1, 1], buffers, ..Job::default() };
    let ours = emulate(&job, model)?;
    let Some(device) = device() else { return Err("no device".into()) };
    let theirs = match device.lock() {
        Ok(device) => device.run(&job).map_err(|problem| problem.to_string())?,
        Err(_) => return Err("the device was lost".into()),
    };
    let (ours, theirs) = (ours.last().cloned().unwrap_or_default(), theirs.last().cloned().unwrap_or_default());
    let kinds: Vec<(String, bool)> = crate::writer::scalars(&program.result)
        .into_iter()
        .flat_map(|scalar| (0..crate::writer::words(&scalar)).map(move |word| (scalar.clone(), word == 1)))
        .collect();
    let mut outcome = Outcome { results: ours.len(), differing: 0, in_numbers: 0, first: String::new() };
    for (n, (&a, &b)) in ours.iter().zip(&theirs).enumerate() {
        if a == b {
            continue;
        }
        outcome.differing += 1;
        let (kind, is_high) = &kinds[n % size];
        if is_nan(kind, &ours, n, *is_high) && is_nan(kind, &theirs, n, *is_high) {
            continue;
        }
        if outcome.in_numbers < 3 {
            let operands: Vec<String> = job.buffers[..program.operands.len()]
                .iter()
                .zip(&program.operands)
                .map(|(buffer, operand)| {
                    let each = crate::writer::size(type_of(operand)) as usize;
                    let at = n / size * each;
                    let parts: Vec<String> = buffer.words[at..at + each].iter().map(|w| format!("{w:08x}")).collect();
                    parts.join(",")
                })
                .collect();
            outcome.first += &format!(" [{} ({}): {a:08x}, Mesa {b:08x}]", operands.join(" "), n % size);
        }
        outcome.in_numbers += 1;
    }
    Ok(outcome)
}

/// The share of a thousand, rounded up.
fn share(part: usize, all: usize) -> u32 {
    (part * 1000).div_ceil(all.max(1)) as u32
}

#[test]
fn results_are_equal() {
    if device().is_none() {
        return;
    }
    let model = model();
    let only = std::env::var("PARALLAX_VULKAN_ONLY").unwrap_or_default();
    let is_loud = std::env::var_os("PARALLAX_VULKAN_NAMES").is_some();
    let (mut problems, mut count) = (Vec::new(), 0);
    for program in programs().iter().filter(|program| program.name.contains(&only)) {
        count += 1;
        // Mesa's compiler may crash: the last name says on what.
        if is_loud {
            eprintln!("{}", program.name);
        }
        let listed = DIFFERING.iter().find(|row| row.name == program.name);
        match (outcome(program, &model), listed) {
            (Err(problem), _) => problems.push(format!("{}: {problem}", program.name)),
            (Ok(found), None) if found.differing > 0 => problems.push(format!(
                "{}: {} in numbers, {} in all of 1000 differ{}",
                program.name,
                share(found.in_numbers, found.results),
                share(found.differing, found.results),
                found.first
            )),
            (Ok(found), Some(row)) => {
                let (numbers, all) = (share(found.in_numbers, found.results), share(found.differing, found.results));
                // Other compilers of the same version may choose another NaN now and then.
                if all == 0 || numbers.abs_diff(row.in_numbers) > 2 || all.abs_diff(row.in_all) > 10 {
                    problems.push(format!(
                        "{}: {numbers} in numbers, {all} in all of 1000 differ, not {} and {} ({})",
                        row.name, row.in_numbers, row.in_all, row.reason
                    ));
                }
            }
            _ => {}
        }
    }
    if only.is_empty() {
        assert!(count >= 300, "{count} programs");
        let is_known = |row: &&Differing| programs().iter().any(|program| program.name == row.name);
        problems.extend(DIFFERING.iter().filter(|row| !is_known(row)).map(|row| format!("no program {}", row.name)));
    }
    assert!(problems.is_empty(), "{} of {count} programs:\n{}", problems.len(), problems.join("\n"));
}

fn random_programs(seeds: std::ops::Range<u64>) {
    if device().is_none() {
        return;
    }
    let model = model();
    for program in seeds.map(random::program) {
        match outcome(&program, &model) {
            Ok(found) => assert_eq!(found.differing, 0, "{}:{}\n{}", program.name, found.first, program.body),
            Err(problem) => panic!("{}: {problem}\n{}", program.name, program.body),
        }
    }
}

#[test]
fn random_programs_are_equal() {
    random_programs(0..100);
}

#[test]
#[ignore = "takes a quarter of an hour"]
fn many_random_programs_are_equal() {
    random_programs(100..20_100);
}
