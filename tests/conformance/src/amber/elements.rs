//! Elements of buffers as shaders see them, and images of them.

use super::buffer::Buffer;
use super::format::Scalar;
use crate::Outcome;
use parallax_core::exec::{ImageFormat, ImageLayout, TexelKind};
use parallax_core::{ImageDecl, ImageShape};
use parallax_texture::{Image, Sampler, Unit};
use std::sync::Arc;

/// Four words of an attribute, an output or a texel.
pub(super) type Vector = [u32; 4];

/// The elements of a buffer from a byte on: (0, 0, 0, 1) where they have fewer components.
pub(super) fn vectors(buffer: &Buffer, from: usize) -> Vec<Vector> {
    let (size, places) = (buffer.format.size.max(1), buffer.format.places());
    let has_integers = buffer.format.segments.first().is_some_and(|segment| is_integer(segment.scalar));
    let one = if has_integers { 1 } else { 1f32.to_bits() };
    let element = |n: usize| {
        let mut vector = [0, 0, 0, one];
        for (segment, place) in buffer.format.segments.iter().zip(&places) {
            let Some(place) = place.filter(|place| *place < 4) else { continue };
            let bits = buffer.read(from + n * size, *segment).unwrap_or(0);
            vector[place] = match segment.scalar {
                scalar if is_integer(scalar) => scalar.number(bits) as i64 as u32,
                scalar => (scalar.normalised(segment.component, bits) as f32).to_bits(),
            };
        }
        vector
    };
    (0..buffer.bytes.len().saturating_sub(from) / size).map(element).collect()
}

/// What a program reads and writes as an image in memory.
pub(super) struct Texels {
    /// How they lie.
    pub(super) layout: ImageLayout,
    /// Whether the buffer has another format, and is converted before and after.
    is_converted: bool,
}

impl Texels {
    /// Those of a buffer.
    ///
    /// # Errors
    /// A format that the program cannot take.
    pub(super) fn of(buffer: &Buffer, decl: &ImageDecl) -> Result<Texels, Outcome> {
        let own = buffer.format.image();
        let can_widen = decl.any_format && !matches!(decl.format.kind(), TexelKind::Long | TexelKind::Ulong);
        let widest = Some(ImageFormat::widest(decl.format.kind())).filter(|_| can_widen);
        let format = own.or(widest);
        let format = format.ok_or_else(|| Outcome::NotParsed("an image of this format as memory".into()))?;
        let is_flat = decl.shape == ImageShape::Buffer;
        let row = [buffer.elements(), 1, 1];
        let size = buffer.size.filter(|_| !is_flat).unwrap_or(row).map(|side| side as u32);
        let layout = ImageLayout { format, size, samples: buffer.samples.max(1) };
        Ok(Texels { layout, is_converted: own.is_none() })
    }

    /// The words that the program sees.
    pub(super) fn words(&self, buffer: &Buffer, from: usize) -> Vec<u32> {
        if self.is_converted { vectors(buffer, from).concat() } else { buffer.words(from) }
    }

    /// Takes those words back that are not as they were.
    pub(super) fn take(&self, buffer: &mut Buffer, from: usize, before: &[u32], words: &[u32]) {
        if !self.is_converted {
            return buffer.take_words(from, before, words);
        }
        let (segments, places) = (buffer.format.segments.clone(), buffer.format.places());
        for (n, (before, words)) in before.chunks_exact(4).zip(words.chunks_exact(4)).enumerate() {
            for (segment, place) in segments.iter().zip(&places) {
                let Some(place) = place.filter(|place| *place < 4 && before[*place] != words[*place]) else { continue };
                let value = match self.layout.format.kind() {
                    TexelKind::Float => f64::from(f32::from_bits(words[place])),
                    TexelKind::Uint => f64::from(words[place]),
                    _ => f64::from(words[place] as i32),
                };
                let bits = segment.scalar.stored(segment.component, value);
                buffer.write(from + n * buffer.format.size, *segment, bits);
            }
        }
    }
}

