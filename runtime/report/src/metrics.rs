//! Distances between two frames of one shader.

use crate::frame::{FrameRead, Read, Scale};
use crate::histogram::Histogram;
use crate::kept;
use crate::value::correct_bits;
use parallax::Frame;
use parallax_core::OutputRole;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

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

#[derive(Clone, Default)]
struct Part {
    counts: Metrics,
    sum: f64,
    /// Sum of the squares of the absolute errors.
    squares: f64,
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
    let size = |f: &FrameRead<'_>| (f.frame.width, f.frame.height);
    assert_eq!(size(found), size(reference), "frames of different draws");
    assert_eq!(found.channels.len(), reference.channels.len(), "frames of different shaders");
    let pairs: Vec<Pair<'_>> = found.channels.iter().zip(&reference.channels).collect();
    let pixels = found.frame.pixels();
    let parts: Vec<Part> = (0..pixels.div_ceil(CHUNK))
        .into_par_iter()
        .map(|n| part(&pairs, found.frame, reference.frame, n * CHUNK..pixels.min((n + 1) * CHUNK)))
        .collect();

    let mut all = Part::default();
    for part in parts {
        all.add(part);
    }
    let mut metrics = all.counts;
    metrics.out_of_fuel = found.frame.out_of_fuel;
    metrics.measured = all.errors.len() as u64;
    if !all.errors.is_empty() {
        let count = all.errors.len();
        metrics.mean_ulp = all.sum / count as f64;
        let mut at = |rank: usize| *all.errors.select_nth_unstable_by(rank - 1, f64::total_cmp).1;
        metrics.p99_ulp = at((count * 99).div_ceil(100));
        metrics.median_ulp = at(count.div_ceil(2));
        // One in a hundred may have fewer.
        let mut fewer = (count / 100) as u64;
        metrics.correct_bits =
            all.bits.iter().take_while(|n| fewer.checked_sub(**n).map(|left| fewer = left).is_some()).count() as u32;
    }
    if metrics.numbers > 0 {
        metrics.rms = (all.squares / metrics.numbers as f64).sqrt();
    }
    let frames = (found.frame, reference.frame);
    if let Some((error, pair, pixel)) = all.worst {
        metrics.max_ulp = error;
        metrics.argmax = Some(place(pairs[pair], pixel, frames));
    }
    metrics.special_at = all.special.map(|(pair, pixel)| place(pairs[pair], pixel, frames));
    metrics
}

