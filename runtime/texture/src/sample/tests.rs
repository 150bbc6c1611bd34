//! Known results, and rows against their quads.

use super::*;
use crate::Compare;
use parallax_core::TexTarget;
use parallax_core::num::{CubeFace, TextureRule};

fn two_by_two() -> Image {
    let grey = |v: f32| [v, v, v, 1.0].map(f32::to_bits);
    Image::rgba32f(2, 2, vec![grey(0.0), grey(1.0), grey(2.0), grey(4.0)]).unwrap()
}

fn tex(target: TexTarget) -> TexOp {
    TexOp::plain(0, target, TexMode::Implicit)
}

fn at(sampler: &Sampler, op: &TexOp, coords: [f32; 4]) -> f32 {
    let quad = TexQuad { coords: [coords.map(f32::to_bits); 4], ..TexQuad::default() };
    f32::from_bits(sample(&two_by_two(), sampler, op, &quad)[3][0])
}

/// The level of detail itself, as it is computed and as it is taken.
#[test]
fn levels_of_detail_are_told() {
    let image = Image::rgba8(8, 8, vec![[9; 4]; 64]).unwrap().with_mipmaps(false);
    let op = TexOp { mode: TexMode::Detail, ..tex(TexTarget::D2) };
    let detail = |mip, step: f32| {
        let coords =
            [[0.0, 0.0], [step, 0.0], [0.0, 0.0], [step, 0.0]].map(|[s, t]: [f32; 2]| [s.to_bits(), t.to_bits(), 0, 0]);
        let quad = TexQuad { coords, ..TexQuad::default() };
        let [lane, ..] = sample(&image, &Sampler { mip, ..Sampler::default() }, &op, &quad);
        lane.map(f32::from_bits)
    };
    let three = (9f64.log2() / 2.0) as f32;
    assert_eq!(detail(Mip::Linear, 0.25), [1.0, 1.0, 0.0, 0.0]);
    assert_eq!(detail(Mip::Linear, 0.375)[1], three);
    assert!((detail(Mip::Linear, 0.375)[0] - three).abs() < 1e-6);
    assert_eq!(detail(Mip::Nearest, 0.375), [2.0, three, 0.0, 0.0]);
    assert_eq!(detail(Mip::Linear, 1024.0), [3.0, 13.0, 0.0, 0.0]);
    assert_eq!(detail(Mip::None, 1024.0), [0.0, 13.0, 0.0, 0.0]);
    assert_eq!(detail(Mip::Linear, 0.0), [0.0, f32::NEG_INFINITY, 0.0, 0.0]);
}

