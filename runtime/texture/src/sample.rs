//! Lookup arithmetic; the formula stands at the head of the crate.

use crate::batch::Flat;
use crate::cube;
use crate::decode::Decoding;
use crate::gallivm::cube::Around;
use crate::gallivm::{self, Bytes};
use crate::grid::{INTEGERS, given, snap, texel_number};
use crate::image::{Image, Level, TexelFormat, fixed_nan};
use crate::level::{Detail, given_level, level_taken, levels};
use crate::place::{TextureCoord, directions, place};
use crate::sampler::{Filter, Mip, Sampler, Wrap};
use crate::swiftshader::{self, Lookup};
use parallax_core::exec::{TexQuad, TexRows};
use parallax_core::num::{CubeEdges, Grid, Processor, TexelResult, TextureUnit};
use parallax_core::{TexMode, TexOp};

/// Looks up one quad.
pub(crate) fn sample(image: &Image, sampler: &Sampler, op: &TexOp, quad: &TexQuad) -> [[u32; 4]; 4] {
    if op.mode == TexMode::Fetch {
        return std::array::from_fn(|lane| fetch(image, op, quad.coords[lane], quad.layer[lane]));
    }
    if op.mode == TexMode::Detail {
        return levels(image, sampler, op, &quad.coords)
            .map(|computed| [level_taken(computed, image, sampler, &op.rule), computed, 0.0, 0.0].map(fixed_nan));
    }
    let has_level = !is_magnified(image, sampler);
    let mut places = std::array::from_fn::<_, 4, _>(|lane| place(image, op, quad, lane, has_level));
    if let Some(comp) = op.mode.gathered() {
        return places.map(|place| match of_swiftshader(image, sampler, op, &place) {
            Some(lookup) => lookup.gathered(comp),
            None => gather(image, sampler, op, &place, comp),
        });
    }
    let level = if has_level {
        let base = if op.mode.reads_neighbours() { levels(image, sampler, op, &quad.coords) } else { [0.0; 4] };
        std::array::from_fn(|lane| {
            let fourth = f32::from_bits(quad.coords[lane][3]);
            let level = match op.mode {
                TexMode::Bias if op.rule.unit == TextureUnit::SwiftShader => base[lane] + swiftshader::bias(fourth),
                TexMode::Bias => base[lane] + fourth,
                TexMode::Grad => given_level(image, sampler, op, quad, lane),
                TexMode::Level => fourth,
                _ => base[lane],
            };
            let least = f32::from_bits(quad.least_level[lane]);
            let is_raised = op.least_level && least > level;
            if is_raised { least } else { level }
        })
    } else {
        [0.0; 4]
    };
    if op.rule.unit == TextureUnit::Gallivm {
        let mixes = gallivm::mixes(sampler, level);
        places.iter_mut().for_each(|place| place.mixes = mixes);
        if is_seamless(image.level(0), op) {
            let weighs = gallivm::cube::weighs(&places, level, image, sampler);
            places.iter_mut().for_each(|place| place.weighs = weighs);
        }
    }
    std::array::from_fn(|lane| match of_swiftshader(image, sampler, op, &places[lane]) {
        Some(lookup) => lookup.result(level[lane]),
        None => filtered(image, sampler, op, &places[lane], Detail::of(level[lane], image, sampler, &op.rule)),
    })
}

/// A lookup as SwiftShader does it, where the rule says so and the unit is known.
fn of_swiftshader<'a>(
    image: &'a Image,
    sampler: &'a Sampler,
    op: &'a TexOp,
    place: &'a TextureCoord,
) -> Option<Lookup<'a>> {
    if op.rule.unit == TextureUnit::SwiftShader { Lookup::new(image, sampler, op, place) } else { None }
}

/// Whether there is one level and one filter: the level of detail decides nothing.
fn is_magnified(image: &Image, sampler: &Sampler) -> bool {
    let flat = image.levels() == 1 || sampler.mip == Mip::None;
    flat && sampler.minify.is_none_or(|m| m == sampler.filter)
}

