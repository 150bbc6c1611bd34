//! What the outputs hold in single pixels: the data behind a page's pixel inspector.

use crate::base64;
use crate::frame::{FrameRead, Read, Scale};
use crate::picture::compressed;
use parallax_num::{Format, ulp};
use serde::{Deserialize, Serialize};

/// How much of each program a report keeps, so that many programs do not make one that nobody can open.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Detail {
    /// Pixels whose words are kept, about.
    pub pixels: usize,
    /// Whether pictures are wanted, and single pixels: only pages show them.
    pub pictures: bool,
    /// Whether errors are measured, for tables and data; else it is counted what differs.
    pub figures: bool,
}

/// Bytes for the words of all programs together, about.
const WORDS: usize = 2_500_000;
/// Bytes that one pixel of one result takes when compressed, about.
const BYTES: usize = 6;

impl Detail {
    /// For so many programs under so many models.
    pub fn of(programs: usize, models: usize) -> Detail {
        let pixels = (WORDS / BYTES / programs.max(1) / models.max(1)).max(16);
        Detail { pixels, pictures: true, figures: true }
    }
}

impl Default for Detail {
    fn default() -> Detail {
        Detail::of(1, 1)
    }
}

/// A component of an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Component {
    /// Such as `OUT[0].x`.
    pub name: String,
    /// What its words mean: `f32`, `f16`, `fixed INT.FRAC` (the sign counted in INT), `byte`, `word`.
    pub form: String,
}

/// Words of one program in some of its pixels, under the reference and every model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pixels {
    /// Width and height of the frame.
    pub size: (u32, u32),
    /// Every such column and row is kept, the first after half of it.
    pub every: u32,
    /// Kept columns and rows.
    pub kept: (u32, u32),
    /// The components, in the order of the data.
    pub components: Vec<Component>,
    /// Row of the report that each result behind the reference belongs to.
    pub results: Vec<usize>,
    /// Each result is kept as what is different, bit by bit, from an earlier one: its number, 0 for the reference.
    pub from: Vec<usize>,
    /// Base64 of a zlib stream behind one byte of no meaning: for the reference and each result a byte per pixel, 1 where it
    /// is covered; then for each component all lowest bytes of the words, the second, third and highest. Behind the
    /// reference's: for each component and pixel, how far the exact value is above the word's, in 1/254 steps, signed.
    pub data: String,
}

/// One result: coverage, and the words of each component.
type Words = (Vec<u8>, Vec<Vec<u32>>);

/// Takes words out of the frames of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    size: (u32, u32),
    every: u32,
    kept: (u32, u32),
    places: Vec<usize>,
    components: Vec<Component>,
    /// The channels of the components.
    channels: Vec<usize>,
    reference: Words,
    rest: Vec<i8>,
    results: Vec<(usize, Words)>,
}

/// What words of a channel mean; `None` for those wider than 32 bits.
fn form(read: &Read<'_>) -> Option<String> {
    Some(match read.scale {
        Scale::Format(Format::F32) => "f32".into(),
        Scale::Format(Format::F16) => "f16".into(),
        Scale::Format(Format::Fixed(f)) => format!("fixed {}.{}", f.int, f.frac),
        Scale::Format(Format::Float(_)) | Scale::Codes(..) => return None,
        Scale::Bytes => "byte".into(),
        Scale::Words => "word".into(),
    })
}

impl Collector {
    pub(crate) fn new(reference: &FrameRead<'_>, detail: Detail) -> Collector {
        let (width, height) = (reference.frame.width, reference.frame.height);
        let all = width as usize * height as usize;
        let mut every = 1;
        while all > detail.pixels * (every as usize).pow(2) && every < width.max(height).max(1) {
            every += 1;
        }
        let along = |length: u32| (every / 2..length).step_by(every as usize);
        let places: Vec<usize> =
            along(height).flat_map(|y| along(width).map(move |x| y as usize * width as usize + x as usize)).collect();
        let found: Vec<(usize, Component)> = (reference.channels.iter().enumerate())
            .filter_map(|(n, read)| Some((n, Component { name: read.name.clone(), form: form(read)? })))
            .collect();
        let (channels, components): (Vec<usize>, Vec<Component>) = found.into_iter().unzip();
        let mut collector = Collector {
            size: (width, height),
            every,
            kept: (along(width).count() as u32, along(height).count() as u32),
            places,
            components,
            channels,
            reference: (Vec::new(), Vec::new()),
            rest: Vec::new(),
            results: Vec::new(),
        };
        collector.reference = collector.take(reference);
        for &channel in &collector.channels {
            let read = &reference.channels[channel];
            collector.rest.extend(collector.places.iter().map(|&at| rest(read, at)));
        }
        collector
    }

