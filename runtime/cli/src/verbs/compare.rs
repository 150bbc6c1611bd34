//! `parallax compare`: the main job.

use super::run::workers;
use crate::args::{CompareArgs, Format, SamplesArg, TargetArg};
use crate::draw::clean;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{About, Program, Reading, effect_name, exit_of, frame, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, print, write_to};
use crate::tolerance::Tolerance;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parallax::{
    CANCELLED, Canonical, Control, Draw, ENDLESS, Frame, Optimise, Problems, Status, Workers, compile_bound, is_alike,
};
use parallax_core::{Bound, Shader, Symbolic};
use parallax_explain::{Explanation, Options, explain};
use parallax_num::{Model, Profile};
use parallax_report::{
    Comparison, Legality, Outcome, Problem, ProgramPair, Report, Row, ShaderReport, Snapshot, Subject, Trust, Verdict,
    legality, observed_draw, trust, words,
};
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
    let fixed = Registry::new(models(&args.rebind.model_file, term)?, &[], term)?;
    let reference = fixed.model(&args.reference, "--reference", term)?;
    let baseline = fixed.model(BASELINE, "the baseline", term)?;
    let profile = args.profile.as_deref().map(|text| crate::load::profile(text, term)).transpose()?;
    let workers = workers(args.threads, term)?;
    let inputs = Input::all(&args.paths, term);
    if !args.no_report {
        std::fs::create_dir_all(&args.out)
            .map_err(|e| Failure::invalid(format_args!("cannot make the folder `{}`: {e}", args.out.display())))?;
    }

    let stop = crate::signal::watch();
    let job = Job {
        reading,
        list,
        reference,
        baseline,
        profile,
        asked,
        target: args.target,
        samples: args.samples,
        workers,
        stop,
    };
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
    for input in &inputs {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        bar.set_message(input.name.clone());
        let Some((shader, taken, status)) = job.shader(input, inputs.len() == 2) else { break };
        pictures.push(taken);
        exit = exit.worse(exit_of(status));
        bar.inc(1);
        let text = match args.format {
            Format::Human => human(&shader, &report, term),
            Format::Jsonl => jsonl(&shader, &report),
            Format::Json | Format::Csv => String::new(),
        };
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

    match args.format {
        Format::Human => {
            print(&format!("{}{}\n", summary(&report, term), term.paint(Paint::Bold, &words::verdict(&report))))?
        }
        Format::Json => {
            let profile_name = report.profile.as_deref();
            let records: Vec<_> =
                report.shaders.iter().flat_map(|s| parallax_report::records(s, &report.models, profile_name)).collect();
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
        write_to(&args.out.join("pairs.csv"), parallax_report::pairs(&report).as_bytes())?;
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
    let outside =
        report.shaders.iter().flat_map(|s| s.rows()).filter_map(|r| r.legality.as_ref()).any(|l| l.outside > 0);
    if outside {
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

/// What is kept of a shader's frames, by model.
type Pictures = Vec<(String, Snapshot)>;

struct Job {
    reading: Reading,
    list: Vec<Model>,
    reference: Model,
    baseline: Model,
    /// What results are judged by, if they are.
    profile: Option<Profile>,
    asked: Option<(u32, u32)>,
    target: TargetArg,
    samples: SamplesArg,
    workers: Workers,
    stop: &'static AtomicBool,
}

/// Why a shader has no result.
enum Refusal {
    Problems(Problems),
    Interrupted,
}

impl Job {
    /// One shader under all models, with its pictures if they are wanted; `None` when the user interrupted. Whatever happens
    /// stays with this shader.
    fn shader(&self, input: &Input, keep: bool) -> Option<(ShaderReport, Pictures, Status)> {
        let program = Program::load(input, &self.reading);
        let isa = program.loaded.as_ref().map_or("", |l| l.isa);
        let mut subject = Subject {
            name: input.name.clone(),
            isa: isa.to_string(),
            effect: effect_name(&input.name),
            listing: clean_listing(program.text()),
            ..Subject::default()
        };
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| self.compare(&program, &mut subject, keep)));
        let problems = match outcome {
            Ok(Ok((report, pictures))) => return Some((report, pictures, Status::Ok)),
            Ok(Err(Refusal::Interrupted)) => return None,
            Ok(Err(Refusal::Problems(problems))) => problems,
            Err(_) => {
                let diag = Diag::internal("panic", None, "this shader meets a bug of parallax");
                Problems::new(&program.name, "", vec![diag])
            }
        };
        let status = Status::of(&problems.diags);
        let report = ShaderReport::refused(subject, status == Status::Unsupported, listed(&problems, input));
        Some((report, Vec::new(), status))
    }

    fn compare(
        &self,
        program: &Program,
        subject: &mut Subject,
        keep: bool,
    ) -> Result<(ShaderReport, Pictures), Refusal> {
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
        self.samples.apply(&mut draw.samples);
        let Some(shader) = &loaded.shader else { return Err(at_program(Vec::new())) };
        let canonical = Canonical::new(shader).map_err(at_program)?;
        let bind = |model: &Model| canonical.bind(model).map_err(at_program);
        let run = |bound: Shader<Bound>| -> Result<Result<Frame, Vec<Diag>>, Refusal> {
            let compiled = compile_bound(bound, Optimise::Yes).map_err(at_program)?;
            match frame(&compiled, &draw, &self.workers, self.stop) {
                Err(diags) if diags.iter().any(|d| d.code == CANCELLED) => Err(Refusal::Interrupted),
                result => Ok(result),
            }
        };
        let exact = bind(&self.reference)?;
        let reference = run(exact.clone())?.map_err(at_program)?;
        let plain = bind(&self.baseline)?;
        // Where it does not end under the baseline, nothing is set beside it.
        let baseline = if is_alike(&plain, &exact) { Some(reference.clone()) } else { run(plain.clone())?.ok() };
        let mut comparison = Comparison::new(&reference, baseline.as_ref());
        let mut pictures: Pictures = Vec::new();
        // Each way of computing the shader, and the row that has its result.
        let mut known: Vec<(Shader<Bound>, usize)> = Vec::new();
        for (row, model) in self.list.iter().enumerate() {
            let bound = bind(model)?;
            let (label, tier) = (model.label(), bound.state.tier);
            if let Some(&(_, first)) = known.iter().find(|(other, _)| is_alike(other, &bound)) {
                comparison.repeat(label.as_str(), tier, first);
                let earlier = self.list[first].label();
                let taken = pictures.iter().find(|(model, _)| *model == earlier).map(|(_, picture)| picture.clone());
                pictures.extend(taken.map(|picture| (label, picture)));
                continue;
            }
            let ran;
            let found = if is_alike(&bound, &exact) {
                Ok(&reference)
            } else if let Some(frame) = baseline.as_ref().filter(|_| is_alike(&bound, &plain)) {
                Ok(frame)
            } else {
                ran = run(bound.clone())?;
                ran.as_ref()
            };
            match found {
                Ok(frame) => {
                    comparison.add(label.as_str(), tier, frame);
                    if keep {
                        pictures.push((label, Snapshot::new(frame)));
                    }
                }
                // What ends under the reference and not here is a finding about this model.
                Err(diags) if diags.iter().all(|d| d.code == ENDLESS) => {
                    comparison.refuse(label, tier, diags.first().map_or("", |d| &d.message));
                }
                Err(diags) => return Err(at_program(diags.clone())),
            }
            known.push((bound, row));
        }
        self.look_into_trust(shader, &draw, &mut comparison);
        self.judge(shader, &draw, &mut comparison);
        let mut report = comparison.finish(std::mem::take(subject));
        report.blame = self.blame(shader, &draw, &report);
        Ok((report, pictures))
    }
}

impl Job {
    /// Which instructions make the most visible difference from the baseline.
    fn blame(&self, shader: &Shader<Symbolic>, draw: &Draw, report: &ShaderReport) -> Option<Box<Explanation>> {
        let model = self.list.get(report.most_visible()?)?;
        let options =
            Options { control: Control { cancel: Some(self.stop), ..Control::default() }, ..Options::default() };
        // A report without it is better than none: a stage that is not drawn in quads, a program of thousands of instructions.
        explain(shader, draw, model, &self.baseline, &options).ok().map(Box::new)
    }

    /// Finds out what decided the operations under each model.
    fn look_into_trust(&self, shader: &Shader<Symbolic>, draw: &Draw, comparison: &mut Comparison<'_>) {
        let draw = observed_draw(draw);
        // What went well at full size can fail on a small frame, for want of loop fuel: then nothing is said.
        let found: Vec<Option<Trust>> = self.workers.map(&self.list, |model| trust(shader, model, &draw).ok());
        for (row, trust) in found.into_iter().enumerate() {
            if let Some(trust) = trust {
                comparison.set_trust(row, trust);
            }
        }
    }
}

impl Job {
    /// Judges what the operations gave under each model.
    fn judge(&self, shader: &Shader<Symbolic>, draw: &Draw, comparison: &mut Comparison<'_>) {
        let Some(profile) = &self.profile else { return };
        let draw = observed_draw(draw);
        let found: Vec<Option<Legality>> =
            self.workers.map(&self.list, |model| legality(shader, model, profile, &draw).ok());
        for (row, legality) in found.into_iter().enumerate() {
            if let Some(legality) = legality {
                comparison.set_legality(row, legality);
            }
        }
    }
}

/// Results that the profile does not allow, a line per model with the worst of each operation; nothing where none was asked.
fn illegal(report: &ShaderReport, profile: Option<&str>) -> String {
    let Some(profile) = profile else { return String::new() };
    let mut out = String::new();
    let mut legal: Vec<&str> = Vec::new();
    for row in report.rows() {
        let Some(found) = &row.legality else { continue };
        if found.outside == 0 {
            legal.push(&row.model);
            continue;
        }
        out.push_str(&format!(
            "  {}: {} of {} results are outside {profile}\n",
            row.model, found.outside, found.judged
        ));
        for o in &found.offences {
            let beyond =
                if o.beyond.is_finite() { format!("{} ulp beyond", words::ulps(o.beyond)) } else { "no number".into() };
            out.push_str(&format!(
                "    {} {} of {}, the worst: {} gives {}, {beyond}\n",
                o.op,
                o.outside,
                o.judged,
                o.args.join(" "),
                o.result
            ));
        }
    }
    if !legal.is_empty() {
        out.push_str(&format!("  legal in {profile}, as far as looked at: {}\n", legal.join(", ")));
    }
    out
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
    parallax_report::records(shader, &report.models, report.profile.as_deref())
        .iter()
        .filter_map(|r| serde_json::to_string(r).ok())
        .map(|line| line + "\n")
        .collect()
}

fn human(shader: &ShaderReport, report: &Report, term: &Term) -> String {
    let (reference, baseline) = (report.reference.as_str(), report.baseline.as_str());
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
            let end = if problems.len() == 1 {
                "\n".into()
            } else {
                format!("  {}\n\n", words::sentence(shader, reference, baseline))
            };
            out.push_str(&end);
        }
        Outcome::Compared(_) => {
            let title = if shader.title.is_empty() { String::new() } else { format!("  {}", clean(&shader.title)) };
            let target = shader.target.as_ref().map(|t| format!(", stored as {t}")).unwrap_or_default();
            let sampling = shader.sampling.as_ref().map(|text| format!(", {text}")).unwrap_or_default();
            out.push_str(&format!("{title} ({}, {width}x{height}{sampling}{target})\n", shader.isa));
            out.push_str(&table(shader, reference, baseline).print(term, "  "));
            out.push_str(&format!("  {}\n", words::sentence(shader, reference, baseline)));
            // What rests on assumptions, for the model the sentence is about.
            let worst = words::worst(shader.rows(), reference).and_then(|row| Some((row, row.trust.as_ref()?)));
            if let Some((row, text)) = worst.map(|(row, t)| (row, words::varied(t))).filter(|(_, t)| !t.is_empty()) {
                out.push_str(&format!("  {}: {text}\n", row.model));
            }
            out.push_str(&illegal(shader, report.profile.as_deref()));
            out.push('\n');
        }
    }
    out
}

