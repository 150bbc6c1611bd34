//! What code knows of the images that it looks up itself: those of [`FlatImage`].
//!
//! Offsets are those of words of 32 bits. At the level of AVX2, where what is the same in all lanes is a line full of it, each
//! of them but the first two is the line of the same number.

use crate::arena::set_uniform;
use crate::level::Level;
use parallax_core::TexOp;
use parallax_core::exec::{FlatAxis, FlatImage, FlatTexels, Textures};
use parallax_core::num::{Grid, Round};

/// Where the texel of number 0 along both axes is; 0 where the image is not flat: then the host looks up.
pub(crate) const TEXELS: usize = 0;
/// Bytes of a row of texels.
pub(crate) const ROW: usize = 8;
/// Of each axis: texels per unit, least and greatest number of a texel, the bits of numbers that count, what is added to
/// numbers.
const AXES: [usize; 2] = [16, 36];
pub(crate) const SCALE: usize = 0;
pub(crate) const LOW: usize = 4;
pub(crate) const HIGH: usize = 8;
pub(crate) const BITS: usize = 12;
pub(crate) const OFFSET: usize = 16;
/// Numbers: a half, the first one from which on all are integers, the NaN of textures, places between two texels and from one to the
/// next.
pub(crate) const HALF: usize = 64;
pub(crate) const INTEGERS: usize = 68;
pub(crate) const NAN: usize = 72;
pub(crate) const PLACES: usize = 76;
pub(crate) const STEP: usize = 80;
/// Not 0 where a blend may be a NaN.
pub(crate) const MAY_BE_NAN: usize = 84;
/// Two masks of 16 bits, for AVX-512: of the second quarter of a vector of 32-bit words, which is the second half of one of 64-bit words,
/// and of the last quarter.
pub(crate) const QUARTERS: [usize; 2] = [88, 90];
/// Bytes of all this.
pub(crate) const fn size(level: Level) -> usize {
    match level {
        Level::Avx2 => 8 * 128,
        Level::Avx512 => 128,
    }
}

/// Lines that a lookup keeps on its way: of each axis the weights, of each lane the first of its four texels (in bytes), of
/// each quarter of the lanes the result.
pub(crate) const WEIGHT: [usize; 2] = [0, 64];
pub(crate) const PLACE: usize = 128;
pub(crate) const RESULTS: [usize; 4] = [192, 256, 320, 384];
/// Bytes of all this.
pub(crate) const SCRATCH: usize = 448;

/// A lookup that code does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lookup {
    /// Where its image is described.
    pub(crate) image: usize,
    /// The component that is read, if it is one alone.
    pub(crate) only: Option<usize>,
}

impl Lookup {
    /// Bytes from a texel to the next one of the row: all components, or one of it and of the texel below.
    pub(crate) const fn texel(self) -> u32 {
        if self.only.is_some() { 8 } else { 16 }
    }
}

/// Where a property of an axis stands.
pub(crate) const fn of_axis(image: usize, axis: usize, property: usize) -> usize {
    image + AXES[axis] + property
}

/// Where a word, or its line, stands.
const fn at(level: Level, image: usize, offset: usize) -> usize {
    match level {
        Level::Avx2 => image + 8 * offset,
        Level::Avx512 => image + offset,
    }
}

/// The line of a property of an axis, for AVX2.
pub(crate) const fn line_of_axis(image: usize, axis: usize, property: usize) -> usize {
    at(Level::Avx2, image, AXES[axis] + property)
}

/// The line of a number, or of the bytes of a row, for AVX2.
pub(crate) const fn line_of_number(image: usize, number: usize) -> usize {
    at(Level::Avx2, image, number)
}

/// Where it says whether blends may be NaNs.
pub(crate) const fn flag(level: Level, image: usize) -> usize {
    at(level, image, MAY_BE_NAN)
}

/// The least and the greatest number of an axis.
fn numbers(axis: &FlatAxis) -> [i64; 2] {
    match axis.mask {
        u32::MAX => [axis.low, axis.high].map(i64::from),
        // What is clamped from 0 on is no larger than `high`; bits that are cut off make no number larger.
        mask if axis.low >= 0 => [0, i64::from(mask.min(axis.high as u32))],
        mask => [0, i64::from(mask)],
    }
}

/// Whether every texel that an image's axes can name is there, within what a number of 32 bits tells in bytes. Code reads
/// texels without a check of its own, and the description comes from whoever implements the textures.
fn is_sound(image: &FlatImage<'_>) -> bool {
    let [s, t] = image.axes.map(|axis| numbers(&axis));
    let (texels, rows, bytes) = match image.texels {
        FlatTexels::Whole(texels) => (texels.len() as i64, 2, 16),
        FlatTexels::Pairs(pairs) => (pairs.len() as i64, 1, 8),
    };
    let (origin, width) = (i64::from(image.origin), i64::from(image.width));
    let place = |s: i64, t: i64| t.checked_mul(width)?.checked_add(origin + s);
    let first = place(s[0], t[0]);
    // The last lookup reads two texels of its row, and of the one behind it where that does not stand beside them.
    let last = place(s[1] + 1, t[1] + rows - 1);
    s[0] <= s[1]
        && t[0] <= t[1]
        && origin < texels
        && first.is_some_and(|first| first >= 0)
        && last.is_some_and(|last| last < texels)
        && texels <= i64::from(i32::MAX) / bytes
}

