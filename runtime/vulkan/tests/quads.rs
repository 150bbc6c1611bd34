//! Lookups of whole quads against those of the models: cubes, and levels of detail that fragments have by their neighbours.
//!
//! Mesa's renderer computes eight lookups at once and takes another formula for all of them where one comes to the corner of a cube, so each
//! quad stands twice in a module, and four times in a draw.
//!
//! `PARALLAX_RECORD_QUADS=FILE` writes some of the device's results as lines for `runtime/texture/tests/quads.tsv`, or
//! `swiftshader_quads.tsv` there.

use crate::blends::VERTEX;
use crate::compare::{assembled, device, model};
use crate::lookups::{GIVEN, Kind, SIDE, Stage, is_nan, kind, name, program, words_of};
use crate::shapes::sampler;
use crate::swiftshader;
use crate::textures::coordinate;
use parallax_core::exec::{ImageFormat, TexQuad, Textures};
use parallax_core::num::{Model, TextureRule};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_random::Random;
use parallax_texture::{Pattern, TexelFormat, TextureSet, Unit, Wrap};
use parallax_vulkan::{Buffer, Device, DrawJob, Filtering, Image as DeviceImage, Job, TargetKind, Use};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Quads of a program.
const QUADS: usize = 64;

type Given = [f32; GIVEN as usize];

/// In kernels, which have no neighbours, and in fragments. SwiftShader prepares the borders of faces for draws alone: what kernels find there is
/// what the last draw left.
const CUBES: [Kind; 10] = [
    kind("cube, level", TexTarget::Cube, TexMode::Level, false),
    kind("cube, derivatives", TexTarget::Cube, TexMode::Grad, false),
    kind("array of cubes, level", TexTarget::CubeArray, TexMode::Level, false),
    kind("array of cubes, derivatives", TexTarget::CubeArray, TexMode::Grad, false),
    kind("gather from a cube", TexTarget::Cube, TexMode::GatherRed, false),
    kind("gather from an array of cubes", TexTarget::CubeArray, TexMode::GatherAlpha, false),
    kind("shadow on a cube, level", TexTarget::ShadowCube, TexMode::Level, false),
    kind("shadow on an array of cubes", TexTarget::ShadowCubeArray, TexMode::Level, false),
    kind("gather of shadows on a cube", TexTarget::ShadowCube, TexMode::GatherRed, false),
    kind("gather of shadows on an array of cubes", TexTarget::ShadowCubeArray, TexMode::GatherRed, false),
];

/// In fragments.
const FRAGMENTS: [Kind; 20] = [
    kind("line", TexTarget::D1, TexMode::Implicit, false),
    kind("line, bias", TexTarget::D1, TexMode::Bias, false),
    kind("line, level", TexTarget::D1, TexMode::Level, false),
    kind("line, derivatives", TexTarget::D1, TexMode::Grad, false),
    kind("array of lines", TexTarget::D1Array, TexMode::Implicit, false),
    kind("flat", TexTarget::D2, TexMode::Implicit, false),
    kind("flat, bias", TexTarget::D2, TexMode::Bias, false),
    kind("flat, level", TexTarget::D2, TexMode::Level, false),
    kind("flat, derivatives", TexTarget::D2, TexMode::Grad, false),
    kind("flat, asked", TexTarget::D2, TexMode::Detail, false),
    kind("array", TexTarget::D2Array, TexMode::Implicit, false),
    kind("volume", TexTarget::D3, TexMode::Implicit, false),
    kind("volume, bias", TexTarget::D3, TexMode::Bias, false),
    kind("volume, asked", TexTarget::D3, TexMode::Detail, false),
    kind("shadow", TexTarget::Shadow2D, TexMode::Implicit, false),
    kind("cube", TexTarget::Cube, TexMode::Implicit, false),
    kind("cube, bias", TexTarget::Cube, TexMode::Bias, false),
    kind("cube, asked", TexTarget::Cube, TexMode::Detail, false),
    kind("array of cubes", TexTarget::CubeArray, TexMode::Implicit, false),
    kind("shadow on a cube", TexTarget::ShadowCube, TexMode::Implicit, false),
];

/// A direction: anywhere, or near an edge or a corner of a cube whose faces have such a side.
fn direction(random: &mut Random, side: u32) -> [f32; 3] {
    let mut number = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    let mut out = [number(), number(), number()];
    let near = 2.0 / side as f32 * number();
    match random.below(8) {
        0..3 => {}
        edges @ 3..7 => {
            // Two or three components that are about as large.
            let count = if edges == 3 { 3 } else { 2 };
            let first = random.below(3) as usize;
            for n in 0..count {
                let less = random.pick(&[0.0, near, near * 0.25]) * (random.below(256) as f32 / 256.0);
                out[(first + n) % 3] = (1.0 - less).copysign(out[n]);
            }
        }
        _ => out = [0; 3].map(|_| random.pick(&[0.0, -0.0, 1.0, -1.0, 0.5, 1.0, -0.75])),
    }
    let scale = random.pick(&[1.0, 1.0, 3.7, 0.01, 1e6]);
    out.map(|number| number * scale)
}

