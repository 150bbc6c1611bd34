//! Lookups of many lanes at a time, with the bits of [`crate::sample`].
//!
//! Coordinates become texel numbers and weights in vectors; then each lane blends its four texels, all components at once.
//! What is rare is left to the lookup of single quads: levels of detail, lines, volumes, cubes, borders, numbers beyond 2^23.

use crate::grid::{INTEGERS, given, snap};
use crate::image::{Level, TexelFormat, Texels, fixed_nan, unorm8};
use crate::sample::blend;
use crate::sampler::{Filter, Sampler, Wrap};
use parallax_core::exec::{FlatAxis, FlatImage, FlatTexels};
use parallax_core::num::{Grid, Processor, TexelResult, TextureRule};
use parallax_core::{TexOp, TexTarget};

/// Lanes of one step.
const LANES: usize = 64;

/// The texels that lanes touch along one axis.
struct Axis {
    low: [u32; LANES],
    high: [u32; LANES],
    /// Weight of the upper texel.
    weight: [f32; LANES],
}

/// How an axis is read.
#[derive(Copy, Clone)]
struct Reading {
    size: u32,
    /// Texels per unit of the coordinate.
    scale: f32,
    wrap: Wrap,
    offset: i32,
    linear: bool,
    /// Places that coordinates in texels are rounded to.
    places: Grid,
}

/// A lookup of a flat image whose level of detail is known to be the largest.
#[derive(Copy, Clone)]
pub(crate) struct Flat<'a> {
    level: &'a Level,
    axes: [Reading; 2],
    filter: Filter,
    project: bool,
    rule: TextureRule,
}

impl<'a> Flat<'a> {
    /// `None` where lanes are to be looked up quad by quad.
    pub(crate) fn new(level: &'a Level, sampler: &Sampler, op: &TexOp) -> Option<Flat<'a>> {
        let rectangle = match op.target {
            TexTarget::D2 => false,
            TexTarget::Rect => true,
            _ => return None,
        };
        if sampler.wrap[..2].contains(&Wrap::Border) {
            return None;
        }
        let linear = sampler.filter == Filter::Linear;
        let axes = [0, 1].map(|axis| {
            let size = level.size[axis];
            Reading {
                size,
                scale: if rectangle { 1.0 } else { size as f32 },
                wrap: sampler.wrap[axis],
                offset: i32::from(op.offset[axis]),
                linear,
                places: if linear { op.rule.linear } else { op.rule.nearest },
            }
        });
        Some(Flat { level, axes, filter: sampler.filter, project: op.project, rule: op.rule })
    }

    /// Whether results are rounded once more.
    fn is_rounded(&self) -> bool {
        self.rule.result != TexelResult::Binary32 && matches!(self.level.texels, Texels::Rgba8(_))
    }

    /// The image, where all that has to be known of it are texels, scale and edges. `only`: one component is wanted.
    pub(crate) fn image(&self, only: Option<usize>) -> Option<FlatImage<'a>> {
        if self.filter != Filter::Linear || self.is_rounded() {
            return None;
        }
        let axis = |axis: Reading| {
            let last = axis.size as i32 - 1;
            let (low, high, mask) = match axis.wrap {
                Wrap::Repeat if axis.size.is_power_of_two() => (i32::MIN, i32::MAX, last as u32),
                // The texel before the first one is there, too.
                Wrap::Clamp => (-1, last, u32::MAX),
                _ => return None,
            };
            Some(FlatAxis { scale: axis.scale, low, high, mask })
        };
        let [s, t] = self.axes;
        let axes = [axis(s)?, axis(t)?];
        let repeated = [s, t].map(|axis| axis.wrap == Wrap::Repeat);
        let image = self.level.with_edges(repeated, &self.rule)?;
        let width = image.width();
        let origin = u32::from(!repeated[0]) + if repeated[1] { 0 } else { width };
        let texels = match only {
            Some(comp) => FlatTexels::Pairs(image.pairs(comp)),
            None => FlatTexels::Whole(image.texels()),
        };
        Some(FlatImage { texels, is_moderate: image.is_moderate(), width, origin, axes })
    }

