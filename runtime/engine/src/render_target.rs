//! Render targets: what the colours of a draw are stored as.
//!
//! A target takes the words a shader leaves in an output's container (binary32, half, s12, binary64, whatever the model
//! computes in) straight to its own words, with one rounding:
//!
//! | target | number | NaN | too large | -0 |
//! |---|---|---|---|---|
//! | fp32 | to nearest even | NaN, quieted where it changes containers | infinity | kept |
//! | fp16 | to nearest even, denormals kept | NaN, quieted | infinity from 65520 on | kept |
//! | unorm8, rgb10_a2, rgb565 | clamped to \[0, 1\], times 2^n - 1, to nearest even | 0 | 2^n - 1 | 0 |
//! | srgb8 | the code nearest to the curve of sRGB; alpha as unorm8 | 0 | 255 | 0 |
//! | snorm8 | clamped to \[-1, 1\], times 127, to nearest even | 0 | 127 | 0 |
//! | r11f_g11f_b10f | to nearest even; 0 below zero | NaN | infinity | 0 |
//! | rgb9_e5 | fractions of nine bits under one exponent, half up; 0 below zero | 0 | 65408 | 0 |
//! | depth16, depth24 | as unorm8, for depths | 0 | 1 | 0 |
//!
//! That is what `ieee` stores; a model may say otherwise ([`TargetRule`]). A container that is the target's own keeps every bit, NaNs
//! included. Vulkan ("Conversion from Floating-Point to
//! Normalized Fixed-Point") and Direct3D 11 (3.2.3.6, FLOAT to UNORM) both clamp, scale by 2^n - 1 and round to nearest;
//! Direct3D fixes NaN to 0 and ties upward. The only tie that a number with a finite binary expansion can meet is 1/2,
//! whose lower neighbour is odd, so that it goes up either way.

mod code;
mod srgb;

use crate::frame::{convert, values};
pub(crate) use code::Code;
use parallax_core::exec::{Plane, Row, RowMut};
use parallax_core::num::{Decl, Processor, Round, Rule, Storage, StoreFloat, StoreUnorm, TargetRule};
use parallax_core::{OutputRole, Type};
use std::collections::BTreeMap;
use std::fmt;

/// What an output is stored as.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Binary32.
    Fp32,
    /// Binary16.
    Fp16,
    /// Unsigned bytes, 255 for 1.
    Unorm8,
    /// Bytes by the curve of sRGB; alpha is an unsigned byte.
    Srgb8,
    /// Red, green and blue in 10 bits, alpha in 2.
    Rgb10A2,
    /// Red and blue in 5 bits, green in 6; no alpha.
    Rgb565,
    /// Signed bytes, 127 for 1.
    Snorm8,
    /// Floats without a sign: red and green in 11 bits, blue in 10; no alpha.
    R11fG11fB10f,
    /// Nine bits of fraction each and an exponent of five bits for red, green and blue; no alpha.
    Rgb9E5,
    /// Depths in 16 bits.
    Depth16,
    /// Depths in 24 bits.
    Depth24,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 11] = [
        Target::Fp32,
        Target::Fp16,
        Target::Unorm8,
        Target::Srgb8,
        Target::Rgb10A2,
        Target::Rgb565,
        Target::Snorm8,
        Target::R11fG11fB10f,
        Target::Rgb9E5,
        Target::Depth16,
        Target::Depth24,
    ];

    /// The word in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Fp32 => "fp32",
            Target::Fp16 => "fp16",
            Target::Unorm8 => "unorm8",
            Target::Srgb8 => "srgb8",
            Target::Rgb10A2 => "rgb10_a2",
            Target::Rgb565 => "rgb565",
            Target::Snorm8 => "snorm8",
            Target::R11fG11fB10f => "r11f_g11f_b10f",
            Target::Rgb9E5 => "rgb9_e5",
            Target::Depth16 => "depth16",
            Target::Depth24 => "depth24",
        }
    }

    /// Reads [`Target::name`].
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Container of a target whose words are all of one float format; `None` for the others.
    pub const fn storage(self) -> Option<Storage> {
        match self {
            Target::Fp32 => Some(Storage::F32),
            Target::Fp16 => Some(Storage::F16),
            _ => None,
        }
    }

    /// Whether colours can be stored so.
    pub const fn is_of_colors(self) -> bool {
        !matches!(self, Target::Depth16 | Target::Depth24)
    }

    /// Whether depths can.
    pub const fn is_of_depths(self) -> bool {
        matches!(self, Target::Depth16 | Target::Depth24 | Target::Fp32)
    }

    /// How a component is stored.
    pub(crate) const fn code(self, comp: u8) -> Code {
        match (self, comp) {
            (Target::Fp32, _) => Code::SINGLE,
            (Target::Fp16, _) => Code::HALF,
            (Target::Unorm8, _) | (Target::Srgb8, 3) => Code::Unorm(8),
            (Target::Srgb8, _) => Code::Srgb,
            (Target::Rgb10A2, 3) => Code::Unorm(2),
            (Target::Rgb10A2, _) => Code::Unorm(10),
            (Target::Rgb565 | Target::R11fG11fB10f | Target::Rgb9E5, 3) => Code::One,
            (Target::Rgb565, 1) => Code::Unorm(6),
            (Target::Rgb565, _) => Code::Unorm(5),
            (Target::Snorm8, _) => Code::Snorm(8),
            (Target::R11fG11fB10f, 2) => Code::Float { exponent: 5, fraction: 5, sign: false },
            (Target::R11fG11fB10f, _) => Code::Float { exponent: 5, fraction: 6, sign: false },
            (Target::Rgb9E5, _) => Code::Shared,
            (Target::Depth16, _) => Code::Unorm(16),
            (Target::Depth24, _) => Code::Unorm(24),
        }
    }

    /// Bits of the words of a component.
    pub const fn bits(self, comp: u8) -> u32 {
        self.code(comp).bits()
    }

    /// A word of a component in hexadecimal, all digits.
    pub fn hex(self, comp: u8, word: u64) -> String {
        format!("{word:0digits$x}", digits = self.bits(comp).div_ceil(4) as usize)
    }

    /// The number of a word; that of [`Target::Srgb8`] as a part of 255, as screens take it.
    pub fn value(self, comp: u8, word: u64) -> f64 {
        self.code(comp).decode(word)
    }

    /// The distance of two words in steps: those at the second one where steps grow with the number. `None` where one of two
    /// different words is infinite or no number.
    pub fn steps(self, comp: u8, word: u64, reference: u64) -> Option<f64> {
        self.code(comp).steps(word, reference)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Render targets of a draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// Target of every colour output that has none of its own; `None` keeps what the shader computed as it is.
    pub every: Option<Target>,
    /// Targets by number of the colour output.
    pub by_output: BTreeMap<u16, Target>,
    /// Target of depths that the shader writes.
    pub depth: Option<Target>,
}

