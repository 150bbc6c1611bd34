//! Whole numbers of which a range is proven, in sets that compute with floats alone: random programs come back with the same bits.
#![allow(clippy::print_stdout, reason = "progress, shown with --nocapture")]

use crate::back::{Way, lifted, named, there_and_back};
use parallax::Model;
use parallax_emit::translate;
use parallax_random::Random;
use std::fmt::Write;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Operations on numbers that are not negative and stay below 2^16, and on any; the literals that they take.
const NATURAL: [(&str, &str); 8] = [
    ("UADD", "IMM[1].xyzw"),
    ("UMUL", "IMM[1].yyxx"),
    ("SHL", "IMM[1].xxww"),
    ("USHR", "IMM[1].xwxw"),
    ("ISHR", "IMM[1].wxwx"),
    ("AND", "IMM[1].zyzx"),
    ("UMIN", "IMM[1].zzzz"),
    ("UMAX", "IMM[1].ywyw"),
];
const SIGNED: [(&str, &str); 7] = [
    ("UADD", "IMM[2].xyzw"),
    ("UMUL", "IMM[2].xzxz"),
    ("ISHR", "IMM[1].xwxw"),
    ("IMIN", "IMM[2].zwzw"),
    ("IMAX", "IMM[2].yyxx"),
    ("INEG", ""),
    ("IABS", ""),
];
const COMPARISONS: [&str; 6] = ["USLT", "USGE", "ISLT", "ISGE", "USEQ", "USNE"];

struct Writer {
    random: Random,
    text: String,
    loops: bool,
}

impl Writer {
    fn below(&mut self, count: usize) -> usize {
        self.random.below(count as u64) as usize
    }

    fn mask(&mut self) -> String {
        let mask = 1 + self.below(15);
        LETTERS.iter().enumerate().filter(|(n, _)| mask >> n & 1 != 0).map(|(_, letter)| letter).collect()
    }

    fn statement(&mut self) {
        let (mask, letter) = (self.mask(), LETTERS[self.below(4)]);
        let natural = 3 + self.below(2);
        let _ = match self.below(24) {
            // Rare, so that most pixels are left.
            0 => writeln!(self.text, "KILL_IF TEMP[1].{letter}{letter}{letter}{letter}"),
            1..=7 => {
                let (name, by) = self.random.pick(&NATURAL);
                // So that no product grows for ever.
                let _ = writeln!(self.text, "{name} TEMP[{natural}].{mask}, TEMP[{natural}], {by}");
                writeln!(self.text, "UMIN TEMP[{natural}].{mask}, TEMP[{natural}], IMM[3].xxxx")
            }
            8..=11 => {
                let (name, by) = self.random.pick(&SIGNED);
                let by = if by.is_empty() { String::new() } else { format!(", {by}") };
                let _ = writeln!(self.text, "{name} TEMP[5].{mask}, TEMP[5]{by}");
                let _ = writeln!(self.text, "IMIN TEMP[5].{mask}, TEMP[5], IMM[3].xxxx");
                writeln!(self.text, "IMAX TEMP[5].{mask}, TEMP[5], IMM[3].yyyy")
            }
            12..=15 => writeln!(self.text, "U2F TEMP[0].{mask}, TEMP[{natural}]"),
            16..=19 => {
                let _ = writeln!(self.text, "I2F TEMP[2].{mask}, TEMP[5]");
                writeln!(self.text, "MAD TEMP[1], TEMP[1], IMM[0].xxxx, TEMP[2]")
            }
            _ => {
                let name = self.random.pick(&COMPARISONS);
                let _ = writeln!(self.text, "{name} TEMP[6].{mask}, TEMP[3], TEMP[4].{letter}{letter}{letter}{letter}");
                writeln!(self.text, "UCMP TEMP[1].{mask}, TEMP[6], TEMP[0], TEMP[1]")
            }
        };
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..4 + self.below(6) {
            if self.loops && depth < 2 && self.below(6) == 0 {
                let (counter, most) = (7 + depth, self.random.pick(&['x', 'y', 'z', 'w']));
                let _ = writeln!(self.text, "MOV TEMP[{counter}].x, IMM[2].wwww\nBGNLOOP");
                let _ = writeln!(
                    self.text,
                    "ISGE TEMP[{counter}].y, TEMP[{counter}].xxxx, IMM[1].{most}{most}{most}{most}"
                );
                let _ = writeln!(self.text, "UIF TEMP[{counter}].yyyy\nBRK\nENDIF");
                self.block(depth + 1);
                let _ = writeln!(self.text, "I2F TEMP[2].x, TEMP[{counter}].xxxx\nADD TEMP[0], TEMP[0], TEMP[2].xxxx");
                let _ = writeln!(self.text, "UADD TEMP[{counter}].x, TEMP[{counter}].xxxx, IMM[1].xxxx\nENDLOOP");
            } else if depth < 2 && self.below(8) == 0 {
                let (name, mask) = (self.random.pick(&COMPARISONS), self.random.pick(&LETTERS));
                let _ =
                    writeln!(self.text, "{name} TEMP[6].{mask}, TEMP[3], TEMP[4]\nIF TEMP[1].{mask}{mask}{mask}{mask}");
                self.block(depth + 1);
                let _ = writeln!(self.text, "ELSE\nUIF TEMP[6].{mask}{mask}{mask}{mask}");
                self.block(depth + 1);
                self.text.push_str("ENDIF\nENDIF\n");
            } else {
                self.statement();
            }
        }
    }
}

