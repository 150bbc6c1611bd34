//! One shader under all models.

use super::Tally;
use super::captures::{Column, closest};
use super::human::WORST;
use super::listing::listing;
use super::strips::{Ended, Ways};
use crate::args::{SamplesArg, TargetArg};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{About, Program, Reading, effect_name, frame};
use crate::term::print;
use parallax::{
    CANCELLED, Canonical, Compiled, Control, Draw, ENDLESS, Engine, Frame, Optimise, Problems, Status, Unmet, Workers,
    compile_bound, same_bound_shader,
};
use parallax_core::{Bound, Shader, Stage, Symbolic};
use parallax_explain::{Options, explain};
use parallax_num::{Model, Profile, Tier};
use parallax_report::{
    Blamed, Check, CheckFailure, Comparison, Detail, Legality, Limits, Observations, Problem, ProgramPair, Report,
    ShaderReport, Snapshot, Subject, Trust, legality, observed_draw,
};
use parallax_text::{Diag, DiagKind, LineMap, Span, clean};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is kept of a shader's frames, by model.
pub(super) type Pictures = Vec<(String, Snapshot)>;

/// What every shader of a comparison is drawn with.
pub(super) struct Job {
    /// The report, still without shaders.
    pub(super) report: Report,
    pub(super) engine: Engine,
    pub(super) reading: Reading,
    pub(super) list: Vec<Model>,
    /// Pictures of other renderers, whose rows stand behind those of the models.
    pub(super) captures: Vec<Column>,
    pub(super) reference: Model,
    pub(super) baseline: Model,
    /// What results are judged by, if they are.
    pub(super) profile: Option<Profile>,
    /// What every shader must keep.
    pub(super) limits: Limits,
    pub(super) asked: Option<(u32, u32)>,
    pub(super) detail: Detail,
    pub(super) causes: Causes,
    pub(super) target: TargetArg,
    pub(super) samples: SamplesArg,
    pub(super) workers: Workers,
    pub(super) stop: &'static AtomicBool,
}

/// What is looked into beyond distances, as far as it is shown.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Causes {
    /// Whether to find out what decided the operations under each model.
    pub(super) trust: bool,
    /// Programs whose most visible difference is traced to instructions.
    pub(super) blame: Explained,
}

/// A choice of programs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Explained {
    None,
    /// Those of the summary's list of the most visible differences.
    Worst,
    All,
}

/// How a model computes a shader: its rules, and what is drawn where a vertex program decides it.
pub(super) struct Way<'d> {
    pub(super) shader: Shader<Bound>,
    pub(super) draw: Cow<'d, Draw>,
}

impl Way<'_> {
    /// Whether another model computes the same.
    pub(super) fn is_same(&self, other: &Way<'_>) -> bool {
        let same_draw = match (&self.draw, &other.draw) {
            (Cow::Owned(a), Cow::Owned(b)) => a.geometry == b.geometry && a.attributes == b.attributes,
            _ => true,
        };
        same_draw && same_bound_shader(&self.shader, &other.shader, &self.draw)
    }
}

/// Why a shader has no result.
enum Refusal {
    Problems(Problems),
    Interrupted,
}

impl Job {
    /// Compares every input; gives the report, and the exit code that each asks for. `said` is printed after each.
    pub(super) fn compare(
        &self,
        inputs: &[Input],
        tally: &Tally<'_>,
        said: impl Fn(&ShaderReport, &Report) -> String,
    ) -> Result<(Report, Vec<Exit>), Failure> {
        let mut report = self.report.clone();
        // Exactly two programs are also compared with each other.
        let mut pictures: Vec<Pictures> = Vec::new();
        let mut exits = Vec::new();
        let one = |input: &Input| {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            tally.begin(&input.name);
            let found = self.shader(input, inputs.len() == 2);
            tally.end(&input.name);
            found
        };
        let mut outcome = Ok(());
        self.workers.in_order(inputs, one, |found| {
            let Some((shader, taken, status)) = found else { return ControlFlow::Break(()) };
            pictures.push(taken);
            exits.push(Exit::from(status));
            let text = said(&shader, &report);
            outcome = tally.bar.suspend(|| print(&text));
            if outcome.is_err() {
                return ControlFlow::Break(());
            }
            report.shaders.push(shader);
            ControlFlow::Continue(())
        });
        outcome?;
        if self.causes.blame == Explained::Worst {
            self.explain_worst(inputs, &mut report);
        }
        tally.bar.finish_and_clear();
        report.unfinished = inputs.len() - report.shaders.len();
        if let [a, b] = pictures.as_slice()
            && !a.is_empty()
            && !b.is_empty()
        {
            report.programs = programs(a, b, &report.models);
        }
        Ok((report, exits))
    }

