//! Images that a shader reads and writes as memory: texels in a buffer, and what their bits mean.

use super::Memory;
use std::fmt;

/// What the components of a texel are.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Numbers {
    Float,
    Unorm,
    Snorm,
    Int,
    Uint,
    Long,
    Ulong,
}

/// What a shader takes the components of texels for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum TexelKind {
    /// Binary32.
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// Signed integers of 64 bits, of which there is one: its low and its high word are the first two components.
    Long,
    /// The same without sign.
    Ulong,
}

struct Row {
    name: &'static str,
    numbers: Numbers,
    /// Bits of red, green, blue and alpha, from the lowest bit of the texel on.
    bits: [u8; 4],
}

const fn row(name: &'static str, numbers: Numbers, bits: [u8; 4]) -> Row {
    Row { name, numbers, bits }
}

/// The formats of SPIR-V's table of image formats, as GLSL spells them.
const ROWS: [Row; 41] = {
    use Numbers::*;
    [
        row("rgba32f", Float, [32, 32, 32, 32]),
        row("rgba16f", Float, [16, 16, 16, 16]),
        row("r32f", Float, [32, 0, 0, 0]),
        row("rgba8", Unorm, [8, 8, 8, 8]),
        row("rgba8_snorm", Snorm, [8, 8, 8, 8]),
        row("rg32f", Float, [32, 32, 0, 0]),
        row("rg16f", Float, [16, 16, 0, 0]),
        row("r11f_g11f_b10f", Float, [11, 11, 10, 0]),
        row("r16f", Float, [16, 0, 0, 0]),
        row("rgba16", Unorm, [16, 16, 16, 16]),
        row("rgb10_a2", Unorm, [10, 10, 10, 2]),
        row("rg16", Unorm, [16, 16, 0, 0]),
        row("rg8", Unorm, [8, 8, 0, 0]),
        row("r16", Unorm, [16, 0, 0, 0]),
        row("r8", Unorm, [8, 0, 0, 0]),
        row("rgba16_snorm", Snorm, [16, 16, 16, 16]),
        row("rg16_snorm", Snorm, [16, 16, 0, 0]),
        row("rg8_snorm", Snorm, [8, 8, 0, 0]),
        row("r16_snorm", Snorm, [16, 0, 0, 0]),
        row("r8_snorm", Snorm, [8, 0, 0, 0]),
        row("rgba32i", Int, [32, 32, 32, 32]),
        row("rgba16i", Int, [16, 16, 16, 16]),
        row("rgba8i", Int, [8, 8, 8, 8]),
        row("r32i", Int, [32, 0, 0, 0]),
        row("rg32i", Int, [32, 32, 0, 0]),
        row("rg16i", Int, [16, 16, 0, 0]),
        row("rg8i", Int, [8, 8, 0, 0]),
        row("r16i", Int, [16, 0, 0, 0]),
        row("r8i", Int, [8, 0, 0, 0]),
        row("rgba32ui", Uint, [32, 32, 32, 32]),
        row("rgba16ui", Uint, [16, 16, 16, 16]),
        row("rgba8ui", Uint, [8, 8, 8, 8]),
        row("r32ui", Uint, [32, 0, 0, 0]),
        row("rgb10_a2ui", Uint, [10, 10, 10, 2]),
        row("rg32ui", Uint, [32, 32, 0, 0]),
        row("rg16ui", Uint, [16, 16, 0, 0]),
        row("rg8ui", Uint, [8, 8, 0, 0]),
        row("r16ui", Uint, [16, 0, 0, 0]),
        row("r8ui", Uint, [8, 0, 0, 0]),
        row("r64ui", Ulong, [32, 32, 0, 0]),
        row("r64i", Long, [32, 32, 0, 0]),
    ]
};

/// How the components of a texel lie in memory.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct ImageFormat(u8);

impl fmt::Debug for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl ImageFormat {
    /// All of them, in the order of SPIR-V's table.
    pub const ALL: [ImageFormat; ROWS.len()] = {
        let mut all = [ImageFormat(0); ROWS.len()];
        let mut n = 0;
        while n < all.len() {
            all[n] = ImageFormat(n as u8);
            n += 1;
        }
        all
    };

