//! Results as Markdown, for a comment on a change: the verdict first, what checks do not pass, what changed, the ten worst.

use crate::earlier::Changes;
use crate::report::{Outcome, Report, Row, ShaderReport};
use crate::words;
use std::cmp::Reverse;
use std::fmt::Write;

/// Rows of a table; the rest is counted.
const MOST: usize = 10;

/// The report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut out = format!("**{}**\n", cell(&crate::answer::answer(report)));
    checks(report, &mut out);
    if let Some(changes) = &report.changes {
        since(changes, &mut out);
    }
    worst(report, &mut out);
    refused(report, &mut out);
    // Writing to a string cannot fail.
    let _ = write!(out, "\n<sub>{}: {}</sub>\n", cell(&report.tool), code(&report.command));
    out
}

fn checks(report: &Report, out: &mut String) {
    let failures: Vec<_> = report.shaders.iter().flat_map(|s| s.failures.iter().map(move |f| (s, f))).collect();
    if failures.is_empty() {
        return;
    }
    let _ = write!(out, "\n{} failed:\n\n", words::count(failures.len() as u64, "check", "checks"));
    out.push_str("| shader | model | check | found |\n|---|---|---|---|\n");
    for (shader, f) in failures.iter().take(MOST) {
        let model = f.model.as_deref().unwrap_or("all");
        let _ =
            writeln!(out, "| {} | {} | {} | {} |", code(&shader.name), code(model), f.check.name(), cell(&f.message));
    }
    more(failures.len(), out);
}

fn since(changes: &Changes, out: &mut String) {
    let _ = write!(out, "\nSince {}: {}.\n", code(&changes.file), changes.sentence());
    let mut list: Vec<_> = changes.list.iter().collect();
    if list.is_empty() {
        return;
    }
    parallax_text::sort_by_key(&mut list, |change| change.trend);
    out.push_str("\n| change | shader | model | figures |\n|---|---|---|---|\n");
    for change in list.iter().take(MOST) {
        let (shader, model) = (code(&change.shader), code(&change.model));
        let _ = writeln!(out, "| {} | {shader} | {model} | {} |", change.trend.name(), cell(&change.message));
    }
    more(list.len(), out);
}

/// The most visible differences from the baseline, then from the reference; one row for equal results.
fn worst(report: &Report, out: &mut String) {
    let seen = |row: &Row| row.from_baseline.filter(|d| d.visible() > 0);
    let rows = report.shaders.iter().flat_map(|s| s.rows().iter().enumerate().map(move |(n, row)| (s, n, row)));
    let mut rows: Vec<_> = rows.filter(|(_, n, row)| row.same_as == *n && seen(row).is_some()).collect();
    if rows.is_empty() {
        let _ = write!(out, "\nNo picture looks different from {}.\n", code(&report.baseline));
        return;
    }
    parallax_text::sort_by_key(&mut rows, |(_, _, row)| Reverse(seen(row).map(|d| (d.max8, d.visible()))));
    let _ = write!(
        out,
        "\n| shader | models | differs from {} | differs from {} |\n|---|---|---|---|\n",
        cell(&report.baseline),
        cell(&report.reference)
    );
    for (shader, n, row) in rows.iter().take(MOST) {
        let alike = shader.rows().iter().filter(|r| r.refused.is_none() && r.same_as == *n);
        let models: Vec<String> = alike.map(|r| code(&r.model)).collect();
        let from = row.from_baseline.map_or_else(String::new, |d| words::distance(&d));
        let m = &row.metrics;
        let _ = writeln!(
            out,
            "| {} | {} | {from} | {} up to {}/255 |",
            code(&shader.name),
            models.join(", "),
            words::percent(m.visible(), m.pixels),
            m.max8
        );
    }
    more(rows.len(), out);
}

fn refused(report: &Report, out: &mut String) {
    let refused: Vec<(&ShaderReport, &str)> = (report.shaders.iter())
        .filter_map(|s| match &s.outcome {
            Outcome::Refused { problems, .. } => Some((s, problems.first().map_or("", |p| p.message.as_str()))),
            Outcome::Compared(_) => None,
        })
        .collect();
    if refused.is_empty() {
        return;
    }
    out.push_str("\n| not run | status | why |\n|---|---|---|\n");
    for (shader, why) in refused.iter().take(MOST) {
        let _ = writeln!(out, "| {} | {} | {} |", code(&shader.name), shader.status(), cell(why));
    }
    more(refused.len(), out);
}

fn more(all: usize, out: &mut String) {
    if all > MOST {
        let _ = write!(out, "\nand {} more.\n", all - MOST);
    }
}

/// Text without meaning to Markdown.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // Mentions and references to issues would call people.
            '@' => out.push_str("&#64;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text as code, in as many grave accents as it needs.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // A bar ends a cell even in code.
    let text = text.replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{Check, CheckFailure};
    use crate::comparison::Comparison;
    use crate::earlier::{Change, Trend};
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Problem, Subject};
    use parallax_num::Tier;

    #[test]
    fn names_cannot_leave_their_cells() {
        assert_eq!(code("a|b"), "`a\\|b`");
        assert_eq!(code("a``b`"), "``` a``b` ```");
        assert_eq!(cell("<b>@you|\n#1"), "&lt;b&gt;&#64;you\\| \\#1");
    }

    #[test]
    fn the_verdict_comes_first_and_the_worst_is_in_the_table() {
        let reference = one_exact(2, &[0.5, 0.25]);
        let (plain, other) = (one_channel(2, &[0.5, 0.25]), one_channel(2, &[0.5, 0.5]));
        let mut comparison = Comparison::new(&reference, Some(&plain), crate::Detail::default());
        comparison.add("ieee", Tier::Exact, &plain);
        comparison.add("nv40", Tier::Exact, &other);
        comparison.repeat("nv41", Tier::Exact, 1);
        let subject = |name: &str| Subject { name: name.into(), isa: "tgsi".into(), ..Subject::default() };
        let mut shader = comparison.finish(subject("a.tgsi"));
        shader.failures.push(CheckFailure {
            check: Check::Earlier,
            model: Some("nv40".into()),
            message: "max8".into(),
        });
        let problem = Problem { place: None, message: "no END".into() };
        let broken = ShaderReport::refused(subject("b.tgsi"), false, vec![problem]);
        let change = Change {
            shader: "a.tgsi".into(),
            model: "nv40".into(),
            trend: Trend::Worse,
            message: "max8 1 -> 64".into(),
        };
        let report = Report {
            reference: "binary64".into(),
            baseline: "ieee".into(),
            models: vec!["ieee".into(), "nv40".into(), "nv41".into()],
            shaders: vec![shader, broken],
            changes: Some(Changes { file: "old.jsonl".into(), list: vec![change], same: 2 }),
            ..Report::default()
        };
        let text = markdown(&report);
        assert!(text.starts_with("**"), "{text}");
        for part in [
            "1 check failed:\n\n| shader | model | check | found |\n|---|---|---|---|\n| `a.tgsi` | `nv40` | baseline | max8 |",
            "Since `old.jsonl`: 1 worse, 2 as before.",
            "| worse | `a.tgsi` | `nv40` | max8 1 -&gt; 64 |",
            "| `a.tgsi` | `nv40`, `nv41` | 50 % up to 64/255 | 50 % up to 64/255 |",
            "| `b.tgsi` | invalid | no END |",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