    /// Looks up at most [`Flat::LANES`] lanes: rows of s, t and q to rows of r, g, b, a. False if a lane has to be looked up
    /// alone; rows then hold anything.
    pub(crate) fn sample(&self, processor: Processor, coords: [&[u32]; 3], texels: &mut [&mut [u32]; 4]) -> bool {
        let lanes = texels[0].len();
        let mut places = [[0.0; LANES]; 2];
        let q = coords[2];
        for (place, words) in places.iter_mut().zip(coords) {
            place.iter_mut().zip(words).for_each(|(place, &word)| *place = f32::from_bits(word));
            if self.project {
                place.iter_mut().zip(q).for_each(|(place, &q)| *place /= f32::from_bits(q));
            }
        }
        let mut fits = true;
        let mut axis = |n: usize| {
            let mut axis = Axis { low: [0; LANES], high: [0; LANES], weight: [0.0; LANES] };
            processor.run(
                #[inline(always)]
                || fits &= touched(self.axes[n], &places[n], &mut axis),
            );
            axis
        };
        let (x, y) = (axis(0), axis(1));
        if !fits {
            return false;
        }
        let width = self.level.size[0] as usize;
        let patterns = || if lanes < LANES { None } else { self.level.patterns(&self.rule) };
        match (&self.level.texels, patterns()) {
            (Texels::Rgba8(all), _) if self.is_rounded() => {
                let word = |number: f32| given(self.rule.result, number).to_bits();
                let decoding = self.level.decoding(&self.rule);
                let number = |texel| decoding.texel(texel).map(f32::from_bits);
                self.filter(all, width, lanes, &x, &y, texels, number, word);
            }
            (Texels::Rgba8(_), Some(all)) => processor.run(
                #[inline(always)]
                || self.filter(all, width, lanes, &x, &y, texels, |texel| texel.map(f32::from_bits), f32::to_bits),
            ),
            (Texels::Rgba8(all), None) if self.level.format == TexelFormat::Srgb8 => {
                let decoding = self.level.decoding(&self.rule);
                let number = |texel| decoding.texel(texel).map(f32::from_bits);
                self.filter(all, width, lanes, &x, &y, texels, number, f32::to_bits);
            }
            (Texels::Rgba8(all), None) => processor.run(
                #[inline(always)]
                || self.filter(all, width, lanes, &x, &y, texels, |texel| texel.map(unorm8), f32::to_bits),
            ),
            (Texels::Rgba32F(all), _) => processor.run(
                #[inline(always)]
                || self.filter(all, width, lanes, &x, &y, texels, |texel| texel.map(f32::from_bits), fixed_nan),
            ),
        }
        true
    }

    /// The last steps: texels to numbers, blends, numbers to words.
    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "one loop for both kinds of texels")]
    fn filter<T: Copy>(
        &self,
        all: &[T],
        width: usize,
        lanes: usize,
        x: &Axis,
        y: &Axis,
        texels: &mut [&mut [u32]; 4],
        number: impl Fn(T) -> [f32; 4],
        word: impl Fn(f32) -> u32,
    ) {
        let [red, green, blue, alpha] = texels;
        let (red, green) = (&mut red[..lanes], &mut green[..lanes]);
        let (blue, alpha) = (&mut blue[..lanes], &mut alpha[..lanes]);
        for lane in 0..lanes.min(LANES) {
            let at = |x: u32, y: u32| number(all[y as usize * width + x as usize]);
            let (left, right, top, bottom) = (x.low[lane], x.high[lane], y.low[lane], y.high[lane]);
            let texel = match self.filter {
                Filter::Nearest => at(left, top),
                Filter::Linear => {
                    let upper = blend(at(left, top), at(right, top), x.weight[lane]);
                    let lower = blend(at(left, bottom), at(right, bottom), x.weight[lane]);
                    blend(upper, lower, y.weight[lane])
                }
            };
            red[lane] = word(texel[0]);
            green[lane] = word(texel[1]);
            blue[lane] = word(texel[2]);
            alpha[lane] = word(texel[3]);
        }
    }

    /// Most lanes of one lookup.
    pub(crate) const LANES: usize = LANES;
}

/// Coordinates in texels to numbers and weights; true if one is too large for this way.
#[inline(always)]
fn split(
    coords: &[f32; LANES],
    in_texels: impl Fn(f32) -> f32,
    half: f32,
    offset: i32,
    numbers: &mut [i32; LANES],
    weights: &mut [f32; LANES],
) -> bool {
    let mut large = 0u8;
    for lane in 0..LANES {
        let u = in_texels(coords[lane]);
        let u = if u.is_finite() { u } else { 0.0 };
        let v = u - half;
        large |= u8::from(v.abs() >= INTEGERS);
        let near = v as i32 as f32;
        let floor = if near > v { near - 1.0 } else { near };
        numbers[lane] = (floor as i32).wrapping_add(offset);
        weights[lane] = v - floor;
    }
    large != 0
}

/// Texel numbers and weights; false if a number is too large for this way.
#[inline(always)]
fn touched(axis: Reading, coords: &[f32; LANES], out: &mut Axis) -> bool {
    let Reading { size, scale, wrap, offset, linear, places } = axis;
    let half = if linear { 0.5 } else { 0.0 };
    let mut numbers = [0i32; LANES];
    let large = match places {
        Grid::Binary32 => split(coords, |coord| coord * scale, half, offset, &mut numbers, &mut out.weight),
        _ => split(coords, |coord| snap(places, coord * scale), half, offset, &mut numbers, &mut out.weight),
    };
    if large {
        return false;
    }
    let last = size as i32 - 1;
    let next = i32::from(linear);
    let touched = out.low.iter_mut().zip(&mut out.high).zip(numbers);
    match wrap {
        Wrap::Repeat if size.is_power_of_two() => {
            for ((low, high), number) in touched {
                *low = number as u32 & last as u32;
                *high = (number + next) as u32 & last as u32;
            }
        }
        Wrap::Clamp => {
            for ((low, high), number) in touched {
                *low = number.clamp(0, last) as u32;
                *high = (number + next).clamp(0, last) as u32;
            }
        }
        _ => {
            let inside = |n: i32| match n {
                n if (0..=last).contains(&n) => n,
                n if wrap == Wrap::Mirror => {
                    let twice = n.rem_euclid(2 * size as i32);
                    twice.min(2 * size as i32 - 1 - twice)
                }
                n => n.rem_euclid(size as i32),
            };
            for ((low, high), number) in touched {
                *low = inside(number) as u32;
                *high = inside(number + next) as u32;
            }
        }
    }
    true
}
