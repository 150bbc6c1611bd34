//! `translate --to tgsi` and the like: programs of other instruction sets.

use crate::args::TranslateArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, models, reading, size};
use crate::registry::Registry;
use crate::term::{Term, is_stdout, print, write_to};
use parallax::{
    Control, Draw, Engine, Frame, LoadOptions, Model, Optimise, OutputRole, Shader, Symbolic, Workers, canonicalise,
    compile, load, run_draw, varied,
};
use parallax_emit::{TARGETS, Target, Translation, translate};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What became of one program.
struct Made {
    line: String,
    exit: Exit,
}

pub(super) fn run(args: &TranslateArgs, name: &str, term: &Term) -> Result<Exit, Failure> {
    let Some(target) = TARGETS.iter().copied().find(|target| target.name == name) else { return Ok(Exit::Internal) };
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let model = registry.model(args.model.as_deref().unwrap_or("ieee"), "--model")?;
    let reading = reading(&args.source)?;
    let is_one = args.files.len() == 1 && !args.files[0].is_dir();
    if is_one {
        let output = args.output.as_deref().or((!args.check).then_some(Path::new("-")));
        let input = Input::one(&args.files[0])?;
        let made = one(args, target, &input, &reading, &model, output, args.manifest_out.as_deref(), term)?;
        // Standard output belongs to the program where it is written there; what --check finds is the answer elsewhere.
        match output.is_some_and(is_stdout) || !args.check {
            true => term.note(&made.line),
            false => print(&format!("{}\n", made.line))?,
        }
        return Ok(made.exit);
    }
    if args.manifest_out.is_some() {
        return Err(Failure::invalid("--manifest-out is for one file; a folder as -o gets the manifests of all"));
    }
    let folder = args.output.as_deref();
    if folder.is_none() && !args.check {
        return Err(Failure::invalid("several files need a folder to write to: -o FOLDER"));
    }
    let inputs = Input::all(&args.files, term);
    let shared = shared(&inputs);
    let (mut exit, mut done, mut text) = (Exit::Done, 0, String::new());
    let mut written = HashSet::new();
    for input in &inputs {
        let output = folder.map(|folder| place(folder, &input.name[shared..], target));
        if let Some(output) = output.as_ref().filter(|output| !written.insert((*output).clone())) {
            let _ = writeln!(text, "{}: not written, since another program is {}", input.name, output.display());
            exit = exit.worse(Exit::Invalid);
            continue;
        }
        let manifest = output.as_ref().map(|output| output.with_extension("toml"));
        if let Some(parent) = output.as_deref().and_then(Path::parent) {
            std::fs::create_dir_all(parent).map_err(|e| Failure::invalid(format_args!("{}: {e}", parent.display())))?;
        }
        // What fails does not keep the others from being tried.
        let made = match one(args, target, input, &reading, &model, output.as_deref(), manifest.as_deref(), term) {
            Ok(made) => made,
            Err(Failure::Stop(exit, message)) => Made { line: format!("{}: {message}", input.name), exit },
            Err(Failure::Problems(problems)) => {
                let found = problems.diags.first().map_or("problems", |diag| &diag.message);
                Made { line: format!("{}: {found}", input.name), exit: parallax::Status::of(&problems.diags).into() }
            }
            Err(Failure::Silent(exit)) => Made { line: format!("{}: not read", input.name), exit },
            Err(other) => return Err(other),
        };
        done += usize::from(made.exit == Exit::Done);
        exit = exit.worse(made.exit);
        let _ = writeln!(text, "{}", made.line);
    }
    let _ = writeln!(text, "{done} of {} programs are {} now", inputs.len(), target.title);
    print(&text)?;
    Ok(exit)
}

/// How much of the names is a folder that all programs are in.
fn shared(inputs: &[Input]) -> usize {
    let Some(first) = inputs.first() else { return 0 };
    let folders = first.name.match_indices('/').map(|(at, _)| at + 1);
    folders.filter(|&at| inputs.iter().all(|input| input.name.starts_with(&first.name[..at]))).max().unwrap_or(0)
}

/// The file for a program: named as it, with the extension of its own set kept in the name.
fn place(folder: &Path, name: &str, target: &Target) -> PathBuf {
    let stem: String = name.chars().map(|c| if c == ':' || c == '\\' { '_' } else { c }).collect();
    let stem = stem.trim_start_matches(['/', '.']).replace('.', "_");
    folder.join(format!("{stem}.{}", target.extension))
}

