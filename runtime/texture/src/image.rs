//! Texels in memory.

use crate::decode::{Decoding, SRGB, nearest_srgb};
use crate::edged::Edged;
use parallax_core::exec::ImageFormat;
use parallax_core::num::TextureRule;
use std::fmt;
use std::sync::OnceLock;

/// How components are stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TexelFormat {
    /// Four unsigned normalised bytes.
    Rgba8,
    /// Three bytes of sRGB and one that is normalised.
    Srgb8,
    /// Four binary32 patterns.
    Rgba32F,
    /// A depth from 0 to 1 in 16 bits: red; alpha is 1.
    Depth16,
    /// The same in 24 bits.
    Depth24,
    /// Red, green and blue in 5, 6 and 5 normalised bits; alpha is 1.
    Rgb565,
    /// Red, green and blue of 9 bits each with one exponent of 5; alpha is 1.
    Rgb9E5,
    /// As images in memory have it, with floats: numbers that the format holds.
    Stored(ImageFormat),
}

impl TexelFormat {
    /// Spelling in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            TexelFormat::Rgba8 => "rgba8",
            TexelFormat::Srgb8 => "srgb8",
            TexelFormat::Rgba32F => "rgba32f",
            TexelFormat::Depth16 => "depth16",
            TexelFormat::Depth24 => "depth24",
            TexelFormat::Rgb565 => "rgb565",
            TexelFormat::Rgb9E5 => "rgb9_e5",
            TexelFormat::Stored(format) => format.name(),
        }
    }

    /// Bits of depths; 0 where texels are no depths, or have all bits.
    pub(crate) fn depth_bits(self) -> u8 {
        match self {
            TexelFormat::Depth16 => 16,
            TexelFormat::Depth24 => 24,
            _ => 0,
        }
    }

    /// Binary32 patterns as a format that has them holds them.
    pub(crate) fn rounded(self, texel: [u32; 4]) -> [u32; 4] {
        match self {
            TexelFormat::Depth16 | TexelFormat::Depth24 => {
                [normalised(self.depth_bits(), f32::from_bits(texel[0])).to_bits(), 0, 0, 1f32.to_bits()]
            }
            TexelFormat::Rgb565 => {
                let color = [(0, 5), (1, 6), (2, 5)].map(|(n, bits)| normalised(bits, f32::from_bits(texel[n])));
                [color[0].to_bits(), color[1].to_bits(), color[2].to_bits(), 1f32.to_bits()]
            }
            TexelFormat::Rgb9E5 => {
                let [red, green, blue] = shared_exponent([texel[0], texel[1], texel[2]].map(f32::from_bits));
                [red.to_bits(), green.to_bits(), blue.to_bits(), 1f32.to_bits()]
            }
            TexelFormat::Stored(format) => format.decode(format.encode(texel)),
            TexelFormat::Rgba8 | TexelFormat::Srgb8 | TexelFormat::Rgba32F => texel,
        }
    }
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
        /// Width, height and depth asked for.
        size: [u32; 3],
    },
    /// The number of texels is not width times height times depth.
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
            ImageError::Size { size: [width, height, depth] } => {
                write!(f, "an image of {width}x{height}")?;
                if *depth != 1 {
                    write!(f, "x{depth}")?;
                }
                write!(f, " texels is not possible: sides are 1 to {MAX_SIDE}, at most {MAX_TEXELS} texels")
            }
            ImageError::Count { needed, found } => write!(f, "{needed} texels are needed, {found} are given"),
        }
    }
}

impl std::error::Error for ImageError {}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Texels {
    /// Normalised, or of sRGB: [`Level::format`] says which.
    Rgba8(Vec<[u8; 4]>),
    Rgba32F(Vec<[u32; 4]>),
}

