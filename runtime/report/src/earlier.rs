//! Results of an earlier run, and what has changed since.

use crate::rows::SCHEMA;
use crate::slack::{ModelSlack, Slack};
use crate::verdict::Verdict;
use serde::Deserialize;
use std::collections::HashMap;

/// What has become of a shader under a model since an earlier run, from the most to the least troubling.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trend {
    /// A figure is worse.
    Worse,
    /// Drawn otherwise, or measured against another reference: the figures cannot be compared.
    Unlike,
    /// It was not in the earlier run.
    New,
    /// It is not in this run.
    Gone,
    /// A figure is better, and none that counts as much is worse.
    Better,
    /// A figure is worse, by no more than its slack.
    Slack,
    /// Other bits, at the same distance from the reference.
    Other,
}

impl Trend {
    /// From the most to the least troubling.
    pub const ALL: [Trend; 7] =
        [Trend::Worse, Trend::Unlike, Trend::New, Trend::Gone, Trend::Better, Trend::Slack, Trend::Other];

    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Trend::Worse => "worse",
            Trend::Unlike => "drawn differently",
            Trend::New => "new",
            Trend::Gone => "gone",
            Trend::Better => "better",
            Trend::Slack => "worse within the slack",
            Trend::Other => "other bits",
        }
    }

    /// Whether a check against the earlier run fails.
    pub fn fails(self) -> bool {
        matches!(self, Trend::Worse | Trend::Unlike)
    }
}

/// What has become of a shader under a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The shader's name.
    pub shader: String,
    /// The model's label.
    pub model: String,
    /// In a word.
    pub trend: Trend,
    /// Which figures moved, such as `pixels8_changed 12 -> 40`.
    pub message: String,
}

/// All that changed since an earlier run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Name of the file with the earlier results.
    pub file: String,
    /// What is not as before, in the order of the report, what is gone at the end.
    pub list: Vec<Change>,
    /// Shaders under models that are as before, bit for bit.
    pub same: usize,
}

impl Changes {
    /// How many there are of a kind.
    pub fn count(&self, trend: Trend) -> usize {
        self.list.iter().filter(|change| change.trend == trend).count()
    }

    /// `2 worse, 1 new, 40 as before`.
    pub fn sentence(&self) -> String {
        let counted = Trend::ALL.iter().map(|&trend| (self.count(trend), trend)).filter(|(n, _)| *n > 0);
        let mut parts: Vec<String> = counted.map(|(n, trend)| format!("{n} {}", trend.name())).collect();
        parts.push(format!("{} as before", self.same));
        parts.join(", ")
    }
}

/// Results of a run, as its `results.jsonl` has them.
#[derive(Clone, Debug, Default)]
pub struct Results {
    file: String,
    rows: Vec<ResultRow>,
    /// Row by shader and model.
    places: HashMap<(String, String), usize>,
}

/// What is read of a record.
#[derive(Clone, Debug, Deserialize)]
struct ResultRow {
    shader: String,
    model: String,
    reference: String,
    status: String,
    #[serde(default)]
    target: Option<String>,
    width: u32,
    height: u32,
    #[serde(default)]
    result: Option<String>,
    #[serde(flatten)]
    figures: Figures,
}

/// The figures that are compared. Absent where there is no result.
#[derive(Clone, Debug, Default, Deserialize)]
struct Figures {
    verdict: Option<String>,
    special_mismatch: Option<u64>,
    coverage_flips: Option<u64>,
    pixels8_changed: Option<u64>,
    max8: Option<u8>,
    equal: Option<f64>,
    correct_bits: Option<u32>,
    max_ulp: Option<f64>,
    p99_ulp: Option<f64>,
    median_ulp: Option<f64>,
    mean_ulp: Option<f64>,
    max_abs: Option<f64>,
    rms: Option<f64>,
    near_zero: Option<u64>,
}

