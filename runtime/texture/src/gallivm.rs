//! Filtering as gallivm does it, the code generator of llvmpipe: images of bytes are blended in integers.
//!
//! With wrapping by `repeat` or `clamp` and no comparison, an image of bytes is looked up in fixed point; a cube without edges only where
//! no texels are blended:
//!
//! 1. Linear: `x = round(s * 256 size) - 128` to nearest even, an integer of 32 bits; the texels are those of `x >> 8` and the
//!    next, the weight is the low byte. Nearest: `floor(s * size)`. Numbers that no such integer holds become the least one.
//! 2. Where an image repeats whose largest size is no power of two, `s - floor(s)` takes the place of `s`, and offsets in texels are added
//!    before, as `offset / size`.
//! 3. A blend of bytes is `p + ((w * (q - p) + 128) >> 8)`, x first, then y, then z, then levels, whose weight is the fraction of the
//!    level times 256, cut.
//! 4. The byte is multiplied by the binary32 next to 1/255.
//!
//! Everything else is blended in binary32, products and sums with one rounding, as on hosts that have fused multiply-adds. An offset is
//! added to a coordinate in texels before that is split, but where the nearest texel of a repeated image is taken. Texels that are gathered are
//! clamped one by one.
//!
//! A level by derivatives is half of what [`log2`] makes of the longer step squared: an exponent and a mantissa; where the nearest level is taken
//! and no bias is added, what [`nearest_level`] makes of it. Cubes are as [`cube`] has them. Where the filters for
//! magnification and minification differ, [`mixes`] says what becomes of the nearest texel.

pub(crate) mod cube;

use crate::decode::Decoding;
use crate::grid::whole;
use crate::image::{Level, TexelFormat, Texels, fixed_nan};
use crate::level::Detail;
use crate::place::{TextureCoord, directions};
use crate::sample::finite;
use crate::sampler::{Filter, Sampler, Wrap};
use parallax_core::num::{CubeEdges, Round};
use parallax_core::{TexMode, TexOp};

/// A lookup of an image of bytes.
pub(crate) struct Bytes<'a> {
    sampler: &'a Sampler,
    op: &'a TexOp,
    place: &'a TextureCoord,
    /// Of the largest level.
    largest: [u32; 3],
}

/// The texels along an axis, and the weight of the second one.
#[derive(Copy, Clone)]
struct Axis {
    low: u32,
    high: u32,
    weight: i32,
}

