//! The report as a page, with its pictures beside it.

mod overview;
mod program;

use crate::answer::{self, compared};
use crate::chart;
use crate::evidence::Evidence;
use crate::findings::Class;
use crate::picture::{self, Decoded, Effort, FLIP_COLOUR, SPECIAL_COLOUR};
use crate::pixels::Pixels;
use crate::report::Report;
use crate::trust::Trust;
use crate::words::{count, distance, trust};
use askama::Template;
use overview::{Column, GroupView, WorstView};
use parallax_text::clean_lines;
use program::EffectView;
use std::collections::HashMap;

/// Style of the page.
const CSS: &str = include_str!("../templates/report.css");
/// What scripts add to it.
const JS: &str = include_str!("../templates/report.js");
/// Programs up to which all of them are open.
const OPEN: usize = 2;
/// Programs up to which each picture can be looked at alone.
const FEW: usize = 16;

/// A page and the files it shows, by their paths beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The page.
    pub html: String,
    /// Pictures, and words of pixels. Files of equal names have equal bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

#[derive(Template)]
#[template(path = "report.html")]
struct View<'a> {
    css: &'static str,
    js: &'static str,
    title: String,
    headline: String,
    /// Style, number of programs, and what they are.
    counts: Vec<(&'static str, u64, &'static str)>,
    notes: Vec<String>,
    command: &'a str,
    tool: &'a str,
    reference: &'a str,
    baseline: &'a str,
    yardstick: &'a str,
    classes: Vec<Class>,
    shades: Vec<(String, String)>,
    flip: String,
    special: String,
    isas: Vec<&'a str>,
    judged: Vec<&'a str>,
    worst: Vec<WorstView<'a>>,
    worst_title: String,
    columns: Vec<Column<'a>>,
    models: Vec<ModelView<'a>>,
    groups: Vec<GroupView>,
    programs: Vec<ProgramView<'a>>,
    effects: Vec<EffectView<'a>>,
    open: bool,
    thrifty: bool,
    shared: String,
}

struct ModelView<'a> {
    label: &'a str,
    tiers: String,
}

struct ProgramView<'a> {
    model: &'a str,
    distance: String,
}

/// Files of the page, each kept once however often it is shown.
#[derive(Default)]
struct Gallery {
    files: Vec<(String, Vec<u8>)>,
    known: HashMap<u64, usize>,
    /// Whether pictures are kept as what they add to another, where that is much less.
    thrifty: bool,
    effort: Effort,
    /// Pictures of the effect that is being written.
    recent: Vec<Shown>,
}

/// A picture on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Picture {
    /// Its file; empty for none.
    path: String,
    /// Whether it is to lie over another, and has no pixel that nobody can tell from that one's.
    over: bool,
}

/// A picture whose file there is already.
struct Shown {
    pixels: Decoded,
    path: String,
    /// The file that it lies over; empty for a whole picture.
    below: String,
}

impl Gallery {
    /// One for an effect alone, whose pictures are like no others.
    fn of_effect(&self) -> Gallery {
        Gallery { thrifty: self.thrifty, effort: self.effort, ..Gallery::default() }
    }

    /// Adds the files of another one.
    fn add(&mut self, other: Gallery) {
        for (path, bytes) in other.files {
            self.put(path, bytes);
        }
    }

    /// A picture that nobody can tell from this one, compared with the one with the path `base`, if there is one.
    fn picture(&mut self, png: &[u8], base: &str) -> Picture {
        let Some(pixels) = picture::decode(png) else { return Picture::default() };
        let alike = |known: &&Shown| {
            let (size, other) = &known.pixels;
            let fits = known.below.is_empty() || known.below == base;
            fits && *size == pixels.0 && other.iter().zip(&pixels.1).all(|(a, b)| picture::is_near(a, b))
        };
        if let Some(known) = self.recent.iter().find(alike) {
            return Picture { path: known.path.clone(), over: !known.below.is_empty() };
        }
        let whole = match self.effort {
            Effort::Fast => picture::quick(png, &pixels),
            Effort::Small => picture::smallest(png),
        };
        let below = self.recent.iter().find(|known| self.thrifty && known.path == base && known.below.is_empty());
        let part = below.and_then(|below| picture::over(&pixels, &below.pixels, self.effort));
        let (bytes, below) = match part.filter(|part| part.len() * 4 < whole.len() * 3) {
            Some(part) => (part, base.to_string()),
            None => (whole, String::new()),
        };
        let path = self.file("pictures", "png", bytes);
        let picture = Picture { path: path.clone(), over: !below.is_empty() };
        self.recent.push(Shown { pixels, path, below });
        picture
    }

    /// The same, or none where nobody can tell it from that one.
    fn against(&mut self, png: &[u8], base: &str) -> Picture {
        let picture = self.picture(png, base);
        if picture.path == base { Picture::default() } else { picture }
    }

