//! Limits on the figures of a comparison.

use crate::checks::{Check, CheckFailure};
use crate::metrics::Metrics;
use crate::report::{Outcome, ShaderReport};
use crate::snapshot::Distance;
use crate::verdict::Verdict;
use parallax_text::closest;

/// A figure that can be limited.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Figure {
    Equal,
    MaxUlp,
    MeanUlp,
    P99Ulp,
    MedianUlp,
    CorrectBits,
    MaxAbs,
    Rms,
    NearZero,
    Special,
    Flips,
    Pixels8,
    Max8,
    Verdict,
    BaselineDiffer,
    BaselinePixels8,
    BaselineMax8,
}

const FIGURES: [(&str, Figure); 17] = [
    ("equal", Figure::Equal),
    ("max_ulp", Figure::MaxUlp),
    ("mean_ulp", Figure::MeanUlp),
    ("p99_ulp", Figure::P99Ulp),
    ("median_ulp", Figure::MedianUlp),
    ("correct_bits", Figure::CorrectBits),
    ("max_abs", Figure::MaxAbs),
    ("rms", Figure::Rms),
    ("near_zero", Figure::NearZero),
    ("special_mismatch", Figure::Special),
    ("coverage_flips", Figure::Flips),
    ("pixels8_changed", Figure::Pixels8),
    ("max8", Figure::Max8),
    ("verdict", Figure::Verdict),
    ("baseline_differ", Figure::BaselineDiffer),
    ("baseline_pixels8", Figure::BaselinePixels8),
    ("baseline_max8", Figure::BaselineMax8),
];

/// Figures that count pixels or components, so that limits can be shares of them.
const COUNTS: [Figure; 7] = [
    Figure::Special,
    Figure::Flips,
    Figure::Pixels8,
    Figure::Equal,
    Figure::NearZero,
    Figure::BaselineDiffer,
    Figure::BaselinePixels8,
];

#[derive(Clone, Debug, PartialEq)]
struct Limit {
    /// For this model alone.
    model: Option<String>,
    name: &'static str,
    figure: Figure,
    /// As typed.
    text: String,
    value: f64,
    /// The value is a share of all pixels (or components) in percent.
    percent: bool,
}

/// Limits on the figures of every model, or of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    limits: Vec<Limit>,
}

impl Limits {
    /// Reads texts such as `max_ulp=4,pixels8_changed=0.1%`.
    ///
    /// # Errors
    /// The first part that is no limit, and why.
    pub fn parse(texts: &[String]) -> Result<Limits, String> {
        let mut limits = Limits::default();
        for part in texts.iter().flat_map(|t| t.split(',')) {
            let Some((name, text)) = part.split_once('=').map(|(n, t)| (n.trim(), t.trim())) else {
                return Err(format!("{part}: expected NAME=LIMIT, such as max_ulp=4"));
            };
            limits.add(None, name, text).map_err(|message| format!("{part}: {message}"))?;
        }
        Ok(limits)
    }

