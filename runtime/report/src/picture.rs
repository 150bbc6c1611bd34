//! Pictures of frames and of differences, as PNG bytes.

use crate::frame::FrameRead;
use crate::kept;
use parallax_num::Processor;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

pub use crate::floats::npy_words;

/// Shades of differences, after the one of no difference.
const SHADES: u8 = 12;
/// Palette entry of a pixel whose special class changed.
const SPECIAL: u8 = 13;
/// Palette entry of a pixel whose coverage flipped.
const FLIP: u8 = 14;
/// Palette entry of a pixel that is covered in neither frame; transparent.
const OUTSIDE: u8 = 15;

/// Colours of the difference ramp, from no difference, which is paper, to the largest, which is nearly black.
pub(crate) const RAMP: [[u8; 3]; 6] =
    [[251, 250, 247], [252, 222, 150], [245, 160, 66], [206, 72, 66], [118, 30, 92], [28, 8, 44]];
/// Colour of special-value mismatches in heat maps.
pub const SPECIAL_COLOUR: [u8; 3] = [255, 0, 255];
/// Colour of coverage flips in heat maps.
pub const FLIP_COLOUR: [u8; 3] = [0, 225, 255];

/// Red, green, blue, alpha of every pixel in 8 bits, row by row. Missing components are 0, missing alpha 1; pixels that
/// are not covered are transparent black.
pub fn rgba8(read: &FrameRead<'_>) -> Vec<u8> {
    read.shown().as_flattened().to_vec()
}

/// The picture of a frame as a PNG, quickly. Alpha is dropped where the pixel is covered, so that shaders that leave alpha at 0 can be
/// looked at; uncovered pixels are transparent.
pub fn png(read: &FrameRead<'_>) -> Vec<u8> {
    let mut view = View::new((read.frame.width, read.frame.height), 1);
    view.add(read, 0);
    view.png()
}

/// The picture of a frame that comes in strips from the top, of every nth pixel on each axis.
#[derive(Clone, Debug)]
pub(crate) struct View {
    size: (u32, u32),
    every: u32,
    /// Red, green, blue, alpha; 255 where the pixel is covered, 0 elsewhere.
    data: Vec<u8>,
}

impl View {
    /// Of a frame of this width and height.
    pub(crate) fn new((width, height): (u32, u32), every: u32) -> View {
        View { size: (width.div_ceil(every), height.div_ceil(every)), every, data: Vec::new() }
    }

    /// Adds the next rows, the first of which is row `top` of the frame.
    pub(crate) fn add(&mut self, read: &FrameRead<'_>, top: u32) {
        let width = read.frame.width as usize;
        let rows = (first_of(self.every, top)..read.frame.height).step_by(self.every as usize);
        for row in rows {
            let row = row as usize * width..(row as usize + 1) * width;
            let pixels = read.shown()[row.clone()].iter().zip(&read.frame.covered[row]);
            for (&[r, g, b, _], &covered) in pixels.step_by(self.every as usize) {
                self.data.extend([r, g, b, if covered { 255 } else { 0 }]);
            }
        }
    }

    pub(crate) fn png(&self) -> Vec<u8> {
        if self.data.chunks_exact(4).any(|pixel| pixel[3] == 0) {
            return encode(self.size, png::ColorType::Rgba, png::Compression::Fast, &self.data);
        }
        let rgb: Vec<u8> = self.data.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect();
        encode(self.size, png::ColorType::Rgb, png::Compression::Fast, &rgb)
    }
}

/// The first row of a strip that every nth row of its frame is; the strip begins in row `top`.
pub(crate) fn first_of(every: u32, top: u32) -> u32 {
    top.next_multiple_of(every) - top
}

/// How hard pictures are compressed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Quickly.
    #[default]
    Fast,
    /// In every way there is, of which the one that takes the fewest bytes is kept.
    Small,
}

impl Effort {
    fn compression(self) -> png::Compression {
        match self {
            Effort::Fast => png::Compression::Fast,
            Effort::Small => png::Compression::High,
        }
    }
}

/// A difference picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heat {
    /// PNG bytes.
    #[serde(with = "kept::bytes")]
    pub png: Vec<u8>,
    /// The largest difference of a shown component inside [0, 1].
    #[serde(with = "kept::number")]
    pub largest: f64,
    /// Whether no pixel differs in it.
    pub empty: bool,
}

