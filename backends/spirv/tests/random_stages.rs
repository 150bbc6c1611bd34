//! Random vertex programs and kernels under random models: read again, modules give the words of the model.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use crate::effect::{Effect, module};
use crate::vertices::is_valid;
use crate::{kernels, vertices};
use parallax::varied;
use parallax_num::Model;
use parallax_random::Random;
use parallax_step::Programs;
use std::fmt::Write;

/// Temporaries, of four components each.
const TEMPS: u32 = 6;

/// Writes the statements of a TGSI program.
struct Body<'a> {
    random: &'a mut Random,
    text: String,
    is_kernel: bool,
    depth: usize,
    loops: u32,
}

impl Body<'_> {
    fn below(&mut self, n: u32) -> u32 {
        (self.random.word() >> 16) as u32 % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len() as u32) as usize]
    }

    fn operand(&mut self) -> String {
        let swizzle: String = (0..4).map(|_| self.one(&["x", "y", "z", "w"])).collect();
        match self.below(8) {
            0 => format!("IMM[0].{swizzle}"),
            1 if !self.is_kernel => format!("IN[{}].{swizzle}", self.below(2)),
            2 => format!("CONST[0][{}].{swizzle}", self.below(4)),
            _ => format!("{}TEMP[{}].{swizzle}", self.one(&["", "", "-"]), self.below(TEMPS)),
        }
    }

    /// The same without a sign.
    fn bits(&mut self) -> String {
        let comp = self.one(&["xxxx", "yyyy", "zzzz", "wwww"]);
        match self.below(4) {
            0 => format!("IMM[1].{comp}"),
            _ => format!("TEMP[{}].{comp}", self.below(TEMPS)),
        }
    }

    fn result(&mut self) -> String {
        format!("TEMP[{}].{}", self.below(TEMPS), self.one(&["x", "y", "zw", "xyzw", "xz", "w"]))
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(self.depth));
    }

    /// An address in TEMP[6].x: somewhere in a buffer or a little beyond, or the invocation's own.
    fn address(&mut self) -> u32 {
        if self.below(2) == 0 {
            let bits = self.bits();
            self.line(&format!("AND TEMP[6].x, {bits}, IMM[2].xxxx"));
        } else {
            self.line("MOV TEMP[6].x, TEMP[7].xxxx");
        }
        self.below(3)
    }

    fn statement(&mut self) {
        let to = self.result();
        match self.below(if self.is_kernel { 18 } else { 12 }) {
            0..3 => {
                let (op, a, b) = (
                    self.one(&["ADD", "MUL", "MIN", "MAX", "SLT", "SGE", "DP3", "DP4"]),
                    self.operand(),
                    self.operand(),
                );
                self.line(&format!("{op} {to}, {a}, {b}"));
            }
            3 => {
                let (op, a, b, c) = (self.one(&["MAD", "LRP"]), self.operand(), self.operand(), self.operand());
                self.line(&format!("{op} {to}, {a}, {b}, {c}"));
            }
            4 => {
                let (op, a) = (self.one(&["FLR", "FRC", "MOV", "RCP", "EX2", "RSQ"]), self.operand());
                self.line(&format!("{op} {to}, {a}"));
            }
            5 | 6 => {
                let (op, a, b) = (
                    self.one(&["UADD", "UMUL", "AND", "XOR", "USHR", "SHL", "USLT", "IMAX"]),
                    self.bits(),
                    self.bits(),
                );
                self.line(&format!("{op} {to}, {a}, {b}"));
            }
            7 => {
                let (op, a) = (self.one(&["I2F", "U2F", "F2I"]), self.bits());
                self.line(&format!("{op} {to}, {a}"));
            }
            8 | 9 if self.depth < 2 => self.branch(),
            10 if self.depth < 2 => self.round(),
            12 | 13 => {
                let buffer = self.address();
                self.line(&format!("LOAD {to}, BUFFER[{buffer}], TEMP[6].xxxx"));
            }
            14 => {
                let (buffer, a) = (self.address(), self.operand().replace('-', ""));
                self.line(&format!("STORE BUFFER[{buffer}].xy, TEMP[6].xxxx, {a}"));
            }
            15 => {
                let (buffer, a) = (self.address(), self.bits());
                let op = self.one(&["ATOMUADD", "ATOMAND", "ATOMOR", "ATOMXOR", "ATOMUMIN", "ATOMIMAX", "ATOMXCHG"]);
                self.line(&format!("{op} TEMP[{}].x, BUFFER[{buffer}], TEMP[6].xxxx, {a}", to.as_bytes()[5] as char));
            }
            16 => {
                self.address();
                let a = self.bits();
                self.line(&format!("STORE MEMORY[0].x, TEMP[6].xxxx, {a}"));
                if self.depth == 0 {
                    self.line("BARRIER");
                }
                self.line(&format!("LOAD {to}, MEMORY[0], TEMP[6].xxxx"));
            }
            _ => {
                let a = self.operand();
                self.line(&format!("MOV {to}, {a}"));
            }
        }
    }

    fn statements(&mut self, count: u32) {
        (0..count).for_each(|_| self.statement());
    }

    fn branch(&mut self) {
        let a = self.bits();
        self.line(&format!("UIF {a}"));
        self.depth += 1;
        self.statements(2);
        self.depth -= 1;
        if self.below(2) == 0 {
            self.line("ELSE");
            self.depth += 1;
            self.statements(2);
            self.depth -= 1;
        }
        self.line("ENDIF");
    }

    /// A loop of four rounds at most, which some leave before.
    fn round(&mut self) {
        self.loops += 1;
        let counter = format!("TEMP[{}]", 7 + self.loops);
        self.line(&format!("MOV {counter}.x, IMM[1].xxxx"));
        self.line("BGNLOOP");
        self.depth += 1;
        self.line(&format!("USGE {counter}.y, {counter}.xxxx, IMM[2].yyyy"));
        self.line(&format!("UIF {counter}.yyyy"));
        self.line("  BRK");
        self.line("ENDIF");
        self.line(&format!("UADD {counter}.x, {counter}.xxxx, IMM[2].zzzz"));
        self.statements(2);
        let (a, way) = (self.bits(), self.one(&["BRK", "CONT"]));
        self.line(&format!("UIF {a}"));
        self.line(&format!("  {way}"));
        self.line("ENDIF");
        self.statements(1);
        self.depth -= 1;
        self.line("ENDLOOP");
    }
}

