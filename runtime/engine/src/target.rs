//! Render targets: what the colours of a draw are stored as.
//!
//! A target takes the words a shader leaves in an output's container (binary32, half, s12, binary64, whatever the model
//! computes in) straight to its own words, with one rounding:
//!
//! | target | number | NaN | too large | -0 |
//! |---|---|---|---|---|
//! | fp32 | to nearest even | NaN, quieted where it changes containers | infinity | kept |
//! | fp16 | to nearest even, denormals kept | NaN, quieted | infinity from 65520 on | kept |
//! | unorm8 | clamped to \[0, 1\], times 255, to nearest even | 0 | 255 | 0 |
//!
//! A container that is the target's own keeps every bit, NaNs included. Vulkan ("Conversion from Floating-Point to
//! Normalized Fixed-Point") and Direct3D 11 (3.2.3.6, FLOAT to UNORM) both clamp, scale by 255 and round to nearest;
//! Direct3D fixes NaN to 0 and ties upward. The only tie that a number with a finite binary expansion can meet is 1/2,
//! which is 127.5 and goes to 128 either way.

use crate::frame::{convert, values};
use parallax_core::exec::{Plane, Row, RowMut};
use parallax_core::num::{Decl, Processor, Rule, Storage};
use parallax_core::{OutputRole, Type};
use std::collections::BTreeMap;
use std::fmt;

/// What a colour output is stored as.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// Binary32.
    Fp32,
    /// Binary16.
    Fp16,
    /// Unsigned bytes, 255 for 1.
    Unorm8,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 3] = [Target::Fp32, Target::Fp16, Target::Unorm8];

    /// The word in manifests and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Target::Fp32 => "fp32",
            Target::Fp16 => "fp16",
            Target::Unorm8 => "unorm8",
        }
    }

    /// Reads [`Target::name`].
    pub fn from_name(name: &str) -> Option<Target> {
        Target::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Container of a float target's words; `None` for bytes.
    pub const fn storage(self) -> Option<Storage> {
        match self {
            Target::Fp32 => Some(Storage::F32),
            Target::Fp16 => Some(Storage::F16),
            Target::Unorm8 => None,
        }
    }

    /// Bits of the target's words.
    pub const fn bits(self) -> u32 {
        match self {
            Target::Fp32 => 32,
            Target::Fp16 => 16,
            Target::Unorm8 => 8,
        }
    }

    /// A word of the target in hexadecimal, all digits.
    pub fn hex(self, word: u64) -> String {
        match self {
            Target::Fp32 => format!("{word:08x}"),
            Target::Fp16 => format!("{word:04x}"),
            Target::Unorm8 => format!("{word:02x}"),
        }
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
}

impl Targets {
    /// The same target for every colour output.
    pub fn all(target: Target) -> Targets {
        Targets { every: Some(target), by_output: BTreeMap::new() }
    }

    /// Where components of an output go. Integers sent to a colour output are binary32 patterns; predicates and
    /// condition codes have no target.
    pub fn of(&self, role: OutputRole, ty: Type) -> Option<Target> {
        let OutputRole::Color(number) = role else { return None };
        let colour = matches!(ty, Type::Float(_) | Type::I32);
        self.by_output.get(&number).copied().or(self.every).filter(|_| colour)
    }
}

/// The words a target holds, one per pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The target.
    pub target: Target,
    /// Its words, row by row from the top left. Zero where the pixel is not covered.
    pub words: Plane,
}

impl Stored {
    /// The words as numbers: exactly for floats, n/255 rounded to binary64 for bytes.
    pub fn values(&self) -> Vec<f64> {
        match self.target.storage() {
            Some(storage) => values(storage, &self.words.to_words()),
            None => self.words.to_words().into_iter().map(|word| word as f64 / 255.0).collect(),
        }
    }
}

/// The conversion from a container to a target.
#[derive(Debug)]
pub(crate) struct Store(How);

#[derive(Debug)]
enum How {
    /// The container is the target's.
    Same,
    /// One rounding in `num`.
    Round(Box<Rule>),
    /// The same from binary32 to binary16.
    Half,
    /// Bytes from this container.
    Bytes(Storage),
}

