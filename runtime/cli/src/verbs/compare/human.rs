//! What a comparison prints.

use crate::draw::clean;
use crate::term::{Paint, Table, Term};
use parallax_report::{Changes, Outcome, Report, Row, ShaderReport, Trend, Verdict, words};

/// A shader under all models, as a table and sentences.
pub(super) fn human(shader: &ShaderReport, report: &Report, term: &Term) -> String {
    let (reference, baseline) = (report.reference.as_str(), report.baseline.as_str());
    let mut out = term.paint(Paint::Bold, &clean(&shader.name));
    let (width, height) = shader.size;
    match &shader.outcome {
        Outcome::Refused { unsupported, problems } => {
            let paint = if *unsupported { Paint::Yellow } else { Paint::Red };
            out.push_str(&format!("  {}\n", term.paint(paint, &shader.status().to_uppercase())));
            for p in problems.iter().take(20) {
                let place = p.place.map(|(line, column)| format!("{line}:{column}: ")).unwrap_or_default();
                out.push_str(&format!("  {place}{}\n", p.message));
            }
            if problems.len() > 20 {
                out.push_str(&format!("  ... and {} more problems\n", problems.len() - 20));
            }
            // One problem is the whole sentence.
            let end = if problems.len() == 1 {
                "\n".into()
            } else {
                format!("  {}\n\n", words::sentence(shader, reference, baseline))
            };
            out.push_str(&end);
        }
        Outcome::Compared(_) => {
            let title = if shader.title.is_empty() { String::new() } else { format!("  {}", clean(&shader.title)) };
            let target = shader.target.as_ref().map(|t| format!(", stored as {t}")).unwrap_or_default();
            let sampling = shader.sampling.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
            out.push_str(&format!("{title} ({}, {width}x{height}{sampling}{target})\n", shader.isa));
            out.push_str(&table(shader, reference, baseline).print(term, "  "));
            out.push_str(&format!("  {}\n", words::sentence(shader, reference, baseline)));
            // What rests on assumptions, for the model the sentence is about.
            let worst = words::worst(shader.rows(), reference).and_then(|row| Some((row, row.trust.as_ref()?)));
            if let Some((row, text)) = worst.map(|(row, t)| (row, words::varied(t))).filter(|(_, t)| !t.is_empty()) {
                out.push_str(&format!("  {}: {text}\n", row.model));
            }
            out.push_str(&illegal(shader, report.profile.as_deref()));
            out.push('\n');
        }
    }
    out
}

/// The models against each other, over all programs.
pub(super) fn matrix(report: &Report, term: &Term) -> String {
    /// Columns that fit a terminal.
    const MOST: usize = 16;
    let mut out = String::new();
    let groups = report.groups();
    if groups.len() > MOST {
        out.push_str(&format!(
            "{} groups of models with different results; pairs.csv lists every pair\n\n",
            groups.len()
        ));
    } else if groups.len() > 1 {
        let letters: Vec<String> = (0..groups.len()).map(|n| format!(">{}", words::letter(n))).collect();
        let titles: Vec<&str> = [""].into_iter().chain(letters.iter().map(String::as_str)).chain(["models"]).collect();
        let mut table = Table::new(&titles);
        for (n, models) in groups.iter().enumerate() {
            let mut row = vec![(Paint::Plain, words::letter(n))];
            row.extend(groups.iter().map(|other| match report.between(models[0], other[0]) {
                None => (Paint::Dim, "–".into()),
                Some(d) if d.differ == 0 => (Paint::Dim, "0".into()),
                Some(d) => {
                    let paint = match Verdict::between(&d) {
                        Verdict::Equal | Verdict::Bits | Verdict::OneStep => Paint::Plain,
                        Verdict::BarelyVisible | Verdict::Visible => Paint::Yellow,
                        Verdict::PlainlyVisible | Verdict::AnotherPicture => Paint::Red,
                    };
                    let text = if d.visible() > 0 { words::percent(d.visible(), d.pixels) } else { "bits".into() };
                    (paint, text)
                }
            }));
            row.push((Paint::Plain, models.join(", ")));
            table.row(row);
        }
        out.push_str(
            "Pixels that look different, between models and over all shaders; models in one row have equal results\n",
        );
        out.push_str(&table.print(term, "  "));
        out.push('\n');
    }
    out
}

/// Two programs against each other; nothing where there are others.
pub(super) fn programs(report: &Report, term: &Term) -> String {
    let mut out = String::new();
    if let [a, b] = report.shaders.as_slice()
        && !report.programs.is_empty()
    {
        out.push_str(&format!("{} against {}\n", clean(&a.name), clean(&b.name)));
        let mut table = Table::new(&["model", "pixels that differ"]);
        for pair in &report.programs {
            let text = pair.distance.map_or("no two pictures of the same size".into(), |d| words::distance(&d));
            table.row(vec![(Paint::Plain, pair.model.clone()), (Paint::Plain, text)]);
        }
        out.push_str(&table.print(term, "  "));
        out.push('\n');
    }
    out
}

