//! Images: what kernels read from them and leave in them, against facts of their formats and places.

use crate::kernel::{declared, decorated, kernel};
use parallax_core::backend::Backend;
use parallax_core::exec::{FUEL, ImageFormat, ImageLayout, Inputs, Memory, NoInterpolator, Outputs};
use parallax_core::num::Model;
use parallax_core::{AttrSemantic, Stage, SysVal, verify};
use parallax_interp::Interpreter;
use parallax_lift::Options;
use parallax_reference::Reference;
use parallax_spirv::{assemble, lift};
use parallax_texture::{Filter, Image, Mip, Sampler, TextureSet, Unit, Wrap};
use std::sync::Arc;

/// A shape of images: its type, the number of coordinates, the coordinates, the size, the samples, and where a texel lies.
type Shape = (&'static str, u32, &'static str, [u32; 3], u32, fn(u32) -> u32);

/// A query of a size: the type of the image, the components of its answer, the size, the samples, and the answer.
type Query = (&'static str, u32, [u32; 3], u32, &'static [u32]);

/// The pixel at the upper left of the quad of a fragment shader.
const CORNER: [u32; 2] = [2, 1];

/// Runs a kernel, or a fragment shader in one quad, on the row interpreter and on the reference executor, which must agree; its
/// buffers afterwards. Images are given by the numbers of their buffers.
fn run(text: &str, textures: &TextureSet, buffers: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let (module, diags) = assemble(text).module();
    assert!(diags.is_empty(), "{diags:?}\n{text}");
    let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}\n{text}"));
    let bound = shader.bind(&Model::builtin("ieee").expect("a built-in model"));
    let is_kernel = bound.func.iface.stage == Stage::Compute;
    let count = if is_kernel { bound.func.iface.workgroup[0] as usize } else { 4 };
    let lanes = count.next_multiple_of(4);
    let mut sysvals = vec![0; SysVal::ALL.len() * lanes];
    for lane in 0..lanes {
        sysvals[SysVal::LocalX as usize * lanes + lane] = lane as u32;
    }
    let covered: Vec<bool> = (0..lanes).map(|lane| lane < count).collect();
    let mut attrs = Vec::new();
    for attr in bound.func.iface.attrs.iter() {
        assert_eq!(attr.semantic, AttrSemantic::Position);
        let centre = |corner: u32, step: usize| (corner as f32 + step as f32 + 0.5).to_bits();
        attrs.extend((0..lanes).map(|lane| centre(CORNER[0], lane & 1)));
        attrs.extend((0..lanes).map(|lane| centre(CORNER[1], lane >> 1)));
        attrs.extend(vec![0; 2 * lanes]);
    }
    let inputs = Inputs {
        lanes,
        attrs: &attrs,
        banks: &[],
        sysvals: &sysvals,
        covered: &covered,
        textures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let after = |backend: &dyn Backend| {
        let mut buffers = buffers.clone();
        let verified = verify(&bound).unwrap_or_else(|diags| panic!("{diags:?}"));
        let program = backend.prepare(verified).expect("a program");
        program.runner().run(&inputs, Memory::Exclusive(&mut buffers), &mut Outputs::default());
        buffers
    };
    let found = after(&Interpreter);
    assert_eq!(found, after(&Reference), "{text}");
    found
}

/// A type of images as SPIR-V writes what follows the sampled type.
struct Kind {
    /// `%float`, `%int` or `%uint`.
    scalar: &'static str,
    /// Dimension, depth, arrayed, multisampled, sampled, format.
    rest: String,
    coordinates: u32,
}

impl Kind {
    fn storage(scalar: &'static str, shape: &str, coordinates: u32, format: &str) -> Kind {
        Kind { scalar, rest: format!("{shape} 2 {format}"), coordinates }
    }
}

/// A kernel over buffer `0.0` of words and the image `0.1` of a kind, with vectors of the coordinates `%at`, which are made by
/// the body from `%x`, the number of the invocation as an integer.
fn with_image(lanes: u32, kind: &Kind, body: &str) -> String {
    let Kind { scalar, rest, coordinates } = kind;
    let decorations = format!(
        "OpCapability StorageImageExtendedFormats\nOpCapability ImageQuery\nOpCapability ImageBuffer\n\
         OpCapability Image1D\nOpCapability Sampled1D\nOpCapability StorageImageMultisample\n{}\
         OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 1\n",
        decorated(0, 0, 4)
    );
    let (capabilities, decorations) = decorations.split_at(decorations.find("OpDecorate").expect("decorations"));
    let types = format!(
        "{}%v2 = OpTypeVector %int 2\n%v3 = OpTypeVector %int 3\n%v4 = OpTypeVector %int 4\n%texel = OpTypeVector {scalar} 4\n\
         %kind = OpTypeImage {scalar} {rest}\n%pimage = OpTypePointer UniformConstant %kind\n\
         %image = OpVariable %pimage UniformConstant\n%ptexel = OpTypePointer Image {scalar}\n\
         %n0 = OpConstant %int 0\n%n1 = OpConstant %int 1\n%n2 = OpConstant %int 2\n%n3 = OpConstant %int 3\n\
         %n5 = OpConstant %int 5\n%c3 = OpConstant %uint 3\n%c4 = OpConstant %uint 4\n",
        declared(0, "%uint")
    );
    let at = if *coordinates == 1 { "%int".to_string() } else { format!("%v{coordinates}") };
    let body = format!("%x = OpBitcast %int %lane\n%img = OpLoad %kind %image\n{}", body.replace("%at_type", &at));
    let text = kernel(lanes, decorations, &types, &body);
    text.replacen("OpCapability Shader\n", &format!("OpCapability Shader\n{capabilities}"), 1)
}

