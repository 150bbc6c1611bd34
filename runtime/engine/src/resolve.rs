//! Resolving: from the samples of a pixel to the one word a picture has.
//!
//! Colours are averaged over all samples of the pixel, each with the same weight (a box filter); samples that are not covered
//! count with the zeros they hold. The sum is exact and rounded once, to nearest even, in the container of the words or in
//! the render target. Whatever is no colour cannot be averaged: a pixel has what the lowest of its covered samples holds.

use crate::frame::Channel;
use crate::render_target::{Code, Target};
use parallax_core::exec::Plane;
use parallax_core::num::{FixedFunctions, Storage, mean};
use parallax_core::{OutputRole, Type};
use parallax_texture::srgb_number;

/// How the samples of a pixel become its word.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Resolve {
    /// The mean of words in a container.
    Mean(Storage),
    /// The mean of codes of numbers from 0 to 1, in integers.
    MeanOfCodes,
    /// The mean of what codes stand for, in binary64; that of sRGB is of light.
    MeanOfNumbers(Code),
    /// The word of the first covered sample, 0 without any.
    First,
}

impl Resolve {
    /// For what the shader leaves in a channel.
    pub(crate) fn channel(channel: &Channel) -> Resolve {
        match (channel.role, channel.ty) {
            // Integers in a colour output are binary32 patterns.
            (OutputRole::Color(_), Type::Float(_) | Type::I32) => {
                Resolve::Mean(channel.storage.unwrap_or(Storage::F32))
            }
            _ => Resolve::First,
        }
    }

    /// For what a render target holds.
    pub(crate) fn target(target: Target, comp: u8) -> Resolve {
        match (target.storage(), target.code(comp)) {
            _ if !target.is_of_colors() => Resolve::First,
            (Some(storage), _) => Resolve::Mean(storage),
            (None, Code::Unorm(_) | Code::One) => Resolve::MeanOfCodes,
            (None, code) => Resolve::MeanOfNumbers(code),
        }
    }

    /// The word of a pixel from those of its samples.
    fn pixel(self, samples: &[u64], covered: &[bool]) -> u64 {
        match self {
            Resolve::Mean(storage) => mean(storage, samples),
            Resolve::MeanOfCodes => {
                let (sum, count) = (samples.iter().sum::<u64>(), samples.len() as u64);
                let (whole, rest) = (sum / count, 2 * (sum % count));
                whole + u64::from(rest > count || rest == count && whole & 1 == 1)
            }
            Resolve::MeanOfNumbers(code) => {
                let number = |word: &u64| match code {
                    Code::Srgb => f64::from(srgb_number(*word as u8)),
                    _ => code.decode(*word),
                };
                let mean = samples.iter().map(number).sum::<f64>() / samples.len() as f64;
                code.encode(mean, mean, &FixedFunctions::IEEE.target)
            }
            Resolve::First => samples.iter().zip(covered).find(|(_, covered)| **covered).map_or(0, |(word, _)| *word),
        }
    }

    /// The words of pixels with `count` samples each. Words take `bits`.
    pub(crate) fn run(self, samples: &Plane, covered: &[bool], count: usize, bits: u32) -> Plane {
        let mut out = Vec::with_capacity(covered.len() / count);
        let mut words = vec![0; count];
        for (pixel, covered) in covered.chunks_exact(count).enumerate() {
            // Uncovered samples hold zeros.
            let any = covered.contains(&true);
            out.push(if any {
                words.iter_mut().enumerate().for_each(|(sample, word)| *word = samples.get(pixel * count + sample));
                self.pixel(&words, covered)
            } else {
                0
            });
        }
        Plane::from_words(bits, &out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_averaged_to_nearest_even() {
        let mean = |bytes: &[u64]| Resolve::MeanOfCodes.pixel(bytes, &[]);
        assert_eq!((mean(&[0, 1]), mean(&[1, 2]), mean(&[255, 255]), mean(&[0, 255])), (0, 2, 255, 128));
        assert_eq!((mean(&[1, 0, 0, 0]), mean(&[1, 1, 0, 0]), mean(&[1, 1, 1, 0])), (0, 0, 1));
        for a in 0..=255u64 {
            for b in 0..=255u64 {
                let want = ((a + b) as f64 / 2.0).round_ties_even() as u64;
                assert_eq!(mean(&[a, b]), want);
                assert_eq!(mean(&[a, b, a, b]), want);
            }
        }
    }

    #[test]
    fn pixels_are_resolved_one_by_one() {
        let samples = Plane::from_words(32, &[1f32, 2.0, 3.0, 0.0, 0.0, 0.0].map(|v| u64::from(v.to_bits())));
        let covered = [true, true, true, false, false, false];
        let halves = |resolve: Resolve| resolve.run(&samples, &covered, 2, 32).to_words();
        assert_eq!(halves(Resolve::Mean(Storage::F32)), [1.5f32, 1.5, 0.0].map(|v| u64::from(v.to_bits())));
        let covered = [false, true, true, false, false, false];
        let first = Resolve::First.run(&samples, &covered, 2, 32).to_words();
        assert_eq!(first, [2f32, 3.0, 0.0].map(|v| u64::from(v.to_bits())));
    }
}
