//! Pictures written as they are drawn: in frames that lie below each other, so that none has to be held whole.

use crate::floats::{npy_head, npy_rows, pfm_rows};
use crate::frame::FrameRead;
use crate::picture::rgba8;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Kind of a picture's file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PictureForm {
    /// 8 bits a component, with alpha: missing components are 0, missing alpha 1; uncovered pixels are transparent black.
    Png,
    /// Portable Float Map: red, green and blue of colour 0 as little-endian binary32, bottom row first. Values outside binary32 become
    /// what the declared format makes of them; uncovered pixels are 0.
    Pfm,
    /// A NumPy array of shape (height, width, 4), little-endian binary32, top row first; missing components are 0, missing alpha 1,
    /// uncovered pixels all 0.
    Npy,
}

/// A picture that is being written.
pub struct PictureFile<'w> {
    to: To<'w>,
}

/// Bytes of a chunk of a PNG.
const CHUNK: usize = 1 << 16;

/// What the encoder has made and nobody has written: it keeps no writer that is borrowed.
#[derive(Clone, Default)]
struct Compressed(Rc<RefCell<Vec<u8>>>);

impl Compressed {
    fn pass_on(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&std::mem::take(&mut *self.0.borrow_mut()))
    }
}

impl Write for Compressed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

enum To<'w> {
    Png(Box<png::StreamWriter<'static, Compressed>>, Compressed, &'w mut dyn Write),
    Pfm(&'w mut dyn Write),
    Npy(&'w mut dyn Write),
}

impl PictureForm {
    /// Whether the frames are to be written from the lowest up.
    pub fn is_from_below(self) -> bool {
        self == PictureForm::Pfm
    }
}

impl<'w> PictureFile<'w> {
    /// Begins a picture of `width` x `height` pixels.
    ///
    /// # Errors
    /// Those of writing.
    pub fn new(out: &'w mut dyn Write, form: PictureForm, (width, height): (u32, u32)) -> io::Result<PictureFile<'w>> {
        let to = match form {
            PictureForm::Png => {
                let compressed = Compressed::default();
                let mut encoder = png::Encoder::new(compressed.clone(), width, height);
                encoder.set_color(png::ColorType::Rgba);
                encoder.set_depth(png::BitDepth::Eight);
                encoder.set_compression(png::Compression::Balanced);
                let stream = encoder.write_header()?.into_stream_writer_with_size(CHUNK)?;
                To::Png(Box::new(stream), compressed, out)
            }
            PictureForm::Pfm => {
                write!(out, "PF\n{width} {height}\n-1.0\n")?;
                To::Pfm(out)
            }
            PictureForm::Npy => {
                let shape = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width}, 4), }}");
                out.write_all(&npy_head(&shape))?;
                To::Npy(out)
            }
        };
        Ok(PictureFile { to })
    }

    /// Pixels as a PNG: red, green, blue and alpha, row by row.
    ///
    /// # Errors
    /// Those of writing.
    pub fn png(size: (u32, u32), pixels: &[[u8; 4]]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = PictureFile::new(&mut bytes, PictureForm::Png, size)?;
        if let To::Png(stream, compressed, out) = &mut file.to {
            stream.write_all(pixels.as_flattened())?;
            compressed.pass_on(*out)?;
        }
        file.finish()?;
        Ok(bytes)
    }

    /// Adds a frame of the full width: the one below those before it, or above it where the form is written from below.
    ///
    /// # Errors
    /// Those of writing.
    pub fn add(&mut self, read: &FrameRead<'_>) -> io::Result<()> {
        match &mut self.to {
            To::Png(stream, compressed, out) => {
                stream.write_all(&rgba8(read))?;
                compressed.pass_on(*out)
            }
            To::Pfm(out) => out.write_all(&pfm_rows(read)),
            To::Npy(out) => out.write_all(&npy_rows(read)),
        }
    }

    /// Ends the picture.
    ///
    /// # Errors
    /// Those of writing.
    pub fn finish(self) -> io::Result<()> {
        match self.to {
            To::Png(stream, compressed, out) => {
                stream.finish()?;
                compressed.pass_on(out)?;
                out.flush()
            }
            To::Pfm(out) | To::Npy(out) => out.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Frame;
    use crate::frame::tests::one_channel;
    use crate::picture::decode;

    fn written(form: PictureForm, frames: &[Frame]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let height = frames.iter().map(|frame| frame.height).sum();
        let mut file = PictureFile::new(&mut bytes, form, (frames[0].width, height)).unwrap();
        let mut order: Vec<&Frame> = frames.iter().collect();
        if form.is_from_below() {
            order.reverse();
        }
        order.into_iter().for_each(|frame| file.add(&FrameRead::new(frame)).unwrap());
        file.finish().unwrap();
        bytes
    }

    #[test]
    fn frames_below_each_other_are_the_whole_picture() {
        let whole = one_channel(2, &[1.0, 0.25, 0.5, 0.75, 0.0, 1.0]);
        let parts = [one_channel(2, &[1.0, 0.25]), one_channel(2, &[0.5, 0.75, 0.0, 1.0])];
        for form in [PictureForm::Png, PictureForm::Pfm, PictureForm::Npy] {
            assert_eq!(written(form, &parts), written(form, std::slice::from_ref(&whole)), "{form:?}");
        }
        let (size, pixels) = decode(&written(PictureForm::Png, &parts)).unwrap();
        assert_eq!((size, pixels.len(), pixels[1][3]), ((2, 3), 6, 255));
    }

    #[test]
    fn float_files_hold_raw_floats() {
        let frame = [one_channel(1, &[1.0, -2.5])];
        let pfm = written(PictureForm::Pfm, &frame);
        assert!(pfm.starts_with(b"PF\n1 2\n-1.0\n"));
        assert_eq!(pfm[12..16], (-2.5f32).to_le_bytes());
        let npy = written(PictureForm::Npy, &frame);
        assert_eq!(npy.len() % 64, 32);
        assert_eq!(npy[..8], *b"\x93NUMPY\x01\x00");
        assert_eq!(npy[npy.len() - 32..][..4], 1f32.to_le_bytes());
        assert_eq!(npy[npy.len() - 4..], 1f32.to_le_bytes());
    }
}
