//! Attributes and colours that a SPIR-V module lets be halves, against halves rounded in integers.

use parallax::{Control, Draw, Engine, Frame, Geometry, LoadOptions, Optimise, Workers, compile, load, run_draw};
use parallax_core::num::Model;
use parallax_random::Random;
use parallax_texture::{Filter, Image, Mip, Sampler, Unit, Wrap};
use std::sync::Arc;

/// Outputs are the inputs of the same locations: in mediump, in highp, flat in mediump, in mediump and the place of a lookup (output 4).
const MODULE: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %i0 %i1 %i2 %i3 %o0 %o1 %o2 %o3 %o4
OpExecutionMode %main OriginUpperLeft
OpDecorate %i0 Location 0
OpDecorate %i0 RelaxedPrecision
OpDecorate %i1 Location 1
OpDecorate %i2 Location 2
OpDecorate %i2 RelaxedPrecision
OpDecorate %i2 Flat
OpDecorate %i3 Location 3
OpDecorate %i3 RelaxedPrecision
OpDecorate %o0 Location 0
OpDecorate %o1 Location 1
OpDecorate %o2 Location 2
OpDecorate %o3 Location 3
OpDecorate %o4 Location 4
OpDecorate %t DescriptorSet 0
OpDecorate %t Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%vec = OpTypeVector %float 4
%pair = OpTypeVector %float 2
%in = OpTypePointer Input %vec
%out = OpTypePointer Output %vec
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%unit = OpTypePointer UniformConstant %sampled
%i0 = OpVariable %in Input
%i1 = OpVariable %in Input
%i2 = OpVariable %in Input
%i3 = OpVariable %in Input
%o0 = OpVariable %out Output
%o1 = OpVariable %out Output
%o2 = OpVariable %out Output
%o3 = OpVariable %out Output
%o4 = OpVariable %out Output
%t = OpVariable %unit UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%v0 = OpLoad %vec %i0
OpStore %o0 %v0
%v1 = OpLoad %vec %i1
OpStore %o1 %v1
%v2 = OpLoad %vec %i2
OpStore %o2 %v2
%v3 = OpLoad %vec %i3
OpStore %o3 %v3
%tv = OpLoad %sampled %t
%at = OpVectorShuffle %pair %v3 %v3 0 1
%v4 = OpImageSampleImplicitLod %vec %tv %at
OpStore %o4 %v4
OpReturn
OpFunctionEnd
";

/// A frame of one model, and the bits of an output's component.
fn drawn(model: &str, relaxed: &str, engine: Engine, quad: bool) -> Frame {
    drawn_by(MODULE, model, relaxed, engine, quad)
}