/// Rows against quads: every shape, filter, wrap and format, coordinates near and far, at texels and between them.
#[test]
fn rows_have_the_bits_of_their_quads() {
    let mut random = parallax_random::Random::new(3);
    use TexMode::{Bias, Detail, Fetch, GatherBlue, Grad, Implicit, Level};
    let modes = [Implicit, Bias, Level, Grad, Fetch, GatherBlue, Detail];
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Border];
    for case in 0..3000 {
        let mut pick = |n: usize| random.below(n as u64) as usize;
        let target = if case % 2 == 0 { TexTarget::D2 } else { TexTarget::ALL[pick(TexTarget::ALL.len())] };
        let depth = if target.is_cube() { 6 } else { 1 } * (1 + pick(3) as u32);
        let side = [1, 2, 3, 4, 5, 8, 16, 37];
        let size = [side[pick(8)], side[pick(8)], depth];
        let count = size.iter().product::<u32>() as usize;
        let image = match pick(2) {
            0 => Image::rgba8_volume(size, (0..count).map(|_| [0; 4].map(|_: u8| pick(256) as u8)).collect()),
            _ => Image::rgba32f_volume(
                size,
                (0..count).map(|_| [0; 4].map(|_: u32| [0x3f80_0000, 0x7f80_0000, 0xbe12_3456, 1][pick(4)])).collect(),
            ),
        };
        let mut image = image.unwrap();
        if pick(3) == 0 {
            image = image.with_mipmaps(target.is_cube() || target.is_array());
        }
        let filter = |n: usize| [Filter::Nearest, Filter::Linear][n];
        let sampler = Sampler {
            filter: filter(pick(2)),
            minify: [None, Some(filter(pick(2)))][pick(2)],
            mip: [Mip::None, Mip::Nearest, Mip::Linear][pick(3)],
            wrap: [0; 3].map(|_: u8| wraps[pick(4)]),
            border: [7; 4],
            compare: Compare::NAMES[pick(8)].1,
        };
        let offset = [pick(3) as i8 - 1, pick(3) as i8 - 1, 0];
        let (mode, project) = (modes[pick(7)], pick(4) == 0);
        let (moved, least_level) = (pick(5) == 0, pick(5) == 0);
        let op = TexOp { mode, project, offset, moved, least_level, ..tex(target) };
        let lanes = 4 * (1 + pick(40));
        let mut word = || match (op.mode, pick(12)) {
            (TexMode::Fetch, _) => pick(40) as u32,
            (_, 0) => [f32::NAN, f32::INFINITY, -1e30, 9e6, -8_388_609.0, -0.0, 1e-40][pick(7)].to_bits(),
            (_, 1..4) => (pick(33) as f32 / 16.0 - 0.5).to_bits(),
            _ => (pick(1 << 20) as f32 / (1 << 17) as f32 - 4.0).to_bits(),
        };
        let rows: Vec<Vec<u32>> = (0..TexOp::MOST_OPERANDS).map(|_| (0..lanes).map(|_| word()).collect()).collect();
        let given = |n: usize| if n == 2 && case % 5 == 0 { &[] } else { rows[n].as_slice() };
        let lookup = TexRows::of(&op, given);
        let mut texels = vec![vec![9; lanes]; 4];
        let [r, g, b, a] = &mut texels[..] else { unreachable!() };
        sample_rows(&image, &sampler, &op, &lookup, &mut [r, g, b, a]);
        for lane in 0..lanes {
            let want = sample(&image, &sampler, &op, &lookup.quad(lane & !3))[lane & 3];
            let got: Vec<u32> = texels.iter().map(|row| row[lane]).collect();
            assert_eq!(got, want, "case {case}, lane {lane}: {op:?} {sampler:?} {size:?}");
        }
    }
}

#[test]
fn nearest_takes_the_texel_the_coordinate_falls_into() {
    let sampler = Sampler { filter: Filter::Nearest, ..Sampler::default() };
    let op = tex(TexTarget::D2);
    assert_eq!(at(&sampler, &op, [0.49, 0.0, 0.0, 1.0]), 0.0);
    assert_eq!(at(&sampler, &op, [0.5, 0.0, 0.0, 1.0]), 1.0);
    assert_eq!(at(&sampler, &op, [0.75, 0.75, 0.0, 1.0]), 4.0);
    assert_eq!(at(&sampler, &op, [1.25, -0.25, 0.0, 1.0]), 2.0);
    let moved = TexOp { offset: [1, 0, 0], ..op };
    assert_eq!(at(&sampler, &moved, [0.25, 0.25, 0.0, 1.0]), 1.0);
    // Each lane by an offset of its own: the texels 0, 1, 2 and 4, two texels further, and NaN for 0.
    let by = [[0.0, 0.0], [-1.0, 0.0], [2.0, 1.0], [1.0, f32::NAN]];
    let offsets = by.map(|[x, y]: [f32; 2]| [x, y, 0.0].map(f32::to_bits));
    let coords = [[0.25f32, 0.25, 0.0, 1.0].map(f32::to_bits); 4];
    let quad = TexQuad { coords, offsets, ..TexQuad::default() };
    let red = |op: TexOp| sample(&two_by_two(), &sampler, &op, &quad).map(|texel| f32::from_bits(texel[0]));
    assert_eq!(red(TexOp { moved: true, ..op }), [0.0, 1.0, 2.0, 1.0]);
    assert_eq!(red(TexOp { moved: true, ..moved }), [1.0, 0.0, 4.0, 0.0]);
    let gathered = TexOp { moved: true, mode: TexMode::GatherRed, ..op };
    // The lower left of the four.
    assert_eq!(red(gathered), [2.0, 4.0, 0.0, 4.0]);
}

