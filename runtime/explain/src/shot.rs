//! What some pixels of a frame show, and how far two such are apart.

use parallax::{Channel, Frame, Quads, Stored, Target, unorm8};
use parallax_core::OutputRole;
use parallax_core::num::{Format, Processor, ulp};

/// Values of the outputs at some pixels. Watched registers are left out.
#[derive(Clone, Debug)]
pub(crate) struct Shot {
    /// Covered samples of each pixel, a bit each.
    coverage: Vec<u32>,
    outputs: Vec<Output>,
}

#[derive(Clone, Debug)]
struct Output {
    name: String,
    role: OutputRole,
    comp: u8,
    is_color: bool,
    /// Format that steps are counted in; `None` for other targets and for words without distance.
    format: Option<Format>,
    /// The target whose steps are counted, where it is none of a float format.
    target: Option<Target>,
    /// Whether values are words that are equal or not.
    words: bool,
    bits: Vec<u64>,
    values: Vec<f64>,
}

/// How two shots differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distance {
    /// Pixels that one of them covers.
    pub pixels: u64,
    /// Those with another output bit, or another coverage.
    pub changed: u64,
    /// Those whose colour differs on a screen of 8 bits a component, or that one alone covers.
    pub visible: u64,
    /// Components of different special class.
    pub special: u64,
    /// Pixels with another coverage.
    pub flips: u64,
    /// Sum over the pixels of the largest error of a component: the absolute difference in units of the output's
    /// scale, at most 1; 1 for special values and coverage.
    pub error: f64,
    /// The smallest error, in steps of the output's format, that 99 of 100 components do not exceed.
    pub p99_ulp: f64,
}

/// The largest of many magnitudes: enough of them to know what 99 of 100 do not exceed.
pub(crate) struct Top {
    /// How many are kept, and how many came.
    most: usize,
    all: u64,
    held: Vec<f64>,
}

impl Top {
    /// Of at most so many.
    pub(crate) fn of(all: u64) -> Top {
        Top { most: (all / 100) as usize + 2, all: 0, held: Vec::new() }
    }

    /// Zeros come last: their number is enough.
    fn push_zeros(&mut self, count: u64) {
        self.all += count;
    }

    pub(crate) fn push(&mut self, magnitude: f64) {
        self.all += 1;
        if magnitude == 0.0 {
            return;
        }
        self.held.push(magnitude);
        if self.held.len() > 2 * self.most + 1024 {
            self.held.select_nth_unstable_by(self.most, |a, b| b.total_cmp(a));
            self.held.truncate(self.most);
        }
    }

    /// The smallest that 99 of 100 do not exceed; 0 if there is none.
    pub(crate) fn ninety_nine_of_100(mut self) -> f64 {
        let Some(last) = self.all.checked_sub(1) else { return 0.0 };
        let from_above = (last - last * 99 / 100) as usize;
        if from_above >= self.held.len() {
            return 0.0;
        }
        *self.held.select_nth_unstable_by(from_above, |a, b| b.total_cmp(a)).1
    }
}

/// Column and row of the pixels of some quads, row by row of quads.
pub(crate) fn pixels_of(quads: &Quads, width: u32, height: u32) -> Vec<(u32, u32)> {
    let four = |(x, y): (u32, u32)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)];
    quads.iter().flat_map(four).filter(|&(x, y)| x < width && y < height).collect()
}

impl Shot {
    /// The pixels given by column and row.
    pub(crate) fn new(frame: &Frame, pixels: &[(u32, u32)]) -> Shot {
        let places: Vec<usize> = pixels.iter().map(|&(x, y)| y as usize * frame.width as usize + x as usize).collect();
        let shown = frame.channels.iter().filter(|c| c.role != OutputRole::Watch);
        Shot {
            coverage: places.iter().map(|&at| frame.coverage(at)).collect(),
            outputs: shown.map(|channel| Output::new(channel, &places)).collect(),
        }
    }

