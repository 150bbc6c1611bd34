//! Blending of lavapipe against that of the model: bytes, which it blends in integers, and binary32.
//!
//! `PARALLAX_RECORD_BLENDS=FILE` writes some of the device's results as lines for `runtime/engine/tests/blends.tsv`.

use crate::compare::{assembled, device, model};
use parallax::{
    Blend, BlendTerm, Control, Draw, Engine, Equation, Factor, LoadOptions, Optimise, Target, Targets, Workers,
    compile, load, run_draw,
};
use parallax_random::Random;
use parallax_texture::{Filter, Image, Sampler, Unit};
use parallax_vulkan::{Buffer, DrawJob, TargetKind};
use std::fmt::Write;
use std::sync::Arc;

const SIDE: u32 = 32;

/// A triangle over everything.
pub(crate) const VERTEX: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main \"main\" %index %out
OpDecorate %index BuiltIn VertexIndex
OpDecorate %block Block
OpMemberDecorate %block 0 BuiltIn Position
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%bool = OpTypeBool
%pin = OpTypePointer Input %int
%index = OpVariable %pin Input
%block = OpTypeStruct %float4
%pblock = OpTypePointer Output %block
%out = OpVariable %pblock Output
%pout = OpTypePointer Output %float4
%c0 = OpConstant %int 0
%c1 = OpConstant %int 1
%c2 = OpConstant %int 2
%minus = OpConstant %float -1
%three = OpConstant %float 3
%zero = OpConstant %float 0
%one = OpConstant %float 1
%main = OpFunction %void None %function
%entry = OpLabel
%n = OpLoad %int %index
%second = OpIEqual %bool %n %c1
%third = OpIEqual %bool %n %c2
%x = OpSelect %float %second %three %minus
%y = OpSelect %float %third %three %minus
%place = OpCompositeConstruct %float4 %x %y %zero %one
%to = OpAccessChain %pout %out %c0
OpStore %to %place
OpReturn
OpFunctionEnd
";

/// The colour of each pixel from a buffer.
const FRAGMENT: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %at %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %at BuiltIn FragCoord
OpDecorate %out Location 0
OpDecorate %given DescriptorSet 0
OpDecorate %given Binding 0
OpDecorate %block BufferBlock
OpMemberDecorate %block 0 Offset 0
OpDecorate %list ArrayStride 16
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%float4 = OpTypeVector %float 4
%list = OpTypeRuntimeArray %float4
%block = OpTypeStruct %list
%pblock = OpTypePointer Uniform %block
%given = OpVariable %pblock Uniform
%pcolor = OpTypePointer Uniform %float4
%pin = OpTypePointer Input %float4
%at = OpVariable %pin Input
%pout = OpTypePointer Output %float4
%out = OpVariable %pout Output
%c0 = OpConstant %uint 0
%side = OpConstant %uint 32
%main = OpFunction %void None %function
%entry = OpLabel
%place = OpLoad %float4 %at
%x = OpCompositeExtract %float %place 0
%y = OpCompositeExtract %float %place 1
%column = OpConvertFToU %uint %x
%row = OpConvertFToU %uint %y
%before = OpIMul %uint %row %side
%n = OpIAdd %uint %before %column
%from = OpAccessChain %pcolor %given %c0 %n
%color = OpLoad %float4 %from
OpStore %out %color
OpReturn
OpFunctionEnd
";

/// The same of a texture.
const OURS: &str = "FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: TEX OUT[0], IN[0], SAMP[0], 2D
  1: END
";

/// What the model leaves of colours: the words of the target, pixel by pixel.
fn ours(colors: &[[f32; 4]], target: Target, blend: Blend) -> Vec<[u32; 4]> {
    let shader = load("blend.tgsi", OURS.as_bytes(), &LoadOptions::default()).shader.expect("a program");
    let compiled = compile(&shader, &model(), Optimise::Yes, Engine::Auto).expect("a program");
    let mut draw = Draw::defaults(&compiled.shader.func.iface).expect("a draw");
    (draw.width, draw.height) = (SIDE, SIDE);
    draw.attributes[0] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
        .map(|[s, t]: [f32; 2]| [s.to_bits(), t.to_bits(), 0, 0])
        .to_vec();
    let image = Image::rgba32f(SIDE, SIDE, colors.iter().map(|color| color.map(f32::to_bits)).collect());
    let sampler = Sampler { filter: Filter::Nearest, ..Sampler::default() };
    draw.textures.set(0, Unit::Image { image: Arc::new(image.expect("an image")), sampler });
    draw.targets = Targets { every: Some(target), ..Targets::default() };
    draw.merge.blend = Some(blend);
    let frame = run_draw(&compiled, &draw, &Workers::serial(), Control::default()).expect("a frame");
    let word = |at: usize, comp: usize| frame.channels[comp].stored.as_ref().expect("a target").words.get(at) as u32;
    (0..frame.pixels()).map(|at| std::array::from_fn(|comp| word(at, comp))).collect()
}