/// The largest difference of the shown components inside [0, 1], on a scale that is the same for all pictures: each shade is
/// four times the one before, and the darkest is everything from 1/4 up. One pixel of the picture shows the strongest mark
/// of `every` by `every` pixels.
pub fn heat(found: &FrameRead<'_>, reference: &FrameRead<'_>, every: u32) -> Heat {
    let mut map = HeatMap::new((found.frame.width, found.frame.height), every);
    map.add(found, reference, 0);
    map.finish()
}

/// A difference picture of frames that come in strips from the top.
#[derive(Clone, Debug)]
pub(crate) struct HeatMap {
    size: (u32, u32),
    every: u32,
    /// The strongest palette entry of each block so far: a flip or a special value before any difference.
    strongest: Vec<u8>,
    largest: f64,
    empty: bool,
}

impl HeatMap {
    /// Of frames of this width and height.
    pub(crate) fn new((width, height): (u32, u32), every: u32) -> HeatMap {
        let size = (width.div_ceil(every), height.div_ceil(every));
        let strongest = vec![OUTSIDE; size.0 as usize * size.1 as usize];
        HeatMap { size, every, strongest, largest: 0.0, empty: true }
    }

    /// Adds the next rows, the first of which is row `top` of the frames.
    pub(crate) fn add(&mut self, found: &FrameRead<'_>, reference: &FrameRead<'_>, top: u32) {
        let pairs: Vec<_> =
            found.picture().into_iter().zip(reference.picture()).filter_map(|(f, r)| Some((f?, r?))).collect();
        let (found, reference) = (found.frame, reference.frame);
        let width = (found.width as usize).max(1);
        // Components that are numbers on both sides have a distance.
        let mut levels = vec![0.0f64; found.pixels()];
        let mut special = vec![false; found.pixels()];
        for (f, r) in &pairs {
            Processor::best().run(
                #[inline(always)]
                || {
                    let values = f.values.iter().zip(&r.values);
                    for ((level, special), (f, r)) in levels.iter_mut().zip(&mut special).zip(values) {
                        *level = level.max((f.clamp(0.0, 1.0) - r.clamp(0.0, 1.0)).abs());
                        *special |= !(f.is_finite() & r.is_finite());
                    }
                },
            );
        }
        let has_samples = found.samples.is_some() || reference.samples.is_some();
        for (at, (&level, &special)) in levels.iter().zip(&special).enumerate() {
            let (fc, rc) = (found.covered[at], reference.covered[at]);
            let flips = if has_samples { found.coverage(at) != reference.coverage(at) } else { fc != rc };
            let mut index = 0;
            if !fc || !rc || flips {
                index = if flips { FLIP } else { OUTSIDE };
                self.empty &= !flips;
            } else if !special {
                self.largest = self.largest.max(level);
                index = shade(level);
            } else {
                for (f, r) in &pairs {
                    let (f_value, r_value) = (f.values[at], r.values[at]);
                    let finite = f_value.is_finite() && r_value.is_finite();
                    if finite && f_value == r_value {
                        continue;
                    }
                    if !finite && f.error(r, at).is_none() {
                        index = SPECIAL;
                        self.empty = false;
                    } else if index != SPECIAL && !f_value.is_nan() && !r_value.is_nan() {
                        let level = (f_value.clamp(0.0, 1.0) - r_value.clamp(0.0, 1.0)).abs();
                        self.largest = self.largest.max(level);
                        index = index.max(shade(level));
                    }
                }
            }
            let block = match self.every {
                // Strips are as wide as the picture.
                1 => top as usize * width + at,
                every => {
                    (at / width + top as usize) / every as usize * self.size.0 as usize + at % width / every as usize
                }
            };
            let shown = &mut self.strongest[block];
            if rank(index) > rank(*shown) {
                *shown = index;
            }
        }
    }

    pub(crate) fn finish(&self) -> Heat {
        let image = Indexed { size: self.size, bits: 4, palette: palette(), outside: Some(OUTSIDE) };
        Heat {
            png: image.encode(&self.strongest, png::Compression::Fast),
            largest: self.largest,
            empty: self.empty && self.largest == 0.0,
        }
    }
}

/// Order of marks: uncovered pixels give way to everything.
fn rank(index: u8) -> u8 {
    if index == OUTSIDE { 0 } else { index + 1 }
}

/// Shade of a difference.
fn shade(level: f64) -> u8 {
    if level == 0.0 {
        return 0;
    }
    // 4^n <= level < 4^(n+1); denormals are below every shade.
    let exponent = (level.to_bits() >> 52) as i32 - 1023;
    (i32::from(SHADES) + 1 + exponent.div_euclid(2)).clamp(1, i32::from(SHADES)) as u8
}

