//! What the arguments ask for, before anything is done.

use super::captures;
use super::job::{Causes, Explained, Job};
use super::shards::{self, Shard};
use super::tell::{Earlier, Telling};
use crate::args::{CompareArgs, CompareFormat};
use crate::exit::Failure;
use crate::input::Input;
use crate::load::{models, profile, reading, size};
use crate::registry::Registry;
use crate::term::{Term, read_from};
use crate::verbs::run::workers;
use parallax::Engine;
use parallax_num::Model;
use parallax_report::picture::Effort;
use parallax_report::{Detail, Limits, Merged, Report, Results, Slack};
use parallax_text::clean;
use std::collections::HashSet;
use std::path::Path;

/// The real numbers, as far as binary64 holds them.
const REFERENCE: &str = "binary64";

/// The model vendors are compared with: binary32 with every operation correctly rounded.
const BASELINE: &str = "ieee";

/// A comparison, and what becomes of its results.
pub(super) struct Plan {
    pub(super) work: Work,
    pub(super) telling: Telling,
}

/// Where results come from.
pub(super) enum Work {
    /// Shards that were run before.
    Merge(Merged),
    /// Shaders, all or those of a shard.
    Run(Box<Job>, Vec<Input>, Option<Shard>),
    /// A shard that was run before.
    Finished,
}

/// What the arguments ask for.
pub(super) fn plan(args: &CompareArgs, engine: Engine, term: &Term) -> Result<Plan, Failure> {
    let earlier = args.baseline.as_deref().map(|path| earlier_results(args, path)).transpose()?;
    let (work, folder) = match &args.merge {
        Some(dir) => (merged(args, dir)?, dir),
        None => {
            let job = job(args, engine, term)?;
            (work(args, job, earlier.is_some(), term)?, &args.out)
        }
    };
    let telling = Telling {
        earlier,
        format: args.format,
        verbose: args.verbose,
        folder: (!args.no_report).then(|| folder.clone()),
        junit: args.junit.clone(),
        captures: args.capture.len(),
    };
    Ok(Plan { work, telling })
}

/// What shards found, under this command.
fn merged(args: &CompareArgs, dir: &Path) -> Result<Work, Failure> {
    let Merged { report, exits } = shards::merged(dir)?;
    Ok(Work::Merge(Merged { report: Report { command: command(), effort: effort(args), ..report }, exits }))
}