/// One level of detail.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) size: [u32; 3],
    pub(crate) texels: Texels,
    /// What its components are.
    pub(crate) format: TexelFormat,
    /// Bytes as binary32 patterns, once somebody asked for them, by the number of their decoding.
    patterns: [OnceLock<Vec<[u32; 4]>>; Decoding::COUNT],
    /// See [`Level::with_edges`]; likewise.
    with_edges: [[OnceLock<Box<Edged>>; 4]; Decoding::COUNT],
}

impl PartialEq for Level {
    fn eq(&self, other: &Level) -> bool {
        self.size == other.size && self.texels == other.texels && self.format == other.format
    }
}

/// Most texels that are kept a second time, as binary32 patterns or with their edges: 64 MiB of them.
const MOST_PATTERNS: usize = 1 << 22;

/// An image with its levels of detail, the largest first. Lines have height 1, volumes a depth, cubes depth 6: the
/// faces +x, -x, +y, -y, +z, -z. The layers of an array stand along its depth, six slices each for cubes; the samples of
/// texels, too, one slice after the other for each layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    levels: Vec<Level>,
    samples: u32,
}

/// A byte of a texel as a number.
#[inline(always)]
pub(crate) fn unorm8(byte: u8) -> f32 {
    f32::from(byte) / 255.0
}

impl Image {
    /// An image of bytes, row by row from the top left (where t = 0).
    pub fn rgba8(width: u32, height: u32, texels: Vec<[u8; 4]>) -> Result<Image, ImageError> {
        Image::rgba8_volume([width, height, 1], texels)
    }

    /// An image of binary32 patterns, row by row from the top left (where t = 0).
    pub fn rgba32f(width: u32, height: u32, texels: Vec<[u32; 4]>) -> Result<Image, ImageError> {
        Image::rgba32f_volume([width, height, 1], texels)
    }

    /// A volume or the six faces of a cube in bytes: width, height, depth; slice after slice.
    pub fn rgba8_volume(size: [u32; 3], texels: Vec<[u8; 4]>) -> Result<Image, ImageError> {
        check(size, texels.len())?;
        Ok(Image { levels: vec![Level::new(size, Texels::Rgba8(texels))], samples: 1 })
    }

    /// The same of bytes of sRGB, and of alpha.
    ///
    /// # Errors
    /// As for other images.
    pub fn srgb8_volume(size: [u32; 3], texels: Vec<[u8; 4]>) -> Result<Image, ImageError> {
        let mut image = Image::rgba8_volume(size, texels)?;
        image.levels[0].format = TexelFormat::Srgb8;
        Ok(image)
    }

    /// The same of binary32 patterns that are rounded to a format: depths, the red components, are clamped to 0 and 1 and become
    /// the nearest multiple of `1 / (2^bits - 1)`; images in memory hold what [`ImageFormat::encode`] makes of them. Formats of bytes
    /// are none of these.
    ///
    /// # Errors
    /// As for other images.
    pub fn rounded_volume(size: [u32; 3], format: TexelFormat, texels: Vec<[u32; 4]>) -> Result<Image, ImageError> {
        let texels = texels.into_iter().map(|texel| format.rounded(texel)).collect();
        let mut image = Image::rgba32f_volume(size, texels)?;
        if !matches!(format, TexelFormat::Rgba8 | TexelFormat::Srgb8) {
            image.levels[0].format = format;
        }
        Ok(image)
    }

    /// A volume or the six faces of a cube in binary32 patterns: width, height, depth; slice after slice.
    pub fn rgba32f_volume(size: [u32; 3], texels: Vec<[u32; 4]>) -> Result<Image, ImageError> {
        check(size, texels.len())?;
        Ok(Image { levels: vec![Level::new(size, Texels::Rgba32F(texels))], samples: 1 })
    }

    /// The same slices as so many samples of each texel. What is left over is not there.
    #[must_use]
    pub fn with_samples(mut self, samples: u32) -> Image {
        self.samples = samples.max(1);
        self
    }

    /// Samples of a texel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Whether an image of this size can be made.
    pub fn check_size(width: u32, height: u32) -> Result<(), ImageError> {
        Image::check_volume([width, height, 1])
    }

