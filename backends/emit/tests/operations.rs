//! Every operation of TGSI that one instruction of SPA 5.0 or a few compute, alone: the same bits of random numbers, special ones and
//! literals, in every place of an operand.

use crate::back::{lifted, named};
use crate::proof::{difference, frame, read};
use parallax::{Draw, Model, varied};
use parallax_emit::translate;

/// Operations with the number of their operands.
const OPERATIONS: [(&str, usize); 84] = [
    ("MOV", 1),
    ("ADD", 2),
    ("MUL", 2),
    ("MAD", 3),
    ("MIN", 2),
    ("MAX", 2),
    ("LRP", 3),
    ("CMP", 3),
    ("DP2", 2),
    ("DP3", 2),
    ("DP4", 2),
    ("DST", 2),
    ("RCP", 1),
    ("RSQ", 1),
    ("SQRT", 1),
    ("EX2", 1),
    ("LG2", 1),
    ("SIN", 1),
    ("COS", 1),
    ("FLR", 1),
    ("CEIL", 1),
    ("TRUNC", 1),
    ("ROUND", 1),
    ("FRC", 1),
    ("SSG", 1),
    ("SLT", 2),
    ("SLE", 2),
    ("SGT", 2),
    ("SGE", 2),
    ("SEQ", 2),
    ("SNE", 2),
    ("FSLT", 2),
    ("FSGE", 2),
    ("FSEQ", 2),
    ("FSNE", 2),
    ("ISLT", 2),
    ("ISGE", 2),
    ("USLT", 2),
    ("USGE", 2),
    ("USEQ", 2),
    ("USNE", 2),
    ("UCMP", 3),
    ("I2F", 1),
    ("U2F", 1),
    ("F2I", 1),
    ("F2U", 1),
    ("UADD", 2),
    ("UMAD", 3),
    ("UMUL", 2),
    ("IMUL_HI", 2),
    ("UMUL_HI", 2),
    ("UDIV", 2),
    ("UMOD", 2),
    ("IDIV", 2),
    ("MOD", 2),
    ("NOT", 1),
    ("AND", 2),
    ("OR", 2),
    ("XOR", 2),
    ("IMAX", 2),
    ("UMAX", 2),
    ("IMIN", 2),
    ("UMIN", 2),
    ("SHL", 2),
    ("ISHR", 2),
    ("USHR", 2),
    ("ISSG", 1),
    ("INEG", 1),
    ("IABS", 1),
    ("BREV", 1),
    ("POPC", 1),
    ("LSB", 1),
    ("IMSB", 1),
    ("UMSB", 1),
    ("PK2H", 1),
    ("UP2H", 1),
    ("KILL_IF", 1),
    ("UBFE", 3),
    ("IBFE", 3),
    ("BFI", 4),
    ("DDX", 1),
    ("DDY", 1),
    ("DDX_FINE", 1),
    ("DDY_FINE", 1),
];

/// Places that operands come from; literals have 20 bits, 32 bits, none, a sign, and what is no number.
const SOURCES: [&str; 6] = ["IN[0]", "CONST[0][1]", "IMM[0]", "IMM[1]", "IN[1]", "TEMP[1]"];