/// The least level of a lookup is a floor under every other.
#[test]
fn levels_are_raised_to_the_least() {
    let image = levels();
    let sampler = Sampler { mip: Mip::Linear, ..Sampler::default() };
    let red = |mode, step: f32, least: f32| {
        let mut quad = TexQuad { least_level: [least.to_bits(); 4], ..quad(step, 0.5) };
        quad.grads = [[step, 0.0, 0.0, 0.0, 0.0, 0.0].map(f32::to_bits); 4];
        let op = TexOp { mode, least_level: true, ..tex(TexTarget::D2) };
        f32::from_bits(sample(&image, &sampler, &op, &quad)[1][0])
    };
    // Steps of 1/8 and 1/2 are levels 0 and 2.
    for (mode, fine, coarse) in [
        (TexMode::Implicit, 0.0, 2.0),
        (TexMode::Grad, 0.0, 2.0),
        (TexMode::Bias, 0.5, 2.5),
        (TexMode::Level, 0.5, 0.5),
    ] {
        for least in [-4.0, 0.0, 1.25, 2.25, 9.0, f32::NAN] {
            let raised = |level: f32| if least > level { least.min(3.0) } else { level };
            assert_eq!(red(mode, 0.125, least), raised(fine), "{mode:?} {least}");
            assert_eq!(red(mode, 0.5, least), raised(coarse), "{mode:?} {least}");
        }
    }
}

#[test]
fn linear_blends_four_texels() {
    let sampler = Sampler::default();
    let op = tex(TexTarget::D2);
    assert_eq!(at(&sampler, &op, [0.25, 0.25, 0.0, 1.0]), 0.0);
    assert_eq!(at(&sampler, &op, [0.5, 0.25, 0.0, 1.0]), 0.5);
    assert_eq!(at(&sampler, &op, [0.5, 0.5, 0.0, 1.0]), 1.75);
    // Half a texel beyond the left edge: repeat blends with the right column.
    assert_eq!(at(&sampler, &op, [0.0, 0.25, 0.0, 1.0]), 0.5);
    assert_eq!(at(&sampler, &TexOp { project: true, ..op }, [1.0, 1.0, 0.0, 2.0]), 1.75);
}

#[test]
fn gathering_takes_the_texels_that_filtering_blends() {
    let quad = |s: f32, t: f32| TexQuad { coords: [[s, t, 0.0, 0.0].map(f32::to_bits); 4], ..TexQuad::default() };
    for filter in [Filter::Linear, Filter::Nearest] {
        let sampler = Sampler { filter, wrap: [Wrap::Clamp; 3], ..Sampler::default() };
        let gather = |mode, offset, s, t| {
            let op = TexOp { mode, offset, ..tex(TexTarget::D2) };
            sample(&two_by_two(), &sampler, &op, &quad(s, t))[1].map(f32::from_bits)
        };
        assert_eq!(gather(TexMode::GatherRed, [0; 3], 0.5, 0.5), [2.0, 4.0, 1.0, 0.0]);
        assert_eq!(gather(TexMode::GatherAlpha, [0; 3], 0.5, 0.5), [1.0; 4]);
        // The upper neighbours lie beyond the edge.
        assert_eq!(gather(TexMode::GatherBlue, [0; 3], 0.9, 0.5), [4.0, 4.0, 1.0, 1.0]);
        assert_eq!(gather(TexMode::GatherRed, [0, 1, 0], 0.5, 0.5), [2.0, 4.0, 4.0, 2.0]);
    }
}

#[test]
fn clamp_and_border_decide_what_lies_outside() {
    let clamp = Sampler { wrap: [Wrap::Clamp; 3], ..Sampler::default() };
    let border = Sampler { wrap: [Wrap::Border; 3], border: [8f32.to_bits(); 4], ..Sampler::default() };
    let op = tex(TexTarget::D2);
    assert_eq!(at(&clamp, &op, [-3.0, 0.25, 0.0, 1.0]), 0.0);
    assert_eq!(at(&clamp, &op, [9.0, 9.0, 0.0, 1.0]), 4.0);
    assert_eq!(at(&border, &op, [-3.0, 0.25, 0.0, 1.0]), 8.0);
    assert_eq!(at(&border, &op, [0.0, 0.25, 0.0, 1.0]), 4.0);
}