/// A program and its manifest.
fn program(seed: u64, is_kernel: bool) -> (String, String) {
    let mut random = Random::new(seed);
    let mut body = Body { random: &mut random, text: String::new(), is_kernel, depth: 0, loops: 0 };
    body.statements(14);
    let (text, loops) = (body.text, body.loops);
    let declared = format!(
        "DCL CONST[0][0..3]\nDCL TEMP[0..{}]\nIMM[0] FLT32 {{ 0.5, -1.5, 3.0, 0.0 }}\nIMM[1] UINT32 {{ 0, 1, 7, 255 }}\n\
         IMM[2] UINT32 {{ 127, 4, 1, 8 }}\n",
        7 + loops
    );
    let constants: String = (0..4).map(|n| format!("\"CONST[0][{n}]\" = [0.{n}3, -1.{n}, 2.5, {n}.0]\n")).collect();
    if is_kernel {
        let head = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n\
            DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL BUFFER[0..2]\nDCL MEMORY[0], SHARED\n";
        let begin = "UMAD TEMP[7].x, SV[1].xxxx, IMM[2].wwww, SV[0].xxxx\nI2F TEMP[0], TEMP[7].xxxx\nMOV TEMP[1], SV[0]\n\
            UMUL TEMP[7].x, TEMP[7].xxxx, IMM[2].yyyy\n";
        let end = "STORE BUFFER[1].x, TEMP[7].xxxx, TEMP[2].xxxx\nSTORE BUFFER[2].x, TEMP[7].xxxx, TEMP[3].yyyy\nEND\n";
        let bindings: String = (0..3)
            .map(|n| format!("[binding.\"BUFFER[{n}]\"]\nsource = \"uniform\"\ncount = {}\nseed = {n}\n", 20 + 9 * n))
            .collect();
        let manifest = format!("stage = \"compute\"\n[constants]\n{constants}[dispatch]\ngrid = [3]\n{bindings}");
        return (format!("{head}{declared}{begin}{text}{end}"), manifest);
    }
    let head =
        "VERT\nDCL IN[0..1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2], PSIZE\nDCL SV[0], VERTEXID\n";
    let begin = "MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[1]\nMOV TEMP[2], SV[0]\n";
    let end = "MOV OUT[0], TEMP[3]\nMOV OUT[1].xyw, TEMP[4]\nMOV OUT[2].x, TEMP[5].xxxx\nEND\n";
    let values = |n: u32| {
        let value = |v: u32| format!("[{}.25, -{}.5, 0.{v}, {n}.0]", v * (n + 1), v + n);
        (0..9).map(value).collect::<Vec<_>>().join(", ")
    };
    let attributes: String =
        (0..2).map(|n| format!("[[attributes]]\nindex = {n}\nvalues = [{}]\n", values(n))).collect();
    (format!("{head}{declared}{begin}{text}{end}"), format!("stage = \"vertex\"\n{attributes}[constants]\n{constants}"))
}

