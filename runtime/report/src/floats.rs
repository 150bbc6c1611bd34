//! Frames as files of binary32 numbers.

use crate::frame::{FrameRead, Read};
use parallax::Frame;
use std::io::Write;

/// Rows of a Portable Float Map.
pub(crate) fn pfm_rows(read: &FrameRead<'_>) -> Vec<u8> {
    let (picture, frame) = (read.picture(), read.frame);
    let mut out = Vec::with_capacity(frame.pixels() * 12);
    for y in (0..frame.height as usize).rev() {
        for x in 0..frame.width as usize {
            let at = y * frame.width as usize + x;
            for channel in picture.into_iter().take(3) {
                out.extend(float(channel, frame, at, 0.0).to_le_bytes());
            }
        }
    }
    out
}

/// Rows of a NumPy array of four components.
pub(crate) fn npy_rows(read: &FrameRead<'_>) -> Vec<u8> {
    let (picture, frame) = (read.picture(), read.frame);
    let mut out = Vec::with_capacity(frame.pixels() * 16);
    for at in 0..frame.pixels() {
        for (comp, channel) in picture.into_iter().enumerate() {
            out.extend(float(channel, frame, at, if comp == 3 { 1.0 } else { 0.0 }).to_le_bytes());
        }
    }
    out
}

/// Words as a NumPy array of one dimension. `kind` is what they are, such as `<f4` or `<u4`.
pub fn npy_words(kind: &str, words: &[u32]) -> Vec<u8> {
    let mut out = npy_head(&format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({},), }}", words.len()));
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    out
}

/// Magic, version 1.0, header length, header; the data start at a multiple of 64.
pub(crate) fn npy_head(header: &str) -> Vec<u8> {
    let length = (10 + header.len() + 1).next_multiple_of(64) - 10;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((length as u16).to_le_bytes());
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "{header:width$}", width = length - 1);
    out
}

/// The binary32 value of a pixel's component; NaN bits survive where the declared format is binary32.
fn float(channel: Option<&Read<'_>>, frame: &Frame, at: usize, missing: f32) -> f32 {
    match channel {
        _ if !frame.covered[at] => 0.0,
        None => missing,
        Some(channel) => channel.single(at),
    }
}