/// The lookups of an operation on a flat image, of which nothing but the largest level is ever read.
pub(crate) fn flat<'a>(image: &'a Image, sampler: &Sampler, op: &TexOp) -> Option<Flat<'a>> {
    let filtered = op.mode.filters() && op.rule.unit == TextureUnit::None;
    Flat::new(image.level(0), sampler, op).filter(|_| filtered && !op.bits && !op.moved && is_magnified(image, sampler))
}

/// Looks up rows of lanes: quads one after the other.
pub(crate) fn sample_rows(
    image: &Image,
    sampler: &Sampler,
    op: &TexOp,
    lookup: &TexRows<'_>,
    texels: &mut [&mut [u32]; 4],
) {
    let single = |start: usize, end: usize, texels: &mut [&mut [u32]; 4]| {
        for first in (start..end).step_by(4) {
            store(&sample(image, sampler, op, &lookup.quad(first)), first, texels);
        }
    };
    let lanes = texels[0].len();
    let Some(flat) = flat(image, sampler, op) else {
        return single(0, lanes, texels);
    };
    let processor = Processor::best();
    for start in (0..lanes).step_by(Flat::LANES) {
        let end = lanes.min(start + Flat::LANES);
        let coords = [0, 1, 3].map(|n| lookup.coords[n].get(start..end).unwrap_or(&[]));
        let mut part = texels.each_mut().map(|row| &mut row[start..end]);
        // Rows that are not there are zeros.
        if coords.iter().any(|row| row.is_empty()) || !flat.sample(processor, coords, &mut part) {
            single(start, end, texels);
        }
    }
}

/// Writes the texels of a quad to their rows.
fn store(quad: &[[u32; 4]; 4], first: usize, texels: &mut [&mut [u32]; 4]) {
    for (lane, texel) in quad.iter().enumerate() {
        for (row, &word) in texels.iter_mut().zip(texel) {
            row[first + lane] = word;
        }
    }
}

fn fetch(image: &Image, op: &TexOp, coords: [u32; 4], layer: u32) -> [u32; 4] {
    let is_one_level = op.target.is_rectangle() || op.target.is_multisampled();
    let level = if is_one_level { 0 } else { coords[3] };
    let mut at = [0u32; 3];
    for (n, slot) in at.iter_mut().enumerate().take(directions(op.target)) {
        let texel = i64::from(coords[n] as i32) + i64::from(op.offset[n]);
        // Outside on either side is out of any image.
        *slot = u32::try_from(texel).unwrap_or(u32::MAX);
    }
    if op.target.is_array() {
        at[2] = layer;
    }
    if op.target.is_multisampled() {
        at[2] = match coords[3] < image.samples() {
            true => at[2].saturating_mul(image.samples()).saturating_add(coords[3]),
            false => u32::MAX,
        };
    }
    let texel = image.texel_of(level, at, &op.rule);
    if op.bits { texel } else { given_texel(op, image, texel) }
}

/// What lookups make of the components of an image at the end.
fn given_texel(op: &TexOp, image: &Image, texel: [u32; 4]) -> [u32; 4] {
    let is_bytes = matches!(image.format(), TexelFormat::Rgba8 | TexelFormat::Srgb8);
    if op.rule.result == TexelResult::Binary32 || !is_bytes || op.target.is_shadow() {
        return texel;
    }
    texel.map(|word| given(op.rule.result, f32::from_bits(word)).to_bits())
}

fn filtered(image: &Image, sampler: &Sampler, op: &TexOp, place: &TextureCoord, detail: Detail) -> [u32; 4] {
    if op.bits {
        let level = match detail {
            Detail::Magnify => 0,
            Detail::Level(level) | Detail::Between(level, _) => level,
        };
        let texels = image.level(level);
        let [x, y, z] = touched((texels, image.size(0)), sampler, op, place, (false, op.rule.nearest));
        return Source::new(texels, sampler, op, place).words([x.low, y.low, z.low]);
    }
    given_texel(op, image, of_levels(image, sampler, op, place, detail))
}

