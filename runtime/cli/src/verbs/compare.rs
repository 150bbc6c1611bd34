//! `parallax compare`: the main job.

use super::run::workers;
use crate::args::{CompareArgs, Format, TargetArg};
use crate::draw::clean;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{About, Program, Reading, effect_name, exit_of, frame, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, print, write_to};
use crate::tolerance::Tolerance;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::{CANCELLED, ENDLESS, Frame, Optimise, Problems, Status, Workers};
use parallax_num::{Model, Tier};
use parallax_report::{Comparison, Outcome, Problem, Report, Row, ShaderReport, Subject, words};
use parallax_text::{Diag, DiagKind, LineMap};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) fn run(args: &CompareArgs, term: &Term) -> Result<Exit, Failure> {
    let tolerance = Tolerance::parse(&args.tolerance)?;
    let asked = args.size.as_deref().map(size).transpose()?;
    let reading = reading(&args.source, term)?;
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote, term)?;
    let list = registry.list(args.models.as_deref(), term)?;
    // The reference is what is right: demotions do not touch it.
    let reference = Registry::new(models(&args.rebind.model_file, term)?, &[], term)?;
    let reference = reference.model(&args.reference, "--reference", term)?;
    let workers = workers(args.threads, term)?;
    let inputs = Input::all(&args.paths, term);
    if !args.no_report {
        std::fs::create_dir_all(&args.out)
            .map_err(|e| Failure::invalid(format_args!("cannot make the folder `{}`: {e}", args.out.display())))?;
    }

    let stop = crate::signal::watch();
    let job = Job { reading, list, reference, asked, target: args.target, workers, stop };
    let mut report = Report {
        command: command(),
        tool: format!("parallax {}", env!("CARGO_PKG_VERSION")),
        reference: job.reference.label(),
        models: job.list.iter().map(Model::label).collect(),
        shaders: Vec::new(),
        unfinished: 0,
    };
    let mut exit = Exit::Done;
    let bar = bar(inputs.len() as u64, term);
    for input in &inputs {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(input.name.clone());
        let Some((shader, status)) = job.shader(input) else { break };
        exit = exit.worse(exit_of(status));
        bar.inc(1);
        let text = match args.format {
            Format::Human => human(&shader, &report.reference, term),
            Format::Jsonl => jsonl(&shader, &report),
            Format::Json | Format::Csv => String::new(),
        };
        bar.suspend(|| print(&text))?;
        report.shaders.push(shader);
    }
    bar.finish_and_clear();
    report.unfinished = inputs.len() - report.shaders.len();

    match args.format {
        Format::Human => print(&format!("{}\n", term.paint(Paint::Bold, &words::verdict(&report))))?,
        Format::Json => {
            let records: Vec<_> =
                report.shaders.iter().flat_map(|s| parallax_report::records(s, &report.models)).collect();
            let text =
                serde_json::to_string_pretty(&records).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
            print(&format!("{text}\n"))?;
        }
        Format::Csv => print(&parallax_report::csv(&report))?,
        Format::Jsonl => {}
    }
    let page = args.out.join("index.html");
    let compared = report.shaders.iter().any(|shader| matches!(shader.outcome, Outcome::Compared(_)));
    if !args.no_report && !compared && page.exists() {
        term.note(&format!("nothing was compared; the report in {} is left as it is", args.out.display()));
    } else if !args.no_report {
        write_to(&args.out.join("results.jsonl"), parallax_report::jsonl(&report).as_bytes())?;
        write_to(&args.out.join("results.csv"), parallax_report::csv(&report).as_bytes())?;
        write_to(&page, parallax_report::html(&report).as_bytes())?;
        term.note(&format!("report: {}", page.display()));
    }
    let failures = tolerance.failures(&report);
    for failure in &failures {
        term.error(&format!("tolerance: {failure}"));
    }
    if !failures.is_empty() {
        exit = exit.worse(Exit::CheckFailed);
    }
    if report.unfinished > 0 {
        term.note(&format!("interrupted: {} of {} shaders not run", report.unfinished, inputs.len()));
        exit = Exit::Interrupted;
    }
    Ok(exit)
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