/// A length from far below a texel to several.
fn length(random: &mut Random, side: u32) -> f32 {
    (random.below(80) as f32 / 10.0 - 4.0).exp2() / side as f32
}

/// What the four pixels of a quad are given.
fn quad(random: &mut Random, kind: Kind, size: [u32; 3], levels: u32) -> [Given; 4] {
    let (is_cube, count) = (kind.target.is_cube(), kind.target.coordinates());
    let base = match is_cube {
        true => direction(random, size[0]),
        false => std::array::from_fn(|axis| coordinate(random, size[axis])),
    };
    let largest = base.iter().fold(0f32, |most, number| most.max(number.abs()));
    let whole = random.below(4) == 0;
    let step = length(random, size[0]) * if is_cube { 2.0 * largest } else { 1.0 };
    let steps: [[f32; 3]; 3] = std::array::from_fn(|n| {
        std::array::from_fn(|axis| match whole {
            // Steps of a power of two along axes or between them: levels that are integers or lie in the middle between some.
            true => random.pick(&[0.0, 1.0, -1.0]) * step.log2().round().exp2() * if n == 2 { 0.0 } else { 1.0 },
            false => step * (random.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0) / if n == 2 { 4.0 } else { 1.0 },
        } * if is_cube { 1.0 } else { size[0] as f32 / size[axis] as f32 })
    });
    std::array::from_fn(|lane| {
        let mut out = [0.0; GIVEN as usize];
        for axis in 0..count {
            let moved = [lane % 2 == 1, lane / 2 == 1, lane == 3];
            out[axis] = (0..3).filter(|&n| moved[n]).fold(base[axis], |sum, n| sum + steps[n][axis]);
            if kind.mode == TexMode::Grad {
                let length = 2.0 * step * (random.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5);
                out[6 + axis] = if whole { steps[0][axis] } else { steps[0][axis] + length };
                out[9 + axis] = if whole { steps[1][axis] } else { steps[1][axis] - length };
            }
        }
        if kind.target.is_array() {
            out[3] = random.pick(&[0.0, 1.0, 2.4, 2.5, 3.5, -1.0, 9.0, 0.5]);
        }
        out[4] = match kind.mode {
            TexMode::Level => {
                random.pick(&[0.0, 0.25, 0.5, 1.0, 1.5, -1.0, 0.99999994])
                    + random.below(1 << 16) as f32 / (1 << 16) as f32 * levels as f32
            }
            TexMode::Bias => random.pick(&[0.0, 0.5, -1.0, 1.0, 2.25, -0.3, 20.0, -20.0]),
            _ => 0.0,
        };
        if kind.target.is_shadow() {
            out[5] = random.below(1 << 24) as f32 / (1 << 24) as f32;
        }
        out
    })
}

