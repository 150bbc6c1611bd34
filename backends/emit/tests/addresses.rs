//! Constants at an address: random programs of TGSI, inside and outside of the bank, compute the same bits in every target.
#![allow(clippy::print_stdout, reason = "progress, shown with --nocapture")]

use crate::back::{Way, named, there_and_back};
use parallax::Model;
use parallax_emit::TARGETS;
use parallax_random::Random;
use std::fmt::Write;

/// A program that reads constants at floors of inputs; `clamped`: whether all of them are inside.
fn program(seed: u64, clamped: bool) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..7]\nDCL TEMP[0..3]\nDCL ADDR[0]\n\
         IMM[0] FLT32 {8.0, 2.5, 0.0, 6.0}\nMOV TEMP[1], IN[0]\n",
    );
    for n in 0..3 {
        let (from, scale) = (random.pick(&["x", "y", "z", "w"]), random.pick(&["x", "y"]));
        let _ = writeln!(text, "MUL TEMP[0], IN[0].{from}{from}{from}{from}, IMM[0].{scale}{scale}{scale}{scale}");
        if clamped {
            text.push_str("MAX TEMP[0], TEMP[0], IMM[0].zzzz\nMIN TEMP[0], TEMP[0], IMM[0].wwww\n");
        }
        let behind = if clamped { random.below(2) as i64 } else { random.below(5) as i64 - 2 };
        let place = if behind == 0 { String::new() } else { format!("{behind:+}") };
        let _ = writeln!(text, "ARL ADDR[0].{}, TEMP[0].xxxx", ["x", "y", "z"][n]);
        let _ = writeln!(text, "MAD TEMP[1], TEMP[1], IMM[0].yyyy, CONST[0][ADDR[0].{}{place}]", ["x", "y", "z"][n]);
    }
    text + "MOV OUT[0], TEMP[1]\nEND\n"
}

#[test]
fn constants_at_an_address_are_the_same_everywhere() {
    let model = Model::builtin("ieee").expect("built in");
    for target in TARGETS {
        for clamped in [true, false] {
            let (mut equal, mut other) = (0, 0);
            for seed in 0..60 {
                match there_and_back(&program(seed, clamped), target, named("tgsi"), &model, seed as u32 + 1) {
                    Way::Equal => equal += 1,
                    Way::Named => other += 1,
                    Way::Refused => {}
                }
            }
            println!("addresses by way of {}: {equal} of 60 equal, {other} named", target.name);
            assert_eq!(equal + other, 60, "{}", target.name);
            // What is behind the bank is 0 or named, and NaN as an address is named.
            assert!(!clamped || other == 0, "{}: {other}", target.name);
        }
    }
}