/// A filtered value as it is blended.
fn of_levels(image: &Image, sampler: &Sampler, op: &TexOp, place: &TextureCoord, detail: Detail) -> [u32; 4] {
    if op.rule.unit == TextureUnit::Gallivm
        && let Some(bytes) = Bytes::new(image.level(0), sampler, op, place)
    {
        return bytes.result(|level| image.level(level), detail);
    }
    let minify = sampler.minify.unwrap_or(sampler.filter);
    match detail {
        Detail::Magnify => on_level(image, sampler, op, place, 0, sampler.filter).map(fixed_nan),
        Detail::Level(level) => on_level(image, sampler, op, place, level, minify).map(fixed_nan),
        Detail::Between(level, weight) => {
            let lower = on_level(image, sampler, op, place, level, minify);
            let next = TextureCoord { weighs: [place.weighs[1]; 2], ..*place };
            let upper = on_level(image, sampler, op, &next, level + 1, minify);
            blended(op, lower, upper, weight).map(fixed_nan)
        }
    }
}

/// The texels a coordinate touches along one axis; `None` is the border.
#[derive(Copy, Clone)]
struct Axis {
    low: Option<u32>,
    high: Option<u32>,
    /// Weight of the upper texel.
    weight: f32,
}

/// The texels that coordinates touch on one level of an image of this size, along each axis: two, or the nearest one, and the places that coordinates are
/// rounded to.
#[inline(always)]
fn touched(
    (texels, largest): (&Level, [u32; 3]),
    sampler: &Sampler,
    op: &TexOp,
    place: &TextureCoord,
    (linear, places): (bool, Grid),
) -> [Axis; 3] {
    let n = directions(op.target);
    let mut axes = [Axis { low: Some(0), high: Some(0), weight: 0.0 }; 3];
    for (axis, touched) in axes.iter_mut().enumerate().take(n) {
        let size = texels.size[axis];
        // Faces of a cube end at their edges.
        let mode = if op.target.is_cube() { Wrap::Clamp } else { sampler.wrap[axis] };
        let coord = place.at[axis];
        let scale = if op.target.is_rectangle() { None } else { Some(size as f32) };
        let (v, offset) = match op.rule.unit {
            TextureUnit::None | TextureUnit::SwiftShader => {
                let u = snap(places, finite(scale.map_or(coord, |scale| coord * scale)));
                (if linear { u - 0.5 } else { u }, place.offset[axis])
            }
            TextureUnit::Gallivm => {
                let gathers = op.mode.gathered().is_some();
                gallivm::in_texels(coord, place.offset[axis], [size, largest[axis]], scale, mode, (linear, gathers))
            }
        };
        let floor = floor(v);
        let low = texel_number(floor) + offset;
        touched.low = wrap(low, size, mode);
        if linear {
            touched.high = wrap(low + 1, size, mode);
            touched.weight = v - floor;
        }
    }
    if n < 3 {
        axes[2].low = Some(place.slice);
    }
    axes
}

/// A level, how its bytes are read, and what else decides a texel.
#[derive(Copy, Clone)]
struct Source<'a> {
    level: &'a Level,
    decoding: Decoding,
    sampler: &'a Sampler,
    /// What texels are compared with.
    reference: Option<f32>,
}

