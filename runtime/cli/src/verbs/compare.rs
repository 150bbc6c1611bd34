//! `parallax compare`: the main job.

mod folder;
mod human;
mod job;
#[cfg(feature = "report")]
mod page;
mod shards;
mod summary;

use super::run::workers;
use crate::args::{CompareArgs, CompareFormat};
use crate::draw::clean;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{default_inputs, exit_of, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Term, print, read_from, write_to};
use human::human;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use job::{Job, Pictures, programs};
use parallax::Engine;
use parallax_num::Model;
use parallax_report::{
    Changes, Check, CheckFailure, Detail, Limits, Merged, Outcome, Report, Results, ShaderReport, Trend, answer,
};
pub(super) use shards::shard;
use shards::{Shard, plan};
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering;

pub(crate) fn run(args: &CompareArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let earlier = args.baseline.as_deref().map(since_file).transpose()?;
    if let Some(dir) = &args.merge {
        let Merged { report, exits } = shards::merged(dir)?;
        let report = Report { command: command(), ..report };
        for shader in &report.shaders {
            print(&of_shader(shader, &report, args, term))?;
        }
        let exits: Vec<Exit> = exits.into_iter().map(Exit::of_code).collect();
        return finish(report, &exits, earlier.as_ref(), (None, dir), args, term);
    }
    let mut job = job(args, engine, term)?;
    let mut inputs = Input::all(&args.paths, term);
    if earlier.is_some() {
        told_apart(&inputs)?;
    }
    let mut report = empty(&job);
    // A shard keeps as much of each program as an undivided run; without pages nobody sees what they alone show.
    job.detail = Detail { pictures: !args.no_report, ..Detail::of(inputs.len(), job.list.len()) };
    let shard = match &args.shard {
        None => None,
        Some(text) => Some(Shard::new(args, text, plan(args, &report, &inputs, &job.reading))?),
    };
    if let Some(shard) = &shard {
        if shard.is_done()? {
            term.note("this shard is already finished");
            return Ok(Exit::Done);
        }
        inputs = shard.inputs(&inputs);
    }
    if !args.no_report {
        std::fs::create_dir_all(&args.out)
            .map_err(|e| Failure::invalid(format_args!("cannot create the folder `{}`: {e}", args.out.display())))?;
    }
    let exits = compare(&job, &inputs, &mut report, term, |shader, report| of_shader(shader, report, args, term))?;
    finish(report, &exits, earlier.as_ref(), (shard, &args.out), args, term)
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

/// What is printed of a shader alone.
fn of_shader(shader: &ShaderReport, report: &Report, args: &CompareArgs, term: &Term) -> String {
    match args.format {
        CompareFormat::Human if args.verbose => human(shader, report, term),
        CompareFormat::Jsonl => parallax_report::jsonl_of(shader, report),
        CompareFormat::Human | CompareFormat::Json | CompareFormat::Csv | CompareFormat::Markdown => String::new(),
    }
}

/// Prints and keeps what was found: as a shard, or as the report in a folder.
fn finish(
    mut report: Report,
    exits: &[Exit],
    earlier: Option<&Results>,
    (shard, folder): (Option<Shard>, &Path),
    args: &CompareArgs,
    term: &Term,
) -> Result<Exit, Failure> {
    if let Some(earlier) = earlier {
        hold_against(earlier, &mut report)?;
    }
    print_whole(&report, args, term)?;
    let mut exit = exits.iter().fold(Exit::Done, |exit, &other| exit.worse(other));
    match shard {
        Some(shard) if report.unfinished == 0 => shard.keep(&report, exits, term)?,
        Some(_) => term.note("results of an unfinished shard are not kept; use more, smaller shards"),
        None if args.no_report => {}
        None => write(folder, &report, term)?,
    }
    remark(&report, term);
    if let Some(path) = &args.junit {
        write_to(path, parallax_report::junit(&report).as_bytes())?;
    }
    for shader in &report.shaders {
        for failure in &shader.failures {
            exit = exit.worse(tell(&clean(&shader.name), failure, term));
        }
    }
    if report.unfinished > 0 {
        let all = report.unfinished + report.shaders.len();
        term.note(&format!("interrupted: {} of {all} shaders not run", report.unfinished));
        exit = Exit::Interrupted;
    }
    Ok(exit)
}

/// Says which check is not passed.
fn tell(shader: &str, failure: &CheckFailure, term: &Term) -> Exit {
    let model = failure.model.as_ref().map(|model| format!(" under {model}")).unwrap_or_default();
    term.error(&format!("{}: {shader}{model}: {}", failure.check.name(), failure.message));
    Exit::CheckFailed
}

/// Reads the results of an earlier run: a file, or the folder of a report.
fn since_file(path: &Path) -> Result<Results, Failure> {
    let path = &if path.is_dir() { path.join("results.jsonl") } else { path.to_path_buf() };
    let name = clean(&path.display().to_string());
    let bytes =
        read_from(path).map_err(|e| Failure::invalid(format_args!("--baseline {name}: cannot be read: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        Failure::invalid(format_args!("--baseline {name}: not valid UTF-8 at byte {}", e.utf8_error().valid_up_to()))
    })?;
    // Some editors begin a file with a mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let results =
        Results::read(&name, text).map_err(|message| Failure::invalid(format_args!("--baseline {message}")))?;
    if results.is_empty() {
        return Err(Failure::invalid(format_args!("--baseline {name}: holds no results")));
    }
    Ok(results)
}

/// Finds what has changed since an earlier run; what is worse is a check that is not passed.
fn hold_against(earlier: &Results, report: &mut Report) -> Result<(), Failure> {
    // What was compared twice cannot be told apart later.
    let now = Results::read("this run", &parallax_report::jsonl(report)).map_err(Failure::invalid)?;
    let changes = now.since(earlier);
    for (name, failure) in hold(&changes) {
        if let Some(shader) = report.shaders.iter_mut().find(|shader| shader.name == name) {
            shader.failures.push(failure);
        }
    }
    report.changes = Some(changes);
    Ok(())
}

/// Changes that are checks not passed, with the shader's name.
fn hold(changes: &Changes) -> impl Iterator<Item = (&str, CheckFailure)> {
    changes.list.iter().filter(|change| change.trend.fails()).map(|change| {
        let worse = if change.trend == Trend::Worse { "" } else { "cannot be compared: " };
        let message = format!("{worse}{}", change.message);
        (change.shader.as_str(), CheckFailure { check: Check::Earlier, model: Some(change.model.clone()), message })
    })
}

/// What the arguments ask for.
fn job(args: &CompareArgs, engine: Engine, term: &Term) -> Result<Job, Failure> {
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote, term)?;
    // The reference is what is right: demotions do not touch it.
    let fixed = Registry::new(models(&args.rebind.model_file, term)?, &[], term)?;
    let reference = fixed.model(&args.reference, "--reference", term)?;
    // Beside real numbers vendors are set beside plain binary32; beside a model that was asked for, beside that.
    let baseline = if reference.name() == REFERENCE { BASELINE } else { &args.reference };
    Ok(Job {
        engine,
        asked: args.size.as_deref().map(size).transpose()?,
        reading: reading(&args.source, term)?,
        list: registry.list(args.models.as_deref(), term)?,
        baseline: fixed.model(baseline, "the baseline", term)?,
        reference,
        detail: Detail::default(),
        profile: args.profile.as_deref().map(|text| crate::load::profile(text, term)).transpose()?,
        limits: Limits::parse(&args.tolerance)
            .map_err(|message| Failure::invalid(format_args!("--tolerance {message}")))?,
        target: args.target,
        samples: args.samples,
        workers: workers(args.threads, term)?,
        stop: crate::signal::watch(),
    })
}

/// A report without shaders.
fn empty(job: &Job) -> Report {
    Report {
        command: command(),
        tool: format!("parallax {}", env!("CARGO_PKG_VERSION")),
        reference: job.reference.label(),
        baseline: job.baseline.label(),
        models: job.list.iter().map(Model::label).collect(),
        profile: job.profile.as_ref().map(|p| p.name.clone()),
        ..Report::default()
    }
}

/// Compares every input; gives the exit code that each asks for. `said` is printed after each.
fn compare(
    job: &Job,
    inputs: &[Input],
    report: &mut Report,
    term: &Term,
    said: impl Fn(&ShaderReport, &Report) -> String,
) -> Result<Vec<Exit>, Failure> {
    // Exactly two programs are also compared with each other.
    let mut pictures: Vec<Pictures> = Vec::new();
    let mut exits = Vec::new();
    let bar = bar(inputs.len() as u64, term);
    // As many shaders at a time as threads: each has parts that keep one thread busy alone.
    'all: for some in inputs.chunks(job.workers.threads()) {
        if job.stop.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(some[0].name.clone());
        let found = job.workers.map(some, |input| {
            let found = job.shader(input, inputs.len() == 2);
            bar.inc(1);
            found
        });
        for found in found {
            let Some((shader, taken, status)) = found else { break 'all };
            pictures.push(taken);
            exits.push(exit_of(status));
            let text = said(&shader, report);
            bar.suspend(|| print(&text))?;
            report.shaders.push(shader);
        }
    }
    bar.finish_and_clear();
    report.unfinished = inputs.len() - report.shaders.len();
    if let [a, b] = pictures.as_slice()
        && !a.is_empty()
        && !b.is_empty()
    {
        report.programs = programs(a, b, &report.models);
    }
    Ok(exits)
}

/// Prints what is said of all shaders together.
fn print_whole(report: &Report, args: &CompareArgs, term: &Term) -> Result<(), Failure> {
    match args.format {
        CompareFormat::Human => {
            let verdict = term.paint(Paint::Bold, &answer(report));
            let since = report.changes.as_ref().map(|changes| human::since(changes, term)).unwrap_or_default();
            print(&if args.verbose {
                format!("{}{since}{}{verdict}\n", human::matrix(report, term), human::programs(report, term))
            } else {
                format!("{verdict}\n{since}{}", summary::summary(report, term))
            })
        }
        CompareFormat::Json => {
            let records: Vec<_> = report.shaders.iter().flat_map(|s| parallax_report::records(s, report)).collect();
            let text =
                serde_json::to_string_pretty(&records).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
            print(&format!("{text}\n"))
        }
        CompareFormat::Csv => print(&parallax_report::csv(report)),
        CompareFormat::Markdown => print(&parallax_report::markdown(report)),
        CompareFormat::Jsonl => Ok(()),
    }
}

/// Writes the folder of the report.
fn write(folder: &Path, report: &Report, term: &Term) -> Result<(), Failure> {
    let first = folder.join(folder::FIRST);
    let compared = report.shaders.iter().any(|shader| matches!(shader.outcome, Outcome::Compared(_)));
    if !compared && first.exists() {
        term.note(&format!("nothing was compared; the report in {} is unchanged", folder.display()));
        return Ok(());
    }
    folder::write(folder, report)?;
    term.note(&format!("report: {}", first.display()));
    Ok(())
}

/// What makes equal results say less than it seems.
fn remark(report: &Report, term: &Term) {
    let named = |list: Vec<&ShaderReport>| match list.as_slice() {
        [] => None,
        [only] => Some(clean(&only.name)),
        [first, others @ ..] => Some(format!("{} and {} more", clean(&first.name), others.len())),
    };
    let ran = || report.shaders.iter().filter(|s| !s.rows().is_empty());
    if let Some(names) = named(ran().filter(|s| s.default_inputs).collect()) {
        term.note(&default_inputs(&names));
    }
    if let Some(names) = named(ran().filter(|s| s.constant).collect()) {
        term.warn(&format!("all pixels of {names} have the same colour, so equal pictures mean little"));
    }
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

/// Progress in shaders.
pub(super) fn bar(total: u64, term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(total);
    // Hidden where standard error is no terminal; the library looks at that itself.
    bar.set_draw_target(if term.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} shaders, {elapsed} elapsed, {eta} left  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// The real numbers, as far as binary64 holds them.
const REFERENCE: &str = "binary64";

/// The model vendors are set beside: binary32 with every operation correctly rounded.
const BASELINE: &str = "ieee";