/// What the device makes of quads.
fn theirs(
    device: &Device,
    words: &[u32],
    stage: Stage,
    image: DeviceImage,
    quads: &[[Given; 4]],
) -> Vec<[[u32; 4]; 4]> {
    let flat = |lanes: &mut dyn Iterator<Item = Given>| -> Vec<u32> { lanes.flatten().map(f32::to_bits).collect() };
    match stage {
        Stage::Compute => {
            let lanes = flat(&mut quads.iter().flat_map(|quad| quad.iter().chain(quad)).copied());
            let left = vec![0; 8 * QUADS * 4];
            let buffers = vec![Buffer::storage(0, 0, left), Buffer::storage(0, 2, lanes)];
            let grid = [8 * QUADS as u32 / 64, 1, 1];
            let job = Job { words, grid, buffers, images: vec![image], ..Job::default() };
            let left = device.run(&job).unwrap_or_else(|problem| panic!("{problem}")).remove(0);
            let lanes: Vec<[u32; 4]> = left.as_chunks().0.to_vec();
            let twice: Vec<[[u32; 4]; 8]> = lanes.as_chunks().0.to_vec();
            twice
                .into_iter()
                .map(|lanes| {
                    let (first, second) = lanes.split_at(4);
                    assert_eq!(first, second, "the same lookups differ");
                    std::array::from_fn(|lane| lanes[lane])
                })
                .collect()
        }
        Stage::Fragment => {
            // Triangles that leave the target are cut, and in quads along the cut Mesa's pixels outside read zeros. So one half is drawn,
            // and the blocks along its edge are left out.
            let blocks: Vec<[u32; 2]> = (0..SIDE / 4)
                .flat_map(|y| (0..SIDE / 4 - 1).map(move |x| [4 * x, 4 * y]))
                .filter(|[x, y]| x + y < SIDE - 4)
                .take(QUADS)
                .collect();
            assert_eq!(blocks.len(), QUADS);
            let mut lanes = vec![[0.0; GIVEN as usize]; (SIDE * SIDE) as usize];
            for (quad, [left, top]) in quads.iter().zip(&blocks) {
                for (x, y) in (0..4).flat_map(|y| (0..4).map(move |x| (x, y))) {
                    lanes[((top + y) * SIDE + left + x) as usize] = quad[(x % 2 + 2 * (y % 2)) as usize];
                }
            }
            let lanes = flat(&mut lanes.into_iter());
            let vertex = assembled("vertex", &VERTEX.replace("%float 3", "%float 1"));
            let job = DrawJob {
                vertex: &vertex,
                fragment: words,
                vertices: 3,
                size: [SIDE; 2],
                targets: TargetKind::Float,
                colours: 1,
                depths: [0.0, 1.0],
                clamps_depth: false,
                buffers: vec![Buffer::storage(0, 2, lanes)],
                textures: Vec::new(),
                images: vec![image],
                blend: None,
            };
            let pixels = device.draw(&job).unwrap_or_else(|problem| panic!("{problem}")).colours.remove(0);
            blocks
                .iter()
                .map(|[left, top]| {
                    let of = |dx: u32, dy: u32| {
                        std::array::from_fn(|lane| {
                            let (x, y) = (left + 2 * dx + lane as u32 % 2, top + 2 * dy + lane as u32 / 2);
                            pixels[(y * SIDE + x) as usize]
                        })
                    };
                    let first: [[u32; 4]; 4] = of(0, 0);
                    for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
                        assert_eq!(of(dx, dy), first, "the same quads differ");
                    }
                    first
                })
                .collect()
        }
    }
}

#[test]
fn quads_are_those_of_mesa() {
    let Some(device) = device() else { return };
    let device = device.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (rule, _) = model().texture();
    compare(&device, rule, false);
}

#[test]
fn quads_are_those_of_swiftshader() {
    let Some(device) = swiftshader::device() else { return };
    let (rule, _) = Model::builtin("swiftshader").expect("a built-in model").texture();
    compare(&device, rule, true);
}

