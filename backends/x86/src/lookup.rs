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

/// Describes the image of an operation.
pub(crate) fn describe(arena: &mut [u64], at: usize, tex: &TexOp, image: Option<FlatImage<'_>>) {
    let Some(image) = image else {
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
