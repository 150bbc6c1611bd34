//! `parallax compare`: the main job.

mod human;
mod job;

use super::run::workers;
use crate::args::{CompareArgs, Format};
use crate::draw::clean;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{exit_of, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Term, print, write_to};
use crate::tolerance::Tolerance;
use human::{human, summary};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use job::{Job, Pictures, programs};
use parallax_num::Model;
use parallax_report::{Outcome, Report, ShaderReport, words};
use std::sync::atomic::Ordering;

pub(crate) fn run(args: &CompareArgs, term: &Term) -> Result<Exit, Failure> {
    let tolerance = Tolerance::parse(&args.tolerance)?;
    let job = job(args, term)?;
    let inputs = Input::all(&args.paths, term);
    if !args.no_report {
        std::fs::create_dir_all(&args.out)
            .map_err(|e| Failure::invalid(format_args!("cannot make the folder `{}`: {e}", args.out.display())))?;
    }
    let (report, mut exit) = compare(&job, &inputs, term, |shader, report| match args.format {
        Format::Human => human(shader, report, term),
        Format::Jsonl => jsonl(shader, report),
        Format::Json | Format::Csv => String::new(),
    })?;
    print_whole(&report, args, term)?;
    if !args.no_report {
        write(&report, args, term)?;
    }
    let failures = tolerance.failures(&report);
    for failure in &failures {
        term.error(&format!("tolerance: {failure}"));
    }
    if !failures.is_empty() {
        exit = exit.worse(Exit::CheckFailed);
    }
    let outside =
        report.shaders.iter().flat_map(|s| s.rows()).filter_map(|r| r.legality.as_ref()).any(|l| l.outside > 0);
    if outside {
        exit = exit.worse(Exit::CheckFailed);
    }
    if report.unfinished > 0 {
        let all = report.unfinished + report.shaders.len();
        term.note(&format!("interrupted: {} of {all} shaders not run", report.unfinished));
        exit = Exit::Interrupted;
    }
    Ok(exit)
}

/// What the arguments ask for.
fn job(args: &CompareArgs, term: &Term) -> Result<Job, Failure> {
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote, term)?;
    // The reference is what is right: demotions do not touch it.
    let fixed = Registry::new(models(&args.rebind.model_file, term)?, &[], term)?;
    Ok(Job {
        asked: args.size.as_deref().map(size).transpose()?,
        reading: reading(&args.source, term)?,
        list: registry.list(args.models.as_deref(), term)?,
        reference: fixed.model(&args.reference, "--reference", term)?,
        baseline: fixed.model(BASELINE, "the baseline", term)?,
        profile: args.profile.as_deref().map(|text| crate::load::profile(text, term)).transpose()?,
        target: args.target,
        samples: args.samples,
        workers: workers(args.threads, term)?,
        stop: crate::signal::watch(),
    })
}

/// Compares every input. `said` is printed after each.
fn compare(
    job: &Job,
    inputs: &[Input],
    term: &Term,
    said: impl Fn(&ShaderReport, &Report) -> String,
) -> Result<(Report, Exit), Failure> {
    let mut report = Report {
        command: command(),
        tool: format!("parallax {}", env!("CARGO_PKG_VERSION")),
        reference: job.reference.label(),
        baseline: job.baseline.label(),
        models: job.list.iter().map(Model::label).collect(),
        shaders: Vec::new(),
        unfinished: 0,
        programs: Vec::new(),
        profile: job.profile.as_ref().map(|p| p.name.clone()),
    };
    // Exactly two programs are also compared with each other.
    let mut pictures: Vec<Pictures> = Vec::new();
    let mut exit = Exit::Done;
    let bar = bar(inputs.len() as u64, term);
    for input in inputs {
        if job.stop.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(input.name.clone());
        let Some((shader, taken, status)) = job.shader(input, inputs.len() == 2) else { break };
        pictures.push(taken);
        exit = exit.worse(exit_of(status));
        bar.inc(1);
        let text = said(&shader, &report);
        bar.suspend(|| print(&text))?;
        report.shaders.push(shader);
    }
    bar.finish_and_clear();
    report.unfinished = inputs.len() - report.shaders.len();
    if let [a, b] = pictures.as_slice()
        && !a.is_empty()
        && !b.is_empty()
    {
        report.programs = programs(a, b, &report.models);
    }
    Ok((report, exit))
}

/// Prints what is said of all shaders together.
fn print_whole(report: &Report, args: &CompareArgs, term: &Term) -> Result<(), Failure> {
    match args.format {
        Format::Human => {
            print(&format!("{}{}\n", summary(report, term), term.paint(Paint::Bold, &words::verdict(report))))
        }
        Format::Json => {
            let profile_name = report.profile.as_deref();
            let records: Vec<_> =
                report.shaders.iter().flat_map(|s| parallax_report::records(s, &report.models, profile_name)).collect();
            let text =
                serde_json::to_string_pretty(&records).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
            print(&format!("{text}\n"))
        }
        Format::Csv => print(&parallax_report::csv(report)),
        Format::Jsonl => Ok(()),
    }
}

/// Writes the folder of the report.
fn write(report: &Report, args: &CompareArgs, term: &Term) -> Result<(), Failure> {
    let page = args.out.join("index.html");
    let compared = report.shaders.iter().any(|shader| matches!(shader.outcome, Outcome::Compared(_)));
    if !compared && page.exists() {
        term.note(&format!("nothing was compared; the report in {} is left as it is", args.out.display()));
        return Ok(());
    }
    write_to(&args.out.join("results.jsonl"), parallax_report::jsonl(report).as_bytes())?;
    write_to(&args.out.join("results.csv"), parallax_report::csv(report).as_bytes())?;
    write_to(&args.out.join("pairs.csv"), parallax_report::pairs(report).as_bytes())?;
    write_to(&page, parallax_report::html(report).as_bytes())?;
    term.note(&format!("report: {}", page.display()));
    Ok(())
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
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} shaders, {elapsed} so far, {eta} to go  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// The model vendors are set beside: binary32 with every operation correctly rounded.
const BASELINE: &str = "ieee";

fn jsonl(shader: &ShaderReport, report: &Report) -> String {
    parallax_report::records(shader, &report.models, report.profile.as_deref())
        .iter()
        .filter_map(|r| serde_json::to_string(r).ok())
        .map(|line| line + "\n")
        .collect()
}