    const fn row(self) -> &'static Row {
        &ROWS[self.0 as usize]
    }

    /// As GLSL spells it: `rgba16f`, `rgba8_snorm`, `r11f_g11f_b10f`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The format with this spelling.
    pub fn from_name(name: &str) -> Option<ImageFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Four components of 32 bits, or one of 64.
    pub const fn widest(kind: TexelKind) -> ImageFormat {
        match kind {
            TexelKind::Float => ImageFormat(0),
            TexelKind::Int => ImageFormat(20),
            TexelKind::Uint => ImageFormat(29),
            TexelKind::Ulong => ImageFormat(39),
            TexelKind::Long => ImageFormat(40),
        }
    }

    /// What a shader takes the components for.
    pub const fn kind(self) -> TexelKind {
        match self.row().numbers {
            Numbers::Float | Numbers::Unorm | Numbers::Snorm => TexelKind::Float,
            Numbers::Int => TexelKind::Int,
            Numbers::Uint => TexelKind::Uint,
            Numbers::Long => TexelKind::Long,
            Numbers::Ulong => TexelKind::Ulong,
        }
    }

    /// Whether a texel is a number of 64 bits.
    pub const fn is_long(self) -> bool {
        matches!(self.kind(), TexelKind::Long | TexelKind::Ulong)
    }

    /// Bytes of a texel: 1, 2, 4, 8 or 16.
    pub const fn bytes(self) -> u32 {
        let [r, g, b, a] = self.row().bits;
        (r as u32 + g as u32 + b as u32 + a as u32) / 8
    }

    /// The components of a texel as a shader reads them: binary32 patterns or integers, or the words of one of 64 bits. What
    /// the format does not have is 0, alpha 1. Normalised numbers are divided by the largest, correctly rounded; the lowest signed number is -1 as well.
    pub fn decode(self, texel: u128) -> [u32; 4] {
        let Row { numbers, bits, .. } = self.row();
        let mut from = 0;
        std::array::from_fn(|n| {
            let width = u32::from(bits[n]);
            if width == 0 {
                return match (n, self.kind()) {
                    (3, TexelKind::Float) => 1f32.to_bits(),
                    (3, TexelKind::Int | TexelKind::Uint) => 1,
                    _ => 0,
                };
            }
            let word = (texel >> from) as u32 & ones(width);
            from += width;
            match numbers {
                Numbers::Float if width == 32 => word,
                Numbers::Float => wide_float(word, width),
                Numbers::Unorm => (word as f32 / ones(width) as f32).to_bits(),
                Numbers::Snorm => (signed(word, width) as f32 / ones(width - 1) as f32).max(-1.0).to_bits(),
                Numbers::Int => signed(word, width) as u32,
                Numbers::Uint | Numbers::Long | Numbers::Ulong => word,
            }
        })
    }

    /// A texel of components as a shader writes them. Floats are rounded to the nearest, ties to even; normalised numbers are
    /// moved into their range first, NaN to 0, and so are integers. Floats without sign are as Vulkan says
    /// (Unsigned 11-Bit Floating-Point Numbers): 0 below zero, the largest number above it.
    pub fn encode(self, components: [u32; 4]) -> u128 {
        let Row { numbers, bits, .. } = self.row();
        let (mut from, mut texel) = (0, 0);
        for (&width, word) in bits.iter().zip(components) {
            let width = u32::from(width);
            if width == 0 {
                break;
            }
            let value = f32::from_bits(word);
            // A product of 24 and 16 bits is exact.
            let scaled = |low: f32, most: u32| {
                let inside = if value.is_nan() { 0.0 } else { value.clamp(low, 1.0) };
                (f64::from(inside) * f64::from(most)).round_ties_even() as i32 as u32
            };
            let part = match numbers {
                Numbers::Float if width == 32 => word,
                Numbers::Float => narrow_float(word, width),
                Numbers::Unorm => scaled(0.0, ones(width)),
                Numbers::Snorm => scaled(-1.0, ones(width - 1)),
                Numbers::Int => (word as i32).clamp(-(ones(width - 1) as i32) - 1, ones(width - 1) as i32) as u32,
                Numbers::Uint => word.min(ones(width)),
                Numbers::Long | Numbers::Ulong => word,
            };
            texel |= u128::from(part & ones(width)) << from;
            from += width;
        }
        texel
    }
}