/// Stores a word `value` at `index` of the buffer.
fn keep(value: &str, scalar: &str, index: &str) -> String {
    let name = format!("{}{}", value.trim_start_matches('%'), index.trim_start_matches('%'));
    let cast = match scalar {
        "%uint" => format!("%k{name} = OpCopyObject %uint {value}\n"),
        _ => format!("%k{name} = OpBitcast %uint {value}\n"),
    };
    format!("{cast}%p{name} = OpAccessChain %p0 %b0 %c0 {index}\nOpStore %p{name} %k{name}\n")
}

fn image(format: &str, size: [u32; 3], samples: u32) -> ImageLayout {
    ImageLayout { format: ImageFormat::from_name(format).expect(format), size, samples }
}

fn with_images(images: &[ImageLayout]) -> TextureSet {
    let mut set = TextureSet::default();
    (1..).zip(images).for_each(|(buffer, image)| set.set_image(buffer, *image));
    set
}

/// Reads the texel at 0, writes it back at 1, and keeps its components.
fn read_and_write(scalar: &'static str, format: &str) -> String {
    let kind = Kind::storage(scalar, "1D 0 0 0", 1, format);
    let mut body = "%t = OpImageRead %texel %img %n0\nOpImageWrite %img %n1 %t\n".to_string();
    for (n, index) in ["%c0", "%c1", "%c2", "%c3"].iter().enumerate() {
        body += &format!("%t{n} = OpCompositeExtract {scalar} %t {n}\n{}", keep(&format!("%t{n}"), scalar, index));
    }
    with_image(1, &kind, &body)
}

/// Format in SPIR-V, in GLSL, the sampled type, words of a texel, what is read of it.
type Fact = (&'static str, &'static str, &'static str, &'static [u32], [f64; 4]);

#[rustfmt::skip]
const FACTS: &[Fact] = &[
    ("Rgba32f", "rgba32f", "%float", &[0x3f80_0000, 0xc000_0000, 0x7f80_0000, 0x3e80_0000], [1.0, -2.0, f64::INFINITY, 0.25]),
    ("R32f", "r32f", "%float", &[0x3fc0_0000], [1.5, 0.0, 0.0, 1.0]),
    ("Rg32f", "rg32f", "%float", &[0x3fc0_0000, 0xbfc0_0000], [1.5, -1.5, 0.0, 1.0]),
    ("Rgba16f", "rgba16f", "%float", &[0xc000_3c00, 0x0001_7bff], [1.0, -2.0, 65504.0, 1.0 / (1 << 24) as f64]),
    ("Rg16f", "rg16f", "%float", &[0x3555_3800], [0.5, 0.333_251_953_125, 0.0, 1.0]),
    ("R11fG11fB10f", "r11f_g11f_b10f", "%float", &[0x3c0 | 0x400 << 11 | 0x1c0 << 22], [1.0, 2.0, 0.5, 1.0]),
    ("Rgba8", "rgba8", "%float", &[0x33ff_0080], [128.0 / 255.0, 0.0, 1.0, 0.2]),
    ("Rg8", "rg8", "%float", &[0x0000_0133], [0.2, 1.0 / 255.0, 0.0, 1.0]),
    ("Rgba8Snorm", "rgba8_snorm", "%float", &[0x817f_01ff], [-1.0 / 127.0, 1.0 / 127.0, 1.0, -1.0]),
    ("Rgba16", "rgba16", "%float", &[0x0001_ffff, 0x8000_0000], [1.0, 1.0 / 65535.0, 0.0, 32768.0 / 65535.0]),
    ("Rgba16Snorm", "rgba16_snorm", "%float", &[0x0001_7fff, 0x8001_0000], [1.0, 1.0 / 32767.0, 0.0, -1.0]),
    ("Rgb10A2", "rgb10_a2", "%float", &[0x3ff | 0x200 << 10 | 2 << 30], [1.0, 512.0 / 1023.0, 0.0, 2.0 / 3.0]),
    ("Rgba32i", "rgba32i", "%int", &[1, 0xffff_ffff, 0x8000_0000, 7], [1.0, -1.0, -2147483648.0, 7.0]),
    ("R32i", "r32i", "%int", &[0xffff_fffe], [-2.0, 0.0, 0.0, 1.0]),
    ("Rgba16i", "rgba16i", "%int", &[0xffff_8000, 0x0001_7fff], [-32768.0, -1.0, 32767.0, 1.0]),
    ("Rgba8i", "rgba8i", "%int", &[0x7f01_80ff], [-1.0, -128.0, 1.0, 127.0]),
    ("R32ui", "r32ui", "%uint", &[0xffff_fffe], [4294967294.0, 0.0, 0.0, 1.0]),
    ("Rgba16ui", "rgba16ui", "%uint", &[0xffff_8000, 0x0001_7fff], [32768.0, 65535.0, 32767.0, 1.0]),
    ("Rgba8ui", "rgba8ui", "%uint", &[0x7f01_80ff], [255.0, 128.0, 1.0, 127.0]),
    ("Rgb10a2ui", "rgb10_a2ui", "%uint", &[5 | 6 << 10 | 7 << 20 | 3 << 30], [5.0, 6.0, 7.0, 3.0]),
];

