//! What `compare` prints: a summary that fits a screen.

use super::human;
use crate::draw::clean;
use crate::term::{Paint, Table, Term};
use parallax_report::{Class, Outcome, Report, Verdict, answer, words};

/// Results that are listed.
const WORST: usize = 10;
/// Models, or groups of them, that are listed.
const MODELS: usize = 14;
/// Programs without a result that are listed, and problems of each.
const REFUSED: (usize, usize) = (5, 3);
/// Characters of an instruction.
const INSTRUCTION: usize = 40;

/// Everything behind the verdict: one program's table, or of many the worst results and the counts per model.
pub(super) fn summary(report: &Report, term: &Term) -> String {
    let mut out = String::new();
    if let [only] = report.shaders.as_slice() {
        out.push('\n');
        out.push_str(human::human(only, report, term).trim_end());
        out.push('\n');
        return out;
    }
    out.push_str(&worst(report, term));
    out.push_str(&models(report, term));
    out.push_str(human::programs(report, term).trim_end_matches('\n'));
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
    let mut table = Table::new(&[">", "program", "models", "difference", "", "largest contribution"]);
    for (n, found) in list.iter().enumerate() {
        let shader = &report.shaders[found.shader];
        let verdict = match found.class {
            Class::NoResult => "",
            _ => Verdict::between(&found.distance).words(),
        };
        let from = answer::culprit(report, found).map_or(String::new(), |blame| {
            let text = &blame.text;
            let short: String = text.chars().take(INSTRUCTION).collect();
            let dots = if short.len() < text.len() { "..." } else { "" };
            clean(&format!("{}, {short}{dots}", blame.place()))
        });
        table.row(vec![
            (Paint::Dim, (n + 1).to_string()),
            (Paint::Bold, clean(&shader.name)),
            (Paint::Plain, answer::models(&found.models)),
            (paint(found.class), answer::harm(found)),
            (Paint::Plain, verdict.into()),
            (Paint::Dim, from),
        ]);
    }
    let title = match list.len() {
        1 => "\nThe only visible difference\n".to_string(),
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
    counted.sort_by_key(|(_, counts)| std::cmp::Reverse(*counts));
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
