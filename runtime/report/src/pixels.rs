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
pub(crate) type Words = (Vec<u8>, Vec<Vec<u32>>);

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
    /// By component.
    rest: Vec<Vec<i8>>,
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
    /// For a frame of this size with the channels of a part of it.
    pub(crate) fn new(reference: &FrameRead<'_>, size: (u32, u32), detail: Detail) -> Collector {
        let (width, height) = size;
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
        let (nothing, nothing_left) = (vec![Vec::new(); components.len()], vec![Vec::new(); components.len()]);
        Collector {
            size,
            every,
            kept: (along(width).count() as u32, along(height).count() as u32),
            places,
            components,
            channels,
            reference: (Vec::new(), nothing),
            rest: nothing_left,
            results: Vec::new(),
        }
    }

    /// Nothing of a result yet.
    pub(crate) fn nothing(&self) -> Words {
        (Vec::new(), vec![Vec::new(); self.channels.len()])
    }

    /// Takes words out of the next strip of a result, which begins in row `top`.
    pub(crate) fn take(&self, frame: &FrameRead<'_>, top: u32, into: &mut Words) {
        let places = self.places_in(frame, top);
        into.0.extend(places.clone().map(|at| u8::from(frame.frame.covered[at])));
        for (&channel, words) in self.channels.iter().zip(&mut into.1) {
            words.extend(places.clone().map(|at| frame.channels[channel].bits.get(at) as u32));
        }
    }

    /// Takes the next strip of the reference.
    pub(crate) fn take_reference(&mut self, frame: &FrameRead<'_>, top: u32) {
        let mut words = std::mem::take(&mut self.reference);
        self.take(frame, top, &mut words);
        self.reference = words;
        let mut rest = std::mem::take(&mut self.rest);
        for (&channel, rest) in self.channels.iter().zip(&mut rest) {
            let read = &frame.channels[channel];
            rest.extend(self.places_in(frame, top).map(|at| rest_of(read, at)));
        }
        self.rest = rest;
    }

    /// Kept places in a strip that begins in row `top`, as places in it.
    fn places_in<'p>(&'p self, frame: &FrameRead<'_>, top: u32) -> impl Iterator<Item = usize> + Clone + 'p {
        let before = top as usize * self.size.0 as usize;
        let all = before..before + frame.frame.pixels();
        let first = self.places.partition_point(|place| *place < all.start);
        let end = self.places.partition_point(|place| *place < all.end);
        self.places[first..end].iter().map(move |place| place - before)
    }

    /// Adds the result of a row.
    pub(crate) fn add(&mut self, row: usize, words: Words) {
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
                data.extend(self.rest.iter().flatten().map(|r| *r as u8));
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
fn rest_of(read: &Read<'_>, at: usize) -> i8 {
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

    fn collected(reference: &FrameRead<'_>, detail: Detail) -> Collector {
        let mut collector = Collector::new(reference, (reference.frame.width, reference.frame.height), detail);
        collector.take_reference(reference, 0);
        collector
    }

    #[test]
    fn few_programs_keep_every_pixel_and_many_a_grid() {
        let values: Vec<f32> = (0..128 * 128).map(|n| n as f32).collect();
        let frame = one_channel(128, &values);
        let read = FrameRead::new(&frame);
        let kept = |programs| collected(&read, Detail::of(programs, 12)).finish().map(|p| (p.every, p.kept));
        assert_eq!(kept(1), Some((1, (128, 128))));
        assert_eq!(kept(115), Some((8, (16, 16))));
        assert_eq!(kept(1_000_000), Some((32, (4, 4))));
    }

    #[test]
    fn words_are_kept_with_what_the_reference_has_beyond() {
        let step = f64::from(f32::EPSILON);
        let reference = one_exact(2, &[1.0, 1.0 + step / 4.0]);
        let found = one_channel(2, &[1.0, 1.5]);
        let mut collector = collected(&FrameRead::new(&reference), Detail::default());
        let mut words = collector.nothing();
        collector.take(&FrameRead::new(&found), 0, &mut words);
        collector.add(0, words);
        assert_eq!(collector.reference.1, [[0x3f80_0000, 0x3f80_0000]]);
        // A quarter of a step.
        assert_eq!(collector.rest, [[0, 64]]);
        assert_eq!(collector.results[0].1, (vec![1, 1], vec![vec![0x3f80_0000, 0x3fc0_0000]]));
        let pixels = collector.finish().unwrap();
        assert_eq!((pixels.results, pixels.from, pixels.components[0].form.as_str()), (vec![0], vec![0], "f32"));
    }
}
