//! Every operation of TGSI on numbers of 64 bits, alone, there and back: the same words of random numbers and of special ones.

use crate::back::{Way, lifted, named, there_and_back};
use crate::proof::{difference, frame, read};
use crate::schedule::check;
use parallax::{Draw, Model, varied};
use parallax_core::{OpKind, Type};
use parallax_emit::{Target, translate};
use parallax_num::Decl;
use parallax_random::Random;

/// Operations on doubles with their operands: a double, a float, a word.
const DOUBLES: [(&str, &str); 27] = [
    ("DABS", "d"),
    ("DNEG", "d"),
    ("DADD", "dd"),
    ("DSEQ", "dd"),
    ("DSNE", "dd"),
    ("DSLT", "dd"),
    ("DSGE", "dd"),
    ("DFRAC", "d"),
    ("DTRUNC", "d"),
    ("DCEIL", "d"),
    ("DFLR", "d"),
    ("DROUND", "d"),
    ("DSSG", "d"),
    ("DLDEXP", "dw"),
    ("DMIN", "dd"),
    ("DMAX", "dd"),
    ("DMUL", "dd"),
    ("DMAD", "ddd"),
    ("DFMA", "ddd"),
    ("DDIV", "dd"),
    ("DRCP", "d"),
    ("DSQRT", "d"),
    ("DRSQ", "d"),
    ("D2F", "d"),
    ("D2I", "d"),
    ("D2U", "d"),
    ("D2I64", "d"),
];

/// The same of whole numbers.
const LONGS: [(&str, &str); 29] = [
    ("I64ABS", "l"),
    ("I64NEG", "l"),
    ("I64SSG", "l"),
    ("U64ADD", "ll"),
    ("U64MUL", "ll"),
    ("U64SEQ", "ll"),
    ("U64SNE", "ll"),
    ("U64SLT", "ll"),
    ("U64SGE", "ll"),
    ("I64SLT", "ll"),
    ("I64SGE", "ll"),
    ("I64MIN", "ll"),
    ("U64MIN", "ll"),
    ("I64MAX", "ll"),
    ("U64MAX", "ll"),
    ("U64SHL", "lw"),
    ("I64SHR", "lw"),
    ("U64SHR", "lw"),
    ("I64DIV", "ll"),
    ("U64DIV", "ll"),
    ("U64MOD", "ll"),
    ("I64MOD", "ll"),
    ("F2U64", "f"),
    ("F2I64", "f"),
    ("U2I64", "w"),
    ("I2I64", "w"),
    ("U642F", "l"),
    ("I642F", "l"),
    ("U642D", "l"),
];

/// A program that computes an operation of doubles made of floats, or of whatever bits inputs have, and writes all words of the result.
fn program(name: &str, operands: &str, first: usize) -> String {
    let from = |n: usize| ["IN[0]", "CONST[0][1]", "IN[1]", "CONST[0][2]", "IMM[0]"][(first + n) % 5];
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL CONST[0][0..3]\nDCL TEMP[0..4]\nIMM[0] FLT32 {3.0, -0.75, 1000.5, 0.0}\n",
    );
    for (n, kind) in operands.chars().enumerate() {
        let load = if kind == 'd' && first.is_multiple_of(2) { "F2D" } else { "MOV" };
        text.push_str(&format!("{load} TEMP[{n}], {}\n", from(n)));
    }
    let sources: Vec<String> = (0..operands.len()).map(|n| format!("TEMP[{n}]")).collect();
    let mask = ["", ".xy", ".zw", ".x"][first % 4];
    text.push_str(&format!(
        "MOV TEMP[4], IN[1]\n{name} TEMP[4]{mask}, {}\nMOV OUT[0], TEMP[4]\nEND\n",
        sources.join(", ")
    ));
    text
}

/// Translates a program, and compares both under `ieee`; why it is refused, where it is. Gives the text.
fn translated(text: &str, target: &'static Target, seed: u32) -> Result<String, String> {
    translated_from(text, "tgsi", target, seed)
}

