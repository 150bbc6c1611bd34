//! The answer to a whole comparison, in one sentence.

use crate::blamed::Culprit;
use crate::findings::{Class, Finding};
use crate::report::{Outcome, Report};
use crate::verdict::Verdict;
use crate::words::{Unit, count, percent};

/// Names of models, the first few of many.
pub fn models(list: &[&str]) -> String {
    const MOST: usize = 3;
    match list.len() {
        0..=MOST => list.join(", "),
        n => format!("{} and {} more", list[..MOST - 1].join(", "), n - (MOST - 1)),
    }
}

/// `11 models`: those whose results are judged. Nobody asks what the one does that they are compared with, unless there is no other.
pub(crate) fn compared(report: &Report) -> String {
    let judged = report.models.iter().filter(|m| report.is_judged(m)).count();
    count(if judged == 0 { report.models.len() } else { judged } as u64, "model", "models")
}

/// What a result does compared with the yardstick's: `5.1 % of pixels, by up to 255/255`.
pub fn harm(finding: &Finding<'_>, unit: Unit) -> String {
    let d = &finding.distance;
    if finding.class == Class::NoResult {
        return "no result, the loops do not terminate".into();
    }
    let mut parts = Vec::new();
    if d.differ8 > 0 {
        parts.push(format!("{} of {}, by up to {}/255", percent(d.differ8, d.pixels), unit.many, d.max8));
    }
    if d.flips > 0 {
        let verb = if d.flips == 1 { "flips" } else { "flip" };
        parts.push(format!("{} {verb} coverage", count(d.flips, unit.one, unit.many)));
    }
    if d.visible() == 0 {
        // Special values and loops without end need not show.
        parts.push(match finding.class {
            Class::Plain => "special values or loops that do not terminate".into(),
            Class::Same => Verdict::Equal.words().into(),
            _ => format!("bits differ at {} of {}", percent(d.differ, d.pixels), unit.many),
        });
    }
    parts.join(", ")
}

/// What makes most of a finding, where that was looked into.
pub fn culprit<'a>(report: &'a Report, finding: &Finding<'_>) -> Option<Culprit<'a>> {
    let blame = report.shaders[finding.shader].blame.as_ref()?;
    blame.culprit().filter(|_| finding.models.contains(&blame.model.as_str()))
}

/// What makes most of a finding, or in a word why nothing is named; empty where it was not looked into.
pub fn cause(report: &Report, finding: &Finding<'_>) -> String {
    if let Some(culprit) = culprit(report, finding) {
        return culprit.words();
    }
    let Some(blame) = &report.shaders[finding.shader].blame else { return String::new() };
    let is_meant = |name: &str| finding.models.contains(&name);
    let unexplained = || blame.unexplained.clone().unwrap_or_default();
    if blame.stands_for.as_deref().is_some_and(is_meant) {
        let what = blame.culprit().map_or_else(unexplained, |culprit| culprit.words());
        return format!("closest is {}: {what}", blame.model);
    }
    if is_meant(&blame.model) { unexplained() } else { String::new() }
}

/// `111 of 152 programs look different from ieee under at least one of 11 models.` Of a single program: `3 of 11 models draw a picture
/// that looks different from that of ieee.`
#[cfg(feature = "html")]
pub(crate) fn headline(report: &Report) -> String {
    let judged: Vec<&String> = report.models.iter().filter(|m| report.is_judged(m)).collect();
    if let ([shader], [_, ..]) = (&*report.shaders, &*judged)
        && shader.status() == "ok"
    {
        let rows = shader.rows().iter().filter(|row| report.is_judged(&row.model));
        let seen = rows.filter(|row| report.class(shader, row) >= Class::Seen).count();
        let (who, verb) = match (seen, &*judged) {
            (seen, [one]) => (one.to_string(), if seen == 1 { "draws" } else { "does not draw" }),
            (0, many) => (format!("None of {} models", many.len()), "draws"),
            (1, many) => (format!("1 of {} models", many.len()), "draws"),
            (seen, many) => (format!("{seen} of {} models", many.len()), "draw"),
        };
        return format!("{who} {verb} a picture that looks different from that of {}.", report.yardstick());
    }
    let looks = |shader: &&crate::ShaderReport| report.worst_class(shader) >= Some(Class::Seen);
    let (seen, all) = (report.shaders.iter().filter(looks).count(), report.shaders.len() as u64);
    let under = match (seen, &*judged) {
        (_, []) => format!("under {}", compared(report)),
        (_, [one]) => format!("under {one}"),
        (0, many) => format!("under any of {} models", many.len()),
        (_, many) => format!("under at least one of {} models", many.len()),
    };
    let who = if seen == 0 { "None".into() } else { seen.to_string() };
    let verb = if seen <= 1 { "looks" } else { "look" };
    format!("{who} of {} {verb} different from {} {under}.", count(all, "program", "programs"), report.yardstick())
}

