//! Lookups of lavapipe in images of other shapes than flat ones, with offsets and derivatives, gathers and comparisons, against those of
//! the model; and the same, and more, of SwiftShader.
//!
//! `PARALLAX_RECORD_SHAPES=FILE` writes some of the device's results as lines for `runtime/texture/tests/shapes.tsv`, or
//! `swiftshader.tsv` there.

use crate::compare::{assembled, device, model};
use crate::swiftshader;
use crate::textures::coordinate;
use parallax_core::exec::{ImageFormat, TexQuad, Textures};
use parallax_core::num::{Model, TextureRule};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_random::Random;
use parallax_texture::{Filter, Image, Mip, Pattern, Sampler, TexelFormat, TextureSet, Unit, Wrap, srgb_number};
use parallax_vulkan::{Buffer, Device, Filtering, Image as DeviceImage, Job, Use};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Lookups of a program.
const LANES: u32 = 64;

/// Numbers that a lookup is given: s, t, r, the layer, the level, the reference, and six derivatives.
const GIVEN: u32 = 12;

/// What is looked up, and how.
#[derive(Copy, Clone, Debug)]
struct Kind {
    name: &'static str,
    target: TexTarget,
    mode: TexMode,
    offset: bool,
}

const fn kind(name: &'static str, target: TexTarget, mode: TexMode, offset: bool) -> Kind {
    Kind { name, target, mode, offset }
}

/// Of SwiftShader alone, before the others.
const FLAT: [Kind; 1] = [kind("flat", TexTarget::D2, TexMode::Level, false)];

const KINDS: [Kind; 21] = [
    kind("line", TexTarget::D1, TexMode::Level, false),
    kind("line, moved", TexTarget::D1, TexMode::Level, true),
    kind("line, derivatives", TexTarget::D1, TexMode::Grad, false),
    kind("array of lines", TexTarget::D1Array, TexMode::Level, false),
    kind("array of lines, moved", TexTarget::D1Array, TexMode::Level, true),
    kind("flat, moved", TexTarget::D2, TexMode::Level, true),
    kind("flat, derivatives", TexTarget::D2, TexMode::Grad, false),
    kind("flat, derivatives, moved", TexTarget::D2, TexMode::Grad, true),
    kind("array", TexTarget::D2Array, TexMode::Level, false),
    kind("array, moved", TexTarget::D2Array, TexMode::Level, true),
    kind("array, derivatives", TexTarget::D2Array, TexMode::Grad, false),
    kind("volume", TexTarget::D3, TexMode::Level, false),
    kind("volume, moved", TexTarget::D3, TexMode::Level, true),
    kind("volume, derivatives", TexTarget::D3, TexMode::Grad, false),
    kind("gather of red", TexTarget::D2, TexMode::GatherRed, false),
    kind("gather of alpha, moved", TexTarget::D2, TexMode::GatherAlpha, true),
    kind("gather from an array", TexTarget::D2Array, TexMode::GatherGreen, false),
    kind("shadow", TexTarget::Shadow2D, TexMode::Level, false),
    kind("shadow, moved", TexTarget::Shadow2D, TexMode::Level, true),
    kind("shadow in an array", TexTarget::Shadow2DArray, TexMode::Level, false),
    kind("gather of shadows", TexTarget::Shadow2D, TexMode::GatherRed, false),
];

const OFFSET: [i8; 3] = [3, -2, 1];

