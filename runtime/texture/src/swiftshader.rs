//! Filtering as SwiftShader does it: in binary32, but nearest texels of bytes in 16 bits.
//!
//! A coordinate is wrapped first, into the range from 0 to below 1, then multiplied by the size; weights are those of binary32, and a blend is
//! `p + w * (q - p)`, each step rounded, denormals flushed. A byte counts as 256 times itself, one of sRGB as the nearest 65280th of the curve, and
//! blends are multiplied by the binary32 next to 1/65280 at the end.
//!
//! Images of bytes whose nearest texel is taken, with wrapping other than `border`, no comparison and no gathering, are looked up in integers of
//! 16 bits:
//!
//! 1. A coordinate is `s * 65536`, cut to an integer of 32 bits, of which the low 16 are left; `clamp` first moves `s` to 0 to 65535/65536,
//!    `mirror` inverts the bits of odd repetitions. The texel is the upper half of that times the size.
//! 2. Levels that are blended have the weights `w`, their fraction times 65536, cut, and `65535 - w`; of each product the upper half counts. So
//!    an image of one colour comes out a little darker, even where the fraction is 0.
//!
//! The source has the same for texels that are blended, but no sampler of Vulkan asks for it.
//!
//! The level is the nearest even integer where levels are not blended, and at most 13. One by derivatives is what [`half_log2`] makes of
//! the longer step squared. A NaN is the one of all units here; SwiftShader's has other bits. An offset is added to the coordinate, as `offset / size`; of two levels that are blended the second one gets that of the
//! first as well. Where one of the filters for magnification and minification is linear, the other one blends a texel with itself: that is done in
//! binary32.
//!
//! Cubes are as [`cube`] has them. Images in texels that are repeated are looked up as the other fields say; images of normalised codes other than bytes like those of
//! binary32, though nearest texels of such lie at 65536ths there, too.

pub(crate) mod cube;

use self::cube::Around;
use crate::decode::srgb_65280;
use crate::grid::whole;
use crate::image::{Image, Level, TexelFormat, Texels, fixed_nan};
use crate::place::{TextureCoord, directions};
use crate::sampler::{Filter, Mip, Sampler, Wrap};
use parallax_core::TexOp;
use parallax_core::num::Round;

/// The binary32 next to 1/65280.
pub(crate) const UNIT: f32 = 1.0 / 65280.0;
/// The number below 1.
const BELOW_ONE: f32 = f32::from_bits(0x3f7f_ffff);
/// Levels of detail end here.
const LAST_LEVEL: f32 = 13.0;

/// A lookup, but for its level.
pub(crate) struct Lookup<'a> {
    image: &'a Image,
    sampler: &'a Sampler,
    op: &'a TexOp,
    place: &'a TextureCoord,
}

/// How texels make a result.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Footprint {
    /// One texel.
    Point,
    /// Two along each axis.
    Two,
    /// The same one twice.
    Twice,
}

/// The texels along an axis, and the weight of the second one; `None` is the border.
#[derive(Copy, Clone)]
struct Axis {
    texels: [Option<u32>; 2],
    weight: f32,
}