/// How many programs each class has, the most visible first; then those that were not analysed and those without result.
#[cfg(feature = "html")]
pub(crate) fn counts(report: &Report) -> Vec<(&'static str, u64, &'static str)> {
    let classes = Class::ALL.iter().rev();
    let of = |class: Class| report.shaders.iter().filter(|s| report.worst_class(s) == Some(class)).count() as u64;
    let mut out: Vec<_> = classes.map(|&class| (class.name(), of(class), class.of_programs())).collect();
    let refused = report.shaders.iter().filter(|s| s.status() != "ok").count() as u64;
    out.push(("unsupported", refused, "not analysed"));
    out
}

/// `12 effects in 20 programs under 5 models, compared with ieee: 3 plainly different under at least one model, ...`, and the
/// most visible of all.
pub fn answer(report: &Report) -> String {
    let mut of_class = [0u64; Class::ALL.len()];
    let (mut unsupported, mut invalid, mut endless) = (0u64, 0u64, 0u64);
    for shader in &report.shaders {
        match &shader.outcome {
            Outcome::Refused { unsupported: true, .. } => unsupported += 1,
            Outcome::Refused { .. } => invalid += 1,
            // What lanes hold that ran out of fuel is no result, so equal bits say nothing.
            Outcome::Compared(rows) if rows.iter().any(|r| r.refused.is_some() || r.metrics.out_of_fuel > 0) => {
                endless += 1;
            }
            Outcome::Compared(_) => {
                let class = report.worst_class(shader).unwrap_or(Class::Nothing);
                of_class[class as usize] += 1;
            }
        }
    }
    let programs = count(report.shaders.len() as u64, "program", "programs");
    let effects = report.effects().len();
    let what = match effects {
        n if n == report.shaders.len() => programs,
        n => format!("{} in {programs}", count(n as u64, "effect", "effects")),
    };
    let models = compared(report);
    let one = report.models.iter().filter(|m| report.is_judged(m)).count() < 2;
    let under = if one { "" } else { " under at least one model" };
    let mut out = format!("{what} under {models}, compared with {}: ", report.yardstick());
    let mut parts = Vec::new();
    for (n, words) in [
        (of_class[Class::Plain as usize], format!("plainly different{under}")),
        (of_class[Class::Seen as usize], "visibly different".into()),
        (of_class[Class::Step as usize], "different by at most one 8-bit step".into()),
        (of_class[Class::Bits as usize], "different in bits only".into()),
        (of_class[Class::Same as usize], "the same bits everywhere".into()),
        (unsupported, "unsupported, not analysed".into()),
        (invalid, "invalid, not analysed".into()),
        (endless, "with loops that do not terminate".into()),
        (of_class[Class::Nothing as usize], "without pixels to compare".into()),
    ] {
        if n > 0 {
            parts.push(format!("{n} {words}"));
        }
    }
    if parts.is_empty() {
        parts.push("nothing was compared".into());
    }
    out.push_str(&parts.join(", "));
    out.push('.');
    if let Some(top) = report.worst(1).first() {
        let verdict = match top.class {
            Class::NoResult => String::new(),
            _ => format!(" ({})", Verdict::between(&top.distance).words()),
        };
        let name = &report.shaders[top.shader].name;
        out.push_str(&format!(
            " Largest difference: {name} under {}: {}{verdict}",
            self::models(&top.models),
            harm(top, report.shaders[top.shader].unit())
        ));
        if let Some(culprit) = culprit(report, top) {
            let share = if culprit.does_most() { "the main cause is" } else { "the largest contribution is that of" };
            out.push_str(&format!("; {share} {}", culprit.words()));
        }
        out.push('.');
    }
    if report.unfinished > 0 {
        out.push_str(&format!(
            " Interrupted: {} not run.",
            count(report.unfinished as u64, "program was", "programs were")
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blamed::{Blamed, Instruction};
    use crate::findings::tests::{report, row, shader};
    use crate::report::{ShaderReport, Subject};

    #[test]
    fn an_interrupted_comparison_without_a_result_says_so() {
        let mut report = report(&["ieee"], Vec::new());
        report.unfinished = 3;
        let want = "0 programs under 1 model, compared with binary64: nothing was compared. Interrupted: 3 programs were not run.";
        assert_eq!(answer(&report), want);
    }

    /// The largest share of pixels is not the most visible difference: it may be off by one step.
    #[test]
    fn the_headline_names_the_most_visible_difference() {
        let everywhere =
            shader("everywhere", "e", vec![row("ieee", 0, 0, 0), row("a", 1000, 1, 1), row("b", 30, 20, 2)]);
        let somewhere = shader("somewhere", "s", vec![row("ieee", 0, 0, 0), row("a", 0, 0, 0), row("b", 20, 90, 2)]);
        let quiet = shader("quiet", "q", vec![row("ieee", 0, 0, 0), row("a", 0, 0, 0), row("b", 0, 0, 0)]);
        let subject = Subject { name: "odd".into(), effect: "odd".into(), ..Subject::default() };
        let odd = ShaderReport::refused(subject, true, Vec::new());
        let text = answer(&report(&["ieee", "a", "b"], vec![everywhere, somewhere, quiet, odd]));
        assert_eq!(
            text,
            "4 programs under 2 models, compared with ieee: 2 plainly different under at least one model, 1 the same bits everywhere, \
             1 unsupported, not analysed. Largest difference: somewhere under b: 2.0 % of pixels, by up to 90/255 (another picture)."
        );
    }

    #[cfg(feature = "html")]
    #[test]
    fn one_program_is_told_by_its_models() {
        let told = |models: &[&str], rows: Vec<crate::Row>| headline(&report(models, vec![shader("s", "s", rows)]));
        let two = || vec![row("ieee", 0, 0, 0), row("a", 1000, 90, 1), row("b", 30, 1, 2)];
        let text = |who: &str| format!("{who} a picture that looks different from that of ieee.");
        assert_eq!(told(&["ieee", "a", "b"], two()), text("1 of 2 models draws"));
        assert_eq!(told(&["ieee", "b"], vec![row("ieee", 0, 0, 0), row("b", 30, 1, 1)]), text("b does not draw"));
        assert_eq!(told(&["ieee", "a"], vec![row("ieee", 0, 0, 0), row("a", 30, 90, 1)]), text("a draws"));
    }

    /// An instruction is the main cause only where more than half of the difference goes away with it.
    #[test]
    fn a_cause_is_the_main_one_above_one_half() {
        let text = |fixed: f64| {
            let mut shader = shader("s", "s", vec![row("ieee", 0, 0, 0), row("a", 100, 20, 2)]);
            let instruction = Instruction {
                line: 2,
                at: "2".into(),
                own: true,
                text: "MUL r0, r1, r2".into(),
                fixed,
                caused: 1.0,
                score: (fixed + 1.0) / 2.0,
                field: String::new(),
                deed: None,
            };
            shader.blame = Some(Blamed {
                model: "a".into(),
                against: "ieee".into(),
                by_vertices: false,
                around: None,
                instructions: vec![instruction],
                said: Vec::new(),
                stands_for: None,
                unexplained: None,
                evidence: Default::default(),
            });
            answer(&report(&["ieee", "a"], vec![shader]))
        };
        assert!(text(0.51).ends_with("; the main cause is line 2, MUL r0, r1, r2."), "{}", text(0.51));
        let lesser = text(0.5);
        assert!(lesser.ends_with("; the largest contribution is that of line 2, MUL r0, r1, r2."), "{lesser}");
    }

    #[test]
    fn many_models_are_not_all_named() {
        assert_eq!(models(&["a", "b", "c"]), "a, b, c");
        assert_eq!(models(&["a", "b", "c", "d"]), "a, b and 2 more");
    }
}
