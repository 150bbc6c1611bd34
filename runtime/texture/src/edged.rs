//! Flat images as code looks them up: binary32 patterns, with what the edges make of numbers beyond them.

use std::sync::OnceLock;

/// Magnitudes up to here make blends that are numbers: 2^126.
const MODERATE: u32 = 0x7e80_0000;

/// An image with its edges: along a repeated axis the first texel comes again behind the last one, along others each end stands
/// twice.
#[derive(Clone, Debug)]
pub(crate) struct Edged {
    texels: Vec<[u32; 4]>,
    width: u32,
    is_moderate: bool,
    /// Of each component, once somebody asked for it.
    pairs: [OnceLock<Vec<[u32; 2]>>; 4],
}

impl Edged {
    /// That of an image of this size, with a texel of each column and row.
    pub(crate) fn new(size: [u32; 2], repeated: [bool; 2], texel: impl Fn(u32, u32) -> [u32; 4]) -> Edged {
        let numbers = |axis: usize| {
            let (start, end) = if repeated[axis] { (None, 0) } else { (Some(0), size[axis] - 1) };
            start.into_iter().chain(0..size[axis]).chain([end])
        };
        let places = numbers(1).flat_map(|y| numbers(0).map(move |x| (x, y)));
        let texels: Vec<[u32; 4]> = places.map(|(x, y)| texel(x, y)).collect();
        let is_moderate = texels.as_flattened().iter().all(|word| word & (u32::MAX >> 1) <= MODERATE);
        Edged { texels, width: numbers(0).count() as u32, is_moderate, pairs: Default::default() }
    }

    /// All texels, row by row.
    pub(crate) fn texels(&self) -> &[[u32; 4]] {
        &self.texels
    }

    /// Texels of a row.
    pub(crate) fn width(&self) -> u32 {
        self.width
    }

    /// Whether all components are numbers of at most 2^126.
    pub(crate) fn is_moderate(&self) -> bool {
        self.is_moderate
    }

    /// A component of each texel and of the one below it; the last row is left out.
    pub(crate) fn pairs(&self, comp: usize) -> &[[u32; 2]] {
        self.pairs[comp].get_or_init(|| {
            let below = self.texels.iter().skip(self.width as usize);
            self.texels.iter().zip(below).map(|(texel, below)| [texel[comp], below[comp]]).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texels named by column and row, from 1.
    fn numbered(size: [u32; 2], repeated: [bool; 2]) -> Edged {
        Edged::new(size, repeated, |x, y| std::array::from_fn(|comp| 100 * (y + 1) + 10 * (x + 1) + comp as u32))
    }

    #[test]
    fn edges_come_again_or_stand_twice() {
        let image = numbered([2, 3], [true, false]);
        let first: Vec<u32> = image.texels().iter().map(|texel| texel[0]).collect();
        let rows = [[110, 120, 110], [110, 120, 110], [210, 220, 210], [310, 320, 310], [310, 320, 310]];
        assert_eq!((image.width(), first.as_slice()), (3, rows.as_flattened()));
        let image = numbered([1, 2], [false, true]);
        let first: Vec<u32> = image.texels().iter().map(|texel| texel[0]).collect();
        assert_eq!((image.width(), first), (3, vec![110, 110, 110, 210, 210, 210, 110, 110, 110]));
    }

    #[test]
    fn pairs_are_a_texel_and_the_one_below() {
        let image = numbered([2, 2], [true, true]);
        assert_eq!(image.pairs(0), [[110, 210], [120, 220], [110, 210], [210, 110], [220, 120], [210, 110]]);
        assert_eq!(image.pairs(3)[1], [123, 223]);
    }

    #[test]
    fn moderate_texels_make_no_blend_that_is_no_number() {
        let of = |word: f32| Edged::new([1, 1], [true; 2], |_, _| [0, word.to_bits(), 0, 0]).is_moderate();
        let most = 126f32.exp2();
        assert!(of(most) && of(-most) && of(-0.0) && of(f32::from_bits(1)));
        for word in [most.next_up(), -most.next_up(), f32::INFINITY, f32::NAN, -f32::NAN] {
            assert!(!of(word), "{word:e}");
        }
        // The largest difference there is, times the largest weight, is still a number.
        let blend = |p: f32, q: f32, w: f32| p + w * (q - p);
        let [low, high] = [blend(most, -most, 1.0), blend(-most, most, 1.0)];
        assert!(blend(low, high, 1.0).is_finite() && blend(high, low, 1.0).is_finite());
    }
}