    /// Whether an image of this width, height and depth can be made.
    pub fn check_volume(size: [u32; 3]) -> Result<(), ImageError> {
        let sides = size.iter().all(|side| (1..=MAX_SIDE).contains(side));
        let fits = sides && size.iter().map(|&side| u64::from(side)).product::<u64>() <= MAX_TEXELS;
        if fits { Ok(()) } else { Err(ImageError::Size { size }) }
    }

    /// Adds all smaller levels, each half as large (rounded down, at least 1) in every direction, with `slices` without
    /// mixing slices, which are faces or layers. A texel is the mean of the two, four or eight it stands for; at odd sizes the last row or column
    /// is left out. Bytes are rounded half up; binary32 is summed in order of x, y, z and multiplied by 1/n, each step
    /// rounded.
    #[must_use]
    pub fn with_mipmaps(mut self, slices: bool) -> Image {
        self.levels.truncate(1);
        while let Some(last) = self.levels.last() {
            let keep = |axis: usize| axis == 2 && slices;
            if (0..3).all(|axis| keep(axis) || last.size[axis] == 1) {
                break;
            }
            let size =
                std::array::from_fn(|axis| if keep(axis) { last.size[axis] } else { (last.size[axis] / 2).max(1) });
            let next = last.shrink(size);
            self.levels.push(next);
        }
        self
    }

    /// Adds the next smaller level of flat images, in binary32 patterns: half as wide and high, rounded down, at least 1.
    ///
    /// # Errors
    /// Another number of texels than the level has.
    pub fn with_level(mut self, texels: Vec<[u32; 4]>) -> Result<Image, ImageError> {
        let [width, height, depth] = self.size(self.levels());
        let size = [(width / 2).max(1), (height / 2).max(1), depth];
        check(size, texels.len())?;
        self.levels.push(Level::new(size, Texels::Rgba32F(texels)));
        Ok(self)
    }

    /// Number of levels of detail.
    pub fn levels(&self) -> u32 {
        self.levels.len() as u32
    }

    /// A level; the last for levels beyond it.
    pub(crate) fn level(&self, level: u32) -> &Level {
        &self.levels[(level as usize).min(self.levels.len() - 1)]
    }

    /// Width, height and depth of a level; the last for levels beyond it.
    pub fn size(&self, level: u32) -> [u32; 3] {
        self.levels[(level as usize).min(self.levels.len() - 1)].size
    }

    /// Width in texels.
    pub fn width(&self) -> u32 {
        self.levels[0].size[0]
    }

    /// Height in texels.
    pub fn height(&self) -> u32 {
        self.levels[0].size[1]
    }

    /// Depth in texels, or number of faces or layers.
    pub fn depth(&self) -> u32 {
        self.levels[0].size[2]
    }

    /// How components are stored.
    pub fn format(&self) -> TexelFormat {
        self.levels[0].format
    }

    /// Components of a texel of a level as binary32 patterns; zeros outside.
    pub fn texel(&self, level: u32, at: [u32; 3]) -> [u32; 4] {
        self.texel_of(level, at, &TextureRule::IEEE)
    }

    /// The same, as a texture unit reads it.
    pub(crate) fn texel_of(&self, level: u32, [x, y, z]: [u32; 3], rule: &TextureRule) -> [u32; 4] {
        match self.levels.get(level as usize) {
            Some(level) if x < level.size[0] && y < level.size[1] && z < level.size[2] => {
                level.texel(level.index([x, y, z]), &level.decoding(rule))
            }
            _ => [0; 4],
        }
    }
}

impl Level {
    fn new(size: [u32; 3], texels: Texels) -> Level {
        let format = match texels {
            Texels::Rgba8(_) => TexelFormat::Rgba8,
            Texels::Rgba32F(_) => TexelFormat::Rgba32F,
        };
        Level { size, texels, format, patterns: Default::default(), with_edges: Default::default() }
    }