    /// One shader under all models, with its pictures if they are wanted; `None` when the user interrupted. Whatever happens
    /// stays with this shader.
    fn shader(&self, input: &Input, keep: bool) -> Option<(ShaderReport, Pictures, Status)> {
        let program = Program::load(input, &self.reading);
        let isa = program.loaded.as_ref().map_or("", |l| l.isa);
        let mut subject = Subject {
            name: input.name.clone(),
            isa: isa.to_string(),
            effect: effect_name(&input.name),
            listing: listing(&program),
            ..Subject::default()
        };
        let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| self.program(&program, &mut subject, keep)));
        let problems = match outcome {
            Ok(Ok((report, pictures))) => return Some((report, pictures, Status::Ok)),
            Ok(Err(Refusal::Interrupted)) => return None,
            Ok(Err(Refusal::Problems(problems))) => problems,
            Err(_) => {
                let diag = Diag::internal("panic", None, "this shader hit a bug in parallax");
                Problems::new(&program.name, "", vec![diag])
            }
        };
        let status = Status::of(&problems.diags);
        let report = ShaderReport::refused(subject, status == Status::Unsupported, listed(&problems, input));
        Some((report, Vec::new(), status))
    }

    fn program(
        &self,
        program: &Program,
        subject: &mut Subject,
        keep: bool,
    ) -> Result<(ShaderReport, Pictures), Refusal> {
        let refused = |diags: Vec<Diag>| Refusal::Problems(program.problems(diags));
        let at_program = |found: Problems| refused(found.diags);
        let (Some(loaded), Status::Ok) = (&program.loaded, program.status()) else {
            return Err(refused(program.diags.clone()));
        };
        let (draw, About { effect, title, about, limits, slack }) = self.draw(program).map_err(Refusal::Problems)?;
        (subject.effect, subject.title, subject.about) = (effect, title, about);
        subject.default_inputs = program.has_default_inputs();
        subject.is_kernel = program.stage() == Some(Stage::Compute);
        let Some(shader) = &loaded.shader else { return Err(refused(Vec::new())) };
        let canonical = Canonical::new(shader).map_err(at_program)?;
        let bind = |model: &Model| {
            let shader = canonical.bind(model).map_err(at_program)?;
            let draw = draw.with_vertices(&shader.func.iface, model, self.engine).map_err(Refusal::Problems)?;
            Ok(Way { shader, draw })
        };
        let exact = bind(&self.reference)?;
        let compiled = self.compiled(&exact).map_err(at_program)?;
        let cuts = self.cuts(program, &compiled, &exact.draw);
        let has_limits = !limits.is_empty() || !self.limits.is_empty();
        let detail = Detail { figures: self.detail.figures || has_limits, ..self.detail };
        if cuts.len() > 1 {
            let ways = Ways::new(
                exact,
                bind(&self.baseline)?,
                self.list.iter().map(|model| Ok((model.label(), bind(model)?))),
            )?;
            let (comparison, pictures) = self.in_strips(&ways, &cuts, detail, keep).map_err(|ended| match ended {
                Ended::Interrupted => Refusal::Interrupted,
                Ended::Problems(found) => at_program(found),
            })?;
            let mut report = self.finished(shader, &draw, comparison, std::mem::take(subject));
            report.slack = slack;
            report.failures = self.failures(&report, &limits);
            return Ok((report, pictures));
        }
        let run = |compiled: &Compiled, way: &Way<'_>| -> Result<Result<Frame, Problems>, Refusal> {
            match frame(compiled, &way.draw, &self.workers, self.stop) {
                Err(found) if found.diags.iter().any(|d| d.code == CANCELLED) => Err(Refusal::Interrupted),
                result => Ok(result),
            }
        };
        let reference = run(&compiled, &exact)?.map_err(at_program)?;
        drop(compiled);
        let run = |way: &Way<'_>| run(&self.compiled(way).map_err(at_program)?, way);
        let plain = bind(&self.baseline)?;
        // Where it does not end under the baseline, nothing is compared with it.
        let baseline = if plain.is_same(&exact) { Some(reference.clone()) } else { run(&plain)?.ok() };
        // What the manifest expects and a row's frame does not have, for each way of computing the shader.
        let mut unmet: Vec<(usize, Vec<Unmet>)> = Vec::new();
        let mut failed: Vec<CheckFailure> = Vec::new();
        let mut expect = |unmet: &[Unmet], model: &str| {
            let mine =
                unmet.iter().filter(|found| program.manifest().is_some_and(|m| m.expects_of(found.number, model)));
            failed.extend(mine.map(|found| CheckFailure {
                check: Check::Expectation,
                model: Some(model.to_string()),
                message: clean(&found.diag.message),
            }));
        };
        let mut comparison = Comparison::new(&reference, baseline.as_ref(), detail);
        let mut pictures: Pictures = Vec::new();
        // Each way of computing the shader, and the row that has its result.
        let mut known: Vec<(Way<'_>, usize)> = Vec::new();
        for (row, model) in self.list.iter().enumerate() {
            let bound = bind(model)?;
            let (label, tier) = (model.label(), bound.shader.state.tier);
            if let Some(&(_, first)) = known.iter().find(|(other, _)| other.is_same(&bound)) {
                comparison.repeat(label.as_str(), tier, first);
                if let Some((_, unmet)) = unmet.iter().find(|(row, _)| *row == first) {
                    expect(unmet, &label);
                }
                let earlier = self.list[first].label();
                let taken = pictures.iter().find(|(model, _)| *model == earlier).map(|(_, picture)| picture.clone());
                pictures.extend(taken.map(|picture| (label, picture)));
                continue;
            }
            let ran;
            let found = if bound.is_same(&exact) {
                Ok(&reference)
            } else if let Some(frame) = baseline.as_ref().filter(|_| bound.is_same(&plain)) {
                Ok(frame)
            } else {
                ran = run(&bound)?;
                ran.as_ref()
            };
            match found {
                Ok(frame) => {
                    comparison.add(label.as_str(), tier, frame);
                    let found = program.unmet(frame).map_err(Refusal::Problems)?;
                    expect(&found, &label);
                    unmet.push((row, found));
                    if keep {
                        pictures.push((label, Snapshot::new(frame)));
                    }
                }
                // What ends under the reference and not here is a finding about this model.
                Err(found) if found.diags.iter().all(|d| d.code == ENDLESS) => {
                    comparison.refuse(label, tier, found.diags.first().map_or("", |d| &d.message));
                }
                Err(found) => return Err(refused(found.diags.clone())),
            }
            known.push((bound, row));
        }
        for column in &self.captures {
            let problem =
                |message| refused(vec![Diag { span: None, ..Diag::invalid("capture", Span::default(), message) }]);
            comparison.add(column.name.as_str(), Tier::Measured, &column.frame(&reference).map_err(problem)?);
        }
        // What is looked into needs memory of its own.
        drop((exact, plain, known));
        let mut report = self.finished(shader, &draw, comparison, std::mem::take(subject));
        report.slack = slack;
        report.failures = self.failures(&report, &limits);
        report.failures.extend(failed);
        Ok((report, pictures))
    }
}