/// Looks up an image as the numbers say that are given, and leaves the four components.
fn program(kind: Kind) -> String {
    let (target, count) = (kind.target, kind.target.coordinates());
    let dim = ["1D", "2D", "3D"][count - 1];
    let (depth, arrayed) = (u32::from(target.is_shadow()), u32::from(target.is_array()));
    let mut out = String::from(
        "OpCapability Shader\nOpCapability Sampled1D\nOpCapability ImageGatherExtended\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\" %id\n\
         OpExecutionMode %main LocalSize 64 1 1\nOpDecorate %id BuiltIn GlobalInvocationId\n\
         OpDecorate %left DescriptorSet 0\nOpDecorate %left Binding 0\nOpDecorate %image DescriptorSet 0\n\
         OpDecorate %image Binding 1\nOpDecorate %given DescriptorSet 0\nOpDecorate %given Binding 2\n\
         OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
         %void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n\
         %float = OpTypeFloat 32\n\
         %uint3 = OpTypeVector %uint 3\n%in = OpTypePointer Input %uint3\n%id = OpVariable %in Input\n\
         %list = OpTypeRuntimeArray %float\n%block = OpTypeStruct %list\n%pblock = OpTypePointer Uniform %block\n\
         %pfloat = OpTypePointer Uniform %float\n%left = OpVariable %pblock Uniform\n%given = OpVariable %pblock Uniform\n\
         %f2 = OpTypeVector %float 2\n%f3 = OpTypeVector %float 3\n%i2 = OpTypeVector %int 2\n%i3 = OpTypeVector %int 3\n\
         %texel = OpTypeVector %float 4\n",
    );
    let _ = writeln!(out, "%kind = OpTypeImage %float {dim} {depth} {arrayed} 0 1 Unknown");
    out += "%both = OpTypeSampledImage %kind\n%pimage = OpTypePointer UniformConstant %both\n\
         %image = OpVariable %pimage UniformConstant\n%four = OpConstant %uint 4\n";
    for n in 0..GIVEN {
        let _ = writeln!(out, "%c{n} = OpConstant %uint {n}");
    }
    let _ = writeln!(out, "%stride = OpConstant %uint {GIVEN}");
    for (n, offset) in OFFSET.iter().enumerate() {
        let _ = writeln!(out, "%o{n} = OpConstant %int {offset}");
    }
    out += "%off2 = OpConstantComposite %i2 %o0 %o1\n%off3 = OpConstantComposite %i3 %o0 %o1 %o2\n\
         %main = OpFunction %void None %function\n%entry = OpLabel\n%ids = OpLoad %uint3 %id\n\
         %lane = OpCompositeExtract %uint %ids 0\n%first = OpIMul %uint %lane %stride\n%s = OpLoad %both %image\n";
    for n in 0..GIVEN {
        let _ = write!(
            out,
            "%at{n} = OpIAdd %uint %first %c{n}\n%p{n} = OpAccessChain %pfloat %given %c0 %at{n}\n%g{n} = OpLoad %float %p{n}\n"
        );
    }
    let vector = |name: &str, parts: &[String]| match parts.len() {
        1 => (String::new(), parts[0].clone()),
        n => (format!("%{name} = OpCompositeConstruct %f{n} {}\n", parts.join(" ")), format!("%{name}")),
    };
    let mut parts: Vec<String> = (0..count).map(|n| format!("%g{n}")).collect();
    let (across, across_name) = vector("across", &(0..count).map(|n| format!("%g{}", 6 + n)).collect::<Vec<_>>());
    let (down, down_name) = vector("down", &(0..count).map(|n| format!("%g{}", 9 + n)).collect::<Vec<_>>());
    if target.is_array() {
        parts.push("%g3".into());
    }
    let (place, place_name) = vector("place", &parts);
    out += &[across, down, place].concat();
    let offset = if count == 1 { "%o0".to_string() } else { format!("%off{count}") };
    let moved = |before: &str| match (kind.offset, before) {
        (false, "") => String::new(),
        (false, _) => before.to_string(),
        (true, "") => format!(" ConstOffset {offset}"),
        (true, _) => {
            let (word, ids) = before.trim().split_once(' ').expect("an operand");
            format!(" {word}|ConstOffset {ids} {offset}")
        }
    };
    let _ = match (kind.mode, target.is_shadow()) {
        (TexMode::Level, false) => {
            writeln!(out, "%r = OpImageSampleExplicitLod %texel %s {place_name}{}", moved(" Lod %g4"))
        }
        (TexMode::Grad, false) => writeln!(
            out,
            "%r = OpImageSampleExplicitLod %texel %s {place_name}{}",
            moved(&format!(" Grad {across_name} {down_name}"))
        ),
        (TexMode::Level, true) => writeln!(
            out,
            "%d = OpImageSampleDrefExplicitLod %float %s {place_name} %g5{}\n\
             %r = OpCompositeConstruct %texel %d %d %d %d",
            moved(" Lod %g4")
        ),
        (_, true) => writeln!(out, "%r = OpImageDrefGather %texel %s {place_name} %g5{}", moved("")),
        (mode, false) => {
            let comp = mode.gathered().expect("a gather");
            writeln!(out, "%r = OpImageGather %texel %s {place_name} %c{comp}{}", moved(""))
        }
    };
    out += "%to = OpIMul %uint %lane %four\n";
    for n in 0..4 {
        let _ = write!(
            out,
            "%e{n} = OpCompositeExtract %float %r {n}\n%t{n} = OpIAdd %uint %to %c{n}\n\
             %q{n} = OpAccessChain %pfloat %left %c0 %t{n}\nOpStore %q{n} %e{n}\n"
        );
    }
    out + "OpReturn\nOpFunctionEnd\n"
}