#[test]
fn texels_are_what_their_formats_say() {
    for (format, name, scalar, words, expected) in FACTS {
        let text = read_and_write(scalar, format);
        let mut texels = words.to_vec();
        texels.resize(2 * words.len(), 0);
        // A word holds both texels of the small formats.
        let bytes = image(name, [2, 1, 1], 1).format.bytes();
        if bytes < 4 {
            texels.truncate(1);
        }
        let after = run(&text, &with_images(&[image(name, [2, 1, 1], 1)]), vec![vec![0; 4], texels]);
        let expected = expected.map(|value| match *scalar {
            "%float" => (value as f32).to_bits(),
            "%int" => value as i32 as u32,
            _ => value as u32,
        });
        assert_eq!(after[0], expected, "{format}");
        match bytes {
            0..4 => assert_eq!(after[1], [words[0] | words[0] << (8 * bytes)], "{format}"),
            _ => assert_eq!(after[1], [*words, *words].concat(), "{format}"),
        }
    }
}

/// Writes the number of the invocation at a coordinate; where it lies follows from the shape.
#[test]
fn texels_lie_where_their_shapes_say() {
    let halves = "%h = OpBitwiseAnd %int %x %n1\n%s = OpShiftRightLogical %int %x %n1\n%q = OpShiftRightLogical %int %s %n1\n\
                  %g = OpBitwiseAnd %int %s %n1\n";
    // Shape, coordinates and their making, size, samples, whether the sample is that of %h.
    let cases: [Shape; 9] = [
        ("1D 0 0 0", 1, "%x", [8, 1, 1], 1, |n| n),
        ("Buffer 0 0 0", 1, "%x", [8, 1, 1], 1, |n| n),
        ("1D 0 1 0", 2, "%h %s", [2, 1, 4], 1, |n| n),
        ("2D 0 0 0", 2, "%s %h", [4, 2, 1], 1, |n| n / 2 + n % 2 * 4),
        ("2D 0 1 0", 3, "%h %g %q", [3, 2, 2], 1, |n| n % 2 + n / 2 % 2 * 3 + n / 4 * 6),
        ("3D 0 0 0", 3, "%q %g %h", [2, 2, 2], 1, |n| n / 4 + n / 2 % 2 * 2 + n % 2 * 4),
        ("Cube 0 0 0", 3, "%h %n0 %s", [2, 2, 6], 1, |n| n % 2 + n / 2 * 4),
        ("Cube 0 1 0", 3, "%h %n0 %s", [2, 2, 12], 1, |n| n % 2 + n / 2 * 4),
        ("2D 0 0 1", 2, "%s %n0", [4, 1, 1], 2, |n| n / 2 + n % 2 * 4),
    ];
    for (shape, coordinates, place, size, samples, expected) in cases {
        let kind = Kind::storage("%uint", shape, coordinates, "R32ui");
        let made = match coordinates {
            1 => format!("%at = OpCopyObject %int {place}\n"),
            _ => format!("%at = OpCompositeConstruct %at_type {place}\n"),
        };
        let operands = if samples > 1 { "Sample %h" } else { "" };
        let body = format!(
            "{halves}{made}%one = OpIAdd %uint %lane %c1\n%t = OpCompositeConstruct %texel %one %c0 %c0 %c0\n\
             OpImageWrite %img %at %t {operands}\n%r = OpImageRead %texel %img %at {operands}\n\
             %r0 = OpCompositeExtract %uint %r 0\n{}",
            keep("%r0", "%uint", "%lane")
        );
        let layout = image("r32ui", size, samples);
        let words = layout.words().expect("few");
        let after = run(&with_image(8, &kind, &body), &with_images(&[layout]), vec![vec![0; 8], vec![0; words]]);
        let mut wanted = vec![0; words];
        (0..8).for_each(|n| wanted[expected(n) as usize] = n + 1);
        assert_eq!((&after[0], &after[1]), (&(1..9).collect(), &wanted), "{shape}");
    }
}

#[test]
fn outside_of_an_image_reads_are_zero_and_writes_are_dropped() {
    let kind = Kind::storage("%uint", "2D 0 0 0", 2, "Rgba8ui");
    let body = format!(
        "%low = OpISub %int %x %n1\n%at = OpCompositeConstruct %v2 %low %n0\n%r = OpImageRead %texel %img %at\n\
         %r0 = OpCompositeExtract %uint %r 0\n{}%t = OpCompositeConstruct %texel %c4 %c4 %c4 %c4\n\
         %up = OpCompositeConstruct %v2 %n0 %low\nOpImageWrite %img %up %t\n",
        keep("%r0", "%uint", "%lane")
    );
    let layout = image("rgba8ui", [2, 1, 1], 1);
    let after = run(&with_image(4, &kind, &body), &with_images(&[layout]), vec![vec![7; 4], vec![9, 8]]);
    assert_eq!(after, [vec![0, 9, 8, 0], vec![0x0404_0404, 8]]);
}

