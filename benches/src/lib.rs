//! Criterion benchmarks, and the programs they measure: a short colour blend, two-light Blinn-Phong, 64 chained
//! multiply-adds, transcendental functions, four bilinear lookups, parallax mapping with discarded fragments. Their
//! tests stand in `tests/tests/benchmarks.rs`, since tests here would have Criterion built.

pub mod kernels;
pub mod nvfp;
pub mod straight;

/// A program to measure.
#[derive(Copy, Clone, Debug)]
pub struct Program {
    /// Name in benchmark ids.
    pub name: &'static str,
    /// TGSI text.
    pub text: &'static str,
}

macro_rules! programs {
    ($($name:literal),* $(,)?) => {
        &[$(Program { name: $name, text: include_str!(concat!("../shaders/", $name, ".tgsi")) }),*]
    };
}

/// All of them, cheapest instruction mix first.
pub const PROGRAMS: &[Program] =
    programs!["blend", "phong", "mad_chain", "transcendental", "four_textures", "parallax_kill"];

/// The same colour everywhere: what a draw costs without a shader.
pub const CONSTANT: Program = Program {
    name: "constant",
    text: "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.5, 0.25, 0.125, 1.0}\n  0: MOV OUT[0], IMM[0]\n  1: END\n",
};

/// A chain of multiply-adds, with `control` every third one in a branch of its own.
pub fn chain(instructions: usize, control: bool) -> String {
    let mut out = String::from(
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL CONST[0][0..15]\nDCL TEMP[0..7]\n",
    );
    out.push_str("MOV TEMP[0], IN[0]\n");
    for n in 0..instructions {
        let (to, from) = ((n + 1) % 8, n % 8);
        let step = format!("MAD TEMP[{to}], TEMP[{from}], CONST[0][{}], IN[0]\n", n % 16);
        match control && n % 3 == 2 {
            true => out.push_str(&format!("MOV TEMP[{to}], TEMP[{from}]\nIF TEMP[{from}].xxxx\n{step}ENDIF\n")),
            false => out.push_str(&step),
        }
    }
    out.push_str(&format!("MOV OUT[0], TEMP[{}]\nEND\n", instructions % 8));
    out
}

/// A long text: the instructions of all programs many times over, for throughput in bytes per second.
pub fn long_text(instructions: usize) -> String {
    let mut out = String::from("FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0..15]\nDCL TEMP[0..7]\n");
    for n in 0..3 {
        out.push_str(&format!("DCL IN[{n}], GENERIC[{n}], PERSPECTIVE\n"));
    }
    for n in 0..4 {
        out.push_str(&format!("DCL SAMP[{n}]\nDCL SVIEW[{n}], 2D, FLOAT\n"));
    }
    let bodies = PROGRAMS.iter().flat_map(|p| p.text.lines()).filter_map(|line| line.split_once(": "));
    let bodies: Vec<&str> = bodies.map(|(_, instruction)| instruction).filter(|i| *i != "END").collect();
    for (n, instruction) in bodies.iter().cycle().take(instructions).enumerate() {
        out.push_str(&format!("{n:3}: {instruction}\n"));
    }
    out.push_str("END\n");
    out
}
