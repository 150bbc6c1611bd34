//! Filtered lookups of lavapipe against those of the model: images of bytes, which it blends in integers, and of binary32.
//!
//! `PARALLAX_RECORD=FILE` writes some of the device's results as lines for `runtime/texture/tests/llvmpipe.tsv`.

use crate::compare::{assembled, device, model};
use parallax_core::exec::{TexQuad, Textures};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_random::Random;
use parallax_texture::{Filter, Mip, Pattern, Sampler, TexelFormat, TextureSet, Unit, Wrap};
use parallax_vulkan::{Buffer, Filtering, Image as DeviceImage, Job, Use};
use std::fmt::Write;
use std::sync::Arc;

/// Lookups of a program.
const LANES: u32 = 64;

/// Looks up an image at coordinates and levels that are given, and leaves the four components.
fn program() -> String {
    let mut out = String::from(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %id\n\
         OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n\
         OpDecorate %left DescriptorSet 0\nOpDecorate %left Binding 0\nOpDecorate %image DescriptorSet 0\n\
         OpDecorate %image Binding 1\nOpDecorate %given DescriptorSet 0\nOpDecorate %given Binding 2\n\
         OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
         %void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%float = OpTypeFloat 32\n\
         %uint3 = OpTypeVector %uint 3\n%in = OpTypePointer Input %uint3\n%id = OpVariable %in Input\n\
         %list = OpTypeRuntimeArray %float\n%block = OpTypeStruct %list\n%pblock = OpTypePointer Uniform %block\n\
         %pfloat = OpTypePointer Uniform %float\n%left = OpVariable %pblock Uniform\n%given = OpVariable %pblock Uniform\n\
         %float2 = OpTypeVector %float 2\n%texel = OpTypeVector %float 4\n%kind = OpTypeImage %float 2D 0 0 0 1 Unknown\n\
         %both = OpTypeSampledImage %kind\n%pimage = OpTypePointer UniformConstant %both\n\
         %image = OpVariable %pimage UniformConstant\n%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n\
         %c2 = OpConstant %uint 2\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n\
         %main = OpFunction %void None %function\n%entry = OpLabel\n%ids = OpLoad %uint3 %id\n\
         %lane = OpCompositeExtract %uint %ids 0\n%first = OpIMul %uint %lane %c4\n%s = OpLoad %both %image\n",
    );
    for n in 0..4 {
        let _ = writeln!(out, "%at{n} = OpIAdd %uint %first %c{n}");
    }
    for n in 0..3 {
        let _ = write!(out, "%p{n} = OpAccessChain %pfloat %given %c0 %at{n}\n%g{n} = OpLoad %float %p{n}\n");
    }
    out += "%place = OpCompositeConstruct %float2 %g0 %g1\n%r = OpImageSampleExplicitLod %texel %s %place Lod %g2\n";
    for n in 0..4 {
        let _ = write!(
            out,
            "%e{n} = OpCompositeExtract %float %r {n}\n%q{n} = OpAccessChain %pfloat %left %c0 %at{n}\nOpStore %q{n} %e{n}\n"
        );
    }
    out + "OpReturn\nOpFunctionEnd\n"
}

/// The word for a format in manifests.
fn word(format: TexelFormat) -> &'static str {
    match format {
        TexelFormat::Rgba8 => "rgba8",
        TexelFormat::Srgb8 => "srgb8",
        TexelFormat::Rgba32F => "rgba32f",
        other => unreachable!("{other:?} is not looked up here"),
    }
}

/// A number that coordinates may be: near the image, at texels and between them, far away.
pub(crate) fn coordinate(random: &mut Random, size: u32) -> f32 {
    match random.below(8) {
        0..3 => random.below(1 << 24) as f32 / (1 << 24) as f32,
        3..5 => random.below(1 << 24) as f32 / (1 << 21) as f32 - 4.0,
        // Of 1/512 texel, and a step beside it.
        5..7 => {
            let place = random.below(u64::from(size) * 1024) as f32 / 512.0 / size as f32 - 0.5;
            f32::from_bits(place.to_bits().wrapping_add(random.below(3) as u32).wrapping_sub(1))
        }
        _ => random.pick(&[0.0, -0.0, 1.0, -1.0, 1e-30, -1e-30, 300.25, -1234.5]),
    }
}