impl Store {
    pub(crate) fn new(from: Storage, target: Target) -> Store {
        Store(match target.storage() {
            None => How::Bytes(from),
            Some(to) if to == from => How::Same,
            Some(Storage::F16) if from == Storage::F32 => How::Half,
            Some(to) => {
                let decl = if to == Storage::F16 { Decl::F16 } else { Decl::F32 };
                let rule = Rule { source: from, ..Rule::ieee(decl, to.format()) };
                How::Round(Box::new(rule))
            }
        })
    }

    /// Whether words stay as they are.
    pub(crate) fn is_copy(&self) -> bool {
        matches!(self.0, How::Same)
    }

    /// Converts words; both rows have the same length, and the width of container and target.
    pub(crate) fn run(&self, processor: Processor, words: Row<'_>, mut out: RowMut<'_>) {
        match (&self.0, words, &mut out) {
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
            (How::Bytes(Storage::F32), Row::U32(words), RowMut::U8(out)) => processor.run(
                #[inline(always)]
                || {
                    for (out, &word) in out.iter_mut().zip(words) {
                        *out = byte_of_single(f32::from_bits(word));
                    }
                },
            ),
            (How::Bytes(storage), words, out) => {
                let values = values(*storage, &words.to_words());
                values.into_iter().enumerate().for_each(|(n, value)| out.set(n, u64::from(unorm8(value))));
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

/// [`unorm8`] of a binary32 number: 255 times it is exact in binary64, and adding 2^52 rounds that to an integer.
#[inline(always)]
fn byte_of_single(value: f32) -> u8 {
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    let value = f64::from(value);
    // NaN is not above zero.
    let value = if value > 0.0 { value } else { 0.0 };
    let value = if value < 1.0 { value } else { 1.0 };
    (value * 255.0 + INTEGERS).to_bits() as u8
}

/// `value` clamped to \[0, 1\], times 255, rounded to nearest even, exactly; NaN gives 0.
pub fn unorm8(value: f64) -> u8 {
    if value >= 1.0 {
        return 255;
    }
    // Not above zero, or NaN.
    if !matches!(value.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
        return 0;
    }
    let bits = value.to_bits();
    let field = bits >> 52;
    let significand = bits & ((1 << 52) - 1) | if field == 0 { 0 } else { 1 << 52 };
    // value = significand * 2^-shift
    let shift = 1075 - field.max(1);
    if shift > 62 {
        // Below 2^-9, which is less than half a step.
        return 0;
    }
    let product = significand * 255;
    let (whole, rest, half) = (product >> shift, product & ((1 << shift) - 1), 1 << (shift - 1));
    let up = rest > half || rest == half && whole & 1 == 1;
    (whole + u64::from(up)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::{Format, Op, eval, ulp};

    fn stored(from: Storage, target: Target, words: &[u64]) -> Vec<u64> {
        let bits = |bits: u32, words: &[u64]| Plane::from_words(bits, words);
        let all: Vec<Vec<u64>> = Processor::all()
            .into_iter()
            .map(|processor| {
                let mut out = bits(target.bits(), &vec![0; words.len()]);
                let from_words = bits(from.bits(), words);
                Store::new(from, target).run(processor, from_words.as_row(), out.as_row_mut());
                out.to_words()
            })
            .collect();
        assert!(all.iter().all(|one| *one == all[0]), "levels of instructions differ");
        all.into_iter().next().unwrap()
    }

    fn f32s(values: &[f32]) -> Vec<u64> {
        values.iter().map(|v| u64::from(v.to_bits())).collect()
    }

    #[test]
    fn eight_bit_values_round_exactly() {
        for (v, want) in [
            (0.0, 0),
            (-0.0, 0),
            (-1.0, 0),
            (f64::NAN, 0),
            (f64::NEG_INFINITY, 0),
            (f64::INFINITY, 255),
            (1.0, 255),
            (0.5, 128),
            (0.5f64.next_down(), 127),
            (1.0f64.next_down(), 255),
            (f64::from_bits(1), 0),
            (f64::MIN_POSITIVE, 0),
        ] {
            assert_eq!(unorm8(v), want, "{v:e}");
        }
        for k in 0..=255u8 {
            assert_eq!(unorm8(f64::from(k) / 255.0), k);
            // The borders between k and k + 1 lie at (k + 0.5) / 255, which only k = 127 can meet exactly.
            let border = (f64::from(k) + 0.5) / 255.0;
            if border < 1.0 && k != 127 {
                assert!(unorm8(border.next_down()) == k && unorm8(border.next_up()) == k + 1);
            }
        }
    }

    /// All 65,536 halves and all s12 numbers against integers: the byte nearest to 255 v, where v = n / 2^s.
    #[test]
    fn every_half_and_every_s12_number_becomes_the_nearest_byte() {
        let nearest = |n: i64, s: u32| {
            let scaled = 255 * n;
            let (whole, rest, half) = (scaled >> s, scaled & ((1 << s) - 1), 1i64 << (s - 1));
            whole + i64::from(rest > half || rest == half && whole & 1 == 1)
        };
        let halves: Vec<u64> = (0..=0xffff).collect();
        let bytes = stored(Storage::F16, Target::Unorm8, &halves);
        for (&half, &byte) in halves.iter().zip(&bytes) {
            let (field, fraction) = ((half >> 10 & 31) as u32, (half & 0x3ff) as i64);
            let want = match (half >> 15, field) {
                (_, 31) if fraction != 0 => 0,
                (1, _) => 0,
                (_, 15..) => 255,
                // In steps of 2^-25 and up: field 1 is 2^-14, with ten more bits.
                (_, 0) => nearest(fraction, 24),
                (_, field) => nearest((fraction | 0x400) << field, 25),
            };
            assert_eq!(byte as i64, want, "{half:04x}");
        }
        let s12: Vec<u64> = (-2048i32..=2047).map(|n| u64::from(n as u32)).collect();
        let bytes = stored(Format::FX12.storage(), Target::Unorm8, &s12);
        for (n, &byte) in (-2048i64..=2047).zip(&bytes) {
            assert_eq!(byte as i64, nearest(n.clamp(0, 1024), 10), "{n}");
        }
    }

    /// All halves to fp16 and back from wider containers: the same bits, NaNs quiet with their payload.
    #[test]
    fn every_half_survives_the_way_through_wider_containers() {
        let halves: Vec<u64> = (0..=0xffff).collect();
        assert_eq!(stored(Storage::F16, Target::Fp16, &halves), halves);
        let singles = stored(Storage::F16, Target::Fp32, &halves);
        let doubles: Vec<u64> = values(Storage::F16, &halves).into_iter().map(f64::to_bits).collect();
        for (from, words) in [(Storage::F32, &singles), (Storage::F64, &doubles)] {
            for (&half, back) in halves.iter().zip(stored(from, Target::Fp16, words)) {
                let is_nan = half & 0x7c00 == 0x7c00 && half & 0x3ff != 0;
                assert_eq!(back, if is_nan { half | 0x200 } else { half }, "{half:04x}");
            }
        }
    }

    /// Around every half: its neighbours' midpoint and the binary32 numbers beside it.
    #[test]
    fn ties_between_halves_go_to_the_even_one() {
        for half in 0..0x7c00u64 {
            let [low, high] = [half, half + 1].map(|h| ulp::to_f64(h, Storage::F16));
            // The largest half and what would come after it.
            let high = if high.is_finite() { high } else { 65536.0 };
            let middle = ((low + high) / 2.0) as f32;
            assert_eq!(f64::from(middle) * 2.0, low + high);
            let even = if half & 1 == 0 { half } else { half + 1 };
            let words = f32s(&[middle.next_down(), middle, middle.next_up(), -middle]);
            assert_eq!(stored(Storage::F32, Target::Fp16, &words), [half, even, half + 1, even | 0x8000]);
        }
    }

    #[test]
    fn special_values_are_stored_as_the_table_says() {
        let words = [0x7fc0_0001, 0x7f80_0001, 0xff80_0000, 0x8000_0000, 0x477f_efff, 0x477f_f000, 0x0000_0001];
        assert_eq!(stored(Storage::F32, Target::Fp32, &words), words);
        assert_eq!(
            stored(Storage::F32, Target::Fp16, &words),
            [0x7e00, 0x7e00, 0xfc00, 0x8000, 0x7bff, 0x7c00, 0x0000]
        );
        assert_eq!(stored(Storage::F32, Target::Unorm8, &words), [0, 0, 0, 0, 255, 255, 0]);
        let doubles = [1e300, -1e300, 1e-300, -1e-300, f64::NAN, 0.1].map(f64::to_bits);
        assert_eq!(
            stored(Storage::F64, Target::Fp32, &doubles),
            [0x7f80_0000, 0xff80_0000, 0, 0x8000_0000, 0x7fc0_0000, 0x3dcc_cccd]
        );
        assert_eq!(stored(Storage::F64, Target::Unorm8, &doubles), [255, 0, 0, 0, 0, 26]);
        let s12 = [0xffff_f800, 0xffff_fc00, 0, 1, 0x200, 0x7ff];
        assert_eq!(stored(Format::FX12.storage(), Target::Fp16, &s12), [0xc000, 0xbc00, 0, 0x1400, 0x3800, 0x3fff]);
        assert_eq!(stored(Format::FX12.storage(), Target::Fp32, &s12)[3], 0x3a80_0000);
    }

    /// A binary64 number just above a tie of binary16 that binary32 would round onto the tie.
    #[test]
    fn containers_are_rounded_once() {
        let tie = 1.0 + 2f64.powi(-11);
        let above = (tie + 2f64.powi(-40)).to_bits();
        assert_eq!(stored(Storage::F64, Target::Fp16, &[tie.to_bits(), above]), [0x3c00, 0x3c01]);
        let border = 127.5f64 / 255.0;
        let below = (border - 2f64.powi(-45)).to_bits();
        assert_eq!(stored(Storage::F64, Target::Unorm8, &[border.to_bits(), below]), [128, 127]);
    }

    /// All binary32 patterns to binary16, by their rule: `cargo test -p parallax --release every_single -- --ignored`.
    #[test]
    #[ignore = "long"]
    fn every_single_becomes_the_nearest_half() {
        singles_to_halves(1);
    }

    #[test]
    fn many_singles_become_the_nearest_half() {
        singles_to_halves(4_099);
    }

    fn singles_to_halves(stride: usize) {
        let rule = Rule { source: Storage::F32, ..Rule::ieee(Decl::F16, Format::F16) };
        let step = stride << 16;
        for first in (0..1u64 << 32).step_by(step) {
            let words: Vec<u64> = (first..(first + step as u64).min(1 << 32)).step_by(stride).collect();
            for (&word, wanted) in words.iter().zip(convert(&rule, &words)) {
                assert_eq!(u64::from(half_of_single(word as u32)), wanted, "{word:08x}");
            }
        }
    }

    /// Rows and single words give the same.
    #[test]
    fn rows_agree_with_single_words() {
        let words: Vec<u64> = (0..70_000u64).map(|n| n.wrapping_mul(0x9e37_79b9) & 0xffff_ffff).collect();
        let rule = Rule { source: Storage::F32, ..Rule::ieee(Decl::F16, Format::F16) };
        let one: Vec<u64> = words.iter().map(|&word| eval(Op::Cvt, &rule, &[word])).collect();
        assert_eq!(stored(Storage::F32, Target::Fp16, &words), one);
        let bytes: Vec<u64> =
            words.iter().map(|&word| u64::from(unorm8(f64::from(f32::from_bits(word as u32))))).collect();
        assert_eq!(stored(Storage::F32, Target::Unorm8, &words), bytes);
    }

    #[test]
    fn outputs_find_their_target() {
        let mut targets = Targets::all(Target::Unorm8);
        targets.by_output.insert(1, Target::Fp16);
        let of = |role| targets.of(role, Type::F32);
        assert_eq!(of(OutputRole::Color(0)), Some(Target::Unorm8));
        assert_eq!(of(OutputRole::Color(1)), Some(Target::Fp16));
        assert_eq!((of(OutputRole::Depth), of(OutputRole::Generic(1))), (None, None));
        assert_eq!(targets.of(OutputRole::Color(0), Type::Pred), None);
        assert_eq!(Targets::default().of(OutputRole::Color(0), Type::F32), None);
        assert!(Target::ALL.iter().all(|&target| Target::from_name(target.name()) == Some(target)));
    }
}
