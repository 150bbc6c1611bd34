//! Frames as files of binary32 numbers.

use crate::frame::{FrameRead, Read};
use parallax::Frame;
use std::io::Write;

/// Colour 0 as a Portable Float Map: red, green, blue as little-endian binary32, bottom row first. Values outside
/// binary32 become what the declared format makes of them; uncovered pixels are 0.
pub fn pfm(read: &FrameRead<'_>) -> Vec<u8> {
    let (picture, frame) = (read.picture(), read.frame);
    let mut out = format!("PF\n{} {}\n-1.0\n", frame.width, frame.height).into_bytes();
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

/// Colour 0 as a NumPy array of shape (height, width, 4), little-endian binary32, top row first; missing components are
/// 0, missing alpha 1, uncovered pixels all 0.
pub fn npy(read: &FrameRead<'_>) -> Vec<u8> {
    let (picture, frame) = (read.picture(), read.frame);
    let shape =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}, 4), }}", frame.height, frame.width);
    let mut out = npy_head(&shape);
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
fn npy_head(header: &str) -> Vec<u8> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::one_channel;

    #[test]
    fn float_files_hold_raw_floats() {
        let frame = one_channel(1, &[1.0, -2.5]);
        let pfm = pfm(&FrameRead::new(&frame));
        assert!(pfm.starts_with(b"PF\n1 2\n-1.0\n"));
        assert_eq!(pfm[12..16], (-2.5f32).to_le_bytes());
        let npy = npy(&FrameRead::new(&frame));
        assert_eq!(npy.len() % 64, 32);
        assert_eq!(npy[..8], *b"\x93NUMPY\x01\x00");
        assert_eq!(npy[npy.len() - 32..][..4], 1f32.to_le_bytes());
        assert_eq!(npy[npy.len() - 4..], 1f32.to_le_bytes());
    }
}
