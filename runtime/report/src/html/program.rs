//! One program on the page: its results as cards, its numbers, its source.

use super::overview::{Cell, Column, cells, tag, worst_cells};
use super::{Gallery, Picture};
use crate::answer::{self, harm};
use crate::blamed::{BLAMED, Blamed, Instruction};
use crate::chart;
use crate::comparison::thinning;
use crate::findings::{Class, Finding};
use crate::metrics::Metrics;
use crate::picture::Heat;
use crate::report::{Outcome, PICTURE_LIMIT, Report, Row, ShaderReport};
use crate::verdict::Verdict;
use crate::words::{self, distance, legality, percent, sentence, size, trust, ulps, varied_briefly};
use parallax_explain::words as blamed;
use rayon::prelude::*;

/// Least share of the difference, fixed or caused, with which an instruction is listed.
const LEAST: f64 = 0.0005;

pub(super) struct EffectView<'a> {
    pub(super) id: String,
    pub(super) title: &'a str,
    pub(super) about: &'a str,
    /// The worst of its programs under each group of models.
    pub(super) cells: Vec<Cell>,
    pub(super) programs: Vec<ProgramView<'a>>,
}

pub(super) struct ProgramView<'a> {
    /// Index in the report.
    pub(super) number: usize,
    pub(super) id: String,
    pub(super) name: &'a str,
    pub(super) isa: &'a str,
    pub(super) subtitle: String,
    pub(super) status: &'static str,
    /// Class by which it is filtered.
    pub(super) filter: &'static str,
    pub(super) tag_class: &'static str,
    pub(super) tag: &'static str,
    pub(super) headline: String,
    pub(super) notes: Vec<String>,
    pub(super) sentence: String,
    pub(super) first_problem: &'a str,
    pub(super) problems: Vec<String>,
    pub(super) width: u32,
    pub(super) height: u32,
    /// The picture that others are compared with.
    pub(super) picture: String,
    pub(super) against: &'a str,
    pub(super) pixels: String,
    /// Rows with a result of their own, and the models that have it.
    pub(super) results: Vec<(usize, String)>,
    pub(super) cells: Vec<Cell>,
    pub(super) cards: Vec<CardView>,
    /// Models with the bits of what they are compared with.
    pub(super) alike: String,
    pub(super) rows: Vec<RowView>,
    pub(super) blame: Option<BlameView<'a>>,
    pub(super) listing: Vec<Line<'a>>,
}

/// A result.
#[derive(Default)]
pub(super) struct CardView {
    pub(super) id: String,
    pub(super) models: String,
    /// Class of its tag; empty for none.
    pub(super) class: &'static str,
    pub(super) tag: &'static str,
    pub(super) harm: String,
    pub(super) more: String,
    /// None where nobody can tell it from the one that it is compared with.
    pub(super) picture: Picture,
    pub(super) difference: String,
    pub(super) largest: String,
    pub(super) histogram: String,
    /// Whether it can be looked at next to another.
    pub(super) large: bool,
    /// The models that have it, with blanks between them; empty for what is compared with.
    pub(super) all_models: String,
    /// Order among all results of the report: the most visible have the largest.
    pub(super) rank: u64,
    /// What makes most of it.
    pub(super) culprit: String,
}

pub(super) struct RowView {
    pub(super) models: String,
    pub(super) trust: String,
    pub(super) varied: String,
    pub(super) numbers: Vec<String>,
}

/// Which instructions make the difference of one model.
pub(super) struct BlameView<'a> {
    pub(super) model: &'a str,
    pub(super) against: &'a str,
    pub(super) rows: Vec<BlameRow<'a>>,
    pub(super) said: &'a [String],
    /// Why no instruction is named; empty where one is.
    pub(super) unexplained: &'a str,
}

pub(super) struct BlameRow<'a> {
    /// Its place in the ranking.
    pub(super) number: usize,
    pub(super) fixed: String,
    pub(super) caused: String,
    pub(super) at: &'a str,
    pub(super) text: &'a str,
    pub(super) field: &'a str,
}

/// A line of a source.
pub(super) struct Line<'a> {
    /// Style by its share of the difference; empty for none.
    pub(super) class: &'static str,
    /// The place of its instruction in the ranking, where the page knows which pixels it changes.
    pub(super) number: Option<usize>,
    pub(super) title: String,
    pub(super) text: &'a str,
}

