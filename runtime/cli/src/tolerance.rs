//! `--tolerance`: limits on the figures of a comparison.

use crate::exit::Failure;
use parallax_report::{Metrics, Outcome, Report, Verdict};
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
}

const FIGURES: [(&str, Figure); 14] = [
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
];

#[derive(Clone, Debug, PartialEq)]
struct Limit {
    name: &'static str,
    figure: Figure,
    /// As typed.
    text: String,
    value: f64,
    /// The value is a share of all pixels (or components) in percent.
    percent: bool,
}

/// All limits that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tolerance {
    limits: Vec<Limit>,
}

impl Tolerance {
    /// Reads texts such as `max_ulp=4,pixels8_changed=0.1%`.
    pub(crate) fn parse(texts: &[String]) -> Result<Tolerance, Failure> {
        let mut limits = Vec::new();
        for part in texts.iter().flat_map(|t| t.split(',')) {
            let Some((name, text)) = part.split_once('=').map(|(n, t)| (n.trim(), t.trim())) else {
                return Err(Failure::invalid(format_args!(
                    "--tolerance {part}: expected NAME=LIMIT, such as max_ulp=4"
                )));
            };
            let Some(&(name, figure)) = FIGURES.iter().find(|(known, _)| *known == name) else {
                let names = FIGURES.map(|(name, _)| name);
                let hint = match closest(name, names) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("names are {}", names.join(", ")),
                };
                return Err(Failure::invalid(format_args!("--tolerance {part}: no figure \"{name}\"; {hint}")));
            };
            if figure == Figure::Verdict {
                let Some(verdict) = Verdict::from_name(text) else {
                    let names = Verdict::ALL.map(Verdict::name).join(", ");
                    return Err(Failure::invalid(format_args!("--tolerance {part}: a verdict is one of {names}")));
                };
                limits.push(Limit { name, figure, text: text.into(), value: f64::from(verdict as u8), percent: false });
                continue;
            }
            let (digits, percent) = match text.strip_suffix('%') {
                Some(digits) => (digits.trim_end(), true),
                None => (text, false),
            };
            let counts =
                matches!(figure, Figure::Special | Figure::Flips | Figure::Pixels8 | Figure::Equal | Figure::NearZero);
            let value = digits.parse::<f64>().ok().filter(|v| *v >= 0.0 && v.is_finite());
            match value {
                Some(value) if counts || !percent => {
                    limits.push(Limit { name, figure, text: text.to_string(), value, percent });
                }
                Some(_) => {
                    return Err(Failure::invalid(format_args!("--tolerance {part}: {name} is no share, leave the %")));
                }
                None => return Err(Failure::invalid(format_args!("--tolerance {part}: \"{text}\" is no limit"))),
            }
        }
        Ok(Tolerance { limits })
    }

    /// Every limit that a shader under a model does not keep, in words.
    pub(crate) fn failures(&self, report: &Report) -> Vec<String> {
        let mut out = Vec::new();
        if self.limits.is_empty() {
            return out;
        }
        for shader in &report.shaders {
            let Outcome::Compared(rows) = &shader.outcome else { continue };
            // What lanes hold that ran dry is no result.
            let dry = rows.iter().find(|r| r.model == report.reference && r.metrics.out_of_fuel > 0);
            for row in rows.iter().filter(|r| r.model != report.reference) {
                let place = format!("{} under {}", shader.name, row.model);
                if let Some(dry) = dry.or(Some(row).filter(|r| r.metrics.out_of_fuel > 0)) {
                    let n = dry.metrics.out_of_fuel;
                    out.push(format!("{place}: no result, {n} pixels run out of loop fuel under {}", dry.model));
                    continue;
                }
                if let Some(reason) = &row.refused {
                    out.push(format!("{place}: no result, {reason}"));
                    continue;
                }
                if row.metrics.pixels == 0 {
                    out.push(format!("{place}: no pixel is covered, nothing was compared"));
                    continue;
                }
                out.extend(self.limits.iter().filter_map(|l| Some(format!("{place}: {}", l.broken(&row.metrics)?))));
            }
        }
        out
    }
}

impl Limit {
    fn broken(&self, m: &Metrics) -> Option<String> {
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

    fn parse(text: &str) -> Result<Tolerance, Failure> {
        Tolerance::parse(&[text.to_string()])
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
        let broken = |text: &str| parse(text).unwrap().limits[0].broken(&m);
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
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert_eq!(parse("max_ulp=4, coverage_flips=0").unwrap().limits.len(), 2);
    }
}
