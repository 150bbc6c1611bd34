//! Pictures of frames and of differences, as PNG bytes.

use crate::frame::{FrameRead, Read};
use crate::value::power;
use parallax::Frame;
use std::io::Write;

/// Palette entry of a pixel whose special class changed.
const SPECIAL: u8 = 253;
/// Palette entry of a pixel whose coverage flipped.
const FLIP: u8 = 254;
/// Palette entry of a pixel that is covered in neither frame; transparent.
const OUTSIDE: u8 = 255;
/// Largest entry of the ramp.
const TOP: u8 = 252;

/// Colours of the difference ramp, from no difference to the largest.
pub(crate) const RAMP: [[u8; 3]; 6] =
    [[24, 24, 30], [66, 32, 110], [150, 42, 110], [222, 82, 62], [250, 160, 50], [255, 245, 190]];
/// Colour of special-value mismatches in heat maps.
pub const SPECIAL_COLOUR: [u8; 3] = [255, 0, 255];
/// Colour of coverage flips in heat maps.
pub const FLIP_COLOUR: [u8; 3] = [0, 225, 255];

/// Red, green, blue, alpha of every pixel in 8 bits, row by row. Missing components are 0, missing alpha 1; pixels that
/// are not covered are transparent black.
pub fn rgba8(read: &FrameRead<'_>) -> Vec<u8> {
    let (picture, frame) = (read.picture(), read.frame);
    let mut out = Vec::with_capacity(frame.pixels() * 4);
    for pixel in 0..frame.pixels() {
        if !frame.covered[pixel] {
            out.extend([0; 4]);
            continue;
        }
        for (comp, channel) in picture.iter().enumerate() {
            out.push(channel.map_or(if comp == 3 { 255 } else { 0 }, |c| c.byte(pixel)));
        }
    }
    out
}

/// The picture of a frame as a PNG. With `opaque`, alpha is dropped where the pixel is covered, so that shaders that
/// leave alpha at 0 can be looked at; uncovered pixels stay transparent.
pub fn png(read: &FrameRead<'_>, opaque: bool) -> Vec<u8> {
    let frame = read.frame;
    let size = (frame.width, frame.height);
    let mut data = rgba8(read);
    if opaque {
        let mut transparent = false;
        for (pixel, covered) in data.chunks_exact_mut(4).zip(&frame.covered) {
            pixel[3] = if *covered { 255 } else { 0 };
            transparent |= !covered;
        }
        if !transparent {
            let rgb: Vec<u8> = data.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
            return encode(size, png::ColorType::Rgb, None, &rgb);
        }
    }
    encode(size, png::ColorType::Rgba, None, &data)
}

/// A difference picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    /// PNG bytes.
    pub png: Vec<u8>,
    /// Differences are multiplied by two to this power before they are drawn.
    pub amplification: i32,
    /// Whether any pixel differs in it.
    pub empty: bool,
}

/// The largest difference of the shown components inside [0, 1], amplified by the power of two that makes the largest
/// of the frame fill the scale. One pixel of the picture shows the strongest mark of `every` by `every` pixels.
pub fn heat(found: &FrameRead<'_>, reference: &FrameRead<'_>, every: u32) -> Heat {
    let pairs: Vec<_> =
        found.picture().into_iter().zip(reference.picture()).filter_map(|(f, r)| Some((f?, r?))).collect();
    let (found, reference) = (found.frame, reference.frame);
    let mut empty = true;
    let mut levels = vec![0.0f64; found.pixels()];
    let mut indices = vec![0u8; found.pixels()];
    for at in 0..found.pixels() {
        let (fc, rc) = (found.covered[at], reference.covered[at]);
        let flips = found.coverage(at) != reference.coverage(at);
        if !fc || !rc || flips {
            indices[at] = if flips { FLIP } else { OUTSIDE };
            empty &= !flips;
            continue;
        }
        for (f, r) in &pairs {
            if f.error(r, at).is_none() {
                indices[at] = SPECIAL;
                empty = false;
            } else if !f.values[at].is_nan() && !r.values[at].is_nan() {
                levels[at] = levels[at].max((f.values[at].clamp(0.0, 1.0) - r.values[at].clamp(0.0, 1.0)).abs());
            }
        }
    }
    let most = levels.iter().copied().fold(0.0, f64::max);
    let mut amplification = 0;
    while most > 0.0 && most * power(amplification + 1) <= 1.0 && amplification < 60 {
        amplification += 1;
    }
    empty &= most == 0.0;
    for (index, level) in indices.iter_mut().zip(&levels) {
        if *index == 0 && *level > 0.0 {
            *index = 1 + (level * power(amplification) * f64::from(TOP - 1)) as u8;
        }
    }
    let (width, height, indices) = strongest(found, &indices, every);
    let png = encode((width, height), png::ColorType::Indexed, Some(palette()), &indices);
    Heat { png, amplification, empty }
}

