//! What a comparison prints for reading: a summary that fits a screen, or a table for every program.

use crate::term::{Paint, Table, Term};
use parallax_report::{Changes, Class, Culprit, Outcome, Report, Row, ShaderReport, Trend, Verdict, answer, words};
use parallax_text::clean;

/// Results that are listed.
pub(super) const WORST: usize = 10;
/// Models, or groups of them, that are listed.
const MODELS: usize = 14;
/// Programs without a result that are listed, and problems of each.
const REFUSED: (usize, usize) = (5, 3);
/// Characters of an instruction.
const INSTRUCTION: usize = 40;

/// What is said of all shaders together: the verdict, what has changed, and a summary or the models against each other.
pub(super) fn all(report: &Report, verbose: bool, term: &Term) -> String {
    let verdict = term.paint(Paint::Bold, &answer(report));
    let since = report.changes.as_ref().map(|changes| since(changes, term)).unwrap_or_default();
    if verbose {
        format!("{}{since}{}{verdict}\n", matrix(report, term), programs(report, term))
    } else {
        format!("{verdict}\n{since}{}", summary(report, term))
    }
}

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
            let size = match shader.is_kernel {
                true => format!("rows of {width} words"),
                false => format!("{width}x{height}"),
            };
            out.push_str(&format!("{title} ({}, {size}{sampling}{target})\n", shader.isa));
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
fn matrix(report: &Report, term: &Term) -> String {
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
fn programs(report: &Report, term: &Term) -> String {
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
fn since(changes: &Changes, term: &Term) -> String {
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

/// Everything behind the verdict: one program's table, or of many the worst results and the counts per model.
fn summary(report: &Report, term: &Term) -> String {
    let mut out = String::new();
    if let [only] = report.shaders.as_slice() {
        out.push('\n');
        out.push_str(human(only, report, term).trim_end());
        out.push('\n');
        return out;
    }
    out.push_str(&worst(report, term));
    out.push_str(&models(report, term));
    out.push_str(programs(report, term).trim_end_matches('\n'));
    out.push_str(&refused(report, term));
    let end = if out.ends_with('\n') || out.is_empty() { "" } else { "\n" };
    out + end
}

fn paint(class: Class) -> Paint {
    match class {
        Class::Same | Class::Bits => Paint::Plain,
        Class::Step | Class::Seen => Paint::Yellow,
        Class::Plain | Class::NoResult | Class::Nothing => Paint::Red,
    }
}

/// The most visible result of each effect.
fn worst(report: &Report, term: &Term) -> String {
    let list = report.worst(WORST);
    if list.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&[">", "program", "models", "difference", "", "cause, or why none"]);
    for (n, found) in list.iter().enumerate() {
        let shader = &report.shaders[found.shader];
        let verdict = match found.class {
            Class::NoResult => "",
            _ => Verdict::between(&found.distance).words(),
        };
        // The instruction is shortened, and what comes behind it stays.
        let from = match answer::culprit(report, found) {
            Some(Culprit::Instruction(blame)) => {
                let text = &blame.text;
                let short: String = text.chars().take(INSTRUCTION).collect();
                let dots = if short.len() < text.len() { "..." } else { "" };
                let deed = blame.deed.as_ref().map_or(String::new(), |deed| format!(" ({deed})"));
                clean(&format!("{}, {short}{dots}{deed}", blame.place()))
            }
            _ => clean(&answer::cause(report, found)),
        };
        table.row(vec![
            (Paint::Dim, (n + 1).to_string()),
            (Paint::Bold, clean(&shader.name)),
            (Paint::Plain, answer::models(&found.models)),
            (paint(found.class), answer::harm(found, shader.unit())),
            (Paint::Plain, verdict.into()),
            (Paint::Dim, from),
        ]);
    }
    let title = match list.len() {
        1 if report.shaders.iter().filter(|s| report.worst_class(s) >= Some(Class::Step)).count() == 1 => {
            "\nThe only visible difference\n".to_string()
        }
        1 => "\nThe most visible difference\n".to_string(),
        n => format!("\nThe {n} most visible differences, one per effect\n"),
    };
    title + &table.print(term, "  ")
}

/// How many programs each group of models changes, and how much.
fn models(report: &Report, term: &Term) -> String {
    let groups: Vec<Vec<&str>> = report
        .groups()
        .into_iter()
        .map(|group| group.into_iter().filter(|m| report.is_judged(m)).collect::<Vec<_>>())
        .filter(|group: &Vec<&str>| !group.is_empty())
        .collect();
    if groups.is_empty() || report.shaders.iter().all(|s| s.rows().is_empty()) {
        return String::new();
    }
    let classes = [Class::NoResult, Class::Plain, Class::Seen, Class::Step, Class::Bits, Class::Same];
    let mut counted: Vec<(&Vec<&str>, [u64; 6])> = Vec::new();
    for group in &groups {
        let mut counts = [0; 6];
        for shader in &report.shaders {
            let row = shader.rows().iter().find(|r| r.model == group[0]);
            let class = row.map(|row| report.class(shader, row));
            if let Some(at) = class.and_then(|class| classes.iter().position(|c| *c == class)) {
                counts[at] += 1;
            }
        }
        counted.push((group, counts));
    }
    parallax_text::sort_by_key(&mut counted, |(_, counts)| std::cmp::Reverse(*counts));
    let none = counted.iter().all(|(_, counts)| counts[0] == 0);
    let titles = [">no result", ">plainly", ">visibly", ">one step", ">bits only", ">equal", "models"];
    let from = usize::from(none);
    let mut table = Table::new(&titles[from..]);
    for (group, counts) in counted.iter().take(MODELS) {
        let mut row: Vec<(Paint, String)> = Vec::new();
        for (n, class) in counts.iter().zip(classes).skip(from) {
            row.push((if *n > 0 { paint(class) } else { Paint::Dim }, n.to_string()));
        }
        row.push((Paint::Plain, group.join(", ")));
        table.row(row);
    }
    let mut out =
        format!("\nPrograms that differ from {}, by model; models in one row have equal results\n", report.yardstick());
    out.push_str(&table.print(term, "  "));
    if counted.len() > MODELS {
        out.push_str(&format!("  ... and {} more, in results.csv\n", counted.len() - MODELS));
    }
    out
}

/// Programs without a result, with what is wrong.
fn refused(report: &Report, term: &Term) -> String {
    let list: Vec<_> = report.shaders.iter().filter(|s| matches!(s.outcome, Outcome::Refused { .. })).collect();
    if list.is_empty() {
        return String::new();
    }
    let mut out = String::from("\nNot analysed\n");
    for shader in list.iter().take(REFUSED.0) {
        let Outcome::Refused { unsupported, problems } = &shader.outcome else { continue };
        let paint = if *unsupported { Paint::Yellow } else { Paint::Red };
        let status = term.paint(paint, &shader.status().to_uppercase());
        out.push_str(&format!("  {}  {status}\n", term.paint(Paint::Bold, &clean(&shader.name))));
        for p in problems.iter().take(REFUSED.1) {
            let place = p.place.map(|(line, column)| format!("{line}:{column}: ")).unwrap_or_default();
            out.push_str(&format!("    {place}{}\n", p.message));
        }
        if problems.len() > REFUSED.1 {
            let more = words::count((problems.len() - REFUSED.1) as u64, "more problem", "more problems");
            out.push_str(&format!("    ... and {more}\n"));
        }
    }
    if list.len() > REFUSED.0 {
        let more = words::count((list.len() - REFUSED.0) as u64, "more program", "more programs");
        out.push_str(&format!("  ... and {more}; --verbose lists all\n"));
    }
    out
}
