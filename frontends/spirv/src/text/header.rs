//! The comments in front of a listing, which stand for the words of the header.

use crate::module::{HEADER_WORDS, MAGIC, MAX_BOUND};
use parallax_text::mark_len;
use std::fmt::Write;

/// Names of generators by their number.
const GENERATORS: &[&str] = &[
    "Khronos",
    "LunarG",
    "Valve",
    "Codeplay",
    "NVIDIA",
    "ARM",
    "Khronos LLVM/SPIR-V Translator",
    "Khronos SPIR-V Tools Assembler",
    "Khronos Glslang Reference Front End",
    "Qualcomm",
    "AMD",
    "Intel",
    "Imagination",
    "Google Shaderc over Glslang",
    "Google spiregg",
    "Google rspirv",
    "X-LEGEND Mesa-IR/SPIR-V Translator",
    "Khronos SPIR-V Tools Linker",
    "Wine VKD3D Shader Compiler",
    "Tellusim Clay Shader Compiler",
    "W3C WebGPU Group WHLSL Shader Translator",
    "Google Clspv",
    "Google MLIR SPIR-V Serializer",
    "Google Tint Compiler",
    "Google ANGLE Shader Compiler",
    "Netease Games Messiah Shader Compiler",
    "Xenia Xenia Emulator Microcode Translator",
    "Embark Studios Rust GPU Compiler Backend",
    "gfx-rs community Naga",
    "Mikkosoft Productions MSP Shader Compiler",
    "SpvGenTwo community SpvGenTwo SPIR-V IR Tools",
    "Google Skia SkSL",
    "TornadoVM SPIRV Beehive Toolkit",
    "DragonJoker ShaderWriter",
    "Rayan Hatout SPIRVSmith",
    "Saarland University Shady",
    "Taichi Graphics Taichi",
];

/// What `spirv-as` writes: itself.
const ASSEMBLER: u32 = 7 << 16;

/// Writes the header of a module as comments.
pub(super) fn print(words: &[u32; HEADER_WORDS], out: &mut String) {
    let [_, version, generator, bound, schema] = *words;
    let (major, minor) = (version >> 16 & 0xff, version >> 8 & 0xff);
    let _ = write!(out, "; SPIR-V\n; Version: {major}.{minor}");
    if version != major << 16 | minor << 8 {
        let _ = write!(out, " {version:#010x}");
    }
    let tool = match GENERATORS.get((generator >> 16) as usize) {
        Some(name) => name.to_string(),
        None => format!("Unknown({})", generator >> 16),
    };
    let _ = writeln!(out, "\n; Generator: {tool}; {}\n; Bound: {bound}\n; Schema: {schema}", generator & 0xffff);
}

/// The header that the comments in front of a text ask for; SPIR-V 1.0 by an assembler where they say nothing.
pub(super) fn read(text: &str) -> [u32; HEADER_WORDS] {
    let mut header = [MAGIC, 0x0001_0000, ASSEMBLER, 1, 0];
    let lines =
        text[mark_len(text)..].lines().map(str::trim).take_while(|line| line.is_empty() || line.starts_with(';'));
    for line in lines {
        let Some((key, value)) = line.trim_start_matches(';').split_once(':') else { continue };
        let value = value.trim();
        let (slot, word) = match key.trim() {
            "Version" => (1, version(value)),
            "Generator" => (2, generator(value)),
            "Bound" => (3, value.parse().ok().filter(|bound| (1..=MAX_BOUND).contains(bound))),
            "Schema" => (4, value.parse().ok()),
            _ => continue,
        };
        header[slot] = word.unwrap_or(header[slot]);
    }
    header
}

fn version(text: &str) -> Option<u32> {
    let (text, word) = text.split_once(' ').unwrap_or((text, ""));
    if let Some(digits) = word.strip_prefix("0x") {
        return u32::from_str_radix(digits, 16).ok();
    }
    let (major, minor) = text.split_once('.')?;
    Some(u32::from(major.parse::<u8>().ok()?) << 16 | u32::from(minor.parse::<u8>().ok()?) << 8)
}

fn generator(text: &str) -> Option<u32> {
    let (name, version) = text.rsplit_once("; ")?;
    let tool = match name.strip_prefix("Unknown(") {
        Some(number) => number.strip_suffix(')')?.parse::<u16>().ok()?,
        None => GENERATORS.iter().position(|known| *known == name)? as u16,
    };
    Some(u32::from(tool) << 16 | u32::from(version.parse::<u16>().ok()?))
}
