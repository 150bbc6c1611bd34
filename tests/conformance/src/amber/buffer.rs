//! Buffers and images of a script.

use super::format::{Component, Format, Segment};
use std::ops::Range;

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

    /// Gives it a size in texels, and room for all levels and samples.
    pub fn resize(&mut self, size: [usize; 3]) {
        self.size = Some(size);
        let levels = (0..self.levels.max(1)).map(|level| self.level_bytes(level));
        let bytes = levels.sum();
        self.bytes.resize(bytes, 0);
    }

    /// Width, height and depth of a level.
    pub fn level_size(&self, level: u32) -> [usize; 3] {
        let size = self.size.unwrap_or([self.elements(), 1, 1]);
        [0, 1, 2].map(|n| if level == 0 { size[n] } else { size[n].checked_shr(level).unwrap_or(0).max(1) })
    }

    fn level_bytes(&self, level: u32) -> usize {
        self.format.size * self.samples.max(1) as usize * self.level_size(level).iter().product::<usize>()
    }

    /// The bytes of a level.
    pub fn level(&self, level: u32) -> Range<usize> {
        let first = (0..level).map(|level| self.level_bytes(level)).sum();
        first..first + self.level_bytes(level)
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
        let parts = format.numbers();
        let per_element = parts.len();
        let needed = at + words.len().div_ceil(per_element) * format.size;
        if self.bytes.len() < needed {
            self.bytes.resize(needed, 0);
        }
        for (n, word) in words.iter().enumerate() {
            let segment = parts[n % per_element];
            let bits =
                segment.scalar.encode(word).ok_or_else(|| format!("`{word}` is not a number of the data type"))?;
            self.write(at + n / per_element * format.size, segment, bits);
        }
        Ok(())
    }

    /// The bits of a component of the element that begins at a byte; `None` beyond the end.
    pub fn read(&self, element: usize, segment: Segment) -> Option<u64> {
        let (bytes, shift) = place(element, segment)?;
        let whole = self.bytes.get(bytes)?.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
        Some((whole >> shift) as u64 & mask(segment))
    }

    /// Writes one, as far as there is room.
    pub fn write(&mut self, element: usize, segment: Segment, bits: u64) {
        let Some((bytes, shift)) = place(element, segment) else { return };
        let Some(place) = self.bytes.get_mut(bytes) else { return };
        let (bits, mask) = (u128::from(bits & mask(segment)) << shift, u128::from(mask(segment)) << shift);
        for (n, byte) in place.iter_mut().enumerate() {
            *byte = *byte & !((mask >> (8 * n)) as u8) | (bits >> (8 * n)) as u8;
        }
    }

    /// Writes the same everywhere in a level: to the components that have a value.
    pub fn clear(&mut self, level: u32, value: impl Fn(Component) -> Option<f64>) {
        for element in self.level(level).step_by(self.format.size.max(1)) {
            for n in 0..self.format.segments.len() {
                let segment = self.format.segments[n];
                if let Some(value) = value(segment.component) {
                    self.write(element, segment, segment.scalar.stored(segment.component, value));
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

/// The bytes that hold a component, and its first bit in them.
fn place(element: usize, segment: Segment) -> Option<(Range<usize>, usize)> {
    let first = element.checked_add(segment.offset / 8)?;
    let shift = segment.offset % 8;
    let count = (shift + segment.scalar.bits() as usize).div_ceil(8);
    Some((first..first.checked_add(count)?, shift))
}

fn mask(segment: Segment) -> u64 {
    u64::MAX >> (64 - segment.scalar.bits())
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
    fn packed_components_do_not_touch_each_other() {
        let mut buffer = Buffer::new(Format::named("A2B10G10R10_UNORM_PACK32", false).unwrap(), 0);
        buffer.fill(&["0xc00ffc01"]).unwrap();
        let segments = buffer.format.segments.clone();
        let read = |buffer: &Buffer| segments.iter().map(|s| buffer.read(0, *s).unwrap()).collect::<Vec<_>>();
        assert_eq!(read(&buffer), [1, 1023, 0, 3]);
        buffer.write(0, segments[1], 0x155);
        buffer.write(0, segments[2], 0xffff);
        assert_eq!(read(&buffer), [1, 0x155, 1023, 3]);
    }

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
