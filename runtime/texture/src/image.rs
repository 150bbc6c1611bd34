//! Texels in memory.

use std::fmt;

/// How components are stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// Four unsigned normalised bytes.
    Rgba8,
    /// Four binary32 patterns.
    Rgba32F,
}

/// Largest width, height or depth.
pub const MAX_SIDE: u32 = 16_384;
/// Most texels of an image.
pub const MAX_TEXELS: u64 = 1 << 26;

/// Why an image cannot be made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// A side is 0 or larger than [`MAX_SIDE`], or there are more than [`MAX_TEXELS`] texels.
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
    },
    /// The number of texels is not width times height.
    Count {
        /// Texels needed.
        needed: usize,
        /// Texels given.
        found: usize,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageError::Size { width, height } => write!(
                f,
                "an image of {width}x{height} texels is not possible: sides are 1 to {MAX_SIDE}, at most {MAX_TEXELS} texels"
            ),
            ImageError::Count { needed, found } => write!(f, "{needed} texels are needed, {found} are given"),
        }
    }
}

impl std::error::Error for ImageError {}

#[derive(Clone, Debug, PartialEq)]
enum Texels {
    Rgba8(Vec<[u8; 4]>),
    Rgba32F(Vec<[u32; 4]>),
}

/// A two-dimensional image; one-dimensional ones have height 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    width: u32,
    height: u32,
    texels: Texels,
}

/// `byte / 255` as binary32 patterns.
const UNORM8: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as f32 / 255.0).to_bits();
        byte += 1;
    }
    table
};

impl Image {
    /// An image of bytes, row by row from the top left (where t = 0).
    pub fn rgba8(width: u32, height: u32, texels: Vec<[u8; 4]>) -> Result<Image, ImageError> {
        check(width, height, texels.len())?;
        Ok(Image { width, height, texels: Texels::Rgba8(texels) })
    }

    /// An image of binary32 patterns, row by row from the top left (where t = 0).
    pub fn rgba32f(width: u32, height: u32, texels: Vec<[u32; 4]>) -> Result<Image, ImageError> {
        check(width, height, texels.len())?;
        Ok(Image { width, height, texels: Texels::Rgba32F(texels) })
    }

    /// Whether an image of this size can be made.
    pub fn check_size(width: u32, height: u32) -> Result<(), ImageError> {
        let sides = (1..=MAX_SIDE).contains(&width) && (1..=MAX_SIDE).contains(&height);
        let fits = sides && u64::from(width) * u64::from(height) <= MAX_TEXELS;
        if fits { Ok(()) } else { Err(ImageError::Size { width, height }) }
    }

    /// Width in texels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in texels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How components are stored.
    pub fn format(&self) -> TexelFormat {
        match self.texels {
            Texels::Rgba8(_) => TexelFormat::Rgba8,
            Texels::Rgba32F(_) => TexelFormat::Rgba32F,
        }
    }

    /// Components of the texel at (`x`, `y`) as binary32 patterns; zeros outside.
    pub fn texel(&self, x: u32, y: u32) -> [u32; 4] {
        if x >= self.width || y >= self.height {
            return [0; 4];
        }
        let at = y as usize * self.width as usize + x as usize;
        match &self.texels {
            Texels::Rgba8(texels) => texels[at].map(|byte| UNORM8[byte as usize]),
            Texels::Rgba32F(texels) => texels[at],
        }
    }
}

fn check(width: u32, height: u32, found: usize) -> Result<(), ImageError> {
    Image::check_size(width, height)?;
    let needed = width as usize * height as usize;
    if needed == found { Ok(()) } else { Err(ImageError::Count { needed, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_checked() {
        assert!(Image::rgba8(2, 2, vec![[0; 4]; 4]).is_ok());
        assert_eq!(Image::rgba8(2, 2, vec![[0; 4]; 3]), Err(ImageError::Count { needed: 4, found: 3 }));
        assert_eq!(Image::rgba32f(0, 2, vec![]), Err(ImageError::Size { width: 0, height: 2 }));
        assert!(Image::check_size(1 << 14, 1 << 14).is_err());
        assert!(Image::check_size(u32::MAX, u32::MAX).is_err());
    }

    #[test]
    fn bytes_are_divided_by_255() {
        let image = Image::rgba8(1, 1, vec![[0, 255, 51, 1]]).unwrap();
        assert_eq!(image.texel(0, 0).map(f32::from_bits), [0.0, 1.0, 0.2, 1.0 / 255.0]);
        assert_eq!(image.texel(1, 0), [0; 4]);
    }
}
