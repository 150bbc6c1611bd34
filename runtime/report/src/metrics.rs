//! Distances between two frames of one shader.

use crate::frame::{FrameRead, Read, Scale};
use crate::histogram::{BUCKETS, Histogram};
use crate::kept;
use crate::ranks::{Missed, Ranks};
use crate::value::{ceiling, correct_bits};
use parallax::Frame;
use parallax_core::OutputRole;
use parallax_core::exec::Plane;
use parallax_num::{Format, Processor};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Pixels measured by one task. Fixed, so that sums are added in one order whatever the number of threads.
const CHUNK: usize = 4096;

/// A component of a pixel where two frames differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PixelComponent {
    /// Column.
    pub x: u32,
    /// Row, from the top.
    pub y: u32,
    /// Component, such as `OUT[0].x`.
    pub component: String,
    /// The model's value.
    #[serde(with = "kept::number")]
    pub found: f64,
    /// The model's bits in the declared format, hexadecimal.
    pub found_bits: String,
    /// The reference's value, before any rounding to the declared format.
    #[serde(with = "kept::number")]
    pub expected: f64,
    /// The reference's bits in the declared format, hexadecimal.
    pub expected_bits: String,
    /// The model's bits of every sample of the pixel, `-` where it is not covered; empty where pixels have one.
    pub found_samples: Vec<String>,
    /// The reference's.
    pub expected_samples: Vec<String>,
}

/// How a frame differs from the reference's.
///
/// One *ulp* is one step of the component's declared format at the reference's (unrounded) value: the spacing of the
/// binade that holds it, not a count of representable values between the two. A correctly rounded result is at most
/// half an ulp away. Components where one side is NaN or infinite and the other is not, or not the same one, are counted
/// in `special_mismatch` and take no part in ulp figures. Watched registers take no part at all.
///
/// Close to zero a step is as small as the value, and a difference nobody can see counts millions of them. Components whose
/// reference is zero, or smaller than 2^-10 of the output's scale (the power of two at or below its largest magnitude in
/// the picture), take no part in ulp figures and correct bits either; those that differ are counted in `near_zero`.
/// Absolute errors take all numbers.
///
/// Where the draw names a render target, both sides are the words it holds: `equal` compares those, and one ulp is one
/// step of the target, for bytes 1/255.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Pixels covered in at least one of the two frames.
    pub pixels: u64,
    /// Components compared: those of pixels covered in both.
    pub components: u64,
    /// Components whose bits in the declared format are those of the reference rounded to it.
    pub equal: u64,
    /// Pixels with a component that is not equal.
    pub pixels_changed: u64,
    /// Components with an ulp error (numbers on both sides).
    pub measured: u64,
    /// Largest ulp error.
    #[serde(with = "kept::number")]
    pub max_ulp: f64,
    /// Mean of the absolute ulp errors.
    #[serde(with = "kept::number")]
    pub mean_ulp: f64,
    /// The smallest error that at least half of the measured components do not exceed.
    #[serde(with = "kept::number")]
    pub median_ulp: f64,
    /// The smallest error that at least 99 of 100 measured components do not exceed.
    #[serde(with = "kept::number")]
    pub p99_ulp: f64,
    /// Leading bits in which at least 99 of 100 measured components agree with the reference, at most the precision of
    /// their format.
    pub correct_bits: u32,
    /// Components with an absolute error: numbers on both sides, near zero or not.
    pub numbers: u64,
    /// Largest absolute error, in the output's own unit.
    #[serde(with = "kept::number")]
    pub max_abs: f64,
    /// Root of the mean square of the absolute errors.
    #[serde(with = "kept::number")]
    pub rms: f64,
    /// Components whose reference is near zero, and whose bits differ.
    pub near_zero: u64,
    /// Components of different special class.
    pub special_mismatch: u64,
    /// Pixels covered in exactly one of the frames, or at different samples.
    pub coverage_flips: u64,
    /// Pixels with a colour component whose 8-bit value (clamped to [0, 1], rounded to nearest) changes.
    pub pixels8_changed: u64,
    /// Largest change of an 8-bit value.
    pub max8: u8,
    /// Where the largest ulp error is: the first such pixel in raster order.
    pub argmax: Option<PixelComponent>,
    /// Where the first special-value mismatch is.
    pub special_at: Option<PixelComponent>,
    /// Signed errors by size.
    pub histogram: Histogram,
    /// Pixels that ran out of loop fuel under the model.
    pub out_of_fuel: u64,
}

