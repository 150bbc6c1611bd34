//! Modules that look up an image, and images as devices get them.

use parallax_core::{TexMode, TexTarget};
use parallax_random::Random;
use parallax_texture::{Image, TexelFormat, srgb_number};
use std::fmt::Write;

/// Numbers that a lookup is given: s, t, r, the layer, the level or the bias, the reference, and six derivatives.
pub(crate) const GIVEN: u32 = 12;

/// Texel offsets of lookups that have some.
pub(crate) const OFFSET: [i8; 3] = [3, -2, 1];

/// Side of the square of pixels that a fragment module is drawn to.
pub(crate) const SIDE: u32 = 48;

/// What is looked up, and how.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    pub(crate) target: TexTarget,
    pub(crate) mode: TexMode,
    pub(crate) offset: bool,
}

pub(crate) const fn kind(name: &'static str, target: TexTarget, mode: TexMode, offset: bool) -> Kind {
    Kind { name, target, mode, offset }
}

/// Which invocation reads which numbers, and where its result goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Those of its number, to a buffer.
    Compute,
    /// Those of the number of its pixel, to the pixel.
    Fragment,
}

/// Looks up an image as the numbers say that are given, and leaves the four components.
pub(crate) fn program(kind: Kind, stage: Stage) -> String {
    let (target, count) = (kind.target, kind.target.coordinates());
    let dim = if target.is_cube() { "Cube" } else { ["1D", "2D", "3D"][count - 1] };
    let (depth, arrayed) = (u32::from(target.is_shadow()), u32::from(target.is_array()));
    let mut out = String::from(
        "OpCapability Shader\nOpCapability Sampled1D\nOpCapability SampledCubeArray\nOpCapability ImageQuery\n\
         OpCapability ImageGatherExtended\nOpMemoryModel Logical GLSL450\n",
    );
    out += match stage {
        Stage::Compute => {
            "OpEntryPoint GLCompute %main \"main\" %id\nOpExecutionMode %main LocalSize 64 1 1\n\
             OpDecorate %id BuiltIn GlobalInvocationId\nOpDecorate %left DescriptorSet 0\nOpDecorate %left Binding 0\n"
        }
        Stage::Fragment => {
            "OpEntryPoint Fragment %main \"main\" %id %left\nOpExecutionMode %main OriginUpperLeft\n\
             OpDecorate %id BuiltIn FragCoord\nOpDecorate %left Location 0\n"
        }
    };
    out += "OpDecorate %image DescriptorSet 0\n\
         OpDecorate %image Binding 1\nOpDecorate %given DescriptorSet 0\nOpDecorate %given Binding 2\n\
         OpDecorate %block BufferBlock\nOpMemberDecorate %block 0 Offset 0\nOpDecorate %list ArrayStride 4\n\
         %void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%int = OpTypeInt 32 1\n\
         %float = OpTypeFloat 32\n\
         %uint3 = OpTypeVector %uint 3\n%list = OpTypeRuntimeArray %float\n%block = OpTypeStruct %list\n\
         %pblock = OpTypePointer Uniform %block\n%pfloat = OpTypePointer Uniform %float\n%given = OpVariable %pblock Uniform\n\
         %f2 = OpTypeVector %float 2\n%f3 = OpTypeVector %float 3\n%i2 = OpTypeVector %int 2\n%i3 = OpTypeVector %int 3\n\
         %f4 = OpTypeVector %float 4\n";
    out += match stage {
        Stage::Compute => {
            "%in = OpTypePointer Input %uint3\n%id = OpVariable %in Input\n%left = OpVariable %pblock Uniform\n"
        }
        Stage::Fragment => {
            "%in = OpTypePointer Input %f4\n%id = OpVariable %in Input\n%pleft = OpTypePointer Output %f4\n\
             %left = OpVariable %pleft Output\n"
        }
    };
    let _ = writeln!(out, "%kind = OpTypeImage %float {dim} {depth} {arrayed} 0 1 Unknown");
    out += "%both = OpTypeSampledImage %kind\n%pimage = OpTypePointer UniformConstant %both\n\
         %image = OpVariable %pimage UniformConstant\n%four = OpConstant %uint 4\n%zero = OpConstant %float 0\n";
    for n in 0..GIVEN {
        let _ = writeln!(out, "%c{n} = OpConstant %uint {n}");
    }
    let _ = writeln!(out, "%stride = OpConstant %uint {GIVEN}\n%side = OpConstant %uint {SIDE}");
    for (n, offset) in OFFSET.iter().enumerate() {
        let _ = writeln!(out, "%o{n} = OpConstant %int {offset}");
    }
    out += "%off2 = OpConstantComposite %i2 %o0 %o1\n%off3 = OpConstantComposite %i3 %o0 %o1 %o2\n\
         %main = OpFunction %void None %function\n%entry = OpLabel\n";
    out += match stage {
        Stage::Compute => "%ids = OpLoad %uint3 %id\n%lane = OpCompositeExtract %uint %ids 0\n",
        Stage::Fragment => {
            "%pixel = OpLoad %f4 %id\n%px = OpCompositeExtract %float %pixel 0\n%py = OpCompositeExtract %float %pixel 1\n\
             %column = OpConvertFToU %uint %px\n%row = OpConvertFToU %uint %py\n%before = OpIMul %uint %row %side\n\
             %lane = OpIAdd %uint %before %column\n"
        }
    };
    out += "%first = OpIMul %uint %lane %stride\n%s = OpLoad %both %image\n";
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
    let (asked, asked_name) = vector("asked", &parts);
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
    let whole = "%r = OpCompositeConstruct %f4 %d %d %d %d";
    let _ = match (kind.mode, target.is_shadow()) {
        (TexMode::Implicit, false) => {
            writeln!(out, "%r = OpImageSampleImplicitLod %f4 %s {place_name}{}", moved(""))
        }
        (TexMode::Bias, false) => {
            writeln!(out, "%r = OpImageSampleImplicitLod %f4 %s {place_name}{}", moved(" Bias %g4"))
        }
        (TexMode::Level, false) => {
            writeln!(out, "%r = OpImageSampleExplicitLod %f4 %s {place_name}{}", moved(" Lod %g4"))
        }
        (TexMode::Grad, false) => writeln!(
            out,
            "%r = OpImageSampleExplicitLod %f4 %s {place_name}{}",
            moved(&format!(" Grad {across_name} {down_name}"))
        ),
        (TexMode::Detail, _) => writeln!(
            out,
            "{asked}%q = OpImageQueryLod %f2 %s {asked_name}\n%q0 = OpCompositeExtract %float %q 0\n\
             %q1 = OpCompositeExtract %float %q 1\n%r = OpCompositeConstruct %f4 %q0 %q1 %zero %zero"
        ),
        (TexMode::Implicit, true) => {
            writeln!(out, "%d = OpImageSampleDrefImplicitLod %float %s {place_name} %g5{}\n{whole}", moved(""))
        }
        (TexMode::Level, true) => {
            writeln!(out, "%d = OpImageSampleDrefExplicitLod %float %s {place_name} %g5{}\n{whole}", moved(" Lod %g4"))
        }
        (_, true) => writeln!(out, "%r = OpImageDrefGather %f4 %s {place_name} %g5{}", moved("")),
        (mode, false) => {
            let comp = mode.gathered().expect("a gather");
            writeln!(out, "%r = OpImageGather %f4 %s {place_name} %c{comp}{}", moved(""))
        }
    };
    if stage == Stage::Fragment {
        return out + "OpStore %left %r\nOpReturn\nOpFunctionEnd\n";
    }
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
pub(crate) fn derivative(random: &mut Random, size: u32) -> f32 {
    let scale = (random.below(80) as f32 / 10.0 - 4.0).exp2();
    let number = scale * (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) / size as f32;
    if random.below(8) == 0 { 0.0 } else { number }
}

/// The word for a format in manifests.
pub(crate) fn name(format: TexelFormat) -> &'static str {
    match format {
        TexelFormat::Rgba8 => "rgba8",
        TexelFormat::Srgb8 => "srgb8",
        TexelFormat::Stored(_) => "rgba16f",
        _ => "rgba32f",
    }
}

pub(crate) fn is_nan(word: u32) -> bool {
    f32::from_bits(word).is_nan()
}

/// The texels of all levels as a device gets them.
pub(crate) fn words_of(image: &Image, format: TexelFormat, target: TexTarget) -> Vec<u32> {
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
