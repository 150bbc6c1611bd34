//! Images: loads, stores, atomics, fetches, queries, in every format that SPIR-V names.

use crate::compare::{assembled, device, emulate, model};
use parallax_vulkan::{Buffer, Image, Job, Use};
use std::fmt::Write;

/// Invocations of a program; images of one dimension have as many texels.
const LANES: u32 = 64;

/// A program on one image, bound at `0.1`. It finds words at `0.2` and leaves words at `0.0`.
struct Program {
    name: String,
    image: Image,
    /// `float`, `int` or `uint`.
    scalar: &'static str,
    /// Format that the module names, as SPIR-V spells it.
    format: String,
    /// Instructions on `%img`, `%lane`, `%x` (the same, signed); `%words` and `%given` are the buffers.
    body: String,
    /// Words that it leaves for each invocation.
    left: u32,
    given: Vec<u32>,
}

impl Program {
    fn text(&self) -> String {
        let Program { image, scalar, format, body, .. } = self;
        let dim = match (image.used, image.dim) {
            (Use::StorageTexels | Use::UniformTexels, _) => "Buffer",
            (_, 1) => "1D",
            (_, 2) => "2D",
            (_, 3) => "3D",
            _ => "Cube",
        };
        let (arrayed, sampled) = (u32::from(image.arrayed), if image.used == Use::Sampled { 1 } else { 2 });
        let sampled = if image.used == Use::UniformTexels { 1 } else { sampled };
        let mut out = String::from(
            "OpCapability Shader\nOpCapability StorageImageExtendedFormats\nOpCapability ImageQuery\nOpCapability Image1D\n\
             OpCapability Sampled1D\nOpCapability ImageBuffer\nOpCapability SampledBuffer\nOpCapability ImageCubeArray\n\
             OpCapability SampledCubeArray\nOpCapability StorageImageReadWithoutFormat\n\
             OpCapability StorageImageWriteWithoutFormat\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n",
        );
        for (name, binding) in [("words", 0), ("image", 1), ("given", 2)] {
            let _ = write!(out, "OpDecorate %{name} DescriptorSet 0\nOpDecorate %{name} Binding {binding}\n");
        }
        let (both, kind, load) = match image.used {
            Use::Sampled | Use::Filtered(_) => {
                let load = "%s = OpLoad %both %image\n%img = OpImage %kind %s\n";
                ("%both = OpTypeSampledImage %kind\n", "%both", load)
            }
            _ => ("", "%kind", "%img = OpLoad %kind %image\n"),
        };
        let _ = write!(
            out,
            "OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
             %void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n\
             %float = OpTypeFloat 32\n%uint3 = OpTypeVector %uint 3\n%in = OpTypePointer Input %uint3\n\
             %id = OpVariable %in Input\n%list = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %list\n\
             %pblock = OpTypePointer Uniform %block\n%pword = OpTypePointer Uniform %uint\n\
             %words = OpVariable %pblock Uniform\n%given = OpVariable %pblock Uniform\n%int2 = OpTypeVector %int 2\n\
             %int3 = OpTypeVector %int 3\n%float2 = OpTypeVector %float 2\n%texel = OpTypeVector %{scalar} 4\n\
             %kind = OpTypeImage %{scalar} {dim} 0 {arrayed} 0 {sampled} {format}\n{both}\
             %pimage = OpTypePointer UniformConstant {kind}\n%image = OpVariable %pimage UniformConstant\n\
             %ptexel = OpTypePointer Image %{scalar}\n%f0 = OpConstant %float 0\n"
        );
        for n in 0..9 {
            let _ = write!(out, "%c{n} = OpConstant %uint {n}\n%n{n} = OpConstant %int {n}\n");
        }
        let _ = write!(
            out,
            "%main = OpFunction %void None %function\n%entry = OpLabel\n%ids = OpLoad %uint3 %id\n\
             %lane = OpCompositeExtract %uint %ids 0\n%x = OpBitcast %int %lane\n{load}{body}OpReturn\nOpFunctionEnd\n"
        );
        out
    }

    fn job<'a>(&self, words: &'a [u32]) -> Job<'a> {
        let left = Buffer::storage(0, 0, vec![0x5555_5555; (LANES * self.left.max(1)) as usize]);
        let buffers = vec![left, Buffer::storage(0, 2, self.given.clone())];
        Job { words, buffers, images: vec![self.image.clone()], ..Job::default() }
    }
}