/// So many ones.
const fn ones(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

const fn signed(word: u32, bits: u32) -> i32 {
    (word << (32 - bits)) as i32 >> (32 - bits)
}

/// Bits of the significand of a float of 16, 11 or 10 bits. The exponent has 5; only the first has a sign.
const fn significand(width: u32) -> u32 {
    if width == 16 { 10 } else { width - 5 }
}

/// Binary32 of a float of 16, 11 or 10 bits.
fn wide_float(word: u32, width: u32) -> u32 {
    let m = significand(width);
    let sign = if width == 16 { (word & 0x8000) << 16 } else { 0 };
    let (exponent, fraction) = (word >> m & 31, word & ones(m));
    sign | match (exponent, fraction) {
        (31, 0) => 0x7f80_0000,
        // Quiet.
        (31, _) => 0x7fc0_0000 | fraction << (23 - m),
        // Exact: a denormal is an integer in units of 2^(-14 - m).
        (0, _) => (fraction as f32 * f32::from_bits((127 - 14 - m) << 23)).to_bits(),
        _ => (exponent + 127 - 15) << 23 | fraction << (23 - m),
    }
}

/// A float of 16, 11 or 10 bits, rounded to the nearest, ties to even.
fn narrow_float(word: u32, width: u32) -> u32 {
    let m = significand(width);
    let is_signed = width == 16;
    let (exponent, fraction) = ((word >> 23 & 255) as i32 - 127, word & ones(23));
    let sign = if is_signed { word >> 16 & 0x8000 } else { 0 };
    let infinite = 31 << m;
    if exponent == 128 && fraction != 0 {
        return sign | infinite | 1 << (m - 1) | fraction >> (23 - m);
    }
    if !is_signed && word >> 31 != 0 {
        return 0;
    }
    if exponent == 128 {
        return sign | infinite;
    }
    // Denormal results lose bits below the lowest exponent, too.
    let shift = 23 - m + (-14 - exponent).max(0) as u32;
    if shift > 25 {
        return sign;
    }
    let whole = fraction | 1 << 23;
    let (kept, rest, half) = (whole >> shift, whole & ones(shift), 1 << (shift - 1));
    let up = rest > half || rest == half && kept & 1 == 1;
    let base = if exponent >= -14 { ((exponent + 14) as u32) << m } else { 0 };
    match base + kept + u32::from(up) {
        large if large >= infinite && !is_signed => infinite - 1,
        large if large >= infinite => sign | infinite,
        bits => sign | bits,
    }
}

/// Size and format of an image in a buffer. Its texels lie row by row and without gaps, x fastest, then y, then the sample,
/// then depth, layers, faces of cubes or both, six faces a layer.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ImageLayout {
    /// How components lie.
    pub format: ImageFormat,
    /// Width, height, and depth, layers or faces.
    pub size: [u32; 3],
    /// Samples of a texel.
    pub samples: u32,
}

impl ImageLayout {
    /// Where a texel lies, in bytes; `u32::MAX`, where no buffer is, for one outside of the image.
    pub fn address(&self, [x, y, z]: [u32; 3], sample: u32) -> u32 {
        let [width, height, depth] = self.size;
        if x >= width || y >= height || z >= depth || sample >= self.samples {
            return u32::MAX;
        }
        let wide = [z, self.samples, sample, height, y, width, x].map(u64::from);
        let [z, samples, sample, height, y, width, x] = wide;
        let texel = ((z * samples + sample) * height + y) * width + x;
        u32::try_from(texel * u64::from(self.format.bytes())).unwrap_or(u32::MAX)
    }

    /// Words that the texels take; `None` beyond 32-bit addresses.
    pub fn words(&self) -> Option<usize> {
        let sides = self.size.into_iter().chain([self.samples, self.format.bytes()]);
        let bytes = sides.map(u64::from).try_fold(1u64, u64::checked_mul)?;
        Some(u32::try_from(bytes).ok()?.div_ceil(4) as usize)
    }

    /// Width, height, depth or layers, samples, bytes of a texel: what a shader may ask, by number.
    pub fn extent(&self, number: u8) -> u32 {
        match number {
            3 => self.samples,
            4 => self.format.bytes(),
            n => self.size[usize::from(n).min(2)],
        }
    }

    /// The components of the texel at an address.
    pub fn load(&self, memory: &Memory<'_>, buffer: u16, address: u32) -> [u32; 4] {
        let bytes = self.format.bytes();
        let texel = match bytes {
            // Part of a word.
            1 | 2 => u128::from(memory.load(buffer, address) >> (address % 4 * 8)),
            _ => (0..bytes / 4)
                .fold(0, |texel, n| texel | u128::from(memory.load(buffer, address.saturating_add(4 * n))) << (32 * n)),
        };
        self.format.decode(texel)
    }

