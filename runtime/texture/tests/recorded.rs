//! Lookups that Mesa 22.3.6, lavapipe, did on an x86 host with fused multiply-adds, recorded by `tests/vulkan/tests/textures.rs`.
//!
//! Columns: width, height, format and seed of a noise image; whether it has levels; filter; between levels; wrapping along s and t;
//! then as binary32 patterns s, t, the level, and the four components that came out.

use parallax_core::exec::{TexQuad, Textures};
use parallax_core::num::{SrgbDecode, TextureRule, TextureUnit};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_texture::{Filter, Mip, Pattern, Sampler, TexelFormat, TextureSet, Unit, Wrap};
use std::sync::Arc;

const RECORDED: &str = include_str!("llvmpipe.tsv");

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
