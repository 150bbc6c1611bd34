//! Which instructions make the difference of one model, as a report keeps it.

use crate::evidence::Evidence;
use crate::kept;
use parallax_explain::{Blame, Explanation, words};
use serde::{Deserialize, Serialize};

/// Instructions whose fields are kept.
pub(crate) const BLAMED: usize = 6;
/// What the first instruction does at least, as a share of the difference, to be called its cause.
const LEAST: f64 = 0.01;

/// What was found out about one model's difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blamed {
    /// Label of the model.
    pub model: String,
    /// Label of the one it is compared with.
    pub against: String,
    /// The picture of another renderer that the model stands for, since its own is the closest to it.
    #[serde(default)]
    pub stands_for: Option<String>,
    /// Whether the vertex program in front of the shader makes at least half of the difference. The instructions are about the
    /// rest.
    #[serde(default)]
    pub by_vertices: bool,
    /// The field of a fixed function around the shader that makes at least half of the difference, with its value: `raster_grid =
    /// rtz4`. The instructions are about the rest.
    #[serde(default)]
    pub around: Option<String>,
    /// Instructions, the most to blame first.
    pub instructions: Vec<Instruction>,
    /// What else was found, in sentences: branches that flip, special values.
    pub said: Vec<String>,
    /// In a few words, why no instruction is named; `None` where one is.
    #[serde(default)]
    pub unexplained: Option<String>,
    /// What pages show of it pixel by pixel.
    #[serde(default)]
    pub evidence: Evidence,
}

/// What an instruction does to the difference.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instruction {
    /// Line from 1 in a text; 0 for binaries, and for what belongs to no instruction.
    pub line: u32,
    /// The line, or the byte in a binary; `end` for what belongs to no instruction.
    pub at: String,
    /// Whether it is one of the program's, and not the conversion of results at the end.
    pub own: bool,
    /// As the frontend prints it.
    pub text: String,
    /// Share of the difference that goes away when it alone follows the other arithmetic.
    #[serde(with = "kept::number")]
    pub fixed: f64,
    /// Share of the difference that appears when it alone follows the model.
    #[serde(with = "kept::number")]
    pub caused: f64,
    /// Mean of the two, each between 0 and 1.
    #[serde(with = "kept::number")]
    pub score: f64,
    /// The field of the model's rule that does most of it, in a sentence; of the first instructions only.
    pub field: String,
    /// What a driver does to it, where that is what does most: `MUL and ADD contracted by the driver`.
    #[serde(default)]
    pub deed: Option<String>,
}

/// What makes most of a difference.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Culprit<'a> {
    /// The vertex program in front of the shader.
    Vertices,
    /// A fixed function around the shader: its field and value.
    Around(&'a str),
    /// An instruction of the shader.
    Instruction(&'a Instruction),
}

impl Culprit<'_> {
    /// Whether more than half of the difference goes away with it.
    pub fn does_most(&self) -> bool {
        match self {
            Culprit::Vertices | Culprit::Around(_) => true,
            Culprit::Instruction(blame) => blame.fixed > 0.5,
        }
    }

    /// `line 12, MUL r0, r1, r2`, `the vertex program`, or `around the shader, raster_grid = rtz4`.
    pub fn words(&self) -> String {
        match self {
            Culprit::Vertices => "the vertex program".into(),
            Culprit::Around(field) => format!("around the shader, {field}"),
            Culprit::Instruction(blame) => {
                let deed = blame.deed.as_ref().map_or(String::new(), |deed| format!(" ({deed})"));
                format!("{}, {}{deed}", blame.place(), blame.text)
            }
        }
    }
}

impl Instruction {
    fn new(number: usize, blame: &Blame) -> Instruction {
        let field = blame.fields.first().filter(|_| number < BLAMED);
        Instruction {
            line: blame.place.line,
            at: words::at(&blame.place),
            own: blame.place.index.is_some(),
            text: blame.place.text.clone(),
            fixed: blame.fixed,
            caused: blame.caused,
            score: blame.score(),
            field: field.map_or(String::new(), words::field),
            deed: field.and_then(words::deed),
        }
    }

    /// `line 12`, or `byte 0x30` in binaries.
    pub fn place(&self) -> String {
        format!("{} {}", if self.line == 0 { "byte" } else { "line" }, self.at)
    }
}

impl From<&Explanation> for Blamed {
    fn from(found: &Explanation) -> Blamed {
        let mut said: Vec<String> = found.vertices.iter().map(words::vertices).collect();
        said.extend(found.around.iter().map(words::around));
        said.extend(found.flips.iter().take(2).map(|flip| words::flip(flip, found)));
        said.extend(found.specials.iter().take(2).map(|special| words::special(special, found).join("; ")));
        // Where it was looked into.
        said.extend((found.stability.pixels > 0).then(|| words::verdict(found)));
        let instructions = found.ranking.instructions.iter().enumerate();
        let mut blamed = Blamed {
            model: found.model.clone(),
            against: found.against.clone(),
            stands_for: None,
            by_vertices: found
                .vertices
                .as_ref()
                .is_some_and(|v| v.alone.error > 0.0 && v.alone.error >= 0.5 * found.whole.error),
            around: around(found),
            instructions: instructions.map(|(n, blame)| Instruction::new(n, blame)).collect(),
            said,
            unexplained: None,
            evidence: Evidence::from(found),
        };
        if blamed.culprit().is_none() {
            blamed.unexplained = Some(unexplained(found));
        }
        blamed
    }
}

/// The field around the shader that makes most of a difference, at least half of it.
fn around(found: &Explanation) -> Option<String> {
    let most = found.around.iter().max_by(|a, b| a.alone.error.total_cmp(&b.alone.error))?;
    (most.alone.error >= 0.5 * found.whole.error).then(|| format!("{} = {}", most.field, most.value))
}

/// Why no instruction of an explanation is to blame.
fn unexplained(found: &Explanation) -> String {
    let own: Vec<&Blame> = found.ranking.instructions.iter().filter(|blame| blame.place.index.is_some()).collect();
    if found.whole.changed == 0 {
        return format!("no {} differs when drawn again", found.shown.one());
    }
    match (own.len(), found.ranking.instructions.is_empty()) {
        (0, true) if !found.around.is_empty() => "several fixed functions around the shader, none alone".into(),
        (0, false) => "the conversion of results at the end".into(),
        (0, true) => "several instructions together, none alone".into(),
        (n, _) => format!("chaotic: none of {n} instructions does more than {} of it", words::share(LEAST)),
    }
}

impl Blamed {
    /// Nobody is to blame, for a reason in a few words.
    pub fn nobody(model: String, against: String, reason: String) -> Blamed {
        let (instructions, said) = (Vec::new(), Vec::new());
        let (unexplained, evidence) = (Some(reason), Evidence::default());
        Blamed {
            model,
            against,
            stands_for: None,
            by_vertices: false,
            around: None,
            instructions,
            said,
            unexplained,
            evidence,
        }
    }

    /// What makes most of the difference, if anything does: the vertex program, a fixed function, or the program's own instruction.
    pub fn culprit(&self) -> Option<Culprit<'_>> {
        if self.by_vertices {
            return Some(Culprit::Vertices);
        }
        if let Some(field) = &self.around {
            return Some(Culprit::Around(field));
        }
        let own = self.instructions.iter().filter(|i| i.own);
        own.max_by(|a, b| a.score.total_cmp(&b.score)).filter(|i| i.score >= LEAST).map(Culprit::Instruction)
    }
}
