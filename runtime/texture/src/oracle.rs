//! Lookups once more, by other means: numbers are fractions of integers, and every step that rounds to binary32 is one of
//! `parallax-num`. What is compared: all shapes, levels that are given or come from neighbours or derivatives, gathers, layers, under random rules of
//! textures; a texel behind an edge of a cube's face is the one whose middle is nearest, of all there are.

use crate::sample::sample;
use crate::{Compare, Filter, Image, Mip, Sampler, TexelFormat, Wrap};
use parallax_core::exec::TexQuad;
use parallax_core::num::{
    CompareReference, CubeEdges, CubeFace, Decl, Format, Grid, LayerRound, LevelSteps, Op, Round, Rule, TexelResult,
    TextureRule, eval,
};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_random::Random;

/// An operation of binary32 patterns.
fn step(op: Op, args: &[u32]) -> u32 {
    let args: Vec<u64> = args.iter().map(|&arg| arg.into()).collect();
    eval(op, &Rule::ieee(Decl::F32, Format::F32), &args) as u32
}

/// A number as `mantissa * 2^exponent`; `None` for what is no number, or infinite.
fn exact(bits: u32) -> Option<(i128, i32)> {
    let (field, fraction) = (bits >> 23 & 0xff, i128::from(bits & 0x7f_ffff));
    let size = match field {
        255 => return None,
        0 => (fraction, -149),
        _ => (fraction | 0x80_0000, field as i32 - 150),
    };
    Some(if bits >> 31 == 0 { size } else { (-size.0, size.1) })
}

/// `mantissa * 2^exponent` as the multiple of 2^-bits that a direction asks for, in such multiples.
fn rounded((mantissa, exponent): (i128, i32), bits: i32, round: Round) -> i128 {
    let up = exponent + bits;
    if up >= 0 {
        return mantissa << up.min(90);
    }
    // What is far below a multiple is like a quarter of one.
    let (mantissa, down) = if -up > 60 { (mantissa.signum(), 2) } else { (mantissa, -up) };
    let (low, one) = (mantissa >> down, 1i128 << down);
    let (rest, half) = (mantissa - (low << down), one / 2);
    let is_up = rest != 0
        && match round {
            Round::NearestEven => rest > half || rest == half && low % 2 != 0,
            Round::NearestAway => rest > half || rest == half && mantissa > 0,
            Round::Zero => mantissa < 0,
            Round::Up => true,
            Round::Down => false,
            Round::Away => mantissa > 0,
        };
    low + i128::from(is_up)
}

/// A number at one of the places, as a binary32 pattern.
fn on_grid(grid: Grid, bits: u32) -> u32 {
    let Grid::Fixed { bits: places, round } = grid else { return bits };
    match exact(bits) {
        // A number of 24 bits that is no integer has no more of them in front of its places.
        Some(number) if number.1 + i32::from(places) < 0 => {
            let multiple = rounded(number, places.into(), round);
            (multiple as f64 / f64::from(1u32 << places)) as f32
        }
        _ => return bits,
    }
    .to_bits()
}

/// The number of a texel below a number, and what is left over as a binary32 pattern.
fn split(bits: u32) -> (i128, u32) {
    let number = exact(bits).expect("a number");
    let low = rounded(number, 0, Round::Down);
    match number.1 {
        0.. => (low, 0),
        _ => (low, step(Op::Sub, &[bits, (low as f32).to_bits()])),
    }
}

fn wrapped(n: i128, size: i128, wrap: Wrap) -> Option<u32> {
    let at = match wrap {
        Wrap::Repeat => n.rem_euclid(size),
        Wrap::Mirror => match n.rem_euclid(2 * size) {
            n if n < size => n,
            n => 2 * size - 1 - n,
        },
        Wrap::Clamp => n.clamp(0, size - 1),
        Wrap::Border if (0..size).contains(&n) => n,
        Wrap::Border => return None,
    };
    Some(at as u32)
}

struct Lookup<'a> {
    image: &'a Image,
    sampler: &'a Sampler,
    op: &'a TexOp,
    /// On a face of a cube: those there. The fourth is the level.
    coords: [u32; 4],
    layer: u32,
    reference: u32,
    face: Option<u32>,
}

