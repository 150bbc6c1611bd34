//! Results as JUnit XML, which continuous-integration systems show: a suite per shader, a case per model.

use crate::checks::CheckFailure;
use crate::report::{Outcome, Report, Row, ShaderReport};
use crate::verdict::Verdict;
use std::fmt::Write;

/// The report as JUnit XML. What a check does not pass is a failure, what is invalid an error, what is not supported skipped.
pub fn junit(report: &Report) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let suites: Vec<Suite> = report.shaders.iter().map(|shader| suite(shader, report)).collect();
    let sum = |of: fn(&Suite) -> usize| suites.iter().map(of).sum::<usize>();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<testsuites name=\"parallax compare\" tests=\"{}\" failures=\"{}\" errors=\"{}\">",
        sum(|s| s.tests),
        sum(|s| s.failures),
        sum(|s| s.errors)
    );
    for suite in suites {
        out.push_str(&suite.text);
    }
    out.push_str("</testsuites>\n");
    out
}

struct Suite {
    tests: usize,
    failures: usize,
    errors: usize,
    text: String,
}

fn suite(shader: &ShaderReport, report: &Report) -> Suite {
    let mut suite = Suite { tests: 0, failures: 0, errors: 0, text: String::new() };
    let (mut skipped, mut cases) = (0, String::new());
    let mut case = |model: &str, end: End<'_>| {
        suite.tests += 1;
        let inner = match end {
            End::Passed => String::new(),
            End::Failed(failures) => {
                suite.failures += 1;
                let one = |f: &&CheckFailure| {
                    format!("<failure type=\"{}\" message=\"{}\"/>", f.check.name(), escaped(&f.message))
                };
                failures.iter().map(one).collect()
            }
            End::Invalid(message) => {
                suite.errors += 1;
                format!("<error type=\"invalid\" message=\"{}\"/>", escaped(&message))
            }
            End::Unsupported(message) => {
                skipped += 1;
                format!("<skipped message=\"{}\"/>", escaped(&message))
            }
        };
        let class = if shader.isa.is_empty() { "unrecognised" } else { &shader.isa };
        let _ = writeln!(
            cases,
            "    <testcase name=\"{}\" classname=\"{}\">{inner}</testcase>",
            escaped(model),
            escaped(class)
        );
    };
    let failures = |model: &str| -> Vec<&CheckFailure> {
        let of = |f: &&CheckFailure| f.model.as_deref().is_none_or(|name| name == model);
        shader.failures.iter().filter(of).collect()
    };
    match &shader.outcome {
        Outcome::Refused { unsupported, problems } => {
            let place = |p: &crate::Problem| p.place.map(|(l, c)| format!("{l}:{c}: ")).unwrap_or_default();
            let said: Vec<String> = problems.iter().map(|p| format!("{}{}", place(p), p.message)).collect();
            let said = said.join("\n");
            for model in &report.models {
                let failed = failures(model);
                case(
                    model,
                    match (failed.is_empty(), *unsupported) {
                        (false, _) => End::Failed(failed),
                        (true, true) => End::Unsupported(said.clone()),
                        (true, false) => End::Invalid(said.clone()),
                    },
                );
            }
        }
        Outcome::Compared(rows) => {
            for row in rows {
                let failed = failures(&row.model);
                case(
                    &row.model,
                    match (&row.refused, failed.is_empty()) {
                        (_, false) => End::Failed(failed),
                        (Some(reason), true) => End::Unsupported(reason.clone()),
                        (None, true) => End::Passed,
                    },
                );
            }
        }
    }
    let properties = properties(shader);
    suite.text = format!(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{skipped}\">\n{properties}{cases}  </testsuite>\n",
        escaped(&shader.name),
        suite.tests,
        suite.failures,
        suite.errors,
    );
    suite
}

/// How visible each model's difference from the reference is.
fn properties(shader: &ShaderReport) -> String {
    let one = |row: &Row| {
        let verdict = Verdict::of(&row.metrics).name();
        format!("      <property name=\"verdict under {}\" value=\"{verdict}\"/>\n", escaped(&row.model))
    };
    let all: String = shader.rows().iter().filter(|row| row.refused.is_none()).map(one).collect();
    if all.is_empty() { all } else { format!("    <properties>\n{all}    </properties>\n") }
}

/// How a case ends.
enum End<'a> {
    Passed,
    Failed(Vec<&'a CheckFailure>),
    Invalid(String),
    Unsupported(String),
}

/// Text as XML has it in attributes, where line ends would become blanks.
fn escaped(text: &str) -> String {
    parallax_svg::escape(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::Check;
    use crate::comparison::Comparison;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Problem, Subject};
    use parallax_num::Tier;

    #[test]
    fn failures_errors_and_skips_stand_where_they_belong() {
        let reference = one_exact(1, &[0.5]);
        let frame = one_channel(1, &[0.25]);
        let mut comparison = Comparison::new(&reference, None, crate::Detail::default());
        comparison.add("ieee", Tier::Exact, &frame);
        comparison.refuse("half", Tier::Exact, "does not end");
        let subject = |name: &str| Subject { name: name.into(), isa: "tgsi".into(), ..Subject::default() };
        let mut good = comparison.finish(subject("a<&\"\u{1}.tgsi"));
        good.failures.push(CheckFailure {
            check: Check::Limit,
            model: Some("ieee".into()),
            message: "max8 is 64, above 1".into(),
        });
        let problem = Problem { place: Some((3, 7)), message: "no such register".into() };
        let bad = ShaderReport::refused(subject("b.tgsi"), false, vec![problem]);
        let report =
            Report { models: vec!["ieee".into(), "half".into()], shaders: vec![good, bad], ..Report::default() };
        let text = junit(&report);
        let want = [
            "<testsuites name=\"parallax compare\" tests=\"4\" failures=\"1\" errors=\"2\">",
            "<testsuite name=\"a&lt;&amp;&quot;\u{fffd}.tgsi\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\">",
            "<property name=\"verdict under ieee\" value=\"another-picture\"/>",
            "<failure type=\"limit\" message=\"max8 is 64, above 1\"/></testcase>",
            "<skipped message=\"does not end\"/>",
            "<error type=\"invalid\" message=\"3:7: no such register\"/>",
        ];
        for part in want {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
