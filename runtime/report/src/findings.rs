//! What stands out in a comparison: results compared with those of the baseline, the most visible first.

use crate::report::{Outcome, Report, Row, ShaderReport};
use crate::snapshot::Distance;
use crate::verdict::Verdict;
use std::cmp::Reverse;

/// How far a result strikes the eye, from nothing up.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// No pixel is covered: equal bits say nothing.
    Nothing,
    /// Bit for bit the same.
    Same,
    /// Bits differ, and no 8-bit pixel does.
    Bits,
    /// Pixels differ by one 8-bit step.
    Step,
    /// By 2 to 15 steps.
    Seen,
    /// By more; or pixels are drawn in one picture alone, special values appear, or loops do not end in some pixels.
    Plain,
    /// No result: the loops do not end.
    NoResult,
}

impl Class {
    /// From the least to the most.
    pub const ALL: [Class; 7] =
        [Class::Nothing, Class::Same, Class::Bits, Class::Step, Class::Seen, Class::Plain, Class::NoResult];

    /// Of a verdict.
    pub fn of(verdict: Verdict) -> Class {
        match verdict {
            Verdict::Equal => Class::Same,
            Verdict::Bits => Class::Bits,
            Verdict::OneStep => Class::Step,
            Verdict::BarelyVisible | Verdict::Visible => Class::Seen,
            Verdict::PlainlyVisible | Verdict::AnotherPicture => Class::Plain,
        }
    }

    /// Name in style sheets and filters.
    pub fn name(self) -> &'static str {
        match self {
            Class::Nothing => "nothing",
            Class::Same => "same",
            Class::Bits => "bits",
            Class::Step => "step",
            Class::Seen => "seen",
            Class::Plain => "plain",
            Class::NoResult => "none",
        }
    }

    /// Of programs, behind their number.
    pub fn of_programs(self) -> &'static str {
        match self {
            Class::Nothing => "without pixels to compare",
            Class::Same => "with the same bits",
            Class::Bits => "different in bits only",
            Class::Step => "different by one 8-bit step",
            Class::Seen => "visibly different",
            Class::Plain => "plainly different",
            Class::NoResult => "without result",
        }
    }

    /// In a legend.
    pub fn words(self) -> &'static str {
        match self {
            Class::Nothing => "no pixel covered",
            Class::Same => "the same bits",
            Class::Bits => "bits differ, nothing visible",
            Class::Step => "one 8-bit step",
            Class::Seen => "2 to 15 steps",
            Class::Plain => "more steps, or changes of coverage or special values",
            Class::NoResult => "no result: loops do not terminate",
        }
    }
}

/// A result of a shader, and the models that give it.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding<'a> {
    /// Index of the shader in the report.
    pub shader: usize,
    /// The first row with the result.
    pub row: usize,
    /// All models with it, in the report's order.
    pub models: Vec<&'a str>,
    /// How far it strikes the eye.
    pub class: Class,
    /// How it differs from the yardstick's.
    pub distance: Distance,
}

impl Finding<'_> {
    /// Order among all findings as one number: the more visible, the larger.
    pub fn rank(&self) -> u64 {
        let (class, verdict, share, steps) = self.key();
        ((class as u64) << 32) | ((verdict as u64) << 28) | (share << 8) | u64::from(steps)
    }

    /// Severity, then share of the pixels, then size of the difference.
    fn key(&self) -> (Class, Verdict, u64, u8) {
        let d = &self.distance;
        // Shares as whole numbers can be ordered; one in a million is enough.
        (self.class, Verdict::between(d), d.visible() * 1_000_000 / d.pixels.max(1), d.max8)
    }
}

impl Report {
    /// What results are compared with: the baseline, so that a difference is this vendor's and not binary32's; the reference where
    /// nothing but the baseline was compared.
    pub fn yardstick(&self) -> &str {
        let vendors = self.models.iter().any(|m| *m != self.baseline && *m != self.reference);
        if vendors { &self.baseline } else { &self.reference }
    }

    /// How a row differs from the yardstick's result; from the reference's where the baseline has none.
    pub fn apart(&self, row: &Row) -> Distance {
        let m = &row.metrics;
        let from_reference = Distance {
            pixels: m.pixels,
            differ: (m.pixels_changed + m.coverage_flips).min(m.pixels),
            differ8: m.pixels8_changed,
            max8: m.max8,
            flips: m.coverage_flips,
        };
        let from_baseline = row.from_baseline.filter(|_| self.yardstick() == self.baseline);
        from_baseline.unwrap_or(from_reference)
    }

