//! `parallax run`: one shader under one model, to a picture; one kernel, to its buffers.

mod kernel;
mod picture;

use super::models::pretty;
use crate::args::{Format, ImageForm, RunArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, banded_size, draw_problems, frame, models, reading};
use crate::registry::Registry;
use crate::term::{Term, is_stdout, print, write_to};
use parallax::{CANCELLED, Compiled, Control, Draw, Engine, Frame, Optimise, Problems, Workers};
use parallax_core::Stage;
use parallax_report::PictureForm;
use parallax_text::Diag;
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;

pub(crate) fn run(args: &RunArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let image = args.output.as_deref().map(|path| form(path, args.image)).transpose()?;
    let to_stdout = args.output.as_deref().is_some_and(is_stdout);
    if to_stdout && !args.force && std::io::stdout().is_terminal() {
        return Err(Failure::invalid("not writing a picture to the terminal without --force"));
    }
    let asked = args.size.as_deref().map(banded_size).transpose()?;
    let pixels: Vec<(u32, u32)> = args.pixel.iter().map(|p| pixel(p)).collect::<Result<_, _>>()?;
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;

    let input = Input::one(&args.file)?;
    let mut reading = reading(&args.source)?;
    if args.robust {
        reading.make_robust();
    }
    let program = Program::load(&input, &reading);
    let loaded = program.runnable(term)?;
    let Some(shader) = &loaded.shader else { return Ok(Exit::Internal) };
    let model = registry.model(args.model.as_deref().unwrap_or(loaded.model), "--model")?;
    let (mut draw, _) = program.draw()?;
    if let Some(budget) = args.budget {
        draw.fuel = parallax::fuel_of_budget(budget);
    }
    if args.param.is_empty() {
        program.note_default_inputs(term);
    }
    if let Some((width, height)) = asked {
        program.resize(&mut draw, (width, height));
    }
    let is_kernel = shader.func.iface.stage == Stage::Compute;
    if is_kernel {
        kernel::check(args)?;
    } else if args.robust {
        return Err(Failure::invalid("--robust: only kernels take it"));
    }
    match &args.grid {
        Some(text) if is_kernel => draw.grid = kernel::grid(text)?,
        Some(text) => return Err(Failure::invalid(format_args!("--grid {text}: only kernels run on a grid"))),
        None => {}
    }
    if is_kernel {
        let of_manifest: Vec<u32> = program.manifest().map_or(Vec::new(), |manifest| manifest.params().collect());
        kernel::set_params(&args.param, &shader.func.iface, &mut draw, of_manifest.into_iter())?;
    } else if let Some(text) = args.param.first() {
        return Err(Failure::invalid(format_args!("--param {text}: only kernels have parameters")));
    }
    args.target.apply(&mut draw.targets);
    args.samples.apply(&mut draw.samples);
    if let Some((x, y)) = pixels.iter().find(|(x, y)| *x >= draw.width || *y >= draw.height) {
        return Err(Failure::invalid(format_args!(
            "--pixel {x},{y}: the draw has {}x{} pixels, counted from 0",
            draw.width, draw.height
        )));
    }
    let at_program = |found: Problems| program.problems(found.diags);
    let draw = draw.with_vertices(&shader.func.iface, &model, engine)?;
    let cancel = Some(crate::signal::watch());
    if args.check_races {
        match parallax::check_draw_races(shader, &model, &draw, Control { cancel, ..Control::default() }) {
            Ok(()) => {}
            Err(found) if found.diags.iter().any(|d| d.code == CANCELLED) => return Ok(Exit::Interrupted),
            Err(found) => return Err(at_program(found).into()),
        }
    }
    let compiled = parallax::compile(shader, &model, Optimise::Yes, engine).map_err(at_program)?;
    note(&program.name, &compiled, engine, term);
    let workers = workers(args.threads, term)?;
    let run = Run { program: &program, isa: loaded.isa, compiled: &compiled, draw: &draw, workers: &workers };
    match is_kernel {
        true => run.kernel(args, image, term),
        false => run.picture(args, image, &pixels, term),
    }
}

