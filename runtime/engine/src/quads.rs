//! Sets of quads of a frame.

/// Quads of a frame of a certain size: blocks of 2x2 pixels, by the numbers of rows and columns of quads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quads {
    across: u32,
    down: u32,
    bits: Vec<u64>,
}

impl Quads {
    /// No quad of a frame of `width` x `height` pixels.
    pub fn none(width: u32, height: u32) -> Quads {
        let (across, down) = (width.div_ceil(2), height.div_ceil(2));
        Quads { across, down, bits: vec![0; (across as usize * down as usize).div_ceil(64)] }
    }

    /// All of them.
    pub fn all(width: u32, height: u32) -> Quads {
        let mut quads = Quads::none(width, height);
        (0..quads.down).for_each(|y| (0..quads.across).for_each(|x| quads.insert(2 * x, 2 * y)));
        quads
    }

    fn place(&self, x: u32, y: u32) -> Option<(usize, u32)> {
        let (x, y) = (x / 2, y / 2);
        let at = u64::from(y) * u64::from(self.across) + u64::from(x);
        (x < self.across && y < self.down).then_some(((at / 64) as usize, (at % 64) as u32))
    }

    /// Adds the quad that holds a pixel. Pixels outside of the frame are in none.
    pub fn insert(&mut self, x: u32, y: u32) {
        if let Some((word, bit)) = self.place(x, y) {
            self.bits[word] |= 1 << bit;
        }
    }

    /// Whether the quad that holds a pixel is among them.
    pub fn contains(&self, x: u32, y: u32) -> bool {
        self.place(x, y).is_some_and(|(word, bit)| self.bits[word] >> bit & 1 != 0)
    }

    /// Number of quads.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    /// Column and row of the top left pixel of each, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let all = (0..self.down).flat_map(|y| (0..self.across).map(move |x| (2 * x, 2 * y)));
        all.filter(|&(x, y)| self.contains(x, y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quad_holds_its_four_pixels() {
        let mut quads = Quads::none(5, 3);
        assert!(quads.is_empty());
        quads.insert(3, 1);
        quads.insert(4, 2);
        quads.insert(6, 0);
        assert_eq!(quads.iter().collect::<Vec<_>>(), [(2, 0), (4, 2)]);
        assert_eq!(quads.len(), 2);
        assert!(quads.contains(2, 0) && quads.contains(5, 3) && !quads.contains(1, 0) && !quads.contains(6, 0));
        assert_eq!(Quads::all(5, 3).len(), 6);
    }
}
