//! What code knows of the images that it looks up itself: those of [`FlatImage`].

use crate::layout;
use parallax_core::TexOp;
use parallax_core::exec::FlatImage;

/// Where the texels are; 0 where the image is not flat: then the host looks up.
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
/// Numbers: a half, one, the first one from which on all are integers, the NaN of textures.
pub(crate) const HALF: usize = 64;
pub(crate) const ONE: usize = 68;
pub(crate) const INTEGERS: usize = 72;
pub(crate) const NAN: usize = 76;
/// Bytes of all this.
pub(crate) const SIZE: usize = 128;

/// Lines that a lookup keeps on its way: of each axis the texels (in bytes) and the weights, of each corner the texel (in
/// bytes), of each quarter of the lanes the result.
pub(crate) const LOWER: [usize; 2] = [0, 192];
pub(crate) const UPPER: [usize; 2] = [64, 256];
pub(crate) const WEIGHT: [usize; 2] = [128, 320];
pub(crate) const CORNERS: [usize; 4] = [384, 448, 512, 576];
pub(crate) const RESULTS: [usize; 4] = [640, 704, 768, 832];
/// Bytes of all this.
pub(crate) const SCRATCH: usize = 896;

/// Bytes of a texel.
pub(crate) const TEXEL: u32 = 16;

/// Where a property of an axis stands.
pub(crate) const fn of_axis(image: usize, axis: usize, property: usize) -> usize {
    image + AXES[axis] + property
}

/// Whether every texel that an image's axes can name is there, within what a number of 32 bits tells in bytes. Code reads
/// texels without a check of its own, and the description comes from whoever implements the textures.
fn is_sound(image: &FlatImage<'_>) -> bool {
    // What is clamped from 0 on is no larger than `high`; bits that are cut off make no number larger.
    let [last_s, last_t] =
        image.axes.map(|axis| if axis.low >= 0 { axis.mask.min(axis.high as u32) } else { axis.mask });
    let last = u64::from(last_t) * u64::from(image.width) + u64::from(last_s);
    let texels = image.texels.len() as u64;
    last < texels && texels <= u64::from(u32::MAX / TEXEL)
}

/// Describes the image of an operation.
pub(crate) fn describe(arena: &mut [u64], at: usize, tex: &TexOp, image: Option<FlatImage<'_>>) {
    let Some(image) = image.filter(is_sound) else {
        arena[(at + TEXELS) / 8] = 0;
        return;
    };
    arena[(at + TEXELS) / 8] = image.texels.as_ptr().expose_provenance() as u64;
    layout::set_word(arena, at + ROW, image.width * TEXEL);
    for (n, axis) in image.axes.iter().enumerate() {
        let words = [
            (SCALE, axis.scale.to_bits()),
            (LOW, axis.low as u32),
            (HIGH, axis.high as u32),
            (BITS, axis.mask),
            (OFFSET, i32::from(tex.offset[n]) as u32),
        ];
        for (property, word) in words {
            layout::set_word(arena, of_axis(at, n, property), word);
        }
    }
    let numbers =
        [(HALF, 0.5f32.to_bits()), (ONE, 1f32.to_bits()), (INTEGERS, 8_388_608f32.to_bits()), (NAN, 0xffc0_0000)];
    for (number, word) in numbers {
        layout::set_word(arena, at + number, word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::exec::FlatAxis;

    /// All numbers that axes of such an image can name, against the check.
    #[test]
    fn images_that_name_texels_they_lack_are_left_to_the_host() {
        let texels = [[0; 4]; 12];
        let clamped = |last: i32| FlatAxis { scale: 1.0, low: 0, high: last, mask: u32::MAX };
        let repeated = |mask: u32| FlatAxis { scale: 1.0, low: i32::MIN, high: i32::MAX, mask };
        let odd = FlatAxis { scale: 1.0, low: 2, high: -1, mask: 3 };
        let all =
            [clamped(0), clamped(2), clamped(3), clamped(-1), repeated(0), repeated(1), repeated(3), repeated(7), odd];
        for s in all {
            for t in all {
                for width in [1, 3, 4, 1 << 31] {
                    let image = FlatImage { texels: &texels, width, axes: [s, t] };
                    let named = |axis: FlatAxis| {
                        // As the instructions do it: the larger of two, then the smaller of two.
                        let numbers = (-20..20).map(|n: i32| (n.max(axis.low).min(axis.high) as u32) & axis.mask);
                        u64::from(numbers.max().unwrap_or(0))
                    };
                    if is_sound(&image) {
                        assert!(named(t) * u64::from(width) + named(s) < 12, "{image:?}");
                    }
                }
            }
        }
        let flat = |s, t, width| FlatImage { texels: &texels, width, axes: [s, t] };
        assert!(is_sound(&flat(clamped(2), repeated(3), 3)) && is_sound(&flat(repeated(3), clamped(2), 4)));
        assert!(!is_sound(&flat(clamped(3), repeated(3), 3)) && !is_sound(&flat(clamped(-1), clamped(0), 4)));
    }
}
