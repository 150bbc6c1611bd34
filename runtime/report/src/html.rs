//! The report as one self-contained HTML page.

use crate::chart;
use crate::metrics::Metrics;
use crate::picture::{self, FLIP_COLOUR, RAMP, SPECIAL_COLOUR, data_uri};
use crate::report::{Outcome, PICTURE_LIMIT, Report, Row, ShaderReport, thinning};
use crate::trust::Trust;
use crate::verdict::Verdict;
use crate::words::{
    count, distance, harm, legality, letter, percent, sentence, size, trust, ulps, varied, verdict, worst,
};
use askama::Template;
use parallax_explain::{Blame, Explanation, words as blamed};
use std::collections::HashMap;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    shader_count: String,
    model_count: String,
    verdict: String,
    command: &'a str,
    tool: &'a str,
    reference: &'a str,
    columns: usize,
    baseline: &'a str,
    models: Vec<ModelView<'a>>,
    groups: Vec<GroupView>,
    programs: Vec<ProgramView<'a>>,
    /// Whether the overview names effects: once one has several programs, every effect is named, lest a lone program
    /// seem to belong to the effect above it.
    grouped: bool,
    effects: Vec<EffectView<'a>>,
    pictures: Vec<Picture>,
    ramp: String,
    flip: String,
    special: String,
}

struct ModelView<'a> {
    label: &'a str,
    tiers: String,
}

/// Models with equal results in every shader, and how they differ from the other groups.
struct GroupView {
    /// Letter of its column.
    letter: String,
    models: String,
    cells: Vec<MatrixCell>,
}

struct MatrixCell {
    class: &'static str,
    text: String,
}

struct ProgramView<'a> {
    model: &'a str,
    distance: String,
}

struct EffectView<'a> {
    id: String,
    title: &'a str,
    about: &'a str,
    twins: Vec<TwinView<'a>>,
    shaders: Vec<ShaderView<'a>>,
}

struct TwinView<'a> {
    name: &'a str,
    reference: String,
    model: &'a str,
    worst: String,
}

struct ShaderView<'a> {
    id: String,
    name: &'a str,
    subtitle: String,
    status: &'static str,
    sentence: String,
    first_problem: &'a str,
    problems: Vec<String>,
    reference: String,
    picture_note: String,
    cells: Vec<CellView>,
    cards: Vec<CardView>,
    rows: Vec<RowView<'a>>,
    blame: Option<BlameView<'a>>,
    listing: Vec<Line<'a>>,
}

/// Which instructions make the difference of one model.
struct BlameView<'a> {
    model: &'a str,
    against: &'a str,
    rows: Vec<BlameRow>,
    said: Vec<String>,
}

struct BlameRow {
    fixed: String,
    caused: String,
    at: String,
    text: String,
    field: String,
}

/// A line of a source.
struct Line<'a> {
    /// Style by its share of the difference; empty for none.
    class: &'static str,
    title: String,
    text: &'a str,
}

struct CellView {
    class: &'static str,
    text: String,
    more: Vec<String>,
    spark: String,
}

#[derive(Default)]
struct CardView {
    models: String,
    harm: String,
    picture: String,
    picture_note: &'static str,
    heat: String,
    heat_note: String,
    histogram: String,
    extreme: String,
}

struct RowView<'a> {
    model: &'a str,
    trust: String,
    varied: String,
    numbers: Vec<String>,
}

/// Instructions that are listed.
const BLAMED: usize = 6;

fn blame_view(found: &Explanation) -> BlameView<'_> {
    let rows = found.ranking.instructions.iter().take(BLAMED).map(|blame| BlameRow {
        fixed: blamed::share(blame.fixed),
        caused: blamed::share(blame.caused),
        at: blamed::at(&blame.place),
        text: blame.place.text.clone(),
        field: blame.fields.first().map_or(String::new(), blamed::field),
    });
    let mut said: Vec<String> = found.flips.iter().take(2).map(|flip| blamed::flip(flip, found)).collect();
    said.extend(found.specials.iter().take(2).map(|special| blamed::special(special, found).join("; ")));
    // Where it was looked into.
    said.extend((found.stability.pixels > 0).then(|| blamed::verdict(found)));
    BlameView { model: &found.model, against: &found.against, rows: rows.collect(), said }
}

