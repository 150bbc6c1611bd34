//! `parallax bench`: how long each stage of translation takes, and how fast shaders run.

mod translations;

use super::run::{note, workers};
use crate::args::{BenchArgs, SamplesArg, TargetArg};
use crate::exit::{Exit, Failure};
use crate::input::{Input, Place};
use crate::load::{Program, Reading, draw_problems, frame_over, models, reading, size};
use crate::registry::Registry;
use crate::term::{Paint, Table, Term, print};
use parallax::{CANCELLED, Control, Engine, Frame, Optimise, Status, Workers};
use parallax_num::Model;
use parallax_text::{Diag, clean};
use serde::Serialize;
use std::time::{Duration, Instant};

/// One shader under one model. The order of fields is the order of keys.
#[derive(Clone, Debug, Serialize)]
struct Record {
    shader: String,
    model: String,
    engine: &'static str,
    threads: usize,
    size: String,
    target: Option<String>,
    insns: usize,
    us_parse: f64,
    us_lift: f64,
    us_bind: f64,
    us_opt: f64,
    us_codegen: f64,
    us_total: f64,
    code_bytes: usize,
    mfrag_per_s: f64,
    fallbacks: usize,
}

/// Translation is measured at least this long, so that short stages have a steady median.
const LEAST: Duration = Duration::from_millis(20);
/// Most repetitions of a translation.
const MOST: usize = 2000;

pub(crate) fn run(args: &BenchArgs, engine: Engine, term: &Term) -> Result<Exit, Failure> {
    if args.translate {
        return translations::run(args, term);
    }
    let (width, height) = size(&args.size)?;
    let registry = Registry::new(models(&args.rebind.model_file, term)?, &args.rebind.demote)?;
    let list = registry.list(Some(&args.models))?;
    let bench = Bench {
        engine,
        reading: reading(&args.source)?,
        workers: workers(args.threads, term)?,
        size: (width, height),
        target: args.target,
        samples: args.samples,
        runs: args.runs as usize,
    };
    crate::signal::watch();
    let mut exit = Exit::Done;
    let mut table = Table::new(&[
        "shader",
        "model",
        ">insns",
        ">parse",
        ">lift",
        ">bind",
        ">optimise",
        ">codegen",
        ">total µs",
        "engine",
        ">bytes",
        ">fallbacks",
        "target",
        ">Mfrag/s",
    ]);
    for input in &Input::all(&args.paths, term) {
        for (nth, model) in list.iter().enumerate() {
            match bench.measure(input, model, nth == 0, term) {
                Ok(record) if args.json => {
                    let line =
                        serde_json::to_string(&record).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
                    print(&format!("{line}\n"))?;
                }
                Ok(r) => {
                    let mut row = vec![(Paint::Bold, clean(&r.shader)), (Paint::Plain, r.model)];
                    row.push((Paint::Plain, r.insns.to_string()));
                    let times = [r.us_parse, r.us_lift, r.us_bind, r.us_opt, r.us_codegen, r.us_total];
                    row.extend(times.map(|us| (Paint::Plain, format!("{us:.1}"))));
                    row.push((Paint::Plain, r.engine.to_string()));
                    row.extend([r.code_bytes, r.fallbacks].map(|count| (Paint::Plain, count.to_string())));
                    row.push((Paint::Plain, r.target.unwrap_or_else(|| "–".into())));
                    row.push((Paint::Plain, format!("{:.2}", r.mfrag_per_s)));
                    table.row(row);
                }
                Err(Exit::Interrupted) => {
                    exit = Exit::Interrupted;
                    break;
                }
                // Said already; the other shaders go on.
                Err(other) => {
                    exit = exit.worse(other);
                    break;
                }
            }
        }
        if exit == Exit::Interrupted {
            break;
        }
    }
    if !args.json {
        let threads = bench.workers.threads();
        let heading = format!(
            "{threads} {}, {width}x{height}, median of {} runs",
            if threads == 1 { "thread" } else { "threads" },
            args.runs
        );
        print(&format!("{}\n{}", table.print(term, ""), term.paint(Paint::Dim, &format!("{heading}\n"))))?;
    }
    Ok(exit)
}

struct Bench {
    engine: Engine,
    reading: Reading,
    workers: Workers,
    size: (u32, u32),
    target: TargetArg,
    samples: SamplesArg,
    runs: usize,
}

/// Times of one translation.
#[derive(Default)]
struct Stages {
    parse: Vec<f64>,
    lift: Vec<f64>,
    bind: Vec<f64>,
    opt: Vec<f64>,
    codegen: Vec<f64>,
    total: Vec<f64>,
}

