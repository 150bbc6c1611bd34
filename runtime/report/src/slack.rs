//! How much a figure may grow since an earlier run before that counts as worse.

use parallax_text::closest;
use serde::{Deserialize, Serialize};

/// Figures that can have slack, by their names in results.
const FIGURES: [&str; 13] = [
    "special_mismatch",
    "coverage_flips",
    "pixels8_changed",
    "max8",
    "equal",
    "correct_bits",
    "max_ulp",
    "p99_ulp",
    "median_ulp",
    "mean_ulp",
    "max_abs",
    "rms",
    "near_zero",
];

/// Those that count pixels, so that slack in percent is a share of the frame.
const PIXELS: [&str; 2] = ["coverage_flips", "pixels8_changed"];

/// One figure's slack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Part {
    /// For this model alone.
    model: Option<String>,
    figure: String,
    by: f64,
    percent: bool,
}

/// How much figures may grow. Where it names a figure, only the figures that it names are held against the earlier run, and special
/// values and coverage, which have slack 0 unless it says otherwise: where a picture may change, its verdict and the size of its errors
/// say nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slack {
    parts: Vec<Part>,
}

impl Slack {
    /// Reads texts such as `pixels8=1%,max8=2`.
    ///
    /// # Errors
    /// The first part that is no slack, and why.
    pub fn parse(texts: &[String]) -> Result<Slack, String> {
        let mut slack = Slack::default();
        for part in texts.iter().flat_map(|text| text.split(',')) {
            let Some((name, text)) = part.split_once('=').map(|(n, t)| (n.trim(), t.trim())) else {
                return Err(format!("{part}: expected NAME=SLACK, such as pixels8=1%"));
            };
            slack.add(None, name, text).map_err(|message| format!("{part}: {message}"))?;
        }
        Ok(slack)
    }

    /// Adds that of a figure, for all models or for those of one name. `text` is a number in the figure's unit, or in percent: of the
    /// pixels of the frame where the figure counts pixels, else of the earlier figure. `pixels8` is `pixels8_changed`.
    ///
    /// # Errors
    /// Why it is none.
    pub fn add(&mut self, model: Option<&str>, name: &str, text: &str) -> Result<(), String> {
        let name = if name == "pixels8" { "pixels8_changed" } else { name };
        let Some(figure) = FIGURES.iter().find(|known| **known == name) else {
            let hint = match closest(name, FIGURES.into_iter().chain(["pixels8"])) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("names are pixels8, {}", FIGURES.join(", ")),
            };
            return Err(format!("no figure \"{name}\"; {hint}"));
        };
        let (number, percent) = match text.strip_suffix('%') {
            Some(number) => (number.trim(), true),
            None => (text, false),
        };
        let by: Option<f64> = number.parse().ok().filter(|v: &f64| v.is_finite() && *v >= 0.0);
        let by = by.ok_or_else(|| format!("expected a number from 0, or one in percent, found \"{text}\""))?;
        let model = model.map(str::to_string);
        // What is said last counts.
        self.parts.retain(|part| part.figure != *figure || part.model != model);
        self.parts.push(Part { model, figure: figure.to_string(), by, percent });
        Ok(())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// This one, with what another says in the place of what this says of the same figures.
    #[must_use]
    pub fn but(&self, other: &Slack) -> Slack {
        let mut parts = self.parts.clone();
        parts.retain(|part| !other.parts.iter().any(|own| own.figure == part.figure && own.model == part.model));
        parts.extend(other.parts.iter().cloned());
        Slack { parts }
    }

    /// What is for a model: by name alone, `nv40` is also for `nv40[round=rtz]`.
    pub(crate) fn of_model<'a>(&'a self, model: &'a str) -> ModelSlack<'a> {
        let name = model.split(['[', '@']).next().unwrap_or(model);
        let is_for = |part: &&Part| part.model.as_deref().is_none_or(|of| of == model || of == name);
        ModelSlack { parts: self.parts.iter().filter(is_for).collect() }
    }
}

/// Slack for one model.
pub(crate) struct ModelSlack<'a> {
    parts: Vec<&'a Part>,
}

impl ModelSlack<'_> {
    /// Whether a figure is held against the earlier run.
    pub(crate) fn holds(&self, figure: &str) -> bool {
        self.parts.is_empty() || matches!(figure, "special_mismatch" | "coverage_flips") || self.part(figure).is_some()
    }

    /// Whether a figure may become `after`; larger values are worse.
    pub(crate) fn allows(&self, figure: &str, before: f64, after: f64, pixels: f64) -> bool {
        let by = self.part(figure).map_or(0.0, |part| match part.percent {
            true if PIXELS.contains(&figure) => part.by / 100.0 * pixels,
            true => part.by / 100.0 * before.abs(),
            false => part.by,
        });
        after - before <= by
    }

    /// What is said for the model alone comes before what is said for all.
    fn part(&self, figure: &str) -> Option<&Part> {
        let of = || self.parts.iter().copied().filter(|part| part.figure == figure);
        of().find(|part| part.model.is_some()).or_else(|| of().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_frame_or_of_the_figure() {
        let slack = Slack::parse(&["pixels8=1%,max8=2".into(), "max_ulp=50%".into()]).unwrap();
        let all = slack.of_model("nv40");
        assert!(
            all.allows("pixels8_changed", 100.0, 110.0, 1000.0) && !all.allows("pixels8_changed", 100.0, 111.0, 1000.0)
        );
        assert!(all.allows("max8", 1.0, 3.0, 1000.0) && !all.allows("max8", 1.0, 4.0, 1000.0));
        assert!(all.allows("max_ulp", 10.0, 15.0, 1000.0) && !all.allows("max_ulp", 10.0, 15.1, 1000.0));
        assert!(all.holds("max8") && all.holds("coverage_flips") && !all.holds("verdict") && !all.holds("rms"));
        assert!(Slack::default().of_model("a").holds("verdict"));
    }

    #[test]
    fn a_program_and_a_model_have_their_own() {
        let all = Slack::parse(&["max8=2".into()]).unwrap();
        let mut own = Slack::default();
        own.add(Some("nv40"), "max8", "9").unwrap();
        own.add(None, "max8", "1").unwrap();
        let slack = all.but(&own);
        assert!(slack.of_model("nv40[round=rtz]").allows("max8", 0.0, 9.0, 1.0));
        assert!(!slack.of_model("ieee").allows("max8", 0.0, 2.0, 1.0));
    }

    #[test]
    fn what_is_no_slack_is_said() {
        for (text, said) in [
            ("max8", "expected NAME=SLACK"),
            ("max9=1", "did you mean max8?"),
            ("max8=-1", "expected a number from 0"),
            ("max8=nan", "expected a number from 0"),
        ] {
            let found = Slack::parse(&[text.into()]).unwrap_err();
            assert!(found.contains(said), "{found}");
        }
    }
}
