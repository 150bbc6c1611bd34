//! Counts of outcomes.

use crate::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Reasons of a kind that are printed.
const MOST: usize = 60;

/// Outcomes of all cases, by kind.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    counts: BTreeMap<&'static str, usize>,
    reasons: BTreeMap<(&'static str, String), usize>,
    failures: Vec<(String, String)>,
}

impl Tally {
    /// Counts a case.
    pub fn add(&mut self, name: &str, outcome: &Outcome) {
        *self.counts.entry(outcome.name()).or_default() += 1;
        if !outcome.reason().is_empty() {
            *self.reasons.entry((outcome.name(), outcome.reason().to_string())).or_default() += 1;
        }
        if let Outcome::Failed(difference) = outcome {
            self.failures.push((name.to_string(), difference.clone()));
        }
    }

    /// How many cases have an outcome.
    pub fn count(&self, outcome: &str) -> usize {
        self.counts.get(outcome).copied().unwrap_or(0)
    }

    /// All of it as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, difference) in &self.failures {
            let _ = writeln!(text, "FAILED {name}\n    {difference}");
        }
        for kind in ["passed", "failed", "unsupported", "not-compiled", "not-parsed"] {
            let _ = writeln!(text, "{:6} {kind}", self.count(kind));
            let mut reasons: Vec<_> = self.reasons.iter().filter(|((of, _), _)| *of == kind).collect();
            reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            for ((_, reason), count) in reasons.iter().take(MOST) {
                let _ = writeln!(text, "       {count:6} {reason}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_stand_under_their_kind_most_frequent_first() {
        let mut tally = Tally::default();
        let unsupported = |code: &str| Outcome::Unsupported { code: code.into(), message: "m".into() };
        tally.add("a", &unsupported("x"));
        tally.add("b", &unsupported("y"));
        tally.add("c", &unsupported("y"));
        tally.add("d", &Outcome::Failed("1 is not 2".into()));
        tally.add("e", &Outcome::Passed);
        assert_eq!(tally.count("unsupported"), 3);
        let text = tally.text();
        assert!(text.starts_with("FAILED d\n    1 is not 2\n"));
        assert!(text.find("2 y").unwrap() < text.find("1 x").unwrap());
    }
}
