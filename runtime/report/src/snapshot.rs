//! What is kept of a frame so that it can be compared with any other.

use crate::comparison::{thin, thin_from, thinning};
use crate::frame::FrameRead;
use parallax::Frame;
use parallax_core::OutputRole;
use parallax_core::exec::Plane;
use parallax_num::Processor;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Largest width or height that is compared whole; of larger frames every nth pixel is.
pub const SNAPSHOT_LIMIT: u32 = 1024;

/// A frame, pixel by pixel: what the outputs hold, and what a screen of 8 bits shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    width: u32,
    height: u32,
    /// 64 bits over all output words of a pixel, in their declared formats; 0 where it is not covered.
    words: Vec<u64>,
    /// Covered samples of each pixel.
    coverage: Vec<u32>,
    /// Red, green, blue, alpha.
    shown: Vec<[u8; 4]>,
}

/// How two frames differ.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distance {
    /// Pixels covered in either.
    pub pixels: u64,
    /// Those whose output words or coverage differ.
    pub differ: u64,
    /// Those covered in both at the same samples whose 8-bit colour differs.
    pub differ8: u64,
    /// Largest difference of an 8-bit component.
    pub max8: u8,
    /// Pixels that only one covers, or that they cover at different samples.
    pub flips: u64,
}

impl Snapshot {
    /// Of a frame. Watched registers are left out.
    pub fn new(frame: &Frame) -> Snapshot {
        match thinning(frame.width, frame.height, SNAPSHOT_LIMIT) {
            1 => Snapshot::whole(&FrameRead::new(frame)),
            every => Snapshot::whole(&FrameRead::new(&thin(frame, every))),
        }
    }

    /// Of a frame that is read already.
    pub(crate) fn of(read: &FrameRead<'_>) -> Snapshot {
        match thinning(read.frame.width, read.frame.height, SNAPSHOT_LIMIT) {
            1 => Snapshot::whole(read),
            _ => Snapshot::new(read.frame),
        }
    }

    /// Of no rows of a frame of such a width, as the first of its strips.
    pub(crate) fn empty(width: u32, height: u32) -> Snapshot {
        let width = width.div_ceil(thinning(width, height, SNAPSHOT_LIMIT));
        Snapshot { width, height: 0, words: Vec::new(), coverage: Vec::new(), shown: Vec::new() }
    }

    /// Adds the next strip of a frame of `height` rows; it begins in row `top`.
    pub(crate) fn add(&mut self, read: &FrameRead<'_>, top: u32, height: u32) {
        let frame = read.frame;
        let below = match thinning(frame.width, height, SNAPSHOT_LIMIT) {
            1 => Snapshot::whole(read),
            every => Snapshot::whole(&FrameRead::part(&thin_from(frame, every, top))),
        };
        self.height += below.height;
        self.words.extend(below.words);
        self.coverage.extend(below.coverage);
        self.shown.extend(below.shown);
    }

    fn whole(read: &FrameRead<'_>) -> Snapshot {
        let frame = read.frame;
        // By what they stand for: two programs may name and order their outputs differently.
        let mut channels: Vec<_> = read.channels.iter().collect();
        parallax_text::sort_by_key(&mut channels, |c| (place(c.role), c.comp));
        // FNV-1a, a word at a time; no covered pixel gives 0.
        let mut words: Vec<u64> = frame.covered.iter().map(|c| if *c { 0xcbf2_9ce4_8422_2325 } else { 0 }).collect();
        for channel in channels {
            match &channel.bits {
                Plane::U8(bits) => mix(&mut words, bits),
                Plane::U16(bits) => mix(&mut words, bits),
                Plane::U32(bits) => mix(&mut words, bits),
                Plane::U64(bits) => mix(&mut words, bits),
            }
        }
        let coverage = match &frame.samples {
            None => frame.covered.iter().map(|&covered| u32::from(covered)).collect(),
            Some(_) => (0..frame.pixels()).map(|pixel| frame.coverage(pixel)).collect(),
        };
        Snapshot { width: frame.width, height: frame.height, words, coverage, shown: read.shown().to_vec() }
    }

    /// How it differs from another; `None` for another size.
    pub fn distance(&self, other: &Snapshot) -> Option<Distance> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let mut out = Distance::default();
        for at in (0..self.words.len()).step_by(PART) {
            let range = at..(at + PART).min(self.words.len());
            out.add(&Processor::best().run(
                #[inline(always)]
                || part(self, other, range),
            ));
        }
        Some(out)
    }
}