#[test]
fn odd_coordinates_are_defined() {
    for filter in [Filter::Nearest, Filter::Linear] {
        for wrap in [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Border] {
            let sampler = Sampler { filter, wrap: [wrap; 3], ..Sampler::default() };
            for value in [f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX, f32::MIN, 1e30, -1e-45] {
                for target in [TexTarget::D1, TexTarget::D2, TexTarget::D3, TexTarget::Rect] {
                    let got = at(&sampler, &tex(target), [value, 0.25, 0.0, 1.0]);
                    assert!((0.0..=4.0).contains(&got), "{value} gives {got}");
                }
            }
        }
    }
    // Not finite counts as 0.
    assert_eq!(at(&Sampler::default(), &tex(TexTarget::D2), [f32::NAN, 0.25, 0.0, 1.0]), 0.5);
}

#[test]
fn rectangles_are_addressed_in_texels_and_lines_ignore_t() {
    let sampler = Sampler::default();
    assert_eq!(at(&sampler, &tex(TexTarget::Rect), [1.0, 1.0, 0.0, 1.0]), 1.75);
    assert_eq!(at(&sampler, &tex(TexTarget::D1), [0.5, 77.0, 0.0, 1.0]), 0.5);
}

#[test]
fn fetches_take_integers_and_give_zero_outside() {
    let op = TexOp { mode: TexMode::Fetch, ..tex(TexTarget::D2) };
    let fetch = |x: i32, y: i32, level: i32| {
        let quad = TexQuad { coords: [[x, y, 0, level].map(|v| v as u32); 4], ..TexQuad::default() };
        f32::from_bits(sample(&two_by_two(), &Sampler::default(), &op, &quad)[0][0])
    };
    assert_eq!((fetch(1, 1, 0), fetch(2, 0, 0), fetch(-1, 0, 0), fetch(1, 1, 1)), (4.0, 0.0, 0.0, 0.0));
}

#[test]
fn a_nan_that_arises_has_fixed_bits() {
    let image = Image::rgba32f(2, 1, vec![[f32::INFINITY.to_bits(); 4], [f32::NEG_INFINITY.to_bits(); 4]]).unwrap();
    let quad = TexQuad { coords: [[0.5f32, 0.5, 0.0, 1.0].map(f32::to_bits); 4], ..TexQuad::default() };
    let got = sample(&image, &Sampler::default(), &tex(TexTarget::D2), &quad);
    assert_eq!(got, [[0xffc0_0000; 4]; 4]);
}

/// A chain of single-coloured levels: level n is grey n.
fn levels() -> Image {
    Image::rgba32f(8, 8, vec![[0; 4]; 64]).unwrap().with_mipmaps(false).with_grey_levels()
}

fn quad(step: f32, q: f32) -> TexQuad {
    let at = |x: f32, y: f32| [0.5 + x * step, 0.5 + y * step, 0.0, q].map(f32::to_bits);
    TexQuad { coords: [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)], ..TexQuad::default() }
}

#[test]
fn the_level_follows_from_the_quads_differences() {
    let image = levels();
    let red = |sampler: &Sampler, op: &TexOp, quad: &TexQuad| f32::from_bits(sample(&image, sampler, op, quad)[3][0]);
    let nearest = Sampler { mip: Mip::Nearest, ..Sampler::default() };
    let blend = Sampler { mip: Mip::Linear, ..Sampler::default() };
    let op = tex(TexTarget::D2);
    // A step of 1/8 is one texel, level 0; of 1/2 four texels, level 2.
    assert_eq!(red(&nearest, &op, &quad(0.125, 0.0)), 0.0);
    assert_eq!(red(&nearest, &op, &quad(0.5, 0.0)), 2.0);
    assert_eq!(red(&nearest, &op, &quad(100.0, 0.0)), 3.0);
    // Three texels: log2 3 = 1.585, between levels 1 and 2.
    let between = red(&blend, &op, &quad(0.375, 0.0));
    assert!((1.58..1.59).contains(&between), "{between}");
    let bias = TexOp { mode: TexMode::Bias, ..op };
    assert_eq!(red(&nearest, &bias, &quad(0.125, 2.0)), 2.0);
    assert_eq!(red(&nearest, &bias, &quad(0.5, -7.0)), 0.0);
    let given = TexOp { mode: TexMode::Level, ..op };
    assert_eq!(red(&blend, &given, &quad(9.0, 1.25)), 1.25);
    assert_eq!(red(&blend, &given, &quad(9.0, f32::NAN)), 0.0);
    let grad = TexOp { mode: TexMode::Grad, ..op };
    let mut steep = quad(0.0, 0.0);
    steep.grads = [[0.5, 0.0, 0.0, 0.0, 0.125, 0.0].map(f32::to_bits); 4];
    assert_eq!(red(&nearest, &grad, &steep), 2.0);
    // Without levels in use the steepest lookup stays on the largest.
    assert_eq!(red(&Sampler { minify: Some(Filter::Nearest), ..Sampler::default() }, &op, &quad(100.0, 0.0)), 0.0);
}

