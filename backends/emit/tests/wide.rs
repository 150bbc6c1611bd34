//! Every operation of TGSI on numbers of 64 bits, alone, there and back: the same words of random numbers and of special ones.

use crate::back::{lifted, named};
use crate::proof::{difference, frame, read};
use crate::schedule::check;
use parallax::{Draw, Model, varied};
use parallax_emit::{Target, translate};

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
    let model = Model::builtin("ieee").expect("built in");
    let source = lifted(text, "tgsi");
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
    let way = crate::back::there_and_back(text, named("tgsi"), named("tgsi"), &model, 3);
    assert!(way == crate::back::Way::Equal);
    translated(text, named("spa5"), 3).expect("choices");
}