#[test]
fn atomics_change_single_texels() {
    let kind = Kind::storage("%uint", "2D 0 0 0", 2, "R32ui");
    let body = format!(
        "%h = OpBitwiseAnd %int %x %n1\n%at = OpCompositeConstruct %v2 %h %n1\n\
         %pt = OpImageTexelPointer %ptexel %image %at %c0\n%old = OpAtomicIAdd %uint %pt %c1 %c0 %lane\n{}\
         %away = OpCompositeConstruct %v2 %n5 %n0\n%po = OpImageTexelPointer %ptexel %image %away %c0\n\
         %none = OpAtomicExchange %uint %po %c1 %c0 %lane\n",
        keep("%old", "%uint", "%lane")
    );
    let layout = image("r32ui", [2, 2, 1], 1);
    let after = run(&with_image(6, &kind, &body), &with_images(&[layout]), vec![vec![7; 6], vec![1, 2, 10, 20]]);
    // In order: 10, 20, 10 + 0, 20 + 1, 12, 24.
    assert_eq!(after, [vec![10, 20, 10, 21, 12, 24], vec![1, 2, 16, 29]]);
}

#[test]
fn sizes_are_those_of_the_binding() {
    let cases: [Query; 6] = [
        ("1D 0 1 0", 2, [5, 1, 3], 1, &[5, 3]),
        ("2D 0 0 0", 2, [5, 6, 1], 1, &[5, 6]),
        ("3D 0 0 0", 3, [5, 6, 7], 1, &[5, 6, 7]),
        ("Cube 0 1 0", 3, [4, 4, 12], 1, &[4, 4, 2]),
        ("2D 0 0 1", 2, [5, 6, 1], 4, &[5, 6, 4]),
        ("Buffer 0 0 0", 1, [9, 1, 1], 1, &[9]),
    ];
    for (shape, _, size, samples, expected) in cases {
        let count = expected.len() - usize::from(samples > 1);
        let kind = Kind::storage("%float", shape, 1, "Unknown");
        let mut body = match count {
            1 => "%z0 = OpImageQuerySize %int %img\n".to_string(),
            _ => format!("%z = OpImageQuerySize %v{count} %img\n"),
        };
        for n in 0..count {
            if count > 1 {
                body += &format!("%z{n} = OpCompositeExtract %int %z {n}\n");
            }
            body += &keep(&format!("%z{n}"), "%int", &format!("%c{n}"));
        }
        if samples > 1 {
            body += &format!("%z{count} = OpImageQuerySamples %int %img\n");
            body += &keep(&format!("%z{count}"), "%int", &format!("%c{count}"));
        }
        let after = run(
            &with_image(1, &kind, &body),
            &with_images(&[image("rgba32f", size, samples)]),
            vec![vec![0; expected.len()], vec![]],
        );
        assert_eq!(after[0], expected, "{shape}");
    }
}

/// An image with samples or of integers is looked up as its words are.
#[test]
fn sampled_images_of_integers_give_their_words() {
    let words: Vec<[u32; 4]> = (0..8).map(|n| [0xffff_fff0 + n, n, 0x7f80_0001, n]).collect();
    let texture = |size: [u32; 3], samples| {
        let image = Image::rgba32f_volume(size, words.clone()).expect("eight texels").with_samples(samples);
        let sampler = Sampler { filter: Filter::Linear, ..Sampler::default() };
        let mut set = TextureSet::default();
        set.set(0, Unit::Image { image: Arc::new(image), sampler });
        set
    };
    let extract = |n: u32, keep_at: &str| {
        format!("%r{n} = OpCompositeExtract %uint %r {n}\n{}", keep(&format!("%r{n}"), "%uint", keep_at))
    };
    let fetch = |operands: &str| {
        format!(
            "%g = OpShiftRightLogical %int %x %n1\n%h = OpBitwiseAnd %int %x %n1\n\
             %at = OpCompositeConstruct %v2 %g %n0\n%r = OpImageFetch %texel %img %at {operands}\n{}",
            extract(0, "%lane")
        )
    };
    let first: Vec<u32> = words.iter().map(|texel| texel[0]).collect();
    let plain = Kind { scalar: "%uint", rest: "2D 0 0 0 1 Unknown".into(), coordinates: 2 };
    let after = run(&with_image(4, &plain, &fetch("Lod %n0")), &texture([4, 2, 1], 1), vec![vec![0; 4]]);
    assert_eq!(after[0], [first[0], first[0], first[1], first[1]]);
    // Samples are slices of their own.
    let several = Kind { scalar: "%uint", rest: "2D 0 0 1 1 Unknown".into(), coordinates: 2 };
    let after = run(&with_image(4, &several, &fetch("Sample %h")), &texture([4, 1, 2], 2), vec![vec![0; 4]]);
    assert_eq!(after[0], [first[0], first[4], first[1], first[5]]);
    // A sample that is not there.
    let after = run(&with_image(4, &several, &fetch("Sample %n5")), &texture([4, 1, 2], 2), vec![vec![1; 4]]);
    assert_eq!(after[0], [0; 4]);
    // Nearest sampling, whatever the filter; the third component is a signalling NaN as a float.
    let types = "%sk = OpTypeSampledImage %kind\n%psk = OpTypePointer UniformConstant %sk\n%f2 = OpTypeVector %float 2\n\
                 %part = OpConstant %float 0.3\n%zero = OpConstant %float 0\n%vec = OpConstantComposite %f2 %part %zero\n";
    let body = format!(
        "%s = OpLoad %sk %both\n%r = OpImageSampleExplicitLod %texel %s %vec Lod %zero\n{}{}\
         %lq = OpImage %kind %s\n%q = OpImageQuerySizeLod %v2 %lq %n0\n%q1 = OpCompositeExtract %int %q 1\n{}\
         %ql = OpImageQueryLevels %int %lq\n{}",
        extract(0, "%c0"),
        extract(2, "%c1"),
        keep("%q1", "%int", "%c2"),
        keep("%ql", "%int", "%c3"),
    );
    let text = with_image(1, &plain, &body)
        .replace(
            "%pimage = OpTypePointer UniformConstant %kind\n%image = OpVariable %pimage UniformConstant\n",
            &format!("{types}%both = OpVariable %psk UniformConstant\n"),
        )
        .replace("%img = OpLoad %kind %image\n", "")
        .replace("OpDecorate %image", "OpDecorate %both");
    let after = run(&text, &texture([4, 2, 1], 1), vec![vec![0; 4]]);
    assert_eq!(after[0], [first[1], 0x7f80_0001, 2, 1]);
}