/// Leaves components of a vector, of `count` words that an invocation leaves, from `first` on.
fn leave(vector: &str, scalar: &str, comps: u32, first: u32, count: u32) -> String {
    let mut out = format!("%m{first} = OpIMul %uint %lane %c{count}\n");
    for n in 0..comps {
        let at = first + n;
        let extract = match comps {
            1 => format!("%e{at} = OpCopyObject %{scalar} {vector}\n"),
            _ => format!("%e{at} = OpCompositeExtract %{scalar} {vector} {n}\n"),
        };
        let cast = if scalar == "uint" { "OpCopyObject" } else { "OpBitcast" };
        let _ = write!(
            out,
            "{extract}%w{at} = {cast} %uint %e{at}\n%i{at} = OpIAdd %uint %m{first} %c{at}\n\
             %p{at} = OpAccessChain %pword %words %c0 %i{at}\nOpStore %p{at} %w{at}\n"
        );
    }
    out
}

/// `%t`, a vector of four given words of the invocation.
fn given(scalar: &str) -> String {
    let mut out = "%g = OpIMul %uint %lane %c4\n".to_string();
    for n in 0..4 {
        let _ = write!(
            out,
            "%gi{n} = OpIAdd %uint %g %c{n}\n%gp{n} = OpAccessChain %pword %given %c0 %gi{n}\n\
             %gw{n} = OpLoad %uint %gp{n}\n%gv{n} = OpBitcast %{scalar} %gw{n}\n"
        );
    }
    if scalar == "uint" {
        out = out.replace("OpBitcast %uint", "OpCopyObject %uint");
    }
    out + "%t = OpCompositeConstruct %texel %gv0 %gv1 %gv2 %gv3\n"
}

/// Formats as GLSL and as SPIR-V spell them, with bytes of a texel.
#[rustfmt::skip]
const FORMATS: [(&str, &str, u32); 39] = [
    ("rgba32f", "Rgba32f", 16), ("rgba16f", "Rgba16f", 8), ("r32f", "R32f", 4), ("rgba8", "Rgba8", 4),
    ("rgba8_snorm", "Rgba8Snorm", 4), ("rg32f", "Rg32f", 8), ("rg16f", "Rg16f", 4), ("r11f_g11f_b10f", "R11fG11fB10f", 4),
    ("r16f", "R16f", 2), ("rgba16", "Rgba16", 8), ("rgb10_a2", "Rgb10A2", 4), ("rg16", "Rg16", 4), ("rg8", "Rg8", 2),
    ("r16", "R16", 2), ("r8", "R8", 1), ("rgba16_snorm", "Rgba16Snorm", 8), ("rg16_snorm", "Rg16Snorm", 4),
    ("rg8_snorm", "Rg8Snorm", 2), ("r16_snorm", "R16Snorm", 2), ("r8_snorm", "R8Snorm", 1), ("rgba32i", "Rgba32i", 16),
    ("rgba16i", "Rgba16i", 8), ("rgba8i", "Rgba8i", 4), ("r32i", "R32i", 4), ("rg32i", "Rg32i", 8), ("rg16i", "Rg16i", 4),
    ("rg8i", "Rg8i", 2), ("r16i", "R16i", 2), ("r8i", "R8i", 1), ("rgba32ui", "Rgba32ui", 16), ("rgba16ui", "Rgba16ui", 8),
    ("rgba8ui", "Rgba8ui", 4), ("r32ui", "R32ui", 4), ("rgb10_a2ui", "Rgb10a2ui", 4), ("rg32ui", "Rg32ui", 8),
    ("rg16ui", "Rg16ui", 4), ("rg8ui", "Rg8ui", 2), ("r16ui", "R16ui", 2), ("r8ui", "R8ui", 1),
];

fn scalar_of(format: &str) -> &'static str {
    match format {
        _ if format.ends_with("ui") => "uint",
        _ if format.ends_with('i') => "int",
        _ => "float",
    }
}