impl Lookup<'_> {
    fn directions(&self) -> usize {
        match self.op.target {
            TexTarget::D1 | TexTarget::Shadow1D | TexTarget::D1Array | TexTarget::Shadow1DArray => 1,
            TexTarget::D3 => 3,
            _ => 2,
        }
    }

    /// The two texels along a direction, and the weight of the second one.
    fn along(&self, axis: usize, level: u32, linear: bool, grid: Grid) -> ([Option<u32>; 2], u32) {
        if axis >= self.directions() {
            return ([Some(if axis == 2 { self.slice() } else { 0 }); 2], 0);
        }
        let size = self.image.size(level)[axis];
        let rectangle = matches!(self.op.target, TexTarget::Rect | TexTarget::ShadowRect);
        let texels = step(Op::Mul, &[self.coords[axis], if rectangle { 1f32 } else { size as f32 }.to_bits()]);
        let texels = on_grid(grid, if exact(texels).is_some() { texels } else { 0 });
        let from = if linear { step(Op::Sub, &[texels, 0.5f32.to_bits()]) } else { texels };
        let (low, weight) = split(from);
        let low = low.clamp(-(1 << 62), 1 << 62) + i128::from(self.op.offset[axis]);
        let wrap = if self.face.is_some() { Wrap::Clamp } else { self.sampler.wrap[axis] };
        ([low, low + 1].map(|n| wrapped(n, size.into(), wrap)), weight)
    }

    /// The slice of the layer and the face.
    fn slice(&self) -> u32 {
        let face = self.face.unwrap_or(0);
        if !self.op.target.is_array() {
            return face;
        }
        let faces = self.face.map_or(1, |_| 6);
        let number = match self.op.rule.layer {
            LayerRound::HalfUp => (step(Op::Add, &[self.layer, 0.5f32.to_bits()]), Round::Down),
            LayerRound::NearestEven => (self.layer, Round::NearestEven),
            LayerRound::Floor => (self.layer, Round::Down),
        };
        let last = i128::from(self.image.depth() / faces) - 1;
        let layer = match exact(number.0) {
            Some(exactly) => rounded(exactly, 0, number.1).clamp(0, last) as u32,
            None if number.0 == 0x7f80_0000 => last as u32,
            None => 0,
        };
        layer * faces + face
    }

    /// A component of a texel, compared.
    fn texel(&self, level: u32, at: [Option<u32>; 3], comp: usize) -> u32 {
        let word = |comp: usize| match at {
            [Some(x), Some(y), Some(z)] => self.image.texel(level, [x, y, z])[comp],
            _ => self.sampler.border[comp],
        };
        if !self.op.target.is_shadow() {
            return word(comp);
        }
        let reference = self.reference_of(self.image.format());
        let args = [u64::from(reference), u64::from(word(0))];
        let holds = eval(Op::FLe, &Rule::ieee(Decl::F32, Format::F32), &args) & 1 != 0;
        if comp == 3 || holds { 0x3f80_0000 } else { 0 }
    }

    /// The reference value where depths have few bits.
    fn reference_of(&self, format: TexelFormat) -> u32 {
        let bits = match format {
            TexelFormat::Depth16 => 16,
            TexelFormat::Depth24 => 24,
            _ => return self.reference,
        };
        let (one, steps) = (1f32.to_bits(), (1i128 << bits) - 1);
        let clamped = match exact(self.reference) {
            Some((mantissa, _)) if mantissa > 0 => self.reference.min(one),
            None if self.reference == 0x7f80_0000 => one,
            _ => 0,
        };
        match self.op.rule.compare {
            CompareReference::Binary32 => self.reference,
            CompareReference::Clamped => clamped,
            CompareReference::Quantised => {
                let (mantissa, exponent) = exact(clamped).expect("a number");
                let code = rounded((mantissa * steps, exponent), 0, Round::NearestAway) as f32;
                step(Op::Div, &[code.to_bits(), (steps as f32).to_bits()])
            }
        }
    }

    fn on_level(&self, level: u32, linear: bool, comp: usize) -> u32 {
        let grid = if linear { self.op.rule.linear } else { self.op.rule.nearest };
        let axes = [0, 1, 2].map(|axis| self.along(axis, level, linear, grid));
        if !linear {
            return self.texel(level, axes.map(|axis| axis.0[0]), comp);
        }
        if let (Some(face), CubeEdges::Seamless) = (self.face, self.op.rule.cube) {
            return self.on_neighbours(level, face, comp);
        }
        // Along x first: of pairs of the texels in the order of x, y, z.
        let mut values: Vec<u32> = (0..8)
            .map(|n| self.texel(level, [axes[0].0[n & 1], axes[1].0[n >> 1 & 1], axes[2].0[n >> 2]], comp))
            .collect();
        for axis in axes.iter().take(self.directions()) {
            values = values.chunks(2).map(|pair| blend(pair[0], pair[1], axis.1)).collect();
        }
        values[0]
    }

    /// A blend of texels of a face and its neighbours.
    fn on_neighbours(&self, level: u32, face: u32, comp: usize) -> u32 {
        let size = i128::from(self.image.size(level)[0]);
        let [x, y] = [0, 1].map(|axis| {
            let texels = step(Op::Mul, &[self.coords[axis], (size as f32).to_bits()]);
            let texels = on_grid(self.op.rule.linear, if exact(texels).is_some() { texels } else { 0 });
            split(step(Op::Sub, &[texels, 0.5f32.to_bits()]))
        });
        let texel = |[x, y]: [i128; 2]| {
            let [own, x, y] = nearest(face, size, [x, y]);
            self.texel(level, [Some(x), Some(y), Some(self.slice() - face + own)], comp)
        };
        let within = |n: i128| n.clamp(0, size - 1);
        // The middle of a rounded place may lie further away than one texel.
        let beside = |n: i128| n.clamp(-1, size);
        let of = |x: i128, y: i128| {
            let (x, y) = (beside(x), beside(y));
            if within(x) == x || within(y) == y {
                return texel([x, y]);
            }
            let [a, b, c] = [[within(x), within(y)], [x, within(y)], [within(x), y]].map(texel);
            step(Op::Div, &[step(Op::Add, &[step(Op::Add, &[a, b]), c]), 3f32.to_bits()])
        };
        let line = |row: i128| blend(of(x.0, row), of(x.0 + 1, row), x.1);
        blend(line(y.0), line(y.0 + 1), y.1)
    }

    /// What a lookup gives for a component.
    fn given(&self, bits: u32) -> u32 {
        if !matches!(self.image.format(), TexelFormat::Rgba8 | TexelFormat::Srgb8) || self.op.target.is_shadow() {
            return bits;
        }
        if self.op.rule.result == TexelResult::Binary32 {
            return bits;
        }
        let bits = match exact(bits) {
            None if bits == 0x7f80_0000 => 1f32.to_bits(),
            Some((mantissa, _)) if mantissa > 0 => bits.min(1f32.to_bits()),
            _ => 0,
        };
        match self.op.rule.result {
            TexelResult::Binary32 => bits,
            TexelResult::Unorm8 => {
                let sum = step(Op::Add, &[step(Op::Mul, &[bits, 255f32.to_bits()]), 0.5f32.to_bits()]);
                let byte = rounded(exact(sum).expect("a number"), 0, Round::Down) as f32;
                step(Op::Div, &[byte.to_bits(), 255f32.to_bits()])
            }
            TexelResult::Half => {
                let word = eval(Op::PackHalf2, &Rule::ieee(Decl::F32, Format::F32), &[bits.into(), 0]);
                eval(Op::UpHalf, &Rule::ieee(Decl::F32, Format::F32), &[word & 0xffff]) as u32
            }
        }
    }

    fn result(&self, comp: usize) -> u32 {
        let fixed = |bits: u32| if bits & 0x7fff_ffff > 0x7f80_0000 { 0xffc0_0000 } else { bits };
        if let Some(of) = self.op.mode.gathered() {
            let axes = [0, 1, 2].map(|axis| self.along(axis, 0, true, self.op.rule.gather));
            let (x, y) = ([0, 1, 1, 0][comp], [1, 1, 0, 0][comp]);
            let y = if self.directions() == 1 { 0 } else { y };
            return fixed(self.texel(0, [axes[0].0[x], axes[1].0[y], axes[2].0[0]], of));
        }
        let minify = self.sampler.minify.unwrap_or(self.sampler.filter) == Filter::Linear;
        let last = i128::from(self.image.levels()) - 1;
        // An infinite level is beyond all there are, like any large one.
        let level =
            if self.coords[3] == 0x7f80_0000 { 0x4f00_0000 } else { on_grid(self.op.rule.level, self.coords[3]) };
        let magnified = self.on_level(0, self.sampler.filter == Filter::Linear, comp);
        let Some(number) = exact(level).filter(|number| number.0 > 0) else { return fixed(magnified) };
        match self.sampler.mip {
            Mip::None => fixed(self.on_level(0, minify, comp)),
            Mip::Nearest => {
                let level = exact(step(Op::Add, &[level, 0.5f32.to_bits()])).expect("a small number");
                fixed(self.on_level(rounded(level, 0, Round::Down).min(last) as u32, minify, comp))
            }
            Mip::Linear => match (rounded(number, 0, Round::Down), split(level).1) {
                (low, _) if low >= last => fixed(self.on_level(last as u32, minify, comp)),
                (low, weight) => {
                    let of = |level: i128| self.on_level(level as u32, minify, comp);
                    fixed(blend(of(low), of(low + 1), weight))
                }
            },
        }
    }
}