impl<'a> Lookup<'a> {
    /// `None` for lookups that are done as the other fields say.
    pub(crate) fn new(
        image: &'a Image,
        sampler: &'a Sampler,
        op: &'a TexOp,
        place: &'a TextureCoord,
    ) -> Option<Lookup<'a>> {
        let used = &sampler.wrap[..directions(op.target)];
        let ends = used.iter().all(|wrap| matches!(wrap, Wrap::Clamp | Wrap::Border));
        let is_known = ends || !op.target.is_rectangle();
        is_known.then_some(Lookup { image, sampler, op, place })
    }

    /// The result at a level, as words.
    pub(crate) fn result(&self, level: f32) -> [u32; 4] {
        // A NaN is not above.
        let level = if level > 0.0 { level.min(LAST_LEVEL) } else { 0.0 };
        let blends = self.sampler.mip == Mip::Linear && !self.op.bits;
        let number = match self.sampler.mip {
            Mip::None => 0,
            Mip::Nearest => whole(level, Round::NearestEven) as u32,
            Mip::Linear => level as u32,
        };
        let mut at = self.place.at;
        let [first, second] = [number, number + 1].map(|number| self.image.level(number.min(self.image.levels() - 1)));
        if self.op.bits {
            self.move_by_offset(first, &mut at);
            let axes = self.axes(first, at, Footprint::Point);
            return self.words(first, axes.map(|axis| axis.texels[0]));
        }
        let footprint = self.footprint(level);
        if footprint == Footprint::Point && self.in_16_bits(first) {
            let mut color = self.color_16(first, &mut at);
            if blends {
                let next = self.color_16(second, &mut at);
                let weight = (level * 65536.0) as u32 as u16;
                color = std::array::from_fn(|c| high(color[c], !weight).wrapping_add(high(next[c], weight)));
            }
            return color.map(|code| (f32::from(code) * UNIT).to_bits());
        }
        let mut color = self.color(first, &mut at, footprint);
        if blends {
            let next = self.color(second, &mut at, footprint);
            color = blend(color, next, below_one(level - whole(level, Round::Down)));
        }
        color.map(|number| self.given(number))
    }

    /// One component of the four texels around a place: from the lower left against the sense of the clock.
    pub(crate) fn gathered(&self, comp: usize) -> [u32; 4] {
        let level = self.image.level(0);
        let mut at = self.place.at;
        if self.op.target.is_cube() {
            let around = Around::new(level.size[0], at, Footprint::Two);
            return [[0, 1], [1, 1], [1, 0], [0, 0]].map(|[i, j]| match self.op.bits {
                true => self.words_around(level, around.at(i, j))[comp],
                false => self.given(self.texel_around(level, around.at(i, j))[comp]),
            });
        }
        self.move_by_offset(level, &mut at);
        let [x, y, z] = self.axes(level, at, Footprint::Two).map(|axis| axis.texels);
        // A line has one row.
        let below = if directions(self.op.target) == 1 { y[0] } else { y[1] };
        [(x[0], below), (x[1], below), (x[1], y[0]), (x[0], y[0])].map(|(x, y)| match self.op.bits {
            true => self.words(level, [x, y, z[0]])[comp],
            false => self.given(self.texel(level, [x, y, z[0]])[comp]),
        })
    }

    /// A number at the end.
    fn given(&self, number: f32) -> u32 {
        let is_scaled = self.is_bytes() && !self.op.target.is_shadow();
        fixed_nan(if is_scaled { mul(number, UNIT) } else { number })
    }

    fn is_bytes(&self) -> bool {
        matches!(self.image.format(), TexelFormat::Rgba8 | TexelFormat::Srgb8)
    }

    fn in_16_bits(&self, level: &Level) -> bool {
        let has_border = self.sampler.wrap[..directions(self.op.target)].contains(&Wrap::Border);
        let is_bytes = matches!(level.texels, Texels::Rgba8(_));
        let is_plain = !self.op.target.is_rectangle() && !self.op.target.is_shadow() && !self.op.target.is_cube();
        is_bytes && !has_border && is_plain
    }

    fn footprint(&self, level: f32) -> Footprint {
        let [magnify, minify] = [self.sampler.filter, self.sampler.minify.unwrap_or(self.sampler.filter)];
        match if level > 0.0 { minify } else { magnify } {
            Filter::Linear => Footprint::Two,
            Filter::Nearest if magnify == minify => Footprint::Point,
            Filter::Nearest => Footprint::Twice,
        }
    }

    fn move_by_offset(&self, level: &Level, at: &mut [f32; 3]) {
        for (axis, coord) in at.iter_mut().enumerate().take(directions(self.op.target)) {
            if self.place.offset[axis] != 0 {
                *coord = flushed(*coord + self.place.offset[axis] as f32 / level.size[axis] as f32);
            }
        }
    }

    /// The words of a texel, or of the border.
    fn words(&self, level: &Level, at: [Option<u32>; 3]) -> [u32; 4] {
        match at {
            [Some(x), Some(y), Some(z)] if z < level.size[2] => {
                level.texel(level.index([x, y, z]), &level.decoding(&self.op.rule))
            }
            [Some(_), Some(_), Some(_)] => [0; 4],
            _ => self.sampler.border,
        }
    }

    /// What the comparison with a depth gives.
    fn compared(&self, reference: f32, depth: f32) -> [f32; 4] {
        let depth = match self.image.format() {
            TexelFormat::Depth16 => whole(depth * 65535.0, Round::NearestEven) * (1.0 / 65535.0),
            _ => depth,
        };
        let answer = if self.sampler.compare.holds(reference, depth) { 1.0 } else { 0.0 };
        [answer, answer, answer, 1.0]
    }

    /// A texel as it is blended in binary32: bytes as 65280ths.
    fn texel(&self, level: &Level, at: [Option<u32>; 3]) -> [f32; 4] {
        if let Some(reference) = self.place.reference {
            return self.compared(reference, f32::from_bits(self.words(level, at)[0]));
        }
        match (&level.texels, at) {
            (Texels::Rgba8(texels), [Some(x), Some(y), Some(z)]) if z < level.size[2] => {
                codes(level, texels[level.index([x, y, z])]).map(f32::from)
            }
            (Texels::Rgba8(_), [None, ..] | [_, None, _] | [.., None]) => {
                self.sampler.border.map(|word| f32::from_bits(word) * 65280.0)
            }
            _ => self.words(level, at).map(f32::from_bits),
        }
    }

    fn color(&self, level: &Level, at: &mut [f32; 3], footprint: Footprint) -> [f32; 4] {
        if self.op.target.is_cube() {
            let around = Around::new(level.size[0], *at, footprint);
            let texel = |i: usize, j: usize| self.texel_around(level, around.at(i, j));
            return match footprint {
                Footprint::Point => texel(0, 0),
                _ => {
                    let line = |j: usize| blend(texel(0, j), texel(1, j), around.weights[0]);
                    blend(line(0), line(1), around.weights[1])
                }
            };
        }
        self.move_by_offset(level, at);
        let [x, y, z] = self.axes(level, *at, footprint);
        let texel = |i: usize, j: usize, k: usize| self.texel(level, [x.texels[i], y.texels[j], z.texels[k]]);
        if footprint == Footprint::Point {
            return texel(0, 0, 0);
        }
        let line = |j: usize, k: usize| blend(texel(0, j, k), texel(1, j, k), x.weight);
        let plane = |k: usize| blend(line(0, k), line(1, k), y.weight);
        match directions(self.op.target) {
            3 => blend(plane(0), plane(1), z.weight),
            _ => plane(0),
        }
    }

    /// Along each axis in binary32.
    fn axes(&self, level: &Level, at: [f32; 3], footprint: Footprint) -> [Axis; 3] {
        let n = directions(self.op.target);
        let mut axes = [Axis { texels: [Some(0); 2], weight: 0.0 }; 3];
        for (axis, found) in axes.iter_mut().enumerate().take(n) {
            *found = self.axis(at[axis], level.size[axis], self.sampler.wrap[axis], footprint);
        }
        if n < 3 {
            axes[2].texels = [Some(self.place.slice); 2];
        }
        axes
    }

    fn axis(&self, coord: f32, size: u32, wrap: Wrap, footprint: Footprint) -> Axis {
        let (coord, side, last) = (flushed(coord), size as f32, size as i32 - 1);
        if wrap == Wrap::Mirror && self.op.mode.gathered().is_some() {
            let low = integer(whole(mul(coord, side) - 0.5, Round::Down));
            let mirrored = |number: i32| {
                let twice = i64::from(number).rem_euclid(2 * i64::from(size)) as u32;
                Some(twice.min(2 * size - 1 - twice))
            };
            return Axis { texels: [mirrored(low), mirrored(low.wrapping_add(1))], weight: 0.0 };
        }
        let most = |number: f32, most: f32| if number < most { number } else { most };
        let inside = |number: f32, end: f32| most(if number > 0.0 { number } else { 0.0 }, end);
        let texels = match wrap {
            Wrap::Clamp if self.op.target.is_rectangle() => inside(coord, side * BELOW_ONE),
            Wrap::Clamp => mul(inside(coord, BELOW_ONE), side),
            Wrap::Mirror => {
                let half = mul(coord, 0.5);
                mul(most(2.0 * flushed(half - whole(half, Round::NearestEven)).abs(), BELOW_ONE), side)
            }
            Wrap::Border if self.op.target.is_rectangle() => coord,
            Wrap::Border => mul(coord, side),
            Wrap::Repeat => mul(below_one(flushed(coord - whole(coord, Round::Down))), side),
        };
        let moved = match footprint {
            Footprint::Two => texels - 0.5,
            Footprint::Point | Footprint::Twice => texels,
        };
        let floor = whole(moved, Round::Down);
        let low = integer(floor);
        let high = if footprint == Footprint::Two { low.wrapping_add(1) } else { low };
        let inside = |number: i32| (0..=last).contains(&number).then_some(number.cast_unsigned());
        let texels = match wrap {
            Wrap::Border => [inside(low), inside(high)],
            Wrap::Repeat => {
                let low = if low < 0 { last } else { low.min(last) };
                [inside(low), inside(if high > last { 0 } else { high })]
            }
            Wrap::Clamp | Wrap::Mirror => [low, high].map(|number| inside(number.clamp(0, last))),
        };
        Axis { texels, weight: flushed(moved - floor) }
    }

    fn color_16(&self, level: &Level, at: &mut [f32; 3]) -> [u16; 4] {
        let Texels::Rgba8(texels) = &level.texels else { return [0; 4] };
        self.move_by_offset(level, at);
        let n = directions(self.op.target);
        let mut texel = [0, 0, if n < 3 { self.place.slice } else { 0 }];
        for (axis, number) in texel.iter_mut().enumerate().take(n) {
            *number = (u32::from(place_16(at[axis], self.sampler.wrap[axis])) * level.size[axis]) >> 16;
        }
        if texel[2] < level.size[2] { codes(level, texels[level.index(texel)]) } else { [0; 4] }
    }
}