/// Elements of arrays of images by an index that differs between invocations.
#[test]
fn an_index_chooses_among_images() {
    let kind = Kind::storage("%uint", "2D 0 0 0", 2, "R32ui");
    let body = format!(
        "%pe = OpAccessChain %pone %image %lane\n%one = OpLoad %kind %pe\n%at = OpCompositeConstruct %v2 %n0 %n0\n\
         %r = OpImageRead %texel %one %at\n%r0 = OpCompositeExtract %uint %r 0\n{}\
         %t = OpCompositeConstruct %texel %lane %lane %lane %lane\nOpImageWrite %one %at %t\n\
         %z = OpImageQuerySize %v2 %one\n%z0 = OpCompositeExtract %int %z 0\n",
        keep("%r0", "%uint", "%lane")
    ) + &keep("%z0", "%int", "%four");
    let body = body.replacen("%z = Op", "%four = OpIAdd %uint %lane %c3\n%z = Op", 1);
    let text = with_image(3, &kind, &body).replace("%img = OpLoad %kind %image\n", "").replace(
        "%pimage = OpTypePointer UniformConstant %kind\n",
        "%three = OpConstant %uint 3\n%kinds = OpTypeArray %kind %three\n%pone = OpTypePointer UniformConstant %kind\n\
             %pimage = OpTypePointer UniformConstant %kinds\n",
    );
    let layouts = [1, 2, 3].map(|width| image("r32ui", [width, 1, 1], 1));
    let buffers = vec![vec![0; 6], vec![5], vec![6, 9], vec![7, 9, 9]];
    let after = run(&text, &with_images(&layouts), buffers);
    assert_eq!(after, [vec![5, 6, 7, 1, 2, 3], vec![0], vec![1, 9], vec![2, 9, 9]]);
}