#[expect(clippy::too_many_arguments, reason = "what the command says, and one program")]
fn one(
    args: &TranslateArgs,
    target: &Target,
    input: &Input,
    reading: &Reading,
    model: &Model,
    output: Option<&Path>,
    manifest: Option<&Path>,
    term: &Term,
) -> Result<Made, Failure> {
    let program = Program::load(input, reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Made { line: String::new(), exit: Exit::Internal }) };
    let shader = canonicalise(shader.clone());
    let made = match translate(&shader, target) {
        Ok(made) => made,
        Err(diags) => {
            draw_problems(&program.name, program.text(), &diags, term);
            let line = format!("{}: {} cannot express it", program.name, target.title);
            return Ok(Made { line, exit: Exit::Unsupported });
        }
    };
    if let Some(output) = output {
        // A terminal is for texts.
        write_to(output, if is_stdout(output) { made.text.as_bytes() } else { made.file() })?;
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
    let result = read_back(&made, target)?;
    if let Some(path) = manifest {
        let found = program.manifest().cloned().unwrap_or_default();
        let (draw, _) = program.draw()?;
        let there = draw.carried(
            &result.func.iface,
            &made.carried.attributes,
            &made.carried.banks,
            &made.carried.vectors,
            &made.carried.literals,
        )?;
        let text = found.carried(&shader.func.iface, &result.func.iface, &there, &made.carried.attributes);
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
    Ok(Made { line, exit })
}

/// The text as its own frontend reads it.
fn read_back(made: &Translation, target: &Target) -> Result<Shader<Symbolic>, Failure> {
    let options = LoadOptions { isa: Some(target.isa.to_string()), ..LoadOptions::default() };
    let loaded = load(&format!("translation.{}", target.extension), made.file(), &options);
    let errors: Vec<String> = loaded.diags.iter().filter(|diag| diag.is_error()).map(ToString::to_string).collect();
    match loaded.shader {
        Some(shader) if errors.is_empty() => Ok(canonicalise(shader)),
        _ => {
            let message = format!("the translation breaks a limit of {}: {}", target.title, errors.join("; "));
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
    let mut exit = Exit::Done;
    for number in 0..=args.random {
        let (name, draw) = match number {
            0 => ("the manifest's inputs".to_string(), draw.clone()),
            seed => (format!("random inputs {seed}"), varied(&draw, iface, seed)),
        };
        let there = draw.carried(
            &result.func.iface,
            &made.carried.attributes,
            &made.carried.banks,
            &made.carried.vectors,
            &made.carried.literals,
        )?;
        let wanted = frame(shader, &draw, model)?;
        let found = frame(result, &there, model)?;
        match difference(&wanted, &found) {
            None => {
                let _ = write!(line, "\n  {name}: equal in all {} pixels under {}", wanted.pixels(), model.name());
            }
            Some(what) => {
                exit = Exit::CheckFailed;
                let _ = write!(line, "\n  {name}: different under {}: {what}", model.name());
            }
        }
    }
    Ok(exit)
}

fn frame(shader: &Shader<Symbolic>, draw: &Draw, model: &Model) -> Result<Frame, Failure> {
    let compiled = compile(shader, model, Optimise::Yes, Engine::Auto)?;
    Ok(run_draw(&compiled, draw, &Workers::serial(), Control::default())?)
}

/// Pixels that differ, and the first of them.
fn difference(wanted: &Frame, found: &Frame) -> Option<String> {
    let uncovered = wanted.covered.iter().zip(&found.covered).filter(|(a, b)| a != b).count();
    if uncovered > 0 {
        return Some(format!("{uncovered} pixels are discarded on one side alone"));
    }
    for channel in wanted.channels.iter().filter(|channel| channel.role != OutputRole::Watch) {
        let Some(other) = found.channel(channel.role, channel.comp) else {
            return Some(format!("{} is not written", channel.name()));
        };
        let (a, b) = (channel.declared_bits(), other.declared_bits());
        let covered = (0..wanted.pixels()).filter(|&pixel| wanted.covered[pixel]);
        let differing: Vec<usize> = covered.filter(|&pixel| a.get(pixel) != b.get(pixel)).collect();
        if let Some(&first) = differing.first() {
            let (x, y) = (first % wanted.width as usize, first / wanted.width as usize);
            return Some(format!(
                "{} of {} pixels; pixel {x},{y} has {:08x} and should have {:08x}",
                channel.name(),
                differing.len(),
                b.get(first),
                a.get(first)
            ));
        }
    }
    None
}
