//! `translate --to tgsi` and the like: programs of other instruction sets.

use super::many::{Form, Made, Places, run as run_many};
use super::words::{check_kernel, extension, has_container, is_bare, translated, written};
use crate::args::{ConstantsArg, FormArg, LookupsArg, TranslateArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, models, reading, size};
use crate::registry::Registry;
use crate::term::{Term, is_stdout, print, write_to};
use parallax::{
    Control, Draw, Engine, Frame, Interface, LoadOptions, Model, Optimise, OutputRole, Shader, Stage, Symbolic,
    Workers, canonicalise, compile, load, run_draw, run_vertices, varied,
};
use parallax_emit::{Carried, TARGETS, Target, Translation, keep_freed_memory};
use std::fmt::Write;
use std::time::Instant;

pub(super) fn run(args: &TranslateArgs, name: &str, term: &Term) -> Result<Exit, Failure> {
    keep_freed_memory();
    if args.next.is_some() {
        return Err(Failure::invalid("--next is for modules, whose stages meet at locations"));
    }
    let of_modules = [
        ("--arithmetic", args.arithmetic.is_some()),
        ("--assume", !args.assume.is_empty()),
        ("--lookups faithful", args.lookups == LookupsArg::Faithful),
        ("--constants storage", args.constants == ConstantsArg::Storage),
        ("--flag-inexact", args.flag_inexact),
    ];
    if let Some((option, _)) = of_modules.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::invalid(format_args!(
            "{option} is for modules; a program of another set keeps its operations"
        )));
    }
    if args.picture.is_some() {
        return Err(Failure::invalid("--picture is what a device draws with a module (--to spirv, --to wgsl)"));
    }
    if args.interface.is_some() {
        return Err(Failure::invalid("--interface is for modules; --manifest-out has the names that inputs have"));
    }
    let Some(target) = TARGETS.iter().copied().find(|target| target.name == name) else { return Ok(Exit::Internal) };
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let model = registry.model(args.model.as_deref().unwrap_or("ieee"), "--model")?;
    let reading = reading(&args.source)?;
    let extension = extension(target, args.form)?;
    let is_binary = matches!(args.form, Some(FormArg::Words | FormArg::Container));
    let form = Form { title: target.title, extension, is_binary, beside: ("toml", "--manifest-out") };
    run_many(args, &form, args.manifest_out.as_deref(), term, |input, places| {
        one(args, target, input, &reading, &model, places, term)
    })
}