    /// How far a row strikes the eye compared with the yardstick's.
    pub fn class(&self, shader: &ShaderReport, row: &Row) -> Class {
        let m = &row.metrics;
        if row.refused.is_some() {
            return Class::NoResult;
        }
        if m.pixels == 0 {
            return Class::Nothing;
        }
        // What the yardstick does as well is not this model's.
        let plain = shader.rows().iter().find(|r| r.model == self.yardstick()).map(|r| &r.metrics);
        let special = m.special_mismatch > plain.map_or(0, |p| p.special_mismatch);
        let fuel = m.out_of_fuel > plain.map_or(0, |p| p.out_of_fuel);
        let own = self.yardstick() == self.reference || plain.is_some();
        let class = Class::of(Verdict::between(&self.apart(row)));
        if own && special || fuel { class.max(Class::Plain) } else { class }
    }

    /// Whether a model is one whose results are judged: neither the reference nor what results are compared with.
    pub fn is_judged(&self, model: &str) -> bool {
        model != self.reference && model != self.yardstick()
    }

    /// The most that any judged model does to a shader; `None` for one that did not run.
    pub fn worst_class(&self, shader: &ShaderReport) -> Option<Class> {
        match &shader.outcome {
            Outcome::Refused { .. } => None,
            Outcome::Compared(rows) => {
                let judged = rows.iter().filter(|r| self.is_judged(&r.model));
                // Alone with its reference it is what that is.
                judged.map(|r| self.class(shader, r)).max().or(Some(Class::Same))
            }
        }
    }