/// Words of every kind: special floats, small integers, and mixed bits.
fn mixed(count: u32, seed: u32) -> Vec<u32> {
    const SPECIAL: [u32; 16] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x3f00_0000,
        0x4000_0000,
        0x3300_0000,
        1,
        255,
        256,
        65535,
        0x477f_f000,
        0xffff_ffff,
        0x3eff_ffff,
    ];
    (0..count)
        .map(|n| {
            let mixed = (n ^ seed).wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca77);
            match n % 3 {
                0 => SPECIAL[(mixed >> 8) as usize % SPECIAL.len()],
                // From -2 to 2.
                1 => ((mixed >> 9) as f32 / (1 << 21) as f32 - 2.0).to_bits(),
                _ => mixed ^ mixed >> 15,
            }
        })
        .collect()
}

fn flat(used: Use, dim: u32, format: &'static str, bytes: u32, size: [u32; 3]) -> Image {
    let texels: u32 = size.iter().product();
    let words = mixed((texels * bytes).div_ceil(4), bytes);
    Image { set: 0, binding: 1, used, dim, arrayed: false, size, format, words }
}

fn programs() -> Vec<Program> {
    let mut out = Vec::new();
    let program = |name: String, image: Image, format: &str, left, body: String| {
        let scalar = scalar_of(image.format);
        Program { name, image, scalar, format: format.to_string(), body, left, given: mixed(4 * LANES, 77) }
    };
    for (format, spelled, bytes) in FORMATS {
        let scalar = scalar_of(format);
        let line = |used| flat(used, 1, format, bytes, [LANES, 1, 1]);
        let read = format!("%r = OpImageRead %texel %img %x\n{}", leave("%r", scalar, 4, 0, 4));
        let fetch =
            |operands: &str| format!("%r = OpImageFetch %texel %img %x {operands}\n{}", leave("%r", scalar, 4, 0, 4));
        let write = format!("{}OpImageWrite %img %x %t\n", given(scalar));
        out.push(program(format!("read {format}"), line(Use::Storage), spelled, 4, read.clone()));
        out.push(program(format!("write {format}"), line(Use::Storage), spelled, 1, write.clone()));
        out.push(program(format!("fetch {format}"), line(Use::Sampled), "Unknown", 4, fetch("Lod %n0")));
        out.push(program(format!("texels {format}"), line(Use::UniformTexels), "Unknown", 4, fetch("")));
        if matches!(format, "rgba8" | "rgba32f" | "rgba32ui" | "rgba16f" | "r32i") {
            out.push(program(format!("read {format} as it is"), line(Use::Storage), "Unknown", 4, read.clone()));
            out.push(program(format!("write {format} as it is"), line(Use::Storage), "Unknown", 1, write.clone()));
            out.push(program(format!("read texels {format}"), line(Use::StorageTexels), spelled, 4, read));
            out.push(program(format!("write texels {format}"), line(Use::StorageTexels), spelled, 1, write));
        }
    }
    // Places and sizes.
    let parts = "%a = OpBitwiseAnd %int %x %n3\n%b0 = OpShiftRightLogical %int %x %n2\n%b = OpBitwiseAnd %int %b0 %n3\n\
                 %d0 = OpShiftRightLogical %int %x %n4\n%d = OpBitwiseAnd %int %d0 %n3\n";
    for (dim, arrayed, size, coordinate, sides) in [
        (1, true, [64, 1, 3], "%a %b", 2),
        (2, false, [8, 16, 1], "%a %b0", 2),
        (2, true, [5, 6, 4], "%a %b %d", 3),
        (3, false, [5, 4, 7], "%a %b %d", 3),
        (6, false, [5, 5, 6], "%a %b %d", 2),
        (6, true, [4, 4, 12], "%a %b %d", 3),
    ] {
        let image = Image { arrayed, ..flat(Use::Storage, dim, "r32ui", 4, size) };
        let count = coordinate.split(' ').count();
        let place = format!("{parts}%at = OpCompositeConstruct %int{count} {coordinate}\n");
        let body = format!(
            "{place}%r = OpImageRead %texel %img %at\n%r0 = OpCompositeExtract %uint %r 0\n%q = OpImageQuerySize %int{sides} %img\n\
             {}{}",
            leave("%r0", "uint", 1, 0, 4),
            leave("%q", "int", sides, 1, 4)
        );
        let name = |what: &str| format!("{what} {dim}{}", if arrayed { " layers" } else { "" });
        out.push(program(name("place"), image.clone(), "R32ui", 4, body));
        let body =
            format!("{place}%t = OpCompositeConstruct %texel %lane %lane %lane %lane\nOpImageWrite %img %at %t\n");
        out.push(program(name("store"), image, "R32ui", 1, body));
    }
    // Outside.
    let away = "%s = OpIMul %int %x %n2\n%far = OpISub %int %s %n8\n";
    let image = || flat(Use::Storage, 1, "r32ui", 4, [LANES, 1, 1]);
    let body = format!("{away}%r = OpImageRead %texel %img %far\n{}", leave("%r", "uint", 4, 0, 4));
    out.push(program("read outside".into(), image(), "R32ui", 4, body));
    let body = format!("{away}{}OpImageWrite %img %far %t\n", given("uint"));
    out.push(program("write outside".into(), image(), "R32ui", 1, body));
    // Atomics whose sum does not depend on the order.
    for (name, scalar) in [
        ("IAdd", "uint"),
        ("And", "uint"),
        ("Or", "uint"),
        ("Xor", "uint"),
        ("UMin", "uint"),
        ("UMax", "uint"),
        ("SMin", "int"),
        ("SMax", "int"),
    ] {
        let (format, spelled) = if scalar == "int" { ("r32i", "R32i") } else { ("r32ui", "R32ui") };
        let body = format!(
            "{}%h = OpBitwiseAnd %int %x %n7\n%p = OpImageTexelPointer %ptexel %image %h %c0\n\
             %old = OpAtomic{name} %{scalar} %p %c1 %c0 %gv0\n",
            given(scalar)
        );
        out.push(program(format!("atomic {name}"), flat(Use::Storage, 1, format, 4, [LANES, 1, 1]), spelled, 1, body));
    }
    // Nearest sampling and queries of images with samplers.
    for (format, bytes) in [("rgba8ui", 4), ("rgba32i", 16), ("rgba32f", 16), ("rgba8", 4)] {
        let scalar = scalar_of(format);
        let image = flat(Use::Sampled, 2, format, bytes, [8, 8, 1]);
        let body = format!(
            "%fx = OpConvertUToF %float %lane\n%scaled = OpFMul %float %fx %step\n%at = OpCompositeConstruct %float2 %scaled %fx\n\
             %r = OpImageSampleExplicitLod %texel %s %at Lod %f0\n{}%q = OpImageQuerySizeLod %int2 %img %n0\n{}\
             %l = OpImageQueryLevels %int %img\n{}",
            leave("%r", scalar, 4, 0, 7),
            leave("%q", "int", 2, 4, 7),
            leave("%l", "int", 1, 6, 7)
        );
        let mut made = program(format!("sample {format}"), image, "Unknown", 7, body);
        // Eighths and their halves: texel centres and edges are exact.
        made.body = format!(
            "%sixteen = OpConvertUToF %float %c8\n%two = OpFAdd %float %sixteen %sixteen\n\
             %one = OpFDiv %float %two %two\n%step = OpFDiv %float %one %two\n{}",
            made.body
        );
        out.push(made);
    }
    out
}

