//! Pictures of other renderers: PNG of 8 and 16 bits, NumPy's `.npy`, and OpenEXR where the feature `exr` is built.

#[cfg(feature = "exr")]
mod open_exr;

use crate::npy;
use crate::problem::guarded;
use crate::read_file::read_file;
use parallax_core::num::{Decl, Op, Rule, Storage, eval};
use std::io::Cursor;
use std::path::Path;

/// Most pixels of a capture.
const MOST: usize = 1 << 26;

/// How OpenEXR begins.
const EXR: [u8; 4] = [0x76, 0x2f, 0x31, 0x01];

/// What the numbers of a capture are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// From 0 to 255, which is 1.
    Bytes,
    /// From 0 to 65535, which is 1.
    Words,
    /// Numbers as they are.
    Floats,
}

impl Unit {
    /// What stands for 1.
    pub const fn one(self) -> f64 {
        match self {
            Unit::Bytes => 255.0,
            Unit::Words => 65_535.0,
            Unit::Floats => 1.0,
        }
    }
}

/// Turned over about an axis.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flip {
    /// As it is.
    None,
    /// Top and bottom change places.
    Vertical,
    /// Left and right.
    Horizontal,
    /// Both, which is half a turn.
    Both,
}

impl Flip {
    /// All of them.
    pub const ALL: [Flip; 4] = [Flip::None, Flip::Vertical, Flip::Horizontal, Flip::Both];

    /// The word on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Flip::None => "none",
            Flip::Vertical => "vertical",
            Flip::Horizontal => "horizontal",
            Flip::Both => "both",
        }
    }

    /// Where the pixel at a place comes from.
    pub fn from(self, (x, y): (u32, u32), (width, height): (u32, u32)) -> (u32, u32) {
        let across = matches!(self, Flip::Horizontal | Flip::Both);
        let down = matches!(self, Flip::Vertical | Flip::Both);
        (if across { width - 1 - x } else { x }, if down { height - 1 - y } else { y })
    }
}

/// A rectangle of pixels.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub x: u32,
    /// The first row from the top.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// A picture that another renderer drew.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// What the numbers are.
    pub unit: Unit,
    /// Components of a pixel: red, green, blue and alpha; grey is red, green and blue.
    pub components: usize,
    /// Row by row from the top, pixel by pixel; exact.
    pub values: Vec<f64>,
}

impl Capture {
    /// Reads a file: PNG, `.npy` or OpenEXR, told apart by how it begins.
    ///
    /// # Errors
    /// Why it is no picture, without the file's name.
    pub fn read(path: &Path) -> Result<Capture, String> {
        let bytes = read_file(path).map_err(|e| format!("cannot be read: {e}"))?;
        Capture::parse(&bytes)
    }

    /// Reads the bytes of such a file.
    ///
    /// # Errors
    /// Why they are no picture.
    pub fn parse(bytes: &[u8]) -> Result<Capture, String> {
        let found = match npy::array(bytes) {
            Some(array) => of_array(&array?)?,
            None if bytes.starts_with(&EXR) => of_exr(bytes)?,
            // The decoder panics on some broken files.
            None => guarded(|| of_png(bytes)).unwrap_or_else(|_| Err("is broken".to_string()))?,
        };
        if found.width == 0 || found.height == 0 {
            return Err("has no pixels".into());
        }
        Ok(found)
    }

    /// A part of it.
    ///
    /// # Errors
    /// An area that is not inside.
    pub fn crop(&self, area: Area) -> Result<Capture, String> {
        let ends = (area.x.checked_add(area.width), area.y.checked_add(area.height));
        let inside = matches!(ends, (Some(x), Some(y)) if x <= self.width && y <= self.height);
        if !inside || area.width == 0 || area.height == 0 {
            let Area { x, y, width, height } = area;
            return Err(format!("{x},{y},{width}x{height} is not inside of {}x{} pixels", self.width, self.height));
        }
        Ok(self.picked((area.width, area.height), |x, y| (area.x + x, area.y + y)))
    }

