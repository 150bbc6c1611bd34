//! Frames read for measuring and drawing.

use crate::value::{binade, power};
use parallax::{Channel, Frame, Stored, Target, unorm8};
use parallax_core::exec::Plane;
use parallax_core::{OutputRole, Type};
use parallax_num::{Decl, Format, Processor, Storage, ulp};
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::OnceLock;

/// The declared float format of a channel; `None` for integers, predicates and condition codes, which are equal or not.
/// Integer words sent to a colour, depth, position or varying output are what the next stage takes for binary32.
pub(crate) fn read_as(channel: &Channel) -> Option<Decl> {
    let passed_on = !matches!(channel.role, OutputRole::Watch | OutputRole::SampleMask | OutputRole::Stencil);
    match channel.ty {
        Type::Float(decl) => Some(decl),
        Type::I32 if passed_on => Some(Decl::F32),
        _ => None,
    }
}

/// What distances between two words are counted in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Steps of a format at the reference's value.
    Format(Format),
    /// Steps of a target of bytes.
    Bytes,
    /// Steps of the component of another target.
    Codes(Target, u8),
    /// Words are equal or not, without distance.
    Words,
}

/// A channel read: the bits the program believes in, and the exact values in the container; or, where the draw names a
/// render target, what that holds.
#[derive(Clone, Debug)]
pub(crate) struct Read<'a> {
    pub(crate) name: String,
    pub(crate) role: OutputRole,
    pub(crate) comp: u8,
    pub(crate) scale: Scale,
    /// Number of the channel in the frame.
    number: usize,
    /// Container of `words`, unless they are bytes.
    storage: Storage,
    /// Words in the container.
    words: &'a Plane,
    /// Patterns of the declared format, or the target's words.
    pub(crate) bits: Plane,
    /// Exact values.
    pub(crate) values: Vec<f64>,
    /// Magnitudes below this are near zero: 2^-10 of the power of two at or below the largest finite magnitude that the
    /// output has in a covered pixel. 0 where steps do not shrink with the value.
    pub(crate) floor: f64,
    /// What a screen of 8 bits shows, once somebody asked.
    bytes: OnceLock<Vec<u8>>,
}

/// Binary exponent of the floor below which an output's values are near zero, relative to its scale.
const FLOOR: i32 = -10;

