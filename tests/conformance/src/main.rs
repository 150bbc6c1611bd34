//! `parallax-conformance [--only TEXT] [--json FILE] [--seconds N] [--jobs N] [--engine NAME]`: runs the cases of the
//! folder that `PARALLAX_CONFORMANCE` names, those whose names contain the text.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it reports to whoever started it")]

use parallax::Engine;
use parallax_conformance::{Compiler, FOLDER, Outcome, Tally, cases, guarded};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What was asked for.
struct Options {
    only: String,
    json: Option<PathBuf>,
    limit: Duration,
    jobs: usize,
    engine: Engine,
}

fn options() -> Result<Options, String> {
    let mut options = Options {
        only: String::new(),
        json: None,
        limit: Duration::from_secs(20),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        engine: Engine::default(),
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("`{word}` needs a value"))?;
        let number = || value.parse::<u64>().map_err(|error| format!("{word} {value}: {error}"));
        match word.as_str() {
            "--only" => options.only = value,
            "--json" => options.json = Some(value.into()),
            "--seconds" => options.limit = Duration::from_secs(number()?),
            "--jobs" => options.jobs = number()?.max(1) as usize,
            "--engine" => {
                let found = Engine::ALL.into_iter().find(|engine| engine.name() == value);
                options.engine = found.ok_or_else(|| format!("unknown engine `{value}`"))?;
            }
            _ => return Err(format!("unknown option `{word}`")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        eprintln!("skipped: {FOLDER} does not name a checkout of VK-GL-CTS");
        return ExitCode::SUCCESS;
    };
    let compiler = Compiler::new(&std::env::temp_dir().join("parallax-conformance"));
    match compiler.version() {
        Some(version) => eprintln!("{version}"),
        None => eprintln!("glslangValidator is not on the path: only modules and assembly run"),
    }
    match run(&options, &folder, &compiler) {
        Ok(tally) => {
            print!("{}", tally.text());
            ExitCode::from(u8::from(tally.count("failed") > 0))
        }
        Err(error) => {
            eprintln!("{}: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options, folder: &std::path::Path, compiler: &Compiler) -> std::io::Result<Tally> {
    let cases = cases(folder, &options.only)?;
    let json = match &options.json {
        Some(path) => Some(BufWriter::new(File::create(path)?)),
        None => None,
    };
    // Lines stand in the order in which cases end, so that a run that is broken off leaves what it has found.
    let json = Mutex::new(json);
    // Panics are outcomes.
    std::panic::set_hook(Box::new(|_| {}));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Outcome>>> = Mutex::new(vec![None; cases.len()]);
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(case) = cases.get(number) else { break };
            let (own, compiler, engine) = (case.clone(), compiler.clone(), options.engine);
            let start = Instant::now();
            let outcome = guarded(options.limit, move || own.run(&compiler, engine));
            let line = serde_json::json!({
                "case": case.name,
                "outcome": outcome.name(),
                "reason": outcome.reason(),
                "detail": outcome.detail(),
                "milliseconds": start.elapsed().as_millis() as u64,
            });
            if let Some(file) = &mut *json.lock().unwrap_or_else(PoisonError::into_inner) {
                // What is lost here is missed by whoever reads the file; the counts are printed all the same.
                let _ = writeln!(file, "{line}").and_then(|()| file.flush());
            }
            results.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(outcome);
            if number % 200 == 199 {
                eprintln!("{} of {}", number + 1, cases.len());
            }
        }
    };
    std::thread::scope(|scope| {
        (0..options.jobs).for_each(|_| {
            scope.spawn(work);
        });
    });
    let mut tally = Tally::default();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (case, outcome) in cases.iter().zip(results.into_iter().flatten()) {
        tally.add(&case.name, &outcome);
    }
    Ok(tally)
}
