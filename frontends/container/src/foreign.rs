//! Files of other tools, told by their first bytes or, where they are text, by words that nothing else has.

use parallax_text::mark_len;

/// A kind of file that is recognised and not read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    /// What it is, with an article: `a SPIR-V module`.
    pub name: &'static str,
    /// What to do.
    pub help: &'static str,
}

const fn foreign_kind(name: &'static str, help: &'static str) -> Foreign {
    Foreign { name, help }
}

/// For languages that are compiled for many targets.
const COMPILE: &str = "compile it for an instruction set that is read; `parallax isas` lists them";
/// For languages that compilers make SPIR-V of.
const TO_SPIRV: &str =
    "compile it to SPIR-V; the parallax command does so where a compiler is installed: docs/spirv.md";
const EXTRACT: &str = "extract the cubins for sm_50 to sm_62 from it: cuobjdump -xelf sm_50 FILE";
const UNPACK: &str = "unpack it and give the files in it";
const CPU: &str = "CPU code is not a shader; pass the file that contains the shader";

impl Foreign {
    /// A host program with GPU code inside.
    pub(crate) const FATBIN_INSIDE: Foreign = foreign_kind("an ELF file with a CUDA fatbin inside", EXTRACT);
}

/// First bytes, and what they are of.
const MAGIC: &[(&[u8], Foreign)] = &[
    (b"\x03\x02\x23\x07", foreign_kind("a SPIR-V module", COMPILE)),
    (b"\x07\x23\x02\x03", foreign_kind("a big-endian SPIR-V module", COMPILE)),
    (b"BC\xc0\xde", foreign_kind("LLVM bitcode", COMPILE)),
    (b"\xde\xc0\x17\x0b", foreign_kind("LLVM bitcode in a wrapper", COMPILE)),
    (b"MTLB", foreign_kind("a Metal library", COMPILE)),
    (b"\xb1\x43\x62\x46", foreign_kind("the wrapper of a CUDA fatbin", EXTRACT)),
    (b"\xfe\xed\xfa\xce", foreign_kind("a Mach-O file", CPU)),
    (b"\xfe\xed\xfa\xcf", foreign_kind("a Mach-O file", CPU)),
    (b"\xce\xfa\xed\xfe", foreign_kind("a Mach-O file", CPU)),
    (b"\xcf\xfa\xed\xfe", foreign_kind("a Mach-O file", CPU)),
    (b"\xca\xfe\xba\xbe", foreign_kind("a Mach-O file for several CPUs, or a Java class", CPU)),
    (b"MZ", foreign_kind("a Windows program or library", CPU)),
    (b"\0asm", foreign_kind("a WebAssembly module", CPU)),
    (b"PK\x03\x04", foreign_kind("a ZIP archive", UNPACK)),
    (b"\x1f\x8b", foreign_kind("a gzip file", UNPACK)),
    (b"\xfd7zXZ\0", foreign_kind("an xz file", UNPACK)),
    (b"\x28\xb5\x2f\xfd", foreign_kind("a Zstandard file", UNPACK)),
    (b"\x89PNG\r\n\x1a\n", foreign_kind("a PNG picture", "use pictures in a manifest: docs/manifest.md")),
    (b"\xabKTX ", foreign_kind("a KTX texture", "textures are given in manifests, as PNG: docs/manifest.md")),
    (b"DDS ", foreign_kind("a DDS texture", "textures are given in manifests, as PNG: docs/manifest.md")),
    (b"%PDF-", foreign_kind("a PDF document", "give the file the shader is in")),
];

const DXBC: Foreign = foreign_kind("a DXBC container (Direct3D 10 and 11)", COMPILE);
const DXIL: Foreign = foreign_kind("a DXIL container (Direct3D 12)", COMPILE);
const D3D9: Foreign = foreign_kind("Direct3D 9 shader bytecode", COMPILE);
const D3D9_TEXT: Foreign = foreign_kind("Direct3D 9 shader assembly", COMPILE);
const D3D11_TEXT: Foreign = foreign_kind("Direct3D 10 or 11 shader assembly", COMPILE);
pub(crate) const PTX: Foreign = foreign_kind("PTX assembly", "assemble it: ptxas -arch=sm_50 -o NAME.cubin FILE");
const GLSL: Foreign = foreign_kind("GLSL source", TO_SPIRV);
const HLSL: Foreign = foreign_kind("HLSL source", TO_SPIRV);
const WGSL: Foreign = foreign_kind("WGSL source", TO_SPIRV);
const METAL: Foreign = foreign_kind("Metal source", COMPILE);
const SPIRV_TEXT: Foreign = foreign_kind("SPIR-V assembly", COMPILE);
const LLVM_TEXT: Foreign = foreign_kind("LLVM assembly", COMPILE);