/// How words differ from Mesa's, in which programs, and why.
struct Difference {
    /// How the names of the programs begin.
    verbs: &'static [&'static str],
    /// Whether it is about a format.
    of: fn(&str) -> bool,
    /// Whether a word of ours and theirs differ so.
    so: fn(u32, u32) -> bool,
    reason: &'static str,
}

fn is_normalised(format: &str) -> bool {
    scalar_of(format) == "float" && !format.ends_with('f') && !format.ends_with("b10f")
}

/// Whether fields of two words, from the lowest bit on, differ by a step at most, or are both NaN.
fn is_a_step(ours: u32, theirs: u32, widths: &[u32]) -> bool {
    let mut from = 0;
    widths.iter().all(|&width| {
        let field = |word: u32| word >> from & ((1 << width) - 1);
        let (ours, theirs) = (field(ours), field(theirs));
        from += width;
        let significand = if width == 16 { 10 } else { width - 5 };
        let is_nan = |word: u32| word >> significand & 31 == 31 && word & ((1 << significand) - 1) != 0;
        ours.wrapping_sub(theirs) <= 1 || is_nan(ours) && is_nan(theirs)
    })
}

const DIFFERENCES: [Difference; 5] = [
    Difference {
        verbs: &["read", "fetch", "texels", "sample"],
        of: is_normalised,
        so: |ours, theirs| ours.abs_diff(theirs) == 1,
        reason: "Mesa multiplies by the rounded reciprocal of the largest number instead of dividing",
    },
    Difference {
        verbs: &["write"],
        of: is_normalised,
        so: |ours, theirs| ours & theirs == ours,
        reason: "Mesa makes 1 of NaN: Vulkan asks for 0",
    },
    Difference {
        verbs: &["write"],
        of: |format| format.contains("16f"),
        so: |ours, theirs| is_a_step(ours, theirs, &[16, 16]),
        reason: "Mesa cuts what halves have no room for, which Vulkan allows",
    },
    Difference {
        verbs: &["write"],
        of: |format| format == "r11f_g11f_b10f",
        so: |ours, theirs| is_a_step(ours, theirs, &[11, 11, 10]),
        reason: "Mesa cuts what small floats have no room for, which Vulkan allows",
    },
    Difference {
        verbs: &["sample"],
        of: |format| format == "rgba32f",
        so: |ours, theirs| f32::from_bits(ours).is_nan() && f32::from_bits(theirs).is_nan(),
        reason: "a NaN that is sampled has always the same bits here",
    },
];

