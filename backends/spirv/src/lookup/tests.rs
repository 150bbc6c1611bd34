//! Lookups evaluated on the host, primitive by primitive, against those of `parallax-texture`.

use super::site::Site;
use super::{Fetched, Unit, lookup, refusal};
use parallax_core::exec::{TexRows, Textures};
use parallax_core::{TexMode, TexOp, TexTarget};
use parallax_num::{
    CompareReference, CubeEdges, CubeFace, Decl, Format, Grid, LayerRound, LevelSteps, Op, Round, Rule, SrgbDecode,
    TexelResult, TextureRule, TextureUnit, eval,
};
use parallax_random::Random;
use parallax_step::{Id, Inst, Nans, Prim, Ty};
use parallax_texture::{Compare, Filter, Image, Mip, Sampler, TexelFormat, TextureSet, Unit as Bound, Wrap};
use std::sync::Arc;

/// The four pixels of a quad: every value has a word in each.
struct Quad<'a> {
    image: &'a Image,
    unit: Unit,
    words: bool,
    values: Vec<[u32; 4]>,
}

impl Quad<'_> {
    fn push(&mut self, words: [u32; 4]) -> Id {
        self.values.push(words);
        (self.values.len() - 1) as Id
    }

    fn of(&self, id: Id) -> [u32; 4] {
        self.values[id as usize]
    }
}

impl Site for Quad<'_> {
    fn step(&mut self, prim: Prim, ty: Ty, imm: u64, args: &[Id]) -> Id {
        let types: Vec<Ty> = prim.row().args.iter().map(|slot| slot.at(ty)).collect();
        let inst = Inst::new(prim, ty, imm, args);
        assert_eq!(inst.check(&types), None);
        let words = [0, 1, 2, 3].map(|lane| {
            let mut operands = [0; 4];
            for (operand, &arg) in operands.iter_mut().zip(args) {
                *operand = self.of(arg)[lane].into();
            }
            parallax_step::eval(&inst, operands, Nans::Plain) as u32
        });
        self.push(words)
    }

    fn log2(&mut self, number: Id) -> Id {
        let rule = Rule::ieee(Decl::F32, Format::F32);
        let words = self.of(number).map(|word| eval(Op::Log2, &rule, &[word.into()]) as u32);
        self.push(words)
    }

    fn remainder(&mut self, a: Id, n: Id) -> Id {
        let (a, n) = (self.of(a), self.of(n));
        self.push([0, 1, 2, 3].map(|lane| a[lane] % n[lane]))
    }

    fn size(&mut self) -> [Id; 3] {
        let [width, height, depth] = self.image.size(0);
        [width, height, depth / self.image.samples()].map(|side| self.push([side; 4]))
    }

    fn levels(&mut self) -> Id {
        self.push([self.image.levels(); 4])
    }

    fn samples(&mut self) -> Id {
        self.push([self.image.samples(); 4])
    }

    fn fetch(&mut self, at: [Id; 3], level: Id) -> [Id; 4] {
        let (at, level) = (at.map(|id| self.of(id)), self.of(level));
        let texels = [0, 1, 2, 3].map(|lane| {
            let (mut place, mut level) = (at.map(|axis| axis[lane]), level[lane]);
            if self.image.samples() > 1 {
                // The samples of a layer follow one another.
                place[2] = place[2] * self.image.samples() + level;
                level = 0;
            }
            let size = self.image.size(level);
            let is_there = level < self.image.levels() && (0..3).all(|n| place[n] < size[n]);
            assert!(is_there, "{place:?} of {size:?} on level {level}");
            let texel = self.image.texel(level, place);
            match self.unit.fetched() {
                _ if self.words => texel,
                Fetched::Binary32 | Fetched::Words => texel,
                Fetched::Unorm8 => byte_of(self.unit.format, texel),
            }
        });
        [0, 1, 2, 3].map(|comp| self.push(texels.map(|texel| texel[comp])))
    }

    fn row(&mut self, table: &[u32; 256], row: Id) -> Id {
        let words = self.of(row).map(|row| table[row as usize % 256]);
        self.push(words)
    }

    fn beside(&mut self, word: Id, axis: u32) -> Id {
        let words = self.of(word);
        self.push([0, 1, 2, 3].map(|lane| words[lane ^ 1 << axis]))
    }

    fn is_second(&mut self, axis: u32) -> Id {
        self.push([0, 1, 2, 3].map(|lane: u32| lane >> axis & 1))
    }
}