impl Job {
    /// What draws a shader in a way.
    pub(super) fn compiled(&self, way: &Way<'_>) -> Result<Compiled, Problems> {
        compile_bound(way.shader.clone(), Optimise::Yes, self.engine)
    }

    /// The report of what was measured, with what is looked into beyond distances.
    fn finished(
        &self,
        shader: &Shader<Symbolic>,
        draw: &Draw,
        mut comparison: Comparison<'_>,
        subject: Subject,
    ) -> ShaderReport {
        if self.causes.trust {
            self.look_into_trust(shader, draw, &mut comparison);
        }
        self.judge(shader, draw, &mut comparison);
        let mut report = comparison.finish(subject);
        if self.causes.blame == Explained::All {
            report.blame = self.blame(shader, draw, &report);
        }
        report
    }

    /// What a program is drawn with, by its manifest and the command's options.
    fn draw(&self, program: &Program) -> Result<(Draw, About), Problems> {
        let (mut draw, about) = program.draw()?;
        if let Some((width, height)) = self.asked {
            program.resize(&mut draw, (width, height));
        }
        self.target.apply(&mut draw.targets);
        self.samples.apply(&mut draw.samples);
        if let Some(column) = self.captures.first() {
            column.store(&mut draw);
        }
        Ok((draw, about))
    }