/// Atomics on an element of an array of images, and on texels of 64 bits, also outside of their image.
#[test]
fn an_index_chooses_what_an_atomic_changes() {
    let kind = Kind::storage("%long", "2D 0 0 0", 2, "R64ui");
    let body = "%h = OpBitwiseAnd %uint %lane %c1\n%pe = OpAccessChain %pone %image %h\n\
                %x1 = OpISub %int %x %n1\n%at = OpCompositeConstruct %v2 %x1 %n0\n\
                %pt = OpImageTexelPointer %ptexel %pe %at %c0\n%add = OpUConvert %long %lane\n\
                %much = OpIMul %long %add %step\n%old = OpAtomicIAdd %long %pt %c1 %c0 %much\n\
                %low = OpUConvert %uint %old\n%po = OpAccessChain %p0 %b0 %c0 %lane\nOpStore %po %low\n\
                %one = OpLoad %kind %pe\n%first = OpCompositeConstruct %v2 %n0 %n0\n\
                %t = OpImageRead %texel %one %first\n%r = OpCompositeExtract %long %t 0\n\
                %g = OpCompositeExtract %long %t 1\n%a = OpCompositeExtract %long %t 3\n\
                %ga = OpIAdd %long %g %a\n%sum = OpIAdd %long %r %ga\n%new = OpCompositeConstruct %texel %sum %a %a %a\n\
                %last = OpCompositeConstruct %v2 %n3 %n0\nOpImageWrite %one %last %new\n";
    let text = with_image(4, &kind, body).replace("%img = OpLoad %kind %image\n", "").replace(
        "%pimage = OpTypePointer UniformConstant %kind\n",
        "%two = OpConstant %uint 2\n%kinds = OpTypeArray %kind %two\n%pone = OpTypePointer UniformConstant %kind\n\
         %pimage = OpTypePointer UniformConstant %kinds\n%step = OpConstant %long 4294967299\n",
    );
    let text = text
        .replace("%v2 = OpTypeVector", "%long = OpTypeInt 64 0\n%v2 = OpTypeVector")
        .replacen(
            "OpCapability Shader\n",
            "OpCapability Shader\nOpCapability Int64\nOpCapability Int64Atomics\nOpCapability Int64ImageEXT\n",
            1,
        )
        .replacen("%glsl = ", "OpExtension \"SPV_EXT_shader_image_int64\"\n%glsl = ", 1);
    // Even invocations change the first image, odd ones the second: number n at texel n - 1, number 0 nowhere.
    let (first, second) = (vec![1, 1, 2, 0, 3, 0, 4, 0], vec![5, 0, 6, 0, 7, 9, 8, 0]);
    let layouts = [image("r64ui", [4, 1, 1], 1); 2];
    let after = run(&text, &with_images(&layouts), vec![vec![77; 4], first, second]);
    assert_eq!(after[0], [0, 5, 2, 7]);
    // 2 + 2 * (2^32 + 3) and 5 + (2^32 + 3), 7 + 9 * 2^32 + 3 * (2^32 + 3); at last what the first texel has, and 1.
    assert_eq!(after[1], [1, 1, 2 + 6, 2, 3, 0, 2, 1]);
    assert_eq!(after[2], [5 + 3, 1, 6, 0, 7 + 9, 9 + 3, 5 + 3 + 1, 1]);
}

/// A kernel that looks into a sampled image `0.1` of floats.
fn with_texture(lanes: u32, capabilities: &str, types: &str, body: &str) -> String {
    let kind = Kind { scalar: "%float", rest: "2D 0 0 0 1 Unknown".into(), coordinates: 2 };
    let types = format!(
        "%sk = OpTypeSampledImage %kind\n%psk = OpTypePointer UniformConstant %sk\n%f2 = OpTypeVector %float 2\n\
         %zero = OpConstant %float 0\n%half = OpConstant %float 0.5\n%middle = OpConstantComposite %f2 %half %half\n\
         {types}%both = OpVariable %psk UniformConstant\n"
    );
    with_image(lanes, &kind, &format!("%s = OpLoad %sk %both\n{body}"))
        .replace("%pimage = OpTypePointer UniformConstant %kind\n%image = OpVariable %pimage UniformConstant\n", &types)
        .replace("%img = OpLoad %kind %image\n", "")
        .replace("OpDecorate %image", "OpDecorate %both")
        .replacen("OpCapability Shader\n", &format!("OpCapability Shader\n{capabilities}"), 1)
}

fn texture(texels: Vec<f32>, size: [u32; 2], sampler: Sampler, mipmaps: bool) -> TextureSet {
    let texels = texels.into_iter().map(|red| [red, 0.0, 0.0, 1.0].map(f32::to_bits)).collect();
    let image = Image::rgba32f(size[0], size[1], texels).expect("texels");
    let image = if mipmaps { image.with_mipmaps(false) } else { image };
    let mut set = TextureSet::default();
    set.set(0, Unit::Image { image: Arc::new(image), sampler });
    set
}

/// Offsets that are values move the four texels of a gather, each invocation by its own.
#[test]
fn a_gather_is_moved_by_values() {
    let body = "%h = OpBitwiseAnd %int %x %n1\n%g = OpShiftRightLogical %int %x %n1\n%by = OpISub %int %h %g\n\
                %offset = OpCompositeConstruct %v2 %h %by\n\
                %t = OpImageGather %texel %s %middle %n0 Offset %offset\n"
        .to_string()
        + "%t0 = OpCompositeExtract %float %t 3\n"
        + &keep("%t0", "%float", "%lane");
    let sampler = Sampler { wrap: [Wrap::Clamp; 3], ..Sampler::default() };
    let texels: Vec<f32> = (0..16).map(|n| n as f32).collect();
    let text = with_texture(4, "OpCapability ImageGatherExtended\n", "", &body);
    let after = run(&text, &texture(texels, [4, 4], sampler, false), vec![vec![0; 4]]);
    // The upper left of the four in the middle is texel 5; invocations move by (0, 0), (1, 1), (0, -1), (1, 0).
    assert_eq!(after[0], [5.0f32, 10.0, 1.0, 6.0].map(f32::to_bits));
}