    /// Sets the texel at an address.
    pub fn store(&self, memory: &mut Memory<'_>, buffer: u16, address: u32, components: [u32; 4]) {
        if address == u32::MAX {
            return;
        }
        let (bytes, texel) = (self.format.bytes(), self.format.encode(components));
        if let 1 | 2 = bytes {
            let (from, mask) = (address % 4 * 8, ones(bytes * 8));
            let rest = memory.load(buffer, address) & !(mask << from);
            return memory.store(buffer, address, rest | (texel as u32 & mask) << from);
        }
        for n in 0..bytes / 4 {
            memory.store(buffer, address.saturating_add(4 * n), (texel >> (32 * n)) as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str) -> ImageFormat {
        ImageFormat::from_name(name).unwrap()
    }

    #[test]
    fn the_widest_formats_are_what_their_names_say() {
        use TexelKind::{Float, Int, Long, Uint, Ulong};
        let names = [Float, Int, Uint, Long, Ulong].map(|kind| ImageFormat::widest(kind).name());
        assert_eq!(names, ["rgba32f", "rgba32i", "rgba32ui", "r64i", "r64ui"]);
        assert!(ImageFormat::ALL.iter().all(|f| matches!(f.bytes(), 1 | 2 | 4 | 8 | 16)));
    }

    /// All patterns of the small formats come back, the bits of NaN and the second -1 of signed normalised numbers aside.
    #[test]
    fn what_is_read_is_written_again() {
        for name in ["r16f", "r8", "r16", "r8_snorm", "r16_snorm", "r8i", "r16i", "r8ui", "r16ui"] {
            let format = format(name);
            for word in 0..1u128 << (format.bytes() * 8) {
                let read = format.decode(word);
                let is_nan = format.kind() == TexelKind::Float && f32::from_bits(read[0]).is_nan();
                let lowest = name.ends_with("snorm") && word == 1 << (format.bytes() * 8 - 1);
                let expected = match (is_nan, lowest) {
                    (true, _) => word | 0x200,
                    (_, true) => word + 1,
                    _ => word,
                };
                assert_eq!(format.encode(read), expected, "{name} {word:#x}");
            }
        }
    }

    #[test]
    fn floats_without_sign_are_rounded_as_vulkan_says() {
        let red = |value: f32| format("r11f_g11f_b10f").encode([value.to_bits(), 0, 0, 0]) & 0x7ff;
        let blue = |value: f32| format("r11f_g11f_b10f").encode([0, 0, value.to_bits(), 0]) >> 22;
        assert_eq!([red(1.0), red(-1.0), red(65024.0), red(1e9)], [0x3c0, 0, 0x7bf, 0x7bf]);
        assert_eq!([red(f32::INFINITY), red(f32::NEG_INFINITY), red(f32::NAN)], [0x7c0, 0, 0x7e0]);
        assert_eq!([blue(1.0), blue(64512.0), blue(1e9)], [0x1e0, 0x3df, 0x3df]);
        // Half a step above 1 goes to the even neighbour, one and a half steps up.
        assert_eq!([red(1.0 + 0.5 / 64.0), red(1.0 + 1.5 / 64.0)], [0x3c0, 0x3c2]);
        // The smallest denormal is 2^-20, half of it is a tie.
        let tiny = 1.0 / (1 << 20) as f32;
        assert_eq!([red(tiny), red(tiny * 0.5), red(tiny * 0.75)], [1, 0, 1]);
        assert_eq!(format("r11f_g11f_b10f").decode(1)[0], tiny.to_bits());
    }

    #[test]
    fn components_that_a_format_lacks_are_zero_and_alpha_one() {
        let one = 1f32.to_bits();
        assert_eq!(format("rg8").decode(0xff00), [0, one, 0, one]);
        assert_eq!(format("r32ui").decode(7), [7, 0, 0, 1]);
        assert_eq!(format("r64ui").decode(5 << 32 | 7), [7, 5, 0, 0]);
        assert_eq!(format("r64i").encode([7, u32::MAX, 9, 9]), 0xffff_ffff_0000_0007);
        assert_eq!(format("rgb10_a2").decode(0xc000_0000), [0, 0, 0, one]);
        assert_eq!(format("rg8i").encode([200, -200i32 as u32, 0, 0]), 0x807f);
        assert_eq!(format("rgb10_a2ui").encode([1, 2, 3, 7]), 3 << 30 | 3 << 20 | 2 << 10 | 1);
        let half = [0.5f32, -0.5, 2.0, f32::NAN].map(f32::to_bits);
        assert_eq!(format("rgba8").encode(half), 0x00ff_0080);
        assert_eq!(format("rgba8_snorm").encode(half), 0x007f_c040);
    }

    #[test]
    fn texels_lie_without_gaps_and_nowhere_outside() {
        let image = ImageLayout { format: format("r16ui"), size: [3, 2, 2], samples: 2 };
        assert_eq!(image.words(), Some(12));
        assert_eq!(image.address([2, 1, 1], 1), 23 * 2);
        for (at, sample) in [([3, 0, 0], 0), ([0, 2, 0], 0), ([0, 0, 2], 0), ([0, 0, 0], 2), ([u32::MAX; 3], 0)] {
            assert_eq!(image.address(at, sample), u32::MAX);
        }
        let mut words = [vec![0; 12]];
        let mut memory = Memory::Exclusive(&mut words);
        image.store(&mut memory, 0, 46, [5, 9, 9, 9]);
        image.store(&mut memory, 0, u32::MAX, [1; 4]);
        assert_eq!((image.load(&memory, 0, 46), image.load(&memory, 0, u32::MAX)), ([5, 0, 0, 1], [0, 0, 0, 1]));
        assert_eq!(words[0][11], 0x0005_0000);
    }
}
