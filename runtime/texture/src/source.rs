//! Procedural images, defined in integers.

use crate::{Image, ImageError, TexelFormat};

/// What a procedural image shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Every component of every texel is drawn from [`hash`] of (seed, x, y, component).
    Noise {
        /// Start of the hash.
        seed: u32,
    },
    /// Eight squares by eight, bytes 224 and 32, alpha 255; the top left one is light.
    Checker,
    /// Red grows with x, green with y, blue with both, from 0 to 255 (or 1); alpha is 255.
    Ramp,
}

/// A word that depends on all bits of its operands. For each the state takes four steps, in wrapping 32-bit arithmetic:
/// add the word and multiply by 0x85ebca77; xor with itself shifted right by 15; multiply by 0xc2b2ae3d; xor with itself
/// shifted right by 13. The first state is 0x9e3779b1.
pub fn hash(words: &[u32]) -> u32 {
    let mut state = 0x9e37_79b1u32;
    for &word in words {
        state = state.wrapping_add(word).wrapping_mul(0x85eb_ca77);
        state = (state ^ state >> 15).wrapping_mul(0xc2b2_ae3d);
        state ^= state >> 13;
    }
    state
}

impl Pattern {
    /// Draws the pattern on a flat image, see [`Pattern::draw_volume`].
    pub fn draw(self, width: u32, height: u32, format: TexelFormat) -> Result<Image, ImageError> {
        self.draw_volume([width, height, 1], format)
    }

    /// Draws the pattern. Bytes in `Rgba8`; in `Rgba32F` noise has 24 random bits, `bits / 2^24`, the checker's bytes are
    /// divided by 255, and the ramp is `x / (width - 1)`, rounded once. With a depth beyond 1, noise hashes z too, the
    /// checker alternates along z, and the ramp's blue grows with z alone.
    pub fn draw_volume(self, size: [u32; 3], format: TexelFormat) -> Result<Image, ImageError> {
        Image::check_volume(size)?;
        let [width, height, depth] = size;
        let places = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
        match format {
            TexelFormat::Rgba8 => Image::rgba8_volume(size, places.map(|at| self.bytes(at, size)).collect()),
            TexelFormat::Rgba32F => Image::rgba32f_volume(size, places.map(|at| self.floats(at, size)).collect()),
        }
    }

    fn noise(seed: u32, [x, y, z]: [u32; 3], comp: usize, depth: u32) -> u32 {
        let words = [seed, x, y, comp as u32, z];
        hash(if depth == 1 { &words[..4] } else { &words })
    }

    /// Steps along red, green and blue, and how many there are.
    fn steps([x, y, z]: [u32; 3], [width, height, depth]: [u32; 3]) -> [(u32, u32); 3] {
        let blue = if depth == 1 { (x + y, width + height - 2) } else { (z, depth - 1) };
        [(x, width - 1), (y, height - 1), blue]
    }

    fn bytes(self, at: [u32; 3], size: [u32; 3]) -> [u8; 4] {
        match self {
            Pattern::Noise { seed } => std::array::from_fn(|c| (Pattern::noise(seed, at, c, size[2]) >> 24) as u8),
            Pattern::Checker => {
                let squares: u32 = (0..3).map(|axis| at[axis] * 8 / size[axis]).sum();
                let grey = if squares.is_multiple_of(2) { 224 } else { 32 };
                [grey, grey, grey, 255]
            }
            Pattern::Ramp => {
                // Rounded half up.
                let byte = |(n, of): (u32, u32)| if of == 0 { 0 } else { ((510 * n + of) / (2 * of)) as u8 };
                let [red, green, blue] = Pattern::steps(at, size).map(byte);
                [red, green, blue, 255]
            }
        }
    }

    fn floats(self, at: [u32; 3], size: [u32; 3]) -> [u32; 4] {
        let ratio = |(n, of): (u32, u32)| if of == 0 { 0.0 } else { n as f32 / of as f32 };
        let floats = match self {
            Pattern::Noise { seed } => {
                std::array::from_fn(|c| (Pattern::noise(seed, at, c, size[2]) >> 8) as f32 / (1 << 24) as f32)
            }
            Pattern::Checker => self.bytes(at, size).map(|byte| f32::from(byte) / 255.0),
            Pattern::Ramp => {
                let [red, green, blue] = Pattern::steps(at, size).map(ratio);
                [red, green, blue, 1.0]
            }
        };
        floats.map(f32::to_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pinned: pictures and recorded results depend on it.
    #[test]
    fn the_hash_never_changes() {
        assert_eq!(hash(&[]), 0x9e37_79b1);
        assert_eq!([hash(&[0]), hash(&[1]), hash(&[1, 2, 3, 4])], [0xabd8_4daf, 0xd25a_b9eb, 0x1467_3a2b]);
    }

    #[test]
    fn noise_is_even_and_depends_on_every_operand() {
        let image = Pattern::Noise { seed: 1 }.draw(256, 256, TexelFormat::Rgba8).unwrap();
        let mut sum = [0.0f64; 4];
        for y in 0..256 {
            for x in 0..256 {
                for (sum, bits) in sum.iter_mut().zip(image.texel(0, [x, y, 0])) {
                    *sum += f64::from(f32::from_bits(bits)) / 65536.0;
                }
            }
        }
        assert!(sum.iter().all(|mean| (0.495..0.505).contains(mean)), "{sum:?}");
        let other = Pattern::Noise { seed: 2 }.draw(256, 256, TexelFormat::Rgba8).unwrap();
        assert_ne!(image, other);
    }

    #[test]
    fn ramps_reach_both_ends() {
        for format in [TexelFormat::Rgba8, TexelFormat::Rgba32F] {
            let image = Pattern::Ramp.draw(5, 3, format).unwrap();
            assert_eq!(image.texel(0, [0, 0, 0]).map(f32::from_bits), [0.0, 0.0, 0.0, 1.0]);
            assert_eq!(image.texel(0, [4, 2, 0]).map(f32::from_bits), [1.0, 1.0, 1.0, 1.0]);
            assert!(Pattern::Ramp.draw(1, 1, format).is_ok());
        }
        let volume = Pattern::Ramp.draw_volume([2, 2, 3], TexelFormat::Rgba8).unwrap();
        assert_eq!(volume.texel(0, [0, 0, 2]).map(f32::from_bits), [0.0, 0.0, 1.0, 1.0]);
        let image = Pattern::Checker.draw(16, 16, TexelFormat::Rgba8).unwrap();
        assert_eq!(image.texel(0, [0, 0, 0]), image.texel(0, [1, 1, 0]));
        assert_ne!(image.texel(0, [0, 0, 0]), image.texel(0, [2, 0, 0]));
    }
}
