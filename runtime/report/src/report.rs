//! A comparison as data: what the writers print.

use crate::blamed::Blamed;
use crate::checks::CheckFailure;
use crate::earlier::Changes;
use crate::frame::FrameRead;
use crate::hash::Hash;
use crate::kept;
use crate::legality::Legality;
use crate::metrics::{Metrics, count, measure};
use crate::picture::{self, Effort, Heat};
use crate::pixels::{Collector, Detail, Pixels};
use crate::slack::Slack;
use crate::snapshot::{Distance, Snapshot};
use crate::trust::Trust;
use crate::words::Unit;
use parallax::Frame;
use parallax_core::OutputRole;
use parallax_core::exec::Plane;
use parallax_num::Tier;
use serde::{Deserialize, Serialize};

/// Largest width or height of a picture in the HTML report; larger frames show every nth pixel.
pub const PICTURE_LIMIT: u32 = 512;

/// A finished (or interrupted) comparison.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The command line that made it.
    pub command: String,
    /// Name and version of the tool.
    pub tool: String,
    /// Label of the reference model.
    pub reference: String,
    /// Label of the model that vendors are compared with: plain binary32.
    pub baseline: String,
    /// Name of the profile that results are judged by, if they are.
    pub profile: Option<String>,
    /// Labels of the compared models, in printing order.
    pub models: Vec<String>,
    /// Shaders, in printing order.
    pub shaders: Vec<ShaderReport>,
    /// Shaders that were not run because the user interrupted.
    pub unfinished: usize,
    /// Where exactly two programs were compared: each with the other, under one model after the other.
    pub programs: Vec<ProgramPair>,
    /// What has changed since an earlier run, where that was asked.
    pub changes: Option<Changes>,
    /// How hard the pictures of the page are compressed.
    pub effort: Effort,
}

/// Two programs under one model.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramPair {
    /// The model's label.
    pub model: String,
    /// How the pictures differ; `None` where one is missing or their sizes differ.
    pub distance: Option<Distance>,
}

/// What is known of a shader before it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Subject {
    /// Path as given.
    pub name: String,
    /// Instruction set; empty when it was not recognised.
    pub isa: String,
    /// Name that groups the same effect across instruction sets.
    pub effect: String,
    /// Title.
    pub title: String,
    /// Why precision matters here.
    pub about: String,
    /// Source listing.
    pub listing: String,
    /// Whether no manifest says what it is drawn with.
    pub default_inputs: bool,
    /// Whether it is a kernel.
    pub is_kernel: bool,
}

/// One shader under all models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShaderReport {
    /// Path as given.
    pub name: String,
    /// Instruction set; empty when it was not recognised.
    pub isa: String,
    /// Name that groups the same effect across instruction sets.
    pub effect: String,
    /// Title.
    pub title: String,
    /// Why precision matters here.
    pub about: String,
    /// Source listing.
    pub listing: String,
    /// Whether no manifest says what it is drawn with.
    pub default_inputs: bool,
    /// Whether every covered pixel of the reference's picture has one colour in 8 bits, so that equal pictures say little.
    pub constant: bool,
    /// Width and height of the draw; 0 when it did not run.
    pub size: (u32, u32),
    /// Whether it is a kernel: then a frame's pixels are the words that it writes.
    #[serde(default)]
    pub is_kernel: bool,
    /// How many samples pixels have, such as `4 samples per pixel`; `None` where they have one.
    pub sampling: Option<String>,
    /// Names of the render targets, such as `unorm8`; `None` where what the shader computed is compared.
    pub target: Option<String>,
    /// The reference's picture as a PNG, if it ran.
    #[serde(with = "kept::bytes")]
    pub picture: Vec<u8>,
    /// The baseline's, if that gave one.
    #[serde(with = "kept::bytes")]
    pub baseline_picture: Vec<u8>,
    /// Words of some pixels, if it ran.
    pub pixels: Option<Pixels>,
    /// What came of it.
    pub outcome: Outcome,
    /// Every pair of different results, and each with itself.
    pub pairs: Vec<Pair>,
    /// Which instructions make the most visible difference from the baseline, where one is visible and it was looked into.
    pub blame: Option<Blamed>,
    /// Checks that it does not pass.
    pub failures: Vec<CheckFailure>,
    /// How much its figures may grow since an earlier run, by its manifest.
    #[serde(default)]
    pub slack: Slack,
}

/// How the results of two models differ.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Row of the one: the first with its result.
    pub a: usize,
    /// Row of the other.
    pub b: usize,
    /// Their distance.
    pub distance: Distance,
}