impl<'a> Read<'a> {
    fn new((number, channel): (usize, &'a Channel)) -> Read<'a> {
        let (name, role, comp) = (channel.name(), channel.role, channel.comp & 3);
        if let Some(stored) = &channel.stored {
            let scale = match stored.target {
                Target::Fp32 => Scale::Format(Format::F32),
                Target::Fp16 => Scale::Format(Format::F16),
                Target::Unorm8 | Target::Srgb8 => Scale::Bytes,
                target => Scale::Codes(target, stored.comp),
            };
            let Stored { target, words, .. } = stored;
            let (bits, values) = (words.clone(), stored.values());
            return Read {
                name,
                role,
                comp,
                scale,
                number,
                storage: target.storage().unwrap_or(Storage::F32),
                words,
                bits,
                values,
                floor: 0.0,
                bytes: OnceLock::new(),
            };
        }
        Read {
            name,
            role,
            comp,
            scale: read_as(channel).map_or(Scale::Words, |decl| Scale::Format(decl.format())),
            number,
            storage: channel.storage.unwrap_or(Storage::F32),
            words: &channel.words,
            bits: channel.declared_bits(),
            values: channel.values(),
            floor: 0.0,
            bytes: OnceLock::new(),
        }
    }

    /// The largest finite magnitude in a covered pixel, of what the declared format holds.
    fn largest(&self, covered: &[bool]) -> f64 {
        let Scale::Format(format) = self.scale else { return 0.0 };
        let held = self.held(format);
        // Magnitudes are ordered as their patterns are.
        let most = Processor::best().run(
            #[inline(always)]
            || {
                let magnitude = |(value, covered): (&f64, &bool)| {
                    let bits = value.abs().to_bits();
                    if *covered && bits < f64::INFINITY.to_bits() { bits } else { 0 }
                };
                held.iter().zip(covered).map(magnitude).fold(0, u64::max)
            },
        );
        f64::from_bits(most)
    }

    /// What the declared format holds, as numbers.
    fn held(&self, format: Format) -> Cow<'_, [f64]> {
        if self.storage == format.storage() {
            return Cow::Borrowed(&self.values);
        }
        Cow::Owned(match (&self.bits, format.storage()) {
            (Plane::U32(words), Storage::F32) => words.iter().map(|&word| f64::from(f32::from_bits(word))).collect(),
            (words, storage) => (0..words.len()).map(|at| ulp::to_f64(words.get(at), storage)).collect(),
        })
    }

    /// Significant bits of the format at normal numbers; `None` for words without distance.
    pub(crate) fn precision(&self) -> Option<u32> {
        match self.scale {
            Scale::Format(Format::Float(f)) => Some(f.precision()),
            Scale::Format(Format::Fixed(f)) => Some(u32::from(f.int) + u32::from(f.frac)),
            Scale::Bytes => Some(8),
            Scale::Codes(target, comp) => Some(target.bits(comp)),
            Scale::Words => None,
        }
    }

    /// Signed error of a pixel against the reference's, in steps; `None` where a special value has no distance. Words that
    /// are no floats are equal or not: 0 for them.
    pub(crate) fn error(&self, reference: &Read<'_>, pixel: usize) -> Option<f64> {
        match self.scale {
            Scale::Format(format) => ulp::error(self.words.get(pixel), self.storage, reference.values[pixel], format),
            Scale::Bytes => Some(self.words.get(pixel) as f64 - reference.words.get(pixel) as f64),
            Scale::Codes(target, comp) => target.steps(comp, self.words.get(pixel), reference.words.get(pixel)),
            Scale::Words => Some(0.0),
        }
    }

    /// The pixels as a screen of 8 bits shows them.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.get_or_init(|| match self.scale {
            Scale::Bytes => match self.words {
                Plane::U8(words) => words.clone(),
                words => (0..words.len()).map(|at| words.get(at) as u8).collect(),
            },
            Scale::Format(Format::F64) => self.held(Format::F64).iter().map(|&value| unorm8(value)).collect(),
            // What the declared format holds, not what the container has beyond it.
            Scale::Format(format) => short_unorm8(&self.held(format)),
            // Of few bits, but quotients by 2^n - 1.
            Scale::Codes(..) => self.values.iter().map(|&value| unorm8(value)).collect(),
            Scale::Words => short_unorm8(&self.values),
        })
    }

    /// The bits of a pixel as a binary32 number; NaN bits survive where the format is binary32.
    pub(crate) fn single(&self, pixel: usize) -> f32 {
        match self.scale {
            Scale::Format(Format::F32) => f32::from_bits(self.bits.get(pixel) as u32),
            Scale::Format(format) => ulp::to_f64(self.bits.get(pixel), format.storage()) as f32,
            // 53 bits are enough for the second rounding of n/255 to change nothing.
            Scale::Bytes | Scale::Codes(..) => self.values[pixel] as f32,
            Scale::Words => self.bits.get(pixel) as f32,
        }
    }

    /// The bits of a pixel, hexadecimal.
    pub(crate) fn hex(&self, pixel: usize) -> String {
        self.hex_of(self.bits.get(pixel))
    }

    fn hex_of(&self, bits: u64) -> String {
        match self.scale {
            Scale::Format(format) => ulp::hex(bits, format.storage()),
            Scale::Bytes => Target::Unorm8.hex(0, bits),
            Scale::Codes(target, comp) => target.hex(comp, bits),
            Scale::Words => ulp::hex(bits, Storage::F32),
        }
    }

    /// The bits of the samples of a pixel, hexadecimal, `-` for those that are not covered; nothing where it has one sample.
    pub(crate) fn samples(&self, frame: &Frame, pixel: usize) -> Vec<String> {
        let stored = frame.stored_samples(self.number, pixel);
        let samples = if stored.is_empty() { frame.sample_bits(self.number, pixel) } else { stored };
        samples.into_iter().map(|bits| bits.map_or("-".into(), |bits| self.hex_of(bits))).collect()
    }
}

/// [`unorm8`] of numbers with so few significant bits that 255 times as much is a binary64 number.
fn short_unorm8(values: &[f64]) -> Vec<u8> {
    /// From here on binary64 has a step of 1, so that an addition rounds to the nearest even integer.
    const WHOLE: f64 = (1u64 << 52) as f64;
    Processor::best().run(
        #[inline(always)]
        || {
            let byte = |&value: &f64| {
                // Not above zero, or NaN.
                let value = if value > 0.0 { value } else { 0.0 };
                let value = if value < 1.0 { value } else { 1.0 };
                (value * 255.0 + WHOLE).to_bits() as u8
            };
            values.iter().map(byte).collect()
        },
    )
}

/// A frame read once, for measuring and drawing. Watched registers are left out.
#[derive(Clone, Debug)]
pub struct FrameRead<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) channels: Vec<Read<'a>>,
    /// The picture, once somebody asked.
    shown: OnceLock<Vec<[u8; 4]>>,
}