/// Describes the image of an operation.
pub(crate) fn describe(level: Level, arena: &mut [u64], lookup: Lookup, tex: &TexOp, textures: &dyn Textures) {
    let Lookup { image, only } = lookup;
    let flat = textures.flat(tex, only).filter(is_sound);
    let first = flat.and_then(|flat| match (flat.texels, only) {
        (FlatTexels::Whole(texels), None) => Some(texels.as_ptr().expose_provenance()),
        (FlatTexels::Pairs(pairs), Some(_)) => Some(pairs.as_ptr().expose_provenance()),
        _ => None,
    });
    let (Some(flat), Some(first)) = (flat, first) else {
        arena[(image + TEXELS) / 8] = 0;
        return;
    };
    arena[(image + TEXELS) / 8] = first as u64 + u64::from(flat.origin * lookup.texel());
    let mut set = |offset, word| set_uniform(level, arena, at(level, image, offset), word);
    set(ROW, flat.width * lookup.texel());
    set(MAY_BE_NAN, u32::from(!flat.is_moderate));
    set(QUARTERS[0], 0xf000_00f0);
    for (n, axis) in flat.axes.iter().enumerate() {
        for (property, word) in [
            (SCALE, axis.scale.to_bits()),
            (LOW, axis.low as u32),
            (HIGH, axis.high as u32),
            (BITS, axis.mask),
            (OFFSET, i32::from(tex.offset[n]) as u32),
        ] {
            set(AXES[n] + property, word);
        }
    }
    for (number, word) in [(HALF, 0.5f32.to_bits()), (INTEGERS, 8_388_608f32.to_bits()), (NAN, 0xffc0_0000)] {
        set(number, word);
    }
    if let Some((bits, _)) = places(tex) {
        let places = (1u32 << bits) as f32;
        set(PLACES, places.to_bits());
        set(STEP, (1.0 / places).to_bits());
    }
}

/// Fraction bits that coordinates in texels are rounded to, and how an instruction that rounds calls the direction: without
/// exceptions.
pub(crate) fn places(tex: &TexOp) -> Option<(u8, u8)> {
    let Grid::Fixed { bits, round } = tex.rule.linear else { return None };
    let direction = match round {
        Round::Down => 1,
        Round::Up => 2,
        Round::Zero => 3,
        // The others are left to the host.
        Round::NearestEven | Round::NearestAway | Round::Away => 0,
    };
    Some((bits, 8 | direction))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All numbers that axes of such an image can name, against the check.
    #[test]
    fn images_that_name_texels_they_lack_are_left_to_the_host() {
        let texels = [[0; 4]; 30];
        let clamped = |low: i32, last: i32| FlatAxis { scale: 1.0, low, high: last, mask: u32::MAX };
        let repeated = |mask: u32| FlatAxis { scale: 1.0, low: i32::MIN, high: i32::MAX, mask };
        let odd = FlatAxis { scale: 1.0, low: 2, high: -1, mask: 3 };
        let ends =
            [(0, 0), (0, 2), (0, 3), (0, -1), (-1, 2), (-2, 3), (i32::MIN, 1)].map(|(low, last)| clamped(low, last));
        let all = [ends.as_slice(), &[0, 1, 3, 7, u32::MAX >> 1].map(repeated), &[odd]].concat();
        let mut sound = 0;
        for &s in &all {
            for &t in &all {
                for (width, origin) in [(1, 0), (3, 1), (4, 0), (4, 1), (5, 2), (1 << 31, 0), (4, u32::MAX)] {
                    let image = FlatImage {
                        texels: FlatTexels::Whole(&texels),
                        is_moderate: true,
                        width,
                        origin,
                        axes: [s, t],
                    };
                    // As the instructions do it: the larger of two, then the smaller of two.
                    let number =
                        |axis: FlatAxis, n: i32| i64::from((n.max(axis.low).min(axis.high) as u32 & axis.mask) as i32);
                    if is_sound(&image) {
                        sound += 1;
                        for (x, y) in (-20..20).flat_map(|x| (-20..20).map(move |y| (x, y))) {
                            let at = i64::from(origin) + number(t, y) * i64::from(width) + number(s, x);
                            assert!(at >= 0 && at + 1 + i64::from(width) < 30, "{image:?} {x} {y}");
                        }
                    }
                }
            }
        }
        assert!(sound > 20);
        let flat = |s, t, width, origin| FlatImage {
            texels: FlatTexels::Whole(&texels),
            is_moderate: true,
            width,
            origin,
            axes: [s, t],
        };
        // Three texels with edges make rows of five, and there are six rows.
        let [s, t] = [clamped(-1, 2), clamped(-1, 3)];
        assert!(is_sound(&flat(s, t, 5, 6)) && is_sound(&flat(repeated(3), repeated(3), 5, 0)));
        assert!(!is_sound(&flat(s, clamped(-1, 4), 5, 6)) && !is_sound(&flat(s, t, 5, 5)));
        // The first texel and the numbers of code have 32 bits in bytes: an origin that no texel has would be cut off.
        let far = 1 << 28;
        assert!(!is_sound(&flat(clamped(1 - far, 2 - far), clamped(0, 0), 4, far as u32 - 1)));
    }
}