    /// Whether another one has the same outputs.
    pub(crate) fn is_alike(&self, other: &Shot) -> bool {
        let kinds = |shot: &Shot| shot.outputs.iter().map(|o| (o.role, o.comp)).collect::<Vec<_>>();
        kinds(self) == kinds(other)
    }

    /// Whether another one of the same pixels has the same words everywhere.
    pub(crate) fn is_same(&self, other: &Shot) -> bool {
        let mut outputs = self.outputs.iter().zip(&other.outputs);
        self.coverage == other.coverage && outputs.all(|(a, b)| a.differing(b).next().is_none())
    }

    /// Some pixels of one that has all of a frame, in the order of [`Quads::all`].
    pub(crate) fn at(&self, pixels: &[(u32, u32)], width: u32, height: u32) -> Shot {
        let all = pixels_of(&Quads::all(width, height), width, height);
        let mut place = vec![0; all.len()];
        let number = |(x, y): (u32, u32)| y as usize * width as usize + x as usize;
        all.iter().enumerate().for_each(|(n, &pixel)| place[number(pixel)] = n);
        let places: Vec<usize> = pixels.iter().map(|&pixel| place[number(pixel)]).collect();
        let output = |o: &Output| Output {
            name: o.name.clone(),
            bits: places.iter().map(|&at| o.bits[at]).collect(),
            values: places.iter().map(|&at| o.values[at]).collect(),
            ..*o
        };
        Shot {
            coverage: places.iter().map(|&at| self.coverage[at]).collect(),
            outputs: self.outputs.iter().map(output).collect(),
        }
    }

    /// Number of outputs.
    pub(crate) fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// The scale of each output: the power of two at or below its largest finite magnitude.
    pub(crate) fn scales(&self) -> Vec<f64> {
        Shot::scales_of(&self.largest())
    }

    /// The scales by the largest finite magnitudes.
    pub(crate) fn scales_of(largest: &[f64]) -> Vec<f64> {
        let binade = |v: &f64| f64::from_bits(v.to_bits() & 0x7ff0_0000_0000_0000);
        largest.iter().map(|v| Some(binade(v)).filter(|s| *s > 0.0).unwrap_or(1.0)).collect()
    }

    /// The largest finite magnitude of each output in covered pixels.
    pub(crate) fn largest(&self) -> Vec<f64> {
        let largest = |output: &Output| {
            let held = output.values.iter().zip(&self.coverage).filter(|(_, c)| **c != 0).map(|(v, _)| v.abs());
            held.filter(|v| v.is_finite()).fold(0.0, f64::max)
        };
        self.outputs.iter().map(largest).collect()
    }

    /// Largest error of a component of a pixel, as in [`Distance::error`].
    pub(crate) fn error(&self, other: &Shot, scales: &[f64], at: usize) -> f64 {
        if self.coverage[at] != other.coverage[at] {
            return 1.0;
        }
        if self.coverage[at] == 0 {
            return 0.0;
        }
        let errors = self.outputs.iter().zip(&other.outputs).zip(scales).map(|((a, b), scale)| a.error(b, *scale, at));
        errors.fold(0.0, f64::max)
    }

    /// Places of the pixels with another output bit, or another coverage.
    pub(crate) fn changed(&self, other: &Shot) -> Vec<u32> {
        let outputs = || self.outputs.iter().zip(&other.outputs);
        let differs = |at: usize| match (self.coverage[at], other.coverage[at]) {
            (0, 0) => false,
            (own, its) => own != its || outputs().any(|(a, b)| a.bits[at] != b.bits[at]),
        };
        (0..self.coverage.len()).filter(|&at| differs(at)).map(|at| at as u32).collect()
    }