/// The source with the blame of each line.
fn lines(shader: &ShaderReport) -> Vec<Line<'_>> {
    let blame = |number: usize| {
        let found = shader.blame.as_deref()?;
        let at = |b: &&Blame| b.place.index.is_some() && b.place.line as usize == number;
        found.ranking.instructions.iter().filter(at).max_by(|a, b| a.score().total_cmp(&b.score()))
    };
    let styled = |n: usize| match blame(n + 1) {
        None => ("", String::new()),
        Some(blame) => {
            let class = match blame.score() {
                s if s >= 0.5 => "b4",
                s if s >= 0.2 => "b3",
                s if s >= 0.05 => "b2",
                _ => "b1",
            };
            (class, format!("fixed {}, caused {}", blamed::share(blame.fixed), blamed::share(blame.caused)))
        }
    };
    let lines = shader.listing.lines().enumerate().map(|(n, text)| {
        let (class, title) = styled(n);
        Line { class, title, text }
    });
    lines.collect()
}

/// Pictures of the page, each kept once however often it is shown.
#[derive(Default)]
struct Gallery {
    pictures: Vec<Picture>,
    known: HashMap<Vec<u8>, usize>,
}

/// A picture and its size in pixels.
struct Picture {
    uri: String,
    width: u32,
    height: u32,
}

impl Gallery {
    /// An element that shows a PNG.
    fn show(&mut self, png: &[u8], alt: &str) -> String {
        let Some((width, height)) = picture::size(png) else { return String::new() };
        let number = match self.known.get(png) {
            Some(number) => *number,
            None => {
                self.pictures.push(Picture { uri: data_uri(png), width, height });
                self.known.insert(png.to_vec(), self.pictures.len() - 1);
                self.pictures.len() - 1
            }
        };
        let alt = parallax_svg::escape(alt);
        format!(
            "<svg class=\"pic\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{alt}</title>\
             <use href=\"#p{number}\"/></svg>"
        )
    }
}

/// The whole page. Equal reports give equal bytes.
pub fn html(report: &Report) -> String {
    let mut gallery = Gallery::default();
    let listed = report.effects().into_iter().enumerate();
    let effects: Vec<_> = listed.map(|(n, (_, list))| effect(report, n, &list, &mut gallery)).collect();
    let page = Page {
        shader_count: count(report.shaders.len() as u64, "shader", "shaders"),
        model_count: count(report.models.len() as u64, "model", "models"),
        verdict: verdict(report),
        command: &report.command,
        tool: &report.tool,
        reference: &report.reference,
        columns: report.models.iter().filter(|m| **m != report.reference).count(),
        baseline: &report.baseline,
        groups: groups(report),
        programs: report
            .programs
            .iter()
            .map(|p| ProgramView {
                model: &p.model,
                distance: p.distance.map_or("no pictures of one size".into(), |d| distance(&d)),
            })
            .collect(),
        models: report.models.iter().map(|m| ModelView { label: m, tiers: tiers(report, m) }).collect(),
        grouped: effects.iter().any(|e| e.shaders.len() > 1),
        effects,
        pictures: gallery.pictures,
        ramp: RAMP.iter().map(css).collect::<Vec<_>>().join(","),
        flip: css(&FLIP_COLOUR),
        special: css(&SPECIAL_COLOUR),
    };
    // The template only formats into a string; that cannot fail.
    page.render().unwrap_or_default()
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

fn groups(report: &Report) -> Vec<GroupView> {
    let groups = report.groups();
    let cell = |a: &[&str], b: &[&str]| match report.between(a[0], b[0]) {
        None => MatrixCell { class: "", text: "–".into() },
        Some(d) => MatrixCell {
            class: class(Verdict::between(&d)),
            text: if d.visible() > 0 { percent(d.visible(), d.pixels) } else { distance(&d) },
        },
    };
    let view = |(n, models): (usize, &Vec<&str>)| GroupView {
        letter: letter(n),
        models: models.join(", "),
        cells: groups.iter().map(|other| cell(models, other)).collect(),
    };
    groups.iter().enumerate().map(view).collect()
}

/// Class of a cell.
fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Equal => "same",
        Verdict::Bits => "ulp",
        Verdict::OneStep => "step",
        Verdict::BarelyVisible | Verdict::Visible => "seen",
        Verdict::PlainlyVisible | Verdict::AnotherPicture => "plain",
    }
}