    /// Traces the differences that the summary lists to instructions. Whatever happens stays with a shader: its row has no cause.
    fn explain_worst(&self, inputs: &[Input], report: &mut Report) {
        let traced = |number: &usize| {
            let shader = &report.shaders[*number];
            let found = std::panic::catch_unwind(AssertUnwindSafe(|| {
                let program = Program::load(&inputs[*number], &self.reading);
                let (draw, _) = self.draw(&program).ok()?;
                self.blame(program.loaded.as_ref()?.shader.as_ref()?, &draw, shader)
            }));
            (*number, found.ok().flatten())
        };
        let numbers: Vec<usize> = report.worst(WORST).iter().map(|found| found.shader).collect();
        for (number, blame) in self.workers.map(&numbers, traced) {
            report.shaders[number].blame = blame;
        }
    }

    /// Which instructions make the most visible difference, from what results are compared with.
    fn blame(&self, shader: &Shader<Symbolic>, draw: &Draw, report: &ShaderReport) -> Option<Blamed> {
        let found = self.report.most_visible(report)?;
        let against = if self.report.yardstick() == self.report.reference { &self.reference } else { &self.baseline };
        // A capture differs as the model does that comes closest to it.
        let capture = found.row.checked_sub(self.list.len()).and_then(|at| self.captures.get(at));
        let row = capture.map_or(Some(found.row), |_| Some(closest(report, found.row, self.list.len())?.0));
        let model = row.and_then(|row| self.list.get(row));
        let nobody = |reason: &str| {
            let label = capture.map(|column| column.name.clone()).or_else(|| Some(model?.label()));
            Some(Blamed::nobody(label?, against.label(), reason.into()))
        };
        let (Some(row), Some(model)) = (row, model) else { return nobody("no model has a picture to compare with") };
        if capture.is_some() && model.label() == against.label() {
            return nobody(&format!("no model comes closer to it than {}", against.label()));
        }
        // What lanes hold that ran out of fuel is nobody's doing.
        match report.rows().get(row)? {
            row if row.refused.is_some() => return nobody("the loops do not terminate in this arithmetic"),
            row if row.metrics.out_of_fuel > 0 => return nobody("loops that do not terminate leave no result"),
            _ => {}
        }
        let control = Control { cancel: Some(self.stop), ..Control::default() };
        let ranking = !self.detail.pictures;
        let options = Options { engine: self.engine, control, ranking, brief: true, ..Options::default() };
        match explain(shader, draw, model, against, &options) {
            Ok(found) => Some(Blamed { stands_for: capture.map(|column| column.name.clone()), ..Blamed::from(&found) }),
            Err(problems) if problems.diags.iter().any(|d| d.code == CANCELLED) => None,
            // A report without it is better than none: a program of thousands of instructions.
            Err(problems) => nobody(problems.diags.first().map_or("not explained", |d| &d.message)),
        }
    }

    /// Finds out what decided the operations under each model.
    fn look_into_trust(&self, shader: &Shader<Symbolic>, draw: &Draw, comparison: &mut Comparison<'_>) {
        let draw = observed_draw(draw);
        let observations = Observations::new(shader, &draw, self.engine);
        // What went well at full size can fail on a small frame, for want of loop fuel: then nothing is said.
        // Loops that do not end take long to observe, and what lanes hold that ran out of fuel is no result.
        let ended: Vec<(usize, &Model)> =
            self.list.iter().enumerate().filter(|(row, _)| comparison.ended(*row)).collect();
        let found: Vec<Option<Trust>> = self.workers.map(&ended, |(_, model)| observations.trust(model).ok());
        for ((row, _), trust) in ended.into_iter().zip(found) {
            if let Some(trust) = trust {
                comparison.set_trust(row, trust);
            }
        }
    }
}

impl Job {
    /// Limits that are not kept, those of the shader's manifest first, and results that no specification allows.
    fn failures(&self, report: &ShaderReport, own: &Limits) -> Vec<CheckFailure> {
        let reference = self.reference.label();
        let mut out = own.broken(report, &reference);
        out.extend(self.limits.broken(report, &reference));
        for row in report.rows() {
            if let Some(found) = row.legality.as_ref().filter(|found| found.outside > 0) {
                let message = format!("{} of {} results are not legal", found.outside, found.judged);
                out.push(CheckFailure { check: Check::Profile, model: Some(row.model.clone()), message });
            }
        }
        out
    }

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

/// Two programs against each other, under each model.
fn programs(a: &Pictures, b: &Pictures, models: &[String]) -> Vec<ProgramPair> {
    let of = |pictures: &'_ Pictures, model: &str| pictures.iter().position(|(name, _)| name == model);
    let pair = |model: &String| {
        let distance = of(a, model).zip(of(b, model)).and_then(|(x, y)| a[x].1.distance(&b[y].1));
        ProgramPair { model: model.clone(), distance }
    };
    models.iter().map(pair).collect()
}