    /// The different results of one shader under judged models, the most visible first.
    pub fn findings_of(&self, number: usize) -> Vec<Finding<'_>> {
        self.findings_in(&self.shaders[number], number)
    }

    /// The most visible result of a shader that is not in the report yet, if any can be seen: what its page shows first, and what
    /// is blamed on instructions.
    pub fn most_visible<'a>(&self, shader: &'a ShaderReport) -> Option<Finding<'a>> {
        self.findings_in(shader, 0).into_iter().next().filter(|found| found.class >= Class::Step)
    }

    fn findings_in<'a>(&self, shader: &'a ShaderReport, number: usize) -> Vec<Finding<'a>> {
        let rows = shader.rows();
        let mut out: Vec<Finding<'_>> = Vec::new();
        for (n, row) in rows.iter().enumerate().filter(|(_, r)| self.is_judged(&r.model)) {
            let (class, distance) = (self.class(shader, row), self.apart(row));
            let first = out.iter_mut().find(|f| f.row == row.same_as || rows[f.row].same_as == row.same_as);
            match first.filter(|f| f.class != Class::NoResult || row.refused == rows[f.row].refused) {
                Some(first) => first.models.push(&row.model),
                None => out.push(Finding { shader: number, row: n, models: vec![&row.model], class, distance }),
            }
        }
        parallax_text::sort_by_key(&mut out, |f| Reverse(f.key()));
        out
    }

    /// What can be seen, over all shaders, the most visible first.
    pub fn findings(&self) -> Vec<Finding<'_>> {
        let mut out: Vec<Finding<'_>> = (0..self.shaders.len()).flat_map(|n| self.findings_of(n)).collect();
        out.retain(|f| f.class >= Class::Step);
        // A stable order: equals stay as the shaders and models are listed.
        parallax_text::sort_by_key(&mut out, |f| Reverse(f.key()));
        out
    }

    /// The most visible result of each effect, at most `most`: twins show the same again.
    pub fn worst(&self, most: usize) -> Vec<Finding<'_>> {
        let mut effects: Vec<&str> = Vec::new();
        let mut out = self.findings();
        out.retain(|f| {
            let effect = self.shaders[f.shader].effect.as_str();
            let first = !effects.contains(&effect);
            if first {
                effects.push(effect);
            }
            first
        });
        out.truncate(most);
        out
    }

    /// Effects, the one with the most visible result first, with the indices of their shaders in the same order. Effects
    /// without a difference keep the order of the shaders; those that did not run come first, for somebody has to look at them.
    pub fn effects_by_severity(&self) -> Vec<(&str, Vec<usize>)> {
        let key = |n: usize| {
            let shader = &self.shaders[n];
            let findings = self.findings_of(n);
            let top = findings.first().map(Finding::key);
            (shader.rows().is_empty(), top)
        };
        let mut out = self.effects();
        for (_, list) in &mut out {
            parallax_text::sort_by_key(list, |&n| Reverse(key(n)));
        }
        out.sort_by_cached_key(|(_, list)| Reverse(list.first().map(|&n| key(n))));
        out
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::metrics::Metrics;
    use crate::report::Subject;
    use parallax_num::Tier;

    /// A row that differs from the baseline in this share of 1000 pixels, by this many steps.
    pub(crate) fn row(model: &str, differ8: u64, max8: u8, same_as: usize) -> Row {
        let metrics = Metrics { pixels: 1000, components: 4000, pixels8_changed: differ8, max8, ..Metrics::default() };
        Row {
            model: model.into(),
            tier: Tier::Exact,
            refused: None,
            metrics,
            from_baseline: Some(Distance { pixels: 1000, differ: differ8, differ8, max8, flips: 0 }),
            trust: None,
            legality: None,
            result: None,
            same_as,
            picture: Vec::new(),
            looks_like_reference: false,
            heat: None,
        }
    }

    pub(crate) fn shader(name: &str, effect: &str, rows: Vec<Row>) -> ShaderReport {
        let subject = Subject { name: name.into(), effect: effect.into(), ..Subject::default() };
        ShaderReport { outcome: Outcome::Compared(rows), ..ShaderReport::refused(subject, false, Vec::new()) }
    }

    pub(crate) fn report(models: &[&str], shaders: Vec<ShaderReport>) -> Report {
        Report {
            command: "parallax compare".into(),
            tool: "parallax 0".into(),
            reference: "binary64".into(),
            baseline: "ieee".into(),
            models: models.iter().map(|m| m.to_string()).collect(),
            shaders,
            ..Report::default()
        }
    }

    #[test]
    fn severity_comes_before_share_and_twins_show_once() {
        let wide = shader("x/a", "a", vec![row("ieee", 0, 0, 0), row("v", 1000, 1, 1), row("w", 1000, 1, 1)]);
        let deep = shader("x/b", "b", vec![row("ieee", 0, 0, 0), row("v", 3, 90, 1), row("w", 2, 90, 2)]);
        let twin = shader("y/b", "b", vec![row("ieee", 0, 0, 0), row("v", 3, 90, 1), row("w", 0, 0, 0)]);
        let report = report(&["ieee", "v", "w"], vec![wide, deep, twin]);
        let worst = report.worst(10);
        let named: Vec<_> = worst.iter().map(|f| (f.shader, f.models.join("+"))).collect();
        assert_eq!(named, [(1, "v".into()), (0, "v+w".into())]);
        assert_eq!(report.findings().len(), 4);
        let order: Vec<_> = report.effects_by_severity().into_iter().collect();
        assert_eq!(order, [("b", vec![1, 2]), ("a", vec![0])]);
        assert_eq!(report.worst_class(&report.shaders[0]), Some(Class::Step));
    }

    /// What binary32 does as well is not held against a vendor; alone, it is compared with the reference.
    #[test]
    fn the_baseline_is_the_yardstick_where_there_are_vendors() {
        let far = |mut row: Row| {
            row.metrics.special_mismatch = 5;
            row.metrics.max8 = 200;
            row.metrics.pixels8_changed = 900;
            row
        };
        let both = shader("s", "s", vec![far(row("ieee", 0, 0, 0)), far(row("v", 0, 0, 0))]);
        let report = |models: &[&str]| report(models, vec![both.clone()]);
        let vendors = report(&["ieee", "v"]);
        assert_eq!((vendors.yardstick(), vendors.findings().len()), ("ieee", 0));
        assert_eq!(vendors.worst_class(&both), Some(Class::Same));
        let alone = super::tests::report(&["ieee"], vec![shader("s", "s", vec![far(row("ieee", 0, 0, 0))])]);
        assert_eq!((alone.yardstick(), alone.worst(1)[0].class), ("binary64", Class::Plain));
        // A special value of its own is the vendor's.
        let mut own = far(row("v", 0, 0, 1));
        own.metrics.special_mismatch = 6;
        let shader = shader("s", "s", vec![far(row("ieee", 0, 0, 0)), own]);
        let report = super::tests::report(&["ieee", "v"], vec![shader]);
        assert_eq!(report.findings()[0].class, Class::Plain);
    }

    #[test]
    fn what_has_no_result_comes_first() {
        let mut endless = row("w", 0, 0, 2);
        endless.refused = Some("the loops do not end".into());
        let s = shader("s", "s", vec![row("ieee", 0, 0, 0), row("v", 900, 255, 1), endless]);
        let report = report(&["ieee", "v", "w"], vec![s]);
        let classes: Vec<_> = report.findings().iter().map(|f| f.class).collect();
        assert_eq!(classes, [Class::NoResult, Class::Plain]);
        assert!(Class::ALL.is_sorted());
    }
}