impl Figures {
    /// What can be seen: name, value, as it is printed. Larger is worse.
    fn seen(&self) -> Vec<Figure> {
        let verdict = self.verdict.as_deref().and_then(Verdict::from_name);
        vec![
            Figure { name: "verdict", worth: verdict.map(|v| f64::from(v as u8)), text: self.verdict.clone() },
            whole("special_mismatch", self.special_mismatch),
            whole("coverage_flips", self.coverage_flips),
            whole("pixels8_changed", self.pixels8_changed),
            whole("max8", self.max8.map(u64::from)),
        ]
    }

    /// How large errors are, likewise.
    fn errors(&self) -> Vec<Figure> {
        let less = |name, value: Option<f64>| Figure { worth: value.map(|v| -v), ..real(name, value) };
        vec![
            less("equal", self.equal),
            less("correct_bits", self.correct_bits.map(f64::from)),
            real("max_ulp", self.max_ulp),
            real("p99_ulp", self.p99_ulp),
            real("median_ulp", self.median_ulp),
            real("mean_ulp", self.mean_ulp),
            real("max_abs", self.max_abs),
            real("rms", self.rms),
            whole("near_zero", self.near_zero),
        ]
    }
}

/// A figure to compare.
struct Figure {
    name: &'static str,
    /// Larger is worse.
    worth: Option<f64>,
    text: Option<String>,
}

fn real(name: &'static str, value: Option<f64>) -> Figure {
    Figure { name, worth: value, text: value.map(|v| v.to_string()) }
}

fn whole(name: &'static str, value: Option<u64>) -> Figure {
    Figure { name, worth: value.map(|v| v as f64), text: value.map(|v| v.to_string()) }
}

/// How far from a result a status is.
fn rank(status: &str) -> usize {
    ["ok", "unsupported", "invalid"].iter().position(|s| *s == status).unwrap_or(3)
}

impl Results {
    /// Reads the text of a `results.jsonl`; `file` is its name.
    ///
    /// # Errors
    /// The first line that is no result of this version, in a sentence.
    pub fn read(file: &str, text: &str) -> Result<Results, String> {
        let again = "; create it again with `parallax compare --out`, which writes results.jsonl";
        let mut results = Results { file: file.to_string(), ..Results::default() };
        for (n, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{file}:{}", n + 1);
            let value: serde_json::Value =
                serde_json::from_str(line).map_err(|e| format!("{place}: is not a line of results ({e}){again}"))?;
            match value.get("schema").and_then(|schema| schema.as_str()) {
                Some(SCHEMA) => {}
                Some(found) => {
                    return Err(format!("{place}: has results of schema \"{found}\", expected \"{SCHEMA}\"{again}"));
                }
                None => return Err(format!("{place}: has no key \"schema\", so it is not a line of results{again}")),
            }
            let row: ResultRow =
                serde_json::from_value(value).map_err(|e| format!("{place}: is damaged: {e}{again}"))?;
            let key = (row.shader.clone(), row.model.clone());
            if results.places.insert(key, results.rows.len()).is_some() {
                let (shader, model) = (&row.shader, &row.model);
                return Err(format!("{place}: {shader} under {model} occurs twice{again}"));
            }
            results.rows.push(row);
        }
        Ok(results)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What has changed since an earlier run, with the slack that a shader's figures have.
    pub fn since(&self, earlier: &Results, slack: impl Fn(&str) -> Slack) -> Changes {
        let mut changes = Changes { file: earlier.file.clone(), ..Changes::default() };
        let mut met = vec![false; earlier.rows.len()];
        for now in &self.rows {
            let row = earlier.places.get(&(now.shader.clone(), now.model.clone())).copied();
            let found = match row {
                None => Some((Trend::New, now.in_a_word())),
                Some(row) => {
                    met[row] = true;
                    earlier.rows[row].change(now, &slack(&now.shader).of_model(&now.model))
                }
            };
            match found {
                None => changes.same += 1,
                Some((trend, message)) => {
                    let (shader, model) = (now.shader.clone(), now.model.clone());
                    changes.list.push(Change { shader, model, trend, message });
                }
            }
        }
        for (row, _) in earlier.rows.iter().zip(met).filter(|(_, met)| !met) {
            let message = row.in_a_word();
            let (shader, model) = (row.shader.clone(), row.model.clone());
            changes.list.push(Change { shader, model, trend: Trend::Gone, message });
        }
        changes
    }
}

impl ResultRow {
    /// How visible the difference is, or why there is no result.
    fn in_a_word(&self) -> String {
        self.figures.verdict.clone().unwrap_or_else(|| self.status.clone())
    }

