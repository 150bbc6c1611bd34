//! Procedural images, defined in integers.

use crate::image::{Image, ImageError, TexelFormat};

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
    Gradient,
    /// A normal map: domes in eight rows of eight on a plane. Red, green and blue are 128 + 127 n of the unit normal n, rounded
    /// half up; x points right, y up, z to the viewer; alpha is 255.
    Normals,
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

    /// Draws the pattern. Bytes in `Rgba8` and `Srgb8`; in `Rgba32F` and, rounded, in the others noise has 24 random bits, `bits /
    /// 2^24`, the checker's bytes are
    /// and the normals' are divided by 255, and the gradient is `x / (width - 1)`, rounded once. With a depth beyond 1, noise
    /// hashes z too, the checker alternates along z, the gradient's blue grows with z alone, and the normals stay.
    pub fn draw_volume(self, size: [u32; 3], format: TexelFormat) -> Result<Image, ImageError> {
        Image::check_volume(size)?;
        let [width, height, depth] = size;
        let places = (0..depth).flat_map(|z| (0..height).flat_map(move |y| (0..width).map(move |x| [x, y, z])));
        match format {
            TexelFormat::Rgba8 => Image::rgba8_volume(size, places.map(|at| self.bytes(at, size)).collect()),
            TexelFormat::Srgb8 => Image::srgb8_volume(size, places.map(|at| self.bytes(at, size)).collect()),
            rounded => Image::rounded_volume(size, rounded, places.map(|at| self.floats(at, size)).collect()),
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

    /// The normal of a texel, on domes of 7/8 of the squares' width; around them the plane faces the viewer.
    fn normal([x, y, _]: [u32; 3], [width, height, _]: [u32; 3]) -> [u8; 4] {
        // Places in a square in 1/256 of half its side, from its middle.
        let within = |n: u32, of: u32| {
            let part = u64::from(n) * 8 % u64::from(of);
            ((2 * part + 8).min(2 * u64::from(of)) * 256 / u64::from(of)) as i32 - 256
        };
        let (right, down) = (within(x, width), within(y, height));
        let square = (right * right + down * down) as u32;
        let [right, up, front] = match square < 224 * 224 {
            true => [right, -down, (65536 - square).isqrt() as i32],
            false => [0, 0, 256],
        };
        let byte = |n: i32| (128 + (127 * n + 128).div_euclid(256)).clamp(0, 255) as u8;
        [byte(right), byte(up), byte(front), 255]
    }

    fn bytes(self, at: [u32; 3], size: [u32; 3]) -> [u8; 4] {
        match self {
            Pattern::Noise { seed } => std::array::from_fn(|c| (Pattern::noise(seed, at, c, size[2]) >> 24) as u8),
            Pattern::Checker => {
                let squares: u32 = (0..3).map(|axis| at[axis] * 8 / size[axis]).sum();
                let grey = if squares.is_multiple_of(2) { 224 } else { 32 };
                [grey, grey, grey, 255]
            }
            Pattern::Normals => Pattern::normal(at, size),
            Pattern::Gradient => {
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
            Pattern::Checker | Pattern::Normals => self.bytes(at, size).map(|byte| f32::from(byte) / 255.0),
            Pattern::Gradient => {
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
    fn gradients_reach_both_ends() {
        for format in [TexelFormat::Rgba8, TexelFormat::Rgba32F] {
            let image = Pattern::Gradient.draw(5, 3, format).unwrap();
            assert_eq!(image.texel(0, [0, 0, 0]).map(f32::from_bits), [0.0, 0.0, 0.0, 1.0]);
            assert_eq!(image.texel(0, [4, 2, 0]).map(f32::from_bits), [1.0, 1.0, 1.0, 1.0]);
            assert!(Pattern::Gradient.draw(1, 1, format).is_ok());
        }
        let volume = Pattern::Gradient.draw_volume([2, 2, 3], TexelFormat::Rgba8).unwrap();
        assert_eq!(volume.texel(0, [0, 0, 2]).map(f32::from_bits), [0.0, 0.0, 1.0, 1.0]);
        let image = Pattern::Checker.draw(16, 16, TexelFormat::Rgba8).unwrap();
        assert_eq!(image.texel(0, [0, 0, 0]), image.texel(0, [1, 1, 0]));
        assert_ne!(image.texel(0, [0, 0, 0]), image.texel(0, [2, 0, 0]));
    }

    #[test]
    fn normals_are_of_unit_length_and_lean_outwards() {
        let image = Pattern::Normals.draw(256, 256, TexelFormat::Rgba8).unwrap();
        let normal = |x: u32, y: u32| image.texel(0, [x, y, 0]).map(|bits| f32::from_bits(bits) * 255.0 - 128.0);
        for (x, y) in (0..256).flat_map(|y| (0..256).map(move |x| (x, y))) {
            let [a, b, c, _] = normal(x, y);
            let length = (a * a + b * b + c * c).sqrt() / 127.0;
            assert!((0.985..1.015).contains(&length) && c > 0.0, "{x} {y}: {length}");
        }
        assert!(normal(4, 16)[0] < -60.0 && normal(28, 16)[0] > 60.0, "left and right");
        assert!(normal(16, 4)[1] > 60.0 && normal(16, 28)[1] < -60.0, "y points up");
        assert_eq!(normal(0, 0), [0.0, 0.0, 127.0, 127.0]);
        for size in [[1, 1, 1], [3, 5, 2]] {
            assert!(Pattern::Normals.draw_volume(size, TexelFormat::Rgba32F).is_ok());
        }
    }
}
