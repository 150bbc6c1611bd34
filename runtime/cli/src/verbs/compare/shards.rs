//! A comparison in shards: `--shard K/N` runs one, `--merge DIR` puts them together.

use crate::args::CompareArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading};
use crate::term::{Term, read_from, write_own};
use parallax_report::{Merged, Part, Plan, Report, contents_hash, merge, part_name, shard_of};
use std::path::{Path, PathBuf};

/// Each shard is a file.
const MOST: u32 = 100_000;

/// `K/N`.
pub(crate) fn shard(text: &str) -> Result<(u32, u32), Failure> {
    let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
    match parts {
        Some((_, n)) if n > MOST => Err(Failure::invalid(format!("--shard {text}: there are at most {MOST} shards"))),
        Some((k, n)) if k >= 1 && k <= n => Ok((k, n)),
        Some((k, n)) => Err(Failure::invalid(format!("shard {k} of {n} does not exist; shards are numbered from 1"))),
        None => Err(Failure::invalid(format!("`--shard {text}` is not a shard; write `2/8` for the second of eight"))),
    }
}

/// One shard of a comparison.
pub(super) struct Shard {
    plan: Plan,
    shard: usize,
    total: usize,
    path: PathBuf,
}

impl Shard {
    /// The shard that is asked for.
    pub(super) fn new(args: &CompareArgs, text: &str, plan: Plan) -> Result<Shard, Failure> {
        let (shard, total) = shard(text)?;
        let (shard, total) = (shard as usize, total as usize);
        if args.no_report {
            return Err(Failure::invalid("--shard stores its results in a folder: drop --no-report"));
        }
        let path = args.out.join("parts").join(part_name(shard, total));
        Ok(Shard { plan, shard, total, path })
    }

    /// Whether it was run before, with the same plan.
    pub(super) fn is_done(&self) -> Result<bool, Failure> {
        if !self.path.exists() {
            return Ok(false);
        }
        let part = read_part(&self.path)?;
        if part.plan != self.plan {
            let message = format!(
                "{} comes from another comparison; delete the folder, or choose another with --out",
                self.path.display()
            );
            return Err(Failure::invalid(message));
        }
        Ok(true)
    }

    /// Its share of the inputs.
    pub(super) fn inputs(&self, inputs: &[Input]) -> Vec<Input> {
        shard_of(inputs.len(), self.shard, self.total).map(|n| inputs[n].clone()).collect()
    }

    /// Keeps what was found.
    pub(super) fn keep(self, report: &Report, exits: &[Exit], term: &Term) -> Result<(), Failure> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| Failure::write(format_args!("`{}`", folder.display()), &e))?;
        }
        let exits: Vec<u8> = exits.iter().map(|exit| *exit as u8).collect();
        let part = Part::new(self.plan, self.shard, self.total, report, &exits);
        write_own(&self.path, part.text().as_bytes())?;
        let folder = self.path.ancestors().nth(2).unwrap_or(Path::new(""));
        term.note(&format!("shard {} of {} is in {}", self.shard, self.total, self.path.display()));
        term.note(&format!("when all shards are there: parallax compare --merge {}", folder.display()));
        Ok(())
    }
}

/// What the arguments compare, as parts say it.
pub(super) fn plan(args: &CompareArgs, report: &Report, inputs: &[Input], reading: &Reading) -> Plan {
    let mut options: Vec<String> = Vec::new();
    options.extend(args.size.iter().map(|size| format!("--size {size}")));
    options.extend(args.rebind.demote.iter().map(|text| format!("--demote {text}")));
    options.extend(args.tolerance.iter().map(|text| format!("--tolerance {text}")));
    options.extend(args.source.from.iter().map(|isa| format!("--from {isa}")));
    options.extend(args.source.settings.iter().map(|text| format!("--set {text}")));
    options.extend(args.source.relaxed.iter().map(|how| format!("--relaxed {how}")));
    options.extend(args.source.subgroup.iter().map(|width| format!("--subgroup {width}")));
    options.extend(args.source.entry.iter().map(|name| format!("--entry {name}")));
    options.extend(args.source.stage.iter().map(|stage| format!("--stage {stage}")));
    options.extend(args.source.spec.iter().map(|text| format!("--spec {text}")));
    options.extend(args.all_pixels.then(|| "--all-pixels".to_string()));
    options.extend(args.target.text());
    options.extend(args.samples.text());
    let mut contents: Vec<Vec<u8>> = Vec::new();
    for input in inputs {
        contents.push(input.bytes().to_vec());
        contents.push(Program::manifest_text(input, reading).into_bytes());
    }
    // They have been read once already.
    for path in &args.rebind.model_file {
        contents.push(read_from(path).unwrap_or_default());
    }
    if let Some(profile) = args.profile.as_deref().filter(|text| parallax::builtin_profile(text).is_none()) {
        contents.push(read_from(Path::new(profile)).unwrap_or_default());
    }
    Plan {
        tool: report.tool.clone(),
        reference: report.reference.clone(),
        baseline: report.baseline.clone(),
        models: report.models.clone(),
        profile: report.profile.clone(),
        options,
        shaders: inputs.iter().map(|input| input.name.clone()).collect(),
        contents: contents_hash(contents.iter().map(Vec::as_slice)),
    }
}

fn read_part(path: &Path) -> Result<Part, Failure> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let at = |message: String| Failure::invalid(format_args!("{}: {message}", path.display()));
    let bytes = std::fs::read(path).map_err(|e| at(format!("cannot be read: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|_| at("is no text".into()))?;
    Part::read(&name, &text).map_err(at)
}

/// What all shards in a folder found, put together.
pub(super) fn merged(dir: &Path) -> Result<Merged, Failure> {
    let parts = dir.join("parts");
    let listing = std::fs::read_dir(&parts).map_err(|e| {
        Failure::invalid(format_args!(
            "no shards in {}: {e}; create them with --shard K/N --out {}",
            parts.display(),
            dir.display()
        ))
    })?;
    let mut paths: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // What is being written, or was interrupted, has another ending.
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let parts = paths.iter().map(|path| read_part(path)).collect::<Result<Vec<Part>, Failure>>()?;
    merge(parts).map_err(Failure::invalid)
}