/// The strongest palette entry of each block: a flip or a special value before any difference.
fn strongest(frame: &Frame, indices: &[u8], every: u32) -> (u32, u32, Vec<u8>) {
    let (width, height) = (frame.width.div_ceil(every), frame.height.div_ceil(every));
    if every == 1 {
        return (width, height, indices.to_vec());
    }
    let mut out = vec![OUTSIDE; width as usize * height as usize];
    // Uncovered pixels give way to everything.
    let rank = |index: u8| if index == OUTSIDE { 0 } else { u16::from(index) + 1 };
    for (y, row) in indices.chunks_exact(frame.width as usize).enumerate() {
        for (x, &index) in row.iter().enumerate() {
            let at = &mut out[y / every as usize * width as usize + x / every as usize];
            if rank(index) > rank(*at) {
                *at = index;
            }
        }
    }
    (width, height, out)
}

/// 256 colours: the ramp, then the three marks.
fn palette() -> Vec<u8> {
    let mut out = Vec::with_capacity(768);
    for index in 0..=u32::from(TOP) {
        let steps = (RAMP.len() - 1) as u32;
        let at = index * steps;
        let (n, part) = (at / u32::from(TOP), at % u32::from(TOP));
        let (low, high) = (RAMP[n as usize], RAMP[(n + 1).min(steps) as usize]);
        for k in 0..3 {
            let (a, b) = (u32::from(low[k]), u32::from(high[k]));
            out.push(((a * (u32::from(TOP) - part) + b * part) / u32::from(TOP)) as u8);
        }
    }
    out.extend(SPECIAL_COLOUR);
    out.extend(FLIP_COLOUR);
    out.extend([0; 3]);
    out
}

fn encode((width, height): (u32, u32), colour: png::ColorType, palette: Option<Vec<u8>>, data: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    if let Some(palette) = palette {
        let mut alpha = vec![255; 256];
        alpha[usize::from(OUTSIDE)] = 0;
        encoder.set_palette(palette);
        encoder.set_trns(alpha);
    }
    // Writing to a vector cannot fail, and the sizes agree by construction.
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(data)?;
        writer.finish()
    });
    debug_assert!(written.is_ok());
    bytes
}

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
    // Magic, version 1.0, header length; the data start at a multiple of 64.
    let length = (10 + shape.len() + 1).next_multiple_of(64) - 10;
    let mut out = b"\x93NUMPY\x01\x00".to_vec();
    out.extend((length as u16).to_le_bytes());
    // Writing to a vector cannot fail.
    let _ = writeln!(out, "{shape:width$}", width = length - 1);
    for at in 0..frame.pixels() {
        for (comp, channel) in picture.into_iter().enumerate() {
            out.extend(float(channel, frame, at, if comp == 3 { 1.0 } else { 0.0 }).to_le_bytes());
        }
    }
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

/// Width and height of a PNG; `None` for other bytes.
pub fn size(png: &[u8]) -> Option<(u32, u32)> {
    let word = |at: usize| Some(u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?));
    png.starts_with(b"\x89PNG").then(|| Some((word(16)?, word(20)?)))?
}

/// `data:image/png;base64,...`.
pub fn data_uri(png: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(png.len() / 3 * 4 + 32);
    out.push_str("data:image/png;base64,");
    for chunk in png.chunks(3) {
        let word = chunk.iter().fold(0u32, |w, &b| w << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};

    fn decode(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        data.truncate(info.buffer_size());
        (info.width, info.height, data)
    }

    #[test]
    fn pictures_are_what_a_viewer_sees() {
        let mut frame = one_channel(2, &[0.5, 2.0, f32::NAN, 1.0]);
        frame.covered[3] = false;
        let bytes = png(&FrameRead::new(&frame), false);
        let (width, height, data) = decode(&bytes);
        assert_eq!((width, height), (2, 2));
        assert_eq!((size(&bytes), size(b"GIF")), (Some((2, 2)), None));
        assert_eq!(data, [128, 0, 0, 255, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0]);
        frame.covered[3] = true;
        assert_eq!(decode(&png(&FrameRead::new(&frame), true)).2, [128, 0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0]);
    }

    #[test]
    fn heat_states_its_amplification_and_marks_flips_and_specials() {
        let mut found = one_channel(4, &[0.5, 0.25, f32::NAN, 1.0]);
        found.covered[3] = false;
        let reference = one_exact(4, &[0.5, 0.25 + 1.0 / 1024.0, 1.0, 1.0]);
        let heat = heat(&FrameRead::new(&found), &FrameRead::new(&reference), 1);
        assert_eq!((heat.amplification, heat.empty), (10, false));
        let (_, _, data) = decode(&heat.png);
        assert_eq!(data, [0, TOP, SPECIAL, FLIP]);
        let same = super::heat(&FrameRead::new(&found), &FrameRead::new(&found), 1);
        assert!(same.empty);
        // Of two pixels in a block the stronger mark shows.
        let small = super::heat(&FrameRead::new(&found), &FrameRead::new(&reference), 2);
        assert_eq!(decode(&small.png), (2, 1, vec![TOP, FLIP]));
    }

    #[test]
    fn the_ramp_starts_and_ends_at_its_ends() {
        let colours = palette();
        assert_eq!(colours.len(), 768);
        assert_eq!(colours[..3], RAMP[0]);
        assert_eq!(colours[usize::from(TOP) * 3..][..3], RAMP[5]);
    }

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

    #[test]
    fn base64_pads() {
        assert_eq!(data_uri(b"Man"), "data:image/png;base64,TWFu");
        assert_eq!(data_uri(b"Ma"), "data:image/png;base64,TWE=");
        assert_eq!(data_uri(b"M"), "data:image/png;base64,TQ==");
    }
}