fn bar(total: u64, term: &Term) -> ProgressBar {
    let bar = ProgressBar::new(total);
    // Hidden where standard error is no terminal; the library looks at that itself.
    bar.set_draw_target(if term.quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() });
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} shaders, {elapsed} so far, {eta} to go  {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

struct Job {
    reading: Reading,
    list: Vec<Model>,
    reference: Model,
    asked: Option<(u32, u32)>,
    target: TargetArg,
    workers: Workers,
    stop: &'static AtomicBool,
}

/// Why a shader has no result.
enum Refusal {
    Problems(Problems),
    Interrupted,
}

impl Job {
    /// One shader under all models; `None` when the user interrupted. Whatever happens stays with this shader.
    fn shader(&self, input: &Input) -> Option<(ShaderReport, Status)> {
        let program = Program::load(input, &self.reading);
        let isa = program.loaded.as_ref().map_or("", |l| l.isa);
        let mut subject = Subject {
            name: input.name.clone(),
            isa: isa.to_string(),
            effect: effect_name(&input.name),
            listing: clean_listing(program.text()),
            ..Subject::default()
        };
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| self.compare(&program, &mut subject)));
        let problems = match outcome {
            Ok(Ok(report)) => return Some((report, Status::Ok)),
            Ok(Err(Refusal::Interrupted)) => return None,
            Ok(Err(Refusal::Problems(problems))) => problems,
            Err(_) => {
                let diag = Diag::internal("panic", None, "this shader meets a bug of parallax");
                Problems::new(&program.name, "", vec![diag])
            }
        };
        let status = Status::of(&problems.diags);
        Some((ShaderReport::refused(subject, status == Status::Unsupported, listed(&problems, input)), status))
    }

    fn compare(&self, program: &Program, subject: &mut Subject) -> Result<ShaderReport, Refusal> {
        let at_program = |diags: Vec<Diag>| Refusal::Problems(Problems::new(&program.name, program.text(), diags));
        let (Some(loaded), Status::Ok) = (&program.loaded, program.status()) else {
            return Err(at_program(program.diags.clone()));
        };
        let (mut draw, About { effect, title, about }) = program.draw().map_err(Refusal::Problems)?;
        (subject.effect, subject.title, subject.about) = (effect, title, about);
        if let Some((width, height)) = self.asked {
            (draw.width, draw.height) = (width, height);
        }
        self.target.apply(&mut draw.targets);
        let Some(shader) = &loaded.shader else { return Err(at_program(Vec::new())) };
        let run = |model: &Model| -> Result<(Tier, Result<Frame, Vec<Diag>>), Refusal> {
            let compiled = parallax::compile(shader, model, Optimise::Yes).map_err(at_program)?;
            match frame(&compiled, &draw, &self.workers, self.stop) {
                Err(diags) if diags.iter().any(|d| d.code == CANCELLED) => Err(Refusal::Interrupted),
                result => Ok((compiled.tier(), result)),
            }
        };
        let (tier, reference) = run(&self.reference)?;
        let reference = reference.map_err(at_program)?;
        let mut comparison = Comparison::new(&reference);
        for model in &self.list {
            if model.label() == self.reference.label() {
                comparison.add(model.label(), tier, &reference);
                continue;
            }
            match run(model)? {
                (tier, Ok(found)) => comparison.add(model.label(), tier, &found),
                // What ends under the reference and not here is a finding about this model.
                (tier, Err(diags)) if diags.iter().all(|d| d.code == ENDLESS) => {
                    comparison.refuse(model.label(), tier, diags.first().map_or("", |d| &d.message));
                }
                (_, Err(diags)) => return Err(at_program(diags)),
            }
        }
        Ok(comparison.finish(std::mem::take(subject)))
    }
}