#[test]
fn directions_choose_faces_of_a_cube() {
    let faces: Vec<[u32; 4]> = (0..6).map(|n| [(n as f32).to_bits(); 4]).collect();
    let image = Image::rgba32f_volume([1, 1, 6], faces).unwrap();
    let op = tex(TexTarget::Cube);
    let look = |d: [f32; 3]| {
        let coords = [d[0], d[1], d[2], 0.0].map(f32::to_bits);
        let quad = TexQuad { coords: [coords; 4], ..TexQuad::default() };
        f32::from_bits(sample(&image, &Sampler::default(), &op, &quad)[0][0])
    };
    let axes =
        [[1.0, 0.1, 0.2], [-1.0, 0.1, 0.2], [0.5, 2.0, 0.0], [0.0, -3.0, 1.0], [0.1, 0.2, 9.0], [0.0, 0.0, -1.0]];
    for (face, axis) in axes.into_iter().enumerate() {
        assert_eq!(look(axis), face as f32);
    }
    assert_eq!(look([1.0, 1.0, 1.0]), 0.0);
    assert_eq!(look([0.0, 0.0, 0.0]), 0.0);
    // The corners of face +x: its s runs along -z, its t along -y.
    let quarters: Vec<[u32; 4]> = (0..24).map(|n| [(n as f32).to_bits(); 4]).collect();
    let image = Image::rgba32f_volume([2, 2, 6], quarters).unwrap();
    let nearest = Sampler { filter: Filter::Nearest, ..Sampler::default() };
    let look = |d: [f32; 3]| {
        let coords = [d[0], d[1], d[2], 0.0].map(f32::to_bits);
        f32::from_bits(sample(&image, &nearest, &op, &TexQuad { coords: [coords; 4], ..TexQuad::default() })[0][0])
    };
    assert_eq!([look([1.0, 0.5, 0.5]), look([1.0, 0.5, -0.5]), look([1.0, -0.5, 0.5])], [0.0, 1.0, 2.0]);
}

#[test]
fn volumes_blend_eight_texels() {
    let texels: Vec<[u32; 4]> = (0..8).map(|n| [(n as f32).to_bits(); 4]).collect();
    let image = Image::rgba32f_volume([2, 2, 2], texels).unwrap();
    let coords = [0.5f32, 0.5, 0.5, 1.0].map(f32::to_bits);
    let quad = TexQuad { coords: [coords; 4], ..TexQuad::default() };
    assert_eq!(sample(&image, &Sampler::default(), &tex(TexTarget::D3), &quad)[0][0], 3.5f32.to_bits());
}

#[test]
fn mirrors_turn_at_the_edges() {
    let at = |n: i64| wrap(n, 3, Wrap::Mirror);
    let seen: Vec<u32> = (-4..8).filter_map(at).collect();
    assert_eq!(seen, [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1]);
}

/// A lookup of a line, an image or a cube whose red is the number of the texel.
fn counted(size: [u32; 3], target: TexTarget, coords: [f32; 3], layer: f32, reference: f32) -> [f32; 4] {
    let texels = (0..size.iter().product::<u32>()).map(|n| [(n as f32).to_bits(), 5, 6, 7]).collect();
    let image = Image::rgba32f_volume(size, texels).unwrap();
    let [s, t, r] = coords;
    let quad = TexQuad {
        coords: [[s, t, r, 0.0].map(f32::to_bits); 4],
        layer: [layer.to_bits(); 4],
        reference: [reference.to_bits(); 4],
        ..TexQuad::default()
    };
    sample(&image, &Sampler { wrap: [Wrap::Clamp; 3], ..Sampler::default() }, &tex(target), &quad)[2]
        .map(f32::from_bits)
}