fn program(seed: u64, loops: bool) -> String {
    let mut writer = Writer { random: Random::new(seed), text: String::new(), loops };
    writer.text.push_str(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..8]\nIMM[0] FLT32 {0.5, -2.0, 3.25, 0.1}\n\
         IMM[1] UINT32 {1, 3, 7, 2}\nIMM[2] INT32 {-1, -5, 4, 0}\nIMM[3] INT32 {65535, -65535, 0, 0}\n\
         MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[0].wzyx\nMOV TEMP[2], IMM[0]\nMOV TEMP[3], IMM[1]\nMOV TEMP[4], IMM[1].wzyx\n\
         MOV TEMP[5], IMM[2]\n",
    );
    writer.block(0);
    writer.text.push_str("U2F TEMP[3], TEMP[3]\nI2F TEMP[5], TEMP[5]\nMAD TEMP[0], TEMP[3], TEMP[5], TEMP[0]\n");
    writer.text.push_str("ADD OUT[0], TEMP[0], TEMP[1]\nEND\n");
    writer.text
}

fn run(seeds: std::ops::Range<u64>) {
    let model = Model::builtin("ieee").expect("built in");
    let tried = (seeds.end - seeds.start) as usize;
    for name in ["arb", "nvfp", "nv40", "attila"] {
        let has_loops = name != "arb";
        let (mut equal, mut too_long) = (0, 0);
        for seed in seeds.clone() {
            let text = program(seed, has_loops);
            let way = there_and_back(&text, named(name), named("tgsi"), &model, seed as u32 % 1000 + 1);
            match way {
                Way::Equal => equal += 1,
                // Some are longer than 1,024 instructions, as many as texts of ARB have.
                _ => {
                    let why = translate(&lifted(&text, "tgsi"), named(name)).expect_err("refused");
                    assert!(why.iter().all(|diag| diag.message.contains("instructions")), "{name}: {why:?}\n{text}");
                    too_long += 1;
                }
            }
        }
        println!("whole numbers by way of {name}: {equal} of {tried} are equal, {too_long} are too long");
        assert!(equal + too_long == tried && too_long * 1000 <= tried, "{name}");
    }
}

#[test]
fn whole_numbers_with_a_range_are_floats() {
    run(0..200);
}

#[test]
#[ignore = "20,000 programs for each target"]
fn many_whole_numbers_with_a_range_are_floats() {
    run(0..20_000);
}