/// p + w (q - p).
fn blend(p: u32, q: u32, w: u32) -> u32 {
    step(Op::Add, &[p, step(Op::Mul, &[w, step(Op::Sub, &[q, p])])])
}

/// Twice the middle of a texel of a face, whose middle is `size` away from that of the cube.
fn middle(face: u32, size: i128, [x, y]: [i128; 2]) -> [i128; 3] {
    let [sc, tc] = [x, y].map(|n| 2 * n + 1 - size);
    match face {
        0 => [size, -tc, -sc],
        1 => [-size, -tc, sc],
        2 => [sc, size, tc],
        3 => [sc, -size, -tc],
        4 => [sc, -tc, size],
        _ => [-sc, -tc, -size],
    }
}

/// The texel of all faces whose middle is nearest to that of one that may lie behind an edge.
fn nearest(face: u32, size: i128, at: [i128; 2]) -> [u32; 3] {
    let wanted = middle(face, size, at);
    let all = (0..6).flat_map(|face| (0..size).flat_map(move |y| (0..size).map(move |x| (face, x, y))));
    let distance = |&(face, x, y): &(u32, i128, i128)| -> i128 {
        middle(face, size, [x, y]).iter().zip(wanted).map(|(a, b)| (a - b) * (a - b)).sum()
    };
    let (face, x, y) = all.min_by_key(distance).expect("a texel");
    [face, x as u32, y as u32]
}