/// Reads the results of an earlier run: a file, or the folder of a report.
fn earlier_results(args: &CompareArgs, path: &Path) -> Result<Earlier, Failure> {
    let path = &if path.is_dir() { path.join("results.jsonl") } else { path.to_path_buf() };
    let slack = Slack::parse(&args.baseline_slack)
        .map_err(|message| Failure::invalid(format_args!("--baseline-slack {message}")))?;
    let update = args.update_baseline.then(|| path.clone());
    let name = clean(&path.display().to_string());
    if update.is_some() && !path.exists() {
        return Ok(Earlier { results: Results::default(), slack, update });
    }
    let bytes =
        read_from(path).map_err(|e| Failure::invalid(format_args!("--baseline {name}: cannot be read: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        Failure::invalid(format_args!("--baseline {name}: not valid UTF-8 at byte {}", e.utf8_error().valid_up_to()))
    })?;
    // Some editors begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let results =
        Results::read(&name, text).map_err(|message| Failure::invalid(format_args!("--baseline {message}")))?;
    if results.is_empty() && update.is_none() {
        return Err(Failure::invalid(format_args!("--baseline {name}: holds no results")));
    }
    Ok(Earlier { results, slack, update })
}

/// What every shader is drawn with.
fn job(args: &CompareArgs, engine: Engine, term: &Term) -> Result<Job, Failure> {
    let user = models(&args.rebind.model_file, term)?;
    let registry = Registry::new(user.clone(), &args.rebind.demote)?;
    // The reference is what is right: demotions do not touch it.
    let fixed = Registry::new(user, &[])?;
    let reference = fixed.model(&args.reference, "--reference")?;
    // Against real numbers vendors are compared with plain binary32; against a model that was asked for, with that.
    let baseline = if reference.name() == REFERENCE { BASELINE } else { &args.reference };
    let asked = args.size.as_deref().map(size).transpose()?;
    let reading = reading(&args.source)?;
    let list = registry.list(args.models.as_deref())?;
    let baseline = fixed.model(baseline, "the baseline")?;
    let profile = args.profile.as_deref().map(profile).transpose()?;
    let report = Report {
        command: command(),
        tool: format!("parallax {}", env!("CARGO_PKG_VERSION")),
        reference: reference.label(),
        baseline: baseline.label(),
        models: list.iter().map(Model::label).collect(),
        profile: profile.as_ref().map(|profile| profile.name.clone()),
        effort: effort(args),
        ..Report::default()
    };
    Ok(Job {
        report,
        engine,
        asked,
        reading,
        list,
        captures: Vec::new(),
        baseline,
        reference,
        detail: Detail::default(),
        causes: Causes { trust: true, blame: Explained::All },
        profile,
        limits: Limits::parse(&args.tolerance)
            .map_err(|message| Failure::invalid(format_args!("--tolerance {message}")))?,
        target: args.target,
        samples: args.samples,
        workers: workers(args.threads, term)?,
        stop: crate::signal::watch(),
    })
}

/// The shaders of the comparison, or those of its shard.
fn work(args: &CompareArgs, mut job: Job, holds_against: bool, term: &Term) -> Result<Work, Failure> {
    let inputs = Input::all(&args.paths, term);
    if holds_against {
        told_apart(&inputs)?;
    }
    job.captures = captures::read(&args.capture, &job.report.models, &inputs)?;
    job.report.models.extend(job.captures.iter().map(|column| column.name.clone()));
    job.asked = job.asked.or(captures::size(&job.captures));
    // A shard keeps as much of each program as an undivided run; without pages nobody sees what they alone show.
    let figures = figures(args, inputs.len(), holds_against);
    let most = Detail::of(inputs.len(), job.list.len());
    let pixels = if args.all_pixels { usize::MAX } else { most.pixels };
    job.detail = Detail { pictures: !args.no_report, figures, pixels };
    if args.no_report && args.shard.is_none() {
        job.causes = printed(args, inputs.len());
    }
    let Some(text) = &args.shard else { return Ok(Work::Run(Box::new(job), inputs, None)) };
    let shard = Shard::new(args, text, shards::plan(args, &job.report, &inputs, &job.reading))?;
    if shard.is_done()? {
        return Ok(Work::Finished);
    }
    let inputs = shard.inputs(&inputs);
    Ok(Work::Run(Box::new(job), inputs, Some(shard)))
}

/// What is shown of so many programs where nothing is kept.
fn printed(args: &CompareArgs, programs: usize) -> Causes {
    match args.format {
        CompareFormat::Human => Causes { trust: args.verbose || programs == 1, blame: Explained::Worst },
        CompareFormat::Markdown => Causes { trust: false, blame: Explained::Worst },
        CompareFormat::Json | CompareFormat::Jsonl | CompareFormat::Csv => {
            Causes { trust: true, blame: Explained::None }
        }
    }
}

/// Whether errors are told, and not only what differs.
fn figures(args: &CompareArgs, programs: usize, holds_against: bool) -> bool {
    let kept = !args.no_report || args.shard.is_some() || args.junit.is_some() || holds_against;
    kept || match args.format {
        CompareFormat::Human => args.verbose || programs == 1,
        CompareFormat::Markdown => false,
        CompareFormat::Json | CompareFormat::Jsonl | CompareFormat::Csv => true,
    }
}

/// Whether every program has a name of its own, without which earlier results are not known to be its own.
fn told_apart(inputs: &[Input]) -> Result<(), Failure> {
    let mut names = HashSet::new();
    match inputs.iter().find(|input| !names.insert(input.name.as_str())) {
        None => Ok(()),
        Some(twice) => Err(Failure::invalid(format_args!(
            "--baseline: {} is compared twice; name every program once, so that its results can be told apart",
            clean(&twice.name)
        ))),
    }
}

/// How hard pictures are compressed.
fn effort(args: &CompareArgs) -> Effort {
    if args.small_pictures { Effort::Small } else { Effort::Fast }
}

/// The command as it would be typed again.
fn command() -> String {
    let quote = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    };
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quote(clean(&word.to_string_lossy()))).collect();
    format!("parallax {}", words.join(" "))
}