/// What a unit looks up.
///
/// # Errors
/// An image that cannot be looked up.
pub(super) fn unit(buffer: &Buffer, sampler: Sampler) -> Result<Unit, Outcome> {
    let refuse = |what: &str| Outcome::NotParsed(format!("an image {what}"));
    if buffer.samples > 1 {
        return Err(refuse("of several samples"));
    }
    let size = buffer.size.unwrap_or([buffer.elements(), 1, 1]);
    if buffer.levels > 1 && size[2] > 1 {
        return Err(refuse("of several levels and slices"));
    }
    let mut texels = vectors(buffer, 0);
    let mut smaller = texels.split_off(size.iter().product::<usize>().min(texels.len()));
    let image = Image::rgba32f_volume(size.map(|side| side as u32), texels);
    let mut image = image.map_err(|_| refuse("of this size"))?;
    for level in 1..buffer.levels {
        let rest = smaller.split_off(buffer.level_size(level).iter().product::<usize>().min(smaller.len()));
        image = image.with_level(smaller).map_err(|_| refuse("of this size"))?;
        smaller = rest;
    }
    Ok(Unit::Image { image: Arc::new(image), sampler })
}

/// Whether shaders see an integer.
pub(super) fn is_integer(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Int(_) | Scalar::Uint(_))
}

#[cfg(test)]
mod tests {
    use super::super::format::Format;
    use super::*;

    fn buffer(format: &str, words: &[&str]) -> Buffer {
        let mut buffer = Buffer::new(Format::named(format, false).unwrap(), 0);
        buffer.fill(words).unwrap();
        buffer
    }

    #[test]
    fn elements_are_four_words() {
        assert_eq!(vectors(&buffer("R8G8_SINT", &["-1", "2"]), 0), [[u32::MAX, 2, 0, 1]]);
        let [zero, one] = [0f32, 1.0].map(f32::to_bits);
        assert_eq!(vectors(&buffer("B8G8R8A8_UNORM", &["0", "0", "255", "255"]), 0), [[one, zero, zero, one]]);
        assert_eq!(
            vectors(&buffer("B10G11R11_UFLOAT_PACK32", &["0x7c000000"]), 0),
            [[zero, zero, 1.5f32.to_bits(), one]]
        );
    }

    #[test]
    fn texels_of_other_formats_are_converted_where_the_program_takes_any() {
        let mut texels = buffer("B8G8R8_SNORM", &["127", "0", "129", "0", "0", "0"]);
        let format = ImageFormat::widest(TexelKind::Float);
        let decl = ImageDecl { shape: ImageShape::Buffer, format, any_format: true };
        let seen = Texels::of(&texels, &decl).unwrap_or_else(|_| panic!("it can be converted"));
        let before = seen.words(&texels, 0);
        assert_eq!(before[..4], [-1.0f32, 0.0, 1.0, 1.0].map(f32::to_bits));
        let mut after = before.clone();
        after[4] = 1f32.to_bits();
        seen.take(&mut texels, 0, &before, &after);
        assert_eq!(texels.bytes, [127, 0, 129, 0, 0, 127]);
        assert!(Texels::of(&texels, &ImageDecl { any_format: false, ..decl }).is_err());
    }

    #[test]
    fn levels_follow_each_other() {
        let mut texels = buffer("R32_UINT", &[]);
        texels.levels = 2;
        texels.resize([2, 2, 1]);
        texels.fill(&["1", "2", "3", "4", "5"]).unwrap();
        let Ok(Unit::Image { image, .. }) = unit(&texels, Sampler::default()) else { panic!("an image") };
        assert_eq!((image.levels(), image.texel(0, [1, 1, 0])[0], image.texel(1, [0; 3])[0]), (2, 4, 5));
    }
}
