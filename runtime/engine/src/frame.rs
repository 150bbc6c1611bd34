//! What a draw leaves behind.

use crate::render_target::{Stored, Target};
use parallax_core::exec::{Plane, PlaneType};
use parallax_core::num::{self, Decl, Processor, Rule, Storage};
use parallax_core::{OutputRole, Type};
use parallax_interp::Interpreter;

/// One written component of one output, over all pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The output's spelling in the source, such as `OUT[0]`.
    pub output: String,
    /// What the output stands for.
    pub role: OutputRole,
    /// Component, 0 to 3.
    pub comp: u8,
    /// Declared type.
    pub ty: Type,
    /// Container, if it is a float.
    pub storage: Option<Storage>,
    /// Words in the container, one per pixel, row by row from the top left. Zero where the pixel is not covered. Of pixels
    /// with several samples, the resolved words.
    pub words: Plane,
    /// What the render target holds, if the draw names one for this output.
    pub stored: Option<Stored>,
}

/// The samples of the pixels of a frame: sample `s` of pixel `p` stands at `p * count + s`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameSamples {
    /// Where they are, as in [`crate::Samples::positions`].
    pub positions: Vec<[i8; 2]>,
    /// Whether the shader ran for every sample.
    pub per_sample: bool,
    /// Samples covered at the end.
    pub covered: Vec<bool>,
    /// Words of each channel of the frame in its container. Zero where the sample is not covered.
    pub words: Vec<Plane>,
    /// What the render target of each channel holds, if it has one.
    pub stored: Vec<Option<Plane>>,
}

/// The result of one draw under one model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Written components, outputs in the shader's order.
    pub channels: Vec<Channel>,
    /// Pixels covered at the end (by the geometry, and not discarded), at one sample at least; row by row.
    pub covered: Vec<bool>,
    /// The samples, where pixels have more than one.
    pub samples: Option<FrameSamples>,
    /// Words of each buffer at the end, if the shader writes memory; else empty.
    pub buffers: Vec<Vec<u32>>,
    /// Fragments covered by the geometry; a pixel, or where the shader ran per sample a sample, counts once per triangle.
    pub fragments: u64,
    /// Fragments among them that were discarded, or left no sample to write.
    pub discarded: u64,
    /// Fragments among them that ran out of loop fuel.
    pub out_of_fuel: u64,
}

impl Frame {
    /// Number of pixels.
    pub fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Covered samples of a pixel, bit 0 = sample 0.
    pub fn coverage(&self, pixel: usize) -> u32 {
        match &self.samples {
            None => u32::from(self.covered[pixel]),
            Some(samples) => {
                let covered = samples.covered[samples.range(pixel)].iter().enumerate();
                covered.fold(0, |mask, (sample, &covered)| mask | u32::from(covered) << sample)
            }
        }
    }

    /// Samples of every pixel.
    pub fn sample_count(&self) -> usize {
        self.samples.as_ref().map_or(1, |samples| samples.positions.len())
    }

    /// `4 samples per pixel`, and whether each is shaded; `None` where a pixel has one.
    pub fn sampling(&self) -> Option<String> {
        let samples = self.samples.as_ref()?;
        let each = if samples.per_sample { ", each shaded" } else { "" };
        Some(format!("{} samples per pixel{each}", samples.positions.len()))
    }

    /// What the samples of a pixel hold in a channel: patterns of the declared format. `None` for samples that are not covered;
    /// nothing where a pixel has one sample.
    pub fn sample_bits(&self, channel: usize, pixel: usize) -> Vec<Option<u64>> {
        let (Some(samples), Some(described)) = (&self.samples, self.channels.get(channel)) else { return Vec::new() };
        let words = samples.words.get(channel).map(|words| samples.of_pixel(words, pixel));
        let ty = PlaneType { ty: described.ty, storage: described.storage };
        words.map_or(Vec::new(), |words| samples.seen(&declared_bits(ty, &words), pixel))
    }