/// Two programs against each other, under each model.
fn programs(a: &Pictures, b: &Pictures, models: &[String]) -> Vec<ProgramPair> {
    let of = |pictures: &'_ Pictures, model: &str| pictures.iter().position(|(name, _)| name == model);
    let pair = |model: &String| {
        let distance = of(a, model).zip(of(b, model)).and_then(|(x, y)| a[x].1.distance(&b[y].1));
        ProgramPair { model: model.clone(), distance }
    };
    models.iter().map(pair).collect()
}

/// What is said of all shaders together: the models against each other, and two programs against each other.
fn summary(report: &Report, term: &Term) -> String {
    /// Columns that fit a terminal.
    const MOST: usize = 16;
    let mut out = String::new();
    let groups = report.groups();
    if groups.len() > MOST {
        out.push_str(&format!(
            "{} groups of models with different results; pairs.csv has every pair\n\n",
            groups.len()
        ));
    } else if groups.len() > 1 {
        let letters: Vec<String> = (0..groups.len()).map(|n| format!(">{}", words::letter(n))).collect();
        let titles: Vec<&str> = [""].into_iter().chain(letters.iter().map(String::as_str)).chain(["models"]).collect();
        let mut table = Table::new(&titles);
        for (n, models) in groups.iter().enumerate() {
            let mut row = vec![(Paint::Plain, words::letter(n))];
            row.extend(groups.iter().map(|other| match report.between(models[0], other[0]) {
                None => (Paint::Dim, "–".into()),
                Some(d) if d.differ == 0 => (Paint::Dim, "0".into()),
                Some(d) => {
                    let paint = match Verdict::between(&d) {
                        Verdict::Equal | Verdict::Bits | Verdict::OneStep => Paint::Plain,
                        Verdict::BarelyVisible | Verdict::Visible => Paint::Yellow,
                        Verdict::PlainlyVisible | Verdict::AnotherPicture => Paint::Red,
                    };
                    let text = if d.visible() > 0 { words::percent(d.visible(), d.pixels) } else { "bits".into() };
                    (paint, text)
                }
            }));
            row.push((Paint::Plain, models.join(", ")));
            table.row(row);
        }
        out.push_str(
            "Pixels that look different between models, over all shaders; models in one row have equal results\n",
        );
        out.push_str(&table.print(term, "  "));
        out.push('\n');
    }
    if let [a, b] = report.shaders.as_slice()
        && !report.programs.is_empty()
    {
        out.push_str(&format!("{} against {}\n", clean(&a.name), clean(&b.name)));
        let mut table = Table::new(&["model", "pixels that differ"]);
        for pair in &report.programs {
            let text = pair.distance.map_or("no two pictures of one size".into(), |d| words::distance(&d));
            table.row(vec![(Paint::Plain, pair.model.clone()), (Paint::Plain, text)]);
        }
        out.push_str(&table.print(term, "  "));
        out.push('\n');
    }
    out
}

