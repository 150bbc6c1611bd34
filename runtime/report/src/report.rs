//! A comparison as data: what the writers print.

use crate::blamed::Blamed;
use crate::checks::CheckFailure;
use crate::earlier::Changes;
use crate::kept;
use crate::legality::Legality;
use crate::metrics::Metrics;
use crate::picture::{Effort, Heat};
use crate::pixels::Pixels;
use crate::slack::Slack;
use crate::snapshot::Distance;
use crate::trust::Trust;
use crate::words::Unit;
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
    /// Hash of everything of the result that is compared, of frames in strips a hash of their hashes; `None` where there is none.
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

impl ShaderReport {
    /// What is compared one by one.
    pub fn unit(&self) -> Unit {
        if self.is_kernel { Unit::WORD } else { Unit::PIXEL }
    }

    /// A shader that did not run.
    pub fn refused(subject: Subject, unsupported: bool, problems: Vec<Problem>) -> ShaderReport {
        ShaderReport::new(subject, (0, 0), Vec::new(), Outcome::Refused { unsupported, problems })
    }

    pub(crate) fn new(subject: Subject, size: (u32, u32), picture: Vec<u8>, outcome: Outcome) -> ShaderReport {
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