    /// What the render target of a channel holds in the samples of a pixel, in the same way; nothing without a target.
    pub fn stored_samples(&self, channel: usize, pixel: usize) -> Vec<Option<u64>> {
        let Some(samples) = &self.samples else { return Vec::new() };
        let stored = samples.stored.get(channel).and_then(Option::as_ref);
        stored.map_or(Vec::new(), |words| samples.seen(&samples.of_pixel(words, pixel), pixel))
    }

    /// The channel of a component of the first output with this role.
    pub fn channel(&self, role: OutputRole, comp: u8) -> Option<&Channel> {
        self.channels.iter().find(|c| c.role == role && c.comp == comp)
    }

    /// Names of the render targets: `unorm8`, or `fp16 and unorm8` where outputs differ; `None` without any.
    pub fn target_names(&self) -> Option<String> {
        let used = |target: &Target| self.channels.iter().flat_map(|c| &c.stored).any(|s| s.target == *target);
        let names: Vec<&str> = Target::ALL.iter().filter(|target| used(target)).map(|t| t.name()).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    }
}

impl FrameSamples {
    fn range(&self, pixel: usize) -> std::ops::Range<usize> {
        let count = self.positions.len();
        pixel * count..(pixel + 1) * count
    }

    /// Words of the samples of one pixel.
    fn of_pixel(&self, words: &Plane, pixel: usize) -> Plane {
        words.gather(&self.range(pixel).collect::<Vec<_>>())
    }

    /// Words of one pixel, without those of samples that are not covered.
    fn seen(&self, words: &Plane, pixel: usize) -> Vec<Option<u64>> {
        let covered = &self.covered[self.range(pixel)];
        covered.iter().enumerate().map(|(n, covered)| covered.then(|| words.get(n))).collect()
    }

    /// The samples of some pixels, in their order.
    #[must_use]
    pub fn gather(&self, pixels: &[usize]) -> FrameSamples {
        let places: Vec<usize> = pixels.iter().flat_map(|&pixel| self.range(pixel)).collect();
        FrameSamples {
            positions: self.positions.clone(),
            per_sample: self.per_sample,
            covered: places.iter().map(|&at| self.covered[at]).collect(),
            words: self.words.iter().map(|words| words.gather(&places)).collect(),
            stored: self.stored.iter().map(|words| words.as_ref().map(|words| words.gather(&places))).collect(),
        }
    }
}

impl Channel {
    /// `OUT[0].x`.
    pub fn name(&self) -> String {
        format!("{}.{}", self.output, char::from(b"xyzw"[usize::from(self.comp & 3)]))
    }

    /// The words as patterns of the declared format, which is what a later stage sees: rounded to nearest even where
    /// the container is wider. Integers, predicates and condition codes are unchanged.
    pub fn declared_bits(&self) -> Plane {
        declared_bits(PlaneType { ty: self.ty, storage: self.storage }, &self.words)
    }

    /// The words as numbers, exactly. Integer words sent to a colour, depth, position or varying output are what the
    /// next stage takes for a binary32 pattern; elsewhere they are unsigned integers.
    pub fn values(&self) -> Vec<f64> {
        let read_as_float = !matches!(self.role, OutputRole::Watch | OutputRole::SampleMask | OutputRole::Stencil);
        if let (Plane::U32(words), Some(Storage::F32)) = (&self.words, self.storage) {
            return words.iter().map(|&word| f64::from(f32::from_bits(word))).collect();
        }
        let words = self.words.to_words();
        match (self.storage, self.ty) {
            (Some(storage), _) => values(storage, &words),
            (None, Type::I32) if read_as_float => values(Storage::F32, &words),
            _ => words.into_iter().map(|word| word as f64).collect(),
        }
    }
}