/// The face of a direction whose components are numbers.
fn face_of(direction: [u32; 3], order: CubeFace) -> u32 {
    let sizes = direction.map(|bits| bits & 0x7fff_ffff);
    let most = sizes.into_iter().max();
    let axes = match order {
        CubeFace::Xyz => [0, 1, 2],
        CubeFace::Zyx => [2, 1, 0],
    };
    let axis = axes.into_iter().find(|&axis| Some(sizes[axis]) == most).expect("an axis");
    2 * axis as u32 + (direction[axis] >> 31)
}

/// Where a direction meets a face, by the table of OpenGL.
fn on_face(face: u32, [s, t, r]: [u32; 3]) -> [u32; 2] {
    let minus = |bits: u32| bits ^ 0x8000_0000;
    let (sc, tc, ma) = match face {
        0 => (minus(r), minus(t), s),
        1 => (r, minus(t), s),
        2 => (s, r, t),
        3 => (s, minus(r), t),
        4 => (s, minus(t), r),
        _ => (minus(s), minus(t), r),
    };
    let (one, half) = (1f32.to_bits(), 0.5f32.to_bits());
    [sc, tc].map(|c| step(Op::Mul, &[step(Op::Add, &[step(Op::Div, &[c, ma & 0x7fff_ffff]), one]), half]))
}