/// The bytes of a texel that is given as numbers.
fn byte_of(format: TexelFormat, texel: [u32; 4]) -> [u32; 4] {
    let plain = |word: u32| (f32::from_bits(word) * 255.0).round() as u32;
    let curve = |word: u32| (0..256).find(|&code| parallax_texture::srgb_number(code as u8).to_bits() == word);
    let [color @ .., alpha] = texel;
    let [r, g, b] = match format {
        TexelFormat::Srgb8 => color.map(|word| curve(word).expect("a number of the curve")),
        _ => color.map(plain),
    };
    [r, g, b, plain(alpha)]
}

struct Case {
    op: TexOp,
    image: Image,
    sampler: Sampler,
}

fn grid(random: &mut Random) -> Grid {
    let rounds = [Round::NearestEven, Round::NearestAway, Round::Zero, Round::Up, Round::Down, Round::Away];
    match random.below(3) {
        0 => Grid::Binary32,
        _ => Grid::Fixed { bits: 1 + random.below(15) as u8, round: random.pick(&rounds) },
    }
}

fn rule(random: &mut Random) -> TextureRule {
    TextureRule {
        linear: grid(random),
        nearest: grid(random),
        gather: grid(random),
        level: grid(random),
        steps: random.pick(&[LevelSteps::Quad, LevelSteps::Cubes, LevelSteps::Pixel]),
        layer: random.pick(&[LayerRound::HalfUp, LayerRound::NearestEven, LayerRound::Floor]),
        result: random.pick(&[TexelResult::Binary32, TexelResult::Unorm8, TexelResult::Half]),
        compare: random.pick(&[CompareReference::Binary32, CompareReference::Clamped, CompareReference::Quantised]),
        cube: random.pick(&[CubeEdges::Clamped, CubeEdges::Seamless]),
        srgb: random.pick(&[SrgbDecode::Nearest, SrgbDecode::Table4095, SrgbDecode::Polynomial]),
        unit: random.pick(&[TextureUnit::None, TextureUnit::Gallivm, TextureUnit::SwiftShader]),
        face: random.pick(&[CubeFace::Xyz, CubeFace::Zyx]),
    }
}

fn case(random: &mut Random) -> Case {
    use TexMode::{Bias, Detail, Fetch, GatherBlue, GatherRed, Grad, Implicit, Level};
    use TexTarget::{
        Cube, CubeArray, D1, D1Array, D2, D2Array, D2Samples, D2SamplesArray, D3, Rect, Shadow1D, Shadow2D,
        Shadow2DArray, ShadowCube, ShadowRect,
    };
    let targets = [
        D1,
        D2,
        D2,
        D3,
        Rect,
        Cube,
        CubeArray,
        D1Array,
        D2Array,
        Shadow1D,
        Shadow2D,
        Shadow2DArray,
        ShadowCube,
        ShadowRect,
        D2Samples,
        D2SamplesArray,
    ];
    let target = random.pick(&targets);
    let mode = random.pick(&[Implicit, Bias, Level, Grad, Fetch, GatherRed, GatherBlue, Detail]);
    let mode = if target.is_multisampled() { Fetch } else { mode };
    let mut side = || random.pick(&[1, 2, 3, 4, 5, 8, 12, 37]);
    let (width, height) = (side(), side());
    let size = match target {
        D1 | D1Array | Shadow1D => [width, 1, if target.is_array() { 3 } else { 1 }],
        D3 => [width, height, side()],
        Cube | ShadowCube => [width, width, 6],
        CubeArray => [width, width, 12],
        D2Samples => [width, height, 4],
        D2SamplesArray => [width, height, 12],
        D2Array | Shadow2DArray => [width, height, 3],
        _ => [width, height, 1],
    };
    let count = size.iter().product::<u32>() as usize;
    let format = random.pick(&[
        TexelFormat::Rgba8,
        TexelFormat::Srgb8,
        TexelFormat::Rgba32F,
        TexelFormat::Depth16,
        TexelFormat::Depth24,
        TexelFormat::Rgb565,
    ]);
    let mut bytes = || (0..count).map(|_| [0; 4].map(|_: u8| random.word() as u8)).collect();
    let image = match format {
        TexelFormat::Rgba8 => Image::rgba8_volume(size, bytes()),
        TexelFormat::Srgb8 => Image::srgb8_volume(size, bytes()),
        _ => {
            let mut word = || match random.below(20) {
                0 => random.pick(&[f32::INFINITY, f32::NAN, -0.0, 1e-40, 3e38, -3e38]).to_bits(),
                _ => (random.below(1 << 20) as f32 / (1 << 18) as f32 - 2.0).to_bits(),
            };
            let texels = (0..count).map(|_| [0; 4].map(|_: u32| word())).collect();
            Image::rounded_volume(size, format, texels)
        }
    };
    let mut image = image.expect("a size that is possible");
    if target.is_multisampled() {
        image = image.with_samples(4);
    } else if random.below(3) > 0 {
        image = image.with_mipmaps(target.is_cube() || target.is_array());
    }
    let wraps = [Wrap::Repeat, Wrap::Mirror, Wrap::Clamp, Wrap::Border];
    let filters = [Filter::Nearest, Filter::Linear];
    let sampler = Sampler {
        filter: random.pick(&filters),
        minify: random.pick(&[None, Some(Filter::Nearest), Some(Filter::Linear)]),
        mip: random.pick(&[Mip::None, Mip::Nearest, Mip::Linear]),
        wrap: [0; 3].map(|_: u8| random.pick(&wraps)),
        border: [0.25f32, -3.0, 1e9, 1.0].map(f32::to_bits),
        compare: Compare::NAMES[random.below(8) as usize].1,
    };
    let offset = if target.is_cube() { [0; 3] } else { [0; 3].map(|_: i8| random.pick(&[0, 0, 1, -8, 7])) };
    let op = TexOp {
        project: mode != Fetch && random.below(4) == 0,
        offset,
        least_level: random.below(5) == 0,
        bits: mode != Detail && !matches!(format, TexelFormat::Rgba8 | TexelFormat::Srgb8) && random.below(4) == 0,
        moved: !target.is_cube() && random.below(4) == 0,
        rule: rule(random),
        ..TexOp::plain(0, target, mode)
    };
    Case { op, image, sampler }
}