fn one(
    args: &TranslateArgs,
    target: &Target,
    input: &Input,
    reading: &Reading,
    model: &Model,
    places: Places<'_>,
    term: &Term,
) -> Result<Made, Failure> {
    let start = Instant::now();
    let program = Program::load(input, reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Made::none(String::new(), Exit::Internal)) };
    let shader = canonicalise(shader.clone());
    let made = match translated(&shader, target, args.form) {
        Ok(made) => made,
        Err(diags) => {
            draw_problems(&program.name, program.text(), &diags, term);
            let line = format!("{}: {} cannot express it", program.name, target.title);
            return Ok(Made::none(line, Exit::Unsupported));
        }
    };
    let took = start.elapsed();
    // What was translated has a stage.
    let Some(target) = target.of_stage(shader.func.iface.stage) else {
        return Ok(Made::none(program.name.clone(), Exit::Internal));
    };
    if shader.func.iface.stage == Stage::Compute {
        check_kernel(target, args.form)?;
    }
    let written = written(&made, target, args.form)?;
    if let Some(output) = places.output {
        // A terminal is for texts.
        let is_text = args.form.is_none() && is_stdout(output);
        write_to(output, if is_text { made.text.as_bytes() } else { &written })?;
    }
    let mut line = format!(
        "{}: {} instructions are {} in {}, with {} register{}",
        program.name,
        loaded.instructions(),
        made.instructions,
        target.title,
        made.registers,
        if made.registers == 1 { "" } else { "s" }
    );
    for inexact in &made.inexact {
        let _ = write!(line, "\n  {}", inexact.what);
    }
    if let Some((first, last)) = made.literals {
        let _ = write!(line, "\n  literals are constants {first} to {last}, which the manifest sets (--manifest-out)");
    }
    // Constants in the code have names in the container alone.
    let is_named = !has_container(target);
    if !is_named && is_bare(args.form) && !made.carried.vectors.is_empty() {
        line.push_str("\n  constants are zeros in the code; the container says where they are (--form container)");
    }
    let result = read_back(if is_named { &written } else { made.file() }, target)?;
    if let Some(path) = places.beside {
        let found = program.manifest().cloned().unwrap_or_default();
        let (draw, _) = program.draw()?;
        let there = draw.carried(&result.func.iface, &made.carried)?;
        let mut text = found.carried(&shader.func.iface, &result.func.iface, &there, &made.carried);
        if !target.settings.is_empty() {
            text.push_str("\n[options]\n");
            target.settings.iter().for_each(|(name, value)| {
                let _ = writeln!(text, "{name} = \"{value}\"");
            });
        }
        if is_stdout(path) {
            print(&text)?;
        } else {
            write_to(path, text.as_bytes())?;
        }
    }
    let mut exit = Exit::Done;
    if args.check {
        exit = check(args, &program, &shader, &result, &made, model, &mut line)?;
    }
    Ok(Made { line, exit, bytes: written.len(), took })
}

/// What was written as the set's own frontend reads it.
fn read_back(written: &[u8], target: &Target) -> Result<Shader<Symbolic>, Failure> {
    let mut options = LoadOptions { isa: Some(target.isa.to_string()), ..LoadOptions::default() };
    options.layout.dialect = target.dialect.map(str::to_string);
    let settings = target.settings.iter().map(|&(name, value)| (name.to_string(), value.to_string()));
    options.lift.settings.extend(settings);
    let loaded = load(&format!("translation.{}", target.extension), written, &options);
    let errors: Vec<String> = loaded.diags.iter().filter(|diag| diag.is_error()).map(ToString::to_string).collect();
    match loaded.shader {
        Some(shader) if errors.is_empty() => Ok(canonicalise(shader)),
        _ => {
            // One is often the cause of the others.
            let more = match errors.len() {
                0 | 1 => String::new(),
                count => format!("; and {} more problems", count - 1),
            };
            let first = errors.first().map_or("", String::as_str);
            let message = format!("the translation breaks a limit of {}: {first}{more}", target.title);
            Err(Failure::Stop(Exit::Unsupported, message))
        }
    }
}

/// Draws both under one model, with the manifest's inputs and with random ones.
fn check(
    args: &TranslateArgs,
    program: &Program,
    shader: &Shader<Symbolic>,
    result: &Shader<Symbolic>,
    made: &Translation,
    model: &Model,
    line: &mut String,
) -> Result<Exit, Failure> {
    let iface = &shader.func.iface;
    let (mut draw, _) = program.draw()?;
    if let Some(text) = args.size.as_deref() {
        program.resize(&mut draw, size(text)?);
    }
    let draw = draw.with_vertices(iface, model, Engine::Auto)?.into_owned();
    let (mut differs, mut failed) = (false, 0);
    for number in 0..=args.random {
        let (name, draw) = match number {
            0 => ("the manifest's inputs".to_string(), draw.clone()),
            seed => (format!("random inputs {seed}"), varied(&draw, iface, seed)),
        };
        let there = draw.carried(&result.func.iface, &made.carried)?;
        let wanted = frame(shader, &draw, model)?;
        let found = frame(result, &there, model)?;
        // Where a lane leaves its loops says nothing of the shader.
        let endless = wanted.out_of_fuel.max(found.out_of_fuel);
        if endless > 0 {
            let of = wanted.fragments;
            let _ = write!(line, "\n  {name}: not compared: {endless} of {of} invocations never leave a loop");
            failed += 1;
            continue;
        }
        let (count, things, other) = match iface.stage {
            Stage::Compute => {
                (words(iface, &wanted), "words of buffers", other_word(iface, &wanted, &found, &made.carried))
            }
            Stage::Vertex => (wanted.pixels(), "vertices", difference(&wanted, &found, &made.carried)),
            Stage::Fragment => (wanted.pixels(), "pixels", difference(&wanted, &found, &made.carried)),
        };
        match other {
            None => {
                let _ = write!(line, "\n  {name}: equal in all {count} {things} under {}", model.name());
            }
            Some(what) => {
                differs = true;
                let _ = write!(line, "\n  {name}: different under {}: {what}", model.name());
            }
        }
    }
    Ok(match (differs, failed) {
        (true, _) => Exit::CheckFailed,
        (false, failed) if failed > args.random => Exit::Unsupported,
        _ => Exit::Done,
    })
}

