//! One shader's frames, measured and put into the rows of its report.

use crate::frame::FrameRead;
use crate::hash::Hash;
use crate::legality::Legality;
use crate::metrics::{Metrics, count, measure};
use crate::picture::{Heat, View, first_of, heat};
use crate::pixels::{Collector, Detail, Words};
use crate::report::{Outcome, PICTURE_LIMIT, Pair, Row, ShaderReport, Subject};
use crate::snapshot::Snapshot;
use crate::strips::Measured;
use crate::trust::Trust;
use parallax::{Channel, Frame, Stored};
use parallax_core::OutputRole;
use parallax_core::exec::Plane;
use parallax_num::Tier;

/// Measures one shader's frames one by one, so that only the reference's need be kept.
pub struct Comparison<'a> {
    /// The frames that others are measured against, where they are held.
    frames: Option<Frames<'a>>,
    drawn: Drawn,
    baseline: Option<Known>,
    detail: Detail,
    pixels: Collector,
    rows: Vec<Row>,
    /// What tells results apart, by row; `None` where there is none.
    prints: Vec<Option<u128>>,
    /// By row; `None` where an earlier row has the same result.
    snapshots: Vec<Option<Snapshot>>,
}

/// What results are compared with.
struct Frames<'a> {
    reference: FrameRead<'a>,
    baseline: Option<FrameRead<'a>>,
}

/// What a report says of the reference's frame.
#[derive(Clone)]
pub(crate) struct Drawn {
    pub(crate) size: (u32, u32),
    pub(crate) sampling: Option<String>,
    pub(crate) target: Option<String>,
    pub(crate) picture: Vec<u8>,
    pub(crate) colours: Colours,
}

/// The result that vendors are compared with.
pub(crate) struct Known {
    pub(crate) print: u128,
    pub(crate) snapshot: Snapshot,
    pub(crate) picture: Vec<u8>,
}

/// A result, measured.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) print: u128,
    pub(crate) metrics: Metrics,
    pub(crate) heat: Option<Heat>,
    pub(crate) picture: Vec<u8>,
    pub(crate) looks: bool,
    pub(crate) snapshot: Snapshot,
    pub(crate) words: Option<Words>,
}

/// Whether every covered pixel of a picture has one colour.
#[derive(Clone, Debug, Default)]
pub(crate) struct Colours {
    /// Whether there is a colour at all.
    any: bool,
    first: Option<[u8; 4]>,
    /// Covered pixels, and whether one is not as the first.
    count: u64,
    others: bool,
}

impl Colours {
    /// Adds pixels of the picture.
    pub(crate) fn add(&mut self, read: &FrameRead<'_>) {
        let frame = read.frame;
        // Words of vertices and kernels are no picture.
        self.any |= frame.channels.iter().any(|channel| matches!(channel.role, OutputRole::Color(_)));
        let covered = read.shown().iter().zip(&frame.covered).filter(|(_, covered)| **covered);
        for (colour, _) in covered {
            self.count += 1;
            self.others |= *self.first.get_or_insert(*colour) != *colour;
        }
    }

    /// A single pixel is no picture.
    fn is_one(&self) -> bool {
        self.any && self.count > 1 && !self.others
    }
}

impl Drawn {
    /// Of a frame whose first rows these are.
    pub(crate) fn new(frame: &Frame, size: (u32, u32)) -> Drawn {
        Drawn {
            size,
            sampling: frame.sampling(),
            target: frame.target_names(),
            picture: Vec::new(),
            colours: Colours::default(),
        }
    }
}

