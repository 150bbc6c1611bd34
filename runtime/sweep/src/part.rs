//! Finished shards on disk.

use crate::error::SweepError;
use crate::plan::{Plan, hash};
use crate::run::{file_error, shard_inputs};
use crate::tally::Tally;
use crate::whole::write_whole;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A finished shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Version of this form.
    pub schema: u32,
    /// Hash of everything else: what is added up must be what was counted.
    checksum: String,
    /// The whole sweep.
    pub plan: Plan,
    /// Shard number, from 1.
    pub shard: u32,
    /// Number of shards.
    pub total: u32,
    /// What the shard counted.
    pub tally: Tally,
}

impl Part {
    /// Current version of the form.
    pub const SCHEMA: u32 = 3;

    /// What shard number `shard` of `total` counted.
    pub fn new(plan: Plan, shard: u32, total: u32, tally: Tally) -> Part {
        let mut part = Part { schema: Part::SCHEMA, checksum: String::new(), plan, shard, total, tally };
        part.checksum = part.sum();
        part
    }

    fn sum(&self) -> String {
        let Part { schema, checksum: _, plan, shard, total, tally } = self;
        // Numbers, strings and lists: cannot fail.
        let text = serde_json::to_string(&(schema, plan, shard, total, tally)).unwrap_or_default();
        format!("{:016x}", hash(&text))
    }

    /// Why the part cannot be what a shard counted.
    fn damage(&self) -> Option<String> {
        if self.checksum != self.sum() {
            return Some("its checksum does not match its contents".into());
        }
        let (op, decl) = match Plan::resolve(&self.plan.op, &self.plan.format) {
            Ok(found) => found,
            Err(error) => return Some(error.to_string()),
        };
        let arity = op.info().args.len();
        if let Err(error) = self.plan.check_inputs(decl, arity) {
            return Some(error.to_string());
        }
        if self.shard == 0 || self.shard > self.total {
            return Some(format!("shard {} of {} does not exist", self.shard, self.total));
        }
        let inputs = self.plan.inputs.count(decl, arity);
        self.tally.damage(arity, inputs, shard_inputs(inputs, self.shard, self.total))
    }
}

/// What every version of the form has.
#[derive(Deserialize)]
struct Form {
    schema: u32,
}

pub(crate) fn part_path(dir: &Path, shard: u32, total: u32) -> PathBuf {
    dir.join("parts").join(part_name(shard, total))
}

fn part_name(shard: u32, total: u32) -> String {
    format!("{shard:05}-of-{total:05}.json")
}

/// Reads and checks a part. What it holds must be what its name says.
pub fn read_part(path: &Path) -> Result<Part, SweepError> {
    let bad = |message: String| SweepError::Part { path: path.display().to_string(), message };
    let bytes = std::fs::read(path).map_err(|error| file_error("read", path, error))?;
    let is_none = |error: serde_json::Error| bad(format!("is not a part of a sweep: {error}"));
    let form: Form = serde_json::from_slice(&bytes).map_err(is_none)?;
    if form.schema != Part::SCHEMA {
        return Err(bad(format!("has format version {}; this program reads version {}", form.schema, Part::SCHEMA)));
    }
    let part: Part = serde_json::from_slice(&bytes).map_err(is_none)?;
    if let Some(damage) = part.damage() {
        return Err(bad(format!("is damaged: {damage}; delete it and run shard {} again", part.shard)));
    }
    let name = part_name(part.shard, part.total);
    if path.file_name().is_none_or(|found| found != name.as_str()) {
        let message = format!(
            "holds shard {} of {}, which belongs in {name}; rename it, or delete it and run the missing shard",
            part.shard, part.total
        );
        return Err(bad(message));
    }
    Ok(part)
}

/// Writes a file that survives what ends the process or the system.
pub(crate) fn write_synced(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    write_whole(path, |file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .map_err(|error| file_error("write", path, error))
}

pub(crate) fn write_part(path: &Path, part: &Part) -> Result<(), SweepError> {
    let bytes = serde_json::to_vec(part)
        .map_err(|error| SweepError::Part { path: path.display().to_string(), message: error.to_string() })?;
    write_synced(path, &bytes)
}

/// Adds up all parts under `dir`. Refuses parts of different sweeps or versions, and incomplete sets.
pub fn merge(dir: &Path) -> Result<(Plan, Tally), SweepError> {
    let parts = dir.join("parts");
    let listing = std::fs::read_dir(&parts).map_err(|error| file_error("read", &parts, error))?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in listing {
        let path = entry.map_err(|error| file_error("read", &parts, error))?.path();
        if path.extension().is_some_and(|e| e == "json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut first: Option<Part> = None;
    let mut seen: Vec<u32> = Vec::new();
    for path in paths {
        let part = read_part(&path)?;
        match &mut first {
            None => {
                seen.push(part.shard);
                first = Some(part);
            }
            Some(sum) => {
                let what = match () {
                    () if part.plan.version != sum.plan.version => "comes from another version".to_string(),
                    () if part.plan != sum.plan => "comes from another sweep".to_string(),
                    () if part.total != sum.total => format!("is one of {} shards, unlike the others", part.total),
                    () => {
                        // Names are unique and say the shard.
                        seen.push(part.shard);
                        sum.tally.merge(&part.tally);
                        continue;
                    }
                };
                let message = format!("{what} than the parts before it, so the results would be meaningless");
                return Err(SweepError::Part { path: path.display().to_string(), message });
            }
        }
    }
    let Some(sum) = first else { return Err(SweepError::Incomplete { missing: 1, total: 1, first: 1 }) };
    if let Some(missing) = (1..=sum.total).find(|s| !seen.contains(s)) {
        let left = sum.total - seen.len() as u32;
        return Err(SweepError::Incomplete { missing: left, total: sum.total, first: missing });
    }
    Ok((sum.plan, sum.tally))
}
