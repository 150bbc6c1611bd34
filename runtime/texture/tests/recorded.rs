//! Lookups that Mesa 22.3.6, lavapipe, did on an x86 host with fused multiply-adds, recorded by `tests/vulkan/tests/textures.rs`.
//!
//! Columns: width, height, format and seed of a noise image; whether it has levels; filter; between levels; wrapping along s and t;
//! then as binary32 patterns s, t, the level, and the four components that came out.

use parallax_core::exec::{ImageFormat, TexQuad, Textures};
use parallax_core::num::{Model, SrgbDecode, TextureRule, TextureUnit};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_texture::{Filter, Image, Mip, Pattern, Sampler, TexelFormat, TextureSet, Unit, Wrap};
use std::sync::Arc;

const RECORDED: &str = include_str!("llvmpipe.tsv");

/// Of other shapes than flat ones, with offsets, derivatives, gathers and comparisons, recorded by `tests/vulkan/tests/shapes.rs`. Columns:
/// shape, mode, whether offsets are added, sides, format, seed, whether there are levels; filter, between levels, wrapping along s, t and r; then
/// as binary32 patterns s, t, r, layer, level, reference, derivatives to the right and down, and the four components that came out.
const SHAPES: &str = include_str!("shapes.tsv");

#[test]
fn lookups_are_those_of_llvmpipe() {
    let rule = TextureRule { unit: TextureUnit::Gallivm, srgb: SrgbDecode::Polynomial, ..TextureRule::IEEE };
    let (mut tried, mut plain) = (0, 0);
    for line in RECORDED.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let &[width, height, format, seed, levels, filter, mip, s, t, ref numbers @ ..] = &words[..] else {
            panic!("{line}")
        };
        let number = |text: &str| -> u32 { text.parse().unwrap_or_else(|e| panic!("{text}: {e}")) };
        let format = match format {
            "rgba8" => TexelFormat::Rgba8,
            "srgb8" => TexelFormat::Srgb8,
            _ => TexelFormat::Rgba32F,
        };
        let pattern = Pattern::Noise { seed: number(seed) };
        let mut image = pattern.draw(number(width), number(height), format).expect("a small image");
        if levels == "levels" {
            image = image.with_mipmaps(false);
        }
        let wrap = |word: &str| if word == "clamp" { Wrap::Clamp } else { Wrap::Repeat };
        let sampler = Sampler {
            filter: if filter == "linear" { Filter::Linear } else { Filter::Nearest },
            mip: if mip == "linear" { Mip::Linear } else { Mip::Nearest },
            wrap: [wrap(s), wrap(t), Wrap::Repeat],
            ..Sampler::default()
        };
        let bits: Vec<u32> = numbers
            .iter()
            .map(|word| u32::from_str_radix(word, 16).unwrap_or_else(|e| panic!("{line}: {e}")))
            .collect();
        let &[s, t, level, ref wanted @ ..] = &bits[..] else { panic!("{line}") };
        let mut textures = TextureSet::default();
        textures.set(0, Unit::Image { image: Arc::new(image), sampler });
        let quad = TexQuad { coords: [[s, t, 0, level]; 4], ..TexQuad::default() };
        let lookup = |rule: TextureRule| {
            let op = TexOp { rule, ..TexOp::plain(0, TexTarget::D2, TexMode::Level) };
            textures.sample(&op, &quad)[3]
        };
        assert_eq!(lookup(rule), wanted, "{line}");
        tried += 1;
        plain += usize::from(lookup(TextureRule::IEEE) == wanted);
    }
    assert!(tried > 500 && plain < tried / 2, "{plain} of {tried} lookups are those of `ieee`");
}

/// The same of the SwiftShader of Chromium. Where the filters differ, that for magnification comes first.
const SWIFTSHADER: &str = include_str!("swiftshader.tsv");

#[test]
fn lookups_of_all_shapes_are_those_of_llvmpipe() {
    assert_recorded("llvmpipe", SHAPES);
}

#[test]
fn lookups_of_all_shapes_are_those_of_swiftshader() {
    assert_recorded("swiftshader", SWIFTSHADER);
}

/// Whole quads, cubes among them, recorded by `tests/vulkan/tests/quads.rs`. Columns: stage, shape, mode, sides, format, seed, whether there are
/// levels; filters for magnification and minification, between levels, wrapping along s, t and r; then as binary32 patterns for each of four pixels s, t, r, layer, level or
/// bias, reference, derivatives to the right and down; and for each the four components that came out.
const QUADS: &str = include_str!("quads.tsv");

/// The same of the SwiftShader of Chromium.
const SWIFTSHADER_QUADS: &str = include_str!("swiftshader_quads.tsv");

#[test]
fn quads_are_those_of_lavapipe() {
    assert_quads("lavapipe", QUADS);
}

#[test]
fn quads_are_those_of_swiftshader() {
    assert_quads("swiftshader", SWIFTSHADER_QUADS);
}

