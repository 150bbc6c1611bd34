//! Every program of the corpus to every target, under `ieee`: the same bits, or a reason.

#![allow(clippy::print_stdout, reason = "lengths, shown with --nocapture")]

use crate::proof::{Outcome, Source, prove};
use parallax::{Model, Stage};
use parallax_emit::{TARGETS, Target};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What became of the programs of one set.
#[derive(Default)]
struct Cell {
    equal: usize,
    named: Vec<String>,
    refused: usize,
}

/// What became of all programs for one target.
#[derive(Default)]
struct Found {
    cells: BTreeMap<&'static str, Cell>,
    /// Programs by reason.
    reasons: BTreeMap<String, usize>,
    /// Instructions of the translation in thousandths of those of the source, of programs whose registers are alike.
    lengths: Vec<usize>,
    inexact: BTreeMap<String, usize>,
}

/// A reason without the place and the number of times.
fn shortened(reason: &str) -> String {
    let reason = reason.split("; first in").next().unwrap_or(reason);
    let reason = reason.split(" (").next().unwrap_or(reason);
    reason.split(": ").next().unwrap_or(reason).to_string()
}

fn look(target: &Target, model: &Model, stage: Stage) -> Found {
    let mut found = Found::default();
    for file in parallax_corpus::shaders() {
        let source = Source::of_corpus(file);
        let set = file.folder();
        if source.shader.func.iface.stage != stage {
            continue;
        }
        let cell = found.cells.entry(set).or_default();
        match prove(&source, target, model, 24) {
            Outcome::Equal(made) => {
                cell.equal += 1;
                let is_alike = match target.name {
                    "spa5" | "usc" => set == target.isa,
                    _ => ["tgsi", "attila", "nvfp", "nv40"].contains(&set),
                };
                if is_alike {
                    found.lengths.push(made.instructions * 1000 / source.instructions);
                }
                made.inexact.into_iter().for_each(|inexact| *found.inexact.entry(inexact.what).or_default() += 1);
            }
            Outcome::Refused(why) => {
                assert!(!why.is_empty(), "{} to {}: refused without a reason", source.path, target.name);
                cell.refused += 1;
                let mut reasons: Vec<String> = why.iter().map(|why| shortened(why)).collect();
                reasons.sort_unstable();
                reasons.dedup();
                reasons.into_iter().for_each(|reason| *found.reasons.entry(reason).or_default() += 1);
            }
            Outcome::Different(named, what) => {
                // What has the same bits under `ieee` explains nothing.
                assert!(named.iter().any(|inexact| inexact.in_ieee), "{} to {}: {what}", source.path, target.name);
                cell.named.push(source.path.clone());
                named.into_iter().for_each(|inexact| *found.inexact.entry(inexact.what).or_default() += 1);
            }
        }
    }
    found
}

/// The page with the part after a mark replaced.
fn replaced(text: &str, mark: &str, fresh: &str) -> String {
    let start = format!("<!-- generated: {mark} -->\n");
    let (head, rest) = text.split_once(&start).expect("start mark");
    let (_, tail) = rest.split_once("<!-- end -->").expect("end mark");
    format!("{head}{start}\n{fresh}\n<!-- end -->{tail}")
}

/// What became of the programs of each set, for each target.
fn counts(all: &[(&Target, Found)]) -> String {
    let sets: Vec<&str> = all[0].1.cells.keys().copied().collect();
    let mut table = format!("| to | {} |\n|---|{}\n", sets.join(" | "), "---|".repeat(sets.len()));
    for (target, found) in all {
        let cells: Vec<String> = sets
            .iter()
            .map(|set| {
                let cell = &found.cells[set];
                let total = cell.equal + cell.named.len() + cell.refused;
                match cell.named.len() {
                    0 => format!("{} of {total}", cell.equal),
                    named => format!("{} of {total}, {named} named", cell.equal),
                }
            })
            .collect();
        let _ = writeln!(table, "| `{}` | {} |", target.name, cells.join(" | "));
    }
    table
}

/// The same with what is refused below.
fn with_refusals(all: &[(&Target, Found)]) -> String {
    let mut table = counts(all);
    for (target, found) in all {
        for (reason, count) in &found.reasons {
            let _ = write!(table, "\n`{}` refuses {count} for {reason}.", target.name);
        }
    }
    table.push('\n');
    table
}

/// The tables of `docs/translate.md`. `PARALLAX_BLESS=1` rewrites them.
#[test]
fn programs_of_the_corpus_keep_their_bits_in_every_target() {
    let model = Model::builtin("ieee").expect("built in");
    let look_at = |targets: &[&'static Target], stage| -> Vec<(&Target, Found)> {
        targets.iter().map(|target| (*target, look(target, &model, stage))).collect()
    };
    let all = look_at(TARGETS, Stage::Fragment);
    let table = counts(&all);
    let with_vertices: Vec<&Target> =
        TARGETS.iter().copied().filter(|target| target.of_stage(Stage::Vertex).is_some()).collect();
    let vertices = look_at(&with_vertices, Stage::Vertex);
    let with_kernels: Vec<&Target> =
        TARGETS.iter().copied().filter(|target| target.of_stage(Stage::Compute).is_some()).collect();
    let kernels = look_at(&with_kernels, Stage::Compute);
    let kernel_table = with_refusals(&kernels);
    let vertex_table = with_refusals(&vertices);
    let mut reasons = String::from("| why | ");
    let names: Vec<String> = all.iter().map(|(target, _)| format!("`{}`", target.name)).collect();
    let _ = write!(reasons, "{} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    let mut known: Vec<&String> = all.iter().flat_map(|(_, found)| found.reasons.keys()).collect();
    known.sort_unstable();
    known.dedup();
    for reason in known {
        let counts: Vec<String> =
            all.iter().map(|(_, found)| found.reasons.get(reason).map_or(String::new(), usize::to_string)).collect();
        let _ = writeln!(reasons, "| {reason} | {} |", counts.join(" | "));
    }
    let mut inexact = String::from("| said in other words | programs |\n|---|---|\n");
    let mut named: BTreeMap<&String, usize> = BTreeMap::new();
    for (_, found) in all.iter().chain(&vertices).chain(&kernels) {
        found.inexact.iter().for_each(|(what, count)| *named.entry(what).or_default() += count);
    }
    named.iter().for_each(|(what, count)| {
        let _ = writeln!(inexact, "| {what} | {count} |");
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/translate.md");
    let text = std::fs::read_to_string(&path).expect("docs/translate.md");
    let fresh = replaced(&text, "translated", &table);
    let fresh = replaced(&fresh, "translated vertices", &vertex_table);
    let fresh = replaced(&fresh, "translated kernels", &kernel_table);
    let fresh = replaced(&fresh, "not translated", &reasons);
    let fresh = replaced(&fresh, "named", &inexact);
    if text != fresh && std::env::var_os("PARALLAX_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("docs/translate.md can be written");
    } else {
        assert!(text == fresh, "docs/translate.md is out of date; run this test with PARALLAX_BLESS=1");
    }
    // A round trip is not longer than what it started from.
    for (target, found) in &all {
        let mut lengths = found.lengths.clone();
        lengths.sort_unstable();
        let median = lengths[lengths.len() / 2];
        println!("{}: {median} thousandths in the median", target.name);
        // Mask counts of USC come back as words that are computed, and halves are packed and unpacked.
        let most = if target.name == "usc" { 3300 } else { 1100 };
        assert!(median <= most, "{}: {median} thousandths in the median", target.name);
    }
}
