//! `parallax run`: one shader under one model, to a picture; one kernel, to its buffers.

mod kernel;

use super::models::pretty;
use crate::args::{Format, ImageForm, RunArgs};
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, draw_problems, frame, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, is_stdout, print, write_to};
use parallax::{CANCELLED, Channel, Compiled, Control, Engine, Frame, Optimise, Problems, Workers};
use parallax_core::{OutputRole, Stage};
use parallax_num::{Storage, ulp};
use parallax_report::{FrameRead, picture};
use parallax_text::{Diag, clean};
use serde_json::{Value, json};
use std::io::IsTerminal;
use std::path::Path;

pub(crate) fn run(args: &RunArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    let image = args.output.as_deref().map(|path| form(path, args.image)).transpose()?;
    let to_stdout = args.output.as_deref().is_some_and(is_stdout);
    if to_stdout && !args.force && std::io::stdout().is_terminal() {
        return Err(Failure::invalid("not writing a picture to the terminal without --force"));
    }
    let asked = args.size.as_deref().map(size).transpose()?;
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
    let frame = match frame(&compiled, &draw, &workers, crate::signal::watch()) {
        Ok(frame) => frame,
        Err(found) if found.diags.iter().any(|d| d.code == CANCELLED) => return Ok(Exit::Interrupted),
        Err(found) => return Err(at_program(found).into()),
    };

    // Some pixels without end: the others are worth seeing, but the result is not what the program says.
    let endless = frame.out_of_fuel > 0;
    if endless {
        let func = &compiled.shader.func;
        let what = if is_kernel { "invocations" } else { "fragments" };
        let who = format!("{} of {} {what}", frame.out_of_fuel, frame.fragments);
        draw_problems(&program.name, program.text(), &[parallax::endless(func, draw.fuel, &who)], term);
    }
    let summary =
        kernel::Summary { name: &program.name, isa: loaded.isa, compiled: &compiled, draw: &draw, frame: &frame };
    if let (Some(path), Some(form), true) = (&args.output, image, is_kernel) {
        write_to(path, &summary.array(form, args.buffer.as_deref())?)?;
    } else if let (Some(path), Some(form)) = (&args.output, image) {
        let read = FrameRead::new(&frame);
        let bytes = match form {
            ImageForm::Png => picture::png(&read, false),
            ImageForm::Pfm => picture::pfm(&read),
            ImageForm::Npy => picture::npy(&read),
        };
        write_to(path, &bytes)?;
    }
    let expected = Expected::of(&program, &frame, &model.label())?;
    let report = Summary { name: &program.name, isa: loaded.isa, compiled: &compiled, frame: &frame, pixels: &pixels };
    let value = || {
        let mut value = if is_kernel { summary.value() } else { report.value() };
        expected.add_to(&mut value);
        value
    };
    let text = match args.format {
        Format::Human => {
            let text = if is_kernel { summary.human(term) } else { report.human(term) };
            format!("{text}{}", expected.line())
        }
        Format::Json => pretty(&value()),
        Format::Jsonl => format!("{}\n", value()),
        Format::Csv => return Err(Failure::invalid("run cannot print CSV: use --format human, json or jsonl")),
    };
    // Standard output belongs to the picture.
    match to_stdout {
        true => term.note(text.trim_end()),
        false => print(&text)?,
    }
    expected.draw(&program, term);
    let held = if expected.unmet.is_empty() { Exit::Done } else { Exit::CheckFailed };
    Ok(if endless { held.worse(Exit::Unsupported) } else { held })
}

/// What the manifest expects of the result.
struct Expected {
    /// Expectations for the model.
    all: usize,
    /// Those that do not hold.
    unmet: Vec<Diag>,
}