impl Metrics {
    /// Share of equal components, 0 to 1; `None` when nothing was compared.
    pub fn equal_share(&self) -> Option<f64> {
        (self.components > 0).then(|| self.equal as f64 / self.components as f64)
    }

    /// Whether nothing at all differs.
    pub fn identical(&self) -> bool {
        self.equal == self.components && self.coverage_flips == 0
    }

    /// Pixels a viewer of an 8-bit picture could see change.
    pub fn visible(&self) -> u64 {
        self.pixels8_changed + self.coverage_flips
    }
}

/// The same component in both frames: found, expected.
type Pair<'a> = (&'a Read<'a>, &'a Read<'a>);

/// Sums over pixels, in their order.
#[derive(Copy, Clone, Default)]
struct Sums {
    /// Of the ulp errors.
    errors: f64,
    /// Of the squares of the absolute errors.
    squares: f64,
}

#[derive(Clone, Default)]
struct Part {
    counts: Metrics,
    sums: Sums,
    errors: Vec<f64>,
    /// Measured components by number of correct bits.
    bits: Vec<u64>,
    /// Error, pair, pixel.
    worst: Option<(f64, usize, usize)>,
    special: Option<(usize, usize)>,
}

/// Measures `found` against `reference`. Both come from the same shader and draw.
///
/// # Panics
/// If the frames have different sizes or outputs, which no two runs of one shader have.
pub fn measure(found: &FrameRead<'_>, reference: &FrameRead<'_>) -> Metrics {
    compare(found, reference, true)
}

/// The counts of [`measure`] alone: pixels, components, and those that are not equal or look different. Figures of errors are 0.
///
/// # Panics
/// As [`measure`].
pub fn count(found: &FrameRead<'_>, reference: &FrameRead<'_>) -> Metrics {
    compare(found, reference, false)
}

fn compare(found: &FrameRead<'_>, reference: &FrameRead<'_>, figures: bool) -> Metrics {
    let mut measuring = Measuring::new(figures, Ranks::Whole(Vec::new()));
    measuring.add(found, reference);
    measuring.finish().0
}

/// Metrics of a frame that comes in strips from the top. What they say does not depend on where it is cut.
#[derive(Clone)]
pub(crate) struct Measuring {
    figures: bool,
    all: Part,
    ranks: Ranks,
    /// Pixels so far.
    pixels: usize,
    /// Sums of a chunk whose last pixels are still to come.
    open: Sums,
    argmax: Option<PixelComponent>,
    special_at: Option<PixelComponent>,
}

impl Measuring {
    /// `figures`: whether errors are measured, as by [`measure`], and ranked in `ranks`.
    pub(crate) fn new(figures: bool, ranks: Ranks) -> Measuring {
        Measuring {
            figures,
            all: Part::default(),
            ranks,
            pixels: 0,
            open: Sums::default(),
            argmax: None,
            special_at: None,
        }
    }

    /// Measures the next rows of a frame against those of the reference.
    ///
    /// # Panics
    /// As [`measure`].
    pub(crate) fn add(&mut self, found: &FrameRead<'_>, reference: &FrameRead<'_>) {
        let size = |f: &FrameRead<'_>| (f.frame.width, f.frame.height);
        assert_eq!(size(found), size(reference), "frames of different draws");
        assert_eq!(found.channels.len(), reference.channels.len(), "frames of different shaders");
        let pairs: Vec<Pair<'_>> = found.channels.iter().zip(&reference.channels).collect();
        let frames = (found.frame, reference.frame);
        let (before, pixels) = (self.pixels, found.frame.pixels());
        let edge = |at: usize| (at + CHUNK) / CHUNK * CHUNK;
        let starts = std::iter::successors(Some(before), |&at| Some(edge(at))).take_while(|at| *at < before + pixels);
        let ranges: Vec<Range<usize>> = starts.map(|at| at - before..(edge(at) - before).min(pixels)).collect();
        let open = std::mem::take(&mut self.open);
        let parts: Vec<Part> = (ranges.par_iter().enumerate())
            .map(|(n, range)| {
                part(&pairs, frames, range.clone(), self.figures, if n == 0 { open } else { Sums::default() })
            })
            .collect();
        let row = (before / (found.frame.width as usize).max(1)) as u32;
        let at = |(pair, pixel): (usize, usize)| {
            let here = place(pairs[pair], pixel, frames);
            PixelComponent { y: here.y + row, ..here }
        };
        let (worst, mut found_worst) = (self.all.worst, None);
        for (range, mut part) in ranges.iter().zip(parts) {
            if (before + range.end) % CHUNK != 0 {
                self.open = std::mem::take(&mut part.sums);
            }
            self.ranks.extend(std::mem::take(&mut part.errors));
            if let Some(new) = part.worst
                && found_worst.or(worst).is_none_or(|old: (f64, usize, usize)| new.0 > old.0)
            {
                found_worst = Some(new);
            }
            if self.special_at.is_none() {
                self.special_at = part.special.map(at);
            }
            self.all.add(part);
        }
        if let Some((_, pair, pixel)) = found_worst {
            self.argmax = Some(at((pair, pixel)));
            self.all.worst = found_worst;
        }
        self.all.counts.out_of_fuel += found.frame.out_of_fuel;
        self.pixels += pixels;
    }