/// Compares quads of each kind; `all`: in images of sRGB and of halves, too; the bits of NaN are not compared there.
fn compare(device: &Device, rule: TextureRule, all: bool) {
    let mut random = Random::new(9);
    let mut counts: BTreeMap<(bool, &str), [u32; 2]> = BTreeMap::new();
    let half = ImageFormat::from_name("rgba16f").expect("a format");
    let (mut told, mut lines) = (Vec::new(), String::new());
    let stages = [Stage::Compute, Stage::Fragment];
    let kinds = stages.iter().flat_map(|&stage| match stage {
        Stage::Compute if all => Vec::new(),
        Stage::Compute => CUBES.map(|kind| (stage, kind)).to_vec(),
        Stage::Fragment => FRAGMENTS.iter().chain(&CUBES).map(|&kind| (stage, kind)).collect(),
    });
    let only = std::env::var("PARALLAX_VULKAN_ONLY").unwrap_or_default();
    for (n, (stage, kind)) in kinds.enumerate() {
        if !kind.name.contains(&only) {
            continue;
        }
        let words = assembled(kind.name, &program(kind, stage));
        let (target, count) = (kind.target, kind.target.coordinates());
        for case in 0..if all { 24 } else { 16u32 } {
            let sides = [4, 5, 16, 37, 2, 64, 1, 32];
            let mut side = |yes: bool| if yes { random.pick(&sides) } else { 1 };
            let [width, height, depth] = [side(true), side(count > 1), side(count > 2).min(16)];
            let layers = if target.is_array() { 5 } else { 1 };
            let whole = match (target.is_cube(), count) {
                (true, _) => [width, width, 6 * layers],
                (false, 3) => [width, height, depth],
                (false, _) => [width, height, layers],
            };
            let format = match case % 2 {
                0 if all && !target.is_shadow() && case % 8 == 0 => TexelFormat::Srgb8,
                0 if !target.is_shadow() => TexelFormat::Rgba8,
                _ if all && !target.is_shadow() && case % 8 == 1 => TexelFormat::Stored(half),
                _ => TexelFormat::Rgba32F,
            };
            let seed = case + 100 * n as u32;
            let image = Pattern::Noise { seed }.draw_volume(whole, format).expect("a small image");
            let has_levels = kind.mode.gathered().is_none() && (case % 4 > 1 || !target.is_cube() || case % 8 == 5);
            let is_volume = count == 3 && !target.is_cube();
            let image = if has_levels { image.with_mipmaps(!is_volume) } else { image };
            if !all && target.is_cube() && kind.mode == TexMode::Detail {
                // Mesa answers queries about cubes with other numbers than those its lookups take.
                continue;
            }
            let mut yes = || random.below(2) == 0;
            let (linear, blends_levels) = (yes() || yes(), yes());
            let wrap = [0; 3].map(|_| if yes() { Wrap::Clamp } else { Wrap::Repeat });
            let minified = if case % 6 == 0 { !linear } else { linear };
            let filtering = Filtering {
                levels: image.levels(),
                linear: [linear, minified],
                blends_levels,
                wrap,
                compares: target.is_shadow(),
            };
            let sampler = sampler(&filtering);
            let size = if target.is_cube() { [width; 3] } else { [width, height, depth] };
            let quads: Vec<_> = (0..QUADS).map(|_| quad(&mut random, kind, size, image.levels())).collect();
            let device_image = DeviceImage {
                set: 0,
                binding: 1,
                used: Use::Filtered(filtering),
                dim: if target.is_cube() { 6 } else { count as u32 },
                arrayed: target.is_array(),
                size: whole,
                format: if target.is_shadow() { "r32f" } else { name(format) },
                words: words_of(&image, format, target),
            };
            let found = theirs(device, &words, stage, device_image, &quads);
            let levels = image.levels();
            let mut set = TextureSet::default();
            set.set(0, Unit::Image { image: Arc::new(image), sampler });
            let op = TexOp::plain(0, target, kind.mode);
            let op = TexOp { rule: rule.only(|field| op.reads(field)), ..op };
            for (at, (given, there)) in quads.iter().zip(&found).enumerate() {
                let bits = given.map(|lane| lane.map(f32::to_bits));
                let lookup = TexQuad {
                    coords: bits.map(|lane| [lane[0], lane[1], lane[2], lane[4]]),
                    layer: bits.map(|lane| lane[3]),
                    reference: bits.map(|lane| lane[5]),
                    grads: bits.map(|lane| std::array::from_fn(|n| lane[6 + n])),
                    ..TexQuad::default()
                };
                let mut ours = set.sample(&op, &lookup);
                if target.is_shadow() && kind.mode.gathered().is_none() {
                    ours = ours.map(|lane| [lane[0]; 4]);
                }
                let has_nan = there.iter().flatten().any(|&word| is_nan(word));
                if at == case as usize && case % 3 == 2 && !has_nan {
                    let word = |yes: bool| if yes { "linear" } else { "nearest" };
                    let _ = write!(
                        lines,
                        "{stage:?}\t{}\t{}\t{}\t{}\t{}\t{}\t{seed}\t{has_levels}\t{},{}\t{}\t{}",
                        target.name(),
                        kind.mode.name(),
                        whole[0],
                        whole[1],
                        whole[2],
                        name(format),
                        word(linear),
                        word(minified),
                        word(blends_levels),
                        wrap.map(|wrap| format!("{wrap:?}").to_lowercase()).join("\t"),
                    );
                    for word in bits.iter().flatten().chain(there.iter().flatten()) {
                        let _ = write!(lines, "\t{word:x}");
                    }
                    lines.push('\n');
                }
                let counted = counts.entry((stage == Stage::Fragment, kind.name)).or_default();
                for lane in 0..4 {
                    counted[0] += 1;
                    let differs = |(a, b): (&u32, &u32)| a != b && !(all && is_nan(*a) && is_nan(*b));
                    if ours[lane].iter().zip(&there[lane]).any(differs) {
                        counted[1] += 1;
                        if counted[1] < 4 {
                            told.push(format!(
                                "{stage:?} {} {whole:?} {format:?} {:?} {:?} {:?} {:?} levels {levels} lane {lane} {given:?}: {:08x?}, there {:08x?}",
                                kind.name, sampler.filter, sampler.minify, sampler.mip, sampler.wrap, ours[lane], there[lane]
                            ));
                        }
                    }
                }
            }
        }
    }
    if let Some(path) = std::env::var_os("PARALLAX_RECORD_QUADS") {
        std::fs::write(path, lines).expect("a file that can be written");
    }
    let wrong: Vec<_> = counts.iter().filter(|(_, [_, wrong])| *wrong > 0).collect();
    assert!(wrong.is_empty(), "{wrong:?}\n{}", told.join("\n"));
}