    /// Adds a limit on a figure, for all models or for those of one name (`nv40` is also `nv40[round=rtz]`). `text` is a
    /// number, a number in percent, or a verdict.
    ///
    /// # Errors
    /// Why it is no limit.
    pub fn add(&mut self, model: Option<&str>, name: &str, text: &str) -> Result<(), String> {
        let Some(&(name, figure)) = FIGURES.iter().find(|(known, _)| *known == name) else {
            let names = FIGURES.map(|(name, _)| name);
            let hint = match closest(name, names) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("names are {}", names.join(", ")),
            };
            return Err(format!("no figure \"{name}\"; {hint}"));
        };
        let limit = |value, percent| Limit {
            model: model.map(str::to_string),
            name,
            figure,
            text: text.to_string(),
            value,
            percent,
        };
        if figure == Figure::Verdict {
            let names = || Verdict::ALL.map(Verdict::name).join(", ");
            let verdict = Verdict::from_name(text).ok_or_else(|| format!("a verdict is one of {}", names()))?;
            self.limits.push(limit(f64::from(verdict as u8), false));
            return Ok(());
        }
        let (digits, percent) = match text.strip_suffix('%') {
            Some(digits) => (digits.trim_end(), true),
            None => (text, false),
        };
        let counts = COUNTS.contains(&figure);
        match digits.parse::<f64>().ok().filter(|v| *v >= 0.0 && v.is_finite()) {
            Some(value) if counts || !percent => self.limits.push(limit(value, percent)),
            Some(_) => return Err(format!("{name} cannot be a percentage: drop the %")),
            None => return Err(format!("\"{text}\" is not a limit")),
        }
        Ok(())
    }

    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        self.limits.is_empty()
    }

    /// Every limit that a shader under a model does not keep. A limit for one model counts more than one for all.
    pub fn broken(&self, shader: &ShaderReport, reference: &str) -> Vec<CheckFailure> {
        let mut out = Vec::new();
        let (Outcome::Compared(rows), false) = (&shader.outcome, self.is_empty()) else { return out };
        // What lanes hold that ran out of fuel is no result.
        let endless = rows.iter().find(|r| r.model == reference && r.metrics.out_of_fuel > 0);
        for row in rows.iter().filter(|r| r.model != reference) {
            let kept: Vec<&Limit> = self.limits.iter().filter(|l| self.counts(l, &row.model)).collect();
            if kept.is_empty() {
                continue;
            }
            let mut failed = |message| {
                out.push(CheckFailure { check: Check::Limit, model: Some(row.model.clone()), message });
            };
            if let Some(endless) = endless.or(Some(row).filter(|r| r.metrics.out_of_fuel > 0)) {
                let n = endless.metrics.out_of_fuel;
                failed(format!("no result, {n} pixels run out of fuel under {}", endless.model));
            } else if let Some(reason) = &row.refused {
                failed(format!("no result, {reason}"));
            } else if row.metrics.pixels == 0 {
                failed("no pixel is covered, nothing was compared".into());
            } else {
                kept.iter().filter_map(|l| l.broken(&row.metrics, row.from_baseline.as_ref())).for_each(failed);
            }
        }
        out
    }

    /// Whether a limit is the one for a model.
    fn counts(&self, limit: &Limit, model: &str) -> bool {
        let own = |l: &Limit| l.model.as_deref().is_some_and(|name| is_of(model, name));
        match limit.model {
            Some(_) => own(limit),
            None => !self.limits.iter().any(|l| l.figure == limit.figure && own(l)),
        }
    }
}

/// Whether a label is a model of this name, with settings or without.
fn is_of(label: &str, name: &str) -> bool {
    label.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '@']))
}

impl Limit {
    /// What is wrong with the figures of a result and its distance from the baseline's, where it has one.
    fn broken(&self, m: &Metrics, from: Option<&Distance>) -> Option<String> {
        let share = |n: u64, of: u64| if self.percent { n as f64 / of.max(1) as f64 * 100.0 } else { n as f64 };
        let value = match self.figure {
            Figure::Equal => {
                let equal = m.equal as f64 / m.components.max(1) as f64;
                let found = if self.percent { equal * 100.0 } else { equal };
                // Nothing compared is no agreement.
                let kept = found >= self.value && m.components > 0;
                return (!kept).then(|| format!("equal is {}, below {}", self.print(found), self.text));
            }
            Figure::CorrectBits => {
                // Nothing measured is no agreement, unless all of it is equal.
                let found = if m.measured > 0 { m.correct_bits } else { 0 };
                let kept = f64::from(found) >= self.value || m.identical() && m.components > 0;
                return (!kept).then(|| format!("correct_bits is {found}, below {}", self.text));
            }
            Figure::Verdict => {
                let found = Verdict::of(m);
                let kept = f64::from(found as u8) <= self.value;
                return (!kept).then(|| format!("verdict is {}, worse than {}", found.name(), self.text));
            }
            Figure::BaselineDiffer | Figure::BaselinePixels8 | Figure::BaselineMax8 => {
                // Nothing to compare it with is no agreement.
                let Some(d) = from else {
                    return Some(format!("{} is unknown: the baseline has no result", self.name));
                };
                match self.figure {
                    Figure::BaselineDiffer => share(d.differ, d.pixels),
                    Figure::BaselinePixels8 => share(d.visible(), d.pixels),
                    _ => f64::from(d.max8),
                }
            }
            Figure::MaxAbs => m.max_abs,
            Figure::Rms => m.rms,
            Figure::MedianUlp => m.median_ulp,
            Figure::NearZero => share(m.near_zero, m.components),
            Figure::Max8 => f64::from(m.max8),
            Figure::MaxUlp => m.max_ulp,
            Figure::MeanUlp => m.mean_ulp,
            Figure::P99Ulp => m.p99_ulp,
            Figure::Special => share(m.special_mismatch, m.components),
            Figure::Flips => share(m.coverage_flips, m.pixels),
            Figure::Pixels8 => share(m.pixels8_changed, m.pixels),
        };
        (value > self.value).then(|| format!("{} is {}, above {}", self.name, self.print(value), self.text))
    }