fn assert_quads(model: &str, recorded: &str) {
    let rule = Model::builtin(model).expect("a built-in model").texture().0;
    let (mut tried, mut plain, mut cubes) = (0, 0, 0);
    for line in recorded.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let target = TexTarget::ALL.into_iter().find(|target| target.name() == words[1]).expect(line);
        let mode = TexMode::ALL.into_iter().find(|mode| mode.name() == words[2]).expect(line);
        let (image, sampler) = drawn(&words[3..14], target, line);
        let bits: Vec<u32> = words[14..].iter().map(|word| u32::from_str_radix(word, 16).expect(line)).collect();
        let (given, wanted) = bits.split_at(48);
        let of = |lane: usize, n: usize| given[12 * lane + n];
        let quad = TexQuad {
            coords: [0, 1, 2, 3].map(|lane| [of(lane, 0), of(lane, 1), of(lane, 2), of(lane, 4)]),
            layer: [0, 1, 2, 3].map(|lane| of(lane, 3)),
            reference: [0, 1, 2, 3].map(|lane| of(lane, 5)),
            grads: [0, 1, 2, 3].map(|lane| std::array::from_fn(|n| of(lane, 6 + n))),
            ..TexQuad::default()
        };
        let mut textures = TextureSet::default();
        textures.set(0, Unit::Image { image: Arc::new(image), sampler });
        let lookup = |rule: TextureRule| {
            let found = textures.sample(&TexOp { rule, ..TexOp::plain(0, target, mode) }, &quad);
            // A single number came out of a comparison.
            let is_single = target.is_shadow() && mode.gathered().is_none();
            if is_single { found.map(|texel| [texel[0]; 4]) } else { found }
        };
        assert_eq!(lookup(rule).as_flattened(), wanted, "{line}");
        tried += 1;
        cubes += usize::from(target.is_cube());
        plain += usize::from(lookup(TextureRule::IEEE).as_flattened() == wanted);
    }
    assert!(
        tried > 150 && cubes > 80 && plain < tried / 2,
        "{plain} of {tried} quads are those of `ieee`, {cubes} of cubes"
    );
}

/// The image and the sampler of a line: sides, format, seed, levels, filters, between levels, wrapping.
fn drawn(words: &[&str], target: TexTarget, line: &str) -> (Image, Sampler) {
    let number = |n: usize| -> u32 { words[n].parse().expect(line) };
    let format = match words[3] {
        "rgba8" => TexelFormat::Rgba8,
        "srgb8" => TexelFormat::Srgb8,
        "rgba32f" => TexelFormat::Rgba32F,
        stored => TexelFormat::Stored(ImageFormat::from_name(stored).expect(line)),
    };
    let filter = |word: Option<&str>| if word == Some("linear") { Filter::Linear } else { Filter::Nearest };
    let size = [number(0), number(1), number(2)];
    let mut image = Pattern::Noise { seed: number(4) }.draw_volume(size, format).expect("a small image");
    if words[5] == "true" {
        image = image.with_mipmaps(target != TexTarget::D3);
    }
    let sampler = Sampler {
        filter: filter(words[6].split(',').next()),
        minify: words[6].contains(',').then(|| filter(words[6].split(',').nth(1))),
        mip: if words[7] == "linear" { Mip::Linear } else { Mip::Nearest },
        wrap: [8, 9, 10].map(|n| match words[n] {
            "clamp" => Wrap::Clamp,
            "mirror" => Wrap::Mirror,
            "border" => Wrap::Border,
            _ => Wrap::Repeat,
        }),
        ..Sampler::default()
    };
    (image, sampler)
}

fn assert_recorded(model: &str, recorded: &str) {
    let rule = Model::builtin(model).expect("a built-in model").texture().0;
    let (mut tried, mut plain) = (0, 0);
    for line in recorded.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let target = TexTarget::ALL.into_iter().find(|target| target.name() == words[0]).expect(line);
        let mode = TexMode::ALL.into_iter().find(|mode| mode.name() == words[1]).expect(line);
        let (image, sampler) = drawn(&words[3..14], target, line);
        let bits: Vec<u32> = words[14..].iter().map(|word| u32::from_str_radix(word, 16).expect(line)).collect();
        let quad = TexQuad {
            coords: [[bits[0], bits[1], bits[2], bits[4]]; 4],
            layer: [bits[3]; 4],
            reference: [bits[5]; 4],
            grads: [std::array::from_fn(|n| bits[6 + n]); 4],
            ..TexQuad::default()
        };
        let mut textures = TextureSet::default();
        textures.set(0, Unit::Image { image: Arc::new(image), sampler });
        let offset = if words[2] == "moved" { [3, -2, 1] } else { [0; 3] };
        let lookup = |rule: TextureRule| {
            let found = textures.sample(&TexOp { rule, offset, ..TexOp::plain(0, target, mode) }, &quad)[2];
            // A single number came out of a comparison.
            if target.is_shadow() && mode == TexMode::Level { [found[0]; 4] } else { found }
        };
        assert_eq!(lookup(rule), bits[12..], "{line}");
        tried += 1;
        plain += usize::from(lookup(TextureRule::IEEE) == bits[12..]);
    }
    assert!(tried > 400 && plain < tried * 3 / 4, "{plain} of {tried} lookups are those of `ieee`");
}
