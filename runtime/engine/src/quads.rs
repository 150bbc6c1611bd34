//! Sets of quads of a frame.

/// One quad of so many is among [`Quads::some`].
const EVERY: usize = 32;

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

    /// One quad of 32, spread over a frame of `width` x `height` pixels: which, depends on the size alone.
    pub fn some(width: u32, height: u32) -> Quads {
        let mut quads = Quads::none(width, height);
        let all = u64::from(quads.across) * u64::from(quads.down);
        for first in (0..all).step_by(EVERY) {
            // Not in columns: the high bits of a multiple of the golden ratio.
            let scattered = (first / EVERY as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let quad = first + scattered % (all - first).min(EVERY as u64);
            let across = u64::from(quads.across);
            quads.insert(2 * (quad % across) as u32, 2 * (quad / across) as u32);
        }
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

    /// Columns of the quads in the row of quads that holds a row of pixels.
    pub(crate) fn in_row(&self, y: u32) -> impl Iterator<Item = u32> + '_ {
        let first = u64::from(y / 2) * u64::from(self.across);
        let end = first + u64::from(self.across);
        let words = if y / 2 < self.down { first / 64..end.div_ceil(64) } else { 0..0 };
        words.flat_map(move |word| {
            let start = word * 64;
            let before = first.saturating_sub(start);
            let mut bits = self.bits[word as usize] >> before << before;
            std::iter::from_fn(move || {
                let at = start + u64::from(bits.trailing_zeros());
                (bits != 0 && at < end).then(|| {
                    bits &= bits - 1;
                    2 * (at - first) as u32
                })
            })
        })
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

    #[test]
    fn rows_of_quads_have_what_the_set_has() {
        for (width, height) in [(5, 3), (64, 64), (128, 6), (131, 9), (260, 40)] {
            let mut quads = Quads::some(width, height);
            (0..height).for_each(|n| quads.insert(n * 37 % width, n));
            for y in 0..height + 4 {
                let row: Vec<u32> = quads.in_row(y).collect();
                let wanted: Vec<u32> = (0..width).step_by(2).filter(|&x| quads.contains(x, y)).collect();
                assert_eq!(row, wanted, "row {y} of {width}x{height}");
            }
        }
    }

    #[test]
    fn some_quads_are_spread_over_the_frame() {
        let some = Quads::some(64, 64);
        let quads: Vec<(u32, u32)> = some.iter().collect();
        assert_eq!(quads.len(), 32);
        // One in each row of quads, and in more than half of the columns.
        assert!(quads.iter().enumerate().all(|(row, quad)| quad.1 == 2 * row as u32));
        let mut columns: Vec<u32> = quads.iter().map(|quad| quad.0).collect();
        columns.sort_unstable();
        columns.dedup();
        assert!(columns.len() > 16, "{columns:?}");
        // A small frame has one at least.
        assert_eq!((Quads::some(1, 1).len(), Quads::some(8, 8).len(), Quads::some(18, 8).len()), (1, 1, 2));
    }
}