#[test]
fn lookups_are_those_of_mesa() {
    let Some(device) = device() else { return };
    let device = device.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let words = assembled("textures", &program());
    let (rule, _) = model().texture();
    let mut random = Random::new(5);
    let (mut wrong, mut told, mut tried, mut lines) = (0, Vec::new(), 0, String::new());
    let sizes = [[4, 8], [5, 3], [1, 1], [16, 2], [37, 5], [256, 256], [3, 64]];
    for case in 0..280u32 {
        let [width, height] = sizes[case as usize % sizes.len()];
        let format =
            [TexelFormat::Rgba8, TexelFormat::Rgba8, TexelFormat::Rgba32F, TexelFormat::Srgb8][case as usize / 7 % 4];
        let drawn = |format| Pattern::Noise { seed: case }.draw(width, height, format).expect("a small image");
        let image = drawn(format);
        let has_levels = case % 2 != 0 && format != TexelFormat::Srgb8;
        let image = if has_levels { image.with_mipmaps(false) } else { image };
        // The same bytes, as numbers that say which.
        let codes = drawn(TexelFormat::Rgba8);
        let clamp = [random.below(2) == 0, random.below(2) == 0];
        let filter = random.pick(&[Filter::Linear, Filter::Linear, Filter::Nearest]);
        let mip = if random.below(2) == 0 { Mip::Linear } else { Mip::Nearest };
        let wrap = |clamp: bool| if clamp { Wrap::Clamp } else { Wrap::Repeat };
        let sampler =
            Sampler { filter, mip, wrap: [wrap(clamp[0]), wrap(clamp[1]), Wrap::Repeat], ..Sampler::default() };
        let filtering = Filtering {
            levels: image.levels(),
            linear: [filter == Filter::Linear; 2],
            blends_levels: mip == Mip::Linear,
            wrap: sampler.wrap,
            compares: false,
        };
        let mut texels = Vec::new();
        for level in 0..image.levels() {
            let [width, height, _] = image.size(level);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let of = if format == TexelFormat::Srgb8 { &codes } else { &image };
                let texel = of.texel(level, [x, y, 0]);
                match format {
                    TexelFormat::Rgba8 | TexelFormat::Srgb8 => {
                        let byte = |word: u32| (f32::from_bits(word) * 255.0 + 0.5) as u8;
                        texels.push(u32::from_le_bytes(texel.map(byte)));
                    }
                    _ => texels.extend(texel),
                }
            }
        }
        let levels = image.levels() as f32;
        let given: Vec<[f32; 4]> = (0..LANES)
            .map(|_| {
                let level = random.pick(&[0.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.5, -1.0, 0.00390624, 0.99999994])
                    + if random.below(2) == 0 { random.below(1 << 16) as f32 / (1 << 16) as f32 * levels } else { 0.0 };
                [coordinate(&mut random, width), coordinate(&mut random, height), level, 0.0]
            })
            .collect();
        let flat = |of: &[[f32; 4]]| of.iter().flatten().map(|v| v.to_bits()).collect::<Vec<u32>>();
        let job = Job {
            words: &words,
            buffers: vec![Buffer::storage(0, 0, vec![0; 4 * LANES as usize]), Buffer::storage(0, 2, flat(&given))],
            images: vec![DeviceImage {
                set: 0,
                binding: 1,
                used: Use::Filtered(filtering),
                dim: 2,
                arrayed: false,
                size: [width, height, 1],
                format: word(format),
                words: texels,
            }],
            ..Job::default()
        };
        let theirs = device.run(&job).unwrap_or_else(|problem| panic!("{problem}"));
        let mut set = TextureSet::default();
        set.set(0, Unit::Image { image: Arc::new(image), sampler });
        let op = TexOp::plain(0, TexTarget::D2, TexMode::Level);
        let op = TexOp { rule: rule.only(|field| op.reads(field)), ..op };
        for (lane, &[s, t, level, _]) in given.iter().enumerate() {
            let coords = [[s, t, 0.0, level].map(f32::to_bits); 4];
            let ours = set.sample(&op, &TexQuad { coords, ..TexQuad::default() })[0];
            let there = &theirs[0][4 * lane..4 * lane + 4];
            tried += 1;
            let about = || format!("{width} {height} {format:?} {filter:?} {mip:?} {clamp:?} {s} {t} {level}");
            if ours != there {
                wrong += 1;
                told.push(format!("{}: {ours:08x?}, there {there:08x?}", about()));
            }
            if lane < 2 {
                let name = |yes: bool, a: &'static str, b: &'static str| if yes { a } else { b };
                let _ = write!(
                    lines,
                    "{width}\t{height}\t{}\t{case}\t{}\t{}\t{}\t{}\t{}",
                    word(format),
                    name(filtering.levels > 1, "levels", "one"),
                    name(filter == Filter::Linear, "linear", "nearest"),
                    name(mip == Mip::Linear, "linear", "nearest"),
                    name(clamp[0], "clamp", "repeat"),
                    name(clamp[1], "clamp", "repeat"),
                );
                for word in [s, t, level].map(f32::to_bits).iter().chain(there) {
                    let _ = write!(lines, "\t{word:08x}");
                }
                lines.push('\n');
            }
        }
    }
    if let Some(path) = std::env::var_os("PARALLAX_RECORD") {
        std::fs::write(path, lines).expect("a file that can be written");
    }
    told.truncate(12);
    assert!(wrong == 0, "{wrong} of {tried} lookups differ:\n{}", told.join("\n"));
}
