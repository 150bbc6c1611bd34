//! Raster samples: how many a pixel has, where they are, how often the shader runs, and where attributes are evaluated.

use crate::problem::invalid;
use crate::reads::Reads;
use parallax_core::exec::standard_positions;
use parallax_core::{AttrDecl, Interp, Location};
use parallax_text::Diag;

/// Sample counts a draw can have.
pub const SAMPLE_COUNTS: [u32; 5] = [1, 2, 4, 8, 16];

/// Samples of every pixel of a draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Samples {
    /// Where they are: to the right of and below the pixel centre in 1/16 pixel, -8 to 7, by sample number.
    pub positions: Vec<[i8; 2]>,
    /// Whether the shader runs for every sample, with all its attributes evaluated at the sample (true), or for every pixel
    /// whatever it asks for (false). `None`: for every sample where it asks for that, by reading the sample number or an
    /// attribute at the sample; its attributes are evaluated where they are declared.
    pub per_sample: Option<bool>,
}

impl Default for Samples {
    /// One sample at the pixel centre.
    fn default() -> Self {
        Samples { positions: vec![[0; 2]], per_sample: None }
    }
}

impl Samples {
    /// The standard pattern of a count; `None` for counts a draw cannot have.
    pub fn standard(count: u32) -> Option<Samples> {
        let positions = standard_positions(count)?.to_vec();
        Some(Samples { positions, per_sample: None })
    }

    /// Samples per pixel.
    pub fn count(&self) -> u32 {
        self.positions.len() as u32
    }

    /// What makes these samples impossible.
    pub(crate) fn check(&self) -> Option<Diag> {
        let count = self.positions.len();
        if !SAMPLE_COUNTS.iter().any(|&known| known as usize == count) {
            return Some(invalid("draw-samples", format!("{count} samples: a pixel must have 1, 2, 4, 8 or 16")));
        }
        let outside = self.positions.iter().find(|p| p.iter().any(|step| !(-8..8).contains(step)))?;
        let message = format!("a sample at {outside:?} is outside its pixel: positions go from -8 to 7");
        Some(invalid("draw-samples", message))
    }
}

/// Pixels from the edge of a pixel, from sixteenths from its centre.
pub(crate) fn offset(step: i8) -> f32 {
    0.5 + f32::from(step) / 16.0
}

/// How a shader runs over the samples of a draw.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    /// Samples as the draw gives them.
    pub(crate) positions: Vec<[i8; 2]>,
    /// Whether a lane is a sample; else it is a pixel.
    pub(crate) per_sample: bool,
    /// Where each attribute component is evaluated, in the order of [`Reads::attrs`].
    pub(crate) locations: Vec<Location>,
    /// Places inside the pixel at which attributes are evaluated, in pixels from its upper left corner: the centre, and, if
    /// need be, the samples behind it.
    pub(crate) offsets: Vec<[f32; 2]>,
}

impl Sampling {
    pub(crate) fn new(samples: &Samples, attrs: &[AttrDecl], reads: &Reads) -> Sampling {
        let positions = samples.positions.clone();
        // A single sample at the centre makes all places one.
        let plain = positions == [[0; 2]];
        let per_sample = !plain && samples.per_sample.unwrap_or(reads.asks_for_samples);
        let everywhere = samples.per_sample == Some(true);
        let locations = reads.attrs.iter().map(|&plane| {
            let attr = &attrs[plane / 4];
            match attr.location {
                _ if plain || attr.interp == Interp::Flat => Location::Center,
                _ if per_sample && everywhere => Location::Sample,
                Location::Sample if !per_sample => Location::Center,
                declared => declared,
            }
        });
        let locations: Vec<Location> = locations.collect();
        let mut offsets = vec![[0.5; 2]];
        if locations.iter().any(|&location| location != Location::Center) {
            offsets.extend(positions.iter().map(|position| position.map(offset)));
        }
        Sampling { positions, per_sample, locations, offsets }
    }

    pub(crate) fn count(&self) -> usize {
        self.positions.len()
    }

    /// The mask of a pixel all of whose samples are covered.
    pub(crate) fn all(&self) -> u32 {
        u32::MAX >> (32 - self.positions.len())
    }

    /// Which samples a lane for this sample shades, of those in its pixel's mask.
    pub(crate) fn shaded(&self, mask: u32, sample: u32) -> u32 {
        if self.per_sample { mask & 1 << sample } else { mask }
    }

    /// What is left of the samples a lane shades when these are discarded, as lanes count them.
    pub(crate) fn left(&self, shaded: u32, discarded: u32) -> u32 {
        match (self.per_sample, discarded & 1) {
            (false, _) => shaded & !discarded,
            (true, 0) => shaded,
            (true, _) => 0,
        }
    }

    /// The sample that is the centroid of a pixel with this mask; `None` for the centre. A pixel that is partly covered has
    /// the lowest of its covered samples.
    pub(crate) fn centroid(&self, mask: u32) -> Option<u32> {
        (mask != 0 && mask != self.all()).then(|| mask.trailing_zeros())
    }

    /// Where a sample is, from the upper left corner of its pixel; the centre for a sample that the pixel does not have.
    pub(crate) fn offset_of_sample(&self, sample: u32) -> [f32; 2] {
        self.positions.get(sample as usize).map_or([0.5; 2], |position| position.map(offset))
    }

    /// Number in `offsets` of the place of a location, for a lane that shades `sample` of a pixel with this mask.
    pub(crate) fn offset_of(&self, location: Location, mask: u32, sample: u32) -> usize {
        match location {
            Location::Center => 0,
            Location::Centroid => self.centroid(mask).map_or(0, |sample| 1 + sample as usize),
            Location::Sample => 1 + sample as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_centroid_is_the_centre_or_the_first_covered_sample() {
        let sampling = |count| Sampling::new(&Samples::standard(count).unwrap(), &[], &Reads::default());
        let four = sampling(4);
        assert_eq!(
            [0, 1, 0b1010, 0b1100, 0xf].map(|mask| four.centroid(mask)),
            [None, Some(0), Some(1), Some(2), None]
        );
        assert_eq!(
            (sampling(1).centroid(1), sampling(16).centroid(0x8000), sampling(16).all()),
            (None, Some(15), 0xffff)
        );
    }

    #[test]
    fn samples_have_known_counts_and_lie_in_their_pixel() {
        for count in 0..20 {
            let samples = Samples { positions: vec![[0; 2]; count], per_sample: None };
            assert_eq!(samples.check().is_none(), SAMPLE_COUNTS.contains(&(count as u32)), "{count}");
            assert_eq!(Samples::standard(count as u32).is_some(), SAMPLE_COUNTS.contains(&(count as u32)));
        }
        for (step, fits) in [(-9, false), (-8, true), (7, true), (8, false)] {
            let samples = Samples { positions: vec![[0, 0], [0, step]], per_sample: None };
            assert_eq!(samples.check().is_none(), fits, "{step}");
        }
    }
}
