//! Finished shards on disk.

use crate::SweepError;
use crate::plan::Plan;
use crate::run::file_error;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A finished shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Version of this form.
    pub schema: u32,
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
    pub const SCHEMA: u32 = 2;
}

/// What every version of the form has.
#[derive(Deserialize)]
struct Form {
    schema: u32,
}

pub(crate) fn part_path(dir: &Path, shard: u32, total: u32) -> PathBuf {
    dir.join("parts").join(format!("{shard:05}-of-{total:05}.json"))
}

/// Reads and checks a part.
pub fn read_part(path: &Path) -> Result<Part, SweepError> {
    let bad = |message: String| SweepError::Part { path: path.display().to_string(), message };
    let bytes = std::fs::read(path).map_err(|error| file_error("read", path, error))?;
    let is_none = |error: serde_json::Error| bad(format!("is no part of a sweep: {error}"));
    let form: Form = serde_json::from_slice(&bytes).map_err(is_none)?;
    if form.schema != Part::SCHEMA {
        return Err(bad(format!("has form {}, this program reads form {}", form.schema, Part::SCHEMA)));
    }
    let part: Part = serde_json::from_slice(&bytes).map_err(is_none)?;
    let (op, _) = Plan::resolve(&part.plan.op, &part.plan.format)?;
    if !part.tally.fits(op.info().args.len()) || part.shard == 0 || part.shard > part.total {
        return Err(bad("is damaged: lists of the wrong length, or a shard number out of range".into()));
    }
    Ok(part)
}

/// Writes a file under a temporary name, and gives it its own name when it is complete.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), SweepError> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let written = std::fs::File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| {
        // Nothing half written stays behind; the write's own error matters more than this one's.
        let _ = std::fs::remove_file(&temporary);
        file_error("write", path, error)
    })
}

pub(crate) fn write_part(path: &Path, part: &Part) -> Result<(), SweepError> {
    let bytes = serde_json::to_vec(part)
        .map_err(|error| SweepError::Part { path: path.display().to_string(), message: error.to_string() })?;
    write_whole(path, &bytes)
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
                if part.plan != sum.plan || part.total != sum.total {
                    let what = if part.plan.version != sum.plan.version { "another version" } else { "another sweep" };
                    let message =
                        format!("comes from {what} than the parts before it; results would not mean anything");
                    return Err(SweepError::Part { path: path.display().to_string(), message });
                }
                if !seen.contains(&part.shard) {
                    seen.push(part.shard);
                    sum.tally.merge(&part.tally);
                }
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