fn effect<'a>(report: &'a Report, number: usize, list: &[usize], gallery: &mut Gallery) -> EffectView<'a> {
    let shaders: Vec<&ShaderReport> = list.iter().map(|&n| &report.shaders[n]).collect();
    let first = shaders[0];
    let ran: Vec<&&ShaderReport> = shaders.iter().filter(|s| s.status() == "ok").collect();
    let mut twins = Vec::new();
    for s in ran.iter().filter(|_| ran.len() > 1) {
        let row = worst(s.rows(), &report.reference).filter(|r| r.metrics.visible() > 0);
        let model = row.map_or("", |r| r.model.as_str());
        twins.push(TwinView {
            name: &s.name,
            reference: gallery.show(&s.picture, &format!("{} under {}", s.name, report.reference)),
            model,
            worst: row.map_or(String::new(), |r| {
                gallery.show(&s.rows()[r.same_as].picture, &format!("{} under {model}", s.name))
            }),
        });
    }
    EffectView {
        id: format!("effect-{number}"),
        title: if first.title.is_empty() { &first.effect } else { &first.title },
        about: &first.about,
        twins,
        shaders: list.iter().map(|&n| shader(report, n, gallery)).collect(),
    }
}

fn shader<'a>(report: &'a Report, number: usize, gallery: &mut Gallery) -> ShaderView<'a> {
    let s = &report.shaders[number];
    let (width, height) = s.size;
    let subtitle = match (s.isa.is_empty(), width) {
        (true, _) => String::new(),
        (false, 0) => s.isa.clone(),
        (false, _) => {
            let target = s.target.as_ref().map(|t| format!(", stored as {t}")).unwrap_or_default();
            let sampling = s.sampling.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
            format!("{}, {width}×{height} pixels{sampling}{target}", s.isa)
        }
    };
    let problems: &[_] = match &s.outcome {
        Outcome::Refused { problems, .. } => problems,
        Outcome::Compared(_) => &[],
    };
    let every = thinning(width, height, PICTURE_LIMIT);
    ShaderView {
        id: format!("shader-{number}"),
        name: &s.name,
        subtitle,
        status: s.status(),
        sentence: capital(&sentence(s, &report.reference, &report.baseline)),
        first_problem: problems.first().map_or("", |p| &p.message),
        problems: problems
            .iter()
            .map(|p| match p.place {
                Some((line, column)) => format!("line {line}, column {column}: {}", p.message),
                None => p.message.clone(),
            })
            .collect(),
        reference: gallery.show(&s.picture, &format!("{} under {}", s.name, report.reference)),
        picture_note: if every > 1 {
            format!("pictures show one pixel of {every}×{every}, differences the strongest")
        } else {
            String::new()
        },
        cells: s.rows().iter().filter(|r| r.model != report.reference).map(cell).collect(),
        cards: cards(s, &report.reference, gallery),
        rows: s.rows().iter().map(row).collect(),
        blame: s.blame.as_deref().map(blame_view),
        listing: lines(s),
    }
}

fn capital(text: &str) -> String {
    // A sentence that starts with a model's name keeps it as it is spelled.
    match text.split_once(' ') {
        Some((word @ ("every" | "no"), rest)) => format!("{}{} {rest}.", word[..1].to_uppercase(), &word[1..]),
        _ => format!("{text}."),
    }
}