impl<'a> Bytes<'a> {
    /// `None` for lookups that are done in binary32.
    pub(crate) fn new(
        level: &Level,
        sampler: &'a Sampler,
        op: &'a TexOp,
        place: &'a TextureCoord,
    ) -> Option<Bytes<'a>> {
        let used = &sampler.wrap[..directions(op.target)];
        let is_simple = op.target.is_cube() || used.iter().all(|wrap| matches!(wrap, Wrap::Repeat | Wrap::Clamp));
        let is_bytes = level.format == TexelFormat::Rgba8;
        let blends = [Some(sampler.filter), sampler.minify].contains(&Some(Filter::Linear));
        let has_edges = !op.target.is_cube() || op.rule.cube == CubeEdges::Clamped || !blends;
        let fits = is_simple && is_bytes && !op.bits && has_edges && !op.target.is_shadow();
        // Quads that share a level choose one filter, pixels blend by both.
        let differ = sampler.minify.is_some_and(|minify| minify != sampler.filter);
        let mixes = differ && (op.mode != TexMode::Implicit || op.target.is_cube());
        (fits && !mixes).then_some(Bytes { sampler, op, place, largest: level.size })
    }

    /// The result, as binary32 patterns.
    pub(crate) fn result<'i>(&self, level: impl Fn(u32) -> &'i Level, detail: Detail) -> [u32; 4] {
        let minify = self.sampler.minify.unwrap_or(self.sampler.filter);
        let bytes = match detail {
            Detail::Magnify => self.on_level(level(0), self.sampler.filter),
            Detail::Level(number) => self.on_level(level(number), minify),
            Detail::Between(number, fraction) => {
                let [low, high] = [number, number + 1].map(|number| self.on_level(level(number), minify));
                // Below 1, so below 256.
                blend(low, high, (fraction * 256.0) as i32)
            }
        };
        Decoding::of(false, &self.op.rule).texel(bytes.map(|byte| byte as u8))
    }

    fn on_level(&self, level: &Level, filter: Filter) -> [i32; 4] {
        let Texels::Rgba8(texels) = &level.texels else { return [0; 4] };
        let n = directions(self.op.target);
        let mut axes = [Axis { low: 0, high: 0, weight: 0 }; 3];
        for (axis, found) in axes.iter_mut().enumerate().take(n) {
            *found = match filter {
                Filter::Linear => self.linear(axis, level.size[axis]),
                Filter::Nearest => self.nearest(axis, level.size[axis]),
            };
        }
        let [x, y, mut z] = axes;
        if n < 3 {
            z.low = self.place.slice;
        }
        let texel = |x: u32, y: u32, z: u32| match z < level.size[2] {
            true => texels[level.index([x, y, z])].map(i32::from),
            false => [0; 4],
        };
        if filter == Filter::Nearest {
            return texel(x.low, y.low, z.low);
        }
        let line = |y: u32, z: u32| blend(texel(x.low, y, z), texel(x.high, y, z), x.weight);
        let plane = |z: u32| if n == 1 { line(y.low, z) } else { blend(line(y.low, z), line(y.high, z), y.weight) };
        if n == 3 { blend(plane(z.low), plane(z.high), z.weight) } else { plane(z.low) }
    }

    /// Faces of cubes end at their edges.
    fn wrap(&self, axis: usize) -> Wrap {
        if self.op.target.is_cube() { Wrap::Clamp } else { self.sampler.wrap[axis] }
    }

    /// Whether an axis is repeated in such a way that the fraction of its coordinate comes first.
    fn is_fraction(&self, axis: usize) -> bool {
        let is_power = self.largest[axis].is_power_of_two();
        self.wrap(axis) == Wrap::Repeat && !is_power && !self.op.target.is_rectangle()
    }

    /// The coordinate of such an axis: its fraction, moved by texels.
    fn fraction(&self, axis: usize, size: u32) -> f32 {
        fraction(self.place.at[axis], self.place.offset[axis], size)
    }

    fn linear(&self, axis: usize, size: u32) -> Axis {
        let coord = self.place.at[axis];
        if self.is_fraction(axis) {
            let at =
                integer(whole(self.fraction(axis, size) * size as f32 * 256.0, Round::NearestEven)).wrapping_sub(128);
            let low = if at >> 8 < 0 { size - 1 } else { (at >> 8).cast_unsigned().min(size - 1) };
            return Axis { low, high: if low == size - 1 { 0 } else { low + 1 }, weight: at & 255 };
        }
        let steps = if self.op.target.is_rectangle() { 256.0 } else { size as f32 * 256.0 };
        let at = integer(whole(coord * steps, Round::NearestEven)).wrapping_sub(128);
        let number = (at >> 8).wrapping_add(self.place.offset[axis] as i32);
        let [low, high] = [number, number.wrapping_add(1)].map(|number| self.wrapped(number, axis, size));
        Axis { low, high, weight: at & 255 }
    }

    fn nearest(&self, axis: usize, size: u32) -> Axis {
        let low = if self.is_fraction(axis) {
            let fraction = below_one(self.fraction(axis, size));
            integer(whole(fraction * size as f32, Round::Zero)).cast_unsigned().min(size - 1)
        } else {
            let coord = self.place.at[axis];
            let texels = if self.op.target.is_rectangle() { coord } else { coord * size as f32 };
            let number = integer(whole(texels, Round::Down)).wrapping_add(self.place.offset[axis] as i32);
            self.wrapped(number, axis, size)
        };
        Axis { low, high: low, weight: 0 }
    }

    fn wrapped(&self, number: i32, axis: usize, size: u32) -> u32 {
        match self.wrap(axis) {
            Wrap::Repeat => i64::from(number).rem_euclid(size.into()) as u32,
            _ => i64::from(number).clamp(0, i64::from(size) - 1) as u32,
        }
    }
}

/// Whether pixels of a quad with these levels have different filters, or may: where one of them blends texels, the nearest texel of the others is,
/// in binary32, the one of two with the greater weight, which is made 1.
pub(crate) fn mixes(sampler: &Sampler, levels: [f32; 4]) -> bool {
    let Some(minify) = sampler.minify.filter(|minify| *minify != sampler.filter) else { return false };
    levels.iter().any(|&level| if level > 0.0 { minify } else { sampler.filter } == Filter::Linear)
}

/// The weight of the second texel where the nearest one counts alone.
pub(crate) fn nearest_weight(weight: f32) -> f32 {
    if weight > 0.5 { 1.0 } else { 0.0 }
}