    fn take(&self, frame: &FrameRead<'_>) -> Words {
        let covered = self.places.iter().map(|&at| u8::from(frame.frame.covered[at])).collect();
        let words =
            |&channel: &usize| self.places.iter().map(|&at| frame.channels[channel].bits.get(at) as u32).collect();
        (covered, self.channels.iter().map(words).collect())
    }

    /// Adds the result of a row.
    pub(crate) fn add(&mut self, row: usize, frame: &FrameRead<'_>) {
        let words = self.take(frame);
        self.results.push((row, words));
    }

    pub(crate) fn finish(self) -> Option<Pixels> {
        if self.places.is_empty() || self.components.is_empty() {
            return None;
        }
        let sets: Vec<&Words> = std::iter::once(&self.reference).chain(self.results.iter().map(|(_, w)| w)).collect();
        let mut data = Vec::new();
        let mut from = Vec::new();
        for (n, (covered, words)) in sets.iter().enumerate() {
            // What is most like it leaves least to write.
            let alike = |m: &usize| -> usize {
                let pairs = words.iter().flatten().zip(sets[*m].1.iter().flatten());
                pairs.map(|(a, b)| (a ^ b).leading_zeros() as usize).sum()
            };
            let base = (0..n).rev().max_by_key(alike);
            if let Some(base) = base {
                from.push(base);
            }
            data.extend(covered);
            for (c, list) in words.iter().enumerate() {
                for byte in 0..4 {
                    let before = |at: usize| base.map_or(0, |base| sets[base].1[c][at]);
                    data.extend(list.iter().enumerate().map(|(at, word)| ((word ^ before(at)) >> (8 * byte)) as u8));
                }
            }
            if n == 0 {
                data.extend(self.rest.iter().map(|r| *r as u8));
            }
        }
        Some(Pixels {
            size: self.size,
            every: self.every,
            kept: self.kept,
            components: self.components,
            results: self.results.iter().map(|(row, _)| *row).collect(),
            from,
            data: base64::encode(&compressed(&data)),
        })
    }
}

/// How far a channel's exact value is above that of its word, in 1/254 steps.
fn rest(read: &Read<'_>, at: usize) -> i8 {
    let Scale::Format(format) = read.scale else { return 0 };
    let (exact, word) = (read.values[at], ulp::to_f64(read.bits.get(at), format.storage()));
    let away = (exact - word) / ulp::step(exact, format) * 254.0;
    // Special values have no distance; a cast of NaN gives 0.
    if away.is_finite() { away.round().clamp(-127.0, 127.0) as i8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};

    #[test]
    fn few_programs_keep_every_pixel_and_many_a_grid() {
        let values: Vec<f32> = (0..128 * 128).map(|n| n as f32).collect();
        let frame = one_channel(128, &values);
        let read = FrameRead::new(&frame);
        let kept = |programs| Collector::new(&read, Detail::of(programs, 12)).finish().map(|p| (p.every, p.kept));
        assert_eq!(kept(1), Some((1, (128, 128))));
        assert_eq!(kept(115), Some((8, (16, 16))));
        assert_eq!(kept(1_000_000), Some((32, (4, 4))));
    }

    #[test]
    fn words_are_kept_with_what_the_reference_has_beyond() {
        let step = f64::from(f32::EPSILON);
        let reference = one_exact(2, &[1.0, 1.0 + step / 4.0]);
        let found = one_channel(2, &[1.0, 1.5]);
        let mut collector = Collector::new(&FrameRead::new(&reference), Detail::default());
        collector.add(0, &FrameRead::new(&found));
        assert_eq!(collector.reference.1, [[0x3f80_0000, 0x3f80_0000]]);
        // A quarter of a step.
        assert_eq!(collector.rest, [0, 64]);
        assert_eq!(collector.results[0].1, (vec![1, 1], vec![vec![0x3f80_0000, 0x3fc0_0000]]));
        let pixels = collector.finish().unwrap();
        assert_eq!((pixels.results, pixels.from, pixels.components[0].form.as_str()), (vec![0], vec![0], "f32"));
    }
}