#[test]
fn layers_are_rounded_and_stay_inside() {
    let layers = [(-3.0, 0), (f32::NAN, 0), (0.49, 0), (0.5, 1), (1.0, 1), (2.4, 2), (9.0, 2), (f32::INFINITY, 2)];
    for (number, layer) in layers {
        let red = |size: [u32; 3], target, coords| counted(size, target, coords, number, 0.0)[0];
        assert_eq!(red([4, 1, 3], TexTarget::D1Array, [0.375, 9.0, 9.0]), (layer * 4 + 1) as f32, "{number}");
        assert_eq!(red([2, 2, 3], TexTarget::D2Array, [0.75, 0.25, 9.0]), (layer * 4 + 1) as f32, "{number}");
        assert_eq!(red([1, 1, 18], TexTarget::CubeArray, [0.0, -1.0, 0.0]), (layer * 6 + 3) as f32, "{number}");
    }
    // An image with fewer slices than a cube has none of the others.
    assert_eq!(counted([1, 1, 2], TexTarget::CubeArray, [0.0, -1.0, 0.0], 0.0, 0.0), [0.0; 4]);
}

#[test]
fn answers_of_comparisons_are_blended() {
    let at = |target, coords, layer, reference| counted([2, 2, 2], target, coords, layer, reference);
    // Texels 0, 1, 2, 3, at weights of 3/8, 1/8, 3/8, 1/8.
    let coords = [0.375, 0.5, 0.0];
    for (reference, answer) in [(-1.0, 1.0), (0.0, 1.0), (0.5, 0.625), (1.5, 0.5), (3.0, 0.125), (4.0, 0.0)] {
        assert_eq!(at(TexTarget::Shadow2D, coords, 0.0, reference), [answer, answer, answer, 1.0], "{reference}");
        let upper = at(TexTarget::Shadow2DArray, coords, 1.0, reference + 4.0);
        assert_eq!(upper, [answer, answer, answer, 1.0], "{reference}");
    }
    assert_eq!(at(TexTarget::Shadow2D, coords, 0.0, f32::NAN), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(at(TexTarget::Shadow1D, [0.5, 7.0, 7.0], 0.0, 0.5)[0], 0.5);
    let cube = |reference| counted([1, 1, 12], TexTarget::ShadowCubeArray, [0.0, 0.0, -2.0], 1.0, reference)[0];
    assert_eq!((cube(11.0), cube(11.5)), (1.0, 0.0));
    // The reference value is divided as coordinates are, and gathering gives the answers one by one.
    let image = two_by_two();
    let lookup = |op: TexOp, q: f32, reference: f32| {
        let quad = TexQuad {
            coords: [[q * 0.5, q * 0.5, 0.0, q].map(f32::to_bits); 4],
            reference: [reference.to_bits(); 4],
            ..TexQuad::default()
        };
        sample(&image, &Sampler { wrap: [Wrap::Clamp; 3], ..Sampler::default() }, &op, &quad)[1].map(f32::from_bits)
    };
    let projected = TexOp { project: true, ..tex(TexTarget::Shadow2D) };
    assert_eq!(lookup(projected, 4.0, 6.0), [0.5, 0.5, 0.5, 1.0]);
    let gathered = TexOp { mode: TexMode::GatherRed, ..tex(TexTarget::Shadow2D) };
    assert_eq!(lookup(gathered, 1.0, 1.5), [1.0, 1.0, 0.0, 0.0]);
}

#[test]
fn every_comparison_is_of_the_reference_with_the_texel() {
    let seen = |reference: f32| Compare::NAMES.map(|(_, compare)| u8::from(compare.holds(reference, 1.0)));
    assert_eq!(seen(0.5), [0, 1, 0, 1, 0, 1, 0, 1]);
    assert_eq!(seen(1.0), [0, 0, 1, 1, 0, 0, 1, 1]);
    assert_eq!(seen(2.0), [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(seen(f32::NAN), [0, 0, 0, 0, 0, 1, 0, 1]);
}

/// Along a path over the edges and corners of a cube, values of a linear image of its directions go on without a jump, where faces are
/// blended with their neighbours.
#[test]
fn seamless_cubes_have_no_edges() {
    let mut random = parallax_random::Random::new(4);
    let texels = (0..6 * 16)
        .map(|_| [random.below(1 << 20) as f32 / (1 << 20) as f32, 0.0, 0.0, 1.0].map(f32::to_bits))
        .collect();
    let image = Image::rgba32f_volume([4, 4, 6], texels).unwrap();
    let largest_jump = |rule: TextureRule| {
        let op = TexOp { rule, ..tex(TexTarget::Cube) };
        let mut last: Option<f32> = None;
        let mut jump = 0f32;
        for step in 0..80_000 {
            // Over an edge between two corners and, at the ends, over the corners themselves.
            let angle = step as f32 / 10_000.0 - 4.0;
            let direction = match step / 20_000 {
                0 => [1.0, 0.3, angle + 3.0],
                1 => [angle + 1.0, 0.9, 0.95],
                2 => [0.97, angle - 1.0, -1.0],
                _ => [angle - 3.0, -0.99, -1.0],
            };
            if step % 20_000 == 0 {
                last = None;
            }
            let coords = [[direction[0], direction[1], direction[2], 0.0].map(f32::to_bits); 4];
            let quad = TexQuad { coords, ..TexQuad::default() };
            let red = f32::from_bits(sample(&image, &Sampler::default(), &op, &quad)[0][0]);
            jump = last.map_or(jump, |last: f32| jump.max((red - last).abs()));
            last = Some(red);
        }
        jump
    };
    let seamless = TextureRule { cube: CubeEdges::Seamless, ..TextureRule::IEEE };
    let jumps = [seamless, TextureRule::IEEE].map(largest_jump);
    assert!(jumps[0] < 0.002 && jumps[1] > 0.1, "{jumps:?}");
}

#[test]
fn directions_along_edges_have_the_face_of_the_first_axis() {
    let texels = (0..6).map(|face| [face as f32, 0.0, 0.0, 1.0].map(f32::to_bits)).collect();
    let image = Image::rgba32f_volume([1, 1, 6], texels).unwrap();
    let face = |order: CubeFace, direction: [f32; 3]| {
        let op = TexOp { rule: TextureRule { face: order, ..TextureRule::IEEE }, ..tex(TexTarget::Cube) };
        let coords = [[direction[0], direction[1], direction[2], 0.0].map(f32::to_bits); 4];
        f32::from_bits(sample(&image, &Sampler::default(), &op, &TexQuad { coords, ..TexQuad::default() })[0][0])
    };
    for (direction, xyz, zyx) in [
        ([1.0, 1.0, 1.0], 0.0, 4.0),
        ([-1.0, 1.0, 0.5], 1.0, 2.0),
        ([1.0, 0.5, -1.0], 0.0, 5.0),
        ([0.5, -1.0, 1.0], 3.0, 4.0),
        ([2.0, 1.0, 1.0], 0.0, 0.0),
    ] {
        assert_eq!((face(CubeFace::Xyz, direction), face(CubeFace::Zyx, direction)), (xyz, zyx), "{direction:?}");
    }
}

/// A direction of which a component is no number leads far beyond the face that the others choose.
#[test]
fn directions_that_are_no_numbers_end_at_edges() {
    let image = Image::rgba8_volume([4, 4, 6], vec![[51; 4]; 96]).unwrap();
    let coords = [f32::MAX, f32::NAN, 0.001, 0.0].map(f32::to_bits);
    let quad = TexQuad { coords: [coords; 4], ..TexQuad::default() };
    for unit in [TextureUnit::None, TextureUnit::Gallivm, TextureUnit::SwiftShader] {
        for mode in [TexMode::Implicit, TexMode::GatherRed] {
            let rule = TextureRule { unit, cube: CubeEdges::Seamless, ..TextureRule::IEEE };
            let op = TexOp { rule, mode, ..tex(TexTarget::Cube) };
            let [lane, ..] = sample(&image, &Sampler::default(), &op, &quad);
            assert!(lane.iter().all(|&word| (0.0..0.3).contains(&f32::from_bits(word))), "{unit:?}: {lane:x?}");
        }
    }
}