/// Derivatives from far below a texel to several.
fn derivative(random: &mut Random, size: u32) -> f32 {
    let scale = (random.below(80) as f32 / 10.0 - 4.0).exp2();
    let number = scale * (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) / size as f32;
    if random.below(8) == 0 { 0.0 } else { number }
}

/// The word for a format in manifests.
fn name(format: TexelFormat) -> &'static str {
    match format {
        TexelFormat::Rgba8 => "rgba8",
        TexelFormat::Srgb8 => "srgb8",
        TexelFormat::Stored(_) => "rgba16f",
        _ => "rgba32f",
    }
}

fn is_nan(word: u32) -> bool {
    f32::from_bits(word).is_nan()
}

fn words_of(image: &Image, format: TexelFormat, target: TexTarget) -> Vec<u32> {
    let mut texels = Vec::new();
    for level in 0..image.levels() {
        let [width, height, depth] = image.size(level);
        // Lines that are an array are images of one row each.
        for z in 0..depth {
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let texel = image.texel(level, [x, y, z]);
                match format {
                    TexelFormat::Rgba8 => {
                        texels.push(u32::from_le_bytes(texel.map(|word| (f32::from_bits(word) * 255.0 + 0.5) as u8)));
                    }
                    TexelFormat::Srgb8 => {
                        let color = |word: u32| {
                            let codes = 0..=u8::MAX;
                            codes.into_iter().find(|&code| srgb_number(code).to_bits() == word).expect("a code")
                        };
                        let [red, green, blue] = [0, 1, 2].map(|n| color(texel[n]));
                        let alpha = (f32::from_bits(texel[3]) * 255.0 + 0.5) as u8;
                        texels.push(u32::from_le_bytes([red, green, blue, alpha]));
                    }
                    TexelFormat::Stored(format) => {
                        let bits = format.encode(texel);
                        texels.extend([bits as u32, (bits >> 32) as u32]);
                    }
                    _ if target.is_shadow() => texels.push(texel[0]),
                    _ => texels.extend(texel),
                }
            }
        }
    }
    texels
}

#[test]
fn lookups_of_all_shapes_are_those_of_mesa() {
    let Some(device) = device() else { return };
    let device = device.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (rule, _) = model().texture();
    compare(&device, rule, &KINDS, false);
}

#[test]
fn lookups_of_all_shapes_are_those_of_swiftshader() {
    let Some(device) = swiftshader::device() else { return };
    let (rule, _) = Model::builtin("swiftshader").expect("a built-in model").texture();
    compare(&device, rule, &[&FLAT[..], &KINDS[..]].concat(), true);
}