/// All effects, the most visible first.
pub(super) fn effects<'a>(report: &'a Report, columns: &[Column<'_>], gallery: &mut Gallery) -> Vec<EffectView<'a>> {
    let all = report.effects_by_severity();
    let written = all.par_iter().map(|(_, list)| {
        let mut own = gallery.of_effect();
        let programs: Vec<ProgramView<'a>> = list.iter().map(|&n| program(report, n, columns, &mut own)).collect();
        (programs, own)
    });
    let written: Vec<_> = written.collect();
    let mut out = Vec::new();
    for (number, ((name, list), (programs, own))) in all.into_iter().zip(written).enumerate() {
        gallery.add(own);
        let first = &report.shaders[list[0]];
        out.push(EffectView {
            id: format!("e{number}"),
            title: if first.title.is_empty() { name } else { &first.title },
            about: &first.about,
            cells: worst_cells(programs.iter().filter(|p| p.status == "ok").map(|p| &p.cells)),
            programs,
        });
    }
    out
}

fn program<'a>(report: &'a Report, number: usize, columns: &[Column<'_>], gallery: &mut Gallery) -> ProgramView<'a> {
    let s = &report.shaders[number];
    let (width, height) = s.size;
    let problems: &[_] = match &s.outcome {
        Outcome::Refused { problems, .. } => problems,
        Outcome::Compared(_) => &[],
    };
    let findings = report.findings_of(number);
    let top = findings.first();
    // Where the baseline gave no result, the reference is what others are compared with.
    let has_baseline = report.yardstick() == report.baseline && !s.baseline_picture.is_empty();
    let (against, picture): (&str, &[u8]) =
        if has_baseline { (&report.baseline, &s.baseline_picture) } else { (&report.reference, &s.picture) };
    let ran = s.status() == "ok";
    let picture = if ran { gallery.picture(picture, "").path } else { String::new() };
    let cards = if ran { cards(report, number, &findings, &picture, against, gallery) } else { Vec::new() };
    let same = findings.iter().filter(|f| f.class == Class::Same).flat_map(|f| f.models.iter().copied());
    let (tag_class, tag, filter) = match (ran, top) {
        (false, _) => (s.status(), s.status(), "refused"),
        (true, Some(top)) => (top.class.name(), tag(top), top.class.name()),
        (true, None) => ("same", "nothing to compare with", "same"),
    };
    let headline = match top {
        Some(top) if top.class > Class::Same => format!("{}: {}", answer::models(&top.models), harm(top, s.unit())),
        Some(_) => format!("every model gives the bits of {against}"),
        None => String::new(),
    };
    ProgramView {
        number,
        id: format!("s{number}"),
        name: &s.name,
        isa: &s.isa,
        subtitle: subtitle(s),
        status: s.status(),
        filter,
        tag_class,
        tag,
        headline: if ran { headline } else { problems.first().map_or(String::new(), |p| p.message.clone()) },
        notes: notes(s),
        sentence: capital(&sentence(s, &report.reference, &report.baseline)),
        first_problem: problems.first().map_or("", |p| &p.message),
        problems: problems
            .iter()
            .map(|p| match p.place {
                Some((line, column)) => format!("line {line}, column {column}: {}", p.message),
                None => p.message.clone(),
            })
            .collect(),
        width,
        height,
        picture,
        against,
        pixels: s
            .pixels
            .as_ref()
            .map_or(String::new(), |pixels| gallery.words(pixels, s.blame.as_ref().map(|b| &b.evidence))),
        results: results(s),
        cells: if ran { cells(report, number, columns, &findings) } else { Vec::new() },
        cards,
        alike: same.collect::<Vec<_>>().join(", "),
        rows: rows(s),
        blame: s.blame.as_ref().map(blame_view),
        listing: lines(s),
    }
}

fn subtitle(s: &ShaderReport) -> String {
    let (width, height) = s.size;
    match (s.isa.is_empty(), width) {
        (true, _) => String::new(),
        (false, 0) => s.isa.clone(),
        (false, _) => {
            let target = s.target.as_ref().map(|t| format!(", stored as {t}")).unwrap_or_default();
            let sampling = s.sampling.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
            format!("{}, {width}×{height} pixels{sampling}{target}", s.isa)
        }
    }
}

fn notes(s: &ShaderReport) -> Vec<String> {
    let mut out = Vec::new();
    if s.default_inputs && s.status() == "ok" {
        out.push("This program has no manifest and is drawn with default inputs.".into());
    }
    if s.constant {
        out.push("All pixels have the same colour, so equal pictures mean little.".into());
    }
    let every = thinning(s.size.0, s.size.1, PICTURE_LIMIT);
    if every > 1 {
        out.push(format!(
            "Pictures show one pixel of each {every}×{every}; difference pictures show the largest difference."
        ));
    }
    out
}

fn capital(text: &str) -> String {
    // A sentence that starts with a model's name keeps it as it is spelled.
    match text.split_once(' ') {
        Some((word @ ("every" | "no"), rest)) => format!("{}{} {rest}.", word[..1].to_uppercase(), &word[1..]),
        _ => format!("{text}."),
    }
}

/// Rows with a result of their own, with all models that have it.
fn results(s: &ShaderReport) -> Vec<(usize, String)> {
    let rows = s.rows();
    let own = rows.iter().enumerate().filter(|(n, r)| r.same_as == *n && r.refused.is_none());
    own.map(|(n, _)| (n, models_of(rows, n))).collect()
}

fn models_of(rows: &[Row], first: usize) -> String {
    rows.iter().filter(|r| r.same_as == first).map(|r| r.model.as_str()).collect::<Vec<_>>().join(", ")
}

/// The picture that others are compared with, every different result, and the reference.
fn cards(
    report: &Report,
    number: usize,
    findings: &[Finding<'_>],
    base: &str,
    against: &str,
    gallery: &mut Gallery,
) -> Vec<CardView> {
    let s = &report.shaders[number];
    let rows = s.rows();
    let plain = rows.iter().find(|r| r.model == against && r.refused.is_none());
    let histogram =
        |m: &Metrics| if m.measured > 0 && m.max_ulp > 0.0 { chart::histogram(&m.histogram) } else { String::new() };
    let mut out = vec![CardView {
        id: format!("s{number}-base"),
        models: against.into(),
        harm: "what the others are compared with".into(),
        more: plain.map_or(String::new(), |r| beside_reference(&r.metrics, against, &report.reference)),
        picture: Picture { path: base.into(), over: false },
        histogram: plain.map_or(String::new(), |r| histogram(&r.metrics)),
        ..CardView::default()
    }];
    for found in findings.iter().filter(|f| f.class != Class::Same) {
        let row = &rows[found.row];
        let mut card = CardView {
            id: format!("s{number}-{}", found.row),
            models: found.models.join(", "),
            class: found.class.name(),
            tag: tag(found),
            harm: match &row.refused {
                Some(reason) => format!("no result: {reason}"),
                None => harm(found, s.unit()),
            },
            all_models: found.models.join(" "),
            rank: found.rank(),
            culprit: answer::cause(report, found),
            ..CardView::default()
        };
        if row.refused.is_none() {
            let own = &rows[row.same_as.min(rows.len() - 1)];
            card.picture = gallery.against(&own.picture, base);
            (card.difference, card.largest) = difference(own.heat.as_ref(), gallery);
            card.more = beside_reference(&row.metrics, &row.model, &report.reference);
            card.histogram = histogram(&row.metrics);
            card.large = true;
        }
        out.push(card);
    }
    if against != report.reference {
        let picture = gallery.against(&s.picture, base);
        let own = plain.and_then(|r| rows.get(r.same_as));
        let (difference, largest) = difference(own.and_then(|r| r.heat.as_ref()), gallery);
        let alike = if picture.path.is_empty() { ", looks alike" } else { "" };
        out.push(CardView {
            id: format!("s{number}-reference"),
            models: report.reference.clone(),
            harm: format!("the reference{alike}"),
            more: plain
                .map_or(String::new(), |r| format!("{against} beside it: {}", words::harm(&r.metrics, s.unit()))),
            picture,
            difference,
            largest,
            large: true,
            ..CardView::default()
        });
    }
    out
}

fn difference(heat: Option<&Heat>, gallery: &mut Gallery) -> (String, String) {
    match heat {
        Some(heat) if !heat.empty => (gallery.difference(&heat.png), format!("up to {}", size(heat.largest))),
        _ => (String::new(), String::new()),
    }
}

fn beside_reference(m: &Metrics, model: &str, reference: &str) -> String {
    if model == reference {
        return String::new();
    }
    let at = match (&m.argmax, &m.special_at) {
        (_, Some(p)) => {
            let (found, expected) = (blamed::value(p.found), blamed::value(p.expected));
            format!("first special value at ({}, {}) {}: {found} instead of {expected}", p.x, p.y, p.component)
        }
        (Some(p), None) if m.max_ulp > 0.0 => format!(
            "at most {} ulp, at ({}, {}) {}: {} for {}",
            ulps(m.max_ulp),
            p.x,
            p.y,
            p.component,
            blamed::value(p.found),
            blamed::value(p.expected)
        ),
        _ => String::new(),
    };
    let equal = format!("{} of components equal", percent(m.equal, m.components));
    let parts: Vec<String> = [equal, at].into_iter().filter(|text| !text.is_empty()).collect();
    format!("Compared {reference}: {}", parts.join("; "))
}

/// Figures, equal results in one row.
fn rows(s: &ShaderReport) -> Vec<RowView> {
    let rows = s.rows();
    let said = |r: &Row| (r.trust.as_ref().map_or_else(|| r.tier.name().to_string(), trust), remarks(r));
    let mut out: Vec<RowView> = Vec::new();
    for (n, row) in rows.iter().enumerate() {
        let alike = |r: &&Row| r.refused.is_none() && r.same_as == row.same_as && said(r) == said(row);
        if row.refused.is_none() && rows[..n].iter().any(|r| alike(&r)) {
            continue;
        }
        let models = match &row.refused {
            Some(_) => row.model.clone(),
            None => rows.iter().filter(alike).map(|r| r.model.as_str()).collect::<Vec<_>>().join(", "),
        };
        let (trust, varied) = said(row);
        out.push(RowView { models, trust, varied, numbers: numbers(row) });
    }
    out
}

fn remarks(row: &Row) -> String {
    let parts = [row.trust.as_ref().map(varied_briefly), row.legality.as_ref().map(legality)];
    parts.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
}

fn numbers(row: &Row) -> Vec<String> {
    let m = &row.metrics;
    if row.refused.is_some() {
        return vec!["–".into(); 15];
    }
    let figure = |v: f64| if m.measured > 0 { ulps(v) } else { "–".into() };
    let number = |v: f64| if m.numbers > 0 { size(v) } else { "–".into() };
    vec![
        percent(m.equal, m.components),
        figure(m.median_ulp),
        figure(m.p99_ulp),
        figure(m.max_ulp),
        if m.measured > 0 { m.correct_bits.to_string() } else { "–".into() },
        number(m.rms),
        number(m.max_abs),
        m.near_zero.to_string(),
        m.special_mismatch.to_string(),
        m.coverage_flips.to_string(),
        m.pixels8_changed.to_string(),
        format!("{}/255", m.max8),
        Verdict::of(m).words().into(),
        row.from_baseline.map_or("–".into(), |d| d.differ.to_string()),
        row.from_baseline.map_or("–".into(), |d| distance(&d)),
    ]
}

fn blame_view(found: &Blamed) -> BlameView<'_> {
    // What does next to nothing is not worth a line.
    let listed = |(n, i): &(usize, &Instruction)| *n == 0 || i.fixed.abs().max(i.caused.abs()) >= LEAST;
    let rows = found.instructions.iter().enumerate().take(BLAMED).filter(listed).map(|(number, i)| BlameRow {
        number,
        fixed: blamed::share(i.fixed),
        caused: blamed::share(i.caused),
        at: &i.at,
        text: &i.text,
        field: &i.field,
    });
    BlameView {
        model: &found.model,
        against: &found.against,
        rows: rows.collect(),
        said: &found.said,
        unexplained: found.unexplained.as_deref().unwrap_or_default(),
    }
}

/// The source with the blame of each line.
fn lines(shader: &ShaderReport) -> Vec<Line<'_>> {
    let blame = |number: usize| {
        let found = shader.blame.as_ref()?;
        let at = |(_, i): &(usize, &Instruction)| i.own && i.line as usize == number;
        let own = found.instructions.iter().enumerate().filter(at);
        own.max_by(|(_, a), (_, b)| a.score.total_cmp(&b.score))
    };
    let styled = |n: usize| match blame(n + 1) {
        None => ("", None, String::new()),
        Some((number, blame)) => {
            let class = match blame.score {
                s if s >= 0.5 => "b4",
                s if s >= 0.2 => "b3",
                s if s >= 0.05 => "b2",
                _ => "b1",
            };
            let title = format!("fixed {}, caused {}", blamed::share(blame.fixed), blamed::share(blame.caused));
            (class, Some(number).filter(|n| *n < BLAMED), title)
        }
    };
    let lines = shader.listing.lines().enumerate().map(|(n, text)| {
        let (class, number, title) = styled(n);
        Line { class, number, title, text }
    });
    lines.collect()
}
