//! Arrays in local memory of SPA 5.0, beside values that wait there: elements at random places, some of them behind the end.

use crate::back::{lifted, named};
use crate::proof::{difference, frame, read};
use crate::schedule::check;
use parallax::{Draw, Model, varied};
use parallax_emit::translate;
use parallax_random::Random;
use std::fmt::Write;

/// A program that keeps `count` vectors beside two arrays, and writes and reads elements of both in a loop.
fn program(count: u64, seed: u64) -> String {
    let mut random = Random::new(seed);
    let (sum, round, index) = (count, count + 1, count + 2);
    let mut text = format!(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..7]\nDCL TEMP[0..{index}]\n\
         DCL TEMP[{}..{}], ARRAY(1)\nDCL TEMP[{}..{}], ARRAY(2)\nDCL ADDR[0]\n\
         IMM[0] FLT32 {{1.0, 0.0, 6.0, 0.5}}\nIMM[1] UINT32 {{3, 7, 1, 4294967295}}\n",
        index + 1,
        index + 4,
        index + 5,
        index + 10,
    );
    for n in 0..count {
        let _ = writeln!(text, "MAD TEMP[{n}], IN[0], CONST[0][{}], CONST[0][{}]", n % 8, (n * 5 + 3) % 8);
    }
    for n in index + 1..index + 11 {
        let _ = writeln!(text, "MOV TEMP[{n}], CONST[0][{}]", n % 8);
    }
    let _ = writeln!(text, "MOV TEMP[{sum}], IN[0]\nMOV TEMP[{round}], IMM[0].yyyy\nBGNLOOP");
    let _ = writeln!(text, "ADD TEMP[{round}].x, TEMP[{round}].xxxx, IMM[0].xxxx");
    let _ = writeln!(text, "SLT TEMP[{index}].x, IMM[0].zzzz, TEMP[{round}].xxxx\nIF TEMP[{index}].xxxx\nBRK\nENDIF");
    for _ in 0..8 {
        let (array, from, letter) = (1 + random.below(2), random.below(count), random.pick(&["x", "y", "z"]));
        // A place below 8: arrays have four and six elements.
        let _ = writeln!(text, "F2U TEMP[{index}].x, |TEMP[{from}].{}|", letter.repeat(4));
        let _ =
            writeln!(text, "AND TEMP[{index}].x, TEMP[{index}].xxxx, IMM[1].yyyy\nUARL ADDR[0].x, TEMP[{index}].xxxx");
        let first = if array == 1 { index + 1 } else { index + 5 };
        let _ = match random.below(3) {
            0 => writeln!(text, "ADD TEMP[ADDR[0].x+{first}]({array}), TEMP[{sum}], IMM[0].wwww"),
            1 => writeln!(text, "MOV TEMP[ADDR[0].x+{first}]({array}).{letter}, TEMP[{from}]"),
            _ => writeln!(text, "MAD TEMP[{sum}], TEMP[{sum}], IMM[0].wwww, TEMP[ADDR[0].x+{first}]({array})"),
        };
    }
    text.push_str("ENDLOOP\nF2U TEMP[0].x, |TEMP[1].xxxx|\nAND TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\nUARL ADDR[0].x, TEMP[0].xxxx\n");
    for (array, first) in [(1, index + 1), (2, index + 5)] {
        let _ = writeln!(text, "MAD TEMP[{sum}], TEMP[{sum}], IMM[0].wwww, TEMP[ADDR[0].x+{first}]({array})");
    }
    for n in 0..count {
        let _ = writeln!(text, "MAD TEMP[{sum}], TEMP[{sum}], IMM[0].wwww, TEMP[{n}]");
    }
    let _ = writeln!(text, "MOV OUT[0], TEMP[{sum}]\nEND");
    text
}

#[test]
fn arrays_lie_in_local_memory() {
    let (target, model) = (named("spa5"), Model::builtin("ieee").expect("built in"));
    for seed in 0..24u32 {
        let count = if seed % 4 == 3 { 70 } else { 4 };
        let text = program(count, seed.into());
        let source = lifted(&text, "tgsi");
        let made = translate(&source, target).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
        check(&made.text).unwrap_or_else(|why| panic!("{why}\n{}", made.text));
        assert!(made.text.contains("LDL") && made.text.contains("STL"), "{}", made.text);
        let there = read(&made, target).unwrap_or_else(|why| panic!("{why}"));
        let draw = varied(&Draw::defaults(&source.func.iface).expect("defaults"), &source.func.iface, seed);
        let first = draw.carried(&there.func.iface, &made.carried).expect("constants");
        let (wanted, found) = (frame(&source, &draw, &model, 8), frame(&there, &first, &model, 8));
        assert_eq!(difference(&wanted, &found, &made.carried), None, "{text}\n{}", made.text);
    }
}