/// A coordinate in texels where texels are blended in binary32, less a half where two are, and what is still to be added to the
/// number of the texel. The sizes are those of the level and of the largest one; `scale` is `None` for coordinates that are in texels.
pub(crate) fn in_texels(
    coord: f32,
    offset: i64,
    [size, largest]: [u32; 2],
    scale: Option<f32>,
    wrap: Wrap,
    (linear, gathers): (bool, bool),
) -> (f32, i64) {
    let half = if linear { 0.5 } else { 0.0 };
    let texels = scale.map_or(coord, |scale| coord * scale);
    match (wrap, scale) {
        (Wrap::Repeat, Some(scale)) if !largest.is_power_of_two() => {
            let fraction = fraction(coord, offset, size);
            let fraction = if linear { fraction } else { below_one(fraction) };
            (finite(fraction * scale) - half, 0)
        }
        // Where texels are gathered, each is clamped on its own.
        (Wrap::Clamp, _) if linear && !gathers => {
            // A NaN becomes the size.
            let moved = texels + offset as f32;
            let inside = if moved < size as f32 { moved } else { size as f32 };
            ((inside - half).max(0.0), 0)
        }
        _ if linear || wrap == Wrap::Clamp => (finite(texels) - half + offset as f32, 0),
        _ => (finite(texels), offset),
    }
}

/// The exponent plus the fraction of the mantissa, which lies up to 0.086 below the logarithm. A NaN is the one of all units.
pub(crate) fn log2(number: f32) -> f32 {
    let bits = fixed_nan(number);
    let exponent = (bits >> 23 & 255) as f32 - 128.0;
    exponent + f32::from_bits(bits & 0x7f_ffff | 0x3f80_0000)
}

/// The nearest level as a number that is nearest to it, and above 0 where the image is minified: from the longer step squared, that of lines
/// not squared.
pub(crate) fn nearest_level(longer: f32, is_line: bool) -> f32 {
    let exponent = |number: f32| (number.to_bits() >> 23 & 255) as i32 - 127;
    let level = match is_line {
        true => exponent(longer * std::f32::consts::SQRT_2),
        false => (exponent(longer) + 1) >> 1,
    };
    match longer > 1.0 {
        true => (level as f32).max(0.25),
        false => 0.0,
    }
}

/// The largest number below 1 for what is not below 1, also where a difference was rounded up.
fn below_one(fraction: f32) -> f32 {
    let below = f32::from_bits(0x3f7f_ffff);
    if fraction < below { fraction } else { below }
}

/// The fraction of a coordinate, moved by texels.
fn fraction(coord: f32, offset: i64, size: u32) -> f32 {
    let moved = if offset == 0 { coord } else { coord + offset as f32 / size as f32 };
    moved - whole(moved, Round::Down)
}

/// p + w (q - p) in binary32 where levels and texels are not bytes: the difference rounded, product and sum rounded once.
pub(crate) fn blend_numbers(p: [f32; 4], q: [f32; 4], w: f32) -> [f32; 4] {
    std::array::from_fn(|c| fused(w, q[c] - p[c], p[c]))
}

/// a * b + c, rounded once.
pub(crate) fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, addend) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + addend;
    if !sum.is_finite() {
        return sum as f32;
    }
    // What was lost of the exact sum. A sum that lost something is made odd: then rounding it again gives what rounding the exact
    // one would.
    let part = sum - product;
    let lost = (product - (sum - part)) + (addend - part);
    let bits = sum.to_bits();
    let odd = match lost == 0.0 || bits & 1 != 0 {
        true => bits,
        false if (lost > 0.0) == (sum > 0.0) => bits + 1,
        false => bits - 1,
    };
    f64::from_bits(odd) as f32
}

/// An integer of 32 bits; the least one for what has none.
fn integer(number: f32) -> i32 {
    if number.abs() < 2_147_483_648.0 { number as i32 } else { i32::MIN }
}

fn blend(p: [i32; 4], q: [i32; 4], weight: i32) -> [i32; 4] {
    std::array::from_fn(|c| p[c] + ((weight * (q[c] - p[c]) + 128) >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::{Decl, Format, Op, Rule, eval};

    #[test]
    fn fused_sums_are_rounded_once() {
        let mut random = parallax_random::Random::new(7);
        let rule = Rule::ieee(Decl::F32, Format::F32);
        for n in 0..300_000 {
            let mut word = || match random.below(6) {
                0 => random.pick(&[0, 0x8000_0000, 1, 0x7f7f_ffff, 0x3f80_0000, 0x0080_0000, 0x3380_0000]),
                1 => random.word() as u32,
                _ => 0x3e00_0000 + random.below(0x0200_0000) as u32,
            };
            let [a, b, mut c] = [word(), word(), word()];
            if n % 4 == 0 {
                // Sums that nearly vanish.
                c = (-f32::from_bits(a) * f32::from_bits(b)).to_bits().wrapping_add(random.below(3) as u32);
            }
            let wanted = eval(Op::Fma, &rule, &[a, b, c].map(u64::from)) as u32;
            let found = fused(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            let both_nan = found.is_nan() && f32::from_bits(wanted).is_nan();
            assert!(found.to_bits() == wanted || both_nan, "{a:08x} {b:08x} {c:08x}: {found:e}, not {wanted:08x}");
        }
    }
}