/// Compares lookups of each kind; `all`: in images of sRGB and of halves, too, with every way of wrapping, with different filters for
/// magnification and minification, and at numbers far away; the bits of NaN are not compared there.
fn compare(device: &Device, rule: TextureRule, kinds: &[Kind], all: bool) {
    let mut random = Random::new(6);
    let mut counts: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    let half = ImageFormat::from_name("rgba16f").expect("a format");
    let (mut told, mut lines) = (Vec::new(), String::new());
    for (n, &kind) in kinds.iter().enumerate() {
        let words = assembled(kind.name, &program(kind));
        let (target, count) = (kind.target, kind.target.coordinates());
        let cases = if all { 64 } else { 24 };
        for case in 0..cases {
            let sides = [4, 5, 16, 37, 1, 64];
            let mut side = |yes: bool| if yes { random.pick(&sides) } else { 1 };
            let size = [side(true), side(count > 1), side(count > 2).min(16)];
            let layers = if target.is_array() { 5 } else { 1 };
            let format = match case % 2 {
                0 if all && !target.is_shadow() && case % 8 == 0 => TexelFormat::Srgb8,
                0 if !target.is_shadow() => TexelFormat::Rgba8,
                _ if all && !target.is_shadow() && case % 8 == 1 => TexelFormat::Stored(half),
                _ => TexelFormat::Rgba32F,
            };
            let whole = if count == 3 { size } else { [size[0], size[1], layers] };
            let image =
                Pattern::Noise { seed: case + 100 * n as u32 }.draw_volume(whole, format).expect("a small image");
            let has_levels = case % 4 > 1 && kind.mode.gathered().is_none();
            let image = if has_levels { image.with_mipmaps(count != 3) } else { image };
            let mut yes = || random.below(2) == 0;
            let clamp = [yes(), yes(), yes()];
            let (linear, blends_levels) = (yes() || yes(), yes());
            let wrap = match all {
                true => [0; 3].map(|_| random.pick(&[Wrap::Repeat, Wrap::Clamp, Wrap::Mirror, Wrap::Border])),
                false => clamp.map(|clamp| if clamp { Wrap::Clamp } else { Wrap::Repeat }),
            };
            // Borders keep images of bytes out of integers.
            let wrap =
                if all && case % 5 != 0 { wrap.map(|w| if w == Wrap::Border { Wrap::Clamp } else { w }) } else { wrap };
            let minified = if all && case % 6 == 0 { !linear } else { linear };
            let filter = |linear: bool| if linear { Filter::Linear } else { Filter::Nearest };
            let sampler = Sampler {
                filter: filter(linear),
                minify: (minified != linear).then(|| filter(minified)),
                mip: if blends_levels { Mip::Linear } else { Mip::Nearest },
                wrap,
                ..Sampler::default()
            };
            let filtering = Filtering {
                levels: image.levels(),
                linear: [linear, minified],
                blends_levels,
                wrap,
                compares: target.is_shadow(),
            };
            let levels = image.levels() as f32;
            let given: Vec<[f32; GIVEN as usize]> = (0..LANES)
                .map(|_| {
                    let level = random.pick(&[0.0, 0.25, 0.5, 1.0, 1.5, -1.0, 0.99999994])
                        + random.below(1 << 16) as f32 / (1 << 16) as f32 * levels;
                    let mut out = [0.0; GIVEN as usize];
                    for axis in 0..3 {
                        out[axis] = coordinate(&mut random, size[axis]);
                        if all && random.below(16) == 0 {
                            let far =
                                [1e-40, -1e-40, -1e-38, 3e9, -3e9, 40000.7, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
                            out[axis] = random.pick(&far);
                        }
                        out[6 + axis] = derivative(&mut random, size[axis]);
                        out[9 + axis] = derivative(&mut random, size[axis]);
                    }
                    out[3] = random.pick(&[0.0, 1.0, 2.4, 2.5, 3.5, -1.0, 9.0, 0.5]);
                    out[4] = level;
                    out[5] = random.below(1 << 24) as f32 / (1 << 24) as f32;
                    out
                })
                .collect();
            let flat = given.iter().flatten().map(|v| v.to_bits()).collect::<Vec<u32>>();
            let job = Job {
                words: &words,
                buffers: vec![Buffer::storage(0, 0, vec![0; 4 * LANES as usize]), Buffer::storage(0, 2, flat)],
                images: vec![DeviceImage {
                    set: 0,
                    binding: 1,
                    used: Use::Filtered(filtering),
                    dim: count as u32,
                    arrayed: target.is_array(),
                    size: whole,
                    format: match format {
                        _ if target.is_shadow() => "r32f",
                        format => name(format),
                    },
                    words: words_of(&image, format, target),
                }],
                ..Job::default()
            };
            let theirs = device.run(&job).unwrap_or_else(|problem| panic!("{}: {problem}", kind.name));
            let mut set = TextureSet::default();
            set.set(0, Unit::Image { image: Arc::new(image), sampler });
            let op = TexOp::plain(0, target, kind.mode);
            let op = TexOp { offset: if kind.offset { OFFSET } else { [0; 3] }, ..op };
            let op = TexOp { rule: rule.only(|field| op.reads(field)), ..op };
            for (lane, given) in given.iter().enumerate() {
                let bits = given.map(f32::to_bits);
                let quad = TexQuad {
                    coords: [[bits[0], bits[1], bits[2], bits[4]]; 4],
                    layer: [bits[3]; 4],
                    reference: [bits[5]; 4],
                    grads: [std::array::from_fn(|n| bits[6 + n]); 4],
                    ..TexQuad::default()
                };
                let mut ours = set.sample(&op, &quad)[0];
                if target.is_shadow() && kind.mode.gathered().is_none() {
                    ours = [ours[0]; 4];
                }
                let there = &theirs[0][4 * lane..4 * lane + 4];
                if lane == 0 && (!all || case % 3 == 0 && !there.iter().any(|&word| is_nan(word))) {
                    let word = |yes: bool| if yes { "linear" } else { "nearest" };
                    let (mip, minified) = (word(blends_levels), word(minified));
                    let filter =
                        if minified == word(linear) { minified.into() } else { format!("{},{minified}", word(linear)) };
                    let wraps = wrap.map(|wrap| format!("{wrap:?}").to_lowercase()).join("\t");
                    let [width, height, depth] = whole;
                    let offset = if kind.offset { "moved" } else { "fixed" };
                    let _ = write!(
                        lines,
                        "{}\t{}\t{offset}\t{width}\t{height}\t{depth}\t{}\t{}\t{has_levels}\t{filter}\t{mip}\t{wraps}",
                        target.name(),
                        kind.mode.name(),
                        name(format),
                        case + 100 * n as u32,
                    );
                    for word in bits.iter().chain(there) {
                        let _ = write!(lines, "\t{word:x}");
                    }
                    lines.push('\n');
                }
                let counted = counts.entry(kind.name).or_default();
                counted[0] += 1;
                let differs = |(a, b): (&u32, &u32)| a != b && !(all && is_nan(*a) && is_nan(*b));
                if ours.iter().zip(there).any(differs) {
                    counted[1] += 1;
                    if counted[1] < 3 {
                        told.push(format!(
                            "{} {size:?} {format:?} {:?} {:?} {:?} levels {levels} {given:?}: {ours:08x?}, there {there:08x?}",
                            kind.name, sampler.filter, sampler.mip, sampler.wrap
                        ));
                    }
                }
            }
        }
    }
    if let Some(path) = std::env::var_os("PARALLAX_RECORD_SHAPES") {
        std::fs::write(path, lines).expect("a file that can be written");
    }
    let wrong: Vec<_> = counts.iter().filter(|(_, [_, wrong])| *wrong > 0).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{}", told.join("\n"));
}