/// What came of a shader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// One row per model, in the report's order.
    Compared(Vec<Row>),
    /// Not analysed.
    Refused {
        /// Legal, but not done by parallax; otherwise invalid.
        unsupported: bool,
        /// Every problem found.
        problems: Vec<Problem>,
    },
}

/// A reason why a shader was not analysed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Line and column from 1, where there is one.
    pub place: Option<(u32, u32)>,
    /// What is wrong, in one line.
    pub message: String,
}

/// One shader under one model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The model's label.
    pub model: String,
    /// Lowest trust of any rule the shader uses, whether or not it decided anything.
    #[serde(with = "kept::tier")]
    pub tier: Tier,
    /// What decided the executed operations; `None` where it was not looked into.
    pub trust: Option<Trust>,
    /// Whether its results are legal in the report's profile; `None` where that was not asked.
    pub legality: Option<Legality>,
    /// Why it could not be run under this model although it could under the reference, such as a loop that does not end
    /// in this arithmetic.
    pub refused: Option<String>,
    /// Distances from the reference; nothing in them when it was refused.
    pub metrics: Metrics,
    /// How the result differs from the baseline's; `None` where one of the two has none.
    pub from_baseline: Option<Distance>,
    /// Hash of everything of the result that is compared; `None` where there is none.
    pub result: Option<u128>,
    /// Index of the first row with the same result, bit for bit; its own index when there is none before.
    pub same_as: usize,
    /// The picture as a PNG; empty when an earlier row has the same result.
    #[serde(with = "kept::bytes")]
    pub picture: Vec<u8>,
    /// Whether the 8-bit picture is the reference's.
    pub looks_like_reference: bool,
    /// Differences from the baseline, or from the reference where the result is the baseline's or that has none; `None` when
    /// an earlier row has the same result, or pictures are not wanted.
    pub heat: Option<Heat>,
}

/// Measures one shader's frames one by one, so that only the reference's need be kept.
pub struct Comparison<'a> {
    reference: FrameRead<'a>,
    baseline: Option<BaselineFrame<'a>>,
    detail: Detail,
    pixels: Collector,
    rows: Vec<Row>,
    /// What tells results apart, by row; `None` where there is none.
    prints: Vec<Option<u128>>,
    /// By row; `None` where an earlier row has the same result.
    snapshots: Vec<Option<Snapshot>>,
}

/// The result that vendors are compared with.
struct BaselineFrame<'a> {
    read: FrameRead<'a>,
    print: u128,
    snapshot: Snapshot,
}