    /// The largest error of a component of each pixel, as in [`Distance::error`].
    pub(crate) fn errors(&self, other: &Shot, scales: &[f64]) -> Vec<f64> {
        let mut errors = vec![0.0f64; self.coverage.len()];
        for ((a, b), &scale) in self.outputs.iter().zip(&other.outputs).zip(scales) {
            for at in a.differing(b) {
                errors[at] = errors[at].max(a.error(b, scale, at));
            }
        }
        for ((error, own), its) in errors.iter_mut().zip(&self.coverage).zip(&other.coverage) {
            match (*own, *its) {
                (0, 0) => *error = 0.0,
                (own, its) if own != its => *error = 1.0,
                _ => {}
            }
        }
        errors
    }

    /// How far it is from another of the same pixels.
    pub(crate) fn distance(&self, other: &Shot, scales: &[f64]) -> Distance {
        let mut out = Distance::default();
        let mut steps = Top::of((self.coverage.len() * self.outputs.len()) as u64);
        self.add_distance(other, &self.errors(other, scales), &mut out, &mut steps);
        out.p99_ulp = steps.ninety_nine_of_100();
        out
    }

    /// Adds how far it is from another of the same pixels, whose errors are given; errors in steps go to `steps`.
    pub(crate) fn add_distance(&self, other: &Shot, errors: &[f64], out: &mut Distance, steps: &mut Top) {
        let alike: Vec<bool> = self.coverage.iter().zip(&other.coverage).map(|(&a, &b)| a != 0 && a == b).collect();
        for ((&error, &own), &its) in errors.iter().zip(&self.coverage).zip(&other.coverage) {
            if own == 0 && its == 0 {
                continue;
            }
            out.pixels += 1;
            out.error += error;
            if own != its {
                (out.flips, out.changed, out.visible) = (out.flips + 1, out.changed + 1, out.visible + 1);
            }
        }
        // Pixels that are covered alike, and differ.
        let (mut changed, mut visible) = (vec![false; alike.len()], vec![false; alike.len()]);
        for (a, b) in self.outputs.iter().zip(&other.outputs) {
            let differing = || a.differing(b).filter(|&at| alike[at]);
            if !a.words {
                let finite =
                    a.values.iter().zip(&alike).map(|(v, alike)| u64::from(v.is_finite() & alike)).sum::<u64>();
                steps.push_zeros(finite - differing().filter(|&at| a.values[at].is_finite()).count() as u64);
            }
            for at in differing() {
                changed[at] |= a.bits[at] != b.bits[at];
                // Equal values give equal bytes.
                visible[at] |= a.is_color && a.values[at] != b.values[at] && a.byte(at) != b.byte(at);
                out.special += u64::from(a.class(at) != b.class(at));
                a.steps(b, at).into_iter().for_each(|step| steps.push(step));
            }
        }
        let count = |pixels: &[bool]| pixels.iter().map(|&is| u64::from(is)).sum::<u64>();
        out.changed += count(&changed);
        out.visible += count(&visible);
    }

    /// Outputs of a pixel that are NaN or infinite: name and value.
    pub(crate) fn specials(&self, at: usize) -> impl Iterator<Item = (&str, f64)> {
        let covered = self.coverage[at] != 0;
        let shown = self.outputs.iter().filter(move |o| covered && !o.words && !o.values[at].is_finite());
        shown.map(move |o| (o.name.as_str(), o.values[at]))
    }

    /// Name and value of every output of a pixel.
    pub(crate) fn values(&self, at: usize) -> impl Iterator<Item = (&str, f64)> {
        self.outputs.iter().map(move |o| (o.name.as_str(), o.values[at]))
    }

    /// For each output of a pixel, the difference in 8-bit steps; what one alone covers is a whole range away.
    pub(crate) fn byte_steps(&self, other: &Shot, at: usize) -> u32 {
        if self.coverage[at] != other.coverage[at] {
            return 255;
        }
        let colours = self.outputs.iter().zip(&other.outputs).filter(|(a, _)| a.is_color && self.coverage[at] != 0);
        colours.map(|(a, b)| u32::from(a.byte(at).abs_diff(b.byte(at)))).max().unwrap_or(0)
    }
}

