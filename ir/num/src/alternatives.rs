//! What else a field of a rule could be: for asking what a choice decides.

use crate::{Accuracy, Field, Op, Probe, Rule, Values};

/// The bound tried where results are taken for correctly rounded.
const TRIED: &str = "2^-22";

impl Field {
    /// Every rule for `op` that differs from `rule` in this field alone and behaves differently: the other values of a
    /// field with words, the examples of one with a pattern, both ends of an error bound. The value format is not
    /// exchanged: it decides where rounding does, so its alternatives are the other rounding directions. With each rule
    /// goes the value, as it would be written.
    pub fn alternatives(&self, op: Op, rule: &Rule) -> Vec<(&'static str, Rule)> {
        if !self.read_by(op, rule) {
            return Vec::new();
        }
        let mut out: Vec<(&'static str, Rule)> = Vec::new();
        let mut add = |value: &'static str, other: Rule| {
            let other = other.normalised(op);
            if other != rule.normalised(op) && out.iter().all(|(_, known)| *known != other) {
                out.push((value, other));
            }
        };
        match self.name {
            "accuracy" => {
                for (value, probe) in [("low", Probe::Lowest), ("high", Probe::Highest)] {
                    let mut other = *rule;
                    if other.accuracy == Accuracy::Correct && !self.set(&mut other, TRIED) {
                        continue;
                    }
                    other.probe = probe;
                    add(value, other);
                }
            }
            "format" => {
                if let Some(round) = Field::from_name("round").filter(|f| f.read_by(op, rule)) {
                    round.alternatives(op, rule).into_iter().for_each(|(value, other)| add(value, other));
                }
            }
            // Ties away from zero and away from zero are for packing; where they change an arithmetic result, a direction does.
            "round" => {
                for value in ["rne", "rtz", "rup", "rdn"] {
                    let mut other = *rule;
                    if self.set(&mut other, value) {
                        add(value, other);
                    }
                }
            }
            _ => {
                let (Values::Words(values) | Values::Pattern(_, values)) = self.values;
                for value in values {
                    let mut other = *rule;
                    if self.set(&mut other, value) {
                        add(value, other);
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Decl, Format, Round};

    fn values(name: &str, op: Op, rule: &Rule) -> Vec<&'static str> {
        Field::from_name(name).unwrap().alternatives(op, rule).into_iter().map(|(value, _)| value).collect()
    }

    #[test]
    fn alternatives_are_the_other_values_that_behave_differently() {
        let rule = Rule::ieee(Decl::F32, Format::F32);
        assert_eq!(values("mad", Op::Mad, &rule), ["separate", "truncated:24", "truncated:24;separate-at-0"]);
        let directions = values("round", Op::Add, &rule);
        assert!(!directions.contains(&"rne") && directions.len() >= 3, "{directions:?}");
        assert_eq!(values("format", Op::Add, &rule), directions);
        assert_eq!(values("accuracy", Op::Rcp, &rule), ["low", "high"]);
        // What an operation does not look at has none.
        assert!(values("mad", Op::Add, &rule).is_empty() && values("accuracy", Op::Add, &rule).is_empty());
    }

    #[test]
    fn alternatives_differ_in_one_field_alone() {
        let rule = Rule::ieee(Decl::F32, Format::F32);
        for (_, other) in Field::from_name("mad").unwrap().alternatives(Op::Mad, &rule) {
            assert_eq!((other.round, other.format), (Round::NearestEven, Format::F32));
            assert_ne!(other.mad, rule.mad);
        }
    }
}