/// The level of a pixel by its neighbours, or by derivatives.
fn level_of(image: &Image, op: &TexOp, quad: &TexQuad, lane: usize) -> u32 {
    let is_cube = op.target.is_cube();
    let corners = quad.coords.map(|[s, t, r, _]| [s, t, r]);
    let own = match (op.mode, op.rule.steps) {
        (TexMode::Grad, _) | (_, LevelSteps::Pixel) => lane,
        (_, LevelSteps::Cubes) if is_cube => lane,
        _ => 0,
    };
    let minus = |a: &[u32], b: &[u32]| -> Vec<u32> { a.iter().zip(b).map(|(&a, &b)| step(Op::Sub, &[a, b])).collect() };
    let placed = |corner: [u32; 3]| -> Vec<u32> {
        if is_cube { on_face(face_of(corners[own], op.rule.face), corner).to_vec() } else { corner.to_vec() }
    };
    let steps = match op.mode {
        TexMode::Grad => [0, 3].map(|first| {
            let given: [u32; 3] = std::array::from_fn(|axis| quad.grads[lane][first + axis]);
            if !is_cube {
                return given.to_vec();
            }
            let moved = std::array::from_fn(|axis| step(Op::Add, &[corners[lane][axis], given[axis]]));
            minus(&placed(moved), &placed(corners[lane]))
        }),
        _ => {
            let pair = |to: usize, from: usize| minus(&placed(corners[to]), &placed(corners[from]));
            let (row, column) = (own / 2 * 2, own % 2);
            [pair(row + 1, row), pair(column + 2, column)]
        }
    };
    let shape = Lookup { image, sampler: &Sampler::default(), op, coords: [0; 4], layer: 0, reference: 0, face: None };
    let [a, b] = steps.map(|steps| {
        let rectangle = matches!(op.target, TexTarget::Rect | TexTarget::ShadowRect);
        (0..shape.directions()).fold(0, |sum, axis| {
            let size = if rectangle { 1.0 } else { image.size(0)[axis] as f32 };
            let texels = step(Op::Mul, &[steps[axis], size.to_bits()]);
            step(Op::Add, &[sum, step(Op::Mul, &[texels, texels])])
        })
    });
    let is_first = eval(Op::FGt, &Rule::ieee(Decl::F32, Format::F32), &[a.into(), b.into()]) & 1 != 0;
    step(Op::Mul, &[step(Op::Log2, &[if is_first { a } else { b }]), 0.5f32.to_bits()])
}

/// A rule of which most fields are not those of `ieee`.
fn any_rule(random: &mut Random) -> TextureRule {
    let mut grid = || match random.below(3) {
        0 => Grid::Binary32,
        1 => Grid::Fixed { bits: 8, round: random.pick(Round::ALL) },
        _ => Grid::Fixed { bits: 1 + random.below(u64::from(Grid::MOST_BITS)) as u8, round: random.pick(Round::ALL) },
    };
    let [linear, nearest, gather, level] = [0; 4].map(|_: u8| grid());
    let result = random.pick(TexelResult::ALL);
    TextureRule {
        linear,
        nearest,
        gather,
        level,
        steps: random.pick(LevelSteps::ALL),
        layer: random.pick(LayerRound::ALL),
        result,
        cube: random.pick(CubeEdges::ALL),
        face: random.pick(CubeFace::ALL),
        compare: random.pick(CompareReference::ALL),
        ..TextureRule::IEEE
    }
}