impl Expected {
    fn of(program: &Program, frame: &Frame, model: &str) -> Result<Expected, Problems> {
        let Some(manifest) = program.manifest() else { return Ok(Expected { all: 0, unmet: Vec::new() }) };
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

fn form(path: &Path, asked: Option<ImageForm>) -> Result<ImageForm, Failure> {
    let extension = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
    match (asked, extension.as_deref()) {
        (Some(form), _) => Ok(form),
        (None, Some("png")) => Ok(ImageForm::Png),
        (None, Some("pfm")) => Ok(ImageForm::Pfm),
        (None, Some("npy")) => Ok(ImageForm::Npy),
        (None, None) if path == Path::new("-") => Ok(ImageForm::Png),
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

struct Summary<'a> {
    name: &'a str,
    isa: &'a str,
    compiled: &'a parallax::Compiled,
    frame: &'a Frame,
    pixels: &'a [(u32, u32)],
}

/// Range of a channel over covered pixels.
#[derive(Default)]
struct Range {
    low: Option<f64>,
    high: Option<f64>,
    nan: u64,
    infinite: u64,
}

impl Range {
    fn of(values: &[f64], covered: &[bool]) -> Range {
        let mut range = Range::default();
        for value in values.iter().zip(covered).filter(|(_, covered)| **covered).map(|(v, _)| *v) {
            if value.is_nan() {
                range.nan += 1;
            } else if value.is_infinite() {
                range.infinite += 1;
            } else {
                range.low = Some(range.low.map_or(value, |low| low.min(value)));
                range.high = Some(range.high.map_or(value, |high| high.max(value)));
            }
        }
        range
    }
}

/// Container of a channel's declared words.
fn declared(channel: &Channel) -> Storage {
    channel.ty.decl().map_or(Storage::F32, |d| d.format().storage())
}

impl Summary<'_> {
    fn channels(&self) -> impl Iterator<Item = &Channel> {
        self.numbered().map(|(_, channel)| channel)
    }

    /// Channels with their numbers in the frame.
    fn numbered(&self) -> impl Iterator<Item = (usize, &Channel)> {
        self.frame.channels.iter().enumerate().filter(|(_, c)| c.role != OutputRole::Watch)
    }

    /// A row of the table of a pixel: bits and value of a component, and what its target holds.
    fn row(name: String, channel: &Channel, bits: Option<u64>, stored: Option<u64>) -> Vec<(Paint, String)> {
        let target = channel.stored.as_ref().map(|s| s.target);
        let plain = |text: Option<String>| (Paint::Plain, text.unwrap_or_else(|| "–".into()));
        vec![
            (Paint::Plain, name),
            plain(bits.map(|bits| ulp::hex(bits, declared(channel)))),
            plain(bits.map(|bits| ulp::decimal(bits, declared(channel)))),
            plain(target.map(|target| target.name().to_string())),
            plain(target.zip(stored).map(|(target, word)| target.hex(channel.comp, word))),
        ]
    }

    /// The samples of a pixel for machines.
    fn samples(&self, pixel: usize) -> Option<Vec<Value>> {
        let samples = self.frame.samples.as_ref()?;
        let mut out: Vec<Value> = Vec::new();
        for (sample, position) in samples.positions.iter().enumerate() {
            let mut bits = serde_json::Map::new();
            let mut values = serde_json::Map::new();
            let mut kept = serde_json::Map::new();
            for (number, c) in self.numbered() {
                if let Some(Some(word)) = self.frame.sample_bits(number, pixel).get(sample) {
                    bits.insert(c.name(), json!(ulp::hex(*word, declared(c))));
                    values.insert(c.name(), json!(ulp::decimal(*word, declared(c))));
                }
                if let (Some(stored), Some(Some(word))) =
                    (&c.stored, self.frame.stored_samples(number, pixel).get(sample))
                {
                    kept.insert(c.name(), json!(stored.target.hex(c.comp, *word)));
                }
            }
            let covered = self.frame.coverage(pixel) >> sample & 1 != 0;
            out.push(
                json!({ "position": position, "covered": covered, "bits": bits, "values": values, "stored": kept }),
            );
        }
        Some(out)
    }

    fn human(&self, term: &Term) -> String {
        let frame = self.frame;
        let mut out = format!(
            "{} under {} (tier {}): {}x{} pixels{}, {} fragments",
            term.paint(Paint::Bold, &clean(self.name)),
            term.paint(Paint::Bold, self.compiled.model()),
            self.compiled.tier(),
            frame.width,
            frame.height,
            frame.sampling().map(|text| format!(", {text}")).unwrap_or_default(),
            frame.fragments,
        );
        for (n, what) in [(frame.discarded, "discarded"), (frame.out_of_fuel, "out of fuel")] {
            if n > 0 {
                out.push_str(&format!(", {n} {what}"));
            }
        }
        out.push('\n');
        let mut table = Table::new(&["component", ">least", ">greatest", ">NaN", ">infinite"]);
        for channel in self.channels() {
            let range = Range::of(&channel.values(), &frame.covered);
            let number = |v: Option<f64>| (Paint::Plain, v.map_or("–".into(), |v| v.to_string()));
            let count = |n: u64| (if n > 0 { Paint::Yellow } else { Paint::Plain }, n.to_string());
            table.row(vec![
                (Paint::Plain, channel.name()),
                number(range.low),
                number(range.high),
                count(range.nan),
                count(range.infinite),
            ]);
        }
        out.push_str(&table.print(term, "  "));
        for &(x, y) in self.pixels {
            let at = y as usize * frame.width as usize + x as usize;
            let covered = match (frame.covered[at], &frame.samples) {
                (false, _) => ", not covered".to_string(),
                (true, None) => String::new(),
                (true, Some(samples)) => {
                    let mask = frame.coverage(at);
                    let count = samples.positions.len();
                    format!(
                        ", {} of {count} samples covered (mask {mask:0digits$x})",
                        mask.count_ones(),
                        digits = count.div_ceil(4)
                    )
                }
            };
            out.push_str(&format!("pixel {x},{y}{covered}\n"));
            let mut table = Table::new(&["component", ">bits", ">value", "target", ">stored"]);
            for (number, channel) in self.numbered() {
                let stored = channel.stored.as_ref().map(|stored| stored.words.get(at));
                table.row(Self::row(channel.name(), channel, Some(channel.declared_bits().get(at)), stored));
                let kept = frame.stored_samples(number, at);
                let positions = frame.samples.iter().flat_map(|samples| &samples.positions);
                for (sample, (bits, [x, y])) in frame.sample_bits(number, at).into_iter().zip(positions).enumerate() {
                    let name = format!("  sample {sample} ({x}, {y})");
                    table.row(Self::row(name, channel, bits, kept.get(sample).copied().flatten()));
                }
            }
            out.push_str(&table.print(term, "  "));
        }
        out
    }

    fn value(&self) -> Value {
        let frame = self.frame;
        let channels: Vec<Value> = self
            .channels()
            .map(|c| {
                let range = Range::of(&c.values(), &frame.covered);
                json!({
                    "component": c.name(), "type": c.ty.name(),
                    "target": c.stored.as_ref().map(|s| s.target.name()), "least": range.low, "greatest": range.high,
                    "nan": range.nan, "infinite": range.infinite,
                })
            })
            .collect();
        let pixels: Vec<Value> = self
            .pixels
            .iter()
            .map(|&(x, y)| {
                let at = y as usize * frame.width as usize + x as usize;
                let mut bits = serde_json::Map::new();
                let mut values = serde_json::Map::new();
                let mut kept = serde_json::Map::new();
                for c in self.channels() {
                    let word = c.declared_bits().get(at);
                    bits.insert(c.name(), json!(ulp::hex(word, declared(c))));
                    values.insert(c.name(), json!(ulp::decimal(word, declared(c))));
                    if let Some(stored) = &c.stored {
                        kept.insert(c.name(), json!(stored.target.hex(c.comp, stored.words.get(at))));
                    }
                }
                let mut pixel = json!({
                    "x": x, "y": y, "covered": frame.covered[at], "bits": bits, "values": values, "stored": kept,
                });
                if let Some(samples) = self.samples(at) {
                    pixel["coverage"] = json!(format!("{:x}", frame.coverage(at)));
                    pixel["samples"] = json!(samples);
                }
                pixel
            })
            .collect();
        let mut summary = json!({
            "shader": self.name, "isa": self.isa, "model": self.compiled.model(), "tier": self.compiled.tier().name(),
            "width": frame.width, "height": frame.height, "fragments": frame.fragments,
            "discarded": frame.discarded, "out_of_fuel": frame.out_of_fuel, "channels": channels, "pixels": pixels,
        });
        if let Some(samples) = &frame.samples {
            summary["samples"] = json!({ "positions": samples.positions, "per_sample": samples.per_sample });
        }
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_decide_the_form_of_a_picture() {
        assert_eq!(form(Path::new("a.PFM"), None).ok(), Some(ImageForm::Pfm));
        assert_eq!(form(Path::new("-"), None).ok(), Some(ImageForm::Png));
        assert_eq!(form(Path::new("a.jpg"), Some(ImageForm::Npy)).ok(), Some(ImageForm::Npy));
        assert!(form(Path::new("a.jpg"), None).is_err());
    }

    #[test]
    fn pixels_are_two_numbers() {
        assert_eq!(pixel("3, 4").ok(), Some((3, 4)));
        assert!(pixel("3").is_err() && pixel("-1,2").is_err());
    }
}
