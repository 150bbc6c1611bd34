//! The top of the page: the worst pictures, and the table of programs and models.

use super::Picture;
use super::program::EffectView;
use crate::answer::{self, harm};
use crate::findings::{Class, Finding};
use crate::report::{Report, Row};
use crate::snapshot::Distance;
use crate::verdict::Verdict;
use crate::words::{distance, letter, percent};

/// Results at the top.
const WORST: usize = 10;

/// One of the most visible results.
pub(super) struct WorstView<'a> {
    pub(super) card: String,
    pub(super) title: &'a str,
    pub(super) name: &'a str,
    pub(super) models: String,
    pub(super) all_models: String,
    pub(super) harm: String,
    pub(super) class: &'static str,
    pub(super) tag: &'static str,
    pub(super) culprit: String,
    pub(super) base: String,
    pub(super) picture: Picture,
    pub(super) difference: String,
}

/// Models with equal results in every program.
pub(super) struct Column<'a> {
    pub(super) names: Vec<String>,
    /// The models, with blanks between them.
    pub(super) key: String,
    /// Whether its results are judged; otherwise it is the baseline, compared with the reference.
    pub(super) judged: bool,
    pub(super) model: &'a str,
}

/// A cell of a table.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) class: &'static str,
    pub(super) text: String,
    /// The most that an 8-bit component differs.
    pub(super) steps: Option<u8>,
    /// How many of the pixels it is about, from 1 (less than a hundredth) to 4 (half and more); 0 where that says nothing.
    pub(super) degree: u8,
    /// Name of the card it leads to; empty for none.
    pub(super) link: String,
    /// For the worst of several cells.
    pub(super) key: (Class, u64),
}

impl Cell {
    /// Names in the style sheet.
    pub(super) fn style(&self) -> String {
        if self.degree == 0 { self.class.into() } else { format!("{} q{}", self.class, self.degree) }
    }

    /// Contents of the element. Nothing in it comes from outside.
    pub(super) fn html(&self) -> String {
        let steps = self.steps.map_or(String::new(), |steps| format!(" <small>≤{steps}</small>"));
        let text = format!("{}{steps}", self.text);
        if self.link.is_empty() { text } else { format!("<a href=\"#{}\">{text}</a>", self.link) }
    }
}

/// Models with equal results in every shader, and how they differ from the other groups.
pub(super) struct GroupView {
    /// Letter of its column.
    pub(super) letter: String,
    pub(super) models: String,
    pub(super) cells: Vec<Degree>,
}

/// How far two groups of models are apart.
pub(super) struct Degree {
    pub(super) text: String,
    /// Share of the pixels that look different, of the largest such share in the table: from 0 to 1.
    pub(super) share: f64,
}

/// How far a result strikes the eye, as a tag says it.
pub(super) fn tag(found: &Finding<'_>) -> &'static str {
    match found.class {
        Class::NoResult => "no result",
        Class::Nothing => "no pixel covered",
        Class::Plain => Verdict::between(&found.distance).max(Verdict::PlainlyVisible).words(),
        _ => Verdict::between(&found.distance).words(),
    }
}

/// The most visible results, with what their cards show.
pub(super) fn worst<'a>(report: &'a Report, effects: &[EffectView<'a>]) -> Vec<WorstView<'a>> {
    let programs = || effects.iter().flat_map(|e| e.programs.iter().map(move |p| (e, p)));
    let view = |found: &Finding<'a>| {
        let (effect, program) = programs().find(|(_, p)| p.number == found.shader)?;
        let id = format!("s{}-{}", found.shader, found.row);
        let card = program.cards.iter().find(|card| card.id == id)?;
        Some(WorstView {
            card: id,
            title: effect.title,
            name: program.name,
            models: answer::models(&found.models),
            all_models: found.models.join(" "),
            harm: harm(found, report.shaders[found.shader].unit()),
            class: found.class.name(),
            tag: tag(found),
            culprit: answer::cause(report, found),
            base: program.picture.clone(),
            picture: card.picture.clone(),
            difference: card.difference.clone(),
        })
    };
    report.worst(WORST).iter().filter_map(view).collect()
}

/// The baseline first, then the models that are judged.
pub(super) fn columns(report: &Report) -> Vec<Column<'_>> {
    let yardstick = report.yardstick();
    let mut out = Vec::new();
    for group in report.groups() {
        let plain = group.iter().find(|m| **m == yardstick && **m != report.reference);
        if let Some(model) = plain {
            let names = vec![model.to_string(), format!("beside {}", report.reference)];
            out.insert(0, Column { names, key: model.to_string(), judged: false, model });
        }
        let judged: Vec<&str> = group.into_iter().filter(|m| report.is_judged(m)).collect();
        if let Some(&model) = judged.first() {
            let names = judged.iter().map(|m| m.to_string()).collect();
            out.push(Column { names, key: judged.join(" "), judged: true, model });
        }
    }
    out
}