/// Whether an operation takes signs of floats.
fn takes_signs(name: &str) -> bool {
    let is_float =
        ["MOV", "ADD", "MUL", "MAD", "MIN", "MAX", "LRP", "CMP", "FLR", "CEIL", "TRUNC", "ROUND", "FRC", "F2I", "F2U"];
    let others =
        ["RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "SLT", "SLE", "SGT", "SGE", "SEQ", "SNE", "FSLT", "FSGE"];
    is_float.contains(&name) || others.contains(&name)
}

fn program(name: &str, count: usize, first: usize) -> String {
    let signs = if takes_signs(name) { ["", "-", "|"][first % 3] } else { "" };
    let sources: Vec<String> = (0..count)
        .map(|n| match (name, n) {
            // Lengths, and places that are known.
            ("UBFE" | "IBFE", 1) if first.is_multiple_of(2) => "IMM[2].xxxx".to_string(),
            ("UBFE" | "IBFE", 2) => "IMM[2].yyyy".to_string(),
            ("BFI", 2) => "IMM[2].xxxx".to_string(),
            ("BFI", 3) => "IMM[2].yyyy".to_string(),
            _ => {
                let source = SOURCES[(first + n * (1 + first / SOURCES.len())) % SOURCES.len()];
                format!("{signs}{source}{}", if signs == "|" { "|" } else { "" })
            }
        })
        .collect();
    let sources = sources.join(", ");
    let head = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n\
         DCL CONST[0][0..3]\nDCL TEMP[0..1]\nIMM[0] UINT32 {1073741824, 1036831949, 0, 3212836864}\n\
         IMM[1] UINT32 {7, 4294967289, 2143289345, 2147483648}\nIMM[2] UINT32 {5, 9, 0, 0}\n\
         MUL TEMP[1], IN[0], IMM[1].zwxy\nMOV TEMP[0], IN[1]\n";
    match name {
        // Clamped every fourth time.
        _ if takes_signs(name) && name != "F2I" && name != "F2U" && first % 4 == 1 => {
            format!("{head}{name}_SAT TEMP[0], {sources}\nMOV OUT[0], TEMP[0]\nEND\n")
        }
        "KILL_IF" => format!("{head}KILL_IF {sources}\nMOV OUT[0], TEMP[0]\nEND\n"),
        _ => format!("{head}{name} TEMP[0], {sources}\nMOV OUT[0], TEMP[0]\nEND\n"),
    }
}

/// Operations that a target says in other words with other bits, and those that it refuses.
fn look(target: &str) -> (Vec<&'static str>, Vec<&'static str>) {
    let (model, target) = (Model::builtin("ieee").expect("built in"), named(target));
    let (mut named_ones, mut refused) = (Vec::new(), Vec::new());
    for (name, count) in OPERATIONS {
        for first in 0..12 {
            let text = program(name, count, first);
            let source = lifted(&text, "tgsi");
            let Ok(made) = translate(&source, target) else {
                refused.push(name);
                continue;
            };
            let there = read(&made, target).unwrap_or_else(|why| panic!("{name}: {why}"));
            let draw =
                varied(&Draw::defaults(&source.func.iface).expect("defaults"), &source.func.iface, 1 + first as u32);
            let carried = &made.carried;
            let carried = draw.carried(&there.func.iface, carried);
            let (wanted, found) =
                (frame(&source, &draw, &model, 8), frame(&there, &carried.expect("constants"), &model, 8));
            if let Some(what) = difference(&wanted, &found, &made.carried) {
                let says = made.inexact.iter().any(|inexact| inexact.in_ieee && !inexact.what.contains("perspective"));
                assert!(says, "{what}\n{text}\n{}", made.text);
                named_ones.push(name);
            }
        }
    }
    named_ones.dedup();
    refused.dedup();
    (named_ones, refused)
}

#[test]
fn each_operation_has_the_same_bits_in_spa5() {
    let (named_ones, refused) = look("spa5");
    // Differences between neighbours keep a NaN's other sign.
    assert!(named_ones.iter().all(|name| name.starts_with("DD")), "{named_ones:?}");
    assert_eq!(refused, [""; 0]);
}

#[test]
fn each_operation_has_the_same_bits_in_usc() {
    let (named_ones, refused) = look("usc");
    // The set computes no root, and its sine is a chain; differences in x are those of the pixel's own row.
    assert_eq!(named_ones, ["SQRT", "SIN", "COS", "DDX"]);
    assert_eq!(refused, [""; 0]);
}

/// Twenty conditions that all are read at the end: more than there are predicates. Comparisons are shared by a branch and a choice each,
/// so that they stay conditions.
fn many_conditions() -> String {
    use std::fmt::Write;
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..4]\nDCL TEMP[0..21]\n\
         IMM[0] FLT32 {1.0, 2.0, 0.0, 0.5}\nMOV TEMP[20], IN[0]\n",
    );
    for n in 0..20 {
        let (vector, letter) = (n % 5, ["x", "y", "z", "w"][n / 5]);
        let _ = writeln!(text, "FSLT TEMP[{n}].x, IN[0].xxxx, CONST[0][{vector}].{}", letter.repeat(4));
    }
    for n in 0..20 {
        let _ = writeln!(text, "UIF TEMP[{n}].xxxx\nMAD TEMP[20], TEMP[20], IMM[0].wwww, IMM[0].xxxx\nENDIF");
        let _ = writeln!(text, "UCMP TEMP[20].y, TEMP[{}].xxxx, TEMP[20].zzzz, TEMP[20].wwww", 19 - n);
    }
    text.push_str("MOV OUT[0], TEMP[20]\nEND\n");
    text
}

#[test]
fn conditions_beyond_the_predicates_are_words() {
    let model = Model::builtin("ieee").expect("built in");
    let text = many_conditions();
    for target in ["spa5", "usc"] {
        let way = crate::back::there_and_back(&text, named(target), named("tgsi"), &model, 1);
        assert!(way == crate::back::Way::Equal, "{target}");
    }
    let made = translate(&lifted(&text, "tgsi"), named("spa5")).expect("a program");
    assert!(made.text.contains("SEL R"), "conditions in registers\n{}", made.text);
}