impl Output {
    fn new(channel: &Channel, places: &[usize]) -> Output {
        let picked = Channel {
            output: channel.output.clone(),
            role: channel.role,
            comp: channel.comp,
            ty: channel.ty,
            storage: channel.storage,
            words: channel.words.gather(places),
            stored: channel.stored.as_ref().map(|s| Stored {
                target: s.target,
                comp: s.comp,
                words: s.words.gather(places),
            }),
        };
        let is_color = matches!(channel.role, OutputRole::Color(_));
        let target = picked.stored.as_ref().map(|stored| stored.target).filter(|target| target.storage().is_none());
        let (format, words, bits, values) = match &picked.stored {
            Some(stored) => {
                let format = match stored.target {
                    Target::Fp32 => Some(Format::F32),
                    Target::Fp16 => Some(Format::F16),
                    _ => None,
                };
                (format, false, stored.words.to_words(), stored.values())
            }
            None => {
                let format = picked.ty.decl().map(|decl| decl.format());
                let is_number = !matches!(channel.role, OutputRole::SampleMask | OutputRole::Stencil);
                let words = format.is_none() && !is_number;
                let as_read = format.or(is_number.then_some(Format::F32));
                (as_read, words, picked.declared_bits().to_words(), picked.values())
            }
        };
        Output {
            name: picked.name(),
            role: channel.role,
            comp: channel.comp,
            is_color,
            format,
            target,
            words,
            bits,
            values,
        }
    }

    /// 0 number, 1 and 2 infinities, 3 NaN.
    fn class(&self, at: usize) -> u8 {
        match self.values[at] {
            _ if self.words => 0,
            v if v.is_nan() => 3,
            v if v.is_infinite() => 1 + u8::from(v < 0.0),
            _ => 0,
        }
    }

    /// Pixels that do not have the same words; others have no error, and no step between them.
    fn differing(&self, other: &Output) -> impl Iterator<Item = usize> {
        /// Pixels that are compared in one go.
        const PART: usize = 256;
        let bits = self.bits.chunks(PART).zip(other.bits.chunks(PART));
        let values = self.values.chunks(PART).zip(other.values.chunks(PART));
        bits.zip(values).enumerate().flat_map(|(part, ((a, b), (x, y)))| {
            let mut differ = [false; PART];
            let any = Processor::best().run(
                #[inline(always)]
                || {
                    let words = a.iter().zip(b).zip(x.iter().zip(y));
                    let pixels = differ.iter_mut().zip(words);
                    pixels.fold(0, |any, (differs, ((a, b), (x, y)))| {
                        let changed = (a ^ b) | (x.to_bits() ^ y.to_bits());
                        *differs = changed != 0;
                        any | changed
                    })
                },
            );
            let pixels = if any == 0 { 0 } else { a.len() };
            (0..pixels).filter(move |&at| differ[at]).map(move |at| part * PART + at)
        })
    }

    fn error(&self, other: &Output, scale: f64, at: usize) -> f64 {
        if self.words {
            return f64::from(u8::from(self.bits[at] != other.bits[at]));
        }
        if self.class(at) != other.class(at) {
            return 1.0;
        }
        let distance = (self.values[at] - other.values[at]).abs() / scale;
        // Equal special values have no distance.
        if distance.is_nan() { 0.0 } else { distance.min(1.0) }
    }

    fn steps(&self, other: &Output, at: usize) -> Option<f64> {
        let (a, b) = (self.values[at], other.values[at]);
        let step = match self.format {
            _ if self.words || !a.is_finite() || !b.is_finite() => return None,
            _ if a == b => return Some(0.0),
            Some(format) => ulp::step(b, format),
            None => return self.target?.steps(self.comp, self.bits[at], other.bits[at]).map(f64::abs),
        };
        Some((a - b).abs() / step)
    }

    fn byte(&self, at: usize) -> u8 {
        unorm8(self.values[at])
    }
}