impl<'a> Comparison<'a> {
    /// Starts with the reference's frame, and that of the model that vendors are compared with.
    pub fn new(reference: &'a Frame, baseline: Option<&'a Frame>, detail: Detail) -> Comparison<'a> {
        let reference = FrameRead::new(reference);
        let baseline_of = |frame| {
            let read = FrameRead::new(frame);
            BaselineFrame { print: fingerprint(frame), snapshot: Snapshot::of(&read), read }
        };
        Comparison {
            pixels: Collector::new(&reference, detail),
            reference,
            baseline: baseline.map(baseline_of),
            detail,
            rows: Vec::new(),
            prints: Vec::new(),
            snapshots: Vec::new(),
        }
    }

    /// Adds the frame of a model; rows stand in the order they are added.
    pub fn add(&mut self, model: impl Into<String>, tier: Tier, frame: &Frame) {
        let print = Some(fingerprint(frame));
        let number = self.rows.len();
        let mut row = Row {
            model: model.into(),
            tier,
            trust: None,
            legality: None,
            refused: None,
            metrics: Metrics::default(),
            from_baseline: None,
            result: print,
            same_as: number,
            picture: Vec::new(),
            looks_like_reference: false,
            heat: None,
        };
        let mut snapshot = None;
        if let Some(first) = self.prints.iter().position(|p| *p == print) {
            row.same_as = first;
            row.metrics = self.rows[first].metrics.clone();
            row.from_baseline = self.rows[first].from_baseline;
            row.looks_like_reference = self.rows[first].looks_like_reference;
        } else {
            let found = FrameRead::new(frame);
            let pictures = self.detail.pictures;
            let every = thinning(frame.width, frame.height, PICTURE_LIMIT);
            let compared =
                self.baseline.as_ref().filter(|b| Some(b.print) != print).map_or(&self.reference, |b| &b.read);
            let ((metrics, heat), (looks, picture)) = rayon::join(
                || {
                    let heat = || pictures.then(|| picture::heat(&found, compared, every));
                    let measure = if self.detail.figures { measure } else { count };
                    rayon::join(|| measure(&found, &self.reference), heat)
                },
                || {
                    let looks = found.shown() == self.reference.shown();
                    (looks, if pictures { shrunk(&found, every) } else { Vec::new() })
                },
            );
            row.metrics = metrics;
            row.picture = picture;
            row.looks_like_reference = looks;
            row.heat = heat;
            let taken = Snapshot::of(&found);
            row.from_baseline = self.baseline.as_ref().and_then(|b| taken.distance(&b.snapshot));
            if pictures {
                self.pixels.add(number, &found);
            }
            snapshot = Some(taken);
        }
        self.rows.push(row);
        self.prints.push(print);
        self.snapshots.push(snapshot);
    }

    /// Adds a model that gives the shader the rules of the model in an earlier row, and so its result.
    pub fn repeat(&mut self, model: impl Into<String>, tier: Tier, row: usize) {
        let Some(first) = self.rows.get(row) else { return };
        let same_as = if first.refused.is_some() { self.rows.len() } else { first.same_as };
        let repeated = Row {
            model: model.into(),
            tier,
            trust: None,
            legality: None,
            refused: first.refused.clone(),
            metrics: first.metrics.clone(),
            from_baseline: first.from_baseline,
            result: self.prints[row],
            same_as,
            picture: Vec::new(),
            looks_like_reference: first.looks_like_reference,
            heat: None,
        };
        self.rows.push(repeated);
        self.prints.push(self.prints[row]);
        self.snapshots.push(None);
    }

    /// Adds a model under which the shader could not be run.
    pub fn refuse(&mut self, model: impl Into<String>, tier: Tier, reason: impl Into<String>) {
        self.rows.push(Row {
            model: model.into(),
            tier,
            trust: None,
            legality: None,
            refused: Some(reason.into()),
            metrics: Metrics::default(),
            from_baseline: None,
            result: None,
            same_as: self.rows.len(),
            picture: Vec::new(),
            looks_like_reference: false,
            heat: None,
        });
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
        let frame = self.reference.frame;
        let every = thinning(frame.width, frame.height, PICTURE_LIMIT);
        let shown = |read: &FrameRead<'_>| if self.detail.pictures { shrunk(read, every) } else { Vec::new() };
        let picture = shown(&self.reference);
        let baseline_picture = self.baseline.as_ref().map(|b| shown(&b.read)).unwrap_or_default();
        let mut pairs = Vec::new();
        for (a, x) in self.snapshots.iter().enumerate() {
            for (b, y) in self.snapshots.iter().enumerate().skip(a) {
                let distance = x.as_ref().zip(y.as_ref()).and_then(|(x, y)| x.distance(y));
                pairs.extend(distance.map(|distance| Pair { a, b, distance }));
            }
        }
        let mut report = ShaderReport::new(subject, (frame.width, frame.height), picture, Outcome::Compared(self.rows));
        report.sampling = frame.sampling();
        report.target = frame.target_names();
        report.pairs = pairs;
        report.baseline_picture = baseline_picture;
        report.pixels = if self.detail.pictures { self.pixels.finish() } else { None };
        let covered = self.reference.shown().iter().zip(&frame.covered).filter(|(_, covered)| **covered);
        let mut colours = covered.map(|(colour, _)| colour);
        let first = colours.next();
        // A single pixel is no picture.
        let mut others = colours.peekable();
        // Nor are the words of vertices and kernels.
        let has_colour = frame.channels.iter().any(|channel| matches!(channel.role, OutputRole::Color(_)));
        report.constant = has_colour && others.peek().is_some() && others.all(|colour| Some(colour) == first);
        report
    }
}

/// The picture of a frame, of every nth pixel.
fn shrunk(read: &FrameRead<'_>, every: u32) -> Vec<u8> {
    match every {
        1 => picture::png(read),
        _ => picture::png(&FrameRead::new(&thin(read.frame, every))),
    }
}