/// A word of an operand.
fn word(random: &mut Random, mode: TexMode) -> u32 {
    if mode == TexMode::Fetch {
        return random.pick(&[0, 0, 1, 2, 3, 7, 11, 40, u32::MAX, 0x7fff_ffff, 0x8000_0000, u32::MAX - 2]);
    }
    match random.below(12) {
        0 => random.pick(&[f32::NAN, f32::INFINITY, -f32::INFINITY, -0.0, 1e-40, 9e6, -8_388_609.0]).to_bits(),
        1 => random.word() as u32,
        // Large ones, beyond what integers of 32 and 64 bits hold.
        2 => 0x4e00_0000 + random.below(24 << 23) as u32,
        3 => 0xce00_0000 + random.below(24 << 23) as u32,
        4..7 => (random.below(33) as f32 / 16.0 - 0.5).to_bits(),
        _ => (random.below(1 << 20) as f32 / (1 << 17) as f32 - 4.0).to_bits(),
    }
}

fn check(cases: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut compared = 0;
    for number in 0..cases {
        let Case { op, image, sampler } = case(&mut random);
        let unit = Unit { format: image.format(), sampler };
        if refusal(&op, &unit).is_some() {
            continue;
        }
        compared += 1;
        let mut set = TextureSet::default();
        set.set(0, Bound::Image { image: Arc::new(image.clone()), sampler });
        for _ in 0..4 {
            let mut operand = || word(&mut random, op.mode);
            let rows: Vec<[u32; 4]> = (0..TexOp::MOST_OPERANDS).map(|_| [0; 4].map(|_: u32| operand())).collect();
            let lookup_rows = TexRows::of(&op, |n| rows[n].as_slice());
            let wanted = set.sample(&op, &lookup_rows.quad(0));
            let mut quad = Quad { image: &image, unit, words: op.bits, values: Vec::new() };
            let args: Vec<Id> = rows[..op.count()].iter().map(|row| quad.push(*row)).collect();
            let found = lookup(&mut quad, &op, &unit, &args).map(|id| quad.of(id));
            for lane in 0..4 {
                let found = found.map(|words| words[lane]);
                let operands: Vec<f32> = rows.iter().map(|row| f32::from_bits(row[lane])).collect();
                assert_eq!(
                    found,
                    wanted[lane],
                    "case {number}, lane {lane}: {op:?} {sampler:?} {:?} {} of {:?}: {operands:?}",
                    image.size(0),
                    image.levels(),
                    image.format()
                );
            }
        }
    }
    assert!(compared > cases / 20 * 19, "{compared} of {cases}");
}

#[test]
fn lookups_have_the_bits_of_the_engine() {
    check(4000, 1);
}

/// `cargo test -p parallax-spirv-out --lib many_lookups -- --ignored`.
#[test]
#[ignore = "long"]
fn many_lookups_have_the_bits_of_the_engine() {
    check(400_000, 2);
}