/// Mixes the words of an output into those of covered pixels.
fn mix<T: Copy + Into<u64>>(words: &mut [u64], bits: &[T]) {
    Processor::best().run(
        #[inline(always)]
        || {
            for (word, &bits) in words.iter_mut().zip(bits) {
                let mixed = ((*word ^ bits.into()).wrapping_mul(0x0000_0100_0000_01b3)).max(1);
                *word = if *word == 0 { 0 } else { mixed };
            }
        },
    );
}

/// Pixels that are compared in one go: few enough to be counted in 32 bits.
const PART: usize = 1 << 16;

/// How some pixels differ.
#[inline(always)]
fn part(a: &Snapshot, b: &Snapshot, range: Range<usize>) -> Distance {
    let pixels = a.words[range.clone()].iter().zip(&b.words[range.clone()]);
    let coverage = a.coverage[range.clone()].iter().zip(&b.coverage[range.clone()]);
    let shown = a.shown[range.clone()].iter().zip(&b.shown[range]);
    let [mut covered, mut differ, mut flips, mut differ8, mut max8] = [0u32; 5];
    for (((&a, &b), (&c, &d)), (&x, &y)) in pixels.zip(coverage).zip(shown) {
        covered += u32::from(a | b != 0);
        flips += u32::from(c != d);
        differ += u32::from((a != b) | (c != d));
        // What nobody compares is taken for the same.
        let counts = if (a != b) & (c == d) { u32::MAX } else { 0 };
        let (x, y) = (u32::from_le_bytes(x) & counts, u32::from_le_bytes(y) & counts);
        differ8 += u32::from(x != y);
        for byte in 0..4 {
            let of = |pixel: u32| pixel >> (8 * byte) & 0xff;
            max8 = max8.max(of(x).abs_diff(of(y)));
        }
    }
    Distance {
        pixels: covered.into(),
        differ: differ.into(),
        differ8: differ8.into(),
        max8: max8 as u8,
        flips: flips.into(),
    }
}

impl Distance {
    /// Pixels that look different.
    pub fn visible(&self) -> u64 {
        self.differ8 + self.flips
    }

    /// Adds another's counts.
    pub(crate) fn add(&mut self, other: &Distance) {
        self.pixels += other.pixels;
        self.differ += other.differ;
        self.differ8 += other.differ8;
        self.max8 = self.max8.max(other.max8);
        self.flips += other.flips;
    }
}

/// Order of outputs.
fn place(role: OutputRole) -> (u8, u16) {
    match role {
        OutputRole::Color(n) => (0, n),
        OutputRole::Depth => (1, 0),
        OutputRole::SampleDepth(n) => (1, n),
        OutputRole::SampleMask => (2, 0),
        OutputRole::Stencil => (3, 0),
        OutputRole::Position => (4, 0),
        OutputRole::FrontColor(n) => (5, n),
        OutputRole::Fog => (6, 0),
        OutputRole::TexCoord(n) => (7, n),
        OutputRole::Generic(n) => (8, n),
        OutputRole::PointSize => (9, 0),
        OutputRole::ClipDistance(n) => (10, n),
        OutputRole::FixedFunction(n) => (11, n),
        OutputRole::Watch => (12, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};

    fn distance(a: &Frame, b: &Frame) -> Distance {
        Snapshot::new(a).distance(&Snapshot::new(b)).unwrap()
    }

    #[test]
    fn distances_count_bits_and_what_is_seen() {
        let a = one_channel(4, &[0.5, 0.5, 0.5, 0.5]);
        let mut b = one_channel(4, &[0.5, 0.500_000_1, 0.25, 0.5]);
        b.covered[3] = false;
        assert_eq!(distance(&a, &b), Distance { pixels: 4, differ: 3, differ8: 1, max8: 64, flips: 1 });
        assert_eq!(distance(&a, &a).differ, 0);
        assert_eq!(distance(&a, &b), distance(&b, &a));
    }

    /// A wider container holds the same result if it rounds to it.
    #[test]
    fn results_are_compared_in_their_declared_format() {
        let (rounded, wide) = (one_channel(1, &[0.1]), one_exact(1, &[0.1]));
        assert_eq!(distance(&rounded, &wide).differ, 0);
    }

    #[test]
    fn frames_of_other_sizes_have_no_distance() {
        let (a, b) = (one_channel(1, &[0.1, 0.2]), one_channel(2, &[0.1, 0.2]));
        assert_eq!(Snapshot::new(&a).distance(&Snapshot::new(&b)), None);
    }
}