/// The least level of a lookup; a code that says that its texels are resident.
#[test]
fn sparse_lookups_are_resident_and_keep_the_least_level() {
    let types = "%bool = OpTypeBool\n%found = OpTypeStruct %int %texel\n%ten = OpConstant %float 10\n";
    let mut body = "%least = OpConvertUToF %float %lane\n%none = OpCompositeConstruct %f2 %zero %zero\n\
                    %f = OpImageSparseSampleExplicitLod %found %s %middle Grad|MinLod %none %none %least\n\
                    %t = OpCompositeExtract %float %f 1 0\n%code = OpCompositeExtract %int %f 0\n\
                    %is = OpImageSparseTexelsResident %bool %code\n%r = OpSelect %float %is %t %ten\n\
                    %kind2 = OpImage %kind %s\n%v00 = OpCompositeConstruct %v2 %n3 %n2\n\
                    %ff = OpImageSparseFetch %found %kind2 %v00 Lod %n0\n%ft = OpCompositeExtract %float %ff 1 0\n\
                    %gg = OpImageSparseGather %found %s %middle %n0\n%gt = OpCompositeExtract %float %gg 1 3\n\
                    %sum = OpFAdd %float %ft %gt\n%four = OpIAdd %uint %lane %c4\n"
        .to_string();
    body += &keep("%r", "%float", "%lane");
    body += &keep("%sum", "%float", "%four");
    let sampler = Sampler { filter: Filter::Nearest, mip: Mip::Nearest, wrap: [Wrap::Clamp; 3], ..Sampler::default() };
    // Levels of 4x4, 2x2 and one texel: 10 at the nearest texel of the first, then means.
    let texels: Vec<f32> = (0..16).map(|n| n as f32).collect();
    let text = with_texture(4, "OpCapability MinLod\nOpCapability SparseResidency\n", types, &body);
    let after = run(&text, &texture(texels, [4, 4], sampler, true), vec![vec![0; 8]]);
    let mean = |all: &[f32]| all.iter().sum::<f32>() / all.len() as f32;
    let lower = mean(&[10.0, 11.0, 14.0, 15.0]);
    let all: Vec<f32> = (0..16).map(|n| n as f32).collect();
    // The fetch has texel 11, the gather 5.
    let expected = [10.0, lower, mean(&all), mean(&all), 16.0, 16.0, 16.0, 16.0];
    assert_eq!(after[0], expected.map(f32::to_bits));
}

/// A sparse read of an image that is memory.
#[test]
fn sparse_reads_are_reads() {
    let kind = Kind::storage("%uint", "2D 0 0 0", 2, "R32ui");
    let body = format!(
        "%at = OpCompositeConstruct %v2 %x %n0\n%f = OpImageSparseRead %found %img %at\n\
         %t = OpCompositeExtract %uint %f 1 0\n{}",
        keep("%t", "%uint", "%lane")
    );
    let text = with_image(2, &kind, &body)
        .replacen("OpCapability Shader\n", "OpCapability Shader\nOpCapability SparseResidency\n", 1)
        .replacen("%pimage = ", "%found = OpTypeStruct %int %texel\n%pimage = ", 1);
    let after = run(&text, &with_images(&[image("r32ui", [2, 1, 1], 1)]), vec![vec![9; 2], vec![3, 4]]);
    assert_eq!(after[0], [3, 4]);
}

