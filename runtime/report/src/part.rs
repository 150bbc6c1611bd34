//! Comparisons in shards: what a shard found, as a file, and all of them together.
//!
//! A comparison of a corpus is cut into runs of shaders of equal length. Shaders that stand together are mostly of one
//! instruction set, so a process that compares one shard prepares little of what another one does. A part carries everything of
//! its shaders that a report shows, pictures included, so that a merge gives the same bytes.

use crate::hash::Hash;
use crate::report::{Report, ShaderReport};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Value of the key `schema` of a part.
const FORM: &str = "parallax-compare-part/3";

/// What is compared: parts of different plans are never mixed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Name and version of the tool.
    pub tool: String,
    /// Label of the reference model.
    pub reference: String,
    /// Label of the model that vendors are compared with.
    pub baseline: String,
    /// Labels of the compared models.
    pub models: Vec<String>,
    /// Name of the profile that judges results.
    pub profile: Option<String>,
    /// Options that change results, as they would be typed.
    pub options: Vec<String>,
    /// Names of all shaders, in order.
    pub shaders: Vec<String>,
    /// Hash of what names do not say: shaders, manifests, model files.
    pub contents: String,
}

/// What one shard found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The whole comparison.
    pub plan: Plan,
    /// Shard number, from 1.
    pub shard: usize,
    /// Number of shards.
    pub total: usize,
    found: Vec<Found>,
}

/// What was found about one shader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Found {
    /// Exit code that the shader alone asks for.
    exit: u8,
    shader: ShaderReport,
}

/// All parts together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The report of an undivided run, without the command line that made it.
    pub report: Report,
    /// Exit codes that shaders ask for.
    pub exits: Vec<u8>,
}

/// Shaders of a shard, by number from 0.
pub fn shard_of(shaders: usize, shard: usize, total: usize) -> Range<usize> {
    let before = |shards: usize| shaders * shards.min(total) / total.max(1);
    before(shard.saturating_sub(1))..before(shard)
}

/// Name of a shard's file: `00002-of-00008.json`.
pub fn part_name(shard: usize, total: usize) -> String {
    format!("{shard:05}-of-{total:05}.json")
}

impl Part {
    /// What a shard found: the report of its shaders, with the exit code that each asks for.
    pub fn new(plan: Plan, shard: usize, total: usize, report: &Report, exits: &[u8]) -> Part {
        let found = report.shaders.iter().zip(exits);
        let found = found.map(|(shader, &exit)| Found { exit, shader: shader.clone() });
        Part { plan, shard, total, found: found.collect() }
    }

    /// The part as text: its form, a hash of what follows, and that.
    pub fn text(&self) -> String {
        // Strings, numbers and lists: cannot fail.
        let found = serde_json::to_string(self).unwrap_or_default();
        head(&contents_hash([found.as_bytes()])) + &found + TAIL
    }

    /// Reads a part; `name` is that of its file, without folder.
    ///
    /// # Errors
    /// Why it is no part, or cannot be the one its name says.
    pub fn read(name: &str, text: &str) -> Result<Part, String> {
        #[derive(Deserialize)]
        struct Form {
            schema: String,
        }
        let is_none = |e: serde_json::Error| format!("{name} is no part of a comparison: {e}");
        let form: Form = serde_json::from_str(text).map_err(is_none)?;
        if form.schema != FORM {
            return Err(format!(
                "{name} has form \"{}\", this program reads \"{FORM}\"; delete it and run its shard again",
                form.schema
            ));
        }
        // Hashed as it was written.
        let damaged =
            || format!("{name} is damaged: its checksum does not fit its contents; delete it and run its shard again");
        let found = text.get(head(&contents_hash([])).len()..).and_then(|rest| rest.strip_suffix(TAIL));
        let is_whole = |found: &&str| text.starts_with(&head(&contents_hash([found.as_bytes()])));
        let found = found.filter(is_whole).ok_or_else(damaged)?;
        let part: Part = serde_json::from_str(found).map_err(is_none)?;
        let again = format!("; delete it and run shard {} again", part.shard);
        let right = part_name(part.shard, part.total);
        if name != right {
            return Err(format!("{name} holds what belongs into {right}: rename it{again}"));
        }
        let shaders: Vec<&str> = part.found.iter().map(|f| f.shader.name.as_str()).collect();
        let all = &part.plan.shaders;
        if !shard_of(all.len(), part.shard, part.total).map(|n| all[n].as_str()).eq(shaders) {
            return Err(format!("{name} holds other shaders than its shard{again}"));
        }
        Ok(part)
    }
}