    /// One pixel of each block of `by` by `by`: that of a picture which was enlarged. Gives also how many blocks have several
    /// colours, which an enlarged picture has not.
    ///
    /// # Errors
    /// A picture whose sides are no multiple of `by`.
    pub fn reduced(&self, by: u32) -> Result<(Capture, usize), String> {
        if by == 0 || !self.width.is_multiple_of(by) || !self.height.is_multiple_of(by) {
            return Err(format!("{}x{} pixels cannot be divided into blocks of {by}x{by}", self.width, self.height));
        }
        let size = (self.width / by, self.height / by);
        let out = self.picked(size, |x, y| (x * by + by / 2, y * by + by / 2));
        let is_uneven = |x: u32, y: u32| {
            let wanted = out.pixel((x, y));
            (0..by * by).any(|n| self.pixel((x * by + n % by, y * by + n / by)) != wanted)
        };
        let uneven =
            (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))).filter(|&(x, y)| is_uneven(x, y)).count();
        Ok((out, uneven))
    }

    fn picked(&self, (width, height): (u32, u32), from: impl Fn(u32, u32) -> (u32, u32)) -> Capture {
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let values = places.flat_map(|(x, y)| self.pixel(from(x, y)).iter().copied()).collect();
        Capture { width, height, values, ..*self }
    }

    /// The components of a pixel.
    pub fn pixel(&self, (x, y): (u32, u32)) -> &[f64] {
        let at = (y as usize * self.width as usize + x as usize) * self.components;
        &self.values[at..at + self.components]
    }
}

#[cfg(feature = "exr")]
fn of_exr(bytes: &[u8]) -> Result<Capture, String> {
    guarded(|| open_exr::read(bytes)).unwrap_or_else(|_| Err("is broken".to_string()))
}

#[cfg(not(feature = "exr"))]
fn of_exr(_: &[u8]) -> Result<Capture, String> {
    Err("is OpenEXR, which this build does not read: build with `--features exr`, or convert it to .npy".into())
}

fn of_png(bytes: &[u8]) -> Result<Capture, String> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| format!("is no PNG and no .npy: {e}"))?;
    if let Some(palette) = &reader.info().palette
        && !palette.len().is_multiple_of(3)
    {
        return Err(format!("is damaged: its palette has {} bytes, which is not a multiple of 3", palette.len()));
    }
    let (width, height) = (reader.info().width, reader.info().height);
    if width as usize * height as usize > MOST {
        return Err(format!("has {width}x{height} pixels: at most {MOST} are read"));
    }
    let size = reader.output_buffer_size().ok_or("is too large")?;
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data).map_err(|e| format!("is damaged: {e}"))?;
    data.truncate(info.buffer_size());
    let channels = info.color_type.samples();
    let (unit, samples): (Unit, Vec<f64>) = match info.bit_depth {
        png::BitDepth::Sixteen => {
            (Unit::Words, data.chunks_exact(2).map(|b| f64::from(u16::from_be_bytes([b[0], b[1]]))).collect())
        }
        _ => (Unit::Bytes, data.iter().map(|&b| f64::from(b)).collect()),
    };
    let (components, values) = coloured(channels, samples);
    Ok(Capture { width, height, unit, components, values })
}

/// Grey as a colour; alpha stays the last component.
fn coloured(channels: usize, samples: Vec<f64>) -> (usize, Vec<f64>) {
    match channels {
        1 => (3, samples.iter().flat_map(|&v| [v; 3]).collect()),
        2 => (4, samples.chunks_exact(2).flat_map(|s| [s[0], s[0], s[0], s[1]]).collect()),
        n => (n, samples),
    }
}