/// A coordinate in 16 bits.
fn place_16(coord: f32, wrap: Wrap) -> u16 {
    match wrap {
        Wrap::Clamp | Wrap::Border => {
            let inside = if coord > 0.0 { coord.min(65535.0 / 65536.0) } else { 0.0 };
            (inside * 65536.0) as u16
        }
        Wrap::Mirror => {
            let place = integer(coord * 65536.0);
            (place ^ ((place << 15) >> 31)) as u16
        }
        Wrap::Repeat => integer(coord * 65536.0) as u16,
    }
}

/// A texel of bytes as 65280ths.
fn codes(level: &Level, [red, green, blue, alpha]: [u8; 4]) -> [u16; 4] {
    let linear = |byte: u8| u16::from(byte) << 8;
    let color = |byte: u8| if level.format == TexelFormat::Srgb8 { srgb_65280(byte) } else { linear(byte) };
    [color(red), color(green), color(blue), linear(alpha)]
}

/// The upper half of a product.
fn high(a: u16, b: u16) -> u16 {
    ((u32::from(a) * u32::from(b)) >> 16) as u16
}

/// p + w (q - p), each step rounded.
fn blend(p: [f32; 4], q: [f32; 4], w: f32) -> [f32; 4] {
    std::array::from_fn(|c| {
        let p = flushed(p[c]);
        flushed(p + mul(w, flushed(flushed(q[c]) - p)))
    })
}

