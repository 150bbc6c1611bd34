//! `parallax lift`: the textual form of the intermediate representation, and of its step form.

use crate::args::{DisArgs, LiftArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, models, reading};
use crate::registry::Registry;
use crate::term::{Term, write_to};
use parallax::{Engine, Level, Optimise};
use parallax_core::{Bound, Shader, text, verify};
use parallax_text::Diag;

pub(crate) fn run(args: &LiftArgs, term: &Term) -> Result<Exit, Failure> {
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let program = Program::load(&Input::one(&args.file)?, &reading(&args.source)?);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Exit::Internal) };
    let printed = match &args.model {
        None if registry.demotes() => {
            return Err(Failure::invalid("--demote changes a model: select one with --model"));
        }
        None => text::print(shader),
        Some(name) if args.driver => parallax::text_with_reasons(shader, &registry.model(name, "--model")?),
        Some(name) => {
            let model = registry.model(name, "--model")?;
            let optimise = if args.opt || args.steps { Optimise::Yes } else { Optimise::No };
            let compiled = parallax::compile(shader, &model, optimise, Engine::Interp)
                .map_err(|found| program.problems(found.diags))?;
            match args.steps.then(|| steps(&compiled.shader)) {
                None => text::print(&compiled.shader),
                Some(Ok(printed)) => printed,
                Some(Err(diags)) => {
                    draw_problems(&program.name, program.text(), &diags, term);
                    return Ok(Exit::Internal);
                }
            }
        }
    };
    write_to(&args.output, printed.as_bytes())?;
    Ok(Exit::Done)
}

/// Step form, with what it comes to at its head.
fn steps(shader: &Shader<Bound>) -> Result<String, Vec<Diag>> {
    let function = parallax_step::legalise(verify(shader)?, &mut parallax_step::Programs::default());
    let counts = function.counts();
    let mut fallbacks: Vec<&str> = function.fallbacks().into_iter().map(|call| call.op.name()).collect();
    fallbacks.sort_unstable();
    fallbacks.dedup();
    let names = if fallbacks.is_empty() { String::new() } else { format!(" ({})", fallbacks.join(" ")) };
    Ok(format!(
        "; {} primitives; operations with slow lanes: {}; fallbacks: {}{names}\n{}",
        counts.steps,
        counts.redone,
        counts.fallbacks,
        parallax_step::text::print(&function)
    ))
}

/// The machine code of a shader at a level, by default the best one of the host, with source instruction, op and step
/// beside it.
pub(crate) fn native(args: &DisArgs, level: Option<Level>, term: &Term) -> Result<Exit, Failure> {
    let registry = Registry::new(Vec::new(), &[])?;
    let reading = Reading::of(args.from.as_deref());
    let program = Program::load(&Input::one(&args.file)?, &reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Exit::Internal) };
    let model = registry.model(args.model.as_deref().unwrap_or(loaded.model), "--model")?;
    let compiled = parallax::compile(shader, &model, Optimise::Yes, Engine::Interp)
        .map_err(|found| program.problems(found.diags))?;
    match parallax::native_listing(&compiled, level) {
        Ok(listing) => write_to(&args.output, listing.as_bytes())?,
        Err(reason) => {
            return Err(Failure::Stop(Exit::Unsupported, format!("{}: no machine code: {reason}", program.name)));
        }
    }
    Ok(Exit::Done)
}