impl<'a> FrameRead<'a> {
    /// Reads every channel.
    pub fn new(frame: &'a Frame) -> FrameRead<'a> {
        let mut read = FrameRead::part(frame);
        let largest = read.largest();
        read.set_floors(&floors(&read, &largest));
        read
    }

    /// Reads every channel of a part of a frame, whose scale is that of the whole: without [`FrameRead::set_floors`] no value is near
    /// zero.
    pub(crate) fn part(frame: &'a Frame) -> FrameRead<'a> {
        let shown: Vec<(usize, &Channel)> =
            frame.channels.iter().enumerate().filter(|(_, c)| c.role != OutputRole::Watch).collect();
        FrameRead { frame, channels: shown.into_par_iter().map(Read::new).collect(), shown: OnceLock::new() }
    }

    /// The largest finite magnitude in each channel's covered pixels.
    pub(crate) fn largest(&self) -> Vec<f64> {
        self.channels.par_iter().map(|c| c.largest(&self.frame.covered)).collect()
    }

    /// Says below which magnitudes each channel's values are near zero.
    pub(crate) fn set_floors(&mut self, floors: &[f64]) {
        self.channels.iter_mut().zip(floors).for_each(|(channel, &floor)| channel.floor = floor);
    }

    /// Red, green, blue, alpha of every pixel in 8 bits, row by row. Missing components are 0, missing alpha 1; pixels that
    /// are not covered are transparent black.
    pub(crate) fn shown(&self) -> &[[u8; 4]] {
        self.shown.get_or_init(|| {
            let covered = &self.frame.covered;
            let mut out = vec![[0, 0, 0, 255]; covered.len()];
            for (comp, channel) in self.picture().into_iter().enumerate() {
                let bytes = channel.map_or(&[][..], Read::bytes);
                out.iter_mut().zip(bytes).for_each(|(pixel, &byte)| pixel[comp] = byte);
            }
            out.iter_mut().zip(covered).filter(|(_, covered)| !**covered).for_each(|(pixel, _)| *pixel = [0; 4]);
            out
        })
    }

    /// The four channels of the picture: colour output 0, or the first output there is.
    pub(crate) fn picture(&self) -> [Option<&Read<'a>>; 4] {
        let main = self.channels.iter().find(|c| c.role == OutputRole::Color(0)).or(self.channels.first());
        let mut out = [None; 4];
        for channel in self.channels.iter().filter(|c| Some(c.role) == main.map(|m| m.role)) {
            out[usize::from(channel.comp)].get_or_insert(channel);
        }
        out
    }
}

/// The floor of each channel by the largest magnitudes of all: components of one output share it.
pub(crate) fn floors(read: &FrameRead<'_>, largest: &[f64]) -> Vec<f64> {
    let output = |channel: &Read<'_>| read.frame.channels[channel.number].output.as_str();
    let floor = |channel: &Read<'_>| {
        let all = read.channels.iter().zip(largest).filter(|(other, _)| output(other) == output(channel));
        binade(all.map(|(_, v)| *v).fold(0.0, f64::max)) * power(FLOOR)
    };
    read.channels.iter().map(floor).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A frame with one binary32 channel `OUT[0].x` in colour 0.
    pub(crate) fn one_channel(width: u32, values: &[f32]) -> Frame {
        Frame {
            width,
            height: values.len() as u32 / width,
            channels: vec![Channel {
                output: "OUT[0]".into(),
                role: OutputRole::Color(0),
                comp: 0,
                ty: Type::F32,
                storage: Some(Storage::F32),
                words: Plane::U32(values.iter().map(|v| v.to_bits()).collect()),
                stored: None,
            }],
            covered: vec![true; values.len()],
            fragments: values.len() as u64,
            ..Frame::default()
        }
    }

    /// The same with binary64 words, as the `exact` model leaves it.
    pub(crate) fn one_exact(width: u32, values: &[f64]) -> Frame {
        let mut frame = one_channel(width, &vec![0.0; values.len()]);
        frame.channels[0].storage = Some(Storage::F64);
        frame.channels[0].words = Plane::U64(values.iter().map(|v| v.to_bits()).collect());
        frame
    }

    /// Halves between two bytes, what lies beside them, and the ends.
    #[test]
    fn short_numbers_give_the_bytes_that_all_numbers_give() {
        let halves = (0..=256u32).map(|n| (n as f32 + 0.5) / 255.0).chain((0..256u32).map(|n| n as f32 / 255.0));
        let near = |v: f32| [v, f32::from_bits(v.to_bits() + 1), f32::from_bits(v.to_bits().saturating_sub(1)), -v];
        let ends = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-40, 1e30, 0.5, 2f32.powi(-9)];
        let values: Vec<f64> = halves.flat_map(near).chain(ends).map(f64::from).collect();
        let wanted: Vec<u8> = values.iter().map(|&v| unorm8(v)).collect();
        assert_eq!(short_unorm8(&values), wanted);
    }

    #[test]
    fn the_picture_is_colour_0_or_the_first_output() {
        let mut frame = one_channel(1, &[1.0]);
        assert_eq!(FrameRead::new(&frame).picture()[0].map(|c| c.name.as_str()), Some("OUT[0].x"));
        assert!(FrameRead::new(&frame).picture()[1].is_none());
        frame.channels[0].role = OutputRole::Generic(3);
        assert!(FrameRead::new(&frame).picture()[0].is_some());
        frame.channels[0].role = OutputRole::Watch;
        assert!(FrameRead::new(&frame).picture()[0].is_none());
    }
}