/// A bias of the level: at most 15 either way; a NaN is the least.
pub(crate) fn bias(number: f32) -> f32 {
    if number > -15.0 { number.min(15.0) } else { -15.0 }
}

/// The level that a lookup would take, whatever levels there are.
pub(crate) fn level_asked(level: f32, mip: Mip) -> f32 {
    // A NaN is not above.
    let level = if level > 0.0 { level.min(LAST_LEVEL) } else { 0.0 };
    match mip {
        Mip::None => 0.0,
        Mip::Nearest => whole(level, Round::NearestEven),
        Mip::Linear => level,
    }
}

/// A quarter of the logarithm of the square of a number's square: the pattern of that square as an integer, less that of 1, times 2^-25.
pub(crate) fn half_log2(number: f32) -> f32 {
    log2_of_pattern(fixed_nan(mul(number, number))) * (1.0 / 33_554_432.0)
}

/// A pattern as an integer, less that of 1.
fn log2_of_pattern(square: u32) -> f32 {
    square.cast_signed() as f32 - 1_065_353_216.0
}

/// A product whose operands and result are flushed; a result that is tiny before it is rounded, too, unless it becomes the least normal number.
fn mul(a: f32, b: f32) -> f32 {
    let (a, b) = (flushed(a), flushed(b));
    // Exact, so what lies below the least normal number and is rounded to it by 24 bits is known.
    let exact = f64::from(a) * f64::from(b);
    let least = f64::from(f32::MIN_POSITIVE) * (1.0 - 1.0 / 33_554_432.0);
    if exact.abs() < least { 0f32.copysign(a * b) } else { a * b }
}