fn drawn_by(module: &str, model: &str, relaxed: &str, engine: Engine, quad: bool) -> Frame {
    let mut options = LoadOptions { isa: Some("spirv".into()), ..LoadOptions::default() };
    options.lift.settings.insert("relaxed".into(), relaxed.into());
    let loaded = load("m", module.as_bytes(), &options);
    let shader = loaded.shader.unwrap_or_else(|| panic!("{:#?}", loaded.diags));
    let model = Model::parse(model).unwrap_or_else(|e| panic!("{e}"));
    let compiled = compile(&shader, &model, Optimise::Yes, engine).expect("compiles");
    let mut draw = Draw::defaults(&compiled.shader.func.iface).expect("defaults");
    (draw.width, draw.height) = (32, 16);
    // Sizes from denormal halves to what no half holds.
    let mut random = Random::new(11);
    let mut number = |scale: i32| {
        let size = f32::from_bits(((127 + scale) as u32) << 23);
        (size * (1.0 + random.below(1 << 20) as f32 / (1 << 20) as f32) * if random.below(2) == 0 { 1.0 } else { -1.0 })
            .to_bits()
    };
    for attribute in &mut draw.attributes {
        *attribute = (0..if quad { 4 } else { 3 }).map(|_| [number(0), number(4), number(-15), number(17)]).collect();
    }
    if !quad {
        let corner = |x: f32, y: f32, w: f32| [x * w, y * w, 0.0, w];
        draw.geometry =
            Geometry::Triangles(vec![corner(-1.0, -1.0, 1.0), corner(3.0, -1.0, 2.0), corner(-1.0, 3.0, 5.0)]);
    }
    let words = (0..64 * 64u32).map(|n| [n * 17 % 251, n / 64 * 3 % 256, n % 64 * 4, 255].map(|code| code as u8));
    let image = Image::rgba8(64, 64, words.collect()).expect("an image");
    let sampler = Sampler { wrap: [Wrap::Repeat; 3], filter: Filter::Linear, mip: Mip::None, ..Sampler::default() };
    draw.textures.set(0, Unit::Image { image: Arc::new(image), sampler });
    run_draw(&compiled, &draw, &Workers::serial(), Control::default()).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn words(frame: &Frame, output: u32) -> Vec<u64> {
    let name = |comp: char| format!("out[{output}].{comp}");
    let of = |comp| frame.channels.iter().find(|channel| channel.name() == name(comp)).expect("an output");
    "xyzw".chars().flat_map(|comp| (0..frame.pixels()).map(move |at| of(comp).words.get(at))).collect()
}

/// The half nearest to a number, ties to even, as binary32: in integers.
fn half(word: u64) -> u64 {
    let (sign, size) = (word & 0x8000_0000, word & 0x7fff_ffff);
    let exponent = (size >> 23) as i32 - 127;
    // The place of the last bit of the half in units of the last bit of binary32.
    let cut = 13 + (-14 - exponent).max(0) as u32;
    if exponent < -26 {
        return sign;
    }
    let whole = size & 0x7f_ffff | 0x80_0000;
    let (kept, rest) = (whole >> cut, whole & ((1 << cut) - 1));
    let up = rest > 1 << (cut - 1) || rest == 1 << (cut - 1) && kept & 1 == 1;
    let number = (kept + u64::from(up)) as f64 * f64::from(exponent - 23 + cut as i32).exp2();
    sign | u64::from(if number >= 65520.0 { f32::INFINITY } else { number as f32 }.to_bits())
}

#[test]
fn mediump_attributes_are_halves_where_the_model_says_so() {
    for (engine, quad) in [(Engine::Interp, false), (Engine::Interp, true), (Engine::Jit, false), (Engine::Jit, true)] {
        let frame = |model: &str| drawn(model, "model", engine, quad);
        let (plain, all, but) =
            (frame("ieee"), frame("ieee[raster_mediump=half]"), frame("ieee[raster_mediump=half-but-coordinates]"));
        let halves = |output| words(&plain, output).into_iter().map(half).collect::<Vec<u64>>();
        for narrow in [&all, &but] {
            assert_eq!(words(narrow, 0), halves(0));
            assert_ne!(words(&plain, 0), halves(0));
            // What is highp, and what is flat, keeps its bits.
            assert_eq!((words(narrow, 1), words(narrow, 2)), (words(&plain, 1), words(&plain, 2)));
        }
        assert_eq!(words(&all, 3), halves(3));
        assert_eq!(words(&but, 3), words(&plain, 3));
        assert_ne!(words(&all, 4), words(&plain, 4), "a lookup at halves");
        assert_eq!(words(&but, 4), words(&plain, 4));
    }
}

#[test]
fn mediump_attributes_follow_models_and_options() {
    let frame = |model: &str, relaxed: &str| drawn(model, relaxed, Engine::Interp, true);
    let plain = frame("ieee", "model");
    // Whoever ignores the decoration ignores that of inputs.
    let ignored = frame("ieee[raster_mediump=half]", "ignore");
    assert_eq!((words(&ignored, 0), words(&ignored, 3)), (words(&plain, 0), words(&plain, 3)));
    for (model, is_half, is_half_place) in [
        ("adreno", true, true),
        ("mali-bifrost", true, false),
        ("apple-agx", true, false),
        ("maxwell", false, false),
        ("amd-rdna", false, false),
        ("intel-xe", false, false),
    ] {
        let [own, wide] =
            [model.to_string(), format!("{model}[raster_mediump=binary32]")].map(|model| frame(&model, "model"));
        assert_eq!(words(&own, 0) != words(&wide, 0), is_half, "{model}");
        assert_eq!(words(&own, 3) != words(&wide, 3), is_half_place, "{model}");
    }
}

#[test]
fn mediump_colours_are_halves_where_the_driver_makes_some() {
    // The attribute of location 1 is highp; its colour no more.
    let module =
        MODULE.replace("OpDecorate %o1 Location 1", "OpDecorate %o1 Location 1\nOpDecorate %o1 RelaxedPrecision");
    for engine in [Engine::Interp, Engine::Jit] {
        let plain = drawn("ieee", "model", engine, false);
        let halves: Vec<u64> = words(&plain, 1).into_iter().map(half).collect();
        assert_ne!(words(&plain, 1), halves);
        for (model, relaxed, is_half) in [
            ("ieee", "model", false),
            ("ieee", "half", true),
            ("ieee[relaxed=half]", "model", true),
            ("ieee[relaxed=half]", "ignore", false),
        ] {
            let frame = drawn_by(&module, model, relaxed, engine, false);
            assert_eq!(words(&frame, 1), if is_half { halves.clone() } else { words(&plain, 1) }, "{model} {relaxed}");
            // The colour of an input in mediump that is not itself in mediump stays as it is.
            assert_eq!(words(&frame, 2), words(&plain, 2), "{model} {relaxed}");
        }
        for (model, is_half) in [("adreno", true), ("mali-bifrost", true), ("apple-agx", true), ("maxwell", false)] {
            let [own, wide] = [&module, MODULE].map(|module| drawn_by(module, model, "model", engine, false));
            assert_eq!(words(&own, 1) != words(&wide, 1), is_half, "{model}");
        }
    }
}
