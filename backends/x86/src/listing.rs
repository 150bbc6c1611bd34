//! Code as text, with what it is made from.

use crate::emit::origin;
use crate::level::Level;
use crate::program::{Translated, translate};
use iced_x86::{Decoder, DecoderOptions, Formatter, IntelFormatter};
use parallax_core::{Bound, Verified};
use parallax_lane::{Unsupported, mnemonic};
use parallax_step::{Arithmetic, Programs, legalise_for};

/// An instruction of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Offset in the code.
    pub offset: usize,
    /// Bytes of the instruction.
    pub bytes: Vec<u8>,
    /// Its text.
    pub text: String,
    /// The instruction of lane form whose code starts here.
    pub lane: Option<String>,
    /// The op of the IR whose code starts here, by its number.
    pub op: Option<u32>,
}

/// The code of a shader as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// Instructions in order.
    pub lines: Vec<Line>,
}

impl Listing {
    /// Translates a verified shader for a level, which need not be able to run here.
    ///
    /// # Errors
    /// What the shader has that is not compiled.
    pub fn new(shader: Verified<'_, Bound>, level: Level, programs: &mut Programs) -> Result<Listing, Unsupported> {
        let steps = legalise_for(shader, programs, Arithmetic::FirstNan);
        let Translated { function, emitted, .. } = translate(level, &steps, true)?;
        let mut formatter = IntelFormatter::new();
        let mut origins = emitted.origins.iter().peekable();
        let mut last: Option<u32> = None;
        let mut lines = Vec::new();
        for inst in &mut Decoder::with_ip(64, &emitted.bytes, 0, DecoderOptions::NONE) {
            let offset = inst.ip() as usize;
            let (mut lane, mut op) = (None, None);
            while let Some(&(_, prologue, number)) = origins.next_if(|(at, ..)| *at <= offset) {
                // Where several start at once, the last one has the code.
                let Some((inst, from)) = origin(&function, prologue, number) else { continue };
                lane = Some(mnemonic(&function, inst));
                let from = steps.origins.get(from as usize).copied();
                if last != from {
                    (last, op) = (from, from);
                }
            }
            let mut text = String::new();
            formatter.format(&inst, &mut text);
            let bytes = emitted.bytes[offset..offset + inst.len()].to_vec();
            lines.push(Line { offset, bytes, text, lane, op });
        }
        Ok(Listing { lines })
    }
}
