//! `parallax bench --translate`: how fast programs become programs of other instruction sets.

use super::{LEAST, MOST, median};
use crate::args::BenchArgs;
use crate::exit::{Exit, Failure};
use crate::input::Input;
use crate::load::{Program, Reading, draw_problems, reading};
use crate::term::{Paint, Table, Term, print};
use parallax::{Status, canonicalise};
use parallax_emit::{TARGETS, Target, keep_freed_memory, translate, translate_to_words};
use parallax_text::clean;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// One program to one target. The order of fields is the order of keys.
#[derive(Clone, Debug, Serialize)]
struct Record {
    shader: String,
    isa: &'static str,
    to: &'static str,
    insns: usize,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Outcome {
    Made { insns_out: usize, us_read: f64, us_translate: f64, us_total: f64, minsn_per_s: f64 },
    Refused { refused: Vec<String> },
}

/// Instructions and microseconds of all programs of a pair.
type Sums = BTreeMap<(&'static str, &'static str), (usize, f64)>;

pub(super) fn run(args: &BenchArgs, term: &Term) -> Result<Exit, Failure> {
    keep_freed_memory();
    let reading = reading(&args.source)?;
    let cancel = crate::signal::watch();
    let mut exit = Exit::Done;
    let mut table = Table::new(&["shader", "to", ">insns", ">made", ">read µs", ">translate µs", ">Minsn/s"]);
    let mut sums = Sums::new();
    'inputs: for input in &Input::all(&args.paths, term) {
        let program = Program::load(input, &reading);
        let readable = program.status() == Status::Ok && program.loaded.as_ref().is_some_and(|l| l.shader.is_some());
        if !readable {
            draw_problems(&program.name, program.text(), &program.diags, term);
            exit = exit.worse(program.status().into());
            continue;
        }
        for target in TARGETS {
            if cancel.load(Ordering::Relaxed) {
                exit = Exit::Interrupted;
                break 'inputs;
            }
            let Some(record) = measure(input, &reading, target, args) else { return Ok(Exit::Internal) };
            if args.json {
                let line = serde_json::to_string(&record).map_err(|e| Failure::Stop(Exit::Internal, e.to_string()))?;
                print(&format!("{line}\n"))?;
                continue;
            }
            let mut row = vec![(Paint::Bold, clean(&record.shader)), (Paint::Plain, record.to.to_string())];
            row.push((Paint::Plain, record.insns.to_string()));
            match record.outcome {
                Outcome::Made { insns_out, us_read, us_translate, us_total, minsn_per_s } => {
                    row.push((Paint::Plain, insns_out.to_string()));
                    row.extend([us_read, us_translate].map(|us| (Paint::Plain, format!("{us:.1}"))));
                    row.push((Paint::Plain, format!("{minsn_per_s:.2}")));
                    let (insns, us) = sums.entry((record.isa, record.to)).or_default();
                    *insns += record.insns;
                    *us += us_total;
                }
                Outcome::Refused { .. } => {
                    row.push((Paint::Dim, "refused".to_string()));
                    row.extend(["–", "–", "–"].map(|dash| (Paint::Dim, dash.to_string())));
                }
            }
            table.row(row);
        }
    }
    if !args.json {
        let heading = format!("one thread, median of at least {} runs\n", args.runs);
        print(&format!(
            "{}\n{}\n{}",
            table.print(term, ""),
            pairs(&sums).print(term, ""),
            term.paint(Paint::Dim, &heading)
        ))?;
    }
    Ok(exit)
}

/// Million instructions of the source a second, by pair of instruction sets.
fn pairs(sums: &Sums) -> Table {
    let names: Vec<String> = TARGETS.iter().map(|target| format!(">{}", target.name)).collect();
    let heads: Vec<&str> = std::iter::once("Minsn/s from").chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&heads);
    let mut sets: Vec<&str> = sums.keys().map(|&(set, _)| set).collect();
    sets.dedup();
    for set in sets {
        let rate = |target: &&Target| match sums.get(&(set, target.name)) {
            Some(&(insns, us)) if us > 0.0 => format!("{:.2}", insns as f64 / us),
            _ => "–".to_string(),
        };
        let rates = TARGETS.iter().map(|target| (Paint::Plain, rate(target)));
        table.row(std::iter::once((Paint::Bold, set.to_string())).chain(rates).collect());
    }
    table
}

/// Times a translation; `None` if a program that was read cannot be read again.
fn measure(input: &Input, reading: &Reading, target: &Target, args: &BenchArgs) -> Option<Record> {
    let runs = args.runs as usize;
    let translate = if args.words { translate_to_words } else { translate };
    let (mut read, mut made, mut total) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    let us = |from: Instant| from.elapsed().as_nanos() as f64 / 1000.0;
    loop {
        let mut program = Program::load(input, reading);
        let loaded = program.loaded.as_mut()?;
        let (insns, isa) = (loaded.instructions(), loaded.isa);
        // Without what files and manifests take.
        let lifted = (loaded.times.parse + loaded.times.lift).as_nanos() as f64 / 1000.0;
        let shader = loaded.shader.take()?;
        let start = Instant::now();
        let shader = canonicalise(shader);
        let us_read = lifted + us(start);
        let start = Instant::now();
        let found = translate(&shader, target);
        let us_translate = us(start);
        read.push(us_read);
        made.push(us_translate);
        total.push(us_read + us_translate);
        let record = |outcome| Record { shader: input.name.clone(), isa, to: target.name, insns, outcome };
        match found {
            Err(diags) => {
                let refused = diags.into_iter().map(|diag| diag.message).collect();
                return Some(record(Outcome::Refused { refused }));
            }
            Ok(translation) if total.len() >= runs && (begin.elapsed() >= LEAST || total.len() >= MOST) => {
                let us_total = median(total);
                return Some(record(Outcome::Made {
                    insns_out: translation.instructions,
                    us_read: median(read),
                    us_translate: median(made),
                    us_total,
                    minsn_per_s: if us_total > 0.0 { insns as f64 / us_total } else { 0.0 },
                }));
            }
            Ok(_) => {}
        }
    }
}