    /// All texels as binary32 patterns; `None` where they would take too much memory.
    pub(crate) fn patterns(&self, rule: &TextureRule) -> Option<&[[u32; 4]]> {
        let decoding = self.decoding(rule);
        match &self.texels {
            Texels::Rgba32F(texels) => Some(texels),
            Texels::Rgba8(texels) if texels.len() > MOST_PATTERNS => None,
            Texels::Rgba8(texels) => {
                let patterns = || texels.iter().map(|texel| decoding.texel(*texel)).collect();
                Some(self.patterns[decoding.number].get_or_init(patterns))
            }
        }
    }

    /// The first slice with what its edges make of numbers beyond them, made once; `None` where it would take too much memory.
    pub(crate) fn with_edges(&self, repeated: [bool; 2], rule: &TextureRule) -> Option<&Edged> {
        let [width, height, _] = self.size;
        if (width as usize + 2) * (height as usize + 2) > MOST_PATTERNS {
            return None;
        }
        let decoding = self.decoding(rule);
        let which = usize::from(repeated[0]) + 2 * usize::from(repeated[1]);
        let new =
            || Box::new(Edged::new([width, height], repeated, |x, y| self.texel(self.index([x, y, 0]), &decoding)));
        Some(self.with_edges[decoding.number][which].get_or_init(new))
    }

    pub(crate) fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        (z as usize * self.size[1] as usize + y as usize) * self.size[0] as usize + x as usize
    }

    /// How a texture unit reads bytes.
    #[inline]
    pub(crate) fn decoding(&self, rule: &TextureRule) -> Decoding {
        Decoding::of(self.format == TexelFormat::Srgb8, rule)
    }

    /// A texel as binary32 patterns, of bytes that are read so.
    #[inline(always)]
    pub(crate) fn texel(&self, at: usize, decoding: &Decoding) -> [u32; 4] {
        match &self.texels {
            Texels::Rgba8(texels) => decoding.texel(texels[at]),
            Texels::Rgba32F(texels) => texels[at],
        }
    }

    fn shrink(&self, size: [u32; 3]) -> Level {
        // Texels a new one stands for, per direction.
        let step: [u32; 3] = std::array::from_fn(|axis| self.size[axis] / size[axis]).map(|n: u32| n.min(2));
        let sources = |x: u32, y: u32, z: u32| {
            (0..step[2]).flat_map(move |dz| {
                (0..step[1]).flat_map(move |dy| {
                    (0..step[0]).map(move |dx| [x * step[0] + dx, y * step[1] + dy, z * step[2] + dz])
                })
            })
        };
        let places = (0..size[2]).flat_map(|z| (0..size[1]).flat_map(move |y| (0..size[0]).map(move |x| (x, y, z))));
        let n = step[0] * step[1] * step[2];
        let texels = match &self.texels {
            Texels::Rgba8(texels) => Texels::Rgba8(
                places
                    .map(|(x, y, z)| {
                        std::array::from_fn(|c| {
                            if self.format == TexelFormat::Srgb8 && c < 3 {
                                let number =
                                    |at| f64::from(f32::from_bits(SRGB[usize::from(texels[self.index(at)][c])]));
                                // At most eight numbers of 24 bits: exact.
                                return nearest_srgb(sources(x, y, z).map(number).sum::<f64>() / f64::from(n));
                            }
                            let sum: u32 = sources(x, y, z).map(|at| u32::from(texels[self.index(at)][c])).sum();
                            ((2 * sum + n) / (2 * n)) as u8
                        })
                    })
                    .collect(),
            ),
            Texels::Rgba32F(texels) => Texels::Rgba32F(
                places
                    .map(|(x, y, z)| {
                        std::array::from_fn(|c| {
                            let mut parts = sources(x, y, z).map(|at| f32::from_bits(texels[self.index(at)][c]));
                            let first = parts.next().unwrap_or(0.0);
                            let sum = parts.fold(first, |sum, part| sum + part);
                            fixed_nan(sum * (1.0 / n as f32))
                        })
                    })
                    .collect(),
            ),
        };
        let texels = match texels {
            Texels::Rgba32F(texels) => {
                Texels::Rgba32F(texels.into_iter().map(|texel| self.format.rounded(texel)).collect())
            }
            bytes => bytes,
        };
        Level { format: self.format, ..Level::new(size, texels) }
    }
}