/// The same of a program of another set.
fn translated_from(text: &str, isa: &str, target: &'static Target, seed: u32) -> Result<String, String> {
    let model = Model::builtin("ieee").expect("built in");
    let source = lifted(text, isa);
    let made = translate(&source, target).map_err(|why| format!("{why:?}"))?;
    let there = read(&made, target).unwrap_or_else(|why| panic!("{why}\nfrom\n{text}"));
    let draw = varied(&Draw::defaults(&source.func.iface).expect("defaults"), &source.func.iface, seed);
    let carried = &made.carried;
    let carried = draw.carried(&there.func.iface, carried);
    let (wanted, found) = (frame(&source, &draw, &model, 8), frame(&there, &carried.expect("constants"), &model, 8));
    assert_eq!(difference(&wanted, &found, &made.carried), None, "{text}\n{}", made.text);
    Ok(made.text)
}

#[test]
fn operations_of_64_bits_come_back_with_the_same_words() {
    for (name, operands) in DOUBLES.into_iter().chain(LONGS) {
        for first in 0..10 {
            let text = program(name, operands, first);
            translated(&text, named("tgsi"), 1 + first as u32).unwrap_or_else(|why| panic!("{why}\n{text}"));
        }
    }
}

/// What SPA 5.0 has no instruction for, or one that others do not compute like that.
const NOT_IN_SPA5: [&str; 10] =
    ["DSSG", "DLDEXP", "DDIV", "DRCP", "DSQRT", "DRSQ", "I64DIV", "U64DIV", "U64MOD", "I64MOD"];

#[test]
fn numbers_of_64_bits_are_pairs_of_registers_in_spa5() {
    for (name, operands) in DOUBLES.into_iter().chain(LONGS) {
        for first in 0..10 {
            let text = program(name, operands, first);
            match translated(&text, named("spa5"), 1 + first as u32) {
                Ok(made) => {
                    assert!(!NOT_IN_SPA5.contains(&name), "{name}");
                    check(&made).unwrap_or_else(|why| panic!("{why}\n{made}"));
                }
                Err(why) => {
                    assert!(NOT_IN_SPA5.contains(&name), "{why}\n{text}");
                    let is_whole = name.contains("64");
                    let said =
                        if is_whole { "SPA 5.0 has no such operation" } else { "of 64 bits: SPA 5.0 has no such" };
                    assert!(why.contains(said), "{name}: {why}");
                }
            }
        }
    }
}

/// A word that nobody reads is written all the same.
#[test]
fn both_words_of_a_double_are_written() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nF2D TEMP[0].xy, IN[0].xxxx\n\
                DADD TEMP[0].xy, TEMP[0], TEMP[0]\nF2D TEMP[1].zw, IN[0].yyyy\nMOV OUT[0].x, TEMP[0].xxxx\n\
                MOV OUT[0].yzw, TEMP[1].wwww\nEND\n";
    let made = translated(text, named("spa5"), 1).expect("doubles");
    check(&made).unwrap_or_else(|why| panic!("{why}\n{made}"));
}

/// Numbers of 64 bits are chosen by comparisons that choices make themselves elsewhere.
#[test]
fn numbers_of_64_bits_are_chosen_word_by_word() {
    let text = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..3]\nDCL TEMP[0..3]\n\
        IMM[0] FLT32 {0.0, 0.5, 1.0, 2.0}\nF2D TEMP[0], IN[0]\nF2D TEMP[1], CONST[0][1]\nDSLT TEMP[2].x, TEMP[0], TEMP[1]\n\
        UCMP TEMP[3], TEMP[2].xxxx, TEMP[0], TEMP[1]\nDMUL TEMP[3], TEMP[3], TEMP[0]\nFSLT TEMP[2].y, IN[0].xxxx, IMM[0].yyyy\n\
        UIF TEMP[2].yyyy\nD2F TEMP[3].xy, TEMP[3]\nENDIF\nMOV OUT[0], TEMP[3]\nEND\n";
    let model = Model::builtin("ieee").expect("built in");
    let way = there_and_back(text, named("tgsi"), named("tgsi"), &model, 3);
    assert!(way == Way::Equal);
    translated(text, named("spa5"), 3).expect("choices");
}