/// What is run.
struct Run<'a> {
    program: &'a Program,
    isa: &'a str,
    compiled: &'a Compiled,
    draw: &'a Draw,
    workers: &'a Workers,
}

impl Run<'_> {
    /// Runs a kernel, and writes its buffers.
    fn kernel(&self, args: &RunArgs, form: Option<PictureForm>, term: &Term) -> Result<Exit, Failure> {
        let frame = match frame(self.compiled, self.draw, self.workers, crate::signal::watch()) {
            Ok(frame) => frame,
            Err(found) if was_cancelled(&found) => return Ok(Exit::Interrupted),
            Err(found) => return Err(self.program.problems(found.diags).into()),
        };
        let Run { program, isa, compiled, draw, .. } = *self;
        let summary = kernel::Summary { name: &program.name, isa, compiled, draw, frame: &frame };
        if let (Some(path), Some(form)) = (&args.output, form) {
            write_to(path, &summary.array(form, args.buffer.as_deref())?)?;
        }
        let expected = Expected::of(program, &frame, compiled.model())?;
        let endless = Endless { lanes: frame.out_of_fuel, of: frame.fragments, what: "invocations" };
        self.tell(args, &endless, &expected, || summary.human(term), || summary.value(), term)
    }

    /// Says what came out, and how it ends.
    fn tell(
        &self,
        args: &RunArgs,
        endless: &Endless,
        expected: &Expected,
        human: impl Fn() -> String,
        value: impl Fn() -> Value,
        term: &Term,
    ) -> Result<Exit, Failure> {
        let program = self.program;
        // Some pixels without end: the others are worth seeing, but the result is not what the program says.
        if endless.lanes > 0 {
            let who = format!("{} of {} {}", endless.lanes, endless.of, endless.what);
            let diag = parallax::endless(&self.compiled.shader.func, self.draw.fuel, &who);
            draw_problems(&program.name, program.text(), &[diag], term);
        }
        let value = || {
            let mut value = value();
            expected.add_to(&mut value);
            value
        };
        let text = match args.format {
            Format::Human => format!("{}{}", human(), expected.line()),
            Format::Json => pretty(&value()),
            Format::Jsonl => format!("{}\n", value()),
            Format::Csv => return Err(Failure::invalid("run cannot print CSV: use --format human, json or jsonl")),
        };
        // Standard output belongs to the picture.
        match args.output.as_deref().is_some_and(is_stdout) {
            true => term.note(text.trim_end()),
            false => print(&text)?,
        }
        expected.draw(program, term);
        let held = if expected.unmet.is_empty() { Exit::Done } else { Exit::CheckFailed };
        Ok(if endless.lanes > 0 { held.worse(Exit::Unsupported) } else { held })
    }
}

/// Lanes that ran out of loop fuel.
struct Endless {
    lanes: u64,
    of: u64,
    what: &'static str,
}

fn was_cancelled(found: &Problems) -> bool {
    found.diags.iter().any(|d| d.code == CANCELLED)
}

/// What the manifest expects of the result.
struct Expected {
    /// Expectations for the model.
    all: usize,
    /// Those that do not hold.
    unmet: Vec<Diag>,
}

impl Expected {
    fn none() -> Expected {
        Expected { all: 0, unmet: Vec::new() }
    }

    fn of(program: &Program, frame: &Frame, model: &str) -> Result<Expected, Problems> {
        let Some(manifest) = program.manifest() else { return Ok(Expected::none()) };
        let mut unmet = program.unmet(frame)?;
        unmet.retain(|found| manifest.expects_of(found.number, model));
        Ok(Expected { all: manifest.expectations(model), unmet: unmet.into_iter().map(|found| found.diag).collect() })
    }