impl<'a> Comparison<'a> {
    /// Starts with the reference's frame, and that of the model that vendors are compared with.
    pub fn new(reference: &'a Frame, baseline: Option<&'a Frame>, detail: Detail) -> Comparison<'a> {
        let size = (reference.width, reference.height);
        let mut drawn = Drawn::new(reference, size);
        let reference = FrameRead::new(reference);
        let every = thinning(size.0, size.1, PICTURE_LIMIT);
        let shown = |read: &FrameRead<'_>| if detail.pictures { shrunk(read, every) } else { Vec::new() };
        drawn.colours.add(&reference);
        drawn.picture = shown(&reference);
        let baseline = baseline.map(FrameRead::new);
        let known = |read: &FrameRead<'_>| Known {
            print: fingerprint(read.frame),
            snapshot: Snapshot::of(read),
            picture: shown(read),
        };
        let mut pixels = Collector::new(&reference, size, detail);
        pixels.take_reference(&reference, 0);
        let mut comparison = Comparison::of(drawn, baseline.as_ref().map(known), pixels, detail);
        comparison.frames = Some(Frames { reference, baseline });
        comparison
    }

    /// Starts with what the frames that results are compared with showed.
    pub(crate) fn of(drawn: Drawn, baseline: Option<Known>, pixels: Collector, detail: Detail) -> Comparison<'a> {
        Comparison {
            frames: None,
            drawn,
            baseline,
            detail,
            pixels,
            rows: Vec::new(),
            prints: Vec::new(),
            snapshots: Vec::new(),
        }
    }

    /// Adds the frame of a model; rows stand in the order they are added.
    ///
    /// # Panics
    /// If frames come in strips.
    pub fn add(&mut self, model: impl Into<String>, tier: Tier, frame: &Frame) {
        let print = fingerprint(frame);
        let first = self.prints.iter().position(|p| *p == Some(print));
        let seen = first.is_none().then(|| self.look(frame, print));
        self.row(model.into(), tier, print, seen);
    }

    /// Adds a model's result that came in strips.
    pub fn add_measured(&mut self, model: impl Into<String>, tier: Tier, result: &Measured) {
        let print = result.0.print;
        let is_new = !self.prints.contains(&Some(print));
        self.row(model.into(), tier, print, is_new.then(|| result.0.clone()));
    }

    /// Measures a result.
    fn look(&self, frame: &Frame, print: u128) -> Seen {
        let Some(Frames { reference, baseline }) = &self.frames else {
            panic!("frames that come in strips are measured there")
        };
        let found = FrameRead::new(frame);
        let pictures = self.detail.pictures;
        let every = thinning(frame.width, frame.height, PICTURE_LIMIT);
        let own = self.baseline.as_ref().map(|known| known.print);
        let compared = baseline.as_ref().filter(|_| own != Some(print)).unwrap_or(reference);
        let ((metrics, heat), (looks, picture)) = rayon::join(
            || {
                let heat = || pictures.then(|| heat(&found, compared, every));
                let measure = if self.detail.figures { measure } else { count };
                rayon::join(|| measure(&found, reference), heat)
            },
            || {
                let looks = found.shown() == reference.shown();
                (looks, if pictures { shrunk(&found, every) } else { Vec::new() })
            },
        );
        let words = pictures.then(|| {
            let mut words = self.pixels.nothing();
            self.pixels.take(&found, 0, &mut words);
            words
        });
        Seen { print, metrics, heat, picture, looks, snapshot: Snapshot::of(&found), words }
    }

    /// Adds a row; `seen` is its result, where no earlier row has it.
    pub(crate) fn row(&mut self, model: String, tier: Tier, print: u128, seen: Option<Seen>) {
        let number = self.rows.len();
        let first = self.prints.iter().position(|p| *p == Some(print));
        let mut row = Row { result: Some(print), ..blank(model, tier, number) };
        let mut snapshot = None;
        if let Some(first) = first {
            row.same_as = first;
            row.metrics = self.rows[first].metrics.clone();
            row.from_baseline = self.rows[first].from_baseline;
            row.looks_like_reference = self.rows[first].looks_like_reference;
        } else if let Some(seen) = seen {
            row.metrics = seen.metrics;
            row.picture = seen.picture;
            row.looks_like_reference = seen.looks;
            row.heat = seen.heat;
            row.from_baseline = self.baseline.as_ref().and_then(|b| seen.snapshot.distance(&b.snapshot));
            if let Some(words) = seen.words {
                self.pixels.add(number, words);
            }
            snapshot = Some(seen.snapshot);
        }
        self.rows.push(row);
        self.prints.push(Some(print));
        self.snapshots.push(snapshot);
    }

    /// Adds a model that gives the shader the rules of the model in an earlier row, and so its result.
    pub fn repeat(&mut self, model: impl Into<String>, tier: Tier, row: usize) {
        let Some(first) = self.rows.get(row) else { return };
        let same_as = if first.refused.is_some() { self.rows.len() } else { first.same_as };
        let repeated = Row {
            refused: first.refused.clone(),
            metrics: first.metrics.clone(),
            from_baseline: first.from_baseline,
            result: self.prints[row],
            looks_like_reference: first.looks_like_reference,
            ..blank(model.into(), tier, same_as)
        };
        self.rows.push(repeated);
        self.prints.push(self.prints[row]);
        self.snapshots.push(None);
    }

    /// Adds a model under which the shader could not be run.
    pub fn refuse(&mut self, model: impl Into<String>, tier: Tier, reason: impl Into<String>) {
        self.rows.push(Row { refused: Some(reason.into()), ..blank(model.into(), tier, self.rows.len()) });
        self.prints.push(None);
        self.snapshots.push(None);
    }

    /// Whether every pixel of a row has a result.
    pub fn ended(&self, row: usize) -> bool {
        self.rows.get(row).is_some_and(|row| row.refused.is_none() && row.metrics.out_of_fuel == 0)
    }

    /// Says how far the result in a row can be trusted.
    pub fn set_trust(&mut self, row: usize, trust: Trust) {
        if let Some(row) = self.rows.get_mut(row) {
            row.trust = Some(trust);
        }
    }

    /// Says whether the results in a row are legal.
    pub fn set_legality(&mut self, row: usize, legality: Legality) {
        if let Some(row) = self.rows.get_mut(row) {
            row.legality = Some(legality);
        }
    }

    /// The shader's part of the report.
    pub fn finish(self, subject: Subject) -> ShaderReport {
        let mut pairs = Vec::new();
        for (a, x) in self.snapshots.iter().enumerate() {
            for (b, y) in self.snapshots.iter().enumerate().skip(a) {
                let distance = x.as_ref().zip(y.as_ref()).and_then(|(x, y)| x.distance(y));
                pairs.extend(distance.map(|distance| Pair { a, b, distance }));
            }
        }
        let Drawn { size, sampling, target, picture, colours } = self.drawn;
        let mut report = ShaderReport::new(subject, size, picture, Outcome::Compared(self.rows));
        (report.sampling, report.target) = (sampling, target);
        report.pairs = pairs;
        report.baseline_picture = self.baseline.map(|known| known.picture).unwrap_or_default();
        report.pixels = if self.detail.pictures { self.pixels.finish() } else { None };
        report.constant = colours.is_one();
        report
    }
}