#[test]
fn lookups_are_what_fractions_say() {
    let mut random = Random::new(11);
    let shapes: Vec<TexTarget> =
        TexTarget::ALL.into_iter().filter(|shape| !shape.is_cube() && !shape.is_multisampled()).collect();
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Border];
    let (mut tried, mut snapped) = (0, 0);
    for case in 0..4000 {
        let target = if case % 2 == 0 { TexTarget::D2 } else { random.pick(&shapes) };
        let side = |random: &mut Random| random.pick(&[1, 2, 3, 4, 5, 8, 37]);
        let size = [side(&mut random), side(&mut random), 1 + random.below(3) as u32];
        let count = size.iter().product::<u32>() as usize;
        let image = match random.below(3) {
            2 if target.is_shadow() => {
                let mut word = || (random.below(1 << 24) as f32 / (1 << 24) as f32).to_bits();
                let texels = (0..count).map(|_| [word(); 4]).collect();
                Image::rounded_volume(
                    size,
                    if case % 4 < 2 { TexelFormat::Depth16 } else { TexelFormat::Depth24 },
                    texels,
                )
            }
            0 => Image::rgba8_volume(size, (0..count).map(|_| (random.word() as u32).to_le_bytes()).collect()),
            _ => {
                let mut word = || match random.below(9) {
                    0 => random.pick(&[0x7f80_0000, 0x7fc1_2345, 1, 0x8000_0000, 0x7f7f_ffff]),
                    _ => random.word() as u32 >> 2 | 0x2000_0000,
                };
                Image::rgba32f_volume(size, (0..count).map(|_| std::array::from_fn(|_| word())).collect())
            }
        };
        let mut image = image.expect("a size that fits");
        if random.below(2) == 0 {
            image = image.with_mipmaps(target.is_array());
        }
        let filter = |random: &mut Random| random.pick(&[Filter::Nearest, Filter::Linear]);
        let sampler = Sampler {
            filter: filter(&mut random),
            minify: if random.below(2) == 0 { None } else { Some(filter(&mut random)) },
            mip: random.pick(&[Mip::None, Mip::Nearest, Mip::Linear]),
            wrap: [0; 3].map(|_: u8| random.pick(&wraps)),
            border: [0x3e99_999a, 0x4000_0000, 0x7f80_0000, 0x3f80_0000],
            compare: Compare::LessEqual,
        };
        let mode = random.pick(&[TexMode::Level, TexMode::Level, TexMode::GatherGreen]);
        let (rule, offset) = (any_rule(&mut random), [random.below(5) as i8 - 2, 0, random.below(3) as i8 - 1]);
        let op = TexOp { offset, rule, ..TexOp::plain(0, target, mode) };
        let number = |random: &mut Random| match random.below(8) {
            0 => random.pick(&[f32::NAN, f32::INFINITY, -1e30, 9e6, -8_388_609.0, -0.0, 1e-40, -1e-40]).to_bits(),
            // Ties of coarse places, and what lies next to them.
            1..4 => {
                let tie = (random.below(1 << 12) as f32 - 2048.0) / 512.0;
                tie.to_bits().wrapping_add(random.below(3) as u32).wrapping_sub(1)
            }
            _ => ((random.below(1 << 24) as f32) / (1 << 21) as f32 - 4.0).to_bits(),
        };
        let quad = TexQuad {
            coords: [0; 4].map(|_: u8| [0; 4].map(|_: u8| number(&mut random))),
            layer: [0; 4].map(|_: u8| number(&mut random)),
            reference: [0; 4].map(|_: u8| number(&mut random)),
            ..TexQuad::default()
        };
        let found = sample(&image, &sampler, &op, &quad);
        let plain = sample(&image, &sampler, &TexOp { rule: TextureRule::IEEE, ..op }, &quad);
        snapped += usize::from(found != plain);
        for (lane, texel) in found.iter().enumerate() {
            let (image, sampler, op) = (&image, &sampler, &op);
            let (layer, reference) = (quad.layer[lane], quad.reference[lane]);
            let lookup = Lookup { image, sampler, op, coords: quad.coords[lane], layer, reference, face: None };
            for (comp, &word) in texel.iter().enumerate() {
                let wanted = lookup.given(lookup.result(comp));
                assert_eq!(word, wanted, "case {case}, lane {lane}, {comp}: {op:?} {sampler:?} {size:?} {quad:x?}");
                tried += 1;
            }
        }
    }
    assert!(tried == 64_000 && snapped > 400, "{snapped} quads differ from those of `ieee`");
}