/// 128 bits over everything of a frame that is compared.
fn fingerprint(frame: &Frame) -> u128 {
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

impl ShaderReport {
    /// What is compared one by one.
    pub fn unit(&self) -> Unit {
        if self.is_kernel { Unit::WORD } else { Unit::PIXEL }
    }

    /// A shader that did not run.
    pub fn refused(subject: Subject, unsupported: bool, problems: Vec<Problem>) -> ShaderReport {
        ShaderReport::new(subject, (0, 0), Vec::new(), Outcome::Refused { unsupported, problems })
    }

    fn new(subject: Subject, size: (u32, u32), picture: Vec<u8>, outcome: Outcome) -> ShaderReport {
        let Subject { name, isa, effect, title, about, listing, default_inputs, is_kernel } = subject;
        ShaderReport {
            name,
            isa,
            effect,
            title,
            about,
            listing,
            default_inputs,
            constant: false,
            size,
            is_kernel,
            sampling: None,
            target: None,
            picture,
            baseline_picture: Vec::new(),
            pixels: None,
            outcome,
            pairs: Vec::new(),
            blame: None,
            failures: Vec::new(),
            slack: Slack::default(),
        }
    }

    /// `ok`, `unsupported` or `invalid`.
    pub fn status(&self) -> &'static str {
        match self.outcome {
            Outcome::Compared(_) => "ok",
            Outcome::Refused { unsupported: true, .. } => "unsupported",
            Outcome::Refused { .. } => "invalid",
        }
    }

    /// `ok` or `unsupported`, for one model.
    pub fn row_status(&self, row: &Row) -> &'static str {
        if row.refused.is_some() { "unsupported" } else { self.status() }
    }

    /// Rows, if it ran.
    pub fn rows(&self) -> &[Row] {
        match &self.outcome {
            Outcome::Compared(rows) => rows,
            Outcome::Refused { .. } => &[],
        }
    }
}

/// How many pixels of a frame one pixel stands for, on each axis, where at most `limit` are wanted.
pub fn thinning(width: u32, height: u32, limit: u32) -> u32 {
    width.max(height).div_ceil(limit).max(1)
}

/// Every nth pixel of a frame.
pub(crate) fn thin(frame: &Frame, every: u32) -> Frame {
    let every = every as usize;
    if every == 1 {
        return frame.clone();
    }
    let (width, height) = ((frame.width as usize).div_ceil(every), (frame.height as usize).div_ceil(every));
    let places: Vec<usize> =
        (0..width * height).map(|at| at / width * every * frame.width as usize + at % width * every).collect();
    let samples = frame.samples.as_ref().map(|samples| samples.gather(&places));
    let mut out = Frame { samples, ..frame.clone() };
    (out.width, out.height) = (width as u32, height as u32);
    out.covered = places.iter().map(|&at| frame.covered[at]).collect();
    for channel in &mut out.channels {
        channel.words = channel.words.gather(&places);
        if let Some(stored) = &mut channel.stored {
            stored.words = stored.words.gather(&places);
        }
    }
    out
}

impl Report {
    /// How the pictures of two models differ, over all shaders that both ran; `None` when there is none.
    pub fn between(&self, a: &str, b: &str) -> Option<Distance> {
        let mut all: Option<Distance> = None;
        for shader in &self.shaders {
            let row = |model: &str| shader.rows().iter().find(|r| r.model == model && r.refused.is_none());
            let (Some(x), Some(y)) = (row(a), row(b)) else { continue };
            let (x, y) = (x.same_as.min(y.same_as), x.same_as.max(y.same_as));
            if let Some(pair) = shader.pairs.iter().find(|p| (p.a, p.b) == (x, y)) {
                all.get_or_insert_default().add(&pair.distance);
            }
        }
        all
    }

    /// Models with equal results in every shader, together, in the order of the models.
    pub fn groups(&self) -> Vec<Vec<&str>> {
        let signature = |model: &str| -> Vec<Option<usize>> {
            let row = |s: &ShaderReport| s.rows().iter().find(|r| r.model == model).map(|r| r.same_as);
            self.shaders.iter().map(row).collect()
        };
        let mut out: Vec<(Vec<Option<usize>>, Vec<&str>)> = Vec::new();
        for model in &self.models {
            let found = signature(model);
            match out.iter_mut().find(|(known, _)| *known == found) {
                Some((_, models)) => models.push(model),
                None => out.push((found, vec![model])),
            }
        }
        out.into_iter().map(|(_, models)| models).collect()
    }

    /// Effects in order of first appearance, with the indices of their shaders.
    pub fn effects(&self) -> Vec<(&str, Vec<usize>)> {
        let mut out: Vec<(&str, Vec<usize>)> = Vec::new();
        for (n, shader) in self.shaders.iter().enumerate() {
            match out.iter_mut().find(|(name, _)| *name == shader.effect) {
                Some((_, list)) => list.push(n),
                None => out.push((&shader.effect, vec![n])),
            }
        }
        out
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
