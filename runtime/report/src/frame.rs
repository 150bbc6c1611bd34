//! What a draw left behind, as comparisons and pictures read it.

use crate::value::{Observe, value};
use parallax_core::{OutputRole, Type};
use parallax_num::{Decl, Storage};
use rayon::prelude::*;

/// One written component of one output, over all pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The output's spelling in the source, such as `OUT[0]`.
    pub output: String,
    /// What the output stands for.
    pub role: OutputRole,
    /// Component, 0 to 3.
    pub comp: u8,
    /// Declared type.
    pub ty: Type,
    /// Container, if it is a float.
    pub storage: Option<Storage>,
    /// Lane words in the container, one per pixel, row by row from the top left.
    pub words: Vec<u64>,
}

/// The result of one draw under one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Written components, outputs in the shader's order.
    pub channels: Vec<Channel>,
    /// Covered pixels at the end, row by row.
    pub covered: Vec<bool>,
    /// Pixels that ran out of loop fuel.
    pub out_of_fuel: u64,
}

impl Channel {
    /// `OUT[0].x`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.output, char::from(b"xyzw"[usize::from(self.comp & 3)]))
    }

    /// The words as patterns of the declared format.
    pub fn declared_bits(&self) -> Vec<u64> {
        match (self.ty.decl(), self.storage) {
            (Some(decl), Some(storage)) => {
                let observe = Observe::new(decl, storage);
                self.words.iter().map(|&w| observe.bits(w)).collect()
            }
            _ => self.words.clone(),
        }
    }

    /// The words as numbers, exactly.
    pub fn values(&self) -> Vec<f64> {
        match (self.storage, read_as(self)) {
            (Some(storage), _) => self.words.iter().map(|&w| value(storage, w)).collect(),
            (None, Some(_)) => self.words.iter().map(|&w| value(Storage::F32, w)).collect(),
            _ => self.words.iter().map(|&word| word as f64).collect(),
        }
    }
}

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

/// A channel read: the bits the program believes in, and the exact values in the container.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) name: String,
    pub(crate) role: OutputRole,
    pub(crate) comp: u8,
    pub(crate) decl: Option<Decl>,
    pub(crate) bits: Vec<u64>,
    pub(crate) values: Vec<f64>,
}

impl Read {
    fn new(channel: &Channel) -> Read {
        Read {
            name: channel.name(),
            role: channel.role,
            comp: channel.comp & 3,
            decl: read_as(channel),
            bits: channel.declared_bits(),
            values: channel.values(),
        }
    }

    /// The value of the declared bits of a pixel.
    pub(crate) fn observed(&self, pixel: usize) -> f64 {
        match self.decl {
            Some(decl) => value(decl.format().storage(), self.bits[pixel]),
            None => self.bits[pixel] as f64,
        }
    }
}

/// A frame read once, for measuring and drawing. Watched registers are left out.
#[derive(Clone, Debug)]
pub struct FrameRead<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) channels: Vec<Read>,
}

impl<'a> FrameRead<'a> {
    /// Reads every channel.
    pub fn new(frame: &'a Frame) -> FrameRead<'a> {
        let shown: Vec<&Channel> = frame.channels.iter().filter(|c| c.role != OutputRole::Watch).collect();
        FrameRead { frame, channels: shown.into_par_iter().map(Read::new).collect() }
    }

    /// The four channels of the picture: colour output 0, or the first output there is.
    pub(crate) fn picture(&self) -> [Option<&Read>; 4] {
        let main = self.channels.iter().find(|c| c.role == OutputRole::Color(0)).or(self.channels.first());
        let mut out = [None; 4];
        for channel in self.channels.iter().filter(|c| Some(c.role) == main.map(|m| m.role)) {
            out[usize::from(channel.comp)].get_or_insert(channel);
        }
        out
    }
}

impl Frame {
    /// Pixels of the draw.
    pub fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }
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
                words: values.iter().map(|v| u64::from(v.to_bits())).collect(),
            }],
            covered: vec![true; values.len()],
            out_of_fuel: 0,
        }
    }

    /// The same with binary64 words, as the `exact` model leaves it.
    pub(crate) fn one_exact(width: u32, values: &[f64]) -> Frame {
        let mut frame = one_channel(width, &vec![0.0; values.len()]);
        frame.channels[0].storage = Some(Storage::F64);
        frame.channels[0].words = values.iter().map(|v| v.to_bits()).collect();
        frame
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
