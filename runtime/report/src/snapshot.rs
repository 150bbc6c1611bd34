//! What is kept of a frame so that it can be compared with any other.

use crate::frame::FrameRead;
use crate::picture::rgba8;
use crate::report::{thin, thinning};
use parallax::Frame;
use parallax_core::OutputRole;
use serde::{Deserialize, Serialize};

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
        let frame = thin(frame, thinning(frame.width, frame.height, SNAPSHOT_LIMIT));
        let read = FrameRead::new(&frame);
        // By what they stand for: two programs may name and order their outputs differently.
        let mut channels: Vec<_> = read.channels.iter().collect();
        channels.sort_by_key(|c| (place(c.role), c.comp));
        // FNV-1a, a word at a time; no covered pixel gives 0.
        let mut words: Vec<u64> = frame.covered.iter().map(|c| if *c { 0xcbf2_9ce4_8422_2325 } else { 0 }).collect();
        for channel in channels {
            for (pixel, word) in words.iter_mut().enumerate().filter(|(_, word)| **word != 0) {
                *word = ((*word ^ channel.bits.get(pixel)).wrapping_mul(0x0000_0100_0000_01b3)).max(1);
            }
        }
        let shown = rgba8(&read).chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect();
        let coverage = (0..frame.pixels()).map(|pixel| frame.coverage(pixel)).collect();
        Snapshot { width: frame.width, height: frame.height, words, coverage, shown }
    }

    /// How it differs from another; `None` for another size.
    pub fn distance(&self, other: &Snapshot) -> Option<Distance> {
        if (self.width, self.height) != (other.width, other.height) {
            return None;
        }
        let mut out = Distance::default();
        for (at, (&a, &b)) in self.words.iter().zip(&other.words).enumerate() {
            out.pixels += u64::from(a != 0 || b != 0);
            let flips = self.coverage[at] != other.coverage[at];
            out.differ += u64::from(a != b || flips);
            out.flips += u64::from(flips);
            if a != b && !flips {
                let steps = self.shown[at].iter().zip(&other.shown[at]).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                out.differ8 += u64::from(steps > 0);
                out.max8 = out.max8.max(steps);
            }
        }
        Some(out)
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
        OutputRole::FixedFunction(n) => (9, n),
        OutputRole::Watch => (10, 0),
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