    fn print(&self, value: f64) -> String {
        if self.percent { format!("{value:.3}%") } else { value.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Limits, String> {
        Limits::parse(&[text.to_string()])
    }

    #[test]
    fn limits_are_kept_or_named() {
        let m = Metrics {
            pixels: 1000,
            components: 4000,
            equal: 3000,
            max_ulp: 5.5,
            pixels8_changed: 2,
            ..Metrics::default()
        };
        let away = Distance { pixels: 1000, differ: 100, differ8: 20, max8: 7, flips: 5 };
        let broken = |text: &str| parse(text).unwrap().limits[0].broken(&m, Some(&away));
        assert_eq!(broken("max_ulp=4").as_deref(), Some("max_ulp is 5.5, above 4"));
        assert_eq!(broken("max_ulp=5.5"), None);
        assert_eq!(broken("pixels8_changed=0.1%").as_deref(), Some("pixels8_changed is 0.200%, above 0.1%"));
        assert_eq!(broken("pixels8_changed=2"), None);
        assert_eq!(broken("equal=75%"), None);
        assert_eq!(broken("max8=0"), None);
        assert_eq!(broken("correct_bits=1").as_deref(), Some("correct_bits is 0, below 1"));
        assert_eq!(broken("verdict=equal").as_deref(), Some("verdict is bits, worse than equal"));
        assert_eq!(broken("verdict=one-step"), None);
        assert_eq!(broken("equal=0.8").as_deref(), Some("equal is 0.75, below 0.8"));
        assert_eq!(broken("baseline_differ=9%").as_deref(), Some("baseline_differ is 10.000%, above 9%"));
        assert_eq!(broken("baseline_pixels8=24").as_deref(), Some("baseline_pixels8 is 25, above 24"));
        assert_eq!(broken("baseline_max8=6").as_deref(), Some("baseline_max8 is 7, above 6"));
        assert_eq!(["baseline_pixels8=2.5%", "baseline_max8=7"].map(broken), [None, None]);
        let alone = parse("baseline_max8=9").unwrap().limits[0].broken(&m, None);
        assert_eq!(alone.as_deref(), Some("baseline_max8 is unknown: the baseline has no result"));
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "max_ulp",
            "max_ulp=",
            "max_ulp=-1",
            "max_ulp=nan",
            "max_ulp=3%",
            "maxulp=3",
            "x=1",
            "verdict=3",
            "max8=1%",
            "baseline_max8=1%",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("max_ulp=4, coverage_flips=0").unwrap().limits.len(), 2);
    }

    #[test]
    fn a_limit_of_one_model_counts_more() {
        let mut limits = parse("max8=1,max_ulp=4").unwrap();
        limits.add(Some("nv40"), "max8", "9").unwrap();
        let of = |model: &str| {
            let kept = limits.limits.iter().filter(|l| limits.counts(l, model));
            kept.map(|l| format!("{}={}", l.name, l.text)).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of("nv40[round=rtz]"), "max_ulp=4 max8=9");
        assert_eq!((of("nv4"), of("ieee")), ("max8=1 max_ulp=4".into(), "max8=1 max_ulp=4".into()));
    }
}