impl Targets {
    /// The same target for every colour output.
    pub fn all(target: Target) -> Targets {
        Targets { every: Some(target), ..Targets::default() }
    }

    /// Where components of an output go. Integers sent to a colour output are binary32 patterns; predicates and
    /// condition codes have no target.
    pub fn of(&self, role: OutputRole, ty: Type) -> Option<Target> {
        let is_number = matches!(ty, Type::Float(_) | Type::I32);
        match role {
            OutputRole::Color(number) => self.by_output.get(&number).copied().or(self.every).filter(|_| is_number),
            OutputRole::Depth => self.depth.filter(|_| is_number),
            _ => None,
        }
    }
}

/// The words a target holds, one per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The target.
    pub target: Target,
    /// The component that the words are of, 0 to 3.
    pub comp: u8,
    /// Its words, row by row from the top left. Zero where the pixel is not covered.
    pub words: Plane,
}

impl Stored {
    /// The words as numbers: exactly for floats, n / (2^bits - 1) rounded to binary64 for normalised codes, those of sRGB included.
    pub fn values(&self) -> Vec<f64> {
        match self.target.storage() {
            Some(storage) => values(storage, &self.words.to_words()),
            None => self.words.to_words().into_iter().map(|word| self.target.value(self.comp, word)).collect(),
        }
    }
}

/// The conversion from a container to a component of a target.
#[derive(Debug)]
pub(crate) struct Store {
    how: How,
    from: Storage,
    code: Code,
    rule: TargetRule,
}

#[derive(Debug)]
enum How {
    /// The container is the target's.
    Same,
    /// One rounding in `num`.
    Round(Box<Rule>),
    /// The nearest binary16, from binary32.
    Half,
    /// The nearest bytes.
    Bytes,
    /// Number by number.
    Code,
}

impl Store {
    pub(crate) fn new(from: Storage, code: Code, rule: &TargetRule) -> Store {
        let rounded = |decl: Decl, to: Storage| {
            let round = if rule.float == StoreFloat::TowardZero { Round::Zero } else { Round::NearestEven };
            // What becomes binary32 is no narrower float.
            let round = if to == Storage::F32 { Round::NearestEven } else { round };
            How::Round(Box::new(Rule { source: from, round, ..Rule::ieee(decl, to.format()) }))
        };
        let how = match code {
            Code::SINGLE if from == Storage::F32 => How::Same,
            Code::SINGLE => rounded(Decl::F32, Storage::F32),
            Code::HALF if from == Storage::F16 => How::Same,
            Code::HALF if from == Storage::F32 && rule.float != StoreFloat::TowardZero => How::Half,
            Code::HALF => rounded(Decl::F16, Storage::F16),
            Code::Unorm(8) if rule.unorm == StoreUnorm::Nearest => How::Bytes,
            _ => How::Code,
        };
        Store { how, from, code, rule: *rule }
    }