fn of_array(array: &npy::Array<'_>) -> Result<Capture, String> {
    let (height, width, channels) = match array.shape[..] {
        [height, width] => (height, width, 1),
        [height, width, channels @ 1..=4] => (height, width, channels),
        _ => {
            let shape: Vec<String> = array.shape.iter().map(usize::to_string).collect();
            return Err(format!(
                "has the shape ({}): expected (height, width) or (height, width, 1 to 4)",
                shape.join(", ")
            ));
        }
    };
    let count = height.checked_mul(width).filter(|n| *n <= MOST).ok_or("is too large")? * channels;
    let (unit, size) = match array.kind.as_str() {
        "u1" => (Unit::Bytes, 1),
        "u2" => (Unit::Words, 2),
        "f2" => (Unit::Floats, 2),
        "f4" => (Unit::Floats, 4),
        "f8" => (Unit::Floats, 8),
        kind => return Err(format!("has numbers of type {kind}: expected u1, u2, f2, f4 or f8")),
    };
    if array.data.len() < count * size {
        return Err(format!("has {} bytes of numbers: its shape has {}", array.data.len(), count * size));
    }
    let half = Rule { source: Storage::F16, ..Rule::ieee(Decl::F32, Decl::F32.format()) };
    let number = |bytes: &[u8]| match (unit, bytes) {
        (Unit::Bytes, &[byte, ..]) => f64::from(byte),
        (Unit::Words, &[a, b, ..]) => f64::from(u16::from_le_bytes([a, b])),
        (Unit::Floats, &[a, b]) => {
            f64::from(f32::from_bits(eval(Op::Cvt, &half, &[u64::from(u16::from_le_bytes([a, b]))]) as u32))
        }
        (Unit::Floats, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => 0.0,
    };
    let samples = array.data[..count * size].chunks_exact(size).map(number).collect();
    let (components, values) = coloured(channels, samples);
    let side = |n: usize| u32::try_from(n).map_err(|_| "is too large".to_string());
    Ok(Capture { width: side(width)?, height: side(height)?, unit, components, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(header: &str, rest: &[u8]) -> Vec<u8> {
        [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), rest].concat()
    }

    #[test]
    fn arrays_of_all_kinds_are_read() {
        let header =
            |kind: &str, shape: &str| format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}\n");
        let bytes = Capture::parse(&array(&header("|u1", "1, 2, 3"), &[1, 2, 3, 4, 5, 255])).unwrap();
        assert_eq!((bytes.width, bytes.height, bytes.unit, bytes.components), (2, 1, Unit::Bytes, 3));
        assert_eq!(bytes.pixel((1, 0)), [4.0, 5.0, 255.0]);
        let grey = Capture::parse(&array(&header("<f2", "2, 1"), &[0, 0x3c, 1, 0])).unwrap();
        assert_eq!((grey.width, grey.height, grey.components), (1, 2, 3));
        // The smallest denormal is exact.
        assert_eq!([grey.pixel((0, 0))[0], grey.pixel((0, 1))[2]], [1.0, 2f64.powi(-24)]);
        let double = Capture::parse(&array(&header("<f8", "1, 1, 4"), &[0.1f64.to_le_bytes(); 4].concat())).unwrap();
        assert_eq!(double.values, [0.1; 4]);
        for (kind, shape, said) in
            [("<i4", "1, 1", "type i4"), ("<f4", "4", "shape (4)"), ("<f4", "9, 9", "its shape has 324")]
        {
            assert!(
                Capture::parse(&array(&header(kind, shape), &[0; 4])).unwrap_err().contains(said),
                "{kind} {shape}"
            );
        }
        assert!(Capture::parse(b"GIF89a").unwrap_err().contains("no PNG and no .npy"));
        #[cfg(not(feature = "exr"))]
        assert!(Capture::parse(b"\x76\x2f\x31\x01").unwrap_err().contains("--features exr"));
    }

    #[test]
    fn parts_are_cut_out_and_blocks_become_pixels() {
        let values = (0..16).map(f64::from).collect();
        let capture = Capture { width: 4, height: 4, unit: Unit::Bytes, components: 1, values };
        let part = capture.crop(Area { x: 1, y: 2, width: 3, height: 2 }).unwrap();
        assert_eq!(part.values, [9.0, 10.0, 11.0, 13.0, 14.0, 15.0]);
        assert!(capture.crop(Area { x: 2, y: 0, width: 3, height: 1 }).is_err());
        assert!(capture.crop(Area { x: 1, y: 0, width: u32::MAX, height: 1 }).is_err());
        let (small, uneven) = capture.reduced(2).unwrap();
        assert_eq!((small.values, uneven), (vec![5.0, 7.0, 13.0, 15.0], 4));
        assert!(capture.reduced(3).is_err() && capture.reduced(0).is_err());
    }

    #[test]
    fn flips_are_their_own_inverse() {
        for flip in Flip::ALL {
            assert_eq!(flip.from(flip.from((1, 2), (5, 7)), (5, 7)), (1, 2), "{}", flip.name());
        }
        assert_eq!(Flip::Both.from((0, 0), (5, 7)), (4, 6));
    }
}