    /// The errors themselves, as far as they are held.
    pub(crate) fn errors(self) -> Vec<f64> {
        self.ranks.held()
    }

    /// What was measured, and the errors that have to be looked for again where ranks were not met.
    pub(crate) fn finish(self) -> (Metrics, Option<Missed>) {
        let mut metrics = self.all.counts;
        let mut missed = None;
        let count = self.ranks.len();
        metrics.measured = count;
        if count > 0 {
            metrics.mean_ulp = (self.all.sums.errors + self.open.errors) / count as f64;
            match self.ranks.finish() {
                Ok([median, p99]) => (metrics.median_ulp, metrics.p99_ulp) = (median, p99),
                Err(found) => missed = Some(found),
            }
            // One in a hundred may have fewer.
            let mut fewer = count / 100;
            metrics.correct_bits =
                self.all.bits.iter().take_while(|n| fewer.checked_sub(**n).map(|left| fewer = left).is_some()).count()
                    as u32;
        }
        if metrics.numbers > 0 {
            metrics.rms = ((self.all.sums.squares + self.open.squares) / metrics.numbers as f64).sqrt();
        }
        metrics.max_ulp = self.all.worst.map_or(0.0, |(error, ..)| error);
        (metrics.argmax, metrics.special_at) = (self.argmax, self.special_at);
        (metrics, missed)
    }
}

/// What is measured of the components of some pixels, one output component after the other.
struct Lines {
    /// Whether errors are measured; else components are counted.
    figures: bool,
    /// Pixels covered in both.
    compared: Vec<bool>,
    /// Those with a component that is not equal, and with another byte.
    changed: Vec<bool>,
    changed8: Vec<bool>,
    /// For every component: absolute errors and ulp errors, 0 where there is none.
    apart: Vec<Vec<f64>>,
    ulps: Vec<Vec<f64>>,
}

/// Places of one component in a histogram and by correct bits.
struct Sizes {
    /// Signed error in steps, of use where both sides are numbers.
    signed: Vec<f64>,
    /// Whether words are equal.
    equal: Vec<bool>,
    /// Where measured errors are counted, by size and by correct bits; [`NOWHERE`] for others.
    bucket: Vec<u8>,
    bits: Vec<u8>,
}

/// Place in counts of what is not measured.
const NOWHERE: u8 = 63;
/// Place of results exactly as the reference's.
const ZERO: u8 = 62;
/// First place of results below the reference.
const BELOW: u8 = 32;