#[cfg(test)]
impl Image {
    /// The same sizes, level n filled with grey n.
    pub(crate) fn with_grey_levels(mut self) -> Image {
        for (n, level) in self.levels.iter_mut().enumerate() {
            let count = level.size.iter().map(|&side| side as usize).product();
            level.texels = Texels::Rgba32F(vec![[(n as f32).to_bits(); 4]; count]);
        }
        self
    }
}

/// A number as one of so many normalised bits, at most 24: clamped to 0 and 1, a NaN 0; the nearest. One half alone lies between two, and
/// goes to the upper one, which is even.
pub(crate) fn normalised(bits: u8, number: f32) -> f32 {
    let steps = f64::from((1u32 << bits) - 1);
    // Exact: two numbers of 24 bits. A NaN is not above.
    let scaled = if number > 0.0 { f64::from(number.min(1.0)) * steps } else { 0.0 };
    let below = scaled as u32;
    (below + u32::from(scaled - f64::from(below) >= 0.5)) as f32 / steps as f32
}

/// Colours with one exponent, as EXT_texture_shared_exponent has them: clamped to 0 and 65408, a NaN 0; the exponent is that of the largest,
/// one more where it would be rounded up to 512; the nearest, half up.
fn shared_exponent(color: [f32; 3]) -> [f32; 3] {
    // Comparisons with a NaN are false.
    let color = color.map(|number| if number > 0.0 { f64::from(number.min(65408.0)) } else { 0.0 });
    let largest = color.into_iter().fold(0.0, f64::max);
    let exponent = ((largest.to_bits() >> 52) as i32 - 1023).max(-16) + 1;
    // All are powers of two and sums of few bits: exact.
    let step = |exponent: i32| f64::from_bits(((1023 + exponent - 9) as u64) << 52);
    let whole = |number: f64, step: f64| (number / step + 0.5).floor();
    let step = if whole(largest, step(exponent)) >= 512.0 { step(exponent + 1) } else { step(exponent) };
    color.map(|number| (whole(number, step) * step) as f32)
}

/// Bits of a filtered value; a NaN has always the same.
#[inline(always)]
pub(crate) fn fixed_nan(value: f32) -> u32 {
    if value.is_nan() { 0xffc0_0000 } else { value.to_bits() }
}

