//! Criterion benchmarks, and the programs they measure: a short colour blend, two-light Blinn-Phong, 64 chained
//! multiply-adds, transcendental functions, four bilinear lookups, parallax mapping with discarded fragments.

pub mod nvfp;

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

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{LoadOptions, load};

    #[test]
    fn every_nv_program_loads() {
        let texts = nvfp::DIALECTS.iter().map(|dialect| dialect.long_text(1000)).chain([nvfp::sixty_four()]);
        for text in texts {
            let loaded = load("bench.nvfp", text.as_bytes(), &LoadOptions::default());
            assert!(loaded.shader.is_some(), "{:#?}", loaded.diags);
        }
        let loaded = load("bench.nvfp", nvfp::sixty_four().as_bytes(), &LoadOptions::default());
        assert_eq!(loaded.instructions(), 64);
        assert_eq!(nvfp::corpus().len(), 16);
    }

    #[test]
    fn every_program_loads() {
        let long = long_text(500);
        for text in PROGRAMS.iter().map(|p| p.text).chain([long.as_str()]) {
            let loaded = load("bench.tgsi", text.as_bytes(), &LoadOptions::default());
            assert!(loaded.shader.is_some(), "{:#?}", loaded.diags);
        }
    }
}
