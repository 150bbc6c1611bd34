//! Lookups of lavapipe in images of other shapes than flat ones, with offsets and derivatives, gathers and comparisons, against those of
//! the model; and the same, and more, of SwiftShader.
//!
//! `PARALLAX_RECORD_SHAPES=FILE` writes some of the device's results as lines for `runtime/texture/tests/shapes.tsv`, or
//! `swiftshader.tsv` there.

use crate::compare::{assembled, device, model};
use crate::lookups::{GIVEN, Kind, OFFSET, Stage, derivative, is_nan, kind, name, program, words_of};
use crate::swiftshader;
use crate::textures::coordinate;
use parallax_core::exec::{ImageFormat, TexQuad, Textures};
use parallax_core::num::{Model, TextureRule};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_random::Random;
use parallax_texture::{Filter, Mip, Pattern, Sampler, TexelFormat, TextureSet, Unit, Wrap};
use parallax_vulkan::{Buffer, Device, Filtering, Image as DeviceImage, Job, Use};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Lookups of a program.
const LANES: u32 = 64;

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

/// The sampler of an image that the device filters so.
pub(crate) fn sampler(filtering: &Filtering) -> Sampler {
    let filter = |linear: bool| if linear { Filter::Linear } else { Filter::Nearest };
    let [magnified, minified] = filtering.linear;
    Sampler {
        filter: filter(magnified),
        minify: (minified != magnified).then(|| filter(minified)),
        mip: if filtering.blends_levels { Mip::Linear } else { Mip::Nearest },
        wrap: filtering.wrap,
        ..Sampler::default()
    }
}

/// Compares lookups of each kind; `all`: in images of sRGB and of halves, too, with every way of wrapping, with different filters for
/// magnification and minification, and at numbers far away; the bits of NaN are not compared there.
fn compare(device: &Device, rule: TextureRule, kinds: &[Kind], all: bool) {
    let mut random = Random::new(6);
    let mut counts: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    let half = ImageFormat::from_name("rgba16f").expect("a format");
    let (mut told, mut lines) = (Vec::new(), String::new());
    for (n, &kind) in kinds.iter().enumerate() {
        let words = assembled(kind.name, &program(kind, Stage::Compute));
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
            let filtering = Filtering {
                levels: image.levels(),
                linear: [linear, minified],
                blends_levels,
                wrap,
                compares: target.is_shadow(),
            };
            let sampler = sampler(&filtering);
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
