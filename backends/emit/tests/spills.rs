//! Programs with more numbers at once than SPA 5.0 has registers: what waits in local memory is there when it is read.

use crate::back::{lifted, named};
use crate::proof::{difference, frame, read};
use crate::schedule::check;
use parallax::{Draw, Model, varied};
use parallax_emit::translate;
use parallax_random::Random;
use std::fmt::Write;

/// A program that keeps `count` vectors through a loop of eight rounds, which reads and writes them at random, in branches and
/// lookups as well, exchanges some, and adds up all of them behind it.
fn program(count: u64, seed: u64) -> String {
    let mut random = Random::new(seed);
    let (sum, round, test) = (count, count + 1, count + 2);
    let mut text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..15]\nDCL SAMP[0]\n\
         DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..{test}]\nIMM[0] FLT32 {{1.0, 0.0, 8.0, 0.5}}\n"
    );
    let swizzle = |random: &mut Random| -> String { (0..4).map(|_| random.pick(&['x', 'y', 'z', 'w'])).collect() };
    for n in 0..count {
        let [a, b, c] = [0; 3].map(|_| swizzle(&mut random));
        let _ =
            writeln!(text, "MAD TEMP[{n}], IN[0].{a}, CONST[0][{}].{b}, CONST[0][{}].{c}", n % 16, (n * 7 + 3) % 16);
    }
    let _ = writeln!(text, "MOV TEMP[{sum}], IN[0]\nMOV TEMP[{round}], IMM[0].yyyy\nBGNLOOP");
    let _ = writeln!(text, "ADD TEMP[{round}].x, TEMP[{round}].xxxx, IMM[0].xxxx");
    let _ = writeln!(text, "SLT TEMP[{test}].x, IMM[0].zzzz, TEMP[{round}].xxxx\nIF TEMP[{test}].xxxx\nBRK\nENDIF");
    for _ in 0..count {
        let [to, other] = [0; 2].map(|_| random.below(count));
        let [a, b] = [0; 2].map(|_| format!("TEMP[{}].{}", random.below(count), swizzle(&mut random)));
        let mask = random.pick(&["", ".xy", ".z", ".yzw"]);
        let _ = match random.below(7) {
            0 => writeln!(text, "MOV TEMP[{to}]{mask}, {a}"),
            1 => writeln!(
                text,
                "SLT TEMP[{test}].x, {a}, {b}\nIF TEMP[{test}].xxxx\nMOV TEMP[{other}], {b}\n\
                 ADD TEMP[{to}]{mask}, {a}, TEMP[{sum}]\nELSE\nMUL TEMP[{to}], {a}, IMM[0].wwww\nENDIF"
            ),
            2 => writeln!(text, "TEX TEMP[{to}], {a}, SAMP[0], 2D"),
            3 => writeln!(text, "ADD TEMP[{sum}], TEMP[{sum}], {a}"),
            4 => writeln!(
                text,
                "MOV TEMP[{test}], TEMP[{to}]\nMOV TEMP[{to}], TEMP[{other}]\nMOV TEMP[{other}], TEMP[{test}]"
            ),
            5 => writeln!(text, "MIN TEMP[{to}]{mask}, {a}, {b}"),
            _ => writeln!(text, "MAD TEMP[{to}]{mask}, {a}, CONST[0][2], TEMP[{sum}]"),
        };
    }
    text.push_str("ENDLOOP\n");
    for n in 0..count {
        let _ = writeln!(text, "MAD TEMP[{sum}], TEMP[{sum}], IMM[0].wwww, TEMP[{n}]");
    }
    let _ = writeln!(text, "MOV OUT[0], TEMP[{sum}]\nEND");
    text
}

/// Translates a program, and says how many loads from local memory it has.
fn loads(text: &str, seed: u32) -> usize {
    let target = named("spa5");
    let source = lifted(text, "tgsi");
    let made = translate(&source, target).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
    check(&made.text).unwrap_or_else(|why| panic!("{why}\n{}", made.text));
    let there = read(&made, target).unwrap_or_else(|why| panic!("{why}"));
    let draw = varied(&Draw::defaults(&source.func.iface).expect("defaults"), &source.func.iface, seed);
    let carried = &made.carried;
    let first = draw.carried(&there.func.iface, carried).expect("constants");
    let model = Model::builtin("ieee").expect("built in");
    let (wanted, found) = (frame(&source, &draw, &model, 8), frame(&there, &first, &model, 8));
    assert_eq!((wanted.out_of_fuel, found.out_of_fuel), (0, 0), "the loop ends");
    assert_eq!(difference(&wanted, &found, carried), None, "{text}\n{}", made.text);
    made.text.lines().filter(|line| line.trim_start().starts_with("LDL ")).count()
}

#[test]
fn values_without_a_register_wait_in_local_memory() {
    assert_eq!(loads(&program(16, 1), 1), 0, "what fits stays in registers");
    for (count, seed) in [(62, 2), (70, 3), (100, 4), (180, 5)] {
        let found = loads(&program(count, seed), seed as u32);
        assert!(found > 0, "{count} vectors fit into 255 registers");
    }
}

/// What is read again and again stays in a register, where something else can wait.
#[test]
fn values_that_are_read_most_stay_in_registers() {
    let found = loads(&program(66, 6), 6);
    assert!(found < 80, "{found} loads for a few values too many");
}
