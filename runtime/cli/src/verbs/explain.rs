//! `parallax explain`: which instruction does it, by which rule, and how sure is that.

mod human;
mod json;
mod pair;

use super::compare::bar;
use super::run::{pixel, workers};
use crate::args::ExplainArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, models, reading, size};
use crate::registry::Registry;
use crate::term::{Term, print};
use parallax::{CANCELLED, Control, Draw, Engine, Problems, Status};
use parallax_explain::{Demotion, Explanation, Options, demote, explain};
use parallax_num::{Decl, Model};
use parallax_text::Diag;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};

/// What models are compared with that nothing is named for.
const REFERENCE: &str = "binary64";

/// What is asked for besides the shader.
struct Job<'a> {
    args: &'a ExplainArgs,
    engine: Engine,
    registry: Registry,
    against: Model,
    asked: Option<(u32, u32)>,
    pixel: Option<(u32, u32)>,
    demote: Option<Decl>,
    stop: &'static AtomicBool,
}

/// What was found about a shader.
enum Finding {
    Explained(Box<Explanation>),
    Demoted(String, Demotion),
}

pub(crate) fn run(args: &ExplainArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let reading = reading(&args.source)?;
    let registry = Registry::new(models(&args.model_file, term)?, &[])?;
    let against = registry.model(args.against.as_deref().unwrap_or(REFERENCE), "--against")?;
    if let Some(name) = &args.model {
        registry.model(name, "--model")?;
    }
    let job = Job {
        args,
        engine,
        against,
        registry,
        asked: args.size.as_deref().map(size).transpose()?,
        pixel: args.pixel.as_deref().map(pixel).transpose()?,
        demote: args.demote.as_deref().map(narrower).transpose()?,
        stop: crate::signal::watch(),
    };
    // Sets the number of threads that exchanges share.
    workers(args.threads, term)?;
    let inputs = Input::all(&args.paths, term);
    if let ([first, second], [_, _], None, None, false) =
        (&*inputs, &*args.paths, &args.demote, &args.pixel, args.worst)
    {
        return two(&job, [first, second], &reading, term);
    }
    let (mut exit, mut explained) = (Exit::Done, 0);
    let bar = bar(inputs.len() as u64, term);
    for input in &inputs {
        bar.set_message(input.name.clone());
        let program = Program::load(input, &reading);
        let found = std::panic::catch_unwind(AssertUnwindSafe(|| job.shader(&program)));
        let internal = |_| {
            let diag = Diag::internal("panic", None, "this shader hit a bug in parallax");
            Err(Problems::new(&program.name, "", vec![diag]))
        };
        match found.unwrap_or_else(internal) {
            Ok(finding) => {
                explained += 1;
                bar.suspend(|| program.note_default_inputs(term));
                let text = match (&finding, args.json) {
                    (Finding::Explained(found), true) => json::lines(&program, found),
                    (Finding::Explained(found), false) => human::text(&program, found, args.top, term),
                    (Finding::Demoted(model, found), true) => json::demotion(&program, model, found),
                    (Finding::Demoted(model, found), false) => human::demotion(&program, model, found, term),
                };
                bar.suspend(|| print(&text))?;
            }
            Err(problems) if problems.diags.iter().any(|d| d.code == CANCELLED) => {
                bar.finish_and_clear();
                term.note(&format!("interrupted: {explained} of {} shaders explained", inputs.len()));
                return Ok(Exit::Interrupted);
            }
            Err(problems) => {
                bar.suspend(|| draw_problems(&problems.name, &problems.text, &problems.diags, term));
                exit = exit.worse(Exit::from(Status::of(&problems.diags)));
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if explained == 0 {
        exit = exit.worse(Exit::Unsupported);
    }
    Ok(exit)
}

/// Two programs, beside each other.
fn two(job: &Job<'_>, inputs: [&Input; 2], reading: &Reading, term: &Term) -> Result<Exit, Failure> {
    let args = job.args;
    let programs = inputs.map(|input| Program::load(input, reading));
    for program in &programs {
        if program.status() != Status::Ok {
            return Err(program.problems(program.diags.clone()).into());
        }
    }
    let own = |program: &Program| program.loaded.as_ref().map_or("ieee", |loaded| loaded.model);
    let first = args.model.as_deref().unwrap_or(own(&programs[0]));
    let second = args.against.as_deref().or(args.model.as_deref()).unwrap_or(own(&programs[1]));
    let models = [job.registry.model(first, "--model")?, job.registry.model(second, "--against")?];
    let who = pair::Who { programs: [&programs[0], &programs[1]], models: [&models[0], &models[1]] };
    let found = job.pair(inputs, &who, reading);
    if job.stop.load(Ordering::Relaxed) {
        term.note("interrupted: nothing was explained");
        return Ok(Exit::Interrupted);
    }
    let found = found?;
    programs.iter().for_each(|program| program.note_default_inputs(term));
    print(&if args.json { pair::json(&who, &found) } else { pair::human(&who, &found, args.top, term) })?;
    Ok(Exit::Done)
}

/// The format `--demote` names.
fn narrower(name: &str) -> Result<Decl, Failure> {
    let found = Decl::from_name(name).filter(|decl| matches!(decl, Decl::F16 | Decl::Fx12 | Decl::Fx9));
    found.ok_or_else(|| Failure::invalid(format_args!("--demote {name}: expected a narrow format: half, fx12 or fx9")))
}

impl Job<'_> {
    fn shader(&self, program: &Program) -> Result<Finding, Problems> {
        let refused = |failure: Failure| {
            let message = match failure {
                Failure::Stop(_, message) => message,
                Failure::Typed(_) | Failure::Problems(_) | Failure::Silent(_) | Failure::Pipe => "unknown model".into(),
            };
            program.problems(vec![Diag::invalid("model", parallax_text::Span::default(), message)])
        };
        if program.status() != Status::Ok {
            return Err(program.problems(program.diags.clone()));
        }
        let Some((loaded, shader)) = program.loaded.as_ref().and_then(|l| Some((l, l.shader.as_ref()?))) else {
            return Err(program.problems(program.diags.clone()));
        };
        let model =
            self.registry.model(self.args.model.as_deref().unwrap_or(loaded.model), "--model").map_err(refused)?;
        let draw = self.draw(program)?;
        let control = Control { cancel: Some(self.stop), ..Control::default() };
        let found = match self.demote {
            Some(to) => demote(shader, &draw, &model, to, self.engine, control)
                .map(|found| Finding::Demoted(model.label(), found)),
            None => {
                let options = Options {
                    engine: self.engine,
                    pixel: self.pixel,
                    worst: self.args.worst,
                    control,
                    ..Options::default()
                };
                explain(shader, &draw, &model, &self.against, &options).map(|found| Finding::Explained(Box::new(found)))
            }
        };
        let found = found.map_err(|found| program.problems(found.diags));
        // Between two draws nobody looks.
        match self.stop.load(Ordering::Relaxed) {
            true => {
                Err(program.problems(vec![Diag::invalid(CANCELLED, parallax_text::Span::default(), "interrupted")]))
            }
            false => found,
        }
    }

    fn draw(&self, program: &Program) -> Result<Draw, Problems> {
        let (mut draw, _) = program.draw()?;
        if let Some((width, height)) = self.asked {
            program.resize(&mut draw, (width, height));
        }
        self.args.target.apply(&mut draw.targets);
        self.args.samples.apply(&mut draw.samples);
        Ok(draw)
    }
}
