//! `parallax-smoke [SECONDS [NAME]]`: every target for so long, on all cores; 30 seconds when absent. With a name, those whose
//! names begin with it.
#![allow(clippy::print_stderr, reason = "it reports to whoever started it")]

use parallax_smoke::{Finding, Target, targets};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Threads have the stack that programs have on their first thread.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let seconds: f64 = match std::env::args().nth(1).map_or(Ok(30.0), |text| text.parse()) {
        Ok(seconds) => seconds,
        Err(error) => {
            eprintln!("expected a number of seconds: {error}");
            return ExitCode::from(2);
        }
    };
    let name = std::env::args().nth(2).unwrap_or_default();
    let targets: Vec<Target> = targets().into_iter().filter(|target| target.name.starts_with(&name)).collect();
    if targets.is_empty() {
        eprintln!("no target begins with `{name}`");
        return ExitCode::from(2);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(targets.len());
    let time = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let work = || {
        while let Some(target) = targets.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Instant::now();
            match target.drive(2, |_| start.elapsed() < time) {
                Ok(runs) => eprintln!("{}: {runs} runs", target.name),
                Err(Finding { bytes, run }) => {
                    let path = std::env::temp_dir().join(format!("parallax-{}.bin", target.name));
                    let kept =
                        std::fs::write(&path, bytes).map_or_else(|e| e.to_string(), |()| path.display().to_string());
                    eprintln!("{}: run {run} panicked; its bytes: {kept}", target.name);
                    failed.store(true, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            if let Err(error) = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                eprintln!("cannot start a thread: {error}");
                failed.store(true, Ordering::Relaxed);
            }
        }
    });
    ExitCode::from(u8::from(failed.into_inner()))
}