fn table(report: &ShaderReport, reference: &str, baseline: &str) -> Table {
    let unlike = format!("unlike {baseline}");
    let titles = [
        "model",
        &unlike,
        &format!(">unlike {reference}"),
        ">by up to",
        ">equal",
        ">median ulp",
        ">p99 ulp",
        ">max error",
        ">near 0",
        ">special",
        ">flips",
        "trust",
    ];
    let mut table = Table::new(&titles);
    let rows = report.rows();
    let said = |row: &Row| row.trust.as_ref().map_or_else(|| row.tier.name().to_string(), words::trust);
    for (n, row) in rows.iter().enumerate() {
        let m = &row.metrics;
        if let Some(reason) = &row.refused {
            let cells = [(Paint::Plain, &row.model), (Paint::Yellow, reason)];
            table.row(cells.map(|(paint, text)| (paint, text.clone())).to_vec());
            continue;
        }
        let alike = |r: &Row| r.refused.is_none() && r.same_as == row.same_as && said(r) == said(row);
        if rows[..n].iter().any(alike) {
            continue;
        }
        let named = |r: &Row| if r.model == reference { format!("{} *", r.model) } else { r.model.clone() };
        let alike: Vec<String> = rows.iter().filter(|r| alike(r)).map(named).collect();
        let alarm = |n: u64| (if n > 0 { Paint::Red } else { Paint::Plain }, n.to_string());
        let figure = |v: f64| (Paint::Plain, if m.measured > 0 { words::ulps(v) } else { "–".into() });
        let equal = if m.identical() { Paint::Green } else { Paint::Plain };
        let paint = |steps: u8| match steps {
            0 => Paint::Plain,
            1..=15 => Paint::Yellow,
            _ => Paint::Red,
        };
        table.row(vec![
            (Paint::Plain, alike.join(", ")),
            row.from_baseline.map_or((Paint::Dim, "–".into()), |d| (paint(d.max8), words::distance(&d))),
            (paint(m.max8), words::percent(m.visible(), m.pixels)),
            (paint(m.max8), format!("{}/255", m.max8)),
            (equal, words::percent(m.equal, m.components)),
            figure(m.median_ulp),
            figure(m.p99_ulp),
            (Paint::Plain, if m.numbers > 0 { words::size(m.max_abs) } else { "–".into() }),
            (Paint::Plain, m.near_zero.to_string()),
            alarm(m.special_mismatch),
            alarm(m.coverage_flips),
            (Paint::Dim, said(row)),
        ]);
    }
    table
}