/// A denormal becomes a zero of its sign.
fn flushed(number: f32) -> f32 {
    if number.is_subnormal() { 0f32.copysign(number) } else { number }
}

/// The number below 1 for what is not below it.
fn below_one(fraction: f32) -> f32 {
    if fraction < BELOW_ONE { fraction } else { BELOW_ONE }
}

/// An integer of 32 bits, cut; the least one for what has none.
fn integer(number: f32) -> i32 {
    if number.abs() < 2_147_483_648.0 { number as i32 } else { i32::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::{Decl, Denormals, Format, Op, Rule, eval};

    #[test]
    fn products_are_flushed_as_the_rules_have_it() {
        let mut random = parallax_random::Random::new(11);
        let (flush, plain) = (Denormals::Flush, Rule::ieee(Decl::F32, Format::F32));
        let rule = Rule { denorm_in: flush, denorm_out: flush, ..plain };
        let mut tiny = 0;
        for n in 0..200_000 {
            let mut word = || match random.below(5) {
                0 => random.pick(&[0, 0x8000_0000, 1, 0x807f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f7f_ffff, 0x3f00_0001]),
                1 => random.word() as u32,
                _ => 0x1f00_0000 + random.below(0x0200_0000) as u32,
            };
            let (a, mut b) = (word(), word());
            if n % 3 == 0 {
                // Products around the least normal number.
                b = (f32::MIN_POSITIVE / f32::from_bits(a))
                    .to_bits()
                    .wrapping_add(random.below(5) as u32)
                    .wrapping_sub(2);
            }
            let wanted = f32::from_bits(eval(Op::Mul, &rule, &[a, b].map(u64::from)) as u32);
            let found = mul(f32::from_bits(a), f32::from_bits(b));
            let is_same = found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
            assert!(is_same, "{a:08x} {b:08x}: {found:e}, not {wanted:e}");
            tiny += usize::from(wanted == 0.0 && f32::from_bits(a) * f32::from_bits(b) != 0.0);
        }
        assert!(tiny > 1000, "{tiny}");
    }

    #[test]
    fn one_colour_is_darker_between_levels() {
        let image = Image::rgba8(4, 4, vec![[255, 128, 1, 0]; 16]).unwrap().with_mipmaps(false);
        let op = TexOp::plain(0, parallax_core::TexTarget::D2, parallax_core::TexMode::Level);
        let place = TextureCoord {
            at: [0.3, 0.4, 0.0],
            slice: 0,
            reference: None,
            offset: [0; 3],
            weighs: [false; 2],
            mixes: false,
        };
        let result = |mip: Mip, level: f32| {
            let sampler = Sampler { filter: Filter::Nearest, mip, ..Sampler::default() };
            let lookup = Lookup::new(&image, &sampler, &op, &place).unwrap();
            lookup.result(level).map(|word| (f32::from_bits(word) * 65280.0).round())
        };
        assert_eq!(result(Mip::Nearest, 0.5), [65280.0, 32768.0, 256.0, 0.0]);
        // 65280 * 65535 / 65536 cut, and nothing of the other level.
        assert_eq!(result(Mip::Linear, 0.0), [65279.0, 32767.0, 255.0, 0.0]);
        assert_eq!(result(Mip::Linear, 0.3), [65278.0, 32767.0, 255.0, 0.0]);
    }
}