fn check(size: [u32; 3], found: usize) -> Result<(), ImageError> {
    Image::check_volume(size)?;
    let needed = size.iter().map(|&side| side as usize).product();
    if needed == found { Ok(()) } else { Err(ImageError::Count { needed, found }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::UNORM8;

    #[test]
    fn levels_are_half_as_large() {
        let image = Image::rgba32f(5, 2, vec![[1; 4]; 10]).unwrap().with_level(vec![[2; 4]; 2]).unwrap();
        let image = image.with_level(vec![[3; 4]]).unwrap();
        assert_eq!((image.levels(), image.size(1), image.size(2)), (3, [2, 1, 1], [1, 1, 1]));
        assert_eq!((image.texel(1, [1, 0, 0]), image.texel(2, [0; 3])), ([2; 4], [3; 4]));
        assert_eq!(image.with_level(vec![[0; 4]; 2]), Err(ImageError::Count { needed: 1, found: 2 }));
    }

    #[test]
    fn sizes_are_checked() {
        assert!(Image::rgba8(2, 2, vec![[0; 4]; 4]).is_ok());
        assert_eq!(Image::rgba8(2, 2, vec![[0; 4]; 3]), Err(ImageError::Count { needed: 4, found: 3 }));
        assert_eq!(Image::rgba32f(0, 2, vec![]), Err(ImageError::Size { size: [0, 2, 1] }));
        assert!(Image::check_size(1 << 14, 1 << 14).is_err());
        assert!(Image::check_size(u32::MAX, u32::MAX).is_err());
    }

    #[test]
    fn bytes_are_divided_by_255() {
        let image = Image::rgba8(1, 1, vec![[0, 255, 51, 1]]).unwrap();
        assert_eq!(image.texel(0, [0, 0, 0]).map(f32::from_bits), [0.0, 1.0, 0.2, 1.0 / 255.0]);
        assert_eq!(image.texel(0, [1, 0, 0]), [0; 4]);
    }

    #[test]
    fn levels_are_means_down_to_one_texel() {
        let grey = |v: u8| [v; 4];
        let image = Image::rgba8(4, 2, [0, 1, 10, 20, 2, 3, 30, 41].map(grey).to_vec()).unwrap().with_mipmaps(false);
        assert_eq!(image.levels(), 3);
        assert_eq!((image.size(1), image.size(2), image.size(9)), ([2, 1, 1], [1, 1, 1], [1, 1, 1]));
        // Means 1.5 and 25.25, then 13.5 of the rounded bytes 2 and 25.
        let byte = |v: u32| UNORM8[v as usize];
        assert_eq!(image.texel(1, [0, 0, 0])[0], byte(2));
        assert_eq!(image.texel(1, [1, 0, 0])[0], byte(25));
        assert_eq!(image.texel(2, [0, 0, 0])[0], byte(14));
        assert_eq!(image.texel(3, [0, 0, 0]), [0; 4]);
    }

    #[test]
    fn means_of_srgb_are_those_of_its_numbers() {
        let grey = |v: u8| [v, v, v, v];
        let image = Image::srgb8_volume([2, 1, 1], vec![grey(0), grey(255)]).unwrap().with_mipmaps(false);
        assert_eq!(image.format(), TexelFormat::Srgb8);
        // Half of the light is code 188; alpha is no light.
        assert_eq!(image.texel(1, [0, 0, 0]), [SRGB[188], SRGB[188], SRGB[188], (128.0f32 / 255.0).to_bits()]);
    }

    #[test]
    fn depths_are_numbers_of_their_bits() {
        let image = |format: TexelFormat, red: f32| {
            let image = Image::rounded_volume([1; 3], format, vec![[red.to_bits(), 7, 7, 7]]).unwrap();
            assert_eq!(image.format(), format);
            image.texel(0, [0; 3]).map(f32::from_bits)
        };
        assert_eq!(image(TexelFormat::Depth16, 0.5), [32768.0 / 65535.0, 0.0, 0.0, 1.0]);
        assert_eq!(image(TexelFormat::Depth24, 0.5), [8_388_608.0 / 16_777_215.0, 0.0, 0.0, 1.0]);
        for (number, depth) in
            [(f32::NAN, 0.0), (-1.0, 0.0), (7.0, 1.0), (f32::INFINITY, 1.0), (1.0 / 65535.0, 1.0 / 65535.0)]
        {
            assert_eq!(image(TexelFormat::Depth16, number)[0], depth, "{number}");
        }
    }

    /// Against all codes.
    #[test]
    fn colours_of_565_are_the_nearest_codes() {
        let mut random = parallax_random::Random::new(8);
        for _ in 0..2000 {
            let color = [(); 3].map(|()| random.below(1 << 24) as f32 / (1 << 23) as f32 - 0.5);
            let texel = TexelFormat::Rgb565.rounded([color[0], color[1], color[2], 0.25].map(f32::to_bits));
            let texel = texel.map(f32::from_bits);
            for (n, codes) in [(0, 31u32), (1, 63), (2, 31)] {
                let off = |number: f32| (f64::from(number) - f64::from(color[n].clamp(0.0, 1.0))).abs();
                assert!((0..=codes).any(|code| texel[n] == code as f32 / codes as f32), "{color:?}");
                assert!((0..=codes).all(|code| off(texel[n]) <= off(code as f32 / codes as f32)), "{color:?}");
            }
            assert_eq!(texel[3], 1.0);
        }
    }

    /// Against the steps of the extension's text, from the largest exponent down.
    #[test]
    fn shared_exponents_are_those_of_the_largest() {
        let shared = |color: [f32; 3]| shared_exponent(color);
        assert_eq!(shared([1.0, 0.5, 0.25]), [1.0, 0.5, 0.25]);
        assert_eq!(shared([f32::INFINITY, f32::NAN, -1.0]), [65408.0, 0.0, 0.0]);
        // 511.5 of 1/512 becomes 512 of them, which the next exponent has as 256.
        assert_eq!(shared([0.999_023_44, 0.003, 0.0]), [1.0, 1.0 / 256.0, 0.0]);
        assert_eq!(shared([0.5 / 16_777_216.0, 0.0, 0.0]), [1.0 / 16_777_216.0, 0.0, 0.0]);
        let mut random = parallax_random::Random::new(9);
        for _ in 0..20_000 {
            let mut number = || f32::from_bits(0x3300_0000 + random.below(0x1480_0000) as u32);
            let color = [number(), number(), number()];
            let found = shared(color);
            // The least exponent of five bits under which nine hold the largest.
            let largest = color.iter().copied().fold(0.0, f32::max).min(65408.0);
            let held = |exponent: i32| (f64::from(largest) / f64::from(exponent - 24).exp2()).round() < 512.0;
            let exponent = (0..32).find(|exponent| held(*exponent)).expect("one");
            for (number, found) in color.into_iter().zip(found) {
                let unit = f64::from(exponent - 24).exp2();
                let want = (f64::from(number.min(65408.0)) / unit).round() * unit;
                assert_eq!(f64::from(found), want, "{color:?}");
            }
        }
    }

    #[test]
    fn numbers_are_those_that_a_format_holds() {
        let image = |name: &str, red: f32| {
            let format = TexelFormat::Stored(ImageFormat::from_name(name).unwrap());
            let texels = vec![[red.to_bits(); 4], [0; 4]];
            let image = Image::rounded_volume([2, 1, 1], format, texels).unwrap().with_mipmaps(false);
            [0, 1].map(|level| image.texel(level, [0; 3]).map(f32::from_bits))
        };
        let [first, mean] = image("rgb10_a2", 1.0 / 3.0);
        assert_eq!((first, mean[0]), ([341.0 / 1023.0, 341.0 / 1023.0, 341.0 / 1023.0, 1.0 / 3.0], 171.0 / 1023.0));
        assert_eq!(image("r8_snorm", -0.5)[0], [-64.0 / 127.0, 0.0, 0.0, 1.0]);
        assert_eq!(image("rgba16f", 1.0 + 1.0 / 2048.0)[0], [1.0; 4]);
    }

    #[test]
    fn faces_of_a_cube_are_not_mixed() {
        let faces: Vec<[u32; 4]> = (0..24).map(|n| [(n as f32).to_bits(); 4]).collect();
        let image = Image::rgba32f_volume([2, 2, 6], faces).unwrap().with_mipmaps(true);
        assert_eq!((image.levels(), image.size(1)), (2, [1, 1, 6]));
        assert_eq!(image.texel(1, [0, 0, 5])[0], 21.5f32.to_bits());
        // Odd sizes leave the last row out.
        let three = Image::rgba32f(3, 1, vec![[0; 4], [2f32.to_bits(); 4], [9f32.to_bits(); 4]]).unwrap();
        assert_eq!(three.with_mipmaps(false).texel(1, [0, 0, 0])[0], 1f32.to_bits());
    }
}