/// Results that the profile does not allow, a line per model with the worst of each operation; nothing where none was asked.
fn illegal(report: &ShaderReport, profile: Option<&str>) -> String {
    let Some(profile) = profile else { return String::new() };
    let mut out = String::new();
    let mut legal: Vec<&str> = Vec::new();
    for row in report.rows() {
        let Some(found) = &row.legality else { continue };
        if found.outside == 0 {
            legal.push(&row.model);
            continue;
        }
        out.push_str(&format!(
            "  {}: {} of {} results are outside {profile}\n",
            row.model, found.outside, found.judged
        ));
        for o in &found.offences {
            let beyond = if o.beyond.is_finite() {
                format!("{} ulp beyond", words::ulps(o.beyond))
            } else {
                "not a number".into()
            };
            out.push_str(&format!(
                "    {}: {} of {}; worst: {} gives {}, {beyond}\n",
                o.op,
                o.outside,
                o.judged,
                o.args.join(" "),
                o.result
            ));
        }
    }
    if !legal.is_empty() {
        out.push_str(&format!("  legal in {profile}, as far as checked: {}\n", legal.join(", ")));
    }
    out
}

/// What has changed since an earlier run: counts, and a line for each change but other bits at equal distance.
pub(super) fn since(changes: &Changes, term: &Term) -> String {
    /// Lines of each kind; the rest is counted above.
    const MOST: usize = 10;
    let mut out = format!("Since {}: {}\n", changes.file, changes.sentence());
    for trend in Trend::ALL.into_iter().filter(|trend| *trend != Trend::Other) {
        let paint = if trend.fails() { Paint::Red } else { Paint::Plain };
        for change in changes.list.iter().filter(|change| change.trend == trend).take(MOST) {
            let name = term.paint(paint, trend.name());
            out.push_str(&format!("  {name}: {} under {}: {}\n", clean(&change.shader), change.model, change.message));
        }
    }
    out.push('\n');
    out
}

fn table(report: &ShaderReport, reference: &str, baseline: &str) -> Table {
    let unlike = format!("unlike {baseline}");
    let titles = [
        "model",
        &unlike,
        &format!(">unlike {reference}"),
        ">by up to",
        ">equal",
        ">median ulp",
        ">p99 ulp",
        ">max error",
        ">near 0",
        ">special",
        ">flips",
        "trust",
    ];
    let mut table = Table::new(&titles);
    let rows = report.rows();
    let said = |row: &Row| row.trust.as_ref().map_or_else(|| row.tier.name().to_string(), words::trust);
    for (n, row) in rows.iter().enumerate() {
        let m = &row.metrics;
        if let Some(reason) = &row.refused {
            let cells = [(Paint::Plain, &row.model), (Paint::Yellow, reason)];
            table.row(cells.map(|(paint, text)| (paint, text.clone())).to_vec());
            continue;
        }
        let alike = |r: &Row| r.refused.is_none() && r.same_as == row.same_as && said(r) == said(row);
        if rows[..n].iter().any(alike) {
            continue;
        }
        let named = |r: &Row| if r.model == reference { format!("{} *", r.model) } else { r.model.clone() };
        let alike: Vec<String> = rows.iter().filter(|r| alike(r)).map(named).collect();
        let alarm = |n: u64| (if n > 0 { Paint::Red } else { Paint::Plain }, n.to_string());
        let figure = |v: f64| (Paint::Plain, if m.measured > 0 { words::ulps(v) } else { "–".into() });
        let equal = if m.identical() { Paint::Green } else { Paint::Plain };
        let paint = |steps: u8| match steps {
            0 => Paint::Plain,
            1..=15 => Paint::Yellow,
            _ => Paint::Red,
        };
        table.row(vec![
            (Paint::Plain, alike.join(", ")),
            row.from_baseline.map_or((Paint::Dim, "–".into()), |d| (paint(d.max8), words::distance(&d))),
            (paint(m.max8), words::percent(m.visible(), m.pixels)),
            (paint(m.max8), format!("{}/255", m.max8)),
            (equal, words::percent(m.equal, m.components)),
            figure(m.median_ulp),
            figure(m.p99_ulp),
            (Paint::Plain, if m.numbers > 0 { words::size(m.max_abs) } else { "–".into() }),
            (Paint::Plain, m.near_zero.to_string()),
            alarm(m.special_mismatch),
            alarm(m.coverage_flips),
            (Paint::Dim, said(row)),
        ]);
    }
    table
}