/// Input attachments are read where the fragment is: one with a sample, one of integers; and what a fragment that was demoted
/// says of itself.
#[test]
fn input_attachments_are_read_at_the_fragment() {
    let text = "OpCapability Shader\nOpCapability InputAttachment\nOpCapability DemoteToHelperInvocation\n\
        OpExtension \"SPV_EXT_demote_to_helper_invocation\"\n\
        OpMemoryModel Logical GLSL450\nOpEntryPoint Fragment %main \"main\" %place\nOpExecutionMode %main OriginUpperLeft\n\
        OpDecorate %place BuiltIn FragCoord\nOpDecorate %b0 DescriptorSet 0\nOpDecorate %b0 Binding 0\n\
        OpDecorate %s0 Block\nOpMemberDecorate %s0 0 Offset 0\nOpDecorate %a0 ArrayStride 4\n\
        OpDecorate %one DescriptorSet 0\nOpDecorate %one Binding 1\nOpDecorate %one InputAttachmentIndex 0\n\
        OpDecorate %two DescriptorSet 0\nOpDecorate %two Binding 2\nOpDecorate %two InputAttachmentIndex 1\n\
        %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%bool = OpTypeBool\n%float = OpTypeFloat 32\n\
        %int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n%v2i = OpTypeVector %int 2\n%v2u = OpTypeVector %uint 2\n\
        %v4 = OpTypeVector %float 4\n%v4u = OpTypeVector %uint 4\n%v2 = OpTypeVector %float 2\n\
        %pin = OpTypePointer Input %v4\n%place = OpVariable %pin Input\n%n0 = OpConstant %int 0\n\
        %n1 = OpConstant %int 1\n%u2 = OpConstant %uint 2\n%u1 = OpConstant %uint 1\n%u10 = OpConstant %uint 10\n\
        %u100 = OpConstant %uint 100\n%u1000 = OpConstant %uint 1000\n%none = OpConstantComposite %v2i %n0 %n0\n\
        %right = OpConstantComposite %v2i %n1 %n0\n%a0 = OpTypeRuntimeArray %uint\n%s0 = OpTypeStruct %a0\n\
        %q0 = OpTypePointer StorageBuffer %s0\n%b0 = OpVariable %q0 StorageBuffer\n\
        %p0 = OpTypePointer StorageBuffer %uint\n%kind1 = OpTypeImage %uint SubpassData 0 0 0 2 Unknown\n\
        %pk1 = OpTypePointer UniformConstant %kind1\n%one = OpVariable %pk1 UniformConstant\n\
        %kind2 = OpTypeImage %float SubpassData 0 0 1 2 Unknown\n%pk2 = OpTypePointer UniformConstant %kind2\n\
        %two = OpVariable %pk2 UniformConstant\n%main = OpFunction %void None %fn\n%first = OpLabel\n\
        %at = OpLoad %v4 %place\n%x = OpCompositeExtract %float %at 0\n%y = OpCompositeExtract %float %at 1\n\
        %xu = OpConvertFToU %uint %x\n%yu = OpConvertFToU %uint %y\n%xm = OpISub %uint %xu %u2\n%ym = OpISub %uint %yu %u1\n\
        %yy = OpIMul %uint %ym %u2\n%n = OpIAdd %uint %xm %yy\n%i1 = OpLoad %kind1 %one\n%i2 = OpLoad %kind2 %two\n\
        %t1 = OpImageRead %v4u %i1 %none\n%r1 = OpCompositeExtract %uint %t1 0\n\
        %t2 = OpImageRead %v4 %i2 %right Sample %n1\n%r2 = OpCompositeExtract %float %t2 0\n%r2u = OpConvertFToU %uint %r2\n\
        %hundred = OpIMul %uint %r2u %u100\n%both = OpIAdd %uint %hundred %r1\n%to = OpAccessChain %p0 %b0 %n0 %n\n\
        %is1 = OpIEqual %bool %n %u1\n%before = OpIsHelperInvocationEXT %bool\nOpSelectionMerge %on None\n\
        OpBranchConditional %is1 %away %on\n%away = OpLabel\nOpStore %to %both\nOpDemoteToHelperInvocationEXT\nOpBranch %on\n\
        %on = OpLabel\n%after = OpIsHelperInvocationEXT %bool\n%h0 = OpSelect %uint %before %u1 %u10\n\
        %h1 = OpSelect %uint %after %u1000 %u1\n%dx = OpConvertUToF %float %h1\n%d = OpDPdxFine %float %dx\n\
        %du = OpConvertFToU %uint %d\n%sum0 = OpIAdd %uint %both %h0\n%sum = OpIAdd %uint %sum0 %du\nOpStore %to %sum\nOpReturn\n\
        OpFunctionEnd\n";
    let images = [image("r8ui", [5, 3, 1], 1), image("r32f", [5, 3, 1], 2)];
    // Texel (x, y) of the first is x + 5 y; sample s of the second x + 5 y + 15 s.
    let bytes: Vec<u8> = (0..16).collect();
    let first = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four"))).collect();
    let second = (0..30).map(|n| (n as f32).to_bits()).collect();
    let after = run(text, &with_images(&images), vec![vec![0; 4], first, second]);
    // Pixels (2, 1), (3, 1), (2, 2), (3, 2). The second is demoted: what it stores later is lost, but its neighbour sees the
    // difference of what it then says of itself.
    let texel = |x: u32, y: u32| x + 5 * y + 100 * (x + 1 + 5 * y + 15);
    assert_eq!(after[0], [texel(2, 1) + 10 + 999, texel(3, 1), texel(2, 2) + 10, texel(3, 2) + 10]);
}

/// The level of an array is asked for without a layer, as the specification has it.
#[test]
fn levels_of_arrays_are_asked_for_without_a_layer() {
    let text = "OpCapability Shader\nOpCapability ImageQuery\nOpMemoryModel Logical GLSL450\n\
        OpEntryPoint Fragment %main \"main\" %uv %out\nOpExecutionMode %main OriginUpperLeft\n\
        OpDecorate %uv Location 0\nOpDecorate %out Location 0\nOpDecorate %tex DescriptorSet 0\nOpDecorate %tex Binding 0\n\
        %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%v2 = OpTypeVector %float 2\n\
        %v4 = OpTypeVector %float 4\n%image = OpTypeImage %float 2D 0 1 0 1 Unknown\n%sampled = OpTypeSampledImage %image\n\
        %ptex = OpTypePointer UniformConstant %sampled\n%pin = OpTypePointer Input %v2\n%pout = OpTypePointer Output %v4\n\
        %zero = OpConstant %float 0\n%tex = OpVariable %ptex UniformConstant\n%uv = OpVariable %pin Input\n\
        %out = OpVariable %pout Output\n%main = OpFunction %void None %fn\n%entry = OpLabel\n%at = OpLoad %v2 %uv\n\
        %s = OpLoad %sampled %tex\n%q = OpImageQueryLod %v2 %s %at\n%x = OpCompositeExtract %float %q 0\n\
        %y = OpCompositeExtract %float %q 1\n%color = OpCompositeConstruct %v4 %x %y %zero %zero\nOpStore %out %color\n\
        OpReturn\nOpFunctionEnd\n";
    let (module, diags) = assemble(text).module();
    assert!(diags.is_empty(), "{diags:?}");
    let shader = lift(&module, &Options::default()).unwrap_or_else(|diags| panic!("{diags:?}"));
    assert!(verify(&shader).is_ok());
}