impl Bench {
    /// One shader under one model; under the `first` it is also said what it is drawn with.
    fn measure(&self, input: &Input, model: &Model, first: bool, term: &Term) -> Result<Record, Exit> {
        let refuse = |name: &str, text: &str, diags: &[Diag]| {
            if diags.iter().any(|d| d.code == CANCELLED) {
                return Exit::Interrupted;
            }
            draw_problems(name, text, diags, term);
            Exit::from(Status::of(diags))
        };
        let program = Program::load(input, &self.reading);
        let (Some(loaded), Status::Ok) = (&program.loaded, program.status()) else {
            return Err(refuse(&program.name, program.text(), &program.diags));
        };
        let Some(shader) = &loaded.shader else { return Err(Exit::Internal) };
        let (mut draw, _) = program.draw().map_err(|p| refuse(&p.name, &p.text, &p.diags))?;
        if first {
            program.note_default_inputs(term);
        }
        program.resize(&mut draw, self.size);
        self.target.apply(&mut draw.targets);
        self.samples.apply(&mut draw.samples);
        let draw = draw
            .with_vertices(&shader.func.iface, model, self.engine)
            .map_err(|p| refuse(&p.name, &p.text, &p.diags))?;
        let mut compiled = parallax::compile(shader, model, Optimise::Yes, self.engine)
            .map_err(|found| refuse(&program.name, program.text(), &found.diags))?;

        note(&program.name, &compiled, self.engine, term);
        let mut stages = Stages::default();
        let start = Instant::now();
        while stages.total.len() < self.runs || start.elapsed() < LEAST && stages.total.len() < MOST {
            // Standard input can be read once; its bytes are kept in the input.
            debug_assert!(input.source.is_ok() || input.place != Place::Stdin);
            let again = Program::load(input, &self.reading);
            let (Some(loaded), Ok(made)) =
                (&again.loaded, parallax::compile(shader, model, Optimise::Yes, self.engine))
            else {
                return Err(Exit::Internal);
            };
            let us = |d: Duration| d.as_nanos() as f64 / 1000.0;
            let (load, times) = (loaded.times, made.times);
            stages.parse.push(us(load.parse));
            stages.lift.push(us(load.lift));
            stages.bind.push(us(times.bind));
            stages.opt.push(us(times.optimise));
            // Step form, allocation and encoding; flattening is the interpreter's kind of code generation.
            stages.codegen.push(us(times.lower));
            let all = load.parse + load.lift + times.bind + times.optimise + times.verify + times.lower;
            stages.total.push(us(all));
            compiled = made;
        }

        let (mut speeds, mut target) = (Vec::new(), None);
        let mut earlier = Frame::default();
        // Where a render target is named, what it stores is the frame, as it is on a card.
        let control = Control { cancel: Some(crate::signal::watch()), targets_alone: true, ..Control::default() };
        // The first frame is the one that asks the system for memory: a renderer keeps its targets.
        for run in 0..=self.runs {
            let start = Instant::now();
            let frame = frame_over(&compiled, &draw, &self.workers, control, earlier)
                .map_err(|found| refuse(&program.name, program.text(), &found.diags))?;
            let seconds = start.elapsed().as_secs_f64();
            if frame.out_of_fuel > 0 {
                // A figure for rounds that were cut off would be of no use to anybody.
                let who = format!("{} of {} fragments", frame.out_of_fuel, frame.fragments);
                let endless = parallax::endless(&compiled.shader.func, draw.fuel, &who);
                return Err(refuse(&program.name, program.text(), &[endless]));
            }
            target = frame.target_names();
            if run > 0 {
                speeds.push(if seconds > 0.0 { frame.fragments as f64 / seconds / 1e6 } else { 0.0 });
            }
            earlier = frame;
        }
        let made = compiled.program.made();
        Ok(Record {
            shader: input.name.clone(),
            model: model.label(),
            engine: if made.code_bytes > 0 { Engine::Jit } else { Engine::Interp }.name(),
            threads: self.workers.threads(),
            size: format!("{}x{}", self.size.0, self.size.1),
            target,
            insns: loaded.instructions(),
            us_parse: median(stages.parse),
            us_lift: median(stages.lift),
            us_bind: median(stages.bind),
            us_opt: median(stages.opt),
            us_codegen: median(stages.codegen),
            us_total: median(stages.total),
            code_bytes: made.code_bytes,
            mfrag_per_s: median(speeds),
            fallbacks: made.fallbacks,
        })
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    parallax_text::sort_by(&mut values, f64::total_cmp);
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[n / 2],
        n => (values[n / 2 - 1] + values[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn medians() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