impl<'a> Source<'a> {
    fn new(level: &'a Level, sampler: &'a Sampler, op: &TexOp, place: &TextureCoord) -> Source<'a> {
        Source { level, decoding: level.decoding(&op.rule), sampler, reference: place.reference }
    }

    /// The words of the texel at a place along each axis.
    #[inline(always)]
    fn words(&self, at: [Option<u32>; 3]) -> [u32; 4] {
        match at {
            // A face the image does not have is not there.
            [Some(x), Some(y), Some(z)] if z < self.level.size[2] => {
                self.level.texel(self.level.index([x, y, z]), &self.decoding)
            }
            [Some(_), Some(_), Some(_)] => [0; 4],
            _ => self.sampler.border,
        }
    }

    /// Where a texel of a face lies in the cube that a lookup goes to.
    #[inline(always)]
    fn beyond(&self, place: &TextureCoord, [face, x, y]: [u32; 3]) -> [Option<u32>; 3] {
        [Some(x), Some(y), Some(place.slice - place.slice % 6 + face)]
    }

    /// The texel at a place along each axis, or what its comparison with the reference value gives.
    #[inline(always)]
    fn texel(&self, at: [Option<u32>; 3]) -> [f32; 4] {
        let texel = self.words(at).map(f32::from_bits);
        match self.reference {
            None => texel,
            Some(reference) => {
                let answer = if self.sampler.compare.holds(reference, texel[0]) { 1.0 } else { 0.0 };
                [answer, answer, answer, 1.0]
            }
        }
    }
}

/// One component of the four texels around a place: from the lower left against the sense of the clock.
fn gather(image: &Image, sampler: &Sampler, op: &TexOp, place: &TextureCoord, comp: usize) -> [u32; 4] {
    let texels = image.level(0);
    let source = Source::new(texels, sampler, op, place);
    if op.rule.unit == TextureUnit::Gallivm && is_seamless(texels, op) {
        let around = Around::new(place.slice % 6, texels.size[0], place.at);
        return match op.bits {
            true => around.gathered_words(|at| source.words(source.beyond(place, at))[comp]),
            false => around.gathered(|at| source.texel(source.beyond(place, at))[comp]).map(fixed_nan),
        };
    }
    let [x, y, z] = touched((texels, image.size(0)), sampler, op, place, (true, op.rule.gather));
    // A line has one row.
    let below = if directions(op.target) == 1 { y.low } else { y.high };
    [(x.low, below), (x.high, below), (x.high, y.low), (x.low, y.low)].map(|(x, y)| match op.bits {
        true => source.words([x, y, z.low])[comp],
        false => {
            let texel = source.texel([x, y, z.low]);
            given_texel(op, image, [fixed_nan(texel[comp]); 4])[0]
        }
    })
}

/// A filtered value of one level.
fn on_level(
    image: &Image,
    sampler: &Sampler,
    op: &TexOp,
    place: &TextureCoord,
    level: u32,
    filter: Filter,
) -> [f32; 4] {
    let n = directions(op.target);
    let linear = filter == Filter::Linear;
    let texels = image.level(level);
    let is_chosen = !linear && place.mixes;
    if (linear || is_chosen) && is_seamless(texels, op) {
        return across_edges(texels, sampler, op, place, is_chosen);
    }
    let places = if linear { op.rule.linear } else { op.rule.nearest };
    let mut axes = touched((texels, image.size(0)), sampler, op, place, (linear || is_chosen, places));
    let source = Source::new(texels, sampler, op, place);
    if is_chosen {
        axes.iter_mut().for_each(|axis| axis.weight = gallivm::nearest_weight(axis.weight));
    }
    let [x, y, z] = axes;
    if !linear && !is_chosen {
        return source.texel([x.low, y.low, z.low]);
    }
    // Each in a loop of its own.
    match op.rule.unit {
        TextureUnit::None | TextureUnit::SwiftShader => around(&source, &axes, n, blend),
        TextureUnit::Gallivm => around(&source, &axes, n, gallivm::blend_numbers),
    }
}

/// A blend of the texels along so many axes: x first.
#[inline(always)]
fn around(
    source: &Source<'_>,
    [x, y, z]: &[Axis; 3],
    n: usize,
    blend: impl Fn([f32; 4], [f32; 4], f32) -> [f32; 4],
) -> [f32; 4] {
    let texel = |x, y, z| source.texel([x, y, z]);
    let line = |y: Option<u32>, z: Option<u32>| blend(texel(x.low, y, z), texel(x.high, y, z), x.weight);
    let plane = |z: Option<u32>| match n {
        1 => line(y.low, z),
        _ => blend(line(y.low, z), line(y.high, z), y.weight),
    };
    match n {
        3 => blend(plane(z.low), plane(z.high), z.weight),
        _ => plane(z.low),
    }
}