    /// Path of a difference picture.
    fn difference(&mut self, png: &[u8]) -> String {
        if png.is_empty() { String::new() } else { self.file("pictures", "png", png.to_vec()) }
    }

    /// Path of the words of a program's pixels and of the evidence for its blame: a call that hands them to the page.
    fn words(&mut self, pixels: &Pixels, evidence: Option<&Evidence>) -> String {
        #[derive(serde::Serialize)]
        struct Words<'a> {
            #[serde(flatten)]
            pixels: &'a Pixels,
            evidence: &'a str,
        }
        let evidence = evidence.map_or("", Evidence::text);
        let Ok(json) = serde_json::to_string(&Words { pixels, evidence }) else { return String::new() };
        let path = format!("pixels/{:016x}.js", fingerprint(json.as_bytes()));
        let text = format!("parallaxPixels(\"{path}\",{json})\n");
        self.put(path, text.into_bytes())
    }

    /// Adds a file under a name that follows from its bytes.
    fn file(&mut self, folder: &str, ending: &str, bytes: Vec<u8>) -> String {
        self.put(format!("{folder}/{:016x}.{ending}", fingerprint(&bytes)), bytes)
    }

    fn put(&mut self, path: String, bytes: Vec<u8>) -> String {
        let key = fingerprint(path.as_bytes());
        if let Some(known) = self.known.get(&key) {
            return self.files[*known].0.clone();
        }
        self.known.insert(key, self.files.len());
        self.files.push((path.clone(), bytes));
        path
    }
}

/// FNV-1a, 64 bits.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// The whole page. Equal reports give equal bytes.
pub fn html(report: &Report) -> Page {
    let thrifty = report.shaders.len() > FEW;
    let mut gallery = Gallery { thrifty, effort: report.effort, ..Gallery::default() };
    let columns = overview::columns(report);
    let effects = program::effects(report, &columns, &mut gallery);
    let worst = overview::worst(report, &effects);
    let mut isas: Vec<&str> = report.shaders.iter().map(|s| s.isa.as_str()).filter(|isa| !isa.is_empty()).collect();
    isas.sort_unstable();
    isas.dedup();
    let view = View {
        css: CSS,
        js: JS,
        title: format!("{} under {}", count(report.shaders.len() as u64, "program", "programs"), compared(report)),
        headline: answer::headline(report),
        counts: answer::counts(report),
        notes: notes(report),
        command: &report.command,
        tool: &report.tool,
        reference: &report.reference,
        baseline: &report.baseline,
        yardstick: report.yardstick(),
        classes: Class::ALL[1..].to_vec(),
        shades: picture::shades().into_iter().map(|(name, colour)| (name, css(&colour))).collect(),
        flip: css(&FLIP_COLOUR),
        special: css(&SPECIAL_COLOUR),
        isas,
        judged: report.models.iter().map(String::as_str).filter(|m| report.is_judged(m)).collect(),
        worst_title: match worst.len() {
            1 => "The most visible difference".into(),
            n => format!("The {n} most visible differences, one per effect"),
        },
        worst,
        columns,
        models: report.models.iter().map(|m| ModelView { label: m, tiers: tiers(report, m) }).collect(),
        groups: overview::groups(report),
        programs: report
            .programs
            .iter()
            .map(|p| ProgramView {
                model: &p.model,
                distance: p.distance.map_or("no pictures of the same size".into(), |d| distance(&d)),
            })
            .collect(),
        effects,
        open: report.shaders.len() <= OPEN,
        thrifty,
        shared: chart::shared(),
    };
    // The template only formats into a string; that cannot fail.
    Page { html: clean_lines(view.render().unwrap_or_default()), files: gallery.files }
}

/// What makes equal results say less than it seems.
fn notes(report: &Report) -> Vec<String> {
    let mut out = Vec::new();
    if report.unfinished > 0 {
        out.push(format!("Interrupted: {} not run.", count(report.unfinished as u64, "program was", "programs were")));
    }
    let ran = || report.shaders.iter().filter(|s| !s.rows().is_empty());
    let (defaults, all) = (ran().filter(|s| s.default_inputs).count(), ran().count());
    if defaults > 0 {
        out.push(format!("{defaults} of {all} programs have no manifest and are drawn with default inputs."));
    }
    let constant = ran().filter(|s| s.constant).count();
    if constant > 0 {
        let programs = count(constant as u64, "program", "programs");
        out.push(format!("{programs} of {all} draw a single colour, so equal pictures mean little there."));
    }
    out
}

fn css(colour: &[u8; 3]) -> String {
    format!("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2])
}

/// What decided the operations of all shaders under a model.
fn tiers(report: &Report, model: &str) -> String {
    let mut all = Trust::default();
    for row in report.shaders.iter().flat_map(|s| s.rows()).filter(|r| r.model == model) {
        row.trust.iter().for_each(|t| all.add(t));
    }
    if all.operations == 0 { "–".into() } else { trust(&all) }
}

#[cfg(test)]
mod tests;