#[test]
fn cubes_and_levels_are_what_fractions_say() {
    let mut random = Random::new(12);
    let shapes: Vec<TexTarget> = TexTarget::ALL.into_iter().filter(|shape| !shape.is_multisampled()).collect();
    let cubes: Vec<TexTarget> = shapes.iter().copied().filter(|shape| shape.is_cube()).collect();
    let mut differ = [0; 4];
    for case in 0..4000 {
        let target = if case % 2 == 0 { random.pick(&cubes) } else { random.pick(&shapes) };
        let side = |random: &mut Random| random.pick(&[1, 2, 3, 4, 5, 8]);
        let size = match target.is_cube() {
            true => [[side(&mut random); 2], [6 * if target.is_array() { 2 } else { 1 }; 2]],
            false => [[side(&mut random), side(&mut random)], [1 + random.below(3) as u32; 2]],
        };
        let size = [size[0][0], size[0][1], size[1][0]];
        let count = size.iter().product::<u32>() as usize;
        let image = match random.below(2) {
            0 => Image::rgba8_volume(size, (0..count).map(|_| (random.word() as u32).to_le_bytes()).collect()),
            _ => {
                let mut word = || random.word() as u32 >> 2 | 0x2000_0000;
                Image::rgba32f_volume(size, (0..count).map(|_| std::array::from_fn(|_| word())).collect())
            }
        };
        let image = image.expect("a size that fits").with_mipmaps(target.is_array() || target.is_cube());
        let filter = |random: &mut Random| random.pick(&[Filter::Nearest, Filter::Linear, Filter::Linear]);
        let sampler = Sampler {
            filter: filter(&mut random),
            minify: if random.below(2) == 0 { None } else { Some(filter(&mut random)) },
            mip: random.pick(&[Mip::None, Mip::Nearest, Mip::Linear]),
            wrap: [0; 3].map(|_: u8| random.pick(&[Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Border])),
            ..Sampler::default()
        };
        let gather = if target.is_cube() { TexMode::GatherBlue } else { TexMode::Implicit };
        let mode =
            random.pick(&[TexMode::Implicit, TexMode::Implicit, TexMode::Bias, TexMode::Grad, TexMode::Level, gather]);
        let op = TexOp { rule: any_rule(&mut random), ..TexOp::plain(0, target, mode) };
        // Coordinates of four pixels, some way from one another; of a cube near edges and corners, too.
        let away = (random.below(64) as f32 / 8.0 - 5.0).exp2();
        let base: [f32; 3] = std::array::from_fn(|_| match random.below(3) {
            0..2 => random.pick(&[1.0, -1.0, 1.0, 0.875]),
            _ => random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0,
        });
        let still = if random.below(2) == 0 { 1 } else { 3 };
        let mut number = |around: f32| {
            let step = away * (random.below(1 << 12) as f32 / (1 << 11) as f32 - 1.0);
            (around + if random.below(4) < still { 0.0 } else { step }).to_bits()
        };
        let coords = [0; 4].map(|_: u8| [number(base[0]), number(base[1]), number(base[2]), number(0.5)]);
        let quad = TexQuad {
            coords,
            grads: [0; 4].map(|_: u8| [0; 6].map(|_: u8| number(0.0))),
            layer: [0; 4].map(|_: u8| number(0.7)),
            reference: [0; 4].map(|_: u8| number(0.0)),
            ..TexQuad::default()
        };
        let found = sample(&image, &sampler, &op, &quad);
        let with = |change: fn(TextureRule) -> TextureRule| {
            sample(&image, &sampler, &TexOp { rule: change(op.rule), ..op }, &quad) != found
        };
        differ[0] += usize::from(with(|rule| TextureRule { cube: CubeEdges::Clamped, ..rule }));
        differ[1] += usize::from(with(|rule| TextureRule { face: CubeFace::Xyz, ..rule }));
        differ[2] += usize::from(with(|rule| TextureRule { steps: LevelSteps::Quad, ..rule }));
        differ[3] += usize::from(with(|rule| TextureRule { steps: LevelSteps::Cubes, ..rule }));
        for (lane, texel) in found.iter().enumerate() {
            let mut coords = quad.coords[lane];
            let face = target.is_cube().then(|| face_of([coords[0], coords[1], coords[2]], op.rule.face));
            let level = || level_of(&image, &op, &quad, lane);
            coords[3] = match mode {
                TexMode::Implicit | TexMode::Grad => level(),
                TexMode::Bias => step(Op::Add, &[level(), coords[3]]),
                _ => coords[3],
            };
            if let Some(face) = face {
                let [s, t] = on_face(face, [coords[0], coords[1], coords[2]]);
                (coords[0], coords[1]) = (s, t);
            }
            let (image, sampler, op) = (&image, &sampler, &op);
            let lookup =
                Lookup { image, sampler, op, coords, layer: quad.layer[lane], reference: quad.reference[lane], face };
            for (comp, &word) in texel.iter().enumerate() {
                let wanted = lookup.given(lookup.result(comp));
                assert_eq!(word, wanted, "case {case}, lane {lane}, {comp}: {op:?} {sampler:?} {size:?} {quad:x?}");
            }
        }
    }
    assert!(differ.iter().all(|&count| count > 40), "fields change so many quads: {differ:?}");
}