/// Class of a cell by harm.
fn severity(m: &Metrics) -> &'static str {
    let harm = m.special_mismatch > 0 || m.out_of_fuel > 0;
    if harm { "plain" } else { class(Verdict::of(m)) }
}

fn cell(row: &Row) -> CellView {
    let m = &row.metrics;
    if row.refused.is_some() {
        let more = vec!["unsupported".to_string()];
        return CellView { class: "unsupported", text: "no result".into(), more, spark: String::new() };
    }
    if m.pixels == 0 {
        let text = "nothing covered".to_string();
        return CellView { class: "unsupported", text, more: Vec::new(), spark: String::new() };
    }
    let class = severity(m);
    let mut more = Vec::new();
    let text = match class {
        "same" => "equal".to_string(),
        "ulp" => format!("≤ {} ulp", ulps(m.max_ulp)),
        _ if m.pixels8_changed > 0 => {
            more.push(format!("up to {}/255", m.max8));
            format!("{} px", percent(m.pixels8_changed, m.pixels))
        }
        _ => "0 % px".to_string(),
    };
    if m.coverage_flips > 0 {
        more.push(count(m.coverage_flips, "flip", "flips"));
    }
    if m.special_mismatch > 0 {
        more.push(format!("{} special", m.special_mismatch));
    }
    if m.out_of_fuel > 0 {
        more.push(format!("{} out of fuel", m.out_of_fuel));
    }
    let spark = if class == "same" { String::new() } else { chart::spark(&m.histogram) };
    CellView { class, text, more, spark }
}

/// One card per distinct result, models with equal results together.
fn cards(shader: &ShaderReport, reference: &str, gallery: &mut Gallery) -> Vec<CardView> {
    let (mut out, rows) = (Vec::new(), shader.rows());
    for (n, row) in rows.iter().enumerate() {
        if row.same_as != n {
            continue;
        }
        let models: Vec<&str> =
            rows.iter().filter(|r| r.same_as == n && r.model != reference).map(|r| r.model.as_str()).collect();
        if models.is_empty() {
            continue;
        }
        let m = &row.metrics;
        if let Some(reason) = &row.refused {
            out.push(CardView {
                models: row.model.clone(),
                harm: format!("no result: {reason}"),
                ..CardView::default()
            });
            continue;
        }
        let models = models.join(", ");
        let (heat, heat_note) = match &row.heat {
            Some(heat) if !heat.empty => {
                let alt = format!("Difference of {models} from {reference}");
                (gallery.show(&heat.png, &alt), amplification(heat.amplification))
            }
            _ if m.identical() => (String::new(), "no difference".to_string()),
            _ => (String::new(), "no difference inside [0, 1]".to_string()),
        };
        let extreme = match (&m.argmax, &m.special_at) {
            (_, Some(p)) => {
                format!("first special value at ({}, {}) {}: {} for {}", p.x, p.y, p.component, p.found, p.expected)
            }
            (Some(p), None) if m.max_ulp > 0.0 => format!(
                "largest error {} ulp at ({}, {}) {}: {:e} for {:e}",
                ulps(m.max_ulp),
                p.x,
                p.y,
                p.component,
                p.found,
                p.expected
            ),
            _ => String::new(),
        };
        out.push(CardView {
            picture: gallery.show(&row.picture, &format!("{} under {models}", shader.name)),
            models,
            harm: harm(m),
            picture_note: if row.looks_like_reference { "picture: 8-bit values as the reference" } else { "picture" },
            heat,
            heat_note,
            histogram: if m.measured > 0 && m.max_ulp > 0.0 { chart::histogram(&m.histogram) } else { String::new() },
            extreme,
        });
    }
    out
}

fn amplification(power: i32) -> String {
    match power {
        0 => "difference".into(),
        1..=13 => format!("difference × {}", 1u32 << power),
        _ => format!("difference × 2^{power}"),
    }
}