/// Same words on both sides.
#[test]
fn images_are_those_of_mesa() {
    let Some(device) = device() else { return };
    let device = device.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let only = std::env::var("PARALLAX_VULKAN_ONLY").unwrap_or_default();
    let names = std::env::var_os("PARALLAX_VULKAN_NAMES").is_some();
    let (mut wrong, mut equal, mut used) = (Vec::new(), 0, [0; DIFFERENCES.len()]);
    for program in programs().iter().filter(|program| program.name.contains(&only)) {
        if names {
            eprintln!("{}", program.name);
        }
        let words = assembled(&program.name, &program.text());
        let job = program.job(&words);
        let ours = emulate(&job, &model()).unwrap_or_else(|e| panic!("{}: {e}\n{}", program.name, program.text()));
        let theirs = device.run(&job).unwrap_or_else(|problem| panic!("{}: {problem}", program.name));
        let fits = |row: &Difference| {
            row.verbs.iter().any(|verb| program.name.starts_with(verb)) && (row.of)(program.image.format)
        };
        let (mut differ, mut unknown) = (false, None);
        for (n, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(ours.len(), theirs.len(), "{}", program.name);
            for (at, (a, b)) in ours.iter().zip(theirs).enumerate().filter(|(_, (a, b))| a != b) {
                differ = true;
                match DIFFERENCES.iter().position(|row| fits(row) && (row.so)(*a, *b)) {
                    Some(row) => used[row] += 1,
                    None => unknown = unknown.or(Some(format!("{n}[{at}]: {a:08x}, there {b:08x}"))),
                }
            }
        }
        equal += usize::from(!differ);
        wrong.extend(unknown.map(|first| format!("{}: {first}", program.name)));
    }
    assert!(wrong.is_empty(), "{} programs differ, {equal} are equal:\n{}", wrong.len(), wrong.join("\n"));
    if only.is_empty() {
        for (row, used) in DIFFERENCES.iter().zip(used) {
            assert!(used > 0, "nothing differs any more: {}", row.reason);
        }
        // Those that neither divide nor round.
        assert!(equal >= 140, "{equal}");
    }
}

/// What the tests run is valid.
#[test]
fn programs_are_valid() {
    let Ok(found) = std::process::Command::new("spirv-val").arg("--version").output() else {
        return eprintln!("skipped: no spirv-val");
    };
    assert!(found.status.success());
    let folder = std::env::temp_dir().join(format!("parallax-images-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut wrong = Vec::new();
    for (n, program) in programs().iter().enumerate() {
        let words = assembled(&program.name, &program.text());
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let path = folder.join(format!("{n}.spv"));
        std::fs::write(&path, bytes).expect("a file");
        let target = ["--target-env", "vulkan1.1"];
        let found = std::process::Command::new("spirv-val").args(target).arg(&path).output().expect("spirv-val runs");
        if !found.status.success() {
            wrong.push(format!("{}: {}", program.name, String::from_utf8_lossy(&found.stderr)));
        }
    }
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