/// A row without a result.
fn blank(model: String, tier: Tier, same_as: usize) -> Row {
    Row {
        model,
        tier,
        trust: None,
        legality: None,
        refused: None,
        metrics: Metrics::default(),
        from_baseline: None,
        result: None,
        same_as,
        picture: Vec::new(),
        looks_like_reference: false,
        heat: None,
    }
}

/// The picture of a frame, of every nth pixel.
fn shrunk(read: &FrameRead<'_>, every: u32) -> Vec<u8> {
    let mut view = View::new((read.frame.width, read.frame.height), every);
    view.add(read, 0);
    view.png()
}

/// 128 bits over everything of a frame that is compared.
pub(crate) fn fingerprint(frame: &Frame) -> u128 {
    let mut hash = Hash::new();
    let mut mix = |word: u64| hash.mix(word);
    mix(frame.out_of_fuel);
    for channel in &frame.channels {
        // What does not reach the target is no difference. Equal words in another container are another result.
        match &channel.stored {
            Some(stored) => each_word(&stored.words, &mut mix),
            None => {
                mix(channel.storage.map_or(0, |s| u64::from(s.bits())));
                each_word(&channel.words, &mut mix);
            }
        }
    }
    frame.covered.iter().for_each(|c| mix(u64::from(*c)));
    // Equal means may be those of other samples.
    if let Some(samples) = &frame.samples {
        for (words, stored) in samples.words.iter().zip(&samples.stored) {
            each_word(stored.as_ref().unwrap_or(words), &mut mix);
        }
        samples.covered.iter().for_each(|c| mix(u64::from(*c)));
    }
    frame.buffers.iter().flatten().for_each(|w| mix(u64::from(*w)));
    hash.get()
}