fn row(row: &Row) -> RowView<'_> {
    let m = &row.metrics;
    if row.refused.is_some() {
        let trust = row.tier.name().to_string();
        return RowView { model: &row.model, trust, varied: String::new(), numbers: vec!["–".into(); 15] };
    }
    let figure = |v: f64| if m.measured > 0 { ulps(v) } else { "–".into() };
    let number = |v: f64| if m.numbers > 0 { size(v) } else { "–".into() };
    RowView {
        model: &row.model,
        trust: row.trust.as_ref().map_or_else(|| row.tier.name().to_string(), trust),
        varied: [row.trust.as_ref().map(varied), row.legality.as_ref().map(legality)]
            .into_iter()
            .flatten()
            .filter(|text| !text.is_empty())
            .collect::<Vec<_>>()
            .join("; "),
        numbers: vec![
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
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Comparison, Problem, Subject};
    use parallax_num::Tier;

    fn sample() -> Report {
        let wave: Vec<f64> = (0..256).map(|n| f64::from(n * n % 251) / 250.0).collect();
        let reference = one_exact(16, &wave);
        let run = |subject: Subject| {
            let mut comparison = Comparison::new(&reference, Some(&reference));
            let exact: Vec<f32> = wave.iter().map(|v| *v as f32).collect();
            let rough: Vec<f32> = exact.iter().map(|v| (v * 32.0) as i32 as f32 / 32.0).collect();
            comparison.add("ieee", Tier::Format, &one_channel(16, &exact));
            comparison.add("rough", Tier::Format, &one_channel(16, &rough));
            comparison.finish(subject)
        };
        let subject = |name: &str, isa: &str| Subject {
            name: name.into(),
            isa: isa.into(),
            effect: "wave".into(),
            title: "Wave <&>".into(),
            about: "Steps.".into(),
            listing: "FRAG\nDCL OUT[0], COLOR\n".into(),
        };
        Report {
            command: "parallax compare 'a b'".into(),
            tool: "parallax 0.1.0".into(),
            reference: "binary64".into(),
            models: vec!["ieee".into(), "rough".into()],
            shaders: vec![
                run(subject("tgsi/wave", "tgsi")),
                run(subject("attila/wave", "attila")),
                ShaderReport::refused(
                    Subject { name: "odd".into(), effect: "odd".into(), ..Subject::default() },
                    true,
                    vec![Problem { place: Some((3, 7)), message: "`TXD` is <not> done".into() }],
                ),
            ],
            unfinished: 1,
            baseline: "ieee".into(),
            ..Report::default()
        }
    }

    #[test]
    fn the_page_holds_everything_and_needs_nothing() {
        let report = sample();
        let page = html(&report);
        assert_eq!(page, html(&report));
        for needle in [
            "parallax compare &#39;a b&#39;",
            "Wave &#60;&#38;&#62;",
            "The same effect in 2 programs",
            "colspan=\"3\"><a href=\"#effect-1\">odd</a>",
            "unsupported: not analysed",
            "line 3, column 7: `TXD` is &#60;not&#62; done",
            "difference × 32",
            "<span>DCL OUT[0], COLOR</span>",
            "1 shader was not run",
            "prefers-color-scheme: dark",
        ] {
            assert!(page.contains(needle), "{needle}");
        }
        // Two programs with equal pictures keep them once.
        assert_eq!((page.matches("data:image/png").count(), page.matches("<use ").count()), (4, 14));
        // No script, and no address but those inside the page and the SVG name space.
        assert!(!page.contains("<script") && !page.contains("@import"));
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains("://"));
    }

    #[test]
    fn cards_group_models_with_equal_results() {
        let report = sample();
        let mut shader = report.shaders[0].clone();
        let mut rows = shader.rows().to_vec();
        let mut twin = rows[1].clone();
        (twin.model, twin.same_as) = ("other".into(), 1);
        rows.push(twin);
        shader.outcome = Outcome::Compared(rows);
        let cards = cards(&shader, "binary64", &mut Gallery::default());
        assert_eq!(cards.iter().map(|c| c.models.as_str()).collect::<Vec<_>>(), ["ieee", "rough, other"]);
    }
}