/// What a shade stands for: the least difference it shows, and its colour; from the least up, without that of no difference.
pub fn shades() -> Vec<(String, [u8; 3])> {
    let palette = palette();
    let entry = |k: u8| {
        let name = match (u32::from(SHADES - k) + 1) * 2 {
            _ if k == 1 => "less".to_string(),
            bits if bits <= 8 => format!("1/{}", 1 << bits),
            bits => format!("2^-{bits}"),
        };
        let at = usize::from(k) * 3;
        (name, [palette[at], palette[at + 1], palette[at + 2]])
    };
    (1..=SHADES).map(entry).collect()
}

/// 16 colours: the ramp, then the three marks.
fn palette() -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    for index in 0..=u32::from(SHADES) {
        let (steps, top) = ((RAMP.len() - 1) as u32, u32::from(SHADES));
        let at = index * steps;
        let (n, part) = (at / top, at % top);
        let (low, high) = (RAMP[n as usize], RAMP[(n + 1).min(steps) as usize]);
        for k in 0..3 {
            let (a, b) = (u32::from(low[k]), u32::from(high[k]));
            out.push(((a * (top - part) + b * part) / top) as u8);
        }
    }
    out.extend(SPECIAL_COLOUR);
    out.extend(FLIP_COLOUR);
    out.extend([0; 3]);
    out
}

/// A picture of palette entries.
struct Indexed {
    size: (u32, u32),
    /// Bits per entry: 4 or 8.
    bits: u8,
    palette: Vec<u8>,
    /// The transparent entry.
    outside: Option<u8>,
}

impl Indexed {
    fn encode(&self, indices: &[u8], compression: png::Compression) -> Vec<u8> {
        let entries = self.palette.len() / 3;
        let alpha =
            self.outside.map(|outside| (0..entries).map(|n| if n == usize::from(outside) { 0 } else { 255 }).collect());
        let data: Vec<u8> = if self.bits == 8 {
            indices.to_vec()
        } else {
            let rows = indices.chunks(self.size.0.max(1) as usize);
            rows.flat_map(|row| row.chunks(2)).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
        };
        let depth = if self.bits == 8 { png::BitDepth::Eight } else { png::BitDepth::Four };
        // Entries are no amounts: differences of neighbours say nothing.
        write(
            self.size,
            png::ColorType::Indexed,
            depth,
            Some((self.palette.clone(), alpha)),
            png::Filter::NoFilter,
            compression,
            &data,
        )
    }
}

/// The same picture in as few bytes as it takes: with a palette where 256 colours are enough, else with the filter that
/// leaves least. Other bytes than a PNG of 8 bits come back as they are.
pub fn smallest(bytes: &[u8]) -> Vec<u8> {
    let Some((size, pixels)) = decode(bytes) else { return bytes.to_vec() };
    let found = encoded(size, &pixels, Effort::Small);
    if found.len() < bytes.len() { found } else { bytes.to_vec() }
}

/// A picture with only those pixels that somebody can tell from those of the picture it is to lie over, more than one 8-bit
/// step away; the others are transparent. `None` where it cannot be: other sizes, or pixels that only the one below covers.
#[cfg(feature = "html")]
pub(crate) fn over((size, pixels): &Decoded, below: &Decoded, effort: Effort) -> Option<Vec<u8>> {
    let hidden = |(a, b): (&[u8; 4], &[u8; 4])| a[3] == 0 && b[3] != 0;
    if *size != below.0 || pixels.iter().zip(&below.1).any(hidden) {
        return None;
    }
    let kept = pixels.iter().zip(&below.1).map(|(a, b)| if is_near(a, b) { [0; 4] } else { *a });
    Some(encoded(*size, &kept.collect::<Vec<_>>(), effort))
}

/// Whether nobody can tell two pixels apart: no component is more than one 8-bit step away.
#[cfg(feature = "html")]
pub(crate) fn is_near(a: &[u8; 4], b: &[u8; 4]) -> bool {
    a[3] == b[3] && a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 1)
}

/// The same picture with a palette, quickly compressed, where 256 colours are enough; other bytes come back as they are.
#[cfg(feature = "html")]
pub(crate) fn quick(bytes: &[u8], (size, pixels): &Decoded) -> Vec<u8> {
    match indexed(*size, pixels) {
        Some((image, indices)) => image.encode(&indices, png::Compression::Fast),
        None => bytes.to_vec(),
    }
}