/// Cells of a program that ran, one per column.
pub(super) fn cells(report: &Report, number: usize, columns: &[Column<'_>], findings: &[Finding<'_>]) -> Vec<Cell> {
    let rows = report.shaders[number].rows();
    let cell = |column: &Column<'_>| {
        let row = rows.iter().find(|r| r.model == column.model);
        match row {
            None => none(),
            Some(row) if !column.judged => plain(row, number),
            Some(row) => {
                let found = findings.iter().find(|f| f.models.contains(&row.model.as_str()));
                judged(report, number, row, found)
            }
        }
    };
    columns.iter().map(cell).collect()
}

/// Nothing to say.
fn none() -> Cell {
    Cell { class: "", text: "–".into(), steps: None, degree: 0, link: String::new(), key: (Class::Nothing, 0) }
}

fn judged(report: &Report, number: usize, row: &Row, found: Option<&Finding<'_>>) -> Cell {
    let (class, d) = (report.class(&report.shaders[number], row), report.apart(row));
    let link = found.filter(|f| f.class > Class::Same).map_or(String::new(), |f| format!("s{number}-{}", f.row));
    let (text, steps) = text(class, &d);
    let share = d.visible() * 1_000_000 / d.pixels.max(1);
    let degree = degree(class, &d);
    Cell { class: class.name(), text, steps, degree, link, key: (class, u64::from(d.max8) << 32 | share) }
}

/// See [`Cell::degree`].
fn degree(class: Class, d: &Distance) -> u8 {
    let share = d.visible() as f64 / d.pixels.max(1) as f64;
    match class {
        Class::Step | Class::Seen | Class::Plain => {
            1 + [0.01, 0.1, 0.5].iter().filter(|least| share >= **least).count() as u8
        }
        _ => 0,
    }
}

fn text(class: Class, d: &Distance) -> (String, Option<u8>) {
    match class {
        Class::Nothing => ("no pixel".into(), None),
        Class::Same => ("=".into(), None),
        Class::Bits => ("bits".into(), None),
        Class::NoResult => ("no result".into(), None),
        Class::Plain if d.visible() == 0 => ("special".into(), None),
        _ => (percent(d.visible(), d.pixels), Some(d.max8)),
    }
}

/// The baseline's cell, which no vendor is judged by: what binary32 does to the program.
fn plain(row: &Row, number: usize) -> Cell {
    let m = &row.metrics;
    let seen = Class::of(Verdict::of(m));
    let class = match seen {
        _ if row.refused.is_some() => "nothing",
        Class::Step => "base2",
        Class::Seen => "base3",
        Class::Plain => "base4",
        _ => "base1",
    };
    let d = Distance {
        pixels: m.pixels,
        differ: m.pixels_changed,
        differ8: m.pixels8_changed,
        max8: m.max8,
        flips: m.coverage_flips,
    };
    let seen = if row.refused.is_some() { Class::NoResult } else { seen };
    let (text, steps) = text(seen, &d);
    let link = format!("s{number}-reference");
    Cell { class, text, steps, degree: 0, link, key: (seen, u64::from(d.max8)) }
}

/// The worst cell of each column, over the programs of an effect.
pub(super) fn worst_cells<'c>(mut lists: impl Iterator<Item = &'c Vec<Cell>>) -> Vec<Cell> {
    let mut out = lists.next().cloned().unwrap_or_default();
    for list in lists {
        for (cell, other) in out.iter_mut().zip(list) {
            if other.key > cell.key {
                *cell = other.clone();
            }
        }
    }
    out
}

/// Groups of models with equal results, each beside all others.
pub(super) fn groups(report: &Report) -> Vec<GroupView> {
    let groups = report.groups();
    let between: Vec<Vec<Option<Distance>>> =
        groups.iter().map(|a| groups.iter().map(|b| report.between(a[0], b[0])).collect()).collect();
    let share = |d: &Distance| d.visible() as f64 / d.pixels.max(1) as f64;
    let largest = between.iter().flatten().flatten().map(share).fold(0.0, f64::max);
    let cell = |d: &Option<Distance>| match d {
        None => Degree { text: "–".into(), share: 0.0 },
        Some(d) if d.visible() > 0 => Degree { text: percent(d.visible(), d.pixels), share: share(d) / largest },
        Some(d) => Degree { text: distance(d), share: 0.0 },
    };
    let view = |(n, (models, row)): (usize, (&Vec<&str>, &Vec<Option<Distance>>))| GroupView {
        letter: letter(n),
        models: models.join(", "),
        cells: row.iter().map(cell).collect(),
    };
    groups.iter().zip(&between).enumerate().map(view).collect()
}
