//! What is said and kept of a comparison: on the terminal, as data, in the folder of the report.

use super::captures;
use super::folder;
use super::human;
use super::shards::Shard;
use crate::args::CompareFormat;
use crate::exit::{Exit, Failure};
use crate::load::default_inputs;
use crate::term::{Term, print, write_to};
use parallax_report::{Changes, Check, CheckFailure, Outcome, Report, Results, ShaderReport, Slack, Trend};
use parallax_text::clean;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// How results are told, and where they are kept.
pub(super) struct Telling {
    /// Earlier results that these are compared with.
    pub(super) earlier: Option<Earlier>,
    pub(super) format: CompareFormat,
    /// Whether every program gets a table.
    pub(super) verbose: bool,
    /// Folder of the report, if there is to be one.
    pub(super) folder: Option<PathBuf>,
    /// Where results go as JUnit XML.
    pub(super) junit: Option<PathBuf>,
    /// The last columns that are pictures of other renderers.
    pub(super) captures: usize,
}

/// Earlier results, and how they are compared with.
pub(super) struct Earlier {
    pub(super) results: Results,
    /// How much figures may grow.
    pub(super) slack: Slack,
    /// The file that takes the results of this run, if it is to.
    pub(super) update: Option<PathBuf>,
}

impl Telling {
    /// What is printed of a shader alone, as soon as it is compared.
    pub(super) fn of_shader(&self, shader: &ShaderReport, report: &Report, term: &Term) -> String {
        match self.format {
            CompareFormat::Human if self.verbose => human::human(shader, report, term),
            CompareFormat::Jsonl => parallax_report::jsonl_of(shader, report),
            CompareFormat::Human | CompareFormat::Json | CompareFormat::Csv | CompareFormat::Markdown => String::new(),
        }
    }

    /// Prints and keeps what was found: as a shard, or as the report in a folder.
    pub(super) fn finish(
        &self,
        mut report: Report,
        exits: &[Exit],
        shard: Option<Shard>,
        term: &Term,
    ) -> Result<Exit, Failure> {
        if let Some(earlier) = &self.earlier {
            hold_against(earlier, &mut report)?;
            earlier.replace(&report, term)?;
        }
        print(&self.of_all(&report, term)?)?;
        match (shard, &self.folder) {
            (Some(shard), _) if report.unfinished == 0 => shard.keep(&report, exits, term)?,
            (Some(_), _) => term.note("results of an unfinished shard are not kept; use more, smaller shards"),
            (None, None) => {}
            (None, Some(folder)) => write(folder, &report, term)?,
        }
        remark(&report, term);
        if let Some(path) = &self.junit {
            write_to(path, parallax_report::junit(&report).as_bytes())?;
        }
        let mut exit = exits.iter().fold(Exit::Done, |exit, &other| exit.worse(other));
        for (shader, failure) in report.shaders.iter().flat_map(|s| s.failures.iter().map(move |f| (s, f))) {
            let model = failure.model.as_ref().map(|model| format!(" under {model}")).unwrap_or_default();
            term.error(&format!("{}: {}{model}: {}", failure.check.name(), clean(&shader.name), failure.message));
            exit = exit.worse(Exit::CheckFailed);
        }
        if report.unfinished > 0 {
            let all = report.unfinished + report.shaders.len();
            term.note(&format!("interrupted: {} of {all} shaders not run", report.unfinished));
            exit = Exit::Interrupted;
        }
        Ok(exit)
    }

    /// What is said of all shaders together.
    fn of_all(&self, report: &Report, term: &Term) -> Result<String, Failure> {
        Ok(match self.format {
            CompareFormat::Human => human::all(report, self.verbose, term) + &captures::said(report, self.captures),
            CompareFormat::Json => {
                let records: Vec<_> = report.shaders.iter().flat_map(|s| parallax_report::records(s, report)).collect();
                let text = serde_json::to_string_pretty(&records);
                text.map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))? + "\n"
            }
            CompareFormat::Csv => parallax_report::csv(report),
            CompareFormat::Markdown => parallax_report::markdown(report),
            CompareFormat::Jsonl => String::new(),
        })
    }
}

impl Earlier {
    /// Puts the results of this run in the place of the earlier ones, if that is asked.
    fn replace(&self, report: &Report, term: &Term) -> Result<(), Failure> {
        let Some(path) = &self.update else { return Ok(()) };
        let name = clean(&path.display().to_string());
        if report.unfinished > 0 || report.shaders.is_empty() {
            term.note(&format!("the comparison is not finished; {name} is unchanged"));
            return Ok(());
        }
        write_to(path, parallax_report::jsonl(report).as_bytes())?;
        let gone = report.changes.as_ref().map_or(0, |changes| changes.count(Trend::Gone));
        let lost = if gone > 0 { format!("; {gone} that were not compared now are gone") } else { String::new() };
        term.note(&format!("{name} holds the results of this run{lost}"));
        Ok(())
    }
}

/// Finds what has changed since an earlier run; what is worse is a check that is not passed.
fn hold_against(earlier: &Earlier, report: &mut Report) -> Result<(), Failure> {
    // What was compared twice cannot be told apart later.
    let now = Results::read("this run", &parallax_report::jsonl(report)).map_err(Failure::invalid)?;
    let own: HashMap<&str, &Slack> = report.shaders.iter().map(|shader| (&*shader.name, &shader.slack)).collect();
    let changes =
        now.since(&earlier.results, |name| own.get(name).map_or_else(Slack::default, |own| earlier.slack.but(own)));
    // What is to be replaced is accepted.
    for (name, failure) in hold(&changes).filter(|_| earlier.update.is_none()) {
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