    fn line(&self) -> String {
        match self.all {
            0 => String::new(),
            all => format!("expectations: {} of {all} hold\n", all - self.unmet.len()),
        }
    }

    fn add_to(&self, value: &mut Value) {
        if let Some(object) = value.as_object_mut().filter(|_| self.all > 0) {
            let unmet: Vec<&str> = self.unmet.iter().map(|diag| diag.message.as_str()).collect();
            object.insert("expectations".into(), json!({ "all": self.all, "unmet": unmet }));
        }
    }

    fn draw(&self, program: &Program, term: &Term) {
        if let Some(manifest) = program.manifest() {
            draw_problems(&manifest.name, &manifest.text, &self.unmet, term);
        }
    }
}

/// Says why a shader is interpreted although machine code was asked for.
pub(crate) fn note(name: &str, compiled: &Compiled, engine: Engine, term: &Term) {
    if let Some(reason) = compiled.note.as_ref().filter(|_| engine.asks_for_machine_code()) {
        term.note(&format!("{name}: interpreted: {reason}"));
    }
}

/// The number of threads `--threads` asks for; `None` is one per core. More than the machine has any use for are not
/// started.
pub(crate) fn threads(asked: Option<usize>, term: &Term) -> Result<Option<usize>, Failure> {
    /// Threads per core: more only wait for each other.
    const PER_CORE: usize = 8;
    if asked == Some(0) {
        return Err(Failure::invalid("--threads 0: at least one thread is needed"));
    }
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    Ok(asked.map(|asked| {
        let most = cores * PER_CORE;
        if asked > most {
            term.note(&format!("--threads {asked}: using {most}, {PER_CORE} for each of {cores} cores"));
        }
        asked.min(most)
    }))
}

/// Threads for draws; `None` is one per core.
pub(crate) fn workers(asked: Option<usize>, term: &Term) -> Result<Workers, Failure> {
    let threads = threads(asked, term)?;
    // Measuring and drawing pictures use the same number. It can be set once; later calls keep it.
    if let Some(n) = threads {
        let _ = rayon::ThreadPoolBuilder::new().num_threads(n).build_global();
    }
    Workers::new(threads.unwrap_or(0)).map_err(|diag| Failure::Stop(Exit::Internal, diag.message))
}

fn form(path: &Path, asked: Option<ImageForm>) -> Result<PictureForm, Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match (asked, extension.as_deref()) {
        (Some(ImageForm::Png), _) | (None, Some("png")) => Ok(PictureForm::Png),
        (Some(ImageForm::Pfm), _) | (None, Some("pfm")) => Ok(PictureForm::Pfm),
        (Some(ImageForm::Npy), _) | (None, Some("npy")) => Ok(PictureForm::Npy),
        (None, None) if path == Path::new("-") => Ok(PictureForm::Png),
        _ => Err(Failure::invalid(format_args!(
            "`{}`: use a name that ends in .png, .pfm or .npy, or --image png, pfm or npy",
            path.display()
        ))),
    }
}

/// `X,Y`.
pub(super) fn pixel(text: &str) -> Result<(u32, u32), Failure> {
    let parsed = text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    parsed.ok_or_else(|| Failure::invalid(format_args!("--pixel {text}: expected X,Y, such as 64,32")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_the_form_of_a_picture() {
        assert_eq!(form(Path::new("a.PFM"), None).ok(), Some(PictureForm::Pfm));
        assert_eq!(form(Path::new("-"), None).ok(), Some(PictureForm::Png));
        assert_eq!(form(Path::new("a.jpg"), Some(ImageForm::Npy)).ok(), Some(PictureForm::Npy));
        assert!(form(Path::new("a.jpg"), None).is_err());
    }

    #[test]
    fn pixels_are_two_numbers() {
        assert_eq!(pixel("3, 4").ok(), Some((3, 4)));
        assert!(pixel("3").is_err() && pixel("-1,2").is_err());
    }
}