fn part(pairs: &[Pair<'_>], found: &Frame, reference: &Frame, range: std::ops::Range<usize>) -> Part {
    let mut part = Part::default();
    for pixel in range {
        let (f, r) = (found.covered[pixel], reference.covered[pixel]);
        part.counts.pixels += u64::from(f || r);
        part.counts.coverage_flips += u64::from(found.coverage(pixel) != reference.coverage(pixel));
        if !(f && r) {
            continue;
        }
        let (mut changed, mut changed8) = (false, false);
        for (n, &(f, r)) in pairs.iter().enumerate() {
            let equal = f.bits.get(pixel) == r.bits.get(pixel);
            part.counts.components += 1;
            part.counts.equal += u64::from(equal);
            changed |= !equal;
            if f.scale == Scale::Words {
                continue;
            }
            let finite = f.values[pixel].is_finite() && r.values[pixel].is_finite();
            if finite {
                let error = (f.values[pixel] - r.values[pixel]).abs();
                part.counts.numbers += 1;
                part.counts.max_abs = part.counts.max_abs.max(error);
                part.squares += error * error;
            }
            match f.error(r, pixel) {
                None => {
                    part.counts.special_mismatch += 1;
                    part.special.get_or_insert((n, pixel));
                }
                // Special values that agree are no distance measured.
                Some(_) if !finite => {}
                Some(_) if r.near_zero(pixel) => part.counts.near_zero += u64::from(!equal),
                Some(signed) => {
                    let error = signed.abs();
                    part.sum += error;
                    part.errors.push(error);
                    let precision = f.precision().unwrap_or(0);
                    let bits = correct_bits(f.values[pixel], r.values[pixel], precision) as usize;
                    if part.bits.len() <= bits {
                        part.bits.resize(bits + 1, 0);
                    }
                    part.bits[bits] += 1;
                    part.counts.histogram.add(signed);
                    if part.worst.is_none_or(|(most, ..)| error > most) {
                        part.worst = Some((error, n, pixel));
                    }
                }
            }
            if matches!(f.role, OutputRole::Color(_)) {
                let change = f.byte(pixel).abs_diff(r.byte(pixel));
                part.counts.max8 = part.counts.max8.max(change);
                changed8 |= change != 0;
            }
        }
        part.counts.pixels_changed += u64::from(changed);
        part.counts.pixels8_changed += u64::from(changed8);
    }
    part
}

impl Part {
    /// Joins the next part in raster order.
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
        self.sum += next.sum;
        self.squares += next.squares;
        if self.bits.len() < next.bits.len() {
            self.bits.resize(next.bits.len(), 0);
        }
        for (all, new) in self.bits.iter_mut().zip(&next.bits) {
            *all += new;
        }
        self.errors.extend(next.errors);
        self.special = self.special.or(next.special);
        if let Some(new) = next.worst
            && self.worst.is_none_or(|old| new.0 > old.0)
        {
            self.worst = Some(new);
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
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::snapshot::Snapshot;
    use parallax::{FrameSamples, Stored, Target};
    use parallax_core::exec::Plane;

    fn measured(found: &Frame, reference: &Frame) -> Metrics {
        measure(&FrameRead::new(found), &FrameRead::new(reference))
    }

    #[test]
    fn a_frame_does_not_differ_from_itself() {
        let frame = one_channel(2, &[0.0, 1.0, f32::NAN, f32::INFINITY]);
        let m = measured(&frame, &frame);
        assert!(m.identical());
        assert_eq!((m.pixels, m.components, m.equal, m.measured, m.numbers), (4, 4, 4, 1, 2));
        assert_eq!((m.max_ulp, m.mean_ulp, m.p99_ulp), (0.0, 0.0, 0.0));
        assert_eq!(m.special_mismatch, 0);
    }

    #[test]
    fn errors_are_steps_at_the_expected_value() {
        let third = 1.0f64 / 3.0;
        let found = one_channel(3, &[third as f32, 1.0, f32::from_bits(0x3f80_0003)]);
        let reference = one_exact(3, &[third, 1.0, 1.0]);
        let m = measured(&found, &reference);
        assert_eq!((m.equal, m.components, m.max_ulp), (2, 3, 3.0));
        // The rounding of 1/3 is a third of a step.
        let rounding = (f64::from(third as f32) - third) / 2f64.powi(-25);
        assert_eq!(m.mean_ulp, (rounding + 3.0) / 3.0);
        assert_eq!(m.p99_ulp, 3.0);
        let at = m.argmax.unwrap();
        assert_eq!((at.x, at.y, at.component.as_str()), (2, 0, "OUT[0].x"));
        assert_eq!((at.found_bits.as_str(), at.expected_bits.as_str()), ("3f800003", "3f800000"));
    }

    /// One against zero is 7e44 ulps, a true number that says nothing and ruins every mean.
    #[test]
    fn what_is_near_zero_is_measured_by_absolute_error_alone() {
        let found = one_channel(5, &[1.0, 1e-30, 0.5, 0.0, 0.001]);
        let m = measured(&found, &one_exact(5, &[0.0, 0.0, 0.5, 0.0, 0.0005]));
        // The scale is 0.5, so that 0.0005 is just above the floor.
        assert_eq!((m.components, m.equal, m.near_zero, m.measured, m.numbers), (5, 2, 2, 2, 5));
        assert_eq!(m.max_abs, 1.0);
        assert!(m.max_ulp < 2f64.powi(25), "{}", m.max_ulp);
        assert_eq!(m.rms, ((1.0 + 1e-60 + f64::powi(f64::from(0.001f32) - 0.0005, 2)) / 5.0).sqrt());
        assert_eq!(m.correct_bits, 0);
    }

    #[test]
    fn half_the_errors_do_not_exceed_the_median() {
        let found: Vec<f32> = (0..200).map(|n| f32::from_bits(0x3f80_0000 + n)).collect();
        let m = measured(&one_channel(200, &found), &one_exact(200, &[1.0; 200]));
        assert_eq!((m.median_ulp, m.p99_ulp, m.max_ulp), (99.0, 197.0, 199.0));
        // 2^-23 * 197 is at most 2^-15: two of the two hundred may be worse, and are not.
        assert_eq!(m.correct_bits, 15);
    }

    #[test]
    fn bytes_of_the_reference_come_from_what_its_format_holds() {
        // In binary64 just below the middle between two bytes; rounded to binary32 just above it.
        let middle = 0.5 / 255.0;
        let above = f64::from(middle as f32);
        assert!(above > middle, "the example needs a number that rounds up");
        let m = measured(&one_channel(1, &[above as f32]), &one_exact(1, &[middle - 1e-16]));
        assert_eq!((m.equal, m.pixels8_changed), (1, 0));
    }

    #[test]
    fn special_values_are_kept_apart_from_ulps() {
        let found = one_channel(4, &[f32::NAN, f32::INFINITY, f32::INFINITY, 1.0]);
        let reference = one_exact(4, &[1.0, f64::NEG_INFINITY, 1e300, 1.0]);
        let m = measured(&found, &reference);
        // 1e300 is no binary32 number: infinity is what it rounds to.
        assert_eq!((m.special_mismatch, m.measured, m.max_ulp), (2, 1, 0.0));
        assert_eq!(m.special_at.map(|p| (p.x, p.y)), Some((0, 0)));
    }

    #[test]
    fn coverage_flips_take_no_part_in_ulps() {
        let mut found = one_channel(2, &[9.0, 1.0]);
        found.covered[0] = false;
        let m = measured(&found, &one_exact(2, &[1.0, 1.0]));
        assert_eq!((m.pixels, m.components, m.coverage_flips, m.max_ulp), (2, 1, 1, 0.0));
        assert!(!m.identical());
    }

    #[test]
    fn pixels_covered_at_other_samples_flip() {
        let sampled = |covered: [bool; 4], words: [f32; 4]| {
            let mut frame = one_channel(2, &[(words[0] + words[1]) / 2.0, (words[2] + words[3]) / 2.0]);
            frame.covered = vec![covered[0] || covered[1], covered[2] || covered[3]];
            frame.samples = Some(FrameSamples {
                positions: vec![[4, 4], [-4, -4]],
                per_sample: false,
                covered: covered.to_vec(),
                words: vec![Plane::U32(words.map(f32::to_bits).to_vec())],
                stored: vec![None],
            });
            frame
        };
        let found = sampled([true, true, true, false], [1.0, 3.0, 2.0, 0.0]);
        let reference = sampled([true, true, false, true], [1.0, 1.0, 0.0, 2.0]);
        let m = measured(&found, &reference);
        assert_eq!((m.pixels, m.components, m.equal, m.coverage_flips), (2, 2, 1, 1));
        let at = m.argmax.unwrap();
        assert_eq!((at.x, at.found_samples), (0, vec!["3f800000".to_string(), "40400000".to_string()]));
        assert_eq!(at.expected_samples, ["3f800000", "3f800000"]);
        assert_eq!(found.sample_bits(0, 1), [Some(u64::from(2f32.to_bits())), None]);
        // The second pixel looks the same, but by other samples.
        let (a, b) = (Snapshot::new(&found), Snapshot::new(&reference));
        let distance = a.distance(&b).unwrap();
        assert_eq!((distance.pixels, distance.differ, distance.flips), (2, 2, 1));
        assert_eq!(crate::report::thin(&found, 2).coverage(0), 0b11);
    }

    #[test]
    fn eight_bit_changes_are_counted_per_pixel() {
        let m = measured(&one_channel(2, &[0.2, 0.25]), &one_exact(2, &[0.2 + 10.0 / 255.0, 0.25 + 1e-9]));
        assert_eq!((m.pixels8_changed, m.max8, m.pixels_changed), (1, 10, 1));
    }

    #[test]
    fn targets_are_compared_by_what_they_hold() {
        let stored = |mut frame: Frame, words: &[u8]| {
            frame.channels[0].stored = Some(Stored { target: Target::Unorm8, words: Plane::U8(words.to_vec()) });
            frame
        };
        let found = stored(one_channel(3, &[0.1, 0.2, f32::NAN]), &[26, 51, 0]);
        let m = measured(&found, &stored(one_exact(3, &[0.1, 0.204, 0.0]), &[26, 52, 0]));
        // One step of 1/255; NaN is a byte like any other.
        assert_eq!((m.equal, m.components, m.measured, m.max_ulp, m.special_mismatch), (2, 3, 3, 1.0, 0));
        assert_eq!((m.pixels8_changed, m.max8), (1, 1));
        let at = m.argmax.unwrap();
        assert_eq!((at.x, at.found, at.found_bits.as_str(), at.expected_bits.as_str()), (1, 0.2, "33", "34"));
    }

    #[test]
    fn nothing_covered_is_no_agreement() {
        let mut frame = one_channel(1, &[1.0]);
        frame.covered[0] = false;
        assert_eq!(measured(&frame, &frame).equal_share(), None);
    }

    #[test]
    fn thread_count_does_not_change_a_bit() {
        let n = 3 * CHUNK + 17;
        let exact: Vec<f64> = (0..n).map(|i| 1.0 / (i as f64 + 3.0)).collect();
        let rough: Vec<f32> = exact.iter().map(|v| (*v as f32) * 1.0001).collect();
        let (a, b) = (one_channel(n as u32, &rough), one_exact(n as u32, &exact));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| measured(&a, &b))
        };
        assert_eq!(run(1), run(3));
    }
}
