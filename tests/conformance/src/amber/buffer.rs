//! Buffers and images of a script.

use super::format::{Component, Format, Segment};

/// A buffer or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// What its elements are.
    pub format: Format,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Width, height and depth, where the script or a pipeline gives them.
    pub size: Option<[usize; 3]>,
    /// Whether it was declared with an image format alone, and takes its size from the pipelines that draw to it.
    pub is_sized_by_pipeline: bool,
    /// Levels of detail.
    pub levels: u32,
    /// Samples of a texel.
    pub samples: u32,
}

impl Buffer {
    /// A buffer of zeros.
    pub fn new(format: Format, elements: usize) -> Buffer {
        let bytes = vec![0; format.size * elements];
        Buffer { format, bytes, size: None, is_sized_by_pipeline: false, levels: 1, samples: 1 }
    }

    /// How many elements it has.
    pub fn elements(&self) -> usize {
        self.bytes.len() / self.format.size.max(1)
    }

    /// Gives it a size in texels.
    pub fn resize(&mut self, size: [usize; 3]) {
        self.size = Some(size);
        self.bytes.resize(self.format.size * self.samples.max(1) as usize * size.iter().product::<usize>(), 0);
    }

    /// Writes numbers one after the other, growing where there are more than it has room for.
    ///
    /// # Errors
    /// A word that is no number.
    pub fn fill(&mut self, words: &[&str]) -> Result<(), String> {
        let format = self.format.clone();
        self.fill_from(0, &format, words)
    }

    /// Writes numbers of a format from a byte on, in the same way.
    ///
    /// # Errors
    /// A word that is no number.
    pub fn fill_from(&mut self, at: usize, format: &Format, words: &[&str]) -> Result<(), String> {
        let per_element = format.segments.len();
        let needed = at + words.len().div_ceil(per_element) * format.size;
        if self.bytes.len() < needed {
            self.bytes.resize(needed, 0);
        }
        for (n, word) in words.iter().enumerate() {
            let segment = format.segments[n % per_element];
            let bits =
                segment.scalar.encode(word).ok_or_else(|| format!("`{word}` is not a number of the data type"))?;
            self.write(at + n / per_element * format.size, segment, bits);
        }
        Ok(())
    }

    /// The bits of a component of the element that begins at a byte; `None` beyond the end.
    pub fn read(&self, element: usize, segment: Segment) -> Option<u64> {
        let at = element.checked_add(segment.offset)?;
        let bytes = self.bytes.get(at..at.checked_add(segment.scalar.bits() as usize / 8)?)?;
        Some(bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)))
    }

    /// Writes one, as far as there is room.
    pub fn write(&mut self, element: usize, segment: Segment, bits: u64) {
        let (at, count) = (element + segment.offset, segment.scalar.bits() as usize / 8);
        if let Some(place) = self.bytes.get_mut(at..at + count) {
            place.copy_from_slice(&bits.to_le_bytes()[..count]);
        }
    }

    /// Writes the same colour everywhere.
    pub fn clear(&mut self, colour: [f64; 4]) {
        for element in 0..self.elements() {
            for n in 0..self.format.segments.len() {
                let segment = self.format.segments[n];
                if let Some(place) = channel(segment.component) {
                    let bits = segment.scalar.stored(segment.component, colour[place]);
                    self.write(element * self.format.size, segment, bits);
                }
            }
        }
    }

    /// Its bytes as words, from a byte on.
    pub fn words(&self, from: usize) -> Vec<u32> {
        let bytes = self.bytes.get(from..).unwrap_or_default();
        bytes.chunks(4).map(|chunk| chunk.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))).collect()
    }

    /// Takes those words back that are not as they were: a buffer may be bound twice.
    pub fn take_words(&mut self, from: usize, before: &[u32], words: &[u32]) {
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let (before, after) = (bytes(before), bytes(words));
        let changed = self.bytes.iter_mut().skip(from).zip(before.iter().zip(&after));
        changed.filter(|(_, (before, after))| before != after).for_each(|(to, (_, after))| *to = *after);
    }
}

/// The place of a component in a colour.
pub(super) fn channel(component: Component) -> Option<usize> {
    match component {
        Component::Red => Some(0),
        Component::Green => Some(1),
        Component::Blue => Some(2),
        Component::Alpha => Some(3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_skip_the_padding() {
        let mut buffer = Buffer::new(Format::named("vec3<int32>", false).unwrap(), 0);
        buffer.fill(&["1", "2", "3", "4", "5", "-1"]).unwrap();
        assert_eq!(buffer.words(0), [1, 2, 3, 0, 4, 5, u32::MAX, 0]);
        buffer.take_words(12, &[0, 9, 5], &[1, 7, 5]);
        assert_eq!(buffer.words(12)[2], 5);
        assert_eq!(buffer.read(16, buffer.format.segments[0]), Some(7));
        assert_eq!(buffer.read(32, buffer.format.segments[0]), None);
        assert!(buffer.fill(&["x"]).is_err());
    }
}