/// A SPIR-V module with a number of 64 bits that a loop carries and a branch chooses; doubles or whole ones. `jump`: what a round may end
/// with in its middle.
fn carried(of_doubles: bool, jump: &str) -> String {
    let (ty, first, sum, product, less) = match of_doubles {
        true => ("OpTypeFloat 64", "OpFConvert %t %x", "OpFAdd", "OpFMul", "OpFOrdLessThan"),
        false => ("OpTypeInt 64 0", "OpUConvert %t %bits", "OpIAdd", "OpIMul", "OpULessThan"),
    };
    let (numbers, constants) = match of_doubles {
        true => ("", "%three = OpConstant %t 3.25\n%some = OpConstant %t 100.5\n"),
        false => ("", "%three = OpConstant %t 4294967299\n%some = OpConstant %t 1311768467463790320\n"),
    };
    format!(
        "OpCapability Shader\nOpCapability Int64\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint Fragment %main \"main\" %in %out\nOpExecutionMode %main OriginUpperLeft\n\
         OpDecorate %in Location 0\nOpDecorate %in NoPerspective\nOpDecorate %out Location 0\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n\
         %uint = OpTypeInt 32 0\n%t = {ty}\n%v2 = OpTypeVector %uint 2\n%f4 = OpTypeVector %float 4\n{numbers}\
         %pin = OpTypePointer Input %f4\n%pout = OpTypePointer Output %f4\n\
         %in = OpVariable %pin Input\n%out = OpVariable %pout Output\n\
         %n0 = OpConstant %uint 0\n%n1 = OpConstant %uint 1\n%n5 = OpConstant %uint 5\n%half = OpConstant %float 0.5\n{constants}\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n%all = OpLoad %f4 %in\n\
         %x = OpCompositeExtract %float %all 0\n%y = OpCompositeExtract %float %all 1\n%bits = OpBitcast %uint %x\n\
         %first = {first}\n%odd = OpFOrdLessThan %bool %y %half\nOpBranch %head\n\
         %head = OpLabel\n%n = OpPhi %uint %n0 %entry %next %again\n%a = OpPhi %t %first %entry %c %again\n\
         %b = OpPhi %t %some %entry %a %again\nOpLoopMerge %end %again None\nOpBranch %test\n\
         %test = OpLabel\n%more = OpULessThan %bool %n %n5\nOpBranchConditional %more %body %end\n\
         %body = OpLabel\n%less = {less} %bool %a %b\nOpSelectionMerge %join None\nOpBranchConditional %less %yes %no\n\
         %yes = OpLabel\n%s = {sum} %t %a %three\nOpBranch %join\n\
         %no = OpLabel\n%p = {product} %t %b %three\nOpBranch %join\n\
         %join = OpLabel\n%c = OpPhi %t %s %yes %p %no\n{jump}\
         %again = OpLabel\n%next = OpIAdd %uint %n %n1\nOpBranch %head\n\
         %end = OpLabel\n%last = OpPhi %t %a %test{}\n%d = {sum} %t %last %three\n%words = OpBitcast %v2 %d\n\
         %low = OpCompositeExtract %uint %words 0\n%high = OpCompositeExtract %uint %words 1\n\
         %f = OpBitcast %float %low\n%g = OpBitcast %float %high\n%color = OpCompositeConstruct %f4 %f %g %x %y\n\
         OpStore %out %color\nOpReturn\nOpFunctionEnd\n",
        if jump.contains("%end") { " %c %join" } else { "" },
    )
}