/// Names bytes that are a file of another tool.
pub fn foreign(bytes: &[u8]) -> Option<Foreign> {
    if bytes.starts_with(b"DXBC") {
        return Some(if has_dxil(bytes) { DXIL } else { DXBC });
    }
    if let [0..=4, 1..=3, 0xfe | 0xff, 0xff, ..] = *bytes
        && bytes.len().is_multiple_of(4)
        && bytes.ends_with(&[0xff, 0xff, 0, 0])
    {
        return Some(D3D9);
    }
    let magic = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)).map(|(_, kind)| *kind);
    magic.or_else(|| text(bytes))
}

/// Whether one of the parts of a DXBC container is DXIL. What the container says is not trusted.
fn has_dxil(bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|b| u32::from_le_bytes(*b) as usize);
    let Some(count) = word(28) else { return false };
    let parts = (0..count.min(64)).filter_map(|n| bytes.get(word(32 + 4 * n)?..));
    parts.into_iter().any(|part| part.starts_with(b"DXIL"))
}

/// Names a source text.
fn text(bytes: &[u8]) -> Option<Foreign> {
    /// Bytes that are looked at: headers of licences may stand in front.
    const LOOK: usize = 16 << 10;
    let head = &bytes[..bytes.len().min(LOOK)];
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // A character may be cut.
        Err(error) if error.error_len().is_none() => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
        Err(_) => return None,
    };
    let text = &text[mark_len(text)..];
    if text.contains('\0') {
        return None;
    }
    let line_with =
        |words: &[&str]| text.lines().map(str::trim_start).any(|line| words.iter().any(|word| line.starts_with(word)));
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let c_like = || has(&["{"]) && has(&["}"]) && has(&[";"]);
    if let Some(kind) = text.lines().map(str::trim).find(|line| !is_remark(line)).and_then(direct3d) {
        Some(kind)
    } else if line_with(&[".version"]) && line_with(&[".target sm_", ".target  sm_"]) {
        Some(PTX)
    } else if line_with(&["; SPIR-V", "OpCapability "]) {
        Some(SPIRV_TEXT)
    } else if line_with(&["target triple =", "; ModuleID =", "target datalayout ="]) {
        Some(LLVM_TEXT)
    } else if line_with(&["#include <metal_", "using namespace metal"]) {
        Some(METAL)
    } else if line_with(&["#version "])
        || c_like()
            && has(&["gl_FragColor", "gl_FragData", "gl_Position", "gl_FragCoord", "void main()", "void main(void)"])
    {
        Some(GLSL)
    } else if c_like() && has(&["@fragment", "@vertex", "@compute"]) && has(&["fn "]) {
        Some(WGSL)
    } else if c_like()
        && has(&["SV_Target", "SV_Position", "SV_POSITION", "SV_TARGET", "cbuffer ", ": COLOR", ": TEXCOORD"])
    {
        Some(HLSL)
    } else {
        None
    }
}

/// Whether a line of Direct3D assembly says nothing.
fn is_remark(line: &str) -> bool {
    line.is_empty() || line.starts_with("//") || line.starts_with(';')
}

/// Names Direct3D assembly by the version that it begins with: `ps_2_0`, `vs.1.1`, `cs_5_0`.
fn direct3d(line: &str) -> Option<Foreign> {
    let mut parts = line.splitn(3, ['_', '.']);
    let (stage, major, minor) = (parts.next()?, parts.next()?, parts.next()?);
    let minor = minor.split_whitespace().next()?;
    match (stage, major, minor) {
        ("ps" | "vs", "1" | "2" | "3", "0" | "1" | "2" | "3" | "4" | "a" | "b" | "x" | "sw") => Some(D3D9_TEXT),
        ("ps" | "vs" | "gs" | "hs" | "ds" | "cs", "4" | "5", "0" | "1") => Some(D3D11_TEXT),
        _ => None,
    }
}

/// An ELF file for a machine that is none of the GPUs whose code is read.
pub(crate) fn elf_machine(machine: u16) -> Foreign {
    const OTHER_GPU: &str = "of code in ELF files only CUDA's for sm_50 to sm_62 is read";
    match machine {
        3 => foreign_kind("an ELF file for x86", CPU),
        8 => foreign_kind("an ELF file for MIPS", CPU),
        20 | 21 => foreign_kind("an ELF file for PowerPC", CPU),
        40 => foreign_kind("an ELF file for 32-bit ARM", CPU),
        62 => foreign_kind("an ELF file for x86-64", CPU),
        183 => foreign_kind("an ELF file for AArch64", CPU),
        205 => foreign_kind("an ELF file for Intel graphics", OTHER_GPU),
        224 => foreign_kind("an ELF file for an AMD GPU", OTHER_GPU),
        243 => foreign_kind("an ELF file for RISC-V", CPU),
        247 => foreign_kind("an ELF file for eBPF", CPU),
        _ => foreign_kind(
            "an ELF file for another machine",
            "of code in ELF files only CUDA's for sm_50 to sm_62 is read",
        ),
    }
}