/// Pixels as a picture with a palette, where 256 colours are enough and none but one is transparent.
fn indexed(size: (u32, u32), pixels: &[[u8; 4]]) -> Option<(Indexed, Vec<u8>)> {
    let mut palette: Vec<[u8; 4]> = Vec::new();
    let mut known: HashMap<[u8; 4], u8> = HashMap::new();
    let mut indices = Vec::with_capacity(pixels.len());
    for pixel in pixels {
        let next = palette.len();
        let index = match known.get(pixel) {
            Some(index) => *index,
            None if next < 256 => {
                palette.push(*pixel);
                known.insert(*pixel, next as u8);
                next as u8
            }
            None => return None,
        };
        indices.push(index);
    }
    let transparent: Vec<usize> = (0..palette.len()).filter(|&n| palette[n][3] == 0).collect();
    (transparent.len() <= 1 && palette.iter().all(|p| matches!(p[3], 0 | 255))).then(|| {
        let colours = palette.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
        let outside = transparent.first().map(|&n| n as u8);
        let bits = if palette.len() <= 16 { 4 } else { 8 };
        (Indexed { size, bits, palette: colours, outside }, indices)
    })
}

/// Pixels as a PNG, of as few bytes as it takes or quickly.
fn encoded(size: (u32, u32), pixels: &[[u8; 4]], effort: Effort) -> Vec<u8> {
    let with_palette = indexed(size, pixels);
    let opaque = pixels.iter().all(|p| p[3] == 255);
    let mut found = Vec::new();
    if let Some((image, indices)) = with_palette {
        found.push(image.encode(&indices, effort.compression()));
        if effort == Effort::Fast {
            return found.pop().unwrap_or_default();
        }
    }
    let (colour, data): (_, Vec<u8>) = match opaque {
        true => (png::ColorType::Rgb, pixels.iter().flat_map(|p| [p[0], p[1], p[2]]).collect()),
        false => (png::ColorType::Rgba, pixels.concat()),
    };
    if effort == Effort::Fast {
        return encode(size, colour, png::Compression::Fast, &data);
    }
    for filter in [png::Filter::NoFilter, png::Filter::Paeth, png::Filter::Adaptive] {
        found.push(encode_with(size, colour, png::BitDepth::Eight, filter, &data));
    }
    found.into_iter().min_by_key(Vec::len).unwrap_or_default()
}

/// Size of a picture, and red, green, blue, alpha of each pixel.
pub(crate) type Decoded = ((u32, u32), Vec<[u8; 4]>);

/// Size and pixels of a PNG with 8 bits per channel, or of 4 and a palette; `None` for others.
pub(crate) fn decode(bytes: &[u8]) -> Option<Decoded> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let mut data = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut data).ok()?;
    (info.color_type == png::ColorType::Rgba && info.bit_depth == png::BitDepth::Eight).then_some(())?;
    data.truncate(info.buffer_size());
    Some(((info.width, info.height), data.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect()))
}

/// Data as a zlib stream, behind one byte of no meaning.
pub(crate) fn compressed(data: &[u8]) -> Vec<u8> {
    let size = (data.len() as u32, 1);
    let image = encode_with(size, png::ColorType::Grayscale, png::BitDepth::Eight, png::Filter::NoFilter, data);
    // The data of a PNG are such a stream, in parts; each row starts with the name of its filter.
    let (mut out, mut at) = (Vec::new(), 8);
    while let Some(head) = image.get(at..at + 8) {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        if &head[4..] == b"IDAT" {
            out.extend_from_slice(image.get(at + 8..at + 8 + length).unwrap_or_default());
        }
        at += 12 + length;
    }
    out
}

fn encode(size: (u32, u32), colour: png::ColorType, compression: png::Compression, data: &[u8]) -> Vec<u8> {
    write(size, colour, png::BitDepth::Eight, None, png::Filter::Adaptive, compression, data)
}

/// Colours of a palette and, where one is transparent, their alpha.
type Palette = (Vec<u8>, Option<Vec<u8>>);

fn encode_with(
    size: (u32, u32),
    colour: png::ColorType,
    depth: png::BitDepth,
    filter: png::Filter,
    data: &[u8],
) -> Vec<u8> {
    write(size, colour, depth, None, filter, png::Compression::High, data)
}

fn write(
    (width, height): (u32, u32),
    colour: png::ColorType,
    depth: png::BitDepth,
    palette: Option<Palette>,
    filter: png::Filter,
    compression: png::Compression,
    data: &[u8],
) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    // A level brings its own filter; the one asked for comes after it.
    encoder.set_compression(compression);
    encoder.set_filter(filter);
    if let Some((palette, alpha)) = palette {
        encoder.set_palette(palette);
        if let Some(alpha) = alpha {
            encoder.set_trns(alpha);
        }
    }
    // Writing to a vector cannot fail, and the sizes agree by construction.
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(data)?;
        writer.finish()
    });
    debug_assert!(written.is_ok(), "{written:?}");
    bytes
}