    /// What has changed, or nothing.
    fn change(&self, now: &ResultRow, slack: &ModelSlack<'_>) -> Option<(Trend, String)> {
        if self.status != now.status {
            let trend = if rank(&now.status) > rank(&self.status) { Trend::Worse } else { Trend::Better };
            return Some((trend, format!("status {} -> {}", self.status, now.status)));
        }
        let drawn = |width, height, target: &Option<String>| {
            let target = target.as_ref().map(|t| format!(" as {t}")).unwrap_or_default();
            format!("{width}x{height}{target}")
        };
        let (before, after) = (drawn(self.width, self.height, &self.target), drawn(now.width, now.height, &now.target));
        if before != after {
            return Some((Trend::Unlike, format!("drawn at {before}, now at {after}")));
        }
        if self.reference != now.reference {
            return Some((Trend::Unlike, format!("measured against {}, now {}", self.reference, now.reference)));
        }
        let (then, later) = (&self.figures, &now.figures);
        let groups = [(then.seen(), later.seen()), (then.errors(), later.errors())];
        let pixels = f64::from(self.width) * f64::from(self.height);
        let mut within = Vec::new();
        let text = |t: &Option<String>| t.clone().unwrap_or_else(|| "none".into());
        for (before, after) in groups {
            let allows = |b: &Figure, a: &Figure| match (b.worth, a.worth) {
                (Some(b_worth), Some(a_worth)) => slack.allows(b.name, b_worth, a_worth, pixels),
                _ => true,
            };
            let mut moved: Vec<_> = before.iter().zip(&after).filter(|(b, a)| b.worth != a.worth).collect();
            moved.retain(|(b, _)| slack.holds(b.name));
            let rises = |b: &Figure, a: &Figure| match (b.worth, a.worth) {
                (Some(b), Some(a)) => a > b,
                // A figure that was not there says nothing of its own.
                _ => false,
            };
            if moved.is_empty() {
                continue;
            }
            let (risen, fallen): (Vec<_>, Vec<_>) = moved.iter().copied().partition(|(b, a)| rises(b, a));
            let (kept, broken): (Vec<_>, Vec<_>) = risen.into_iter().partition(|(b, a)| allows(b, a));
            within.extend(kept.iter().map(|(b, a)| format!("{} {} -> {}", b.name, text(&b.text), text(&a.text))));
            let worse = !broken.is_empty();
            if !worse && (fallen.is_empty() || !within.is_empty()) {
                continue;
            }
            let said = if worse { broken } else { fallen };
            let parts: Vec<String> =
                said.iter().map(|(b, a)| format!("{} {} -> {}", b.name, text(&b.text), text(&a.text))).collect();
            return Some((if worse { Trend::Worse } else { Trend::Better }, parts.join(", ")));
        }
        if !within.is_empty() {
            return Some((Trend::Slack, within.join(", ")));
        }
        (self.result != now.result).then(|| (Trend::Other, "equally far from the reference".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Comparison;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Report, Subject};
    use parallax_num::Tier;

    fn report(values: &[f32], model: &str) -> Report {
        let reference = one_exact(2, &[0.5, 0.25]);
        let frame = one_channel(2, values);
        let mut comparison = Comparison::new(&reference, None, crate::Detail::default());
        comparison.add(model, Tier::Exact, &frame);
        let subject = Subject { name: "a.tgsi".into(), isa: "tgsi".into(), ..Subject::default() };
        Report {
            reference: "binary64".into(),
            models: vec![model.into()],
            shaders: vec![comparison.finish(subject)],
            ..Report::default()
        }
    }

    fn results(report: &Report) -> Results {
        Results::read("old", &crate::jsonl(report)).unwrap()
    }

    fn trend(before: &[f32], after: &[f32]) -> Option<(Trend, String)> {
        let changes = results(&report(after, "m")).since(&results(&report(before, "m")), |_| Slack::default());
        changes.list.first().map(|c| (c.trend, c.message.clone()))
    }

    #[test]
    fn what_is_seen_decides_before_errors_do() {
        assert_eq!(trend(&[0.5, 0.25], &[0.5, 0.25]), None);
        let (worse, message) = trend(&[0.5, 0.25], &[0.5, 0.5]).unwrap();
        assert_eq!(worse, Trend::Worse);
        assert!(message.starts_with("verdict equal -> another-picture"), "{message}");
        assert_eq!(trend(&[0.5, 0.5], &[0.5, 0.25]).unwrap().0, Trend::Better);
        // The same picture, further off.
        let near = f32::from_bits(0.25f32.to_bits() + 1);
        let (worse, message) = trend(&[0.5, near], &[0.5, f32::from_bits(near.to_bits() + 1)]).unwrap();
        assert_eq!(
            (worse, message.starts_with("correct_bits 23 -> 22, max_ulp 1 -> 2")),
            (Trend::Worse, true),
            "{message}"
        );
        // As far off on the other side.
        let below = f32::from_bits(0.25f32.to_bits() - 2);
        assert_eq!(trend(&[0.5, near], &[0.5, below]).unwrap().0, Trend::Other);
        // A NaN where a number was.
        assert_eq!(trend(&[0.5, 0.5], &[0.5, f32::NAN]).unwrap().0, Trend::Worse);
    }

    #[test]
    fn what_comes_and_goes_is_named() {
        let earlier = results(&report(&[0.5, 0.25], "m"));
        let changes = results(&report(&[0.5, 0.25], "n")).since(&earlier, |_| Slack::default());
        let trends: Vec<_> = changes.list.iter().map(|c| (c.trend, c.model.as_str())).collect();
        assert_eq!(trends, [(Trend::New, "n"), (Trend::Gone, "m")]);
        assert_eq!(changes.sentence(), "1 new, 1 gone, 0 as before");
        let mut small = report(&[0.5, 0.25], "m");
        small.shaders[0].size = (1, 2);
        let changes = results(&small).since(&earlier, |_| Slack::default());
        assert_eq!((changes.list[0].trend, changes.list[0].trend.fails()), (Trend::Unlike, true));
        small.shaders[0].size = (2, 1);
        small.reference = "ieee".into();
        assert_eq!(
            results(&small).since(&earlier, |_| Slack::default()).list[0].message,
            "measured against binary64, now ieee"
        );
    }

    #[test]
    fn what_is_no_result_is_named_with_its_line() {
        let good = crate::jsonl(&report(&[0.5, 0.25], "m"));
        let error = |text: &str| Results::read("old.jsonl", text).unwrap_err();
        assert!(Results::read("old.jsonl", "\n").unwrap().is_empty());
        assert!(error("{").starts_with("old.jsonl:1: is not a line of results"));
        assert!(error("{}").contains("has no key \"schema\""));
        assert!(error(&good.replace(SCHEMA, "parallax-compare/1")).contains("of schema \"parallax-compare/1\""));
        assert!(error(&format!("{good}{good}")).starts_with("old.jsonl:2: a.tgsi under m occurs twice"));
        assert!(error(&good.replace("\"width\":2,", "")).contains("is damaged: missing field `width`"));
    }
}