/// Calls a function with every word of a plane.
fn each_word(plane: &Plane, with: impl FnMut(u64)) {
    match plane {
        Plane::U8(words) => words.iter().map(|&word| u64::from(word)).for_each(with),
        Plane::U16(words) => words.iter().map(|&word| u64::from(word)).for_each(with),
        Plane::U32(words) => words.iter().map(|&word| u64::from(word)).for_each(with),
        Plane::U64(words) => words.iter().copied().for_each(with),
    }
}

/// How many pixels of a frame one pixel stands for, on each axis, where at most `limit` are wanted.
pub fn thinning(width: u32, height: u32, limit: u32) -> u32 {
    width.max(height).div_ceil(limit).max(1)
}

/// Every nth pixel of a frame.
pub(crate) fn thin(frame: &Frame, every: u32) -> Frame {
    thin_from(frame, every, 0)
}

/// Those of every nth pixel of a frame that are in a strip of it, which begins in row `top`.
pub(crate) fn thin_from(frame: &Frame, every: u32, top: u32) -> Frame {
    if every == 1 {
        return frame.clone();
    }
    let first = first_of(every, top);
    let (width, height) = (frame.width.div_ceil(every), frame.height.saturating_sub(first).div_ceil(every));
    let row = |y: u32| (first + y * every) as usize * frame.width as usize;
    let places: Vec<usize> = (0..height).flat_map(|y| (0..width).map(move |x| row(y) + (x * every) as usize)).collect();
    picked(frame, &places, (width, height))
}

/// Some pixels of a frame, put together to one of another size.
pub(crate) fn picked(frame: &Frame, places: &[usize], (width, height): (u32, u32)) -> Frame {
    let channels = frame.channels.iter().map(|channel| Channel {
        output: channel.output.clone(),
        words: channel.words.gather(places),
        stored: channel.stored.as_ref().map(|stored| Stored { words: stored.words.gather(places), ..*stored }),
        ..*channel
    });
    Frame {
        width,
        height,
        channels: channels.collect(),
        covered: places.iter().map(|&at| frame.covered[at]).collect(),
        samples: frame.samples.as_ref().map(|samples| samples.gather(places)),
        buffers: frame.buffers.clone(),
        ..*frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::one_channel;

    #[test]
    fn large_frames_show_every_nth_pixel() {
        let values: Vec<f32> = (0..1030 * 3).map(|n| n as f32).collect();
        let frame = one_channel(1030, &values);
        let small = thin(&frame, thinning(frame.width, frame.height, PICTURE_LIMIT));
        assert_eq!((small.width, small.height), (344, 1));
        assert_eq!(small.channels[0].words.get(343), u64::from(1029f32.to_bits()));
    }

    #[test]
    fn equal_results_share_their_pictures() {
        let frames = [0.5, 0.25, 0.5].map(|v| one_channel(1, &[v, 0.0]));
        let mut comparison = Comparison::new(&frames[0], Some(&frames[0]), Detail::default());
        for (name, frame) in ["a", "b", "c"].into_iter().zip(&frames) {
            comparison.add(name, Tier::Exact, frame);
        }
        let report = comparison.finish(Subject::default());
        let rows = report.rows();
        assert_eq!(rows.iter().map(|r| r.same_as).collect::<Vec<_>>(), [0, 1, 0]);
        assert!(rows[2].picture.is_empty() && rows[2].looks_like_reference);
        assert_eq!((rows[1].metrics.pixels8_changed, rows[2].metrics.pixels8_changed), (1, 0));
        assert_eq!(report.status(), "ok");
        let from = |n: usize| rows[n].from_baseline.map(|d| (d.differ, d.max8));
        assert_eq!((from(0), from(1), from(2)), (Some((0, 0)), Some((1, 64)), Some((0, 0))));
        let pairs: Vec<_> = report.pairs.iter().map(|p| (p.a, p.b, p.distance.differ8)).collect();
        assert_eq!(pairs, [(0, 0, 0), (0, 1, 1), (1, 1, 0)]);
    }
}