/// Measures some pixels, whose sums are added to those of the pixels before in their chunk.
fn part(
    pairs: &[Pair<'_>],
    (found, reference): (&Frame, &Frame),
    range: Range<usize>,
    figures: bool,
    before: Sums,
) -> Part {
    let mut part = Part { bits: vec![0; 64], sums: before, ..Part::default() };
    let len = range.len();
    let covered = || found.covered[range.clone()].iter().zip(&reference.covered[range.clone()]);
    let compared: Vec<bool> = covered().map(|(f, r)| *f & *r).collect();
    part.counts.pixels = covered().map(|(f, r)| u64::from(*f | *r)).sum();
    part.counts.coverage_flips = match (&found.samples, &reference.samples) {
        (None, None) => covered().map(|(f, r)| u64::from(f != r)).sum(),
        _ => range.clone().map(|pixel| u64::from(found.coverage(pixel) != reference.coverage(pixel))).sum(),
    };
    let all = compared.iter().map(|c| u64::from(*c)).sum::<u64>();
    let mut lines = Lines {
        figures,
        compared,
        changed: vec![false; len],
        changed8: vec![false; len],
        apart: Vec::with_capacity(pairs.len()),
        ulps: Vec::with_capacity(pairs.len()),
    };
    if all == 0 {
        return part;
    }
    let mut sizes =
        Sizes { signed: vec![0.0; len], equal: vec![false; len], bucket: vec![NOWHERE; len], bits: vec![NOWHERE; len] };
    part.errors = Vec::with_capacity(if figures { len * pairs.len() } else { 0 });
    for (n, &pair) in pairs.iter().enumerate() {
        part.counts.components += all;
        part.component((n, pair), &range, &mut lines, &mut sizes);
    }
    let counted = |list: &[bool]| list.iter().map(|c| u64::from(*c)).sum();
    (part.counts.pixels_changed, part.counts.pixels8_changed) = (counted(&lines.changed), counted(&lines.changed8));
    // Sums are added pixel by pixel, so that they are the same in every version of this program.
    for at in 0..len {
        for (apart, ulps) in lines.apart.iter().zip(&lines.ulps) {
            part.sums.squares += apart[at] * apart[at];
            part.sums.errors += ulps[at];
        }
    }
    part
}

impl Part {
    /// Measures one component.
    fn component(
        &mut self,
        (n, (f, r)): (usize, Pair<'_>),
        range: &Range<usize>,
        lines: &mut Lines,
        sizes: &mut Sizes,
    ) {
        let Lines { figures, compared, changed, changed8, apart, ulps } = lines;
        let counts = &mut self.counts;
        let processor = Processor::best();
        equal_words(&f.bits, &r.bits, range, &mut sizes.equal);
        let equal = &sizes.equal;
        counts.equal += processor.run(
            #[inline(always)]
            || {
                for ((changed, equal), compared) in changed.iter_mut().zip(equal).zip(&*compared) {
                    *changed |= !*equal & *compared;
                }
                equal.iter().zip(&*compared).map(|(equal, compared)| u64::from(*equal & *compared)).sum::<u64>()
            },
        );
        if f.scale == Scale::Words {
            return;
        }
        if matches!(f.role, OutputRole::Color(_)) {
            let bytes = f.bytes()[range.clone()].iter().zip(&r.bytes()[range.clone()]);
            counts.max8 = processor.run(
                #[inline(always)]
                || {
                    let mut most = counts.max8;
                    for (((f, r), changed), compared) in bytes.zip(changed8).zip(&*compared) {
                        let change = if *compared { f.abs_diff(*r) } else { 0 };
                        most = most.max(change);
                        *changed |= change != 0;
                    }
                    most
                },
            );
        }
        let (found, expected) = (&f.values[range.clone()], &r.values[range.clone()]);
        let all = compared.iter().map(|c| u64::from(*c)).sum::<u64>();
        if !*figures {
            let numbers = processor.run(
                #[inline(always)]
                || numbers(found, expected, compared),
            );
            if numbers < all {
                self.special((n, (f, r)), range, compared);
            }
            return;
        }
        let mut distances = vec![0.0; range.len()];
        let signed = &mut sizes.signed;
        let numbers = processor.run(
            #[inline(always)]
            || absolute(found, expected, compared, &mut distances),
        );
        counts.numbers += numbers;
        counts.max_abs = counts.max_abs.max(largest(&distances));
        match f.scale {
            // Steps are powers of two whose inverses binary64 has.
            Scale::Format(Format::Float(format)) if format.max_exp() < 512 && format.min_exp() > -512 => processor.run(
                #[inline(always)]
                || steps(found, expected, format.min_exp(), format.max_exp(), i32::from(format.frac), signed),
            ),
            _ => {
                let error = |at: usize| f.error(r, range.start + at).unwrap_or(f64::NAN);
                signed.iter_mut().enumerate().for_each(|(at, signed)| *signed = error(at));
            }
        }
        if numbers < all {
            self.special((n, (f, r)), range, compared);
        }
        // Magnitudes below are near zero. Zero is, whatever the floor.
        let floor = match r.scale {
            Scale::Format(_) => r.floor.max(f64::from_bits(1)),
            Scale::Bytes | Scale::Codes(..) | Scale::Words => 0.0,
        };
        let precision = f.precision().unwrap_or(0);
        let mut measured = vec![0.0; range.len()];
        let (bucket, bits) = (&mut sizes.bucket[..], &mut sizes.bits[..]);
        let near = processor.run(
            #[inline(always)]
            || {
                let taken = compared.iter().zip(equal);
                let values = found.iter().zip(expected).zip(taken).zip(signed);
                let places = measured.iter_mut().zip(bucket).zip(bits);
                let mut near_zero = 0u64;
                for ((((found, expected), (compared, equal)), signed), ((ulp, bucket), bits)) in values.zip(places) {
                    let number = is_finite(*found) & is_finite(*expected) & *compared;
                    let near = expected.abs() < floor;
                    near_zero += u64::from(number & near & !*equal);
                    let measured = number & !near;
                    *ulp = if measured { signed.abs() } else { 0.0 };
                    *bucket = if measured { size(*signed) } else { NOWHERE };
                    *bits = if measured { correct_bits(*found, *expected, precision) as u8 } else { NOWHERE };
                }
                near_zero
            },
        );
        self.counts.near_zero += near;
        self.count(sizes, &measured);
        let most = largest(&measured);
        let first = (0..range.len()).find(|&at| sizes.bucket[at] != NOWHERE && measured[at] == most);
        if let Some(pixel) = first.map(|at| range.start + at) {
            let before = |(error, _, at): (f64, usize, usize)| most > error || most == error && pixel < at;
            if self.worst.is_none_or(before) {
                self.worst = Some((most, n, pixel));
            }
        }
        apart.push(distances);
        ulps.push(measured);
    }

    /// Counts compared pixels in which a component is special in one frame and not the same in the other.
    fn special(&mut self, (n, (f, r)): (usize, Pair<'_>), range: &Range<usize>, compared: &[bool]) {
        for at in range.clone().filter(|at| compared[at - range.start]) {
            let finite = f.values[at].is_finite() && r.values[at].is_finite();
            if !finite && f.error(r, at).is_none() {
                self.counts.special_mismatch += 1;
                if self.special.is_none_or(|(_, pixel)| at < pixel) {
                    self.special = Some((n, at));
                }
            }
        }
    }

    /// Counts the measured errors of a component.
    fn count(&mut self, sizes: &Sizes, measured: &[f64]) {
        // Two each, so that no count waits for the one before.
        let (mut buckets, mut bits) = ([[0u32; 64]; 2], [[0u32; 64]; 2]);
        for (n, (bucket, agreeing)) in sizes.bucket.iter().zip(&sizes.bits).enumerate() {
            buckets[n % 2][usize::from(bucket & 63)] += 1;
            bits[n % 2][usize::from(agreeing & 63)] += 1;
        }
        let of = |counts: &[[u32; 64]; 2], at: usize| u64::from(counts[0][at]) + u64::from(counts[1][at]);
        let histogram = &mut self.counts.histogram;
        histogram.zero += of(&buckets, usize::from(ZERO));
        for k in 0..BUCKETS {
            histogram.above[k] += of(&buckets, k);
            histogram.below[k] += of(&buckets, k + usize::from(BELOW));
        }
        for (at, all) in self.bits.iter_mut().enumerate().take(usize::from(NOWHERE)) {
            *all += of(&bits, at);
        }
        if of(&buckets, usize::from(NOWHERE)) == 0 {
            self.errors.extend_from_slice(measured);
        } else {
            let taken = measured.iter().zip(&sizes.bucket).filter(|(_, bucket)| **bucket != NOWHERE);
            self.errors.extend(taken.map(|(error, _)| *error));
        }
    }
}

/// Whether words of two planes are equal.
fn equal_words(a: &Plane, b: &Plane, range: &Range<usize>, out: &mut [bool]) {
    fn each<T: PartialEq>(a: &[T], b: &[T], out: &mut [bool]) {
        Processor::best().run(
            #[inline(always)]
            || out.iter_mut().zip(a.iter().zip(b)).for_each(|(out, (a, b))| *out = a == b),
        );
    }
    match (a, b) {
        (Plane::U8(a), Plane::U8(b)) => each(&a[range.clone()], &b[range.clone()], out),
        (Plane::U16(a), Plane::U16(b)) => each(&a[range.clone()], &b[range.clone()], out),
        (Plane::U32(a), Plane::U32(b)) => each(&a[range.clone()], &b[range.clone()], out),
        (Plane::U64(a), Plane::U64(b)) => each(&a[range.clone()], &b[range.clone()], out),
        (a, b) => out.iter_mut().zip(range.clone()).for_each(|(out, at)| *out = a.get(at) == b.get(at)),
    }
}

/// As [`f64::is_finite`], in a form that vectorises.
#[inline(always)]
fn is_finite(value: f64) -> bool {
    value.abs().to_bits() < f64::INFINITY.to_bits()
}

/// How many compared components are numbers in both frames.
#[inline(always)]
fn numbers(found: &[f64], expected: &[f64], compared: &[bool]) -> u64 {
    let pairs = found.iter().zip(expected).zip(compared);
    pairs.map(|((found, expected), compared)| u64::from(is_finite(*found) & is_finite(*expected) & *compared)).sum()
}

/// Absolute errors of compared numbers; gives how many there are.
#[inline(always)]
fn absolute(found: &[f64], expected: &[f64], compared: &[bool], out: &mut [f64]) -> u64 {
    let mut numbers = 0;
    for (((found, expected), compared), out) in found.iter().zip(expected).zip(compared).zip(out) {
        let number = is_finite(*found) & is_finite(*expected) & *compared;
        *out = if number { (found - expected).abs() } else { 0.0 };
        numbers += u64::from(number);
    }
    numbers
}

/// The largest of magnitudes, which are ordered as their patterns are.
fn largest(magnitudes: &[f64]) -> f64 {
    let most = Processor::best().run(
        #[inline(always)]
        || magnitudes.iter().map(|value| value.to_bits()).fold(0, u64::max),
    );
    f64::from_bits(most)
}

/// Signed errors of numbers, in steps of a format at the exact value, as [`parallax_num::ulp::error`] gives them. They are
/// multiplied by a power of two instead of divided, which rounds nothing.
#[inline(always)]
fn steps(found: &[f64], expected: &[f64], min: i32, max: i32, frac: i32, out: &mut [f64]) {
    let (min, max, frac) = (i64::from(min), i64::from(max), i64::from(frac));
    for ((found, expected), out) in found.iter().zip(expected).zip(out) {
        let top = (expected.abs().to_bits() >> 52) as i64 - 1023;
        let top = if top < min { min } else { top };
        let top = if top > max { max } else { top };
        let inverse = f64::from_bits(((1023 + frac - top) as u64) << 52);
        *out = (found - expected) * inverse;
    }
}

/// Place of a signed error: [`Histogram`]'s bucket, behind [`BELOW`] for negative ones.
#[inline(always)]
fn size(signed: f64) -> u8 {
    let bucket = (ceiling(signed.abs()) + 1).clamp(0, BUCKETS as i32 - 1) as u8;
    let place = bucket + if signed < 0.0 { BELOW } else { 0 };
    if signed == 0.0 { ZERO } else { place }
}

impl Part {
    /// Joins the counts of the next part in raster order.
    fn add(&mut self, next: Part) {
        let (c, n) = (&mut self.counts, next.counts);
        c.pixels += n.pixels;
        c.components += n.components;
        c.equal += n.equal;
        c.pixels_changed += n.pixels_changed;
        c.special_mismatch += n.special_mismatch;
        c.coverage_flips += n.coverage_flips;
        c.pixels8_changed += n.pixels8_changed;
        c.max8 = c.max8.max(n.max8);
        c.numbers += n.numbers;
        c.max_abs = c.max_abs.max(n.max_abs);
        c.near_zero += n.near_zero;
        c.histogram.merge(&n.histogram);
        self.sums.errors += next.sums.errors;
        self.sums.squares += next.sums.squares;
        if self.bits.len() < next.bits.len() {
            self.bits.resize(next.bits.len(), 0);
        }
        for (all, new) in self.bits.iter_mut().zip(&next.bits) {
            *all += new;
        }
    }
}

fn place((found, expected): Pair<'_>, pixel: usize, frames: (&Frame, &Frame)) -> PixelComponent {
    let width = frames.0.width as usize;
    PixelComponent {
        x: (pixel % width) as u32,
        y: (pixel / width) as u32,
        component: found.name.clone(),
        found: found.values[pixel],
        found_bits: found.hex(pixel),
        expected: expected.values[pixel],
        expected_bits: expected.hex(pixel),
        found_samples: found.samples(frames.0, pixel),
        expected_samples: expected.samples(frames.1, pixel),
    }
}

#[cfg(test)]
mod tests;