    /// Whether words stay as they are.
    pub(crate) fn is_copy(&self) -> bool {
        matches!(self.how, How::Same)
    }

    /// Container of the words that are taken.
    pub(crate) fn container(&self) -> Storage {
        self.from
    }

    /// What they become.
    pub(crate) fn code(&self) -> Code {
        self.code
    }

    /// The word of a number.
    pub(crate) fn encode(&self, value: f64, largest: f64) -> u64 {
        self.code.encode(value, largest, &self.rule)
    }

    /// Whether the words of red, green and blue are needed for one of them.
    pub(crate) fn is_shared(&self) -> bool {
        self.code == Code::Shared
    }

    /// Converts words; all rows have the same length, and the width of container and target. `colour` are those of red, green and
    /// blue, for targets that share an exponent.
    pub(crate) fn run(&self, processor: Processor, words: Row<'_>, colour: [Option<Row<'_>>; 3], mut out: RowMut<'_>) {
        match (&self.how, words, &mut out) {
            (How::Round(rule), words, out) => {
                let converted = convert(rule, &words.to_words());
                converted.into_iter().enumerate().for_each(|(n, word)| out.set(n, word));
            }
            (How::Half, Row::U32(words), RowMut::U16(out)) => processor.run(
                #[inline(always)]
                || out.iter_mut().zip(words).for_each(|(out, &word)| *out = half_of_single(word)),
            ),
            (How::Half, words, out) => {
                (0..words.len()).for_each(|n| out.set(n, half_of_single(words.get(n) as u32).into()));
            }
            (How::Bytes, Row::U32(words), RowMut::U8(out)) if self.from == Storage::F32 => processor.run(
                #[inline(always)]
                || {
                    for (out, &word) in out.iter_mut().zip(words) {
                        *out = byte_of_single(f32::from_bits(word));
                    }
                },
            ),
            (How::Bytes, words, out) => {
                let values = values(self.from, &words.to_words());
                values.into_iter().enumerate().for_each(|(n, value)| out.set(n, u64::from(unorm8(value))));
            }
            (How::Code, words, out) => {
                let mut largest = vec![0.0; words.len()];
                for row in colour.into_iter().flatten().filter(|_| self.is_shared()) {
                    let values = values(self.from, &row.to_words());
                    largest.iter_mut().zip(values).for_each(|(most, value)| *most = f64::max(*most, value));
                }
                let values = values(self.from, &words.to_words());
                let words = values.into_iter().zip(largest).map(|(value, largest)| self.encode(value, largest));
                words.enumerate().for_each(|(n, word)| out.set(n, word));
            }
            (How::Same, Row::U16(words), RowMut::U16(out)) => out.copy_from_slice(words),
            (How::Same, Row::U32(words), RowMut::U32(out)) => out.copy_from_slice(words),
            (How::Same, words, out) => (0..words.len()).for_each(|n| out.set(n, words.get(n))),
        }
    }
}

/// The binary16 pattern next to a binary32 one, in steps without branches, so that loops of them become vectors.
#[inline(always)]
fn half_of_single(word: u32) -> u16 {
    let (sign, size) = (word >> 16 & 0x8000, word & 0x7fff_ffff);
    // A multiple of the least half, 2^-24, is what is left of the fraction when 1/2 is added.
    let tiny = (f32::from_bits(size) + 0.5).to_bits().wrapping_sub(0x3f00_0000);
    // Exponents differ by 112; halfway between two the even one, by the last bit that stays.
    let normal = size.wrapping_sub(112 << 23).wrapping_add(0xfff + (size >> 13 & 1)) >> 13;
    let nan = 0x7e00 | size >> 13 & 0x3ff;
    let half = if size < 0x3880_0000 { tiny } else { normal };
    // From 65520 on; what is rounded up to 65536 becomes infinite by itself.
    let half = if size >= 0x4780_0000 { 0x7c00 } else { half };
    let half = if size > 0x7f80_0000 { nan } else { half };
    (sign | half) as u16
}

/// 2^52: from here on to its double, the numbers of binary64 are integers.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// [`unorm8`] of a binary32 number: 255 times it is exact in binary64, and adding 2^52 rounds that to an integer.
#[inline(always)]
fn byte_of_single(value: f32) -> u8 {
    let value = f64::from(value);
    // NaN is not above zero.
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 1.0 { value } else { 1.0 };
    (value * 255.0 + INTEGERS).to_bits() as u8
}

/// `value` clamped to \[0, 1\], times 255, rounded to nearest even, exactly; NaN gives 0.
pub fn unorm8(value: f64) -> u8 {
    // Unless the product is next to a tie, adding 2^52 rounds it as the exact product is rounded.
    let product = value * 255.0;
    let rounded = product + INTEGERS - INTEGERS;
    if value > 0.0 && value < 1.0 && (product - rounded).abs() < 0.499_999 {
        return rounded as u8;
    }
    code::scaled(value, 255) as u8
}

#[cfg(test)]
mod tests;