/// Whether texels of neighbouring faces are touched at the edges of a cube. Faces that are not square fit no neighbours.
fn is_seamless(texels: &Level, op: &TexOp) -> bool {
    op.target.is_cube() && op.rule.cube == CubeEdges::Seamless && texels.size[0] == texels.size[1]
}

/// A blend of four texels of a cube, of which some may lie on neighbouring faces; `is_chosen`: the one with the greatest weight counts alone.
fn across_edges(texels: &Level, sampler: &Sampler, op: &TexOp, place: &TextureCoord, is_chosen: bool) -> [f32; 4] {
    let size = texels.size[0];
    let source = Source::new(texels, sampler, op, place);
    let face = place.slice % 6;
    if op.rule.unit == TextureUnit::Gallivm {
        let texel = |at: [u32; 3]| source.texel(source.beyond(place, at));
        return Around::new(face, size, place.at).chosen(is_chosen).blended(
            texel,
            gallivm::blend_numbers,
            place.weighs[0],
        );
    }
    let [x, y] = [0, 1].map(|axis| {
        let v = snap(op.rule.linear, finite(place.at[axis] * size as f32)) - 0.5;
        let low = floor(v);
        (texel_number(low) + place.offset[axis], v - low)
    });
    let texel = |at: [i64; 2]| Some(source.texel(source.beyond(place, cube::texel(face, size, at)?)));
    let inside = |number: i64| number.clamp(0, i64::from(size) - 1);
    let whole_texel = |at: [i64; 2]| {
        texel(at).unwrap_or_else(|| {
            // The three around a corner, this face's first.
            let around = [[inside(at[0]), inside(at[1])], [at[0], inside(at[1])], [inside(at[0]), at[1]]];
            let [a, b, c] = around.map(|at| texel(at).unwrap_or_default());
            std::array::from_fn(|comp| (a[comp] + b[comp] + c[comp]) / 3.0)
        })
    };
    let line = |y: i64| blended(op, whole_texel([x.0, y]), whole_texel([x.0 + 1, y]), x.1);
    blended(op, line(y.0), line(y.0 + 1), y.1)
}

pub(crate) fn finite(u: f32) -> f32 {
    if u.is_finite() { u } else { 0.0 }
}

/// The largest integer not above; exact, and without a call where the processor has no instruction for it.
fn floor(v: f32) -> f32 {
    if v.abs() < INTEGERS {
        let near = v as i32 as f32;
        if near > v { near - 1.0 } else { near }
    } else {
        // Large numbers are integers.
        v
    }
}

/// A blend as the texture unit does it.
#[inline(always)]
fn blended(op: &TexOp, p: [f32; 4], q: [f32; 4], w: f32) -> [f32; 4] {
    match op.rule.unit {
        TextureUnit::None | TextureUnit::SwiftShader => blend(p, q, w),
        TextureUnit::Gallivm => gallivm::blend_numbers(p, q, w),
    }
}

#[inline(always)]
fn lerp(p: f32, q: f32, w: f32) -> f32 {
    p + w * (q - p)
}

#[inline(always)]
pub(crate) fn blend(p: [f32; 4], q: [f32; 4], w: f32) -> [f32; 4] {
    std::array::from_fn(|c| lerp(p[c], q[c], w))
}

/// The texel a number stands for; `None` for the border.
fn wrap(at: i64, size: u32, wrap: Wrap) -> Option<u32> {
    let inside = u32::try_from(at).ok().filter(|&at| at < size);
    if inside.is_some() {
        return inside;
    }
    match wrap {
        Wrap::Repeat => Some(at.rem_euclid(i64::from(size)) as u32),
        Wrap::Mirror => {
            let twice = at.rem_euclid(2 * i64::from(size)) as u32;
            Some(twice.min(2 * size - 1 - twice))
        }
        Wrap::Clamp => Some(if at < 0 { 0 } else { size - 1 }),
        Wrap::Border => None,
    }
}

#[cfg(test)]
mod tests;