/// 1 minus a factor.
fn rest(factor: Factor) -> Factor {
    match factor {
        Factor::Zero => Factor::One,
        Factor::One => Factor::Zero,
        Factor::SrcColor => Factor::OneMinusSrcColor,
        Factor::OneMinusSrcColor => Factor::SrcColor,
        Factor::DstColor => Factor::OneMinusDstColor,
        Factor::OneMinusDstColor => Factor::DstColor,
        Factor::SrcAlpha => Factor::OneMinusSrcAlpha,
        Factor::OneMinusSrcAlpha => Factor::SrcAlpha,
        Factor::DstAlpha => Factor::OneMinusDstAlpha,
        Factor::OneMinusDstAlpha => Factor::DstAlpha,
        Factor::ConstantColor => Factor::OneMinusConstantColor,
        Factor::OneMinusConstantColor => Factor::ConstantColor,
        Factor::ConstantAlpha => Factor::OneMinusConstantAlpha,
        Factor::OneMinusConstantAlpha => Factor::ConstantAlpha,
        Factor::SrcAlphaSaturate => Factor::SrcAlphaSaturate,
    }
}

fn color(random: &mut Random) -> [f32; 4] {
    let mut one = || match random.below(4) {
        0 => random.below(256) as f32 / 255.0,
        1 => random.pick(&[0.0, 1.0, 0.5, -0.25, 1.5, 1.0 / 512.0]),
        _ => random.below(1 << 24) as f32 / (1 << 24) as f32,
    };
    [one(), one(), one(), one()]
}

#[test]
fn blends_are_those_of_mesa() {
    let Some(device) = device() else { return };
    let device = device.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (vertex, fragment) = (assembled("vertex", VERTEX), assembled("fragment", FRAGMENT));
    let mut random = Random::new(17);
    let (mut tried, mut wrong, mut told, mut lines) = (0, 0, Vec::new(), String::new());
    for case in 0..180usize {
        let (kind, target) = match case % 3 {
            0 | 1 => (TargetKind::Byte, Target::Unorm8),
            _ => (TargetKind::Float, Target::Fp32),
        };
        let factor = |random: &mut Random| random.pick(&Factor::NAMES).1;
        let mut term = |n: usize| {
            let source = if n < Factor::NAMES.len() { Factor::NAMES[n].1 } else { factor(&mut random) };
            // Drivers treat equal factors apart, and those whose sum is 1.
            let destination = match random.below(4) {
                0 => source,
                1 => rest(source),
                _ => factor(&mut random),
            };
            BlendTerm {
                source,
                // As a factor of the destination it is no factor of Direct3D 9.
                destination: if destination == Factor::SrcAlphaSaturate {
                    Factor::OneMinusSrcAlpha
                } else {
                    destination
                },
                equation: if random.below(2) == 0 { random.pick(&Equation::NAMES).1 } else { Equation::Add },
            }
        };
        let (of_color, of_alpha) = (term(case / 3), term(case / 3 + 7));
        let background = color(&mut random).map(|v| v.clamp(0.0, 1.0));
        let constant = color(&mut random).map(|v| v.clamp(0.0, 1.0));
        let blend = Blend { color: of_color, alpha: of_alpha, constant, background };
        let colors: Vec<[f32; 4]> = (0..SIDE * SIDE).map(|_| color(&mut random)).collect();
        let words = colors.iter().flatten().map(|value| value.to_bits()).collect();
        let job = DrawJob {
            vertex: &vertex,
            fragment: &fragment,
            vertices: 3,
            size: [SIDE; 2],
            targets: kind,
            colours: 1,
            depths: [0.0, 1.0],
            clamps_depth: false,
            buffers: vec![Buffer::storage(0, 0, words)],
            textures: Vec::new(),
            images: Vec::new(),
            blend: Some(blend),
        };
        let theirs = device.draw(&job).unwrap_or_else(|problem| panic!("{problem}")).colours.remove(0);
        let ours = ours(&colors, target, blend);
        let mut here = 0;
        for (n, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            tried += 1;
            if ours != theirs {
                here += 1;
                if here == 1 {
                    told.push(format!("{target:?} {blend:?} of {:?}: {ours:x?}, there {theirs:x?}", colors[n]));
                }
            }
            if n < 2 {
                let name = |factor: Factor| Factor::NAMES.iter().find(|(_, known)| *known == factor).expect("a name").0;
                let _ = write!(lines, "{}", if kind == TargetKind::Byte { "unorm8" } else { "fp32" });
                for term in [of_color, of_alpha] {
                    let equation = Equation::NAMES.iter().find(|(_, known)| *known == term.equation).expect("a name").0;
                    let _ = write!(lines, "\t{}\t{}\t{equation}", name(term.source), name(term.destination));
                }
                let numbers = constant.iter().chain(&background).chain(&colors[n]).map(|value| value.to_bits());
                for word in numbers.chain(theirs.iter().copied()) {
                    let _ = write!(lines, "\t{word:x}");
                }
                lines.push('\n');
            }
        }
        wrong += here;
        if here > 0 {
            told.push(format!("  {here} of {} pixels", ours.len()));
        }
    }
    if let Some(path) = std::env::var_os("PARALLAX_RECORD_BLENDS") {
        std::fs::write(path, lines).expect("a file that can be written");
    }
    told.truncate(30);
    assert!(wrong == 0, "{wrong} of {tried} pixels differ:\n{}", told.join("\n"));
}