/// How many programs gave the words of their models, and how many were refused or too long for the frontend.
fn check(seeds: std::ops::Range<u64>) -> (usize, Vec<String>) {
    let models = Model::group("default").expect("a group");
    let (mut equal, mut left, mut programs) = (0, Vec::new(), Programs::default());
    for seed in seeds {
        let is_kernel = seed % 2 == 0;
        let (text, manifest) = program(seed, is_kernel);
        let name = models[(seed / 2) as usize % models.len()];
        let whose = format!("seed {seed} under {name}\n{text}");
        let effect = Effect::of("random.tgsi", &text, &manifest);
        let compiled = effect.under(&Model::builtin(name).expect("built in"));
        let made = match module(&compiled, &mut programs, false) {
            Ok(made) => made,
            Err(why) => {
                left.push(format!("seed {seed} under {name}: {why:?}"));
                continue;
            }
        };
        if seed % 16 < 2 {
            let _ = is_valid(&made.words, &whose);
        }
        let other = varied(&effect.draw, &compiled.shader.func.iface, seed as u32);
        let count = match is_kernel {
            true => [&effect.draw, &other].map(|draw| kernels::compare(&compiled, &made, draw, &whose)),
            false => [&effect.draw, &other].map(|draw| vertices::compare(&compiled, &made, draw, &whose)),
        };
        match count {
            [Some(_), Some(_)] => equal += 1,
            _ => left.push(format!("seed {seed} under {name}: too long")),
        }
    }
    (equal, left)
}

#[test]
fn random_vertex_programs_and_kernels_give_the_words_of_the_model() {
    let (equal, left) = check(0..60);
    println!("{equal} equal; {left:#?}");
    assert!(equal > 50, "{left:#?}");
}

/// `cargo test -p parallax-spirv-out --test all many_random -- --ignored --nocapture`; `PARALLAX_SEEDS` is their number.
#[test]
#[ignore = "long"]
fn many_random_vertex_programs_and_kernels() {
    let seeds = std::env::var("PARALLAX_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let (equal, left) = check(1000..1000 + seeds);
    println!("{equal} equal; {} not compared: {left:#?}", left.len());
    assert!(equal > seeds as usize * 9 / 10, "{equal}");
}