fn frame(shader: &Shader<Symbolic>, draw: &Draw, model: &Model) -> Result<Frame, Failure> {
    let compiled = compile(shader, model, Optimise::Yes, Engine::Auto)?;
    if shader.func.iface.stage == Stage::Vertex {
        return Ok(run_vertices(&compiled, draw)?);
    }
    Ok(run_draw(&compiled, draw, &Workers::serial(), Control::default())?)
}

/// Buffers that the caller gives, by number: memory of a workgroup is gone at the end.
fn of_caller(iface: &Interface) -> impl Iterator<Item = usize> + '_ {
    (0..iface.buffers.len()).filter(|&n| iface.buffers[n].workgroup.is_none())
}

/// Words of all buffers after a kernel.
fn words(iface: &Interface, frame: &Frame) -> usize {
    of_caller(iface).filter_map(|n| frame.buffers.get(n)).map(Vec::len).sum()
}

/// Words of buffers that differ after a kernel, and the first of them.
fn other_word(iface: &Interface, wanted: &Frame, found: &Frame, carried: &Carried) -> Option<String> {
    of_caller(iface).find_map(|n| {
        let (wanted, found) = (wanted.buffers.get(n)?, found.buffers.get(carried.buffer(n))?);
        let differing: Vec<usize> = (0..wanted.len()).filter(|&at| found.get(at) != Some(&wanted[at])).collect();
        let first = *differing.first()?;
        let (count, name) = (differing.len(), &iface.buffers[n].name);
        let word = found.get(first).copied().unwrap_or_default();
        let should = wanted[first];
        Some(format!("{count} words of `{name}`; the first at {first} is {word:08x} and should be {should:08x}"))
    })
}

/// Pixels or vertices that differ, and the first of them.
fn difference(wanted: &Frame, found: &Frame, carried: &Carried) -> Option<String> {
    let uncovered = wanted.covered.iter().zip(&found.covered).filter(|(a, b)| a != b).count();
    if uncovered > 0 {
        return Some(format!("{uncovered} pixels are discarded on one side alone"));
    }
    for channel in wanted.channels.iter().filter(|channel| channel.role != OutputRole::Watch) {
        let Some(other) = found.channel(carried.role(channel.role), channel.comp) else {
            return Some(format!("{} is not written", channel.name()));
        };
        let (a, b) = (channel.declared_bits(), other.declared_bits());
        let covered = (0..wanted.pixels()).filter(|&pixel| wanted.covered[pixel]);
        let differing: Vec<usize> = covered.filter(|&pixel| a.get(pixel) != b.get(pixel)).collect();
        if let Some(&first) = differing.first() {
            let (x, y) = (first % wanted.width as usize, first / wanted.width as usize);
            return Some(format!(
                "{} of {}; the first at {x},{y} has {:08x} and should have {:08x}",
                channel.name(),
                differing.len(),
                b.get(first),
                a.get(first)
            ));
        }
    }
    None
}