#[test]
fn branches_and_loops_pass_numbers_of_64_bits_on() {
    let jumps = ["OpBranch %again\n", "OpBranchConditional %odd %again %end\n"];
    for (target, n) in ["tgsi", "spa5"].into_iter().flat_map(|name| (0..4).map(move |n| (named(name), n))) {
        let text = carried(n < 2, jumps[n % 2]);
        let source = lifted(&text, "spirv");
        let is_wide = |ty: &Type| matches!(ty, Type::I64 | Type::Float(Decl::F64));
        let is_passed =
            source.func.ops.iter().any(|(_, op)| {
                op.kind == OpKind::Loop && op.results.iter().any(|&value| is_wide(&source.func.ty(value)))
            });
        assert!(is_passed, "{text}");
        for seed in 0..8 {
            let made = translated_from(&text, "spirv", target, seed).unwrap_or_else(|why| panic!("{why}\n{text}"));
            if target.name == "spa5" {
                check(&made).unwrap_or_else(|why| panic!("{why}\n{made}"));
            }
        }
    }
}

/// Operations on whole numbers whose results are such: they can follow each other.
fn random_program(seed: u64) -> String {
    let mut random = Random::new(seed);
    let longs: Vec<(&str, &str)> = LONGS
        .into_iter()
        .filter(|(name, operands)| operands.starts_with('l') && !name.contains("42") && !NOT_IN_SPA5.contains(name))
        .filter(|(name, _)| !["U64SEQ", "U64SNE", "U64SLT", "U64SGE", "I64SLT", "I64SGE"].contains(name))
        .collect();
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL CONST[0][0..3]\nDCL TEMP[0..4]\nIMM[0] UINT32 {1, 0, 4294967295, 2147483648}\n\
         IMM[1] UINT32 {35, 7, 64, 32}\nMOV TEMP[0], IN[0]\nMOV TEMP[1], IMM[0]\nMOV TEMP[2], IN[1]\n\
         MOV TEMP[3], CONST[0][1]\n",
    );
    for _ in 0..10 {
        let (name, operands) = random.pick(&longs);
        let to = random.below(4);
        let sources: Vec<String> = operands
            .chars()
            .map(|kind| match (kind, random.below(4)) {
                ('w', 0) => format!("IMM[1].{}", random.pick(&["xxxx", "yyyy", "zzzz", "wwww"])),
                ('l', 0) => format!("IMM[{}]", random.below(2)),
                _ => format!("TEMP[{}]", random.below(4)),
            })
            .collect();
        let mask = random.pick(&["", ".xy", ".zw"]);
        text.push_str(&format!("{name} TEMP[{to}]{mask}, {}\n", sources.join(", ")));
        if random.below(3) == 0 {
            let (test, a, b) = (random.pick(&["U64SLT", "I64SGE", "U64SEQ"]), random.below(4), random.below(4));
            text.push_str(&format!("{test} TEMP[4].x, TEMP[{a}], TEMP[{b}]\n"));
            text.push_str(&format!("UCMP TEMP[{to}].xy, TEMP[4].xxxx, TEMP[{a}], TEMP[{b}]\n"));
        }
    }
    text.push_str("XOR TEMP[0], TEMP[0], TEMP[1]\nXOR TEMP[2], TEMP[2], TEMP[3]\nXOR OUT[0], TEMP[0], TEMP[2]\nEND\n");
    text
}

fn run(seeds: std::ops::Range<u64>) {
    let model = Model::builtin("ieee").expect("built in");
    for seed in seeds {
        let text = random_program(seed);
        let way = there_and_back(&text, named("spa5"), named("tgsi"), &model, seed as u32 % 1000 + 1);
        assert!(way == Way::Equal, "{text}");
    }
}

#[test]
fn random_programs_of_64_bits_come_back_from_spa5_with_the_same_words() {
    run(0..200);
}

#[test]
#[ignore = "20,000 programs"]
fn many_random_programs_of_64_bits_come_back_from_spa5_with_the_same_words() {
    run(0..20_000);
}
