//! From what fragments leave to the buffers that are drawn to.

use super::buffer::{Buffer, channel};
use super::format::{Scalar, Segment};
use parallax::{Channel, Frame, OutputRole};

/// Writes what fragments of some pixels left in a location to a level of a buffer.
pub(super) fn store(frame: &Frame, location: u16, passed: &[bool], buffer: &mut Buffer, level: u32) {
    let (first, size) = (buffer.level(level).start, buffer.format.size);
    for segment in buffer.format.segments.clone() {
        let Some(place) = channel(segment.component) else { continue };
        let wanted = |found: &Channel| (found.role, found.comp) == (OutputRole::Color(location), place as u8);
        let Some(number) = frame.channels.iter().position(wanted) else { continue };
        let found = &frame.channels[number];
        match &frame.samples {
            None => {
                let bits = stored(found, segment);
                for pixel in (0..frame.pixels()).filter(|&pixel| passed[pixel]) {
                    buffer.write(first + pixel * size, segment, bits[pixel]);
                }
            }
            Some(samples) => {
                let bits = stored(&Channel { words: samples.words[number].clone(), ..found.clone() }, segment);
                let count = frame.sample_count();
                // One sample of all texels after the other.
                for at in (0..bits.len()).filter(|&at| samples.covered[at] && passed[at / count]) {
                    let element = at % count * frame.pixels() + at / count;
                    buffer.write(first + element * size, segment, bits[at]);
                }
            }
        }
    }
}

/// The bits of a component for everything in a channel.
fn stored(channel: &Channel, segment: Segment) -> Vec<u64> {
    let words = channel.declared_bits().to_words();
    match segment.scalar {
        Scalar::Int(bits) | Scalar::Uint(bits) => words.iter().map(|word| word & (u64::MAX >> (64 - bits))).collect(),
        Scalar::Float(32) => words,
        scalar => channel.values().iter().map(|value| scalar.stored(segment.component, *value)).collect(),
    }
}

/// The mean of the samples of each texel; of integers, the first sample.
pub(super) fn resolve(from: &Buffer, to: &mut Buffer) {
    let (count, size) = (from.samples.max(1) as usize, from.format.size);
    let texels = from.elements() / count;
    for segment in from.format.segments.clone() {
        for texel in 0..texels {
            let bits = |sample: usize| from.read((sample * texels + texel) * size, segment).unwrap_or(0);
            let mean = match segment.scalar {
                Scalar::Int(_) | Scalar::Uint(_) => bits(0),
                scalar => {
                    let sum: f64 = (0..count).map(|n| scalar.normalised(segment.component, bits(n))).sum();
                    scalar.stored(segment.component, sum / count as f64)
                }
            };
            to.write(texel * size, segment, mean);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;

    #[test]
    fn samples_resolve_to_their_mean() {
        let mut from = Buffer::new(Format::named("R8G8_UNORM", false).unwrap(), 0);
        let mut to = from.clone();
        from.samples = 2;
        from.resize([2, 1, 1]);
        to.resize([2, 1, 1]);
        from.fill(&["10", "20", "30", "40", "20", "60", "30", "50"]).unwrap();
        resolve(&from, &mut to);
        assert_eq!(to.bytes, [15, 40, 30, 45]);
    }
}