/// A listing without characters that a page or a terminal would take for more than text.
fn clean_listing(text: &str) -> String {
    const MOST: usize = 200_000;
    let mut end = text.len().min(MOST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text[..end].chars().map(|c| if c.is_control() && !matches!(c, '\n' | '\t') { '\u{fffd}' } else { c }).collect()
}

/// Problems as the report lists them; warnings are left out.
fn listed(problems: &Problems, input: &Input) -> Vec<Problem> {
    let map = LineMap::new(&problems.text);
    problems
        .diags
        .iter()
        .filter(|d| d.is_error())
        .map(|d| {
            let place = d.span.filter(|_| !problems.text.is_empty()).map(|span| {
                let place = map.place(&problems.text, span.start);
                (place.line, place.column)
            });
            // Binaries have no lines.
            let offset = match d.span {
                Some(span) if problems.text.is_empty() => format!("byte {}: ", span.start),
                _ => String::new(),
            };
            let whose = if problems.name == input.name { String::new() } else { format!("{}: ", problems.name) };
            let bug = if d.kind == DiagKind::Internal { "internal error: " } else { "" };
            Problem { place, message: clean(&format!("{whose}{offset}{bug}{}", d.message)) }
        })
        .collect()
}

fn jsonl(shader: &ShaderReport, report: &Report) -> String {
    parallax_report::records(shader, &report.models)
        .iter()
        .filter_map(|r| serde_json::to_string(r).ok())
        .map(|line| line + "\n")
        .collect()
}

fn human(shader: &ShaderReport, reference: &str, term: &Term) -> String {
    let mut out = term.paint(Paint::Bold, &clean(&shader.name));
    let (width, height) = shader.size;
    match &shader.outcome {
        Outcome::Refused { unsupported, problems } => {
            let paint = if *unsupported { Paint::Yellow } else { Paint::Red };
            out.push_str(&format!("  {}\n", term.paint(paint, &shader.status().to_uppercase())));
            for p in problems.iter().take(20) {
                let place = p.place.map(|(line, column)| format!("{line}:{column}: ")).unwrap_or_default();
                out.push_str(&format!("  {place}{}\n", p.message));
            }
            if problems.len() > 20 {
                out.push_str(&format!("  ... and {} more problems\n", problems.len() - 20));
            }
            // One problem is the whole sentence.
            let end =
                if problems.len() == 1 { "\n".into() } else { format!("  {}\n\n", words::sentence(shader, reference)) };
            out.push_str(&end);
        }
        Outcome::Compared(rows) => {
            let title = if shader.title.is_empty() { String::new() } else { format!("  {}", clean(&shader.title)) };
            let target = shader.target.as_ref().map(|t| format!(", stored as {t}")).unwrap_or_default();
            out.push_str(&format!("{title} ({}, {width}x{height}{target})\n", shader.isa));
            out.push_str(&table(rows, reference).print(term, "  "));
            out.push_str(&format!("  {}\n\n", words::sentence(shader, reference)));
        }
    }
    out
}

fn table(rows: &[Row], reference: &str) -> Table {
    let titles =
        ["model", "tier", ">equal", ">max ulp", ">mean ulp", ">special", ">flips", ">8-bit pixels", ">by up to"];
    let mut table = Table::new(&titles);
    for row in rows {
        let m = &row.metrics;
        if let Some(reason) = &row.refused {
            let cells =
                [(Paint::Plain, &row.model), (Paint::Dim, &row.tier.name().to_string()), (Paint::Yellow, reason)];
            table.row(cells.map(|(paint, text)| (paint, text.clone())).to_vec());
            continue;
        }
        let name = if row.model == reference { format!("{} *", row.model) } else { row.model.clone() };
        let alarm = |n: u64| (if n > 0 { Paint::Red } else { Paint::Plain }, n.to_string());
        let figure = |v: f64| (Paint::Plain, if m.measured > 0 { words::ulps(v) } else { "–".into() });
        let equal = if m.identical() { Paint::Green } else { Paint::Plain };
        let eight = match m.max8 {
            0 => Paint::Plain,
            1..=15 => Paint::Yellow,
            _ => Paint::Red,
        };
        table.row(vec![
            (Paint::Plain, name),
            (Paint::Dim, row.tier.name().into()),
            (equal, words::percent(m.equal, m.components)),
            figure(m.max_ulp),
            figure(m.mean_ulp),
            alarm(m.special_mismatch),
            alarm(m.coverage_flips),
            (eight, m.pixels8_changed.to_string()),
            (eight, format!("{}/255", m.max8)),
        ]);
    }
    table
}