/// What stands in a part's text around what was found.
fn head(checksum: &str) -> String {
    format!("{{\"schema\":\"{FORM}\",\"checksum\":\"{checksum}\",\"found\":")
}
const TAIL: &str = "}\n";

/// Hash of some contents, hexadecimal; where one ends and the next begins counts.
pub fn contents_hash<'a>(contents: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash = Hash::new();
    for part in contents {
        let (words, rest) = part.as_chunks::<8>();
        words.iter().for_each(|&word| hash.mix(u64::from_le_bytes(word)));
        rest.iter().for_each(|&byte| hash.mix(byte.into()));
        hash.mix(part.len() as u64);
    }
    format!("{:032x}", hash.get())
}

/// Puts all parts together, in any order.
///
/// # Errors
/// Parts of different comparisons, or one that is missing.
pub fn merge(mut parts: Vec<Part>) -> Result<Merged, String> {
    parallax_text::sort_by_key(&mut parts, |part| (part.total, part.shard));
    let Some(first) = parts.first() else { return Err("there are no parts".into()) };
    let (plan, total) = (first.plan.clone(), first.total);
    for part in &parts {
        let name = part_name(part.shard, part.total);
        if part.plan.tool != plan.tool {
            return Err(format!("{name} was made by {}, others by {}: run it again", part.plan.tool, plan.tool));
        }
        if part.plan != plan {
            return Err(format!("{name} comes from another comparison than the parts before it"));
        }
        if part.total != total {
            return Err(format!("{name} is one of {} shards, others of {total}: keep one division", part.total));
        }
    }
    let has = |shard: usize| parts.iter().any(|part| part.shard == shard);
    let missing: Vec<String> = (1..=total).filter(|&k| !has(k)).map(|k| format!("{k}/{total}")).collect();
    if !missing.is_empty() {
        let (some, more) = missing.split_at(missing.len().min(8));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        return Err(format!("not all shards are there: run --shard {}{more}", some.join(", ")));
    }
    let mut merged = Merged::default();
    for found in parts.into_iter().flat_map(|part| part.found) {
        merged.exits.push(found.exit);
        merged.report.shaders.push(found.shader);
    }
    let Plan { tool, reference, baseline, models, profile, options: _, shaders: _, contents: _ } = plan;
    merged.report = Report { tool, reference, baseline, models, profile, ..merged.report };
    Ok(merged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::{Check, CheckFailure};
    use crate::comparison::Comparison;
    use crate::frame::tests::{one_channel, one_exact};
    use crate::report::{Problem, Subject};
    use crate::{Decided, Detail, Trust};
    use parallax_num::Tier;

    /// The first shader has results, with numbers that JSON does not know; the others have none.
    fn report(names: &[&str]) -> Report {
        let shader = |name: &&str| {
            let subject = Subject { name: name.to_string(), listing: "a\nb".into(), ..Subject::default() };
            let mut shader = if *name == ALL[0] {
                let reference = one_exact(4, &[0.5, 0.1, f64::INFINITY, 1e300]);
                let frames = [[0.5, 0.1, 1.0, f32::NAN], [0.5, 0.7, f32::INFINITY, 1.0]].map(|v| one_channel(4, &v));
                let mut comparison = Comparison::new(&reference, Some(&frames[0]), Detail::default());
                comparison.add("ieee", Tier::Exact, &frames[0]);
                comparison.add("nv40", Tier::Assumed, &frames[1]);
                let decided = Decided { field: "round".into(), tier: Tier::Assumed, operations: 7 };
                comparison.set_trust(1, Trust { operations: 7, decided: vec![decided], ..Trust::default() });
                comparison.finish(subject)
            } else {
                ShaderReport::refused(subject, false, vec![Problem { place: None, message: "no".into() }])
            };
            shader.failures.push(CheckFailure { check: Check::Profile, model: None, message: "out".into() });
            shader
        };
        Report {
            tool: "parallax 0".into(),
            reference: "binary64".into(),
            baseline: "ieee".into(),
            models: vec!["ieee".into(), "nv40".into()],
            shaders: names.iter().map(shader).collect(),
            ..Report::default()
        }
    }

    const ALL: [&str; 5] = ["a", "b,c", "d", "e", "f"];

    fn parts(total: usize) -> Vec<Part> {
        let Report { tool, reference, baseline, models, .. } = report(&[]);
        let shaders = ALL.map(String::from).to_vec();
        let plan = Plan { tool, reference, baseline, models, shaders, ..Plan::default() };
        let part = |shard| {
            let names: Vec<&str> = shard_of(ALL.len(), shard, total).map(|n| ALL[n]).collect();
            Part::new(plan.clone(), shard, total, &report(&names), &vec![2; names.len()])
        };
        (1..=total).map(part).collect()
    }

    #[test]
    fn every_shader_is_in_one_shard() {
        for (shaders, total) in [(0, 1), (1, 3), (5, 5), (7, 16), (153, 16)] {
            let shards = || (1..=total).map(|shard| shard_of(shaders, shard, total));
            assert!(shards().flatten().eq(0..shaders), "{shaders} in {total}");
            let longest = shards().map(|shard| shard.len()).max().unwrap();
            assert!(shards().all(|shard| longest - shard.len() <= 1), "{shaders} in {total}");
        }
    }

    #[test]
    fn parts_in_any_order_give_the_bytes_of_an_undivided_run() {
        for total in [1, 2, 3, 7] {
            let mut all = parts(total);
            all.reverse();
            let read: Vec<Part> = (all.iter())
                .map(|part| Part::read(&part_name(part.shard, part.total), &part.text()).unwrap())
                .collect();
            let merged = merge(read).unwrap();
            let whole = report(&ALL);
            assert_eq!(crate::jsonl(&merged.report), crate::jsonl(&whole), "{total}");
            assert_eq!(crate::csv(&merged.report), crate::csv(&whole));
            assert_eq!(crate::pairs(&merged.report), crate::pairs(&whole));
            assert_eq!(crate::html(&merged.report), crate::html(&whole));
            assert_eq!(merged.exits, [2; 5]);
        }
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let mut all = parts(3);
        let missing = all.remove(1);
        assert_eq!(merge(all.clone()).unwrap_err(), "not all shards are there: run --shard 2/3");
        let mut other = missing.clone();
        other.plan.contents = "1".into();
        all.push(other);
        assert!(merge(all.clone()).unwrap_err().contains("another comparison"));
        all.pop();
        all.push(parts(2).remove(0));
        assert!(merge(all).unwrap_err().contains("keep one division"));
        assert_eq!(merge(Vec::new()).unwrap_err(), "there are no parts");
        let text = missing.text();
        let error = |name: &str, text: &str| Part::read(name, text).unwrap_err();
        assert!(error("00002-of-00003.json", &text.replace("nv40", "nv41")).contains("its checksum"));
        assert!(error("00001-of-00003.json", &text).contains("belongs into 00002-of-00003.json"));
        assert!(error("x", "{").contains("is no part"));
        assert!(error("x", &text.replace(FORM, "parallax-compare-part/0")).contains("this program reads"));
    }
}