/// Width and height of a PNG; `None` for other bytes.
pub fn size(png: &[u8]) -> Option<(u32, u32)> {
    let word = |at: usize| Some(u32::from_be_bytes(png.get(at..at + 4)?.try_into().ok()?));
    png.starts_with(b"\x89PNG").then(|| Some((word(16)?, word(20)?)))?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};

    /// Size and the data as they are in the file.
    fn raw(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
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
        assert_eq!(rgba8(&FrameRead::new(&frame)), [128, 0, 0, 255, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 0]);
        let bytes = png(&FrameRead::new(&frame));
        let (width, height, data) = raw(&bytes);
        assert_eq!((width, height, data.len()), (2, 2, 16));
        assert_eq!((size(&bytes), size(b"GIF")), (Some((2, 2)), None));
        frame.covered[3] = true;
        assert_eq!(raw(&png(&FrameRead::new(&frame))).2, [128, 0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 0]);
    }

    #[test]
    fn heat_has_one_scale_and_marks_flips_and_specials() {
        let mut found = one_channel(5, &[0.5, 0.25, f32::NAN, 1.0, 0.0]);
        found.covered[3] = false;
        let reference = one_exact(5, &[0.5, 0.25 + 1.0 / 1024.0, 1.0, 1.0, 0.9]);
        let heat = heat(&FrameRead::new(&found), &FrameRead::new(&reference), 1);
        assert_eq!((heat.largest, heat.empty), (0.9, false));
        assert_eq!(raw(&heat.png).2, [8, SPECIAL << 4 | FLIP, SHADES << 4]);
        let same = super::heat(&FrameRead::new(&found), &FrameRead::new(&found), 1);
        assert!(same.empty);
        // Of the pixels in a block the strongest mark shows.
        let small = super::heat(&FrameRead::new(&found), &FrameRead::new(&reference), 2);
        assert_eq!(raw(&small.png), (3, 1, vec![8 << 4 | FLIP, SHADES << 4]));
    }

    #[test]
    fn shades_are_powers_of_four() {
        let want = [
            (0.0, 0),
            (1e-320, 1),
            (6e-8, 1),
            (2.5e-7, 2),
            (0.0038, 8),
            (0.004, 9),
            (0.0625, 11),
            (0.25, 12),
            (1.0, 12),
        ];
        want.into_iter().for_each(|(level, index)| assert_eq!(shade(level), index, "{level}"));
        let names: Vec<String> = shades().into_iter().map(|(name, _)| name).collect();
        assert_eq!(
            (names.len(), &names[0][..], &names[1][..], &names[8][..], &names[11][..]),
            (12, "less", "2^-22", "1/256", "1/4")
        );
        // Darker is more, for every kind of eye.
        let light = |c: &[u8]| 2126 * u32::from(c[0]) + 7152 * u32::from(c[1]) + 722 * u32::from(c[2]);
        let colours = palette();
        let ramp: Vec<u32> = colours.chunks(3).take(13).map(light).collect();
        assert!(ramp.is_sorted_by(|a, b| a > b), "{ramp:?}");
        assert_eq!((&colours[..3], &colours[36..39]), (&RAMP[0][..], &RAMP[5][..]));
    }

    /// Fewer bytes, the same pixels.
    #[test]
    fn pictures_shrink_without_loss() {
        let smooth: Vec<f32> = (0..64 * 64).map(|n| (n % 64 * 4 + n / 64) as f32 / 320.0).collect();
        let mut frame = one_channel(64, &smooth);
        for covered in [true, false] {
            frame.covered[5] = covered;
            let bytes = png(&FrameRead::new(&frame));
            let small = smallest(&bytes);
            assert!(small.len() <= bytes.len());
            assert_eq!(decode(&small), decode(&bytes));
        }
        assert_eq!(smallest(b"no picture"), b"no picture");
        let flat = one_channel(3, &[0.5, 0.5, 1.0, 0.5, 0.5, 0.5]);
        let bytes = png(&FrameRead::new(&flat));
        assert_eq!(decode(&smallest(&bytes)), decode(&bytes));
    }

    #[test]
    fn compressed_data_start_as_zlib_does() {
        let data = compressed(&[7; 100_000]);
        assert!(data.len() < 1000 && data[0] == 0x78 && u16::from_be_bytes([data[0], data[1]]).is_multiple_of(31));
    }
}