/// Container words as patterns of the declared format, rounded to nearest even.
pub(crate) fn declared_bits(ty: PlaneType, words: &Plane) -> Plane {
    let (Some(decl), Some(storage)) = (ty.ty.decl(), ty.storage) else { return words.clone() };
    let format = decl.format();
    if format.storage() == storage {
        return words.clone();
    }
    let rule = Rule { source: storage, ..Rule::ieee(decl, format) };
    if let (Plane::U64(words), num::Format::F32, Storage::F64) = (words, format, storage) {
        return Plane::U32(nearest(words, &rule));
    }
    Plane::from_words(format.storage().bits(), &convert(&rule, &words.to_words()))
}

/// Binary64 patterns rounded to binary32 ones. The host does that, but which NaN it gives is no matter of the rule.
fn nearest(words: &[u64], rule: &Rule) -> Vec<u32> {
    let mut out = vec![0; words.len()];
    Processor::best().run(
        #[inline(always)]
        || {
            for (out, &word) in out.iter_mut().zip(words) {
                *out = (f64::from_bits(word) as f32).to_bits();
            }
        },
    );
    let is_nan = |word: &u64| word & i64::MAX as u64 > f64::INFINITY.to_bits();
    let places: Vec<usize> = (0..words.len()).filter(|&at| is_nan(&words[at])).collect();
    if !places.is_empty() {
        let nans: Vec<u64> = places.iter().map(|&at| words[at]).collect();
        convert(rule, &nans).into_iter().zip(places).for_each(|(word, at)| out[at] = word as u32);
    }
    out
}

/// Container words as numbers; every container fits binary64.
pub(crate) fn values(storage: Storage, words: &[u64]) -> Vec<f64> {
    match storage {
        Storage::F32 => words.iter().map(|&word| f64::from(f32::from_bits(word as u32))).collect(),
        Storage::F64 => words.iter().map(|&word| f64::from_bits(word)).collect(),
        Storage::Fixed(format) => {
            let scale = 1.0 / f64::from(1u32 << format.frac);
            words.iter().map(|&word| f64::from(word as u32 as i32) * scale).collect()
        }
        Storage::F16 => {
            let rule = Rule { source: storage, ..Rule::ieee(Decl::F64, num::Format::F64) };
            convert(&rule, words).into_iter().map(f64::from_bits).collect()
        }
    }
}

/// Container words converted under a rule.
pub(crate) fn convert(rule: &Rule, words: &[u64]) -> Vec<u64> {
    let mut out = vec![0; words.len()];
    Interpreter::operation(num::Op::Cvt, rule).runner().run(&[words], &mut out);
    out
}

#[cfg(test)]
mod rounding_tests {
    use super::*;

    /// The host's rounding is the rule's, also where results are denormal, too large or halfway between two.
    #[test]
    fn binary64_words_round_as_their_rule_says() {
        let singles = [0u32, 1, 2, 0x007f_ffff, 0x0080_0000, 0x3f80_0000, 0x3f80_0001, 0x7f7f_ffff, 0x7f80_0000];
        let around = |single: u32| {
            let step = f64::from(f32::from_bits((single + 1).min(0x7f7f_ffff))) - f64::from(f32::from_bits(single));
            let value = f64::from(f32::from_bits(single));
            [value, value + step / 2.0, value + step / 4.0, value + step * 0.75]
        };
        let ends = [f64::MAX, f64::MIN_POSITIVE, 1e-320, 3.4028235677973366e38, f64::NAN].map(f64::to_bits);
        let nans = [0x7ff0_0000_0000_0001u64, 0xfff8_1234_5678_9abc, 0x7ff4_0000_0000_0000];
        let words = singles.into_iter().flat_map(around).map(f64::to_bits).chain(ends).chain(nans);
        let words: Vec<u64> = words.flat_map(|word| [word, word ^ 1 << 63]).collect();
        let rule = Rule { source: Storage::F64, ..Rule::ieee(Decl::F32, num::Format::F32) };
        let wanted: Vec<u32> = convert(&rule, &words).into_iter().map(|word| word as u32).collect();
        assert_eq!(nearest(&words, &rule), wanted);
    }
}
